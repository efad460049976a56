"""What `check` finds is mended where there is one safe way: every change is checked, and taken back if it did not help.

Changes are tried on texts in memory, so the files of a game are never seen half mended. A change stays if the finding
it is for is gone and nothing is found that was not there before; but what could not be read at all (codes that begin
with Y) hides what is wrong in it, and that may come to light. Where a game had no mistakes it must stay the same game:
a change for the sake of a warning may not change what its rules do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from ruledsl.diagnostics.edits import Edit, applied, by_file, overlap
from ruledsl.diagnostics.model import Diagnostic, GameError, Report
from ruledsl.ir.fingerprint import fingerprint
from ruledsl.records import dataclass
from ruledsl.source.scan import is_inside, unsaved
from ruledsl.source.text import SourceFile, Span

from . import pipeline

MOST_ROUNDS = 40
DEEPEST = 4  # slips that hide each other


@dataclass(frozen=True)
class Change:
    """One finding and what was changed for it: lines of a file before and after."""

    file: str
    line: int
    code: str
    message: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    round: int  # how many changes were made before; those of one round are made at once

    def data(self) -> dict[str, Any]:
        """What programs are told of it."""
        return {name: value for name, value in vars(self).items() if name != "round"}


@dataclass
class Fixed:
    """What became of a game: the texts of its changed files, the changes, and what is left to be found."""

    report: Report
    changes: list[Change] = field(default_factory=list)
    texts: dict[Path, bytes] = field(default_factory=dict)


Key = tuple[str, str, str, str]
Beside = Callable[[pipeline.Blueprint], pipeline.Beside] | None
Check = Callable[[Path], Report]
Way = tuple[Diagnostic, tuple[Edit, ...]]  # a finding and one way to mend it


def fix(path: Path, beside: Beside = None) -> Fixed:
    """Everything that can be mended safely in a game, and in what is looked at beside it; nothing is written."""

    def check(path: Path) -> Report:
        return pipeline.check(path, beside=beside)

    state = Fixed(check(path))
    root = (path if path.is_dir() else path.parent).resolve()
    tried: set[Key] = set()
    for _ in range(MOST_ROUNDS):
        waiting = [one for one in _mendable(state.report, root) if _key(one) not in tried]
        if not waiting:
            break
        ways = [_ways(one, path, root, state) for one in waiting]
        if len(waiting) > 1 and (better := _with(check, path, root, state, [own[0] for own in ways])) is not None:
            state = better
            continue
        tried.add(_key(waiting[0]))
        tries = (_with(check, path, root, state, [way]) for way in ways[0])
        state = next((better for better in tries if better is not None), state)
    return Fixed(state.report, [_as_read(one, state.changes) for one in state.changes], state.texts)


def _as_read(change: Change, all_: list[Change]) -> Change:
    """A change with its line in the file as it was at first, not as earlier changes had left it."""
    line = change.line
    for number in sorted({one.round for one in all_ if one.round < change.round}, reverse=True):
        moved = 0
        for one in sorted((one for one in all_ if one.round == number and one.file == change.file), key=_line):
            begin, more = one.line + moved, len(one.after) - len(one.before)
            if line < begin:
                break
            if line < begin + len(one.after):
                line = min(line, begin + max(0, len(one.before) - 1))
                break
            moved += more
        line -= moved
    return replace(change, line=line)


def _line(change: Change) -> int:
    return change.line


def _mendable(report: Report, root: Path) -> list[Diagnostic]:
    return [found for found in report.sorted() if found.edits and all(_own(e.span.file, root) for e in found.edits)]


def _ways(found: Diagnostic, path: Path, root: Path, state: Fixed) -> list[Way]:
    """How a finding can be mended, the best first."""
    ways: list[Way] = [(found, found.edits)]
    if len(found.suggestions) == 1 and found.span is not None:
        declared = _declaration(found.span.text, found.suggestions[0], path, root, state)
        if declared is not None:
            ways.insert(0, (found, (declared,)))
    return ways


def _declaration(word: str, known: str, path: Path, root: Path, state: Fixed) -> Edit | None:
    """Where a name stands once, and what was meant by it several times, the slip is in the one and not in the many."""
    if not (word.isidentifier() and known.isidentifier()):
        return None
    with unsaved(state.texts):
        blueprint = pipeline.read(path, Report())
    files = [file for file in blueprint.source.files if _own(file, root)] if blueprint is not None else []
    places = [(file, at.start()) for file in files for at in re.finditer(rf"\b{re.escape(known)}\b", file.text)]
    uses = sum(len(re.findall(rf"\b{re.escape(word)}\b", file.text)) for file in files)
    if len(places) != 1 or uses < 2:
        return None
    file, start = places[0]
    return Edit(Span(file, start, start + len(known)), word)


def _own(file: SourceFile, root: Path) -> bool:
    """Whether a file belongs to the game: nothing outside of its folder is ever changed."""
    return is_inside(Path(file.path), root)


def _with(check: Check, path: Path, root: Path, state: Fixed, ways: list[Way], depth: int = 0) -> Fixed | None:
    """The game with some findings mended; None if that did not help, or did harm."""
    edits: list[Edit] = []
    changes: list[Change] = []
    taken: list[Diagnostic] = []
    for one, own in ways:
        if overlap([*edits, *own]):
            continue
        changes += _changes(one, [edit for edit in own if edit not in edits], len(state.changes))
        edits += own
        taken.append(one)
    texts = dict(state.texts)
    for file in by_file(edits):
        texts[Path(file.path).resolve()] = _bytes(file, applied(file, edits))
    with unsaved(texts):
        report = check(path)
        better = Fixed(report, [*state.changes, *changes], texts)
        if not _helped(state.report, report, taken):
            return None
        new = _new(state.report, report)
        if all(one.code[0] == "Y" for one in taken):
            new = {key for key in new if key[1][0] == "Y"}
        elif all(one.code[0] in "EY" for one in taken):  # warnings are told once everything can be read
            new = {key for key in new if key[0] == "error"}
        if new:  # what was hidden behind the slip may be mended, too
            hidden = [(one, one.edits) for one in _mendable(report, root) if _key(one) in new]
            if depth >= DEEPEST or not hidden:
                return None
            deeper = _with(check, path, root, better, hidden, depth + 1)
            if deeper is None or _new(state.report, deeper.report):
                return None
            better = deeper
        if not state.report.errors and not _same_game(path, state, better):
            return None
    return better


def _helped(before: Report, after: Report, found: Iterable[Diagnostic]) -> bool:
    """Whether each of these findings is there less often than before."""
    old, now = _counted(before), _counted(after)
    return all(now[_key(one)] < old[_key(one)] for one in found)


def _new(before: Report, after: Report) -> set[Key]:
    """What is found now and was not before, or not as often."""
    old, now = _counted(before), _counted(after)
    return {key for key, number in now.items() if number > old[key]}


def _counted(report: Report) -> Counter[Key]:
    return Counter(_key(found) for found in report.findings)


def _key(found: Diagnostic) -> Key:
    """What makes two findings the same, wherever lines have moved."""
    return found.severity, found.code, found.message, found.span.file.path if found.span is not None else ""


def _same_game(path: Path, before: Fixed, after: Fixed) -> bool:
    """Whether two versions of the rules do the same."""
    with unsaved(before.texts):
        old = _rules(path)
    with unsaved(after.texts):
        return old == _rules(path)


def _rules(path: Path) -> list[str]:
    report = Report()
    try:
        blueprint = pipeline.read(path, report)
        made = list(pipeline.worked_out(blueprint, report)) if blueprint is not None else []
    except GameError:
        return []
    return [fingerprint(program) for *_, program in made]


def _bytes(file: SourceFile, text: str) -> bytes:
    """The text as bytes, with the byte order mark that the file has."""
    try:
        with Path(file.path).open("rb") as opened:
            mark = opened.read(3) == b"\xef\xbb\xbf"
    except OSError:
        mark = False
    return (b"\xef\xbb\xbf" if mark else b"") + text.encode()


def _changes(found: Diagnostic, own: list[Edit], round_: int) -> list[Change]:
    """The lines that the edits for a finding touch, before and after."""
    changes = []
    for file, edits in by_file(own).items():
        for group in _nearby(file, edits):
            first = file.line_col(min(e.span.start for e in group))[0]
            last = file.line_col(max(e.span.end for e in group))[0]
            begin, end = file.line_start(first), _line_end(file, last)
            part = file.text[begin:end]
            for edit in sorted(group, key=lambda e: e.span.start, reverse=True):
                part = part[: edit.span.start - begin] + edit.text + part[edit.span.end - begin :]
            before = tuple(file.text[begin:end].splitlines())
            after = tuple(part.splitlines())
            changes.append(Change(file.path, first, found.code, found.message, before, after, round_))
    return sorted(changes, key=lambda change: (change.file, change.line))


def _nearby(file: SourceFile, edits: list[Edit]) -> list[list[Edit]]:
    """Edits of the same lines together."""
    groups: list[list[Edit]] = []
    end = -1
    for edit in sorted(edits, key=lambda e: e.span.start):
        if groups and edit.span.line <= end:
            groups[-1].append(edit)
        else:
            groups.append([edit])
        end = edit.span.end_line
    return groups


def _line_end(file: SourceFile, line: int) -> int:
    return file.line_start(line) + len(file.line_text(line))
