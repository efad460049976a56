"""Count the possible sequences of moves, turn by turn, to compare with published numbers."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

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
from ruledsl.cli.telling import as_json, fault_as_data, format_argument, tell
from ruledsl.cli.watch import at_work, stopped

if TYPE_CHECKING:
    from ruledsl.ir.core import RulesFault
    from ruledsl.runtime.perft import Perft
    from ruledsl.runtime.play import Play


WORTH = 1000  # ways to the depth before, above which it pays to compile the rules


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument(
        "-d", "--depth", type=int, required=True, metavar="N", help="the depth, in turns (or decisions)"
    )
    position_argument(parser)
    parser.add_argument("--decisions", action="store_true", help="count single decisions instead of whole turns")
    parser.add_argument(
        "--divide", action="store_true", help="show the count for each first decision, at the full depth"
    )
    parser.add_argument(
        "--backend", default="auto", metavar="NAME", help="the backend: `auto` uses compiled C where it is faster"
    )
    setting_arguments(parser)
    format_argument(parser)


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
        raise UsageError(f"the backend `{args.backend}` is not available: {problem}") from None
    found = _Found(play, args)
    begin = time.perf_counter()
    try:
        if play.fault is not None:
            raise play.fault
        _divide(counter, args.depth, found) if args.divide else _counts(counter, args.depth, found)
    except PerftError as problem:
        raise UsageError(str(problem)) from None
    except RulesFault as fault:
        found.fault = fault
    except KeyboardInterrupt as stop:
        found.stopped = True
        _clear()
        seconds, behind = time.perf_counter() - begin, f"{counter.perft.nodes:,} nodes of depth {counter.depth}"
        print(f"Stopped after {seconds:.2f} s; {behind} counted so far.", file=sys.stderr)
        if at_work(stop.__traceback__):
            complain(stopped(stop.__traceback__))
    found.seconds = time.perf_counter() - begin
    if found.as_data:
        tell(found.answer())
    elif found.fault is not None:
        where = f"{found.fault.span.file.path}:{found.fault.span.line}: " if found.fault.span is not None else ""
        print(f"{where}the rules end in a fault: {found.fault.message}")
    if found.fault is None and not found.stopped:
        _tell_speed(found)
    return INTERRUPTED if found.stopped else FOUND if found.fault is not None else CLEAN


def _tell_speed(found: _Found) -> None:
    seconds, counted = found.seconds, found.counted
    speed = f", {counted / seconds:,.0f} a second" if seconds > 0 else ""
    print(f"{counted:,} node{'' if counted == 1 else 's'} in {seconds:.2f} s{speed}", file=sys.stderr)
    if _has_chance(found.play):
        how = f"with seed {found.play.seed}; another seed (-s) may give other counts."
        print(f"Random events were drawn {how}", file=sys.stderr)


class _Found:
    """What was counted so far: told line by line, or for a program once all is counted."""

    def __init__(self, play: Play, args: Namespace) -> None:
        self.play, self.as_data, self.decisions = play, as_json(args), args.decisions
        self.depths: list[dict[str, int]] = []
        self.divided: list[dict[str, Any]] = []
        self.counted = 0
        self.seconds = 0.0
        self.fault: RulesFault | None = None
        self.stopped = False

    def at(self, depth: int, count: int) -> None:
        self.depths.append({"depth": depth, "count": count})
        self._say(f"{depth}: {count}")

    def behind(self, option: str, count: int) -> None:
        self.divided.append({"option": option, "count": count})
        self._say(f"{option}: {count}")

    def _say(self, line: str) -> None:
        _clear()
        if not self.as_data:
            print(line, flush=True)

    def answer(self) -> dict[str, Any]:
        play = self.play
        return {
            "game": play.game.name,
            "players": play.players,
            "options": play.configured.options,
            "seed": play.seed,
            "unit": "decision" if self.decisions else "turn",
            "by_chance": _has_chance(play),
            "depths": self.depths,
            "divided": self.divided,
            "fault": fault_as_data(self.fault),
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
        }


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
            complain(f"counting on the `{self.play.game.backend}` backend; c: {problem}")
        self._watched()

    def _watched(self) -> None:
        if sys.stderr.isatty():
            self.perft.progress = lambda nodes: print(f"\r{nodes:,}", end="", file=sys.stderr, flush=True)


def _counts(counter: _Counter, depth: int, found: _Found) -> None:
    """Each depth in turn."""
    for d in range(1, depth + 1):
        count = counter.to(d).count(d)
        found.counted += count
        found.at(d, count)


def _divide(counter: _Counter, depth: int, found: _Found) -> None:
    """Behind each first decision, and in all."""
    for text, count in counter.to(depth).divide(depth):
        found.counted += count
        found.behind(text, count)
    if not found.as_data:
        print(f"total: {found.counted}")


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)


def _has_chance(play: Play) -> bool:
    from ruledsl.ir.core import Chance

    return any(isinstance(block.end, Chance) for block in play.machine.program.blocks)
