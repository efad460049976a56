"""What many plays come to: whole numbers only, so that parts add up to the same in any order."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import field

from ruledsl.engine.batch import (
    DECISIONS,
    ENDING,
    FORCED,
    MOST_OPTIONS,
    OPTIONS,
    POINTS,
    ROUNDS,
    TURNS,
    WINNERS,
)
from ruledsl.ir.core import RUNNING, VOID
from ruledsl.records import dataclass

SPREAD = (TURNS, ROUNDS, DECISIONS, MOST_OPTIONS)  # fields of which every value is counted, besides the points


@dataclass(frozen=True)
class Fault:
    """A play that is void: which it is, why, and where in the rules."""

    number: int
    seed: int
    message: str
    path: str = ""
    line: int = 0
    play: int = 0  # of its campaign; 0 is the first


@dataclass
class Digest:
    """The results of some plays. What is said of lengths and points is about plays that came to their end."""

    results: Counter[tuple[int, int]] = field(default_factory=Counter)  # by ending and set of winners
    spread: dict[int, Counter[int]] = field(default_factory=dict)  # by field: how often each value
    options: int = 0  # of all decisions
    forced: int = 0
    decisions: int = 0

    def add(self, rows: array[int], width: int) -> None:
        """More plays, given as rows."""
        self.options += sum(rows[OPTIONS::width])
        self.forced += sum(rows[FORCED::width])
        self.decisions += sum(rows[DECISIONS::width])
        endings = rows[ENDING::width]
        self.results.update(zip(endings, rows[WINNERS::width], strict=True))
        if VOID in endings or RUNNING in endings:
            rows = _ended(rows, width)
        for column in (*SPREAD, *range(POINTS, width)):
            self.spread.setdefault(column, Counter()).update(rows[column::width])

    def merge(self, other: Digest) -> None:
        self.results.update(other.results)
        for column, counter in other.spread.items():
            self.spread.setdefault(column, Counter()).update(counter)
        self.options += other.options
        self.forced += other.forced
        self.decisions += other.decisions

    @property
    def plays(self) -> int:
        return sum(self.results.values())

    @property
    def ended(self) -> int:
        """The plays that came to an end that counts."""
        return self.plays - self.void - self.broken_off

    @property
    def void(self) -> int:
        return self.of(VOID)

    @property
    def broken_off(self) -> int:
        return self.of(RUNNING)

    def of(self, ending: int) -> int:
        return sum(n for (end, _), n in self.results.items() if end == ending)

    def values(self, column: int) -> Counter[int]:
        return self.spread.get(column, Counter())


def _ended(rows: array[int], width: int) -> array[int]:
    found = array("q")
    for start in range(0, len(rows), width):
        if rows[start + ENDING] not in (VOID, RUNNING):
            found.extend(rows[start : start + width])
    return found


def merged(digests: Iterable[Digest]) -> Digest:
    found = Digest()
    for digest in digests:
        found.merge(digest)
    return found
