"""States that are kept: of each only what differs from the one kept before it takes memory.

A play keeps the state before every decision, for its story, its records and for taking back; on a large board one state
has thousands of numbers, of which a decision changes a few.
"""

from __future__ import annotations

from itertools import chain, repeat
from typing import overload

_RUN = 32  # numbers that are shared together, or not


class Moment:
    """A state as it was at some time; `moment[:]` is a list of its own."""

    __slots__ = ("_runs",)
    _runs: tuple[tuple[int, ...], ...]

    def __init__(self, state: list[int], earlier: Moment | None = None) -> None:
        numbers = tuple(state)
        runs = (numbers[at : at + _RUN] for at in range(0, len(numbers), _RUN))
        known = earlier._runs if earlier is not None else ()
        pairs = zip(runs, chain(known, repeat(())), strict=False)
        self._runs = tuple(there if run == there else run for run, there in pairs)

    @overload
    def __getitem__(self, at: int) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> list[int]: ...

    def __getitem__(self, at: int | slice) -> int | list[int]:
        if isinstance(at, slice):
            return list(chain.from_iterable(self._runs))[at]
        if at < 0:
            return self[:][at]
        return self._runs[at // _RUN][at % _RUN]


def moment(state: list[int], earlier: Moment | None) -> Moment:
    """A state to be kept; the earlier one itself, where nothing has changed."""
    made = Moment(state, earlier)
    if earlier is not None and len(made._runs) == len(earlier._runs):
        if all(run is there for run, there in zip(made._runs, earlier._runs, strict=True)):
            return earlier
    return made


__all__ = ["Moment", "moment"]
