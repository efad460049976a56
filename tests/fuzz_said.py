"""What the language has, by its schema, and where a game says it: one part of the fuzzer, see `fuzz.py`.

A key is known by where it stands: in which definition of the schema, and below which keys there. Behind it may stand
one of its words, or that it is a map or a list where it may be something else, too: `("place", "holds: a list")`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import games

Schema = dict[str, Any]
Said = tuple[str, str]

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
FORMS = {"object": "a map", "array": "a list"}
SCHEMA: Schema = json.loads((games.ROOT / "schemas/game.schema.json").read_text(encoding="utf-8"))


def offered(without: frozenset[Said]) -> set[Said]:
    """All that can be written, and all that can stand in it; nothing of what is left out."""
    found: set[Said] = set()
    seen: set[str] = set()

    def look(schema: Any, at: str) -> None:
        if not isinstance(schema, dict):
            return
        name = _named(schema)
        if name and name not in seen:
            seen.add(name)
            look(SCHEMA["$defs"][name], name)
        for key, inner in schema.get("properties", {}).items():
            if (at, key) not in without:
                found.update((at, word) for word in (key, *(f"{key}: {form}" for form in _alternatives(inner))))
                look(inner, f"{at}.{key}")
        for branch in ("then", "else", "items", "additionalProperties"):
            look(schema.get(branch), at)
        for branch in schema.get("allOf", ()):
            look(branch, at)

    look(SCHEMA, "game")
    return found - without


def maps(data: Any, schema: Any = SCHEMA, at: str = "game") -> Iterator[tuple[str, Schema, dict[str, Any]]]:
    """All maps of a game that have keys of the language: where each stands, its keys with their schemas, and itself."""
    if not isinstance(schema, dict):
        return
    if name := _named(schema):
        yield from maps(data, SCHEMA["$defs"][name], name)
    if "if" in schema:
        yield from maps(data, schema.get("then" if _holds(schema["if"], data) else "else"), at)
    for branch in schema.get("allOf", ()):
        yield from maps(data, branch, at)
    if isinstance(data, list):
        for one in data:
            yield from maps(one, schema.get("items"), at)
    if isinstance(data, dict):
        known = schema.get("properties", {})
        if known:
            yield at, known, data
        for key, value in list(data.items()):
            inner = (known[key], f"{at}.{key}") if key in known else (schema.get("additionalProperties"), at)
            yield from maps(value, *inner)


def said(data: Any) -> Iterator[Said]:
    """What a game says of all that can be written."""
    for at, known, found in maps(data):
        for key, value in found.items():
            if key in known:
                yield at, key
                form = "a map" if isinstance(value, dict) else "a list" if isinstance(value, list) else str(value)
                if form in _alternatives(known[key]):
                    yield at, f"{key}: {form}"


def _alternatives(schema: Schema) -> list[str]:
    """The words of which a key has one, or what stands there besides words and numbers."""
    words, types = schema.get("enum", ()), schema.get("type", ())
    found = [str(word) for word in words] if len(words) > 1 else []
    return found + [FORMS[one] for one in types if one in FORMS] if isinstance(types, list) else found


def _named(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _holds(condition: Schema, data: Any) -> bool:
    if not isinstance(data, TYPES[condition.get("type", "object")]):
        return False
    constants = {key: inner["const"] for key, inner in condition.get("properties", {}).items()}
    return not isinstance(data, dict) or (
        {*condition.get("required", ())} <= {*data} and all(data.get(key) == is_ for key, is_ in constants.items())
    )
