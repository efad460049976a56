"""How words look in pictures: the colours and signs that a game gives to members, players, kinds and rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ruledsl.boards.marks import COLOURS, Look
from ruledsl.diagnostics.suggest import did_you_mean, nearest, nearest_or
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.syntax.shapes import Form, Key, fields

if TYPE_CHECKING:
    from ruledsl.analysis.world import World

LOOK = Form(
    "a look",
    {
        "color": Key("word", f"Its color: {', '.join(COLOURS)}, or `'#2f6fb2'`."),
        "symbol": Key(
            "text", "Its sign, at most three characters wide; for the ground on a tile, the first one fills it."
        ),
    },
)


def declare_looks(world: World) -> None:
    """The looks of all words; what they stand for is compared by `unknown_looks`, over all configurations."""
    for word, (_, node) in world.sections.looks.items():
        found = fields(node, LOOK, world.report)
        if found is None:
            continue
        color = found.word("color")
        written = found.get("color")
        if color and written is not None and color not in COLOURS and not re.fullmatch("#[0-9a-fA-F]{6}", color):
            known = nearest(color, COLOURS)
            world.report.error(
                "S121",
                written.span,
                f"there is no color `{color}`",
                help=did_you_mean(known) or f"the colors are {', '.join(COLOURS)}; any other is written `'#2f6fb2'`",
                suggestions=tuple(known),
            )
            color = ""
        world.looks[word] = Look(color or None, _by_language(found.get("symbol")))


def _by_language(node: Node | None) -> dict[str, str]:
    if isinstance(node, Map):
        return {entry.key.value: entry.value.value for entry in node if isinstance(entry.value, Scalar)}
    return {"en": node.value} if isinstance(node, Scalar) else {}


def unknown_looks(world: World) -> Iterator[tuple[Any, str, Callable[[], str]]]:
    """Looks of words that nothing in this configuration goes by: the place, what is wrong, what finds advice."""
    known = _words(world)
    for word, (key, _) in world.sections.looks.items():
        if word not in known:
            advice = partial(nearest_or, word, known, "only members of types, players, kinds and rows have looks")
            yield key.span, f"nothing is called `{word}`", advice


def _words(world: World) -> set[str]:
    """Everything that a picture may have to tell apart."""
    found = {name for root in world.roots.values() if root.kind in ("enum", "player", "piece") for name in root.names}
    found |= {declared.name for declared in world.names.values() if declared.sort == "kind"}
    return found | {stock.row.word("name") for stock in world.data.get("stocks", ())}
