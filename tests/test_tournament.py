"""Tournaments: who meets whom, what strength is, and what is refused."""

from __future__ import annotations

from math import log10
from pathlib import Path

import pytest

from ruledsl.cli.main import main
from ruledsl.simulation.tournament import Result, pairings, strengths


def test_each_meets_each_in_every_seat() -> None:
    assert sorted(pairings(3, 2)) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    assert len(pairings(4, 3)) == 24
    assert set(pairings(2, 3)) == {(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)}


def test_strength_is_the_logarithm_of_the_odds() -> None:
    """Of two bots, one of which wins three plays of four: 191 points of Elo, as tables have it."""
    results = [Result((0, 1), (1.0, 0.0))] * 750 + [Result((1, 0), (1.0, 0.0))] * 250
    strong, weak = strengths(2, results)
    assert strong.elo - weak.elo == pytest.approx(400 * log10(3), abs=1)
    assert (strong.score, weak.score, strong.plays) == (0.75, 0.25, 1000)
    few = strengths(2, results[::50])
    assert few[0].error > 5 * strong.error > 0


def test_draws_make_equal_and_nobody_is_better_without_end() -> None:
    assert [one.elo for one in strengths(2, [Result((0, 1), (0.5, 0.5))] * 10)] == [0.0, 0.0]
    best, worst = strengths(2, [Result((0, 1), (1.0, 0.0))] * 10)
    assert 200 < best.elo - worst.elo < 1000


def test_strength_is_told_by_way_of_others() -> None:
    results = [Result((0, 1), (1.0, 0.0))] * 30 + [Result((0, 1), (0.0, 1.0))] * 10
    results += [Result((1, 2), (1.0, 0.0))] * 30 + [Result((1, 2), (0.0, 1.0))] * 10
    first, second, third = (one.elo for one in strengths(3, results))
    assert first - second == pytest.approx(second - third, abs=1)
    assert first > second > third


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random"], "a tournament needs at least two different bots"),
        (["random", "random"], "a tournament needs at least two different bots"),
        (["random", "gredy"], "there is no bot `gredy`; did you mean `greedy`?"),
        (["random", "greedy", "-n", "0"], "at least one play is needed, not 0"),
        (["random", "greedy", "-o", "t.csv"], "`t.csv` cannot be the notes of a tournament"),
    ],
)
def test_what_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "tic-tac-toe", *words]) == 2
    assert said in capsys.readouterr().err


def test_notes_of_another_tournament_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "t.jsonl"
    other = '{"game": "draughts", "rules": "abc"}\n'
    for text, said in (
        ("{}\n", "is not the notes of a tournament"),
        ("my diary\n", "is not the notes of a tournament"),
        (other, "belongs to another tournament"),
    ):
        notes.write_text(text, encoding="utf-8")
        assert main(["tournament", "tic-tac-toe", "random", "greedy", "-n", "2", "-o", str(notes)]) == 2
        assert said in capsys.readouterr().err
        assert notes.read_text(encoding="utf-8") == text
    words = ["tournament", "tic-tac-toe", "random", "greedy", "-n", "1", "-o", str(notes)]
    assert main([*words, "--force"]) == 0
    assert main(words) == 0
