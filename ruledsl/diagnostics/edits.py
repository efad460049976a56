"""Changes of files that mend what a finding is about, and how texts are changed by them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from ruledsl.records import dataclass
from ruledsl.source.text import SourceFile, Span


@dataclass(frozen=True)
class Edit:
    """What is to stand in the place of some characters of a file."""

    span: Span
    text: str


def by_file(edits: Iterable[Edit]) -> dict[SourceFile, list[Edit]]:
    """The edits of each file from its end to its beginning, so that none moves the place of another."""
    found: dict[SourceFile, list[Edit]] = {}
    for edit in dict.fromkeys(edits):
        found.setdefault(edit.span.file, []).append(edit)
    return {file: sorted(own, key=lambda e: (e.span.start, e.span.end), reverse=True) for file, own in found.items()}


def applied(file: SourceFile, edits: Iterable[Edit]) -> str:
    """The text of a file with some edits made; every other character stays as it is."""
    text = file.text
    for edit in by_file(edits).get(file, ()):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def overlap(edits: Iterable[Edit]) -> bool:
    """Whether two edits are about the same characters, and do not say the same."""
    for own in by_file(edits).values():
        for later, earlier in pairwise(own):
            if earlier.span.end > later.span.start or earlier.span.start == later.span.start:
                return True
    return False
