"""How a price is paid: by itself where there is one way, with one question where there are few, else token by token."""

from __future__ import annotations

from dataclasses import dataclass

from ruledsl.ir import core as C
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import Fields
from ruledsl.types import FAR, BagOf, Elem, Num

from . import exchanges
from .build import Builder
from .choosing import Draft, action_entry, ask
from .names import PoolInfo, Typed
from .prices import as_price, discount, due, free_of, met

FEW_WAYS = 12  # so many ways to pay are shown in one question


@dataclass(frozen=True)
class Side:
    """Where tokens lie: the first slot, and whose they are; -1 for a supply without end, and for what is gone."""

    base: int
    index: C.Node

    def bag(self, b: Builder, pool: PoolInfo) -> C.Node:
        return b.world.tokens(pool, self.base, None, self.index, None).node


@dataclass(frozen=True)
class Payment:
    """A price that is about to be paid, or gained."""

    pool: PoolInfo
    price: Typed
    source: Side
    target: Side
    short: str  # what it means where the source has not enough
    verb: str
    span: Span
    less: C.Node | None = None
    least: C.Node | None = None
    after: tuple[str, ...] = ()  # exchanges that may come first
    further: tuple[Side, ...] = ()  # where the rest comes from, in this order

    def bag(self, b: Builder) -> C.Node:
        """All that there is to pay with."""
        found = self.source.bag(b, self.pool)
        for side in self.further:
            found = C.Op("bag_add", (found, side.bag(b, self.pool)))
        return found


def is_price(amount: Typed) -> bool:
    return isinstance(amount.type, BagOf) and amount.type.root.whole is not None


def payment(
    b: Builder,
    pool: PoolInfo,
    amount: Typed,
    source: Side,
    target: Side,
    short: str,
    verb: str,
    span: Span,
    f: Fields | None,
    further: tuple[Side, ...] = (),
) -> Payment | None:
    """What a statement pays, with its discount."""
    if not isinstance(amount.type, BagOf):
        help = "calculate the number: `max(1, 5 - discount)`"
        b.report.error("T246", span, f"`{pool.name}` has no sorts, so there is nothing to choose", help=help)
        return None
    price = as_price(b.world, amount, span)
    if price is None:
        return None

    def read(key: str) -> E.Expr | None:
        node = f.get(key) if f is not None else None
        tree: E.Expr | None = None if node is None else b.elab.read(node)
        return tree

    after = f.get("after") if f is not None else None
    names = exchanges.named(b.world, after, pool) if after is not None else []
    if names is None:
        return None
    return Payment(pool, price, source, target, short, verb, span, *discount(b.elab, read), tuple(names), further)


def payable(b: Builder, one: Payment) -> C.Node:
    """Whether it can be paid as play stands."""
    wanted, have = due(b.elab, one.price.node, one.less, one.least, one.span), one.bag(b)
    if one.after:
        return C.Op("at_least", (_needed(b, one, one.price, have, wanted), C.Const(0)), one.span)
    return C.Op("at_least", (met(one.price, have, one.span), wanted), one.span)


def _needed(b: Builder, one: Payment, price: Typed, have: C.Node, wanted: C.Node, made: str = "") -> C.Node:
    """How many exchanges it takes to pay it out of a bag, once an exchange was made."""
    free, held = free_of(one.price.type), one.source.bag(b, one.pool)
    return exchanges.needed(b.world, list(one.after), price, have, held, wanted, one.span, free, made)


def settle(b: Builder, one: Payment) -> None:
    """Writes what is asked, if anything, and moves the tokens."""
    assert isinstance(one.price.type, BagOf)
    pool, kind = one.pool, one.price.type
    assert pool.of is not None
    free = free_of(kind)
    with b.frame("block") as frame:
        price_slot, due_slot = b.local("price", kind, frame), b.local("due", Num(0, FAR), frame)
        b.put(price_slot, kind, one.price.node, span=one.span)
        price = b.load(price_slot, kind).node
        wanted = due(b.elab, price, one.less, one.least, one.span)
        have = C.Op("bag_times", (C.Const((1,) * pool.size), C.Get(due_slot))) if one.source.base < 0 else one.bag(b)
        if one.short == "clip":  # as much as there is
            wanted = C.Op("least", (wanted, C.Op("price_met", (price, have, free))))
        b.put(due_slot, Num(0, FAR), wanted)
        if one.after and not b.report.errors:  # an exchange that could not be read has nothing to choose
            _exchange_first(b, one, Typed(price, kind), have, C.Get(due_slot))
        ways = (price, have, C.Get(due_slot), free)
        count = C.Op("payments", (*ways, C.Const(FEW_WAYS + 1)), one.span)
        names = ("at once", "in several ways", "in one of few", "token by token", "done")
        forced, open_, few, many, done = (b.new(f"{one.verb} {name}") for name in names)
        b.branch(C.Op("at_most", (count, C.Const(1))), forced, open_)
        b.at(forced)
        told, paid = b.new(f"{one.verb} something"), b.new(f"{one.verb} what is due")
        b.branch(C.Op("at_least", (C.Get(due_slot), C.Const(1))), told, paid)
        b.at(told)
        _tell(b, one, C.Op("payment", (*ways, C.Const(0)), one.span))
        b.jump(paid)
        b.at(paid)
        _move(b, one, C.Op("payment", (*ways, C.Const(0)), one.span))
        b.jump(done)
        b.at(open_)
        b.branch(C.Op("at_most", (count, C.Const(FEW_WAYS))), few, many)
        b.at(few)
        _ask_way(b, one, ways, count)
        if b.current is not None:
            b.jump(done)
        b.at(many)
        _ask_tokens(b, one, price, have, C.Get(due_slot))
        if b.current is not None:
            b.jump(done)
        b.at(done)


def _exchange_first(b: Builder, one: Payment, price: Typed, have: C.Node, wanted: C.Node) -> None:
    """Exchanges, as long as it cannot be paid: those that lead there, and lose tokens or come nearer each time."""
    enough, short, after = b.new("can it be paid"), b.new("exchange"), b.new("it can be paid")
    b.jump(enough)
    b.at(enough)
    b.branch(C.Op("at_least", (met(price, have, one.span), wanted)), after, short)
    b.at(short)
    with b.frame("block") as frame:
        left = b.local("left", Num(-2, FAR), frame)
        b.emit(C.Put(left, None, _needed(b, one, price, have, wanted)))
        drafts = []
        for name in one.after:
            draft = action_entry(b, b.world.procedures[name])
            made: exchanges.Exchange = b.world.data["exchanges"][name]
            slot = C.Get(draft.variables[0].slot)
            give, get = (C.Look(table, slot, (0,) * one.pool.size) for table in (made.gives, made.gets))
            then = C.Op("bag_add", (C.Op("bag_subtract", (have, give)), get))
            loses = tuple(int(sum(z) < sum(a)) for a, z in zip(made.gives, made.gets, strict=True))
            rest = b.world.scratch()
            nearer = C.Either((C.Look(loses, slot, 0), C.Op("less", (C.Get(rest), C.Get(left)))))
            leads = C.Both((C.Op("at_least", (C.Get(rest), C.Const(0))), nearer))
            draft.where = [*draft.where, C.With((rest,), (_needed(b, one, price, then, wanted, name),), leads)]
            drafts.append(draft)
        _ask(b, drafts, one)
    b.jump(enough)
    b.at(after)


def _ask_way(b: Builder, one: Payment, ways: tuple[C.Node, ...], count: C.Node) -> None:
    """One question: which of a few ways."""
    pool = one.pool
    assert pool.of is not None
    with b.frame("block") as frame:
        slot = b.local("way", Num(0, FAR), frame)
        paid = C.Op("payment", (*ways, C.Get(slot)), one.span)
        each = C.Each(slot, "range", (C.Const(0), C.Op("subtract", (count, C.Const(1)))))
        draft = Draft("", span=one.span)
        draft.variables = [C.Variable("way", slot, Num(0, FEW_WAYS), each, None)]
        draft.label = _label(one.verb, C.Hole(paid, BagOf(pool.of, pool.mask, pool.most)))
        draft.taken = lambda: _move(b, one, paid)
        _ask(b, [draft], one)


def _ask_tokens(b: Builder, one: Payment, price: C.Node, have: C.Node, due: C.Node) -> None:
    """Token by token, in the order of the sorts: any that leave the rest payable."""
    pool = one.pool
    assert pool.of is not None
    kind = BagOf(pool.of, pool.mask, pool.most)
    with b.frame("block") as frame:
        paid_slot, sort = b.local("payment", kind, frame), b.local("token", Num(0, FAR), frame)
        paid = b.load(paid_slot, kind).node
        head, over = b.new("next token"), b.new("all tokens")
        b.jump(head)
        b.at(head)
        offered = C.Op("bag_kinds", (C.Op("payment_next", (price, paid, have, due, free_of(one.price.type))),))
        draft = Draft("", span=one.span)
        token = Elem(pool.of, pool.mask)
        draft.variables = [C.Variable("token", sort, token, C.Each(sort, "set", (offered,)), None)]
        draft.label = _label(one.verb, C.Hole(C.Get(sort), token))
        more = C.Op("bag_of", (C.Get(sort), C.Const(1), C.Const(pool.size)))
        draft.taken = lambda: b.put(paid_slot, kind, C.Op("bag_add", (paid, more)), span=one.span)
        _ask(b, [draft], one)
        b.emit(C.Zero((sort,)))
        b.branch(C.Op("less", (C.Op("bag_total", (paid,)), due)), head, over)
        b.at(over)
        _move(b, one, paid)


def _ask(b: Builder, drafts: list[Draft], one: Payment) -> None:
    me = b.elab.special("me", one.span)
    assert me is not None
    never, after = b.new("not to be paid"), b.new("paid")
    ask(b, drafts, me.node, None, never, after, "", one.span)
    b.at(never)
    fault = C.Primitive("fault", (), (f"there is no longer a way to {one.verb} this",), one.span)
    b.branch(fault, after, after)
    b.at(after)


def _tell(b: Builder, one: Payment, bag: C.Node) -> None:
    """What is paid without a question is told."""
    me = b.elab.special("me", one.span)
    assert me is not None
    assert one.pool.of is not None
    who, what = C.Hole(me.node, me.type), C.Hole(bag, BagOf(one.pool.of, one.pool.mask, one.pool.most))
    verbs = {"pay": (" pays ", " платит: "), "gain": (" takes ", " берёт: ")}[one.verb]
    b.emit(C.Say(C.Words((("en", (who, verbs[0], what)), ("ru", (who, verbs[1], what)))), None, one.span))


def _label(verb: str, hole: C.Hole) -> C.Words:
    words = {"pay": ("pay ", "заплатить: "), "gain": ("take ", "взять: ")}[verb]
    return C.Words((("en", (words[0], hole)), ("ru", (words[1], hole))))


def _move(b: Builder, one: Payment, bag: C.Node) -> None:
    """The tokens change hands: of several holders each gives what those before it have not. The last comes first, so
    that what the others have stays as it is until they are asked."""
    if not one.further:
        data = (one.source.base, one.target.base, one.pool.size, one.short)
        b.emit(C.Act("transfer", (bag, one.source.index, one.target.index), data, one.span))
        return
    assert one.pool.of is not None
    kind = BagOf(one.pool.of, one.pool.mask, one.pool.most)
    with b.frame("block") as frame:  # what is paid is known before the first gives anything
        slot = b.local("given", kind, frame)
        b.put(slot, kind, bag, span=one.span)
        _from_each(b, one, b.load(slot, kind).node)


def _from_each(b: Builder, one: Payment, bag: C.Node) -> None:
    sides, before = [one.source, *one.further], list[C.Node]()
    for side in sides[:-1]:
        have = side.bag(b, one.pool)
        before.append(C.Op("bag_add", (before[-1], have)) if before else have)
    for number in range(len(sides) - 1, -1, -1):
        side, share = sides[number], bag
        if number:
            share = C.Op("bag_clip", (C.Op("bag_subtract", (bag, before[number - 1])),))
        if number < len(sides) - 1:
            share = C.Op("bag_subtract", (share, C.Op("bag_clip", (C.Op("bag_subtract", (bag, before[number])),))))
        data = (side.base, one.target.base, one.pool.size, one.short)
        b.emit(C.Act("transfer", (share, side.index, one.target.index), data, one.span))
