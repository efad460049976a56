"""The log of a play: who may read what of its lines.

What a seat may know of a move is one notion. A piece that was chosen is named to those who see it where it lies, and to
those who can tell that it was the chosen one by what becomes of it: they knew it before and could follow it as it was
moved, or saw it being moved or shown. Which these are is settled by what happens to the piece first; until then, and
while play stops in the midst of it, nobody else reads its name. So a line may be read by more seats later, never by
fewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from ruledsl.engine.options import STRIDE, chosen, is_piece, staged
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.types import NONE, Elem, ListOf, SetOf, bits

from .moments import Moment, moment
from .openly import Kept, Way, told_by_itself, ways
from .view import item_key

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.engine.machine import Machine
    from ruledsl.runtime.view import Viewer

State = list[int]


@dataclass(eq=False)
class Chosen:
    """A piece that was chosen, or spoken of, and what is known of that by now."""

    piece: int
    before: int  # who knew the piece
    told: int  # who may know that it was this one
    way: Way | None  # what the rules do with it; None if it was not chosen
    stage: tuple[int, int] | None = None  # the block and slot of a choice that is made in steps
    slot: int = NONE  # where it is held, if it is not known how long
    met: bool = False  # it was moved or shown since


Mark = tuple[int, tuple[tuple[Chosen, int, bool], ...]]


@dataclass(frozen=True)
class Line:
    """A line of the log: who may read it, the state in which its names are read, and what fewer may read of it."""

    readers: int  # a set of players
    state: Moment
    words: C.Words | None = None
    choice: C.Choice | None = None
    raw: tuple[Any, ...] = ()
    seat: int = -1
    chosen: tuple[Chosen, ...] = ()
    slots: Mapping[int, int] = field(default_factory=dict)  # who may read what is chosen there
    option: int = -1  # who may read which option it was; -1 for all

    def reading(self, known: int) -> State:
        """The state, with what is known of the chosen pieces by now."""
        v = self.state[:]
        for one in self.chosen:
            v[known + one.piece] = one.told
        return v


class Log:
    """The lines of a play; it watches what becomes of what was chosen until that is settled."""

    def __init__(self, world: GameWorld, machine: Machine, viewer: Viewer) -> None:
        self.world, self.machine, self.viewer = world, machine, viewer
        self.known = machine.program.spots.known
        self.lines: list[Line] = []
        self.open: list[Chosen] = []
        self.secret = [value for value in world.values if value.seen is not None]
        self.last: Moment | None = None  # the state that was kept last
        self.told: dict[Any, Any] = {}  # what was read of it already (`runtime.story`)
        self._spoken: dict[int, tuple[tuple[int, bool], ...]] = {}
        self.widths = {f.base: f.width for f in machine.program.layout.fields if f.kind == "local"}

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, number: int) -> Line:
        return self.lines[number]

    def clear(self) -> None:
        self.lines.clear()
        self.open.clear()
        self.told.clear()

    # --------------------------------------------------------------------------------------------- writing

    def keep(self, state: State) -> Moment:
        """A state as it is now."""
        self.last = moment(state, self.last)
        return self.last

    def note(self, state: State, choice: C.Choice, raw: tuple[Any, ...], seat: int) -> None:
        """A line for an option that is about to be taken."""
        everyone = self.world.players.everything
        entry = choice.entries[raw[0]] if raw[0] >= 0 else None
        if entry is None or (self.known < 0 and not self.secret):
            self.lines.append(Line(everyone, self.keep(state), None, choice, raw, seat))
            return
        bound = _bound(state, choice, entry, raw)
        found = ways(self.machine.program, entry)
        pieces = [
            self._choose(state, choice, entry, found[number], piece, seat)
            for number, value in bound
            for piece in _pieces(entry.variables[number], value)
        ]
        slots, option = self._kept(state, choice, raw, bound, seat) if self.secret else ({}, -1)
        kept = self.keep(state)
        self.lines.append(Line(everyone, kept, None, choice, raw, seat, tuple(pieces), slots, option))

    def _choose(self, v: State, choice: C.Choice, entry: C.Entry, way: Way, piece: int, seat: int) -> Chosen:
        before = self._knowers(v, piece)
        told = before if self._is_told_apart(v, piece) else self._seers(v, piece) | before & 1 << seat
        stage = (choice.block, choice.stage) if staged(entry) and choice.stage is not None else None
        slot = next((x.slot for x in entry.variables if is_piece(x)), NONE) if way.held is None else NONE
        found = Chosen(piece, before, told, way, stage, slot)
        for earlier in self.open:
            if earlier.piece == piece and earlier.stage == stage is not None and not earlier.met:
                return earlier  # in an earlier step of the same choice
        self.open.append(found)
        return found

    def say(self, state: State, words: C.Words, readers: int) -> None:
        """A line of the rules. A piece that was just chosen is named as in the line of that choice."""
        if self.known < 0 or _reads_out(words):  # who knows a piece hears what is printed on it
            self.lines.append(Line(readers, self.keep(state), words))
            return
        pieces = [one for one in self.open if one.way is not None]  # whatever the text asks of them
        chosen = {one.piece for one in pieces}
        for piece in self._named(state, words):
            if piece not in chosen:
                before = self._knowers(state, piece)
                pieces.append(Chosen(piece, before, before, None))
                self.open.append(pieces[-1])
        self.lines.append(Line(readers, self.keep(state), words, chosen=tuple(pieces)))

    def _named(self, v: State, words: C.Words) -> Iterator[int]:
        """The pieces that a text names by a variable."""
        known = self._spoken.get(id(words))
        if known is None:
            known = self._spoken[id(words)] = tuple(_slots_named(words))
        for slot, several in known:
            if several:
                yield from bits(v[slot])
            elif v[slot] >= 0:
                yield v[slot]

    def _kept(
        self, state: State, choice: C.Choice, raw: tuple[Any, ...], bound: list[tuple[int, Any]], seat: int
    ) -> tuple[dict[int, int], int]:
        """Who may read what goes into values that not all may see: the one who chose, and who sees the value."""
        v, entry = state[:], choice.entries[raw[0]]
        found = ways(self.machine.program, entry)
        for number, value in bound:
            variable = entry.variables[number]
            if variable.fewest is None:
                v[variable.slot] = value
        slots: dict[int, int] = {}
        for number, _ in bound:
            for kept in found[number].kept:
                readers = self._readers(v, kept, seat)
                if readers is not None:
                    slot = entry.variables[number].slot
                    for at in range(slot, slot + self.widths.get(slot, 1)):
                        slots[at] = slots.get(at, -1) & readers
        option = -1
        for kept in told_by_itself(self.machine.program, choice, raw[0]):
            readers = self._readers(v, kept, seat)
            if readers is not None and self._has_readers(kept):
                option &= readers
        return slots, option

    def _value(self, kept: Kept) -> Any:
        base = kept.op.base
        return next((x for x in self.secret if x.base <= base < x.base + x.count * x.width), None)

    def _has_readers(self, kept: Kept) -> bool:
        """Whether there is somebody who sees the value: one that nobody sees is kept for the rules alone."""
        return getattr(self._value(kept).seen, "value", "") != "none"

    def _readers(self, v: State, kept: Kept, seat: int) -> int | None:
        """The players who may see what is set; None if all may."""
        value = self._value(kept)
        if value is None:
            return None
        if kept.op.index is not None and kept.owner is None:
            return 1 << seat  # whose it is cannot be told
        index = kept.op.base - value.base
        if kept.owner is not None:
            index += self.machine.evaluator.of(kept.owner)(v)
        number = index // value.width
        owner = item_key(value, number)[1][0] if value.keys and 0 <= number < value.count else None
        sees = sum(
            1 << player for player in range(self.world.players.size) if self.viewer.sees_value(v, value, player, owner)
        )
        return None if sees == self.world.players.everything else sees | 1 << seat

    # -------------------------------------------------------------------------------------------- watching

    def witness(self, v: State, piece: int, seers: int, moved: bool) -> None:
        """Told of every piece that is moved or shown, and to whom."""
        for one in [one for one in self.open if one.piece == piece]:
            known = v[self.known + piece]
            if one.way is None:  # only spoken of
                one.told &= known if moved else -1
            elif one.way.moved if one.met else one.way.shown:
                one.told |= seers | (one.before & known if moved else 0)
            one.met = True
            if moved:
                self.open.remove(one)

    def settle(self, v: State, over: bool = False) -> None:
        """Play stops: what the rules speak of no more is settled as it is."""
        self.open = [one for one in self.open if not over and self._held(v, one)]

    def _held(self, v: State, one: Chosen) -> bool:
        if one.way is None:
            return False
        if one.stage is not None and v[C.PC] == one.stage[0] and v[one.stage[1]]:
            return True
        return v[one.slot] == one.piece if one.way.held is None else v[C.PC] in one.way.held

    def _is_told_apart(self, v: State, piece: int) -> bool:
        """Whether where a piece lies tells which it is: alone, in a pile or in a slot. In a hand it does not."""
        spots, pieces, spot = self.machine.program.spots, self.machine.pieces, v[self.machine.program.spots.at + piece]
        return bool(spots.ordered[spot] or spots.single[spot] or spot in pieces.slots or pieces.count(v, spot) == 1)

    def _seers(self, v: State, piece: int) -> int:
        spot = v[self.machine.program.spots.at + piece]
        pieces = self.machine.pieces
        if spot in pieces.tops and v[pieces.top + spot] == piece:
            return int(self.world.players.everything)
        return int(pieces.seers(v, spot))

    def _knowers(self, v: State, piece: int) -> int:
        return self._seers(v, piece) | v[self.known + piece]

    # ------------------------------------------------------------------------------------------ going back

    def mark(self) -> Mark:
        """Where the log stands, for `back_to`."""
        return len(self.lines), tuple((one, one.told, one.met) for one in self.open)

    def back_to(self, mark: Mark) -> None:
        count, pieces = mark
        del self.lines[count:]
        self.told.clear()
        self.open = [one for one, _, _ in pieces]
        for one, told, met in pieces:
            one.told, one.met = told, met

    def copy(self) -> Log:
        """A log that goes on by itself."""
        twin = Log.__new__(Log)
        twin.__dict__.update(self.__dict__)
        twin.told = {}
        if not self.open:  # nothing of what was written changes any more
            twin.open, twin.lines = [], self.lines[:]
            return twin
        other = {id(one): replace(one) for one in self.open}
        twin.open = list(other.values())
        twin.lines = [
            replace(line, chosen=tuple(other.get(id(one), one) for one in line.chosen))
            if any(id(one) in other for one in line.chosen)
            else line
            for line in self.lines
        ]
        return twin


def _reads_out(words: C.Words) -> bool:
    """Whether a text is what is printed on a piece."""
    return any(isinstance(part, C.Hole) and part.about for _, parts in words.by_language for part in parts)


def _slots_named(words: C.Words) -> set[tuple[int, bool]]:
    """The slots of pieces that a text names, and whether they hold several."""
    found: set[tuple[int, bool]] = set()
    for _, parts in words.by_language:
        for part in parts:
            match part:
                case C.Hole(node=C.Get(slot=slot), type=Elem(root=root)) if root.kind == "piece":
                    found.add((slot, False))
                case C.Hole(node=C.Get(slot=slot), type=SetOf(of=Elem(root=root))) if root.kind == "piece":
                    found.add((slot, True))
    return found


def _bound(state: State, choice: C.Choice, entry: C.Entry, raw: tuple[Any, ...]) -> list[tuple[int, Any]]:
    """The variables that are bound once an option is taken, by number, with what they hold then."""
    position = (state[choice.stage] - 1) % STRIDE if choice.stage is not None and state[choice.stage] else 0
    found = [(number, chosen(state, entry.variables[number])) for number in range(position)]
    for i, value in enumerate(raw[1:]):
        variable = entry.variables[position + i]
        if variable.fewest is None:
            found.append((position + i, value))
        else:
            found.append((position + i, _with(chosen(state, variable), variable, value)))
    return found


def _with(so_far: Any, variable: C.Variable, value: int) -> Any:
    """What was taken so far, where several may be, and one more."""
    match variable.type:
        case SetOf():
            return so_far | 1 << value
        case ListOf():
            return (*so_far, value)
    return so_far


def _pieces(variable: C.Variable, value: Any) -> Iterable[int]:
    """The pieces that a variable holds."""
    match variable.type:
        case Elem(root=root) if root.kind == "piece":
            return (value,) if value >= 0 else ()
        case SetOf(of=Elem(root=root)) if root.kind == "piece":
            return bits(value)
        case ListOf(of=Elem(root=root)) if root.kind == "piece":
            return tuple(value)
    return ()


__all__ = ["Chosen", "Line", "Log"]
