"""What can be said of a test before it is played: every name, word and shape in it, wherever play leads.

`ruledsl check` looks over all tests of a game in the configurations that it works out anyway. A test for players and
options that are not among these is taken in any of them: only where that finds something, the very configuration of the
test is worked out, and what it says counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from ruledsl.analysis.compile import GameWorld
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.analysis.notes import Notes
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest, quoted
from ruledsl.engine.machine import Machine
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Node, Scalar, Seq, load_file, nodes_of
from ruledsl.syntax.shapes import Fields, fields, scalars
from ruledsl.types import Root

from .asking import Asker
from .endings import as_ends, look_over
from .failures import Mistaken
from .given import Position
from .grouped import as_condition
from .knowledge import Knowledge
from .suites import EXPECT, PLAY, POSITION, STEP, Case, Setting, cases_of, setting_of

Which: TypeAlias = tuple[int, frozenset[tuple[str, str]]]  # how many play, and the options that are set
_SHOWN = 6  # moves in an example
_NUMBERED = re.compile(r"[^\W\d_]+\d+")  # `b9`, as spaces of grids are called
_UNKNOWN = ("N101", "N102", "N103", "N111", "N121", "N122", "T229", "Q204", "Q118")


class Mistakes(Report):
    """What is wrong in tests; that a condition is always so is what tests are about."""

    def warn(self, *args: Any, **more: Any) -> None:
        """Advice about rules is not for tests."""


class _Unread(Mistakes):
    """Mistakes of a configuration that is not that of the test: it only counts whether there are any."""

    advises = False


def _is_count(node: Node) -> bool:
    return isinstance(node, Scalar) and node.as_int() is not None


class Looking:
    """Looks over what stands in tests, with the names of one configured game."""

    def __init__(
        self, asker: Asker, seats: list[str], report: Report, conditions: dict[Any, Any] | None = None
    ) -> None:
        self.asker, self.seats, self.report = asker, seats, report
        self.conditions = conditions if conditions is not None else {}

    def at(self, f: Fields) -> None:
        """Everything in a test that can be looked at before it is played; raises `Mistaken` if any of it is wrong."""
        before = self.report.errors
        steps, names = [f], self.asker.world.names
        steps += [step for node in nodes_of(f.get("then")) if (step := fields(node, STEP, self.report)) is not None]
        for step in steps:
            self._answers(step)
            self._one_text(step.get("moves"))
            for item in nodes_of(step.get("moves")):
                self._move(item)
            for item in nodes_of(step.get("expect")):
                if isinstance(item, Scalar) and item.value in EXPECT.tried and item.value not in names:
                    help = EXPECT.tried[item.value]
                    self.report.error("S101", item.span, f"`{item.value}` is no condition", help=help)
                elif isinstance(item, Scalar) and (ends := as_ends(item.value, self.seats)):
                    said = "how a play ends is told by `ends:`"
                    self.report.error("S101", item.span, said, help=f"write `ends: {ends}`")
                elif isinstance(item, Scalar):
                    self._can_fail(item, self.condition(item))
                else:
                    self.expectation(item)
        for key in ("always", "finally"):
            for item in nodes_of(f.get(key)):
                self.condition(item)
        ways = f.get("perft")
        for entry in ways if isinstance(ways, Map) else ():
            if entry.key.value != "decisions" and not all(_is_count(part) for part in (entry.key, entry.value)):
                said = "`perft` says how many ways there are to each depth"
                self.report.error("Q111", entry.key.span, said, help="as in `{1: 20, 2: 400}`")
        if self.report.errors > before:
            raise Mistaken

    def condition(self, node: Node) -> Any:
        key = (id(self.asker), node)
        if key not in self.conditions:
            self.conditions[key] = self.asker.condition(node)
        found = self.conditions[key]
        if found is None and not self.report.errors:
            raise Mistaken
        return found

    def _one_text(self, node: Node | None) -> None:
        """`moves: anna roll, boris roll`: several moves in one text."""
        parts = [part.strip() for part in node.value.split(",")] if isinstance(node, Scalar) else []
        named = [part.partition(" ") for part in parts]
        if len(named) < 2 or not all(who.rstrip(":") in self.seats and rest for who, _, rest in named):
            return
        right = ", ".join(f"{who.rstrip(':')}: {rest}" for who, _, rest in named)
        assert node is not None
        self.report.error("Q109", node.span, "several moves are a list", help=f"write `[{right}]`")

    def _can_fail(self, item: Scalar, made: Any) -> None:
        """Says so where a condition on what changes holds by what it may be alone: `anna.score >= 0`."""
        if made is not None and self.asker.holds_by_range(item):
            said = f"`{item.value}` always holds: by its declaration it cannot be otherwise"
            help = "write what it is at this moment, as in `anna.score == 3`"
            self.report.error("Q101", item.span, said, help=help)

    def expectation(self, item: Node) -> Fields | None:
        if self._is_condition(item) or (found := fields(item, EXPECT, self.report)) is None:
            return None
        Knowledge(self.asker, self.seats, self.report).look_over(found)
        for key in ("legal", "offered", "refused"):
            if (node := found.get(key)) is not None:
                self._options(node, key == "refused")
        if (ends := found.get("ends")) is not None:
            look_over(ends, self.seats, self.report)
        return found

    def _is_condition(self, item: Node) -> bool:
        """`- anna.score: 4`, where a condition was meant; it is reported."""
        if not isinstance(item, Map) or len(item) != 1:
            return False
        (entry,) = item
        if entry.key.value in EXPECT.keys:
            return False
        help = as_condition(entry, self.asker.world)
        if not help and "." in entry.key.value and isinstance(entry.value, Scalar):
            help = f"write `{entry.key.value} == {entry.value.value}`"
        if help:
            self.report.error(
                "S101", entry.key.span, "an expectation is a condition, or one of the words for it", help=help
            )
        return bool(help)

    def _answers(self, step: Fields) -> None:
        """Outcomes are names, or lists of names: whatever else stands there would never come."""
        node = step.get("chance")
        for item in node.items if isinstance(node, Seq) else ():
            if isinstance(item, Map):
                help = "write the name of the outcome alone, as in `[6, 2]`; a shuffle takes a list of pieces"
                self.report.error("Q108", item.span, "an outcome is a name or a list of names, not a map", help=help)
            for word in scalars(item):
                if word.value not in self.outcomes and not _is_number(word.value.lstrip("-")):
                    near = nearest(word.value, self.outcomes) if self.report.advises else []
                    said = f"`{word.value}` can never come out: nothing here has this name"
                    self.report.error("Q108", word.span, said, help=did_you_mean(near), suggestions=tuple(near))

    @cached_property
    def outcomes(self) -> set[str]:
        return _outcomes(self.asker.world)

    def _move(self, node: Node) -> None:
        """`player: option`, or the option alone."""
        if isinstance(node, Map):
            if len(node) != 1 or any(isinstance(entry.value, Seq | Map) for entry in node):
                help = "write a list of them: `- anna: roll`"
                taken = [(e.key.value, [*scalars(e.value)]) for e in node]
                rows = [(who, words[at].value) for at in range(_SHOWN) for who, words in taken if at < len(words)]
                if any(isinstance(entry.value, Seq) for entry in node) and 0 < len(rows) <= _SHOWN:
                    listed = ", ".join(f"{who}: {word}" for who, word in rows)
                    help = f"write them in the order in which they are taken: `[{listed}]`"
                self.report.error("Q109", node.span, "a move is one player and one option", help=help)
            for entry in node:
                self.seat(entry.key, entry.value)
                if isinstance(entry.value, Scalar):
                    self._option(entry.value)
        elif isinstance(node, Scalar):
            self._option(node)

    def _options(self, node: Node, refused: bool) -> None:
        """Options in a list, by player, or (of what is refused) with words of the reason."""
        if isinstance(node, Map):
            for entry in node:
                if refused:
                    self._option(entry.key, beyond=True)
                else:
                    self.seat(entry.key)
                    for word in scalars(entry.value):
                        self._option(word)
            return
        for word in scalars(node):
            self._option(word, beyond=refused)

    def _option(self, word: Scalar, beyond: bool = False) -> None:
        """Words that no option of this game is ever written with; what is refused may lie beyond the board."""
        vocabulary = self.asker.vocabulary
        strange = vocabulary.strange(word.value)
        if not strange and not beyond:
            strange = [w for w in vocabulary.unknown(word.value) if _NUMBERED.fullmatch(w)]
        if not strange and beyond and (left := vocabulary.no_option_reads(word.value)):
            said = f"`{word.value}` can never be offered: no option has `{left[0]}` beside the other words"
            self.report.error("Q118", word.span, said, help="write it as players read it")
            return
        if strange:
            near = nearest(strange[0], vocabulary.words | vocabulary.names) if self.report.advises else []
            missing = f"nothing here is called `{strange[0]}`"
            boards = self.asker.world.boards if re.fullmatch(r"[a-z]{1,2}\d{1,2}", strange[0]) else ()
            if boards and any(re.fullmatch(r"[a-z]{1,2}\d{1,2}", name) for name in boards[0].root.names):
                missing = f"there is no {boards[0].word} `{strange[0]}` on the board"
            message = f"`{word.value}` can never be offered: {missing}"
            self.report.error("Q118", word.span, message, help=did_you_mean(near), suggestions=tuple(near))

    def seat(self, key: Scalar, value: Node | None = None) -> int | None:
        """The number of a player; who is none is reported."""
        if key.value in self.seats:
            return self.seats.index(key.value)
        near = nearest(key.value, self.seats)
        help = f"they are {', '.join(self.seats)}; an option that has a `: ` in it must be in quotes"
        is_player = key.value.startswith(("player", "seat"))
        if (
            isinstance(value, Scalar)
            and not is_player
            and not self.asker.vocabulary.strange(f"{key.value} {value.value}")
        ):
            help = f"before a `:` stands a player ({', '.join(self.seats)}); write `{key.value} {value.value}`"
        said = f"there is no player `{key.value}`"
        self.report.error("Q203", key.span, said, help=did_you_mean(near) or help, suggestions=tuple(near))
        return None


# ------------------------------------------------------------------------------------------ all tests of a game


@dataclass(eq=False)
class Waiting:
    """A test that is to be looked at: for whom, and with which options."""

    case: Case
    parts: list[Fields]  # a position file, and the test
    setting: Setting
    options: dict[str, Any]
    own: Which  # the configuration that it asks for
    well: bool = False
    strange: frozenset[str] = frozenset()  # outcomes that are all that keeps it from being well with other options

    @property
    def players(self) -> int | None:
        return len(self.setting.names) if self.setting.names else self.setting.players


@dataclass
class _Subject:
    """A world and what runs it, as tests ask them."""

    world: GameWorld
    machine: Machine


class Tests:
    """The tests of a game while it is checked: looked at in each configuration that is worked out."""

    __test__ = False  # not for pytest

    def __init__(
        self,
        blueprint: pipeline.Blueprint,
        wanted: Callable[[Case], bool] = lambda case: True,
        report: Report | None = None,
        only: Path | None = None,
    ) -> None:
        """`only` is a file to which all that is wanted belongs, if there is such."""
        self.blueprint, self.report = blueprint, report if report is not None else Mistakes()
        self.read: dict[Path, Node] = {}  # files of positions, from which many tests may start
        self.unlike: dict[str, dict[str, Any]] = {}  # by options that are set: those that differ from the start
        self.worlds: list[GameWorld] = []  # of tests whose configurations are not gone through
        cases = [case for case in cases_of(blueprint, self.report, only) if wanted(case)]
        self.waiting = [found for case in cases if (found := self._waiting(case))]

    @cached_property
    def there_are(self) -> set[Which]:
        """The configurations that are gone through."""
        return {_which(one.players, dict(one.options)) for one in pipeline.configurations(self.blueprint)}

    def _waiting(self, case: Case) -> Waiting | None:
        f = case.fields
        if f.has("forbidden"):
            return None
        try:
            position = self._position(case)
            base = setting_of(position, self.blueprint, self.report) if position is not None else None
            setting = setting_of(f, self.blueprint, self.report, base)
        except Mistaken:
            return None
        plays = fields(f.get("play"), PLAY, self.report) if f.has("play") else None
        if plays is not None:
            setting_of(plays, self.blueprint, self.report, setting)
        if setting is None:
            return None
        options = dict(setting.options)
        preset = options.pop("preset", None)
        if preset is not None and preset not in self.blueprint.presets:
            near = nearest(preset, self.blueprint.presets)
            node = f.get("preset")
            said = f"there is no preset `{preset}`"
            span = node.span if node is not None else case.span
            self.report.error("Q106", span, said, help=did_you_mean(near), suggestions=tuple(near))
            return None
        whole = {**self.blueprint.presets.get(preset or "", {}), **options}
        with suppress(OptionError, KeyError):  # which is told once all else was looked at
            whole = self._unlike_start(whole)
        players = len(setting.names) if setting.names else setting.players
        own = _which(players or self.blueprint.fewest, whole)
        return Waiting(case, [part for part in (position, f) if part is not None], setting, whole, own)

    def _unlike_start(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options that are set to something else than they are anyway: many tests set the same."""
        key = repr(options)
        if key not in self.unlike:
            self.unlike[key] = dict(pipeline.unlike_start(self.blueprint, options))
        return self.unlike[key]

    def _position(self, case: Case) -> Fields | None:
        node = case.fields.get("from")
        if not isinstance(node, Scalar):
            return None
        path = case.path / node.value
        read = self.read.get(path) or load_file(path, self.report, self.blueprint.source.root, node.span)
        if read is not None:
            self.read[path] = read
        found = fields(read, POSITION, self.report) if read is not None else None
        if found is None:
            raise Mistaken
        return found

    def at(self, configuration: pipeline.Configuration, world: GameWorld, program: C.Program) -> None:
        """Looks at the tests that wait for a configuration: their own, or any if theirs is none that is gone through.
        Those that are well do not wait any longer, nor those for whose outcomes there is a name with their options."""
        which = _which(configuration.players, dict(configuration.options))
        here = []
        for one in self.waiting:
            if one.own == which or (one.own not in self.there_are and one.players in (None, world.players.size)):
                here.append(one)
            elif one.strange and one.own[1] == which[1]:
                one.well = one.strange <= _outcomes(world)
        for names in {tuple(one.setting.names or ()) for one in here}:
            with called(world, list(names)):
                asker = Asker(_Subject(world, Machine(program)), _Unread())
                for one in (one for one in here if tuple(one.setting.names or ()) == names):
                    asker.report = _Unread()
                    self.look(one, asker)
                    if self._cannot_be_read(asker.report):
                        one.well = True  # it is told, and would be so in any configuration
                        continue
                    strange = self._of_other_rules(asker.report) if one.own != which else None
                    one.well = not asker.report.errors or (strange is not None and not strange)
                    one.strange = strange or frozenset()
        self.waiting = [one for one in self.waiting if not one.well]

    def finish(self, notes: Notes | None = None) -> Report:
        """What is wrong in the tests: those that no configuration took are looked at in their own."""
        for one in self.waiting:
            own = self.blueprint.looked.apart()
            try:
                world, program = self.worked_out(one, own, notes)
            except OptionError as problem:
                self.report.error("Q106", one.case.span, str(problem))
                continue
            except GameError:
                continue
            if not own.errors:
                self.look(one, self.asker(world, program))
        return self.report

    def asker(self, world: GameWorld, program: C.Program) -> Asker:
        """What understands the words of tests in one configuration."""
        return Asker(_Subject(world, Machine(program)), self.report)

    def worked_out(self, one: Waiting, report: Report, notes: Notes | None) -> tuple[GameWorld, C.Program]:
        """The rules in the configuration of a test."""
        players, names = one.players or self.blueprint.fewest, one.setting.names
        options = pipeline.by_seats(self.blueprint, one.options, names)
        own = pipeline.Configuration(players, tuple(options.items()))
        found = pipeline.again(self.blueprint, own, self.worlds, report, names) if notes is None else None
        if found is None:
            found = pipeline.work_out(self.blueprint, players, options, report, names, notes=notes)
            if notes is None and not report.findings:
                self.worlds.append(found[0])
        return found

    def _cannot_be_read(self, found: Report) -> bool:
        """Whether something is written as no test and no expression is, whatever the names; it is told."""
        unread = [one for one in found.findings if one.code[0] in "ES"]
        for one in unread:
            self.report.add(one)
        return bool(unread)

    def _of_other_rules(self, report: Report) -> frozenset[str] | None:
        """The outcomes that nothing has the name of here, if all else that was unknown are names that stand in the
        rules: of modules that are not on here. None if it is not."""
        outcomes = set()
        for found in report.findings:
            words = quoted(found.message)
            if found.code == "Q108" and words:
                outcomes.add(words[0])
                continue
            if found.code not in _UNKNOWN or not words:
                return None
            for part in re.findall(r"\w+", words[-1]):
                if not {part, re.sub(r"_\d+$", "", part)} & self.words and not _is_number(part):
                    return None
        return frozenset(outcomes)

    @cached_property
    def words(self) -> set[str]:
        """All words of the rules, of whatever module."""
        found: set[str] = set()
        for file in self.blueprint.source.files:
            tests = [part.node.get("tests") for part in self.blueprint.source.parts if part.node.span.file is file]
            text = file.text
            for node in tests:
                text = text if node is None else text[: node.span.start] + text[node.span.end :]
            found |= set(re.findall(r"\w+", text))
        return found

    def look(self, one: Waiting, asker: Asker) -> None:
        seats = list(asker.world.players.names)
        letters = [m for part in one.parts if (m := part.map("letters")) is not None] + one.case.letters
        for part in one.parts:
            if (given := part.map("given")) is not None and (given, *letters) not in asker.sound:
                before = asker.report.errors
                Position(asker, letters, seats).look_over(given)
                if asker.report.errors == before:  # other tests that start from this file need not ask again
                    asker.sound.add((given, *letters))
        try:
            Looking(asker, seats, asker.report).at(one.parts[-1])
        except Mistaken:
            return


def _which(players: int, options: dict[str, Any]) -> Which:
    return players, frozenset((name, str(value)) for name, value in options.items())


def _outcomes(world: GameWorld) -> set[str]:
    """All that members of anything are called; `...` is the rest of a shuffle."""
    names = {str(name) for root in [*world.roots.values(), world.pieces, world.players] for name in root.names}
    return names | set(world.data.get("public_names") or ()) | {"...", "…", "true", "false", "none"}


def _is_number(word: str) -> bool:
    return word.isdigit()


@contextmanager
def called(world: GameWorld, names: list[str] | None) -> Iterator[None]:
    """A world whose players have these names for a while, and so what belongs to them."""
    old = list(world.players.names)
    if not names or names == old:
        yield
        return
    roots: list[Root] = [world.players, world.pieces, world.places, *world.roots.values()]
    kept = {id(root): (root, list(root.names)) for root in roots}
    public = world.data.get("public_names")
    new = dict(zip(old, names, strict=True))

    theirs = tuple(old)

    def renamed(name: str) -> str:
        if not name.startswith(theirs):
            return name
        first = next((o for o in old if name == o or name.startswith(f"{o}_")), None)
        return name if first is None else new[first] + name[len(first) :]

    for root, was in kept.values():
        root.names[:] = [renamed(name) for name in was]
    if public is not None:
        world.data["public_names"] = [renamed(name) for name in public]
    world.forget_names()
    try:
        yield
    finally:
        for root, was in kept.values():
            root.names[:] = was
        world.data["public_names"] = public
        world.forget_names()


__all__ = ["Looking", "Mistakes", "Tests", "Waiting", "called"]
