"""What analysis found out about every expression, for those who tell a game in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.source.document import Node
from ruledsl.syntax import expr as E
from ruledsl.types import Broken, Type

from .elaborate import Elaborator
from .names import Typed

if TYPE_CHECKING:
    from ruledsl.analysis.world import World


class Notes:
    """The code and type of each tree, and what its names stand for where they are bound in the rules themselves."""

    awaited = ""  # a word that somebody waits for: what it stands in is worked out first

    def __init__(self) -> None:
        self._typed: dict[int, tuple[Any, Typed]] = {}  # the tree is kept, so that its number stays its own

    def note(self, tree: Any, typed: Typed) -> None:
        known = self._typed.get(id(tree))
        if known is None or isinstance(known[1].type, Broken):
            self._typed[id(tree)] = (tree, typed)

    def elaborator(self, world: World) -> Elaborator:
        """What works out expressions and notes them here."""
        return NotingElaborator(world, self)

    def awaits(self, node: Node | None) -> bool:
        """Whether what somebody waits for stands here."""
        return bool(self.awaited) and node is not None and self.awaited in node.span.text

    def enough(self) -> None:
        """Called where all is worked out in which the awaited word stands; who waits for it stops here, by raising."""

    def typed(self, tree: Any) -> Typed | None:
        found = self._typed.get(id(tree))
        return found[1] if found is not None else None


class NotingElaborator(Elaborator):
    """Works out expressions as ever, and writes down what each is."""

    def __init__(self, world: World, notes: Notes) -> None:
        super().__init__(world)
        self.notes = notes

    def expr(self, tree: E.Expr, want: Type | None = None) -> Typed:
        typed = super().expr(tree, want)
        self.notes.note(tree, typed)
        return typed
