"""Boards that are drawn in one picture: all their spaces on one sheet, where their tables say that they lie.

The picture has no lines: those of one board would run through the spaces of another.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import TYPE_CHECKING

from ruledsl.boards.layout import together
from ruledsl.boards.marks import Mark
from ruledsl.runtime.picture import Sheet, Told

if TYPE_CHECKING:
    from ruledsl.analysis.names import BoardInfo


def joined(found: Iterable[Sheet], boards: Iterable[BoardInfo]) -> list[Sheet]:
    """The sheets, with those of boards that are `drawn_on:` another joined with it, in the place of the first."""
    on = {info.name: info.sheet.name for info in boards}
    groups: dict[tuple[str, int | None], list[Sheet]] = {}
    for sheet in found:
        groups.setdefault((on[sheet.board_name], sheet.owner), []).append(sheet)
    return [_one(name, parts) if len(parts) > 1 else parts[0] for (name, _), parts in groups.items()]


def _one(name: str, parts: list[Sheet]) -> Sheet:
    main = next(sheet for sheet in parts if sheet.board_name == name)
    board = together([sheet.board for sheet in parts])
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
        painting=main.painting,
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


__all__ = ["joined"]
