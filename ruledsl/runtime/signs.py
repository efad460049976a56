"""What the spaces of a board are like, as signs: where the board says so with `show:`, for one seat.

The signs of one space stand side by side; the first that has a colour gives it. `me` is the seat that looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.analysis.names import BoardInfo
from ruledsl.boards.marks import Mark, plain
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.types import Elem, Num, SetOf, Type, bits

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.runtime.play import Play

    from .picture import _Artist

Legend = tuple[tuple[Mark, str], ...]
UNKNOWN = Mark("?")


def signs(
    play: Play, info: BoardInfo, artist: _Artist, v: list[int], seat: int | None
) -> tuple[list[Mark | None], Legend]:
    """The signs of every space of a board, and what those that are words stand for."""
    found: list[Mark | None] = []
    legend: dict[str, tuple[Mark, str]] = {}
    items = play.world.data["shown"]["boards"][info.name]
    state = v[:]
    state[C.ME] = seat if seat is not None else next(iter(play.pending), 0)
    for space in range(info.root.size):
        marks, said = [], []
        for item in items:
            node = _about(play.world, item, space)
            try:
                value, told = play.words.knowing.ask(node, state, seat)
            except RulesFault:
                continue
            if not told:
                marks.append(UNKNOWN)
                continue
            for one, kind in _each(value, item.value.type):
                mark = artist.sign_of(one, kind, item.name)
                if mark is None:
                    continue
                marks.append(mark)
                if isinstance(kind, Elem):
                    title = play.words.name(one, kind, artist.language)
                    legend.setdefault(mark.text, (mark, title))
                    said.append(title)
                else:
                    said.append(artist.called_word(item.name) + f" {mark.text}" * isinstance(kind, Num))
        colour = next((mark.colour for mark in marks if mark.colour), None)
        text = "".join(mark.text for mark in marks)
        found.append(Mark(text, colour, said=", ".join(said)) if marks else None)
    return found, tuple(legend.values())


def labels(play: Play, info: BoardInfo, language: str, v: list[int], seat: int | None) -> tuple[str, ...]:
    """What stands at each space of a board for who looks, where the game says so: on a track, the way each counts."""
    said = play.world.data["labels"].get(info.name)
    if said is None:
        return ()
    state = v[:]
    state[C.ME] = seat if seat is not None else 0  # who only looks on sees it as the first
    names = enumerate(info.root.names)
    return tuple(play.words.label(said, space, language, state, seat) or plain(str(name)) for space, name in names)


def _each(value: int, kind: Type) -> list[tuple[int, Type]]:
    """A value, or the members of a set."""
    return [(one, kind.of) for one in bits(value)] if isinstance(kind, SetOf) else [(value, kind)]


def _about(world: GameWorld, item: Any, space: int) -> C.Node:
    """An expression about `this`, of one space."""
    made: dict[Any, C.Node] = world.data.setdefault("shown of spaces", {})
    key = (id(item), space)
    if key not in made:
        made[key] = C.With((item.slot,), (C.Const(space),), item.value.node)
    return made[key]


__all__ = ["Legend", "labels", "signs"]
