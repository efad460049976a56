"""Our games and OpenSpiel's offer the same and end alike, over random plays."""

from __future__ import annotations

import pytest
from openspiel import Rival, rivals, walk

pytest.importorskip("pyspiel")

RIVALS = rivals()
REASONS = {"draughts": {"40 moves without a capture", "repetition"}}


def agree(rival: Rival, seeds: range) -> None:
    ends = [walk(rival, seed) for seed in seeds]
    assert set(ends) <= {"result"} | REASONS.get(rival.example, set())
    assert ends.count("result") > len(ends) / 2


@pytest.mark.parametrize("rival", RIVALS, ids=lambda rival: rival.name)
def test_the_same_is_offered_and_the_same_comes_out(rival: Rival) -> None:
    agree(rival, range(20))


@pytest.mark.long
@pytest.mark.parametrize("rival", RIVALS, ids=lambda rival: rival.name)
def test_the_same_over_hundreds_of_plays(rival: Rival) -> None:
    agree(rival, range(1000, 1100 if rival.example == "chess" else 1400))
