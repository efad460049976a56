"""What reaches a space: which pieces could, and in which direction.

A rule asks it piece by piece: `any(m in foe.man where king.square in hits(m))`. What each sort of piece reaches at most
is a table (`Tables.at_most`); read the other way round it says from where such a piece could reach the space. So the
pieces that are asked are those on these spaces, mostly none. And of several directions in which a line may reach the
space only one leads there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.ir.kinds import NUMBER, a_set
from ruledsl.ir.once import once
from ruledsl.types import bits

from .kept import MOST_VALUES, Kept, Region
from .passes import Pass
from .sights import Sights
from .tabled import Table

if TYPE_CHECKING:
    from .writer import Writer

MOST_SORTS = 16  # of pieces that reach different spaces: one look at a table for each
MUCH_FEWER = 0.8  # a sort is told apart if then so few spaces are left
MOST_SPACES = 128  # of a board for which such tables are made


class Reaching(Sights):
    """Finds the sets that conditions stand for, the pieces that could reach a space among them."""

    asked_back = False  # whether tables are read the other way round, which is worth it where sets are machine words

    def _implied(self, slot: int, node: C.Node) -> list[Region]:
        found = super()._implied(slot, node)
        if not self.asked_back or Pass.REACHED_FROM in self.without or self.steady or found:
            return found
        match node:
            case C.Op(name="holds", args=(item, reached)) if not self.uses(item, slot) and self.safe(node):
                region = self._could_reach(slot, item, reached)
                return [region] if region is not None else []
        return []

    @once()
    def _could_reach(self, slot: int, item: C.Node, reached: C.Node) -> Region | None:
        """The pieces that stand where they could reach a space."""
        spots = self.program.spots
        table = self.tables.at_most(reached) if self.tables is not None else None
        if table is None or not self.single or len(self.boards) != 1 or self.pieces is None or not _short(item):
            return None
        ((first, count),) = self.boards.items()
        where = [i for i, (leaf, _) in enumerate(table.inputs) if _is_cell(leaf, spots.at, slot)]
        sorts = [i for i in range(len(table.inputs)) if i not in where]
        if len(where) != 1 or count > MOST_SPACES or not self._is_space(item, count):
            return None
        if not all(self._sort(table.inputs[i][0], slot) for i in sorts):
            return None
        whence = _Whence(table, where[0], first, count)
        told = whence.worth_telling(sorts)
        if told is None:
            return None
        after = C.Op("add", (item, C.Const(1)))  # so that none is a row of the table, too
        from_there: list[Region] = []
        for values, sets in whence.by(told):
            regions = [Region("fixed", index=after, sets=(0, *sets))]
            for i, value in zip(told, values, strict=True):
                kept = self._spaces_of(table.inputs[i][0], first, count)
                regions.append(Region("kept", kept=kept, index=C.Const(value)))
            if any(sets):
                from_there.append(Region("and", tuple(regions)) if told else regions[0])
        taken = Region("kept", kept=Kept("spaces", first, count, self.pieces.everything))
        spaces = Region("or", tuple(from_there)) if told else Region("and", (*from_there, taken))
        region = Region("standing", (spaces,), by=first)
        return region if from_there and self._can_be_had(region) else None

    def _spaces_of(self, leaf: C.Node, first: int, count: int) -> Kept:
        """The spaces with pieces that have some value."""
        assert self.pieces is not None
        everything = self.pieces.everything
        match leaf:
            case C.Cell(base=base):
                return Kept("spaces", first, count, everything, None, base, self._values(None, base) or 1)
            case C.Look(table=table):
                return Kept("spaces", first, count, everything, table, -1, self._values(table, -1) or 1)
        raise AssertionError(leaf)

    def aimed(self, node: C.Fold, item: C.Node) -> tuple[C.Each, ...]:
        """What lines in several directions run over, if nothing matters but one space: the way that leads there."""
        match node.each:
            case (
                C.Each(slot=way, form="set", domain=(C.Look() as ways,)),
                C.Each(domain=(C.Primitive(name="slide" | "ray", args=(start, C.Get(slot=along), *_), data=data),)),
            ) if along == way and not self.uses(start, way):
                steps, count = data[:2]
            case _:
                return node.each
        leads = _ways(tuple(steps), count) if len(steps) // count <= MOST_SPACES else None
        if leads is None or not self.asked_back or Pass.ONE_WAY in self.without:
            return node.each
        there = C.Look(leads, C.Primitive("key", (start, item), (len(steps) // count,)), -1)
        return (C.Each(way, "set", (C.Op("common", (ways, C.Op("only", (there,)))),)), node.each[1])

    def _is_space(self, item: C.Node, count: int) -> bool:
        kind = self.kinds.of(item)
        return kind.sort == NUMBER and kind.low >= -1 and kind.top <= count

    def _sort(self, leaf: C.Node, slot: int) -> bool:
        """Whether an input is what a piece is, by which sets of spaces are kept."""
        assert self.pieces is not None
        match leaf:
            case C.Cell(base=base, index=C.Get(slot=s)) if s == slot and base in self.program.piece_state:
                values, kind = self._values(None, base), self.kinds.slot(base)
                return values is not None and kind.sure
            case C.Look(table=table, index=C.Get(slot=s)) if s == slot:
                values = self._values(table, -1)
                return values is not None and min(table[piece] for piece in bits(self.pieces.everything)) >= 0
        return False


class _Whence:
    """A table of what pieces reach, read the other way round: from where they reach each space."""

    def __init__(self, table: Table, where: int, first: int, count: int) -> None:
        self.where, self.count = where, count
        ranges = [range(of.low, of.top) for _, of in table.inputs]
        self.found: dict[tuple[int, ...], list[int]] = {}
        for values, reached in zip(itertools.product(*ranges), table.values, strict=True):
            space = values[where] - first
            if 0 <= space < count:
                mine = self.found.setdefault(values[:where] + values[where + 1 :], [0] * count)
                for to in bits(reached):
                    mine[to] |= 1 << space

    def by(self, told: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """For the values of some inputs, from where each space is reached, whatever the others are."""
        joined: dict[tuple[int, ...], list[int]] = {}
        for values, sets in self.found.items():
            key = tuple(values[i - (i > self.where)] for i in told)
            mine = joined.setdefault(key, [0] * self.count)
            for to, more in enumerate(sets):
                mine[to] |= more
        yield from ((key, tuple(sets)) for key, sets in joined.items())

    def worth_telling(self, sorts: list[int]) -> tuple[int, ...] | None:
        """The inputs that are told apart: those that leave much fewer spaces; none if nothing is gained at all."""
        told = tuple(sorts)
        if self._work(told) > MOST_VALUES:
            return None
        for i in sorts:
            fewer = tuple(one for one in told if one != i)
            if self._spaces(told) > MUCH_FEWER * self._spaces(fewer):
                told = fewer
        few = self._spaces(told) < MUCH_FEWER * self.count * self.count
        return told if few and self._work(told) <= MOST_SORTS else None

    def _work(self, told: tuple[int, ...]) -> int:
        return sum(1 for _, sets in self.by(told) if any(sets))

    def _spaces(self, told: tuple[int, ...]) -> float:
        """How many spaces are left, in the mean of all sorts."""
        sizes = [sum(map(int.bit_count, sets)) for _, sets in self.by(told)]
        return sum(sizes) / max(1, len(sizes))


@cache
def _ways(steps: tuple[int, ...], count: int) -> tuple[int, ...] | None:
    """By start and goal the direction in which one comes there, if there is never more than one."""
    total = len(steps) // count
    found = [-1] * (total * total)
    for start in range(total):
        for way in range(count):
            at = steps[start * count + way]
            while at >= 0 and at != start:
                if found[start * total + at] >= 0:
                    return None
                found[start * total + at] = way
                at = steps[at * count + way]
            if at == start:
                return None
    return tuple(found)


def standing_on(out: Writer, region: Region, top: int) -> str:
    """Writes the set of the pieces that stand on the spaces of a region."""
    (spaces,), spots = region.parts, out.program.spots
    found, space = out.held(out.set_const(0, top), a_set(top)), out.temp("from")
    count = next(root.size for first, root in spots.roots if first == region.by)
    with out.loop_set(space, out.region_set(spaces, count), a_set(count)):
        out.set_add(found, out.item(spots.top, f"{space} + {region.by}" if region.by else space), top, True)
    return found


def _short(node: C.Node) -> bool:
    """Whether an expression may be written several times."""
    match node:
        case C.Get() | C.Const():
            return True
        case C.Cell(index=index) | C.Look(index=index):
            return _short(index)
        case C.Primitive(name="standing", args=(of,)):
            return _short(of)
    return False


def _is_cell(leaf: C.Node, base: int, slot: int) -> bool:
    return isinstance(leaf, C.Cell) and leaf.base == base and isinstance(leaf.index, C.Get) and leaf.index.slot == slot


__all__ = ["Reaching", "standing_on"]
