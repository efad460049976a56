"""OpenSpiel as a peer: whole random plays inside its library, and driven from Python.

Its wheel has no call that plays a game to its end. But its tree search evaluates a position by random plays: a search
of a single simulation evaluates the root, with as many plays as it is asked for, all of them in C++.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from .clock import Ran, for_about

SEED = 7
STEP = 0.02  # CPU seconds that one search should take at least, so that what surrounds its plays costs nothing


def library() -> ModuleType | None:
    """OpenSpiel, if it is installed."""
    try:
        return import_module("pyspiel")
    except ImportError:
        return None


class Driven:
    """Random plays driven from Python: ask for the legal actions, apply one."""

    name = "OpenSpiel, Python"

    def __init__(self, spiel: ModuleType, game: str, parameters: Mapping[str, Any]) -> None:
        self.game = spiel.load_game(game, dict(parameters))
        self._random = random.Random(SEED)

    def run(self, seconds: float) -> Ran:
        return for_about(seconds, self._plays)

    def _plays(self, plays: int) -> Ran:
        start, decisions = time.process_time(), 0
        for _ in range(plays):
            state = self.game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(_roll(state, self._random))
                else:
                    state.apply_action(self._random.choice(state.legal_actions()))
                    decisions += 1
        return Ran(plays, decisions, time.process_time() - start)


class Inside:
    """Random plays inside the library, from the first decision on: what chance does before it is not measured.

    It does not count decisions; they are those of plays driven from Python, told by `decisions_per_play`.
    """

    name = "OpenSpiel, C++"

    def __init__(self, spiel: ModuleType, game: str, parameters: Mapping[str, Any], decisions_per_play: float) -> None:
        self.spiel, self.game = spiel, spiel.load_game(game, dict(parameters))
        self.decisions_per_play = decisions_per_play
        self._random = random.Random(SEED)
        self._plays_at_once = 1
        while (ran := self._search()).seconds < STEP:
            self._plays_at_once *= 4 if ran.seconds < STEP / 8 else 2

    def run(self, seconds: float) -> Ran:
        total = Ran(0, 0, 0.0)
        while total.seconds < seconds:
            total += self._search()
        return total

    def _search(self) -> Ran:
        state = self.game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(_roll(state, self._random))
        plays = self._plays_at_once
        evaluator = self.spiel.RandomRolloutEvaluator(plays, self._random.randrange(1 << 30))
        bot = self.spiel.MCTSBot(self.game, evaluator, 1.0, 1, 10, False, self._random.randrange(1 << 30), False)
        start = time.process_time()
        bot.step(state)
        return Ran(plays, round(plays * self.decisions_per_play), time.process_time() - start)


def _roll(state: Any, chance: random.Random) -> int:
    outcomes = state.chance_outcomes()
    return int(chance.choices([action for action, _ in outcomes], [share for _, share in outcomes])[0])
