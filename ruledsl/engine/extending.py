"""Whether several things that are being chosen one after the other can be completed.

The elements that may still be taken stand in piles, in the order in which they are offered; of a bag, a pile is what is
left of one kind; elements that no condition tells apart are one pile. The search takes some of the first pile, some of
the second, and so on. It leaves a way when the sums of `ir.core.Extending` cannot come to where they must any more, or
when it comes to where it was before as far as anything looks at it. What it finds is asked of the conditions
themselves. Every executor goes the same ways in the same order, so all find the same, and give up at the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.core import MOST_STORED, MOST_TRIED
from ruledsl.ir.ops import OPS
from ruledsl.records import dataclass
from ruledsl.types import BagOf, ListOf, bits

State = list[int]
Sums = tuple[int, ...]
GAVE_UP = f"more than {MOST_TRIED:,} ways were tried to complete what is chosen here"
PASSING = "passing"


@dataclass(slots=True)
class Pile:
    """Elements that nothing tells apart: what each adds to the sums, how many must and may be taken."""

    elements: list[tuple[int, int]]  # and how many there are of each
    adds: Sums
    least: int = 0
    most: int = 0


class Completion:
    """The search for one variable of an entry, while everything before it in the entry stays as it is."""

    def __init__(self, options: Any, v: State, entry: C.Entry, position: int) -> None:
        self.options, self.entry, self.position = options, entry, position
        self.variable = entry.variables[position]
        found = entry.extending[position] if entry.extending else None
        assert found is not None
        self.extending = found
        of = options.machine.evaluator.of
        self.so_far = of(entry.so_far) if entry.so_far is not None else None
        assert self.variable.fewest is not None
        self.fewest = of(self.variable.fewest)(v)
        self.is_bag, self.is_list = isinstance(self.variable.type, BagOf), isinstance(self.variable.type, ListOf)
        self.values: list[int]
        if self.is_bag:
            self.there = of(self.variable.each.domain[0])(v)
            self.values = list(range(len(self.there)))
        else:
            self.values = options.offered(v, self.variable)
            self.there = (1,) * len(self.values)
        self.at = {value: i for i, value in enumerate(self.values)}
        self.most = sum(self.there)
        if self.variable.most is not None:
            self.most = min(self.most, of(self.variable.most)(v))
        self.twins: list[Any] = (
            [] if self.is_bag or self.is_list else options.twins_among(v, self.variable, self.values)
        )
        self._ground(v)
        # Whether elements are taken one by one: in piles it could not be told what comes before what.
        self.singly = (self.extending.in_order or self.so_far is not None) if self.is_list else self._twins_apart()

    # --------------------------------------------------------------------------- what the conditions look at

    def _ground(self, v: State) -> None:
        """Works out every sum and bound as numbers."""
        extending, of = self.extending, self.options.machine.evaluator.of
        self.columns: list[list[int]] = []  # of the sums: what each element adds
        self.tests: list[tuple[str, int]] = []  # of the first sums: how they are compared, and with what
        kept = v[extending.element]
        self.must = self._grounded(v, extending.must)
        for node in extending.adds:
            self._column(v, of(node))
        if extending.sees:
            kinds: dict[Sums, int] = {}
            keys = [of(node) for node in extending.sees]
            seen = []
            for value in self.values:
                v[extending.element] = value
                seen.append(kinds.setdefault(tuple(key(v) for key in keys), len(kinds)))
            self.columns += [[int(kind == one) for one in seen] for kind in range(len(kinds))]
        v[extending.element] = kept
        self._sized()
        self.adds: list[Sums] = list(zip(*self.columns, strict=True)) if self.columns else [()] * len(self.values)

    def _sized(self) -> None:
        """A sum that must hold, to which all elements add the same, says how many may be chosen."""
        for which in _conjunction(self.must):
            relation, bound = self.tests[which]
            if relation == "unequal" or len(set(self.columns[which])) != 1 or not self.columns[which][0]:
                continue
            add = self.columns[which][0]
            if add < 0:
                add, bound, relation = -add, -bound, OPS[relation].mirrored
            if relation != "at_most":
                self.fewest = max(self.fewest, -(-bound // add))
            if relation != "at_least":
                self.most = min(self.most, bound // add)

    def _column(self, v: State, weight: Callable[[State], int]) -> None:
        element, column = self.extending.element, []
        for value in self.values:
            v[element] = value
            column.append(int(weight(v)))
        self.columns.append(column)

    def _grounded(self, v: State, test: C.Test) -> Any:
        """A test in numbers: a truth value, None, the number of a sum, or a tuple of what it is made of."""
        of = self.options.machine.evaluator.of
        match test:
            case None:
                return None
            case C.Tally(weight=weight, relation=relation, bound=bound):
                self.tests.append((relation, int(of(bound)(v))))
                self._column(v, of(weight))
                return ("sum", len(self.tests) - 1)
            case C.Every(all=every, tests=tests, each=each, where=where):
                inner = [self._grounded(v, one) for _ in self._combinations(v, each, where) for one in tests]
                return ("all" if every else "some", inner)
            case C.Passing(each=each, where=where, test=one, relation=relation, bound=bound):
                limit = int(of(bound)(v))
                return (PASSING, [self._grounded(v, one) for _ in self._combinations(v, each, where)], relation, limit)
        return bool(of(test)(v))

    def _combinations(self, v: State, each: tuple[C.Each, ...], where: C.Node | None) -> Iterator[None]:
        if not each:
            yield None
            return
        yield from self.options.machine.evaluator.combinations(each, where)(v)

    # ------------------------------------------------------------------------------------------- the search

    def possible(self, v: State) -> bool:
        """Whether what the state holds can be completed by more elements."""
        taken = self.options.taken(v, self.variable)
        rest = self._rest(taken)
        sums = [0] * len(self.columns)
        size = 0
        for value, n in taken:
            size += n
            for i, add in enumerate(self.adds[self.at[value]]):
                sums[i] += n * add
        self.failed: set[Any] = set()  # where there is no way on
        self.refused: set[Any] = set()  # what was complete and did not do
        self.stored = 0
        self._bounds: dict[Any, tuple[int, int]] = {}
        if self.singly:
            return self._next(v, sum(1 << i for i, _ in rest), size, tuple(sums))
        self.piles = self._piles(rest)
        if not self._bounded(tuple(sums)):
            return False
        self.least, self.rest = [0], [0]  # of the piles from each on: what must and what may be taken
        for pile in reversed(self.piles):
            self.least.insert(0, self.least[0] + pile.least)
            self.rest.insert(0, self.rest[0] + pile.most)
        if size + self.least[0] > self.most or size + self.rest[0] < self.fewest:
            return False
        self.needs, self.leaves = self._apart(("at_least", "equal")), self._apart(("at_most", "equal"))
        return self._search(v, 0, size, tuple(sums))

    def _rest(self, taken: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The places of elements that may still be taken, and how many of each: in order, each set comes once."""
        inside = {self.at[value]: n for value, n in taken}
        last = max(inside, default=-1)
        if self.is_bag:
            counts = ((i, self.there[i] - inside.get(i, 0)) for i in range(max(last, 0), len(self.values)))
            return [(i, n) for i, n in counts if n > 0]
        if self.is_list:
            return [(i, 1) for i in range(len(self.values)) if i not in inside]
        if not self.twins:
            return [(i, 1) for i in range(last + 1, len(self.values))]
        closed = {self.twins[i] for i in range(last) if i not in inside}
        return [(i, 1) for i in range(last + 1, len(self.values)) if self.twins[i] not in closed]

    def _piles(self, rest: list[tuple[int, int]]) -> list[Pile]:
        apart = self.extending.whole or self.so_far is not None
        piles: dict[Any, Pile] = {}
        for i, n in rest:
            pile = piles.setdefault(i if apart else self.adds[i], Pile([], self.adds[i]))
            pile.elements.append((self.values[i], n))
            pile.most += n
        return list(piles.values())

    def _twins_apart(self) -> bool:
        """Whether elements that are offered as one may be in different piles."""
        if not self.twins or self.extending.whole or self.so_far is not None:
            return bool(self.twins)
        first: dict[Any, Sums] = {}
        return any(first.setdefault(twin, adds) != adds for twin, adds in zip(self.twins, self.adds, strict=True))

    def _bounded(self, sums: Sums) -> bool:
        """Sums that must hold, to which only one pile adds anything, are bounds of what is taken of it."""
        self.settled: set[int] = set()
        for which in _conjunction(self.must):
            relation, bound = self.tests[which]
            piles = [pile for pile in self.piles if pile.adds[which]]
            if len(piles) != 1 or relation == "unequal":
                continue
            (pile,), left = piles, bound - sums[which]
            add = pile.adds[which]
            if add < 0:
                add, left, relation = -add, -left, OPS[relation].mirrored
            if relation != "at_most":
                pile.least = max(pile.least, -(-left // add))
            if relation != "at_least":
                pile.most = min(pile.most, left // add)
            self.settled.add(which)
            if pile.least > pile.most:
                return False
        return True

    def _apart(self, relations: tuple[str, str]) -> list[tuple[int, list[int]]]:
        """Sums that must hold to which different piles add something: each with its piles."""
        taken: set[int] = set()
        found = []
        for which in _conjunction(self.must):
            piles = [i for i, pile in enumerate(self.piles) if pile.adds[which]]
            if which in self.settled or self.tests[which][0] not in relations or not piles or taken.intersection(piles):
                continue
            if all(self.piles[i].adds[which] > 0 for i in piles):
                taken.update(piles)
                found.append((which, piles))
        return found

    def _counted_out(self, at: int, size: int, sums: Sums) -> bool:
        """Whether several sums together need more elements than may still come, or leave fewer than must come."""
        needed = 0
        for which, piles in self.needs:
            most = max(self.piles[i].adds[which] for i in piles)
            needed += max(0, -((sums[which] - self.tests[which][1]) // most))
        if size + needed > self.most:
            return True
        left = self.rest[at]
        for which, piles in self.leaves:
            there = sum(self.piles[i].most for i in piles if i >= at)
            least = min(self.piles[i].adds[which] for i in piles)
            left -= max(0, there - max(0, (self.tests[which][1] - sums[which]) // least))
        return size + left < self.fewest

    def _search(self, v: State, at: int, size: int, sums: Sums) -> bool:
        """Whether what is chosen can be left so or completed with piles from `at` on."""
        self.options.try_one(self.extending.span)
        if not self.least[at] and self._complete(v, size, sums):
            return True
        if size == self.most or self._counted_out(at, size, sums):
            return False
        known = [
            True if which in self.settled else _compared(*test, *self._range(which, at, size, sums[which]))
            for which, test in enumerate(self.tests)
        ]
        if self._outcome(self.must, known) is False:
            return False
        key = (at, size, *self._state(known, sums))
        if key in self.failed:
            return False
        for i in range(at, len(self.piles)):
            pile = self.piles[i]
            found, after = False, sums
            highest = min(pile.most, self.most - size)
            taken: list[int] = []
            for n, value in enumerate(islice(_units(pile.elements), highest), 1):
                self.options.add(v, self.variable, value)
                taken.append(value)
                after = tuple(a + b for a, b in zip(after, pile.adds, strict=True))
                if self.so_far is not None and not self.so_far(v):
                    break
                fits = n >= pile.least
                fits = fits and size + n + self.least[i + 1] <= self.most
                fits = fits and size + n + self.rest[i + 1] >= self.fewest
                if fits and self._search(v, i + 1, size + n, after):
                    found = True
                    break
            for value in reversed(taken):
                self.options.remove(v, self.variable, value)
            if found:
                return True
            if pile.least or size + self.rest[i + 1] < self.fewest:
                break  # it cannot be passed by
        if not self.extending.whole:
            self._store(self.failed, key)
        return False

    def _next(self, v: State, rest: int, size: int, sums: Sums) -> bool:
        """As `_search`, one element after the other: any of the rest may come next."""
        self.options.try_one(self.extending.span)
        if self._complete(v, size, sums):
            return True
        if size == self.most or size + rest.bit_count() < self.fewest:
            return False
        known: list[bool | None] = []
        for which, test in enumerate(self.tests):
            low = high = sums[which]
            for i in bits(rest):
                low, high = low + min(0, self.adds[i][which]), high + max(0, self.adds[i][which])
            known.append(_compared(*test, low, high))
        if self._outcome(self.must, known) is False:
            return False
        key = (rest,) if self.is_list else (rest, size, *self._state(known, sums))
        if key in self.failed:
            return False
        for i in bits(rest):
            if not self.is_list and any(self.twins[j] == self.twins[i] for j in bits(rest & ((1 << i) - 1))):
                continue  # of those that nothing tells apart the first comes first
            self.options.add(v, self.variable, self.values[i])
            found = (self.so_far is None or self.so_far(v)) and self._next(
                v, self._left(rest, i), size + 1, tuple(a + b for a, b in zip(sums, self.adds[i], strict=True))
            )
            self.options.remove(v, self.variable, self.values[i])
            if found:
                return True
        if not (self.extending.in_order if self.is_list else self.extending.whole):
            self._store(self.failed, key)
        return False

    def _store(self, met: set[Any], key: Any) -> None:
        if self.stored < MOST_STORED:
            self.stored += 2 + len(self.columns)
            met.add(key)

    def _left(self, rest: int, i: int) -> int:
        """What may still come after an element: in a list all others; in a set those behind it, and of twins that were
        passed by, none."""
        if self.is_list:
            return rest & ~(1 << i)
        passed = {self.twins[j] for j in bits(rest & ((1 << i) - 1))}
        return sum(1 << j for j in bits(rest >> (i + 1) << (i + 1)) if self.twins[j] not in passed)

    def _complete(self, v: State, size: int, sums: Sums) -> bool:
        """Whether what is chosen may be left as it is, and the rest of the entry can be completed."""
        if size < self.fewest:
            return False
        known = [_compared(*test, total, total) for test, total in zip(self.tests, sums, strict=False)]
        if self._outcome(self.must, known) is False or (size, sums) in self.refused:
            return False
        if self.options.goes_on(v, self.entry, self.position + 1):
            return True
        if not self.extending.whole and not self.extending.in_order:
            self._store(self.refused, (size, sums))
        return False

    def _state(self, known: list[bool | None], sums: Sums) -> Iterator[int | str]:
        """Where the search is as far as anything looks at it: sums of which it was told how they come out are alike."""
        for i, total in enumerate(sums):
            decided = known[i] if i < len(known) else None
            yield total if decided is None else "holds" if decided else "fails"

    def _range(self, which: int, at: int, size: int, total: int) -> tuple[int, int]:
        """Between which numbers a sum can come out: of as many elements as must still come, the least and the most."""
        found = self._bounds.get((which, at, size))
        if found is None:
            fewest = max(0, self.fewest - size - self.least[at])
            most = self.most - size - self.least[at]
            piles = [(pile.adds[which], pile.least, pile.most - pile.least) for pile in self.piles[at:]]
            sure = sum(add * least for add, least, _ in piles)
            piles.sort()
            high = sum(add * n for add, n in _picked([(add, n) for add, _, n in reversed(piles)], fewest, most))
            low = sum(-add * n for add, n in _picked([(-add, n) for add, _, n in piles], fewest, most))
            found = self._bounds[which, at, size] = sure + low, sure + high
        return total + found[0], total + found[1]

    def _outcome(self, test: Any, known: list[bool | None]) -> bool | None:
        """How a test comes out, as far as that is told by what is known of the sums."""
        if test is None or isinstance(test, bool):
            return test
        form, inner = test[:2]
        if form == "sum":
            return known[inner]
        outcomes = [self._outcome(one, known) for one in inner]
        if form == PASSING:
            low, high = outcomes.count(True), len(outcomes) - outcomes.count(False)
            return _compared(test[2], test[3], low, high)
        if form == "all":
            return False if False in outcomes else None if None in outcomes else True
        return True if True in outcomes else None if None in outcomes else False


def _picked(piles: list[tuple[int, int]], fewest: int, most: int) -> Iterator[tuple[int, int]]:
    """Of piles from the best to the worst so many elements that they add up to the most."""
    taken = 0
    for add, n in piles:
        n = min(n, (most if add > 0 else fewest) - taken)
        if n > 0:
            taken += n
            yield add, n


def _units(elements: list[tuple[int, int]]) -> Iterator[int]:
    for value, n in elements:
        for _ in range(n):
            yield value


def _conjunction(test: Any) -> Iterator[int]:
    """The sums that must come out as they are asked to, whatever else does."""
    if isinstance(test, tuple):
        if test[0] == "sum":
            yield test[1]
        elif test[0] == "all":
            for one in test[1]:
                yield from _conjunction(one)


def _compared(relation: str, bound: int, low: int, high: int) -> bool | None:
    """How a number between two others compares."""
    if relation == "at_least":
        return True if low >= bound else False if high < bound else None
    if relation == "at_most":
        return True if high <= bound else False if low > bound else None
    same = True if low == high == bound else False if high < bound or low > bound else None
    return same if relation == "equal" or same is None else not same
