"""The hardest rules of card and defence games, each in a small game of `tests/language`, in positions made by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.diagnostics.model import Report
from ruledsl.engine.evaluate import Evaluator
from ruledsl.ir import core as C
from ruledsl.runtime.campaign import Campaign
from ruledsl.runtime.play import IllegalChoice, Play
from ruledsl.source.text import SourceFile
from ruledsl.syntax.parser import parse_text
from ruledsl.types import Elem, SetOf, bits

FOLDER = Path(__file__).parent / "language"
RANDOM_PLAYS = 20
MOST_DECISIONS = 5_000


class Table:
    """A play whose pieces and values are put where a test wants them; expressions are those of the language."""

    def __init__(self, name: str, players: int, seed: int = 0, **options: Any) -> None:
        self.play: Play = ruledsl.load(FOLDER / f"{name}.yaml").start(players=players, seed=seed, options=options)
        self._pass()

    def _read(self, text: str) -> Any:
        world = self.play.world
        report = Report()
        kept, world.report, world.elaborator.report = world.report, report, report
        typed = world.elaborator.expr(parse_text(text, SourceFile("test", text), 0, "expr", report))
        world.report, world.elaborator.report = kept, kept
        assert not report.errors, [d.message for d in report.sorted()]
        return typed

    def __getitem__(self, text: str) -> Any:
        """The value of an expression, as the engine holds it."""
        typed = self._read(text)
        state = self.play.state + [0] * 400  # room for the names of this expression
        value = Evaluator(self.play.machine).of(typed.node)(state)
        if isinstance(typed.type, SetOf):
            return set(bits(value))
        return value

    def names(self, text: str) -> list[str]:
        """The pieces of a set or list, or those on a space or in a place, by name."""
        inner = self._read(text).type
        space = isinstance(inner, Elem) and inner.root.kind == "space"
        typed = self._read(f"list(x for x in {f'pieces({text})' if space else text})")
        state = self.play.state + [0] * 400
        return [
            self.play.words.name(x, typed.type.of, "id") for x in Evaluator(self.play.machine).of(typed.node)(state)
        ]

    def set(self, **values: Any) -> Table:
        """Sets values by path, with `__` for the dot: `anna__tokens=3`; a text is an expression."""
        for path, value in values.items():
            target = self._read(path.replace("__", "."))
            node = target.node
            slot = node.slot if isinstance(node, C.Get) else node.base + self._index(node)
            if isinstance(value, str):
                value = Evaluator(self.play.machine).of(self._read(value).node)(self.play.state + [0] * 400)
            if isinstance(target.type, SetOf) and isinstance(value, tuple):
                self.play.state[slot] = sum(1 << member for member in value)
            elif isinstance(value, tuple | list):
                self.play.state[slot : slot + len(value)] = value
            else:
                self.play.state[slot] = value
        return self

    def _index(self, node: Any) -> int:
        width = getattr(node, "count", 1)
        return int(Evaluator(self.play.machine).of(node.index)(self.play.state)) * width

    def put(self, place: str, *pieces: str) -> Table:
        """Moves pieces by name to a space or place, in this order (the last comes to lie on top)."""
        world = self.play.world
        typed = self._read(place)
        spot = Evaluator(self.play.machine).of(world.spot_of(typed, world.span, "a test"))(self.play.state)
        for piece in pieces:
            self.play.machine.pieces.move(self.play.state, world.pieces.names.index(piece), spot, "top")
        return self

    def ready(self) -> Table:
        """Works out anew what is offered."""
        self.play.go_on()
        return self._pass()

    def _pass(self) -> Table:
        """Passes where nothing else can be done, and players are asked only to keep their hands hidden."""
        while [option.notation for option in self.play.options()] == ["stop"]:
            self.play.choose(0)
        return self

    def choose(self, *texts: str | int) -> Table:
        for text in texts:
            self.play.choose(text)
            self._pass()
        assert self.play.fault is None, self.play.fault
        return self

    @property
    def to_move(self) -> list[str]:
        return [self.play.players[seat] for seat in self.play.pending]

    @property
    def offered(self) -> list[str]:
        return [option.text for option in self.play.options()]

    def knows(self, seat: int, piece: str) -> bool:
        number = self.play.world.pieces.names.index(piece)
        return bool(self.play.machine.pieces.knowers(self.play.state, number) >> seat & 1)


def games() -> list[tuple[str, int]]:
    """Every fixture of this file with every number of its players."""
    found = []
    for name in FIXTURES:
        found += [(name, n) for n in ruledsl.load(FOLDER / f"{name}.yaml").players]
    return found


FIXTURES = [
    "knights_letters",
    "bending_enemies",
    "spell_windows",
    "capture",
    "rules_on_cards",
    "bent_events",
]


@pytest.mark.parametrize(("name", "players"), games())
def test_random_plays_end_without_faults(name: str, players: int) -> None:
    game = ruledsl.load(FOLDER / f"{name}.yaml")
    for seed in range(RANDOM_PLAYS):
        play, choice = game.start(players=players, seed=seed), random.Random(seed)
        for _ in range(MOST_DECISIONS):
            if play.over:
                break
            play.choose(choice.randrange(len(play.options())))
        assert play.fault is None, f"seed {seed}: {play.fault}"
        assert play.over, f"seed {seed}: not over after {MOST_DECISIONS} decisions"


# --------------------------------------------------------------- hidden hands, and cards that end the round


def letters(mine: list[str], theirs: list[str], third: list[str] | None = None) -> Table:
    """The first player of a round holds two cards and is about to play one."""
    table = Table("knights_letters", players=3 if third else 2)
    seat = table.play.pending[0]
    order = [seat, *(p for p in range(len(table.play.players)) if p != seat)]
    names = [table.play.players[p] for p in order]
    everything = list(table.play.world.pieces.names)
    table.put("deck", *everything)
    for name, cards in zip(names, [mine, theirs, third or []], strict=False):
        table.put(f"{name}.hand", *cards)
    table.names_in_order = names  # type: ignore[attr-defined]
    return table.ready()


def test_the_minister_must_go_beside_king_or_prince() -> None:
    table = letters(["countess", "king"], ["guard_1"])
    assert table.offered == ["play countess"]
    table = letters(["countess", "baron_1"], ["guard_1"])
    assert sorted(table.offered) == ["play baron", "play countess"]


def test_a_right_guess_against_the_last_rival_ends_the_round_in_the_midst_of_the_card() -> None:
    table = letters(["guard_1", "king"], ["priest_1"])
    me, rival = table.names_in_order  # type: ignore[attr-defined]
    table.choose("play guard")
    assert len(table.offered) == 7  # one rival, values 2 to 8
    table.choose(f"guess that {rival.replace('_', ' ')} holds a 2")
    assert table[f"{me}.tokens"] == 1
    assert table[f"{rival}.tokens"] == 0
    assert table["starter"] == table[me]
    assert table["count(deck)"] == 16 - 1 - 3 - 2 - 1  # already dealt anew, and the winner drew


def test_a_priest_shows_a_hand_to_one_player_only() -> None:
    table = letters(["priest_1", "guard_1"], ["princess"], ["king"])
    me, second, third = (table.play.players.index(n) for n in table.names_in_order)  # type: ignore[attr-defined]
    assert not table.knows(me, "princess")
    table.choose("play priest", f"p={table.play.players[second]}")
    assert table.knows(me, "princess")
    assert not table.knows(third, "princess")


def test_a_king_swaps_hands_and_both_remember() -> None:
    table = letters(["king", "guard_1"], ["princess"], ["baron_1"])
    me, second, third = (table.play.players.index(n) for n in table.names_in_order)  # type: ignore[attr-defined]
    table.choose("play king", f"p={table.play.players[second]}")
    assert table.knows(me, "princess")
    assert table.knows(second, "guard_1")
    assert table.knows(me, "guard_1")
    assert table.knows(second, "princess")
    assert not table.knows(third, "guard_1")
    assert not table.knows(third, "princess")


def test_a_princess_thrown_away_puts_her_player_out() -> None:
    table = letters(["prince_1", "guard_1"], ["princess"], ["baron_1"])
    _, second, _ = table.names_in_order  # type: ignore[attr-defined]
    table.choose("play prince", f"p={second}")
    assert table[f"{second}.out"]
    assert table.names(f"{second}.played") == ["princess"]
    assert not table[f"any({second}.hand)"]  # and draws no other


def test_a_lost_comparison_puts_the_attacker_out_and_play_goes_on() -> None:
    table = letters(["baron_1", "guard_1"], ["princess"], ["king"])
    me, second, _third = table.names_in_order  # type: ignore[attr-defined]
    table.choose("play baron", f"p={second}")
    assert table[f"{me}.out"]
    assert table["count(staying)"] == 2
    assert table.knows(table.play.players.index(me), "princess")
    assert table.to_move != [me]


def test_who_is_safe_cannot_be_named_and_all_safe_means_no_effect() -> None:
    table = letters(["guard_1", "king"], ["priest_1"])
    _me, rival = table.names_in_order  # type: ignore[attr-defined]
    table.set(**{f"{rival}__safe": 1}).choose("play guard")
    assert table.to_move == [rival]  # nobody to guess about: the turn is over


# ------------------------------------------------------------------------- enemies that change other rules


LINE = [
    "beast_yellow",
    "beast_blue",
    "warrior_red",
    "mage_green",
    "mage_red",
    "rider_red",
    "flyer_yellow",
    "giant_black",
    "archmage_red",
    "shapeshifter_red",
    "shapeshifter_blue",
    "leviathan",
    "rokai",
    "valkyrie",
    "scout_purple",
    "symbiote_blue",
    "infiltrator",
    "belligemin",
    "dragon_red",
    "knellervirm",
    "priest_green",
    "golem",
    "inquisitor",
]


def bastion(players: int = 1, **options: Any) -> Table:
    """All enemies in the box, nothing on the walls, the defenders in the keep; the first player is to move."""
    seed = 0
    table = Table("bending_enemies", players=players, **options)
    while "stop" not in table.offered:  # in this setup a dragon came
        seed += 1
        table = Table("bending_enemies", players=players, seed=seed, **options)
    table.put("box", *table.play.world.pieces.names[: len(LINE)])
    table.put("box", "yellow", "green", "blue", "red", "purple", "black")  # the cannons
    table.put("keep", *(f"{name}_defender" for name in table.play.players))
    table.put("deck", "beast_yellow", "rider_red")  # something still comes: no victory yet, and no enemy moves
    return table.ready()


def occupy(table: Table, segments: list[int]) -> None:
    spare = reversed(LINE)
    for segment in segments:
        table.put(f"wall[{segment}]", next(spare))


@pytest.mark.parametrize(
    ("occupied", "start", "lands"),
    [
        ([], 0, 24),
        ([24], 0, 23),
        ([22, 24], 0, 21),
        ([3, 4], 0, 2),
        ([8, 9, 20], 0, 7),
        ([1, 2, 9], 0, 8),
        ([1, 2, 3, 24], 0, 23),
        ([1, 2, 4, 5, 24], 0, 3),
        ([*range(1, 23), 24], 0, 23),
        (list(range(1, 24)), 0, 24),
        ([24], 22, 23),
        ([10, 11, 24], 3, 9),
        ([6, 7, 20], 5, 19),
        ([19, 20], 18, 24),
        ([21, 23, 24], 20, 22),
        ([22, 23, 24], 21, 0),
    ],
)
def test_landing_as_the_rules_work_it_out(occupied: list[int], start: int, lands: int) -> None:
    table = bastion()
    occupy(table, occupied)
    assert table[f"landing({start}).index otherwise 0"] == lands


def test_landing_of_a_full_wall_is_nowhere() -> None:
    table = bastion()
    occupy(table, list(range(1, 23)))
    table.put("wall[23]", "red").put("wall[24]", "green")  # there are only 23 enemies in this game
    assert table["landing(0).index otherwise 0"] == 0
    table.put("deck", "beast_yellow")
    assert not table.ready().play.over
    table.choose("stop")  # it must come, and there is no room
    assert table.play.over
    assert table.play.ending == "won"
    assert table.play.winners == []
    assert table.play.returns() == [-1.0]


def test_a_newcomer_that_strides_lands_nearest_the_gate() -> None:
    table = bastion()
    occupy(table, [22, 24])
    table.put("deck", "giant_black").ready().choose("stop")
    assert table.names("wall[23]") == ["giant_black"]


def test_mimics_add_up_their_neighbours() -> None:
    table = bastion()
    table.put("wall[9]", "scout_purple", "symbiote_blue")  # merged: 3 and 4
    table.put("wall[10]", "shapeshifter_red").put("wall[11]", "mage_green")
    assert table["power(shapeshifter_red)"] == 3 + 4 + 5
    table.put("wall[11]", "shapeshifter_blue")  # side by side: 9 each, whatever else stands there
    assert table["power(shapeshifter_red)"] == 9
    assert table["power(shapeshifter_blue)"] == 9
    table.put("wall[20]", "shapeshifter_blue")
    assert table["power(shapeshifter_blue)"] == 9
    assert table["power(shapeshifter_red)"] == 12


def test_a_cannon_counts_for_the_neighbour_first_and_then_for_the_mimic() -> None:
    table = bastion()
    table.put("wall[14]", "shapeshifter_red").put("wall[15]", "mage_red").put("red_quarter", "red")
    assert table["power(mage_red)"] == 5 - 2
    assert table["power(shapeshifter_red)"] == (5 - 2) - 2
    table.put("wall[12]", "mage_red")  # in the next quarter: no neighbour of 14, and out of the cannon's reach
    assert table["power(mage_red)"] == 5
    assert table["power(shapeshifter_red)"] == 9 - 2


def test_the_price_of_a_merged_enemy_under_a_tyrant() -> None:
    """The second arithmetic example of the rules: 6 + 1 - 2 red and 4 + 1 blue."""
    table = bastion()
    table.put("wall[14]", "rider_red", "symbiote_blue").put("red_quarter", "red").put("keep", "knellervirm")
    assert table["power(rider_red)"] == 5
    assert table["power(symbiote_blue)"] == 5
    assert table["full_price(rider_red)"] == (0, 0, 5, 5, 0, 0, 0, 0, 0, 0)
    table.put("keep", "dragon_red")  # covers it, and rules red enemies only
    assert table["power(rider_red)"] == 5
    assert table["power(symbiote_blue)"] == 4
    assert table["power(knellervirm)"] == 10  # grey has no color


def test_immunity_is_bent_by_nothing() -> None:
    table = bastion()
    table.put("wall[14]", "golem").put("wall[15]", "inquisitor").put("wall[16]", "mage_red").put("red_quarter", "red")
    table.put("keep", "knellervirm")
    assert table["power(golem)"] == 6
    assert table["attackable(golem)"]
    assert table["full_price(golem)"] == (1, 1, 1, 1, 1, 1, 0, 0, 0, 0)
    assert table["power(mage_red)"] == 5 + 1 + 1 - 2
    assert not table["attackable(mage_red)"]
    assert table["power(inquisitor)"] == 6 + 1 - 2
    assert table["attackable(inquisitor)"]
    table.put("wall[14]", "shapeshifter_red").put("wall[13]", "golem").put("box", "inquisitor")
    assert table["power(shapeshifter_red)"] == 6 + 1 - 2


def test_a_flyer_goes_on_past_the_gate_to_a_free_quarter() -> None:
    table = bastion(2)
    table.put("black_quarter", "rokai").put("yellow_quarter", "valkyrie")
    table.put("deck", "flyer_yellow").ready().choose("stop")
    assert table.names("green_quarter") == ["flyer_yellow"]
    assert table["no(s in wall where not empty(s))"]


def test_a_flying_symbiote_takes_its_carrier_along() -> None:
    table = bastion(2)
    table.put("wall[6]", "mage_red").put("wall[5]", "priest_green").put("deck", "belligemin").ready().choose("stop")
    assert table.names("wall[5]") == ["priest_green"]  # who shields carries nobody
    assert table.names("green_quarter") == ["mage_red", "belligemin"]
    assert table["distance(wall[6], wall[5])"] == 1
    assert table["empty(wall[6])"]


def test_reinforcements_come_depth_first_until_the_deck_is_empty() -> None:
    table = bastion(2)
    # The infiltrator brings two: a scout, which brings one more, and what is left.
    table.put("box", "beast_yellow", "rider_red")
    table.put("deck", "mage_green", "beast_blue", "mage_red", "scout_purple", "infiltrator").ready().choose("stop")
    assert table["count(deck)"] == 1
    assert [table.names(f"wall[{n}]") for n in (24, 23, 22, 21)] == [
        ["infiltrator"],
        ["scout_purple"],
        ["mage_red"],
        ["beast_blue"],
    ]


def test_a_dragon_drives_everybody_out_and_each_chooses() -> None:
    table = bastion(3)
    mover = table.to_move[0]
    table.put("blue_quarter", "rokai").put("deck", "dragon_red").ready().choose("stop")
    order = [table.to_move[0]]
    assert order == ["player_1"]
    assert "leave for blue_quarter" not in table.offered
    assert len(table.offered) == 5
    table.choose("leave for red_quarter")
    assert table.to_move == ["player_2"]
    table.choose("leave for green_quarter")
    assert table.to_move == ["player_3"]
    table.choose("leave for red_quarter")
    assert table.names("red_quarter") == ["player_1_defender", "player_3_defender"]
    after = {"player_1": "player_2", "player_2": "player_3", "player_3": "player_1"}
    assert table.to_move == [after[mover]]


def test_the_keep_is_entered_only_by_who_can_attack_there() -> None:
    table = bastion()
    table.put("keep", "dragon_red").put("red_quarter", "player_1_defender")
    table.set(player_1__stock=[0, 0, 0, 9, 0, 0]).ready()  # one chip too few
    assert "walk to=keep" not in [o.notation for o in table.play.options()]
    table.set(player_1__stock=[0, 0, 0, 10, 0, 0]).ready()
    assert "walk to=keep" in [o.notation for o in table.play.options()]
    # It can be attacked only from where one would stand: not from here.
    assert not table["can_attack(dragon_red)"]
    table.choose("walk to=keep")
    assert [o.notation for o in table.play.options()] == ["attack e=dragon_red"]  # at once
    table.choose("attack")
    while "chips" in table.play.options()[0].notation:
        table.choose(0)
    assert table.names("beaten") == ["dragon_red"]
    assert table["total(player_1.stock)"] == 0
    assert table["used(attack)"] == 1


def test_whoever_attacked_already_does_not_enter() -> None:
    table = bastion()
    table.put("keep", "dragon_red").put("red_quarter", "player_1_defender").put("wall[14]", "warrior_red")
    table.set(player_1__stock=[0, 0, 0, 15, 0, 0]).ready().choose("attack")
    while "chips" in table.play.options()[0].notation:
        table.choose(0)
    assert table["total(player_1.stock)"] == 15 - (4 + 1)  # the dragon rules red enemies
    assert "walk to=keep" not in [o.notation for o in table.play.options()]


def test_gathering_is_forbidden_by_what_is_in_play() -> None:
    table = bastion()
    table.put("black_quarter", "player_1_defender").ready()
    assert table["may_gather"]
    table.put("wall[1]", "archmage_red").ready()  # drains black, from anywhere
    assert not table["may_gather"]
    assert "gather" not in table.offered
    table.put("green_quarter", "player_1_defender").ready()
    assert table["may_gather"]
    table.put("green_quarter", "flyer_yellow")
    assert not table["may_gather"]
    table.put("wall[7]", "flyer_yellow")
    assert table["may_gather"]


def test_in_setup_two_that_shield_never_stand_side_by_side(thorough: bool) -> None:
    found = 0
    for seed in range(100 if thorough else 20):
        table = Table("bending_enemies", players=4, seed=seed, cards=23)
        while "stop" not in table.offered:  # a dragon drove somebody out
            table.choose(0)
        shields = table["set(s in wall where any(e in pieces(s, enemy) where has(e, shield)))"]
        assert not any(s + 1 in shields for s in shields)
        assert table["no(waiting)"]
        found += len(shields) == 2
    assert found


def test_the_last_beaten_enemy_wins_for_all_at_once() -> None:
    table = bastion(3)
    me = table.to_move[0]
    table.put("red_quarter", f"{me}_defender").put("wall[14]", "warrior_red").put("box", "beast_yellow", "rider_red")
    table.put("green_quarter", "flyer_yellow")  # need not be beaten
    table.set(**{f"{me}__stock": [0, 0, 0, 4, 0, 0]}).ready().choose("attack")
    while not table.play.over:
        table.choose(0)
    assert table.play.winners == [0, 1, 2]


def test_the_late_scenario_begins_with_a_dragon_in_the_keep() -> None:
    table = Table("bending_enemies", players=2, scenario="late", cards=23)
    while "stop" not in table.offered:
        table.choose(0)
    assert table["dragon_red in pieces(keep, enemy)"]
    assert table["all(p.defender.spot != keep for p in players)"]


# -------------------------------------------------------- spells in windows of each other's actions, promises


def mages(players: int = 2, stock: list[int] | None = None, **spells: list[str]) -> Table:
    """The first player, in `city[1]` like all, has these chips (red, blue, green); cards lie before `a`, `b`, `c`."""
    table = Table("spell_windows", players=players)
    names = table.play.players
    first = names.index(table.to_move[0])
    table.order = [*names[first:], *names[:first]]  # type: ignore[attr-defined]
    table.put("deck", *(p for p in table.play.world.pieces.names if "defender" not in p))
    for name, cards in spells.items():
        table.put(f"{table.order['abcd'.index(name)]}.spells", *cards)  # type: ignore[attr-defined]
    table.set(**{f"{table.order[0]}__stock": stock or [2, 2, 2]})  # type: ignore[attr-defined]
    return table


def notes(table: Table) -> list[str]:
    return [o.notation for o in table.play.options()]


def pay(table: Table) -> None:
    while notes(table) and notes(table)[0].startswith("chips="):
        table.choose(0)


def test_a_promise_brings_an_attack_into_reach_and_binds() -> None:
    table = mages(stock=[0, 0, 4], b=["archmage", "rider"]).put("wall[1]", "giant").ready()
    a, b = table.order  # type: ignore[attr-defined]
    table.choose("attack")
    assert table.to_move == [b]
    assert notes(table) == [*(f"promise n={n}" for n in (1, 2, 3, 4)), "pass"]
    table.choose("promise 3")
    assert table.to_move == [a]
    assert notes(table) == ["e=giant"]
    table.choose("e=giant")
    assert table.to_move == [b]
    assert "pass" not in table.offered
    table.choose("card=archmage")
    assert table.to_move == [a]
    assert table.offered == ["one green less"]
    table.choose(0, 0)
    assert table.to_move == [b]
    assert table.offered == ["cast rider as flame of rider"]
    table.choose(0, 0, 0)
    pay(table)
    assert table.names(f"{a}.spells") == ["giant"]
    assert table.names(f"{b}.spells") == []
    assert table[f"{a}.stock"][:3] == (0, 0, 1)
    assert table[f"{b}.pledge"] == 0
    assert table["used(attack)"] == 1
    assert table.names("box") == ["rider", "archmage"]


def test_without_the_promise_there_is_no_target_and_the_attack_is_not_used() -> None:
    table = mages(stock=[0, 0, 4], b=["archmage", "rider"]).put("wall[1]", "giant").ready()
    table.choose("attack", "promise 2")
    assert table["used(attack)"] == 0
    assert "attack" in notes(table)
    assert table[f"{table.order[1]}.pledge"] == 0  # type: ignore[attr-defined]
    table.choose("attack", "pass")
    assert table["used(attack)"] == 0


def test_a_spell_leaves_one_chip_to_pay() -> None:
    table = mages(stock=[1, 0, 0], a=["giant"]).put("wall[2]", "beast").ready()
    table.choose("attack", "e=beast")
    assert notes(table) == ["cast_spell card=giant model=giant"]
    table.choose(0, 0, 0)  # three points, but only two chips come off
    assert table["price"] == (1, 0, 0, 0)
    pay(table)
    assert table["total(turn_player.stock)"] == 0


def test_the_payer_lowers_a_merged_price_so_that_it_can_be_paid() -> None:
    table = mages(stock=[4, 2, 0], a=["giant"]).put("wall[1]", "warrior", "symbiote").ready()
    table.choose("attack", "e=warrior", "card=giant")
    assert table.offered == ["one blue less"]
    table.choose(0)
    assert table.offered == ["one blue less"]
    table.choose(0)
    assert table.offered == ["one red less", "one blue less"]  # nothing is short any more
    table.choose("one blue")
    assert table["price"] == (4, 1, 0, 0)
    pay(table)
    assert table["turn_player.stock"][:3] == (0, 1, 0)
    assert table.names("turn_player.spells") == ["warrior", "symbiote"]


def test_alchemy_lets_pay_in_any_colors() -> None:
    table = mages(stock=[2, 2, 2], a=["mage"]).put("wall[1]", "flyer").ready()
    table.choose("attack", "e=flyer")
    assert notes(table) == ["cast_spell card=mage model=mage"]  # without it the price cannot be paid
    table.choose(0)
    assert table["price"] == (0, 0, 0, 5)
    assert notes(table) == ["chips=red"]  # chip by chip in order: beginning with blue, five could not be reached
    table.choose("chips=red", "chips=blue", "chips=blue", "chips=green", "chips=green")
    assert table["turn_player.stock"][:3] == (1, 0, 0)


def test_copy_lends_its_card_to_a_spell_that_lies_before_anybody() -> None:
    table = mages(stock=[0, 0, 5], a=["shapeshifter"], b=["giant"]).put("wall[1]", "archmage").ready()
    _a, b = table.order  # type: ignore[attr-defined]
    table.choose("attack", "promise 3", "e=archmage")
    assert notes(table) == ["cast_spell card=shapeshifter model=giant"]
    table.choose(0, 0, 0, 0)
    assert table["price"] == (0, 0, 5, 0)
    assert table.names(f"{b}.spells") == ["giant"]
    assert table.names("box") == ["shapeshifter"]
    assert table.to_move == [b]  # who promised must cast all the same
    assert notes(table) == ["cast_spell card=giant model=giant"]


def test_the_owner_of_the_copy_must_stand_right_for_the_copied_spell() -> None:
    table = mages(stock=[0, 0, 9], a=["rider"], b=["shapeshifter"]).put("wall[1]", "archmage").ready()
    b = table.order[1]  # type: ignore[attr-defined]
    table.choose("attack", "e=archmage", "pass")
    assert table.to_move == [b]
    assert notes(table) == ["cast_spell card=shapeshifter model=rider", "pass"]
    table = mages(stock=[0, 0, 9], a=["rider"], b=["shapeshifter"]).put("wall[1]", "archmage")
    table.put("city[2]", f"{b}_defender").ready()
    table.choose("attack", "e=archmage", "pass")
    assert notes(table)[0].startswith("chips=")  # from there nobody can burn: not asked


def test_a_ban_holds_for_the_copy_too() -> None:
    table = (
        mages(stock=[0, 0, 9], a=["rider"], b=["shapeshifter"])
        .put("wall[1]", "archmage")
        .put("wall[8]", "shaggon")
        .ready()
    )
    table.choose("attack", "e=archmage")
    assert notes(table)[0].startswith("chips=")


def test_another_player_teleports_a_target_into_reach() -> None:
    table = mages(stock=[3, 0, 0], b=["valkyrie"]).put("wall[7]", "beast").ready()
    a, b = table.order  # type: ignore[attr-defined]
    table.choose("attack")
    assert table.to_move == [b]
    assert notes(table) == ["cast_spell card=valkyrie model=valkyrie", "pass"]
    table.choose(0)
    assert table.to_move == [b]
    assert len(notes(table)) == 7
    table.choose("s=7 to=2")
    assert table.to_move == [a]
    assert notes(table) == ["e=beast"]


def test_who_cast_a_spell_cannot_attack_the_immune() -> None:
    table = mages(stock=[0, 0, 6], b=["valkyrie"]).put("wall[7]", "beast").put("wall[1]", "golem").ready()
    table.choose("attack", "pass")
    assert notes(table) == ["e=golem"]
    table.choose(0)
    assert notes(table) == ["chips=green"]
    table = mages(stock=[0, 0, 6], b=["valkyrie"]).put("wall[7]", "beast").put("wall[1]", "golem").ready()
    table.choose("attack", 0, "s=7 to=5")
    assert "attack" in notes(table)
    assert table["used(attack)"] == 0


def test_an_arrow_reaches_everywhere_in_this_attack_only() -> None:
    table = mages(stock=[3, 0, 0], a=["flyer"]).put("wall[7]", "beast").ready()
    table.choose("attack")
    assert notes(table) == ["cast_spell card=flyer model=flyer", "pass"]
    table.choose(0)
    assert notes(table) == ["e=beast"]
    table.choose(0)
    pay(table)
    assert not table["far"]


def test_a_repeat_gives_a_whole_stage_but_not_what_is_once_in_a_turn() -> None:
    table = mages(stock=[2, 2, 2], a=["dragon"]).put("wall[7]", "beast").ready()
    a, b = table.order  # type: ignore[attr-defined]
    table.choose(f"ask {b.replace('_', ' ')} for red")
    assert table.to_move == [b]
    assert table.offered == ["give it", "refuse"]
    table.choose("give it")
    assert table[f"{a}.stock"][:3] == (3, 2, 2)
    assert table[f"{b}.stock"][:3] == (1, 2, 2)
    table.choose("gather blue")
    assert [n.split()[0] for n in notes(table)] == ["walk", "attack", "stop"]
    table.choose("stop")
    assert table.to_move == [a]
    assert notes(table) == ["cast_spell card=dragon model=dragon", "pass"]
    table.choose(0)
    assert table.to_move == [a]
    assert {n.split()[0] for n in notes(table)} == {"walk", "gather", "attack", "stop"}
    table.choose("stop")
    assert table.to_move == [b]  # the enemies came once, and it is the next one's turn
    assert table["count(s in wall where not empty(s))"] == 2


def test_an_acceleration_moves_on_at_once() -> None:
    table = mages(a=["beast"]).put("wall[7]", "mage").ready()
    table.choose("walk", "go to 2")
    assert notes(table) == ["cast_spell card=beast model=beast", "pass"]
    table.choose(0, "go to 3")
    assert table["turn_player.defender.spot.index"] == 3
    assert table["used(walk)"] == 1


# --------------------------------------------------------------------- hidden squads, capture, special cards


def siege(players: int = 2, **places: list[str]) -> Table:
    """Empty hands; all cards in the deck but those named: `a_hand`, squads by fort; the first player is `a`."""
    seed = 0
    table = Table("capture", players=players)
    while "draw_card" not in [
        o.action for o in table.play.options()
    ]:  # a special card is in hand: they are asked before
        seed += 1
        table = Table("capture", players=players, seed=seed)
    names = table.play.players
    first = names.index(table.to_move[0])
    order = [*names[first:], *names[:first]]
    table.order = order  # type: ignore[attr-defined]
    cards = [p for p in table.play.world.pieces.names if not p.startswith("fort")]
    table.put("deck", *cards)
    table.play.state[table.play.machine.program.spots.known :][: len(cards)] = [0] * len(cards)
    known = table.play.machine.program.spots.known
    for i in range(table.play.world.pieces.size):
        table.play.state[known + i] = 0
    for place, pieces in places.items():
        who, _, what = place.partition("_")
        table.put(f"{order['abcd'.index(who)]}.{what}" if who in "abcd" else f"{place}.squad", *pieces)
    return table


def squads(table: Table) -> dict[str, list[str]]:
    return {f"fort_{n}": table.names(f"fort_{n}.squad") for n in (1, 2, 3, 4) if table[f"any(fort_{n}.squad)"]}


def commit(table: Table, fort: str, *cards: str) -> Table:
    """An attack: the fort, then the cards in their order, then `done` if more could join."""
    table.choose(f"attack f={fort}")
    for card in cards:
        table.choose(f"team={card}")
    if table.offered and "done" in notes(table):
        table.choose("done")
    return table


TOTALS = [
    (["two_1", "two_2", "two_3"], 18),
    (["five_1", "five_2"], 20),
    (["five_1", "five_2", "five_3"], 45),
    (["double"], 4),
    (["double", "one_1", "one_2"], 16),
    (["four_1", "four_2", "joker_1"], 36),
    (["four_1", "four_2", "zero"], 24),
    (["four_1", "four_2", "mirror"], 32),
    (["joker_1"], 0),
    (["joker_1", "joker_2", "zero"], 0),
    (["mirror"], 0),
    (["mirror", "joker_1", "zero"], 0),
    (["zero"], 0),
    (["x_card"], 10),
    (["twelve"], 12),
    (["three_1", "mirror"], 6),
    (["joker_1", "double"], 9),
    (["three_1", "joker_1", "zero"], 18),
    (["five_1", "five_2", "five_3", "five_4", "five_5"], 125),
]


@pytest.mark.parametrize(("squad", "total"), TOTALS)
def test_the_strength_of_a_squad(squad: list[str], total: int) -> None:
    table = siege(fort_1=squad)
    assert table["might(fort_1.squad)"] == total
    assert table["is_squad(fort_1.squad)"]


@pytest.mark.parametrize("squad", [["one_1", "two_1"], ["x_card", "joker_1"], ["sortie"], ["four_1", "exchange_1"]])
def test_what_is_no_squad(squad: list[str]) -> None:
    assert not siege(fort_1=squad)["is_squad(fort_1.squad)"]


def test_a_fort_in_the_centre_is_taken_and_one_may_go_on_or_stop() -> None:
    table = siege(a_hand=["three_1", "one_1"]).ready()
    a, b = table.order  # type: ignore[attr-defined]
    commit(table, "fort_3", "one_1")
    assert squads(table) == {"fort_3": ["one_1"]}
    assert table[f"fort_3.holder == {a}"]
    assert table.to_move == [a]
    assert "stop" in notes(table)
    assert not any("fort_3" in n for n in notes(table))
    assert table.knows(table.play.players.index(a), "one_1")
    assert not table.knows(table.play.players.index(b), "one_1")


def test_squads_are_built_up_only_of_what_fits() -> None:
    table = siege(a_hand=["five_1", "five_2", "joker_1", "one_1", "x_card", "sortie"]).put("box", "x_card").ready()
    table.choose("attack f=fort_1")
    assert notes(table) == ["attack team=one_1", "attack team=five_1", "attack team=joker_1"]
    table.choose("team=five_1")
    assert notes(table) == ["attack team=five_2", "attack team=joker_1", "done"]


def test_a_successful_attack_of_the_rules_example() -> None:
    """Example 5: 18 beats 16; the old owner gives one four and keeps the other."""
    table = siege(a_hand=["two_1", "two_2", "two_3"], fort_3=["four_1", "four_2"]).ready()
    a, b = table.order  # type: ignore[attr-defined]
    table.put(f"{b}.forts", "fort_3").ready()
    commit(table, "fort_3", "two_1", "two_2", "two_3")
    assert table.to_move == [b]
    assert table.offered == ["give four"]
    seat = table.play.players.index(b)
    assert all(table.knows(seat, f"two_{n}") for n in (1, 2, 3))  # handed over face down
    table.choose(0)
    assert squads(table) == {"fort_3": ["two_1", "two_2", "two_3"]}
    assert table[f"fort_3.holder == {a}"]
    assert table.names(f"{a}.hand") == ["four_1"]
    assert table.names(f"{b}.hand") == ["four_2"]


def test_a_failed_attack_of_the_rules_example() -> None:
    """Example 6: 5 against 12; the attacker gives a card of his choice and is shown the squad, alone."""
    table = siege(3, a_hand=["five_1", "five_2", "one_1"], fort_3=["three_1", "three_2"])
    a, b, c = table.order  # type: ignore[attr-defined]
    table.put(f"{b}.forts", "fort_3").ready()
    commit(table, "fort_3", "five_1")
    assert table.to_move == [a]
    assert sorted(table.offered) == ["give five", "give one"]  # two fives look the same
    table.choose("give one")
    assert table.names(f"{a}.hand") == ["five_1", "five_2"]
    assert table.names(f"{b}.hand") == ["one_1"]
    seats = {n: table.play.players.index(x) for n, x in zip("abc", (a, b, c), strict=True)}
    assert table.knows(seats["a"], "three_1")
    assert not table.knows(seats["c"], "three_1")
    assert table.knows(seats["a"], "one_1")
    assert table.knows(seats["b"], "one_1")
    assert not table.knows(seats["c"], "one_1")
    assert table.to_move in ([a], [b])  # a may still reinforce: he has no fort, so it is b's turn
    assert table.to_move == [b]


def test_an_equal_attack_destroys_and_the_attackers_return() -> None:
    """Example 7: 12 against 12."""
    table = siege(a_hand=["twelve"], fort_2=["three_1", "three_2"])
    a, b = table.order  # type: ignore[attr-defined]
    table.put(f"{b}.forts", "fort_2").ready()
    commit(table, "fort_2", "twelve")
    assert table.to_move == [b]
    assert table.offered == ["lose three"]
    table.choose(0)
    assert table.names("ruins") == ["fort_2"]
    assert table.names("box") == ["three_1"]
    assert table.names(f"{a}.hand") == ["twelve"]
    assert table.names(f"{b}.hand") == ["three_2"]
    assert table.to_move == [a]  # counts as captured: he may go on
    assert not table.knows(table.play.players.index(a), "three_1")  # nothing is shown


def test_who_destroys_the_last_fort_wins_and_the_attackers_are_lost() -> None:
    table = siege(a_hand=["twelve"], fort_2=["three_1", "three_2"])
    a, b = table.order  # type: ignore[attr-defined]
    table.put("ruins", "fort_1", "fort_3", "fort_4").put(f"{b}.forts", "fort_2").ready()
    commit(table, "fort_2", "twelve").choose(0)
    assert table.play.over
    assert table.play.winners == [table.play.players.index(a)]
    assert table.names("box") == ["three_1", "twelve"]


def test_the_x_card_captures_whatever_the_total() -> None:
    """Example 8."""
    table = siege(a_hand=["x_card", "one_1"], fort_1=["five_1", "five_2", "five_3", "five_4", "five_5"])
    a, b = table.order  # type: ignore[attr-defined]
    table.put(f"{b}.forts", "fort_1").ready()
    table.choose("attack f=fort_1")
    assert notes(table) == ["attack team=one_1", "attack team=x_card"]
    table.choose("team=x_card")
    if "done" in notes(table):
        table.choose("done")
    table.choose("give five")
    assert squads(table) == {"fort_1": ["x_card"]}
    assert table["might(fort_1.squad)"] == 10
    assert table[f"count({b}.hand)"] == 4
    assert table[f"count({a}.hand)"] == 2


def test_an_abducted_defender_is_any_one_of_two_or_more() -> None:
    table = siege(a_hand=["abduction"], fort_1=["one_1"], fort_2=["two_1", "two_2"])
    a, b = table.order  # type: ignore[attr-defined]
    table.put(f"{b}.forts", "fort_1", "fort_2").put(f"{a}.hand", "abduction").ready()
    assert [o.action for o in table.play.options()] == ["draw_card"]  # at the action already: restart the turn
    table.choose("draw_card")
    while table.to_move != [a]:
        table.choose("draw_card") if "draw_card" in notes(table) else table.choose("stop")
    taken = [n for n in notes(table) if n.startswith("steal_defender")]
    assert taken == ["steal_defender c=abduction f=fort_2"]
    table.choose(taken[0])
    assert table["count(fort_2.squad)"] == 1
    assert table[f"any(c in {a}.hand where c.strength == 2)"]
    assert table.names(f"{a}.spent") == ["abduction"]


def test_traded_forts_take_their_squads_along_and_are_remembered() -> None:
    table = siege(3, a_hand=["exchange_1", "exchange_2"], fort_1=["one_1"], fort_2=["two_1"], fort_3=["three_1"])
    a, b, c = table.order  # type: ignore[attr-defined]
    table.put(f"{a}.forts", "fort_1").put(f"{b}.forts", "fort_2").put(f"{c}.forts", "fort_3").ready()
    me, him = table.play.players.index(a), table.play.players.index(b)
    table.choose("trade_forts mine=fort_1 theirs=fort_2")
    assert table[f"fort_1.holder == {b}"]
    assert squads(table)["fort_1"] == ["one_1"]
    assert table.knows(me, "two_1")
    assert table.knows(him, "one_1")
    assert table.knows(me, "one_1")
    assert table.knows(him, "two_1")
    table.choose("trade_forts mine=fort_2 theirs=fort_3")
    assert table.knows(me, "two_1")  # seen while it was his, though none of its cards moved
    assert not table.knows(him, "three_1")


def test_a_view_shows_no_more_than_one_may_know() -> None:
    table = siege(3, a_hand=["five_1", "five_2", "one_1"], b_hand=["twelve"], fort_3=["three_1", "three_2"])
    a, b, c = table.order  # type: ignore[attr-defined]
    table.put(f"{b}.forts", "fort_3").ready()
    views = {x: repr(table.play.view(table.play.players.index(x))) for x in (a, b, c)}
    assert "five" in views[a]
    assert "twelve" not in views[a]
    assert "three" not in views[a]
    assert "three" in views[b]
    assert "twelve" in views[b]
    assert "five" not in views[b]
    assert not any(word in views[c] for word in ("five", "twelve", "three"))


# ---------------------------------------------------------------------- rules that come as cards, campaigns


def story(players: int = 2) -> Table:
    """A first play; the story lies as its table reads."""
    table = Table("rules_on_cards", players=players)
    names = table.play.players
    first = names.index(table.to_move[0])
    table.order = [*names[first:], *names[:first]]  # type: ignore[attr-defined]
    return table


def later(players: int = 2, rules: str = "[basic, capture, preparation]", several: int = 1) -> Table:
    """A later play: all cards in the play deck; tests put them where they want."""
    table = story(players)
    table.put("stack", *table.play.world.pieces.names)
    table.set(in_force=rules, several=several)
    return table


def test_a_card_for_the_table_gives_one_more_turn_and_a_rule_holds_at_once() -> None:
    """Example 3 of the rules, with the cards of this small story."""
    table = story()
    a, b = table.order  # type: ignore[attr-defined]
    assert table.names("rules") == ["general_rules"]
    assert notes(table) == ["draw_card"]
    table.choose("draw_card")
    assert table.names("centre") == ["fort_3"]
    assert table.to_move == [a]
    table.choose("draw_card")
    assert table.names(f"{a}.hand") == ["c3"]
    assert table.to_move == [b]
    table.choose("draw_card", "draw_card")
    assert table.to_move == [b]
    assert notes(table) == ["draw_card"]  # forts cannot be captured yet
    table.choose("draw_card")  # the rules of capture: one more turn, in which they hold
    assert table.to_move == [b]
    assert notes(table) == ["draw_card", "attack f=fort_3"]


def test_while_only_one_fort_came_one_capture_is_made_in_a_turn() -> None:
    for several in (0, 1):
        table = later(several=several)
        a, b = table.order  # type: ignore[attr-defined]
        table.put("centre", "fort_3", "fort_1").put(f"{a}.hand", "c3", "c4").put(f"{b}.hand", "c5").ready()
        commit(table, "fort_3", "c3")
        assert table.to_move == ([a] if several else [b])


def test_another_fort_switches_several_captures_on() -> None:
    table = later(several=0)
    a, _ = table.order  # type: ignore[attr-defined]
    table.put("stack", "fort_1").ready().choose("draw_card")
    assert table["several"]
    assert table.names("centre") == ["fort_1"]
    assert table.to_move == [a]


def test_a_rule_card_changes_what_an_equal_attack_does() -> None:
    """Example 7: 12 against 12, without and with the rule of destruction."""
    for known in (False, True):
        table = later(rules="[basic, capture, preparation, destruction]" if known else "[basic, capture, preparation]")
        a, b = table.order  # type: ignore[attr-defined]
        table.put("fort_2.squad", "c5", "c7").put(f"{b}.forts", "fort_2").put("centre", "fort_3").put(
            f"{a}.hand", "c21"
        ).ready()
        commit(table, "fort_2", "c21")
        if known:
            assert table.to_move == [b]
            assert table.offered == ["lose c5", "lose c7"]
            table.choose("lose c5")
            assert table.names("ruins") == ["fort_2"]
            assert table.names(f"{a}.hand") == ["c21"]
            assert table.names(f"{b}.hand") == ["c7"]
            assert table.to_move == [a]
            assert notes(table) == ["attack f=fort_3", "stop"]
        else:
            assert table.to_move == [a]
            assert table.offered == ["give c21"]
            table.choose(0)
            assert table[f"fort_2.holder == {b}"]
            assert table.names(f"{b}.hand") == ["c21"]
            assert table.to_move == [b]


def test_reinforcement_comes_with_its_card() -> None:
    for known in (False, True):
        table = later(
            rules="[basic, capture, preparation, reinforcement]" if known else "[basic, capture, preparation]"
        )
        a, b = table.order  # type: ignore[attr-defined]
        table.put("fort_3.squad", "c5").put(f"{a}.forts", "fort_3").put(f"{a}.hand", "c7", "c3").put(
            "stack", "c9"
        ).ready()
        table.choose("draw_card")
        if known:
            assert notes(table) == ["reinforce f=fort_3 c=c7", "stop"]  # another three, no two
            table.choose(0)
            assert squads_of(table, "fort_3") == ["c5", "c7"]
        assert table.to_move == [b]


def squads_of(table: Table, fort: str) -> list[str]:
    return table.names(f"{fort}.squad")


def test_the_third_hourglass_ends_the_play_and_the_smallest_fort_decides_a_tie() -> None:
    table = later(3)
    a, b, _c = table.order  # type: ignore[attr-defined]
    table.put(f"{a}.forts", "fort_2").put(f"{b}.forts", "fort_1").put("fort_2.squad", "c21").put("fort_1.squad", "c4")
    table.put("centre", "hourglass_1", "hourglass_2", "fort_3").put("stack", "hourglass_3").ready().choose("draw_card")
    assert table.play.over
    assert table.play.winners == [table.play.players.index(b)]


def test_the_third_hourglass_without_any_owned_fort_leaves_no_winner() -> None:
    table = later()
    table.put("centre", "hourglass_1", "hourglass_2", "fort_3").put("stack", "hourglass_3").ready().choose("draw_card")
    assert table.play.over
    assert table.play.winners == []


def before_turn(table: Table) -> Table:
    """Plays on by drawing to the next turn of `a`, at its very beginning."""
    a = table.order[0]  # type: ignore[attr-defined]
    table.choose("draw_card")
    while table.to_move != [a]:
        table.choose("draw_card")
    return table


def test_two_cards_replace_one_and_give_no_further_turn() -> None:
    """Example 10: a hand card and a fort are drawn; the fort goes to the centre."""
    table = later()
    a, b = table.order  # type: ignore[attr-defined]
    table.put("centre", "fort_3").put("stack", "fort_1", "c12", "c10", "c9").put(f"{a}.hand", "c19", "c4", "c5").ready()
    table.put("stack", "c5")
    table.put("stack", "fort_1", "c12", "c10", "c9").ready()
    before_turn(table)
    assert notes(table)[0] == "replace_card c=c19 other=c4"
    table.choose("replace_card other=c4")
    assert table.names("centre") == ["fort_3", "fort_1"]
    assert "c12" in table.names(f"{a}.hand")
    assert table.names(f"{a}.aside") == ["c4"]
    assert table.names(f"{a}.spent") == ["c19"]
    assert table.to_move == [a]
    assert "draw_card" in notes(table)
    assert not table.knows(table.play.players.index(b), "c4")


def test_an_hourglass_among_the_two_ends_the_play_before_the_second() -> None:
    table = later()
    a, _b = table.order  # type: ignore[attr-defined]
    table.put("centre", "fort_3", "hourglass_1", "hourglass_2").put(f"{a}.hand", "c19", "c4")
    table.put("stack", "c12", "hourglass_3", "c10", "c9").ready()
    before_turn(table).choose("replace_card other=c4")
    assert table.play.over
    assert table["c12 in stack"]


def campaign(table: Table) -> Campaign:
    """A campaign whose first play is that of a table."""
    game = table.play.game
    found = Campaign(game, len(table.play.players), seed=1)
    found.play = table.play
    return found


def test_between_two_plays_the_winner_loses_defenders_and_the_rest_comes_again() -> None:
    """Example 9 of the rules: forts 1 and 2 are the winner's, fort 3 the other's."""
    table = later(3, rules="[basic, capture, preparation]")
    a, b, c = table.order  # type: ignore[attr-defined]
    world = table.play.world.pieces.names
    table.put(
        "story", *reversed(world[world.index("c21") :])
    )  # the last seven: 12, fort 2, reinforcement, 3, 1, 5, the end
    table.put("rules", "general_rules", "capture_rules", "preparation_rules")
    table.put("centre", "hourglass_1", "hourglass_2").put(f"{a}.forts", "fort_1").put(f"{b}.forts", "fort_3").put(
        "ruins", "destruction_rules"
    )
    table.put("stack", "destruction_rules").put("fort_1.squad", "c3", "c9").put("fort_3.squad", "c17").put(
        f"{a}.hand", "c5"
    ).put(f"{c}.hand", "c7")
    table.put("stack", "hourglass_3").ready().choose("draw_card")
    assert table.play.winners == [table.play.players.index(a)]
    found = campaign(table)
    table.play.settle()
    play = found.next()
    after = Table.__new__(Table)
    after.play = play
    assert set(after.names("box")) == {"c3", "c9"}  # the winner's defenders; not those of others, no hands
    assert set(after.names("centre")) == {"fort_1", "fort_3"}
    assert after.names("story") == ["last_card", "c26"]  # five came in, whatever they are
    assert len(after.names("stack")) == 27 - 2 - 2 - 2 - 3
    assert {"c5", "c7", "c17", "hourglass_1", "hourglass_2", "hourglass_3", "fort_2", "c21"} <= set(
        after.names("stack")
    )
    assert after.names("rules") == ["general_rules", "capture_rules", "preparation_rules"]
    assert play.players[play.pending[0]] == b  # to the left of the winner
    assert all(not after[f"any({p}.hand)"] and not after[f"any({p}.forts)"] for p in play.players)
    assert after["several"]
    assert after["capture in in_force"]
    assert after["target == none"]


def test_the_box_becomes_the_story_when_it_runs_out_in_the_midst_of_five() -> None:
    table = later(rules="[basic, capture, preparation]")
    a, _ = table.order  # type: ignore[attr-defined]
    table.put("story", "last_card", "c26", "c25").put("box", "c3", "c4", "c5", "c7", "c9")
    table.put("centre", "hourglass_1", "hourglass_2").put(f"{a}.forts", "fort_1").put("fort_1.squad", "c21")
    table.put("stack", "hourglass_3").ready().choose("draw_card")
    found = campaign(table)
    table.play.settle()
    after = Table.__new__(Table)
    after.play = found.next()
    assert {"c26", "c25"} <= set(after.names("stack"))
    assert after["refill in in_force"]
    assert after.names("story")[0] == "last_card"
    # The box held six with the winner's defender: three of them came in, three wait above the last card.
    assert len(after.names("story")) == 4
    assert after.names("box") == []
    assert len(set(after.names("stack")) & {"c3", "c4", "c5", "c7", "c9", "c21"}) == 3


def test_a_campaign_may_go_on_with_other_players_and_loses_no_card() -> None:
    game = ruledsl.load(FOLDER / "rules_on_cards.yaml")
    found, choice = Campaign(game, 2, seed=3), random.Random(3)
    for number in range(9):
        while not found.play.over:
            found.play.choose(choice.randrange(len(found.play.options())))
        assert found.play.fault is None
        found.play.settle()
        assert found.play.fault is None
        lying = [p for pieces in found.play.view(0)["places"].values() for p in pieces]
        assert len(lying) == 27
        found.next(players=2 + number % 3)
    assert len(found.results) == 9
    assert {len(r.players) for r in found.results} == {2, 3, 4}


def test_the_same_seed_gives_the_same_campaign() -> None:
    game = ruledsl.load(FOLDER / "rules_on_cards.yaml")
    ends = []
    for _ in range(2):
        found, choice = Campaign(game, 3, seed=8), random.Random(8)
        for _ in range(4):
            while not found.play.over:
                found.play.choose(choice.randrange(len(found.play.options())))
            found.play.settle()
            found.next()
        ends.append((found.results, found.kept))
    assert ends[0] == ends[1]


def test_what_is_not_offered_is_refused() -> None:
    with pytest.raises(IllegalChoice):
        story().choose("attack f=fort_3")


# ------------------------------------------------------- events bent by triggers, formulas by modifiers, teams


def duel(rules: str = "plain", **values: Any) -> Table:
    """The first player is to move; one and three are a team, two and four the other."""
    return Table("bent_events", players=4, rules=rules).set(**values).ready()


def test_before_an_event_each_of_some_players_acts() -> None:
    table = duel()
    table.choose("attack p=player_2")
    assert table["player_4.angry"] == 1
    assert table["player_2.angry"] == 0


def test_an_offer_until_the_first_takes_the_place_of_the_blow() -> None:
    table = duel().choose("attack p=player_2")
    assert table.to_move == ["player_4"]
    assert len(table.offered) == 2
    assert table.offered[1] == "pass"
    table.choose(0)
    assert (table["player_2.life"], table["player_4.life"]) == (6, 5)
    table = duel().choose("attack p=player_2", "pass")  # then all goes as usual
    assert (table["player_2.life"], table["player_4.life"]) == (5, 6)


def test_of_two_triggers_in_the_place_of_an_event_the_first_that_applies_wins() -> None:
    table = duel(player_2__guarded=1).choose("attack p=player_2")
    assert table.to_move == ["player_2"]  # nobody was asked, and it is the next turn
    assert table["player_2.life"] == 6
    assert table["latest == spared"]
    assert not table["player_2.guarded"]


def test_after_an_event_several_triggers_run_in_their_order() -> None:
    table = duel(player_2__life=1, player_4__life=1).choose("attack p=player_2")
    assert table["player_2.life"] == 0
    assert (table["player_2.angry"], table["player_4.angry"]) == (3, 1 + 3)
    assert table.to_move == ["player_3"]  # who is out is passed over


@pytest.mark.parametrize(("life", "angry", "force"), [(6, 0, 1), (6, 3, 2), (2, 0, 2), (2, 6, 6), (1, 0, 3), (1, 3, 5)])
def test_a_number_is_first_replaced_and_then_added_to(life: int, angry: int, force: int) -> None:
    assert duel(player_1__life=life, player_1__angry=angry)["force"] == force


def test_a_condition_is_allowed_and_forbidden_beats_allowed() -> None:
    assert not duel()["may_strike(player_3)"]
    assert duel(player_1__angry=10)["may_strike(player_3)"]
    assert not duel(player_1__angry=10, player_1__life=1, player_3__guarded=1)["may_strike(player_3)"]
    assert not duel(player_1__life=1, player_2__guarded=1)["may_strike(player_2)"]
    assert duel(player_1__life=1)["may_strike(player_2)"]


def test_a_team_wins_together_with_those_who_are_out() -> None:
    table = duel(player_2__life=0, player_3__life=0, player_4__life=1).choose("attack p=player_4")
    assert table.play.winners == [0, 2]
    assert table.play.returns() == [1.0, -1.0, 1.0, -1.0]


def test_a_module_replaces_removes_and_adds() -> None:
    table = duel("harsh", player_1__life=5, player_2__guarded=1)
    assert table["force"] == 3
    assert notes(table) == ["attack p=player_2", "attack p=player_4", "rest"]  # guarding is gone
    table.choose("attack p=player_2", "pass")
    assert table["player_2.life"] == 3  # and so is parrying
    assert table["player_1.angry"] == 1  # after each turn
    table = duel("harsh")
    full = {f"player_{n}__life": 5 for n in (1, 2, 3, 4)}
    for _ in range(2):
        table.set(**full).ready().choose("rest")
        while table.to_move != ["player_1"]:
            table.set(**full).ready().choose(0)
            while "pass" in table.offered:
                table.choose("pass")
    assert table["used(rest)"] == 2
    assert "rest" not in notes(table)
