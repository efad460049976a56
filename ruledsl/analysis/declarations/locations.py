"""`p.square`, `s.man`, `x.holder`, `h.slot`: where pieces stand and what stands there, as attributes."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.names import BoardInfo, Declared, KindInfo, PartInfo
from ruledsl.analysis.world import World
from ruledsl.ir import core as C
from ruledsl.source.text import Span
from ruledsl.types import NONE, Elem, Num, Root, SetOf, every, maybe

from .geometry import board_geometry, board_turns


def add_locations(world: World) -> None:
    tiled = {part.kind.tile for part in world.parts}
    for board in world.boards:
        _on_board(world, board, board.name in tiled)
    for part in world.parts:
        _on_part(world, part, next(b for b in world.boards if b.name == part.kind.tile))
    for kind in world.kinds:
        _holder(world, kind)
    if world.spots.slot >= 0:
        most = max(info.slots for info in world.place_infos)
        world.state_attribute(world.pieces, "slot", world.pieces.everything, Num(0, most), world.spots.slot)


def look_over_names(world: World) -> None:
    """`card.city` is where a card stands, and `city.card` what stands there: nothing else can be called so."""
    for board in world.boards:
        _only_one(world, world.pieces, board.word, f"the {board.word} on which a piece stands")
        for kind in world.kinds_by_name():
            _only_one(world, board.root, kind.name, f"the first {kind.name} on a {board.word}")


def _only_one(world: World, root: Root, name: str, meant: str) -> None:
    for one in root.attributes.get(name, ()):
        if isinstance(one.origin, Declared) and one.origin.sort == "attribute":
            help = f"give it another name, such as `its_{name}`"
            world.report.error("N203", one.origin.span, f"`{name}` already means {meant}", help=help)


def _on_board(world: World, board: BoardInfo, tiled: bool) -> None:
    """`p.square` of pieces, `s.man` of spaces."""
    parts = tuple((p.first_spot, p.root.size, tuple(p.owner)) for p in world.parts if p.kind.tile == board.name)
    data = (board.first_spot, board.root.size, world.spots.at, parts)

    def standing(node: C.Node, span: Span | None) -> C.Node:
        return C.Primitive("standing", (node,), data, span)

    origin = world.names.get(board.name)
    world.attribute(world.pieces, board.word, world.pieces.everything, maybe(every(board.root)), standing, origin)
    for kind in world.kinds_by_name():
        world.attribute(
            board.root,
            kind.name,
            board.root.everything,
            Elem(world.pieces, kind.mask, True),
            _first_there(world, board, kind, tiled),
            world.names.get(kind.name),
        )


def _on_part(world: World, part: PartInfo, board: BoardInfo) -> None:
    """Parts of tiles: of the tile they belong to, of pieces on them, of the space they lie on."""
    spots, root = world.spots, world.pieces
    geometry = board_geometry(world, board)
    parts_of: dict[int, list[int]] = {}
    for number, piece in enumerate(part.owner):
        parts_of.setdefault(piece, []).append(number)
    part.tiles = C.Tiles(
        steps=geometry.steps,
        count=geometry.count,
        first_part=part.first_spot,
        owner=part.owner,
        sides=part.sides,
        at=spots.at,
        turn=spots.turn,
        first_space=board.first_spot,
        turns=board_turns(world, board),
        opposite=world.data["opposite"],
        spaces=len(geometry.near),
        parts_of=parts_of,
        top=spots.top,
        bottom=spots.bottom,
    )
    world.attribute(
        root,
        part.name,
        root.everything & ~part.kind.mask,
        Elem(part.root, part.root.everything, True),
        lambda node, span: C.Primitive("standing", (node,), (part.first_spot, part.root.size, spots.at, ()), span),
    )
    masks = [0] * root.size
    for number, owner in enumerate(part.owner):
        masks[owner] |= 1 << number
    world.fixed_attribute(root, part.name, part.kind.mask, SetOf(every(part.root)), masks)
    owner_table = tuple(part.owner)
    world.attribute(
        part.root,
        board.word,
        part.root.everything,
        maybe(every(board.root)),
        lambda node, span: C.Primitive(
            "standing", (C.Look(owner_table, node, NONE),), (board.first_spot, board.root.size, spots.at, ()), span
        ),
    )
    for kind in world.kinds:
        if kind is not part.kind:
            world.attribute(
                part.root,
                kind.name,
                part.root.everything,
                Elem(root, kind.mask, True),
                lambda node, span, k=kind: C.Primitive(
                    "first_on", (C.Primitive("offset", (node,), (part.first_spot,)),), (k.mask,), span
                ),
            )


def _holder(world: World, kind: KindInfo) -> None:
    """`x.holder` of the pieces of a kind: whose place it is that they lie in."""
    spots = world.spots
    roots = {
        id(i.per.root): i.per.root
        for i in world.place_infos
        if i.kinds & kind.mask and isinstance(i.per, Elem) and not i.name.startswith("reserve ")
    }
    if not roots or (len(roots) > 1 and id(world.players) not in roots):
        return  # with owners of several sorts, and none of them players, nobody is meant above the others
    holder_root = world.players if id(world.players) in roots else next(iter(roots.values()))
    table = [NONE] * spots.count
    for place in world.place_infos:
        if isinstance(place.per, Elem) and place.per.root is holder_root and not place.name.startswith("reserve "):
            for i in range(place.count):
                table[spots.first_place + place.first + i] = i
    owners = tuple(table)
    world.attribute(
        world.pieces,
        "holder",
        kind.mask,
        maybe(every(holder_root)),
        lambda node, span: C.Look(owners, C.Cell(spots.at, node, NONE), NONE, span),
    )


def _first_there(world: World, board: BoardInfo, kind: KindInfo, tiled: bool) -> Any:
    first = board.first_spot

    def there(node: C.Node, span: Span | None) -> C.Node:
        spot = C.Primitive("offset", (node,), (first,)) if first or not isinstance(node, C.Const) else node
        if tiled:
            parts = tuple((p.first_spot, tuple(p.owner)) for p in world.parts if p.kind.tile == board.name)
            return C.Primitive("first_on_tile", (spot,), (kind.mask, parts), span)
        return C.Primitive("first_on", (spot,), (kind.mask,), span)

    return there
