"""Looks at what each option leads to and takes the best: a win, else what scores, takes and leaves most."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from ruledsl.engine.machine import Stop
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.types import Elem, bits

from .base import bot
from .hurry import hurried
from .outcome import SAID_OFFSET, Outcome, for_all_alike

if TYPE_CHECKING:
    from .seat_view import SeatView

State = list[int]
WIN = 1_000_000.0
MOST_OPTIONS = 500  # of more, as many are picked at random
LOOKS = 300  # states looked at for a decision, beyond one for each option
ROOM = 2.0  # what an option more is worth, in points, which come and go
ROOM_FOR_PIECES = 0.1  # in pieces, which are lost for good: nobody gives one for a few options
GUESSES = 4  # at what is hidden, for what wins in one may lose in another
SAMPLED = 2  # replies of the next player that are tried
REPLIES = 300  # replies looked at to see whether an option loses at once


@bot("greedy")
class GreedyBot:
    """Wins at once if it can, avoids an option that lets the next player win at once, and otherwise takes
    the option after which it stands best: ahead in points (in pieces, where nothing is scored), with much to
    choose from and little for the next player, after a few replies of whom it looks again.

    It looks to the end of its own turn. It never looks at what its seat may not see: chance is left open, or
    drawn with dice of its own; what is hidden it deals anew a few times; where players decide at once it takes any
    option, for nothing public tells them apart.
    """

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, view: SeatView) -> int:
        if view.count == 1:
            return 0
        if view.at_once:
            return self._random.randrange(view.count)
        with view.machine.quiet():
            return Ahead(view, self._random).best()


class Ahead:
    """What may come of the options of one decision."""

    def __init__(self, view: SeatView, rng: random.Random) -> None:
        self.view, self.seat, self.random = view, view.seat, rng
        self.machine, world = view.machine, view.world
        self.program, self.players = view.machine.program, view.players
        self.hides = view.hides
        self.looks = LOOKS
        self.sampled = 0
        self.room = ROOM if self.program.scoring else ROOM_FOR_PIECES
        if not world.boards or self.program.heuristic is not None:  # off a board many options are no sign of strength
            self.room = 0.0
        self.outcome = Outcome(view.configured)
        self.all_alike = self.program.heuristic is None or for_all_alike(self.program)
        self.turn = view.turn
        self.spots = self.program.spots
        self.owned = [
            (player, kind.of_player(player, self.players))
            for kind in world.kinds
            if kind.per_player
            for player in range(self.players)
        ]
        players = world.players
        self.sides = [  # pieces that change hands say whose they are in their state
            (f.base, world.pieces.parts.get(f.name.partition(".")[0], 0))
            for f in self.program.layout.fields
            if f.kind == "state" and f.owner is world.pieces and isinstance(f.type, Elem) and f.type.root is players
        ]

    def best(self) -> int:
        choice, count = self.view.choice, self.view.count
        guesses = [self.view.guess(self.random) for _ in range(GUESSES if self.hides else 1)]
        self.sampled = SAMPLED if count * SAMPLED <= LOOKS else 0
        found: list[tuple[float, float, int, tuple[State, Stop] | None]] = []
        numbers = list(range(count))
        if len(numbers) > MOST_OPTIONS:
            numbers = sorted(self.random.sample(numbers, MOST_OPTIONS))
        for number in numbers:
            if found and hurried():
                break
            ways = [self.after(guess.state, choice, guess.options[number]) for guess in guesses]
            worth = sum(self.worth(*way, depth=3) if way else -WIN / 2 for way in ways) / len(ways)
            found.append((worth, self.random.random(), number, ways[0]))
        found.sort(reverse=True, key=lambda row: row[:2])
        self.looks = REPLIES
        for worth, _, number, there in found:
            if (
                hurried()
                or self.hides
                or worth >= WIN / 2
                or self.looks <= 0
                or there is None
                or not self.loses(*there)
            ):
                return number
        return found[0][2]

    def after(self, state: State, choice: C.Choice, raw: tuple[Any, ...]) -> tuple[State, Stop] | None:
        """Where play stands after an option, chance drawn with our own dice; None if the rules fail there."""
        v = state[:]
        try:
            self.machine.choose(v, choice, raw)
            stop = self.machine.run(v, ask_chance=True)
            while stop.kind == "chance":
                assert stop.chance is not None
                v[C.STREAMS + stop.chance.stream] = self.random.getrandbits(63)
                self.machine.answer(v, stop.chance, self.machine.draw(v, stop.chance))
                stop = self.machine.run(v, ask_chance=True)
        except (RulesFault, LookupError, AssertionError):
            return None
        return v, stop

    def worth(self, v: State, stop: Stop, depth: int) -> float:
        """How good it is for the seat to stand there; if it goes on in the same turn, after its best way."""
        if (
            stop.kind == "choice"
            and stop.seat == self.seat
            and depth
            and self.turn == (v[C.TURN_PLAYER], v[C.TURN_NUMBER])
            and len(stop.options) <= self.looks
        ):
            self.looks -= len(stop.options)
            assert stop.choice is not None
            ways = [self.after(v, stop.choice, raw) for raw in stop.options]
            return max((self.worth(*way, depth - 1) for way in ways if way), default=-WIN / 2)
        if stop.kind == "over":
            return self.result(v)
        if stop.kind == "choice" and stop.seat != self.seat and self.sampled:
            return self.after_replies(v, stop)
        return self.standing(v, stop)

    def after_replies(self, v: State, stop: Stop) -> float:
        """How the seat stands after a few replies of the next player, for points and pieces can be lost again."""
        assert stop.choice is not None
        replies = stop.options
        if len(replies) > self.sampled:
            replies = tuple(self.random.sample(replies, self.sampled))
        values = []
        for raw in replies:
            there = self.after(v, stop.choice, raw)
            if there is not None:
                value = self.result(there[0]) if there[1].kind == "over" else self.standing(*there)
                values.append(max(-WIN / 4, min(WIN / 4, value)))  # less than what is certain
        return (sum(values) / len(values) if values else 0.0) - self.room * len(stop.options)

    def result(self, v: State) -> float:
        winners = self.outcome.winning(v)
        if self.seat in winners:
            return WIN / len(winners) + self.margin(v)
        return self.margin(v) - (WIN if winners or v[C.ENDED] == C.WON else 0.0)

    def margin(self, v: State) -> float:
        """Points ahead of the best of the others."""
        if not self.program.scoring:
            return 0.0
        totals = self.outcome.points(v)
        if self.program.lowest:
            totals = [-total for total in totals]
        others = [total for seat, total in enumerate(totals) if seat != self.seat]
        return float(totals[self.seat] - max(others, default=0))

    def standing(self, v: State, stop: Stop) -> float:
        """What the rules say is good, else points, pieces and room to move, in a play that is not over."""
        if self.program.heuristic is not None:
            return self.said(v)
        ahead = self.margin(v) if self.program.scoring else self.material(v)
        room = len(stop.options) if stop.kind == "choice" else 0
        if stop.seat != self.seat:
            room = -room
        return ahead + self.room * room

    def said(self, v: State) -> float:
        """What the rules say is good, ahead of the best of the others; where it is the same for all, how much."""
        said = [float(one - SAID_OFFSET) for one in self.outcome.said_good(v)]
        others = [one for seat, one in enumerate(said) if seat != self.seat]
        return said[self.seat] - (0.0 if self.all_alike else max(others))

    def material(self, v: State) -> float:
        """Pieces on the boards, ahead of the best of the others."""
        at, boards = self.spots.at, self.spots.first_place
        counts = [0] * self.players
        for player, mask in self.owned:
            for piece in bits(mask):
                if v[at + piece] < boards:
                    counts[player] += 1
        for base, mask in self.sides:
            for piece in bits(mask):
                if v[at + piece] < boards and v[base + piece] >= 0:
                    counts[v[base + piece]] += 1
        others = [n for seat, n in enumerate(counts) if seat != self.seat]
        return float(counts[self.seat] - max(others, default=0))

    def loses(self, v: State, stop: Stop) -> bool:
        """Whether another player, who comes next, can win at once."""
        if stop.kind != "choice" or stop.seat == self.seat:
            return False
        assert stop.choice is not None
        for raw in stop.options[: max(0, self.looks)]:
            self.looks -= 1
            there = self.after(v, stop.choice, raw)
            if there is not None and there[1].kind == "over" and self.result(there[0]) <= -WIN / 2:
                return True
        return False
