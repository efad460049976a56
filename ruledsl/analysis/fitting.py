"""Values where a type is demanded: as sets, as lists, with the checks that are needed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.source.text import Span
from ruledsl.syntax.foreign import number_meant
from ruledsl.types import (
    NO_NUMBER,
    NONE,
    BagOf,
    Bool,
    Broken,
    Elem,
    ListOf,
    Nothing,
    Num,
    SetOf,
    Type,
    bits,
    join,
    none_of,
    surely,
)

from .doubts import none_of_two
from .meant import as_number, as_set, as_wanted
from .names import Typed, TypedList, TypedSet
from .prices import widened
from .show import concerned, show, show_mask

if TYPE_CHECKING:
    from .elaborate import Elaborator

MOST_IN_SET = 1_000_000  # a set of numbers takes a bit for each


class Fitting:
    """Values where a type is demanded: as sets, as lists, with the checks that are needed."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab, self.world = elab, elab.world

    def reconcile(self, typed: Typed, together: Type, span: Span) -> C.Node:
        """The code of one side as a value of the common type."""
        if isinstance(together, SetOf) and not isinstance(typed.type, SetOf):
            found = self.as_set(typed, span)
            return found.node if found is not None else C.Const(0)
        if isinstance(typed.type, Nothing):
            if isinstance(together, ListOf):
                return C.Const(())
            return C.Const((0,) * together.root.size if isinstance(together, BagOf) else none_of(together))
        return widened(typed, together.root) if isinstance(together, BagOf) else typed.node

    def as_set(self, typed: Typed, span: Span, single: bool = False, want: Type | None = None) -> TypedSet | None:
        """A value as a set; with `single`, one member counts as the set of it."""
        elab = self.elab
        match typed.type:
            case Broken():
                return None
            case Nothing():
                return TypedSet(C.Const(0), _any_set())
            case SetOf(of=Elem() as inner) if inner.root.kind == "place":
                spots = tuple(self.world.spots.first_place + i for i in bits(inner.mask))
                return TypedSet(C.Primitive("on_all", (), (spots,), span), SetOf(elab.pieces_type(inner)))
            case SetOf(of=Num(low=low, high=high)) if (
                isinstance(typed.node, C.Op) and typed.node.name == "span" and not 0 <= low <= high <= MOST_IN_SET
            ):
                elab.fail(
                    "R315",
                    span,
                    f"a set of numbers holds those from 0 to {MOST_IN_SET:,}, and these go from {low:,} to {high:,}",
                    "run over them in a loop, or use a smaller range",
                )
                return None
            case SetOf():
                return TypedSet(typed.node, typed.type)
            case ListOf(of=Elem() | Num() as inner):
                return TypedSet(elab.op("collect", (typed.node,), span), SetOf(surely(inner)))
            case ListOf(of=Bool()):
                return TypedSet(elab.op("collect", (typed.node,), span), SetOf(Num(0, 1)))
            case Elem() if typed.type.root.kind == "place":
                spot = self.world.spot_of_place(typed.node)
                return TypedSet(C.Primitive("on_set", (spot,), (None,), span), SetOf(elab.pieces_type(typed.type)))
            case BagOf(root=root, mask=mask):
                return TypedSet(elab.op("bag_kinds", (typed.node,), span), SetOf(Elem(root, mask)))
            case Elem() | Num() if single:
                return TypedSet(elab.op("only", (typed.node,), span), SetOf(surely(typed.type)))
        text = span.one_line
        shown = f"`{text}`, which is {show(typed.type)}" if re.fullmatch(r"\d+ *- *\d+", text) else show(typed.type)
        help = self._all_of_a_kind(text) or as_set(typed.type, span, elab, want)
        elab.fail("T222", span, f"this must be a set, not {shown}", help)
        return None

    def _all_of_a_kind(self, text: str) -> str:
        """For who writes `market.card` for all cards there."""
        place, _, kind = text.rpartition(".")
        if all(info.name != place.rpartition(".")[2] for info in self.world.place_infos):
            return ""
        if all(known.name != kind for known in self.world.kinds):
            return ""
        return f"`{text}` is the first one there; `pieces({place}, {kind})` is all of them"

    def as_list(self, typed: Typed, span: Span) -> TypedList | None:
        """A value as a list in its order."""
        elab = self.elab
        if isinstance(typed.type, ListOf):
            return TypedList(typed.node, typed.type)
        if isinstance(typed.type, Elem) and typed.type.root.kind == "place":
            inner = elab.pieces_type(typed.type)
            node = C.Primitive("on", (self.world.spot_of_place(typed.node),), (None,), span)
            return TypedList(node, ListOf(inner, inner.mask.bit_count()))
        found = self.as_set(typed, span)
        if found is None:
            return None
        size = (
            found.type.of.mask.bit_count()
            if isinstance(found.type.of, Elem)
            else found.type.of.high - found.type.of.low + 1
        )
        if isinstance(found.node, C.Op) and found.node.name == "span":
            return TypedList(elab.op("upto", found.node.args, span), ListOf(found.type.of, size))
        return TypedList(elab.op("members", (found.node,), span), ListOf(found.type.of, size))

    def coerce(self, typed: Typed, want: Type, span: Span, role: str) -> C.Node:
        """The code of a value where a type is demanded, with checks for what only play can show."""
        elab = self.elab
        have = typed.type
        if isinstance(have, Broken) or isinstance(want, Broken):
            return C.Const(0)
        match want:
            case Bool():
                return elab.condition(typed, span, role)
            case Num():
                return self.coerce_number(typed, want, span, role)
            case Elem():
                return self.coerce_element(typed, want, span, role)
            case SetOf():
                found = self.as_set(typed, span, want=want)
                if found is None:
                    return C.Const(0)
                if found.type != _any_set() and join(found.type, want) is None:
                    help = as_wanted(have, want, span, elab)
                    self._unfit(have, want, span, role, help)
                elif self.strays(found.type, want):
                    elab.fail("T202", span, f"{role} must be {show(want)}, and {show(have)} is none of these")
                return found.node
            case ListOf():
                if isinstance(have, Nothing):
                    return C.Const(())
                listed = self.as_list(typed, span) if isinstance(have, SetOf | ListOf) else None
                if listed is None or join(listed.type, want) is None:
                    help = as_wanted(have, want, span, elab) or self._listed(have, want, span)
                    self._unfit(have, want, span, role, help)
                    return C.Const(())
                return listed.node
            case BagOf():
                if isinstance(have, Nothing):
                    return C.Const((0,) * want.root.size)
                if isinstance(have, BagOf) and have.root in (want.root, want.root.whole):
                    return widened(typed, want.root)
                if isinstance(have, BagOf) and have.root.whole is want.root:
                    help = "a price is asked for with `payable(…)` and paid with `pay:`"
                    self._unfit(have, want, span, role, help)
                    return typed.node
        if join(have, want) is None:
            elab.fail("T201", span, f"{role} must be {show(want)}, not {show(have)}", as_wanted(have, want, span, elab))
        return typed.node

    def _unfit(self, have: Type, want: Type, span: Span, role: str, help: str = "") -> None:
        """Tells that a value is of another type than is wanted; what follows from either type is not told once more."""
        message = f"{role} must be {show(want)}, not {show(have)}"
        self.elab.fail("T201", span, message, help, about=concerned(want, have))

    def _listed(self, have: Type, want: ListOf, span: Span) -> str:
        """How one thing becomes a list of it."""
        text = span.one_line
        return f"a list with only this is `[{text}]`" if join(have, want.of) is not None and len(text) <= 40 else ""

    def strays(self, have: Type, want: SetOf) -> bool:
        """Whether no member of a set could be one that is wanted."""
        if not isinstance(have, SetOf) or not isinstance(have.of, Elem) or not isinstance(want.of, Elem):
            return False
        return have.of.mask != 0 and have.of.root is want.of.root and have.of.mask & want.of.mask == 0

    def coerce_number(self, typed: Typed, want: Num, span: Span, role: str) -> C.Node:
        """The same where a number is demanded: none and what is out of the range are refused, here or in play."""
        elab = self.elab
        have = typed.type
        if isinstance(have, Nothing):
            if have.listed or not want.maybe:
                self._unfit(have, want, span, role)
            return C.Const(NO_NUMBER)
        if not isinstance(have, Num):
            meant = number_meant(span.one_line) if have.__class__ is Elem else None
            help = as_number(have, span, elab) or as_wanted(have, want, span, elab)
            help = f"write `{meant}`" if meant is not None else help
            self._unfit(have, want, span, role, help)
            return C.Const(0)
        node: C.Node = typed.node
        if have.maybe and not want.maybe:
            none_of_two(elab.world, node, span, role, NO_NUMBER)
            node = C.Demand(node, NO_NUMBER, f"{role} is none", span)
        if have.high < want.low or have.low > want.high:
            help = f"write a number from {want.low} to {want.high}; a range that you declared you can widen"
            if have.high < 0 == want.low:
                help = "write it without a minus: the statement says who gets it"
                if role.startswith("`"):  # what is set
                    less = span.one_line.removeprefix("-")
                    help = f"to take so much away write `subtract: {{{role.strip('`')}: {less}}}`"
            elab.fail("R304", span, f"{role} must be {show(want)}, and this is {show(have)}", help)
        elif have.low < want.low or have.high > want.high:
            node = C.Fit(node, want.low, want.high, role, want.maybe, span)
        return node

    def coerce_element(self, typed: Typed, want: Elem, span: Span, role: str) -> C.Node:
        """The same where a member of something is demanded: a player, a piece, a word of a type."""
        elab = self.elab
        have = typed.type
        if isinstance(have, Nothing):
            if have.listed or not want.maybe:
                self._unfit(have, want, span, role)
            return C.Const(NONE)
        if isinstance(have, Elem) and want.root.whole is have.root:  # a sort of tokens is one of a price, too
            have = Elem(want.root, have.mask, have.maybe)
        if not isinstance(have, Elem) or have.root is not want.root:
            help = ""
            board = next((board for board in elab.world.boards if board.root is want.root), None)
            if isinstance(have, SetOf) and join(have.of, want) is not None:
                help = "`first(…)` gives the first of them"
            elif isinstance(have, Num) and board is not None:
                help = f"`{board.name}[…]` gives a {board.word} by its coordinates"
            else:
                help = as_wanted(have, want, span, elab)
            self._unfit(have, want, span, role, help)
            return C.Const(0)
        node: C.Node = typed.node
        if have.maybe and not want.maybe:
            none_of_two(elab.world, node, span, role, NONE)
            node = C.Demand(node, NONE, f"{role} is none", span)
        if have.mask & ~want.mask:
            if have.mask & want.mask == 0:
                elab.fail("T202", span, f"{role} must be {show(want)}, and {show(have)} is none of these")
            else:
                node = C.Primitive("belongs", (node,), (want.mask, f"{role} must be {show(want)}{_asked(want)}"), span)
        return node


def _asked(want: Elem) -> str:
    """How a piece of another kind is kept away from where one kind is needed: this is found only while playing."""
    return (
        f", and this one is not: ask `in {show_mask(want.root, want.mask)}` first" if want.root.kind == "piece" else ""
    )


def _any_set() -> SetOf:
    """The type of the empty set as it is written, which fits wherever a set is wanted."""
    return SetOf(Num(0, 0))
