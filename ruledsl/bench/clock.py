"""Rates that can be trusted on a busy machine.

What is compared takes turns: a little of the one, a little of the other, round after round. A neighbour on the machine
then slows both, and the ratio within each round stays what it is. Only CPU time counts, on one core, and the ratio
that is told is the middle one of all rounds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from statistics import median
from typing import Protocol

from ruledsl.records import dataclass


@dataclass(frozen=True)
class Ran:
    """Some random plays: how many, their decisions, and the CPU seconds they took."""

    plays: int
    decisions: int
    seconds: float
    void: int = 0  # of them, those that ended in a fault of the rules
    broken_off: int = 0  # of them, those that had too many decisions

    def __add__(self, other: Ran) -> Ran:
        return Ran(
            self.plays + other.plays,
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            self.void + other.void,
            self.broken_off + other.broken_off,
        )


class Subject(Protocol):
    """Something that can play: an executor of ours, a peer, a program."""

    @property
    def name(self) -> str: ...

    def run(self, seconds: float) -> Ran:
        """Plays whole plays, one at least, for about so many CPU seconds."""
        ...


@dataclass
class Rate:
    """How fast a subject was, all in all and in each round."""

    name: str
    rounds: list[Ran] = field(default_factory=list)

    @property
    def total(self) -> Ran:
        total = Ran(0, 0, 0.0)
        for ran in self.rounds:
            total += ran
        return total

    @property
    def plays_per_second(self) -> float:
        return _per_second(self.total)

    @property
    def decisions_per_second(self) -> float:
        return self.total.decisions / max(self.total.seconds, 1e-9)

    @property
    def decisions_per_play(self) -> float:
        return self.total.decisions / max(self.total.plays, 1)


@dataclass(frozen=True)
class Ratio:
    """How many times as fast as another: the middle of all rounds, and the ends."""

    middle: float
    low: float
    high: float


def interleaved(subjects: list[Subject], seconds: float, rounds: int) -> list[Rate]:
    """Each subject for so many CPU seconds, in rounds; first a little that is not counted, for caches to fill."""
    rates = [Rate(subject.name) for subject in subjects]
    share = seconds / rounds
    spent = []
    for subject, rate in zip(subjects, rates, strict=True):
        first = subject.run(share / 10)
        spent.append(first.seconds)
        if first.seconds >= seconds:  # a single play took longer than all rounds: it is what there is
            rate.rounds.append(first)
    for _ in range(rounds):
        for i, subject in enumerate(subjects):
            if not rates[i].rounds or spent[i] < seconds:
                rates[i].rounds.append(subject.run(share))
                spent[i] += rates[i].rounds[-1].seconds
    return rates


def ratio(ours: Rate, other: Rate) -> Ratio:
    """How many times as fast ours is, from the rounds that both took part in."""
    found = [_per_second(a) / _per_second(b) for a, b in zip(ours.rounds, other.rounds, strict=False)]
    return Ratio(median(found), min(found), max(found))


def for_about(seconds: float, run: Callable[[int], Ran]) -> Ran:
    """Repeats `run(plays)`, in growing batches, until the time is used up."""
    total, batch = Ran(0, 0, 0.0), 1
    while total.seconds < seconds:
        total += run(batch)
        # The clock costs a little, so batches double; the last one is cut to what is left.
        left = int((seconds - total.seconds) * _per_second(total))
        batch = max(1, min(2 * batch, left))
    return total


def timed(action: Callable[[], object]) -> float:
    """The CPU seconds of this process that an action takes."""
    start = time.process_time()
    action()
    return time.process_time() - start


def with_children(action: Callable[[], object]) -> float:
    """The CPU seconds of an action, those of programs that it starts and waits for included."""
    before = _children()
    own = timed(action)
    return own + _children() - before


def _children() -> float:
    """The CPU seconds of all programs that this process has started and waited for."""
    try:
        import resource
    except ImportError:  # Windows does not tell
        return 0.0
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def per_call(action: Callable[[], object], seconds: float = 0.05) -> float:
    """The CPU seconds of one call of something short, without what the loop itself costs."""
    return max(_loop(action, seconds) - _loop(_nothing, seconds), 0.0)


def _loop(action: Callable[[], object], seconds: float) -> float:
    count, best = 100, float("inf")
    while True:
        rounds = range(count)
        start = time.process_time()
        for _ in rounds:
            action()
        spent = time.process_time() - start
        if spent > seconds / 5:
            best = min(best, spent / count)
            seconds -= spent
            if seconds <= 0:
                return best
        else:
            count *= 4


def _nothing() -> None:
    return None


def _per_second(ran: Ran) -> float:
    return ran.plays / max(ran.seconds, 1e-9)


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process on one core, where the system lets it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
