"""Boards whose spaces are boxes with words in them: for the terminal and as SVG.

So drawn are boards of a few spaces on which much is told, such as what a player has built and where workers stand. A
grid and spaces with `x` and `y` stand as there; the spaces of all others follow one another in rows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from typing import TypeAlias

from ruledsl.boards.base import Board, files
from ruledsl.boards.handles import Handles, held
from ruledsl.boards.marks import Mark, paint, plain
from ruledsl.boards.painting import Painting
from ruledsl.boards.svg import behind, beside_spaces, colour_of, document, pale, readable_on, text_at
from ruledsl.records import dataclass
from ruledsl.wording.columns import columns

_MOST = 13  # columns of the terminal in a box, as long as there is room
_LEAST = 9  # if two boards beside each other leave less, one stands alone
_APART = 4  # columns between two boards
_TOKENS = 5  # that are drawn one by one; more of a sort are counted
_MANY = 6  # boxes in a row, where the board itself has no rows

Line: TypeAlias = list[Mark]
_Place: TypeAlias = tuple[int, int]  # a row from the top, and a column


@dataclass(frozen=True)
class Tokens:
    """Tokens of one sort in a box: their sign, how many, what they are called."""

    mark: Mark
    count: int
    title: str

    def drawn(self) -> str:
        sign = plain(self.mark.text)
        return sign * self.count if self.count <= _TOKENS else f"{sign} × {self.count}"


@dataclass(frozen=True)
class Box:
    """A space: what it is called, where that is not told beside the board, and line by line what is there."""

    title: str = ""
    lines: tuple[Mark, ...] = ()
    tokens: tuple[Tokens, ...] = ()
    colour: str | None = None

    @property
    def empty(self) -> bool:
        return not self.lines and not self.tokens


def _places(board: Board | None, count: int) -> list[_Place]:
    """The row and column of every space; of cards without a board one after the other."""
    if board is None:
        return [divmod(number, _MANY) for number in range(count)]
    across: Sequence[float]
    down: Sequence[float]
    if board.shape == "grid":
        across, down = board.coordinates["x"], [-y for y in board.coordinates["y"]]
    elif board.positions:
        across, down = [x for x, _ in board.positions], [-y for _, y in board.positions]
    else:
        return _places(None, len(board))
    rows, files = ({value: at for at, value in enumerate(sorted(set(values)))} for values in (down, across))
    return [(rows[y], files[x]) for x, y in zip(across, down, strict=True)]


def _at(places: Sequence[_Place]) -> tuple[dict[_Place, int], int, int]:
    """Which space stands where, and the numbers of rows and columns."""
    at = {place: space for space, place in enumerate(places)}
    return at, 1 + max(row for row, _ in places), 1 + max(file for _, file in places)


def _row_names(board: Board | None, places: Sequence[_Place]) -> dict[int, str]:
    """What stands to the left of the rows of a grid."""
    if board is None or board.shape != "grid":
        return {}
    return {place[0]: str(y) for place, y in zip(places, board.coordinates["y"], strict=True)}


def _file_names(board: Board | None, places: Sequence[_Place]) -> dict[int, str]:
    """What stands below the columns of a grid."""
    if board is None or board.shape != "grid":
        return {}
    names = files(board)
    return {place[1]: names[x] for place, x in zip(places, board.coordinates["x"], strict=True)}


# ------------------------------------------------------------------------------------------- terminal


def boxes_picture(
    board: Board, boxes: Sequence[Box], *, colour: bool, width: int = 100, marked: frozenset[int] = frozenset()
) -> list[str]:
    """The lines of a board; `marked` are spaces that get a `+`."""
    places = _places(board, len(boxes))
    at, rows, files = _at(places)
    names, below = _row_names(board, places), _file_names(board, places)
    margin = max(map(columns, names.values()), default=-1) + 1
    inner = _inner(files, margin, width)
    told = [_told(box, inner, space in marked) for space, box in enumerate(boxes)]
    lines = []
    for row in range(rows):
        here = [told[at[row, file]] if (row, file) in at else [] for file in range(files)]
        height = max(2, *map(len, here))
        lines.append(" " * margin + _rule(at, row, files, inner))
        for number in range(height):
            cells = [_cell(cell, number, inner, colour) for cell in here]
            name = names.get(row, "") if number == (height - 1) // 2 else ""
            sides = [_side(at, row, file) for file in range(files + 1)]
            line = "".join(side + cell for side, cell in zip(sides, [*cells, ""], strict=True))
            lines.append((name.ljust(margin) + line).rstrip())
    lines.append(" " * margin + _rule(at, rows, files, inner))
    if below:
        middle = [" " * (1 + (inner - 1) // 2) + name for _, name in sorted(below.items())]
        lines.append((" " * margin + "".join(text.ljust(inner + 1) for text in middle)).rstrip())
    return lines


def _inner(files: int, margin: int, width: int) -> int:
    """The columns inside a box, always the same, so that nothing moves: best so that there is room for two boards."""
    half, whole = (((room - margin - 1) // files) - 1 for room in ((width - _APART) // 2, width))
    room = half if half >= _LEAST else whole
    return max(3, min(_MOST, room))


def glance(boxes: Sequence[Box], names: Sequence[str]) -> str:
    """What is in boxes, in one line: `hunting: ●●, region I: ●`."""
    told = []
    for box, name in zip(boxes, names, strict=True):
        parts = [plain(line.text) for line in box.lines] + [tokens.drawn() for tokens in box.tokens]
        if parts:
            told.append(f"{plain(name)}: {' '.join(parts)}")
    return ", ".join(told)


def _told(box: Box, inner: int, marked: bool) -> list[Line]:
    """What stands in a box, line by line."""
    found: list[Line] = [[Mark(text)] for text in wrapped(plain(box.title), inner)]
    for line in box.lines:
        found += [[Mark(text, line.colour, line.bold)] for text in wrapped(plain(line.text), inner)]
    row: Line = []
    for tokens in box.tokens:
        mark = Mark(tokens.drawn(), tokens.mark.colour, True)
        if row and _width(row) + 1 + columns(mark.text) > inner:
            found.append(row)
            row = []
        row += [Mark(" "), mark] if row else [mark]
    if row:
        found.append(row)
    if marked:
        if not found or _width(found[-1]) + 2 > inner:
            found.append([])
        found[-1] = [*found[-1], Mark(" " * (inner - 1 - _width(found[-1]))), Mark("+", bold=True)]
    return found


def _width(line: Line) -> int:
    return sum(columns(mark.text) for mark in line)


def _cell(lines: Sequence[Line], number: int, inner: int, colour: bool) -> str:
    line = lines[number] if number < len(lines) else []
    return "".join(paint(mark, colour) for mark in line) + " " * (inner - _width(line))


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines no wider than that; a word that is longer is divided."""
    lines: list[str] = []
    for word in text.split():
        if lines and columns(lines[-1]) + 1 + columns(word) <= width:
            lines[-1] += f" {word}"
            continue
        while columns(word) > width:
            part, word = _divided(word, width)
            lines.append(part)
        if word:
            lines.append(word)
    return lines


def _divided(word: str, width: int) -> tuple[str, str]:
    """As much of a word as fits into a line, best to the end of a syllable, and the rest."""
    fits = max(at for at in range(1, len(word)) if at == 1 or columns(word[:at]) <= width)
    syllables = [at for at in range(2, fits) if _SYLLABLE.match(word, at)]
    return (f"{word[: syllables[-1]]}-", word[syllables[-1] :]) if syllables else (word[:fits], word[fits:])


def _side(at: dict[_Place, int], row: int, file: int) -> str:
    return "│" if (row, file) in at or (row, file - 1) in at else " "


def _rule(at: dict[_Place, int], row: int, files: int, inner: int) -> str:
    """The line above a row, with what comes together at its corners."""
    found = ""
    for file in range(files + 1):
        up = (row - 1, file - 1) in at or (row - 1, file) in at
        down = (row, file - 1) in at or (row, file) in at
        left = (row - 1, file - 1) in at or (row, file - 1) in at
        right = (row - 1, file) in at or (row, file) in at
        found += _CORNERS[up, down, left, right]
        if file < files:
            found += ("─" if right else " ") * inner
    return found.rstrip()


_SYLLABLE = re.compile(r"[^\W\d_аеёиоуыэюяaeiouyьъ][аеёиоуыэюяaeiouy]", re.I)  # what one begins with
_CORNERS = {  # up, down, left, right
    (False, False, False, False): " ",
    (False, True, False, True): "┌",
    (False, True, True, False): "┐",
    (True, False, False, True): "└",
    (True, False, True, False): "┘",
    (True, True, False, True): "├",
    (True, True, True, False): "┤",
    (False, True, True, True): "┬",
    (True, False, True, True): "┴",
    (True, True, True, True): "┼",
}

# ------------------------------------------------------------------------------------------------ SVG

_WIDE, _LINE, _TEXT, _DISC = 112.0, 15.0, 11.0, 7.5
_NARROW, _FEW = 80.0, 4  # boxes of a board with more than a few side by side: what is in them can be larger
_TITLE = 30.0  # the height of the title
_GAP, _EDGE = 6.0, 26.0
_SMALL_TEXT, _PLAIN_TEXT, _BOLD_TEXT = 17, 16, 14  # columns of text that fit into a box
_TOKENS_IN_ROW = 6


def boxes_svg(
    board: Board, boxes: Sequence[Box], title: str, handles: Handles | None = None, painting: Painting | None = None
) -> str:
    """The board as an SVG document; with `handles`, for a page, where it may lie on a `painting`."""
    if handles is not None and painting is not None:
        return _on_painting(boxes, handles, painting.scaled(_WIDE))
    body, width, height = boxes_drawn(board, boxes, title, handles)
    if handles is not None:
        return document(title, (0.0, _TITLE, width, height - _TITLE), None, body)
    return document(title, (0.0, 0.0, width, height), "", body)


def _on_painting(boxes: Sequence[Box], handles: Handles, on: Painting) -> str:
    """Boxes on a picture, which shows where they are and what they are called: so there is only what is in them."""
    body = [behind(on)]
    for space, (box, (x, y)) in enumerate(zip(boxes, on.spots, strict=True)):
        lines = _svg_lines(box if on.named else replace(box, title=""))
        tall = max(3.0, len(lines)) * _LINE + 12
        ground = 'fill="#fbf7ee" fill-opacity="0.85"' if lines else ""
        kind = "space" if lines else "space on-picture"
        at = f'x="{x - _WIDE / 2:.1f}" y="{y - tall / 2:.1f}" width="{_WIDE:g}" height="{tall:g}" rx="7"'
        drawn = [f'<rect class="{kind}" {at} {ground}/>']
        for number, line in enumerate(lines):
            drawn += _svg_line(line, x, y + (number - (len(lines) - 1) / 2) * _LINE)
        body.append(held(handles.space(space), "".join(drawn)))
    return document("", (0.0, 0.0, on.width, on.height), None, [*body, *beside_spaces(on, handles)])


def boxes_drawn(
    board: Board | None, boxes: Sequence[Box], title: str, handles: Handles | None = None
) -> tuple[list[str], float, float]:
    """What is drawn of a board, or of cards without one, with a title above, and the paper that it takes."""
    places = _places(board, len(boxes))
    _, rows, files = _at(places)
    wide = _NARROW if board is not None and files > _FEW else _WIDE
    told = [_svg_lines(box, wide / _WIDE) for box in boxes]
    tall = max(3.0, *map(len, told)) * _LINE + 12
    grid = board is not None and board.shape == "grid"
    left, top = (_EDGE if grid else 12.0), 38.0
    right = left + files * (wide + _GAP)
    needed = 9.5 * columns(plain(title)) + 20 if handles is None else 0.0  # by the title
    body = [] if handles is not None else [text_at((max(left + right, needed) / 2, 18), title, 15)]
    for space, ((row, file), box, lines) in enumerate(zip(places, boxes, told, strict=True)):
        x, y = left + file * (wide + _GAP), top + row * (tall + _GAP)
        fill = pale(colour_of(box.colour), 1) if box.colour else ("#f4ecdc" if box.empty else "#fbf7ee")
        drawn = [
            f'<rect class="space" x="{x:.1f}" y="{y:.1f}" width="{wide:g}" height="{tall:g}" rx="7" fill="{fill}"/>'
        ]
        start = y + (_LINE if box.title else tall / 2 - (len(lines) - 1) * _LINE / 2)
        for number, line in enumerate(lines):
            drawn += _svg_line(line, x + wide / 2, start + number * _LINE)
        body += [held(handles.space(space), "".join(drawn))] if handles is not None else drawn
    for row, name in _row_names(board, places).items():
        body.append(text_at((left - 13, top + row * (tall + _GAP) + tall / 2), name, 11, "name"))
    bottom = top + rows * (tall + _GAP)
    for file, name in _file_names(board, places).items():
        body.append(text_at((left + file * (wide + _GAP) + wide / 2, bottom + 6), name, 11, "name"))
    return body, max(right + 8, needed), bottom + (18 if grid else 6)


_SvgLine: TypeAlias = Mark | tuple[Tokens, ...] | str


def _svg_lines(box: Box, part: float = 1.0) -> list[_SvgLine]:
    """Lines of a box, which is a part as wide as usual: a title, what is there, rows of tokens."""
    lines: list[_SvgLine] = list(wrapped(plain(box.title), ceil(_SMALL_TEXT * part)))
    for line in box.lines:
        room = int((_BOLD_TEXT if line.bold else _PLAIN_TEXT) * part)
        lines += [Mark(text, line.colour, line.bold) for text in wrapped(plain(line.text), room)]
    row: list[Tokens] = []
    for tokens in box.tokens:
        if row and sum(map(_discs, [*row, tokens])) > _TOKENS_IN_ROW * part:
            lines.append(tuple(row))
            row = []
        row.append(tokens)
    return [*lines, tuple(row)] if row else lines


def _discs(tokens: Tokens) -> int:
    """The room that tokens take, in discs: many are one with their number."""
    return tokens.count if tokens.count <= _TOKENS else 2


def _svg_line(line: _SvgLine, x: float, y: float) -> Iterator[str]:
    if isinstance(line, str):
        yield text_at((x, y), line, 9.5, "name")
    elif isinstance(line, Mark):
        yield text_at((x, y), line.text, _TEXT, bold=line.bold)
    else:
        step = 2 * _DISC + 2
        at = x - step * (sum(map(_discs, line)) - 1) / 2
        for tokens in line:
            fill = colour_of(tokens.mark.colour)
            for _ in range(tokens.count if tokens.count <= _TOKENS else 1):
                yield f'<circle class="disc" cx="{at:.1f}" cy="{y:.1f}" r="{_DISC:g}" fill="{fill}"/>'
                sign = plain(tokens.mark.text)
                size = min(10.0, 14 / max(columns(sign), 1))
                yield text_at((at, y), sign, size, fill=readable_on(fill), bold=True)
                at += step
            if tokens.count > _TOKENS:
                yield text_at((at - 1, y), f"× {tokens.count}", 9.5)
                at += step
