"""The one thread in which plays change and are looked at: one piece of work after the other, decisions first.

Plays of one sort share a machine, so no two of them may run at once; and the loop that talks to browsers never waits
for rules. Looking at a play takes longer than deciding in it; so whoever decides does not queue behind those who look.

To wait for a disk takes longer than most decisions. So those that wait at the same time are written together, and
nobody hears of any before all of them are on disk. Where hundreds of bots answer one after the other there is always a
decision that waits; so after each writing those who look have as much time as it took.

What may take long, such as going through a whole play once more, is done `LATER` and stops for breath between two
decisions: then those are served who wait. One piece of such work is under way at a time. What turns out to be long
while others wait for it says that it is `Lengthy`, and is asked for again when that was done.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from ruledsl.records import dataclass

Found = TypeVar("Found")
DECIDE, LOOK, LATER, END = _IN_ORDER = 0, 1, 2, 3
_LOOKS_FIRST = LOOK, DECIDE, LATER, END
AT_ONCE = 64  # decisions that are written together
BREATH = 0.02  # seconds for which long work goes on, and then those who wait are served


class Lengthy(Exception):
    """What must be done first takes too long for everybody to wait for it."""

    def __init__(self, first: Callable[[], object]) -> None:
        super().__init__("this is done later")
        self.first = first


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
    work: Callable[[], Any]
    found: Future[Any]


class Desk:
    def __init__(self) -> None:
        self._waiting: dict[int, deque[Job]] = {urgency: deque() for urgency in _IN_ORDER}
        self._news = threading.Condition()
        self._thread: threading.Thread | None = None
        self._ledger: Ledger
        self._owed = 0.0  # seconds in which those who look come first
        self._breathed: float | None = None  # when long work stopped for breath, while there is any that may
        self.hurries = False  # whether others wait for what is being done, so that it must not take long

    def open(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._thread = threading.Thread(target=self._work, name="plays", daemon=True)
        self._thread.start()

    def submit(self, urgency: int, work: Callable[[], Found]) -> Future[Found]:
        found: Future[Found] = Future()
        with self._news:
            self._waiting[urgency].append(Job(urgency, work, found))
            self._news.notify()
        return found

    async def do(self, urgency: int, work: Callable[[], Found]) -> Found:
        while True:
            try:
                return await asyncio.wrap_future(self.submit(urgency, work))
            except Lengthy as lengthy:
                await asyncio.wrap_future(self.submit(LATER, lengthy.first))

    def breathe(self) -> None:
        """Between two steps of long work: those who have come meanwhile are served. The work is given up at the end."""
        if self._breathed is None or time.monotonic() < self._breathed + BREATH:
            return
        if self._waiting[END]:
            raise RuntimeError("the server ends")
        self._breathed, end = None, time.monotonic() + BREATH  # nobody stops for breath in it
        while (job := self._waiting_now()) is not None:
            self._serve(job)
            if time.monotonic() > end:
                break
        self._breathed = time.monotonic()

    def close(self) -> None:
        """Ends when all that was asked for is done."""
        if self._thread is not None:
            self.submit(END, lambda: None)
            self._thread.join()

    def _work(self) -> None:
        while (job := self._next()).urgency != END:
            self._serve(job)

    def _serve(self, job: Job) -> None:
        began, self.hurries = time.monotonic(), job.urgency != LATER
        if job.urgency == DECIDE:
            self._decide(job, self._ledger)
            self._owed = time.monotonic() - began
        else:
            self._breathed = None if self.hurries else began
            found = _outcome(job)
            self._breathed = None
            _settle(job, *found)
            self._owed -= time.monotonic() - began
        self.hurries = False

    def _decide(self, first: Job, ledger: Ledger) -> None:
        """All decisions that wait, written together."""
        done: list[tuple[Job, Any, BaseException | None]] = [(first, None, None)]
        try:
            ledger.begin()
            done = [(first, *_outcome(first))]
            while len(done) < AT_ONCE and self._waiting[DECIDE]:
                job = self._waiting[DECIDE].popleft()  # nobody else takes from it
                done.append((job, *_outcome(job)))
            ledger.commit()
        except Exception:
            problem = ledger.lost()
            done = [(job, None, failed or problem) for job, _, failed in done]
        for job, value, failed in done:
            _settle(job, value, failed)

    def _next(self) -> Job:
        """The next job, once there is one."""
        with self._news:
            while (job := self._first(_IN_ORDER)) is None:
                self._news.wait()
            return job

    def _waiting_now(self) -> Job | None:
        """The next job that does not take long, if there is one."""
        with self._news:
            return self._first((DECIDE, LOOK))

    def _first(self, urgencies: tuple[int, ...]) -> Job | None:
        for urgency in _LOOKS_FIRST if self._owed > 0 else _IN_ORDER:
            if urgency in urgencies and self._waiting[urgency]:
                return self._waiting[urgency].popleft()
        return None


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


__all__ = ["DECIDE", "LATER", "LOOK", "Desk", "Ledger", "Lengthy"]
