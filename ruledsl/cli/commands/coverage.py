"""Show which rules tests and random plays ran, and which never ran; with --rules, which are proven by tests."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ruledsl.cli.common import (
    CLEAN,
    FOUND,
    INTERRUPTED,
    UsageError,
    game_argument,
    load_game,
    plural,
    print_failing,
    progress_bar,
)
from ruledsl.cli.telling import as_json, cases_as_data, format_argument, tell

if TYPE_CHECKING:
    from ruledsl.testing.coverage import Item
    from ruledsl.testing.proofs import Proofs, Rule


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument(
        "--plays", type=int, metavar="N", help="the number of random plays (default: 20, or 0 with --tests)"
    )
    parser.add_argument("--tests", action="store_true", help="run the tests of the game")
    parser.add_argument(
        "--rules",
        action="store_true",
        help="for each numbered rule of rules.md: what implements it (covers: in the rules), which tests name it, and "
        "whether it is proven, that is, whether such a test fails when its implementation is changed",
    )
    parser.add_argument("-s", "--seed", type=int, default=0, metavar="N", help="the seed of the random plays")
    format_argument(parser)


def run(args: Namespace) -> int:
    """0; 1 if tests fail, rules end in a fault, or a rule that something carries is neither proven nor explained."""
    if args.rules:
        return _rules(args)
    from ruledsl.testing.coverage import Coverage, by_file, percent

    coverage = Coverage(load_game(args.game, marks=True))
    passed, failed = coverage.test() if args.tests else (0, 0)
    plays = args.plays if args.plays is not None else 0 if args.tests else 20
    with progress_bar() as progress:
        faults = coverage.play(plays, args.seed, progress)
    items = coverage.items()
    if as_json(args):
        files = {
            path: [{"kind": i.kind, "line": i.span.line, "name": i.name, "done": i.done} for i in found]
            for path, found in by_file(items).items()
        }
        numbers = {"plays": plays, "faults": faults, "tests": passed + failed, "failed": failed}
        tell({**numbers, "percent": percent(items), "files": files})
        return FOUND if failed or faults else CLEAN
    for path, found in by_file(items).items():
        print(f"{path}: {percent(found)} %")
        for item in found:
            if not item.done and not (item.kind.startswith("branch") and _unreached(item, found)):
                print(f"  {path}:{item.span.line}: {item}")
    done = sum(item.done for item in items)
    beside = f", {faults} with faults" if faults else ""
    tests = f" and {plural(passed + failed, 'test')}" + (f" ({failed} failed)" if failed else "") if args.tests else ""
    print(f"{percent(items)} % of the rules ({done} of {len(items)}) in {plural(plays, 'random play')}{beside}{tests}")
    return FOUND if failed or faults else CLEAN


def _unreached(item: Item, found: list[Item]) -> bool:
    """A condition that was never asked is not worth two more lines: the statement it stands in is named."""
    return all(not other.done for other in found if other.span == item.span and other.kind.startswith("branch"))


def _rules(args: Namespace) -> int:
    """Every numbered rule: what carries it, what names it, and whether it is proven."""
    from ruledsl.testing.mutate import FailingTests
    from ruledsl.testing.proofs import proofs

    if args.plays is not None or args.tests:
        raise UsageError("`--rules` runs the tests that it needs: remove `--plays` and `--tests`")
    try:
        with progress_bar() as progress:
            found = proofs(load_game(args.game), progress)
    except FailingTests as problem:
        print_failing(args.game, problem.cases)
        if as_json(args):
            tell({"percent": 0, "carried": 0, "left": 0, "failing": cases_as_data(problem.cases), "rules": []})
        return FOUND
    if not found.rules:
        raise UsageError(
            f"`{args.game}` has no numbered rules: neither numbers in a rules.md, nor `covers:` in its rules or tests"
        )
    if as_json(args):
        tell(_rules_as_data(found))
    else:
        for rule in found.rules:
            print(_rule_line(rule))
        for rule in found.rules:
            if not rule.listed:
                print(f"{rule.number} is not in rules.md")
            if rule.state == "proven" and rule.because:
                print(f"{rule.number} is proven: remove it from `unproven:`")
        numbers = [
            f"{len(found.of(state))} {state}" for state in ("proven", "not proven", "not tested", "not implemented")
        ]
        explained = sum(rule.state != "proven" and bool(rule.because) for rule in found.rules)
        beside = f" ({explained} explained)" if explained else ""
        print(f"{args.game}: {plural(len(found.rules), 'rule')}: {', '.join(numbers)}{beside}")
        print(f"{found.percent} % of the {plural(len(found.carried), 'rule')} that are implemented are proven")
    if found.left:
        if not as_json(args):
            print(f"stopped: {plural(found.left, 'change')} not tried")
        return INTERRUPTED
    return FOUND if [r for r in (*found.of("not proven"), *found.of("not tested")) if not r.because] else CLEAN


def _rule_line(rule: Rule) -> str:
    from ruledsl.testing.proofs import lines_of

    where = ", ".join(lines_of(rule)) or "nothing implements it"
    tests = plural(len(rule.named), "test") if rule.named else "no test names it"
    why = f" ({plural(rule.tried, 'change')} tried)" if rule.state == "not proven" else ""
    because = f"; {rule.because}" if rule.because else ""
    return f"{rule.number}: {rule.state}{why}; {where}; {tests}{because}"


def _rules_as_data(found: Proofs) -> dict[str, object]:
    from ruledsl.testing.proofs import lines_of

    rules = [
        {
            "rule": rule.number,
            "listed": rule.listed,
            "state": rule.state,
            "because": rule.because,
            "carried_by": lines_of(rule),
            "named_by": [{"test": case.name, "at": f"{case.span.file.path}:{case.line}"} for case in rule.named],
            "proof": None
            if rule.proof is None or rule.witness is None
            else {"change": str(rule.proof), "test": rule.witness.name},
        }
        for rule in found.rules
    ]
    return {
        "percent": found.percent,
        "carried": len(found.carried),
        "left": found.left,
        "failing": [],
        "rules": rules,
    }
