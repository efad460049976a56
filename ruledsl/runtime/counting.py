"""Whether the number of a turn tells people anything: not where turns are counted from 1 again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.ways import reached, ways_on

if TYPE_CHECKING:
    from .play import Play


def turn_shown(play: Play, view: dict[str, Any]) -> int:
    """The number of the turn, or 0 where it is none of the play, nor of a round: of a betting round, say."""
    number = int(view["turn_number"])
    return number if number and (view["round"] or not _begins_again(play)) else 0


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
