"""Runs the tests of a game on changed rules (`mutants`), to see whether any notices.

A change that does not check, or that leaves the program as it was for every configuration the tests play, says
nothing and is passed over. The tests that carry out what is changed are run, the quickest first, until one fails; a
change that none notices is reported. A file of tests may say under `unnoticed:` why no test can notice a change.
The tests must hold for the rules as they are: a test that fails anyway would notice everything.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from multiprocessing import get_all_start_methods, get_context
from typing import Any

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.runtime.game import Configured, Game
from ruledsl.source.text import Span

from .coverage import Coverage
from .mutants import Mutant, changed, mutants_of
from .runner import Outcome, Tests
from .suites import Case, reasons_of

MOST_STEPS = 100_000  # blocks between two decisions: loops that a change makes endless are cut
MORE_STEPS = 20  # times as many as the true rules ever took are taken for endless, too
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
) -> Survey:
    """Runs the tests on changed rules; with `most`, on so many changes picked by chance, on `jobs` processors.

    Who stops it (Ctrl-C) gets what was found so far. Raises `FailingTests` if the tests do not hold to begin with.
    """
    bench = Bench(game)
    if bench.failing:
        raise FailingTests(bench.failing)
    mutants = mutants_of(game, bench.statements)
    if most is not None and most < len(mutants):
        mutants = sorted(random.Random(seed).sample(mutants, most), key=lambda m: (m.span.file.path, m.span.start))
    found, unnoticed, excused = Survey(), [], []
    reasons = bench.reasons()
    number = 0
    try:
        for number, (mutant, result) in enumerate(zip(mutants, _results(bench, mutants, jobs), strict=True), 1):
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


def _results(bench: Bench, mutants: list[Mutant], jobs: int) -> Iterator[str]:
    """What becomes of each change, in order; other processes begin with everything that this one knows."""
    if jobs < 2 or "fork" not in get_all_start_methods():
        yield from map(bench.result, mutants)
        return
    global _shared
    _shared = (bench, mutants)
    with get_context("fork").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap(_shared_result, range(len(mutants)), chunksize=4)


_shared: tuple[Bench, list[Mutant]] | None = None  # what forked processes find


def _shared_result(number: int) -> str:
    assert _shared is not None
    bench, mutants = _shared
    return bench.result(mutants[number])


class Bench:
    """The tests of a game, and what of the rules each of them carries out; with `wanted`, only some of the tests."""

    def __init__(self, game: Game, wanted: Callable[[Case], bool] | None = None, progress: Told | None = None) -> None:
        self.game = game
        self.touched: dict[int, set[Span]] = {}  # by test: what it carried out
        self.settings: dict[int, dict[str, tuple[Any, ...]]] = {}  # by test: players and options
        self.statements: set[Span] = set()  # of all configurations that are played
        self.before: dict[str, str] = {}  # what the true rules mean, by players and options
        self.known: dict[tuple[str, int], bool] = {}  # whether a test holds for rules of a meaning
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
            outcome = self._watched(tests, case, number)
            if outcome.passed:
                outcomes.append((outcome.seconds, number))
            else:
                self.failing.append(case)
        self.order = [number for _, number in sorted(outcomes)]
        self.places = sorted(set().union(*self.touched.values()), key=lambda span: span.end - span.start)
        self.most_steps = min(MOST_STEPS, 1_000 + MORE_STEPS * self.steps)

    def _watched(self, tests: Tests, case: Case, number: int) -> Outcome:
        seen = self.touched[number] = set()
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
            machine = configured.machine
            machine.__init__(machine.program)  # type: ignore[misc]  # it tells of a formula but once
            machine.most_steps = tests.most_steps

            def watch(told: Any) -> None:
                nonlocal steps
                coverage.watch(told)
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

    def reasons(self) -> dict[str, str]:
        """Changes that no test can notice, with the reasons, as the files of tests say it."""
        return reasons_of(self.game.blueprint, Report())

    def near(self, mutant: Mutant) -> list[int]:
        """The tests that carry out what is changed, the quickest first; all, where that is not known.

        An option that is changed may be noticed without being taken, and a price that can be paid in one way is paid
        without an option: after the tests that take it come those that carry out the statement around it.
        """
        around = [span for span in self.places if within(mutant.span, span)]
        if not around:
            return self.order
        statement = next((span for span in around if span in self.statements), around[0])
        first = [n for n in self.order if around[0] in self.touched[n]]
        return first + [n for n in self.order if statement in self.touched[n] and around[0] not in self.touched[n]]

    def result(self, mutant: Mutant) -> str:
        """noticed, unnoticed, same (the program is as before) or broken (the rules do not check)."""
        trial = Trial(self, mutant)
        try:
            if any(not trial.holds(number) for number in self.near(mutant)):
                return "noticed"
            return "unnoticed" if trial.different else "same"
        except (GameError, OptionError):
            return "broken"

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
        self.meanings: dict[str, str] = {}
        self.different = False  # from the true rules, in any configuration that was looked at

    def holds(self, number: int) -> bool:
        """Whether a test still holds; raises what `Game.configured` raises of rules that do not check."""
        ways = self.bench.settings[number]
        if not ways:  # it says that players and options do not go together: nothing is worked out
            return self._run(number)
        met = [(key, self._meaning(key, way)) for key, way in ways.items()]
        if all(meaning == self.bench.meaning(key, ways[key]) for key, meaning in met):
            return True
        self.different = True
        at = (repr(met), number)
        if at not in self.bench.known:
            self.bench.known[at] = self._run(number)
        return self.bench.known[at]

    def _run(self, number: int) -> bool:
        try:
            return self.tests.run_case(self.bench.cases[number]).passed
        except C.RulesFault:
            return False  # a fault where a test has no eye for it

    def _meaning(self, key: str, way: tuple[Any, ...]) -> str:
        if key not in self.meanings:
            self.meanings[key] = _meaning(self.game.configured(*way))
        return self.meanings[key]


def _meaning(configured: Configured) -> str:
    """Equal for rules that do the same and show the same: who sees a value is no part of the program."""
    seen = [value.seen.span.text for value in configured.world.values if value.seen is not None]
    return " ".join([configured.rules, *seen])


def within(inner: Span, outer: Span) -> bool:
    return inner.file.path == outer.file.path and outer.start <= inner.start and inner.end <= outer.end


__all__ = ["Bench", "FailingTests", "Mutant", "Survey", "Trial", "changed", "mutants_of", "survey", "within"]
