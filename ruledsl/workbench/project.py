"""One game as an editor has it: texts that are not saved yet, and what is known of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from ruledsl import shipped
from ruledsl.analysis.compile import GameWorld
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.analysis.notes import Notes
from ruledsl.analysis.sections import modules_of
from ruledsl.analysis.world import World
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic, GameError, Report
from ruledsl.ir import core as C
from ruledsl.memory import uncollected
from ruledsl.records import dataclass
from ruledsl.source.document import Known, Node, Scalar, known_documents, load_file, read_document
from ruledsl.source.scan import stamps, unsaved
from ruledsl.source.text import SourceFile
from ruledsl.testing.looking import Tests
from ruledsl.testing.suites import Case, files_of

from .ahead import Disturbed, Patient
from .index import Enough, Index
from .settled import Settled, TestsBeside

Texts = Mapping[Path, str]
Answer = TypeVar("Answer")
_UP = 4  # folders above a file in which its game is looked for
_MOST_BESIDE = 200  # files beside one that are looked at
_MOST_READ = 1_000_000  # bytes of each


def game_of(path: Path, text: str | None = None) -> Path:
    """The main file of the game that a file belongs to; itself if none is found."""
    return home_of(path, text) or path


def home_of(path: Path, text: str | None = None) -> Path | None:
    """The main file of the game that a file belongs to; None if it is of no game, as most YAML files are not.

    `text` is what the file holds in an editor.
    """
    if path.name == shipped.GAME_FILE:
        return path
    if path.stem.endswith(".test"):
        beside = path.with_name(path.name.replace(".test.", "."))
        if beside.is_file():
            return beside
    if _is_game(text if text is not None else _head(path)):
        return path
    for folder in list(path.parents)[:_UP]:
        if (folder / shipped.GAME_FILE).is_file():
            return folder / shipped.GAME_FILE
    return next((other for folder in list(path.parents)[:2] for other in _speak_of(path, folder)), None)


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_READ).decode("utf-8-sig", "replace") if path.is_file() else ""
    except OSError:
        return ""


def _is_game(text: str) -> bool:
    return re.search(r"^(?:ruledsl|game)[ \t]*:", text, re.MULTILINE) is not None


def _speak_of(path: Path, folder: Path) -> Iterator[Path]:
    """The games of a folder that name a file: its rules, or a table."""
    named = re.compile(rf"(?<![\w./-]){re.escape(path.relative_to(folder).as_posix())}(?![\w/-])")
    try:
        beside = sorted(islice((one for one in folder.iterdir() if one.suffix in (".yaml", ".yml")), _MOST_BESIDE))
    except OSError:
        return
    for other in beside:
        if other != path and other.is_file() and _is_game(text := _head(other)) and named.search(text):
            yield other


@dataclass
class View:
    """A version of a game, as far as it was worked out: every name with what it stands for."""

    texts: dict[Path, str]
    blueprint: pipeline.Blueprint | None
    index: Index
    report: Report
    whole: bool = False  # whether all configurations were gone through
    worked: tuple[GameWorld, C.Program] | None = None  # its configuration; the last one, if it is whole

    def _text(self, path: Path) -> str | None:
        """A file as it was then: in the editor, or as it was read."""
        files = self.blueprint.source.files if self.blueprint is not None and path not in self.texts else ()
        read = (file.text for file in files if Path(file.path).resolve() == path)
        return self.texts.get(path) or next(read, None)

    def place_of(self, path: Path, offset: int, text: str) -> int | None:
        """Where a place of a file that has been changed since stood then; None if it is in what was changed."""
        before = self._text(path.resolve())
        if before is None or before == text:
            return offset
        same = next((at for at, pair in enumerate(zip(before, text, strict=False)) if pair[0] != pair[1]), len(before))
        if offset < same:
            return offset
        behind = len(text) - offset
        return len(before) - behind if behind <= len(before) - same and before[-behind:] == text[-behind:] else None


class _Interrupted(Tests):
    """Looks at tests as ever, and asks before each configuration whether to go on."""

    def __init__(self, blueprint: pipeline.Blueprint, going_on: Callable[[], None]) -> None:
        super().__init__(blueprint)
        self.going_on = going_on

    def at(self, configuration: pipeline.Configuration, world: GameWorld, program: C.Program) -> None:
        self.going_on()
        super().at(configuration, world, program)

    def finish(self, notes: Notes | None = None) -> Report:
        self.going_on()
        return super().finish(notes)


class Project:
    """A game whose files may be open in an editor."""

    def __init__(self, main: Path) -> None:
        self.main = main.resolve()
        self.open: dict[Path, str] = {}
        self._view: View | None = None
        self._good: View | None = None  # the last one that could be worked out
        self._seen: Texts | None = None  # what was open when a version was worked out last
        self._begun = False  # whether it was looked for one
        self._documents: dict[Path, tuple[str, Node | None]] = {}
        self._known: Known = {}
        self._on_disk: dict[Path, object] = {}  # the files of the last version, as they were then
        self._answer: tuple[object, Any, bool, object] | None = None  # the last that `once` gave, and to what
        self._versions = 0  # how often others were kept
        self._settled: Settled | None = None  # the rules, while tests are written
        self._ahead: tuple[object, ...] = ()  # for what all that a key can ask for is there
        self.at_once = False  # whether keys are answered with what is known by now: an editor's are
        self.is_behind = False  # whether the last of them was answered so, and could be answered better soon
        self._on: dict[tuple[object, ...], pipeline.Configuration | None] = {}  # for modules, by their conditions

    # ---------------------------------------------------------------------------------------------- the texts

    def write(self, path: Path, text: str | None) -> None:
        """A file as it is in the editor; None if it is closed, so that what was saved counts."""
        path = path.resolve()
        before = self.text(path)
        if text is None:
            self.open.pop(path, None)
        else:
            self.open[path] = text
        if self._view is not None and self.text(path) != before and not self._is_beside(path):
            self._hold(view=None)
        elif self._view is not None:
            self._seen = dict(self.open)

    def _hold(self, **new: View | Settled | None) -> None:
        """Keeps other versions of the game, and lets the worlds of those go that are not kept any longer."""
        before, self._versions = self._worlds(), self._versions + 1
        for name, version in new.items():
            setattr(self, f"_{name}", version)
        after = self._worlds()
        for world in (world for number, world in before.items() if number not in after):
            world.let_go()

    def _worlds(self) -> dict[int, World]:
        views, settled = [view for view in (self._view, self._good) if view is not None], self._settled
        blueprints = [view.blueprint for view in views] + ([settled.blueprint] if settled is not None else [])
        worlds = [view.index.world for view in views] + [
            one for each in blueprints if each for one in each.early.values()
        ]
        worlds += [world for world, _ in settled.worked.values()] if settled is not None else []
        return {id(world): world for world in worlds if world is not None}

    def _is_beside(self, path: Path) -> bool:
        """Whether a file has only tests, of which the last version knows nothing."""
        view = self._view
        return view is not None and not view.whole and path not in self._on_disk and path in files_of(self.main)

    @contextmanager
    def as_open(self, more: Texts | None = None) -> Iterator[None]:
        texts = {**self.open, **(more or {})}
        written = {path: text.encode("utf-8", "replace") for path, text in texts.items()}
        with unsaved(written), known_documents(self._known):
            yield

    def reads(self, path: Path) -> bool:
        """Whether a file was read for the last version."""
        return path in self._on_disk or path in self.open

    def text(self, path: Path) -> str:
        path = path.resolve()
        if path in self.open:
            return self.open[path]
        try:
            return path.read_bytes().decode("utf-8-sig", "replace")
        except OSError:
            return ""

    def document(self, path: Path) -> Node | None:
        """The tree of a file; None if it cannot be read."""
        path, text = path.resolve(), self.text(path)
        if path not in self._documents or self._documents[path][0] != text:
            self._documents[path] = text, read_document(SourceFile(str(path), text), Report())
        return self._documents[path][1]

    def files(self) -> list[Path]:
        """All files of the game and its tests."""
        view = self.view()
        sources = [Path(file.path) for file in view.blueprint.source.files] if view.blueprint is not None else []
        found = [self.main, *sources, *files_of(self.main)]
        return list(dict.fromkeys(path.resolve() for path in found if path.suffix in (".yaml", ".yml")))

    def once(self, around: tuple[Path, str, str], answer: Callable[[], Answer]) -> Answer:
        """An answer about a word that depends on what stands around it: it stays the same while the word is typed."""
        self.is_behind = self._has_changed_around(around[0])
        if self.is_behind and not (self.at_once and self._good is not None):
            self.view()
            self.is_behind = False
        asked = (around, {path: text for path, text in self.open.items() if path != around[0]})
        if self._answer is not None and self._answer[0] == asked:
            _, known, was_behind, since = self._answer
            if not (was_behind or self.is_behind) or since == self._known_by_now():
                self.is_behind = was_behind or self.is_behind
                before: Answer = known
                return before
        since = self._known_by_now()
        found = answer()
        self._answer = asked, found, self.is_behind, since
        return found

    def _known_by_now(self) -> tuple[int, int]:
        """Another pair as soon as more is known to answer from."""
        return self._versions, len(self._settled.worked) if self._settled is not None else 0

    # -------------------------------------------------------------------------------------------- what is known

    def check(self, going_on: Callable[[], None] | None = None) -> list[Diagnostic]:
        """All findings, as `check` tells them; `going_on` is called now and then, and may raise to stop it."""

        def tests(blueprint: pipeline.Blueprint) -> Tests:
            return _Interrupted(blueprint, going_on) if going_on is not None else Tests(blueprint)

        with self.as_open():
            return pipeline.check(self.main, beside=tests).sorted()

    def view(self, patient: Patient | None = None) -> View:
        """The texts as they are now, in the first configuration."""
        if self._view is None or self._is_written():
            view, self._seen = self.worked_out(Index(), report=patient), dict(self.open)
            if patient is not None:
                patient.at_an_end()
            is_good = view.index.world is not None and not view.report.errors
            self._hold(view=view, good=view if is_good else self._good)
            blueprint, self._answer = view.blueprint, None
            sources = [Path(file.path) for file in blueprint.source.files] if blueprint is not None else []
            self._on_disk = dict(stamps(path.resolve() for path in (self.main, *sources)))
            return view
        return self._view

    def _is_written(self) -> bool:
        """Whether a file that is not open has changed on disk since the last version was worked out."""
        closed = [path for path in self._on_disk if path not in self.open]
        return stamps(closed) != {path: self._on_disk[path] for path in closed}

    def _has_changed_around(self, path: Path) -> bool:
        """Whether another file than this one has changed since the last version was worked out."""
        return self._is_written() or (self._seen is not None and {**self.open, path: ""} != {**self._seen, path: ""})

    def good(self) -> View:
        """The last version that could be worked out, if there was any."""
        view = self.view()
        return self._good if self._good is not None and view.report.errors else view

    def before(self) -> Index | None:
        """What the names of the last version stand for that could be worked out, as far as that is known by now."""
        if self._good is None and not self._begun:
            self._begun = True
            self.view()
        return self._good.index if self._good is not None else None

    def world(self) -> World | None:
        """What that version declares."""
        before = self.before()
        return before.world if before is not None else None

    def ahead(self, path: Path, disturbed: Callable[[], bool]) -> bool:
        """One more piece of what keys in a file will ask for; False if all of it is there.

        It raises `Disturbed` as soon as somebody asks something, and begins that piece again after that.
        """
        path, patient = path.resolve(), Patient(disturbed)
        if not self._begun or self._has_changed_around(path):
            before, self._begun = self._view, True
            return self.view(patient) is not before
        if path in self._on_disk or path not in files_of(self.main):
            return False
        if (settled := self._settled_now(path)) is None:
            before = self._view
            return self.view(patient) is not before
        if (key := (settled, self.text(path))) != self._ahead:
            with self.as_open():
                if self._tests_ahead(settled, path, patient):
                    return True
            self._ahead = key
        return False

    def _tests_ahead(self, settled: Settled, path: Path, patient: Patient) -> bool:
        """One more configuration that tests of a file ask for; False if all were worked out."""
        tests = TestsBeside(settled, lambda case: True, Report(), path)
        for one in tests.wanted():
            if settled.has_to_try(one.players or settled.blueprint.fewest, one.options, one.setting.names):
                tests.work_out_before(one, patient)
                return True
        for file in files_of(self.main):
            if patient.disturbed is not None and patient.disturbed():
                raise Disturbed
            load_file(file, Report())
        return False

    def whole(self) -> View:
        """The texts as they are, in all configurations, with their tests."""
        view = self.view()
        if not view.whole:
            view = self.worked_out(Index(), every=True)
            self._hold(view=view)
        return view

    def worked_out(
        self,
        index: Index,
        more: Texts | None = None,
        every: bool = False,
        at: tuple[Path, int] | None = None,
        report: Report | None = None,
    ) -> View:
        """A version in its first configuration, in all of them, or in one in which a place of a file counts."""
        report = report if report is not None else Report()
        view = View({**self.open, **(more or {})}, None, index, report)
        try:
            with self.as_open(more), uncollected():
                settled = self._rules_for(at[0].resolve()) if at is not None else None
                view.blueprint = blueprint = settled.blueprint if settled else pipeline.read(self.main, report)
                if blueprint is None:
                    return view
                if at is not None and self._worked_out_test(blueprint, index, report, at):
                    return view
                if settled is not None:  # it stands in no test, and in no rules
                    fewest = blueprint.fewest
                    near = settled.near(fewest) if self.at_once and not settled.has(fewest, {}, None) else None
                    index.world = (near or settled.work_out(fewest, {}, None, Report()))[0]
                    return view
                looking = Tests(blueprint) if every else None
                first = pipeline.Configuration(blueprint.fewest)
                for one in pipeline.configurations(blueprint) if every else [self._in_force(blueprint, at) or first]:
                    players, options = one.players, dict(one.options)
                    world, program = pipeline.work_out(blueprint, players, options, report, notes=index)
                    view.worked = world, program
                    if looking is not None and not report.errors:
                        looking.at(one, world, program)
        except (GameError, OptionError, RecursionError, Enough):
            pass
        view.whole = every
        return view

    def _rules_for(self, path: Path) -> Settled | None:
        """The rules for a key in a file that is none of them; if there is no time, be it in an older version."""
        settled = self._settled_now(path)
        if settled is None and self.at_once and self._settled is not None and path not in self._settled.texts:
            if path in files_of(self.main):
                self.is_behind = True
                return self._settled
        return settled

    def _settled_now(self, path: Path) -> Settled | None:
        """The rules as they are, if they were worked out so; None for a file of the rules."""
        settled, good = self._read_before(path), self._good
        if settled is None and good is not None and good.blueprint is not None and good.worked is not None:
            anew = Settled(good.blueprint)
            if path not in anew.texts and anew.holds(self.text):
                self._hold(settled=anew)
                anew.take(*good.worked)
                return anew
        return settled

    def _read_before(self, path: Path) -> Settled | None:
        """The rules as they were read for tests, if they are still so; None for a file of the rules."""
        kept = self._settled
        return kept if kept is not None and path not in kept.texts and kept.holds(self.text) else None

    def _settle(self, blueprint: pipeline.Blueprint, report: Report) -> Settled:
        """Keeps the rules for other keys in tests, if they could be read without a mistake."""
        settled = Settled(blueprint)
        self._hold(settled=settled if not report.errors else self._settled)
        return settled

    def _worked_out_test(
        self, blueprint: pipeline.Blueprint, index: Index, report: Report, at: tuple[Path, int]
    ) -> bool:
        """Whether a place stands in a test; that is looked at, in its own configuration."""
        path, offset = at[0].resolve(), at[1]

        def is_here(node: Node) -> bool:
            span = node.span
            return span.start <= offset <= span.end and Path(span.file.path).resolve() == path

        def is_wanted(case: Case) -> bool:
            begins = case.fields.node.get("from")
            from_here = isinstance(begins, Scalar) and (case.path / begins.value).resolve() == path
            return from_here or is_here(case.fields.node)

        source = blueprint.source
        rules = [part.node for part in source.parts if Path(part.node.span.file.path).resolve() == path]
        if rules and not any(is_here(own) for part in rules if (own := part.get("tests")) is not None):
            return False
        if not rules and any(Path(file.path).resolve() == path for file in source.files):
            return False  # a table
        index.awaited = ""  # it is not in the rules, so all of them are worked out
        settled = self._settled
        if settled is None or settled.blueprint is not blueprint:
            settled = self._settle(blueprint, report)
        tests = TestsBeside(settled, is_wanted, report, path if path in files_of(self.main) else None)
        del tests.waiting[1:]
        if not tests.waiting:
            return False
        near = tests.near() if self.at_once else None
        if near is not None:
            self.is_behind = True
            tests.look_at_once(near, index)
        else:
            tests.finish(index)
        return True

    def _in_force(self, blueprint: pipeline.Blueprint, at: tuple[Path, int] | None) -> pipeline.Configuration | None:
        """A configuration with the module in which a place stands; None if it stands in none."""
        for _, module in modules_of(blueprint.source, Report()) if at is not None else ():
            span, when = module.node.span, module.get("when")
            here = at is not None and span.start <= at[1] <= span.end
            if at is not None and here and when is not None and Path(span.file.path).resolve() == at[0].resolve():
                key = (when.span.text, blueprint.fewest, *sorted(blueprint.options))
                if key not in self._on:  # to find one takes longer than to work it out
                    found = pipeline.where_on(blueprint, when, blueprint.fewest)
                    self._on[key] = pipeline.Configuration(found[0], tuple(found[1].items())) if found else None
                return self._on[key]
        return None
