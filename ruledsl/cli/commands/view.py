"""Show what one player may see of a saved or recorded play, or of a campaign.

A save or a replay contains everything, even what is hidden. This shows only what the player may know: places, the
player's own options, what happened, and the text of cards that have appeared. With -o it is written to a file.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl import started
from ruledsl.cli.common import (
    CLEAN,
    UsageError,
    game_argument,
    language_argument,
    load_game,
    read_given,
    seat_of,
)
from ruledsl.cli.telling import as_json, format_argument, tell
from ruledsl.cli.writing import HANDOUT, force_argument, place, write

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game
    from ruledsl.runtime.play import Play


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument(
        "save", metavar="SAVE", type=Path, help="a file that `play` wrote with --save, --campaign or --record"
    )
    parser.add_argument("--seat", metavar="NAME", help="the player; without it, what a spectator may see")
    format_argument(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write the data to a file")
    force_argument(parser)
    language_argument(parser)


def run(args: Namespace) -> int:
    from ruledsl.runtime.handout import as_text, handout

    if args.output is not None:
        place(args.output, HANDOUT, args.force)
    play = _play(load_game(args.game), args.save)
    seat = seat_of(play, args.seat)
    found = handout(play, seat, args.lang)
    if args.output is not None:
        write(args.output, as_text(found))
    elif as_json(args):
        tell(found)
    else:
        _show(play, seat, args.lang, found)
    return CLEAN


def _play(game: Game, path: Path) -> Any:
    """The play of a save or a replay, or the one that is under way in a campaign."""
    from ruledsl.runtime.campaign import Campaign
    from ruledsl.runtime.replay import ReplayError
    from ruledsl.runtime.save import MOST_BYTES, SaveError

    data = read_given(path, MOST_BYTES, "a save")
    try:
        if data.startswith(b'{"replay"'):
            return _again(game, data)
        return Campaign.resume(game, data).play if b'"campaign"' in data[:200] else game.resume(data)
    except (SaveError, ReplayError) as problem:
        raise UsageError(f"{path}: {problem}") from None


def _again(game: Game, data: bytes) -> Any:
    """The play of a replay at its end."""
    from ruledsl.runtime.replay import ReplayError, Rerun, parse

    try:
        rerun = Rerun(game, parse(data.decode()))
    except UnicodeDecodeError:
        raise ReplayError("this is not a text in UTF-8") from None
    while not rerun.done:
        rerun.step()
    if rerun.parted is not None:
        command = f"{started.command()} replay"
        raise ReplayError(f"with the current rules the play goes differently; `{command}` shows where")
    return rerun.play


def _show(play: Play, seat: int | None, language: str, found: dict[str, Any]) -> None:
    from ruledsl.boards.marks import plain
    from ruledsl.cli.terminal.screen import Screen, width
    from ruledsl.cli.terminal.words import say

    screen = Screen(play, language, colour=False, columns=width())
    print(screen.head(found["view"], found["title"]))
    text = screen.position(found["view"])
    parts = [text] if text else []
    if found["log"]:
        parts.append("\n".join([say("log", language), *(f"  {plain(line)}" for line in found["log"])]))
    if found["options"]:
        listed = (f"{n:>3}  {plain(o['text'] or o['notation'])}" for n, o in enumerate(found["options"], 1))
        parts.append("\n".join([say("options", language), *listed]))
    if play.over:
        parts.append(screen.result())
    for part in parts:
        print(f"\n{part}")


__all__ = ["arguments", "run"]
