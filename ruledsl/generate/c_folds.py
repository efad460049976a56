"""Folds in generated C, where pieces that are alike are asked once and lists are seldom sorted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.ir.kinds import Kind
from ruledsl.ir.once import once

from .folds import Folds
from .passes import Pass

if TYPE_CHECKING:
    from .c_words import CWords
    from .language import Text


class CFolds(Folds):
    """A method for each kind of fold for which C has better words."""

    out: CWords

    def __init__(self, out: CWords) -> None:
        super().__init__(out)
        self.downwards: list[bool] = []  # whether the lists that grow are to be turned round at their end

    def text(self, node: C.Fold) -> Text:
        out = self.out
        first, whole = out.alike.loop(node)
        text, kind = super().text(first)
        if whole is None:
            return text, kind
        name = out.held(text, kind)
        with out.if_("s->unlike"):
            out.assign(name, super().text(whole)[0])
        return name, kind

    def fold_set(self, node: C.Fold, kind: Kind) -> str:
        return self.out.asked_at_once(node, kind) or super().fold_set(node, kind)

    def fold_list(self, node: C.Fold, kind: Kind) -> str:
        """While a list grows, it takes the room of all lists that are made meanwhile."""
        out = self.out
        keys, down = self._keys_that_matter(node)
        if keys != node.keys:
            node = self._by_keys(node, keys)
        keeps, out.keeps_lists = out.keeps_lists, False
        self.downwards.append(down)  # until its end is written
        with out.fills():
            name = super().fold_list(node, kind)
        out.keeps_lists = keeps
        return name

    @once()
    def _by_keys(self, node: C.Fold, keys: tuple[C.Node, ...]) -> C.Fold:
        """The same list, sorted by fewer keys."""
        return replace(node, keys=keys)

    def _keys_that_matter(self, node: C.Fold) -> tuple[tuple[C.Node, ...], bool]:
        """The keys by which a list is sorted, without those that its variable has already; and whether it goes down.

        The members of a set come in their order, and what ties stays as it was.
        """
        if len(node.each) != 1 or node.each[0].form not in ("set", "range") or not self.out.on(Pass.SORTED_ALREADY):
            return node.keys, False
        slot = node.each[0].slot
        for i, key in enumerate(node.keys):
            match key:
                case C.Get(slot=of) if of == slot:
                    return node.keys[:i], False
                case C.Op(name="negative", args=(C.Get(slot=of),)) if of == slot:
                    return node.keys[:i], True
        return node.keys, False
