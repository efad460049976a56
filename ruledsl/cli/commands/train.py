"""Learn what is worth having in a game, so that `search` judges positions that are not over.

It plays for practice, learns from how plays end, and measures whether searching is stronger with what it learnt. Only
then it is kept, in the user's cache, or in the file of `-o`; `search` finds it in the cache, or beside the game in
`NAME.learnt.json` (`learnt.json` in the folder of a game).
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.cli.common import CLEAN, FOUND, UsageError, game_argument, load_game, seating, setting_arguments, settings
from ruledsl.cli.telling import as_json, format_argument, tell

if TYPE_CHECKING:
    from ruledsl.bots.judge import Judge
    from ruledsl.bots.training import Measured


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument(
        "--seconds",
        type=_positive,
        default=30.0,
        metavar="T",
        help="CPU seconds: half for practice, half to measure (default: 30)",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="keep what was learnt in this file")
    setting_arguments(parser)
    format_argument(parser)


def _positive(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 86_400:
        raise ValueError
    return seconds


def run(args: Namespace) -> int:
    """0 when something was learnt that helps, 1 when nothing did."""
    from ruledsl.bots.judge import keep, kept_files
    from ruledsl.bots.native_tree import library
    from ruledsl.bots.training import ahead_candidates, candidates, measured, measured_ahead, train

    game = load_game(args.game)
    count, names = seating(args)
    configured = game.configured(count, settings(args), names)
    if len(configured.players) < 2:
        raise UsageError("this game is played alone, and there is nobody to be better than")
    made = library(configured)
    if made is None:
        raise UsageError("to learn, thousands of plays are needed, and for those a C compiler")
    pupil = train(configured, made, args.seconds / 2, args.seed or 0, _progress)
    judges, aheads, seed = candidates(pupil), ahead_candidates(pupil), args.seed or 0
    each = args.seconds / 2 / (len(judges) + len(aheads))
    found = [measured(game, configured, made, judge, each, seed) for judge in judges]
    kept = _surest(judges, found)
    ahead = [measured_ahead(game, configured, made, judge, kept, each, seed) for judge in aheads]
    kept = _surest(aheads, ahead) or kept
    file = args.output or kept_files(game.path, configured.rules)[0]
    if kept is not None:
        keep(file, kept)
    answer: dict[str, Any] = {
        "game": game.name,
        "players": len(configured.players),
        "measured": [one._asdict() for one in (*found, *ahead)],
        "kept": str(file) if kept is not None else None,
    }
    if as_json(args):
        tell(answer)
    else:
        _write(answer)
    return CLEAN if kept is not None else FOUND


def _surest(judges: list[Judge], found: list[Measured]) -> Judge | None:
    """Who is surely stronger than what it was measured against, and most surely of all."""
    best = max(range(len(found)), key=lambda number: found[number].low, default=None)
    return judges[best] if best is not None and found[best].low > 0.5 else None


def _progress(number: int, positions: int) -> None:
    if sys.stderr.isatty():
        print(f"round {number}: {positions:,} positions", file=sys.stderr)


def _write(answer: dict[str, Any]) -> None:
    told = False
    print(f"{answer['game']}, {answer['players']} players: what searching wins with what it learnt, against without,")
    print("with 95 % confidence, when a play at random is judged after so many decisions:")
    for one in answer["measured"]:
        if one["ahead"] and not told:
            print("What looking ahead (`alphabeta`) wins against the best of these, in the same time:")
            told = True
        share, low, high = (f"{100 * one[name]:.0f}" for name in ("share", "low", "high"))
        by = {"learnt": "", "heuristic": ", by `heuristic:` alone", "pieces": ", by pieces and points alone"}[one["by"]]
        cut = "" if one["ahead"] else one["cut"]
        print(f"{cut:>5}  {share:>3} % ({low} to {high}) of {one['plays']} plays{by}")
    print(f"Kept in {answer['kept']}." if answer["kept"] else "Nothing was kept: it is not surely stronger.")
