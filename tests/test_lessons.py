"""Training in pieces: who does which, and in what order, changes nothing of what is learnt."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ruledsl.bots import lessons
from ruledsl.bots.lessons import Lesson, Table, ahead_measured, manner_taught, taught, ways_measured
from ruledsl.bots.measuring import Way
from ruledsl.bots.native_tree import library
from ruledsl.bots.training import ahead_candidates
from ruledsl.cli.main import main
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.generate.native import compiler
from ruledsl.runtime.game import Game

ROOT = Path(__file__).parent.parent
compiled = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


@cache
def table(name: str, players: int) -> Table:
    game = Game(load_blueprint(ROOT / f"examples/{name}.yaml"))
    configured = game.configured(players)
    made = library(configured)
    assert made is not None
    return Table(game, configured, made)


def one_by_one(at: Table, lesson: Lesson, numbers: Iterable[int]) -> list[Any]:
    return [lesson.piece(at, number) for number in numbers]


def by_others(at: Table, lesson: Lesson, numbers: Iterable[int]) -> list[Any]:
    """The last first, each at a table of its own, and each begun twice."""
    found = {}
    for number in sorted(numbers, reverse=True):
        another = Table(at.game, at.configured, at.made)
        lesson.piece(another, number)
        found[number] = lesson.piece(another, number)
    return [found[number] for number in sorted(found)]


@compiled
@pytest.mark.parametrize(("name", "players"), [("breakthrough", 2), ("dike-watch", 2), ("love-letter", 3)])
def test_whoever_does_the_pieces_the_same_is_learnt(name: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for constant, much in (("PRACTISED", 7), ("TAUGHT", 2), ("FEW", 4)):
        monkeypatch.setattr(lessons, constant, much)
    at, told = table(name, players), []
    for do in (one_by_one, by_others):

        def hands(lesson: Lesson, numbers: Iterable[int], do: Any = do) -> list[Any]:
            return list(do(at, lesson, numbers))

        pupil = taught(at, hands, 100, 5, lambda number, seen: None)
        manner = manner_taught(at, hands, 600, 5, lambda number, seen: None, True)
        on = manner_taught(at, hands, 300, 6, lambda number, seen: None, start=manner)
        ways = [ways_measured(at, hands, Way(manner=on), 1, 5), ways_measured(at, hands, Way(pupil.judge(4)), 1, 5)]
        ahead = [ahead_measured(at, hands, judge, Way(), 1, 5) for judge in ahead_candidates(pupil)[:1]]
        told.append((pupil.judge(0).weights.cells, manner.weights, on.weights, ways, ahead))
    assert told[0] == told[1]
    assert any(told[0][1])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-n", "5", "--seconds", "5"], "`--plays` and `--seconds` both say when it is enough"),
        (["--cluster", "local", "--seconds", "5"], "on a cluster it is enough after `--plays N`"),
        (["-n", "0"], "there may be 1 to 100,000,000 plays for practice, not 0"),
        (["--jobs", "2"], "`--jobs` is for `--cluster local`"),
        (["--cluster", "local", "--jobs", "0"], "at least one process is needed, not 0"),
    ],
)
def test_what_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "tic-tac-toe", *words]) == 2
    assert said in capsys.readouterr().err
