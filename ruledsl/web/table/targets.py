"""What a person can take hold of on the page, and what of it each option is about.

An id names what is seen, never what it is: `s:board:e4` a space, `t:land:0,1:2` the third area of the tile there,
`p:hand anna:2` the third thing of a place, `p:hand anna:?2` the second hidden one, `a:deck` a place,
`k:supply.gems::ruby` tokens of a sort, `u:anna` a player. So ids tell no more than the page shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ruledsl.boards.marks import plain
from ruledsl.bots.laid import Handed
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.knowing import Watched
from ruledsl.runtime.picture import artist_of, drawn_as_tiles
from ruledsl.runtime.play import Option, Play
from ruledsl.runtime.table import Panel, Thing
from ruledsl.types import BagOf, Elem, ListOf, Root, SetOf, bits


def space_id(board: str, space: str) -> str:
    return f"s:{board}:{space}"


def place_id(place: str) -> str:
    return f"a:{place}"


def thing_id(place: str, number: int) -> str:
    return f"p:{place}:{number}"


def hidden_id(place: str, number: int) -> str:
    return f"p:{place}:?{number}"


def token_id(panel: Panel, word: str) -> str:
    return f"k:{panel.name}:{'' if panel.seat is None else panel.seat}:{word}"


def player_id(name: str) -> str:
    return f"u:{name}"


def painted(play: Play) -> set[str]:
    """The places that lie on the picture of a board."""
    paintings = play.world.data.get("paintings", {})
    return {one.name for painting in paintings.values() for one in painting.asides}


def _alone(thing: Thing, pieces: Sequence[int]) -> bool:
    """Whether a thing is told apart by where it lies; hidden ones in no order have numbers of their own."""
    return thing.name is not None or len(pieces) == 1


class Targets:
    """Finds the ids of one table: of its panels, and of the state they were made of."""

    def __init__(
        self, play: Play, seat: int | None, panels: Sequence[Panel], state: list[int], language: str = "en"
    ) -> None:
        self.play, self.seat, self.state, self.language = play, seat, state, language
        self.world, self.spots = play.world, play.machine.program.spots
        self.parts: dict[str, dict[str, tuple[str, int]]] = {}  # by space: those asked for, with title and area
        self.own_tokens = self._tokens(panels, (seat,))
        self.tokens = self._tokens(panels, (None, seat))
        self.common_tokens = {place: word for word, place in self.tokens.items()}
        self._asks_own: dict[int, bool] = {}  # by the slot of what is asked for
        self.painted = painted(play)
        self.shown = {panel.place for panel in panels if panel.sort == "place"} | self.painted
        self.things = {
            piece: place_id(panel.place) if panel.place in self.painted else thing_id(panel.place, number)
            for panel in panels
            for number, (thing, pieces) in enumerate(zip(panel.things, panel.pieces, strict=False))
            if _alone(thing, pieces)
            for piece in pieces
        }
        self.named = self._named(panels)

    def _tokens(self, panels: Sequence[Panel], owners: Sequence[int | None]) -> dict[str, str]:
        """The tokens of each sort: of the first of these owners who have some. None stands for nobody."""
        found: dict[str, str] = {}
        for owner in owners:
            for panel in panels:
                if panel.seat == owner and panel.tokens is not None:
                    for word, _ in panel.tokens.counts:
                        found.setdefault(word, token_id(panel, word))
        return found

    def _named(self, panels: Sequence[Panel]) -> dict[tuple[Any, int], str]:
        """What lies there for all, by the rows of tables that it is named after: one buys `a Penny`, not a piece."""
        artist = artist_of(self.play, "en")  # what has which name is the same in every language
        named = self.world.pieces.attributes.get("name", ())
        rows = [(a, a.type.root) for a in named if isinstance(a.type, Elem)]
        found: dict[tuple[Any, int], str] = {}
        for panel in panels:
            if panel.seat is not None or not panel.place:
                continue
            for number, (thing, pieces) in enumerate(zip(panel.things, panel.pieces, strict=False)):
                if thing.name is None or not pieces:
                    continue
                for a, root in rows:
                    if a.mask >> pieces[0] & 1:
                        value = artist.read(self.state, a, pieces[0])
                        found.setdefault((root, value), thing_id(panel.place, number))
        return found

    def of(self, option: Option, choice: C.Choice) -> list[str]:
        """What an option is about, in the order of its steps."""
        if option.raw[0] < 0:
            return []
        entry = choice.entries[option.raw[0]]
        variables = {variable.name: variable for variable in entry.variables}
        found = []
        for name, value in option.values.items():
            place = self._id(variables[name].type, value)
            if place in self.common_tokens and self._is_of_own(variables[name]):
                place = self.own_tokens.get(self.common_tokens[place], place)
            found.append(place)
        return list(dict.fromkeys(one for one in found if one))

    def _is_of_own(self, variable: C.Variable) -> bool:
        """Whether what is asked for is chosen by the tokens that the seat has, and not by those in the middle."""
        if variable.slot not in self._asks_own:
            seen: set[int] = set()
            v = Watched(self.state, seen)
            nodes: list[C.Node] = [*variable.each.domain, *((variable.where,) if variable.where is not None else ())]
            for node in nodes:
                try:
                    self.play.words.knowing.asking.of(node)(v)
                except RulesFault:
                    continue
            mine = common = False
            for pool in self.world.pools:
                for _, base, root in pool.holders.values():
                    own = base + (self.seat or 0) * pool.size if root is self.world.players else base
                    found = not seen.isdisjoint(range(own, own + pool.size))
                    mine, common = mine or (found and root is not None), common or (found and root is None)
            self._asks_own[variable.slot] = mine and not common
        return self._asks_own[variable.slot]

    def handing(self, places: list[str], handed: Sequence[Handed]) -> list[str]:
        """What an option is about, given what changes hands by it: tokens that the seat gives away are its own, and
        where some are put on one space, or all of one are taken, that is meant, too."""
        mine = [h for h in handed if h.root is self.world.players and h.holder == self.seat]
        put = {h.word for h in handed if h.root is not self.world.players and h.by > 0}
        given = {h.word for h in mine if h.by < 0 or h.word in put}  # who puts one may get more of them for it
        own = {self.tokens[word]: self.own_tokens[word] for word in given if word in self.own_tokens}
        found = [own.get(place, place) for place in places]
        spaces = {self._space(h.root, h.holder) for h in handed if h.root is not None and h.root.kind == "space"}
        if len(spaces) == 1 and not any(place.startswith("s:") for place in found):
            found = [*(space for space in spaces if space), *found]
        return found

    def chosen(self, kind: Any, value: Any) -> list[str]:
        """Where what was chosen already is: one thing, or each of several."""
        several: Iterable[int] = [value]
        if isinstance(kind, SetOf):
            several = bits(value)
        elif isinstance(kind, BagOf):
            several = [sort for sort, count in enumerate(value) if count]
        elif isinstance(kind, ListOf):
            several = value
        return list(dict.fromkeys(found for one in several if (found := self._id(kind, one))))

    def _id(self, kind: Any, value: Any) -> str:
        inner = kind.of if isinstance(kind, SetOf | ListOf) else kind  # of a bag, too, one is chosen at a time
        if not isinstance(inner, Elem | BagOf) or not isinstance(value, int) or value < 0:
            return ""
        root = inner.root
        match root.kind:
            case "piece":
                return self.piece(value)
            case "space":
                return self._space(root, value)
            case "part":
                return self._part(root, value) or self._on_part(root, value)
            case "place":
                name = root.names[value]
                return place_id(name) if name in self.shown else ""
            case "enum":
                return self.tokens.get(root.names[value], "") or self.named.get((root, value), "")
        return player_id(root.names[value]) if root is self.world.players else ""

    def piece(self, piece: int) -> str:
        """Where a piece is: a space, or the thing of a place that it is, as the seat sees it."""
        spot = self.state[self.spots.at + piece]
        if found := self._on_board(spot):
            return found
        if piece in self.things:
            return self.things[piece]
        place = self.world.places.names[spot - self.spots.first_place] if spot >= self.spots.first_place else ""
        if place in self.shown and not self.play.viewer.knows(self.state, piece, self.seat):
            return hidden_id(place, self.hidden_number(piece))
        return ""

    def _on_board(self, spot: int) -> str:
        """A spot by the space that it is, or on which the tile lies that it is a part of."""
        for board in self.world.boards:
            if 0 <= spot - board.first_spot < board.root.size:
                return space_id(board.name, board.root.names[spot - board.first_spot])
        for part in self.world.parts:
            if 0 <= spot - part.first_spot < part.root.size:
                return self._on_part(part.root, spot - part.first_spot)
        return ""

    def spot(self, spot: int) -> str:
        """Where a piece would be: a space, or a place that is shown."""
        if spot < self.spots.first_place:
            return self._on_board(spot)
        name = self.world.places.names[spot - self.spots.first_place]
        return place_id(name) if name in self.shown else ""

    def hidden_number(self, piece: int) -> int:
        """The number of a hidden piece among those of its place, as options call it."""
        pieces = self.world.pieces
        name = self.play.words.name(piece, Elem(pieces, pieces.everything), "id", (self.state, self.seat))
        number = name.rpartition("_")[2]
        return int(number) if number.isdecimal() else 0

    def _space(self, root: Root, number: int) -> str:
        board = next((board for board in self.world.boards if board.root is root), None)
        return space_id(board.name, root.names[number]) if board is not None else ""

    def _on_part(self, root: Root, number: int) -> str:
        """Parts of tiles by the space on which the tile lies."""
        part = next(part for part in self.world.parts if part.root is root)
        return self.piece(part.owner[number])

    def _part(self, root: Root, number: int) -> str:
        """A part of a tile by itself, where it is drawn as an area of a tile that lies on a board."""
        part = next(part for part in self.world.parts if part.root is root)
        space, artist = self._on_part(root, number), artist_of(self.play, self.language)
        board = next((b for b in self.world.boards if b.name == artist.kind_of[part.owner[number]].tile), None)
        if board is None or not drawn_as_tiles(board) or not space.startswith("s:"):
            return ""
        area = artist.faces.area_of(part.owner[number], part.first_spot + number)
        if area < 0:
            return ""
        name, seen = f"t{space[1:]}:{area}", (self.state, self.seat)
        title = self.play.words.name(number, Elem(root, root.everything), self.language, seen)
        self.parts.setdefault(space, {})[name] = (plain(title), area)
        return name

    def told_apart(self, places: dict[int, list[str]]) -> dict[int, list[str]]:
        """The same, with parts of tiles only where several of one tile could be meant: else the tile says it."""
        asked = {place for one in places.values() for place in one}
        for space, parts in list(self.parts.items()):
            if len(asked.intersection(parts)) == 1:
                for index, one in places.items():
                    places[index] = [space if place in parts else place for place in one]
                del self.parts[space]
        return places

    def ways(self, places: list[str]) -> list[list[str]]:
        """Another way to point at a part of a tile: first at the tile."""
        spaces = {name: space for space, parts in self.parts.items() for name in parts}
        found = [one for name in places for one in ([spaces[name], name] if name in spaces else [name])]
        return [found] if len(found) > len(places) else []

    def hidden(self, pieces: Sequence[int], place: str) -> Iterator[str]:
        """The ids of hidden pieces, in the order of their numbers."""
        yield from (hidden_id(place, number) for number in sorted(map(self.hidden_number, pieces)))


__all__ = ["Targets", "hidden_id", "painted", "place_id", "player_id", "space_id", "thing_id", "token_id"]
