"""What has been chosen already of a choice that is made in steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.boards.marks import plain
from ruledsl.engine.options import DONE, STRIDE, chosen, is_piece
from ruledsl.records import dataclass
from ruledsl.types import NONE

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play


@dataclass(frozen=True)
class Step:
    """One thing that was chosen: its name, the piece that it is, where the seat knows it, and the value as it is."""

    text: str
    piece: int = NONE
    kind: Any = None
    value: Any = None


def steps_so_far(play: Play, seat: int, language: str = "en") -> list[Step]:
    """The steps that a seat has taken of what it is asked."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None or stop.choice.stage is None:
        return []  # not every seat decides where some decide at the same time
    state = play.state_of(seat)
    if not state[stop.choice.stage]:
        return []
    number, position = divmod(state[stop.choice.stage] - 1, STRIDE)
    found = []
    for variable in stop.choice.entries[number].variables[: position + 1]:
        value = chosen(state, variable)
        if variable.fewest is None and variable is stop.choice.entries[number].variables[position]:
            continue  # this is what is asked now
        if value in (0, (), []) and variable.fewest is not None:
            continue  # nothing of several as yet
        text = plain(play.words.name(value, variable.type, language, (state, seat)))
        piece = value if is_piece(variable) and variable.fewest is None else NONE
        known = piece if piece >= 0 and play.viewer.knows(state, piece, seat) else NONE
        found.append(Step(text, known, variable.type, value))
    return found


def sets_asked(play: Play, seat: int | None) -> set[int]:
    """The entries of a choice in which a set is chosen: its order says nothing, though the rules take it in one."""
    stop = play.stop_of(seat)
    entries = stop.choice.entries if stop is not None and stop.choice is not None else ()
    return {
        at for at, entry in enumerate(entries) if any(x.fewest is not None and not x.ordered for x in entry.variables)
    }


def passed_over(play: Play, seat: int) -> bool:
    """Whether a set is begun, and elements before what was chosen are not in it: they are not offered any more, though
    the set might have been meant with them."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None or stop.choice.stage is None:
        return False
    if any(raw[0] == DONE for raw in stop.options):
        return False  # what was chosen is a whole set as it stands
    state = play.state_of(seat)[:]
    if not state[stop.choice.stage]:
        return False
    number, position = divmod(state[stop.choice.stage] - 1, STRIDE)
    variable = stop.choice.entries[number].variables[position]
    if variable.fewest is None or variable.ordered:
        return False
    begun = chosen(state, variable)
    if isinstance(begun, tuple):  # of a bag
        bag = play.machine.evaluator.of(variable.each.domain[0])(state)
        last = max((kind for kind, n in enumerate(begun) if n), default=0)
        return any(there > taken for there, taken in zip(bag[:last], begun, strict=False))
    values = play.machine.options.offered(state, variable)
    last = max((at for at, value in enumerate(values) if begun >> value & 1), default=0)
    return any(not begun >> value & 1 for value in values[:last])


__all__ = ["Step", "passed_over", "sets_asked", "steps_so_far"]
