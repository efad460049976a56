"""Texts for people: pieces of text and the values shown between them, by language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.syntax.parser import parse_text
from ruledsl.syntax.texts import HOLE, sound_texts
from ruledsl.types import Broken

if TYPE_CHECKING:
    from ruledsl.analysis.elaborate import Elaborator

MOST_PARTS = 200  # of a text with values in it


def words(elab: Elaborator, node: Node | None) -> C.Words | None:
    """A text with holes, by language; its expressions may use the names that are bound here."""
    for text in [node] if isinstance(node, Scalar) else [e.value for e in node] if isinstance(node, Map) else []:
        if isinstance(text, Scalar) and not text.value.strip():
            elab.world.idle(text.span, "the text is empty, so nobody reads anything")
    if isinstance(node, Scalar):
        return _by_name(elab, node) or C.Words((("en", _parts(elab, node)),))
    if isinstance(node, Map):
        return C.Words(tuple((e.key.value, _parts(elab, e.value)) for e in node if isinstance(e.value, Scalar)))
    return None


def _by_name(elab: Elaborator, node: Scalar) -> C.Words | None:
    """A text that stands under `text:` by the word that is written here: in all its languages, with its holes."""
    tables = elab.world.sections.texts
    word = node.value.strip()
    found = {language: table[word] for language, table in tables.items() if word in table}
    if not found or not word.isidentifier():
        return None
    texts = {language: _parts(elab, text) for language, text in found.items() if isinstance(text, Scalar)}
    return C.Words((*({"en": (word.replace("_", " "),)} | texts).items(),))


def _parts(elab: Elaborator, node: Scalar) -> tuple[str | C.Hole, ...]:
    """`place at {cell}`: pieces of text and the values between them."""
    raw = node.text_span
    text = raw.text if not node.is_escaped else node.value
    parts: list[str | C.Hole] = []
    end = 0
    for hole in HOLE.finditer(text):
        if len(parts) > MOST_PARTS:
            help = f"{MOST_PARTS // 2} are the most"
            elab.report.error("E103", node.span, "this text shows too many values", help=help)
            break
        if hole.start() > end:
            parts.append(_fold(text[end : hole.start()]))
        start = raw.start + hole.start(1) if not node.is_escaped else raw.start
        typed = elab.expr(parse_text(hole.group(1), raw.file, start, "expr", elab.report))
        if not isinstance(typed.type, Broken):
            parts.append(C.Hole(typed.node, typed.type))
        end = hole.end()
    if end < len(text):
        parts.append(_fold(text[end:]))
    sound_texts(elab.report, node)
    return tuple(parts)


def _fold(text: str) -> str:
    """Line breaks of a text in the file are spaces."""
    return re.sub(r"\s*\n\s*", " ", text)
