"""C.Tiles and their parts in generated C, as they lie."""

from __future__ import annotations

from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import Kind, a_set

from .c_lines import CLines
from .passes import NONE_OFF, Off


class CTiles(CLines):
    """C.Tiles and their parts in generated C, as they lie."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        super().__init__(program, kinds, without)
        self.tiles: list[C.Tiles] = []

    def prim_first_on_tile(self, node: C.Primitive, kind: Kind) -> str:
        kinds, parts = node.data
        name = self.once(
            ("first_on_tile", kinds, parts), "first_on_tile", lambda n: self._first_on_tile_function(n, kinds, parts)
        )
        key = name, self.simple(self.number(node.args[0]))
        known = self.at_hand(key)
        if known is None:  # mostly it is asked several times what lies on a tile
            known = self.held(f"{name}(x, s, {key[1]})", kind), kind
            self.known[-1][key] = known
        return known[0]

    def _first_on_tile_function(self, name: str, kinds: int, parts: Any) -> None:
        spots_of: dict[int, list[int]] = {}
        for first, owner in parts:
            for part, tile in enumerate(owner):
                spots_of.setdefault(tile, []).append(first + part)
        table = self.lists(tuple(tuple(spots_of.get(piece, ())) for piece in range(self.pieces)))
        mask = self.set_const(kinds, self.pieces)
        with self.block(f"static num {name}(Context *x, const State *s, num spot)"):

            def look(piece: str) -> None:
                self.line(f"if ({self.op('has', [piece, mask], self.pieces)}) return {piece};")
                with self.block(f"for (num k = 0; k < {table}[{piece}].n; k++)"):
                    self.line(f"num found = first_lying(x, s, {table}[{piece}].p[k], {mask});")
                    self.line("if (found >= 0) return found;")

            spots = self.program.spots
            piled = tuple(int(a and not b) for a, b in zip(spots.ordered, spots.single, strict=True))
            self.line("if (spot < 0) return -1;")
            if any(piled):
                with self.block(f"if ({self.numbers(piled)}[spot])"):
                    first, over = self.item(spots.bottom, "spot"), self.item(spots.over, "p")
                    with self.block(f"for (num p = {first}; p >= 0; p = {over})"):
                        look("p")
                    self.line("return -1;")
            self.line("num mark = x->top;")
            self.line("list lies = lying(x, s, spot);")
            self.line("x->top = mark;")
            with self.block("for (num i = 0; i < lies.n; i++)"):
                look("lies.p[i]")
            self.line("return -1;")

    def _tiles(self, tiles: C.Tiles) -> int:
        if tiles not in self.tiles:
            self.tiles.append(tiles)
            number = len(self.tiles) - 1
            self.once(("tiles", number), "tiles", lambda _: self._tile_functions(number, tiles))
        return self.tiles.index(tiles)

    def _tile_functions(self, number: int, tiles: C.Tiles) -> None:
        pieces, count, sides = self.pieces, len(tiles.owner), len(tiles.turns)
        shown = [
            next((part for part in tiles.parts_of.get(piece, ()) if tiles.sides[part] >> side & 1), -1)
            for piece in range(pieces)
            for side in range(sides)
        ]
        table, turned = self.numbers(tuple(shown)), self.turned(tiles.turns)
        with self.block(f"static num part_facing{number}(const State *s, num piece, num way)"):
            self.line("if (piece < 0 || way < 0) return -1;")
            self.line(f"return {table}[piece * {sides} + {turned}(way, -{self.item(tiles.turn, 'piece')})];")
        form = self.type(a_set(count))
        owner, printed = self.numbers(tuple(tiles.owner)), self.sets(tuple(tiles.sides), 1)
        is_tile = self.set_const(sum(1 << piece for piece in tiles.parts_of), pieces)
        with self.block(f"static num tile_on{number}(const State *s, num spot)"):
            for lying in (tiles.bottom, tiles.top):
                if lying >= 0:
                    self.line(f"num at{lying} = {self.item(lying, 'spot')};")
                    tile = self.op("has", [f"at{lying}", is_tile], pieces)
                    self.line(f"if (at{lying} >= 0 && {tile}) return at{lying};")
            self.line("return -1;")
        with self.block(f"static {form} parts_near{number}(const State *s, num part)"):
            self.declare(a_set(count), "found", self.set_const(0, count))
            self.line("if (part < 0) return found;")
            self.line(f"num piece = {owner}[part];")
            self.line(f"num space = {self.item(tiles.at, 'piece')} - {tiles.first_space};")
            self.line(f"if (space < 0 || space >= {tiles.spaces}) return found;")
            self.line(f"num turn = {self.item(tiles.turn, 'piece')};")
            with self.loop_set("side", f"{printed}[part]", a_set(sides)):
                self.line(f"num way = {turned}(side, turn);")
                self.line(f"num there = {self.numbers(tuple(tiles.steps))}[space * {tiles.count} + way];")
                self.line("if (there < 0) continue;")
                self.line(f"num other = tile_on{number}(s, there + {tiles.first_space});")
                self.line("if (other < 0) continue;")
                opposite = self.numbers(tuple(tiles.opposite))
                self.line(f"num met = part_facing{number}(s, other, {opposite}[way]);")
                self.set_add("found", "met", count, False)
            self.line("return found;")

    def turned(self, turns: tuple[tuple[int, ...], ...]) -> str:
        """The name of a function that turns a direction."""
        return self.once(("turned", turns), "turned", lambda name: self._turned_function(name, turns))

    def _turned_function(self, name: str, turns: tuple[tuple[int, ...], ...]) -> None:
        ways = self.lists(turns)
        with self.block(f"static num {name}(num way, num by)"):
            self.line(f"return {ways}[way].p[modulo(by, {ways}[way].n)];")

    def prim_part_neighbors(self, node: C.Primitive, kind: Kind) -> str:
        return f"parts_near{self._tiles(node.data[0])}(s, {self.number(node.args[0])})"

    def prim_part_facing(self, node: C.Primitive, kind: Kind) -> str:
        piece, way = (self.number(arg) for arg in node.args)
        return f"part_facing{self._tiles(node.data[0])}(s, {piece}, {way})"

    def prim_as_it_lies(self, node: C.Primitive, kind: Kind) -> str:
        way, piece = (self.simple(self.number(arg)) for arg in node.args)
        turns, slot, sign = node.data
        turned = f"{self.turned(turns)}({way}, {'' if sign > 0 else '-'}{self.item(slot, piece)})"
        return self.cond(f"{way} >= 0 && {piece} >= 0", turned, "-1")

    def prim_turned_set(self, node: C.Primitive, kind: Kind) -> str:
        turns, slot = node.data
        sides, piece = self.set_text(node.args[0], kind.top), self.simple(self.number(node.args[1]))
        name, turn = self.temp("among"), self.temp("turn")
        self.declare(kind, name, self.set_const(0, kind.top))
        with self.if_(f"{piece} >= 0"):
            self.line(f"num {turn} = {self.item(slot, piece)};")
            with self.loop_set("side", sides, kind):
                self.set_add(name, f"{self.turned(turns)}(side, {turn})", kind.top, True)
        return name

    # connections
