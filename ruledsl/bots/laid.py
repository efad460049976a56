"""What options would do to the tiles on the boards, so that a person sees how a tile would come to lie.

An option is tried on a copy in which what the asked player does not know is dealt anew, and only up to the next
decision or chance: so nothing shows that the rules and the player's own view do not say already.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ruledsl.ir.core import RulesFault
from ruledsl.records import dataclass
from ruledsl.runtime.turnings import first_alike

from .guess import Guess

if TYPE_CHECKING:
    from ruledsl.runtime.play import Option, Play

State = list[int]

MOST = 24  # options that are tried


@dataclass(frozen=True)
class Laid:
    """A tile that an option would lay: on which space of which board, and how turned."""

    piece: int
    board: Any
    space: int
    turn: int


def laid_by(play: Play, seat: int, options: Sequence[Any]) -> dict[int, Laid]:
    """The tile that each option lays, or turns, by the number of the option; without those that lay none or several."""
    stop = play.stop_of(seat)
    spots = play.machine.program.spots
    if spots.turn < 0 or stop is None or stop.choice is None or play.together is not None:
        return {}
    guess = Guess(play, seat, random.Random(0))
    machine, found = play.machine, {}
    with machine.quiet():
        for option in options:
            v = list(guess.state)
            try:
                machine.choose(v, stop.choice, guess.option(stop.choice, option.raw))
                machine.run(v, ask_chance=True)
            except RulesFault:
                continue
            changed = list(_changed(play, seat, guess.state, v))
            if len(changed) == 1:
                found[option.index] = changed[0]
    return found


def told_apart(play: Play, seat: int, options: Sequence[Option]) -> list[Option]:
    """The options without those that lay a tile just as an earlier one does, only turned otherwise."""
    if play.machine.program.spots.turn < 0 or not 1 < len(options) <= MOST:
        return list(options)
    kept: list[Option] = []
    seen: dict[tuple[int, ...], list[Option]] = {}
    laid = laid_by(play, seat, options)
    for option in options:
        one = laid.get(option.index)
        if one is not None and not _stood_on(play, one.piece):
            lies = one.piece, one.board.first_spot + one.space, first_alike(play.world, one.piece, one.turn)
            before = seen.setdefault(lies, [])
            if any(sum(a != b for a, b in zip(option.raw, other.raw, strict=False)) == 1 for other in before):
                continue
            before.append(option)
        kept.append(option)
    return kept if len(kept) == len(options) else [replace(one, place=at) for at, one in enumerate(kept)]


def _stood_on(play: Play, tile: int) -> bool:
    """Whether a piece stands on a part of a tile: then turning it moves that piece."""
    pieces = play.machine.pieces
    spots = (part.first_spot + at for part in play.world.parts for at, owner in enumerate(part.owner) if owner == tile)
    return any(True for spot in spots for _ in pieces.on(play.state, spot))


def _changed(play: Play, seat: int, before: State, after: State) -> Iterator[Laid]:
    """The tiles that came to lie elsewhere on a board, or turned, and that the seat knows."""
    spots = play.machine.program.spots
    for kind in play.world.kinds:
        board = next((b for b in play.world.boards if b.name == kind.tile), None)
        if board is None:
            continue
        for piece in range(kind.first, kind.first + kind.count):
            at, turn = after[spots.at + piece], after[spots.turn + piece]
            moved = (at, turn) != (before[spots.at + piece], before[spots.turn + piece])
            space = at - board.first_spot
            if moved and 0 <= space < board.root.size and play.viewer.knows(play.state, piece, seat):
                yield Laid(piece, board, space, turn)


__all__ = ["MOST", "Laid", "laid_by", "told_apart"]
