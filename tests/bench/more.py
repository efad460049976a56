"""What is measured besides plays per second: perft, other words for the same rules, several jobs, many small plays.

Each gives the figures of one criterion of criteria.json.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

import many_cards
import references

import ruledsl
from ruledsl import shipped
from ruledsl.bench import openspiel
from ruledsl.bench.clock import with_children
from ruledsl.engine.batch import Executor
from ruledsl.runtime.play import Play
from ruledsl.simulation.executors import COMPILED, EXECUTORS
from ruledsl.simulation.native import Native
from ruledsl.simulation.native_perft import CompiledPerft
from ruledsl.simulation.run import simulate
from ruledsl.simulation.work import Task
from ruledsl.testing.runner import position_of

HERE = Path(__file__).resolve().parent
SEED = 7
# Chess: a position in ways that everybody writes, and as ours; a depth and its published number.
START = ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None, 5, 4_865_609)
KIWIPETE = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "given:\n  turn: white\n  board: r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R\n"
    "  values: {rights: [a1, h1, a8, h8]}\n",
    4,
    4_085_603,
)


@dataclass(frozen=True)
class Figure:
    """Something that was measured: at least or at most so much is wanted."""

    game: str
    what: str
    found: float
    wanted: float
    least: bool = True

    @property
    def met(self) -> bool:
        return self.found >= self.wanted if self.least else self.found <= self.wanted


# ---------------------------------------------------------------------------------------------------------- perft


def perft(rounds: int = 3) -> Iterator[Figure]:
    """Leaf nodes per second of chess, beside OpenSpiel's. Its wheel has no perft of its own: it is driven from Python,
    with the moves of the last ply counted inside its library, and none of them made."""
    spiel = openspiel.library()
    for name, (fen, given, depth, number) in {"start": START, "Kiwipete": KIWIPETE}.items():
        counter = CompiledPerft(_chess(given))
        counter.count(1)
        rates, ratios, wrong = [], [], 0
        for _ in range(rounds):
            count, seconds = timed(partial(counter.count, depth))
            rates.append(count / seconds)
            wrong += count != number
            if spiel is not None:
                state = spiel.load_game("chess").new_initial_state(fen)
                theirs, taken = timed(partial(_driven, state, depth - 2))
                ratios.append(count / seconds / (theirs / taken))
        yield Figure("chess", f"perft {depth} from {name}: wrong counts", wrong, 0, least=False)
        yield Figure("chess", f"perft {depth} from {name}: M nodes per second", median(rates) / 1e6, 0)
        if ratios:
            yield Figure("chess", f"perft {depth} from {name}: to OpenSpiel (driven)", median(ratios), 1)


def _driven(state: Any, depth: int) -> int:
    if state.is_terminal():
        return 0
    moves = state.legal_actions()
    if depth == 1:
        return len(moves)
    return sum(_driven(state.child(move), depth - 1) for move in moves)


def _chess(given: str | None) -> Play:
    path = shipped.find_game("chess")
    assert path is not None
    game = ruledsl.load(path, backend="interpreter")
    if given is None:
        return game.start()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "position.yaml"
        file.write_text(given, encoding="utf-8")
        play, _, failure = position_of(game, file, None, None, {}, 0)
    assert play is not None, failure
    return play


def timed(do: Callable[[], int]) -> tuple[int, float]:
    """What it gives, and the CPU seconds it takes."""
    start = time.process_time()
    found = do()
    return found, max(time.process_time() - start, 1e-9)


# -------------------------------------------------------------------------------------------------- in other words


def reworded(seconds: float = 0.5, rounds: int = 7) -> Iterator[Figure]:
    """The rate of a game declared in other words, to that of the game as it is shipped."""
    for path in sorted((HERE / "reworded").glob("*.yaml")):
        found = shipped.find_game(path.stem.partition("-")[0])
        assert found is not None
        one, other = (Native(ruledsl.load(file).configured()) for file in (found, path))
        plays = 64
        while _run(one, plays) + _run(other, plays) < seconds / 2:
            plays *= 2
        ratios = [_run(one, plays) / _run(other, plays) for _ in range(rounds)]
        yield Figure(path.stem, "in other words, to the game as shipped", median(ratios), 0.7)


def _run(executor: Executor, plays: int, first: int = 0, cpu: bool = True) -> float:
    clock = time.process_time if cpu else time.perf_counter
    rows, counts = array("q", [0]) * (plays * executor.shape.width), array("q", [0]) * executor.shape.counts
    start = clock()
    executor.run(SEED, first, rows, counts, 1_000_000)
    return max(clock() - start, 1e-9)


# ------------------------------------------------------------------------------------------------------------ jobs


def jobs(game: str = "breakthrough", rounds: int = 5) -> Iterator[Figure]:
    """What two jobs do, to what two bare loops do that know nothing of each other; by the clock on the wall."""
    path = shipped.find_game(game)
    assert path is not None
    native = Native(ruledsl.load(path).configured())
    plays = 64
    while _run(native, plays) < 0.5:
        plays *= 2
    ratios = []
    for _ in range(rounds):
        bare = _at_once(native, plays)
        words = ["simulate", str(path), "-n", str(8 * plays), "--jobs", "2", "--backend", "c", "--seed", str(SEED)]
        said = subprocess.run([sys.executable, "-m", "ruledsl", *words], capture_output=True, text=True, check=True)
        rate = float(said.stderr.rpartition(", ")[2].partition(" ")[0].replace(",", ""))
        ratios.append(rate / bare)
    yield Figure(game, "two jobs, to two bare loops", median(ratios), 0.9)


def _at_once(native: Native, plays: int) -> float:
    """Plays per second of two threads together, each in a loop of its own."""
    threads = [Thread(target=_run, args=(native, 4 * plays, first)) for first in (0, 4 * plays)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 8 * plays / (time.perf_counter() - start)


def million(rounds: int = 3) -> Iterator[Figure]:
    """A million plays of tic-tac-toe by the command, with its start and all that it tells; by the clock."""
    words = [sys.executable, "-m", "ruledsl", "simulate", "tic-tac-toe", "-n", "1000000"]
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(words, capture_output=True, check=True)
        taken.append(time.perf_counter() - start)
    yield Figure("tic-tac-toe", "a million plays by the command, seconds", min(taken), 2, least=False)


# ----------------------------------------------------------------------------------------------------------- cards


def tables(plays: int = 1_000_000, rounds: int = 5) -> Iterator[Figure]:
    """Plays of tic-tac-toe in a table, to plays that are only counted: CPU time with all around them."""
    path = shipped.find_game("tic-tac-toe")
    for kind in (".csv", ".jsonl"):
        ratios = [_counted(str(path), plays, "") / _counted(str(path), plays, kind) for _ in range(rounds)]
        yield Figure("tic-tac-toe", f"written to {kind}, to plays only counted", median(ratios), 0.5)


def _counted(path: str, plays: int, table: str) -> float:
    """The CPU seconds of so many plays that were begun before."""
    task = Task(path, 2, seed=SEED, backend=COMPILED, table=table)
    with tempfile.TemporaryFile() as file:
        return timed(lambda: simulate(task, plays, jobs=1, took=file.write).done)[1]


def cards(rounds: int = 3) -> Iterator[Figure]:
    """A game whose cards have effects of their own: how long all takes that is done before play, and how fast it is."""
    with tempfile.TemporaryDirectory() as folder:
        for number, seconds in ((30, 2), (120, 5), (300, 12)):
            path = Path(folder) / f"cards{number}.yaml"
            path.write_text(many_cards.game(number), encoding="utf-8")
            if references.compiler() is not None:
                configured = ruledsl.load(path).configured()
                Native.forget(configured)
                taken = with_children(partial(Native, configured))
                yield Figure(f"{number} cards", "C ready without a cache, seconds", taken, seconds, least=False)
        yield Figure("300 cards", "check, seconds", min(_checked(path) for _ in range(rounds)), 2, least=False)
        configured = ruledsl.load(path.with_name("cards120.yaml"), backend="interpreter").configured()
        there = [name for name in EXECUTORS if name != COMPILED or references.compiler() is not None]
        played = {name: _warm(EXECUTORS[name](configured)) for name in there}
        for name, other, least in (("python", "interpreter", 3), ("c", "python", 20)):
            if name in played:
                found = median(ours / theirs for ours, theirs in zip(played[name], played[other], strict=True))
                yield Figure("120 cards", f"plays/s, executor {name} to {other}", found, least)


# ----------------------------------------------------------------------------------------------- looking ahead

# Rules that ask what could be paid after exchanges, and what could be reached through choices.
QUESTIONS = """\
ruledsl: 1
game: questions
players: 1
types:
  good: [clay, wood, stone, diamond, gold]
  basic: {some: good, where: this <= stone}
pools:
  goods: {of: good, total: 30, at: {player: goods}}
values:
  asked: 0..1000000
  shown: 0..99
  left: 0..9
actions:
  two_for_one: {give: {any basic: 2}, get: {any basic: 1}}
  three: {give: {clay: 1, wood: 1, stone: 1}, get: {diamond: 1}}
  diamonds: {give: {diamond: 2}, get: {gold: 1}}
  sell: {give: {gold: 1}, get: {any basic: 1}}
effects:
  press:
    - choose one:
        - {label: three, when: left > 0, do: [{set: {shown: "(shown + 3) % 100", left: left - 1}}]}
        - {label: twice, when: left > 0, do: [{set: {shown: shown * 2 % 100, left: left - 1}}]}
        - {label: back, when: left > 0, do: [{set: {shown: "(shown + 93) % 100", left: left - 1}}]}
      any_number: true
play:
  - pay: me.goods
  - for: {c: good}
    do:
      - random: {n: 0..4}
      - gain: amount(c, n)
  - random: {a: 0..99}
  - repeat: 200
    do:
      - QUESTION
      - choose one: [{label: on, do: []}]
  - end: game
"""
ASKED = {
    "nothing": "add: {asked: 1}",
    "payable": "if: payable(amount(any basic, 4) + amount(gold, 1 + asked % 2))\n        then: {add: {asked: 1}}",
    "after exchanges": "if: payable(amount(any basic, 4) + amount(gold, 1 + asked % 2), after=exchanges)\n"
    "        then: {add: {asked: 1}}",
    "possible": "if: possible(ahead(a, 5), shown * 2 == 77)\n        then: {add: {asked: 1}}",
}
AHEAD = "  ahead(0..99 a, 0..9 n):\n    - set: {shown: a, left: n}\n    - press()\n"


def prices(plays: int = 3000) -> Iterator[Figure]:
    """What it costs to ask whether a price can be paid: of what one holds."""
    yield from _asked("payable", plays, in_c=1, in_python=100)


def exchanges(plays: int = 3000) -> Iterator[Figure]:
    """The same after free exchanges; mostly from what is remembered of goods that were met before."""
    yield from _asked("after exchanges", plays, in_c=5, in_python=500)


def possible(plays: int = 30) -> Iterator[Figure]:
    """What it costs to go through all ways to answer five choices of three options each."""
    yield from _asked("possible", plays, in_c=500, in_python=1000)


def _asked(what: str, plays: int, in_c: int, in_python: int) -> Iterator[Figure]:
    """Microseconds of one question: those of plays with it, less those of plays without."""
    taken: dict[tuple[str, str], float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("nothing", what):
            path = Path(folder) / "questions.yaml"
            text = QUESTIONS.replace("QUESTION", ASKED[name]).replace("play:\n", f"{AHEAD}play:\n", 1)
            path.write_text(text, encoding="utf-8")
            configured = ruledsl.load(path).configured()
            for executor, made, few in (
                ("C", Native(configured), plays),
                ("Python", EXECUTORS["python"](configured), max(3, plays // 100)),
            ):
                _run(made, 1)  # until its functions are written
                taken[name, executor] = min(_run(made, few) for _ in range(3)) / few / 200 * 1e6
    for executor, most in (("C", in_c), ("Python", in_python)):
        cost = taken[what, executor] - taken["nothing", executor]
        yield Figure("questions", f"{what} in {executor}, microseconds each", cost, most, least=False)


def _checked(path: Path) -> float:
    """CPU seconds of the command."""
    words = [sys.executable, "-m", "ruledsl", "check", str(path)]
    return with_children(lambda: subprocess.run(words, capture_output=True, check=True))


def _warm(executor: Any, rounds: int = 5) -> list[float]:
    """Plays per second, after so many plays that all cards were met."""
    _run(executor, 400)
    rates = []
    for at in range(rounds):
        plays = 20
        while (taken := _run(executor, plays, 1000 * (at + 1))) < 0.1:
            plays *= 2
        rates.append(plays / taken)
    return rates


ALL: dict[str, Callable[[], Iterator[Figure]]] = {
    "perft": perft,
    "reworded": reworded,
    "jobs": jobs,
    "million": million,
    "tables": tables,
    "cards": cards,
    "prices": prices,
    "exchanges": exchanges,
    "possible": possible,
}


def main() -> int:
    bad = 0
    for name in sys.argv[1:] or ALL:
        for figure in ALL[name]():
            sign = "at least" if figure.least else "at most"
            sys.stdout.write(
                f"{figure.game:<14}{figure.what:<48}{sign} {figure.wanted:<6}{figure.found:>14,.2f}  "
                f"{'met' if figure.met else 'NOT MET'}\n"
            )
            sys.stdout.flush()
            bad += not figure.met
    return 1 if bad else 0


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parents[1])]
    sys.exit(main())
