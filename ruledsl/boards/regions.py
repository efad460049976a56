"""Spaces that belong together, as one ground below them: the hull of their middles, with room around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruledsl.boards.base import Point

_AROUND = 34.0  # from the middle of a space to the edge of the ground


def hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the smallest convex figure around points, one after the other.

    >>> hull([(0, 0), (2, 0), (1, 0.5), (2, 2), (0, 2)])
    [(0, 0), (2, 0), (2, 2), (0, 2)]
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _half(ordered) + _half(ordered[::-1])


def _half(points: Sequence[Point]) -> list[Point]:
    found: list[Point] = []
    for point in points:
        while len(found) > 1 and _turn(found[-2], found[-1], point) <= 0:
            found.pop()
        found.append(point)
    return found[:-1]


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def regions_drawn(regions: Sequence[Sequence[int]], points: Sequence[Point], fills: Sequence[str]) -> Iterator[str]:
    """A ground for each region, in its colour; nobody takes hold of it."""
    for spaces, fill in zip(regions, fills, strict=True):
        corners = hull([points[space] for space in spaces])
        if len(corners) > 1:
            way = "L".join(f"{x:.2f} {y:.2f}" for x, y in corners)
            pen = f'fill="{fill}" stroke="{fill}" stroke-width="{2 * _AROUND:g}" stroke-linejoin="round"'
            yield f'<path class="region" d="M{way}Z" {pen}/>'


__all__ = ["hull", "regions_drawn"]
