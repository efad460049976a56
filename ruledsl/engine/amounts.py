"""Options that differ in an amount alone, as `raise to 40` and `raise to 41`: in which order they are worth a look.

Where there are many, hardly any would ever be tried, and what else can be done not either. So the least is tried first,
then the most, then the one halfway, and so on, halving the gaps. `generate/amounts.c` does the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ruledsl.ir import core as C
from ruledsl.types import Num

from .options import staged

MANY = 8  # so many amounts are options like others


def columns(choice: C.Choice) -> dict[int, int]:
    """By entry of a menu whose options may differ in an amount alone, where in the option it is."""
    found = {}
    for number, entry in enumerate(choice.entries):
        if entry.variables and isinstance(entry.variables[-1].type, Num) and not staged(entry):
            found[number] = len(entry.variables)
    return found


def rounds(choice: C.Choice, options: Sequence[tuple[int, ...]]) -> list[int] | None:
    """In which round each option is tried, 0 being the first; None where all are in that."""
    if len(options) <= MANY or not (at := columns(choice)):
        return None
    found: list[int] = []
    for _, alike in groupby(options, lambda raw: raw[: at[raw[0]]] if raw[0] in at else object()):
        count = len(list(alike))
        found += [_round(i, count) for i in range(count)] if count > MANY else [0] * count
    return found if any(found) else None


def _round(at: int, count: int) -> int:
    if at in (0, count - 1):
        return int(at > 0)
    low, high, number = 0, count - 1, 2
    while at != (middle := (low + high) // 2):
        low, high, number = (low, middle, number + 1) if at < middle else (middle, high, number + 1)
    return number
