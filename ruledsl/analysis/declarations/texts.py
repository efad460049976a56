"""`text:` and `letters:`: words that stand for nothing in the game are never shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING

from ruledsl.diagnostics.suggest import nearest_or
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import FORMS, LANGUAGES
from ruledsl.syntax.stopped import KEYWORDS
from ruledsl.types import Num
from ruledsl.wording.columns import columns

if TYPE_CHECKING:
    from ruledsl.analysis.world import World

# Of a file: what speaks of words, and declares none.
_BESIDE = ("text", "cases", "letters", "looks", "tests", "title", "about")
# Keys below which a game gives names.
NAMED = {
    *("options", "presets", "types", "boards", "pieces", "places", "pools", "values", "history", "define", "effects"),
    *("actions", "triggers", "modules", "choose", "let", "for", "random", "attributes", "state", "each", "parts"),
    *("kinds", "at", "copies", "phase"),
}
# Below these stand words and signs, of which a language may have its own.
_SIGNS = ("text", "cases", "letters", "looks", "tests", "symbol")
_OF_ENGINE = {"of", "box", "reserve", "stop", "pass", "no", "yes", "done", "nothing", "none", "hidden"}


_SEATS = {f"player_{number}" for number in range(1, 17)}  # what players are called who have no names
_LANGUAGE = {word for words in KEYWORDS.values() for word in words}


@cache
def structure() -> set[str]:
    """The keys of all forms: they are names only where a game gives names."""
    return {key for form in FORMS for key in form.keys}


@cache
def texts() -> set[str]:
    """The keys behind which stands what people read."""
    return {name for form in FORMS for name, key in form.keys.items() if key.kind == "text"}


def unknown_texts(world: World) -> Iterator[tuple[Span, str, str | Callable[[], str]]]:
    """Translations and letters of what there is not: the place, what is wrong, advice or what finds it."""
    asked = [(key, key.value, "translate words of the rules") for key in _translated(world)]
    of_pieces = "letters are for pieces, as in `king of white`"
    first: dict[str, str] = {}
    for letter, node in world.sections.letters.items():
        if isinstance(node, Scalar) and first.setdefault(node.value, letter) != letter:
            said = f"`{node.value}` has two letters, `{first[node.value]}` and `{letter}`"
            yield node.span, said, "did you mean another piece? One letter is enough for each"
        if columns(letter) > 3:
            yield node.span, f"`{letter}` is too long for a letter", "it can have at most three characters"
        if not isinstance(node, Scalar):
            yield node.span, f"`{letter}` must be the name of a piece", of_pieces
            continue
        for word in node.value.split():
            if word.isdecimal():
                yield node.span, f"no piece is called `{word}`", of_pieces
            asked.append((node, word, of_pieces))
    if not asked:
        return
    yield from _other_numbers(world, [key for key, word, _ in asked if isinstance(key, Scalar) and word.isdecimal()])
    known = _words(world)
    near = known | _SEATS
    for node, word, advice in asked:
        if word not in known and not word.isdecimal():
            find = partial(nearest_or, word, near, advice)
            yield node.span, f"nothing in the rules is called `{word}`", find


def _other_numbers(world: World, keys: list[Scalar]) -> Iterator[tuple[Span, str, str]]:
    """A word for a number that is no rank, say, where all others for numbers are."""
    numbers = {int(key.value) for key in keys}
    named = [one for one in world.names.values() if one.sort == "type" and isinstance(one.data.type, Num)]
    inside = {one.name: {n for n in numbers if one.data.type.low <= n <= one.data.type.high} for one in named}
    if not inside or len(numbers) < 3 or any(numbers == found for found in inside.values()):
        return
    most = max(inside, key=lambda name: len(inside[name]))
    kind = world.names[most].data.type
    outside = numbers - inside[most]
    for key in keys if len(outside) == 1 else ():
        if int(key.value) in outside:
            message = f"`{key.value}` is no `{most}`, which goes from {kind.low} to {kind.high}; the other numbers are"
            yield key.span, message, "check the range of the type, or remove this word"


_MANY = 5  # texts in all languages, after which one that is not was forgotten


def untranslated(world: World) -> Iterator[tuple[Span, str, str]]:
    """Texts that lack a language which nearly all others have: the place, what is wrong, advice."""
    found = [node for part in world.source.parts for node in _by_language(part.node)]
    found += [node for rows in world.source.tables.values() if isinstance(rows, list)
              for row in rows for node in _by_language(row)]  # fmt: skip
    whole = [node for node in found if len(node.entries) == len(LANGUAGES)]
    lacking = [node for node in found if len(node.entries) < len(LANGUAGES)]
    if len(whole) < _MANY or len(lacking) * 10 > len(whole):
        return
    for node in lacking:
        missing = next(language for language in LANGUAGES if language not in node.entries)
        yield node.span, f"this text has no `{missing}`, but the others do", f"add it: `{missing}: …`"


def _by_language(node: Node) -> Iterator[Map]:
    """The texts that are given by language, in a part of the rules or a row."""
    waiting: list[Node] = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Seq):
            waiting += node.items
        elif isinstance(node, Map) and node.entries and set(node.entries) <= set(LANGUAGES):
            if all(isinstance(entry.value, Scalar) for entry in node):
                yield node
        elif isinstance(node, Map):
            waiting += [entry.value for entry in node if entry.key.value not in _SIGNS]


def _translated(world: World) -> Iterator[Scalar]:
    for part in world.source.parts:
        text = part.get("text")
        for language in text if isinstance(text, Map) else ():
            for entry in language.value if isinstance(language.value, Map) else ():
                yield entry.key


def _words(world: World) -> set[str]:
    """Every name that stands in the rules of any configuration, and what spaces, pieces and players are called."""
    if not world.source.words:
        found = set(_OF_ENGINE)
        for part in world.source.parts:
            for entry in part.node:
                if entry.key.value not in _BESIDE:
                    found |= _in(entry.value, entry.key.value in NAMED)
        for file in world.source.files[len(world.source.parts) :]:
            found |= set(re.findall(r"\w+", file.text)) | {cell.strip() for cell in re.split(r"[,\n]", file.text)}
        world.source.words = found
    names = {str(name) for root in world.roots.values() for name in root.names}
    known: set[str] = world.source.words | names | set(world.names)
    return known


def _in(node: Node, named: bool = False) -> set[str]:
    """The words of a part of the rules, without those of the language and those that people read."""
    if isinstance(node, Scalar):
        return {node.value, *_own(node.value)}
    found: set[str] = set()
    for entry in node if isinstance(node, Map) else ():
        key = entry.key.value
        if named or key not in structure():
            found |= {key, *_own(key)}
        if key not in texts() or named:
            found |= _in(entry.value, key in NAMED or key in ("values", "rows"))
        elif isinstance(entry.value, Scalar) and entry.value.value.strip().isidentifier():
            found.add(entry.value.value.strip())  # a text by its name
    for item in node.items if isinstance(node, Seq) else ():
        found |= _in(item)
    return found


def _own(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text) if word not in _LANGUAGE}
