"""Boards as SVG pictures, complete in themselves and worth printing."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape as html_escape  # xml.sax.saxutils would import half of the network
from itertools import combinations
from math import cos, dist, pi, sin
from urllib.parse import quote

from ruledsl.boards.base import Board, Edge, Point, files
from ruledsl.boards.between import Between
from ruledsl.boards.handles import Handles, held
from ruledsl.boards.layout import layout
from ruledsl.boards.marks import Mark, Marks, hex_colour, is_bright, plain
from ruledsl.boards.painting import Painting, nearest, round_about, row
from ruledsl.boards.regions import regions_drawn
from ruledsl.wording.columns import columns

_MARGIN = 44.0
_TITLE_HEIGHT = 34.0
_CELL = 48.0  # between the middles of neighbouring squares or hexagons
_RING = 72.0
_GRAPH = 120.0
_ALONE = 64.0  # of spaces without lines between them: from one to the nearest other
_BESIDE = 34.0  # room for a name or a sign beside such a space
_NAME, _READABLE = 15.0, 12.0  # the size of a name that has room, and the least beside a space
_LONG = 12  # letters of a name that is parted below a round space
_LETTER = 0.65  # the width of a letter, in its size
_ROWS_APART = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0)  # times as far as written
_WIDE = 1.2  # the paper, width by height
_DISC = 14.0
_APART = {2: (11.0, 12.0), 3: (11.0, 13.0), 4: (10.0, 14.0)}  # of so many different things on a space the disc of each,
# and how far it is from the middle: so that all of them lie within it, hardly on each other
_SIGN, _SMALL_SIGN = 34.0, 29.0  # the width of a sign on a disc, and on a small one, in letters of its size
_ENTRY = 24.0  # the height of a line of signs below a board
_USUAL_ASIDE = 4  # letters beside a space for which there is always room, so that a board keeps its size
_SMALL = 9.0  # the disc of what is on an edge
_LINE = 36.0  # from one mark of a legend to the next
_LIFT = 5.0
_SPOT = 24.0  # the radius of a round space
_NEUTRAL = "#efe9da"
_LIGHT, _DARK = "#f4ecdc", "#dcc7a1"
_INK = "#2b2b2b"
_STYLE = """\
text{font-family:'DejaVu Sans',Verdana,sans-serif;text-anchor:middle}
.start{text-anchor:start}
.space{stroke:#6e5f49;stroke-width:1.2}
.edge{stroke:#8b8272;stroke-width:2;fill:none}
.disc{stroke:#2b2b2b;stroke-width:1.4}
.name{fill:#6e5f49}
.label{fill:#4d4335;stroke:#ffffff;stroke-width:3px;paint-order:stroke}"""

_ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" '
    'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#8b8272"/></marker></defs>'
)


def escape(text: str) -> str:
    """Any text made safe to stand in XML, between tags or in an attribute: the only way in for texts."""
    return html_escape(plain(text)).replace("&#x27;", "&#39;")


def svg(
    board: Board,
    marks: Marks,
    title: str,
    *,
    ground: Marks | None = None,
    between: Between | None = None,
    handles: Handles | None = None,
    names: Sequence[str] = (),
    aside: Marks = (),
    told: Marks = (),
    painting: Painting | None = None,
    piles: Sequence[Sequence[Mark]] = (),
    regions: Sequence[Sequence[int]] = (),
    legend: Sequence[tuple[Mark, str]] = (),
) -> str:
    """The board with what lies on it as an SVG document; `ground` colours spaces and shows on empty ones.

    Round spaces on which something lies may say more `aside`, and have what they tell on their rim. `names` are those
    that players read, in the place of the words in the rules.

    `between` is on its edges: a thick line across the way for a bar, such as a wall, a small disc for anything else.
    With `handles` it is a picture for a page: of a board with a `painting` on that, with `piles` of what lies in rows.
    Spaces of one of the `regions` lie on one ground. On paper the `legend` says below what signs stand for.
    """
    below = ground or [None] * len(board)
    if handles is not None and painting is not None:
        return _on_painting(board, painting, (marks, below, aside, told), piles, between, handles, names)
    if handles is not None:
        return _for_page(board, (marks, below, aside, told), title, between, handles, names, piles, regions)
    points, width, height = _on_paper(board, room=10.0 * columns(plain(title)) + 20)
    width += 8.0 * max((columns(mark.text) for mark in aside if mark is not None), default=0)
    heaps = piles or [()] * len(board)
    told_below, more = _legend(legend, (_MARGIN / 2, height), width - _MARGIN)
    body = [
        text_at((width / 2, _TITLE_HEIGHT / 2 + 6), title, 16),
        *_grounds(regions, points, below),
        *_edges(board, points),
        *(_space(board, space, points[space], under) for space, under in enumerate(below)),
        *_names(board, points, names),
        *(_lying(board, *all_of) for all_of in zip(points, marks, below, heaps, strict=True)),
        *_besides(board, points, aside, told),
        *_on_edges(board, points, between),
        *told_below,
    ]
    return document(title, (0.0, 0.0, width, height + more), "", [_ARROW, *body])


def _for_page(
    board: Board,
    drawn: tuple[Marks, Marks, Marks, Marks],
    title: str,
    between: Between | None,
    handles: Handles,
    names: Sequence[str],
    piles: Sequence[Sequence[Mark]],
    regions: Sequence[Sequence[int]],
) -> str:
    """The same, each space with all that is drawn of it as one."""
    marks, below, aside, told = drawn
    points, width, height = _on_paper(board, room=0.0)
    if handles.turned:
        points = [(width - x, _TITLE_HEIGHT + height - y) for x, y in points]
    width += 8.0 * max([_USUAL_ASIDE, *(columns(mark.text) for mark in aside if mark is not None)]) if aside else 0.0
    spaces = (
        held(handles.space(space), _space(board, space, at, under) + _lying(board, at, mark, under, pile, True))
        for space, (at, mark, under, pile) in enumerate(
            zip(points, marks, below, piles or [()] * len(board), strict=True)
        )
    )
    written = [*_names(board, points, names), *_besides(board, points, aside, told)]
    grounds = _grounds(regions, points, below)
    body = [*grounds, *_edges(board, points), *spaces, *written, *_on_edges(board, points, between)]
    if between is not None and handles.edges:
        ends = ((points[one], points[other]) for one, other in between.joins)
        body += [held(handle, _across(board, *both)) for handle, both in zip(handles.edges, ends, strict=True)]
    box = (0.0, _TITLE_HEIGHT, width, height - _TITLE_HEIGHT)
    return document(title, box, None, [_ARROW.replace('"arrow"', f'"{handles.prefix}arrow"'), *body]).replace(
        "url(#arrow)", f"url(#{handles.prefix}arrow)"
    )


def _on_painting(
    board: Board,
    painting: Painting,
    drawn: tuple[Marks, Marks, Marks, Marks],
    piles: Sequence[Sequence[Mark]],
    between: Between | None,
    handles: Handles,
    names: Sequence[str],
) -> str:
    """A board on its picture: the picture shows the spaces and the ways, so there is only what lies on them."""
    on, (marks, below, aside, told) = painting.scaled(2 * _DISC), drawn
    points, spaces = list(on.spots), []
    radius = max(_DISC, min(_DISC + 3, nearest(on.spots) / 2))
    for space, (at, end) in enumerate(zip(points, on.ends, strict=True)):
        edge = f'<path class="space on-picture" d="{round_about(at, end, radius)}"/>'
        lying, under = marks[space], below[space]
        if piles and piles[space] and lying is not None:
            content = _row_of(piles[space], lying, row(at, end, len(piles[space]), 2 * _DISC))
        elif lying is not None:
            content = _disc(at, lying, page=True)
        else:
            content = text_at(at, under.text, min(_NAME, 34 / max(columns(plain(under.text)), 1))) if under else ""
        spaces.append(held(handles.space(space), edge + content))
    spaces += beside_spaces(on, handles, radius)
    named = zip(points, on.ends, names or board.spaces, strict=True) if on.named else ()
    written = [text_at(_beyond(at, end), name.replace("_", " "), 11, "label") for at, end, name in named]
    body = [behind(on), *spaces, *written, *_asides(points, aside, told), *_on_edges(board, points, between)]
    if between is not None and handles.edges:
        ends = ((points[one], points[other]) for one, other in between.joins)
        body += [held(handle, _across(board, *both)) for handle, both in zip(handles.edges, ends, strict=True)]
    return document("", (0.0, 0.0, on.width, on.height), None, body)


def _beyond(start: Point, end: Point) -> Point:
    """Where the name of a space stands: below it, or behind the first of a row of pieces."""
    (x, y), long = start, dist(start, end)
    if not long:
        return (x, y + _DISC + 9)
    back = (_DISC + 8) / long
    return (x - back * (end[0] - x), y - back * (end[1] - y))


def _row_of(pile: Sequence[Mark], heap: Mark, points: Sequence[Point]) -> str:
    """Pieces in a row. Of like ones the last tells what they are, and their number where they lie over each other."""
    last, covered = pile[-1], len(points) > 1 and dist(points[0], points[1]) < 2 * _DISC - 0.5
    told = [
        Mark("" if mark == last and not mark.picture else mark.text, mark.colour, *_how(mark)) for mark in pile[:-1]
    ]
    shown = [*told, Mark(heap.text if covered else last.text, last.colour, *_how(last))]
    return "".join(_disc(at, mark, page=True) for at, mark in zip(points, shown, strict=True))


def _heap_of(pile: Sequence[Mark], points: Sequence[Point]) -> str:
    """Pieces of a place in a row; the last tells how many there are."""
    if not pile:
        return ""
    last = pile[-1]
    count = str(len(pile)) if len(pile) > 1 else ""
    return _row_of(pile, Mark(last.text + count, last.colour, *_how(last)), points)


def _how(mark: Mark) -> tuple[bool, str, bool]:
    return mark.bold, mark.picture, mark.alone


def beside_spaces(painting: Painting, handles: Handles, radius: float = _DISC) -> Iterator[str]:
    """The places that lie on a picture, too, with what lies there."""
    for (handle, pile), one in zip(handles.asides, painting.asides, strict=True):
        edge = f'<path class="space on-picture" d="{round_about(one.start, one.end, radius)}"/>'
        yield held(handle, edge + _heap_of(pile, row(one.start, one.end, len(pile), 2 * _DISC)))


def behind(painting: Painting) -> str:
    """The picture itself, which nobody takes hold of."""
    size = f'width="{painting.width:.2f}" height="{painting.height:.2f}"'
    return f'<image class="behind" href="{escape(picture_of(painting.file))}" {size} preserveAspectRatio="none"/>'


def _legend(entries: Sequence[tuple[Mark, str]], at: Point, width: float) -> tuple[list[str], float]:
    """Signs with what they stand for, in lines; and how high they are together."""
    drawn: list[str] = []
    y = at[1]
    for mark, title, (x, y) in in_lines(entries, at, width, _ENTRY):
        if mark.colour:
            drawn.append(_disc((x + 11, y), mark, False, 10.0))
        else:
            drawn.append(text_at((x + 11, y), mark.text, 13, bold=True))
        drawn.append(text_at((x + 26, y), title, 12, start=True))
    return drawn, y - at[1] + _ENTRY if entries else 0.0


def in_lines(
    entries: Sequence[tuple[Mark, str]], at: Point, width: float, height: float
) -> Iterator[tuple[Mark, str, Point]]:
    """Entries of a legend with where each begins, in lines that are so wide and so high."""
    x, y = at
    for mark, title in entries:
        wide = 52 + 7.4 * columns(plain(title))
        if x > at[0] and x + wide > at[0] + width:
            x, y = at[0], y + height
        yield mark, title, (x, y)
        x += wide


def legend_svg(marks: Iterable[tuple[Mark, str]], title: str) -> str:
    """Marks one below the other, each with what it stands for."""
    lines = list(marks)
    body = []
    for number, (mark, text) in enumerate(lines):
        at = (_DISC + 10, _DISC + 8 + number * _LINE)
        fill = colour_of(mark.colour)
        body.append(f'<circle class="disc" {_centre(at)} r="{_DISC:g}" fill="{fill}"/>')
        size = min(16.0, 34 / max(columns(plain(mark.text)), 1))
        body.append(text_at(at, mark.text, size, fill=readable_on(fill), bold=mark.bold))
        body.append(text_at((2 * _DISC + 20, at[1]), text, 13, start=True))
    width = 2 * _DISC + 40 + 9.0 * max((columns(plain(text)) for _, text in lines), default=0)
    return document(title, (0.0, 0.0, width, 16 + len(lines) * _LINE), "", body)


def document(
    title: str, box: tuple[float, float, float, float], style: str | None, body: Iterable[str], scale: float = 0
) -> str:
    """An SVG document that shows a box (left, top, width, height); with `scale`, so many millimetres are one unit.

    Without a style it stands on a page, which has its own for what is drawn.
    """
    left, top, width, height = box
    size = f'width="{width:.0f}" height="{height:.0f}"'
    if scale:
        size = f'width="{width * scale:.1f}mm" height="{height * scale:.1f}mm"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" role="{"img" if style is not None else "group"}">'
    )
    if style is None:
        return "\n".join([head, *(line for line in body if line), "</svg>"]) + "\n"
    paper = f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>'
    sheet = f"<style>{_STYLE}{style and chr(10) + style}</style>"
    lines = [head, f"<title>{escape(title)}</title>", sheet, paper, *body, "</svg>"]
    return "\n".join(line for line in lines if line) + "\n"


def _on_paper(board: Board, room: float) -> tuple[list[Point], float, float]:
    """Points in pixels with y downwards, and the size of the paper, which leaves room for a title."""
    unit = {"graph": _GRAPH, "ring": _RING}.get(board.shape, _CELL)
    places = layout(board)
    margin = _MARGIN
    if _is_scattered(board):
        places = _set_apart(places)
        unit = _ALONE / _nearest(places)
        margin += _BESIDE
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    low, top = min(y for _, y in places), max(y for _, y in places)
    width = max((right - left) * unit + 2 * margin, room)
    height = (top - low) * unit + 2 * _MARGIN + _TITLE_HEIGHT
    indent = (width - (right - left) * unit) / 2
    points = [((x - left) * unit + indent, (top - y) * unit + _MARGIN + _TITLE_HEIGHT) for x, y in places]
    return points, width, height


def _is_scattered(board: Board) -> bool:
    """Whether it is spaces with places of their own and no lines between them, so that there is room beside them."""
    return bool(board.positions) and board.shape == "graph" and not board.links and len(board) > 1


@lru_cache(256)
def _set_apart(places: tuple[Point, ...]) -> tuple[Point, ...]:
    """Places whose rows stand so far apart that spaces can be drawn largest: tables often count rows and columns."""
    spread = [tuple((x, y * times) for x, y in places) for times in _ROWS_APART]
    return max(spread, key=lambda points: _nearest(points) / max(_span(points, 0) / _WIDE, _span(points, 1)))


def _nearest(places: Sequence[Point]) -> float:
    return max(min(dist(a, b) for a, b in combinations(places, 2)), 0.1)


def _span(places: Sequence[Point], axis: int) -> float:
    return max(point[axis] for point in places) - min(point[axis] for point in places) + _nearest(places)


# ------------------------------------------------------------------------------------ spaces


def _space(board: Board, space: int, at: Point, under: Mark | None) -> str:
    fill = pale(colour_of(under.colour)) if under and under.colour else _shade(board, space)
    if board.outline == "circle":
        return f'<circle class="space" {_centre(at)} r="{_SPOT:g}" fill="{fill}"/>'
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in _corners(board, at))
    return f'<polygon class="space" points="{corners}" fill="{fill}"/>'


def _shade(board: Board, space: int) -> str:
    """Squares alternate, a1 being dark."""
    if board.shape != "grid":
        return _LIGHT
    return _LIGHT if (board.coordinates["x"][space] + board.coordinates["y"][space]) % 2 else _DARK


def _corners(board: Board, at: Point) -> Iterator[Point]:
    """The corners of a cell; those of a square lie on its diagonals."""
    count, first, radius = {
        "square": (4, pi / 4, _CELL / 2**0.5),
        "hex-flat": (6, 0.0, _CELL / 3**0.5),
        "hex-pointy": (6, pi / 6, _CELL / 3**0.5),
    }[board.outline]
    for corner in range(count):
        angle = first + 2 * pi * corner / count
        yield at[0] + radius * cos(angle), at[1] + radius * sin(angle)


def _names(board: Board, points: list[Point], names: Sequence[str] = ()) -> Iterator[str]:
    if board.shape == "grid":
        yield from _grid_names(board, points)
        return
    drop, size, kind = (_SPOT + 8, 10, "label") if board.outline == "circle" else (_CELL * 0.4, 7.5, "name")
    if board.outline == "hex-pointy":
        drop = _CELL * 0.3  # further down it is too narrow for a name
    beside = _is_scattered(board)
    for name, (x, y) in zip(names or board.spaces, points, strict=True):
        name = name.replace("_", " ")
        if beside:
            yield _name_beside(name, (x, y), points)
            continue
        lines = _in_two(name) if board.outline == "circle" else [name]
        for number, line in enumerate(lines):
            yield text_at((x, y + drop + (1.2 * number - 0.2 * (len(lines) - 1)) * size), line, size, kind)


def _in_two(name: str) -> list[str]:
    """A name that is wider than its space, in two lines where it can be parted."""
    parts = [(name[:at], name[at + 1 :]) for at, sign in enumerate(name) if sign == " "]
    if columns(name) < _LONG or not parts:
        return [name]
    return list(min(parts, key=lambda both: max(map(columns, both))))


def _name_beside(name: str, at: Point, points: Sequence[Point]) -> str:
    """The name of a space as large as there is room: to the left of it, below it, or small between two spaces."""
    (x, y), wide = at, _LETTER * max(1, columns(name))
    left = min((x - a for a, b in points if a < x and abs(b - y) < _ALONE), default=2 * _SPOT + 2 * _BESIDE)
    size = min(_NAME, (left - 2 * _SPOT - _BESIDE) / wide)
    if size >= _READABLE:
        return text_at((x - _SPOT - 4 - size * wide / 2, y), name, size, "label")
    below = any(0 < b - y < 2 * _ALONE and abs(a - x) < _NAME * wide / 2 + _SPOT for a, b in points)
    size = 10.0 if below else _NAME
    return text_at((x, y + _SPOT + 3 + size / 2), name, size, "label")


def _grid_names(board: Board, points: list[Point]) -> Iterator[str]:
    """Letters below and numbers to the left of the whole board."""
    bottom = max(y for _, y in points) + _CELL / 2 + 11
    left = min(x for x, _ in points) - _CELL / 2 - 11
    places, names = {x: points[space][0] for space, x in enumerate(board.coordinates["x"])}, files(board)
    ranks = {y: points[space][1] for space, y in enumerate(board.coordinates["y"])}
    for file, place in places.items():
        yield text_at((place, bottom), names[file], 11, "name")
    for rank, place in ranks.items():
        yield text_at((left, place), str(rank), 11, "name")


def _grounds(regions: Sequence[Sequence[int]], points: Sequence[Point], below: Marks) -> Iterator[str]:
    """The grounds of spaces that belong together, each in the colour of the space to which the others belong."""
    owners = (below[spaces[0]] for spaces in regions)
    fills = [pale(colour_of(mark.colour), 5) if mark and mark.colour else _LIGHT for mark in owners]
    return regions_drawn(regions, points, fills)


def _lying(
    board: Board, middle: Point, mark: Mark | None, under: Mark | None, pile: Sequence[Mark], page: bool = False
) -> str:
    """What lies on a space: a few different things side by side, else the heap that they are."""
    if board.outline != "circle" or len(pile) not in _APART or len(set(pile)) == 1:
        return _content(board, middle, mark, under, page)
    radius, off = _APART[len(pile)]
    first = pi / 4 if len(pile) == 4 else 0.0
    turns = [first + 2 * pi * number / len(pile) for number in range(len(pile))]
    places = [(middle[0] - off * cos(turn), middle[1] - off * sin(turn)) for turn in turns]
    return "".join(_disc(at, one, page, radius) for at, one in zip(places, pile, strict=True))


def _content(board: Board, middle: Point, mark: Mark | None, under: Mark | None, page: bool = False) -> str:
    """A disc with its text, or the text of the ground where nothing lies; higher if a name is inside too."""
    named_inside = board.outline != "circle" and board.shape != "grid"
    at = (middle[0], middle[1] - (_LIFT if named_inside else 0))
    if mark is None:
        size = min(_NAME, 34 / max(columns(plain(under.text)), 1)) if under and board.outline == "circle" else 10.0
        return text_at(at, under.text, size, "name of-ground" if page else "name") if under else ""
    return _disc(at, mark, page)


def _disc(at: Point, mark: Mark, page: bool, radius: float = _DISC) -> str:
    """What lies somewhere: a disc with its text, or on a page its picture."""
    fill = colour_of(mark.colour)
    disc = f'<circle class="disc" {_centre(at)} r="{radius:g}" fill="{fill}"/>'
    if mark.picture and page:
        return image(at, mark, 2.3 * radius) if mark.alone else disc + image(at, mark, 1.5 * radius)
    room = _SIGN if radius >= _DISC else _SMALL_SIGN
    size = min(16.0 * radius / _DISC, room / max(columns(plain(mark.text)), 1))
    return disc + text_at(at, mark.text, size, fill=readable_on(fill), bold=mark.bold)


def _besides(board: Board, points: list[Point], aside: Marks, told: Marks) -> Iterator[str]:
    if board.outline == "circle":
        size = _NAME if _is_scattered(board) else 12.0
        yield from _asides(points, aside, told, size, outwards=board.shape == "ring")


def _asides(points: list[Point], aside: Marks, told: Marks, size: float = 12, outwards: bool = False) -> Iterator[str]:
    """What else is to be read of round spaces: signs to the right of them, what they tell on their rim.

    On a ring signs stand outwards: inside are the names of the neighbors.
    """
    middle = sum(x for x, _ in points) / max(len(points), 1)
    for (x, y), mark in zip(points, aside, strict=False):
        if mark is not None:
            wide = _LETTER * size * columns(plain(mark.text))
            left = x - _SPOT - 4 - wide if outwards and x < middle - 1 else x + _SPOT + 4
            yield text_at((left, y), mark.text, size, bold=True, start=True)
    for (x, y), mark in zip(points, told, strict=False):
        if mark is not None:
            at, fill = (x - 0.75 * _SPOT, y - 0.75 * _SPOT), colour_of(mark.colour)
            yield f'<circle class="disc" {_centre(at)} r="{_SMALL:g}" fill="{fill}"/>'
            yield text_at(at, mark.text, min(11.0, 20 / max(columns(mark.text), 1)), fill=readable_on(fill))


def image(at: Point, mark: Mark, size: float) -> str:
    """The picture of a mark, where a page finds it."""
    where = f'x="{at[0] - size / 2:.2f}" y="{at[1] - size / 2:.2f}" width="{size:.2f}" height="{size:.2f}"'
    return f'<image class="picture" href="{escape(picture_of(mark.picture))}" {where}/>'


def picture_of(name: str) -> str:
    """The address of a picture on the page."""
    return f"/pictures/{quote(name)}"


def colour_of(name: str | None) -> str:
    """A known colour or #rrggbb; anything else is neutral, so that no text becomes an attribute."""
    return hex_colour(name) or _NEUTRAL


def pale(colour: str, white: int = 2) -> str:
    """The colour with so many parts of white: a ground on which texts and pieces stand out."""
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{(part + white * 255) // (1 + white):02x}" for part in parts)


def readable_on(fill: str) -> str:
    return "#1c1c1c" if is_bright(fill) else "#ffffff"


# ------------------------------------------------------------------------------------- edges


def _on_edges(board: Board, points: list[Point], between: Between | None) -> Iterator[str]:
    """What is on the edges, in the middle between two spaces."""
    for one, other, mark, bar in between.shown() if between is not None else ():
        start, end = points[one], points[other]
        middle = _along(start, end, 0.5)
        if bar:
            yield _across(board, start, end, hex_colour(mark.colour) or "#4d4335")
        else:
            fill = colour_of(mark.colour)
            size = min(11.0, 20 / max(columns(mark.text), 1))
            yield f'<circle class="disc" {_centre(middle)} r="{_SMALL:g}" fill="{fill}"/>'
            yield text_at(middle, mark.text, size, fill=readable_on(fill), bold=mark.bold)


def _across(board: Board, start: Point, end: Point, stroke: str = "") -> str:
    """A thick line across the way from one space to another."""
    middle, length = _along(start, end, 0.5), dist(start, end) or 1.0
    half = (_CELL / 3**0.5 if board.outline.startswith("hex") else _CELL) / 2
    x, y = (end[1] - start[1]) / length * half, (start[0] - end[0]) / length * half
    line = f'x1="{middle[0] - x:.2f}" y1="{middle[1] - y:.2f}" x2="{middle[0] + x:.2f}" y2="{middle[1] + y:.2f}"'
    drawn = f'stroke="{stroke}" stroke-width="7" stroke-linecap="round"' if stroke else 'class="gap"'
    return f"<line {line} {drawn}/>"


def _edges(board: Board, points: list[Point]) -> Iterator[str]:
    """A line for each pair of round spaces that are joined, with an arrowhead if only one way leads."""
    if board.outline != "circle":
        return
    ways: dict[tuple[int, int], list[Edge]] = defaultdict(list)
    for link in board.links:
        ways[link.start, link.end].append(link)
    for start, end in ways:
        back = (end, start) in ways
        if not back or start < end:
            yield _edge(points[start], points[end], back)
    if board.shape == "graph":
        yield from _labels(ways, points)


def _edge(start: Point, end: Point, back: bool) -> str:
    length = dist(start, end) or 1.0
    (x1, y1), (x2, y2) = start, _along(start, end, 1 - (_SPOT + 1) / length)
    arrow = "" if back else ' marker-end="url(#arrow)"'
    return f'<line class="edge" x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}"{arrow}/>'


def _labels(ways: Mapping[tuple[int, int], list[Edge]], points: list[Point]) -> Iterator[str]:
    """Each label beside its edge, near the space that it leads away from."""
    for (start, end), links in ways.items():
        text = " / ".join(link.label for link in links if link.label)
        if not text:
            continue
        (x1, y1), (x2, y2) = points[start], points[end]
        length = dist(points[start], points[end]) or 1.0
        x, y = _along(points[start], points[end], 0.36)
        yield text_at((x + 8 * (y2 - y1) / length, y - 8 * (x2 - x1) / length), text, 9, "label")


def _along(start: Point, end: Point, part: float) -> Point:
    return (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)


# -------------------------------------------------------------------------------------- text


def _centre(at: Point) -> str:
    return f'cx="{at[0]:.2f}" cy="{at[1]:.2f}"'


def text_at(
    at: Point, text: str, size: float, kind: str = "", *, fill: str = "", bold: bool = False, start: bool = False
) -> str:
    """A text around a point, or beginning there."""
    written = escape(text)
    if not written:
        return ""
    kinds = " ".join(name for name in (kind, "start" if start else "") if name)
    colour = fill or ("" if kind else _INK)
    extra = (f' class="{kinds}"' if kinds else "") + (f' fill="{colour}"' if colour else "")
    extra += ' font-weight="bold"' if bold else ""
    return f'<text x="{at[0]:.2f}" y="{at[1] + size * 0.36:.2f}" font-size="{size:.3g}"{extra}>{written}</text>'
