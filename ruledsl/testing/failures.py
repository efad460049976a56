"""What is not as a test expects, and a test that is itself mistaken."""

from __future__ import annotations

from ruledsl.records import dataclass
from ruledsl.source.text import Span


@dataclass(frozen=True)
class Failure:
    """Something that is not as a test expects."""

    span: Span
    message: str
    details: tuple[str, ...] = ()
    position: str = ""

    def __str__(self) -> str:
        lines = [f"{self.span.file.path}:{self.span.line}: {self.message}", *(f"    {line}" for line in self.details)]
        if self.position:
            lines += ["", *(f"    | {line}".rstrip() for line in self.position.splitlines()), ""]
        return "\n".join(lines)


class Failed(Exception):
    """A test fails."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Mistaken(Exception):
    """The test itself has a mistake, which was reported."""


def several(names: list[str], most: int = 12) -> str:
    """Names in a row, not too many."""
    more = f", … ({len(names)} in all)" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def several_more(number: int) -> str:
    return "one" if number == 1 else str(number)


def squeezed(text: str) -> str:
    """A text as texts are compared: spaces and capitals do not count."""
    return " ".join(text.split()).lower()
