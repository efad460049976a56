"""How many options a choice can have at once, told from the rules alone: never fewer than play ever comes to.

Nobody can choose from a list of millions, and no machine should have to write it down. A menu that gets longer than
`MOST_OPTIONS` ends the play in a fault, on every executor alike; `check` tells beforehand where that can happen.
"""

from __future__ import annotations

from math import prod

from ruledsl.ir import core as C
from ruledsl.types import BagOf, Bool, Elem, ListOf, Num, SetOf, Type

MOST_OPTIONS = 200_000  # of one menu; support.c has the same number
MANY = 1_000_000  # where conditions leave few of so many, going through them takes long, too
TOO_MANY_OUTCOMES = f"there are more than {MOST_OPTIONS:,} to pick from"
TOO_MANY = f"this choice has more than {MOST_OPTIONS:,} options at once"


def at_most(choice: C.Choice) -> int:
    """How many options a choice has at the most, at any of its steps."""
    first, later = 1 if choice.stop is not None or any(entry.anytime for entry in choice.entries) else 0, 0
    for entry in choice.entries:
        steps = _steps(entry)
        first += steps[0]
        later = max(later, *steps[1:], 0)
    return max(first, later)


def at_least(choice: C.Choice) -> int:
    """How many options a choice has for certain, whenever it is asked: of entries without any condition."""
    return sum(
        _steps(entry)[0]
        for entry in choice.entries
        if entry.anytime is None
        and not (entry.when or entry.where or entry.so_far)
        and all(variable.where is None and _fixed(variable.each) for variable in entry.variables)
    )


def outcomes(chance: C.Chance) -> int:
    """How many outcomes a random pick has for certain, as far as its form tells."""
    variable = chance.variable
    sure = variable is not None and variable.where is None and chance.weight is None and _fixed(variable.each)
    return _values(variable) if variable is not None and sure else 0


def _steps(entry: C.Entry) -> list[int]:
    """The options of each step of an entry; it has one step unless it is chosen in several."""
    sizes = [_values(variable) for variable in entry.variables]
    several = [variable.fewest is not None for variable in entry.variables]
    if not entry.stepwise and not any(several):
        return [prod(sizes)]
    found: list[int] = []
    together = 1
    for size, is_set in zip(sizes, several, strict=True):
        if is_set:
            if together > 1:
                found.append(together)
            found.append(size + 1)  # or done
            together = 1
        elif entry.stepwise:
            found.append(size)
        else:
            together *= size
    return [*found, together] if together > 1 or not found else found


def _values(variable: C.Variable) -> int:
    each = variable.each
    if each.form == "range":
        low, high = each.domain
        if isinstance(low, C.Const) and isinstance(high, C.Const):
            return max(0, high.value - low.value + 1)
        return _of_type(variable.type)
    return min(_members(each.domain[0]), _of_type(variable.type))


def _fixed(each: C.Each) -> bool:
    return all(isinstance(part, C.Const) for part in each.domain)


def _of_type(kind: Type) -> int:
    """How many values a type has; of several at once, how many one of them may be."""
    match kind:
        case SetOf(of=inner) | ListOf(of=inner):
            return _of_type(inner)
        case Elem(mask=mask, maybe=maybe):
            return mask.bit_count() + maybe
        case BagOf(root=root):
            return root.size
        case Num(low=low, high=high):
            return high - low + 1
        case Bool():
            return 2
    return 1 << 40  # nothing is known of it


def _members(node: C.Node, deep: int = 8) -> int:
    """How many members a set or list has at the most, as far as its form tells."""
    match node:
        case C.Const(value=value):
            return len(value) if isinstance(value, tuple) else int(value).bit_count()
        case C.Look(table=table, none=none):
            return max((_members(C.Const(value)) for value in (*table, none)), default=0)
        case C.Cond(then=then, otherwise=otherwise) if deep:
            return max(_members(then, deep - 1), _members(otherwise, deep - 1))
        case C.Op(name="common", args=args) if deep:
            return min(_members(arg, deep - 1) for arg in args)
        case C.Op(name="union" | "join", args=args) if deep:
            return sum(_members(arg, deep - 1) for arg in args)
        case C.Op(name="minus" | "without_set" | "take", args=args) if deep:
            return _members(args[0], deep - 1)
        case C.Op(name="only"):
            return 1
        case C.Op(name="make", args=args):
            return len(args)
        case C.Invoke(formula=formula) if deep and formula.body is not None:
            return _members(formula.body, deep - 1)
        case C.Fold(kind="set" | "list", each=each) if deep:
            return prod(_members(one.domain[0], deep - 1) if one.form != "range" else 1 << 40 for one in each)
    return 1 << 40
