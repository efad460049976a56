"""Which rules were carried out: statements, both ways of conditions, formulas, entries of menus, triggers.

The rules are worked out with marks (`Game(marks=True)`): every statement begins with an operation of its own, and the
machine tells its `watch` of it. Branches are told with the way they took, choices with the entry that was taken, and
formulas when their value is first asked for. What stands in rows of tables counts where it stands. A statement that
only `would` tried out counts as carried out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.walk import within
from ruledsl.records import dataclass
from ruledsl.runtime.game import Configured, Game
from ruledsl.runtime.play import Play
from ruledsl.source.text import Span

from .runner import Tests

MOST_DECISIONS = 2_000


@dataclass(eq=False)
class Coverage:
    """What was carried out so far, by place in the files."""

    game: Game
    ran: set[Span] = field(default_factory=set)
    ways: dict[Span, set[bool]] = field(default_factory=dict)
    formulas: set[Span] = field(default_factory=set)
    entries: set[Span] = field(default_factory=set)
    worlds: dict[int, Configured] = field(default_factory=dict)

    def watch(self, told: Any) -> None:
        """Told by the machine of what it does."""
        if isinstance(told, tuple):
            what, way = told
            if isinstance(what, C.Branch):
                if what.span is not None:
                    self.ways.setdefault(what.span, set()).add(way)
            elif isinstance(what, C.Choice) and 0 <= way < len(what.entries):
                span = what.entries[way].span
                if span is not None:
                    self.entries.add(span)
        elif isinstance(told, C.Act):
            if told.name == "mark" and told.span is not None:
                self.ran.add(told.span)
        elif isinstance(told, C.Formula) and told.span is not None:
            self.formulas.add(told.span)

    def enter(self, configured: Configured) -> Configured:
        """Watches the plays of a configuration from its first on."""
        if id(configured) not in self.worlds:
            self.worlds[id(configured)] = configured
            configured.machine.watch = self.watch
        return configured

    def play(self, number: int, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> int:
        """Random plays, by every number of players in turn; how many ended in a fault."""
        faults = 0
        counts = list(self.game.players)
        for n in range(number):
            configured = self.enter(self.game.configured(counts[n % len(counts)]))
            play = Play(self.game, configured, seed + n, noting=False)
            rng = random.Random(seed + n)
            for _ in range(MOST_DECISIONS):
                if play.over:
                    break
                seat = rng.choice(play.pending)
                stop = play.stop_of(seat)
                assert stop is not None
                play.choose(rng.randrange(len(stop.options)), seat)
            faults += play.fault is not None
            if play.over and play.fault is None:
                play.scores()
            if progress is not None:
                progress(n + 1, number)
        return faults

    def test(self) -> tuple[int, int]:
        """The tests of the game; how many passed and failed."""
        tests = Tests(self.game)
        tests.entered = self.enter
        outcomes = list(tests.run())
        return sum(o.passed for o in outcomes), sum(not o.passed for o in outcomes)

    def items(self) -> list[Item]:
        """Everything that can be carried out, in the order of the files, and whether it was."""
        if not self.worlds:
            self.enter(self.game.configured())
        found: dict[tuple[str, Span], Item] = {}
        for configured in self.worlds.values():
            for item in self._of_world(configured):
                found.setdefault((item.kind, item.span), item)
        return sorted(found.values(), key=lambda i: (i.span.file.path, i.span.start, i.kind))

    def _of_world(self, configured: Configured) -> Iterator[Item]:
        world, program = configured.world, configured.machine.program
        triggers = {trigger.key.span: trigger.name for trigger in world.triggers}
        for span in world.data["all_statements"]:
            kind = "trigger" if span in triggers else "statement"
            yield Item(kind, span, triggers.get(span) or _first_words(span), span in self.ran)
        for block in program.blocks:
            end = block.end
            if isinstance(end, C.Branch) and end.span is not None:
                ways = self.ways.get(end.span, set())
                for way in (True, False):
                    held = "holds" if way else "does not hold"
                    yield Item(f"branch {held}", end.span, _first_words(end.span), way in ways)
            elif isinstance(end, C.Choice):
                for entry in end.entries:
                    if entry.span is not None and len(end.entries) > 1:
                        yield Item(
                            "entry", entry.span, entry.name or _first_words(entry.span), entry.span in self.entries
                        )
        advice = _only_advice(program, [formula.code for formula in world.formulas])
        for formula in world.formulas:
            if formula.code.span is not None and id(formula.code) not in advice:
                settled = isinstance(formula.code.body, C.Const)  # worked out once, when the game is loaded
                yield Item("formula", formula.code.span, formula.name, settled or formula.code.span in self.formulas)


@dataclass(frozen=True)
class Item:
    """Something that can be carried out: a statement, one way of a condition, a formula, an entry, a trigger."""

    kind: str
    span: Span
    name: str
    done: bool

    def __str__(self) -> str:
        match self.kind:
            case "statement":
                return f"never ran: {self.name}"
            case "branch holds":
                return f"never holds: {self.name}"
            case "branch does not hold":
                return f"always holds: {self.name}"
            case "formula":
                return f"formula never used: {self.name}"
            case "entry":
                return f"never chosen: {self.name}"
        return f"trigger never run: {self.name}"


def _asked(*roots: Any) -> set[int]:
    """The formulas that are asked from somewhere, those that others ask among them."""
    found: set[int] = set()
    work = [*roots]
    while work:
        for one in within(work.pop()):
            if isinstance(one, C.Invoke) and id(one.formula) not in found:
                found.add(id(one.formula))
                work.append(one.formula.body)
    return found


def _only_advice(program: C.Program, formulas: list[C.Formula]) -> set[int]:
    """The formulas that `heuristic:` asks and no rule does: plays never come to them."""
    advice = _asked(program.heuristic)
    bodies = [formula.body for formula in formulas if id(formula) not in advice]
    steps = [step for block in program.blocks for step in (*block.ops, block.end)]
    return advice - _asked(*steps, *bodies, *(row.node for row in program.scoring), *program.ties)


def by_file(items: list[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.span.file.path, []).append(item)
    return found


def percent(items: list[Item]) -> int:
    """How much was carried out; 100 only if all was."""
    done = sum(item.done for item in items)
    return 100 * done // len(items) if items else 100


def _first_words(span: Span) -> str:
    first = " ".join(span.text.split("\n")[0].split())
    return first if len(first) <= 60 else first[:59] + "…"


__all__ = ["Coverage", "Item", "by_file", "percent"]
