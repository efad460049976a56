"""What kind of value every expression of a program has, as an executor needs to know it.

Whoever makes an expression knows the type of its value, and leaves it on the node (`core.Expression.type`); fields of
the state have types, too. The kinds of everything else follow from those of its parts, by the rows of operations. What
a variable of a formula may be is told by what it is given: formulas are gone through once, each behind those that ask
for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from ruledsl.types import FAR as FAR_NUMBER
from ruledsl.types import NO_NUMBER, Bool, Elem, ListOf, Num, SetOf, every

from . import core as C
from .kinds import (
    A_BAG,
    A_WORD,
    ANY_NUMBER,
    COUNT,
    FAR,
    NUMBER,
    SET,
    TRUTH,
    Kind,
    a_list,
    a_set,
    join,
    kind_of_type,
    kind_of_value,
    meet,
    number,
)
from .ops import Facts, Given, row_of
from .walk import parts, within


class Kinds:
    """The kinds of all slots and expressions of a program, and the formulas and effects that it asks for.

    `trusting` are local variables of effects whose types say little: they are what is put into them.
    """

    def __init__(self, program: C.Program, extra: tuple[Any, ...] = (), trusting: bool = False) -> None:
        self.program = program
        self.slots: dict[int, Kind] = {}  # of variables
        self.fields: dict[int, Kind] = {}  # by slot
        self.roots: list[Any] = [
            *(op for block in program.blocks for op in block.ops),
            *(block.end for block in program.blocks if block.end is not None),
            *extra,
        ]
        self.formulas: list[C.Formula] = []  # in the order in which they are met
        self.procedures: list[C.Procedure] = list(program.procedures)
        roots = program.roots
        self._known: dict[Any, Kind] = {}
        self._tables: dict[int, tuple[Kind, tuple[Any, ...]]] = {}  # by identity; the table is held with it
        self._settled = False
        most = max([8, *(root.size for root in roots.values())])
        pieces = roots["piece"].size if "piece" in roots else 1
        self.facts = Facts(pieces, roots["player"].size, most)
        self._lay_out()
        most = max([most, *(kind.top for kind in self.fields.values() if kind.sort == SET)])
        self.facts = Facts(pieces, roots["player"].size, most)
        asked = self._meet()
        self._put = self._trusted() if trusting else dict[int, Kind]()
        self._choosing()
        for root in (*self.roots[: len(self.roots) - len(asked)], *_after_those_that_ask(self.formulas, asked)):
            self._bind_all(root)
        self.fields |= {slot: meet(kind, self.fields[slot]) for slot, kind in self._put.items()}
        self._settled = True

    def _meet(self) -> dict[C.Formula, list[C.Formula]]:
        """Finds the formulas and effects of rows too, which are known to nothing but what uses them; and which
        formulas each asks for."""
        seen: set[int] = set()
        work = list(reversed(self.roots))
        while work:
            node = work.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            match node:
                case C.Invoke(formula=formula):
                    if formula not in self.formulas:
                        self.formulas.append(formula)
                        if formula.body is not None:
                            self.roots.append(formula.body)
                            work.append(formula.body)
                case C.CallProcedure(procedure=procedure) | C.Would(procedure=procedure):
                    if procedure not in self.procedures:
                        self.procedures.append(procedure)
                case C.Possible(choice=choice):
                    work.append(choice)
            work += parts(node)
        return {
            formula: [node.formula for node in within(formula.body) if isinstance(node, C.Invoke)]
            for formula in self.formulas
            if formula.body is not None
        }

    # -------------------------------------------------------------------------------------------- the state

    def _lay_out(self) -> None:
        spots = self.program.spots
        a_piece, players = number(-1, self.facts.pieces), self.facts.players
        arrays = {
            spots.at: number(-1, spots.count),
            spots.top: a_piece,
            spots.bottom: a_piece,
            spots.under: a_piece,
            spots.over: a_piece,
            spots.members: a_set(self.facts.pieces),
            spots.known: a_set(players),
        }
        header = {
            C.PC: number(-1, len(self.program.blocks)),
            C.ME: number(0, players),
            C.TURN_PLAYER: number(-1, players),
            C.WINNERS: a_set(players),
        }
        for field in self.program.layout.fields:
            kind = arrays.get(field.base) if field.kind in ("piece", "spot") else None
            kind = kind or header.get(field.base) or _of_field(field)
            for slot in range(field.base, field.base + field.count * field.width):
                self.fields[slot] = kind
            if field.kind == "history":
                self.fields[field.base] = number(0, field.count * field.width)
            elif isinstance(field.type, ListOf):  # each behind its length
                for item in range(field.count):
                    self.fields[field.base + item * field.width] = number(0, field.width)

    def _trusted(self) -> dict[int, Kind]:
        """Local variables of effects that no act counts up, and whose types say little."""
        acts = [op for block in self.program.blocks for op in block.ops if isinstance(op, C.Act)]
        counted = {slot for op in acts for slot in op.data if isinstance(slot, int)}
        return {
            field.base: number(0, 1)
            for field in self.program.layout.fields
            if field.kind == "local"
            and isinstance(field.type, Num)
            and field.type.high == FAR_NUMBER
            and field.base not in counted
        }

    def _choosing(self) -> None:
        """The layout does not know of which type a variable of a choice is, but the variable does; it is what is put
        into it."""
        for root in self.roots:
            variables: list[C.Variable] = []
            if isinstance(root, C.Choice):
                variables = [variable for entry in root.entries for variable in entry.variables]
            elif isinstance(root, C.Chance) and root.variable is not None:
                variables = [root.variable]
            for variable in variables:
                if variable.fewest is None:
                    self._put[variable.slot] = number(0, 1)
                    self.fields[variable.slot] = join(kind_of_type(variable.type), number(0, 1))

    def slot(self, slot: int) -> Kind:
        """The kind of a slot; of a list or bag in slots, that of its items."""
        return self.fields.get(slot) or self.slots.get(slot) or ANY_NUMBER

    def fresh(self, kind: Kind) -> int:
        """A variable that the program does not have."""
        slot = -1_000_000 - len(self.slots)
        self.slots[slot] = kind
        return slot

    # --------------------------------------------------------------------------------- what variables are given

    def _bind(self, slot: int, kind: Kind) -> None:
        if slot in self._put:
            self._put[slot] = join(self._put[slot], kind)
        elif slot not in self.fields:
            self.slots[slot] = join(self.slots[slot], kind) if slot in self.slots else kind

    def _bind_several(self, slots: tuple[int, ...], args: tuple[C.Node, ...]) -> None:
        for slot, arg in zip(slots, args, strict=True):
            self._bind(slot, self.of(arg))

    def _bind_all(self, node: Any) -> None:
        """Every variable that is bound within an expression, operation or end, before what asks for it."""
        match node:
            case C.Fold() | C.Every() | C.Passing():
                self._bind_each(node.each)
            case C.Choice(entries=entries):
                for entry in entries:
                    for slot, value in entry.stored:
                        self._bind(slot, self.of(value))
                    for variable in entry.variables:
                        self._bind_variable(variable)
            case C.Chance(variable=variable) if variable is not None:
                self._bind_variable(variable)
            case C.Possible(choice=choice):
                self._bind_all(choice)
            case C.Zero(slots=slots):
                for slot in slots:
                    self._bind(slot, number(0, 1))
            case C.With(slots=slots, args=args):
                for arg in args:
                    self._bind_all(arg)
                self._bind_several(slots, args)
                self._bind_all(node.body)
                return
        for part in parts(node):
            self._bind_all(part)
        match node:
            case C.Invoke(formula=formula, args=args):
                self._bind_several(formula.slots, args)
            case C.Would(procedure=procedure, args=args) | C.CallProcedure(procedure=procedure, args=args):
                self._bind_several(procedure.parameters, args)
            case C.Put(base=base, value=value):
                self._bind(base, self.of(value))

    def _bind_each(self, each: tuple[C.Each, ...]) -> None:
        for one in each:
            for part in one.domain:
                self._bind_all(part)
            self._bind(one.slot, self.item(one))

    def _bind_variable(self, variable: C.Variable) -> None:
        self._bind_each((variable.each,))
        if variable.fewest is None:
            self._bind(variable.slot, join(self.item(variable.each), number(0, 1)))

    def item(self, each: C.Each) -> Kind:
        """What a variable that runs over a domain may be."""
        if each.form == "range":
            low, high = map(self.of, each.domain)
            return number(low.low, high.top)
        if each.form == "bag":
            return COUNT
        domain = self.of(each.domain[0])
        return number(domain.low, domain.top) if each.form == "list" else number(0, domain.members)

    # ------------------------------------------------------------------------------------------- expressions

    def of(self, node: Any) -> Kind:
        """The kind of an expression."""
        kind = self._known.get(node)
        if kind is None:
            kind = self._of(node)
            if kind.sort != SET and not isinstance(node, C.Const):  # how wide sets are is told by what they are made of
                kind = meet(kind, _as_told(node.type))
            if self._settled:
                self._known[node] = kind
        return kind

    def _of(self, node: Any) -> Kind:
        match node:
            case C.Const(value=value):
                return kind_of_value(value)
            case C.Get(slot=slot):
                return self.slot(slot)
            case C.Cell(base=base, none=none, index=index):
                return self._with_none(self.slot(base), none, index)
            case C.Look(table=table, none=none, index=index):
                return self._with_none(self._of_table(table), none, index)
            case C.Several(base=base, is_list=is_list):
                return a_list(self.slot(base + 1 if is_list else base))
            case C.Op() | C.Primitive():
                kinds = tuple([self.of(arg) for arg in node.args])
                kind = row_of(node).kind(Given(kinds, node.args, getattr(node, "data", ()), self.facts))
                return number(kind.low, kind.top) if kind.sort == NUMBER else kind
            case C.Cond(then=then, otherwise=otherwise):
                return join(self.of(then), self.of(otherwise))
            case C.Otherwise(of=of, none=none, otherwise=otherwise):
                return join(self._there(of, none), self.of(otherwise))
            case C.Fold():
                return self._fold(node)
            case C.Invoke(formula=formula):
                told = _as_told(node.type) or _as_told(formula.type)
                if formula.body is None or (
                    told is not None and not self._settled
                ):  # not all that asks it is known yet
                    return told or ANY_NUMBER
                return self.of(formula.body)
            case C.Select(cases=cases, none=none, index=index):
                return self._with_none(_joined(self.of(case) for case in cases), none, index)
            case C.With(slots=slots, args=args, body=body):
                for slot, arg in zip(slots, args, strict=True):
                    if not (self._settled or slot in self.fields or slot in self.slots):  # asked through a formula
                        self._bind(slot, self.of(arg))
                return self.of(body)
            case C.Demand(of=of, none=none):
                return self._there(of, none)
            case C.Fit(of=of, low=low, high=high, none=none):
                kind = self.of(of)
                return kind if kind.sort != NUMBER else number(NO_NUMBER if none else low, high + 1)
            case C.Both() | C.Either() | C.Would() | C.Possible():
                return TRUTH
        raise AssertionError(node)

    def _of_table(self, table: tuple[Any, ...]) -> Kind:
        """The kind of what a table of the program has."""
        if id(table) not in self._tables:
            self._tables[id(table)] = _joined(map(kind_of_value, dict.fromkeys(table))), table
        return self._tables[id(table)][0]

    def _with_none(self, kind: Kind, none: Any, index: C.Node) -> Kind:
        return kind if self.of(index).sure else join(kind, kind_of_value(none))

    def _there(self, node: Any, none: Any) -> Kind:
        """The kind of an expression where it is not none."""
        match node:
            case C.Op(name="item" | "head" | "tail", args=(items, *_, C.Const(value=value))) if value == none:
                kind = self.of(items)
                return number(kind.low, kind.top)
            case C.Fold(kind="first" | "last" | "max" | "min", value=value) if value is not None and node.none == none:
                return self._there(value, none)
            case C.Look(table=table) if any(value != none for value in table):
                kind = _joined(kind_of_value(value) for value in table if value != none)
                return kind if node.none == none else self._with_none(kind, node.none, node.index)
            case C.Cond(then=then, otherwise=otherwise):
                return join(self._there(then, none), self._there(otherwise, none))
            case C.Otherwise(of=of, none=inner, otherwise=otherwise):
                return join(self._there(of, inner), self._there(otherwise, none))
        kind = self.of(node)
        return number(max(kind.low, 0), kind.top) if kind.sort == NUMBER and none == -1 else kind

    def _fold(self, node: C.Fold) -> Kind:
        item = self.of(node.value) if node.value is not None else self.slot(node.each[0].slot)
        match node.kind:
            case "count":
                return number(0, self._combinations(node) + 1)
            case "any" | "all":
                return TRUTH
            case "most" | "least":
                return a_set(self.item(node.each[0]).top)
            case "bagsum":
                return A_BAG
            case "sum":
                times = self._combinations(node)
                return number(min(0, item.low * times), max(0, (item.top - 1) * times) + 1)
            case "set" if node.value is None and node.each[0].form == "set":
                return a_set(max(item.top, 1))  # some of what it runs over
            case "set":
                return a_set(min(max(item.top, 1), self.facts.most))
            case "union":
                return a_set(item.members)
            case "list":
                return a_list(item)
        return join(item, kind_of_value(node.none))  # first, last, min, max

    def _combinations(self, node: C.Fold) -> int:
        """How many combinations of its variables a comprehension has at the most."""
        items = [self.item(each) for each in node.each]
        times = prod(max(0, item.top - item.low) for item in items)
        return FAR if any(each.form == "list" for each in node.each) else min(times, FAR)


def _joined(kinds: Iterator[Kind]) -> Kind:
    found = next(kinds, ANY_NUMBER)
    for kind in kinds:
        found = join(found, kind)
    return found


def _of_field(field: C.Field) -> Kind:
    """What a field of the state may hold: any member of its type, for states come from outside, too."""
    if field.kind in ("stream", "history"):
        return A_WORD
    match field.type:
        case None:
            return ANY_NUMBER
        case Elem(root=root, maybe=maybe):
            return kind_of_type(Elem(root, root.everything, maybe))
        case SetOf(of=Elem(root=root)):
            return kind_of_type(SetOf(every(root)))
        case ListOf(of=Elem(root=root, maybe=maybe)):
            return kind_of_type(Elem(root, root.everything, maybe))
    return kind_of_type(field.type)


def _as_told(type: Any) -> Kind | None:
    """The kind that a type says. Of bags it says little, for there may be less than nothing in them."""
    return kind_of_type(type) if isinstance(type, Num | Elem | Bool | SetOf) else _listed(type)


def _listed(type: Any) -> Kind | None:
    return a_list(kind_of_type(type)) if isinstance(type, ListOf) else None


def _after_those_that_ask(formulas: list[C.Formula], asked: dict[C.Formula, list[C.Formula]]) -> Iterator[C.Node]:
    """The bodies of formulas, each behind those of all formulas that ask it: no formula asks itself."""
    behind: dict[C.Formula, None] = {}

    def visit(formula: C.Formula) -> None:
        if formula not in behind:
            for other in asked.get(formula, ()):
                visit(other)
            behind[formula] = None

    for formula in formulas:
        visit(formula)
    return (formula.body for formula in reversed(behind) if formula.body is not None)


__all__ = ["Kinds"]
