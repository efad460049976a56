"""Counting the ways in which a play can go on, to a depth: the standard check of rules against published numbers.

The unit is a whole turn. A turn is one of the outermost `turns` of the rules; it ends where the next one begins, or
where the play ends. Two ways to take a turn that differ in any decision count apart, even if the positions after
them are the same.

- A player whom the rules pass over (`skip`) has no turn. A turn that begins and is over without any decision counts
  as a turn with one way to take it: a forced pass is a move, as in published counts. A turn that begins and ends the
  play without any decision (mate is noticed, there is nothing left to play) is no turn.
- A play that is over before the depth is reached does not count, as usual.
- What is decided before the first turn counts as a turn of its own. In a game without `turns` every decision is one.
- Random events come out as the streams of the state say.

With `decisions`, what is counted are single decisions, forced ones too; at the last the options are counted without
being taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ruledsl.engine.batch import DEEPEST
from ruledsl.engine.machine import Stop
from ruledsl.ir.core import RulesFault
from ruledsl.types import NONE

from .play import Play

State = list[int]


class PerftError(Exception):
    """Counting cannot go on; the message is for the user."""


class _Reached(Exception):
    """So many turns have passed that what comes next does not matter."""


class _TooMany(Exception):
    pass


class Perft:
    """Counts from the position of a play. The play itself stays as it is."""

    def __init__(self, play: Play, decisions: bool = False) -> None:
        self.play, self.decisions = play, decisions
        self.loops = play.machine.program.turn_loops
        self.by_decision = decisions or not self.loops
        self.passed = 0  # turns that were completed since the last decision
        self.enough = 0  # turns after which nothing more needs to be worked out
        self.within: bool | None = None  # in a turn; between two; or None, before the first
        self.nodes = 0
        self.most = 0
        self.progress: Callable[[int], None] | None = None
        hooks: dict[int, Callable[[State], None]] = {}
        if not self.by_decision:
            for loop in self.loops:
                hooks |= self._hooks(loop)
        self.machine = play.machine.hooked(hooks)
        self.machine.most_steps = play.machine.most_steps

    def _hooks(self, loop: Any) -> dict[int, Callable[[State], None]]:
        """What notices whenever a turn of the outermost turns begins or ends."""

        def begins(v: State) -> None:
            if v[loop.outer] == NONE:
                if self.within is not False:  # the turn before, or what comes before all turns, was left otherwise
                    self._passed()
                self.within = True

        def ends(v: State) -> None:
            if v[loop.outer] == NONE and self.within:
                self.within = False
                self._passed()

        return {loop.inside: begins, loop.advance: ends}

    def _passed(self) -> None:
        self.passed += 1
        if self.passed >= self.enough:
            raise _Reached

    def count(self, depth: int, most: int = 0) -> int:
        """How many ways there are; counting stops when there are more than `most`."""
        self.most, self.nodes = most, 0
        try:
            return sum(n for _, n in self._ways(depth))
        except _TooMany:
            return self.nodes

    def divide(self, depth: int) -> Iterator[tuple[str, int]]:
        """The count behind each first decision, with its text, as soon as it is known."""
        self.most, self.nodes = 0, 0
        options = {option.raw: option for option in self.play.options()} if self.play.stop.kind == "choice" else {}
        return ((_text(options, raw), n) for raw, n in self._ways(depth))

    def _ways(self, depth: int) -> Iterator[tuple[Any, int]]:
        if self.play.stop.kind == "together":
            raise PerftError("perft does not go into decisions that are made in secret at once")
        stop = self.play.stop
        if stop.kind != "choice" or depth < 1:
            return
        assert stop.choice is not None
        for raw in stop.options:
            yield raw, self._after(self.play.state, stop, raw, depth, 0)

    def _after(self, v: State, stop: Stop, option: Any, depth: int, before: int) -> int:
        """The ways behind one option, which so many decisions came before."""
        if self.by_decision and depth == 1:
            return self._leaf()
        if before >= DEEPEST:
            raise PerftError(f"more than {DEEPEST} decisions follow one another, too many to go into")
        state = v[:]
        self.machine.choose(state, stop.choice, option)  # type: ignore[arg-type]
        self.passed, self.enough = 0, depth
        self.within = True if any(v[x.order] and v[x.outer] == NONE for x in self.loops) else None
        try:
            after = self.machine.run(state)
        except _Reached:
            return self._leaf()
        left = depth - (1 if self.by_decision else self.passed)
        if after.kind == "together":
            raise PerftError("perft does not go into decisions that are made in secret at once")
        if after.kind != "choice":
            # The turn in which the play ends by its player's decision is complete.
            return self._leaf() if left == 1 and not self.by_decision and self.passed == 0 else 0
        if self.by_decision and left == 1:
            return self._leaf(len(after.options))
        return sum(self._after(state, after, o, left, before + 1) for o in after.options)

    def _leaf(self, count: int = 1) -> int:
        before, self.nodes = self.nodes, self.nodes + count
        if self.most and self.nodes > self.most:
            raise _TooMany
        if self.progress is not None and before // 1000 != self.nodes // 1000:
            self.progress(self.nodes)
        return count


def _text(options: dict[Any, Any], raw: Any) -> str:
    option = options.get(raw)
    return str(raw) if option is None else str(option.text or option.notation)


__all__ = ["Perft", "PerftError", "RulesFault"]
