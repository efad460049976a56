"""Says what takes long, and where a command was when it was stopped with Ctrl-C.

A thread looks at the stack of the main thread once a second. If the same call has been at work there for some seconds
of computing, a line on stderr tells which rule it is at. Nothing is measured or noted while rules run.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType, TracebackType

from ruledsl.runtime.whereabouts import COMPILING, READING, RULES, WRITING, At, doing, of_problem, of_thread, place

EVERY = 0.5  # seconds between two looks
FIRST = 5.0  # seconds of computing after which a word is said; the next after four times as many
WATCHED = frozenset(["check", "coverage", "play", "replay", "simulate", "test"])
_UNITS = ("ruledsl.runtime.", "ruledsl.compiler.", "ruledsl.simulation.work", "ruledsl.engine.")
_WORDS = {
    READING: "reading the rules",
    WRITING: "compiling the rules",
    COMPILING: "waiting for the C compiler",
    RULES: "running the rules",
    "": "working",
}


def doings(frames: Sequence[At]) -> str:
    """`working out the rules at game.yaml:12`."""
    words, at = _WORDS[doing(frames)], place(frames)
    return f"{words} at {at}" if at else words


def at_work(trace: TracebackType | None) -> bool:
    """Whether rules were being worked out; else somebody was asked."""
    return bool(doing(of_problem(trace)))


def stopped(trace: TracebackType | None) -> str:
    """The line for a command that was stopped with Ctrl-C."""
    return f"stopped while {doings(of_problem(trace))}"


@contextmanager
def watching(command: str) -> Iterator[None]:
    """While this lasts, a word is said about what takes long."""
    if command not in WATCHED or threading.current_thread() is not threading.main_thread():
        yield
        return
    over = threading.Event()
    watcher = threading.Thread(target=_watch, args=(over, threading.get_ident()), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join(EVERY)


def _watch(over: threading.Event, thread: int) -> None:
    unit: FrameType | None = None
    began, due = 0.0, FIRST
    while not over.wait(EVERY):
        frames = of_thread(thread)
        now, found = time.process_time(), _unit(frames)
        if found is None or found is not unit:
            unit, began, due = found, now, FIRST
        elif now - began >= due:
            due *= 4
            _say(now - began, frames)
        del frames


def _unit(frames: Sequence[At]) -> FrameType | None:
    """The call that is at work: from one decision to the next, one play of a simulation, one file of `check`."""
    names = [str(frame.f_globals.get("__name__", "")) + "." for frame, _ in frames]
    if names and names[0].startswith("ruledsl.cli."):
        return None  # somebody is asked
    found = [frame for (frame, _), name in zip(frames, names, strict=True) if name.startswith(_UNITS)]
    return found[-1] if found else None


def _say(seconds: float, frames: Sequence[At]) -> None:
    try:
        print(f"\nruledsl: {seconds:.0f} s so far, {doings(frames)}; Ctrl-C stops it", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


__all__ = ["at_work", "doings", "stopped", "watching"]
