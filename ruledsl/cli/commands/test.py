"""Run the tests of games."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.cli.common import (
    CLEAN,
    FOUND,
    INTERRUPTED,
    complain,
    find_game,
    plural,
    print_failing,
    print_report,
    progress_bar,
    without_tests,
)
from ruledsl.cli.telling import as_json, cases_as_data, format_argument, tell, where
from ruledsl.cli.watch import stopped
from ruledsl.diagnostics.render import to_json
from ruledsl.records import dataclass

if TYPE_CHECKING:
    from ruledsl.diagnostics.model import Report
    from ruledsl.testing.mutate import Survey
    from ruledsl.testing.runner import Outcome, Tests
    from ruledsl.testing.suites import Case


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "games", nargs="+", metavar="GAME", help="a file, a folder with game.yaml, or the name of a shipped game"
    )
    parser.add_argument(
        "-k",
        dest="text",
        metavar="TEXT",
        default="",
        help="only tests with this text in their name or in `covers:`",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="list every test with its time")
    parser.add_argument("--options", action="store_true", help="list all options where a test fails")
    parser.add_argument(
        "--mutate",
        action="store_true",
        help="change one rule at a time and report the changes that no test notices (mutation testing)",
    )
    parser.add_argument("--most", type=int, metavar="N", help="with --mutate: only this many changes, picked at random")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="with --mutate: how many processors to use")
    parser.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="with --mutate: note each result in a file; what stands there already is not tried again",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="with --most: the seed for picking changes")
    format_argument(parser)


def run(args: Namespace) -> int:
    """0 if every test holds, 1 if any does not."""
    from ruledsl.diagnostics.model import GameError
    from ruledsl.runtime.game import load
    from ruledsl.testing.runner import Tests

    if args.mutate:
        return _mutate_all(args)
    done: list[Run] = []
    for word in without_tests(args.games):
        path = find_game(word)
        try:
            tests = Tests(load(path))
            tests.every_option = args.options
        except GameError as problem:
            done.append(Run(word, [], problem.report))
            if not as_json(args):
                print_report(problem.report)
                print(f"{word}: the game has mistakes; fix them before you test it")
            continue
        done.append(_one(word, tests, args))
        if done[-1].left:
            break
    passed, failed, left = (sum(getattr(run, what) for run in done) for what in ("passed", "failed", "left"))
    if as_json(args):
        tell({"games": [run.as_data() for run in done], "passed": passed, "failed": failed, "left": left})
    else:
        print(f"{passed} passed, {failed} failed" + (f"; stopped: {plural(left, 'test')} not run" if left else ""))
    return INTERRUPTED if left else FOUND if failed else CLEAN


@dataclass
class Run:
    """The tests of one game that were run, and the mistakes in it or in them."""

    word: str
    outcomes: list[Outcome]
    report: Report
    left: int = 0  # not run, because somebody stopped it

    @property
    def passed(self) -> int:
        return sum(outcome.passed for outcome in self.outcomes)

    @property
    def failed(self) -> int:
        """Tests that do not hold; mistakes beside them, or in the game itself, count as one."""
        beside = self.report.errors > 0 and not any(outcome.mistakes for outcome in self.outcomes)
        return len(self.outcomes) - self.passed + beside

    def as_data(self) -> dict[str, Any]:
        return {
            "game": self.word,
            "tests": [_as_data(outcome) for outcome in self.outcomes],
            "passed": self.passed,
            "failed": self.failed,
            "left": self.left,
            "diagnostics": to_json(self.report)["diagnostics"],
        }


def _as_data(outcome: Outcome) -> dict[str, Any]:
    return {
        "test": outcome.case.name,
        "file": outcome.case.span.file.path,
        "line": outcome.case.line,
        "covers": list(outcome.case.covers),
        "passed": outcome.passed,
        "seconds": round(outcome.seconds, 3),
        "failures": [
            where(one.span)
            | {"message": one.message, "details": [str(line) for line in one.details], "position": one.position}
            for one in outcome.failures
        ],
        "mistakes": outcome.mistakes,
    }


def _one(word: str, tests: Tests, args: Namespace) -> Run:
    """The tests of one game: a line with numbers, and what failed."""
    wanted = args.text.lower()
    cases = [c for c in tests.cases if wanted in c.name.lower() or any(wanted in rule.lower() for rule in c.covers)]
    run = Run(word, [], tests.report)
    try:
        with progress_bar() as progress:
            for outcome in tests.run(cases):
                run.outcomes.append(outcome)
                if progress is not None and not args.verbose:
                    progress(len(run.outcomes), len(cases))
                if args.verbose and not as_json(args):
                    print(f"  {'ok    ' if outcome.passed else 'FAILED'} {outcome.case.name} ({outcome.seconds:.2f} s)")
                    sys.stdout.flush()
    except KeyboardInterrupt as stop:
        run.left = len(cases) - len(run.outcomes)
        complain(stopped(stop.__traceback__))
    if as_json(args):
        return run
    if not cases and not run.failed and not run.left:
        print(f"{word}: {_why_none(tests, args.text)}")
        return run
    print(f"{word}: {plural(len(run.outcomes), 'test')}, {run.failed} failed")
    for outcome in run.outcomes:
        if outcome.passed:
            continue
        case = outcome.case
        print(f"\nFAILED {case.name} ({case.span.file.path}:{case.line})")
        for failure in outcome.failures:
            print(failure)
        if outcome.mistakes:
            print("  this test has mistakes:")
    if tests.report.findings:
        print()
        print_report(tests.report)
    return run


def _why_none(tests: Tests, text: str) -> str:
    """What to do where there is nothing to run."""
    if tests.cases:
        return f"none of its {plural(len(tests.cases), 'test')} has `{text}` in its name or in `covers:`"
    where = "in `tests/NAME.yaml`" if (path := tests.game.path).name == "game.yaml" else f"in `{path.stem}.test.yaml`"
    return f"no tests yet. Write them under `tests:` in the game, or {where} beside it (`ruledsl manual tests`)"


def _mutate_all(args: Namespace) -> int:
    codes, answers = [], []
    for word in without_tests(args.games):
        code, answer = _mutate(word, args)
        codes.append(code)
        answers.append(answer)
        if code == INTERRUPTED:
            break
    if as_json(args):
        tell({"games": answers})
    return max(codes)


def _mutate(word: str, args: Namespace) -> tuple[int, dict[str, Any]]:
    """0 if every change of the rules is noticed by a test, 1 if any is not; and the answer for programs."""
    from ruledsl.runtime.game import load
    from ruledsl.testing.mutate import FailingTests, Survey, survey

    game = load(find_game(word))
    try:
        with progress_bar() as progress:
            found = survey(game, args.most, args.seed, progress, args.jobs, args.log)
    except FailingTests as problem:
        print_failing(word, problem.cases)
        return FOUND, _survey_as_data(word, Survey(), problem.cases)
    if not as_json(args):
        _tell_survey(word, found)
    code = INTERRUPTED if found.left else FOUND if found.unnoticed or found.stale else CLEAN
    return code, _survey_as_data(word, found, [])


def _tell_survey(word: str, found: Survey) -> None:
    for mutant in found.unnoticed:
        print(f"not noticed: {mutant}")
    for mutant, because in found.explained:
        print(f"explained: {mutant}\n  {because}")
    for what in found.stale:
        print(f"needless explanation: {what}")
    passed_over = f"{found.same} changed nothing, {found.broken} did not check"
    print(
        f"{word}: {plural(found.tried, 'change')}, {found.noticed} noticed, {len(found.unnoticed)} not, "
        f"{len(found.explained)} explained ({passed_over})"
    )
    if found.left:
        print(f"stopped: {plural(found.left, 'change')} not tried")


def _survey_as_data(word: str, found: Survey, failing: list[Case]) -> dict[str, Any]:
    return {
        "game": word,
        "failing": cases_as_data(failing),
        "tried": found.tried,
        "noticed": found.noticed,
        "unnoticed": [{"change": mutant.what, **where(mutant.span)} for mutant in found.unnoticed],
        "explained": [
            {"change": mutant.what, **where(mutant.span), "because": because} for mutant, because in found.explained
        ],
        "stale": list(found.stale),
        "same": found.same,
        "broken": found.broken,
        "left": found.left,
    }
