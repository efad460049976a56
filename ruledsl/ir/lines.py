"""Lines of spaces: where one comes to, step by step in one direction.

On a ring a line comes back to where it began, and where two ways lead into one, as from the start onto the track of a
race, it goes round without ever coming back there. A line ends where a space would come again.
"""

from __future__ import annotations

from functools import lru_cache


def line(steps: tuple[int, ...], count: int, start: int, way: int) -> tuple[int, ...]:
    """The spaces from a space, which is left out, in a direction: to the border, or to where one would come again."""
    found: dict[int, None] = {}
    at = steps[start * count + way]
    while at >= 0 and at != start and at not in found:
        found[at] = None
        at = steps[at * count + way]
    return tuple(found)


@lru_cache(maxsize=64)
def lines(steps: tuple[int, ...], count: int) -> tuple[tuple[int, ...], ...]:
    """The lines from every space in every direction."""
    return tuple(line(steps, count, start, way) for start in range(len(steps) // count) for way in range(count))


def ends(steps: tuple[int, ...], count: int, start: int, way: int) -> bool:
    """Whether a line comes to a border."""
    last = (start, *line(steps, count, start, way))[-1]
    return steps[last * count + way] < 0


@lru_cache(maxsize=64)
def all_end(steps: tuple[int, ...], count: int) -> bool:
    """Whether every line comes to a border."""
    return all(ends(steps, count, start, way) for start in range(len(steps) // count) for way in range(count))


@lru_cache(maxsize=64)
def merge(steps: tuple[int, ...], count: int) -> bool:
    """Whether in some direction two spaces lead to one, so that a line may go round without coming back."""
    ways = ([to for to in steps[way::count] if to >= 0] for way in range(count))
    return any(len(set(way)) < len(way) for way in ways)
