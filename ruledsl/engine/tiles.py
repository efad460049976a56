"""Tiles that lie on a board, turned, and the parts that meet at their edges."""

from __future__ import annotations

from typing import Any

from ruledsl.types import NONE, bits

State = list[int]


class Tiles:
    """Which parts of tiles are neighbours, as the tiles lie in a state."""

    def __init__(
        self,
        geometry: Any,
        first_part: int,
        owner: list[int],
        sides: list[int],
        at: int,
        turn: int,
        first_space: int,
        turns: tuple[tuple[int, ...], ...],
        opposite: tuple[int, ...],
        top: int,
        bottom: int,
    ) -> None:
        self.steps, self.count = geometry.steps, geometry.count
        self.first_part, self.owner, self.sides = first_part, owner, sides
        self.at, self.turn, self.first_space = at, turn, first_space
        self.turns, self.opposite = turns, opposite
        self.spaces = len(geometry.near)
        self.parts_of: dict[int, list[int]] = {}
        for part, piece in enumerate(owner):
            self.parts_of.setdefault(piece, []).append(part)
        self.top, self.bottom = top, bottom  # the arrays of what lies on top of a spot, and at its bottom

    def __repr__(self) -> str:
        """For the dump of a program: how many parts, of how many tiles, and the spot of the first."""
        return f"{len(self.owner)} parts of {len(self.parts_of)} tiles from spot {self.first_part}"

    def facing(self, v: State, piece: int, direction: int) -> int:
        """The part that a tile shows towards a direction."""
        if piece < 0 or direction < 0:
            return NONE
        ways = self.turns[direction]
        printed = ways[-v[self.turn + piece] % len(ways)]
        return next((part for part in self.parts_of.get(piece, ()) if self.sides[part] >> printed & 1), NONE)

    def neighbors(self, v: State, part: int) -> int:
        """The parts that meet a part at a shared edge."""
        if part < 0:
            return 0
        piece = self.owner[part]
        space = v[self.at + piece] - self.first_space
        if not 0 <= space < self.spaces:
            return 0
        turn, found = v[self.turn + piece], 0
        for printed in bits(self.sides[part]):
            direction = self.turns[printed][turn % len(self.turns[printed])]
            there = self.steps[space * self.count + direction]
            other = self._tile_on(v, there)
            if other >= 0:
                met = self.facing(v, other, self.opposite[direction])
                if met >= 0:
                    found |= 1 << met
        return found

    def _tile_on(self, v: State, space: int) -> int:
        if space < 0:
            return NONE
        spot = self.first_space + space
        # A space for one piece has it on top; only those for several have a bottom.
        for lying in (self.bottom, self.top):
            if lying >= 0 and (piece := v[lying + spot]) in self.parts_of:
                return piece
        return NONE
