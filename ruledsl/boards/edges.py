"""The edges between the spaces of another board, as spaces of their own."""

from ruledsl.boards.base import Board, BoardError, Edge, Parameter, board_shape, check_size
from ruledsl.wording.templates import Words


@board_shape(
    "edges",
    {
        "edges_of": Parameter("board", "the name of the board whose spaces the edges join"),
    },
    Words(
        en="{spaces} edges, each between two neighbouring spaces of {edges_of}",
        ru="рёбра ({spaces}), каждое между двумя соседними клетками: {edges_of}",
    ),
    tried=("between", "borders_of", "borders", "sides_of", "edge_of", "boundaries_of", "walls_of"),
)
def edges(edges_of: Board) -> Board:
    """The edges between neighbouring spaces of another board: where walls stand, roads and bridges lie.

    Each pair of neighbours has one edge, `a1_a2` between `a1` and `a2`. Edges have what spaces have: state and
    attributes, and they hold pieces. `edge(a, b)` is the edge between two spaces, `edges_of(s)` are all of a space,
    `ends(e)` the two spaces of an edge. Edges that meet at a space are neighbours. They are drawn between the spaces.
    `attributes` may stand as columns in the table of edges of a graph, or in a table with the columns `from` and `to`.

    boards:
      field: {grid: {width: 9, height: 9, neighbors: orthogonal}, space: square}
      gaps: {edges_of: field, space: gap, state: {wall: bool}}
    """
    if edges_of.joins:
        raise BoardError("these are edges already; edges of edges are not known", "edges_of")
    if edges_of.touching:
        raise BoardError("the edges of a growing board are not known before its tiles are laid", "edges_of")
    joins = _joins(edges_of)
    if not joins:
        raise BoardError("this board has no neighbours, and so no edges", "edges_of")
    check_size(len(joins), "edges_of")
    meeting: list[list[int]] = [[] for _ in edges_of.spaces]
    for edge, ends in enumerate(joins):
        for space in ends:
            meeting[space].append(edge)
    pairs = sorted({(a, b) for found in meeting for a in found for b in found if a != b})
    names = edges_of.spaces
    points = edges_of.positions
    return Board(
        shape="edges",
        spaces=tuple(f"{names[a]}_{names[b]}" for a, b in joins),
        coordinates={},
        directions=(),
        steps={},
        opposite={},
        edges=tuple(Edge(a, b) for a, b in pairs),
        positions=tuple(((points[a][0] + points[b][0]) / 2, (points[a][1] + points[b][1]) / 2) for a, b in joins)
        if points
        else (),
        joins=joins,
    )


def _joins(board: Board) -> tuple[tuple[int, int], ...]:
    """Each pair of spaces between which a step leads, one way or both."""
    return tuple(sorted({(min(a, b), max(a, b)) for a, ends in enumerate(board.adjacent) for b in ends if a != b}))
