"""What a person types: one option, or several in a row, each of which decides the next step.

`13/8 8/5` are two moves, `attack 3 1 done` a choice with its steps. A row is tried on a copy first and counts only as
a whole. Of a set that is chosen in steps the elements may come in any order, though the rules take them in one. A row
goes no further than one could take back what was done (`Session._binding`): what chance or a hidden card brings is not
tried out. Of what is planned in secret every step can be taken back, so a row goes as far as the plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruledsl.bots.laid import as_listed
from ruledsl.runtime.asked import sets_asked
from ruledsl.runtime.binding import binds
from ruledsl.runtime.play import Play
from ruledsl.runtime.typed import pick

_MOST = 12  # steps in a row
_TRIED = 200  # ways to read a row that are looked at


def row_of(play: Play, seat: int, typed: str, language: str) -> list[tuple[Any, ...]]:
    """The options that a row of texts picks one after the other; nothing if it does not fit as a whole."""
    words = typed.replace(";", " ").split()
    if not 1 < len(words) <= 3 * _MOST:
        return []
    reader = _Reader(seat, language)
    return reader.read(play, words) or []


class _Reader:
    def __init__(self, seat: int, language: str) -> None:
        self.seat, self.language, self.tried = seat, language, 0

    def read(self, play: Play, words: list[str], depth: int = 0) -> list[tuple[Any, ...]] | None:
        """The options, the longest texts first; what is forced may be left out."""
        if depth >= _MOST:
            return None
        options = as_listed(play, self.seat, self.language)
        forced = len(options) == 1
        anywhere = sets_asked(play, self.seat)
        for text, left, moved in _beginnings(words, bool(anywhere)):
            self.tried += 1
            if self.tried > _TRIED:
                return None
            found = pick(play, self.seat, text.strip(","), self.language, numbers=not forced, options=options)
            if found.one is None or (moved and found.one.raw[0] not in anywhere):
                continue
            rest = self._rest(play, found.one.raw, left, depth)
            if rest is not None:
                return rest
        return self._rest(play, options[0].raw, words, depth) if forced else None

    def _rest(self, play: Play, raw: tuple[Any, ...], words: list[str], depth: int) -> list[tuple[Any, ...]] | None:
        if not words:
            return [raw]
        there = _after(play, raw, self.seat)
        rest = self.read(there, words, depth + 1) if there is not None else None
        return [raw, *rest] if rest is not None else None


def _beginnings(words: list[str], anywhere: bool) -> Iterator[tuple[str, list[str], bool]]:
    """What may be read first, and what is left then: the longest texts first.

    Of a set also what stands further on, by itself or behind the first word: `take` of `take onyx pearl` goes with
    either. Also whether something before it was left out.
    """
    for end in range(len(words), 0, -1):
        yield " ".join(words[:end]), words[end:], False
    for start in range(1, len(words) if anywhere else 0):
        for end in range(len(words), start, -1):
            text = " ".join(words[start:end])
            if start > 1:
                yield f"{words[0]} {text}", words[1:start] + words[end:], True
            yield text, words[:start] + words[end:], True


def _after(play: Play, raw: tuple[Any, ...], seat: int) -> Play | None:
    """The play behind an option, where the same seat goes on and nothing new is known."""
    there = play.copy()
    stop = there.stop_of(seat)
    assert stop is not None
    there.choose(stop.options.index(raw), seat)
    drafts = play.together is not None
    if there.over or seat not in there.pending or (there.together is not None) != drafts:
        return None
    if binds(there, play.state, play):
        return None
    return there


__all__ = ["row_of"]
