"""How blocks fall into trees, which become functions of generated Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .python_program import PythonProgram

from collections.abc import Iterable

from ruledsl.ir import core as C


class Shapes:
    """How the blocks of a procedure, or of the play outside of such, fall into trees."""

    def __init__(
        self, writer: PythonProgram, blocks: list[int], entries: list[int], elsewhere: Iterable[int] = ()
    ) -> None:
        """`elsewhere` have functions already, or will have their own."""
        self.writer = writer
        self.ahead: dict[int, list[int]] = {at: [] for at in elsewhere}
        self.ahead |= {at: list(dict.fromkeys(writer._ahead(at))) for at in blocks}
        self.entries = entries
        self.loops = self._heads()
        self.roots = set(entries) | self.loops | set(elsewhere)
        self._order()
        # Where ways meet that no branch holds together, a function of its own begins.
        while True:
            self._dominate()
            loose = [at for at in self.cut if self._loose(at)]
            if not loose:
                break
            self.roots |= set(loose)
            self._order()

    def _heads(self) -> set[int]:
        """The blocks to which a loop leads back."""
        heads: set[int] = set()
        state: dict[int, int] = {}
        for entry in self.entries:
            if entry in state:
                continue
            stack = [(entry, iter(self.ahead[entry]))]
            state[entry] = 1
            while stack:
                at, rest = stack[-1]
                to = next(rest, None)
                if to is None:
                    state[at] = 2
                    stack.pop()
                elif state.get(to) == 1:
                    heads.add(to)
                elif to not in state:
                    state[to] = 1
                    stack.append((to, iter(self.ahead[to])))
        return heads

    def _order(self) -> None:
        """The graph cut at the roots, each block before those it leads to."""
        self.cut = {at: [to for to in ahead if to not in self.roots] for at, ahead in self.ahead.items()}
        seen: set[int] = set()
        order: list[int] = []
        for root in sorted(self.roots):
            stack = [(root, iter(self.cut[root]))]
            if root in seen:
                continue
            seen.add(root)
            while stack:
                at, rest = stack[-1]
                to = next(rest, None)
                if to is None:
                    order.append(at)
                    stack.pop()
                elif to not in seen:
                    seen.add(to)
                    stack.append((to, iter(self.cut[to])))
        self.order = order[::-1]

    def _dominate(self) -> None:
        place = {at: i for i, at in enumerate(self.order)}
        self.over: dict[int, int] = {}  # the blocks through which every way to a block leads, as a set
        reached: dict[int, list[int]] = {at: [] for at in self.order}
        for at in self.order:
            for to in self.cut[at]:
                reached[to].append(at)
        for at in self.order:
            common = -1
            for other in reached[at]:
                common &= self.over[other]
            self.over[at] = (0 if at in self.roots else common) | 1 << place[at]
        self.under: dict[int, int] = {}  # the blocks through which every way from a block leads
        for at in reversed(self.order):
            leaves = len(self.cut[at]) < len(self.ahead[at]) or not self.cut[at] or self._leaves(at)
            common = 0 if leaves else -1
            if not leaves:
                for to in self.cut[at]:
                    common &= self.under[to]
            self.under[at] = common | 1 << place[at]
        self.place = place
        self.reached = reached

    def _leaves(self, at: int) -> bool:
        """Whether play may stop in a block, so that what follows it need not come."""
        return False

    def _meeting(self, at: int) -> int | None:
        """The first block through which all ways from a block lead."""
        rest = self.under[at] & ~(1 << self.place[at])
        return self.order[(rest & -rest).bit_length() - 1] if rest else None

    def _loose(self, at: int) -> bool:
        if at in self.roots or at not in self.place or len(self.reached[at]) < 2 or self.tiny(at):
            return False
        # Held together: a branch above from which all ways meet here first.
        rest = self.over[at] & ~(1 << self.place[at])
        while rest:
            above = self.order[rest.bit_length() - 1]
            if len(self.cut[above]) > 1 and self.writer.splits(above) and self._meeting(above) == at:
                return False
            rest &= ~(1 << self.place[above])
        return True

    def _covers(self, above: int, at: int) -> bool:
        return bool(self.over[at] >> self.place[above] & 1) and self.writer.splits(above)

    def after(self, at: int, until: int | None) -> int | None:
        """Where the arms of a branch meet again, if it is to be written behind them."""
        if not self.writer.splits(at):
            return None
        meeting = self._meeting(at)
        if meeting is None or meeting == until or not self._covers(at, meeting):
            return None
        return meeting

    def meets(self, at: int, inner: int) -> bool:
        """Whether a way from a block leads to where it is to fall through to."""
        seen, work = set(), [at]
        while work:
            for to in self.cut[work.pop()]:
                if to == inner:
                    return True
                if to not in seen:
                    seen.add(to)
                    work.append(to)
        return False

    def tiny(self, at: int) -> bool:
        """Whether a block is so small that it is written wherever it is come to."""
        block = self.writer.program.blocks[at]
        if at in self.writer.hooks:
            return False
        if any(not isinstance(op, C.Zero) for op in block.ops) or len(block.ops) > 1:
            return False
        return isinstance(block.end, C.Return | C.Finish | C.Choice | C.Chance | C.Together | C.Drafted)
