"""Fingerprints of positions in generated Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.engine.primitives import mark
from ruledsl.ir import core as C
from ruledsl.ir.kinds import Kind

from .kept import Kept
from .passes import Pass
from .python_texts import bare

if TYPE_CHECKING:
    from .python_words import PythonWords

MOST_ROWS = 16  # of pieces, by which fingerprints are worked out from sets


class PythonPrints:
    """Fingerprints of positions in generated Python."""

    def __init__(self, out: PythonWords) -> None:
        self.out, self.program, self.kinds = out, out.program, out.kinds

    def prim_fingerprint(self, node: C.Primitive, kind: Kind) -> str | None:
        out = self.out
        spots, slots = node.data
        if not all(self.program.spots.single[spot] for spot in spots):
            return None
        name = out.constant("fingerprint_", (), (id(node.data),))
        if name not in out.written:
            out.written[name] = None
            kept = self._kept_rows(spots)
            if kept is not None:
                out.later += self._fingerprint_kept(name, kept, slots)
                return f"{name}(v)"
            lines = [f"def {name}(v):", '    """64 bits that stand for the position."""', "    found = 0"]
            if spots:
                first, top = spots[0], self.program.spots.top
                last = first + len(spots)
                if tuple(spots) == tuple(range(first, last)):
                    lines.append(f"    for spot, piece in enumerate(v[{top + first}:{top + last}], {first}):")
                else:
                    lines.append(f"    for spot in {out.constant('SPOTS', tuple(spots))}:")
                    lines.append(f"        piece = v[{top} + spot]")
                lines.append("        if piece >= 0:")
                lines.append(f"            found ^= mark(spot, {bare(out.looks('piece'))})")
            for number, slot in enumerate(slots):
                lines.append(f"    found ^= mark({-2 - number}, v[{slot}])")
            out.later += [*lines, "    return found", "", ""]
        return f"{name}(v)"

    def _kept_rows(self, spots: tuple[int, ...]) -> Kept | None:
        """Kept sets of the spaces with pieces of each row, if that is all that tells positions apart."""
        out = self.out
        rows, board = self.program.rows, tuple(spots)
        boards, pieces = out.absorber.boards, self.program.roots.get("piece")
        if not out.on(Pass.FINGERPRINTS) or not rows or pieces is None or self.program.piece_state:
            return None
        if not board or board != tuple(range(board[0], board[0] + boards.get(board[0], 0))):
            return None
        kept = Kept("spaces", board[0], len(board), pieces.everything, tuple(rows), -1, max(rows) + 1)
        return kept if kept.values <= MOST_ROWS and out.absorber.keeps(kept) else None

    def _fingerprint_kept(self, name: str, kept: Kept, slots: tuple[int, ...]) -> list[str]:
        """A function that begins with the position that it was asked for last."""
        out = self.out
        count = kept.values
        marks = tuple(tuple(mark(kept.first + at, row) for at in range(kept.count)) for row in range(count))
        last = out.constant("LAST", [(0,) * (count + 1)], name)
        now, before = (", ".join(f"{stem}{row}" for row in range(count)) for stem in ("now", "before"))
        slot = out.absorber.slot_of(kept)
        lines = [
            f"def {name}(v):",
            '    """64 bits that stand for the position, found from the one that was asked for last."""',
            f"    found, {before} = {last}[0]",
        ]
        for row in range(count):
            lines += [
                f"    now{row} = v[{slot + row}]",
                f"    other = now{row} ^ before{row}",
                "    while other:",
                "        low = other & -other",
                f"        found ^= {out.constant('MARKS', marks[row])}[low.bit_length() - 1]",
                "        other ^= low",
            ]
        lines.append(f"    {last}[0] = found, {now}")
        for number_, one in enumerate(slots):
            lines.append(f"    found ^= mark({-2 - number_}, v[{one}])")
        return [*lines, "    return found", "", ""]

    def prim_repeats(self, node: C.Primitive, kind: Kind) -> str:
        (base,) = node.data
        return f"v[{base + 1}:{base + 1} + v[{base}]].count({self.out.number(node.args[0])})"
