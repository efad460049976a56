"""The oracle of Bastion beside what the rules print: positions of the ring, powers, prices.

EX numbers are the worked examples of games/bastion/rules.md, BA numbers its statements.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from bastion_oracle import (
    ANY,
    CARDS,
    COLOURS,
    SEGMENTS,
    Board,
    Lost,
    can_pay,
    demand,
    landing,
    moving,
    payments,
    reduced,
    striding,
    with_alchemy,
)
from bastion_table import CITADEL, SPELLS, Position, Source, Spell, Spot, Table, spell_of

FOLDER = Path(__file__).parent.parent / "games" / "bastion"
BARE = tuple(CARDS[f"rider_{colour}"] for colour in COLOURS)


def segments(text: str) -> set[int]:
    """`1 to 22, 24` of a table in the rules."""
    if text in ("nothing", "all"):
        return set(SEGMENTS) if text == "all" else set()
    spans = [re.fullmatch(r"(\d+)(?: to (\d+))?", part) for part in text.split(", ")]
    return {n for span in spans if span for n in range(int(span[1]), int(span[2] or span[1]) + 1)}


def tables() -> list[list[list[str]]]:
    """The two tables of worked positions in the rules: new enemies, moving enemies."""
    text = (FOLDER / "rules.md").read_text(encoding="utf-8")
    found = []
    for heading in ("Adding an enemy", "When the deck is empty"):
        part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line[:1] == "|"]
        found.append(rows[2:])
    return found


def test_the_rules_state_each_number_once_in_order() -> None:
    stated = re.findall(r"^- \*\*(BA-\d{3})\*\* ", (FOLDER / "rules.md").read_text("utf-8"), re.M)
    assert stated == [f"BA-{n:03}" for n in range(1, 378)]


def test_worked_positions_of_new_enemies() -> None:
    rows = tables()[0]
    assert len(rows) == 11
    for occupied, to, _ in rows:
        assert str(landing(segments(occupied)) or "nowhere") == to, occupied


def test_worked_positions_of_moving_enemies() -> None:
    rows = tables()[1]
    assert len(rows) == 8
    for occupied, mover, to in rows:
        who, place = moving(segments(occupied))
        assert (str(who), str(place or "nowhere")) == (mover, re.split("[,:]", to)[0]), occupied


def test_worked_positions_of_striding_enemies() -> None:
    assert [striding(segments(text)) for text in ("22, 24", "3, 4", "1 to 23", "all")] == [23, 24, 24, None]


def by_pattern(occupied: set[int], start: int = 0) -> int | None:
    """The ring said in another way: the wall is a text that ends in the gate, and `.#` is looked for."""
    wall = "".join("#" if n in occupied else "." for n in SEGMENTS) + "#"
    return wall.find(".#", start) + 1 or None


@pytest.mark.parametrize("boards", [500, pytest.param(20_000, marks=pytest.mark.long)])
def test_the_ring_on_random_boards(boards: int) -> None:
    dice = random.Random(19)
    for _ in range(boards):
        occupied = set(dice.sample(SEGMENTS, dice.randint(0, 24)))
        free = set(SEGMENTS) - occupied
        place = landing(occupied)
        assert place == by_pattern(occupied)
        assert (place is None) == (not free)  # BA-194
        assert place is None or (place in free and place + 1 not in free)
        assert striding(occupied) == (max(free) if free else None)
        if occupied:
            mover, to = moving(occupied)
            beyond = {n for n in free if n > mover}
            assert to == by_pattern(occupied - {mover}, mover)
            assert (to is None) == (not beyond)  # BA-201
            assert to is None or to in beyond


def test_the_cards_are_those_of_the_box() -> None:
    assert len(CARDS) == 82
    legendary = [card for card in CARDS.values() if "_" not in card.name or card.name == "black_wing"]
    assert sorted(card.power for card in legendary) == [3, 4, 5, 5, 6, 6, 6, 8, 10, 12]
    drained = {card.colour: card.symbol for card in CARDS.values() if "drain" in card.abilities}
    assert all(colour != symbol and drained[symbol] != colour for colour, symbol in drained.items())


def test_who_comes_on_whom() -> None:
    """EX-3, EX-10, EX-11, and the depth-first chain of two reinforcements (BA-210)."""
    board = Board(wall={22: [BARE[0]], 24: [BARE[1]]})
    board.add([BARE[3], BARE[2]])
    assert sorted(board.wall) == [21, 22, 24]
    board.add([BARE[3]])
    assert sorted(board.wall) == [20, 21, 22, 24]
    board.add([CARDS["giant_red"]])
    assert sorted(board.wall) == [20, 21, 22, 23, 24]

    board, deck = Board(), [CARDS[n] for n in ("mage_red", "mage_blue", "mage_green", "scout_red", "infiltrator")]
    board.add(deck)
    assert {at: enemy[0].name for at, enemy in board.wall.items()} == {
        24: "infiltrator",
        23: "scout_red",
        22: "mage_green",
        21: "mage_blue",
    }
    assert [card.name for card in deck] == ["mage_red"]
    board.add([CARDS["scout_blue"]])  # BA-209: none left
    assert len(board.wall) == 5


def test_flights() -> None:
    board = Board(wall={5: [BARE[0]]}, plazas={0: [BARE[1]], 5: [BARE[2]]})
    assert board.add([CARDS["flyer_red"]]) == [1]  # stops on 4, quarter 0 is taken
    board.plazas |= {n: [BARE[3]] for n in (2, 3)}
    board.wall = {}
    assert board.add([CARDS["rokai"]]) == [4]  # from 24 past the gate
    assert board.add([CARDS["valkyrie"]]) == []
    assert board.wall[24][0].name == "valkyrie"
    full = Board(wall={at: [BARE[0]] for at in SEGMENTS})
    with pytest.raises(Lost):
        full.add([CARDS["flyer_red"]])  # BA-238
    full.add([CARDS["dragon_red"]])  # BA-197
    full.add([CARDS["symbiote_red"]])
    assert len(full.citadel) == 1


def test_symbiotes() -> None:
    board = Board(wall={3: [CARDS["priest_red"]], 4: [CARDS["golem"]], 9: [CARDS["scout_red"]]})
    board.add([CARDS["mage_red"], CARDS["symbiote_red"]])
    assert [card.name for card in board.wall[9]] == ["scout_red", "symbiote_red"]  # and no reinforcement: BA-224
    assert len(board.wall) == 3
    assert board.add([CARDS["belligemin"]]) == [2]
    assert sorted(board.wall) == [3, 4]
    assert len(board.plazas[2]) == 3
    board.add([CARDS["symbiote_blue"]])  # nobody on the wall can carry it
    assert board.wall[2][0].name == "symbiote_blue"


def test_shields_are_set_aside_in_setup() -> None:
    board, deck = Board(), [CARDS[n] for n in ("mage_red", "rider_red", "priest_red", "scout_red")]
    assert board.set_up(deck, 2) == []
    assert [board.wall[at][0].name for at in (24, 23, 22)] == ["scout_red", "priest_red", "rider_red"]
    board, deck = Board(), [CARDS[n] for n in ("beast_red", "mage_red", "inquisitor", "priest_blue", "priest_red")]
    assert [card.name for card in board.set_up(deck, 2)] == ["priest_blue", "inquisitor"]
    assert sorted(board.wall) == [23, 24]
    assert [card.name for card in deck] == ["beast_red"]


def test_white_enemies_change() -> None:
    """EX-4: from 4 to 24."""
    board, card = Board(wall={4: [CARDS["infiltrator"]]}), CARDS["infiltrator"]
    assert board.price([card], 4) == {demand({"yellow": 3})}
    board.move()
    assert list(board.wall) == [24]
    assert board.price([card], 24) == {demand({"black": 3})}
    assert board.rituals(card, 5) == {"black"}


def test_mimicry() -> None:
    """EX-5 to EX-7."""
    shifter, other = CARDS["shapeshifter_red"], CARDS["shapeshifter_blue"]
    board = Board(wall={9: [CARDS["beast_red"], CARDS["symbiote_red"]], 10: [shifter], 11: [CARDS["mage_red"]]})
    assert board.power(shifter, 10) == 12
    board.wall[11] = [other]
    assert (board.power(shifter, 10), board.power(other, 11)) == (9, 9)
    board = Board(wall={10: [shifter], 11: [CARDS["mage_red"]]}, cannons={2: "red"})
    assert (board.power(CARDS["mage_red"], 11), board.power(shifter, 10)) == (3, 1)
    assert Board(wall={10: [shifter]}).power(shifter, 10) == 9
    assert board.power(shifter, None, 3) == 9  # BA-279: on a plaza, no cannon there
    board = Board(wall={10: [shifter], 11: [CARDS["golem"]]}, cannons={2: "red"}, citadel=[CARDS["knellervirm"]])
    assert board.power(shifter, 10) == 6 + 1 - 2  # BA-281


def test_tyranny() -> None:
    red, black, all_of_them = CARDS["dragon_red"], CARDS["dragon_black"], CARDS["knellervirm"]
    board = Board(citadel=[red])
    assert (board.power(red), board.power(black), board.power(BARE[3], 1)) == (10, 10, 7)
    board.citadel = [red, all_of_them]
    assert (board.power(red), board.power(all_of_them), board.power(CARDS["golem"], 1)) == (11, 10, 6)
    board.citadel = [all_of_them, red]  # grey has no colour, prismatic ones have all, white that of the quarter
    assert (board.power(all_of_them), board.power(CARDS["leviathan"], 1)) == (10, 13)
    assert (board.power(CARDS["shaggon"], 13), board.power(CARDS["shaggon"], 12)) == (9, 8)


def test_shields_and_aegis() -> None:
    board = Board(
        wall={4: [CARDS["inquisitor"]], 5: [BARE[0], CARDS["symbiote_red"]], 6: [CARDS["golem"]], 24: [BARE[1]]},
        plazas={1: [CARDS["rokai"]], 5: [CARDS["valkyrie"]]},
    )
    assert [board.protected(at) for at in (4, 5, 6, 24)] == [False, True, False, True]
    assert [board.power(card, 5) for card in board.wall[5]] == [7, 5]  # BA-302
    board.wall[3] = [CARDS["priest_red"]]
    assert board.protected(3)
    assert board.protected(4)
    board = Board(wall={1: [BARE[0]], 24: [CARDS["priest_red"]]})
    assert not board.protected(1)  # BA-013


def test_the_price_of_a_merged_enemy() -> None:
    """EX-14: 5 red and 5 blue, then five points less."""
    enemy = [CARDS["rider_red"], CARDS["symbiote_blue"]]
    board = Board(wall={5: enemy}, cannons={1: "red"}, citadel=[CARDS["knellervirm"]])
    assert board.price(enemy, 5) == {demand({"red": 5, "blue": 5})}
    left = board.price(enemy, 5, less=2 + 3)
    assert left == {demand({"red": red, "blue": 5 - red}) for red in range(6)}
    assert {sum(one) for one in board.price(enemy, 5, less=100)} == {1}  # BA-228
    assert len(board.price(enemy, 5, less=100)) == 2
    assert with_alchemy(left) == demand({}, 5)


def test_prismatic_prices() -> None:
    board, golem, leviathan = Board(citadel=[CARDS["knellervirm"]]), CARDS["golem"], CARDS["leviathan"]
    assert board.price([golem], 1) == {demand(dict.fromkeys(COLOURS, 1))}
    assert board.price([leviathan], 1) == {demand(dict.fromkeys(COLOURS, 2), 1)}
    board.citadel, board.cannons = [], {0: "red"}
    assert board.price([leviathan], 1) == reduced(demand(dict.fromkeys(COLOURS, 2)), 2)
    assert len(board.price([leviathan], 1)) == 6 + 15
    assert board.price([leviathan], 5) == {demand(dict.fromkeys(COLOURS, 2))}
    assert board.price([CARDS["knellervirm"]]) == {demand({}, 10)}


def test_what_can_be_paid() -> None:
    """EX-1: 6 blue, Alchemy and a Flame of 1: all five chips."""
    rider = CARDS["rider_blue"]
    board = Board(wall={21: [rider]})
    stock = demand({"green": 3, "blue": 1, "yellow": 1})
    price = board.price([rider], 21, less=1)
    assert price == {demand({"blue": 5})}
    assert not can_pay(stock, price)
    assert can_pay(stock, [with_alchemy(price)])
    assert payments(stock, [with_alchemy(price)]) == {stock}
    assert not can_pay(stock, [with_alchemy(board.price([rider], 21))])


def test_payments_and_what_can_be_paid_agree() -> None:
    dice = random.Random(7)
    for _ in range(300):
        board = random_board(dice)
        at = dice.choice(sorted(board.wall))
        stock = demand({colour: dice.randint(0, 4) for colour in COLOURS})
        demands = board.price(board.wall[at], at, less=dice.randint(0, 12))
        if min(d[ANY] for d in demands) <= 6:
            assert can_pay(stock, demands) == bool(payments(stock, demands))


def random_board(dice: random.Random) -> Board:
    """Any enemies anywhere, one at least on the wall."""
    deck = dice.sample(sorted(CARDS), 40)
    board = Board(quarters=tuple(dice.sample(COLOURS, 6)))
    for at in dice.sample(SEGMENTS, dice.randint(1, 20)):
        board.wall[at] = [CARDS[deck.pop()]]
    board.cannons = {n: dice.choice(COLOURS) for n in range(6) if dice.random() < 0.5}
    return board


def position(board: Board, *defenders: tuple[int, dict[str, int], list[Spell]]) -> Position:
    stocks = [stock for _, stock, _ in defenders]
    reserve = {colour: 15 - sum(stock.get(colour, 0) for stock in stocks) for colour in COLOURS}
    return Position(board, [at for at, _, _ in defenders], stocks, reserve, [mine for _, _, mine in defenders])


def test_sources() -> None:
    """EX-2, an empty stock, a drained and a blocked source, an obelisk, a reserve that runs out."""
    now = position(Board(), (0, {"red": 1}, []))
    yellow = Source("yellow")
    assert now.gives_mana(0, yellow)
    assert now.gained(0, yellow, "red") == {"red": 0, "yellow": 3}
    now.obelisks[0] = "yellow"
    assert now.gained(0, yellow, "red", prism="blue", more=2) == {"red": 0, "blue": 6}
    now.stocks[0] = {}
    assert now.gained(0, yellow, "") == {"yellow": 4}
    now.reserve["yellow"] = 1
    assert now.gained(0, yellow, "") == {"yellow": 0}  # BA-082
    now.reserve["yellow"] = 0
    assert not now.gives_mana(0, yellow)  # BA-080
    now.stocks[0] = {"red": 1}
    now.board.wall[1] = [CARDS["archmage_black"]]
    assert not now.gives_mana(0, yellow)  # drained
    assert now.gives_mana(0, Source("red"))
    now.board.plazas[0] = [CARDS["flyer_red"]]
    assert not now.gives_mana(0, Source("red"))
    assert not now.tower_usable(0)


def test_help_with_an_attack() -> None:
    board = Board(wall={1: [CARDS["rider_blue"]], 24: [CARDS["golem"]]})
    attacker: tuple[int, dict[str, int], list[Spell]] = (0, {"blue": 2}, [("copy", 0)])
    beside: tuple[int, dict[str, int], list[Spell]] = (0, {}, [("flame", 2)])
    far: tuple[int, dict[str, int], list[Spell]] = (3, {}, [("flame", 2)])
    assert position(board, attacker, beside).targets(0) == {("wall", 1)}  # 6 less 2, and 2 copied
    assert position(board, attacker, far).targets(0) == set()
    now = position(board, (0, {"blue": 2}, [("copy", 0), ("flame", 2)]), far)
    assert now.targets(0) == {("wall", 1)}
    now.board.plazas[5] = [CARDS["shaggon"]]
    assert now.targets(0) == set()
    now = position(board, (0, {"green": 6}, []), (2, {}, [("alchemy", 0)]))
    assert now.targets(0) == set()  # Alchemy is for the attacker only
    now.spells[0] = [("copy", 0)]
    assert now.targets(0) == {("wall", 1)}
    now.places[0] = 3
    assert now.targets(0) == set()
    now.spells[0].append(("arrow", 0))
    assert now.targets(0) == {("wall", 1)}
    now.stocks[0] = dict.fromkeys(COLOURS, 1)
    assert now.targets(0) == {("wall", 1)}  # no Arrow reaches the golem
    now.places[0] = 5
    assert now.targets(0) == {("wall", 1), ("wall", 24)}


def test_ways_in_and_out() -> None:
    board = Board(plazas={1: [CARDS["rokai"]]}, citadel=[CARDS["dragon_red"], CARDS["dragon_blue"]])
    now = position(board, (0, {"blue": 10}, []), (1, {}, []))
    assert now.moves(0) == {CITADEL, 5}  # Rokai costs 5 green
    assert now.moves(0, attacked=True) == {5}
    assert now.ways_out(1) == {0, 2}
    now.stocks[0] = {"green": 4}
    assert now.moves(0) == {5}
    now.spells[1] = [("flame", 1)]
    assert now.moves(0) == {1, 5}  # with the flame of the defender there
    now.places[0], now.stocks[0] = CITADEL, {"red": 10}
    board.citadel.pop()
    assert now.stays(0)
    now.stocks[0] = {"red": 9}
    now.spells[0] = [("lightning", 1)]
    assert not now.stays(0)  # BA-262


def table(*defenders: tuple[int, dict[str, int], list[Spell]], board: Board | None = None) -> Table:
    now = position(board or Board(), *defenders)
    return Table(**vars(now), waiting=[[] for _ in defenders], active=[[] for _ in defenders])


def test_every_card_becomes_a_spell() -> None:
    assert {spell_of(card) for card in CARDS.values()} == set(SPELLS.values())


def test_a_turn_of_the_rulebook() -> None:
    """EX-1, with the rider on the wall of the black quarter and its walls as in the rules."""
    now = table((1, {"green": 3}, [("acceleration", 0), ("alchemy", 0)]), (5, {}, [("flame", 1)]))
    now.sources = {n: [] for n in range(6)}
    now.sources[1] = [Source("red", chip) for chip in ("green", "blue", "yellow")]
    now.reserve = {c: n - 1 * (c in ("green", "blue", "yellow")) for c, n in now.reserve.items()}
    now.board.wall[22] = [CARDS["rider_blue"]]
    now.deck = [CARDS["mage_red"], CARDS["flyer_black"]]
    now.gain_from_tower(0, "green")
    assert {c: n for c, n in now.stocks[0].items() if n} == {"green": 3, "blue": 1, "yellow": 1}
    assert now.towers == {1: "green"}
    assert not any(source.chip for source in now.sources[1])
    now.places[0] = 5
    assert now.targets(0) == {("wall", 22)}
    now.spells[1].clear()
    assert now.targets(0) == set()
    now.beat(0, ("wall", 22), {"green": 3, "blue": 1, "yellow": 1})
    assert now.spells[0][-1] == ("flame", 2)
    assert list(now.enemy_stage()) == []
    assert [card.name for card in now.board.plazas[5]] == ["flyer_black"]
    assert now.chips() == dict.fromkeys(COLOURS, 15)


def test_structures() -> None:
    now = table((0, {"red": 1}, []))
    now.sources = {0: []}
    now.waiting[0] = [("source", "blue"), ("cannon", "red"), ("converter", "red")]
    now.perform(0, ("source", "blue"))
    now.gain_from_source(0, now.sources[0][0], "red")
    assert now.stocks[0]["blue"] == 3
    now.perform(0, ("cannon", "red"))
    assert (now.reserve["red"], now.ritual_deck, now.sources[0]) == (15, [("source", "blue")], [])
    assert now.board.cannons == {0: "red"}
    now.perform(0, ("converter", "red"))
    assert (now.active[0], now.waiting[0]) == ([("converter", "red")], [])
    assert (now.drawn(), now.drawn()) == ([("source", "blue")], [])
    assert now.chips() == dict.fromkeys(COLOURS, 15)


def test_driven_out_one_after_the_other() -> None:
    """Rokai drives one to the citadel, the dragon that Black Wing brings drives that one out."""
    now = table((5, {}, []), (0, {}, []))
    now.sources = {n: [] for n in range(6)}
    now.deck = [CARDS[n] for n in ("dragon_red", "black_wing", "rokai")]
    course = now.add_enemy()
    assert next(course) == {0: {CITADEL, 0, 4}}
    now.places[0] = CITADEL
    assert list(course) == []
    assert list(now.add_enemy()) == [{0: {0, 1, 2, 3, 4}}]  # Black Wing, and the dragon it brings
    assert sorted(now.board.plazas) == [0, 5]
    assert now.won()


def test_arrows_into_another_quarter() -> None:
    """BA-304 to BA-306: shields hold, white is paid where it is, Flames come from beside the attacker."""
    board = Board(wall={9: [CARDS["shaggon"]], 10: [CARDS["priest_red"]], 13: [CARDS["infiltrator"]]})
    arrow: Spell = ("arrow", 0)
    now = position(board, (0, {"blue": 8, "red": 2}, [arrow]), (3, {}, [("flame", 1)]), (0, {}, [("flame", 1)]))
    assert now.targets(0) == set()  # and Shaggon bans the flames
    del board.wall[9]
    assert now.targets(0) == {("wall", 13)}
    assert now.price(("wall", 13)) == {demand({"red": 3})}
    now.spells[2] = []
    assert now.targets(0) == set()


def test_a_carrier_on_a_plaza() -> None:
    """BA-312: it is attacked with all its cards, and blocks the mana with them."""
    board = Board(wall={24: [CARDS["mage_red"]]})
    board.enter(CARDS["belligemin"])
    now = position(board, (5, {"red": 5, "black": 4}, []))
    assert now.price(("plaza", 5)) == {demand({"red": 5, "black": 4})}
    assert now.targets(0) == {("plaza", 5)}
    assert not now.tower_usable(0)
    assert not now.gives_mana(0, Source("red"))


def dealt(dice: random.Random, defenders: int) -> Table:
    """A table of the normal mode, extreme: 43 enemies with three classes and four legends, of which some have come."""
    now = table(*[(CITADEL, dict.fromkeys(COLOURS, 1), []) for _ in range(defenders)])
    classes = dice.sample(["scout", "symbiote", "flyer", "priest", "giant", "archmage", "shapeshifter", "dragon"], 3)
    names = [f"{kind}_{colour}" for kind in ("beast", "warrior", "mage", "rider") for colour in COLOURS]
    names += [f"{kind}_{colour}" for kind in classes for colour in dice.sample(COLOURS, 5)]
    names += dice.sample([name for name in CARDS if name.partition("_")[2] not in COLOURS], 4)
    now.deck = [CARDS[name] for name in dice.sample(names, len(names))]
    now.board.quarters = tuple(dice.sample(COLOURS, 6))
    for at, colour in enumerate(now.board.quarters):
        first = COLOURS.index(colour)
        now.sources[at] = [Source(COLOURS[(first + step) % 6]) for step in (0, 1, 3)]
    rituals = [(kind, colour) for kind in ("converter", "source", "obelisk", "cannon") for colour in COLOURS]
    now.ritual_deck = dice.sample(rituals, len(rituals))
    now.waiting = [[now.ritual_deck.pop(), now.ritual_deck.pop()] for _ in range(defenders)]
    aside = now.board.set_up(now.deck, defenders + 1)
    now.deck = dice.sample(now.deck + aside, len(now.deck) + len(aside))
    if now.board.citadel:
        now.places = [dice.choice(sorted(now.ways_out(who))) for who in range(defenders)]
    return now


def attack(dice: random.Random, now: Table, who: int, wanted: set[Spot]) -> bool:
    """With chips alone; performs a ritual if one fits. Whether there was an attack."""
    stock = demand(now.stocks[who])
    able = [s for s in sorted(wanted) if now.attackable(who, s, spells=False)]
    if not able:
        return False
    spot = dice.choice(able)
    paid = dice.choice(sorted(payments(stock, now.price(spot))))
    enemy = now.beat(who, spot, {colour: n for colour, n in zip(COLOURS, paid, strict=False) if n})
    for card in enemy:
        fits = now.board.rituals(card, None if spot[0] == "citadel" else now.place_of(spot))
        if own := [ritual for ritual in now.waiting[who] if ritual[1] in fits]:
            now.perform(who, dice.choice(own), dice.randrange(6))
            drawn = now.drawn()
            now.waiting[who] += drawn[:1]
            now.ritual_deck[:0] = drawn[1:]
    return True


def turn(dice: random.Random, now: Table, who: int) -> None:
    """The three actions in random order, and then the enemy."""
    attacked = False
    for action in dice.sample(["move", "gain", "attack"], 3):
        here = {spot for spot in now.enemies() if now.place_of(spot) == now.places[who]}
        if action == "move":
            free = [place for place in now.moves(who) if now.free_to_enter(place)]
            now.places[who] = dice.choice(free) if free else now.places[who]
        elif action == "gain" and (sources := now.open_sources(who)):
            held = [colour for colour, n in now.stocks[who].items() if n]
            now.gain_from_source(who, dice.choice(sources), dice.choice(held) if held else "")
        elif action == "gain" and now.tower_usable(who):
            now.gain_from_tower(who, next((colour for colour, n in now.stocks[who].items() if n), ""))
        elif action == "gain" and now.citadel_usable(who):
            now.gain_from_citadel(who)
        elif action == "attack":
            attacked = attack(dice, now, who, here)
    if now.places[who] == CITADEL and now.board.citadel and not (attacked and now.stays(who)):
        now.places[who] = dice.choice(sorted(now.ways_out(who)))
    for asked in now.enemy_stage():
        for driven, ways in asked.items():
            now.places[driven] = dice.choice(sorted(ways))


@pytest.mark.parametrize("defenders", [1, 2, 3, 4])
def test_no_chip_and_no_enemy_is_lost_in_plays_of_the_oracle(defenders: int) -> None:
    """BA-096, and 43 enemies: on the board, in the deck, or beaten."""
    ends = set()
    for seed in range(8):
        dice = random.Random(100 * defenders + seed)
        now = dealt(dice, defenders)
        for number in range(400):
            try:
                turn(dice, now, number % defenders)
            except Lost:
                ends.add("lost")
                break
            assert now.chips() == dict.fromkeys(COLOURS, 15)
            assert all(n >= 0 for stock in (*now.stocks, now.reserve) for n in stock.values())
            on_board = sum(len(enemy) for enemy in now.enemies().values())
            assert on_board + len(now.deck) + sum(map(len, now.spells)) == 43
            assert all(has_places(now, who) for who in range(defenders))
            if now.won():
                ends.add("won")
                break
        else:
            ends.add("on")
    assert ends == {"lost"}  # at random nobody wins


def has_places(now: Table, who: int) -> bool:
    """BA-288: there is always a way out."""
    return bool(now.ways_out(who))
