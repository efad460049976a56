"""What was decided can be taken back only as long as it has brought nothing new to light for who decided it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from games import HIDING, SHIPPED, load, named
from ruledsl.bots.guess import Guess
from ruledsl.runtime.binding import binds
from ruledsl.runtime.play import Play
from ruledsl.runtime.secrecy import decides_in_secret, tells_apart

GUESSES = 3  # other ways in which what is hidden may lie, at each decision


def for_nobody(play: Play) -> list[int]:
    """The slots of values that nobody sees: what the rules remember, which players could work out."""
    hidden = [value for value in play.world.values if getattr(value.seen, "value", None) == "none"]
    return [value.base + i for value in hidden for i in range(value.count * value.width)]


def elsewise(play: Play, seat: int, raw: tuple[Any, ...], rng: random.Random) -> Play | None:
    """The position behind an option that a seat has taken, had what it does not know lain otherwise before."""
    guess, there = Guess(play, seat, rng), play.copy()
    stop = play.stop_of(seat)
    assert stop is not None
    assert stop.choice is not None
    there.state = guess.state
    for slot in for_nobody(play):
        there.state[slot] = play.state[slot]
    there.go_on()
    if there.fault is not None or there.stop.choice is not stop.choice or there.stop.seat != seat:
        return None
    raw = guess.option(stop.choice, raw)
    if raw not in there.stop.options:
        return None
    there.choose(there.stop.options.index(raw), seat)
    return there if there.fault is None else None


@pytest.mark.parametrize("path", HIDING, ids=named)
def test_what_can_be_taken_back_has_told_nothing(path: Path, thorough: bool) -> None:
    """Whatever the hidden things were, who decided sees the same behind it."""
    game = load(path)
    for seed in range(8 if thorough else 2):
        rng, play = random.Random(seed), game.start(seed=seed)
        for _ in range(120 if thorough else 60):
            if play.over:
                break
            seat = rng.choice(play.pending)
            stop = play.stop_of(seat)
            assert stop is not None
            index = rng.randrange(len(stop.options))
            twin = play.copy()
            twin.choose(index, seat)
            alone = play.together is None and twin.together is None
            if alone and twin.fault is None and not binds(twin, play.state, play):
                for _ in range(GUESSES):
                    there = elsewise(play, seat, stop.options[index], random.Random(rng.random()))
                    if there is None:
                        continue
                    told = play.option(seat, index).text
                    assert (twin.over, twin.pending) == (there.over, there.pending), told
                    assert twin.view(seat) == there.view(seat), told
            play.choose(index, seat)


@pytest.mark.parametrize("path", [path for path in SHIPPED if path in HIDING], ids=named)
def test_what_another_has_answered_stands_where_they_may_know_more(path: Path) -> None:
    """Else who claims something could see who doubts it, and claim something else."""
    game, rng = load(path), random.Random(1)
    play = game.start(seed=1)
    secret = tells_apart(play.configured) or decides_in_secret(play.configured)
    for _ in range(60):
        if play.over:
            break
        before, count, seats = play.state[:], len(play.decisions), play.pending
        while not play.over and len(play.decisions) < count + 6:
            play.choose(rng.randrange(len(play.options(seat := rng.choice(play.pending)))), seat)
            done = {decision.seat for decision in play.decisions[count:]}
            if secret and len(done) > 1 and len(seats) == 1 and play.together is None:
                assert binds(play, before, count)


@pytest.mark.parametrize("path", [path for path in SHIPPED if path in HIDING], ids=named)
def test_what_was_decided_at_once_stands_when_it_has_come_out(path: Path) -> None:
    """Whoever was the last to decide would know then what the others have."""
    game, rng = load(path), random.Random(2)
    play = game.start(seed=2)
    for _ in range(200):
        if play.over:
            break
        before, count, several = play.state[:], len(play.decisions), len(play.pending) > 1
        drafts = play.together
        play.choose(rng.randrange(len(play.options(seat := rng.choice(play.pending)))), seat)
        if drafts is not None and (several or len(drafts.seats) > 1):
            out = play.together is not drafts
            assert bool(binds(play, before, count)) == out
