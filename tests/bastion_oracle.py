"""Bastion once more, in plain Python: the ring, power and colour of enemies, the price of an attack.

Written from games/bastion/rules.md, whose numbers it names (BA-192), before anybody looked at the game, with which it
shares nothing. An enemy is a list of cards: the carrier first, then its symbiotes. Segments are 1 to 24, quarters and
plazas 0 to 5. A demand is what one way to pay asks for: chips of each of the six colours, then chips of any colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import chain, combinations_with_replacement

COLOURS = ("yellow", "green", "blue", "red", "purple", "black")
SEGMENTS = range(1, 25)
ANY = len(COLOURS)

Enemy = list["Card"]
Demand = tuple[int, ...]


class Lost(Exception):
    """An enemy finds no place on the wall."""


@dataclass(frozen=True)
class Card:
    name: str
    power: int  # that of a mimicry enemy is not printed: 0
    colour: str
    abilities: tuple[str, ...] = ()
    symbol: str = ""


def _next(colour: str) -> str:
    return COLOURS[(COLOURS.index(colour) + 1) % len(COLOURS)]


def _cards() -> dict[str, Card]:
    found: list[Card] = []
    for colour in COLOURS:
        plain = {"beast": 3, "warrior": 4, "mage": 5, "rider": 6}
        found += [Card(f"{kind}_{colour}", power, colour) for kind, power in plain.items()]
        able = {
            "scout": (3, "reinforce"),
            "symbiote": (4, "symbiosis"),
            "flyer": (5, "flight"),
            "priest": (6, "shield"),
            "giant": (7, "stride"),
            "shapeshifter": (0, "mimicry"),
        }
        found += [Card(f"{kind}_{colour}", power, colour, (ability,)) for kind, (power, ability) in able.items()]
        found.append(Card(f"archmage_{colour}", 8, colour, ("drain",), _next(colour)))
        found.append(Card(f"dragon_{colour}", 10, colour, ("roost", "tyranny_colour"), colour))
    found += [
        Card("infiltrator", 3, "white", ("reinforce", "reinforce")),
        Card("belligemin", 4, "white", ("symbiosis", "flight")),
        Card("rokai", 5, "white", ("flight", "dread")),
        Card("valkyrie", 5, "white", ("flight", "aegis")),
        Card("golem", 6, "prismatic_1", ("immunity",)),
        Card("black_wing", 6, "white", ("flight", "reinforce")),
        Card("inquisitor", 6, "white", ("shield", "inspire")),
        Card("shaggon", 8, "white", ("ban_flame", "ban_lightning")),
        Card("knellervirm", 10, "grey", ("roost", "tyranny_all")),
        Card("leviathan", 12, "prismatic_2", ("stride",)),
    ]
    return {card.name: card for card in found}


CARDS = _cards()


def landing(occupied: Collection[int], start: int = 0) -> int | None:
    """Where an enemy stops that walks on from `start`: the first free segment just before an obstacle (BA-192)."""
    for segment in range(start + 1, 25):
        behind = segment + 1
        if segment not in occupied and (behind in occupied or behind == 25):
            return segment
    return None


def striding(occupied: Collection[int]) -> int | None:
    """The free segment with the highest number (BA-248)."""
    return max(set(SEGMENTS) - set(occupied), default=None)


def moving(occupied: Collection[int]) -> tuple[int, int | None]:
    """Which enemy moves when the deck is empty, and where to (BA-198, BA-199)."""
    mover = min(occupied)
    return mover, landing(set(occupied) - {mover}, mover)


def quarter(segment: int) -> int:
    return (segment - 1) // 4


def has(enemy: Enemy, ability: str) -> bool:
    return any(ability in card.abilities for card in enemy)


@dataclass
class Board:
    """The quarters' colours from the camp on, the enemies, and the cannons by their quarter."""

    quarters: tuple[str, ...] = COLOURS
    wall: dict[int, Enemy] = field(default_factory=dict)
    plazas: dict[int, Enemy] = field(default_factory=dict)
    citadel: list[Card] = field(default_factory=list)  # the top one last
    cannons: dict[int, str] = field(default_factory=dict)

    # --- who comes where

    def add(self, deck: list[Card]) -> list[int]:
        """The top card of the deck (the last one) and what it brings with it; the quarters whose plaza was flown to."""
        if not deck:
            return []  # BA-209
        card = deck.pop()
        flown = self.enter(card)
        for _ in range(card.abilities.count("reinforce")):  # BA-210: each with all that follows
            flown += self.add(deck)
        return flown

    def set_up(self, deck: list[Card], wanted: int) -> list[Card]:
        """So many enemies before the first turn; who is set aside for standing shield by shield (BA-035)."""
        aside: list[Card] = []
        for _ in range(wanted):
            self._add_in_setup(deck, aside)
        return aside

    def _add_in_setup(self, deck: list[Card], aside: list[Card]) -> None:
        while deck and self._beside_a_shield(deck[-1]):
            aside.append(deck.pop())
        if deck:
            card = deck.pop()
            self.enter(card)
            for _ in range(card.abilities.count("reinforce")):
                self._add_in_setup(deck, aside)

    def _beside_a_shield(self, card: Card) -> bool:
        at = landing(self.wall)
        return "shield" in card.abilities and at is not None and any(has(e, "shield") for e in self.beside(at))

    def enter(self, card: Card) -> list[int]:
        """One card alone (BA-190)."""
        if "roost" in card.abilities:
            self.citadel.append(card)
            return []
        carrier = self.carrier() if "symbiosis" in card.abilities else None
        if carrier is not None:
            self.wall[carrier].append(card)
            at = carrier
        else:
            place = striding(self.wall) if "stride" in card.abilities else landing(self.wall)
            if place is None:
                raise Lost(card.name)
            self.wall[place] = [card]
            at = place
        return self._fly(at) if "flight" in card.abilities else []

    def carrier(self) -> int | None:
        """The lowest segment whose enemy can carry a symbiote (BA-212, BA-215, BA-216)."""
        able = [at for at, enemy in self.wall.items() if not has(enemy, "shield") and not has(enemy, "immunity")]
        return min(able, default=None)

    def _fly(self, at: int) -> list[int]:
        for step in range(6):  # BA-232: past the gate, too
            plaza = (quarter(at) + step) % 6
            if plaza not in self.plazas:
                self.plazas[plaza] = self.wall.pop(at)
                return [plaza]
        return []

    def move(self) -> None:
        mover, to = moving(self.wall)
        if to is None:
            raise Lost(self.wall[mover][0].name)
        self.wall[to] = self.wall.pop(mover)

    # --- what an enemy is now; `at` is its segment, `plaza` its quarter, neither is the citadel

    def beside(self, at: int | None) -> list[Enemy]:
        return [self.wall[n] for n in (at - 1, at + 1) if n in self.wall] if at is not None else []

    def colours(self, card: Card, where: int | None) -> set[str]:
        """The mana colours it counts as having in this quarter (BA-138, BA-139)."""
        if card.colour.startswith("prismatic"):
            return set(COLOURS)
        if card.colour == "white":
            return {self.quarters[where]} if where is not None else set()
        return {card.colour} - {"grey"}

    def power(self, card: Card, at: int | None = None, plaza: int | None = None) -> int:
        if "immunity" in card.abilities:
            return card.power  # BA-297
        where = quarter(at) if at is not None else plaza
        beside = self.beside(at)
        power = self._mimicked(at) if "mimicry" in card.abilities else card.power
        power += sum("inspire" in other.abilities for other in chain(*beside))
        if self.citadel and self.citadel[-1] is not card:
            tyrant = self.citadel[-1]
            power += "tyranny_all" in tyrant.abilities
            power += "tyranny_colour" in tyrant.abilities and tyrant.symbol in self.colours(card, where)
        if where is not None and self.cannons.get(where) in self.colours(card, where):
            power -= 2
        return max(1, power)

    def _mimicked(self, at: int | None) -> int:
        beside = self.beside(at)
        if at is None or not beside or any(has(enemy, "mimicry") for enemy in beside):
            return 9
        return sum(self.power(c, n) for n in (at - 1, at + 1) for c in self.wall.get(n, []))

    def protected(self, at: int) -> bool:
        """Whether the enemy on a segment cannot be attacked, by shields or an aegis (BA-244, BA-293)."""
        if has(self.wall[at], "immunity"):
            return False
        return any(has(e, "shield") for e in self.beside(at)) or has(self.plazas.get(quarter(at), []), "aegis")

    def price(self, enemy: Enemy, at: int | None = None, plaza: int | None = None, less: int = 0) -> set[Demand]:
        """All demands the attack comes down to, with so many points of Flame and Lightning."""
        parts = [self._price_of_one(card, at, plaza) for card in enemy]
        whole = parts[0]
        for part in parts[1:]:
            whole = {plus(a, b) for a in whole for b in part}
        return {demand for one in whole for demand in reduced(one, less)}

    def _price_of_one(self, card: Card, at: int | None, plaza: int | None) -> set[Demand]:
        power = self.power(card, at, plaza)
        if card.colour == "grey":
            return {demand({}, power)}
        if not card.colour.startswith("prismatic"):
            (colour,) = self.colours(card, quarter(at) if at is not None else plaza)
            return {demand({colour: power})}
        each = int(card.colour[-1])
        full, change = demand(dict.fromkeys(COLOURS, each)), power - 6 * each
        return {plus(full, demand({}, change))} if change >= 0 else reduced(full, -change)  # BA-115

    def rituals(self, card: Card, where: int | None) -> set[str]:
        """Colours of which a ritual may be performed after beating this card (BA-117)."""
        if card.colour == "grey":
            return set(COLOURS)
        if card.colour == "white" or card.colour.startswith("prismatic"):
            return {self.quarters[where]} if where is not None else set()
        return {card.colour}


def demand(chips: dict[str, int], free: int = 0) -> Demand:
    return (*(chips.get(colour, 0) for colour in COLOURS), free)


def plus(a: Demand, b: Demand) -> Demand:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def reduced(whole: Demand, points: int) -> set[Demand]:
    """All that may be left when so many chips are left out, one at least staying (BA-125, BA-227, BA-228)."""
    left = {whole}
    for _ in range(min(points, sum(whole) - 1)):
        left = {(*d[:i], d[i] - 1, *d[i + 1 :]) for d in left for i in range(ANY + 1) if d[i]}
    return left


def with_alchemy(whole: Iterable[Demand]) -> Demand:
    """As many chips as before, of any colours (BA-120, BA-121)."""
    (total,) = {sum(one) for one in whole}
    return demand({}, total)


def can_pay(stock: Demand, demands: Iterable[Demand]) -> bool:
    """Whether chips (none of "any") meet one of the demands."""
    return any(all(stock[i] >= d[i] for i in range(ANY)) and sum(stock) >= sum(d) for d in demands)


def payments(stock: Demand, demands: Iterable[Demand]) -> set[Demand]:
    """All ways to take chips from the stock that meet one of the demands exactly."""
    found: set[Demand] = set()
    for one in demands:
        for extra in combinations_with_replacement(range(ANY), one[ANY]):
            more = Counter(extra)
            paid = (*(one[i] + more[i] for i in range(ANY)), 0)
            if all(paid[i] <= stock[i] for i in range(ANY)):
                found.add(paid)
    return found
