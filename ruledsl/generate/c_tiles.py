"""Tiles and their parts in generated C, as they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.kinds import Kind, a_set

if TYPE_CHECKING:
    from .c_words import CWords


class CTiles:
    """Tiles and their parts in generated C, as they lie."""

    def __init__(self, out: CWords) -> None:
        self.out = out
        self.found: list[C.Tiles] = []

    def prim_first_on_tile(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        kinds, parts = node.data
        name = out.once(
            ("first_on_tile", kinds, parts), "first_on_tile", lambda n: self._first_on_tile_function(n, kinds, parts)
        )
        key = name, out.number(node.args[0])
        known = out.at_hand(key)
        if known is None:  # mostly it is asked several times what lies on a tile
            known = out.held(f"{name}(x, s, {key[1]})", kind), kind
            out.known[-1][key] = known
        return known[0]

    def _first_on_tile_function(self, name: str, kinds: int, parts: Any) -> None:
        out = self.out
        spots_of: dict[int, list[int]] = {}
        for first, owner in parts:
            for part, tile in enumerate(owner):
                spots_of.setdefault(tile, []).append(first + part)
        table = out.lists(tuple(tuple(spots_of.get(piece, ())) for piece in range(out.pieces)))
        mask = out.set_const(kinds, out.pieces)
        with out.block(f"static num {name}_all(Context *x, const State *s, num spot)"):

            def look(piece: str) -> None:
                out.line(f"if ({out.op('has', [piece, mask], out.pieces)}) return {piece};")
                with out.block(f"for (num k = 0; k < {table}[{piece}].n; k++)"):
                    out.line(f"num found = first_lying(x, s, {table}[{piece}].p[k], {mask});")
                    out.line("if (found >= 0) return found;")

            spots = out.program.spots
            piled = tuple(int(a and not b) for a, b in zip(spots.ordered, spots.single, strict=True))
            if any(piled):
                with out.block(f"if ({out.numbers(piled)}[spot])"):
                    first, over = out.item(spots.bottom, "spot"), out.item(spots.over, "p")
                    with out.block(f"for (num p = {first}; p >= 0; p = {over})"):
                        look("p")
                    out.line("return -1;")
            out.line("num mark = x->top;")
            out.line("list lies = lying(x, s, spot);")
            out.line("x->top = mark;")
            with out.block("for (num i = 0; i < lies.n; i++)"):
                look("lies.p[i]")
            out.line("return -1;")
        with out.block(f"static inline num {name}(Context *x, const State *s, num spot)"):
            out.line("if (spot < 0) return -1;")
            if any(piled):  # mostly nothing lies there, or the very thing that is asked for
                with out.block(f"if ({out.numbers(piled)}[spot])"):
                    out.line(f"num p = {out.item(spots.bottom, 'spot')};")
                    out.line(f"if (p < 0 || {out.op('has', ['p', mask], out.pieces)}) return p;")
            out.line(f"return {name}_all(x, s, spot);")

    def number_of(self, tiles: C.Tiles) -> int:
        out = self.out
        if tiles not in self.found:
            self.found.append(tiles)
            number = len(self.found) - 1
            out.once(("tiles", number), "tiles", lambda _: self._tile_functions(number, tiles))
        return self.found.index(tiles)

    def _tile_functions(self, number: int, tiles: C.Tiles) -> None:
        out = self.out
        pieces, count, sides = out.pieces, len(tiles.owner), len(tiles.turns)
        shown = [
            next((part for part in tiles.parts_of.get(piece, ()) if tiles.sides[part] >> side & 1), -1)
            for piece in range(pieces)
            for side in range(sides)
        ]
        table, turned = out.numbers(tuple(shown)), self.turned(tiles.turns)
        with out.block(f"static num part_facing{number}(const State *s, num piece, num way)"):
            out.line("if (piece < 0 || way < 0) return -1;")
            out.line(f"return {table}[piece * {sides} + {turned}(way, -{out.item(tiles.turn, 'piece')})];")
        form = out.type(a_set(count))
        owner, printed = out.numbers(tuple(tiles.owner)), out.sets(tuple(tiles.sides), 1)
        is_tile = out.set_const(sum(1 << piece for piece in tiles.parts_of), pieces)
        with out.block(f"static num tile_on{number}(const State *s, num spot)"):
            for lying in (tiles.bottom, tiles.top):
                if lying >= 0:
                    out.line(f"num at{lying} = {out.item(lying, 'spot')};")
                    tile = out.op("has", [f"at{lying}", is_tile], pieces)
                    out.line(f"if (at{lying} >= 0 && {tile}) return at{lying};")
            out.line("return -1;")
        with out.block(f"static {form} parts_near{number}(const State *s, num part)"):
            out.declare(a_set(count), "found", out.set_const(0, count))
            out.line("if (part < 0) return found;")
            out.line(f"num piece = {owner}[part];")
            out.line(f"num space = {out.item(tiles.at, 'piece')} - {tiles.first_space};")
            out.line(f"if (space < 0 || space >= {tiles.spaces}) return found;")
            out.line(f"num turn = {out.item(tiles.turn, 'piece')};")
            with out.loop_set("side", f"{printed}[part]", a_set(sides)):
                out.line(f"num way = {turned}(side, turn);")
                out.line(f"num there = {out.numbers(tuple(tiles.steps))}[space * {tiles.count} + way];")
                out.line("if (there < 0) continue;")
                out.line(f"num other = tile_on{number}(s, there + {tiles.first_space});")
                out.line("if (other < 0) continue;")
                opposite = out.numbers(tuple(tiles.opposite))
                out.line(f"num met = part_facing{number}(s, other, {opposite}[way]);")
                out.set_add("found", "met", count, False)
            out.line("return found;")

    def turned(self, turns: tuple[tuple[int, ...], ...]) -> str:
        """The name of a function that turns a direction."""
        out = self.out
        return out.once(("turned", turns), "turned", lambda name: self._turned_function(name, turns))

    def _turned_function(self, name: str, turns: tuple[tuple[int, ...], ...]) -> None:
        out = self.out
        ways = out.lists(turns)
        with out.block(f"static num {name}(num way, num by)"):
            out.line(f"return {ways}[way].p[modulo(by, {ways}[way].n)];")

    def prim_part_neighbors(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        return f"parts_near{self.number_of(node.data[0])}(s, {out.number(node.args[0])})"

    def prim_part_facing(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        piece, way = (out.number(arg) for arg in node.args)
        return f"part_facing{self.number_of(node.data[0])}(s, {piece}, {way})"

    def prim_as_it_lies(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        way, piece = (out.simple(out.number(arg)) for arg in node.args)
        turns, slot, sign = node.data
        turned = f"{self.turned(turns)}({way}, {'' if sign > 0 else '-'}{out.item(slot, piece)})"
        return out.cond(f"{way} >= 0 && {piece} >= 0", turned, "-1")

    def prim_turned_set(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        turns, slot = node.data
        sides, piece = out.set_text(node.args[0], kind.top), out.simple(out.number(node.args[1]))
        name, turn = out.temp("among"), out.temp("turn")
        out.declare(kind, name, out.set_const(0, kind.top))
        with out.if_(f"{piece} >= 0"):
            out.line(f"num {turn} = {out.item(slot, piece)};")
            with out.loop_set("side", sides, kind):
                out.set_add(name, f"{self.turned(turns)}(side, {turn})", kind.top, True)
        return name
