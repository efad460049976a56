"""No bot that thinks is worse than one that takes anything: in no game does it lose to `random`, by interval.

What all plays would say is often certain after the first: who has won one of six cannot lose by interval any more. So
plays are played only until it is certain, which says the same.
"""

from __future__ import annotations

import random
from math import sqrt
from pathlib import Path

import pytest

from games import EXAMPLES, ROOT, load, named
from ruledsl.bots.ahead import looks_ahead
from ruledsl.bots.base import fair, make
from ruledsl.bots.careful import suits
from ruledsl.bots.judge import plain
from ruledsl.bots.outcome import shared
from ruledsl.generate.native import compiler
from ruledsl.simulation.tournament import shares

PATHS = [*EXAMPLES, *sorted((ROOT / "games").glob("*/game.yaml"))]
QUICK = {"search": "search:30", "alphabeta": "alphabeta:300"}
THINKING = [QUICK.get(name, name) for name in fair() if name != "random"]
LIMIT = 100  # decisions of a play that counts; one that goes on for longer is a draw
FOR_EACH = 3  # plays for each player: who wins none of them has lost to chance


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


def certain(won: float, usual: float, played: int, plays: int, players: int) -> bool | None:
    """Whether so many plays will say that a bot does no worse than usual, after some of them; None while it is open."""
    left = plays - played
    if highest(won / plays, plays) >= (usual + left / players) / plays:  # were it to get nothing more
        return True
    return False if highest((won + left) / plays, plays) < usual / plays else None


def floor(path: Path, bot: str, for_each: int) -> None:
    game = load(path)
    if game.players[-1] < 2:
        pytest.skip("it is played alone")
    configured = game.configured(max(2, game.players[0]))
    if shared(configured):
        pytest.skip("all win or lose together, so nobody fares worse than the others")
    if bot == "careful" and not suits(configured):
        pytest.skip("it plays as greedy does")
    if bot.startswith("alphabeta") and not looks_ahead(configured, plain(configured)):
        pytest.skip("it plays as search does")
    players = len(configured.players)
    plays, number, won, usual = for_each * players, 0, 0.0, 0.0
    while (told := certain(won, usual, number, plays, players)) is None:
        got, each = played(path, bot, number)
        won, usual, number = won + got, usual + each, number + 1
    assert told, f"{bot} gets {won / number:.2f} of a win on average in {number} plays of {named(path)}"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_certain_early_is_what_all_plays_say(players: int) -> None:
    """Among them plays in which all lose, or some share in a win; and that who wins nothing fails, for any number."""
    rng, early = random.Random(players), 0
    for plays in (FOR_EACH * players, 50 * players):
        assert highest(0, plays) < 1 / players
        for _ in range(200):
            skill = rng.random()
            found = [any_shares(players, skill, rng) for _ in range(plays)]
            number, won, usual = 0, 0.0, 0.0
            while (told := certain(won, usual, number, plays, players)) is None:
                won, usual, number = won + found[number][0], usual + found[number][1], number + 1
            early += number < plays
            all_won, all_usual = (sum(column) for column in zip(*found, strict=True))
            assert told == (highest(all_won / plays, plays) >= all_usual / plays)
    assert early > 200


def any_shares(players: int, skill: float, rng: random.Random) -> tuple[float, float]:
    """What a bot gets in a play, and what all get on average."""
    if rng.random() < 0.1:
        return 0.0, 0.0
    together = rng.randint(1, 2)
    return (1 / together if rng.random() < skill else 0.0), 1 / players


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("bot", THINKING)
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_no_bot_loses_to_chance(path: Path, bot: str) -> None:
    floor(path, bot, FOR_EACH)


@pytest.mark.long
@pytest.mark.parametrize("bot", THINKING)
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_no_bot_loses_to_chance_in_many_plays(path: Path, bot: str) -> None:
    floor(path, bot, 50)
