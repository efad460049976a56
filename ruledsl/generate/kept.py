"""Sets that a person would keep by hand: which spaces are taken, by whose pieces, by pieces of which sort.

A rule says `c in board where empty(c)`; a program that looks at every space each time is slow. Conditions on the one
variable of a loop that ask for what lies on a space, or where a piece is, become sets that are changed whenever a
piece moves, so that the loop begins with what it wants. It is the condition that is recognised, not its wording:
`empty(c)`, `not any(pieces(c))` and `no(c.stone)` all ask whether something lies there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from ruledsl.engine.primitives import MARK
from ruledsl.engine.random import scrambled
from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import SET, TRUTH, number
from ruledsl.ir.once import once
from ruledsl.ir.ops import may_fail
from ruledsl.ir.walk import StuckError, key, looks_at, parts, put, rebuilt, same
from ruledsl.records import dataclass
from ruledsl.types import bits

from .passes import NONE_OFF, Off, Pass
from .tabled import Tables
from .tabled import conjuncts as conjuncts

Found = TypeVar("Found")

MANY_PIECES = 32  # of so many it is worth to look at spaces instead, if the spaces are few
LEVELS = 6  # of formulas within formulas that are written out
FEW_MEMBERS = 8  # of so few a loop is as good as a set
MUCH_HIGHER = 512  # a table that leads so much higher than to twice its length is asked, and no set shifted
MOST_VALUES = 32  # a set is kept for each value of what tells pieces apart, up to so many


@dataclass(frozen=True)
class Kept:
    """A family of sets kept up to date.

    `of` is `spaces` (of the board whose spots begin at `first`) or `pieces`. Without `table` and `state` there is
    one set: all spaces with a piece of `kinds` on them, or all pieces of the board. With them there is one for each
    value: of a table by piece that never changes, or of a state of pieces. Or `of` is `members`: those of a space's own
    state, whose numbers begin at the slot `state`, or of a value by such members.
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


@dataclass(frozen=True, eq=False)
class Region:
    """The members for which a condition holds: made of sets that are there already.

    `sort` says how: a set that is `kept`, `given` by an expression without the variable, `fixed` for each value of an
    index, or the `whole` of a number's bits; `not`, `and`, `or` of others; or `step`, the spaces one step from which
    (in a direction in which all numbers change by the same) another region lies; or `seen`, those from which the first
    space that is not in one region lies in another.
    """

    sort: str
    parts: tuple[Region, ...] = ()
    kept: Kept | None = None
    index: C.Node | None = None
    given: C.Node | None = None
    sets: tuple[int, ...] = ()
    none: Region | None = None  # what holds where the index is none
    by: int = 0  # of `step` and `seen`: what is added to the number of a space
    among: int = 0  # of `step` and `seen`: the spaces that have such a neighbour
    times: int = 0  # of `seen`: how often a set is shifted twice as far as before, to come to the end of every line

    @property
    def reach(self) -> int:
        """Below which number all lies that `step` and `seen` look at, on whichever board: how wide sets must be to be
        shifted."""
        return self.among.bit_length() + max(self.by, 0)


class Absorber:
    """Finds the sets that conditions stand for."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        self.program, self.kinds, self.without = program, kinds, without
        self.found: list[Kept] = []
        spots = program.spots
        self.single = spots.at >= 0 and all(spots.single[: spots.first_place])
        self.boards = {first: root.size for first, root in spots.roots if root.kind == "space"}
        self.pieces = program.roots.get("piece")
        self._deep = 0  # in how many formulas
        self.of_members = False  # whether sets by the state of spaces are kept
        self.arrays = {
            field.base: field.count
            for field in program.layout.fields
            if field.kind in ("state", "value") and field.width == 1 and field.count >= FEW_MEMBERS
        }
        self.steady = False  # only sets that do not change with where pieces are count
        self.tables: Tables | None = None  # of expressions with few inputs, where they are made
        self.lacking: Callable[[int, C.Node], Region | None] | None = None  # where a condition on groups may hold

    def keep(self, kept: Kept) -> Kept:
        if kept not in self.found:
            self.found.append(kept)
        return kept

    # ------------------------------------------------------------------------------------- about expressions

    @once()
    def uses(self, node: Any, slot: int) -> bool:
        """Whether an expression looks at a slot."""
        if isinstance(node, C.Get):
            return node.slot == slot
        return isinstance(node, C.Would | C.Possible) or any(self.uses(part, slot) for part in parts(node))

    @once(meanwhile=False)
    def safe(self, node: Any) -> bool:
        """Whether an expression can be worked out where it was not asked for: it never faults."""
        return self._never_faults(node) or (self.tables is not None and self.tables.of(node) is not None)

    def _never_faults(self, node: Any) -> bool:
        match node:
            case C.Demand(of=of, none=none):
                return (self.always(of) or (none == -1 and self._sure(of))) and self.safe(of)
            case C.Cond(condition=condition, then=then, otherwise=otherwise):
                known = _granted(then, _there(conjuncts(condition)))
                return self.safe(condition) and self.safe(known) and self.safe(otherwise)
            case C.Both(args=args):
                return all(self.safe(_granted(arg, _there(args[:at]))) for at, arg in enumerate(args))
            case C.Would() | C.Possible() | C.Select():
                return False
            case C.Fit(of=of, low=low, high=high):
                kind = self.kinds.of(of)
                if kind.low < low or kind.top > high + 1:
                    return False
            case C.Op() | C.Primitive() if may_fail(node):
                return False
            case C.Invoke(formula=formula):
                if formula.body is None or not self.safe(formula.body):
                    return False
        return all(self.safe(part) for part in parts(node))

    def _sure(self, node: C.Node) -> bool:
        kind = self.kinds.of(node)
        return kind.sort == "number" and kind.sure

    def always(self, node: C.Node) -> bool:
        """Whether a value is surely there: the greatest of some numbers of which there are some."""
        match node:
            case C.Fold(kind="max" | "min", each=each, where=None, value=value) if value is not None:
                table = self.tables.of(value) if self.tables is not None else None
                sure = self._sure(value) if table is None else min(table.values) >= 0
                return sure and all(map(self._filled, each))
        return False

    def _filled(self, each: C.Each) -> bool:
        match each.domain[0]:
            case C.Const(value=int() as value):
                return each.form == "set" and value > 0
            case C.Look(table=table, index=index):
                kind = self.kinds.of(index)
                filled = all(isinstance(value, int) and value > 0 for value in table)
                return each.form == "set" and filled and kind.sure
        return False

    # ------------------------------------------------------------------------------------------ conditions

    def absorb(self, slot: int, conditions: list[C.Node]) -> tuple[list[Region], list[C.Node]]:
        """The regions that conditions on a variable stand for, and the conditions that are left."""
        found: list[Region] = []
        left: list[C.Node] = []
        blocked = False
        for condition in conditions:
            region = None if blocked else self.region(slot, condition)
            if region is not None and not (self.steady and _moves(region)):
                found.append(region)
                continue
            if not blocked:
                implied = self._implied(slot, condition)
                found += [one for one in implied if not (self.steady and _moves(one))]
            left.append(condition)
            blocked = blocked or not self.safe(condition)
        return found, left

    def region(self, slot: int, node: C.Node) -> Region | None:
        """The members of a variable for which a condition holds: as it is made, else as a table of sets."""
        region = self._made(slot, node)
        if region is not None and not self._can_be_had(region):
            region = None
        if region is None and self.tables is not None:
            given = self.tables.condition(slot, node)
            if given is not None:
                return Region("given", given=given)
        return region

    def few(self, regions: list[Region]) -> list[Region]:
        """Regions without those that follow from others."""
        return regions if Pass.IMPLIED_SETS in self.without else without_implied(regions)

    def keeps(self, kept: Kept) -> bool:
        """Whether a set may be kept up to date."""
        return Pass.KEPT_SETS not in self.without and (self.of_members or kept.of != "members")

    def _can_be_had(self, region: Region) -> bool:
        if region.kept is not None and not self.keeps(region.kept):
            return False
        return all(map(self._can_be_had, (*region.parts, *([region.none] if region.none is not None else []))))

    def _made(self, slot: int, node: C.Node) -> Region | None:
        match node:
            case C.Both(args=args) | C.Either(args=args):
                parts_ = [self.region(slot, arg) for arg in args]
                known = tuple(part for part in parts_ if part is not None)
                if len(known) < len(parts_):
                    return None
                return Region("and" if isinstance(node, C.Both) else "or", known)
            case C.Op(name="not", args=(inner,)):
                region = self.region(slot, inner)
                return negated(region) if region is not None else None
            case C.Primitive(name="occupied", args=(spot,)):
                return self._taken(slot, spot, None)
            case C.Op(name="is_there", args=(C.Primitive(name="first_on", args=(spot,), data=(kinds,)),)):
                return self._taken(slot, spot, kinds)
            case C.Op(name="is_there", args=(C.Primitive(name="standing", args=(C.Get(slot=s),), data=data),)) if (
                s == slot
            ):
                if self.single and not data[3] and self.pieces is not None:
                    return Region("kept", kept=Kept("pieces", data[0], data[1], self.pieces.everything))
            case C.Cell(base=base, index=C.Get(slot=s)) if s == slot and self.kinds.slot(base) == TRUTH:
                return self._members_in_state(slot, base, C.Const(1))
            case C.Op(name="is_there", args=(C.Primitive(name="step") as step,)):
                way = self.way(slot, step)
                return Region("whole", sets=(way[1],)) if way is not None else None
            case C.Op(name="holds", args=(item, given)) if not self.uses(given, slot) and self.safe(given):
                return self.stepped(slot, item, Region("given", given=given)) or self._standing_in(slot, item, given)
            case C.Op(name="equal" | "unequal", args=(C.Op(name="length", args=(lying,)), C.Const(value=0))):
                region = self.lying(slot, lying)
                return region if region is None or node.name == "unequal" else negated(region)
            case C.Invoke():
                return self.in_body(node, lambda body: self.region(slot, body))
            case C.Fold(kind="any", each=(C.Each(form="set"),), value=None):
                return self._with_piece(slot, node) or self.in_some(slot, node)
            case C.Fold(kind="any", value=None):
                return self.in_some(slot, node)
            case C.Op(name="equal" | "unequal", args=(members, C.Const(value=0))) if self.kinds.of(members).sort == SET:
                region = self.some(slot, members)
                return region if region is None or node.name == "unequal" else negated(region)
            case C.Op(name="equal" | "unequal", args=(one, other)):
                region = self._equal(slot, one, other) or self._equal(slot, other, one)
                return region if region is None or node.name == "equal" else negated(region)
        return None

    @once()
    def in_some(self, slot: int, node: C.Fold) -> Region | None:
        """The spaces on some of several lines: all of them together."""
        if Pass.JOINED_LINES in self.without:
            return None
        conditions = conjuncts(node.where)
        mine = [condition for condition in conditions if self.uses(condition, slot)]
        rest = tuple(condition for condition in conditions if condition not in mine)
        if len(mine) != 1 or not self.safe(node) or any(self.uses(part, slot) for e in node.each for part in e.domain):
            return None
        where = C.Both(rest) if rest else None
        match mine[0]:
            case C.Op(
                name="holds",
                args=(
                    C.Get(slot=s),
                    C.Op(name="collect", args=(C.Primitive(name="slide" | "ray", data=data) as line,)),
                ),
            ) if s == slot and not self.uses(line, slot):
                space = self.kinds.fresh(number(0, len(data[0]) // data[1]))
                each = (*node.each, C.Each(space, "list", (line,)))
                whole = C.Fold("set", each, where, C.Get(space), (), -1, node.span)
            case _:
                return None
        return Region("given", given=whole)

    def some(self, slot: int, node: C.Node) -> Region | None:
        """Where a set has any member."""
        return None

    def _standing_in(self, slot: int, item: C.Node, spaces: C.Node) -> Region | None:
        """The pieces that stand on some spaces: what lies there, where the pieces are many."""
        few = isinstance(spaces, C.Const) or self.pieces is None or self.pieces.size < MANY_PIECES
        count = self.stands(item, slot)
        if few or count is None or self.pieces is None or not isinstance(item, C.Primitive):
            return None
        return Region("given", given=self._all_on(spaces, item.data[0], count))

    @once()
    def _all_on(self, spaces: C.Node, first: int, count: int) -> C.Fold:
        assert self.pieces is not None
        space = self.kinds.fresh(number(0, count))
        spot: C.Node = C.Primitive("offset", (C.Get(space),), (first,)) if first else C.Get(space)
        lying = C.Primitive("first_on", (spot,), (self.pieces.everything,))
        return C.Fold("set", (C.Each(space, "set", (spaces,)),), None, lying)

    def lying(self, slot: int, pieces: C.Node) -> Region | None:
        """Where the pieces that lie on a space are some."""
        match pieces:
            case C.Primitive(name="on", args=(spot,), data=(kinds,)):
                return self._taken(slot, spot, kinds)
        return None

    def made_of(self, node: C.Node) -> list[Region] | None:
        """Regions whose common members a set of spaces is."""
        match node:
            case C.Const(value=int() as whole):
                return [Region("whole", sets=(whole,))]
            case C.Op(name="common", args=args):
                known = [self.made_of(arg) for arg in args]
                if None in known:
                    return None
                return self.few([region for regions in known for region in regions or ()])
            case C.Invoke():
                found = self.in_body(node, self.made_of)
                if found is not None:
                    return found
            case C.Primitive(name="owned_spaces", args=(player,), data=(first, count, owned)):
                kept, kind = self.owned(first, count, owned), self.kinds.of(player)
                if kept is not None and kind.sure:
                    return [Region("kept", kept=kept, index=player)]
            case C.Fold(kind="set", each=(each,), value=value) if each.form == "set":
                spaces = self.as_spaces(node)
                if spaces is not None:
                    return self.made_of(spaces)
                if value is None or (isinstance(value, C.Get) and value.slot == each.slot):
                    conditions = conjuncts(node.where)
                    domain = self.made_of(each.domain[0])
                    if domain is not None and all(map(self.safe, conditions)):
                        regions, left = self.absorb(each.slot, conditions)
                        if not left:
                            return self.few([*domain, *regions])
        return [Region("given", given=node)] if self.safe(node) else None

    def at_hand(self, node: C.Node) -> bool:
        """Whether a set is made of kept sets alone."""
        return all(map(_ready, self.made_of(node) or [Region("given")]))

    @once()
    def as_spaces(self, node: C.Fold) -> C.Fold | None:
        """Of the spaces where certain pieces stand: those with such a piece on them; none if it says anything else."""
        (each,) = node.each if len(node.each) == 1 else (None,)
        count = self.stands(node.value, each.slot) if each is not None and each.form == "set" else None
        if each is None or count is None:
            return None
        space = self.kinds.fresh(number(0, count))
        conditions = self.lying_there(each, conjuncts(node.where), node.value, space)
        if conditions is None or self.absorb(space, conditions)[1]:
            return None
        every = C.Each(space, "set", (C.Const((1 << count) - 1),))
        return C.Fold("set", (every,), C.Both(tuple(conditions)), None, (), node.none, node.span)

    def _with_piece(self, slot: int, node: C.Fold) -> Region | None:
        """The spaces where a piece of some sort stands, as a question about all pieces."""
        (each,) = node.each
        kind, rest = self.kinds.slot(slot), conjuncts(node.where)
        for i, condition in enumerate(rest):
            if not isinstance(condition, C.Op) or condition.name != "equal":
                continue
            for stands, space in (condition.args, condition.args[::-1]):
                count = self.stands(stands, each.slot)
                if count is None or not kind.sure or kind.top > count:
                    continue
                if isinstance(space, C.Get) and space.slot == slot:
                    there = self.lying_there(each, rest[:i] + rest[i + 1 :], stands, slot)
                    known = [self.region(slot, other) for other in there or ()]
                    return (
                        Region("and", tuple(r for r in known if r is not None)) if known and None not in known else None
                    )
        return None

    def stands(self, node: C.Node | None, piece: int) -> int | None:
        """How many spaces a board has, if an expression is the space of it where a piece stands, alone."""
        match node:
            case C.Primitive(name="standing", args=(C.Get(slot=s),), data=(first, count, _, ())) if s == piece:
                if self.single and self.boards.get(first) == count and Pass.PIECES_AS_SPACES not in self.without:
                    return int(count)
        return None

    def lying_there(
        self, each: C.Each, conditions: list[C.Node], stands: C.Node | None, space: int
    ) -> list[C.Node] | None:
        """Conditions on a piece as those on the space where it stands, and on what lies there."""
        if not all(map(self.safe, conditions)):
            return None
        sort = self._lying(each, stands, space)
        found = self.asked_there(each, conditions, stands, space)
        if sort is None or found is None:
            return None
        return [*sort[1], *(one for one in found if not _is_there(one, space))]

    def asked_there(
        self, each: C.Each, nodes: Sequence[C.Node], stands: C.Node | None, space: int, opened: bool = False
    ) -> list[C.Node] | None:
        """Expressions about a piece as those about the space where it stands; formulas may be `opened` for that."""
        sort = self._lying(each, stands, space)
        if sort is None or not isinstance(stands, C.Primitive):
            return None

        def whole(node: Any) -> C.Node | None:
            match node:
                case C.Primitive(name="standing", args=(C.Get(slot=s),), data=data) if s == each.slot:
                    return C.Get(space) if data == stands.data else None
                case C.Invoke() if opened and self.uses(node, each.slot):
                    body = self.seen_through(node)
                    return put_plainly(body, {each.slot: sort[0]}, whole) if body is not None else None
            return None

        try:
            return [put_plainly(node, {each.slot: sort[0]}, whole) for node in nodes]
        except StuckError:
            return None

    def _lying(self, each: C.Each, stands: C.Node | None, space: int) -> tuple[C.Node, list[C.Node]] | None:
        """What lies on a space, if it is one of some pieces, and what says that it is."""
        assert isinstance(stands, C.Primitive)
        first = stands.data[0]
        return self._sort_of(
            each.domain[0], C.Primitive("offset", (C.Get(space),), (first,)) if first else C.Get(space)
        )

    def _sort_of(self, pieces: C.Node, spot: C.Node) -> tuple[C.Node, list[C.Node]] | None:
        """What lies on a spot, if it is one of some pieces, and what says that it is."""
        if self.pieces is None:
            return None
        match pieces:
            case C.Const(value=int() as kinds):
                lying = C.Primitive("first_on", (spot,), (kinds,))
                return lying, [C.Op("is_there", (lying,))]
            case C.Look(table=table, index=index) if all(isinstance(kinds, int) for kinds in table):
                asked = self.kinds.of(index)
                if not asked.sure:
                    return None
                kinds, values = 0, [-1] * self.pieces.size
                for value, some in enumerate(table):
                    if kinds & some:
                        return None
                    kinds |= some
                    for piece in bits(some):
                        values[piece] = value
                lying = C.Primitive("first_on", (spot,), (kinds,))
                return lying, [C.Op("equal", (C.Look(tuple(values), lying), index))]
        return None

    @once()
    def seen_through(self, node: C.Invoke) -> C.Node | None:
        """What a formula says of its arguments, if it can be written out."""
        formula = node.formula
        if formula.body is None or len(formula.slots) != len(node.args):
            return None
        with suppress(StuckError):
            return put_plainly(formula.body, dict(zip(formula.slots, node.args, strict=True)))
        return None

    def in_body(self, node: C.Invoke, ask: Callable[[C.Node], Found | None]) -> Found | None:
        """What is found out of the body of a formula; not through many formulas in each other, which might double each
        time."""
        body = self.seen_through(node) if self._deep < LEVELS else None
        if body is None:
            return None
        self._deep += 1
        try:
            return ask(body)
        finally:
            self._deep -= 1

    def _implied(self, slot: int, node: C.Node) -> list[Region]:
        """Regions of what a condition demands among other things."""
        lacking = self.lacking(slot, node) if self.lacking is not None else None
        if lacking is not None:
            return [lacking]
        body = self.seen_through(node) if isinstance(node, C.Invoke) else None
        if not isinstance(body, C.Both) or not self.safe(body):
            return []
        return [region for part in conjuncts(body) if (region := self.region(slot, part)) is not None]

    def way(self, slot: int, node: C.Node) -> tuple[int, int] | None:
        """A step from the variable in a direction that is always the same: by how much, and from which spaces."""
        match node:
            case _ if Pass.SHIFTED_SETS in self.without:
                return None
            case C.Primitive(name="step", args=(C.Get(slot=s), C.Const(value=way), *far), data=(steps, count)):
                times = far[0].value if far and isinstance(far[0], C.Const) else 1 - len(far)
                if s != slot or way < 0 or times < 1:
                    return None
                return _always_as_far(_steps_away(steps[way::count], times))
            case C.Look(table=table, index=C.Get(slot=s), none=-1) if s == slot and not _much_higher(table):
                return _always_as_far(table)
        return None

    def stepped(self, slot: int, space: C.Node, region: Region) -> Region | None:
        """A region of spaces, as asked of the variable itself or of a neighbour of it."""
        if isinstance(space, C.Get) and space.slot == slot:
            return region
        way = self.way(slot, space)
        return Region("step", (region,), by=way[0], among=way[1]) if way is not None else None

    def _board(self, spot: C.Node) -> tuple[int, C.Node] | None:
        """The first spot of the board if a spot is a space of it, and the space."""
        match spot:
            case C.Primitive(name="offset", args=(space,), data=(by,)) if by in self.boards:
                return int(by), space
        return (0, spot) if 0 in self.boards else None

    def _taken(self, slot: int, spot: C.Node, kinds: int | None) -> Region | None:
        board = self._board(spot) if self.single else None
        if board is None or self.pieces is None:
            return None
        first, space = board
        all_kinds = self.pieces.everything if kinds is None else kinds
        kept = Kept("spaces", first, self.boards[first], all_kinds)
        return self.stepped(slot, space, Region("kept", kept=kept))

    def _equal(self, slot: int, one: C.Node, other: C.Node) -> Region | None:
        """`one` depends on the variable, `other` does not."""
        kind = self.kinds.of(other)
        if kind.sort != "number" or self.uses(other, slot) or not self.safe(other):
            return None
        if not kind.sure:
            if kind.low != -1 or not isinstance(one, C.Look | C.Cell) or one.none != -1:
                return None
            index = one.index
            if not (isinstance(index, C.Primitive) and index.name == "first_on"):
                return None
        match one:
            case C.Get(slot=s) if s == slot:
                return Region("given", given=C.Op("only", (other,)))
            case C.Look(table=table, index=C.Get(slot=s)) if s == slot:
                return self._fixed(table, kind.top, other)
            case C.Look(table=table, index=C.Primitive(name="first_on", args=(spot,), data=(kinds,))):
                return self._told(slot, spot, kinds, table, -1, other)
            case C.Cell(base=base, index=C.Primitive(name="first_on", args=(spot,), data=(kinds,))):
                return self._told(slot, spot, kinds, None, base, other)
            case C.Cell(base=base, index=C.Get(slot=s)) if s == slot:
                return self._pieces_in_state(base, other) or self._members_in_state(slot, base, other)
        return None

    def _fixed(self, table: tuple[Any, ...], top: int, index: C.Node) -> Region | None:
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
        return Region("fixed", index=index, sets=tuple(sets))

    def _told(
        self, slot: int, spot: C.Node, kinds: int, table: tuple[Any, ...] | None, state: int, index: C.Node
    ) -> Region | None:
        """The spaces on which a piece lies of which a table or a state has a value."""
        board = self._board(spot) if self.single else None
        values = self._values(table, state)
        kind = self.kinds.of(index)
        if board is None or values is None or kind.top > values:
            return None
        first, space = board
        kept = Kept("spaces", first, self.boards[first], kinds, table, state, values)
        none: Region | None = None
        if not kind.sure:  # then what has no piece, if all pieces have a value
            if (table is None or min(table[piece] for piece in bits(kinds)) < 0) and (
                state < 0 or not self.kinds.slot(state).sure
            ):
                return None
            none = Region("not", (Region("kept", kept=Kept("spaces", first, self.boards[first], kinds)),))
        return self.stepped(slot, space, Region("kept", kept=kept, index=index, none=none))

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
        kept = Kept("spaces", first, count, self.pieces.everything, tuple(table), -1, max(1, len(owned)))
        return kept if self.keeps(kept) else None

    def _pieces_in_state(self, base: int, index: C.Node) -> Region | None:
        if base not in self.program.piece_state or self.pieces is None:
            return None
        values, kind = self._values(None, base), self.kinds.of(index)
        if values is None or kind.top > values:
            return None
        kept = Kept("pieces", 0, 0, self.pieces.everything, None, base, values)
        return Region("kept", kept=kept, index=index)

    def _members_in_state(self, slot: int, base: int, index: C.Node) -> Region | None:
        """The members whose state has a value."""
        count = self.arrays.get(base) if self.of_members and base not in self.program.piece_state else None
        if count is None or self.kinds.slot(slot).top > count:
            return None
        kind, asked = self.kinds.slot(base), self.kinds.of(index)
        if kind.sort != "number" or kind.low < -1 or kind.top > MOST_VALUES or asked.top > kind.top or not asked.sure:
            return None
        return Region("kept", kept=Kept("members", 0, count, 0, None, base, kind.top), index=index)

    def _values(self, table: tuple[Any, ...] | None, state: int) -> int | None:
        """How many values there are, if they are few and none of them is negative but none."""
        if table is not None:
            if any(isinstance(value, tuple) or not -1 <= value < MOST_VALUES for value in table):
                return None
            return max(table, default=0) + 1
        kind = self.kinds.slot(state)
        if state not in self.program.piece_state or kind.sort != "number":
            return None
        return kind.top if kind.low >= -1 and kind.top <= MOST_VALUES else None


def _steps_away(along: Sequence[int], times: int) -> Sequence[int]:
    """Where one comes from each space by many steps: twice as many each time, for a rule may ask for millions."""
    found: Sequence[int] = range(len(along))
    while times:
        if times & 1:
            found = [along[space] if space >= 0 else -1 for space in found]
        along = [along[space] if space >= 0 else -1 for space in along]
        times >>= 1
    return found


def _much_higher(table: tuple[Any, ...]) -> bool:
    """Whether a table leads to numbers so high that sets of them are more work than asking."""
    return any(isinstance(value, tuple) or value >= 2 * len(table) + MUCH_HIGHER for value in table)


def _always_as_far(reached: Sequence[int]) -> tuple[int, int] | None:
    """By how much numbers of spaces change where one may move, if always by the same; and from which spaces."""
    moves = [(space, to) for space, to in enumerate(reached) if to >= 0]
    by = {to - space for space, to in moves}
    return (by.pop(), sum(1 << space for space, _ in moves)) if len(by) == 1 else None


def without_implied(regions: list[Region]) -> list[Region]:
    """Regions without those that hold all of another: of the taken spaces and those with red pieces the latter."""
    regions = [part for region in regions for part in (region.parts if region.sort == "and" else (region,))]
    return [region for region in regions if not any(_implies(other, region) for other in regions)]


def alike(one: Region | None, other: Region | None) -> bool:
    """Whether two regions are made in the same way."""
    if one is None or other is None:
        return one is other
    plainly = (one.sort, one.kept, one.sets, one.by, one.among) == (
        other.sort, other.kept, other.sets, other.by, other.among
    )  # fmt: skip
    return (
        plainly
        and same((one.index, one.given), (other.index, other.given))
        and len(one.parts) == len(other.parts)
        and all(map(alike, one.parts, other.parts))
        and alike(one.none, other.none)
    )


def _ready(region: Region) -> bool:
    if region.sort in ("not", "and", "or", "step", "seen"):
        return all(map(_ready, region.parts))
    return region.sort != "given"


def _implies(one: Region, other: Region) -> bool:
    """Whether what belongs to one region belongs to another, and not only because they are the same."""
    a, b = one.kept, other.kept
    if one.sort != "kept" or a is None or a.of != "spaces" or one.none is not None:
        return False
    if other.sort == "whole":
        return other.sets[0] & (1 << a.count) - 1 == (1 << a.count) - 1
    if other.sort != "kept" or b is None or not b.plain or (a.plain and a.kinds == b.kinds):
        return False
    return (b.of, b.first, b.count) == (a.of, a.first, a.count) and a.kinds & ~b.kinds == 0


def put_plainly(node: C.Node, instead: dict[int, C.Node], whole: Any = lambda node: None) -> Any:
    """As `put`, of expressions that demand nothing and pick nothing: to look through others makes nothing faster."""

    def plain(node: Any) -> C.Node | None:
        if isinstance(node, _NOT_PLAIN) and any(looks_at(node, slot) for slot in instead):
            raise StuckError
        return whole(node)

    return put(node, instead, whole=plain)


_NOT_PLAIN = C.Otherwise | C.Demand | C.Fit | C.Select | C.Several


def _is_there(node: C.Node, slot: int) -> bool:
    """Whether it is asked if a variable is none."""
    match node:
        case C.Op(name="is_there", args=(C.Get(slot=s),)):
            return s == slot
    return False


def _there(conditions: Sequence[C.Node]) -> set[Any]:
    """What conditions say to be there."""
    return {key(part.args[0]) for part in conditions if isinstance(part, C.Op) and part.name == "is_there"}


def _granted(node: Any, there: set[Any]) -> Any:
    """An expression in which what is known to be there need not be demanded."""
    if not there:
        return node
    match node:
        case C.Demand(of=of) if key(of) in there:
            return of
        case C.Demand(of=C.Look(table=table, index=index) as of, none=none) if key(index) in there:
            return of if none not in table else node
        case C.Op() | C.Both() | C.Either() | C.Invoke() | C.Primitive() | C.Look() | C.Cell():
            return rebuilt(node, lambda part: _granted(part, there))
    return node


def negated(region: Region) -> Region:
    return region.parts[0] if region.sort == "not" else Region("not", (region,))


def _moves(region: Region) -> bool:
    """Whether a region changes as pieces move."""
    kept = region.kept
    moves = kept is not None and (kept.of == "spaces" or kept.state < 0)
    inner = (*region.parts, *((region.none,) if region.none is not None else ()))
    return moves or any(map(_moves, inner))


def at_start(kept: Kept, program: C.Program) -> list[int]:
    """What the sets hold in the state before the first block."""
    template, spots = program.template, program.spots
    sets = [0] * kept.values
    for member in range(kept.count) if kept.of == "members" else ():
        if (value := template[kept.state + member]) >= 0:
            sets[value] |= 1 << member
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


def print_at_start(program: C.Program, first: int, end: int) -> int:
    """The fingerprint of what lies on some spots in the state before the first block."""
    template = program.template
    found = 0
    for piece in range(program.roots["piece"].size):
        spot = template[program.spots.at + piece]
        if first <= spot < end:
            looks = program.rows[piece]
            for base in program.piece_state:
                looks = looks * 8191 + template[base + piece]
            found ^= scrambled((spot + 1) * MARK ^ scrambled(looks))
    return found
