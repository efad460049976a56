"""What lies where, asked in generated C."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.kinds import Kind, a_set

if TYPE_CHECKING:
    from .c_words import CWords


class CPlaces:
    """What lies where, asked in generated C."""

    def __init__(self, out: CWords) -> None:
        self.out, self.program, self.kinds, self.absorber = out, out.program, out.kinds, out.absorber

    def all_pieces(self, kinds: int | None) -> bool:
        return kinds is None or kinds == self.program.roots["piece"].everything

    def prim_on(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        spot, (kinds,) = out.number(node.args[0]), node.data
        if self.all_pieces(kinds):
            return f"lying(x, s, {spot})"
        return f"lying_of(x, s, {spot}, {out.set_const(kinds, out.pieces)})"

    def prim_on_set(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        spot, (kinds,) = out.number(node.args[0]), node.data
        text = f"lying_set(s, {spot})"
        if self.all_pieces(kinds):
            return text
        return out.op("common", [text, out.set_const(kinds, kind.top)], kind.top)

    def prim_on_all(self, node: C.Primitive, kind: Kind) -> str:
        (spots,) = node.data
        if not spots:
            return self.out.set_const(0, kind.top)
        text = f"lying_set(s, {spots[0]})"
        for spot in spots[1:]:
            text = self.out.op("union", [text, f"lying_set(s, {spot})"], kind.top)
        return text

    def prim_first_on(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        (spot, at), (kinds,) = out.value(node.args[0]), node.data
        if out.on_space(node.args[0]):
            if not at.sure:
                spot = out.simple(spot)
            top = out.item(self.program.spots.top, spot)
            found = top if at.sure else f"({spot} >= 0 ? {top} : -1)"
            if self.all_pieces(kinds):
                return found
            found = out.simple(found)
            return out.cond(out.op("holds", [found, out.set_const(kinds, out.pieces)], out.pieces), found, "-1")
        if self.all_pieces(kinds) and out.all_piles(node.args[0]):
            if at.sure:
                return out.item(self.program.spots.bottom, spot)
            spot = out.simple(spot)
            return out.cond(f"{spot} >= 0", out.item(self.program.spots.bottom, spot), "-1")
        if self.all_pieces(kinds):
            numbered = any(at.low <= place < at.top for place in self.program.slots)
            lying = out.pieces_as_set(spot, at) if not numbered else None  # by their numbers
            return out.op("lowest", [lying], out.pieces) if lying is not None else f"any_first(x, s, {spot})"
        return f"first_lying(x, s, {spot}, {out.set_const(kinds, out.pieces)})"

    def prim_occupied(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        spot, at = out.value(node.args[0])
        if out.on_space(node.args[0]):
            if at.sure:
                return f"({out.item(self.program.spots.top, spot)} >= 0)"
            spot = out.simple(spot)
            return f"({spot} >= 0 && {out.item(self.program.spots.top, spot)} >= 0)"
        return f"any_lying(s, {spot})"

    def prim_standing(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        (piece, of), (first, count, at, parts) = out.value(node.args[0]), node.data
        if not parts:
            if first == 0 and of.sure:
                where = out.simple(out.item(at, piece))
                return where if self.program.spots.count == count else f"({where} < {count} ? {where} : -1)"
            piece = out.simple(piece)
            where = f"{out.item(at, piece)}" + (f" - {first}" if first else "")
            if not of.sure:
                where = f"{piece} >= 0 ? {where} : -1"
            return f"within_or_none({where}, {count})"
        name = out.once(("standing", node.data), "standing_at", lambda n: self._standing_function(n, node.data))
        return f"{name}(s, {piece})"

    def _standing_function(self, name: str, data: Any) -> None:
        out = self.out
        first, count, at, parts = data
        with out.block(f"static num {name}(const State *s, num piece)"):
            out.line("if (piece < 0) return -1;")
            out.line(f"num spot = {out.item(at, 'piece')};")
            out.line(f"if (spot >= {first} && spot < {first + count}) return spot - {first};")
            for first_part, size, owner in parts:
                tile = f"{out.numbers(tuple(owner))}[spot - {first_part}]"
                with out.if_(f"spot >= {first_part} && spot < {first_part + size}"):
                    out.line(f"return within_or_none({out.item(at, tile)} - {first}, {count});")
            out.line("return -1;")

    def prim_space_at(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        (table,) = node.data
        args = [out.simple(out.number(arg)) for arg in node.args]
        if not table:
            return "-1"
        lows = [min(key[i] for key in table) for i in range(len(args))]
        highs = [max(key[i] for key in table) for i in range(len(args))]
        sizes = [high - low + 1 for low, high in zip(lows, highs, strict=True)]
        total = 1
        for size in sizes:
            total *= size
        dense = [-1] * total
        for key, space in table.items():
            at = 0
            for value, low, size in zip(key, lows, sizes, strict=True):
                at = at * size + value - low
            dense[at] = space
        index = ""
        for arg, low, size in zip(args, lows, sizes, strict=True):
            index = f"({index}) * {size} + {arg} - {low}" if index else f"{arg} - {low}"
        index = index.replace("- -", "+ ")
        inside = out.both(
            [f"{arg} >= {low} && {arg} <= {high}" for arg, low, high in zip(args, lows, highs, strict=True)]
        )
        return out.cond(inside, f"{out.numbers(tuple(dense))}[{index}]", "-1")

    def prim_owned_spaces(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        first, count, owned = node.data
        kept = self.absorber.owned(first, count, owned)
        if kept is not None and out.kind(node.args[0]).sure:
            return out.as_set(out.kept_set(kept, out.number(node.args[0])), a_set(count), kind.top)
        player = out.simple(out.number(node.args[0]))
        name, piece, at = out.temp("among"), out.temp("i"), out.temp("at")
        out.declare(kind, name, out.set_const(0, kind.top))
        table = out.lists(tuple(tuple(pieces) for pieces in owned))
        with out.block(f"if ({player} >= 0) for (num {piece} = 0; {piece} < {table}[{player}].n; {piece}++)"):
            out.line(f"num {at} = {out.item(self.program.spots.at, f'{table}[{player}].p[{piece}]')} - {first};")
            with out.if_(f"{at} >= 0 && {at} < {count}"):
                out.set_add(name, at, kind.top, True)
        return name
