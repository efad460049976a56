"""What an effect may change, field by field: so that trying it out need not copy the whole state."""

from __future__ import annotations

from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.once import once
from ruledsl.ir.ops import ACTS, KNOWN, PLACES, STATE, looks_at
from ruledsl.ir.walk import parts

PIECES = -1  # stands for where pieces are, and all that is kept because of it


class Changes:
    """Finds the slots that procedures write."""

    def __init__(self, program: C.Program, reached: dict[C.Procedure, list[int]]) -> None:
        self.program, self.reached = program, reached

    @once(meanwhile=frozenset())
    def of(self, procedure: C.Procedure) -> set[int] | None:
        """The slots a procedure may write; none where that cannot be told."""
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

    @once(meanwhile=False)
    def may_finish(self, procedure: C.Procedure) -> bool:
        """Whether a procedure, or one that it calls, may end the play."""
        ends = [self.program.blocks[at].end for at in self.reached[procedure]]
        called = [end.procedure for end in ends if isinstance(end, C.CallProcedure)]
        return any(isinstance(end, C.Finish) for end in ends) or any(map(self.may_finish, called))

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
                row, spots = ACTS[name], self.program.spots
                if row.changes == PLACES:
                    return self.pieces()
                return set(row.slots(data)) | ({spots.known} - {-1} if row.changes == KNOWN else set())
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


class Reads:
    """Finds what expressions look at: slots (one stands for all of an array), and PIECES."""

    def __init__(self, program: C.Program, reached: dict[C.Procedure, list[int]]) -> None:
        self.program, self.reached = program, reached

    @once(meanwhile=frozenset())
    def of(self, node: Any) -> set[int] | None:
        """What an expression or operation looks at; none where that cannot be told."""
        found: set[int] = set()
        more: list[Any] = list(parts(node))
        match node:
            case C.Get(slot=slot):
                if slot >= 0:
                    found.add(slot)
            case C.Cell(base=base) | C.Several(base=base):
                found.add(base)
            case C.Invoke(formula=formula):
                more.append(formula.body)
            case C.Would(procedure=procedure):
                run, waiting = {procedure}, [procedure]
                while waiting:
                    one = waiting.pop()
                    if one not in self.reached:
                        return None
                    for at in self.reached[one]:
                        block = self.program.blocks[at]
                        more += [*block.ops, block.end]
                        if isinstance(block.end, C.CallProcedure) and block.end.procedure not in run:
                            run.add(block.end.procedure)
                            waiting.append(block.end.procedure)
                found.add(PIECES)  # effects move pieces
            case C.Possible():
                return None
            case C.Primitive():
                where = looks_at(node)
                if where == STATE:
                    return None
                if where == PLACES:
                    found.add(PIECES)
            case C.Move() | C.Act():
                found.add(PIECES)
        for part in more:
            inner = self.of(part)
            if inner is None:
                return None
            found |= inner
        return found
