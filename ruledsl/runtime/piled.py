"""All that lies on the spaces of a board, piece by piece, where a picture has room for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.names import BoardInfo
from ruledsl.boards.marks import HIDDEN, Mark
from ruledsl.types import Elem

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

    from .picture import Sheet, State, _Artist
    from .signs import Legend


def piled(artist: _Artist, v: State, info: BoardInfo, shown: dict[str, Any] | None) -> tuple[tuple[Mark, ...], ...]:
    """The marks on each space from the bottom up; `shown` is the board as a view has it."""
    found: list[tuple[Mark, ...]] = [()] * info.root.size
    for space in artist.used(v, info):
        known = None if shown is None else shown.get(info.root.names[space], [])
        lying = artist.lying(v, info.first_spot + space, known)
        found[space] = tuple(HIDDEN if piece < 0 else artist.piece(v, piece) for piece in lying)
    return tuple(found)


def owned_by(artist: _Artist, info: BoardInfo, boards: Sequence[BoardInfo]) -> tuple[tuple[str, int] | None, ...]:
    """For each space of a board that shares its picture with another: the space of that one which it belongs to."""
    others = {board.root: board.name for board in boards if info.drawn_on or board.drawn_on is not None}
    for found in info.root.attributes.values():
        for a in found:
            if isinstance(a.type, Elem) and a.type.root is not info.root and a.type.root in others:
                values = (artist.read(artist.blank, a, space) for space in range(info.root.size))
                return tuple((others[a.type.root], value) if value >= 0 else None for value in values)
    return (None,) * info.root.size


def lying_legend(play: Play, language: str, view: dict[str, Any] | None, sheet: Sheet) -> Legend:
    """What the letters of the pieces stand for that lie on a sheet, where the game says what its spaces show.

    There letters stand beside letters, and nobody could tell which of them are those of a piece.
    """
    from .picture import _state, artist_of

    names = [part.board_name for part in sheet.joins or (sheet,) if sheet.legend]
    artist, v = artist_of(play, language), _state(play, view)
    found: dict[tuple[str, str | None], tuple[Mark, str]] = {}
    for info in play.world.boards:
        for space in sorted(artist.used(v, info)) if info.name in names else ():
            known = None if view is None else view["boards"].get(info.name, {}).get(info.root.names[space], [])
            for piece in artist.lying(v, info.first_spot + space, known):
                mark = HIDDEN if piece < 0 else artist.piece(v, piece)
                if piece >= 0 and mark.text and not mark.picture:
                    found.setdefault((mark.text, mark.colour), (mark, artist.titled(v, piece)))
    return tuple(found.values())


__all__ = ["lying_legend", "piled"]
