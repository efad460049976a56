"""Formulas that no game declares: what passes ask over and over, and how it is kept."""

from __future__ import annotations

from ruledsl.ir import core as C
from ruledsl.records import dataclass


@dataclass(eq=False)
class Latest(C.Formula):
    """Its value for the arguments that were asked last stays at hand until something that it looks at is changed."""


@dataclass(eq=False)
class ByHeart(C.Formula):
    """Its value never changes for the same arguments: it is worked out once for them, in whatever play."""


__all__ = ["ByHeart", "Latest"]
