"""Turns of a tile that nothing tells apart: a hexagon of mountains lies the same however it is turned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.declarations.geometry import board_turns
from ruledsl.analysis.names import BoardInfo, Handle, KindInfo
from ruledsl.ir import core as C
from ruledsl.types import Elem, SetOf, members

if TYPE_CHECKING:
    from ruledsl.analysis.world import World
    from ruledsl.types import Root


def first_alike(world: World, piece: int, turn: int) -> int:
    """The least turn in which a tile is the same as in this one, whatever the rules may ask of its sides and parts."""
    found: dict[int, tuple[int, ...]] = world.data.setdefault("alike turns", {})
    if piece not in found:
        found[piece] = _alike(world, piece)
    return found[piece][turn]


def _alike(world: World, piece: int) -> tuple[int, ...]:
    kind = next(kind for kind in world.kinds if kind.mask >> piece & 1)
    board = next(board for board in world.boards if board.name == kind.tile)
    count = len(board.board.sides)
    same = [times for times in range(count) if _unchanged(world, kind, board, piece, times)]
    return tuple(next(other for other in range(count) if (turn - other) % count in same) for turn in range(count))


def _unchanged(world: World, kind: KindInfo, board: BoardInfo, piece: int, times: int) -> bool:
    """Whether turning a tile so many times changes nothing."""
    if times == 0:
        return True
    to = [turns[times] for turns in board_turns(world, board)]
    if not all(_lies_alike(world, *one, to) for one in _attributes(world.pieces, piece)):
        return False
    for part in kind.parts:
        own = [at for at, owner in enumerate(part.owner) if owner == piece]
        said = cache(partial(_printed, part.root))
        before = Counter((part.sides[at], said(at)) for at in own)
        if before != Counter((_moved(part.sides[at], to), said(at)) for at in own):
            return False
    return True


def _attributes(root: Root, member: int) -> list[tuple[Any, C.Node | Handle]]:
    """The attributes of a member: the type of each and how it is read."""
    return [
        (attribute.type, attribute.build(C.Const(member), None))
        for found in root.attributes.values()
        for attribute in found
        if attribute.mask >> member & 1
    ]


def _lies_alike(world: World, kind: Any, read: C.Node | Handle, to: Sequence[int]) -> bool:
    """Whether what belongs to the sides of a tile is the same when it is turned; all else does not depend on it."""
    if isinstance(read, Handle):
        if read.tile is None or read.index is None:
            return True
        size, tile = world.directions.size, world.evaluate(read.index)
        row = read.table[tile * size : (tile + 1) * size]
        return all(row[to[d]] == row[d] for d in range(size))
    if isinstance(kind, SetOf) and isinstance(kind.of, Elem) and kind.of.root is world.directions:
        sides: int = world.evaluate(read)
        return _moved(sides, to) == sides
    return True


def _moved(sides: int, to: Sequence[int]) -> int:
    return sum(1 << to[d] for d in members(sides))


def _printed(root: Root, part: int) -> tuple[Any, ...]:
    """What is printed on a part; all else that can be asked of it follows from where it lies and what stands on it."""
    return tuple(read.value for _, read in _attributes(root, part) if isinstance(read, C.Const))


__all__ = ["first_alike"]
