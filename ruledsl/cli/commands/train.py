"""Learn to judge positions of a game, so that the bot `search` plays better.

It plays practice games, learns from how they end, and measures whether `search` is stronger with what it has learnt.
Only then is the result kept: in the user's cache, or in the file that you name with -o. `search` finds it in the
cache, or beside the game as `NAME.learnt.json` (`learnt.json` in the folder of a game).
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
    from ruledsl.bots.manner import Manner
    from ruledsl.bots.measuring import Measured, Way
    from ruledsl.generate.native import Library
    from ruledsl.runtime.game import Configured


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument(
        "--seconds",
        type=_positive,
        default=30.0,
        metavar="T",
        help="CPU seconds: half for practice, half to measure (default: 30)",
    )
    parser.add_argument("--from-scratch", action="store_true", help="do not use what was learnt before")
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
    from ruledsl.bots.manner import found_manner, keep_manner
    from ruledsl.bots.measuring import Way, measured, measured_ahead
    from ruledsl.bots.native_tree import library
    from ruledsl.started import installing

    game = load_game(args.game)
    count, names = seating(args)
    configured = game.configured(count, settings(args), names)
    made = library(configured)
    if made is None:
        raise UsageError(
            "learning takes thousands of plays, which need a C compiler: "
            f"install gcc or clang, or `{installing('native')}`"
        )
    seed = args.seed or 0
    known = None if args.from_scratch else found_manner(configured, game.path)
    ways, aheads = _learnt(configured, made, args.seconds / 2, seed, known)
    each = args.seconds / 2 / (len(ways) + len(aheads))
    found = [measured(game, configured, made, way, each, seed) for way in ways]
    kept = _surest(ways, found)
    ahead = [measured_ahead(game, configured, made, judge, kept or Way(), each, seed) for judge in aheads]
    kept = _surest([Way(judge=judge) for judge in aheads], ahead) or kept
    file = args.output or kept_files(game.path, configured.rules)[0]
    if kept is not None and kept.judge is not None:
        keep(file, kept.judge)
    if kept is not None and kept.manner is not None:
        keep_manner(file, kept.manner, configured)
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


def _surest(ways: list[Way], found: list[Measured]) -> Way | None:
    """Who is surely stronger than what it was measured against, and most surely of all."""
    best = max(range(len(found)), key=lambda number: found[number].low, default=None)
    return ways[best] if best is not None and found[best].low > 0.5 else None


def _learnt(
    configured: Configured, made: Library, seconds: float, seed: int, known: Manner | None
) -> tuple[list[Way], list[Judge]]:
    """All ways to search with what was learnt, and judges with which to look ahead. Where all win or lose together,
    nobody has more than others: then only a manner is learnt. A manner that is `known` is learnt on with."""
    from ruledsl.bots.judge import Judge, Signs, only_said
    from ruledsl.bots.measuring import CUTS, Way
    from ruledsl.bots.outcome import shared
    from ruledsl.bots.training import ahead_candidates, learn_manner, train

    signs, apart, aheads = Signs(configured), shared(configured), list[Judge]()
    ways = [Way(judge=Judge(configured, signs, only_said(cut))) for cut in CUTS if signs.says]
    if not apart:
        pupil = train(configured, made, seconds / 2, seed, _progress)
        ways += [Way(judge=pupil.judge(cut)) for cut in CUTS]
        aheads = ahead_candidates(pupil)
    each = (seconds if apart else seconds / 2) / 2
    if known is not None:
        manners = [learn_manner(configured, made, 2 * each, seed, _progress, start=known)]
    else:
        manners = [learn_manner(configured, made, each, seed, _progress, paired) for paired in (True, False)]
    return [*ways, *(Way(manner=manner) for manner in manners)], aheads


def _progress(number: int, seen: int) -> None:
    if sys.stderr.isatty():
        print(f"round {number}: {seen:,} positions or plays", file=sys.stderr)


def _write(answer: dict[str, Any]) -> None:
    told = False
    print(f"{answer['game']}, {answer['players']} players: what searching with what was learnt wins against searching")
    print(
        "without it, with 95 % confidence. Random plays are judged after this many decisions, or played in the manner"
    )
    print("of players who do well:")
    for one in answer["measured"]:
        if one["ahead"] and not told:
            print("What looking ahead (`alphabeta`) wins against the best of these, in the same time:")
            told = True
        share, low, high = (f"{100 * one[name]:.0f}" for name in ("share", "low", "high"))
        by = {"heuristic": ", by `heuristic:` alone", "pieces": ", by pieces and points alone"}.get(one["by"], "")
        how = "" if one["ahead"] else "in the manner" if one["cut"] is None else f"after {one['cut']}"
        print(f"{how:>13}  {share:>3} % ({low} to {high}) of {one['plays']} plays{by}")
    print(f"Kept in {answer['kept']}." if answer["kept"] else "Nothing was kept: it may not be stronger.")
