"""What takes so long for certain that no play can wait for it: expressions, and loops without a decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from math import prod
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.effort import size
from ruledsl.ir.walk import within
from ruledsl.source.text import Span

# ------------------------------------------------------------------------------------------------ at the least

_ONE_STEP = (C.Const, C.Get, C.Cell, C.Look, C.Primitive)  # by far the most; what is within them is not counted
MOST_AT_LEAST = 100_000_000  # steps: a minute and more of the reference interpreter, for one value


def endless(program: C.Program) -> Iterator[tuple[Span | None, int]]:
    """Where rules take more steps than any play can wait for, whatever happens; of formulas that need each other only
    the first that does. Nothing is guessed: what may be passed over counts as nothing."""
    known: dict[int, int] = {}
    for formula in program.formulas:
        if formula.body is not None and at_least(formula.body, known) > MOST_AT_LEAST:
            yield from _dear(formula.body, formula.span, known)
    for block in program.blocks:
        for op in (*block.ops, block.end):
            for node in _within(op):
                if node.__class__ not in _ONE_STEP and at_least(node, known) > MOST_AT_LEAST:
                    yield from _dear(node, getattr(op, "span", None), known)


def _dear(node: Any, span: Span | None, known: dict[int, int]) -> Iterator[tuple[Span | None, int]]:
    if not any(known.get(id(f), 0) > MOST_AT_LEAST for f in _asked(node)):
        yield getattr(node, "span", None) or span, at_least(node, known)


def at_least(node: Any, known: dict[int, int]) -> int:
    """The steps that an expression takes for certain; `known` has those of the formulas met before."""
    if node.__class__ in _ONE_STEP:
        return 1
    if node.__class__ is C.Op:
        return 1 + sum([at_least(arg, known) for arg in node.args])
    match node:
        case C.Fold():
            domains = sum(at_least(part, known) for each in node.each for part in each.domain)
            if node.kind in ("any", "all", "first"):  # they may end at once
                return 1 + domains
            times = prod(size(each, 0) for each in node.each)
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
        case C.Otherwise(of=of) | C.Demand(of=of) | C.Fit(of=of):
            return 1 + at_least(of, known)
        case C.With(args=args, body=body):
            return 1 + at_least(body, known) + sum(at_least(arg, known) for arg in args)
    return 1


def _within(op: Any) -> Sequence[Any]:
    """The expressions that an operation or the end of a block works out."""
    if op.__class__ is C.Put:
        return (op.value,)
    match op:
        case C.PutSeveral(value=value):
            return (value,)
        case C.Branch(condition=condition):
            return (condition,)
        case C.Act(args=args) | C.CallProcedure(args=args):
            return args
        case C.Choice(entries=entries):
            conditions = [part for entry in entries for part in entry.when[:1]]
            return (*conditions, *[entry.where[0] for entry in entries if entry.where and not entry.variables])
    return ()


def _asked(node: Any) -> Iterator[C.Formula]:
    """The formulas that an expression asks itself."""
    return (part.formula for part in within(node) if isinstance(part, C.Invoke))


# ------------------------------------------------------------------------------------------------------- loops

MOST_ROUNDS = 500_000  # of loops between two decisions: `engine.machine.STEPS` blocks end the play


def idle_loops(program: C.Program) -> Iterator[tuple[Span, int]]:
    """Where loops go round more often than any play may without a decision, whatever happens; the innermost such."""
    blocks, known = program.blocks, dict[int, int | None]()
    for at, block in enumerate(blocks):
        rounds = _rounds(blocks, at, known)
        if rounds is None or rounds <= MOST_ROUNDS or block.span is None:
            continue
        inner = (_rounds(blocks, other, known) for other in _inside(blocks, at) or () if blocks[other].rounds)
        if all(each is None or each <= MOST_ROUNDS for each in inner):
            yield block.span, rounds


def _rounds(blocks: list[C.Block], head: int, known: dict[int, int | None]) -> int | None:
    """How many blocks a loop goes through at the least until it is left; None if it may ask or be left before."""
    if head in known:
        return known[head]
    known[head] = None
    block, inside = blocks[head], _inside(blocks, head)
    if not block.rounds or inside is None:
        return None
    assert isinstance(block.end, C.Branch)
    least, edge = {block.end.then: 0}, [(0, block.end.then)]
    while edge:
        so_far, at = heappop(edge)
        if at == head:
            known[head] = block.rounds * so_far
            break
        if so_far > least[at]:
            continue
        times = _rounds(blocks, at, known)
        end = blocks[at].end
        ways = [end.otherwise] if times is not None and isinstance(end, C.Branch) else _ways(end) or []
        for to in ways:
            steps = so_far + (times or 1)
            if steps < least.get(to, steps + 1):
                least[to] = steps
                heappush(edge, (steps, to))
    return known[head]


def _inside(blocks: list[C.Block], head: int) -> set[int] | None:
    """The blocks of a loop; None if one of them asks, calls what may ask, or leads out of it."""
    end = blocks[head].end
    if not blocks[head].rounds or not isinstance(end, C.Branch):
        return None
    found, edge = set[int](), [end.then]
    while edge:
        at = edge.pop()
        if at == head or at in found:
            continue
        ways = _ways(blocks[at].end)
        if ways is None or at == end.otherwise:
            return None
        found.add(at)
        edge += ways
    return found


def _ways(end: C.Terminator | None) -> list[int] | None:
    """Where a block leads on to without a decision; None where that is not certain."""
    match end:
        case C.Jump(to=to) | C.Chance(then=to):
            return [to]
        case C.Branch(then=then, otherwise=otherwise):
            return [then, otherwise]
        case C.Dispatch(cases=cases, otherwise=otherwise):
            return [*cases.values(), otherwise]
    return None
