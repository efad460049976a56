"""Pieces, and what has happened."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from ruledsl.analysis.declarations.history import fingerprint
from ruledsl.analysis.functions import Call, builtin
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.ir.core import MOST_POSITIONS
from ruledsl.syntax import expr as E
from ruledsl.types import BOOL, NONE, Elem, ListOf, Num, SetOf, Type, every, maybe
from ruledsl.wording.templates import Words

from .sets import is_empty


def _spot(call: Call, typed: Any) -> C.Node:
    """A space, part or place as a spot; none stays none."""
    first = call.world.first_spot(typed.type.root)
    if isinstance(typed.node, C.Const) and typed.node.value >= 0:
        return C.Const(typed.node.value + first)
    return typed.node if first == 0 else C.Primitive("offset", (typed.node,), (first,))


def _kinds(call: Call, position: int, name: str) -> tuple[bool, int | None]:
    """The kind of piece that an argument names, as a mask; None where every kind is meant."""
    tree = call.tree_of(position, name)
    if tree is None:
        return True, None
    if isinstance(tree, E.Name) and tree.name == "all":
        return True, None
    declared = call.declared(tree, "kind", "kind of piece")
    return (True, declared.data.mask) if declared is not None else (False, None)


@builtin(
    "empty(space) → condition",
    Words(en="{0:is} empty", ru="на {0:pre} пусто", en_not="{0:is} not empty", ru_not="на {0:pre} не пусто"),
)
def empty(call: Call) -> Any:
    """Whether nothing lies on a space or part, or in a place; of none this is false.

    `board where empty(cell)`, `empty(step(p.square, d))`, `empty(deck)`
    """
    typed = call.element(0, ("space", "part", "place"), "the argument of `empty`")
    if typed is None:
        return call.bad
    if typed.type.root.kind == "place":
        return is_empty(call, True)
    lying = call.primitive("occupied", (_spot(call, typed),))
    if not typed.type.maybe:
        return call.result(C.Op("not", (lying,), call.span), BOOL)
    return call.result(C.Both((C.Op("is_there", (typed.node,)), C.Op("not", (lying,))), call.span), BOOL)


@builtin(
    "pieces(space, kind=all) → list",
    Words(
        en=(
            "the {kind:nouns} {0:at}",
            "the {noun:nouns} {0:at}",
            "the pieces {0:at}",
        ),
        ru=(
            "{kind:nouns *} {0:at}",
            "{noun:nouns *} {0:at}",
            "[фишки] {0:at}",
        ),
    ),
)
def pieces(call: Call) -> Any:
    """What lies on a space, part or place, from the bottom up; of every kind, or of one.

    `pieces(keep, enemy)`
    """
    typed = call.element(0, ("space", "part", "place"), "the first argument of `pieces`")
    ok, mask = _kinds(call, 1, "kind")
    if typed is None or not ok:
        return call.bad
    root = call.world.pieces
    kind = Elem(root, mask if mask is not None else _held(call, typed.type) or root.everything)
    return call.result(call.primitive("on", (_spot(call, typed),), mask), ListOf(kind, kind.mask.bit_count()))


def _held(call: Call, of: Type) -> int:
    """The kinds of pieces that these places take; 0 for spaces."""
    if not isinstance(of, Elem) or of.root.kind != "place":
        return 0
    infos = (info for info in call.world.place_infos if of.mask & ((1 << info.count) - 1) << info.first)
    return reduce(or_, (info.kinds for info in infos), 0)


@builtin("reserve(kind, of=me) → set", Words(en="the {self}", ru="{self:*}"))
def reserve(call: Call) -> Any:
    """The pieces of a kind that are still off the board and out of every place: a player's own, or all.

    `any(reserve(house))`
    """
    ok, mask = _kinds(call, 0, "kind")
    if not ok or mask is None:
        return call.bad
    kind = next((k for k in call.world.kinds if mask & ~k.mask == 0), None)
    if kind is None:
        return call.fail("T229", call.span, "this must be the name of a kind of piece")
    info = next(i for i in call.world.place_infos if i.name == f"reserve {kind.name}")
    result = SetOf(Elem(call.world.pieces, mask))
    first = call.world.spots.first_place + info.first
    if not kind.per_player:
        return call.result(call.primitive("on_set", (C.Const(first),), mask), result)
    player = call.node(1, every(call.world.players), "`of`", "of")
    if player is None:
        player = call.elaborator.me(call.span).node
    return call.result(call.primitive("on_set", (C.Op("add", (player, C.Const(first))),), mask), result)


def _end(call: Call, op: str) -> Any:
    typed = call.element(0, ("place", "space", "part"), "the argument")
    if typed is None:
        return call.bad
    kind = call.elaborator.pieces_type(typed.type) if typed.type.root.kind == "place" else every(call.world.pieces)
    lying = call.primitive("on", (_spot(call, typed),), None)
    return call.result(C.Op(op, (lying, C.Const(NONE)), call.span), maybe(kind))


@builtin(
    "top(pile) → maybe piece", Words(en="the {noun:noun} on top of {0}", ru="{noun:noun *}, что лежит сверху {0:at}")
)
def top(call: Call) -> Any:
    """The piece on top of a pile, row or space.

    `the(top(deck))`
    """
    return _end(call, "tail")


@builtin(
    "bottom(pile) → maybe piece",
    Words(en="the {noun:noun} at the bottom of {0}", ru="{noun:noun *}, что лежит снизу {0:at}"),
)
def bottom(call: Call) -> Any:
    """The piece at the bottom of a pile, row or space.

    `bottom(discard)`
    """
    return _end(call, "head")


@builtin(
    "used(action) → number", Words(en="the number of times you have used {0}", ru="[число] ваших использований: {0}")
)
def used(call: Call) -> Any:
    """How often I have used an action since its limit started again.

    `used(attack) == 0`
    """
    tree = call.plain[0]
    declared = call.declared(tree, "action", "action")
    if declared is None:
        return call.bad
    counter = call.world.counter(declared.name)
    if counter is None and declared.name in call.world.data.get("broken limits", ()):
        return call.bad  # what is wrong with its limit is told there
    if counter is None:
        return call.fail(
            "T243",
            tree.span,
            f"`{declared.name}` has no limit, so its uses are not counted",
            "give it `limit: 99 per turn`",
        )
    base, most = counter
    me = call.elaborator.me(call.span)
    return call.result(C.Cell(base, me.node, 0, call.span), Num(0, most))


@builtin(
    "repeats(history) → number",
    Words(
        en="the number of times that this position was noted in {0}",
        ru="[число] записей этой позиции в истории {0}",
    ),
)
def repeats(call: Call) -> Any:
    """How often the position as it is now was recorded in a history.

    `repeats(position) >= 3`
    """
    declared = call.declared(call.plain[0], "history", "history")
    if declared is None:
        return call.bad
    call.world.data.setdefault("asked histories", {}).setdefault(declared.name, call.span)
    info = declared.data
    return call.result(call.primitive("repeats", (fingerprint(call.world, info),), info.base), Num(0, info.keep))


@builtin(
    "would(call, condition) → condition",
    Words(
        en="after {0} (only tried) this would be true: {1:cond}",
        ru="после {0:gen} (только в уме) было бы верно: {1:cond}",
        en_not="after {0} (only tried) this would not be true: {1:cond}",
        ru_not="после {0:gen} (только в уме) не было бы верно: {1:cond}",
    ),
)
def would(call: Call) -> Any:
    """Whether a condition would hold after an effect, which is tried on a copy; it may neither ask nor roll.

    `would(go(m, to), not in_check(me))`
    """
    found = _tried(call, "would")
    if found is None:
        return call.bad
    procedure, args, condition = found
    call.world.hypothetical(procedure, call.plain[0].span)
    return call.result(C.Would(procedure.code, args, condition, call.span), BOOL)


@builtin(
    "possible(call, condition, most=20000) → condition",
    Words(
        en="{0} could be answered so that afterwards {1:cond}",
        ru="{0:nom} — можно ответить так, что потом верно: {1:cond}",
        en_not="{0} cannot be answered so that afterwards {1:cond}",
        ru_not="{0:nom} — нельзя ответить так, чтобы потом было верно: {1:cond}",
    ),
    tried=("could", "can", "might", "reachable_by", "feasible", "able"),
)
def possible(call: Call) -> Any:
    """Whether a condition could hold after an effect, for some way to answer what it asks, no matter which player.

    The effect is only tried out. It may ask, but not roll or shuffle, and nobody may decide in secret. All ways to
    answer are tried, each position once; more than `most` positions are a fault.

    `possible(cast_spells(), payable(price))`
    """
    found = _tried(call, "possible")
    if found is None:
        return call.bad
    procedure, args, condition = found
    most, tree = MOST_POSITIONS, call.tree_of(2, "most")
    if tree is not None:
        typed = call.elaborator.expr(tree)
        if not isinstance(typed.node, C.Const) or not isinstance(typed.type, Num) or not 0 < typed.node.value <= 10**7:
            return call.fail("R307", tree.span, "how many positions are looked at is a number from 1 to 10,000,000")
        most = typed.node.value
    end = call.world.look_through(procedure, call.plain[0].span)
    return call.result(C.Lookahead(procedure.code, args, condition, call.span, end, most), BOOL)


def _tried(call: Call, name: str) -> tuple[Any, tuple[C.Node, ...], C.Node] | None:
    """The effect that is tried out, its arguments, and what is asked behind it."""
    tree = call.plain[0]
    if not isinstance(tree, E.Call) or not isinstance(tree.of, E.Name):
        help = f"write `{name}(effect(…), condition)`"
        if name == "possible" and isinstance(tree, E.Name) and tree.name in call.world.menus():
            effect = f"a_{tree.name}"
            help = f"declare `effects: {{{effect}: {{choose one: {tree.name}}}}}` and write `possible({effect}(), …)`"
        call.fail("T229", tree.span, f"`{name}` needs the call of an effect first", help)
        return None
    declared = call.world.names.get(tree.of.name)
    if declared is None or declared.sort not in ("effect", "action"):
        known = nearest(tree.of.name, [d.name for d in call.world.names.values() if d.sort in ("effect", "action")])
        call.fail("N114", tree.of.span, f"there is no effect `{tree.of.name}`", did_you_mean(known))
        return None
    declared.used = True
    procedure = call.world.procedure(declared.name, tree.span)
    if procedure is None:
        return None
    args = call.elaborator.calling.arguments(tree, procedure.parameters, procedure.signature)
    condition = call.elaborator.condition(
        call.elaborator.expr(call.plain[1], BOOL), call.plain[1].span, "what would be so"
    )
    return None if args is None else (procedure, args, condition)
