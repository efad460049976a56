"""All that lies on the spaces of a board, piece by piece, where a picture has room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.analysis.names import BoardInfo
from ruledsl.boards.marks import HIDDEN, Mark

if TYPE_CHECKING:
    from .picture import State, _Artist


def piled(artist: _Artist, v: State, info: BoardInfo, shown: dict[str, Any] | None) -> tuple[tuple[Mark, ...], ...]:
    """The marks on each space from the bottom up; `shown` is the board as a view has it."""
    found: list[tuple[Mark, ...]] = [()] * info.root.size
    for space in artist.used(v, info):
        known = None if shown is None else shown.get(info.root.names[space], [])
        lying = artist.lying(v, info.first_spot + space, known)
        found[space] = tuple(HIDDEN if piece < 0 else artist.piece(v, piece) for piece in lying)
    return tuple(found)


__all__ = ["piled"]
