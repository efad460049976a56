"""Where an option draws from: the pile that its rules begin with, so that one may take a card from it as a hand does.

It is read off the rules and not tried out: what a card on top of a pile leads to would tell what card it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.engine.options import STRIDE
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.types import Elem

if TYPE_CHECKING:
    from .play import Option, Play

State = list[int]


def drawn_from(play: Play, seat: int, option: Option) -> int | None:
    """The spot of the pile from which an option takes what its seat does not know, if it does nothing before that."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None or option.raw[0] < 0:
        return None
    choice, v = stop.choice, play.state_of(seat)[:]
    entry = choice.entries[option.raw[0]]
    position = (v[choice.stage] - 1) % STRIDE if choice.stage is not None and v[choice.stage] else 0
    if any(variable.fewest is not None for variable in entry.variables):
        return None
    if position + len(option.raw) - 1 < len(entry.variables):
        return None  # only a step of it
    for variable, value in zip(entry.variables[position:], option.raw[1:], strict=True):
        v[variable.slot] = value
    try:
        found = _first(play, v, play.machine.program.blocks[entry.to])
    except RulesFault:
        return None
    at = play.machine.program.spots.at
    lying = [piece for piece in range(play.world.pieces.size) if v[at + piece] == found]
    known = any(play.viewer.knows(play.state, piece, seat) for piece in lying)
    return None if found is None or known or not lying else found


def _first(play: Play, v: State, block: C.Block) -> int | None:
    """The spot from which the rules take the first thing of all, with what the option says in the state."""
    of = play.machine.evaluator.of
    while not block.ops and isinstance(block.end, C.CallProcedure):
        call = block.end
        for slot, arg in zip(call.procedure.parameters, call.args, strict=True):
            if _is_piece(arg):
                return _spot_of(play, v, arg)
            v[slot] = of(arg)(v)
        block = play.machine.program.blocks[call.procedure.entry]
    match block.ops[:1]:
        case [C.Act(name="draw", args=(_, place, *_))]:
            return int(of(place)(v))
        case [C.Put(value=value)] if _is_piece(value):
            return _spot_of(play, v, value)
        case [C.Move(pieces=pieces, form="one")]:
            return _spot_of(play, v, pieces)
    return None


def _spot_of(play: Play, v: State, node: C.Node) -> int | None:
    piece = play.machine.evaluator.of(node)(v)
    return v[play.machine.program.spots.at + piece] if isinstance(piece, int) and piece >= 0 else None


def _is_piece(node: Any) -> bool:
    kind = getattr(node, "type", None)
    return isinstance(kind, Elem) and kind.root.kind == "piece"


__all__ = ["drawn_from"]
