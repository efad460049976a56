"""`p.square`, `s.man`, `x.holder`, `h.slot`: where pieces stand and what stands there, as attributes."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.names import BoardInfo, KindInfo
from ruledsl.analysis.world import World
from ruledsl.engine.tiles import Tiles
from ruledsl.ir import core as C
from ruledsl.source.text import Span
from ruledsl.types import NONE, Elem, Num, SetOf, every, maybe

from .geometry import board_geometry, board_turns


def add_locations(world: World) -> None:
    """`p.square`, `s.man`, `x.holder`, `h.slot`: where pieces stand and what stands there."""
    spots, root = world.spots, world.pieces
    everything = root.everything
    tiled = {part.kind.tile for part in world.parts}
    for board in world.boards:
        parts = tuple((p.first_spot, p.root.size, tuple(p.owner)) for p in world.parts if p.kind.tile == board.name)
        data = (board.first_spot, board.root.size, spots.at, parts)

        def standing(node: C.Node, span: Span | None, data: Any = data) -> C.Node:
            return C.Primitive("standing", (node,), data, span)

        origin = world.names.get(board.name)
        world.attribute(root, board.word, everything, maybe(every(board.root)), standing, origin)
        for kind in [*world.kinds, *_subkinds(world)]:
            world.attribute(
                board.root,
                kind.name,
                board.root.everything,
                Elem(root, kind.mask, True),
                _first_there(world, board, kind, board.name in tiled),
                world.names.get(kind.name),
            )
    for part in world.parts:
        board = next(b for b in world.boards if b.name == part.kind.tile)
        info = part
        part.tiles = Tiles(
            board_geometry(world, board),
            part.first_spot,
            part.owner,
            part.sides,
            spots.at,
            spots.turn,
            board.first_spot,
            board_turns(world, board),
            world.data["opposite"],
            spots.top,
            spots.bottom,
        )
        world.attribute(
            root,
            part.name,
            everything & ~part.kind.mask,
            Elem(part.root, part.root.everything, True),
            lambda node, span, p=info: C.Primitive(
                "standing", (node,), (p.first_spot, p.root.size, spots.at, ()), span
            ),
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
            lambda node, span, b=board, t=owner_table: C.Primitive(
                "standing", (C.Look(t, node, NONE),), (b.first_spot, b.root.size, spots.at, ()), span
            ),
        )
        for kind in world.kinds:
            if kind is not part.kind:
                world.attribute(
                    part.root,
                    kind.name,
                    part.root.everything,
                    Elem(root, kind.mask, True),
                    lambda node, span, p=info, k=kind: C.Primitive(
                        "first_on", (C.Primitive("offset", (node,), (p.first_spot,)),), (k.mask,), span
                    ),
                )
    for kind in world.kinds:
        roots = {
            id(i.per.root): i.per.root
            for i in world.place_infos
            if i.kinds & kind.mask and isinstance(i.per, Elem) and not i.name.startswith("reserve ")
        }
        if not roots or (len(roots) > 1 and id(world.players) not in roots):
            continue  # with owners of several sorts, and none of them players, nobody is meant above the others
        holder_root = world.players if id(world.players) in roots else next(iter(roots.values()))
        table = [NONE] * spots.count
        for place in world.place_infos:
            if isinstance(place.per, Elem) and place.per.root is holder_root and not place.name.startswith("reserve "):
                for i in range(place.count):
                    table[spots.first_place + place.first + i] = i
        world.attribute(
            root,
            "holder",
            kind.mask,
            maybe(every(holder_root)),
            lambda node, span, t=tuple(table): C.Look(t, C.Cell(spots.at, node, NONE), NONE, span),
        )
    if spots.slot >= 0:
        most = max(info.slots for info in world.place_infos)
        world.state_attribute(root, "slot", everything, Num(0, most), spots.slot)


def _subkinds(world: World) -> list[KindInfo]:
    return [d.data for d in world.names.values() if d.sort == "kind" and d.data not in world.kinds]


def _first_there(world: World, board: BoardInfo, kind: KindInfo, tiled: bool) -> Any:
    first = board.first_spot

    def there(node: C.Node, span: Span | None) -> C.Node:
        spot = C.Primitive("offset", (node,), (first,)) if first or not isinstance(node, C.Const) else node
        if tiled:
            parts = tuple((p.first_spot, tuple(p.owner)) for p in world.parts if p.kind.tile == board.name)
            return C.Primitive("first_on_tile", (spot,), (kind.mask, parts), span)
        return C.Primitive("first_on", (spot,), (kind.mask,), span)

    return there
