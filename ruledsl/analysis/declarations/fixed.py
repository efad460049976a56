"""What must be fixed before play begins, worked out while the game is loaded."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.names import NotFixed, Typed
from ruledsl.analysis.world import World
from ruledsl.ir import core as C
from ruledsl.source.document import Node
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import BOOL, Elem, bits


def mask_where(world: World, whole: Elem, where: Node | None) -> int:
    """The members for which a condition on `this` holds."""
    if where is None:
        return whole.mask
    tree = world.elaborator.read(where)
    mask = 0
    for member in bits(whole.mask):
        this = Typed(C.Const(member), Elem(whole.root, whole.mask))
        node = condition_on(world, this, tree, "the condition of `where`")
        if fixed(world, node, tree.span):
            mask |= 1 << member
    return mask


def condition_on(world: World, this: Typed, tree: E.Expr, role: str) -> C.Node:
    """A condition on `this`; nobody acts yet, so it cannot ask for `me`."""
    with world.elaborator.scope():
        world.elaborator.bind("this", this, quiet=True)
        world.elaborator.no_me += 1
        node = world.elaborator.condition(world.elaborator.expr(tree, BOOL), tree.span, role)
        world.elaborator.no_me -= 1
    return node


def fixed(world: World, node: C.Node, span: Span) -> Any:
    """What an expression comes to; 0 where that is a fault or depends on the state, which is reported."""
    try:
        return world.evaluate(node)
    except C.RulesFault as fault:
        world.report.error("R306", fault.span or span, fault.message)
    except NotFixed as problem:
        world.report.error("R307", span, f"this must be fixed before play begins, and {problem} is not")
    return 0
