"""Our games and OpenSpiel's offer the same and end alike, over random plays."""

from __future__ import annotations

import pytest
from openspiel import Rival, rivals, walk
from openspiel_dice import backgammon, yacht

pytest.importorskip("pyspiel")

RIVALS = rivals()
REASONS = {
    "draughts": {"40 moves without a capture", "repetition"},
    "nine-mens-morris": {"repetition or no mill", "200 turns"},
}


def agree(rival: Rival, seeds: range, share: float) -> None:
    ends = [walk(rival, seed) for seed in seeds]
    assert set(ends) <= {"result"} | REASONS.get(rival.example, set())
    assert ends.count("result") >= len(ends) * share


@pytest.mark.parametrize("rival", RIVALS, ids=lambda rival: rival.name)
def test_the_same_is_offered_and_the_same_comes_out(rival: Rival) -> None:
    agree(rival, range(8), 1 / 4)


@pytest.mark.long
@pytest.mark.parametrize("rival", RIVALS, ids=lambda rival: rival.name)
def test_the_same_over_hundreds_of_plays(rival: Rival) -> None:
    agree(rival, range(1000, 1100 if rival.example == "chess" else 1400), 1 / 2)


@pytest.mark.parametrize("first", range(0, 10, 5))
def test_backgammon_goes_where_theirs_goes_and_counts_as_much(first: int) -> None:
    assert {backgammon(seed) for seed in range(first, first + 5)} <= {1, 2, 3}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_yacht_throws_keeps_and_counts_as_theirs(players: int) -> None:
    for seed in range(6 if players == 2 else 3):
        yacht(seed, players)


@pytest.mark.long
def test_hundreds_of_plays_with_dice() -> None:
    assert {backgammon(seed) for seed in range(1000, 1200)} == {1, 2, 3}
    for seed in range(1000, 1400):
        yacht(seed, 2 + seed % 5)
