"""A play as one of its seats may know it: all that a bot is given."""

from __future__ import annotations

import random
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ruledsl.ir import core as C
from ruledsl.runtime.compiled import CompiledPlay, entered
from ruledsl.runtime.secrecy import decides_in_secret, hides

from .belief import Belief, believed
from .guess import Guess, Raw, called_by_place, read, unknown_pieces
from .practice import Practice, practice

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.engine.machine import Machine
    from ruledsl.runtime.game import Configured, Game
    from ruledsl.runtime.play import Play


class Offered(NamedTuple):
    """An option as its seat may read it: for people, and by the names that the rules use."""

    text: str
    action: str
    words: dict[str, str]


class SeatView:
    """What a bot may know when it decides: the rules, what its seat sees, its options; and states that may be.

    The play itself is kept to itself. A bot that wants to look ahead asks for a guess: a state that its seat cannot
    tell from the true one, with everything that it may not know, and all chance to come, drawn anew.
    """

    def __init__(self, play: Play, seat: int) -> None:
        stop = play.stop_of(seat)
        assert stop is not None, "a bot was asked though its seat has nothing to decide"
        assert stop.choice is not None
        self._play, self._stop = play, stop
        self.seat = seat
        self.choice: C.Choice = stop.choice
        self.count = len(stop.options)
        self.at_once = play.together is not None
        self.settled = play.settled

    # ------------------------------------------------------------------------------------------ the rules

    @property
    def game(self) -> Game:
        return self._play.game

    @property
    def configured(self) -> Configured:
        """The game for as many players, with its options."""
        return self._play.configured

    @property
    def machine(self) -> Machine:
        """What plays the rules, on any state."""
        return self._play.machine

    @property
    def world(self) -> GameWorld:
        return self._play.world

    @property
    def players(self) -> int:
        return len(self._play.configured.players)

    @property
    def hides(self) -> bool:
        """Whether players of this game may know different things."""
        return hides(self.configured)

    @property
    def guessed(self) -> bool:
        """Whether the seat does not know all that will decide: something is hidden, or decided at once in secret."""
        return hides(self.configured) or decides_in_secret(self.configured)

    @property
    def practice(self) -> Practice:
        """What plays at random teach of this game, from its start; nothing of this play."""
        return practice(self.configured)

    # ------------------------------------------------------------------------------------------ where it stands

    @property
    def turn(self) -> tuple[int, int]:
        """Whose turn it is, and which."""
        return self._play.state[C.TURN_PLAYER], self._play.state[C.TURN_NUMBER]

    @property
    def stage(self) -> int:
        """At which step a decision stands that is taken in several."""
        stage = self.choice.stage
        return self._play.state[stage] if stage is not None else 0

    def options(self, language: str = "en") -> list[Offered]:
        """The options in words, in their order: what the bot answers is a number of this list."""
        found = self._play.options(self.seat, language)
        return [Offered(option.text, option.action, dict(option.words)) for option in found]

    @property
    def raw(self) -> tuple[Raw, ...]:
        """The options as a guess takes them: in numbers, where a piece that the seat does not know has one that says
        only where it lies."""
        called = called_by_place(self._play, self.unknown)
        return tuple(read(self.choice, raw, self._play.state, called) for raw in self._stop.options)

    def sees(self) -> dict[str, Any]:
        """All that the seat sees, by names, as `Play.view` tells it."""
        return self._play.view(self.seat)

    def lines(self, language: str = "en") -> list[str]:
        """The log of the play as the seat may read it."""
        return self._play.lines(self.seat, language)

    def guess(self, rng: random.Random) -> Guess:
        """A state that may be, for all that the seat knows; where it knows all, the true one with other chance."""
        practice, belief = (self.practice, self.belief) if self.hides else (None, None)
        return Guess(self._play, self.seat, rng, practice, unknown=self.unknown, belief=belief)

    @cached_property
    def belief(self) -> Belief | None:
        """What was learnt of where hidden pieces lie."""
        return believed(self.configured, self.game.path)

    @cached_property
    def unknown(self) -> list[int]:
        return unknown_pieces(self._play, self.seat)

    def imagine(self, rng: random.Random) -> tuple[CompiledPlay, list[int]]:
        """A guess as a play on compiled code, to be played on; and the numbers that the options of the seat have there,
        -1 for one that this guess does not offer. Others who decide at once in secret have decided anything there."""
        guess = self.guess(rng)
        play = entered(self.game, self.configured, guess.state)
        while play.seat != self.seat and not play.over:
            play.choose(rng.randrange(play.count))
        for raw in guess.taken:
            play.choose(numbered(play).get(raw, 0))
        numbers = numbered(play)
        return play, [numbers.get(raw, -1) for raw in guess.options]


class OpenView(SeatView):
    """The same with nothing hidden: for a bot that shows how well a game could be played, if everything were known."""

    @property
    def hides(self) -> bool:
        return False

    @property
    def guessed(self) -> bool:
        return decides_in_secret(self.configured)

    def guess(self, rng: random.Random) -> Guess:
        return Guess(self._play, self.seat, rng, anew=False)


def numbered(play: CompiledPlay) -> dict[Raw, int]:
    """The numbers of options by what the machine in Python has for them: without what an option does not name."""
    found: dict[Raw, int] = {}
    for number, row in enumerate(play.options()):
        for length in range(1, len(row) + 1):
            found.setdefault(row[:length], number)
    return found


__all__ = ["Offered", "OpenView", "SeatView"]
