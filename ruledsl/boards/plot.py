"""Boards of points and lines as text: each space where it lies on paper, with the lines between them drawn.

Where the names of the spaces are their columns and rows (`a1`), these stand at the margin as on a grid; elsewhere each
name stands beside what lies there. A board is drawn at the smallest scale at which no two texts touch, and not at all
where it would be too wide, or where a line would run through a space that it does not belong to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ruledsl.boards.base import Board
from ruledsl.boards.layout import layout
from ruledsl.boards.marks import Mark
from ruledsl.records import dataclass
from ruledsl.wording.columns import columns

_MOST = 80  # spaces that are plotted
_SCALES = (2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16)  # columns for a distance of one
_FLAT = 0.35  # a line that rises less than this is written with `-`
_STEEP = 3.0  # one that rises more, with `|`

Item = tuple[int, int, Mark]  # a line, a column and what begins there


@dataclass(frozen=True)
class _Node:
    """Where a space stands: its line, the column of its mark, and where its text begins and ends."""

    line: int
    column: int
    text: Mark
    end: int


def plotted(
    board: Board, names: Sequence[str], shown: Sequence[Mark], width: int, less: Sequence[Mark] | None = None
) -> list[Item]:
    """The items of a plot; none where it cannot be drawn well. With `less`, that is shown of spaces that lack room."""
    if not 1 < len(board) <= _MOST:
        return []
    points = layout(board)
    crossed = _coordinates(board)
    for scale in _SCALES:
        nodes = _nodes(points, names, shown, scale, named=not crossed)
        reach = max(node.end for node in nodes)
        if reach + (4 if crossed else 0) > width:
            return []
        if less is not None and (crowded := _crowded(nodes)):
            fewer = [less[space] if space in crowded else mark for space, mark in enumerate(shown)]
            nodes = _nodes(points, names, fewer, scale, named=not crossed)
        if not _crowded(nodes) and (lines := _lines(board, nodes)) is not None:
            shift = _margin(board, nodes) if crossed else 0
            items = [(node.line, node.column + shift, node.text) for node in nodes]
            items += [(line, column + shift, Mark(char)) for (line, column), char in lines.items()]
            return [*items, *(_labels(board, nodes, shift) if crossed else ())]
    return []


def _coordinates(board: Board) -> bool:
    """Whether the name of every space is a letter for its column and a number for its row."""
    if not board.positions:
        return False
    files: dict[str, float] = {}
    ranks: dict[str, float] = {}
    for name, (x, y) in zip(board.spaces, board.positions, strict=True):
        file, rank = name[:1], name[1:]
        if not (file.isalpha() and file.islower() and rank.isdigit()):
            return False
        if files.setdefault(file, x) != x or ranks.setdefault(rank, y) != y:
            return False
    across = [files[file] for file in sorted(files)]
    up = [ranks[rank] for rank in sorted(ranks, key=int)]
    return across == sorted(set(across)) and up == sorted(set(up))


def _nodes(
    points: Sequence[tuple[float, float]], names: Sequence[str], shown: Sequence[Mark], scale: float, named: bool
) -> list[_Node]:
    found = []
    for (x, y), name, mark in zip(points, names, shown, strict=True):
        text = f"{mark.text} {name}" if named else mark.text
        line, column = -round(y * scale / 2), round(x * scale)
        found.append((line, column, Mark(text, mark.colour, mark.bold)))
    top = min(line for line, _, _ in found)
    left = min(column for _, column, _ in found)
    return [_Node(line - top, column - left, mark, column - left + columns(mark.text)) for line, column, mark in found]


def _crowded(nodes: Sequence[_Node]) -> set[int]:
    """The spaces whose texts touch the next."""
    ordered = sorted(enumerate(nodes), key=lambda one: (one[1].line, one[1].column))
    return {at for (at, a), (_, b) in pairwise(ordered) if a.line == b.line and a.end + 1 >= b.column}


def _lines(board: Board, nodes: Sequence[_Node]) -> dict[tuple[int, int], str] | None:
    """The signs of all lines; nothing if one would run through a space."""
    taken = {(node.line, column): i for i, node in enumerate(nodes) for column in range(node.column, node.end)}
    found: dict[tuple[int, int], str] = {}
    for start, end in sorted({(min(link.start, link.end), max(link.start, link.end)) for link in board.links}):
        a, b = nodes[start], nodes[end]
        across, down = b.column - a.column, b.line - a.line
        steps = list(_between(a, b))
        if not steps:
            return None  # the spaces would stand so near that nothing tells that they are joined
        rise = abs(down / across) if across else _STEEP + 1
        char = "-" if rise < _FLAT else "|" if rise > _STEEP else "\\" if across * down > 0 else "/"
        for place in steps:
            owner = taken.get(place)
            if owner is not None:
                if owner in (start, end):
                    continue
                return None
            found[place] = "+" if found.get(place, char) != char else char
    return found


def _between(a: _Node, b: _Node) -> Iterator[tuple[int, int]]:
    """The places that a line between two spaces takes."""
    across, down = b.column - a.column, b.line - a.line
    if not down:
        left, right = (a, b) if a.column < b.column else (b, a)
        yield from ((a.line, column) for column in range(left.end, right.column))
        return
    flat = abs(down) < _FLAT * abs(across)
    steps = abs(across) if flat else abs(down)  # one sign in each column, or in each line
    seen = set()
    for i in range(1, steps):
        place = (a.line + round(down * i / steps), a.column + round(across * i / steps))
        if place not in seen and place not in ((a.line, a.column), (b.line, b.column)):
            seen.add(place)
            yield place


def _margin(board: Board, nodes: Sequence[_Node]) -> int:
    return max(columns(name[1:]) for name in board.spaces) + 2


def _labels(board: Board, nodes: Sequence[_Node], shift: int) -> Iterator[Item]:
    """Numbers at the left of each row, letters below each column."""
    lines = {node.line: name[1:] for name, node in zip(board.spaces, nodes, strict=True)}
    files = {node.column: name[:1] for name, node in zip(board.spaces, nodes, strict=True)}
    for line, rank in lines.items():
        yield line, shift - 2 - columns(rank), Mark(rank)
    bottom = max(lines) + 1
    for column, file in files.items():
        yield bottom, column + shift, Mark(file)


__all__ = ["Item", "plotted"]
