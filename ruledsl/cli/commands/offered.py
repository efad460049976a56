"""List all that is offered in a position, one option a line, as tests and `--moves` may write it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ruledsl.cli.common import (
    CLEAN,
    FOUND,
    UsageError,
    complain,
    game_argument,
    language_argument,
    load_game,
    seat_of,
    setting_arguments,
    start,
)
from ruledsl.cli.positions import position, position_argument

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    position_argument(parser)
    parser.add_argument("--after", metavar="MOVE", action="append", default=[], help="a move that is made before")
    parser.add_argument("--seat", metavar="NAME", help="of which player, where several are asked at once")
    parser.add_argument("--notation", action="store_true", help="as the rules call it, instead of its label")
    setting_arguments(parser)
    language_argument(parser)


def run(args: Namespace) -> int:
    """0 when all is listed, 1 if the position has mistakes or a move is not offered."""
    from ruledsl.runtime.play import IllegalChoice

    game = load_game(args.game)
    play = position(game, args) if args.position is not None else start(game, args)
    if play is None:
        return FOUND
    for move in args.after:
        try:
            play.choose(move)
        except IllegalChoice as problem:
            complain(str(problem))
            return FOUND
    if play.over:
        complain("the play is over, so nothing is offered")
        return FOUND
    for line in _lines(play, args):
        print(line)
    return CLEAN


def _lines(play: Play, args: Namespace) -> list[str]:
    from ruledsl.boards.marks import plain

    seat = seat_of(play, args.seat)
    if seat is not None and seat not in play.pending:
        raise UsageError(f"`{args.seat}` is not asked now")
    options = play.options(play.pending[0] if seat is None else seat, args.lang)
    return [plain((o.notation if args.notation else o.text) or o.text or o.notation) for o in options]


__all__ = ["arguments", "run"]
