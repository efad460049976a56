"""What is to be seen beside the boards: places with what lies in them, and players with what they have."""

from __future__ import annotations

from typing import Any

from ruledsl.boards.marks import Look, plain
from ruledsl.boards.svg import colour_of, picture_of, readable_on
from ruledsl.boards.svgtiles import tile_svg
from ruledsl.runtime.picture import artist_of, drawn_as_tiles, face
from ruledsl.runtime.play import Play
from ruledsl.runtime.table import Panel, Table, Thing, names_of

from .printed import Printed
from .targets import Targets, place_id, player_id, thing_id, token_id

_MOST_TILES = 24  # of a place that are drawn
_MOST_HIDDEN = 40  # hidden things of a place that lie there one by one


class Areas:
    """The panels of one table as data."""

    def __init__(
        self, play: Play, found: Table, language: str, targets: Targets, state: list[int], printed: Printed
    ) -> None:
        self.printed = printed
        self.play, self.found, self.language, self.targets, self.state = play, found, language, targets, state
        self.artist, self.names = artist_of(play, language), names_of(play, language)
        self.drawn = 0

    def areas(self) -> list[dict[str, Any]]:
        """All places but those on a picture, those of nobody first; and what is counted but is nobody's."""
        panels = [panel for panel in self.found.panels if panel.sort == "place" or panel.seat is None]
        return [self._area(panel) for panel in panels if panel.place not in self.targets.painted]

    def people(self) -> list[dict[str, Any]]:
        """The players, each with a colour and with what they count."""
        world = self.play.world
        people = []
        for seat, name in enumerate(self.found.players):
            fill = colour_of(self.artist.colour_of_player(self.state, seat))
            counted = [p for p in self.found.of(seat) if p.sort != "place"]
            people.append(
                {
                    "id": player_id(world.players.names[seat]),
                    "seat": seat,
                    "name": name,
                    "sign": plain(self.artist.seat_letters[seat]),
                    "fill": fill,
                    "ink": readable_on(fill),
                    "acting": seat in self.found.acting,
                    "values": [*(self._counted(panel) for panel in counted), *self._scored(seat)],
                }
            )
        return people

    def _scored(self, seat: int) -> list[dict[str, Any]]:
        """The points of a player in the end: until then they stand among what is counted."""
        if not self.play.over or self.play.fault is not None:
            return []
        rows = self.play.scores()[seat]
        if not rows:
            return []
        title = self.names.word(next(iter(rows))) if len(rows) == 1 else self.names.say("points")
        if any(panel.title == title for panel in self.found.of(seat)):
            return []
        return [{"title": plain(title), "text": str(sum(rows.values()))}]

    def _counted(self, panel: Panel) -> dict[str, Any]:
        """One line of what is counted; tokens of several sorts one by one, too."""
        data: dict[str, Any] = {"title": plain(panel.title), "text": plain(panel.text)}
        if panel.tokens is not None:
            data["title"] = plain(panel.tokens.title)
            data["tokens"] = [self._token(panel, word, count) for word, count in panel.tokens.counts]
        if panel.number is not None:
            data |= {"name": panel.name, "amount": panel.number}
        return data

    def _token(self, panel: Panel, word: str, count: int) -> dict[str, Any]:
        colour = self.artist.colour_of(word)
        title, fill = self.names.word(word), colour_of(colour) if colour else ""
        sign = plain(self.play.world.looks.get(word, Look()).sign(self.language))
        return {
            "id": token_id(panel, word),
            "title": title,
            "count": count,
            "fill": fill,
            "ink": readable_on(fill) if fill else "",
            "sign": sign,
        }

    def _area(self, panel: Panel) -> dict[str, Any]:
        data: dict[str, Any] = {"sort": panel.sort, "seat": panel.seat, **self._counted(panel)}
        if panel.sort == "place":
            data |= {
                "id": place_id(panel.place),
                "at": self.play.world.looks.get(panel.name, Look()).at,
                "shape": panel.shape,
                "count": sum(thing.count for thing in panel.things),
                "with": self.targets.things.get(panel.under, ""),
                "each": plain(panel.of_each),
                "items": [item for number in range(len(panel.things)) for item in self._items(panel, number)],
            }
        return data

    def _items(self, panel: Panel, number: int) -> list[dict[str, Any]]:
        thing, pieces = panel.things[number], panel.pieces[number]
        if thing.name is None:
            backs = [plain(fact) for fact in thing.facts]
            back: dict[str, Any] = {"id": "", "text": "", "count": 1, "hidden": True} | (
                {"facts": backs} if backs else {}
            )
            if panel.shape == "count" or len(pieces) > _MOST_HIDDEN:
                return [back | {"count": thing.count}]
            if len(pieces) == 1:
                return [back | {"id": thing_id(panel.place, number)}]
            return [back | {"id": name} for name in self.targets.hidden(pieces, panel.place)]
        return [self._item(panel, number, thing, pieces[0])]

    def _item(self, panel: Panel, number: int, thing: Thing, piece: int) -> dict[str, Any]:
        mark = self.artist.piece(self.state, piece)
        fill = colour_of(mark.colour) if mark.colour else ""
        data: dict[str, Any] = {
            "id": thing_id(panel.place, number),
            "text": thing.title,
            "count": thing.count,
            "facts": [plain(fact) for fact in thing.facts if fact],
            "sign": plain(mark.text),
            "fill": fill,
            "ink": readable_on(fill) if fill else "",
        }
        if about := self.printed.about(piece, [thing.title, *data["facts"]]):
            data["about"] = about
        if thing.face:
            colour = self.artist.own_colour(self.state, piece)
            data["face"] = {"ink": colour_of(colour) if colour else "", **dict(thing.face)}
        if mark.picture:
            data["image"] = picture_of(mark.picture)
        if picture := self._tile(piece, thing.title):
            data["picture"] = picture
        return data

    def _tile(self, piece: int, title: str) -> str:
        """The picture of a tile."""
        board = next((b for b in self.play.world.boards if b.name == self.artist.kind_of[piece].tile), None)
        if board is None or not drawn_as_tiles(board) or self.drawn >= _MOST_TILES:
            return ""
        self.drawn += 1
        return tile_svg(board.board.outline, face(self.play, piece, self.language), title, f"t{self.drawn}-")


__all__ = ["Areas"]
