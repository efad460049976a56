"""Tokens that change hands: what is gained and paid."""

from __future__ import annotations

from ruledsl.analysis.build import Builder, statement
from ruledsl.analysis.names import PoolInfo, Typed
from ruledsl.analysis.paying import Side, is_price, payable, payment, settle
from ruledsl.analysis.reasons import AFTER, LEAST, LESS
from ruledsl.ir import core as C
from ruledsl.source.document import Seq
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import Fields, Key
from ruledsl.wording.templates import Words

Holder = tuple[PoolInfo, int, C.Node | None]  # who has tokens: of which pool, where that begins, whose it is


def _transfer(b: Builder, f: Fields, verb: str) -> None:
    written = f.get("from")
    listed = [b.tokens.holder(node) for node in written.items] if isinstance(written, Seq) else []
    several = [one for one in listed if one is not None]
    if len(several) < len(listed):
        return
    source = several[0] if several else b.tokens.holder(written) if not isinstance(written, Seq) else None
    target = b.tokens.holder(f.get("to"))
    if (f.has("from") and source is None) or (f.has("to") and target is None):
        return
    hint = source[0] if source is not None else target[0] if target is not None else None
    node = f.get(verb)
    span = node.span if node is not None else f.node.span
    for pool, amount in b.tokens.amounts(node, hint):
        _between(b, pool, amount, source, target, verb, span, f, several[1:])


def _between(
    b: Builder,
    pool: PoolInfo,
    amount: Typed,
    source: Holder | None,
    target: Holder | None,
    verb: str,
    span: Span,
    f: Fields,
    further: list[Holder],
) -> None:
    if source is None:
        if verb == "pay":
            source = b.tokens.own_holder(pool, span)
        elif pool.supply >= 0:
            source = (pool, pool.supply, None)
    if target is None:
        if verb == "gain":
            target = b.tokens.own_holder(pool, span)
        elif pool.paid is not None and pool.paid in pool.holders:
            _owner, base, root = pool.holders[pool.paid]
            me = b.elab.special("me", span)
            target = (pool, base, me.node if root is not None and me is not None else None)
        elif pool.supply >= 0:
            target = (pool, pool.supply, None)
    for one in (source, target, *further):
        if one is not None and one[0] is not pool:
            b.report.error("T247", span, f"tokens of `{pool.name}` cannot be where `{one[0].name}` is")
            return
    if b.together:
        for one in (source, target):
            if one is not None and one[2] is not None and not b.world.is_me(one[2]):
                b.report.error("F405", span, "in `together`, players can only change what is their own")
    short = "clip" if verb == "gain" and not f.has("from") else f"there is not enough `{pool.name}` to {verb}"
    sides = [Side(-1, C.Const(0)) if one is None else _side(one) for one in (source, target)]
    if f.has("after") and f.has("from"):
        b.report.error("S101", f.node.entries["after"].key.span, "only what is mine can be exchanged first")
    rest = tuple(map(_side, further))
    if is_price(amount) or rest or f.has("less") or f.has("least") or f.has("after"):
        paid = payment(b, pool, amount, sides[0], sides[1], short, verb, span, f, rest)
        if paid is not None and verb == "pay" and b.opens():
            b.first = payable(b, paid)
        if paid is not None:
            settle(b, paid)
        return
    data = (sides[0].base, sides[1].base, pool.size, short)
    b.emit(C.Act("transfer", (amount.node, sides[0].index, sides[1].index), data, span))


@statement(
    "gain",
    "amounts",
    "How many tokens of what sort.",
    words=Words(
        en="take {gain:short} from {from:holder}<; it goes to {to:holder}>"
        "|take from {from:holder}: {gain}<; it goes to {to:holder}>"
        "|take {gain:short} from the supply<; it goes to {to:holder}>"
        "|take from the supply: {gain}<; it goes to {to:holder}>",
        ru="возьмите (откуда: {from:holder}): {gain}< (кому: {to:holder})>"
        "|возьмите из общего запаса: {gain}< (кому: {to:holder})>",
    ),
    from_=Key("expression", "Whose tokens (default: the supply)."),
    to=Key("expression", "Who gets them (default: the player who acts)."),
)
def gain(b: Builder, f: Fields) -> None:
    """Takes tokens from the supply, or from another holder. A short supply gives what it has.

    For a price such as `{any basic: 2}` the player chooses what to take.

    - gain: {wood: 2, gold: 1}
    """
    _transfer(b, f, "gain")


_LESS = "<, less {less}><, but at least {least}><, if need be after exchanges ({after})>"
_LESS_RU = "<, меньше на {less}><, но не меньше {least:gen}><, если надо — после обмена ({after})>"


@statement(
    "pay",
    "amounts",
    "How many tokens of what sort.",
    words=Words(
        en=f"pay {{pay:short}}< out of {{from:holder}}> to {{to:holder}}{_LESS}"
        f"|pay to {{to:holder}}< out of {{from:holder}}>: {{pay}}{_LESS}"
        f"|pay {{pay:short}}< out of {{from:holder}}> to the supply{_LESS}"
        f"|pay to the supply< out of {{from:holder}}>: {{pay}}{_LESS}",
        ru=f"заплатите {{pay}}< (откуда: {{from:holder}})> (куда: {{to:holder}}){_LESS_RU}"
        f"|заплатите в общий запас< (откуда: {{from:holder}})>: {{pay}}{_LESS_RU}",
    ),
    from_=Key(
        "expression",
        "Whose tokens (default: those of the player who acts). In a list, each pays what those before lack.",
    ),
    to=Key("expression", "Who gets them (default: the supply)."),
    less=LESS,
    least=LEAST,
    after=AFTER,
)
def pay(b: Builder, f: Fields) -> None:
    """Gives tokens to the supply, or to another holder. If the payer has too few, that is a fault of the rules.

    A price such as `{stone: 1, any basic: 2}` may leave a choice; only then is the player asked. With `after:`
    exchanges come first, as long as it cannot be paid.

    - pay: {chip: 10}
      to: pot
    """
    _transfer(b, f, "pay")


def _side(one: Holder) -> Side:
    return Side(one[1], one[2] if one[2] is not None else C.Const(0))
