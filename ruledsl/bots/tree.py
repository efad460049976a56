"""Finding out which option is best by many plays on from here: the tree of decisions that grows with them.

`generate/search.c` and `tree.c` do the very same, number for number, and say more about how it works. All is in whole
numbers, so that the same seed and number of plays find the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from ruledsl.engine import amounts
from ruledsl.engine.batch import BOT_STREAM
from ruledsl.engine.machine import Stop
from ruledsl.engine.options import piece_columns
from ruledsl.engine.random import draw, seeded
from ruledsl.generate.c_search import POINTS_COUNT
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.together import Drafts

from .judge import SAID_TOGETHER, Spread
from .outcome import Outcome

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured

    from .judge import Judge
    from .manner import Manner

State = list[int]
Raw = tuple[int, ...]
Key = Any  # what finds an option or a decision again
WHOLE = 1 << 16  # what a win is worth
SHARP = 16
TABLED = 4096  # numbers of which compiled code has a table
EXPLORE = 46_000  # how much what was tried little is looked into, in parts of WHOLE
WIDE = 8  # options of a decision that are tried before others wait for their turn
LIMIT = 3_000  # decisions of a play at random; one that goes on for longer is a draw
MEMORY = 256 << 20  # bytes that a tree may have
NODES = 200_000  # decisions that a tree of ours may have, which takes about as much
A_POINT = 32  # what a point is worth to whoever plays alone
DEEPEST = 400  # decisions of a play that stand in the tree
TRUST = 20  # so often an option is tried until that counts as much as what came of it later in plays
FRESH = 20_000  # how much an option attracts that was not tried yet, beside one that was once, in parts of WHOLE
LEAST_RANGE = 256  # results differ by so much at least, as far as what is due goes: at first nothing is known of that
OFTEN = 16  # plays through a decision, before what came of options later is told by it
SEVERAL = 32  # and one more for so many options that were met anywhere
MOST_NOTED = 512  # decisions of a play behind the tree of which is noted what was taken
_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
LAST = 255  # the round of amounts that come last
LOOKED_INTO = 10  # plays with an option, before it is told as the best
PICKS = BOT_STREAM + 1
BROKEN = (RulesFault, LookupError, AssertionError)  # a guess may be a position that the rules do not know


class Found(NamedTuple):
    """What is known of an option: how often it was tried, what it is worth, and whether that is certain."""

    visits: int
    worth: int
    sure: bool


class Edge:
    """An option of a decision."""

    __slots__ = ("child", "key", "mean", "offered", "option", "others", "sure", "varies", "visits", "worth")

    def __init__(self, option: int, key: Key) -> None:
        self.option, self.key = option, key
        self.worth = self.mean = self.visits = self.offered = 0
        self.varies = False
        self.sure: tuple[int, ...] | None = None
        self.child: Node | None = None
        self.others: dict[Key, Node] = {}


class Later:
    """What came of plays through a decision in which an option was taken there or later."""

    __slots__ = ("mean", "visits", "worth")

    def __init__(self) -> None:
        self.visits = self.mean = self.worth = 0


class Laters:
    """The same of all options that were."""

    __slots__ = ("of", "plays", "sum")

    def __init__(self, players: int) -> None:
        self.plays = 0
        self.sum = [0] * players
        self.of: dict[Key, Later] = {}

    def note(self, taken: Sequence[Key], result: Sequence[int]) -> None:
        """Each option that was taken counts once. What came of few plays counts as if there were two more like all."""
        self.plays += 1
        self.sum = [had + got for had, got in zip(self.sum, result, strict=True)]
        for key in dict.fromkeys(taken):
            one = self.of.get(key)
            if one is None:
                one = self.of[key] = Later()
            one.visits += 1
            one.worth += result[key[1]]
            one.mean = mean_of(one.worth + 2 * (self.sum[key[1]] // self.plays), one.visits + 2)


class Node:
    """A decision."""

    __slots__ = (
        "by_key",
        "choice",
        "edges",
        "keys",
        "later",
        "order",
        "rounds",
        "rows",
        "seat",
        "shares",
        "state",
        "sure",
        "visits",
        "worth",
    )

    def __init__(self, seat: int = -1) -> None:
        self.seat = seat
        self.visits = self.worth = 0
        self.edges: list[Edge] = []
        self.by_key: dict[Key, Edge] = {}
        self.sure: tuple[int, ...] | None = None
        self.rows: tuple[Raw, ...] = ()
        self.keys: list[Key] = []
        self.order: list[int] = []
        self.rounds: list[int] | None = None  # by option, in which round it is tried, where there are several
        self.later: Laters | None = None  # once it was met some times
        self.shares: list[int] | None = None  # by option, what it is due in the manner that was learnt
        self.state: State = []
        self.choice: C.Choice | None = None


def mean_of(worth: int, n: int) -> int:
    """As compiled code divides: by a table, while there are few."""
    return worth * ((1 << 32) // n) >> 32 if n < TABLED else worth // n


class BrokenOff(Exception):
    """A play at random took as many decisions as it may."""


def logarithm(n: int) -> int:
    """The natural logarithm in parts of WHOLE: a straight line between powers of two."""
    whole = n.bit_length() - 1
    return (((whole << SHARP) + ((n << SHARP) >> whole) - WHOLE) * 45426) >> SHARP


def root_of(n: int) -> int:
    """The root of the logarithm."""
    return isqrt(logarithm(n) << SHARP)


def slope_of(n: int) -> int:
    """WHOLE divided by the root."""
    return isqrt((1 << 2 * SHARP) // n)


class Tree:
    """One search on the machine of a game, from a state; or, with no state, from guesses."""

    def __init__(
        self,
        configured: Configured,
        state: Sequence[int] | None,
        seat: int,
        seed: int,
        judge: Judge | None = None,
        manner: Manner | None = None,
    ) -> None:
        self.manner = manner
        self.configured, self.machine = configured, configured.machine
        self.program: C.Program = self.machine.program
        self.outcome, self.judge, self.limit = Outcome(configured), judge, LIMIT
        self.players = self.program.roots["player"].size
        self.usual = Spread()
        self.me, self.seed, self.plays, self.guessed = seat, seed, 0, state is None
        self.chances = any(isinstance(block.end, C.Chance) for block in self.program.blocks)
        self.habits: dict[Key, list[int]] = {}
        self.low, self.high, self.seen = 0, 0, False
        self.nodes = 0
        self.path: list[tuple[Node, Edge]] = []
        self.noted: list[Key] = []  # what was taken behind the tree
        self.names: set[Key] = set()  # of options that were met
        self.later = Laters(self.players)  # of the lowest decision on the way down that was met often enough
        self.result: tuple[int, ...] = ()
        self.bot, self.picks = [0], [0]
        self.decisions = self.taken_now = 0
        self.opened = self.others_opened = self.at_question = False
        self.secret_seat = -1
        self.told: list[tuple[int, int, Raw, dict[int, int]]] = []  # what was taken, for others when play stands again
        self.met: list[Key] = []  # what each player has seen
        self.root: Node | None = None
        if state is not None:
            with self.machine.quiet():
                v = [*state]
                stop = self.machine.run(v)
                if stop.kind == "choice":
                    self.root = self._plant(v, stop)
                    if judge is not None:
                        judge.begin(v, self.usual)
        self.met_nodes: dict[Key, Node] = {}
        self.asked: list[Raw] = []
        self.number_of: dict[Raw, int] = {}  # by option, its number in the question
        self.taken: list[Raw] = []
        self.start: State = []

    # ------------------------------------------------------------------------------------------ from outside

    def guess(self, state: Sequence[int], asked: Sequence[Raw], taken: Sequence[Raw]) -> None:
        """The plays that follow begin from this state, in which the options of the question are written like this."""
        self.start, self.asked, self.taken = [*state], [*asked], [*taken]
        self.number_of = {}
        for number, raw in enumerate(asked):
            self.number_of.setdefault(raw, number)
        if self.judge is not None:
            self.judge.begin(self.start, self.usual)

    def more(self, plays: int) -> None:
        """So many more plays; fewer if it is certain before what is best."""
        goal = self.plays + plays
        with self.machine.quiet():
            while self.plays < goal and (self.guessed or (self.root is not None and self.root.sure is None)):
                self.noted = []
                try:
                    sure = self._guessed_play() if self.guessed else self._play()
                    if not self.guessed:
                        self._note_taken()
                except BROKEN:
                    self.result, sure = (0,) * self.players, None
                self._back_up(sure)
                self.plays += 1

    @property
    def certain(self) -> bool:
        return self.root is not None and self.root.sure is not None

    def found(self, count: int) -> list[Found]:
        """What was found out about each option."""
        found = [Found(0, 0, False)] * count
        if self.root is not None:
            for e in self.root.edges:
                if e.visits:
                    worth = e.sure[self.root.seat] if e.sure is not None else e.mean
                    found[e.option] = Found(e.visits, worth, e.sure is not None)
        return found

    def line(self, most: int) -> list[int]:
        """The options that are taken from here on if all do what is best, as far as that was looked into."""
        node, found = self.root, list[int]()
        while node is not None and node.state and len(found) < most:
            best: Edge | None = None
            for e in node.edges:
                if best is None or _better(e, best, node.seat):
                    best = e
            if best is None or best.visits < LOOKED_INTO:
                break
            found.append(best.option)
            node = None if best.varies else best.child
        return found

    def close(self) -> None:
        """Compiled trees want to be told when they are no longer needed."""

    # ------------------------------------------------------------------------------------------ results

    def come_to(self, v: State, over: bool) -> None:
        """What a play comes to for each player, from 0 to WHOLE."""
        if not over:
            self.result = (WHOLE // self.players,) * self.players
            return
        points = self.outcome.points(v)
        won, scored = self.outcome.winners(v, points), v[C.ENDED] == C.SCORED
        together = won.bit_count()
        result = [WHOLE // self.players] * self.players
        if together or v[C.ENDED] == C.WON:
            lost = 0 if together else WHOLE // 8 * v[C.TURN_NUMBER] // (v[C.TURN_NUMBER] + 16)
            result = [WHOLE // together if won >> seat & 1 else lost for seat in range(self.players)]
        if self.program.scoring and self.players == 1 and self.judge is not None and self.judge.said == SAID_TOGETHER:
            result = [*self.judge.judge(v, self.usual)]  # by the same measure as what was broken off
        elif self.program.scoring and self.players == 1:
            total = -points[0] if self.program.lowest else points[0]
            result = [max(0, min(WHOLE, WHOLE // 2 + total * A_POINT))]
        elif self.program.scoring and scored:
            result = [
                (worth * (8 - POINTS_COUNT) + (WHOLE + self._lead(points, seat)) // 2 * POINTS_COUNT) // 8
                for seat, worth in enumerate(result)
            ]
        self.result = tuple(result)

    def _lead(self, points: list[int], seat: int) -> int:
        signed = [-total for total in points] if self.program.lowest else points
        own, best = signed[seat], max((total for at, total in enumerate(signed) if at != seat), default=0)
        lead = (own - best) * WHOLE
        return abs(lead) // (abs(own) + abs(best) + 8) * (1 if lead >= 0 else -1)

    def roll_out(self, v: State, stop: Stop | None = None) -> tuple[bool, int]:
        """Any options to the end of a play: whether it came to one, and after how many decisions."""
        self.decisions = 0
        self.limit = self.judge.cut if self.judge is not None else LIMIT
        machine = self.machine
        try:
            while True:
                stop = machine.run(v)
                if stop.kind == "choice":
                    assert stop.choice is not None
                    raw = stop.options[self._behind(v, stop)]
                    if len(self.noted) < MOST_NOTED:
                        self.noted.append(self._key(v[C.PC], stop.seat, raw))
                    machine.options.take(v, stop.choice, raw)
                elif stop.kind == "together":
                    self._together(v, stop, lambda drafts, seat: self._behind(drafts.states[seat], drafts.stops[seat]))
                else:
                    self.come_to(v, stop.kind == "over")
                    return stop.kind == "over", self.decisions
        except BrokenOff:
            if self.judge is not None:
                self.result = self.judge.judge(v, self.usual)
            else:
                self.come_to(v, False)
            return False, self.decisions
        finally:
            self.limit = LIMIT

    def _behind(self, v: State, stop: Stop) -> int:
        """What is taken behind the tree: in the manner that was learnt, or anything."""
        if self.manner is None:
            return self._any(len(stop.options))
        self._any(1)
        return self.manner.take(v, stop.seat, stop.options, self.bot)

    def _any(self, count: int) -> int:
        if self.decisions >= self.limit:
            raise BrokenOff
        self.decisions += 1
        return draw(self.bot, 0, count) if count > 1 else 0

    def _together(self, v: State, stop: Stop, decide: Any) -> None:
        assert stop.together is not None
        drafts = Drafts(self.machine, v, stop.together)
        for seat in drafts.seats:
            while drafts.stops[seat].kind == "choice":
                drafts.choose(seat, drafts.stops[seat].options[decide(drafts, seat)])
        drafts.finish(lambda stop, option: None)

    # ------------------------------------------------------------------------------------------ the tree

    def _key(self, at: int, seat: int, raw: Raw) -> Key:
        return at, seat, raw

    def _plant(self, v: State, stop: Stop) -> Node:
        node = Node(stop.seat)
        self.nodes += 1
        node.rows, node.choice, node.state = stop.options, stop.choice, v[:]
        node.keys = [self._key(v[C.PC], stop.seat, raw) for raw in stop.options]
        self.names.update(node.keys)
        node.shares = self._shares(v, stop)
        stream = [seeded(self.seed, self.plays) ^ _GOLDEN]
        for i in range(len(stop.options)):
            k = draw(stream, 0, i + 1) if i else 0
            node.order.append(i)
            node.order[i], node.order[k] = node.order[k], i
        assert stop.choice is not None
        rounds = node.rounds = amounts.rounds(stop.choice, stop.options)
        if rounds is not None:
            node.order.sort(key=rounds.__getitem__)
        return node

    def _shares(self, v: State, stop: Stop) -> list[int] | None:
        return self.manner.shares(v, stop.seat, stop.options) if self.manner is not None else None

    def _expected(self, key: Key, mean: int) -> int:
        worth, visits = self.habits.get(key, (0, 0))
        return (worth + 2 * mean) // (visits + 2)

    def _hoped_for(self, key: Key, mean: int) -> int:
        """What is to be expected of an option that was not tried yet: what came of it later in other plays."""
        later = self.later.of.get(key)
        return later.mean if later is not None else mean

    def _reckoned(self, e: Edge, spread: int) -> int:
        """How much an option attracts: what came of it here, and, while that was little, what came of it later; the
        less that counts, the more it counts that it was tried little."""
        later = self.later.of.get(e.key)
        trust, more = WHOLE * TRUST // (TRUST + e.visits), spread * slope_of(e.visits) >> SHARP
        other = later.mean - e.mean if later is not None else 0
        return e.mean + ((other * trust + more * (WHOLE - 3 * trust // 4)) >> SHARP)

    @property
    def _range(self) -> int:
        return max(self.high - self.low, 1)

    def _due(self, share: int, root: int, visits: int) -> int:
        """What is added for what is due attention, and had little."""
        return max(self.high - self.low, LEAST_RANGE) * share // (1 + visits) * root >> SHARP

    def _width(self, node: Node) -> int:
        return WIDE + 2 * isqrt(node.visits)

    def _fresh_at(self, node: Node, mean: int, root: int) -> tuple[int, int]:
        """Of what was not tried yet, and whose turn it is, what attracts most: its place in the order, and how much."""
        most, at, rounds = -1, len(node.edges), node.rounds
        for i in range(at, len(node.order)):
            one = node.order[i]
            if rounds is not None and rounds[one] > rounds[node.order[len(node.edges)]]:
                break
            worth = self._hoped_for(node.keys[one], mean)
            if node.shares is not None:
                worth += self._due(node.shares[one], root, 0)
            if worth > most:
                most, at = worth, i
        return at, most

    def _open_edge(self, node: Node, at: int) -> Edge:
        one, tried = node.order[at], len(node.edges)
        node.order[at], node.order[tried] = node.order[tried], one
        node.edges.append(Edge(one, node.keys[one]))
        return node.edges[-1]

    def _attractive(self, node: Node) -> Edge:
        spread, root = EXPLORE * root_of(node.visits + 1) >> SHARP, isqrt(node.visits + 1)
        spread = spread * self._range >> SHARP
        shares, best, found = node.shares, -1, None
        for e in node.edges:
            if e.sure is not None:
                score = e.sure[node.seat]
            elif shares is not None:
                score = e.mean + self._due(shares[e.option], root, e.visits)
            else:
                score = self._reckoned(e, spread)
            if score > best:
                best, found = score, e
        wide = shares is not None or len(node.edges) < self._width(node)
        if len(node.edges) < len(node.order) and (found is None or wide):
            mean = node.worth // node.visits if node.visits else WHOLE // self.players
            at, worth = self._fresh_at(node, mean, root)
            if shares is None:
                worth += spread * FRESH >> SHARP
            if worth >= best:
                return self._open_edge(node, at)
        assert found is not None
        return found

    def _certain(self, node: Node) -> tuple[int, ...] | None:
        best, still_open = None, len(node.edges) < len(node.order)
        for e in node.edges:
            if e.sure is None:
                still_open = True
            elif best is None or e.sure[node.seat] > best[node.seat]:
                best = e.sure
        return best if best is not None and (not still_open or best[node.seat] == WHOLE) else None

    @property
    def _often(self) -> int:
        """So many plays must have gone through a decision before it is told there what came of options later."""
        return OFTEN + len(self.names) // SEVERAL

    def _note_taken(self) -> None:
        """Notes what was taken in a play, in the tree and behind it, with every decision that was met often."""
        taken = [*(e.key for _, e in self.path), *self.noted]
        self.names.update(taken)
        for i, (node, _) in enumerate(self.path):
            if node.later is None:
                if i and node.visits < self._often:
                    continue
                node.later = Laters(self.players)
            node.later.note(taken[i:], self.result)

    def _back_up(self, sure: tuple[int, ...] | None) -> None:
        least, most = min(self.result), max(self.result)
        self.low, self.high = (min(self.low, least), max(self.high, most)) if self.seen else (least, most)
        self.seen = True
        for node, e in reversed(self.path):
            got = self.result[node.seat]
            node.visits += 1
            node.worth += got
            e.visits += 1
            e.worth += got
            e.mean = e.worth // e.visits
            if self.guessed:
                habit = self.habits.setdefault(e.key, [0, 0])
                habit[0] += got
                habit[1] += 1
            if sure is not None and not e.varies:
                e.sure = sure
                sure = node.sure = self._certain(node)
            else:
                sure = None

    # ------------------------------------------------------------------------------------ where nothing is hidden

    def _step_down(self, node: Node, e: Edge) -> State:
        v = node.state[:]
        if self.chances:
            self._streams_apart(v, seeded(self.seed, self.plays) ^ len(self.path))
        assert node.choice is not None
        self.machine.options.take(v, node.choice, node.rows[e.option])
        return v

    def _streams_apart(self, v: State, seed: int) -> None:
        for i in range(1, len(C.STREAM_NAMES)):
            v[C.STREAMS + i] = seeded(seed, i)

    def _chance_of(self, v: State) -> list[int]:
        return v[C.STREAMS + 1 : C.HEADER]

    def _play(self) -> tuple[int, ...] | None:
        node = self.root
        assert node is not None
        self.bot = [seeded(seeded(self.seed, self.plays), BOT_STREAM)]
        self.path, sure = [], None
        while node.sure is None:
            if node.later is not None and (node is self.root or node.later.plays >= self._often):
                self.later = node.later
            e = self._attractive(node)
            self.path.append((node, e))
            if e.sure is not None:
                sure = e.sure
                break
            full = self.nodes >= NODES
            if not e.visits or len(self.path) == DEEPEST or (full and (e.child is None or e.varies)):
                v = self._step_down(node, e)
                before = self._chance_of(v)
                over, decisions = self.roll_out(v)
                return self.result if over and not decisions and self._chance_of(v) == before else None
            if e.child is not None and not e.varies:
                node = e.child
                continue
            v = self._step_down(node, e)
            before = self._chance_of(v)
            stop = self.machine.run(v)
            e.varies = e.varies or self._chance_of(v) != before
            if stop.kind != "choice":
                self.come_to(v, stop.kind == "over")
                return None
            node = self._child(e, v, stop)
        sure = sure or node.sure
        assert sure is not None
        self.result = sure
        return sure

    def _child(self, e: Edge, v: State, stop: Stop) -> Node:
        mark = (*v[: C.STREAMS], *v[C.HEADER : self.program.layout.size]) if e.varies else ()
        if mark not in e.others:
            e.child = e.others[mark] = self._plant(v, stop)
        return e.others[mark]

    # ------------------------------------------------------------------------------------ where something is hidden

    def _node_met(self, mark: Key) -> Node | None:
        node = self.met_nodes.get(mark)
        if node is None and self.nodes < NODES:
            node = self.met_nodes[mark] = Node()
            self.nodes += 1
        return node

    def _attraction(self, e: Edge, share: int | None) -> int:
        """How much an edge attracts among those that are offered this time."""
        e.offered += 1
        if share is not None:
            return e.mean + self._due(share, isqrt(e.offered + 1), e.visits)
        spread = (EXPLORE * root_of(e.offered) >> SHARP) * self._range >> SHARP
        return e.mean + (spread * slope_of(e.visits) >> SHARP)

    def _attraction_of_new(self, node: Node, key: Key, share: int | None) -> int:
        """The same of an option that was not tried at a node yet."""
        expected = self._expected(key, node.worth // node.visits if node.visits else WHOLE // self.players)
        if share is not None:
            return expected + self._due(share, isqrt(node.visits + 1), 0)
        return expected + ((EXPLORE * root_of(node.visits + 1) >> SHARP) * self._range >> SHARP)

    def _picked_at(self, v: State, node: Node, stop: Stop, question: bool) -> int:
        """What to take of the options at a node; the edge goes to the path."""
        count, best, which, key = len(stop.options), -1, -1, None
        first = draw(self.picks, 0, count) if count > 1 else 0
        new_best, new_which, new_key = -1, -1, None
        node.seat, shares = stop.seat, self._shares(v, stop)
        assert stop.choice is not None
        rounds, new_round = amounts.rounds(stop.choice, stop.options), LAST
        for k in range(count):
            i = (first + k) % count
            own = self._asked_for(stop.options[i]) if question else self._key(v[C.PC], stop.seat, stop.options[i])
            if own == -1:
                continue
            e, share = node.by_key.get(own), shares[i] if shares is not None else None
            if e is not None:
                score = self._attraction(e, share)
                if score > best:
                    best, which, key = score, i, own
            elif rounds is None or rounds[i] <= new_round:
                score = self._attraction_of_new(node, own, share)
                if rounds is not None and rounds[i] < new_round:
                    new_round, new_best = rounds[i], -1
                if score > new_best:
                    new_best, new_which, new_key = score, i, own
        wide = shares is not None or len(node.edges) < self._width(node)
        if new_which >= 0 and (which < 0 or (new_best > best and wide)):
            which, key = new_which, new_key
        if which < 0:
            return -1
        e = node.by_key.get(key)
        if e is None:
            e = node.by_key[key] = Edge(self._asked_for(stop.options[which]) if question else -1, key)
            e.offered = 1
            node.edges.append(e)
            self.opened = True
        if question:
            self.root = node
        self.path.append((node, e))
        return which

    def _asked_for(self, raw: Raw) -> int:
        return self.number_of.get(raw, -1)

    def _to_be_told(self, v: State, choice: C.Choice, seat: int, raw: Raw) -> None:
        self.met[seat] = hash((self.met[seat], self._key(v[C.PC], seat, raw)))
        spots = {}
        for i in self._piece_columns(v, choice, raw):
            if raw[i] >= 0:
                spots[i] = v[self.program.spots.at + raw[i]]
        self.told.append((seat, v[C.PC], raw, spots))

    def _piece_columns(self, v: State, choice: C.Choice, raw: Raw) -> list[int]:
        return piece_columns(v, choice, raw) if self.program.spots.known >= 0 else []

    def _tell_others(self, v: State) -> None:
        for seat, at, raw, spots in self.told:
            for player in range(self.players):
                if player == seat:
                    continue
                row = [*raw]
                for i, spot in spots.items():
                    known = self.machine.pieces.knowers(v, raw[i]) >> player & 1
                    row[i] = self.program.rows[raw[i]] if known else -2 - spot
                self.met[player] = hash((self.met[player], at, seat, *row))
        self.told = []

    def _chosen_in_secret(self, drafts: Drafts, seat: int) -> int:
        stop, v, which, question = drafts.stops[seat], drafts.states[seat], -1, False
        assert stop.choice is not None
        if seat != self.secret_seat:  # each goes down a tree of its own
            self.secret_seat = seat
            self.others_opened = self.others_opened or self.opened
            self.opened = False
        if seat == self.me and self.at_question:
            if self.taken_now < len(self.taken):
                which = stop.options.index(self.taken[self.taken_now])
                self.taken_now += 1
            else:
                question, self.at_question = True, False
        if which < 0 and not self.opened and len(self.path) < DEEPEST:
            node = self._node_met(1 if question else (self.met[seat], v[C.PC], seat))
            if node is not None:
                which = self._picked_at(v, node, stop, question)
        if which < 0:
            which = self._behind(v, stop)
        self._to_be_told(v, stop.choice, seat, stop.options[which])
        return which

    def _behind_the_tree(self) -> bool:
        """Whether an option was taken that stood not in the tree yet."""
        return self.opened

    def _guessed_play(self) -> tuple[int, ...] | None:
        machine, seed = self.machine, seeded(self.seed, self.plays)
        self.bot, self.picks = [seeded(seed, BOT_STREAM)], [seeded(seed, PICKS)]
        self.decisions = self.taken_now = 0
        self.path, self.told, self.opened, self.at_question = [], [], False, True
        self.met = [0] * self.players
        v = self.start[:]
        self._streams_apart(v, seed)
        stop = machine.run(v)
        while len(self.path) < DEEPEST:
            if stop.kind == "together":
                self.secret_seat, self.others_opened = -1, False
                self._together(v, stop, self._chosen_in_secret)
                self.opened = self.opened or self.others_opened
            elif stop.kind == "choice":
                question, at = self.at_question, v[C.PC]
                self.at_question = False
                node = self._node_met(1 if question else (self.met[stop.seat], at, stop.seat))
                which = self._picked_at(v, node, stop, question) if node is not None else -1
                if which < 0:
                    break
                assert stop.choice is not None
                self._to_be_told(v, stop.choice, stop.seat, stop.options[which])
                machine.options.take(v, stop.choice, stop.options[which])
            else:
                break
            if self._behind_the_tree():
                break
            stop = machine.run(v)
            self._tell_others(v)
        if stop.kind in ("over", "drafted"):
            self.come_to(v, stop.kind == "over")
        else:
            self.roll_out(v)
        return None


def _better(one: Edge, other: Edge, seat: int) -> bool:
    """Whether an option is better than another, by what is certain, and else by how often it was tried."""
    if one.sure is None and other.sure is None:
        return one.visits > other.visits
    a, b = (e.sure[seat] if e.sure is not None else e.mean for e in (one, other))
    return a > b


__all__ = ["EXPLORE", "LIMIT", "MEMORY", "WHOLE", "WIDE", "Found", "Raw", "Tree"]
