"""What moved between two versions of a game: shares of results, length and points, each with how sure that is."""

from __future__ import annotations

from math import sqrt

from ruledsl.records import dataclass
from ruledsl.simulation.findings import Outcome
from ruledsl.simulation.statistics import Share

SURE = 1.5  # times the half width of an interval of 95 %: what is farther from nothing comes once in 300 by chance
PERCENT = "%"


@dataclass(frozen=True)
class Moved:
    """A number before and after, and between which bounds its change lies with 95 % confidence."""

    label: str
    unit: str  # `%` for shares
    before: float
    after: float
    low: float
    high: float

    @property
    def change(self) -> float:
        return self.after - self.before

    @property
    def sure(self) -> bool:
        """Whether chance alone would hardly do it."""
        return self.change - SURE * (self.change - self.low) > 0 or self.change + SURE * (self.high - self.change) < 0


def compared(before: Outcome, after: Outcome) -> list[Moved]:
    """Every number that both versions have."""
    found = []
    old = dict(before.results)
    for label, share in after.results:
        if label in old and (share.count or old[label].count):
            found.append(_shares(label, old[label], share))
    for ours, theirs in ((before.length, after.length), (before.points, after.points)):
        known = {one.label: one.measure for one in ours}
        for spread in theirs:
            if spread.label in known:
                one, other = known[spread.label], spread.measure
                within = sqrt((one.within or 0.0) ** 2 + (other.within or 0.0) ** 2)
                change = other.mean - one.mean
                unit = "points" if theirs is after.points else ""
                found.append(Moved(spread.label, unit, one.mean, other.mean, change - within, change + within))
    return found


def _shares(label: str, one: Share, other: Share) -> Moved:
    """Newcombe's interval, made of those of both shares."""
    change = other.value - one.value
    low = change - sqrt((other.value - other.low) ** 2 + (one.high - one.value) ** 2)
    high = change + sqrt((other.high - other.value) ** 2 + (one.value - one.low) ** 2)
    return Moved(label, PERCENT, 100 * one.value, 100 * other.value, 100 * low, 100 * high)
