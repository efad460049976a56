"""Describe a game in plain sentences, made from what its rules mean.

Read it to see what your files really say: a score that counts twice, a wrong player, swapped columns, a missing
reset. Without options, the text is for two players (or the fewest) and the default options. Modules that are off
then come at the end.
"""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from ruledsl.cli.common import (
    CLEAN,
    UsageError,
    game_argument,
    language_argument,
    load_game,
    seating,
    setting_arguments,
    settings,
)
from ruledsl.cli.telling import format_argument, tell

WIDTH = 100


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    language_argument(parser)
    setting_arguments(parser, seed=False)
    parser.add_argument("--lines", action="store_true", help="show the file and line of each sentence")
    format_argument(parser)


def run(args: Namespace) -> int:
    """Tells the whole game on the standard output."""
    from ruledsl.telling.describe import describe

    show(describe(load_game(args.game), args.lang, count(args), settings(args)), args.format, args.lines)
    return CLEAN


def count(args: Namespace) -> int | None:
    """How many play; names say nothing about the rules."""
    players, names = seating(args)
    if names:
        raise UsageError("`describe` takes a number of players, not names: write `--players 3`")
    return players


def show(told: Any, form: str, lines: bool = False) -> None:
    """A told game as text, or as data for other programs."""
    if form == "json":
        from ruledsl.telling.data import as_data

        tell(as_data(told))
        return
    from ruledsl.telling.text import as_text

    width = min(WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else WIDTH
    print(as_text(told, max(40, width), lines), end="")
