"""Advice about games that can be played but were hardly meant so; each finding holds in every configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.declarations.cases import unknown_cases
from ruledsl.analysis.declarations.looks import unknown_looks
from ruledsl.analysis.declarations.texts import unknown_texts, untranslated
from ruledsl.analysis.effort import MOST_ROUNDS, endless, idle_loops
from ruledsl.analysis.extending import unbounded
from ruledsl.analysis.sections import MODULE
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import names_meant, nearest_or
from ruledsl.engine.menus import MANY, MOST_OPTIONS, at_least, at_most, outcomes
from ruledsl.ir import core as C
from ruledsl.ir.ways import ways_through
from ruledsl.source.document import Map, Scalar
from ruledsl.source.text import Span

from .acting import nobody_acts
from .overlooked import overlooked
from .spent import spent
from .standing import standing_nowhere

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld

Found = dict[Span, tuple[Any, ...]]

_SORTS = {
    "option": "option",
    "type": "type",
    "kind": "kind of piece",
    "place": "place",
    "pool": "pool",
    "value": "value",
    "formula": "formula",
    "effect": "effect",
    "action": "action",
    "history": "history",
}


# What is for players and commands, not for the rules.
_FOR_OTHERS = {"tests", "covers", "title", "about", "campaign", "game", "because", "symbol"}


def mistakes(program: C.Program, report: Report) -> None:
    """What is certainly wrong with a program as a whole: it is told before anybody plays, not only by `check`."""
    for choice in _choices(program):
        if (sure := at_least(choice)) > MOST_OPTIONS:
            report.error(
                "R318",
                _first_line(choice.span),
                f"this choice has {sure:,} options at once, and {MOST_OPTIONS:,} are the most",
                help="ask step by step with `stepwise: true`, or narrow it with `where`",
            )
    for chance in (block.end for block in program.blocks):
        if isinstance(chance, C.Chance) and chance.span is not None and outcomes(chance) > MOST_OPTIONS:
            report.error(
                "R318",
                _first_line(chance.span),
                f"this picks from {outcomes(chance):,} at random, and {MOST_OPTIONS:,} are the most",
                help="pick two smaller numbers, and put them together",
            )
    for loop, rounds in idle_loops(program):
        report.error(
            "R320",
            _first_line(loop),
            f"this takes {rounds:,} steps before the next decision, and {MOST_ROUNDS:,} are the most",
            help="loop over fewer, or use one expression in the place of the loops",
        )
    for span, steps in endless(program):
        shown = f"{steps:,}" if steps < 10**15 else f"more than {10**15:,}"
        help = "loop over fewer, or keep what was counted once in a value"
        if span is not None:
            report.error("R319", _first_line(span), f"this takes {shown} steps each time", help=help)
    for span, message, help, notes in nobody_acts(program):
        with report.one_slip("nobody acts"):
            report.error("N108", span, message, notes=notes, help=help)


def _choices(program: C.Program) -> Iterator[Any]:
    return (block.end for block in program.blocks if isinstance(block.end, C.Choice) and block.end.span is not None)


class Lints:
    """Collects what each configuration leaves unused, settled or unreached, and reports what all of them do."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.found: Found | None = None
        self.inside: dict[Span, Found] = {}  # by module, of the configurations in which it is on
        self.searches: dict[Span, str] = {}  # in any configuration
        self.menus: set[str] = set()
        self.refused: set[Span] = set()  # choices with too many options, as was said already

    @property
    def advises(self) -> bool:
        """Whether something is still said by all configurations, so that the next one is to be asked whole."""
        return self.found != {} or any(self.inside.values())

    def note(self, world: GameWorld, program: C.Program) -> None:
        """What one configuration has to say; only what every one of them says is kept.

        Of what stands in a module, those configurations are asked in which it is on.
        """
        if self.found != {}:  # once a configuration had nothing to say, there is nothing that all of them say
            wanted = None if self.found is None else {code for code, *_ in self.found.values()}
            self.found = _agreed(self.found, _by_span(_findings(world, program, wanted)))
        modules = [m.span for m in world.sections.modules if self.inside.get(m.span) != {}]
        here = _by_span(_local(world)) if modules else {}
        for module in modules:
            of_it = {s: f for s, f in here.items() if _within(s, module) and _stands_alone(world, s, f)}
            self.inside[module] = _agreed(self.inside.get(module), of_it)
        self.menus |= world.data.get("offered", set())
        self.searches |= _searches(program)
        for choice in _choices(program):
            self.report.note_menu(choice.span, at_most(choice))
            if at_least(choice) > MOST_OPTIONS:
                self.refused.add(choice.span)

    def finish(self) -> None:
        for span, name in unasked(self.report):
            help = "remove it, or move it to where it belongs"
            self.report.warn("L524", span, f"`{name}:` has no effect here", help=help)
        for span, most in self.report.menus.items():
            if most > MANY and span not in self.refused:
                self.report.warn(
                    "L517",
                    _first_line(span),
                    f"this choice may have up to {most:,} options at once",
                    help=f"ask step by step with `stepwise: true`; more than {MOST_OPTIONS:,} options end the play",
                )
        all_found = dict(self.found or {})
        for found_inside in self.inside.values():
            all_found |= found_inside
        found = {span: (*one, help() if callable(help) else help) for span, (*one, help) in all_found.items()}
        for (code, message, help, *_), (first, *more) in _by_slip(found).items():
            words = tuple(names_meant(help))
            self.report.warn(code, first, message, help=help, suggestions=words, more=tuple(more))
        for span, name in self.searches.items():
            self.report.warn(
                "L514",
                span,
                f"it may take too many tries to see how `{name}` can be completed",
                help="ask for sums, counts and bounds, with `and` and `or`: `sum(…) >= n`, `count(… where …) == n`, "
                "`all(…)`, `b[x] <= n`; or let fewer be chosen",
            )


def _local(world: GameWorld) -> Iterator[tuple[Any, ...]]:
    """What is said of a thing by itself: the place, the code, what is wrong, and advice."""
    yield from _unused(world)
    for node in world.data["silent"]:
        key = next(iter(node)).key
        yield (
            key.span,
            "L506",
            "the rules do not say what happens if there is nothing to choose",
            "add `else:` (`else: never` if there is always something); without it the rest of the block is skipped",
        )
    for span in world.data.get("idle else", ()):
        yield span, "L530", "there is always something to choose here, so this never happens", "remove `else:`"
    for span, message in world.data.get("idle", ()):
        yield span, "L518", message, "remove it, or correct it"
    yield from world.data.get("advice", ())


def _findings(world: GameWorld, program: C.Program, wanted: set[str] | None) -> Iterator[tuple[Any, ...]]:
    """The place, the code, what is wrong, and advice; or what finds the advice, where that takes time.

    What says nothing that is still `wanted`, where other configurations have spoken before, is not asked.
    """
    yield from _local(world)
    yield from _actions(world)
    for span, value in world.data.get("settled", ()):
        yield (
            span,
            "L509",
            f"this is {'always' if value else 'never'} so",
            "write what it depends on, or remove it",
        )
    yield from overlooked(world, program)
    for codes, of_texts in _OF_TEXTS:
        if wanted is None or wanted & codes:
            yield from of_texts(world)
    yield from standing_nowhere(program)
    for one in spent(program):
        yield (
            one.span,
            "L515",
            f"`{one.action}` may have used up what is needed here: it can be done after `{one.name}` was checked",
            "pay before anything else is chosen (`cost:`), check again here, or let the action wait or leave enough",
        )
    yield from _flow(world, program)


def _of_looks(world: GameWorld) -> Iterator[tuple[Any, ...]]:
    """What is said of how things look."""
    yield from ((span, "L513", message, help) for span, message, help in unknown_looks(world))


def _of_texts(world: GameWorld) -> Iterator[tuple[Any, ...]]:
    """What is said of texts and the words in them."""
    yield from ((span, "L516", message, help) for span, message, help in unknown_cases(world))
    yield from ((span, "L539", message, help) for span, message, help in untranslated(world))
    yield from ((span, "L516", message, help) for span, message, help in unknown_texts(world))


# What goes through all that is there for the eye alone, with the codes of what it says: nothing else speaks of that.
_OF_TEXTS = ((frozenset({"L513"}), _of_looks), (frozenset({"L516", "L539"}), _of_texts))


def _agreed(before: Found | None, here: Found) -> Found:
    """What was said before, and is said here, too."""
    return here if before is None else {span: old for span, old in before.items() if span in here}


def _within(span: Span, whole: Span) -> bool:
    return span.file is whole.file and whole.start <= span.start and span.end <= whole.end


def _stands_alone(world: GameWorld, span: Span, finding: tuple[Any, ...]) -> bool:
    """Whether a finding within a module is true with modules beside it that were never on together with it: of a name
    that is never used, only if it stands nowhere else."""
    word = span.text
    declared = world.names.get(word)
    if finding[0] != "L503" or (declared is not None and declared.sort == "kind"):
        return finding[0] != "L503"  # a kind of piece may only lie in the box, such as a player aid
    files = {part.node.span.file for part in world.source.parts}
    return all(len(re.findall(rf"\b{re.escape(word)}\b", file.text)) == (file is span.file) for file in files)


def _by_span(findings: Iterator[tuple[Any, ...]]) -> Found:
    return {span: tuple(finding) for span, *finding in findings if span is not None}


def _by_slip(found: dict[Span, tuple[Any, ...]]) -> dict[tuple[Any, ...], list[Span]]:
    """The places of each finding: what is said of a pile wherever it is drawn from is one slip."""
    places: dict[tuple[Any, ...], list[Span]] = {}
    for span, (code, message, help) in found.items():
        alone = () if code == "L521" else (span,)
        places.setdefault((code, message, help, *alone), []).append(span)
    return places


def unasked(report: Report) -> Iterator[tuple[Span, str]]:
    """Keys that nobody has looked at, in any configuration: what stands behind them does nothing."""
    for node, (form, asked) in report.asked.items():
        if form.section == "history":
            continue  # what is in one is asked where it is used, and one that is not used is told
        if form is MODULE and asked <= {"when"}:
            continue  # it is on in no configuration that was looked at
        for name, entry in node.entries.items():
            if name in form.keys and name not in asked and name not in _FOR_OTHERS:
                yield entry.key.span, name


def _searches(program: C.Program) -> dict[Span, str]:
    """Choices of several things whose conditions leave more ways open than are tried in play."""
    return {
        span: variable.name
        for block in program.blocks
        if isinstance(block.end, C.Choice)
        for entry in block.end.entries
        for variable, span in unbounded(entry)
        if span is not None
    }


def _first_line(span: Span) -> Span:
    return Span(span.file, span.start, span.start + len(span.text.split("\n")[0].rstrip()))


def _unused(world: GameWorld) -> Iterator[tuple[Any, ...]]:
    """Names that are declared and never used."""
    help = "remove it, or use it"
    for declared in world.names.values():
        if not declared.used and declared.sort in _SORTS and declared.sort != "action":
            yield declared.span, "L503", f"the {_SORTS[declared.sort]} `{declared.name}` is never used", help
    for _, origin in world.data.get("attributes", []):
        if not origin.used and origin.name not in world.data.get("told", ()):
            yield origin.span, "L503", f"the attribute `{origin.name}` is never used", help
    for binding in world.unused_bindings:
        if not binding.used:
            yield binding.span, "L503", f"the name `{binding.name}` is never used", _use_of(binding, help)


def _use_of(binding: Any, help: str) -> str:
    span = binding.span
    line = span.file.line_text(span.line) if span is not None else ""
    if "random:" in line:
        return f"what comes out changes nothing: use `{binding.name}` below, or remove this `random:`"
    return help


def _actions(world: GameWorld) -> Iterator[tuple[Any, ...]]:
    """Actions that nobody can ever take: no menu has them, nothing calls them."""
    offered = world.data.get("offered", set())
    for declared in world.names.values():
        if declared.sort != "action" or declared.used:
            continue
        node = world.procedures[declared.name].node
        menu = node.get("menu") if isinstance(node, Map) else None
        if isinstance(menu, Scalar) and menu.value not in offered:
            otherwise = f"write `choose one: {menu.value}` where players pick from it"
            help = partial(nearest_or, menu.value, offered, otherwise)
            yield menu.span, "L510", f"nobody offers the menu `{menu.value}`", help
        elif menu is None:
            yield (
                declared.span,
                "L507",
                f"no player can choose the action `{declared.name}`",
                "give it a `menu:` that is offered, or call it",
            )


def _flow(world: GameWorld, program: C.Program) -> Iterator[tuple[Any, ...]]:
    """Statements that play never comes to, and plays that never end."""
    orders = {loop.order for loop in world.data.get("turn_loops", ())}
    reached, ends = reachable(program, orders)
    if "between" in world.data:  # what happens between the plays of a campaign begins on its own
        reached |= reachable(program, orders, world.data["between"])[0]
    alive = [span for span, block in world.data.get("stands", ()) if block is None or block in reached]
    live = set(alive)
    dead = [span for span, _ in world.data.get("stands", ()) if span not in live]
    # Of what is never called it is said already that it is never used, or that its call is never reached.
    unused = [
        info.node.span
        for info in world.procedures.values()
        if info.node is not None and info.code.entry not in reached and not info.inline
    ]
    past: dict[Any, int] = {}  # by file: where what was shown, or is never called, ends
    for span, told in sorted(
        [*((s, False) for s in set(dead)), *((s, True) for s in unused)],
        key=lambda pair: (pair[0].file.path, pair[0].start, not pair[1]),
    ):
        inside = span.start < past.get(span.file, -1)
        past[span.file] = max(past.get(span.file, -1), span.end)
        if not inside and not told:
            first = Span(span.file, span.start, span.start + len(span.text.split("\n")[0].rstrip()))
            why = "something before it always ends this block, or nothing leads here"
            yield first, "L501", "this is never reached", why
    if not ends and world.sections.play:
        node = world.sections.play[-1]
        first = Span(node.span.file, node.span.start, node.span.start + len(node.span.text.split("\n")[0].rstrip()))
        yield (
            first,
            "L511",
            "play never ends",
            "end it with `win:`, `lose:`, `tie:` or `end: game`, or give the turns an `until:`; "
            "for one turn each write `for: {me: players}`",
        )


def reachable(program: C.Program, orders: set[int], start: int | None = None) -> tuple[set[int], bool]:
    """The blocks that play can come to, and whether it can come to an end; turns are taken to have players.

    What repeats something a number of times is left only if play comes round to it: not from turns that never end.
    """
    seen: set[int] = set()
    left: set[int] = set()  # what repeats something and was come to a second time
    waiting = [program.start if start is None else start]
    ends = False
    while waiting:
        at = waiting.pop()
        if at < 0:
            continue
        block = program.blocks[at]
        if block.rounds > 0 and isinstance(block.end, C.Branch) and at not in left:
            waiting.append(block.end.otherwise if at in seen else block.end.then)
            if at in seen:
                left.add(at)
            seen.add(at)
            continue
        if at in seen:
            continue
        seen.add(at)
        end = block.end
        ends = ends or isinstance(end, C.Finish)
        waiting += _next(end, orders)
    return seen, ends


def _next(end: C.Terminator | None, orders: set[int]) -> list[int]:
    if isinstance(end, C.Branch):
        match end.condition:
            case C.Const(value=value):
                return [end.then if value else end.otherwise]
            case C.Op(name="greater", args=(C.Get(slot=slot), C.Const(value=0))) if slot in orders:
                return [end.then]
    return ways_through(end)
