"""Whether an effect that is tried out on one of several alike pieces comes to the same with another of them.

Two men of one color stand in a pile, and it is asked what would be if one of them went. With the other the state is
the same but for the numbers of the two, if the effect moves the piece it is given, and nobody looks at the numbers of
pieces: they are not compared, not ordered, and no table tells alike pieces apart. `_Classes` finds that out; it is an
account of which values are pieces. One thing cannot be told from the rules alone: whether the effect, before it moves
its own piece, takes another one from the same pile. Such movements are watched in play (`watched`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.once import once
from ruledsl.ir.ops import NOTHING, looks_at, may_fail
from ruledsl.types import BagOf, Bool, Elem, ListOf, Num, SetOf

if TYPE_CHECKING:
    from .alike import Alike

PLAIN, PIECE, PIECES = "plain", "piece", "pieces"  # what is plain is the same number, whichever piece is tried

_NUMBERS = frozenset(["any", "all", "count", "sum", "max", "min"])


class _UnfairError(Exception):
    """Something might tell alike pieces apart."""


class Fair:
    """Finds the effects that treat alike pieces alike."""

    def __init__(
        self, alike: Alike, kinds: Kinds, reached: dict[C.Procedure, list[int]], safe: Callable[[C.Node], bool]
    ) -> None:
        self.alike, self.kinds, self.reached, self.safe = alike, kinds, reached, safe
        self.program = alike.program
        fields = self.program.layout.fields
        self.fields = {field.base + i: field for field in fields for i in range(field.count * field.width)}
        self.watched: dict[C.Move, set[int]] = {}  # by operation that moves a piece, slots of pieces that are tried out

    @once(meanwhile=False)
    def trial(self, node: C.Would, given: tuple[int, ...]) -> bool:
        """Whether a trial is the same for all alike pieces that may be given as some arguments of its effect."""
        classes = _Classes(self)
        tried = {node.procedure.parameters[at] for at in given}
        try:
            classes.effect(node.procedure, tried)
            classes.plain(node.condition, {})
        except _UnfairError:
            return False
        for op in classes.moving:
            self.watched.setdefault(op, set()).add(min(tried))
        return True


class _Classes:
    """Goes through an effect and says of every value whether it is a piece."""

    def __init__(self, fair: Fair) -> None:
        self.fair = fair
        self.tried: set[int] = set()  # slots that hold the piece that is tried out
        self.moving: list[C.Move] = []  # operations that move other pieces
        self._bodies: dict[tuple[C.Formula, tuple[str, ...]], str] = {}

    # ------------------------------------------------------------------------------------------ effects

    def effect(self, procedure: C.Procedure, tried: set[int]) -> None:
        """Goes through an effect, and those that it calls, with the piece that is tried in some parameters."""
        self.tried = set(tried)
        blocks: set[int] = set()
        waiting = [procedure]
        while waiting:
            one = waiting.pop()
            if one not in self.fair.reached:
                raise _UnfairError
            for at in self.fair.reached[one]:
                end = self.fair.program.blocks[at].end
                before = len(self.tried)
                if isinstance(end, C.CallProcedure):
                    self.tried |= {slot for slot, arg in _given(end) if self._is_tried(arg)}
                    if at not in blocks or len(self.tried) > before:
                        waiting.append(end.procedure)
                blocks.add(at)
        for at in sorted(blocks):
            block = self.fair.program.blocks[at]
            for op in block.ops:
                self._operation(op)
            self._end(block.end)

    def _is_tried(self, node: C.Node) -> bool:
        return isinstance(node, C.Get) and node.slot in self.tried

    def _operation(self, op: C.Operation) -> None:
        match op:
            case C.Put(base=base, index=index, value=value) | C.PutSeveral(base=base, index=index, value=value):
                self._without_pieces(base)
                for node in (index, value):
                    if node is not None:
                        self._asked(node)
            case C.Move(pieces=pieces, form="one", to=to, at=None | "top" | "bottom", turned=None):
                if not self._is_tried(pieces):
                    self._blind(pieces)
                    if self.of(pieces, {}) != PIECE:
                        raise _UnfairError
                    self.moving.append(op)
                self._asked(to)
            case C.Zero() | C.Say():
                pass
            case _:
                raise _UnfairError

    def _end(self, end: Any) -> None:
        match end:
            case C.Jump() | C.Return():
                pass
            case C.Branch(condition=condition):
                self._asked(condition)
            case C.CallProcedure():
                for slot, arg in _given(end):
                    if slot in self.tried:
                        if not self._is_tried(arg):
                            raise _UnfairError
                    else:
                        self._without_pieces(slot)
                        self._asked(arg)
            case _:
                raise _UnfairError

    def _asked(self, node: C.Node) -> None:
        """A value that is the same whichever of the alike pieces is tried."""
        self._blind(node)
        self.plain(node, {})

    def _blind(self, node: C.Node) -> None:
        if not all(self.fair.alike.placed(node, slot) for slot in self.tried):
            raise _UnfairError

    def _without_pieces(self, base: int) -> None:
        """A part of the state that never holds pieces."""
        field = self.fair.fields.get(base)
        if field is None or base in self.tried or (field.type is None and field.kind != "header"):
            raise _UnfairError
        if field.type is not None and _of_pieces(field.type):
            raise _UnfairError

    # ---------------------------------------------------------------------------------------- expressions

    def plain(self, node: C.Node | None, env: dict[int, str]) -> str:
        """An expression that must be no piece."""
        if node is not None and self.of(node, env) != PLAIN:
            raise _UnfairError
        return PLAIN

    def _all_plain(self, nodes: tuple[C.Node, ...], env: dict[int, str]) -> str:
        for node in nodes:
            self.plain(node, env)
        return PLAIN

    def of(self, node: C.Node, env: dict[int, str]) -> str:
        """Whether an expression is a piece, several, or something else; it must treat alike pieces alike."""
        match node:
            case C.Const():
                return PLAIN
            case C.Get(slot=slot):
                if slot in env:
                    return env[slot]
                if slot in self.tried:
                    return PIECE
                self._without_pieces(slot)
                return PLAIN
            case C.Cell(base=base, index=index):
                if base == self.fair.program.spots.at:
                    if self.of(index, env) != PIECE:
                        raise _UnfairError
                    return PLAIN
                self._without_pieces(base)
                return self.plain(index, env)
            case C.Several(base=base, index=index):
                self._without_pieces(base)
                return self.plain(index, env)
            case C.Look(table=table, index=index):
                if self.of(index, env) != PIECE:
                    return self.plain(index, env)
                if not self.fair.alike.common(table):
                    raise _UnfairError
                return PLAIN
            case C.Both(args=args) | C.Either(args=args):
                return self._all_plain(args, env)
            case C.Cond(condition=condition, then=then, otherwise=otherwise):
                self.plain(condition, env)
                return self._one_of(then, otherwise, env=env)
            case C.Otherwise(of=of, otherwise=otherwise):
                return self._one_of(of, otherwise, env=env)
            case C.Demand(of=of) | C.Fit(of=of):
                return self.of(of, env)
            case C.Invoke(formula=formula, args=args):
                return self._called(formula, tuple(self.of(arg, env) for arg in args))
            case C.With(slots=slots, args=args, body=body):
                return self.of(body, env | {slot: self.of(arg, env) for slot, arg in zip(slots, args, strict=True)})
            case C.Op():
                return self._op(node, env)
            case C.Fold():
                return self._fold(node, env)
            case C.Primitive():
                return self._primitive(node, env)
        raise _UnfairError

    def _one_of(self, *nodes: C.Node, env: dict[int, str]) -> str:
        found = {self.of(node, env) for node in nodes if not _is(node, -1)}
        if len(found) > 1:
            raise _UnfairError
        return found.pop() if found else PLAIN

    def _called(self, formula: C.Formula, given: tuple[str, ...]) -> str:
        key = (formula, given)
        if key not in self._bodies:
            if formula.body is None:
                raise _UnfairError
            self._bodies[key] = self.of(formula.body, dict(zip(formula.slots, given, strict=True)))
        return self._bodies[key]

    def _op(self, node: C.Op, env: dict[int, str]) -> str:
        classes = [self.of(arg, env) for arg in node.args]
        if node.name in ("head", "tail") and classes[0] == PIECES:
            lying, *none = node.args
            in_order = isinstance(lying, C.Primitive) and lying.name == "on" and self._in_order(lying.args[0])
            if in_order and all(_is(arg, -1) for arg in none):
                return PIECE
        if node.name in ("is_there", "length", "size") or set(classes) <= {PLAIN}:
            return PLAIN
        if node.name in ("equal", "unequal"):
            if set(classes) == {PIECE} or (PIECE in classes and any(_is(arg, -1) for arg in node.args)):
                return PLAIN
            if PIECES in classes and any(_is(arg, 0) for arg in node.args):
                return PLAIN
        raise _UnfairError

    def _fold(self, node: C.Fold, env: dict[int, str]) -> str:
        inner = dict(env)
        for one in node.each:
            if one.form == "set" and self.fair.alike.closed(one.domain[0]):
                inner[one.slot] = PIECE
                for part in _beneath(one.domain[0]):
                    self.plain(part, inner)
            else:
                for part in one.domain:
                    self.plain(part, inner)
                inner[one.slot] = PLAIN
        if node.kind in ("any", "all") and PIECE in inner.values():
            # The one that is found first may be another: so none of them may be a fault.
            if not all(self.fair.safe(part) for part in (node.where, node.value) if part is not None):
                raise _UnfairError
        self.plain(node.where, inner)
        for key in node.keys:
            self.plain(key, inner)
        if node.kind in ("any", "all", "count") and node.value is None:
            return PLAIN
        if node.kind not in _NUMBERS and any(inner[one.slot] != PLAIN for one in node.each):
            raise _UnfairError
        return self.plain(node.value if node.value is not None else C.Get(node.each[0].slot), inner)

    def _primitive(self, node: C.Primitive, env: dict[int, str]) -> str:
        match node:
            case C.Primitive(name="standing", args=(piece,), data=(_, _, _, tiles)) if not tiles:
                if self.of(piece, env) != PIECE:
                    raise _UnfairError
                return PLAIN
            case C.Primitive(name="first_on" | "top_of" as name, args=(spot,), data=data):
                self.plain(spot, env)
                if not (name == "top_of" or self.fair.alike.whole(data[0])) or not self._in_order(spot):
                    raise _UnfairError
                return PIECE
            case C.Primitive(name="on" | "on_set", args=(spot,), data=(kinds,)):
                self.plain(spot, env)
                if kinds is not None and not self.fair.alike.whole(kinds):
                    raise _UnfairError
                return PIECES
            case C.Primitive(name="occupied" | "owned_spaces", args=args):
                return self._all_plain(args, env)
            case C.Primitive(args=args) if looks_at(node) == NOTHING and not may_fail(node):
                return self._all_plain(args, env)
        raise _UnfairError

    def _in_order(self, spot: C.Node) -> bool:
        """Whether all places that a spot may be hold one piece, or a pile."""
        spots, kind = self.fair.program.spots, self.fair.kinds.of(spot)
        if not -1 <= kind.low < kind.top <= spots.count:
            return False
        places = range(max(kind.low, 0), kind.top)
        return all(spots.ordered[at] or spots.single[at] for at in places)


def _given(call: C.CallProcedure) -> list[tuple[int, C.Node]]:
    return list(zip(call.procedure.parameters, call.args, strict=True))


def _beneath(domain: C.Node) -> tuple[C.Node, ...]:
    """What a domain of pieces is looked up by."""
    match domain:
        case C.Look(index=index):
            return (index,)
        case C.Primitive(args=args):
            return args
    return ()


def _is(node: C.Node, value: int) -> bool:
    return isinstance(node, C.Const) and node.value == value


def _of_pieces(type: Any) -> bool:
    match type:
        case Elem(root=root) | BagOf(root=root):
            return root.kind in ("piece", "part")
        case SetOf(of=of) | ListOf(of=of):
            return _of_pieces(of)
        case Num() | Bool():
            return False
    return True
