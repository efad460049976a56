"""Tiles that lie on a board, turned, and the parts that meet at their edges."""

from __future__ import annotations

from ruledsl.ir import core as C
from ruledsl.types import NONE, bits

State = list[int]


class Lying:
    """Which parts of tiles are neighbours, as the tiles lie in a state.

    A tile is turned in a few ways only: what each shows where, and where its parts go on, is worked out once for each.
    """

    def __init__(self, tiles: C.Tiles) -> None:
        self.tiles = tiles
        self.levels = tuple(level for level in (tiles.bottom, tiles.top) if level >= 0)
        self.printed = {part: tuple(bits(sides)) for part, sides in enumerate(tiles.sides)}
        # By tile: the part that shows at each of its printed sides, where one does.
        self.shown = {
            piece: {side: part for part in reversed(parts) for side in self.printed[part]}
            for piece, parts in tiles.parts_of.items()
        }
        self._faces: dict[tuple[int, int], tuple[int, ...]] = {}
        self._ways: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}

    def __repr__(self) -> str:
        return repr(self.tiles)

    def facing(self, v: State, piece: int, direction: int) -> int:
        """The part that a tile shows towards a direction."""
        if piece < 0 or direction < 0:
            return NONE
        turn = v[self.tiles.turn + piece]
        faces = self._faces.get((piece, turn))
        return (faces or self._turned(piece, turn))[direction]

    def _turned(self, piece: int, turn: int) -> tuple[int, ...]:
        """By direction, the part that a tile shows when it is turned so."""
        shown = self.shown.get(piece, {})
        faces = tuple(shown.get(ways[-turn % len(ways)], NONE) for ways in self.tiles.turns)
        self._faces[piece, turn] = faces
        return faces

    def neighbors(self, v: State, part: int) -> int:
        """The parts that meet a part at a shared edge."""
        tiles = self.tiles
        if part < 0:
            return 0
        piece = tiles.owner[part]
        space = v[tiles.at + piece] - tiles.first_space
        if not 0 <= space < tiles.spaces:
            return 0
        turn, found = v[tiles.turn + piece], 0
        ways = self._ways.get((part, turn))
        if ways is None:
            ways = self._ways[part, turn] = self._leading(part, turn)
        for direction, back in ways:
            there = tiles.steps[space * tiles.count + direction]
            other = self._tile_on(v, there)
            if other >= 0:
                met = self.facing(v, other, back)
                if met >= 0:
                    found |= 1 << met
        return found

    def _leading(self, part: int, turn: int) -> tuple[tuple[int, int], ...]:
        """Where a part goes on when its tile is turned so: directions, each with that which leads back."""
        tiles = self.tiles
        turns = (tiles.turns[printed] for printed in self.printed[part])
        return tuple((way, tiles.opposite[way]) for way in (ways[turn % len(ways)] for ways in turns))

    def _tile_on(self, v: State, space: int) -> int:
        tiles = self.tiles
        if space < 0:
            return NONE
        spot = tiles.first_space + space
        # A space for one piece has it on top; only those for several have a bottom.
        for lying in self.levels:
            if (piece := v[lying + spot]) in tiles.parts_of:
                return piece
        return NONE
