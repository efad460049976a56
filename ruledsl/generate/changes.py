"""What an effect may change, field by field: so that trying it out need not copy the whole state."""

from __future__ import annotations

from typing import Any

from ruledsl.ir import core as C

PIECES = -1  # stands for where pieces are, and all that is kept because of it

_MOVING = frozenset("remove home draw deal swap_pieces swap_contents".split())


class Changes:
    """Finds the slots that procedures write."""

    def __init__(self, program: C.Program, reached: dict[C.Procedure, list[int]]) -> None:
        self.program, self.reached = program, reached
        self._known: dict[C.Procedure, set[int] | None] = {}

    def of(self, procedure: C.Procedure) -> set[int] | None:
        """The slots a procedure may write; none where that cannot be told."""
        if procedure not in self._known:
            self._known[procedure] = set()  # while it is being looked at
            self._known[procedure] = self._find(procedure)
        return self._known[procedure]

    def _find(self, procedure: C.Procedure) -> set[int] | None:
        found = {C.PC, C.ENDED, C.WINNERS}
        found |= self._parameters(procedure)
        for at in self.reached[procedure]:
            block = self.program.blocks[at]
            for op in block.ops:
                slots = self.operation(op)
                if slots is None:
                    return None
                found |= slots
            if isinstance(block.end, C.CallProcedure):
                inner = self.of(block.end.procedure)
                if inner is None:
                    return None
                found |= inner
        return found

    def _parameters(self, procedure: C.Procedure) -> set[int]:
        return {procedure.back, *procedure.parameters} - {-1}

    def operation(self, op: Any) -> set[int] | None:
        """The slots an operation may write: one of each array stands for all of it."""
        match op:
            case C.Put(base=base) | C.PutSeveral(base=base):
                return {base}
            case C.Zero(slots=slots):
                return set(slots)
            case C.Move():
                return self.pieces()
            case C.Act(name=name, data=data):
                if name in _MOVING:
                    return self.pieces()
                match name:
                    case "transfer":
                        return {base for base in data[:2] if base >= 0}
                    case "reveal":
                        return {self.program.spots.known} - {-1}
                    case "copy_start":
                        return set(range(data[0], data[0] + data[1]))
                    case "count_up":
                        return {data[0]}
                    case "advance":
                        return {data[1], data[2]}
                    case "record":
                        return {data[0]}
                    case "mark":
                        return set()
                return None
            case C.Say():
                return set()
        return None

    def pieces(self) -> set[int]:
        """All that moving pieces may change."""
        spots = self.program.spots
        arrays = {spots.at, spots.top, spots.bottom, spots.under, spots.over, spots.members, spots.known}
        arrays |= {spots.slot, spots.turn}
        for board in spots.growing:
            arrays |= {board.tiled, board.frontier}
        return {base for base in arrays if base >= 0} | {PIECES}
