"""What lies where, asked in generated Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.kinds import Kind

from .passes import Pass
from .python_texts import bare

if TYPE_CHECKING:
    from .python_words import PythonWords


class PythonPlaces:
    """What lies where, asked in generated Python."""

    def __init__(self, out: PythonWords) -> None:
        self.out, self.program, self.kinds = out, out.program, out.kinds

    def pile(self, lies: C.Primitive) -> int | None:
        """The pile of which all that lies there is asked for."""
        (spot,), (kinds,) = lies.args, lies.data
        if not isinstance(spot, C.Const) or not self.out.all_pieces(kinds) or not self.out.on(Pass.WITHOUT_LISTS):
            return None
        at = int(spot.value)
        return at if at >= 0 and self.program.spots.ordered[at] else None

    def where_it_is(self, node: C.Node) -> str | None:
        """The spot of a piece, for tables that go on behind the board it is asked for."""
        out = self.out
        if not isinstance(node, C.Primitive) or node.name != "standing" or not out.on(Pass.WIDE_TABLES):
            return None
        first, _, at, tiles = node.data
        if first or tiles or not out.kind(node.args[0]).sure:
            return None
        return out.item(at, out.number(node.args[0]))

    def beyond(self, table: tuple[Any, ...], none: Any, width: int = 1) -> tuple[Any, ...]:
        """A table by spaces that goes on for all other spots."""
        return (*table, *(none,) * (self.program.spots.count * width - len(table)))

    def _on_space(self, spot: C.Node) -> bool:
        """Whether a spot is a space that holds at most one piece."""
        return self.out.single and self.out.kind(spot).top <= self.program.spots.first_place

    def bounds(self, node: C.Node) -> tuple[int, int]:
        """Between what numbers a spot is, of places that follow one another as players do."""
        kind = self.out.kind(node)
        match node:
            case C.Primitive(name="offset", args=(arg,), data=(by,)) | C.Op(name="add", args=(arg, C.Const(value=by))):
                of = self.out.kind(arg)
                if of.sure:
                    return max(kind.low, of.low + by), min(kind.top, of.top + by)
        return kind.low, kind.top

    def in_set(self, spot: C.Node) -> bool:
        """Whether a spot is a place whose pieces lie in no order."""
        spots, (low, top) = self.program.spots, self.bounds(spot)
        if not spots.first_place <= low or top > spots.count or self.program.slots:
            return False
        return not any(spots.ordered[i] or spots.single[i] for i in range(low, top))

    def prim_on(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        spot, (kinds,) = out.number(node.args[0]), node.data
        if out.all_pieces(kinds):
            return f"lying(v, {bare(spot)})"
        return f"lying_of(v, {bare(spot)}, {out.set_const(kinds, 0)})"

    def prim_on_set(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        spot, (kinds,) = out.number(node.args[0]), node.data
        if self.in_set(node.args[0]):
            text = out.item(self.program.spots.members - self.program.spots.first_place, spot)
        else:
            text = f"lying_set(v, {bare(spot)})"
        return text if out.all_pieces(kinds) else f"({text} & {out.set_const(kinds, 0)})"

    def prim_on_all(self, node: C.Primitive, kind: Kind) -> str:
        (spots,), held = node.data, self.program.spots
        texts = []
        for spot in spots:
            plain = spot >= held.first_place and not held.ordered[spot] and not held.single[spot]
            texts.append(f"v[{held.members + spot - held.first_place}]" if plain else f"lying_set(v, {spot})")
        return f"({' | '.join(texts)})" if texts else "0"

    def prim_first_on(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        (spot, at), (kinds,) = out.value(node.args[0]), node.data
        spots = self.program.spots
        if self._on_space(node.args[0]):
            if at.sure:
                found = out.item(spots.top, spot)
            else:
                spot = out.simple(spot)
                found = out.cond(f"{spot} >= 0", out.item(spots.top, spot), "-1")
            if out.all_pieces(kinds):
                return found
            found = out.simple(found)
            return out.cond(f"{found} >= 0 and {out.set_const(kinds, 0)} >> {found} & 1", found, "-1")
        if self.in_set(node.args[0]):
            found = out.item(spots.members - spots.first_place, spot)
            if not out.all_pieces(kinds):
                found += f" & {out.set_const(kinds, 0)}"
            found = out.simple(found)
            return f"(({found} & -{found}).bit_length() - 1)"
        return f"first_lying(v, {spot}, {out.set_const(kinds, 0) if kinds >= 0 else kinds})"

    def prim_occupied(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        spot, at = out.value(node.args[0])
        if not out.single:
            return f"(lying_set(v, {bare(spot)}) != 0)"
        top = self.program.spots.top
        if at.sure:
            return f"({out.item(top, spot)} >= 0)"
        spot = out.simple(spot)
        return f"({spot} >= 0 and {out.item(top, spot)} >= 0)"

    def prim_standing(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        if node.data[3]:
            return self._standing_on_tile(node)
        (piece, of), (first, count, at, _) = out.value(node.args[0]), node.data
        if not of.sure:
            piece = out.simple(piece)
        where = out.item(at, piece)
        if first == 0:
            where = out.simple(where)
            inside = f"{where} < {count}"
            if self.program.spots.count == count and of.sure:
                return where
            return out.cond(inside if of.sure else f"{piece} >= 0 and {inside}", where, "-1")
        spot = out.simple(f"{where} - {first}" if of.sure else out.cond(f"{piece} >= 0", f"{where} - {first}", "-1"))
        return out.cond(f"0 <= {spot} < {count}", spot, "-1")

    def _standing_on_tile(self, node: C.Primitive) -> str:
        out = self.out
        first, count, at, parts = node.data
        name = out.constant("standing_", node.data, (first, count, at, id(parts)))
        if name not in out.written:
            out.written[name] = None
            tiles = {start + number: tile for start, _, owner in parts for number, tile in enumerate(owner)}
            out.later += [
                f"def {name}(v, piece):",
                '    """The space on which a piece stands, also on a part of a tile; -1 where it stands on none."""',
                "    if piece < 0:",
                "        return -1",
                f"    spot = v[{at} + piece]",
                f"    if {first} <= spot < {first + count}:",
                f"        return spot - {first}",
                f"    tile = {out.constant('TILES_OF_PARTS', tiles, (id(parts),))}.get(spot, -1)",
                f"    if tile >= 0 and {first} <= v[{at} + tile] < {first + count}:",
                f"        return v[{at} + tile] - {first}",
                "    return -1",
                "",
                "",
            ]
        return f"{name}(v, {bare(out.number(node.args[0]))})"

    def prim_space_at(self, node: C.Primitive, kind: Kind) -> str:
        (table,) = node.data
        key = ", ".join(self.out.number(arg) for arg in node.args)
        name = self.out.constant("SPACE_AT", table, id(table))
        return f"{name}.get(({key}{',' if len(node.args) == 1 else ''}), -1)"

    def prim_owned_spaces(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        first, count, owned = node.data
        kept = out.absorber.owned(first, count, owned)
        if kept is not None and out.absorber.keeps(kept):
            player, of = out.value(node.args[0])
            player = player if of.sure else out.simple(player)
            text = out.kept_set(kept, player)
            return text if of.sure else out.cond(f"{player} >= 0", text, "0")
        table = out.constant("OWNED", tuple(tuple(pieces) for pieces in (*owned, ())))
        name, piece, at = out.temp("set"), out.temp("i"), out.temp("at")
        player = out.number(node.args[0])
        base = self.program.spots.at
        out.line(f"{name} = 0")
        with out.block(f"for {piece} in {table}[{bare(player)}]"):
            out.line(f"{at} = {out.item(base, piece)}" + (f" - {first}" if first else ""))
            with out.if_(f"0 <= {at} < {count}" if first else f"{at} < {count}"):
                out.line(f"{name} |= 1 << {at}")
        return name

    def prim_as_it_lies(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        turns, slot, sign = node.data
        way, piece = (out.value(arg) for arg in node.args)
        d, p = out.simple(way[0]), out.simple(piece[0])
        lengths = {len(ways) for ways in turns}
        table = out.constant("TURNS", tuple(map(tuple, turns)))
        by = out.item(slot, p) if sign > 0 else f"-{out.item(slot, p)}"
        turned = f"{table}[{d}][{by} % {lengths.pop() if len(lengths) == 1 else f'len({table}[{d}])'}]"
        sure = [f"{text} >= 0" for text, of in ((d, way[1]), (p, piece[1])) if not of.sure]
        return out.cond(out.both(sure), turned, "-1") if sure else turned

    def prim_first_on_tile(self, node: C.Primitive, kind: Kind) -> str | None:
        out = self.out
        kinds, tiles = node.data
        spots = self.program.spots
        name = out.constant("first_on_tile_", (kinds, tiles), (id(node.data),))
        if name not in out.written:
            out.written[name] = None
            spots_of: dict[int, list[int]] = {}
            for first, owner in tiles:
                for number, tile in enumerate(owner):
                    spots_of.setdefault(tile, []).append(first + number)
            parts_of = out.constant("PARTS_OF", tuple(tuple(spots_of.get(i, ())) for i in range(out.pieces)))
            mask = out.set_const(kinds, 0)
            first = self.first_slots()
            out.later += [
                f"def {name}(v, spot):",
                '    """The first such piece on a space, or on a part of a tile that lies there."""',
                "    if spot < 0:",
                "        return -1",
            ]
            out.later += (
                ["    for piece in lying(v, spot):"]
                if first is None
                else [f"    piece = v[{first}[spot]]", "    while piece >= 0:"]
            )
            out.later += [f"        if {mask} >> piece & 1:", "            return piece"]
            some = f"v[{first}[part]] >= 0 and " if first is not None else ""
            out.later += [
                f"        for part in {parts_of}[piece]:",
                f"            if {some}(found := first_lying(v, part, {mask})) >= 0:",
                "                return found",
            ]
            if first is not None:
                if any(spots.single):
                    out.later += [
                        f"        if {out.constant('SINGLE', tuple(map(int, spots.single)))}[spot]:",
                        "            break",
                    ]
                out.later.append(f"        piece = v[{spots.over} + piece]" if any(spots.ordered) else "        break")
            out.later += ["    return -1", "", ""]
        return f"{name}(v, {bare(out.number(node.args[0]))})"

    def first_slots(self) -> str | None:
        """A table by space and part: the slot that says which piece comes first there; None if that is not so."""
        spots = self.program.spots
        if not all(spots.ordered[i] or spots.single[i] for i in range(spots.first_place)):
            return None
        return self.out.constant(
            "FIRST",
            tuple((spots.top if spots.single[i] else spots.bottom) + i for i in range(spots.first_place)),
        )
