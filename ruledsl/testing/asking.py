"""Expressions of tests: worked out in the words of the game, asked of a position, and explained when they fail.

A test may use every name of the game, the names of the players, and besides, unless the game has such a name itself:
`to_move` (who is asked, or none; the first of them where several are), `phase` (or none), `winners` (a set; empty
while the play goes on), `over` (a condition) and `score[player]` (the points so far).

Such names live in slots behind the state, and the variables of expressions in scratch space behind those; so tests
are worked out after the machine was made, and asked of a longer copy of the state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import TYPE_CHECKING, Any, Protocol

from ruledsl.analysis.names import Handle, Typed
from ruledsl.analysis.show import show
from ruledsl.diagnostics.model import Report
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.vocabulary import Vocabulary
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.syntax import expr as E
from ruledsl.types import (
    BOOL,
    NONE,
    Broken,
    Elem,
    ListOf,
    Num,
    Root,
    SetOf,
    TableOf,
    Type,
    bits,
    every,
    is_maybe,
    maybe,
)

if TYPE_CHECKING:
    from ruledsl.analysis.elaborate import Elaborator
    from ruledsl.runtime.play import Play

State = list[int]
OFTEN = 16  # times that an expression is asked before it is worth to be compiled
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Worked(Protocol):
    """A game worked out for one configuration, and what runs it."""

    @property
    def world(self) -> Any: ...

    @property
    def machine(self) -> Any: ...


class Asker:
    """Works out and asks expressions about the plays of one configured game."""

    def __init__(self, configured: Worked, report: Report) -> None:
        self.world, self.machine = configured.world, configured.machine
        self.report = report
        self.size = self.world.layout.size
        self.players = self.world.players.size
        self.phases = Root("phase", "enum", list(self.world.phase_names))
        self.vocabulary = Vocabulary(self.world, self.machine.program)
        self.states: dict[str, list[tuple[int, int, int]]] = {}  # by word: pieces that could be so (`given.Position`)
        self.described: dict[str, dict[int, int | None]] | None = None  # which pieces a word fits (`given.Position`)
        self.sound: set[tuple[Map, ...]] = set()  # positions, with the letters they are drawn with, that are well
        self.scope: dict[str, Any] | None = None  # the names of tests
        self.asked: Counter[C.Node] = Counter()
        self.compiled: dict[C.Node, Callable[[State], Any]] = {}
        self.without_points: set[C.Node] = set()  # conditions that do not speak of `score`

    # ------------------------------------------------------------------------------------------ working out

    @contextmanager
    def reporting(self, report: Report | None = None) -> Iterator[Any]:
        """The elaborator of the game with the names of tests; what it finds goes into our report."""
        world, elaborator = self.world, self.world.elaborator
        kept = world.report, elaborator.report, elaborator.scopes
        world.report = elaborator.report = report or self.report
        if self.scope is None:
            elaborator.scopes = [{}]
            for name, value in self._names():
                if name not in world.names:
                    elaborator.bind(name, value, quiet=True)
            self.scope = elaborator.scopes[0]
        elaborator.scopes = [dict(self.scope)]
        try:
            yield elaborator
        finally:
            world.report, elaborator.report, elaborator.scopes = kept

    def _names(self) -> Iterator[tuple[str, Typed]]:
        player = every(self.world.players)
        yield "to_move", Typed(C.Get(self.size), maybe(player))
        yield "winners", Typed(C.Get(self.size + 1), SetOf(player))
        yield "over", Typed(C.Get(self.size + 2), BOOL)
        yield "score", Typed(Handle(self.size + 4, (), None), TableOf((player,), self.world.data["points"]))
        if self.phases.size:
            yield "phase", Typed(C.Get(self.size + 3), maybe(every(self.phases)))

    def condition(self, node: Node | None) -> C.Node | None:
        """A condition of a test; None if it has mistakes, which are reported."""
        before = self.report.errors
        with self.reporting() as elaborator:
            tree = elaborator.read(node)
            if isinstance(tree, E.Bad):
                return None
            made: C.Node = elaborator.condition(elaborator.expr(tree, BOOL), tree.span, "an expectation")
        if "score" not in E.names_in(tree):
            self.without_points.add(made)
        return made if self.report.errors == before else None

    def holds_by_range(self, node: Node) -> bool:
        """Whether a comparison of what changes in play holds by what it may be: `anna.score >= 0`."""
        with self.reporting() as elaborator:
            tree = elaborator.read(node)
            if not isinstance(tree, E.Binary) or tree.op not in ("<", ">", "<=", ">="):
                return False
            left, right = elaborator.expr(tree.left), elaborator.expr(tree.right)
        if not isinstance(left.type, Num) or not isinstance(right.type, Num) or is_maybe(left.type):
            return False
        if not any(isinstance(side.node, C.Get | C.Cell) for side in (left, right)) or is_maybe(right.type):
            return False
        low, high = (left.type, right.type) if tree.op in ("<", "<=") else (right.type, left.type)
        return low.high < high.low or (low.high == high.low and tree.op in ("<=", ">="))

    # ---------------------------------------------------------------------------------------------- asking

    def holds(self, node: C.Node, play: Play, here: dict[bool, State]) -> bool:
        """Whether a condition holds of a play; `here` keeps the state for others that are asked there."""
        points = node not in self.without_points
        if points not in here:
            here[points] = self.vector(play, points)
        return bool(self.ask(node, here[points]))

    def vector(self, play: Play, points: bool = True) -> State:
        """The state of a play, with what tests may speak of and room for variables behind it; the points only where
        they are asked for, as they may take longer to count than all else."""
        phase = play.state[self.world.data["phase_slot"]]
        pending = play.pending
        extra = [pending[0] if pending else NONE, sum(1 << seat for seat in play.winners), int(play.over), phase - 1]
        return self._longer(play.state, extra + (self._scores(play) if points else [0] * self.players))

    def _scores(self, play: Play) -> list[int]:
        if not self.machine.program.scoring:
            return [0] * self.players
        try:
            return [sum(rows.values()) for rows in play.scores()]
        except RulesFault:  # points that make no sense before the end
            return [0] * self.players

    def _longer(self, state: State, extra: list[int]) -> State:
        longer = state[: self.size]
        longer += extra
        longer += repeat(0, self.world.next_scratch + 8)
        return longer

    def plain(self, state: State) -> State:
        """A state alone, for positions that are being put in place."""
        return self._longer(state, [NONE, 0, 0, -1] + [0] * self.players)

    def ask(self, node: C.Node, v: State) -> Any:
        """The value of an expression; what is asked again and again, as after each decision of plays, is compiled."""
        made = self.compiled.get(node)
        if made is None:
            made = self.machine.evaluator.of(node)
            self.asked[node] += 1
            if self.asked[node] > OFTEN and (quicker := self.machine.quicker(node)) is not None:
                made = self.compiled[node] = quicker
        return made(v)

    # ------------------------------------------------------------------------------------------ explaining

    def explain(self, node: Node, v: State, words: Any) -> list[str]:
        """The values behind a condition that does not hold: both sides of comparisons, and the names in it."""
        if not isinstance(node, Scalar):
            return []
        with self.reporting(Report()) as elaborator:
            tree = elaborator.read(node)
            lines: list[str] = []
            for part in self._failing(tree, v, elaborator):
                lines += self._values(part, v, elaborator, words)
        return list(dict.fromkeys(lines))

    def _failing(self, tree: E.Expr, v: State, elaborator: Elaborator) -> list[E.Expr]:
        """The parts of a conjunction that do not hold; else the whole."""
        if isinstance(tree, E.Binary) and tree.op == "and":
            parts = [part for side in (tree.left, tree.right) for part in self._sides(side)]
            failing = [part for part in parts if not self._truth(part, v, elaborator)]
            return failing or [tree]
        return [tree]

    def _sides(self, tree: E.Expr) -> list[E.Expr]:
        if isinstance(tree, E.Binary) and tree.op == "and":
            return [*self._sides(tree.left), *self._sides(tree.right)]
        return [tree]

    def _truth(self, tree: E.Expr, v: State, elaborator: Elaborator) -> bool:
        typed = elaborator.expr(tree, BOOL)
        if isinstance(typed.type, Broken):
            return False
        try:
            return bool(self.ask(elaborator.condition(typed, tree.span, "this"), v))
        except RulesFault:
            return False

    def _values(self, tree: E.Expr, v: State, elaborator: Elaborator, words: Any) -> Iterator[str]:
        if isinstance(tree, E.Unary) and tree.op == "not":
            yield from self._values(tree.of, v, elaborator, words)
            return
        shown = []
        if isinstance(tree, E.Binary) and tree.op in (*COMPARISONS, "in", "not in", "or", "and"):
            left = elaborator.expr(tree.left)
            sides: list[tuple[E.Expr, Type | None]] = [
                (tree.left, None),
                (tree.right, left.type if tree.op in COMPARISONS else None),
            ]
            if isinstance(tree.left, E.Name) and isinstance(left.type, Broken):
                sides = [(tree.left, elaborator.expr(tree.right).type), (tree.right, None)]
            for side, want in sides:
                shown.append(side)
                yield from self._value(side, want, v, elaborator, words)
        for path in paths_in(tree):
            if path not in shown:
                yield from self._value(path, None, v, elaborator, words)

    def _value(self, tree: E.Expr, want: Type | None, v: State, elaborator: Elaborator, words: Any) -> Iterator[str]:
        text = tree.span.one_line
        typed = elaborator.expr(tree, want)
        if isinstance(typed.type, Broken) or isinstance(typed.node, Handle):
            return
        try:
            value = self.ask(typed.node, v)
        except RulesFault as fault:
            yield f"{text}: {fault.message}"
            return
        found = self.show(value, typed.type, words, v)
        if found != text:
            yield f"{text} = {found}"

    def show(self, value: Any, kind: Type, words: Any, v: State) -> str:
        """A value by names; lists and sets in brackets."""
        match kind:
            case ListOf(of=inner):
                return f"[{', '.join(self.show(x, inner, words, v) for x in value)}]"
            case SetOf(of=inner):
                members = value if isinstance(value, tuple) else bits(value)
                shown = [self.show(x, inner, words, v) for x in members]
                return f"[{', '.join(shown[:24])}{', …' if len(shown) > 24 else ''}]"
            case Elem(root=root) if root.kind == "place" and value >= 0:
                spot = self.world.spots.first_place + value
                lying = self.machine.pieces.on(v, spot)
                info = next((one for one in self.world.place_infos if one.first <= value < one.first + one.count), None)
                if info is not None and info.ordered and not info.row:
                    lying = lying[::-1]  # from the top down, as tests write it
                return (
                    f"{root.names[value]} [{', '.join(self.world.pieces.names[p] for p in lying)}]"
                    if lying
                    else str(root.names[value])
                )
            case Elem(root=root):
                return "none" if value < 0 else str(root.names[value])
        return str(words.name(value, kind)) if not isinstance(kind, Broken) else show(kind)


def paths_in(tree: Any, bound: frozenset[str] = frozenset()) -> list[E.Expr]:
    """The names, attributes and items that an expression speaks of, whole: `anna.hand`, not `anna`."""
    match tree:
        case E.Name(name=name):
            return [] if name in bound else [tree]
        case E.Attribute(of=of):
            return paths_in(of, bound) if E.names_in(tree) & bound or isinstance(of, E.Call | E.If) else [tree]
        case E.Index(of=of, keys=keys):
            inner = [path for key in keys for path in paths_in(key, bound)]
            return (paths_in(of, bound) if E.names_in(tree) & bound else [tree]) + inner
        case E.Call(of=of, arguments=given):
            names = bound | {source.name.name for source in given.sources}
            names |= (
                {
                    part.left.name
                    for part in given.plain
                    if isinstance(part, E.Binary)
                    and part.op == "in"
                    and isinstance(part.left, E.Name)
                    and not given.sources
                    and part is given.plain[-1]
                }
                if isinstance(of, E.Name) and of.name in ("any", "all", "no", "count", "set", "first", "last", "sum")
                else set()
            )
            parts: list[Any] = [
                *given.plain,
                *(value for _, value in given.named),
                *(s.domain for s in given.sources),
                *given.keys,
            ]
            if given.where is not None:
                parts.append(given.where)
            found = paths_in(of.of, bound) if isinstance(of, E.Attribute) else []
            return found + [path for part in parts for path in paths_in(part, names)]
        case E.Binary(left=left, right=right):
            return paths_in(left, bound) + paths_in(right, bound)
        case E.Unary(of=of):
            return paths_in(of, bound)
        case E.If(condition=condition, then=then, otherwise=otherwise):
            return paths_in(condition, bound) + paths_in(then, bound) + paths_in(otherwise, bound)
        case E.Items(items=items):
            return [path for item in items for path in paths_in(item, bound)]
    return []
