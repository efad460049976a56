"""Findings about game files, and the report that collects them."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from ruledsl.diagnostics.edits import Edit
from ruledsl.diagnostics.quickfixes import edits_of
from ruledsl.diagnostics.suggest import quoted
from ruledsl.records import dataclass
from ruledsl.source.letters import why_another
from ruledsl.source.text import Span

Severity = Literal["error", "warning"]

# A broken file can provoke one finding per line; nobody reads more than these.
MOST_FINDINGS = 200
_MOST_SEARCHED = 50  # errors: what the ones after them may mean is not sought among all names of the game

# A name that is nowhere declared: one slip, however often the name is written.
_UNKNOWN_NAMES = ("N101", "N102", "N103", "N111", "N114", "N117", "N120", "N121", "N122", "Q108", "Q204")
_NOT_THERE = re.compile(
    r"(?:there (?:is|are) no [\w ]+|nothing(?: in the rules)? is called|a preset has no key|an edge names) `[^`]*`"
    "(?:$|, which is not)"
)
_Identity = tuple[bool, str, int, int, str, str]  # of a finding
_VALUES = re.compile(r"`[^`]*`|-?\d+|, not .*$")
_OF_LETTERS = ("E102", "Y112")  # they say by themselves what a word looks like
_OF_TYPES = ("T201", "T209", "T210", "T213", "T222")
_OF_EACH = "there is one for each: "
_SAID_AGAIN = ("S101", "S108")  # the same words mean the same slip
_CALLED_AGAIN = ("T221",)  # as do the same words of the same call


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
    more: tuple[Span, ...] = ()  # where the same slip shows again
    given: tuple[Edit, ...] = ()  # what mends it, where whoever reported it knows
    about: tuple[str, ...] = ()  # names that it concerns besides those at its place
    lacks: str = ""  # the key or column that is missing, where that is what is wrong
    is_unmade: bool = False  # whether what is declared there cannot be made, so that nobody knows what it has

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """Changes of files that mend it, if there is one safe way: for `check --fix`, and for editors."""
        return self.given or edits_of(self)

    @property
    def places(self) -> tuple[Span, ...]:
        return ((self.span,) if self.span is not None else ()) + self.more


def unknown_word(found: Diagnostic) -> str:
    """The name that nothing is called, where a finding is about one; empty otherwise."""
    words = quoted(found.message) if found.code in _UNKNOWN_NAMES or _NOT_THERE.match(found.message) else []
    return words[-1] if words else ""


class Report:
    """The findings of all stages: each slip kept once, at most `MOST_FINDINGS` of them.

    `errors` tells whether something went wrong, and counts every place; `mistakes` counts what is told.
    """

    is_told = True  # whether what is wrong matters to anybody, and not only that something is
    advises = True  # whether anybody reads what is told, so that it is worth while to look for advice

    def __init__(self) -> None:
        self.findings: list[Diagnostic] = []
        self.errors = 0
        self.warnings = 0
        self.repeated = 0  # errors that are the same slip again, or follow from one
        self.attributes_lost = False  # whether attributes could not be read: nobody knows which there are
        self.menus: dict[Span, int] = {}  # of each choice: how many options it can have at once
        self.asked: dict[Any, tuple[Any, set[str]]] = {}  # of each map by its form: the keys that were looked at
        self.sound: set[tuple[Any, Any]] = set()  # maps in which nothing is wrong, each with its form
        self.sounded: set[Any] = set()  # texts for players that were looked over
        self._seen: set[_Identity] = set()
        self._slips: dict[Any, _Identity] = {}  # what was told of a slip
        self._slip: Any = None
        self._unread = False
        self.doubtful = False  # whether a board stands in for one with a mistake: warnings may follow from that

    def apart(self) -> "Report":
        """A report of its own for another configuration; it knows what was looked at before and found good."""
        made = Report()
        made.asked, made.sound = self.asked, self.sound
        if not self.findings:
            made.sounded = set(self.sounded)
        return made

    @property
    def searches(self) -> bool:
        """Whether to look for advice at length, in time that grows with the game: only for the first mistakes."""
        return self.advises and self.errors < _MOST_SEARCHED

    @property
    def mistakes(self) -> int:
        """How many errors there are for who reads them."""
        return self.errors - self.repeated

    @contextmanager
    def one_slip(self, slip: Any) -> Iterator[None]:
        """What is reported of one sort in here, and again for the same slip, is told once."""
        before, self._slip = self._slip, slip
        try:
            yield
        finally:
            self._slip = before

    def unread(self) -> None:
        """A table could not be read, which was reported: nobody knows which names and values it would bring."""
        self._unread = True

    def tells_of(self, span: Span) -> bool:
        """Whether something is wrong at a place."""
        return any(span in found.places for found in self.findings)

    def tells_within(self, span: Span) -> bool:
        """Whether something is wrong in a part of a file."""
        places = (place for found in self.findings for place in found.places)
        return any(p.is_in(span) for p in places)

    @property
    def dropped(self) -> int:
        """How many findings were counted but not kept."""
        return self.mistakes + self.warnings - len(self.findings)

    def note_menu(self, span: Span, most: int) -> None:
        """Remember how many options a choice can have at once, in any configuration."""
        self.menus[span] = max(most, self.menus.get(span, 0))

    def asked_of(self, node: Any, form: Any) -> set[str]:
        """Where it is noted which keys of a map were looked at, in any configuration."""
        return self.asked.setdefault(node, (form, set()))[1]

    def looked_at(self, node: Any, key: str) -> Any:
        """What stands behind a key of a map that was read before; it is noted that it was looked at."""
        if node in self.asked:
            self.asked[node][1].add(key)
        return node.get(key)

    def error(
        self,
        code: str,
        span: Span | None,
        message: str,
        label: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
        help: str = "",
        suggestions: tuple[str, ...] = (),
        edits: tuple[Edit, ...] = (),
        about: tuple[str, ...] = (),
        lacks: str = "",
        is_unmade: bool = False,
    ) -> None:
        """Report what makes the game unusable."""
        help += _looks_the_same(span, message, suggestions) if code not in _OF_LETTERS else ""
        told = Diagnostic(
            "error", code, message, span, label, notes, help, suggestions, (), edits, about, lacks, is_unmade
        )
        self.add(told)

    def warn(
        self,
        code: str,
        span: Span | None,
        message: str,
        label: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
        help: str = "",
        suggestions: tuple[str, ...] = (),
        more: tuple[Span, ...] = (),
        edits: tuple[Edit, ...] = (),
    ) -> None:
        """Report what is likely a slip."""
        if self._unread or self.doubtful:
            return  # it may follow from that
        help += _looks_the_same(span, message, suggestions)
        self.add(Diagnostic("warning", code, message, span, label, notes, help, suggestions, more, edits))

    def add(self, found: Diagnostic) -> None:
        """Count a finding, and keep it if it is new and there is room."""
        identity = _identity(found)
        if identity in self._seen:
            return
        if found.severity == "error":
            self.errors += 1
            if self._told_already(found, identity):
                self.repeated += 1
                self._seen.add(identity)
                return
        else:
            if found.code == "L516" and self._told_already(found, identity):
                self._seen.add(identity)
                return
            self.warnings += 1
        if len(self.findings) < MOST_FINDINGS or self._make_room(found):
            self._seen.add(identity)
            self.findings.append(found)

    def _told_already(self, found: Diagnostic, identity: _Identity) -> bool:
        """Whether an error is the same slip as one before, which then gets its place, too."""
        if self._unread and (found.code[0] in "NTR" or found.code == "S108"):
            return True
        slip: Any = None
        if word := unknown_word(found):
            slip = word
        elif self._slip is not None:
            said = "" if found.code in _SAID_AGAIN else _VALUES.sub("…", found.message)
            slip = (found.code, self._slip, said)
        elif found.code in _SAID_AGAIN:
            slip = (found.code, found.message)
        elif found.code in _CALLED_AGAIN and found.span is not None:
            slip = (found.code, found.message, found.span.text)
        elif found.help.startswith(_OF_EACH):
            slip = found.help  # a value that became one of each, wherever it is used
        elif found.code in _OF_TYPES and found.help and found.span is not None and found.span.text.isidentifier():
            slip = (found.span.text, found.help)  # a name of the wrong type, wherever it is used
        if slip is None:
            return False
        first = self._slips.setdefault(slip, identity)
        if first == identity or found.span is None:
            return False
        for at, kept in enumerate(self.findings):
            if _identity(kept) == first:
                better = found.suggestions and not kept.suggestions
                help, suggestions = (found.help, found.suggestions) if better else (kept.help, kept.suggestions)
                more = (*kept.more, found.span, *found.more)
                self.findings[at] = replace(kept, more=more, help=help, suggestions=suggestions)
        return True

    def leave_out(self, follows: Callable[[Diagnostic], bool]) -> None:
        """Keeps what is found from being told where it follows from something else that is told."""
        kept = [found for found in self.findings if not follows(found)]
        self.repeated += len(self.findings) - len(kept)
        self.findings[:] = kept

    def sorted(self) -> list[Diagnostic]:
        """The findings by file and place; those without a place come first."""
        return sorted(self.findings, key=_identity)

    def _make_room(self, found: Diagnostic) -> bool:
        """Give up a warning for an error, so that advice never hides what must be mended."""
        if found.severity == "error":
            for at, kept in enumerate(self.findings):
                if kept.severity == "warning":
                    del self.findings[at]
                    return True
        return False


def _looks_the_same(span: Span | None, message: str, suggestions: tuple[str, ...]) -> str:
    """What is to be said where the word that was meant looks like the one that is there."""
    if span is None or not suggestions or (span.text.isascii() and suggestions[0].isascii()):
        return ""
    for word in (span.text, *quoted(message)):
        if why := why_another(word, suggestions[0]):
            return f" {why}."
    return ""


class GameError(Exception):
    """A game that cannot be used; the report says why."""

    def __init__(self, report: Report) -> None:
        errors = [d.message for d in report.sorted() if d.severity == "error"]
        super().__init__(errors[0] if errors else "the game has errors")
        self.report = report


def _identity(found: Diagnostic) -> _Identity:
    """The place, the code and what is said; a file may be read twice, so that its name counts. Findings stand in the
    order of this; the rules come first: much of what is wrong in tests follows from what is wrong in them."""
    span = found.span
    if span is None:
        return False, "", -1, -1, found.code, found.message
    of_tests = found.code.startswith("Q") or ".test." in span.file.path or "tests" in span.file.path.split("/")[:-1]
    return of_tests, span.file.path, span.start, span.end, found.code, found.message
