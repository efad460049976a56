"""Options in the order in which things lie on the table, for people who read a list of them.

The rules offer pieces by their numbers, and every executor must; a person looks for what stands in the picture: cards
as they lie in a row, equal pieces by their spaces. What the seat does not know stays in the order in which it is
offered, so nothing can be read from where it stands, unless any card of a row may be chosen, whatever it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ruledsl.boards.marks import plain

if TYPE_CHECKING:
    from ruledsl.analysis.names import BoardInfo

    from .play import Option, Play

_BOARD, _PLACE, _UNKNOWN = range(3)
Rank = tuple[float, ...]
_NUMBERS = re.compile(r"(?<![\w.,/-])(\d{1,6})(?![\w,./-])")  # that stand by themselves, not those of `e4` or `0,-1`
NO_NUMBER = 10**9  # longer than what counts as a number where one is typed
_MOST_NUMBERED = 60  # options that are compared


def arranged(play: Play, seat: int, options: Sequence[Option]) -> list[Option]:
    """The options of a seat as they are listed, each with the number by which it is typed."""
    order = _Order(play, seat)
    if not any(option.pieces or order.drawn.keys() & set(option.roots) for option in options):
        return list(options)
    keys = []
    for at, option in enumerate(options):
        values = zip(option.raw[1:], option.are_pieces, strict=False)
        names = (*option.words, *("" for _ in option.are_pieces))
        ranks = [
            order.of(x, at, name) if piece and isinstance(x, int) else (x,)
            for (x, piece), name in zip(values, names, strict=False)
        ]
        for place, root in enumerate(option.roots[: len(ranks)]):
            if root in order.drawn:
                ranks[place] = order.drawn[root](option.raw[1 + place])
        entry = at if option.raw[0] < 0 else order.entries.setdefault(option.raw[0], at)
        keys.append((entry, *ranks))
    found = sorted(range(len(options)), key=keys.__getitem__)
    return [replace(options[at], place=place) for place, at in enumerate(found)]


def numbered(options: Sequence[Option]) -> list[Option]:
    """Options that differ in one number alone go by that number: `attack with 2` is typed as 2, wherever it stands.

    Where those are not 1, 2, 3 and so on, what has no number in its words goes by its words. Else it goes by its place.
    """
    among = [option for option in options if option.raw[0] >= 0]
    if any(option.then for option in among):  # `attack with 1` goes by it, not `attack with 1, 1`
        least = min(map(_size, among))
        among = [option for option in among if _size(option) == least]
    if not 1 < len(among) <= _MOST_NUMBERED:
        return list(options)
    parts = [_NUMBERS.split(option.text) for option in among]
    if len({len(one) for one in parts}) > 1:
        return list(options)
    unlike = [at for at in range(len(parts[0])) if len({one[at] for one in parts}) > 1]
    if len(unlike) != 1 or not unlike[0] % 2 or len({one[unlike[0]] for one in parts}) < len(parts):
        return list(options)
    own = {id(option): int(one[unlike[0]]) for option, one in zip(among, parts, strict=True)}
    rising = iter(sorted(among, key=lambda option: own[id(option)]))  # nobody looks for 2 before 1
    names = sorted(own.values()) != list(range(1, len(own) + 1)) or {id(o) for o in options[: len(own)]} != set(own)
    found = []
    for place, listed in enumerate(options):
        option = next(rising) if id(listed) in own else listed
        number = own.get(id(option))
        if number is None and names:
            number = NO_NUMBER  # who types a number means what is called by it
        elif number is None:
            number = place + 1
        found.append(replace(option, own=number))
    return found


def _size(option: Option) -> int:
    """How many things are chosen with it."""
    return sum(raw[0] >= 0 for raw in (option.raw, *option.then))


def told_from_others(play: Play, seat: int, options: Sequence[Option], language: str) -> list[Option]:
    """Options that read the same say where the piece lies that they are about: `build Quarry (market 3)`.

    They are no twins, for a place in a row counts; but in words nothing tells them from each other.
    """
    often = Counter(option.text for option in options)
    if len(often) == len(options):
        return list(options)
    order = _Order(play, seat)
    return [
        replace(option, text=f"{option.text} ({where})")
        if option.text and often[option.text] > 1 and (where := order.told(option, language))
        else option
        for option in options
    ]


class _Order:
    """Where pieces stand for one seat in one position."""

    def __init__(self, play: Play, seat: int) -> None:
        self.play, self.seat, self.state = play, seat, play.state_of(seat)
        names = play.world.data.get("public_names", play.world.pieces.names)
        self.first = {name: piece for piece, name in reversed(list(enumerate(names)))}  # by what equal ones are called
        first_place = play.viewer.spots.first_place
        rows = (info for info in play.world.place_infos if info.row)
        self.rows = {first_place + info.first + i for info in rows for i in range(info.count)}
        self.drawn = {
            info.root: partial(_as_drawn, info)
            for info in play.world.boards
            if info.board.outline.startswith("hex-") and info.board.positions
        }
        self.entries: dict[int, int] = {}  # at which option those of each entry begin

    def of(self, piece: int, at: int, name: str) -> Rank:
        """The rank of a piece; of one that the seat does not know, that of the option, or where it lies if any piece
        that lies there may be chosen under that name."""
        viewer, pieces = self.play.viewer, self.play.machine.pieces
        if piece < 0 or not viewer.knows(self.state, piece, self.seat):
            knowing = self.play.words.knowing
            free = piece >= 0 and name in knowing.asking.pointing_names
            return _UNKNOWN, knowing.position(self.state, piece) or at if free else at, 0, 0
        spot = self.state[viewer.spots.at + piece]
        alike = self.first[viewer.name(piece)]
        if spot < viewer.spots.first_place:
            return _BOARD, alike, spot, piece
        lying = list(pieces.on(self.state, spot))
        if viewer.spots.ordered[spot] and spot not in self.rows:
            lying.reverse()  # a pile, from the top down
        laid = viewer.spots.ordered[spot] or spot in pieces.slots
        return _PLACE, spot, lying.index(piece) if laid else alike, piece

    def told(self, option: Option, language: str) -> str:
        """Where the pieces of an option lie that the seat knows: on which space, or as which of a place."""
        viewer, world, found = self.play.viewer, self.play.world, []
        for piece in option.pieces:
            if piece < 0 or not viewer.knows(self.state, piece, self.seat):
                continue
            spot = self.state[viewer.spots.at + piece]
            if spot >= viewer.spots.first_place:
                place = self.play.words.title(world.places, spot - viewer.spots.first_place, language)
                found.append(f"{plain(place)} {list(self.play.machine.pieces.on(self.state, spot)).index(piece) + 1}")
            elif (board := next((b for b in world.boards if 0 <= spot - b.first_spot < b.root.size), None)) is not None:
                found.append(plain(self.play.words.title(board.root, spot - board.first_spot, language)))
        return ", ".join(found)


def _as_drawn(info: BoardInfo, space: int) -> tuple[float, ...]:
    """Where a space of hexagons stands in a picture: line by line, for their own order runs slantwise."""
    copy, at = divmod(space, len(info.board))
    across, down = info.board.positions[at]
    return copy, -round(down, 3), across


__all__ = ["arranged", "numbered", "told_from_others"]
