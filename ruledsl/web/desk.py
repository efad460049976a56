"""The one thread in which plays change and are looked at: one piece of work after the other, decisions first.

Plays of one sort share a machine, so no two of them may run at once; and the loop that talks to browsers never waits
for rules. Looking at a play takes longer than deciding in it; so whoever decides does not queue behind those who look.

To wait for a disk takes longer than most decisions. So those that wait at the same time are written together, and
nobody hears of any before all of them are on disk.
"""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from ruledsl.records import dataclass

Found = TypeVar("Found")
DECIDE, LOOK, LATER, END = 0, 1, 2, 3
AT_ONCE = 64  # decisions that are written together


class Ledger(Protocol):
    """Where decisions are written."""

    def begin(self) -> None: ...

    def commit(self) -> None:
        """Has everything on disk that was written since `begin`, and tells of it."""
        ...

    def lost(self) -> Exception:
        """Nothing written since `begin` is on disk; what those are told who decided it."""
        ...


@dataclass(frozen=True)
class Job:
    urgency: int
    number: int
    work: Callable[[], Any]
    found: Future[Any]

    def __lt__(self, other: Job) -> bool:
        return (self.urgency, self.number) < (other.urgency, other.number)


class Desk:
    def __init__(self) -> None:
        self._waiting: queue.PriorityQueue[Job] = queue.PriorityQueue()
        self._number = itertools.count()
        self._thread: threading.Thread | None = None

    def open(self, ledger: Ledger) -> None:
        self._thread = threading.Thread(target=self._work, args=(ledger,), name="plays", daemon=True)
        self._thread.start()

    def submit(self, urgency: int, work: Callable[[], Found]) -> Future[Found]:
        found: Future[Found] = Future()
        self._waiting.put(Job(urgency, next(self._number), work, found))
        return found

    async def do(self, urgency: int, work: Callable[[], Found]) -> Found:
        return await asyncio.wrap_future(self.submit(urgency, work))

    def close(self) -> None:
        """Ends when all that was asked for is done."""
        if self._thread is not None:
            self.submit(END, lambda: None)
            self._thread.join()

    def _work(self, ledger: Ledger) -> None:
        while True:
            job = self._waiting.get()
            if job.urgency == END:
                return
            if job.urgency != DECIDE:
                _do(job)
                continue
            self._decide(job, ledger)

    def _decide(self, first: Job, ledger: Ledger) -> None:
        """All decisions that wait, written together."""
        ledger.begin()
        done = [(first, *_outcome(first))]
        while len(done) < AT_ONCE and (job := self._next(DECIDE)) is not None:
            done.append((job, *_outcome(job)))
        try:
            ledger.commit()
        except Exception:
            problem = ledger.lost()
            done = [(job, None, failed or problem) for job, _, failed in done]
        for job, value, failed in done:
            _settle(job, value, failed)

    def _next(self, urgency: int) -> Job | None:
        """The next job, if it is as urgent as that."""
        try:
            job = self._waiting.get_nowait()
        except queue.Empty:
            return None
        if job.urgency <= urgency:
            return job
        self._waiting.put(job)
        return None


def _do(job: Job) -> None:
    _settle(job, *_outcome(job))


def _outcome(job: Job) -> tuple[Any, BaseException | None]:
    try:
        return job.work(), None
    except BaseException as problem:
        return None, problem


def _settle(job: Job, value: Any, problem: BaseException | None) -> None:
    if not job.found.set_running_or_notify_cancel():
        return  # whoever asked has gone
    if problem is None:
        job.found.set_result(value)
    else:
        job.found.set_exception(problem)


__all__ = ["DECIDE", "LATER", "LOOK", "Desk", "Ledger"]
