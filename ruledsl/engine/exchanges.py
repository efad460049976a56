"""Whether exchanges lead to where a price can be paid, and how many it takes: the shortest way, found breadth first.

Tokens go to and fro between a holder and a supply, so a holder can never have more of a sort than both together
(`most`); that is all that a finite supply says. A move has the number of its exchange, what is given and what is got,
one number for each sort; `uses` says how often each exchange may still be made.
"""

from __future__ import annotations

from functools import lru_cache

from .payments import KEPT, Bag, price_met

IMPOSSIBLE, TOO_MANY = -1, -2
MOST_SEEN = 200_000  # holdings that are looked at for one answer
WITHOUT_END = 1_000_000  # how often an exchange without a limit may be made, and what a supply without end has

Move = tuple[int, Bag, Bag]


@lru_cache(maxsize=64)
def moves_of(flat: Bag, sorts: int) -> tuple[Move, ...]:
    """The moves of a list in which they stand one behind the other."""
    width = 1 + 2 * sorts
    rows = (flat[at : at + width] for at in range(0, len(flat), width))
    return tuple((row[0], row[1 : 1 + sorts], row[1 + sorts :]) for row in rows)


@lru_cache(maxsize=KEPT)
def exchanges_needed(price: Bag, have: Bag, most: Bag, due: int, free: Bag, flat: Bag, uses: Bag) -> int:
    """How many exchanges it takes to pay a price with so many tokens; one of the numbers above if it cannot be told."""
    if price_met(price, have, free) >= due:
        return 0
    moves = moves_of(flat, len(have))
    if sum(have) < due and all(sum(get) <= sum(give) for _, give, get in moves):
        return IMPOSSIBLE
    seen = {(have, uses)}
    now, number = [(have, uses)], 0
    while now:
        number += 1
        later = []
        for held, left in now:
            for one, give, get in moves:
                if left[one] <= 0 or any(n < g for n, g in zip(held, give, strict=True)):
                    continue
                after = tuple(n - g + more for n, g, more in zip(held, give, get, strict=True))
                if any(n > cap for n, cap in zip(after, most, strict=True)):
                    continue
                if left[one] < WITHOUT_END:
                    rest = (*left[:one], left[one] - 1, *left[one + 1 :])
                else:
                    rest = left
                if (after, rest) in seen:
                    continue
                if price_met(price, after, free) >= due:
                    return number
                seen.add((after, rest))
                later.append((after, rest))
                if len(seen) > MOST_SEEN:
                    return TOO_MANY
        now = later
    return IMPOSSIBLE
