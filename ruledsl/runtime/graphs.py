"""The boards of a game as graphs of networkx, with what their spaces and ways have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.analysis.names import BoardInfo, Handle
from ruledsl.boards.network import network
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.types import NO_NUMBER, NONE, Bool, Elem, Num, SetOf, TableOf, Type, bits

if TYPE_CHECKING:
    import networkx

    from .game import Configured


def graph_of(configured: Configured, name: str | None = None) -> networkx.MultiDiGraph[str]:
    """The board of this name, or the only one. Of boards that every player has, it is that of the first."""
    boards = {info.name: info for info in configured.world.boards}
    if name is None and len(boards) == 1:
        name = next(iter(boards))
    if name not in boards:
        known = "its boards are " + (", ".join(f"`{board}`" for board in boards) or "none")
        hint = did_you_mean(nearest(name, boards)) if name is not None else ""
        said = f"there is no board `{name}`" if name is not None else "say which board you mean"
        raise OptionError(f"{said}; {hint or known}")
    info = boards[name]
    columns: dict[str, list[object]] = {}
    tables: dict[str, dict[int, Mapping[str, object]]] = {}
    for space in range(info.spaces):
        for attribute in (a for alike in info.root.attributes.values() for a in alike if a.mask >> space & 1):
            if attribute.origin is None:  # such as its neighbours, which the graph has as ways
                continue
            built = attribute.build(C.Const(space), None)
            if isinstance(built, C.Const):
                value = told(attribute.type, built.value)
                if value is not None:
                    columns.setdefault(attribute.name, [None] * info.spaces)[space] = value
            elif isinstance(built, Handle) and built.base == -1 and isinstance(attribute.type, TableOf):
                tables.setdefault(attribute.name, {})[space] = _by_key(attribute.type, built.table, space)
    return network(info.board, columns, lambda start, end, label: _along(info, tables, start, end, label))


def _along(
    info: BoardInfo, tables: Mapping[str, Mapping[int, Mapping[str, object]]], start: int, end: int, label: str | None
) -> dict[str, object]:
    """What a space has by neighbor, or by direction, belongs to the way there."""
    found = {}
    for name, rows in tables.items():
        here = rows.get(start, {})
        value = here.get(info.root.names[end], here.get(label or ""))
        if value is not None:
            found[name] = value
    return found


def _by_key(kind: TableOf, table: tuple[Any, ...], space: int) -> dict[str, object]:
    """What a table of one key says of a space."""
    by = kind.keys[0]
    if len(kind.keys) != 1 or not isinstance(by, Elem):
        return {}
    size = by.root.size
    values = table[space * size : (space + 1) * size]
    found = ((key, told(kind.item, value)) for key, value in zip(by.root.names, values, strict=True))
    return {key: value for key, value in found if value is not None}


def told(kind: Type, value: Any) -> object:
    """A value as other programs read it; nothing where there is none, or where they would have no use for it."""
    match kind:
        case Bool():
            return bool(value)
        case Num():
            return None if value == NO_NUMBER else int(value)
        case Elem(root=root):
            return None if value == NONE else root.names[value]
        case SetOf(of=Elem(root=root)):
            return ";".join(root.names[member] for member in bits(value))
        case SetOf(of=Num(low=low)):
            return ";".join(str(low + member) for member in bits(value))
        case _:
            return None
