"""Which numbered rules are proven: a change of what carries a rule makes a test fail that names the rule.

What carries a rule says so in the rules themselves, with `covers:` (an action, a trigger, a formula, an effect, a
statement, a place …); what names it says so in the tests, in the same words. The numbers themselves stand in the
`rules.md` beside the game, each in bold where its text begins: `**FO-001** …`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.records import dataclass
from ruledsl.runtime.game import Game
from ruledsl.source.document import Map, Node, Seq
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import scalars

from .mutants import Mutant, mutants_of
from .mutate import Bench, FailingTests, Told, Trial, within
from .suites import Case, unproven_of

RULES_FILE = "rules.md"
_NUMBER = re.compile(r"\*\*([A-Z][A-Z0-9]*-\d+)\*\*")
OUTSIDE = ("tests", "text", "cases", "letters", "looks")


@dataclass(eq=False)
class Rule:
    """A numbered rule: what carries it, which tests name it, and the change that proved it."""

    number: str
    listed: bool = True  # in rules.md
    carriers: list[Span] = field(default_factory=list)
    named: list[Case] = field(default_factory=list)
    proof: Mutant | None = None
    witness: Case | None = None  # the test that failed then
    tried: int = 0  # changes of what carries it that a test which names it reaches
    because: str = ""  # why it cannot be proven, in the words of the tests

    @property
    def state(self) -> str:
        if self.proof is not None:
            return "proven"
        if not self.carriers:
            return "not implemented"
        return "not proven" if self.named else "not tested"


@dataclass(eq=False)
class Proofs:
    """All numbered rules of a game, in the order in which they are written."""

    rules: list[Rule]
    left: int = 0  # changes that were not tried, because somebody stopped it

    def of(self, state: str) -> list[Rule]:
        return [rule for rule in self.rules if rule.state == state]

    @property
    def carried(self) -> list[Rule]:
        return [rule for rule in self.rules if rule.carriers]

    @property
    def percent(self) -> int:
        """How many of the rules that something carries are proven; 100 only if all are."""
        return 100 * len(self.of("proven")) // len(self.carried) if self.carried else 0


def proofs(game: Game, progress: Told | None = None) -> Proofs:
    """Proves what can be proven, each rule by the first change that does. Who stops it (Ctrl-C) gets what was found.

    Raises `FailingTests` if a test that names a rule does not hold to begin with.
    """
    game.configured()  # so that all is read that rules may stand in
    rules = {number: Rule(number) for number in numbers_of(game)}
    for span, number in carriers_of(game):
        rules.setdefault(number, Rule(number, listed=False)).carriers.append(span)
    carried = {number for number, rule in rules.items() if rule.carriers}
    found = Proofs([])
    try:
        bench = Bench(game, lambda case: not carried.isdisjoint(case.covers), progress)
        if bench.failing:
            raise FailingTests(bench.failing)
        for case in bench.cases:
            for number in case.covers:
                rules.setdefault(number, Rule(number, listed=False)).named.append(case)
        _explain(game, rules)
        found.rules = list(rules.values())
        _prove(bench, rules, found, progress)
    except KeyboardInterrupt:
        found.rules = list(rules.values())
        found.left = max(1, found.left)
    return found


def _prove(bench: Bench, rules: dict[str, Rule], found: Proofs, progress: Told | None) -> None:
    """Every change of what carries a rule that is not proven yet, on the tests that name the rule and reach it."""
    names = {number: set(bench.cases[number].covers) for number in bench.order}
    mutants = mutants_of(bench.game, bench.statements)
    for done, mutant in enumerate(mutants):
        if progress is not None:
            progress(done, len(mutants))
        found.left = len(mutants) - done
        carries = _carrying(rules.values(), mutant)
        wanted = {rule.number for rule in carries if rule.proof is None and rule.named}
        if not wanted:
            continue
        trial = Trial(bench, mutant)
        for number in bench.near(mutant):
            about = wanted & names[number]
            if not about:
                continue
            try:
                holds = trial.holds(number)
            except (GameError, OptionError):
                break  # such rules do not check, so nobody could have written them
            for name in about:
                rules[name].tried += trial.differs(number)
                if not holds:
                    rules[name].proof, rules[name].witness = mutant, bench.cases[number]
            if not holds:
                wanted -= about
    found.left = 0


def _carrying(rules: Iterable[Rule], mutant: Mutant) -> list[Rule]:
    """The rules of the smallest part with numbers in which something is changed: a turn as a whole does not carry what
    one of its statements says that it carries."""
    around = [(span, rule) for rule in rules for span in rule.carriers if within(mutant.span, span)]
    inmost = min((span.end - span.start for span, _ in around), default=0)
    return [rule for span, rule in around if span.end - span.start == inmost]


def _explain(game: Game, rules: dict[str, Rule]) -> None:
    """Notes what the tests say of rules that cannot be proven."""
    report = Report()
    for number, because in unproven_of(game.blueprint, report).items():
        rules.setdefault(number, Rule(number, listed=False)).because = because
    if report.errors:
        raise GameError(report)


def numbers_of(game: Game) -> list[str]:
    """The numbers in the game's `rules.md`, in their order; none without such a file."""
    path = game.path.parent / RULES_FILE
    if not path.is_file():
        return []
    return list(dict.fromkeys(_NUMBER.findall(path.read_text(encoding="utf-8"))))


def carriers_of(game: Game) -> Iterator[tuple[Span, str]]:
    """What stands in the rules and their tables with `covers:`, and each number that it carries."""
    for part in game.blueprint.source.parts:
        for entry in part.node:
            if entry.key.value not in OUTSIDE:
                yield from _carriers(entry.value)
    for rows in game.blueprint.source.tables.values():
        for row in rows if isinstance(rows, list) else ():
            yield from _carriers(row)


def _carriers(node: Node) -> Iterator[tuple[Span, str]]:
    if isinstance(node, Map):
        for word in scalars(node.get("covers")):
            yield node.span, word.value
        for entry in node:
            if entry.key.value != "covers":
                yield from _carriers(entry.value)
    elif isinstance(node, Seq):
        for item in node.items:
            yield from _carriers(item)


def lines_of(rule: Rule) -> list[str]:
    """Where what carries a rule stands."""
    return list(dict.fromkeys(f"{span.file.path}:{span.line}" for span in rule.carriers))
