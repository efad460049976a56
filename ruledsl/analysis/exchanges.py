"""Exchanges: actions that give tokens to the supply for others, and nothing else; so what they lead to can be told.

Every way to give and to get is a move of its own, known when the game is loaded: so an exchange is one decision, and
whether some exchanges make a price payable is asked of the moves alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.engine.exchanges import TOO_MANY, WITHOUT_END
from ruledsl.engine.payments import Bag, payment, payments
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import Fields
from ruledsl.types import BagOf, Num

from .extending import reads
from .names import PoolInfo, Typed
from .prices import as_price

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld

    from .build import Builder, Frame, ProcInfo
    from .choosing import Draft

MOST_MOVES = 400  # ways to make one exchange
ALL = "exchanges"
NOT_WITH = ("choose", "cost", "where", "so_far", "stepwise", "ordered", "do")


@dataclass(frozen=True)
class Exchange:
    """All ways to make one exchange."""

    name: str
    pool: PoolInfo
    gives: tuple[Bag, ...]
    gets: tuple[Bag, ...]


def is_exchange(node: Any) -> bool:
    return isinstance(node, Map) and ("give" in node.entries or "get" in node.entries)


def begin(b: Builder, draft: Draft, f: Fields, frame: Frame) -> Exchange | None:
    """What an exchange asks: which of its moves; its names are `give` and `get`."""
    for key in NOT_WITH:
        if f.has(key):
            span = f.node.entries[key].key.span
            help = "it gives and gets tokens, and nothing else; `when:` and `limit:` say when"
            b.report.error("S101", span, f"an exchange has no `{key}:`", help=help)
    for trigger in (trigger for triggers in b.world.triggers_of(draft.name).values() for trigger in triggers):
        said = f"`{draft.name}` is an exchange, so it can only change tokens"
        b.report.error("F409", trigger.key.span, said, help="make it an action with `cost:` and `gain:`")
    found = _moves(b, f)
    if found is None:
        return None
    pool, gives, gets = found
    assert pool.of is not None
    b.world.data.setdefault("exchanges", {})[draft.name] = Exchange(draft.name, pool, gives, gets)
    kind = Num(0, len(gives) - 1)
    slot = b.local("way", kind, frame)
    give, get = (C.Look(table, C.Get(slot), (0,) * pool.size, draft.span) for table in (gives, gets))
    bag = BagOf(pool.of, pool.mask, pool.most)
    b.elab.bind("give", Typed(give, bag), quiet=True)
    b.elab.bind("get", Typed(get, bag), quiet=True)
    have = _own(b, pool, f.node.span)
    if have is None:
        return None
    each = C.Each(slot, "range", (C.Const(0), C.Const(len(gives) - 1)))
    asked: list[C.Node] = [C.Op("bag_within", (give, have.node), draft.span)]
    if pool.supply >= 0:
        asked.append(C.Op("bag_within", (get, b.world.tokens(pool, pool.supply, None, None, None).node), draft.span))
    draft.variables = [C.Variable("way", slot, kind, each, C.Both(tuple(asked)) if len(asked) > 1 else asked[0])]
    return Exchange(draft.name, pool, gives, gets)


def check_when(b: Builder, one: Exchange, draft: Draft) -> None:
    """When it may be made must not depend on the tokens that exchanges change."""
    slots = {
        slot
        for base, (pool, root) in b.world.holders.items()
        if pool is one.pool
        for slot in range(base, base + pool.size * (root.size if root is not None else 1))
    }
    for condition in draft.when:
        if reads(condition, slots):
            help = f"what is given must be there in any case; ask `after: [{one.name}]` only where it may be made"
            span = getattr(condition, "span", None) or draft.span or b.world.span
            b.report.error("F409", span, f"when `{one.name}` may be made depends on `{one.pool.name}`", help=help)


def carry_out(b: Builder, one: Exchange, draft: Draft) -> None:
    """Gives and gets."""
    (variable,) = draft.variables
    holder = b.tokens.own_holder(one.pool, draft.span or b.world.span)
    if holder is None:
        return
    _, base, index = holder
    mine, none = index or C.Const(0), C.Const(0)
    give, get = (C.Look(table, C.Get(variable.slot), (0,) * one.pool.size) for table in (one.gives, one.gets))
    there = (base, one.pool.supply, one.pool.size, "there is not so much to give")
    back = (one.pool.supply, base, one.pool.size, "there is not so much to get")
    b.emit(C.Act("transfer", (give, mine, none), there, draft.span))
    b.emit(C.Act("transfer", (get, none, mine), back, draft.span))


def default_label(b: Builder, one: Exchange, draft: Draft) -> C.Words:
    assert one.pool.of is not None
    (variable,) = draft.variables
    kind = BagOf(one.pool.of, one.pool.mask, one.pool.most)
    give, get = (
        C.Hole(C.Look(table, C.Get(variable.slot), (0,) * one.pool.size), kind) for table in (one.gives, one.gets)
    )
    return C.Words((("en", (give, " for ", get)), ("ru", (give, " → ", get))))


def _own(b: Builder, pool: PoolInfo, span: Span) -> Typed | None:
    holder = b.tokens.own_holder(pool, span)
    if holder is None:
        return None
    _, base, index = holder
    return b.world.tokens(pool, base, b.world.players, index, span)


def _moves(b: Builder, f: Fields) -> tuple[PoolInfo, tuple[Bag, ...], tuple[Bag, ...]] | None:
    """Its pool, and for every move what is given and what is got."""
    sides: list[tuple[PoolInfo, Bag, Bag]] = []
    for key in ("give", "get"):
        node = f.get(key)
        if node is None:
            if not f.has(key) and not any(word in f.form.tried for word in f.node.entries):
                other = "get" if key == "give" else "give"
                span = f.node.entries[other].key.span
                b.report.error(
                    "S102", span, f"an exchange needs `{key}:`, too", help="as in `{give: …, get: …}`", lacks=key
                )
            return None
        amounts = b.tokens.amounts(node, None)
        if len(amounts) != 1:
            if amounts:
                b.report.error("T247", node.span, "tokens of two pools are not exchanged at once")
            return None
        pool, typed = amounts[0]
        price = as_price(b.world, typed, node.span) if isinstance(typed.type, BagOf) else None
        if price is None or not isinstance(price.node, C.Const):
            if price is not None or not isinstance(typed.type, BagOf):
                help = "write numbers and sorts, as in `{any basic: 2}`, or several actions"
                b.report.error("R307", node.span, "what is exchanged must be fixed before play begins", help=help)
            return None
        assert isinstance(price.type, BagOf)
        sides.append((pool, price.node.value, price.type.root.free))
    (pool, give, free), (other_pool, get, _) = sides
    if pool is not other_pool:
        b.report.error(
            "T247", f.node.span, f"tokens of `{pool.name}` are not exchanged for those of `{other_pool.name}`"
        )
        return None
    if pool.supply < 0 and sum(get) > sum(give):
        help = f"give `{pool.name}` a `total:`"
        b.report.error("R317", f.node.span, "this creates tokens without a limit", help=help)
        return None
    ways = [(a, z) for a in _ways(pool, give, free) for z in _ways(pool, get, free) if not _within(z, a)]
    if not ways or len(ways) > MOST_MOVES:
        said = (
            "this gives only what it takes" if not ways else f"this has {len(ways):,} ways; {MOST_MOVES} are the most"
        )
        b.report.error("R316", f.node.span, said)
        return None
    return pool, tuple(a for a, _ in ways), tuple(z for _, z in ways)


def _within(a: Bag, b: Bag) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True))


def _ways(pool: PoolInfo, price: Bag, free: Bag) -> list[Bag]:
    """All bags that pay a price."""
    due = sum(price)
    have = tuple(due if pool.mask >> i & 1 else 0 for i in range(pool.size))
    count = payments(price, have, due, free, MOST_MOVES + 1)
    return [payment(price, have, due, free, number) for number in range(count)]


# ------------------------------------------------------------------------------------------------ what they lead to


def named(world: GameWorld, written: E.Expr | Node, pool: PoolInfo) -> list[str] | None:
    """The exchanges that `after` means: all of them, those of a menu, or some by name; None if that was reported."""
    words = _words(written)
    if not words or not all(word for word, _ in words):
        help = f"`{ALL}` are all of them; or their names, as in `[sell, trade]`"
        world.report.error("N119", written.span, "this must be the name of an exchange", help=help)
        return None
    every = [name for name, info in world.procedures.items() if info.sort == "action" and is_exchange(info.node)]
    found: list[str] = []
    for word, span in words:
        menu = world.menu(word)
        names = every if word == ALL else [name for name in menu if name in every] if menu else [word]
        if word != ALL and not set(names) & set(every):
            known = nearest(word, [*every, ALL])
            help = did_you_mean(known) or (
                f"`{ALL}` are all of them" if every else "an action with `give:` and `get:` is one"
            )
            world.report.error("N119", span, f"there is no exchange `{word}`", help=help, suggestions=tuple(known))
            return None
        if not names:
            world.report.error("N119", span, "there is no exchange", help="an action with `give:` and `get:` is one")
            return None
        found += [name for name in names if name not in found]
    made = []
    for name in found:
        world.names[name].used = True
        info = world.procedure(name, words[0][1])
        one = world.data.get("exchanges", {}).get(name)
        if info is None or one is None:
            return None
        if one.pool is pool:
            made.append(name)
    return made


def _words(written: Any) -> list[tuple[str, Span]]:
    if isinstance(written, E.Name):
        return [(written.name, written.span)]
    if isinstance(written, E.Items):
        return [word for item in written.items for word in _words(item)]
    if isinstance(written, Scalar):
        return [(written.value, written.span)]
    if isinstance(written, Seq):
        return [word for item in written.items for word in _words(item)]
    return [("", written.span)]


def needed(
    world: GameWorld,
    names: list[str],
    price: Typed,
    have: C.Node,
    held: C.Node,
    due: C.Node,
    span: Span | None,
    free: C.Node,
    made: str = "",
) -> C.Node:
    """How many exchanges it takes until a price can be paid out of what one would have; -1 if none do.

    `held` is what one has as play stands, and `made` the exchange that would have been made.
    """
    found = [world.data["exchanges"][name] for name in names]
    pool = found[0].pool
    if pool.supply >= 0:
        most: C.Node = C.Op("bag_add", (held, world.tokens(pool, pool.supply, None, None, None).node))
    else:
        most = C.Const((WITHOUT_END,) * pool.size)
    flat = [n for i, one in enumerate(found) for a, z in zip(one.gives, one.gets, strict=True) for n in (i, *a, *z)]
    uses = C.Op("make", tuple(_uses(world, one.name, one.name == made) for one in found))
    asked = C.Op("exchanges_needed", (price.node, have, most, due, free, C.Const(tuple(flat)), uses), span)
    return C.Demand(asked, TOO_MANY, "there are too many ways to exchange tokens", span)


def _uses(world: GameWorld, name: str, once: bool) -> C.Node:
    """How often an exchange may still be made, perhaps once it was made."""
    info: ProcInfo = world.procedures[name]
    left: C.Node = C.Const(WITHOUT_END)
    counter = world.counter(name)
    if counter is not None:
        used: C.Node = C.Cell(counter[0], C.Get(C.ME))
        used = C.Op("add", (used, C.Const(1))) if once else used
        left = C.Op("greatest", (C.Const(0), C.Op("subtract", (world.limit_of(name), used))))
    when = info.entry.when
    if not when:
        return left
    return C.Cond(when[0] if len(when) == 1 else C.Both(tuple(when)), left, C.Const(0))
