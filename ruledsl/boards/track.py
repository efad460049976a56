"""Spaces in a line, which may be drawn in several rows."""

from collections.abc import Iterator

from ruledsl.boards.base import MOST_SPACES, OFF, Board, BoardError, Parameter, Point, board_shape
from ruledsl.wording.templates import Words


@board_shape(
    "track",
    {
        "track": Parameter("int", "the number of spaces", minimum=1, maximum=MOST_SPACES),
        "rows": Parameter("int", "in how many rows it is drawn (default: 1)", required=False, minimum=1),
    },
    Words(en="{spaces} spaces in a row, numbered from 1", ru="клетки в ряд, с номерами от 1: {spaces}"),
    coordinates=("index",),
)
def track(track: int, rows: int = 1) -> Board:
    """Spaces in a line with `index` from 1; `up` leads to the next higher, `down` to the next lower.

    With `rows` it is drawn back and forth, from below: a row begins above the end of the one before. That
    changes the picture only.

    board: {track: 40, rows: 4, space: step}
    """
    if rows > track:
        raise BoardError(f"{track} spaces do not fill {rows} rows", "rows")
    indices = range(1, track + 1)
    return Board(
        shape="track",
        spaces=tuple(map(str, indices)),
        coordinates={"index": tuple(indices)},
        directions=("up", "down"),
        steps={"up": (*range(1, track), OFF), "down": (OFF, *range(track - 1))},
        opposite={"up": "down", "down": "up"},
        border=("up", "down"),
        positions=tuple(_positions(track, rows)),
        outline="square",
    )


def _positions(size: int, rows: int) -> Iterator[Point]:
    """To the right in the first row, which is the lowest, back in the second, and so on; the last may be shorter."""
    length = -(-size // rows)
    for space in range(size):
        row, place = divmod(space, length)
        yield (float(length - place if row % 2 else place + 1), float(row))
