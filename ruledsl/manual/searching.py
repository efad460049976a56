"""What the reference says of words that are not its own: what is meant by them, and where they occur."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruledsl import manual
from ruledsl.analysis.build import STATEMENTS
from ruledsl.builtins import BUILTINS
from ruledsl.records import dataclass
from ruledsl.syntax.foreign import FUNCTIONS, HOW, VERBS
from ruledsl.wording.english import plural, singular

MOST = 8  # entries that are told
WIDE = 88  # characters of a line that is told
_IN_TITLE = 20  # times as telling as a word in the text

# Words that say nothing of what is looked for.
_LITTLE = re.compile(r"an?|and|are|at|be|can|do|for|from|how|i|in|is|it|many|much|of|on|or|the|to|what|who|with")
_MARKS = re.compile(r"[`*]|\]\([^)]*\)|\[(?=[^]]*\]\()")


@dataclass(frozen=True)
class Entry:
    """A part of the reference, and what `manual` is asked for to read it."""

    word: str
    text: str


@dataclass(frozen=True)
class Found:
    """An entry in which all the words occur, and the first line of it that has one of them."""

    word: str
    line: str


def entries() -> Iterator[Entry]:
    """The whole reference, in parts that can be looked up."""
    for verb in STATEMENTS:
        yield Entry(verb, manual.topic(verb))
    for name in BUILTINS:
        yield Entry(name, manual.topic(name))
    for title in manual.titles():
        yield Entry(title, manual.topic(title))


def meant(words: str) -> list[str]:
    """Words of the language for something that has another name here."""
    found = []
    for word in (words.casefold(), *_words(words)):
        name = word.replace(" ", "_")
        found += [one for one in (word, singular(word)) if manual.topic(one)]
        found += [VERBS[known] for known in (name, word) if known in VERBS]
        found += [verb for verb, known in STATEMENTS.items() if name in known.also]
        found += [*FUNCTIONS.get(name, ()), *(one for one, known in BUILTINS.items() if name in known.tried)]
    return [one for one in dict.fromkeys(found) if manual.topic(one)]


def how(words: str) -> str:
    """How something is written for which another name is not enough; empty if there is nothing like it."""
    return next((HOW[word] for word in (words.casefold(), *_words(words)) if word in HOW), "")


def search(words: str) -> list[Found]:
    """The entries that speak of all these words, or of as many as any does; the most telling first."""
    asked = [_of_a_kind(word) for word in _words(words)]
    told: dict[str, tuple[int, float, Found]] = {}
    for entry in entries() if asked else ():
        whole = f"{entry.word}\n{entry.text}"
        here = [one for one in asked if one.search(whole)]
        if not here:
            continue
        count = sum(_IN_TITLE * bool(one.search(entry.word)) + len(one.findall(entry.text)) for one in here)
        line = _line(entry.text, here)
        rank = len(here), count / len(entry.text) ** 0.5
        if line not in told or rank > told[line][:2]:  # the same may stand in two places
            told[line] = *rank, Found(entry.word, line)
    most = max((many for many, _, _ in told.values()), default=0)
    return [one for many, _, one in sorted(told.values(), key=lambda one: -one[1]) if many == most]


def _words(words: str) -> list[str]:
    """The words that say something."""
    return [word for word in re.findall(r"\w+", words.casefold()) if not _LITTLE.fullmatch(word)]


def _of_a_kind(word: str) -> re.Pattern[str]:
    """A word in its forms: `card` and `cards`, `deal` and `dealt`, `lose` and `losing`."""
    stems = {word, singular(word), plural(word)}
    if word.endswith("ing") and len(word) > 5:
        stems |= {word[:-3], f"{word[:-3]}e"}
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, stems))})(?:s|es|d|ed|n|t|ing)?(?!\w)", re.IGNORECASE)


def _line(text: str, asked: list[re.Pattern[str]]) -> str:
    """The sentence or row of a text that has most of the words, without marks."""
    whole = re.sub(r"(?<=[^\n|])\n(?=[A-Za-z`*(])", " ", text)  # a paragraph in one line
    lines = [line.strip(" |-#") for line in re.split(r"\n|(?<=[.:;]) (?=[A-Z])", whole)]
    best = max(
        lines, key=lambda line: (sum(bool(one.search(line)) for one in asked), line[-1:] == ".", line[:1].isupper())
    )
    cells = [cell for cell in re.split(r"\s*(?<!\\)\|\s*", best) if cell]
    row = f"{cells[0]}: {cells[-1]}" if len(cells) > 1 else best  # of a table: the key, and what it is
    plain = _MARKS.sub("", row).replace("\\|", "|").replace("needed. ", "").strip(" \\")
    return plain if len(plain) <= WIDE else plain[: WIDE - 1].rsplit(" ", 1)[0] + " …"
