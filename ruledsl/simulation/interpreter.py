"""Random plays on the reference interpreter: what all other executors must agree with (see `engine.batch`)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.engine.batch import (
    BOT_STREAM,
    DECISIONS,
    ENDING,
    FORCED,
    MOST_OPTIONS,
    OPTIONS,
    ROUNDS,
    TURNS,
    WINNERS,
    Shape,
    play_seed,
)
from ruledsl.engine.machine import Stop
from ruledsl.engine.options import STRIDE
from ruledsl.engine.random import draw, seeded
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.game import Configured
from ruledsl.runtime.together import Drafts

State = list[int]
Row = list[int]


class BrokenOff(Exception):
    """The play has taken as many decisions as it may."""


class Interpreter:
    """Plays at random, without logs, texts and ways back."""

    threads = False

    def __init__(self, configured: Configured) -> None:
        self.configured, self.machine = configured, configured.machine
        self.shape = Shape(self.machine.program)
        self.census = self._census()

    def _census(self) -> Census:
        return Census(self.configured, self.shape)

    def run(self, seed: int, first: int, rows: array[int], counts: array[int], limit: int) -> None:
        width, found = self.shape.width, self.census.counts
        with self.census:
            for number in range(len(rows) // width):
                row, _ = self.one(play_seed(seed, first + number), limit)
                rows[number * width : (number + 1) * width] = array("q", row)
        for i, n in enumerate(found):
            counts[i] += n
        found[:] = [0] * len(found)

    def fault(self, seed: int, limit: int) -> RulesFault | None:
        """Why the play with a seed is void."""
        with self.census:
            fault = self.one(seed, limit)[1]
        self.census.counts[:] = [0] * self.shape.counts
        return fault

    def one(self, seed: int, limit: int) -> tuple[Row, RulesFault | None]:
        """One play, and the fault that made it void."""
        row, v, bot = [0] * self.shape.width, self.machine.start(seed), [seeded(seed, BOT_STREAM)]
        before, fault = self.census.turns(), None
        try:
            self._play(v, row, bot, limit)
            result(self.configured, self.shape, v, row)
            self.census.ended(v)
        except BrokenOff:
            pass
        except RulesFault as found:
            fault = found
            void(self.shape, row)
        self.census.lengths(row, before)
        return row, fault

    def _play(self, v: State, row: Row, bot: State, limit: int) -> None:
        machine = self.machine
        while True:
            stop = machine.run(v)
            if stop.kind == "choice":
                assert stop.choice is not None
                machine.options.take(v, stop.choice, self._decide(v, stop, row, bot, limit))
            elif stop.kind == "together":
                assert stop.together is not None
                self._together(v, stop.together, row, bot, limit)
            else:
                return

    def _together(self, v: State, node: C.Together, row: Row, bot: State, limit: int) -> None:
        drafts = Drafts(self.machine, v, node)
        for seat in drafts.seats:
            while drafts.stops[seat].kind == "choice":
                option = self._decide(drafts.states[seat], drafts.stops[seat], row, bot, limit)
                drafts.choose(seat, option)
        drafts.finish(lambda stop, option: None)

    def _decide(self, v: State, stop: Stop, row: Row, bot: State, limit: int) -> Any:
        if row[DECISIONS] >= limit:
            raise BrokenOff
        options = stop.options
        n = len(options)
        option = options[draw(bot, 0, n) if n > 1 else 0]
        decided(row, n)
        assert stop.choice is not None
        self.census.note(v, stop.choice, option)
        return option


class Census:
    """Counts what is carried out on a machine while it is entered."""

    def __init__(self, configured: Configured, shape: Shape) -> None:
        self.machine, program = configured.machine, configured.machine.program
        self.counts = [0] * shape.counts
        self._turns, self._rounds = shape.turns, shape.rounds
        self._blocks: dict[Any, int] = {
            block.end: number for number, block in enumerate(program.blocks) if block.end is not None
        }
        self._choices: dict[int, tuple[int, list[list[int | None]]]] = {}
        for number, base in shape.choices.items():
            end = program.blocks[number].end
            assert isinstance(end, C.Choice)
            members = [shape.members(program, number, entry) for entry in range(len(end.entries))]
            self._choices[id(end)] = (base, members)
        spots = program.spots
        self._at, self._areas = spots.at, program.areas
        self._lines = [shape.line(row) for row in program.rows] if program.areas else []
        self._prepare()

    def _prepare(self) -> None:
        """Makes all blocks before anything watches: operations need not be told of."""
        for number in self._blocks.values():
            if self.machine.blocks[number] is None:
                self.machine._make(number)

    def __enter__(self) -> Census:
        self._kept: tuple[Callable[..., Any] | None, Callable[..., Any] | None] = (self.machine.say, self.machine.watch)
        self.machine.say, self.machine.watch = silent, self._watch
        return self

    def __exit__(self, *problem: object) -> None:
        self.machine.say, self.machine.watch = self._kept

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Does not count for a while: what a bot tries out is not played."""
        watching = self.machine.say, self.machine.watch
        self.machine.say, self.machine.watch = self._kept
        try:
            yield
        finally:
            self.machine.say, self.machine.watch = watching

    def _watch(self, told: Any) -> None:
        """Told by the machine of the end of every block. What is only tried out says nothing, and does not count."""
        number = self._blocks.get(told)
        if number is not None and self.machine.say is not None:
            self.counts[number] += 1

    def turns(self) -> tuple[int, int]:
        """How many turns and rounds have begun so far."""
        return sum(self.counts[block] for block in self._turns), sum(self.counts[block] for block in self._rounds)

    def lengths(self, row: Row, before: tuple[int, int]) -> None:
        """Writes down the turns and rounds since."""
        turns, rounds = self.turns()
        row[TURNS], row[ROUNDS] = turns - before[0], rounds - before[1]

    def ended(self, v: State) -> None:
        """Counts where pieces are at the end of a play."""
        for piece, line in enumerate(self._lines):
            self.counts[line + self._areas[v[self._at + piece]]] += 1

    def note(self, v: State, choice: C.Choice, option: tuple[Any, ...]) -> None:
        """Counts an option that is about to be taken."""
        base, members = self._choices[id(choice)]
        number = option[0]
        if number < 0:
            self.counts[base + len(members) - 1 - number] += 1
            return
        self.counts[base + number] += 1
        stage = v[choice.stage] if choice.stage is not None else 0
        bases = members[number][(stage - 1) % STRIDE :] if stage else members[number]
        for first, value in zip(bases, option[1:], strict=False):
            if first is not None and value >= 0:
                self.counts[first + value] += 1


def decided(row: Row, options: int) -> None:
    """Notes a decision among so many options."""
    row[DECISIONS] += 1
    row[OPTIONS] += options
    if options > row[MOST_OPTIONS]:
        row[MOST_OPTIONS] = options
    if options == 1:
        row[FORCED] += 1


def void(shape: Shape, row: Row) -> None:
    """A play that ended in a fault has no winners and no points."""
    row[ENDING], row[WINNERS] = C.VOID, 0
    row[shape.points(0) :] = [0] * (shape.width - shape.points(0))


def result(configured: Configured, shape: Shape, v: State, row: Row) -> None:
    """How a play that is over ended: the points as `Play.scores` and the winners as `Play.winners` have them."""
    of, program, v = configured.machine.evaluator.of, configured.machine.program, v[:]
    ending = row[ENDING] = v[C.ENDED]
    row[WINNERS] = 0 if ending == C.SCORED else v[C.WINNERS]
    if not shape.sources:
        return
    keys = []
    for seat in range(shape.players):
        v[C.ME] = seat
        points = [int(of(row.node)(v)) for row in program.scoring]
        row[shape.points(seat)] = sum(points)
        row[shape.source(seat, 0) : shape.source(seat + 1, 0)] = points
        if ending == C.SCORED and not program.only_ranked:
            sign = -1 if program.lowest else 1
            keys.append((sign * sum(points), *(int(of(node)(v)) for node in program.ties)))
    if keys:
        best = max(keys)
        row[WINNERS] = sum(1 << seat for seat, key in enumerate(keys) if key == best)


def silent(v: State, op: C.Say) -> None:
    """Lines of the log that nobody reads; that they may be said is how real plays differ from what is tried out."""
