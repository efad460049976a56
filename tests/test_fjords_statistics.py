"""What random exploration of Fjords comes to, counted over hundreds of plays in compiled C; with `--long` two thousand.

The figures to compare with are those of the specification from which the game was made: 300 plays of a program of its
own for each number of players, in which a hex is drawn from those that fit, then a place for it. So are the steps of
our choice. The errors are those of 300 plays; those of two thousand are two fifths of them.
"""

from __future__ import annotations

from array import array
from math import sqrt

import pytest

from games import ROOT, load
from ruledsl.engine.batch import ENDING
from ruledsl.ir import core as C
from ruledsl.ir.core import SCORED
from ruledsl.simulation.native import Native, Unavailable
from ruledsl.simulation.work import LIMIT

PLAYS, LONG_PLAYS = 400, 2_000
THEIRS = 300
START = 3  # starting hexes, all with plain
# By players: the hexes in the bag; rows without a legal hex, hexes left over, hexes with plain in the play area; how
# widely the first two are spread from play to play.
TOLD = {
    2: (37, 0.03, 0.20, 39, 0.19, 0.45),
    3: (51, 0.05, 0.48, 53, 0.27, 0.67),
    4: (64, 0.08, 0.74, 65, 0.34, 0.86),
}


@pytest.mark.parametrize("players", TOLD)
def test_random_exploration_comes_to_what_was_told(players: int, thorough: bool) -> None:
    plays = LONG_PLAYS if thorough else PLAYS
    bag, stuck, left, plain, stuck_spread, left_spread = TOLD[players]
    configured = load(ROOT / "games/fjords/game.yaml").configured(players)
    program = configured.machine.program
    try:
        native = Native(configured)
    except Unavailable as problem:
        pytest.skip(str(problem))
    shape = native.shape
    rows, counts = array("q", bytes(8 * shape.width * plays)), array("q", bytes(8 * shape.counts))
    native.run(1, 0, rows, counts, LIMIT)
    assert set(rows[ENDING :: shape.width]) == {SCORED}

    laid = counts[next(i for i, block in enumerate(program.blocks) if block.note == "lay")]
    # The bag is filled once in a play; every other time that pieces are put into it and mixed, a row was stuck.
    mixed = [
        counts[i]
        for i, block in enumerate(program.blocks)
        if isinstance(block.end, C.Chance) and block.end.kind == "shuffle"
    ]
    assert sorted(mixed)[-1] == plays
    peak = counts[shape.roots["piece"] + program.roots["piece"].names.index("peak")]

    def near(found: float, told: float, spread: float) -> bool:
        """Within four standard errors of both samples, and what rounding took."""
        return abs(found - told) <= 4 * spread * sqrt(1 / THEIRS + 1 / plays) + 0.005

    assert near((sum(mixed) - plays) / plays, stuck, stuck_spread)
    assert near(bag - laid / plays, left, left_spread)
    assert round(START + (laid - peak) / plays) == plain
