"""The stages in order: files, declarations in force, world, program. Read this first.

    files ── source ──▶ nodes ── syntax ──▶ trees ── analysis ──▶ world and program ── engine ──▶ plays

A game is worked out for one configuration at a time: a number of players and a value for every option. `check`
goes through several, so that a mistake in a module or for four players is found without playing it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from itertools import chain, combinations, product
from math import prod
from pathlib import Path
from typing import Any, Protocol

import ruledsl.builtins
import ruledsl.statements  # noqa: F401  verbs and functions register themselves with `analysis`
from ruledsl.analysis.again import work_out_again
from ruledsl.analysis.compile import GameWorld, compile_game
from ruledsl.analysis.declarations.fixed import fixed
from ruledsl.analysis.declarations.options import (
    NONE_WORD,
    ForbiddenError,
    OptionError,
    declare_options,
    may_be_none,
    option_value,
    set_options,
)
from ruledsl.analysis.declarations.types import declare_types
from ruledsl.analysis.names import RESERVED
from ruledsl.analysis.notes import Notes
from ruledsl.analysis.sections import FORBIDDEN, GAME, MODULE, Merger, Sections, Source, modules_of, read_source
from ruledsl.analysis.world import World
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.suggest import quoted
from ruledsl.ir import core as C
from ruledsl.memory import uncollected
from ruledsl.records import dataclass
from ruledsl.source.document import Broken, Map, Node, Scalar, Seq, nodes_of
from ruledsl.syntax import expr as E
from ruledsl.syntax.foreign import number_meant, range_meant
from ruledsl.syntax.mending import INNER_GLUED, is_absent
from ruledsl.syntax.shapes import Fields, fields, misspelt, sound_word
from ruledsl.types import Bool, Elem, Num, SetOf, Type, bits, none_of

# Expressions and declarations nest; the limits of `syntax.parser` keep the depth far below this.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))

MOST_PLAYERS = 16
CONFIGURATIONS = 24
MOST_COMBINATIONS = 1_000  # of players and options, that a module is looked for in


@dataclass(frozen=True)
class Configuration:
    """A number of players and the options that differ from their start."""

    players: int
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(eq=False)
class Blueprint:
    """A game whose files were read: what may be configured, before anything is worked out."""

    source: Source
    name: str
    fewest: int
    most: int
    seats: list[str]  # names of the seats, where the game gives them
    options: dict[str, Type] = field(default_factory=dict)
    starts: dict[str, Any] = field(default_factory=dict)
    presets: dict[str, dict[str, Any]] = field(default_factory=dict)
    early: dict[int, World] = field(default_factory=dict)  # by players: types and options alone
    merged: Merger | None = None  # what modules are added to, as it was last told of
    ways: list[Configuration] | None = None  # once they were asked for: `configurations`
    looked: Report = field(default_factory=Report)  # the report with which it was read: what was found good since


def read(path: Path, report: Report) -> Blueprint | None:
    """The files of a game; None if they cannot be read at all."""
    with uncollected():
        source = read_source(Path(path), report)
    if source is None:
        return None
    fewest, most, seats = _players(source, report)
    name = source.main.get("game")
    blueprint = Blueprint(source, name.value if isinstance(name, Scalar) else "game", fewest, most, seats)
    blueprint.looked = report
    before = report.errors
    world = _early_world(blueprint, fewest, report)
    blueprint.options = {name: kind for name, (kind, _) in world.options.items()}
    blueprint.starts = {name: value for name, (_, value) in world.options.items()}
    blueprint.presets = _presets(blueprint, world, report) if report.errors == before else {}
    return blueprint


def _players(source: Source, report: Report) -> tuple[int, int, list[str]]:
    node = next((part.get("players") for part in source.parts if part.get("players") is not None), None)
    if node is None:
        if not source.main.broken and not misspelt(source.main, "players", GAME):
            report.error(
                "S102",
                source.span,
                "a game needs `players:`",
                help="write a number, a range as in `2..4`, or names as in `[white, black]`",
            )
        return 2, 2, []
    if isinstance(node, Seq):
        words = [sound_word(item, report).value for item in node.items if isinstance(item, Scalar)]
        if (
            len(words) == len(node.items)
            and words
            and len(set(words)) == len(words)
            and all(w.isidentifier() and w not in RESERVED for w in words)
        ):
            return len(words), len(words), words
    elif isinstance(node, Scalar):
        low, _, high = node.value.partition("..")
        if low.strip().isdecimal() and (not high or high.strip().isdecimal()) and len(node.value) < 20:
            a, b = int(low), int(high or low)
            if 1 <= a <= b <= MOST_PLAYERS:
                return a, b, []
    if not isinstance(node, Broken):
        meant = _players_meant(node)
        help = f"write `{meant}`" if meant else f"as in `2`, `2..4` or `[white, black]`; at most {MOST_PLAYERS}"
        report.error("S118", node.span, _wrong_players(node), help=help, suggestions=(meant,) if meant else ())
        if names := re.findall(r"[^\W\d]\w*", meant):  # read on as it was meant
            return len(names), len(names), names
        if meant:
            low, _, high = meant.partition("..")
            return int(low), int(high or low), []
    return 2, 2, []


def _players_meant(node: Node) -> str:
    """`2..4` for `2-4`, `[2, 4]` or `two to four`; names in a list. Empty if that is not known."""
    text = node.span.one_line
    if most := re.fullmatch(r"(?:up to|at most|max(?:imum)?(?: of)?|not more than)\s+(\d+)(?:\s+players)?", text):
        return f"2..{most[1]}" if 2 < int(most[1]) <= MOST_PLAYERS else ""
    if isinstance(node, Seq) and node.items and all(isinstance(item, Map) for item in node.items):
        texts = [_called(item) for item in node.items if isinstance(item, Map)]  # `- name: white`
        text = ", ".join(texts) if all(texts) else text
    elif isinstance(node, Map) and not all(is_absent(entry.value) for entry in node):
        bounds = [number_meant(e.value.value) for e in node if isinstance(e.value, Scalar) and not e.value.is_null]
        if bounds and None not in bounds:
            return f"{bounds[0]}..{bounds[1]}" if len(bounds) == 2 else str(bounds[0]) if len(bounds) == 1 else ""
        if not all(isinstance(e.value, Map) or (isinstance(e.value, Scalar) and e.value.is_null) for e in node):
            return ""
        text = ", ".join(node.entries)  # `{white: {…}, black: {…}}`
    numbers = [number_meant(word) for word in re.findall(r"\w+", text) if word.lower() not in _AROUND_NUMBERS]
    found = [number for number in numbers if number is not None]
    if (
        found
        and len(found) == len(numbers)
        and len(found) <= MOST_PLAYERS
        and 1 <= min(found) <= max(found) <= MOST_PLAYERS
    ):
        return str(found[0]) if len(found) == 1 else f"{min(found)}..{max(found)}" if _is_range(text) else ""
    text = re.sub(r"^\s*\d+\s*(?:players?\s*)?[:(-]\s*(?=\D)", "", text)  # `2 (white, black)`
    inside = text.strip("[]{}()")
    parts = re.split(r"[,;/]| and | и ", inside) if re.search(r"[,;/]| and | и ", inside) else inside.split()
    names = [name.strip() for name in parts if name.strip()]
    words = list(dict.fromkeys(re.sub(r"\W+", "_", name.strip().lower()) for name in names))
    sound = 1 < len(words) == len(set(words)) and all(w.isidentifier() and w not in RESERVED for w in words)
    return f"[{', '.join(words)}]" if sound and len(words) <= MOST_PLAYERS else ""


def _called(row: Map) -> str:
    """The name in a row, or its only key."""
    name = row.get("name")
    if isinstance(name, Scalar):
        return name.value
    return next(iter(row.entries)) if len(row.entries) == 1 else ""


_AROUND_NUMBERS = {"to", "from", "and", "or", "players", "player", "up", "bis", "до", "от", "игроков", "игрока"}


def _is_range(text: str) -> bool:
    bare = re.sub(r"\b(?:players?|игрок\w*)\b", "", text)
    return (
        range_meant(bare.strip("[]() ").replace(",", " to ")) is not None
        or re.fullmatch(r"[\[\s\d,]+\]?", text) is not None
    )


def _wrong_players(node: Node) -> str:
    """What is wrong with `players:`, as exactly as it can be said."""
    words = [item.value for item in node.items if isinstance(item, Scalar)] if isinstance(node, Seq) else []
    for at, word in enumerate(words):
        if word in words[:at]:
            return f"two seats are called `{word}`"
        if not word.isidentifier():
            return f"`{word}` cannot be the name of a seat: it needs letters, digits and `_`"
        if word in RESERVED:
            return f"`{word}` cannot be the name of a seat: it has a meaning of its own in the rules"
    low, _, high = node.value.partition("..") if isinstance(node, Scalar) else ("", "", "")
    if low.strip().isdecimal() and (high or low).strip().isdecimal():
        a, b = low.strip(), (high or low).strip()
        if len(a) > 4 or len(b) > 4 or int(b) > MOST_PLAYERS:
            return f"a game has at most {MOST_PLAYERS} players"
        return "a game has at least 1 player" if int(a) < 1 else f"the range {a}..{b} is empty"
    return "`players:` must be a number, a range or names"


def player_names(blueprint: Blueprint, count: int, given: list[str] | None = None) -> list[str]:
    if given:
        return given
    return blueprint.seats or [f"player_{i + 1}" for i in range(count)]


def by_seats(blueprint: Blueprint, given: dict[str, Any], names: list[str] | None) -> dict[str, Any]:
    """Options as they are without names of players: one that is a player is told by its seat."""
    seats = dict(zip(names or (), player_names(blueprint, len(names or ())), strict=False))
    return {name: _seat(blueprint.options.get(name), value, seats) for name, value in given.items()}


def _seat(kind: Type | None, value: Any, seats: dict[str, str]) -> Any:
    of = kind.of if isinstance(kind, SetOf) else kind
    if not isinstance(of, Elem) or of.root.kind != "player":
        return value
    words = value if isinstance(value, list | tuple) else str(value).replace("+", ",").split(",")
    told = [seats.get(str(word).strip(), str(word).strip()) for word in words]
    return told if isinstance(kind, SetOf) else ",".join(told)


def _merged(blueprint: Blueprint, report: Report) -> Merger:
    """What stands outside of modules: put together once, where nothing is wrong that each report has to tell."""
    if blueprint.merged is None or blueprint.merged.report.asked is not report.asked:
        merger, before = Merger(report), len(report.findings)
        for part in blueprint.source.parts:
            merger.add(part)
        if len(report.findings) > before:
            return merger
        blueprint.merged = merger
    return blueprint.merged.copy(report)


def _asked(blueprint: Blueprint, players: int, given: dict[str, Any], report: Report) -> World:
    """What conditions of modules may speak of, with these players and options; what is found goes into the report."""
    world = blueprint.early.get(players)
    if world is None:
        world = blueprint.early[players] = _early_world(blueprint, players, Report())
    world.report = world.elaborator.report = Report()
    set_options(world, given)
    world.report = world.elaborator.report = report
    return world


def _early_world(blueprint: Blueprint, players: int, report: Report) -> World:
    """Types and options alone."""
    sections = _merged(blueprint, blueprint.looked.apart()).sections
    world = World(blueprint.source, sections, {}, player_names(blueprint, players), report)
    declare_types(world)
    declare_options(world, {})
    return world


def _presets(blueprint: Blueprint, world: World, report: Report) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    before = report.errors
    for name, (key, node) in world.sections.named["presets"].items():
        if not isinstance(node, Map):
            glued = INNER_GLUED.fullmatch(node.value) if isinstance(node, Scalar) else None
            help = f"write `{{{glued[1]}: {glued[2]}}}`" if glued else "as in `{level: hard}`; write `{}` for none"
            report.error("S104", key.span, "a preset must be a map from options to values", help=help)
            continue
        values: dict[str, Any] = {}
        if not node.entries:
            report.warn("L518", key.span, f"the preset `{name}` sets nothing", help="remove it, or correct it")
        for entry in node:
            kind = blueprint.options.get(entry.key.value)
            if kind is None:
                from ruledsl.syntax.shapes import unknown_key

                advice = _no_option(entry.key.value, world.sections.named)
                unknown_key(entry.key, tuple(blueprint.options), "a preset", report, advice=advice)
                continue
            given = (
                [i.value for i in entry.value.items if isinstance(i, Scalar)]
                if isinstance(entry.value, Seq)
                else entry.value.value
                if isinstance(entry.value, Scalar)
                else ""
            )
            try:
                option_value(world, kind, given, entry.key.value)
                values[entry.key.value] = given
            except OptionError as problem:
                report.error("R314", entry.value.span, str(problem))
        same = next((other for other, known in found.items() if known == values and all(values.values())), "")
        if same and report.errors == before:
            report.warn("L518", key.span, f"the preset `{name}` sets the same as `{same}`", help="change one of them")
        found[name] = values
    return found


def _no_option(word: str, named: Mapping[str, Mapping[str, Any]]) -> str:
    """What is said where a preset sets something that is declared, and is no option."""
    section = next((name for name, table in named.items() if name not in ("options", "presets") and word in table), "")
    if word == "players":
        return "a preset sets options; how many play is chosen apart from them"
    if not section:
        return ""
    return f"`{word}` is declared under `{section}:`, and a preset sets options only; declare an option for it"


def sections_for(blueprint: Blueprint, players: int, given: dict[str, Any], report: Report) -> Sections:
    """The declarations in force: those of all files, with the modules whose condition holds."""
    merger = _merged(blueprint, report)
    modules = modules_of(blueprint.source, report)
    if modules:
        world = _asked(blueprint, players, given, report)
        for _, module in modules:
            if not _active(world, module.get("when")):
                continue
            merger.sections.modules.append(module.node)
            if module.get("remove") is not None:
                merger.remove(module.words("remove"))
            merger.add(module)
            replace = module.get("replace")
            if isinstance(replace, Map):
                inner = fields(_with_when(replace, module.node), MODULE, report)
                if inner is not None:
                    inner.asked.add("when")  # that of the module, which was read
                    merger.add(inner, replace=True)
    return merger.sections


def forbidden(blueprint: Blueprint, players: int, given: dict[str, Any], report: Report) -> dict[str, str] | None:
    """Why these players and options do not go together, by language; None if they do."""
    ruled_out = _ruled_out(blueprint, players, given, report)
    found = next((found for found, now in ruled_out if now), None)
    if found is None:
        return None
    because = found.get("because")
    if isinstance(because, Map):
        return {e.key.value: e.value.value for e in because if isinstance(e.value, Scalar)}
    return {"en": found.word("because")}


def _ruled_out(
    blueprint: Blueprint, players: int, given: dict[str, Any], report: Report
) -> Iterator[tuple[Fields, bool]]:
    """What stands under `forbidden:`, and whether its condition holds."""
    for node in (item for part in blueprint.source.parts for item in _items(part.get("forbidden"))):
        found = fields(node, FORBIDDEN, report)
        if found is not None:
            yield found, _active(_asked(blueprint, players, given, report), found.get("when"))


def _items(node: Node | None) -> tuple[Node, ...]:
    return tuple(node.items) if isinstance(node, Seq) else ()


def _with_when(replace: Map, module: Map) -> Map:
    """What stands under `replace:` has the keys of a module, but for its condition."""
    return (
        Map(replace.span, {"when": module.entries["when"], **replace.entries}, replace.flow, replace.broken)
        if "when" in module.entries
        else replace
    )


def _active(world: World, node: Node | None) -> bool:
    if node is None:
        return False
    world.elaborator.no_me += 1
    condition = world.elaborator.condition_of(node, "the condition of `when`")
    world.elaborator.no_me -= 1
    return bool(fixed(world, condition, node.span))


def work_out(
    blueprint: Blueprint,
    players: int,
    given: dict[str, Any],
    report: Report,
    names: list[str] | None = None,
    marks: bool = False,
    notes: Notes | None = None,
) -> tuple[GameWorld, C.Program]:
    """The world and program of one configuration; with errors in the report it is not fit to be played."""
    from .lints import mistakes

    with uncollected():
        sections = sections_for(blueprint, players, given, report)
        world, program = compile_game(
            blueprint.source, sections, given, player_names(blueprint, players, names), report, marks, notes
        )
    for _, module in modules_of(blueprint.source, report):  # what their conditions ask for is of use
        for name in E.names_in(world.elaborator.read(module.get("when"))):
            if name in world.names:
                world.names[name].used = True
    if not report.errors:
        mistakes(program, report)
    return world, program


def configurations(blueprint: Blueprint) -> list[Configuration]:
    """Those that `check` goes through: every number of players, every option at its other values, one at a time, and
    every preset. What `forbidden:` rules out is none of them.

    An option is tried with two players, where they may play with it: alone, less can go wrong.
    """
    if blueprint.ways is None:
        found = {repr(one): one for one in _ways(blueprint)}
        blueprint.ways = list(found.values())[:CONFIGURATIONS]
    return blueprint.ways


def _ways(blueprint: Blueprint) -> Iterator[Configuration]:
    counts = range(blueprint.fewest, blueprint.most + 1)
    for count in counts:
        if forbidden(blueprint, count, {}, blueprint.looked.apart()) is None:
            yield Configuration(count)
    others = [
        ((name, value),)
        for name, kind in blueprint.options.items()
        for value in _other_values(kind, blueprint.starts[name])
    ]
    presets = [unlike_start(blueprint, values) for values in blueprint.presets.values()]
    for options in (*others, *presets):
        for count in sorted(counts, key=lambda n: (n < 2, n)):
            if forbidden(blueprint, count, dict(options), blueprint.looked.apart()) is None:
                yield Configuration(count, options)
                break


def unlike_start(blueprint: Blueprint, values: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The options that are set to something else than they are anyway."""
    world = _asked(blueprint, blueprint.fewest, {}, Report())
    return tuple(
        (name, value)
        for name, value in values.items()
        if option_value(world, blueprint.options[name], value, name) != blueprint.starts[name]
    )


def _other_values(kind: Type, start: Any) -> list[Any]:
    none = [NONE_WORD] if may_be_none(kind) and start != none_of(kind) else []
    return none + _other_members(kind, start)


def _other_members(kind: Type, start: Any) -> list[Any]:
    match kind:
        case Bool():
            return ["false" if start else "true"]
        case Num(low, high):
            return [n for n in dict.fromkeys((low, high)) if n != start]
        case Elem(root=root, mask=mask):
            return [root.names[i] for i in bits(mask) if i != start]
        case SetOf(of=Elem(root=root, mask=mask)):
            return [[root.names[i] for i in bits(mask)]]
    return []


class Beside(Protocol):
    """What is looked at beside the rules, in every configuration that is worked out: the tests of a game."""

    def at(self, configuration: Configuration, world: GameWorld, program: C.Program) -> None: ...

    def finish(self) -> Report: ...


def check(path: Path, report: Report | None = None, beside: Callable[[Blueprint], Beside] | None = None) -> Report:
    """All mistakes of a game, in all configurations that matter, and of what is looked at `beside` its rules."""
    report, blueprint = report or Report(), None
    with uncollected(), _told(report):
        blueprint = read(path, report)
        if blueprint is not None:
            _check(blueprint, report, beside(blueprint) if beside is not None else None)
    if report.errors > 1 and blueprint is not None:
        from .following import without_consequences

        without_consequences(blueprint.source, report)
    return report


@contextmanager
def _told(report: Report) -> Iterator[None]:
    """What cannot be worked out at all ends here, with a word in the report."""
    try:
        yield
    except GameError:
        pass  # a board that nothing can stand in for: the report has it
    except RecursionError:
        report.error("S119", None, "the rules are nested too deeply to be read")


def _check(blueprint: Blueprint, report: Report, beside: Beside | None = None) -> None:
    from .lints import Lints

    lints = Lints(report)
    for configuration, world, program in worked_out(blueprint, report, lambda: lints.advises):
        lints.note(world, program)
        if beside is not None and not report.errors:
            beside.at(configuration, world, program)
    if report.errors:
        return
    lints.finish()
    _never_on(blueprint, report)
    _never_played(blueprint, report)
    _never_forbidden(blueprint, report)
    if beside is not None:
        lost = _labels_of_lost(blueprint, report)
        for found in beside.finish().findings:
            if found.code != "Q118" or not lost.intersection(quoted(found.message)[-1:]):
                report.add(found)


def _labels_of_lost(blueprint: Blueprint, report: Report) -> set[str]:
    """The words of options that nobody is offered, which is told: tests that take them follow from that."""
    places = [found.span for found in report.findings if found.code in ("L507", "L510") and found.span is not None]
    words: set[str] = set()
    for part in blueprint.source.parts if places else ():
        actions = part.get("actions")
        for entry in actions if isinstance(actions, Map) else ():
            whole = entry.key.span.until(entry.value.span)
            if any(place.is_in(whole) for place in places):
                words |= set(re.findall(r"\w+", whole.text))
    return words


def _never_on(blueprint: Blueprint, report: Report) -> None:
    """Modules whose condition holds for no players and options, where all of these can be gone through."""
    for key, module in modules_of(blueprint.source, blueprint.looked.apart()):
        node = module.get("when")
        if module.node.entries.keys() <= {"when", "each", "title"} and not report.tells_within(module.node.span):
            report.warn("L518", key.span, f"the module `{key.value}` has no rules in it", help="remove it, or add some")
        if node is None:
            continue
        every = _asked_by(blueprint, node)
        if every is not None and not any(is_on(blueprint, node, *one) for one in every):
            report.warn(
                "L523",
                node.span,
                f"the module `{key.value}` is never on: no number of players and no options make its condition true",
                help="check the condition, or remove the module",
            )


def _never_forbidden(blueprint: Blueprint, report: Report) -> None:
    """What `forbidden:` rules out and can never come, where all players and options can be gone through."""
    for part in blueprint.source.parts:
        for item in nodes_of(part.get("forbidden")):
            node = item.get("when") if isinstance(item, Map) else None
            every = _asked_by(blueprint, node) if node is not None else None
            if node is not None and every is not None and not any(is_on(blueprint, node, *one) for one in every):
                said = "this forbids nothing: no number of players and no options make its condition true"
                report.warn("L523", node.span, said, help="check the condition, or remove it")


def _never_played(blueprint: Blueprint, report: Report) -> None:
    """Presets that `forbidden:` rules out for every number of players: nobody can begin such a play."""
    for name, values in blueprint.presets.items():
        key = next((k for part in blueprint.source.parts if (k := _key_of(part.get("presets"), name))), None)
        why = {}
        for count in range(blueprint.fewest, blueprint.most + 1):
            said = forbidden(blueprint, count, values, blueprint.looked.apart())
            if said is None:
                break
            why = said
        else:
            reason = f": {ForbiddenError.text_of(why, 'en')}" if why else ""
            message = f"the preset `{name}` can never be played{reason}"
            help = "change its options, or the condition under `forbidden:`"
            report.error("R321", key.span if key is not None else None, message, help=help)


def _key_of(node: Node | None, name: str) -> Scalar | None:
    return node.key(name) if isinstance(node, Map) else None


def _asked_by(blueprint: Blueprint, node: Node) -> Iterator[tuple[int, dict[str, Any]]] | None:
    """Players and options that the condition of a module can tell apart, likely ones first; None if these are too
    many to go through."""
    names = E.names_in(_asked(blueprint, blueprint.fewest, {}, Report()).elaborator.read(node))
    asked = {name: _values(kind) for name, kind in blueprint.options.items() if name in names}
    counts = range(blueprint.fewest, blueprint.most + 1)
    if len(counts) * prod(map(len, asked.values())) > MOST_COMBINATIONS or not all(asked.values()):
        return None
    every = (dict(zip(asked, values, strict=True)) for values in product(*asked.values()))
    tried = [(one.players, dict(one.options)) for one in configurations(blueprint)]  # most are found among these
    return chain(tried, ((n, options) for options in every for n in counts))


def is_on(blueprint: Blueprint, node: Node, players: int, options: dict[str, Any]) -> bool:
    """Whether the condition of a module holds for these players and options."""
    return _active(_asked(blueprint, players, options, Report()), node)


def where_on(blueprint: Blueprint, node: Node, players: int) -> tuple[int, dict[str, Any]] | None:
    """Players and options that may be played, and for which the condition of a module holds; as many as given, if
    that can be."""
    first = None
    for one in _asked_by(blueprint, node) or ((c.players, dict(c.options)) for c in configurations(blueprint)):
        if is_on(blueprint, node, *one) and forbidden(blueprint, *one, Report()) is None:
            if one[0] == players:
                return one
            first = first or one
    return first


def _values(kind: Type) -> list[Any]:
    """All that an option can be; nothing where these are too many to go through."""
    members = _members(kind)
    return [NONE_WORD, *members] if members and may_be_none(kind) else members


def _members(kind: Type) -> list[Any]:
    match kind:
        case Bool():
            return ["true", "false"]
        case Num(low, high) if high - low < MOST_COMBINATIONS:
            return list(range(low, high + 1))
        case Elem(root=root, mask=mask):
            return [root.names[i] for i in bits(mask)]
        case SetOf(of=Elem(root=root, mask=mask)) if mask.bit_count() < 10:
            words = [root.names[i] for i in bits(mask)]
            return [list(some) for size in range(len(words) + 1) for some in combinations(words, size)]
    return []


def worked_out(
    blueprint: Blueprint, report: Report, is_advised: Callable[[], bool] = lambda: True
) -> Iterator[tuple[Configuration, GameWorld, C.Program]]:
    """The game in all configurations that matter, as far as it has no mistakes; each before the next is asked for.

    Where nobody is to be advised any more, what a configuration shares with one before is not gone through again.
    """
    from .renamed import half_renamed

    list(_ruled_out(blueprint, blueprint.fewest, {}, report))  # for what is wrong in the conditions, in all of them
    same: list[tuple[Configuration, set[str]]] = []  # what was worked out, and the options that nothing asked for there
    known: list[GameWorld] = []
    for one in configurations(blueprint):
        if any(_only_unasked(one, other, unasked) for other, unasked in same):
            continue
        found = None if is_advised() or report.findings else again(blueprint, one, known, report)
        world, program = found or work_out(blueprint, one.players, dict(one.options), report)
        if found is None:
            known.append(world)
        if report.errors:
            half_renamed(world, report)
            return  # the other configurations would say the same again
        same.append((one, {name for name in blueprint.options if not world.names[name].used}))
        yield one, world, program


def again(
    blueprint: Blueprint, one: Configuration, known: list[GameWorld], report: Report, names: list[str] | None = None
) -> tuple[GameWorld, C.Program] | None:
    """A configuration in the world of one before, if that can be and nothing is found: to be looked at, not played."""
    trees = blueprint.source.trees
    read, found = len(trees), report.apart()
    try:
        made = _again(blueprint, one, known, found, player_names(blueprint, one.players, names))
    except GameError:
        made = None
    if made is not None and not found.findings:
        made[0].report = made[0].elaborator.report = report
        return made
    if made is not None:
        known.remove(made[0])  # it is half of the one and half of the other
    while len(trees) > read:  # what cannot be read is told by who reads it first
        trees.popitem()
    return None


def _again(
    blueprint: Blueprint, one: Configuration, known: list[GameWorld], report: Report, seats: list[str]
) -> tuple[GameWorld, C.Program] | None:
    from .lints import mistakes

    fit = [world for world in known if world.players.names == seats]
    sections = sections_for(blueprint, one.players, dict(one.options), report) if fit else Sections()
    for world in fit if not report.findings else ():
        try:
            program = work_out_again(world, sections, dict(one.options), report)
        except GameError:
            known.remove(world)
            raise
        if program is not None:
            if not report.errors:
                mistakes(program, report)
            return world, program
    return None


def _only_unasked(one: Configuration, other: Configuration, unasked: set[str]) -> bool:
    """Whether two configurations differ only in options that nothing asks for: their rules are the same."""
    if one.players != other.players:
        return False
    here, there = dict(one.options), dict(other.options)
    return all(name in unasked for name in {*here, *there} if here.get(name) != there.get(name))


def load_blueprint(path: Path) -> Blueprint:
    """A game that is to be played in one configuration: with mistakes that stand outside of all rules it is refused.

    What is wrong in the rules is found where they are worked out, for the configuration that is played.
    """
    report, blueprint = Report(), None
    with _told(report):
        blueprint = read(path, report)
    if blueprint is None or report.errors:
        raise GameError(report)
    return blueprint


def load_checked(path: Path) -> Blueprint:
    """A game that is refused for any mistake that `check` finds. Rules once found good are not gone through again."""
    from . import checked

    report, blueprint = Report(), None
    with _told(report):
        blueprint = read(path, report)
        if blueprint is not None and (report.errors or not checked.is_known(blueprint)):
            _check(blueprint, report)
    if blueprint is None or report.errors:
        raise GameError(report)
    checked.remember(blueprint)
    return blueprint
