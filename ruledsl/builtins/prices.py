"""What can be paid, and what is missing."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.functions import Call, builtin
from ruledsl.analysis.prices import as_price, discount, due, met, own_tokens
from ruledsl.analysis.show import show
from ruledsl.ir import core as C
from ruledsl.types import BOOL, BagOf, Broken, Num, every
from ruledsl.wording.templates import Words

_EN = "you {} {{0}}< out of {{out_of}}><, less {{less}}><, but at least {{least}}>"
_RU = "{} {{0}}< (из чего: {{out_of}})><, меньше на {{less}}><, но не меньше {{least:gen}}>"

_EN_MISSING = "the number of tokens that you lack to pay {0}< out of {out_of}><, less {less}><, but at least {least}>"
_RU_MISSING = (
    "[число] жетонов, которых вам не хватает, чтобы заплатить {0}< (из чего: {out_of})><, меньше на {less}>"
    "<, но не меньше {least:gen}>"
)


@builtin(
    "payable(price, by=me, out_of=all, less=0, least=0) → condition",
    Words(
        en=("{by} can pay {0}< out of {out_of}><, less {less}><, but at least {least}>", _EN.format("can pay")),
        ru=("{by} может заплатить {0}<, меньше на {less}><, но не меньше {least:gen}>", _RU.format("можно заплатить")),
        en_not=(
            "{by} cannot pay {0}< out of {out_of}><, less {less}><, but at least {least}>",
            _EN.format("cannot pay"),
        ),
        ru_not=(
            "{by} не может заплатить {0}<, меньше на {less}><, но не меньше {least:gen}>",
            _RU.format("нельзя заплатить"),
        ),
    ),
    tried=("affordable", "can_pay", "can_afford", "affords", "pays"),
)
def payable(call: Call) -> Any:
    """Whether a player can pay a price, with free parts such as `any basic`, as it stands; or a bag can.

    `less=` takes so many tokens off, whichever the payer likes, but leaves `least=` of them.

    `payable(h.cost)`, `payable(price, by=p)`, `payable(price, out_of=me.goods + box.goods)`,
    `payable(price, less=2, least=1)`
    """
    asked = _asked(call)
    if asked is None:
        return call.bad
    found, wanted = asked
    return call.result(C.Op("at_least", (found, wanted), call.span), BOOL)


@builtin(
    "missing(price, by=me, out_of=all, less=0, least=0) → number",
    Words(
        en=(
            "the number of tokens that {by} lacks to pay {0}<, less {less}><, but at least {least}>",
            _EN_MISSING,
        ),
        ru=(
            "[число] жетонов, которых не хватает (кому: {by}), чтобы заплатить {0}<, меньше на {less}>"
            "<, но не меньше {least:gen}>",
            _RU_MISSING,
        ),
    ),
    tried=("shortfall", "lacking", "lacks", "short"),
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


def _asked(call: Call) -> tuple[C.Node, C.Node] | None:
    """How much of a price is paid out of what there is, and how much must be."""
    typed = call.typed(0)
    if isinstance(typed.type, Broken):
        return None
    tree = call.plain[0]
    if not isinstance(typed.type, BagOf):
        call.fail("T201", tree.span, f"what is paid must be a price or a bag, not {show(typed.type)}")
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
