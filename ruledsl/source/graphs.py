"""Graphs from files of other programs, as rows of spaces and rows of ways that know their places.

networkx reads two of these formats, too, and a test holds what is read here against it. But it forgets where things
stand, so a slip in a file of a thousand ways could not be told with its line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from pathlib import Path
from xml.parsers import expat

from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.records import dataclass
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq, word_at
from ruledsl.source.jsons import read_json
from ruledsl.source.scan import MAX_DEPTH, MAX_NODES, MAX_TABLE_BYTES, check_text, is_inside, outside, read_file
from ruledsl.source.tables import csv_rows
from ruledsl.source.text import SourceFile, Span


@dataclass(frozen=True, eq=False)
class GraphFile:
    """Spaces with their `name` and what else the file says of them, ways with `from` and `to`.

    Where it is `directed` a way leads as it is written, else it leads back as well; a list of ways (`listed`) has
    columns that say so.
    """

    file: SourceFile
    spaces: tuple[Map, ...]
    ways: tuple[Map, ...]
    directed: bool
    listed: bool = False


def read_graph(path: str, root: Path, report: Report, at: Span) -> GraphFile | None:
    """The graph in a file inside the game's folder `root`; nothing if the report says what is wrong."""
    reader = READERS.get(Path(path).suffix.lower())
    if reader is None:
        help = f"the name of a graph ends in {', '.join(READERS)}"
        report.error("Y406", at, f"ruledsl cannot read a graph from `{path}`", help=help)
        return None
    whole = root / path
    if not is_inside(whole, root):
        outside(whole, report, at, path)
        return None
    file = read_file(whole, report, MAX_TABLE_BYTES, at)
    before = report.errors
    found = reader(file, report) if file is not None else None
    return found if report.errors == before else None


# ------------------------------------------------------------------------------------- what a reader finds


@dataclass(frozen=True, eq=False)
class _Way:
    """Two ids as they are written, and what else is said of the way between them."""

    span: Span
    start: Scalar
    end: Scalar
    cells: dict[str, Entry]


def _word(key: str, value: str, span: Span, inner: Span | None = None) -> Entry:
    return Entry(Scalar(span, key, "plain", span), Scalar(inner or span, value, "plain", inner or span))


def _graph(
    file: SourceFile,
    spaces: Mapping[str, Map],
    ways: list[_Way],
    report: Report,
    *,
    directed: bool = False,
    listed: bool = False,
) -> GraphFile | None:
    """The rows by the names of spaces. What a file calls a space is its `name`, else its `label`, else its id."""
    names: dict[str, Scalar] = {}
    rows = []
    for id, cells in spaces.items():
        named = next((c for n in ("name", "label") if isinstance(c := cells.get(n), Scalar) and c.value.strip()), None)
        found = named or cells.get("id")
        assert isinstance(found, Scalar), "every space has an id"
        names[id] = found
        rest = {key: entry for key, entry in cells.entries.items() if key not in ("id", "name")}
        if named is not None and "name" not in cells.entries:
            del rest["label"]
        rows.append(Map(cells.span, {"name": Entry(word_at("name", found.span), found), **rest}))
    joined = []
    for way in ways:
        ends = {}
        for column, end in (("from", way.start), ("to", way.end)):
            if end.value not in names:
                near = nearest(end.value, names)
                said = f"an edge names `{end.value}`, which is not a node of this graph"
                report.error("Y406", end.span, said, help=did_you_mean(near), suggestions=tuple(near))
                return None
            name = Scalar(end.span, names[end.value].value, "plain", end.text_span)
            ends[column] = Entry(word_at(column, end.span), name)
        joined.append(Map(way.span, {**ends, **way.cells}))
    return GraphFile(file, tuple(rows), tuple(joined), directed, listed)


# ------------------------------------------------------------------------------------------------ CSV

_ENDS = {"from": ("from", "source", "start"), "to": ("to", "target", "end")}


def _read_edge_list(file: SourceFile, report: Report) -> GraphFile | None:
    """A row for each way: from, to, and perhaps more. What is named there is the spaces."""
    rows = csv_rows(file, report)
    if rows is None:
        return None
    spaces: dict[str, Map] = {}
    ways = []
    for row in rows:
        by_column = {key.lower(): key for key in row.entries}
        ends = []
        for column, words in _ENDS.items():
            key = next((by_column[word] for word in words if word in by_column), None)
            cell = row.get(key) if key is not None else None
            if not isinstance(cell, Scalar):
                said = f"an edge needs a name under `{column}`" if cell is None else f"`{column}` is one name"
                report.error("Y406", row.span, said, help=f"the column is called {' or '.join(words[:2])}")
                return None
            ends.append((key, cell))
            spaces.setdefault(cell.value, Map(cell.span, {"id": _word("id", cell.value, cell.span, cell.text_span)}))
        named = {key for key, _ in ends}
        cells = {key: entry for key, entry in row.entries.items() if key not in named}
        ways.append(_Way(row.span, ends[0][1], ends[1][1], cells))
    return _graph(file, spaces, ways, report, listed=True)


# ------------------------------------------------------------------------------------------ node-link JSON


def _read_node_link(file: SourceFile, report: Report) -> GraphFile | None:
    """A map with lists of nodes and of edges (or links), as networkx and d3 write it."""
    found = read_json(file, report)
    if found is None:
        return None
    nodes = edges = None
    if isinstance(found, Map):
        nodes, edges = found.get("nodes"), found.get("edges" if "edges" in found.entries else "links")
    if not isinstance(found, Map) or not isinstance(nodes, Seq) or not isinstance(edges, Seq):
        lacking = "edges" if isinstance(nodes, Seq) else "nodes"
        help = "node-link JSON is a map with the lists `nodes` and `edges`"
        report.error(
            "Y406", Span(file, found.span.start, found.span.start), f"there is no list `{lacking}` here", help=help
        )
        return None
    spaces: dict[str, Map] = {}
    for node in nodes:
        id = _id_of(node, "id", "a node", report)
        if id is None or not isinstance(node, Map):
            return None
        if id.value in spaces:
            report.error("Y406", id.span, f"two nodes have the id `{id.value}`")
            return None
        spaces[id.value] = node
    ways = []
    for edge in edges:
        start, end = (_id_of(edge, key, "an edge", report) for key in ("source", "target"))
        if start is None or end is None or not isinstance(edge, Map):
            return None
        cells = {key: entry for key, entry in edge.entries.items() if key not in ("source", "target", "key")}
        ways.append(_Way(edge.span, start, end, cells))
    directed = found.get("directed")
    return _graph(file, spaces, ways, report, directed=isinstance(directed, Scalar) and directed.value == "true")


def _id_of(node: Node, key: str, what: str, report: Report) -> Scalar | None:
    if not isinstance(node, Map):
        report.error("Y406", node.span, f"{what} must be a map")
        return None
    found = node.get(key)
    if not isinstance(found, Scalar) or found.is_null:
        report.error("Y406", found.span if found is not None else node.span, f"{what} needs a text as `{key}`")
        return None
    return found


# --------------------------------------------------------------------------------------------- GraphML

_TAG = re.compile(r"""<(?:[^<>"']|"[^"]*"|'[^']*')*>?""")
_WHOLE = ("int", "integer", "long")
_NUMBERS = (*_WHOLE, "float", "double")
_MOST = 10**15  # beyond it numbers with a point are not exact
_TRUTHS = {"true": "true", "1": "true", "false": "false", "0": "false"}


def _read_graphml(file: SourceFile, report: Report) -> GraphFile | None:
    if not check_text(file, report, yaml=False):
        return None
    reader = _GraphML(file)
    try:
        reader.read()
    except _Wrong as wrong:
        report.error("Y406", wrong.span, wrong.message, help=wrong.help)
        return None
    return _graph(file, reader.spaces, reader.ways, report, directed=reader.directed)


class _Wrong(Exception):
    def __init__(self, span: Span, message: str, help: str = "") -> None:
        super().__init__(message)
        self.span, self.message, self.help = span, message, help


class _GraphML:
    """Goes through the tags of a GraphML file from the first to the last."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.data = file.text.encode()
        # Where bytes are that are no characters of their own: the parser counts bytes.
        self.inner = [] if file.text.isascii() else [i for i, byte in enumerate(self.data) if byte & 0xC0 == 0x80]
        self.spaces: dict[str, Map] = {}
        self.ways: list[_Way] = []
        self.directed = False
        self.keys: dict[str, dict[str, str]] = {}
        self.defaults: dict[str, Entry] = {}
        self.open: list[tuple[str, dict[str, str], Span]] = []
        self.cells: dict[str, Entry] = {}  # of the node or edge that is being read
        self.graphs = self.nodes = 0
        self.text = ""
        self.within = False  # whether tags of some other program stand in the data that is being read

    def read(self) -> None:
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self.start, self.end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = self.doctype
        try:
            parser.Parse(self.data, True)
        except expat.ExpatError as error:
            at = self.at(parser.ErrorByteIndex)
            said = expat.ErrorString(error.code)
            raise _Wrong(self.file.span(at, at), f"this is not GraphML: {said}") from None
        if not self.graphs:
            raise _Wrong(self.file.span(0, 0), "this file has no `graph`")

    def at(self, byte: int) -> int:
        """The character at a byte."""
        return min(byte - bisect_left(self.inner, byte), len(self.file.text))

    def doctype(self, *_: object) -> None:
        at = self.file.text.find("<!DOCTYPE")
        raise _Wrong(self.file.span(at, at + len("<!DOCTYPE")), "a graph file has no DOCTYPE", "delete it")

    def tag(self) -> Span:
        start = self.at(self.parser.CurrentByteIndex)
        found = _TAG.match(self.file.text, start)
        return self.file.span(start, found.end() if found else start)

    def start(self, name: str, given: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        span = self.tag()
        self.nodes += 1
        if self.nodes > MAX_NODES or len(self.open) >= MAX_DEPTH:
            raise _Wrong(span, "this file is nested too deeply or has too many tags")
        match name:
            case "graph":
                self.graphs += 1
                if self.graphs > 1:
                    raise _Wrong(
                        span, "a file has one graph, and no graphs within its nodes", "write it without groups"
                    )
                self.directed = given.get("edgedefault") == "directed"
            case "hyperedge":
                raise _Wrong(span, "an edge joins two spaces: hyperedges are not supported")
            case "key":
                self.keys[self.needed(given, "id", span)] = given
            case "node" | "edge":
                self.cells = {}
            case "data":
                self.within = False
            case _ if any(tag == "data" for tag, _, _ in self.open):
                self.foreign(name, given, span)
        if not self.within:
            self.text = ""
        self.open.append((name, given, span))

    def foreign(self, name: str, given: dict[str, str], span: Span) -> None:
        """What yEd notes in data: where a node lies (downwards, as on a screen), and what stands on it."""
        self.within = True
        if name == "Geometry" and "x" in given and "y" in given:
            y = given["y"]
            self.cells["x"] = _word("x", given["x"], span)
            self.cells["y"] = _word("y", y[1:] if y.startswith("-") else f"-{y}", span)
        elif name in ("NodeLabel", "EdgeLabel"):
            self.text = ""

    def characters(self, text: str) -> None:
        self.text += text

    def end(self, name: str) -> None:
        name, given, span = self.open.pop()
        match name:
            case "node":
                self.node(given, span)
            case "edge":
                self.edge(given, span)
            case "data" if not self.within:
                self.datum(given, span)
            case "default" if self.open and self.open[-1][0] == "key":
                self.defaults[self.open[-1][1]["id"]] = self.cell("default", self.text.strip(), span)
            case "NodeLabel" | "EdgeLabel":
                if self.text.strip():
                    self.cells["label"] = self.cell("label", self.text.strip(), span)

    def cell(self, name: str, value: str, tag: Span) -> Entry:
        """A text between a tag and the one that closes it."""
        start, end = tag.end, self.at(self.parser.CurrentByteIndex)
        written = self.file.text[start:end]
        start += len(written) - len(written.lstrip())
        end -= len(written) - len(written.rstrip())
        return _word(name, value, tag, self.file.span(start, max(start, end)))

    def needed(self, given: dict[str, str], key: str, span: Span) -> str:
        if not given.get(key, "").strip():
            raise _Wrong(span, f"this tag needs `{key}`")
        return given[key]

    def datum(self, given: dict[str, str], span: Span) -> None:
        if not self.open or self.open[-1][0] not in ("node", "edge"):
            return
        id = self.needed(given, "key", span)
        key = self.keys.get(id)
        if key is None:
            near = nearest(id, self.keys)
            raise _Wrong(span, f"no `key` of this file has the id `{id}`", did_you_mean(near))
        name = key.get("attr.name", id)
        value = self.plain(self.text.strip(), key.get("attr.type", "string"), name, span)
        self.cells[name] = self.cell(name, value, span)

    def plain(self, text: str, kind: str, name: str, span: Span) -> str:
        """A value as rules write it."""
        if kind == "boolean" and text.lower() in _TRUTHS:
            return _TRUTHS[text.lower()]
        if kind in _NUMBERS:
            try:
                number = int(text) if kind in _WHOLE else float(text)
            except ValueError:
                raise _Wrong(span, f"`{name}` must be a number, not `{text[:20]}`") from None
            return str(int(number)) if abs(number) < _MOST and number == int(number) else text
        if kind == "boolean":
            raise _Wrong(span, f"`{name}` must be true or false, not `{text[:20]}`")
        return text

    def completed(self, sort: str, span: Span) -> dict[str, Entry]:
        """The cells of a node or edge, with those that it has where nothing is said."""
        for id, entry in self.defaults.items():
            key = self.keys[id]
            if key.get("for") in (sort, "all") and isinstance(entry.value, Scalar):
                name, usual = key.get("attr.name", id), entry.value
                value = self.plain(usual.value, key.get("attr.type", "string"), name, usual.span)
                self.cells.setdefault(name, _word(name, value, usual.span, usual.text_span))
        return self.cells

    def node(self, given: dict[str, str], span: Span) -> None:
        id = self.needed(given, "id", span)
        if id in self.spaces:
            raise _Wrong(span, f"two nodes have the id `{id}`")
        self.spaces[id] = Map(span, {**self.completed("node", span), "id": self.written("id", id, span)})

    def edge(self, given: dict[str, str], span: Span) -> None:
        ends = [self.written(key, self.needed(given, key, span), span).value for key in ("source", "target")]
        if given.get("directed", str(self.directed).lower()) != str(self.directed).lower():
            directed, other = ("directed", "leads both ways") if self.directed else ("undirected", "leads one way")
            raise _Wrong(
                span, f"the graph is {directed} and this edge {other}", "make all of them directed or all undirected"
            )
        start, end = ends
        assert isinstance(start, Scalar), "attributes are texts"
        assert isinstance(end, Scalar), "attributes are texts"
        self.ways.append(_Way(span, start, end, self.completed("edge", span)))

    def written(self, key: str, value: str, span: Span) -> Entry:
        """An attribute of a tag, where it stands in it."""
        found = re.search(rf"""\s{key}\s*=\s*["']""", span.text)
        inner = self.file.span(span.start + found.end(), span.start + found.end() + len(value)) if found else span
        return _word(key, value, span, inner if inner.text == value else span)


READERS: dict[str, Callable[[SourceFile, Report], GraphFile | None]] = {
    ".graphml": _read_graphml,
    ".json": _read_node_link,
    ".csv": _read_edge_list,
}

__all__ = ["READERS", "GraphFile", "read_graph"]
