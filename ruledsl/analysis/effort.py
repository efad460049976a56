"""How many steps an expression may take: what is worked out while a game is read must not take for ever."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ruledsl.ir import core as C

_UNKNOWN = 100  # members of a set that only play can show


def effort(node: Any, known: dict[int, int]) -> int:
    """The steps of an expression at the most, roughly; `known` has those of the formulas met before."""
    match node:
        case C.Fold():
            times = 1
            for each in node.each:
                times *= _size(each)
            inner = sum(effort(part, known) for part in (node.where, node.value, *node.keys) if part is not None)
            return times * (1 + inner) + sum(effort(part, known) for each in node.each for part in each.domain)
        case C.Invoke(formula=formula, args=args):
            if id(formula) not in known:
                known[id(formula)] = 1  # a formula that needs itself was refused
                known[id(formula)] = effort(formula.body, known)
            return 1 + known[id(formula)] + sum(effort(arg, known) for arg in args)
        case tuple():
            return sum(effort(part, known) for part in node)
        case C.Const() | C.Look():
            return 1 + (effort(node.index, known) if isinstance(node, C.Look) else 0)
    if type(node) not in _NODES:
        return 0
    return 1 + sum(
        effort(getattr(node, one.name), known)
        for one in fields(node)
        if one.name not in ("span", "procedure", "choice")
    )


def _size(each: C.Each) -> int:
    values = [part.value if isinstance(part, C.Const) else None for part in each.domain]
    if each.form == "range":
        low, high = values
        return max(0, high - low + 1) if isinstance(low, int) and isinstance(high, int) else _UNKNOWN
    (value,) = values
    if isinstance(value, tuple):
        return len(value)
    return value.bit_count() if isinstance(value, int) else _UNKNOWN


_NODES = set(C.Node.__args__)
