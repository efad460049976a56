"""Looks ahead where two play against each other and nothing is hidden: what follows if both do their best?"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from .ahead import how_things_are_taken, looks_ahead
from .base import bot
from .judge import Judge, plain
from .search import POSITIONS, SLACK, USUAL, Dial, SearchBot, judge_of, look_ahead

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured

    from .seat_view import SeatView

LEVELS = {"easy": 1_000, "normal": 50_000, "hard": 1_000_000}  # positions for a decision


@bot("alphabeta")
class AlphaBetaBot:
    """Looks ahead, one decision farther again and again, supposing that both do their best; what stands behind the
    last decision it judges by what was learnt or by `heuristic:`, else by pieces and points. For two players with
    nothing hidden and no chance; elsewhere it plays as `search`.

    `alphabeta:50000` looks at so many positions for a decision, `alphabeta:2s` for so long (a second, where nothing is
    said), `:easy`, `:normal` and `:hard` are levels.
    """

    levels = tuple(LEVELS)

    def __init__(self, seed: int = 0, dial: str = USUAL) -> None:
        self.dial = Dial(dial, LEVELS)
        self._random = random.Random(seed)
        self._search = SearchBot(seed, dial)
        if self.dial.plays is not None:
            self._search.dial.plays = max(1, self.dial.plays // POSITIONS)

    def choose(self, view: SeatView) -> int:
        if view.count == 1:
            return 0
        judge = judge_of(view) or _plain(view.configured)
        if view.settled or not looks_ahead(view.configured, judge):
            return self._search.choose(view)
        taking = judge.weights.taking
        if taking is None:
            taking = _taking(view.configured, judge)
        seed = self._random.getrandbits(48)
        return look_ahead(view, judge, taking, seed, self.dial.plays, self.dial.seconds, SLACK).best


_PLAIN: WeakKeyDictionary[Configured, Judge] = WeakKeyDictionary()
_TAKING: WeakKeyDictionary[Configured, int] = WeakKeyDictionary()


def _plain(configured: Configured) -> Judge:
    if configured not in _PLAIN:
        _PLAIN[configured] = plain(configured)
    return _PLAIN[configured]


def _taking(configured: Configured, judge: Judge) -> int:
    if configured not in _TAKING:
        _TAKING[configured] = how_things_are_taken(configured, judge)
    return _TAKING[configured]
