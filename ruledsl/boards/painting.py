"""A board on a picture: where its spaces lie there, and what is drawn above it.

Everything is measured as the picture is: from its left upper corner, in pixels of a PNG or units of an SVG.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import atan2, cos, dist, pi, sin

from ruledsl.boards.base import Point
from ruledsl.records import dataclass

_UNITS = {"px": 1.0, "": 1.0, "pt": 4 / 3, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(px|pt|mm|cm|in)?\s*")


@dataclass(frozen=True)
class Aside:
    """A place beside the spaces, such as a bar or a store: its name, and the row in which pieces lie there."""

    name: str
    start: Point
    end: Point


@dataclass(frozen=True)
class Painting:
    """A picture with the places of spaces: the middle of each, and the end of the row in which pieces lie there."""

    file: str
    width: float
    height: float
    spots: tuple[Point, ...]
    ends: tuple[Point, ...]  # of a space without a row its middle
    size: float  # how wide a piece is
    named: bool = False  # whether names are written beside the spaces
    asides: tuple[Aside, ...] = ()  # places that lie on the picture, too

    @property
    def has_rows(self) -> bool:
        """Whether pieces lie side by side anywhere, and not as a heap."""
        return self.spots != self.ends

    def scaled(self, size: float) -> Painting:
        """The same in other units, in which a piece is so wide."""
        by = size / self.size

        def at(point: Point) -> Point:
            return point[0] * by, point[1] * by

        spots, ends = (tuple(map(at, points)) for points in (self.spots, self.ends))
        asides = tuple(Aside(one.name, at(one.start), at(one.end)) for one in self.asides)
        return Painting(self.file, self.width * by, self.height * by, spots, ends, size, self.named, asides)


def size_of(data: bytes) -> tuple[float, float] | None:
    """How wide and high a picture is, in its own units; nothing where it does not say."""
    if data[:4] == b"\x89PNG":
        found = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        return (float(found[0]), float(found[1])) if data[12:16] == b"IHDR" and all(found) else None
    tag = re.search(rb"<svg\b[^>]*>", data)
    if tag is None:
        return None
    written = dict(re.findall(r"""([\w:-]+)\s*=\s*["']([^"']*)""", tag[0].decode("utf-8", "replace")))
    box = re.split(r"[\s,]+", written.get("viewBox", "").strip())
    if len(box) == 4 and all(re.fullmatch(r"-?\d+(\.\d+)?", part) for part in box):
        sides = (float(box[2]), float(box[3]))
        return sides if min(sides) > 0 and box[:2] == ["0", "0"] else None
    lengths = [_LENGTH.fullmatch(written.get(name, "")) for name in ("width", "height")]
    if not all(lengths):
        return None
    across, down = (float(found[1]) * _UNITS[found[2] or ""] for found in lengths if found)
    return (across, down) if across and down else None


def nearest(points: Sequence[Point]) -> float:
    """How far the two nearest of different points are from each other; 0 where there is one alone."""
    ways = (dist(a, b) for number, a in enumerate(points) for b in points[number + 1 :])
    return min((way for way in ways if way), default=0.0)


def row(start: Point, end: Point, count: int, size: float) -> list[Point]:
    """Where so many pieces lie from one point towards another: side by side, or over each other if they do not fit."""
    length = dist(start, end)
    if count < 2 or not length:
        return [start] * count
    step = min(size, length / (count - 1)) / length
    return [
        (start[0] + (end[0] - start[0]) * step * n, start[1] + (end[1] - start[1]) * step * n) for n in range(count)
    ]


def round_about(start: Point, end: Point, radius: float) -> str:
    """The edge of all that is so near to a row, as a path."""
    turn = atan2(end[1] - start[1], end[0] - start[0]) + pi / 2
    across, down = radius * cos(turn), radius * sin(turn)
    corners = [(x + side * across, y + side * down) for (x, y), side in ((start, 1), (start, -1), (end, -1), (end, 1))]
    first, second, third, last = (f"{x:.2f} {y:.2f}" for x, y in corners)
    round_end = f"A{radius:.2f} {radius:.2f} 0 0 1"
    return f"M{first}{round_end} {second}L{third}{round_end} {last}Z"


__all__ = ["Aside", "Painting", "nearest", "round_about", "row", "size_of"]
