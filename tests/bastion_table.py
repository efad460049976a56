"""What defenders may do in a position of Bastion, in plain Python, and what comes of it.

Like bastion_oracle.py written from games/bastion/rules.md alone. A `Position` says what is allowed in it; a `Table`
goes on, told what is chosen. Who has to leave a place is asked for by yielding where each of them may go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from bastion_oracle import COLOURS, SEGMENTS, Board, Card, Demand, Enemy, can_pay, has, quarter, with_alchemy

CITADEL = -1
Spot = tuple[str, int]  # ("wall", segment), ("plaza", quarter) or ("citadel", 0)
Spell = tuple[str, int]  # its kind, its number or 0
Ritual = tuple[str, str]  # its kind, its colour

SPELLS: dict[str, Spell] = {
    "beast": ("acceleration", 0),
    "warrior": ("flame", 1),
    "mage": ("alchemy", 0),
    "rider": ("flame", 2),
    "scout": ("prism", 0),
    "symbiote": ("swap", 0),
    "flyer": ("arrow", 0),
    "priest": ("teleport", 0),
    "giant": ("abundance", 3),
    "archmage": ("lightning", 3),
    "shapeshifter": ("copy", 0),
    "dragon": ("repeat", 0),
    "infiltrator": ("abundance", 2),
    "belligemin": ("swap", 0),
    "rokai": ("arrow", 0),
    "valkyrie": ("teleport", 0),
    "golem": ("alchemy", 0),
    "black_wing": ("lightning", 2),
    "inquisitor": ("copy", 0),
    "shaggon": ("flame", 3),
    "knellervirm": ("repeat", 0),
    "leviathan": ("lightning", 4),
}


def spell_of(card: Card) -> Spell:
    return SPELLS.get(card.name) or SPELLS[card.name.partition("_")[0]]


@dataclass
class Source:
    colour: str
    chip: str = ""  # of which colour, when it is closed
    damaged: bool = False
    built: bool = False


@dataclass
class Position:
    board: Board
    places: list[int]  # a quarter, or CITADEL
    stocks: list[dict[str, int]]
    reserve: dict[str, int]
    spells: list[list[Spell]]
    sources: dict[int, list[Source]] = field(default_factory=dict)
    towers: dict[int, str] = field(default_factory=dict)  # the chips on closed ones
    obelisks: dict[int, str] = field(default_factory=dict)

    # --- mana

    def can_feed(self, who: int, colour: str) -> bool:
        """Whether there is a chip to be put on something of this colour (BA-079, BA-080)."""
        return sum(self.stocks[who].values()) > 0 or self.reserve[colour] > 0

    def gives_mana(self, who: int, source: Source) -> bool:
        """Whether a source of the quarter one is in can be used (BA-077, BA-091, BA-092, BA-357)."""
        drained = {c.symbol for enemy in self.enemies().values() for c in enemy if "drain" in c.abilities}
        barred = source.chip or source.damaged or source.colour in drained or self.flown(self.places[who])
        return not barred and self.can_feed(who, source.colour)

    def flown(self, place: int) -> bool:
        return has(self.board.plazas.get(place, []), "flight")

    def open_sources(self, who: int) -> list[Source]:
        here = self.sources.get(self.places[who], [])
        return [source for source in here if self.gives_mana(who, source)]

    def tower_usable(self, who: int) -> bool:
        at = self.places[who]
        if at == CITADEL or at in self.towers or self.flown(at):
            return False
        return self.can_feed(who, self.board.quarters[at])

    def citadel_usable(self, who: int) -> bool:
        return self.places[who] == CITADEL and not self.board.citadel

    def restorable(self, who: int) -> list[int]:
        """Which of the sources where one is can be restored, by their numbers (BA-358, BA-359)."""
        at = self.places[who]
        if at in self.board.plazas:
            return []
        found = enumerate(self.sources.get(at, []))
        return [n for n, source in found if source.damaged and self.stocks[who].get(source.colour, 0)]

    def gained(self, who: int, source: Source, put: str, prism: str = "", more: int = 0) -> dict[str, int]:
        """What the stock is after gaining from a source: a chip put there, or "" with an empty stock (BA-076)."""
        reserve, stock = dict(self.reserve), dict(self.stocks[who])
        if put:
            stock[put] -= 1
        else:
            reserve[source.colour] -= 1
        colour = prism or source.colour
        wanted = 3 + more + (self.obelisks.get(self.places[who]) == source.colour)
        stock[colour] = stock.get(colour, 0) + min(wanted, reserve[colour])  # BA-082
        return stock

    # --- attacking

    def enemies(self) -> dict[Spot, Enemy]:
        """All in play; of those in the citadel only the top one can be attacked (BA-267)."""
        found: dict[Spot, Enemy] = {("wall", at): enemy for at, enemy in self.board.wall.items()}
        found |= {("plaza", at): enemy for at, enemy in self.board.plazas.items()}
        last = len(self.board.citadel) - 1
        return found | {("citadel", last - n): [card] for n, card in enumerate(self.board.citadel)}

    @staticmethod
    def place_of(spot: Spot) -> int:
        kind, number = spot
        return {"wall": quarter(number), "plaza": number, "citadel": CITADEL}[kind]

    def in_reach(self, spot: Spot) -> bool:
        """Whether any attack on this enemy is allowed, wherever it comes from (BA-119)."""
        kind, number = spot
        if kind == "wall":
            return not self.board.protected(number)
        return kind == "plaza" or number == 0

    def price(self, spot: Spot, less: int = 0) -> set[Demand]:
        kind, number = spot
        return self.board.price(
            self.enemies()[spot],
            number if kind == "wall" else None,
            number if kind == "plaza" else None,
            less,
        )

    def banned(self, spell: str) -> bool:
        return any(has(enemy, f"ban_{spell}") for enemy in self.enemies().values())

    def attackable(self, who: int, spot: Spot, at: int | None = None, spells: bool = True) -> bool:
        """Whether some attack on it can be paid, with the help of all; `at` where the attacker is, if not as now."""
        place = self.places[who] if at is None else at
        if not self.in_reach(spot):
            return False
        stock = (*(self.stocks[who].get(colour, 0) for colour in COLOURS), 0)
        near = self.place_of(spot) == place
        if has(self.enemies()[spot], "immunity") or not spells:
            return near and can_pay(stock, self.price(spot))  # BA-296
        for arrow, alchemy in product(self._ways(who, "arrow", not near), self._ways(who, "alchemy", None)):
            own = sum(kind == "copy" for kind, _ in self.spells[who]) - (arrow == "copy") - (alchemy == "copy")
            if own < 0:
                continue
            price = self.price(spot, self._less(who, place, own))
            if can_pay(stock, [with_alchemy(price)] if alchemy else price):
                return True
        return False

    def _ways(self, who: int, spell: str, needed: bool | None) -> list[str]:
        """How the attacker may do without a spell (""), cast an own one, or a Copy of anybody's."""
        ways = [spell] if any(kind == spell for kind, _ in self.spells[who]) else []
        ways += ["copy"] if any(kind == spell for mine in self.spells for kind, _ in mine) else []
        return [""] if needed is False else ways if needed else ["", *ways]

    def _less(self, who: int, place: int, own_copies: int) -> int:
        """The most that Flames, Lightnings and Copies of them take away (BA-122, BA-124, BA-148)."""
        less, best = 0, {"flame": 0, "lightning": 0}
        for kind in best:
            if not self.banned(kind):
                best[kind] = max((n for mine in self.spells for k, n in mine if k == kind), default=0)
        for other, mine in enumerate(self.spells):
            beside = other == who or self.places[other] == place
            copies = own_copies if other == who else sum(kind == "copy" for kind, _ in mine)
            less += sum(n for kind, n in mine if kind == "lightning" and best["lightning"])
            less += sum(n for kind, n in mine if kind == "flame" and beside and best["flame"])
            less += copies * max(best["lightning"], best["flame"] if beside else 0)
        return less

    def targets(self, who: int) -> set[Spot]:
        return {spot for spot in self.enemies() if self.attackable(who, spot)}

    # --- moving

    def dreaded(self, place: int) -> list[Spot]:
        """The enemies for whose sake a quarter may only be entered to attack them (BA-283, BA-286)."""
        return [spot for spot, e in self.enemies().items() if has(e, "dread") and self.place_of(spot) == place]

    def free_to_enter(self, place: int) -> bool:
        return not (self.board.citadel if place == CITADEL else self.dreaded(place))

    def may_enter(self, who: int, place: int, attacked: bool = False) -> bool:
        """Whether one may move there from next door (BA-257, BA-283)."""
        if self.free_to_enter(place):
            return True
        duty = [("citadel", 0)] if place == CITADEL else self.dreaded(place)
        return not attacked and any(self.attackable(who, spot, place) for spot in duty)

    def next_to(self, place: int) -> set[int]:
        return set(range(6)) if place == CITADEL else {CITADEL, (place + 1) % 6, (place - 1) % 6}

    def moves(self, who: int, attacked: bool = False) -> set[int]:
        return {place for place in self.next_to(self.places[who]) if self.may_enter(who, place, attacked)}

    def ways_out(self, who: int) -> set[int]:
        """Where one who is driven out may go (BA-255, BA-282, BA-311)."""
        return {place for place in self.next_to(self.places[who]) if self.free_to_enter(place)}

    def stays(self, who: int) -> bool:
        """Whether one who has attacked in the citadel stays there (BA-261, BA-262)."""
        return not self.board.citadel or self.attackable(who, ("citadel", 0), spells=False)

    # --- the whole

    def chips(self) -> dict[str, int]:
        """All of each colour: fifteen (BA-096)."""
        lying = [source.chip for all_of in self.sources.values() for source in all_of] + list(self.towers.values())
        return {
            colour: self.reserve[colour] + sum(stock.get(colour, 0) for stock in self.stocks) + lying.count(colour)
            for colour in COLOURS
        }

    def swaps(self) -> int:
        return len(self.board.wall) * (len(self.board.wall) - 1) // 2

    def teleports(self) -> int:
        return len(self.board.wall) * (len(SEGMENTS) - len(self.board.wall))


@dataclass
class Table(Position):
    """A position with decks (the top card last) and rituals, that goes on."""

    deck: list[Card] = field(default_factory=list)
    ritual_deck: list[Ritual] = field(default_factory=list)
    waiting: list[list[Ritual]] = field(default_factory=list)  # not yet performed
    active: list[list[Ritual]] = field(default_factory=list)
    built: dict[int, Ritual] = field(default_factory=dict)

    def gain_from_source(self, who: int, source: Source, put: str, prism: str = "", more: int = 0) -> None:
        stock = self.gained(who, source, put, prism, more)
        source.chip = put or source.colour
        took = {c: stock.get(c, 0) - self.stocks[who].get(c, 0) for c in COLOURS}
        for colour in COLOURS:
            self.reserve[colour] -= took[colour] + (colour == source.chip)
        self.stocks[who] = stock

    def gain_from_tower(self, who: int, put: str) -> None:
        """BA-083 to BA-086."""
        at = self.places[who]
        chip = put or self.board.quarters[at]
        (self.stocks[who] if put else self.reserve)[chip] -= 1
        self.towers[at] = chip
        for source in self.sources[at]:
            if source.chip:
                self._take(who, source.chip)
                source.chip = ""

    def gain_from_citadel(self, who: int) -> None:
        for chip in self.towers.values():
            self._take(who, chip)
        self.towers.clear()

    def _take(self, who: int, chip: str) -> None:
        self.stocks[who][chip] = self.stocks[who].get(chip, 0) + 1

    def pay(self, who: int, chips: dict[str, int]) -> None:
        for colour, number in chips.items():
            self.stocks[who][colour] -= number
            self.reserve[colour] += number

    def beat(self, who: int, spot: Spot, chips: dict[str, int]) -> Enemy:
        """The enemy becomes spells (BA-108, BA-225)."""
        self.pay(who, chips)
        enemy = self.enemies()[spot]
        kind, number = spot
        if kind == "citadel":
            self.board.citadel.pop()
        else:
            (self.board.wall if kind == "wall" else self.board.plazas).pop(number)
        self.spells[who] += [spell_of(card) for card in enemy]
        return enemy

    def perform(self, who: int, ritual: Ritual, at: int = 0) -> None:
        """An artifact becomes active, a structure is laid in a quarter; no cards are drawn yet."""
        self.waiting[who].remove(ritual)
        if ritual[0] in ("accumulator", "converter"):
            self.active[who].append(ritual)
            return
        self._clear_foundation(at)
        self.built[at] = ritual
        kind, colour = ritual
        if kind == "source":
            self.sources[at].append(Source(colour, built=True))
        else:
            (self.obelisks if kind == "obelisk" else self.board.cannons)[at] = colour

    def _clear_foundation(self, at: int) -> None:
        """BA-184, BA-186, BA-363."""
        if at not in self.built:
            return
        self.ritual_deck.insert(0, self.built.pop(at))
        for what in (self.obelisks, self.board.cannons):
            what.pop(at, None)
        for source in [s for s in self.sources[at] if s.built]:
            if source.chip:
                self.reserve[source.chip] += 1
            self.sources[at].remove(source)

    def drawn(self) -> list[Ritual]:
        """The two that come after a ritual, or fewer (BA-172, BA-173)."""
        return [self.ritual_deck.pop() for _ in range(min(2, len(self.ritual_deck)))]

    def enemy_stage(self) -> Iterator[dict[int, set[int]]]:
        """BA-052; `Lost` if no segment is free."""
        if self.deck:
            yield from self.add_enemy()
        else:
            self.board.move()

    def add_enemy(self) -> Iterator[dict[int, set[int]]]:
        if not self.deck:
            return
        card = self.deck.pop()
        flown = self.board.enter(card)
        if "roost" in card.abilities:
            yield from self._driven_out(CITADEL)
        for plaza in flown:
            self._clear_quarter(plaza)
            if has(self.board.plazas[plaza], "dread"):
                yield from self._driven_out(plaza)
        for _ in range(card.abilities.count("reinforce")):
            yield from self.add_enemy()

    def _driven_out(self, place: int) -> Iterator[dict[int, set[int]]]:
        asked = {who: self.ways_out(who) for who, at in enumerate(self.places) if at == place}
        if asked:
            yield asked

    def _clear_quarter(self, plaza: int) -> None:
        """BA-235."""
        for source in self.sources[plaza]:
            if source.chip:
                self.reserve[source.chip] += 1
                source.chip = ""
        if plaza in self.towers:
            self.reserve[self.towers.pop(plaza)] += 1

    def won(self) -> bool:
        return not self.board.wall and not self.deck
