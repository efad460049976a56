"""The rows that a kind of piece is made from: of tables, of the file, or of every combination."""

from __future__ import annotations

import re
from itertools import combinations, product
from math import prod
from typing import Any

from ruledsl.analysis.doubts import called_otherwise
from ruledsl.analysis.names import Typed
from ruledsl.analysis.show import show
from ruledsl.analysis.world import MOST_PIECES, World
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq, word_at
from ruledsl.source.letters import strange
from ruledsl.source.tables import read_table
from ruledsl.source.text import SourceFile, Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.mending import is_absent
from ruledsl.syntax.reshaped import as_row, row_of
from ruledsl.syntax.shapes import Fields, by_language, shape_of, unknown_key
from ruledsl.types import NONE, Bool, Elem, Num, Root, bits, every
from ruledsl.types import Broken as BrokenType

from .cells import cell_value, row_value
from .columns import column_of
from .fixed import condition_on, fixed
from .rows import Row, table_rows, type_of_cells, whole_rows
from .starts import start_spots
from .tiles import part_entries

_OF_ALL = {"name", "title", "about", "copies", "start", "symbol", "covers"}  # columns that rows of every kind may have


def early_rows(world: World, name: str, found: Fields) -> list[Row]:
    """The rows of a kind for a board that is as large as they need; where all is well, they are kept for the kind."""
    before = len(world.report.findings)
    rows = kind_rows(world, name, found)
    if len(world.report.findings) == before:
        world.data.setdefault("early rows", {})[found.node] = [row.copy() for row in rows]
    return rows


def kind_rows(world: World, name: str, found: Fields) -> list[Row]:
    early: list[Row] | None = world.data.get("early rows", {}).pop(found.node, None)
    if early is not None:
        found.asked |= {"each", "from", "rows", "columns", "only"}
        return early
    each = found.map("each")
    rows = _written_rows(world, found)
    if rows or each is None:
        _check_columns(world, name, rows, found)
        called_otherwise(world, rows, [e.key.value for e in found.map("attributes") or ()])
    _swapped_columns(world, rows, found)
    rows = [part for row in rows for part in _by_value(world, name, row, found)]
    if each is not None:
        combinations = _each(world, name, each)
        rows = [_of_one(world, one, row, each) for one in combinations for row in rows] if rows else combinations
    if (only := found.get("only")) is not None:
        return _rows_there_are(world, name, rows, only, found)
    return rows or [Row.of(None)]


def _written_rows(world: World, found: Fields) -> list[Row]:
    """The rows of all tables, then those of the file, which add to a row of the same name."""
    columns, tables, written = found.map("columns"), found.words("from"), found.get("rows")
    known: dict[Node, list[Row]] = world.data.setdefault("written rows", {})
    if found.node in known:  # a board that grows has asked before
        return [row.copy() for row in known[found.node]]
    before = len(world.report.findings)
    called = {e.key.value for part in ("attributes", "state") for e in found.map(part) or ()} | _OF_ALL
    rows = _read_rows(world, columns, tables, written, called)
    for row in rows:
        if isinstance(symbol := row.get("symbol"), Map):
            by_language(symbol, world.report)
    if len(world.report.findings) == before:
        known[found.node] = [row.copy() for row in rows]  # for what columns are meant may be written into rows
    return rows


def _read_rows(
    world: World, columns: Map | None, tables: list[Scalar], written: Node | None, called: set[str]
) -> list[Row]:
    rows: list[Row] = []
    named = {e.key.value: e.value.value for e in columns or () if isinstance(e.value, Scalar)}
    for word in tables:
        rows += [Row.of(row).renamed(named) for row in table_rows(world, word)]
    _in_capitals(world, rows, called)
    _strange_names(world, rows)
    _same_names(world, rows)
    first: dict[str, int] = {}  # by name: the first row that is called so
    for i, row in enumerate(rows):
        first.setdefault(row.word("name"), i)
    here: dict[str, Scalar] = {}  # by name: a second row would only add to the first
    for item in whole_rows(world, _maps(world, written), called):
        row = Row.of(item)
        _counted_name(world, row)
        label = row.word("name")
        if label in here and isinstance(at := row.get("name"), Scalar):
            notes = ((here[label].span, "first written here"),)
            help = "give each row a different name; `copies: 2` makes two of the same"
            world.report.error("N203", at.span, f"two rows are called `{label}`", notes=notes, help=help)
        if label and isinstance(at := row.get("name"), Scalar):
            here.setdefault(label, at)
        if label and label in first:
            rows[first[label]] = rows[first[label]].merged(row)
        else:
            first.setdefault(label, len(rows))
            rows.append(row)
    return rows


def _in_capitals(world: World, rows: list[Row], called: set[str]) -> None:
    """Columns of a table whose names are those of attributes but for capitals, as spreadsheets like them."""
    wrong = {c: c.lower() for row in rows for c in row.keys if c not in called and c.lower() in called}
    if not wrong:
        return
    first = next(row.keys[column] for row in rows for column in row.keys if column in wrong)
    right = ", ".join(wrong.values())
    said = f"the column `{first.value}` is written otherwise than the attribute"
    world.report.error("S108", first.span, said, help=f"write columns in small letters: `{right}`")
    for row in rows:
        row.cells = {wrong.get(column, column): cell for column, cell in row.cells.items()}
        row.keys = {wrong.get(column, column): key for column, key in row.keys.items()}


def _maps(world: World, written: Node | None) -> list[Node]:
    """The rows of the file; a bare word is a name, which is told."""
    rows = list(written.items) if isinstance(written, Seq) else []
    bare = [item for item in rows if isinstance(item, Scalar) and not item.is_null]
    usual = next((list(row.entries) for row in rows if isinstance(row, Map) and not row.broken), [])
    whole = {item: _by_columns(item, usual) for item in bare}
    if bare:
        said = f"a row must be a map of keys and values, not {shape_of(bare[0])}"
        cells = ", ".join(f"{name}: {e.value.span.text}" for name, e in whole[bare[0]].entries.items())
        world.report.error("S104", bare[0].span, said, help=f"write `{{{cells}}}`")
    return [whole[row] if isinstance(row, Scalar) and row in whole else as_row(row) for row in rows]


def _by_columns(item: Scalar, usual: list[str]) -> Map:
    """A row that is written as in a table, with the columns that the rows beside it have; else a name alone."""
    cells = [cell.strip() for cell in re.split(r"[,;|]", item.value)]
    if 1 < len(cells) <= len(usual):
        keys = zip(usual, cells, strict=False)
        entries = {key: Entry(word_at(key, item.span), _cell_in(item, cell)) for key, cell in keys}
        return Map(item.span, entries, True)
    row = as_row(item)
    assert isinstance(row, Map), "it was no row"
    return row


def _cell_in(item: Scalar, cell: str) -> Scalar:
    start = item.span.start + max(0, item.span.text.find(cell))
    span = item.span.file.span(start, start + len(cell))
    return Scalar(span, cell, "plain", span)


_COUNTED = re.compile(r"(?P<n>\d+)\s*[x×*]?\s+(?P<word>\S.*)|(?P<word_>\S.*?)\s*[x×*]\s*(?P<n_>\d+)")


def _counted_name(world: World, row: Row) -> None:
    """`name: 3 roses`: how many of a row there are, among its name."""
    name = row.get("name")
    if isinstance(name, Scalar) and (found := _COUNTED.fullmatch(name.value)):
        word = re.sub(r"\W+", "_", (found["word"] or found["word_"]).strip())
        help = f"how many there are is said by `copies:`: write `name: {word}`, `copies: {found['n'] or found['n_']}`"
        world.report.error("N204", name.span, f"`{name.value}` cannot be a name", help=help)


def _strange_names(world: World, rows: list[Row]) -> None:
    """Names of rows with letters that are not what they look like: nobody finds such a row by its name."""
    for row in rows:
        _counted_name(world, row)
        name = row.get("name")
        if isinstance(name, Scalar) and not name.value.isascii() and not name.is_escaped:
            for found in strange(name.value):
                start = name.text_span.start + found.start
                span = name.span.file.span(start, start + found.end - found.start)
                suggestions = (found.meant,) if found.meant else ()
                world.report.error(found.code, span, found.message, help=found.help, suggestions=suggestions)


def _same_names(world: World, rows: list[Row]) -> None:
    """Rows of tables with one name that say different things; those that say the same are meant to be alike."""
    first: dict[str, Row] = {}
    for row in rows:
        old, at = first.setdefault(row.word("name"), row), row.get("name")
        if old is row or not isinstance(at, Scalar):
            continue
        if (before := old.get("name")) is not None and row.says() != old.says():
            world.data.setdefault("same rows", []).append((before.span, at.span, at.value))


def _check_columns(world: World, name: str, rows: list[Row], found: Fields) -> None:
    """Columns that nothing is called: in the file a mistake, in a table, which may serve other ends, advice."""
    known = set(_OF_ALL)
    for part in ("attributes", "state"):
        known |= {e.key.value for e in found.map(part) or ()}
    known |= {e.value.word("from") for e in part_entries(found) if e.value}
    complained: set[str] = set()
    undeclared = world.data.setdefault("undeclared columns", {})
    undeclared.update({column: name for row in rows for column in row.keys if column not in known})
    written = {column for row in rows for column in row.keys}
    unknown, silent = written - known, known - written - _OF_ALL
    if (unknown == written and known > _OF_ALL) or world.report.attributes_lost:
        return  # these are no names of columns, which is told where the attributes are
    if len(unknown) > 1 and known - _OF_ALL == silent and _another_table(world, name, found, silent, unknown):
        return
    for row in rows:
        for column, key in list(row.keys.items()):
            if column not in known and column not in complained:
                complained.add(column)
                alone = list(silent) if len(unknown) == len(silent) == 1 else []
                lacking = nearest(column, silent) or alone
                if lacking and all(column in other.keys for other in rows):
                    _misspelt_column(world, name, rows, key, lacking, found)
                    continue
                if _must_stand(found, nearest(column, known)[:1]) and nearest(column, known)[0] not in row.keys:
                    _misspelt_cell(world, name, rows, column, nearest(column, known))
                    continue
                from_file = key.span.file is not world.span.file and found.get("rows") is None
                near = nearest(column, known - set(row.keys)) or _of_a_bag(world, found, column)
                if not from_file and (meant := near or _lacking(row, known, column)):
                    near = meant[:1]
                    for other in (r for r in rows if column in r.keys and near[0] not in r.keys):
                        other.cells[near[0]], other.keys[near[0]] = other.cells[column], other.keys[column]
                if not from_file and (advice := _of_rows(row, column)):
                    with world.report.one_slip((name, advice.partition(":")[0])):
                        said = f"`{name}` has no attribute `{column}`"
                        world.report.error("S101", key.span, said, help=advice)
                    continue
                if cut := _cut_list(row, column):
                    world.report.error("S127", key.span, f"a comma cuts the value before `{column}`", help=cut)
                    continue
                report = world.report.warn if from_file else world.report.error
                report(
                    "L505" if from_file else "S101",
                    key.span,
                    f"`{name}` has no attribute `{column}`",
                    help=did_you_mean(near) or _declare(world, name, column, rows, found),
                    suggestions=tuple(near),
                )


def _declare(world: World, name: str, column: str, rows: list[Row], found: Fields) -> str:
    """What to do with a column that nothing is called: it is a key of the kind, or is to be declared."""
    if column in found.form.known:
        return f"it is said of all `{name}` together: write it beside `rows:`, not in a row"
    kind = type_of_cells(world, (row.get(column) for row in rows))
    shown = f", as in `{column}: {kind}`" if kind else ""
    return f"declare it under `attributes:` of `{name}`{shown}, or remove it"


def _swapped_columns(world: World, rows: list[Row], found: Fields) -> None:
    """Two columns of words each of which has what the other should have: their names are mixed up, which is told."""
    words: dict[str, set[str]] = {}
    for entry in found.map("attributes") or ():
        declared = world.names.get(entry.value.value) if isinstance(entry.value, Scalar) else None
        kind = declared.data.type if declared is not None and declared.sort == "type" else None
        if isinstance(kind, Elem):
            words[entry.key.value] = {kind.root.names[i] for i in bits(kind.mask)}
    first = rows[0] if rows else Row.of(None)
    wrong = [name for name, known in words.items() if name in first.cells and first.word(name) not in known]
    for one, other in combinations(wrong, 2):
        pairs = [(row.word(one), row.word(other)) for row in rows]
        if all(a in words[other] and b in words[one] for a, b in pairs) and one in first.keys:
            said = f"the columns `{one}` and `{other}` are mixed up: each has what belongs to the other"
            world.report.error("T201", first.keys[one].span, said, help="exchange their names")
            for row in rows:
                row.cells[one], row.cells[other] = row.cells[other], row.cells[one]


_COPIES = ("count", "amount", "number", "quantity", "qty", "times", "n", "num", "how_many", "copy")


def _of_rows(row: Row, column: str) -> str:
    """What to write where a row says how many of it there are, or its name, in a way of its own."""
    cell = row.cells[column]
    number = cell.as_int() if isinstance(cell, Scalar) else None
    if column in _COPIES and number is not None:
        return f"how many of a row there are is `copies: {number}`"
    if len(row.keys) == 1 and number is not None:
        return f"begin with the name: `{{name: {column}, copies: {number}}}`"
    if len(row.keys) == 1 and (isinstance(cell, Map) or is_absent(cell)):
        return f"begin with the name: `{row_of(column, cell)}`"
    return ""


def _of_a_bag(world: World, found: Fields, column: str) -> list[str]:
    """`cost.wood` for a column `wood`, where the kind has a bag with such a sort."""
    roots = [root for root in world.roots.values() if column in root.names]
    sorts = {name for root in roots for name in (root.name, *(getattr(root, "parts", None) or ()))}
    bags = [(e.key.value, e.value.value) for e in found.map("attributes") or () if isinstance(e.value, Scalar)]
    return [f"{name}.{column}" for name, kind in bags if kind.partition(" of ")[2] in sorts][:1]


def _another_table(world: World, name: str, found: Fields, declared: set[str], columns: set[str]) -> bool:
    """Whether the rows come from a table that has nothing of what is declared: it is told once, with the right one."""
    words = found.words("from")
    if len(words) != 1 or not declared:
        return False
    (word,) = words
    meant = [table for table in _tables_beside(world, word) if declared <= _columns_of(world, table, word)]
    has = ", ".join(f"`{column}`" for column in sorted(columns)[:4]) + (", …" if len(columns) > 4 else "")
    lacks = " or ".join(f"`{attribute}`" for attribute in sorted(declared)[:3])
    message = f"no row of `{word.value}` has {lacks} of `{name}`; they have {has}"
    help = did_you_mean(meant[:2]) or f"`from:` takes the table of `{name}`"
    world.report.error("S108", word.span, message, help=help, suggestions=tuple(meant[:1]))
    world.report.unread()
    return True


def _tables_beside(world: World, word: Scalar) -> list[str]:
    """The other tables of the same file, or of the same folder."""
    path, _, fragment = word.value.partition("#")
    whole = world.source.root / path
    if not fragment:
        beside = (whole.parent / other.name for other in sorted(whole.parent.glob(f"*{whole.suffix}")))
        return [path[: -len(whole.name)] + other.name for other in beside if other.name != whole.name]
    text = next((file.text for file in world.source.files if file.path.endswith(path)), "")
    names = re.findall(r"^([^\W\d]\w*):", text, re.MULTILINE)
    return [f"{path}#{name}" for name in names if name != fragment]


def _columns_of(world: World, table: str, word: Scalar) -> set[str]:
    path, _, fragment = table.partition("#")
    rows = read_table(path, fragment or None, world.source.root, Report(), word.span)
    return {column for row in rows or () for column in row.entries}


def _cut_list(row: Row, column: str) -> str:
    """`{start: d4, e5}`, where a list was meant."""
    if not isinstance(row.node, Map) or not row.node.flow or not is_absent(row.cells[column]):
        return ""
    before = list(row.node.entries.values())
    at = [entry.key.value for entry in before].index(column) if column in row.node.entries else 0
    last = before[at - 1] if at > 0 else None
    if last is None or not isinstance(last.value, Scalar) or last.value.is_null:
        return ""
    return f"write `{last.key.value}: [{last.value.value}, {column}]`"


def _must_stand(found: Fields, names: list[str]) -> bool:
    """Whether an attribute has a type of which every row must say something."""
    attributes = found.map("attributes")
    kind = attributes.get(names[0]) if attributes is not None and names else None
    optional = ("maybe ", "set of ", "list of ", "bag of ", "bool")
    return isinstance(kind, Scalar) and not kind.value.startswith(optional)


def _misspelt_cell(world: World, name: str, rows: list[Row], column: str, meant: list[str]) -> None:
    """Rows that have a column nobody knows, and lack an attribute much like it."""
    for row in (r for r in rows if column in r.keys and meant[0] not in r.keys):
        message = f"`{name}` has no attribute `{column}`"
        with world.report.one_slip((name, column)):
            world.report.error(
                "S101", row.keys[column].span, message, help=did_you_mean(meant), suggestions=tuple(meant)
            )
        row.cells[meant[0]], row.keys[meant[0]] = row.cells[column], row.keys[column]


def _lacking(row: Row, known: set[str], column: str) -> list[str]:
    """The one attribute that a row lacks, where it has one column too many."""
    more = [name for name in row.keys if name not in known]
    lacking = [name for name in known - _OF_ALL if name not in row.keys]
    return lacking if len(lacking) == len(more) == 1 and more == [column] else []


def _misspelt_column(world: World, name: str, rows: list[Row], key: Scalar, meant: list[str], found: Fields) -> None:
    """A column that all rows have and nothing is called, and an attribute much like it that none has: told once."""
    world.data.setdefault("broken attributes", set()).update((meant[0], key.value))  # rules may call it either way
    keys = [part.key(meant[0]) for word in ("attributes", "state") if (part := found.map(word)) is not None]
    notes = tuple((at.span, "declared here") for at in keys if at is not None)
    declared = keys[0] if keys else None
    if declared is not None and _said(world, key.value) > _said(world, meant[0]):
        message = f"no row of `{name}` has `{meant[0]}`"
        help, others = did_you_mean([key.value]), ((key.span, "all rows have this"),)
        world.report.error("S108", declared.span, message, notes=others, help=help, suggestions=(key.value,))
    else:
        message = f"no row of `{name}` has `{meant[0]}`, and all have `{key.value}`"
        world.report.error("S108", key.span, message, notes=notes, help=did_you_mean(meant), suggestions=tuple(meant))
    for row in rows:
        row.cells.setdefault(meant[0], row.cells[key.value])
        row.keys.setdefault(meant[0], row.keys[key.value])


def _said(world: World, word: str) -> int:
    """How often the rules speak of a word: the one that they say more often is the right one."""
    texts = [part.node.span.file.text for part in world.source.parts]
    return sum(len(re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text)) for text in texts)


def _by_value(world: World, name: str, row: Row, found: Fields) -> list[Row]:
    """`copies: {rank: {1: 3, 2: 2}}`: three with rank 1 and two with rank 2, alike in everything else."""
    copies = row.get("copies")
    if not isinstance(copies, Map):
        return [row]
    attributes = tuple(e.key.value for e in found.map("attributes") or ())
    rows: list[Row] = []
    for attribute in copies:
        if attribute.key.value not in attributes:
            declare = "" if attributes else f"`{attribute.key.value}` is declared under `attributes:`, with its type"
            unknown_key(attribute.key, attributes, f"`{name}`", world.report, advice=declare)
        elif not isinstance(attribute.value, Map):
            world.report.error(
                "S103",
                attribute.value.span,
                f"a map from values of `{attribute.key.value}` to numbers must stand here, "
                f"not {shape_of(attribute.value)}",
                help=f"as in `copies: {{{attribute.key.value}: {{1: 3, 2: 2}}}}`",
            )
        else:
            rows += [
                row.merged(Row(None, {attribute.key.value: e.key, "copies": e.value}, {})) for e in attribute.value
            ]
    return rows


def _rows_there_are(world: World, name: str, rows: list[Row], only: Node, found: Fields) -> list[Row]:
    """The rows for which the condition behind `only:` holds."""
    known = world.data.setdefault("rows there are", {})
    if name in known:  # a board that grows has asked before
        return [row for row, there in zip(rows, known[name], strict=True) if there]
    tree, before = world.elaborator.read(only), world.report.errors
    asked = [e for e in found.map("attributes") or () if f"this.{e.key.value}" in only.span.text]
    world.data.setdefault("only asks", set()).update((name, e.key.value) for e in asked)
    columns = {e.key.value: column_of(world, e) for e in asked}
    columns = {attribute: column for attribute, column in columns.items() if isinstance(column.type, Num | Elem | Bool)}
    there_are: list[bool] = []
    alike: dict[tuple[Any, ...], bool] = {}  # rows that say the same about what is asked
    for row in rows:
        values = []
        for attribute, column in columns.items():
            with world.report.one_slip((name, attribute)):
                values.append(row_value(world, row.get(attribute), column, row, attribute, name))
        if (same := tuple(values)) not in alike:
            root = Root(name, "row", ["this"])
            for (attribute, column), value in zip(columns.items(), values, strict=True):
                world.fixed_attribute(root, attribute, 1, column.type, [value])
            condition = condition_on(world, Typed(C.Const(0), every(root)), tree, "`only`")
            if world.report.errors > before:
                return rows
            alike[same] = bool(fixed(world, condition, tree.span))
        if world.report.errors > before:
            return rows
        there_are.append(alike[same])
    known[name] = there_are
    if all(there_are) and rows:
        world.idle(only.span, f"this leaves out no row of `{name}`")
    return [row for row, there in zip(rows, there_are, strict=True) if there]


def _each(world: World, name: str, each: Map) -> list[Row]:
    """A row for every combination, in the order of the types."""
    names, members = [], []
    for entry in each:
        kind = world.written.type_of(world.elaborator.read(entry.value, "type"))
        if isinstance(kind, Elem):
            members.append([(kind.root.names[i], entry) for i in bits(kind.mask)])
        elif isinstance(kind, Num):
            if kind.high - kind.low >= MOST_PIECES:
                world.report.error(
                    "R309",
                    entry.value.span,
                    f"there would be more than {MOST_PIECES} pieces",
                    help="`each:` makes one of every combination",
                )
                return []
            members.append([(str(i), entry) for i in range(kind.low, kind.high + 1)])
        elif isinstance(kind, Bool):
            members.append([("false", entry), ("true", entry)])
        else:
            if not isinstance(kind, BrokenType):
                world.report.error(
                    "S103", entry.value.span, f"`each:` takes types of words, numbers or `bool`, not {show(kind)}"
                )
            for lost in ("broken attributes", "broken names"):  # the rest is made of the other columns
                world.data.setdefault(lost, set()).add(entry.key.value)
            world.report.attributes_lost = True
            continue
        names.append(entry.key.value)
    if prod(len(column) for column in members) > MOST_PIECES:
        world.report.error(
            "R309",
            each.span,
            f"there would be more than {MOST_PIECES} pieces",
            help=f"`each:` makes one `{name}` of every combination",
        )
        return []
    rows = []
    for combination in product(*members):
        words = [word for word, _ in combination]
        label = (
            "_".join(entry.key.value if word == "true" else word for word, entry in combination if word != "false")
            or name
        )
        label = label if label[:1].isalpha() else f"{name}_{label}"
        cells: dict[str, Node] = {"name": _scalar(world, label, each)}
        cells |= {n: _scalar(world, word, each) for n, word in zip(names, words, strict=True)}
        rows.append(Row(each, cells, {}))
    return rows


def _of_one(world: World, combination: Row, row: Row, each: Map) -> Row:
    """What a row says of one combination: its pieces are called by both."""
    words = row.own_words()
    label = "_".join([combination.word("name"), *words])
    made = row.merged(combination).merged(Row(None, {"name": _scalar(world, label, each)}, {}))
    made.words = words
    return made


def _scalar(world: World, word: str, at: Node) -> Scalar:
    """A word that stands in no file, for pieces made from combinations."""
    known = world.source.tables.setdefault("#words", {})
    if word not in known:
        file = SourceFile(at.span.file.path, word)
        span = Span(file, 0, len(word))
        known[word] = Scalar(span, word, "plain", span)
    return known[word]


def copies_of(world: World, row: Row, found: Fields, start: Any, name: str, key: Scalar) -> int:
    for node, role in ((row.get("copies"), "`copies`"), (found.get("count"), "`count`")):
        if node is not None:
            if isinstance(node, Scalar) and node.as_int() == 0:
                world.idle(node.span, "this is always 0, so there are no pieces")
            many = cell_value(world, node, Num(0, MOST_PIECES), role) or 0
            if many > 0 or not world.report.tells_of(node.span):
                return many
            return 1  # what the rules call by its name is there
    if start is not None:
        before = world.report.errors
        spots = start_spots(world, start, NONE)
        unread = world.report.errors > before or isinstance(world.elaborator.read(start), E.Bad)
        return len(spots) or (2 if unread else 1)  # of what cannot be read there are several, so that they are a set
    return 1
