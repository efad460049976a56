"""What kind of value an expression has: a number with its bounds, a set, a list, a word.

The reference interpreter keeps sets as integers of any length; an executor that lays them out in machine words must
know which integers are sets, and how many members they may have.
"""

from __future__ import annotations

from typing import Any

from ruledsl.records import dataclass
from ruledsl.types import NO_NUMBER, BagOf, Bool, Elem, ListOf, Num, SetOf

FAR = 1 << 40  # a bound that says nothing
PLAIN = 62  # sets of so many members are the same machine word as a number

NUMBER, SET, LIST, WORD = "number", "set", "list", "word"


@dataclass(frozen=True, slots=True)
class Kind:
    """A number from `low` to below `top`; a set of members below `top`; a list of such numbers; a 64-bit word."""

    sort: str
    low: int = -FAR
    top: int = FAR

    @property
    def sure(self) -> bool:
        """Whether it is never none."""
        return self.low >= 0

    @property
    def members(self) -> int:
        """How many members it has at most if it is taken as a set."""
        if self.sort == SET:
            return self.top
        return PLAIN if self.top >= FAR else max(1, (max(self.top - 1, 1)).bit_length())


def number(low: int, top: int) -> Kind:
    low = min(max(low, -FAR), FAR - 1)
    return Kind(NUMBER, low, max(min(top, FAR), low + 1))


def a_set(top: int) -> Kind:
    return Kind(SET, 0, top)


def a_list(of: Kind) -> Kind:
    return Kind(LIST, of.low, of.top)


ANY_NUMBER = Kind(NUMBER)
TRUTH = Kind(NUMBER, 0, 2)
A_WORD = Kind(WORD)
A_BAG = Kind(LIST)
COUNT = Kind(NUMBER, 0, FAR)  # of some things


def join(a: Kind, b: Kind) -> Kind:
    """The kind that holds the values of both."""
    if a == b:
        return a
    if a.sort != b.sort:
        if {a.sort, b.sort} == {NUMBER, SET}:  # a small constant that stands for a set
            one, other = (a, b) if a.sort == SET else (b, a)
            return a_set(max(one.top, min(other.top, 1 << PLAIN).bit_length()))
        raise AssertionError(f"no kind holds {a} and {b}")
    return Kind(a.sort, min(a.low, b.low), max(a.top, b.top))


def meet(kind: Kind, other: Kind | None) -> Kind:
    """What lies in both, as far as they are of one sort."""
    if other is None or kind.sort != other.sort or kind.sort == WORD:
        return kind
    low, top = max(kind.low, other.low), min(kind.top, other.top)
    return Kind(kind.sort, low, top) if low < top else kind


def kind_of_value(value: Any) -> Kind:
    """The kind of a constant."""
    if isinstance(value, tuple):
        return Kind(LIST, min(value, default=0), max(value, default=0) + 1)
    value = int(value)
    if value.bit_length() > PLAIN and value > 0:
        return a_set(value.bit_length())
    return Kind(NUMBER, value, value + 1)


def kind_of_type(type: Any) -> Kind:
    """The kind of what a declared type holds; of lists and bags, that of their items."""
    match type:
        case Bool():
            return TRUTH
        case Num(low, high, maybe):
            return number(NO_NUMBER if maybe else low, high + 1)
        case Elem(_, mask, maybe):
            return number(-1 if maybe else 0, max(1, mask.bit_length()))
        case SetOf(of=Elem(mask=mask)):
            return a_set(max(1, mask.bit_length()))
        case SetOf(of=Num(high=high)):
            return a_set(high + 1)
        case ListOf(of=inner):
            return kind_of_type(inner)
        case BagOf():
            return COUNT
    return ANY_NUMBER
