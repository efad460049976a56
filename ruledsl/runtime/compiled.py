"""Plays on compiled code, driven from Python decision by decision, by the thousand if need be (see docs/python.md)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.engine.batch import POINTS, Shape
from ruledsl.generate.c_state import TOGETHER
from ruledsl.generate.native import Library, NoCompiler
from ruledsl.ir import core as C
from ruledsl.types import bits

from .game import Configured, Game
from .play import IllegalChoice, Option, Play

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

LIMIT = 100_000  # decisions of a play at random; one that goes on for longer counts as a draw
FAULTED, NOT_OFFERED = -1, -2
COUNT, SEAT, STOP, DECISIONS, FAULT, DETAIL = range(6)  # what stands at the beginning of a play (see generate/door.c)
NUMBERS = ctypes.c_int64 * 6


class Door:
    """The compiled code of a configured game, and a context in which its plays list their options."""

    def __init__(self, configured: Configured) -> None:
        try:
            self.library = Library(configured.machine.program, configured.rules)
        except NoCompiler as problem:
            raise OptionError(f"the backend `c` is not available: {problem}") from None
        self.shape = Shape(configured.machine.program)
        self.players = len(configured.players)
        self.program = configured.machine.program
        self.code = ctypes.PyDLL(str(self.library.path))  # a decision is over before others could be let in
        whole, here, kept = ctypes.c_int64, ctypes.c_void_p, ctypes.c_uint64
        rows = ctypes.POINTER(ctypes.c_int32)
        for code, name, result, arguments in (
            (self.code, "door_size", whole, []),
            (self.code, "table_open", here, []),
            (self.code, "table_close", None, [here]),
            (self.code, "door_start", whole, [here, here, kept]),
            (self.code, "door_enter", whole, [here, here, here]),
            (self.code, "door_step", whole, [here, whole]),
            (self.code, "door_steps", whole, [here, whole, here]),
            (self.code, "door_starts", None, [here, whole, here, kept]),
            (self.code, "door_copy", None, [here, here]),
            (self.code, "door_options", rows, [here]),
            (self.code, "door_slots", None, [here, here]),
            (self.code, "door_result", None, [here, here]),
            (self.code, "door_returns", None, [here, here]),
            (self.library.code, "door_rollouts", None, [here, kept, whole, whole, here]),
            (self.library.code, "door_playouts", None, [here, kept, whole, whole, here]),
        ):
            function = getattr(code, name)
            function.restype, function.argtypes = result, arguments
        self.size = int(self.code.door_size())
        self.table = ctypes.c_void_p(self.code.table_open())

    def __del__(self) -> None:
        if hasattr(self, "table"):
            self.code.table_close(self.table)

    def shares(self, count: int) -> Any:
        return (ctypes.c_double * (count * self.players))()

    def listed(self, flat: Any, count: int) -> Any:
        """By play and seat, what each play was worth: an array of numpy where that is installed, else lists."""
        numpy = _numpy()
        if numpy is not None:
            return numpy.frombuffer(flat, numpy.float64).reshape(count, self.players)
        return [list(flat[i * self.players : (i + 1) * self.players]) for i in range(count)]


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        return None
    return numpy


class CompiledGame:
    """A game whose plays run on compiled code: `ruledsl.load(path, backend="c")`."""

    def __init__(self, game: Game) -> None:
        self.game, self.name, self.players = game, game.name, game.players

    def start(self, players: int | None = None, seed: int = 0, options: dict[str, Any] | None = None) -> CompiledPlay:
        """Begins a play; it is the same as that of `Game.start` with this seed."""
        play = CompiledPlay(self.game, self.game.configured(players, options))
        play.door.code.door_start(play.memory, play.door.table, seed)
        return play

    def enter(self, play: Play) -> CompiledPlay:
        """A play that goes on from where another stands."""
        if play.stop.kind == "chance" or (play.together is not None and any(play.together.taken.values())):
            raise IllegalChoice("a play can be entered where somebody decides, and nothing is decided in secret yet")
        own = self.game.configured(len(play.players), play.configured.options)
        if own.rules != play.configured.rules:
            raise IllegalChoice("the other play has other rules")
        return entered(self.game, own, play.state)

    def batch(
        self, count: int, players: int | None = None, seed: int = 0, options: dict[str, Any] | None = None
    ) -> Batch:
        """So many plays that go on in step, for who decides for all of them at once."""
        return Batch(self.game, self.game.configured(players, options), count, seed)

    def playouts(
        self,
        count: int,
        players: int | None = None,
        seed: int = 0,
        options: dict[str, Any] | None = None,
        limit: int = LIMIT,
    ) -> Any:
        """Whole plays at random, those of `ruledsl simulate` with this seed: by play and seat, what it was worth."""
        door = self.game.configured(players, options).door
        flat = door.shares(count)
        door.library.code.door_playouts(door.table, seed, count, limit, flat)
        return door.listed(flat, count)


class CompiledPlay:
    """One play on compiled code. Options are numbers from 0 to `count` - 1; texts are made only when asked for."""

    __slots__ = ("_numbers", "_step", "configured", "door", "game", "memory")

    def __init__(self, game: Game, configured: Configured) -> None:
        self.game, self.configured, self.door = game, configured, configured.door
        door = self.door
        self.memory = ctypes.create_string_buffer(door.size)
        self._numbers = NUMBERS.from_buffer(self.memory)
        self._step = door.code.door_step

    # ------------------------------------------------------------------------------------------ where it stands

    @property
    def count(self) -> int:
        """How many options there are; none once it is over."""
        return self._numbers[COUNT]

    @property
    def seat(self) -> int:
        """Who decides; where several decide at once in secret, they are asked one after the other. -1 at the end."""
        return self._numbers[SEAT]

    @property
    def over(self) -> bool:
        return not self._numbers[COUNT]

    @property
    def decisions(self) -> int:
        """How many were taken since it began."""
        return self._numbers[DECISIONS]

    @property
    def fault(self) -> str:
        """What a rule broke that ended the play; it counts for nobody then. Empty for a good play."""
        if self._numbers[STOP] != FAULTED:
            return ""
        return self.door.library.fault_text(self._numbers[FAULT], self._numbers[DETAIL])

    def options(self) -> list[tuple[int, ...]]:
        """The options as the machine has them, in numbers: which kind of deed, and the members that it is about."""
        rows, stride = self.door.code.door_options(self.memory), self.door.library.stride
        flat = rows[: self.count * stride]
        return [tuple(flat[i : i + stride]) for i in range(0, len(flat), stride)]

    def texts(self, language: str = "en") -> list[Option]:
        """The options in words, as `Play.options` has them."""
        return self.play().options(None, language)

    def play(self) -> Play:
        """A `Play` that stands here: for views, texts and saves. What was before is not told in it."""
        if self._numbers[STOP] == TOGETHER:
            raise IllegalChoice(
                "compiled code has no texts while players decide at the same time; use backend `python`"
            )
        return Play(self.game, self.configured, 0, state=self.state())

    def state(self) -> list[int]:
        """The state slot by slot, as the machine in Python has it."""
        library = self.door.library
        words = (ctypes.c_uint64 * library.words)()
        self.door.code.door_slots(self.memory, words)
        return library.joined(words)

    # ------------------------------------------------------------------------------------------ going on

    def choose(self, option: int) -> int:
        """Takes an option by its number, and goes on to the next decision: how many options there are then."""
        count: int = self._step(self.memory, option)
        if count < 0:
            if count == NOT_OFFERED:
                raise IllegalChoice(f"there is no option {option}; there are {self.count}")
            return 0
        return count

    def copy(self) -> CompiledPlay:
        """A play that goes its own way from here."""
        twin = CompiledPlay(self.game, self.configured)
        self.door.code.door_copy(twin.memory, self.memory)
        return twin

    def copy_from(self, other: CompiledPlay) -> None:
        """Stands where another play of the same game stands, without new memory."""
        if other.door is not self.door:
            raise IllegalChoice("the other play has other rules, players or options")
        self.door.code.door_copy(self.memory, other.memory)

    def rollouts(self, count: int, seed: int = 0, limit: int = LIMIT) -> Any:
        """Goes on at random from here so many times, each time with other chance: by play and seat, what it was worth.

        What was decided in secret since all were asked is decided anew.
        """
        flat = self.door.shares(count)
        self.door.library.code.door_rollouts(self.memory, seed, count, limit, flat)
        return self.door.listed(flat, count)

    # ------------------------------------------------------------------------------------------ results

    @property
    def ending(self) -> str:
        """running, won, tied, scored or void."""
        return C.ENDINGS[self._result()[0]]

    @property
    def winners(self) -> list[int]:
        """The seats that won; all that share a draw."""
        return list(bits(self._result()[1]))

    @property
    def points(self) -> list[int]:
        """What each player has at the end, where the rules count points."""
        return list(self._result()[POINTS : POINTS + self.door.players]) if self.door.shape.sources else []

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for a draw and while it runs; where the rules play for stakes, what was won."""
        flat = self.door.shares(1)
        self.door.code.door_returns(self.memory, flat)
        return list(flat)

    def _result(self) -> Any:
        row = (ctypes.c_int64 * self.door.shape.width)()
        self.door.code.door_result(self.memory, row)
        return row


class Batch:
    """Plays that go on in step: one option for each at every step, in one call."""

    def __init__(self, game: Game, configured: Configured, count: int, seed: int) -> None:
        self.game, self.configured, self.door, self.size = game, configured, configured.door, count
        door = self.door
        self._memory = ctypes.create_string_buffer(door.size * count)
        door.code.door_starts(self._memory, count, door.table, seed)

    def _column(self, number: int) -> Any:
        """One number of each play: seen in place by numpy, else copied."""
        numpy, width = _numpy(), self.door.size
        if numpy is not None:
            found = numpy.ndarray((self.size,), numpy.int64, self._memory, 8 * number, (width,))
            found.flags.writeable = False
            return found
        return [NUMBERS.from_buffer(self._memory, i * width)[number] for i in range(self.size)]

    @property
    def counts(self) -> Any:
        """How many options each play has; 0 where it is over. With numpy it is kept up to date by every step."""
        return self._column(COUNT)

    @property
    def seats(self) -> Any:
        """Who decides in each play; -1 where it is over."""
        return self._column(SEAT)

    def step(self, options: Sequence[int] | NDArray[numpy.int64]) -> int:
        """Takes an option in each play that goes on, and tells how many go on; for the others any number will do."""
        numpy = _numpy()
        given: Any
        if numpy is not None:
            numbers = numpy.ascontiguousarray(options, numpy.int64)
            given = numbers.ctypes.data
        else:
            numbers = given = (ctypes.c_int64 * len(options))(*map(int, options))
        if len(numbers) != self.size:
            raise IllegalChoice(f"there are {self.size} plays, and {len(numbers)} options")
        going = int(self.door.code.door_steps(self._memory, self.size, given))
        if going < 0:
            number, count = int(numbers[-1 - going]), int(self.counts[-1 - going])
            raise IllegalChoice(f"there is no option {number} in play {-1 - going}; there are {count}")
        return going

    def returns(self) -> Any:
        """By play and seat, what each play was worth."""
        flat, width = self.door.shares(self.size), self.door.players * 8
        for i in range(self.size):
            here = ctypes.addressof(self._memory) + i * self.door.size
            self.door.code.door_returns(here, ctypes.addressof(flat) + i * width)
        return self.door.listed(flat, self.size)

    def __getitem__(self, number: int) -> CompiledPlay:
        """A copy of one of the plays."""
        if not 0 <= number < self.size:
            raise IndexError(number)
        twin = CompiledPlay(self.game, self.configured)
        self.door.code.door_copy(twin.memory, ctypes.addressof(self._memory) + number * self.door.size)
        return twin


def entered(game: Game, configured: Configured, state: Sequence[int]) -> CompiledPlay:
    """A play on compiled code that goes on from a state."""
    play = CompiledPlay(game, configured)
    door = play.door
    door.code.door_enter(play.memory, door.table, door.library.parted(state))
    return play


__all__ = ["Batch", "CompiledGame", "CompiledPlay", "Door", "entered"]
