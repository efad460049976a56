"""Expressions of a program as text of another language: what is the same for Python and C.

A writer turns every form of `ir.core` into lines and texts. The languages differ in their leaves only (how a set is
written, how a loop begins); those are the methods of `Language`. An expression becomes one text where it can, and
lines before it where it cannot: `value` may write lines into the function that is being written.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import ANY_NUMBER, LIST, NUMBER, SET, TRUTH, Kind, a_set, number
from ruledsl.ir.ops import OPS
from ruledsl.types import NO_NUMBER

from .folds import Folds
from .kept import Region, conjuncts
from .language import Language, Text
from .passes import NONE_OFF, Off, Pass
from .reaching import standing_on
from .sights import seen_from, stepped_from
from .tabled import Table


class Writer(Language):
    """Writes expressions: every form of `ir.core` once, with the leaves of a language."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        super().__init__(program, kinds, without)
        self.folds = Folds(self)

    # ---------------------------------------------------------------------------------- values by sort

    def kind(self, node: C.Node) -> Kind:
        return self.kinds.of(node)

    def value(self, node: C.Node) -> Text:
        """The text of an expression, and its kind."""
        text: Text = getattr(self, "_" + type(node).__name__.lower())(node)
        return text

    def number(self, node: C.Node) -> str:
        return self.value(node)[0]

    def truth(self, node: C.Node) -> str:
        return self.value(node)[0]

    def set_text(self, node: C.Node, top: int | None = None) -> str:
        """The text of an expression as a set of members below `top`."""
        if isinstance(node, C.Const):
            value = int(node.value)
            return self.set_const(value, top if top is not None else max(value.bit_length(), 1))
        text, kind = self.value(node)
        return self.as_set(text, kind, top if top is not None else kind.members)

    def list_text(self, node: C.Node) -> str:
        return self.value(node)[0]

    def as_kind(self, node: C.Node, kind: Kind) -> str:
        """The text of an expression in the form that a variable of this kind holds."""
        return self.set_text(node, kind.top) if kind.sort == SET else self.value(node)[0]

    def top_of(self, node: C.Node) -> int:
        return self.kind(node).members

    # -------------------------------------------------------------------------------------- the forms

    def _const(self, node: C.Const) -> Text:
        if isinstance(node.value, tuple):
            return self.list_const(node.value), self.kind(node)
        kind = self.kind(node)
        if kind.sort == SET:
            return self.set_const(node.value, kind.top), kind
        return str(int(node.value)), kind

    def _get(self, node: C.Get) -> Text:
        return self.slot(node.slot), self.kinds.slot(node.slot)

    def _cell(self, node: C.Cell) -> Text:
        index, at = self.value(node.index)
        kind = self.kinds.slot(node.base)
        if at.sure:
            return self.item(node.base, index), kind
        index = self.simple(index)
        none = self.set_const(0, kind.top) if kind.sort == SET else str(node.none)
        return self.cond(f"{index} >= 0", self.item(node.base, index), none), self.kind(node)

    def _look(self, node: C.Look) -> Text:
        index, at = self.value(node.index)
        kind = self.kind(node)
        if at.low < -1:
            index = self.simple(index)
            index = self.cond(f"{index} >= 0", index, "-1")
        return self.table(node.table, node.none, kind, index, at.sure), kind

    def _several(self, node: C.Several) -> Text:
        index = None
        if node.index is not None:
            index, at = self.value(node.index)
            if not at.sure:
                index = self.simple(index)
                empty = self.list_const(() if node.is_list else (0,) * node.count)
                return self.cond(
                    f"{index} >= 0", self.several(node.base, node.count, index, node.is_list), empty
                ), self.kind(node)
        return self.several(node.base, node.count, index, node.is_list), self.kind(node)

    def _op(self, node: C.Op) -> Text:
        """An operation: by a method `op_…` where there is more to say, else as its row says it."""
        kind, method = self.kind(node), getattr(self, "op_" + node.name, None)
        text = method(node, kind) if method is not None else None
        return (self.op_as_told(node, kind) if text is None else text), kind

    def op_as_told(self, node: C.Op, kind: Kind) -> str:
        row, args = OPS[node.name], node.args
        of_sets = [at for at in range(len(args)) if row.sort_of(at) == SET]
        top = max((self.top_of(args[at]) for at in of_sets), default=kind.top)
        texts = [self.set_text(arg, top) if at in of_sets else self.value(arg)[0] for at, arg in enumerate(args)]
        text = self.op(node.name, texts, top)
        return self.as_set(text, a_set(top), kind.top) if of_sets and row.gives == SET else text

    def op_equal(self, node: C.Op, kind: Kind) -> str | None:
        one, other = node.args
        sorts = {self.kind(one).sort, self.kind(other).sort}
        if SET in sorts:
            top = max(self.top_of(one), self.top_of(other))
            some = self.some_of(one, other) or self.some_of(other, one)
            if some is not None:
                return some if node.name == "unequal" else self.not_(some)
            return self.op(node.name, [self.set_text(one, top), self.set_text(other, top)], top)
        if LIST in sorts:
            return self.same_lists(node.name, self.list_text(one), self.list_text(other))
        return None

    op_unequal = op_equal

    def op_less(self, node: C.Op, kind: Kind) -> str | None:
        """Numbers, or lists item by item."""
        if LIST not in {self.kind(arg).sort for arg in node.args}:
            return None
        one, other = map(self.list_text, node.args)
        return f"({self.compared(one, OPS[node.name].infix, other, Kind(LIST))})"

    op_at_most = op_greater = op_at_least = op_less

    def op_holds(self, node: C.Op, kind: Kind) -> str:
        item, whole = node.args
        found = self.membership(item, whole)
        if found is not None:
            return found
        text, of = self.value(item)
        top = self.top_of(whole)
        inside = self.set_text(whole, top)
        if of.sure and of.top <= top:
            return self.op("has", [text, inside], top)
        return self.op("holds", [self.simple(text), inside], top)

    def op_only(self, node: C.Op, kind: Kind) -> str | None:
        (item,) = node.args
        return self.op("just", [self.number(item)], kind.top) if self.kind(item).sure else None

    def op_not(self, node: C.Op, kind: Kind) -> str:
        return self.not_(self.truth(node.args[0]))

    def op_truth(self, node: C.Op, kind: Kind) -> str | None:
        return self.truth(node.args[0]) if self.kind(node.args[0]) == TRUTH else None

    def op_divide(self, node: C.Op, kind: Kind) -> str:
        fails = OPS[node.name].fails
        assert fails is not None
        left, right = map(self.number, node.args)
        return self.divide(node.name, left, right, self.fault(node.span, fails.message))

    op_remainder = op_divide

    def op_rotate(self, node: C.Op, kind: Kind) -> str:
        where, by, count = map(self.value, node.args)
        return self.rotate(where, by, count[0])

    def op_head(self, node: C.Op, kind: Kind) -> str | None:
        lying = self.lies_first(node)
        if lying is None:
            return None
        kinds = lying.data[0] if lying.data[0] is not None else self.every_piece
        return self.value(C.Primitive("first_on", lying.args, (kinds,), lying.span))[0]

    @property
    def every_piece(self) -> int:
        """All pieces, as a set."""
        return self.program.roots["piece"].everything

    @abstractmethod
    def same_lists(self, name: str, one: str, other: str) -> str:
        """Whether two lists are equal, or unequal."""

    def lies_first(self, node: C.Op) -> C.Primitive | None:
        """The pieces of which the first is asked for, if it can be had without listing them all."""
        lying = node.args[0] if node.name == "head" and self.on(Pass.WITHOUT_LISTS) else None
        return lying if isinstance(lying, C.Primitive) and lying.name == "on" else None

    @abstractmethod
    def rotate(self, where: Text, by: Text, count: str) -> str: ...

    def some_of(self, one: C.Node, nothing: C.Node) -> str | None:
        """Whether a set that is a comprehension has any member, without working all of them out."""
        if not isinstance(nothing, C.Const) or nothing.value != 0 or not self.on(Pass.FIRST_FOUND):
            return None
        if not self.absorber.safe(one):  # a member that is not looked at any more may be a fault
            return None
        if isinstance(one, C.Fold) and one.kind == "set":
            return self.truth(self.any_of(one))
        if isinstance(one, C.Invoke) and isinstance(one.formula.body, C.Fold) and one.formula.body.kind == "set":
            if self.pure.table(one.formula) is not None or self.remembered(one.formula):
                return None
            return self.call_any(one)
        return None

    def membership(self, item: C.Node, node: C.Node) -> str | None:
        """Whether something belongs to a set that a formula makes, without making all of it."""
        if not self.on(Pass.FIRST_FOUND) or not self.absorber.safe(node):
            return None
        if isinstance(node, C.Fold) and self.pushed(C.Get(0), node) is not None:
            kind = self.kind(item)
            slot = self.new_slot(kind)
            inside = self.pushed(C.Get(slot), node)
            result = self.temp("found")
            text = self.held(self.number(item), kind)
            self.declare(TRUTH, result, "0")
            with self.scope():
                self.declare(kind, self.slot(slot), text)
                assert inside is not None, "asked with another variable above"
                self.assign(result, self.truth(inside))
            return result
        if isinstance(node, C.Invoke) and node.formula.body is not None and self.pure.table(node.formula) is None:
            if not self.remembered(node.formula) and self.pushed(C.Get(0), node.formula.body) is not None:
                return self.call_in(item, node)
        return None

    def new_slot(self, kind: Kind) -> int:
        """A variable that the program does not have."""
        return self.kinds.fresh(kind)

    def pushed(self, item: C.Node, node: C.Node) -> C.Node | None:
        """The question whether a set has a member, asked of what the set is made of; none if nothing is gained."""
        match node:
            case C.Cond(condition=condition, then=then, otherwise=otherwise):
                one, other = self.pushed(item, then), self.pushed(item, otherwise)
                if one is None and other is None:
                    return None
                plain = C.Op("holds", (item, then)), C.Op("holds", (item, otherwise))
                return C.Cond(condition, one or plain[0], other or plain[1], node.span)
            case C.Fold(kind="set", each=each, where=where, value=value):
                shown = value if value is not None else C.Get(each[0].slot)
                asked = [*conjuncts(where), C.Op("equal", (shown, item))]
                if not self.kind(item).sure and not self.kind(shown).sure:  # a set never has none as a member
                    asked.insert(-1, C.Op("is_there", (shown,)))
                each = self.absorber.aimed(node, item)
                return C.Fold("any", each, C.Both(tuple(asked)), None, (), -1, node.span)
        return None

    def call_in(self, item: C.Node, node: C.Invoke) -> str | None:
        """Calls a formula that gives a set for whether it has a member, where there is something to gain."""
        return None

    def any_of(self, node: C.Fold) -> C.Fold:
        """The question whether a set comprehension has any member."""
        if node not in self._anys:
            value = node.value
            sure = value is None or self.kind(value).sure
            where = node.where
            if not sure and value is not None:
                there = C.Op("is_there", (value,))
                where = C.Both((where, there)) if where is not None else there
            self._anys[node] = C.Fold("any", node.each, where, None, (), -1, node.span)
        return self._anys[node]

    def remembered(self, formula: C.Formula) -> bool:
        """Whether the values of a formula are kept until the state changes."""
        return False

    def call_any(self, node: C.Invoke) -> str | None:
        """Calls a formula that gives a set for whether it has any member, where there is something to gain."""
        return None

    def simple(self, text: str) -> str:
        """The text itself if it may be written several times, else a variable that holds it."""
        if text.replace("_", "a").isalnum() or text.lstrip("-").isdigit():
            return text
        name = self.temp()
        self.declare(ANY_NUMBER, name, text)
        return name

    def held(self, text: str, kind: Kind) -> str:
        name = self.temp()
        self.declare(kind, name, text)
        return name

    def _both(self, node: C.Both) -> Text:
        return self.connected(node.args, True), TRUTH

    def _either(self, node: C.Either) -> Text:
        return self.connected(node.args, False), TRUTH

    def connected(self, args: tuple[C.Node, ...], conjunction: bool) -> str:
        """Texts joined by `and` or `or`; what needs lines before it is worked out only where it matters."""
        texts: list[str] = []
        merge = self.both if conjunction else self.either
        for arg in args:
            with self.captured() as lines:
                text = self.truth(arg)
                known = self.known[-1]
            if not lines:
                texts.append(text)
                continue
            if not texts:
                self.splice(lines)
                self.known[-1].update(known)  # for it is worked out in any case
                texts.append(text)
                continue
            so_far = self.held(merge(texts), TRUTH)
            with self.if_(so_far if conjunction else self.not_(so_far)):
                self.splice(lines, 1)
                self.assign(so_far, text)
            texts = [so_far]
        return merge(texts) if len(texts) > 1 else texts[0]

    def _cond(self, node: C.Cond) -> Text:
        kind = self.kind(node)
        condition = self.truth(node.condition)
        with self.captured() as first:
            then = self.as_kind(node.then, kind)
        with self.captured() as second:
            otherwise = self.as_kind(node.otherwise, kind)
        if not first and not second:
            return self.cond(condition, then, otherwise), kind
        name = self.temp()
        self.declare(kind, name, "")
        with self.if_(condition):
            self.splice(first, 1)
            self.assign(name, then)
        with self.else_():
            self.splice(second, 1)
            self.assign(name, otherwise)
        return name, kind

    def _otherwise(self, node: C.Otherwise) -> Text:
        text, _ = self.value(node.of)
        kind = self.kind(node)
        with self.captured() as lines:
            otherwise = self.as_kind(node.otherwise, kind)
        text = self.simple(text)
        if not lines:
            return self.cond(f"{text} != {node.none}", text, otherwise), kind
        name = self.held(text, kind)
        with self.if_(f"{name} == {node.none}"):
            self.splice(lines, 1)
            self.assign(name, otherwise)
        return name, kind

    def _invoke(self, node: C.Invoke) -> Text:
        formula = node.formula
        kind = self.kind(node)
        args = [self.as_kind(arg, self.kinds.slot(slot)) for slot, arg in zip(formula.slots, node.args, strict=True)]
        table = self.pure.table(formula)
        if table is not None:
            return self.worked_out(formula, table, args), kind
        if (kind.sort == LIST and not self.keeps_lists) or not self.pure.worth_keeping(formula):
            return self.call(formula, args), kind
        key = (formula, *args)
        known = self.at_hand(key)
        if known is not None:
            return known
        name = self.held(self.call(formula, args), kind)
        self.known[-1][key] = name, kind
        return name, kind

    def at_hand(self, key: Any) -> Text | None:
        """A value that was worked out before in the same function, where nothing has changed since."""
        if not self.on(Pass.VALUES_AT_HAND):
            return None
        return next((scope[key] for scope in reversed(self.known) if key in scope), None)

    def looked_up(self, node: C.Node, table: Table) -> Text:
        """A value that few inputs decide."""
        kind = self.kind(node)
        if kind.sort != SET:
            kind = number(min(table.values), max(table.values) + 1)
        if len(set(table.values)) == 1:
            value = table.values[0]
            return (self.set_const(value, kind.top) if kind.sort == SET else str(value)), kind
        index = ""
        for leaf, of in table.inputs:
            text = self.number(leaf)
            text = f"({text} + {-of.low})" if of.low else text
            index = f"({index}) * {of.top - of.low} + {text}" if index else text
        return self.table(table.values, 0, kind, index, True), kind

    def worked_out(self, formula: C.Formula, table: list[Any], args: list[str]) -> str:
        """A formula that depends on `me` and its arguments alone, as a table."""
        kind = self.kind(formula.body) if formula.body is not None else ANY_NUMBER
        index = self.slot(C.ME) if self.pure.asks_me(formula) else ""
        for arg, slot in zip(args, formula.slots, strict=True):
            top = self.kinds.slot(slot).top
            index = f"({index}) * {top} + {arg}" if index else arg
        return self.table(tuple(table), 0, kind, index or "0", True)

    def _select(self, node: C.Select) -> Text:
        kind = self.kind(node)
        index = self.simple(self.number(node.index))
        name = self.temp()
        if kind.sort == SET:
            none = self.set_const(node.none, kind.top)
        else:
            none = self.list_const(node.none) if isinstance(node.none, tuple) else str(int(node.none))
        self.declare(kind, name, none)
        for number_, case in enumerate(node.cases):
            with self.if_(f"{index} == {number_}"):
                self.assign(name, self.as_kind(case, kind))
        return name, kind

    def _with(self, node: C.With) -> Text:
        kind = self.kind(node)
        values = [
            self.held(self.as_kind(arg, self.kinds.slot(slot)), self.kinds.slot(slot))
            for slot, arg in zip(node.slots, node.args, strict=True)
        ]
        result = self.temp()
        self.declare(kind, result, "")
        with self.scope(), self.afresh():
            kept = []
            for slot, value in zip(node.slots, values, strict=True):
                if slot < 0:
                    self.declare(self.kinds.slot(slot), self.slot(slot), value)
                else:
                    kept.append((slot, self.held(self.slot(slot), self.kinds.slot(slot))))
            for slot, value in zip(node.slots, values, strict=True):
                if slot >= 0:
                    self.assign(self.slot(slot), value)
            self.other_than({slot for slot, _ in kept})
            text = self.as_kind(node.body, kind)
            self.assign(result, text)
            for slot, value in kept:
                self.assign(self.slot(slot), value)
            self.other_than({slot for slot, _ in kept})
        return result, kind

    @abstractmethod
    @contextmanager
    def scope(self) -> Iterator[None]: ...

    def other_than(self, slots: set[int]) -> None:
        """Slots of the state hold something else from here on."""

    def _would(self, node: C.Would) -> Text:
        slots = node.procedure.parameters
        args = [self.as_kind(arg, self.kinds.slot(slot)) for slot, arg in zip(slots, node.args, strict=True)]
        return self.would(node, args), TRUTH

    def _lookahead(self, node: C.Lookahead) -> Text:
        slots = node.procedure.parameters
        args = [self.as_kind(arg, self.kinds.slot(slot)) for slot, arg in zip(slots, node.args, strict=True)]
        return self.ways(node, args), TRUTH

    def _demand(self, node: C.Demand) -> Text:
        text, kind = self.value(node.of)
        if kind.sort != NUMBER or (node.none == -1 and kind.sure):
            return text, kind
        return self.demand(text, node.none, self.fault(node.span, node.message)), self.kind(node)

    def _fit(self, node: C.Fit) -> Text:
        text, kind = self.value(node.of)
        if kind.sort != NUMBER or (node.low <= kind.low and kind.top <= node.high + 1):
            return text, kind
        fault = self.fault(node.span, f"{node.what} would become {{}}, outside {node.low}..{node.high}")
        return self.fit(text, node.low, node.high, NO_NUMBER if node.none else None, fault), self.kind(node)

    def _possible(self, node: C.Possible) -> Text:
        return self.possible(node), TRUTH

    # ------------------------------------------------------------------------------------- primitives

    def method(self, name: str) -> Callable[..., Any] | None:
        """The method of this name, of the writer or of the parts that it has for primitives of some sort."""
        return next((found for one in (self, *self.parts) if (found := getattr(one, name, None)) is not None), None)

    def _primitive(self, node: C.Primitive) -> Text:
        """A primitive: by a method `prim_…` where there is more to say, else as its row says it."""
        kind, method = self.kind(node), self.method("prim_" + node.name)
        text = method(node, kind) if method is not None else None
        return (self.prim_as_told(node) if text is None else text), kind

    @abstractmethod
    def prim_as_told(self, node: C.Primitive) -> str:
        """A primitive that is a function of the language's own library."""

    def prim_offset(self, node: C.Primitive, kind: Kind) -> str:
        (text, of), (by,) = self.value(node.args[0]), node.data
        if by == 0:
            return text
        if of.sure:
            return f"({text} + {by})"
        text = self.simple(text)
        return self.cond(f"{text} >= 0", f"{text} + {by}", "-1")

    def prim_key(self, node: C.Primitive, kind: Kind) -> str:
        ((outer, one), (inner, other)), (size,) = map(self.value, node.args), node.data
        if one.sure and other.sure:
            return f"({outer} * {size} + {inner})"
        outer, inner = self.simple(outer), self.simple(inner)
        return self.cond(self.both([f"{outer} >= 0", f"{inner} >= 0"]), f"{outer} * {size} + {inner}", "-1")

    def prim_belongs(self, node: C.Primitive, kind: Kind) -> str:
        text, (members, message) = self.simple(self.number(node.args[0])), node.data
        top = max(members.bit_length(), 1)
        inside = self.op("holds", [text, self.set_const(members, top)], top)
        with self.if_(self.both([f"{text} >= 0", self.not_(inside)])):
            self.stop_with(self.fault(node.span, message))
        return text

    def prim_fault(self, node: C.Primitive, kind: Kind) -> str:
        self.stop_with(self.fault(node.span, node.data[0]))
        return "0"

    # ---------------------------------------------------------------------------------- comprehensions

    @contextmanager
    def loop(self, each: C.Each) -> Iterator[None]:
        """Lets a variable run over its domain."""
        name = self.slot(each.slot)
        if each.form == "range":
            low, high = (self.number(part) for part in each.domain)
            with self.loop_range(name, low, high):
                yield
        elif each.form == "list":
            with self.loop_through(name, each.domain[0]):
                yield
        else:
            top = self.top_of(each.domain[0])
            with self.loop_set(name, self.set_text(each.domain[0], top), a_set(top)):
                yield

    @contextmanager
    def loop_through(self, name: str, domain: C.Node) -> Iterator[None]:
        with self.loop_list(name, self.list_text(domain)):
            yield

    def _fold(self, node: C.Fold) -> Text:
        return self.folds.text(node)

    def tested(self, node: C.Fold, do: Callable[[], str | None]) -> None:
        """Loops with the fold's condition around `do`: each part of it as soon as its variables are bound."""
        each = node.each
        levels: list[list[C.Node]] = [[] for _ in range(len(each) + 1)]
        safe = self.on(Pass.EARLY_TESTS)
        # What a variable runs over may be a fault, which a test before it must not keep from being found.
        unsafe = [i + 1 for i, one in enumerate(each) if not all(map(self.absorber.safe, one.domain))]
        for condition in conjuncts(node.where):
            safe = safe and self.absorber.safe(condition)
            bound = [i + 1 for i, one in enumerate(each) if self.absorber.uses(condition, one.slot)] + unsafe
            levels[max(bound, default=0) if safe else len(each)].append(condition)
        for one, conditions in zip(each, levels[1:], strict=True):
            conditions[:0] = self.needed(one, conditions) if one.form == "set" else []
        stop: list[str | None] = []

        def level(i: int) -> None:
            conditions = levels[i]
            if i:
                with self.narrowed(each[i - 1], conditions, domains.get(i - 1)) as left, self.where(left):
                    deeper(i)
            else:
                with self.where(conditions):
                    self.hoist(each, domains)
                    with self.where_some([domains[at] for at in domains if all(before_safe[:at])]):
                        deeper(i)

        def deeper(i: int) -> None:
            if i == len(each):
                stop.append(do())
                if stop[0]:
                    with self.if_(stop[0]):
                        self.break_()
                return
            level(i + 1)
            if i and stop and stop[0]:
                with self.if_(stop[0]):
                    self.break_()

        domains: dict[int, Text] = {}
        before_safe = [  # so that nothing is missed if a later loop, which has nothing to do, keeps one from running
            all(map(self.absorber.safe, (*one.domain, *conditions)))
            for one, conditions in zip(each, levels[1:], strict=True)
        ]
        level(0)

    @contextmanager
    def where_some(self, sets: list[Text]) -> Iterator[None]:
        """What follows is done only if none of the sets is empty."""
        if not sets or not self.on(Pass.EMPTY_DOMAINS):
            yield
            return
        some = [self.op("unequal", [text, self.set_const(0, kind.top)], kind.top) for text, kind in sets]
        with self.if_(self.both(some)):
            yield

    def needed(self, each: C.Each, conditions: list[C.Node]) -> list[C.Node]:
        """Simpler conditions that must hold for those on a variable to hold."""
        return []

    def hoist(self, each: tuple[C.Each, ...], domains: dict[int, Text]) -> None:
        """Works out once the domains of inner loops that do not depend on outer ones."""
        if not self.on(Pass.HOISTED_DOMAINS):
            return
        for i, one in enumerate(each[1:], 1):
            domain = one.domain[0]
            if one.form != "set" or isinstance(domain, C.Const | C.Get | C.Look) or not self.absorber.safe(domain):
                continue
            if any(self.absorber.uses(domain, outer.slot) for outer in each[:i]):
                continue
            kind = a_set(self.top_of(domain))
            domains[i] = self.held(self.set_text(domain, kind.top), kind), kind

    @contextmanager
    def where(self, conditions: list[C.Node]) -> Iterator[None]:
        """What follows is done only if all conditions hold."""
        if not conditions:
            yield
            return
        with self.if_(self.connected(tuple(conditions), True)):
            yield

    @contextmanager
    def narrowed(self, each: C.Each, conditions: list[C.Node], domain: Text | None = None) -> Iterator[list[C.Node]]:
        """A loop over those members of a domain for which conditions hold; gives the conditions that are left."""
        found: list[Region] = []
        left = conditions
        if each.form == "set":
            found, left = self.absorber.absorb(each.slot, conditions)
        if not found and domain is None:
            with self.loop(each):
                yield left
            return
        text, kind = self.narrow(each, found, domain)
        with self.loop_set(self.slot(each.slot), text, kind):
            yield left

    def narrow(self, each: C.Each, found: list[Region], domain: Text | None = None) -> Text:
        """The members of a domain that conditions leave, as a set."""
        top = domain[1].top if domain is not None else self.top_of(each.domain[0])
        text = domain[0] if domain is not None else self.set_text(each.domain[0], top)
        whole = isinstance(each.domain[0], C.Const) and domain is None
        for region in sorted(self.absorber.few(found), key=lambda region: region.sort == "not"):
            if region.sort == "not":
                text = self.op("minus", [text, self.region_set(region.parts[0], top)], top)
                continue
            given = self.region_set(region, top)
            if whole and self._covers(each.domain[0], region):
                text = given
            else:
                text = self.op("common", [text, given], top)
            whole = False
        return text, a_set(top)

    def _covers(self, domain: C.Node, region: Region) -> bool:
        """Whether a domain that never changes holds all that a region may hold."""
        assert isinstance(domain, C.Const)
        whole = self._extent(region)
        return whole is not None and whole & ~int(domain.value) == 0

    def _extent(self, region: Region) -> int | None:
        """A set that holds all that a region may hold, if that can be told."""
        match region.sort:
            case "kept":
                return int((1 << self.size_of(region.kept)) - 1)
            case "fixed" | "whole":
                whole = 0
                for one in region.sets:
                    whole |= one
                return whole
            case "step" | "seen":
                return region.among
            case "and":
                known = [extent for part in region.parts if (extent := self._extent(part)) is not None]
                return min(known, default=None, key=int.bit_count)
        return None

    def region_set(self, region: Region, top: int) -> str:
        """A region as a set."""
        match region.sort:
            case "given":
                assert region.given is not None
                return self.set_text(region.given, top)
            case "whole":
                return self.set_const(region.sets[0], top)
            case "fixed" | "kept":
                index = self.number(region.index) if region.index is not None else None
                if region.kept is None:
                    assert index is not None
                    return self.table(region.sets, 0, a_set(top), index, True)
                if region.none is not None:
                    assert index is not None
                    index = self.simple(index)
                text = self.as_set(self.kept_set(region.kept, index), a_set(self.size_of(region.kept)), top)
                if region.none is not None:
                    text = self.cond(f"{index} >= 0", text, self.region_set(region.none, top))
                return text
            case "not":
                whole = self.set_const((1 << top) - 1, top)
                return self.op("minus", [whole, self.region_set(region.parts[0], top)], top)
            case "step" | "seen":
                wide = max(top, region.reach)  # what lies ahead may have higher numbers than what is asked
                text = (seen_from if region.sort == "seen" else stepped_from)(self, region, wide)
                return self.as_set(text, a_set(wide), top)
            case "standing":
                return standing_on(self, region, top)
        parts_ = self.absorber.few(list(region.parts)) if region.sort == "and" else list(region.parts)
        if region.sort == "and":  # those that something is taken from come first
            parts_.sort(key=lambda part: part.sort == "not")
        first = self.region_set(parts_[0], top)
        for part in parts_[1:]:
            if region.sort == "and" and part.sort == "not":
                first = self.op("minus", [first, self.region_set(part.parts[0], top)], top)
            else:
                other = self.region_set(part, top)
                first = self.op("common" if region.sort == "and" else "union", [first, other], top)
        return first

    @abstractmethod
    def shifted(self, text: str, by: int, top: int) -> str:
        """A set with a number added to every member; those that leave the range may be anything."""

    def size_of(self, kept: Any) -> int:
        return kept.count if kept.of != "pieces" else max(1, self.program.roots["piece"].size)

    @abstractmethod
    def kept_set(self, kept: Any, index: str | None) -> str:
        """A set that is kept up to date."""

    def touches(self, last: C.Each, found: list[Region]) -> str | None:
        """Whether a domain has members in all these regions, where there is a quick way to tell."""
        return None

    def meets(self, last: C.Each, found: list[Region]) -> str | None:
        """The same of a domain that is reached from a start."""
        return None

    def by_sets(self, node: C.Fold, do: Callable[[str, int], str | None]) -> bool:
        """Writes a comprehension by the set of values of its last variable at once; False if it is no such one."""
        if not self.on(Pass.WHOLE_SETS):
            return False
        *outer, last = node.each
        conditions = conjuncts(node.where)
        mine = [condition for condition in conditions if self.absorber.uses(condition, last.slot)]
        rest = [condition for condition in conditions if condition not in mine]
        if not all(map(self.absorber.safe, conditions)) or not self.has_set_form(last):
            return False
        found, left = self.absorber.absorb(last.slot, mine)
        if left:
            return False

        def whole() -> str | None:
            only = next((r.given for r in found if r.given is not None and is_only(r.given)), None)
            goal = self.simple(self.number(only.args[0])) if isinstance(only, C.Op) else None
            domain = self.set_form(last, goal)
            text, kind = self.narrow(last, found, domain)
            return do(text, kind.top)

        if outer:
            inner = C.Fold("any", tuple(outer), C.Both(tuple(rest)) if rest else None, None)
            self.tested(inner, whole)
        else:
            with self.where(rest):
                whole()
        return True

    def has_set_form(self, each: C.Each) -> bool:
        """Whether a domain can be had as a set, the order of whose members is that of the domain."""
        return each.form == "set"

    def set_form(self, each: C.Each, goal: str | None = None) -> Text | None:
        """The domain as a set, if it is not one already; with a goal, nothing but that member of it matters."""
        return None

    def which_end(self, each: C.Each) -> str | None:
        """How the first member of a domain in its order is had from its set, if that is the same for all of them."""
        return None

    def words_of(self, top: int) -> str:
        return ""


def is_only(node: C.Node | None) -> bool:
    return isinstance(node, C.Op) and node.name == "only"
