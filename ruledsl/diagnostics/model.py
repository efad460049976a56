"""Findings about game files, and the report that collects them."""

from dataclasses import dataclass
from typing import Literal

from ruledsl.diagnostics.suggest import in_latin
from ruledsl.source.text import Span

Severity = Literal["error", "warning"]

# A broken file can provoke one finding per line; nobody reads more than these.
MOST_FINDINGS = 200


@dataclass(frozen=True)
class Diagnostic:
    """One finding: what is wrong, where, and what can be done."""

    severity: Severity
    code: str
    message: str
    span: Span | None
    label: str = ""
    notes: tuple[tuple[Span, str], ...] = ()
    help: str = ""
    suggestions: tuple[str, ...] = ()


class Report:
    """The findings of all stages: each kept once, at most `MOST_FINDINGS` of them, all counted."""

    def __init__(self) -> None:
        self.findings: list[Diagnostic] = []
        self.errors = 0
        self.warnings = 0
        self._seen: set[tuple[str, Span | None, str]] = set()

    @property
    def dropped(self) -> int:
        """How many findings were counted but not kept."""
        return self.errors + self.warnings - len(self.findings)

    def error(
        self,
        code: str,
        span: Span | None,
        message: str,
        label: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
        help: str = "",
        suggestions: tuple[str, ...] = (),
    ) -> None:
        """Report what makes the game unusable."""
        if (
            code != "E102"
            and span is not None
            and suggestions
            and not span.text.isascii()
            and in_latin(span.text) == suggestions[0]
        ):
            help += " It looks the same, but this word is written with Cyrillic letters."
        self.add(Diagnostic("error", code, message, span, label, notes, help, suggestions))

    def warn(
        self,
        code: str,
        span: Span | None,
        message: str,
        label: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
        help: str = "",
        suggestions: tuple[str, ...] = (),
    ) -> None:
        """Report what is likely a slip."""
        self.add(Diagnostic("warning", code, message, span, label, notes, help, suggestions))

    def add(self, found: Diagnostic) -> None:
        """Count a finding, and keep it if it is new and there is room."""
        identity = (found.code, found.span, found.message)
        if identity in self._seen:
            return
        if found.severity == "error":
            self.errors += 1
        else:
            self.warnings += 1
        if len(self.findings) < MOST_FINDINGS or self._make_room(found):
            self._seen.add(identity)
            self.findings.append(found)

    def sorted(self) -> list[Diagnostic]:
        """The findings by file and place; those without a place come first."""
        return sorted(self.findings, key=_order)

    def _make_room(self, found: Diagnostic) -> bool:
        """Give up a warning for an error, so that advice never hides what must be mended."""
        if found.severity == "error":
            for at, kept in enumerate(self.findings):
                if kept.severity == "warning":
                    del self.findings[at]
                    return True
        return False


class GameError(Exception):
    """A game that cannot be used; the report says why."""

    def __init__(self, report: Report) -> None:
        errors = [d.message for d in report.sorted() if d.severity == "error"]
        super().__init__(errors[0] if errors else "the game cannot be used")
        self.report = report


def _order(found: Diagnostic) -> tuple[str, int, int, str, str]:
    span = found.span
    place = (span.file.path, span.start, span.end) if span else ("", -1, -1)
    return *place, found.code, found.message
