"""Bots against each other: who meets whom, and how strong results make each (Elo, by Bradley and Terry)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import log, log10, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ruledsl.bots.base import ask

if TYPE_CHECKING:
    from ruledsl.bots.base import Bot
    from ruledsl.runtime.play import Play

ROUNDS = 500  # of working out strengths, which come closer to one another each time
SCALE = 400 / log(10)  # points of Elo for a factor of e
TIE = 0.5  # plays that two bots are taken to have tied, so that nobody is without end better than another
Pairing = tuple[int, ...]  # by seat, the number of a bot


class Result(NamedTuple):
    """One play: which bot sat where, and the share of the win that each seat got."""

    seats: Pairing
    shares: tuple[float, ...]


class Strength(NamedTuple):
    """How strong a bot is: in Elo, where 0 is the mean, ± so much with 95 % confidence."""

    elo: float
    error: float
    plays: int
    score: float  # the share of the win that it got on average


def shares(play: Play, bots: Sequence[Bot], limit: int) -> tuple[float, ...]:
    """Plays on to the end, or to so many decisions: the share of each seat, where those who win together share the win
    and a play without one is a draw."""
    for _ in range(limit):
        if play.over:
            break
        seat = play.pending[0]
        play.choose(ask(bots[seat], play, seat), seat)
        play.undo_points.clear()
        play.decisions.clear()
        play.log.clear()
    winners = play.winners if play.over and play.fault is None else []
    if not winners and not (play.over and play.ending == "won"):
        winners = list(range(len(play.players)))
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(play.players)))


def pairings(bots: int, seats: int) -> list[Pairing]:
    """All ways to seat them, so that each meets each in every seat; some sit twice where there are more seats."""
    if seats == 1:
        return [(bot,) for bot in range(bots)]
    if bots >= seats:
        return list(permutations(range(bots), seats))
    return [
        tuple(pair[0] if seat == at else pair[1] for seat in range(seats))
        for pair in permutations(range(bots), 2)
        for at in range(seats)
    ]


def strengths(bots: int, results: Sequence[Result]) -> list[Strength]:
    """What all results together say of each bot. In a play with several, each has met each of the others."""
    won = [[0.0] * bots for _ in range(bots)]
    plays, score = [0] * bots, [0.0] * bots
    for result in results:
        for seat, (bot, share) in enumerate(zip(result.seats, result.shares, strict=True)):
            plays[bot] += 1
            score[bot] += share
            for other, theirs in list(zip(result.seats, result.shares, strict=True))[seat + 1 :]:
                if other != bot:
                    mine = 1.0 if share > theirs else 0.5 if share == theirs else 0.0
                    won[bot][other] += mine
                    won[other][bot] += 1 - mine
    met = [[won[a][b] + won[b][a] for b in range(bots)] for a in range(bots)]
    for a in range(bots):
        for b in range(bots):
            if met[a][b]:
                won[a][b] += TIE / 2
    met = [[won[a][b] + won[b][a] for b in range(bots)] for a in range(bots)]
    factors = _factors(won, met)
    mean = sum(map(log, factors)) / bots
    return [
        Strength(
            round(400 * log10(factors[bot]) - SCALE * mean, 1),
            round(_error(bot, factors, met), 1),
            plays[bot],
            round(score[bot] / plays[bot], 4) if plays[bot] else 0.0,
        )
        for bot in range(bots)
    ]


def _factors(won: list[list[float]], met: list[list[float]]) -> list[float]:
    """The strengths that make the results most likely: each is what it won, by what it should have."""
    factors = [1.0] * len(won)
    for _ in range(ROUNDS):
        for bot, row in enumerate(won):
            due = sum(n / (factors[bot] + factors[other]) for other, n in enumerate(met[bot]) if n)
            if due:
                factors[bot] = max(sum(row) / due, 1e-9)
    return factors


def _error(bot: int, factors: list[float], met: list[list[float]]) -> float:
    known = 0.0
    for other, n in enumerate(met[bot]):
        chance = factors[bot] / (factors[bot] + factors[other])
        known += n * chance * (1 - chance)
    return 1.96 * SCALE / sqrt(known) if known else 0.0


__all__ = ["Pairing", "Result", "Strength", "pairings", "strengths"]
