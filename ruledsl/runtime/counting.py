"""The number of a turn as people count: each their own turns, and not where turns begin again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.ways import reached, ways_on

if TYPE_CHECKING:
    from .play import Play


def turn_shown(play: Play, view: dict[str, Any]) -> int:
    """How many turns who looks has had, this one included; a bystander reads the number of all, as rules do.

    It is 0 where the one who looks has had none, and where the number would be one neither of the play nor of a round:
    of a betting round, say.
    """
    number = int(view["turn_number"])
    if not number or (not view["round"] and _begins_again(play)):
        return 0
    if view["seat"] is None or play.state[C.TURN_PLAYER] < 0:
        return number
    player = play.world.players.names.index(view["seat"])
    return len(_turns_had(play, player) | ({number} if player == play.state[C.TURN_PLAYER] else set()))


def _turns_had(play: Play, player: int) -> set[int]:
    """The turns of a player in this round of which there is anything in the log."""
    log, now = play.log, play.state[C.ROUND]
    known, seen = log.told.get("turns", ({}, 0))
    for line in log.lines[seen:]:
        if line.state[C.TURN_NUMBER]:
            known.setdefault((line.state[C.ROUND], line.state[C.TURN_PLAYER]), set()).add(line.state[C.TURN_NUMBER])
    log.told["turns"] = known, len(log.lines)
    found: set[int] = known.get((now, player), set())
    return found


def _begins_again(play: Play) -> bool:
    known: dict[str, bool] = play.world.data
    if "turns begin again" not in known:
        known["turns begin again"] = begin_again(play.machine.program)
    return known["turns begin again"]


def begin_again(program: C.Program) -> bool:
    """Whether play may come to where turns are counted from 1 when they were counted before."""
    starts = [number for number, block in enumerate(program.blocks) if any(map(_counts_from_one, block.ops))]
    return any(_comes_again(program, start, ()) for start in starts)


def _comes_again(program: C.Program, block: int, asked: tuple[int, ...]) -> bool:
    """Whether a block may run more than once: it lies in a loop, or in an effect that is run more than once."""

    def ahead(at: int) -> list[int]:
        return ways_on(program.blocks[at].end)

    if block in reached(ahead(block), ahead):
        return True
    calls = [
        (number, other.end.procedure.entry)
        for number, other in enumerate(program.blocks)
        if isinstance(other.end, C.CallProcedure)
    ]
    entries = {entry for _, entry in calls if block in reached([entry], ahead)}
    here = [number for number, entry in calls if entry in entries and number not in asked]
    return len(here) > 1 or any(_comes_again(program, number, (*asked, number)) for number in here)


def _counts_from_one(op: C.Operation) -> bool:
    return isinstance(op, C.Put) and op.base == C.TURN_NUMBER and isinstance(op.value, C.Const)


__all__ = ["begin_again", "turn_shown"]
