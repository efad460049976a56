"""Formulas that need not be worked out again: those of `me` and small arguments become tables."""

from __future__ import annotations

import itertools
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.core import RulesFault
from ruledsl.ir.effort import effort
from ruledsl.ir.kinds import LIST, SET
from ruledsl.ir.once import once
from ruledsl.ir.ops import NOTHING, looks_at, row_of
from ruledsl.ir.walk import free, parts

from .passes import NONE_OFF, Off, Pass

MOST = 400  # entries of a table
MOST_EFFORT = 20_000_000  # steps to work one out: seconds


class Pure:
    """Knows which formulas depend on `me` and their arguments alone."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        self.program, self.kinds, self.without = program, kinds, without
        self._machine: Any = None

    @once(meanwhile=frozenset())
    def reads(self, node: Any) -> set[int]:
        """The slots an expression looks at; -1 stands for what cannot be told slot by slot."""
        found: set[int] = set()
        match node:
            case C.Get(slot=slot):
                if slot >= 0:
                    found.add(slot)
            case C.Cell(base=base):
                found.add(base)
            case C.Several() | C.Would() | C.Possible():
                found.add(-1)
            case C.Primitive() if looks_at(node) != NOTHING:
                found.add(-1)
            case C.Invoke(formula=formula):
                found |= self.reads(formula.body) if formula.body is not None else {-1}
        for part in parts(node):
            found |= self.reads(part)
        return found

    def asked(self, node: Any) -> set[int]:
        """The slots an expression looks at, and the variables in it that are bound outside."""
        return self.reads(node) | free(node)

    def asks_me(self, formula: C.Formula) -> bool:
        return C.ME in self.reads(formula.body)

    @once()
    def table(self, formula: C.Formula) -> list[Any] | None:
        """The values of a formula for every `me` and all arguments, if they are few and it is worth it."""
        if Pass.FORMULA_TABLES in self.without:
            return None
        if formula.body is None or not self.reads(formula.body) <= {C.ME} or not self.worth_keeping(formula):
            return None
        given = [self.kinds.slot(slot) for slot in formula.slots]
        if any(one.sort in (SET, LIST) or not one.sure for one in given):
            return None
        ranges = [range(one.top) for one in given if one.top <= MOST]
        if len(ranges) < len(given):
            return None
        if self.asks_me(formula):
            ranges = [range(self.program.roots["player"].size), *ranges]
        total = 1
        for one in ranges:
            total *= len(one)
        if total > MOST or total * effort(formula.body, {}, 1) > MOST_EFFORT:
            return None
        from ruledsl.engine.machine import Machine

        if self._machine is None:
            self._machine = Machine(self.program)
        evaluate = self._machine.evaluator.of(formula.body)
        v = list(self.program.template) + [0] * self.program.scratch
        found = []
        for values in itertools.product(*ranges):
            rest = list(values)
            if self.asks_me(formula):
                v[C.ME] = rest.pop(0)
            for slot, value in zip(formula.slots, rest, strict=True):
                v[slot] = value
            try:
                value = evaluate(v)
            except (RulesFault, IndexError, KeyError):  # arguments that never occur
                return None
            found.append(value if isinstance(value, tuple) else int(value))
        return found

    @once()
    def worth_keeping(self, formula: C.Formula) -> bool:
        """Whether working it out costs more than looking it up."""
        return formula.body is not None and _dear(formula.body)


def _dear(node: Any) -> bool:
    match node:
        case C.Fold() | C.Would() | C.Possible() | C.Invoke() | C.Select():
            return True
        case C.Primitive() if not row_of(node).light:
            return True
    return any(_dear(part) for part in parts(node))
