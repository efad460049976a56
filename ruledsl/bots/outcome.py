"""What a play has come to, read off its last state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.ir.walk import within
from ruledsl.types import bits

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured

State = list[int]
SAID_OFFSET = 1 << 20  # what `heuristic:` says is no farther from zero


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

    def said_good(self, v: State) -> list[int]:
        """What each player has by `heuristic:`, kept within bounds and above zero."""
        node = self.program.heuristic
        assert node is not None
        me, of, found = v[C.ME], self._of(node), []
        for seat in range(self.players):
            v[C.ME] = seat
            found.append(min(max(int(of(v)), -SAID_OFFSET), SAID_OFFSET) + SAID_OFFSET)
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


def for_all_alike(program: C.Program) -> bool:
    """Whether `heuristic:` says the same for every player: it never asks who it is about."""
    seen: set[int] = set()

    def asks_me(node: C.Node | None) -> bool:
        for one in within(node):
            if isinstance(one, C.Get) and one.slot == C.ME:
                return True
            if isinstance(one, C.Would | C.Possible):
                return True
            if isinstance(one, C.Invoke) and id(one.formula) not in seen:
                seen.add(id(one.formula))
                if asks_me(one.formula.body):
                    return True
        return False

    return program.roots["player"].size == 1 or not asks_me(program.heuristic)


def shared(configured: Configured) -> bool:
    """Whether all players win or lose together, or there is only one."""
    ends = [block.end for block in configured.machine.program.blocks if isinstance(block.end, C.Finish)]
    won = [end.winners for end in ends if end.ending == C.WON]
    sets = {node.value for node in won if isinstance(node, C.Const)}
    everybody = (1 << len(configured.players)) - 1
    together = all(isinstance(node, C.Const) for node in won) and sets == {0, everybody}
    return len(configured.players) == 1 or (together and not configured.machine.program.scoring)


__all__ = ["SAID_OFFSET", "Outcome", "for_all_alike", "shared"]
