"""A play: where it stands, who is asked, what may be chosen, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ruledsl.engine.machine import Machine, Stop
from ruledsl.engine.options import DONE, NOTHING, STOP, STRIDE, is_piece, names_pieces
from ruledsl.ir import core as C
from ruledsl.ir.core import ENDED, ENDINGS, WINNERS, RulesFault
from ruledsl.records import dataclass
from ruledsl.types import BagOf, Elem, ListOf, Root, SetOf, bits

from .knowing import EVERYBODY, Readers
from .log import Line, Log, Mark
from .moments import Moment
from .save import save as save_play
from .save import to_json as play_to_json
from .together import Drafts
from .typed import LANGUAGES, nearest, pick, told

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.runtime.game import Configured, Game

STEPS_PER_EVENT = 100  # so many steps of the rules count as much as one random event that the caller answers


class IllegalChoice(Exception):
    """Something was chosen that is not offered."""


class NotOffered(IllegalChoice):
    """No option is meant by a text; `nearest` are those most like it, by their labels."""

    def __init__(self, text: str, nearest: Sequence[str] = ()) -> None:
        near = ", ".join(f"`{label}`" for label in nearest)
        super().__init__(f"`{text}` is not offered" + (f"; nearest offered: {near}" if near else ""))
        self.text, self.nearest = text, tuple(nearest)


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen: `text` for people, `action` and `values` for programs."""

    index: int
    text: str
    action: str
    values: dict[str, Any]
    raw: tuple[Any, ...]
    words: dict[str, str] = field(default_factory=dict)  # the values as names
    labelled: bool = True  # whether the text was written for people, so that nobody has to know the names of values
    are_pieces: tuple[bool, ...] = ()  # which of the values are pieces
    roots: tuple[Root | None, ...] = ()  # what each of the values is one of: boards may have spaces of the same name
    place: int = -1  # in a list that is put in another order for people
    own: int = -1  # the number by which it differs from the others of the list, so that no other number stands for it
    then: tuple[tuple[Any, ...], ...] = ()  # further steps of the same decision, where people are offered all at once
    gathered: tuple[int, ...] = ()  # what is picked of a set with this one, where the set is not whole with it

    @property
    def number(self) -> int:
        """What a person types for it."""
        return self.own if self.own >= 0 else (self.place if self.place >= 0 else self.index) + 1

    @property
    def pieces(self) -> tuple[int, ...]:
        """The pieces among the values."""
        steps = (zip(raw[1:], self.are_pieces, strict=False) for raw in (self.raw, *self.then) if raw[0] >= 0)
        return tuple(x for step in steps for x, piece in step if piece and isinstance(x, int))

    @property
    def notation(self) -> str:
        """As tests and replays write it: `attack f=fort_2 team=c51`; several steps at once have none."""
        if self.then:
            return ""
        return " ".join([self.action, *(f"{name}={word}" for name, word in self.words.items())]).strip()


@dataclass(frozen=True)
class ChancePoint:
    """Something random that the caller answers: the outcomes with their weights, or the pieces to be put in order."""

    kind: str
    outcomes: tuple[tuple[Any, int, str], ...]  # value, weight, name


@dataclass(frozen=True)
class Decision:
    """What was decided or came about, for replays and undo."""

    seat: int  # -1 for chance
    choice: Any
    written: str | Callable[[], str] = field(compare=False)

    @cached_property
    def text(self) -> str:
        """What is written down of it; worked out when somebody asks, for most plays are never written down."""
        return self.written if isinstance(self.written, str) else self.written()


class Play:
    """One play of a game. It can be copied, saved, taken back; it changes only by `choose` and `answer`."""

    def __init__(
        self,
        game: Game,
        configured: Configured,
        seed: int,
        ask_chance: bool = False,
        start: bool = True,
        state: list[int] | None = None,
        noting: bool = True,
    ) -> None:
        """With `noting=False` nothing is written down of it, for plays that nobody reads or takes back."""
        self.game, self.configured, self.seed = game, configured, seed
        self.noting = noting
        self.machine: Machine = configured.machine
        self.world = configured.world
        self.viewer, self.words = configured.viewer, configured.words
        self.ask_chance = ask_chance
        self.decisions: list[Decision] = []
        self.log = Log(configured.world, configured.machine, self.viewer)
        self.undo_points: list[tuple[Moment, int, Mark]] = []
        self.fault: RulesFault | None = None
        self.together: Drafts | None = None
        self.settled = False
        self.reason: dict[str, str] = {}  # why it ended so, by language, once it was settled
        self.unforeseen = 0  # random events since the last decision
        self.shown = 0  # after so many decisions somebody was shown a piece where it lay hidden from them
        self.result: tuple[str, list[int], list[dict[str, int]]] | None = None
        self.state: list[int] = []
        self.stop = Stop("over")
        if start:
            self.state = state if state is not None else self.machine.start(seed)
            self.go_on()

    # ------------------------------------------------------------------------------------------- where it stands

    @property
    def players(self) -> list[str]:
        return list(self.configured.players)

    @property
    def over(self) -> bool:
        return self.stop.kind in ("over", "drafted")

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that have a decision to make; several where players decide together."""
        if self.stop.kind == "choice":
            return (self.stop.seat,)
        return tuple(self.together.waiting()) if self.together is not None else ()

    @property
    def chance(self) -> ChancePoint | None:
        """What is random and must be answered, if the caller wanted to be asked."""
        if self.stop.kind != "chance":
            return None
        point = self.stop.chance
        assert point is not None
        if point.kind == "shuffle":
            assert point.place is not None
            lying = self.machine.pieces.on(self.state, self.machine.evaluator.of(point.place)(self.state))
            return ChancePoint("shuffle", tuple((p, 1, self.world.pieces.names[p]) for p in lying))
        assert point.variable is not None
        kind = point.variable.type
        return ChancePoint(
            "random", tuple((x, n, self.words.name(x, kind)) for x, n in self.machine.domain(self.state, point))
        )

    def options(self, seat: int | None = None, language: str = "en") -> list[Option]:
        """What a seat may choose, in the order of the rules."""
        stop = self.stop_of(seat)
        if stop is None:
            return []
        assert stop.choice is not None
        state = self.state_of(stop.seat)
        return [self.as_option(state, stop.choice, i, raw, language, stop.seat) for i, raw in enumerate(stop.options)]

    def option(self, seat: int, index: int, language: str = "en") -> Option:
        """One of the options of a seat that is asked."""
        stop = self.stop_of(seat)
        assert stop is not None, "a seat that is asked stands at a choice"
        assert stop.choice is not None, "a seat that is asked stands at a choice"
        state = self.state_of(stop.seat)
        return self.as_option(state, stop.choice, index, stop.options[index], language, stop.seat)

    def state_of(self, seat: int | None) -> list[int]:
        """The position as a seat has made it: where several decide at once with its own draft, and of the others only
        what was before."""
        if self.together is not None and seat in self.together.states:
            return self.together.states[seat]
        return self.state

    def stop_of(self, seat: int | None) -> Stop | None:
        if self.stop.kind == "choice":
            return self.stop if seat is None or seat == self.stop.seat else None
        if self.together is not None:
            waiting = self.together.waiting()
            if seat is None and waiting:
                seat = waiting[0]
            return self.together.stops[seat] if seat in waiting else None
        return None

    def as_option(
        self, state: list[int], choice: C.Choice, index: int, raw: tuple[Any, ...], language: str, seat: int | None
    ) -> Option:
        """One option at a state, in words as a seat may read it."""
        text = self._text(state, choice, raw, language, seat)
        if raw[0] == STOP:
            assert choice.stop is not None
            return Option(index, text, choice.stop.name or "stop", {}, raw)
        if raw[0] in (DONE, NOTHING):
            return Option(index, text, "done" if raw[0] == DONE else "nothing", {}, raw)
        entry, position = choice.entries[raw[0]], _position(state, choice)
        variables = entry.variables[position : position + len(raw) - 1]
        values = {v.name: x for v, x in zip(variables, raw[1:], strict=False)}
        seen = (state, seat)
        names = {
            v.name: self.words.name(x, _element(v.type), "id", seen) for v, x in zip(variables, raw[1:], strict=False)
        }
        action = entry.name if entry.span is not None and _is_action(self.world, entry.name) else ""
        labelled = self.words.labelled(entry, position, len(raw) - 1)
        return Option(
            index,
            text,
            action,
            values,
            raw,
            names,
            labelled,
            tuple(map(is_piece, variables)),
            tuple(map(_root, variables)),
        )

    def spelt(self, option: Option, seat: int | None, language: str = "en") -> list[str]:
        """Other ways to type an option, as the `notation:` of what is chosen says."""
        return [text for text, _ in self.written_ways(option, seat, language)]

    def written_ways(self, option: Option, seat: int | None, language: str = "en") -> list[tuple[str, str]]:
        """The same, each with the sign at which several such options may be written as one, if there is any."""
        stop = self.stop_of(seat)
        if not self.world.data["notations"] or stop is None or stop.choice is None or option.raw[0] < 0:
            return []
        state = self.state_of(stop.seat)
        entry, position = stop.choice.entries[option.raw[0]], _position(state, stop.choice)
        if not self.words.labelled(entry, position, len(option.raw) - 1):
            return []
        from .picture import artist_of  # what draws is loaded where something is shown

        sign = artist_of(self, language).letter
        _, notations = self.world.data["notations"].get(id(entry.label), (None, ()))
        return self.words.notations(state, entry, position, option.raw[1:], language, stop.seat, notations, sign)

    def _text(
        self,
        state: list[int],
        choice: C.Choice,
        raw: tuple[Any, ...],
        language: str,
        seat: int | None,
        readers: Readers = EVERYBODY,
    ) -> str:
        """An option in words, as a seat may read it."""
        if raw[0] == STOP:
            assert choice.stop is not None
            return self.words.stop(state, choice.stop, language)
        if raw[0] in (DONE, NOTHING):
            return self.words.fixed("done" if raw[0] == DONE else "nothing", language)
        entry, position = choice.entries[raw[0]], _position(state, choice)
        return self.words.option(state, entry, position, raw[1:], language, seat, readers)

    # ------------------------------------------------------------------------------------------- going on

    def choose(self, option: Option | int | str, seat: int | None = None) -> None:
        """Takes an option, given as such, by its number, or by its text."""
        stop = self.stop_of(seat)
        if stop is None or stop.choice is None:
            if seat is not None and not 0 <= seat < len(self.players):
                raise IllegalChoice(f"there is no seat {seat}; the first of {len(self.players)} is 0")
            raise IllegalChoice("there is nothing to choose" + ("" if seat is None else f" for {self.players[seat]}"))
        raw = self._find(stop, option)
        self.unforeseen = 0
        if not self.noting and self.together is None:
            self.machine.choose(self.state, stop.choice, raw)
            self.go_on()
            return
        self._remember()
        before = self.undo_points[-1][0]
        if self.together is not None:
            before = self.log.keep(self.together.states[stop.seat])
        self.decisions.append(Decision(stop.seat, raw, partial(self._told, before, stop.choice, raw, stop.seat)))
        if self.together is not None:
            self._draft(self.together, stop.seat, raw)
            return
        try:
            self._note(stop, raw)
            self.machine.choose(self.state, stop.choice, raw)
            self.go_on()
        except KeyboardInterrupt:
            self.undo()  # what was done by half is not done at all
            raise

    def _note(self, stop: Stop, raw: tuple[Any, ...]) -> None:
        """A line of the log for an option that is about to be taken."""
        assert stop.choice is not None
        self.log.settle(self.state)
        if raw[0] != NOTHING:
            self.log.note(self.state, stop.choice, raw, stop.seat)

    def _witness(self, v: list[int], piece: int, seers: int, moved: bool) -> None:
        """A piece is moved or shown; not where something is only tried out."""
        if v is self.state:
            if self.log.open:
                self.log.witness(v, piece, seers, moved)
            if seers & ~self.machine.pieces.seers(v, v[self.machine.program.spots.at + piece]):
                self.shown = len(self.decisions)

    def _draft(self, together: Drafts, seat: int, raw: tuple[Any, ...]) -> None:
        """One more step of what a player does in secret; after the last of all, play goes on."""
        try:
            together.choose(seat, raw)
            if not together.waiting():
                self.machine.say, self.machine.pieces.watch = self._say, self._witness
                together.finish(self._note)
                self.log.settle(self.state)
                self.together = None
        except RulesFault as fault:
            self._void(fault)
            return
        if self.together is None:
            self.go_on()

    def _find(self, stop: Stop, option: Option | int | str) -> tuple[Any, ...]:
        if isinstance(option, Option):
            if option.raw not in stop.options:
                raise IllegalChoice(f"`{option.text}` is not offered")
            return option.raw
        if not isinstance(option, int | str) or isinstance(option, bool):
            raise IllegalChoice("an option is given as such, by its number or by its text")
        if isinstance(option, int):
            if not 0 <= option < len(stop.options):
                raise IllegalChoice(f"there is no option {option}; there are {len(stop.options)}")
            return stop.options[option]
        return self.find(option, stop.seat).raw

    def _told(self, before: Moment, choice: C.Choice, raw: tuple[Any, ...], seat: int) -> str:
        """What is written down of a decision, in no language: enough to find this very option again."""
        state = before[:]
        hidden = self._hidden_alike(state, choice, raw)
        rivals = [o for o in self._offered(state) if o == raw or self._may_read_alike(choice, raw, o, hidden)]
        named = [self.as_option(state, choice, i, each, "en", seat) for i, each in enumerate(rivals)]
        return told(named)[rivals.index(raw)]

    def _offered(self, state: list[int]) -> Sequence[tuple[Any, ...]]:
        """The options at a state that stands at a choice. They are listed anew: menus are too large to be kept."""
        machine = self.machine
        kept, machine.say, machine.pieces.watch = (machine.say, machine.pieces.watch), None, None
        try:
            return machine.run(state[:]).options
        finally:
            machine.say, machine.pieces.watch = kept

    def _hidden_alike(self, state: list[int], choice: C.Choice, raw: tuple[Any, ...]) -> list[bool]:
        """For each value of an option whether another one may read the same: only pieces may, where some are hidden."""
        if raw[0] < 0 or self.machine.program.spots.known < 0:
            return [False] * len(raw)
        variables = choice.entries[raw[0]].variables[_position(state, choice) :]
        return [names_pieces(variable) for variable, _ in zip(variables, raw[1:], strict=False)]

    def _may_read_alike(
        self, choice: C.Choice, raw: tuple[Any, ...], other: tuple[Any, ...], hidden: list[bool]
    ) -> bool:
        """Whether two options may have the same notation: of lines of the menu that bind the same names, or hidden."""
        if raw[0] < 0 or other[0] < 0:
            return raw[0] == other[0]
        if raw[0] == other[0]:
            pairs = zip(raw[1:], other[1:], hidden, strict=False)
            return any(hidden) and all(mine == theirs or may for mine, theirs, may in pairs)
        one, two = choice.entries[raw[0]], choice.entries[other[0]]
        return [v.name for v in one.variables] == [v.name for v in two.variables]

    def find(self, text: str, seat: int | None = None, language: str | None = None) -> Option:
        """The option that a text means, by the rules of `typed.pick`; in any language, where none is given."""
        shown: list[Option] = []
        for each in (language,) if language is not None else LANGUAGES:
            options = self.options(seat, each)
            found = pick(self, seat, text, each, options=options)
            if found.one is not None:
                option: Option = found.one
                return option
            if found.options:
                several = ", ".join(f"`{o.notation or o.text}`" for o in found.options[:4])
                raise IllegalChoice(f"`{text}` could be {several}")
            shown = shown or nearest(options, text)
        raise NotOffered(text, [o.text or o.notation for o in shown])

    def answer(self, value: Any) -> None:
        """Lets a chance point come out so; a shuffle is answered with the pieces from the top down."""
        if self.stop.kind != "chance" or self.stop.chance is None:
            raise IllegalChoice("there is no random event to answer")
        point = self.chance
        assert point is not None
        known = [outcome for outcome, _, _ in point.outcomes]
        if point.kind == "shuffle":
            wanted = list(value) if isinstance(value, list | tuple) else [None]
            if any(piece not in known for piece in wanted) or len(set(wanted)) != len(wanted):
                raise IllegalChoice("the answer to a shuffle is its pieces, from the top down, each once")
            rest = [piece for piece in known if piece not in wanted]
            value = tuple(reversed([*wanted, *rest]))
        elif not any(type(value) is type(outcome) and value == outcome for outcome in known):
            raise IllegalChoice(f"{value} is not a possible outcome here")
        self._remember()
        self.decisions.append(Decision(-1, value, ""))
        self.machine.answer(self.state, self.stop.chance, value)
        self.go_on()

    def go_on(self) -> None:
        """Lets the rules run to the next decision."""
        answers: list[Any] = []
        self.machine.say, self.machine.pieces.watch = (self._say, self._witness) if self.noting else (None, None)
        self.together = None
        try:
            self.stop = self.machine.run(self.state, self.ask_chance, answers)
            while self.stop.kind == "together":
                assert self.stop.together is not None
                drafts = Drafts(self.machine, self.state, self.stop.together)
                if drafts.waiting():
                    self.together = drafts
                    break
                drafts.finish(self._note)
                self.log.settle(self.state)
                self.stop = self.machine.run(self.state, self.ask_chance, answers)
            self._notice_endless_chance()
            if self.stop.kind == "over" and not self.settled:
                self._count()
        except RulesFault as fault:
            self._void(fault)
        self.machine.pieces.watch = None
        if self.stop.kind != "chance":
            self.log.settle(self.state, self.stop.kind == "over")
        if self.noting:
            self.decisions += [Decision(-1, answer, "") for answer in answers]

    def _notice_endless_chance(self) -> None:
        """Where the caller answers chance, every answer is a run of its own, so that its steps never add up."""
        if self.stop.kind != "chance":
            return
        self.unforeseen += 1
        most = self.machine.most_steps // STEPS_PER_EVENT
        if self.unforeseen > most:
            raise RulesFault(None, f"nothing was decided for {most} random events: a loop of the rules never ends")

    def _count(self) -> None:
        """Works out the result once, so that a fault of the scoring is one of the play, not of who asks for it."""
        if self.machine.program.scoring:
            if self.ending == "scored":
                self.ranking_keys()
            else:
                self.scores()

    def _void(self, fault: RulesFault) -> None:
        """A fault of the rules: the play ends and counts for nothing."""
        self.fault, self.together = fault, None
        self.state[ENDED] = C.VOID
        self.stop = Stop("over")

    # --------------------------------------------------------------------------------------------- the log

    def _say(self, v: list[int], op: C.Say) -> None:
        who = self.machine.evaluator.of(op.to)(v) if op.to is not None else self.world.players.everything
        self.log.say(v, op.words, who)

    def lines(self, seat: int | None = None, language: str = "en", since: int = 0) -> list[str]:
        """The log as a seat may read it; without a seat, as a bystander may."""
        found = (self.line(number, seat, language) for number in range(since, len(self.log)))
        return [text for text in found if text]

    def line(self, number: int, seat: int | None = None, language: str = "en") -> str:
        """A line of the log as a seat may read it; empty if it is not for that seat."""
        line = self.log[number]
        if not self.viewer.among(line.readers, seat):
            return ""
        self.words.numbered = False  # which of a hand it was is soon of no use
        try:
            return self._line(line, seat, language)
        finally:
            self.words.numbered = True

    def _line(self, line: Line, seat: int | None, language: str) -> str:
        """A line of the log as a seat may read it."""
        v = line.reading(self.log.known)
        if line.words is not None:
            return self.words.text(v, line.words, language, seat, line.slots)
        assert line.choice is not None
        if self.viewer.among(line.option, seat):
            text = self._text(v, line.choice, line.raw, language, seat, line.slots)
        else:
            text = self.words.fixed("in secret", language)
        return f"{self.words.title(self.world.players, line.seat, language)}: {text}"

    # -------------------------------------------------------------------------------------------- taking back

    def _remember(self) -> None:
        self.undo_points.append((self.log.keep(self.state), len(self.decisions), self.log.mark()))

    def undo(self) -> bool:
        """Takes back the last decision; False if there is none."""
        if not self.undo_points:
            return False
        state, decisions, log = self.undo_points.pop()
        self.state = state[:]
        del self.decisions[decisions:]
        self.fault = None
        self.go_on()
        self.log.back_to(log)
        self.shown = min(self.shown, decisions)
        return True

    def take_back(self, seat: int) -> bool:
        """Takes back the last step of what a seat does in secret; False if there is none."""
        if self.together is None or not self.together.take_back(seat):
            return False
        del self.decisions[max(at for at, decision in enumerate(self.decisions) if decision.seat == seat)]
        self.undo_points.clear()  # they hold what was taken back
        return True

    # --------------------------------------------------------------------------------------- views and saves

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat may see, by names; without a seat, what a bystander may see."""
        return self.viewer.view(self.state_of(seat), seat, self.pending)

    def save(self) -> bytes:
        """The play as bytes, for `Game.resume`."""
        return save_play(self)

    def to_json(self) -> dict[str, Any]:
        """The play as plain data, for `Game.resume`."""
        return play_to_json(self)

    def copy(self) -> Play:
        """A play that goes its own way from here; what was before cannot be taken back in it."""
        twin = Play(self.game, self.configured, self.seed, self.ask_chance, start=False)
        twin.state, twin.stop, twin.fault = self.state[:], self.stop, self.fault
        twin.decisions, twin.log, twin.unforeseen = list(self.decisions), self.log.copy(), self.unforeseen
        twin.shown = self.shown
        if self.together is not None:
            twin.together = Drafts(self.machine, twin.state, self.together.node)
        return twin

    # --------------------------------------------------------------------------------------------- campaigns

    def settle(self) -> None:
        """After the end of a play of a campaign: runs what happens between two plays. It may ask and roll.

        When it is through, `over` holds again and `settled` says so.
        """
        assert self.over, "a play is settled when it is over"
        assert not self.settled, "a play is settled once"
        self.state[WINNERS] = sum(1 << seat for seat in self.winners)
        self.result = (self.ending, self.winners, self.scores())
        self.reason = {language: self.because(language) for language in LANGUAGES}
        between = self.machine.program.between
        assert between is not None, "only a play of a campaign is settled"
        self.state[C.PC] = between
        self.settled = True
        self.go_on()

    # ----------------------------------------------------------------------------------------------- results

    @property
    def ending(self) -> str:
        """running, won, tied, scored or void."""
        return ENDINGS[self.state[ENDED]] if self.over else "running"

    def because(self, language: str = "en", seat: int | None = None) -> str:
        """Why the play ended so, as the rules say it; empty where they say nothing."""
        words = self.world.data.get("because", {}).get(self.state[C.PC]) if self.over else None
        if words is None or self.ending == "void":
            return self.reason.get(language, "")
        return self.words.text(self.state, words, language, seat)

    def rank(self, seat: int, language: str = "en") -> str:
        """The title that a player has by points at the end; empty where the rules have none."""
        ranks = self.world.data["ranks"]
        if not ranks or not self.over or self.ending == "void":
            return ""
        total = sum(self.scores()[seat].values())
        reached = [texts for least, texts in ranks if least <= total] or [ranks[0][1]]
        return str(reached[-1].get(language) or reached[-1]["en"])

    @property
    def one_result(self) -> bool:
        """Whether the players came to one result together, in points that are the same for each."""
        return self.ending == "scored" and bool(self.world.data.get("one result"))

    def scores(self) -> list[dict[str, int]]:
        """The points of every player by their source."""
        found = []
        rows, of = self.machine.program.scoring, self.machine.evaluator.of
        v = self.state[:]
        for player in range(len(self.players)):
            v[C.ME] = player
            found.append({row.name: int(of(row.node)(v)) for row in rows})
        return found

    @property
    def winners(self) -> list[int]:
        """The seats that won; all that share a draw; nobody in a play that is void or lost by all."""
        if not self.over or self.ending == "void":
            return []
        if self.ending != "scored":
            return list(bits(self.state[WINNERS]))
        if not self.machine.program.scoring or self.machine.program.only_ranked:
            return []
        keys = self.ranking_keys()
        best = max(keys)
        return [seat for seat, key in enumerate(keys) if key == best]

    def ranking_keys(self) -> list[tuple[int, ...]]:
        """What decides the ranks in a scored play: the total, then each tie-break."""
        program, of = self.machine.program, self.machine.evaluator.of
        sign = -1 if program.lowest else 1
        totals = [sum(row.values()) for row in self.scores()]
        v = self.state[:]
        keys = []
        for seat, total in enumerate(totals):
            v[C.ME] = seat
            keys.append((sign * total, *(int(of(node)(v)) for node in program.ties)))
        return keys

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for a draw: of a play won or lost by all, 1 or -1 for everybody.

        Where the rules play for stakes, what each has won or lost in a play that was not void.
        """
        if self.machine.program.stakes and self.over and self.ending != "void":
            return [float(sum(row.values())) for row in self.scores()]
        winners = self.winners
        if (
            not self.over
            or self.ending in ("void", "tied")
            or (self.ending == "scored" and len(winners) in (0, len(self.players)))
        ):
            return [0.0] * len(self.players)
        count = len(self.players)
        return [1.0 if seat in winners else -1.0 for seat in range(count)]


def _position(state: list[int], choice: C.Choice) -> int:
    """At which of its variables an option stands that is taken in steps."""
    return (state[choice.stage] - 1) % STRIDE if choice.stage is not None and state[choice.stage] else 0


def _root(variable: C.Variable) -> Root | None:
    kind = _element(variable.type)
    return kind.root if isinstance(kind, Elem) else None


def _element(kind: Any) -> Any:
    """The type of one element of what a variable binds."""
    match kind:
        case SetOf(of=inner) | ListOf(of=inner):
            return inner
        case BagOf(root=root):
            return Elem(root, root.everything)
    return kind


def _is_action(world: GameWorld, name: str) -> bool:
    return name in world.procedures
