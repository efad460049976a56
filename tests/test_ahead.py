"""Looking ahead by alpha-beta: the same on both executors, reproducible, and used only where it is the game for it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import ruledsl
from games import EXAMPLES, ROOT, load, named
from ruledsl.bots.ahead import (
    EDGE,
    NOT_TAKEN,
    TAKEN_BY_FORCE,
    TAKEN_FREELY,
    Ahead,
    AlphaBeta,
    how_things_are_taken,
    looks_ahead,
)
from ruledsl.bots.base import ask, make
from ruledsl.bots.judge import Judge, Signs, Weights, beside, found, keep, only_said, plain
from ruledsl.bots.native_tree import NativeAlphaBeta, library
from ruledsl.bots.search import Dial, SearchBot, share_of
from ruledsl.bots.seat_view import SeatView
from ruledsl.bots.tree import WHOLE
from ruledsl.cli.main import main
from ruledsl.cli.terminal.advice import advice
from ruledsl.generate.native import compiler
from ruledsl.runtime.play import Play

compiled = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


def example(name: str) -> Path:
    return ROOT / f"examples/{name}.yaml"


def fits(path: Path) -> bool:
    configured = load(path).configured()
    return looks_ahead(configured, plain(configured))


def never() -> bool:
    return False


def searched(
    play: Play, judge: Judge, taking: int, positions: int, native: bool, slack: int = 0
) -> tuple[Ahead, int, list[int]]:
    """What a search finds that looks at so many positions, how many those were, and how play may go on."""
    configured = play.configured
    state = SeatView(play, play.pending[0]).guess(random.Random(1)).state
    search: AlphaBeta | NativeAlphaBeta
    if native:
        built = library(configured)
        assert built is not None
        search = NativeAlphaBeta(built, state, 7, judge, taking, slack)
    else:
        search = AlphaBeta(configured, state, 7, judge, taking, slack)
    seen = search.more(positions, never)
    told = search.found(len(play.stop.options)), seen, search.line(6)
    search.close()
    return told


def judges_of(play: Play) -> list[Judge]:
    """By weights at random, which mean nothing, by pieces alone, and by what the rules say."""
    rng, signs = random.Random(1), Signs(play.configured)
    cells = [rng.randrange(-200, 200) for _ in range(signs.combined * signs.groups * 2)]
    weights = Weights(cells, [3] * signs.columns, [30, 20], 7, 0, 70_000)
    said = [Judge(play.configured, signs, only_said(0))] if signs.says else []
    return [Judge(play.configured, signs, weights), plain(play.configured), *said]


def executors_agree(path: Path, decisions: int, positions: int) -> None:
    play, rng = load(path).start(seed=5), random.Random(5)
    judges = judges_of(play)
    for number in range(decisions):
        if play.over:
            break
        if play.stop.choice is not None and len(play.stop.options) > 1:
            for taking in (NOT_TAKEN, TAKEN_FREELY, TAKEN_BY_FORCE):
                judge = judges[number % len(judges)]
                slack = 30 * (number % 2)
                ours = searched(play, judge, taking, positions, False, slack)
                assert ours == searched(play, judge, taking, positions, True, slack), (number, taking)
        play.choose(rng.randrange(len(play.stop.options)))


@compiled
@pytest.mark.parametrize("name", ["breakthrough", "chess", "draughts", "reversi", "tic-tac-toe"])
def test_both_executors_find_the_same(name: str) -> None:
    executors_agree(example(name), 2, 60)


@compiled
@pytest.mark.long
@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_both_executors_find_the_same_in_every_game(path: Path) -> None:
    if not fits(path):
        pytest.skip("this game is not for it")
    executors_agree(path, 12, 1_000)


def test_it_is_for_two_who_know_all_without_chance() -> None:
    names = {path.stem for path in EXAMPLES if fits(path)}
    assert {"chess", "draughts", "hex", "amazons", "oware", "go"} <= names
    assert not {"backgammon", "holdem", "dike-watch", "rock-paper-scissors", "love-letter"} & names


@compiled
@pytest.mark.parametrize("name", ["breakthrough", "backgammon", "dike-watch"])
def test_the_same_seed_and_number_of_positions_take_the_same(name: str) -> None:
    """Also in games that are not for it, where it plays as `search` does."""
    play = load(example(name)).start(players=2, seed=3)
    taken = {ask(make("alphabeta:400", 3), play, play.pending[0]) for _ in range(3)}
    assert len(taken) == 1


@compiled
@pytest.mark.parametrize(
    ("name", "taking"),
    [("chess", TAKEN_FREELY), ("draughts", TAKEN_BY_FORCE), ("hex", NOT_TAKEN), ("reversi", NOT_TAKEN)],
)
def test_how_things_are_taken_is_seen_in_play(name: str, taking: int) -> None:
    """In Reversi nearly all that is done turns something, so nothing is gained by looking at it first."""
    configured = load(example(name)).configured()
    assert how_things_are_taken(configured, plain(configured)) == taking


@compiled
def test_what_is_certain_is_told_as_certain() -> None:
    play = load(example("tic-tac-toe")).start()
    for space in ("a1", "c3", "b1", "c2"):
        texts = [option.text for option in play.options()]
        play.choose(texts.index(f"place at {space}"))
    known, _, line = searched(play, plain(play.configured), NOT_TAKEN, 1_000, native=True)
    assert play.options()[known.best].text == "place at c1"
    assert known.values[known.best] > EDGE
    assert line == [known.best]
    assert [share_of(one) for one in (EDGE + 1, 0, -EDGE - 1)] == [WHOLE, WHOLE // 2, 0]


@compiled
def test_search_looks_ahead_where_that_was_measured_to_be_stronger(tmp_path: Path) -> None:
    """What is kept decides, not the game: without it a tree grows."""
    file = tmp_path / "breakthrough.yaml"
    file.write_text(example("breakthrough").read_text(encoding="utf-8"), encoding="utf-8")

    def thought() -> int | None:
        play = ruledsl.load(file).start(seed=1)
        return SearchBot(1, "50").think(SeatView(play, 0)).ahead

    assert thought() is None
    judge = plain(load(file).configured())
    judge.weights.taking = TAKEN_FREELY
    keep(beside(file), judge)
    assert thought() is not None
    again = found(load(file).configured(), file)
    assert again is not None
    assert again.weights.taking == TAKEN_FREELY


@compiled
def test_it_stops_when_it_is_asked() -> None:
    play = load(example("chess")).start()
    built = library(play.configured)
    assert built is not None
    for search in (
        NativeAlphaBeta(built, play.state, 1, plain(play.configured), TAKEN_FREELY),
        AlphaBeta(play.configured, SeatView(play, 0).guess(random.Random(1)).state, 1, plain(play.configured), 1),
    ):
        assert search.more(1 << 40, lambda: True) < 1 << 40
        search.close()


@compiled
def test_not_every_play_is_the_same() -> None:
    """Against a bot that always does the same, who has won once wins always."""
    taken = {ask(make("alphabeta:3000", seed), load(example("breakthrough")).start(), 0) for seed in range(12)}
    assert len(taken) > 1


def test_its_dial_has_levels_of_its_own() -> None:
    assert Dial("easy", {"easy": 3}).plays == 3
    assert make("alphabeta:easy") is not None


def test_what_ships_says_which_is_stronger() -> None:
    """Chess and breakthrough are looked ahead in; a game whose file says nothing is not."""
    told = {}
    for name in ("chess", "breakthrough", "draughts"):
        kept = json.loads(beside(example(name)).read_text(encoding="utf-8"))
        told[name] = any("taking" in one for one in kept.values())
    assert told == {"chess": True, "breakthrough": True, "draughts": False}


@compiled
def test_analyse_tells_what_it_saw_and_no_more(capsys: pytest.CaptureFixture[str]) -> None:
    """Of what is not best it is known only that it is no better."""
    assert main(["analyse", "chess", "--think", "100", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    best, *others = told["offered"]
    assert told["plays"] == 2_000
    assert told["ahead"] >= 2
    assert best["low"] == best["worth"] == best["high"]
    assert all(one["low"] == 0 and one["high"] == one["worth"] <= best["worth"] for one in others if one["tried"])
    assert main(["analyse", "chess", "--think", "100"]) == 0
    assert "after 2,000 positions, looking" in capsys.readouterr().out


@compiled
def test_a_hint_says_how_far_it_looked() -> None:
    play = load(example("breakthrough")).start(seed=1)
    _, lines = advice(play, 0, "en", lambda key, **values: f"{key} {sorted(values)}")
    assert lines[0] == "hint_ahead ['far', 'worth']"
