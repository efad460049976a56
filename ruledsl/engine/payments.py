"""Which tokens pay a price: sums over the sorts, and all ways one after the other.

A price has a number for each sort of tokens, then one for each of its free parts, of which `free` tells (as bits) the
sorts that pay it. What pays a price is a matter of giving each token a part of it; so it is known by counting, without
trying: whatever free parts are joined, no more of them is paid than there are tokens of their sorts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

Bag = tuple[int, ...]
KEPT = 1 << 14  # answers kept by each of the functions below


@lru_cache(maxsize=KEPT)
def price_met(price: Bag, have: Bag, free: Bag) -> int:
    """How many tokens of a price can be paid out of a bag."""
    rest = [n - min(n, needed) for n, needed in zip(have, price, strict=False)]
    fixed = sum(have) - sum(rest)
    parts = [(n, sorts) for n, sorts in zip(price[len(have) :], free, strict=True) if n > 0]
    least = sum(n for n, _ in parts)
    for some in range(1 << len(parts)):  # those that are not paid in full, together
        reached = paid = 0
        for i, (n, sorts) in enumerate(parts):
            if some >> i & 1:
                reached |= sorts
            else:
                paid += n
        least = min(least, paid + sum(n for sort, n in enumerate(rest) if reached >> sort & 1))
    return fixed + least


@lru_cache(maxsize=KEPT)
def payments(price: Bag, have: Bag, due: int, free: Bag, most: int) -> int:
    """In how many ways it can be paid with so many tokens, counted up to a number."""
    return sum(1 for _ in islice(_ways(price, have, due, free), most))


@lru_cache(maxsize=KEPT)
def payment(price: Bag, have: Bag, due: int, free: Bag, number: int) -> Bag:
    """One of the ways to pay it. Where there is none, what it would take: more than there is."""
    found = next(islice(_ways(price, have, due, free), number, None), None)
    if found is not None:
        return found
    wanted = list(price[: len(have)])
    for n, sorts in zip(price[len(have) :], free, strict=True):
        wanted[(sorts & -sorts).bit_length() - 1] += n
    return tuple(wanted)


@lru_cache(maxsize=KEPT)
def payment_next(price: Bag, paid: Bag, have: Bag, due: int, free: Bag) -> Bag:
    """One of each sort that may come next, if sorts are paid in their order, so that the rest can be paid."""
    last = max((sort for sort, n in enumerate(paid) if n), default=0)
    return tuple(
        int(sort >= last and paid[sort] < have[sort] and _goes_on(price, paid, have, due, free, sort))
        for sort in range(len(have))
    )


def _goes_on(price: Bag, paid: Bag, have: Bag, due: int, free: Bag, sort: int) -> bool:
    """Whether so much can be paid with one more of a sort, and then with more of it and of later ones alone."""
    more = (*paid[:sort], paid[sort] + 1, *paid[sort + 1 :])
    if price_met(price, more, free) < sum(more):
        return False
    return price_met(price, (*more[:sort], *have[sort:]), free) >= due


def _ways(price: Bag, have: Bag, due: int, free: Bag) -> Iterator[Bag]:
    """All bags of so many tokens that pay it; more of the sorts that stand first come first."""
    chosen = [0] * len(have)

    def fill(sort: int, left: int) -> Iterator[Bag]:
        if sort == len(have):
            yield tuple(chosen)
            return
        for n in range(min(have[sort], left), -1, -1):
            chosen[sort] = n
            begun = (*chosen[: sort + 1], *(0,) * (len(have) - sort - 1))
            if price_met(price, begun, free) == sum(begun):
                rest = (*begun[: sort + 1], *have[sort + 1 :])
                if price_met(price, rest, free) < due:
                    break  # with fewer of this sort still less is paid
                yield from fill(sort + 1, left - n)
        chosen[sort] = 0

    if price_met(price, have, free) >= due:
        yield from fill(0, due)
