"""While a bot thinks: says so after half a second, and lets a person hurry it with Enter."""

from __future__ import annotations

import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from ruledsl.bots.hurry import hurry, take_time

PATIENCE = 0.5  # seconds
_EVERY = 0.1


@contextmanager
def waiting(say: Callable[[], None], terminal: bool) -> Iterator[None]:
    """While this lasts, `say` is called once if it takes longer; at a terminal Enter hurries the bot."""
    over = threading.Event()
    watcher = threading.Thread(target=_watch, args=(over, say, terminal), daemon=True)
    take_time()
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        take_time()


def _watch(over: threading.Event, say: Callable[[], None], terminal: bool) -> None:
    if over.wait(PATIENCE):
        return
    say()
    while not over.wait(_EVERY):
        if terminal and _pressed():
            hurry()


def _pressed() -> bool:
    """Whether a line was typed meanwhile; it is taken away, so that it answers nothing else."""
    with suppress(OSError, ValueError):
        if select.select([sys.stdin], [], [], 0)[0]:
            return bool(sys.stdin.readline())
    return False


__all__ = ["PATIENCE", "waiting"]
