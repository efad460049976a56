"""Print or write the JSON Schemas of game files, for completion in editors.

An editor finds a schema by the first line of a file, as in

    # yaml-language-server: $schema=game.schema.json
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from ruledsl.cli.common import CLEAN


def arguments(parser: ArgumentParser) -> None:
    what = "which one is printed: of a main file (the default), or of an included one"
    parser.add_argument("sort", nargs="?", choices=("game", "part"), default="game", help=what)
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="write all schemas into a folder instead")


def run(args: Namespace) -> int:
    from ruledsl.compiler.schema import schemas, text

    found = schemas()
    if args.output is None:
        print(text(found[f"{args.sort}.schema.json"]), end="")
        return CLEAN
    args.output.mkdir(parents=True, exist_ok=True)
    for name, schema in found.items():
        (args.output / name).write_text(text(schema), encoding="utf-8", newline="\n")
        print(args.output / name)
    return CLEAN
