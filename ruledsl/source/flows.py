"""Maps and lists in brackets, written on lines instead; texts put into quotes.

Inside `{…}` a comma ends a value, so `{when: line(cell, 3)}` is not what it looks like. Here the text is read as it was
meant: a comma or colon within any brackets belongs to the text around it. Only what has to be written on lines is; what
else stands in brackets keeps them, and every blank and comment outside stays where it is.
"""

from __future__ import annotations

import re
from dataclasses import field

from ruledsl.diagnostics.edits import Edit
from ruledsl.records import dataclass
from ruledsl.source.text import SourceFile, Span

_OPEN, _CLOSE = "([{", ")]}"
_FAR = 60  # lines that a map in brackets goes over at the most
_START = re.compile(r"(?:^|[,{\[:]|(?<=\s)-)\s*$")  # where a value can begin
_COMMENT = re.compile(r"(?:^|\s)#")
_NEEDS_QUOTES = re.compile(r"[-?:](?:\s|$)|[,\[\]{}#&*!|>'\"%@`]")


@dataclass
class Part:
    """A key with its value, or an item of a list without a key, as it was meant."""

    key: str
    text: str  # of the value, without blanks around it
    start: int
    end: int
    inner: Flow | None = None


@dataclass
class Flow:
    """A map or list in brackets."""

    bracket: str
    start: int
    end: int
    parts: list[Part] = field(default_factory=list)


def on_lines(file: SourceFile, at: int) -> list[Edit]:
    """The edit that writes what stands in brackets around a place on lines; none where that cannot be done safely."""
    flow, head, tail = _around(file, at)
    if flow is None:
        return []
    start = flow.start
    newline = "\r\n" if "\r\n" in file.text else "\n"
    below = _under(head)
    if below is None:
        return []
    lines = _written(flow, at, below[0])
    if lines is None:
        return []
    comment = tail.rstrip("\r")
    if below[1]:  # behind `key:` the lines go below it
        text = comment.rstrip() + newline + newline.join(" " * below[0] + one for one in lines)
        begin = start - (len(head) - len(head.rstrip()))
    else:
        text = lines[0] + comment.rstrip() + "".join(newline + " " * below[0] + one for one in lines[1:])
        begin = start
    return [Edit(Span(file, begin, flow.end + len(comment)), text)]


def extent(file: SourceFile, at: int) -> tuple[int, int] | None:
    """Where what stands in brackets around a place begins and ends; None if more stands on its lines."""
    flow, head, _ = _around(file, at)
    return (flow.start, flow.end) if flow is not None and _under(head) is not None else None


def _around(file: SourceFile, at: int) -> tuple[Flow | None, str, str]:
    """The outermost map or list in brackets around a place, and what stands before and behind it on its lines; None if
    something else does, too."""
    start = _outermost(file, at)
    flow = _read(file.text, start) if start is not None else None
    if start is None or flow is None or not flow.start < at < flow.end:
        return None, "", ""
    head = file.text[file.line_start(file.line_col(start)[0]) : start]
    end = file.text.find("\n", flow.end)
    tail = file.text[flow.end : end if end >= 0 else len(file.text)]
    if tail.strip() and not re.match(r"\s+#|\r?$", tail):
        return None, "", ""
    return flow, head, tail


def _under(head: str) -> tuple[int, bool] | None:
    """In which column lines below go, and whether a key stands before them; None where something else does."""
    marks = re.match(r"\s*(?:- +)*", head)
    assert marks is not None
    rest = head[marks.end() :]
    if not rest.strip():
        return (marks.end(), False)  # behind a dash, or alone on a line below its key
    if re.fullmatch(r"(?:[^\s\"'{}\[\],#][^\"'{}\[\]#]*|\"[^\"]*\"|'[^']*')\s*:\s*", rest):
        return marks.end() + 2, True
    return None


def _outermost(file: SourceFile, at: int) -> int | None:
    """Where the outermost bracket opens that is still open at a place, of a map or list and not of a text."""
    line = file.line_col(at)[0]
    for first in range(line, max(0, line - _FAR), -1):
        begin = file.line_start(first)
        if not file.text[begin:at].strip() and first != line:
            continue
        opened = _open_at(file.text, begin, at)
        if opened:
            return opened[0]
        if first < line and re.match(r"\s*(?:- |[\w\"'])", file.text[begin:]) and not opened:
            above = file.line_text(first)
            if re.search(r":\s*(?:[^\s{\[].*)?$", above) and not above.rstrip().endswith((",", "{", "[")):
                return None
    return None


def _open_at(text: str, begin: int, at: int) -> list[int]:
    """The brackets that open values and are not closed between two places."""
    stack: list[tuple[int, bool]] = []
    i = begin
    while i < at:
        letter = text[i]
        if letter in "\"'" and _START.search(text[begin:i]):
            i = _behind_quotes(text, i)
            continue
        if letter == "#" and (i == begin or text[i - 1] in " \t"):
            i = text.find("\n", i) if text.find("\n", i) >= 0 else at
            continue
        if letter in _OPEN:
            value = letter != "(" and bool(_START.search(text[begin:i])) and all(v for _, v in stack)
            stack.append((i, value))
        elif letter in _CLOSE and stack:
            stack.pop()
        i += 1
    return [place for place, value in stack if value]


def _behind_quotes(text: str, at: int) -> int:
    """The place behind a text in quotes that begins here."""
    quote, i = text[at], at + 1
    while i < len(text):
        if text[i] == "\\" and quote == '"':
            i += 2
            continue
        if text[i] == quote:
            if quote == "'" and text[i + 1 : i + 2] == "'":
                i += 2
                continue
            return i + 1
        i += 1
    return i


def _read(text: str, start: int) -> Flow | None:
    """A map or list in brackets as it was meant; None if it never ends, or a comment stands in it."""
    flow = Flow(text[start], start, start)
    i, begin, colon = start + 1, start + 1, -1
    depth = 0
    limit = len(text)
    lines = 0
    while i < limit:
        letter = text[i]
        if letter == "\n":
            lines += 1
            if lines > _FAR:
                return None
        if letter in "\"'" and depth == 0 and not text[(colon + 1 if colon >= 0 else begin) : i].strip():
            i = _behind_quotes(text, i)
            continue
        if letter == "#" and text[i - 1] in " \t\n":
            return None
        if letter in _OPEN:
            depth += 1
        elif letter in _CLOSE:
            if depth == 0:
                if letter == "}" if flow.bracket == "{" else letter == "]":
                    _take(flow, text, begin, colon, i)
                    flow.end = i + 1
                    return flow
                return None
            depth -= 1
        elif depth == 0 and letter == ",":
            _take(flow, text, begin, colon, i)
            begin, colon = i + 1, -1
        elif depth == 0 and letter == ":" and colon < 0 and text[i + 1 : i + 2] in (" ", "\n", ""):
            colon = i
        i += 1
    return None


def _take(flow: Flow, text: str, begin: int, colon: int, end: int) -> None:
    """The part between two commas."""
    if not text[begin:end].strip():
        return
    key = text[begin:colon].strip() if colon >= 0 else ""
    first = colon + 1 if colon >= 0 else begin
    written = text[first:end]
    start = first + len(written) - len(written.lstrip())
    value = " ".join(written.split())
    inner = None
    if value[:1] in ("{", "["):
        inner = _read(text, start)
        if inner is not None and inner.end != start + len(written.strip()):
            inner = None  # an expression that begins with a bracket
    flow.parts.append(Part(key, value, start, first + len(written.rstrip()), inner))


def _written(flow: Flow, at: int, column: int) -> list[str] | None:
    """The lines of a map or list, as they stand from a column on; what does not hold the place keeps its brackets."""
    lines: list[str] = []
    for part in flow.parts:
        if (flow.bracket == "{") != bool(part.key):
            return None
        head = f"{part.key}:" if part.key else "-"
        if part.inner is not None and part.inner.start < at < part.inner.end:
            inner = _written(part.inner, at, column + 2)
            if inner is None:
                return None
            if part.key:
                lines += [head, *("  " + one for one in inner)]
            else:
                lines += [f"- {inner[0]}", *("  " + one for one in inner[1:])]
        elif part.inner is not None:
            lines.append(f"{head} {part.text}")
        else:
            lines.append(f"{head} {plain_or_quoted(part.text)}".rstrip())
    return lines or None


def plain_or_quoted(text: str) -> str:
    """A text as it can stand on a line of its own: in quotes if it would mean something else without."""
    if text[:1] in "\"'" and _behind_quotes(text, 0) == len(text):
        return text
    if _NEEDS_QUOTES.match(text) or ": " in text or text.endswith(":") or _COMMENT.search(text):
        return quoted(text)
    return text


def quoted(text: str) -> str:
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def in_quotes(file: SourceFile, at: int, first: bool = False, through: int | None = None) -> list[Edit]:
    """The edit that puts the text of a value into quotes: the one that a place is in or begins.

    With `first` the value begins behind the first colon of its line; `through` is where it ends, unless that is the end
    of its line, a comment, or a comma or bracket of the map around it.
    """
    line = file.line_col(at)[0]
    begin, written = file.line_start(line), file.line_text(line)
    marks = re.match(r"\s*(?:- +)*", written)
    assert marks is not None
    opened = _open_at(file.text, begin, at)
    if opened:
        return _in_flow(file, at, opened[-1])
    start = marks.end()
    key = re.match(r"(?:[^\s\"'{}\[\],#:][^\"'{}\[\]#:]*|\"[^\"]*\"|'[^']*'):\s+", written[start:])
    if key and start + key.end() <= at - begin + (len(written) if first else 0):
        start += key.end()
    rest = written[start:]
    end = len(rest.rstrip()) if through is None else min(len(rest), through - begin - start)
    if through is None and (comment := re.search(r"\s#", rest)):
        end = len(rest[: comment.start()].rstrip())
    text = rest[:end].rstrip()
    if not text or text[:1] in "\"'|>{[":
        return []
    return [Edit(Span(file, begin + start, begin + start + len(text)), quoted(text))]


def _in_flow(file: SourceFile, at: int, bracket: int) -> list[Edit]:
    """A text inside a map or list in brackets."""
    flow = _read(file.text, bracket)
    part = next((p for p in flow.parts if p.start <= at <= p.end), None) if flow is not None else None
    if part is None or part.text[:1] in "\"'{[":
        return []
    return [Edit(Span(file, part.start, part.end), quoted(part.text))]
