"""What a condition tells of a piece: behind `x in card and` it is a card, and all that cards have can be read of it.

It holds in what follows an `and`, in what follows `x not in card or`, and in the branches of an `if`. What reads the
piece then is guarded: the generators may try conditions in another order, and no executor ever reads of a piece what
it has not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import Elem, Type, bits

from .names import Binding, Typed

if TYPE_CHECKING:
    from .elaborate import Elaborator

Fact = tuple[Binding, int]  # a name, and the pieces that it can be


class Narrowing:
    """What is known of local names where an expression stands; part of an elaborator."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab = elab
        self.known: dict[int, int] = {}  # by the identity of a binding, for another may have its name

    @contextmanager
    def holding(self, facts: list[Fact]) -> Iterator[None]:
        """While these are so."""
        kept = self.known
        self._add(facts)
        try:
            yield
        finally:
            self.known = kept

    def learn(self, tree: E.Expr, truth: bool) -> None:
        """From now on this condition is known to hold, or not to; who asks puts `known` back."""
        if isinstance(tree, E.Binary | E.Unary) and (facts := self.facts(tree, truth)):
            self._add(facts)

    def _add(self, facts: list[Fact]) -> None:
        if facts:
            self.known = dict(self.known)
            for binding, mask in facts:
                self.known[id(binding)] = self.known.get(id(binding), mask) & mask

    def facts(self, tree: E.Expr, truth: bool) -> list[Fact]:
        """What is so where a condition is true, or where it is not."""
        match tree:
            case E.Unary(op="not", of=inner):
                return self.facts(inner, not truth)
            case E.Binary(op="and" | "or" as op, left=left, right=right):
                return [*self.facts(left, truth), *self.facts(right, truth)] if truth == (op == "and") else []
            case E.Binary(op="in" | "not in" as op, left=E.Name(name=word), right=right):
                binding = self.elab.local(word)
                among = self._kinds(right)
                if binding is None or not among or not isinstance(binding.value.type, Elem):
                    return []
                type = binding.value.type
                if type.root is not self.elab.world.pieces:
                    return []
                if truth == (op == "in"):
                    return [(binding, type.mask & among)]
                return [] if type.maybe else [(binding, type.mask & ~among)]
        return []

    def _kinds(self, tree: E.Expr) -> int:
        """The pieces of the kinds that are named, if nothing else is."""
        if isinstance(tree, E.Binary) and tree.op == "+":
            left, right = self._kinds(tree.left), self._kinds(tree.right)
            return left | right if left and right else 0
        if not isinstance(tree, E.Name) or self.elab.local(tree.name) is not None:
            return 0
        return next((kind.mask for kind in self.elab.world.kinds if kind.name == tree.name), 0)

    def read(self, binding: Binding, want: Type | None) -> Typed:
        """A local name where a type is wanted."""
        value = binding.value
        if isinstance(want, Elem) and isinstance(value.type, Elem) and value.type.mask & ~want.mask:
            narrow = self._as_known(binding, None)
            if narrow is not None and isinstance(narrow.type, Elem) and not narrow.type.mask & ~want.mask:
                return narrow
        return value

    def of(self, tree: E.Expr) -> Typed | None:
        """A local name as what it is known to be; None if nothing more is known of it."""
        binding = self.elab.local(tree.name) if self.known and isinstance(tree, E.Name) else None
        return self._as_known(binding, tree.span) if binding is not None else None

    def _as_known(self, binding: Binding, span: Span | None) -> Typed | None:
        type, mask = binding.value.type, self.known.get(id(binding), 0)
        if not mask or not isinstance(type, Elem) or mask == type.mask:
            return None
        one = binding.value.node
        known = C.Op("holds", (one, C.Const(mask)), span)
        return Typed(C.Cond(known, one, C.Const(next(iter(bits(mask)))), span), Elem(type.root, mask))


__all__ = ["Narrowing"]
