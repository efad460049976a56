"""Tiles that are to be laid: what they would show to those beside them.

Each of these functions stands for a longer expression, which is worked out in its place: what one writes oneself with
steps, opposite directions and turns. So they mean the same to every executor.
"""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.declarations.tiles import sides_of
from ruledsl.analysis.functions import Call, builtin
from ruledsl.analysis.names import KindInfo
from ruledsl.analysis.show import show
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.records import dataclass
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import Broken, Elem, ListOf, Num, SetOf, TableOf, Type, bits, every
from ruledsl.wording.templates import Words

_SIDE, _PART = "side of the tile", "part of the tile"  # no name of a game has blanks


@dataclass(frozen=True)
class _Shown:
    """What a tile shows to its sides: a table by direction, or an attribute of the part that lies there."""

    tile: E.Expr
    kind: KindInfo
    table: E.Name
    attribute: E.Name | None
    mask: int  # the directions that the table knows

    def towards(self, tile: E.Expr, way: E.Expr) -> E.Expr:
        span = self.table.span
        found: E.Expr = E.Index(span, E.Attribute(span, tile, self.table), (way,))
        return found if self.attribute is None else E.Attribute(span, found, self.attribute)


@dataclass(frozen=True)
class _Laid:
    """Where a tile is to be laid, and how often it is turned."""

    kind: KindInfo
    at: E.Expr
    turn: E.Expr | None


@builtin(
    "edges_match(edges, at, turn=0) → condition",
    Words(
        en="{0} would match the tiles beside {1}< (turned: {turn})>",
        ru="по {0:dat} тайл подходит к соседям на {1:pre}< (поворот: {turn})>",
        en_not="{0} would not match the tiles beside {1}< (turned: {turn})>",
        ru_not="по {0:dat} тайл не подходит к соседям на {1:pre}< (поворот: {turn})>",
    ),
    tried=("matches", "match_edges", "sides_match", "edges_fit", "fits"),
)
def edges_match(call: Call) -> Any:
    """Whether the edges of a tile, laid on a space and turned so, would match those of the tiles beside it.

    What it shows is a table by direction, or an attribute of the parts that it shows to its sides. Sides without a tile
    beside them do not matter. `turn` is left out for tiles that are not turned.

    `edges_match(tile.edges, at, turn)`, `edges_match(f.stretch.ground, at, turn)`
    """
    shown = _shown(call, call.plain[0])
    laid = None if shown is None else _laid(call, shown.kind)
    if shown is None or laid is None:
        return call.bad
    span, side = call.span, E.Name(call.span, _SIDE)
    beside = _tile_beside(laid, side, span)
    turned = side if laid.turn is None else E.Binary(span, "-", side, laid.turn)
    own = shown.towards(shown.tile, turned)
    other = shown.towards(beside, E.Call(span, E.Name(span, "opposite"), E.Arguments((side,))))
    same = E.Binary(span, "==", own, other)
    ways = _directions(call, shown.mask)
    return call.elaborator.expr(_called(span, "all", (same,), (E.Source(side, ways),), beside))


@builtin(
    "parts_meet(parts, at, turn=0) → condition",
    Words(
        en="each of {0:set} would touch a tile beside {1}< (turned: {turn})>",
        ru="к тайлам рядом с {1:ins} примыкают все {0:set}< (поворот: {turn})>",
        en_not="not each of {0:set} would touch a tile beside {1}< (turned: {turn})>",
        ru_not="к тайлам рядом с {1:ins} примыкают не все {0:set}< (поворот: {turn})>",
    ),
    tried=("joins", "connects", "touches", "parts_join", "parts_touch", "meets"),
)
def parts_meet(call: Call) -> Any:
    """Whether each of these parts of a tile, laid on a space and turned, would lie along a side where a tile is.

    `parts_meet(tile.body, at, turn)`
    """
    tree = call.plain[0]
    typed = call.elaborator.expr(tree)
    if isinstance(typed.type, Broken):
        return call.bad
    inner = typed.type.of if isinstance(typed.type, SetOf | ListOf) else typed.type
    if not isinstance(inner, Elem) or inner.root.kind != "part":
        said = f"the first argument of `parts_meet` must be parts of a tile, not {show(typed.type)}"
        return call.fail("T201", tree.span, said, _parts_there_are(call, tree))
    part = next(one for one in call.world.parts if one.root is inner.root)
    span, side, name = call.span, E.Name(call.span, _SIDE), E.Name(call.span, _PART)
    laid = _laid(call, part.kind)
    if laid is None:
        return call.bad
    turned = side if laid.turn is None else E.Binary(span, "+", side, laid.turn)
    sides = E.Attribute(span, name, E.Name(span, "sides"))
    beside, mask = _tile_beside(laid, turned, span), sides_of(call.world, part.kind)
    if mask == call.world.directions.everything:
        met = _called(span, "any", (E.Binary(span, "in", side, sides),), (), beside)
    else:  # other boards have directions, too, and do not turn alike
        ways = E.Source(side, _directions(call, mask))
        met = _called(span, "any", (beside,), (ways,), E.Binary(span, "in", side, sides))
    domain = tree if isinstance(typed.type, SetOf | ListOf) else E.Items(tree.span, (tree,))
    return call.elaborator.expr(_called(span, "all", (met,), (E.Source(name, domain),), None))


def _called(
    span: Span, name: str, plain: tuple[E.Expr, ...], over: tuple[E.Source, ...], where: E.Expr | None
) -> E.Call:
    return E.Call(span, E.Name(span, name), E.Arguments(plain, (), over, where))


def _tile_beside(laid: _Laid, way: E.Expr, span: Span) -> E.Expr:
    """The tile on the next space in a direction."""
    step = E.Call(span, E.Name(span, "step"), E.Arguments((laid.at, way)))
    return E.Attribute(span, step, E.Name(span, laid.kind.name))


def _directions(call: Call, mask: int) -> E.Expr:
    """Some directions, by the name that they have together."""
    span, directions = call.span, call.world.directions
    if mask == directions.everything:
        return E.Name(span, "direction")
    for name, declared in call.world.names.items():
        typed = declared.data
        if declared.sort == "type" and typed is not None and getattr(typed, "type", None) is not None:
            kind = typed.type
            kind = kind.of if isinstance(kind, SetOf) else kind
            if isinstance(kind, Elem) and kind.root is directions and kind.mask == mask:
                return E.Name(span, name)
    return E.Items(span, tuple(E.Name(span, directions.names[d]) for d in bits(mask)))


def _laid(call: Call, kind: KindInfo) -> _Laid | None:
    """Where the tile is to be laid and how it is turned; nothing if it is wrong, which was reported."""
    board = next(one for one in call.world.boards if one.name == kind.tile)
    at, turn = call.plain[1], call.tree_of(2, "turn")
    typed = call.elaborator.expr(at, every(board.root))
    if isinstance(typed.type, Broken):
        return None
    if not isinstance(typed.type, Elem) or typed.type.root is not board.root:
        said = f"the second argument must be a {board.word}, where the tile would be laid, not {show(typed.type)}"
        call.fail("T201", at.span, said, f"`{kind.name}` is laid on `{board.name}`")
        return None
    if turn is not None:
        number = call.elaborator.expr(turn)
        if not isinstance(number.type, Num | Broken):
            said = f"`turn` must be how often the tile is turned, not {show(number.type)}"
            call.fail("T201", turn.span, said, f"a number from 0 to {len(board.board.sides) - 1}")
            return None
        if isinstance(number.type, Broken):
            return None
    return _Laid(kind, at, turn)


def _shown(call: Call, tree: E.Expr) -> _Shown | None:
    """What of a tile has to match; a tile alone stands for its only table by direction."""
    match tree:
        case E.Attribute(of=E.Attribute(of=tile, name=table), name=attribute) if (
            kind := _tile(call, tile)
        ) is not None and any(part.name == table.name for part in kind.parts):
            return _Shown(tile, kind, table, attribute, sides_of(call.world, kind))
        case E.Attribute(of=tile, name=table) if (kind := _tile(call, tile)) is not None:
            masks = _tables(call, kind)
            if table.name in masks:
                return _Shown(tile, kind, table, None, masks[table.name])
            near = nearest(table.name, masks)
            said = f"`{table.name}` is no table by direction of `{kind.name}`"
            help = did_you_mean(near) or _offer(call, kind, tile)
            call.elaborator.fail("T261", table.span, said, help, tuple(near))
            return None
    kind = _tile(call, tree)
    if kind is None:
        typed = call.elaborator.expr(tree)
        if not isinstance(typed.type, Broken):
            said = f"the first argument of `edges_match` must be what a tile shows, not {show(typed.type)}"
            call.fail("T261", tree.span, said, "as in `edges_match(tile.edges, at, turn)`")
        return None
    masks = _tables(call, kind)
    if len(masks) != 1:
        said = f"what of `{kind.name}` has to match is not said"
        call.fail("T261", tree.span, said, _offer(call, kind, tree))
        return None
    ((name, mask),) = masks.items()
    return _Shown(tree, kind, E.Name(tree.span, name), None, mask)


def _offer(call: Call, kind: KindInfo, tile: E.Expr) -> str:
    """What of a tile may be asked for."""
    written = tile.span.text
    found = [f"{written}.{name}" for name in _tables(call, kind)]
    for part in kind.parts:
        found += [f"{written}.{part.name}.{name}" for name, of in part.root.attributes.items() if _is_word(of[0].type)]
    if not found:
        return "declare what it shows, as in `attributes: {edges: terrain by direction}`"
    return f"write {' or '.join(f'`edges_match({one}, …)`' for one in found[:3])}"


def _is_word(kind: Type) -> bool:
    return isinstance(kind, Elem) and kind.root.kind == "enum"


def _tile(call: Call, tree: E.Expr) -> KindInfo | None:
    """The kind of tile that an expression is, if it is one."""
    report = call.elaborator.report
    call.elaborator.report = Report()
    typed = call.elaborator.expr(tree)
    call.elaborator.report = report
    if not isinstance(typed.type, Elem) or typed.type.root is not call.world.pieces:
        return None
    mask = typed.type.mask
    return next((one for one in call.world.kinds if one.tile is not None and not mask & ~one.mask), None)


def _tables(call: Call, kind: KindInfo) -> dict[str, int]:
    """The tables by direction of a kind of tile, with the directions that each knows."""
    found: dict[str, int] = {}
    sides = sides_of(call.world, kind)
    for name, attributes in call.world.pieces.attributes.items():
        for attribute in attributes:
            of = attribute.type
            if isinstance(of, TableOf) and attribute.mask & kind.mask and isinstance(of.keys[0], Elem):
                if of.keys[0].root is call.world.directions:
                    found[name] = of.keys[0].mask & sides  # other boards may have more directions
    return found


def _parts_there_are(call: Call, tree: E.Expr) -> str:
    kind = _tile(call, tree)
    parts = kind.parts if kind is not None else call.world.parts
    written = tree.span.text if kind is not None else "tile"
    names = " or ".join(f"`{written}.{part.name}`" for part in parts)
    return f"write {names}" if names else "a kind of tile is split into parts by `parts:`"
