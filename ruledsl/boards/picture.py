"""Boards as text for a terminal.

Grids and hexagons are sheets: every cell and every label has a line and a column there, so the same few
functions draw, cut and colour them. The rest is written as lists. Pictures hold no words, for games have
languages of their own.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from ruledsl.boards.base import Board, Outline, letters
from ruledsl.boards.layout import layout
from ruledsl.boards.marks import Mark, Marks, columns, pad, paint, plain

EMPTY = Mark(".")
_RIM = 4  # lines and columns kept around the part in use when the whole is too wide
_MOST_PLOTTED = 16

Line: TypeAlias = list[Mark]
_Place: TypeAlias = tuple[int, int]  # a line and a column, or two coordinates
_Item: TypeAlias = tuple[int, int, Mark]  # a line, a column and what begins there


def picture(board: Board, marks: Marks, *, colour: bool, width: int = 100, ground: Marks | None = None) -> str:
    """The board with what lies on it: a mark or nothing for each space; `ground` shows on the empty ones.

    A grid or a board of hexagons that is too wide is cut down to the part in use, then into bands.
    """
    below = ground or [None] * len(board)
    shown = [_clean(mark or under or EMPTY) for mark, under in zip(marks, below, strict=True)]
    match board.shape:
        case "grid" | "hexes":
            lines = _sheet_lines(board, shown, width)
        case "ring" | "track":
            lines = _row_lines(board, shown, width)
        case _:
            lines = [*_plot_lines(board, shown, width), *_list_lines(board, shown)]
    return "\n".join("".join(paint(mark, colour) for mark in line).rstrip() for line in lines)


def _clean(mark: Mark) -> Mark:
    return Mark(plain(mark.text), mark.colour, mark.bold)


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

    def unit(self, widest: int) -> int:
        """The columns of the terminal in a unit; pointy hexagons are two units wide."""
        match self.outline:
            case "hex-pointy":
                return (widest + 2) // 2
            case "hex-flat":
                return max(widest + 1, 3)
            case _:
                return widest + 1


def _sheet_lines(board: Board, shown: Sequence[Mark], width: int) -> list[Line]:
    whole = _sheet(board, range(len(board)))
    bands = _bands(whole, shown, width)
    used = [space for space, mark in enumerate(shown) if mark != EMPTY]
    if len(bands) == 1 or not used:
        return _stacked(bands)
    part = _around(whole, used)
    count = [[Mark(f"[{len(part)}/{len(board)}]")]] if len(part) < len(board) else []
    return _stacked(_bands(_sheet(board, part), shown, width)) + count


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
        return _grid_sheet(places)
    put = _pointy if board.outline == "hex-pointy" else _flat
    cells = {space: put(q, r) for space, (q, r) in places.items()}
    if all(board.spaces[space] == f"{letters(q)}{r}" for space, (q, r) in places.items()):
        return _Sheet(board.outline, cells, _rhombus_labels(places.values(), put), {})
    if board.outline == "hex-flat":
        return _Sheet(board.outline, cells, _flat_labels(places.values()), {})
    rows = {r: f"r{r}" for _, r in places.values()}
    return _Sheet(board.outline, cells, _pointy_labels(places.values()), rows)


def _grid_sheet(places: Mapping[int, _Place]) -> _Sheet:
    files, ranks = _sorted_parts(places.values())
    return _Sheet(
        outline="square",
        cells={space: (-y, x) for space, (x, y) in places.items()},
        labels=[_Label(1 - ranks[0], x, letters(x)) for x in files],
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
    first = min(start for _, start, _ in items) // unit * unit
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


def _row_lines(board: Board, shown: Sequence[Mark], width: int) -> list[Line]:
    """Names over contents; `> 1` says that a ring begins again, and a hub stands apart."""
    if len({y for _, y in board.positions}) > 1 and board.shape == "track":
        winding = list(_winding_lines(board, shown))
        if max(sum(columns(mark.text) for mark in line) for line in winding) <= width + 2:
            return winding
    hubs = {edge.start for edge in board.edges}
    entries = [(plain(name), shown[space]) for space, name in enumerate(board.spaces) if space not in hubs]
    if board.shape == "ring" and entries:
        entries.append((f"> {entries[0][0]}", Mark("")))
    for hub in hubs:
        entries += [("|", Mark("|")), (plain(board.spaces[hub]), shown[hub])]
    return _stacked([_two_lines(chunk) for chunk in _chunks(entries, width)])


def _winding_lines(board: Board, shown: Sequence[Mark]) -> Iterator[Line]:
    """A track that is drawn in rows: as on paper, the first row below, spaces of all rows in the same columns."""
    entries = [(plain(name), mark) for name, mark in zip(board.spaces, shown, strict=True)]
    room = max(map(_room, entries))
    rows: dict[float, dict[float, _Entry]] = defaultdict(dict)
    for (x, y), entry in zip(board.positions, entries, strict=True):
        rows[y][x] = entry
    first = min(x for x, _ in board.positions)
    for y in sorted(rows, reverse=True):
        gap = Mark(" " * (room * int(min(rows[y]) - first)))  # before a shorter row that comes from the right
        names, marks = _two_lines([rows[y][x] for x in sorted(rows[y])], room)
        yield from ([gap, *names], [gap, *marks], []) if y > min(rows) else ([gap, *names], [gap, *marks])


_Entry = tuple[str, Mark]


def _room(entry: _Entry) -> int:
    return max(columns(entry[0]), columns(entry[1].text)) + 2


def _chunks(entries: Sequence[_Entry], width: int) -> Iterator[list[_Entry]]:
    chunk: list[_Entry] = []
    for entry in entries:
        if chunk and sum(map(_room, chunk)) + _room(entry) > width + 2:
            yield chunk
            chunk = []
        chunk.append(entry)
    yield chunk


def _two_lines(entries: Sequence[_Entry], room: int = 0) -> list[Line]:
    rooms = [room or _room(entry) for entry in entries]
    names = [Mark(pad(name, wide)) for (name, _), wide in zip(entries, rooms, strict=True)]
    marks = [[mark, Mark(" " * (wide - columns(mark.text)))] for (_, mark), wide in zip(entries, rooms, strict=True)]
    return [names, [part for pair in marks for part in pair]]


def _list_lines(board: Board, shown: Sequence[Mark]) -> list[Line]:
    """A line for each space: its name, what lies there, its neighbours; `>` leads to one without return."""
    names = [plain(name) for name in board.spaces]
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


def _plot_lines(board: Board, shown: Sequence[Mark], width: int) -> list[Line]:
    """A small graph as it is laid out, at the narrowest scale at which no two names touch."""
    if len(board) > _MOST_PLOTTED:
        return []
    for scale in (6, 8, 12, 16):
        items = _plotted(board, shown, scale)
        reach = max(column + columns(mark.text) for _, column, mark in items)
        if reach <= width and not _overlap(items):
            return [*_drawn(items), []]
    return []


def _plotted(board: Board, shown: Sequence[Mark], scale: int) -> list[_Item]:
    items = []
    for (x, y), name, mark in zip(layout(board), board.spaces, shown, strict=True):
        text = f"{mark.text} {plain(name)}"
        items.append((-round(y * scale / 3), round(x * scale) - columns(text) // 2, Mark(text, mark.colour, mark.bold)))
    left = min(column for _, column, _ in items)
    return [(line, column - left, mark) for line, column, mark in items]


def _overlap(items: Sequence[_Item]) -> bool:
    ordered = sorted((line, column, columns(mark.text)) for line, column, mark in items)
    return any(a[0] == b[0] and a[1] + a[2] + 2 > b[1] for a, b in pairwise(ordered))
