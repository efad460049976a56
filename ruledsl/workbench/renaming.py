"""Another name for something, wherever the files of a game speak of it.

Where the elaborator met the name is known for sure. Words elsewhere (rows of tables, what tests call single pieces)
are tried: what `check` does not know any more after the change is changed, too, and what it does not know yet is
changed back. The result counts only if nothing is wrong with it and the program is the same up to the name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic, GameError, Report
from ruledsl.ir import core as C
from ruledsl.ir.dump import dump
from ruledsl.source.document import Node
from ruledsl.source.text import SourceFile, Span
from ruledsl.syntax.copies import HOLE
from ruledsl.testing.looking import Tests

from .index import Index, spot
from .language import declaration, declarations, scalars, targets_at, uses
from .project import Project

Edits = dict[Path, list[tuple[Span, str]]]
_NAME = re.compile(r"[^\W\d]\w*")
_UNIQUE = "zz_renamed_zz"
_TRIES = 12


class RenameError(Exception):
    """Why a name cannot be changed."""


def rename(project: Project, path: Path, offset: int, new: str) -> Edits:
    """The changes that give what is named at a place another name; refused where the game would not stay the same."""
    if not _NAME.fullmatch(new):
        raise RenameError(f"`{new}` cannot be a name: it needs letters, digits and `_`")
    targets = targets_at(project, path, offset)
    target = targets[0] if targets else None
    found = uses(project, path, offset) if target is not None else []
    if target is None or not found or (target.sort == "local" and target.span is None):
        raise RenameError("this is no name of the game")
    found = [span for span in found if not HOLE.fullmatch(span.text)]  # the words that are filled in are changed
    made = next((span for span in found if span.text != target.name), None)
    if made is not None:
        where = f"{Path(made.file.path).name}:{made.line}"
        raise RenameError(
            f"`{target.name}` is made of `{made.text}` ({where}) by `each:`, so it cannot have another name alone"
        )
    before = project.check()
    if any(one.severity == "error" for one in before):
        raise RenameError("fix the errors first: until then, not every use of this name can be found")
    declared = declaration(project, path, offset)
    return _Renaming(project, target.name, new, declared, found, len(before)).edits()


class _Renaming:
    """Looks for all places of a name, from those that are known."""

    def __init__(
        self, project: Project, old: str, new: str, declared: Span | None, known: list[Span], warnings: int
    ) -> None:
        self.project, self.old, self.new, self.warnings = project, old, new, warnings
        self.texts = {path: project.text(path) for path in _files(project)}
        self.files = {path: SourceFile(str(path), text) for path, text in self.texts.items()}
        self.sure = {spot(use.span) for use in project.whole().index.uses.values() if use.target.name == old}
        self.sure |= {spot(declared)} if declared is not None else set()
        self.others = {spot(one.name_span) for one in declarations(project) if one.name == old} - self.sure
        self.chosen = {spot(span): self._word(*spot(span)) for span in known}
        self.possible = {(str(path), at) for path in self.texts for at in self._places(path)} - set(self.chosen)
        self.dropped: set[tuple[str, int]] = set()

    def _word(self, path: str, at: int) -> Span:
        return self.files[Path(path)].span(at, at + len(self.old))

    def _places(self, path: Path) -> Iterator[int]:
        """Where the word stands in a file, alone or as a part of a longer name."""
        word = re.compile(rf"(?<![^\W_]){re.escape(self.old)}(?![^\W_])")
        document: Node | None = self.project.document(path) if path.suffix in (".yaml", ".yml") else None
        if document is None:
            yield from (found.start() for found in word.finditer(self.texts[path]))
        for scalar, _ in scalars(document, ()):
            yield from (scalar.span.start + found.start() for found in word.finditer(scalar.span.text))

    # ------------------------------------------------------------------------------------------------ trying

    def edits(self) -> Edits:
        for _ in range(_TRIES):
            wrong = self._wrong(self.new)
            if not wrong:
                break
            if not self._corrected(wrong):
                raise RenameError(f"`{self.new}` does not fit here: {wrong[0].message}")
        else:
            raise RenameError(f"`{self.new}` does not fit here: {wrong[0].message}")
        unique = self._program(self._changed(_UNIQUE))
        if self._program({}) != unique.replace(_UNIQUE, self.old):
            raise RenameError("with another name here the rules would not be the same")
        if self._program(self._changed(self.new)) != unique.replace(_UNIQUE, self.new):
            raise RenameError(f"`{self.new}` is another thing where `{self.old}` is spoken of: the rules would change")
        edits: Edits = {}
        for span in self.chosen.values():
            edits.setdefault(Path(span.file.path), []).append((span, self.new))
        return {path: sorted(own, key=lambda edit: edit[0].start) for path, own in edits.items()}

    def _changed(self, new: str) -> dict[Path, str]:
        """The files with a new name."""
        texts: dict[Path, str] = {}
        for span in sorted(self.chosen.values(), key=spot, reverse=True):
            path = Path(span.file.path)
            text = texts.get(path, span.file.text)
            texts[path] = text[: span.start] + new + text[span.end :]
        return texts

    def _wrong(self, new: str) -> list[Diagnostic]:
        """What the new name spoils: first in one configuration, which is quick, then in all, with the tests."""
        texts = self._changed(new)
        found = self.project.worked_out(Index(), texts).report
        if not found.errors:
            with self.project.as_open(texts):
                found = pipeline.check(self.project.main, beside=Tests)
        errors = [one for one in found.sorted() if one.severity == "error"]
        if not errors and found.warnings > self.warnings:
            return found.sorted()[:1]
        return errors

    def _corrected(self, wrong: list[Diagnostic]) -> bool:
        """Changes more places, or fewer, by what was wrong; whether there was any to change."""
        more: set[tuple[str, int]] = set()
        fewer: set[tuple[str, int]] = set()
        for span in (span for one in wrong for span in one.places):
            path = Path(span.file.path).resolve()
            start, end = (self._before(path, at) for at in (span.start, span.end))
            more |= {(file, at) for file, at in self.possible if file == str(path) and start <= at < end}
            fewer |= {(file, at) for file, at in self.chosen if file == str(path) and start <= at < end}
        more -= self.dropped
        fewer -= self.sure
        if not more and not fewer:  # nothing stands there: it may be a column, or a key of rows
            more = {one for one in self.possible - self.dropped - self.others if self._is_alone(*one)}
        if more:
            self.chosen |= {one: self._word(*one) for one in more}
        else:
            self.dropped |= fewer
            self.possible |= fewer
            self.chosen = {one: span for one, span in self.chosen.items() if one not in fewer}
        self.possible -= set(self.chosen)
        return bool(more or fewer)

    def _before(self, path: Path, at: int) -> int:
        """Where a place of a changed file was before."""
        starts = sorted(start for file, start in self.chosen if file == str(path))
        longer = len(self.new) - len(self.old)
        now = [start + number * longer for number, start in enumerate(starts)]
        passed = bisect_right(now, at - 1)
        inside = bool(passed) and at <= now[passed - 1] + len(self.new)
        return starts[passed - 1] + min(len(self.old), at - now[passed - 1]) if inside else at - passed * longer

    def _is_alone(self, path: str, at: int) -> bool:
        """Whether a word is a key, or the head of a column."""
        text = self.texts[Path(path)]
        return re.match(r"\s*(?::|,|\n|\r|$)", text[at + len(self.old) :]) is not None

    def _program(self, texts: dict[Path, str]) -> str:
        """The program in every configuration, as text."""
        report, found = Report(), list[str]()
        with self.project.as_open(texts):
            blueprint = pipeline.read(self.project.main, report)
            if blueprint is None:
                return ""
            try:
                for one in pipeline.configurations(blueprint):
                    program = pipeline.work_out(blueprint, one.players, dict(one.options), report)[1]
                    found.append(_by_slots(program))
            except (GameError, OptionError):
                return ""
        return "".join(found)


def _by_slots(program: C.Program) -> str:
    """A program as text; what it keeps is called by its slot, for several may have one name, and only one is meant."""
    fields = [replace(field, name=f"@{field.base}") for field in program.layout.fields]
    return dump(replace(program, layout=replace(program.layout, fields=fields)))


def _files(project: Project) -> list[Path]:
    """All files that may speak of what a game declares."""
    view = project.view()
    sources = [Path(file.path) for file in view.blueprint.source.files] if view.blueprint is not None else []
    beside = project.main.parent.glob("tests/**/*.yaml") if project.main.name == "game.yaml" else ()
    return list(dict.fromkeys(path.resolve() for path in (*project.files(), *sources, *beside)))
