"""Which part of a condition fails, for given values: the way from what was asked down to what decides.

A condition is looked into as it was worked out: the side of an `and` that is false, the branch of an `if` that was
taken, the body of a formula, the member for which an `all` does not hold, the set that a value is not in. The way ends
where there is nothing to look into. Of the reasons that the rules give on the way (`because:`), the innermost counts:
it stands nearest to what decides.

What a seat may not know is not looked into: a condition that reads anything hidden from it fails by something hidden.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import field
from itertools import islice
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.names import PoolInfo, Typed
from ruledsl.diagnostics.model import Report
from ruledsl.engine.payments import price_met
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.ir.lines import line
from ruledsl.records import dataclass
from ruledsl.syntax import expr as E
from ruledsl.syntax.parser import parse_text
from ruledsl.types import Root, bits

from ..knowing import Watched

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld

State = list[int]
Scope = dict[str, Typed]
_DEEP = 8  # formulas inside formulas that are looked into
_MOST_MEMBERS = 2_000  # of a comprehension that is gone through
SCRATCH = 200  # slots behind the state for parts of the rules that are worked out anew


@dataclass
class Failure:
    """What refuses something: a condition that is not as it must be, or what something is not among."""

    sort: str  # condition, among, hidden, fault, and what `asking` adds: cost, limit, few, …
    v: State
    node: C.Node | None = None
    tree: E.Expr | None = None  # how the node is written
    must: bool = True  # what the condition ought to be
    scope: Scope = field(default_factory=dict)
    words: C.Words | None = None  # the reason that the rules give
    said_in: State = field(default_factory=list)  # the state of which it speaks
    value: Any = None  # what is not among the members
    kind: Any = None  # its type
    holes: dict[str, Any] = field(default_factory=dict)
    parts: tuple[Failure, ...] = ()  # of several conditions, of which one must hold

    @property
    def span(self) -> Any:
        return getattr(self.node, "span", None) or getattr(self.tree, "span", None)


class Finder:
    """Looks for what fails, as a seat may know it."""

    def __init__(self, world: GameWorld, knowing: Any, seat: int | None) -> None:
        self.world, self.knowing, self.seat = world, knowing, seat
        self.evaluator = knowing.asking
        self.steps = 0  # how much was worked out, for whoever wants a bound

    # ---------------------------------------------------------------------------------------------- values

    def holds(self, condition: C.Node, v: State) -> bool:
        self.steps += 1
        try:
            return bool(self.evaluator.of(condition)(v))
        except RulesFault:
            return False

    def parts_held(self, node: C.Node, v: State) -> int:
        """How many parts of a condition hold, one after the other, before the first that does not: it is gone into as
        `false` does."""
        return 0 if self.reads_hidden(node, v) else self._parts_held(node, v, 0)

    def _parts_held(self, node: C.Node, v: State, deep: int) -> int:
        if deep > _DEEP:
            return 0
        match node:
            case C.Both(args=args):
                for held, arg in enumerate(args):
                    if not self.holds(arg, v):
                        return held + self._parts_held(arg, v, deep)
            case C.Op(name="truth" | "is_there", args=(C.Invoke() | C.Cond() as arg,)):
                return self._parts_held(arg, v, deep)
            case C.Invoke(formula=formula) if formula.body is not None and _is_asked(formula.body):
                entered = self.enter(node, v)
                return self._parts_held(formula.body, entered[0], deep + 1) if entered is not None else 0
            case C.Cond(condition=condition, then=then, otherwise=otherwise):
                return self._parts_held(then if self.holds(condition, v) else otherwise, v, deep + 1)
        return 0

    def reads_hidden(self, node: C.Node, v: State) -> bool:
        """Whether what a node is depends on something that the seat may not know."""
        if not self.knowing.hides:
            return False
        seen: set[int] = set()
        try:
            self.evaluator.of(node)(Watched(v, seen))
        except RulesFault:
            return True
        return any(self.knowing.hidden(v, slot, self.seat) for slot in seen)

    def is_where(self, node: C.Node, slot: int) -> bool:
        """Whether an expression is the space on which the piece of a slot stands: `m.square`."""
        match node:
            case C.Primitive(name="standing", args=(C.Get(slot=own),)):
                return own == slot
            case C.Demand(of=of):
                return self.is_where(of, slot)
        return False

    # ------------------------------------------------------------------------------------------ conditions

    def false(self, node: C.Node, v: State, scope: Scope, tree: E.Expr | None = None, deep: int = 0) -> Failure:
        """Why a condition does not hold."""
        if self.reads_hidden(node, v):
            return Failure("hidden", v, node)
        tree = tree or read(node)
        inner = self._false_inside(node, v, scope, tree, deep) if deep < _DEEP else None
        return self._with_reason(inner or self._leaf(node, v, scope, tree, True), node, v)

    def true(self, node: C.Node, v: State, scope: Scope, tree: E.Expr | None = None, deep: int = 0) -> Failure:
        """Why a condition holds that must not."""
        if self.reads_hidden(node, v):
            return Failure("hidden", v, node)
        tree = tree or read(node)
        inner = self._true_inside(node, v, scope, tree, deep) if deep < _DEEP else None
        return inner or self._leaf(node, v, scope, tree, False)

    def _with_reason(self, found: Failure, node: Any, v: State) -> Failure:
        words = self.world.reasons.get(node)
        if words is None or found.words is not None or found.sort == "hidden":
            return found
        return dataclasses.replace(found, words=words, said_in=v[:])

    def _leaf(self, node: C.Node, v: State, scope: Scope, tree: E.Expr | None, must: bool) -> Failure:
        special = self._limit(node, v) or self._cost(node, v) or self._too_few(node, v) if must else None
        return special or Failure("condition", v[:], node, tree, must, scope)

    def _false_inside(self, node: C.Node, v: State, scope: Scope, tree: E.Expr | None, deep: int) -> Failure | None:
        match node:
            case C.Both(args=args):
                sides = sides_of(tree, "and", len(args))
                for arg, side in zip(args, sides, strict=True):
                    if not self.holds(arg, v):
                        return said(self.false(arg, v, scope, side, deep))
            case C.Either(args=args):
                sides = sides_of(tree, "or", len(args))
                parts = [self.false(arg, v[:], scope, side, deep) for arg, side in zip(args, sides, strict=True)]
                return Failure("either", v[:], node, tree, True, scope, parts=tuple(parts))
            case C.Op(name="truth" | "is_there", args=(C.Invoke() | C.Cond() as arg,)):
                return self.false(arg, v, scope, None, deep)
            case C.Op(name="not", args=(arg,)) if _is_said_apart(node, arg, tree):
                return self.true(arg, v, scope, inside_not(tree), deep)
            case C.Op(name="not", args=(C.Fold(kind="any") as fold,)):
                return self._witness(fold, v, scope, tree, deep)
            case C.Op(name="holds", args=(_, C.Invoke() | C.Cond() | C.Fold() as domain)):
                return self._not_held(node, domain, v, scope, tree, deep)
            case C.Fold(kind="all", value=value) if value is not None:
                for w, inner in self._members(node, v, scope, tree):
                    if not self.holds(value, w):
                        return self.false(value, w, inner, None, deep + 1)
            case C.Fold(kind="any", each=(each,), value=value):
                return self._only_member(each, node, value, v, scope, tree, deep)
            case C.Lookahead():
                return None
            case C.Would(procedure=procedure, args=args, condition=condition) if not self.knowing.hides:
                w = v[:]
                values = [self.evaluator.of(arg)(v) for arg in args]
                self.knowing.machine.run_procedure(w, procedure, values)
                found = self.false(condition, w, scope, None, deep + 1)
                return found if found.words is not None else None
            case _:
                return self._behind(node, v, scope, deep, self.false)
        return None

    def _true_inside(self, node: C.Node, v: State, scope: Scope, tree: E.Expr | None, deep: int) -> Failure | None:
        match node:
            case C.Either(args=args):
                sides = sides_of(tree, "or", len(args))
                for arg, side in zip(args, sides, strict=True):
                    if self.holds(arg, v):
                        return said(self.true(arg, v, scope, side, deep))
            case C.Op(name="truth" | "is_there", args=(C.Invoke() | C.Cond() as arg,)):
                return self.true(arg, v, scope, None, deep)
            case C.Op(name="not", args=(arg,)) if _is_said_apart(node, arg, tree):
                return self.false(arg, v, scope, inside_not(tree), deep)
            case C.Fold(kind="any"):
                return self._witness(node, v, scope, tree, deep)
            case C.Invoke() | C.Cond() | C.With() | C.Select():
                return self._behind(node, v, scope, deep, self.true)
        return None

    def _behind(self, node: C.Node, v: State, scope: Scope, deep: int, go_on: Any) -> Failure | None:
        """What stands behind a formula, a choice of two, or names that are set for a while."""
        match node:
            case C.Invoke(formula=formula) if formula.body is not None and _is_asked(formula.body):
                entered = self.enter(node, v)
                if entered is None:
                    return None
                found: Failure = go_on(formula.body, *entered, None, deep + 1)
                return found
            case C.Cond(condition=condition, then=then, otherwise=otherwise):
                taken = then if self.holds(condition, v) else otherwise
                return go_on(taken, v, scope, None, deep + 1) if read(taken) else None
            case C.With(slots=slots, args=args, body=body) if read(body):
                w = v[:]
                for slot, arg in zip(slots, args, strict=True):
                    w[slot] = self.evaluator.of(arg)(v)
                steps = self.world.steps
                named = dict(steps[slot] for slot in slots if slot in steps)
                return go_on(body, w, scope | named, None, deep + 1)
            case C.Select(index=index, cases=cases):
                at = self.evaluator.of(index)(v)
                return go_on(cases[at], v, scope, None, deep) if at >= 0 else None
        return None

    def enter(self, node: C.Invoke, v: State) -> tuple[State, Scope] | None:
        """The state and the names inside of a formula that is called."""
        w, scope = v[:], {}
        values = [self.evaluator.of(arg)(v) for arg in node.args]
        for slot, value in zip(node.formula.slots, values, strict=True):
            w[slot] = value
        info = self._info_of(node.formula)
        if info is not None:
            for (name, kind), slot in zip(info.parameters, node.formula.slots, strict=True):
                scope[name] = Typed(C.Get(slot), kind)
        return w, scope

    def _info_of(self, formula: C.Formula) -> Any:
        rows = (info for code in self.world.codes for info in code.made.values() if hasattr(info, "parameters"))
        return next((info for info in (*self.world.formulas, *rows) if info.code is formula), None)

    def _members(self, fold: C.Fold, v: State, scope: Scope, tree: E.Expr | None) -> Iterator[tuple[State, Scope]]:
        """The state and the names for each combination that a comprehension goes through."""
        inner, w = self._bound(fold.each, scope, tree), v[:]
        for _ in islice(self.evaluator.combinations(fold.each, fold.where)(w), _MOST_MEMBERS):
            yield w[:], inner

    def _bound(self, each: tuple[C.Each, ...], scope: Scope, tree: E.Expr | None) -> Scope:
        """The names inside of a comprehension."""
        inner = dict(scope)
        for one, source in zip(each, E.opened(tree.arguments)[1] if isinstance(tree, E.Call) else (), strict=False):
            typed = self.typed(source.domain, inner)
            kind = self.world.elaborator.item_type(typed.type) if typed is not None else None
            if kind is not None:
                inner[source.name.name] = Typed(C.Get(one.slot), kind)
        return inner

    def _only_member(
        self, each: C.Each, node: C.Fold, value: Any, v: State, scope: Scope, tree: Any, deep: int
    ) -> Failure | None:
        """Where a single thing could have fulfilled a condition: why it does not."""
        if node.where is not None and value is None:
            found = list(islice(self.evaluator.values(each)(v), 2))
            if len(found) == 1:
                w = v[:]
                w[each.slot] = found[0]
                return self.false(node.where, w, self._bound((each,), scope, tree), None, deep + 1)
        return None

    def _witness(self, fold: C.Fold, v: State, scope: Scope, tree: E.Expr | None, deep: int) -> Failure | None:
        """Where nothing may fulfil a condition: the first that does."""
        for w, inner in self._members(fold, v, scope, tree):
            if fold.value is None or self.holds(fold.value, w):
                names = [name for name in bound_names(tree) if name in inner]
                return Failure("witness", w, fold, tree, False, inner, holes={"names": names}) if names else None
        return None

    # ------------------------------------------------------------------------------------ limits and costs

    def _limit(self, condition: C.Node, v: State) -> Failure | None:
        """How often something may be done, where it was done so often already."""
        match condition:
            case C.Op(name="less", args=(C.Cell(base=base), most)):
                per = next((per for _, per, slot in self.world.limits.values() if slot == base), None)
                if per is not None:
                    holes = {"most": self.evaluator.of(most)(v), "per": per}
                    return Failure("limit", v, condition, holes=holes)
        return None

    def _cost(self, condition: C.Node, v: State) -> Failure | None:
        """What is missing of tokens that must be there."""
        of = self.evaluator.of
        match condition:
            case C.Op(name="bag_within", args=(amount, have)) if getattr(have, "base", None) or isinstance(have, C.Op):
                pool = self._pool_of(have)
                if pool is None:
                    return None
                lacking = [
                    (pool.of and (pool.of, i), needed, held)
                    for i, (needed, held) in enumerate(zip(of(amount)(v), of(have)(v), strict=True))
                    if needed > held
                ]
                return Failure("cost", v, condition, holes={"pool": pool.name, "lacking": lacking, "givers": []})
            case C.Op(name="at_least", args=(C.Op(name="price_met", args=(price, have, free)), due)):
                return self._price(condition, v, [of(node)(v) for node in (price, have, free, due)], have)
            case C.Op(name="at_least", args=(C.Demand(of=C.Op(name="exchanges_needed", args=args)), _)):
                price, have, _, due, free = args[:5]
                found = self._price(condition, v, [of(node)(v) for node in (price, have, free, due)], have)
                return found and dataclasses.replace(found, holes=found.holes | {"after": True})
            case C.With(body=C.Possible()) | C.Possible():
                return Failure("payment", v, condition)
        return None

    def _price(self, condition: C.Node, v: State, values: list[Any], holder: C.Node) -> Failure | None:
        """Which sorts of a price are missing; how many tokens, where it is no single sort."""
        price, have, free, due = values
        pool = self._pool_of(holder)
        if pool is None or pool.of is None:
            return None
        root = self.world.data["prices"][pool.of]
        rest = [max(0, held - needed) for needed, held in zip(price, have, strict=False)]
        lacking = [((root, i), needed, held) for i, (needed, held) in enumerate(zip(price, have, strict=False))]
        for i, (needed, sorts) in enumerate(zip(price[len(have) :], free, strict=True), len(have)):
            lacking.append(((root, i), needed, sum(n for sort, n in enumerate(rest) if sorts >> sort & 1)))
        lacking = [one for one in lacking if one[1] > one[2]]
        if not lacking or due < sum(price):
            return Failure("price", v, condition, holes={"needed": due, "held": price_met(price, have, free)})
        givers = [self._givers(pool, holder, v, root, i) for (_, i), _, _ in lacking]
        return Failure("cost", v, condition, holes={"pool": pool.name, "lacking": lacking, "givers": givers})

    def _givers(self, pool: PoolInfo, holder: C.Node, v: State, root: Root, sort: int) -> list[tuple[int, int]]:
        """Which other players have of a sort that is missing, and how much."""
        base = getattr(holder, "base", -1)
        if not any(first == base and whose is self.world.players for _, first, whose in pool.holders.values()):
            return []
        index = getattr(holder, "index", None)
        mine = self.evaluator.of(index)(v) if index is not None else -1
        whole = root.whole.size if root.whole is not None else root.size
        sorts = 1 << sort if sort < whole else root.free[sort - whole]
        found = []
        for player in range(self.world.players.size):
            first = base + player * pool.size
            n = sum(v[first + i] for i in range(pool.size) if sorts >> i & 1)
            if player != mine and n > 0:
                found.append((player, n))
        return found

    def _too_few(self, node: C.Node, v: State) -> Failure | None:
        """How many must be taken of a menu before one may stop (`at_least:`)."""
        match node:
            case C.Op(name="at_least", args=(C.Get(slot=slot), least), span=None):
                return Failure("few", v[:], node, holes={"n": self.evaluator.of(least)(v), "have": v[slot]})
        return None

    def _pool_of(self, have: Any) -> Any:
        base = have.args[0] if isinstance(have, C.Op) else have
        slot = getattr(base, "base", getattr(base, "slot", -1))
        for pool in self.world.pools:
            for _, first, root in pool.holders.values():
                if first <= slot < first + pool.size * (root.size if root is not None else 1):
                    return pool
        return None

    # -------------------------------------------------------------------------------------------- members

    def _not_held(
        self, node: C.Op, domain: C.Node, v: State, scope: Scope, tree: E.Expr | None, deep: int
    ) -> Failure | None:
        value = self.evaluator.of(node.args[0])(v)
        if not isinstance(value, int) or value < 0 or not isinstance(tree, E.Binary):
            return None
        typed = self.typed(tree.left, scope)
        found = self.outside(domain, value, typed.type if typed else None, v, scope, tree.right, deep + 1)
        return found if found.words is not None or found.sort == "condition" else None

    def outside(
        self, domain: C.Node, value: Any, kind: Any, v: State, scope: Scope, tree: E.Expr | None = None, deep: int = 0
    ) -> Failure:
        """Why a value is not in a set or list: which condition of it fails for the value."""
        if self.reads_hidden(domain, v):
            return Failure("hidden", v, domain)
        tree = tree or read(domain)
        found = self._outside_inside(domain, value, kind, v, scope, tree, deep) if deep < _DEEP else None
        if found is None:
            found = Failure("among", v[:], domain, tree, True, scope, value=value, kind=kind)
        return self._with_reason(found, domain, v)

    def _outside_inside(
        self, domain: C.Node, value: Any, kind: Any, v: State, scope: Scope, tree: E.Expr | None, deep: int
    ) -> Failure | None:
        match domain:
            case C.Cond(condition=condition, then=then, otherwise=otherwise):
                taken = then if self.holds(condition, v) else otherwise
                return self.outside(taken, value, kind, v, scope, None, deep)
            case C.Invoke(formula=formula) if formula.body is not None:
                entered = self.enter(domain, v)
                if entered is None:
                    return None
                found = self.outside(formula.body, value, kind, *entered, None, deep + 1)
                by_name = found.sort == "among" and found.node is formula.body and found.words is None
                return None if by_name else found  # the set is called as the formula is
            case C.Op(name="minus", args=(left, _)):
                if value in self.members(left, v):
                    return Failure("excepted", v[:], domain, tree, True, scope, value=value, kind=kind)
                return self.outside(left, value, kind, v, scope, getattr(tree, "left", None), deep)
            case C.Fold(kind="set" | "list" | "union", each=each):
                return self._outside_fold(domain, each, value, kind, v, scope, tree, deep)
            case C.Op(name="union" | "join", args=sides):
                parts = (self.outside(side, value, kind, v, scope, None, deep) for side in sides)
                return next((part for part in parts if part.sort == "blocked"), None)
            case C.Primitive(name="slide"):
                return self._in_the_way(domain, value, v)
        return None

    def _in_the_way(self, slide: C.Primitive, value: Any, v: State) -> Failure | None:
        """What stands on a way to a space further on, or on that space: `slide` goes no further."""
        space, way, most = (self.evaluator.of(arg)(v) for arg in slide.args)
        steps, count, first = slide.data
        passed = self.evaluator.of(slide)(v)
        if not passed or not self.knowing.machine.pieces.on(v, first + passed[-1]):
            return None
        whole = line(steps, count, space, way)[:most]
        on_it = value in whole[len(passed) - 1 :]
        return Failure("blocked", v[:], slide, holes={"spot": first + passed[-1]}) if on_it else None

    def _outside_fold(
        self, fold: C.Fold, each: Any, value: Any, kind: Any, v: State, scope: Scope, tree: Any, deep: int
    ) -> Failure | None:
        """The value is made by a combination for which the condition fails, or by none."""
        everything, last = dataclasses.replace(fold, where=None), each[-1].domain[0]
        slides = isinstance(last, C.Primitive) and last.name == "slide"
        for w, inner in self._members(everything, v, scope, tree):
            try:
                made = self.evaluator.of(fold.value)(w) if fold.value is not None else w[each[0].slot]
            except RulesFault:  # what the condition would have kept away
                continue
            if made == value and fold.kind != "union" and fold.where is not None:
                found = self.false(fold.where, w, inner, None, deep + 1)
                on_it = self._in_the_way(last, value, w) if slides and found.words is None else None
                return on_it or found
        if slides and len(each) > 1:
            rays = self._members(dataclasses.replace(fold, each=each[:-1], where=None), v, scope, None)
            blocked = (self._in_the_way(last, value, w) for w, _ in rays)
            return next((one for one in blocked if one is not None), None)
        if len(each) == 1 and fold.value is None and not isinstance(each[0].domain[0], C.Const):
            return self.outside(each[0].domain[0], value, kind, v, scope, None, deep + 1)
        return None

    def members(self, domain: C.Node, v: State) -> list[Any]:
        """The members of a set or list."""
        found = self.evaluator.of(domain)(v)
        if isinstance(found, int):
            return list(bits(found)) if found >= 0 else []
        return list(found)

    # -------------------------------------------------------------------------------------- what is written

    def typed(self, tree: E.Expr, scope: Scope, as_set: bool = False) -> Typed | None:
        """A part of the rules worked out anew, with names that stand for slots; None where it cannot be by itself."""
        world, elaborator = self.world, self.world.elaborator
        kept = world.report, elaborator.report, elaborator.no_me, world.next_scratch
        report = world.report = elaborator.report = Report()
        elaborator.no_me = 0
        try:
            with elaborator.fresh():
                for name, typed in scope.items():
                    elaborator.bind(name, typed, quiet=True)
                found: Typed = elaborator.expr(tree)
                if as_set:
                    found = elaborator.fitting.as_set(found, tree.span) or found
            sound = isinstance(found.node, C.Node) and not report.errors
            return found if sound and world.next_scratch <= kept[3] + SCRATCH else None
        except (RulesFault, AssertionError, LookupError, AttributeError, TypeError):
            return None
        finally:
            world.report, elaborator.report, elaborator.no_me, world.next_scratch = kept


def _is_asked(body: C.Node) -> bool:
    """Whether a formula's body says more than its name."""
    return isinstance(body, C.Both | C.Either | C.Op | C.Cond | C.Invoke | C.Fold | C.With | C.Would | C.Select)


def _is_said_apart(node: C.Op, arg: Any, tree: E.Expr | None) -> bool:
    """Whether what is denied has words of its own: `no(…)` and `empty(…)` deny by themselves."""
    return inside_not(tree) is not None or getattr(arg, "span", None) not in (None, node.span)


def said(failure: Failure) -> Failure | None:
    """The failure, if there are words for it: not of a condition that the rules do not write by itself."""
    return None if failure.sort == "condition" and failure.tree is None and failure.words is None else failure


def read(node: Any) -> E.Expr | None:
    """How a node is written in the rules."""
    span = getattr(node, "span", None)
    if span is None:
        return None
    report = Report()
    tree = parse_text(span.text, span.file, span.start, "expr", report)
    return None if report.errors or isinstance(tree, E.Bad) else tree


def sides_of(tree: E.Expr | None, op: str, count: int) -> list[E.Expr | None]:
    """The sides of a chain of `and` or `or`, if there are as many as were worked out."""
    found: list[E.Expr] = []

    def flatten(side: E.Expr) -> None:
        if isinstance(side, E.Binary) and side.op == op:
            flatten(side.left)
            flatten(side.right)
        else:
            found.append(side)

    if tree is not None:
        flatten(tree)
    return list(found) if len(found) == count else [None] * count


def inside_not(tree: E.Expr | None) -> E.Expr | None:
    """What is said not to be."""
    match tree:
        case E.Unary(op="not", of=of):
            return of
        case E.Binary(op="not in", left=left, right=right):
            return E.Binary(tree.span, "in", left, right)
    return None


def bound_names(tree: E.Expr | None) -> list[str]:
    """The names of a comprehension."""
    return [source.name.name for source in E.opened(tree.arguments)[1]] if isinstance(tree, E.Call) else []


__all__ = ["SCRATCH", "Failure", "Finder", "Scope", "State", "bound_names", "inside_not", "read", "sides_of"]
