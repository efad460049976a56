"""Combine results of `simulate --save`, as if all plays had been one run.

They must be of the same game, with the same settings and the same seed, and their plays must
follow each other: `--first 1000 -n 1000` comes after `-n 1000`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ruledsl.cli.common import CLEAN, FOUND, UsageError, load_game, read_given
from ruledsl.cli.simulated import check_files, show, telling_arguments

if TYPE_CHECKING:
    from ruledsl.simulation.saved import Saved


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("results", nargs="+", metavar="FILE", help="what `simulate --save` has written")
    parser.add_argument("--game", metavar="GAME", help="where the game is, if it is no longer where it was played")
    telling_arguments(parser)


def run(args: Namespace) -> int:
    """0 when all plays came to their end, 1 if some are void."""
    from ruledsl.engine.batch import Shape
    from ruledsl.simulation.saved import Apart, merge

    check_files(args)
    twice = [file for file in args.results if args.results.count(file) > 1]
    if twice:
        raise UsageError(f"`{twice[0]}` is named twice")
    try:
        whole = merge({file: _read(file) for file in args.results})
    except Apart as problem:
        raise UsageError(str(problem)) from None
    word = args.game or whole.game
    game, task = load_game(word), whole.result.task
    configured = game.configured(task.players, task.options, task.names)
    if configured.rules != whole.rules:
        raise UsageError(f"the rules of `{word}` are not those with which this was played")
    if len(whole.result.counts) != Shape(configured.machine.program).counts:
        raise UsageError(f"`{args.results[0]}` counts other things than this game has: it is damaged")
    show(args, whole.result, game, word)
    return FOUND if whole.result.faults else CLEAN


def _read(file: str) -> Saved:
    from ruledsl.simulation.saved import MOST_BYTES, NotSaved, read

    try:
        return read(read_given(Path(file), MOST_BYTES, "a result of `simulate`").decode("utf-8", "replace"))
    except NotSaved as problem:
        raise UsageError(f"`{file}` {problem}") from None
