"""`heuristic:`, what is good for a player while play goes on: for bots, never for the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.analysis.needs import ADVICE
from ruledsl.ir import core as C

if TYPE_CHECKING:
    from ruledsl.analysis.world import World


def declare_heuristic(world: World) -> None:
    """The number of a player, as `me`; what modules add to it is added."""
    elaborator = world.elaborator
    no_me, elaborator.no_me = elaborator.no_me, 0
    whole: C.Node | None = None
    for node in world.sections.heuristic:
        with elaborator.fresh(), world.needs.within(ADVICE):
            tree = elaborator.read(node)
            typed = elaborator.number(elaborator.expr(tree), tree.span, "what is good for a player")
        if typed is None:
            continue
        if isinstance(typed.node, C.Const):
            world.idle(tree.span, "this is the same in every position, so it tells bots nothing")
        whole = typed.node if whole is None else C.Op("add", (whole, typed.node))
    elaborator.no_me = no_me
    world.data["heuristic"] = whole


__all__ = ["declare_heuristic"]
