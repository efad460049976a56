"""Tables of components, from YAML and from CSV files, as maps that know the place of each cell."""

import re
from pathlib import Path

from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.records import dataclass
from ruledsl.source.document import Broken, Entry, Map, Node, Scalar, Seq, read_document, word_at
from ruledsl.source.scan import MAX_NODES, MAX_TABLE_BYTES, check_text, is_inside, outside, read_file
from ruledsl.source.text import SourceFile, Span

_CELL = re.compile(r'[ \t]*+"(?P<quoted>[^"]*+(?:""[^"]*+)*+)"[ \t]*+|[^,\r\n]*+')
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class _Column:
    """A column by its name; `cost.wood` has two names."""

    path: tuple[Scalar, ...]


def read_table(path: str, fragment: str | None, root: Path, report: Report, at: Span) -> list[Map] | None:
    """The rows of a table inside the game's folder `root`; `fragment` leads to a list in a YAML file."""
    whole = root / path
    if not is_inside(whole, root):
        outside(whole, report, at, path)
        return None
    file = read_file(whole, report, MAX_TABLE_BYTES, at)
    if file is None:
        return None
    if path.lower().endswith(".csv"):
        return csv_rows(file, report)
    return _read_yaml(file, fragment, report, at)


def _read_yaml(file: SourceFile, fragment: str | None, report: Report, at: Span) -> list[Map] | None:
    node = read_document(file, report)
    for name in fragment.split("/") if fragment else ():
        inner = node.get(name) if isinstance(node, Map) else None
        if inner is None:
            _report_no_part(name, node, file, report, at)
            return None
        node = inner
    if isinstance(node, Map) and (tables := [entry.key.value for entry in node if _is_table(entry.value)]):
        whole = f"{at.text.partition('#')[0].strip()}#{fragment + '/' if fragment else ''}"
        help = did_you_mean([whole + name for name in tables[:4]])
        report.error("Y403", at, "this file has several tables: say which", help=help)
        return None
    if isinstance(node, Map):
        return [row for entry in node if (row := _named_row(entry, report))]
    if isinstance(node, Seq):
        return [item for item in node if _is_row(item, report) and isinstance(item, Map)]
    if node is not None and not isinstance(node, Broken):
        report.error("Y403", node.span, "a table must be a list of maps, or a map of them by name")
    return None


def _is_table(node: Node) -> bool:
    return isinstance(node, Seq) and any(isinstance(item, Map) for item in node)


def _report_no_part(name: str, node: Node | None, file: SourceFile, report: Report, at: Span) -> None:
    if node is None or isinstance(node, Broken) or (isinstance(node, Map) and node.broken):
        return
    names = ", ".join(f"`{key}`" for key in list(node.entries)[:8]) if isinstance(node, Map) else ""
    near = nearest(name, node.entries) if isinstance(node, Map) else []
    help = did_you_mean(near) or (f"here it has {names}" if names else "")
    said = f"there is no `{name}` in `{file.path}`"
    report.error("Y402", at, said, help=help, suggestions=tuple(near))


def _named_row(entry: Entry, report: Report) -> Map | None:
    """The map of an entry, with the entry's key as its `name`."""
    key, value = entry.key, entry.value
    name = Scalar(key.span, key.value, key.style, key.text_span)
    named = Entry(word_at("name", key.span), name)
    if isinstance(value, Scalar) and value.is_null:
        return Map(key.span, {"name": named})
    if not _is_row(value, report):
        return None
    assert isinstance(value, Map), "rows are maps"
    if "name" in value.entries:
        notes = ((key.span, "the key is the name of the row"),)
        report.error("Y201", value.entries["name"].key.span, "`name` is written twice", notes=notes)
        return None
    return Map(value.span, {"name": named, **value.entries}, value.flow, value.broken)


def _is_row(node: Node, report: Report) -> bool:
    if not isinstance(node, Map | Broken):
        report.error("Y403", node.span, "a row of a table must be a map")
    return isinstance(node, Map)


def csv_rows(file: SourceFile, report: Report) -> list[Map] | None:
    """The rows of a table with a header."""
    records = _records(file, report) if check_text(file, report, yaml=False) else None
    if records is None:
        return None
    if not records:
        report.error("Y111", file.span(0, 0), "this table is empty")
        return None
    header, *body = _as_saved(records)
    columns = _columns(header, report)
    return [_row(columns, record) for record in body if _fits(record, columns, report)] if columns else None


def _as_saved(records: list[list[Scalar]]) -> list[list[Scalar]]:
    """The table without the empty rows and columns at its edges that spreadsheets save."""
    header, *body = [record for record in records if any(cell.value for cell in record)] or records
    width = len(header)
    while width > 1 and not any(cell.value for record in (header, *body) for cell in record[width - 1 :]):
        width -= 1
    return [record[:width] if not any(c.value for c in record[width:]) else record for record in (header, *body)]


# A cell is a `Scalar` whose `span` has its quotes and whose `text_span` has not. Quotes only protect commas,
# as in any CSV file: a quoted number is a number.
def _records(file: SourceFile, report: Report) -> list[list[Scalar]] | None:
    """The cells of each line that has any."""
    text, at, cells = file.text, 0, 0
    records: list[list[Scalar]] = []
    record: list[Scalar] = []
    while True:
        found = _CELL.match(text, at)
        assert found, "an empty cell is a cell"
        cell = _cell(file, found)
        at = found.end()
        cells += 1 + cell.value.count(";")
        if not _is_sound(cell, at, cells, report):
            return None
        record.append(cell)
        if text.startswith(",", at):
            at += 1
            continue
        if len(record) > 1 or cell.value:
            records.append(record)
        record = []
        line_end = _LINE_END.match(text, at)
        if line_end is None:
            return records
        at = line_end.end()


def _cell(file: SourceFile, found: re.Match[str]) -> Scalar:
    quoted = found["quoted"] is not None
    start, end = _trimmed(found[0], found.start())
    inner = file.span(start + 1, end - 1) if quoted else file.span(start, end)
    value = found["quoted"].replace('""', '"') if quoted else inner.text
    return Scalar(file.span(start, end), value, "plain", inner)


def _is_sound(cell: Scalar, end: int, cells: int, report: Report) -> bool:
    file = cell.span.file
    if cells > MAX_NODES:
        report.error("Y002", cell.span, f"this file has more than {MAX_NODES:,} values")
    elif cell.span.text.startswith('"') and not _is_quoted(cell):
        report.error("Y105", file.span(cell.span.start, cell.span.start + 1), "this quote is never closed")
    elif file.text[end : end + 1] not in (",", "\r", "\n", ""):
        message = "nothing may follow the quote that ends a cell"
        report.error("Y109", file.span(end, end + 1), message, help="write a quote inside a quoted cell twice")
    else:
        return True
    return False


def _is_quoted(cell: Scalar) -> bool:
    return cell.span != cell.text_span


def _columns(header: list[Scalar], report: Report) -> list[_Column] | None:
    """The columns of a header; None if it has a mistake."""
    if header[0].value.lower().startswith("sep="):
        help = "delete it; it is only for spreadsheets"
        report.error("Y405", header[0].span, "this line names no columns", help=help)
        return None
    if len(header) == 1 and (found := re.search(r"\w\"?([;\t|])\"?\w", header[0].span.file.text.split("\n")[0])):
        name = {";": "semicolons", "\t": "tabs", "|": "bars"}[found[1]]
        help = f"here they are {name}: save the table as CSV with commas; a cell with a comma in it then needs quotes"
        report.error("Y405", header[0].span, "the columns of a table must be separated by commas", help=help)
        return None
    if sum(not cell.value for cell in header) > 1:
        message, help = "the first line of a table names its columns", "delete what is above that line"
        report.error("Y405", header[0].span, message, help=help)
        return None
    columns: list[_Column] = []
    seen: dict[str, Span] = {}
    for cell in header:
        column = _column(cell)
        if not all(re.fullmatch(r"[^\s.]+(?: [^\s.]+)*", name.value) for name in column.path):
            help = "a column is called `name`, or `cost.wood` for one part of `cost`"
            report.error("Y405", cell.span, "this column has no valid name", help=help)
            return None
        # `cost` and `cost.wood` exclude each other, and neither may come twice.
        whole = column.path[0].value
        clash = seen.get(cell.value) or seen.get(whole if len(column.path) > 1 else f"{whole}.")
        if clash:
            notes = ((clash, "first written here"),)
            report.error("Y201", cell.span, f"`{cell.value}` is written twice", notes=notes)
            return None
        seen[cell.value] = cell.span
        if len(column.path) > 1:
            seen.setdefault(f"{whole}.", cell.span)
        columns.append(column)
    return columns


def _column(cell: Scalar) -> _Column:
    dot = cell.text_span.text.find(".")
    if dot < 0:
        return _Column((cell,))
    file, start, end = cell.span.file, cell.text_span.start, cell.text_span.end
    return _Column((_part(file, start, start + dot), _part(file, start + dot + 1, end)))


def _fits(record: list[Scalar], columns: list[_Column], report: Report) -> bool:
    found, wanted = len(record), len(columns)
    if found == wanted:
        return True
    help = "put a cell that has a comma in it in double quotes; several things in one cell are separated by `;`"
    if found < wanted:
        names = ", ".join(".".join(part.value for part in column.path) for column in columns[:12])
        help = f"the columns are {names}{', …' if wanted > 12 else ''}; a cell without a value is empty: `a,,b`"
        if any(sign in record[0].value for sign in ";\t"):
            help = "cells are separated by commas here, as in the first line"
    whole = record[0].span.until(record[-1].span)
    report.error("Y404", whole, f"this row has {found} cells, not {wanted}", help=help)
    return False


def _row(columns: list[_Column], record: list[Scalar]) -> Map:
    entries: dict[str, Entry] = {}
    groups: dict[str, dict[str, Entry]] = {}
    for column, cell in zip(columns, record, strict=True):
        if not cell.value:
            continue
        outer, inner = column.path[0], column.path[-1]
        value = _value(cell)
        if outer is not inner:
            group = groups.setdefault(outer.value, {})
            group[inner.value] = Entry(inner, value)
            first = next(iter(group.values()))
            value = Map(first.value.span.until(cell.span), group)
        entries[outer.value] = Entry(outer, value)
    return Map(record[0].span.until(record[-1].span), entries)


def _value(cell: Scalar) -> Node:
    """The cell, or a list if it has `;` outside quotes."""
    if ";" not in cell.value or _is_quoted(cell):
        return cell
    file, start = cell.span.file, cell.span.start
    found = re.finditer("[^;]+", cell.value)
    parts = [_part(file, start + part.start(), start + part.end()) for part in found]
    return Seq(cell.span, tuple(part for part in parts if part.value), flow=True)


def _part(file: SourceFile, start: int, end: int) -> Scalar:
    """The characters from start to end without blanks around them, as a text of its own."""
    span = file.span(*_trimmed(file.text[start:end], start))
    return Scalar(span, span.text, "plain", span)


def _trimmed(text: str, start: int) -> tuple[int, int]:
    """Where a text that starts at `start` starts and ends without blanks around it."""
    first = start + len(text) - len(text.lstrip())
    return first, max(first, start + len(text.rstrip()))
