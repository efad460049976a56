"""Parts of a simulation on other machines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from ruledsl.records import dataclass

from .cluster import Cluster, Shipped, shipped
from .work import MOST, Part, Task, Work


def away(work: Work, parts: Iterator[tuple[int, int]], note: Callable[[Part, float], None], cluster: Cluster) -> None:
    """Has the workers of a cluster do parts."""
    order = Order(work.task, shipped(work.game))
    for part, seconds in cluster.answers(prepared, order, timed_part, parts):
        note(part, seconds)


@dataclass(frozen=True)
class Order:
    """What another machine needs to do a part of it."""

    task: Task
    rules: Shipped


def prepared(order: Order) -> Work:
    with order.rules.game() as game:
        return Work(order.task, game, order.rules.known())


def timed_part(work: Work, wanted: tuple[int, int]) -> tuple[Part, float]:
    """A part, and how long it took. A large one is done bit by bit."""
    start = time.perf_counter()
    first, count = wanted
    whole = work.part(first, min(count, MOST))
    while whole.count < count:
        whole.add(work.part(first + whole.count, min(count - whole.count, MOST)))
    return whole, time.perf_counter() - start


__all__ = ["Order", "away", "prepared", "timed_part"]
