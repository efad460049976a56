"""Plays games with hidden pieces: learns from plays at random what is worth having, and weighs what may lie hidden."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from ruledsl.engine.machine import Stop
from ruledsl.engine.options import STOP
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault

from .base import bot
from .greedy import GreedyBot
from .guess import Guess
from .hurry import hurried
from .outcome import Outcome
from .practice import Practice

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured

    from .seat_view import SeatView

State = list[int]
Raw = tuple[Any, ...]
Plan = tuple[Raw, ...]  # an option, and how its further steps are decided
PLANS = 40  # ways to go through a decision that are weighed
ROUNDS = ((2, 0.3), (4, 0.3), (8, 0.0))  # so many guesses each, and the share of the ways that is weighed again
ENDS = 20  # decisions until the turn is over
MOST_STEPS = 5_000  # between two decisions: a guess may be a position that the rules do not know
MOST_OF_ONE = 300  # decisions of a play that goes on from here
SURE, UNSURE = 0.98, 0.02  # what is not over is neither won nor lost
BROKEN = (RulesFault, LookupError, AssertionError)


@bot("careful")
class CarefulBot:
    """For games that hide pieces and are won, not counted: deals what it may not see anew several times, and takes
    the option after which it stands best on average.

    What is worth having it has seen in plays at random: what those had in the end who won. It looks to the end of its
    own turn, with dice of its own. Where nothing is hidden, or points are counted, it plays as `greedy` does.
    """

    def __init__(self, seed: int = 0) -> None:
        self._random, self._greedy = random.Random(seed), GreedyBot(seed)
        self._practice: Practice | None = None
        self._configured: Configured | None = None
        self._rest: Plan = ()  # of the steps of a decision that was begun
        self._begun: tuple[int, int, int] = (-1, -1, -1)

    def choose(self, view: SeatView) -> int:
        if view.count == 1:
            return 0
        if not suits(view.configured) or view.at_once:
            return self._greedy.choose(view)
        machine = view.machine
        kept = machine.say, machine.watch, machine.most_steps
        machine.say, machine.watch, machine.most_steps = None, None, MOST_STEPS
        try:
            return self._decide(view)
        finally:
            machine.say, machine.watch, machine.most_steps = kept

    def _decide(self, view: SeatView) -> int:
        here, options = (view.seat, view.turn[1], id(view.choice)), view.raw
        if view.stage and here == self._begun and self._rest and self._rest[0] in options:
            taken, self._rest = self._rest[0], self._rest[1:]
            return options.index(taken)
        if self._configured is not view.configured:
            self._configured, self._practice = view.configured, view.practice.copy()
        assert self._practice is not None
        if not self._practice.concluded:
            return self._greedy.choose(view)
        self._learn(view, self._practice)
        with view.machine.quiet():
            plan = Weighing(view, self._practice, self._random).best()
        self._begun, self._rest = here, plan[1:]
        return options.index(plan[0])

    def _learn(self, view: SeatView, own: Practice) -> None:
        """Plays on from here once, with what is hidden dealt anew: later rules may make other things worth having."""
        v = anew(view.guess(self._random).state, self._random)
        try:
            own.play_on(v, self._random, MOST_OF_ONE)
        except BROKEN:
            return


def suits(configured: Configured) -> bool:
    """Whether a game hides pieces, and tells neither by points nor on boards who is ahead."""
    program = configured.machine.program
    return program.spots.known >= 0 and not program.scoring and not configured.world.boards


def anew(v: State, rng: random.Random) -> State:
    """A state whose chance is not that of the play."""
    for i in range(len(C.STREAM_NAMES)):
        v[C.STREAMS + i] = rng.getrandbits(63)
    return v


class Weighing:
    """What may come of the options of one decision, in several guesses at what is hidden."""

    def __init__(self, view: SeatView, own: Practice, rng: random.Random) -> None:
        self.view, self.seat, self.practice, self.random = view, view.seat, own, rng
        self.machine, self.choice = view.machine, view.choice
        self.outcome = Outcome(view.configured)
        self.turn = view.turn

    def best(self) -> Plan:
        """The way with the best mean; those that look bad in a few guesses are not weighed in more."""
        plans = self._plans(self._guess())
        sums, counts = dict.fromkeys(plans, 0.0), dict.fromkeys(plans, 0)
        for guesses, share in ROUNDS:
            if hurried():
                break
            for guess in [self._guess() for _ in range(guesses)]:
                for plan in plans:
                    worth = self._worth(guess, plan)
                    if worth is not None:
                        sums[plan] += worth
                        counts[plan] += 1
            plans.sort(key=lambda plan: sums[plan] / counts[plan] if counts[plan] else -1.0, reverse=True)
            if share:
                plans = plans[: max(2, int(len(plans) * share))]
        return plans[0]

    def _guess(self) -> Guess:
        return self.view.guess(self.random)

    def _any(self, options: tuple[Raw, ...]) -> Raw:
        return options[int(self.random.random() * len(options))]

    def _plans(self, guess: Guess) -> list[Plan]:
        """Ways to go through the steps of the decision, a few for each option."""
        options = list(self.view.raw)
        if len(options) > PLANS:
            options = self.random.sample(options, PLANS)
        found: dict[Plan, None] = {}
        for raw in options:
            for _ in range(max(1, PLANS // len(options))):
                plan = self._steps(guess, raw)
                if plan:
                    found[plan] = None
                if len(plan) < 2:
                    break
        return list(found) or [(raw,) for raw in options]

    def _steps(self, guess: Guess, raw: Raw) -> Plan:
        """An option, with its further steps as they come at random; nothing if the rules fail there."""
        plan, v, choice = [raw], guess.state[:], self.choice
        try:
            self.machine.choose(v, choice, guess.option(choice, raw, v))
            while choice.stage is not None and v[choice.stage]:
                stop = self.machine.run(v, ask_chance=True)
                if stop.kind != "choice" or stop.choice is not choice:
                    break
                own = self._any(stop.options)
                plan.append(guess.back(choice, own, v))
                self.machine.choose(v, choice, own)
        except BROKEN:
            return ()
        return tuple(plan)

    def _worth(self, guess: Guess, plan: Plan) -> float | None:
        """How the seat stands when the turn is over; None if this cannot be done as the cards lie in a guess."""
        v = anew(guess.state[:], self.random)
        try:
            for number, raw in enumerate(plan):
                own = guess.option(self.choice, raw, v)
                if number:
                    stop = self.machine.run(v, ask_chance=True)
                    if stop.kind != "choice" or own not in stop.options:
                        return None
                self.machine.choose(v, self.choice, own)
            stop = self._to_the_end(v, self.machine.run(v))
        except BROKEN:
            return None
        if stop.kind == "over":
            winners = self.outcome.winning(v)
            return 1 / len(winners) if self.seat in winners else 0.0
        return min(SURE, max(UNSURE, self.practice.chance(v, self.seat)))

    def _to_the_end(self, v: State, stop: Stop) -> Stop:
        """What the turn still brings, such as the answers of others; the seat does nothing more that it need not."""
        for _ in range(ENDS):
            if stop.kind != "choice" or self.turn != (v[C.TURN_PLAYER], v[C.TURN_NUMBER]):
                break
            if stop.seat == self.seat and stop.choice is self.choice:
                break
            assert stop.choice is not None
            taken = (STOP,) if (STOP,) in stop.options else self._any(stop.options)
            self.machine.choose(v, stop.choice, taken)
            stop = self.machine.run(v)
        return stop
