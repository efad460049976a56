"""What was decided stands once something new has come out after it: chance, or what was hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play


def binds(play: Play, state: list[int], since: Play | int) -> str:
    """Why what was done since a state cannot be taken back: chance, or something hidden came out after it."""
    decisions = since if isinstance(since, int) else len(since.decisions)
    if any(decision.seat < 0 for decision in play.decisions[decisions:]):
        return "undo_chance"
    pieces, now = play.machine.pieces, play.state
    if pieces.spots.known >= 0:
        at = pieces.spots.at
        for piece in range(play.world.pieces.size):
            seen = pieces.knowers(now, piece) & ~pieces.knowers(state, piece)
            if seen or pieces.seers(now, now[at + piece]) & ~pieces.seers(state, state[at + piece]):
                return "undo_seen"
    return "undo_seen" if play.shown > decisions else ""


__all__ = ["binds"]
