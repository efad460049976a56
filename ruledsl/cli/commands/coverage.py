"""Show which rules tests and random plays carried out, and which never."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ruledsl.cli.common import CLEAN, FOUND, game_argument, load_game, plural

if TYPE_CHECKING:
    from ruledsl.testing.coverage import Item


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument(
        "--plays", type=int, metavar="N", help="so many random plays; 20 unless only tests are asked for"
    )
    parser.add_argument("--tests", action="store_true", help="run the tests of the game")
    parser.add_argument("-s", "--seed", type=int, default=0, metavar="N", help="where the random plays begin")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how the report is written")


def run(args: Namespace) -> int:
    """0; 1 if tests fail or rules end in a fault."""
    from ruledsl.testing.coverage import Coverage, by_file, percent

    coverage = Coverage(load_game(args.game, marks=True))
    passed, failed = coverage.test() if args.tests else (0, 0)
    plays = args.plays if args.plays is not None else 0 if args.tests else 20
    faults = coverage.play(plays, args.seed)
    items = coverage.items()
    if args.format == "json":
        files = {
            path: [{"kind": i.kind, "line": i.span.line, "name": i.name, "done": i.done} for i in found]
            for path, found in by_file(items).items()
        }
        numbers = {"plays": plays, "faults": faults, "tests": passed + failed, "failed": failed}
        print(json.dumps({**numbers, "percent": percent(items), "files": files}, ensure_ascii=False, indent=2))
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
