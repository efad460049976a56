"""Tables whose columns stand in line keep them so, when everything else is set anew.

A table is made of rows on adjacent lines: `king:  {far: 1}` or `- {name: fox,  cost: 2}`. A column is what has the same
place in rows: the value behind the row's key, an entry of a map by its key, an item of a list by its number, the
comment at the end. If half of the rows that have it, or more, began it in line (or ended it, as numbers do), and some
needed more than one blank for that, then all rows begin (or end) it in line, as near as can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import field
from graphlib import CycleError, TopologicalSorter
from typing import Literal

from ruledsl.records import dataclass
from ruledsl.source.document import Token

Column = tuple[str, ...]  # the way to a cell: keys and numbers, and at last which part it is
Span = tuple[int, int]
Side = Literal[0, 1]
SIDES: tuple[Side, Side] = (0, 1)
_COMMENT: Column = ("#",)
_BEGINNINGS = ("Anchor", "Tag", "Scalar", "Alias", "FlowMappingStart", "FlowSequenceStart")  # of cells


@dataclass
class _Cell:
    """A cell as it was, and as it is without columns; counted from where its row begins."""

    old: tuple[int, int]
    new: tuple[int, int]
    blanks: int  # that stood before it
    usual: int  # how many do otherwise
    at: int  # where it is in the new text
    is_text: bool = False


@dataclass
class _Row:
    line: int
    column: int
    kind: str
    cells: dict[Column, _Cell] = field(default_factory=dict)
    pads: dict[Column, int] = field(default_factory=dict)


def in_line(before: str, old: list[Token], text: str, new: list[Token]) -> str:
    """The new text with the columns that the old one had; both have the same that can be seen."""
    seen = [[token for token in tokens if token.start < token.end] for tokens in (old, new)]
    pairs = list(zip(*seen, strict=True))
    pads = {
        row.cells[column].at: many
        for table in _tables(_rows(before, text, pairs))
        for row in _padded(table)
        for column, many in row.pads.items()
    }
    parts, end = [], 0
    for at in sorted(pads):
        parts += [text[end:at], " " * pads[at]]
        end = at
    return "".join([*parts, text[end:]])


# ------------------------------------------------------------------------------------------------------ rows


def _rows(before: str, text: str, pairs: list[tuple[Token, Token]]) -> Iterator[_Row]:
    """Every line that is a row of its own: nothing that begins on it goes on below."""
    lines: dict[int, list[tuple[Token, Token]]] = {}
    starts = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]
    line = 0
    for pair in pairs:
        while line + 1 < len(starts) and starts[line + 1] <= pair[1].start:
            line += 1
        lines.setdefault(line, []).append(pair)
    for number, found in lines.items():
        row = _row(before, text, number, found)
        if row is not None and not _goes_on(text, starts, number, row, lines):
            yield row


def _goes_on(text: str, starts: list[int], number: int, row: _Row, lines: dict[int, list[tuple[Token, Token]]]) -> bool:
    """Whether what follows stands deeper, or is a list behind a key in its own column."""
    following = next((lines[n] for n in range(number + 1, len(starts)) if n in lines), None)
    if following is None:
        return False
    first = following[0][1]
    column = first.start - (text.rfind("\n", 0, first.start) + 1)
    return column > row.column or (column == row.column and first.kind == "BlockEntry" and row.kind != "BlockEntry")


def _row(before: str, text: str, number: int, pairs: list[tuple[Token, Token]]) -> _Row | None:
    first_old, first = pairs[0]
    column = first.start - (text.rfind("\n", 0, first.start) + 1)
    is_whole = all("\n" not in text[new.start : new.end] for _, new in pairs)
    depth = sum((new.kind.endswith("Start")) - (new.kind.endswith("End")) for _, new in pairs)
    if not is_whole or depth or first.kind not in ("BlockEntry", "Scalar"):
        return None
    row = _Row(number, column, first.kind)
    for way, old, new, gap, usual in _cells(before, text, pairs):
        begin, end = old[0] - first_old.start, old[1] - first_old.start
        is_text = text[new[0]] not in "[{#&!"
        shown = (new[0] - first.start, new[1] - first.start)
        row.cells.setdefault(way, _Cell((begin, end), shown, gap, usual, new[0], is_text))
    return row


def _cells(before: str, text: str, pairs: list[tuple[Token, Token]]) -> Iterator[tuple[Column, Span, Span, int, int]]:
    """The cells of a row: column, where each was and is, the blanks before it, and how many there are otherwise."""
    way: list[list[str]] = [["", "0"]]  # for each bracket around: the key, if any, and the number of the item
    last = pairs[0][0]
    for place, (old, new) in enumerate(pairs):
        gap = len(before[last.end : old.start]) if place else 0
        kind, inside = new.kind, way[-1]
        last = old
        if kind == "FlowEntry":
            way[-1] = ["", str(int(inside[1]) + 1)]
        elif kind.endswith("End"):
            way.pop()
        elif kind in _BEGINNINGS:
            is_key = place + 1 < len(pairs) and pairs[place + 1][1].kind == "Value"
            column = tuple(part for one in way for part in (one[0] or one[1],))
            if is_key:
                inside[0] = text[new.start : new.end] if len(way) > 1 else "value"
                column = (*column[:-1], inside[0], "key")
            if len(way) > 1 or not is_key:
                first = len(way) > 1 and inside[1] == "0" and (is_key or not inside[0])
                yield column, (old.start, old.end), (new.start, new.end), gap, 0 if first else 1
            if kind.endswith("Start"):
                way.append(["", "0"])
    ends = pairs[-1][0].end, pairs[-1][1].end
    rest, shown = before[ends[0] :].split("\n", 1)[0], text[ends[1] :].split("\n", 1)[0]
    if rest.strip().startswith("#") and shown.strip() == rest.strip():
        gap = len(rest) - len(rest.lstrip())
        at = ends[1] + len(shown) - len(shown.lstrip())
        yield _COMMENT, (ends[0] + gap, ends[0] + len(rest)), (at, ends[1] + len(shown)), gap, 2


# ---------------------------------------------------------------------------------------------------- columns


def _tables(rows: Iterator[_Row]) -> Iterator[list[_Row]]:
    """Rows on adjacent lines that begin in one column, are of one kind and have something in common."""
    table: list[_Row] = []
    for row in rows:
        if table and not _belong_together(table[-1], row):
            yield table
            table = []
        table.append(row)
    yield table


def _belong_together(above: _Row, row: _Row) -> bool:
    is_next = (row.line, row.column, row.kind) == (above.line + 1, above.column, above.kind)
    return is_next and not above.cells.keys().isdisjoint(row.cells)


def _padded(table: list[_Row]) -> list[_Row]:
    """The rows, with so many blanks before their cells that columns are in line."""
    if len(table) < 2:
        return []
    try:
        order = _order(table, lambda way: True)
    except CycleError:  # some have the same in another order, so only what is around it can be in line
        order = _order(table, lambda way: len(way) == 1)
    for way in order:
        rows = [row for row in table if way in row.cells]
        side = _side(rows, way)
        if side is not None:
            reached = [row.cells[way].new[side] + sum(row.pads.values()) for row in rows]
            for row, column in zip(rows, reached, strict=True):
                if column < max(reached):
                    row.pads[way] = max(reached) - column
    return table


def _order(table: list[_Row], counts: Callable[[Column], bool]) -> list[Column]:
    """The columns from left to right."""
    comes_before: dict[Column, set[Column]] = {}
    for row in table:
        ways = [way for way in row.cells if counts(way)]
        for at, way in enumerate(ways):
            comes_before.setdefault(way, set()).update(ways[max(0, at - 1) : at])
    return list(TopologicalSorter(comes_before).static_order())


def _side(rows: list[_Row], way: Column) -> Side | None:
    """Whether the cells of a column were in line where they begin (0) or where they end (1); None if nowhere."""
    most, found = max(1, (len(rows) - 1) // 2), None
    for side in SIDES:
        if side == 1 and not all(row.cells[way].is_text for row in rows):
            continue
        (column, many), *_ = Counter(row.cells[way].old[side] for row in rows).most_common(1)
        those = [row.cells[way] for row in rows if row.cells[way].old[side] == column]
        if many > most and any(cell.blanks > cell.usual for cell in those):
            most, found = many, side
    return found
