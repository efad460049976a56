"""`attributes:` and `state:` of whatever has members: what they have, and what changes at them."""

from __future__ import annotations

from typing import Any, TypeAlias

from ruledsl.analysis.names import Declared, Handle
from ruledsl.analysis.show import show
from ruledsl.analysis.world import CodeInfo, World
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Entry, Map, Node, Scalar
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import NO_NUMBER, BagOf, Elem, Num, SetOf, TableOf, Type, bits
from ruledsl.types import Broken as BrokenType
from ruledsl.types import Code as CodeType

from .cells import cell_value, may_be_missing, put, row_value, start_of
from .columns import STATE, Column, column_of
from .rows import Row

# Of a kind of tile: the slot array of turns, and what each direction becomes by turns.
TileTurns: TypeAlias = tuple[int, tuple[tuple[int, ...], ...]]


def add_attributes(
    world: World,
    owner: Elem,
    declared: Map | None,
    rows: dict[int, Row],
    what: str,
    tile: TileTurns | None = None,
) -> dict[str, Type]:
    """Attributes that never change, from the rows of their owners."""
    found: dict[str, Type] = {}
    for entry in declared or ():
        name, column = entry.key.value, column_of(world, entry)
        found[name] = kind = column.type
        if isinstance(kind, BrokenType):
            world.data.setdefault("broken attributes", set()).add(name)
            continue
        if isinstance(kind, CodeType):
            info = _code_attribute(world, owner, name, column, rows, entry.key)
            world.data.setdefault("attributes", []).append((what, info))
            continue
        origin = Declared(name, "attribute", entry.key.span, used=(what, name) in world.data.get("only asks", ()))
        world.data.setdefault("attributes", []).append((what, origin))
        values: list[Any] = [() if isinstance(kind, TableOf) else world.none_value(kind)] * owner.root.size
        known: dict[Any, Any] = {}
        if column.otherwise is None and _has_no_column(world, entry, kind, declared, rows, what):
            continue
        for member, row in rows.items():
            node = row.get(name)
            key = id(node) if node is not None else id(row)
            if key not in known:
                with world.report.one_slip((what, name)):  # the same mistake in all rows is one of the column
                    known[key] = row_value(world, node, column, row, name, what)
            values[member] = known[key]
        _add_fixed(world, owner, name, kind, values, origin, tile)
    return found


def _has_no_column(
    world: World, entry: Entry, kind: Type, declared: Map | None, rows: dict[int, Row], what: str
) -> bool:
    """Whether an attribute that must be there is in no row: it or its column is called otherwise."""
    name, written = entry.key.value, {id(row.node): row for row in rows.values() if row.node is not None}.values()
    if len(written) < 2 or len(written) < len({id(row) for row in rows.values()}) or may_be_missing(kind):
        return False
    if any(row.get(name) is not None for row in written):
        return False
    own = {e.key.value for e in declared or ()}
    near = nearest(name, {column for row in written for column in row.keys} - own)
    with world.report.one_slip((what, name)):
        world.report.error(
            "S108",
            entry.key.span,
            f"no row of `{what}` has `{name}`",
            help=did_you_mean(near) or f"`{name}` is {show(kind)}",
            suggestions=tuple(near),
        )
    world.data.setdefault("broken attributes", set()).update((name, *near))  # rules may call it either way
    return True


def _add_fixed(
    world: World, owner: Elem, name: str, kind: Type, values: list[Any], origin: Any, tile: TileTurns | None
) -> None:
    by_direction = (
        isinstance(kind, TableOf) and isinstance(kind.keys[0], Elem) and kind.keys[0].root is world.directions
    )
    directions = isinstance(kind, SetOf) and isinstance(kind.of, Elem) and kind.of.root is world.directions
    if tile is None or not (by_direction or directions):
        world.fixed_attribute(owner.root, name, owner.mask, _narrowed(kind, values), values, origin)
        return
    # What belongs to the sides of a tile is read as the tile lies.
    if isinstance(kind, SetOf):
        slot, turns = tile
        sides = tuple(values)

        def lying(node: C.Node, span: Span | None) -> C.Node:
            return C.Primitive("turned_set", (C.Look(sides, node, 0), node), (turns, slot), span)

        world.attribute(owner.root, name, owner.mask, kind, lying, origin)
    elif isinstance(kind, TableOf):
        flat: list[Any] = []
        size = world.directions.size
        for value in values:
            flat += list(value) if isinstance(value, list | tuple) and value else [world.none_value(kind.item)] * size
        table, keys = tuple(flat), kind

        def build(node: C.Node, span: Span | None) -> Any:
            return Handle(-1, table, node, span, (tile, node))

        world.attribute(owner.root, name, owner.mask, keys, build, origin)


def _narrowed(kind: Type, values: list[Any]) -> Type:
    """Numbers of a table are known exactly, so their range, or the most of one sort, is that of what stands there."""
    if isinstance(kind, Num) and not kind.maybe:
        numbers = [value for value in values if isinstance(value, int) and value != NO_NUMBER]
        if numbers:
            return Num(min(numbers), max(numbers))
    if isinstance(kind, BagOf):
        return BagOf(kind.root, kind.mask, max((max(bag, default=0) for bag in values if bag), default=0))
    return kind


def _code_attribute(
    world: World, owner: Elem, name: str, column: Column, rows: dict[int, Row], key: Scalar
) -> CodeInfo:
    kind = column.type
    assert isinstance(kind, CodeType)
    node = world.elaborator.read(column.written, "type")
    parameters = (
        [(p.name.name, t) for p, t in zip(node.parameters, kind.parameters, strict=True)]
        if isinstance(node, E.CodeType)
        else []
    )
    signature = f"{name}({', '.join(n for n, _ in parameters)})"
    found: dict[int, Node] = {}
    for member, row in rows.items():
        cell = row.cells.get(name)
        if column.otherwise is not None and (cell is None or (isinstance(cell, Scalar) and cell.is_null)):
            cell = column.otherwise
        if cell is not None and (kind.kind == "effect" or not (isinstance(cell, Scalar) and cell.is_null)):
            found[member] = cell
        elif kind.kind != "effect":
            span = row.node.span if row.node is not None else world.span
            world.report.error("S108", span, f"this row needs `{name}`", help=f"`{name}` is {show(kind)}")
    info = CodeInfo(name, parameters, signature, found, owner, kind.kind, span=key.span)
    world.codes.append(info)
    world.attribute(owner.root, name, owner.mask, kind, lambda n, s: n, info)
    return info


def add_state(world: World, owner: Elem, declared: Map | None, rows: dict[int, Row], what: str) -> None:
    """Attributes that change: an array by member, with what the rows or the type give at the start."""
    for entry in declared or ():
        name, column = entry.key.value, column_of(world, entry, STATE)
        kind = column.type
        if isinstance(kind, BrokenType | TableOf | CodeType):
            world.data.setdefault("broken attributes", set()).add(name)
            if not isinstance(kind, BrokenType):
                world.report.error("T239", entry.value.span, f"the state cannot hold {show(kind)}")
            continue
        width = world.width(kind)
        base = world.layout.add(f"{what}.{name}", owner.root.size, width, kind, "state", owner.root)
        origin = Declared(name, "attribute", entry.key.span)
        world.data.setdefault("attributes", []).append((what, origin))
        for member in bits(owner.mask):
            row = rows.get(member)
            node = (row.get(name) if row is not None else None) or column.otherwise
            with world.report.one_slip((what, name)):
                value = cell_value(world, node, kind, f"`{name}`") if node is not None else start_of(world, kind)
            put(world, base + member * width, kind, value)
        if owner.root is world.pieces:
            world.data["piece_state"] += [base + i for i in range(width)] if width == 1 else []
        world.state_attribute(owner.root, name, owner.mask, kind, base, origin)


def run_later(world: World) -> None:
    """Attributes, whose types may be any type of the game."""
    for later in world.data.pop("later", []):
        later()
