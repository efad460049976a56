"""All plays of a server: found by their links, begun, rebuilt when somebody comes back, and moved on by bots."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.bots.base import UnknownBot, bots, registered
from ruledsl.diagnostics.model import GameError
from ruledsl.records import dataclass
from ruledsl.runtime.replay import ReplayError, options_of, parse

from .desk import DECIDE, Desk, Lengthy
from .rooms import AT_A_GO, BOT, ME, MOST_DECISIONS, OPEN, READ, Room, Thinking, any_option, links_for, new_seed
from .store import Kept, Row, Store
from .thinking import Question, Thinkers
from .words import LANGUAGES, Refused

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game

_ORDER = ("players", "options", "preset", "seed", "language", "seats")
_TRIES = 3  # for a bot whose process broke down
_LARGEST_SEED = 2**53 - 1  # what JavaScript can hold


class BadOrder(Exception):
    """A play that cannot be begun so, in a sentence for whoever asked for it."""


@dataclass(frozen=True)
class Limits:
    """How much one server does for how many."""

    plays: int = 1_000  # that are kept on disk
    live: int = 250  # that are kept in memory
    idle_days: float = 30.0  # after which a play gives way to a new one, when there is no room
    body: int = 16_000  # bytes of a message
    replay: int = 4_000_000  # bytes of a message with a replay file
    streams: int = 1_000  # pages that listen at the same time
    streams_of_link: int = 20
    connections: int = 2_000
    per_second: float = 30.0  # messages with one link
    at_once: int = 60  # messages that may come in a burst
    new_per_minute: float = 30.0  # plays begun from one address
    passwords_per_minute: float = 10.0  # wrong ones, from one address


class Listener:
    """A page that wants to know when something changes for its seats; pages of one browser share a bell."""

    def __init__(self, bell: asyncio.Event, loop: asyncio.AbstractEventLoop) -> None:
        self.seats: Sequence[int] = ()
        self._bell, self._loop = bell, loop
        self.move, self.version = 0, ""

    def tell(self, move: int, version: str) -> None:
        self.move, self.version = move, version
        self._loop.call_soon_threadsafe(self._bell.set)


class House:
    """Used in the thread of the desk alone, whose ledger it is."""

    def __init__(self, game: Game, store: Store, desk: Desk, limits: Limits, workers: int) -> None:
        self.game, self.store, self.desk, self.limits = game, store, desk, limits
        self.thinkers = Thinkers(game, workers)
        self._rooms: OrderedDict[int, Room] = OrderedDict()
        self._awaited: set[int] = set()  # plays that are being gone through
        self._listeners: dict[int, set[Listener]] = {}
        self._changed: list[Room] = []  # of which nobody has been told yet

    # ------------------------------------------------------------------------------------------ the ledger

    def begin(self) -> None:
        self.store.begin()

    def commit(self) -> None:
        self.store.commit()
        changed, self._changed = self._changed, []
        for room in dict.fromkeys(changed):
            self._tell(room)
            self._let_think(room)

    def lost(self) -> Exception:
        self.store.roll_back()
        self._rooms.clear()  # what is on disk counts
        self._changed.clear()
        return Refused(507, "not_kept")

    def close(self) -> None:
        self.thinkers.close()
        self.store.close()

    # ------------------------------------------------------------------------------------------ finding plays

    def room(self, link: str) -> tuple[Room, list[int]]:
        """The play that a link leads to, and the seats it may decide for."""
        number = self.store.play_of(link)
        if number is None:
            raise Refused(404, "no_link")
        if number in self._rooms:
            self._rooms.move_to_end(number)
        else:
            kept, rows = self.store.read(number)
            if number in self._awaited or (self.desk.hurries and len(rows) > AT_A_GO):
                raise Lengthy(lambda: self.room(link))
            self._let_think(self._enter(self._gone_through(kept, rows)))
        room = self._rooms[number]
        return room, room.seats_of(link)

    def _gone_through(self, kept: Kept, rows: Sequence[Row]) -> Room:
        """A play as it is on disk. Others are served meanwhile, so the rules may change."""
        self._awaited.add(kept.id)
        try:
            while (room := self._rebuilt(kept, rows)).game is not self.game:
                kept, rows = self.store.read(kept.id)
        finally:
            self._awaited.discard(kept.id)
        return room

    def _rebuilt(self, kept: Kept, rows: Sequence[Row]) -> Room:
        """A play as it is on disk; the rules may have changed since."""
        try:
            return Room(self.game, self.store, self.desk, kept, rows)
        except (OptionError, GameError) as problem:
            raise Refused(409, "cannot_carry", problem=str(problem)[:200]) from None

    def _enter(self, room: Room) -> Room:
        self._rooms[room.kept.id] = room
        idle = [
            n for n, one in self._rooms.items() if one is not room and not one.thinking and n not in self._listeners
        ]
        for number in idle[: max(0, len(self._rooms) - self.limits.live)]:
            del self._rooms[number]
        return room

    # ------------------------------------------------------------------------------------------ beginning

    def start(self, order: Any) -> Kept:
        """A new play, as a message asks for it."""
        kept = self._ordered(order)
        self._make_room()
        self.store.add(kept)
        self.changed(self._enter(Room(self.game, self.store, self.desk, kept, [])))
        return kept

    def branch(self, link: str, move: int) -> Kept:
        """A new play that goes its own way from a move of another; it is gone through when somebody looks at it."""
        room, seats = self.room(link)
        kept, rows = room.branch(seats, move)
        self._make_room()
        self.store.add(kept, rows)
        return kept

    def opened(self, text: str, language: str) -> Kept:
        """A play that is what a replay file tells; all seats are for who opened it. How far the rules allow it is found
        when it is gone through, which may take long."""
        try:
            found = parse(text)
        except ReplayError as problem:
            raise BadOrder(str(problem)) from None
        header = found.header
        if header["game"] != self.game.name:
            raise BadOrder(f"this is a replay of `{header['game']}`, not of `{self.game.name}`")
        players: list[str] = header["players"]
        if len(found.records) > MOST_DECISIONS or not all(one.player in players for one in found.records):
            raise BadOrder("this replay is too long, or tells of players that it does not name")
        count, given = self.game.chosen(len(players), options_of(found))
        seats = [ME] * count
        links = links_for(seats, self.game.configured(count, given))
        kept = Kept("", count, given, header["seed"], language, seats, links)  # under no rules yet, so it is carried
        rows = [Row(players.index(one.player), READ, -1, "", (), one.option) for one in found.records]
        self._make_room()
        self.store.add(kept, rows)
        return kept

    def _make_room(self) -> None:
        if self.store.count() < self.limits.plays:
            return
        oldest = self.store.oldest(time.time() - self.limits.idle_days * 86_400)
        if oldest is None:
            raise Refused(503, "full", most=self.limits.plays)
        self._rooms.pop(oldest, None)
        self.store.forget(oldest)

    def _ordered(self, order: Any) -> Kept:
        if not isinstance(order, dict):
            raise BadOrder("a play is asked for as an object with `seats`")
        unknown = [key for key in order if key not in _ORDER]
        if unknown:
            raise BadOrder(f"`{unknown[0]}` means nothing here; there are {', '.join(_ORDER)}")
        seats = self._seats(order.get("seats"))
        players = order.get("players", len(seats))
        if type(players) is not int or players != len(seats):
            raise BadOrder("`players` is the number of players, and `seats` names who sits where, one for each of them")
        options = order.get("options") or {}
        if not isinstance(options, dict) or not all(_is_value(value) for value in options.values()):
            raise BadOrder("`options` is an object with a word, number or list of words for each option")
        preset = order.get("preset")
        if preset is not None and not isinstance(preset, str):
            raise BadOrder("`preset` is the name of a preset")
        seed = order.get("seed")
        if seed is not None and (type(seed) is not int or not 0 <= seed <= _LARGEST_SEED):
            raise BadOrder(f"`seed` is a whole number from 0 to {_LARGEST_SEED}")
        language = order.get("language", LANGUAGES[0])
        if language not in LANGUAGES:
            raise BadOrder(f"`language` is one of {', '.join(LANGUAGES)}")
        count, given = self.game.chosen(players, ({"preset": preset} if preset else {}) | options)
        configured = self.game.configured(count, given)
        links = links_for(seats, configured)
        return Kept(configured.rules, count, given, new_seed() if seed is None else seed, language, seats, links)

    def _seats(self, given: Any) -> list[str]:
        if not isinstance(given, list) or not given or not all(isinstance(who, str) for who in given):
            raise BadOrder("`seats` is a list that names who sits where: `me`, `open`, or a bot as in `bot:greedy`")
        for who in given:
            kind, _, bot = who.partition(":")
            if who in (ME, OPEN):
                continue
            if kind != BOT or not bot:
                raise BadOrder(f"a seat is `me`, `open`, or a bot as in `bot:greedy`, not `{who[:40]}`")
            name, _, level = bot.partition(":")
            try:
                registered(name)
            except UnknownBot as problem:
                raise BadOrder(str(problem)[:200]) from None
            if level and level not in levels(name):
                known = ", ".join(f"`{one}`" for one in levels(name)) or "none"
                raise BadOrder(f"the bot `{name}` has no level `{level[:40]}`; its levels: {known}")
        return given

    # ------------------------------------------------------------------------------------------ going on

    def changed(self, room: Room) -> None:
        """Something was decided or taken back: pages will be told and bots asked when it is on disk."""
        self._changed.append(room)

    def _tell(self, room: Room) -> None:
        for listener in self._listeners.get(room.kept.id, ()):
            version = room.version(listener.seats)
            if version != listener.version:
                listener.tell(room.move(listener.seats), version)

    def _let_think(self, room: Room) -> None:
        if room.game is not self.game:
            return  # the rules have changed so that it cannot go on
        for question in room.to_think():
            if question not in room.thinking:
                room.thinking.add(question)
                self._ask(room, question, _TRIES)

    def _ask(self, room: Room, question: Thinking, tries: int) -> None:
        play, size = room.play, room.play.machine.program.layout.size
        asked = Question(
            room.kept.players,
            room.kept.options,
            room.kept.seed,
            [int(x) for x in play.state[:size]],
            question.seat,
            question.bot,
            hash((room.kept.seed, question.seat, question.at)) & 0xFFFFFFFF,
        )
        self.thinkers.ask(asked).add_done_callback(partial(self._thought, room, question, tries))

    def _thought(self, room: Room, question: Thinking, tries: int, found: Future[tuple[Any, ...]]) -> None:
        """In another thread: what a bot has decided is brought to the desk."""
        if not found.cancelled():
            self.desk.submit(DECIDE, partial(self._answer, room, question, tries, found))

    def _answer(self, room: Room, question: Thinking, tries: int, found: Future[tuple[Any, ...]]) -> None:
        problem = found.exception()
        if isinstance(problem, BrokenProcessPool):
            self.thinkers.stop()
            if tries > 1:
                self._ask(room, question, tries - 1)
                return
        room.thinking.discard(question)
        if self._rooms.get(room.kept.id) is not room:
            return
        if problem is None:
            raw = found.result()
        elif question.seat in room.play.pending:
            raw = any_option(room.play, question.seat)  # a play does not stop because a bot does
        else:
            return
        if room.answer(question, raw):
            self.changed(room)

    # ------------------------------------------------------------------------------------------ other rules

    def change_rules(self, game: Game) -> None:
        """All plays go on under other rules, as far as what was decided holds; those nobody looks at when they are
        looked at."""
        self.thinkers.stop()
        self.game = self.thinkers.game = game
        for number, room in list(self._rooms.items()):
            del self._rooms[number]
            try:
                self.changed(self._enter(self._rebuilt(*self.store.read(number))))
            except Refused as refused:
                self._rooms[number] = room  # it stays as it was, for whoever looks at it
                room.notice = refused.key, refused.values
                self.changed(room)

    # ------------------------------------------------------------------------------------------ listening

    def listen(self, link: str, listener: Listener) -> Callable[[], None]:
        """From now on a page is told of changes; what is given ends that."""
        room, seats = self.room(link)
        number = room.kept.id
        there = self._listeners.setdefault(number, set())
        if sum(len(own) for own in self._listeners.values()) >= self.limits.streams:
            raise Refused(503, "many_listen")
        if sum(one.seats == seats for one in there) >= self.limits.streams_of_link:
            raise Refused(429, "many_pages", most=self.limits.streams_of_link)
        listener.seats = seats
        listener.move, listener.version = room.move(seats), room.version(seats)
        there.add(listener)
        return partial(self._leave, number, listener)

    def _leave(self, number: int, listener: Listener) -> None:
        there = self._listeners.get(number, set())
        there.discard(listener)
        if not there:
            self._listeners.pop(number, None)


def levels(name: str) -> tuple[str, ...]:
    """The strengths in which a bot can be had."""
    return tuple(getattr(bots()[name], "levels", ()))


def _is_value(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) <= 100 and all(isinstance(x, str | int) for x in value)
    return isinstance(value, str | int) and len(str(value)) <= 200


__all__ = ["BadOrder", "House", "Limits", "Listener", "levels"]
