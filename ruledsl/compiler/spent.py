"""What a condition saw may be spent by an action at any time before it is paid: found by following the program.

A cost is checked where something is offered. If its player is asked again before it is paid, and an action at any time
that may be taken there changes the same tokens or the same number, the rules may end in a fault. Between the two no
other condition has looked at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ruledsl.generate.changes import Reads
from ruledsl.ir import core as C
from ruledsl.ir.ways import reached, successors
from ruledsl.records import dataclass
from ruledsl.source.text import Span

Place = tuple[int, tuple[int, ...]]  # a block, and the blocks to which the calls around it lead back
MOST_PLACES = 20_000


@dataclass(frozen=True)
class Spent:
    """A payment that may find nothing left: where it stands, and the action that may have taken it."""

    span: Span
    action: str
    name: str  # of the tokens or the value


@dataclass(frozen=True)
class _Take:
    """Something becomes less: the array, whether too little is a fault, and by how much, where that is certain."""

    array: int
    faults: bool
    amount: int | None


@dataclass(frozen=True)
class _Known:
    """What is known of arrays of the state where a block begins."""

    checked: frozenset[int] = frozenset()  # a condition has looked at them
    # What an action at any time may have taken from since: the array, the action, and how much it leaves at least.
    stale: frozenset[tuple[int, str, int]] = frozenset()
    deep: int = 0  # in how much that somebody chose play stands at least

    def joined(self, other: _Known) -> _Known:
        return _Known(self.checked | other.checked, self.stale | other.stale, min(self.deep, other.deep))

    def seen(self, arrays: set[int] | None) -> _Known:
        """A condition looks at arrays; none where it may have looked at anything."""
        if arrays is None:
            return replace(self, stale=frozenset())
        left = frozenset(s for s in self.stale if s[0] not in arrays)
        return replace(self, checked=self.checked | arrays, stale=left)


def spent(program: C.Program) -> Iterator[Spent]:
    """Payments that an action at any time may have made impossible."""
    if any(entry.anytime is not None for choice in _choices(program) for entry in choice.entries):
        yield from _Follower(program).found()


def _choices(program: C.Program) -> Iterator[C.Choice]:
    yield from (block.end for block in program.blocks if isinstance(block.end, C.Choice))


class _Follower:
    def __init__(self, program: C.Program) -> None:
        self.program = program
        blocks = {p: reached([p.entry], lambda at: successors(program.blocks[at].end)) for p in program.procedures}
        self.reads = Reads(program, blocks)
        self.fields = {
            slot: field
            for field in program.layout.fields
            if field.kind not in ("local", "header", "counter")
            for slot in range(field.base, field.base + field.count * field.width)
        }
        self.calls: dict[C.Procedure, list[int]] = {}  # where calls of each lead back to
        for block in program.blocks:
            if isinstance(block.end, C.CallProcedure):
                self.calls.setdefault(block.end.procedure, []).append(block.end.then)
        self.exact = True  # whether it is remembered from where a procedure was called
        self.deep = program.layout.base("chosen")

    def found(self) -> Iterator[Spent]:
        start: Place = (self.program.start, ())
        known, waiting, told = {start: _Known()}, [start], dict[Span, Spent]()
        while waiting:
            at, back = waiting.pop()
            here = known[at, back]
            for op in self.program.blocks[at].ops:
                if self._next_turn(op):
                    here = _Known(deep=here.deep)
                if isinstance(op, C.Put) and op.base == self.deep and isinstance(op.value, C.Op):
                    here = replace(here, deep=max(0, here.deep + (1 if op.value.name == "add" else -1)))
                for one in self._unpaid(op, here):
                    told.setdefault(one.span, one)
            for place, after in self._on(self.program.blocks[at].end, here, back):
                before = known.get(place)
                joined = after if before is None else before.joined(after)
                if joined != before:
                    known[place] = joined
                    waiting.append(place)
            if len(known) > MOST_PLACES and self.exact:  # too many ways to be called: they are taken together
                self.exact = False
                yield from self.found()
                return
        yield from told.values()

    def _on(self, end: Any, here: _Known, back: tuple[int, ...]) -> Iterator[tuple[Place, _Known]]:
        match end:
            case C.CallProcedure(procedure=procedure, then=then):
                yield (procedure.entry, (*back, then) if self.exact else ()), here
            case C.Return(procedure=procedure):
                if back:
                    yield (back[-1], back[:-1]), here
                elif not self.exact:
                    yield from (((to, ()), here) for to in self.calls.get(procedure, ()))
            case C.Branch(condition=condition, then=then, otherwise=otherwise):
                seen = here.seen(self._arrays(condition))
                yield (then, back), seen
                yield (otherwise, back), seen
            case C.Choice():
                yield from (((to, back), known) for to, known in self._chosen(end, here))
            case C.Together(body=body, then=then):
                yield (body, back), here
                yield (then, back), here
            case _:
                yield from (((to, back), here) for to in successors(end))

    def _chosen(self, choice: C.Choice, here: _Known) -> Iterator[tuple[int, _Known]]:
        """An entry is taken, perhaps after actions at any time; its conditions were asked after those."""
        free = [e for e in choice.entries if e.anytime is not None and not (here.deep and self._waits(e))]
        stale = {
            (array, entry.name, left)
            for entry in free
            for array, left in self._spends(entry, choice).items()
            if array in here.checked
        }
        later = replace(here, stale=here.stale | stale)
        for entry in choice.entries:
            if entry.anytime is not None and entry not in free:
                continue
            asked: list[Any] = [*entry.when, *entry.where, entry.so_far]
            for variable in entry.variables:
                asked += [*variable.each.domain, variable.where, variable.fewest, variable.most]
            known = here if entry.anytime is not None else later
            for node in (part for part in asked if part is not None):
                known = known.seen(self._arrays(node))
            yield entry.to, known
        for to in (choice.stuck, choice.stop.to if choice.stop is not None else -1):
            if to >= 0:
                yield to, later

    def _waits(self, entry: C.Entry) -> bool:
        """Whether an action at any time waits for the end of what was chosen."""
        return self.deep is not None and self.deep in (self.reads.of(entry.anytime) or ())

    def _spends(self, entry: C.Entry, choice: C.Choice) -> dict[int, int]:
        """What an action at any time may make less of, up to where the choice is asked again, and what it leaves."""

        def ahead(at: int) -> list[int]:
            end = self.program.blocks[at].end
            called = [end.procedure.entry] if isinstance(end, C.CallProcedure) else []
            return [to for to in [*successors(end), *called] if to != choice.block]

        blocks = [self.program.blocks[at] for at in reached([entry.to], ahead)]
        found: dict[int, int] = {}
        for take in (take for block in blocks for op in block.ops for take in self._takes(op)):
            known = take.amount is not None and take.array not in found
            found[take.array] = max(0, self._least(entry, take.array) - (take.amount or 0)) if known else 0
        return found

    def _least(self, entry: C.Entry, array: int) -> int:
        """How much there is at least, by the conditions of an entry, before it is taken."""
        most = 0
        for condition in (part for node in entry.when for part in (node.args if isinstance(node, C.Both) else (node,))):
            match condition:
                case C.Op(name="greater" | "at_least" as name, args=(C.Cell(base=base), C.Const(value=value))):
                    if self._array(base) == array:
                        most = max(most, value + (name == "greater"))
        return most

    def _takes(self, op: Any) -> Iterator[_Take]:
        """The arrays that an operation takes from."""
        match op:
            case C.Act(name="transfer", data=(source, _, _, short)) if source >= 0:
                yield _Take(self._array(source), short != "clip", None)
            case C.Put(base=base, value=C.Fit(of=C.Op(name="subtract", args=(_, amount)))):
                yield _Take(self._array(base), True, amount.value if isinstance(amount, C.Const) else None)

    def _unpaid(self, op: Any, here: _Known) -> Iterator[Spent]:
        for take in self._takes(op):
            actions = sorted(
                action
                for stale, action, left in here.stale
                if stale == take.array and (take.amount is None or left < take.amount)
            )
            span = op.span or (op.value.span if isinstance(op, C.Put) and isinstance(op.value, C.Fit) else None)
            if take.faults and actions and span is not None:
                yield Spent(span, actions[0], self.fields[take.array].name)

    def _next_turn(self, op: Any) -> bool:
        return (isinstance(op, C.Act) and op.name == "advance") or (isinstance(op, C.Put) and op.base == C.TURN_PLAYER)

    def _array(self, slot: int) -> int:
        field = self.fields.get(slot)
        return field.base if field is not None else slot

    def _arrays(self, node: Any) -> set[int] | None:
        found = self.reads.of(node)
        return None if found is None else {self._array(slot) for slot in found}
