"""The hardest parts of three games to come, in the language as it is: they show what it can say and what it cannot yet.

They are no games in full, so they stand apart from those that every law is tried on.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ruledsl.compiler import pipeline
from ruledsl.runtime.game import load
from ruledsl.testing.runner import Tests

PROBES = sorted((Path(__file__).parent / "probes").glob("*/game.yaml"))
DECISIONS = 60


@pytest.mark.parametrize("path", PROBES, ids=lambda path: path.parent.name)
def test_a_probe_has_no_mistakes_and_is_played(path: Path) -> None:
    assert [d.message for d in pipeline.check(path).findings if d.severity == "error"] == []
    tests = Tests(load(path))
    assert [str(outcome.failures) for outcome in tests.run() if not outcome.passed] == []
    for players in (1, 3):
        play, rng = load(path).start(players=players, seed=players), random.Random(players)
        for _ in range(DECISIONS):
            if play.over:
                break
            seat = rng.choice(play.pending)
            play.choose(rng.randrange(len(play.options(seat))), seat)
        assert play.fault is None, play.fault
