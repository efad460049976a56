"""States that are kept share what did not change, and are read as they were."""

from __future__ import annotations

import random

from games import ROOT
from ruledsl import load
from ruledsl.runtime.moments import Moment, moment


def test_a_state_is_read_as_it_was() -> None:
    rng = random.Random(1)
    states = [[rng.randint(-3, 3) for _ in range(rng.choice((0, 1, 31, 32, 33, 100)))] for _ in range(30)]
    for state in states[:15]:  # and some that differ in one place
        states.append([*state[:-1], 9])
    kept: list[Moment] = []
    for state in states:
        kept.append(moment(state, kept[-1] if kept else None))
    for state, one in zip(states, kept, strict=True):
        assert one[:] == state
        assert [one[at] for at in range(len(state))] == state
        assert [one[at] for at in range(-len(state), 0)] == state
        assert one[2:5] == state[2:5]


def test_a_state_that_did_not_change_is_kept_once() -> None:
    state = list(range(100))
    first = moment(state, None)
    assert moment(state, first) is first
    state[50] += 1
    other = moment(state, first)
    assert sum(a is not b for a, b in zip(first._runs, other._runs, strict=True)) == 1


def test_a_long_play_on_a_large_board_takes_little_memory() -> None:
    """Of the states before all decisions at least nine in ten numbers are shared."""
    play, rng = load(ROOT / "games" / "fjords").start(seed=1), random.Random(1)
    while not play.over:
        seat = play.pending[0]
        play.choose(rng.choice(play.options(seat)), seat)
    runs = [run for line in play.log.lines for run in line.state._runs]
    assert len({id(run) for run in runs}) < len(runs) / 10
