"""Fjords once more, in plain Python: an oracle written from the rules, which shares nothing with the engine.

Cells are axial pairs; sides are numbered clockwise from the north, 0 to 5; a hex turned by k shows towards side d
what is printed at its side d - k. An area is a cell with the sides of it that hang together as the hex lies there.
Numbers such as FJ-056 are those of games/fjords/rules.md.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

Cell = tuple[int, int]
Sides = frozenset[int]
Area = tuple[Cell, Sides]

STEPS: tuple[Cell, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # N NE SE S SW NW
PLAIN, MOUNTAIN, OCEAN = "P", "M", "O"

# Name, edges clockwise from the north, copies without mark / marked "3" / marked "4", mark of a rune, areas.
# Which hexes there are was never printed: all but the counts of 64 and 3 is a reconstruction.
TABLE = """
S1        PPPPPP -      -           P012345
S2        MMMPPM -      -           M0125 P34
S3        PPOOOP -      -           P015 O234
peak      MMMMMM 1/0/0  strength    M012345
meadow    PPPPPP 2/1/1  friendship  P012345
hill1     PPPPPM 1/0/0  -           P01234 M5
hill2     PPPPMM 2/1/1  -           P0123 M45
hill3     PPPMMM 2/1/0  -           P012 M345
hill4     PPMMMM 1/0/1  -           P01 M2345
hill5     PMMMMM 1/0/0  -           P0 M12345
ridge22   PPMPPM 1/1/0  -           P01 M25 P34
pass22    PPMPPM 1/0/1  -           P0134 M2 M5
ridge13   PMPPPM 1/0/1  -           P0 M15 P234
pass13    PMPPPM 0/1/0  -           P0234 M1 M5
fork      PMPMPM 0/1/0  -           P0 M135 P2 P4
ridge12a  PPMPMM 1/0/0  -           P01 M245 P3
ridge12b  PPMMPM 0/1/0  -           P01 M235 P4
coast1    PPPPPO 1/0/1  -           P01234 O5
coast2    PPPPOO 2/1/1  -           P0123 O45
coast3    PPPOOO 1/1/1  -           P012 O345
rcoast    PPPOOO 1/0/0  water       P012 O345
coast4    PPOOOO 1/1/0  -           P01 O2345
coast5    POOOOO 1/0/0  -           P0 O12345
isthmus   PPOPPO 1/1/1  -           P0134 O2 O5
strait    PPOPPO 0/1/0  -           P01 O25 P34
sound     POPPPO 0/0/1  -           P0 O15 P234
mo22a     PPMMOO 1/1/0  -           P01 M23 O45
mo22b     PPOOMM 1/0/1  -           P01 O23 M45
mo21a     PPPMMO 1/0/1  -           P012 M34 O5
mo21b     PPPOMM 1/1/0  -           P012 O3 M45
mo12a     PPPMOO 1/0/0  -           P012 M3 O45
mo12b     PPPOOM 1/0/0  -           P012 O34 M5
mo11a     PPPPMO 1/0/0  -           P0123 M4 O5
mo11b     PPPPOM 1/0/0  -           P0123 O4 M5
mo13a     PPMOOO 1/0/0  -           P01 M2 O345
mo13b     PPOOOM 1/0/0  -           P01 O234 M5
spur      PMPOOO 1/0/0  -           P0 M1 P2 O345
mouth     PMOOOM 1/0/0  -           P0 M1 O234 M5
inlet     POPMMM 1/0/0  -           P02 O1 M345
inletcut  POPMMM 0/0/1  -           P0 O1 P2 M345
split     PPMPPO 1/0/0  -           P01 M2 P34 O5
gap       PPMPPO 1/0/0  -           P0134 M2 O5
"""

START: tuple[tuple[str, Cell], ...] = (("S1", (0, 0)), ("S2", (1, -1)), ("S3", (1, 0)))  # FJ-032, all unturned
VIKINGS, HOUSES = 20, 4  # FJ-030


# ------------------------------------------------------------------------------------------------- hexes


@dataclass(frozen=True)
class Shown:
    """A hex as it lies: the terrain towards each side, the areas and the bodies of land by their sides."""

    name: str
    edges: str
    areas: tuple[Sides, ...]
    bodies: tuple[Sides, ...]

    def terrain(self, area: Sides) -> str:
        return self.edges[min(area)]

    def showing(self, terrain: str) -> list[Sides]:
        return [area for area in self.areas if self.terrain(area) == terrain]

    def area_at(self, side: int) -> Sides:
        return next(area for area in self.areas if side in area)


@dataclass(frozen=True)
class Kind:
    """A type of hex as it is printed."""

    name: str
    edges: str
    areas: tuple[Sides, ...]
    mark: str
    copies: tuple[int, int, int]  # without mark, marked "3", marked "4"


def _read(table: str) -> dict[str, Kind]:
    kinds = {}
    for line in table.strip().splitlines():
        name, edges, copies, mark, *areas = line.split()
        split = tuple(frozenset(map(int, area[1:])) for area in areas)
        assert all(edges[side] == area[0] for area in areas for side in map(int, area[1:])), name
        counts = (0, 0, 0) if copies == "-" else tuple(map(int, copies.split("/")))
        kinds[name] = Kind(name, edges, split, "" if mark == "-" else mark, counts)  # type: ignore[arg-type]
    return kinds


KINDS = _read(TABLE)


def _apart(one: Sides, other: Sides, ocean: Sides) -> bool:
    """Whether an ocean cuts the hex so that two areas lie on different banks."""
    a, b = min(one), min(other)
    between = {side % 6 for side in range(a, b if b > a else b + 6)}
    return any(side in between for side in ocean) and any(side not in between for side in ocean)


def land_bodies(edges: str, areas: Iterable[Sides]) -> tuple[Sides, ...]:
    """The plains and mountains of a hex that no single ocean area cuts apart (FJ-008)."""
    land = [area for area in areas if edges[min(area)] != OCEAN]
    oceans = [area for area in areas if edges[min(area)] == OCEAN]
    bodies: list[list[Sides]] = []
    for area in land:
        for body in bodies:
            if not any(_apart(area, body[0], ocean) for ocean in oceans):
                body.append(area)
                break
        else:
            bodies.append([area])
    return tuple(frozenset().union(*body) for body in bodies)


@cache
def shown(name: str, turn: int) -> Shown:
    """A hex turned clockwise by so many sixths (FJ-003)."""
    kind = KINDS[name]

    def turned(sides: Sides) -> Sides:
        return frozenset((side + turn) % 6 for side in sides)

    return Shown(
        name,
        "".join(kind.edges[(side - turn) % 6] for side in range(6)),
        tuple(map(turned, kind.areas)),
        tuple(map(turned, land_bodies(kind.edges, kind.areas))),
    )


def bag(players: int) -> list[str]:
    """The hexes used with so many players, one name for each (FJ-033 to FJ-035); Epic is 4 (FJ-121)."""
    return [k.name for k in KINDS.values() for copies in k.copies[: players - 1] for _ in range(copies)]


def beyond(cell: Cell, side: int) -> Cell:
    return cell[0] + STEPS[side][0], cell[1] + STEPS[side][1]


def around(cell: Cell) -> list[Cell]:
    return [beyond(cell, side) for side in range(6)]


# ---------------------------------------------------------------------------------------------- the land


@cache
def suits(name: str, turn: int, pattern: str) -> bool:
    """Whether a hex may lie in a cell whose neighbours show `pattern` towards it, `.` where there is none.

    FJ-054, FJ-055, and FJ-057 for the one landmass.
    """
    hexagon = shown(name, turn)
    return (
        6 - pattern.count(".") >= 2
        and all(there in (".", here) for here, there in zip(hexagon.edges, pattern, strict=True))
        and all(any(pattern[side] != "." for side in body) for body in hexagon.bodies)
    )


class Land:
    """The hexes in the play area."""

    def __init__(self, laid: Iterable[tuple[str, Cell, int]] = ()) -> None:
        self.hexes: dict[Cell, Shown] = {cell: shown(name, 0) for name, cell in START}
        for name, cell, turn in laid:
            self.lay(name, cell, turn)

    def lay(self, name: str, cell: Cell, turn: int) -> None:
        assert cell not in self.hexes, cell
        self.hexes[cell] = shown(name, turn)

    def pattern(self, cell: Cell) -> str:
        """What the neighbours of a cell show towards it."""
        return "".join(
            self.hexes[n].edges[(side + 3) % 6] if n in self.hexes else "." for side, n in enumerate(around(cell))
        )

    def frontier(self) -> list[Cell]:
        """The empty cells next to a hex."""
        return sorted({n for cell in self.hexes for n in around(cell) if n not in self.hexes})

    def fits(self, name: str, cell: Cell, turn: int) -> bool:
        """Legality by the landmasses of the whole play area, as the rule is printed (FJ-053 to FJ-056)."""
        pattern = self.pattern(cell)
        if cell in self.hexes or 6 - pattern.count(".") < 2:
            return False
        if any(there not in (".", here) for here, there in zip(shown(name, turn).edges, pattern, strict=True)):
            return False
        after = Land.__new__(Land)
        after.hexes = {**self.hexes, cell: shown(name, turn)}
        return len(after.landmasses()) == 1

    def fits_nearby(self, name: str, cell: Cell, turn: int) -> bool:
        """The same, looking only at the neighbours (FJ-057)."""
        return cell not in self.hexes and suits(name, turn, self.pattern(cell))

    def placements(self, names: Iterable[str], whole: bool = False) -> set[tuple[str, Cell, int]]:
        """Where the hexes may lie; `whole` asks the landmasses instead of the neighbours."""
        test = self.fits if whole else self.fits_nearby
        return {
            (name, cell, turn)
            for cell, name, turn in product(self.frontier(), sorted(set(names)), range(6))
            if test(name, cell, turn)
        }

    def placeable(self, name: str) -> bool:
        return any(self.fits_nearby(name, cell, turn) for cell in self.frontier() for turn in range(6))

    def areas(self, terrain: str) -> list[Area]:
        return [(cell, area) for cell, hexagon in self.hexes.items() for area in hexagon.showing(terrain)]

    def linked(self, area: Area) -> Iterator[Area]:
        """The areas of neighbours that meet this one at a shared edge (FJ-005)."""
        cell, sides = area
        for side in sides:
            other = beyond(cell, side)
            if other in self.hexes:
                yield other, self.hexes[other].area_at((side + 3) % 6)

    def regions(self, terrain: str) -> list[set[Area]]:
        """Plain regions, mountain ranges or seas (FJ-006)."""
        return _components(self.areas(terrain), self.linked)

    def landmasses(self) -> list[set[Area]]:
        """Bodies of land joined across edges that are not ocean (FJ-009)."""

        def joined(body: Area) -> Iterator[Area]:
            cell, sides = body
            for side in sides:
                other = beyond(cell, side)
                if other in self.hexes:
                    for sides_there in self.hexes[other].bodies:
                        if (side + 3) % 6 in sides_there:
                            yield other, sides_there

        return _components([(cell, body) for cell, h in self.hexes.items() for body in h.bodies], joined)


def _components(nodes: Iterable[Area], neighbours) -> list[set[Area]]:  # type: ignore[no-untyped-def]
    left, found = set(nodes), []
    while left:
        group, todo = set(), [left.pop()]
        while todo:
            node = todo.pop()
            group.add(node)
            for other in neighbours(node):
                if other in left:
                    left.remove(other)
                    todo.append(other)
        found.append(group)
    return found


# ------------------------------------------------------------------------------------------- houses, vikings


@dataclass
class Table(Land):
    """A play area with what stands on it. Owners are seats; the two colours of a side in Epic are one (FJ-124)."""

    players: int = 2
    modules: frozenset[str] = frozenset()
    laid: Iterable[tuple[str, Cell, int]] = ()
    vikings_each: int = VIKINGS
    houses: dict[Cell, tuple[int, Sides]] = field(default_factory=dict)
    vikings: dict[Cell, tuple[int, Sides]] = field(default_factory=dict)
    runes: dict[Cell, str] = field(default_factory=dict)  # on hexes, and Wisdom runes on empty cells
    homes: dict[Cell, int] = field(default_factory=dict)  # Home runes under houses

    def __post_init__(self) -> None:
        Land.__init__(self, ())
        for name, cell, turn in self.laid:
            self.explore(name, cell, turn)

    # ------------------------------------------------------------------------------------------ exploration

    def explore(self, name: str, cell: Cell, turn: int) -> None:
        """Lays a hex and the rune that its mark demands (FJ-168)."""
        self.lay(name, cell, turn)
        mark = KINDS[name].mark
        if mark in self.modules:
            self.runes[cell] = mark

    def vacant(self, cell: Cell) -> bool:
        """FJ-015."""
        taken = cell in self.houses or cell in self.vikings or cell in self.runes
        return cell in self.hexes and not taken

    def plains(self, cell: Cell) -> list[Area]:
        return [(cell, area) for area in self.hexes[cell].showing(PLAIN)]

    def house_areas(self, cell: Cell) -> set[Area]:
        """Where on the new hex a house may stand (FJ-065 to FJ-068, FJ-168)."""
        return set(self.plains(cell)) if self.vacant(cell) else set()

    def secret_moves(self, owner: int) -> set[tuple[Cell, Area]]:
        """Which own house may go where by a Secret rune (FJ-231 to FJ-237)."""
        found = set()
        for start, (whose, sides) in self.houses.items():
            if whose != owner or start in self.homes:
                continue
            for first in self.linked((start, sides)):
                if first[0] in self.houses:
                    continue
                for last in [first, *self.linked(first)]:
                    if self.vacant(last[0]):
                        found.add((start, last))
        return found

    # ------------------------------------------------------------------------------------------- settlement

    def pieces(self, owner: int) -> list[Area]:
        """The areas on which a player stands."""
        return [
            (cell, sides)
            for kind in (self.houses, self.vikings)
            for cell, (whose, sides) in kind.items()
            if whose == owner
        ]

    def targets(self, owner: int) -> set[Area]:
        """Where a viking may go by a normal placement (FJ-093 to FJ-099)."""
        return {b for a in self.pieces(owner) for b in self.linked(a) if self.vacant(b[0])}

    def voyages(self, owner: int, terrain: str) -> set[Area]:
        """Where a viking may go by Travel (ocean) or Horse (mountain): chains of 1 to 3 hexes (FJ-207 to FJ-212)."""
        found: set[Area] = set()

        def go(area: Area, length: int) -> None:
            if length and self.vacant(area[0]):
                found.update(self.plains(area[0]))
            if length < 3:
                for onward in self.linked(area):
                    go(onward, length + 1)

        for cell, _ in self.pieces(owner):
            for sides in self.hexes[cell].showing(terrain):
                go((cell, sides), 0)
        return found

    def facing(self, cell: Cell) -> list[Area]:
        """The plain areas that turn an edge to an empty cell."""
        found = []
        for side, other in enumerate(around(cell)):
            if other in self.hexes and self.hexes[other].edges[(side + 3) % 6] == PLAIN:
                found.append((other, self.hexes[other].area_at((side + 3) % 6)))
        return found

    def insights(self, owner: int) -> set[tuple[Cell, Area]]:
        """The empty cells for a Wisdom rune, each with where the viking may go (FJ-220 to FJ-222, FJ-224)."""
        own = set(self.pieces(owner))
        found = set()
        for cell in self.frontier():
            if cell in self.runes or sum(n in self.hexes for n in around(cell)) < 2:
                continue
            facing = self.facing(cell)
            if any(area in own for area in facing):
                found |= {(cell, area) for area in facing if self.vacant(area[0])}
        return found

    # ----------------------------------------------------------------------------------------------- scoring

    def reach(self, owner: int, closed: Iterable[Cell] = ()) -> set[Cell]:
        """The vacant hexes that a player could take with vikings without end, some hexes being closed (FJ-253)."""
        shut = set(closed)
        ways: dict[Cell, set[Sides]] = {}
        seen, todo = set(), self.pieces(owner)
        while todo:
            for area in self.linked(todo.pop()):
                if area not in seen and self.vacant(area[0]) and area[0] not in shut:
                    seen.add(area)
                    todo.append(area)
                    ways.setdefault(area[0], set()).add(area[1])
        if all(len(sides) == 1 for sides in ways.values()):
            return set(ways)
        return self._reach_step_by_step(owner, shut)

    def _reach_step_by_step(self, owner: int, shut: set[Cell]) -> set[Cell]:
        """The same where a hex could be entered on two of its areas: a viking stands only on one of them."""
        found: set[Cell] = set()

        def go(area: Area, way: tuple[Cell, ...]) -> None:
            for onward in self.linked(area):
                cell = onward[0]
                if self.vacant(cell) and cell not in shut and cell not in way:
                    found.add(cell)
                    go(onward, (*way, cell))

        for area in self.pieces(owner):
            go(area, ())
        return found

    def extra(self, owner: int) -> set[Cell]:
        """The hexes only this player could still have taken, if he has no viking left (FJ-252, FJ-253)."""
        if self.placed_vikings(owner) < self.vikings_each:
            return set()
        others = [self.reach(other) for other in range(self.players) if other != owner]
        return self.reach(owner, set().union(*others))

    def placed_vikings(self, owner: int) -> int:
        return sum(whose == owner for whose, _ in self.vikings.values())

    def vikings_beside(self, owner: int, cell: Cell) -> int:
        return sum(n in self.vikings and self.vikings[n][0] == owner for n in around(cell))

    def runes_of(self, kind: str) -> list[Cell]:
        return [cell for cell, rune in self.runes.items() if rune == kind]

    def _swimmers(self, owner: int) -> int:
        """Vikings on hexes that touch the sea of the Water rune (FJ-186 to FJ-190)."""
        seas = [{c for c, _ in sea} for sea in self.regions(OCEAN) if {c for c, _ in sea} & set(self.runes_of("water"))]
        near = set().union(*seas)
        return sum(whose == owner and cell in near for cell, (whose, _) in self.vikings.items())

    def _friends(self, owner: int) -> int:
        """2 for each Friendship hex around which nobody has more vikings (FJ-198 to FJ-203)."""
        points = 0
        for cell in self.runes_of("friendship"):
            counts = [self.vikings_beside(seat, cell) for seat in range(self.players)]
            points += 2 * (counts[owner] > 0 and counts[owner] == max(counts))
        return points

    def score(self, owner: int) -> dict[str, int]:
        """The rows of the final count (FJ-251 to FJ-255)."""
        rows = {"vikings": self.placed_vikings(owner), "extra": len(self.extra(owner))}
        if "strength" in self.modules:
            rows["strength"] = sum(self.vikings_beside(owner, cell) for cell in self.runes_of("strength"))
        if "water" in self.modules:
            rows["water"] = self._swimmers(owner)
        if "friendship" in self.modules:
            rows["friendship"] = self._friends(owner)
        if "home" in self.modules:
            rows["home"] = sum(self.vikings_beside(owner, c) for c, whose in self.homes.items() if whose == owner)
        return rows


# --------------------------------------------------------------------------------- decisions of exploration


def row_check(land: Land, row: Sequence[str], sack: Sequence[str]) -> str:
    """What happens at the start of a turn: `play`, `swap` (FJ-077) or `end` (FJ-080, FJ-081, FJ-084)."""
    if any(land.placeable(name) for name in set(row)):
        return "play"
    return "swap" if any(land.placeable(name) for name in set(sack)) else "end"


def ranking(totals: Sequence[int], starter: int) -> list[int]:
    """The seats from the first place down; of equals the later one of the settlement phase is ahead (FJ-256)."""
    count = len(totals)
    return sorted(range(count), key=lambda seat: (totals[seat], (seat - starter) % count), reverse=True)


def match_winner(games: Sequence[tuple[int, int]], won: Sequence[int]) -> int:
    """Original: the higher sum, else the winner of two of the three games (FJ-153, FJ-154)."""
    sums = [sum(game[seat] for game in games) for seat in (0, 1)]
    if sums[0] != sums[1]:
        return int(sums[1] > sums[0])
    return Counter(won).most_common(1)[0][0]


# -------------------------------------------------------------------------------------------- random plays


@cache
def turns_that_suit(name: str, pattern: str) -> tuple[int, ...]:
    return tuple(turn for turn in range(6) if suits(name, turn, pattern))


@dataclass
class Explored:
    """What came of one exploration phase."""

    land: Land
    stuck: int  # rows swapped because nothing in them could be laid
    unplaced: list[str]


class Shore:
    """A play area whose frontier knows its patterns, for thousands of random plays."""

    def __init__(self) -> None:
        self.land = Land()
        self.patterns: dict[Cell, list[str]] = {}
        for cell, hexagon in self.land.hexes.items():
            self._show(cell, hexagon)

    def _show(self, cell: Cell, hexagon: Shown) -> None:
        for side, other in enumerate(around(cell)):
            if other not in self.land.hexes:
                self.patterns.setdefault(other, ["."] * 6)[(side + 3) % 6] = hexagon.edges[side]

    def lay(self, name: str, cell: Cell, turn: int) -> None:
        self.land.lay(name, cell, turn)
        self.patterns.pop(cell)
        self._show(cell, self.land.hexes[cell])

    def placements(self, name: str) -> list[tuple[str, Cell, int]]:
        return [
            (name, cell, turn)
            for cell, pattern in self.patterns.items()
            for turn in turns_that_suit(name, "".join(pattern))
        ]


def explore(rng: random.Random, players: int, hex_first: bool = False) -> Explored:
    """A random exploration phase: each turn one of all whole placements of the row, all equally likely.

    With `hex_first` one of the hexes that can be laid is drawn first, and then one of its placements.
    """
    shore, sack = Shore(), bag(players)
    rng.shuffle(sack)
    row = [sack.pop() for _ in range(4)]
    stuck = 0
    while row:
        ways = [(number, *way) for number, name in enumerate(row) for way in shore.placements(name)]
        if not ways:
            if not any(shore.placements(name) for name in set(sack)):
                break
            stuck += 1
            sack += row
            rng.shuffle(sack)
            row = [sack.pop() for _ in range(min(4, len(sack)))]
            continue
        if hex_first:
            chosen = rng.choice(sorted({number for number, *_ in ways}))
            ways = [way for way in ways if way[0] == chosen]
        number, name, cell, turn = rng.choice(ways)
        shore.lay(name, cell, turn)
        row.pop(number)
        if sack:
            row.append(sack.pop())
    return Explored(shore.land, stuck, row + sack)


def measures(done: Explored) -> dict[str, float]:
    """What the rules document counts of an exploration phase."""
    regions = [{cell for cell, _ in region} for region in done.land.regions(PLAIN)]
    return {
        "stuck rows": done.stuck,
        "hexes unplaced": len(done.unplaced),
        "any unplaced": bool(done.unplaced),
        "hexes with plain": sum(PLAIN in hexagon.edges for hexagon in done.land.hexes.values()),
        "plain regions": len(regions),
        "largest region": max(map(len, regions)),
        "peak laid": "peak" not in done.unplaced,
    }
