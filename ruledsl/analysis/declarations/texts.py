"""`text:` and `letters:`: words that stand for nothing in the game are never shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span

_BESIDE = ("text", "letters", "looks", "tests", "title", "about")  # of a file: what speaks of words, and declares none
_OF_ENGINE = {"of", "box", "reserve", "stop", "pass", "no", "yes", "done", "nothing", "none", "hidden"}


def unknown_texts(world: Any) -> Iterator[tuple[Span, str, str]]:
    """Translations and letters of what there is not: the place, what is wrong, advice."""
    asked = [(key, key.value, "translations are of words of the rules") for key in _translated(world)]
    for node in world.sections.letters.values():
        if isinstance(node, Scalar):
            asked += [(node, word, "letters are for pieces, as in `king of white`") for word in node.value.split()]
    if not asked:
        return
    known = _words(world)
    for node, word, advice in asked:
        if word not in known and not word.isdecimal():
            near = nearest(word, known)
            yield node.span, f"nothing in the rules is called `{word}`", did_you_mean(near) or advice


def _translated(world: Any) -> Iterator[Scalar]:
    for part in world.source.parts:
        text = part.get("text")
        for language in text if isinstance(text, Map) else ():
            for entry in language.value if isinstance(language.value, Map) else ():
                yield entry.key


def _words(world: Any) -> set[str]:
    """Every word that stands in the rules of any configuration, and what spaces, pieces and players are called."""
    if not world.source.words:
        found = set(_OF_ENGINE)
        for part in world.source.parts:
            for entry in part.node:
                if entry.key.value not in _BESIDE:
                    found |= _in(entry.value) | {entry.key.value}
        for file in world.source.files[len(world.source.parts) :]:
            found |= set(re.findall(r"\w+", file.text)) | {cell.strip() for cell in re.split(r"[,\n]", file.text)}
        world.source.words = found
    names = {str(name) for root in world.roots.values() for name in root.names}
    known: set[str] = world.source.words | names | set(world.names)
    return known


def _in(node: Node) -> set[str]:
    if isinstance(node, Scalar):
        return {node.value, *re.findall(r"\w+", node.value)}
    found: set[str] = set()
    for entry in node if isinstance(node, Map) else ():
        found |= {entry.key.value, *re.findall(r"\w+", entry.key.value)} | _in(entry.value)
    for item in node.items if isinstance(node, Seq) else ():
        found |= _in(item)
    return found
