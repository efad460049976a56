"""JSON as maps, lists and texts that know their places: what `document.py` is for YAML.

YAML reads most of JSON, but no tabs at the start of a line and no characters written as two escapes, both of which
other programs write.
"""

from __future__ import annotations

import json
import re

from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq
from ruledsl.source.scan import MAX_DEPTH, MAX_NODES, check_text
from ruledsl.source.text import SourceFile, Span

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:"
    r'(?P<text>"(?:[^"\\\x00-\x1f]|\\.)*")|'
    r"(?P<word>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))|"
    r"(?P<sign>[][{},:])|"
    r"(?P<end>\Z)|(?P<other>.))",
    re.DOTALL,
)


class _Wrong(Exception):
    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.start, self.end = start, end


def read_json(file: SourceFile, report: Report) -> Node | None:
    """What the file holds, or nothing: then the report says what is wrong with it."""
    if not check_text(file, report, yaml=False):
        return None
    reader = _Reader(file)
    try:
        node = reader.value()
        if reader.kind != "end":
            raise reader.unexpected("the end of the file")
    except _Wrong as wrong:
        report.error("Y406", file.span(wrong.start, wrong.end), f"this is no JSON: {wrong}")
        return None
    return node


class _Reader:
    """Looks at one token at a time: what kind it is, and where it stands."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.at = self.ended = self.depth = self.nodes = 0
        self.next()

    def next(self) -> None:
        self.ended = self.at  # where the token before ends
        found = _TOKEN.match(self.file.text, self.at)
        assert found is not None, "any character is a token"
        assert found.lastgroup is not None, "a token is of some kind"
        self.kind, self.token = found.lastgroup, found[found.lastgroup]
        self.start, self.at = found.start(found.lastgroup), found.end()

    @property
    def span(self) -> Span:
        return self.file.span(self.start, self.at)

    def unexpected(self, wanted: str) -> _Wrong:
        shown = "the file ends" if self.kind == "end" else f"`{self.token[:20]}` stands"
        return _Wrong(f"{shown} where {wanted} should be", self.start, max(self.start, self.at))

    def sign(self, *signs: str) -> str:
        """One of these signs, which must stand here."""
        if self.kind != "sign" or self.token not in signs:
            raise self.unexpected(" or ".join(f"`{sign}`" for sign in signs))
        found = self.token
        self.next()
        return found

    def value(self) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES or self.depth >= MAX_DEPTH:
            too = f"has more than {MAX_NODES:,} values" if self.nodes > MAX_NODES else "is nested too deeply"
            raise _Wrong(f"it {too}", self.start, self.at)
        if self.kind in ("text", "word"):
            return self.scalar()
        if self.token not in ("{", "[") or self.kind != "sign":
            raise self.unexpected("a value")
        self.depth += 1
        found = self.mapping() if self.token == "{" else self.sequence()
        self.depth -= 1
        return found

    def scalar(self) -> Scalar:
        span, text = self.span, self.token
        inner = self.file.span(span.start + 1, span.end - 1) if self.kind == "text" else span
        if self.kind == "text":
            try:
                text = json.loads(text)
            except ValueError:
                raise _Wrong("this text has a backslash before a wrong character", span.start, span.end) from None
            if not text.isascii():
                text = text.encode("utf-16", "replace").decode("utf-16")  # halves of a character alone
        self.next()
        return Scalar(span, text, "plain", inner)

    def mapping(self) -> Map:
        start = self.start
        entries: dict[str, Entry] = {}
        self.sign("{")
        more = not self.closes("}")
        while more:
            if self.kind != "text":
                raise self.unexpected("a key in quotes")
            key = self.scalar()
            self.sign(":")
            if key.value in entries:
                raise _Wrong(f"`{key.value}` is written twice", key.span.start, key.span.end)
            entries[key.value] = Entry(key, self.value())
            more = self.sign(",", "}") == ","
        return Map(self.file.span(start, self.ended), entries, flow=True)

    def sequence(self) -> Seq:
        start = self.start
        items: list[Node] = []
        self.sign("[")
        more = not self.closes("]")
        while more:
            items.append(self.value())
            more = self.sign(",", "]") == ","
        return Seq(self.file.span(start, self.ended), tuple(items), flow=True)

    def closes(self, bracket: str) -> bool:
        """Whether a bracket that was just opened is closed at once."""
        if self.kind == "sign" and self.token == bracket:
            self.next()
            return True
        return False
