"""Whether searching is stronger with what was learnt: plays of both, in the same number of plays on from here."""

from __future__ import annotations

import random
from math import sqrt
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from ruledsl.runtime.play import Play

from .native_tree import NativeAlphaBeta, NativeTree
from .outcome import Outcome, shared
from .search import Thought
from .seat_view import SeatView

if TYPE_CHECKING:
    from ruledsl.generate.native import Library
    from ruledsl.runtime.game import Configured, Game

    from .belief import Belief
    from .judge import Judge
    from .manner import Manner

CUTS = (0, 4, 16)  # decisions at random before a position is judged; the best is kept
PLAYS = 200  # of a search, on both sides
FEW_PLAYS = 50  # of one for a game in which all win or lose together, which are often long
LONG = 400  # decisions of a play that is measured
FEWEST = 8  # plays, before a way is given up


class Way(NamedTuple):
    """With what a search is helped."""

    judge: Judge | None = None
    manner: Manner | None = None
    belief: Belief | None = None


class Measured(NamedTuple):
    """How a search that is helped fares against one that plays on at random to the end, in the same number of plays on
    from here; or one that looks ahead against the best of those, in the same time."""

    cut: int | None
    by: str  # what helps: `learnt`, the `heuristic` alone, `pieces` and points alone, a `manner`, or a `belief`
    ahead: bool
    plays: int
    share: float
    low: float
    high: float


def measured(game: Game, configured: Configured, made: Library, way: Way, seconds: float, seed: int) -> Measured:
    """A search that is helped against one that is not."""
    return _measured(game, configured, weak_bots(configured, made, way), way.judge, seconds, seed)


def weak_bots(configured: Configured, made: Library, way: Way) -> WeakBots:
    return WeakBots(made, way, FEW_PLAYS if shared(configured) else PLAYS)


def measured_ahead(
    game: Game, configured: Configured, made: Library, ahead: Judge, tree: Way, seconds: float, seed: int
) -> Measured:
    """Looking ahead by a judge against a tree that is helped."""
    return _measured(game, configured, WeakAhead(made, ahead, tree), ahead, seconds, seed)


def _measured(
    game: Game, configured: Configured, bots: WeakBots, judge: Judge | None, seconds: float, seed: int
) -> Measured:
    """Plays of both against each other, each in every seat in turn, for so long. Where all win or lose together, each
    plays alone, from the same start, and that has won which came to more."""
    number, won, begun = 0, 0.0, process_time()
    seats = seats_taken(configured)
    while number < FEWEST or (process_time() - begun < seconds and number < 400):
        if number % seats == 0 and process_time() - begun > 3 * seconds:
            break
        won += one_measured(game, configured, bots, number, seed)
        number += 1
    return told(judge, won, number, "manner" if bots.way.belief is None else "belief")


def seats_taken(configured: Configured) -> int:
    """So many plays begin alike: each sits in every seat, or all do well or badly together."""
    return 1 if shared(configured) else len(configured.players)


def one_measured(game: Game, configured: Configured, bots: WeakBots, number: int, seed: int) -> float:
    """What the helped side made of the play of this number."""
    seats = seats_taken(configured)
    if shared(configured):
        return _apart(game, configured, bots, seed + number)
    return _against(game, configured, bots, number % seats, seed + number // seats)


def told(judge: Judge | None, won: float, number: int, by: str) -> Measured:
    """What was measured of a judge; or, without one, of what helps `by` itself."""
    low, high = interval(won / number, number)
    if judge is None:
        return Measured(None, by, False, number, won / number, low, high)
    return Measured(judge.cut, judge.weights.by, judge.weights.taking is not None, number, won / number, low, high)


def interval(share: float, plays: int) -> tuple[float, float]:
    """Where a share lies with 95 % confidence, by Wilson."""
    z = 1.96
    middle, width = share + z * z / 2 / plays, z * sqrt(share * (1 - share) / plays + z * z / 4 / plays / plays)
    return (middle - width) / (1 + z * z / plays), (middle + width) / (1 + z * z / plays)


def _against(game: Game, configured: Configured, bots: WeakBots, mine: int, seed: int) -> float:
    """Which part of the lead the helped side got: 1 for a win against the others, a half where all fare alike."""
    play = _played(game, configured, bots, {mine}, seed)
    winners = play.winners if play.over else []
    if not winners or len(winners) == len(configured.players):
        return 0.5
    return (
        1.0 if mine in winners else 0.0 if len(configured.players) == 2 else 0.5 - 0.5 / (len(configured.players) - 1)
    )


def _apart(game: Game, configured: Configured, bots: WeakBots, seed: int) -> float:
    """1 where the helped players came to more than others did from the same start, a half where it was the same. Of
    ends that are equally good that is more of which `heuristic:` says more: where all plays are lost, nothing else
    tells which were lost by little."""
    came, program, outcome = [], configured.machine.program, Outcome(configured)
    for helped in (set(range(len(configured.players))), set[int]()):
        play = _played(game, configured, bots, helped, seed)
        points = sum(outcome.points(play.state)) if play.over else 0
        said = sum(outcome.said_good(play.state)) if program.heuristic is not None else 0
        came.append((bool(play.over and play.winners), -points if program.lowest else points, said))
    return 0.5 if came[0] == came[1] else float(came[0] > came[1])


def _played(game: Game, configured: Configured, bots: WeakBots, helped: set[int], seed: int) -> Play:
    play = Play(game, configured, seed, noting=False)
    rng = random.Random(seed)
    for number in range(LONG):
        if play.over:
            break
        seat = play.pending[0]
        view = SeatView(play, seat)
        play.choose(bots.choose(view, seat in helped, rng.getrandbits(32) + number) if view.count > 1 else 0, seat)
    return play


class WeakBots:
    """Two searches of few plays: one is helped, one plays to the end at random."""

    def __init__(self, made: Library, way: Way, plays: int) -> None:
        self.made, self.way, self.plays = made, way, plays

    def choose(self, view: SeatView, helped: bool, seed: int) -> int:
        return self.by_tree(view, self.way if helped else Way(), seed)

    def by_tree(self, view: SeatView, way: Way, seed: int) -> int:
        rng = random.Random(seed)
        view.belief = way.belief
        state = None if view.guessed else view.guess(rng).state
        tree = NativeTree(self.made, state, view.seat, seed, way.judge, way.manner)
        try:
            if not view.guessed:
                tree.more(self.plays)
            for _ in range(self.plays // 8 if view.guessed else 0):
                guess = view.guess(rng)
                tree.guess(guess.state, guess.options, guess.taken)
                tree.more(8)
            return Thought(tree.found(view.count), [], tree.plays).best
        finally:
            tree.close()


class WeakAhead(WeakBots):
    """One looks ahead, one grows a tree: for as much CPU time as each other, or at so many positions."""

    def __init__(self, made: Library, ahead: Judge, tree: Way, positions: int | None = None) -> None:
        super().__init__(made, tree, 3 * PLAYS)
        self.judge, self.fixed = ahead, positions
        self.positions, self.looked, self.thought, self.decisions = 4_000, 0.0, 0.0, 0

    def choose(self, view: SeatView, helped: bool, seed: int) -> int:
        begun = process_time()
        if not helped:
            found = self.by_tree(view, self.way, seed)
            self.thought += process_time() - begun
            self.decisions += 1
            return found
        allowed = self.fixed or self.positions
        if (
            not self.fixed and self.decisions and self.looked
        ):  # as many as it looked at so far in the time of one decision of the other
            allowed = max(100, int(self.positions / self.looked * self.thought / self.decisions))
        assert self.judge.weights.taking is not None
        search = NativeAlphaBeta(
            self.made, view.guess(random.Random(seed)).state, seed, self.judge, self.judge.weights.taking
        )
        try:
            seen = search.more(allowed, lambda: False)
            self.positions = seen if not self.looked else self.positions + seen
            self.looked += process_time() - begun
            return search.found(view.count).best
        finally:
            search.close()


__all__ = [
    "CUTS",
    "FEWEST",
    "PLAYS",
    "Measured",
    "Way",
    "WeakAhead",
    "interval",
    "measured",
    "measured_ahead",
    "one_measured",
    "seats_taken",
    "told",
    "weak_bots",
]
