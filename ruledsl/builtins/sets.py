"""Counting, asking and picking in sets and lists."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.advice import types_of_attributes
from ruledsl.analysis.fitting import MOST_IN_SET
from ruledsl.analysis.functions import Call, builtin
from ruledsl.analysis.overset import asked_of_all
from ruledsl.analysis.show import show
from ruledsl.ir import core as C
from ruledsl.syntax import expr as E
from ruledsl.types import (
    BOOL,
    FAR,
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
    TableOf,
    Type,
    every,
    maybe,
    none_of,
    surely,
)
from ruledsl.wording.templates import Words


def size_of(type: Type) -> int:
    match type:
        case SetOf(of=Elem() as inner):
            return inner.mask.bit_count()
        case SetOf(of=Num(low, high)):
            return high - low + 1
        case ListOf(most=most):
            return most
        case Bool():
            return 2
        case Elem(mask=mask):
            return mask.bit_count()
        case Num(low, high):
            return high - low + 1
    return FAR


@builtin(
    "count*(S) → number",
    Words(
        en=(
            "the number of {things}",
            "the number of {members}",
        ),
        ru=(
            "[число] {things:gen}",
            "[число] {members:gen}",
        ),
    ),
)
def count(call: Call) -> Any:
    """How many there are: in a set, a list, a place; or how many of them fulfil a condition.

    `count(me.hand)`, `count(f in fort where f.holder == me)`
    """
    if call.over():
        return call.fold("count", lambda inner, value: Num(0, min(FAR, _most(call))))
    typed = call.typed(0)
    if isinstance(typed.type, Broken):
        return call.bad
    if isinstance(typed.type, ListOf):
        return call.result(call.op("length", typed.node), Num(0, typed.type.most))
    if isinstance(typed.type, BagOf):
        return call.fail("T226", call.span, "`count` counts members of a set", "`total(…)` adds up what is in a bag")
    found = call.elaborator.fitting.as_set(typed, call.plain[0].span)
    if found is None:
        return call.bad
    return call.result(call.op("size", found.node), Num(0, size_of(found.type)))


def _most(call: Call) -> int:
    most = 1
    for source in call.sources:
        kind = call.elaborator.local(source.name.name)
        most *= size_of(kind.value.type) if kind is not None else 1
    return most


@builtin(
    "any*(S) → condition",
    Words(
        en=(
            "for at least one of {things}, {value:cond}",
            "there is {things:a}",
            "there are {members}",
        ),
        ru=(
            "хотя бы для одного из {things:gen} верно: {value:cond}",
            "есть {things:one}",
            "есть {members}",
        ),
        en_not=(
            "for none of {things:none}, {value:cond}",
            "there are no {things:none}",
            "there are no {members}",
        ),
        ru_not=(
            "ни для одного из {things:gen} не верно: {value:cond}",
            "нет {things:gen}",
            "нет {members:gen}",
        ),
    ),
)
def any_(call: Call) -> Any:
    """Whether there is at least one: in a set, list or place; or one that fulfils a condition.

    `any(deck)`, `any(m in me.man where any(jumps(m)))`
    """
    if call.over():
        return call.fold("any", lambda inner, value: BOOL)
    return is_empty(call, False)


@builtin(
    "no*(S) → condition",
    Words(
        en=(
            "for none of {things:none}, {value:cond}",
            "there are no {things:none}",
            "there are no {members}",
        ),
        ru=(
            "ни для одного из {things:gen} не верно: {value:cond}",
            "нет {things:gen}",
            "нет {members:gen}",
        ),
        en_not=(
            "for at least one of {things}, {value:cond}",
            "there is {things:a}",
            "there are {members}",
        ),
        ru_not=(
            "хотя бы для одного из {things:gen} верно: {value:cond}",
            "есть {things:one}",
            "есть {members}",
        ),
    ),
)
def no(call: Call) -> Any:
    """Whether there is none at all: the opposite of `any`.

    `no(deck)`, `no(q in opponent.pawn where q.square)`
    """
    if call.over():
        found = call.fold("any", lambda inner, value: BOOL)
        return found if isinstance(found.type, Broken) else call.result(call.op("not", found.node), BOOL)
    return is_empty(call, True)


def is_empty(call: Call, wanted: bool) -> Any:
    typed = call.typed(0)
    if isinstance(typed.type, Broken):
        return call.bad
    if isinstance(typed.type, ListOf | BagOf):
        node = call.op("length" if isinstance(typed.type, ListOf) else "bag_total", typed.node)
    else:
        if isinstance(typed.type, Elem | Num) and typed.type.maybe:
            named = call.plain[0].span.one_line
            return call.fail(
                "T227",
                call.span,
                f"`{call.builtin.name}` asks about sets, and this is {show(typed.type)}",
                f"to ask whether it is there, write only its name as the condition: `{'not ' * wanted}{named}`",
            )
        found = call.elaborator.fitting.as_set(typed, call.plain[0].span)
        if found is None:
            return call.bad
        node = found.node
    return call.result(call.op("equal" if wanted else "unequal", node, C.Const(0)), BOOL)


@builtin(
    "all*(e for x in S) → condition",
    Words(
        en="for {things:every} it is true that {value:cond}",
        ru="для всех {things:gen} — верно: {value:cond}",
        en_not="not for {things:every} it is true that {value:cond}",
        ru_not="не для всех {things:gen} — верно: {value:cond}",
    ),
)
def all_(call: Call) -> Any:
    """Whether a condition holds for every one; so it is of an empty set.

    `all(c.rank > 5 for c in me.hand)`
    """
    if not call.value_form:
        meant = asked_of_all(call.plain) or "all(… for x in …)"
        return call.fail("T224", call.span, "`all` needs a condition before `for`", f"write `{meant}`")
    return call.fold("all", lambda inner, value: BOOL)


@builtin(
    "sum*(e for x in S) → number",
    Words(
        en=(
            "the sum of {value} over all {things}",
            "the sum of all {things}",
            "the sum of {0:set}",
        ),
        ru=(
            "[сумма] по всем {things:dat}: {value}",
            "[сумма] всех {things:gen}",
            "[сумма]: {0:set}",
        ),
    ),
)
def sum_(call: Call) -> Any:
    """The sum of a number, or of bags, over all of them; 0 for none.

    `sum(c.points for c in me.hand)`
    """
    if not call.over():
        typed = call.typed(0)
        if isinstance(typed.type, ListOf) and isinstance(typed.type.of, Num):
            inner, text = typed.type.of, call.plain[0].span.one_line
            if inner.maybe:
                help = f"say what counts for none: `sum(x otherwise 0 for x in {text})`"
                return call.fail("T209", call.plain[0].span, "some of what is added up may be none", help)
            return call.result(
                call.op("total_of", typed.node),
                Num(min(0, inner.low) * typed.type.most, max(0, inner.high) * typed.type.most),
            )
        if isinstance(typed.type, Broken):
            return call.bad
        help, text = "write `sum(… for x in …)`", call.plain[0].span.one_line
        if isinstance(typed.type, TableOf) and isinstance(typed.type.keys[0], Elem):
            key = typed.type.keys[0].root.name
            help = f"there is one for each: write `sum({text}[{key[0]}] for {key[0]} in {key})`"
        if isinstance(typed.type, BagOf):
            root, x = typed.type.root, typed.type.root.name[0]
            worth = next((name for name, of in types_of_attributes(every(root)) if isinstance(of, Num)), "…")
            help = f"`total({text})` counts what is in it; with what each is worth: "
            help += f"`sum({text}[{x}] * {x}.{worth} for {x} in {root.name})`"
        return call.fail("T224", call.span, "`sum` needs a value before `for`", help)
    kinds: list[Type] = []

    def result(inner: Type, value: Type | None) -> Type | None:
        kind = surely(value if value is not None else inner)
        kinds.append(kind)
        if isinstance(kind, BagOf):
            return BagOf(kind.root, kind.mask, min(FAR, kind.most * _most(call)))
        if not isinstance(kind, Num):
            help = "write `count(x in … where …)` to count" if isinstance(kind, Bool) else ""
            call.fail("T209", call.span, f"`sum` adds numbers, not {show(kind)}", help)
            return None
        times = _most(call)
        return Num(max(-FAR, min(0, kind.low * times)), min(FAR, max(0, kind.high * times)))

    found = call.fold("sum", result)
    if kinds and isinstance(kinds[0], BagOf) and isinstance(found.node, C.Fold):
        node = found.node
        return call.result(
            C.Fold("bagsum", node.each, node.where, node.value, (), kinds[0].root.size, call.span), found.type
        )
    return found


def _extreme(call: Call, name: str) -> Any:
    if call.over():

        def result(inner: Type, value: Type | None) -> Type | None:
            kind = value if value is not None else inner
            if not isinstance(kind, Num | Elem | ListOf):
                call.fail("T225", call.span, f"`{name}` cannot order {show(kind)}")
                return None
            return maybe(kind)

        return call.fold(name, result)
    if len(call.plain) == 1:
        typed = call.typed(0)
        if isinstance(typed.type, Broken):
            return call.bad
        slot = call.world.scratch()
        each = call.elaborator.each(typed, slot, call.plain[0].span)
        if each is None:
            return call.bad
        return call.result(C.Fold(name, (each[0],), None, None, (), none_of(each[1]), call.span), maybe(each[1]))
    return call.of_numbers("least" if name == "min" else "greatest", f"what `{name}` compares")


@builtin(
    "min*(a, …) → number",
    Words(
        en=(
            "{rest}, but at most {limit}",
            "the smallest of {value} over all {things}",
            "the smallest of all {things}",
            "the smallest of {args:apart}",
            "the smallest of the {members}",
        ),
        ru=(
            "{rest:*}, но не больше {limit:gen}",
            "[наименьшее] по всем {things:dat}: {value}",
            "[наименьшее] из {things:gen}",
            "[наименьшее] из: {args:apart}",
            "[наименьшее] из {members:gen}",
        ),
    ),
)
def min_(call: Call) -> Any:
    """The smallest of some numbers, or the smallest value over all of a set (none for an empty one).

    `min(3, me.stack)`, `min(f.number for f in me.forts)`
    """
    return _extreme(call, "min")


@builtin(
    "max*(a, …) → number",
    Words(
        en=(
            "{rest}, but at least {limit}",
            "the largest of {value} over all {things}",
            "the largest of all {things}",
            "the largest of {args:apart}",
            "the largest of the {members}",
        ),
        ru=(
            "{rest:*}, но не меньше {limit:gen}",
            "[наибольшее] по всем {things:dat}: {value}",
            "[наибольшее] из {things:gen}",
            "[наибольшее] из: {args:apart}",
            "[наибольшее] из {members:gen}",
        ),
    ),
)
def max_(call: Call) -> Any:
    """The largest of some numbers, or the largest value over all of a set (none for an empty one).

    `max(0, price)`, `max(c.value for c in p.hand) otherwise 0`
    """
    return _extreme(call, "max")


def _pick(call: Call, name: str, op: str) -> Any:
    if call.over():

        def result(inner: Type, value: Type | None) -> Type | None:
            kind = value if value is not None else inner
            if not isinstance(kind, Num | Elem):
                call.fail("T228", call.span, f"`{name}` cannot pick {show(kind)}")
                return None
            return maybe(kind)

        return call.fold(name, result)
    typed = call.typed(0)
    if isinstance(typed.type, Broken):
        return call.bad
    if isinstance(typed.type, ListOf):
        inner = typed.type.of
        return call.result(call.op(op, typed.node, C.Const(none_of(inner))), maybe(inner))
    if isinstance(typed.type, Elem) and typed.type.root.kind == "place":
        listed = call.elaborator.fitting.as_list(typed, call.plain[0].span)
        assert listed is not None, "the pieces in a place are a list"
        return call.result(call.op(op, listed.node, C.Const(NONE)), maybe(listed.type.of))
    found = call.elaborator.fitting.as_set(typed, call.plain[0].span)
    if found is None:
        return call.bad
    inner = found.type.of
    node = call.op("lowest" if name == "first" else "highest", found.node)
    if isinstance(inner, Num):
        node = C.Cond(call.op("equal", found.node, C.Const(0)), C.Const(NO_NUMBER), node, call.span)
    return call.result(node, maybe(inner))


@builtin(
    "first*(S) → maybe",
    Words(
        en=(
            "{value} for the first {things:one}< in the order of {keys:up}>",
            "the first {things:one}< in the order of {keys:up}>",
            "the first of the {members}",
        ),
        ru=(
            "{value:*} — для первого из {things:gen}< по порядку: {keys:up}>",
            "[первый элемент] из {things:gen}< по порядку: {keys:up}>",
            "[первый элемент] из {members:gen}",
        ),
    ),
)
def first(call: Call) -> Any:
    """The first of a set, list or place; with a condition or order, the first that fits. None if there is none.

    `first(me.hand)`, `first(s in wall where empty(s))`, `first(p in players by -p.score)`
    """
    return _pick(call, "first", "head")


@builtin(
    "last*(S) → maybe",
    Words(
        en=(
            "{value} for the last {things:one}< in the order of {keys:up}>",
            "the last {things:one}< in the order of {keys:up}>",
            "the last of the {members}",
        ),
        ru=(
            "{value:*} — для последнего из {things:gen}< по порядку: {keys:up}>",
            "[последний элемент] из {things:gen}< по порядку: {keys:up}>",
            "[последний элемент] из {members:gen}",
        ),
    ),
)
def last(call: Call) -> Any:
    """The last of a set, list or place; with a condition or order, the last that fits. None if there is none.

    `last(row)`, `last(s in wall where empty(s))`
    """
    return _pick(call, "last", "tail")


@builtin(
    "set*(S) → set",
    Words(
        en=(
            "all {things}, for {others:every}",
            "{value} for {things:every}",
            "all {things}",
            "{0:set}",
        ),
        ru=(
            "[все] {things:*} — для всех {others:gen}",
            "[набор] ({value} — для всех {things:gen})",
            "[все] {things:*}",
            "{0:set *}",
        ),
    ),
)
def set_(call: Call) -> Any:
    """The set of all that fulfil a condition, or of the values for all of them; none is left out.

    `set(c in board where empty(c))`, `set(step(p.square, d) for d in ahead)`
    """
    if not call.over():
        found = call.elaborator.fitting.as_set(call.typed(0), call.plain[0].span, single=True)
        return call.bad if found is None else found
    kinds: list[Type] = []

    def result(inner: Type, value: Type | None) -> Type | None:
        kind = surely(value if value is not None else inner)
        kinds.append(kind)
        match kind:
            case Bool():
                return SetOf(Num(0, 1))
            case Elem() if kind.root.kind != "place":
                return SetOf(kind)
            case Num():
                if kind.low < 0:
                    call.fail("R312", call.span, "a set of numbers cannot hold negative ones", "use `list(…)`")
                    return None
                if kind.high > MOST_IN_SET:
                    call.fail(
                        "R315",
                        call.span,
                        f"a set of numbers holds none above {MOST_IN_SET:,}, and these go up to {kind.high:,}",
                        "use smaller numbers, or `list(…)`",
                    )
                    return None
                return SetOf(kind)
            case SetOf() | Elem():
                return kind if isinstance(kind, SetOf) else SetOf(call.elaborator.pieces_type(kind))
        call.fail("T203", call.span, f"a set cannot hold {show(kind)}")
        return None

    found = call.fold("set", result)
    if kinds and isinstance(kinds[0], SetOf) and isinstance(found.node, C.Fold):
        node = found.node
        return call.result(C.Fold("union", node.each, node.where, node.value, (), 0, call.span), found.type)
    return found


@builtin(
    "list*(S) → list",
    Words(
        en=(
            "all {things}, for {others:every}<, in the order of {keys:up}>",
            "{value} for {things:every}<, in the order of {keys:up}>",
            "all {things}<, in the order of {keys:up}>",
            "{0:set}",
        ),
        ru=(
            "[все] {things:*} — для всех {others:gen}<, по порядку: {keys:up}>",
            "[набор] ({value} — для всех {things:gen}<, по порядку: {keys:up}>)",
            "[все] {things:*}<, по порядку: {keys:up}>",
            "{0:set *}",
        ),
    ),
)
def list_(call: Call) -> Any:
    """A set in its order as a list; with `by`, in the order of keys, smaller first.

    `list(p in players by -p.score)`
    """
    if not call.over():
        found = call.elaborator.fitting.as_list(call.typed(0), call.plain[0].span)
        return call.bad if found is None else found

    def result(inner: Type, value: Type | None) -> Type | None:
        kind = surely(value if value is not None else inner)
        if not isinstance(kind, Num | Elem | Bool):
            call.fail("T203", call.span, f"a list cannot hold {show(kind)}")
            return None
        return ListOf(kind, min(FAR, _most(call)))

    return call.fold("list", result)


@builtin(
    "median*(e for x in S) → maybe number",
    Words(
        en=("the median of {value} over all {things}", "the median of all {things}", "the median of {0:set}"),
        ru=("[медиана] по всем {things:dat}: {value}", "[медиана] всех {things:gen}", "[медиана]: {0:set}"),
    ),
    tried=("middle",),
)
def median(call: Call) -> Any:
    """The number in the middle when all stand in order, the lower one of two; none if there are none.

    `median(p.bid for p in players)`, `median([3, 8, 5])`
    """
    listed = list_(call)
    if isinstance(listed.type, Broken):
        return call.bad
    of = listed.type.of
    if not isinstance(of, Num):
        return call.fail("T209", call.span, f"`median` is the middle of numbers, not {show(of)}")
    return call.result(call.op("median", listed.node, C.Const(none_of(of))), maybe(of))


def _top(call: Call, name: str) -> Any:
    if not call.over() or call.value_form or not call.tree.arguments.keys:
        meant = call.ordered_meant(name) or f"{name}(x in … by …)"
        return call.fail("T224", call.span, f"`{name}` needs a set and an order", f"write `{meant}`")

    def result(inner: Type, value: Type | None) -> Type | None:
        return SetOf(inner) if isinstance(inner, Elem | Num) else None

    return call.fold(name, result)


@builtin(
    "most*(x in S by k) → set",
    Words(en="of the {things}, those with {keys:most}", ru="{things:*} (только те, у которых {keys:most})"),
)
def most(call: Call) -> Any:
    """All with the highest key, or keys; ties stay together.

    `most(p in players by p.score)`
    """
    return _top(call, "most")


@builtin(
    "least*(x in S by k) → set",
    Words(en="of the {things}, those with {keys:least}", ru="{things:*} (только те, у которых {keys:least})"),
)
def least(call: Call) -> Any:
    """All with the lowest key, or keys; ties stay together.

    `least(p in players by p.score, p.time)`
    """
    return _top(call, "least")


@builtin("take(list, n) → list", Words(en="the first {1} of {0:set}", ru="[первые] {1} из: {0:set}"))
def take(call: Call) -> Any:
    """The first n of a list.

    `take(list(r in rank by -r), 5)`
    """
    listed = call.elaborator.fitting.as_list(call.typed(0), call.plain[0].span)
    number = call.number(1, "how many are taken")
    if listed is None or number is None:
        return call.bad
    most = max(0, min(listed.type.most, number.type.high))
    return call.result(call.op("take", listed.node, number.node), ListOf(listed.type.of, most))


@builtin(
    "reversed(S) → list",
    Words(en="{0:set} in the opposite order", ru="{0:set *} в обратном порядке"),
    tried=("reverse", "backwards", "backward", "inverted", "descending"),
)
def reversed_(call: Call) -> Any:
    """A list, set or place in the opposite order: the last comes first.

    `reversed(players from starter)`, `reversed(ray(a1, n))`
    """
    listed = call.elaborator.fitting.as_list(call.typed(0), call.plain[0].span)
    if listed is None:
        return call.bad
    inner = listed.type.of
    if isinstance(listed.node, C.Const):
        return call.result(C.Const(tuple(listed.node.value)[::-1], call.span), listed.type)
    items, place = C.Get(call.world.scratch()), C.Get(call.world.scratch())
    size, none = call.op("length", items), C.Const(none_of(inner))
    back = call.op("item", items, call.op("subtract", call.op("add", size, C.Const(1)), place), none)
    each = C.Each(place.slot, "range", (C.Const(1), size))
    node = C.Fold("list", (each,), None, back, (), none_of(inner), call.span)
    return call.result(C.With((items.slot,), (listed.node,), node, call.span), listed.type)


@builtin(
    "position(list, x) → maybe number",
    Words(en="{1:own position} in {0:set}", ru="[место] у {1:gen} в списке: {0:set}"),
)
def position(call: Call) -> Any:
    """Where x stands in a list, counted from 1; none if it is not there.

    `position(players from starter, me)`
    """
    if call.elaborator.needs_help(call.plain[0]) and not call.elaborator.needs_help(call.plain[1]):
        x = call.typed(1)
        listed = call.elaborator.fitting.as_list(call.typed(0, want=x.type), call.plain[0].span)
    else:
        listed = call.elaborator.fitting.as_list(call.typed(0), call.plain[0].span)
        x = call.typed(1, want=listed.type.of) if listed is not None else call.bad
    if listed is None:
        return call.bad
    if isinstance(x.type, Broken):
        return call.bad
    if not isinstance(x.type, Nothing) and type(x.type) is not type(listed.type.of):
        return call.fail("T213", call.plain[1].span, f"{show(x.type)} cannot be in {show(listed.type)}")
    return call.result(call.op("position", listed.node, x.node), Num(1, max(1, listed.type.most), True))


def _what_is_none(call: Call, typed: Any) -> str:
    """What a fault says where `the` finds nothing."""
    asked = call.plain[0].span.one_line
    message = f"what `the` demands is none: `{asked}`"
    match typed.node, call.plain[0]:
        case C.Primitive(name="standing"), E.Attribute(of=of):
            who = of.span.one_line
            return (
                f"{message}. `{who}` stands on no space: it is in the box, the reserve or a place; add `where {asked}`"
            )
    return message


@builtin("the(x) → value", Words(en="{0}", ru="{0:*}"))
def the(call: Call) -> Any:
    """A value that must be there: if it is none in play, that is a fault of the rules.

    `the(first(p.hand))`
    """
    typed = call.typed(0, want=call.want)
    match typed.type:
        case Broken():
            return call.bad
        case Num(maybe=True) | Elem(maybe=True):
            node = C.Demand(typed.node, none_of(typed.type), _what_is_none(call, typed), call.span)
            return call.result(node, surely(typed.type))
    return call.fail("T216", call.span, f"this is never none: {show(typed.type)}", "leave out `the`")
