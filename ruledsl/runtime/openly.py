"""What the log may name: a piece that was chosen in a hidden hand, and that the rules then move for all to see.

A line of the log is read as its reader knew the pieces before the choice. Whoever sees the chosen piece being moved
knows which one was chosen, but only if the rules leave no doubt that it is the chosen one: so the way from the choice
to the first movement of any piece must be the same whatever was chosen. `draw`, a loop over the whole hand, or a
condition on the way, and nothing is told.
"""

from __future__ import annotations

from ruledsl.ir import core as C

MOST = 64  # blocks on the way


def moved_at_once(program: C.Program, entry: C.Entry) -> int | None:
    """Which of an entry's variables holds the piece that is moved first, for certain; by its number."""
    holding = {variable.slot: number for number, variable in enumerate(entry.variables) if variable.fewest is None}
    at, back = entry.to, []
    for _ in range(MOST):
        block = program.blocks[at]
        for op in block.ops:
            match op:
                case C.Move(pieces=C.Get(slot=slot), form="one"):
                    return holding.get(slot)
                case C.Move() | C.Act():
                    return None
                case C.Put(base=slot, index=None, value=value):
                    _bind(holding, {slot: value})
                case C.Zero(slots=slots):
                    for slot in slots:
                        holding.pop(slot, None)
        match block.end:
            case C.Jump(to=to):
                at = to
            case C.CallProcedure(procedure=procedure, args=args, then=then):
                _bind(holding, dict(zip(procedure.parameters, args, strict=True)))
                back.append(then)
                at = procedure.entry
            case C.Return() if back:
                at = back.pop()
            case _:
                return None
    return None


def _bind(holding: dict[int, int], values: dict[int, C.Node]) -> None:
    """Slots that are given values at once: a copy of a variable holds the same."""
    found = {slot: holding.get(value.slot) if isinstance(value, C.Get) else None for slot, value in values.items()}
    for slot, number in found.items():
        holding.pop(slot, None)
        if number is not None:
            holding[slot] = number
