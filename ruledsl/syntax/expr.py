"""The forms of an expression: what is written, before any name is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from ruledsl.records import dataclass
from ruledsl.source.text import Span


@dataclass(frozen=True, slots=True)
class Num:
    span: Span
    value: int


@dataclass(frozen=True, slots=True)
class Name:
    """A word; `any wood` is the sort of a price that any member of `wood` pays."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class Literal:
    """`none`, `true` or `false`."""

    span: Span
    value: bool | None


@dataclass(frozen=True, slots=True)
class Items:
    """`[a, b, c]`."""

    span: Span
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Attribute:
    span: Span
    of: Expr
    name: Name


@dataclass(frozen=True, slots=True)
class Index:
    span: Span
    of: Expr
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """`for x in S`, or the `x in S` that opens a comprehension."""

    name: Name
    domain: Expr


@dataclass(frozen=True, slots=True)
class Arguments:
    """What stands between the brackets of a call; the last three parts make it a comprehension."""

    plain: tuple[Expr, ...] = ()
    named: tuple[tuple[Name, Expr], ...] = ()
    sources: tuple[Source, ...] = ()
    where: Expr | None = None
    keys: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    span: Span
    of: Expr
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Unary:
    """`not x` and `-x`."""

    span: Span
    op: str
    of: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """Every operator with two sides, by the way it is written."""

    span: Span
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class If:
    span: Span
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Bad:
    """Text that could not be read and was reported; silent from then on."""

    span: Span


Expr = Num | Name | Literal | Items | Attribute | Index | Call | Unary | Binary | If | Bad


@dataclass(frozen=True, slots=True)
class Domain:
    """What a choice or a loop runs over: `S where c`, or `n of S where c` for several at once."""

    span: Span
    of: Expr
    where: Expr | None = None
    count: Expr | None = None


@dataclass(frozen=True, slots=True)
class NamedType:
    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class RangeType:
    span: Span
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class SetType:
    span: Span
    of: str


@dataclass(frozen=True, slots=True)
class BagType:
    span: Span
    of: str
    free: bool = False  # a price: parts of it may be paid with any of several sorts


@dataclass(frozen=True, slots=True)
class ListType:
    span: Span
    of: TypeExpr
    most: Expr


@dataclass(frozen=True, slots=True)
class MaybeType:
    span: Span
    of: TypeExpr


@dataclass(frozen=True, slots=True)
class TableType:
    span: Span
    of: TypeExpr
    by: str


@dataclass(frozen=True, slots=True)
class CodeType:
    """`number`, `condition` or `effect`, with the parameters that the code is given."""

    span: Span
    kind: str
    parameters: tuple[Parameter, ...]


TypeExpr = NamedType | RangeType | SetType | BagType | ListType | MaybeType | TableType | CodeType | Bad


@dataclass(frozen=True, slots=True)
class Parameter:
    span: Span
    type: TypeExpr
    name: Name


@dataclass(frozen=True, slots=True)
class Header:
    """`power(enemy e, 0..5 n)`: the name of a rule and its parameters."""

    span: Span
    name: Name
    parameters: tuple[Parameter, ...]


def opened(arguments: Arguments) -> tuple[list[Expr], list[Source]]:
    """The arguments of a comprehension and what it runs over: `x in S` at their end opens one, and is no question."""
    plain, sources = list(arguments.plain), list(arguments.sources)
    if not sources:
        while plain and isinstance(last := plain[-1], Binary) and last.op == "in" and isinstance(last.left, Name):
            plain.pop()
            sources.insert(0, Source(last.left, last.right))
    return plain, sources


def amount(span: Span, sort: Expr, number: Expr | None = None) -> Expr:
    """So many of a sort, one without a number: `2 wood` in a list is `amount(wood, 2)`."""
    return Call(span, Name(span, "amount"), Arguments((sort, number or Num(span, 1))))


def bag(span: Span, amounts: list[Expr]) -> Expr:
    """Amounts that are listed are added up: `[2 wood, gold]` is `amount(wood, 2) + amount(gold, 1)`."""
    whole = amounts[0]
    for more in amounts[1:]:
        whole = Binary(span, "+", whole, more)
    return whole


def names_in(expr: object) -> set[str]:
    """Every name that an expression mentions, attributes left out."""
    found: set[str] = set()
    stack: list[Any] = [expr]
    while stack:
        node = stack.pop()
        if node.__class__ is Name:
            found.add(node.name)
        elif node.__class__ is tuple:
            stack.extend(node)
        elif (parts := _PARTS.get(node.__class__)) is not None:
            stack.extend(parts(node))
    return found


def _inside(form: Any) -> Callable[[Any], Iterable[object]]:
    """What gives all that is within an expression of a form: several parts, or the one that is a tuple itself."""
    return attrgetter(*(slot for slot in form.__slots__ if slot != "span"))


# What an expression mentions by what is within it.
_PARTS: dict[type, Callable[[Any], Iterable[object]]] = {
    Attribute: lambda node: (node.of,),
    **{form: _inside(form) for form in (Arguments, Source, Domain, Items, Index, Call, Unary, Binary, If)},
}
