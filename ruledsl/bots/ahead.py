"""Looking ahead where two play against each other, with nothing hidden and no chance: what if both do their best?

`generate/alphabeta.c` does the very same, number for number, and says more about how it works.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ruledsl.engine.machine import Stop
from ruledsl.engine.random import draw
from ruledsl.generate.c_search import against_each_other
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.secrecy import decides_in_secret, hides

from .judge import SAID_APART, SAID_TOGETHER
from .tree import Tree

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured

    from .judge import Judge

State = list[int]
Key = Any
FARTHEST = 96  # decisions ahead
SURE = 128  # what is certain is worth so much more than it comes to
EDGE = 1 << 20  # beyond it a value is certain
STEADY = 1 << 18  # no judgement is more
ENDLESS = 1 << 28
SOLVED = 1000  # so far ahead was looked at a position of which all is known
SAID_SCALE = 16  # what `heuristic:` says, where nothing else is known
EXCHANGE = 6  # decisions in which something is taken, behind the last that is looked at
LATE = 5  # options that are looked at in full; those that seem worse first less far
ENTRIES = 1 << 20  # positions that are remembered
FIRST_TRIED, KILLER, HABITUAL = 1 << 30, 1 << 29, 1 << 24
EXACT, AT_LEAST, AT_MOST = range(3)
NOT_TAKEN, TAKEN_FREELY, TAKEN_BY_FORCE = range(3)
WALKS, FAR, SOME = 3, 60, 6  # plays at random, decisions of each, and options tried at each, to see what is taken


class OutOfTime(Exception):
    """As many positions were looked at as may be."""


class Ahead(NamedTuple):
    """What is known: by option what was looked at behind it and what it is worth, which is best, how far was looked."""

    spent: list[int]
    values: list[int]
    best: int
    depth: int


def looks_ahead(configured: Configured, judge: Judge) -> bool:
    """Whether it is a game for this: two players, nothing hidden, no chance; and not both win or lose together."""
    in_view = not hides(configured) and not decides_in_secret(configured)
    return in_view and against_each_other(configured.machine.program) and judge.said != SAID_TOGETHER


class Level:
    """A decision on the way that is being looked at."""

    __slots__ = ("choice", "rows", "seat", "state")

    def __init__(self, state: State, stop: Stop) -> None:
        assert stop.choice is not None
        self.state, self.seat, self.rows, self.choice = state, stop.seat, stop.options, stop.choice


class Taking:
    """What is taken by options: pieces of the other side become fewer, or points change."""

    def __init__(self, tree: Tree, judge: Judge) -> None:
        self.tree, self.program, self.outcome = tree, tree.program, tree.outcome
        self.owner, self.side = judge.signs.owner, judge.signs.side

    def left(self, v: State, seat: int) -> tuple[int, list[int]]:
        """Pieces on the boards that are not of this seat, and the points of all."""
        spots, found = self.program.spots, 0
        base = self.program.layout.fields[self.side].base if self.side >= 0 else 0
        for piece, owner in enumerate(self.owner):
            if v[spots.at + piece] < spots.first_place:
                whose = v[base + piece] if self.side >= 0 else owner
                found += whose >= 0 and whose != seat
        return found, self.outcome.points(v)

    def taken(self, before: tuple[int, list[int]], after: tuple[int, list[int]]) -> bool:
        """Whether something was taken between the two."""
        return before != after if self.program.scoring else after[0] < before[0]


class AlphaBeta:
    """One search from a state."""

    def __init__(
        self, configured: Configured, state: Sequence[int], seed: int, judge: Judge, captures: int, slack: int = 0
    ) -> None:
        self.tree = Tree(configured, state, 0, seed, judge)
        self.machine, self.judge, self.captures = configured.machine, judge, captures
        self.program, self.taking = self.tree.program, Taking(self.tree, judge)
        root = self.tree.root
        assert root is not None
        assert root.choice is not None
        self.root = Level(root.state, Stop("choice", seat=root.seat, choice=root.choice, options=root.rows))
        self.known: dict[Key, tuple[int, int, int, int]] = {}
        self.habits: dict[Key, int] = {}
        self.killers: list[list[Key]] = [[] for _ in range(FARTHEST + 1)]
        self.seen = self.limit = self.judged = self.best = self.value = 0
        self.depth, self.done = 1, False
        self.values, self.spent = [0] * len(root.rows), [0] * len(root.rows)
        stream = [seed]
        self.liked = [draw(stream, 0, slack) if slack > 1 else 0 for _ in root.rows]  # else all plays would be alike
        self.asked: Callable[[], bool] = lambda: False

    # ------------------------------------------------------------------------------------------ from outside

    def more(self, limit: int, asked: Callable[[], bool]) -> int:
        """Looks farther and farther ahead, until so many positions were looked at, or it is asked to stop."""
        self.limit, self.asked = limit, asked
        with self.machine.quiet():
            try:
                while not self.done:
                    self._one_farther()
            except OutOfTime:
                pass
            except RulesFault:
                self.done = True
        self.seen = min(self.seen, limit)
        return self.seen

    def found(self, count: int) -> Ahead:
        """By option what was looked at behind it and what it is worth; which is best, and how far was looked."""
        return Ahead(self.spent, self.values, self.best, self.depth - 1)

    def line(self, most: int) -> list[int]:
        """The options that follow if both do their best, as far as that is known."""
        options, level = [self.best], self.root
        self.limit, self.asked = self.seen + FARTHEST, lambda: False
        with self.machine.quiet():
            while len(options) < most:
                v = self._next_state(level, options[-1])
                stop = self.machine.run(v)
                if stop.kind != "choice":
                    break
                level = Level(v, stop)
                entry = self.known.get(self._mark(v))
                if entry is None or entry[1] < 0:
                    break
                options.append(entry[1])
        return options

    def close(self) -> None:
        """Compiled searches want to be told when they are no longer needed."""

    # ------------------------------------------------------------------------------------------ what it is worth

    def _steady(self, v: State, seat: int) -> int:
        apart = self.judge.said == SAID_APART
        stands = self.judge.outcome.said_good(v) if apart else self.judge.stands(v)
        ahead = (stands[seat] - stands[1 - seat]) * (SAID_SCALE if apart else 1)
        return min(max(ahead, -STEADY), STEADY)

    def _final_value(self, v: State, seat: int, ply: int) -> int:
        self.tree.come_to(v, True)
        ahead = (self.tree.result[seat] - self.tree.result[1 - seat]) * SURE
        return ahead - ply if ahead > 0 else ahead + ply if ahead < 0 else 0

    def _next_state(self, level: Level, i: int) -> State:
        self.seen += 1
        if self.seen > self.limit or self.asked():
            raise OutOfTime
        v = level.state[:]
        self.machine.options.take(v, level.choice, level.rows[i])
        return v

    def _calm(self, v: State, stop: Stop, ply: int, left: int, low: int, high: int) -> int:
        seat = stop.seat
        stand = self._steady(v, seat)
        self.judged += 1
        if not self.captures or not left or ply >= FARTHEST:
            return stand
        forced = self.captures == TAKEN_BY_FORCE
        best = -ENDLESS if forced else stand
        if best >= high:
            return best
        level, before = Level(v, stop), self.taking.left(v, seat)
        ways: list[tuple[int, State, Stop]] = []
        for i in range(len(level.rows)):
            u = self._next_state(level, i)
            after = self.machine.run(u)
            if after.kind == "over":
                best = max(best, self._final_value(u, seat, ply + 1))
            elif self.taking.taken(before, self.taking.left(u, seat)):
                ways.append((self._steady(u, seat), u, after))
            elif forced:
                return stand
        low = max(low, best)
        for _, u, after in sorted(ways, key=lambda way: -way[0]):
            if best >= high:
                break
            self._counted()
            if after.seat == seat:
                value = self._calm(u, after, ply + 1, left - 1, low, high)
            else:
                value = -self._calm(u, after, ply + 1, left - 1, -high, -low)
            best = max(best, value)
            low = max(low, best)
        return stand if best == -ENDLESS else best

    def _counted(self) -> None:
        """As if the state was made once more: compiled code keeps none."""
        self.seen += 1
        if self.seen > self.limit or self.asked():
            raise OutOfTime

    # ------------------------------------------------------------------------------------------ looking ahead

    def _mark(self, v: State) -> Key:
        return (*v[: C.STREAMS], *v[C.HEADER : self.program.layout.size])

    def _remember(self, mark: Key, ply: int, depth: int, value: int, bound: int, option: int) -> None:
        if mark not in self.known and len(self.known) == ENTRIES:
            return
        if abs(value) > EDGE:
            value += ply if value > 0 else -ply
        self.known[mark] = value, option, depth, bound

    def _behind(self, level: Level, ply: int, i: int, depth: int, low: int, high: int) -> int:
        v = self._next_state(level, i)
        stop = self.machine.run(v)
        same = stop.seat == level.seat
        if stop.kind == "over":
            return self._final_value(v, level.seat, ply + 1)
        if depth <= 0 or ply + 1 >= FARTHEST:
            if same:
                return self._calm(v, stop, ply + 1, EXCHANGE, low, high)
            return -self._calm(v, stop, ply + 1, EXCHANGE, -high, -low)
        if len(stop.options) == 1:
            depth += 1
        ahead = Level(v, stop)
        return self._look(ahead, ply + 1, depth, low, high) if same else -self._look(ahead, ply + 1, depth, -high, -low)

    def _key(self, level: Level, i: int) -> Key:
        return level.state[C.PC], level.seat, level.rows[i]

    def _in_order(self, level: Level, ply: int, depth: int, first: int) -> list[int]:
        scores = []
        for i in range(len(level.rows)):
            key = self._key(level, i)
            score = FIRST_TRIED if i == first else KILLER if key in self.killers[ply] else 0
            score = score or min(self.habits.get(key, 0), HABITUAL)
            if depth >= 2 and i != first:
                v = self._next_state(level, i)
                if self.machine.run(v).kind == "over":
                    score = self._final_value(v, level.seat, ply + 1) * 16
                else:
                    score = self._steady(v, level.seat) * 16 + min(score, 1 << 12)
            scores.append(score)
        return sorted(range(len(scores)), key=lambda i: -scores[i])

    def _note_refuted(self, level: Level, ply: int, depth: int, i: int) -> None:
        key = self._key(level, i)
        if self.killers[ply][:1] != [key]:
            self.killers[ply] = [key, *self.killers[ply][:1]]
        self.habits[key] = self.habits.get(key, 0) + depth * depth

    def _look(self, level: Level, ply: int, depth: int, low: int, high: int) -> int:
        mark = self._mark(level.state)
        before, begun, best, which, first = self.judged, low, -ENDLESS, -1, -1
        if mark in self.known:
            value, first, deep, bound = self.known[mark]
            if abs(value) > EDGE:
                value -= ply if value > 0 else -ply
            fits = bound == EXACT or (value >= high if bound == AT_LEAST else value <= low)
            if deep >= depth and fits:
                self.judged += deep < SOLVED
                return value
        for k, i in enumerate(self._in_order(level, ply, depth, first)):
            if low >= high:
                break
            less, value = int(depth >= 3 and k >= LATE), 0
            if k:
                value = self._behind(level, ply, i, depth - 1 - less, low, low + 1)
            if not k or (value > low and (less or value < high)):
                value = self._behind(level, ply, i, depth - 1, low, high)
            if value > best:
                best, which = value, i
            if best >= high:
                self._note_refuted(level, ply, depth, i)
            low = max(low, best)
        bound = AT_LEAST if best >= high else AT_MOST if best <= begun else EXACT
        self._remember(mark, ply, SOLVED if self.judged == before else depth, best, bound, which)
        return best

    def _one_farther(self) -> None:
        low, judged = -ENDLESS, self.judged
        scores = [ENDLESS if i == self.best else self.spent[i] for i in range(len(self.spent))]
        for k, i in enumerate(sorted(range(len(scores)), key=lambda i: -scores[i])):
            seen, value = self.seen, 0
            beat = low if abs(low) > EDGE else low - self.liked[i]
            try:
                if k:
                    value = self._behind(self.root, 0, i, self.depth - 1, beat, beat + 1)
                if not k or value > beat:
                    value = self._behind(self.root, 0, i, self.depth - 1, beat, ENDLESS)
            finally:
                self.spent[i] += self.seen - seen
            self.values[i] = value
            if not k or value > beat:
                self.best, self.value = i, value
                low = value if abs(value) > EDGE else value + self.liked[i]
        self.done = self.value > EDGE or self.judged == judged or self.depth >= FARTHEST - 2
        self.depth += 1


def how_things_are_taken(configured: Configured, judge: Judge) -> int:
    """What plays at random show: whether options take pieces of the other side, and then always must; nothing, where
    more than half of all options take something."""
    tree = Tree(configured, configured.machine.program.template, 0, 1, judge)
    taking, machine, stream = Taking(tree, judge), configured.machine, [1]
    tried = taken = mixed = 0
    with machine.quiet():
        for _ in range(WALKS):
            v = [*configured.machine.program.template]
            for _ in range(FAR):
                stop = machine.run(v)
                if stop.kind != "choice":
                    break
                assert stop.choice is not None
                rows, before = [*stop.options], taking.left(v, stop.seat)
                some = sorted({draw(stream, 0, len(rows)) for _ in range(SOME)})
                after = []
                for i in some:
                    u = v[:]
                    machine.options.take(u, stop.choice, rows[i])
                    machine.run(u)
                    after.append(taking.taken(before, taking.left(u, stop.seat)))
                tried, taken, mixed = tried + len(after), taken + sum(after), mixed + (0 < sum(after) < len(after))
                machine.options.take(v, stop.choice, rows[draw(stream, 0, len(rows))])
    if not taken or 2 * taken > tried:
        return NOT_TAKEN
    return TAKEN_FREELY if mixed else TAKEN_BY_FORCE


__all__ = ["Ahead", "AlphaBeta", "how_things_are_taken"]
