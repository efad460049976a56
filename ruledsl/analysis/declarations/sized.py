"""Boards whose size is written where the shape belongs: `grid: 8x8`, `{width: 8, height: 8}`."""

from __future__ import annotations

import re

from ruledsl.boards.base import SHAPES
from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq, word_at
from ruledsl.syntax.shapes import shape_of

_SIDES = re.compile(r"(\d{1,3})\s*(?:x|×|х|\*|by|на)\s*(\d{1,3})")
_SHAPE_NAMES = ("type", "shape", "kind", "layout")
_GRIDS = ("grid", "square", "squares", "rectangle", "rectangular")
_PAIRS = (("width", "height"), ("columns", "rows"), ("cols", "rows"), ("w", "h"), ("x", "y"))


def sized(node: Node, report: Report) -> Node:
    """The board as a grid, where only its size is written, which is told."""
    if isinstance(node, Map):
        return _sized_map(node, report)
    if (sides := _sides(node)) is None:
        return node
    said = f"a board must be a map of keys and values, not {shape_of(node)}"
    report.error("S104", node.span, said, help=f"write `{{grid: {_shown(sides)}}}`")
    return Map(node.span, {"grid": _grid(node, sides)})


def _sized_map(node: Map, report: Report) -> Map:
    if any(shape.key in node.entries for shape in SHAPES.values()):
        return node
    kind = next((name for name in _SHAPE_NAMES if name in node.entries), "")
    named = node.get(kind)
    if kind and not (isinstance(named, Scalar) and named.value in _GRIDS):
        return node
    sides = _sides(node.get("size"))
    used: tuple[str, ...] = ("size",)
    for wide, high in _PAIRS:
        if sides is None and (found := _numbers(node.get(wide), node.get(high))) is not None:
            sides, used = found, (wide, high)
    if sides is None:
        return node
    first = next(entry.key for name, entry in node.entries.items() if name in (*used, kind))
    help = f"its shape says how large it is: write `grid: {_shown(sides)}`"
    report.error("S101", first.span, f"a board has no key `{first.value}`", help=help)
    kept = {name: entry for name, entry in node.entries.items() if name not in (*used, kind)}
    return Map(node.span, {"grid": _grid(first, sides), **kept}, node.flow, node.broken)


def _sides(node: Node | None) -> tuple[Scalar, Scalar] | None:
    """`8x8`, `[8, 8]`, and `8` for both."""
    if isinstance(node, Seq) and len(node.items) == 2:
        return _numbers(*node.items)
    if not isinstance(node, Scalar):
        return None
    if found := _SIDES.fullmatch(node.value.strip()):
        wide, high = (word_at(side, node.span) for side in found.groups())
        return wide, high
    return (node, node) if node.as_int() is not None else None


def _numbers(wide: Node | None, high: Node | None) -> tuple[Scalar, Scalar] | None:
    if not isinstance(wide, Scalar) or not isinstance(high, Scalar) or None in (wide.as_int(), high.as_int()):
        return None
    return wide, high


def _shown(sides: tuple[Scalar, Scalar]) -> str:
    return f"{{width: {sides[0].value}, height: {sides[1].value}}}"


def _grid(at: Node, sides: tuple[Scalar, Scalar]) -> Entry:
    def entry(name: str, value: Node) -> Entry:
        return Entry(word_at(name, at.span), value)

    inner = {name: entry(name, side) for name, side in zip(("width", "height"), sides, strict=True)}
    return entry("grid", Map(at.span, inner, True))


__all__ = ["sized"]
