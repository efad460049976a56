"""The hardest parts of three large games, which are not complete games, and what `docs/probes.md` says about them."""

from __future__ import annotations

import random
import re
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


PAGE = (Path(__file__).parents[1] / "docs/probes.md").read_text(encoding="utf-8")


def _lines(path: Path) -> list[str]:
    lines = [" ".join(line.split()) for line in path.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def test_the_page_counts_the_lines_that_there_are() -> None:
    rows = re.findall(r"^\| .*?`([a-z]+/[a-z]+\.[a-z]+)` \| \d+ \| (\d+) \|$", PAGE, re.M)
    assert len(rows) == 4
    for name, count in rows:
        assert len(_lines(PROBES[0].parents[1] / name)) == int(count), name


def test_what_the_page_shows_as_new_is_there() -> None:
    there = {line for path in PROBES[0].parents[1].glob("*/*.*") for line in _lines(path)}
    shown = [" ".join(line.split()) for line in re.findall(r"^\+ (.*)$", PAGE, re.M) if "…" not in line]
    assert len(shown) > 30
    assert [line for line in shown if line not in there] == []
