"""List the options in a position, one per line, as tests and `--moves` may write them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from ruledsl.cli.common import (
    CLEAN,
    FOUND,
    game_argument,
    language_argument,
    load_game,
    setting_arguments,
)
from ruledsl.cli.positions import asked, asked_arguments
from ruledsl.cli.telling import as_json, format_argument, tell

if TYPE_CHECKING:
    from ruledsl.runtime.play import Option, Play


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    asked_arguments(parser)
    parser.add_argument("--notation", action="store_true", help="show the notation instead of the label")
    setting_arguments(parser)
    language_argument(parser)
    format_argument(parser)


def run(args: Namespace) -> int:
    """0 when all is listed, 1 if the position has mistakes or a move is not offered."""
    game = load_game(args.game)
    reached = asked(game, args)
    if reached is None:
        return FOUND
    play, seat = reached
    options = play.options(seat, args.lang)
    if as_json(args):
        tell(_answer(play, seat, options))
        return CLEAN
    for option in options:
        print(_plain((option.notation if args.notation else option.text) or option.text or option.notation))
    return CLEAN


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
