"""Serpent once more, in plain Python: an oracle written from the rules, which shares nothing with the engine.

The map is the drawing of the rules, not the table of the game; the cards are written down here a second time. Numbers
such as SE-101 are those of games/serpent/rules.md. A cell is its row and column; odd rows lie half a cell to the right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Cell = tuple[int, int]

# Land and content of each cell, row by row; `--` is no cell, `[…]` a place (SE-047, SE-054).
MAP = """
--   M.   We   M.   P.   P.   M.   --   Fh   Fe   Fb   Me   --
Me   Wa   Pb   Me   [Ze] Fc   Ma   F.   Wy   [Go] M.   Mh   M.
M.   [Di] F.   Pc   Wo   F.   W.   [Kh] P.   W.   P.   Po   Fe
P.   Fb   Me   W.   Fb   Pe   Wb   P.   W.   M.   Mb   [To] F.
--   Pe   M.   W.   [Af] F.   Py   F.   Pa   [So] We   W.   --
W.   [Re] M.   Ph   M.   M.   F.   We   Wb   F.   Fy   Pe   Pb
W.   We   F.   P.   Mo   Fe   [Bi] Mc   M.   P.   P.   [Ko] F.
Mb   Fo   Wb   [Be] Fa   P.   Wh   W.   [Gk] Fe   Mb   Wc   W.
--   My   F.   W.   --   P.   P.   Pe   Pb   --   F.   W.   --
"""
REALMS = """
- 1 1 1 1 1 1 - 1 1 1 2 -
4 4 1 1 1 1 1 1 1 1 1 2 2
4 4 4 4 1 1 1 1 1 1 2 2 2
4 4 4 4 4 1 1 1 2 2 2 2 2
- 4 4 4 4 4 4 2 2 2 2 2 -
4 4 4 4 3 3 3 3 2 2 2 2 2
4 4 4 4 3 3 3 3 2 3 2 2 2
4 4 3 3 3 3 3 3 3 3 3 2 2
- 3 3 3 - 3 3 3 3 - 3 3 -
"""
LANDS = {"F": "forest", "P": "field", "W": "water", "M": "mountain"}
AMULETS = {"c": "cross", "h": "horse", "o": "endless_ring", "y": "yaga_ring", "a": "axe"}
CONTENTS = {".": "nothing", "e": "equipment", "b": "battle", **AMULETS}
SEASONS = ("forest", "field", "water", "mountain")
# The cards round the board, clockwise: sign on the map, name, sort (SE-004 to SE-006).
PLACES = {
    "Ze": ("zelenov", "city"),
    "Kh": ("kholmovka", "outpost"),
    "Go": ("goryuch_gora", "wild"),
    "To": ("toreschin", "city"),
    "So": ("sotovka", "outpost"),
    "Ko": ("kostyanoy_les", "wild"),
    "Gk": ("gorsk", "city"),
    "Bi": ("bilibinka", "outpost"),
    "Be": ("bel_kamen", "wild"),
    "Re": ("retivin", "city"),
    "Af": ("afanasyevka", "outpost"),
    "Di": ("dikoe_rasputye", "wild"),
}
RING = [name for name, _ in PLACES.values()]
SORT = dict(PLACES.values())

LAND: dict[Cell, str] = {}
CONTENT: dict[Cell, str] = {}
PLACE: dict[Cell, str] = {}
REALM: dict[Cell, str] = {}
for _row, (_signs, _realms) in enumerate(zip(MAP.strip().splitlines(), REALMS.strip().splitlines(), strict=True)):
    for _column, (_sign, _realm) in enumerate(zip(_signs.split(), _realms.split(), strict=True)):
        if _sign == "--":
            continue
        REALM[_row, _column] = _realm
        if _sign.startswith("["):
            PLACE[_row, _column] = PLACES[_sign.strip("[]")][0]
        else:
            LAND[_row, _column], CONTENT[_row, _column] = LANDS[_sign[0]], CONTENTS[_sign[1]]
CELL_OF = {name: cell for cell, name in PLACE.items()}


def name_of(cell: Cell) -> str:
    return f"{'abcdefghijklm'[cell[1]]}{cell[0]}"


def cell_of(name: str) -> Cell:
    return int(name[1:]), "abcdefghijklm".index(name[0])


# ----------------------------------------------------------------------------------------------- the map

DIRECTIONS = ("e", "se", "sw", "w", "nw", "ne")


def beyond(cell: Cell, direction: str) -> Cell:
    """The position across a side, on the board or not (SE-053)."""
    row, column = cell
    if direction in ("e", "w"):
        return row, column + (1 if direction == "e" else -1)
    down = 1 if direction[0] == "s" else -1
    right = row % 2 if direction[1] == "e" else row % 2 - 1
    return row + down, column + right


def neighbours(cell: Cell) -> set[Cell]:
    return {there for d in DIRECTIONS if (there := beyond(cell, d)) in REALM}


def is_edge(cell: Cell) -> bool:
    """SE-052: at least one side on the border, notches included."""
    return len(neighbours(cell)) < 6


def jumps(cell: Cell) -> set[Cell]:
    """SE-099 to SE-101: two steps away, over a cell of the board that touches both."""
    near = neighbours(cell)
    return {far for middle in near for far in neighbours(middle)} - near - {cell}


def flight(cell: Cell, direction: str) -> list[Cell]:
    """SE-103 to SE-109: all cells in a straight line; the last is where one lands."""
    way = []
    while (cell := beyond(cell, direction)) in REALM:
        way.append(cell)
    return way


EDGES = frozenset(cell for cell in REALM if is_edge(cell))
STARTS = frozenset(cell for cell in EDGES if CONTENT.get(cell) == "nothing")

# --------------------------------------------------------------------------------------------- characters

KITS = {
    "alyonushka": {"cross": 1, "yaga_ring": 1},
    "nesmeyana": {"axe": 1, "cross": 2},
    "finist": {"horse": 2, "equipment": 1},
    "varvara": {"endless_ring": 1, "yaga_ring": 1},
    "alyosha": {"horse": 1, "axe": 1},
    "vasilisa": {"equipment": 1, "endless_ring": 1},
    "dobrynya": {"equipment": 1, "horse": 1},
    "elena": {"endless_ring": 2, "equipment": 1},
}
GUARDED = {"finist": "wild", "alyosha": "outpost", "dobrynya": "city"}  # SE-128, SE-130, SE-134


@dataclass
class Sheet:
    """The personal sheet of one player: all that is written on it in pencil."""

    hero: str
    cell: Cell
    items: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)
    visited: set[Cell] = field(default_factory=set)
    flown: int = 0
    jumped: int = 0
    markers: dict[str, str] = field(default_factory=dict)  # by place, the box
    dice_used: set[int] = field(default_factory=set)
    ability_used: bool = False
    stopped: bool = False

    def spend(self, item: str, count: int = 1) -> None:
        assert self.items[item] >= count, f"{count} of {item}"
        self.items[item] -= count
        self.spent[item] += count

    def new_round(self) -> None:
        self.dice_used, self.ability_used, self.stopped = set(), False, False

    # ------------------------------------------------------------------------------------------- moves

    def moves(self, dice: Mapping[int, str], season: str) -> Iterator[tuple[str, object, Cell]]:
        """Every move that is legal now: by what means, which die or direction, and where it ends."""
        if self.stopped:
            return
        near = neighbours(self.cell)
        for number, face in dice.items():
            if number not in self.dice_used:
                yield from (("die", number, to) for to in near if shows(face, to, season))
        if self.items["cross"]:
            rolled = set(dice.values()) & set(SEASONS)  # SE-093: faces without a colour of their own are ignored
            yield from (("cross", None, to) for to in near if LAND.get(to) not in rolled)
        if self.items["endless_ring"]:
            yield from (("endless_ring", None, to) for to in near if any(shows(f, to, season) for f in dice.values()))
        if self.items["horse"]:
            yield from (("horse", None, to) for to in jumps(self.cell))
        if self.items["yaga_ring"]:
            for direction in DIRECTIONS:
                if way := flight(self.cell, direction):
                    yield "yaga_ring", direction, way[-1]
        if not self.ability_used:
            yield from (("ability", None, to) for to in near if self.may_enter(to, season))

    def may_enter(self, to: Cell, season: str) -> bool:
        """Whether the ability of the character leads to a neighbouring cell (SE-125 to SE-138)."""
        content = CONTENT.get(to)
        if self.hero in GUARDED:
            beside = {SORT[PLACE[n]] for n in neighbours(to) if n in PLACE}
            return content == "nothing" and GUARDED[self.hero] in beside
        match self.hero:
            case "alyonushka":
                return content == "nothing" and to in EDGES
            case "nesmeyana":
                return to in self.visited
            case "varvara":
                return content in ("equipment", "battle") and to not in self.visited
            case "vasilisa":
                return content in AMULETS.values() and content is not None and not self.items[content]
            case "elena":
                return to in PLACE or LAND[to] == season
        raise ValueError(self.hero)

    def go(self, means: str, which: object, to: Cell) -> None:
        """Makes one move."""
        if means == "die":
            assert isinstance(which, int)
            self.dice_used.add(which)
        elif means == "ability":
            self.ability_used = True
        else:
            self.spend(means)
        if means == "horse":
            self.jumped += 1
        if means == "yaga_ring":
            self.flown += len(flight(self.cell, str(which))) - 1
        self.cell = to
        if to in self.visited:
            return
        self.visited.add(to)
        if to in PLACE:
            self.stopped = True
        elif CONTENT[to] in ITEMS:
            self.items[CONTENT[to]] += 1

    # ------------------------------------------------------------------------------------------- counts

    def cells(self, realm: str | None = None) -> list[Cell]:
        return [cell for cell in self.visited if realm in (None, REALM[cell])]

    def empty(self, lands: Iterable[str], realm: str | None = None) -> int:
        wanted = set(lands)
        return sum(CONTENT.get(cell) == "nothing" and LAND[cell] in wanted for cell in self.cells(realm))

    def printed(self, contents: Iterable[str], realm: str | None = None) -> int:
        wanted = set(contents)
        return sum(CONTENT.get(cell) in wanted for cell in self.cells(realm))

    def metric(self, words: str, realm: str) -> int:
        """What a card counts; `here` behind it means the realm of the card (SE-243 to SE-257)."""
        what, *rest = words.split()
        where = realm if rest and rest[-1] == "here" else None
        kinds = rest[:-1] if where else rest
        amulets = list(AMULETS.values())
        match what:
            case "empty":
                return self.empty(kinds, where)
            case "content":
                return self.printed(amulets if kinds == ["amulet"] else kinds, where)
            case "edge":
                return len(self.visited & EDGES)
            case "cells":
                return len(self.cells(where))
            case "places":
                return sum(SORT[PLACE[cell]] in kinds for cell in self.visited if cell in PLACE)
            case "flown":
                return self.flown
            case "jumped":
                return self.jumped
            case "unspent":
                return sum(self.items[kind] for kind in kinds)
            case "spent":
                return sum(self.spent[kind] for kind in kinds)
            case "kinds":
                return sum(self.items[kind] > 0 for kind in amulets)
            case "pairs":
                return sum(self.printed([kind]) >= 2 for kind in amulets)
            case "lands":
                return sum(self.empty([land], where) > 0 for land in SEASONS)
            case "fights":
                return sum(box in FIGHTS for box in self.markers.values())
            case "realms":
                return len({REALM[CELL_OF[place]] for place in self.markers})
        raise ValueError(words)


ITEMS = (*AMULETS.values(), "equipment")


def shows(face: str, to: Cell, season: str) -> bool:
    """Whether a face leads to a cell (SE-067, SE-080 to SE-082)."""
    return to in PLACE or face == "any_path" or LAND[to] == (season if face == "season" else face)


def season_of(round_number: int) -> str:
    return SEASONS[(round_number - 1) // 2]


# ------------------------------------------------------------------------------------------------- cards

BOXES = {
    "city": ("treasury", "arsenal", "quest"),
    "outpost": ("store", "commission"),
    "wild": ("upper_left", "upper_right", "lower_left", "lower_right"),
}
FIGHTS = ("upper_right", "lower_left", "lower_right")
FOUR_SLOTS = {"quest", "commission", "upper_left", "lower_left"}
PRICED = {"quest", "commission"}
_SHORT = {**AMULETS, "e": "equipment", "?": "any_amulet"}

# City cards: treasury, arsenal, base, points, for every so many, at most (0: no limit), of what (SE-258 to SE-275).
CITIES = """
01 yh ee 2 1 1 0 spent yaga_ring
02 co ee 1 1 1 0 unspent equipment
03 ch ee 0 2 1 0 unspent cross horse
04 oh ee 0 1 2 0 empty forest field
05 ac ee 0 1 2 0 empty water mountain
06 ah eee 0 1 1 0 content battle
07 oo ee 0 2 1 0 fights
08 cy ee 0 1 2 8 edge
09 hh ee 0 2 1 0 realms
10 oy ee 1 1 2 0 cells here
11 ao eee 1 2 1 0 content battle here
12 cc ee 2 1 2 0 spent cross endless_ring
13 ha ee 1 1 1 0 spent horse axe
14 ya e? 1 2 1 0 kinds
15 ca ee 0 2 1 0 places outpost
16 ?? ee 0 2 1 0 places city
17 ho eee 1 1 1 0 spent equipment
18 cy ee 1 1 1 0 content amulet here
"""
# Outpost cards: store, reward, penalty, at least so many, of what (SE-276 to SE-293).
OUTPOSTS = """
01 ye 6 3 10 flown
02 ce 5 2 2 pairs
03 ho 6 3 13 edge
04 he 5 2 4 empty forest
05 oe 5 2 4 empty field
06 ca 5 2 4 empty water
07 ch 5 2 4 empty mountain
08 ee 6 3 5 content battle
09 ae 5 2 2 content battle here
10 co 6 3 5 content equipment
11 hy 6 3 4 realms
12 oa 5 2 9 cells here
13 ee 6 3 5 unspent equipment
14 hh 6 3 5 jumped
15 aa 7 3 3 fights
16 ?e 5 2 5 spent cross endless_ring
17 ?? 5 2 4 lands here
18 cy 6 3 3 places city
"""
# Wild places: upper left; upper right: need, fame, item; lower left: need, fame; lower right: need, spend, fame
# (SE-294 to SE-311).
WILD = """
01 e 3 4 h 5 6 4 2 7
02 c 2 3 e 4 5 5 2 8
03 oh 2 3 c 4 5 3 1 6
04 he 3 4 o 5 6 5 2 8
05 ca 3 4 a 6 7 5 3 9
06 ? 4 5 y 6 7 6 2 9
07 oo 3 4 c 5 6 4 2 8
08 y 2 3 y 4 5 4 2 7
09 co 3 4 ? 5 6 6 2 9
10 e 2 3 h 4 5 3 1 6
11 hh 2 3 a 4 5 4 1 6
12 eo 3 4 h 5 6 5 2 8
13 ae 4 5 e 6 7 6 3 10
14 ec 4 5 a 7 8 6 3 10
15 hc 4 5 e 6 7 5 3 9
16 ye 4 5 c 7 8 7 2 10
17 ?e 3 4 y 6 7 5 2 8
18 a 4 5 ? 7 8 8 3 12
"""


@dataclass(frozen=True)
class Card:
    """A card of a place: what its boxes give at once, need, spend, and are worth at the end."""

    name: str
    sort: str
    gains: Mapping[str, Counter[str]]
    need: Mapping[str, int] = field(default_factory=dict)
    spend: Mapping[str, int] = field(default_factory=dict)
    fame: Mapping[str, int] = field(default_factory=dict)
    counts: tuple[int, ...] = ()
    metric: str = ""

    def worth(self, box: str, sheet: Sheet, place: str) -> int:
        """The fame of a marker at the end."""
        if box == "quest":
            base, points, every, most = self.counts
            earned = base + points * (sheet.metric(self.metric, REALM[CELL_OF[place]]) // every)
            return min(earned, most) if most else earned
        if box == "commission":
            reward, penalty, least = self.counts
            return reward if sheet.metric(self.metric, REALM[CELL_OF[place]]) >= least else -penalty
        return self.fame.get(box, 0)


def _items(signs: str) -> Counter[str]:
    return Counter(_SHORT[sign] for sign in signs)


def _cards() -> Iterator[Card]:
    for line in CITIES.strip().splitlines():
        number, treasury, arsenal, *rest = line.split()
        gains = {"treasury": _items(treasury), "arsenal": _items(arsenal)}
        counts = tuple(map(int, rest[:4]))
        yield Card(f"city_{number}", "city", gains, counts=counts, metric=" ".join(rest[4:]))
    for line in OUTPOSTS.strip().splitlines():
        number, store, *rest = line.split()
        counts = tuple(map(int, rest[:3]))
        yield Card(f"outpost_{number}", "outpost", {"store": _items(store)}, counts=counts, metric=" ".join(rest[3:]))
    for line in WILD.strip().splitlines():
        number, left, need, fame, right, *rest = line.split()
        low_need, low_fame, last_need, last_spend, last_fame = map(int, rest)
        yield Card(
            f"wild_{number}",
            "wild",
            {"upper_left": _items(left), "upper_right": _items(right)},
            {"upper_right": int(need), "lower_left": low_need, "lower_right": last_need},
            {"lower_right": last_spend},
            {"upper_right": int(fame), "lower_left": low_fame, "lower_right": last_fame},
        )


CARDS = {card.name: card for card in _cards()}


@dataclass
class Place:
    """A place with its card and the markers on it, by who put them there."""

    name: str
    card: Card
    markers: dict[object, str] = field(default_factory=dict)

    def taken(self, box: str) -> int:
        return sum(own == box for own in self.markers.values())

    def has_room(self, box: str) -> bool:
        return self.taken(box) < (4 if box in FOUR_SLOTS else 1)

    def price(self, box: str) -> int:
        """SE-147, SE-148."""
        return int(box in PRICED and self.taken(box) > 0)

    def boxes(self, sheet: Sheet) -> set[str]:
        """The boxes in which a marker may be put (SE-145 to SE-155, SE-175 to SE-185)."""
        amulets = sum(sheet.items[kind] for kind in AMULETS.values())
        equipment, axes = sheet.items["equipment"], sheet.items["axe"]
        return {
            box
            for box in BOXES[self.card.sort]
            if self.has_room(box)
            and self.price(box) <= amulets
            and self.card.need.get(box, 0) <= equipment + 2 * axes
            and self.card.spend.get(box, 0) <= equipment
        }

    def axes(self, box: str, sheet: Sheet) -> list[int]:
        """How many Axes may be crossed out for a fight (SE-118)."""
        need, equipment = self.card.need.get(box, 0), sheet.items["equipment"]
        if need <= equipment:
            return [0]
        return [n for n in range(1, sheet.items["axe"] + 1) if equipment + 2 * n >= need]

    def rivals_box(self) -> str:
        """SE-206 to SE-211."""
        if self.card.sort != "wild":
            return "quest" if self.card.sort == "city" else "commission"
        return max((box for box in FIGHTS if self.has_room(box)), key=lambda box: self.card.fame[box])


RIVAL_STEPS = {"horse": 1, "axe": 2, "endless_ring": 3, "yaga_ring": 4, "cross": 5}  # SE-202
RIVAL_STARTS = {  # SE-195, SE-196
    "horse": "zelenov",
    "axe": "toreschin",
    "endless_ring": "retivin",
    "yaga_ring": "gorsk",
    "cross": "bilibinka",
}


def rival_goes(start: str, amulet: str, marked: Iterable[str]) -> str:
    """SE-201 to SE-204: so many steps clockwise, then on to a card without a marker of the rival."""
    at, known = RING.index(start) + RIVAL_STEPS[amulet], set(marked)
    while RING[at % len(RING)] in known:
        at += 1
    return RING[at % len(RING)]


def rows(sheet: Sheet, cards: Mapping[str, Card]) -> dict[str, int]:
    """The six rows of the count (SE-226 to SE-231); `cards` are the cards of the places."""
    found = {"cities": 0, "outposts": 0, "wild_places": 0}
    row = {"city": "cities", "outpost": "outposts", "wild": "wild_places"}
    for place, box in sheet.markers.items():
        found[row[SORT[place]]] += cards[place].worth(box, sheet, place)
    battles, left = sheet.printed(["battle"]), sheet.items["axe"] + sheet.items["yaga_ring"]
    return found | {"battles": 2 * battles, "amulets_left": left, "scenario": 0}


def rank(total: int) -> str:
    """SE-220."""
    names = ["bumpkin", "rank-and-file fighter", "seasoned warrior", "glorious knight", "hero of legend"]
    return names[sum(total > most for most in (30, 40, 50, 60))]


def winners(totals: list[int], equipment: list[int]) -> set[int]:
    """SE-237 to SE-239."""
    best = max(zip(totals, equipment, strict=True))
    return {seat for seat, both in enumerate(zip(totals, equipment, strict=True)) if both == best}
