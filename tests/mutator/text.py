"""A game file as a tree with places, from which mutants are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ruledsl.analysis import sections
from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.forms import DECLARED as ALL_DECLARED
from ruledsl.compiler import pipeline  # noqa: F401  it knows all statements and functions
from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq, read_document
from ruledsl.source.text import SourceFile, Span
from ruledsl.syntax.shapes import Form

HUMAN = {
    "title",
    "label",
    "about",
    "say",
    "text",
    "letters",
    "tests",
    "game",
    "covers",
    "en",
    "ru",
    "name",
    "include",
    "from",
}
DECLARED = {*sections.NAMED, "modules"}
FORMS: list[Form] = [one.form for one in ALL_DECLARED]


@dataclass(frozen=True)
class Mutant:
    """A file of a game with one slip: the lines where it may be reported, and what right advice has in it.

    It counts if it is found, or makes another program; one that is `sure` counts in any case, since people alone would
    notice it, or nobody.
    """

    sort: str
    text: str
    lines: frozenset[int]
    meant: frozenset[str] = frozenset()  # one of these words is suggested, or stands in the advice
    note: str = ""
    sure: bool = False


# ------------------------------------------------------------------------------------------ the file as a tree


@dataclass(frozen=True)
class Spot:
    """A node with the keys that lead to it."""

    node: Node
    path: tuple[str, ...]

    @property
    def human(self) -> bool:
        return any(key in HUMAN for key in self.path)


def walk(node: Node | None, path: tuple[str, ...] = ()) -> Iterator[Spot]:
    if node is None:
        return
    yield Spot(node, path)
    if isinstance(node, Map):
        for entry in node:
            yield from walk(entry.value, (*path, entry.key.value))
    elif isinstance(node, Seq):
        for item in node.items:
            yield from walk(item, path)


class Text:
    """A file of a game, parsed once, from which mutants are made; `main` is the game that it belongs to."""

    def __init__(self, path: Path, main: Path | None = None) -> None:
        self.path, self.main = path, main or path
        self.elsewhere: set[str] = set()  # words of the other files of the game
        self.source = path.read_text(encoding="utf-8")
        self.file = SourceFile(path.name, self.source)
        self.root = read_document(self.file, Report())
        self.spots = list(walk(self.root))
        self.maps = [(s, s.node) for s in self.spots if isinstance(s.node, Map) and not s.human]
        self.scalars = [
            (s, s.node)
            for s in self.spots
            if isinstance(s.node, Scalar) and not s.human and s.node.text_span.text.strip()
        ]
        self.structural = {key for form in [*FORMS, *(v.form for v in STATEMENTS.values())] for key in form.keys}

    def cut(self, span: Span, new: str) -> str:
        return self.source[: span.start] + new + self.source[span.end :]

    def line_of(self, offset: int) -> int:
        return self.file.line_col(offset)[0]

    def is_known(self, word: str) -> bool:
        """Whether a word stands anywhere in the game: written in place of another, it would be no typo."""
        return word in self.elsewhere or bool(self.lines_with(word))

    def lines_with(self, word: str) -> set[int]:
        found = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        return {n for n, line in enumerate(self.source.split("\n"), 1) if found.search(line)}

    def uses(self, name: str) -> set[int]:
        """The lines that speak of a name, and of the formulas and bound names that are made of it."""
        names, lines = [name], set[int]()
        for one in names:
            here = self.lines_with(one)
            lines |= here
            for spot, node in self.maps:
                for entry in node:
                    if here & set(
                        range(self.line_of(entry.key.span.start), self.line_of(entry.value.span.end) + 1)
                    ) and ("(" in entry.key.value or spot.path[-1:] in _BINDING):
                        more = entry.key.value.split("(")[0]
                        names += [more] if more not in names else []
        return lines

    def is_key(self, path: tuple[str, ...], key: str) -> bool:
        """Whether a key is one of the language, not a name that the game gives."""
        return key in self.structural and (
            not path
            or path[-1]
            not in {
                *DECLARED,
                "choose",
                "let",
                "for",
                "attributes",
                "state",
                "rows",
                "values",
                "set",
                "add",
                "subtract",
                "gain",
                "pay",
                "random",
                "each",
                "options",
            }
        )


def words_of(scalar: Scalar) -> list[Span]:
    start = scalar.text_span.start
    return [
        Span(scalar.span.file, start + m.start(), start + m.end())
        for m in re.finditer(r"[^\W\d]\w*", scalar.text_span.text)
    ]


def slip(word: str, rng: Random) -> str:
    """One letter added, dropped, replaced or swapped with its neighbour; now and then another case or a plural."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    for _ in range(20):
        at = rng.randrange(len(word))
        sort = rng.randrange(7)
        new = word
        if sort == 0:
            new = word[:at] + rng.choice(letters) + word[at:]
        elif sort == 1 and len(word) > 2:
            new = word[:at] + word[at + 1 :]
        elif sort == 2:
            new = word[:at] + rng.choice(letters) + word[at + 1 :]
        elif sort in (3, 4) and len(word) > 2:
            at = min(at, len(word) - 2)
            new = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        elif sort == 5:
            new = word.capitalize()
        elif sort == 6:
            new = word[:-1] if word.endswith("s") else word + "s"
        if new != word and re.fullmatch(r"[^\W\d]\w*", new):
            return new
    return word + "x"


_BINDING = [("choose",), ("let",), ("for",), ("define",)]
_WORDS = """
if then else and or not in for where by of from after except otherwise none true false maybe set list bag up to all any
pass once first last
"""
KEYWORDS = set(_WORDS.split())
Maker = Callable[[Text, Random], Mutant | None]


def entry_lines(text: Text, node: Map, entry: Entry) -> tuple[int, int] | None:
    """The first and last line of an entry that has whole lines to itself."""
    if node.flow:
        return None
    first = text.line_of(entry.key.span.start)
    last = text.line_of(max(entry.key.span.end, entry.value.span.end - 1))
    head = text.source[text.file.line_start(first) : entry.key.span.start]
    return (first, last) if not head.strip() else None


def without(text: Text, first: int, last: int) -> str:
    lines = text.source.split("\n")
    return "\n".join(lines[: first - 1] + lines[last:])
