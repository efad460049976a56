"""What is seen from a space: the first space in a direction at which a look ends, asked of all spaces at once.

A rule asks it space by space: "in some direction, the first disc that is not the opponent's is mine". All spaces for
which that holds are found together: from where the looks end, sets are shifted back through what can be looked through,
twice as far each time.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.kinds import a_set
from ruledsl.ir.lines import ends, line
from ruledsl.ir.once import once
from ruledsl.ir.walk import StuckError, put
from ruledsl.records import dataclass
from ruledsl.types import bits

from .kept import Absorber, Region, alike, conjuncts, negated
from .passes import Pass

if TYPE_CHECKING:
    from .writer import Writer

MOST_WAYS = 8  # directions that are asked for one after the other


@dataclass(frozen=True, eq=False)
class _Look:
    """A look in a direction: by how much numbers change, from which spaces there is a next one, how often it doubles,
    and where it ends."""

    line: C.Primitive
    way: int
    by: int
    among: int
    times: int
    ends: Region


class Sights(Absorber):
    """Finds the sets that conditions stand for, those on what is seen from a space among them."""

    def some(self, slot: int, node: C.Node) -> Region | None:
        """Where a set has any member."""
        match node:
            case C.Invoke():
                return self.in_body(node, lambda body: self.some(slot, body))
            case C.Fold(kind="set", value=value):
                where = node.where
                if value is not None and not self.safe(value):
                    return None
                if value is not None and not self.kinds.of(value).sure:  # none is no member
                    where = C.Both((*conjuncts(where), C.Op("is_there", (value,))))
                return self._some_way(slot, C.Fold("any", node.each, where, None, span=node.span))
        return None

    def in_some(self, slot: int, node: C.Fold) -> Region | None:
        return super().in_some(slot, node) or self._some_way(slot, node)

    def lying(self, slot: int, pieces: C.Node) -> Region | None:
        match pieces:
            case C.Primitive(name="between", args=(one, other), data=data):
                some = self._some_between(slot, one, other, data)
                return Region("and", tuple(some)) if some is not None else None
        return super().lying(slot, pieces)

    @once()
    def _some_way(self, slot: int, node: C.Fold) -> Region | None:
        """Where something holds in one of a few directions: of each direction for itself, joined."""
        match node.each:
            case (C.Each(slot=first, form="set", domain=(C.Const(value=int() as ways),)), *rest) if _few(ways):
                found = [
                    self._with(slot, C.Fold("any", tuple(rest), node.where, None), first, way) for way in bits(ways)
                ]
            case _:
                found = [self._one_way(slot, node)]
        known = tuple(region for region in found if region is not None)
        return Region("or", known) if len(known) == len(found) and any(map(_looks_far, known)) else None

    def _with(self, slot: int, node: C.Fold, first: int, way: int) -> Region | None:
        try:
            return self._one_way(slot, put(node, {first: C.Const(way)}))
        except StuckError:
            return None

    def _one_way(self, slot: int, node: C.Fold) -> Region | None:
        conditions = conjuncts(node.where)
        match node.each:
            case ():
                regions = []
            case (C.Each(slot=between, form="list", domain=(C.Primitive(name="between", args=(a, b), data=data),)),):
                some = self._some_between(slot, a, b, data)
                if some is None or any(self.uses(condition, between) for condition in conditions):
                    return None
                regions = some
            case _:
                return None
        known = [self.region(slot, condition) for condition in conditions]
        regions = [part for region in (*regions, *known) if region is not None for part in _demanded(region)]
        regions = [one for one in regions if not any(_says_more(other, one) for other in regions)]
        return Region("and", tuple(regions)) if regions and None not in known else None

    def _some_between(self, slot: int, one: C.Node, other: C.Node, data: tuple[Any, ...]) -> list[Region] | None:
        """Where anything lies between the variable and what is seen from it: the next space is looked through."""
        look = self._look(slot, other)
        if look is None or not (isinstance(one, C.Get) and one.slot == slot) or look.line.data != data:
            return None
        whole = (1 << len(data[0]) // data[1]) - 1
        seen = self.stepped(slot, other, Region("whole", sets=(whole,)))
        beside = C.Primitive("step", (C.Get(slot), C.Const(look.way)), data)
        through = self.stepped(slot, beside, negated(look.ends))
        return [seen, through] if seen is not None and through is not None else None

    def stepped(self, slot: int, space: C.Node, region: Region) -> Region | None:
        nearer = super().stepped(slot, space, region)
        look = self._look(slot, space) if nearer is None else None
        if look is None:
            return nearer
        return Region("seen", (negated(look.ends), region), by=look.by, among=look.among, times=look.times)

    def _look(self, slot: int, node: C.Node) -> _Look | None:
        """A look from the variable in a direction that is always the same, to the first space where it ends."""
        if Pass.SEEN_AT_ONCE in self.without:
            return None
        match node:
            case C.Invoke():
                return self.in_body(node, lambda body: self._look(slot, body))
            case C.Fold(
                kind="first",
                each=(C.Each(slot=at, form="list", domain=(C.Primitive(name="ray", args=(start, way)) as line,)),),
                value=None | C.Get() as value,
            ) if isinstance(start, C.Get) and start.slot == slot and isinstance(way, C.Const):
                if isinstance(value, C.Get) and value.slot != at:
                    return None
                return self._look_along(slot, at, conjuncts(node.where), line, way.value)
        return None

    def _look_along(self, slot: int, at: int, conditions: list[C.Node], line: C.Primitive, way: int) -> _Look | None:
        steps, count = line.data
        moved = self.way(slot, C.Primitive("step", (C.Get(slot), C.Const(way)), (steps, count)))
        if moved is None or not conditions or any(self.uses(condition, slot) for condition in conditions):
            return None
        ends = [self.region(at, condition) for condition in conditions]
        known = tuple(region for region in ends if region is not None)
        longest = _longest(steps, count, way)
        if len(known) < len(ends) or not longest or not all(map(self.safe, conditions)):
            return None
        times = (longest - 1).bit_length()
        return _Look(line, way, *moved, times, known[0] if len(known) == 1 else Region("and", known))


def _few(ways: int) -> bool:
    return 0 < ways.bit_count() <= MOST_WAYS


def _demanded(region: Region) -> tuple[Region, ...]:
    return region.parts if region.sort == "and" else (region,)


def _says_more(one: Region, other: Region) -> bool:
    """Whether one look demands what another does, which may end anywhere."""
    if one is other or (one.sort, other.sort) != ("seen", "seen") or other.parts[1].sort != "whole":
        return False
    return one.by == other.by and alike(one.parts[0], other.parts[0])


def _looks_far(region: Region) -> bool:
    return region.sort == "seen" or any(map(_looks_far, region.parts))


@cache
def _longest(steps: tuple[int, ...], count: int, way: int) -> int:
    """How many spaces the longest line in a direction has; 0 if one comes back, or meets one in another direction."""
    longest = 0
    for start in range(len(steps) // count):
        lines = [line(steps, count, start, other) for other in range(count)]
        mine, others = set(lines[way]), [lines[o] for o in range(count) if o != way and ends(steps, count, start, o)]
        if not ends(steps, count, start, way) or any(mine & set(other) for other in others):
            return 0
        longest = max(longest, len(mine))
    return longest


def stepped_from(out: Writer, region: Region, top: int) -> str:
    """Writes the set of spaces one step from which a region lies."""
    assert abs(region.by) < top
    inside = out.region_set(region.parts[0], top)
    return out.op("common", [out.shifted(inside, -region.by, top), out.set_const(region.among, top)], top)


def seen_from(out: Writer, region: Region, top: int) -> str:
    """Writes the set of spaces from which a look ends in some region."""
    through, target = (out.region_set(part, top) for part in region.parts)
    kind, among = a_set(top), out.set_const(region.among, top)
    through = out.held(through, kind)
    ends = out.held(out.op("minus", [target, through], top), kind)
    clear = out.held(out.op("common", [through, among], top), kind)
    for doubled in range(region.times):
        back = -region.by * 2**doubled
        if doubled:
            further = out.shifted(clear, back // 2, top)
            clear = out.held(out.op("common", [clear, further], top), kind)
        more = out.op("common", [clear, out.shifted(ends, back, top)], top)
        ends = out.held(out.op("union", [ends, more], top), kind)
    return out.op("common", [out.shifted(ends, -region.by, top), among], top)
