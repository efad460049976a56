"""Operations on values alone: numbers, sets, lists and bags."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from ruledsl.types import NO_NUMBER, bits

from .exchanges import exchanges_needed
from .payments import payment, payment_next, payments, price_met

OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.floordiv,
    "remainder": operator.mod,
    "negative": operator.neg,
    "absolute": abs,
    "gcd": math.gcd,
    "least": min,
    "greatest": max,
    "equal": operator.eq,
    "unequal": operator.ne,
    "less": operator.lt,
    "at_most": operator.le,
    "greater": operator.gt,
    "at_least": operator.ge,
    "not": operator.not_,
    "is_there": lambda x: x >= 0,
    "is_number": lambda x: x != NO_NUMBER,
    "truth": bool,
    # sets
    "only": lambda x: 1 << x if x >= 0 else 0,
    "union": operator.or_,
    "minus": lambda a, b: a & ~b,
    "within": lambda a, b: a & ~b == 0,
    "common": operator.and_,
    "holds": lambda x, s: x >= 0 and s >> x & 1 == 1,
    "size": int.bit_count,
    "lowest": lambda s: (s & -s).bit_length() - 1,
    "highest": lambda s: s.bit_length() - 1,
    "span": lambda low, high: ((1 << (high - low + 1)) - 1) << low if high >= low else 0,
    "rotate": lambda i, k, n: i if i < 0 else (i + k) % n,
    "members": lambda s: tuple(bits(s)),
    # lists
    "in_list": lambda x, items: x in items,
    "make": lambda *items: items,
    "collect": lambda items: sum({1 << x for x in items if x >= 0}),
    "join": operator.add,
    "without_set": lambda items, gone: tuple(x for x in items if not gone >> x & 1),
    "length": len,
    "take": lambda items, n: items[: max(0, n)],
    "item": lambda items, i, none: items[i - 1] if 1 <= i <= len(items) else none,
    "head": lambda items, none: items[0] if items else none,
    "tail": lambda items, none: items[-1] if items else none,
    "position": lambda items, x: items.index(x) + 1 if x in items else NO_NUMBER,
    "upto": lambda low, high: tuple(range(low, high + 1)),
    "total_of": sum,
    "median": lambda items, none: sorted(items)[(len(items) - 1) // 2] if items else none,
    # bags
    "bag_add": lambda a, b: tuple(map(operator.add, a, b)),
    "bag_subtract": lambda a, b: tuple(map(operator.sub, a, b)),
    "bag_times": lambda bag, n: tuple(x * n for x in bag),
    "bag_within": lambda a, b: all(map(operator.le, a, b)),
    "bag_total": sum,
    "bag_item": lambda bag, i: bag[i] if i >= 0 else 0,
    "bag_kinds": lambda bag: sum(1 << i for i, n in enumerate(bag) if n > 0),
    "bag_of": lambda member, n, size: tuple(n if i == member else 0 for i in range(size)),
    "bag_widen": lambda bag, size: (*bag, *(0,) * (size - len(bag))),
    "price_met": price_met,
    "payments": payments,
    "payment": payment,
    "payment_next": payment_next,
    "exchanges_needed": exchanges_needed,
    "bag_clip": lambda bag: tuple(max(0, x) for x in bag),
    # circles
    "from": lambda items, x: _circle(items, x, 0),
    "after": lambda items, x: _circle(items, x, 1),
}


def _circle(items: tuple[int, ...], x: int, skip: int) -> tuple[int, ...]:
    """The items as a circle that begins at x, or behind it; a number x that is missing begins at the next one."""
    if x in items:
        i = items.index(x)
        return items[i + skip :] + items[: i + skip]
    later = next((i for i, item in enumerate(items) if item > x), 0)
    return items[later:] + items[:later]
