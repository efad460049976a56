"""Play a game thousands of times, and show who wins, how long it takes, and what is done.

Everybody plays at random unless --bots says otherwise. With the same seed the result is
the same, for any number of cores and any backend. Ctrl-C stops and shows the results so far.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from ruledsl.cli.clustered import cluster, cluster_argument
from ruledsl.cli.common import (
    CLEAN,
    FOUND,
    UsageError,
    complain,
    find_game,
    game_argument,
    load_game,
    seating,
    setting_arguments,
    settings,
)
from ruledsl.cli.simulated import check_files, show, telling_arguments
from ruledsl.cli.telling import as_json
from ruledsl.cli.watch import at_work, stopped
from ruledsl.cli.writing import CSV_TABLE, JSON_TABLE, place
from ruledsl.memory import search_seldom, uncollected

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game
    from ruledsl.simulation.run import Result
    from ruledsl.simulation.words import Speech
    from ruledsl.simulation.work import Task

INTERRUPTED = 130
PLAYS = 1000
LIMIT = 10_000
_BAR = 24
_EVERY = 0.1  # seconds between two looks of the progress bar


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument("-n", "--plays", type=int, default=PLAYS, metavar="N", help=f"how many plays ({PLAYS})")
    parser.add_argument(
        "--first",
        type=int,
        default=0,
        metavar="N",
        help="skip the first N plays of the run, which another machine plays",
    )
    setting_arguments(parser)
    parser.add_argument(
        "--bots", metavar="A,B", help="who plays in which seat, as in `greedy,random`; one name is for all seats"
    )
    parser.add_argument(
        "--campaign",
        type=int,
        metavar="N",
        help="whole campaigns of N plays, with results for each play; -n counts campaigns",
    )
    parser.add_argument(
        "--limit", type=int, default=LIMIT, metavar="N", help=f"cut off a play after this many decisions ({LIMIT})"
    )
    parser.add_argument(
        "-j",
        "--jobs",
        type=int,
        metavar="N",
        help="how many cores to use; 0 is all of them (default: chosen automatically)",
    )
    cluster_argument(parser)
    parser.add_argument(
        "--backend", default="auto", metavar="NAME", help="what runs the rules: `auto` takes the fastest"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write every play as a line of a .csv or .jsonl file"
    )
    telling_arguments(parser)


def run(args: Namespace) -> int:
    """0 when all plays came to their end, 1 if some are void, 130 if it was stopped."""
    from ruledsl.simulation.executors import Unavailable
    from ruledsl.simulation.run import WorkerLost, cores_of, simulate
    from ruledsl.simulation.words import Speech

    _check_numbers(args)
    _check_files(args)
    with uncollected():
        game = load_game(args.game)
        task = _task(args, game)
        search_seldom()  # the rules are needed to the end
    speech = Speech(args.lang)
    with ExitStack() as stack:
        took = _writer(args, game, task, stack)
        progress = _Progress(args.plays, speech, bool(task.campaign))
        try:
            workers = stack.enter_context(cluster(args, cores_of(args.jobs)))
            result = simulate(task, args.plays, game, args.jobs, progress, took, args.first, workers)
        except Unavailable as problem:
            raise UsageError(f"the backend `{args.backend}` is not available: {problem}") from None
        except WorkerLost as problem:
            raise UsageError(str(problem)) from None
        finally:
            progress.clear()
    if result.interrupted and not result.done and not as_json(args):
        # Nothing was found out, and the rules that took so long are not asked.
        wanted = speech.count(args.plays, "campaign" if task.campaign else "play")
        print(speech.say("stopped", done=speech.number(0), wanted=wanted), flush=True)
        if at_work(result.stopped):
            complain(stopped(result.stopped))
        return INTERRUPTED
    for why in result.missing:
        complain(speech.say("slower", backend=result.backend, why=why))
    show(args, result, game, args.game)
    sys.stdout.flush()
    print(_rate(result, speech), file=sys.stderr)
    if result.interrupted:
        if at_work(result.stopped):
            complain(stopped(result.stopped))
        return INTERRUPTED
    return FOUND if result.faults else CLEAN


# ------------------------------------------------------------------------------------------- what is wanted


def _check_numbers(args: Namespace) -> None:
    for word, value, least in (
        ("-n", args.plays, 1),
        ("--campaign", args.campaign, 1),
        ("--first", args.first, 0),
        ("--limit", args.limit, 1),
        ("--jobs", args.jobs, 0),
    ):
        if value is not None and value < least:
            raise UsageError(f"{word} must be at least {least}, not {value}")


def _check_files(args: Namespace) -> None:
    """Files that cannot be written are refused before hours of work."""
    from ruledsl.simulation.tables import KINDS

    if args.output is not None and args.output.suffix not in KINDS:
        raise UsageError(f"`{args.output}` must end in {' or '.join(KINDS)}: the ending sets the format")
    if args.output is not None:
        place(args.output, CSV_TABLE if args.output.suffix == ".csv" else JSON_TABLE, args.force)
    check_files(args)


def _task(args: Namespace, game: Game) -> Task:
    """What is to be simulated, or a message that says what is wrong with it."""
    from ruledsl.simulation.executors import known
    from ruledsl.simulation.work import Task

    players, names = seating(args)
    options = settings(args)
    configured = game.configured(players, options, names)
    count = len(configured.players)
    problem = known(args.backend)
    if problem is not None:
        raise UsageError(problem)
    if args.campaign is not None and configured.program.between is None:
        raise UsageError(f"{game.name} has no campaign: `campaign:` in a game says what is kept for the next play")
    task = Task(
        str(find_game(args.game)),
        count,
        args.seed or 0,
        options,
        names,
        _bots(args.bots, configured.players),
        args.backend,
        args.campaign or 0,
        args.limit,
        args.output.suffix if args.output is not None else "",
    )
    if not task.takes(args.backend):
        what = "bots take" if not task.all_random else "campaigns take `c` or"
        raise UsageError(f"the backend `{args.backend}` works only for single random plays; {what} `interpreter`")
    return task


def _bots(given: str | None, players: list[str]) -> tuple[str, ...]:
    """A bot for each seat."""
    from ruledsl.bots.base import UnknownBot, make

    if given is None:
        return ()
    words = [word.strip() for word in given.split(",")]
    if len(words) == 1:
        words *= len(players)
    if len(words) != len(players):
        raise UsageError(
            f"--bots names {len(words)} bots, but there are {len(players)} players: {', '.join(players)}; a single "
            f"name is for all of them"
        )
    try:
        for word in words:
            make(word)
    except UnknownBot as problem:
        raise UsageError(str(problem)) from None
    return tuple(words)


def _writer(args: Namespace, game: Game, task: Task, stack: ExitStack) -> Callable[[bytes], object] | None:
    """What writes single plays, if they are wanted."""
    if args.output is None:
        return None
    from ruledsl.engine.batch import Shape
    from ruledsl.simulation.tables import line

    configured = game.configured(task.players, task.options, task.names)
    file = stack.enter_context(args.output.open("wb"))
    shape = Shape(configured.program)
    file.write(line(task.table, shape, configured.players, bool(task.campaign)).head.encode())
    return file.write


# ------------------------------------------------------------------------------------------------- progress


def _rate(result: Result, speech: Speech) -> str:
    plays = speech.count(result.done, "campaign" if result.task.campaign else "play")
    rate = speech.number(result.done / result.seconds) if result.seconds > 0 else "?"
    return speech.say("rate", plays=plays, seconds=speech.number(result.seconds, 2), rate=rate)


class _Progress:
    """A bar at the terminal with the rate and the time left; nothing where nobody watches."""

    def __init__(self, wanted: int, speech: Speech, campaign: bool) -> None:
        self.wanted, self.speech, self.noun = wanted, speech, "campaign" if campaign else "play"
        self.shown = sys.stderr is not None and sys.stderr.isatty()
        self.began = self.last = time.perf_counter()
        self.widest = 0

    def __call__(self, done: int) -> None:
        now = time.perf_counter()
        if not self.shown or now - self.last < _EVERY:
            return
        self.last = now
        self._show(done, now - self.began)

    def _show(self, done: int, seconds: float) -> None:
        number = self.speech.number
        full = _BAR * done // self.wanted
        rate = done / seconds if seconds > 0 else 0.0
        left = _time((self.wanted - done) / rate) if rate > 0 else "?"
        line = (
            f"[{'#' * full}{'.' * (_BAR - full)}] {100 * done // self.wanted} %  "
            f"{self.speech.count(done, self.noun)}  {number(rate)}/s  {self.speech.say('left', time=left)}"
        )
        self.widest = max(self.widest, len(line))
        print(f"\r{line:{self.widest}}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.widest:
            print(f"\r{'':{self.widest}}\r", end="", file=sys.stderr, flush=True)


def _time(seconds: float) -> str:
    """`1:02:03`, `2:03`, `3 s`."""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


__all__ = ["arguments", "run"]
