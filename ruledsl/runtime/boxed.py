"""What the spaces of a board tell in words, where the board says `boxes: true`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.names import BoardInfo
from ruledsl.boards.boxes import Box, Tokens
from ruledsl.boards.marks import Mark
from ruledsl.types import Root

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

    from .picture import _Artist

State = list[int]


def boxes(play: Play, info: BoardInfo, artist: _Artist, v: State, view: dict[str, Any] | None) -> list[Box]:
    """A box for every space of a board, of all its copies."""
    shown = None if view is None else view["boards"].get(info.name, {})
    return [_box(play, info, artist, v, shown, space) for space in range(info.root.size)]


def _box(play: Play, info: BoardInfo, artist: _Artist, v: State, shown: dict[str, Any] | None, space: int) -> Box:
    name = info.root.names[space]
    lying = artist.lying(v, info.first_spot + space, None if shown is None else shown.get(name, []))
    titled = Counter(_titles(play, artist, v, lying))
    lines = [Mark(f"{n} × {title}" if n > 1 else title, colour, True) for (title, colour), n in titled.items()]
    tokens = [one for piece in lying if piece >= 0 for one in _tokens(play, artist, v, play.world.pieces, piece)]
    tokens += _tokens(play, artist, v, info.root, space)
    lines += [
        Mark(told.title if told.bar else f"{told.title} {mark.text}", mark.colour, True)
        for told in artist.told(v, info, tokens=False)
        if (mark := told.marks[space]) is not None
    ]
    title = "" if info.board.shape == "grid" else str(play.words.title(info.root, space, artist.language))
    colour = next((line.colour for line in lines if line.colour), None)
    return Box(title.replace("_", " "), tuple(lines), tuple(tokens), colour)


def _titles(play: Play, artist: _Artist, v: State, lying: list[int]) -> Iterator[tuple[str, str | None]]:
    """What lies on a space, each with its colour; what nobody may know as `?`."""
    for piece in lying:
        if piece < 0:
            yield "?", None
        else:
            title = str(play.words.title(play.world.pieces, piece, artist.language) or artist.titled(v, piece))
            yield title.replace("_", " "), artist.piece(v, piece).colour


def _tokens(play: Play, artist: _Artist, v: State, root: Root, member: int) -> Iterator[Tokens]:
    """The tokens that a space or a piece holds, each sort with its sign."""
    for pool in play.world.pools:
        for word, (_, base, holder) in pool.holders.items():
            if holder is not root or play.world.data["shown"]["pools"].get(pool.name) == "never":
                continue
            for sort in range(pool.size):
                count = v[base + member * pool.size + sort]
                if count and pool.of is not None:
                    yield Tokens(artist.member(pool.of, sort), count, artist.titled_member(pool.of, sort))
                elif count:
                    title = artist.called_word(word)
                    yield Tokens(Mark(title[:1].upper()), count, title)


__all__ = ["boxes"]
