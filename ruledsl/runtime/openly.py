"""What becomes of what was chosen, read off the rules: whether it is surely what is moved or shown next, where play may
stop while the rules still speak of it, and which hidden values it goes into.

Whoever sees a piece being moved right after a choice knows which one was chosen, but only if the rules leave no doubt:
on every way from the choice nothing else may be moved or shown before it. `draw` on the way, a loop over the whole
hand, a condition that moves another piece instead, and nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from ruledsl.ir import core as C
from ruledsl.ir.walk import parts
from ruledsl.records import dataclass
from ruledsl.types import Elem, ListOf, SetOf

MOST = 2000  # blocks on the ways from a choice, each counted once for what is held there

Holding = tuple[tuple[int, int], ...]  # slots and the numbers of the variables that they hold


@dataclass(frozen=True)
class Kept:
    """Something that an option surely sets: where, and whose it is, where that is the same as before the choice."""

    op: C.Put
    owner: C.Node | None  # the index of what is set; None if there is none, or if it is not known beforehand


@dataclass(frozen=True)
class Way:
    """What becomes of one variable of an option."""

    shown: bool  # it is surely the first to be moved or shown
    moved: bool  # it is surely moved before anything else is moved or shown
    held: frozenset[int] | None  # the choices where play may stop before it is moved; None where that is not known
    kept: tuple[Kept, ...]  # the values it goes into, come what may


_ways: WeakKeyDictionary[C.Program, dict[int, tuple[Way, ...]]] = WeakKeyDictionary()
_told: WeakKeyDictionary[C.Program, dict[tuple[int, int], tuple[Kept, ...]]] = WeakKeyDictionary()


def ways(program: C.Program, entry: C.Entry) -> tuple[Way, ...]:
    """What becomes of each variable of an entry."""
    known = _ways.setdefault(program, {})
    found = known.get(id(entry))
    if found is None:
        found = known[id(entry)] = _Explorer(program, entry).found()
    return found


def told_by_itself(program: C.Program, choice: C.Choice, number: int) -> tuple[Kept, ...]:
    """What an entry surely sets to the same whatever is chosen with it, and others do not: it tells which it was."""
    known = _told.setdefault(program, {})
    found = known.get((id(choice), number))
    if found is None:
        found = known[id(choice), number] = tuple(_only_there(program, choice, number))
    return found


def _only_there(program: C.Program, choice: C.Choice, number: int) -> list[Kept]:
    ends = [*choice.entries, *([choice.stop] if choice.stop is not None else [])]
    others = [
        {id(kept.op) for kept, _ in _straight(program, entry)} for entry in ends if entry is not choice.entries[number]
    ]
    return [
        kept
        for kept, _ in _straight(program, choice.entries[number])
        if isinstance(kept.op.value, C.Const) and not all(id(kept.op) in other for other in others)
    ]


def _straight(program: C.Program, entry: C.Entry) -> Iterator[tuple[Kept, dict[int, int]]]:
    """What is set before the first place where the rules may go one way or another, with what is held then."""
    holding = {variable.slot: number for number, variable in enumerate(entry.variables)}
    at, back, met = entry.to, list[int](), set[int]()
    same = {variable.slot for variable in entry.variables} | {C.ME}
    while at not in met:
        met.add(at)
        block = program.blocks[at]
        for op in block.ops:
            if isinstance(op, C.Put):
                known = isinstance(op.index, C.Const) or (isinstance(op.index, C.Get) and op.index.slot in same)
                yield Kept(op, op.index if known else None), dict(holding)
                same.discard(op.base)
            _pass(op, holding)
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
                return


@dataclass(frozen=True)
class _Here:
    """A place on the ways: what is held there, where calls lead back to, and what has happened on the way."""

    at: int
    holding: Holding
    back: tuple[int, ...] = ()
    shown: frozenset[int] = frozenset()
    moved: frozenset[int] = frozenset()


class _Explorer:
    """Goes all ways from an entry as far as its variables are spoken of."""

    def __init__(self, program: C.Program, entry: C.Entry) -> None:
        self.program, self.entry = program, entry
        self.numbers = frozenset(number for number, variable in enumerate(entry.variables) if _of_pieces(variable.type))
        self.local = {f.base for f in program.layout.fields if f.kind == "local"}
        self.unsurely_shown, self.unsurely_moved = set[int](), set[int]()
        self.held: list[set[int]] = [set() for _ in entry.variables]

    def found(self) -> tuple[Way, ...]:
        whole = self._explore()
        kept: list[list[Kept]] = [[] for _ in self.entry.variables]
        for one, holding in _straight(self.program, self.entry):
            for number in {holding[slot] for slot in _slots(one.op.value) if slot in holding}:
                kept[number].append(one)
        return tuple(
            Way(
                whole and i not in self.unsurely_shown,
                whole and i not in self.unsurely_moved,
                frozenset(held) if whole else None,
                tuple(kept[i]),
            )
            for i, held in enumerate(self.held)
        )

    def _explore(self) -> bool:
        """False if there are more ways than can be gone."""
        start = ((self.entry.variables[number].slot, number) for number in self.numbers)
        edge = [_Here(self.entry.to, tuple(sorted(start)))]
        known = set(edge)
        while edge:
            here = edge.pop()
            holding = dict(here.holding)
            for op in self.program.blocks[here.at].ops:
                here = self._meet(op, holding, here)
                _pass(op, holding)
            for after in self._on(here, holding):
                if after not in known:
                    if len(known) >= MOST:
                        return False
                    known.add(after)
                    edge.append(after)
        return True

    def _meet(self, op: C.Operation, holding: dict[int, int], here: _Here) -> _Here:
        """What an operation does to what was chosen, or to other pieces."""
        nodes: tuple[C.Node, ...]
        match op:
            case C.Move(pieces=node):
                nodes, moves = (node,), True
            case C.Act(name="remove" | "home", args=(node,)):
                nodes, moves = (node,), True
            case C.Act(name="reveal", args=(node, _)):
                nodes, moves = (node,), False
            case C.Act(name="swap_pieces", args=args):
                nodes, moves = args, True
            case C.Act(name="draw" | "deal" | "swap_contents"):
                nodes, moves = (C.Const(0),), True
            case _:
                return here
        own = [_chosen(node, holding) for node in nodes]
        for number in own:
            if number is not None:
                here = self._meet_own(number, moves, here)
                for slot in [slot for slot, held in holding.items() if moves and held == number]:
                    del holding[slot]
        if None in own:
            self._other(here)
        return here

    def _other(self, here: _Here) -> None:
        """Other pieces are moved or shown, and what was chosen may be among them."""
        self.unsurely_moved |= self.numbers - here.moved
        self.unsurely_shown |= self.numbers - here.moved - here.shown

    def _meet_own(self, number: int, moves: bool, here: _Here) -> _Here:
        shown = here.shown | {number}
        return replace(here, shown=shown, moved=here.moved | {number}) if moves else replace(here, shown=shown)

    def _on(self, here: _Here, holding: dict[int, int]) -> Iterator[_Here]:
        """Where the rules may go on from a block."""

        def to(at: int, held: dict[int, int] | None = None, **changes: Any) -> _Here:
            return replace(here, at=at, holding=tuple(sorted((holding if held is None else held).items())), **changes)

        if not self.numbers - here.moved:
            return
        match self.program.blocks[here.at].end:
            case C.Jump(to=at):
                yield to(at)
            case C.Branch(then=then, otherwise=otherwise):
                yield to(then)
                yield to(otherwise)
            case C.Dispatch(cases=cases, otherwise=otherwise):
                for at in {*cases.values(), otherwise}:
                    yield to(at)
            case C.CallProcedure(procedure=procedure, args=args, then=then):
                held = dict(holding)
                _bind(held, dict(zip(procedure.parameters, args, strict=True)))
                yield to(procedure.entry, held, back=(*here.back, then))
            case C.Return() if here.back:
                yield to(here.back[-1], back=here.back[:-1])
            case C.Return(procedure=procedure):  # to wherever it was called from
                for block in self.program.blocks:
                    if isinstance(block.end, C.CallProcedure) and block.end.procedure is procedure:
                        yield to(block.end.then)
            case C.Choice() as choice:
                yield from self._chosen_next(here, choice, holding, to)
            case C.Chance(variable=variable, then=then):
                held = {slot: n for slot, n in holding.items() if variable is None or slot != variable.slot}
                yield to(then, held)
            case C.Together(body=body, then=then):
                self._stop(here.at, holding)
                self._other(here)  # what others do meanwhile
                yield to(body)
                yield to(then)

    def _chosen_next(self, here: _Here, choice: C.Choice, holding: dict[int, int], to: Any) -> Iterator[_Here]:
        """Play stops there, unless nothing can be chosen."""
        yield to(choice.stuck)
        if not self._stop(here.at, holding):
            return
        for entry in (*choice.entries, *([choice.stop] if choice.stop is not None else [])):
            bound = {variable.slot for variable in entry.variables} | {slot for slot, _ in entry.stored}
            yield to(entry.to, {slot: n for slot, n in holding.items() if slot not in bound})

    def _stop(self, at: int, holding: dict[int, int]) -> bool:
        """Notes what is held where play stops; whether anything is."""
        held = {number for slot, number in holding.items() if slot in self.local}
        for number in held:
            self.held[number].add(at)
        return bool(held)


def _of_pieces(kind: Any) -> bool:
    inner = kind.of if isinstance(kind, SetOf | ListOf) else kind
    return isinstance(inner, Elem) and inner.root.kind == "piece"


def _chosen(node: C.Node, holding: dict[int, int]) -> int | None:
    """The variable whose pieces these are, all of them and no others."""
    while isinstance(node, C.Op) and node.name in ("only", "collect", "members"):
        node = node.args[0]
    return holding.get(node.slot) if isinstance(node, C.Get) else None


def _slots(node: Any) -> Iterator[int]:
    """The slots that an expression reads by name."""
    if isinstance(node, C.Get):
        yield node.slot
    for part in parts(node):
        yield from _slots(part)


def _pass(op: C.Operation, holding: dict[int, int]) -> None:
    """What an operation sets: a copy of a variable holds the same."""
    match op:
        case C.Put(base=slot, index=None, value=value):
            _bind(holding, {slot: value})
        case C.Zero(slots=slots):
            for slot in slots:
                holding.pop(slot, None)


def _bind(holding: dict[int, int], values: dict[int, C.Node]) -> None:
    """Slots that are given values at once."""
    found = {slot: holding.get(value.slot) if isinstance(value, C.Get) else None for slot, value in values.items()}
    for slot, number in found.items():
        holding.pop(slot, None)
        if number is not None:
            holding[slot] = number
