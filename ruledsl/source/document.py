"""YAML files as trees of nodes that know their place."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

import yaml

from ruledsl.diagnostics.model import Diagnostic, Report
from ruledsl.records import dataclass
from ruledsl.source.flows import extent
from ruledsl.source.letters import STRANGE_SPACE, as_meant, strange_name
from ruledsl.source.pieces import NO_SPACE, open_brackets, report_comment, short
from ruledsl.source.scan import MAX_DEPTH, MAX_NODES, check_text, is_inside, outside, read_file
from ruledsl.source.text import UNPRINTABLE, SourceFile, Span

Style = Literal["plain", "quoted", "block"]

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STYLES: dict[str | None, Style] = {'"': "quoted", "'": "quoted", "|": "block", ">": "block"}
_INT = re.compile(r"-?[0-9]{1,100}")
_REST_OF_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)?")
_TAG = re.compile(r"(?:&\S*\s+)?(?P<tag>![^\s,\[\]{}]*)")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:\s+|#[^\r\n]*)*)+")
_COMMENT = re.compile(r"[ \t]+(#[^\r\n]*)")
_HEX_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\s*")
_STRANGE_BLANK = re.compile(rf"[\w.\[\]-]+:({STRANGE_SPACE.pattern})")
# How many entries may belong to one value cut by commas: looking further would take quadratic time.
_BLANKS = (" ", "\t")
_BRACKET = re.compile(r"[(\[{]")
_MOST_PIECES = 32
_MOST_PASSED_OVER = 50  # brackets in one file that cannot be read


# Nodes are compared by identity: two equal texts at two places are two things.
@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """A text; `text_span` is where its own characters stand, without quotes or the `|` line."""

    span: Span
    value: str
    style: Style
    text_span: Span

    @property
    def is_null(self) -> bool:
        """Whether nothing is written here, or `null`."""
        return self.style == "plain" and self.value in ("", "~", "null")

    @property
    def is_escaped(self) -> bool:
        """Whether the file has other characters than the text means, so that places in it would be wrong."""
        return self.style != "block" and self.text_span.text.split() != self.value.split()

    def as_int(self) -> int | None:
        """The number, if the text is a plain decimal one."""
        return int(self.value) if self.style == "plain" and _INT.fullmatch(self.value) else None

    def as_bool(self) -> bool | None:
        """The truth value, if the text is a plain `true` or `false`."""
        return {"true": True, "false": False}.get(self.value) if self.style == "plain" else None


@dataclass(frozen=True, slots=True, eq=False)
class Seq:
    """A list; `flow` if it is written in brackets."""

    span: Span
    items: tuple["Node", ...]
    flow: bool = False

    def __iter__(self) -> Iterator["Node"]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A key of a map and what it stands for."""

    key: Scalar
    value: "Node"


@dataclass(frozen=True, slots=True, eq=False)
class Map:
    """A map in the order of the file; `broken` if keys are missing because they could not be read."""

    span: Span
    entries: dict[str, Entry]
    flow: bool = False
    broken: bool = False

    def get(self, name: str) -> "Node | None":
        """What the key stands for, if it is there."""
        entry = self.entries.get(name)
        return entry.value if entry else None

    def key(self, name: str) -> Scalar | None:
        """The key as written, if it is there."""
        entry = self.entries.get(name)
        return entry.key if entry else None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries.values())

    def __len__(self) -> int:
        return len(self.entries)


@dataclass(frozen=True, slots=True, eq=False)
class Broken:
    """What could not be read; it has been reported, so later stages pass over it in silence."""

    span: Span


Node = Scalar | Seq | Map | Broken


def word_at(word: str, span: Span) -> Scalar:
    """A word that stands for what is written at a place, such as a key that was left out there."""
    return Scalar(span, word, "plain", span)


def nodes_of(node: Node | None) -> Iterable[Node]:
    """The items of a list, or the one thing that stands in its place."""
    if isinstance(node, Seq):
        return node.items
    return (node,) if node is not None and not isinstance(node, Broken) else ()


def load_file(path: Path, report: Report, root: Path | None = None, at: Span | None = None) -> Node | None:
    """The tree of a file, which must be inside `root` if that is given; `at` is the place that names it."""
    if root is not None and not is_inside(path, root):
        outside(path, report, at)
        return None
    file = read_file(path, report, at=at)
    return read_document(file, report) if file else None


# Trees of texts that were read without a finding, for those who read the same files again and again; by path.
Known = dict[str, tuple[str, Node | None]]
_KNOWN: ContextVar[Known | None] = ContextVar("known", default=None)


@contextmanager
def known_documents(known: Known) -> Iterator[None]:
    """Inside, a file whose text has not changed since it was read last is not read again."""
    token = _KNOWN.set(known)
    try:
        yield
    finally:
        _KNOWN.reset(token)


def read_document(file: SourceFile, report: Report) -> Node | None:
    """The tree of a text; None if there is none, and then the report says why."""
    known = _KNOWN.get()
    if known is None:
        return _read_anew(file, report)
    text, node = known.get(file.path, ("", None))
    if node is None or text != file.text:
        found = Report()
        node = _read_anew(file, found)
        if found.findings:
            return _read_anew(file, report)  # what is found may be told otherwise beside what was found before
        known[file.path] = (file.text, node)
    return node


def _read_anew(file: SourceFile, report: Report) -> Node | None:
    if not check_text(file, report):
        return None
    passed_over: dict[int, int] = {}
    while True:
        reader = _Reader(file, report, passed_over)
        try:
            return reader.read()
        except _Stopped:
            return None
        except yaml.MarkedYAMLError as error:
            from ruledsl.source.explain import SyntaxMistake  # not needed where all can be read

            told = len(report.findings)
            start = error.context_mark.index if error.context_mark else 0
            at = error.problem_mark.index if error.problem_mark else start
            SyntaxMistake(
                file, report, error.context or "", start, error.problem or "", at, reader.innermost_bracket
            ).explain()
            braces = _braces(file, report.findings[told:])
            if braces is None or len(passed_over) >= _MOST_PASSED_OVER:
                return None
            passed_over[braces[0]] = braces[1]
            report.unread()
        except yaml.YAMLError:
            report.error("Y101", file.span(0, 0), "this file cannot be read as YAML")
            return None


def _braces(file: SourceFile, told: list[Diagnostic]) -> tuple[int, int] | None:
    """The brackets in which a text has commas or brackets of its own, if that was told: beyond them the file can be
    read, so that whoever has written several such is told of all at once."""
    if len(told) != 1 or told[0].code not in ("Y301", "Y302") or told[0].span is None:
        return None
    return extent(file, told[0].span.start)


@dataclass(frozen=True, slots=True)
class Token:
    """A sign of YAML by the name that YAML libraries give it; some stand for no letters, such as `BlockEnd`."""

    kind: str
    start: int
    end: int
    plain: bool = False  # a text without quotes, on the line of its key


def tokens(text: str) -> list[Token]:
    """The signs of a text that can be read, in their order."""
    return [
        Token(type(one).__name__.removesuffix("Token"), one.start_mark.index, one.end_mark.index, _is_plain(one))
        for one in yaml.scan(text, Loader=_Loader)
    ]


def _is_plain(token: Any) -> bool:
    return isinstance(token, yaml.ScalarToken) and bool(token.plain)


def as_told(text: str) -> list[tuple[object, ...]] | None:
    """What a text tells whoever reads YAML, whatever blanks, line breaks and comments it has; None if it cannot be
    read as it stands."""
    keys = ("anchor", "tag", "value", "style", "flow_style", "implicit")
    try:
        return [(type(e), *(getattr(e, key, None) for key in keys)) for e in yaml.parse(text, Loader=_Loader)]
    except yaml.YAMLError:
        return None


class _Stopped(Exception):
    """The text is too big or too deep to go on; it has been reported."""


@dataclass(slots=True)
class _Open:
    """A list or map whose end has not come yet; a map has its keys and values in turn."""

    start: int
    is_map: bool
    flow: bool
    anchor: str | None
    nodes_before: int
    parts: list[Node] = field(default_factory=list)
    end: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class _Anchored:
    node: Node
    nodes: int
    height: int


# Events are read one by one, with a stack of our own: nothing recurses, neither here nor in the YAML library,
# and the limits hold before memory is spent. Depth and number of nodes count what is behind an alias at each
# of its uses, so later stages may walk the tree without care.
class _Reader:
    """Builds the tree of one file."""

    def __init__(self, file: SourceFile, report: Report, passed_over: dict[int, int]) -> None:
        self.file = file
        self.report = report
        self.passed_over = passed_over  # where brackets start that cannot be read, which was told, and where they end
        self.stack: list[_Open] = []
        self.anchors: dict[str, _Anchored] = {}
        # Reported at the end: often such a name is a text like `*b + 1`, which is a finding of its own.
        self.unknown: list[tuple[str, Span]] = []
        self.nodes = 0
        self.root: Node | None = None

    def read(self) -> Node | None:
        documents = 0
        event: Any  # its kinds have different attributes, and their stubs make all of them optional
        events = _Loader(self._readable())
        while (event := events.get_event()) is not None:
            start, end = event.start_mark.index, event.end_mark.index
            if event.__class__ is yaml.ScalarEvent:
                if event.style or event.tag or event.anchor or not self._plain(event.value, start, end):
                    self._scalar(event, start, end)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._open(event, start, end)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._close(end)
            elif isinstance(event, yaml.AliasEvent):
                self._alias(event.anchor or "", start, end)
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._error("Y205", start, end, "a second document starts here", help="delete the line `---`")
                    return self.root
        if self.root is None:
            self._error("Y111", 0, 0, "this file is empty")
        for name, span in self.unknown:
            help = f'if `*` is meant as part of a text, write it in quotes: "*{short(name)}"'
            self.report.error("Y206", span, f"nothing above is named `&{short(name)}`", help=help)
        return self.root

    def _readable(self) -> str:
        """The text, with one long word in the place of each part that is passed over."""
        text = self.file.text
        for start, end in self.passed_over.items():
            word = re.sub(r"[^\r\n]", "x", text[start + 1 : end - 1])
            text = f'{text[:start]}"{word}"{text[end:]}'
        return text

    @property
    def innermost_bracket(self) -> int | None:
        """Where the last bracket that is still open stands."""
        return next((opened.start for opened in reversed(self.stack) if opened.flow), None)

    def _plain(self, value: str, start: int, end: int) -> bool:
        """Adds a text as most are: without quotes, without a comment behind it, with nothing to look at twice."""
        file = self.file
        text = file.text
        if text.startswith(_BLANKS, end) or self.passed_over or not self.stack or self.nodes >= MAX_NODES:
            return False
        span = Span(file, start, end)
        self.nodes += 1
        parent = self.stack[-1]
        parent.parts.append(Scalar(span, value, "plain", span))
        parent.end = end
        return True

    def _scalar(self, event: yaml.ScalarEvent, start: int, end: int) -> None:
        node: Node
        if event.tag is not None:
            node = Broken(self._report_tag(start, end))
        elif start in self.passed_over:
            node = Broken(self.file.span(start, end))
        else:
            start = min(self._skip_properties(event, start), end) if event.anchor is not None else start
            style = _STYLES.get(event.style, "plain")
            span = Span(self.file, start, end)
            if style == "plain":
                node = Scalar(span, event.value, style, span)
                if self.file.text[end : end + 1] in " \t":  # a comment may follow, or the end of the file
                    node = self._whole(node)
            else:
                node = self._whole(Scalar(span, event.value, style, self._text_span(style, start, end)))
        self._count(1, 0, start, end)
        self._add(node, end, event.anchor, 1, 0)

    def _whole(self, node: Scalar) -> Scalar | Broken:
        """The text, unless YAML has cut it at a comment or it has escaped control characters."""
        if node.style == "quoted" and UNPRINTABLE.search(node.value):
            self.report.error("Y005", node.span, "this text has an escaped control character", help="delete it")
            return Broken(node.span)
        comment = _cut_by_comment(node)
        if comment:
            report_comment(self.report, comment, after_text=bool(node.value))
            return Broken(node.span)
        return node

    def _text_span(self, style: Style, start: int, end: int) -> Span:
        text = self.file.text
        if style == "quoted":
            return self.file.span(start + 1, end - 1)
        if style == "block":
            header = _REST_OF_LINE.match(text, start)
            start = min(header.end() if header else start, end)
            content = text[start:end]
            end = start + len(content.rstrip())
            start = min(start + len(content) - len(content.lstrip()), end)
        return self.file.span(start, end)

    def _open(self, event: yaml.CollectionStartEvent, start: int, end: int) -> None:
        if event.tag is not None:
            self._report_tag(start, end)
        start = self._skip_properties(event, start)
        self._count(1, 1, start, end)
        is_map = isinstance(event, yaml.MappingStartEvent)
        self.stack.append(_Open(start, is_map, bool(event.flow_style), event.anchor, self.nodes - 1))

    def _close(self, end: int) -> None:
        opened = self.stack.pop()
        # The end mark of what has no brackets is wherever the next thing starts.
        end = end if opened.flow and self.file.text[end - 1 : end] in ("]", "}") else opened.end
        span = self.file.span(opened.start, max(end, opened.start))
        node = _read_map(span, opened, self.report) if opened.is_map else _read_seq(span, opened, self.report)
        self._add(node, span.end, opened.anchor, self.nodes - opened.nodes_before, opened.height + 1)

    def _alias(self, name: str, start: int, end: int) -> None:
        """Another use of a node; inside itself it is not known yet, so there are no circles."""
        anchored = self.anchors.get(name)
        if anchored is None:
            broken = Broken(self.file.span(start, end))
            self.unknown.append((name, broken.span))
            anchored = _Anchored(broken, 1, 0)
        self._count(anchored.nodes, anchored.height, start, end)
        self._add(anchored.node, end, None, anchored.nodes, anchored.height)

    def _add(self, node: Node, end: int, anchor: str | None, nodes: int, height: int) -> None:
        if anchor is not None:
            self.anchors[anchor] = _Anchored(node, nodes, height)
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        parent.parts.append(node)
        parent.end = end
        parent.height = max(parent.height, height)

    def _count(self, nodes: int, height: int, start: int, end: int) -> None:
        self.nodes += nodes
        if len(self.stack) + height > MAX_DEPTH:
            self._error("Y003", start, end, f"lists and maps are nested more than {MAX_DEPTH} deep")
            raise _Stopped
        if self.nodes > MAX_NODES:
            self._error("Y002", start, end, f"this file has more than {MAX_NODES:,} values")
            raise _Stopped

    def _report_tag(self, start: int, end: int) -> Span:
        found = _TAG.match(self.file.text, start)
        if found:
            start, end = found.span("tag")
        help = "if `!` is part of a text, write the text in quotes; `not` turns a condition around"
        self._error("Y204", start, end, "tags of YAML, which start with `!`, have no meaning here", help=help)
        return self.file.span(start, end)

    def _skip_properties(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, start: int) -> int:
        """Where the node itself starts, behind its anchor and tag."""
        if event.anchor is None and event.tag is None:
            return start
        found = _PROPERTIES.match(self.file.text, start)
        return found.end() if found else start

    def _error(self, code: str, start: int, end: int, message: str, help: str = "") -> None:
        self.report.error(code, self.file.span(start, end), message, help=help)


def _read_map(span: Span, opened: _Open, report: Report) -> Map:
    pairs = list(zip(opened.parts[::2], opened.parts[1::2], strict=True))
    whole = _rejoin_pairs(pairs, report) if _is_cut(opened, span) else pairs
    if (simple := _simple_entries(whole)) is not None:
        return Map(span, simple, opened.flow, broken=len(simple) < len(pairs))
    entries: dict[str, Entry] = {}
    if not opened.flow and (end := _begins_another(whole)):
        _report_another(whole, end, report)
        whole = whole[:end]
    if opened.flow and any(_is_absent(value) for _, value in whole):
        whole = _with_whole_numbers(whole, report)
    for written, value in whole:
        key = _as_meant(written, report)
        if _is_sound_key(key, value, entries, opened.flow, report):
            assert isinstance(key, Scalar), "only texts can be keys"
            entries[key.value] = Entry(key, value)
    return Map(span, entries, opened.flow, broken=len(entries) < len(pairs))


def _simple_entries(pairs: list[tuple[Node, Node]]) -> dict[str, Entry] | None:
    """The entries of a map as most are: each key one plain word, and written once; None where there is more to see."""
    entries: dict[str, Entry] = {}
    for key, value in pairs:
        if key.__class__ is not Scalar or key.style != "plain":
            return None
        word = key.value
        if not (word.isidentifier() and word.isascii()):
            return None
        entries[word] = Entry(key, value)
    return entries if len(entries) == len(pairs) else None


def _with_whole_numbers(pairs: list[tuple[Node, Node]], report: Report) -> list[tuple[Node, Node]]:
    """`{start: 2,5}` and `{total: 1,000}`: a number that its comma has cut in two."""
    whole: list[tuple[Node, Node]] = []
    for key, value in pairs:
        last = whole[-1][1] if whole else None
        if (
            isinstance(key, Scalar)
            and _is_absent(value)
            and key.value.isdecimal()
            and isinstance(last, Scalar)
            and re.search(r"\d$", last.value)
            and key.span.file.text[last.span.end : key.span.start] == ","
        ):
            start = last.span.end - len(re.search(r"\d+$", last.value)[0])  # type: ignore[index]
            number = key.span.file.span(start, key.span.end)
            plain = number.text.replace(",", "")
            thousands = re.fullmatch(r"\d{1,3},\d{3}", number.text) is not None
            said = f"`{number.text}` is " + ("not how a number is written here" if thousands else "not a whole number")
            units = "numbers are whole: count in a smaller unit, as in halves or cents"
            help, meant = (f"write `{plain}`", (plain,)) if thousands else (units, ())
            report.error("E112", number, said, help=help, suggestions=meant)
            whole[-1] = (whole[-1][0], Broken(last.span.until(key.span)))
            continue
        whole.append((key, value))
    return whole


def _begins_another(pairs: list[tuple[Node, Node]]) -> int:
    """Where a name with nothing below it is followed by a key that is there already: it begins a map of its own."""
    seen: set[str] = set()
    for at, (key, _) in enumerate(pairs):
        if not isinstance(key, Scalar):
            return 0
        if key.value in seen and at > 1 and _is_absent(pairs[at - 1][1]):
            return at - 1
        seen.add(key.value)
    return 0


def _report_another(pairs: list[tuple[Node, Node]], at: int, report: Report) -> None:
    name, double = pairs[at][0], pairs[at + 1][0]
    assert isinstance(name, Scalar), "_begins_another has looked"
    assert isinstance(double, Scalar), "_begins_another has looked"
    first = next(key for key, _ in pairs if isinstance(key, Scalar) and key.value == double.value)
    notes = ((first.span, f"`{short(double.value)}` is already in the map above"),)
    message = f"`{short(name.value)}` is in the same column as what comes below it"
    help = "move it to the left if it is a separate name, or indent what belongs to it"
    report.error("Y102", name.span, message, notes=notes, help=help)


def _as_meant(key: Node, report: Report) -> Node:
    """A key without letters, spaces and quotes that are not what they look like, which are reported."""
    if not isinstance(key, Scalar) or key.value.isascii() or key.is_escaped:
        return key
    found = list(strange_name(key.value))
    at = key.text_span.start
    for one in found:
        span = key.span.file.span(at + one.start, at + one.end)
        report.error(one.code, span, one.message, help=one.help, suggestions=(one.meant,) if one.meant.strip() else ())
    return Scalar(key.span, as_meant(key.value, found), key.style, key.text_span) if found else key


def _is_sound_key(key: Node, value: Node, entries: dict[str, Entry], flow: bool, report: Report) -> bool:
    if isinstance(key, Broken) or (isinstance(key, Map) and key.broken):
        return False
    if not isinstance(key, Scalar):
        report.error(
            "Y202",
            key.span,
            "a key must be a name or another text",
            help="write a text with brackets in quotes",
        )
    elif key.style == "plain" and not key.value:
        report.error("Y202", key.span, "a key is missing before `:`")
    elif key.style == "plain" and key.value == "<<":
        help = "repeat the entries here, or give the whole map a name with `&` and use it with `*`"
        report.error("Y203", key.span, "merging maps with `<<` is not supported", help=help)
    elif blank := _STRANGE_BLANK.match(key.value) if key.style == "plain" else None:
        at = key.span.start + blank.start(1)
        message = "this is a special space character, and YAML does not treat it as a space"
        report.error("Y112", key.span.file.span(at, at + len(blank[1])), message, help="write a normal space")
    elif flow and _lacks_space(key, value):
        colon = key.span.start + key.value.index(":")
        report.error("Y304", key.span.file.span(colon, colon + 1), "a space is missing after this `:`")
    elif key.value in entries and flow and key.value.isdigit() and _is_absent(value):
        pass  # `{9, 9}`: that these are no keys is told of the first
    elif key.value in entries:
        notes = ((entries[key.value].key.span, "first written here"),)
        report.error("Y201", key.span, f"`{short(key.value)}` is written twice", notes=notes)
    else:
        return True
    return False


def _lacks_space(key: Scalar, value: Node) -> bool:
    return key.style == "plain" and _is_absent(value) and NO_SPACE.match(key.value) is not None


def _read_seq(span: Span, opened: _Open, report: Report) -> Seq:
    items = _rejoin_items(opened.parts, report) if _is_cut(opened, span) else opened.parts
    return Seq(span, tuple(items), opened.flow)


# In `{when: line(cell, 3)}` YAML ends the value at the comma and takes `3)` for a key without a value. Such
# pieces are put together again as one broken value, so that there is one finding and no talk of a key `3)`.
def _rejoin_pairs(pairs: list[tuple[Node, Node]], report: Report) -> list[tuple[Node, Node]]:
    whole: list[tuple[Node, Node]] = []
    at = 0
    while at < len(pairs):
        key, value = pairs[at]
        text = key if _is_absent(value) else value
        pieces: list[tuple[Span, bool]] = []
        if _is_open(text):
            rest = pairs[at + 1 : at + 1 + _MOST_PIECES]
            pieces = [(key.span.until(value.span), _is_absent(value)) for key, value in rest]
        taken = _pieces_of(text, pieces)
        if taken:
            cut = text.span.until(pieces[taken - 1][0])
            _report_comma(report, text.span, cut, None if text is key else key)
            whole.append((Broken(cut) if text is key else key, Broken(cut)))
        else:
            whole.append((key, value))
        at += 1 + taken
    return whole


def _rejoin_items(items: list[Node], report: Report) -> list[Node]:
    whole: list[Node] = []
    at = 0
    while at < len(items):
        rest = items[at + 1 : at + 1 + _MOST_PIECES] if _is_open(items[at]) else []
        pieces = [(item.span, True) for item in rest]
        taken = _pieces_of(items[at], pieces)
        if taken:
            cut = items[at].span.until(pieces[taken - 1][0])
            _report_comma(report, items[at].span, cut, None)
            whole.append(Broken(cut))
        else:
            whole.append(items[at])
        at += 1 + taken
    return whole


def _is_cut(opened: _Open, span: Span) -> bool:
    """Whether a comma in braces may have cut a text: only one with a bracket can be."""
    if not opened.flow or _BRACKET.search(span.file.text, span.start + 1, span.end) is None:
        return False
    return any(map(_is_open, opened.parts))


def _is_open(text: Node) -> bool:
    """Whether a bracket is open at the end of a text, so that what follows may belong to it."""
    if text.__class__ is not Scalar or text.style != "plain":
        return False
    value = text.value
    return ("(" in value or "[" in value or "{" in value) and open_brackets(value) > 0


def _pieces_of(text: Node, pieces: list[tuple[Span, bool]]) -> int:
    """How many of the pieces that follow a text with an open bracket belong to it."""
    if not pieces or not isinstance(text, Scalar):
        return 0
    depth, bare = open_brackets(text.value), 0
    for taken, (span, is_bare) in enumerate(pieces, 1):
        depth += open_brackets(span.text)
        if depth <= 0:
            return taken
        if is_bare and bare == taken - 1:
            bare = taken
    return bare


def _report_comma(report: Report, text: Span, cut: Span, key: Node | None) -> None:
    comma = text.file.text.find(",", text.end)
    joined = short(" ".join(cut.text.split()), 70)
    if isinstance(key, Scalar):
        what, shown = f"the value of `{short(key.value)}`", f"{short(key.value)}: {joined}"
    else:
        what, shown = "the text", f"- {joined}"
    help = f"inside {{ }} and [ ] a comma ends a value; write this on its own line:\n{shown}"
    if (numbers := re.fullmatch(r"range\((\w+), ([\w.]+)\)", joined)) is not None:
        help = f"numbers from one to another are written `{numbers[1]}..{numbers[2]}`"
    report.error("Y301", text.file.span(comma, comma + 1), f"this comma ended {what}", help=help)


def _cut_by_comment(node: Scalar) -> Span | None:
    """The comment that cut off the end of a text, if one did."""
    if node.style != "plain":
        return None
    found = _COMMENT.match(node.span.file.text, node.span.end)
    if found is None:
        return None
    if node.value:
        is_cut = open_brackets(node.value) > 0 and any(closing in found[1] for closing in ")]}")
    else:
        is_cut = _HEX_COLOUR.fullmatch(found[1]) is not None
    return node.span.file.span(*found.span(1)) if is_cut else None


def _is_absent(node: Node) -> bool:
    return node.__class__ is Scalar and not node.value and node.style == "plain"
