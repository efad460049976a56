"""Values as they are written in rows and behind `start:`."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.show import show, show_mask
from ruledsl.analysis.world import World
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.syntax.shapes import shape_of
from ruledsl.types import NO_NUMBER, NONE, BagOf, Bool, Elem, ListOf, Num, SetOf, TableOf, Type, bits, every, is_maybe

from .rows import Row


def row_value(world: World, node: Node | None, kind: Type, row: Row, name: str, what: str) -> Any:
    """The value of one cell of a table."""
    if node is None:
        if not may_be_missing(kind):
            span = row.node.span if row.node is not None else world.span
            world.report.error("S108", span, f"this row of `{what}` needs `{name}`", help=f"`{name}` is {show(kind)}")
        return (
            world.none_value(kind.item if isinstance(kind, TableOf) else kind) if not isinstance(kind, TableOf) else ()
        )
    return cell_value(world, node, kind, f"`{name}`")


def may_be_missing(kind: Type) -> bool:
    """Whether a table need not say it: none, no or the empty set is meant then."""
    if isinstance(kind, TableOf):
        return may_be_missing(kind.item)
    return is_maybe(kind) or isinstance(kind, SetOf | ListOf | BagOf | Bool)


def cell_value(world: World, node: Node, kind: Type, role: str) -> Any:
    if isinstance(kind, BagOf):
        return bag_value(world, node, kind)
    if isinstance(kind, TableOf):
        return _table(world, node, kind, role)
    value = world.constant(node, kind, role)
    if isinstance(kind, SetOf) and isinstance(value, tuple):
        value = sum(1 << x for x in set(value))
    return world.none_value(kind) if value is None else value


def bag_value(world: World, node: Node, kind: BagOf) -> tuple[int, ...]:
    if not isinstance(node, Map):
        value = world.constant(node, kind, "this")
        return value if isinstance(value, tuple) else (0,) * kind.root.size
    counts = [0] * kind.root.size
    for entry in node:
        number = world.member_number(kind.root, entry.key.value)
        if number is None:
            known = nearest(entry.key.value, kind.root.names)
            world.report.error(
                "N102",
                entry.key.span,
                f"`{entry.key.value}` is no {kind.root.name}",
                help=did_you_mean(known) or world.members_hint(every(kind.root)),
                suggestions=tuple(known),
            )
            continue
        world.use_member(kind.root, number)
        counts[number] = world.constant(entry.value, Num(0, kind.most), "an amount") or 0
    return tuple(counts)


def _whole_or_part(kind: Elem) -> str:
    """What a member of a type, or of a part of it, is called."""
    return kind.root.name if kind.mask == kind.root.everything else show_mask(kind.root, kind.mask)


def _table(world: World, node: Node, kind: TableOf, role: str) -> tuple[Any, ...]:
    (key,) = kind.keys
    whole = key.root.size if isinstance(key, Elem) else key.high - key.low + 1
    values: list[Any] = [world.none_value(kind.item)] * whole
    members = tuple(bits(key.mask)) if isinstance(key, Elem) else range(whole)
    size = len(members)
    if isinstance(node, Seq):
        if len(node.items) != size:
            world.report.error(
                "S109",
                node.span,
                f"{role} needs {size} values, one for each {key.root.name if isinstance(key, Elem) else 'number'}, "
                f"not {len(node.items)}",
            )
        for member, item in zip(members, node.items, strict=False):
            values[member] = cell_value(world, item, kind.item, role)
    elif isinstance(node, Map) and isinstance(key, Elem):
        for entry in node:
            number = world.member_number(key.root, entry.key.value)
            if number is None or number not in members:
                known = nearest(entry.key.value, [key.root.names[i] for i in members])
                world.report.error(
                    "N102",
                    entry.key.span,
                    f"`{entry.key.value}` is no {_whole_or_part(key)}",
                    help=did_you_mean(known) or world.members_hint(key),
                    suggestions=tuple(known),
                )
            else:
                values[number] = cell_value(world, entry.value, kind.item, role)
        missing = [key.root.names[i] for i in bits(key.mask) if key.root.names[i] not in node.entries]
        if missing and not may_be_missing(kind.item):
            words = ", ".join(f"`{word}`" for word in missing)
            world.report.error(
                "S109",
                node.span,
                f"{role} has no value for {words}",
                help=f"a value that may be missing is of type `maybe …`; this is {show(kind.item)}",
            )
    elif isinstance(node, Scalar) and len(node.value.split()) == size:  # one word for each, as in a CSV cell
        world.report.error("S109", node.span, f"{role} must be a list `[a, b, …]`")
    else:
        world.report.error("S109", node.span, f"{role} must be a list or a map, not {shape_of(node)}")
    return tuple(values)


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
