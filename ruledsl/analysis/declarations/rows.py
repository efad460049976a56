"""Rows of tables and of the file, by column."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ruledsl.analysis.world import World
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq
from ruledsl.source.tables import read_table
from ruledsl.syntax.mending import is_absent, may_be_cut, rejoined
from ruledsl.syntax.relaid import with_languages
from ruledsl.syntax.shapes import LANGUAGES

_TEXTS = ("name", "title", "about", "label", "symbol")
_BESIDE = ("title", "about", "symbol", "copies", "start", "covers")  # columns that say nothing of which piece it is


class Row:
    """One row of a table or of the file: its cells by column."""

    def __init__(self, node: Node | None, cells: dict[str, Node], keys: dict[str, Scalar]) -> None:
        self.node, self.cells, self.keys = node, cells, keys
        self.words: list[str] = []  # of a row for each of several combinations: what it is called among those of one

    @classmethod
    def of(cls, node: Node | None) -> Row:
        if isinstance(node, Map):
            cells = {name: entry.value for name, entry in node.entries.items()}
            return cls(node, cells, {name: entry.key for name, entry in node.entries.items()})
        return cls(node, {}, {})

    def copy(self) -> Row:
        return Row(self.node, dict(self.cells), dict(self.keys))

    def get(self, name: str) -> Node | None:
        node = self.cells.get(name)
        return None if isinstance(node, Scalar) and node.is_null else node

    def raw(self) -> dict[str, object]:
        """The words of the row, without the places where they stand."""
        return {name: node.value for name, node in self.cells.items() if isinstance(node, Scalar)}

    def word(self, name: str) -> str:
        node = self.get(name)
        if isinstance(node, Map) and name == "name":  # `{en: Silver fox, ru: …}`: the English words make the name
            node = next((e.value for e in node), None)
            return re.sub(r"\W+", "_", node.value.strip().lower()) if isinstance(node, Scalar) else ""
        return node.value if isinstance(node, Scalar) else ""

    def own_words(self) -> list[str]:
        """What the row is called, beside other words that its pieces have: its name, or what else it says."""
        if "name" in self.cells:
            return [self.word("name")]
        return [node.value for name, node in self.cells.items() if name not in _BESIDE and isinstance(node, Scalar)]

    def renamed(self, columns: dict[str, str]) -> Row:
        back = {column: attribute for attribute, column in columns.items()}
        return Row(
            self.node,
            {back.get(k, k): n for k, n in self.cells.items()},
            {back.get(k, k): n for k, n in self.keys.items()},
        )

    def says(self) -> frozenset[tuple[str, str]]:
        """What makes a piece of this row; rows of a table that say the same make pieces that look the same."""
        return frozenset(
            (column, node.value if isinstance(node, Scalar) else node.span.text)
            for column, node in self.cells.items()
            if column not in ("copies", "start")
        )

    def merged(self, other: Row) -> Row:
        return Row(self.node or other.node, self.cells | other.cells, self.keys | other.keys)


def type_of_cells(world: World, cells: Iterable[Node | None]) -> str:
    """The type that an attribute needs for what stands in rows, as it is written; empty if there is none at hand."""
    words = [cell.value for cell in cells if isinstance(cell, Scalar) and not cell.is_null]
    if not words:
        return ""
    if all(re.fullmatch(r"-?\d+", word) for word in words):
        numbers = sorted(map(int, words))
        return f"{min(numbers[0], 0 if numbers[0] > 1 else numbers[0])}..{numbers[-1]}"
    if all(word in ("true", "false") for word in words):
        return "bool"
    roots = [root.name for root in world.roots.values() if root.kind == "enum" and set(words) <= {*root.names}]
    return roots[0] if len(roots) == 1 else ""


def table_rows(world: World, word: Scalar) -> list[Map]:
    """The rows of a table that the file names."""
    known = world.source.tables.get(word.value)
    if known is None:
        path, _, fragment = word.value.partition("#")
        read = read_table(path, fragment or None, world.source.root, world.report, word.span)
        if read is None:  # told again: it may be asked for early, where nobody listens
            world.report.unread()
            return []
        known = world.source.tables[word.value] = read
    sound = world.source.whole
    if word.value not in sound:
        before = len(world.report.findings)
        known = whole_rows(world, known)
        if len(world.report.findings) > before:  # told again: a board that grows asks before anybody reads it
            return known
        sound[word.value] = known
    return sound[word.value]


def whole_rows(world: World, rows: Iterable[Node], columns: Iterable[str] = ()) -> list[Any]:
    """Rows whose texts are whole, where a comma in braces has ended one."""
    rows = [with_languages(row, world.report) if isinstance(row, Map) else row for row in rows]
    if not any(isinstance(row, Map) and may_be_cut(row) for row in rows):
        return rows
    said = {name for row in rows if isinstance(row, Map) for name, e in row.entries.items() if not is_absent(e.value)}
    known = said.union(columns)
    return [rejoined(row, _TEXTS, (), known, LANGUAGES, world.report) if isinstance(row, Map) else row for row in rows]


def with_columns(node: Node, columns: tuple[str, ...]) -> Node:
    """Rows that are written without the names of their columns: `[paris, rome]` are names of spaces, and
    `[[paris, rome], [rome, vienna]]` the ends of edges."""
    if not isinstance(node, Seq):
        return node

    def row(item: Node) -> Node:
        cells = list(item.items) if isinstance(item, Seq) else [item]
        if isinstance(item, Map) or len(cells) != len(columns) or not all(isinstance(one, Scalar) for one in cells):
            return item
        entries = {}
        for column, cell in zip(columns, cells, strict=True):
            entries[column] = Entry(Scalar(cell.span, column, "plain", cell.span), cell)
        return Map(item.span, entries, True)

    return Seq(node.span, tuple(map(row, node.items)), node.flow)


def rows_of(world: World, node: Node) -> list[Row]:
    """Rows that stand in the file, or in the table that a word names."""
    if isinstance(node, Scalar):
        return [Row.of(row) for row in table_rows(world, node)]
    if isinstance(node, Map):
        name = "name"
        return [
            Row(e.value, {name: e.key, **Row.of(e.value).cells}, {name: e.key, **Row.of(e.value).keys}) for e in node
        ]
    return [Row.of(item) for item in whole_rows(world, node.items)] if isinstance(node, Seq) else []
