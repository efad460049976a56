"""Positions that a command begins at: of a file with `given:`, or of a saved play."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from .common import UsageError, complain, print_report, read_given, resume, seat_of, seating, settings, start

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


def asked_arguments(parser: ArgumentParser) -> None:
    """Where a command looks at the options of somebody."""
    position_argument(parser)
    parser.add_argument("--after", metavar="MOVE", action="append", default=[], help="a move to make first")
    parser.add_argument("--seat", metavar="NAME", help="whose options, when several choose at the same time")


def asked(game: Game, args: Namespace) -> tuple[Play, int] | None:
    """The play after the given moves, and who is asked; None if that cannot be reached, which is told."""
    from ruledsl.runtime.play import IllegalChoice

    play = position(game, args) if args.position is not None else start(game, args)
    if play is None:
        return None
    for move in args.after:
        try:
            play.choose(move)
        except IllegalChoice as problem:
            complain(str(problem))
            return None
    if play.over:
        complain("the play is over, so there are no options")
        return None
    seat = seat_of(play, args.seat)
    if seat is not None and seat not in play.pending:
        raise UsageError(f"it is not the turn of `{args.seat}` to choose")
    return play, play.pending[0] if seat is None else seat


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
