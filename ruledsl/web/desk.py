"""The one thread in which plays change and are looked at: one piece of work after the other, decisions first.

Plays of one sort share a machine, so no two of them may run at once; and the loop that talks to browsers never waits
for rules. Looking at a play takes longer than deciding in it; so whoever decides does not queue behind those who look.
"""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

Found = TypeVar("Found")
DECIDE, LOOK, LATER = 0, 1, 2


class Desk:
    def __init__(self) -> None:
        self._waiting: queue.PriorityQueue[tuple[int, int, Callable[[], Any] | None, Future[Any]]]
        self._waiting = queue.PriorityQueue()
        self._number = itertools.count()
        self._thread = threading.Thread(target=self._work, name="plays", daemon=True)
        self._thread.start()

    def submit(self, urgency: int, work: Callable[[], Found]) -> Future[Found]:
        found: Future[Found] = Future()
        self._waiting.put((urgency, next(self._number), work, found))
        return found

    async def do(self, urgency: int, work: Callable[[], Found]) -> Found:
        return await asyncio.wrap_future(self.submit(urgency, work))

    def close(self) -> None:
        """Ends when all that was asked for is done."""
        self._waiting.put((LATER + 1, next(self._number), None, Future()))
        self._thread.join()

    def _work(self) -> None:
        while True:
            _, _, work, found = self._waiting.get()
            if work is None:
                return
            if not found.set_running_or_notify_cancel():
                continue
            try:
                found.set_result(work())
            except BaseException as problem:
                found.set_exception(problem)


__all__ = ["DECIDE", "LATER", "LOOK", "Desk"]
