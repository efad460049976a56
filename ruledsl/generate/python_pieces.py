"""Pieces in generated Python: what lies where, moving, and the sets that are kept of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .python_texts import bare

if TYPE_CHECKING:
    from .python_program import PythonProgram


class PythonPieces:
    """Pieces in generated Python: what lies where, moving, and the sets that are kept of it."""

    def __init__(self, out: PythonProgram) -> None:
        self.out, self.program, self.kinds = out, out.program, out.kinds

    @property
    def moves_plainly(self) -> bool:
        """Whether all there is to moving a piece is to take it up and to put it down."""
        spots = self.program.spots
        odd = self.out.hides or spots.growing or self.program.slots
        return spots.at >= 0 and spots.count > 0 and self.out.single and not odd

    def pieces(self) -> None:
        """Moving a piece, as `engine.pieces` does it, for the sorts of spots that there are."""
        out = self.out
        spots = self.program.spots
        if spots.at >= 0 and spots.count and not self.program.slots:
            self._lying()
        if not self.moves_plainly:
            return  # `move` is that of the reference machine
        first = spots.first_place
        piles = any(spots.ordered)
        with out.function("move(v, piece, to, at=None, span=None)", "A piece leaves where it is and goes elsewhere."):
            out.line(f"source = v[{spots.at} + piece]")
            with out.block("if source == to and at is None"):
                out.line("return")
            room = [i for i in range(first, spots.count) if spots.capacity[i]]
            if room:
                limits = out.constant("CAPACITY", tuple(spots.capacity))
                with out.block(f"if {limits}[to] and source != to and PIECES.count(v, to) >= {limits}[to]"):
                    out.line("raise no_room(piece, span)")
            elif first:
                with out.block(f"if to < {first} and v[{spots.top} + to] >= 0 and source != to"):
                    out.line("raise no_room(piece, span)")
            for spot, comes in (("source", False), ("to", True)):
                if comes:
                    out.line(f"v[{spots.at} + piece] = to")
                sorts: list[tuple[str, list[str]]] = []
                if first:
                    top = f"v[{spots.top} + {spot}] = {'piece' if comes else '-1'}"
                    sorts.append((f"{spot} < {first}", [top, *self._kept_changes(spot)]))
                if piles or any(spots.single[first:]):
                    what = f"PIECES._put(v, piece, {spot}, at)" if comes else f"PIECES._take(v, piece, {spot})"
                    kinds = out.constant(
                        "SET_OF_PIECES",
                        tuple(int(not o and not s) for o, s in zip(spots.ordered, spots.single, strict=True)),
                    )
                    sorts.append((f"not {kinds}[{spot}]", [what]))
                change = "|= 1 << piece" if comes else "&= ~(1 << piece)"
                sorts.append(("", [f"v[{spots.members - first} + {spot}] {change}"]))
                if spots.members < 0:
                    sorts.pop()
                for i, (condition, changes) in enumerate(sorts):
                    if i == len(sorts) - 1 and i:
                        head = "else"
                    elif condition:
                        head = f"{'elif' if i else 'if'} {condition}"
                    else:
                        out.lines += ["    " * out.depth + line for line in changes]
                        continue
                    with out.block(head):
                        out.lines += ["    " * out.depth + line for line in changes]

    def _lying(self) -> None:
        """What lies on a spot, as `engine.pieces` tells it, for the sorts of spots that there are."""
        out = self.out
        spots = self.program.spots
        sorts = ["single" if s else "ordered" if o else "set" for o, s in zip(spots.ordered, spots.single, strict=True)]
        known: list[str] = [sort for sort in ("single", "set", "ordered") if sort in sorts]
        table = out.constant("SORT", tuple(known.index(sort) for sort in sorts)) if len(known) > 1 else ""
        top = f"v[{spots.top} + spot]"
        lies = f"v[{spots.members - spots.first_place} + spot]"
        ways = {
            "lying(v, spot)": {
                "single": [f"return ({top},) if {top} >= 0 else ()"],
                "set": [f"return members({lies})"],
                "ordered": [
                    "found = []",
                    f"piece = v[{spots.bottom} + spot]",
                    "while piece >= 0:",
                    "    found.append(piece)",
                    f"    piece = v[{spots.over} + piece]",
                    "return tuple(found)",
                ],
            },
            "first_lying(v, spot, kinds)": {
                "single": [f"return {top} if {top} >= 0 and kinds >> {top} & 1 else -1"],
                "set": [f"lies = {lies} & kinds", "return (lies & -lies).bit_length() - 1"],
                "ordered": [
                    f"piece = v[{spots.bottom} + spot]",
                    "while piece >= 0 and not kinds >> piece & 1:",
                    f"    piece = v[{spots.over} + piece]",
                    "return piece",
                ],
            },
        }
        for head, lines in ways.items():
            what = (
                "What lies on a spot, from the bottom up." if "kinds" not in head else "The first of these kinds there."
            )
            with out.function(head, what):
                with out.block("if spot < 0"):
                    out.line("return -1" if "kinds" in head else "return ()")
                for number, sort in enumerate(known):
                    last = number + 1 == len(known)
                    with out.scope() if last else out.block(f"if {table}[spot] == {number}"):
                        for line in lines[sort]:
                            out.line(line)

    def state_changes(self, base: int, piece: str, now: str) -> list[str]:
        """What changes in the sets that are kept by a state of pieces, before that state of a piece does."""
        out = self.out
        found, unsure = [], not self.kinds.slot(base).sure
        spot = out.item(self.program.spots.at, piece)
        for kept, slot in out.absorber.slots.items():
            if kept.state != base:
                continue
            member, inside = piece, []
            if kept.of == "spaces":
                member = f"({spot} - {kept.first})" if kept.first else spot
                inside.append(
                    f"{kept.first} <= {spot} < {kept.first + kept.count}" if kept.first else f"{spot} < {kept.count}"
                )
            if kept.kinds != self.program.roots["piece"].everything:
                inside.append(f"{out.set_const(kept.kinds, 0)} >> {piece} & 1")
            for value in (out.item(base, piece), now):
                if value.startswith("-"):
                    continue  # none
                conditions = [*inside, f"{value} >= 0"] if unsure else inside
                change = f"{out.item(slot, value)} ^= 1 << {member}"
                found += [f"if {' and '.join(conditions)}:", f"    {change}"] if conditions else [change]
        return found

    def twin(self) -> None:
        """What is equal for two pieces that nothing tells apart."""
        out = self.out
        spots = self.program.spots
        if out.twins is None or out.hides or spots.at < 0:
            return
        with out.function("twin(v, piece)", "Equal for two pieces that nothing tells apart."):
            out.line(f"spot = v[{spots.at} + piece]")
            if any(spots.ordered[spots.first_place :]):
                ordered = tuple(int(o and i >= spots.first_place) for i, o in enumerate(spots.ordered))
                with out.block(f"if {out.constant('ORDERED', ordered)}[spot]"):
                    out.line("return (piece,)")
            slot = f", v[{spots.slot} + piece]" if spots.slot >= 0 else ""
            out.line(f"return ({bare(out.looks('piece'))}, spot{slot})")

    def kept_changes(self, spot: str, piece: str) -> None:
        """Lines for what changes in sets that are kept; they are written when it is known which those are."""
        self.out.wait(lambda: self._kept_changes(spot, piece))

    def _kept_changes(self, spot: str, piece: str = "piece") -> list[str]:
        """What a piece that comes to a space of a board or leaves it changes in the sets that are kept."""
        out = self.out
        found = []
        everything = self.program.roots["piece"].everything if "piece" in self.program.roots else 0
        for kept, slot in out.absorber.slots.items():
            if kept.of == "pieces" and kept.state >= 0:
                continue  # wherever they are
            name, conditions = f"v[{slot}]", []
            if kept.first or kept.first + kept.count < self.program.spots.first_place:
                conditions.append(f"{kept.first} <= {spot} < {kept.first + kept.count}")
            if kept.kinds & everything != everything:
                conditions.append(f"{out.set_const(kept.kinds, 0)} >> {piece} & 1")
            if kept.table is not None:
                table = out.constant("KEPT", tuple(slot + value if value >= 0 else -1 for value in kept.table))
                name = f"v[{table}[{piece}]]"
                if min(kept.table, default=0) < 0:
                    conditions.append(f"{table}[{piece}] >= 0")
            if kept.state >= 0:
                state = out.item(kept.state, piece)
                name = out.item(slot, state)
                if not self.kinds.slot(kept.state).sure:
                    conditions.append(f"{state} >= 0")
            member = piece if kept.of == "pieces" else f"({spot} - {kept.first})" if kept.first else spot
            change = f"{name} ^= 1 << {member}"
            found += [f"if {' and '.join(conditions)}:", f"    {change}"] if conditions else [change]
        return found
