"""Sums, joined sets, lists and bags, ranges and circles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.ir import core as C
from ruledsl.ir.kinds import NUMBER, Kind
from ruledsl.ir.ops import NO_FACTS, OPS, Given
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import (
    FAR,
    BagOf,
    Broken,
    Elem,
    ListOf,
    Num,
    SetOf,
    Type,
    join,
    maybe,
    none_of,
    surely,
)

from .meant import as_number
from .names import BAD, Typed
from .prices import widened
from .show import show

if TYPE_CHECKING:
    from .elaborate import Elaborator

ARITHMETIC = {row.infix: name for name, row in OPS.items() if row.infix in ("+", "-", "*", "/", "%")}


class Calculating:
    """Sums, joined sets, lists and bags, ranges and circles."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab, self.world = elab, elab.world

    def negative(self, tree: E.Unary) -> Typed:
        elab = self.elab
        typed = elab.expr(tree.of)
        if isinstance(typed.type, Broken):
            return BAD
        number = elab.number(typed, tree.of.span, "what `-` turns around")
        if number is None:
            return BAD
        return self.of_numbers("negative", [number], tree.span)

    def of_numbers(self, name: str, numbers: Sequence[Typed], span: Span | None = None) -> Typed:
        """An operation on numbers, with the bounds of its row. If there are more, it goes on with what came out."""
        takes = len(OPS[name].takes)
        first, rest = list(numbers[:takes]), numbers[takes:]
        bounds = interval(name, *(number.type for number in first))
        typed = Typed(self.elab.op(name, tuple(number.node for number in first), span), bounds)
        return self.of_numbers(name, [typed, *rest], span) if rest else typed

    def range(self, tree: E.Binary) -> Typed:
        elab = self.elab
        first, last = elab.expr(tree.left), elab.expr(tree.right)
        if all(isinstance(side.type, Elem) and side.type.root.kind == "space" for side in (first, last)):
            a, b = tree.left.span.one_line, tree.right.span.one_line
            help = f"write a condition, as in `this.y == 2`, or list them: `[{a}, …, {b}]`"
            return elab.fail("T209", tree.span, "a range goes from number to number", help)
        low = elab.number(first, tree.left.span, "the start of a range")
        high = elab.number(last, tree.right.span, "the end of a range")
        if low is None or high is None:
            return BAD
        assert isinstance(low.type, Num)
        assert isinstance(high.type, Num)
        inner = Num(low.type.low, max(high.type.high, low.type.low))
        span = C.Op("span", (low.node, high.node), tree.span)
        if low.type.high <= high.type.low:
            self.world.full.add(span.args)  # whatever the numbers are, there is one between
        return Typed(span, SetOf(inner))

    def circle(self, tree: E.Binary) -> Typed:
        elab = self.elab
        of = elab.expr(tree.left)
        inner = elab.item_type(of.type)
        if isinstance(of.type, Broken):
            elab.expr(tree.right)
            return BAD
        if inner is None:
            said = f"`{tree.op}` needs a set or a list before it, not {show(of.type)}"
            taken = "`subtract: {s: x}` takes x out of a set s" if tree.op == "from" else ""
            return elab.fail("T215", tree.left.span, said, taken)
        x = elab.expr(tree.right, inner)
        if isinstance(x.type, Broken):
            return BAD
        if tree.op == "except":
            return self.without(tree, of, x)
        if join(x.type, inner) is None:
            a, b = tree.left.span.one_line, tree.right.span.one_line
            there = isinstance(x.type, Elem) and a in x.type.root.attributes
            help = did_you_mean([f"{b}.{a}"]) if there else ""
            return elab.fail("T213", tree.right.span, f"{show(x.type)} is not one of {show(of.type)}", help)
        sequence = elab.fitting.as_list(of, tree.left.span)
        if sequence is None:
            return BAD
        node = elab.op(
            tree.op, (sequence.node, elab.fitting.coerce(x, maybe(surely(x.type)), tree.right.span, "this")), tree.span
        )
        return Typed(node, sequence.type)

    def without(self, tree: E.Binary, of: Typed, x: Typed) -> Typed:
        elab = self.elab
        if isinstance(of.type, ListOf):
            gone = elab.fitting.as_set(x, tree.right.span, single=True)
            return BAD if gone is None else Typed(elab.op("without_set", (of.node, gone.node), tree.span), of.type)
        found, gone = elab.fitting.as_set(of, tree.left.span), elab.fitting.as_set(x, tree.right.span, single=True)
        if found is None or gone is None:
            return BAD
        if join(found.type, gone.type) is None:
            return elab.fail("T213", tree.right.span, f"{show(x.type)} is not one of {show(of.type)}")
        return Typed(elab.op("minus", (found.node, gone.node), tree.span), found.type)

    def fallback(self, tree: E.Binary, want: Type | None) -> Typed:
        elab = self.elab
        first = elab.expr(tree.left, want)
        second = elab.expr(tree.right, first.type if want is None else want)
        if isinstance(first.type, Broken) or isinstance(second.type, Broken):
            return BAD
        if isinstance(first.type, Num | Elem) and not first.type.maybe:
            return elab.fail(
                "T216", tree.span, f"this is never none: {show(first.type)}", "leave out `otherwise` and what follows"
            )
        if not isinstance(first.type, Num | Elem):
            return elab.fail("T216", tree.left.span, f"`otherwise` replaces none, and {show(first.type)} is never none")
        together = join(surely(first.type), second.type)
        if together is None:
            return elab.fail(
                "T203", tree.right.span, f"{show(second.type)} cannot stand in for {show(surely(first.type))}"
            )
        return Typed(C.Otherwise(first.node, none_of(first.type), second.node, tree.span), together)

    def arithmetic(self, tree: E.Binary, want: Type | None) -> Typed:
        elab = self.elab
        op = tree.op
        left = elab.expr(tree.left, want if isinstance(want, SetOf | ListOf | BagOf) else None)
        right = elab.expr(tree.right, left.type if isinstance(left.type, SetOf | ListOf | BagOf) else None)
        if isinstance(left.type, Broken) or isinstance(right.type, Broken):
            return BAD
        if op in "+-" and isinstance(left.type, Elem) and left.type.root.kind == "direction":
            return self.rotate(tree, left, right)
        if op in "+-" and (elab.is_many(left.type) or elab.is_many(right.type)):
            return self.join_many(tree, left, right)
        if isinstance(left.type, BagOf) or isinstance(right.type, BagOf):
            return self.bag_arithmetic(tree, left, right)
        if isinstance(want, BagOf) and (bag := _as_bag(tree, left, right, want)):
            return elab.fail("T203", tree.span, "tokens are counted by sort", f"write `{bag}`", (bag,))
        if op == "+" and isinstance(left.type, Elem) and isinstance(right.type, Elem):
            if left.type.root is right.type.root:
                both = f"[{tree.left.span.one_line}, {tree.right.span.one_line}]"
                said = f"{show(left.type)} is not a number, so it cannot be added"
                return elab.fail("T209", tree.span, said, f"the two together are the list `{both}`")
        if op == "-" and isinstance(left.type, Elem) and isinstance(right.type, Elem):
            if left.type.root is right.type.root and left.type.root.kind == "space":
                far = f"distance({tree.left.span.one_line}, {tree.right.span.one_line})"
                said = f"{show(left.type)} is not a number"
                return elab.fail("T209", tree.span, said, f"how far they are from each other is `{far}`")
        one = elab.number(left, tree.left.span, f"the left side of `{op}`")
        two = elab.number(right, tree.right.span, f"the right side of `{op}`")
        if one is None or two is None:
            return BAD
        assert isinstance(one.type, Num)
        assert isinstance(two.type, Num)
        if op in "/%" and two.type.low == two.type.high == 0:
            return elab.fail("R302", tree.span, "this divides by 0")
        kind = interval(ARITHMETIC[op], one.type, two.type)
        if kind.high > FAR or kind.low < -FAR:
            return elab.fail(
                "R303",
                tree.span,
                f"this could become as large as {max(kind.high, -kind.low)}",
                f"numbers go up to {FAR}; give the parts smaller ranges, or cut them with `clip`",
            )
        return Typed(elab.op(ARITHMETIC[op], (one.node, two.node), tree.span), kind)

    def join_many(self, tree: E.Binary, left: Typed, right: Typed) -> Typed:
        elab = self.elab
        if tree.op == "+" and isinstance(left.type, ListOf) and isinstance(right.type, ListOf):
            together = join(left.type, right.type)
            if isinstance(together, ListOf):
                return Typed(
                    elab.op("join", (left.node, right.node), tree.span),
                    ListOf(together.of, left.type.most + right.type.most),
                )
        a = elab.fitting.as_set(left, tree.left.span, single=True)
        b = elab.fitting.as_set(right, tree.right.span, single=True)
        if a is None or b is None:
            return BAD
        together = join(a.type, b.type)
        if together is None:
            sides = (left.type, right.type, tree.left), (right.type, left.type, tree.right)
            counted = ((k, s) for k, other, s in sides if isinstance(other, Num) > isinstance(k, Num))
            numbers = (as_number(k, s.span, elab) for k, s in counted)
            said = f"{show(right.type)} does not go with {show(left.type)}"
            return elab.fail("T203", tree.right.span, said, next(numbers, ""))
        if tree.op == "+":
            return Typed(elab.op("union", (a.node, b.node), tree.span), together)
        return Typed(elab.op("minus", (a.node, b.node), tree.span), a.type)

    def bag_arithmetic(self, tree: E.Binary, left: Typed, right: Typed) -> Typed:
        elab = self.elab
        if tree.op in "+-" and isinstance(left.type, BagOf) and isinstance(right.type, BagOf):
            together = join(left.type, right.type)
            if not isinstance(together, BagOf):
                return elab.fail("T203", tree.span, f"{show(right.type)} does not go with {show(left.type)}")
            most = left.type.most + (right.type.most if tree.op == "+" else 0)
            sides = (widened(left, together.root), widened(right, together.root))
            kind = BagOf(together.root, together.mask, most)
            return Typed(elab.op("bag_add" if tree.op == "+" else "bag_subtract", sides, tree.span), kind)
        if tree.op == "*":
            bag, times = (left, right) if isinstance(left.type, BagOf) else (right, left)
            n = elab.number(times, tree.span, "how many times the bag is taken")
            if n is None:
                return BAD
            assert isinstance(bag.type, BagOf)
            assert isinstance(n.type, Num)
            kind = BagOf(bag.type.root, bag.type.mask, bag.type.most * max(1, n.type.high))
            return Typed(elab.op("bag_times", (bag.node, n.node), tree.span), kind)
        advice = ""
        if isinstance(left.type, BagOf) and isinstance(right.type, Num) and tree.op in "+-":
            text, number = tree.left.span.one_line, tree.right.span.one_line
            advice = f"say of what: `{text} {tree.op} amount(…, {number})`"
            if tree.op == "-":
                advice += f"; a discount is `less: {number}` beside `pay:`, or beside `is:` under `cost:`"
        said = f"`{tree.op}` does not work on {show(left.type)} and {show(right.type)}"
        return elab.fail("T203", tree.span, said, advice)

    def bags_together(self, left: Typed, right: Typed) -> Typed:
        """Two bags as one; a price if one of them is."""
        kind = join(left.type, right.type)
        assert isinstance(kind, BagOf)
        assert isinstance(left.type, BagOf)
        assert isinstance(right.type, BagOf)
        sides = (widened(left, kind.root), widened(right, kind.root))
        return Typed(self.elab.op("bag_add", sides), BagOf(kind.root, kind.mask, left.type.most + right.type.most))

    def rotate(self, tree: E.Binary, left: Typed, right: Typed) -> Typed:
        elab = self.elab
        n = elab.number(right, tree.right.span, "how far a direction is turned")
        if n is None:
            return BAD
        assert isinstance(left.type, Elem)
        table = self.world.turning(left.type.mask)
        if table is None:
            return elab.fail("T217", tree.span, "these directions belong to different boards, so turning is not clear")
        node = n.node if tree.op == "+" else elab.op("negative", (n.node,))
        kind = Elem(left.type.root, self.world.turned_mask(left.type.mask), left.type.maybe)
        if table == tuple(range(len(table))):
            return Typed(elab.op("rotate", (left.node, node, C.Const(len(table))), tree.span), kind)
        places = {d: (table, place) for place, d in enumerate(table)}
        return Typed(C.Primitive("turn", (left.node, node), (places,), tree.span), kind)


def interval(name: str, *of: Type) -> Num:
    """Between which bounds an operation on such numbers lies, as its row tells it."""
    kinds = tuple(Kind(NUMBER, one.low, one.high + 1) for one in of if isinstance(one, Num))
    found = OPS[name].kind(Given(kinds, (), (), NO_FACTS))
    return Num(found.low, found.top - 1)


def _as_bag(tree: E.Binary, left: Typed, right: Typed, want: BagOf) -> str:
    """`{cross: 1, ring: 1}` for `cross + ring`; for `2 * cross`, `{cross: 2}`."""

    def is_sort(typed: Typed) -> bool:
        return isinstance(typed.type, Elem) and typed.type.root in (want.root, want.root.whole)

    a, b = tree.left.span.one_line, tree.right.span.one_line
    if tree.op == "+" and is_sort(left) and is_sort(right):
        return f"{{{a}: 1, {b}: 1}}" if a != b else f"{{{a}: 2}}"
    if tree.op == "*" and is_sort(right) and isinstance(tree.left, E.Num):
        return f"{{{b}: {a}}}"
    return ""
