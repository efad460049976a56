"""Points in rows that grow by one: the board of many puzzles with pegs."""

from math import sqrt

from ruledsl.boards.base import Board, Coordinates, Parameter, board_shape, check_size, from_cells, letters
from ruledsl.wording.templates import Words

# Row and place: a step down leads to two points of the next row, the left one with the same place.
_DIRECTIONS = {"ne": (-1, 0), "e": (0, 1), "se": (1, 1), "sw": (1, 0), "w": (0, -1), "nw": (-1, -1)}


@board_shape(
    "triangle",
    {"triangle": Parameter("int", "the number of rows; the last has as many points", minimum=1, maximum=199)},
    Words(
        en="{spaces} points in {row} rows, each one longer than the row above",
        ru="точки в рядах, каждый на одну длиннее: точек {spaces}, рядов {row}",
    ),
    coordinates=("row", "place"),
)
def triangle(triangle: int) -> Board:
    """Points in rows from the top: one in the first, `a1`, two in the second, `b1` and `b2`, and so on.

    Every point has up to six neighbors, as on a board of hexagons; `row` and `place` count from 1.

    board: {triangle: 5, space: hole}
    """
    check_size(triangle * (triangle + 1) // 2, "triangle")
    cells: dict[Coordinates, str] = {
        (row, at): f"{letters(row)}{at}" for row in range(1, triangle + 1) for at in range(1, row + 1)
    }
    return from_cells(
        "triangle",
        cells,
        ("row", "place"),
        _DIRECTIONS,
        lambda row, at: (at - row / 2, -row * sqrt(3) / 2),
        border=tuple(_DIRECTIONS),
        outline="circle",
    )
