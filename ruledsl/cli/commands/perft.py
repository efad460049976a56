"""Count the ways in which a game can go on, turn by turn, to compare with published numbers."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ruledsl.cli.common import (
    CLEAN,
    FOUND,
    INTERRUPTED,
    UsageError,
    complain,
    game_argument,
    load_game,
    setting_arguments,
    start,
)
from ruledsl.cli.positions import position, position_argument
from ruledsl.cli.watch import at_work, stopped

if TYPE_CHECKING:
    from ruledsl.runtime.perft import Perft
    from ruledsl.runtime.play import Play


WORTH = 1000  # ways to the depth before, above which it pays to compile the rules


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument(
        "-d", "--depth", type=int, required=True, metavar="N", help="how many turns (or decisions) deep"
    )
    position_argument(parser)
    parser.add_argument("--decisions", action="store_true", help="count single decisions instead of whole turns")
    parser.add_argument("--divide", action="store_true", help="the count behind each first decision, at the full depth")
    parser.add_argument(
        "--backend", default="auto", metavar="NAME", help="what counts: `auto` takes compiled C where it pays"
    )
    setting_arguments(parser)


def run(args: Namespace) -> int:
    """0 when all is counted, 1 if the position has mistakes or the rules end in a fault, 130 if it was stopped."""
    from ruledsl.ir.core import RulesFault
    from ruledsl.runtime.perft import PerftError
    from ruledsl.simulation.executors import AUTO, Unavailable, known

    if args.depth < 1:
        raise UsageError(f"the depth must be at least 1, not {args.depth}")
    problem = known(args.backend)
    if problem is not None:
        raise UsageError(problem)
    game = load_game(args.game, None if args.backend in (AUTO, "c") else args.backend)
    play = position(game, args) if args.position is not None else start(game, args)
    if play is None:
        return FOUND
    try:
        counter = _Counter(play, args)
    except Unavailable as problem:
        raise UsageError(f"the backend `{args.backend}` cannot be had here: {problem}") from None
    begin = time.perf_counter()
    try:
        if play.fault is not None:
            raise play.fault
        counted = _divide(counter, args.depth) if args.divide else _counts(counter, args.depth)
    except PerftError as problem:
        raise UsageError(str(problem)) from None
    except RulesFault as fault:
        where = f"{fault.span.file.path}:{fault.span.line}: " if fault.span is not None else ""
        print(f"{where}the rules end in a fault: {fault.message}")
        return FOUND
    except KeyboardInterrupt as stop:
        _clear()
        seconds, behind = time.perf_counter() - begin, f"{counter.perft.nodes:,} nodes of depth {counter.depth}"
        print(f"Stopped after {seconds:.2f} s; {behind} were counted till then.", file=sys.stderr)
        if at_work(stop.__traceback__):
            complain(stopped(stop.__traceback__))
        return INTERRUPTED
    seconds = time.perf_counter() - begin
    speed = f", {counted / seconds:,.0f} a second" if seconds > 0 else ""
    print(f"{counted:,} node{'' if counted == 1 else 's'} in {seconds:.2f} s{speed}", file=sys.stderr)
    if _has_chance(play):
        how = f"as with seed {play.seed}; with another one (-s) the counts may differ."
        print(f"Random events came out {how}", file=sys.stderr)
    return CLEAN


class _Counter:
    """What counts: compiled code if that was asked for, or if more is to be counted than takes a moment."""

    def __init__(self, play: Play, args: Namespace) -> None:
        from ruledsl.runtime.perft import Perft

        self.play, self.decisions, self.backend = play, args.decisions, args.backend
        self.perft = Perft(play, args.decisions) if self.backend != "c" else self._compiled()
        self.chosen = self.backend != "auto"
        self.depth = 0  # that is counted
        self._watched()

    def to(self, depth: int) -> Perft:
        """What counts to a depth."""
        self.depth = depth
        if not self.chosen and depth > 1:
            self.chosen = self.perft.count(depth - 1, WORTH) > WORTH
            if self.chosen:
                self._change()
        return self.perft

    def _compiled(self) -> Perft:
        from ruledsl.simulation.native_perft import CompiledPerft

        return CompiledPerft(self.play, self.decisions)

    def _change(self) -> None:
        from ruledsl.simulation.native import Unavailable

        try:
            self.perft = self._compiled()
        except Unavailable as problem:
            complain(f"the ways are counted on the `{self.play.game.backend}` backend: c: {problem}")
        self._watched()

    def _watched(self) -> None:
        if sys.stderr.isatty():
            self.perft.progress = lambda nodes: print(f"\r{nodes:,}", end="", file=sys.stderr, flush=True)


def _counts(counter: _Counter, depth: int) -> int:
    """A line for each depth; how many were counted in all."""
    total = 0
    for d in range(1, depth + 1):
        found = counter.to(d).count(d)
        total += found
        _clear()
        print(f"{d}: {found}", flush=True)
    return total


def _divide(counter: _Counter, depth: int) -> int:
    total = 0
    for text, count in counter.to(depth).divide(depth):
        _clear()
        print(f"{text}: {count}", flush=True)
        total += count
    print(f"total: {total}")
    return total


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)


def _has_chance(play: Play) -> bool:
    from ruledsl.ir.core import Chance

    return any(isinstance(block.end, Chance) for block in play.machine.program.blocks)
