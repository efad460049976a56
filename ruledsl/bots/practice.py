"""What those who won had: learned from plays at random, so that a bot knows what is worth having in a game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ruledsl.engine.machine import Machine, Stop
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.together import Drafts
from ruledsl.types import Bool, Elem, Num

from .hidden_values import HiddenValues
from .outcome import Outcome

if TYPE_CHECKING:
    from ruledsl.analysis.names import PlaceInfo
    from ruledsl.runtime.game import Configured
    from ruledsl.types import Attribute, Root

State = list[int]
PLAYS = 40  # tried before the first decision
MOST_DECISIONS = 3_000  # of all of them together
MOST_OF_ONE = 1_000  # decisions of a play
EVERY = 4  # decisions between two looks at what the players have
EARLY = 0.01  # what the beginning of a play says of its result
LAST = 8.0  # what the end itself says of the result
STIFF = 2.0  # so many looks against believing that something matters


class Signs:
    """What each player has, as numbers: pieces in each sort of place with what is printed on them, tokens, values.

    What lies in the place of a piece, as the guards of a tower, belongs to whoever has the piece.
    """

    def __init__(self, configured: Configured) -> None:
        self.world, self.machine = configured.world, configured.machine
        self.players = len(configured.players)
        self.spots = self.machine.program.spots
        self.width = 0
        self._printed = self._numbers()
        self._of_player: dict[int, tuple[int, int]] = {}  # by spot: whose it is, and its first column
        self._of_piece: dict[int, tuple[int, int]] = {}  # by spot: the piece it belongs to, and its first column
        for info in self.world.place_infos:
            self._place(info)
        self._counts: list[tuple[int, int, int]] = []  # slot, player, column
        for pool in self.world.pools:
            for _, base, root in pool.holders.values():
                if root is self.world.players:
                    for sort in range(pool.size):
                        self._column(base + sort, pool.size)
        for value in self.world.values:
            if len(value.keys) == 1 and getattr(value.keys[0], "root", None) is self.world.players:
                if isinstance(value.type, Num | Bool):
                    self._column(value.base, value.width)

    def _numbers(self) -> list[list[tuple[int, int]]]:
        """What is printed on each piece and never changes, as columns behind the count."""
        pieces, found = self.world.pieces, [[(0, 1)] for _ in range(self.world.pieces.size)]
        self._each = 1
        for attribute in printed_on(pieces):
            if isinstance(attribute.type, Num):
                for piece in range(pieces.size):
                    number = what_is_printed(attribute, piece)
                    if number is not None and abs(number) < 1 << 20:
                        found[piece].append((self._each, number))
                self._each += 1
        return found

    def _place(self, info: PlaceInfo) -> None:
        if not isinstance(info.per, Elem) or info.per.root.kind not in ("player", "piece"):
            return
        table = self._of_player if info.per.root.kind == "player" else self._of_piece
        for i in range(info.count):
            if info.per.mask >> i & 1:
                table[self.spots.first_place + info.first + i] = i, self.width
        self.width += self._each

    def _column(self, base: int, step: int) -> None:
        self._counts += [(base + player * step, player, self.width) for player in range(self.players)]
        self.width += 1

    def of(self, v: State) -> list[list[float]]:
        """The numbers of every player, against the mean of the others."""
        found = [[0.0] * self.width for _ in range(self.players)]
        at = self.spots.at
        for piece, printed in enumerate(self._printed):
            spot = v[at + piece]
            where = self._of_player.get(spot)
            if where is None:
                inner = self._of_piece.get(spot)
                if inner is None:
                    continue
                owner = self._of_player.get(v[at + inner[0]])
                if owner is None:
                    continue
                where = owner[0], inner[1]
            row, first = found[where[0]], where[1]
            for column, number in printed:
                row[first + column] += number
        for slot, player, column in self._counts:
            found[player][column] += v[slot]
        others = max(1, self.players - 1)
        totals = [sum(column) for column in zip(*found, strict=True)]
        return [[own - (total - own) / others for own, total in zip(row, totals, strict=True)] for row in found]


def decide_at_once(
    machine: Machine, v: State, stop: Stop, rng: random.Random, met: Callable[[State], None] | None = None
) -> int:
    """All who decide in secret take anything: how many decisions that were. Each is told of by the state it `met`."""
    assert stop.together is not None
    drafts, number = Drafts(machine, v, stop.together), 0
    for seat in drafts.seats:
        while (there := drafts.stops[seat]).kind == "choice":
            if met is not None:
                met(drafts.states[seat])
            drafts.choose(seat, there.options[int(rng.random() * len(there.options))])
            number += 1
    drafts.finish(lambda stop, option: None)
    return number


class Practice:
    """Plays at random to their ends, and draws its conclusions: how much each sign counts for winning, and which
    pieces come to lie where. It begins with plays of its own from the start of the game, the same for every bot."""

    def __init__(self, configured: Configured) -> None:
        self.signs = Signs(configured)
        self.outcome = Outcome(configured)
        self.machine, self.world = configured.machine, configured.world
        self.values = HiddenValues(configured)
        width = self.signs.width
        self._products = [[0.0] * width for _ in range(width)]
        self._results = [0.0] * width
        self._weight = 0.0
        self._worth: list[float] | None = None
        self._came: dict[int, int] = {}  # by spot: the pieces that came to lie there
        self.decisions = self.concluded = 0
        rng = random.Random(0)
        for number in range(PLAYS):
            if self.decisions > MOST_DECISIONS:
                break
            v = self.machine.start(number)
            try:
                self.play_on(v, rng, MOST_OF_ONE, note=True)
            except RulesFault:
                continue
        self.may_lie = self._may_lie()

    def copy(self) -> Practice:
        """What was learned so far, to learn more."""
        twin = copy(self)
        twin._products = [row[:] for row in self._products]
        twin._results = self._results[:]
        return twin

    def play_on(self, v: State, rng: random.Random, most: int, note: bool = False) -> None:
        """One play at random, from a state on; the state is used up, and nobody is told of it."""
        with self.machine.quiet():
            self._play_on(v, self.machine.run(v), rng, most, note)

    def _play_on(self, v: State, stop: Stop, rng: random.Random, most: int, note: bool) -> None:
        seen: list[list[list[float]]] = []
        at = self.signs.spots.at
        spots = v[at : at + self.world.pieces.size]
        for number in range(most):
            if stop.kind not in ("choice", "together"):
                break
            if number % EVERY == 0:
                seen.append(self.signs.of(v))
            if stop.kind == "together":
                self.decisions += decide_at_once(self.machine, v, stop, rng, self.values.remember if note else None)
            else:
                assert stop.choice is not None
                if note:
                    self.values.remember(v)
                self.machine.choose(v, stop.choice, stop.options[int(rng.random() * len(stop.options))])
                self.decisions += 1
            stop = self.machine.run(v)
            if note:
                before, spots = spots, v[at : at + self.world.pieces.size]
                for piece, (old, new) in enumerate(zip(before, spots, strict=True)):
                    if old != new:
                        self._came[new] = self._came.get(new, 0) | 1 << piece
        if stop.kind != "over":
            return
        seen.append(self.signs.of(v))
        winners = self.outcome.winning(v)
        if winners:
            self._conclude(seen, winners)

    def _sorts(self) -> list[dict[Any, int]]:
        """Pieces sorted in several ways: by their kind, and by each word that is printed on them."""
        pieces = self.world.pieces
        found: list[dict[Any, int]] = []
        for mask in pieces.parts.values():
            found.append({True: mask, False: pieces.everything & ~mask})
        for attribute in printed_on(pieces):
            if isinstance(attribute.type, Elem):
                masks: dict[Any, int] = {}
                for piece in range(pieces.size):
                    word = what_is_printed(attribute, piece)
                    masks[word] = masks.get(word, 0) | 1 << piece
                found.append(masks)
        return found

    def _may_lie(self) -> dict[int, int]:
        """What may lie on a spot: what is, in every way, of a sort that came there, or of one that never came up."""
        spots, ever = self.signs.spots, 0
        for mask in self._came.values():
            ever |= mask
        found: dict[int, int] = {}
        for info in self.world.place_infos:
            own = range(spots.first_place + info.first, spots.first_place + info.first + info.count)
            came = 0
            for spot in own:
                came |= self._came.get(spot, 0)
            if came:
                may = self.world.pieces.everything
                for masks in self._sorts():
                    may &= sum(mask for mask in masks.values() if mask & came or not mask & ever)
                found |= {spot: may & ~strange for spot, strange in zip(own, self._strange(info), strict=True)}
        return found

    def _strange(self, info: PlaceInfo) -> list[int]:
        """By spot of a place the pieces of others, if each player has the place for itself, and only ever had its own
        pieces of a kind there that each has: a hand of discs in the color of its player."""
        strange, players = [0] * info.count, self.signs.players
        if info.key != "player" or info.count % players:
            return strange
        first, each = self.signs.spots.first_place + info.first, info.count // players
        for kind in self.world.kinds if players > 1 else ():
            others = [kind.mask & ~kind.of_player(i // each, players) for i in range(info.count)]
            if kind.per_player and not any(self._came.get(first + i, 0) & one for i, one in enumerate(others)):
                strange = [one | more for one, more in zip(strange, others, strict=True)]
        return strange

    def _conclude(self, seen: list[list[list[float]]], winners: Sequence[int]) -> None:
        """What the players had on the way counts little, what they had in the end much."""
        self.concluded += 1
        players = self.signs.players
        for number, rows in enumerate(seen, 1):
            weight = max(EARLY, (number / len(seen)) ** 8) if number < len(seen) else LAST
            for seat, row in enumerate(rows):
                result = (1 / len(winners) if seat in winners else 0.0) - 1 / players
                filled = [i for i, x in enumerate(row) if x]
                for i in filled:
                    self._results[i] += weight * row[i] * result
                    products = self._products[i]
                    for j in filled:
                        products[j] += weight * row[i] * row[j]
            self._weight += weight * players
        self._worth = None

    def chance(self, v: State, seat: int) -> float:
        """How likely it seems that a seat wins."""
        if self._worth is None:
            self._worth = self._solve()
        own = self.signs.of(v)[seat]
        return 1 / self.signs.players + sum(x * worth for x, worth in zip(own, self._worth, strict=True))

    def _solve(self) -> list[float]:
        """The weights with the least squared error, drawn a little towards 0."""
        n, total = self.signs.width, self._weight or 1.0
        scale = [(self._products[i][i] / total) ** 0.5 or 1.0 for i in range(n)]
        rows = [
            [self._products[i][j] / scale[i] / scale[j] + (STIFF if i == j else 0.0) for j in range(n)]
            + [self._results[i] / scale[i]]
            for i in range(n)
        ]
        for i in range(n):  # positive definite: no pivots are needed
            for j in range(i + 1, n):
                factor = rows[j][i] / rows[i][i]
                if factor:
                    rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
        found = [0.0] * n
        for i in reversed(range(n)):
            found[i] = (rows[i][n] - sum(rows[i][j] * found[j] for j in range(i + 1, n))) / rows[i][i]
        return [x / s for x, s in zip(found, scale, strict=True)]


def printed_on(pieces: Root) -> Iterator[Attribute]:
    """The attributes that the rules give to pieces, one after the other."""
    for attributes in pieces.attributes.values():
        for attribute in attributes:
            if getattr(attribute.origin, "sort", "") == "attribute":
                yield attribute


def what_is_printed(attribute: Attribute, piece: int) -> int | None:
    """What is printed on a piece; None if it has nothing there, or what changes in play."""
    if not attribute.mask >> piece & 1:
        return None
    node = attribute.build(C.Const(piece), None)
    return node.value if isinstance(node, C.Const) else None


_PRACTICES: WeakKeyDictionary[Configured, Practice] = WeakKeyDictionary()


def practice(configured: Configured) -> Practice:
    """What plays from the start of a game teach: worked out once for a game with so many players."""
    if configured not in _PRACTICES:
        _PRACTICES[configured] = Practice(configured)
    return _PRACTICES[configured]
