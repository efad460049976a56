"""Positions that a command begins at: of a file with `given:`, or of a saved play."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from .common import UsageError, complain, print_report, read_given, resume, seating, settings

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game
    from ruledsl.runtime.play import Play


def position_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="position",
        type=Path,
        metavar="FILE",
        help="begin at the position in a file: a map with `given:`, or a saved play",
    )


def position(game: Game, args: Namespace) -> Play | None:
    """The play at the position of a file, or that of a save; None if it has mistakes, which are shown."""
    from ruledsl.testing.runner import position_of

    if _is_save(args.position):
        if args.players is not None or args.option or args.preset or args.seed is not None:
            raise UsageError("a saved play already has its players, options and seed: use only --from")
        return resume(game, str(args.position))
    players, names = seating(args)
    play, report, failure = position_of(game, args.position, players, names, settings(args), args.seed)
    if report.findings:
        print_report(report, sys.stderr)
    if failure is not None:
        print(failure, file=sys.stderr)
    if play is None:
        complain("fix the mistakes in the position first")
    return play


def _is_save(path: Path) -> bool:
    """Whether a file was written by `play --save`; one that cannot be read ends the command."""
    from ruledsl.runtime.save import MOST_BYTES

    if str(path) == "-":
        return True
    try:
        data = json.loads(read_given(path, MOST_BYTES, "a position"))
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and "ruledsl" in data
