"""Bots decide by what their seat may know: other worlds, which it cannot tell from this one, change no move.

The law is held twice: of guesses, which are all that a bot is given of a state, slot for slot; and of the moves of all
bots, with the same seed. The other worlds are those of `tests/secrecy.py`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from secrecy import Eyes, swaps

from games import HIDING, PATHS, ROOT, load, named
from ruledsl.bots.base import ask, make
from ruledsl.bots.belief import Belief
from ruledsl.bots.seat_view import SeatView
from ruledsl.runtime.game import Configured
from ruledsl.runtime.play import Play
from ruledsl.runtime.secrecy import decides_in_secret, hides, tells_apart


def hiding(path: Path) -> bool:
    configured = load(path).configured()
    return hides(configured) or decides_in_secret(configured)


@pytest.mark.parametrize(
    ("game", "apart"),
    [
        ("bastion", False),
        ("fjords", False),
        ("dike-watch", False),
        ("holdem", True),
        ("serpent", True),
        ("thorns", True),
    ],
)
def test_what_is_hidden_from_all_keeps_nobody_apart(game: str, apart: bool) -> None:
    """So nobody hands the terminal over in a game where only a deck is hidden."""
    (path,) = (path for path in HIDING if named(path) == game)
    assert tells_apart(load(path).configured()) == apart


BOTS = ["careful", "greedy", "search:6"]
LIMIT = 300  # decisions of a play


def pairs(path: Path, seed: int, every: int) -> Iterator[tuple[Play, Play, int, str]]:
    """Worlds that a seat that decides cannot tell apart: now and then, in a play at random."""
    play, rng = load(path).start(seed=seed), random.Random(seed)
    eyes = Eyes(play)
    for number in range(LIMIT):
        if play.over:
            return
        seat = rng.choice(play.pending)
        if number % every == 0 and len(play.options(seat)) > 1:
            others = swaps(play, eyes, seat, rng)
            for _ in range(4):
                what, other = next(others)
                twin = other()
                if twin is not None and twin.view(seat) == play.view(seat) and seat in twin.pending:
                    yield play, twin, seat, what
        play.choose(rng.randrange(len(play.options(seat))), seat)
        play.undo_points.clear()


def guesses_agree(path: Path, seed: int, believing: bool = False) -> int:
    compared = 0
    for play, twin, seat, what in pairs(path, seed, 5):
        mine, theirs = (SeatView(world, seat) for world in (play, twin))
        assert mine.raw == theirs.raw, f"{named(path)}, {what}"
        if believing:
            mine.belief = theirs.belief = any_belief(play.configured)
        ours, others = (view.guess(random.Random(compared)) for view in (mine, theirs))
        size = play.machine.program.layout.size
        changed = [
            f"{field.name} {field.kind}"
            for field in play.machine.program.layout.fields
            for i in range(field.base, field.base + field.count * field.width)
            if ours.state[i] != others.state[i]
        ]
        assert not changed, f"{named(path)}, {what}: {changed[:5]}"
        assert ours.state[:size] == others.state[:size]
        assert (ours.options, ours.taken) == (others.options, others.taken), f"{named(path)}, {what}"
        compared += 1
    return compared


def any_belief(configured: Configured) -> Belief:
    belief, rng = Belief(configured), random.Random(7)
    keys = [(group, sort) for group in sorted({*belief.group}) for sort in sorted({*belief.sort})]
    belief.weights = {key: rng.randint(16, 4_096) for key in keys}
    return belief


def moves_agree(path: Path, seed: int, bots: list[str], most: int) -> None:
    for number, (play, twin, seat, what) in enumerate(pairs(path, seed, 7)):
        if number == most:
            return
        for bot in bots:
            took, takes = (ask(make(bot, 5), world, seat) for world in (play, twin))
            assert took == takes, f"{named(path)}: {bot} can tell that {what}"


def test_who_hides_something_is_known_by_the_text() -> None:
    assert [path for path in PATHS if hiding(path)] == HIDING


@pytest.mark.parametrize("path", HIDING, ids=named)
def test_a_guess_holds_nothing_of_what_the_seat_may_not_know(path: Path) -> None:
    assert sum(guesses_agree(path, seed) for seed in range(3)), "there is nothing to be compared"
    assert guesses_agree(path, 3, believing=True), "whatever is believed of where hidden pieces lie"


@pytest.mark.parametrize("name", ["court-intrigue", "holdem", "love-letter", "thorns"])
def test_what_it_cannot_see_changes_no_move(name: str) -> None:
    moves_agree(ROOT / f"examples/{name}.yaml", 4, BOTS, 4)


@pytest.mark.long
@pytest.mark.parametrize("path", HIDING, ids=named)
def test_what_it_cannot_see_changes_no_move_in_any_game(path: Path) -> None:
    for seed in range(3):
        moves_agree(path, seed, BOTS, 15)


NUMBER = """\
ruledsl: 1
game: my-number
players: 2
values:
  number: {is: 1..6, seen: none}
  own: {per: player, is: 1..6, seen: owner}
setup:
  - random: {x: 1..6}
  - set: {number: x}
  - for: {me: players}
    do:
      - random: {y: 1..6}
      - set: {me.own: y}
play:
  - turns: players
    until: round > 20
    do:
      - choose: {n: 1..6}
        label: say {n}
      - if: n == number
        then: {win: me}
  - tie: players
"""


def test_hidden_values_are_drawn_as_they_come_up_in_plays(tmp_path: Path) -> None:
    """A guess holds any number that nobody sees, and keeps the one that the seat sees; so nobody finds out more than
    one of six numbers at once."""
    (tmp_path / "game.yaml").write_text(NUMBER, encoding="utf-8")
    game, found = load(tmp_path / "game.yaml"), 0
    for seed in range(24):
        play = game.start(seed=seed)
        hidden, own = (next(v.base for v in play.world.values if v.name == name) for name in ("number", "own"))
        guesses = [SeatView(play, 0).guess(random.Random(other)).state for other in range(120)]
        assert {guess[hidden] for guess in guesses} == set(range(1, 7))
        assert {guess[own] for guess in guesses} == {play.state[own]}
        assert len({guess[own + 1] for guess in guesses}) > 1
        play.choose(ask(make("search:60", seed), play, 0), 0)
        found += play.over
    assert found < 12, "it cannot know more than one number of six"
