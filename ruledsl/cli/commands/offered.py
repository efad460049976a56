"""List the options in a position, one per line, as tests and `--moves` may write them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

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
from ruledsl.cli.telling import as_json, format_argument, tell

if TYPE_CHECKING:
    from ruledsl.runtime.play import Option, Play


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    position_argument(parser)
    parser.add_argument("--after", metavar="MOVE", action="append", default=[], help="a move to make first")
    parser.add_argument("--seat", metavar="NAME", help="whose options, when several choose at the same time")
    parser.add_argument("--notation", action="store_true", help="show the notation instead of the label")
    setting_arguments(parser)
    language_argument(parser)
    format_argument(parser)


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
        complain("the play is over, so there are no options")
        return FOUND
    seat, options = _offered(play, args)
    if as_json(args):
        tell(_answer(play, seat, options))
        return CLEAN
    for option in options:
        print(_plain((option.notation if args.notation else option.text) or option.text or option.notation))
    return CLEAN


def _offered(play: Play, args: Namespace) -> tuple[int, list[Option]]:
    """Who is asked, and what that player may do."""
    seat = seat_of(play, args.seat)
    if seat is not None and seat not in play.pending:
        raise UsageError(f"it is not the turn of `{args.seat}` to choose")
    asked = play.pending[0] if seat is None else seat
    return asked, play.options(asked, args.lang)


def _answer(play: Play, seat: int, options: list[Option]) -> dict[str, Any]:
    return {
        "game": play.game.name,
        "players": play.players,
        "options": play.configured.options,
        "seed": play.seed,
        "asked": [play.players[one] for one in play.pending],
        "player": play.players[seat],
        "offered": [
            {"text": _plain(one.text), "notation": _plain(one.notation), "action": one.action, "values": one.words}
            for one in options
        ],
    }


def _plain(text: str) -> str:
    from ruledsl.boards.marks import plain

    return plain(text)
