"""Ways of a graph: from tables and from files of other programs, and what they have besides their ends."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.analysis.names import BoardInfo
from ruledsl.analysis.world import World
from ruledsl.boards.graph import OF_EDGES, OF_SPACES
from ruledsl.boards.graphfile import Graph
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.records import dataclass
from ruledsl.source.document import Entry, Map, Node, Scalar, word_at
from ruledsl.source.graphs import GraphFile, read_graph
from ruledsl.syntax.shapes import Fields
from ruledsl.types import Elem, TableOf

from .columns import column_of
from .edges import look_over_labels
from .rows import Row, rows_of, with_columns


@dataclass(eq=False)
class Read:
    """A file with a graph, its rows, and what the board is made from: the same in all configurations of a game."""

    file: GraphFile
    spaces: list[Row]
    ways: list[Row]
    graph: Graph


def graph_of(world: World, word: Node | None) -> Read | None:
    """The graph in the file that a word names."""
    if not isinstance(word, Scalar):
        return None
    known = world.source.tables
    if ("graph", word.value) not in known:
        file = read_graph(word.value, world.source.root, world.report, word.span)
        if file is None:
            world.report.unread()
        known["graph", word.value] = None if file is None else _read(file)
    found: Read | None = known["graph", word.value]
    return found


def _read(file: GraphFile) -> Read:
    spaces, ways = [Row.of(row) for row in file.spaces], [Row.of(row) for row in file.ways]
    raw = [row.raw() for row in spaces], [row.raw() for row in ways]
    return Read(file, spaces, ways, Graph(*raw, file.directed, file.listed))


def graph_parameter(world: World, node: Node, found: Fields) -> Graph | None:
    """What a board is made from; columns that are nearly those that somebody asks for are told."""
    read = graph_of(world, node)
    if read is None:
        return None
    asked = {e.key.value for part in ("attributes", "state") for e in found.map(part) or ()}
    for rows, raws, own in ((read.spaces, read.graph.spaces, OF_SPACES), (read.ways, read.graph.ways, OF_EDGES)):
        _look_over_columns(world, rows, asked.union(own))
        world.data.setdefault("raw rows", {}).update({id(raw): row for raw, row in zip(raws, rows, strict=True)})
    look_over_labels(world, read.ways)
    return read.graph


def _look_over_columns(world: World, rows: list[Row], known: set[str]) -> None:
    """Other programs note much that is of no use here; only what is nearly a known word is a slip."""
    columns = {column: key for row in reversed(rows) for column, key in row.keys.items()}
    for column, key in columns.items():
        near = nearest(column, known - set(columns)) if column not in known else []
        if near:
            said = f"nothing reads `{column}` of this graph"
            world.report.warn("L505", key.span, said, help=did_you_mean(near), suggestions=tuple(near))


def _written(world: World, found: Fields) -> tuple[list[Row], bool]:
    """The rows of ways, and whether the way back of each is a row of its own."""
    read = graph_of(world, found.get("graph"))
    if read is not None:
        return read.ways, read.file.directed
    node = found.get("edges")
    return (rows_of(world, with_columns(node, ("from", "to"))) if node is not None else []), False


def add_what_ways_have(world: World, info: BoardInfo, found: Fields, by_space: dict[int, Row]) -> Map | None:
    """Columns of ways, as cells of the spaces that they begin at: an attribute by neighbor, or by direction.

    What is left are the attributes of the board with which nothing is wrong.
    """
    declared = found.map("attributes")
    ways, directed = _written(world, found)
    lost: set[str] = set()
    for entry in declared or ():
        name = entry.key.value
        if not any(row.get(name) is not None for row in ways):
            continue
        kind = column_of(world, entry).type
        by = kind.keys[0] if isinstance(kind, TableOf) and len(kind.keys) == 1 else None
        root = by.root if isinstance(by, Elem) else None
        if root is not info.root and root is not world.directions:
            said = f"`{name}` belongs to edges, so it is a value by `{info.word}` or by direction"
            world.report.error("B216", entry.key.span, said, help=f"write its type as `… by {info.word}`")
            lost.add(name)
            continue
        cells = _cells(world, info, ways, name, directed, root is world.directions)
        if cells is None:
            lost.add(name)
        for space, found_cells in (cells or {}).items():
            row = by_space.get(space, Row.of(None)).copy()
            span = next(iter(found_cells.values())).value.span
            row.node = row.node or Map(span, found_cells)
            row.cells[name] = Map(span, found_cells)
            by_space[space] = row
    if not lost or declared is None:
        return declared
    world.data.setdefault("broken attributes", set()).update(lost)
    return Map(declared.span, {name: entry for name, entry in declared.entries.items() if name not in lost})


def _cells(
    world: World, info: BoardInfo, ways: list[Row], name: str, directed: bool, by_direction: bool
) -> dict[int, dict[str, Entry]] | None:
    """What the ways from each space say, by where they lead; nothing if something is wrong with that."""
    found: dict[int, dict[str, Entry]] = {}
    for row in ways:
        value = row.get(name)
        if value is None:
            continue
        for start, end, label in _both(row, directed):
            for copy in range(info.copies):
                base = copy * info.spaces
                key = label if by_direction else info.root.names[base + info.board.index_of[end]]
                if not key:
                    said = f"`{name}` is by direction, and this way has no label"
                    world.report.error("B216", value.span, said, help=f"`… by {info.word}` is by where it leads")
                    return None
                here = found.setdefault(base + info.board.index_of[start], {})
                if key in here:
                    said, note = f"two ways from `{start}` to `{end}` say `{name}`", (here[key].value.span, "the other")
                    world.report.error("B216", value.span, said, notes=(note,), help=f"`{name}` may be by direction")
                    return None
                here[key] = Entry(word_at(key, value.span), value)
    return found


def _both(row: Row, directed: bool) -> Iterator[tuple[str, str, str]]:
    """Where a row leads from and to, and in which direction, as `boards.graph` reads it."""
    start, end, label, back = (row.word(column) for column in ("from", "to", "label", "back"))
    yield start, end, label
    if back or not (label or directed or row.word("one_way") == "true"):
        yield end, start, back
