"""Boards of hexagons: a large hexagon, the rhombus of Hex, or any cells from a table."""

from dataclasses import replace
from math import sqrt

from ruledsl.boards.base import (
    FARTHEST_TILE,
    Board,
    BoardError,
    Coordinates,
    Outline,
    Parameter,
    Point,
    Table,
    board_shape,
    check_growing,
    first_repeated,
    from_cells,
    growing_parameters,
    letters,
    row_name,
    row_number,
)
from ruledsl.wording.templates import Words

# Axial coordinates: q grows to the east, r to the south, and a third number, -q-r, is left out. Of the
# eight neighbours in a square, the two on the diagonal q = r are none here.
_AROUND = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_DIRECTIONS = {
    "flat": ("n", "ne", "se", "s", "sw", "nw"),
    "pointy": ("nw", "ne", "e", "se", "sw", "w"),
}
_FIRST = {"flat": 0, "pointy": 1}  # lists of directions begin at the north or next after it
_FARTHEST = 1000  # keeps pictures and lookups of hostile tables small


@board_shape(
    "hexes",
    {
        **growing_parameters("steps from the middle to the rim, or to the farthest tile of a growing board"),
        "rhombus": Parameter("int", "the cells of one side", required=False, minimum=1, maximum=141),
        "from": Parameter(
            "table", "a table with the columns q, r and perhaps id", False, columns=("q", "r", "id", "name")
        ),
        "shape": Parameter(
            "word",
            "whether the cells have a flat side or a point on top; a rhombus is pointy unless this says flat",
            required=False,
            words=("flat", "pointy"),
        ),
    },
    Words(en="{spaces} hexagons", ru="шестиугольники: {spaces}"),
    coordinates=("q", "r"),
    nested=True,
    one_of=("radius", "rhombus", "from"),
    nearer=2,
)
def hexes(
    radius: int | None = None,
    rhombus: int | None = None,
    from_: Table | None = None,
    shape: str | None = None,
    growing: bool = False,
    touching: int | None = None,
) -> Board:
    """Hexagons by axial coordinates: a step along `q` goes east, one along `r` goes south.

    `radius: n` is a large hexagon around q=0, r=0; its cells are named by their coordinates, such as `1,-2`.
    `rhombus: n` has q and r from 1 and names as on a Hex board: a letter for q and a number for r.
    `from: table` has the cells of the table. The cells are `flat` on top, with directions n ne se s sw nw,
    or `pointy`, with ne e se sw w nw; flat is usual, but a rhombus is pointy, as Hex is drawn.
    `growing: true` is land that tiles make (see *Boards that grow*); its cells are named like those of a radius.

    boards:
      field: {hexes: {rhombus: 11}, space: cell}
      sea: {hexes: {radius: 3, shape: pointy}, space: bay}
      land: {hexes: {growing: true, touching: 2}, space: plot, holds: any}
    """
    check_growing(growing, touching, {"rhombus": rhombus, "from": from_})
    if growing:
        radius = FARTHEST_TILE if radius is None else radius
        return replace(_board(_hexagon(radius + 1), shape or "flat"), touching=touching or 1)
    if rhombus is not None:
        cells = _rhombus(rhombus)
    elif from_ is not None:
        cells = _table(from_)
    else:
        assert radius is not None, "give exactly one of the three"
        cells = _hexagon(radius)
    return _board(cells, shape or ("flat" if rhombus is None else "pointy"))


def _board(cells: dict[Coordinates, str], shape: str) -> Board:
    offsets = list(zip(_DIRECTIONS[shape], _AROUND, strict=True))
    first = _FIRST[shape]
    outline: Outline = "hex-flat" if shape == "flat" else "hex-pointy"
    return from_cells(
        "hexes",
        cells,
        names=("q", "r"),
        offsets=dict(offsets[first:] + offsets[:first]),
        position=_flat_position if shape == "flat" else _pointy_position,
        border=_DIRECTIONS[shape],
        outline=outline,
    )


def _hexagon(radius: int) -> dict[Coordinates, str]:
    span = range(-radius, radius + 1)
    return {(q, r): f"{q},{r}" for r in span for q in span if abs(q + r) <= radius}


def _rhombus(size: int) -> dict[Coordinates, str]:
    span = range(1, size + 1)
    return {(q, r): f"{letters(q)}{r}" for r in span for q in span}


def _table(rows: Table) -> dict[Coordinates, str]:
    if not rows:
        raise BoardError("the table of cells is empty", "from")
    cells: dict[Coordinates, str] = {}
    for row in rows:
        q, r = row_number(row, "q", "from"), row_number(row, "r", "from")
        if max(abs(q), abs(r)) > _FARTHEST:
            raise BoardError(f"q and r must lie within {-_FARTHEST}..{_FARTHEST}, not {q} and {r}", "from", row, "q")
        if (q, r) in cells:
            raise BoardError(f"the cell q {q}, r {r} is in the table twice", "from", row, "q")
        cells[q, r] = row_name(row) or f"{q},{r}"
    repeated = first_repeated(list(cells.values()))
    if repeated is not None:
        raise BoardError(f"two cells are called `{repeated}`", "from")
    return cells


def _flat_position(q: int, r: int) -> Point:
    return (q * sqrt(3) / 2, -(r + q / 2))


def _pointy_position(q: int, r: int) -> Point:
    return (q + r / 2, -r * sqrt(3) / 2)
