"""Runs a task on one core or all of them, and adds up what comes in, always from the first play on.

How the plays are cut into parts, and who does which, depends on the clock; the result does not, since parts are added
up exactly and in order. If it is interrupted, the plays up to the first gap count: the result is that of a smaller
number of plays, to the last digit.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ruledsl.records import dataclass
from ruledsl.runtime.game import Game

from .aside import begin, stop
from .digest import Digest, Fault, merged
from .work import MOST, Part, Task, Work

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from .cluster import Cluster

ALL = 0  # cores
FIRST = 0.3  # seconds of work before it is seen whether other cores are worth it
WORTH = 2.0  # seconds of work left at which they are: a process takes a while to begin
PART = 0.25  # seconds of work of a part
MOST_AWAY = 1 << 20  # plays of a part for another machine, which goes through it bit by bit


class WorkerLost(Exception):
    """A process that did a part of the work has ended without a word."""


@dataclass
class Result:
    """What a simulation came to."""

    task: Task
    wanted: int
    backend: str
    missing: list[str]  # why faster executors could not be had
    digests: list[Digest]
    counts: array[int]
    done: int = 0
    faults: list[Fault] = field(default_factory=list)
    interrupted: bool = False
    stopped: TracebackType | None = None  # where, if it was interrupted
    seconds: float = 0.0
    first: int = 0  # plays of the run that come before these

    @property
    def all(self) -> Digest:
        return merged(self.digests)


@dataclass
class _Sum:
    """Adds up parts from the first play on; those behind a gap wait."""

    result: Result
    took: Callable[[bytes], object] | None
    waiting: dict[int, Part] = field(default_factory=dict)

    def add(self, part: Part) -> None:
        self.waiting[part.first] = part
        result = self.result
        while result.first + result.done in self.waiting:
            part = self.waiting.pop(result.first + result.done)
            for own, other in zip(result.digests, part.digests, strict=True):
                own.merge(other)
            result.counts = array("q", map(int.__add__, result.counts, part.counts))
            result.faults += part.faults
            if self.took is not None:
                for lines in part.table:
                    self.took(lines)
            result.done += part.count


@dataclass
class _Pace:
    """How large the next part should be, from how long plays took so far."""

    next: int
    last: int
    jobs: int = 1
    most: int = MOST
    plays: int = 0
    seconds: float = 0.0

    def note(self, plays: int, seconds: float) -> None:
        self.plays += plays
        self.seconds += seconds

    def parts(self) -> Iterator[tuple[int, int]]:
        while self.next < self.last:
            fair = max(1, (self.last - self.next) // (2 * self.jobs)) if self.jobs > 1 else self.last - self.next
            rate = self.plays / self.seconds if self.seconds > 0 else 1.0
            count = max(1, min(fair, int(rate * PART), 4 * max(1, self.plays), self.most))
            self.next += count
            yield self.next - count, count


def simulate(
    task: Task,
    plays: int,
    game: Game | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    took: Callable[[bytes], object] | None = None,
    first: int = 0,
    cluster: Cluster | None = None,
) -> Result:
    """Simulates. `jobs` is how many cores work: all, so many, or (None) as many as pay.

    `progress` is told how many plays are done, `took` their lines in order if the task has a table. `first` plays of
    the run are left out: they are those of somebody else. With a `cluster`, its workers play. Ctrl-C ends it early: the
    result says so. A script that calls this with `jobs` other than 1 has it under `if __name__ == "__main__":`, for
    other processes import the script.
    """
    began = time.perf_counter()
    work = Work(task, game)
    digests = [Digest() for _ in range(task.campaign or 1)]
    result = Result(task, plays, work.name, work.missing, digests, array("q", [0]) * work.shape.counts, first=first)
    found, cores = _Sum(result, took), cores_of(jobs)
    pace = _Pace(first, first + plays)

    shield = _Shield()

    def note(part: Part, seconds: float) -> None:
        with shield:
            found.add(part)
        pace.note(part.count, seconds)
        if progress is not None:
            progress(result.done)

    begin()
    shield.raise_it()
    try:
        if cluster is not None:
            _alone(work, pace, note, 0.0)
            pace.jobs, pace.most = cluster.cores, MOST_AWAY
            from .away import away

            away(work, pace.parts(), note, cluster)
            return result
        _alone(work, pace, note, None if cores == 1 else 0.0 if jobs is not None else FIRST)
        left = (pace.last - pace.next) * pace.seconds / pace.plays if pace.plays else WORTH
        if pace.next < pace.last:
            if cores == 1 or (jobs is None and left < WORTH):
                _alone(work, pace, note, None)
            else:
                pace.jobs = min(cores, pace.last - pace.next)
                (_threads if work.threads else _processes)(work, pace, note)
    except KeyboardInterrupt as problem:
        result.interrupted, result.stopped = True, problem.__traceback__
    finally:
        shield.lower()
        result.seconds = time.perf_counter() - began
    return result


class _Shield:
    """Keeps Ctrl-C off while parts are added up, so that what is done so far is never half of something."""

    def __init__(self) -> None:
        self.inside = self.struck = False
        self.kept: Any = None

    def raise_it(self) -> None:
        """Only the main thread hears of Ctrl-C."""
        if threading.current_thread() is threading.main_thread():
            self.kept = signal.signal(signal.SIGINT, self._strike)

    def lower(self) -> None:
        if self.kept is not None:
            signal.signal(signal.SIGINT, self.kept)

    def _strike(self, number: int, frame: object) -> None:
        self.struck = True
        if not self.inside:
            raise KeyboardInterrupt

    def __enter__(self) -> None:
        self.inside = True

    def __exit__(self, *problem: object) -> None:
        self.inside = False
        if self.struck:
            raise KeyboardInterrupt


def cores_of(jobs: int | None) -> int:
    """How many cores may work."""
    if jobs:
        return jobs
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


Note = Callable[[Part, float], None]


def _alone(work: Work, pace: _Pace, note: Note, most: float | None) -> None:
    """Works in this process, for so many seconds at the most."""
    began = time.perf_counter()
    for first, count in pace.parts():
        start = time.perf_counter()
        part = work.part(first, count)
        now = time.perf_counter()
        note(part, now - start)
        if most is not None and now - began >= most:
            return


def _threads(work: Work, pace: _Pace, note: Note) -> None:
    """Works in threads, with executors that let go of the interpreter."""
    from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

    def timed(first: int, count: int) -> tuple[Part, float]:
        start = time.perf_counter()
        return work.part(first, count), time.perf_counter() - start

    with ThreadPoolExecutor(pace.jobs) as pool:
        busy: set[Future[tuple[Part, float]]] = set()
        try:
            for first, count in pace.parts():
                busy.add(pool.submit(timed, first, count))
                while len(busy) >= pace.jobs:
                    done, busy = wait(busy, return_when=FIRST_COMPLETED)
                    for one in done:
                        note(*one.result())
            for one in busy:
                note(*one.result())
        except KeyboardInterrupt:
            stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _processes(work: Work, pace: _Pace, note: Note) -> None:
    """Works in other processes, which load the game anew; in this one, too, until the first of them has.

    They are begun in the same way on every system.
    """
    from multiprocessing.connection import Connection
    from multiprocessing.connection import wait as wait_for

    workers: dict[Connection, Any] = {}
    parts = pace.parts()
    try:
        with _deaf():
            _begin(workers, pace.jobs, work.task)
        asked, ready = set(workers), False
        while asked:
            if not ready and not wait_for(list(asked), timeout=0):
                part = next(parts, None)
                if part is None:
                    return
                start = time.perf_counter()
                note(work.part(*part), time.perf_counter() - start)
                continue
            ready = True
            for mine in [mine for mine in wait_for(list(asked)) if isinstance(mine, Connection)]:
                try:
                    answer = mine.recv()
                    more = not isinstance(answer, str) and _give(mine, parts)
                except (EOFError, OSError):
                    raise WorkerLost("a worker process has died: is there enough memory?") from None
                if isinstance(answer, str):
                    raise RuntimeError(answer)
                if answer is not None:
                    note(*answer)
                if not more:
                    asked.discard(mine)
    finally:
        for mine, process in workers.items():
            mine.close()
            process.terminate()
        for process in workers.values():
            process.join()


def _begin(workers: dict[Connection, Any], jobs: int, task: Task) -> None:
    import multiprocessing

    context = multiprocessing.get_context("spawn")
    for _ in range(jobs):
        mine, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, task), daemon=True)
        process.start()
        theirs.close()
        workers[mine] = process


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are begun meanwhile never hear Ctrl-C, not even before they have read a line of this."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, kept)


def _give(mine: Connection, parts: Iterator[tuple[int, int]]) -> bool:
    """Hands the next part to a worker, if there is one."""
    part = next(parts, None)
    if part is None:
        return False
    mine.send(part)
    return True


def _serve(pipe: Connection, task: Task) -> None:
    """What a worker does, until nobody asks any more. It leaves Ctrl-C to the process that began it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        work = Work(task)
        pipe.send(None)  # it is ready
        while True:
            first, count = pipe.recv()
            start = time.perf_counter()
            part = work.part(first, count)
            pipe.send((part, time.perf_counter() - start))
    except (EOFError, OSError):
        return
    except Exception as problem:
        pipe.send(f"{type(problem).__name__}: {problem}")


__all__ = ["ALL", "Result", "WorkerLost", "cores_of", "simulate"]
