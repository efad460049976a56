"""Groups of connected pieces that a person would keep by hand: who is connected, and what lies beside them.

A rule asks of a candidate whether the pieces connected with a space have a free neighbour; a program that tries every
candidate out floods the same groups over and over. Where something is reached, in trials, from one space through a set
that is kept up to date (`kept.py`), the groups of that set are kept too. They belong to the set for which they were
made: when it has changed since, what came is joined to them and what went is made anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.records import dataclass

from .flow import tried
from .kept import Absorber, Kept, Region, alike, conjuncts

MOST_SPACES = 1024  # of a board: a set for each space has to be at hand


@dataclass(eq=False)
class Family:
    """The groups of each set of a kept family, and of which neighbours it is asked whether there are any."""

    near: tuple[int, ...]
    kept: Kept
    wanted: tuple[C.Each, list[Region]] | None = None


@dataclass(frozen=True, eq=False)
class Flood:
    """A domain `neighbors(g)`, and how g is made: what is reached from somewhere."""

    near: tuple[int, ...]
    made: C.Node
    formula: C.Formula | None
    reach: C.Primitive


class Clusters:
    """Finds the floods that can be had from groups that are kept."""

    def __init__(
        self, program: C.Program, kinds: Kinds, absorber: Absorber, alone: dict[C.Procedure, list[int]], on: bool = True
    ) -> None:
        self.absorber = absorber
        self.found: list[Family] = []
        self._floods = {id(node) for node in _floods(tried(program, kinds.roots, alone))} if on else set[int]()

    def of(
        self, flood: C.Primitive, wanted: tuple[C.Each, list[Region]] | None = None
    ) -> tuple[int, Family, Region] | None:
        """Which of the kept families of groups a flood from one space asks about, and the set they are groups of."""
        if id(flood) not in self._floods or len(flood.data[0]) > MOST_SPACES:
            return None
        start, inside, within = flood.args
        if not (isinstance(start, C.Op) and start.name == "only") or not isinstance(within, C.Const):
            return None
        if within.value >= 0 or not isinstance(inside, C.Fold) or inside.kind != "set" or inside.value is not None:
            return None
        (each,) = inside.each if len(inside.each) == 1 else (None,)
        if each is None or not isinstance(each.domain[0], C.Const):
            return None
        regions, left = self.absorber.absorb(each.slot, conjuncts(inside.where))
        if left or len(regions) != 1 or regions[0].sort != "kept":
            return None
        (region,) = regions
        kept = region.kept
        if kept is None or kept.of != "spaces" or each.domain[0].value != (1 << kept.count) - 1:
            return None
        if wanted is not None and not all(map(_plain, wanted[1])):
            wanted = None
        for number, family in enumerate(self.found):
            if family.near == flood.data[0] and family.kept == kept:
                if wanted is None or family.wanted is None or _all_alike(family.wanted[1], wanted[1]):
                    family.wanted = family.wanted or wanted
                    return number, family, region
        self.found.append(Family(flood.data[0], kept, wanted))
        return len(self.found) - 1, self.found[-1], region


def flooded(last: C.Each) -> Flood | None:
    """The domain of a variable as neighbours of a group that is reached, itself or by a formula."""
    match last.domain[0]:
        case C.With(
            slots=(group,),
            args=(made,),
            body=C.Op(
                name="minus",
                args=(
                    C.Fold(
                        kind="union",
                        each=(C.Each(slot=one, form="set", domain=(C.Get(slot=domain),)),),
                        where=None,
                        value=C.Look(table=near, index=C.Get(slot=shown)),
                    ),
                    C.Get(slot=rest),
                ),
            ),
        ) if group == domain == rest and one == shown:
            pass
        case _:
            return None
    formula = made.formula if isinstance(made, C.Invoke) else None
    reach = formula.body if formula is not None else made
    if not isinstance(reach, C.Primitive) or reach.name != "reachable" or reach.data[0] != near:
        return None
    if not isinstance(reach.args[2], C.Const) or reach.args[2].value >= 0:
        return None
    return Flood(near, made, formula, reach)


def _plain(region: Region) -> bool:
    """Whether a region is told by sets that are kept, and by nothing else."""
    if region.sort == "kept":
        return region.index is None and region.none is None
    return region.sort in ("not", "and", "or", "whole") and all(map(_plain, region.parts))


def _all_alike(one: list[Region], other: list[Region]) -> bool:
    return len(one) == len(other) and all(map(alike, one, other))


def _floods(nodes: Iterable[object]) -> list[C.Primitive]:
    return [
        node
        for node in nodes
        if isinstance(node, C.Primitive) and node.name == "reachable" and isinstance(node.data[0], tuple)
    ]
