"""Checks games in a process of its own, so that an editor has its other answers meanwhile.

Only the newest texts count: a check stops between two configurations when newer texts of its game have come.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Condition, Thread
from typing import Any

from ruledsl.diagnostics.model import Diagnostic
from ruledsl.records import dataclass
from ruledsl.source.text import SourceFile, Span, as_written

from .places import Lines, Position

Texts = Mapping[Path, str]


@dataclass(frozen=True)
class Place:
    path: str
    start: Position
    end: Position


@dataclass(frozen=True)
class Finding:
    """A finding in the terms of editors; `edits` mend it."""

    place: Place
    severity: str
    code: str
    message: str
    help: str
    suggestions: tuple[str, ...] = ()
    again: tuple[Place, ...] = ()
    notes: tuple[tuple[Place, str], ...] = ()
    edits: tuple[tuple[Place, str], ...] = ()


class Teller:
    """Findings in the terms of editors."""

    def __init__(self, main: Path) -> None:
        self.main = main
        self.lines: dict[int, Lines] = {}

    def findings(self, found: Iterable[Diagnostic]) -> list[Finding]:
        return [self.finding(one) for one in found]

    def finding(self, one: Diagnostic) -> Finding:
        return Finding(
            self.place(one.span),
            one.severity,
            one.code,
            one.message,
            one.help,
            one.suggestions,
            tuple(self.place(span) for span in one.more),
            tuple((self.place(span), note) for span, note in one.notes),
            tuple((self.place(edit.span), edit.text) for edit in one.edits),
        )

    def place(self, span: Span | None) -> Place:
        if span is None:
            return Place(str(self.main), (0, 0), (0, 0))
        span = as_written(span)
        start, end = self._lines(span.file).range(span.start, span.end)
        return Place(str(Path(span.file.path).resolve()), start, end)

    def _lines(self, file: SourceFile) -> Lines:
        if id(file) not in self.lines:
            self.lines[id(file)] = Lines(file.text)
        return self.lines[id(file)]


Told = Callable[[Path, int, "list[Finding] | None"], None]


class Checker:
    """Checks what it is given, one game after the other, and tells (from a thread) what was found."""

    def __init__(self, told: Told) -> None:
        self.told = told
        self.waiting: dict[Path, tuple[int, dict[Path, str]]] = {}
        self.changed = Condition()
        self.over = False
        self.checked: Path | None = None  # at the moment
        self.process: Any = None
        self.pipe: Any = None
        Thread(target=self._run, daemon=True).start()

    def ask(self, main: Path, number: int, texts: Texts) -> None:
        with self.changed:
            self.waiting[main] = (number, dict(texts))
            if main == self.checked:  # as it was before: nobody needs that any more
                with suppress(OSError):
                    self.pipe.send(None)
            self.changed.notify()

    def close(self) -> None:
        with self.changed:
            self.over = True
            self.changed.notify()
        if self.process is not None and self.process.is_alive():
            self.process.terminate()

    def _run(self) -> None:
        while True:
            with self.changed:
                while not self.waiting and not self.over:
                    self.changed.wait()
                if self.over:
                    return
                main = next(iter(self.waiting))
                number, texts = self.waiting.pop(main)
            self._checked(main, number, texts)

    def _checked(self, main: Path, number: int, texts: dict[Path, str]) -> None:
        try:
            self._begin()
            self.pipe.send(
                (main, texts)
            )  # which waits for a process that has just begun, so nobody else may wait for us
            with self.changed:
                self.checked = main
                if main in self.waiting:
                    self.pipe.send(None)
            while True:
                last, findings = self.pipe.recv()
                self.told(main, number, findings)
                if last:
                    return
        except (EOFError, OSError):
            self.process = None  # it was lost; the next question begins another
            if not self.over:
                self.told(main, number, None)
        finally:
            with self.changed:
                self.checked = None

    def _begin(self) -> None:
        if self.process is not None and self.process.is_alive():
            return
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other,), daemon=True)
        self.process.start()
        other.close()


class Stale(Exception):
    """Newer texts wait: nobody needs the answer any more."""


def _serve(pipe: Any) -> None:
    """What goes on in the process: first what shows quickly, then everything."""
    from .index import Index
    from .project import Project

    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)

    def going_on() -> None:
        if pipe.poll():
            raise Stale

    projects: dict[Path, Project] = {}
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            asked = pipe.recv()
            if asked is None:
                continue  # the check that was to stop has come to its end
            main, texts = asked
            project = projects.setdefault(main, Project(main))
            project.open = texts
            try:
                quick = project.worked_out(Index()).report.sorted()
                if any(one.severity == "error" for one in quick):
                    pipe.send((False, Teller(main).findings(quick)))
                pipe.send((True, Teller(main).findings(project.check(going_on))))
            except Stale:
                pipe.send((True, None))
            except Exception:  # an editor goes on whatever happens
                pipe.send((True, None))
