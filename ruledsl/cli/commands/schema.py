"""Print or write the JSON Schemas of game files, for completion in editors.

An editor finds the schema through the first line of a file, as in

    # yaml-language-server: $schema=game.schema.json
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from ruledsl.cli.common import CLEAN, UsageError
from ruledsl.cli.writing import SCHEMA, force_argument, place, write


def arguments(parser: ArgumentParser) -> None:
    what = (
        "which schema to print: for a main file (the default), an included file, a file of tests, or the answers "
        "of commands with --format json"
    )
    parser.add_argument("sort", nargs="?", choices=("game", "part", "tests", "answers"), default="game", help=what)
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="write all schemas into a folder instead")
    force_argument(parser)


def run(args: Namespace) -> int:
    from ruledsl.cli import answers
    from ruledsl.compiler.schema import text

    found = schemas() | {"answers.schema.json": answers.schema()}
    if args.output is None:
        print(text(found[f"{args.sort}.schema.json"]), end="")
        return CLEAN
    if args.output.exists() and not args.output.is_dir():
        raise UsageError(f"`{args.output}` exists already and is no folder")
    args.output.mkdir(parents=True, exist_ok=True)
    places = {name: place(args.output / name, SCHEMA, args.force) for name in found}
    for name, schema in found.items():
        write(places[name], text(schema))
        print(places[name])
    return CLEAN


def schemas() -> dict[str, dict[str, Any]]:
    """The schemas of what designers write, by the names of their files."""
    from ruledsl.compiler import schema
    from ruledsl.testing import suites

    tests = {
        "suite": suites.SUITE,
        "test": suites.TEST,
        "step": suites.STEP,
        "given": suites.GIVEN,
        "expectation": suites.EXPECT,
        "random_plays": suites.PLAY,
    }
    return schema.schemas(tests)
