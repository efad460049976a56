"""To try what another text would mean: nothing is told of it, and nothing of it stays where it means nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import Report
from ruledsl.types import BROKEN, Broken

if TYPE_CHECKING:
    from .elaborate import Elaborator


@contextmanager
def quietly(elab: Elaborator) -> Iterator[Report]:
    """A report that nobody reads. What was read and worked out for it is forgotten if it has mistakes: they are told by
    who comes there next."""
    world, told, depth = elab.world, elab.report, len(elab.scopes)
    quiet = told.apart()
    quiet.advises = quiet.is_told = False
    read, new = len(world.trees), [formula for formula in world.formulas if formula.state == "new"]
    busy = [(formula, formula.type) for formula in world.busy]
    broken = set(world.data.get("broken names", ()))
    elab.report = world.report = quiet
    try:
        yield quiet
    finally:
        del elab.scopes[depth:]
        elab.report = world.report = told
        if quiet.errors:
            while len(world.trees) > read:
                world.trees.popitem()
            for formula in new:
                if isinstance(formula.type, Broken):
                    formula.state, formula.type = "new", BROKEN
        for formula, kind in busy:
            formula.type = kind
        if "broken names" in world.data:
            world.data["broken names"] = broken


__all__ = ["quietly"]
