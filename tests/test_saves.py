"""Saves are files that anybody may have written: what is wrong in them is said, and never reaches the rules."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from games import NAMES, PATHS, ROOT, load, playout
from ruledsl.runtime.play import Play
from ruledsl.runtime.save import SaveError

GAME = ROOT / "examples/tic-tac-toe.yaml"


def a_save() -> dict[str, object]:
    play = load(GAME).start(seed=1)
    play.choose("b2")
    play.choose("a1")
    return play.to_json()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (b"not json", "this is not a save of a play: it cannot be read as JSON"),
        (b"[1, 2]", "this is not a save of a play"),
        (b"[" * 100_000, "this is not a save of a play: it cannot be read as JSON"),
        ({"ruledsl": 7}, "this save has format 7, and this program reads format 2"),
        ({"game": "go"}, "this is a save of `go`, not of `tic-tac-toe`"),
        (
            {"rules": "0"},
            "the rules were changed since this was saved; `ruledsl play … --from` offers to carry it over",
        ),
        ({"state": [1, 2]}, "the state of this save does not fit the rules"),
        ({"state": "x"}, "this is not a save of a play: `state` is missing or wrong"),
        ({"seed": None}, "this is not a save of a play: `seed` is missing or wrong"),
        ({"players": [1, 2]}, "this is not a save of a play: `players` is wrong"),
    ],
)
def test_a_bad_save_is_refused_in_plain_words(change: bytes | dict[str, object], said: str) -> None:
    data = change if isinstance(change, bytes) else json.dumps(a_save() | change).encode()
    with pytest.raises(SaveError) as refused:
        load(GAME).resume(data)
    assert str(refused.value) == said


def test_a_piece_in_two_places_is_refused() -> None:
    data = a_save()
    play = load(GAME).start()
    spots = play.machine.program.spots
    data["state"][spots.top + 8] = data["state"][spots.top + 4]  # type: ignore[index]
    with pytest.raises(SaveError, match="a piece of this save lies in two places"):
        load(GAME).resume(data)


def test_a_bag_with_more_than_it_may_hold_is_refused() -> None:
    """What does not fit a word of 32 bits never reaches native code."""
    game = load(ROOT / "examples/yacht.yaml")
    data = next(play for i, play in enumerate(playout(game, 2)) if i == 3).to_json()
    dice = next(f for f in game.configured().machine.program.layout.fields if f.name == "dice")
    data["state"][dice.base + 2] = 2**31
    with pytest.raises(SaveError) as refused:
        game.resume(data)
    assert str(refused.value) == "`dice` of this save is 2147483648, which it cannot be"


def test_a_frontier_that_does_not_fit_the_tiles_is_refused() -> None:
    """What is kept of a board that grows is what its tiles say, after any number of them."""
    game = load(ROOT / "games/fjords")
    (board,) = game.configured().machine.program.spots.growing
    for i, play in enumerate(playout(game, 2, limit=40)):
        data = play.to_json()
        game.resume(data)
        if i % 8 == 0:
            kept = board.tiled if i % 16 else board.frontier
            data["state"][kept] ^= 1 << board.near[0][0]
            with pytest.raises(SaveError) as refused:
                game.resume(data)
            assert str(refused.value) == f"the frontier of `{board.name}` in this save does not fit its tiles"


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_a_spoilt_save_is_refused_or_plays_on_without_breaking(path: Path, thorough: bool) -> None:
    game, rng = load(path), random.Random(3)
    saves = [play.to_json() for i, play in enumerate(playout(game, 2, None, limit=40)) if i % 8 == 0]
    for data in saves:
        for _ in range(30 if thorough else 8):
            spoilt = json.loads(json.dumps(data))
            slot = rng.randrange(len(spoilt["state"]))
            spoilt["state"][slot] = rng.choice([-1, 0, 1, 2, 5, 100, 2**40, -(2**31), "x", None, rng.randrange(64)])
            try:
                play = game.resume(spoilt)
            except SaveError:
                continue
            _play_on(play, rng)


def _play_on(play: Play, rng: random.Random) -> None:
    """A few decisions: a fault of the rules may come of it, an exception may not."""
    for _ in range(10):
        if play.over:
            return
        seat = play.pending[0]
        play.view(seat)
        play.choose(rng.choice(play.options(seat)), seat)
