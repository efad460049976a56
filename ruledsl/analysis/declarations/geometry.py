"""Directions, and where they lead on the boards of a game."""

from __future__ import annotations

from itertools import chain

from ruledsl.analysis.names import BoardInfo, Declared
from ruledsl.analysis.world import World
from ruledsl.types import BOOL, NONE, Elem, Num


class Geometry:
    """Where steps lead on a board, by space * directions + direction; neighbours as sets; pairs of opposites."""

    def __init__(
        self, steps: tuple[int, ...], count: int, near: tuple[int, ...], axes: tuple[tuple[int, int], ...]
    ) -> None:
        self.steps, self.count, self.near, self.axes = steps, count, near, axes


def add_directions(world: World, boards: list[BoardInfo]) -> None:
    root = world.directions
    for info in boards:
        for direction in info.board.directions:
            if direction not in root.names:
                root.names.append(direction)
                root.titles.append(world.title_of_word(direction))
    for cycles, turning in (
        (world.cycles, lambda board: (board.directions,)),
        (world.kin_cycles, lambda board: board.circles),
    ):
        circles: dict[int, set[tuple[int, ...]]] = {}
        for info in boards:
            for names in turning(info.board):
                circle = tuple(root.names.index(d) for d in names)
                for d in circle:
                    circles.setdefault(d, set()).add(circle)
        for d, found in circles.items():
            if len(found) == 1:
                (circle,) = found
                cycles[d] = (circle, circle.index(d))
    back = [NONE] * root.size
    for info in boards:
        for direction, other in info.board.opposite.items():
            back[root.names.index(direction)] = root.names.index(other)
    world.data["opposite"] = tuple(back)
    groups: dict[str, int] = {"directions": root.everything}
    for info in boards:
        for group, members in info.board.groups.items():
            groups[group] = groups.get(group, 0) | sum(1 << root.names.index(d) for d in members)
    for group, mask in groups.items():
        if group not in world.names and root.size:
            world.names[group] = Declared(group, "type", None, world.named(group, Elem(root, mask)), used=True)


def add_geometry(world: World, info: BoardInfo) -> None:
    """Tables of a board: coordinates, steps by space and direction, neighbours as sets."""
    board, root, size = info.board, info.root, info.spaces
    for name, values in board.coordinates.items():
        numbers = list(values) * info.copies
        world.fixed_attribute(root, name, root.everything, Num(min(numbers), max(numbers)), numbers)
    world.fixed_attribute(root, "edge", root.everything, BOOL, [int(rim) for rim in board.edge] * info.copies)
    count, first = world.directions.size, range(0, root.size, size)  # `first`: the first space of each copy
    nowhere = (NONE,) * size
    rows = [board.steps.get(direction, nowhere) for direction in world.directions.names]
    steps = tuple(chain.from_iterable(zip(*rows, strict=True)))  # space by space
    if info.copies > 1:
        steps = tuple(to + shift if to >= 0 else to for shift in first for to in steps)
    near = tuple(spaces << shift for shift in first for spaces in board.near) if info.copies > 1 else board.near
    axes = tuple((world.directions.names.index(a), world.directions.names.index(b)) for a, b in board.axes)
    world.data.setdefault("geometry", {})[root] = Geometry(steps, count, near, axes)


def board_geometry(world: World, board: BoardInfo) -> Geometry:
    return world.data["geometry"][board.root]


def board_turns(world: World, board: BoardInfo) -> tuple[tuple[int, ...], ...]:
    """What becomes of each direction when a tile is turned clockwise by 0, 1 … sides."""
    root, times = world.directions, len(board.board.sides)
    turns: list[tuple[int, ...]] = [(d,) * times for d in range(root.size)]
    for names in board.board.circles:
        circle = [root.names.index(name) for name in names]
        for place, d in enumerate(circle):
            turns[d] = tuple(circle[(place + k * len(circle) // times) % len(circle)] for k in range(times))
    return tuple(turns)
