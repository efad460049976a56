"""A text file and places in it."""

import re
from bisect import bisect_right
from functools import cached_property

from ruledsl.records import dataclass

_LINE_END = re.compile(r"\r\n?|\n")

# What YAML calls unprintable, its rarer line ends, and the marks that make text read backwards. Written as what it is,
# not as what it is not: that takes a tenth of the time to compile.
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A file as read: the path as the user knows it, and the text without byte order mark."""

    path: str
    text: str

    def line_col(self, offset: int) -> tuple[int, int]:
        """The line and column of a character, both counted from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    @property
    def lines(self) -> int:
        """How many lines there are; what follows the last line end counts as one, even if empty."""
        return len(self._starts)

    def line_start(self, line: int) -> int:
        """The offset of the first character of a line."""
        return self._starts[line - 1]

    def line_text(self, line: int) -> str:
        """A line without its line end."""
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        return self.text[self._starts[line - 1] : end].rstrip("\r\n")

    def span(self, start: int, end: int) -> "Span":
        """The characters from `start` up to `end`."""
        return Span(self, start, end)

    @cached_property
    def blank(self) -> str:
        """Its line ends alone, at their places."""
        return re.sub(r"[^\r\n]", " ", self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(end.end() for end in _LINE_END.finditer(self.text))]


@dataclass(frozen=True, eq=False)
class Filled(SourceFile):
    """A file in which one text reads as it does in a copy that is made of it, by `each:`."""

    written: "Span"  # that text, in the file itself
    start: int  # where it begins here
    # By hole: from where to where it goes here, and there.
    holes: tuple[tuple[int, int, int, int], ...]
    row: tuple[tuple[str, str], ...]  # the names of holes, and the words of this copy

    def as_written(self, at: int, is_end: bool) -> int:
        """The same place in the file itself: within a hole, its begin or its end."""
        longer = self.written.start - self.start
        for start, end, first, last in self.holes:
            if at <= start:
                break
            if at < end:
                return last if is_end else first
            longer = last - end
        return at + longer


# Files are compared by identity, so comparing and hashing spans never looks at texts.
@dataclass(frozen=True, slots=True)
class Span:
    """The characters of a file from `start` up to `end`."""

    file: SourceFile
    start: int
    end: int

    def is_in(self, other: "Span") -> bool:
        return self.file is other.file and other.start <= self.start and self.end <= other.end

    @property
    def line(self) -> int:
        return self.file.line_col(self.start)[0]

    @property
    def column(self) -> int:
        return self.file.line_col(self.start)[1]

    @property
    def end_line(self) -> int:
        return self.file.line_col(self.end)[0]

    @property
    def end_column(self) -> int:
        return self.file.line_col(self.end)[1]

    @property
    def text(self) -> str:
        return self.file.text[self.start : self.end]

    @property
    def one_line(self) -> str:
        """The text without its line breaks, to be spoken of in a message."""
        return " ".join(self.text.split())

    def until(self, other: "Span") -> "Span":
        """From the start of this span to the end of `other`."""
        return Span(self.file, self.start, max(self.end, other.end))


def as_written(span: Span) -> Span:
    """Where something stands in the file itself; in a copy that `each:` makes, words have another length."""
    while isinstance(span.file, Filled):
        file = span.file
        span = Span(file.written.file, file.as_written(span.start, False), file.as_written(span.end, True))
    return span


def words_of_copy(span: Span) -> dict[str, str]:
    """What is filled in where something stands in a copy, by the name of each hole."""
    words: dict[str, str] = {}
    while isinstance(span.file, Filled):
        words = {**dict(span.file.row), **words}
        span = span.file.written
    return words
