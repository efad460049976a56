"""Places as editors count them: lines and columns from 0, columns in units of UTF-16."""

from __future__ import annotations

import re
from bisect import bisect_right

Position = tuple[int, int]  # line and column
_LINE_END = re.compile(r"\r\n?|\n")


class Lines:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def position(self, offset: int) -> Position:
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        before = self.text[self.starts[line] : offset]
        return line, len(before) + sum(letter > "\uffff" for letter in before)

    def offset(self, line: int, column: int) -> int:
        """The letter at a position; the end of the line where it has fewer."""
        if line >= len(self.starts):
            return len(self.text)
        at = self.starts[max(0, line)]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        while column > 0 and at < end and self.text[at] not in "\r\n":
            column -= 2 if self.text[at] > "\uffff" else 1
            at += 1
        return at

    def range(self, start: int, end: int) -> tuple[Position, Position]:
        return self.position(start), self.position(end)
