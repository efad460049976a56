"""`each:`, the same thing given several times with other words in it.

A module, an action or a trigger with `each:` stands for as many copies as `each:` has rows, or combinations of words.
In each copy `<name>` is the word of that name, wherever it stands: in names, in expressions, in texts. The copies are
made of the tree of the file before anything is declared, so nothing behind knows of them; what stands in a copy keeps
its place in the file, and an excerpt shows the line as it reads there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from math import prod

from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.source.document import Broken, Entry, Map, Node, Scalar, Seq, word_at
from ruledsl.source.text import Filled

from .shapes import Key

MOST_COPIES = 100
LARGE = 50_000  # of larger files the lines above are not kept, only how many there are
EACH = Key(
    "any",
    "Makes several copies: `{rune: [travel, horse]}`, or a list of maps; `<rune>` is filled in everywhere.",
    tried=("foreach", "for_each", "repeat", "with", "parameters", "parameter", "given", "times"),
)
HOLE = re.compile(r"<([^\W\d]\w*)>")
_WORD = re.compile(r"\w[\w.-]*")
Row = dict[str, str]


def written_out(part: Map, report: Report) -> Map:
    """A part of a game with all copies in place of what they are copies of."""
    part = _inside(part, ("actions", "triggers"), lambda section: _section(section, report))

    def module(entry: Entry) -> Entry:
        if not isinstance(entry.value, Map):
            return entry
        inner = _inside(entry.value, ("actions", "triggers"), lambda section: _section(section, report))
        inner = _inside(inner, ("replace",), lambda section: written_out(section, report))
        return entry if inner is entry.value else Entry(entry.key, inner)

    def modules(section: Map) -> Map:
        return _mapped(_section(section, report, named=False), module)

    return _inside(part, ("modules",), modules)


def _inside(node: Map, names: tuple[str, ...], change: Callable[[Map], Map]) -> Map:
    """A map with some of its sections changed; the same one if nothing changes."""

    def one(entry: Entry) -> Entry:
        if entry.key.value not in names or not isinstance(entry.value, Map):
            return entry
        section = change(entry.value)
        return entry if section is entry.value else Entry(entry.key, section)

    return _mapped(node, one)


def _mapped(node: Map, change: Callable[[Entry], Entry]) -> Map:
    entries = {name: change(entry) for name, entry in node.entries.items()}
    if all(entries[name] is node.entries[name] for name in entries):
        return node
    return Map(node.span, entries, node.flow, node.broken)


def _section(section: Map, report: Report, named: bool = True) -> Map:
    """Entries by name, with the copies of those that have `each:`; names of copies differ where `named` says so."""
    if not any(_each(entry) for entry in section):
        return section
    found: dict[str, Entry] = {}
    for name, entry in section.entries.items():
        if not _each(entry):
            found[name] = entry
            continue
        for number, copy in enumerate(_copies(entry, report)):
            word = copy.key.value if copy.key.value not in found or named else f"{name} {number + 1}"
            if word in found:
                _alike(entry, report)
                first = found.pop(word)
                plain = word_at(re.sub(r"\W+", "_", word).strip("_"), first.key.span)
                found[plain.value] = Entry(plain, first.value)  # its name may not be one: that is told
                break
            found[word] = copy
    return Map(section.span, found, section.flow, section.broken)


def _each(entry: Entry) -> Entry | None:
    """The rows of copies, perhaps under a word that one might try first, if the entry's name waits for them."""
    if not isinstance(entry.value, Map):
        return None
    found = entry.value.entries.get("each")
    if found is None and HOLE.search(entry.key.value):
        found = next((e for e in entry.value if e.key.value in EACH.tried), None)
    return found


def _alike(entry: Entry, report: Report) -> None:
    assert isinstance(entry.value, Map)
    each = entry.value.get("each")
    first = next(iter(_names(each)), "name")
    called = entry.key.value
    right = re.sub(rf"\$?\{{\s*{first}\s*\}}|\[{first}\]|\({first}\)|\${first}\b", f"<{first}>", called)
    if right == called:
        right = f"{called.removesuffix(f'_{first}')}_<{first}>"
    said, help = (
        f"all copies of this would be called `{called}`",
        f"write `{right}`, so that each has a name of its own",
    )
    report.error("N203", entry.key.span, said, help=help, suggestions=(right,))


def _copies(entry: Entry, report: Report) -> Iterator[Entry]:
    each = _each(entry)
    assert isinstance(entry.value, Map)
    assert each is not None
    if each.key.value != "each":
        help, meant = did_you_mean(["each"]), ("each",)
        report.error("S101", each.key.span, f"there is no key `{each.key.value}` here", help=help, suggestions=meant)
    rows = _rows(each.value, report)
    if not rows:
        return
    rest = {name: inner for name, inner in entry.value.entries.items() if inner is not each}
    whole = Map(entry.value.span, rest, entry.value.flow, entry.value.broken)
    _unknown_holes(entry.key, whole, list(rows[0]), report)
    for row in rows:
        yield Entry(_filled(entry.key, row), _copy(whole, row))


def _names(each: Node | None) -> list[str]:
    node = each.items[0] if isinstance(each, Seq) and each.items else each
    return list(node.entries) if isinstance(node, Map) else []


def _rows(each: Node, report: Report) -> list[Row]:
    """What is filled in for each copy."""
    if isinstance(each, Broken):
        return []
    maps = list(each.items) if isinstance(each, Seq) else [each]
    if not maps or not all(isinstance(node, Map) and node.entries for node in maps):
        report.error(
            "S103",
            each.span,
            "`each:` is a map from names to words, or a list of such maps",
            help="as in `{rune: [travel, horse]}`, or `[{rune: travel, over: sea}, {rune: horse, over: hill}]`",
        )
        return []
    rows: list[Row] = []
    for node in maps:
        assert isinstance(node, Map)
        columns = [_column(entry, report) for entry in node]
        if not all(columns):
            return []
        if prod(len(column) for column in columns) + len(rows) > MOST_COPIES:
            report.error("R316", each.span, f"`each:` makes more than {MOST_COPIES} copies")
            return []
        rows += [dict(zip(node.entries, words, strict=True)) for words in product(*columns)]
        if list(rows[0]) != list(node.entries):
            names = ", ".join(f"`{name}`" for name in rows[0])
            report.error("S109", node.span, f"every row of `each:` has the same names: {names}")
            return []
    return rows


def copied_rows(each: Node | None) -> list[Row]:
    """What is filled in for each copy, as far as `each:` can be read."""
    return _rows(each, Report()) if each is not None else []


def _column(entry: Entry, report: Report) -> list[str]:
    """The words that one name stands for."""
    items = entry.value.items if isinstance(entry.value, Seq) else (entry.value,)
    words = [item.value.strip() if isinstance(item, Scalar) else "" for item in items]
    wrong = next((item for item, word in zip(items, words, strict=True) if not _WORD.fullmatch(word)), None)
    if wrong is not None or not words:
        span = wrong.span if wrong is not None else entry.key.span
        report.error("S103", span, f"`<{entry.key.value}>` must be words or numbers", help="as in `[travel, horse]`")
        return []
    return words


def _unknown_holes(key: Scalar, node: Node, names: list[str], report: Report) -> None:
    """What looks like a name of `each:` and is none."""
    for scalar in (key, *_scalars(node)):
        for hole in HOLE.finditer(scalar.value):
            if hole[1] not in names:
                near = nearest(hole[1], names)
                known = ", ".join(f"`<{name}>`" for name in names)
                at = scalar.text_span.text.find(hole[0])
                start = scalar.text_span.start + max(at, 0)
                span = scalar.span.file.span(start, start + len(hole[0])) if at >= 0 else scalar.span
                help = did_you_mean(f"<{name}>" for name in near) or f"`each:` has {known}"
                report.error("N101", span, f"`each:` has no `{hole[0]}`", help=help)


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Seq):
        for item in node.items:
            yield from _scalars(item)
    elif isinstance(node, Map):
        for entry in node:
            yield entry.key
            yield from _scalars(entry.value)


def _copy(node: Node, row: Row) -> Node:
    match node:
        case Scalar():
            if any(hole not in row for hole in HOLE.findall(node.value)):
                return Broken(node.span)  # as was told
            return _filled(node, row)
        case Seq():
            return Seq(node.span, tuple(_copy(item, row) for item in node.items), node.flow)
        case Map():
            entries: dict[str, Entry] = {}
            for entry in node:
                key = _filled(entry.key, row)
                entries[key.value] = Entry(key, _copy(entry.value, row))
            return Map(node.span, entries, node.flow, node.broken)
    return node


def _filled(scalar: Scalar, row: Row) -> Scalar:
    """A text with the words of a copy; where it has none it stays as it is, but is a thing of its own."""

    def word(hole: re.Match[str]) -> str:
        return row.get(hole[1], hole[0])

    value, written = HOLE.sub(word, scalar.value), scalar.text_span
    text = HOLE.sub(word, written.text)
    if text == written.text:
        return Scalar(scalar.span, scalar.value, scalar.style, written)
    # A file of its own, in which the line reads as it does in this copy; its place is the same.
    file, start = written.file, written.file.line_start(written.line)
    above = file.blank[:start] if start < LARGE else "\n" * (written.line - 1)
    before = above + file.text[start : written.start]
    end = file.text.find("\n", written.end)
    rest = file.text[written.end : end if end >= 0 else None]
    holes, longer = list[tuple[int, int, int, int]](), len(before)
    for hole in HOLE.finditer(written.text):
        said = word(hole)
        start = hole.start() + longer
        holes.append((start, start + len(said), written.start + hole.start(), written.start + hole.end()))
        longer += len(said) - len(hole[0])
    own = Filled(file.path, before + text + rest, written, len(before), tuple(holes), tuple(row.items()))
    return Scalar(scalar.span, value, scalar.style, own.span(len(before), len(before) + len(text)))
