"""A state as a seat may imagine it: what it does not know is dealt anew."""

from __future__ import annotations

import random
from typing import Any
from weakref import WeakKeyDictionary

from ruledsl.engine.options import STRIDE, names_pieces
from ruledsl.ir import core as C

State = list[int]
_TRIES = 20


def hides(play: Any) -> bool:
    """Whether players of this game may know different things."""
    spots = play.machine.program.spots
    return spots.known >= 0 or any(value.seen is not None for value in play.world.values)


def decides_in_secret(play: Any) -> bool:
    """Whether players of this game decide at once, each without the others knowing."""
    return "drafts" in play.world.data


def guessable(play: Any) -> bool:
    """Whether all that is hidden is where pieces are: hidden values cannot be dealt anew."""
    return not any(value.seen is not None for value in play.world.values)


class Guess:
    """A state in which the pieces that a seat does not know have changed places at random."""

    def __init__(self, play: Any, seat: int, rng: random.Random, may_lie: dict[int, int] | None = None) -> None:
        self.play = play
        program = play.machine.program  # behind the state may lie what an executor has worked out of where pieces are
        self.state = [*play.state[: program.layout.size], *[0] * program.scratch]
        self.may_lie = may_lie or {}  # the pieces that are likely to lie on a spot at all
        self.became: dict[int, int] = {}  # what a piece of the true state is taken for
        if play.machine.program.spots.known >= 0:
            self._deal(seat, rng)

    def option(self, choice: C.Choice, raw: tuple[Any, ...], state: State | None = None) -> tuple[Any, ...]:
        """An option of the true state as it reads here; in the midst of a choice the state says at which step."""
        return self._read(choice, raw, state or self.state, self.became)

    def back(self, choice: C.Choice, raw: tuple[Any, ...], state: State) -> tuple[Any, ...]:
        """An option of this guess as it reads in the true state."""
        return self._read(choice, raw, state, {q: p for p, q in self.became.items()})

    def _read(self, choice: C.Choice, raw: tuple[Any, ...], state: State, other: dict[int, int]) -> tuple[Any, ...]:
        if raw[0] < 0 or not other:
            return raw
        entry = choice.entries[raw[0]]
        stage = state[choice.stage] if choice.stage is not None else 0
        variables = entry.variables[(stage - 1) % STRIDE if stage else 0 :]
        values = [other.get(x, x) if names_pieces(v) else x for v, x in zip(variables, raw[1:], strict=False)]
        return (raw[0], *values)

    def _deal(self, seat: int, rng: random.Random) -> None:
        """The unknown pieces, dealt to where unknown pieces lie, as far as each may lie there.

        It starts from an order that says nothing of how they truly lie, so that equal views are dealt alike.
        """
        v, pieces, spots = self.state, self.play.machine.pieces, self.play.machine.program.spots
        unknown = [p for p in range(self.play.world.pieces.size) if not self.play.viewer.knows(v, p, seat)]
        where = {p: v[spots.at + p] for p in unknown}
        places = sorted(unknown, key=lambda p: self._position(p, where[p]))
        takes = self._assign(places, sorted(unknown), where, rng)
        self.became = {p: q for p, q in takes.items() if p != q}
        for first in (spots.at, spots.known, spots.slot):
            if first >= 0:
                values = {q: v[first + p] for p, q in takes.items()}
                for q, value in values.items():
                    v[first + q] = value
        for spot in set(where.values()):
            lying = [takes.get(p, p) for p in pieces.on(self.play.state, spot)]
            if spots.ordered[spot]:
                pieces.arrange(v, spot, tuple(lying))
            elif spots.single[spot]:
                v[spots.top + spot] = lying[0]
            else:
                v[spots.members + spot - spots.first_place] = sum(1 << p for p in lying)

    def _position(self, piece: int, spot: int) -> tuple[int, int, int]:
        """Where a piece lies, without saying which it is."""
        v, spots = self.play.state, self.play.machine.program.spots
        depth = self.play.machine.pieces.on(v, spot).index(piece) if spots.ordered[spot] else 0
        slot = v[spots.slot + piece] if spots.slot >= 0 else 0
        return spot, depth or slot, v[spots.known + piece]

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
        for spot, order in stacked(self.play).items():
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
                    return takes
        return {p: p for p in places}

    def _holds(self) -> dict[int, int]:
        """Which pieces may lie on a spot."""
        world, spots = self.play.world, self.play.machine.program.spots
        found = dict.fromkeys(range(spots.count), world.pieces.everything)
        for info in world.place_infos:
            for i in range(info.count):
                found[spots.first_place + info.first + i] = info.kinds
        return found


STARTS = 4  # beginnings of plays that are compared
_STACKED: WeakKeyDictionary[Any, dict[int, tuple[int, ...]]] = WeakKeyDictionary()


def stacked(play: Any) -> dict[int, tuple[int, ...]]:
    """Piles that always begin with the same pieces in the same order, from below: whoever knows the rules knows it."""
    if play.configured not in _STACKED:
        machine = play.machine
        spots, kept = machine.program.spots, (machine.say, machine.watch, machine.pieces.watch)
        machine.say = machine.watch = machine.pieces.watch = None
        try:
            starts = [machine.start(seed) for seed in range(STARTS)]
            for v in starts:
                machine.run(v)
        finally:
            machine.say, machine.watch, machine.pieces.watch = kept
        found = {}
        for spot in range(spots.first_place, spots.count):
            orders = {tuple(machine.pieces.on(v, spot)) for v in starts} if spots.ordered[spot] else set()
            if len(orders) == 1 and len(only := orders.pop()) > 1:
                found[spot] = only
        _STACKED[play.configured] = found
    return _STACKED[play.configured]
