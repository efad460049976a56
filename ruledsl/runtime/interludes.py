"""Moments between two decisions that one has to see: what lies open for all there is gone when somebody is asked next.

At the end of a hand of cards all are shown, the pot is given away and cards are dealt anew, before anybody decides
again. Each line of the log keeps the state in which it was said, so the table can be shown as it stood then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.engine.machine import Stop

if TYPE_CHECKING:
    from .play import Play

_BETWEEN = Stop("between")  # nobody is asked anything


def interludes(play: Play, seat: int) -> list[int]:
    """The lines of the log since a seat decided last at which the table should be seen: of each run of the rules at
    most one, the last at which something lay open that is hidden from others again, or at which the seat still had in
    its hand what it has not any more, as where all others gave up."""
    if play.viewer.spots.known < 0 or play.together is not None or play.over:
        return []
    found: list[int] = []
    after = play.state
    hidden = _hidden(play, after)
    for number in range(len(play.log) - 1, -1, -1):
        line = play.log[number]
        if line.choice is not None:
            if line.seat == seat:
                break
            after = line.state[:]
            hidden = _hidden(play, after)
        elif hidden and play.viewer.among(line.readers, None):
            then = line.state[:]
            if any(play.viewer.knows(then, piece, None) for piece in hidden) or _is_dealt_anew(play, seat, then, after):
                found.append(number)
                hidden = []
    return found[::-1]


def _is_dealt_anew(play: Play, seat: int, then: list[int], after: list[int]) -> bool:
    """Whether nothing is left of what the seat alone knew."""
    knows, pieces = play.viewer.knows, range(play.world.pieces.size)
    own = [piece for piece in pieces if knows(then, piece, seat) and not knows(then, piece, None)]
    return bool(own) and not any(knows(after, piece, seat) for piece in own)


def _hidden(play: Play, state: list[int]) -> list[int]:
    """The pieces that not all know in a state."""
    return [piece for piece in range(play.world.pieces.size) if not play.viewer.knows(state, piece, None)]


def stood_at(play: Play, line: int) -> Play:
    """The play as it stood when a line of the log was said."""
    twin = play.copy()
    twin.state, twin.stop = play.log[line].state[:], _BETWEEN
    twin.log.lines = twin.log.lines[: line + 1]
    return twin


__all__ = ["interludes", "stood_at"]
