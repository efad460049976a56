"""Values as they are written in rows and behind `start:`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ruledsl.analysis.prices import is_free
from ruledsl.analysis.show import show, show_mask
from ruledsl.analysis.world import World
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.source.document import Map, Node, Scalar, Seq, word_at
from ruledsl.syntax.foreign import cell_meant
from ruledsl.syntax.shapes import shape_of
from ruledsl.types import NO_NUMBER, NONE, BagOf, Bool, Elem, ListOf, Num, SetOf, TableOf, Type, bits, every, is_maybe

from .columns import Column
from .rows import Row


def row_value(world: World, node: Node | None, column: Column, row: Row, name: str, what: str) -> Any:
    """The value of one cell of a table."""
    kind, other = column.type, column.otherwise
    if isinstance(kind, TableOf) and (node is not None or other is not None):
        return _table(world, node, kind, f"`{name}`", other)
    if node is not None or other is not None:
        return cell_value(world, node or other, kind, f"`{name}`")  # type: ignore[arg-type]
    if not may_be_missing(kind):
        span = row.node.span if row.node is not None else world.span
        help = f"`{name}` is {show(kind)}; `{{is: …, otherwise: …}}` gives a default"
        if isinstance(row.node, Scalar) and not row.node.is_null:
            help = f"write `{{{name}: {row.node.value}}}`"
        world.report.error("S108", span, f"this row of `{what}` needs `{name}`", help=help, lacks=name)
    return world.none_value(kind) if not isinstance(kind, TableOf) else ()


def may_be_missing(kind: Type) -> bool:
    """Whether a table need not say it: none, no or the empty set is meant then."""
    if isinstance(kind, TableOf):
        return may_be_missing(kind.item)
    return is_maybe(kind) or isinstance(kind, SetOf | ListOf | BagOf | Bool)


def cell_value(world: World, node: Node, kind: Type, role: str) -> Any:
    node = _separated(world, node, kind)
    if isinstance(kind, BagOf):
        return bag_value(world, node, kind)
    if isinstance(kind, TableOf):
        return _table(world, node, kind, role, None)
    if isinstance(node, Scalar) and (meant := _of_a_spreadsheet(node, kind)):
        message, help, right = meant
        world.report.error("E112", node.span, message, help=help, suggestions=(right,) if right else ())
        return world.none_value(kind)
    value = world.constant(node, kind, role)
    if isinstance(kind, SetOf) and isinstance(value, tuple):
        value = sum(1 << x for x in set(value))
    return world.none_value(kind) if value is None else value


def _separated(world: World, node: Node, kind: Type) -> Node:
    """`wood, gold` in a cell of a CSV file, where several things are separated by `;`."""
    if not isinstance(kind, SetOf | ListOf | BagOf) or not isinstance(node, Scalar):
        return node
    words = [word.strip() for word in re.split(r"[,+]|\band\b", node.value)]
    if len(words) < 2:
        return node
    if not node.span.file.path.lower().endswith(".csv") or not all(map(_THING.fullmatch, words)):
        return node
    right = ";".join(words)
    said = "things in one cell of a table are separated by `;`"
    world.report.error("E112", node.span, said, help=f"write `{right}`", suggestions=(right,))
    return Seq(node.span, tuple(word_at(word, node.span) for word in words), True)


_THING = re.compile(r"(?:\d+ )?[^\W\d]\w*|\d+")


def _of_a_spreadsheet(node: Scalar, kind: Type) -> tuple[str, str, str] | None:
    """What is wrong with a cell of a table that is written as spreadsheets write it."""
    if not node.span.file.path.lower().endswith(".csv"):
        return None
    return cell_meant(node.value, isinstance(kind, Num), is_maybe(kind))


def bag_value(world: World, node: Node, kind: BagOf) -> tuple[int, ...]:
    """`{wood: 2, gold: 1}`, or `[2 wood, gold]`, which in a cell of a CSV file is `2 wood; gold`."""
    entries: list[tuple[Scalar, Node | None]] = []
    if isinstance(node, Map):
        entries += [(entry.key, entry.value) for entry in node]
    elif (items := _amounts(world, node, kind)) is not None:
        entries += items
    else:
        value = world.constant(node, kind, "this")
        return value if isinstance(value, tuple) else (0,) * kind.root.size
    counts = [0] * kind.root.size
    for key, amount in entries:
        number = world.member_number(kind.root, key.value)
        if number is None:
            known = nearest(key.value, kind.root.names)
            wrong_type = f"a bag of {kind.root.name} has no such part; `price of {kind.root.name}` has"
            world.report.error(
                "N102",
                key.span,
                f"`{key.value}` is no {(kind.root.whole or kind.root).name}",
                help=(wrong_type if is_free(key.value) and kind.root.whole is None else "")
                or did_you_mean(known)
                or world.members_hint(every(kind.root)),
                suggestions=tuple(known),
            )
            continue
        world.use_member(kind.root, number)
        if amount is None:
            counts[number] += 1
        else:
            counts[number] += cell_value(world, amount, Num(0, kind.most), "an amount") or 0
    return tuple(counts)


_AMOUNT = re.compile(r"(?P<number>\d+)\s+(?P<sort>(?:any )?[^\W\d]\w*)")
_TURNED = re.compile(r"(?P<sort>[^\W\d]\w*)\s*[:=*× ]\s*(?P<number>\d+)|(?P<n>\d+)\s*[*×x]\s*(?P<s>[^\W\d]\w*)")


def _amounts(world: World, node: Node, kind: BagOf) -> list[tuple[Scalar, Node | None]] | None:
    """The sorts and their numbers, if a bag is written as a list of them, or as one of them."""
    items = node.items if isinstance(node, Seq) else (node,)
    found: list[tuple[Scalar, Node | None]] = []
    for item in items:
        if not isinstance(item, Scalar):
            return None
        text = item.value.strip()
        if (amount := _AMOUNT.fullmatch(text)) is not None:
            found.append((_within(item, amount, "sort"), _within(item, amount, "number")))
        elif world.member_number(kind.root, text) is not None:
            found.append((item, None))
        elif (turned := _TURNED.fullmatch(text)) is not None:
            number, sort = turned["number"] or turned["n"], turned["sort"] or turned["s"]
            world.report.error("S109", item.span, f"`{text}` is not an amount", help=f"write `{number} {sort}`")
        elif isinstance(node, Seq) and len(items) > 1 and text.isidentifier():
            found.append((item, None))  # no such sort, as will be told
        else:
            return None
    return found if items else None


def _within(item: Scalar, found: re.Match[str], group: str) -> Scalar:
    """A part of a text of the file as a text of its own."""
    at = item.text_span.text.find(found[0])
    span = item.text_span
    if at >= 0:
        start = span.start + at - found.start() + found.start(group)
        span = span.file.span(start, start + len(found[group]))
    return Scalar(span, found[group], "plain", span)


def _whole_or_part(kind: Elem) -> str:
    """What a member of a type, or of a part of it, is called."""
    return kind.root.name if kind.mask == kind.root.everything else show_mask(kind.root, kind.mask)


def _table(world: World, node: Node | None, kind: TableOf, role: str, other: Node | None) -> tuple[Any, ...]:
    """A value for each key; `other` is what holds for keys that the cell does not name."""
    (key,) = kind.keys
    whole = key.root.size if isinstance(key, Elem) else key.high - key.low + 1
    values: list[Any] = [world.none_value(kind.item)] * whole
    members = tuple(bits(key.mask)) if isinstance(key, Elem) else range(whole)
    if other is not None:
        usual = cell_value(world, other, kind.item, "`otherwise`")
        for member in members:
            values[member] = usual
    if node is None:
        return tuple(values)
    if isinstance(node, Seq):
        if len(node.items) != len(members):
            world.report.error(
                "S109",
                node.span,
                f"{role} needs {len(members)} values, one for each "
                f"{key.root.name if isinstance(key, Elem) else 'number'}, not {len(node.items)}",
                help=f"in this order: {', '.join(_keys(key, members))}",
            )
        for member, item in zip(members, node.items, strict=False):
            values[member] = cell_value(world, item, kind.item, role)
        _elsewhere(values, members)
    elif isinstance(node, Map):
        _by_key(world, node, kind, role, values, other is None)
        _elsewhere(values, members)
    elif isinstance(node, Scalar) and len(node.value.split()) == len(members):  # one word for each, as in a CSV cell
        world.report.error("S109", node.span, f"{role} must be a list `[a, b, …]`")
    else:
        world.report.error("S109", node.span, f"{role} must be a list or a map, not {shape_of(node)}")
    return tuple(values)


def _elsewhere(values: list[Any], members: Sequence[int]) -> None:
    """What nobody asks for, such as the side of a square tile toward a corner, has some value all the same."""
    for other in {*range(len(values))} - {*members} if members else ():
        values[other] = values[members[0]]


def _keys(key: Elem | Num, members: Sequence[int]) -> list[str]:
    """What the values of a table stand for, as far as one reads it."""
    names = [f"`{key.root.names[i]}`" if isinstance(key, Elem) else str(key.low + i) for i in members[:12]]
    return [*names, "…"] if len(members) > 12 else names


def _by_key(world: World, node: Map, kind: TableOf, role: str, values: list[Any], all_needed: bool) -> None:
    (key,) = kind.keys
    names = (
        {key.root.names[i]: i for i in bits(key.mask)}
        if isinstance(key, Elem)
        else {str(n): n - key.low for n in range(key.low, key.high + 1)}
    )
    for entry in node:
        number = names.get(entry.key.value)
        if number is not None:
            values[number] = cell_value(world, entry.value, kind.item, role)
            continue
        known = nearest(entry.key.value, names)
        hint = world.members_hint(key) if isinstance(key, Elem) else f"the numbers are {key.low}..{key.high}"
        world.report.error(
            "N102",
            entry.key.span,
            f"`{entry.key.value}` is no {_whole_or_part(key) if isinstance(key, Elem) else 'such number'}",
            help=did_you_mean(known) or hint,
            suggestions=tuple(known),
        )
    missing = [name for name in names if name not in node.entries]
    if missing and all_needed and not may_be_missing(kind.item):
        words = ", ".join(f"`{word}`" for word in missing[:12]) + (", …" if len(missing) > 12 else "")
        world.report.error(
            "S109",
            node.span,
            f"{role} has no value for {words}",
            help=f"`{{is: …, otherwise: …}}` says what it is for keys that are not named; this is {show(kind.item)}",
        )


def start_of(world: World, kind: Type) -> Any:
    """What a value of a type is where nothing is said: none, 0 or the lowest, empty."""
    match kind:
        case Num(maybe=True):
            return NO_NUMBER
        case Num(low, high, _):
            return min(max(low, 0), high)
        case Elem(maybe=True):
            return NONE
        case Elem(mask=mask):
            return (mask & -mask).bit_length() - 1
    return world.none_value(kind)


def put(world: World, slot: int, kind: Type, value: Any) -> None:
    """What a slot holds at the start."""
    if isinstance(kind, ListOf):
        items = list(value)
        for i, x in enumerate([len(items), *items]):
            world.template[slot + i] = x
    elif isinstance(kind, BagOf):
        for i, x in enumerate(value):
            world.template[slot + i] = x
    elif value:
        world.template[slot] = value
