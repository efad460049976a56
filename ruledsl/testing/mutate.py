"""Rules changed on purpose, to see whether a test notices.

One thing at a time is changed in the document: a statement is taken away, a condition turned around, a number made
larger by one, a comparison made to differ at its edge. A change that does not check, or that leaves the program as
it was for every configuration the tests play, says nothing and is passed over. The tests that hold for the true
rules and carry out what is changed are run on what is left, the quickest first, until one fails; a change that none
notices is reported. A file of tests may say under `unnoticed:` why no test can notice a change.

Rules in tables of other files (`from:`) are not changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from multiprocessing import get_all_start_methods, get_context
from typing import Any

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.analysis.sections import Source
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.ir import core as C
from ruledsl.runtime.game import Configured, Game
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq
from ruledsl.source.text import SourceFile, Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import Fields

from .coverage import Coverage
from .runner import Outcome, Tests
from .suites import Case, reasons_of

MOST_STEPS = 100_000  # blocks between two decisions: loops that a change makes endless are cut
CONDITIONS = ("if", "when", "where", "while", "until", "skip", "so_far", "done")
SWAPS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
NO_RULES = ("tests", "because", "covers", "letters", "looks", "text", "title", "about", "label", "campaign")


@dataclass(frozen=True)
class Mutant:
    """One change: what stands in place of a node."""

    span: Span
    what: str
    old: Node
    new: Node

    def __str__(self) -> str:
        return f"{self.span.file.path}:{self.span.line}: {self.what}"


@dataclass
class Survey:
    """What became of all changes."""

    tried: int = 0
    noticed: int = 0
    same: int = 0  # the program was as before
    broken: int = 0  # the rules did not check
    unnoticed: tuple[Mutant, ...] = ()
    explained: tuple[tuple[Mutant, str], ...] = ()  # not noticed either, with the reason that is given
    stale: tuple[str, ...] = ()  # reasons for changes that are noticed, or do not exist


def mutants_of(game: Game, statements: set[Span] | None = None) -> list[Mutant]:
    """All changes of a game, in the order of its files; of modules, if they were worked out before."""
    statements = set(game.configured().world.data["all_statements"]) | (statements or set())
    source = game.blueprint.source
    trees = {node: tree for (node, start), tree in source.trees.items() if start in ("expr", "domain")}
    found: list[Mutant] = []
    for part in source.parts:
        for entry in part.node:
            if entry.key.value not in NO_RULES:
                found += _of_entry(entry, statements, trees)
    return found


def _of_entry(entry: Entry, statements: set[Span], trees: dict[Any, Any]) -> Iterator[Mutant]:
    if entry.key.value in NO_RULES:
        return
    node = entry.value
    if not isinstance(node, Seq) and node.span in statements:
        yield Mutant(node.span, f"without the statement `{_short(node)}`", node, Seq(node.span, (), True))
    if isinstance(node, Scalar) and entry.key.value == "seen" and node.value != "all":
        opened = _edited(node, [(0, len(node.text_span.text.rstrip()), "all")])
        yield Mutant(node.span, f"`seen: {_short(node)}` opened to all", node, opened)
    if isinstance(node, Scalar) and entry.key.value in CONDITIONS:
        yield Mutant(
            node.span,
            f"`{entry.key.value}: {_short(node)}` turned around",
            node,
            _edited(node, [(0, 0, "not ("), (len(node.text_span.text.rstrip()), 0, ")")]),
        )
    yield from _of_node(node, statements, trees)


def _of_node(node: Node, statements: set[Span], trees: dict[Any, Any]) -> Iterator[Mutant]:
    if isinstance(node, Map):
        for entry in node:
            if entry.key in trees:
                yield from _of_tree(entry.key, trees[entry.key], key=True)
            yield from _of_entry(entry, statements, trees)
    elif isinstance(node, Seq):
        for i, item in enumerate(node.items):
            if item.span in statements and not isinstance(item, Seq):
                rest = Seq(node.span, (*node.items[:i], *node.items[i + 1 :]), node.flow)
                yield Mutant(item.span, f"without the statement `{_short(item)}`", node, rest)
            yield from _of_node(item, statements, trees)
    elif isinstance(node, Scalar) and node in trees:
        yield from _of_tree(node, trees[node])


def _of_tree(node: Scalar, tree: Any, key: bool = False) -> Iterator[Mutant]:
    """Changes inside an expression."""
    if key or node.is_escaped:
        return
    start = node.text_span.start
    for part in _parts(tree):
        match part:
            case E.Num(value=value):
                at = part.span.start - start
                new = _edited(node, [(at, part.span.end - part.span.start, str(value + 1))])
                yield Mutant(part.span, f"{value} made {value + 1} in `{_short(node)}`", node, new)
            case E.Binary(op=op) if op in SWAPS:
                left, right = part.left.span.end - start, part.right.span.start - start
                at = node.text_span.text.find(op, left, right)
                if at >= 0:
                    new = _edited(node, [(at, len(op), SWAPS[op])])
                    yield Mutant(part.span, f"`{op}` made `{SWAPS[op]}` in `{_short(node)}`", node, new)
            case E.Domain(where=where) if where is not None:
                first, last = where.span.start - start, where.span.end - start
                new = _edited(node, [(first, 0, "not ("), (last, 0, ")")])
                yield Mutant(where.span, f"what stands behind `where` turned around in `{_short(node)}`", node, new)


def _parts(tree: Any) -> Iterator[Any]:
    """All parts of an expression, the whole first."""
    if isinstance(tree, tuple):
        for part in tree:
            yield from _parts(part)
    elif is_dataclass(tree) and not isinstance(tree, Span | SourceFile | type):
        yield tree
        for field in fields(tree):
            if field.name != "span":
                yield from _parts(getattr(tree, field.name))


def _edited(node: Scalar, edits: list[tuple[int, int, str]]) -> Scalar:
    """The scalar with its text changed, in a file that is changed as well so that places stay right."""
    old = node.text_span
    text = old.text
    for at, length, new in sorted(edits, reverse=True):
        text = text[:at] + new + text[at + length :]
    file = SourceFile(old.file.path, old.file.text[: old.start] + text + old.file.text[old.end :])
    more = len(text) - (old.end - old.start)
    span = Span(file, node.span.start, node.span.end + more)
    return Scalar(span, " ".join(text.split()), node.style, Span(file, old.start, old.end + more))


def _short(node: Node) -> str:
    text = " ".join(node.span.text.split())
    return text if len(text) <= 60 else text[:59] + "…"


# ------------------------------------------------------------------------------------------------ changing


def changed(game: Game, mutant: Mutant) -> Game:
    """The game with one thing changed."""
    old = game.blueprint.source
    parts = []
    for part in old.parts:
        node = _replaced(part.node, mutant.old, mutant.new)
        assert isinstance(node, Map)
        parts.append(Fields(node, part.form))
    source = Source(old.path, old.root, parts[0].node, parts, dict(old.trees), old.tables)
    return Game(replace(game.blueprint, source=source))


def _replaced(node: Node, old: Node, new: Node) -> Node:
    """The tree with one node replaced; parts without it are the same objects, so what was read of them holds."""
    if node is old:
        return new
    if isinstance(node, Map):
        if old.span.start < node.span.start - 1 or old.span.file is not node.span.file:
            return node
        entries = {name: Entry(e.key, _replaced(e.value, old, new)) for name, e in node.entries.items()}
        if all(e.value is node.entries[name].value for name, e in entries.items()):
            return node
        return Map(node.span, entries, node.flow, node.broken)
    if isinstance(node, Seq):
        items = tuple(_replaced(item, old, new) for item in node.items)
        return node if all(a is b for a, b in zip(items, node.items, strict=True)) else Seq(node.span, items, node.flow)
    return node


# ------------------------------------------------------------------------------------------------- running


def survey(
    game: Game,
    most: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    jobs: int = 1,
) -> Survey:
    """Runs the tests on changed rules; with `most`, on so many changes picked by chance, on `jobs` processors."""
    bench = Bench(game)
    mutants = mutants_of(game, bench.statements)
    if most is not None and most < len(mutants):
        mutants = sorted(random.Random(seed).sample(mutants, most), key=lambda m: (m.span.file.path, m.span.start))
    found, unnoticed, excused = Survey(), [], []
    reasons = bench.reasons()
    fits: set[str] = set()
    for number, (mutant, result) in enumerate(zip(mutants, _results(bench, mutants, jobs), strict=True)):
        if progress is not None:
            progress(number, len(mutants))
        fits.add(mutant.what)
        if result == "broken":
            found.broken += 1
        elif result == "same":
            found.same += 1
        else:
            found.tried += 1
            if result == "noticed":
                found.noticed += 1
            elif mutant.what in reasons:
                excused.append((mutant, reasons[mutant.what]))
            else:
                unnoticed.append(mutant)
    found.unnoticed, found.explained = tuple(unnoticed), tuple(excused)
    if most is None:
        found.stale = tuple(what for what in reasons if what not in {m.what for m, _ in excused})
    return found


def _results(bench: Bench, mutants: list[Mutant], jobs: int) -> Iterator[str]:
    """What becomes of each change, in order; other processes begin with everything that this one knows."""
    if jobs < 2 or "fork" not in get_all_start_methods():
        yield from map(bench.result, mutants)
        return
    global _shared
    _shared = (bench, mutants)
    with get_context("fork").Pool(jobs) as pool:
        yield from pool.imap(_shared_result, range(len(mutants)), chunksize=4)


_shared: tuple[Bench, list[Mutant]] | None = None  # what forked processes find


def _shared_result(number: int) -> str:
    assert _shared is not None
    bench, mutants = _shared
    return bench.result(mutants[number])


class Bench:
    """The tests of a game that hold, and what of the rules each of them carries out."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.touched: dict[int, set[Span]] = {}  # by test: what it carried out
        self.settings: dict[int, tuple[Any, ...]] = {}  # by test: players and options
        self.statements: set[Span] = set()  # of all configurations that are played
        self.before: dict[str, str] = {}  # fingerprints of the true rules
        marked = Game(game.blueprint, marks=True)
        tests = Tests(marked)
        outcomes = []
        for number, case in enumerate(tests.cases):
            outcome = self._watched(tests, case, number)
            if outcome.passed:
                outcomes.append((outcome.seconds, number))
        self.cases = tests.cases
        self.order = [number for _, number in sorted(outcomes)]
        self.places = sorted(set().union(*self.touched.values()), key=lambda span: span.end - span.start)

    def _watched(self, tests: Tests, case: Case, number: int) -> Outcome:
        seen = self.touched[number] = set()
        configure = tests.configured

        def entering(setting: Any, at: Span) -> Configured:
            configured = configure(setting, at)
            self.settings[number] = (setting.players, setting.options, setting.names)
            self.statements.update(configured.world.data["all_statements"])
            coverage = Coverage(tests.game, seen, formulas=seen, entries=seen)
            machine = configured.machine
            machine.__init__(machine.program)  # type: ignore[misc]  # it tells of a formula but once
            machine.watch, machine.most_steps = coverage.watch, tests.most_steps
            return configured

        tests.configured = entering  # type: ignore[method-assign]
        try:
            return tests.run_case(case)
        finally:
            del tests.configured

    def reasons(self) -> dict[str, str]:
        """Changes that no test can notice, with the reasons, as the files of tests say it."""
        return reasons_of(self.game.blueprint, Report())

    def near(self, mutant: Mutant) -> list[int]:
        """The tests that carry out what is changed, the quickest first; all, where that is not known."""
        at = next((span for span in self.places if _within(mutant.span, span)), None)
        return [n for n in self.order if at is None or at in self.touched[n]]

    def result(self, mutant: Mutant) -> str:
        """noticed, unnoticed, same (the program is as before) or broken (the rules do not check)."""
        other, near = changed(self.game, mutant), self.near(mutant)
        ways = {repr(self.settings[n]): self.settings[n] for n in near if n in self.settings}
        try:
            for players, options, names in list(ways.values())[:1]:
                other.configured(players, options, names)
            if self._noticed(other, near):
                return "noticed"
            for key, (players, options, names) in ways.items():
                if key not in self.before:
                    self.before[key] = _meaning(self.game.configured(players, options, names))
                if _meaning(other.configured(players, options, names)) != self.before[key]:
                    return "unnoticed"
        except (GameError, OptionError):
            return "broken"
        except C.RulesFault:
            return "noticed"  # a fault where a test has no eye for it
        return "same"

    def _noticed(self, game: Game, near: list[int]) -> bool:
        tests = Tests(game, cases=self.cases)
        tests.most_steps = MOST_STEPS
        return any(not tests.run_case(self.cases[number]).passed for number in near)


def _meaning(configured: Configured) -> str:
    """Equal for rules that do the same and show the same: who sees a value is no part of the program."""
    seen = [value.seen.span.text for value in configured.world.values if value.seen is not None]
    return " ".join([configured.rules, *seen])


def _within(inner: Span, outer: Span) -> bool:
    return inner.file.path == outer.file.path and outer.start <= inner.start and inner.end <= outer.end
