"""`scoring:`, points at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.source.document import Scalar, nodes_of
from ruledsl.syntax.shapes import Form, Key
from ruledsl.types import FAR, Num

if TYPE_CHECKING:  # `sections`, which is below the world, takes the form from here
    from ruledsl.analysis.world import World

SCORING = Form(
    "scoring",
    {
        "rows": Key("map", "Points by source, each worked out for every player as `me`."),
        "ties": Key("list", "What decides between equal totals, one after the other; more is better."),
        "lowest": Key("truth", "Whether the lowest total wins."),
        "stakes": Key("truth", "Whether totals are what players win or lose, so that it matters by how much."),
    },
)


def declare_scoring(world: World) -> None:
    rows: list[tuple[str, Any, Scalar]] = []
    ties: list[Any] = []
    elaborator = world.elaborator
    lowest = stakes = False
    points = Num(0, 0)  # what all rows can come to
    for scoring in world.sections.scoring:
        for entry in scoring.map("rows") or ():
            tree = elaborator.read(entry.value)
            typed = elaborator.number(elaborator.expr(tree), tree.span, "points")
            if typed is not None:
                assert isinstance(typed.type, Num)
                points = Num(max(-FAR, points.low + typed.type.low), min(FAR, points.high + typed.type.high))
                rows.append((entry.key.value, typed.node, entry.key))
        for item in nodes_of(scoring.get("ties")):
            tree = elaborator.read(item)
            typed = elaborator.number(elaborator.expr(tree), tree.span, "what decides a tie")
            if typed is not None:
                ties.append(typed.node)
        lowest = lowest or scoring.truth("lowest")
        stakes = stakes or scoring.truth("stakes")
    world.data["scoring"] = rows
    world.data["points"] = points
    world.data["ties"] = ties
    world.data["lowest"] = lowest
    world.data["stakes"] = stakes
