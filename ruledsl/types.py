"""The types of the rule language, and the finite sets (`Root`) that their values are members of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any, overload

from ruledsl.records import dataclass

NONE = -1  # none, where a member of a root is expected
NO_NUMBER = -(2**31)  # none, where a number is expected
FAR = 2**31 - 1  # the end of what a number may be


@dataclass(eq=False)
class Root:
    """A finite set declared by the game: its members are the numbers 0 … size - 1.

    `kind` is one of: player, enum, space, piece, part, place, direction. What can be asked of a member
    (`x.name`) is in `attributes`; which `Attribute` serves depends on the member, so each name has a list.
    """

    name: str
    kind: str
    names: list[str] = field(default_factory=list)
    titles: list[Any] = field(default_factory=list)
    attributes: dict[str, list[Attribute]] = field(default_factory=dict)
    parts: dict[str, int] = field(default_factory=dict)  # named sets of members
    whole: Root | None = None  # of the sorts of a price: the type whose members come first here
    free: tuple[int, ...] = ()  # of such: for each sort behind them, which members of that type may be paid for it

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def everything(self) -> int:
        return (1 << len(self.names)) - 1

    def __repr__(self) -> str:
        return f"Root({self.name})"


@dataclass(frozen=True)
class Attribute:
    """What `x.name` means for the members in `mask`: `build` makes the code from the code of x."""

    name: str
    mask: int
    type: Type
    build: Any  # Callable[[Node], Node]
    origin: Any = None


@dataclass(frozen=True)
class Bool:
    pass


@dataclass(frozen=True)
class Num:
    """A whole number from `low` to `high`."""

    low: int
    high: int
    maybe: bool = False


@dataclass(frozen=True)
class Elem:
    """A member of a root, known to be one of `mask`."""

    root: Root
    mask: int
    maybe: bool = False


@dataclass(frozen=True)
class SetOf:
    of: Elem | Num


@dataclass(frozen=True)
class ListOf:
    of: Type
    most: int


@dataclass(frozen=True)
class BagOf:
    """How many of each member of a root; at most `most` of one. A price is a bag with sorts such as `any wood`."""

    root: Root
    mask: int
    most: int


@dataclass(frozen=True)
class TableOf:
    """A value by key: what is left after `x.edges`, before `[d]`."""

    keys: tuple[Elem | Num, ...]
    item: Type


@dataclass(frozen=True)
class Code:
    """A formula or an effect that stands in a row of a table."""

    kind: str
    parameters: tuple[Type, ...]
    item: Type | None


@dataclass(frozen=True)
class Nothing:
    """The type of `none` and of `[]`, which fit where anything of their sort does; `[]` is no member of anything."""

    listed: bool = False


@dataclass(frozen=True)
class Broken:
    """The type of what was reported already; it fits everywhere."""


Type = Bool | Num | Elem | SetOf | ListOf | BagOf | TableOf | Code | Nothing | Broken

BOOL = Bool()
NOTHING = Nothing()
EMPTY = Nothing(listed=True)
BROKEN = Broken()


def every(root: Root) -> Elem:
    return Elem(root, root.everything)


def is_maybe(type: Type) -> bool:
    return isinstance(type, Nothing) or (isinstance(type, Num | Elem) and type.maybe)


def maybe(type: Type) -> Type:
    match type:
        case Num(low, high, _):
            return Num(low, high, True)
        case Elem(root, mask, _):
            return Elem(root, mask, True)
    return type


@overload
def surely(type: Num) -> Num: ...
@overload
def surely(type: Elem) -> Elem: ...
@overload
def surely(type: Type) -> Type: ...
def surely(type: Type) -> Type:
    match type:
        case Num(low, high, True):
            return Num(low, high)
        case Elem(root, mask, True):
            return Elem(root, mask)
    return type


def none_of(type: Type) -> int:
    return NO_NUMBER if isinstance(type, Num) else NONE


def bits(mask: int) -> Iterable[int]:
    """The members of a set, in their order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def members(mask: int) -> tuple[int, ...]:
    """The members of a set, all at once: a set of thousands is gone through once, not once for each of them."""
    signs, found = bin(mask)[:1:-1], []
    at = signs.find("1")
    while at >= 0:
        found.append(at)
        at = signs.find("1", at + 1)
    return tuple(found)


def _with_nothing(other: Type, nothing: Nothing) -> Type | None:
    """What holds `none` or `[]` beside something else; an empty list goes only with what can be empty."""
    if isinstance(other, SetOf | ListOf | BagOf | Nothing) or (isinstance(other, Bool) and not nothing.listed):
        return other
    return None if nothing.listed else maybe(other)


def join(a: Type, b: Type) -> Type | None:
    """The narrowest type that holds the values of both, if there is one."""
    if a.__class__ is Num and a == b:  # most often
        return a
    if isinstance(a, Broken) or isinstance(b, Broken):
        return BROKEN
    if isinstance(a, Nothing):
        return _with_nothing(b, a)
    if isinstance(b, Nothing):
        return _with_nothing(a, b)
    match a, b:
        case Bool(), Bool():
            return BOOL
        case Num(), Num():
            return Num(min(a.low, b.low), max(a.high, b.high), a.maybe or b.maybe)
        case Elem(), Elem() if a.root is b.root:
            mask, maybe_none = a.mask | b.mask, a.maybe or b.maybe
            return a if mask == a.mask and maybe_none == a.maybe else Elem(a.root, mask, maybe_none)
        case SetOf(), SetOf():
            inner = join(a.of, b.of)
            return SetOf(inner) if isinstance(inner, Elem | Num) else None
        case ListOf(), ListOf():
            if a.most == 0 or b.most == 0:
                return a if b.most == 0 else b
            item = join(a.of, b.of)
            return ListOf(item, max(a.most, b.most)) if item is not None else None
        case ListOf(), SetOf():
            return join(SetOf(a.of), b) if isinstance(a.of, Elem | Num) else None
        case SetOf(), ListOf():
            return join(b, a)
        case BagOf(), BagOf() if a.root is b.root or a.root.whole is b.root or b.root.whole is a.root:
            root = a.root if b.root is not a.root and a.root.whole is b.root else b.root
            return BagOf(root, a.mask | b.mask, max(a.most, b.most))
        case TableOf(), TableOf() if a.keys == b.keys:
            item = join(a.item, b.item)
            return TableOf(a.keys, item) if item is not None else None
    return None
