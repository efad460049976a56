"""Which spaces of a board are in the same position: a symmetry of the board takes one to the other.

First spaces are told apart by what is around them (`_refine`); most that are different differ already in that. For two
that remain alike a symmetry is searched: one space on the left and one on the right are marked, what follows is told
apart again in the same order on both sides, and so on until every space has its counterpart. Every symmetry that is
found joins positions all over the board, so few have to be searched for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Ways: TypeAlias = Sequence[Sequence[int]]  # for each space, where ways lead from it
MOST_WORK = 4_000_000  # ways looked at; a search that needs more is given up


class _GivenUp(Exception):
    """The search for symmetries takes too long."""


def positions(ways: Ways) -> tuple[list[list[int]], bool]:
    """Groups of spaces in the same position, each in natural order, and whether that is certain.

    If it is not, spaces of different groups are certainly different, those of one group may still be.
    """
    graph = _Graph(ways)
    first = graph.refined()
    try:
        return graph.orbits(first), True
    except _GivenUp:
        return [sorted(members) for members in first], False


class _Graph:
    """The ways of a board both there and back, and how much work has been done on them."""

    def __init__(self, ways: Ways) -> None:
        self.size = len(ways)
        self.out = [frozenset(ends) for ends in ways]
        into: list[set[int]] = [set() for _ in ways]
        for start, ends in enumerate(ways):
            for end in ends:
                into[end].add(start)
        self.into = [frozenset(starts) for starts in into]
        self.work: int | None = None  # what may still be done; not counted at first

    def refined(self) -> list[list[int]]:
        return self._refine([list(range(self.size))], [0])

    def _refine(self, groups: list[list[int]], splitters: list[int]) -> list[list[int]]:
        """Groups in which every space has as many ways to and from each group as the others of its group.

        The order of the groups depends on nothing but the shape of the board, so results can be compared.
        """
        groups = [list(members) for members in groups]
        group_of = [0] * self.size
        for number, members in enumerate(groups):
            for space in members:
                group_of[space] = number
        queue, waiting = list(splitters), set(splitters)
        while queue:
            splitter = queue.pop(0)
            waiting.discard(splitter)
            cause = tuple(groups[splitter])  # it may be parted by itself
            for near in (self.into, self.out):
                counts: dict[int, int] = {}
                for space in cause:
                    for other in near[space]:
                        counts[other] = counts.get(other, 0) + 1
                self._spend(len(counts) + len(cause))
                for touched in sorted({group_of[space] for space in counts}):
                    self._split(groups, group_of, touched, counts, queue, waiting)
        return groups

    def _split(
        self, groups: list[list[int]], group_of: list[int], touched: int, counts: dict[int, int], queue: list[int],
        waiting: set[int],
    ) -> None:  # fmt: skip
        """Parts a group by how often its spaces were counted; the first part keeps the number of the group."""
        parts: dict[int, list[int]] = {}
        for space in groups[touched]:
            parts.setdefault(counts.get(space, 0), []).append(space)
        if len(parts) == 1:
            return
        self._spend(len(groups[touched]))
        ordered = [parts[count] for count in sorted(parts)]
        numbers = [touched, *range(len(groups), len(groups) + len(ordered) - 1)]
        largest = max(range(len(ordered)), key=lambda place: len(ordered[place]))
        groups[touched] = ordered[0]
        groups.extend(ordered[1:])
        for place, (number, members) in enumerate(zip(numbers, ordered, strict=True)):
            for space in members:
                group_of[space] = number
            if number not in waiting and (place != largest or touched in waiting):
                queue.append(number)
                waiting.add(number)

    def _spend(self, work: int) -> None:
        if self.work is not None:
            self.work -= work
            if self.work < 0:
                raise _GivenUp

    def orbits(self, first: list[list[int]]) -> list[list[int]]:
        self.work = MOST_WORK
        joined = list(range(self.size))

        def root(space: int) -> int:
            while joined[space] != space:
                joined[space] = joined[joined[space]]
                space = joined[space]
            return space

        for number, members in enumerate(first):
            different: list[int] = []  # one of each position found in this group so far
            for space in members:
                if any(root(space) == root(other) for other in different):
                    continue
                for other in different:
                    symmetry = self._symmetry(first, number, other, space)
                    if symmetry is not None:
                        for start, end in enumerate(symmetry):
                            joined[root(max(start, end))] = root(min(start, end))
                        break
                else:
                    different.append(space)
        found: dict[int, list[int]] = {}
        for space in range(self.size):
            found.setdefault(root(space), []).append(space)
        return list(found.values())

    def _symmetry(self, groups: list[list[int]], number: int, left: int, right: int) -> list[int] | None:
        """Where a symmetry takes each space that takes `left` to `right`; None if there is none."""
        tries = [(groups, groups, number, left, right)]
        while tries:
            lefts, rights, number, left, right = tries.pop()
            lefts, rights = self._marked(lefts, number, left), self._marked(rights, number, right)
            if [len(members) for members in lefts] != [len(members) for members in rights]:
                continue
            several = next((place for place, members in enumerate(lefts) if len(members) > 1), None)
            if several is None:
                image = [0] * self.size
                for (start,), (end,) in zip(lefts, rights, strict=True):
                    image[start] = end
                self._spend(self.size)
                if all(self.out[image[space]] == {image[end] for end in self.out[space]} for space in range(self.size)):
                    return image
                continue
            # Where the rest stays in place it is a symmetry soonest: that one is tried first, so it is put last.
            begin, ends = lefts[several][0], rights[several]
            tries += [(lefts, rights, several, begin, end) for end in sorted(ends, key=lambda end: end == begin)]
        return None

    def _marked(self, groups: list[list[int]], number: int, space: int) -> list[list[int]]:
        """The groups after one space was set apart from its own."""
        if len(groups[number]) == 1:
            return groups
        rest = [other for other in groups[number] if other != space]
        self._spend(self.size)
        return self._refine([*groups[:number], rest, *groups[number + 1 :], [space]], [len(groups)])
