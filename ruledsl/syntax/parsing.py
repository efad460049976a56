"""From the text of an expression to the tree of its forms, by the tables of the grammar."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .tables import END, Step, Tables, tables

_WHOLE = [0]  # of a step of one part: it stays


class Word(str):
    """A word of the text, with where it begins."""

    __slots__ = ("start",)
    start: int


class Tree(NamedTuple):
    """A form of the grammar and what it is made of; from `start` to `end`, with the brackets that belong to it."""

    form: str
    start: int
    end: int
    parts: tuple[Tree | Word | None, ...]


class Slip(Exception):
    """The text is no expression: `found` cannot stand at `at`, or it ends too early."""

    def __init__(self, at: int, found: str, ended: bool, accepts: frozenset[str]) -> None:
        super().__init__(at, found)
        self.at, self.found, self.ended = at, found, ended
        self.accepts = accepts  # the sorts of words that could stand there; none if no word begins so


@lru_cache(maxsize=4_096)
def forms(text: str, start: str) -> Tree:
    """What the grammar makes of a text, wherever it stands: the rows of a table say the same again and again."""
    known = tables()
    reader = _Reader(known, start)
    scan, at, length = known.scanner.match, 0, len(text)
    while at < length:
        match = scan(text, at)
        if match is None:
            raise Slip(at, text[at], False, frozenset())
        sort = match.lastgroup or ""
        if sort not in known.ignored:
            word = Word(match[0])
            word.start = at
            if word in known.keywords:  # a word with a meaning is a name where that meaning cannot be
                meaning = known.keywords[word]
                sort = meaning if meaning in reader.here or sort not in reader.here else sort
            reader.take(sort, word, at, match.end())
        at = match.end()
    reader.take(END, Word(""), length, length)
    tree = reader.values[0]
    assert isinstance(tree, Tree), "every word alone is a form"
    return tree


class _Reader:
    """A parser at work: the states it is in, one within the other, and what was read in each."""

    def __init__(self, known: Tables, start: str) -> None:
        self.known = known
        self.states = [known.starts[start]]
        self.end = known.ends[start]
        self.here = known.states[self.states[0]]  # what is done with each sort of word
        self.values: list[Tree | Word] = []
        self.places: list[tuple[int, int]] = []  # from where to where each of them goes, with its brackets

    def take(self, sort: str, word: Word, start: int, end: int) -> None:
        """Goes on by one word; at the end, until the whole text is one form."""
        known, states = self.known, self.states
        while True:
            doing = self.here.get(sort)
            if doing is None:
                raise Slip(start, str(word), sort == END, frozenset(self._accepted()))
            if doing >= 0:
                states.append(doing)
                self.here = known.states[doing]
                self.values.append(word)
                self.places.append((start, end))
                return
            key = states[-2], states[-1], sort
            after = known.alone.get(key)
            if after is None:
                after = known.alone[key] = known.through_alone(*key)
            if after == states[-1]:
                step = known.steps[-1 - doing]
                self._complete(step)
                after = known.states[states[-1]][step.origin]
                states.append(after)
            else:
                states[-1] = after
            self.here = known.states[after]
            if after == self.end and sort == END:
                return

    def _complete(self, step: Step) -> None:
        """Puts one form in the place of its parts."""
        size = step.size
        del self.states[-size:]
        if size == 1 and step.kept == _WHOLE:  # a name, a number
            self.values[-1] = Tree(step.form, *self.places[-1], (self.values[-1],))
            return
        values = self.values[-size:]
        start, end = self.places[-size][0], self.places[-1][1]
        del self.values[-size:], self.places[-size:]
        parts: list[Tree | Word | None] = []
        for at in step.kept:
            if at is None:
                parts.append(None)
            elif at >= 0:
                parts.append(values[at])
            else:
                inner = values[-1 - at]
                assert isinstance(inner, Tree)
                parts += inner.parts
        only = parts[0] if step.alone and len(parts) == 1 else None
        self.values.append(Tree(step.form, start, end, tuple(parts)) if only is None else only)
        self.places.append((start, end))

    def _accepted(self) -> Iterator[str]:
        """The sorts of words with which the text could go on: some are in the table and lead nowhere."""
        table, steps = self.known.states, self.known.steps
        for sort in self.here:
            states = list(self.states)
            while sort.isupper() and (doing := table[states[-1]].get(sort)) is not None:
                if doing >= 0:
                    yield sort
                    break
                step = steps[-1 - doing]
                del states[-step.size :]
                states.append(table[states[-1]][step.origin])
                if states[-1] == self.end and sort == END:
                    yield END
                    break
