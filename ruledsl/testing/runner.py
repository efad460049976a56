"""Runs tests: begins plays, takes their moves, asks their expectations, and says what is not as expected."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from ruledsl.analysis.declarations.options import ForbiddenError, OptionError
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.engine.machine import Stop
from ruledsl.generate.python_machine import GeneratedMachine
from ruledsl.ir.core import RulesFault
from ruledsl.records import dataclass
from ruledsl.runtime import campaign
from ruledsl.runtime.game import Configured, Game
from ruledsl.runtime.play import IllegalChoice, NotOffered, Option, Play
from ruledsl.runtime.why import why
from ruledsl.source.document import Map, Node, Scalar, Seq, load_file
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import LANGUAGES, Fields, fields, scalars, shape_of

from .asking import Asker
from .beginnings import begun_by
from .endings import Ending, ended
from .failures import Failed, Failure, Mistaken, several, several_more, squeezed
from .given import Position
from .knowledge import Heard, Knowledge, heard
from .leading import Beginning, begin, chance_by_stream
from .looking import Looking, Mistakes
from .position import shown
from .suites import PLAY, POSITION, STEP, Case, Setting, cases_of, read_players, setting_of

MOST_DECISIONS = 2_000
MOST_OPTIONS = 12
STEPS_OF_TESTS = 2_000_000
BEGINNINGS = (("before", "round"), ("turn", "turn"))  # keys of `given:`, and where play is taken from
PATIENCE = 20  # decisions under the same players and options before functions are made for them


@dataclass(eq=False)
class Outcome:
    """How a test went."""

    case: Case
    failures: list[Failure] = field(default_factory=list)
    mistakes: int = 0
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.failures and not self.mistakes


class Tests:
    """The tests of one game; `report` has the mistakes in them."""

    __test__ = False  # not for pytest

    def __init__(self, game: Game, report: Report | None = None, cases: list[Case] | None = None) -> None:
        self.game = game
        self.every_option = False  # whether what fails tells all that is offered
        self.explaining = True  # else only whether a test holds is asked for, and what failed says nothing more
        self.report = report or Mistakes()
        self.cases = cases if cases is not None else cases_of(game.blueprint, self.report)
        self.most_steps = STEPS_OF_TESTS
        self.met: set[Configured] = set()
        self.askers: dict[int, Asker] = {}
        self.entered: Callable[[Configured], Any] | None = None  # told of every configuration before it is played
        self.conditions: dict[tuple[int, Node], Any] = {}
        self.begun: dict[tuple[int, int, Beginning], Play] = {}  # plays before a position is put in place

    def run(self, cases: list[Case] | None = None) -> Iterator[Outcome]:
        for case in self.cases if cases is None else cases:
            yield self.run_case(case)

    def run_case(self, case: Case) -> Outcome:
        """One test from beginning to end."""
        outcome = Outcome(case)
        before, start = self.report.errors, time.perf_counter()
        try:
            _Run(self, case).go()
        except Failed as failed:
            outcome.failures.append(failed.failure)
        except Mistaken:
            outcome.mistakes = max(1, self.report.errors - before)
        if self.report.errors > before:
            outcome.mistakes = self.report.errors - before
        outcome.seconds = time.perf_counter() - start
        return outcome

    def configured(self, setting: Setting, at: Span) -> Configured:
        """The game for the players and options of a test."""
        try:
            configured = self.game.configured(setting.players, setting.options, setting.names)
        except OptionError as problem:
            self.report.error("Q106", at, str(problem))
            raise Mistaken from None
        except GameError as problem:
            for found in problem.report.findings:
                self.report.add(found)
            raise Mistaken from None
        machine = configured.machine
        if isinstance(machine, GeneratedMachine) and configured not in self.met:
            machine.patience = PATIENCE
        self.met.add(configured)
        machine.most_steps = self.most_steps
        if self.entered is not None:
            self.entered(configured)
        return configured

    def asker(self, configured: Configured) -> Asker:
        key = id(configured)
        if key not in self.askers:
            self.askers[key] = Asker(configured, self.report)
        return self.askers[key]


class _Run:
    """One test under way."""

    def __init__(self, tests: Tests, case: Case) -> None:
        self.tests, self.case, self.report = tests, case, tests.report
        self.blueprint = tests.game.blueprint
        self.answers: list[Node] = []
        self.fault_expected = False
        self.letters = list(case.letters)
        self.said: Heard = {}  # between the last play and this one

    def go(self) -> None:
        f = self.case.fields
        position = self._position_file(f)
        base = setting_of(position, self.blueprint, self.report) if position is not None else None
        setting = setting_of(f, self.blueprint, self.report, base)
        if setting is None or (position is not None and base is None):
            raise Mistaken
        if f.has("forbidden"):
            self._forbidden(f, setting)
            return
        self.enter(setting)
        parts = [p for p in (position, f) if p is not None]
        self._looking().at(f)
        if any(f.has(key) for key in ("expect", "then", "perft", "given", "moves", "from")):
            self.play = self._begin(parts)
            for part in parts:
                self._step(part)
            for node in self._list(f.get("then")):
                step = fields(node, STEP, self.report)
                if step is None:
                    raise Mistaken
                self._step(step)
            if f.has("perft"):
                self._perft(f)
            self._no_fault(self.case.span)
            self._nothing_is_left()
        if f.has("play"):
            self._plays(f)
        elif f.has("always") or f.has("finally"):
            key = f.node.key("always") or f.node.key("finally")
            assert key is not None
            self.report.error("Q107", key.span, f"`{key.value}:` is about random plays", help="add `play: {games: 20}`")
            raise Mistaken

    def _forbidden(self, f: Fields, setting: Setting) -> None:
        """Players and options of a test that the game refuses, with these words."""
        key, words = f.node.key("forbidden"), f.get("forbidden")
        assert key is not None
        listed = [e.value for e in words] if isinstance(words, Map) else [words]
        wanted = [word for word in listed if isinstance(word, Scalar)]
        try:
            self.tests.game.configured(setting.players, setting.options, setting.names)
        except ForbiddenError as problem:
            for word in wanted:
                if not any(word.value in text for text in problem.texts.values()):
                    raise Failed(Failure(word.span, f"it is refused for another reason: {problem}")) from None
            return
        except (OptionError, GameError) as problem:
            raise Failed(Failure(key.span, f"it is refused with another reason: {problem}")) from None
        raise Failed(Failure(key.span, "these players and options can be played"))

    def enter(self, setting: Setting) -> None:
        """The game as the test wants it."""
        self.setting = setting
        self.configured = self.tests.configured(setting, self.case.span)
        self.asker = self.tests.asker(self.configured)
        self.seats = list(self.configured.players)

    def _looking(self) -> Looking:
        return Looking(self.asker, self.seats, self.report, self.tests.conditions)

    def _condition(self, node: Node) -> Any:
        return self._looking().condition(node)

    def _expectation(self, item: Node) -> Fields | None:
        return self._looking().expectation(item)

    def _knowledge(self) -> Knowledge:
        return Knowledge(self.asker, self.seats, self.report)

    # ------------------------------------------------------------------------------------------ beginning

    def _position_file(self, f: Fields) -> Fields | None:
        node = f.get("from")
        if not isinstance(node, Scalar):
            return None
        read = load_file(self.case.path / node.value, self.report, self.blueprint.source.root, node.span)
        found = fields(read, POSITION, self.report) if read is not None else None
        if found is None:
            raise Mistaken
        if (letters := found.map("letters")) is not None:
            self.letters.insert(0, letters)
        return found

    def _begin(self, parts: list[Fields]) -> Play:
        """A play at the position of the test."""
        play = Play(self.tests.game, self.configured, self.setting.seed, start=False)
        play.state = play.machine.start(self.setting.seed)
        play.ask_chance = True
        given = [node for part in parts if (node := part.map("given")) is not None]
        if not given:
            self.play = play
            self._take_answers(*parts)
            play.go_on()
            self._settle()
            return play
        to = next((to for key, to in BEGINNINGS if any(node.get(key) is not None for node in given)), "decision")
        phases = [phase.value for node in given if isinstance(phase := node.get("phase"), Scalar)]
        where = Beginning(to, phases[-1] if phases else "")
        if not all(Position(self.asker, self.letters, self.seats).has_beginning(node) for node in given):
            raise Mistaken
        key = (id(self.configured), self.setting.seed, where)
        if key not in self.tests.begun:
            if not begin(play, where):
                end = play.fault.message if play.fault else "play is over before"
                raise Failed(Failure(given[0].span, f"the position of `given` is never reached: {end}"))
            self.tests.begun[key] = play
        play = self.tests.begun[key].copy()
        for node in given:
            if not Position(self.asker, self.letters, self.seats).put(play, node):
                raise Mistaken
        play.log.clear()
        play.decisions.clear()
        self.play = play
        self._take_answers(*parts)
        play.go_on()
        self._settle()
        return play

    def _take_answers(self, *parts: Fields) -> None:
        for node in (part.get("chance") for part in parts):
            if isinstance(node, Seq):
                self.answers += node.items

    def _nothing_is_left(self) -> None:
        """Answers that no random event asked for say something else than what the test shows."""
        if self.answers:
            first, more = self.answers[0], len(self.answers) - 1
            text = first.span.one_line
            beside = f", nor for the {several_more(more)} after it" if more else ""
            message = f"no random event came for `{text}`{beside}"
            help = "remove it, or check that the moves lead to where it is rolled or drawn"
            raise Failed(Failure(first.span, message, (help,), self._shown()))

    # ------------------------------------------------------------------------------------------ going on

    def _settle(self) -> None:
        """Answers what is random: as the test says, then from the streams."""
        while self.play.stop.kind == "chance":
            if self.answers:
                self._answer(self.answers.pop(0))
            else:
                chance_by_stream(self.play)

    def _answer(self, node: Node) -> None:
        point = self.play.chance
        assert point is not None
        names = {name: value for value, _, name in point.outcomes}
        if point.kind == "shuffle":
            words = list(scalars(node))
            wanted = [w for w in words if w.value not in ("...", "…")]
            values = [self._outcome(word, names) for word in wanted]
            if len(values) < len(names) and len(words) == len(wanted):
                raise Failed(
                    Failure(
                        node.span,
                        f"this shuffle has {len(names)} pieces, and {len(values)} are named",
                        ("`...` stands for the rest in any order",),
                    )
                )
            self._answered(node, values)
        elif isinstance(node, Scalar):
            self._answered(node, self._outcome(node, names))
        else:
            self.report.error("Q108", node.span, f"this random event has a single outcome, not {shape_of(node)}")
            raise Mistaken

    def _answered(self, node: Node, value: Any) -> None:
        try:
            self.play.answer(value)
        except IllegalChoice as problem:
            raise Failed(Failure(node.span, str(problem))) from None

    def _outcome(self, word: Scalar, names: dict[str, Any]) -> Any:
        if word.value in names:
            return names[word.value]
        hint = did_you_mean(nearest(word.value, names)) or f"there are {', '.join(list(names)[:MOST_OPTIONS])}"
        raise Failed(Failure(word.span, f"`{word.value}` cannot come out here", (hint,), self._shown()))

    def _step(self, f: Fields) -> None:
        """Moves, then expectations."""
        if f.form is STEP:
            self._take_answers(f)
            if f.has("next_play"):
                self._next_play(f)
            self._settle()
        for node in self._list(f.get("moves")):
            self._move(node)
        for _ in range(f.number("steps")):
            self._forced(f)
        if f.form is POSITION:
            return
        for node in self._list(f.get("expect")):
            self._expect(node)

    def _next_play(self, f: Fields) -> None:
        """What happens between two plays, then the next play of the campaign."""
        key, who = f.node.key("next_play"), f.get("next_play")
        assert key is not None
        if self.play.machine.program.between is None:
            self.report.error("Q112", key.span, f"{self.tests.game.name} has no campaign", help="add `campaign:` to it")
            raise Mistaken
        if not self.play.over:
            raise Failed(Failure(key.span, "the play is not over", self._offered(None), self._shown()))
        self._no_fault(key.span)
        since = len(self.play.log)
        self.play.settle()
        self._settle()
        self._no_fault(key.span)
        self.said = heard(self.play, since)
        if not self.play.over:
            raise Failed(Failure(key.span, "a player is asked between the plays", self._offered(None), self._shown()))
        kept, setting = campaign.kept_of(self.play), replace(self.setting)
        if not (isinstance(who, Scalar) and who.value == "same"):
            before = self.report.errors
            read_players(f.get("next_play") or key, self.blueprint, setting, self.report)
            if self.report.errors > before:
                raise Mistaken
        out = self._out_of_the_test()
        self.enter(setting)
        state = self.configured.machine.start(self.setting.seed)
        campaign.restore(self.configured, state, kept)
        for piece in out:
            self.configured.machine.pieces.move(state, piece, self.configured.world.spots.reserve[piece])
        self.play = Play(self.tests.game, self.configured, self.setting.seed, ask_chance=True, state=state)

    def _out_of_the_test(self) -> list[int]:
        """Pieces in reserve though they start elsewhere: the position of the test has them nowhere."""
        world, v = self.play.world, self.play.state
        home, spots = world.data.get("home", ()), world.spots
        return [p for p, start in enumerate(home) if v[spots.at + p] == spots.reserve[p] != start]

    def _move(self, node: Node) -> None:
        """One decision: `player: option`, or the option alone."""
        seat: int | None = None
        word = node
        if isinstance(node, Map):
            if len(node) != 1:
                self.report.error(
                    "Q109",
                    node.span,
                    "a move is one player and one option",
                    help="write a list of them: `- anna: roll`",
                )
                raise Mistaken
            entry = next(iter(node))
            seat, word = self._seat(entry.key), entry.value
        if not isinstance(word, Scalar):
            self.report.error(
                "Q109", word.span, f"a move is an option in words, not {shape_of(word)}", help="write `player: option`"
            )
            raise Mistaken
        play = self.play
        if play.over:
            how = (ended(self.play, self.seats),)
            raise Failed(Failure(node.span, f"`{word.value}` cannot be played: the play is over", how, self._shown()))
        if seat is not None and seat not in play.pending:
            who = " and ".join(self.seats[p] for p in play.pending)
            raise Failed(
                Failure(
                    node.span,
                    f"it is not the turn of {self.seats[seat]}, but of {who}",
                    self._offered(None),
                    self._shown(),
                )
            )
        try:
            play.choose(word.value, seat)
        except NotOffered as problem:
            raise self._not_offered(word, seat, problem) from None
        except IllegalChoice as problem:
            raise Failed(Failure(word.span, str(problem), self._offered(seat), self._shown())) from None
        self._settle()

    def _forced(self, f: Fields) -> None:
        key = f.node.key("steps")
        assert key is not None
        play = self.play
        if play.over:
            how = (ended(self.play, self.seats),)
            raise Failed(Failure(key.span, "no more steps can be taken: the play is over", how))
        if len(play.options()) != 1:
            raise Failed(Failure(key.span, "this step is not forced", self._offered(None), self._shown()))
        play.choose(0)
        self._settle()

    def _seat(self, key: Scalar) -> int:
        found = self._looking().seat(key)
        if found is None:
            raise Mistaken
        return found

    # ---------------------------------------------------------------------------------------- expectations

    def _expect(self, node: Node) -> None:
        if isinstance(node, Scalar):
            self._no_fault(node.span)
            self._hold([node], self.play)
            return
        f = self._expectation(node)
        if f is None:
            raise Mistaken
        checks: dict[str, Callable[[Node], None]] = {
            "faults": self._faults,
            "legal": self._legal,
            "offered": self._offers,
            "refused": self._refused,
            "sees": lambda value: self._knowledge().sees(self.play, value),
            "ends": self._ends,
            "log": lambda value: self._knowledge().log(self.play, self.said, value),
        }
        for key, check in checks.items():
            if f.has(key):
                value = f.node.get(key)
                assert value is not None
                if key != "faults":
                    self._no_fault(value.span)
                check(value)

    def _hold(self, nodes: list[Node], play: Play, what: str = "") -> None:
        """All of these conditions, asked of one position."""
        here: dict[bool, list[int]] = {}
        for node in nodes:
            self._holds(node, play, here, what)

    def _holds(self, node: Node, play: Play, here: dict[bool, list[int]], what: str = "") -> None:
        made = self._condition(node)
        if made is None:
            raise Mistaken
        text = node.span.one_line
        try:
            if self.asker.holds(made, play, here):
                return
        except RulesFault as fault:
            raise Failed(
                Failure(node.span, f"`{text}` cannot be worked out: {fault.message}", (), self._shown(play))
            ) from None
        told = self.tests.explaining
        details = self.asker.explain(node, self.asker.vector(play), play.words) if told else ()
        raise Failed(Failure(node.span, f"{what}`{text}` does not hold", tuple(details), self._shown(play)))

    def _no_fault(self, span: Span) -> None:
        fault = self.play.fault
        if fault is not None and not self.fault_expected:
            raise Failed(Failure(span, f"the rules end in a fault: {fault.message}", _place(fault), self._shown()))

    def _faults(self, node: Node) -> None:
        fault = self.play.fault
        wanted = node.value if isinstance(node, Scalar) else ""
        if wanted == "false":
            self._no_fault(node.span)
        elif fault is None:
            raise Failed(Failure(node.span, "the rules do not end in a fault", (), self._shown()))
        elif wanted != "true" and wanted.lower() not in fault.message.lower():
            raise Failed(Failure(node.span, f"the fault is another one: {fault.message}", _place(fault)))
        self.fault_expected = fault is not None

    def _found(self, word: Scalar, seat: int | None = None) -> Option | NotOffered:
        """The option of a text, or that it is not offered."""
        try:
            return self.play.find(word.value, seat)
        except NotOffered as problem:
            return problem
        except IllegalChoice as problem:
            raise Failed(Failure(word.span, str(problem), (), "")) from None

    def _by_seat(self, node: Node) -> Iterator[tuple[int | None, list[Scalar]]]:
        """Options by player where the keys are players, else of whoever is to move."""
        if isinstance(node, Map):
            for entry in node:
                yield self._seat(entry.key), list(scalars(entry.value))
        else:
            yield None, list(scalars(node))

    def _legal(self, node: Node) -> None:
        for seat, words in self._by_seat(node):
            options = self.play.options(seat)
            missing, found = [], set()
            for word in words:
                if (begun := begun_by(self.play, word.value, seat)) is not None:
                    missing += [] if begun else [word.value]
                    found |= {option.index for option in begun}
                    continue
                option = self._found(word, seat)
                if isinstance(option, NotOffered):
                    missing.append(word.value)
                elif option.index in found:
                    message = f"`{word.value}` is an option that is named before"
                    raise Failed(Failure(word.span, message, self._offered(seat), self._shown()))
                else:
                    found.add(option.index)
            more = [_name(o) for o in options if o.index not in found]
            if missing or more:
                details = [f"not offered: {', '.join(missing)}"] if missing else []
                details += [f"also offered: {several(more, self._most_named)}"] if more else []
                raise Failed(
                    Failure(node.span, f"the options are not these {len(words)}", tuple(details), self._shown())
                )

    def _offers(self, node: Node) -> None:
        for seat, words in self._by_seat(node):
            for word in words:
                begun = begun_by(self.play, word.value, seat)
                found = self._found(word, seat) if begun is None else None
                if begun == []:
                    found = NotOffered(word.value)
                if isinstance(found, NotOffered):
                    raise self._not_offered(word, seat, found)

    def _not_offered(self, word: Scalar, seat: int | None, problem: NotOffered) -> Failed:
        near = (f"nearest offered: {', '.join(problem.nearest)}",) if problem.nearest else ()
        return Failed(
            Failure(
                word.span,
                f"`{word.value}` is not offered",
                (*self._why(word.value, seat), *near, *self._offered(seat)),
                self._shown(),
            )
        )

    def _refused(self, node: Node) -> None:
        pairs: list[tuple[Scalar, str]] = []
        if isinstance(node, Map):
            pairs = [(e.key, e.value.value if isinstance(e.value, Scalar) else "") for e in node]
        else:
            pairs = [(word, "") for word in scalars(node)]
        for word, wanted in pairs:
            if self._offers_any(word):
                raise Failed(Failure(word.span, f"`{word.value}` is offered", self._offered(None), self._shown()))
            strange = self.asker.vocabulary.strange(word.value)
            if strange:
                hint = did_you_mean(nearest(strange[0], self.asker.vocabulary.words))
                details = (*((hint,) if hint else ()), *self._offered(None))
                message = f"`{word.value}` can never be offered: nothing here is called `{strange[0]}`"
                raise Failed(Failure(word.span, message, details, self._shown()))
            if wanted and not any(squeezed(wanted) in squeezed(line) for line in self._reasons(word.value)):
                message = f"`{word.value}` is not refused because of `{wanted}`"
                raise Failed(Failure(word.span, message, tuple(self._why(word.value, None)), self._shown()))

    def _offers_any(self, word: Scalar) -> bool:
        if (begun := begun_by(self.play, word.value, None)) is not None:
            return bool(begun)
        try:
            self.play.find(word.value)
        except NotOffered:
            return False
        except IllegalChoice:  # several could be meant
            return True
        return True

    def _ends(self, node: Node) -> None:
        wanted = Ending(self.play, self.seats, self.report)
        self.fault_expected = self.fault_expected or wanted.void(node)
        if not wanted.agrees(node):
            raise Failed(
                Failure(node.span, "the play does not end like this", (ended(self.play, self.seats),), self._shown())
            )

    # -------------------------------------------------------------------------------------- counting, plays

    def _perft(self, f: Fields) -> None:
        from ruledsl.runtime.perft import Perft, PerftError

        node = f.map("perft")
        assert node is not None
        decisions = False
        depths: list[tuple[int, int, Scalar]] = []
        for entry in node:
            if entry.key.value == "decisions":
                decisions = isinstance(entry.value, Scalar) and entry.value.as_bool() is True
                continue
            depth = entry.key.as_int()
            count = entry.value.as_int() if isinstance(entry.value, Scalar) else None
            if depth is None or count is None or depth < 1:
                self.report.error(
                    "Q111",
                    entry.key.span,
                    "`perft` says how many ways there are to each depth",
                    help="as in `{1: 20, 2: 400}`",
                )
                raise Mistaken
            depths.append((depth, count, entry.key))
        perft = Perft(self.play, decisions)
        for depth, count, key in depths:
            try:
                found = perft.count(depth, most=3 * count + 1_000)
            except PerftError as problem:
                raise Failed(Failure(key.span, str(problem))) from None
            except RulesFault as fault:
                raise Failed(Failure(key.span, f"the rules end in a fault: {fault.message}", _place(fault))) from None
            if found != count:
                more = "more than " if found > 3 * count + 1_000 else ""
                raise Failed(
                    Failure(
                        key.span,
                        f"perft to depth {depth}: expected {count}, but it is {more}{found}",
                        (),
                        self._shown(),
                    )
                )

    def _plays(self, f: Fields) -> None:
        found = fields(f.get("play"), PLAY, self.report)
        if found is None:
            raise Mistaken
        setting = setting_of(found, self.blueprint, self.report, self.setting)
        if setting is None:
            raise Mistaken
        configured = self.tests.configured(setting, self.case.span)
        self.asker, self.seats = self.tests.asker(configured), list(configured.players)
        if isinstance(configured.machine, GeneratedMachine):
            configured.machine.patience = 0
        always, finally_ = self._list(f.get("always")), self._list(f.get("finally"))
        most = found.number("most", MOST_DECISIONS)
        for game in range(found.number("games")):
            seed = setting.seed + game
            play = Play(self.tests.game, configured, seed, noting=False)
            rng = random.Random(seed)  # chooses for the players; chance comes from the play's own streams
            name = f"play with seed {seed}"
            for number in range(most + 1):
                self._sound(play, f, name, number)
                self._hold(always, play, f"{name}, after {number} decisions: ")
                if play.over:
                    break
                seat = rng.choice(play.pending)
                stop = _stop_of(play, seat)
                play.choose(rng.randrange(len(stop.options)), seat)
            else:
                raise Failed(
                    Failure(self._key(f, "play"), f"{name} is not over after {most} decisions", (), self._shown(play))
                )
            self._hold(finally_, play, f"{name}, at its end: ")

    def _sound(self, play: Play, f: Fields, name: str, number: int) -> None:
        if play.fault is not None:
            raise Failed(
                Failure(
                    self._key(f, "play"),
                    f"{name}, after {number} decisions: the rules end in a fault: {play.fault.message}",
                    _place(play.fault),
                    self._shown(play),
                )
            )

    def _key(self, f: Fields, name: str) -> Span:
        key = f.node.key(name)
        return key.span if key is not None else self.case.span

    # -------------------------------------------------------------------------------------------- showing

    def _list(self, node: Node | None) -> list[Node]:
        if node is None:
            return []
        return list(node.items) if isinstance(node, Seq) else [node]

    def _shown(self, play: Play | None = None) -> str:
        return shown(play or self.play) if self.tests.explaining else ""

    @property
    def _most_named(self) -> int:
        return 1_000_000 if self.tests.every_option else MOST_OPTIONS

    def _offered(self, seat: int | None) -> tuple[str, ...]:
        if not self.play.pending or not self.tests.explaining:
            return ()
        names = [_name(o) for o in self.play.options(seat)]
        if self.tests.every_option and names:
            return ("offered:", *(f"  {name}" for name in names))
        return (f"offered: {several(names) if names else 'nothing'}",)

    def _why(self, text: str, seat: int | None) -> list[str]:
        """Why something is not offered, as players read it, and where that stands in the rules."""
        if not self.tests.explaining:
            return []
        answer = why(self.play, seat, text)
        return [*answer.reasons, *((f"at {answer.place}",) if answer.place else ())]

    def _reasons(self, text: str) -> list[str]:
        """What players read in any language."""
        return [reason for language in LANGUAGES for reason in why(self.play, None, text, language).reasons]


def _stop_of(play: Play, seat: int) -> Stop:
    stop = play.stop_of(seat)
    assert stop is not None
    return stop


def _name(option: Option) -> str:
    return option.notation if option.action and option.notation else option.text


def _place(fault: RulesFault) -> tuple[str, ...]:
    if fault.span is None:
        return ()
    return (f"at {fault.span.file.path}:{fault.span.line}: {fault.span.one_line[:100]}",)


def position_of(
    game: Game,
    path: Path,
    players: int | None = None,
    names: list[str] | None = None,
    options: dict[str, Any] | None = None,
    seed: int | None = None,
) -> tuple[Play | None, Report, Failure | None]:
    """The play that a file with a position describes; what is asked for here counts more than what the file says."""
    report = Mistakes()
    read = load_file(path, report)
    found = fields(read, POSITION, report) if read is not None else None
    if found is None:
        return None, report, None
    letters = [table for part in (found, *game.blueprint.source.parts) if (table := part.map("letters")) is not None]
    case = Case(path.name, found.node.span, found, letters, [], path.parent)
    tests = Tests(game, report, [case])
    run = _Run(tests, case)
    try:
        setting = setting_of(found, game.blueprint, report)
        if setting is None:
            raise Mistaken
        setting.players, setting.names = (len(names), names) if names else (players or setting.players, setting.names)
        setting.options |= options or {}
        setting.seed = setting.seed if seed is None else seed
        run.enter(setting)
        run.play = run._begin([found])
        run._step(found)
    except Failed as failed:
        return None, report, failed.failure
    except Mistaken:
        return None, report, None
    return None if report.errors else run.play, report, None


__all__ = ["Failure", "Mistakes", "Outcome", "Tests", "position_of"]
