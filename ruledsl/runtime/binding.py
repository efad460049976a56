"""What was decided stands once something new has come out after it: chance, what was hidden, or an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.ir import core as C

from .secrecy import hides, keeps_apart

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play


def binds(play: Play, state: list[int], since: Play | int) -> str:
    """Why what was done since a state cannot be taken back: chance, or something hidden came out after it.

    Where players may know different things, the answer of another is such a thing, were it that of a bot: it comes of
    what that player knows. Who claims, is challenged and takes the claim back would know what to claim instead.
    """
    decisions = since if isinstance(since, int) else len(since.decisions)
    done = play.decisions[decisions:]
    if any(decision.seat < 0 for decision in done) or _chance(play.state) != _chance(state):
        return "undo_chance"
    pieces, now = play.machine.pieces, play.state
    if pieces.spots.known >= 0:
        at = pieces.spots.at
        for piece in range(play.world.pieces.size):
            seen = pieces.knowers(now, piece) & ~pieces.knowers(state, piece)
            if seen or pieces.seers(now, now[at + piece]) & ~pieces.seers(state, state[at + piece]):
                return "undo_seen"
    if play.shown > decisions or (play.over and hides(play.configured)):  # what is over may be looked through
        return "undo_seen"
    if _came_out(play, state, len(done)):
        return "undo_seen"
    answered = any(decision.seat != done[0].seat for decision in done)
    return "undo_answered" if answered and keeps_apart(play.configured) else ""


def _came_out(play: Play, state: list[int], count: int) -> bool:
    """Whether what several were deciding at once, in secret, has come out since: not all of it waits any more."""
    node = play.machine.program.blocks[state[C.PC]].end
    if not isinstance(node, C.Together) or play.machine.evaluator.of(node.players)(state).bit_count() < 2:
        return False
    kept = range(node.drafts, node.drafts + len(play.players) * (C.DRAFT_STEPS + 1), C.DRAFT_STEPS + 1)
    return sum(play.state[at] - state[at] for at in kept) != count


def _chance(state: list[int]) -> list[int]:
    """Where the random streams stand whose numbers players see; the first only puts in order what is hidden."""
    return [int(x) for x in state[C.STREAMS + 1 : C.STREAMS + len(C.STREAM_NAMES)]]


__all__ = ["binds"]
