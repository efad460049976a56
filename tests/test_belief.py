"""What is believed of where hidden pieces lie: guesses are dealt by it, it is learnt and kept."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from games import ROOT, load
from ruledsl.bots.belief import EVEN, MOST, Belief, found_belief, is_believed, keep_belief, learn_belief, sorts
from ruledsl.bots.judge import beside, write_entry
from ruledsl.bots.seat_view import SeatView
from ruledsl.generate.native import compiler
from ruledsl.runtime.game import Game
from ruledsl.runtime.play import Play

compiled = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


def example(name: str) -> Game:
    return load(ROOT / "examples" / f"{name}.yaml")


def laid(belief: Belief | None) -> float:
    """How often a thorn lies on the mat of another, in guesses at a play of Thorns in which each has laid a disc."""
    play = example("thorns").start(3, seed=2)
    for _ in range(3):
        play.choose(0, play.pending[0])
    seat = play.pending[0]
    view, rng = SeatView(play, seat), random.Random(1)
    view.belief = belief
    world, spots = play.world, play.machine.program.spots
    (mat,) = (info for info in world.place_infos if info.name == "mat")
    kind, thorns, discs = sorts(play.configured), 0, 0
    for _ in range(400):
        state = view.guess(rng).state
        for piece in view.unknown:
            if mat.first <= state[spots.at + piece] - spots.first_place < mat.first + mat.count:
                discs += 1
                thorns += kind[piece] != kind[0]
    return thorns / discs


def test_guesses_are_dealt_as_it_is_believed() -> None:
    configured = example("thorns").configured(3)
    belief = Belief(configured)
    (mat,) = (info for info in configured.world.place_infos if info.name == "mat")
    group = belief.group[configured.machine.program.spots.first_place + mat.first]
    assert laid(None) == pytest.approx(0.25, abs=0.06), "each of four discs is as likely"
    assert laid(belief) == pytest.approx(0.25, abs=0.06), "nothing is believed yet"
    (thorn,) = {*belief.sort} - {belief.sort[0]}
    belief.weights = {(group, thorn): 3 * EVEN}
    assert laid(belief) == pytest.approx(0.5, abs=0.07), "one thorn, three times as likely as each of three roses"


def test_it_matters_where_one_knows_what_another_does_not() -> None:
    believed = {"thorns": True, "love-letter": True, "dike-watch": False, "chess": False, "backgammon": False}
    for name, is_so in believed.items():
        assert is_believed(example(name).configured()) == is_so, name


@compiled
def test_it_is_learnt_from_plays_and_kept(tmp_path: Path) -> None:
    """Who searches lays a thorn more often than one time in four."""
    game = example("thorns")
    configured = game.configured(3)
    belief = learn_belief(game, configured, 1.5, 1, lambda number, plays: None)
    assert laid(belief) > 0.3
    path = tmp_path / "thorns.yaml"
    keep_belief(beside(path), belief, 3)
    again = found_belief(configured, path)
    assert again is not None
    assert {key: weight for key, weight in belief.weights.items() if weight != EVEN} == again.weights
    assert found_belief(game.configured(4), path) is None, "it is of another number of players"
    for wrong in ({"form": 0}, {"form": 1}, {"form": 1, "lies": [[1, 2]]}, {"form": 1, "lies": 5}):
        write_entry(beside(path), belief.mark, wrong)
        assert found_belief(configured, path) is None
    write_entry(beside(path), belief.mark, {"form": 1, "lies": [[0, 0, 10**9]]})
    again = found_belief(configured, path)
    assert again is not None
    assert again.weights == {(0, 0): MOST}, "no weight is without bounds"


def test_what_ships_is_found() -> None:
    """A view finds it by itself, so that bots that decide by guesses use it."""
    view = SeatView(Play(example("thorns"), example("thorns").configured(3), 1), 0)
    assert view.belief is not None
    assert view.belief.weights
