"""A state of a piece that is rolled where not everybody sees it is known to those only who see it there.

Players who knew a piece, because it was shown or because they could follow it, know its state as long as they can work
out what becomes of it. What chance says, or what a hidden value or another piece has, they cannot work out: so before
such a state is set, the piece is turned face down again, as by `hide`. A state that is set to a word of the rules
(`set: {c.tapped: true}`), to what was chosen openly, or to something that follows from what it was, is still known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ruledsl.ir import core as C
from ruledsl.ir.walk import parts, same
from ruledsl.ir.ways import reached, ways_on

from .world import World

NO_PIECE = C.Const(-1)


def cover_rolled(world: World, blocks: list[C.Block]) -> None:
    """Turns pieces face down where they get a state that not everybody can work out."""
    if world.spots.known < 0:
        return
    states = [f for f in world.layout.fields if f.kind == "state" and f.owner is world.pieces]
    states = [f for f in states if f.base not in world.open_state]
    if not any(True for block in blocks for op in block.ops if _set(op, states)):
        return
    sources = _Sources(world, blocks, states)
    for number, block in enumerate(blocks):
        ops: list[C.Operation] = []
        for op in block.ops:
            if isinstance(op, C.Put | C.PutSeveral) and (piece := _set(op, states)) is not None:
                if number in sources.led or sources.unknown(op.value, piece):
                    ops.append(C.Act("hide", (C.Op("only", (piece,)),), (), op.span))
            ops.append(op)
        block.ops[:] = ops


def _set(op: C.Operation, states: list[C.Field]) -> C.Node | None:
    """The piece of which an operation sets the state."""
    if not isinstance(op, C.Put | C.PutSeveral):
        return None
    for f in states:
        if not f.base <= op.base < f.base + f.count * f.width:
            continue
        if op.index is None or isinstance(op.index, C.Const):
            first = op.base - f.base + (op.index.value if isinstance(op.index, C.Const) else 0)
            return C.Const(first // f.width)
        index = op.index
        return index if f.width == 1 or isinstance(op, C.PutSeveral) else C.Op("divide", (index, C.Const(f.width)))
    return None


class _Sources:
    """What not everybody can know: names that hold what chance said, values that some do not see, other pieces."""

    def __init__(self, world: World, blocks: list[C.Block], states: list[C.Field]) -> None:
        self.states = states
        self.slots = {
            slot for value in world.secrets for slot in range(value.base, value.base + value.count * value.width)
        }
        self.local = {
            slot for f in world.layout.fields if f.kind == "local" for slot in range(f.base, f.base + f.count * f.width)
        }
        self.led: set[int] = set()  # blocks to which only something leads that not everybody knows
        self._follow(blocks)

    def _follow(self, blocks: list[C.Block]) -> None:
        """Names that are given what comes from chance, and blocks to which it leads, in whatever order."""
        given = list(_given(blocks, self.local))
        self.slots |= {
            block.end.variable.slot
            for block in blocks
            if isinstance(block.end, C.Chance) and block.end.variable is not None
        }
        before = (-1, -1)
        while before != (len(self.slots), len(self.led)):
            before = len(self.slots), len(self.led)
            self.slots |= {
                slot
                for number, slot, value in given
                if slot not in self.slots and (number in self.led or self.unknown(value, NO_PIECE))
            }
            for number, block in enumerate(blocks):
                match block.end:
                    case C.Branch(condition=test) | C.Dispatch(index=test) if self.unknown(test, NO_PIECE):
                        self.led |= _led(blocks, number)

    def unknown(self, node: C.Node, piece: C.Node) -> bool:
        """Whether there may be somebody who cannot work out a value; `piece` is the one that gets it."""
        match node:
            case C.Get(slot=slot) if slot in self.slots:
                return True
            case C.Invoke(formula=formula) if formula.body is not None and self.unknown(formula.body, NO_PIECE):
                return True
            case C.Cell(base=base, index=index) | C.Several(base=base, index=index):
                if base in self.slots:
                    return True
                of_piece = any(f.base <= base < f.base + f.count * f.width for f in self.states)
                if of_piece and (index is None or not same(index, piece)):
                    return True
        return any(self.unknown(part, piece) for part in parts(node))


def _given(blocks: list[C.Block], local: set[int]) -> Iterator[tuple[int, int, C.Node]]:
    """What names are given: the number of the block, the slot of the name, the value."""
    for number, block in enumerate(blocks):
        for op in block.ops:
            if isinstance(op, C.Put | C.PutSeveral) and op.base in local:
                yield number, op.base, op.value
        if isinstance(block.end, C.CallProcedure):
            for slot, value in zip(block.end.procedure.parameters, block.end.args, strict=True):
                yield number, slot, value


def _led(blocks: list[C.Block], fork: int) -> set[int]:
    """The blocks that are come to on some ways from a fork and not on all, and all that is called there."""

    def on(at: int) -> list[int]:
        return [] if at == fork else ways_on(blocks[at].end)

    ways = ways_on(blocks[fork].end)
    sides = [set(reached([to], on)) for to in ways]
    common = set.intersection(*sides)
    if not common:
        return set()  # on one side the play is over
    always = _always(sides, common, ways, on)
    found: set[int] = set()
    edge = [to for to in ways if to not in always]
    while edge:
        at = edge.pop()
        if at not in found:
            found.add(at)
            end = blocks[at].end
            edge += [to for to in on(at) if to not in always]
            if isinstance(end, C.CallProcedure):
                edge.append(end.procedure.entry)
    return found


def _always(sides: list[set[int]], common: set[int], ways: list[int], on: Callable[[int], list[int]]) -> set[int]:
    """The blocks that all ways come to, unless the play ends on one side alone; ways end where they came from."""
    there = set[int]().union(*sides)
    behind = {at: {at} if not on(at) and at in common else set(there) for at in there}
    changed = True
    while changed:
        changed = False
        for at in sorted(there, reverse=True):
            if after := on(at):
                met = set.intersection(*(behind[to] for to in after)) | {at}
                if met != behind[at]:
                    behind[at], changed = met, True
    return set.intersection(*(behind[to] for to in ways))


__all__ = ["cover_rolled"]
