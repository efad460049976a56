"""What all drawing of a play shares: how wide it may be, in which language, and what things are called."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import TYPE_CHECKING

from ruledsl.runtime.gathering import Gathering
from ruledsl.runtime.table import Names

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

_TOGETHER = "\xa0"  # a blank at which no line ends
_COUNTED = re.compile(r"(?<=\b\d) (?=[^\W\d])|(?<=\b\d\d) (?=[^\W\d])")


class Drawing:
    """The base of a `Screen`."""

    def __init__(
        self, play: Play, language: str, colour: bool, columns: int, room: tuple[int, int | None] | None = None
    ) -> None:
        self.play, self.language, self.colour, self.columns = play, language, colour, columns
        self.room = room or (columns, None)  # columns and lines for boards that grow
        self.world = play.world
        self.names = Names(play, language)
        self.gathering = Gathering(play)

    def word(self, name: str) -> str:
        """A declared word as people read it."""
        return self.names.word(name)

    def player(self, seat: int) -> str:
        return self.names.player(seat)

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def wrapped(self, label: str, text: str, width: int | None = None, indent: int = 2) -> list[str]:
        """A text behind its label, in as many lines as it needs; no line ends between a number and its word."""
        kept = _COUNTED.sub(_TOGETHER, label + text)
        found = wrap(kept, width or self.columns, subsequent_indent=" " * indent, break_on_hyphens=False)
        return [line.replace(_TOGETHER, " ") for line in found] or [label]


__all__ = ["Drawing"]
