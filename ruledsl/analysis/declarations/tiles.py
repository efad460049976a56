"""`tile:` and `parts:` of a kind: pieces that lie on a board, can be turned, and are split into parts."""

from __future__ import annotations

from collections.abc import Callable

from ruledsl.analysis.doubts import shared_sides
from ruledsl.analysis.names import KindInfo, PartInfo
from ruledsl.analysis.world import World
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import Fields, Form, Key, fields, misspelt
from ruledsl.types import NONE, Elem, Num, Root, SetOf, every

from .attributes import TileTurns, add_attributes
from .geometry import board_turns
from .rows import Row

PARTS = Form(
    "the parts of a tile",
    {
        "from": Key("word", "The column with a list of parts.", required=True),
        "attributes": Key("map", "What every part has; `sides: set of direction` says where it touches the rim."),
    },
)


_NO_BOARD = "the game has none; `board:` declares one"


class _PartEntry:
    def __init__(self, key: Scalar, value: Fields | None) -> None:
        self.key, self.value = key, value


def part_entries(found: Fields) -> list[_PartEntry]:
    return [_PartEntry(e.key, fields(e.value, PARTS, Report())) for e in found.map("parts") or ()]


def board_of_tiles(world: World, name: str, found: Fields) -> str | None:
    """The name of the board that the pieces of a kind lie on as tiles, if they are tiles.

    Where it is wrong or missing another board stands in for it, so that the rest of the game is checked all the same.
    """
    names, word = [board.name for board in world.boards], found.word("tile")
    if word in names or not (found.has("tile") or found.has("parts")):
        return word or None
    if word:
        known = nearest(word, names)
        world.report.error(
            "N113",
            found.node.entries["tile"].value.span,
            f"there is no board `{word}`",
            help=did_you_mean(known) or ("" if names else _NO_BOARD),
            suggestions=tuple(known),
        )
    elif not found.has("tile") and not found.node.broken and not misspelt(found.node, "tile", found.form):
        world.report.error(
            "S102",
            found.node.entries["parts"].key.span,
            f"`{name}` has parts, so it needs `tile:`",
            help="`tile:` takes the name of the board that the pieces lie on",
        )
    if not names:
        raise GameError(world.report)  # nothing can stand in for it
    return next((board.name for board in world.boards if board.board.touching), names[0])


def make_tiles(world: World, info: KindInfo) -> TileTurns:
    """A kind whose pieces lie on a board and may be turned: the slot array of turns, and what turning does."""
    board = next(b for b in world.boards if b.name == info.tile)
    board.tiles = info.name
    world.state_attribute(world.pieces, "turn", info.mask, Num(0, len(board.board.sides) - 1), world.spots.turn)
    return world.spots.turn, board_turns(world, board)


def sides_of(world: World, info: KindInfo) -> int:
    """The directions of the sides of the board that a kind of tile lies on, as a mask; 0 of what is no tile."""
    board = next((b for b in world.boards if b.name == info.tile), None)
    names = board.board.sides if board is not None and info.tile is not None else ()
    return sum(1 << world.directions.names.index(name) for name in names)


def ways_of(world: World, info: KindInfo) -> tuple[int, int]:
    """The directions of the sides of a tile, and all directions of the board that it lies on."""
    board = next((b for b in world.boards if b.name == info.tile), None)
    names = board.board.directions if board is not None and info.tile is not None else ()
    return sides_of(world, info), sum(1 << world.directions.names.index(name) for name in names)


def make_parts(
    world: World, info: KindInfo, key: Scalar, found: Fields, rows: dict[int, Row]
) -> Callable[[TileTurns | None], None]:
    """The parts that tiles are split into: members of a root of their own, with the tile they belong to.

    They exist before places are numbered, since pieces may stand on them; the result is to be called once all
    types exist, and gives them their attributes.
    """
    root = Root(key.value, "part")
    part = PartInfo(key.value, info, root)
    part_rows: dict[int, Row] = {}
    column = found.word("from")
    for member, row in rows.items():
        node = row.get(column)
        for i, item in enumerate(node.items if isinstance(node, Seq) else ()):
            part_rows[root.size] = Row.of(item)
            root.names.append(f"{world.pieces.names[member]}_{key.value}_{i + 1}")
            root.titles.append({"en": f"{world.pieces.names[member]} {key.value} {i + 1}"})
            part.owner.append(member)
    world.roots[key.value] = root
    root.parts[key.value] = root.everything
    info.parts.append(part)
    world.parts.append(part)
    world.declare(key.value, "part", key.span, part)
    part.sides = [0] * root.size  # filled in when they are known
    return lambda tile: _part_attributes(world, info, part, key, found, part_rows, tile)


def _part_attributes(
    world: World,
    info: KindInfo,
    part: PartInfo,
    key: Scalar,
    found: Fields,
    part_rows: dict[int, Row],
    tile: TileTurns | None,
) -> None:
    root = part.root
    add_attributes(world, every(root), found.map("attributes"), part_rows, key.value)
    sides = root.attributes.pop("sides", None)
    if sides is None or tile is None:
        world.report.error("S110", key.span, f"the parts `{key.value}` need the attribute `sides: set of direction`")
        return
    sides[0].origin.used = True  # it says which parts are neighbours
    part.sides[:] = [world.evaluate(sides[0].build(C.Const(i), None)) for i in range(root.size)]
    shared_sides(world, part, part_rows)
    world.fixed_attribute(root, info.name, root.everything, Elem(world.pieces, info.mask), part.owner)
    owner_table, (turn, turns) = tuple(part.owner), tile
    sides_table = tuple(part.sides)

    def lying(node: C.Node, span: Span | None) -> C.Node:
        return C.Primitive(
            "turned_set", (C.Look(sides_table, node, 0), C.Look(owner_table, node, NONE)), (turns, turn), span
        )

    world.attribute(root, "sides", root.everything, SetOf(every(world.directions)), lying)
