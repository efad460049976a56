"""Spaces in a line."""

from ruledsl.boards.base import MOST_SPACES, OFF, Board, Parameter, board_shape


@board_shape(
    "track",
    {"track": Parameter("int", "the number of spaces", minimum=1, maximum=MOST_SPACES)},
    coordinates=("index",),
)
def track(track: int) -> Board:
    """Spaces in a line with `index` from 1; `up` leads to the next higher, `down` to the next lower.

    board: {track: 24, space: segment}
    """
    indices = range(1, track + 1)
    return Board(
        shape="track",
        spaces=tuple(map(str, indices)),
        coordinates={"index": tuple(indices)},
        directions=("up", "down"),
        steps={"up": (*range(1, track), OFF), "down": (OFF, *range(track - 1))},
        opposite={"up": "down", "down": "up"},
        border=("up", "down"),
        positions=tuple((float(index), 0.0) for index in indices),
        outline="square",
    )
