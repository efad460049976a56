"""The table of a play as a page shows it: all that a seat may see and do, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.boards.marks import plain
from ruledsl.runtime.story import story
from ruledsl.runtime.table import as_data, table

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play


def snapshot(play: Play, seat: int | None, language: str = "en") -> dict[str, Any]:
    """What a seat sees and may do; without a seat, what a bystander sees."""
    options = play.options(seat, language) if seat in play.pending else []
    return as_data(table(play, seat, language)) | {
        "game": play.game.name,
        "language": language,
        "over": play.over,
        "log": [
            {"at": event.last, "seat": event.seat, "text": plain(event.text)} for event in story(play, seat, language)
        ],
        "options": [{"key": str(option.index), "text": plain(option.text or option.notation)} for option in options],
    }


__all__ = ["snapshot"]
