"""Answers to a save: first what is wrong, then the tests that the change reaches, then plays against those before.

A `Watcher` goes through that in stages and gives its `Answer` after each, so that whoever shows it need not wait. What
has not changed is not done again: the texts of files and what was worked out from them stay in memory, a version with
the same program is not played, and which tests a change reaches was found out beside (`reach.py`).
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Any

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.ir.core import RulesFault
from ruledsl.memory import uncollected
from ruledsl.records import dataclass
from ruledsl.runtime.game import Configured, Game
from ruledsl.simulation.digest import Digest, Fault
from ruledsl.simulation.findings import Outcome, outcomes
from ruledsl.simulation.run import Result
from ruledsl.simulation.work import Task, Work
from ruledsl.source.scan import stamps
from ruledsl.testing.looking import Tests as Looking
from ruledsl.testing.runner import Tests
from ruledsl.testing.suites import cases_of, files_of

from .beside import Beside, Lost
from .compare import Moved, compared
from .reach import Explored, explored, reached

PATIENCE = 1.5  # seconds of tests before plays are shown; the rest comes after
FIRST_PLAYS = 50
MOST_SECONDS = 20.0  # of plays


@dataclass
class Failing:
    """A test that does not hold."""

    name: str
    place: str
    why: list[str]


@dataclass
class Tested:
    """How far the tests are; `reached` is how many the change reaches."""

    total: int
    reached: int
    passed: int = 0
    failing: list[Failing] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def done(self) -> int:
        return self.passed + len(self.failing)


@dataclass
class Played:
    """What the plays came to. `moved` is empty where there is nothing to compare with; `same` says that rules do."""

    plays: int
    against: int
    moved: list[Moved] = field(default_factory=list)
    void: int = 0
    fault: str = ""  # why the first of them is void
    same: bool = False
    first: bool = False
    problem: str = ""
    seconds: float = 0.0


@dataclass
class Answer:
    """What is known of a save so far."""

    number: int
    files: list[str]  # that were saved
    report: Report
    check_seconds: float = 0.0
    checked: bool = False  # whether all configurations were gone through
    tests: Tested | None = None
    played: Played | None = None
    complete: bool = False


@dataclass
class _Good:
    """A version without errors: what its plays came to."""

    rules: str
    result: Outcome
    plays: int
    fault: str = ""


class Watcher:
    """Looks at the files of one game and answers to every save."""

    def __init__(self, path: Path, plays: int = 1000, seed: int = 0, task: dict[str, Any] | None = None) -> None:
        self.path, self.plays, self.seed, self.task = path, plays, seed, task or {}
        self.number = 0
        self.good: _Good | None = None
        self.known: Explored | None = None
        self.exploring: Beside[Explored] | None = None
        self.cases: dict[str, str] = {}  # texts of the tests of the version before, by name
        self.slow: dict[str, float] = {}  # seconds of each test, when it was run last
        self.failed: set[str] = set()  # tests that did not hold when they were run last
        self.files: list[Path] = [path]
        self.seen: dict[Path, Any] = {}

    # ----------------------------------------------------------------------------------------- what was saved

    def saved(self) -> list[Path]:
        """The files that are others than at the last answer."""
        return [path for path, stamp in self._stamps().items() if self.seen.get(path) != stamp]

    def _stamps(self) -> dict[Path, Any]:
        return dict(stamps([*self.files, *files_of(self.path)]))

    # ------------------------------------------------------------------------------------------------ stages

    def answer(self) -> Iterator[Answer]:
        """What is found of the files as they are now, more with every step; stop asking when something is saved."""
        changed = self.saved()
        self.seen = self._stamps()
        self.number += 1
        began = time.perf_counter()
        answer = Answer(self.number, [str(path) for path in changed], Report())
        blueprint = self._first_look(answer.report)
        answer.check_seconds = time.perf_counter() - began
        yield answer
        if not answer.report.errors:
            answer.report = pipeline.check(self.path, beside=Looking)
            answer.check_seconds = time.perf_counter() - began
        answer.checked = True
        if answer.report.errors or blueprint is None:
            answer.complete = True
            yield answer
            return
        yield answer
        yield from self._tested_and_played(answer, blueprint)

    def _first_look(self, report: Report) -> pipeline.Blueprint | None:
        """The game in its first configuration: most slips show there."""
        try:
            with uncollected():
                blueprint = pipeline.read(self.path, report)
                if blueprint is not None:
                    self.files = [Path(file.path) for file in blueprint.source.files] or [self.path]
                    pipeline.work_out(blueprint, blueprint.fewest, {}, report)
            return blueprint
        except (GameError, RecursionError):
            return None

    def _tested_and_played(self, answer: Answer, blueprint: pipeline.Blueprint) -> Iterator[Answer]:
        game = Game(blueprint)
        plays = self._begin_plays(answer, game)
        tests = self._tests(answer, game, PATIENCE)
        yield from tests
        if plays is not None:
            while not plays.ready:
                time.sleep(0.01)
                yield answer
            self._compare(answer, plays)
        yield answer
        yield from self._tests(answer, game, None)
        answer.complete = True
        if not self.exploring and (self.known is None or self.known.texts != _texts(blueprint)):
            self.exploring = Beside(lambda: explored(game), politely=True)
        yield answer

    # ------------------------------------------------------------------------------------------------- tests

    def _tests(self, answer: Answer, game: Game, patience: float | None) -> Iterator[Answer]:
        """Runs the tests that the change reaches, the quickest first; then, without hurry, the others."""
        self._take_explored()
        report = Report()
        cases = cases_of(game.blueprint, report)
        if not cases:
            return
        if answer.tests is None:
            near = reached(self.known, _texts(game.blueprint), cases, self.cases)
            near += [case for case in cases if case.name in self.failed and case not in near]
            answer.tests = Tested(len(cases), len(near))
            self.waiting = sorted(near, key=lambda case: self.slow.get(case.name, 0.01))
            self.later = [case for case in cases if case not in near]
            self.runner = Tests(game, cases=cases)
            self.cases = {case.name: case.span.text for case in cases}
        elif patience is None:
            self.waiting += self.later
            self.later = []
        begun = time.perf_counter()
        before = answer.tests.seconds
        while self.waiting:
            spent = time.perf_counter() - begun
            answer.tests.seconds = before + spent
            if patience is not None and spent + self.slow.get(self.waiting[0].name, 0.0) > patience:
                break
            case = self.waiting.pop(0)
            outcome = self.runner.run_case(case)
            self.slow[case.name] = outcome.seconds
            if outcome.passed:
                answer.tests.passed += 1
                self.failed.discard(case.name)
            else:
                self.failed.add(case.name)
                why = [str(line) for one in outcome.failures for line in str(one).splitlines()]
                why += [found.message for found in self.runner.report.findings] if outcome.mistakes else []
                answer.tests.failing.append(Failing(case.name, f"{case.span.file.path}:{case.line}", why))
            yield answer
        answer.tests.seconds = before + time.perf_counter() - begun

    def _take_explored(self) -> None:
        if self.exploring is not None and self.exploring.ready:
            try:
                self.known = self.exploring.result()
            except Lost:
                self.known = None
            self.exploring = None

    # ------------------------------------------------------------------------------------------------- plays

    def _configured(self, game: Game) -> Configured:
        return game.configured(self.task.get("players"), self.task.get("options") or {})

    def _begin_plays(self, answer: Answer, game: Game) -> Beside[_Good] | None:
        """Starts plays of a version that does something else than the last one."""
        try:
            configured = self._configured(game)
        except (OptionError, GameError) as problem:
            answer.played = Played(0, 0, problem=str(problem))
            return None
        if self.good is not None and self.good.rules == configured.rules:
            answer.played = Played(0, self.good.plays, same=True)
            return None
        return Beside(lambda: self._play(game, configured))

    def _play(self, game: Game, configured: Configured) -> _Good:
        options = dict(self.task.get("options") or {})
        task = Task(str(self.path), len(configured.players), self.seed, options)
        work = Work(task, game)
        digest, done, began = Digest(), 0, time.perf_counter()
        counts, faults = array("q", [0]) * work.shape.counts, list[Fault]()
        while done < self.plays and time.perf_counter() - began < MOST_SECONDS:
            part = work.part(done, min(FIRST_PLAYS if not done or not work.threads else self.plays, self.plays - done))
            digest.merge(part.digests[0])
            faults += part.faults
            done += part.count
        result = Result(task, self.plays, work.name, work.missing, [digest], counts, done)
        fault = f"{faults[0].message} ({faults[0].path}:{faults[0].line})" if faults else ""
        return _Good(configured.rules, outcomes(result, game)[0], done, fault)

    def _compare(self, answer: Answer, plays: Beside[_Good]) -> None:
        before = self.good
        try:
            now = plays.result()
        except (Lost, RulesFault) as problem:
            answer.played = Played(0, 0, problem=str(problem))
            return
        self.good = now
        answer.played = Played(
            now.plays, before.plays if before else 0, void=now.result.void, fault=now.fault, first=before is None
        )
        if before is not None:
            answer.played.moved = compared(before.result, now.result)

    def close(self) -> None:
        """Ends what still goes on beside."""
        if self.exploring is not None:
            self.exploring.stop()
            self.exploring = None


def _texts(blueprint: pipeline.Blueprint) -> dict[str, str]:
    return {file.path: file.text for file in blueprint.source.files}
