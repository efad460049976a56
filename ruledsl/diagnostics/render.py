"""Findings as text for people, as annotations for GitHub and as JSON."""

from collections.abc import Iterator
from typing import Any

from ruledsl.diagnostics.edits import Edit
from ruledsl.diagnostics.model import Diagnostic, Report
from ruledsl.source.text import UNPRINTABLE, Span
from ruledsl.wording.columns import columns

# Of a longer line only the part around the mark is shown, of a longer message only the beginning.
_LONGEST_LINE = 160
_BEFORE_MARK = 80
_LONGEST_TEXT = 2_000
_MOST_PLACES = 12

_COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "gutter": "\x1b[34m",
    "help": "\x1b[32m",
    "bold": "\x1b[1m",
}
_PLAIN = "\x1b[0m"


def render(found: Diagnostic, colour: bool = False) -> str:
    """A finding with the lines it is about, each marked by carets."""
    return "\n".join(_lines(found, colour))


def render_line(found: Diagnostic) -> str:
    """A finding in one line, without its help."""
    place = f"{_place(found.span)}: " if found.span else ""
    return f"{place}{found.severity}[{found.code}]: {visible(found.message)}"


def render_github(found: Diagnostic) -> str:
    """A finding as a command that GitHub shows beside the changed line."""
    properties = {}
    if found.span:
        (line, column), (end_line, end_column) = _ends(found.span)
        properties = {
            "file": found.span.file.path,
            "line": line,
            "col": column,
            "endLine": end_line,
            "endColumn": end_column,
        }
    properties["title"] = f"{found.code}::{found.message}"
    written = ",".join(f"{name}={_github_property(str(value))}" for name, value in properties.items())
    message = f"{found.message}\n{found.help}" if found.help else found.message
    return f"::{found.severity} {written}::{_github_text(message)}"


def to_json(report: Report) -> dict[str, Any]:
    """All findings as plain data, in order."""
    return {
        "diagnostics": [_plain_data(found) for found in report.sorted()],
        "errors": report.mistakes,
        "warnings": report.warnings,
        "menus": [
            {"file": span.file.path, "line": span.line, "options": most}
            for span, most in sorted(
                report.menus.items(), key=lambda menu: (-menu[1], menu[0].file.path, menu[0].start)
            )
        ],
    }


def _lines(found: Diagnostic, colour: bool) -> Iterator[str]:
    head = _paint(f"{found.severity}[{found.code}]", found.severity, colour)
    yield f"{head}: {_paint(visible(found.message), 'bold', colour)}"
    if found.span:
        yield from _excerpt(found.span, found.label, "-->", found.severity, colour)
    for span, note in found.notes:
        yield from _excerpt(span, note, ":::", "gutter", colour)
    if found.more:
        yield f"{_paint('again', 'gutter', colour)}: {_again(found)}"
    if found.help:
        first, *rest = found.help.split("\n")
        yield f"{_paint('help', 'help', colour)}: {visible(first)}"
        yield from (f"      {visible(line)}" for line in rest)


def _again(found: Diagnostic) -> str:
    """Where the same slip shows again: `in 13 more places: capture.yaml:7, 9; game.yaml:47 …`."""
    lines: dict[str, list[int]] = {}
    for span in found.more[:_MOST_PLACES]:
        lines.setdefault(span.file.path, []).append(span.line)
    shown = "; ".join(f"{visible(path)}:{', '.join(map(str, dict.fromkeys(n)))}" for path, n in lines.items())
    count = "one more place" if len(found.more) == 1 else f"{len(found.more)} more places"
    return f"in {count}: {shown}" + (" …" if len(found.more) > _MOST_PLACES else "")


def _excerpt(span: Span, label: str, arrow: str, mark: str, colour: bool) -> Iterator[str]:
    line, column = span.file.line_col(span.start)
    before, marked, after = _cut_line(span.file.line_text(line), column - 1, span.end - span.start)
    carets = "^" * max(1, columns(marked))
    number = str(line)
    gutter = " " * len(number)
    bar = _paint("|", "gutter", colour)
    marks = _paint(f"{carets} {visible(label)}".rstrip(), mark, colour)
    yield f"{gutter}{_paint(arrow, 'gutter', colour)} {_place(span)}"
    yield f"{gutter} {bar}"
    yield f"{_paint(number, 'gutter', colour)} {bar} {before}{marked}{after}".rstrip()
    yield f"{gutter} {bar} {' ' * columns(before)}{marks}"


def _cut_line(text: str, start: int, length: int) -> tuple[str, str, str]:
    """The line before, in and after the mark, as shown; a mark over several lines ends with the first."""
    first, last, left, right = 0, len(text), "", ""
    if len(text) > _LONGEST_LINE:
        first = max(0, start - _BEFORE_MARK)
        last = min(len(text), first + _LONGEST_LINE)
        left, right = "…" * (first > 0), "…" * (last < len(text))
    end = min(start + length, last)
    before, after = visible(text[first:start]), visible(text[max(start, end) : last])
    return left + before, visible(text[start:end]), after + right


def visible(text: str) -> str:
    """The text with nothing in it that a terminal would obey: tabs as a space, control characters escaped."""
    if len(text) > _LONGEST_TEXT:
        text = text[:_LONGEST_TEXT] + "…"
    text = text.replace("\t", " ").replace("\n", "\\n").replace("\r", "\\r")
    return UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


def _paint(text: str, what: str, colour: bool) -> str:
    return f"{_COLOURS[what]}{text}{_PLAIN}" if colour else text


def _place(span: Span) -> str:
    return f"{visible(span.file.path)}:{span.line}:{span.column}"


def _ends(span: Span) -> tuple[tuple[int, int], tuple[int, int]]:
    return span.file.line_col(span.start), span.file.line_col(span.end)


def _github_text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_text(text).replace(":", "%3A").replace(",", "%2C")


def _plain_data(found: Diagnostic) -> dict[str, Any]:
    (line, column), (end_line, end_column) = _ends(found.span) if found.span else ((None, None), (None, None))
    return {
        "file": found.span.file.path if found.span else None,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "severity": found.severity,
        "code": found.code,
        "message": found.message,
        "help": found.help,
        "suggestions": list(found.suggestions),
        "edits": [_edit(edit) for edit in found.edits],
        "again": [{"file": span.file.path, "line": span.line, "column": span.column} for span in found.more],
    }


def _edit(edit: Edit) -> dict[str, Any]:
    """A change that mends a finding: from line and column to line and column another text."""
    (line, column), (end_line, end_column) = _ends(edit.span)
    place = {"line": line, "column": column, "end_line": end_line, "end_column": end_column}
    return {"file": edit.span.file.path, **place, "text": edit.text}
