"""Games declared in other words play the same: what is compiled depends on the rules, not on how they are put."""

from __future__ import annotations

from array import array
from functools import cache
from pathlib import Path

import pytest

import ruledsl
from ruledsl.engine.batch import DECISIONS, ENDING, WINNERS
from ruledsl.generate.native import compiler
from ruledsl.simulation.executors import EXECUTORS

ROOT = Path(__file__).resolve().parent.parent
REWORDED = sorted((ROOT / "tests/bench/reworded").glob("*.yaml"))
LIMIT = 100_000


def original(path: Path) -> Path:
    """Of `hex.yaml` and `hex-chain.yaml`, `examples/hex.yaml`."""
    return ROOT / "examples" / f"{path.stem.partition('-')[0]}.yaml"


@cache
def results(path: Path, backend: str, plays: int) -> list[list[int]]:
    game = ruledsl.load(path, backend="interpreter")
    players = EXECUTORS[backend](game.configured())
    shape = players.shape
    rows, counts = array("q", [0]) * (plays * shape.width), array("q", [0]) * shape.counts
    players.run(4, 0, rows, counts, LIMIT)
    told = (ENDING, WINNERS, DECISIONS)
    return [[rows[i * shape.width + field] for field in told] for i in range(plays)]


@pytest.mark.parametrize("path", REWORDED, ids=lambda path: path.stem)
def test_a_game_in_other_words_plays_the_same(path: Path) -> None:
    assert results(path, "interpreter", 3) == results(original(path), "interpreter", 3)


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("path", REWORDED, ids=lambda path: path.stem)
def test_a_compiled_game_in_other_words_plays_the_same(path: Path, thorough: bool) -> None:
    many = 500 if thorough else 50
    assert results(path, "c", many) == results(original(path), "c", many)
    assert results(path, "c", 3) == results(path, "interpreter", 3)
