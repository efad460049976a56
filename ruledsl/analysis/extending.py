"""What an entry asks of several things that are chosen one after the other (see `ir.core.Extending`).

Whether a set begun can be completed is a search (`engine.extending`). Here it is read off the conditions what that
search may be told: sums that every element adds to, with their bounds, and which elements are the same to it. All of it
follows from the conditions or says less than they do; the conditions themselves have the last word.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from math import comb, perm, prod
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.core import MOST_TRIED
from ruledsl.ir.ops import OPS, may_fail
from ruledsl.ir.walk import StuckError, free, parts, put
from ruledsl.source.text import Span
from ruledsl.types import BagOf, ListOf, Num, SetOf, bits

MOST_PARTS = 20_000  # of conditions that are taken apart
ONE = C.Const(1)
NEVER = C.Const(0)
UNORDERED = {"count", "any", "all", "sum", "min", "max", "set", "union", "most", "least"}
FIELD = {"standing", "offset"}  # primitives that are a number for each element


class Opaque(Exception):
    """This is no sum to which every element adds something of its own."""


def set_extending(blocks: list[C.Block], layout: C.Layout, fresh: Callable[[], int]) -> None:
    """Works it out for all entries of a program; `fresh` gives slots for variables of its own."""
    known: dict[Any, tuple[C.Extending | None, ...]] = {}
    for block in blocks:
        if not isinstance(block.end, C.Choice):
            continue
        for entry in block.end.entries:
            key = (*map(id, (*entry.variables, *entry.where)), id(entry.so_far))
            if key not in known:
                known[key] = tuple(
                    Reader(entry, i, layout, fresh).read() if variable.fewest is not None else None
                    for i, variable in enumerate(entry.variables)
                )
            entry.extending = known[key]


class Reader:
    """Reads what an entry asks of the variable at one position; later variables are not known yet."""

    def __init__(self, entry: C.Entry, position: int, layout: C.Layout, fresh: Callable[[], int]) -> None:
        self.entry, self.layout, self.fresh = entry, layout, fresh
        self.variable = entry.variables[position]
        self.later = entry.variables[position + 1 :]
        self.own = slots_of(self.variable)
        self.unknown = {slot for variable in self.later for slot in slots_of(variable)}
        self.is_bag = isinstance(self.variable.type, BagOf)
        self.is_list = isinstance(self.variable.type, ListOf)
        self.adds: list[C.Node] = []
        self.sees: list[C.Node] = []
        self.whole = self.in_order = False
        self.span: Span | None = None
        self.budget = MOST_PARTS

    def read(self) -> C.Extending:
        musts: list[C.Test] = []
        asked = [*self.entry.where, *([self.entry.so_far] if self.entry.so_far is not None else [])]
        for condition in asked:
            before = self.whole, self.in_order
            musts.append(self.test(condition))
            if self.span is None and (self.whole, self.in_order) != before:
                self.span = getattr(condition, "span", None)
        for variable in self.later:
            for node in parts(variable):
                self.look(node)
        musts = [must for must in musts if must is not None]
        must = None if not musts else musts[0] if len(musts) == 1 else C.Every(True, tuple(musts))
        sees = () if self.whole else tuple(_once(self.sees))
        return C.Extending(
            self.variable.each.slot,
            must,
            () if self.whole else tuple(self.adds),
            sees,
            self.whole,
            self.in_order,
            self.span or self.entry.span,
        )

    # ------------------------------------------------------------------------------------- what it depends on

    def depends(self, node: Any) -> bool:
        """Whether an expression looks at what is chosen."""
        return reads(node, self.own)

    def fixed(self, node: C.Node) -> bool:
        """Whether an expression can be worked out beforehand, and without a fault."""
        return not reads(node, self.own) and not reads(node, self.unknown) and sound(node)

    def by_element(self, node: C.Node) -> bool:
        """Whether it can be worked out for each element."""
        return self.fixed(node) and free(node) <= {self.variable.each.slot}

    # -------------------------------------------------------------------------------------------- conditions

    def test(self, node: C.Node, wanted: bool = True) -> C.Test:
        """What follows from a condition (or from its opposite); what cannot be told is looked at, and gives None."""
        if not self.depends(node):
            if not self.fixed(node):
                return None
            return node if wanted else C.Op("not", (node,))
        try:
            found = self._test(node, wanted)
        except Opaque:
            self.look(node)
            return None
        return found

    def _test(self, node: C.Node, wanted: bool) -> C.Test:
        match node:
            case C.Both(args=args) | C.Either(args=args):
                return C.Every(isinstance(node, C.Both) == wanted, tuple(self.test(arg, wanted) for arg in args))
            case C.Op(name="not", args=(arg,)):
                return self.test(arg, not wanted)
            case C.Cond(condition=condition, then=then, otherwise=otherwise):
                ways = (
                    C.Every(True, (self.test(condition), self.test(then, wanted))),
                    C.Every(True, (self.test(condition, False), self.test(otherwise, wanted))),
                )
                return C.Every(False, ways)
            case C.Invoke():
                return self.test(self.inlined(node), wanted)
            case C.Fold(kind="any" | "all"):
                return self._quantified(node, wanted)
            case C.Op(name="bag_within", args=(left, right)):
                return self._by_kind(left, "at_most", right, wanted)
            case C.Op(name="equal" | "unequal", args=(left, right)) if self._is_bag(left) or self._is_bag(right):
                return self._by_kind(left, "equal", right, wanted == (node.name == "equal"))
            case C.Op(name="holds" | "in_list", args=(item, of)) if not self.depends(item):
                there = C.Both((C.Op("equal", (self.element, item)), self.member(of)))
                return self.tally(_number(there), "at_least", ONE, wanted)
            case C.Op(name="within", args=(left, right)):
                return self._within(left, right, wanted)
            case C.Op(name=name, args=(left, right)) if OPS[name].mirrored:
                return self._compared(left, name if wanted else OPS[name].opposite, right)
        raise Opaque

    def _quantified(self, node: C.Fold, wanted: bool) -> C.Test:
        every = node.kind == "all"
        holds = node.value if node.value is not None else ONE
        node = self._of_kinds(node)
        chosen = [each for each in node.each if self.depends(each)]
        if chosen:  # so many of the elements must be exceptions, or fulfil it
            counted = C.Op("not", (holds,)) if every else holds
            weight = self._weight(node, _number(counted), "any")
            return self.tally(weight, "at_most" if every else "at_least", NEVER if every else ONE, wanted)
        if not all(self.fixed(domain) for each in node.each for domain in each.domain):
            raise Opaque
        where, rest = node.where, holds
        if where is not None and self.depends(where):
            if every:  # for every one: not the condition, or the value
                test: C.Test = C.Every(not wanted, (self.test(where, not wanted), self.test(rest, wanted)))
            else:  # for some: the condition and the value
                test = C.Every(wanted, (self.test(where, wanted), self.test(rest, wanted)))
            where = None
        elif where is not None and not self.fixed(where):
            raise Opaque
        else:
            test = self.test(rest, wanted)
        return C.Every(every == wanted, (test,), node.each, where)

    def _of_kinds(self, node: C.Fold) -> C.Fold:
        """A comprehension over the kinds that a chosen bag has, as one over all kinds that asks how many there are."""
        if not self.is_bag:
            return node
        each, where = [], [node.where] if node.where is not None else []
        for one in node.each:
            match one.domain:
                case (C.Op(name="bag_kinds", args=(bag,)),) if self.depends(bag):
                    there = C.Op("greater", (C.Op("bag_item", (bag, C.Get(one.slot))), NEVER))
                    where.insert(0, there)
                    each.append(C.Each(one.slot, "set", (C.Const(self.mask),)))
                case _:
                    each.append(one)
        if all(a is b for a, b in zip(each, node.each, strict=True)):
            return node
        return dataclasses.replace(node, each=tuple(each), where=where[0] if len(where) == 1 else C.Both(tuple(where)))

    def _by_kind(self, left: C.Node, relation: str, right: C.Node, wanted: bool) -> C.Test:
        """A comparison of bags: for every kind."""
        kind = self.fresh()
        items = [C.Op("bag_item", (bag, C.Get(kind))) for bag in (left, right)]
        test = self._compared(items[0], relation if wanted else OPS[relation].opposite, items[1])
        return C.Every(wanted, (test,), (C.Each(kind, "set", (C.Const(self.mask),)),))

    def _within(self, left: C.Node, right: C.Node, wanted: bool) -> C.Test:
        if not self.depends(right):
            outside = C.Both((self.member(left), C.Op("not", (C.Op("holds", (self.element, right)),))))
            return self.tally(_number(outside), "at_most", NEVER, wanted)
        if self.depends(left) or not self.fixed(left):
            raise Opaque
        one = self.fresh()
        there = C.Both((C.Op("equal", (self.element, C.Get(one))), self.member(right)))
        test = self.tally(_number(there), "at_least", ONE, wanted)
        return C.Every(wanted, (test,), (C.Each(one, "set", (left,)),))

    def _compared(self, left: C.Node, relation: str, right: C.Node) -> C.Test:
        for one, other, how in ((left, right, relation), (right, left, OPS[relation].mirrored)):
            if not self.depends(one) or self.depends(other):
                continue
            if self._is_set(one) and how in ("equal", "unequal"):
                if isinstance(other, C.Const) and other.value == 0:
                    return self._compared(C.Op("size", (one,)), how, NEVER)
                both = (self._within(one, other, how == "equal"), self._within(other, one, how == "equal"))
                return C.Every(how == "equal", both)
            passing = self._passing(one, how, other)
            if passing is not None:
                return passing
        weight, constant = self.sum(left)
        other_weight, other_constant = self.sum(right)
        weight = _minus(weight, other_weight)
        bound = _minus(other_constant, constant) or NEVER
        if relation == "less":
            relation, bound = "at_most", C.Op("subtract", (bound, ONE))
        elif relation == "greater":
            relation, bound = "at_least", C.Op("add", (bound, ONE))
        return self.tally(weight, relation, bound, True)

    def _passing(self, node: C.Node, relation: str, bound: C.Node) -> C.Test:
        """`count(c in D where …)` with a condition on what is chosen, as far as it is that."""
        match node:
            case C.Op(name="size", args=(C.Op(name="bag_kinds", args=(bag,)) as kinds,)) if self.depends(bag):
                node = C.Fold("count", (C.Each(self.fresh(), "set", (kinds,)),), None, None)
            case C.Invoke():
                return self._passing(self.inlined(node), relation, bound)
        if not isinstance(node, C.Fold) or node.kind != "count" or relation == "unequal":
            return None
        node = self._of_kinds(node)
        if node.where is None or not self.depends(node.where) or any(self.depends(each) for each in node.each):
            return None
        if not self.fixed(bound) or not all(self.fixed(domain) for each in node.each for domain in each.domain):
            return None
        test = self.test(node.where)
        if relation in ("less", "greater"):
            relation, bound = {
                "less": ("at_most", C.Op("subtract", (bound, ONE))),
                "greater": ("at_least", C.Op("add", (bound, ONE))),
            }[relation]
        return C.Passing(node.each, None, test, relation, bound)

    def tally(self, weight: C.Node | None, relation: str, bound: C.Node | None, wanted: bool) -> C.Test:
        """A leaf; if the bound is not known yet, the sum is kept in mind."""
        weight, bound = weight if weight is not None else NEVER, bound if bound is not None else NEVER
        if not self.fixed(weight):
            raise Opaque
        if not self.fixed(bound):
            self.see_sum(weight)
            return None
        if not wanted:
            relation = OPS[relation].opposite
            if relation == "less":
                relation, bound = "at_most", C.Op("subtract", (bound, ONE))
            elif relation == "greater":
                relation, bound = "at_least", C.Op("add", (bound, ONE))
        return C.Tally(weight, relation, bound)

    # -------------------------------------------------------------------------------------------------- sums

    @property
    def element(self) -> C.Node:
        return C.Get(self.variable.each.slot)

    @property
    def mask(self) -> int:
        assert isinstance(self.variable.type, BagOf)
        return self.variable.type.root.everything

    def sum(self, node: C.Node) -> tuple[C.Node | None, C.Node | None]:
        """A number as what each element adds to it, and what it is without any."""
        if not self.depends(node):
            return None, node
        match node:
            case C.Get(slot=slot) if self.is_bag:
                return _number(C.Op("equal", (self.element, C.Const(slot - self.variable.slot)))), None
            case C.Cell(base=base, index=index) if self.is_bag and base == self.variable.slot:
                return self._item(index), None
            case C.Op(name="bag_item", args=(bag, index)):
                return self.bag_item(bag, index)
            case C.Op(name="bag_total", args=(bag,)):
                return self.bag_total(bag)
            case C.Op(name="size" | "length", args=(of,)):
                return _number(self.member(of)), None
            case C.Op(name="total_of", args=(of,)) if self._is_own(of):
                return self.element, None
            case C.Op(name="negative", args=(arg,)):
                weight, constant = self.sum(arg)
                return _minus(None, weight), _minus(None, constant)
            case C.Op(name="add" | "subtract", args=(left, right)):
                join = _plus if node.name == "add" else _minus
                (a, b), (c, d) = self.sum(left), self.sum(right)
                return join(a, c), join(b, d)
            case C.Op(name="multiply", args=(left, right)) if self.depends(left) != self.depends(right):
                of, times = (left, right) if self.depends(left) else (right, left)
                weight, constant = self.sum(of)
                return _times(weight, times), _times(constant, times)
            case C.Cond(condition=condition, then=then, otherwise=otherwise) if not self.depends(condition):
                (a, b), (c, d) = self.sum(then), self.sum(otherwise)
                return C.Cond(condition, a or NEVER, c or NEVER), C.Cond(condition, b or NEVER, d or NEVER)
            case C.Invoke():
                return self.sum(self.inlined(node))
            case C.Fold(kind="sum" | "count"):
                if any(self.depends(each) for each in node.each):
                    value = ONE if node.kind == "count" else node.value or C.Get(node.each[0].slot)
                    return self._weight(node, value, "sum"), None
                if node.kind == "sum" and (node.where is None or not self.depends(node.where)):
                    weight, constant = self.sum(node.value or C.Get(node.each[0].slot))
                    over = (node.each, node.where)
                    return _summed(*over, weight), _summed(*over, constant)
        raise Opaque

    def _weight(self, node: C.Fold, value: C.Node, kind: str) -> C.Node:
        """What one element adds to a comprehension over what is chosen: its own value (or whether there is any)."""
        chosen = [each for each in node.each if self.depends(each)]
        if len(chosen) != 1 or self.depends(node.where) or self.depends(value) or self.is_bag:
            raise Opaque
        (one,) = chosen
        others = tuple(each for each in node.each if each is not one)
        if any(reads(domain, {each.slot for each in others}) for domain in one.domain):
            raise Opaque
        member = self.member(one.domain[0])
        if others and kind == "any":
            inner = C.Fold("any", others, node.where, value)
            weight = _number(inner)
        elif others:
            weight = C.Fold("sum", others, node.where, value)
        else:
            weight = value if node.where is None else C.Cond(node.where, value, NEVER)
        return _times(self.put(weight, {one.slot: self.element}), _number(member)) or NEVER

    def member(self, node: C.Node) -> C.Node:
        """A set or list of some of what is chosen: the condition for an element to be in it if it is chosen."""
        if self._is_own(node):
            return ONE
        match node:
            case C.Op(name="members" | "collect", args=(of,)):
                return self.member(of)
            case C.Op(name="common", args=(left, right)) if self.depends(left) != self.depends(right):
                of, other = (left, right) if self.depends(left) else (right, left)
                return C.Both((self.member(of), C.Op("holds", (self.element, other))))
            case C.Op(name="minus", args=(left, right)) if self.depends(left) and not self.depends(right):
                return C.Both((self.member(left), C.Op("not", (C.Op("holds", (self.element, right)),))))
            case C.Op(name="union", args=(left, right)) if self.depends(left) and self.depends(right):
                return C.Either((self.member(left), self.member(right)))
            case C.Fold(kind="set" | "list", each=(one,), where=where, value=value):
                itself = value is None or (isinstance(value, C.Get) and value.slot == one.slot)
                if itself and self.depends(one.domain[0]) and not self.depends(where):
                    inside = self.member(one.domain[0])
                    if where is None:
                        return inside
                    return C.Both((inside, self.put(where, {one.slot: self.element})))
            case C.Invoke():
                return self.member(self.inlined(node))
        raise Opaque

    def _is_own(self, node: C.Node) -> bool:
        match node:
            case C.Get(slot=slot):
                return not self.is_bag and not self.is_list and slot == self.variable.slot
            case C.Several(base=base, is_list=True):
                return self.is_list and base == self.variable.slot
        return False

    def _is_set(self, node: C.Node) -> bool:
        try:
            self.member(node)
        except Opaque:
            return False
        return not self.is_list

    def _is_bag(self, node: C.Node) -> bool:
        try:
            return self.is_bag and self.depends(node) and self.bag_total(node) is not None
        except Opaque:
            return False

    def _item(self, index: C.Node) -> C.Node:
        if self.depends(index):
            raise Opaque
        return _number(C.Op("equal", (self.element, index)))

    def bag_item(self, bag: C.Node, index: C.Node) -> tuple[C.Node | None, C.Node | None]:
        if not self.depends(bag):
            return None, C.Op("bag_item", (bag, index))
        match bag:
            case C.Several(base=base, index=None) if base == self.variable.slot:
                return self._item(index), None
            case C.Op(name="bag_add" | "bag_subtract", args=(left, right)):
                join = _plus if bag.name == "bag_add" else _minus
                (a, b), (c, d) = self.bag_item(left, index), self.bag_item(right, index)
                return join(a, c), join(b, d)
            case C.Op(name="bag_times", args=(of, times)) if not self.depends(times):
                weight, constant = self.bag_item(of, index)
                return _times(weight, times), _times(constant, times)
            case C.Invoke():
                return self.bag_item(self.inlined(bag), index)
        raise Opaque

    def bag_total(self, bag: C.Node) -> tuple[C.Node | None, C.Node | None]:
        if not self.depends(bag):
            return None, C.Op("bag_total", (bag,))
        match bag:
            case C.Several(base=base, index=None) if base == self.variable.slot:
                return ONE, None
            case C.Op(name="bag_add" | "bag_subtract", args=(left, right)):
                join = _plus if bag.name == "bag_add" else _minus
                (a, b), (c, d) = self.bag_total(left), self.bag_total(right)
                return join(a, c), join(b, d)
            case C.Op(name="bag_times", args=(of, times)) if not self.depends(times):
                weight, constant = self.bag_total(of)
                return _times(weight, times), _times(constant, times)
            case C.Invoke():
                return self.bag_total(self.inlined(bag))
        raise Opaque

    # ------------------------------------------------------------------------------------------ what it sees

    def see_sum(self, weight: C.Node) -> None:
        if self.by_element(weight):
            self.adds.append(weight)
        else:
            self.whole = True

    def look(self, node: Any) -> None:
        """Notes what of the chosen elements an expression looks at."""
        self.budget -= 1
        if node is None or not self.depends(node):
            return
        if self.budget < 0:
            self.whole = self.in_order = True
            return
        try:
            weight, _ = self.sum(node)
        except Opaque:
            pass
        else:
            self.see_sum(weight or NEVER)
            return
        match node:
            case C.Invoke():
                try:
                    body = self.inlined(node)
                except Opaque:
                    self.whole = self.in_order = True
                else:
                    self.look(body)
            case C.Fold():
                for each in node.each:
                    if self.depends(each):
                        self._look_over(each, node)
                for part in (node.where, node.value, *node.keys):
                    self.look(part)
            case C.Op(name="holds" | "in_list", args=(item, of)) if self.by_element_of(item, of):
                self.sees.append(_number(C.Op("equal", (self.element, item))))
            case _:
                inner = list(parts(node))
                if self._is_own(node) or not inner or isinstance(node, C.Several):
                    self.whole = True
                    self.in_order |= self.is_list
                for part in inner:
                    self.look(part)

    def by_element_of(self, item: C.Node, of: C.Node) -> bool:
        return self._is_own(of) and self.by_element(item)

    def _look_over(self, each: C.Each, node: C.Fold) -> None:
        """What a comprehension over some of what is chosen looks at of each element."""
        if node.kind not in UNORDERED:
            self.in_order |= self.is_list
            self.whole = True
            return
        try:
            found = self.keys(self.put(self.member(each.domain[0]), {}), self.variable.each.slot)
            asked = [node.where, node.value, *node.keys, *(d for other in node.each for d in other.domain)]
            if node.value is None and node.kind not in ("count", "any") and each is node.each[0]:
                raise Opaque  # the elements themselves
            for part in asked:
                found += self.keys(part, each.slot)
        except Opaque:
            self.whole = True
            return
        self.sees += found

    def keys(self, node: Any, slot: int) -> list[C.Node]:
        """The numbers by which an expression tells elements in a slot apart."""
        self.budget -= 1
        if self.budget < 0:
            raise Opaque
        if node is None or not reads(node, {slot}):
            return []
        at_hand = self.put(node, {slot: self.element}) if slot != self.variable.each.slot else node
        match node:
            case C.Look(table=table, index=C.Get()):
                return [C.Look(_numbered(table, node.none), at_hand.index, -1)]
            case C.Cell(base=base, index=C.Get()) if self._is_number(base):
                return [at_hand]
            case C.Primitive(name=name) if name in FIELD and self.by_element(at_hand):
                return [at_hand]
            case C.Op(name=name) if OPS[name].truth and self.by_element(at_hand):
                return [_number(at_hand)]
            case C.Invoke():
                return self.keys(self.inlined(node), slot)
            case C.Get() | C.With() | C.Would() | C.Possible():
                raise Opaque
        return [key for part in parts(node) for key in self.keys(part, slot)]

    def _is_number(self, base: int) -> bool:
        for field in self.layout.fields:
            if field.base <= base < field.base + field.count * field.width:
                return field.kind in ("piece", "spot") or (
                    field.type is not None and not isinstance(field.type, SetOf | ListOf | BagOf)
                )
        return False

    # ------------------------------------------------------------------------------------ putting in place of

    def inlined(self, node: C.Invoke) -> C.Node:
        """The body of a formula with its arguments in place."""
        body = node.formula.body
        if body is None:
            raise Opaque
        found: C.Node = self.put(body, dict(zip(node.formula.slots, node.args, strict=True)))
        return found

    def put(self, node: Any, instead: dict[int, C.Node]) -> Any:
        """An expression with others in place of variables; variables of its own get slots of their own."""

        def paid(part: Any) -> None:
            self.budget -= 1
            if self.budget < 0:
                raise Opaque

        try:
            return put(node, instead, self.fresh, paid) if node is not None else None
        except StuckError:
            raise Opaque from None


# ------------------------------------------------------------------------------------------------------- small things


def slots_of(variable: C.Variable) -> set[int]:
    kind = variable.type
    width = kind.root.size if isinstance(kind, BagOf) else kind.most + 1 if isinstance(kind, ListOf) else 1
    return set(range(variable.slot, variable.slot + width))


def reads(node: Any, slots: set[int]) -> bool:
    """Whether an expression reads one of some slots."""
    match node:
        case None:
            return False
        case C.Get(slot=slot):
            return slot in slots
        case C.Cell(base=base, index=index):
            return base in slots or reads(index, slots)
        case C.Several(base=base, index=index):
            return base in slots or reads(index, slots)
        case C.Each(domain=domain):
            return any(reads(part, slots) for part in domain)
    return any(reads(part, slots) for part in parts(node))


def sound(node: Any) -> bool:
    """Whether working an expression out can be no fault, and changes nothing."""
    match node:
        case C.Would() | C.Possible() | C.With() | C.Select():
            return False
        case C.Invoke(formula=formula):
            return formula.body is not None and all(map(sound, (*node.args, formula.body)))
    return not may_fail(node) and all(map(sound, parts(node)))


def _number(condition: C.Node) -> C.Node:
    """1 where a condition holds, else 0."""
    match condition:
        case C.Const(value=value):
            return C.Const(int(bool(value)))
        case C.Both(args=args) if any(isinstance(arg, C.Const) for arg in args):
            left = tuple(arg for arg in args if not (isinstance(arg, C.Const) and arg.value))
            return _number(left[0] if len(left) == 1 else C.Both(left)) if left else ONE
        case C.Op(name="not", args=(C.Op(name="not", args=(arg,)),)):
            return _number(arg)
    return C.Cond(condition, ONE, NEVER)


def _plus(a: C.Node | None, b: C.Node | None) -> C.Node | None:
    if a is None or b is None:
        return b if a is None else a
    if isinstance(a, C.Const) and isinstance(b, C.Const):
        return C.Const(a.value + b.value)
    return C.Op("add", (a, b))


def _minus(a: C.Node | None, b: C.Node | None) -> C.Node | None:
    if b is None:
        return a
    if isinstance(b, C.Const) and (a is None or isinstance(a, C.Const)):
        return C.Const((a.value if a is not None else 0) - b.value)
    return C.Op("negative", (b,)) if a is None else C.Op("subtract", (a, b))


def _times(a: C.Node | None, b: C.Node) -> C.Node | None:
    if a is None or (isinstance(b, C.Const) and b.value == 1):
        return a
    return b if isinstance(a, C.Const) and a.value == 1 else C.Op("multiply", (a, b))


def _summed(each: tuple[C.Each, ...], where: C.Node | None, value: C.Node | None) -> C.Node | None:
    return None if value is None else C.Fold("sum", each, where, value)


def _numbered(table: tuple[Any, ...], none: Any) -> tuple[int, ...]:
    """A table with a number for each different value."""
    numbers: dict[Any, int] = {}
    return tuple(numbers.setdefault(value, len(numbers)) for value in table)


def _once(nodes: list[C.Node]) -> Iterator[C.Node]:
    """Each look at a table once."""
    known = set()
    for node in nodes:
        key = (node.table, node.index.slot) if isinstance(node, C.Look) and isinstance(node.index, C.Get) else id(node)
        if key not in known:
            known.add(key)
            yield node


# -------------------------------------------------------------------------------------------- what cannot be bounded


def unbounded(entry: C.Entry) -> Iterator[tuple[C.Variable, Span | None]]:
    """Variables whose search may come to more ways than it may try: nothing is known that would shorten it."""
    for i, (variable, extending) in enumerate(zip(entry.variables, entry.extending, strict=False)):
        if extending is None or not extending.whole:
            continue
        one_is_enough = isinstance(variable.fewest, C.Const) and variable.fewest.value <= 1
        if not entry.where and i + 1 == len(entry.variables) and one_is_enough:
            continue  # every part is complete
        if _ways(variable, extending.in_order) > MOST_TRIED:
            yield variable, extending.span


def _ways(variable: C.Variable, in_order: bool) -> int:
    """How many sets (lists, bags) there can be at most."""
    match variable.type:
        case BagOf(mask=mask, most=most):
            kinds = mask.bit_count()
            if not isinstance(variable.most, C.Const):
                return prod(most + 1 for _ in range(kinds))
            return comb(kinds + int(variable.most.value), kinds)
        case SetOf(of=inner) | ListOf(of=inner):
            match inner:
                case Num(low, high):
                    size = high - low + 1
                case _:
                    size = inner.mask.bit_count()  # type: ignore[union-attr]
            domain = variable.each.domain[0]
            if variable.each.form == "set" and isinstance(domain, C.Const):
                size = len(list(bits(int(domain.value))))
            most = int(variable.most.value) if isinstance(variable.most, C.Const) else size
            many = perm if in_order else comb
            return sum(many(size, n) for n in range(min(most, size) + 1))
    return 1
