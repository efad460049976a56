"""Pieces that nothing tells apart but where they are: of those on one space only the first is asked.

Fifteen men stand on six points, and whether one of them can go depends on the point. What is asked of a piece is found
from the formula: where it lies, and what all pieces of its looks have. The pieces that are the first of their looks
where they lie are a set that is kept, so a loop runs over them and not over all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.once import once
from ruledsl.ir.walk import parts
from ruledsl.types import bits

from .passes import NONE_OFF, Off, Pass

if TYPE_CHECKING:
    from .fair import Fair

MOST_PIECES = 64  # so that a set of them is one machine word
ONCE = frozenset(["any", "all", "max", "min", "union", "set"])  # the same member twice changes nothing


class Alike:
    """Knows which loops may leave out pieces, and what tells pieces apart."""

    def __init__(self, program: C.Program, without: Off = NONE_OFF) -> None:
        self.program = program
        self.asked = False  # whether any loop makes use of the set
        spots = program.spots
        root = program.roots.get("piece")
        self.size = root.size if root is not None else 0
        crowded = any(not single for single in spots.single[: spots.first_place])  # spaces with several pieces
        plain = spots.known < 0 and spots.slot < 0 and spots.turn < 0 and not spots.growing and not program.piece_state
        rows = program.rows
        on = Pass.FIRST_OF_LIKE not in without
        self.fits = bool(on and spots.at >= 0 and crowded and plain and 0 < self.size <= MOST_PIECES and rows)
        looks: dict[Any, int] = {}
        for piece, row in enumerate(rows):
            looks[row] = looks.get(row, 0) | 1 << piece
        self.like = tuple(looks[row] for row in rows)  # by piece, those of its looks
        self.fits = self.fits and any(one.bit_count() > 1 for one in self.like)
        # Where pieces lie in an order that menus tell them apart by, or alone, each is the first.
        self.shared = tuple(
            not single and not (ordered and spot >= spots.first_place)
            for spot, (single, ordered) in enumerate(zip(spots.single, spots.ordered, strict=True))
        )
        self.everything = (1 << self.size) - 1
        self.fair: Fair | None = None  # tells of effects that are tried out, where they are
        self.tries = False  # whether any loop leaves out pieces that would be tried

    def closed(self, domain: C.Node) -> bool:
        """Whether a domain has, of the pieces of one looks on one space, all or none."""
        match domain:
            case C.Const(value=int() as value):
                sets = [value]
            case C.Look(table=table, none=none):
                sets = [value for value in (*table, none) if isinstance(value, int)]
                if len(sets) <= len(table):
                    return False
            case C.Primitive(name="on_set", data=(kinds,)):
                sets = [kinds] if kinds is not None else []
            case _:
                return False
        return all(self.whole(max(one, 0)) for one in sets)

    def whole(self, pieces: int) -> bool:
        """Whether a set has, of the pieces of one looks, all or none."""
        return pieces >> self.size == 0 and all(self.like[piece] & ~pieces == 0 for piece in bits(pieces))

    def of(self, each: C.Each, name: str = "firsts") -> C.Each:
        """The same variable, over those pieces only that are the first of their looks where they lie."""
        self.asked = True
        return C.Each(each.slot, each.form, (C.Op("common", (each.domain[0], C.Primitive(name, (), ()))),))

    @once()
    def loop(self, node: C.Fold) -> tuple[C.Fold, C.Fold | None]:
        """A comprehension that asks every piece, or the same that asks the first on each space.

        Where effects are tried on the pieces there is a second one: what to do if it shows in play that a trial was
        not the same for all of them. The first one ends there.
        """
        if not self.fits or node.kind not in ONCE or node.keys or (node.kind == "set" and node.value is None):
            return node, None
        each, tried = list(node.each), list(node.each)
        conditions: list[C.Node] = []
        for at, one in enumerate(node.each):
            if one.form != "set" or not self.closed(one.domain[0]):
                continue
            later = [domain for other in node.each[at + 1 :] for domain in other.domain]
            asked = [*later, *(part for part in (node.where, node.value) if part is not None)]
            shown = node.value is not None or node.kind in ("any", "all")
            # A number that nothing asks about is no piece: the domain may be spaces or words.
            if shown and any(self._asks(part, one.slot) for part in asked):
                if all(self.placed(part, one.slot) for part in asked):
                    each[at] = tried[at] = self.of(one)
                elif all(self.placed(part, one.slot, True) for part in asked):
                    self.tries = True
                    tried[at] = self.of(one, "firsts_unmixed")
                    conditions.append(C.Primitive("all_alike", (C.Get(one.slot),), ()))
        plain = replace(node, each=tuple(each)) if each != list(node.each) else node
        if not conditions:
            return plain, None
        where = C.Both((*conditions, *([node.where] if node.where is not None else [])))
        return replace(node, each=tuple(tried), where=where), plain

    def _asks(self, node: Any, slot: int) -> bool:
        """Whether an expression asks where the piece in a slot lies."""
        match node:
            case C.Cell(base=base, index=C.Get(slot=s)) if s == slot and base == self.program.spots.at:
                return True
            case C.Primitive(name="standing", args=(C.Get(slot=s),)) if s == slot:
                return True
            case C.Invoke(formula=formula, args=args):
                if any(
                    isinstance(arg, C.Get) and arg.slot == slot and self._asks(formula.body, inner)
                    for inner, arg in zip(formula.slots, args, strict=True)
                ):
                    return True
        return node is not None and any(self._asks(part, slot) for part in parts(node))

    @once()
    def placed(self, node: Any, slot: int, trials: bool = False) -> bool:
        """Whether an expression asks nothing of the piece in a slot but where it lies and what its looks have.

        With trials it may ask what an effect would do to it, if that is the same for all that are alike.
        """
        match node:
            case None | C.Possible():
                return False
            case C.Get(slot=s):
                return s != slot
            case C.Cell(base=base, index=C.Get(slot=s)) if s == slot:
                return base == self.program.spots.at
            case C.Look(table=table, index=C.Get(slot=s)) if s == slot:
                return self.common(table)
            case C.Primitive(name="standing", args=(C.Get(slot=s),), data=(_, _, _, tiles)) if s == slot:
                return not tiles
            case C.Invoke(formula=formula, args=args):
                return all(
                    self.placed(formula.body, inner, trials)
                    if isinstance(arg, C.Get) and arg.slot == slot
                    else self.placed(arg, slot, trials)
                    for inner, arg in zip(formula.slots, args, strict=True)
                )
            case C.Lookahead():
                return False
            case C.Would(args=args, condition=condition) if trials and self.fair is not None:
                given = tuple(at for at, arg in enumerate(args) if isinstance(arg, C.Get) and arg.slot == slot)
                rest = [arg for at, arg in enumerate(args) if at not in given]
                blind = all(self.placed(part, slot, trials) for part in (*rest, condition))
                return blind and (not given or self.fair.trial(node, given))
            case C.Several(base=base) if base == slot:
                return False
        return all(self.placed(part, slot, trials) for part in parts(node))

    def common(self, table: tuple[Any, ...]) -> bool:
        """Whether a table has the same for all pieces of one looks."""
        if len(table) != self.size:
            return False
        first = [table[(like & -like).bit_length() - 1] for like in self.like]
        return all(value == one for value, one in zip(table, first, strict=True))

    def at_start(self) -> tuple[list[int], int, int]:
        """Before the first block: what lies on each spot, the pieces that are the first, those among others."""
        template, spots = self.program.template, self.program.spots
        heaps = [0] * spots.count
        for piece in range(self.size):
            heaps[template[spots.at + piece]] |= 1 << piece
        firsts = mixed = 0
        for spot, heap in enumerate(heaps):
            for piece in bits(heap):
                rest = heap & self.like[piece]
                if not self.shared[spot] or rest & -rest == 1 << piece:
                    firsts |= 1 << piece
                if rest != heap:
                    mixed |= 1 << piece
        return heaps, firsts, mixed
