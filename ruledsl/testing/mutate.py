"""Runs the tests of a game on changed rules (`mutants`), to see whether any notices.

A change that does not check, or that leaves the program as it was for every configuration the tests play, says
nothing and is passed over. The tests that carry out what is changed are run until one fails; a change that none
notices is reported. A file of tests may say under `unnoticed:` why no test can notice a change. The tests must hold
for the rules as they are: a test that fails anyway would notice everything.

Which test comes first decides how long it takes, and nothing else. Those that noticed something in the same file come
first, then the others, those that are for the same players and options together, for each of these are worked out
anew; random plays come last. What the changed rules mean is asked only where no test fails.
"""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Any

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.ir import core as C
from ruledsl.memory import searched_apart
from ruledsl.records import dataclass
from ruledsl.runtime.game import Configured, Game
from ruledsl.source.document import Map, Seq
from ruledsl.source.text import Span

from .coverage import Coverage
from .mutants import Mutant, changed, mutants_of
from .noted import Notebook
from .runner import Outcome, Tests
from .suites import Case, reasons_of

MOST_STEPS = 100_000  # blocks between two decisions: loops that a change makes endless are cut
SLOW = 0.5  # seconds of computing from which on a test is left for the end
RECENT = 8  # tests that are tried first, since they noticed what was changed in the same file before
MORE_STEPS = 20  # times as many as the true rules ever took are taken for endless, too
NOBODY = -1  # no test
Told = Callable[[int, int], None]


class FailingTests(Exception):
    """Tests that fail for the rules as they are, so that their failing says nothing of changed rules."""

    def __init__(self, cases: list[Case]) -> None:
        super().__init__(", ".join(case.name for case in cases))
        self.cases = cases


@dataclass
class Survey:
    """What became of all changes."""

    tried: int = 0
    noticed: int = 0
    same: int = 0  # the program was as before
    broken: int = 0  # the rules did not check
    left: int = 0  # not looked at, because somebody stopped it
    unnoticed: tuple[Mutant, ...] = ()
    explained: tuple[tuple[Mutant, str], ...] = ()  # not noticed either, with the reason that is given
    stale: tuple[str, ...] = ()  # reasons for changes that are noticed, or do not exist


def survey(
    game: Game,
    most: int | None = None,
    seed: int = 0,
    progress: Told | None = None,
    jobs: int = 1,
    log: Path | None = None,
) -> Survey:
    """Runs the tests on changed rules; with `most`, on so many changes picked by chance, on `jobs` processors.

    Who stops it (Ctrl-C) gets what was found so far; with a `log` it goes on from there the next time. Raises
    `FailingTests` if the tests do not hold to begin with.
    """
    bench = Bench(game)
    if bench.failing:
        raise FailingTests(bench.failing)
    mutants = mutants_of(game, bench.statements)
    if most is not None and most < len(mutants):
        mutants = sorted(random.Random(seed).sample(mutants, most), key=lambda m: (m.span.file.path, m.span.start))
    found, unnoticed, excused = Survey(), [], []
    reasons = bench.reasons()
    notes = Notebook(log, game, [case.name for case in bench.cases])
    bench.hints = notes.hints(mutants)
    number = 0
    try:
        for number, (mutant, result) in enumerate(zip(mutants, _results(bench, mutants, jobs, notes), strict=True), 1):
            if progress is not None:
                progress(number, len(mutants))
            if result == "broken":
                found.broken += 1
            elif result == "same":
                found.same += 1
            else:
                found.tried += 1
                if result == "noticed":
                    found.noticed += 1
                elif mutant.what in reasons:
                    excused.append((mutant, reasons[mutant.what]))
                else:
                    unnoticed.append(mutant)
    except KeyboardInterrupt:
        found.left = len(mutants) - number
    found.unnoticed, found.explained = tuple(unnoticed), tuple(excused)
    if most is None and not found.left:
        found.stale = tuple(what for what in reasons if what not in {m.what for m, _ in excused})
    return found


def _results(bench: Bench, mutants: list[Mutant], jobs: int, notes: Notebook) -> Iterator[str]:
    """What becomes of each change, in order; other processes begin with everything that this one knows."""
    known = [notes.known(mutant) for mutant in mutants]
    new = [number for number, result in enumerate(known) if result is None]
    with notes.open(), searched_apart(), _tried(bench, mutants, new, jobs) as tried:
        for mutant, result in zip(mutants, known, strict=True):
            if result is None:
                result, by = next(tried)
                notes.write(mutant, result, by)
            yield result


@contextmanager
def _tried(bench: Bench, mutants: list[Mutant], new: list[int], jobs: int) -> Iterator[Iterator[tuple[str, int]]]:
    """The results of some changes, with the number of the test that noticed it."""
    if jobs < 2 or "fork" not in get_all_start_methods():
        yield ((bench.result(mutants[number]), bench.by) for number in new)
        return
    global _shared
    _shared = (bench, mutants)
    with get_context("fork").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield pool.imap(_shared_result, new, chunksize=8)


_shared: tuple[Bench, list[Mutant]] | None = None  # what forked processes find


def _shared_result(number: int) -> tuple[str, int]:
    assert _shared is not None
    bench, mutants = _shared
    return bench.result(mutants[number]), bench.by


class Bench:
    """The tests of a game, and what of the rules each of them carries out; with `wanted`, only some of the tests."""

    def __init__(self, game: Game, wanted: Callable[[Case], bool] | None = None, progress: Told | None = None) -> None:
        self.game = game
        self.touched: dict[int, set[Span]] = {}  # by test: what it carried out
        self.offered: dict[int, set[Span]] = {}  # by test: options and conditions that it came to, taken or not
        self.wholes = wholes_of(game)
        self.settings: dict[int, dict[str, tuple[Any, ...]]] = {}  # by test: players and options
        self.statements: set[Span] = set()  # of all configurations that are played
        self.before: dict[str, str] = {}  # what the true rules mean, by players and options
        self.hints: dict[Mutant, int] = {}  # by change: the test that noticed it when it was last tried
        self.noticing: dict[str, list[int]] = {}  # by file: the tests that noticed something there, the last one first
        self.by = NOBODY  # the test that noticed the last change
        self.steps = 0  # the most blocks between two decisions
        self.failing: list[Case] = []
        tests = Tests(Game(game.blueprint, marks=True))
        self.cases = tests.cases
        outcomes = []
        for number, case in enumerate(tests.cases):
            if wanted is not None and not wanted(case):
                continue
            if progress is not None:
                progress(number, len(tests.cases))
            before = time.process_time()
            if self._watched(tests, case, number).passed:
                outcomes.append((time.process_time() - before, number))
            else:
                self.failing.append(case)
        self.slow = {number for seconds, number in outcomes if seconds > SLOW}
        crowd = Counter(key for ways in self.settings.values() for key in ways)
        rank = {key: number for number, (key, _) in enumerate(crowd.most_common())}
        self.order = [number for *_, number in sorted((*self._late(n, rank), t, n) for t, n in outcomes)]
        every = set().union(*self.touched.values(), *self.offered.values())
        self.places = sorted(every, key=lambda span: span.end - span.start)
        self.most_steps = min(MOST_STEPS, 1_000 + MORE_STEPS * self.steps)

    def _late(self, number: int, rank: dict[str, int]) -> tuple[bool, int]:
        """Random plays come late, and tests for players and options that few others are for."""
        return number in self.slow, max((rank[key] for key in self.settings[number]), default=0)

    def _watched(self, tests: Tests, case: Case, number: int) -> Outcome:
        seen, offered = self.touched.setdefault(number, set()), self.offered.setdefault(number, set())
        self.settings[number] = {}
        tests.begun.clear()  # what another test did before its position is no part of this one
        configure = tests.configured
        steps = 0

        def entering(setting: Any, at: Span) -> Configured:
            configured = configure(setting, at)
            way = (setting.players, setting.options, setting.names)
            self.settings[number][repr(way)] = way
            self.statements.update(configured.world.data["all_statements"])
            coverage = Coverage(tests.game, seen, formulas=seen, entries=seen)
            machine, world = configured.machine, configured.world
            machine.__init__(machine.program)  # type: ignore[misc]  # it tells of a formula but once
            machine.most_steps = tests.most_steps

            def watch(told: Any) -> None:
                nonlocal steps
                coverage.watch(told)
                if isinstance(told, C.Formula):  # what modifies it is asked with it
                    seen.update(one.fields.node.span for one in world.modifiers_of(told.name))
                if isinstance(told, tuple) and isinstance(told[0], C.Branch) and told[0].span is not None:
                    offered.add(told[0].span)
                if isinstance(told, C.Choice):
                    offered.update(entry.span for entry in told.entries if entry.span is not None)
                if isinstance(told, C.Choice | C.Together):
                    steps = 0
                elif isinstance(told, C.Jump | C.Branch):
                    steps += 1
                    self.steps = max(self.steps, steps)

            machine.watch = watch
            return configured

        tests.configured = entering  # type: ignore[method-assign]
        try:
            return tests.run_case(case)
        finally:
            del tests.configured
            for spans in (seen, offered):
                spans.update([self.wholes[span] for span in spans if span in self.wholes])

    def reasons(self) -> dict[str, str]:
        """Changes that no test can notice, with the reasons, as the files of tests say it."""
        return reasons_of(self.game.blueprint, Report())

    def near(self, mutant: Mutant) -> list[int]:
        """The tests that carry out what is changed, those first that are likely to notice; all, where it is not known.

        An option that is changed may be noticed without being taken, and a price that can be paid in one way is paid
        without an option: after the tests that take it come those where it is asked, and those that carry out the
        statement around it.
        """
        around = [span for span in self.places if within(mutant.span, span)]
        if not around:
            found = self.order
        else:
            statement = next((span for span in around if span in self.statements), around[0])
            first = [n for n in self.order if around[0] in self.touched[n]]
            wider = {number for number, offered in self.offered.items() if around[0] in offered}
            wider |= {number for number, touched in self.touched.items() if statement in touched}
            beside = [n for n in self.order if n in wider and around[0] not in self.touched[n]]
            found = sorted(first + beside, key=self.slow.__contains__)
        recent = [self.hints.get(mutant, NOBODY), *self.noticing.get(mutant.span.file.path, ())]
        likely = [number for number in dict.fromkeys(recent) if number in found]
        return likely + [number for number in found if number not in likely]

    def result(self, mutant: Mutant) -> str:
        """noticed, unnoticed, same (the program is as before) or broken (the rules do not check)."""
        trial, near = Trial(self, mutant), self.near(mutant)
        self.by = NOBODY
        try:
            for number in near:
                if not trial.holds(number):
                    self._noticed(mutant, number)
                    return "noticed"
            return "unnoticed" if any(map(trial.differs, near)) else "same"
        except (GameError, OptionError):
            return "broken"

    def _noticed(self, mutant: Mutant, number: int) -> None:
        self.by = number
        before = self.noticing.get(mutant.span.file.path, [])
        self.noticing[mutant.span.file.path] = [number, *(n for n in before if n != number)][:RECENT]

    def meaning(self, key: str, way: tuple[Any, ...]) -> str:
        """What the true rules mean for players and options."""
        if key not in self.before:
            self.before[key] = _meaning(self.game.configured(*way))
        return self.before[key]


class Trial:
    """The tests of a bench on one change of the rules."""

    def __init__(self, bench: Bench, mutant: Mutant) -> None:
        self.bench, self.game = bench, changed(bench.game, mutant)
        self.tests = Tests(self.game, cases=bench.cases)
        self.tests.most_steps = bench.most_steps
        self.tests.explaining = False
        self.same: dict[str, bool] = {}  # whether the rules mean what they did, by players and options
        self.met: set[str] = set()  # players and options of tests that held

    def holds(self, number: int) -> bool:
        """Whether a test still holds; raises what `Game.configured` raises of rules that do not check."""
        ways = self.bench.settings[number]
        if not ways:  # it says that players and options do not go together: nothing is worked out
            return self._run(number)
        for way in ways.values():
            self.game.configured(*way)
        if number in self.bench.slow or self.met.issuperset(ways):
            if not self.differs(number):
                return True
        self.met.update(ways)
        return self._run(number) or not self.differs(number)

    def differs(self, number: int) -> bool:
        """Whether a test is for players and options for which the rules mean something else now."""
        return not all(map(self._is_same, self.bench.settings[number]))

    def _run(self, number: int) -> bool:
        try:
            return self.tests.run_case(self.bench.cases[number]).passed
        except C.RulesFault:
            return False  # a fault where a test has no eye for it

    def _is_same(self, key: str) -> bool:
        if key not in self.same:
            way = next(ways[key] for ways in self.bench.settings.values() if key in ways)
            self.same[key] = _meaning(self.game.configured(*way)) == self.bench.meaning(key, way)
        return self.same[key]


def wholes_of(game: Game) -> dict[Span, Span]:
    """By the place of a name that something is declared under: the place of all of it."""
    found: dict[Span, Span] = {}
    source = game.blueprint.source
    tables = [Seq(source.span, tuple(rows)) for rows in source.tables.values() if isinstance(rows, list)]
    work: list[Any] = [*(part.node for part in source.parts), *tables]
    while work:
        node = work.pop()
        if isinstance(node, Map):
            for entry in node:
                key, value = entry.key.span, entry.value.span
                if key.file is value.file and key.start < value.end:
                    found[key] = Span(key.file, key.start, value.end)
                work.append(entry.value)
        elif isinstance(node, Seq):
            work += node.items
    return found


def _meaning(configured: Configured) -> str:
    """Equal for rules that do the same and show the same: who sees a value is no part of the program."""
    seen = [value.seen.span.text for value in configured.world.secrets]
    return " ".join([configured.rules, *seen])


def within(inner: Span, outer: Span) -> bool:
    return inner.file.path == outer.file.path and outer.start <= inner.start and inner.end <= outer.end


__all__ = ["Bench", "FailingTests", "Mutant", "Survey", "Trial", "changed", "mutants_of", "survey", "within"]
