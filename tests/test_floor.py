"""No bot that thinks is worse than one that takes anything: in no game does it lose to `random`, by interval."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import pytest

from games import EXAMPLES, ROOT, load, named
from ruledsl.bots.ahead import looks_ahead
from ruledsl.bots.base import fair, make
from ruledsl.bots.careful import suits
from ruledsl.bots.judge import plain
from ruledsl.generate.native import compiler
from ruledsl.simulation.tournament import shares

PATHS = [*EXAMPLES, *sorted((ROOT / "games").glob("*/game.yaml"))]
QUICK = {"search": "search:30", "alphabeta": "alphabeta:300"}
THINKING = [QUICK.get(name, name) for name in fair() if name != "random"]
LIMIT = 100  # decisions of a play that counts; one that goes on for longer is a draw


def played(path: Path, bot: str, seed: int) -> tuple[float, float]:
    """What a bot gets among players that take anything, and what all get on average."""
    game = load(path)
    play = game.start(players=max(2, game.players[0]), seed=seed)
    mine = seed % len(play.players)
    seats = [make(bot if seat == mine else "random", seed * 16 + seat) for seat in range(len(play.players))]
    found = shares(play, seats, LIMIT)
    assert play.fault is None
    return found[mine], sum(found) / len(found)


def highest(share: float, plays: int) -> float:
    """The upper end of Wilson's interval."""
    z = 1.96
    middle = share + z * z / 2 / plays
    width = z * sqrt(share * (1 - share) / plays + z * z / 4 / plays / plays)
    return (middle + width) / (1 + z * z / plays)


def floor(path: Path, bot: str, plays: int) -> None:
    game = load(path)
    if game.players[-1] < 2:
        pytest.skip("it is played alone")
    if bot == "careful" and not suits(game.configured(max(2, game.players[0]))):
        pytest.skip("it plays as greedy does")
    configured = game.configured(max(2, game.players[0]))
    if bot.startswith("alphabeta") and not looks_ahead(configured, plain(configured)):
        pytest.skip("it plays as search does")
    found = [played(path, bot, seed) for seed in range(plays)]
    share, usual = (sum(column) / plays for column in zip(*found, strict=True))
    assert highest(share, plays) >= usual, f"{bot} gets {share:.2f} of a win on average in {named(path)}"


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("bot", THINKING)
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_no_bot_loses_to_chance(path: Path, bot: str) -> None:
    floor(path, bot, 6)


@pytest.mark.long
@pytest.mark.parametrize("bot", THINKING)
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_no_bot_loses_to_chance_in_many_plays(path: Path, bot: str) -> None:
    floor(path, bot, 100)
