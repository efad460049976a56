"""The board of squares in columns and rows."""

from dataclasses import replace

from ruledsl.boards.base import (
    FARTHEST_TILE,
    Board,
    BoardError,
    Coordinates,
    Parameter,
    Point,
    board_shape,
    check_growing,
    check_size,
    from_cells,
    growing_parameters,
    letters,
)
from ruledsl.wording.templates import Words

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
        "neighbors": Parameter(
            "word", "which of the squares around are neighbours, if not all", required=False, words=tuple(_GROUPS)
        ),
        "skip": Parameter("name", "letters that no column is named with: `skip: i` as in Go", required=False),
        **growing_parameters("of a growing board: steps from the middle to the farthest tile"),
    },
    Words(en="{x} columns and {y} rows of squares", ru="клетки: столбцов {x}, рядов {y}"),
    coordinates=("x", "y"),
    nested=True,
    nearer=1,
)
def grid(
    width: int | None = None,
    height: int | None = None,
    neighbors: str | None = None,
    skip: str | None = None,
    growing: bool = False,
    touching: int | None = None,
    radius: int | None = None,
) -> Board:
    """Squares in columns and rows, named a1, b1 and so on.

    `x` counts the columns from the left and `y` the rows from below, both from 1. All eight squares around
    are neighbours; `orthogonal` and `diagonal` are four directions each. With `neighbors: orthogonal` only the
    four beside a square are its neighbours: for `neighbors` and `distance`, and for what is `reachable`, `joined`
    or in one of the `groups`. Steps, rays and lines know eight directions in any case.
    With `skip: i` no column is named i: the one after h is j, as players of Go write it.
    `growing: true` is land that square tiles make (see *Boards that grow*). Its squares are named by their
    coordinates, such as `1,-2`; only those that share a side are neighbours.

    boards:
      field: {grid: {width: 8, height: 8}, space: square}
      city: {grid: {width: 5, height: 5, neighbors: orthogonal}, space: block}
      board: {grid: {width: 19, height: 19, neighbors: orthogonal, skip: i}, space: point}
      land: {grid: {growing: true}, space: plot, holds: any}
    """
    check_growing(growing, touching, {"width": width, "height": height, "neighbors": neighbors, "skip": skip})
    if growing:
        radius = FARTHEST_TILE if radius is None else radius
        return _growing(radius, touching or 1)
    if radius is not None:
        raise BoardError("`radius` goes with `growing: true`", "radius")
    assert width is not None, "required"
    assert height is not None, "required"
    check_size(width * height, "width")
    skipped = (skip or "").lower()
    if len({letter for letter in skipped if letter.isascii() and letter.isalpha()}) < len(skipped) or len(skipped) > 20:
        raise BoardError("`skip` takes letters, such as `i` or `il`", "skip")
    cells: dict[Coordinates, str] = {
        (x, y): f"{letters(x, skipped)}{y}" for y in range(1, height + 1) for x in range(1, width + 1)
    }
    return from_cells(
        "grid",
        cells,
        names=("x", "y"),
        offsets=_OFFSETS,
        position=_position,
        groups=_GROUPS,
        border=_GROUPS["orthogonal"],
        meeting=_GROUPS[neighbors] if neighbors else None,
        outline="square",
    )


def _growing(radius: int, touching: int) -> Board:
    span = range(-radius - 1, radius + 2)
    board = from_cells(
        "grid",
        {(x, y): f"{x},{y}" for y in span for x in span},
        names=("x", "y"),
        offsets=_OFFSETS,
        position=_position,
        groups=_GROUPS,
        border=_GROUPS["orthogonal"],
        meeting=_GROUPS["orthogonal"],
        outline="square",
    )
    return replace(board, touching=touching)


def _position(x: int, y: int) -> Point:
    return (float(x), float(y))
