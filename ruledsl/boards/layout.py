"""Where the spaces of a board lie on paper, also of a graph that nobody has laid out."""

from collections import deque
from collections.abc import Sequence
from math import cos, dist, pi, sin

from ruledsl.boards.base import Board, Point

_ROUNDS = 300
_MOST_ARRANGED = 120  # larger graphs stay on a circle: the work grows with the square


def layout(board: Board) -> tuple[Point, ...]:
    """The positions of a board, worked out if it has none; always the same for the same board."""
    if board.positions:
        return board.positions
    size = len(board)
    angles = [2 * pi * space / size for space in range(size)]
    radius = 0.5 / sin(pi / size) if size > 1 else 0.0
    points = [(radius * sin(angle), radius * cos(angle)) for angle in angles]
    return tuple(_arranged(board, points) if size <= _MOST_ARRANGED else points)


def together(boards: Sequence[Board]) -> Board:
    """The spaces of boards that have places of their own as one board without lines, in the units of their tables."""
    return Board(
        shape="graph",
        spaces=tuple(space for board in boards for space in board.spaces),
        coordinates={},
        directions=(),
        steps={},
        opposite={},
        positions=tuple((x * board.unit, y * board.unit) for board in boards for x, y in board.positions),
    )


def _arranged(board: Board, points: list[Point]) -> list[Point]:
    """Stress majorisation: each space in turn moves to where its distances on paper fit those on the board.

    Near spaces count most. networkx has the like, but would need numpy and scipy for it.
    """
    beside = _beside(board)
    wanted = [_distances(beside, space) for space in range(len(board))]
    for _ in range(_ROUNDS):
        for space in range(len(board)):
            points[space] = _settled(space, points, wanted[space])
    return points


def _settled(space: int, points: Sequence[Point], wanted: Sequence[int]) -> Point:
    here = points[space]
    x = y = total = 0.0
    for other, there in enumerate(points):
        if other == space:
            continue
        weight = wanted[other] ** -2
        stretch = wanted[other] / max(dist(here, there), 0.01)
        x += weight * (there[0] + (here[0] - there[0]) * stretch)
        y += weight * (there[1] + (here[1] - there[1]) * stretch)
        total += weight
    return (x / total, y / total) if total else here


def _distances(beside: Sequence[set[int]], start: int) -> list[int]:
    """Steps from a space to each other; those out of reach lie behind the farthest."""
    steps = {start: 0}
    queue = deque([start])
    while queue:
        space = queue.popleft()
        for near in sorted(beside[space]):
            if near not in steps:
                steps[near] = steps[space] + 1
                queue.append(near)
    far = max(steps.values()) + 2
    return [steps.get(space, far) for space in range(len(beside))]


def _beside(board: Board) -> list[set[int]]:
    """The neighbours of each space, either way along an edge."""
    near: list[set[int]] = [set() for _ in board.spaces]
    for link in board.links:
        near[link.start].add(link.end)
        near[link.end].add(link.start)
    return near
