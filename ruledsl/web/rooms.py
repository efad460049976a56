"""A play with its seats: who may decide what, what is taken back, and what each seat may be told of its course.

A seat counts moves as far as it may know of them: all decisions of everybody, but, while several decide in secret at
the same time, of those only its own. So neither a number nor an event tells how far others have got.
"""

from __future__ import annotations

import json
import random
import secrets
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.records import dataclass
from ruledsl.runtime.binding import binds
from ruledsl.runtime.gathering import PICKED, Gathering, in_any_order, is_picked, key_of
from ruledsl.runtime.interludes import interludes, stood_at
from ruledsl.runtime.play import Decision, IllegalChoice, Option, Play
from ruledsl.runtime.replay import Recorder
from ruledsl.runtime.secrecy import decides_in_secret, hides, keeps_apart
from ruledsl.runtime.typed import told as written

from .desk import Desk, Lengthy
from .store import Kept, Row, Store
from .words import Refused

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured, Game

ME, OPEN, BOT = "me", "open", "bot"
PERSON, FORCED, READ = "person", "forced", "read"  # the last: from a replay file
KEPT_PLACES = 8  # in the course of a play
MOST_STEPS = 12  # that a page shows of what the others did
LATELY = 60  # decisions that may be taken back; for each the state before is kept in memory
MOST_DECISIONS = 20_000
MOST_FORCED = 1_000  # at a go
AT_A_GO = 200  # decisions that are gone through again while others wait
LONGEST_CHOICE = 2_000  # characters

_LINK_BYTES = 16
_MOST_POINTS = 60  # of the course of the score
_LONGEST_COURSE = 3_000  # decisions that are gone through for it


@dataclass(frozen=True, eq=True)
class Thinking:
    """A question to a bot: whose, which bot, and what it must still be when the answer comes."""

    seat: int
    bot: str
    at: tuple[int, int]


class Room:
    """One play that is under way, as the server holds it."""

    def __init__(self, game: Game, store: Store, desk: Desk, kept: Kept, rows: Sequence[Row]) -> None:
        self.game, self.store, self.desk, self.kept = game, store, desk, kept
        self.notice: tuple[str, dict[str, Any]] | None = None  # what became of the play when the rules changed
        self.thinking: set[Thinking] = set()
        self._rebuild(rows)

    def _rebuild(self, rows: Sequence[Row]) -> None:
        """The play of these decisions; under other rules than theirs, as far as they hold."""
        kept = self.kept
        rules = self.game.configured(kept.players, kept.options).rules
        self._begin()
        held = len(rows) if kept.held < 0 else kept.held
        self.beyond = list(rows[held:])  # decisions that do not hold under these rules; they may under others
        if rules == kept.rules:
            self._replay(rows[:held])
        else:
            self._carry(rows, rules)

    def _carry(self, rows: Sequence[Row], rules: str) -> None:
        """Takes again what was decided under other rules, found by its text, until something is not offered."""
        for row in rows:
            self.desk.breathe()
            raw = self._meant(row)
            if raw is None:
                break
            self.rows.append(replace(row, choice=raw, told=self._take(row.seat, raw, row.by).text))
        held, count = len(self.rows), len(rows)
        self.beyond, kept = list(rows[held:]), self.kept
        kept.rules, kept.held, kept.taken_back = rules, held if self.beyond else -1, kept.taken_back + 1
        self.store.carry(kept.id, rules, self.rows, kept.held, self.play.over)
        if self.beyond:
            self.notice = "parted", {"kept": held, "count": count, "at": held + 1, "told": self.beyond[0].told}
        else:
            self.notice = "carried", {"kept": held}

    def _meant(self, row: Row) -> tuple[Any, ...] | None:
        """The option that a decision took, if it is offered."""
        if self.play.over or row.seat not in self.play.pending:
            return None
        options = self.play.options(row.seat)
        return next((o.raw for o, name in zip(options, written(options), strict=True) if name == row.told), None)

    @staticmethod
    def is_open(configured: Configured) -> bool:
        """Whether all players know the same at any time."""
        return not hides(configured) and not decides_in_secret(configured)

    def _begin(self) -> None:
        kept = self.kept
        self.play = self.game.start(kept.players, kept.seed, kept.options)
        self.open = self.is_open(self.play.configured)
        self.rows: list[Row] = []
        self._course: tuple[int, list[list[int]]] | None = None
        self._blocks: list[int] = []  # for each decision where the secret deciding began that it was part of; or -1
        self.forced: set[int] = set()  # lines of the log that tell of what was the only thing to do
        self._points: list[Any] = []  # for each decision what was before it, as long as that is kept
        self._since = 0 if self.play.together is not None else -1
        self.way = Course(self)
        self._gathering = Gathering(self.play)

    def _replay(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.desk.breathe()
            self._take(row.seat, row.choice, row.by)
            self.rows.append(row)

    # ------------------------------------------------------------------------------------------ what a seat knows

    def seats_of(self, link: str) -> list[int]:
        return self.kept.links[link]

    def seat(self, seats: Sequence[int]) -> int | None:
        """The seat for which a link shows the play: the one that is asked, where it decides for several."""
        asked = [seat for seat in self.play.pending if seat in seats]
        return asked[0] if asked else seats[0] if seats else None

    def move(self, seats: Sequence[int]) -> int:
        """How many decisions were made, as far as the holder of these seats may know."""
        if self._since < 0:
            return len(self.rows)
        return self._since + sum(row.seat in seats for row in self.rows[self._since :])

    def version(self, seats: Sequence[int]) -> str:
        """Changes whenever something changes that these seats may know of, and only then."""
        asked = "".join("x" if seat in self.play.pending else "-" for seat in range(self.kept.players))
        picked = "".join(f".{seat}:{','.join(map(str, found))}" for seat in seats if (found := self.picked(seat)))
        return f"{self.kept.taken_back}.{self.move(seats)}.{asked}{picked}"

    def picked(self, seat: int) -> tuple[int, ...]:
        """What a seat has picked of a set that it is asked for; lost when the server ends, as nothing is decided."""
        return self._gathering.of(seat)

    def may_undo(self, seats: Sequence[int]) -> bool:
        if any(map(self.picked, seats)):
            return True
        try:
            self._last_own(seats)
        except Refused:
            return False
        return True

    def since(self, seats: Sequence[int]) -> int:
        """The move after which these seats have only looked on: after the last decision of the one that is asked. For
        who decides nothing it is the last move but one."""
        seat, now = self.seat(seats), self.move(seats)
        if seat is None:
            return max(0, now - 1)
        last = next((n for n in range(len(self.rows) - 1, -1, -1) if self._own(n, seat)), -1)
        begun = self._blocks[last] if last >= 0 else -1
        if begun < 0:
            return min(last + 1, now)
        own = sum(of == begun and self.rows[n].seat in seats for n, of in enumerate(self._blocks[: last + 1]))
        return min(begun + own, now)

    def _own(self, number: int, seat: int) -> bool:
        return self.rows[number].seat == seat and self.rows[number].by != FORCED

    def steps(self, seats: Sequence[int]) -> list[int]:
        """The moves that one may be shown on the way from there to now; none where something is decided in secret."""
        now = self.move(seats)
        first = max(1, now - MOST_STEPS, self.since(seats) if seats else 1)
        if self._since >= 0 or any(begun >= 0 for begun in self._blocks[first - 1 :]):
            return []
        return list(range(first, now))

    def interludes(self, seats: Sequence[int]) -> list[int]:
        """The lines of the log since a seat decided last at which the table should be seen."""
        seat = self.seat(seats)
        if seat is None or self._since >= 0 or any(begun >= 0 for begun in self._blocks[self.since(seats) :]):
            return []
        return interludes(self.play, seat)

    def between(self, seats: Sequence[int], line: int) -> Play:
        """The play as it stood at such a line."""
        if line not in self.interludes(seats):
            raise Refused(404, "no_interlude")
        return stood_at(self.play, line)

    def before(self, number: int) -> Play | None:
        """The play as it stood before a decision, if that is still kept to be taken back."""
        point = self._points[number] if number < len(self._points) else None
        if point is None or self.play.together is not None or self._blocks[number] >= 0:
            return None
        twin = self.play.copy()
        twin.undo_points.append(point)
        twin.undo()
        return twin

    def at(self, seats: Sequence[int], move: int) -> Play:
        """The play as it stood after so many moves, as these seats count them."""
        now = self.move(seats)
        if not 0 <= move <= now:
            raise Refused(404, "ahead", move=now, given=move)
        if move == now:
            return self.play
        # In what is decided in secret a seat counts its own steps, then and afterwards.
        begun = self._since if 0 <= self._since < move else self._blocks[move]
        if not 0 <= begun < move:
            return self.way.play(move)
        own = [row for row, of in zip(self.rows, self._blocks, strict=True) if of == begun and row.seat in seats]
        return self.way.play(begun, own[: move - begun])

    @property
    def tells(self) -> bool:
        """Whether all that has happened may be told to anybody."""
        return self.open or self.play.over

    def course(self) -> list[list[int]]:
        """The course of the score, once nothing is secret any more."""
        if not self.play.over or self.play.fault is not None:
            return []
        if self._course is None or self._course[0] != len(self.rows):
            if self.desk.hurries and len(self.rows) > AT_A_GO:
                raise Lengthy(self.course)
            self._course = (len(self.rows), Course(self).scores())
        return self._course[1]

    # ------------------------------------------------------------------------------------------ deciding

    def choose(self, seats: Sequence[int], move: int, choice: int | str) -> bool:
        """Takes an option for whoever holds these seats; False if this very message has been followed before."""
        if not seats:
            raise Refused(403, "looks_on")
        said = json.dumps(choice)
        if self._repeated(seats, move, said):
            return False
        now = self.move(seats)
        if move != now:
            raise Refused(409, "old" if move < now else "ahead", move=now, given=move)
        if self.play.over:
            raise Refused(409, "over")
        asked = [seat for seat in self.play.pending if seat in seats]
        if not asked:
            raise Refused(409, "not_asked", players=", ".join(self.play.players[s] for s in self.play.pending))
        if len(self.rows) >= MOST_DECISIONS:
            raise Refused(409, "too_long", most=MOST_DECISIONS)
        if isinstance(choice, str) and choice.startswith(PICKED):
            return self._pick(asked[0], choice, move, said)
        self._decide(asked[0], self._raw(asked[0], choice), PERSON, move, said)
        return True

    def _pick(self, seat: int, choice: str, move: int, said: str) -> bool:
        """Picks an element of a set; the set is decided on when it is whole. False if the element is picked already."""
        picked = self.picked(seat)
        option = self._to_pick(seat, choice, picked)
        if option is None:
            last = self._to_pick(seat, choice, picked[:-1]) if picked else None
            if last is not None and last.gathered == picked:
                return False
            raise Refused(422, "not_offered", choice=choice[:80])
        if option.gathered:
            self._gathering.pick(seat, option)
            return True
        for raw in (option.raw, *option.then):
            self._decide(seat, raw, PERSON, move, said)
        return True

    def _to_pick(self, seat: int, choice: str, picked: tuple[int, ...]) -> Option | None:
        """The element that a page means, beside others that are picked."""
        options = in_any_order(self.play, seat, self.play.options(seat), "en", picked)
        return next((option for option in options if is_picked(option) and key_of(option) == choice), None)

    def _repeated(self, seats: Sequence[int], move: int, said: str) -> bool:
        """Whether the last thing that a person decided with these seats is what is sent again."""
        last = next((row for row in reversed(self.rows) if row.seat in seats and row.by == PERSON), None)
        return last is not None and (last.move, last.said) == (move, said)

    def _raw(self, seat: int, choice: int | str) -> tuple[Any, ...]:
        stop = self.play.stop_of(seat)
        assert stop is not None, "a seat that is asked stands at a choice"
        if isinstance(choice, str) and choice.isascii() and choice.isdecimal() and len(choice) < 9:
            choice = int(choice)
        if isinstance(choice, int):
            if not 0 <= choice < len(stop.options):
                raise Refused(422, "no_option", choice=choice, count=len(stop.options))
            return stop.options[choice]
        options = self.play.options(seat)
        for option, key in zip(options, written(options), strict=True):
            if choice == key:
                return option.raw
        raise Refused(422, "not_offered", choice=choice[:80])

    def answer(self, question: Thinking, raw: tuple[Any, ...]) -> bool:
        """What a bot has decided; False if it is not asked that any more."""
        if question.at != self._asked_at(question.seat) or question.seat not in self.play.pending:
            return False
        self._decide(question.seat, raw, BOT, -1, "")
        return True

    def _decide(self, seat: int, raw: tuple[Any, ...], by: str, move: int, said: str) -> None:
        """Takes an option and what is forced after it, and writes all of it down."""
        try:
            new = [Row(seat, by, move, said, raw, self._take(seat, raw, by).text), *self._forced()]
            self._give_up_what_is_beyond()
            self.rows += self.store.decide(self.kept.id, new, self.play.over)
        except Exception:
            self._rebuild(self.store.read(self.kept.id)[1])  # what was written counts
            raise

    def _give_up_what_is_beyond(self) -> None:
        if self.beyond:
            self.store.drop(self.kept.id, self.beyond)
            self.beyond, self.kept.held = [], -1

    def _forced(self) -> list[Row]:
        """Takes what is the only thing to do; where something is hidden, that would tell others of it."""
        new: list[Row] = []
        while self.open and not self.play.over and len(new) < MOST_FORCED:
            seat = self.play.pending[0]
            stop = self.play.stop_of(seat)
            if stop is None or len(stop.options) != 1:
                break
            only = stop.options[0]
            new.append(Row(seat, FORCED, -1, "", only, self._take(seat, only, FORCED).text))
        return new

    def _take(self, seat: int, raw: tuple[Any, ...], by: str) -> Decision:
        """Takes an option in the play."""
        play, before, at = self.play, self.play.together, len(self._blocks)
        if by == FORCED:
            self.forced.add(len(play.log))
        self.reseed(play, at)
        play.choose(Option(0, "", "", {}, raw), seat)
        self._blocks.append(self._since)
        self._points.append(play.undo_points[-1] if play.undo_points else None)
        if play.together is None:
            self._since = -1
        elif play.together is not before:
            self._since = at + 1
        del play.undo_points[:-LATELY]
        if at >= LATELY:
            self._points[at - LATELY] = None
        return next(decision for decision in reversed(play.decisions) if decision.seat == seat)

    def reseed(self, play: Play, at: int) -> None:
        """In a play that branched off, chance comes out otherwise from there on."""
        for count, seed in self.kept.reseeded:
            if count == at:
                streams = slice(C.STREAMS, C.STREAMS + len(C.STREAM_NAMES))
                play.state[streams] = play.machine.start(seed)[streams]

    # ------------------------------------------------------------------------------------------ taking back

    def undo(self, seats: Sequence[int], move: int) -> None:
        """Takes back the last decision of these seats, with what bots have answered."""
        if not seats:
            raise Refused(403, "looks_on")
        now = self.move(seats)
        if move != now:
            raise Refused(409, "old" if move < now else "ahead", move=now, given=move)
        if any(self._gathering.put_back(seat) for seat in seats if seat in self.play.pending):
            return
        at = self._last_own(seats)
        if self._since >= 0:
            seat, gone = self.rows[at].seat, [self.rows[at]]
            self.play.take_back(seat)
            self._points = [None] * len(self._points)
        else:
            gone = self.rows[at:]
            point = self._points[at]
            while self.play.undo_points and self.play.undo_points[-1] is not point:
                self.play.undo()
            self.play.undo()
        self.forced = {line for line in self.forced if line < len(self.play.log)}
        keep = [number for number, row in enumerate(self.rows) if row not in gone]
        self.rows = [self.rows[number] for number in keep]
        self._blocks = [self._blocks[number] for number in keep]
        self._points = [self._points[number] for number in keep]
        self.way = Course(self)
        self._give_up_what_is_beyond()
        self.store.take_back(self.kept.id, gone)
        self.kept.taken_back += 1

    def _last_own(self, seats: Sequence[int]) -> int:
        """The decision of these seats that can be taken back, by its number; refused with the reason if none can."""
        if self._since >= 0:
            for number in range(len(self.rows) - 1, self._since - 1, -1):
                if self.rows[number].seat in seats and self.rows[number].seat in self.play.pending:
                    return number
            raise Refused(409, "undo_together")
        at = next((n for n in range(len(self.rows) - 1, -1, -1) if self.rows[n].by == PERSON), None)
        if at is None or not any(row.seat in seats and row.by == PERSON for row in self.rows):
            raise Refused(409, "undo_none")
        if self.rows[at].seat not in seats:
            raise Refused(409, "undo_other")
        while at and _is_one_message(self.rows[at - 1], self.rows[at]):  # a set is taken back as a whole
            at -= 1
        point = self._points[at]
        if not any(point is one for one in self.play.undo_points):
            raise Refused(409, "undo_old")
        reason = binds(self.play, point[0][:], point[1])
        if reason:
            raise Refused(409, reason)
        return at

    # ------------------------------------------------------------------------------------------ bots

    def to_think(self) -> list[Thinking]:
        """The questions that bots have to answer now."""
        found = []
        for seat in self.play.pending:
            kind, _, bot = self.kept.seats[seat].partition(":")
            if kind == BOT and not self.play.over and len(self.rows) < MOST_DECISIONS:
                found.append(Thinking(seat, bot, self._asked_at(seat)))
        return found

    def _asked_at(self, seat: int) -> tuple[int, int]:
        return self.kept.taken_back, self.move([seat])

    # ------------------------------------------------------------------------------------------ other uses

    def replay(self) -> str:
        """The play as a replay file. While it goes on the seed is left out, for it tells what chance will bring."""
        if not self.tells:
            raise Refused(403, "secret")
        recorder = Recorder(Course(self).play(len(self.rows)))
        head, newline, rest = recorder.text().partition("\n")
        header = json.loads(head)
        if not self.play.over:
            header["seed"] = 0
        return json.dumps(header, ensure_ascii=False) + newline + rest

    def branch(self, seats: Sequence[int], move: int) -> tuple[Kept, list[Row]]:
        """A new play that is this one up to a move; chance comes out otherwise from there on."""
        if not self.tells:
            raise Refused(403, "secret")
        now = self.move(seats)
        if not 0 <= move <= now:
            raise Refused(404, "ahead", move=now, given=move)
        begun = self._blocks[move] if move < len(self._blocks) else self._since
        if 0 <= begun < move:
            move = begun  # not into the midst of what is decided in secret
        kept = self.kept
        reseeded = [(at, seed) for at, seed in kept.reseeded if at < move] + [(move, new_seed())]
        seats_there = [ME if who == OPEN else who for who in kept.seats]
        made = Kept(kept.rules, kept.players, kept.options, kept.seed, kept.language, seats_there, {}, reseeded)
        made.links = links_for(made.seats, self.play.configured)
        return made, [Row(row.seat, row.by, -1, "", row.choice, row.told) for row in self.rows[:move]]


def _is_one_message(one: Row, other: Row) -> bool:
    return one.by == PERSON and (one.seat, one.by, one.move, one.said) == (other.seat, other.by, other.move, other.said)


class Course:
    """The way of a play up to now, gone once more as far as is asked. Some of the places that were asked for are kept:
    whoever goes through a play asks for the next one."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._kept: OrderedDict[int, Play] = OrderedDict()

    def play(self, count: int, own: Sequence[Row] = ()) -> Play:
        """After so many decisions, and those of one seat in secret behind them."""
        near = max((at for at in self._kept if at <= count), default=None)
        if self.room.desk.hurries and count - (near or 0) > AT_A_GO and self.room.before(count) is None:
            raise Lengthy(lambda: self.play(count))
        lately = self.room.before(count) if near is None or near < count else None
        if lately is not None:
            there = lately
        else:
            there = self._start() if near is None else self._kept[near].copy()
            self._go(there, near or 0, self.room.rows[near or 0 : count])
        if not own:
            self._kept[count] = there
            self._kept.move_to_end(count)
            if len(self._kept) > KEPT_PLACES:
                self._kept.popitem(last=False)
        self._go(there, count, own)
        return there

    def _start(self) -> Play:
        kept = self.room.kept
        return self.room.game.start(kept.players, kept.seed, kept.options)

    def _go(self, play: Play, at: int, rows: Sequence[Row]) -> None:
        for number, row in enumerate(rows, at):
            self.room.desk.breathe()
            self.room.reseed(play, number)
            play.choose(Option(0, "", "", {}, row.choice), row.seat)
            play.undo_points.clear()

    def scores(self) -> list[list[int]]:
        """The points of all players, from the first decision to the last, at so many places as a picture can show."""
        room, kept = self.room, self.room.kept
        play = room.game.start(kept.players, kept.seed, kept.options)
        if not play.machine.program.scoring or len(room.rows) > _LONGEST_COURSE:
            return []
        every, found = -(-len(room.rows) // _MOST_POINTS), []
        for at, row in enumerate(list(room.rows), 1):
            room.desk.breathe()
            room.reseed(play, at - 1)
            play.choose(Option(0, "", "", {}, row.choice), row.seat)
            play.undo_points.clear()
            if at % every == 0 or at == len(room.rows):
                with suppress(RulesFault):  # points that cannot be told before the end
                    found.append([sum(points.values()) for points in play.scores()])
        return found


def new_seed() -> int:
    return secrets.randbelow(1_000_000_000)


def new_link() -> str:
    return secrets.token_urlsafe(_LINK_BYTES)


def links_for(seats: Sequence[str], configured: Configured) -> dict[str, list[int]]:
    """Links for the seats of people, and one to look on. Where nobody may know what another does not, one link is for
    all seats of `me`: people who share a device share the page; else each has a page of their own."""
    mine = [seat for seat, who in enumerate(seats) if who == ME]
    others = [seat for seat, who in enumerate(seats) if who == OPEN]
    shared = not keeps_apart(configured)
    groups = ([mine] if mine and shared else [[seat] for seat in mine]) + [[seat] for seat in others] + [[]]
    return {new_link(): group for group in groups}


def any_option(play: Play, seat: int) -> tuple[Any, ...]:
    """What is taken for a bot that failed."""
    stop = play.stop_of(seat)
    assert stop is not None, "a bot is asked"
    return random.choice(stop.options)


__all__ = [
    "BOT",
    "FORCED",
    "ME",
    "OPEN",
    "PERSON",
    "READ",
    "Course",
    "IllegalChoice",
    "Room",
    "Thinking",
    "any_option",
    "links_for",
    "new_link",
    "new_seed",
]
