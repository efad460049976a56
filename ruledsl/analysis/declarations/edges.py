"""Directions that edges of a graph lead in: labels that are likely misspelt, or forgotten."""

from __future__ import annotations

from collections import Counter

from ruledsl.analysis.world import World
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.source.document import Scalar
from ruledsl.syntax.shapes import sound_word

from .rows import Row

_OFTEN = 3  # edges with a label, beside which one with a label much like it is a slip


_MOST = 8  # edges with a label for each without one, from where one without is a slip


def look_over_labels(world: World, rows: list[Row]) -> None:
    """Every label is the name of a direction; one that stands once, and is nearly another, was to be that one."""
    labels = [
        node
        for row in rows
        for column in ("label", "back")
        if isinstance(node := row.get(column), Scalar) and node.value
    ]
    bare = [row.node for row in rows if row.get("label") is None and row.node is not None]
    if 0 < len(bare) * _MOST < len(rows):
        for edge in bare:
            help = "add `label:`, or the edge leads in no direction"
            world.report.warn("B218", edge.span, "this edge has no `label`, and nearly all others have", help=help)
    times = Counter(node.value for node in labels)
    often = [label for label, many in times.items() if many >= _OFTEN]
    for node in labels:
        if sound_word(node, world.report) is not node:
            continue
        if not node.value.isidentifier():
            said = f"a label is the name of a direction, not `{node.value}`"
            world.report.error("B203", node.span, said, help="use letters, digits and `_`, with a letter first")
        elif times[node.value] == 1 and (near := nearest(node.value, often)):
            said = f"only one edge has the direction `{node.value}`"
            world.report.warn("B215", node.span, said, help=did_you_mean(near), suggestions=tuple(near))
