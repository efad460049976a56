"""Plays on from here thousands of times and takes the option after which it fares best."""

from __future__ import annotations

import random
import re
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from ruledsl.engine import amounts

from .ahead import EDGE, AlphaBeta, looks_ahead
from .base import BadDial, bot
from .hurry import hurried
from .judge import POWERS, SAID_MANNERED_CUT, Judge, found
from .manner import Manner, found_manner
from .mixed import ENOUGH, Mix, NativeMix, mixing
from .native_tree import NativeAlphaBeta, NativeTree, library
from .tree import WHOLE, Found, Raw, Tree

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured

    from .seat_view import SeatView

EASY = "easy"
LEVELS = {EASY: 50, "normal": 1_000, "hard": 20_000}  # plays for a decision
USUAL = "1s"
AT_ONCE = 0.02  # seconds between two looks at the clock
GUESSES = 250  # at most so many guesses at what is hidden, where plays are counted
PER_GUESS = 4  # plays with each guess, or more
LINE = 6  # decisions that are told
POSITIONS = 20  # looked at ahead in the time of a play on from here
MOST_POSITIONS = 1 << 40
SELDOM = 32  # what is taken so much less often than another option of a mix is never taken: at first all are tried
SOON = 4  # after this part of the time a mix is given up that would not know enough of the question at its end
NEVER = (-9,)  # no option is written like this
SLACK = 24  # options that are worse by less, in parts of UNIT, are taken now and then, or all plays would be alike


class Dial:
    """How long a bot looks for the best: a number of plays, some time, or until the first of both is over."""

    def __init__(self, text: str, levels: dict[str, int] = LEVELS) -> None:
        self.seconds: float | None = None
        self.plays: int | None = None
        self.easy = text == EASY
        for part in text.split("/"):
            timed = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s)", part)
            if timed and float(timed[1]) > 0:
                self.seconds = float(timed[1]) * (0.001 if timed[2] == "ms" else 1)
            elif part in levels or (part.isdecimal() and int(part) > 0):
                self.plays = levels.get(part) or int(part)
            else:
                known = ", ".join(f"`{level}`" for level in levels)
                what = f"`{part}` is neither a number of plays (`1000`) nor a time (`1s`)"
                raise BadDial(f"{what}, and is not one of the levels {known}")


class Rest(NamedTuple):
    """How long a bot may still look: so many plays, and until then."""

    plays: int | None
    end: float | None

    @staticmethod
    def of(dial: Dial) -> Rest:
        return Rest(dial.plays, monotonic() + dial.seconds if dial.seconds is not None else None)

    def part(self, part: int) -> Rest:
        """The first half, third or quarter of it."""
        plays, now = self.plays, monotonic()
        return Rest(
            max(1, plays // part) if plays is not None else None,
            now + (self.end - now) / part if self.end is not None else None,
        )

    def without(self, plays: int) -> Rest:
        """What is left after so many plays: one at least."""
        return self._replace(plays=max(1, self.plays - plays)) if self.plays is not None else self


class Thought(NamedTuple):
    """What is known of each option, and which are taken from here on if all do what is best."""

    found: list[Found]
    line: list[int]
    plays: int
    ahead: int | None = None  # the option that looking ahead found; `plays` are positions then
    far: int = 0  # how many decisions ahead it looked
    mixed: bool = False  # whether each option is to be taken as often as it was tried

    @property
    def best(self) -> int:
        """What looking ahead found; else the option that was tried most, but for what is certain."""
        if self.ahead is not None:
            return self.ahead
        worth = [(one.worth if one.sure else -1, one.visits, -number) for number, one in enumerate(self.found)]
        sure = max(range(len(worth)), key=lambda number: worth[number])
        unsure = [number for number, one in enumerate(self.found) if not one.sure]
        most = max(unsure, key=lambda number: self.found[number].visits, default=sure)
        if self.found[sure].sure and self.found[sure].worth >= self.found[most].worth:
            return sure
        return most


@bot("search")
class SearchBot:
    """Plays on from here thousands of times, better and better for everybody, and takes the option with which it
    fares best. `search:1000` plays so many times for a decision, `search:2s` for so long (a second, where nothing is
    said), `search:easy`, `:normal` and `:hard` are levels.

    What its seat may not see it deals anew again and again; what others decide at the same time it does not know.
    Where whoever always does the same is found out, it mixes: in short games of two with hidden things, and where
    players decide at once.
    """

    levels = tuple(LEVELS)

    def __init__(self, seed: int = 0, dial: str = USUAL) -> None:
        self.dial = Dial(dial)
        self._random = random.Random(seed)

    def choose(self, view: SeatView) -> int:
        if view.count == 1:
            return 0
        parts = self.parts(view)
        if 1 in parts:
            return parts.index(1)
        return self._random.choices(range(view.count), parts)[0]

    def parts(self, view: SeatView) -> list[float]:
        """How likely it takes each option."""
        if view.settled:  # between two plays of a campaign there is nothing to be won
            return [1 / view.count] * view.count
        thought = self.think(view, SLACK)
        if not any(one.visits for one in thought.found):  # no guess that was made holds what is asked
            return [1 / view.count] * view.count
        if thought.mixed or (view.at_once and view.players > 1):
            mix = often(thought)
            return [one / sum(mix) for one in mix]
        best = thought.best
        if self.dial.easy and not thought.found[best].sure:
            best = least_amount(view, best)
        return [float(number == best) for number in range(view.count)]

    def think(self, view: SeatView, slack: int = 0) -> Thought:
        """What is found out about the options of a seat; with slack, what is nearly as good may be taken for best."""
        made, seed = view.configured, self._random.getrandbits(48)
        state = None if view.guessed else view.guess(self._random).state
        compiled, judge, manner = library(made), judge_of(view), manner_of(view)
        if judge is not None and judge.weights.taking is not None and looks_ahead(made, judge):
            plays = self.dial.plays
            positions = None if plays is None else plays * POSITIONS
            return look_ahead(view, judge, judge.weights.taking, seed, positions, self.dial.seconds, slack)
        sight = mixing(made) if view.guessed else None
        rest = Rest.of(self.dial)
        if sight is not None:
            if compiled is not None:
                mix: NativeMix | Mix = NativeMix(compiled, sight, view.seat, seed, judge, manner)
            else:
                mix = Mix(made, sight, view.seat, seed, judge, manner)
            try:
                found = self._mixed(mix, view, rest)
            finally:
                mix.close()
            if found:
                return Thought(found, [], mix.plays, mixed=True)
            rest = rest.without(mix.plays)
        tree: NativeTree | Tree
        if compiled is not None:
            tree = NativeTree(compiled, state, view.seat, seed, judge, manner)
        else:
            tree = Tree(made, state, view.seat, seed, judge, manner)
        try:
            self._grow(tree, view, rest)
            line = [] if view.guessed else tree.line(LINE)
            return Thought(tree.found(view.count), line, tree.plays)
        finally:
            tree.close()

    def _mixed(self, mix: NativeMix | Mix, view: SeatView, rest: Rest) -> list[Found]:
        """How often to take each option; nothing where hardly a play comes to the question, and that shows soon."""
        for part in (SOON, 1):
            self._grow(mix, view, rest.part(part))
            found = mix.found(view.count, ENOUGH // SOON)
            if not found:
                break
        return found

    def _grow(self, tree: NativeTree | Tree, view: SeatView, rest: Rest) -> None:
        """Lets a tree grow for as long as it may. It is asked between two goes whether that is over; so a go is short,
        and makes no difference where plays are counted."""
        plays, end = rest
        at_a_go, mixes = 1, isinstance(tree, Mix | NativeMix)  # a mix is asked about one guess only
        few = self.dial.easy and tree.guessed and not mixes
        late = amounts.rounds(view.choice, view.raw) if few else None
        while not (tree.plays and hurried()):
            begun, before = monotonic(), tree.plays
            if tree.guessed and not (mixes and tree.plays):
                guess = view.guess(self._random)
                tree.guess(guess.state, without_late(guess.options, late), guess.taken)
                if not mixes:
                    at_a_go = PER_GUESS if plays is None else max(PER_GUESS, plays // GUESSES)
            tree.more(at_a_go if plays is None else min(at_a_go, plays - tree.plays))
            now = monotonic()
            if tree.certain or tree.plays == before or tree.plays == plays or (end is not None and now >= end):
                return
            speed = (tree.plays - before) / max(now - begun, 1e-6)
            at_a_go = max(1, int(min(AT_ONCE, end - now if end is not None else AT_ONCE) * speed))


@bot("seer")
class Seer(SearchBot):
    """Searches as `search` does, but sees everything: what others hide, and in which order cards lie in a pile. So it
    shows how well a game could be played at best. It is there to study games; `serve` does not have it.
    """

    sees_all = True


def without_late(options: tuple[Raw, ...], late: list[int] | None) -> tuple[Raw, ...]:
    """The options with the least of many amounts alone. After few plays one of so many ways to raise nearly always
    seems best, by chance, and calling hardly ever."""
    if late is None:
        return options
    return tuple(NEVER if one else raw for raw, one in zip(options, late, strict=True))


def least_amount(view: SeatView, option: int) -> int:
    """The option with the least amount that differs from this one in its amount alone. After so few plays nobody can
    tell amounts apart, and whoever takes any bets wildly: a beginner bets little."""
    raws = view.raw
    found = amounts.rounds(view.choice, raws)
    if found is None or not found[option]:
        return option
    return next(number for number in range(option, -1, -1) if not found[number] and raws[number][0] == raws[option][0])


def often(thought: Thought) -> list[int]:
    """How often to take each option, for whoever always does the same is found out."""
    tried = [one.visits for one in thought.found]
    least = max(tried) // SELDOM if thought.mixed else (max(tried) + 1) // 2
    return [visits if visits >= least else 0 for visits in tried]


def look_ahead(
    view: SeatView, judge: Judge, taking: int, seed: int, positions: int | None, seconds: float | None, slack: int
) -> Thought:
    """What is found out about the options of a seat by alpha-beta."""
    made = view.configured
    state, compiled = view.guess(random.Random(seed)).state, library(made)
    end = monotonic() + seconds if seconds is not None else None
    search: NativeAlphaBeta | AlphaBeta
    if compiled is not None:
        search = NativeAlphaBeta(compiled, state, seed, judge, taking, slack)
    else:
        search = AlphaBeta(made, state, seed, judge, taking, slack)
    try:
        search.more(MOST_POSITIONS if positions is None else positions, lambda: hurried() or past(end))
        known = search.found(view.count)
        found = [
            Found(spent, share_of(value), abs(value) > EDGE)
            for spent, value in zip(known.spent, known.values, strict=True)
        ]
        return Thought(found, search.line(LINE), search.seen, known.best, known.depth)
    finally:
        search.close()


def past(end: float | None) -> bool:
    return end is not None and monotonic() >= end


def share_of(value: int) -> int:
    """What a value of looking ahead seems to be worth, as a share of WHOLE."""
    far = 0 if abs(value) > EDGE else POWERS[min(abs(value), len(POWERS) - 1)]
    return WHOLE * (POWERS[0] if value >= 0 else far) // (POWERS[0] + far)


_MANNERS: WeakKeyDictionary[Configured, Manner | None] = WeakKeyDictionary()
_JUDGES: WeakKeyDictionary[Configured, Judge | None] = WeakKeyDictionary()


def judge_of(view: SeatView) -> Judge | None:
    """What was learnt of the game, beside it or in the cache."""
    if view.configured not in _JUDGES:
        judge = found(view.configured, view.game.path)
        if judge is not None and judge.weights.by == "heuristic" and manner_of(view) is not None:
            judge.cut = SAID_MANNERED_CUT
        _JUDGES[view.configured] = judge
    return _JUDGES[view.configured]


def manner_of(view: SeatView) -> Manner | None:
    """How those decide who do well, if that was learnt."""
    if view.configured not in _MANNERS:
        _MANNERS[view.configured] = found_manner(view.configured, view.game.path)
    return _MANNERS[view.configured]
