"""What is on the edges of a board, drawn between its spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruledsl.boards.marks import Mark, plain
from ruledsl.records import dataclass

BAR, LYING_BAR = "|", "-"


@dataclass(frozen=True)
class Between:
    """The edges of a board: the two spaces of each, what is there, and whether it is a bar, such as a wall."""

    joins: tuple[tuple[int, int], ...]
    marks: Sequence[Mark | None]
    bars: Sequence[bool]
    names: Sequence[str]

    def shown(self) -> Iterator[tuple[int, int, Mark, bool]]:
        """The edges on which anything is."""
        for (one, other), mark, bar in zip(self.joins, self.marks, self.bars, strict=True):
            if mark is not None:
                yield one, other, Mark(plain(mark.text), mark.colour, mark.bold), bar


def across(lines: int, wide: int, cell: int) -> tuple[int, str]:
    """The bar across a step over some lines and columns: how far to the left it begins, and how it is written."""
    if not lines:
        return 0, BAR
    if not wide:
        return cell // 2 + 1, LYING_BAR * (cell + 2)
    return 0, "/" if (lines > 0) == (wide > 0) else "\\"
