"""Fingerprints of what lies where in generated C, and whether a position was there before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.kinds import SET, Kind

from .c_texts import words
from .passes import Pass

if TYPE_CHECKING:
    from .c_words import CWords


class CPrints:
    """Fingerprints of what lies where in generated C, and whether a position was there before."""

    def __init__(self, out: CWords) -> None:
        self.out = out
        self.kept: list[tuple[int, int]] = []  # spots of which a fingerprint is kept: the first, and the end
        self.histories: list[int] = []  # of which it is asked whether a position was there before

    def prim_fingerprint(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        spots, slots = node.data
        single = bool(spots) and all(out.program.spots.single[spot] for spot in spots)
        if out.on(Pass.FINGERPRINTS) and single and tuple(spots) == tuple(range(spots[0], spots[-1] + 1)):
            board = (spots[0], spots[-1] + 1)
            if board not in self.kept:
                self.kept.append(board)
            text = f"s->print{self.kept.index(board)}"
        elif not spots:
            text = "0"
        else:
            name = out.once(("fingerprint", spots), "fingerprint", lambda n: self._fingerprint(n, spots))
            text = f"{name}(x, s)"
        for at, slot in enumerate(slots):
            value, of = out.slot(slot), out.kinds.slot(slot)
            if of.sort == SET and words(of.top) > 1:
                value += ".w[0]"
            text += f" ^ marked({-2 - at}, (u64){value})"
        return f"({text})"

    def _fingerprint(self, name: str, spots: Any) -> None:
        out = self.out
        with out.block(f"static u64 {name}(Context *x, const State *s)"):
            out.line("u64 h = 0;")
            places = out.numbers(tuple(spots))
            with out.block(f"for (num i = 0; i < {len(spots)}; i++)"):
                out.line(f"num spot = {places}[i], mark = x->top;")
                out.line("list lies = lying(x, s, spot);")
                out.line("for (num k = 0; k < lies.n; k++) h ^= marked(spot + (k << 32), looks(s, lies.p[k]));")
                out.line("x->top = mark;")
            out.line("return h;")

    def prim_repeats(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        (base,) = node.data
        mark, count, past = out.temp("mark"), out.temp("n"), out.array(base, "0")
        out.line(f"u64 {mark} = {out.number(node.args[0])};")
        if not out.on(Pass.SEEN_BITS):
            out.line(f"num {count} = repeated({past}, {mark});")
            return count
        if base not in self.histories:
            self.histories.append(base)
        hints = f"s->hints{self.histories.index(base)}"
        out.line(f"num {count} = hinted({hints}, {mark}) ? recorded({hints}, {past}, {mark}) : 0;")
        return count
