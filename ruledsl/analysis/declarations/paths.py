"""`c.lot`, `c.lot.spot`, `s.lot.card`: from a piece to the place it lies in, to whose place that is, and back.

They come last among what pieces and places have, so an attribute of the game that is called alike is meant first.
"""

from __future__ import annotations

from ruledsl.analysis.names import PlaceInfo
from ruledsl.analysis.world import World
from ruledsl.ir import core as C
from ruledsl.source.text import Span
from ruledsl.types import NONE, Elem, Num, bits


def add_paths(world: World) -> None:
    for info in world.place_infos:
        if info.key:
            _whose_place(world, info)
            _place_of_piece(world, info)
        if not info.name.startswith("reserve "):
            _first_in_place(world, info)


def _places(info: PlaceInfo) -> int:
    return ((1 << info.count) - 1) << info.first


def _whose_place(world: World, info: PlaceInfo) -> None:
    """`lot.spot`: the member whose place it is."""
    values: list[int] = [NONE] * world.places.size
    low = info.per.low if isinstance(info.per, Num) else 0
    for number in range(info.count):
        values[info.first + number] = number + low
    assert info.per is not None
    world.fixed_attribute(world.places, info.key, _places(info), info.per, values)


def _place_of_piece(world: World, info: PlaceInfo) -> None:
    """`c.lot`: the place of this name that a piece lies in, or none."""
    data = (world.spots.first_place + info.first, info.count, world.spots.at, ())

    def lying(node: C.Node, span: Span | None) -> C.Node:
        return C.Primitive("offset", (C.Primitive("standing", (node,), data, span),), (info.first,), span)

    mask = _places(info)
    if isinstance(info.per, Elem):  # a part of a type leaves places that stay empty
        mask = sum(1 << info.first + member for member in bits(info.per.mask))
    origin = world.names.get(info.name)
    world.attribute(world.pieces, info.name, info.kinds, Elem(world.places, mask, True), lying, origin)


def _first_in_place(world: World, info: PlaceInfo) -> None:
    """`lot.card`: the first piece of a kind in a place, or none."""
    first = world.spots.first_place
    for kind in world.kinds_by_name():
        if kind.mask & info.kinds:
            world.attribute(
                world.places,
                kind.name,
                _places(info),
                Elem(world.pieces, kind.mask & info.kinds, True),
                lambda node, span, kinds=kind.mask: C.Primitive(
                    "first_on", (C.Primitive("offset", (node,), (first,)),), (kinds,), span
                ),
                world.names.get(kind.name),
            )
