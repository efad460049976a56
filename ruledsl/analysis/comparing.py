"""Comparisons, and whether something belongs to a set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.ir.ops import OPS
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import (
    BOOL,
    NONE,
    BagOf,
    Bool,
    Broken,
    Code,
    Elem,
    ListOf,
    Nothing,
    Num,
    SetOf,
    TableOf,
    Type,
    is_maybe,
    join,
    none_of,
    surely,
)

from .advice import by_attribute, lying_in, mirrored, one_alone, one_of, shared_words, word_among
from .meant import as_number, as_wanted
from .names import BAD, Typed
from .prices import widened
from .show import concerned, show

if TYPE_CHECKING:
    from .elaborate import Elaborator

COMPARE = {row.infix: name for name, row in OPS.items() if row.mirrored}
_MOST_QUOTED = 50  # characters of an expression that is repeated in a message


class Comparing:
    """Comparisons, and whether something belongs to a set."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab, self.world = elab, elab.world

    @property
    def unsure(self) -> bool:
        """Whether it means nothing here that something is never so: these options leave it out, or rows are lost."""
        return bool(self.elab.idle) or self.elab.report.attributes_lost

    def compare(self, tree: E.Binary) -> Typed:
        elab = self.elab
        left, right = self.two_sides(tree)
        if isinstance(left.type, Broken) or isinstance(right.type, Broken):
            return BAD
        name = COMPARE[tree.op]
        if isinstance(left.type, Nothing) or isinstance(right.type, Nothing):
            return self.compare_none(tree, left, right, name)
        l_type, r_type = left.type, right.type
        if (
            isinstance(l_type, SetOf | ListOf)
            and isinstance(r_type, SetOf | ListOf)
            and not (isinstance(l_type, ListOf) and isinstance(r_type, ListOf))
        ):
            return self.compare_sets(tree, left, right, name)
        if isinstance(l_type, BagOf) and isinstance(r_type, BagOf):
            if name == "at_least":
                left, right, name = right, left, "at_most"
            if name not in ("equal", "unequal", "at_most"):
                return elab.fail("T212", tree.span, "bags are compared with `==`, `!=` and `<=`")
            together = join(left.type, right.type)
            if not isinstance(together, BagOf):
                return elab.fail("T213", tree.span, f"{show(l_type)} cannot be compared with {show(r_type)}")
            if name == "at_most" and together.root.whole is not None:
                asked = tree.left if left.type is l_type else tree.right
                help = f"ask `payable({asked.span.one_line})`"
                return elab.fail("T212", tree.span, "do not compare a price with the tokens that pay it", help)
            both = (widened(left, together.root), widened(right, together.root))
            return Typed(elab.op("bag_within" if name == "at_most" else name, both, tree.span), BOOL)
        together = join(l_type, r_type)
        if together is None or isinstance(together, TableOf | Code):
            sides = (l_type, r_type, tree.left), (r_type, l_type, tree.right)
            numbers = (as_number(a, side.span, elab) for a, b, side in sides if isinstance(b, Num) > isinstance(a, Num))
            help = one_of(tree, left, right) or mirrored(elab, tree, left, right)
            help = help or by_attribute(elab, tree, left, right) or one_alone(tree, left, right)
            help = help or shared_words(l_type, r_type) or next(numbers, "") or self._other_word(tree, left, right)
            return elab.fail("T213", tree.span, f"{show(l_type)} cannot be compared with {show(r_type)}", help)
        if name in ("less", "at_most", "greater", "at_least"):
            return self.compare_order(tree, left, right, name, together)
        fixed = isinstance(left.node, C.Const) and isinstance(right.node, C.Const)
        if not fixed and self.never_equal(l_type, r_type):
            word = "never" if name == "equal" else "always"
            if self.unsure:
                return Typed(C.Const(int(name != "equal"), tree.span), BOOL)
            help = "check the comparison, or widen what is declared" if isinstance(l_type, Num) else ""
            return elab.fail(
                "T214",
                tree.span,
                f"this is {word} so: {show(l_type)} is not {show(r_type)}",
                help,
                about=concerned(l_type, r_type),
            )
        return Typed(elab.op(name, (left.node, right.node), tree.span), BOOL)

    def _other_word(self, tree: E.Binary, left: Typed, right: Typed) -> str:
        """For `hourglass == 3` and `h <= 6`: a word that is nearly another one, or a thing in place of its number."""
        for word, this, other in ((tree.left, left.type, right.type), (tree.right, right.type, left.type)):
            near: list[str] = []
            if isinstance(word, E.Name) and self.elab.local(word.name) is None:
                names = [n.name for n in self.world.names.values() if n.sort in ("value", "formula", "option")]
                near = nearest(word.name, other.root.names if isinstance(other, Elem) else names)
            if help := did_you_mean([name for name in near if name != word.span.text]):
                return help
            if help := as_wanted(this, other, word.span, self.elab):
                return help
            if isinstance(this, Elem | Num) and isinstance(other, Bool):
                text = word.span.one_line
                return f"write `{text}` alone to ask whether there is one; and `not {text}` for none"
        return ""

    def two_sides(self, tree: E.Binary) -> tuple[Typed, Typed]:
        """Both sides of a comparison; a bare word is read as a member of the other side's type."""
        elab = self.elab
        if elab.needs_help(tree.left) and not elab.needs_help(tree.right):
            right = elab.expr(tree.right)
            return elab.expr(tree.left, right.type), right
        left = elab.expr(tree.left)
        inner = left.type
        return left, elab.expr(tree.right, inner)

    def compare_none(self, tree: E.Binary, left: Typed, right: Typed, name: str) -> Typed:
        elab = self.elab
        other = right if isinstance(left.type, Nothing) else left
        literal = tree.left if isinstance(left.type, Nothing) else tree.right
        if isinstance(literal, E.Items):  # compared with []
            if isinstance(other.type, SetOf | ListOf):
                empty: C.Node = C.Const(0 if isinstance(other.type, SetOf) else ())
                return Typed(elab.op(name, (other.node, empty), tree.span), BOOL)
        if name not in ("equal", "unequal"):
            return elab.fail("T212", tree.span, "none has no order")
        if isinstance(other.type, Num | Elem) and not other.type.maybe:
            word = "never" if name == "equal" else "always"
            if self.unsure:
                return Typed(C.Const(int(name != "equal"), tree.span), BOOL)
            help = "what may be none is declared with `maybe`, as in `maybe 0..9`"
            return elab.fail("T214", tree.span, f"this is {word} so: {show(other.type)} is never none", help)
        if not isinstance(other.type, Num | Elem | Nothing):
            return elab.fail(
                "T214", tree.span, f"{show(other.type)} is never none", "use `no(…)` to ask whether it is empty"
            )
        return Typed(elab.op(name, (other.node, C.Const(none_of(other.type))), tree.span), BOOL)

    def compare_sets(self, tree: E.Binary, left: Typed, right: Typed, name: str) -> Typed:
        elab = self.elab
        a, b = elab.fitting.as_set(left, tree.left.span), elab.fitting.as_set(right, tree.right.span)
        if a is None or b is None:
            return BAD
        if join(a.type, b.type) is None:
            sides = (left.type, right.type, tree.left), (right.type, left.type, tree.right)
            ways = (as_wanted(have, want, side.span, elab) for have, want, side in sides)
            help = shared_words(left.type, right.type) or next(filter(None, ways), "")
            return elab.fail("T213", tree.span, f"{show(left.type)} cannot be compared with {show(right.type)}", help)
        if name in ("equal", "unequal"):
            return Typed(elab.op(name, (a.node, b.node), tree.span), BOOL)
        if name == "at_most":
            return Typed(elab.op("within", (a.node, b.node), tree.span), BOOL)
        if name == "at_least":
            return Typed(elab.op("within", (b.node, a.node), tree.span), BOOL)
        return elab.fail(
            "T212",
            tree.span,
            "sets are compared with `==`, `!=`, `<=` and `>=`",
            "compare `count(…)` of both for their size",
        )

    def compare_order(self, tree: E.Binary, left: Typed, right: Typed, name: str, together: Type) -> Typed:
        elab = self.elab
        if isinstance(together, ListOf):
            return Typed(elab.op(name, (left.node, right.node), tree.span), BOOL)
        if isinstance(together, Bool):
            return elab.fail("T212", tree.span, "conditions have no order")
        if isinstance(together, Elem) and together.root.kind in ("player", "place", "direction"):
            return elab.fail("T212", tree.span, f"{show(together)} has no order")
        nodes = [
            C.Demand(side.node, none_of(side.type), _without_order(side.type, part.span), part.span)
            if is_maybe(side.type)
            else side.node
            for side, part in ((left, tree.left), (right, tree.right))
        ]
        settled = _settled(left.type, right.type, name)
        if settled is not None and not (isinstance(left.node, C.Const) and isinstance(right.node, C.Const)):
            if not self.unsure and not self.world.by_configuration(tree):
                sides = [f"the {where} side is {show(side.type)}" for where, side in (("left", left), ("right", right))]
                said = f"this is {'always' if settled else 'never'} so: {', '.join(sides)}"
                elab.report.warn("L508", tree.span, said, help="check the number and the sign; or remove the condition")
        return Typed(elab.op(name, tuple(nodes), tree.span), BOOL)

    def never_equal(self, a: Type, b: Type) -> bool:
        """Whether no value of one type is a value of the other."""
        if isinstance(a, Elem) and isinstance(b, Elem):
            return a.mask & b.mask == 0 and a.mask != 0 and b.mask != 0 and not (a.maybe and b.maybe)
        if isinstance(a, Num) and isinstance(b, Num):
            return (a.high < b.low or b.high < a.low) and not (a.maybe and b.maybe)
        return False

    def membership(self, tree: E.Binary) -> Typed:
        elab = self.elab
        right_first = elab.needs_help(tree.left)
        if right_first:
            right = elab.expr(tree.right)
            inner = elab.item_type(right.type)
            left = elab.expr(tree.left, inner)
        else:
            left = elab.expr(tree.left)
            want = SetOf(left.type) if isinstance(left.type, Elem | Num) else None
            right = elab.expr(tree.right, left.type if isinstance(left.type, Broken) else want)
        if isinstance(left.type, Broken) or isinstance(right.type, Broken):
            return BAD
        if isinstance(right.type, ListOf) and not isinstance(right.type.of, Elem):
            if join(left.type, right.type.of) is None:
                return elab.fail("T213", tree.span, f"{show(left.type)} cannot be in {show(right.type)}")
            return Typed(elab.op("in_list", (left.node, right.node), tree.span), BOOL)
        if isinstance(right.node, C.Op) and right.node.name == "span" and isinstance(left.type, Num):
            low, high = right.node.args
            return self.in_range(tree, left, low, high)
        if isinstance(left.type, Elem) and left.type.root.kind == "piece" and elab.is_place(right.type):
            return self.lies_in(tree, left, right)
        if isinstance(left.type, Num) and isinstance(right.type, Num):
            number, bound = tree.left.span.one_line, tree.right.span.one_line
            equal, upto = ("==", "<=") if tree.op == "in" else ("!=", ">")
            help = f"write `{number} {equal} {bound}`; up to it is `{number} {upto} {bound}`"
            return elab.fail("T222", tree.right.span, "`in` needs a set or a range behind it, not a number", help)
        among = SetOf(surely(left.type)) if isinstance(left.type, Elem | Num) else None
        found = elab.fitting.as_set(right, tree.right.span, want=among)
        if found is None:
            return BAD
        assert isinstance(found.type, SetOf)
        if isinstance(left.type, Nothing) or (isinstance(left.type, Bool) and isinstance(found.type.of, Num)):
            return Typed(C.Const(0, tree.span), BOOL)
        if not isinstance(left.type, Elem | Num) or join(left.type, found.type.of) is None:
            help = lying_in(tree, left, right) or by_attribute(elab, tree, left, right)
            help = help or word_among(elab, tree, left, right) or shared_words(left.type, found.type)
            help = help or as_wanted(left.type, found.type.of, tree.left.span, elab)
            if among is not None:
                help = help or as_wanted(right.type, among, tree.right.span, elab)
            return elab.fail("T213", tree.span, f"{show(left.type)} cannot be in {show(right.type)}", help)
        fixed = isinstance(left.node, C.Const) and isinstance(found.node, C.Const)
        if not fixed and isinstance(left.type, Elem) and self.never_equal(left.type, found.type.of):
            if self.unsure:
                return Typed(C.Const(0, tree.span), BOOL)
            return elab.fail(
                "T214",
                tree.span,
                f"this is never so: {show(left.type)} is not in {show(right.type)}",
                about=concerned(left.type, right.type),
            )
        members = found.type.of
        numbers = not fixed and isinstance(left.type, Num)
        if numbers and isinstance(members, Num) and self.never_equal(left.type, members):
            if not self.unsure and not self.world.by_configuration(tree):
                said = f"this is never so: {show(left.type)} is not in a set of numbers {members.low}..{members.high}"
                help = "check the number; a range that you declared you can widen"
                elab.report.warn("L508", tree.span, said, help=help)
        return Typed(elab.op("holds", (left.node, found.node), tree.span), BOOL)

    def lies_in(self, tree: E.Binary, left: Typed, right: Typed) -> Typed:
        """Whether a piece lies in a place: one look at where it is."""
        spot = C.Cell(self.world.spots.at, left.node, NONE, tree.span)
        if isinstance(right.type, SetOf):
            where = self.elab.op("subtract", (spot, C.Const(self.world.spots.first_place)))
            return Typed(C.Op("holds", (where, right.node), tree.span), BOOL)
        return Typed(C.Op("equal", (spot, self.world.spot_of_place(right.node)), tree.span), BOOL)

    def in_range(self, tree: E.Binary, left: Typed, low: C.Node, high: C.Node) -> Typed:
        if isinstance(left.node, C.Get | C.Const):
            node: C.Node = C.Both(
                (self.elab.op("at_least", (left.node, low)), self.elab.op("at_most", (left.node, high))), tree.span
            )
            return Typed(node, BOOL)
        slot = self.world.scratch()
        tests = C.Both((C.Op("at_least", (C.Get(slot), low)), C.Op("at_most", (C.Get(slot), high))), tree.span)
        return Typed(C.With((slot,), (left.node,), tests, tree.span), BOOL)


def _without_order(kind: Type, span: Span) -> str:
    """What is said while playing where a value that has no order is none, and how to give it one."""
    text = span.one_line
    if not isinstance(kind, Num) or len(text) > _MOST_QUOTED:
        return "this is none, which has no order: add `otherwise` and a value"
    said = text if re.fullmatch(r"[\w.()\[\], ]+", text) else f"({text})"
    return f"`{text}` is none, which has no order: write `{said} otherwise 0`"


def _settled(a: Type, b: Type, name: str) -> bool | None:
    """Whether an order comparison has the same answer for all values."""
    if not isinstance(a, Num) or not isinstance(b, Num):
        return None
    if name in ("greater", "at_least"):
        a, b, name = b, a, {"greater": "less", "at_least": "at_most"}[name]
    if name == "less":
        return True if a.high < b.low else False if a.low >= b.high else None
    return True if a.high <= b.low else False if a.low > b.high else None
