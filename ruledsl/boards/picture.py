"""Boards as text for a terminal.

Grids and hexagons are sheets: every cell and every label has a line and a column there, so the same few
functions draw, cut and colour them. The rest is written as lists. Pictures hold no words, for games have
languages of their own.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ruledsl.boards.base import Board, Outline, files, letters
from ruledsl.boards.between import Between, across
from ruledsl.boards.marks import Mark, Marks, pad, paint, plain
from ruledsl.boards.plot import plotted
from ruledsl.records import dataclass
from ruledsl.wording.columns import columns

EMPTY = Mark(".")
_PILE = 5  # lines of a pile; where more lies on a space its number is told
_ROOM_FOR_PILES = 2 * _PILE + 6  # lines for two rows of piles and their names, and for what stands below
_RIM = 4  # lines and columns kept around the part in use when the whole is too wide

Line: TypeAlias = list[Mark]
_Place: TypeAlias = tuple[int, int]  # a line and a column, or two coordinates
_Item: TypeAlias = tuple[int, int, Mark]  # a line, a column and what begins there
_ROW_AND_COLUMN = re.compile(r"(?P<row>[^\W\d]+\d+)(?P<column>[^\W\d]+\d+)")  # `R5C01`
_COLUMN_AND_ROW = re.compile(r"(?P<column>[^\W\d]+)(?P<row>\d+)")  # `b5`


def picture(
    board: Board,
    marks: Marks,
    *,
    colour: bool,
    width: int = 100,
    ground: Marks | None = None,
    told: Sequence[tuple[str, Marks]] = (),
    names: Sequence[str] | None = None,
    between: Between | None = None,
    piles: Sequence[Sequence[Mark]] = (),
    high: int | None = None,
) -> str:
    """The board with what lies on it: a mark or nothing for each space, beside its `ground` and what it tells.

    `names` are what spaces are called, where they are called otherwise than in the rules. `between` is on the edges of
    squares and hexagons, which then stand farther apart; of other boards it is told below. Where a track in two rows
    has so many lines as are `high`, or any number, what lies on its spaces is drawn one above the other (`piles`).

    A grid or a board of hexagons that is too wide is cut down to the part in use, then into bands.
    """
    below = ground or [None] * len(board)
    called = [plain(name) for name in names or board.spaces]
    if board.shape in ("ring", "track"):
        shown = [_clean(_on_ground(mark, under)) for mark, under in zip(marks, below, strict=True)]
        rows = [(plain(title), [_told(mark) for mark in own]) for title, own in told]
        piled = [] if rows or any(below) or (high is not None and high < _ROOM_FOR_PILES) else piles
        lines = _pile_lines(board, called, piled, width) or _row_lines(board, called, shown, rows, width)
        lines += _edge_lines(between)
    else:
        first = told[0][1] if told else [None] * len(board)
        shown = [_clean(_with(mark, under, value)) for mark, under, value in zip(marks, below, first, strict=True)]
        sheet = board.shape in ("grid", "hexes")
        if sheet:
            lines = _sheet_lines(board, shown, width, between)
        else:
            less = [
                _clean(_with(m, None if m else under, value))
                for m, under, value in zip(marks, below, first, strict=True)
            ]
            lines = _graph_lines(board, called, shown, less, width) + _edge_lines(between)
    return "\n".join("".join(paint(mark, colour) for mark in line).rstrip() for line in lines)


def _clean(mark: Mark) -> Mark:
    return Mark(plain(mark.text), mark.colour, mark.bold)


def _on_ground(mark: Mark | None, under: Mark | None) -> Mark:
    """What lies on a space, beside what the space is."""
    if mark is None or under is None:
        return mark or under or EMPTY
    return Mark(under.text + mark.text, mark.colour, mark.bold)


def _with(mark: Mark | None, under: Mark | None, value: Mark | None) -> Mark:
    """A space with what lies there and what it tells: `K/2`."""
    if value is None:
        return _on_ground(mark, under)
    if mark is None:
        return _on_ground(value, under)
    shown = _on_ground(mark, under)
    return Mark(f"{shown.text}/{value.text}", shown.colour, shown.bold)


def _told(mark: Mark | None) -> Mark:
    return _clean(mark) if mark is not None else EMPTY


# ------------------------------------------------------------------------------------ sheets


@dataclass(frozen=True)
class _Label:
    """A text that stands where a cell would; if it is `right`, it ends where the text of a cell would."""

    line: int
    column: int
    text: str
    right: bool = False


@dataclass(frozen=True)
class _Sheet:
    """Where cells and labels stand: lines downwards, columns in units that depend on the outline."""

    outline: Outline
    cells: dict[int, tuple[int, int]]
    labels: list[_Label]
    margin: dict[int, str]
    between: Between | None = None

    def unit(self, widest: int) -> int:
        """The columns of the terminal in a unit; pointy hexagons are two units wide."""
        if self.between is not None:
            return (self._unit(widest) + 3) // 2
        return self._unit(widest)

    def _unit(self, widest: int) -> int:
        match self.outline:
            case "hex-pointy":
                return (widest + 2) // 2
            case "hex-flat":
                return max(widest + 1, 3)
            case _:
                return widest + 1


def _edge_lines(between: Between | None) -> list[Line]:
    """The edges on which anything is, where they have no place in the picture."""
    found = [] if between is None else list(zip(between.names, between.marks, strict=True))
    named = [(plain(name), mark) for name, mark in found if mark is not None]
    room = max((columns(name) for name, _ in named), default=0)
    return [[Mark(pad(name, room + 2)), _clean(mark)] for name, mark in named]


def _sheet_lines(board: Board, shown: Sequence[Mark], width: int, between: Between | None = None) -> list[Line]:
    whole = _spread(_sheet(board, range(len(board))), between)
    bands = _bands(whole, shown, width)
    used = [space for space, mark in enumerate(shown) if mark != EMPTY]
    if len(bands) == 1 or not used:
        return _stacked(bands)
    part = _around(whole, used)
    count = [[Mark(f"[{len(part)}/{len(board)}]")]] if len(part) < len(board) else []
    return _stacked(_bands(_spread(_sheet(board, part), between), shown, width)) + count


def _spread(sheet: _Sheet, between: Between | None) -> _Sheet:
    """The sheet with room between the cells for what is on the edges."""
    if between is None:
        return sheet
    return _Sheet(
        sheet.outline,
        {space: (2 * line, 2 * column) for space, (line, column) in sheet.cells.items()},
        [_Label(2 * label.line, 2 * label.column, label.text, label.right) for label in sheet.labels],
        {2 * line: text for line, text in sheet.margin.items()},
        between,
    )


def _on_edges(sheet: _Sheet, widest: int, unit: int) -> Iterator[_Item]:
    """What is on the edges, each in the middle between the cells of its two spaces."""
    for one, other, mark, bar in sheet.between.shown() if sheet.between is not None else ():
        if one in sheet.cells and other in sheet.cells:
            (line, column), (to, end) = sheet.cells[one], sheet.cells[other]
            left, text = across(to - line, end - column, widest) if bar else (0, mark.text)
            middle = (column + end) * unit // 2 + widest // 2
            start = middle - (left if bar else (columns(text) - 1) // 2)
            yield (line + to) // 2, start, Mark(text, mark.colour, mark.bold)


def _around(sheet: _Sheet, used: Sequence[int]) -> list[int]:
    """The spaces in the smallest frame that holds those in use and some more on each side."""
    lines = [sheet.cells[space][0] for space in used]
    places = [sheet.cells[space][1] for space in used]
    return [
        space
        for space, (line, column) in sheet.cells.items()
        if min(lines) - _RIM <= line <= max(lines) + _RIM and min(places) - _RIM <= column <= max(places) + _RIM
    ]


def _sheet(board: Board, spaces: Iterable[int]) -> _Sheet:
    first, second = board.coordinates.values()
    places = {space: (first[space], second[space]) for space in spaces}
    if board.shape == "grid":
        return _grid_sheet(places, files(board))
    put = _pointy if board.outline == "hex-pointy" else _flat
    cells = {space: put(q, r) for space, (q, r) in places.items()}
    if all(board.spaces[space] == f"{letters(q)}{r}" for space, (q, r) in places.items()):
        return _Sheet(board.outline, cells, _rhombus_labels(places.values(), put), {})
    if board.outline == "hex-flat":
        return _Sheet(board.outline, cells, _flat_labels(places.values()), {})
    named = _rows_and_columns({place: board.spaces[space] for space, place in places.items()})
    if named is not None:
        rows, heads = named
        top = min(rows) - 1
        return _Sheet(board.outline, cells, [_Label(top, 2 * at, text) for at, text in heads.items()], rows)
    rows = {r: f"r{r}" for _, r in places.values()}
    return _Sheet(board.outline, cells, _pointy_labels(places.values()), rows)


def _grid_sheet(places: Mapping[int, _Place], named: Mapping[int, str]) -> _Sheet:
    xs, ranks = _sorted_parts(places.values())
    return _Sheet(
        outline="square",
        cells={space: (-y, x) for space, (x, y) in places.items()},
        labels=[_Label(1 - ranks[0], x, named[x]) for x in xs],
        margin={-y: str(y) for y in ranks},
    )


def _pointy(q: int, r: int) -> _Place:
    return (r, 2 * q + r)


def _flat(q: int, r: int) -> _Place:
    return (2 * r + q, q)


def _rhombus_labels(places: Collection[_Place], put: Callable[[int, int], _Place]) -> list[_Label]:
    """Letters above and numbers to the left, slanted like the board."""
    qs, rs = _sorted_parts(places)
    above = [_Label(*put(q, rs[0] - 1), letters(q)) for q in qs]
    return above + [_Label(*put(qs[0] - 1, r), str(r), right=True) for r in rs]


def _pointy_labels(places: Collection[_Place]) -> list[_Label]:
    """q at the lower end of each diagonal; r goes to the margin."""
    ends = dict(sorted(places))  # of each q the last, hence lowest, cell
    return [_Label(*_pointy(q, r + 1), f"q{q}") for q, r in ends.items()]


def _rows_and_columns(names: Mapping[_Place, str]) -> tuple[dict[int, str], dict[int, str]] | None:
    """What names of spaces say of rows and columns, where all are made of both: `5` and `b` of `b5`.

    A column goes down in a zigzag, as tables count hexagons: every other row stands half a cell further right.
    """
    rows: dict[int, str] = {}
    heads: dict[int, str] = {}
    for (q, r), name in names.items():
        found = _ROW_AND_COLUMN.fullmatch(name) or _COLUMN_AND_ROW.fullmatch(name)
        if found is None:
            return None
        row, head = found["row"], found["column"]
        if rows.setdefault(r, row) != row or heads.setdefault((2 * q + r) // 2, head) != head:
            return None
    return rows, heads


def _flat_labels(places: Collection[_Place]) -> list[_Label]:
    """q below each column, r at the left end of each diagonal."""
    starts = {r: q for q, r in sorted(places, reverse=True)}
    bottom = max(_flat(*place)[0] for place in places) + 1
    below = [_Label(bottom, q, f"q{q}") for q in _sorted_parts(places)[0]]
    return below + [_Label(*_flat(q - 1, r), f"r{r}") for r, q in starts.items()]


def _sorted_parts(places: Collection[_Place]) -> tuple[list[int], list[int]]:
    return sorted({first for first, _ in places}), sorted({second for _, second in places})


def _bands(sheet: _Sheet, shown: Sequence[Mark], width: int) -> list[list[Line]]:
    """The sheet in parts no wider than the terminal, each with the margin."""
    texts = [shown[space].text for space in sheet.cells]
    texts += [label.text for label in sheet.labels if not label.right]
    widest = max(map(columns, texts))
    unit = sheet.unit(widest)
    items = list(_items(sheet, shown, widest, unit))
    room = 0 if sheet.between is None else 1  # for a bar at the first column, so that nothing moves when it comes
    first = min(start - room for _, start, mark in items if mark in shown) // unit * unit
    first = min(first, min(start for _, start, _ in items) // unit * unit)
    margin = max(map(columns, sheet.margin.values()), default=-1) + 1
    step = max((width - margin - widest) // unit, 1) * unit
    bands: dict[int, list[_Item]] = defaultdict(list)
    for line, start, mark in items:
        band, column = divmod(start - first, step)
        bands[band].append((line, margin + column, mark))
    return [_drawn([*bands[band], *_margin(sheet, bands[band], margin)]) for band in sorted(bands)]


def _margin(sheet: _Sheet, band: Collection[_Item], width: int) -> list[_Item]:
    lines = {line for line, _, _ in band}
    return [(line, 0, Mark(text.rjust(width - 1))) for line, text in sheet.margin.items() if line in lines]


def _items(sheet: _Sheet, shown: Sequence[Mark], widest: int, unit: int) -> Iterator[_Item]:
    for space, (line, column) in sheet.cells.items():
        yield line, column * unit + (widest - columns(shown[space].text)) // 2, shown[space]
    yield from _on_edges(sheet, widest, unit)
    for label in sheet.labels:
        size = columns(label.text)
        shift = (widest + 1) // 2 - size if label.right else (widest - size) // 2
        yield label.line, label.column * unit + shift, Mark(label.text)


def _drawn(items: Collection[_Item]) -> list[Line]:
    """Items at their lines and columns, with space between."""
    rows: dict[int, list[tuple[int, Mark]]] = defaultdict(list)
    for line, column, mark in items:
        rows[line].append((column, mark))
    return [_spaced(rows[line]) for line in range(min(rows), max(rows) + 1)]


def _spaced(row: list[tuple[int, Mark]]) -> Line:
    line: Line = []
    end = 0
    for column, mark in sorted(row, key=lambda item: item[0]):
        line += [Mark(" " * (column - end)), mark]
        end = column + columns(mark.text)
    return line


def _stacked(bands: Sequence[list[Line]]) -> list[Line]:
    return [line for band in bands for line in [*band, []]][:-1]


# ------------------------------------------------------------------------------------- lists


@dataclass(frozen=True)
class _Column:
    """A space of a ring or track: its name, and what stands below it, line by line."""

    name: str
    marks: tuple[Mark, ...]

    @property
    def room(self) -> int:
        return max(columns(self.name), *(columns(mark.text) for mark in self.marks)) + 2

    @property
    def least(self) -> int:
        """With one column between contents: so a stack of ten is no wider than one of nine below names of two."""
        return max(columns(self.name) + 2, *(columns(mark.text) + 1 for mark in self.marks))


_Rows: TypeAlias = Sequence[tuple[str, Sequence[Mark]]]


def _row_lines(board: Board, names: Sequence[str], shown: Sequence[Mark], told: _Rows, width: int) -> list[Line]:
    """Names over contents; `> 1` says that a ring begins again, and a hub stands apart."""
    rows: list[tuple[str, Sequence[Mark]]] = [("", shown), *told]
    if len(told) == 1 and all(mark == EMPTY for mark in shown):
        rows = [("", told[0][1])]  # nothing but this is ever there, so it needs no title
    titles = ["", *(title for title, _ in rows)]
    margin = max(columns(title) for title in titles)
    titles = [pad(title, margin + 2 if margin else 0) for title in titles]
    entries = [_Column(name, tuple(marks[space] for _, marks in rows)) for space, name in enumerate(names)]
    winds = len({y for _, y in board.positions}) > 1 and board.outline == "square"
    if winds:
        winding = list(_winding_lines(board, entries, titles))
        if max(sum(columns(mark.text) for mark in line) for line in winding) <= width + 2:
            return winding
    hubs = {edge.start for edge in board.edges}
    line = [entry for space, entry in enumerate(entries) if space not in hubs]
    empty = tuple(Mark("") for _ in rows)
    if board.shape == "ring" and line:
        line.append(_Column(f"> {line[0].name}", empty))
    for hub in hubs:
        line += [_Column("|", tuple(Mark("|") for _ in rows)), entries[hub]]
    return _stacked([_column_lines(chunk, titles) for chunk in _chunks(line, width - len(titles[0]))])


def _winding_lines(board: Board, entries: Sequence[_Column], titles: Sequence[str]) -> Iterator[Line]:
    """A track that is drawn in rows: as on paper, the first row below, spaces of all rows in the same columns."""
    room = max(entry.least for entry in entries)
    rows: dict[float, dict[float, _Column]] = defaultdict(dict)
    apart = []
    for (x, y), entry in zip(board.positions, entries, strict=True):
        if float(y).is_integer():
            rows[y][x] = entry
        else:
            apart.append((x, entry))  # the hub of a ring, between its rows
    first = min(x for x, _ in board.positions)
    for y in sorted(rows, reverse=True):
        gap = " " * (room * int(min(rows[y]) - first))  # before a shorter row that comes from the right
        yield from _column_lines([rows[y][x] for x in sorted(rows[y])], [title + gap for title in titles], room)
        if y > min(rows):
            yield []
            for x, entry in apart:
                shift = " " * (round(room * (x - first)) if x > first else 0)
                yield from _column_lines([entry], [title + shift for title in titles], room)
                yield []


def _pile_lines(board: Board, names: Sequence[str], piles: Sequence[Sequence[Mark]], width: int) -> list[Line]:
    """A track in two rows as it lies on a table: piles grow from both rims towards the middle, names are outside."""
    heights = sorted({y for _, y in board.positions}, reverse=True)
    if not piles or board.outline != "square" or len(heights) != 2 or max(map(len, piles)) < 2:
        return []
    entries = [_Column(name, _pile(pile)) for name, pile in zip(names, piles, strict=True)]
    room = max(entry.least for entry in entries)
    lines: list[Line] = []
    for y in heights:
        row = sorted((x, space) for space, (x, own) in enumerate(board.positions) if own == y)
        found = _column_lines([entries[space] for _, space in row], [""] * (_PILE + 1), room)
        lines += [*found, []] if y == heights[0] else reversed(found)
    return lines if max(sum(columns(mark.text) for mark in line) for line in lines) <= width + 2 else []


def _pile(pile: Sequence[Mark]) -> tuple[Mark, ...]:
    """What lies on a space, the first of it at the rim; of a high pile the number stands at its end."""
    shown = [Mark(mark.text, mark.colour, True) for mark in pile[:_PILE]] or [EMPTY]
    if len(pile) > _PILE:
        shown[-1] = Mark(str(len(pile)), shown[-1].colour, True)
    return (*map(_clean, shown), *[Mark("")] * (_PILE - len(shown)))


def _chunks(entries: Sequence[_Column], width: int) -> Iterator[list[_Column]]:
    chunk: list[_Column] = []
    for entry in entries:
        if chunk and sum(one.room for one in chunk) + entry.room > width + 2:
            yield chunk
            chunk = []
        chunk.append(entry)
    yield chunk


def _column_lines(entries: Sequence[_Column], titles: Sequence[str], room: int = 0) -> list[Line]:
    """The names of spaces, and below them what is there, each line behind its title."""
    rooms = [room or entry.room for entry in entries]
    lines: list[Line] = [[Mark(titles[0]), *(Mark(pad(e.name, wide)) for e, wide in zip(entries, rooms, strict=True))]]
    for number, title in enumerate(titles[1:]):
        line = [Mark(title)]
        for entry, wide in zip(entries, rooms, strict=True):
            mark = entry.marks[number]
            line += [mark, Mark(" " * (wide - columns(mark.text)))]
        lines.append(line)
    return lines


def _graph_lines(
    board: Board, names: Sequence[str], shown: Sequence[Mark], less: Sequence[Mark], width: int
) -> list[Line]:
    """Points and lines, where these say all; with a list of all ways where they do not. Where it would be too wide, it
    shows less."""
    items = plotted(board, names, shown, width) or plotted(board, names, shown, width, less)
    if not items:
        return _list_lines(board, names, shown)
    back = {(link.end, link.start) for link in board.links}
    told = all((link.start, link.end) in back for link in board.links)
    told = told and (bool(board.positions) or not any(link.label for link in board.links))
    return _drawn(items) if told else [*_drawn(items), [], *_list_lines(board, names, shown)]


def _list_lines(board: Board, names: Sequence[str], shown: Sequence[Mark]) -> list[Line]:
    """A line for each space: its name, what lies there, its neighbours; `>` leads to one without return."""
    name_width, mark_width = max(map(columns, names)), max(columns(mark.text) for mark in shown)
    ways = _ways(board, names)
    return [
        [
            Mark(pad(name, name_width + 2)),
            shown[space],
            Mark(" " * (mark_width - columns(shown[space].text) + 2)),
            Mark(", ".join(ways[space])),
        ]
        for space, name in enumerate(names)
    ]


def _ways(board: Board, names: Sequence[str]) -> list[list[str]]:
    there = {(link.start, link.end) for link in board.links}
    ways: list[list[str]] = [[] for _ in names]
    for link in board.links:
        label = f"{plain(link.label)}: " if link.label else ""
        arrow = "" if (link.end, link.start) in there else "> "
        ways[link.start].append(f"{label}{arrow}{names[link.end]}")
    return ways
