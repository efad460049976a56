"""Values that a seat may not see, with other contents: those that they had in plays at random, or any they may have."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.runtime.view import item_key
from ruledsl.types import Bool, Elem, Num, Type, bits

if TYPE_CHECKING:
    from ruledsl.analysis.names import ValueInfo
    from ruledsl.runtime.game import Configured
    from ruledsl.runtime.view import Viewer

State = list[int]
KEPT = 200  # contents that are remembered of each decision
OPEN = 0.15  # how often anything is believed possible, for few plays do not show all that may be
COMPARED = 6  # of those, so many are held against what the seat sees


@dataclass(frozen=True)
class Item:
    """One thing that a hidden value holds: where, and for whom if it is of a player."""

    value: ValueInfo
    base: int
    owner: int | None


class HiddenValues:
    """The items of the values that somebody may not see, and what they held at which decision in plays at random."""

    def __init__(self, configured: Configured) -> None:
        self.items = [
            Item(value, value.base + i * value.width, item_key(value, i)[1][0] if value.keys else None)
            for value in configured.world.secrets
            for i in range(value.count)
        ]
        held = {one for pool in configured.world.pools for one in pool.secrets}
        template = configured.machine.program.template
        self._held_first = {
            item.base: template[item.base : item.base + item.value.width] for item in self.items if item.value in held
        }
        self._held: dict[int, list[list[tuple[int, ...]]]] = {}

    def remember(self, v: State) -> None:
        """Notes what they hold where play stands at a decision."""
        if self.items:
            kept = self._held.setdefault(v[C.PC], [])
            if len(kept) < KEPT:
                kept.append([tuple(v[item.base : item.base + item.value.width]) for item in self.items])

    def unseen(self, viewer: Viewer, v: State, seat: int) -> list[int]:
        """The numbers of the items that a seat may not see."""
        return [i for i, x in enumerate(self.items) if not viewer.sees_value(v, x.value, seat, x.owner)]

    def draw(self, v: State, unseen: Sequence[int], rng: random.Random) -> None:
        """Puts other contents into the items: all from one moment of a play, one in which what the seat sees was most
        like it is; or, at a decision that no play came to, and now and then at any, each its own."""
        held = self._held.get(v[C.PC])
        if not held or rng.random() < OPEN:
            for i in unseen:
                self._anything(v, self.items[i], rng)
            return
        hidden = {*unseen}
        seen = [(i, item) for i, item in enumerate(self.items) if i not in hidden]
        tried = [held[int(rng.random() * len(held))] for _ in range(COMPARED if seen else 1)]
        contents = max(tried, key=lambda one: sum(one[i] == (*v[x.base : x.base + x.value.width],) for i, x in seen))
        for i in unseen:
            base = self.items[i].base
            v[base : base + len(contents[i])] = contents[i]

    def _anything(self, v: State, item: Item, rng: random.Random) -> None:
        if item.base in self._held_first:  # of tokens there is no telling how many there may be
            v[item.base : item.base + item.value.width] = self._held_first[item.base]
            return
        drawn = any_of(item.value.type, rng)
        v[item.base : item.base + item.value.width] = [drawn, *[0] * (item.value.width - 1)]


def any_of(kind: Type, rng: random.Random) -> int:
    """Anything of a type; of a set, list or bag, the empty one."""
    match kind:
        case Bool():
            return rng.randrange(2)
        case Num(low=low, high=high):
            return rng.randint(low, high)
        case Elem(mask=mask, maybe=maybe):
            return rng.choice([*bits(mask), *([-1] if maybe or not mask else [])])
    return 0


__all__ = ["HiddenValues"]
