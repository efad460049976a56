"""Whether a seat may know what an expression tells: it is worked out on a state that notes which of its slots are read.

What tells a seat something it may not know is never shown to it, however it was worked out: where a piece lies that it
does not know, what lies in a place that it does not see, what such a piece is like, a value that it may not see. Two
things are never a secret: how many pieces lie somewhere, and, for the player who points at a piece, in which slot it
lies, or as which of a row or pile. Only what is on its face is hidden from a player who chooses among hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ruledsl.engine.evaluate import Evaluator
from ruledsl.ir import core as C
from ruledsl.ir.walk import parts, within
from ruledsl.types import Elem, ListOf, SetOf, Type, bits

from .view import item_key

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.engine.machine import Machine
    from ruledsl.runtime.view import Viewer

State = list[int]
_COUNTS = {"size", "length"}
_LYING = {"on", "on_set", "on_all"}
_TOLD = ("count", "any", "all")  # what a question about pieces answers without naming any
NUMBERS = -(1 << 40)  # noted like a slot: it was asked how many pieces lie somewhere
POINTED = -(1 << 41)  # and below it: where the piece lies that was chosen in a slot (the slot, the number of the piece)
_PIECES = 1 << 16


class Watched(list[int]):
    """A state that notes which of its slots are read."""

    def __init__(self, values: Any, seen: set[int]) -> None:
        super().__init__(values)
        self.seen = seen

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            whole = at == slice(None)
            if not whole:
                self.seen.update(range(*at.indices(len(self))))
            found = super().__getitem__(at)
            return Watched(found, self.seen) if whole else found  # a copy, as `would` makes, is watched too
        self.seen.add(at)
        return super().__getitem__(at)


class Asking(Evaluator):
    """Works out expressions on watched states; how many pieces lie somewhere is asked without looking at them."""

    def __init__(self, machine: Machine, world: GameWorld) -> None:
        super().__init__(machine)
        self.world, self.open_state = world, frozenset(world.open_state)

    def of(self, node: C.Node) -> Callable[[State], Any]:
        made = self._made.get(node)
        if made is None and (counted := _counted(node)) is not None:
            made = self._made[node] = self._unwatched(node, counted)
        elif made is None and (slot := self._pointed(node)) is not None:
            made = self._made[node] = self._where(node, slot)
        elif made is None and self._asks_backs(node):
            made = self._made[node] = self._backs(node)
        return made or super().of(node)

    def _pointed(self, node: C.Node) -> int | None:
        """The slot of a piece that is pointed at, if an expression asks where it lies: `c.slot`, `position(row, c)`."""
        spots = self.machine.program.spots
        if spots.known < 0:
            return None
        match node:
            case C.Cell(base=base, index=C.Get(slot=slot)) if base in self.on_backs:
                pass
            case C.Op(name="position", args=(lying, C.Get(slot=slot))) if _lying_in(lying) is not None:
                pass
            case _:
                return None
        return slot if slot in self.pointing else None

    @cached_property
    def pointing(self) -> set[int]:
        """The slots of pieces that are chosen among all in a place, on no condition that looks at what they are: that
        one of them is offered tells nothing about it."""
        return {variable.slot for variable, free in self._chosen if free}

    @cached_property
    def pointing_names(self) -> set[str]:
        """How these are called, where nothing else that is chosen is called so."""
        return {one.name for one, free in self._chosen if free} - {one.name for one, free in self._chosen if not free}

    @cached_property
    def _chosen(self) -> list[tuple[C.Variable, bool]]:
        ends = [block.end for block in self.machine.program.blocks]
        entries = [entry for end in ends if isinstance(end, C.Choice) for entry in end.entries]
        return [
            (variable, _is_free(variable, entry, self.open_state))
            for entry in entries
            for variable in entry.variables
            if _naming(variable.type) != "open"
        ]

    @cached_property
    def on_backs(self) -> frozenset[int]:
        """What of a hidden piece is seen by whoever points at it: its slot, and the state that all see."""
        spots = self.machine.program.spots
        return self.open_state | ({spots.slot} if spots.slot >= 0 else frozenset())

    def _asks_backs(self, node: C.Node) -> bool:
        """Whether an expression asks of the pieces in a place only what all see of them: how many are marked."""
        if not isinstance(node, C.Fold) or not self.open_state or (node.value is None and node.kind not in _TOLD):
            return False
        asked = [part for part in (node.where, node.value, *node.keys) if part is not None]
        if any(isinstance(one, C.Invoke) or getattr(one, "name", "") in _LYING for one in within(*asked)):
            return False
        lying = [_lying_in(each) for each in node.each]
        return all(lying) and all(
            _reads_backs(part, each.slot, self.open_state) for part in asked for each in node.each
        )

    def _backs(self, node: C.Node) -> Callable[[State], Any]:
        """Which pieces lie there is no part of the answer; all else that is looked at is."""
        plain = super().of(node)

        def ask(v: State) -> Any:
            if not isinstance(v, Watched):
                return plain(v)
            seen, v.seen = v.seen, set()
            try:
                return plain(v)
            finally:
                seen |= {slot for slot in v.seen if not self._lies(slot)} | {NUMBERS}
                v.seen = seen

        return ask

    def _lies(self, slot: int) -> bool:
        """Whether a slot says which pieces lie somewhere."""
        return any(first <= slot < first + count for first, count in self._lists)

    @cached_property
    def _lists(self) -> list[tuple[int, int]]:
        world = self.world
        spots, total, places = self.machine.program.spots, world.pieces.size, world.places.size
        found = [(spots.top, spots.count), (spots.bottom, spots.count), (spots.under, total), (spots.over, total)]
        return [(first, count) for first, count in [*found, (spots.members, places)] if first >= 0]

    def _where(self, node: C.Node, slot: int) -> Callable[[State], Any]:
        plain = self.machine.evaluator.of(node)
        lying = _lying_in(node.args[0]) if isinstance(node, C.Op) else None
        places = [self.of(arg) for arg in lying.args] if lying is not None else []

        def ask(v: State) -> Any:
            if not isinstance(v, Watched):
                return plain(v)
            for place in places:
                place(v)
            seen, v.seen = v.seen, set()
            try:
                seen.add(POINTED - slot * _PIECES - v[slot] if v[slot] >= 0 else slot)
                return plain(v)
            finally:
                v.seen = seen

        return ask

    def _unwatched(self, node: C.Node, lying: C.Primitive) -> Callable[[State], Any]:
        plain, spots = self.machine.evaluator.of(node), [self.of(arg) for arg in lying.args]

        def ask(v: State) -> Any:
            if not isinstance(v, Watched):
                return plain(v)
            for spot in spots:  # of which place is asked may be a secret
                spot(v)
            v.seen.add(NUMBERS)
            seen, v.seen = v.seen, set()
            try:
                return plain(v)
            finally:
                v.seen = seen

        return ask


class Bound(list[int]):
    """A state of an interpreter, with names set in the scratch space behind it: what is asked may speak of them."""


def _counted(node: C.Node) -> C.Primitive | None:
    """What is counted by an expression that asks only how much lies in a place, or whether anything does."""
    match node:
        case C.Op(name=name, args=(C.Primitive() as lying,)) if name in _COUNTS:
            pass
        case C.Op(name="equal" | "unequal", args=(C.Primitive() as lying, C.Const(value=0))):
            pass
        case C.Primitive(name="occupied") as lying:
            return lying
        case _:
            return None
    return lying if lying.name in _LYING and (lying.name == "on_all" or lying.data[0] is None) else None


def _lying_in(node: Any) -> C.Primitive | None:
    """The place, if an expression is all that lies in one; of what a choice runs over, too."""
    match node:
        case C.Each(domain=(one,)) | C.Op(name="members" | "only" | "collect", args=(one,)):
            return _lying_in(one)
        case C.Primitive(name="on" | "on_set", data=(None,)):
            return node
    return None


def _reads_backs(node: Any, slot: int, backs: frozenset[int]) -> bool:
    """Whether an expression looks at a piece only for what all see of it."""
    match node:
        case C.Cell(base=base, index=C.Get(slot=of)) if of == slot and base in backs:
            return True
        case C.Get(slot=of) | C.Cell(base=of) | C.Several(base=of) if of == slot:
            return False
        case C.Would() | C.Possible() if slot >= 0:
            return False
    return all(_reads_backs(part, slot, backs) for part in parts(node))


def _is_free(variable: C.Variable, entry: C.Entry, backs: frozenset[int]) -> bool:
    """Whether a variable is one piece of all in a place, and no condition of its entry looks at its face."""
    if variable.fewest is not None or _lying_in(variable.each) is None:
        return False
    others = [other for other in entry.variables if other is not variable]
    tests = [*entry.where, variable.where, *(part for other in others for part in (*other.each.domain, other.where))]
    return all(test is None or _reads_backs(test, variable.slot, backs) for test in tests)


Readers = Mapping[int, int]  # who may read a slot, where fewer may than the rules say: a set of players for each
EVERYBODY: Readers = {}


class Knowing:
    """Asks for seats of one configured game."""

    def __init__(self, world: GameWorld, machine: Machine, viewer: Viewer) -> None:
        self.world, self.machine, self.viewer = world, machine, viewer
        self.spots, self.pieces = machine.program.spots, machine.pieces
        self.asking = Asking(machine, world)
        self.size = machine.program.layout.size
        self.hides = self.spots.known >= 0 or bool(world.secrets)
        self._sorts: list[tuple[str, Any]] = []
        self._constant: dict[C.Node, Any] = {}  # what reads nothing of a state, such as what is printed on a space

    def known(self, v: State, piece: int, seat: int | None) -> bool:
        return bool(self.viewer.knows(v, piece, seat))

    def ask(self, node: C.Node, v: State, seat: int | None, readers: Readers = EVERYBODY) -> tuple[Any, bool]:
        """The value of an expression, and whether the seat may know it."""
        if not self.hides and not readers:
            return self.machine.evaluator.of(node)(v), True
        if isinstance(node, C.Get):
            return v[node.slot], not self.hidden(v, node.slot, seat, readers)
        if node in self._constant:
            return self._constant[node], True
        seen: set[int] = set()
        # What an executor keeps behind the state tells of it, too; so it is worked out anew from what is watched.
        behind = v[self.size :] if isinstance(v, Bound) else [0] * self.machine.program.scratch
        watched = Watched([*v[: self.size], *behind], seen)
        value = self.asking.of(node)(watched)
        if not isinstance(v, Bound) and not any(0 <= slot < self.size or slot <= NUMBERS for slot in seen):
            self._constant[node] = value
        return value, not any(self.hidden(v, slot, seat, readers) for slot in seen)

    def pieces_of(self, node: C.Node, v: State, seat: int | None, readers: Readers) -> tuple[Any, bool]:
        """The pieces that an expression stands for, and whether the seat may know that it is these, seen or not.

        A name, what lies in a place, and the top of a pile say nothing of which pieces they are.
        """
        value = self.machine.evaluator.of(node)(v)
        if not self.hides and not readers:
            return value, True
        place = _place(node, self.spots)
        if place is not None:
            return value, all(self.ask(arg, v, seat, readers)[1] for arg in place)
        if isinstance(node, C.Get):
            return value, not self.hidden(v, node.slot, seat, readers, True)
        if isinstance(node, C.Cell):
            index, told = self.ask(node.index, v, seat, readers)
            return value, told and (index < 0 or not self.hidden(v, node.base + index, seat, readers, True))
        return value, self.ask(node, v, seat, readers)[1]

    def position(self, v: State, piece: int) -> int:
        """In which slot a piece lies, or as which in the order of its place; 0 where there is none."""
        spot = v[self.spots.at + piece]
        if spot in self.pieces.slots:
            return v[self.spots.slot + piece]
        return self.pieces.on(v, spot).index(piece) + 1 if self.spots.ordered[spot] else 0

    # --------------------------------------------------------------------------------------- what is hidden

    def hidden(self, v: State, slot: int, seat: int | None, readers: Readers = EVERYBODY, named: bool = False) -> bool:
        """Whether a slot tells a seat what it may not know; `named` pieces are veiled by their own names."""
        if slot <= POINTED:
            slot, piece = divmod(POINTED - slot, _PIECES)
            points = seat is not None and seat == v[C.ME] and self.position(v, piece) > 0
            return self.veiled(slot, seat, readers) or not (points or self.known(v, piece, seat))
        if self.veiled(slot, seat, readers):
            return True
        if not self._sorts:
            self._sorts = self._all_sorts()
        sort: str
        data: Any
        sort, data = self._sorts[slot] if 0 <= slot < self.size else ("open", None)
        match sort:
            case "piece":
                return not self.known(v, data, seat)
            case "link":  # the piece below or above a piece
                return not self.known(v, data, seat) or (v[slot] >= 0 and not self.known(v, v[slot], seat))
            case "names":  # a piece
                return not named and 0 <= v[slot] < self.world.pieces.size and not self.known(v, v[slot], seat)
            case "set":
                return not named and any(not self.known(v, piece, seat) for piece in bits(v[slot]))
            case "value":
                value, owner, names = data
                if not self.viewer.sees_value(v, value, seat, owner):
                    return True
                match "" if named else names:
                    case "names":
                        return v[slot] >= 0 and not self.known(v, v[slot], seat)
                    case "set":
                        return any(not self.known(v, piece, seat) for piece in bits(v[slot]))
                return False
        return bool(sort == "secret")

    def veiled(self, slot: int, seat: int | None, readers: Readers) -> bool:
        """Whether fewer may read a slot than the rules say, and not this seat."""
        return slot in readers and not self.viewer.among(readers[slot], seat)

    def _all_sorts(self) -> list[tuple[str, Any]]:
        """What each slot of the state tells of."""
        program, spots = self.machine.program, self.spots
        found: list[tuple[str, Any]] = [("open", None)] * program.layout.size
        noted = self._noted_on_faces()
        for f in program.layout.fields:
            slots = range(f.base, f.base + f.count * f.width)
            if f.kind in ("stream", "draft") or (f.kind == "history" and self.hides):
                for slot in slots:
                    found[slot] = ("secret", None)
            elif f.kind == "local":
                for slot in slots:
                    found[slot] = _naming(f.type), None
            elif spots.known < 0:
                continue
            elif f.base in (spots.at, spots.known, spots.slot, spots.turn):
                for piece, slot in enumerate(slots):
                    found[slot] = ("piece", piece)
            elif f.base in (spots.under, spots.over):
                for piece, slot in enumerate(slots):
                    found[slot] = ("link", piece)
            elif f.base in (spots.top, spots.bottom):
                for slot in slots:
                    found[slot] = ("names", None)
            elif f.base == spots.members:
                for slot in slots:
                    found[slot] = ("set", None)
            elif f in noted:
                for i, slot in enumerate(slots):
                    found[slot] = ("piece", i // f.width)
        for variable in _variables(program):
            for slot in range(variable.slot, variable.slot + self.world.width(variable.type)):
                found[slot] = _naming(variable.type), None
        held = [one for pool in self.world.pools for one in pool.secrets]
        for value in (*self.world.values, *held):
            names = _naming(value.type)
            if value.seen is None and names == "open" and not self._of_pieces(value):
                continue
            for i in range(value.count):
                owner = item_key(value, i)[1][0] if value.keys else None
                for slot in range(value.base + i * value.width, value.base + (i + 1) * value.width):
                    found[slot] = ("value", (value, owner, names))
        return found

    def _noted_on_faces(self) -> list[C.Field]:
        """The state of pieces that is as hidden as their faces."""
        fields = self.machine.program.layout.fields
        backs = self.world.open_state
        return [f for f in fields if f.kind == "state" and f.owner is self.world.pieces and f.base not in backs]

    def _of_pieces(self, value: Any) -> bool:
        return bool(value.keys and isinstance(value.keys[0], Elem) and value.keys[0].root is self.world.pieces)


def _variables(program: C.Program) -> Iterator[C.Variable]:
    """What is chosen or picked at random; the layout does not know of which type it is."""
    for block in program.blocks:
        match block.end:
            case C.Choice(entries=entries):
                yield from (variable for entry in entries for variable in entry.variables)
            case C.Chance(variable=C.Variable() as variable):
                yield variable


def _naming(kind: Type | None) -> str:
    """How slots of a type name pieces."""
    match kind:
        case Elem(root=root) | ListOf(of=Elem(root=root)) if root.kind == "piece":
            return "names"
        case SetOf(of=Elem(root=root)) if root.kind == "piece":
            return "set"
    return "open"


def _place(node: C.Node, spots: C.Spots) -> tuple[C.Node, ...] | None:
    """What a place is found by, where an expression stands for all that lies in it, or for the top of a pile."""
    match node:
        case C.Primitive(name="on" | "on_set", args=args, data=(None,)):
            return args
        case C.Primitive(name="on_all"):
            return ()
        case C.Primitive(name="top_of", args=args):
            return args
        case C.Demand(of=of) | C.Op(name="only" | "members", args=(of,)):
            return _place(of, spots)
        case C.Op(name="tail", args=(C.Primitive(name="on", args=args, data=(None,)), C.Const())):
            return args
    return None


__all__ = ["EVERYBODY", "Asking", "Knowing", "Readers", "Watched"]
