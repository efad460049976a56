"""Outpost once more, written from its rules (games/outpost/rules.md) and sharing nothing with the engine.

A `Table` is a play. Its `course` asks what players decide: each `Asked` holds what may be answered, in the words that
players read, and is sent the answer. What chance brings, the piles and the first player, is given to it.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

Bag = tuple[int, int, int, int, int]
SORTS = ("clay", "wood", "stone", "diamond", "gold")
BASIC = range(3)
DIAMOND, GOLD = 3, 4
NOTHING: Bag = (0, 0, 0, 0, 0)
BEASTS = {  # by colour: what they are called, how many settlers hunt them, what they bring
    "green": ("Forest gnolls", 1, (0, 0, 0, 1, 0)),
    "yellow": ("Steppe manticores", 2, (0, 0, 0, 0, 1)),
    "blue": ("Water hydras", 3, (0, 0, 0, 0, 2)),
    "red": ("Cave dragons", 4, (0, 0, 0, 1, 2)),
}
COSTS = {
    "sawmill": "stone", "clay_pit": "wood", "quarry": "clay", "storehouse": "diamond", "trading_post": "diamond",
    "diamond_mine": "gold", "bazaar": "diamond", "alchemist": "stone", "jeweller": "gold", "tavern": "gold",
    "bank": "clay", "cathedral": "wood",
}  # fmt: skip
TITLES = {name: name.replace("_", " ").capitalize() for name in COSTS} | {
    "alchemist": "Alchemist's workshop",
    "jeweller": "Jeweller's shop",
}
GAINS = {"sawmill": "wood", "clay_pit": "clay", "quarry": "stone", "diamond_mine": "diamond"}
STREETS = {1: "bottom", 2: "middle", 3: "top"}
REGIONS = {1: "I", 2: "II", 3: "III"}
CELLS = [f"{column}{row}" for row in (1, 2, 3) for column in "abc"]


def bag(**counts: int) -> Bag:
    return tuple(counts.get(sort, 0) for sort in SORTS)  # type: ignore[return-value]


def plus(a: Bag, b: Bag, sign: int = 1) -> Bag:
    return tuple(x + sign * y for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


def covers(a: Bag, b: Bag) -> bool:
    return all(x >= y for x, y in zip(a, b, strict=True))


SEVERAL = ("diamond", "basic settler", "additional settler")  # those of which several are called otherwise


def said(amounts: Bag | dict[str, int], names: Iterable[str] = SORTS) -> str:
    """`1 clay, 2 gold`, as it stands in labels."""
    counts = amounts.values() if isinstance(amounts, dict) else amounts
    return ", ".join(
        f"{n} {name}{'s' * (n > 1 and name in SEVERAL)}" for name, n in zip(names, counts, strict=True) if n
    )


def baskets(n: int) -> Iterator[Bag]:
    """All ways to have n basic resources."""
    for sorts in combinations_with_replacement(range(3), n):
        count = Counter(sorts)
        yield (count[0], count[1], count[2], 0, 0)


@cache
def rates(swaps: bool) -> tuple[tuple[Bag, Bag], ...]:
    """What may be exchanged for what (OP-055 to OP-058, OP-223); never a resource for itself alone."""
    found = [(give, get) for give in baskets(2) for get in baskets(1) if not covers(give, get)]
    found += [(give, get) for give in baskets(2) for get in baskets(1) if covers(give, get)]
    found += [((1, 1, 1, 0, 0), bag(diamond=1)), (bag(diamond=2), bag(gold=1))]
    found += [(bag(gold=1), get) for get in baskets(1)]
    if swaps:
        found += [(give, get) for give in baskets(1) for get in baskets(1) if give != get]
    return tuple(found)


@cache
def reachable(have: Bag, all_of: Bag, swaps: bool) -> frozenset[Bag]:
    """All that some series of exchanges leads to, if `all_of` is what player and supply have together (OP-064)."""
    seen, todo = {have}, [have]
    while todo:
        held = todo.pop()
        for give, get in rates(swaps):
            if covers(held, give):
                then = plus(plus(held, give, -1), get)
                if covers(all_of, then) and then not in seen:
                    seen.add(then)
                    todo.append(then)
    return frozenset(seen)


@dataclass
class Asked:
    """A question: to whom, and what may be answered. If `some`, what is offered must be among it and not nothing."""

    who: int
    options: set[str]
    some: bool = False


@dataclass
class Hero:
    guild: str
    points: int
    settlers: int
    colour: str
    cost: Bag
    title: str


@dataclass
class Plot:
    resource: str
    colour: str
    beast: bool = False
    fort: bool = False
    posted: list[int] = field(default_factory=lambda: [0, 0])  # basic and additional settlers


@dataclass
class Player:
    goods: Bag = (1, 1, 1, 0, 0)
    people: list[int] = field(default_factory=lambda: [6, 0])
    lands: dict[str, Plot] = field(default_factory=dict)
    town: dict[str, str] = field(default_factory=dict)
    vaults: Counter[str] = field(default_factory=Counter)
    zones: dict[str, list[int]] = field(default_factory=dict)
    guests: list[Hero] = field(default_factory=list)
    artifact: str = ""
    passed: bool = False

    def workers(self) -> int:
        return sum(self.people)

    def score(self) -> int:
        per = {
            "traveller": len(self.lands),
            "guard": sum(plot.fort for plot in self.lands.values()),
            "builder": len(self.town),
        }
        heroes = sum(per.get(hero.guild, hero.points) for hero in self.guests)
        stored = {"bank": 5, "cathedral": 4}
        return heroes + sum(stored[self.town[cell].rpartition("_")[0]] * n for cell, n in self.vaults.items())


Course = Generator[Asked, str, None]


def tables(folder: Path) -> tuple[dict[str, Hero], dict[str, tuple[str, str]]]:
    """The heroes and the territories."""

    def price(text: str) -> Bag:
        return bag(**{sort: int(n) for n, sort in (part.split() for part in text.split(";"))})

    heroes = {}
    for row in csv.DictReader((folder / "heroes.csv").open(encoding="utf-8")):
        title = f"{row['guild']} {row['number']}"
        points = int(row["points"] or 0)
        heroes[row["name"]] = Hero(row["guild"], points, int(row["settlers"]), row["color"], price(row["cost"]), title)
    lands = {
        row["name"]: (row["resource"], row["color"])
        for row in csv.DictReader((folder / "territories.csv").open(encoding="utf-8"))
    }
    return heroes, lands


class Table:
    def __init__(self, players: int, leader: int, piles: dict[str, list[str]], folder: Path) -> None:
        """The piles have what comes first at their ends, as they lie once all is set up but the artifacts taken."""
        self.heroes, self.territories = tables(folder)
        self.players = [Player() for _ in range(players)]
        self.leader, self.piles, self.round = leader, piles, 1
        self.supply: Bag = (16 - players, 16 - players, 16 - players, 42, 32)
        self.extra = 24
        self.row: list[str | None] = [None, *piles["row"]]  # by slot, from 1
        self.market: dict[int, list[str]] = {n: [name] for n, name in enumerate(piles["market"], 1)}
        self.artifacts = list(piles["artifacts"])

    # ------------------------------------------------------------------------------------------- the game

    def course(self) -> Course:
        count = len(self.players)
        for i in range(count):
            yield from self.take_artifact((self.leader - 1 - i) % count)
        for self.round in range(1, 7):
            yield from self.one_round()
            if self.round < 6:
                self.end_of_round()
        for i in range(count):
            yield from self.last_exchanges((self.leader + i) % count)

    def one_round(self) -> Course:
        self.first: int | None = None
        for player in self.players:
            player.passed = False
        at = self.leader
        while not all(player.passed for player in self.players):
            if not self.players[at].passed:
                yield from self.turn(at)
            at = (at + 1) % len(self.players)

    def end_of_round(self) -> None:
        assert self.first is not None
        self.leader = self.first
        self.row[4] = None
        self.close_row()
        for slot in sorted(self.market):
            for other in sorted(self.market):
                if other < slot and self.kind(self.market[other][0]) == self.kind(self.market[slot][0]):
                    self.market[other] += self.market.pop(slot)
                    break
        self.refill_market()

    def close_row(self) -> None:
        cards = [card for card in self.row[1:] if card is not None]
        while len(cards) < 4 and self.piles["heroes"]:
            cards.insert(0, self.piles["heroes"].pop())
        self.row = [None] * (5 - len(cards)) + cards

    def refill_market(self) -> None:
        for slot in range(1, 10):
            if slot not in self.market and self.piles["buildings"]:
                self.market[slot] = [self.piles["buildings"].pop()]

    @staticmethod
    def kind(tile: str) -> str:
        return tile.rpartition("_")[0]

    def turn(self, who: int) -> Course:
        me, acted, invited = self.players[who], False, False
        while True:
            deeds: dict[str, Callable[[], Course]] = {} if acted else dict(self.deeds(who))
            heroes = {} if invited else dict(self.invitations(who))
            options = {*deeds, *heroes, "pass for this round"}
            if acted or invited:
                options.add("end the turn")
            answer = yield Asked(who, options)
            if answer == "end the turn":
                return
            if answer == "pass for this round":
                yield from self.leave(who)
                return
            if answer in deeds:
                acted = True
                yield from deeds[answer]()
            else:
                invited = True
                yield from heroes[answer]()
            assert covers(me.goods, NOTHING)

    # ------------------------------------------------------------------------------------------- resources

    def payable(self, who: int, price: Bag, swaps: bool | None = None, only_basic: bool = False) -> bool:
        me = self.players[who]
        swaps = me.artifact == "scales" if swaps is None else swaps
        if only_basic:
            return any(covers(held, price) for held in self.of_basics(me, swaps))
        return any(covers(held, price) for held in reachable(me.goods, plus(me.goods, self.supply), swaps))

    def of_basics(self, me: Player, swaps: bool) -> Iterator[Bag]:
        """What exchanges of basic resources alone lead to."""
        seen, todo, all_of = {me.goods}, [me.goods], plus(me.goods, self.supply)
        while todo:
            held = todo.pop()
            yield held
            for give, get in rates(swaps):
                if covers(held, give) and any(get[:3]) and any(give[:3]):
                    then = plus(plus(held, give, -1), get)
                    if covers(all_of, then) and then not in seen:
                        seen.add(then)
                        todo.append(then)

    def settle(self, who: int, price: Bag, basic: int = 0, only_basic: bool = False) -> Course:
        """Pays, after exchanges as long as they are needed; `basic` resources of any sort besides."""
        me = self.players[who]
        prices = [plus(price, more) for more in baskets(basic)]
        while not any(covers(me.goods, one) for one in prices):
            ways = {}
            for give, get in rates(me.artifact == "scales"):
                if not covers(me.goods, give) or not covers(plus(self.supply, give), get):
                    continue
                if only_basic and not (sum(get[:3]) and sum(give[:3])):
                    continue
                ways[f"{said(give)} for {said(get)}"] = (give, get)
            before = me.goods
            good = {}
            for text, (give, get) in ways.items():
                self.swap(me, give, get)
                if any(self.payable(who, one, only_basic=only_basic) for one in prices):
                    good[text] = (give, get)
                self.swap(me, get, give)
                assert me.goods == before
            answer = yield Asked(who, set(good), some=True)
            self.swap(me, *good[answer])
        paid = {f"pay {said(one)}": one for one in prices if covers(me.goods, one)}
        one = next(iter(paid.values())) if len(paid) == 1 else paid[(yield Asked(who, set(paid)))]
        self.swap(me, one, NOTHING)

    def swap(self, me: Player, give: Bag, get: Bag) -> None:
        me.goods = plus(plus(me.goods, give, -1), get)
        self.supply = plus(plus(self.supply, give), get, -1)

    def gain(self, who: int, sort: str, n: int = 1) -> None:
        """As much as the supply has (OP-048)."""
        there = min(n, self.supply[SORTS.index(sort)])
        self.swap(self.players[who], NOTHING, bag(**{sort: there}))

    def gain_settlers(self, who: int, n: int) -> None:
        there = min(n, self.extra)
        self.extra -= there
        self.players[who].people[1] += there

    def send(self, who: int, n: int, to: list[int]) -> Course:
        me = self.players[who]
        ways = {}
        for extra in range(n + 1):
            if me.people[0] >= n - extra and me.people[1] >= extra:
                crew = {"basic settler": n - extra, "additional settler": extra}
                ways[f"pay {said(crew, crew)}"] = extra
        extra = next(iter(ways.values())) if len(ways) == 1 else ways[(yield Asked(who, set(ways)))]
        me.people[0] -= n - extra
        me.people[1] -= extra
        to[0] += n - extra
        to[1] += extra

    # ------------------------------------------------------------------------------------------- actions

    def zone(self, who: int, name: str) -> list[int]:
        return self.players[who].zones.setdefault(name, [0, 0])

    def may_enter(self, who: int, name: str) -> bool:
        me = self.players[who]
        inside = sum(self.zone(who, name))
        again = {"plough": "region", "market_day": "street"}.get(me.artifact, "-")
        twice = any(sum(sent) == 2 for zone, sent in me.zones.items() if zone.startswith(again))
        return inside == 0 or (inside == 1 and name.startswith(again) and not twice)

    def deeds(self, who: int) -> Iterator[tuple[str, Callable[[], Course]]]:
        me = self.players[who]
        hands = me.workers()
        if not hands:
            return
        free = [cell for cell in CELLS if cell not in me.town]
        for slot, pile in self.market.items():
            kind = self.kind(pile[-1])
            alone = [n for n, tiles in self.market.items() if len(tiles) == 1 and self.kind(tiles[0]) == kind]
            if len(pile) == 1 and slot != min(alone):
                continue  # which of several equal ones it is makes no difference
            if free and self.payable(who, bag(**{COSTS[kind]: 1})):
                yield f"build {TITLES[kind]} #{slot}", lambda slot=slot: self.build(who, slot)  # type: ignore[misc]
        for cell in self.explorable(me):
            row = int(cell[1])
            if hands >= row:
                yield f"explore {cell} (region {row})", lambda cell=cell: self.explore(who, cell)  # type: ignore[misc]
        for cell, plot in me.lands.items():
            name, hunters, _ = BEASTS[plot.colour]
            if plot.beast and hands >= hunters:
                yield f"hunt {name} on {cell}", lambda plot=plot: self.hunt(who, plot)  # type: ignore[misc]
            if not plot.beast and not plot.fort:
                yield f"build a fortification on {cell}", lambda plot=plot: self.fortify(who, plot)  # type: ignore[misc]
            if plot.fort and not sum(plot.posted):
                yield f"activate the fortification on {cell}", lambda plot=plot: self.guard(who, plot)  # type: ignore[misc]
        for row in (1, 2, 3):
            gives = [cell for cell, plot in me.lands.items() if cell[1] == str(row) and not plot.beast]
            if gives and self.may_enter(who, f"region{row}"):
                yield f"activate region {REGIONS[row]}", lambda row=row: self.region(who, row)  # type: ignore[misc]
            if any(cell[1] == str(row) for cell in me.town) and self.may_enter(who, f"street{row}"):
                yield f"activate the {STREETS[row]} street", lambda row=row: self.street(who, row)  # type: ignore[misc]

    @staticmethod
    def explorable(me: Player) -> list[str]:
        if not me.lands:
            return ["a1", "b1", "c1"]

        def beside(a: str, b: str) -> bool:
            return abs(ord(a[0]) - ord(b[0])) + abs(ord(a[1]) - ord(b[1])) == 1

        return [cell for cell in CELLS if cell not in me.lands and any(beside(cell, known) for known in me.lands)]

    def build(self, who: int, slot: int) -> Course:
        me, tile = self.players[who], self.market[slot][-1]
        title = TITLES[self.kind(tile)]
        places = {f"build {title} on {cell}": cell for cell in CELLS if cell not in me.town}
        cell = places[(yield Asked(who, set(places)))]
        yield from self.settle(who, bag(**{COSTS[self.kind(tile)]: 1}))
        yield from self.send(who, 1, self.zone(who, "construction"))
        self.market[slot].pop()
        if not self.market[slot]:
            del self.market[slot]
        me.town[cell] = tile
        if me.artifact == "master_builder":
            yield from self.use([cell], who)
        self.refill_market()

    def explore(self, who: int, cell: str) -> Course:
        me, row = self.players[who], int(cell[1])
        yield from self.send(who, row, self.zone(who, "exploration"))
        plot = me.lands[cell] = Plot(*self.territories[self.piles[f"stack{row}"].pop()])
        if me.artifact == "surveyor":
            self.gain(who, plot.resource)
        yield from self.check(who, cell)

    def check(self, who: int, cell: str) -> Course:
        plot = self.players[who].lands[cell]
        if plot.fort or plot.beast:
            return
        if self.players[who].artifact == "horn":
            come = f"let a monster come to {cell}"
            plot.beast = (yield Asked(who, {come, "no"})) == come
        else:
            plot.beast = any(card is not None and self.heroes[card].colour == plot.colour for card in self.row)

    def hunt(self, who: int, plot: Plot) -> Course:
        _, hunters, reward = BEASTS[plot.colour]
        yield from self.send(who, hunters, self.zone(who, "hunting"))
        plot.beast = False
        for sort, n in zip(SORTS, reward, strict=True):
            self.gain(who, sort, n)
        if self.players[who].artifact == "trapper":
            self.gain(who, "diamond")

    def fortify(self, who: int, plot: Plot) -> Course:
        yield from self.send(who, 1, self.zone(who, "fortification"))
        plot.fort = True
        if self.players[who].artifact == "mason":
            self.gain(who, plot.resource)

    def guard(self, who: int, plot: Plot) -> Course:
        yield from self.send(who, 1, plot.posted)
        self.gain(who, plot.resource, 1)
        if self.players[who].artifact == "watchtower":
            self.gain(who, plot.resource, 1)

    def region(self, who: int, row: int) -> Course:
        me = self.players[who]
        yield from self.send(who, 1, self.zone(who, f"region{row}"))
        there = [cell for cell in CELLS if cell[1] == str(row) and cell in me.lands and not me.lands[cell].beast]
        out: list[str] = []
        while True:  # in their order: what comes before one that was named stays
            left = {f"do not collect at {cell}": cell for cell in there if cell > max(out, default="")}
            answer = yield Asked(who, {*left, "done"})
            if answer == "done":
                break
            out.append(left[answer])
        gave = [cell for cell in there if cell not in out]
        for cell in gave:
            self.gain(who, me.lands[cell].resource)
        if me.artifact == "sickle":
            more = {f"1 {me.lands[cell].resource} more, from {cell}": cell for cell in there}
            answer = yield Asked(who, {*more, "stop"})
            if answer != "stop":
                self.gain(who, me.lands[more[answer]].resource)
                gave = sorted({*gave, more[answer]})
        for cell in sorted(gave):
            yield from self.check(who, cell)

    def street(self, who: int, row: int) -> Course:
        yield from self.send(who, 1, self.zone(who, f"street{row}"))
        yield from self.use([cell for cell in self.players[who].town if cell[1] == str(row)], who)

    # ------------------------------------------------------------------------------------------- buildings

    def use(self, cells: list[str], who: int) -> Course:
        me, unused = self.players[who], list(cells)
        while True:
            ready = {
                f"use the {TITLES[self.kind(me.town[cell])]} on {cell}": cell
                for cell in unused
                if self.ready(who, self.kind(me.town[cell]))
            }
            if not ready:
                return
            answer = yield Asked(who, {*ready, "use no more"})
            if answer == "use no more":
                return
            unused.remove(ready[answer])
            yield from self.effect(who, ready[answer])

    def ready(self, who: int, kind: str) -> bool:
        me = self.players[who]
        there = dict(zip(SORTS, self.supply, strict=True))
        if kind in GAINS:
            return there[GAINS[kind]] > 0
        if kind == "storehouse":
            return any(self.supply[i] for i in BASIC)
        if kind == "trading_post":
            return any(plot.fort for plot in me.lands.values())
        if kind == "bazaar":
            return there["gold"] > 0 and any(self.payable(who, one) for one in baskets(1))
        if kind in ("alchemist", "bank"):
            return (kind == "bank" or there["diamond"] > 1) and self.payable(who, bag(gold=1))
        enough = {"jeweller": all(self.supply[i] for i in BASIC), "tavern": self.extra > 1, "cathedral": True}
        return enough[kind] and self.payable(who, bag(diamond=1))

    def effect(self, who: int, cell: str) -> Course:
        me, kind = self.players[who], self.kind(self.players[who].town[cell])
        if kind in GAINS:
            self.gain(who, GAINS[kind])
        elif kind == "storehouse":
            ways = {f"take 1 {SORTS[i]}": SORTS[i] for i in BASIC if self.supply[i]}
            sort = next(iter(ways.values())) if len(ways) == 1 else ways[(yield Asked(who, set(ways)))]
            self.gain(who, sort)
        elif kind == "trading_post":
            ways = {f"1 {plot.resource} from {at}": plot.resource for at, plot in me.lands.items() if plot.fort}
            self.gain(who, ways[(yield Asked(who, set(ways)))])
        elif kind == "bazaar":
            yield from self.settle(who, NOTHING, basic=1)
            self.gain(who, "gold")
        else:
            sort = "gold" if kind in ("alchemist", "bank") else "diamond"
            yield from self.settle(who, bag(**{sort: 1}))
            if kind == "alchemist":
                self.gain(who, "diamond", 2)
            elif kind == "jeweller":
                for i in BASIC:
                    self.gain(who, SORTS[i])
            elif kind == "tavern":
                self.gain_settlers(who, 2)
            else:
                me.vaults[cell] += 1
                self.supply = plus(self.supply, bag(**{sort: 1}), -1)

    # ------------------------------------------------------------------------------------------- heroes

    def invitations(self, who: int) -> Iterator[tuple[str, Callable[[], Course]]]:
        for slot, card in enumerate(self.row):
            if card is not None:
                hero = self.heroes[card]
                price = plus(hero.cost, bag(diamond=max(0, 3 - slot)))
                if self.payable(who, price):
                    text = f"invite {hero.title} for {said(price)}"
                    yield text, lambda slot=slot, price=price: self.invite(who, slot, price)  # type: ignore[misc]

    def invite(self, who: int, slot: int, price: Bag) -> Course:
        me, card = self.players[who], self.row[slot]
        assert card is not None
        yield from self.settle(who, price)
        me.guests.append(self.heroes[card])
        self.row[slot] = None
        self.gain_settlers(who, self.heroes[card].settlers)
        if me.artifact == "herald":
            self.gain_settlers(who, 1)
        self.close_row()

    # ------------------------------------------------------------------------------------------- passing

    def leave(self, who: int) -> Course:
        me = self.players[who]
        if self.first is None:
            self.first = who
        me.passed = True
        if self.round < 6:
            yield from self.diamonds(who)
            keep = sum(plot.fort for plot in me.lands.values())
            yield from self.settle(who, NOTHING, basic=max(0, sum(me.goods[:3]) - keep))
        for sent in [*me.zones.values(), *(plot.posted for plot in me.lands.values())]:
            me.people[0] += sent[0]
            self.extra += sent[1]
            sent[:] = [0, 0]
        if self.round < 6:
            yield from self.take_artifact(who)

    def diamonds(self, who: int, last: bool = False) -> Course:
        """What would be lost, or decides a tie, may become a diamond, or gold in the end."""
        me = self.players[who]
        save, one = "exchange clay, wood and stone for a diamond", bag(clay=1, wood=1, stone=1)
        while True:
            options = set()
            if self.supply[DIAMOND] and self.payable(who, one, only_basic=True):
                options.add(save)
            if last and me.goods[DIAMOND] > 1 and self.supply[GOLD]:
                options.add("2 diamonds for 1 gold")
            if not options:
                return
            enough = "exchange no more" if last else "exchange no more and discard the rest"
            answer = yield Asked(who, {*options, enough})
            if answer == enough:
                return
            if answer == save:
                yield from self.settle(who, one, only_basic=True)
                self.gain(who, "diamond")
            else:
                self.swap(me, bag(diamond=2), bag(gold=1))

    def last_exchanges(self, who: int) -> Course:
        yield from self.diamonds(who, last=True)

    def take_artifact(self, who: int) -> Course:
        me = self.players[who]
        titles = {f"take the {self.named(name)}": name for name in self.artifacts}
        taken = titles[(yield Asked(who, set(titles)))]
        self.artifacts.remove(taken)
        if me.artifact:
            if len(self.players) > 1:
                self.artifacts.append(me.artifact)
            else:
                self.artifacts.append(self.ability(self.piles["left"].pop()))
        me.artifact = taken
        if taken in ("purse", "gem"):
            self.gain(who, "gold" if taken == "purse" else "diamond")

    @staticmethod
    def ability(token: str) -> str:
        return token.removesuffix("_1").removesuffix("_2")

    @staticmethod
    def named(ability: str) -> str:
        return ability.replace("_", " ").capitalize()

    # ------------------------------------------------------------------------------------------- the end

    def winners(self) -> list[int]:
        keys = [(player.score(), player.goods[GOLD], player.goods[DIAMOND]) for player in self.players]
        return [who for who, key in enumerate(keys) if key == max(keys)]
