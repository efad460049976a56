"""Counts of which it is asked only whether they are none."""

from __future__ import annotations

from ruledsl.generate.passes import PYTHON, rewrite
from ruledsl.generate.passes import C as IN_C
from ruledsl.ir import core as C

# How often a count may be, asked so: none, or some.
_NONE = {("equal", 0), ("at_most", 0), ("less", 1)}
_SOME = {("unequal", 0), ("greater", 0), ("at_least", 1)}
_MIRRORED = {"equal": "equal", "unequal": "unequal", "less": "greater", "greater": "less"}
_MIRRORED |= {"at_most": "at_least", "at_least": "at_most"}


@rewrite("some-counted", "whether a count is more than none is the question whether there is any", IN_C, PYTHON)
def some_counted(node: C.Node) -> C.Node | None:
    """`count(gain(s)) > 0` is `any(gain(s))`, which ends at the first and needs no number.

    A designer asks it as it comes: `count(…) == 0`, `0 < count(…)`, `count(…) >= 1`.
    """
    match node:
        case C.Op(name=name, args=(count, C.Const(value=int(number)))):
            asked = name, number
        case C.Op(name=name, args=(C.Const(value=int(number)), count)) if name in _MIRRORED:
            asked = _MIRRORED[name], number
        case _:
            return None
    if asked not in _NONE and asked not in _SOME:
        return None
    match count:
        case C.Op(name="size", args=(members,)):
            return C.Op("unequal" if asked in _SOME else "equal", (members, C.Const(0)), node.span)
        case C.Fold(kind="count", value=None, keys=()):
            found = C.Fold("any", count.each, count.where, None, (), -1, count.span)
            return found if asked in _SOME else C.Op("not", (found,), node.span)
    return None
