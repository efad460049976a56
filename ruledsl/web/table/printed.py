"""What is told of pieces besides their titles: what `show:` says of them, and what is printed on them."""

from __future__ import annotations

from typing import Any

from ruledsl.boards.marks import plain
from ruledsl.runtime.play import Option, Play
from ruledsl.runtime.table import things_of
from ruledsl.types import Elem


class Printed:
    """Tells of the pieces of one play as one seat may read them."""

    def __init__(self, play: Play, seat: int | None, language: str, state: list[int], view: dict[str, Any]) -> None:
        self.play, self.seat, self.language, self.state = play, seat, language, state
        self.thing = things_of(play, seat, language, view)

    def about(self, piece: int, besides: list[str]) -> str:
        """What is printed on a piece, unless it is said already."""
        found = plain(self.play.words.about(piece, self.language, (self.state, self.seat)))
        return found if found and found.rstrip(".") not in [one.rstrip(".") for one in besides] else ""

    def of(self, piece: int) -> list[str]:
        """All that is told of a piece besides its title; nothing of one that the seat does not know."""
        if not self.play.viewer.knows(self.state, piece, self.seat):
            return []
        thing = self.thing(piece)
        facts = [plain(fact) for fact in thing.facts if fact.strip()]
        about = self.about(piece, [plain(thing.title), *facts])
        return [*facts, about] if about else facts

    def of_option(self, option: Option, kinds: dict[str, Any]) -> list[str]:
        """What is told of the pieces that an option names, of each only once."""
        found = []
        for name, value in option.values.items():
            kind = kinds.get(name)
            if isinstance(kind, Elem) and kind.root is self.play.world.pieces and value >= 0:
                found += self.of(value)
        return list(dict.fromkeys(found))


__all__ = ["Printed"]
