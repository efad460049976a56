"""Players who decide at once, in secret: what each has drafted so far (see `ir.core.Together`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruledsl.engine.machine import Machine, Stop
from ruledsl.ir import core as C
from ruledsl.ir.core import DRAFT_STEPS, RulesFault
from ruledsl.types import bits

State = list[int]


class Drafts:
    """The drafts that a state holds, each gone through up to where its player is asked next.

    The state itself is left as it was before, but for the numbers of the options taken.
    """

    def __init__(self, machine: Machine, state: State, node: C.Together) -> None:
        self.machine, self.state, self.node = machine, state, node
        self.seats = list(bits(machine.evaluator.of(node.players)(state)))
        self.states: dict[int, State] = {}
        self.stops: dict[int, Stop] = {}
        self.taken: dict[int, list[Any]] = {}
        for seat in self.seats:
            self._go_through(seat)

    def waiting(self) -> list[int]:
        """The seats that have not finished."""
        return [seat for seat in self.seats if self.stops[seat].kind == "choice"]

    def choose(self, seat: int, option: Any) -> None:
        """Notes an option that a seat takes, and goes on to the next question for it."""
        base = self._base(seat)
        count = self.state[base]
        if count == DRAFT_STEPS:
            raise RulesFault(self.node.span, f"{DRAFT_STEPS} decisions in secret are the most")
        self.state[base] = count + 1
        self.state[base + 1 + count] = self.stops[seat].options.index(option)
        self.taken[seat].append(option)
        stop, state = self.stops[seat], self.states[seat]
        assert stop.choice is not None
        self.machine.choose(state, stop.choice, option)
        self.stops[seat] = self._run(state)

    def take_back(self, seat: int) -> bool:
        """Takes back the last option of a seat; False if it has taken none."""
        base = self._base(seat)
        if not self.state[base]:
            return False
        self.state[base] -= 1
        self.state[base + 1 + self.state[base]] = 0
        self._go_through(seat)
        return True

    def finish(self, note: Callable[[Stop, Any], None]) -> None:
        """Carries out all drafts on the state, one player after the other, and goes on behind.

        `note` is told of every option before it is taken: what was secret can be read in the log now.
        """
        me = self.state[C.ME]
        for seat in self.seats:
            base = self._base(seat)
            self.state[base : base + 1 + DRAFT_STEPS] = [0] * (1 + DRAFT_STEPS)
        for seat in self.seats:
            self._enter(self.state, seat)
            for option in self.taken[seat]:
                stop = self.machine.run(self.state)
                assert stop.choice is not None
                note(stop, option)
                self.machine.choose(self.state, stop.choice, option)
            self.machine.run(self.state)
        self.state[C.ME], self.state[C.PC] = me, self.node.then

    def _base(self, seat: int) -> int:
        return self.node.drafts + seat * (DRAFT_STEPS + 1)

    def _enter(self, state: State, seat: int) -> None:
        state[C.ME], state[C.PC] = seat, self.node.body

    def _run(self, state: State) -> Stop:
        say, self.machine.say = self.machine.say, None
        try:
            return self.machine.run(state)
        finally:
            self.machine.say = say

    def _go_through(self, seat: int) -> None:
        """The state of a seat after the options it has taken."""
        base = self._base(seat)
        numbers = self.state[base + 1 : base + 1 + self.state[base]]
        state = self.state[:]
        self._enter(state, seat)
        stop, self.taken[seat] = self._run(state), []
        for number in numbers:
            if stop.choice is None or number >= len(stop.options):
                raise RulesFault(self.node.span, "what was decided in secret does not fit the rules")
            option = stop.options[number]
            self.taken[seat].append(option)
            self.machine.choose(state, stop.choice, option)
            stop = self._run(state)
        self.states[seat], self.stops[seat] = (
            state,
            stop if stop.kind != "choice" else Stop("choice", stop.choice, seat=seat, options=stop.options),
        )
