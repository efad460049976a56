"""What players read in place of a word, by language."""

from __future__ import annotations

from ruledsl.analysis.world import World
from ruledsl.source.document import Map, Node, Scalar

from .rows import Row


def titles(world: World, node: Node | None, word: str) -> dict[str, str]:
    """A title by language: as written, or the word with its translations."""
    if isinstance(node, Scalar) and not node.is_null:
        return {"en": node.value}
    if isinstance(node, Map):
        return {e.key.value: e.value.value for e in node if isinstance(e.value, Scalar)}
    return world.title_of_word(word)


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
