"""Menus of a piece and a space that it may go to, counted for all pieces at once.

Where what a piece may reach depends on nothing but where it stands (a step ahead, a knight's leap), it is always one of
a few distances away. For each of these the spaces with pieces that may go there are one set: where they stand, and what
is asked of the space they go to, shifted. So options are counted without a loop over pieces, and the one that is
taken is found by asking of each piece a bit or two.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ruledsl.engine.options import is_piece
from ruledsl.ir import core as C
from ruledsl.ir.kinds import a_set, number
from ruledsl.ir.once import once
from ruledsl.ir.walk import StuckError, key, put, within
from ruledsl.records import dataclass
from ruledsl.types import bits

from .c_part import CPart
from .kept import Region, conjuncts
from .language import Text
from .passes import Pass

MOST_WAYS = 8  # distances between where a piece stands and where it may go
MOST_CASES = 4  # players, or the like, whose distances differ
LEVELS = 6  # of formulas within formulas that are looked through
WORD = 64  # spaces of a board whose sets are one word


@dataclass(frozen=True, eq=False)
class Reach:
    """What pieces may reach: for each value of what it depends on, from which spaces they may go each distance."""

    first: int  # spot of the board
    count: int
    by: C.Node | None
    cases: tuple[tuple[int, tuple[Region, ...]], ...]


Moves = tuple[C.Node | None, list[tuple[int, tuple[int, ...]]]]  # by the values of something


class CShifts(CPart):
    """Menus of a piece and a space that it may go to, counted for all pieces at once."""

    @once()
    def reach(self, entry: C.Entry) -> Reach | None:
        """What the pieces of an entry may reach, if that is always one of a few distances."""
        if len(entry.variables) != 2 or not self.out.on(Pass.SHIFTED_MENUS) or self.out.tables is None:
            return None
        piece, goal = entry.variables
        plain = all(one.each.form == "set" and one.fewest is None and not one.beside for one in entry.variables)
        if not plain or not is_piece(piece) or is_piece(goal) or self.out.hides:
            return None
        stands = self._stands(goal.each.domain[0], piece.slot)
        if stands is None:
            return None
        first, count = stands.data[:2]
        if count > WORD or self.out.top_of(goal.each.domain[0]) > count:
            return None
        with suppress(StuckError):  # where an effect is tried with them, nothing can be put in their places
            return self._reach(entry, stands, first, count)
        return None

    def _stands(self, node: C.Node, piece: int, deep: int = 0) -> C.Primitive | None:
        """The space where a piece stands, as an expression asks for it."""
        for part in within(node):
            if isinstance(part, C.Primitive) and self.absorber.stands(part, piece):
                return part
            body = self.absorber.seen_through(part) if isinstance(part, C.Invoke) and deep < LEVELS else None
            found = self._stands(body, piece, deep + 1) if body is not None else None
            if found is not None:
                return found
        return None

    def _reach(self, entry: C.Entry, stands: C.Primitive, first: int, count: int) -> Reach | None:
        piece, goal = entry.variables
        start = self.kinds.fresh(number(0, count))
        each = C.Each(piece.slot, "set", piece.each.domain)
        asked = [*conjuncts(goal.where), *(part for where in entry.where for part in conjuncts(where))]
        there = self.absorber.lying_there(each, conjuncts(piece.where), stands, start)
        begun = self._regions(start, there) if there is not None else None
        by: C.Node | None = None
        cases: dict[int, list[Region]] = {}
        gone: set[tuple[int, int, int]] = set()
        for domain, conditions in self._sources(goal):
            seen = self.absorber.asked_there(each, [domain, *conditions, *asked], stands, start, opened=True)
            if begun is None or seen is None or not all(map(self.absorber.safe, seen[1:])):
                return None
            moves = self._moves(seen[0], start, count)
            if moves is None or (by is not None and moves[0] is not None and key(by) != key(moves[0])):
                return None
            by = by or moves[0]
            for value, way in moves[1]:
                regions = self._way(goal.slot, seen[1:], way, start)
                steps = {(value, space, to) for space, to in enumerate(way) if to >= 0}
                if regions is None or steps & gone:  # else what two directions lead to would count twice
                    return None
                gone |= steps
                cases.setdefault(value, []).append(Region("and", (*begun, *regions)))
        return Reach(first, count, by, tuple((value, tuple(ways)) for value, ways in cases.items())) if cases else None

    def _sources(self, goal: C.Variable) -> list[tuple[C.Node, list[C.Node]]]:
        """What a space is chosen from, without conditions, and these: for each direction, if they ask for it."""
        whole = goal.each.domain[0]
        for _ in range(LEVELS):
            body = self.absorber.seen_through(whole) if isinstance(whole, C.Invoke) else None
            whole = body or whole
        match whole:
            case C.Fold(kind="set", each=(C.Each(slot=slot, form="set", domain=(among,)),), value=value) if (
                value is None or (isinstance(value, C.Get) and value.slot == slot)
            ):
                return [(among, [put(part, {slot: C.Get(goal.slot)}) for part in conjuncts(whole.where)])]
            case C.Fold(kind="set", each=(C.Each(slot=slot) as each,), where=where, value=value) if where is not None:
                if self.kinds.slot(slot).top > MOST_WAYS:
                    return []
                return [
                    (
                        C.Fold("set", (each,), C.Op("equal", (C.Get(slot), C.Const(way))), value),
                        [put(part, {slot: C.Const(way)}) for part in conjuncts(where)],
                    )
                    for way in range(self.kinds.slot(slot).top)
                ]
        return [(whole, [])]

    def _regions(self, start: int, conditions: list[C.Node]) -> list[Region] | None:
        found = [self.absorber.region(start, condition) for condition in conditions]
        known = [region for region in found if region is not None]
        return known if len(known) == len(found) else None

    def _way(self, goal: int, conditions: list[C.Node], way: tuple[int, ...], start: int) -> list[Region] | None:
        """From which spaces a distance may be gone."""
        leaving = sum(1 << space for space, to in enumerate(way) if to >= 0)
        regions = self._regions(start, [put(condition, {goal: C.Look(way, C.Get(start))}) for condition in conditions])
        return [Region("whole", sets=(leaving,)), *regions] if regions is not None else None

    def _moves(self, domain: C.Node, start: int, count: int) -> Moves | None:
        """What may be reached, as tables of spaces by where one begins; and on whom or what that depends."""
        table = self.out.tables.told(domain) if self.out.tables is not None else None
        if table is None:
            return None
        mine = [at for at, (leaf, _) in enumerate(table.inputs) if isinstance(leaf, C.Get) and leaf.slot == start]
        others = [(leaf, kind) for at, (leaf, kind) in enumerate(table.inputs) if at not in mine]
        by, kind = others[0] if others else (None, number(0, 1))
        values = range(kind.low, kind.top)
        if len(mine) != 1 or len(others) > 1 or not kind.sure or len(values) > MOST_CASES:
            return None
        if len(table.values) != len(values) * count:
            return None
        found = []
        for i, value in enumerate(values):
            step, base = (1, i * count) if not others or mine[0] == 1 else (len(values), i)
            ways = _distances([table.values[base + space * step] for space in range(count)])
            if len(ways) > MOST_WAYS:
                return None
            found += [(value, way) for way in ways]
        return by, found

    # ------------------------------------------------------------------------------------------------ writing

    def count(self, reach: Reach, number_: int, opened: str) -> None:
        """Writes how many options there are, and for each space how many a piece there has, digit by digit."""
        out, planes = self.out, _planes(reach, number_)
        for plane in planes:
            out.declare(a_set(reach.count), plane, out.set_const(0, reach.count))
        which = out.number(reach.by) if reach.by is not None else "0"
        with out.if_(opened) if opened != "1" else out.scope(), out.block(f"switch ({which})"):
            for value, ways in reach.cases:
                with out.block(f"case {value}:"), out.afresh():
                    self._count_case(reach, ways, planes, f"n{number_}")
                    out.line("break;")

    def _count_case(self, reach: Reach, ways: tuple[Region, ...], planes: list[str], size: str) -> None:
        out, kind = self.out, a_set(reach.count)
        for way in ways:
            more = out.held(out.region_set(way, reach.count), kind)
            out.line(f"{size} += {out.op('size', [more], reach.count)};")
            for at, plane in enumerate(planes):
                carry = out.held(f"{plane} & {more}", kind) if at + 1 < len(planes) else ""
                out.line(f"{plane} ^= {more};")
                more = carry

    def find(self, entry: C.Entry, reach: Reach, number_: int, pieces: Text) -> None:
        """Writes which of some pieces has option number `k`; `k` is then the number of its option."""
        out, name = self.out, self.out.slot(entry.variables[0].slot)
        with out.loop_set(name, *pieces):
            out.line(f"const u64 at = (u64)({out.item(self.program.spots.at, name)} - {reach.first});")
            out.line(f"if (at >= {reach.count}) continue;")
            digits = [f"(num)({plane} >> at & 1)" for plane in _planes(reach, number_)]
            out.line(f"const num here = {' + '.join(f'{digit} * {1 << i}' for i, digit in enumerate(digits))};")
            out.line("if (k < here) break;")
            out.line("k -= here;")


def _planes(reach: Reach, number_: int) -> list[str]:
    return [f"plane{number_}_{i}" for i in range(max(len(ways) for _, ways in reach.cases).bit_length())]


def _distances(reached: list[Any]) -> list[tuple[int, ...]]:
    """Sets of spaces by where one begins, as tables of spaces, each always as far from where it begins."""
    far = sorted({to - space for space, whole in enumerate(reached) for to in bits(whole)})
    return [tuple(_there(space + by, whole) for space, whole in enumerate(reached)) for by in far[: MOST_WAYS + 1]]


def _there(space: int, whole: int) -> int:
    return space if space >= 0 and whole >> space & 1 else -1
