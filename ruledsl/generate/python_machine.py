"""A machine whose program is Python made for it: a drop-in for the reference interpreter, on the same states."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import Any

from ruledsl.engine.actions import ACTIONS
from ruledsl.engine.evaluate import Eval, Evaluator
from ruledsl.engine.machine import OVER, TRIED_OUT, UNDECIDED, Machine, State, Stop
from ruledsl.engine.options import Options, staged
from ruledsl.engine.pieces import Pieces
from ruledsl.engine.primitives import PRIMITIVES, mark
from ruledsl.engine.random import draw, split, stream_of
from ruledsl.ir import core as C
from ruledsl.ir.core import Endless, RulesFault
from ruledsl.ir.walk import parts
from ruledsl.records import dataclass
from ruledsl.source.text import Span

from .kept import Kept
from .passes import NONE_OFF, Off
from .python_called import (
    MEMBERS_OF,
    advance_to,
    groups,
    in_line,
    joined,
    joined_by,
    members,
    nth,
    reach,
    reach_by,
    reach_on,
    reach_parts,
    steps_away,
    unfit,
)
from .python_plays import PlaysProgram
from .python_program import PythonProgram
from .python_words import Cases

MARK = 1 << 40  # stands behind a state that has the sets that are kept
LOOKS = 3000  # steps ahead (`possible`), after which functions are made for them
HASTE = 0.05  # seconds for a decision, after which functions are made for the next

# ------------------------------------------------------------------------------ what every module can call


class BrokenOff(Exception):
    """The play has taken as many decisions as it may."""


class RandomBot:
    """Decides in plays at random (see `engine.batch`), and notes among how many options."""

    def __init__(self, machine: Machine) -> None:
        self.sizes: list[int] = []  # how many options there were at each decision of the play
        self.machine = machine
        self._seen = 0
        state, most = 0, 0
        sizes, note = self.sizes, self.sizes.append

        def begin(seed: int, limit: int) -> None:
            nonlocal state, most
            state, most, self._seen = seed, limit, 0
            sizes.clear()

        def decided(n: int) -> int:
            nonlocal state
            if len(sizes) >= most:
                raise BrokenOff
            note(n)
            if n == 1:
                return 0
            while True:  # as `engine.random.draw`, on a variable
                state = (state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
                x = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
                x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
                product = ((x ^ (x >> 31)) >> 32) * n
                low = product & 0xFFFFFFFF
                if low >= n or low >= 0x100000000 % n:  # what is rejected lies below n
                    return product >> 32

        self.begin: Callable[[int, int], None] = begin
        self.decided: Callable[[int], int] = decided

    def go_on(self) -> None:
        """A loop has run as often as it may between two decisions: there must have been one since the last time."""
        self.must_have_decided(self._seen)
        self._seen = len(self.sizes)

    def must_have_decided(self, before: int) -> None:
        """A fault if there were no decisions since there were so many."""
        if len(self.sizes) == before:
            steps = self.machine.most_steps
            raise Endless(None, UNDECIDED.format(steps))


class KeepingPieces(Pieces):
    """Pieces as the reference moves them, where sets are kept of where they are."""

    def __init__(self, program: C.Program, evaluator: Any) -> None:
        super().__init__(program, evaluator)
        self.kept: dict[Kept, int] = {}  # and their slots
        self.mark_slot = program.layout.size
        self.mark = 0
        self.always = [  # by spot: who sees it, if that never changes
            self.everyone if seen is None else int(seen.value) if isinstance(seen, C.Const) else -1
            for seen in self.spots.seen
        ]

    def seers(self, v: State, spot: int) -> int:
        always = self.always[spot]
        return always if always >= 0 else super().seers(v, spot)

    def marked(self, v: State) -> bool:
        """Whether the sets are behind a state, and not something else, or nothing."""
        return len(v) > self.mark_slot and v[self.mark_slot] == self.mark

    def _take(self, v: State, piece: int, spot: int) -> None:
        super()._take(v, piece, spot)
        if self.kept and self.marked(v):
            self._change(v, piece, spot)

    def _put(self, v: State, piece: int, spot: int, at: int | str | None, span: Span | None = None) -> None:
        super()._put(v, piece, spot, at, span)
        if self.kept and self.marked(v):
            self._change(v, piece, spot)

    def _change(self, v: State, piece: int, spot: int) -> None:
        for kept, slot in self.kept.items():
            if kept.of == "pieces" and kept.state >= 0:
                continue  # wherever they are
            space = spot - kept.first
            value = kept.table[piece] if kept.table is not None else v[kept.state + piece] if kept.state >= 0 else 0
            if 0 <= space < kept.count and kept.kinds >> piece & 1 and value >= 0:
                v[slot + value] ^= 1 << (piece if kept.of == "pieces" else space)

    def keep(self, v: State) -> None:
        """Works the sets out for a state that comes from elsewhere, and puts them behind it."""
        count = sum(kept.values for kept in self.kept)
        v[self.mark_slot : self.mark_slot] = [self.mark, *(0,) * count]
        for piece in range(len(self.names)):
            self._change(v, piece, v[self.at + piece])
        for kept, slot in self.kept.items():
            if kept.of == "pieces" and kept.state >= 0:
                for piece in range(len(self.names)):
                    if kept.kinds >> piece & 1 and (value := v[kept.state + piece]) >= 0:
                        v[slot + value] |= 1 << piece


class CasesOf(dict[int, Callable[..., Any]]):
    """The functions of formulas of which one is picked by a row; made when they are first asked for."""

    def __init__(self, machine: GeneratedMachine, cases: Cases) -> None:
        super().__init__()
        self.machine, self.cases = machine, cases

    def __missing__(self, row: int) -> Callable[..., Any]:
        found = self[row] = self.machine.late_case(self.cases.formulas[row])
        return found


@dataclass(frozen=True)
class Module:
    """The source of a program's module, and those of its functions that are asked for by what they serve."""

    source: str
    options: dict[C.Choice, Callable[[State, int], Any]]
    possible: dict[C.Choice, Callable[[State], bool]]
    draws: dict[C.Chance, Callable[[State], Any]]


class GeneratedOptions(Options):
    """Options of functions made for each menu; what is chosen in several steps is worked out as by the reference."""

    machine: GeneratedMachine

    def __init__(self, machine: GeneratedMachine) -> None:
        super().__init__(machine)
        self._plans: dict[C.Choice, list[tuple[tuple[int, ...], int] | None]] = {}

    def all(self, v: State, choice: C.Choice, seat: int) -> tuple[Any, ...]:
        options = None if self.machine.interprets else self.machine.module.options.get(choice)
        if options is None:
            return super().all(v, choice, seat)
        found: tuple[Any, ...] = options(v, seat)
        return found

    def exists(self, v: State, choice: C.Choice) -> bool:
        possible = None if self.machine.interprets else self.machine.module.possible.get(choice)
        if possible is None:
            return super().exists(v, choice)
        return bool(possible(v))

    def later(self, v: State, choice: C.Choice, seat: int) -> tuple[Any, ...]:
        """The options of a choice that was begun."""
        return super().all(v, choice, seat)

    def begin(self, v: State, number: int, entry: C.Entry) -> Iterator[Any]:
        """The first step of an entry that is chosen in several."""
        return self._steps(v, number, entry, 0)

    def completable(self, v: State, entry: C.Entry, position: int) -> bool:
        return self._completable(v, entry, position)

    def veiled(self, v: State, values: Any) -> Any:
        """As `_veiled`, in one go where it never changes who sees what."""
        if self.seat < 0:
            return values
        pieces, bit = self.machine.pieces, 1 << self.seat
        spot, known, always = pieces.at, pieces.spots.known, pieces.always
        unknown = [p for p in values if not (v[known + p] | always[v[spot + p]]) & bit]
        return self._veiled(v, list(values)) if unknown or pieces.shifting else values

    def take(self, v: State, choice: C.Choice, option: Any) -> None:
        plan = self._plans.get(choice)
        if plan is None:
            plan = self._plans[choice] = [
                None if staged(entry) else (tuple(variable.slot for variable in entry.variables), entry.to)
                for entry in choice.entries
            ]
        number = option[0]
        step = plan[number] if number >= 0 else None
        if step is None:
            super().take(v, choice, option)
            return
        slots, v[C.PC] = step
        if len(slots) == 1:
            v[slots[0]] = option[1]
        elif slots:
            for slot, value in zip(slots, option[1:], strict=True):
                v[slot] = value


class GeneratedEvaluator(Evaluator):
    """Expressions of the program as functions made for them; others, and all while it is watched, as closures."""

    machine: GeneratedMachine

    def __init__(self, machine: GeneratedMachine) -> None:
        super().__init__(machine)
        self._functions: dict[C.Node, Eval] = {}

    @cached_property
    def _own(self) -> frozenset[int]:
        return frozenset(id(node) for node in _expressions(self.machine.program))

    def of(self, node: C.Node) -> Eval:
        if self.machine.interprets:
            return super().of(node)
        made = self._functions.get(node)
        if made is None:
            plain = id(node) not in self._own or isinstance(node, C.Const | C.Get)
            made = self._functions[node] = super().of(node) if plain else self.machine.function_of(node)
        return made


class GeneratedMachine(Machine):
    """Runs a program by functions made for it. While somebody watches, the reference interpreter runs it, and so it
    does for the first `patience` decisions: to write the functions takes longer than a few of these.

    `hooks` are told of blocks that are entered; with `counting` the runs of every block are counted in `ran`.
    """

    def __init__(
        self,
        program: C.Program,
        hooks: Mapping[int, Callable[[State], None]] | None = None,
        counting: bool = False,
        without: Off = NONE_OFF,
    ) -> None:
        self.hooks, self.counting, self.without = dict(hooks or {}), counting, without
        self.ran = [0] * len(program.blocks)
        self.patience = 0
        self.trying = 0  # effects that are being tried out, one within the other
        super().__init__(program)
        self.evaluator = GeneratedEvaluator(self)
        self.pieces: KeepingPieces = KeepingPieces(program, self.evaluator)
        self.options = GeneratedOptions(self)
        self.functions: list[Callable[[State], Any]] = []  # by block
        self.names: dict[str, Any] = {}  # what the module knows
        self._known: set[str] = set()
        self._given = 0  # constants that were looked at for that
        self._sources: dict[str, str] = {}  # what was compiled, by the names of files that frames have
        self.rolls: list[Any] = []  # by block: functions of those that decide at random and go on
        self.bot = RandomBot(self)
        self.taken: Callable[[State, C.Choice, tuple[Any, ...]], int] | None = None  # takes one of listed options

    @property
    def interprets(self) -> bool:
        """Whether the reference interpreter is at work."""
        return self.watch is not None or self.patience > 0

    @cached_property
    def writer(self) -> PythonProgram:
        if self.counting:
            return PlaysProgram(self.program, self.without)
        return PythonProgram(self.program, tuple(sorted(self.hooks)), self.without)

    @cached_property
    def module(self) -> Module:
        """The functions made for the program, when they are first needed."""
        writer, blocks = self.writer, self.program.blocks
        try:
            source = writer.write()
        except BaseException:
            del self.writer  # what was written by half is of no use to whoever asks again
            raise
        self.functions += [self._late(at) for at in range(len(blocks))]
        self.names |= self._what_is_given()
        self.pieces.kept = writer.absorber.slots
        self.pieces.mark = -MARK - writer.absorber.count
        if isinstance(writer, PlaysProgram):
            self.rolls += [self._late_roll(at) for at in range(len(blocks))]
        self._load(source)
        return Module(
            source,
            {
                choice: self.names[name]
                for at, choice in writer.choices.items()
                if (name := f"options_{at}") in self.names
            },
            {choice: self.names[f"possible_{key}"] for key, choice in writer.menus.values()},
            {
                block.end: self.names[f"draw_{at}"]
                for at, block in enumerate(blocks)
                if isinstance(block.end, C.Chance) and block.end.kind != "shuffle"
            },
        )

    # ------------------------------------------------------------------------------------------ the module

    def _what_is_given(self) -> dict[str, Any]:
        pieces = self.pieces

        def no_room(piece: int, span: Span | None) -> RulesFault:
            return RulesFault(span, f"{pieces.names[piece]} cannot go where there is no room left")

        def endless() -> RulesFault:
            return Endless(None, (TRIED_OUT if self.trying else UNDECIDED).format(self.most_steps))

        def tried_out(effect: Callable[[State], Any], v: State) -> None:
            say, self.say = self.say, None
            self.trying += 1
            try:
                effect(v)
            finally:
                self.say = say
                self.trying -= 1

        def top_of(v: State, spot: int) -> int:
            if spot >= 0 and pieces.spots.ordered[spot]:
                return v[pieces.top + spot]
            lying = pieces.on(v, spot)
            return lying[-1] if lying else -1

        def lying_of(v: State, spot: int, kinds: int) -> tuple[int, ...]:
            return tuple(piece for piece in pieces.on(v, spot) if kinds >> piece & 1)

        return {
            "MACHINE": self,
            "SOURCES": self._sources,
            "OPTIONS": self.options,
            "PIECES": pieces,
            "BLOCKS": self.functions,
            "MOST_STEPS": range(self.most_steps),
            "RAN": self.ran,
            "decided": self.bot.decided,
            "go_on": self.bot.go_on,
            "taken": self.taken,
            "nth": nth,
            "MEMBERS_OF": MEMBERS_OF,
            "OVER": OVER,
            "DRAFTED": Stop("drafted"),
            "Stop": Stop,
            "RulesFault": RulesFault,
            "members": members,
            "reach": reach,
            "reach_on": reach_on,
            "reach_parts": reach_parts,
            "reach_by": reach_by,
            "joined": joined,
            "joined_by": joined_by,
            "groups": groups,
            "steps_away": steps_away,
            "in_line": in_line,
            "unfit": unfit,
            "advance_to": advance_to,
            "by_key": itemgetter(0),
            "drawn": draw,
            "mark": mark,
            "move": pieces.move,
            "twin": lambda v, piece: (self.twin(v, piece),),
            "lying": pieces.on,
            "lying_set": pieces.mask,
            "lying_of": lying_of,
            "first_lying": pieces.first_of,
            "top_of": top_of,
            "store_list": self.store_list,
            "no_room": no_room,
            "endless": endless,
            "tried_out": tried_out,
        }

    def _load(self, source: str) -> None:
        """Lets a source become functions, which know the constants of the writer by their names."""
        for name, value in islice(self.writer.constants.items(), self._given, None):
            if name not in self._known:
                self._known.add(name)
                self.names[name] = self._constant(name, value)
        self._given = len(self.writer.constants)
        # What is run was written here from the checked program; no text of a game file is in it.
        name = f"<{self.program.name} as Python, part {len(self._sources) + 1}>"
        self._sources[name] = source
        exec(compile(source, name, "exec"), self.names)  # noqa: S102
        for table, names in ((self.functions, self.writer.block_functions), (self.rolls, self.writer.roll_functions)):
            for at in reversed(names):  # the new ones are the last
                if table[at] is self.names[names[at]]:
                    break
                table[at] = self.names[names[at]]

    def _constant(self, name: str, value: Any) -> Any:
        if name.startswith("ask_") and isinstance(value, C.Primitive):
            return self._with_values(PRIMITIVES[value.name], value, len(value.args))
        if name.startswith("do_") and isinstance(value, C.Act):
            return self._with_values(ACTIONS[value.name], value, len(value.args))
        if isinstance(value, Cases):
            return CasesOf(self, value)
        if name.startswith(("first_on_tile_", "fingerprint_", "standing_")):
            return None  # functions of the module
        if name.startswith("hook_"):
            return self.hooks[value]
        if name.startswith("STOP"):
            return Stop("together", together=value[1])
        return value

    def _with_values(self, make: Any, node: Any, count: int) -> Callable[..., Any]:
        """What the reference does with an expression's or operation's arguments, given their values."""
        box: list[Any] = [None] * count
        do = make(self, [_item(box, i) for i in range(count)], node)

        def done(v: State, *values: Any) -> Any:
            box[:] = values
            return do(v)

        return done

    def quicker(self, node: C.Node) -> Eval | None:
        if self.interprets or not self.writer.knows(node):
            return None
        return self.function_of(node)

    def function_of(self, node: C.Node) -> Eval:
        """A function that works out an expression of the program."""
        assert self.module
        name = f"value_{len(self._known)}"
        self._known.add(name)
        self._load(self.writer.expression(name, node))
        made: Eval = self.names[name]
        if not self.pieces.kept:
            return made
        plain, marked = Evaluator.of(self.evaluator, node), self.pieces.marked
        return lambda v: made(v) if marked(v) else plain(v)

    def _late(self, at: int) -> Callable[[State], Any]:
        """A block at which play was not expected to begin: its function is written when it comes to that."""

        def begin(v: State) -> Any:
            if self.functions[at] is begin:
                self._load(self.writer.late(at))
            return self.functions[at](v)

        return begin

    def _late_roll(self, at: int) -> Callable[[State], Any]:
        """As `_late`, for a function that decides for itself."""

        def begin(v: State) -> Any:
            assert isinstance(self.writer, PlaysProgram)
            if self.rolls[at] is begin:
                self._load(self.writer.late_roll(at))
            return self.rolls[at](v)

        return begin

    def late_case(self, formula: C.Formula) -> Callable[..., Any]:
        """The function of a formula that is picked by a row for the first time."""
        self._load(self.writer.late_formula(formula))
        made: Callable[..., Any] = self.names[self.writer.formula_names[formula]]
        return made

    # ------------------------------------------------------------------------------------------- running

    @property  # of the reference it is an attribute
    def most_steps(self) -> int:
        return self._most_steps

    @most_steps.setter
    def most_steps(self, value: int) -> None:
        self._most_steps = value
        if "names" in self.__dict__ and self.names:
            self.names["MOST_STEPS"] = range(value)

    def run(self, v: State, ask_chance: bool = False, answers: list[Any] | None = None) -> Stop:
        if self.interprets or self.by_blocks:
            began = time.process_time()
            try:
                return super().run(v, ask_chance, answers)
            finally:
                took = time.process_time() - began
                self.patience = 0 if took > HASTE else max(0, self.patience - 1)
        functions, at = self.functions, v[C.PC]
        if not functions:
            assert self.module
        pieces = self.pieces
        if pieces.kept and (len(v) <= pieces.mark_slot or v[pieces.mark_slot] != pieces.mark):
            pieces.keep(v)
        before, say = v[:], self.say
        try:
            return self._run(v, at, ask_chance, answers)
        except Endless:
            self.say = None  # it was said already
            try:
                super().run(before, ask_chance)  # tells where
            finally:
                self.say = say
            raise

    def one_beyond(self) -> Machine:
        """It counts nothing, and is told of nothing: what it comes to has not happened."""
        beyond = GeneratedMachine(self.program, without=self.without)
        beyond.patience = LOOKS
        return beyond

    def ways(self, v: State, node: C.Lookahead, values: list[Any]) -> Iterator[State]:
        for end in super().ways(v, node, values):
            if self.pieces.kept:
                self.pieces.keep(end)
            yield end

    def _run(self, v: State, at: int, ask_chance: bool, answers: list[Any] | None) -> Stop:
        functions = self.functions
        for _ in range(self.most_steps):
            came = functions[at](v)
            kind = came.__class__
            if kind is int:
                at = came
            elif kind is Stop:
                return came
            else:  # a chance point
                if ask_chance and self.outcomes(v, came) > 1:
                    return Stop("chance", chance=came)
                answer = self.draw(v, came)
                if answers is not None:
                    answers.append(answer)
                self.answer(v, came, answer)
                at = came.then
        raise Endless(None, UNDECIDED.format(self.most_steps))

    def play(self, v: State, together: Callable[[State, C.Together], None]) -> None:
        """Plays to the end, deciding at random; `together` does where players decide in secret."""
        if not self.rolls:
            assert self.module
        rolls, at = self.rolls, v[C.PC]
        while True:
            before = len(self.bot.sizes)
            for _ in range(self.most_steps):
                came = rolls[at](v)
                if came.__class__ is int:
                    at = came
                elif came.together is not None:
                    together(v, came.together)
                    at = v[C.PC]
                else:
                    return
            self.bot.must_have_decided(before)

    @cached_property
    def _at_start(self) -> State:
        """The state before the first block, but for the streams."""
        v = super().start(0)
        if not self.interprets and self.module and self.pieces.kept:
            self.pieces.keep(v)
        return v

    def start(self, seed: int) -> State:
        return self.start_from(split(seed))

    def start_from(self, source: int) -> State:
        """A start by what `engine.random.split` gives for the seed."""
        v = self._at_start[:]
        for i in range(len(C.STREAM_NAMES)):
            v[C.STREAMS + i] = stream_of(source, i)
        return v

    def hooked(self, hooks: Mapping[int, Callable[[State], None]]) -> GeneratedMachine:
        return GeneratedMachine(self.program, hooks, without=self.without)

    def draw(self, v: State, chance: C.Chance) -> Any:
        if chance.kind == "shuffle" or self.interprets:
            return super().draw(v, chance)
        return self.module.draws[chance](v)

    def drawn_from(self, v: State, chance: C.Chance) -> Any:
        return super().draw(v, chance)


def _item(box: list[Any], i: int) -> Eval:
    return lambda v: box[i]


def _expressions(program: C.Program) -> Iterator[C.Node]:
    """The expressions that the reference works out where a generated function leaves it to it."""
    yield from (row.node for row in program.scoring)
    yield from program.ties
    yield from (node for node in program.spots.seen if node is not None)
    for block in program.blocks:
        match block.end:
            case C.Choice() | C.Chance() | C.Together():
                yield from parts(block.end)
        yield from (op.to for op in block.ops if isinstance(op, C.Say) and op.to is not None)


__all__ = ["GeneratedMachine", "GeneratedOptions"]
