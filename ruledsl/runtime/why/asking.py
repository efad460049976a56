"""How far something comes that is not offered: every condition of an entry is asked for its values, in order."""

from __future__ import annotations

import dataclasses
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any

from ruledsl.analysis.names import Typed
from ruledsl.engine.options import chosen
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.records import dataclass
from ruledsl.types import BagOf, ListOf, SetOf

from .failing import Failure, Finder, Scope, State
from .meaning import Meant, bind, inner_type

_MOST_STEPS = 600  # values that are tried for names of which nothing is said


@dataclass
class Tried:
    """How many conditions held, and the first that did not; none if all did."""

    passed: int
    failure: Failure | None
    within: int = 0  # how many parts of that one held, where it is made of several

    @property
    def how_far(self) -> tuple[int, int]:
        """How much held: a tile whose edges match when it is turned is not refused for its edges."""
        return self.passed, self.within

    def is_farther(self, other: Tried | None) -> bool:
        return other is None or self.how_far > other.how_far


class Trying:
    """Tries what may be meant at one choice."""

    def __init__(self, finder: Finder, base: State, stage: int) -> None:
        self.finder, self.base, self.stage = finder, base, stage
        self.world = finder.world
        self.left = _MOST_STEPS
        self._locals: dict[int, tuple[str, Any]] = {}
        for f in finder.knowing.machine.program.layout.fields:
            if f.kind == "local" and f.type is not None and f.count == 1 and f.name.isidentifier():
                self._locals[f.base] = (f.name, f.type)

    def try_(self, one: Meant) -> Tried:
        """How far a meaning comes."""
        v, passed, self.left = self.base[:], 0, _MOST_STEPS
        for condition in one.entry.when if not self.stage else ():
            if not self.finder.holds(condition, v):
                return Tried(passed, self._refused(condition, v, one.entry))
            passed += 1
        if one.entry.anytime is not None and not self.stage and not self.finder.holds(one.entry.anytime, v):
            return Tried(passed, Failure("wait" if v[C.ME] == v[C.TURN_PLAYER] else "own turn", v, one.entry.anytime))
        return self._go_on(one, 0, v, passed)

    def finish(self, entry: C.Entry, position: int) -> Failure | None:
        """Why what was chosen so far, of several, is not enough."""
        variable, v = entry.variables[position], self.base
        if variable.fewest is None:
            return None
        of = self.finder.evaluator.of
        fewest, have = of(variable.fewest)(v), len(_elements(v, variable))
        if have < fewest:
            same = variable.most is not None and of(variable.most)(v) == fewest
            return Failure("exactly" if same else "few", v, holes={"n": fewest, "have": have})
        return self._all_chosen(entry, v[:], 0).failure if position + 1 == len(entry.variables) else None

    def names_another(self, one: Meant) -> bool:
        """Whether it names something that is not among what is asked for there, and the rules give no reason for that:
        a card of the table, where one chooses from a hand."""
        v = self.base[:]
        for variable, values in zip(one.variables, one.values, strict=False):
            for value in values if isinstance(values, tuple) else (values,):
                failure = self._outside(variable, value, v, one.entry) if value is not None else None
                if failure is not None and failure.sort in ("among", "none left") and failure.words is None:
                    return True
            if values is not None and not isinstance(values, tuple):
                v[variable.slot] = values
        return False

    # ----------------------------------------------------------------------------------------------- names

    def _go_on(self, one: Meant, at: int, v: State, passed: int) -> Tried:
        """The names from one on: those with values as they are, the others with whatever can be chosen."""
        entry, position = one.entry, one.first + at
        if position == len(entry.variables):
            return self._all_chosen(entry, v, passed)
        variable = entry.variables[position]
        value = one.values[at] if at < len(one.values) else None
        if variable.fewest is not None:
            return self._several(one, at, variable, value, v, passed)
        if value is None:
            return self._any_value(one, at, variable, v, passed)
        failure = self._outside(variable, value, v, entry)
        if failure is not None:
            return Tried(passed + (failure.sort in ("condition", "blocked")), failure, self._within(variable, value, v))
        v = v[:]
        v[variable.slot] = value
        return self._go_on(one, at + 1, v, passed + 2)

    def _within(self, variable: C.Variable, value: Any, v: State) -> int:
        """How many parts of the condition of a name hold for a value that it may not have."""
        if variable.where is None:
            return 0
        w = v[:]
        w[variable.each.slot] = value
        return self.finder.parts_held(variable.where, w)

    def _any_value(self, one: Meant, at: int, variable: C.Variable, v: State, passed: int) -> Tried:
        """A name of which nothing is said: the value that comes farthest."""
        best: Tried | None = None
        if any(self.finder.reads_hidden(part, v) for part in variable.each.domain):
            anyway = self._fails_anyway(one, one.first + at, v)
            return Tried(passed, anyway or Failure("hidden", v, variable.each.domain[0]))
        try:
            values = list(islice(self.finder.evaluator.values(variable.each)(v), _MOST_STEPS))
        except RulesFault:
            return Tried(passed, Failure("fault", v))
        for value in values:
            self.left -= 1
            if self.left < 0:
                break
            here = dataclasses.replace(one, values=(*one.values[:at], value, *one.values[at + 1 :]))
            tried = self._go_on(here, at, v[:], passed)
            if tried.failure is None:
                return tried
            if tried.is_farther(best):
                best = tried
        if best is None:
            first = one.first + at == 0
            return Tried(passed, Failure("nothing there" if first else "nothing goes", v[:], variable.each.domain[0]))
        return best

    def _several(self, one: Meant, at: int, variable: C.Variable, value: Any, v: State, passed: int) -> Tried:
        """Several at once: each by itself, then how many, then what must hold of all that is chosen so far."""
        before = _elements(v, variable)
        for x in value or ():
            failure = self._outside(variable, x, v, one.entry) or self._in_order(variable, x, before)
            if failure is not None:
                return Tried(passed + (failure.sort == "condition"), failure)
        passed += 2
        here = v[:]
        bind(here, variable, (*before, *(value or ())))
        count = len(before) + len(value or ())
        of = self.finder.evaluator.of
        most = of(variable.most)(v) if variable.most is not None else None
        if most is not None and count > most:
            return Tried(passed, Failure("many", v, holes={"n": most}))
        so_far = one.entry.so_far
        if so_far is not None and not self.finder.holds(so_far, here):
            return Tried(passed + 1, self._refused(so_far, here, one.entry))
        if most is not None and count == most and one.first + at + 1 == len(one.entry.variables):
            return self._all_chosen(one.entry, here, passed + 2)
        if (anyway := self._fails_anyway(one, one.first + at, here)) is not None:
            return Tried(passed + 2, anyway)
        return Tried(passed + 2, self._next_of_several(one.entry, variable, here, count))

    def _fails_anyway(self, one: Meant, position: int, v: State) -> Failure | None:
        """What fails and does not wait for the names from one on, such as a cost."""
        later = {variable.slot for variable in one.entry.variables[position:]}
        for condition in one.entry.where:
            if not slots_in(condition) & later and not self.finder.holds(condition, v):
                return self._refused(condition, v, one.entry)
        return None

    def _next_of_several(self, entry: C.Entry, variable: C.Variable, v: State, count: int) -> Failure | None:
        """Where one more is needed and none can follow: why not the one that comes farthest."""
        of = self.finder.evaluator.of
        if variable.fewest is None or count + 1 != of(variable.fewest)(v) or variable is not entry.variables[-1]:
            return None
        tries = [
            self._one_more(entry, variable, value, v) for value in islice(self._elements_of(variable, v), _MOST_STEPS)
        ]
        best = max(tries, key=lambda tried: tried.how_far, default=None)
        return best.failure if best is not None and best.passed else None

    def _one_more(self, entry: C.Entry, variable: C.Variable, value: Any, v: State) -> Tried:
        """Several with another one, which completes them."""
        before = _elements(v, variable)
        failure = self._outside(variable, value, v, entry) or self._in_order(variable, value, before)
        if failure is not None:
            return Tried(0, failure)
        here = v[:]
        bind(here, variable, (*before, value))
        if entry.so_far is not None and not self.finder.holds(entry.so_far, here):
            return Tried(1, self._refused(entry.so_far, here, entry))
        return self._all_chosen(entry, here, 2)

    def _elements_of(self, variable: C.Variable, v: State) -> Any:
        """The elements that may be chosen."""
        if isinstance(variable.type, BagOf):
            bag = self.finder.evaluator.of(variable.each.domain[0])(v)
            return (kind for kind, have in enumerate(bag) if have)
        return self.finder.evaluator.values(variable.each)(v)

    def _in_order(self, variable: C.Variable, value: Any, before: tuple[Any, ...]) -> Failure | None:
        kind = inner_type(variable.type)
        if isinstance(variable.type, SetOf | ListOf) and value in before:
            return Failure("taken", self.base, value=value, kind=kind)
        if isinstance(variable.type, SetOf | BagOf) and before and value < max(before):
            return Failure("order", self.base, value=value, kind=kind, holes={"last": max(before)})
        return None

    def _all_chosen(self, entry: C.Entry, v: State, passed: int) -> Tried:
        """What must hold over all names; what it costs comes last."""
        for condition in entry.where:
            if not self.finder.holds(condition, v):
                return Tried(passed, self._refused(condition, v, entry), self.finder.parts_held(condition, v))
            passed += 1
        return Tried(passed, None)

    def _outside(self, variable: C.Variable, value: Any, v: State, entry: C.Entry) -> Failure | None:
        """Why a value is none that a name may have."""
        each, kind = variable.each, inner_type(variable.type)
        try:
            if isinstance(variable.type, BagOf):
                inside = self.finder.evaluator.of(each.domain[0])(v)[value] > 0
            else:
                inside = value in self.finder.evaluator.values(each)(v)
        except (RulesFault, IndexError) as fault:
            return Failure("fault", v, C.Const(0, getattr(fault, "span", None)))
        scope = self.scope(entry.variables, each.domain)
        w = v[:]
        w[each.slot] = value
        if not inside:  # a reason beside a domain with a condition is about the condition
            found = self._not_among(each, value, kind, v, scope)
            return self._explained(found, each, w) if variable.where is None else found
        if variable.where is None or self.finder.holds(variable.where, w):
            return None
        if variable.fewest is not None:
            scope = {**self.scope(entry.variables, (variable.where,)), variable.name: Typed(C.Get(each.slot), kind)}
        else:
            scope = self.scope(entry.variables, (variable.where,))
        return self._explained(self.finder.false(variable.where, w, scope), each, w)

    def _not_among(self, each: C.Each, value: Any, kind: Any, v: State, scope: Scope) -> Failure:
        domain = each.domain[0]
        if any(self.finder.reads_hidden(part, v) for part in each.domain):
            return Failure("hidden", v, domain)
        if each.form == "range":
            low, high = (self.finder.evaluator.of(part)(v) for part in each.domain)
            return Failure("range", v, domain, value=value, kind=kind, holes={"low": low, "high": high})
        if each.form == "bag":
            return Failure("none left", v, domain, value=value, kind=kind)
        return self.finder.outside(domain, value, kind, v, scope)

    def _explained(self, failure: Failure, each: C.Each, v: State) -> Failure:
        words = self.world.reasons.get(each)
        if words is None or failure.words is not None or failure.sort == "hidden":
            return failure
        return dataclasses.replace(failure, words=words, said_in=v)

    # ------------------------------------------------------------------------------------------ conditions

    def _refused(self, condition: C.Node, v: State, entry: C.Entry) -> Failure:
        """Why a condition of an entry does not hold."""
        return self.finder.false(condition, v, self.scope(entry.variables, (condition,)))

    # -------------------------------------------------------------------------------------------- the names

    def scope(self, variables: tuple[C.Variable, ...], nodes: tuple[C.Node, ...]) -> Scope:
        """The names that conditions speak of: by the slots that they read, and those of an entry."""
        found: Scope = {}
        for slot in sorted({slot for node in nodes for slot in slots_in(node)}):
            if slot in self._locals:
                name, kind = self._locals[slot]
                found[name] = Typed(self.world.load(slot, None, kind), kind)
        for variable in variables:
            found[variable.name] = Typed(self.world.load(variable.slot, None, variable.type), variable.type)
        return found


def _elements(v: State, variable: C.Variable) -> tuple[Any, ...]:
    """What was taken so far."""
    found = chosen(v, variable)
    if isinstance(variable.type, SetOf):
        return tuple(i for i in range(found.bit_length()) if found >> i & 1)
    if isinstance(variable.type, BagOf):
        return tuple(kind for kind, count in enumerate(found) for _ in range(count))
    return tuple(found)


def slots_in(node: Any) -> set[int]:
    """The slots that an expression reads, formulas left out."""
    found: set[int] = set()
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack += part
        elif isinstance(part, C.Get):
            found.add(part.slot)
        elif is_dataclass(part) and not isinstance(part, C.Formula | C.Procedure | C.Choice):
            if isinstance(part, C.Several):
                found.add(part.base)
            stack += [getattr(part, f.name) for f in fields(part) if f.name not in ("span", "data")]
    return found
