"""The boards of a table as pictures, by the code of `ruledsl draw`, with an id for each space."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import accumulate
from statistics import fmean as mean
from typing import Any

from ruledsl.analysis.names import BoardInfo
from ruledsl.boards.boxes import boxes_svg
from ruledsl.boards.handles import Handle, Handles
from ruledsl.boards.marks import HIDDEN, Mark, is_bright, plain
from ruledsl.boards.svg import colour_of
from ruledsl.boards.svgtiles import tiles_svg
from ruledsl.runtime.joined import joined
from ruledsl.runtime.picture import Sheet, artist_of, tile_legend
from ruledsl.runtime.piled import lying_legend
from ruledsl.runtime.play import Play
from ruledsl.runtime.table import Table
from ruledsl.runtime.tabledrawn import sheet_svg

from .legends import legend_of
from .printed import Printed
from .targets import place_id, space_id

_IN_BOXES, _ON_TILES, _IN_CIRCLES, _IN_CELLS, _OF_GROUND = 9.5, 14.0, 11.0, 16.0, 10.0  # sizes of signs in pictures


class Boards:
    """Draws the boards of one table."""

    def __init__(
        self,
        play: Play,
        found: Table,
        language: str,
        state: list[int],
        view: dict[str, Any],
        parts: Mapping[str, Mapping[str, tuple[str, int]]],
        printed: Printed,
        beside: bool = False,
    ) -> None:
        """With the `parts` of tiles that are asked for. With `beside` the seat looks from its own side of the table."""
        self.parts = {
            space: [(Handle(name, title), area) for name, (title, area) in told.items()]
            for space, told in parts.items()
        }
        self.play, self.found, self.language, self.state, self.view = play, found, language, state, view
        self.printed = printed
        self.artist, self.beside = artist_of(play, language), beside
        self.bare = self._are_light_and_dark()

    def data(self) -> list[dict[str, Any]]:
        """Each board with its picture; what is on edges stands between the spaces of their board."""
        infos = {info.name: info for info in self.play.world.boards}
        single = [sheet for sheet in self.found.sheets if infos[sheet.board_name].between is None]
        self.laid = {
            sheet.board_name: sheet.cells for sheet in single if sheet.cells is not None and sheet.owner is None
        }
        sheets = joined([self._stripped(sheet) for sheet in single], self.play.world.boards)
        return [self._board(sheet, infos, f"b{number}-") for number, sheet in enumerate(sheets)]

    def _board(self, sheet: Sheet, infos: dict[str, Any], prefix: str) -> dict[str, Any]:
        edges = self._edges(sheet, infos[sheet.board_name])
        turned = self.beside and self._sits_across(sheet, infos[sheet.board_name])
        handles = Handles(self._spaces(sheet, infos), edges, prefix, turned, self.parts, self._asides(sheet))
        legend = legend_of(sheet.legend)
        if sheet.boxes:
            picture = boxes_svg(sheet.board, sheet.boxes, sheet.name, handles, sheet.painting)
        elif sheet.cells is not None:
            picture = tiles_svg(sheet.board, sheet.cells, sheet.name, handles=handles, painting=sheet.painting)
            legend = legend_of(tile_legend(self.play, self.language, self.view, self.laid))
        else:
            picture = sheet_svg(sheet, sheet.name, handles)
            legend += legend_of(lying_legend(self.play, self.language, self.view, sheet))
        return {
            "name": sheet.board_name,
            "title": plain(sheet.name),
            "owner": sheet.owner,
            "shape": sheet.board.shape,
            "picture": picture,
            "least": _least(sheet),
            "legend": legend,
        }

    def _spaces(self, sheet: Sheet, infos: dict[str, Any]) -> Callable[[int], Handle]:
        """Finds the handle of a space by its number in the picture."""
        parts = [(part, infos[part.board_name], _signs(part)) for part in sheet.joins or (sheet,)]
        starts = list(accumulate((len(part.board) for part, _, _ in parts), initial=0))

        def handle(number: int) -> Handle:
            at = bisect(starts, number) - 1
            (part, info, signs), number = parts[at], number - starts[at]
            first = (part.owner or 0) * len(part.board)
            name = space_id(info.name, info.root.names[first + number])
            said = self._said(part, info.first_spot + first, number, signs)
            return Handle(name, said, self._told(said, info.first_spot + first + number))

        return handle

    def _said(self, sheet: Sheet, first: int, number: int, signs: dict[str, str]) -> str:
        """A space in words: its name, what lies there, what it is."""
        lying = _counted(map(self._called, self._pieces(first + number)))
        ground = sheet.ground[number]
        if ground is not None and ground.said:
            lying.append(ground.said)
        elif ground is not None and ground.text:
            lying += [signs[sign] for sign in ground.text if sign in signs]
        for told in sheet.told:
            if (mark := told.marks[number]) is not None:
                lying.append(f"{plain(told.title)} {mark.text}")
        name = plain(sheet.names[number] if sheet.names else sheet.board.spaces[number])
        return f"{name}: {', '.join(lying)}" if lying else name

    def _told(self, said: str, spot: int) -> str:
        """A space with all that is told of what lies there; nothing if no more is told than what it is called."""
        lines = {self._called(piece): self.printed.of(piece) for piece in self._pieces(spot)}
        more = [f"{title}: {', '.join(told)}" for title, told in lines.items() if told]
        return "\n".join([*said.split(": ", 1), *more]) if more else ""

    def _pieces(self, spot: int) -> list[int]:
        """What lies on a space, with what stands on the parts of a tile there."""
        pieces = self.play.machine.pieces
        here = list(pieces.on(self.state, spot))
        for part in self.play.world.parts if here else ():
            for number, tile in enumerate(part.owner):
                if tile in here:
                    here += pieces.on(self.state, part.first_spot + number)
        return here

    def _called(self, piece: int) -> str:
        if not self.play.viewer.knows(self.state, piece, self.found.seat):
            return str(self.play.words.fixed("hidden", self.language))
        return plain(self.artist.titled(self.state, piece))

    def _are_light_and_dark(self) -> bool:
        """Whether there are men of one sort, for two players, who are told apart by light and dark alone."""
        players = self.play.world.players
        if not self.artist.alone or players.size != 2:
            return False
        fills = (colour_of(self.artist.colour_of_player(self.state, seat)) for seat in range(2))
        return sum(map(is_bright, fills)) == 1

    def _stripped(self, sheet: Sheet) -> Sheet:
        """The board without the letters of players, where light and dark tell more quickly whose a man is."""
        if not self.bare:
            return sheet
        marks = [None if mark is None else self._without_letter(mark) for mark in sheet.marks]
        piles = tuple(tuple(map(self._without_letter, pile)) for pile in sheet.piles)
        return replace(sheet, marks=marks, piles=piles)

    def _without_letter(self, mark: Mark) -> Mark:
        number = "".join(sign for sign in mark.text if sign.isdecimal())
        return replace(mark, text=number) if mark.bold else mark

    def _sits_across(self, sheet: Sheet, info: BoardInfo) -> bool:
        """Whether the men of the seat begin at the far side of a board of squares."""
        seat, board = self.found.seat, sheet.board
        if seat is None or board.shape != "grid" or sheet.owner is not None or sheet.painting is not None:
            return False
        rows: dict[bool, list[int]] = {True: [], False: []}
        spots, start = self.play.machine.program.spots, self.artist.blank
        for piece in range(self.play.world.pieces.size):
            space = start[spots.at + piece] - info.first_spot
            owner = self.artist.owner(start, piece)
            if 0 <= space < info.spaces and owner >= 0:
                rows[owner == seat].append(board.coordinates["y"][space])
        return all(rows.values()) and mean(rows[True]) > mean(rows[False]) + 1

    def _asides(self, sheet: Sheet) -> list[tuple[Handle, list[Mark]]]:
        """The places that lie on the picture of a board, each with what lies there."""
        places = sheet.painting.asides if sheet.painting is not None else ()
        panels = {panel.place: panel for panel in self.found.panels if panel.sort == "place"}
        names = self.play.world.places
        found = []
        for one in places:
            title = plain(str(self.play.words.title(names, names.names.index(one.name), self.language)))
            panel = panels.get(one.name)
            lying: list[Mark] = []
            called: list[str] = []
            for thing, pieces in zip(panel.things, panel.pieces, strict=False) if panel is not None else ():
                mark = HIDDEN if thing.name is None or not pieces else self.artist.piece(self.state, pieces[0])
                lying += [self._without_letter(mark) if self.bare else mark] * thing.count
                hidden = str(self.play.words.fixed("hidden", self.language))
                called += [plain(thing.title) or hidden] * thing.count
            said = _counted(called)
            found.append((Handle(place_id(one.name), f"{title}: {', '.join(said)}" if said else title), lying))
        return found

    def _edges(self, sheet: Sheet, info: BoardInfo) -> list[Handle]:
        if sheet.between is None or info.edges is None:
            return []
        edges = info.edges
        first = (sheet.owner or 0) * edges.spaces
        return [
            Handle(space_id(edges.name, edges.root.names[first + n]), plain(name))
            for n, name in enumerate(sheet.between.names)
        ]


def _counted(names: Iterable[str]) -> list[str]:
    """Like things as one, with their number."""
    return [f"{count} × {name}" if count > 1 else name for name, count in Counter(names).items()]


def _least(sheet: Sheet) -> float:
    """The size of the smallest signs there may be on a board, whatever lies there now, as its picture has sizes."""
    if sheet.boxes:
        return _IN_BOXES
    if sheet.cells is not None:
        return _ON_TILES
    if sheet.painting is None and sheet.board.outline == "circle":
        return _IN_CIRCLES
    lettered = sheet.painting is None and any(mark is not None and mark.text for mark in sheet.ground)
    return _OF_GROUND if lettered else _IN_CELLS


def _signs(sheet: Sheet) -> dict[str, str]:
    """What the signs on a board stand for."""
    return {mark.text: plain(title) for mark, title in sheet.legend}


__all__ = ["Boards"]
