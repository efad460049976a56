"""What a play has come to, read off its last state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.types import bits

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured

State = list[int]


class Outcome:
    """Points and winners of the states of one configured game."""

    def __init__(self, configured: Configured) -> None:
        self.program, self._of = configured.machine.program, configured.machine.evaluator.of
        self.players = len(configured.players)

    def points(self, v: State) -> list[int]:
        """What each player has; nothing where the rules count no points."""
        me, found = v[C.ME], []
        for seat in range(self.players if self.program.scoring else 0):
            v[C.ME] = seat
            found.append(sum(int(self._of(row.node)(v)) for row in self.program.scoring))
        v[C.ME] = me
        return found

    def winners(self, v: State, points: list[int] | None = None) -> int:
        """The set of those who won, or who share a draw, where play is over; nobody where all lost, or it is void."""
        if v[C.ENDED] == C.VOID:
            return 0
        if v[C.ENDED] != C.SCORED:
            return v[C.WINNERS]
        if self.program.only_ranked or not self.program.scoring:
            return 0
        return self._best(v, self.points(v) if points is None else points)

    def winning(self, v: State) -> list[int]:
        """The seats of those who won."""
        return list(bits(self.winners(v)))

    def _best(self, v: State, points: list[int]) -> int:
        me, keys = v[C.ME], []
        for seat, total in enumerate(points):
            v[C.ME] = seat
            keys.append((-total if self.program.lowest else total, *(int(self._of(x)(v)) for x in self.program.ties)))
        v[C.ME] = me
        return sum(1 << seat for seat, key in enumerate(keys) if key == max(keys))


__all__ = ["Outcome"]
