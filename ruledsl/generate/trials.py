"""What an effect that is tried out touches, and what is asked of it: so that most need not be tried out.

`set(t in moves(m) where would(go(m, t), not in_check(m.owner)))` tries out every move, though hardly any of them has
to do with the king. What the condition looks at as things stand is a set of spaces: where the pieces are that it asks
about, what it comes upon in straight lines. An effect that takes no piece from any of them, and brings none there,
cannot change the answer: it is what it is now. Here it is found which spaces an effect touches, before it is done, and
how a condition is asked for the present state; `c_trials` writes both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import NUMBER, Kind
from ruledsl.ir.walk import StuckError, bound, parts, rebuilt, same, within
from ruledsl.records import dataclass

from .changes import PIECES, Changes, Reads
from .kept import Absorber, put_plainly

MOST_SPOTS = 256  # spaces of all boards: what is looked at is a set of them
MOST_ASKED = 256  # conditions whose answers are kept: one for each combination of what they depend on besides
MOST_STEPS = 64  # blocks of an effect, on all ways through it

Fresh = Any  # makes a variable of a kind


@dataclass(frozen=True, eq=False)
class Touch:
    """A space that an effect may touch: that of a piece, or itself; under conditions on the state before it."""

    when: tuple[C.Node, ...]
    piece: C.Node | None = None
    spot: C.Node | None = None
    must: bool = False  # it is a fault if there is none
    free: bool = False  # it is a fault if something lies there


@dataclass(frozen=True, eq=False)
class Watch:
    """A trial that need not be carried out if nothing is touched that its condition looks at.

    `formula` is the condition, with a variable for everything it depends on besides the state: `given` says what.
    """

    formula: C.Formula
    given: tuple[C.Node, ...]
    arguments: tuple[int, ...]  # variables for the arguments of the effect
    touches: tuple[Touch, ...]
    reads: frozenset[int]
    safe: bool  # asking for the present state cannot be a fault


class _UnknownError(Exception):
    """What an effect touches cannot be told beforehand."""


class Trials:
    """Finds the trials of a program of which it can be told what they touch."""

    def __init__(
        self, program: C.Program, kinds: Kinds, absorber: Absorber, reached: dict[C.Procedure, list[int]]
    ) -> None:
        self.program, self.kinds, self.absorber = program, kinds, absorber
        self.changes, self.reads, self.alone = Changes(program, reached), Reads(program, reached), reached
        fields_ = program.layout.fields
        self.base = {field.base + i: field.base for field in fields_ for i in range(field.count * field.width)}
        self.local = {field.base for field in fields_ if field.kind in ("local", "draft", "stream", "history")}
        self.places = {self.base.get(slot, slot) for slot in self.changes.pieces()}

    def all(self, fresh: Fresh) -> dict[C.Would, Watch]:
        spots = self.program.spots
        if not self.absorber.single or spots.growing or spots.top < 0 or not 0 < spots.first_place <= MOST_SPOTS:
            return {}
        found = {}
        for node in self._trials():
            watch = self._watch(node, fresh)
            if watch is not None:
                found[node] = watch
        return found

    def _trials(self) -> Iterator[C.Would]:
        menus = [node.choice for node in within(*self.kinds.roots) if isinstance(node, C.Possible)]
        within_all = within(*self.kinds.roots, *menus)  # what looks through choices has no single effect to look at
        return (node for node in within_all if isinstance(node, C.Would) and not isinstance(node, C.Lookahead))

    def _bases(self, slots: set[int] | None) -> set[int] | None:
        return None if slots is None else {self.base.get(slot, slot) for slot in slots}

    def _watch(self, node: C.Would, fresh: Fresh) -> Watch | None:
        changed, read = self._bases(self.changes.of(node.procedure)), self._bases(self.reads.of(node.condition))
        if node.procedure not in self.alone or changed is None or read is None or PIECES not in changed:
            return None
        safe = self.absorber.safe(node.condition)
        if (read - self.places) & changed or not (safe or self._changes_nothing(node.condition)):
            return None
        condition = self._closed(node.condition, changed, fresh)
        if condition is None:
            return None
        formula, given = condition
        seen = self.reads.of(formula.body)
        if seen is None or self._bases(seen) & self.local:  # type: ignore[operator]
            return None
        slots = tuple(fresh(self.kinds.of(arg)) for arg in node.args)
        meant: dict[int, C.Node] = {
            slot: C.Get(one) for slot, one in zip(node.procedure.parameters, slots, strict=True)
        }
        try:
            touches = tuple(_Walk(self).through(node.procedure, meant))
        except _UnknownError:
            return None
        return Watch(formula, given, slots, touches, frozenset(seen), safe)

    def _changes_nothing(self, condition: C.Node) -> bool:
        """Whether a condition leaves the state as it is even where it ends with a fault."""
        work: list[Any] = [condition]
        for node in work:
            if isinstance(node, C.With) and any(slot >= 0 for slot in node.slots):
                return False
            inside = [node.formula.body] if isinstance(node, C.Invoke) else []
            work += [part for part in (*parts(node), *inside) if part not in work]
        return True

    # -------------------------------------------------------------------------- a condition by what it depends on

    def _closed(
        self, condition: C.Node, changed: set[int], fresh: Fresh
    ) -> tuple[C.Formula, tuple[C.Node, ...]] | None:
        """A condition as a formula, what is told by variables outside of it as arguments."""
        own = bound(condition)
        given: list[tuple[C.Node, int, Kind]] = []

        def variables(node: Any) -> set[int]:
            slot = node.slot if isinstance(node, C.Get) else None
            own = {slot} if slot is not None and (slot < 0 or self.base[slot] in self.local) else set()
            return own.union(*map(variables, parts(node)))

        def closed(node: Any) -> Any:
            if not variables(node) - own:
                return node
            read, kind = self._bases(self.reads.of(node)), self.kinds.of(node)
            plain = read is not None and read <= self.local and not read & changed
            few = kind.sort == NUMBER and kind.sure and kind.top <= MOST_ASKED
            if plain and variables(node).isdisjoint(own) and few:
                for known, slot, _ in given:
                    if same(known, node):
                        return C.Get(slot)
                slot = fresh(kind)
                given.append((node, slot, kind))
                return C.Get(slot)
            return rebuilt(node, closed)

        body = closed(condition)
        if variables(body) - own - {slot for _, slot, _ in given}:
            return None
        if math.prod(kind.top for _, _, kind in given) > MOST_ASKED:
            return None
        formula = C.Formula("what is tried", tuple(slot for _, slot, _ in given), body, None)
        return formula, tuple(node for node, _, _ in given)


class _Walk:
    """Goes through an effect on all ways, before it is done."""

    def __init__(self, trials: Trials) -> None:
        self.trials, self.program = trials, trials.program
        self.steps = 0
        self.found: list[Touch] = []

    def through(self, procedure: C.Procedure, meant: dict[int, C.Node]) -> list[Touch]:
        self._block(procedure.entry, (), meant, set(), (), ())
        return _merged(self.found)

    def _block(
        self,
        at: int,
        when: tuple[C.Node, ...],
        meant: dict[int, C.Node],
        changed: set[int],
        emptied: tuple[C.Node, ...],
        behind: tuple[int, ...],
    ) -> None:
        """`meant` is what variables hold, in terms of the state before; `changed` is what may not be as before."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _UnknownError
        block, meant, changed = self.program.blocks[at], dict(meant), set(changed)
        for op in block.ops:
            emptied = self._operation(op, when, meant, changed, emptied)
        match block.end:
            case C.Jump(to=to):
                self._block(to, when, meant, changed, emptied, behind)
            case C.Branch(condition=condition, then=then, otherwise=otherwise):
                self._must_not_fault(condition)
                told = self._before(condition, meant, changed)
                one, other = ((told,), (C.Op("not", (told,)),)) if told is not None else ((), ())
                self._block(then, (*when, *one), meant, changed, emptied, behind)
                self._block(otherwise, (*when, *other), meant, changed, emptied, behind)
            case C.CallProcedure(procedure=procedure, args=args, then=to):
                if procedure not in self.trials.alone or any(slot in meant for slot in procedure.parameters):
                    raise _UnknownError
                for slot, arg in zip(procedure.parameters, args, strict=True):
                    self._must_not_fault(arg)
                    self._let(slot, arg, meant, changed)
                self._block(procedure.entry, when, meant, changed, emptied, (to, *behind))
            case C.Return():
                if behind:
                    self._block(behind[0], when, meant, changed, emptied, behind[1:])
            case _:
                raise _UnknownError

    def _operation(
        self,
        op: C.Operation,
        when: tuple[C.Node, ...],
        meant: dict[int, C.Node],
        changed: set[int],
        emptied: tuple[C.Node, ...],
    ) -> tuple[C.Node, ...]:
        for part in parts(op):
            self._must_not_fault(part)
        match op:
            case C.Put(base=base, index=None, value=value):
                self._let(base, value, meant, changed)
            case C.Put(base=base, index=index):
                kind = self.trials.kinds.of(index)
                if not kind.sure:
                    raise _UnknownError
                changed.add(base)
            case C.Zero(slots=slots):
                for slot in slots:
                    meant.pop(slot, None)
                    changed.add(self.trials.base[slot])
            case C.Act(name="remove", args=(pieces,)):
                emptied = self._removed(pieces, when, meant, changed, emptied)
                changed |= self.trials.places
            case C.Move(form="one", at=None, turned=None):
                piece, spot = self._sure(op.pieces, meant, changed), self._sure(op.to, meant, changed)
                self._must_be_space(spot)
                self.found.append(Touch(when, piece=piece, must=True))
                taken = not any(same(_plain(spot), _plain(one)) for one in emptied)
                self.found.append(Touch(when, spot=_plain(spot), must=True, free=taken))
                emptied = ()
                changed |= self.trials.places
            case C.Say():
                pass
            case _:
                raise _UnknownError
        return emptied

    def _removed(
        self,
        pieces: C.Node,
        when: tuple[C.Node, ...],
        meant: dict[int, C.Node],
        changed: set[int],
        emptied: tuple[C.Node, ...],
    ) -> tuple[C.Node, ...]:
        match pieces:
            case (
                C.Op(name="only", args=(C.Primitive(name="first_on", args=(spot,), data=(kinds,)),))
                | C.Primitive(name="on_set", args=(spot,), data=(kinds,))
            ):
                spot = self._sure(spot, meant, changed)
                self._must_be_space(spot)
                self.found.append(Touch(when, spot=_plain(spot)))
                everything = self.program.roots["piece"].everything
                return (*emptied, spot) if kinds is None or kinds == everything else emptied
            case C.Op(name="only", args=(piece,)):
                self.found.append(Touch(when, piece=self._sure(piece, meant, changed)))
                return emptied
        raise _UnknownError

    def _let(self, base: int, value: C.Node, meant: dict[int, C.Node], changed: set[int]) -> None:
        told = self._before(value, meant, changed)
        meant.pop(base, None)
        changed.add(self.trials.base[base])
        if told is not None and self.trials.base[base] in self.trials.local:
            meant[base] = told

    def _before(self, node: C.Node, meant: dict[int, C.Node], changed: set[int]) -> C.Node | None:
        """An expression in terms of the state before the effect; none if it cannot be had."""
        try:
            told: C.Node = put_plainly(node, meant)
        except StuckError:
            return None
        read = self.trials._bases(self.trials.reads.of(told))
        if read is None or read & changed or (PIECES in read and PIECES in changed):
            return None
        return told

    def _sure(self, node: C.Node, meant: dict[int, C.Node], changed: set[int]) -> C.Node:
        told = self._before(node, meant, changed)
        if told is None:
            raise _UnknownError
        return told

    def _must_not_fault(self, node: C.Node) -> None:
        if not self.trials.absorber.safe(node):
            raise _UnknownError

    def _must_be_space(self, spot: C.Node) -> None:
        kind = self.trials.kinds.of(spot)
        if kind.sort != NUMBER or kind.top > self.program.spots.first_place or kind.low < -1:
            raise _UnknownError


def _plain(spot: C.Node) -> C.Node:
    """A space as a spot, where both have the same number."""
    match spot:
        case C.Primitive(name="offset", args=(space,), data=(0,)):
            return space
    return spot


def _merged(found: list[Touch]) -> list[Touch]:
    """Touches of which none says what another does: on both ways of a condition it is no condition."""
    found = list(found)
    merged = True
    while merged:
        merged = False
        for one in found:
            for other in found:
                if one is other or not _alike(one, other):
                    continue
                whole = one.when if one.when == other.when[: len(one.when)] else _either(one.when, other.when)
                if whole is None:
                    continue
                found = [touch for touch in found if touch is not one and touch is not other]
                found.append(replace(one, when=whole, must=one.must or other.must, free=one.free or other.free))
                merged = True
                break
            if merged:
                break
    return found


def _alike(one: Touch, other: Touch) -> bool:
    return same(one.piece, other.piece) and same(one.spot, other.spot)


def _either(one: tuple[C.Node, ...], other: tuple[C.Node, ...]) -> tuple[C.Node, ...] | None:
    """Conditions one of which is another and its opposite: what is left."""
    if len(one) != len(other) or not one or one[:-1] != other[:-1]:
        return None
    for yes, no in ((one[-1], other[-1]), (other[-1], one[-1])):
        if isinstance(no, C.Op) and no.name == "not" and no.args[0] is yes:
            return one[:-1]
    return None
