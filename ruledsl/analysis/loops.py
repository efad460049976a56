"""Loops over sets that are fixed when they begin, and over players who act one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.effort import size
from ruledsl.source.document import Node
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import NO_NUMBER, NONE, Broken, Elem, ListOf, Num

from .build import Builder, Frame
from .doubts import speaks_of_others
from .names import Typed
from .overset import named_by_its_key
from .show import show


def frozen(b: Builder, node: Node, word: E.Name | None, frame: Frame) -> tuple[int, int, Any, int] | None:
    """The values a loop runs over, kept as a list: its slot, a slot for the position, the type of one, how many there
    are for certain."""
    tree = b.elab.read(node, "domain")
    if isinstance(tree, E.Bad) or (word is not None and named_by_its_key(b.elab, word, tree)):
        return None
    if tree.count is not None:
        b.report.error("T250", tree.span, "a loop goes through the whole set", help="leave out the number before `of`")
        return None
    typed = b.elab.expr(tree.of)
    slot = b.world.scratch()
    each = b.elab.each(typed, slot, tree.of.span)
    if each is None:
        return None
    one, inner = each
    where = None
    if tree.where is not None:
        with b.elab.scope():
            if word is not None:
                b.elab.bind(word.name, Typed(C.Get(slot), inner), quiet=True)
            else:
                b.elab.bind("candidate", Typed(C.Get(slot), inner), quiet=True)
            where = b.elab.condition(b.elab.expr(tree.where), tree.where.span, "the condition of `where`")
            if word is not None:
                speaks_of_others(b.world, [word.name], tree.where)
    most = inner.mask.bit_count() if isinstance(inner, Elem) else inner.high - inner.low + 1
    if isinstance(typed.type, ListOf):
        most = typed.type.most
    if most > 4000:
        b.report.error("R313", tree.span, f"this loop could run {most} times, and 4000 is the most")
        return None
    kind = ListOf(inner, most)
    none = NO_NUMBER if isinstance(inner, Num) else NONE
    items = b.local("items", kind, frame)
    b.put(items, kind, C.Fold("list", (one,), where, None, (), none, tree.span), None, tree.span)
    position = b.local("position", Num(0, most), frame)
    return items, position, inner, size(one, 0) if where is None else 0


def loop(
    b: Builder, items: int, position: int, inner: Any, span: Span, body: Callable[[C.Node], None], sure: int = 0
) -> None:
    """Goes through a frozen list, of which `sure` are certain; `body` is given the code of the current item."""
    head, inside, again, exit_ = b.new("loop", span), b.new("each"), b.new("next"), b.new("after loop")
    b.comes_round(head, sure)
    b.jump(head)
    b.at(head)
    b.branch(C.Op("less", (C.Get(position), C.Get(items))), inside, exit_)
    b.at(inside)
    with b.frame("loop", exit=exit_):
        body(C.Cell(items + 1, C.Get(position)))
    if b.current is not None:
        b.jump(again)
    b.at(again)
    b.emit(C.Put(position, None, C.Op("add", (C.Get(position), C.Const(1)))))
    b.jump(head)
    b.at(exit_)


def each_of(b: Builder, entry: Any, body: Callable[[], None]) -> None:
    word = E.Name(entry.key.span, entry.key.value)
    with b.frame("block") as frame:
        found = frozen(b, entry.value, word, frame)
        if found is None:
            b.elab.bind(word, Typed(C.Const(0), Broken()), quiet=True)
            body()
            return
        items, position, inner, sure = found
        slot = b.local(word.name, inner, frame)

        def each(item: C.Node) -> None:
            b.emit(C.Put(slot, None, item))
            b.elab.bind(word, b.load(slot, inner))
            body()

        loop(b, items, position, inner, entry.value.span, each, sure)


def for_players(b: Builder, node: Node, body: Callable[[], None]) -> None:
    """Makes each of some players the actor in turn; `actor` is who acted before."""
    tree = b.elab.read(node, "domain")
    if isinstance(tree, E.Bad) or named_by_its_key(b.elab, E.Name(node.span, "me"), tree):
        return
    typed = b.elab.expr(tree.of)
    slot = b.world.scratch()
    each = b.elab.each(typed, slot, tree.of.span)
    if each is None:
        return
    one, inner = each
    if not isinstance(inner, Elem) or inner.root is not b.world.players:
        b.report.error("T251", tree.span, f"only players can act, not {show(inner)}")
        return
    with b.frame("block") as frame:
        actor = b.local("actor", inner, frame)
        b.emit(C.Put(actor, None, C.Get(C.ME)))
        b.elab.bind("actor", b.load(actor, inner), quiet=True)
        where = None
        if tree.where is not None:  # about each of them as `me`
            test = b.elab.condition(b.elab.expr(tree.where), tree.where.span, "the condition of `where`")
            where = C.With((C.ME,), (C.Get(slot),), test)
        kind = ListOf(inner, b.world.players.size)
        items = b.local("items", kind, frame)
        b.put(items, kind, C.Fold("list", (one,), where, None, (), NONE, tree.span))
        position = b.local("position", Num(0, kind.most), frame)
        back = C.Put(C.ME, None, C.Get(actor))
        frame.restore.append(back)

        def each_player(item: C.Node) -> None:
            b.emit(C.Put(C.ME, None, item))
            body()

        loop(b, items, position, inner, node.span, each_player)
        b.emit(back)
