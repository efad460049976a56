"""How blocks of a program follow one another, and which effects are functions of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.walk import parts
from ruledsl.ir.ways import reached, successors, ways_on

WHOLE = 400  # blocks of a program that stay together in one function
PART = 150  # blocks of the functions that a larger one is divided into


def parted(program: C.Program, blocks: list[int], apart: set[C.Procedure]) -> list[list[int]]:
    """The blocks of a large program in parts: its procedures by themselves, and what holds them together."""
    if len(blocks) <= WHOLE:
        return [blocks]
    ends, rest = [block.end for block in program.blocks], set(blocks)
    entries = dict.fromkeys(
        end.procedure.entry for end in ends if isinstance(end, C.CallProcedure) and end.procedure not in apart
    )
    parts: list[list[int]] = []
    for entry in entries:
        own = [at for at in reached([entry], lambda at: ways_on(ends[at])) if at in rest]
        if not own:
            continue
        rest -= set(own)
        if not parts or len(parts[-1]) + len(own) > PART:
            parts.append([])
        parts[-1] += own
    left = [at for at in blocks if at in rest]
    return [*(left[i : i + WHOLE] for i in range(0, len(left), WHOLE)), *parts]


def circles(edges: dict[int, list[int]]) -> dict[int, int]:
    """For each node of a graph that lies on circles the least node of all circles that hang together with them.

    By Tarjan. networkx has it too, but takes longer to load than a small game takes to be written as C.
    """
    found: dict[int, int] = {}
    number: dict[int, int] = {}  # nodes in the order in which they were come to
    least: dict[int, int] = {}  # the first of those that are still open and can be reached from a node
    opened: list[int] = []
    still: set[int] = set()
    ways: list[tuple[int, Iterator[int]]] = []

    def come_to(node: int) -> None:
        number[node] = least[node] = len(number)
        opened.append(node)
        still.add(node)
        ways.append((node, iter(edges.get(node, ()))))

    for root in edges:
        if root not in number:
            come_to(root)
        while ways:
            node, ahead = ways[-1]
            to = next((to for to in ahead if to not in number or to in still), None)
            if to is not None and to not in number:
                come_to(to)
                continue
            if to is not None:
                least[node] = min(least[node], number[to])
                continue
            ways.pop()
            if ways:
                before = ways[-1][0]
                least[before] = min(least[before], least[node])
            if least[node] == number[node]:
                together = opened[opened.index(node) :]
                del opened[-len(together) :]
                still.difference_update(together)
                if len(together) > 1 or node in edges.get(node, ()):
                    found.update(dict.fromkeys(together, min(together)))
    return found


def alone(program: C.Program, procedures: Iterable[C.Procedure]) -> dict[C.Procedure, list[int]]:
    """The effects that neither ask nor roll, themselves or through what they call, with their blocks."""
    found = {
        procedure: reached([procedure.entry], lambda at: successors(program.blocks[at].end))
        for procedure in procedures
        if procedure.entry >= 0
    }
    while True:
        asking = [procedure for procedure, blocks in found.items() if any(_asks(program, at, found) for at in blocks)]
        if not asking:
            return found
        for procedure in asking:
            del found[procedure]


def _asks(program: C.Program, at: int, quiet: dict[C.Procedure, list[int]]) -> bool:
    end = program.blocks[at].end
    if isinstance(end, C.CallProcedure):
        return end.procedure not in quiet
    return end is None or isinstance(end, C.Choice | C.Chance | C.Together | C.Drafted)


def tried(program: C.Program, roots: Iterable[Any], alone: dict[C.Procedure, list[int]]) -> list[Any]:
    """All that is worked out where effects are tried out: expressions and operations."""
    found: list[Any] = []
    seen: set[int] = set()
    inside: set[int] = set()
    work: list[tuple[Any, bool]] = [(root, False) for root in roots]
    while work:
        node, trying = work.pop()
        known = inside if trying else seen
        if id(node) in known:
            continue
        known.add(id(node))
        if trying:
            found.append(node)
            if isinstance(node, C.Invoke):
                work.append((node.formula.body, True))
        if isinstance(node, C.Would):
            work.append((node.condition, True))
            for at in alone.get(node.procedure, ()):
                block = program.blocks[at]
                work += [(op, True) for op in block.ops]
                work.append((block.end, True))
        work += [(part, trying) for part in parts(node)]
    return found
