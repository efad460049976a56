"""Training in pieces that may be done anywhere: what each comes to depends on its number and the seed alone.

Nothing here looks at a clock. So much is practised and so much is measured as is asked for, and what is learnt is the
same whoever did which piece, and how often it was begun. `training` and `measuring` have what a piece does.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from ctypes import c_double
from math import sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from ruledsl.generate.c_state import CHOICE
from ruledsl.generate.native import Session
from ruledsl.records import dataclass

from . import measuring, training
from .belief import FEWEST, ROUNDS, Belief, Looked, looked_at
from .judge import UNIT, Judge, Signs, Weights
from .manner import MANNERED, PAIRED, Manner, Traits
from .measuring import Measured, Way
from .native_tree import ALIKE, NativeTree

if TYPE_CHECKING:
    from ruledsl.generate.native import Library
    from ruledsl.runtime.game import Configured, Game

PRACTISED = 100  # plays of a piece
TAUGHT, AT_ONCE = 8, 8  # groups of plays of a piece, and pieces that begin with the same manner
FOR_ONE_LOOKED_AT = 40  # plays for practice, instead of one in which it is looked where hidden pieces lie
FEW, MANY = 40, 400  # plays of a way that is measured, at least and at most
FOR_ONE_MEASURED = 250  # plays for practice
COUNTED = 20  # plays that show how long plays are
Hands: TypeAlias = Callable[["Lesson", Iterable[int]], list[Any]]  # does pieces, by their numbers


class Table:
    """Where pieces are done: a game, and what was made for it."""

    def __init__(self, game: Game, configured: Configured, made: Library) -> None:
        self.game, self.configured, self.made = game, configured, made
        self.signs = Signs(configured)
        self._traits: dict[tuple[tuple[int, int], ...] | None, Traits] = {}

    def judge(self, weights: Weights) -> Judge:
        return Judge(self.configured, self.signs, weights)

    def traits(self, counted: Iterable[tuple[int, int]] | None) -> Traits:
        """How a manner looks at options, with what lies where, if that counts."""
        key = None if counted is None else tuple(counted)
        if key not in self._traits:
            self._traits[key] = Traits(self.configured)
            if key is not None:
                self._traits[key].pair(self.configured, key)
        return self._traits[key]

    def belief(self, weights: dict[tuple[int, int], int]) -> Belief:
        belief = Belief(self.configured)
        belief.weights = weights
        return belief

    def way(self, sent: SentWay) -> Way:
        judge = None if sent.judge is None else self.judge(sent.judge)
        if sent.lies is not None:
            return Way(judge, belief=self.belief(sent.lies))
        if sent.manner is None:
            return Way(judge)
        weights = [0] * (MANNERED + PAIRED)
        for trait, weight in sent.manner.items():
            weights[trait] = int(weight)
        return Way(judge, Manner(self.traits(sent.counted), weights))


def own_seed(*said: int) -> int:
    """A seed for one piece of many."""
    return random.Random(" ".join(map(str, said))).getrandbits(48)


@dataclass(frozen=True)
class SentWay:
    """A way to search, as it is sent: only what was learnt."""

    judge: Weights | None = None
    counted: list[tuple[int, int]] | None = None
    manner: dict[int, float] | None = None
    lies: dict[tuple[int, int], int] | None = None


def sent(way: Way) -> SentWay:
    judge = None if way.judge is None else way.judge.weights
    if way.belief is not None:
        return SentWay(judge, lies=way.belief.weights)
    if way.manner is None:
        return SentWay(judge)
    return SentWay(judge, way.manner.traits.counted, known(way.manner.weights))


def known(weights: Iterable[float]) -> dict[int, float]:
    """Of many weights, those that are not zero."""
    return {trait: weight for trait, weight in enumerate(weights) if weight}


# ------------------------------------------------------------------------------------------------ pieces of work


class Lesson(ABC):
    """Work that is cut into pieces."""

    @abstractmethod
    def piece(self, table: Table, number: int) -> Any:
        """What the piece of this number comes to."""


@dataclass(frozen=True)
class Practice(Lesson):
    """Plays in which everybody takes what a judge likes best of a few options; a piece gives positions of some."""

    judge: Weights
    tries: int
    plays: int
    seed: int

    def piece(self, table: Table, number: int) -> list[training.Sample]:
        own = own_seed(self.seed, number)
        rng, found = random.Random(own), list[training.Sample]()
        tree = NativeTree(table.made, table.made.program.template, 0, own, table.judge(self.judge))
        try:
            for _ in range(min(PRACTISED, self.plays - number * PRACTISED)):
                found += training.of_one_play(tree, table.signs, self.tries, rng)
        finally:
            tree.close()
        return found


@dataclass(frozen=True)
class Learning(Lesson):
    """Groups of plays from which a manner learns; a piece gives what it would change, and how far results lay apart."""

    counted: list[tuple[int, int]] | None
    weights: dict[int, float]
    spread: tuple[float, float]
    groups: int
    step: float
    seed: int

    def piece(self, table: Table, number: int) -> tuple[dict[int, float], float, float]:
        own = own_seed(self.seed, number)
        tree = training.tree_of_manners(table.configured, table.made, table.traits(self.counted), own)
        weights, spread = (c_double * (MANNERED + PAIRED))(), (c_double * 2)(*self.spread)
        for trait, weight in self.weights.items():
            weights[trait] = weight
        try:
            tree.learn(own, self.groups, training.LONGEST_LEARNT, self.step, weights, spread)
        finally:
            tree.close()
        changed = {trait: x - self.weights.get(trait, 0.0) for trait, x in known(weights).items()}
        return {trait: x for trait, x in changed.items() if x}, spread[0], spread[1] - self.spread[1]


@dataclass(frozen=True)
class Measuring(Lesson):
    """Plays of a search that is helped against another; a piece is one play. With `positions` it looks ahead at so many
    each time, and the other search is helped by `way`."""

    way: SentWay
    ahead: Weights | None
    positions: int | None
    seed: int

    def piece(self, table: Table, number: int) -> float:
        way = table.way(self.way)
        if self.ahead is None:
            bots = measuring.weak_bots(table.configured, table.made, way)
        else:
            bots = measuring.WeakAhead(table.made, table.judge(self.ahead), way, self.positions)
        return measuring.one_measured(table.game, table.configured, bots, number, self.seed)


@dataclass(frozen=True)
class Looking(Lesson):
    """Where hidden pieces lie, beside where they are believed to; a piece is one play."""

    lies: dict[tuple[int, int], int]
    seed: int

    def piece(self, table: Table, number: int) -> Looked:
        return looked_at(table.game, table.configured, table.belief(self.lies), own_seed(self.seed, number))


# ------------------------------------------------------------------------------------------------ what they come to


def belief_taught(table: Table, hands: Hands, plays: int, seed: int, tell: Callable[[int, int], None]) -> Belief:
    """As `belief.learn_belief`, with so many plays; those of bots that search count for many."""
    belief, each = Belief(table.configured), max(plays // FOR_ONE_LOOKED_AT // ROUNDS, FEWEST)
    for part in range(ROUNDS):
        belief.revise(hands(Looking(dict(belief.weights), own_seed(seed, part)), range(each)))
        tell(part + 1, each)
    return belief


def taught(table: Table, hands: Hands, plays: int, seed: int, tell: Callable[[int, int], None]) -> training.Pupil:
    """As `training.train`, with so many plays."""
    each = max(plays // len(training.TRIES), 1)

    def practised(number: int, judge: Judge) -> Iterable[training.Sample]:
        lesson = Practice(judge.weights, training.TRIES[number], each, own_seed(seed, number))
        return [sample for piece in hands(lesson, range(-(-each // PRACTISED))) for sample in piece]

    return training.studied(table.configured, practised, seed, tell)


def manner_taught(
    table: Table,
    hands: Hands,
    plays: int,
    seed: int,
    tell: Callable[[int, int], None],
    paired: bool = False,
    start: Manner | None = None,
) -> Manner:
    """As `training.learn_manner`, with so many plays: some pieces begin with the same manner, and the next ones with
    the mean of what those have learnt."""
    traits = training.traits_looked_at(table.configured, table.made, seed, paired, start)
    begun = start.weights if start is not None else ()
    weights = {trait: weight / UNIT for trait, weight in known(begun).items()}
    _, *spread = Learning(traits.counted, weights, (0.0, 0.0), training.WARM_UP, 0.0, seed).piece(table, 0)
    rounds = max(plays // (TAUGHT * AT_ONCE * ALIKE), 1)
    for number in range(rounds):
        step = training.manner_step(number / rounds)
        lesson = Learning(traits.counted, weights, (spread[0], spread[1]), TAUGHT, step, own_seed(seed, number))
        pieces = hands(lesson, range(AT_ONCE))
        for changed, _, _ in pieces:
            for trait, change in changed.items():
                weights[trait] = weights.get(trait, 0.0) + change / AT_ONCE
        spread = [sqrt(sum(one * one for _, one, _ in pieces) / AT_ONCE), spread[1] + sum(one for *_, one in pieces)]
        if (number + 1) * 4 // rounds > number * 4 // rounds:
            tell((number + 1) * 4 // rounds, (number + 1) * TAUGHT * AT_ONCE * ALIKE)
    return training.rounded(traits, (weights.get(trait, 0.0) for trait in range(MANNERED + PAIRED)))


def ways_measured(table: Table, hands: Hands, way: Way, plays: int, seed: int) -> Measured:
    """As `measuring.measured`, with so many plays."""
    return _measured(table, hands, Measuring(sent(way), None, None, seed), way.judge, plays)


def ahead_measured(table: Table, hands: Hands, judge: Judge, tree: Way, plays: int, seed: int) -> Measured:
    """As `measuring.measured_ahead`; looking at a position counts as much as a decision of a play at random."""
    positions = round(3 * measuring.PLAYS * _decisions(table, seed) / 2)
    return _measured(table, hands, Measuring(sent(tree), judge.weights, positions, seed), judge, plays)


def _measured(table: Table, hands: Hands, lesson: Measuring, judge: Judge | None, plays: int) -> Measured:
    seats = measuring.seats_taken(table.configured)
    number = -(-min(max(plays // FOR_ONE_MEASURED, FEW), MANY) // seats) * seats
    by = "manner" if lesson.way.lies is None else "belief"
    return measuring.told(judge, sum(hands(lesson, range(number))), number, by)


def _decisions(table: Table, seed: int) -> float:
    """How many a play at random has; from its midst half as many are left."""
    session, rng, total = Session(table.made), random.Random(seed), 0
    try:
        for _ in range(COUNTED):
            stop = session.start(rng.getrandbits(48))
            for _ in range(training.LONGEST):
                if stop != CHOICE or not session.take(rng.randrange(len(session.options()))):
                    break
                total += 1
                stop = session.run()
    finally:
        session.close()
    return total / COUNTED


__all__ = ["Hands", "Lesson", "Table", "ahead_measured", "belief_taught", "manner_taught", "taught", "ways_measured"]
