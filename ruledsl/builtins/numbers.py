"""Numbers and bags."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.functions import Call, builtin
from ruledsl.analysis.prices import ANY, is_free, only_sorts
from ruledsl.analysis.show import show
from ruledsl.ir import core as C
from ruledsl.syntax import expr as E
from ruledsl.types import BagOf, Broken, Elem, ListOf, Num, SetOf, Type, every
from ruledsl.wording.templates import Words


@builtin("abs(n) → number", Words(en="{0:p} without its sign", ru="[величина] {0:p gen} без знака"))
def abs_(call: Call) -> Any:
    """A number without its sign.

    `abs(a.x - b.x)`
    """
    return call.of_numbers("absolute")


@builtin(
    "gcd(a, b, …) → number",
    Words(en="the greatest number that divides {args:apart}", ru="[наибольшее] число, на которое делятся {args:apart}"),
)
def gcd(call: Call) -> Any:
    """The greatest number that divides all of these without a remainder; of 0 and another, that other without its sign.

    `gcd(a.x - b.x, a.y - b.y) == 1`
    """
    return call.of_numbers("gcd")


@builtin(
    "clip(n, low, high) → number",
    Words(en="{0:p}, but at least {1} and at most {2}", ru="{0:p *}, но не меньше {1:gen} и не больше {2:gen}"),
)
def clip(call: Call) -> Any:
    """A number cut to a range: too small becomes low, too large becomes high.

    `clip(score + 3, 0, 50)`
    """
    numbers = call.numbers()
    if numbers is None:
        return call.bad
    of_numbers = call.elaborator.calculating.of_numbers
    return of_numbers("least", [of_numbers("greatest", numbers[:2], call.span), numbers[2]], call.span)


@builtin("total(bag) → number", Words(en="the number of tokens in {0}", ru="[число] всех жетонов в {0:pre}"))
def total(call: Call) -> Any:
    """How many tokens a bag holds in all.

    `total(me.goods) <= 7`
    """
    typed = call.typed(0)
    if isinstance(typed.type, Broken):
        return call.bad
    if not isinstance(typed.type, BagOf):
        help = "`count(…)` counts the members of a set" if isinstance(typed.type, SetOf | ListOf) else ""
        if isinstance(typed.type, Elem):
            help = "this is one alone; several of a bag are chosen by `any of …` or `2 of …`"
        return call.fail("T201", call.plain[0].span, f"`total` adds up a bag, not {show(typed.type)}", help)
    return call.result(
        call.op("bag_total", typed.node), Num(0, min(2**31 - 1, typed.type.most * typed.type.mask.bit_count()))
    )


@builtin(
    "amount(member, n) → bag",
    Words(
        en=("{number} {0:bare}", "{number} × {0}", "as many {0:bare} as {1}"),
        ru=("{number} × {0:bare}", "{number} × {0}", "{0:bare} (сколько: {1})"),
    ),
)
def amount(call: Call) -> Any:
    """A bag with n of one sort; a price, if it may be any of several sorts.

    `cost + amount(gold, 2)`, `amount(any basic, 3)`
    """
    tree = call.plain[0]
    want: Type | None = None
    if isinstance(call.want, BagOf):
        free = isinstance(tree, E.Name) and is_free(tree.name)
        want = every(call.want.root if free else call.want.root.whole or call.want.root)
    if isinstance(tree, E.Name) and tree.name == ANY:
        want = want or only_sorts(call.world)
        if want is None:
            help = "write the type after it, as in `any good`"
            return call.fail("T246", tree.span, "there are several types of tokens", help)
    typed = call.typed(0, want=want)
    number = call.number(1, "how many")
    if isinstance(typed.type, Broken) or number is None:
        return call.bad
    if not isinstance(typed.type, Elem) or typed.type.root.kind not in ("enum",):
        return call.fail("T201", call.plain[0].span, f"a bag holds members of a type, not {show(typed.type)}")
    root = typed.type.root
    node = call.op("bag_of", typed.node, number.node, C.Const(root.size))
    return call.result(node, BagOf(root, typed.type.mask, max(0, number.type.high)))


@builtin("each(type) → bag", Words(en="one of each {0:noun}", ru="по одному каждого: {0:noun}"))
def each(call: Call) -> Any:
    """A bag with one of every member of a type.

    `each(basic) <= me.goods`
    """
    tree = call.plain[0]
    if not isinstance(tree, E.Name):
        return call.fail("T229", tree.span, "`each` takes the name of a type")
    kind = call.world.written.named_type(tree.name, tree.span)
    if not isinstance(kind, Elem):
        return call.bad
    counts = tuple(kind.mask >> i & 1 for i in range(kind.root.size))
    return call.result(C.Const(counts, call.span), BagOf(kind.root, kind.mask, 1))
