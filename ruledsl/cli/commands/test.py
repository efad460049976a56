"""Run the tests that stand beside games."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ruledsl.cli.common import (
    CLEAN,
    FOUND,
    INTERRUPTED,
    find_game,
    load_game,
    plural,
    print_failing,
    print_report,
    progress_bar,
    without_tests,
)

if TYPE_CHECKING:
    from ruledsl.testing.runner import Outcome, Tests


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "games", nargs="+", metavar="GAME", help="a file, a folder with game.yaml, or the name of a shipped game"
    )
    parser.add_argument(
        "-k",
        dest="text",
        metavar="TEXT",
        default="",
        help="only tests with this text in their name or among what they cover",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="name every test, with the time it took")
    parser.add_argument("--options", action="store_true", help="of what fails, tell all options that are offered")
    parser.add_argument(
        "--mutate", action="store_true", help="change one rule at a time and report changes that no test notices"
    )
    parser.add_argument("--most", type=int, metavar="N", help="with --mutate: only so many changes, picked by chance")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="with --mutate: on so many processors")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="with --most: which changes are picked")


def run(args: Namespace) -> int:
    """0 if every test holds, 1 if any does not."""
    from ruledsl.diagnostics.model import GameError
    from ruledsl.runtime.game import load
    from ruledsl.testing.runner import Tests

    if args.mutate:
        return max([_mutate(word, args) for word in without_tests(args.games)])
    passed = failed = 0
    for word in without_tests(args.games):
        path = find_game(word)
        try:
            tests = Tests(load(path))
            tests.every_option = args.options
        except GameError as problem:
            print_report(problem.report)
            print(f"{word}: the game has mistakes, so it cannot be tested")
            failed += 1
            continue
        good, bad = _one(word, tests, args)
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return FOUND if failed else CLEAN


def _one(word: str, tests: Tests, args: Namespace) -> tuple[int, int]:
    """The tests of one game: a line with numbers, and what failed."""
    wanted = args.text.lower()
    cases = [c for c in tests.cases if wanted in c.name.lower() or any(wanted in rule.lower() for rule in c.covers)]
    outcomes: list[Outcome] = []
    for outcome in tests.run(cases):
        outcomes.append(outcome)
        if args.verbose:
            print(f"  {'ok    ' if outcome.passed else 'FAILED'} {outcome.case.name} ({outcome.seconds:.2f} s)")
            sys.stdout.flush()
    bad = [o for o in outcomes if not o.passed]
    beside = tests.report.errors and not any(o.mistakes for o in outcomes)
    print(f"{word}: {plural(len(cases), 'test')}, {len(bad) + bool(beside)} failed")
    for outcome in bad:
        case = outcome.case
        print(f"\nFAILED {case.name} ({case.span.file.path}:{case.line})")
        for failure in outcome.failures:
            print(failure)
        if outcome.mistakes:
            print("  the test has mistakes:")
    if tests.report.findings:
        print()
        print_report(tests.report)
    return len(outcomes) - len(bad), len(bad) + bool(beside)


def _mutate(word: str, args: Namespace) -> int:
    """0 if every change of the rules is noticed by a test, 1 if any is not."""
    from ruledsl.testing.mutate import FailingTests, survey

    game = load_game(word)
    try:
        with progress_bar() as progress:
            found = survey(game, args.most, args.seed, progress, args.jobs)
    except FailingTests as problem:
        print_failing(word, problem.cases)
        return FOUND
    for mutant in found.unnoticed:
        print(f"not noticed: {mutant}")
    for mutant, because in found.explained:
        print(f"explained: {mutant}\n  {because}")
    for what in found.stale:
        print(f"explained for nothing: {what}")
    passed_over = f"{found.same} changed nothing, {found.broken} did not check"
    print(
        f"{word}: {plural(found.tried, 'change')}, {found.noticed} noticed, {len(found.unnoticed)} not, "
        f"{len(found.explained)} explained ({passed_over})"
    )
    if found.left:
        print(f"stopped: {plural(found.left, 'change')} not tried")
        return INTERRUPTED
    return FOUND if found.unnoticed or found.stale else CLEAN
