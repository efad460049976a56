"""Measure how fast games are played at random, on each executor and beside OpenSpiel.

Without a game, all shipped games that OpenSpiel has too are measured, under the options with which they are the same.
Only CPU time counts, on one core, and what is compared takes turns, so that a busy machine does little harm.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.cli.common import (
    CLEAN,
    GAME_HELP,
    UsageError,
    complain,
    find_game,
    seating,
    setting_arguments,
    settings,
    without_tests,
)

if TYPE_CHECKING:
    from ruledsl.bench.measure import Plan, Result
    from ruledsl.bench.peers import Peer

MISSING = "OpenSpiel is not installed, so no peer is measured; `pip install 'ruledsl[peers]'` brings it"
COMPILED = "c"
PLAYERS = "players"  # what `--over` varies, if it is no option


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--peers", action="store_true", help="beside OpenSpiel, where it has the same game")
    parser.add_argument(
        "--backend",
        action="append",
        metavar="NAME",
        help="only this executor; may be given several times",
    )
    parser.add_argument(
        "--seconds", type=_positive, default=2.0, metavar="T", help="CPU seconds for each executor and peer; 2 if not"
    )
    parser.add_argument("--rounds", type=_count, default=5, metavar="N", help="in how many turns; 5 if not")
    parser.add_argument(
        "--over",
        type=_over,
        metavar="NAME=A,B,...",
        help="how the speed goes with an option, or with `players`: once for each value",
    )
    parser.add_argument(
        "--passes",
        action="store_true",
        help="what each pass of the generator brings: plays with it left out, of `c` or the `--backend` that is named",
    )
    parser.add_argument("--json", metavar="FILE", help="write all figures to a file; `-` writes them instead of tables")
    setting_arguments(parser, seed=False)


def run(args: Namespace) -> int:
    """Measures game after game, and shows each when it is done."""
    from ruledsl.bench import openspiel, peers
    from ruledsl.bench.clock import one_core
    from ruledsl.bench.measure import Plan

    if args.passes:
        return _passes(args)
    spiel = openspiel.library() if args.peers else None
    if args.peers and spiel is None:
        complain(MISSING)
    plan = Plan(_executors(args.backend), args.seconds, args.rounds, spiel)
    games = [(path, peers.of(path)) for path in map(find_game, without_tests(args.games))]
    if not args.games:
        games = [(find_game(peer.game), peer) for peer in peers.shipped_games()]
    if args.json not in (None, "-"):
        Path(args.json).touch()  # a file that cannot be written is told now, not after minutes
    results: list[Result] = []
    try:
        with one_core():
            for path, peer in games:
                if spiel is not None and peer is None:
                    complain(f"{path}: OpenSpiel is not known to have this game")
                _measure(args, plan, path, peer, results)
    finally:  # what was measured before an interruption is not lost
        if args.json is not None and results:
            _write(args, results)
    return CLEAN


def _passes(args: Namespace) -> int:
    """What each pass brings, game by game."""
    from ruledsl.bench.clock import one_core
    from ruledsl.bench.passes import LANGUAGES, measure_passes
    from ruledsl.bench.report import passes_table
    from ruledsl.cli.common import load_game
    from ruledsl.simulation.executors import Unavailable

    language, *more = args.backend or [COMPILED]
    if more or language not in LANGUAGES:
        raise UsageError(f"`--passes` goes with one `--backend`: {' or '.join(f'`{name}`' for name in LANGUAGES)}")
    if args.peers or args.over is not None or args.json is not None:
        raise UsageError("`--passes` does not go with `--peers`, `--over` and `--json`")
    if not args.games:
        raise UsageError("`--passes` needs a game")
    players, names = seating(args)
    try:
        with one_core():
            for word in without_tests(args.games):
                game = load_game(word)
                configured = game.configured(players, settings(args), names)
                print(
                    passes_table(measure_passes(game.name, configured, language, args.seconds, args.rounds)), end="\n\n"
                )
    except Unavailable as problem:
        raise UsageError(str(problem)) from None
    return CLEAN


def _measure(args: Namespace, plan: Plan, path: Path, peer: Peer | None, results: list[Result]) -> None:
    """One game, once or for each value of `--over`; adds to the results as they come, for it may be interrupted."""
    from ruledsl.bench.report import growth, table

    players, names = seating(args)
    options = settings(args)
    if peer is not None and (args.peers or not args.games):  # the options under which the two are the same game
        options = {**peer.options, **options}
        if players is None and names is None:
            players = peer.players
    if args.over is None:
        results.append(_played(plan, path, peer, players, options, names))
        _show(args, table(results[-1]))
        return
    name, values = args.over
    for value in values:
        if name == PLAYERS:
            results.append(_played(plan, path, peer, _seats(value), options, None))
        else:
            results.append(_played(plan, path, peer, players, options | {name: value}, names))
    _show(args, growth(name, values, results[-len(values) :]))


def _played(plan: Plan, path: Path, *how: Any) -> Result:
    from ruledsl.bench.measure import measure

    if sys.stderr.isatty():
        print(f"measuring {path} ...", end="", file=sys.stderr, flush=True)
    result = measure(plan, path, *how)
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
    if args.json != "-":
        print(text, end="\n\n", flush=True)


def _write(args: Namespace, results: list[Result]) -> None:
    from ruledsl.bench.report import to_json
    from ruledsl.cli.main import version

    text = json.dumps(to_json(results, args.seconds, args.rounds, version()), ensure_ascii=False, indent=2)
    if args.json == "-":
        sys.stdout.write(text + "\n")
    else:
        Path(args.json).write_text(text + "\n", encoding="utf-8")


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
        raise ArgumentTypeError(f"what to vary is written `size=5,7,9`, not `{text}`")
    return name.strip(), found
