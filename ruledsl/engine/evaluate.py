"""Expressions of a program as Python closures over the state: the meaning of every form, once.

Each form becomes a function from the state vector to a value. Numbers, members and truth values are integers, a
set is an integer with a bit per member, lists and bags are tuples. The variables of formulas live in the scratch
slots behind the state, so that a function needs nothing but the vector.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.ir.ops import OPS
from ruledsl.types import NO_NUMBER, NONE, bits

from . import connections as connections  # which are primitives, too
from .operations import OPERATIONS
from .primitives import PRIMITIVES

if TYPE_CHECKING:
    from ruledsl.engine.machine import Machine

State = list[int]
Eval = Callable[[State], Any]
Combinations = Callable[[State], Iterator[None]]  # puts each combination of a loop into its slots


class Evaluator:
    """The closures of one program, each made when it is first needed."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._made: dict[Any, Eval] = {}
        self._formulas: dict[C.Formula, Eval] = {}

    def of(self, node: C.Node) -> Eval:
        made = self._made.get(node)
        if made is None:
            made = self._made[node] = getattr(self, "_" + type(node).__name__.lower())(node)
        return made

    def _const(self, node: C.Const) -> Eval:
        value = node.value
        return lambda v: value

    def _get(self, node: C.Get) -> Eval:
        slot = node.slot
        return lambda v: v[slot]

    def _cell(self, node: C.Cell) -> Eval:
        base, index, none = node.base, self.of(node.index), node.none
        if isinstance(node.index, C.Get):
            slot = node.index.slot

            def cell_of_slot(v: State) -> Any:
                i = v[slot]
                return v[base + i] if i >= 0 else none

            return cell_of_slot

        def cell(v: State) -> Any:
            i = index(v)
            return v[base + i] if i >= 0 else none

        return cell

    def _look(self, node: C.Look) -> Eval:
        table, index, none = node.table, self.of(node.index), node.none
        if isinstance(node.index, C.Get):
            slot = node.index.slot

            def look_of_slot(v: State) -> Any:
                i = v[slot]
                return table[i] if i >= 0 else none

            return look_of_slot

        def look(v: State) -> Any:
            i = index(v)
            return table[i] if i >= 0 else none

        return look

    def _several(self, node: C.Several) -> Eval:
        base, count = node.base, node.count
        index = self.of(node.index) if node.index is not None else None
        empty = () if node.is_list else (0,) * count

        def several(v: State) -> Any:
            start = base
            if index is not None:
                i = index(v)
                if i < 0:
                    return empty
                start += i * count
            if node.is_list:
                return tuple(v[start + 1 : start + 1 + v[start]])
            return tuple(v[start : start + count])

        return several

    def _op(self, node: C.Op) -> Eval:
        do = OPERATIONS[node.name]
        lying = node.args[0] if node.name == "head" else None
        if isinstance(lying, C.Primitive) and lying.name == "on":  # without listing them all
            kinds = lying.data[0] if lying.data[0] is not None else -1
            return self.of(C.Primitive("first_on", lying.args, (kinds,), lying.span))
        args = [self.of(arg) for arg in node.args]
        span = node.span
        fails = OPS[node.name].fails
        if fails is not None:
            decisive, wrong, message = args[fails.arg], fails.value, fails.message

            def guarded(v: State) -> Any:
                value = decisive(v)
                if value == wrong:
                    raise RulesFault(span, message)
                return do(*[value if arg is decisive else arg(v) for arg in args])

            return guarded
        if len(args) == 1:
            (one,) = args
            return lambda v: do(one(v))
        if len(args) == 2:
            first, second = args
            if node.name == "equal":  # by far the most common, here and in the next case
                if isinstance(node.args[1], C.Const):
                    known = node.args[1].value
                    return lambda v: first(v) == known
                return lambda v: first(v) == second(v)
            if node.name == "holds":

                def holds(v: State) -> bool:
                    x = first(v)
                    return x >= 0 and second(v) >> x & 1 == 1

                return holds
            return lambda v: do(first(v), second(v))
        return lambda v: do(*[arg(v) for arg in args])

    def _both(self, node: C.Both) -> Eval:
        args = [self.of(arg) for arg in node.args]
        if len(args) == 2:
            first, second = args
            return lambda v: first(v) and second(v)

        def both(v: State) -> Any:
            return all(arg(v) for arg in args)

        return both

    def _either(self, node: C.Either) -> Eval:
        args = [self.of(arg) for arg in node.args]
        if len(args) == 2:
            first, second = args
            return lambda v: first(v) or second(v)

        def either(v: State) -> Any:
            return any(arg(v) for arg in args)

        return either

    def _cond(self, node: C.Cond) -> Eval:
        condition, then, otherwise = self.of(node.condition), self.of(node.then), self.of(node.otherwise)
        return lambda v: then(v) if condition(v) else otherwise(v)

    def _otherwise(self, node: C.Otherwise) -> Eval:
        of, none, instead = self.of(node.of), node.none, self.of(node.otherwise)

        def otherwise(v: State) -> Any:
            value = of(v)
            return instead(v) if value == none else value

        return otherwise

    def _invoke(self, node: C.Invoke) -> Eval:
        formula, args = node.formula, [self.of(arg) for arg in node.args]
        slots = formula.slots
        body: Eval | None = None

        def body_of() -> Eval:
            nonlocal body
            assert formula.body is not None, f"{formula.name} has no body"
            body = self.of(formula.body)
            watch = getattr(self.machine, "watch", None)
            if watch is not None:
                watch(formula)  # told once for each place that uses it
            return body

        if len(args) == 1:
            (slot,), (arg,) = slots, args

            def invoke_one(v: State) -> Any:
                v[slot] = arg(v)
                return (body or body_of())(v)

            return invoke_one

        def invoke(v: State) -> Any:
            values = [arg(v) for arg in args]
            for slot, value in zip(slots, values, strict=True):
                v[slot] = value
            return (body or body_of())(v)

        return invoke

    def _select(self, node: C.Select) -> Eval:
        index, cases, none = self.of(node.index), node.cases, node.none

        def select(v: State) -> Any:
            i = index(v)
            return self.of(cases[i])(v) if i >= 0 else none

        return select

    def _with(self, node: C.With) -> Eval:
        slots, args, body = node.slots, [self.of(arg) for arg in node.args], self.of(node.body)

        def with_(v: State) -> Any:
            values = [arg(v) for arg in args]
            kept = [v[slot] for slot in slots]
            for slot, value in zip(slots, values, strict=True):
                v[slot] = value
            result = body(v)
            for slot, value in zip(slots, kept, strict=True):
                v[slot] = value
            return result

        return with_

    def _would(self, node: C.Would) -> Eval:
        machine, args, condition = self.machine, [self.of(arg) for arg in node.args], self.of(node.condition)
        procedure = node.procedure

        def would(v: State) -> Any:
            copy = v[:]
            machine.run_procedure(copy, procedure, [arg(v) for arg in args])
            return condition(copy)

        return would

    def _lookahead(self, node: C.Lookahead) -> Eval:
        machine, args, condition = self.machine, [self.of(arg) for arg in node.args], self.of(node.condition)

        def ways(v: State) -> Any:
            return any(condition(end) for end in machine.ways(v, node, [arg(v) for arg in args]))

        return ways

    def _demand(self, node: C.Demand) -> Eval:
        of, none, span, message = self.of(node.of), node.none, node.span, node.message

        def demand(v: State) -> Any:
            value = of(v)
            if value == none:
                raise RulesFault(span, message)
            return value

        return demand

    def _fit(self, node: C.Fit) -> Eval:
        of, low, high, span, what = self.of(node.of), node.low, node.high, node.span, node.what
        none = NO_NUMBER if node.none else None

        def fit(v: State) -> Any:
            value = of(v)
            if low <= value <= high or value == none:
                return value
            shown = "none" if value == NO_NUMBER else value
            raise RulesFault(span, f"{what} would become {shown}, outside {low}..{high}")

        return fit

    def _primitive(self, node: C.Primitive) -> Eval:
        return PRIMITIVES[node.name](self.machine, [self.of(arg) for arg in node.args], node)

    def _possible(self, node: C.Possible) -> Eval:
        choice, options = node.choice, self.machine.options
        return lambda v: options.exists(v, choice)

    # ------------------------------------------------------------------------------------- comprehensions

    def values(self, each: C.Each) -> Callable[[State], Any]:
        """The values a variable runs over, in their order."""
        parts = [self.of(part) for part in each.domain]
        if each.form == "range":
            low, high = parts
            return lambda v: range(low(v), high(v) + 1)
        if each.form == "list":
            return parts[0]
        mask = parts[0]
        if isinstance(each.domain[0], C.Const):
            members = tuple(bits(each.domain[0].value))
            return lambda v: members
        if isinstance(each.domain[0], C.Look):  # one of a few sets that never change
            known: dict[int, tuple[int, ...]] = {}

            def members_of(v: State) -> tuple[int, ...]:
                m = mask(v)
                if m not in known:
                    known[m] = tuple(bits(m))
                return known[m]

            return members_of
        return lambda v: bits(mask(v))

    def combinations(self, each: tuple[C.Each, ...], where: C.Node | None) -> Callable[[State], Iterator[None]]:
        """A generator that puts every combination for which `where` holds into the slots."""
        first, rest = each[0], each[1:]
        slot, values = first.slot, self.values(first)
        if rest:
            inner = self.combinations(rest, where)

            def nested(v: State) -> Iterator[None]:
                for value in values(v):
                    v[slot] = value
                    yield from inner(v)

            return nested
        if where is None:

            def plain(v: State) -> Iterator[None]:
                for value in values(v):
                    v[slot] = value
                    yield None

            return plain
        test = self.of(where)

        def tested(v: State) -> Iterator[None]:
            for value in values(v):
                v[slot] = value
                if test(v):
                    yield None

        return tested

    def _fold(self, node: C.Fold) -> Eval:
        return getattr(self, "_fold_" + node.kind)(node, self.combinations(node.each, node.where))

    def _shown(self, node: C.Fold) -> Eval:
        if node.value is not None:
            return self.of(node.value)
        slot = node.each[0].slot
        return lambda v: v[slot]

    def _fold_count(self, node: C.Fold, combinations: Combinations) -> Eval:
        def count(v: State) -> int:
            n = 0
            for _ in combinations(v):
                n += 1
            return n

        return count

    def _fold_any(self, node: C.Fold, combinations: Combinations) -> Eval:
        value = self.of(node.value) if node.value is not None else None
        if len(node.each) == 1 and node.where is not None and value is None:
            slot, values, test = node.each[0].slot, self.values(node.each[0]), self.of(node.where)

            def any_one(v: State) -> bool:
                for x in values(v):
                    v[slot] = x
                    if test(v):
                        return True
                return False

            return any_one

        def any_(v: State) -> bool:
            for _ in combinations(v):
                if value is None or value(v):
                    return True
            return False

        return any_

    def _fold_all(self, node: C.Fold, combinations: Combinations) -> Eval:
        assert node.value is not None
        value = self.of(node.value)

        def all_(v: State) -> bool:
            for _ in combinations(v):
                if not value(v):
                    return False
            return True

        return all_

    def _fold_sum(self, node: C.Fold, combinations: Combinations) -> Eval:
        value = self._shown(node)

        def sum_(v: State) -> int:
            total = 0
            for _ in combinations(v):
                total += value(v)
            return total

        return sum_

    def _fold_bagsum(self, node: C.Fold, combinations: Combinations) -> Eval:
        value, add, size = self._shown(node), OPERATIONS["bag_add"], node.none

        def bagsum(v: State) -> Any:
            total: Any = (0,) * size
            for _ in combinations(v):
                total = add(total, value(v))
            return total

        return bagsum

    def _extreme(self, node: C.Fold, combinations: Combinations, best: Callable[[Any], Any]) -> Eval:
        value, none = self._shown(node), node.none

        def extreme(v: State) -> Any:
            found = [x for x in (value(v) for _ in combinations(v)) if x != none]
            return best(found) if found else none

        return extreme

    def _fold_max(self, node: C.Fold, combinations: Combinations) -> Eval:
        return self._extreme(node, combinations, max)

    def _fold_min(self, node: C.Fold, combinations: Combinations) -> Eval:
        return self._extreme(node, combinations, min)

    def _ordered(self, node: C.Fold, combinations: Combinations) -> Callable[[State], list[Any]]:
        """The values in order of the keys, smaller first; as they come where keys tie."""
        value, keys = self._shown(node), [self.of(key) for key in node.keys]
        none = NO_NUMBER if node.none == NO_NUMBER else NONE

        def ordered(v: State) -> list[Any]:
            if not keys:
                return [x for x in (value(v) for _ in combinations(v)) if x != none]
            rows = [(tuple(key(v) for key in keys), value(v)) for _ in combinations(v)]
            rows.sort(key=lambda row: row[0])
            return [x for _, x in rows if x != none]

        return ordered

    def _fold_first(self, node: C.Fold, combinations: Combinations) -> Eval:
        if node.keys:
            ordered, none = self._ordered(node, combinations), node.none
            return lambda v: (ordered(v) or [none])[0]
        value, nothing = self._shown(node), node.none

        def first(v: State) -> Any:
            for _ in combinations(v):
                found = value(v)
                if found != nothing:
                    return found
            return nothing

        return first

    def _fold_last(self, node: C.Fold, combinations: Combinations) -> Eval:
        ordered, none = self._ordered(node, combinations), node.none
        return lambda v: (ordered(v) or [none])[-1]

    def _fold_list(self, node: C.Fold, combinations: Combinations) -> Eval:
        ordered = self._ordered(node, combinations)
        return lambda v: tuple(ordered(v))

    def _fold_set(self, node: C.Fold, combinations: Combinations) -> Eval:
        value = self._shown(node)
        if len(node.each) == 1:
            return self._set_of_one(node, value)
        if len(node.each) == 2 and node.where is None:
            return self._set_of_two(node, value)

        def set_(v: State) -> int:
            found = 0
            for _ in combinations(v):
                x = value(v)
                if x >= 0:
                    found |= 1 << x
            return found

        return set_

    def _set_of_one(self, node: C.Fold, value: Eval) -> Eval:
        """A set over one variable, without a generator between: most of the time goes here."""
        slot, values = node.each[0].slot, self.values(node.each[0])
        test = self.of(node.where) if node.where is not None else None

        def set_of_one(v: State) -> int:
            found = 0
            for item in values(v):
                v[slot] = item
                if test is None or test(v):
                    x = value(v)
                    if x >= 0:
                        found |= 1 << x
            return found

        return set_of_one

    def _set_of_two(self, node: C.Fold, value: Eval) -> Eval:
        outer, inner = node.each
        slot, values, inner_slot, inner_values = outer.slot, self.values(outer), inner.slot, self.values(inner)

        def set_of_two(v: State) -> int:
            found = 0
            for item in values(v):
                v[slot] = item
                for below in inner_values(v):
                    v[inner_slot] = below
                    x = value(v)
                    if x >= 0:
                        found |= 1 << x
            return found

        return set_of_two

    def _fold_union(self, node: C.Fold, combinations: Combinations) -> Eval:
        value = self._shown(node)

        def union(v: State) -> int:
            found = 0
            for _ in combinations(v):
                found |= value(v)
            return found

        return union

    def _top(self, node: C.Fold, combinations: Combinations, best: Callable[[Any], Any]) -> Eval:
        slot, keys = node.each[0].slot, [self.of(key) for key in node.keys]

        def top(v: State) -> int:
            rows = [(tuple(key(v) for key in keys), v[slot]) for _ in combinations(v)]
            if not rows:
                return 0
            mark = best(row[0] for row in rows)
            found = 0
            for key, x in rows:
                if key == mark:
                    found |= 1 << x
            return found

        return top

    def _fold_most(self, node: C.Fold, combinations: Combinations) -> Eval:
        return self._top(node, combinations, max)

    def _fold_least(self, node: C.Fold, combinations: Combinations) -> Eval:
        return self._top(node, combinations, min)
