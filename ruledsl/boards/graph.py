"""Any graph: spaces and edges from two tables."""

from collections.abc import Iterator, Mapping, Sequence
from math import dist

from ruledsl.boards.base import (
    OFF,
    Board,
    BoardError,
    Edge,
    Parameter,
    Point,
    Row,
    Table,
    board_shape,
    first_repeated,
    row_name,
)
from ruledsl.wording.templates import Words

OF_SPACES = ("name", "id", "x", "y")
OF_EDGES = ("from", "to", "label", "back", "one_way")
_MOST_LABELS = 64
_FARTHEST = 1e6  # coordinates beyond it are a slip, and nan and infinity are beyond it


@board_shape(
    "graph",
    {
        "spaces": Parameter("table", "a table of spaces: name, and perhaps x and y for drawing", columns=OF_SPACES),
        "edges": Parameter(
            "table", "a table of edges: from, to, and perhaps label, back, one_way", columns=OF_EDGES, of="edges"
        ),
    },
    Words(en="{spaces} spaces: {names}", ru="клетки ({spaces}): {names}"),
)
def graph_board(spaces: Table, edges: Table) -> Board:
    """Spaces with names and edges between them, each from a table.

    An edge without a label leads both ways unless it is `one_way: true`. A `label` is a direction: it leads
    from `from` to `to`, and `back` is the direction of the way back. A labelled edge without `back` leads one
    way; the way back is a row of its own, or the edge is declared `one_way: true`. Other columns of edges are
    `attributes` of spaces by where an edge leads, or by direction: `steep: {is: bool by direction, otherwise: false}`.
    Spaces of which nothing else is said may be a list of names, and such edges a list of pairs:
    `spaces: [harbour, market]` and `edges: [[harbour, market]]`.

    board:
      spaces: [{name: harbour}, {name: market}, {name: tower}]
      edges:
        - {from: harbour, to: market, label: uphill, back: downhill}
        - {from: market, to: tower}
    """
    return joined(spaces, edges)


def joined(spaces: Table, edges: Table, directed: bool = False) -> Board:
    """A board of these rows. Where it is `directed` each edge leads as it is written, and no way leads back unasked."""
    names = _names(spaces)
    index_of = {name: space for space, name in enumerate(names)}
    rows = [(way, row) for row in edges for way in _ways(row, index_of, directed)]
    _check_distinct(rows, names)
    ways = [way for way, _ in rows]
    labels = tuple(dict.fromkeys(way.label for way in ways if way.label is not None))
    if len(labels) > _MOST_LABELS:
        raise BoardError(f"the edges have {len(labels)} labels; at most {_MOST_LABELS} are possible", "edges")
    steps = {label: _steps(label, ways, len(names)) for label in labels}
    points = _positions(spaces)
    unit = _unit(points, ways)
    return Board(
        shape="graph",
        spaces=names,
        coordinates={},
        directions=labels,
        steps=steps,
        opposite=_opposite(steps),
        edges=tuple(ways),
        positions=tuple((x / unit, y / unit) for x, y in points),
        unit=unit,
    )


def _names(rows: Table) -> tuple[str, ...]:
    names = [row_name(row) for row in rows]
    if not names:
        raise BoardError("the table of spaces is empty", "spaces")
    if None in names:
        at = names.index(None)
        raise BoardError(f"space {at + 1} of the table has no `name`", "spaces", rows[at])
    known = tuple(name for name in names if name is not None)
    repeated = first_repeated(known)
    if repeated is not None:
        last = len(known) - 1 - known[::-1].index(repeated)
        raise BoardError(f"two spaces are called `{repeated}`", "spaces", rows[last], "name")
    return known


def _ways(row: Row, index_of: Mapping[str, int], directed: bool) -> Iterator[Edge]:
    """The one or two edges that a table row stands for."""
    start, end = _end(row, "from", index_of), _end(row, "to", index_of)
    if start == end:
        raise BoardError(f"an edge leads from `{row['from']}` to itself", "edges", row, "to")
    label, back, one_way = _word(row, "label"), _word(row, "back"), _flag(row, "one_way")
    if back and (one_way or not label):
        reason = "is `one_way`" if one_way else "has no `label`"
        raise BoardError(
            f"the edge from `{row['from']}` to `{row['to']}` has a `back` but {reason}", "edges", row, "back"
        )
    if back and directed:
        raise BoardError("in a directed graph the way `back` is an edge of its own", "edges", row, "back")
    yield Edge(start, end, label, one_way)
    if back or not (label or one_way or directed):
        yield Edge(end, start, back)


def _end(row: Row, column: str, index_of: Mapping[str, int]) -> int:
    if column not in row:
        raise BoardError(f"a row of `edges` has no `{column}`", "edges", row)
    space = index_of.get(str(row[column]))
    if space is None:
        message = f"an edge names `{row[column]}`, which is not among the spaces"
        raise BoardError(message, "edges", row, column, index_of)
    return space


def _word(row: Row, column: str) -> str | None:
    value = row.get(column)
    return None if value is None or value == "" else str(value)


def _flag(row: Row, column: str) -> bool:
    value = row.get(column)
    if value in (None, "", False, "false"):
        return False
    if value in (True, "true"):
        return True
    raise BoardError(f"`{column}` of an edge must be true or false, not `{value}`", "edges", row, column)


def _check_distinct(rows: Sequence[tuple[Edge, Row]], names: Sequence[str]) -> None:
    """A direction leads to one space, and no unlabelled edge is written twice."""
    seen: dict[tuple[int, object], int] = {}
    for way, row in rows:
        key = (way.start, way.label or (way.end,))
        start, end = names[way.start], names[way.end]
        if key in seen and seen[key] == way.end:
            raise BoardError(f"the edge from `{start}` to `{end}` is written twice", "edges", row)
        if key in seen:
            message = f"`{way.label}` leads from `{start}` to both `{names[seen[key]]}` and `{end}`"
            back = way.label != row.get("label")
            column = "back" if back else "label"
            raise BoardError(
                f"{message}; a label is a direction, other columns tell kinds of edges", "edges", row, column
            )
        seen[key] = way.end


def _steps(label: str, ways: Sequence[Edge], size: int) -> tuple[int, ...]:
    ends = {way.start: way.end for way in ways if way.label == label}
    return tuple(ends.get(space, OFF) for space in range(size))


def _opposite(steps: Mapping[str, tuple[int, ...]]) -> dict[str, str]:
    """The pairs of labels each of which leads back to where the other came from, if it leads anywhere."""
    pairs: dict[str, str] = {}
    for label in steps:
        free = (back for back in steps if label not in pairs and back not in pairs)
        for back in free:
            if _undoes(steps[back], steps[label]) and _undoes(steps[label], steps[back]):
                pairs |= {label: back, back: label}
    return pairs


def _undoes(back: tuple[int, ...], there: tuple[int, ...]) -> bool:
    returns = {back[end] - start for start, end in enumerate(there) if end != OFF and back[end] != OFF}
    return returns == {0}


def _positions(rows: Table) -> tuple[Point, ...]:
    """Where the designer puts the spaces; nothing unless every row says so."""
    if not all({"x", "y"} <= row.keys() for row in rows):
        return ()
    return tuple((_place(row, "x"), _place(row, "y")) for row in rows)


def _place(row: Row, column: str) -> float:
    try:
        value = float(str(row[column]))
    except ValueError:
        value = _FARTHEST
    if not abs(value) < _FARTHEST:
        raise BoardError(f"`{column}` of a space must be a number, not `{row[column]}`", "spaces", row, column)
    return value


def _unit(points: tuple[Point, ...], ways: Sequence[Edge]) -> float:
    """Whatever units the designer measures in: the length of the shortest edge."""
    lengths = (dist(points[way.start], points[way.end]) for way in ways if points)
    return min((length for length in lengths if length > 0), default=1.0)
