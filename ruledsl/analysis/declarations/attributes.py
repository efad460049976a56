"""`attributes:` and `state:` of whatever has members: what they have, and what changes at them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

from ruledsl.analysis.making import CodeInfo
from ruledsl.analysis.names import Declared, Handle
from ruledsl.analysis.show import show
from ruledsl.analysis.world import World
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import NO_NUMBER, BagOf, Bool, Elem, Num, SetOf, TableOf, Type, bits, every
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
    ways: tuple[int, int] = (0, 0),
) -> dict[str, Type]:
    """Attributes that never change, from the rows of their owners."""
    columns = {entry.key.value: column_of(world, entry) for entry in declared or ()}
    found = {name: column.type for name, column in columns.items()}
    needed = {name: column.type for name, column in columns.items() if column.otherwise is None}
    lacking = _without_column(world, declared, needed, rows, what)
    told = _incomplete_rows(world, {n: kind for n, kind in needed.items() if n not in lacking}, rows, what)
    for entry in declared or ():
        name, column = entry.key.value, columns[entry.key.value]
        kind = column.type
        if isinstance(kind, BrokenType):
            world.data.setdefault("broken attributes", set()).add(name)
            continue
        if isinstance(kind, CodeType):
            info = _code_attribute(world, owner, name, column, rows, entry.key)
            world.data.setdefault("attributes", []).append((what, info))
            continue
        origin = Declared(name, "attribute", entry.key.span, used=(what, name) in world.data.get("only asks", ()))
        world.data.setdefault("attributes", []).append((what, origin))
        if name in lacking:
            continue
        values: list[Any] = [() if isinstance(kind, TableOf) else world.none_value(kind)] * owner.root.size
        known: dict[Any, Any] = {}
        with world.report.one_slip((what, name)):  # the same mistake in all rows is one of the column
            for member, row in rows.items():
                node = row.get(name)
                if node is None and row in told and name in needed:
                    continue
                key = id(node) if node is not None else id(row)
                if key not in known:
                    known[key] = row_value(world, node, _of_tile(world, column, node, ways), row, name, what)
                values[member] = known[key]
        _add_fixed(world, owner, name, kind, values, origin, tile)
    return found


def _of_tile(world: World, column: Column, node: Node | None, ways: tuple[int, int]) -> Column:
    """A table of a tile by direction has a value for each side, or for corners too, whatever ways other boards have.

    `ways` are the directions of the sides, and all directions of the board that the tile lies on.
    """
    kind, (sides, all_ways) = column.type, ways
    if not sides or not isinstance(kind, TableOf) or kind.keys != (every(world.directions),):
        return column
    names = {world.directions.names[i] for i in bits(sides)}
    corners = len(node.items) == all_ways.bit_count() if isinstance(node, Seq) else False
    corners = corners or (isinstance(node, Map) and not {*node.entries} <= names)
    return replace(column, type=TableOf((Elem(world.directions, all_ways if corners else sides),), kind.item))


def _must_stand(kind: Type) -> bool:
    """Whether every row must say it."""
    return not isinstance(kind, BrokenType | CodeType) and not may_be_missing(kind)


def _without_column(
    world: World, declared: Map | None, found: dict[str, Type], rows: dict[int, Row], what: str
) -> set[str]:
    """Attributes that must be there and are in no row: they or their columns are called otherwise. It is told once."""
    written = {id(row.node): row for row in rows.values() if row.node is not None}.values()
    if len(written) < 2 or len(written) < len({id(row) for row in rows.values()}):
        return set()
    lacking = [n for n, kind in found.items() if _must_stand(kind) and all(row.get(n) is None for row in written)]
    if not lacking or declared is None:
        return set()
    columns = {column: key for row in written for column, key in row.keys.items()}
    near = nearest(lacking[0], set(columns) - set(found)) if len(lacking) == 1 else []
    key = declared.key(lacking[0])
    table = next(iter(columns.values())).span.file
    help = did_you_mean(near) or f"`{lacking[0]}` is {show(found[lacking[0]])}"
    if table.path.endswith(".csv") and len(lacking) > 1:
        help = f"the first line of `{table.path}` names the columns"
    with world.report.one_slip((what, lacking[0])):
        span = key.span if key is not None else None
        message = f"no row of `{what}` has {_listed(lacking, 'or')}"
        world.report.error("S108", span, message, help=help, suggestions=tuple(near))
    world.data.setdefault("broken attributes", set()).update((*lacking, *near))  # rules may call it either way
    return set(lacking)


def _incomplete_rows(world: World, found: dict[str, Type], rows: dict[int, Row], what: str) -> set[Row]:
    """Rows that lack several attributes, each of which is told once."""
    told: set[Row] = set()
    must_stand = [name for name, kind in found.items() if _must_stand(kind)]
    for row in rows.values() if len(must_stand) > 1 else ():
        missing = [name for name in must_stand if row.get(name) is None]
        if len(missing) < 2 or row in told or row.node is None:
            continue
        told.add(row)
        message = f"this row of `{what}` needs {_listed(missing, 'and')}"
        help = "remove the row if nothing is meant" if row.node.span.file.path.endswith(".csv") else ""
        world.report.error("S108", row.node.span, message, help=help or f"`{missing[0]}` is {show(found[missing[0]])}")
    return told


def _listed(words: list[str], join: str) -> str:
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {join} {quoted[-1]}"


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
        if kind.kind == "effect" and isinstance(cell, Scalar) and cell.is_null:
            help = "write it below, indented further, or `[]` if nothing happens"
            world.report.error("S103", row.keys[name].span, f"nothing follows `{name}:`", help=help)
        elif cell is not None and (kind.kind == "effect" or not (isinstance(cell, Scalar) and cell.is_null)):
            found[member] = cell
        elif kind.kind != "effect":
            span = row.node.span if row.node is not None else world.span
            world.report.error("S108", span, f"this row needs `{name}`", help=f"`{name}` is {show(kind)}", lacks=name)
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
        open_to_all = column.seen is not None and _on_backs(world, owner, column.seen, kind)
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
            if open_to_all:
                world.open_state.add(base)
            world.data["piece_state"] += [base + i for i in range(width)] if width == 1 else []
        world.state_attribute(owner.root, name, owner.mask, kind, base, origin)


def _on_backs(world: World, owner: Elem, seen: Node, kind: Type) -> bool:
    """Whether state is like a mark on the back of a piece; what cannot be is reported."""
    if owner.root is world.pieces and isinstance(kind, Num | Elem | Bool):
        return not (isinstance(kind, Elem) and kind.root is world.pieces) or _names_pieces(world, seen)
    if owner.root is world.pieces:
        help = "declare a word, a number or `bool` for each mark"
        world.report.error("T239", seen.span, f"{show(kind)} cannot be seen on a hidden piece", help=help)
    else:
        help = "remove `seen:`; what some players do not see is a value: `values: {mine: {per: [player, space], …}}`"
        world.report.error("T239", seen.span, "everybody sees the state of spaces", help=help)
    return False


def _names_pieces(world: World, seen: Node) -> bool:
    help = "name what all may know of it: a word, a number, a player or a space"
    world.report.error("T239", seen.span, "what all see of a hidden piece cannot name another piece", help=help)
    return False


def run_later(world: World) -> None:
    """Attributes, whose types may be any type of the game."""
    for later in world.data.pop("later", []):
        later()
