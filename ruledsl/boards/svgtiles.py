"""Boards of tiles, and tiles by themselves, as SVG worth printing.

Each design is drawn once, from its areas, and then used where such tiles lie, turned as they lie. The area with most
sides is the ground of the whole tile; the others are cut off from it by a curve from corner to corner, the wider
ones first, so that an area between two sides of another lies on top of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from math import ceil, cos, floor, hypot, pi, sin

from ruledsl.boards.base import Board, Outline, Point
from ruledsl.boards.faces import MIDDLE, Area, Cell, Face, anchor, corners, middles, printed, side_count, turned
from ruledsl.boards.handles import Handles, held
from ruledsl.boards.layout import layout
from ruledsl.boards.marks import Mark, plain
from ruledsl.boards.painting import Painting
from ruledsl.boards.svg import behind, beside_spaces, colour_of, document, image, in_lines, pale, readable_on, text_at
from ruledsl.boards.tilework import in_use
from ruledsl.records import dataclass
from ruledsl.wording.columns import columns

_HALF = 44.0  # from the middle of a space to its sides
_MARGIN = 24.0
_STEP = 3 * _HALF  # a picture on a page grows in steps, so that not every new tile moves all others
_TITLE = 40.0
_DISC = 11.0
_WIDE, _HIGH = 25.0, 17.0  # from the middle of a piece to that of a text beside it, and above it
_LEANING = 0.4  # of the way from the middle of a tile to its sides
_ENTRY = 22.0  # the height of a line of the legend
_PER_ROW = 6
_MILLIMETRES = 40  # a printed tile, from side to side
_PAPER = "#f7f1e3"  # ground of which nothing is said
_STYLE = """\
.tile{stroke:#4d4335;stroke-width:1.6;fill:none}
.ground{stroke:#4d4335;stroke-width:.9;stroke-opacity:.7}
.way{fill:none;stroke-linecap:round}
.free{fill:none;stroke:#b3a890;stroke-width:1;stroke-dasharray:4 4}
.piece{stroke:#1c1c1c;stroke-width:1.4}
.lies{stroke:#1c1c1c;stroke-width:1}
.at{fill:#3a3226;stroke:#ffffff;stroke-width:2.5px;paint-order:stroke}
.sign{fill:#1c1c1c;stroke:#ffffff;stroke-width:3px;paint-order:stroke}
.grain{fill:#1c1c1c;fill-opacity:.38}"""


def tiles_svg(
    board: Board,
    cells: Sequence[Cell | None],
    title: str,
    legend: Sequence[tuple[Mark, str]] = (),
    handles: Handles | None = None,
    painting: Painting | None = None,
) -> str:
    """The part of a board of tiles that is in use, with what stands there, and a legend below.

    With `handles` it is a picture for a page; there the board may lie on a `painting`.
    """
    spaces = in_use(board, cells)
    if handles is not None and painting is not None:
        on = painting.scaled(2 * _HALF)
        return _for_page(board, cells, handles, {space: on.spots[space] for space in spaces}, on)
    places = layout(board)
    points = {space: (places[space][0] * 2 * _HALF, -places[space][1] * 2 * _HALF) for space in spaces}
    reach = 1.25 * _HALF + _MARGIN
    left = min((x for x, _ in points.values()), default=0.0) - reach
    top = min((y for _, y in points.values()), default=0.0) - reach - _TITLE
    right = max((x for x, _ in points.values()), default=0.0) + reach
    bottom = max((y for _, y in points.values()), default=0.0) + reach
    if handles is not None:
        return _for_page(board, cells, handles, points, (left, top + _TITLE, right, bottom))
    right = max(right, left + 11 * columns(plain(title)) + 2 * _MARGIN)
    drawing = _Drawing(board.outline)
    body = [text_at(((left + right) / 2, top + _TITLE / 2 + 8), title, 18)]
    body += [drawing.space(points[space], cells[space], board.spaces[space]) for space in spaces]
    body += [drawing.things(points[space], cells[space]) for space in spaces]
    entries, height = drawing.legend(legend, (left + _MARGIN, bottom), right - left - 2 * _MARGIN)
    return document(
        title,
        (left, top, right - left, bottom + height - top),
        _STYLE,
        [*drawing.definitions(), *body, *entries],
    )


def _for_page(
    board: Board,
    cells: Sequence[Cell | None],
    handles: Handles,
    points: dict[int, Point],
    paper: tuple[float, float, float, float] | Painting,
) -> str:
    """The board alone, each space with all that is drawn of it as one; on a picture that is all its paper."""
    if isinstance(paper, Painting):
        size, below, beside = (0.0, 0.0, paper.width, paper.height), [behind(paper)], beside_spaces(paper, handles)
    else:
        left, top = (floor(side / _STEP) * _STEP for side in paper[:2])
        right, bottom = (ceil(side / _STEP) * _STEP for side in paper[2:])
        size, below, beside = (left, top, right - left, bottom - top), [], iter(())
    drawing = _Drawing(board.outline, handles.prefix)
    body = [
        held(
            handles.space(space),
            drawing.space(at, cells[space], board.spaces[space]) + drawing.things(at, cells[space]),
        )
        for space, at in sorted(points.items(), key=lambda one: not _is_free(cells[one[0]]))  # their edges lie below
    ]
    for space, at in points.items():
        for handle, number in handles.parts.get(handles.space(space).name, ()) if handles.parts else ():
            body.append(held(handle, drawing.part(at, cells[space], number)))
    return document("", size, None, [*below, *drawing.definitions(), *body, *beside])


def _is_free(cell: Cell | None) -> bool:
    return cell is None or cell.face is None


def tile_svg(outline: Outline, face: Face, title: str, prefix: str) -> str:
    """One tile by itself, for a page."""
    drawing = _Drawing(outline, prefix)
    body = drawing.space(MIDDLE, Cell(face), "") + drawing.things(MIDDLE, Cell(face))
    reach = 1.2 * _HALF
    return document(title, (-reach, -reach, 2 * reach, 2 * reach), None, [*drawing.definitions(), body])


def sheet_svg(outline: Outline, faces: Sequence[tuple[Face, str]], title: str) -> str:
    """All tiles in rows, to be printed and cut out; in millimetres, so that all sheets fit each other."""
    wide, high = (max(x for x, _ in corners(outline)) * _HALF, max(y for _, y in corners(outline)) * _HALF)
    step = (2 * wide + 10, 2 * high + 10)
    drawing = _Drawing(outline)
    body = []
    for number, (face, name) in enumerate(faces):
        row, column = divmod(number, _PER_ROW)
        at = (wide + 10 + column * step[0], high + 10 + _TITLE + row * step[1])
        body += [drawing.space(at, Cell(face), name), drawing.things(at, Cell(face))]
    rows = -(-len(faces) // _PER_ROW)
    size = (0.0, 0.0, min(len(faces), _PER_ROW) * step[0] + 10, rows * step[1] + _TITLE + 10)
    size = (0.0, 0.0, max(size[2], 11.0 * columns(plain(title)) + 20), size[3])
    head = text_at((size[2] / 2, _TITLE / 2 + 4), title, 16)
    return document(title, size, _STYLE, [*drawing.definitions(), head, *body], _MILLIMETRES / (2 * _HALF))


@dataclass
class _Drawing:
    """Collects the designs and grounds of a picture while it is drawn, each once."""

    outline: Outline
    prefix: str = ""
    designs: dict[tuple[Area, ...], str] = field(default_factory=dict)
    grounds: dict[tuple[str | None, str], str] = field(default_factory=dict)

    def definitions(self) -> Iterator[str]:
        drawn = [self._design(areas, name) for areas, name in list(self.designs.items())]
        yield "<defs>"
        yield from (_grain(colour, sign, name) for (colour, sign), name in self.grounds.items())
        yield from drawn
        yield "</defs>"

    # ------------------------------------------------------------------------------------------ spaces

    def space(self, at: Point, cell: Cell | None, name: str) -> str:
        """A tile, turned as it lies, or an empty space by its name."""
        if cell is None or cell.face is None:
            shape = f'<polygon class="free" points="{self._rim(at)}"/>'
            where = self._beside(cell, [0.5, -0.5, 0.75, -0.75]) if cell is not None else 0.0
            return shape + text_at((at[0], at[1] + where * _HALF), name, 11, "name")
        count = side_count(self.outline)
        face = turned(cell.face, -cell.face.turn, count)
        areas = tuple(Area(area.sides, area.look, (), area.way) for area in face.areas if area.sides)
        design = self.designs.setdefault(areas, f"{self.prefix}tile{len(self.designs) + 1}")
        for area in areas:
            self._ground(area.look)
        angle = cell.face.turn * 360 / count
        turn = f" rotate({angle:g})" if cell.face.turn else ""
        tile = f'<use href="#{design}" transform="translate({at[0]:.2f} {at[1]:.2f}){turn}"/>'
        if self.prefix and name:
            tile += f'<polygon class="rim" points="{self._rim(at)}"/>'  # what a page draws an outline by
        return tile + text_at((at[0], at[1] + self._beside(cell, [0.8, -0.8, 0.45, -0.45]) * _HALF), name, 8, "at")

    def _beside(self, cell: Cell, heights: Sequence[float]) -> float:
        """Of some places above and below the middle the first at which no piece stands."""
        taken = [at for _, at in self._standing(cell)]
        away = [
            min((max(abs(x) / _WIDE, abs(y - height * _HALF) / _HIGH) for x, y in taken), default=1.0)
            for height in heights
        ]
        free = (height for height, far in zip(heights, away, strict=True) if far >= 1)
        return next(free, heights[away.index(max(away))])

    def _standing(self, cell: Cell) -> list[tuple[Mark, Point]]:
        """The pieces on a space, each with where it stands, from the middle."""
        groups = [(area.pieces, self._on(area)) for area in cell.face.areas] if cell.face else []
        found = []
        for marks, (x, y) in (*groups, (cell.pieces, MIDDLE)):
            for number, mark in enumerate(marks):
                found.append((mark, (x * _HALF + (number - (len(marks) - 1) / 2) * 2 * _DISC, y * _HALF)))
        return found

    def _on(self, area: Area) -> Point:
        """Where pieces stand on an area: on a large one not at the corner to which it leans."""
        x, y = anchor(area, self.outline)
        far = hypot(x, y)
        return (x * _LEANING / far, y * _LEANING / far) if len(area.sides) > 2 and far > _LEANING else (x, y)

    def part(self, at: Point, cell: Cell | None, number: int) -> str:
        """Where pieces stand on an area, to take hold of it alone."""
        assert cell is not None
        assert cell.face is not None
        x, y = self._on(cell.face.areas[number])
        return f'<circle class="part" cx="{at[0] + x * _HALF:.2f}" cy="{at[1] + y * _HALF:.2f}" r="{_DISC + 2:g}"/>'

    def _rim(self, at: Point) -> str:
        return " ".join(f"{at[0] + x * _HALF:.2f},{at[1] + y * _HALF:.2f}" for x, y in corners(self.outline))

    def _ground(self, look: Mark) -> str:
        key = (look.colour, plain(look.text)[:1])
        return self.grounds.setdefault(key, f"{self.prefix}ground{len(self.grounds) + 1}")

    def _fill(self, look: Mark) -> str:
        return f"url(#{self._ground(look)})"

    def _design(self, areas: tuple[Area, ...], name: str) -> str:
        """A tile that is not turned, around 0,0."""
        lines = [f'<g id="{name}">']
        shapes = [area for area in areas if not area.way]
        ways = [area for area in areas if area.way]
        if shapes and all(len(area.sides) == 1 for area in shapes):
            if ways:
                lines.append(f'<polygon points="{self._rim(MIDDLE)}" fill="{_PAPER}"/>')
            lines += [self._wedge(area) for area in shapes if not ways or area.look.colour]
        elif shapes:
            lines += self._nested(shapes)
        else:
            lines.append(f'<polygon points="{self._rim(MIDDLE)}" fill="{_PAPER}"/>')
        lines += [self._way(area) for area in ways]
        return "\n".join([*lines, f'<polygon class="tile" points="{self._rim(MIDDLE)}"/></g>'])

    def _nested(self, areas: Sequence[Area]) -> Iterator[str]:
        ground = max(areas, key=lambda area: len(area.sides))
        yield f'<polygon class="ground" points="{self._rim(MIDDLE)}" fill="{self._fill(ground.look)}"/>'
        count = side_count(self.outline)
        rest = [(area, *_span(area.sides, ground.sides, count)) for area in areas if area is not ground]
        for area, first, length in sorted(rest, key=lambda found: -found[2]):
            if length:
                yield self._cap(area, first, length)
            else:  # it crosses the ground: no tile of paper can do that but as a way above it
                yield self._way(area)

    def _wedge(self, area: Area) -> str:
        (side,) = area.sides
        ends = (corners(self.outline)[side], corners(self.outline)[(side + 1) % side_count(self.outline)])
        path = f"M0 0L{_xy(ends[0])}L{_xy(ends[1])}z"
        return f'<path class="ground" d="{path}" fill="{self._fill(area.look)}"/>'

    def _cap(self, area: Area, first: int, length: int) -> str:
        """What lies along some sides in a row, cut off by a curve."""
        count = side_count(self.outline)
        rim = [corners(self.outline)[(first + i) % count] for i in range(length + 1)]
        share = length / count
        radius = 1 / cos(pi / count)
        depth = radius * cos(pi * share) - 0.9 * radius * max(0.0, 1 - 2 * share)
        x, y = middles(self.outline)[first]
        angle = (length - 1) * pi / count
        towards = (x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle))
        control = (towards[0] * depth, towards[1] * depth)
        path = "M" + "L".join(map(_xy, rim)) + f"Q{_xy(control)} {_xy(rim[0])}z"
        return f'<path class="ground" d="{path}" fill="{self._fill(area.look)}"/>'

    def _way(self, area: Area) -> str:
        """Ways from the sides to the middle."""
        colour = colour_of(area.look.colour)
        paths = [f"M{_xy(middles(self.outline)[side])}L0 0" for side in area.sides]
        return f'<path class="way" d="{"".join(paths)}" stroke="{colour}" stroke-width="{_HALF * 0.34:.1f}"/>'

    # ------------------------------------------------------------------------------------------ what stands there

    def things(self, at: Point, cell: Cell | None) -> str:
        """Pieces near the middles of their areas, tokens and signs in the middle of the space."""
        if cell is None:
            return ""
        drawn: list[str] = []
        inner: list[str] = []
        if cell.value is not None:
            inner.append(_token(MIDDLE, cell.value))
        elif (sign := printed(cell)) is not None:
            height = self._beside(cell, [0.0, -0.45, 0.45, -0.75]) * _HALF
            drawn.append(text_at((at[0], at[1] + height), sign.text, 17, "sign", bold=True))
        for mark, (x, y) in self._standing(cell):
            drawn.append(_piece((at[0] + x, at[1] + y), mark, bool(self.prefix)))
        return "".join(
            [f'<g transform="translate({at[0]:.2f} {at[1]:.2f})">{"".join(inner)}</g>' if inner else "", *drawn]
        )

    # ------------------------------------------------------------------------------------------ legend

    def legend(self, entries: Sequence[tuple[Mark, str]], at: Point, width: float) -> tuple[list[str], float]:
        """Signs with what they stand for, in lines; and how high they are together."""
        shown: list[str] = []
        y = at[1]
        for mark, title, (x, y) in in_lines(entries, at, width, _ENTRY):
            middle = (x + 12, y)
            if mark.bold:
                shown.append(_piece(middle, mark))
            elif (mark.colour, plain(mark.text)[:1]) not in self.grounds:
                shown.append(text_at(middle, mark.text, 15, "sign", bold=True))
            else:
                shown.append(
                    f'<rect class="lies" x="{x:.1f}" y="{y - 8:.1f}" width="24" height="16" fill="{self._fill(mark)}"/>'
                )
            shown.append(text_at((x + 32, y), title, 12, start=True))
        return shown, (y - at[1] + _ENTRY + _MARGIN / 2) if entries else 0.0


def _span(sides: Iterable[int], ground: Sequence[int], count: int) -> tuple[int, int]:
    """The row of sides, none of the ground's, that holds an area: its first and its length, 0 if there is none."""
    wanted = set(sides)
    best = (0, 0)
    for first in wanted:
        row = [(first + i) % count for i in range(count)]
        last = max(row.index(side) for side in wanted)
        if not set(row[: last + 1]) & set(ground) and (not best[1] or last + 1 < best[1]):
            best = (first, last + 1)
    return best


def _grain(colour: str | None, sign: str, name: str) -> str:
    """A ground that is told by its signs as well, for print without colour."""
    fill = pale(colour_of(colour), 1) if colour else _PAPER
    body = f'<rect width="15" height="15" fill="{fill}"/>' + text_at((7.5, 7), sign, 9, "grain")
    return f'<pattern id="{name}" width="15" height="15" patternUnits="userSpaceOnUse">{body}</pattern>'


def _piece(at: Point, mark: Mark, page: bool = False) -> str:
    fill = colour_of(mark.colour)
    size = min(14.0, 27 / max(columns(plain(mark.text)), 1))
    disc = f'<circle class="piece" cx="{at[0]:.2f}" cy="{at[1]:.2f}" r="{_DISC:g}" fill="{fill}"/>'
    if mark.picture and page:
        return image(at, mark, 2.3 * _DISC) if mark.alone else disc + image(at, mark, 1.5 * _DISC)
    return disc + text_at(at, mark.text, size, fill=readable_on(fill), bold=True)


def _token(at: Point, mark: Mark) -> str:
    """Something that lies on the space itself."""
    fill = colour_of(mark.colour)
    size = 2 * _DISC
    box = (
        f'<rect class="lies" x="{at[0] - _DISC:.2f}" y="{at[1] - _DISC:.2f}" width="{size:g}" height="{size:g}" '
        f'rx="5" fill="{fill}"/>'
    )
    return box + text_at(
        at, mark.text, min(15.0, 27 / max(columns(plain(mark.text)), 1)), fill=readable_on(fill), bold=True
    )


def _xy(point: Point) -> str:
    return f"{point[0] * _HALF:.2f} {point[1] * _HALF:.2f}"


__all__ = ["sheet_svg", "tile_svg", "tiles_svg"]
