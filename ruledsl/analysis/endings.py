"""The end of a play with its reason: kept by the block in which the play ends, since play stands there ever after."""

from __future__ import annotations

from ruledsl.ir import core as C
from ruledsl.syntax.shapes import Fields

from .build import Builder


def finish(b: Builder, f: Fields, ending: int, winners: C.Node | None) -> None:
    """Ends the block and the play."""
    words = b.words(f.get("because")) if f.has("because") else None
    if words is not None and b.current is not None:
        here = b.new("the end")  # of its own, so that another end of the same play cannot share it
        b.jump(here)
        b.at(here)
        b.world.data.setdefault("because", {})[here] = words
    b.close(C.Finish(ending, winners, f.node.span))
