"""A game that was loaded: what it is called, who may play it, and the start of plays."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from ruledsl.analysis.compile import GameWorld
from ruledsl.analysis.declarations.options import ForbiddenError, OptionError
from ruledsl.analysis.names import RESERVED
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.engine.machine import Machine
from ruledsl.ir import core as C
from ruledsl.ir.fingerprint import fingerprint
from ruledsl.source.document import Map, Scalar

from .by_name import Note
from .homes import Homes
from .play import Play
from .typed import Phrases
from .view import Viewer
from .vocabulary import Vocabulary
from .words import Words

if TYPE_CHECKING:
    import networkx

    from .compiled import CompiledGame, Door

COMPILED = "c"
BACKENDS = ("interpreter", "python")  # what plays run on: the reference, or Python made for the game
CHANCES = ("stream", "ask")  # where chance comes from: the seed, or whoever plays
CHOSEN = "RULEDSL_BACKEND"  # the variable of the environment that names one of them


class Configured:
    """A game for one number of players and set of options: its world and program, and what runs it."""

    def __init__(
        self,
        world: GameWorld,
        program: C.Program,
        made: Callable[[C.Program], Machine],
        options: dict[str, Any],
        players: list[str],
    ) -> None:
        self.world, self.program, self.made, self.options, self.players = world, program, made, options, players
        self.phrases = Phrases(world, program)
        self.vocabulary = Vocabulary(world, program)
        # What draws and names its things, by language. Kept here: a table elsewhere would keep the game as well.
        self.artists: dict[str, Any] = {}
        self.names: dict[str, Any] = {}

    @cached_property
    def machine(self) -> Machine:
        """Made when it is first asked for: what is played on compiled code needs none."""
        return self.made(self.program)

    @cached_property
    def rules(self) -> str:
        """Stands for what the rules do, whatever their files look like: a cache, save or report asks it."""
        return fingerprint(self.program)

    @cached_property
    def viewer(self) -> Viewer:
        """What seats may see of its states."""
        return Viewer(self.world, self.machine)

    @cached_property
    def words(self) -> Words:
        """What is called how; shared by all plays, for what it finds out holds for all of them."""
        return Words(self.world, self.machine, self.viewer)

    @cached_property
    def door(self) -> Door:
        """What drives plays on compiled code; an `OptionError` where there is no compiler."""
        from .compiled import Door

        return Door(self)

    @cached_property
    def homes(self) -> Homes:
        """Which statement every block and local was made for."""
        return Homes(self.world, self.program)


class Game:
    """A game that was read. Of `load` it has no mistakes that `check` finds; the command line works out only what it
    plays, and tells the mistakes of that."""

    def __init__(self, blueprint: pipeline.Blueprint, marks: bool = False, backend: str | None = None) -> None:
        self.blueprint = blueprint
        self.backend = backend or os.environ.get(CHOSEN) or BACKENDS[-1]
        if self.backend not in BACKENDS:
            hint = did_you_mean(nearest(self.backend, BACKENDS)) or f"there are {_listed(BACKENDS)}"
            raise OptionError(f"there is no backend `{self.backend}` for plays; {hint}")
        self.name = blueprint.name
        self.path = blueprint.source.path
        self.marks = marks  # whether single statements can be watched
        self._made: dict[Any, Configured] = {}

    @property
    def players(self) -> range:
        """How many may play."""
        return range(self.blueprint.fewest, self.blueprint.most + 1)

    @property
    def options(self) -> dict[str, Any]:
        """The options with their types."""
        return self.blueprint.options

    @property
    def presets(self) -> dict[str, dict[str, Any]]:
        return self.blueprint.presets

    def title(self, language: str = "en") -> str:
        return text_of(self.blueprint.source.main.get("title"), language) or self.name

    def about(self, language: str = "en") -> str:
        return text_of(self.blueprint.source.main.get("about"), language)

    def configured(
        self, players: int | None = None, options: dict[str, Any] | None = None, names: list[str] | None = None
    ) -> Configured:
        """The game worked out for a number of players and options; kept for the next play of the same sort."""
        told = pipeline.by_seats(self.blueprint, options or {}, names)
        count, given = self.chosen(len(names) if names else players, told)
        for at, name in enumerate(names or ()):
            if not isinstance(name, str) or not name.strip():
                raise OptionError(f"a player cannot be called `{name}`: a name is a text that is not empty")
            if name in RESERVED:
                raise OptionError(f"a player cannot be called `{name}`: it has a meaning of its own in the rules")
            if name in (names or ())[:at]:
                raise OptionError(f"two players are called `{name}`")
        key = (count, repr(sorted(given.items())), tuple(names or ()))
        if key not in self._made:
            report = self.blueprint.looked.apart()
            world, program = pipeline.work_out(self.blueprint, count, given, report, names, self.marks)
            if report.errors:
                raise GameError(report)
            self._made[key] = Configured(world, program, self._machine, given, list(world.players.names))
        return self._made[key]

    def chosen(self, players: int | None, options: dict[str, Any] | None) -> tuple[int, dict[str, Any]]:
        """How many play and with which options, if that can be played; a preset is the options that it names."""
        count = players if players is not None else self.blueprint.fewest
        if count not in self.players:
            raise OptionError(f"{self.name} is for {_span(self.players)} players, not {count}")
        given = self._options(options or {})
        because = pipeline.forbidden(self.blueprint, count, given, Report())
        if because is not None:
            raise ForbiddenError(because)
        return count, given

    def _machine(self, program: C.Program) -> Machine:
        """What runs a program; where single statements are watched, always the reference."""
        if self.marks or self.backend == "interpreter":
            return Machine(program)
        from ruledsl.generate.python_machine import GeneratedMachine

        return GeneratedMachine(program)

    def _options(self, given: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in given.items():
            if name == "preset":
                if value not in self.presets:
                    hint = did_you_mean(nearest(str(value), self.presets))
                    raise OptionError(f"there is no preset `{value}`" + (f"; {hint}" if hint else ""))
                found |= self.presets[value]
            elif name not in self.options:
                hint = did_you_mean(nearest(name, self.options)) or "its options are " + (
                    ", ".join(f"`{n}`" for n in self.options) or "none"
                )
                raise OptionError(f"{self.name} has no option `{name}`; {hint}")
            else:
                found[name] = value
        return found

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        options: dict[str, Any] | None = None,
        names: list[str] | None = None,
        chance: str = "stream",
    ) -> Play:
        """Begins a play. With `chance="ask"` the caller answers what is random (see `Play.chance`); what is wrong with
        the players or options is an `OptionError`."""
        if chance not in CHANCES:
            hint = did_you_mean(nearest(chance, CHANCES)) or f"there are {_listed(CHANCES)}"
            raise OptionError(f"chance cannot be `{chance}`; {hint}")
        return Play(self, self.configured(players, options, names), seed, ask_chance=chance == "ask")

    def graph(
        self, board: str | None = None, players: int | None = None, options: dict[str, Any] | None = None
    ) -> networkx.MultiDiGraph[str]:
        """A board as a graph of networkx: its spaces by name with their coordinates and attributes, and its ways."""
        from .graphs import graph_of

        return graph_of(self.configured(players, options), board)

    def resume(self, data: bytes | str | dict[str, Any], any_rules: bool = False) -> Play:
        """The play that a save holds; raises `SaveError` if it is none, or was made with other rules."""
        from .save import resume

        return resume(self, data, any_rules)

    def carry_over(self, data: bytes | str | dict[str, Any]) -> tuple[Play, list[Note]]:
        """The play of a save that was made with other rules, matched by names, and what is different in it now."""
        from .save import carry_over

        return carry_over(self, data)


def text_of(node: Any, language: str) -> str:
    """A text of the file in a language, or in the first one there is."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Map):
        entry = node.get(language) or next((e.value for e in node), None)
        return entry.value if isinstance(entry, Scalar) else ""
    return ""


def _span(players: range) -> str:
    return str(players[0]) if len(players) == 1 else f"{players[0]} to {players[-1]}"


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f"`{name}`" for name in names)


@overload
def load(path: str | Path, backend: Literal["c"]) -> CompiledGame: ...


@overload
def load(path: str | Path, backend: Literal["interpreter", "python"] | None = None) -> Game: ...


def load(path: str | Path, backend: str | None = None) -> Game | CompiledGame:
    """The game of a file or folder; raises `GameError` with all mistakes that `ruledsl check` finds, if it has any.

    So nothing is left to be found when a play begins, with whatever players and options `check` goes through. That
    takes as long as `check`, once for each version of the rules: what was found good is noted in the user's cache.

    Its plays run on the backend: `python`, functions made for the game, unless `interpreter`, the reference, is
    asked for here or with the variable `RULEDSL_BACKEND` of the environment. They play the same, at different speed.
    With `c` it is a `CompiledGame`, whose plays are driven by numbers of options, a hundred times as fast.
    """
    if backend == COMPILED:
        from .compiled import CompiledGame

        return CompiledGame(Game(pipeline.load_checked(Path(path))))
    return Game(pipeline.load_checked(Path(path)), backend=backend)
