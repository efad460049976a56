"""What can be said of all plays from some: means and shares, each with how far off it may be, with 95 % confidence."""

from __future__ import annotations

from collections import Counter
from math import sqrt

from ruledsl.records import dataclass

Z = 1.9599639845400536  # of the normal distribution, 95 % lie this near: NormalDist().inv_cdf(0.975)
_FEW = (12.706, 4.303, 3.182, 2.776)  # quantiles of Student's distribution where the series below is too rough


@dataclass(frozen=True)
class Share:
    """How many of how many, and between which bounds the true share lies."""

    count: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        return self.count / self.of if self.of else 0.0


@dataclass(frozen=True)
class Measure:
    """Numbers of which every value was counted."""

    count: int
    mean: float
    within: float | None  # the true mean lies this near; None of a single number
    deviation: float
    least: int
    median: float
    most: int


def share(count: int, of: int) -> Share:
    """Wilson's interval: it never leaves 0 to 1, and is right for rare things too.

    >>> s = share(0, 100); round(s.low, 3), round(s.high, 3)
    (0.0, 0.037)
    """
    if not of:
        return Share(0, 0, 0.0, 1.0)
    p, z2 = count / of, Z * Z
    middle = (p + z2 / (2 * of)) / (1 + z2 / of)
    half = Z / (1 + z2 / of) * sqrt(p * (1 - p) / of + z2 / (4 * of * of))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Share(count, of, low if count else 0.0, high if count < of else 1.0)


def measure(values: Counter[int]) -> Measure | None:
    """Of no numbers nothing can be said."""
    values = Counter({value: n for value, n in values.items() if n})
    count = values.total()
    if not count:
        return None
    total = sum(value * n for value, n in values.items())
    squares = sum(value * value * n for value, n in values.items())
    over = count * squares - total * total  # exact; this is count * (count - 1) times the variance
    deviation = sqrt(over / (count * (count - 1))) if count > 1 else 0.0
    within = student(count - 1) * deviation / sqrt(count) if count > 1 else None
    return Measure(count, total / count, within, deviation, min(values), _median(values, count), max(values))


def student(freedom: int) -> float:
    """How many standard errors to either side of a mean hold 95 %.

    >>> round(student(10), 2), round(student(100000), 2)
    (2.23, 1.96)
    """
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    return (
        Z
        + (Z**3 + Z) / (4 * freedom)
        + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)
        + (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / (384 * freedom**3)
    )


def _median(values: Counter[int], count: int) -> float:
    below, found = 0, []
    wanted = [(count - 1) // 2, count // 2]
    for value in sorted(values):
        below += values[value]
        while wanted and wanted[0] < below:
            found.append(value)
            wanted.pop(0)
        if not wanted:
            break
    return sum(found) / 2
