"""How often to take each option, where whoever always does the same is found out: bluffs, and decisions at once.

Whole plays are gone through, in which each option is taken as often as it is regretted (counterfactual regret
minimization with external sampling). `generate/mixed.c` does the same, number for number, and says more about how.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ruledsl.engine.batch import BOT_STREAM
from ruledsl.engine.machine import Stop
from ruledsl.engine.random import draw, seeded
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.runtime.secrecy import decides_in_secret, hides
from ruledsl.runtime.together import Drafts
from ruledsl.runtime.view import item_key
from ruledsl.types import Elem, ListOf, SetOf

from .native_tree import NativeTree
from .outcome import Outcome, shared
from .tree import BROKEN, NODES, PICKS, WHOLE, Found, Tree

if TYPE_CHECKING:
    from ruledsl.analysis.names import ValueInfo
    from ruledsl.generate.native import Library
    from ruledsl.runtime.game import Configured

    from .judge import Judge
    from .manner import Manner

State = list[int]
DEEPEST, WIDEST, ROOM, SECRET = 48, 64, 256, 8  # as in `mixed.c`
OWN = BOT_STREAM + 3
TRIED = 40  # plays at random that show how long plays are, and how far one gets ahead
SHORT = 12  # decisions of a whole play that is gone through from its start
AT_ONCE = 40  # of one that is gone through from where it stands
MOST = 1 << 60  # of what is noted of an option, so that sums stay 64-bit numbers
ENOUGH = 10  # looks into all options of the question; with fewer nothing is known of it
SEEN = ("all", "none", "owner", "others")  # who sees a value, in words that need no rule
SHOWN = ("turn_player", "turn_number", "round", "phase", "free action", "next turn")


@dataclass(frozen=True)
class Mixing:
    """That a game is one in which options are mixed, and how: from its start where something is hidden, for what others
    hold shows in all that was done before; else from where it stands. `stakes` is twice as far as anybody was ahead in
    points, in plays at random, times the players, where points are stakes; else 0."""

    anew: bool
    stakes: int
    seen: tuple[tuple[tuple[int, bool], ...], ...]  # by seat: the slots that it sees, and whether they name a piece
    noted: tuple[tuple[int, int], ...]  # what is noted of each piece: the first slot, and how many slots of each

    def native(self, made: Library, anew: bool) -> list[array[int]]:
        """The same for compiled code: a head, and what it points to."""
        words, ends, spots = [0], [0], made.program.spots
        for count, _ in made.slots:
            words.append(words[-1] + count)
        items: list[int] = []
        for seat in self.seen:
            for slot, piece in seat:
                for word in range(words[slot], words[slot + 1]):
                    items += [word, piece]
            ends.append(len(items) // 2)
        pieces = [x for slot, width in self.noted for x in (words[slot], words[slot + width] - words[slot])]
        tables = [array("i", [*table, 0]) for table in (ends, items, pieces)]
        at = words[spots.at] if spots.at >= 0 else 0
        numbers = [at, len(self.noted), words[-1], self.stakes, int(anew), MOST]
        return [array("q", [*(table.buffer_info()[0] for table in tables), *numbers]), *tables]


_MIXINGS: WeakKeyDictionary[Configured, Mixing | None] = WeakKeyDictionary()


def mixing(configured: Configured) -> Mixing | None:
    """How options are mixed in a game, if they are: where two hide something from each other in short plays, or where
    some decide at once and nothing else is hidden. In longer plays what was done before cannot be gone through."""
    if configured not in _MIXINGS:
        _MIXINGS[configured] = _found(configured)
    return _MIXINGS[configured]


def _found(configured: Configured) -> Mixing | None:
    hiding, players = hides(configured), len(configured.players)
    if not (hiding or decides_in_secret(configured)) or players < 2 or (hiding and players > 2) or shared(configured):
        return None
    seen, noted = _seen(configured), _noted(configured)
    if seen is None or noted is None:
        return None
    stakes = _stakes(configured, SHORT if hiding else AT_ONCE)
    return Mixing(hiding, stakes, seen, noted) if stakes is not None else None


class Trial(Tree):
    """Plays at random, and how long the longest menu was."""

    widest = 0

    def _any(self, count: int) -> int:
        self.widest = max(self.widest, count)
        return super()._any(count)


def _stakes(configured: Configured, most: int) -> int | None:
    """Twice as far as one was ahead in plays at random, where points are stakes: others may get farther; else 0; and
    None if plays or menus are too long."""
    tree, outcome, players = Trial(configured, None, 0, 0), Outcome(configured), len(configured.players)
    decisions, widest = 0, 0
    with tree.machine.quiet():
        for number in range(TRIED):
            v = tree.machine.start(number)
            tree.bot = [seeded(number, BOT_STREAM)]
            try:
                over, taken = tree.roll_out(v)
            except BROKEN:
                return None
            decisions += taken
            if decisions > most * TRIED or tree.widest > WIDEST or not over:
                return None
            points = outcome.points(v) if configured.machine.program.stakes else [0]
            widest = max(widest, *(abs(players * one - sum(points)) for one in points))
    return 2 * widest


def _names_a_piece(configured: Configured, kind: Any) -> bool:
    return isinstance(kind, Elem) and kind.root is configured.world.pieces


def _names_pieces(configured: Configured, kind: Any) -> bool:
    return isinstance(kind, SetOf | ListOf) and _names_a_piece(configured, kind.of)


def _seen(configured: Configured) -> tuple[tuple[tuple[int, bool], ...], ...] | None:
    """By seat the slots that it sees; None where that cannot be told from the declaration."""
    layout, world, found = configured.machine.program.layout, configured.world, []
    held = [one for pool in world.pools for one in pool.secrets]
    apart = {one.base for one in held}
    for value in (*world.values, *held):
        told = value.seen is None or getattr(value.seen, "value", "") in SEEN
        if not told or (_names_pieces(configured, value.type) and hides(configured)):
            return None
    for seat in range(len(configured.players)):
        slots = [
            (slot, False)
            for field in layout.fields
            if (field.kind == "pool" and field.base not in apart) or (field.kind == "header" and field.name in SHOWN)
            for slot in range(field.base, field.base + field.count * field.width)
        ]
        for value in (*world.values, *held):
            slots += _items(configured, value, seat)
        found.append(tuple(slots))
    return tuple(found)


def _items(configured: Configured, value: ValueInfo, seat: int) -> list[tuple[int, bool]]:
    viewer, found = configured.viewer, []
    for i in range(value.count):
        owner = item_key(value, i)[1][0] if value.keys else None
        if viewer.sees_value([], value, seat, owner):
            first = value.base + i * value.width
            piece = _names_a_piece(configured, value.type)
            found += [(slot, piece) for slot in range(first, first + value.width)]
    return found


def _noted(configured: Configured) -> tuple[tuple[int, int], ...] | None:
    """What the rules note of each piece; None where that names other pieces, which may be hidden."""
    found = []
    for field in configured.machine.program.layout.fields:
        if field.kind == "state" and field.owner is configured.world.pieces:
            if hides(configured) and (_names_a_piece(configured, field.type) or _names_pieces(configured, field.type)):
                return None
            found.append((field.base, field.width))
    return tuple(found)


class Mixed:
    """A decision: by option what is regretted, how often it was taken, and what came of it."""

    __slots__ = ("looks", "regret", "taken", "worth")

    def __init__(self, count: int) -> None:
        self.regret, self.taken, self.worth, self.looks = [0] * count, [0] * count, [0] * count, 0

    def often(self) -> list[int]:
        """How often each option is taken now."""
        total, count = sum(self.regret), len(self.regret)
        return [one * WHOLE // total if total else WHOLE // count for one in self.regret]

    def take(self, stream: list[int], rounds: int) -> int:
        parts = self.often()
        left, which = draw(stream, 0, sum(parts)), 0
        for i, part in enumerate(parts if rounds else ()):
            self.taken[i] += part * rounds
        if max(self.taken) > MOST:
            self.taken = [one // 2 for one in self.taken]
        while left >= parts[which]:
            left -= parts[which]
            which += 1
        return which

    def note(self, worth: Sequence[int]) -> int:
        """What whoever looked into all options takes of them, as often as now: its worth."""
        parts = self.often()
        mean = sum(part * one for part, one in zip(parts, worth, strict=True)) // sum(parts)
        self.looks += 1
        for i, one in enumerate(worth):
            self.regret[i] = max(self.regret[i] + one - mean, 0)
            self.worth[i] += one
        return mean


def told(taken: Sequence[int], worth: Sequence[int], plays: int) -> list[Found]:
    """What is told of options that are taken so often: a part of all plays for each."""
    total = max(sum(taken), 1)
    return [Found(max(1, one * plays // total), mean, False) for one, mean in zip(taken, worth, strict=True)]


class NativeMix(NativeTree):
    """The mix of a compiled game."""

    def __init__(
        self, made: Library, sight: Mixing, seat: int, seed: int, judge: Judge | None, manner: Manner | None
    ) -> None:
        super().__init__(made, None, seed=seed, seat=seat, judge=judge, manner=manner)
        self._sight = sight.native(made, sight.anew)
        self.code.tree_mix(self.handle, ctypes.c_void_p(self._sight[0].buffer_info()[0]))
        for name in ("tree_mix_more", "tree_mixed"):
            getattr(self.code, name).restype = ctypes.c_int64

    def more(self, plays: int) -> None:
        """So many more plays: of one all ways are gone through that a player may go in it."""
        self.plays = int(self.code.tree_mix_more(self.handle, ctypes.c_int64(plays)))

    def found(self, count: int, enough: int = ENOUGH) -> list[Found]:
        """How often each option is to be taken, and its worth; nothing where too few plays came to the question."""
        taken, worth = ((ctypes.c_int64 * max(count, WIDEST))() for _ in range(2))
        looks = int(self.code.tree_mixed(self.handle, taken, worth))
        return told(taken[:count], worth[:count], self.plays) if looks >= enough else []


class Mix(Tree):
    """The mix of a game on the machine in Python."""

    def __init__(
        self, configured: Configured, sight: Mixing, seat: int, seed: int, judge: Judge | None, manner: Manner | None
    ) -> None:
        super().__init__(configured, None, seat, seed, judge, manner)
        self.sight, self.mixed = sight, dict[Any, Mixed]()
        self.rounds = self.looker = 0
        self.own = [0]
        self.forced: tuple[int, ...] = ()
        self.asked_at: Mixed | None = None
        self.forced_now = 0
        self.freely = self.noting = self.asking = False

    def more(self, plays: int) -> None:
        """So many more plays: of one all ways are gone through that a player may go in it."""
        goal = self.plays + plays
        with self.machine.quiet():
            while self.plays < goal:
                seed = seeded(self.seed, self.rounds)
                self.bot, self.picks = [seeded(seed, BOT_STREAM)], [seeded(seed, PICKS)]
                self.own = [seeded(seed, OWN)]
                self.looker = self.rounds % self.players
                self.rounds += 1
                v = self.machine.start(seed) if self.sight.anew else self.start[:]
                if not self.sight.anew:
                    self._streams_apart(v, seed)
                self.plays += 1
                with suppress(*BROKEN):
                    self._look_into(v, ROOM, 0)

    def found(self, count: int, enough: int = ENOUGH) -> list[Found]:
        """How often each option is to be taken, and its worth; nothing where too few plays came to the question."""
        self.looker, self.asking = self.me, True
        with self.machine.quiet():
            try:
                node = self._question(self.start[:])
            except BROKEN:
                node = None
            finally:
                self.asking = False
        if node is None or node.looks < enough:
            return []
        return told(node.taken, [one // node.looks for one in node.worth], self.plays)

    def _question(self, v: State) -> Mixed | None:
        stop = self.machine.run(v)
        if stop.kind == "choice":
            same = [*stop.options] == self.asked and 1 < len(self.asked) <= WIDEST
            return self._mixed_at(v, stop.seat, len(self.asked)) if same else None
        if stop.kind != "together":
            return None
        node = self._gone_through(v, stop, (), False)
        return node if node is not None and len(node.regret) == len(self.asked) else None

    def _mixed_at(self, v: State, seat: int, count: int) -> Mixed | None:
        mark = (v[C.PC], seat, count, *self._what_is_seen(v, seat))
        if mark not in self.mixed:
            if len(self.mixed) >= NODES or self.asking:
                return None
            self.mixed[mark] = Mixed(count)
        return self.mixed[mark]

    def _what_is_seen(self, v: State, seat: int) -> Any:
        at, known, lying = self.program.spots.at, list[int](), list[Any]()
        for piece in range(self.program.roots["piece"].size if at >= 0 else 0):
            spot = v[at + piece]
            knows = self.program.spots.known < 0 or self.machine.pieces.knowers(v, piece) >> seat & 1
            row = self.program.rows[piece] if self.program.spots.known >= 0 else piece
            known.append(row if knows else -2 - spot)
            notes: list[int] = []
            for base, width in self.sight.noted if knows else ():
                notes += v[base + piece * width : base + (piece + 1) * width]
            lying.append((known[-1], spot, *notes))
        values = [known[v[slot]] if piece and v[slot] >= 0 else v[slot] for slot, piece in self.sight.seen[seat]]
        return tuple(values), tuple(sorted(lying))

    # ------------------------------------------------------------------------------------------ going through plays

    def _look_into(self, v: State, room: int, deep: int) -> int:
        """What a play comes to for the one who looks into all; of `room` plays at most it looks into each."""
        machine = self.machine
        while True:
            stop = machine.run(v)
            if stop.kind == "together" and deep < DEEPEST:
                return self._look_into_secret(v, stop, (), room, deep)
            if stop.kind not in ("choice", "together"):
                self.come_to(v, stop.kind == "over")
                return self._came_to(v, stop.kind == "over")
            count, which = len(stop.options), 0
            node = self._mixed_at(v, stop.seat, count) if 1 < count <= WIDEST and deep < DEEPEST else None
            if node is None and (count > 1 or deep >= DEEPEST):
                return self._came_to(v, self.roll_out(v)[0])
            assert stop.choice is not None
            if node is not None and stop.seat == self.looker and count <= room:
                worth = []
                for raw in stop.options:
                    copy = v[:]
                    machine.options.take(copy, stop.choice, raw)
                    worth.append(self._look_into(copy, room // count, deep + 1))
                return node.note(worth)
            if node is not None:
                own = stop.seat == self.looker
                which = node.take(self.own if own else self.picks, 0 if own else self.rounds)
            machine.options.take(v, stop.choice, stop.options[which])
            deep += 1

    def _look_into_secret(self, v: State, stop: Stop, forced: tuple[int, ...], room: int, deep: int) -> int:
        """Goes on where players decide at once: what the others take is the same for all that the one may take."""
        picks = self.picks[0]
        for freely in (False, True):
            copy, self.picks[0] = v[:], picks
            node = self._gone_through(copy, stop, forced, freely)
            if node is None:
                return self._look_into(copy, room, deep + 1)
            if len(node.regret) <= room:
                break
        assert node is not None
        worth = []
        for i in range(len(node.regret)):
            self.picks[0] = picks
            worth.append(self._look_into_secret(v, stop, (*forced, i), room // len(node.regret), deep))
        return node.note(worth)

    def _gone_through(self, v: State, stop: Stop, forced: tuple[int, ...], freely: bool) -> Mixed | None:
        """Where whoever looks into all is asked behind what it is to take; None if it was not, and all have decided."""
        self.forced, self.forced_now, self.asked_at, self.freely = forced, 0, None, freely
        self.noting = not forced and not freely and not self.asking
        self._together(v, stop, self._in_secret)
        return self.asked_at

    def _in_secret(self, drafts: Drafts, seat: int) -> int:
        stop, v = drafts.stops[seat], drafts.states[seat]
        count = len(stop.options)
        if self.asking and seat == self.looker and self.forced_now < len(self.taken):
            self.forced_now += 1
            return stop.options.index(self.taken[self.forced_now - 1])
        if count == 1:
            return 0
        if seat == self.looker and self.forced_now < len(self.forced):
            self.forced_now += 1
            return self.forced[self.forced_now - 1]
        if seat == self.looker and self.asked_at is not None:
            return 0
        node = self._mixed_at(v, seat, count) if count <= WIDEST else None
        stream = self.own if seat == self.looker else self.picks
        if node is None:
            return draw(stream, 0, count)
        if seat != self.looker:
            return node.take(stream, self.rounds if self.noting else 0)
        if self.freely or len(self.forced) == SECRET:
            return node.take(stream, 0)
        self.asked_at = node
        return 0

    def _came_to(self, v: State, over: bool) -> int:
        if not self.sight.stakes or not over or v[C.ENDED] == C.VOID:
            return self.result[self.looker]
        points = self.outcome.points(v)
        ahead = (self.players * points[self.looker] - sum(points)) * (-1 if self.program.lowest else 1)
        part = abs(ahead) * (WHOLE // 2) // self.sight.stakes
        return max(0, min(WHOLE, WHOLE // 2 + (part if ahead >= 0 else -part)))


__all__ = ["Mix", "Mixing", "NativeMix", "mixing"]
