"""Boards on a picture, under `looks:`: where each space lies on it. Only the page of `serve` draws them so."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ruledsl.boards.base import Point
from ruledsl.boards.layout import layout, together
from ruledsl.boards.painting import Aside, Painting, size_of
from ruledsl.boards.painting import nearest as nearest_spots
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import Fields, Form, Key, fields

from .rows import Row, rows_of

if TYPE_CHECKING:
    from ruledsl.analysis.names import BoardInfo
    from ruledsl.analysis.world import World

SPOT = Form(
    "a place on a picture",
    {
        "name": Key("any", "The space; or a place, as in `bar of white`."),
        "x": Key("any", "How far from the left edge of the picture its middle is."),
        "y": Key("any", "How far from the upper edge."),
        "to_x": Key("any", "With `to_y`: pieces lie in a row from the one point to this one."),
        "to_y": Key("any", "With `to_x`: pieces lie in a row from the one point to this one."),
    },
)
OF_BOARDS = ("spots", "within", "size", "names")
_COUNTED = re.compile(r"player_\d+")  # of how many there may be fewer
_MOST_SAID = 6
_WIDE = 0.7  # of the way to the nearest space: how wide a piece is where nobody says so
_WIDE_TILE, _WIDE_BOX = 1.0, 0.9  # and a tile, or a box with words


def declare_painting(world: World, word: str, found: Fields, file: str, data: bytes) -> None:
    """The picture of a board, once all that it says of its spaces fits."""
    info = next((board for board in world.boards if board.name == word), None)
    if info is None:
        return
    node = found.get("picture")
    if node is None and (said := next((found.node.key(key) for key in OF_BOARDS if found.has(key)), None)) is not None:
        message = f"`{said.value}:` is about a picture, and `{word}` has none"
        world.report.error("S130", said.span, message, help="write `picture:` beside it")
    if not file or node is None:
        return
    if (other := _drawn_otherwise(info)) is not None:
        world.report.error("S130", node.span, f"`{word}` cannot lie on a picture: {other}")
        return
    sides = size_of(data)
    if sides is None:
        help = 'an SVG says it in its first tag, as in `<svg viewBox="0 0 800 600">`'
        world.report.error("S130", node.span, f"`{file}` does not say how large it is", help=help)
        return
    before = world.report.errors
    rows = _Rows(world, info, sides)
    if (spots := found.get("spots")) is not None:
        points = rows.read(spots)
    elif (within := found.get("within")) is not None:
        points = rows.stretched(within)
    else:
        help = "write `spots:`, a table with `name`, `x` and `y` of each space, or `within:` for a regular board"
        world.report.error("S130", node.span, f"nothing says where the spaces of `{word}` are on `{file}`", help=help)
        return
    if world.report.errors == before:
        middles, ends = tuple(middle for middle, _ in points), tuple(end for _, end in points)
        wide = _WIDE_TILE if info.tiles is not None else _WIDE_BOX if info.boxes else _WIDE
        size = float(found.number("size")) or wide * (nearest_spots(middles) or min(sides) / 4)
        paintings = world.data.setdefault("paintings", {})
        paintings[word] = Painting(file, *sides, middles, ends, size, found.truth("names"), tuple(rows.asides))


def _drawn_otherwise(info: BoardInfo) -> str | None:
    """Why the spaces of a board are drawn in the picture of another."""
    if info.between is not None:
        return f"its spaces are the edges of `{info.between.name}`"
    if info.sheet is not info:
        return f"it is drawn on `{info.sheet.name}`, which may"
    return None


class _Rows:
    """Reads where the spaces of one board are."""

    def __init__(self, world: World, info: BoardInfo, sides: tuple[float, float]) -> None:
        self.report, self.info, self.sides = world.report, info, sides
        self.world = world
        drawn = [board for board in world.boards if board.between is None and board.sheet is info]
        self.board = together([board.board for board in drawn]) if len(drawn) > 1 else info.board
        often = Counter(self.board.spaces)
        said = [f"{name} of {one.name}" if often[name] > 1 else name for one in drawn for name in one.board.spaces]
        self.names = {name: space for space, name in enumerate(said)}
        self.asides: list[Aside] = []

    def read(self, node: Node) -> list[tuple[Point, Point]]:
        """The middle of each space and the end of its row, from a table."""
        found: dict[int, tuple[Point, Point]] = {}
        for row in rows_of(self.world, node):
            asked = fields(row.node, SPOT, self.report)
            if asked is None:
                continue
            for column in SPOT.keys:
                asked.get(column)
            place, points = self._place(row), self._points(row)
            if place is not None:
                if points is not None and place:
                    self.asides.append(Aside(place, *points))
                continue
            space = self._space(row)
            if space is None or points is None:
                continue
            if space in found:
                self._error(_span(row, "name"), f"`{row.word('name')}` is on the picture twice")
            found[space] = points
        lacking = [name for name, space in self.names.items() if space not in found]
        if lacking and not self.report.errors:
            more = f" and {len(lacking) - _MOST_SAID} more" if len(lacking) > _MOST_SAID else ""
            names = ", ".join(f"`{name}`" for name in lacking[:_MOST_SAID])
            self._error(node.span, f"where {names}{more} of `{self.info.name}` should be on the picture is not said")
        return [found[space] for space in sorted(found)]

    def _place(self, row: Row) -> str | None:
        """The place that a row is about, and nothing if it is about a space; empty if nobody has it in this play."""
        name = row.word("name")
        word, of, owner = name.partition(" of ")
        _, node = self.world.sections.named["places"].get(word, (None, None))
        if name in self.names or node is None:
            return None
        per = node.get("per") if isinstance(node, Map) else None
        owned = isinstance(per, Scalar) and per.value == "player"
        if per is not None and not owned:
            self._error(_span(row, "name"), f"`{word}` cannot lie on a picture: it is not for players, or for all")
        players = self.world.players.names
        if bool(of) != owned:
            said = f"every player has a `{word}` of their own" if owned else f"`{word}` is nobody's"
            help = f"write `{word} of {players[0]}`" if owned else f"write `{word}`"
            self._error(_span(row, "name"), said, help)
        elif owned and owner not in players:
            if _COUNTED.fullmatch(owner) and _COUNTED.fullmatch(players[0]):
                return ""
            known = nearest(owner, players)
            self._error(_span(row, "name"), f"there is no player `{owner}`", did_you_mean(known), tuple(known))
        return f"{owner}_{word}" if owned else word

    def _space(self, row: Row) -> int | None:
        name = row.word("name")
        space = self.names.get(name)
        if space is None:
            known = nearest(name, list(self.names))
            said = f"`{self.info.name}` has no space `{name}`" if name else "this place has no `name` of a space"
            self._error(_span(row, "name"), said, did_you_mean(known), tuple(known))
        return space

    def _points(self, row: Row) -> tuple[Point, Point] | None:
        middle = [self._number(row, column, axis) for axis, column in enumerate(("x", "y"))]
        rows = [row.get(column) for column in ("to_x", "to_y")]
        if any(rows) and not all(rows):
            self._error(_span(row, "to_x" if rows[0] else "to_y"), "`to_x` and `to_y` go together")
        ends = [
            self._number(row, column, axis) if all(rows) else middle[axis]
            for axis, column in enumerate(("to_x", "to_y"))
        ]
        if None in (*middle, *ends):
            return None
        return (middle[0] or 0.0, middle[1] or 0.0), (ends[0] or 0.0, ends[1] or 0.0)

    def _number(self, row: Row, column: str, axis: int) -> float | None:
        node = row.get(column)
        span = _span(row, column)
        if not isinstance(node, Scalar):
            self._error(span, f"this place has no `{column}`")
            return None
        if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", node.value):
            self._error(span, f"`{column}` is a number from 0 to {self.sides[axis]:g}, not `{node.value}`")
            return None
        if float(node.value) > self.sides[axis]:
            self._error(
                span, f"this is outside the picture, which is {self.sides[0]:g} wide and {self.sides[1]:g} high"
            )
            return None
        return float(node.value)

    def stretched(self, node: Node) -> list[tuple[Point, Point]]:
        """The board as it is drawn anyway, its outermost spaces at the edges of a box."""
        parts = [item.value for item in node.items if isinstance(item, Scalar)] if isinstance(node, Seq) else []
        sound = len(parts) == 4 and all(re.fullmatch(r"\d{1,6}(\.\d{1,6})?", part) for part in parts)
        box = [float(part) for part in parts] if sound else []
        if not (sound and box[0] <= box[2] <= self.sides[0] and box[1] <= box[3] <= self.sides[1]):
            said = f"in a picture {self.sides[0]:g} wide and {self.sides[1]:g} high `within:` is no such box"
            self._error(node.span, said, "write `[left, top, right, bottom]`, the middles of the outermost spaces")
            return []
        places = layout(self.board)
        (left, right), (low, top) = ((min(axis), max(axis)) for axis in zip(*places, strict=True))
        wide, high = (right - left) or 1.0, (top - low) or 1.0
        points = [
            (box[0] + (x - left) / wide * (box[2] - box[0]), box[1] + (top - y) / high * (box[3] - box[1]))
            for x, y in places
        ]
        return [(point, point) for point in points]

    def _error(self, span: Span, said: str, help: str = "", known: tuple[str, ...] = ()) -> None:
        self.report.error("S130", span, said, help=help, suggestions=known)


def _span(row: Row, column: str) -> Span:
    node = row.get(column)
    if node is not None:
        return node.span
    assert row.node is not None
    return row.node.span


__all__ = ["OF_BOARDS", "SPOT", "declare_painting"]
