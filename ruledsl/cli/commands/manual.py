"""Look up a word of the rule language, or a chapter about it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from ruledsl.cli.telling import as_json, format_argument, tell
from ruledsl.cli.writing import MANUAL, force_argument, place, write


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "word",
        nargs="?",
        help="a statement, function, declaration, board or chapter, such as `choose` or `tests`; without it, the whole "
        "reference",
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the whole reference to a file")
    force_argument(parser)
    format_argument(parser)


def run(args: Namespace) -> int:
    """0, or 2 if the word is unknown."""
    from ruledsl import manual
    from ruledsl.diagnostics.suggest import did_you_mean, nearest

    if args.write is not None:
        write(place(args.write, MANUAL, args.force), manual.text())
        return 0
    if args.word is None:
        tell({"words": manual.words(), "text": manual.text()}) if as_json(args) else print(manual.text(), end="")
        return 0
    found = manual.topic(args.word)
    if not found:
        hint = did_you_mean(nearest(args.word, manual.words()))
        print(f"the language has no word `{args.word}`" + (f"; {hint}" if hint else ""), file=sys.stderr)
        return 2
    tell({"word": args.word, "text": found}) if as_json(args) else print(found)
    return 0
