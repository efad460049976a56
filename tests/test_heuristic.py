"""`heuristic:`, what is good for a player in one line: told to bots, never to rules, and the same on both executors."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from test_search import grown

import ruledsl
from games import ROOT
from ruledsl.bots.base import ask, make
from ruledsl.bots.judge import SAID_CUT, SAID_MANNERED_CUT, Judge, Signs, Weights, beside, found, keep, only_said
from ruledsl.bots.measuring import Way, WeakBots, measured
from ruledsl.bots.native_tree import NativeTree, library
from ruledsl.bots.outcome import Outcome, for_all_alike
from ruledsl.bots.search import judge_of, manner_of
from ruledsl.bots.seat_view import SeatView
from ruledsl.bots.tree import Tree
from ruledsl.compiler import pipeline
from ruledsl.generate.c_program import CProgram
from ruledsl.generate.native import compiler
from ruledsl.runtime.game import Game

compiled = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
RACE = """
ruledsl: 1
game: race
players: [white, black]
values:
  gold: {per: player, is: 0..60}
  iron: {per: player, is: 0..60}
HEURISTIC
play:
  - turns: players
    until: round > 4
    do:
      - choose one:
          - choose: {n: 1..3}
            label: gold {n}
            do: {add: {me.gold: n}}
          - choose: {n: 1..3}
            label: iron {n}
            do: {add: {me.iron: n}}
scoring: {rows: {odd: me.gold % 2}}
"""


def race(folder: Path, heuristic: str) -> Game:
    file = folder / "race.yaml"
    file.write_text(RACE.replace("HEURISTIC", heuristic), encoding="utf-8")
    return ruledsl.load(file)


def said(game: Game, **values: int) -> list[int]:
    configured = game.configured()
    v = game.start(seed=1).state[:]
    fields = {field.name: field for field in configured.machine.program.layout.fields}
    for name, value in values.items():
        v[fields[name].base] = value
    return [one - (1 << 20) for one in Outcome(configured).said_good(v)]


def test_it_is_worked_out_for_each_player_and_changes_no_rule(tmp_path: Path) -> None:
    plain = race(tmp_path, "").configured()
    game = race(tmp_path, "heuristic: 2 * me.gold - me.iron - 1")
    assert said(game, gold=5, iron=3) == [6, -1]
    assert game.configured().rules == plain.rules, "saves and replays of both go together"
    assert CProgram(game.configured().machine.program).write() == CProgram(plain.machine.program).write()


def test_a_module_adds_to_it_or_replaces_it(tmp_path: Path) -> None:
    module = "\nmodules:\n  more: {when: white == white, KEY}"
    added = race(tmp_path, "heuristic: me.gold" + module.replace("KEY", "heuristic: 10 * me.iron"))
    assert said(added, gold=2, iron=3) == [32, 0]
    other = race(tmp_path, "heuristic: me.gold" + module.replace("KEY", "replace: {heuristic: 10 * me.iron}"))
    assert said(other, gold=2, iron=3) == [30, 0]


def test_one_that_never_changes_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "race.yaml"
    file.write_text(RACE.replace("HEURISTIC", "heuristic: 7"), encoding="utf-8")
    told = [finding.message for finding in pipeline.check(file).findings]
    assert told == ["this is the same in every position, so it tells bots nothing"]


def test_what_does_not_ask_for_me_is_for_all(tmp_path: Path) -> None:
    assert not for_all_alike(race(tmp_path, "heuristic: me.gold").configured().machine.program)
    assert for_all_alike(race(tmp_path, "heuristic: sum(p.gold for p in players)").configured().machine.program)
    formula = "define: {wealth: me.gold}\nheuristic: wealth"
    assert not for_all_alike(race(tmp_path, formula).configured().machine.program)


@pytest.mark.parametrize("wanted", ["gold", "iron"])
def test_greedy_takes_what_it_says_is_good(wanted: str, tmp_path: Path) -> None:
    """It looks at a few replies, too, so it does not always see the same."""
    play = race(tmp_path, f"heuristic: me.{wanted}").start(seed=1)
    taken = [play.options(0)[ask(make("greedy", seed), play, 0)].text for seed in range(20)]
    assert sum(text.startswith(wanted) for text in taken) >= 15


@compiled
@pytest.mark.parametrize("wanted", ["gold", "iron"])
def test_search_takes_what_it_says_is_good_when_it_cannot_see_the_end(wanted: str, tmp_path: Path) -> None:
    play = race(tmp_path, f"heuristic: me.{wanted}").start(seed=1)
    option = play.options(0)[ask(make("search:400", 1), play, 0)]
    assert option.text == f"{wanted} 3"


@compiled
@pytest.mark.parametrize("name", ["reversi", "dike-watch"])
@pytest.mark.parametrize("weights", [only_said(0), only_said(5), None], ids=["at once", "later", "weighed"])
def test_both_executors_judge_alike_by_it(name: str, weights: Weights | None) -> None:
    game, rng = ruledsl.load(ROOT / f"examples/{name}.yaml"), random.Random(3)
    play = game.start(players=2, seed=2)
    signs = Signs(play.configured)
    if weights is None:
        cells = [rng.randrange(-200, 200) for _ in range(signs.combined * signs.groups * signs.players)]
        weights = Weights(cells, [0] * signs.columns, [30] * signs.players, 7, 2, 70_000)
    judge = Judge(play.configured, signs, weights)
    built = library(play.configured)
    assert built is not None
    for _ in range(3):
        seat = play.pending[0]
        args = (seat, 7, judge)
        ours = grown(lambda state, args=args: Tree(play.configured, state, *args), play, seat, 10)
        theirs = grown(lambda state, args=args: NativeTree(built, state, *args), play, seat, 10)
        assert ours == theirs
        play.choose(rng.randrange(SeatView(play, seat).count), seat)


def test_it_is_kept_with_what_was_learnt(tmp_path: Path) -> None:
    configured = race(tmp_path, "heuristic: me.gold").configured()
    signs, file = Signs(configured), tmp_path / "race.yaml"
    untold = found(configured, file)
    assert untold is not None
    assert untold.weights.per_said is None, "without anything learnt it is asked all the same"
    keep(beside(file), Judge(configured, signs, only_said(16)))
    again = found(configured, file)
    assert again is not None
    assert (again.cut, again.weights.per_said) == (16, None)
    other = race(tmp_path, "heuristic: me.iron").configured()
    assert Signs(other).mark != signs.mark, "what was learnt of another heuristic means nothing"


@compiled
@pytest.mark.long
def test_it_makes_search_stronger_in_reversi() -> None:
    game = ruledsl.load(ROOT / "examples/reversi.yaml")
    configured = game.configured()
    built = library(configured)
    assert built is not None
    judge = Judge(configured, Signs(configured), only_said(4))
    assert measured(game, configured, built, Way(judge), 20, 3).low > 0.5


ALONE = """
ruledsl: 1
game: climb
players: [white]
values: {gold: {per: player, is: 0..99}, iron: {per: player, is: 0..99}}
heuristic: me.gold
play:
  - turns: players
    until: round > 3
    do:
      - choose one:
          - choose: {n: 1..3}
            label: gold {n}
            do: {add: {me.gold: n}}
          - {label: nothing, do: {end: game}}
scoring: {rows: {odd: me.gold}}
"""


LOST = """
ruledsl: 1
game: lost
players: 2
values:
  kept: 0..9
heuristic: kept
play:
  - turns: players
    until: round > 3
    do:
      - choose one:
          - choose: {n: 0..1}
            label: "{n}"
            do: {add: {kept: n}}
  - {if: kept > 8, then: {win: players}, else: {lose: players}}
"""


@compiled
def test_where_all_is_lost_the_better_end_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for a game that nobody has won yet is measured by how far it came."""
    (tmp_path / "lost.yaml").write_text(LOST, encoding="utf-8")
    game = ruledsl.load(tmp_path / "lost.yaml")
    configured = game.configured()
    made = library(configured)
    assert made is not None
    monkeypatch.setattr(WeakBots, "choose", lambda self, view, helped, seed: int(helped))
    assert measured(game, configured, made, Way(), 0.01, 1).share == 1.0
    monkeypatch.setattr(WeakBots, "choose", lambda self, view, helped, seed: 1)
    assert measured(game, configured, made, Way(), 0.01, 1).share == 0.5


@compiled
def test_who_plays_alone_measures_the_end_as_what_comes_before(tmp_path: Path) -> None:
    """An end seemed to be worth next to nothing or all beside positions that were judged."""
    file = tmp_path / "climb.yaml"
    file.write_text(ALONE, encoding="utf-8")
    play = ruledsl.load(file).start(seed=1)
    built, judge = library(play.configured), Judge(play.configured, Signs(play.configured), only_said(1))
    assert built is not None
    ours = grown(lambda state: Tree(play.configured, state, 0, 7, judge), play, 0, 60)
    theirs = grown(lambda state: NativeTree(built, state, 0, 7, judge), play, 0, 60)
    assert ours == theirs
    worth = {option.text: one[1] for option, one in zip(play.options(0), ours, strict=False)}
    assert worth["nothing"] < worth["gold 1"] < worth["gold 3"]


def test_plays_that_follow_a_manner_are_judged_later() -> None:
    game = ruledsl.load(ROOT / "games/outpost")
    alone, two = (game.start(players=players, seed=1) for players in (1, 2))
    judges = [judge_of(SeatView(play, play.pending[0])) for play in (alone, two)]
    assert [judge.cut for judge in judges if judge is not None] == [SAID_MANNERED_CUT, SAID_CUT]


@compiled
def test_both_executors_follow_a_manner_and_judge_then() -> None:
    play = ruledsl.load(ROOT / "games/outpost").start(players=1, seed=4)
    built, view = library(play.configured), SeatView(play, 0)
    assert built is not None
    args = (0, 7, judge_of(view), manner_of(view))
    ours = grown(lambda state: Tree(play.configured, state, *args), play, 0, 3)
    assert ours == grown(lambda state: NativeTree(built, state, *args), play, 0, 3)
