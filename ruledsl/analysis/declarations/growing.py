"""Boards that tiles make: how far they can grow, and what the engine keeps about them."""

from __future__ import annotations

from ruledsl.analysis.names import BoardInfo
from ruledsl.analysis.world import World
from ruledsl.boards.base import Shape, window
from ruledsl.ir import core as C
from ruledsl.source.document import Node, Scalar, Seq
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import fields
from ruledsl.types import Elem, Num, SetOf

from .piece_rows import copies_of, early_rows
from .pieces import KIND


def window_of(world: World, name: str, touching: int, shape: Shape) -> int:
    """How far from the middle the tiles of a growing board can come, from how many there are and where they start."""
    report, quiet = world.report, world.report.apart()
    world.report = world.elaborator.report = quiet  # pieces are declared later
    tiles = farthest = 0
    for kind, (key, node) in world.sections.named["pieces"].items():
        found = fields(node, KIND, quiet)
        if found is None or found.word("tile") != name:
            continue
        owners = world.players.size if found.word("per") == "player" else 1
        for row in early_rows(world, kind, found):
            start = row.get("start") or found.get("start")
            there = _start_coordinates(world, name, start)
            farthest = max([farthest, *(_steps(here, shape) for here in there)])
            copies = 1 if there else copies_of(world, row, found, None, kind, key)
            tiles += max(0, copies * owners - len(there))
    world.report = world.elaborator.report = report
    return window(tiles, farthest, touching, shape.nearer)


def _start_coordinates(world: World, board: str, node: Node | None) -> list[tuple[int, ...]]:
    """The coordinates in `start: land[0, 1]`, or in a list of these, before there is a board to look them up on."""
    if not isinstance(node, Scalar | Seq):
        return []
    tree = world.elaborator.read(node)
    found = []
    for item in tree.items if isinstance(tree, E.Items) else (tree,):
        if isinstance(item, E.Index) and isinstance(item.of, E.Name) and item.of.name == board:
            numbers = [world.elaborator.expr(key) for key in item.keys]
            if all(isinstance(n.node, C.Const) and isinstance(n.type, Num) for n in numbers):
                found.append(tuple(n.node.value for n in numbers))
    return found


def _steps(here: tuple[int, ...], shape: Shape) -> int:
    """How far a space lies from the middle: its largest coordinate, where hexagons have a third, -q-r."""
    return max(abs(x) for x in (*here, sum(here) if shape.coordinates == ("q", "r") else 0))


def add_growing(world: World, board: BoardInfo) -> None:
    """What the engine keeps about a board that tiles make (see `ir.core.Growing`)."""
    board_of = board.board
    here = Elem(board.root, board.root.everything)
    outside = sum([1 << space for space, rim in enumerate(board_of.edge) if rim])
    near = board_of.adjacent
    for copy in range(1, board.copies):
        near += tuple(tuple(copy * board.spaces + x for x in spaces) for spaces in board_of.adjacent)
    world.spots.growing.append(
        C.Growing(
            board.name,
            board.first_spot,
            board.root.size,
            sum(kind.mask for kind in world.kinds if kind.tile == board.name),
            near,
            board_of.touching,
            sum(outside << copy * board.spaces for copy in range(board.copies)),
            max(max(values) for values in board_of.coordinates.values()) - 1,
            world.layout.add(f"tiled {board.name}", 1, 1, SetOf(here), "spot"),
            world.layout.add(f"frontier {board.name}", 1, 1, SetOf(here), "spot"),
        )
    )
