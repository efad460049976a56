"""Where play goes on from a block of a program: the one home of what each end of a block leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from . import core as C


def successors(end: Any) -> list[int]:
    """The blocks to which a block leads without anybody being asked; of a call, where it comes back."""
    match end:
        case C.Jump(to=to):
            return [to]
        case C.Branch(then=then, otherwise=otherwise):
            return [then, otherwise]
        case C.CallProcedure(then=then) | C.Chance(then=then):
            return [then]
        case C.Dispatch(cases=cases, otherwise=otherwise):
            return [*cases.values(), otherwise]
    return []


def ways_on(end: Any) -> list[int]:
    """Where play can go on from a block in the same procedure, whatever is asked or called there."""
    match end:
        case C.Choice(entries=entries, stop=stop, stuck=stuck):
            return [*(entry.to for entry in entries), *([stop.to] if stop is not None else []), stuck]
        case C.Together(body=body, then=then):
            return [body, then]
    return successors(end)


def ways_through(end: Any) -> list[int]:
    """Where play can go on from a block: of a call, into what is called and behind it."""
    called = [end.procedure.entry] if isinstance(end, C.CallProcedure) else []
    return [*called, *ways_on(end)]


def reached(start: Iterable[int], ahead: Callable[[int], Iterable[int]]) -> list[int]:
    """All blocks that can be come to from some."""
    edge = list(start)
    found = set(edge)
    while edge:
        for to in ahead(edge.pop()):
            if to not in found:
                found.add(to)
                edge.append(to)
    return sorted(found)
