"""Tiles as pictures show them: found from what the game declares of them, as they lie in a state.

What a tile shows are its parts, each in the look of the first enumeration that such parts have; or else its first
table by direction; or else its first set of directions, as ways. All that is in the file already: a tile needs no
drawing of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.names import BoardInfo
from ruledsl.boards.faces import Area, Cell, Face, printed, turned
from ruledsl.boards.marks import Look, Mark, plain
from ruledsl.ir import core as C
from ruledsl.types import Attribute, Elem, Root, SetOf, TableOf

if TYPE_CHECKING:
    from .picture import _Artist

State = list[int]
_BLANK = Mark(".")
_OWN = ("name", "owner", "holder", "turn")  # attributes that say nothing of what is printed


class Faces:
    """Finds the faces of the tiles of one configured game, in the words of its artist."""

    def __init__(self, artist: _Artist) -> None:
        self.artist, self.world, self.spots = artist, artist.world, artist.spots
        self._printed: dict[int, Face] = {}
        self._turned: dict[tuple[int, int], Face] = {}
        self._grounds: dict[tuple[str, int], tuple[Mark, str]] = {}  # what printed signs stand for
        self._signs: dict[tuple[str, int], tuple[Mark, str]] = {}
        self._parts: dict[int, list[int]] = {}  # by tile: the parts that are the areas of its face, in their order

    def board_of(self, kind: Any) -> Any:
        return next(board for board in self.world.boards if board.name == kind.tile)

    def printed(self, piece: int) -> Face:
        """A tile as it is when it is not turned."""
        if piece not in self._printed:
            self._printed[piece] = self._make(piece)
        return self._printed[piece]

    def lying(self, v: State, piece: int) -> Face:
        """A tile as it lies in a state."""
        turn = v[self.spots.turn + piece]
        if (piece, turn) not in self._turned:
            count = len(self.board_of(self.artist.kind_of[piece]).board.sides)
            self._turned[piece, turn] = turned(self.printed(piece), turn % count, count)
        return self._turned[piece, turn]

    def area_of(self, piece: int, spot: int) -> int:
        """Which area of the face of a tile a part of it is; -1 if it is none."""
        self.printed(piece)
        drawn = self._parts.get(piece, [])
        return drawn.index(spot) if spot in drawn else -1

    # ------------------------------------------------------------------------------------------- what is printed

    def _make(self, piece: int) -> Face:
        kind = self.artist.kind_of[piece]
        sides = [self.world.directions.names.index(d) for d in self.board_of(kind).board.sides]
        v: State = list(self.artist.blank)
        areas = list(self._of_parts(v, piece, kind, sides) or self._of_edges(v, piece, sides))
        areas = areas or list(self._of_ways(v, piece, sides))
        shown = {side for area in areas for side in area.sides}
        areas += [Area((side,), _BLANK) for side in range(len(sides)) if side not in shown]
        return Face(tuple(areas), self._sign(v, piece))

    def _of_parts(self, v: State, piece: int, kind: Any, sides: list[int]) -> list[Area]:
        """The parts of a tile, of the first sort of parts that have an enumeration; else of the first sort."""
        for part in sorted(kind.parts, key=lambda part: not any(self._enumerations(part.root))):
            own = [number for number, tile in enumerate(part.owner) if tile == piece]
            if not own:
                continue
            self._parts[piece] = [part.first_spot + number for number in own]
            looks = [self._look(v, part.root, number) for number in own]
            masks = [part.sides[number] for number in own]
            return [
                Area(tuple(i for i, d in enumerate(sides) if mask >> d & 1), look)
                for mask, look in zip(masks, looks, strict=True)
            ]
        return []

    def _enumerations(self, root: Root) -> Iterator[Attribute]:
        for name, found in root.attributes.items():
            yield from (
                a for a in found if name not in _OWN and isinstance(a.type, Elem) and a.type.root.kind == "enum"
            )

    def _look(self, v: State, root: Root, number: int) -> Mark:
        """A ground in the look of the first enumeration that it has."""
        for attribute in self._enumerations(root):
            value = self.artist.read(v, attribute, number)
            if value >= 0 and isinstance(attribute.type, Elem):
                return self._ground(attribute.type.root, value)
        return _BLANK

    def _ground(self, root: Root, value: int) -> Mark:
        """Small letters, so that ground is never taken for a piece."""
        mark = self.artist.member(root, value)
        mark = Mark(mark.text.lower(), mark.colour)
        self._grounds[root.name, value] = (mark, self.artist.titled_member(root, value))
        return mark

    def _of_edges(self, v: State, piece: int, sides: list[int]) -> Iterator[Area]:
        """What a table by direction says of each side."""
        for attribute in self._own(piece):
            kind = attribute.type
            if not isinstance(kind, TableOf) or not isinstance(kind.item, Elem) or kind.item.root.kind != "enum":
                continue
            (key,) = kind.keys
            if not isinstance(key, Elem) or key.root is not self.world.directions:
                continue
            handle = attribute.build(C.Const(piece), None)
            for number, d in enumerate(sides):
                typed = self.world.look_up(handle, C.Const(d), kind.keys, kind.item, self.world.span)
                value = self.artist.machine.evaluator.of(typed.node)(v)
                yield Area((number,), self._ground(kind.item.root, value) if value >= 0 else _BLANK)
            return

    def _of_ways(self, v: State, piece: int, sides: list[int]) -> Iterator[Area]:
        """A set of sides, as ways that meet in the middle."""
        for attribute in self._own(piece):
            kind = attribute.type
            if isinstance(kind, SetOf) and isinstance(kind.of, Elem) and kind.of.root is self.world.directions:
                mask = self.artist.machine.evaluator.of(attribute.build(C.Const(piece), None))(v)
                if any(mask >> d & 1 for d in sides):
                    ways = tuple(number for number, d in enumerate(sides) if mask >> d & 1)
                    yield Area(ways, self._way(attribute.name), way=True)
                    return

    def _way(self, name: str) -> Mark:
        look = self.world.looks.get(name, Look())
        return Mark(plain(look.sign(self.artist.language)) or "#", look.color or "grey")

    def _own(self, piece: int) -> Iterator[Attribute]:
        for name, found in self.world.pieces.attributes.items():
            yield from (a for a in found if a.mask >> piece & 1 and name not in _OWN)

    def _sign(self, v: State, piece: int) -> Mark | None:
        """What is printed on the tile besides its ground: the first enumeration of its own."""
        for attribute in self._own(piece):
            if isinstance(attribute.type, Elem) and attribute.type.root.kind == "enum" and attribute.origin is not None:
                value = self.artist.read(v, attribute, piece)
                if value >= 0 and self._is_in_play(attribute.type.root, value):
                    mark = self.artist.member(attribute.type.root, value)
                    root = attribute.type.root
                    self._signs[root.name, value] = (mark, self.artist.titled_member(root, value))
                    return mark
        return None

    def _is_in_play(self, root: Root, value: int) -> bool:
        """Whether a word means anything in this play: not if an option chooses among such words and left it out."""
        sets = [(kind.of, chosen) for kind, chosen in self.world.options.values() if isinstance(kind, SetOf)]
        return all(chosen >> value & 1 for of, chosen in sets if isinstance(of, Elem) and of.root is root)

    # -------------------------------------------------------------------------------------------- what lies there

    def cells(self, v: State, info: BoardInfo, shown: dict[str, Any] | None) -> list[Cell | None]:
        """What is on every space of a board of tiles; `shown` is the board as a view has it."""
        found: list[Cell | None] = [None] * info.root.size
        used, tells = self.artist.used(v, info), self.artist.tells(info)
        for space in range(info.root.size) if tells else used:
            value = self.artist.value(v, info, space) if tells else None
            if space not in used:
                found[space] = Cell(None, value=value) if value is not None else None
                continue
            known = None if shown is None else shown.get(info.root.names[space], [])
            lying = self.artist.lying(v, info.first_spot + space, known)
            tile = next((p for p in lying if p >= 0 and self.artist.kind_of[p].tile == info.name), None)
            others = [p for p in lying if p != tile]
            face = self._with_pieces(v, tile, shown) if tile is not None else None
            marks = tuple(self.artist.marked(v, others))
            found[space] = Cell(face, marks, value) if face or marks or value is not None else None
        return found

    def legend(
        self,
        v: State,
        info: BoardInfo,
        cells: Iterable[Cell | None],
        shown: dict[str, Any] | None,
        lying: Collection[Any] = (),
    ) -> Iterator[tuple[Mark, str]]:
        """The grounds of a board of tiles, and the signs on it or on tiles that lie elsewhere, with their titles."""
        beside = set()
        for kind in self.world.kinds:
            for piece in range(kind.first, kind.first + kind.count) if kind.tile == info.name else ():
                face = self.printed(piece)
                if face.sign is not None and self.world.data["public_names"][piece] in lying:
                    beside.add(face.sign)
        yield from (self._grounds[key] for key in sorted(self._grounds))
        seen = {sign for cell in cells if cell is not None and (sign := printed(cell)) is not None}
        seen |= beside
        yield from (known for _, known in sorted(self._signs.items()) if known[0] in seen)
        yield from self._told(v, info)
        for piece in range(self.world.pieces.size):
            space = v[self.spots.at + piece] - info.first_spot
            if not 0 <= space < info.root.size:
                space = self._space_of_part(v, piece, info)
            if space < 0 or self.artist.kind_of[piece].tile == info.name:
                continue
            name = str(self.world.data["public_names"][piece])
            if shown is None or any(name in lying for lying in shown.values()):
                yield replace(self.artist.piece(v, piece), bold=True), self.artist.titled(v, piece)

    def _space_of_part(self, v: State, piece: int, info: BoardInfo) -> int:
        """The space of the tile on a part of which a piece stands, or -1."""
        spot = v[self.spots.at + piece]
        for part in self.world.parts:
            if part.kind.tile == info.name and 0 <= spot - part.first_spot < part.root.size:
                space = v[self.spots.at + part.owner[spot - part.first_spot]] - info.first_spot
                return space if 0 <= space < info.root.size else -1
        return -1

    def _told(self, v: State, info: BoardInfo) -> Iterator[tuple[Mark, str]]:
        """What the spaces themselves tell by a member of an enumeration."""
        for field in self.artist.machine.program.layout.fields:
            if field.kind == "state" and field.owner is info.root and isinstance(field.type, Elem):
                root = field.type.root
                for value in sorted({v[field.base + space] for space in range(info.root.size)}):
                    if value >= 0 and root.kind == "enum" and field.width == 1:
                        yield (
                            replace(self.artist.member(root, value), bold=True),
                            self.artist.titled_member(root, value),
                        )
                return

    def _with_pieces(self, v: State, tile: int, shown: dict[str, Any] | None) -> Face:
        """A tile as it lies, with what stands on its areas; what stands on other sorts of parts is in the middle."""
        face = self.lying(v, tile)
        drawn = self._parts.get(tile, [])
        areas = list(face.areas)
        for number, spot in enumerate(drawn):
            if standing := tuple(self._standing(v, spot, shown)):
                areas[number] = replace(areas[number], pieces=standing)
        rest: list[Mark] = []
        for part in self.artist.kind_of[tile].parts:
            spots = (part.first_spot + n for n, owner in enumerate(part.owner) if owner == tile)
            rest += [mark for spot in spots if spot not in drawn for mark in self._standing(v, spot, shown)]
        if rest:
            areas.append(Area((), _BLANK, tuple(rest)))
        return replace(face, areas=tuple(areas))

    def _standing(self, v: State, spot: int, shown: dict[str, Any] | None) -> Iterable[Mark]:
        known = None
        if shown is not None:
            part = next(p for p in self.world.parts if 0 <= spot - p.first_spot < p.root.size)
            known = shown.get(part.root.names[spot - part.first_spot], [])
        return self.artist.marked(v, self.artist.lying(v, spot, known))


__all__ = ["Faces"]
