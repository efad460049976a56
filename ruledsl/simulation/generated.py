"""Random plays on Python made for the game: for where there is no compiler, and for small runs."""

from __future__ import annotations

from array import array
from typing import Any

from ruledsl.engine.batch import (
    BOT_STREAM,
    DECISIONS,
    ENDING,
    FORCED,
    MOST_OPTIONS,
    OPTIONS,
    PLAYS,
    SEED_BITS,
    WINNERS,
)
from ruledsl.engine.machine import Stop
from ruledsl.engine.random import split, stream_of
from ruledsl.generate.passes import NONE_OFF, Off
from ruledsl.generate.python_machine import BrokenOff, GeneratedMachine
from ruledsl.generate.python_plays import PlaysProgram
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.game import Configured
from ruledsl.runtime.together import Drafts

from .interpreter import Census, Interpreter, Row, State, result, silent, void

STRETCH = 256  # plays whose rows are put where they belong at once


class Generated(Interpreter):
    """As the reference interpreter plays, on functions that decide and count for themselves."""

    machine: GeneratedMachine

    def __init__(self, configured: Configured, without: Off = NONE_OFF) -> None:
        machine = GeneratedMachine(configured.program, counting=True, without=without)
        made = Configured(
            configured.world, configured.program, lambda _: machine, configured.options, configured.players
        )
        super().__init__(made)
        machine.ran = self.census.counts  # the first of the counts are those of the blocks
        machine.taken = self._taken
        assert isinstance(machine.writer, PlaysProgram)
        self.told = machine.writer.told

    def _census(self) -> Census:
        return Counted(self.configured, self.shape)

    def run(self, seed: int, first: int, rows: array[int], counts: array[int], limit: int) -> None:
        width, found, source = self.shape.width, self.census.counts, split(seed)
        plays = len(rows) // width
        with self.census:
            for begin in range(0, plays, STRETCH):
                end = min(begin + STRETCH, plays)
                some: Row = []
                for number in range(first + begin, first + end):  # seeds as `play_seed` has them
                    some += self.one(stream_of(source, PLAYS + number) >> (64 - SEED_BITS), limit)[0]
                rows[begin * width : end * width] = array("q", some)
        for block in self.told:
            found[block] = found[self._told(block)]
        for i, n in enumerate(found):
            counts[i] += n
        found[:] = [0] * len(found)

    def _told(self, place: int) -> int:
        """The place of the count that was kept for a block."""
        while place in self.told:
            place = self.told[place]
        return place

    def one(self, seed: int, limit: int) -> tuple[Row, RulesFault | None]:
        machine, row, fault, source = self.machine, [0] * self.shape.width, None, split(seed)
        v, bot = machine.start_from(source), machine.bot
        bot.begin(stream_of(source, BOT_STREAM), limit)
        before = self.census.turns()
        try:
            machine.play(v, self._secret)
            if self.shape.sources:
                result(self.configured, self.shape, v, row)
            else:
                ending = row[ENDING] = v[C.ENDED]
                row[WINNERS] = v[C.WINNERS] if ending != C.SCORED else 0
            self.census.ended(v)
        except BrokenOff:
            pass
        except RulesFault as found:
            fault = found
            void(self.shape, row)
        self.census.lengths(row, before)
        sizes = bot.sizes
        if sizes:
            row[DECISIONS], row[OPTIONS] = len(sizes), sum(sizes)
            row[MOST_OPTIONS], row[FORCED] = max(sizes), sizes.count(1)
        return row, fault

    def _taken(self, v: State, choice: C.Choice, options: tuple[Any, ...]) -> int:
        """Takes one of listed options; gives the block that comes next."""
        option = options[self.machine.bot.decided(len(options))]
        self.census.note(v, choice, option)
        self.machine.options.take(v, choice, option)
        return v[C.PC]

    def _secret(self, v: State, node: C.Together) -> None:
        drafts = Drafts(self.machine, v, node)
        for seat in drafts.seats:
            while drafts.stops[seat].kind == "choice":
                stop: Stop = drafts.stops[seat]
                assert stop.choice is not None
                option = stop.options[self.machine.bot.decided(len(stop.options))]
                self.census.note(drafts.states[seat], stop.choice, option)
                drafts.choose(seat, option)
        drafts.finish(lambda stop, option: None)


class Counted(Census):
    """A census of what counts itself."""

    def _prepare(self) -> None:
        """The blocks are functions already, and those are not made before they know where to count."""

    def __enter__(self) -> Census:
        self._kept = (self.machine.say, self.machine.watch)
        self.machine.say, self.machine.watch = silent, None
        return self

    def turns(self) -> tuple[int, int]:
        counts = self.counts
        return sum([counts[block] for block in self._turns]), sum([counts[block] for block in self._rounds])
