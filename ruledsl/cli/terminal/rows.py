"""What a person types: one option, or several in a row, each of which decides the next step.

`13/8 8/5` are two moves, `attack 3 1 done` a choice with its steps. A row is tried on a copy first and counts only as
a whole; if it does not fit, the step is told at which it fails. Of a set that is chosen in steps the elements may come
in any order, though the rules take them in one. Where a notation has a `chain:`, moves of which one begins where the
other ends may be written as one: `13/8/5`, or `13/5` if all ways to play it end alike. `8/5(2)` is twice `8/5`.

A row goes no further than one could take back what was done (`Session._binding`): what chance or a hidden card brings
is not tried out. Of what is planned in secret every step can be taken back, so a row goes as far as the plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Any

from ruledsl.bots.laid import as_listed
from ruledsl.records import dataclass
from ruledsl.runtime.asked import passed_over, sets_asked
from ruledsl.runtime.binding import binds
from ruledsl.runtime.gathering import is_picked
from ruledsl.runtime.play import Play
from ruledsl.runtime.typed import LANGUAGES, REMARKS, pick, plain
from ruledsl.runtime.typed import words as words_of

_MOST = 12  # steps in a row
_TRIED = 200  # ways to read a row that are looked at
_TIMES = re.compile(r"(.+)\(([1-9])\)")

Raws = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Row:
    """What a row of texts picks, one option after the other; or how far it went, and what it came upon there."""

    raws: Raws
    taken: str = ""  # what fits, of a row that does not fit as a whole
    failed: str = ""  # and the text behind it
    there: Play | None = None  # where that was typed
    ways: tuple[str, ...] = ()  # in which one text may be meant that do not end alike


def row_of(play: Play, seat: int, typed: str, language: str) -> Raws:
    """The options that a row of texts picks one after the other; nothing if it does not fit as a whole."""
    return read_row(play, seat, typed, language).raws


def read_row(play: Play, seat: int, typed: str, language: str) -> Row:
    """What a row means; nothing is picked if it does not fit as a whole."""
    words = [word for part in typed.replace(";", " ").split() for word in _repeated(part)]
    if not words or len(words) > 3 * _MOST:
        return Row([])
    reader = _Reader(play, seat, language, len(words))
    if len(words) == 1 and not reader.chains:
        return Row([])
    raws = reader.read(play, words)
    if raws or reader.ways:
        return Row(raws or [], ways=reader.ways)
    left, there = reader.farthest
    if not left or len(left) == len(words):
        return Row([])
    return Row([], " ".join(words[: len(words) - len(left)]), left[0], there)


def read_picks(play: Play, seat: int, typed: str, language: str, picked: tuple[int, ...]) -> Any | None:
    """The option that picks the last of several elements of a set, typed at once in any order; None if it is no such
    text."""
    words = typed.replace(",", " ").replace(";", " ").split()
    return _last_pick(play, seat, words, language, picked) if len(words) <= 3 * _MOST else None


def _last_pick(play: Play, seat: int, words: list[str], language: str, picked: tuple[int, ...]) -> Any | None:
    options = as_listed(play, seat, language, picked=picked)
    if not any(map(is_picked, options)):
        return None
    for end in range(len(words), 0, -1):
        text = " ".join(words[:end])
        found = pick(play, seat, text, language, options=options).one
        if found is None or not is_picked(found) or not _is_whole(text, found, options):
            continue
        if end == len(words):
            return found
        last = _last_pick(play, seat, words[end:], language, found.gathered) if found.gathered else None
        if last is not None:
            return last
    return None


def _repeated(word: str) -> list[str]:
    found = _TIMES.fullmatch(word.rstrip(REMARKS))
    return [found[1]] * int(found[2]) if found else [word]


class _Reader:
    def __init__(self, play: Play, seat: int, language: str, length: int) -> None:
        self.seat, self.language, self.tried = seat, language, 0
        self.farthest: tuple[Sequence[str], Play] = ([""] * length, play)
        self.ways: tuple[str, ...] = ()
        self.chains = any(one.chain for _, found in play.world.data["notations"].values() for one in found)

    def read(self, play: Play, words: list[str], depth: int = 0) -> Raws | None:
        """The options, the longest texts first; what is forced may be left out."""
        if depth >= _MOST:
            return None
        listed = as_listed(play, self.seat, self.language, whole=True)
        options = as_listed(play, self.seat, self.language) if any(one.then for one in listed) else listed
        forced = len(options) == 1 and not passed_over(play, self.seat)  # else it may not be what was meant
        anywhere = sets_asked(play, self.seat)
        if listed is not options:
            rest = self._begun(play, words, listed, frozenset(), depth, numbers=True)
            if rest is not None:
                return rest
        rest = self._begun(play, words, options, anywhere, depth, numbers=not forced and listed is options)
        if rest is not None:
            return rest
        found_so = self._chained(play, words, options, depth) if self.chains else None
        if found_so is not None or self.ways:
            return found_so
        return self._rest(play, options[0], words, depth) if forced else None

    def _begun(
        self, play: Play, words: list[str], options: Sequence[Any], anywhere: Set[int], depth: int, numbers: bool
    ) -> Raws | None:
        """The options that begin with one of these; `anywhere` has the entries whose values come in any order."""
        for text, left, moved in _beginnings(words, bool(anywhere)):
            self.tried += 1
            if self.tried > _TRIED:
                return None
            found = pick(play, self.seat, text.strip(","), self.language, numbers=numbers, options=options)
            if found.one is None:
                continue
            is_element = found.one.raw[0] in anywhere
            if moved > is_element or (is_element and not _is_whole(text, found.one, options)):
                continue
            rest = self._rest(play, found.one, left, depth)
            if rest is not None:
                return rest
        return None

    def _rest(self, play: Play, option: Any, words: list[str], depth: int) -> Raws | None:
        raws = [option.raw, *option.then]
        if not words:
            return raws
        there: Play | None = play
        for raw in raws:
            there = _after(there, raw, self.seat) if there is not None else None
        if there is None:
            return None
        if len(words) < len(self.farthest[0]):
            self.farthest = (words, there)
        rest = self.read(there, words, depth + 1)
        return [*raws, *rest] if rest is not None else None

    def _chained(self, play: Play, words: list[str], options: Sequence[Any], depth: int) -> Raws | None:
        """The steps that the first text is a chain of: `13/8/5` by its places, `13/5` by all ways that lead there."""
        found: list[Raws] = []
        for option, rest in self._first_links(play, words[0], options):
            self.tried += 1
            if self.tried > _TRIED:
                return None
            raws = self._rest(play, option, [rest, *words[1:]], depth)
            if self.ways:
                return None
            if raws is not None:
                found.append(raws)
        ends = {tuple(self._end(play, raws)) for raws in found}
        if len(ends) > 1:
            self.ways = tuple(self._told(play, raws) for raws in found)
            return None
        return found[0] if found else None

    def _first_links(self, play: Play, text: str, options: Sequence[Any]) -> Iterator[tuple[Any, str]]:
        """The options that a chain may begin with, each with what is left of the chain then."""
        for option in options:
            for spelt, sign in self._ways(play, option):
                parts = [part.rstrip(REMARKS) for part in plain(text).split(sign)]
                begin, _, end = plain(spelt).partition(sign)
                if len(parts) < 2 or parts[0] != begin or "" in parts or end == parts[-1]:
                    continue
                if len(parts) == 2 or end == parts[1]:
                    yield option, sign.join([end, *parts[-1 if len(parts) == 2 else 2 :]])
                    break

    def _ways(self, play: Play, option: Any) -> Iterator[tuple[str, str]]:
        for language in dict.fromkeys((self.language, *LANGUAGES)):
            yield from (way for way in play.written_ways(option, self.seat, language) if way[1])

    def _end(self, play: Play, raws: Raws) -> list[int]:
        there = play.copy()
        for raw in raws:
            stop = there.stop_of(self.seat)
            assert stop is not None
            there.choose(stop.options.index(raw), self.seat)
        return there.state

    def _told(self, play: Play, raws: Raws) -> str:
        there, said = play.copy(), []
        for raw in raws:
            option = next(one for one in there.options(self.seat, self.language) if one.raw == raw)
            said.append(plain(option.text or option.notation))
            there.choose(option.index, self.seat)
        return " ".join(said)


def _is_whole(text: str, option: Any, options: Sequence[Any]) -> bool:
    """Whether a text has all by which an option differs from the others: of `13 of blue` the `blue` is not all."""
    akin = (one for one in options if one.raw[0] == option.raw[0] and one.values)
    shared = set.intersection(*(set(words_of(one.text)) for one in akin))
    return not set(words_of(option.text)) - shared - set(words_of(text))


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


__all__ = ["Row", "read_picks", "read_row", "row_of"]
