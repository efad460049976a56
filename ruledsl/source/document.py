"""YAML files as trees of nodes that know their place."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml

from ruledsl.diagnostics.model import Report
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
_NO_SPACE = re.compile(r"[\w-]+(:)[^\s:]")
# How many entries may belong to one value cut by commas: looking further would take quadratic time.
_MOST_PIECES = 32


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


def read_document(file: SourceFile, report: Report) -> Node | None:
    """The tree of a text; None if there is none, and then the report says why."""
    if not check_text(file, report):
        return None
    reader = _Reader(file, report)
    try:
        return reader.read()
    except _Stopped:
        return None
    except yaml.MarkedYAMLError as error:
        start = error.context_mark.index if error.context_mark else 0
        at = error.problem_mark.index if error.problem_mark else start
        _SyntaxError(
            file, report, error.context or "", start, error.problem or "", at, reader.innermost_bracket
        ).explain()
    except yaml.YAMLError:
        report.error("Y101", file.span(0, 0), "this file cannot be read as YAML")
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

    def __init__(self, file: SourceFile, report: Report) -> None:
        self.file = file
        self.report = report
        self.stack: list[_Open] = []
        self.anchors: dict[str, _Anchored] = {}
        # Reported at the end: often such a name is a text like `*b + 1`, which is a finding of its own.
        self.unknown: list[tuple[str, Span]] = []
        self.nodes = 0
        self.root: Node | None = None

    def read(self) -> Node | None:
        documents = 0
        event: Any  # its kinds have different attributes, and their stubs make all of them optional
        for event in yaml.parse(self.file.text, _Loader):
            start, end = event.start_mark.index, event.end_mark.index
            if isinstance(event, yaml.ScalarEvent):
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
            help = f'if `*` is meant as part of a text, write it in quotes: "*{_short(name)}"'
            self.report.error("Y206", span, f"nothing above is named `&{_short(name)}`", help=help)
        return self.root

    @property
    def innermost_bracket(self) -> int | None:
        """Where the last bracket that is still open stands."""
        return next((opened.start for opened in reversed(self.stack) if opened.flow), None)

    def _scalar(self, event: yaml.ScalarEvent, start: int, end: int) -> None:
        node: Node
        if event.tag is not None:
            node = Broken(self._report_tag(start, end))
        else:
            start = min(self._skip_properties(event, start), end)
            style = _STYLES.get(event.style, "plain")
            span, text_span = self.file.span(start, end), self._text_span(style, start, end)
            node = self._whole(Scalar(span, event.value, style, text_span))
        self._count(1, 0, start, end)
        self._add(node, end, event.anchor, 1, 0)

    def _whole(self, node: Scalar) -> Scalar | Broken:
        """The text, unless YAML has cut it at a comment or it has escaped control characters."""
        if node.style == "quoted" and UNPRINTABLE.search(node.value):
            self.report.error("Y005", node.span, "this text has an escaped control character", help="delete it")
            return Broken(node.span)
        comment = _cut_by_comment(node)
        if comment:
            _report_comment(self.report, comment, after_text=bool(node.value))
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
        help = "if `!` is meant as part of a text, write the text in quotes"
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
    whole = _rejoin_pairs(pairs, report) if opened.flow else pairs
    entries: dict[str, Entry] = {}
    for key, value in whole:
        if _is_sound_key(key, value, entries, opened.flow, report):
            assert isinstance(key, Scalar), "only texts are sound keys"
            entries[key.value] = Entry(key, value)
    return Map(span, entries, opened.flow, broken=len(entries) < len(pairs))


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
    elif flow and _lacks_space(key, value):
        colon = key.span.start + key.value.index(":")
        report.error("Y304", key.span.file.span(colon, colon + 1), "a space is missing after this `:`")
    elif key.value in entries:
        notes = ((entries[key.value].key.span, "first written here"),)
        report.error("Y201", key.span, f"`{_short(key.value)}` is written twice", notes=notes)
    else:
        return True
    return False


def _lacks_space(key: Scalar, value: Node) -> bool:
    return key.style == "plain" and _is_absent(value) and _NO_SPACE.match(key.value) is not None


def _read_seq(span: Span, opened: _Open, report: Report) -> Seq:
    items = _rejoin_items(opened.parts, report) if opened.flow else opened.parts
    return Seq(span, tuple(items), opened.flow)


# In `{when: line(cell, 3)}` YAML ends the value at the comma and takes `3)` for a key without a value. Such
# pieces are put together again as one broken value, so that there is one finding and no talk of a key `3)`.
def _rejoin_pairs(pairs: list[tuple[Node, Node]], report: Report) -> list[tuple[Node, Node]]:
    whole: list[tuple[Node, Node]] = []
    at = 0
    while at < len(pairs):
        key, value = pairs[at]
        text = key if _is_absent(value) else value
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
        pieces = [(item.span, True) for item in items[at + 1 : at + 1 + _MOST_PIECES]]
        taken = _pieces_of(items[at], pieces)
        if taken:
            cut = items[at].span.until(pieces[taken - 1][0])
            _report_comma(report, items[at].span, cut, None)
            whole.append(Broken(cut))
        else:
            whole.append(items[at])
        at += 1 + taken
    return whole


def _pieces_of(text: Node, pieces: list[tuple[Span, bool]]) -> int:
    """How many of the pieces that follow a text with an open bracket belong to it."""
    if not isinstance(text, Scalar) or text.style != "plain":
        return 0
    depth = _depth(text.value)
    if depth <= 0:
        return 0
    bare = 0
    for taken, (span, is_bare) in enumerate(pieces, 1):
        depth += _depth(span.text)
        if depth <= 0:
            return taken
        if is_bare and bare == taken - 1:
            bare = taken
    return bare


def _report_comma(report: Report, text: Span, cut: Span, key: Node | None) -> None:
    comma = text.file.text.find(",", text.end)
    joined = _short(" ".join(cut.text.split()), 70)
    if isinstance(key, Scalar):
        what, shown = f"the value of `{_short(key.value)}`", f"{_short(key.value)}: {joined}"
    else:
        what, shown = "the text", f"- {joined}"
    help = f"inside {{ }} and [ ] a comma ends a value; write this on its own line:\n{shown}"
    report.error("Y301", text.file.span(comma, comma + 1), f"this comma ended {what}", help=help)


def _cut_by_comment(node: Scalar) -> Span | None:
    """The comment that cut off the end of a text, if one did."""
    if node.style != "plain":
        return None
    found = _COMMENT.match(node.span.file.text, node.span.end)
    if found is None:
        return None
    if node.value:
        is_cut = _depth(node.value) > 0 and any(closing in found[1] for closing in ")]}")
    else:
        is_cut = _HEX_COLOUR.fullmatch(found[1]) is not None
    return node.span.file.span(*found.span(1)) if is_cut else None


def _report_comment(report: Report, comment: Span, after_text: bool) -> None:
    what = "ended the text before it" if after_text else "stands where a text was meant"
    message = f"a comment starts at this `#` and {what}"
    report.error("Y303", comment, message, help="write the whole text in quotes")


def _is_absent(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "plain" and not node.value


def _depth(text: str) -> int:
    """How many brackets the text leaves open; negative if it closes more than it opens."""
    return sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


_KEY_LINE = re.compile(r"\s*(?:- +)*[^\s#\"'\[{(][^:#\[{(]*$")
_ITEM_MARKS = re.compile(r"\s*(?:[-?][ \t]+)*")
_CLOSING = {"[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class _SyntaxError:
    """What the YAML library stopped at, to be told in the words of somebody who writes a game."""

    file: SourceFile
    report: Report
    doing: str
    start: int
    problem: str
    at: int
    bracket: int | None

    def explain(self) -> None:
        """Report it; the tests name a file for each of the cases."""
        letter = self.file.text[self.at : self.at + 1]
        if "quoted scalar" in self.doing:
            self._quoted()
        elif letter == "\t":
            self._error("Y103", "a tab cannot stand here", help="indent with spaces")
        elif "cannot start any token" in self.problem:
            self._strange_sign()
        elif self.doing.endswith(("an alias", "an anchor", "a tag", "a block scalar")):
            self._cannot_start(self.start)
        elif "node content" in self.problem:
            self._no_value(letter)
        elif "parsing a flow" in self.doing:
            self._in_brackets(letter)
        elif "mapping values" in self.problem:
            self._colon()
        elif "simple key" in self.doing:
            self._no_colon()
        elif "parsing a block" in self.doing:
            self._in_block(letter)
        elif "sequence entries" in self.problem:
            help = "put each item on a line of its own, or write the list in [ ]"
            self._error("Y102", "a list cannot start on the line of its key", help=help)
        elif "mapping keys" in self.problem:
            self._cannot_start(self.at)
        elif "document start" in self.problem:
            self._after_document()
        elif "unexpected ':'" in self.problem:
            self._error("Y304", "a space is missing after this `:`")
        else:
            self._error("Y101", "this cannot be read as YAML", label=self.problem)

    def _quoted(self) -> None:
        if "escape" not in self.problem and "hex" not in self.problem:
            self._error("Y105", "this quote is never closed", at=self.start)
            return
        slash = self.file.text.rfind("\\", self.start, self.at + 1)
        escape = _short(self.file.text[slash : slash + 2])
        help = "write `\\\\` for a backslash, or the text in single quotes"
        self._error("Y110", f"`{escape}` means nothing in a quoted text", at=slash, length=2, help=help)

    def _strange_sign(self) -> None:
        """A sign that starts nothing; in `{a: b[c] > 1}` YAML may stumble over it before the bracket."""
        line, column = self.file.line_col(self.at)
        written = self.file.line_text(line)[: column - 1]
        depth = 0
        for found in re.finditer(r"([\w)]?)[\[{]|[\]}]", written):
            if found[1] and depth > 0:
                self._bracket_in_text(self.file.line_start(line) + found.end() - 1)
                return
            depth += -1 if found[0] in "]}" else 1
        self._cannot_start(self.at)

    def _cannot_start(self, at: int) -> None:
        letter = self.file.text[at : at + 1]
        self._error("Y107", f"a text cannot start with `{letter}`", at=at, help="write the text in quotes")

    def _no_value(self, letter: str) -> None:
        if self._is_at_end() and self.bracket is not None:
            self._never_closed(self.bracket)
        elif letter and letter in "]}":
            self._never_opened(letter)
        elif letter == "," and self.doing.endswith("flow node"):
            self._error("Y109", "a value is missing before this comma")
        else:
            self._cannot_start(self.at)

    def _in_brackets(self, letter: str) -> None:
        """The text ended, or went on, where a list or map in brackets wanted a comma or its end."""
        text, closing = self.file.text, _CLOSING.get(self.file.text[self.start : self.start + 1], "}")
        before = text[self.start + 1 : self.at]
        comma = _comma_in_parentheses(before)
        key = self._key_of_later_line() if letter == ":" else ""
        if comma is not None:
            self._comma(self.start + 1 + comma)
        elif self._is_at_end() or (key and _indent(key) <= self._indent_at(self.start)):
            self._never_closed(self.start)
        elif key:
            key = key.lstrip()
            notes = ((self.file.span(self.start, self.start + 1), "opened here, and not closed before"),)
            self._error(
                "Y109",
                f"a comma or `{closing}` is missing before this",
                notes=notes,
                at=self.at - len(key),
                length=len(key),
            )
        elif letter in ("]", "}"):
            notes = ((self.file.span(self.start, self.start + 1), "opened here"),)
            self._error("Y104", f"`{letter}` cannot close `{text[self.start]}`", notes=notes)
        elif letter == ":":
            self._text_with_colon()
        elif letter in ("[", "{") and re.search(r"[\w)]$", before):
            self._bracket_in_text(self.at)
        elif re.search(r"[\"']\s*$", before):
            self._after_value()
        else:
            notes = ((self.file.span(self.start, self.start + 1), "opened here"),)
            self._error("Y109", f"a comma or `{closing}` is missing before this", notes=notes)

    def _bracket_in_text(self, at: int) -> None:
        help = "write this on its own line, without { } or [ ] around it, or in quotes"
        message = f"a text inside {{ }} or [ ] cannot have a `{self.file.text[at]}` in it"
        self._error("Y302", message, at=at, help=help)

    def _comma(self, at: int) -> None:
        help = "inside { } and [ ] a comma ends a value; write the text on its own line, or in quotes"
        notes = (
            ((self.file.span(self.start, self.start + 1), "opened here"),)
            if self.file.line_col(self.start)[0] != self.file.line_col(at)[0]
            else ()
        )
        self._error("Y301", "this comma ended the text", notes=notes, at=at, help=help)

    def _colon(self) -> None:
        """A `: ` where no key can be: a second one in a line, or in a line that continues a text."""
        line, column = self.file.line_col(self.at)
        written = self.file.line_text(line)[: column - 1]
        key = written[_ITEM_MARKS.match(written).end() :]  # type: ignore[union-attr]
        above, above_text = self._line_above(line)
        above_key = above_text[_ITEM_MARKS.match(above_text).end() :].rstrip()  # type: ignore[union-attr]
        if re.search(r":\s", key):
            self._text_with_colon()
        elif ": " in above_key:
            name = above_key.split(": ")[0]
            self._error(
                "Y102",
                f"`{_short(key)}` is indented under `{_short(name)}`, which already has a value",
                at=self.at - len(key),
                length=len(key),
                help="indent it like the keys it belongs to",
            )
        else:
            self._line_without_colon(above, above_key)

    def _text_with_colon(self) -> None:
        help = "write the text in quotes, or on the lines after a `|`"
        self._error("Y106", "a text with `: ` in it must be in quotes", help=help)

    def _no_colon(self) -> None:
        line, _ = self.file.line_col(self.start)
        if not self._follows_comment(line):
            self._line_without_colon(line, self.file.line_text(line).strip())

    def _line_without_colon(self, line: int, key: str) -> None:
        start = self.file.line_start(line) + self.file.line_text(line).find(key)
        lacking = _NO_SPACE.match(key)
        if lacking:
            self._error("Y304", "a space is missing after this `:`", at=start + lacking.start(1))
        else:
            key = re.split(r"\s+#", key)[0]
            self._error("Y108", f"`{_short(key)}` has no `:` after it", at=start, length=len(key))

    def _in_block(self, letter: str) -> None:
        line, column = self.file.line_col(self.at)
        before = self.file.line_text(line)[: column - 1].strip()
        if letter and letter in "]}" and before:
            self._never_opened(letter)
        elif re.search(r"(?:^|\s)\*\S+$", before):
            self._cannot_start(self.at - len(before) + before.rindex("*") - self._blanks_before())
        elif before and before != "-":
            self._after_value()
        elif not self._follows_comment(line):
            self._indentation(letter, column)

    def _indentation(self, letter: str, column: int) -> None:
        help = "indent the lines of one list or map alike"
        if column != self.file.line_col(self.start)[1]:
            first = self.file.span(self.start, self.start + 1)
            what = "list" if self.file.text[self.start : self.start + 1] == "-" else "map"
            notes = ((first, f"the {what} above begins here, in this column"),)
            message = "this line is indented like nothing above that it could belong to"
            self._error("Y102", message, notes=notes, help=help)
            return
        opened = self.file.span(self.start, self.start + 1)
        if letter == "-":
            message, note = "an item with `-` cannot stand among the keys of a map", "the map starts here"
        else:
            message, note = "a key cannot stand among the items of a list", "the list starts here"
        self._error("Y102", message, notes=((opened, note),), help=help)

    def _follows_comment(self, line: int) -> bool:
        """Whether the line goes on with a text that a comment ended; this is then reported."""
        above, text = self._line_above(line)
        found = re.search(r"(?<=[ \t])#.*", text)
        if not found or not text[: found.start()].strip() or text[: found.start()].rstrip().endswith(":"):
            return False
        deeper = _indent(self.file.line_text(line)) > _indent(text)
        if _depth(text[: found.start()]) <= 0 and not (deeper and ": " not in self.file.line_text(line)):
            return False
        start = self.file.line_start(above)
        comment = self.file.span(start + found.start(), start + found.end())
        _report_comment(self.report, comment, after_text=True)
        return True

    def _after_value(self) -> None:
        """Something stands behind a closing quote or bracket."""
        end = len(self.file.text[: self.at].rstrip())
        closing = self.file.text[end - 1 : end]
        if closing == "'":
            help = "write `''` for an apostrophe inside single quotes"
        elif closing == '"':
            help = 'write the whole text in quotes, with `\\"` for a quote inside'
        else:
            help = "write a text that starts with a bracket in quotes"
        self._error("Y109", f"nothing may follow the `{closing}` that ends a value", help=help)

    def _after_document(self) -> None:
        line, _ = self.file.line_col(self.at)
        if re.match(r"\.\.\.|---", self._line_above(line)[1]):
            self._error("Y205", "a second document starts here", help="delete the line `...` or `---`")
        else:
            first = len(self.file.text) - len(self.file.text.lstrip())
            notes = ((self.file.span(first, first + 1), "the file starts here"),)
            message = "this line is indented less than the first line of the file"
            self._error("Y102", message, notes=notes, help="start the first line without spaces")

    def _never_closed(self, bracket: int) -> None:
        """The bracket has no end, or a comment holds it."""
        letter = self.file.text[bracket : bracket + 1]
        for found in re.finditer(r"[ \t](#[^\r\n]*)", self.file.text[bracket : self.at]):
            if _CLOSING.get(letter, "}") in found[1]:
                comment = self.file.span(bracket + found.start(1), bracket + found.end(1))
                is_value = not found.string[: found.start()].endswith(":")
                _report_comment(self.report, comment, after_text=is_value)
                return
        self._error("Y104", f"this `{letter}` is never closed", at=bracket)

    def _never_opened(self, letter: str) -> None:
        self._error("Y104", f"this `{letter}` closes nothing")

    def _is_at_end(self) -> bool:
        return not self.file.text[self.at :].strip()

    def _key_of_later_line(self) -> str:
        """What is on the line before the place, if it looks like a key and the bracket opened further up."""
        line, column = self.file.line_col(self.at)
        written = self.file.line_text(line)[: column - 1]
        is_key = line != self.file.line_col(self.start)[0] and _KEY_LINE.match(written)
        return written if is_key else ""

    def _indent_at(self, at: int) -> int:
        return _indent(self.file.line_text(self.file.line_col(at)[0]))

    def _blanks_before(self) -> int:
        text = self.file.text[: self.at]
        return len(text) - len(text.rstrip())

    def _line_above(self, line: int) -> tuple[int, str]:
        """The nearest line above that is not blank."""
        while line > 1:
            line -= 1
            if self.file.line_text(line).strip():
                break
        return line, self.file.line_text(line)

    def _error(
        self,
        code: str,
        message: str,
        at: int | None = None,
        length: int = 1,
        label: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
        help: str = "",
    ) -> None:
        # At the end of the file YAML may point one character behind it.
        last = len(self.file.text)
        start = min(self.at if at is None else at, last)
        self.report.error(code, self.file.span(start, min(start + length, last)), message, label, notes, help)


def _comma_in_parentheses(text: str) -> int | None:
    """The first comma inside parentheses that are still open at the end or hold a bracket."""
    depth = 0
    for at, letter in enumerate(text):
        depth = max(0, depth + (letter == "(") - (letter == ")"))
        if letter == "," and depth:
            return at
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
