"""Conditions joined by `and` and `or`: what is settled by options alone, and what the sides before tell of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.syntax import expr as E
from ruledsl.types import BOOL

from .advice import listed
from .meant import one_of_these
from .names import BAD, Typed

if TYPE_CHECKING:
    from .elaborate import Elaborator


class Connecting:
    """Works out `and` and `or`; part of an elaborator."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab = elab

    def connective(self, tree: E.Binary) -> Typed:
        elab = self.elab
        parts: list[E.Expr] = []

        def flatten(side: E.Expr) -> None:
            if isinstance(side, E.Binary) and side.op == tree.op:
                flatten(side.left)
                flatten(side.right)
            else:
                parts.append(side)

        flatten(tree)
        if tree.op == "and" and (several := listed(elab, parts)):
            return elab.fail("T211", tree.span, "`and` joins conditions", f"several things are a list: `{several}`")
        nodes: list[C.Node] = []
        broken = False
        settled = any(self._by_options(part) == (tree.op == "or") for part in parts)
        known = elab.narrowing.known
        for part in parts:
            before = elab.report.errors
            if settled and self._by_options(part) is None:
                with elab.left_out():
                    typed = elab.expr(part, BOOL)
            else:
                typed = elab.expr(part, BOOL)
            node = elab.condition(typed, part.span, f"each side of `{tree.op}`", one_of_these(parts[0], part))
            elab.narrowing.learn(part, tree.op == "and")
            broken = broken or elab.report.errors > before
            if isinstance(node, C.Const):
                if bool(node.value) == (tree.op == "or"):
                    nodes.append(node)
                    with elab.left_out():
                        for rest in parts[parts.index(part) + 1 :]:
                            elab.condition(elab.expr(rest, BOOL), rest.span, f"each side of `{tree.op}`")
                    break
                continue
            nodes.append(node)
        elab.narrowing.known = known
        if broken:
            return BAD  # nobody knows what it was to be
        if not nodes:
            return Typed(C.Const(int(tree.op == "and"), tree.span), BOOL)
        if len(nodes) == 1:
            return Typed(nodes[0], BOOL)
        return Typed((C.Both if tree.op == "and" else C.Either)(tuple(nodes), tree.span), BOOL)

    def _by_options(self, tree: E.Expr) -> bool | None:
        """What a condition on options alone comes to; None if it is none."""
        elab = self.elab
        match tree:
            case E.Name(name=name):
                declared = elab.world.names.get(name)
                bound = any(name in scope for scope in elab.scopes)
                if not bound and declared is not None and declared.sort == "option":
                    found = elab.expr(tree, BOOL)
                    return bool(found.node.value) if isinstance(found.node, C.Const) and found.type == BOOL else None
            case E.Unary(op="not", of=inner):
                found_inside = self._by_options(inner)
                return None if found_inside is None else not found_inside
        return None


__all__ = ["Connecting"]
