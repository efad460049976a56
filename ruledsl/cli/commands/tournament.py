"""Let bots play each other: how strong each is, in Elo."""

from __future__ import annotations

import json
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ruledsl.cli.clustered import cluster, cluster_argument
from ruledsl.cli.common import (
    CLEAN,
    INTERRUPTED,
    UsageError,
    game_argument,
    load_game,
    seating,
    setting_arguments,
    settings,
)
from ruledsl.cli.telling import as_json, format_argument, tell
from ruledsl.cli.writing import TOURNAMENT, force_argument, place, write

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game
    from ruledsl.simulation.cluster import Shipped
    from ruledsl.simulation.tournament import Pairing, Result

    Table: TypeAlias = tuple[Game, Namespace, list[str], list[Pairing]]  # what a worker plays with

PLAYS = 100
AHEAD = 3  # plays for each process that are asked for before they are needed
LIMIT = 2_000  # decisions of a play; one that goes on for longer is a draw
MOST_BYTES = 1 << 28


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument("bots", nargs="+", metavar="BOT", help="who takes part, as in `random greedy search:100`")
    parser.add_argument("-n", "--plays", type=int, default=PLAYS, metavar="N", help=f"how many plays ({PLAYS})")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="record each play in this file (.jsonl), and continue from it if it exists",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="how many processes play at the same time; the result is the same (default: 1)",
    )
    cluster_argument(parser)
    force_argument(parser)
    setting_arguments(parser)
    format_argument(parser)


def run(args: Namespace) -> int:
    """0 when all is played, 130 if it was stopped."""
    from ruledsl.bots.base import UnknownBot, make
    from ruledsl.simulation.tournament import pairings

    if args.plays < 1:
        raise UsageError(f"at least one play is needed, not {args.plays}")
    if args.jobs < 1:
        raise UsageError(f"at least one process is needed, not {args.jobs}")
    if len(args.bots) < 2 or len(set(args.bots)) < len(args.bots):
        raise UsageError("a tournament needs at least two different bots")
    try:
        for name in args.bots:
            make(name)
    except UnknownBot as problem:
        raise UsageError(str(problem)) from None
    game, seed = load_game(args.game), args.seed or 0
    players, names = seating(args)
    configured = game.configured(players, settings(args), names)
    if len(configured.players) < 2:
        raise UsageError("a tournament needs at least two players: set the number with `--players`")
    head = {
        "game": game.name,
        "rules": configured.rules,
        "players": configured.players,
        "options": configured.options,
        "bots": args.bots,
        "seed": seed,
    }
    results = _noted(args.output, head, args.force)[: args.plays]
    seatings, stopped = pairings(len(args.bots), len(configured.players)), False
    try:
        for result in _all(game, args, configured.players, seatings, len(results)):
            results.append(result)
            _note(args.output, result)
            _progress(len(results), args.plays)
    except KeyboardInterrupt:
        stopped = True
    _progress(0, 0)
    answer = {**head, "wanted": args.plays, "done": len(results), "stopped": stopped, "ranks": _ranks(args, results)}
    if as_json(args):
        tell(answer)
    else:
        _write(answer)
    return INTERRUPTED if stopped else CLEAN


def _all(game: Game, args: Namespace, players: list[str], seatings: list[Pairing], first: int) -> Iterator[Result]:
    """The plays from a number on, in their order, wherever they are played."""
    with cluster(args, args.jobs) as workers:
        if workers is None:
            yield from _played(game, args, players, seatings, first)
            return
        from ruledsl.simulation.cluster import shipped
        from ruledsl.simulation.tournament import Result

        given, waiting = (shipped(game), args, players, seatings), dict[int, Result]()
        for number, result in workers.answers(_away, given, _play_away, range(first, args.plays)):
            waiting[number] = result
            while first in waiting:
                yield waiting.pop(first)
                first += 1


def _away(given: tuple[Shipped, Namespace, list[str], list[Pairing]]) -> Table:
    rules, args, players, seatings = given
    with rules.game() as game:
        count, names = seating(args)
        game.configured(count, settings(args), names)
    return game, args, players, seatings


def _play_away(table: Table, number: int) -> tuple[int, Result]:
    return number, _numbered(table, number)


def _played(game: Game, args: Namespace, players: list[str], seatings: list[Pairing], first: int) -> Iterator[Result]:
    """The plays from a number on, in their order, whoever played them."""
    jobs = min(args.jobs, args.plays - first)
    for number in range(first, args.plays if jobs < 2 else first + 1):  # the first compiles what all need
        yield _one(game, args, players, seatings[number % len(seatings)], number)
    if jobs < 2:
        return
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(args, players, seatings)) as pool:
        coming: deque[Future[Result]] = deque()
        try:
            for number in range(first + 1, args.plays):
                coming.append(pool.submit(_in_a_worker, number))
                if len(coming) >= AHEAD * jobs:
                    yield coming.popleft().result()
            while coming:
                yield coming.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


_HERE: list[Table] = []


def _begin(args: Namespace, players: list[str], seatings: list[Pairing]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked for the tournament stops it
    _HERE[:] = [(load_game(args.game), args, players, seatings)]


def _in_a_worker(number: int) -> Result:
    return _numbered(_HERE[0], number)


def _numbered(table: Table, number: int) -> Result:
    game, args, players, seatings = table
    return _one(game, args, players, seatings[number % len(seatings)], number)


def _one(game: Game, args: Namespace, players: list[str], seats: Pairing, number: int) -> Result:
    """Play number so and so: every way to sit is played with a seed before another seed comes."""
    from ruledsl.bots.base import make
    from ruledsl.engine.batch import play_seed
    from ruledsl.simulation.tournament import Result, pairings, shares

    own = play_seed(args.seed or 0, number // len(pairings(len(args.bots), len(players))))
    count, names = seating(args)
    play = game.start(count, own, settings(args), names)
    bots = [make(args.bots[bot], own * 64 + seat) for seat, bot in enumerate(seats)]
    return Result(seats, shares(play, bots, LIMIT))


# ------------------------------------------------------------------------------------------------ notes of plays


def _noted(path: Path | None, head: dict[str, Any], force: bool) -> list[Result]:
    """What was played before; a last line that was cut off is left out, and cut off."""
    from ruledsl.cli.common import read_given
    from ruledsl.simulation.tournament import Result

    if path is None:
        return []
    place(path, TOURNAMENT, force)
    if force or not path.exists() or not path.stat().st_size:
        write(path, json.dumps(head) + "\n")
        return []
    lines = read_given(path, MOST_BYTES, "the notes of a tournament").decode("utf-8", "replace").splitlines(True)
    whole = [line for line in lines if line.endswith("\n")]
    try:
        same = bool(whole) and json.loads(whole[0]) == json.loads(json.dumps(head))
        found = [json.loads(line) for line in whole[1:]]
        results = [Result(tuple(one["seats"]), tuple(one["shares"])) for one in found] if same else []
    except (ValueError, KeyError, TypeError):
        same = False
    if not same:
        raise UsageError(f"`{path}` belongs to another tournament: the game, its rules, the bots or the seed differ")
    if len(whole) < len(lines):
        write(path, "".join(whole))
    return results


def _note(path: Path | None, result: Result) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"seats": result.seats, "shares": result.shares}) + "\n")


# ------------------------------------------------------------------------------------------------ telling


def _progress(done: int, wanted: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {wanted} plays" if wanted else "\r\x1b[K", end="", file=sys.stderr, flush=True)


def _ranks(args: Namespace, results: list[Result]) -> list[dict[str, Any]]:
    from ruledsl.simulation.tournament import strengths

    found = zip(args.bots, strengths(len(args.bots), results), strict=True)
    return [
        {"bot": name, "elo": one.elo, "error": one.error, "plays": one.plays, "score": one.score}
        for name, one in sorted(found, key=lambda row: -row[1].elo)
    ]


def _write(answer: dict[str, Any]) -> None:
    so_far = f", {answer['done']:,} so far" if answer["stopped"] else ""
    print(f"{answer['game']}: {answer['wanted']:,} plays{so_far}, seed {answer['seed']}")
    width = max(len(one["bot"]) for one in answer["ranks"])
    for one in answer["ranks"]:
        share = f"{100 * one['score']:.0f} % of {one['plays']:,} plays"
        print(f"  {one['bot']:<{width}}  {one['elo']:>+6.0f} ± {one['error']:<4.0f} {share}")
