"""Expressions of few small inputs, worked out for all of them when the game is compiled.

`set(step(p.square, d) for d in ahead)` looks at nothing but who moves and where the piece is: a table of sets says it
at once. What an expression looks at is found with formulas put in the place of their names, so it does not matter
how a rule is divided into definitions; and a condition on a variable that is of this sort is a set of its members.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.core import RulesFault
from ruledsl.ir.kinds import NUMBER, SET, Kind, number
from ruledsl.ir.once import once
from ruledsl.ir.ops import NOTHING, looks_at, may_fail
from ruledsl.ir.walk import key, parts, rebuilt
from ruledsl.records import dataclass

from .passes import NONE_OFF, Off, Pass

MOST_ENTRIES = 4096  # of one table
MOST_WORK = 60_000  # entries of all tables of a program
MOST_NODES = 400  # of an expression with its formulas put in
LIGHT = 3  # what is less work than this is not worth a table


# Forms whose parts can be put together anew.
REBUILT = (
    C.Cell,
    C.Look,
    C.Op,
    C.Both,
    C.Either,
    C.Cond,
    C.Otherwise,
    C.Select,
    C.Demand,
    C.Fit,
    C.Primitive,
)


class _UnfitError(Exception):
    """An expression that is no table."""


@dataclass(frozen=True, eq=False)
class Table:
    """The values of an expression by its inputs, the last input running fastest."""

    inputs: tuple[tuple[C.Node, Kind], ...]
    values: tuple[Any, ...]


class Tables:
    """Finds the expressions that are tables."""

    def __init__(
        self, program: C.Program, kinds: Kinds, apart: Callable[[C.Formula], bool], without: Off = NONE_OFF
    ) -> None:
        self.program, self.kinds, self.apart, self.without = program, kinds, apart, without
        self.single = all(program.spots.single[: program.spots.first_place])
        self._machine: Any = None
        self._work = 0
        self._fresh = 0

    # ------------------------------------------------------------------------------------------- what is asked

    @once()
    def of(self, node: C.Node) -> Table | None:
        """The table of an expression, if it is one and that is less work than working it out."""
        if Pass.EXPRESSION_TABLES in self.without:
            return None
        return self._find(node)

    @once()
    def told(self, node: C.Node) -> Table | None:
        """The table of an expression, however little work it is."""
        with suppress(_UnfitError):
            return self._table(_Inlined(self).put(node, {}), -LIGHT)
        return None

    @once()
    def condition(self, slot: int, node: C.Node) -> C.Fold | None:
        """The set of values of a variable for which a condition holds, if that is a table."""
        kind = self.kinds.slot(slot)
        if kind.sort != NUMBER or not kind.sure or kind.top > MOST_ENTRIES:
            return None
        every = C.Const((1 << kind.top) - 1)
        fold = C.Fold("set", (C.Each(slot, "set", (every,)),), node, None)
        return fold if self.of(fold) is not None else None

    @once()
    def at_most(self, node: C.Node) -> Table | None:
        """What a set may have at most, as a table: all that could be there if nothing were in the way."""
        with suppress(_UnfitError):
            return self._table(self._loose(_SeenThrough(self).put(node, {}), ()), LIGHT, True)
        return None

    @once()
    def begun(self, node: C.Node) -> C.Node | None:
        """A set without members of which nothing is asked of a comprehension: what it begins with."""
        try:
            whole = _SeenThrough(self).put(node, {})
        except _UnfitError:
            return None
        from_set = isinstance(whole, C.Fold) and whole.kind in ("set", "union") and whole.each[0].form == "set"
        return whole.each[0].domain[0] if from_set else None

    @once()
    def need(self, slot: int, node: C.Node) -> C.Node | None:
        """That a piece stands on a board, if a condition, or a set to have any member, asks for it in any case."""
        reader = _Reader(self, nothing_there=True)
        try:
            ready = reader.read(self._loose(_SeenThrough(self).put(node, {}), ()))
        except _UnfitError:
            return None
        at = self.program.spots.at
        ranges = [range(of.low, of.top) for _, of, _ in reader.inputs]
        where = [
            i
            for i, (leaf, _, _) in enumerate(reader.inputs)
            if isinstance(leaf, C.Cell)
            and leaf.base == at
            and isinstance(leaf.index, C.Get)
            and leaf.index.slot == slot
        ]
        if not where:
            return None
        spots = ranges[where[0]]
        for first, root in self.program.spots.roots:
            if root.kind != "space":
                continue
            elsewhere = [spot for spot in spots if not first <= spot < first + root.size]
            given = [elsewhere if i == where[0] else one for i, one in enumerate(ranges)]
            entries, looped = math.prod(map(len, given)), sum(reader.loops, 1)
            if entries > MOST_ENTRIES or self._work + entries * looped > MOST_WORK:
                continue
            self._work += entries * looped
            values = self._values(ready, reader.inputs, given)
            if values is not None and not any(values):  # a piece that is elsewhere is of no use
                return C.Op("is_there", (C.Primitive("standing", (C.Get(slot),), (first, root.size, at, ())),))
        return None

    def _loose(self, node: Any, bound: tuple[int, ...]) -> Any:
        """A condition that holds wherever another does, or a set that holds all of another, of few inputs."""
        match node:
            case C.Fold(kind="set" | "any" | "union") if node.value is None or node.kind != "any":
                inner = (*bound, *(one.slot for one in node.each))
                loose = [self._loose(part, inner) for part in conjuncts(node.where)]
                kept = [part for part in loose if self._readable(part, inner)]
                where = C.Both(tuple(kept)) if kept else None
                each = tuple(self._loose_domain(one, inner) for one in node.each)
                value = self._loose(node.value, inner) if node.kind == "union" else node.value
                return C.Fold(node.kind, each, where, value, (), node.none, node.span)
            case C.Cond(condition=condition, then=then, otherwise=otherwise):
                one, other = self._loose(then, bound), self._loose(otherwise, bound)
                if self._readable(condition, bound):
                    return C.Cond(condition, one, other, node.span)
                return node
            case C.Op(name="union", args=args):
                return C.Op("union", tuple(self._loose(arg, bound) for arg in args))
            case C.Op(name="common", args=args):
                few = tuple(loose for arg in args if self._readable(loose := self._loose(arg, bound), bound))
                return C.Op("common", few) if len(few) > 1 else few[0] if few else node
            case C.Op(name="minus", args=args):
                return self._loose(args[0], bound)
            case C.Op(name="unequal", args=(one, C.Const(value=0) as nothing)):
                return C.Op("unequal", (self._loose(one, bound), nothing))
            case C.Op(name="holds", args=(item, whole)) if not self._readable(node, bound):
                loose = self._loose(whole, bound)
                if isinstance(item, C.Get) and item.slot in bound and self._readable(loose, bound):
                    return C.Op("holds", (item, loose))
                return C.Op("unequal", (loose, C.Const(0)))
            case C.Both(args=args):
                few = tuple(loose for arg in args if self._readable(loose := self._loose(arg, bound), bound))
                return C.Both(few) if few else node
        return node

    def _loose_domain(self, each: C.Each, bound: tuple[int, ...]) -> C.Each:
        """A domain that holds all of another."""
        loose = self._loose(each.domain[0], bound) if each.form == "set" else each.domain[0]
        return C.Each(each.slot, each.form, (loose, *each.domain[1:]))

    def _readable(self, node: Any, bound: tuple[int, ...]) -> bool:
        reader = _Reader(self, nothing_there=True)
        reader._bound |= set(bound)
        try:
            reader.read(node)
        except _UnfitError:
            return False
        return True

    # ---------------------------------------------------------------------------------------------- how

    def _find(self, node: C.Node) -> Table | None:
        kind = self.kinds.of(node)
        if kind.sort not in (NUMBER, SET):
            return None
        try:
            return self._table(_Inlined(self).put(node, {}), LIGHT)
        except _UnfitError:
            return None

    def _table(self, whole: C.Node, light: int, nothing_there: bool = False) -> Table | None:
        """By the values of small tables that it looks up; or, where those are too many together, by what they are
        looked up with."""
        readers = (_Reader(self, looks, nothing_there) for looks in (True, False))
        return next((found for reader in readers if (found := self._table_by(reader, whole, light))), None)

    def _table_by(self, reader: _Reader, whole: C.Node, light: int) -> Table | None:
        ready, inputs = reader.read(whole), reader.inputs
        if reader.weight - 2 * len(inputs) < light:
            return None
        entries, looped = math.prod(of.top - of.low for _, of, _ in inputs), sum(reader.loops, 1)
        if entries > MOST_ENTRIES or self._work + entries * looped > MOST_WORK:
            return None
        values = self._values(ready, inputs, [range(of.low, of.top) for _, of, _ in inputs])
        if values is None:
            return None
        self._work += entries * looped
        return Table(tuple((leaf, of) for leaf, of, _ in inputs), values)

    def _values(
        self, node: C.Node, inputs: list[tuple[C.Node, Kind, int]], given: Sequence[Iterable[int]]
    ) -> tuple[Any, ...] | None:
        from ruledsl.engine.machine import Machine

        if self._machine is None:
            self._machine = Machine(self.program)
        evaluate = self._machine.evaluator.of(node)
        v = list(self.program.template) + [0] * (self.program.scratch + self._fresh)
        spots = self.program.spots
        if spots.top >= 0:  # nothing that a table says looks at pieces, but for slides where nothing is in the way
            v[spots.top : spots.top + spots.first_place] = [-1] * spots.first_place
        found = []
        try:
            for values in itertools.product(*given):
                for (_, _, slot), value in zip(inputs, values, strict=True):
                    v[slot] = value
                found.append(int(evaluate(v)))
        except (RulesFault, IndexError, KeyError, TypeError):
            return None
        return tuple(found)

    def fresh(self) -> int:
        """A variable that the program does not have."""
        self._fresh += 1
        return -(self.program.scratch + self._fresh)


def conjuncts(node: C.Node | None) -> list[C.Node]:
    """The conditions that must all hold."""
    if node is None:
        return []
    if isinstance(node, C.Both):
        return [part for arg in node.args for part in conjuncts(arg)]
    return [node]


def mapped(node: Any, of: Callable[[Any], Any]) -> Any:
    """An expression that binds and tries nothing, with others in the place of its parts."""
    if not isinstance(node, REBUILT):
        raise _UnfitError
    return rebuilt(node, of)


class _Inlined:
    """Puts formulas in the place of their names, each with variables of its own."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.nodes = tables, 0

    def put(self, node: Any, meant: dict[int, C.Node]) -> Any:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise _UnfitError
        match node:
            case C.Const():
                return node
            case C.Get(slot=slot):
                return meant.get(slot, node)
            case C.Invoke(formula=formula, args=args):
                if formula.body is None or self.tables.apart(formula):
                    raise _UnfitError
                inner = {slot: one for slot, one in meant.items() if slot >= 0}
                return self.put(formula.body, inner | self._given(formula.slots, args, formula.body, meant))
            case C.With(slots=slots, args=args, body=body):
                return self.put(body, meant | self._given(slots, args, body, meant))
            case C.Fold():
                inner, each = dict(meant), []
                for one in node.each:
                    domain = tuple(self.put(part, inner) for part in one.domain)
                    slot = self.tables.fresh()
                    inner[one.slot] = C.Get(slot)
                    each.append(C.Each(slot, one.form, domain))
                where = self.put(node.where, inner) if node.where is not None else None
                value = self.put(node.value, inner) if node.value is not None else None
                keys = tuple(self.put(key, inner) for key in node.keys)
                return C.Fold(node.kind, tuple(each), where, value, keys, node.none, node.span)
        return mapped(node, lambda part: self.put(part, meant))

    def _given(
        self, slots: Sequence[int], args: Sequence[C.Node], body: Any, meant: dict[int, C.Node]
    ) -> dict[int, C.Node]:
        """What parameters stand for. An argument is worked out even if nothing asks for it: where that may be a
        fault, it must not get lost."""
        found = {slot: self.put(arg, meant) for slot, arg in zip(slots, args, strict=True)}
        if any(_may_fault(arg) and not _surely_asks(body, slot) for slot, arg in found.items()):
            raise _UnfitError
        return found


def _may_fault(node: Any) -> bool:
    return may_fail(node) or any(map(_may_fault, parts(node)))


def _surely_asks(node: Any, slot: int) -> bool:
    """Whether a variable is looked at whenever an expression is worked out."""
    match node:
        case C.Get(slot=of):
            return of == slot
        case C.Cond(condition=condition, then=then, otherwise=otherwise):
            either = _surely_asks(then, slot) and _surely_asks(otherwise, slot)
            return either or _surely_asks(condition, slot)
        case C.Otherwise(of=first) | C.Select(index=first):
            return _surely_asks(first, slot)
        case C.Both(args=args) | C.Either(args=args):
            return _surely_asks(args[0], slot)
        case C.Fold(each=each):
            return any(_surely_asks(part, slot) for part in each[0].domain)
        case C.With(args=args, body=body):
            return any(_surely_asks(part, slot) for part in (*args, body))
        case C.Would() | C.Possible():
            return False
    return any(_surely_asks(part, slot) for part in parts(node))


class _SeenThrough(_Inlined):
    """Looks through formulas whose values are kept, too; what cannot be told beforehand stands for itself."""

    def put(self, node: Any, meant: dict[int, C.Node]) -> Any:
        match node:
            case C.Would() | C.Possible():
                return C.Primitive("fault", (), ("",))  # nothing is known of it, not even that it never faults
            case C.Invoke(formula=formula, args=args) if formula.body is not None:
                inner = {slot: one for slot, one in meant.items() if slot >= 0}
                inner |= {slot: self.put(arg, meant) for slot, arg in zip(formula.slots, args, strict=True)}
                return self.put(formula.body, inner)
        return super().put(node, meant)


class _Reader:
    """Finds the inputs of an expression, and puts variables in their place."""

    def __init__(self, tables: Tables, looks: bool = True, nothing_there: bool = False) -> None:
        self.tables = tables
        self.looks = looks  # whether what is looked up in a small table may be an input itself
        self.nothing_there = nothing_there  # whether slides are those over boards without pieces
        self.inputs: list[tuple[C.Node, Kind, int]] = []
        self.loops: list[int] = []
        self.weight = 0
        self._slots: dict[Any, int] = {}
        self._bound: set[int] = set()

    def read(self, node: Any) -> Any:
        match node:
            case C.Const():
                return node
            case C.Get(slot=slot):
                return node if slot in self._bound else self._input(node)
            case C.Cell():
                return self._input(node)
            case C.Look(table=table, index=index):
                self.weight += 1
                key = _key(index)
                plain = key is not None and not self._looks_at_bound(index) and key not in self._slots
                if self.looks and plain and not any(isinstance(value, tuple) for value in table):
                    mine, of = self._kind(node), self._kind(index)
                    if mine is not None and of is not None and mine.top - mine.low < of.top - of.low:
                        return self._input(node)
                return mapped(node, self.read)
            case C.Fold():
                self.weight += 6
                each = []
                for one in node.each:
                    self._bound.add(one.slot)
                    each.append(C.Each(one.slot, one.form, tuple(map(self.read, one.domain))))
                    domain = one.domain[0]
                    values: Any = domain.value if isinstance(domain, C.Const) and one.form == "set" else 15
                    self.loops.append(int(values).bit_count())
                where = self.read(node.where) if node.where is not None else None
                value = self.read(node.value) if node.value is not None else None
                return C.Fold(
                    node.kind, tuple(each), where, value, tuple(map(self.read, node.keys)), node.none, node.span
                )
            case C.Primitive(name="standing", args=(piece,), data=(first, count, at, parts)):
                if parts or _key(piece) is None:
                    raise _UnfitError
                self.weight += 2
                spot = self._input(C.Cell(at, piece))
                begun, ended = C.Const(first), C.Const(first + count)
                inside = C.Both((C.Op("at_least", (spot, begun)), C.Op("less", (spot, ended))))
                return C.Cond(inside, C.Op("subtract", (spot, C.Const(first))), C.Const(-1))
            case C.Primitive():
                free = self.nothing_there and node.name == "slide" and self.tables.single
                if looks_at(node) != NOTHING and not free:
                    raise _UnfitError
                self.weight += 4 if len(node.args) > 2 else 2
            case C.Op(name="collect"):
                self.weight += 4
        self.weight += 1
        return mapped(node, self.read)

    def _looks_at_bound(self, node: Any) -> bool:
        while isinstance(node, C.Cell | C.Look):
            node = node.index
        return isinstance(node, C.Get) and node.slot in self._bound

    def _input(self, node: C.Node) -> C.Get:
        key = _key(node)
        if key is None or self._looks_at_bound(node):
            raise _UnfitError
        if key not in self._slots:
            kind = self._kind(node)
            if kind is None:
                raise _UnfitError
            self._slots[key] = self.tables.fresh()
            self.inputs.append((node, kind, self._slots[key]))
        return C.Get(self._slots[key])

    def _kind(self, node: C.Node) -> Kind | None:
        kind = self.tables.kinds.of(node)
        if kind.sort != NUMBER or kind.low < -1 or kind.top > MOST_ENTRIES:
            return None
        return number(kind.low, kind.top)


def _key(node: Any) -> Any:
    """What an input is known by; none for what is none."""
    inner = node
    while isinstance(inner, C.Cell | C.Look):
        inner = inner.index
    plain = isinstance(inner, C.Get) or (isinstance(inner, C.Const) and isinstance(inner.value, int))
    return key(node) if plain else None
