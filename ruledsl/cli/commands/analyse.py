"""Show how good each option in a position is, and what may follow."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from math import sqrt
from typing import TYPE_CHECKING, Any

from ruledsl.cli.common import (
    CLEAN,
    FOUND,
    UsageError,
    game_argument,
    language_argument,
    load_game,
    setting_arguments,
)
from ruledsl.cli.positions import asked, asked_arguments
from ruledsl.cli.telling import as_json, format_argument, tell

if TYPE_CHECKING:
    from ruledsl.bots.search import Thought
    from ruledsl.runtime.play import Option, Play

MOST_UNTRIED = 5  # that many options that were never tried have a line each


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    asked_arguments(parser)
    parser.add_argument(
        "--think",
        metavar="HOW",
        default="2s",
        help="for how long: `2s`, `1000` plays on from here, or `easy` to `hard`",
    )
    setting_arguments(parser)
    language_argument(parser)
    format_argument(parser)


def run(args: Namespace) -> int:
    """0 when all is told, 1 if the position has mistakes or a move is not offered."""
    from ruledsl.bots.base import BadDial
    from ruledsl.bots.search import SearchBot
    from ruledsl.bots.seat_view import SeatView

    game = load_game(args.game)
    try:
        bot = SearchBot(args.seed or 0, args.think)
    except BadDial as problem:
        raise UsageError(f"--think: {problem}") from None
    reached = asked(game, args)
    if reached is None:
        return FOUND
    play, seat = reached
    answer = _answer(play, seat, play.options(seat, args.lang), bot.think(SeatView(play, seat)), args.lang)
    if as_json(args):
        tell(answer)
    else:
        _write(answer)
    return CLEAN


def _answer(play: Play, seat: int, options: list[Option], thought: Thought, language: str) -> dict[str, Any]:
    from ruledsl.boards.marks import plain
    from ruledsl.cli.terminal.advice import in_words

    def order(option: Option) -> tuple[bool, float, int]:
        one = thought.found[option.index]
        known = one.sure or thought.ahead is not None
        return option.index == thought.best, _share(one.worth) if known else 0.0, one.visits

    return {
        "game": play.game.name,
        "players": play.players,
        "options": play.configured.options,
        "seed": play.seed,
        "player": play.players[seat],
        "plays": thought.plays,
        "ahead": thought.far if thought.ahead is not None else None,
        "offered": [
            {"text": plain(option.text), "notation": plain(option.notation), **_worth(thought, option.index)}
            for option in sorted(options, key=order, reverse=True)
        ],
        "line": [plain(text) for text in in_words(play, thought.line, language)],
    }


def _share(worth: int) -> float:
    from ruledsl.bots.tree import WHOLE

    return round(worth / WHOLE, 4)


def _worth(thought: Thought, number: int) -> dict[str, Any]:
    """What an option is worth, and where that lies with 95 % confidence; null where it was never tried. Looking ahead
    knows of the best what it is worth, and of others that they are worth no more than they have here."""
    found = thought.found[number]
    share = _share(found.worth) if found.visits else None
    low = high = share
    if share is not None and not found.sure:
        if thought.ahead is None:
            n, z = found.visits, 1.96
            middle, width = share + z * z / 2 / n, z * sqrt(share * (1 - share) / n + z * z / 4 / n / n)
            low, high = (round((middle + side) / (1 + z * z / n), 4) for side in (-width, width))
        elif number != thought.ahead:
            low = 0.0
    return {"worth": share, "low": low, "high": high, "certain": found.sure, "tried": found.visits}


def _write(answer: dict[str, Any]) -> None:
    how = f"{answer['plays']:,} plays on from here"
    if answer["ahead"] is not None:
        how = f"{answer['plays']:,} positions, looking {answer['ahead']} decisions ahead"
    print(f"{answer['player']}, of 100 (a win is 100), after {how}:")
    untried = sum(one["worth"] is None for one in answer["offered"])
    for one in answer["offered"]:
        if one["worth"] is None:
            if untried > MOST_UNTRIED:
                continue
            worth, span = "?", "never tried"
        else:
            low, high = (round(100 * one[end]) for end in ("low", "high"))
            span = "for certain" if one["certain"] else "" if low == high else f"{low} to {high}"
            worth = str(round(100 * one["worth"]))
        print(f"{worth:>5}  {span:<12} {one['text'] or one['notation']}")
    if untried > MOST_UNTRIED:
        print(f"{untried:,} more options were never tried.")
    if answer["line"]:
        print(f"What may follow: {', '.join(answer['line'])}")
