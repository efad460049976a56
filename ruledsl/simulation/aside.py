"""Work in C is done beside the thread that waits for it: while C runs, Python hears no Ctrl-C.

Who is stopped does not wait any longer. What was begun goes on by itself until the program ends, for nothing can stop
it in the midst of a play; nobody looks at it any more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

LISTEN = 0.1  # seconds between two looks whether all is to be stopped
Done = TypeVar("Done")
_stop = threading.Event()


class Stopped(Exception):
    """The work is not waited for any more."""


def aside(work: Callable[[], Done]) -> Done:
    """What the work comes to; Ctrl-C, and `stop` for threads that do not hear it, end the waiting at once."""
    ended, found, problems = threading.Event(), list[Done](), list[BaseException]()

    def run() -> None:
        try:
            found.append(work())
        except BaseException as problem:
            problems.append(problem)
        ended.set()

    threading.Thread(target=run, daemon=True).start()
    while not ended.wait(LISTEN):
        if _stop.is_set():
            raise Stopped
    if problems:
        raise problems[0]
    return found[0]


def stop() -> None:
    """Nobody waits any longer, in no thread."""
    _stop.set()


def begin() -> None:
    """Work may be done again."""
    _stop.clear()
