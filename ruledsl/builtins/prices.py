"""What can be paid, and what is missing."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis import exchanges
from ruledsl.analysis.functions import Call, builtin
from ruledsl.analysis.prices import as_price, discount, due, met, own_tokens
from ruledsl.analysis.show import show
from ruledsl.ir import core as C
from ruledsl.types import BOOL, BagOf, Broken, Num, every
from ruledsl.wording.templates import Words

_LESS = "<, less {less}><, but at least {least}>"
_LESS_RU = "<, меньше на {less}><, но не меньше {least:gen}>"
_MORE = f"< out of {{out_of}}>{_LESS}<, if need be after exchanges ({{after}})>"
_MORE_RU = f"< (из чего: {{out_of}})>{_LESS_RU}<, если надо — после обмена ({{after}})>"


@builtin(
    "payable(price, by=me, out_of=all, less=0, least=0, after=exchanges) → condition",
    Words(
        en=(f"{{by}} can pay {{0}}{_MORE}", f"you can pay {{0}}{_MORE}"),
        ru=(f"{{by}} может заплатить {{0}}{_MORE_RU}", f"можно заплатить {{0}}{_MORE_RU}"),
        en_not=(f"{{by}} cannot pay {{0}}{_MORE}", f"you cannot pay {{0}}{_MORE}"),
        ru_not=(f"{{by}} не может заплатить {{0}}{_MORE_RU}", f"нельзя заплатить {{0}}{_MORE_RU}"),
    ),
    tried=("affordable", "can_pay", "can_afford", "affords", "pays", "enough", "has_enough", "suffices", "can_buy"),
)
def payable(call: Call) -> Any:
    """Whether a player, or a bag, can pay a price now, with parts such as `any basic`.

    `less=` is a discount of so many tokens of the payer's choice; at least `least=` are paid. `after=exchanges` asks
    whether it can be paid if exchanges are made first: all there are, a menu of them, or some by name in a list.

    `payable(h.cost)`, `payable(h.cost, after=exchanges)`, `payable(price, by=p)`, `payable(price, less=2, least=1)`,
    `payable(price, out_of=me.goods + box.goods)`
    """
    asked = _asked(call)
    if asked is None:
        return call.bad
    found, wanted = asked
    if "after" in call.named:
        return _after(call, found, wanted)
    return call.result(C.Op("at_least", (found, wanted), call.span), BOOL)


def _after(call: Call, found: C.Op, wanted: C.Node) -> Any:
    """Whether exchanges make it payable."""
    price, have, free = found.args
    tree = call.named["after"]
    if "out_of" in call.named:
        return call.fail(
            "T220", tree.span, "only what a player has can be exchanged: `after` does not go with `out_of`"
        )
    typed = call.typed(0)
    pool = next(pool for pool in call.world.pools if pool.of is (typed.type.root.whole or typed.type.root))
    names = exchanges.named(call.world, tree, pool)
    if not names:
        return call.bad
    priced = as_price(call.world, typed, call.span)
    assert priced is not None
    asked = exchanges.needed(call.world, names, call.result(price, priced.type), have, have, wanted, call.span, free)
    node: C.Node = C.Op("at_least", (asked, C.Const(0)), call.span)
    if "by" in call.named:  # what an exchange asks is asked of that player
        player = call.node(1, every(call.world.players), "who pays", "by") or C.Const(0)
        node = C.With((C.ME,), (player,), node, call.span)
    return call.result(node, BOOL)


@builtin(
    "missing(price, by=me, out_of=all, less=0, least=0) → number",
    Words(
        en=(
            f"the number of tokens that {{by}} lacks to pay {{0}}{_LESS}",
            f"the number of tokens that you lack to pay {{0}}< out of {{out_of}}>{_LESS}",
        ),
        ru=(
            f"[число] жетонов, которых не хватает (кому: {{by}}), чтобы заплатить {{0}}{_LESS_RU}",
            f"[число] жетонов, которых вам не хватает, чтобы заплатить {{0}}< (из чего: {{out_of}})>{_LESS_RU}",
        ),
    ),
    tried=("shortfall", "lacking", "lacks", "lack", "short", "shortage"),
)
def missing(call: Call) -> Any:
    """How many tokens a player lacks to pay a price; 0 where it can be paid.

    `missing(price) <= points(next(me))`, `missing(price, less=2, least=1) == 0`
    """
    asked = _asked(call)
    if asked is None:
        return call.bad
    found, wanted = asked
    return call.result(call.op("greatest", C.Const(0), C.Op("subtract", (wanted, found), call.span)), Num(0, 10**6))


def _asked(call: Call) -> tuple[C.Op, C.Node] | None:
    """How much of a price is paid out of what there is, and how much must be."""
    typed = call.typed(0)
    if isinstance(typed.type, Broken):
        return None
    tree = call.plain[0]
    if not isinstance(typed.type, BagOf):
        help = f"say of what, as in `amount(any, {tree.span.one_line})`" if isinstance(typed.type, Num) else ""
        call.fail("T201", tree.span, f"what is paid must be a price or a bag, not {show(typed.type)}", help)
        return None
    price = as_price(call.world, typed, tree.span)
    have = _have(call, typed.type)
    if price is None or have is None:
        return None
    less, least = discount(call.elaborator, lambda name: call.named.get(name))
    return met(price, have, call.span), due(call.elaborator, price.node, less, least, call.span)


def _have(call: Call, kind: BagOf) -> C.Node | None:
    """What there is to pay with: what a player has, or a bag."""
    root = kind.root.whole or kind.root
    if "out_of" in call.named:
        tree = call.named["out_of"]
        if "by" in call.named:
            call.fail("T220", call.named["by"].span, "`by` says whose tokens pay, and `out_of` says which; take one")
        typed = call.elaborator.expr(tree, BagOf(root, root.everything, 1))
        if isinstance(typed.type, Broken):
            return None
        if not isinstance(typed.type, BagOf) or typed.type.root is not root:
            call.fail("T201", tree.span, f"what pays must be a bag of {root.name}, not {show(typed.type)}")
            return None
        found: C.Node = typed.node
        return found
    pools = [pool for pool in call.world.pools if pool.of is root]
    if len(pools) != 1:
        said = f"tokens of {root.name} are in several pools" if pools else f"no pool holds {root.name}"
        call.fail("T247", call.span, said, "say what pays: `out_of=…`" if pools else "declare one under `pools:`")
        return None
    call.world.names[pools[0].name].used = True
    player = call.node(1, every(call.world.players), "who pays", "by")
    if player is None:
        me = call.elaborator.special("me", call.span)
        assert me is not None
        player = me.node
    own = own_tokens(call.world, pools[0], player, call.span)
    if own is None:
        call.fail("T249", call.span, f"no player holds `{pools[0].name}`", "say what pays: `out_of=…`")
        return None
    tokens: C.Node = own.node
    return tokens
