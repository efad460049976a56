"""Bastion beside its oracle: in random plays both say what enemies are, what may be done, and what the enemy brings.

The oracle is told the position at each decision, and the deck. It says: the power, colour and price of each enemy, who
is protected, which ways there are to gain mana, to move and to attack (with the help of all), what an attack may cost,
and which position the stage of the enemy leads to, with all whom it drives out.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bastion_oracle import (
    CARDS,
    COLOURS,
    SEGMENTS,
    Board,
    Card,
    Demand,
    Lost,
    can_pay,
    landing,
    moving,
    payments,
    reduced,
    striding,
    with_alchemy,
)
from bastion_table import CITADEL, Source, Spot, Table, spell_of
from test_language_a import ask as ask_once
from test_language_a import put

import ruledsl
from ruledsl.runtime.play import Play
from ruledsl.testing.runner import position_of

FOLDER = Path(__file__).parent.parent / "games" / "bastion"
MODES = ["training", "normal", "darkened_skies", "trembling_earth", "show_of_force", "late_arrival"]
ACTIONS = {"walk", "go_with_help", "use_source", "use_tower", "use_keep", "attack", "attack_with_help", "shoot"}
ATTACKS = {"attack", "attack_with_help", "shoot", "shoot_with_help"}
ACTIONS |= {"shoot_with_help", "use_converter", "use_accumulator", "restore"}
NAMED = {"moving": {"moving"}, "gaining": {"gaining"}, "attacking": {"attacking"}, "using": {"restoring"}}
PLAIN = ("darkened_skies", "trembling_earth")


@cache
def game() -> ruledsl.Game:
    return ruledsl.load(FOLDER)


def ask(play: Play, text: str, me: int | None = None) -> Any:
    """As often as one likes: the variables of the question before are not needed any more."""
    used = play.world.next_scratch
    try:
        return ask_once(play, text, me)
    finally:
        play.world.next_scratch = used


def place(name: str) -> int:
    return CITADEL if name == "keep" else int(name[1:]) - 1


def named(place: int) -> str:
    return "keep" if place == CITADEL else f"q{place + 1}"


def chip(pool: dict[str, int]) -> str:
    """The one that lies there, or none."""
    found = [colour for colour, number in pool.items() for _ in range(number)]
    assert len(found) <= 1
    return found[0] if found else ""


def told(play: Play) -> Table:
    """The position as the oracle knows it."""
    view = play.view(None)
    places, pools, boards = view["places"], view["pools"], view["boards"]
    enemies = {
        name: [CARDS[n] for n in names if n in CARDS] for name, names in {**boards["wall"], **boards["city"]}.items()
    }
    wall = {int(name[1:]): enemy for name, enemy in enemies.items() if name[0] == "w" and enemy}
    plazas = {place(name): enemy for name, enemy in enemies.items() if name[0] == "q" and enemy}
    quarters = tuple(places[f"q{n}_laid"][0].removesuffix("_quarter") for n in range(1, 7))
    built = {n: _ritual(places[f"q{n + 1}_foundation"][0]) for n in range(6) if places.get(f"q{n + 1}_foundation")}
    where = {name: place(spot) for spot, names in boards["city"].items() for name in names if name not in CARDS}
    seats = play.players
    damaged = view["values"].get("damaged", {})
    return Table(
        Board(
            quarters,
            wall,
            plazas,
            enemies.get("keep", []),
            {n: c for n, (kind, c) in built.items() if kind == "cannon"},
        ),
        places=[where[f"{name}_defender"] for name in seats],
        stocks=[dict(pools["mana"][name]) for name in seats],
        reserve=dict(pools["supply.mana"]),
        spells=[[spell_of(CARDS[card]) for card in places[f"{name}_spells"]] for name in seats],
        sources={n: _sources(play, n, quarters[n], built.get(n), pools["chip"], damaged) for n in range(6)},
        towers={n: on for n in range(6) if (on := chip(pools["tower"][f"q{n + 1}"]))},
        obelisks={n: c for n, (kind, c) in built.items() if kind == "obelisk"},
        deck=[CARDS[play.world.roots["piece"].names[n]] for n in ask(play, "list(deck)")],
        built=built,
    )


def _ritual(name: str) -> tuple[str, str]:
    kind, _, colour = name.partition("_")
    return kind, colour


def _sources(play: Play, at: int, colour: str, built: Any, chips: Any, damaged: Any) -> list[Source]:
    steps = (0, 0, 2) if ask(play, "side == plain") else (0, 1, 3)
    colours = [COLOURS[(COLOURS.index(colour) + step) % 6] for step in steps]
    found = [Source(c, chip(chips[f"s{at + 1}{x}"])) for c, x in zip(colours, "abc", strict=True)]
    if built and built[0] == "source":
        found.append(Source(built[1], chip(chips[f"s{at + 1}d"]), built=True))
    for source, letter in zip(found, "abcd", strict=False):
        source.damaged = bool(damaged.get(f"s{at + 1}{letter}"))
    return found


# ------------------------------------------------------------------------------------------- what enemies are


def check_enemies(play: Play, now: Table, dice: random.Random) -> None:
    """Power, protection and price of each, and whether somebody could pay with some points of discount."""
    for spot, enemy in now.enemies().items():
        kind, number = spot
        at, plaza = (number if kind == "wall" else None), (number if kind == "plaza" else None)
        for card in enemy:
            assert ask(play, f"power({card.name})") == now.board.power(card, at, plaza), (card.name, spot)
        first = enemy[0].name
        if kind == "wall":
            assert bool(ask(play, f"exposed({first})")) != now.board.protected(number), (first, spot)
        less, who = dice.choice((0, 0, 1, 4)), dice.randrange(len(now.stocks))
        said = ask(play, f"payable(full_price({first}), less=rebate({first}) + {less}, least=1)", who)
        assert bool(said) == can_pay(chips(now.stocks[who]), now.price(spot, less)), (first, spot, less, who)


def chips(stock: dict[str, int]) -> Demand:
    return (*(stock.get(colour, 0) for colour in COLOURS), 0)


# ------------------------------------------------------------------------------------------- what may be done


def offered(play: Play, seat: int) -> dict[str, int]:
    return {option.notation: option.index for option in play.options(seat)}


def told_of(notations: Any, *actions: str) -> set[str]:
    """The places, enemies or sources that options of these actions are about."""
    found = set()
    for notation in notations:
        name, _, rest = notation.partition(" ")
        if name in actions:
            found.add(re.sub(r".*\b(?:to|e|w)=(\w+).*", r"\1", rest))
    return found


def check_options(play: Play, now: Table, who: int, found: dict[str, int], kinds: set[str]) -> None:
    """What is offered of the deeds that may be done now, whether anybody's help is asked for or not."""
    values = play.view(None)["values"]
    attacked, refused = "attacking" in values["done_deeds"], set(values.get("asked", []))
    if "moving" in kinds:
        ways = told_of(found, "walk", "go_with_help")
        wanted = {named(to) for to in now.moves(who, attacked)}
        if refused:
            assert ways <= wanted
        else:
            assert ways == wanted
    if "gaining" in kinds:
        sources = now.sources.get(now.places[who], [])
        names = {f"s{now.places[who] + 1}{'abcd'[n]}" for n, s in enumerate(sources) if now.gives_mana(who, s)}
        assert told_of(found, "use_source") == names
        assert any(n.startswith("use_tower") for n in found) == now.tower_usable(who)
        assert ("use_keep" in found) == now.citadel_usable(who)
    if "restoring" in kinds:
        names = {f"s{now.places[who] + 1}{'abcd'[n]}" for n in now.restorable(who)}
        assert told_of(found, "restore") == names
    if "attacking" in kinds:
        said = told_of(found, "attack", "attack_with_help", "shoot", "shoot_with_help")
        reach = {now.enemies()[spot][0].name for spot in attackable(now, who, bool(values.get("spell_cast")))}
        if refused:
            assert said <= reach
            assert said >= reach - refused
        else:
            assert said == reach, (said - reach, reach - said)


def attackable(now: Table, who: int, spell_cast: bool) -> set[Spot]:
    """BA-298: after a spell in this attack an immune enemy is none."""
    enemies = now.enemies()
    return {s for s in now.targets(who) if not (spell_cast and "immunity" in enemies[s][0].abilities)}


# ------------------------------------------------------------------------------------------- a play


class Follower:
    """One play of the game, with the oracle beside it."""

    def __init__(self, play: Play, seed: int) -> None:
        self.play = play
        self.dice = random.Random(seed)
        self.ahead: Iterator[dict[int, set[int]]] | None = None  # the stage of the enemy that is going on
        self.table: Table | None = None  # and the position in it
        self.fleeing: dict[int, set[int]] = {}
        self.attack: dict[str, Any] | None = None
        self.named = ""
        self.seen: set[str] = set()
        self.stages = self.attacks = 0  # how many were compared

    def run(self, most: int = 1500) -> None:
        for _ in range(most):
            if self.play.over:
                break
            self.step()
        assert self.play.fault is None
        if self.play.over:
            self.end()

    def step(self) -> None:
        play = self.play
        seat = self.dice.choice(play.pending)
        found = offered(play, seat)
        phase = play.view(None)["phase"]
        now = told(play) if phase else None
        if now is not None:
            assert now.chips() == dict.fromkeys(COLOURS, 15)
            self.look(now, seat, found, phase)
        notation = self.pick(sorted(found))
        self.seen.add(notation.partition(" ")[0])
        if now is not None:
            self.before(now, seat, notation, phase)
        play.choose(found[notation], seat)
        if now is not None:
            self.after(now, seat)

    def pick(self, notations: list[str]) -> str:
        """At random, but attacks first and the end of a stage last, so that plays get somewhere."""
        busy = [n for n in notations if n != "stop"]
        eager = [n for n in busy if n.partition(" ")[0] in ATTACKS]
        gains = [n for n in busy if n.startswith("use_")]
        if eager and self.dice.random() < 0.6:
            return self.dice.choice(eager)
        if "stop" in notations and self.dice.random() < 0.25:
            return "stop"
        if gains and self.dice.random() < 0.5:
            return self.dice.choice(gains)
        return self.dice.choice(busy or notations)

    def look(self, now: Table, seat: int, found: dict[str, int], phase: str) -> None:
        """Compares, wherever it is known what is asked for."""
        if phase == "assault":
            self.assault_goes_on(now, seat, found)
            return
        whose = self.play.view(None)["turn_player"]
        who = self.play.players.index(whose)
        values = self.play.view(None)["values"]
        done, tried = set(values["done_deeds"]), values.get("tried")
        kinds = {"moving", "gaining", "attacking", "restoring"} - done
        names = {notation.partition(" ")[0] for notation in found}
        if self.named and names & ACTIONS:
            check_options(self.play, now, who, found, NAMED[self.named] & kinds)
        elif (
            not (self.named or tried)
            and names <= ACTIONS | {"cast_repeat", "stop"}
            and names & (ACTIONS | {"stop"})
            and self.top(found)
        ):
            check_options(self.play, now, who, found, kinds)
        if "name_action" in names:
            self.named = ""
        if not done and self.dice.random() < 0.5:
            check_enemies(self.play, now, self.dice)

    def top(self, found: dict[str, int]) -> bool:
        """Whether this is the list of actions of a stage, and not what follows on one of them."""
        texts = [option.text for option in self.play.options(self.play.pending[0]) if option.notation == "stop"]
        return "end the stage" in texts or not texts

    def before(self, now: Table, seat: int, notation: str, phase: str) -> None:
        name, _, rest = notation.partition(" ")
        if name == "name_action":
            self.named = rest.removeprefix("d=")
        elif name in ACTIONS:
            self.named = ""
        if phase == "assault" and self.table:
            self.table.places[seat] = place(notation.removeprefix("to="))
            del self.fleeing[seat]
        if phase != "stage":
            return
        stop = [o.text for o in self.play.options(seat) if o.notation == notation]
        if stop == ["end the stage"]:
            self.table = told(self.play)
            self.ahead = self.table.enemy_stage()
        if name in ATTACKS | {"walk", "go_with_help", "accelerate"}:
            self.attack = {"who": seat, "less": 0, "alchemy": False, "before": now, "with": set(now.enemies())}
        if self.attack and name in ("cast_flame", "cast_lightning"):
            self.attack["less"] += self.points(rest)
        if self.attack and name == "cast_alchemy":
            self.attack["alchemy"] = True

    def points(self, rest: str) -> int:
        """The number of the spell that is cast or copied."""
        card = re.search(r"\bm=(\w+)", rest) or re.search(r"card=(\w+)", rest)
        assert card
        return spell_of(CARDS[card[1]])[1]

    def after(self, now: Table, seat: int) -> None:
        if self.attack:
            self.paid()
        if self.ahead and not self.play.over:
            self.assault_went_on()

    def paid(self) -> None:
        """When the enemy that was attacked is gone: what it cost, and what became of it."""
        assert self.attack
        then, who = self.attack["before"], self.attack["who"]
        now = told(self.play)
        gone = {spot: enemy for spot, enemy in then.enemies().items() if enemy[0] not in on_board(now)}
        if not gone or (self.play.view(None)["phase"] != "stage" and not self.play.over):
            return
        ((spot, enemy),) = gone.items()
        price = then.price(spot)
        if self.attack["alchemy"]:
            price = {with_alchemy(price)}
        price = {left for one in price for left in reduced(one, self.attack["less"])}
        paid = tuple(a - b for a, b in zip(chips(then.stocks[who]), chips(now.stocks[who]), strict=True))
        assert paid in payments(chips(then.stocks[who]), price), (enemy[0].name, paid, self.attack["less"])
        for card in enemy:
            assert spell_of(card) in now.spells[who]
        self.attack = None
        self.attacks += 1

    def assault_went_on(self) -> None:
        """The stage of the enemy as the oracle has it, up to the first who must leave, or to the next turn."""
        phase = self.play.view(None)["phase"]
        assert self.ahead
        if phase == "assault":
            if not self.fleeing:
                self.fleeing = dict(next(self.ahead))
            return
        assert not self.fleeing
        assert next(self.ahead, None) is None, "the oracle drives somebody out"
        self.compare()
        self.ahead = self.table = None
        self.stages += 1

    def assault_goes_on(self, now: Table, seat: int, found: dict[str, int]) -> None:
        """Somebody leaves: who may go where."""
        ways = {notation.removeprefix("to=") for notation in found}
        assert ways == {named(to) for to in now.ways_out(seat)}
        if self.table:
            assert self.table.board.citadel == now.board.citadel
            assert ways == {named(to) for to in self.fleeing[seat]}

    def compare(self) -> None:
        assert self.table
        now = told(self.play)
        for what in ("wall", "plazas", "citadel"):
            assert getattr(now.board, what) == getattr(self.table.board, what), what
        for what in ("sources", "towers", "reserve", "stocks", "places", "deck"):
            assert getattr(now, what) == getattr(self.table, what), what

    def end(self) -> None:
        now = told(self.play)
        if self.play.winners:
            assert now.won()
        elif self.ahead:
            with pytest.raises(Lost):
                list(self.ahead)


def on_board(now: Table) -> list[Card]:
    return [card for enemy in now.enemies().values() for card in enemy]


LEVELS = ["easy", "medium", "hard", "extreme"]
PLAYS = [(mode, 1 + at % 4, 21 + at) for at, mode in enumerate(MODES)]


def begun(mode: str, players: int, seed: int) -> Follower:
    options = {"mode": mode, "side": "plain" if mode in PLAIN else "statue"}
    options |= {"level": LEVELS[seed // 4 % 4]} if mode == "normal" else {}
    return Follower(game().start(players=players, seed=seed, options=options), seed)


@pytest.mark.parametrize(("mode", "players", "seed"), PLAYS)
def test_both_say_the_same(mode: str, players: int, seed: int) -> None:
    follower = begun(mode, players, seed)
    follower.run()
    assert {"walk", "use_source", "attack"} <= follower.seen
    assert follower.stages >= 3
    assert follower.attacks >= 1


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
def test_both_say_the_same_in_many_plays(mode: str) -> None:
    seen: set[str] = set()
    for seed in range(40):
        follower = begun(mode, 1 + seed % 4, 1000 + seed)
        follower.run()
        seen |= follower.seen
    assert {"shoot", "attack_with_help", "promise", "cast_alchemy", "cast_flame", "cast_prism"} <= seen


def rich(dice: random.Random, players: int) -> dict[str, Any]:
    """A position in the middle of things, as plays at random never get to: merged enemies, many spells, structures."""
    cards = dice.sample(sorted(CARDS), len(CARDS))
    wall = {f"w{at}": [cards.pop()] for at in dice.sample(SEGMENTS, dice.randint(2, 20))}
    for names in dice.sample(sorted(wall.values()), min(4, len(wall))):
        symbiotes = [card for card in cards if "symbiosis" in CARDS[card].abilities]
        if symbiotes and not {"shield", "immunity"} & set(CARDS[names[0]].abilities):
            names.append(symbiotes[0])
            cards.remove(symbiotes[0])
    flying = [card for card in cards if "flight" in CARDS[card].abilities]
    roosting = [card for card in cards if "roost" in CARDS[card].abilities]
    city: dict[str, list[str]] = {f"q{n}": flying[n : n + 1] for n in range(1, 7) if dice.random() < 0.4}
    city["keep"] = roosting[: dice.choice((0, 0, 1, 2))]
    used = {name for names in city.values() for name in names}
    cards = [card for card in cards if card not in used]
    names = ["anna", "boris", "vera", "gleb"][:players]
    places: dict[str, list[str]] = {
        f"{name}.spells": [cards.pop() for _ in range(dice.randint(0, 5))] for name in names
    }
    places["deck"] = [cards.pop() for _ in range(dice.randint(0, 8))]
    rituals = [f"{sort}_{c}" for sort in ("source", "obelisk", "cannon", "converter") for c in COLOURS]
    dice.shuffle(rituals)
    places |= {f"q{n}.foundation": [rituals.pop()] for n in range(1, 7) if dice.random() < 0.6}
    places |= {f"{name}.unperformed": [rituals.pop(), rituals.pop()] for name in names}
    places |= {f"{name}.active": [rituals.pop()] for name in names}
    places["ritual_deck"] = rituals
    left = dict.fromkeys(COLOURS, 15)
    pools: dict[str, dict[str, int]] = {}
    for name in names:
        pools[f"{name}.mana"] = {colour: dice.randint(0, 3) * dice.randint(0, 1) for colour in COLOURS}
        left = {colour: n - pools[f"{name}.mana"][colour] for colour, n in left.items()}
    for n in range(1, 7):
        blown = any("flight" in CARDS[card].abilities for card in city.get(f"q{n}", []))
        for holder in [f"s{n}{x}.chip" for x in "abc"] + [f"q{n}.tower"]:
            colour = dice.choice(COLOURS)
            if not blown and left[colour] and dice.random() < 0.4:
                pools[holder] = {colour: 1}
                left[colour] -= 1
    spots = [n for n in range(1, 7) if "rokai" not in city.get(f"q{n}", [])]
    for name in names:  # nobody begins where nobody may be
        spot = "keep" if not city["keep"] and dice.random() < 0.3 else f"q{dice.choice(spots)}"
        city.setdefault(spot, []).append(f"{name}_defender")
    if dice.random() < 0.2 and city["keep"]:  # one who stayed there
        spot = next(spot for spot, there in city.items() if "anna_defender" in there)
        city[spot].remove("anna_defender")
        city["keep"].append("anna_defender")
    boards = {"wall": wall, "city": city}
    given = {"turn": "anna", "values": {"leader": "anna"}, "boards": boards, "places": places, "pools": pools}
    return {"players": names, "preset": dice.choice(["easy", "show_of_force", "trembling_earth"]), "given": given}


def placed(folder: Path, seed: int) -> Follower:
    """The position in a file, as tests have it."""
    dice = random.Random(seed)
    path = folder / "position.yaml"
    path.write_text(json.dumps(rich(dice, 1 + seed % 4)), encoding="utf-8")
    play, report, failure = position_of(game(), path)
    assert play, ([str(found) for found in report.findings], failure)
    return Follower(play, seed)


@pytest.mark.parametrize("positions", [8, pytest.param(300, marks=pytest.mark.long)])
def test_both_say_the_same_of_rich_positions(positions: int, tmp_path: Path) -> None:
    for seed in range(positions):
        placed(tmp_path, seed).run(25)


@pytest.mark.parametrize("boards", [60, pytest.param(2_000, marks=pytest.mark.long)])
def test_the_ring_of_the_game(boards: int) -> None:
    """On random boards; BA-192, BA-199, BA-248."""
    dice = random.Random(192)
    empty = game().start(players=2, seed=1, options={"mode": "show_of_force"})
    names = sorted(CARDS)
    for name in on_wall(empty):
        put(empty, name, "box")
    for _ in range(boards):
        play = empty.copy()
        occupied = dict(zip(dice.sample(SEGMENTS, dice.randint(1, 24)), dice.sample(names, 24), strict=False))
        for at, name in occupied.items():
            put(play, name, f"w{at}")
        mover, to = moving(occupied)
        assert number(play, "first(s in segment where not empty(s))") == mover
        assert number(play, "landing(w1)") == landing(occupied)
        assert number(play, f"landing(w{mover})") == to
        assert number(play, "last(w in segment where empty(w))") == striding(occupied)


def number(play: Play, text: str) -> int | None:
    """Of the segment, or none."""
    return int(ask(play, f"({text}).nth otherwise 0")) or None


def on_wall(play: Play) -> list[str]:
    return [name for names in play.view(None)["boards"]["wall"].values() for name in names]
