"""The rules of a game while its tests are written: they stay the same, so each configuration is worked out once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from ruledsl.analysis.compile import GameWorld
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.analysis.elaborate import Elaborator
from ruledsl.analysis.notes import Notes
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.ir import core as C
from ruledsl.runtime.vocabulary import Vocabulary
from ruledsl.testing.asking import Asker
from ruledsl.testing.looking import Tests, Waiting, called
from ruledsl.testing.suites import Case

from .index import PLACEHOLDER

MOST = 32  # configurations that are kept; 2 MB each
Worked: TypeAlias = tuple[GameWorld, C.Program]


class Settled:
    """The rules as they were read without a mistake, in the configurations that tests asked for last."""

    def __init__(self, blueprint: pipeline.Blueprint) -> None:
        self.blueprint = blueprint
        self.texts = {Path(file.path).resolve(): file.text for file in blueprint.source.files}
        self.worked: dict[str, Worked] = {}
        self.tried: set[str] = set()  # what was worked out ahead, also if that went wrong
        self.vocabularies: dict[int, dict[tuple[str, ...], Vocabulary]] = {}  # by programs and players

    def holds(self, text: Callable[[Path], str]) -> bool:
        """Whether the rules are still so."""
        return all(text(path) == before for path, before in self.texts.items())

    def has(self, players: int, options: dict[str, Any], names: list[str] | None) -> bool:
        """Whether a configuration was worked out."""
        return _key(players, options, names) in self.worked

    def has_to_try(self, players: int, options: dict[str, Any], names: list[str] | None) -> bool:
        """Whether it was not worked out yet, and not tried."""
        return not self.has(players, options, names) and _key(players, options, names) not in self.tried

    def take(self, world: GameWorld, program: C.Program) -> None:
        """The first configuration, that somebody has worked out to take notes."""
        world.elaborator = Elaborator(world)
        self.worked[_key(self.blueprint.fewest, {}, None)] = world, program

    def near(self, players: int) -> Worked | None:
        """What was worked out and asked for last for as many players; None if nothing was."""
        return next((one for one in reversed(self.worked.values()) if one[0].players.size == players), None)

    def work_out(self, players: int, options: dict[str, Any], names: list[str] | None, report: Report) -> Worked:
        """One configuration, for nobody who takes notes; a wrong one is not kept."""
        kept, key = self.worked, _key(players, options, names)
        found = kept.pop(key, None)
        if found is None:
            given = pipeline.by_seats(self.blueprint, options, names)
            found = pipeline.work_out(self.blueprint, players, given, report, names)
            if report.errors:
                return found
        kept[key] = found  # the last one asked for is kept longest
        while len(kept) > MOST:
            _, program = kept.pop(next(iter(kept)))
            self.vocabularies.pop(id(program), None)
        return found


def _key(players: int, options: dict[str, Any], names: list[str] | None) -> str:
    return repr((players, sorted(options.items()), names))


class TestsBeside(Tests):
    """Looks at tests whose rules were worked out before, if anybody asked for them."""

    def __init__(self, settled: Settled, wanted: Callable[[Case], bool], report: Report, only: Path | None) -> None:
        super().__init__(settled.blueprint, wanted, report, only)
        self.settled = settled

    def worked_out(self, one: Waiting, report: Report, notes: Notes | None) -> Worked:
        players = one.players or self.blueprint.fewest
        world, program = self.settled.work_out(players, one.options, one.setting.names, report)
        if notes is not None:
            world.elaborator = notes.elaborator(world)
        return world, program

    def near(self) -> Worked | None:
        """What may stand in for the configuration of the first test, as long as that was not worked out itself."""
        one = self.waiting[0]
        players = one.players or self.blueprint.fewest
        return None if self.settled.has(players, one.options, one.setting.names) else self.settled.near(players)

    def look_at_once(self, near: Worked, notes: Notes) -> None:
        """Looks at the first test in another configuration than its own."""
        (one, *_), (world, program) = self.waiting, near
        world.elaborator = notes.elaborator(world)
        names = one.setting.names
        with called(world, names if names and PLACEHOLDER not in names else None):
            self.look(one, self.asker(world, program))

    def wanted(self) -> list[Waiting]:
        """Tests with the configurations that are worked out beforehand; the first of the file comes last, so that it
        is kept longest."""
        settings = {repr((one.players, one.options, one.setting.names)): one for one in reversed(self.waiting)}
        return list(settings.values())[-MOST:]

    def work_out_before(self, one: Waiting, report: Report) -> None:
        """What a key in a test will ask for."""
        with suppress(GameError, OptionError):
            world, program = self.worked_out(one, report, None)
            if not report.errors:
                self.look(one, self.asker(world, program))
        self.settled.tried.add(_key(one.players or self.blueprint.fewest, one.options, one.setting.names))

    def look(self, one: Waiting, asker: Asker) -> None:
        """What is read of a test is another with the next key, so it is not kept."""
        program, names = asker.machine.program, tuple(asker.world.players.names)
        if any(own is program for _, own in self.settled.worked.values()):
            kept = self.settled.vocabularies.setdefault(id(program), {})
            asker.vocabulary = kept.setdefault(names, asker.vocabulary)
        trees = self.settled.blueprint.source.trees
        before = len(trees)
        try:
            super().look(one, asker)
        finally:
            while len(trees) > before:
                trees.popitem()
