"""Tiles that lie on a board, turned, and the parts that meet at their edges."""

from __future__ import annotations

from ruledsl.ir import core as C
from ruledsl.types import NONE, bits

State = list[int]
_NO_PARTS: dict[int, int] = {}


class Lying:
    """Which parts of tiles are neighbours, as the tiles lie in a state."""

    def __init__(self, tiles: C.Tiles) -> None:
        self.tiles = tiles
        self.printed = {part: tuple(bits(sides)) for part, sides in enumerate(tiles.sides)}
        # By tile: the part that shows at each of its printed sides, where one does.
        self.shown = {
            piece: {side: part for part in reversed(parts) for side in self.printed[part]}
            for piece, parts in tiles.parts_of.items()
        }

    def __repr__(self) -> str:
        return repr(self.tiles)

    def facing(self, v: State, piece: int, direction: int) -> int:
        """The part that a tile shows towards a direction."""
        tiles = self.tiles
        if piece < 0 or direction < 0:
            return NONE
        ways = tiles.turns[direction]
        printed = ways[-v[tiles.turn + piece] % len(ways)]
        return self.shown.get(piece, _NO_PARTS).get(printed, NONE)

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
        for printed in self.printed[part]:
            ways = tiles.turns[printed]
            direction = ways[turn % len(ways)]
            there = tiles.steps[space * tiles.count + direction]
            other = self._tile_on(v, there)
            if other >= 0:
                met = self.facing(v, other, tiles.opposite[direction])
                if met >= 0:
                    found |= 1 << met
        return found

    def _tile_on(self, v: State, space: int) -> int:
        tiles = self.tiles
        if space < 0:
            return NONE
        spot = tiles.first_space + space
        # A space for one piece has it on top; only those for several have a bottom.
        for lying in (tiles.bottom, tiles.top):
            if lying >= 0 and (piece := v[lying + spot]) in tiles.parts_of:
                return piece
        return NONE
