"""Spaces in a circle, perhaps around a hub."""

from math import cos, pi, sin

from ruledsl.boards.base import (
    OFF,
    Board,
    BoardError,
    Edge,
    Parameter,
    Point,
    Table,
    board_shape,
    first_repeated,
    row_name,
)
from ruledsl.wording.templates import Words


@board_shape(
    "ring",
    {
        "ring": Parameter("int", "the number of spaces in the circle", minimum=2, maximum=19_999),
        "rows": Parameter("int", "2: drawn as two rows that face each other", required=False, minimum=1, maximum=2),
        "hub": Parameter("name", "the name of a space in the middle that touches all", required=False),
        "from": Parameter("table", "a table whose rows name the spaces in order", False, columns=("name", "id")),
    },
    Words(
        en="{spaces} spaces in a circle<; {hub} in the middle touches all of them>",
        ru="клетки по кругу: {spaces}<; {hub} в середине касается всех>",
    ),
    coordinates=("index",),
)
def ring(ring: int, rows: int = 1, hub: str | None = None, from_: Table | None = None) -> Board:
    """Spaces in a circle, clockwise, with `index` from 1; a `hub` comes last and touches all of them.

    The directions are cw, ccw and, if there is a hub, `hub` from every space of the circle. The hub has
    no directions, but all others are its neighbours. The spaces are called 1, 2 and so on, or as the table
    says; it may have a row for the hub too, by its name. With `rows: 2` the second half is drawn above the first and
    runs back, as on a board for sowing games.

    board: {ring: 6, hub: keep, space: quarter}
    """
    names = _names(ring, hub, from_)
    circle = range(ring)
    outside = () if hub is None else (OFF,)
    steps = {
        "cw": tuple((space + 1) % ring for space in circle) + outside,
        "ccw": tuple((space - 1) % ring for space in circle) + outside,
    }
    if hub is not None:
        steps["hub"] = (ring,) * ring + (OFF,)
    return Board(
        shape="ring",
        spaces=names,
        coordinates={"index": tuple(range(1, len(names) + 1))},
        directions=tuple(steps),
        steps=steps,
        opposite={"cw": "ccw", "ccw": "cw"},
        edges=() if hub is None else tuple(Edge(ring, space) for space in circle),
        positions=_facing(ring, hub is not None) if rows == 2 else _positions(ring, hub is not None),
        outline="square" if rows == 2 else "circle",
    )


def _names(size: int, hub: str | None, rows: Table | None) -> tuple[str, ...]:
    middle = () if hub is None else (hub,)
    if rows is None:
        around = [str(index) for index in range(1, size + 1)]
    else:
        called = (row_name(row) or str(index) for index, row in enumerate(rows, 1))
        around = [name for name in called if name != hub]
        if len(around) != size:
            raise BoardError(f"the table names {len(around)} spaces, but the ring has {size}", "from")
    repeated = first_repeated([*around, *middle])
    if repeated is not None:
        raise BoardError(f"two spaces are called `{repeated}`", "from" if rows is not None else "hub")
    return (*around, *middle)


def _facing(size: int, hub: bool) -> tuple[Point, ...]:
    """The first half to the right, the second back above it; a hub between them."""
    length = -(-size // 2)
    across = (float(i + 1 if i < length else 2 * length - i) for i in range(size))
    around = tuple((x, float(i >= length)) for i, x in enumerate(across))
    return around + ((((length + 1) / 2, 0.5),) if hub else ())


def _positions(size: int, hub: bool) -> tuple[Point, ...]:
    """Clockwise from the top, neighbours one apart; wide enough for a hub."""
    radius = max(0.5 / sin(pi / size), 1.0 if hub else 0.0)
    angles = (2 * pi * space / size for space in range(size))
    around = tuple((radius * sin(angle), radius * cos(angle)) for angle in angles)
    return around + (((0.0, 0.0),) if hub else ())
