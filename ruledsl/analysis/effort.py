"""How many steps an expression may take: what is worked out while a game is read must not take for ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from math import prod
from typing import Any

from ruledsl.ir import core as C
from ruledsl.source.text import Span

_UNKNOWN = 100  # members of a set that only play can show


def effort(node: Any, known: dict[int, int]) -> int:
    """The steps of an expression at the most, roughly; `known` has those of the formulas met before."""
    match node:
        case C.Fold():
            times = 1
            for each in node.each:
                times *= _size(each)
            inner = sum(effort(part, known) for part in (node.where, node.value, *node.keys) if part is not None)
            return times * (1 + inner) + sum(effort(part, known) for each in node.each for part in each.domain)
        case C.Invoke(formula=formula, args=args):
            if id(formula) not in known:
                known[id(formula)] = 1  # a formula that needs itself was refused
                known[id(formula)] = effort(formula.body, known)
            return 1 + known[id(formula)] + sum(effort(arg, known) for arg in args)
        case tuple():
            return sum(effort(part, known) for part in node)
        case C.Const() | C.Look():
            return 1 + (effort(node.index, known) if isinstance(node, C.Look) else 0)
    if type(node) not in _NODES:
        return 0
    return 1 + sum(
        effort(getattr(node, one.name), known)
        for one in fields(node)
        if one.name not in ("span", "procedure", "choice")
    )


def _size(each: C.Each, unknown: int = _UNKNOWN) -> int:
    values = [part.value if isinstance(part, C.Const) else None for part in each.domain]
    if each.form == "range":
        low, high = values
        return max(0, high - low + 1) if isinstance(low, int) and isinstance(high, int) else unknown
    (value,) = values
    if isinstance(value, tuple):
        return len(value)
    return value.bit_count() if isinstance(value, int) else unknown


_NODES = set(C.Node.__args__)


# ------------------------------------------------------------------------------------------------ at the least

MOST_AT_LEAST = 100_000_000  # steps: a minute and more of the reference interpreter, for one value


def endless(program: C.Program) -> Iterator[tuple[Span | None, int]]:
    """Where rules take more steps than any play can wait for, whatever happens; of formulas that need each other only
    the first that does. Nothing is guessed: what may be passed over counts as nothing."""
    known: dict[int, int] = {}
    for formula in program.formulas:
        if formula.body is not None:
            yield from _dear(formula.body, formula.span, known)
    for block in program.blocks:
        for op in (*block.ops, *([block.end] if block.end is not None else [])):
            for node in _within(op):
                yield from _dear(node, getattr(op, "span", None), known)


def _dear(node: Any, span: Span | None, known: dict[int, int]) -> Iterator[tuple[Span | None, int]]:
    steps = at_least(node, known)
    if steps > MOST_AT_LEAST and not any(known.get(id(f), 0) > MOST_AT_LEAST for f in _asked(node)):
        yield getattr(node, "span", None) or span, steps


def at_least(node: Any, known: dict[int, int]) -> int:
    """The steps that an expression takes for certain; `known` has those of the formulas met before."""
    match node:
        case C.Fold():
            domains = sum(at_least(part, known) for each in node.each for part in each.domain)
            if node.kind in ("any", "all", "first"):  # they may end at once
                return 1 + domains
            times = prod(_size(each, 0) for each in node.each)
            inner = (node.where,) if node.where is not None else (node.value, *node.keys)
            return 1 + domains + times * (1 + sum(at_least(part, known) for part in inner if part is not None))
        case C.Invoke(formula=formula, args=args):
            if id(formula) not in known:
                known[id(formula)] = 1  # a formula that needs itself was refused
                known[id(formula)] = at_least(formula.body, known)
            return 1 + known[id(formula)] + sum(at_least(arg, known) for arg in args)
        case C.Cond():
            return 1 + at_least(node.condition, known) + min(at_least(x, known) for x in (node.then, node.otherwise))
        case C.Both(args=args) | C.Either(args=args):
            return 1 + at_least(args[0], known)
        case C.Op(args=args):
            return 1 + sum(at_least(arg, known) for arg in args)
        case C.Otherwise(of=of) | C.Demand(of=of) | C.Fit(of=of):
            return 1 + at_least(of, known)
        case C.With(args=args, body=body):
            return 1 + at_least(body, known) + sum(at_least(arg, known) for arg in args)
    return 1


def _within(op: Any) -> Iterator[Any]:
    """The expressions that an operation or the end of a block works out."""
    match op:
        case C.Put(value=value) | C.PutSeveral(value=value):
            yield value
        case C.Branch(condition=condition):
            yield condition
        case C.Act(args=args) | C.CallProcedure(args=args):
            yield from args
        case C.Choice(entries=entries):
            yield from (part for entry in entries for part in entry.when[:1])
            yield from (entry.where[0] for entry in entries if entry.where and not entry.variables)


def _asked(node: Any) -> Iterator[C.Formula]:
    """The formulas that an expression asks itself."""
    if isinstance(node, C.Invoke):
        yield node.formula
    if isinstance(node, tuple):
        for part in node:
            yield from _asked(part)
    elif type(node) in _NODES or isinstance(node, C.Each):
        for one in fields(node):
            if one.name not in ("span", "procedure", "choice", "formula"):
                yield from _asked(getattr(node, one.name))
