"""What options would do on the boards, so that a person sees how a tile would come to lie, and where a man would go.

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
from ruledsl.runtime.arranged import arranged, numbered, told_from_others
from ruledsl.runtime.gathering import in_any_order
from ruledsl.runtime.picture import artist_of
from ruledsl.runtime.turnings import first_alike
from ruledsl.runtime.whole import with_whole_sets
from ruledsl.types import bits

from .guess import Guess

if TYPE_CHECKING:
    from ruledsl.analysis.names import PoolInfo
    from ruledsl.runtime.play import Option, Play
    from ruledsl.types import Root

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
    if play.machine.program.spots.turn < 0:
        return {}
    found = {}
    for index, before, after in _tried(play, seat, options):
        changed = list(_changed(play, seat, before, after))
        if len(changed) == 1:
            found[index] = changed[0]
    return found


@dataclass(frozen=True)
class Handed:
    """Tokens of a sort that somebody or something has more or fewer of."""

    word: str  # of the sort
    root: Root | None  # who or what holds them: of the players, the spaces, the pieces; of nobody without it
    holder: int
    by: int


def handed_by(play: Play, seat: int, options: Sequence[Any]) -> dict[int, list[Handed]]:
    """The tokens that change hands by each option; what happens to the supply is left out."""
    pools = [pool for pool in play.world.pools if pool.of is not None]
    if not pools:
        return {}
    return {
        index: [change for pool in pools for change in _changes(pool, before, after)]
        for index, before, after in _tried(play, seat, options)
    }


def _changes(pool: PoolInfo, before: State, after: State) -> Iterator[Handed]:
    assert pool.of is not None
    for _, base, root in pool.holders.values():
        for holder in range(root.size if root is not None else 1):
            for sort in bits(pool.mask):
                slot = base + holder * pool.size + sort
                if after[slot] != before[slot]:
                    yield Handed(pool.of.names[sort], root, holder, after[slot] - before[slot])


def led_by(play: Play, seat: int, options: Sequence[Any]) -> dict[int, list[tuple[int, int]]]:
    """The pieces of the seat that each option takes elsewhere, with the spot where they come to be."""
    at, artist = play.machine.program.spots.at, artist_of(play, "en")
    found: dict[int, list[tuple[int, int]]] = {}
    for index, before, after in _tried(play, seat, options):
        found[index] = [
            (piece, after[at + piece])
            for piece in range(play.world.pieces.size)
            if before[at + piece] != after[at + piece]
            and artist.kind_of[piece].per_player
            and artist.owner(play.state, piece) == seat
            and play.viewer.knows(play.state, piece, seat)
        ]
    return found


def _tried(play: Play, seat: int, options: Sequence[Any]) -> Iterator[tuple[int, State, State]]:
    """The number of each option that can be tried, with the state before it and after it."""
    stop = play.stop_of(seat)
    if not options or stop is None or stop.choice is None or play.together is not None:
        return
    guess = Guess(play, seat, random.Random(0))
    machine = play.machine
    with machine.quiet():
        for option in options:
            if option.raw not in stop.options:
                continue  # what is picked of a set in any order is no step of the rules as yet
            v = list(guess.state)
            try:
                machine.choose(v, stop.choice, guess.option(stop.choice, option.raw))
                machine.run(v, ask_chance=True)
            except RulesFault:
                continue
            yield option.index, guess.state, v


def told_apart(play: Play, seat: int, options: Sequence[Option]) -> list[Option]:
    """The options without those that lay a tile just as an earlier one does, only turned otherwise."""
    return _told_apart(play, options, _laid_by_few(play, seat, options))


def _laid_by_few(play: Play, seat: int, options: Sequence[Option]) -> dict[int, Laid]:
    return laid_by(play, seat, options) if 1 < len(options) <= MOST else {}


def _told_apart(play: Play, options: Sequence[Option], laid: dict[int, Laid]) -> list[Option]:
    kept: list[Option] = []
    seen: dict[tuple[int, ...], list[Option]] = {}
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


def as_listed(
    play: Play, seat: int, language: str = "en", whole: bool = False, picked: tuple[int, ...] | None = None
) -> list[Option]:
    """What a seat may choose as it is listed for people: in the order of the table, without turns that are alike.

    With `whole` the sets that a choice may come to, where they are few, in place of their elements one by one. Where
    somebody picks elements in any order, `picked` has those that they have picked as yet.
    """
    options = arranged(play, seat, play.options(seat, language))
    laid = _laid_by_few(play, seat, options)
    options = told_from_others(play, seat, _told_apart(play, options, laid), language)
    if whole and not picked:
        options = with_whole_sets(play, seat, options, language)
    if picked is not None:
        options = in_any_order(play, seat, options, language, picked)
    # How far a tile is turned is no name for anybody.
    turns = {laid[option.index].turn for option in options if option.index in laid}
    return options if len(turns) > 1 else numbered(options)


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


__all__ = ["MOST", "Handed", "Laid", "as_listed", "handed_by", "laid_by", "led_by", "told_apart"]
