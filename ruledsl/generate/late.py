"""What of a program is written only when play comes to it: the code of rows, where there are many of them.

Of a game of three hundred cards, each with rules of its own, a play meets a few at a time. So no function grows with
the rows: where one is picked, a table tells the function of each; and those functions are made when they are first
asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.walk import parts

MANY = 8  # of so many different rows each has functions of its own


def wide(end: Any) -> bool:
    """Whether a block ends by going to the code of one of many rows."""
    return isinstance(end, C.Dispatch) and len(set(end.cases.values())) >= MANY


def picked(node: Any) -> tuple[C.Formula, ...] | None:
    """The formulas of which an expression asks one, where they are many and all are given the same."""
    if not isinstance(node, C.Select) or len(node.cases) < MANY:
        return None
    cases = [case for case in node.cases if isinstance(case, C.Invoke)]
    if len(cases) < len(node.cases) or not all(all(map(_same, case.args, cases[0].args)) for case in cases):
        return None
    return tuple(case.formula for case in cases)


def _same(one: C.Node, other: C.Node) -> bool:
    return one is other or (isinstance(one, C.Get) and isinstance(other, C.Get) and one.slot == other.slot)


class Entered:
    """The blocks that play may come to without code of many rows, and those of them at which it may begin anew.

    `cuts` are blocks of such code to which several rows lead: play begins there anew, too, and no row has them for
    itself.
    """

    def __init__(
        self,
        begin: Iterable[int],
        ahead: Callable[[int], Iterable[int]],
        behind: Callable[[int], Iterable[int]],
        rows: Callable[[int], Iterable[int]],
    ) -> None:
        self.blocks: dict[int, None] = {}
        self.entries: dict[int, None] = {}
        self.cuts: set[int] = set()
        edge = list(begin)
        self.entries |= dict.fromkeys(edge)
        self.blocks |= dict.fromkeys(edge)
        while edge:
            at = edge.pop()
            after = list(behind(at))
            self.entries |= dict.fromkeys(after)
            for to in [*ahead(at), *after]:
                if to not in self.blocks:
                    self.blocks[to] = None
                    edge.append(to)
        owner: dict[int, int] = {}
        work = [row for at in self.blocks for row in rows(at)]
        for row in work:
            if row in self.blocks or row in owner:
                continue
            owner[row], edge = row, [row]
            while edge:
                at = edge.pop()
                work += rows(at)
                for to in [*ahead(at), *behind(at)]:
                    if to in self.blocks:
                        self.entries[to] = None
                    elif to not in owner:
                        owner[to] = row
                        edge.append(to)
                    elif owner[to] != row:
                        self.cuts.add(to)
        self.late = dict.fromkeys(at for at in owner if at in self.cuts or owner[at] == at)  # where rows begin anew


def asked_for(
    roots: Iterable[Any], blocks_of: Callable[[C.Procedure], Iterable[Any]]
) -> tuple[set[C.Formula | C.Procedure], bool]:
    """The formulas and effects that some code asks for, itself or through others, but not by rows; and whether it
    asks for anything by rows.

    `blocks_of` has the operations and ends of an effect's blocks.
    """
    found: set[C.Formula | C.Procedure] = set()
    rows = False
    seen: set[int] = set()
    work = list(roots)
    while work:
        node = work.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        match node:
            case C.Invoke(formula=formula):
                found.add(formula)
                if formula.body is not None:
                    work.append(formula.body)
            case C.CallProcedure(procedure=procedure) | C.Would(procedure=procedure):
                if procedure not in found:
                    found.add(procedure)
                    work += blocks_of(procedure)
            case C.Possible(choice=choice):
                work.append(choice)
        rows = rows or wide(node)
        if picked(node) is not None:
            rows = True
            work += [node.index, *parts(node.cases[0])]
        else:
            work += parts(node)
    return found, rows
