"""Another name for something, wherever the files of a game speak of it.

Where the elaborator met the name is known for sure. Words elsewhere (rows of tables, what tests call single pieces)
are tried: what `check` does not know any more after the change is changed, too, and what it does not know yet is
changed back. The result counts only if nothing is wrong with it and the program is the same up to the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic, GameError, Report
from ruledsl.ir import core as C
from ruledsl.ir.dump import dump
from ruledsl.source.document import Node
from ruledsl.source.text import SourceFile, Span, as_written
from ruledsl.syntax.copies import HOLE
from ruledsl.testing.looking import Tests

from .index import Index, filled, spot
from .language import declarations, declared_at, name_at, rows_at, scalars, targets_at, uses
from .project import Project

Edits = dict[Path, list[tuple[Span, str]]]
_NAME = re.compile(r"[^\W\d]\w*")
_UNIQUE = "zz_renamed_zz"
_TRIES = 12


class RenameError(Exception):
    """Why a name cannot be changed."""


def rename(project: Project, path: Path, offset: int, new: str) -> Edits:
    """The changes that give what is named at a place another name; refused where the game would not stay the same.

    What `each:` makes of `<rune>_stone` gets its name with all others, so `new` has the same words in it.
    """
    if not _NAME.fullmatch(HOLE.sub("x", new)) or not new.strip():
        raise RenameError(f"`{new}` cannot be a name: it needs letters, digits and `_`")
    targets = targets_at(project, path, offset)
    target = targets[0] if targets else None
    found = uses(project, path, offset) if target is not None else []
    if target is None or not found or (target.sort == "local" and target.span is None):
        raise RenameError("this is no name of the game")
    found = [span for span in found if not HOLE.fullmatch(span.text)]  # the words that are filled in are changed
    declared = declared_at(project, path, offset)
    pattern = next((span for span in declared if HOLE.search(span.text) and not HOLE.fullmatch(span.text)), None)
    if pattern is None:
        made = next((span for span in found if span.text != target.name), None)
        if made is not None:
            said = (
                f"`{made.text}` ({_where(made)}) stands for `{target.name}` and for others: write each out there first"
            )
            raise RenameError(said)
        forms, unlike = {target.name: new}, {target.name: _UNIQUE}
        if HOLE.search(new):
            raise RenameError(
                f"`{new}` cannot be a name: `{target.name}` is not made by `each:`, so nothing is filled in"
            )
    else:
        found = [one for one in uses(project, Path(pattern.file.path), pattern.start) if not HOLE.fullmatch(one.text)]
        rows = rows_at(project.document(Path(pattern.file.path)), pattern.start)
        holes = "_".join(f"<{hole}>" for hole in HOLE.findall(pattern.text))
        for span in found:
            _is_alike(span, pattern)
        text = project.text(path)
        here = text[slice(*name_at(text, offset))]
        forms = _forms(pattern, rows, _as_pattern(target.name, here, pattern, rows, new), found)
        unlike = _forms(pattern, rows, f"{_UNIQUE}_{holes}", found)
    before = project.check()
    if any(one.severity == "error" for one in before):
        raise RenameError("fix the errors first: until then, not every use of this name can be found")
    return _Renaming(project, forms, unlike, declared, found, len(before)).edits()


def _where(span: Span) -> str:
    return f"{Path(span.file.path).name}:{span.line}"


def _as_pattern(name: str, here: str, pattern: Span, rows: list[dict[str, str]], new: str) -> str:
    """Another name with the same holes, whether it was written with them, with those that stand for them `here`, or
    with the words that are filled in."""
    old, holes = pattern.text, HOLE.findall(pattern.text)
    if len(own := HOLE.findall(here)) == len(holes):
        same = dict(zip(own, holes, strict=True))
        new = HOLE.sub(lambda hole: f"<{same.get(hole[1], hole[1])}>", new)
    if not HOLE.search(new):
        made = next((row for row in rows if filled(old, row) == name), {})
        new = _with_holes(new, [(hole, made.get(hole, f"<{hole}>")) for hole in holes]) or new
    if sorted(HOLE.findall(new)) != sorted(holes):
        words = " and ".join(f"`<{hole}>`" for hole in holes)
        raise RenameError(
            f"`{name}` is made of `{old}` ({_where(pattern)}) by `each:`: keep {words} in the new name, as in "
            f"`new_{'_'.join(f'<{hole}>' for hole in holes)}`, and all that is made of it is renamed"
        )
    return new


def _forms(pattern: Span, rows: list[dict[str, str]], new: str, found: list[Span]) -> dict[str, str]:
    """What is to be written for a name with holes, and for each name that is made of it."""
    old = pattern.text
    forms = {old: new, **{filled(old, row): filled(new, row) for row in rows}}
    for span in found:
        if span.text not in forms:
            forms[span.text] = _otherwise(span, pattern, new)
    return forms


def _with_holes(new: str, words: list[tuple[str, str]]) -> str | None:
    """`<rune>_sign` for `sun_sign`, where `<rune>` is `sun`; None if the words do not stand in it."""
    found, at = "", 0
    for hole, word in words:
        start = new.find(word, at)
        if start < 0:
            return None
        found, at = f"{found}{new[at:start]}<{hole}>", start + len(word)
    return found + new[at:]


def _is_alike(span: Span, pattern: Span) -> None:
    """Refuses names with holes that are made of other parts."""
    if HOLE.search(span.text) and HOLE.split(span.text)[::2] != HOLE.split(pattern.text)[::2]:
        raise RenameError(
            f"`{span.text}` ({_where(span)}) makes the same names as `{pattern.text}` ({_where(pattern)}), of other "
            f"parts: write it like `{pattern.text}` first, with the names of its own `each:` in the holes"
        )


def _otherwise(span: Span, pattern: Span, new: str) -> str:
    """What is to be written where the holes are called otherwise, as in `<which>_stone`."""
    other = dict(zip(HOLE.findall(pattern.text), HOLE.findall(span.text), strict=True))
    return HOLE.sub(lambda hole: f"<{other[hole[1]]}>", new)


class _Renaming:
    """Looks for all places of a name, from those that are known."""

    def __init__(
        self,
        project: Project,
        forms: dict[str, str],
        unlike: dict[str, str],
        declared: list[Span],
        known: list[Span],
        warnings: int,
    ) -> None:
        """`unlike` are names that are not like any other, in place of the same."""
        self.project, self.forms, self.unlike, self.warnings = project, forms, unlike, warnings
        self.new = next(iter(forms.values()))
        self.texts = {path: project.text(path) for path in _files(project)}
        self.files = {path: SourceFile(str(path), text) for path, text in self.texts.items()}
        self.sure = {spot(use.span) for use in project.whole().index.uses.values() if use.target.name in forms}
        self.sure |= {spot(span) for span in declared}
        self.others = {spot(one.name_span) for one in declarations(project) if one.name in forms} - self.sure
        self.words = {
            (str(path), at): self._word(path, at, word) for path in self.texts for at, word in self._places(path)
        }
        self.chosen = {spot(span): self._word(*spot(span), span.text) for span in known}
        self.possible = set(self.words) - set(self.chosen)
        self.dropped: set[tuple[str, int]] = set()

    def _word(self, path: Path | str, at: int, word: str) -> Span:
        return self.files[Path(path)].span(at, at + len(word))

    def _places(self, path: Path) -> Iterator[tuple[int, str]]:
        """Where the word stands in a file, alone or as a part of a longer name."""
        words = "|".join(re.escape(form) for form in sorted(self.forms, key=len, reverse=True))
        word = re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])")
        document: Node | None = self.project.document(path) if path.suffix in (".yaml", ".yml") else None
        if document is None:
            yield from ((found.start(), found[0]) for found in word.finditer(self.texts[path]))
        for scalar, _ in scalars(document, ()):
            yield from ((scalar.span.start + found.start(), found[0]) for found in word.finditer(scalar.span.text))

    # ------------------------------------------------------------------------------------------------ trying

    def edits(self) -> Edits:
        for _ in range(_TRIES):
            wrong = self._wrong()
            if not wrong:
                break
            if not self._corrected(wrong):
                raise RenameError(f"`{self.new}` does not fit here: {wrong[0].message}")
        else:
            raise RenameError(f"`{self.new}` does not fit here: {wrong[0].message}")
        unique = self._program(self._changed(self.unlike))
        if self._program({}) != self._said(unique, list(self.forms)):
            raise RenameError("with another name here the rules would not be the same")
        if self._program(self._changed(self.forms)) != self._said(unique, list(self.forms.values())):
            old = next(iter(self.forms))
            raise RenameError(f"`{self.new}` is another thing where `{old}` is spoken of: the rules would change")
        edits: Edits = {}
        for span in self.chosen.values():
            edits.setdefault(Path(span.file.path), []).append((span, self.forms[span.text]))
        return {path: sorted(own, key=lambda edit: edit[0].start) for path, own in edits.items()}

    def _said(self, program: str, names: list[str]) -> str:
        """A program with names that nothing else has, in other words."""
        other = dict(zip(self.unlike.values(), names, strict=True))
        known = "|".join(re.escape(word) for word in sorted(other, key=len, reverse=True))
        return re.sub(known, lambda found: other[found[0]], program)

    def _changed(self, forms: dict[str, str]) -> dict[Path, str]:
        """The files with other names."""
        texts: dict[Path, str] = {}
        for span in sorted(self.chosen.values(), key=spot, reverse=True):
            path = Path(span.file.path)
            text = texts.get(path, span.file.text)
            texts[path] = text[: span.start] + forms[span.text] + text[span.end :]
        return texts

    def _wrong(self) -> list[Diagnostic]:
        """What the new name spoils: first in one configuration, which is quick, then in all, with the tests."""
        texts = self._changed(self.forms)
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
        for span in (as_written(span) for one in wrong for span in one.places):
            path = Path(span.file.path).resolve()
            start, end = (self._before(path, at) for at in (span.start, span.end))
            more |= {(file, at) for file, at in self.possible if file == str(path) and start <= at < end}
            fewer |= {(file, at) for file, at in self.chosen if file == str(path) and start <= at < end}
        more -= self.dropped
        fewer -= self.sure
        if not more and not fewer:  # nothing stands there: it may be a column, or a key of rows
            more = {one for one in self.possible - self.dropped - self.others if self._is_alone(*one)}
        if more:
            self.chosen |= {one: self.words[one] for one in more}
        else:
            self.dropped |= fewer
            self.possible |= fewer & set(self.words)
            self.chosen = {one: span for one, span in self.chosen.items() if one not in fewer}
        self.possible -= set(self.chosen)
        return bool(more or fewer)

    def _before(self, path: Path, at: int) -> int:
        """Where a place of a changed file was before."""
        longer = 0
        for start, span in sorted((start, span) for (file, start), span in self.chosen.items() if file == str(path)):
            now, new = start + longer, len(self.forms[span.text])
            if at <= now:
                break
            if at <= now + new:
                return start + min(len(span.text), at - now)
            longer += new - len(span.text)
        return at - longer

    def _is_alone(self, path: str, at: int) -> bool:
        """Whether a word is a key, or the head of a column."""
        end = self.words[path, at].end
        return re.match(r"\s*(?::|,|\n|\r|$)", self.texts[Path(path)][end:]) is not None

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
