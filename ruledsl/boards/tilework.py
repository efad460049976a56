"""Boards of tiles as text for a terminal.

Each tile fills its space with the signs of its grounds; what stands on an area stands near the middle of it, and
spaces without a tile carry their names, as options use them. Only what is in use is drawn, with the spaces around.
There are two sizes: with outlines where there is room, and a low one without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, lru_cache
from math import cos, dist, pi
from textwrap import wrap
from typing import Any

from ruledsl.boards.base import OFF, Board, Outline, Point
from ruledsl.boards.faces import MIDDLE, Area, Cell, Face, anchor, area_at, printed, side_count
from ruledsl.boards.marks import Mark, paint, plain
from ruledsl.records import dataclass
from ruledsl.wording.columns import columns

_PLAIN = Mark(" ")
_WHOLE = 100  # spaces of a board that is drawn whole
SIZES = (4, 3, 2)  # lines of a space: only the largest is drawn with its outline
OUTLINED, LOW = SIZES[:2]
BORDERS = "|-"  # between areas of a tile that look alike
_LEAST_TEXT = 9  # columns of texts below tiles, however narrow these are
_LEAST_NAME = 5  # columns that names have at least: `-1,-2`


@dataclass(frozen=True)
class _Dot:
    """One column of one line."""

    text: str
    mark: Mark = _PLAIN
    ground: str | None = None
    faint: bool = False


@dataclass
class Canvas:
    """A picture that is being made: by line and column; a wide sign leaves the column behind it out."""

    dots: dict[tuple[int, int], _Dot] = field(default_factory=dict)
    pitch: int = 1  # from one column of spaces to the next

    @property
    def width(self) -> int:
        return max((column + columns(dot.text) for (_, column), dot in self.dots.items()), default=0)

    @property
    def height(self) -> int:
        return max((line + 1 for line, _ in self.dots), default=0)

    def put(self, line: int, column: int, dot: _Dot) -> None:
        """A sign, unless nothing is left of it."""
        if columns(dot.text) > 0:
            self.dots[line, column] = dot

    def write(self, line: int, column: int, text: str, faint: bool = False) -> None:
        for char in plain(text):
            self.put(line, column, _Dot(char, faint=faint))
            column += columns(char)

    def stamp(self, other: Canvas, line: int, column: int) -> None:
        for (y, x), dot in other.dots.items():
            self.dots[line + y, column + x] = dot

    def edge(self, stamp: _Stamp, line: int, column: int) -> None:
        """The outline of a space, where nothing has been drawn yet."""
        for y, x, char in stamp.outline:
            self.dots.setdefault((line + y, column + x), _Dot(char, faint=True))

    def keep_free(self, stamp: _Stamp, line: int, column: int) -> None:
        """Leaves room for a space that is not drawn."""
        for y, x in [(y, x) for y, x, _ in (*stamp.outline, *stamp.inside)]:
            self.dots.setdefault((line + y, column + x), _Dot(" "))

    def moved_home(self) -> Canvas:
        """The same with its first line and column in use at 0."""
        top, left = min((y for y, _ in self.dots), default=0), min((x for _, x in self.dots), default=0)
        return Canvas({(y - top, x - left): dot for (y, x), dot in self.dots.items()}, self.pitch)

    def cut(self, first: int, last: int) -> Canvas:
        """The columns from `first` up to `last`."""
        return Canvas({(y, x - first): dot for (y, x), dot in self.dots.items() if first <= x < last})

    def lines(self, colour: bool) -> list[str]:
        rows: list[dict[int, _Dot]] = [{} for _ in range(self.height)]
        for (line, column), dot in self.dots.items():
            rows[line][column] = dot
        return ["".join(_row(row, colour)).rstrip() for row in rows]


def _row(row: Mapping[int, _Dot], colour: bool) -> Iterator[str]:
    end = 0
    for column in sorted(row):
        if column < end:
            continue
        dot = row[column]
        yield " " * (column - end)
        text = dot.text
        yield paint(Mark(text, dot.mark.colour, dot.mark.bold), colour, dot.ground, dot.faint)
        end = column + columns(text)


# ---------------------------------------------------------------------------------------- spaces


@dataclass(frozen=True)
class _Stamp:
    """How one space is drawn: which columns of which lines are inside, where those points lie, and its outline."""

    inside: tuple[tuple[int, int, Point], ...]
    outline: tuple[tuple[int, int, str], ...]
    pitch: int
    rise: int
    name_line: int

    def where(self, outline: Outline, first: int, second: int) -> tuple[int, int]:
        """The line and column of the space with these coordinates."""
        match outline:
            case "hex-flat":
                return self.rise * second + self.rise * first // 2, self.pitch * first
            case "hex-pointy":
                return self.rise * second, self.pitch * first + self.pitch // 2 * second
            case _:
                return -self.rise * second, self.pitch * first


@cache
def _stamp(outline: Outline, name: int, lines: int) -> _Stamp:
    """A space with room for names of so many columns: of 4 lines with its outline, or of 3 or 2 without."""
    name += 1 - name % 2  # odd, so that there is a middle
    if lines < OUTLINED:
        inside = [(line, column) for line in range(lines) for column in range(name)]
        # The lines stand for points nearer the rim than they are, so that what is only there is seen.
        points = _points(outline, inside, lines, name)
        return _Stamp(
            tuple((line, column, (x, 1.3 * y)) for line, column, (x, y) in points), (), name + 1, lines, lines // 2
        )
    if outline == "hex-flat":
        wide = name + 4
        inside = [
            (line, column)
            for line in range(4)
            for column in range(1, wide - 1)
            if line in (1, 2) or 2 <= column <= wide - 3
        ]
        border = [(-1, column, "_") for column in range(2, wide - 2)]
        border += [(0, 1, "/"), (1, 0, "/"), (2, 0, "\\"), (3, 1, "\\")]
        border += [(0, wide - 2, "\\"), (1, wide - 1, "\\"), (2, wide - 1, "/"), (3, wide - 2, "/")]
        border += [(3, column, "_") for column in range(2, wide - 2)]
        return _Stamp(_points(outline, inside, 4, wide), tuple(border), name + 2, 4, 2)
    wide = name + 2
    inside = [(line, column) for line in range(1, 4) for column in range(1, wide + 1)]
    border = [(line, column, "-") for line in (0, 4) for column in range(1, wide + 1)]
    border += [(line, column, "|") for line in range(1, 4) for column in (0, wide + 1)]
    border += [(line, column, "+") for line in (0, 4) for column in (0, wide + 1)]
    within = [(line - 1, column - 1) for line, column in inside]
    points = tuple((line + 1, column + 1, point) for line, column, point in _points(outline, within, 3, wide))
    return _Stamp(points, tuple(border), wide + 1, 4, 3)


def _points(
    outline: Outline, inside: Sequence[tuple[int, int]], lines: int, wide: int
) -> tuple[tuple[int, int, Point], ...]:
    """The points that columns stand for, on a space of so many lines and columns."""
    across = 1 / cos(pi / 6) if outline == "hex-flat" else 1.0
    down = 1 / cos(pi / 6) if outline == "hex-pointy" else 1.0
    return tuple(
        (line, column, ((2 * column + 1 - wide) / wide * across, (2 * line + 1 - lines) / lines * down))
        for line, column in inside
    )


def _draw(cell: Cell | None, name: str, stamp: _Stamp, outline: Outline, offered: bool) -> Canvas:
    """A space, with its tile or its name."""
    canvas = Canvas()
    if cell is not None and cell.face is not None:
        _fill(canvas, cell.face, stamp, outline)
    taken: set[tuple[int, int]] = set()
    for mark, where in _things(cell, outline) if cell is not None else ():
        _place(canvas, mark, where, stamp, taken)
    if name and (stamp.outline or offered or cell is None or cell.face is None):
        _name(canvas, name, stamp, taken, faint=not offered)
    return canvas


def _fill(canvas: Canvas, face: Face, stamp: _Stamp, outline: Outline) -> None:
    for (line, column), dot in _ground(tuple(replace(area, pieces=()) for area in face.areas), stamp, outline):
        canvas.put(line, column, dot)


@lru_cache(maxsize=2000)
def _ground(areas: tuple[Area, ...], stamp: _Stamp, outline: Outline) -> tuple[tuple[tuple[int, int], _Dot], ...]:
    """What fills a space with these areas; the same tiles are drawn again and again."""
    ends = _cuts(areas, stamp, outline)
    rim = {(line, column): char for line, column, char in stamp.outline}
    low = [place for place in stamp.inside if place[:2] in rim]
    for line, column, _ in low[1:-1]:  # of a border that runs inside, only the ends are drawn: the rest shows ground
        del rim[line, column]
    found = []
    for line, column, point in stamp.inside:
        area = area_at(areas, point, outline)
        if (line, column) in ends:
            found.append(((line, column), _Dot(ends[line, column], faint=True)))
        elif area is not None:
            char = rim.get((line, column)) or (plain(area.look.text) or ".")[0]
            found.append(((line, column), _Dot(char if columns(char) == 1 else ".", ground=area.look.colour)))
    return tuple(found)


def _cuts(areas: tuple[Area, ...], stamp: _Stamp, outline: Outline) -> dict[tuple[int, int], str]:
    """The lines where an area ends at another one of the same look, so that nobody takes the two for one."""
    found = {(line, column): area_at(areas, point, outline) for line, column, point in stamp.inside}
    ends: dict[tuple[int, int], str] = {}
    for (line, column), area in found.items():
        for beside, place, sign in (
            ((line, column + 1), (line, column), BORDERS[0]),
            ((line + 1, column), (line + 1, column), BORDERS[1]),
        ):
            other = found.get(beside)
            if area is not None and other is not None and other is not area and other.look.text == area.look.text:
                ends.setdefault(place, sign)
    return ends


def divided(face: Face, outline: Outline, sizes: Sequence[int]) -> bool:
    """Whether a line is drawn on a tile of one of these sizes, between areas that look alike."""
    looks = [area.look.text for area in face.areas]
    if len(set(looks)) == len(looks):
        return False
    areas = tuple(replace(area, pieces=()) for area in face.areas)
    return any(_cuts(areas, _stamp(outline, _LEAST_NAME, lines), outline) for lines in sizes)


def _things(cell: Cell, outline: Outline) -> Iterator[tuple[Mark, Point]]:
    """All that is to be seen on a space besides its ground, and where it wants to be."""
    for area in cell.face.areas if cell.face else ():
        yield from ((mark, anchor(area, outline)) for mark in area.pieces)
    yield from ((mark, MIDDLE) for mark in cell.pieces)
    if cell.value is not None:
        yield replace(cell.value, bold=True), MIDDLE
    elif (sign := printed(cell)) is not None:
        yield sign, MIDDLE


def _place(canvas: Canvas, mark: Mark, where: Point, stamp: _Stamp, taken: set[tuple[int, int]]) -> None:
    """Writes a mark as near as there is room to where it wants to be."""
    text = plain(mark.text)
    if not text:
        return
    size = columns(text)
    points = {(line, column): point for line, column, point in stamp.inside}
    best: tuple[float, tuple[int, int]] | None = None
    for (line, column), (x, y) in points.items():
        used = [(line, column + i) for i in range(size)]
        if any(dot not in points or dot in taken for dot in used):
            continue
        end = points[used[-1]]
        away = dist(((x + end[0]) / 2, y), where)
        if best is None or away < best[0] - 0.01:
            best = (away, (line, column))
    if best is None:
        return
    line, column = best[1]
    ground = canvas.dots.get((line, column), _Dot(" ")).ground
    for char in text:
        canvas.put(line, column, _Dot(char, mark, mark.colour if mark.bold and mark.colour else ground))
        taken.update((line, column + i) for i in range(columns(char)))
        column += columns(char)


def _room(stamp: _Stamp) -> int:
    return sum(line == stamp.name_line for line, _, _ in stamp.inside)


def _name(canvas: Canvas, name: str, stamp: _Stamp, taken: Collection[tuple[int, int]], faint: bool) -> None:
    """The name in the middle of a line that is free there."""
    lines = sorted({line for line, _, _ in stamp.inside}, key=lambda line: abs(line - stamp.name_line))
    apart = f" {plain(name)} "  # so that no ground reads as a part of the name
    for line, text in [(line, apart) for line in lines[:1]] + [(line, plain(name)) for line in lines]:
        here = [column for at, column, _ in stamp.inside if at == line]
        start = here[0] + (len(here) - columns(text)) // 2
        if columns(text) > len(here) or any((line, start + i) in taken for i in range(columns(text))):
            continue
        for char in text:
            ground = canvas.dots.get((line, start), _Dot(" ")).ground
            canvas.put(line, start, _Dot(char, ground=ground, faint=faint and ground is None))
            start += columns(char)
        return


# ---------------------------------------------------------------------------------------- boards


def in_use(
    board: Board, cells: Sequence[Cell | None], offered: Collection[int] = (), frontier: bool = True
) -> list[int]:
    """The spaces that are worth drawing: with something on them, offered, or beside enough tiles for another one."""
    if not board.touching and len(board) <= _WHOLE:
        return list(range(len(board)))  # a small board with a border is shown as such
    found = {space for space, cell in enumerate(cells) if cell is not None} | set(offered)
    if found and not frontier:
        return sorted(found)
    tiled = [space for space, cell in enumerate(cells) if cell is not None and cell.face is not None]
    touched = Counter(near for space in tiled for side in board.sides if (near := board.steps[side][space]) != OFF)
    return sorted(found | {space for space, times in touched.items() if times >= board.touching})


def board_canvas(
    board: Board,
    cells: Sequence[Cell | None],
    spaces: Sequence[int],
    offered: Collection[int] = (),
    lines: int = OUTLINED,
    frame: Collection[int] = (),
    named: bool = True,
) -> Canvas:
    """Some spaces of a board of tiles; there is room for those of the `frame`, too, so that nothing moves later.

    Where they are not `named`, nothing covers their ground: those offered stand between brackets.
    """
    first, second = board.coordinates.values()
    names = {space: board.spaces[space] if named else "" for space in spaces}
    kept = max((columns(plain(board.spaces[space])) for space in frame), default=0)
    if any(cells[space] is None for space in offered):  # where a tile may come, only these need a name
        names |= {space: "" for space in spaces if cells[space] is None and space not in offered}
    widest = max((columns(plain(name)) for name in names.values()), default=kept)
    stamp = _stamp(board.outline, max(widest, kept, _LEAST_NAME), lines)
    canvas = Canvas(pitch=stamp.pitch)
    marked = {space: f"[{names[space]}]" for space in offered if names.get(space)}
    if all(columns(name) <= _room(stamp) for name in marked.values()):  # all of them or none
        names |= marked
    places = {space: stamp.where(board.outline, first[space], second[space]) for space in spaces}
    for space, place in places.items():
        canvas.stamp(_draw(cells[space], names[space], stamp, board.outline, space in offered), *place)
    for place in places.values():
        canvas.edge(stamp, *place)
    for space in frame:
        canvas.keep_free(stamp, *stamp.where(board.outline, first[space], second[space]))
    for space in () if named else offered:
        _bracket(canvas, stamp, *places[space])
    return canvas.moved_home()


def _bracket(canvas: Canvas, stamp: _Stamp, line: int, column: int) -> None:
    """Brackets a space, beside its ground."""
    here = [at for row, at, _ in stamp.inside if row == stamp.name_line]
    for at, sign in ((min(here) - 1, "["), (max(here) + 1, "]")):
        canvas.put(line + stamp.name_line, column + at, _Dot(sign, Mark(sign, bold=True)))


def tile_picture_sized(
    board: Board,
    cells: Sequence[Cell | None],
    *,
    colour: bool,
    width: int = 100,
    height: int | None = None,
    offered: Collection[int] = (),
    frontier: bool = True,
    sizes: Sequence[int] = SIZES,
    frame: Collection[int] = (),
) -> tuple[str, int]:
    """The part of a board of tiles that is in use, as large as it fits; in bands if it is too wide all the same.

    Without `frontier` only spaces with something on them and those offered are drawn; there is room for those of the
    `frame` all the same. A space has as many lines as one
    of the `sizes`, the largest first: also how many those are.
    """
    spaces = in_use(board, cells, offered, frontier)
    for lines in sizes:
        canvas = board_canvas(board, cells, spaces, offered, lines, frame)
        if canvas.width <= width and (height is None or canvas.height <= height or lines == sizes[-1]):
            return "\n".join(canvas.lines(colour)), lines
    step = max(width // canvas.pitch, 1) * canvas.pitch
    bands = [canvas.cut(first, first + step) for first in range(0, canvas.width, step)]
    return "\n\n".join("\n".join(band.lines(colour)) for band in bands), sizes[-1]


def tile_picture(board: Board, cells: Sequence[Cell | None], **how: Any) -> str:
    """The same without its size."""
    return tile_picture_sized(board, cells, **how)[0]


def faces_canvas(
    outline: Outline,
    faces: Sequence[tuple[Face | None, Sequence[str]]],
    width: int,
    gap: int = 2,
    lines: int = OUTLINED,
) -> Canvas:
    """Tiles side by side, each above its lines of text, which are narrow where that brings all into one row."""
    stamp = _stamp(outline, _LEAST_NAME, lines)
    bare = {id(face): _bare(face, stamp, outline) for face, _ in faces}
    if sum(max(bare[id(face)].width, *map(columns, texts), 0) + gap for face, texts in faces) > width + gap:
        least = max(_LEAST_TEXT, *(drawn.width for drawn in bare.values()))
        beside = max(1, (width + gap) // (least + gap))
        room = (width + gap) // min(beside, len(faces)) - gap
        faces = [(face, _narrow(texts, room)) for face, texts in faces]
    whole = Canvas()
    line = column = lowest = 0
    for face, texts in faces:
        drawn = bare[id(face)]
        room = max(drawn.width, *(columns(plain(text)) for text in texts), 0)
        if column and column + room > width:
            line, column = lowest + 1, 0
        whole.stamp(drawn, line, column + (room - drawn.width) // 2)
        for number, text in enumerate(texts):
            whole.write(line + drawn.height + number, column + (room - columns(plain(text))) // 2, text)
        lowest = max(lowest, line + drawn.height + len(texts))
        column += room + gap
    return whole


def _bare(face: Face | None, stamp: _Stamp, outline: Outline) -> Canvas:
    """A tile by itself."""
    drawn = _draw(Cell(face), "", stamp, outline, False)
    drawn.edge(stamp, 0, 0)
    return drawn.moved_home()


def _narrow(texts: Sequence[str], width: int) -> list[str]:
    """Texts in lines of about the width of what they stand below."""
    return [line for text in texts for line in wrap(plain(text), width, break_long_words=False)]


def beside(canvases: Sequence[Canvas], width: int, gap: int = 3) -> Canvas:
    """Pictures side by side, in as many rows as they need."""
    whole = Canvas()
    line = column = lowest = 0
    for canvas in canvases:
        if column and column + canvas.width > width:
            line, column = lowest + 1, 0
        whole.stamp(canvas, line, column)
        lowest = max(lowest, line + canvas.height)
        column += canvas.width + gap
    return whole


__all__ = [
    "BORDERS",
    "LOW",
    "OUTLINED",
    "SIZES",
    "Canvas",
    "beside",
    "board_canvas",
    "divided",
    "faces_canvas",
    "in_use",
    "side_count",
    "tile_picture",
    "tile_picture_sized",
]
