"""What a session shows and asks: line by line here; `live` draws the same on a screen that stays in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from typing import TYPE_CHECKING

from ruledsl.records import dataclass

from .waiting import waiting

if TYPE_CHECKING:
    from .fitting import Layout


@dataclass(frozen=True)
class Menu:
    """What is asked: lines that tell of it, and every option by what is typed for it and what it says."""

    lines: Sequence[str]
    listed: Sequence[str] = ()  # the options as they are written in lines, where they are few
    rows: Sequence[tuple[str, str]] = field(default_factory=list)
    spelt: Mapping[str, str] = field(default_factory=dict)  # how those may be typed that the game has a notation for


class Face:
    """Writes lines, and reads what is typed after a prompt."""

    live = False  # whether what was shown stays in place, so that it is shown whole at every question

    def __init__(self, write: Callable[[str], None], read: Callable[[str], str], terminal: bool = False) -> None:
        self._write, self._read, self.terminal = write, read, terminal

    def write(self, text: str) -> None:
        self._write(text)

    def read(self, prompt: str) -> str:
        return self._read(prompt)

    def layouts(self, options: int | None) -> Sequence[Layout]:
        """The ways to show a position above so many options, or as many as before, where it does not move past."""
        return ()

    def position(self, head: str, text: str, layout: Layout | None = None) -> None:
        """Where a play stands."""
        self.write("")
        self.write(head)
        if text:
            self.write("")
            self.write(text)

    def steps(self, blocks: Sequence[str]) -> None:
        """What has been chosen already, and how tiles would lie."""
        for block in blocks:
            self.write("")
            self.write(block)

    def news(self, title: str, lines: Sequence[str]) -> None:
        """What happened."""
        if title:
            self.write("")
            self.write(title)
        for line in lines:
            self.write(line)

    def menu(self, menu: Menu) -> None:
        """What may be chosen."""
        self.write("")
        for line in (*menu.lines, *menu.listed):
            self.write(line)

    def in_sight(self, lines: Sequence[str]) -> bool:
        """Whether so many lines of the log can be read without scrolling."""
        return True

    def tale(self, title: str, lines: Sequence[str]) -> None:
        """What happened, as an answer."""
        for line in (title, *lines):
            self.write(line)

    def few(self, rows: Sequence[tuple[str, str]]) -> bool:
        """Shows the options that an answer is about, in place of all; False where they are to be written instead."""
        return False

    def thinking(self, text: str) -> AbstractContextManager[None]:
        """While this lasts a bot thinks; whoever waits is told so."""
        return waiting(lambda: self.write(text), self.terminal)


__all__ = ["Face", "Menu"]
