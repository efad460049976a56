"""What is connected on a board: what can be reached, what is joined, how far it is, how many groups there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.ir.ops import may_fail
from ruledsl.ir.walk import parts
from ruledsl.types import NO_NUMBER, bits

from .primitives import Eval, State, primitive
from .tiles import Lying

if TYPE_CHECKING:
    from ruledsl.engine.machine import Machine

MOST_FILLS = 10_000  # of a search for ways that come to nothing twice


@primitive("reachable")
def _reachable(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The start and all that can be reached from it through allowed members, in at most `within` steps."""
    start, allowed, within = args
    near = _nearness(machine, node.data[0])
    region = node.args[1]
    if isinstance(region, C.Fold) and region.where is not None and _is_filter(region) and _faultless(region.where):
        return _reachable_step_by_step(machine, start, region, within, near)

    def reachable(v: State) -> int:
        found = edge = start(v)
        inside, steps = allowed(v), within(v)
        while edge and steps:
            around = 0
            for x in bits(edge):
                around |= near(v, x)
            edge = around & inside & ~found
            found |= edge
            steps -= 1
        return int(found)

    return reachable


def _reachable_step_by_step(machine: Machine, start: Eval, region: C.Fold, within: Eval, near: Any) -> Eval:
    """As `reachable`, but only the neighbours of what was found are asked whether they are allowed."""
    (each,), slot = region.each, region.each[0].slot
    assert region.where is not None, "a region has a condition"
    domain, test = machine.evaluator.of(each.domain[0]), machine.evaluator.of(region.where)

    def reachable(v: State) -> int:
        found = edge = start(v)
        open_, steps = domain(v) & ~found, within(v)
        while edge and steps:
            around = 0
            for x in bits(edge):
                around |= near(v, x)
            edge = 0
            for x in bits(around & open_):
                v[slot] = x
                if test(v):
                    edge |= 1 << x
            open_ &= ~around
            found |= edge
            steps -= 1
        return int(found)

    return reachable


def _is_filter(fold: C.Fold) -> bool:
    """Whether a comprehension is `x in S where c` and nothing more."""
    (first, *rest), value = fold.each, fold.value
    itself = value is None or (isinstance(value, C.Get) and value.slot == first.slot)
    return fold.kind == "set" and not rest and first.form == "set" and itself


def _faultless(node: C.Node, seen: set[C.Formula] | None = None) -> bool:
    """Whether working something out can never be a fault, so that nobody can tell if it was left out.

    A formula is looked into once: were it found to fault, nothing more would be asked.
    """
    seen = set() if seen is None else seen
    match node:
        case C.Invoke(formula=formula):
            inside = formula.body is not None
            if formula.body is not None and formula not in seen:
                seen.add(formula)
                inside = _faultless(formula.body, seen)
        case C.Fold() | C.Several() | C.Select() | C.With() | C.Would() | C.Possible():
            inside = False
        case _:
            inside = not may_fail(node)
    return inside and all(_faultless(part, seen) for part in parts(node))


@primitive("reachable_once")
def _reachable_once(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """As `reachable`, by ways that come to no two members with the same key. Data: neighbours, the keys.

    Where a fill comes to several members of one key, each of them in turn is kept and the others are closed: a way
    is among those that are found so if it has but one of each key, and the other way round.
    """
    start, allowed = args
    near, keys = _nearness(machine, node.data[0]), node.data[1]
    shared: dict[int, int] = {}
    for member, key in enumerate(keys):
        shared[key] = shared.get(key, 0) | 1 << member
    rivals = {member: shared[key] & ~(1 << member) for member, key in enumerate(keys) if key >= 0}

    def fill(v: State, begun: int, inside: int) -> int:
        found = edge = begun
        while edge:
            around = 0
            for x in bits(edge):
                around |= near(v, x)
            edge = around & inside & ~found
            found |= edge
        return found

    def reachable_once(v: State) -> int:
        begun, result, fills = start(v), 0, 0
        inside = allowed(v)
        for x in bits(begun):
            inside &= ~rivals.get(x, 0)
        todo = [inside]
        while todo:
            inside = todo.pop()
            found = fill(v, begun, inside)
            doubled = next((x for x in bits(found & ~begun) if rivals.get(x, 0) & found & ~begun), None)
            if doubled is None:
                result |= found
                continue
            together = (rivals[doubled] | 1 << doubled) & inside
            todo += [inside & ~together | 1 << x for x in bits(together & found)]
            fills += 1
            if fills > MOST_FILLS:
                raise RulesFault(node.span, f"there are more than {MOST_FILLS} ways to choose which way to go")
        return result

    return reachable_once


@primitive("joined")
def _joined(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """Whether allowed members connect one set with another."""
    one, other, allowed = args
    near = _nearness(machine, node.data[0])

    def joined(v: State) -> bool:
        inside = allowed(v)
        goal = other(v) & inside
        found = edge = one(v) & inside
        while edge:
            if found & goal:
                return True
            around = 0
            for x in bits(edge):
                around |= near(v, x)
            edge = around & inside & ~found
            found |= edge
        return False

    return joined


Links = tuple[tuple[tuple[int, int], ...], ...]  # of each space: where its steps end, and the number of each step


@primitive("reachable_by")
def _reachable_by(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """As `reachable`, by steps whose numbers are in a set."""
    start, allowed, within, open_ = args
    links: Links = node.data[0]

    def reachable(v: State) -> int:
        found, inside, steps, ways = start(v), allowed(v), within(v), open_(v)
        for edge in rings(links, found, inside, ways):
            if not steps:
                break
            found |= edge
            steps -= 1
        return found

    return reachable


@primitive("joined_by")
def _joined_by(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """As `joined`, by steps whose numbers are in a set."""
    one, other, allowed, open_ = args
    links: Links = node.data[0]

    def joined(v: State) -> bool:
        inside = allowed(v)
        goal, begun = other(v) & inside, one(v) & inside
        ways = open_(v)
        return bool(begun & goal) or any(edge & goal for edge in rings(links, begun, inside, ways))

    return joined


@primitive("distance_by")
def _distance_by(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The number of steps between two spaces, by steps whose numbers are in a set; none if there is no way."""
    one, other, allowed, open_ = args
    links: Links = node.data[0]

    def distance(v: State) -> int:
        a, b = one(v), other(v)
        inside, ways = allowed(v), open_(v)
        if a < 0 or b < 0:
            return NO_NUMBER
        if a == b:
            return 0
        goal = 1 << b
        found = (n for n, edge in enumerate(rings(links, 1 << a, inside, ways), 1) if edge & goal)
        return next(found, NO_NUMBER)

    return distance


def rings(links: Links, begun: int, inside: int, ways: int) -> Iterator[int]:
    """What is reached with each further step from where one began."""
    found = edge = begun
    while edge:
        around = 0
        for x in bits(edge):
            for end, number in links[x]:
                if ways >> number & 1:
                    around |= 1 << end
        edge = around & inside & ~found
        found |= edge
        if edge:
            yield edge


@primitive("groups")
def _groups(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """How many connected groups a set falls into."""
    (members,) = args
    near = _nearness(machine, node.data[0])

    def groups(v: State) -> int:
        rest, count = members(v), 0
        while rest:
            edge = rest & -rest
            count += 1
            while edge:
                rest &= ~edge
                around = 0
                for x in bits(edge):
                    around |= near(v, x)
                edge = around & rest
        return count

    return groups


def _nearness(machine: Machine, near: Any) -> Callable[[State, int], int]:
    """The neighbours of a member as a set: from a table, or as tiles lie now."""
    return (lambda v, x: near[x]) if isinstance(near, tuple) else Lying(near).neighbors


@primitive("distance")
def _distance(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The number of steps between two spaces; none if there is no way. Data: neighbours, a memory by start."""
    one, other = args
    near: tuple[int, ...] = node.data[0]
    known: dict[int, list[int]] = {}

    def from_(start: int) -> list[int]:
        distances = [NO_NUMBER] * len(near)
        edge, found, steps = 1 << start, 1 << start, 0
        while edge:
            around = 0
            for x in bits(edge):
                distances[x] = steps
                around |= near[x]
            edge = around & ~found
            found |= edge
            steps += 1
        return distances

    def distance(v: State) -> int:
        a, b = one(v), other(v)
        if a < 0 or b < 0:
            return NO_NUMBER
        if a not in known:
            known[a] = from_(a)
        return known[a][b]

    return distance
