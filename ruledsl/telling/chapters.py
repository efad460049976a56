"""The rules as players read them while they play, by chapter: as they were written for people in their language, else
as they are told from the declaration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruledsl.runtime.game import Game
from ruledsl.runtime.rulebook import Chapter, chapters, language_of_chapters

from .describe import opened
from .document import Block, Section, Table
from .text import Printed, plain, sentence

_WIDE = 10_000  # columns: whoever shows the text breaks its lines


def readable_chapters(
    game: Game, language: str, players: int | None = None, options: dict[str, Any] | None = None
) -> list[Chapter]:
    """The chapters in the language of who reads; told ones where none were written in it."""
    written = chapters(game, language)
    if written and language_of_chapters(game, language) == language:
        return written
    return list(_told(opened(game, language, players, options).whole(), 1))


def _told(section: Section, depth: int) -> Iterator[Chapter]:
    printed = Printed(_WIDE, False)
    lines = [line for block in section.blocks for line in (*_lines(block, printed), "")]
    yield Chapter(depth, sentence(plain(section.title), ""), "\n".join(lines).strip("\n"))
    for part in section.parts:
        yield from _told(part, depth + 1)


def _lines(block: Block, printed: Printed) -> Iterator[str]:
    """A table as a line for each of its rows: what has columns does not fit who breaks lines."""
    if not isinstance(block, Table):
        yield from printed.block(block)
        return
    for name, *cells in block.rows:
        said = (f"{plain(head)} {plain(cell)}" for head, cell in zip(block.head[1:], cells, strict=False) if cell)
        yield f"- {plain(name)}: {'; '.join(said)}"


__all__ = ["readable_chapters"]
