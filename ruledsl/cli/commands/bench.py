"""Measure how fast games are played at random, on each backend and compared with OpenSpiel.

Without a game, all shipped games that OpenSpiel also has are measured, with the options that make them the same.
Only CPU time on one core is measured. What is compared runs in turns, so other work on the machine matters little.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.cli.common import (
    CLEAN,
    GAME_HELP,
    INTERRUPTED,
    UsageError,
    complain,
    find_game,
    plural,
    seating,
    setting_arguments,
    settings,
    without_tests,
)
from ruledsl.cli.telling import as_json, format_argument, tell
from ruledsl.cli.watch import at_work, stopped
from ruledsl.cli.writing import FIGURES, PICTURE, force_argument, place, write
from ruledsl.started import installing

if TYPE_CHECKING:
    from ruledsl.bench.curves import Panel
    from ruledsl.bench.measure import Plan, Result
    from ruledsl.bench.peers import Peer

    Configuration = tuple[int | None, dict[str, Any], list[str] | None]  # players, options, names

COMPILED = "c"
PLAYERS = "players"  # what `--over` varies, if it is no option


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--peers", action="store_true", help="compare with OpenSpiel, where it has the same game")
    parser.add_argument(
        "--backend",
        action="append",
        metavar="NAME",
        help="only this backend; can be given several times; `auto` is all of them",
    )
    parser.add_argument(
        "--seconds", type=_positive, default=2.0, metavar="T", help="CPU seconds for each backend and peer (default: 2)"
    )
    parser.add_argument(
        "--rounds", type=_count, default=5, metavar="N", help="how many rounds of measuring (default: 5)"
    )
    parser.add_argument(
        "--over",
        type=_over,
        metavar="NAME=A,B,...",
        help="measure once for each value of an option, or of `players`",
    )
    parser.add_argument(
        "--passes",
        action="store_true",
        help="how much each optimization pass helps: the speed without it, on `c` or the given `--backend`",
    )
    format_argument(parser)
    parser.add_argument("-o", "--output", metavar="FILE.json", help="also write all figures to a file")
    parser.add_argument("--picture", type=Path, metavar="FILE.svg", help="with `--over`: draw the speed as curves")
    force_argument(parser)
    setting_arguments(parser, seed=False)


def run(args: Namespace) -> int:
    """Measures game after game, and shows each when it is done."""
    from ruledsl.bench import openspiel, peers
    from ruledsl.bench.measure import Plan

    _check_picture(args)
    if args.passes:
        return _passes(args)
    spiel = openspiel.library() if args.peers else None
    if args.peers and spiel is None:
        complain(f"OpenSpiel is not installed, so it is not measured; `{installing('peers')}` brings it")
    plan = Plan(_executors(args.backend), args.seconds, args.rounds, spiel)
    games = [(path, peers.of(path)) for path in map(find_game, without_tests(args.games))]
    if not args.games:
        games = [(find_game(peer.game), peer) for peer in peers.shipped_games()]
    for path, peer in games:
        if spiel is not None and peer is None:
            complain(f"{path}: OpenSpiel does not seem to have this game")
    tasks = [(path, peer, _configurations(args, path, peer)) for path, peer in games]
    results: list[Result] = []

    panels: list[Panel] = []

    def measure_all() -> None:
        for task in tasks:
            _measure(args, plan, *task, results, panels)
        if args.picture is not None:
            from ruledsl.bench.curves import picture

            write(args.picture, picture(panels))

    return _to_the_end(args, measure_all, sum(len(task[2]) for task in tasks), results)


def _check_picture(args: Namespace) -> None:
    if args.picture is None:
        return
    if args.over is None or args.passes:
        raise UsageError("`--picture` draws how speed goes with a number: it needs `--over`")
    if not all(value.isdecimal() for value in args.over[1]):
        raise UsageError(f"`--picture` needs numbers in `--over {args.over[0]}=`")
    if args.picture.suffix != ".svg":
        raise UsageError(f"`{args.picture}` must end in .svg: the picture is in SVG")
    place(args.picture, PICTURE, args.force)


def _to_the_end(args: Namespace, measure_all: Callable[[], None], wanted: int, results: Sequence[Any]) -> int:
    """Measures; what was measured before an interruption is not lost."""
    from ruledsl.bench.clock import one_core

    if args.output is not None:
        place(args.output, FIGURES, args.force)  # what cannot be written is told now, not after minutes
    code = None
    try:
        with one_core():
            measure_all()
        code = CLEAN
    except KeyboardInterrupt as stop:
        code = INTERRUPTED
        print(f"Stopped after {len(results)} of {plural(wanted, 'measurement')}.", file=sys.stderr)
        if at_work(stop.__traceback__):
            complain(stopped(stop.__traceback__))
    finally:
        if (as_json(args) or args.output is not None) and (results or code is not None):
            _write(args, results, code == CLEAN)
    return code


def _passes(args: Namespace) -> int:
    """What each pass brings, game by game."""
    from ruledsl.bench.passes import LANGUAGES, PassesResult, measure_passes
    from ruledsl.bench.report import passes_table
    from ruledsl.cli.common import load_game
    from ruledsl.simulation.executors import Unavailable

    language, *more = args.backend or [COMPILED]
    if more or language not in LANGUAGES:
        raise UsageError(f"`--passes` takes only one `--backend`: {' or '.join(f'`{name}`' for name in LANGUAGES)}")
    if args.peers or args.over is not None:
        raise UsageError("`--passes` cannot be combined with `--peers` or `--over`")
    if not args.games:
        raise UsageError("`--passes` needs a game")
    players, names = seating(args)
    games = [load_game(word) for word in without_tests(args.games)]
    tasks = [(game.name, game.configured(players, settings(args), names)) for game in games]
    results: list[PassesResult] = []

    def measure_all() -> None:
        for task in tasks:
            results.append(measure_passes(*task, language, args.seconds, args.rounds))
            _show(args, passes_table(results[-1]))

    try:
        return _to_the_end(args, measure_all, len(tasks), results)
    except Unavailable as problem:
        raise UsageError(str(problem)) from None


def _configurations(args: Namespace, path: Path, peer: Peer | None) -> list[Configuration]:
    """With what a game is measured: once, or for each value of `--over`; all are known to be possible."""
    from ruledsl.runtime.game import load

    players, names = seating(args)
    options = settings(args)
    if peer is not None and (args.peers or not args.games):  # the options under which the two are the same game
        options = {**peer.options, **options}
        if players is None and names is None:
            players = peer.players
    found: list[Configuration] = [(players, options, names)]
    if args.over is not None:
        name, values = args.over
        if name == PLAYERS and args.players is not None:
            raise UsageError("`--over players=` and `--players` both set the number of players: remove one of them")
        if name in dict(args.option):
            raise UsageError(f"`--over {name}=` and `--option {name}=` set the same option: remove one of them")
        if name == PLAYERS:
            found = [(_seats(value), options, None) for value in values]
        else:
            found = [(players, options | {name: value}, names) for value in values]
    game = load(path)
    for one in found:
        game.configured(*one)
    return found


def _measure(
    args: Namespace,
    plan: Plan,
    path: Path,
    peer: Peer | None,
    configurations: list[Configuration],
    results: list[Result],
    panels: list[Panel],
) -> None:
    """One game, in all its configurations; adds to the results as they come, for it may be interrupted."""
    from ruledsl.bench.report import growth, table

    before = len(results)
    try:
        for configuration in configurations:
            results.append(_played(plan, path, peer, *configuration))
    finally:
        found = results[before:]
        if found and args.over is not None:
            name, values = args.over
            if args.picture is not None:
                from ruledsl.bench.curves import panel

                panels.append(panel(name, values[: len(found)], found))
            _show(args, growth(name, values[: len(found)], found))
        elif found:
            _show(args, table(found[0]))


def _played(plan: Plan, path: Path, *how: Any) -> Result:
    from ruledsl.bench.measure import measure

    if sys.stderr.isatty():
        print(f"measuring {path} ...", end="", file=sys.stderr, flush=True)
    try:
        result = measure(plan, path, *how)
    finally:
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if not result.rows:
        raise UsageError("; ".join(f"{name}: {why}" for name, why in result.lacking.items()))
    return result


def _executors(wanted: list[str] | None) -> list[str]:
    from ruledsl.simulation.executors import AUTO, EXECUTORS, known

    for name in wanted or []:
        if wrong := known(name):
            raise UsageError(wrong)
    return list(EXECUTORS) if not wanted or AUTO in wanted else list(dict.fromkeys(wanted))


def _show(args: Namespace, text: str) -> None:
    if not as_json(args):
        print(text, end="\n\n", flush=True)


def _write(args: Namespace, results: Sequence[Any], complete: bool) -> None:
    from ruledsl.bench.report import to_json
    from ruledsl.cli.main import version

    found = to_json(results, args.seconds, args.rounds, version(), complete)
    if as_json(args):
        tell(found)
    if args.output is not None:
        write(Path(args.output), json.dumps(found, ensure_ascii=False, indent=2) + "\n")


def _seats(value: str) -> int:
    if not value.isdecimal():
        raise UsageError(f"`--over players=` takes numbers of players, not `{value}`")
    return int(value)


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ArgumentTypeError(f"a number of seconds above 0, not `{text}`")
    return value


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"a number from 1 on, not `{text}`")
    return int(text)


def _over(text: str) -> tuple[str, list[str]]:
    name, equals, values = text.partition("=")
    found = [value.strip() for value in values.split(",") if value.strip()]
    if not equals or not name.strip() or not found:
        raise ArgumentTypeError(f"write what to vary as `size=5,7,9`, not `{text}`")
    return name.strip(), found
