"""What is to be seen on a tile: its areas and the sides they come to, and which of them a point lies in.

Lengths are in units of the distance from the middle of a space to its sides, with x to the right and y downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import cos, dist, pi, sin

from ruledsl.boards.base import Outline, Point
from ruledsl.boards.marks import Mark
from ruledsl.records import dataclass

MIDDLE: Point = (0.0, 0.0)
_NEAREST = 0.01  # differences below this are rounding


@dataclass(frozen=True)
class Area:
    """One ground on a tile: the sides it comes to, by number clockwise, how it looks, and what stands on it."""

    sides: tuple[int, ...]
    look: Mark
    pieces: tuple[Mark, ...] = ()
    way: bool = False  # a narrow way on the ground instead of ground


@dataclass(frozen=True)
class Face:
    """A tile as it lies: its areas, and a sign that is printed on it."""

    areas: tuple[Area, ...]
    sign: Mark | None = None
    turn: int = 0


@dataclass(frozen=True)
class Cell:
    """A space of a board of tiles: the tile, what else lies there, and what the space itself tells."""

    face: Face | None
    pieces: tuple[Mark, ...] = ()
    value: Mark | None = None


def printed(cell: Cell) -> Mark | None:
    """The sign that is printed on a tile, unless a piece with the same sign lies on it."""
    sign = cell.face.sign if cell.face is not None else None
    return None if sign is None or any(mark.text == sign.text for mark in cell.pieces) else sign


def turned(face: Face, by: int, count: int) -> Face:
    """The tile turned clockwise by so many of its sides."""
    areas = tuple(replace(area, sides=tuple((side + by) % count for side in area.sides)) for area in face.areas)
    return replace(face, areas=areas, turn=(face.turn + by) % count)


def side_count(outline: Outline) -> int:
    return 4 if outline == "square" else 6


@cache
def corners(outline: Outline) -> tuple[Point, ...]:
    """The corners clockwise: side n lies between the corners n and n + 1."""
    count = side_count(outline)
    first = _first_angle(outline) - pi / count
    radius = 1 / cos(pi / count)
    angles = [first + 2 * pi * corner / count for corner in range(count)]
    return tuple((radius * sin(angle), -radius * cos(angle)) for angle in angles)


@cache
def middles(outline: Outline) -> tuple[Point, ...]:
    """The middles of the sides."""
    count = side_count(outline)
    angles = [_first_angle(outline) + 2 * pi * side / count for side in range(count)]
    return tuple((sin(angle), -cos(angle)) for angle in angles)


def _first_angle(outline: Outline) -> float:
    return pi / 6 if outline == "hex-pointy" else 0.0


def hub(area: Area, outline: Outline) -> Point:
    """Where the ways from the sides of an area come together."""
    points = [middles(outline)[side] for side in area.sides]
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)) if points else MIDDLE


def anchor(area: Area, outline: Outline) -> Point:
    """Where things on an area stand: at its hub, but not at the rim."""
    x, y = hub(area, outline)
    return (x * 0.66, y * 0.66) if len(area.sides) == 1 else (x, y)


def area_at(areas: Sequence[Area], point: Point, outline: Outline) -> Area | None:
    """The area that a point lies in: the one whose ways from its sides to its hub pass nearest."""
    best: tuple[float, Area | None] = (float("inf"), None)
    for area in areas:
        middle = hub(area, outline)
        ways = [_from_line(point, middles(outline)[side], middle) for side in area.sides]
        away = min(ways, default=dist(point, MIDDLE))
        if away < best[0] - _NEAREST:
            best = (away, area)
    return best[1]


def _from_line(point: Point, start: Point, end: Point) -> float:
    """How far a point is from a straight way."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    length = dx * dx + dy * dy
    along = max(0.0, min(1.0, ((point[0] - x) * dx + (point[1] - y) * dy) / length)) if length else 0.0
    return dist(point, (x + along * dx, y + along * dy))
