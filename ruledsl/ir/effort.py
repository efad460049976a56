"""How many steps an expression may take."""

from __future__ import annotations

from typing import Any

from . import core as C
from .walk import parts

UNKNOWN = 100  # members of a set that only play can show


def effort(node: Any, known: dict[int, int], unknown: int = UNKNOWN) -> int:
    """The steps of an expression at the most, roughly; `known` has those of the formulas met before, `unknown` is how
    many members a set counts for that only play can show."""
    match node:
        case C.Fold():
            times = 1
            for each in node.each:
                times *= size(each, unknown)
            inner = sum(
                effort(part, known, unknown) for part in (node.where, node.value, *node.keys) if part is not None
            )
            return times * (1 + inner) + sum(effort(part, known, unknown) for each in node.each for part in each.domain)
        case C.Invoke(formula=formula, args=args):
            if id(formula) not in known:
                known[id(formula)] = 1  # a formula that needs itself was refused
                known[id(formula)] = effort(formula.body, known, unknown)
            return 1 + known[id(formula)] + sum(effort(arg, known, unknown) for arg in args)
        case None:
            return 0
    return 1 + sum(effort(part, known, unknown) for part in parts(node))


def size(each: C.Each, unknown: int = UNKNOWN) -> int:
    """How many members a variable runs over; `unknown` where only play can show."""
    values = [part.value if isinstance(part, C.Const) else None for part in each.domain]
    if each.form == "range":
        low, high = values
        return max(0, high - low + 1) if isinstance(low, int) and isinstance(high, int) else unknown
    (value,) = values
    if isinstance(value, tuple):
        return len(value)
    return value.bit_count() if isinstance(value, int) else unknown
