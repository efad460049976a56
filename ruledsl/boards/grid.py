"""The board of squares in columns and rows."""

from ruledsl.boards.base import (
    Board,
    Coordinates,
    Parameter,
    Point,
    board_shape,
    check_size,
    from_cells,
    letters,
)

_OFFSETS = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}
_GROUPS = {"orthogonal": ("n", "e", "s", "w"), "diagonal": ("ne", "se", "sw", "nw")}


@board_shape(
    "grid",
    {
        "width": Parameter("int", "the number of columns", minimum=1, maximum=1000),
        "height": Parameter("int", "the number of rows", minimum=1, maximum=1000),
    },
    coordinates=("x", "y"),
    nested=True,
)
def grid(width: int, height: int) -> Board:
    """Squares in columns and rows, named a1, b1 and so on.

    `x` counts the columns from the left and `y` the rows from below, both from 1. All eight squares around
    are neighbours; `orthogonal` and `diagonal` are four directions each.

    board: {grid: {width: 8, height: 8}, space: square}
    """
    check_size(width * height, "width")
    cells: dict[Coordinates, str] = {
        (x, y): f"{letters(x)}{y}" for y in range(1, height + 1) for x in range(1, width + 1)
    }
    return from_cells(
        "grid",
        cells,
        names=("x", "y"),
        offsets=_OFFSETS,
        position=_position,
        groups=_GROUPS,
        border=_GROUPS["orthogonal"],
        outline="square",
    )


def _position(x: int, y: int) -> Point:
    return (float(x), float(y))
