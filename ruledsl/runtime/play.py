"""A play: where it stands, who is asked, what may be chosen, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ruledsl.engine.machine import Machine, Stop
from ruledsl.engine.options import DONE, NOTHING, STOP
from ruledsl.ir import core as C
from ruledsl.ir.core import ENDED, ENDINGS, WINNERS, RulesFault
from ruledsl.types import BagOf, Elem, ListOf, SetOf, bits

from .words import Words


class IllegalChoice(Exception):
    """Something was chosen that is not offered."""


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen: `text` for people, `action` and `values` for programs."""

    index: int
    text: str
    action: str
    values: dict[str, Any]
    raw: tuple[Any, ...]
    words: dict[str, str] = field(default_factory=dict)  # the values as names

    @property
    def notation(self) -> str:
        """As tests and replays write it: `attack f=fort_2 team=c51`."""
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
    text: str


class Play:
    """One play of a game. It can be copied, saved, taken back; it changes only by `choose` and `answer`."""

    def __init__(self, game: Any, configured: Any, seed: int, ask_chance: bool = False, start: bool = True) -> None:
        self.game, self.configured, self.seed = game, configured, seed
        self.machine: Machine = configured.machine
        self.world = configured.world
        self.words = Words(configured.world, configured.machine)
        self.ask_chance = ask_chance
        self.decisions: list[Decision] = []
        self.log: list[tuple[int, dict[str, str]]] = []  # who may read it (a set of players), by language
        self.undo_points: list[tuple[list[int], int, int, Any]] = []
        self.fault: RulesFault | None = None
        self.together: Any = None
        self.state: list[int] = []
        self.stop = Stop("over")
        if start:
            self.state = self.machine.start(seed)
            self._go()

    # ------------------------------------------------------------------------------------------- where it stands

    @property
    def players(self) -> list[str]:
        return list(self.configured.players)

    @property
    def over(self) -> bool:
        return self.stop.kind == "over"

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that have a decision to make; several where players decide together."""
        if self.stop.kind == "choice":
            return (self.stop.seat,)
        if self.stop.kind == "together":
            return tuple(self.together.waiting())
        return ()

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
        return ChancePoint("random", tuple((x, n, self.words.name(x, kind)) for x, n in self.machine.domain(self.state, point)))

    def options(self, seat: int | None = None, language: str = "en") -> list[Option]:
        """What a seat may choose, in the order of the rules."""
        stop = self._stop_of(seat)
        if stop is None:
            return []
        assert stop.choice is not None
        state = self.state if self.stop.kind == "choice" else self.together.state_of(stop.seat)
        return [self._option(state, stop.choice, i, raw, language) for i, raw in enumerate(stop.options)]

    def _stop_of(self, seat: int | None) -> Stop | None:
        if self.stop.kind == "choice":
            return self.stop if seat is None or seat == self.stop.seat else None
        if self.stop.kind == "together":
            waiting = self.together.waiting()
            seat = waiting[0] if seat is None and waiting else seat
            return self.together.stops.get(seat)
        return None

    def _option(self, state: list[int], choice: C.Choice, index: int, raw: tuple[Any, ...], language: str) -> Option:
        number = raw[0]
        if number == STOP:
            assert choice.stop is not None
            return Option(index, self.words.stop(state, choice.stop, language), choice.stop.name or "stop", {}, raw)
        if number in (DONE, NOTHING):
            word = "done" if number == DONE else "nothing"
            return Option(index, self.words.fixed(word, language), word, {}, raw)
        entry = choice.entries[number]
        position = (state[choice.stage] - 1) % 32 if choice.stage is not None and state[choice.stage] else 0
        variables = entry.variables[position : position + len(raw) - 1]
        values = {v.name: x for v, x in zip(variables, raw[1:], strict=False)}
        seat = self.stop.seat if self.stop.kind == "choice" else -1
        names = {v.name: self.words.name(x, _element(v.type), "id") for v, x in zip(variables, raw[1:], strict=False)}
        text = self.words.option(state, entry, position, raw[1:], language, seat)
        return Option(index, text, entry.name if entry.span is not None and _is_action(self.world, entry.name) else "", values, raw, names)

    # ------------------------------------------------------------------------------------------- going on

    def choose(self, option: Option | int | str, seat: int | None = None) -> None:
        """Takes an option, given as such, by its number, or by its text."""
        stop = self._stop_of(seat)
        if stop is None or stop.choice is None:
            raise IllegalChoice("nothing is to be chosen" + ("" if seat is None else f" by {self.configured.players[seat]}"))
        raw, text = self._find(stop, option)
        self._remember()
        self.decisions.append(Decision(stop.seat, raw, text))
        if self.stop.kind == "together":
            self.together.choose(stop.seat, raw)
            if not self.together.waiting():
                self.together.finish()
                self.together = None
                self._go()
            return
        self._note(stop.seat, stop, raw)
        self.machine.choose(self.state, stop.choice, raw)
        self._go()

    def _find(self, stop: Stop, option: Option | int | str) -> tuple[tuple[Any, ...], str]:
        if isinstance(option, Option):
            if option.raw not in stop.options:
                raise IllegalChoice(f"`{option.text}` is not offered")
            return option.raw, option.notation or option.text
        if isinstance(option, int):
            if not 0 <= option < len(stop.options):
                raise IllegalChoice(f"there is no option {option}; there are {len(stop.options)}")
            return stop.options[option], str(option)
        found = self.find(option, stop.seat)
        return found.raw, found.notation or found.text

    def find(self, text: str, seat: int | None = None) -> Option:
        """The option that a text means: its label, its notation, or a part of it that fits no other."""
        options = self.options(seat)
        wanted = " ".join(text.split()).lower()
        for form in (_exact, _notation, _parts):
            fitting = [o for o in options if form(o, wanted)]
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                shown = ", ".join(f"`{o.notation or o.text}`" for o in fitting[:4])
                raise IllegalChoice(f"`{text}` could be {shown}")
        raise IllegalChoice(f"`{text}` is not offered")

    def answer(self, value: Any) -> None:
        """Lets a chance point come out so; a shuffle is answered with the pieces from the top down."""
        if self.stop.kind != "chance" or self.stop.chance is None:
            raise IllegalChoice("nothing random is to be answered")
        point = self.chance
        assert point is not None
        known = [outcome for outcome, _, _ in point.outcomes]
        if point.kind == "shuffle":
            wanted = list(value)
            if any(piece not in known for piece in wanted) or len(set(wanted)) != len(wanted):
                raise IllegalChoice("the answer to a shuffle is its pieces, from the top down, each once")
            rest = [piece for piece in known if piece not in wanted]
            value = tuple(reversed([*wanted, *rest]))
        elif value not in known:
            raise IllegalChoice(f"{value} is no outcome here")
        self._remember()
        self.decisions.append(Decision(-1, value, ""))
        self.machine.answer(self.state, self.stop.chance, value)
        self._go()

    def _go(self) -> None:
        """Lets the rules run to the next decision."""
        answers: list[Any] = []
        self.machine.say = self._say
        try:
            self.stop = self.machine.run(self.state, self.ask_chance, answers)
            if self.stop.kind == "together":
                from .together import Drafts

                self.together = Drafts(self, self.stop.together)
                if not self.together.waiting():
                    self.together.finish()
                    self.together = None
                    self._go()
        except RulesFault as fault:
            self.fault = fault
            self.state[ENDED] = C.VOID
            self.stop = Stop("over")
        self.decisions += [Decision(-1, answer, "") for answer in answers]

    # --------------------------------------------------------------------------------------------- the log

    def _say(self, v: list[int], op: C.Say) -> None:
        who = self.machine.evaluator.of(op.to)(v) if op.to is not None else self.world.players.everything
        self.log.append((who, self.words.line(v, op.words)))

    def _note(self, seat: int, stop: Stop, raw: tuple[Any, ...]) -> None:
        assert stop.choice is not None
        if raw[0] == NOTHING:
            return
        lines = {}
        for language in ("en", "ru"):
            option = self._option(self.state, stop.choice, 0, raw, language)
            lines[language] = f"{self.words.name(seat, Elem(self.world.players, -1), language)}: {option.text}"
        self.log.append((self.world.players.everything, lines))

    # -------------------------------------------------------------------------------------------- taking back

    def _remember(self) -> None:
        self.undo_points.append((self.state[:], len(self.decisions), len(self.log), (self.stop, self.together.copy() if self.together else None)))

    def undo(self) -> bool:
        """Takes back the last decision; False if there is none."""
        if not self.undo_points:
            return False
        self.state, decisions, log, (self.stop, self.together) = self.undo_points.pop()
        del self.decisions[decisions:]
        del self.log[log:]
        self.fault = None
        return True

    def copy(self) -> Play:
        """A play that goes its own way from here; what was before cannot be taken back in it."""
        twin = Play(self.game, self.configured, self.seed, self.ask_chance, start=False)
        twin.state, twin.stop, twin.fault = self.state[:], self.stop, self.fault
        twin.decisions, twin.log = list(self.decisions), list(self.log)
        twin.together = self.together.copy(twin) if self.together else None
        return twin

    # ----------------------------------------------------------------------------------------------- results

    @property
    def ending(self) -> str:
        """running, won, tied, scored or void."""
        return ENDINGS[self.state[ENDED]] if self.over else "running"

    def scores(self) -> list[dict[str, int]]:
        """The points of every player by their source."""
        found = []
        rows = self.world.data["scoring"]
        v = self.state[:]
        for player in range(len(self.players)):
            v[C.ME] = player
            found.append({name: int(self.machine.evaluator.of(node)(v)) for name, node, _ in rows})
        return found

    @property
    def winners(self) -> list[int]:
        """The seats that won; all that share a draw; nobody in a play that is void or lost by all."""
        if not self.over or self.ending == "void":
            return []
        if self.ending != "scored":
            return list(bits(self.state[WINNERS]))
        if not self.world.data["scoring"]:
            return []
        keys = self.ranking_keys()
        best = max(keys)
        return [seat for seat, key in enumerate(keys) if key == best]

    def ranking_keys(self) -> list[tuple[int, ...]]:
        """What decides the ranks in a scored play: the total, then each tie-break."""
        sign = -1 if self.world.data["lowest"] else 1
        totals = [sum(row.values()) for row in self.scores()]
        v = self.state[:]
        keys = []
        for seat, total in enumerate(totals):
            v[C.ME] = seat
            keys.append((sign * total, *(int(self.machine.evaluator.of(node)(v)) for node in self.world.data["ties"])))
        return keys

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, shared wins and draws in between: the sum is 0 where somebody won."""
        winners = self.winners
        count = len(self.players)
        if not self.over or self.ending in ("void", "tied") or not winners or len(winners) == count:
            if self.ending == "won" and not winners:
                return [-1.0] * count
            return [0.0] * count
        return [1.0 if seat in winners else -1.0 for seat in range(count)]


def _element(kind: Any) -> Any:
    """The type of one element of what a variable binds."""
    match kind:
        case SetOf(of=inner) | ListOf(of=inner):
            return inner
        case BagOf(root=root):
            return Elem(root, root.everything)
    return kind


def _is_action(world: Any, name: str) -> bool:
    return name in world.procedures


def _exact(option: Option, wanted: str) -> bool:
    return option.text.lower() == wanted or option.notation.lower() == wanted


def _notation(option: Option, wanted: str) -> bool:
    """`attack f=fort_2`: every part must be in the notation."""
    parts = wanted.split()
    own = option.notation.lower().split()
    return bool(parts) and all(part in own for part in parts)


def _parts(option: Option, wanted: str) -> bool:
    """Words of the label or bare values, in any order."""
    words = option.text.lower().replace("-", " ").split() + [word.lower() for word in option.words.values()]
    return all(part in words for part in wanted.replace("-", " ").split())



