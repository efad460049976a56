"""Programs with rewrites done: what the writers of code begin with.

A rewrite sees every expression of a program, the inner ones first, and may give another that means the same. A program
in which nothing is found is left as it is, the very same object; else formulas, menus and blocks are new where they
hold something new. Blocks, slots and procedures keep their numbers, so states, saves and logs know nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.walk import rebuilt, within

from .passes import NONE_OFF, Off, Rewrite, rewrites


def rewritten(program: C.Program, language: str, without: Off = NONE_OFF) -> C.Program:
    """The program after all rewrites that serve a language and are not switched off."""
    for one in rewrites():
        if one.serves(language) and one not in without:
            program = _Rewriting(program, one).program
    return program


class _Rewriting:
    def __init__(self, program: C.Program, one: Rewrite) -> None:
        self.of: Callable[[Any], Any] = one.of
        self.done: dict[int, Any] = {}  # by id; the nodes live as long as the program
        roots = [part for block in program.blocks for part in (*block.ops, block.end)]
        asked = [*(row.node for row in program.scoring), *program.ties, program.heuristic, *program.spots.seen]
        bodies = [formula.body for formula in program.formulas]
        if not any(map(self.finds, within(*roots, *asked, *bodies))):
            self.program = program
            return
        self.formulas = {formula: self.formula(formula) for formula in program.formulas}
        spots = replace(program.spots, seen=[node and self.node(node) for node in program.spots.seen])
        self.program = replace(
            program,
            blocks=[self.block(block) for block in program.blocks],
            formulas=list(self.formulas.values()),
            scoring=[replace(row, node=self.node(row.node)) for row in program.scoring],
            ties=[self.node(node) for node in program.ties],
            heuristic=program.heuristic and self.node(program.heuristic),
            spots=spots,
        )

    def finds(self, node: Any) -> bool:
        return isinstance(node, C.Expression) and self.of(node) is not None

    def formula(self, formula: C.Formula) -> C.Formula:
        """No formula asks for itself, so bodies come before those that ask for them."""
        if id(formula) not in self.done:
            body = formula.body and self.node(formula.body)
            self.done[id(formula)] = formula if body is formula.body else replace(formula, body=body)
        found: C.Formula = self.done[id(formula)]
        return found

    def node(self, node: Any) -> Any:
        """An expression, or a terminator that is asked for (`Possible`), with all that is in it rewritten."""
        if id(node) in self.done:
            return self.done[id(node)]
        new = rebuilt(node, self.node)
        match new:
            case C.Invoke(formula=formula) if (other := self.formula(formula)) is not formula:
                new = replace(new, formula=other)
            case C.Possible(choice=choice) if (menu := self.node(choice)) is not choice:
                new = replace(new, choice=menu)
        if isinstance(new, C.Expression):
            found = self.of(new)
            new = new if found is None else found
        self.done[id(node)] = new
        return new

    def block(self, block: C.Block) -> C.Block:
        ops, end = [rebuilt(op, self.node) for op in block.ops], block.end and self.node(block.end)
        same = end is block.end and all(a is b for a, b in zip(ops, block.ops, strict=True))
        return block if same else replace(block, ops=ops, end=end)


__all__ = ["rewritten"]
