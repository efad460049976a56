"""What lies on the spaces, as pictures show it, and how wide it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias
from unicodedata import category, combining, east_asian_width


@dataclass(frozen=True)
class Mark:
    """A short text of one to three columns for what lies on a space, and how it may be coloured."""

    text: str
    colour: str | None = None
    bold: bool = False


Marks: TypeAlias = Sequence[Mark | None]


def plain(text: str) -> str:
    """The text without control characters, line breaks and marks of direction: it may come from anyone."""
    return "".join(char for char in text if category(char) not in {"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"})


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for each wide character.

    >>> columns("Ж"), columns("馬")
    (1, 2)
    """
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text if not combining(char))


def pad(text: str, width: int) -> str:
    """The text with spaces up to a width in columns."""
    return text + " " * (width - columns(text))
