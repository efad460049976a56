"""`text:` and `letters:`: words that stand for nothing in the game are never shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING

from ruledsl.diagnostics.suggest import nearest_or
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import FORMS
from ruledsl.syntax.stopped import KEYWORDS
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
    for letter, node in world.sections.letters.items():
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
    known = _words(world)
    near = known | _SEATS
    for node, word, advice in asked:
        if word not in known and not word.isdecimal():
            find = partial(nearest_or, word, near, advice)
            yield node.span, f"nothing in the rules is called `{word}`", find


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
