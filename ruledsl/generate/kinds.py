"""What kind of value every expression of a program has, worked out from the program alone.

The reference interpreter keeps sets as integers of any length; a generator must know which integers are sets, and
how many members they may have, to lay them out in machine words.
"""

from __future__ import annotations

from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.kinds import (
    A_WORD,
    ANY_NUMBER,
    FAR,
    LIST,
    NUMBER,
    SET,
    TRUTH,
    Kind,
    a_set,
    kind_of_type,
    kind_of_value,
    number,
)
from ruledsl.ir.kinds import join as joined
from ruledsl.ir.ops import Facts, Given, row_of
from ruledsl.ir.walk import parts
from ruledsl.types import NO_NUMBER

WIDE = 1 << 30  # the type of a variable that was not looked into goes farther


class Kinds:
    """The kinds of all slots and expressions of a program."""

    def __init__(self, program: C.Program, extra: tuple[Any, ...] = ()) -> None:
        self.program = program
        self.most = max([8, *(root.size for root in program.roots.values())])
        self.slots: dict[int, Kind | None] = {}  # of variables, and of fields that no type is known of
        self.fields: dict[int, Kind] = {}  # by slot
        self._fields()
        self.most = max([self.most, *(kind.top for kind in self.fields.values() if kind.sort == SET)])
        pieces = program.roots["piece"].size if "piece" in program.roots else 1
        self.facts = Facts(pieces, program.roots["player"].size, self.most)
        self.roots: list[Any] = [
            *(op for block in program.blocks for op in block.ops),
            *(block.end for block in program.blocks if block.end is not None),
            *extra,
        ]
        self._formulas: dict[C.Formula, Kind | None] = {}
        self._tables: dict[int, tuple[Kind | None, tuple[Any, ...]]] = {}  # by identity; the table is held with it
        self.formulas: list[C.Formula] = []  # in the order in which they are met
        self.procedures: list[C.Procedure] = list(program.procedures)
        self._meet()
        self._choosing()
        self._settle()

    def _meet(self) -> None:
        """Finds the formulas and effects of rows too: they are known to nothing but what uses them."""
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

    def _choosing(self) -> None:
        """What a variable of a choice may be is told by what it runs over, where its type says little."""
        for root in self.roots:
            variables: list[C.Variable] = []
            if isinstance(root, C.Choice):
                variables = [variable for entry in root.entries for variable in entry.variables]
            elif isinstance(root, C.Chance) and root.variable is not None:
                variables = [root.variable]
            for variable in variables:
                kind = self.fields.get(variable.slot)
                if variable.fewest is None and kind is not None and kind.top > WIDE:
                    del self.fields[variable.slot]
                    self.slots[variable.slot] = number(0, 1)

    # -------------------------------------------------------------------------------------------- the state

    def _fields(self) -> None:
        spots, pieces = self.program.spots, self.program.roots.get("piece")
        size = pieces.size if pieces is not None else 0
        arrays = {
            spots.at: number(-1, spots.count),
            spots.top: number(-1, size),
            spots.bottom: number(-1, size),
            spots.under: number(-1, size),
            spots.over: number(-1, size),
            spots.members: a_set(size),
            spots.known: a_set(self.program.roots["player"].size),
        }
        players = self.program.roots["player"].size
        header = {
            C.PC: number(-1, len(self.program.blocks)),
            C.ME: number(0, players),
            C.TURN_PLAYER: number(-1, players),
            C.WINNERS: a_set(players),
        }
        for field in self.program.layout.fields:
            kind = arrays.get(field.base) if field.kind in ("piece", "spot") else None
            kind = kind or header.get(field.base) or self._field(field)
            for slot in range(field.base, field.base + field.count * field.width):
                if kind is None:
                    self.slots[slot] = None
                else:
                    self.fields[slot] = kind
            if field.kind == "history":
                self.fields[field.base] = number(0, field.count * field.width)

    def _field(self, field: C.Field) -> Kind | None:
        if field.kind in ("stream", "history"):
            return A_WORD
        if field.kind in ("piece", "spot", "draft", "counter", "header"):
            return ANY_NUMBER if field.type is None else kind_of_type(field.type)
        return kind_of_type(field.type) if field.type is not None else None

    def slot(self, slot: int) -> Kind:
        """The kind of a slot; of a list or bag in slots, that of its items."""
        return self.fields.get(slot) or self.slots.get(slot) or ANY_NUMBER

    def fresh(self, kind: Kind) -> int:
        """A variable that the program does not have."""
        slot = -1_000_000 - len(self.slots)
        self.slots[slot] = kind
        return slot

    # ---------------------------------------------------------------------------------------- by and by

    def _settle(self) -> None:
        """Goes over the program until nothing more becomes known."""
        for _ in range(50):
            before, self._formulas = dict(self.slots), {}
            for root in self.roots:
                self._note(root)
            if self.slots == before:
                return
        for slot, kind in self.slots.items():  # widened without end: give the bounds up
            if kind is not None and kind.sort == NUMBER:
                self.slots[slot] = ANY_NUMBER

    def _bind(self, slot: int, kind: Kind | None) -> None:
        if slot not in self.fields:
            self.slots[slot] = join(self.slots.get(slot), kind)

    def _note(self, node: Any) -> None:
        match node:
            case C.Fold() | C.Every() | C.Passing():
                for each in node.each:
                    self._bind(each.slot, self.item(each))
            case C.Invoke(formula=formula, args=args):
                for slot, arg in zip(formula.slots, args, strict=True):
                    self._bind(slot, self.of(arg))
            case C.With(slots=slots, args=args):
                for slot, arg in zip(slots, args, strict=True):
                    self._bind(slot, self.of(arg))
            case C.Would(procedure=procedure, args=args) | C.CallProcedure(procedure=procedure, args=args):
                for slot, arg in zip(procedure.parameters, args, strict=True):
                    self._bind(slot, self.of(arg))
            case C.Put(base=base, value=value):
                self._bind(base, self.of(value))
            case C.Zero(slots=slots):
                for slot in slots:
                    self._bind(slot, number(0, 1))
            case C.Choice():
                for entry in node.entries:
                    for variable in entry.variables:
                        self._variable(variable)
                    for slot, value in entry.stored:
                        self._bind(slot, self.of(value))
            case C.Chance(variable=variable) if variable is not None:
                self._variable(variable)
            case C.Possible(choice=choice):
                for entry in choice.entries:
                    for variable in entry.variables:
                        self._variable(variable)
        for part in parts(node):
            self._note(part)
        if isinstance(node, C.Possible):
            for part in parts(node.choice):
                self._note(part)

    def _variable(self, variable: C.Variable) -> None:
        item = self.item(variable.each)
        self._bind(variable.each.slot, item)
        if variable.fewest is None:
            self._bind(variable.slot, join(item, number(0, 1)))

    def item(self, each: C.Each) -> Kind | None:
        """What a variable that runs over a domain may be."""
        if each.form == "range":
            low, high = (self.of(part) for part in each.domain)
            return number(low.low, high.top) if low is not None and high is not None else None
        domain = self.of(each.domain[0])
        if domain is None:
            return None
        if each.form == "list":
            return number(domain.low, domain.top)
        if each.form == "bag":
            return number(0, FAR)
        return number(0, domain.members)

    def _of_table(self, table: tuple[Any, ...]) -> Kind | None:
        """The kind of what a table of the program has."""
        if id(table) not in self._tables:
            kind: Kind | None = None
            for value in set(table):
                kind = join(kind, kind_of_value(value))
            self._tables[id(table)] = kind, table
        return self._tables[id(table)][0]

    def of(self, node: Any) -> Kind | None:
        """The kind of an expression; None where it isn't known yet."""
        match node:
            case C.Const(value=value):
                return kind_of_value(value)
            case C.Get(slot=slot):
                return self.fields[slot] if slot in self.fields else self.slots.get(slot)
            case C.Cell(base=base, none=none, index=index):
                return self._with_none(self._at(base), none, index)
            case C.Look(table=table, none=none, index=index):
                return self._with_none(self._of_table(table), none, index)
            case C.Several(base=base, is_list=is_list):
                kind = self._at(base + 1 if is_list else base)
                return None if kind is None else Kind(LIST, kind.low, kind.top)
            case C.Both() | C.Either():
                return TRUTH
            case C.Cond(then=then, otherwise=otherwise):
                return join(self.of(then), self.of(otherwise))
            case C.Otherwise(of=of, none=none, otherwise=otherwise):
                return join(self._there(of, none), self.of(otherwise))
            case C.Fold():
                return self._fold(node)
            case C.Invoke(formula=formula):
                if formula not in self._formulas:
                    self._formulas[formula] = None
                    self._formulas[formula] = self.of(formula.body) if formula.body is not None else None
                return self._formulas[formula]
            case C.Select(cases=cases, none=none, index=index):
                kind = None
                for case in cases:
                    kind = join(kind, self.of(case))
                return self._with_none(kind, none, index)
            case C.With(body=body):
                return self.of(body)
            case C.Would() | C.Possible():
                return TRUTH
            case C.Demand(of=of, none=none):
                return self._there(of, none)
            case C.Fit(of=of, low=low, high=high, none=none):
                kind = self.of(of)
                if kind is None or kind.sort != NUMBER:
                    return kind
                return number(NO_NUMBER if none else low, high + 1)
            case C.Op() | C.Primitive():
                return self._row(node)
        raise AssertionError(node)

    def _there(self, node: Any, none: Any) -> Kind | None:
        """The kind of an expression where it is not none."""
        match node:
            case C.Op(name="item" | "head" | "tail", args=(items, *_, C.Const(value=value))) if value == none:
                kind = self.of(items)
                return None if kind is None else number(kind.low, kind.top)
            case C.Fold(kind="first" | "last" | "max" | "min", value=value) if value is not None and node.none == none:
                return self._there(value, none)
            case C.Look(table=table) if any(value != none for value in table):
                kind = None
                for value in table:
                    kind = kind if value == none else join(kind, kind_of_value(value))
                return kind if node.none == none else self._with_none(kind, node.none, node.index)
            case C.Cond(then=then, otherwise=otherwise):
                return join(self._there(then, none), self._there(otherwise, none))
            case C.Otherwise(of=of, none=inner, otherwise=otherwise):
                return join(self._there(of, inner), self._there(otherwise, none))
        kind = self.of(node)
        if kind is not None and kind.sort == NUMBER and none == -1:
            return number(max(kind.low, 0), kind.top)
        return kind

    def _at(self, base: int) -> Kind | None:
        return self.fields[base] if base in self.fields else self.slots.get(base)

    def _with_none(self, kind: Kind | None, none: Any, index: C.Node) -> Kind | None:
        at = self.of(index)
        if at is not None and at.sure:
            return kind
        return join(kind, kind_of_value(none)) if kind is not None else None

    def _row(self, node: C.Op | C.Primitive) -> Kind | None:
        """The kind of an operation or primitive, as its row says it of the kinds of its arguments."""
        kinds = tuple([self.of(arg) for arg in node.args])
        if None in kinds:
            return None
        return row_of(node).kind(Given(kinds, node.args, getattr(node, "data", ()), self.facts))  # type: ignore[arg-type]

    def _fold(self, node: C.Fold) -> Kind | None:
        if node.kind in ("count",):
            return number(0, FAR)
        if node.kind in ("any", "all"):
            return TRUTH
        if node.kind in ("most", "least"):
            item = self.item(node.each[0])
            return a_set(item.top) if item is not None else None
        if node.value is not None:
            value = self.of(node.value)
        else:
            slot = node.each[0].slot
            value = self.fields[slot] if slot in self.fields else self.slots.get(slot)
        if node.kind == "bagsum":
            return Kind(LIST)
        if value is None:
            return None
        if node.kind == "sum":
            return ANY_NUMBER
        if node.kind == "set":
            return a_set(min(max(value.top, 1), self.most))
        if node.kind == "union":
            return a_set(value.members)
        if node.kind == "list":
            return Kind(LIST, value.low, value.top)
        return join(value, kind_of_value(node.none))  # first, last, min, max


def join(a: Kind | None, b: Kind | None) -> Kind | None:
    """The kind that holds the values of both, as far as they are known."""
    if a is None or b is None:
        return b if a is None else a
    return joined(a, b)
