"""A state as a seat may imagine it: what it does not know is dealt and drawn anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ruledsl.engine.options import STRIDE, names_pieces
from ruledsl.ir import core as C
from ruledsl.ir.core import DRAFT_STEPS, RulesFault
from ruledsl.types import Elem, ListOf, SetOf, Type, bits

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured
    from ruledsl.runtime.play import Play

    from .belief import Belief
    from .practice import Practice

State = list[int]
Raw = tuple[Any, ...]
_TRIES = 20
_SWEEPS = 3  # of exchanges, until pieces lie as they are believed to
_DRAWS = 8  # of hidden values, until the seat is asked the same


class Guess:
    """A state that a seat cannot tell from the true one. The pieces that it does not know have changed places at
    random; values that it may not see hold something else; what others have decided in secret is open; and chance
    comes out otherwise. So nothing is left in it of the true state that the seat may not know.

    What is not dealt and drawn `anew` is the true state, but for chance to come and what is decided in secret just now.
    """

    def __init__(
        self,
        play: Play,
        seat: int,
        rng: random.Random,
        practice: Practice | None = None,
        anew: bool = True,
        unknown: list[int] | None = None,
        belief: Belief | None = None,
    ) -> None:
        """Who makes many guesses at one decision finds out once what is `unknown_pieces`."""
        self.play, self.belief = play, belief
        program = play.machine.program  # behind the state may lie what an executor has worked out of where pieces are
        self.state = [*play.state[: program.layout.size], *[0] * program.scratch]
        self.may_lie = practice.may_lie if practice is not None else {}  # the pieces likely to lie on a spot at all
        self.became: dict[int, int] = {}  # what a piece of the true state is taken for
        self._here: dict[int, int] = {}  # the same, and also by what the seat calls pieces that it does not know
        for i in range(1, len(C.STREAM_NAMES)):  # the first only puts in order what is hidden
            self.state[C.STREAMS + i] = rng.getrandbits(63)
        if play.together is not None:  # nobody knows what others have decided, and whoever asks decides anew
            first = play.together.node.drafts
            length = len(play.configured.players) * (DRAFT_STEPS + 1)
            self.state[first : first + length] = [0] * length
        if anew and program.spots.known >= 0:
            self._deal(unknown if unknown is not None else unknown_pieces(play, seat), rng)
            self._rename()
        if anew:
            self._draw_values(seat, rng, practice)
        self.options: tuple[Raw, ...] = ()  # those of the seat, as they read here
        self.taken: list[Raw] = []  # what the seat has decided in secret already, likewise
        stop = play.stop_of(seat)
        if stop is not None and stop.choice is not None:
            entries = stop.choice.entries
            naming = {i for i, entry in enumerate(entries) if any(map(names_pieces, entry.variables))}
            choice = stop.choice
            self.options = tuple(self.option(choice, raw) if raw[0] in naming else raw for raw in stop.options)
            self.taken = play.together.taken[seat] if play.together is not None else []

    def _draw_values(self, seat: int, rng: random.Random, practice: Practice | None) -> None:
        """Other contents for the values that the seat may not see: such that it is asked what it is asked."""
        from .hidden_values import HiddenValues

        values = practice.values if practice is not None else HiddenValues(self.play.configured)
        unseen = values.unseen(self.play.viewer, self.play.state, seat)
        if not unseen:
            return
        for _ in range(_DRAWS):
            values.draw(self.state, unseen, rng)
            if self._asks_the_same(seat):
                return

    def _asks_the_same(self, seat: int) -> bool:
        stop, machine = self.play.stop_of(seat), self.play.machine
        if stop is None or stop.choice is None or self.play.together is not None:
            return True
        try:
            with machine.quiet():
                there = machine.run(self.state[:], ask_chance=True)
        except (RulesFault, LookupError, AssertionError):
            return False
        if there.choice is not stop.choice or there.seat != seat:
            return False
        return {*there.options} == {self.option(stop.choice, raw) for raw in stop.options}

    def _rename(self) -> None:
        """What names a piece in the state names the one that it is taken for."""
        v = self.state
        for base, kind in named_pieces(self.play.configured):
            match kind:
                case ListOf():
                    length = v[base]
                    v[base + 1 : base + 1 + length] = [self.became.get(x, x) for x in v[base + 1 : base + 1 + length]]
                case SetOf():
                    v[base] = sum(1 << self.became.get(p, p) for p in bits(v[base]))
                case _:
                    v[base] = self.became.get(v[base], v[base])

    def option(self, choice: C.Choice, raw: Raw, state: State | None = None) -> Raw:
        """An option of the seat as it reads here; in the midst of a choice the state says at which step."""
        return read(choice, raw, state or self.state, self._here)

    def back(self, choice: C.Choice, raw: Raw, state: State) -> Raw:
        """An option of this guess as the seat reads it."""
        return read(choice, raw, state, {q: p for p, q in self._here.items() if p >= self.play.world.pieces.size})

    def _deal(self, places: list[int], rng: random.Random) -> None:
        """The unknown pieces, dealt to where unknown pieces lie, as far as each may lie there.

        It starts from an order that says nothing of how they truly lie, so that equal views are dealt alike.
        """
        v, pieces, spots = self.state, self.play.machine.pieces, self.play.machine.program.spots
        unknown, where = sorted(places), {p: v[spots.at + p] for p in places}
        takes = self._assign(places, unknown, where, rng)
        self.became = {p: q for p, q in takes.items() if p != q}
        self._here = self.became | {called: takes[p] for p, called in called_by_place(self.play, places).items()}
        for first in (
            spots.at,
            spots.known,
            spots.slot,
            *self.play.machine.program.backs,
        ):  # the backs of pieces stay there
            if first >= 0:
                values = {q: v[first + p] for p, q in takes.items()}
                for q, value in values.items():
                    v[first + q] = value
        for piece in range(self.play.world.pieces.size if spots.under >= 0 else 0):
            if not spots.ordered[v[spots.at + piece]]:  # what it lay on once, no rule asks any more
                v[spots.under + piece] = v[spots.over + piece] = -1
        for spot in set(where.values()):
            lying = [takes.get(p, p) for p in pieces.on(self.play.state, spot)]
            if spots.ordered[spot]:
                pieces.arrange(v, spot, tuple(lying))
            elif spots.single[spot]:
                v[spots.top + spot] = lying[0]
            else:
                v[spots.members + spot - spots.first_place] = sum(1 << p for p in lying)

    def _assign(
        self, places: list[int], unknown: list[int], where: dict[int, int], rng: random.Random
    ) -> dict[int, int]:
        """Which piece comes to lie where another one lies."""
        laid = self._as_laid(places, unknown, where)
        places = [p for p in places if p not in laid]
        unknown = sorted({*unknown} - {*laid.values()})
        return laid | self._dealt(places, unknown, where, rng)

    def _as_laid(self, places: list[int], unknown: list[int], where: dict[int, int]) -> dict[int, int]:
        """What lies in a pile that nobody shuffles before a play: the rules say in which order. It is taken from the
        top, so the lowest are those that are left."""
        takes: dict[int, int] = {}
        for spot, order in stacked(self.play.configured).items():
            below = [p for p in places if where[p] == spot]
            takes |= zip(below, [q for q in order if q in unknown], strict=False)
        return takes

    def _dealt(
        self, places: list[int], unknown: list[int], where: dict[int, int], rng: random.Random
    ) -> dict[int, int]:
        """The rest, by chance."""
        holds = self._holds()
        likely = {spot: held & self.may_lie.get(spot, held) for spot, held in holds.items()}
        for may in (likely, holds) if self.may_lie else (holds,):
            narrow_first = sorted(places, key=lambda p: may[where[p]].bit_count())
            for _ in range(_TRIES):
                rest, takes = unknown[:], {}
                rng.shuffle(rest)
                for p in narrow_first:
                    q = next((q for q in rest if may[where[p]] >> q & 1), None)
                    if q is None:
                        break
                    rest.remove(q)
                    takes[p] = q
                else:
                    return self._as_believed(takes, where, may, rng)
            found = _matched(narrow_first, unknown, where, may, rng)
            if found is not None:
                return self._as_believed(found, where, may, rng)
        raise AssertionError("the pieces lie somewhere, so there is a way for them to lie")

    def _as_believed(
        self, takes: dict[int, int], where: dict[int, int], may: dict[int, int], rng: random.Random
    ) -> dict[int, int]:
        """What was dealt evenly, with pieces exchanged until each way is as likely as believed (by Metropolis): so it
        does not matter which place is dealt to first."""
        if self.belief is None or len(takes) < 2:
            return takes
        weight, places = self.belief.weight, [*takes]
        for _ in range(_SWEEPS):
            for p in places:
                other = places[int(rng.random() * len(places))]
                here, there, mine, its = where[p], where[other], takes[p], takes[other]
                if here == there or not (may[here] >> its & 1 and may[there] >> mine & 1):
                    continue
                now, then = weight(here, mine) * weight(there, its), weight(here, its) * weight(there, mine)
                if then >= now or rng.random() * now < then:
                    takes[p], takes[other] = its, mine
        return takes

    def _holds(self) -> dict[int, int]:
        """Which pieces may lie on a spot."""
        world, spots = self.play.world, self.play.machine.program.spots
        found = dict.fromkeys(range(spots.count), world.pieces.everything)
        for info in world.place_infos:
            for i in range(info.count):
                found[spots.first_place + info.first + i] = info.kinds
        return found


_NAMED: WeakKeyDictionary[Configured, list[tuple[int, Type]]] = WeakKeyDictionary()


def named_pieces(configured: Configured) -> list[tuple[int, Type]]:
    """The slots of a state that name pieces: one, a set, or a list of them."""
    if configured not in _NAMED:
        pieces = configured.world.pieces
        _NAMED[configured] = [
            (slot, kind)
            for slot, kind in dict(_typed_slots(configured)).items()
            if getattr(getattr(kind, "of", kind), "root", None) is pieces and isinstance(kind, Elem | SetOf | ListOf)
        ]
    return _NAMED[configured]


def _typed_slots(configured: Configured) -> Iterator[tuple[int, Type]]:
    program = configured.machine.program
    for field in program.layout.fields:
        if field.kind in ("value", "local", "state") and field.type is not None:
            for i in range(field.count):
                yield field.base + i * field.width, field.type
    for block in program.blocks:
        if isinstance(block.end, C.Choice):
            for entry in block.end.entries:
                yield from ((variable.slot, variable.type) for variable in entry.variables)
        elif isinstance(block.end, C.Chance) and block.end.variable is not None:
            yield block.end.variable.slot, block.end.variable.type


def _matched(
    places: list[int], unknown: list[int], where: dict[int, int], may: dict[int, int], rng: random.Random
) -> dict[int, int] | None:
    """A piece for every place, where it is hard to find any way: each that is in the way is moved elsewhere."""
    order = rng.sample(unknown, len(unknown))
    taken: dict[int, int] = {}  # by piece, the place

    def placed(p: int, tried: set[int]) -> bool:
        for q in order:
            if q not in tried and may[where[p]] >> q & 1:
                tried.add(q)
                if q not in taken or placed(taken[q], tried):
                    taken[q] = p
                    return True
        return False

    return {p: q for q, p in taken.items()} if all(placed(p, set()) for p in places) else None


def unknown_pieces(play: Play, seat: int) -> list[int]:
    """The pieces that a seat does not know, in an order that says nothing of which is which: by where they lie,
    by what else names them, and as options list them."""
    v, machine = play.state, play.machine
    spots = machine.program.spots
    if spots.known < 0:
        return []

    named: dict[int, list[int]] = {}
    for base, kind in named_pieces(play.configured):
        if isinstance(kind, Elem):
            named.setdefault(v[base], []).append(base)

    unseen = [p for p in range(play.world.pieces.size) if not play.viewer.knows(v, p, seat)]
    piles = {spot for p in unseen if spots.ordered[spot := v[spots.at + p]]}
    depths = {p: depth for spot in piles for depth, p in enumerate(machine.pieces.on(v, spot))}

    def position(piece: int) -> tuple[int, int, int, list[int], tuple[int, ...]]:
        spot = v[spots.at + piece]
        depth = depths.get(piece, 0)
        slot = v[spots.slot + piece] if spots.slot >= 0 else 0
        return spot, depth or slot, v[spots.known + piece], named.get(piece, []), machine.veil(v, piece)

    return sorted(unseen, key=position)


def called_by_place(play: Play, unknown: list[int]) -> dict[int, int]:
    """By piece that a seat does not know, a number beyond those of all pieces that says only where it lies."""
    return {piece: play.world.pieces.size + number for number, piece in enumerate(unknown)}


def read(choice: C.Choice, raw: Raw, state: State, other: dict[int, int]) -> Raw:
    """An option in which pieces have other numbers."""
    if raw[0] < 0 or not other:
        return raw
    entry = choice.entries[raw[0]]
    stage = state[choice.stage] if choice.stage is not None else 0
    variables = entry.variables[(stage - 1) % STRIDE if stage else 0 :]
    values = [other.get(x, x) if names_pieces(v) else x for v, x in zip(variables, raw[1:], strict=False)]
    return (raw[0], *values)


STARTS = 4  # beginnings of plays that are compared
_STACKED: WeakKeyDictionary[Configured, dict[int, tuple[int, ...]]] = WeakKeyDictionary()


def stacked(configured: Configured) -> dict[int, tuple[int, ...]]:
    """Piles that always begin with the same pieces in the same order, from below: whoever knows the rules knows it."""
    if configured not in _STACKED:
        machine = configured.machine
        spots = machine.program.spots
        with machine.quiet():
            starts = [machine.start(seed) for seed in range(STARTS)]
            for v in starts:
                machine.run(v)
        found = {}
        for spot in range(spots.first_place, spots.count):
            orders = {tuple(machine.pieces.on(v, spot)) for v in starts} if spots.ordered[spot] else set()
            if len(orders) == 1 and len(only := orders.pop()) > 1:
                found[spot] = only
        _STACKED[configured] = found
    return _STACKED[configured]
