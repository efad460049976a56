"""Our own executors as subjects of a benchmark, and what a state of each weighs."""

from __future__ import annotations

import time
from array import array
from typing import Protocol, runtime_checkable

from ruledsl.engine.batch import DECISIONS, ENDING
from ruledsl.engine.batch import Executor as Batch
from ruledsl.ir.core import RUNNING, VOID
from ruledsl.records import dataclass
from ruledsl.runtime.game import Configured
from ruledsl.simulation.executors import EXECUTORS
from ruledsl.simulation.work import LIMIT

from .clock import Ran, for_about, per_call, with_children

SEED = 0
MOST_PLAYS = 1 << 14  # at a stretch, so that their rows stay in the cache


@runtime_checkable
class Copies(Protocol):
    """An executor with states of its own, outside Python."""

    state_bytes: int

    def copy_states(self, times: int) -> None:
        """Copies the state at the start of a play so many times."""
        ...


@dataclass(frozen=True)
class Cost:
    """What an executor costs: the bytes of a state, and CPU seconds for a copy of it, and until it is ready.

    `cold` is the time to be ready where nothing was cached; none if the executor keeps no cache.
    """

    state: int
    copy: float
    ready: float
    cold: float | None


class Run:
    """An executor that goes on from play to play of one long run."""

    def __init__(self, name: str, batch: Batch) -> None:
        self.name, self.batch = name, batch
        self._next = 0
        self._counts = array("q", bytes(8 * batch.shape.counts))

    def run(self, seconds: float) -> Ran:
        return for_about(seconds, self._plays)

    def _plays(self, plays: int) -> Ran:
        plays = min(plays, MOST_PLAYS)
        width = self.batch.shape.width
        rows = array("q", bytes(8 * width * plays))
        start = time.process_time()
        self.batch.run(SEED, self._next, rows, self._counts, LIMIT)
        spent = time.process_time() - start
        self._next += plays
        endings = rows[ENDING::width]
        return Ran(plays, sum(rows[DECISIONS::width]), spent, endings.count(VOID), endings.count(RUNNING))


class Executor(Run):
    """One of the executors by its name, with what it costs to have it."""

    def __init__(self, name: str, configured: Configured) -> None:
        self.configured = configured
        make, self._cold = EXECUTORS[name], None
        made: list[Batch] = []
        forget = getattr(make, "forget", None)  # of makers that keep something for the next time
        if forget is not None:
            forget(configured)
            self._cold = with_children(lambda: make(configured))
        self._ready = with_children(lambda: made.append(make(configured)))
        super().__init__(name, made[0])

    def cost(self) -> Cost:
        """What a state at the start of a play costs; in Python it is a list, without the numbers it refers to."""
        batch = self.batch
        if isinstance(batch, Copies):
            times = 1000
            return Cost(batch.state_bytes, per_call(lambda: batch.copy_states(times)) / times, self._ready, self._cold)
        state = self.configured.machine.start(SEED)
        return Cost(state.__sizeof__(), per_call(lambda: state[:]), self._ready, self._cold)
