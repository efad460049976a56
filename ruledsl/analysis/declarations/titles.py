"""What players read in place of a word, by language."""

from __future__ import annotations

import re

from ruledsl.analysis.world import World
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.source.text import Span
from ruledsl.syntax.texts import HOLE, sound_texts

from .rows import Row


def titles(world: World, node: Node | None, word: str, row: Row | None = None) -> dict[str, str]:
    """A title by language: as written, with what stands in the row filled in, or the word with its translations."""
    if isinstance(node, Scalar) and not node.is_null:
        languages = ("en", *world.sections.texts) if row is not None and "{" in node.value else ("en",)
        return {language: filled(world, node, language, row) for language in languages}
    if isinstance(node, Map):
        return {e.key.value: filled(world, e.value, e.key.value, row) for e in node if isinstance(e.value, Scalar)}
    return world.title_of_word(word)


def filled(world: World, node: Scalar, language: str, row: Row | None = None) -> str:
    """A text that stands still: `{this.bonus}` is filled in where the row says it as one word or number."""

    def one(hole: re.Match[str]) -> str:
        name = hole.group(1).strip().removeprefix("this.").strip()
        word = row.word(name) if row is not None else ""
        if not re.fullmatch(r"-?\w+", word):
            constant = f"as `{{this.{next(iter(row.cells), 'name')}}}`" if row is not None else ""
            help = (
                f"it can only show what stands in the row as one word or number, {constant}"
                if constant
                else "what changes in play goes into a `label:` or `say:`"
            )
            world.report.error(
                "E110", _at(node, hole.group()), "this text stands still: nothing is filled in", help=help
            )
            return ""
        found = world.title_of_word(word)
        return found.get(language, found["en"])

    text = HOLE.sub(one, node.value)
    sound_texts(world.report, node)
    return text


def _at(node: Scalar, part: str) -> Span:
    """Where a part of a text stands, if it stands there as it is read."""
    raw = node.text_span
    at = raw.text.find(part)
    return Span(raw.file, raw.start + at, raw.start + at + len(part)) if at >= 0 else node.span


def still_texts(world: World) -> None:
    """Titles and translations are shown as they are written."""
    texts = [node for table in world.sections.texts.values() for node in table.values()]
    for node in [world.sections.single.get("title"), world.sections.single.get("about"), *texts]:
        for text in [node] if isinstance(node, Scalar) else [e.value for e in node] if isinstance(node, Map) else []:
            if isinstance(text, Scalar):
                filled(world, text, "en")


def written_name(row: Row) -> Node | None:
    """A name that is written by language is a title as well."""
    node = row.get("name")
    return node if isinstance(node, Map) else None


def joined_title(world: World, row: Row, each: Map) -> dict[str, str]:
    """The title of one of every combination: its own translation, else those of its parts (four for four suits)."""
    words = [(row.word(entry.key.value), entry.key.value) for entry in each]
    parts = [world.title_of_word(key if word == "true" else word) for word, key in words if word != "false"]
    joined = {
        language: " ".join(part.get(language, part["en"]) for part in parts)
        for language in ("en", *world.sections.texts)
    }
    own = world.title_of_word(row.word("name"))
    return joined | {language: text for language, text in own.items() if text != row.word("name").replace("_", " ")}
