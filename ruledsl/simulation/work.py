"""A part of a simulation: so many plays from the one with a certain number on, wherever it is done."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from threading import Lock
from typing import Any

from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.engine.batch import ENDING, play_seed
from ruledsl.ir.core import VOID, Endless, RulesFault
from ruledsl.records import dataclass
from ruledsl.runtime.game import Game
from ruledsl.source.text import Span

from .digest import Digest, Fault
from .executors import AUTO, COMPILED, REFERENCE, executor, hurried
from .interpreter import Interpreter
from .native import Native, Unavailable
from .native_rows import NativeRows
from .played import Played
from .tables import Line, line

RANDOM = "random"
BEGINNING = 2_000  # blocks by which an endless loop is known again
MOST = 1 << 14  # plays of a part: what many of them came to no longer fits near the processor
LIMIT = 10_000  # decisions of a play: random plays of some games never end by themselves


@dataclass(frozen=True)
class Task:
    """What is to be simulated: all that another process needs to do a part of it."""

    path: str
    players: int
    seed: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    names: list[str] | None = None
    bots: tuple[str, ...] = ()  # by seat; none is all at random
    backend: str = AUTO
    campaign: int = 0  # plays of each campaign; 0 for single plays
    limit: int = LIMIT
    table: str = ""  # the kind of the table in which the single plays are wanted, if they are

    @property
    def at_random(self) -> bool:
        return self.all_random and not self.campaign

    @property
    def all_random(self) -> bool:
        return all(bot == RANDOM for bot in self.bots)

    def takes(self, backend: str) -> bool:
        """Whether a backend can do it: bots need `Play`, and so do campaigns where they are not compiled."""
        return self.at_random or backend in (AUTO, REFERENCE) or (backend == COMPILED and self.all_random)


@dataclass
class Part:
    """What some plays came to. `digests` has one for each play of a campaign, else only one."""

    first: int
    count: int
    digests: list[Digest]
    counts: array[int]
    faults: list[Fault]
    table: list[bytes] = field(default_factory=list)  # the lines of the plays, some at once, if they are wanted

    def add(self, other: Part) -> None:
        """The plays that come after these."""
        for own, its in zip(self.digests, other.digests, strict=True):
            own.merge(its)
        self.counts = array("q", map(int.__add__, self.counts, other.counts))
        self.faults += other.faults
        self.table += other.table
        self.count += other.count


class Work:
    """Does parts of a task."""

    def __init__(self, task: Task, game: Game | None = None, known: Mapping[str, str] | None = None) -> None:
        """`known` says how the user knows files that have other names here."""
        self.task = task
        self.known = known or {}
        self.game = game or Game(load_blueprint(Path(task.path)))
        self.configured = self.game.configured(task.players, task.options, task.names)
        self.missing: list[str] = []
        self.lock = Lock()
        self.loops: dict[Span, Endless] = {}  # in which plays went round for ever
        self.reference: Interpreter | None = None
        self.native: Native | None = None
        self.rows: NativeRows | None = None
        if task.at_random:
            self.name, self.executor, self.missing = executor(task.backend, self.configured)
            self.shape = self.executor.shape
            if type(self.executor) is Interpreter:  # one that runs code made for the game does not know every place
                self.reference = self.executor
            if isinstance(self.executor, Native):
                self.rows = NativeRows(self.executor)
        else:
            self.name = REFERENCE
            bots = task.bots or (RANDOM,) * task.players
            self.played = Played(self.game, task.players, task.options, task.names, bots)
            self.shape = self.played.shape
            if task.all_random and task.backend in (AUTO, COMPILED):
                self._compile()
        self.line = line(task.table, self.shape, self.configured.players, bool(task.campaign)) if task.table else None

    def _compile(self) -> None:
        """Campaigns at random are compiled where that can be done."""
        try:
            self.native = hurried(Native)(self.configured)
            self.rows = NativeRows(self.native)
            self.name = COMPILED
        except Unavailable as problem:
            if self.task.backend == COMPILED:
                raise
            self.missing.append(f"{COMPILED}: {problem}")

    @property
    def threads(self) -> bool:
        return self.native is not None or (self.task.at_random and self.executor.threads)

    def part(self, first: int, count: int) -> Part:
        counts = array("q", [0]) * self.shape.counts
        if self.task.at_random:
            return self._random(first, count, counts)
        if self.native is not None:
            return self._campaigns(self.native, first, count, counts)
        return self._played(first, count, counts)

    def _random(self, first: int, count: int, counts: array[int]) -> Part:
        task, width = self.task, self.shape.width
        rows = array("q", [0]) * (width * count)
        self.executor.run(task.seed, first, rows, counts, task.limit)
        digest = self.rows.digest(rows) if self.rows is not None else Digest()
        if self.rows is None:
            digest.add(rows, width)
        faults = {}
        if digest.void:
            voids = (first + i for i, ending in enumerate(rows[ENDING::width]) if ending == VOID)
            faults = {number: self._fault(number) for number in voids}
        part = Part(first, count, [digest], counts, list(faults.values()))
        if self.line is not None:
            part.table = self._table(self.line, part, rows, faults)
        return part

    def _table(self, line: Line, part: Part, rows: array[int], faults: dict[int, Fault]) -> list[bytes]:
        """Plays as lines."""
        seed, width = self.task.seed, self.shape.width
        if self.rows is not None:
            return self.rows.lines(line, seed, part.first, part.count, rows, part.digests, part.faults)
        return [
            line.write(number, 0, seed, rows[i * width : (i + 1) * width], faults.get(number)).encode()
            for i, number in enumerate(range(part.first, part.first + part.count))
        ]

    def _fault(self, number: int) -> Fault:
        """The reference interpreter says why a play is void, whoever found that it is."""
        seed = play_seed(self.task.seed, number)
        with self.lock:
            self.reference = self.reference or Interpreter(self.configured)
            fault = self._endless(self.reference, seed) or self.reference.fault(seed, self.task.limit)
            if isinstance(fault, Endless) and fault.span is not None:
                self.loops[fault.span] = fault
        assert fault is not None, f"the executors disagree: the play with seed {seed} is void for one of them only"
        return self._told(number, seed, fault)

    def _endless(self, reference: Interpreter, seed: int) -> RulesFault | None:
        """A loop that was shown to be endless is known again by its beginning: where every play ends so, to go
        through all of it each time would take hours."""
        if not self.loops:
            return None
        machine = reference.machine
        kept = machine.most_steps, machine.looked
        machine.most_steps, machine.looked = BEGINNING, BEGINNING
        try:
            fault = reference.fault(seed, self.task.limit)
        finally:
            machine.most_steps, machine.looked = kept
        return self.loops.get(fault.span) if isinstance(fault, Endless) and fault.span is not None else None

    def _campaigns(self, native: Native, first: int, count: int, counts: array[int]) -> Part:
        task, width, plays = self.task, self.shape.width, self.task.campaign
        rows = array("q", [0]) * (width * plays * count)
        done = native.campaigns(task.seed, first, plays, rows, counts, task.limit)
        part = Part(first, count, [Digest() for _ in range(plays)], counts, [])

        def row(at: int, i: int) -> array[int]:
            return rows[(at * count + i) * width : (at * count + i + 1) * width]

        for at, digest in enumerate(part.digests):
            if min(done) > at:
                digest.add(rows[at * count * width : (at + 1) * count * width], width)
            else:
                for i in (i for i in range(count) if done[i] > at):
                    digest.add(row(at, i), width)
        for i, number in enumerate(range(first, first + count)):
            void = row(done[i] - 1, i)[ENDING] == VOID  # after it there is no other
            fault = self._campaign_fault(number) if void else None
            if fault is not None:
                part.faults.append(fault)
        if self.line is not None:
            assert self.rows is not None, "it comes with the compiled game"
            part.table = self.rows.lines(self.line, task.seed, first, count, rows, part.digests, part.faults, done)
        return part

    def _campaign_fault(self, number: int) -> Fault:
        """Why the last play of a campaign is void."""
        task, counts = self.task, array("q", [0]) * self.shape.counts
        with self.lock:
            *_, last = self.played.run(task.seed, number, 1, counts, task.limit, task.campaign)
        _, play, seed, _, fault = last
        assert fault is not None, f"the executors disagree: the play with seed {seed} is void for one of them only"
        return self._told(number, seed, fault, play)

    def _played(self, first: int, count: int, counts: array[int]) -> Part:
        task, width = self.task, self.shape.width
        part = Part(first, count, [Digest() for _ in range(task.campaign or 1)], counts, [])
        for number, play, seed, row, fault in self.played.run(
            task.seed, first, count, counts, task.limit, task.campaign
        ):
            part.digests[play].add(array("q", row), width)
            told = self._told(number, seed, fault, play) if fault is not None else None
            if told is not None:
                part.faults.append(told)
            if self.line is not None:
                part.table.append(self.line.write(number, play, task.seed, row, told).encode())
        return part

    def _told(self, number: int, seed: int, fault: RulesFault, play: int = 0) -> Fault:
        path, line = (fault.span.file.path, fault.span.line) if fault.span is not None else ("", 0)
        return Fault(number, seed, fault.message, self.known.get(path, path), line, play)
