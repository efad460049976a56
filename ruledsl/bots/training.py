"""Learning what is worth having in a game: from plays that practise with what was learnt before, and their ends."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from ctypes import c_double
from itertools import islice
from math import exp, log
from time import process_time
from typing import TYPE_CHECKING

from ruledsl.generate.c_state import CHOICE, TOGETHER
from ruledsl.generate.native import Session
from ruledsl.types import bits

from .ahead import how_things_are_taken, looks_ahead
from .judge import UNIT, WHOLE, Judge, Signs, Weights, only_said, plain
from .manner import MANNERED, MOST_LAID, MOST_PARTS, PAIRED, SORTS, Manner, Traits, groups_of, sorts_of
from .native_tree import ALIKE, NativeTree
from .practice import decide_at_once

if TYPE_CHECKING:
    from ruledsl.generate.native import Library
    from ruledsl.runtime.game import Configured

TRIES = (1, 6, 8, 8)  # options that are weighed at a decision, one round after another
MOST = 40  # positions of a play
LONGEST = 600  # decisions of a play
SAMPLES = 12_000  # of a round
DRAWS = 0.2  # of plays without a winner, which say little, this share is kept
FEW = 2  # positions of a play that are kept: those of one play say much the same
EPOCHS = 3
STEP, LEAST_STEP = 0.05, 0.005
CERTAIN = 3_900  # no weight is more
OWN = (0.1, 1.0)  # how fast it is learnt what a piece weighs more on one space than anywhere: slow and sure, or fast
TESTED = 2_000  # positions on which it is tested who has learnt better
Sample = tuple[list[int], list[float]]


class Pupil:
    """Weights as they are being learnt: what a piece of a sort weighs anywhere, and how much more on each space."""

    def __init__(self, configured: Configured, signs: Signs, own: float) -> None:
        self.configured, self.signs, self.own = configured, signs, own
        self.missed = 0.0
        self.shared = [0.0] * (signs.combined * signs.groups)
        self.cells = [0.0] * (signs.combined * signs.groups * signs.players)
        self.columns = [0.0] * signs.columns
        self.scale = [1.0] * signs.columns
        self.tempo = [0.0] * signs.players
        self.after = signs.pieces + len(signs.number)  # where whose turn it is stands, and then what each has
        self.per = [0.0] * (2 if signs.says else 1)  # what a point weighs, and one of what `heuristic:` says
        self.sizes = [1.0] * len(self.per)

    def _of_each(self, row: list[int], which: int) -> list[int]:
        """The points of each player, or what the rules say is good for it."""
        first = self.after + 1 + which * self.signs.players
        return row[first : first + self.signs.players]

    def _shared(self, cell: int) -> int:
        combined, group = divmod(cell // self.signs.players, self.signs.groups)
        return combined * self.signs.groups + self.signs.whole[group]

    def measure(self, samples: list[Sample]) -> None:
        """How large numbers are, so that all are learnt at one speed."""
        signs, first = self.signs, self.signs.pieces
        for at, (_, _, _, column) in enumerate(signs.number):
            self.scale[column] = max([self.scale[column], *(abs(row[first + at]) for row, _ in samples)])
        for row, _ in samples:
            for which in range(len(self.per)):
                each = self._of_each(row, which)
                self.sizes[which] = max(self.sizes[which], max(each) - min(each))

    def study(self, samples: list[Sample], rng: random.Random) -> None:
        """Goes through the samples some times, and takes a small step against each mistake."""
        self.measure(samples)
        total = EPOCHS * len(samples)
        for epoch in range(EPOCHS):
            rng.shuffle(samples)
            for number, (row, result) in enumerate(samples):
                done = (epoch * len(samples) + number) / total
                self._learn(row, result, STEP * (1 - done) + LEAST_STEP)

    def test(self, samples: list[Sample]) -> None:
        """How much it misses the results of plays that it has not learnt from; what was long ago counts little."""
        missed = 0.0
        for row, result in samples:
            expected, _ = self._expected(row)
            missed -= sum(due * log(max(share, 1e-9)) for due, share in zip(result, expected, strict=True))
        self.missed = self.missed / 4 + missed / len(samples)

    def _expected(self, row: list[int]) -> tuple[list[float], list[tuple[int, int]]]:
        """How the result is likely to be shared; and the weights of the pieces."""
        signs, players, first = self.signs, self.signs.players, self.signs.pieces
        cells, shared = self.cells, self.shared
        there = [(cell, self._shared(cell)) for cell in row[:first] if cell >= 0]
        stands = [0.0] * players
        for cell, whole in there:
            stands[cell % players] += cells[cell] + shared[whole]
        for (_, _, player, column), value in zip(signs.number, row[first:], strict=False):
            stands[player] += self.columns[column] * value / self.scale[column]
        turn = row[self.after]
        if 0 <= turn < players:
            stands[turn] += self.tempo[turn]
        for which, weight in enumerate(self.per):
            for player, number in enumerate(self._of_each(row, which)):
                stands[player] += weight * number / self.sizes[which]
        best = max(stands)
        powers = [exp(one - best) for one in stands]
        return [power / sum(powers) for power in powers], there

    def _learn(self, row: list[int], result: list[float], step: float) -> None:
        signs, players, first = self.signs, self.signs.players, self.signs.pieces
        cells, shared = self.cells, self.shared
        expected, there = self._expected(row)
        wrong = [step * (due - share) for due, share in zip(result, expected, strict=True)]
        turn = row[self.after]
        for cell, whole in there:
            change = wrong[cell % players]
            cells[cell] += change * self.own - cells[cell] * step * 0.002
            shared[whole] += change
        for (_, _, player, column), value in zip(signs.number, row[first:], strict=False):
            self.columns[column] += wrong[player] * value / self.scale[column]
        if 0 <= turn < players:
            self.tempo[turn] += wrong[turn]
        for which in range(len(self.per)):
            for player, number in enumerate(self._of_each(row, which)):
                self.per[which] += wrong[player] * number / self.sizes[which]

    def judge(self, cut: int) -> Judge:
        """What was learnt so far, in whole numbers."""

        def whole(weight: float) -> int:
            return max(-CERTAIN, min(CERTAIN, round(weight * UNIT)))

        weights = Weights(
            [whole(x + self.shared[self._shared(cell)]) for cell, x in enumerate(self.cells)],
            [whole(x / scale) for x, scale in zip(self.columns, self.scale, strict=True)],
            [whole(x) for x in self.tempo],
            whole(self.per[0] / self.sizes[0]),
            cut,
            round(self.per[1] / self.sizes[1] * UNIT * WHOLE) if self.signs.says else 0,
        )
        return Judge(self.configured, self.signs, weights)


def practised(made: Library, judge: Judge, tries: int, seconds: float, seed: int) -> Iterator[Sample]:
    """Positions of plays in which everybody takes what the judge likes best of a few options."""
    tree = NativeTree(made, made.program.template, 0, seed, judge)
    rng, begun = random.Random(seed), process_time()
    try:
        while process_time() - begun < seconds:
            yield from of_one_play(tree, judge.signs, tries, rng)
    finally:
        tree.close()


def of_one_play(tree: NativeTree, signs: Signs, tries: int, rng: random.Random) -> list[Sample]:
    """Some positions of a play for practice, and how its result is shared."""
    rows, results = tree.practice(rng.getrandbits(48), tries, 4, LONGEST, signs.width, MOST)
    total = sum(results[: signs.players]) or WHOLE
    shares = [results[i] / total for i in range(signs.players)]
    if max(shares) == min(shares) and rng.random() > DRAWS:
        return []
    return [(row, shares) for row in rng.sample(rows, min(FEW, len(rows)))]


def train(configured: Configured, made: Library, seconds: float, seed: int, tell: Callable[[int, int], None]) -> Pupil:
    """Some rounds of plays, each with what was learnt before. Half of the time goes into plays."""

    def plays(number: int, judge: Judge) -> Iterator[Sample]:
        return practised(made, judge, TRIES[number], seconds / 2 / len(TRIES), seed * 16 + number)

    return studied(configured, plays, seed, tell)


def studied(
    configured: Configured,
    plays: Callable[[int, Judge], Iterable[Sample]],
    seed: int,
    tell: Callable[[int, int], None],
) -> Pupil:
    """What is learnt in some rounds; the plays of each are played with what was learnt before."""
    signs, rng = Signs(configured), random.Random(seed)
    pupils = [Pupil(configured, signs, own) for own in OWN]
    pupil = pupils[0]
    for number in range(len(TRIES)):
        samples = list(islice(plays(number, pupil.judge(0)), SAMPLES))
        for one in pupils if samples else ():
            one.test(samples[:TESTED])
            one.study(samples[:], rng)
        pupil = min(pupils, key=lambda one: one.missed)
        tell(number + 1, len(samples))
    return pupil


# ------------------------------------------------------------------------------------------------ how to decide

GROUPS = 4  # of plays that begin alike, between two looks at the clock
WARM_UP = 16  # groups that only show how far results lie apart
MANNER_STEP, LEAST_MANNER_STEP = 0.08, 0.003  # the first large, the last small
LONGEST_LEARNT = 2_000  # decisions of a play
LOOKED_AT, EVERY = 20, 4  # plays at random, and decisions, that show where kinds of pieces come to lie


def learn_manner(
    configured: Configured,
    made: Library,
    seconds: float,
    seed: int,
    tell: Callable[[int, int], None],
    paired: bool = False,
    start: Manner | None = None,
) -> Manner:
    """How those tend to decide who do well: of plays that begin alike, those that came to more are followed; where all
    win or lose together, or one plays alone, those after which `heuristic:` says more, if the game has one.

    It may `start` with a manner that was learnt before, and then looks at what that one looks at.
    """
    traits = traits_looked_at(configured, made, seed, paired, start)
    tree = tree_of_manners(configured, made, traits, seed)
    weights, spread = (c_double * (MANNERED + PAIRED))(), (c_double * 2)()
    for trait, weight in enumerate(start.weights if start is not None else ()):
        weights[trait] = weight / UNIT
    rng, plays, told = random.Random(seed), 0, 0.0
    try:
        tree.learn(rng.getrandbits(48), WARM_UP, LONGEST_LEARNT, 0, weights, spread)
        begun = process_time()
        while (done := (process_time() - begun) / seconds) < 1:
            tree.learn(rng.getrandbits(48), GROUPS, LONGEST_LEARNT, manner_step(done), weights, spread)
            plays += GROUPS * ALIKE
            if done - told >= 0.25:
                told = done
                tell(round(4 * done), plays)
    finally:
        tree.close()
    return rounded(traits, weights)


def manner_step(done: float) -> float:
    """How far a play leads: the first far, the last a little."""
    return MANNER_STEP * (1 - done) + LEAST_MANNER_STEP


def traits_looked_at(configured: Configured, made: Library, seed: int, paired: bool, start: Manner | None) -> Traits:
    """Those of the manner that is learnt on with, or all; `paired` also with what one has."""
    if start is not None:
        return start.traits
    traits = Traits(configured)
    if paired:
        traits.pair(configured, what_lies(configured, made, seed))
    return traits


def tree_of_manners(configured: Configured, made: Library, traits: Traits, seed: int) -> NativeTree:
    """In which a manner is learnt: nobody has decided yet what is worth anything."""
    signs = Signs(configured)
    judge = Judge(configured, signs, only_said(-1)) if signs.says else None
    return NativeTree(made, made.program.template, 0, seed, judge, Manner(traits, [0] * (MANNERED + PAIRED)))


def rounded(traits: Traits, weights: Iterable[float]) -> Manner:
    """What was learnt, in whole numbers."""
    return Manner(traits, [max(-CERTAIN, min(CERTAIN, round(weight * UNIT))) for weight in weights])


def what_lies(configured: Configured, made: Library, seed: int) -> list[tuple[int, int]]:
    """Of which sorts of pieces it may matter how many lie where: the kinds whose numbers change most in plays at
    random, then their parts by what is printed on them, where a player has them for itself, and on boards. A pair is a
    sort, and a board or place, by their numbers."""
    world, spots, groups = configured.world, configured.machine.program.spots, groups_of(configured)
    kinds = {piece: number for number, kind in enumerate(world.kinds) for piece in bits(kind.mask)}
    unused = {spots.box, *spots.reserve}
    where = {
        first + i: number
        for number, (first, count, _) in enumerate(groups)
        for i in range(count)
        if first + i not in unused
    }
    counts = list[Counter[tuple[int, int]]]()
    session, rng = Session(made), random.Random(seed)
    try:
        for _ in range(LOOKED_AT):
            stop = session.start(rng.getrandbits(48))
            for number in range(LONGEST):
                if stop == TOGETHER:
                    session.state = made.imported(decided_at_once(configured, made.exported(session.state), rng))
                elif stop != CHOICE or not session.take(rng.randrange(len(session.options()))):
                    break
                if number % EVERY == 0:
                    v = made.exported(session.state)
                    counts.append(Counter((kinds[p], where.get(v[spots.at + p], -1)) for p in kinds))
                stop = session.run()
    finally:
        session.close()
    varied = {}
    for which in {which for one in counts for which in one}:
        mean = sum(one[which] for one in counts) / len(counts)
        varied[which] = sum((one[which] - mean) ** 2 for one in counts)
    best = sorted(which for which, much in varied.items() if much > 0 and which[1] >= 0)
    best = sorted(sorted(best, key=lambda which: -varied[which])[:MOST_LAID])
    seen = [which for which in best if which[1] < len(world.boards) or groups[which[1]][2]]
    seen.sort(key=lambda which: not groups[which[1]][2])
    _, sorts = sorts_of(configured)
    parts = [(sort, group) for kind, group in seen for sort in parts_of(kind, kinds, sorts)]
    return best + parts[:MOST_PARTS]


def decided_at_once(configured: Configured, v: list[int], rng: random.Random) -> list[int]:
    """The state after all who decide in secret have taken anything."""
    machine = configured.machine
    with machine.quiet():
        decide_at_once(machine, v, machine.run(v), rng)
    return v


def parts_of(kind: int, kinds: dict[int, int], sorts: list[int]) -> list[int]:
    """The sorts that a kind of pieces has by what is printed on them."""
    each = [sorts[piece * SORTS + 1 : (piece + 1) * SORTS] for piece, own in kinds.items() if own == kind]
    return sorted({sort for one in each for sort in one if sort >= 0})


def ahead_candidates(pupil: Pupil) -> list[Judge]:
    """Judges for looking ahead: by what was learnt, by what the rules say is good, and by pieces and points alone."""
    judges = [pupil.judge(0), plain(pupil.configured)]
    if pupil.signs.says:
        judges.append(Judge(pupil.configured, pupil.signs, only_said(0)))
    judges = [judge for judge in judges if looks_ahead(pupil.configured, judge)]
    for judge in judges:
        judge.weights.taking = how_things_are_taken(pupil.configured, judge)
    return judges


__all__ = [
    "GROUPS",
    "LONGEST_LEARNT",
    "TRIES",
    "WARM_UP",
    "Pupil",
    "Sample",
    "ahead_candidates",
    "learn_manner",
    "manner_step",
    "of_one_play",
    "rounded",
    "studied",
    "train",
    "traits_looked_at",
    "tree_of_manners",
]
