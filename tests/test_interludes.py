"""What lies open between two decisions and is gone at the next one is shown, and nothing besides."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import HIDING, load, named
from ruledsl.runtime.interludes import interludes, stood_at
from ruledsl.runtime.play import Play
from ruledsl.web.table.snapshot import snapshot

CALM = ("call", "check", "lay", "play", "2")


def calmly(path: Path, seed: int, most: int) -> Iterator[Play]:
    """A play in which hands are played to their end: nobody folds, and few raise."""
    rng, play = random.Random(seed), load(path).start(seed=seed, players=max(2, load(path).players[0]))
    for _ in range(most):
        yield play
        if play.over:
            return
        seat = rng.choice(play.pending)
        options = play.options(seat)
        calm = [option for option in options if option.text.startswith(CALM)]
        play.choose(rng.choice(calm or options), seat)


@pytest.mark.parametrize("path", HIDING, ids=named)
def test_an_interlude_shows_what_all_saw_while_nobody_is_asked(path: Path) -> None:
    found = 0
    for play in calmly(path, 3, 60):
        for seat in range(len(play.players)):
            for line in interludes(play, seat):
                then, knows = stood_at(play, line), play.viewer.knows
                pieces = range(play.world.pieces.size)
                mine = [piece for piece in pieces if knows(then.state, piece, seat)]
                assert any(knows(then.state, piece, None) for piece in mine) or mine
                assert not then.pending
                assert not then.over
                assert snapshot(then, seat)["options"] == []
                assert snapshot(then, seat, "ru")["log"][-1]["at"] <= line
                assert interludes(play, seat) == sorted(interludes(play, seat))
                found += 1
    assert found or named(path) not in ("holdem", "love-letter")


def test_a_hand_that_all_but_one_give_up_is_seen_to_its_end() -> None:
    """Nothing lies open then; but who has seen their cards go has seen the hand end."""
    play = load(next(path for path in HIDING if named(path) == "holdem")).start(3, seed=2)
    assert not any(interludes(play, seat) for seat in range(3)), "nothing was before"
    play.choose("fold")
    winner = next(seat for seat in range(3) if seat != play.decisions[0].seat and seat not in play.pending)
    assert not interludes(play, winner), "the hand goes on"
    play.choose("fold")
    for seat in range(3):
        lines = [play.line(number, seat, "en") for number in range(len(play.log))]
        found = interludes(play, seat)
        assert len(found) == 1
        gets = next(number for number, line in enumerate(lines) if " gets " in line)
        deals = next(number for number, line in enumerate(lines) if number > gets and "blinds" in line)
        assert gets <= found[0] < deals
