"""The benchmark: its references play right, and its results can be read. No test looks at a time."""

from __future__ import annotations

import sys
from math import sqrt
from pathlib import Path

import pytest

import ruledsl
from ruledsl.engine.random import draw, seeded

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/bench"), str(ROOT / "tests/bench/reference")]

import plain  # noqa: E402 (found in the folders above)
import references  # noqa: E402

needs_compiler = pytest.mark.skipif(references.compiler() is None, reason="there is no C compiler")

# ---------------------------------------------------------------------------------------- what is written by hand

# Of random plays: plies, their spread, and the shares won by the first player and drawn. Of tic-tac-toe they are
# exact; the others agree with OpenSpiel's plays, and with those of our declared games.
TRUTH = {
    "tic-tac-toe": (3203 / 420, 1.5, 737 / 1260, 8 / 63),
    "connect-four": (21.31, 7.5, 0.5557, 0.0026),
    "breakthrough": (64.09, 16, 0.5092, 0.0),
    "hex": (107.52, 11, 0.5230, 0.0),
}


def agrees(share: float, truth: float, plays: int) -> bool:
    return abs(share - truth) < 5 * sqrt(max(truth * (1 - truth), 1e-9) / plays) + 0.0005


@needs_compiler
@pytest.mark.parametrize("flags", [(), ("-O1",)], ids=["this processor", "any processor"])
@pytest.mark.parametrize("game", TRUTH)
def test_plays_in_c_are_uniform_random_plays(game: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    plies, spread, first, draws = TRUTH[game]
    program = references.build(game, tmp_path, *flags)
    found = references.run(program, "200000", 1)
    assert found.plays == 200000
    assert abs(found.plies / found.plays - plies) < 5 * spread / sqrt(found.plays) + 0.01
    assert agrees(found.first / found.plays, first, found.plays)
    assert agrees(found.draws / found.plays, draws, found.plays)


@needs_compiler
@pytest.mark.parametrize("game", TRUTH)
def test_plays_in_c_follow_their_seed(game: str, tmp_path: Path) -> None:
    program = references.build(game, tmp_path)
    once, again, other = (references.run(program, "1000", seed) for seed in (1, 1, 2))
    assert (once.plies, once.first, once.draws) == (again.plies, again.first, again.draws)
    assert (once.plies, once.first) != (other.plies, other.first)


@needs_compiler
@pytest.mark.parametrize("game", TRUTH)
def test_plays_in_c_keep_to_their_memory(game: str, tmp_path: Path) -> None:
    try:
        program = references.build(game, tmp_path, "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover")
        found = references.run(program, "2000", 3)
    except references.subprocess.CalledProcessError as problem:
        if "unrecognized" in str(problem.stderr) or "cannot find" in str(problem.stderr):
            pytest.skip("this compiler has no sanitizers")
        raise
    assert found.plays == 2000


@pytest.mark.parametrize("game", plain.GAMES)
def test_a_seed_gives_the_same_play_by_hand_and_as_declared(game: str) -> None:
    declared = ruledsl.load(ROOT / f"examples/{game}.yaml")
    options = {"swap": False} if game == "hex" else {}
    for seed in range(12 if game in ("breakthrough", "hex") else 60):
        play = declared.start(options=options, seed=seed)
        stream, plies = [seeded(seed, plain.BOT_STREAM)], 0
        while not play.over:
            count = len(play.stop.options)
            play.choose(draw(stream, 0, count) if count > 1 else 0)
            plies += 1
        winner = play.winners[0] if len(play.winners) == 1 else -1
        assert plain.GAMES[game](seed) == (plies, winner), seed
