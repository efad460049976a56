"""Boards that are drawn in one picture: all their spaces on one sheet, where their tables say that they lie.

The picture has no lines: those of one board would run through the spaces of another.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import TYPE_CHECKING

from ruledsl.boards.base import Board, Point
from ruledsl.boards.marks import Mark
from ruledsl.runtime.picture import Sheet, Told

if TYPE_CHECKING:
    from ruledsl.analysis.names import BoardInfo


def joined(found: Iterable[Sheet], boards: Iterable[BoardInfo]) -> list[Sheet]:
    """The sheets, with those of boards that are `drawn_on:` another joined with it, in the place of the first."""
    on = {info.name: _sheet_of(info) for info in boards}
    groups: dict[tuple[str, int | None], list[Sheet]] = {}
    for sheet in found:
        groups.setdefault((on[sheet.board_name], sheet.owner), []).append(sheet)
    return [_one(name, parts) if len(parts) > 1 else parts[0] for (name, _), parts in groups.items()]


def _sheet_of(info: BoardInfo) -> str:
    """The board whose sheet it is; a circle of boards goes by the first that comes again."""
    met: list[BoardInfo] = []
    while info.drawn_on is not None and info not in met:
        met.append(info)
        info = info.drawn_on
    return info.name


def _one(name: str, parts: list[Sheet]) -> Sheet:
    main = next(sheet for sheet in parts if sheet.board_name == name)
    board = Board(
        shape="graph",
        spaces=tuple(space for sheet in parts for space in sheet.board.spaces),
        coordinates={},
        directions=(),
        steps={},
        opposite={},
        positions=tuple(_as_written(sheet.board, *point) for sheet in parts for point in sheet.board.positions),
    )
    told: list[Mark | None] = []
    for sheet in parts:
        told += sheet.told[0].marks if sheet.told else [None] * len(sheet.marks)
    starts = dict(zip((sheet.board_name for sheet in parts), accumulate(map(_size, parts), initial=0), strict=False))
    legend = {mark.text: (mark, title) for sheet in parts for mark, title in sheet.legend}
    return Sheet(
        board_name=name,
        name=main.name,
        owner=main.owner,
        board=board,
        marks=[mark for sheet in parts for mark in sheet.marks],
        ground=[mark for sheet in parts for mark in sheet.ground],
        names=tuple(called for sheet in parts for called in sheet.names),
        told=(Told("", told),) if any(told) else (),
        legend=tuple(legend.values()),
        joins=tuple(parts),
        piles=tuple(pile for sheet in parts for pile in sheet.piles or [()] * _size(sheet)),
        regions=_regions(parts, starts),
    )


def _size(sheet: Sheet) -> int:
    return len(sheet.marks)


def _regions(parts: list[Sheet], starts: dict[str, int]) -> tuple[tuple[int, ...], ...]:
    """Spaces with those that belong to them: the number of the first, and of all that name it."""
    found: dict[int, list[int]] = {}
    for sheet in parts:
        for number, owner in enumerate(sheet.belongs):
            if owner is not None and owner[0] in starts:
                found.setdefault(starts[owner[0]] + owner[1], []).append(starts[sheet.board_name] + number)
    return tuple((owner, *members) for owner, members in sorted(found.items()))


def _as_written(board: Board, x: float, y: float) -> Point:
    """A place in the units of the tables, which all boards of a sheet share."""
    return x * board.unit, y * board.unit


__all__ = ["joined"]
