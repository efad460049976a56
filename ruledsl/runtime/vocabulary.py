"""The words that options of a game can be written with, so that a slip in a test is not taken for a refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.syntax.texts import HOLE
from ruledsl.wording.cases import CASES, MANY, in_case

from .typed import words as whole_words
from .words import FIXED

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld

_WORD = re.compile(r"[^\W\d_]+")
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_MEMBERS = ("true", "false")
_FORMS = (*CASES, MANY)


@lru_cache(maxsize=4_096)  # configurations of a game have much the same words
def tokens(text: str) -> tuple[str, ...]:
    """The words of a text: letters alone, since numbers and signs stand for anything."""
    return tuple(word.casefold() for word in _WORD.findall(text))


@lru_cache(maxsize=8_192)  # each title in all its forms, too
def _words_of(names: tuple[str, ...]) -> frozenset[str]:
    """The words of the names of a type: most configurations of a game have the same members."""
    return frozenset(word for name in names for word in tokens(name))


@lru_cache(maxsize=8_192)
def _written_of(names: tuple[str, ...]) -> frozenset[str]:
    """The same as they are written, with figures and signs."""
    return frozenset(word for name in names for word in whole_words(name))


@lru_cache(maxsize=256)
def _several_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """What several of each are called by the rules: `rubies`."""
    return tuple({in_case(name, MANY, "en") for name in names})


@lru_cache(maxsize=8_192)
def _cases_of(title: str, language: str, living: bool) -> tuple[str, ...]:
    """A title in all its forms, as far as its ending tells them."""
    return tuple(in_case(title, case, language, None, living) for case in _FORMS)


def _beside_a_digit(word: str, text: str) -> bool:
    at = text.find(word)
    while at >= 0:
        if text[at - 1 : at].isdigit() or text[at + len(word) : at + len(word) + 1].isdigit():
            return True
        at = text.find(word, at + 1)
    return False


class Vocabulary:
    """All that labels, actions, their variables and members of the game are called, in every language."""

    def __init__(self, world: GameWorld, program: C.Program) -> None:
        self.world, self.program = world, program

    @cached_property
    def words(self) -> set[str]:
        found = {word for text in self._rare_texts() for word in tokens(text)}
        return found.union(*map(_words_of, self._members), *map(_words_of, self._titles.values()))

    @cached_property
    def _written(self) -> set[str]:
        """Names as they are written, with figures and signs."""
        found = {word for text in self._rare_texts() for word in whole_words(text)}
        return found.union(*map(_written_of, self._members), *map(_written_of, self._titles.values()))

    @cached_property
    def names(self) -> set[str]:
        """The same, in all forms."""
        return self._written.union(*map(_written_of, self._forms()))

    def unknown(self, text: str) -> list[str]:
        """The words of a text that are no names, `b9` among them; numbers may stand for anything, and so may names that
        are run together, as in `e3xg5`."""
        found = [word for word in whole_words(text) if word not in self._written and self._is_one_name(word)]
        return [word for word in found if word not in self.names]

    def _is_one_name(self, word: str) -> bool:
        parts = _PARTS.findall(word)
        return not word.isdecimal() and (
            ("".join(parts) == word and len(parts) <= 2) or not set(tokens(word)) & self.words
        )

    def strange(self, text: str) -> list[str]:
        """The words of a text that mean nothing in this game."""
        found = [word for word in tokens(text) if word not in self.words and not self._is_notation(word, text)]
        return [word for word in found if word not in self._declined]

    @cached_property
    def _declined(self) -> set[str]:
        return set().union(*map(_words_of, self._forms()))

    def no_option_reads(self, text: str) -> list[str]:
        """The words of a text that keep it from being any option, where each word alone is known: `fetch the bags` for
        `fetch bags`; empty if it may be one."""
        said = {word for word in tokens(text) if not self._is_notation(word, text)}
        # All forms of names are worked out only for what does not fit without them.
        return self._left_over(said, self._plain_names) and self._left_over(said, self._plain_names | self._declined)

    def _left_over(self, said: set[str], names: set[str]) -> list[str]:
        """The words for which the label that fits best has no place."""
        best: set[str] | None = None
        for fixed, open_ in self._readings:
            left = said - fixed - (names if open_ else set())
            if not left:
                return []
            best = left if best is None or len(left) < len(best) else best
        return sorted(best or ())

    @cached_property
    def _plain_names(self) -> set[str]:
        """The words of members of types as they are declared, without those of labels."""
        names = {word for table in FIXED.values() for text in table.values() for word in tokens(text)}
        names |= {*_MEMBERS, *(root.name for root in self.program.roots.values())}
        return names.union(*map(_words_of, self._members), *map(_words_of, self._titles.values()))

    @cached_property
    def _readings(self) -> set[tuple[frozenset[str], bool]]:
        """What stands in each label, in modules that are off, too, and whether the label shows something besides."""
        found = {
            (frozenset(tokens(HOLE.sub(" ", text))), "{" in text) for text in self.world.source.texts("label", "stop")
        }
        found |= {(frozenset(tokens(text)), False) for table in FIXED.values() for text in table.values()}
        for entry in self._entries():
            always = {word for text in self._of(entry, label=False) for word in tokens(text)}
            texts = entry.label.by_language if entry.label is not None else ((None, ("", C.Hole)),)
            for _, parts in texts:
                fixed = {word for part in parts if isinstance(part, str) for word in tokens(part)}
                open_ = any(not isinstance(part, str) for part in parts)
                found.add((frozenset(fixed | always), open_))
        return found

    def _is_notation(self, word: str, text: str) -> bool:
        """Whether a word beside digits is made of several, as in `c3xe5`."""
        if not _beside_a_digit(word, text.casefold()):
            return False
        ends = {0}
        for end in range(1, len(word) + 1):
            if any(word[start:end] in self.words for start in ends):
                ends.add(end)
        return len(word) in ends

    @cached_property
    def _members(self) -> list[tuple[str, ...]]:
        """The names of the members of each type."""
        return [tuple(map(str, root.names)) for root in self.program.roots.values()]

    @cached_property
    def _titles(self) -> dict[tuple[str, bool], tuple[str, ...]]:
        """What members are called, by language and whether they are players: each title once, of however many it is."""
        found: dict[tuple[str, bool], dict[str, None]] = {}
        for root in self.program.roots.values():
            for titles in filter(None, root.titles):
                for language, title in titles.items():
                    found.setdefault((language, root.kind == "player"), {})[title] = None
        return {key: tuple(titles) for key, titles in found.items()}

    def _forms(self) -> Iterator[tuple[str, ...]]:
        """What members are called in the cases of a language, and several of them: `Ярмарку`, `rubies`."""
        yield from map(_several_of, self._members)
        for (language, living), titles in self._titles.items():
            told = self.world.cases.get(language, {})
            for title in titles:
                if title in told:
                    yield tuple(in_case(title, case, language, told[title], living) for case in _FORMS)
                else:
                    yield _cases_of(title, language, living)

    def _rare_texts(self) -> Iterator[str]:
        """All texts but the names and titles of members."""
        yield from _MEMBERS
        for table in FIXED.values():
            yield from table.values()
        yield from (root.name for root in self.program.roots.values())
        for entry in self._entries():
            yield from self._of(entry)

    def _entries(self) -> Iterator[C.Entry]:
        for block in self.program.blocks:
            if isinstance(block.end, C.Choice):
                yield from block.end.entries
                if block.end.stop is not None:
                    yield block.end.stop

    def _of(self, entry: C.Entry, label: bool = True) -> Iterator[str]:
        yield entry.name
        yield from self.world.title_of_action(entry.name).values() if entry.name else ()
        for variable in entry.variables:
            yield variable.name
        if entry.label is not None and label:
            for _, parts in entry.label.by_language:
                yield from (part for part in parts if isinstance(part, str))
