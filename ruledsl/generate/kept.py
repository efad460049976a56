"""Sets that a person would keep by hand: which spaces are taken, by whose pieces, by pieces of which sort.

A rule says `c in board where empty(c)`; a program that looks at every space each time is slow. Conditions on the one
variable of a loop that ask for what lies on a space, or where a piece is, become sets that are changed whenever a
piece moves, so that the loop begins with what it wants. It is the condition that is recognised, not its wording:
`empty(c)`, `not any(pieces(c))` and `no(c.stone)` all ask whether something lies there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ruledsl.ir import core as C
from ruledsl.types import bits

from .kinds import Kinds, parts

MOST_VALUES = 32  # a set is kept for each value of what tells pieces apart, up to so many


@dataclass(frozen=True)
class Kept:
    """A family of sets kept up to date.

    `of` is `spaces` (of the board whose spots begin at `first`) or `pieces`. Without `table` and `state` there is
    one set: all spaces with a piece of `kinds` on them, or all pieces of the board. With them there is one for each
    value: of a table by piece that never changes, or of a state of pieces.
    """

    of: str
    first: int
    count: int
    kinds: int
    table: tuple[int, ...] | None = None
    state: int = -1
    values: int = 1

    @property
    def plain(self) -> bool:
        return self.table is None and self.state < 0


@dataclass(frozen=True)
class Part:
    """What a condition says about the variable: it is in the set, or not in it."""

    kept: Kept | None  # or a set of the program that does not depend on the variable
    index: C.Node | None
    given: C.Node | None
    inside: bool
    sets: tuple[int, ...] = ()  # a set for each value of the index, fixed


class Absorber:
    """Finds the sets that conditions stand for."""

    def __init__(self, program: C.Program, kinds: Kinds) -> None:
        self.program, self.kinds = program, kinds
        self.found: list[Kept] = []
        spots = program.spots
        self.single = spots.at >= 0 and all(spots.single[: spots.first_place])
        self.boards = {first: root.size for first, root in spots.roots if root.kind == "space"}
        self.pieces = program.roots["piece"] if "piece" in program.roots else None
        self._uses: dict[tuple[int, int], bool] = {}
        self._safe: dict[int, bool] = {}
        self._keep: list[Any] = []  # what is known by id must not be forgotten

    def keep(self, kept: Kept) -> Kept:
        if kept not in self.found:
            self.found.append(kept)
        return kept

    # ------------------------------------------------------------------------------------- about expressions

    def uses(self, node: Any, slot: int) -> bool:
        """Whether an expression looks at a slot."""
        key = (id(node), slot)
        if key not in self._uses:
            self._keep.append(node)
            if isinstance(node, C.Get):
                found = node.slot == slot
            elif isinstance(node, C.Would | C.Possible):
                found = True
            else:
                found = any(self.uses(part, slot) for part in parts(node))
            self._uses[key] = found
        return self._uses[key]

    def safe(self, node: Any) -> bool:
        """Whether an expression can be worked out where it was not asked for: it never faults."""
        key = id(node)
        if key not in self._safe:
            self._keep.append(node)
            self._safe[key] = False  # while it is being looked at
            self._safe[key] = self._never_faults(node)
        return self._safe[key]

    def _never_faults(self, node: Any) -> bool:
        match node:
            case C.Demand() | C.Would() | C.Possible() | C.Select():
                return False
            case C.Fit(of=of, low=low, high=high):
                kind = self.kinds.of(of)
                if kind is None or kind.low < low or kind.top > high + 1:
                    return False
            case C.Op(name="divide" | "remainder", args=(_, divisor)):
                if not isinstance(divisor, C.Const) or divisor.value == 0:
                    return False
            case C.Primitive(name="belongs" | "fault"):
                return False
            case C.Invoke(formula=formula):
                if formula.body is None or not self.safe(formula.body):
                    return False
        return all(self.safe(part) for part in parts(node))

    # ------------------------------------------------------------------------------------------ conditions

    def absorb(self, slot: int, conditions: list[C.Node]) -> tuple[list[Part], list[C.Node]]:
        """Parts of the domain that the conditions on a variable say, and the conditions that are left."""
        found: list[Part] = []
        left: list[C.Node] = []
        blocked = False
        for condition in conditions:
            part = None if blocked else self._part(slot, condition, True)
            if part is not None:
                found.append(part)
                continue
            left.append(condition)
            blocked = blocked or not self.safe(condition)
        return found, left

    def _part(self, slot: int, node: C.Node, inside: bool) -> Part | None:
        match node:
            case C.Op(name="not", args=(inner,)):
                return self._part(slot, inner, not inside)
            case C.Primitive(name="occupied", args=(spot,)):
                return self._taken(slot, spot, None, inside)
            case C.Op(name="is_there", args=(C.Primitive(name="first_on", args=(spot,), data=(kinds,)),)):
                return self._taken(slot, spot, kinds, inside)
            case C.Op(name="is_there", args=(C.Primitive(name="standing", args=(C.Get(slot=s),), data=data),)) if (
                s == slot
            ):
                if self.single and not data[3] and self.pieces is not None:
                    kept = self.keep(Kept("pieces", data[0], data[1], self.pieces.everything))
                    return Part(kept, None, None, inside)
            case C.Op(name="holds", args=(C.Get(slot=s), given)) if s == slot and not self.uses(given, slot):
                if self.safe(given):
                    return Part(None, None, given, inside)
            case C.Op(name="equal" | "unequal", args=(one, other)):
                inside = inside == (node.name == "equal")
                return self._equal(slot, one, other, inside) or self._equal(slot, other, one, inside)
        return None

    def _board(self, slot: int, spot: C.Node) -> int | None:
        """The first spot of the board if a spot is the space that the variable is."""
        match spot:
            case C.Get(slot=s) if s == slot and 0 in self.boards:
                return 0
            case C.Primitive(name="offset", args=(C.Get(slot=s),), data=(by,)) if s == slot and by in self.boards:
                return int(by)
        return None

    def _taken(self, slot: int, spot: C.Node, kinds: int | None, inside: bool) -> Part | None:
        first = self._board(slot, spot) if self.single else None
        if first is None or self.pieces is None:
            return None
        everything = self.pieces.everything
        return Part(
            self.keep(Kept("spaces", first, self.boards[first], everything if kinds is None else kinds)),
            None,
            None,
            inside,
        )

    def _equal(self, slot: int, one: C.Node, other: C.Node, inside: bool) -> Part | None:
        """`one` depends on the variable, `other` does not."""
        kind = self.kinds.of(other)
        if kind is None or not kind.sure or self.uses(other, slot) or not self.safe(other):
            return None
        match one:
            case C.Get(slot=s) if s == slot:
                return Part(None, None, C.Op("only", (other,)), inside)
            case C.Look(table=table, index=C.Get(slot=s)) if s == slot:
                return self._fixed(table, kind.top, other, inside)
            case C.Look(table=table, index=C.Primitive(name="first_on", args=(spot,), data=(kinds,))):
                return self._told(slot, spot, kinds, table, -1, other, inside)
            case C.Cell(base=base, index=C.Primitive(name="first_on", args=(spot,), data=(kinds,))):
                return self._told(slot, spot, kinds, None, base, other, inside)
            case C.Cell(base=base, index=C.Get(slot=s)) if s == slot:
                return self._pieces_in_state(base, other, inside)
        return None

    def _fixed(self, table: tuple[Any, ...], top: int, index: C.Node, inside: bool) -> Part | None:
        """The members with a value that never changes."""
        if any(isinstance(value, tuple) or not -1 <= value < 2 * len(table) + 64 for value in table):
            return None
        most = max(max(table, default=0) + 1, min(top, 2 * len(table) + 64))
        if top > most:
            return None
        sets = [0] * most
        for member, value in enumerate(table):
            if value >= 0:
                sets[value] |= 1 << member
        return Part(None, index, None, inside, tuple(sets))

    def _told(
        self,
        slot: int,
        spot: C.Node,
        kinds: int,
        table: tuple[Any, ...] | None,
        state: int,
        index: C.Node,
        inside: bool,
    ) -> Part | None:
        """The spaces on which a piece lies of which a table or a state has a value."""
        first = self._board(slot, spot) if self.single else None
        if first is None:
            return None
        values = self._values(table, state)
        kind = self.kinds.of(index)
        if values is None or kind is None or kind.top > values:
            return None
        return Part(
            self.keep(Kept("spaces", first, self.boards[first], kinds, table, state, values)), index, None, inside
        )

    def owned(self, first: int, count: int, owned: Any) -> Kept | None:
        """The spaces of a board where a piece of a player lies, for every player."""
        if not self.single or self.pieces is None or self.boards.get(first) != count:
            return None
        table = [-1] * self.pieces.size
        for player, pieces in enumerate(owned):
            for piece in pieces:
                if table[piece] >= 0:
                    return None
                table[piece] = player
        if len(owned) > MOST_VALUES:
            return None
        return self.keep(
            Kept("spaces", first, count, self.pieces.everything, tuple(table), -1, max(1, len(owned)))
        )

    def _pieces_in_state(self, base: int, index: C.Node, inside: bool) -> Part | None:
        if base not in self.program.data.get("piece_state", ()) or self.pieces is None:
            return None
        values, kind = self._values(None, base), self.kinds.of(index)
        if values is None or kind is None or kind.top > values:
            return None
        return Part(self.keep(Kept("pieces", 0, 0, self.pieces.everything, None, base, values)), index, None, inside)

    def _values(self, table: tuple[Any, ...] | None, state: int) -> int | None:
        """How many values there are, if they are few and none of them is negative but none."""
        if table is not None:
            if any(isinstance(value, tuple) or not -1 <= value < MOST_VALUES for value in table):
                return None
            return max(table, default=0) + 1
        kind = self.kinds.slot(state)
        if state not in self.program.data.get("piece_state", ()) or kind.sort != "number":
            return None
        return kind.top if kind.low >= -1 and kind.top <= MOST_VALUES else None


def conjuncts(node: C.Node | None) -> list[C.Node]:
    """The conditions that must all hold."""
    if node is None:
        return []
    if isinstance(node, C.Both):
        return [part for arg in node.args for part in conjuncts(arg)]
    return [node]


def at_start(kept: Kept, program: C.Program) -> list[int]:
    """What the sets hold in the state before the first block."""
    template, spots = program.data["template"], program.spots
    sets = [0] * kept.values
    for piece in bits(kept.kinds):
        spot = template[spots.at + piece]
        value = 0
        if kept.table is not None:
            value = kept.table[piece]
        elif kept.state >= 0:
            value = template[kept.state + piece]
        if value < 0:
            continue
        if kept.of == "pieces":
            if kept.state >= 0 or kept.first <= spot < kept.first + kept.count:
                sets[value] |= 1 << piece
        elif kept.first <= spot < kept.first + kept.count:
            sets[value] |= 1 << (spot - kept.first)
    return sets
