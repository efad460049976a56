"""The hardest rules of card and defence games, each in a small game of `tests/language`, in positions made by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Report
from ruledsl.engine.evaluate import Evaluator
from ruledsl.ir import core as C
from ruledsl.runtime.play import Play
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
        return [self.play.words.name(x, typed.type.of, "id") for x in Evaluator(self.play.machine).of(typed.node)(state)]

    def set(self, **values: Any) -> Table:
        """Sets values by path, with `__` for the dot: `anna__tokens=3`; a text is an expression."""
        for path, value in values.items():
            node = self._read(path.replace("__", ".")).node
            slot = node.slot if isinstance(node, C.Get) else node.base + self._index(node)
            if isinstance(value, str):
                value = Evaluator(self.play.machine).of(self._read(value).node)(self.play.state + [0] * 400)
            if isinstance(value, tuple | list):
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
            self.play.machine.pieces.move(self.play.state, world.pieces.names.index(piece), spot)
        return self

    def ready(self) -> Table:
        """Works out anew what is offered."""
        self.play.go_on()
        return self

    def choose(self, *texts: str | int) -> Table:
        for text in texts:
            self.play.choose(text)
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
]


@pytest.mark.parametrize("name", FIXTURES)
def test_every_fixture_is_without_errors_and_warnings(name: str) -> None:
    report = pipeline.check(FOLDER / f"{name}.yaml")
    assert [f"{d.code}: {d.message}" for d in report.sorted()] == []


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
    everything = [c for c in table.play.world.pieces.names]
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
    table.choose(f"guess that {rival} holds a 2")
    assert table[f"{me}.tokens"] == 1 and table[f"{rival}.tokens"] == 0
    assert table["starter"] == table[me]
    assert table["count(deck)"] == 16 - 1 - 3 - 2 - 1  # already dealt anew, and the winner drew


def test_a_priest_shows_a_hand_to_one_player_only() -> None:
    table = letters(["priest_1", "guard_1"], ["princess"], ["king"])
    me, second, third = (table.play.players.index(n) for n in table.names_in_order)  # type: ignore[attr-defined]
    assert not table.knows(me, "princess")
    table.choose("play priest", f"p={table.play.players[second]}")
    assert table.knows(me, "princess") and not table.knows(third, "princess")


def test_a_king_swaps_hands_and_both_remember() -> None:
    table = letters(["king", "guard_1"], ["princess"], ["baron_1"])
    me, second, third = (table.play.players.index(n) for n in table.names_in_order)  # type: ignore[attr-defined]
    table.choose("play king", f"p={table.play.players[second]}")
    assert table.knows(me, "princess") and table.knows(second, "guard_1")
    assert table.knows(me, "guard_1") and table.knows(second, "princess")
    assert not table.knows(third, "guard_1") and not table.knows(third, "princess")


def test_a_princess_thrown_away_puts_her_player_out() -> None:
    table = letters(["prince_1", "guard_1"], ["princess"], ["baron_1"])
    _, second, _ = table.names_in_order  # type: ignore[attr-defined]
    table.choose("play prince", f"p={second}")
    assert table[f"{second}.out"] and table.names(f"{second}.played") == ["princess"]
    assert not table[f"any({second}.hand)"]  # and draws no other


def test_a_lost_comparison_puts_the_attacker_out_and_play_goes_on() -> None:
    table = letters(["baron_1", "guard_1"], ["princess"], ["king"])
    me, second, third = table.names_in_order  # type: ignore[attr-defined]
    table.choose("play baron", f"p={second}")
    assert table[f"{me}.out"] and table[f"count(staying)"] == 2
    assert table.knows(table.play.players.index(me), "princess")
    assert table.to_move != [me]


def test_who_is_safe_cannot_be_named_and_all_safe_means_no_effect() -> None:
    table = letters(["guard_1", "king"], ["priest_1"])
    me, rival = table.names_in_order  # type: ignore[attr-defined]
    table.set(**{f"{rival}__safe": 1}).choose("play guard")
    assert table.to_move == [rival]  # nobody to guess about: the turn is over


# ------------------------------------------------------------------------- enemies that change other rules


LINE = ["beast_yellow", "beast_blue", "warrior_red", "mage_green", "mage_red", "rider_red", "flyer_yellow", "giant_black",
        "archmage_red", "shapeshifter_red", "shapeshifter_blue", "leviathan", "rokai", "valkyrie", "scout_purple", "symbiote_blue",
        "infiltrator", "belligemin", "dragon_red", "knellervirm", "priest_green", "golem", "inquisitor"]


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


@pytest.mark.parametrize(("occupied", "start", "lands"), [
    ([], 0, 24), ([24], 0, 23), ([22, 24], 0, 21), ([3, 4], 0, 2), ([8, 9, 20], 0, 7), ([1, 2, 9], 0, 8),
    ([1, 2, 3, 24], 0, 23), ([1, 2, 4, 5, 24], 0, 3), ([*range(1, 23), 24], 0, 23), (list(range(1, 24)), 0, 24),
    ([24], 22, 23), ([10, 11, 24], 3, 9), ([6, 7, 20], 5, 19), ([19, 20], 18, 24), ([21, 23, 24], 20, 22), ([22, 23, 24], 21, 0),
])
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
    assert table.play.over and table.play.ending == "won" and table.play.winners == []
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
    assert table["power(shapeshifter_red)"] == 9 and table["power(shapeshifter_blue)"] == 9
    table.put("wall[20]", "shapeshifter_blue")
    assert table["power(shapeshifter_blue)"] == 9 and table["power(shapeshifter_red)"] == 12


def test_a_cannon_counts_for_the_neighbour_first_and_then_for_the_mimic() -> None:
    table = bastion()
    table.put("wall[14]", "shapeshifter_red").put("wall[15]", "mage_red").put("red_quarter", "red")
    assert table["power(mage_red)"] == 5 - 2
    assert table["power(shapeshifter_red)"] == (5 - 2) - 2
    table.put("wall[12]", "mage_red")  # in the next quarter: no neighbour of 14, and out of the cannon's reach
    assert table["power(mage_red)"] == 5 and table["power(shapeshifter_red)"] == 9 - 2


def test_the_price_of_a_merged_enemy_under_a_tyrant() -> None:
    """The second arithmetic example of the rules: 6 + 1 - 2 red and 4 + 1 blue."""
    table = bastion()
    table.put("wall[14]", "rider_red", "symbiote_blue").put("red_quarter", "red").put("keep", "knellervirm")
    assert table["power(rider_red)"] == 5 and table["power(symbiote_blue)"] == 5
    assert table["full_price(rider_red)"] == (0, 0, 5, 5, 0, 0, 0, 0, 0, 0)
    table.put("keep", "dragon_red")  # covers it, and rules red enemies only
    assert table["power(rider_red)"] == 5 and table["power(symbiote_blue)"] == 4
    assert table["power(knellervirm)"] == 10  # grey has no color


def test_immunity_is_bent_by_nothing() -> None:
    table = bastion()
    table.put("wall[14]", "golem").put("wall[15]", "inquisitor").put("wall[16]", "mage_red").put("red_quarter", "red")
    table.put("keep", "knellervirm")
    assert table["power(golem)"] == 6 and table["attackable(golem)"]
    assert table["full_price(golem)"] == (1, 1, 1, 1, 1, 1, 0, 0, 0, 0)
    assert table["power(mage_red)"] == 5 + 1 + 1 - 2 and not table["attackable(mage_red)"]
    assert table["power(inquisitor)"] == 6 + 1 - 2 and table["attackable(inquisitor)"]  # white, so red in the red quarter
    table.put("wall[14]", "shapeshifter_red").put("wall[13]", "golem").put("box", "inquisitor")
    assert table["power(shapeshifter_red)"] == 6 + 1 - 2


def test_a_flyer_goes_on_past_the_gate_to_a_free_quarter() -> None:
    table = bastion(2)
    table.put("black_quarter", "rokai").put("yellow_quarter", "valkyrie")
    table.put("deck", "flyer_yellow").ready().choose("stop")
    assert table.names("green_quarter") == ["flyer_yellow"] and table["no(s in wall where not empty(s))"]


def test_a_flying_symbiote_takes_its_carrier_along() -> None:
    table = bastion(2)
    table.put("wall[6]", "mage_red").put("wall[5]", "priest_green").put("deck", "belligemin").ready().choose("stop")
    assert table.names("wall[5]") == ["priest_green"]  # who shields carries nobody
    assert table.names("green_quarter") == ["mage_red", "belligemin"]
    assert table["distance(wall[6], wall[5])"] == 1 and table["empty(wall[6])"]


def test_reinforcements_come_depth_first_until_the_deck_is_empty() -> None:
    table = bastion(2)
    # The infiltrator brings two: a scout, which brings one more, and what is left.
    table.put("box", "beast_yellow", "rider_red")
    table.put("deck", "mage_green", "beast_blue", "mage_red", "scout_purple", "infiltrator").ready().choose("stop")
    assert table["count(deck)"] == 1
    assert [table.names(f"wall[{n}]") for n in (24, 23, 22, 21)] == [["infiltrator"], ["scout_purple"], ["mage_red"], ["beast_blue"]]


def test_a_dragon_drives_everybody_out_and_each_chooses() -> None:
    table = bastion(3)
    mover = table.to_move[0]
    table.put("blue_quarter", "rokai").put("deck", "dragon_red").ready().choose("stop")
    order = [table.to_move[0]]
    assert order == ["player_1"] and "leave for blue_quarter" not in table.offered and len(table.offered) == 5
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
    assert table.names("beaten") == ["dragon_red"] and table["total(player_1.stock)"] == 0
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
    assert not table["may_gather"] and "gather" not in table.offered
    table.put("green_quarter", "player_1_defender").ready()
    assert table["may_gather"]
    table.put("green_quarter", "flyer_yellow")
    assert not table["may_gather"]
    table.put("wall[7]", "flyer_yellow")
    assert table["may_gather"]


def test_in_setup_two_that_shield_never_stand_side_by_side() -> None:
    found = 0
    for seed in range(100):
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
    assert table.to_move == [b] and notes(table) == [*(f"promise n={n}" for n in (1, 2, 3, 4)), "pass"]
    table.choose("promise 3")
    assert table.to_move == [a] and notes(table) == ["e=giant"]  # 7 green: 4 in hand, 3 promised
    table.choose("e=giant")
    assert table.to_move == [b] and "pass" not in table.offered  # what was promised must be cast
    table.choose("card=archmage")
    assert table.to_move == [a] and table.offered == ["one green less"]  # the payer says which chips
    table.choose(0, 0)
    assert table.to_move == [b] and table.offered == ["cast rider as flame of rider"]  # one point is still owed
    table.choose(0, 0, 0)
    pay(table)
    assert table.names(f"{a}.spells") == ["giant"] and table.names(f"{b}.spells") == []
    assert table[f"{a}.stock"][:3] == (0, 0, 1) and table[f"{b}.pledge"] == 0
    assert table["used(attack)"] == 1 and table.names("box") == ["rider", "archmage"]


def test_without_the_promise_there_is_no_target_and_the_attack_is_not_used() -> None:
    table = mages(stock=[0, 0, 4], b=["archmage", "rider"]).put("wall[1]", "giant").ready()
    table.choose("attack", "promise 2")
    assert table["used(attack)"] == 0 and "attack" in notes(table)
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
    a, b = table.order  # type: ignore[attr-defined]
    table.choose("attack", "promise 3", "e=archmage")
    assert notes(table) == ["cast_spell card=shapeshifter model=giant"]
    table.choose(0, 0, 0, 0)
    assert table["price"] == (0, 0, 5, 0)
    assert table.names(f"{b}.spells") == ["giant"] and table.names("box") == ["shapeshifter"]
    assert table.to_move == [b]  # who promised must cast all the same
    assert notes(table) == ["cast_spell card=giant model=giant"]


def test_the_owner_of_the_copy_must_stand_right_for_the_copied_spell() -> None:
    table = mages(stock=[0, 0, 9], a=["rider"], b=["shapeshifter"]).put("wall[1]", "archmage").ready()
    b = table.order[1]  # type: ignore[attr-defined]
    table.choose("attack", "e=archmage", "pass")
    assert table.to_move == [b] and notes(table) == ["cast_spell card=shapeshifter model=rider", "pass"]
    table = mages(stock=[0, 0, 9], a=["rider"], b=["shapeshifter"]).put("wall[1]", "archmage")
    table.put("city[2]", f"{b}_defender").ready()
    table.choose("attack", "e=archmage", "pass")
    assert notes(table)[0].startswith("chips=")  # from there nobody can burn: not asked


def test_a_ban_holds_for_the_copy_too() -> None:
    table = mages(stock=[0, 0, 9], a=["rider"], b=["shapeshifter"]).put("wall[1]", "archmage").put("wall[8]", "shaggon").ready()
    table.choose("attack", "e=archmage")
    assert notes(table)[0].startswith("chips=")


def test_another_player_teleports_a_target_into_reach() -> None:
    table = mages(stock=[3, 0, 0], b=["valkyrie"]).put("wall[7]", "beast").ready()
    a, b = table.order  # type: ignore[attr-defined]
    table.choose("attack")
    assert table.to_move == [b] and notes(table) == ["cast_spell card=valkyrie model=valkyrie", "pass"]
    table.choose(0)
    assert table.to_move == [b] and len(notes(table)) == 7  # where to is the caster's choice
    table.choose("s=7 to=2")
    assert table.to_move == [a] and notes(table) == ["e=beast"]


def test_who_cast_a_spell_cannot_attack_the_immune() -> None:
    table = mages(stock=[0, 0, 6], b=["valkyrie"]).put("wall[7]", "beast").put("wall[1]", "golem").ready()
    table.choose("attack", "pass")
    assert notes(table) == ["e=golem"]
    table.choose(0)
    assert notes(table) == ["chips=green"]
    table = mages(stock=[0, 0, 6], b=["valkyrie"]).put("wall[7]", "beast").put("wall[1]", "golem").ready()
    table.choose("attack", 0, "s=7 to=5")
    assert "attack" in notes(table) and table["used(attack)"] == 0


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
    table.choose(f"ask {b} for red")
    assert table.to_move == [b] and table.offered == ["give it", "refuse"]
    table.choose("give it")
    assert table[f"{a}.stock"][:3] == (3, 2, 2) and table[f"{b}.stock"][:3] == (1, 2, 2)
    table.choose("gather blue")
    assert [n.split()[0] for n in notes(table)] == ["walk", "attack", "stop"]
    table.choose("stop")
    assert table.to_move == [a] and notes(table) == ["cast_spell card=dragon model=dragon", "pass"]
    table.choose(0)
    assert table.to_move == [a] and {n.split()[0] for n in notes(table)} == {"walk", "gather", "attack", "stop"}
    table.choose("stop")
    assert table.to_move == [b]  # the enemies came once, and it is the next one's turn
    assert table["count(s in wall where not empty(s))"] == 2


def test_an_acceleration_moves_on_at_once() -> None:
    table = mages(a=["beast"]).put("wall[7]", "mage").ready()
    table.choose("walk", "go to 2")
    assert notes(table) == ["cast_spell card=beast model=beast", "pass"]
    table.choose(0, "go to 3")
    assert table["turn_player.defender.spot.index"] == 3 and table["used(walk)"] == 1
