"""Whether we are as fast as we want to be: `python tests/bench/criteria.py [GAME…]`, see README.md beside this file.

Measures the games of criteria.json on every executor, and in the same rounds OpenSpiel and what is written by hand in C
and in Python. Prints each game as `ruledsl bench --peers` does, then all criteria, met or not.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE), str(HERE / "reference")]

import more  # noqa: E402 (found in the folders above)
import plain  # noqa: E402
import references  # noqa: E402

from ruledsl import shipped  # noqa: E402
from ruledsl.bench import openspiel, peers  # noqa: E402
from ruledsl.bench.clock import Ran, Ratio, Subject, for_about, one_core, ratio  # noqa: E402
from ruledsl.bench.measure import Plan, Result, measure  # noqa: E402
from ruledsl.bench.report import duration, number, table, times, to_json  # noqa: E402
from ruledsl.cli.main import version  # noqa: E402
from ruledsl.simulation.executors import EXECUTORS  # noqa: E402

CRITERIA: dict[str, Any] = json.loads((HERE / "criteria.json").read_text(encoding="utf-8"))
GAMES: dict[str, dict[str, Any]] = CRITERIA["games"]
SEED = 7


class HandC:
    """A program of its own, which tells its own CPU time."""

    name = "C by hand"

    def __init__(self, program: Path) -> None:
        self.program = program
        self._seeds = count(SEED)

    def run(self, seconds: float) -> Ran:
        found = references.run(self.program, f"{seconds}s", next(self._seeds))
        return Ran(found.plays, found.plies, found.seconds)


class HandPython:
    name = "Python by hand"

    def __init__(self, play: Callable[[int], plain.Played]) -> None:
        self.play = play
        self._seeds = count(SEED)

    def run(self, seconds: float) -> Ran:
        return for_about(seconds, self._plays)

    def _plays(self, plays: int) -> Ran:
        start, plies = time.process_time(), 0
        for _ in range(plays):
            plies += self.play(next(self._seeds))[0]
        return Ran(plays, plies, time.process_time() - start)


@dataclass(frozen=True)
class Criterion:
    """One thing that should be so, and what was found."""

    game: str
    what: str
    wanted: str
    found: str
    met: bool

    def __str__(self) -> str:
        return f"{self.game:<14}{self.what:<44}{self.wanted:>14}{self.found:>12}  {'met' if self.met else 'NOT MET'}"


def by_hand(game: str, folder: Path) -> list[Subject]:
    """What there is of a game that was written by hand."""
    found: list[Subject] = []
    if game in references.SOURCES and references.compiler() is not None:
        found.append(HandC(references.build(game, folder)))
    if game in plain.GAMES:
        found.append(HandPython(plain.GAMES[game]))
    return found


def judged(result: Result) -> Iterator[Criterion]:
    """The criteria of a game, as far as what they need was measured."""
    wanted = GAMES[result.game]
    ours = [row for row in result.rows if row.cost is not None]
    best = max(ours, key=lambda row: row.rate.plays_per_second)
    if best.beside is not None:
        for what in ("required", "aim"):
            name = f"{what}: {best.rate.name} to OpenSpiel, C++"
            yield at_least(result.game, name, wanted[what], best.beside)
    for name, least in wanted.get("rates", {}).items():
        row = result.row(name)
        if row is not None:
            rate = row.rate.plays_per_second
            yield Criterion(result.game, f"plays/s, executor {name}", f"at least {least}", number(rate), rate >= least)
    hand = result.row(HandC.name)
    if hand is not None and hand.beside is not None and "tuned" in wanted:
        yield at_least(result.game, "C by hand to OpenSpiel, C++", wanted["tuned"], hand.beside)
    for name, other, most in (
        ("c", HandC.name, wanted.get("by_hand")),
        ("python", HandPython.name, CRITERIA["python_by_hand"]),
    ):
        row, reference = result.row(name), result.row(other)
        if row is not None and reference is not None:
            slower = ratio(reference.rate, row.rate).middle
            yield Criterion(
                result.game,
                f"{other} to executor {name}",
                f"at most {most}",
                times(slower),
                most is None or slower <= most,
            )
    row = result.row("c")
    if row is not None and row.cost is not None:
        cost = row.cost
        yield at_most(result.game, "C ready from the cache", CRITERIA["ready_seconds"], cost.ready)
        if cost.cold is not None:
            yield at_most(result.game, "C ready without a cache", CRITERIA["cold_seconds"], cost.cold)
        if not wanted.get("history"):
            yield at_most(result.game, "a copy of a state", CRITERIA["copy_seconds"], cost.copy)


def beside(figure: more.Figure) -> Criterion:
    """What is measured in other ways than by plays per second."""
    wanted = f"{'at least' if figure.least else 'at most'} {figure.wanted:g}"
    return Criterion(figure.game, figure.what, wanted, f"{figure.found:,.2f}", figure.met)


def at_least(game: str, what: str, wanted: float, found: Ratio) -> Criterion:
    return Criterion(game, what, f"at least {wanted}", times(found.middle), found.middle >= wanted)


def at_most(game: str, what: str, wanted: float, found: float) -> Criterion:
    return Criterion(game, what, f"at most {duration(wanted)}", duration(found), found <= wanted)


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="all games of criteria.json, if none is named")
    parser.add_argument("--backend", action="append", choices=list(EXECUTORS), help="only this executor")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds for each of those that are compared")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write all figures, and the criteria, to a file")
    args = parser.parse_args(words)
    spiel = openspiel.library()
    known = {peer.game: peer for peer in peers.known()}
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder, one_core():
        for game in args.games or GAMES:
            path = shipped.find_game(game)
            if path is None:
                sys.stdout.write(f"{game}: there is no such game yet\n\n")
                continue
            plan = Plan(args.backend or list(EXECUTORS), args.seconds, args.rounds, spiel, by_hand(game, Path(folder)))
            peer = known.get(game)
            players, options = (peer.players, dict(peer.options)) if peer is not None else (None, {})
            results.append(measure(plan, path, peer, players, options, None))
            sys.stdout.write(table(results[-1]) + "\n\n")
            sys.stdout.flush()
    found = [criterion for result in results for criterion in judged(result)]
    if not args.games:
        found += [beside(figure) for measured in more.ALL.values() for figure in measured()]
    sys.stdout.write("\n".join(map(str, found)) + "\n")
    if args.json is not None:
        criteria = [vars(criterion) for criterion in found]
        figures = to_json(results, args.seconds, args.rounds, version()) | {"criteria": criteria}
        args.json.write_text(json.dumps(figures, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return 0 if all(criterion.met for criterion in found) else 1


if __name__ == "__main__":
    sys.exit(main())
