"""What one may write at a place, shown with the names of the game: for phrases that nobody understands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from ruledsl.types import Bool, Elem, Num, Type

from .advice import types_of_attributes
from .names import Declared
from .vocabulary import Vocabulary, alike

_NAME = re.compile(r"[^\W\d]\w*")
_MOST_SHOWN = 3
_LONGEST = 60
_MOST_DECLARED = 500  # names of a game that are tried: more than a large one has
_LEADS = {
    "condition": "a condition compares or asks",
    "number": "a number is written or counted",
    "one": "one thing is a name, or found",
    "one or none": "one thing is a name, or found",
    "players": "players are named, or some of all",
    "order": "who takes turns is said",
    "set": "what to choose from is a set",
    "pieces": "pieces have a name, or lie somewhere",
    "home": "a space or place has a name",
    "": "write names, numbers and functions",
}


def usual(words: Vocabulary, wanted: str, phrase: tuple[str, ...]) -> str:
    """Up to three forms that a place takes, those first in which words of the phrase are; empty if there are none."""
    found = [text for text in dict.fromkeys(_FORMS.get(wanted, _anything)(words)) if len(text) <= _LONGEST]
    found = [text for text in found if words.type_of(text) is not None]
    if wanted == "number" and len(found) < 2:
        found.append("3")
    if not found:
        return ""

    said = {word for word in phrase if len(word) > 1 or words.type_of(word) is not None}

    def spoken_of(text: str) -> int:
        parts = {part for name in _NAME.findall(text) if name not in ("me", "players") for part in name.split("_")}
        return sum(any(alike(part, word) for part in parts) for word in said)

    found.sort(key=spoken_of, reverse=True)
    shown: list[str] = []
    for text in found:  # one of each form
        if len(shown) < _MOST_SHOWN and not any(_form(text) == _form(other) for other in shown):
            shown.append(text)
    *rest, last = (f"`{text}`" for text in shown)
    return f"{_LEADS.get(wanted, _LEADS[''])}, as in {', '.join(rest)} or {last}" if rest else f"as in {last}"


def _form(text: str) -> str:
    """What sort of expression it is, roughly: how it begins, and whether it compares."""
    lead = text.partition("(")[0] if "(" in text else "." if "." in text else ""
    return f"{lead} {'==' in text} {'where' in text}"


def _attributes(words: Vocabulary, one: str) -> Iterator[tuple[str, Type]]:
    kind = words.type_of(one)
    if isinstance(kind, Elem):
        yield from ((name, of) for name, of in types_of_attributes(kind) if name.isidentifier())


def _declared(words: Vocabulary) -> Iterator[Declared]:
    """What the game declares, as far as it is worth to try each of it for an example."""
    return islice(words.world.names.values(), _MOST_DECLARED)


def _collections(words: Vocabulary) -> Iterator[str]:
    """Sets that may be chosen from, counted and asked: first those of who acts."""
    for one in words.everything_at_hand():
        for name, _ in _attributes(words, one):
            if words.is_set(f"{one}.{name}"):
                yield f"{one}.{name}"
    for declared in _declared(words):
        if declared.sort in ("place", "kind", "board") or (declared.sort == "formula" and not declared.data.parameters):
            if words.is_set(declared.name):
                yield declared.name
    for declared in _declared(words):
        if declared.sort == "formula" and declared.data.parameters:
            yield from (text for text in words.calls(declared.name) if words.is_set(text))


def _numbers(words: Vocabulary) -> Iterator[str]:
    for one in words.everything_at_hand():
        yield from (f"{one}.{name}" for name, of in _attributes(words, one) if isinstance(of, Num))
    for declared in _declared(words):
        if declared.sort in ("value", "formula") and isinstance(words.type_of(declared.name), Num):
            yield declared.name
    for some in _collections(words):
        yield f"count({some})"
        item, letter = words.item_of(some), words.letter(some)
        for name, of in types_of_attributes(item) if isinstance(item, Elem) else ():
            if isinstance(of, Num):
                yield f"sum({letter}.{name} for {letter} in {some})"
    for declared in _declared(words):
        if declared.sort == "formula" and declared.data.parameters:
            yield from (text for text in words.calls(declared.name) if isinstance(words.type_of(text), Num))


def _conditions(words: Vocabulary) -> Iterator[str]:
    for number in _numbers(words):
        yield f"{number} >= 2" if "(" in number else f"{number} > 0"
    for one in words.everything_at_hand():
        yield from (f"{one}.{name}" for name, of in _attributes(words, one) if isinstance(of, Bool))
        if words.type_of(f"empty({one})") is not None:
            yield f"empty({one})"
    for declared in _declared(words):
        if declared.sort == "formula":
            calls = words.calls(declared.name) if declared.data.parameters else (declared.name,)
            yield from (text for text in calls if words.is_condition(text))
    for some in _collections(words):
        yield f"any({some})"
        item, letter = words.item_of(some), words.letter(some)
        for name, of in types_of_attributes(item) if isinstance(item, Elem) else ():
            if isinstance(of, Num):
                yield f"any({letter} in {some} where {letter}.{name} > 0)"
            elif isinstance(of, Elem) and of.root.kind == "enum" and of.root.names[0].isidentifier():
                yield f"any({letter} in {some} where {letter}.{name} == {of.root.names[0]})"
            elif isinstance(of, Bool):
                yield f"any({letter} in {some} where {letter}.{name})"


def _sets(words: Vocabulary) -> Iterator[str]:
    for some in _collections(words):
        yield some
        item, letter = words.item_of(some), words.letter(some)
        if isinstance(item, Elem) and item.root.kind == "space":
            yield f"set({letter} in {some} where empty({letter}))"
        for name, of in types_of_attributes(item) if isinstance(item, Elem) else ():
            if isinstance(of, Num):
                yield f"set({letter} in {some} where {letter}.{name} > 0)"
    yield "players except me"


def _players(words: Vocabulary) -> Iterator[str]:
    yield from ("me", "opponent", "next(me)", "players")
    for name, of in _attributes(words, "me"):
        if isinstance(of, Bool):
            yield f"set(p in players where p.{name})"
        elif isinstance(of, Num):
            yield f"most(p in players by p.{name})"


def _orders(words: Vocabulary) -> Iterator[str]:
    yield "players"
    for declared in _declared(words):
        if words.type_of(f"players from {declared.name}") is not None and declared.sort in ("value", "formula"):
            yield f"players from {declared.name}"
    yield from (f"players from {words.world.players.names[0]}", "reversed(players)")


def _ones(words: Vocabulary) -> Iterator[str]:
    yield from (one for one in words.everything_at_hand() if one != "me")
    for some in _collections(words):
        yield f"the(first({some}))"
    yield "me"


def _pieces(words: Vocabulary) -> Iterator[str]:
    for text in chain(words.everything_at_hand(), _collections(words)):
        item = words.item_of(text) or words.type_of(text)
        if isinstance(item, Elem) and item.root is words.world.pieces:
            yield text


def _homes(words: Vocabulary) -> Iterator[str]:
    found = chain(words.everything_at_hand(), _collections(words), (info.name for info in words.world.place_infos))
    for text in found:
        kind = words.type_of(text)
        if isinstance(kind, Elem) and kind.root.kind in ("space", "place"):
            yield text


def _anything(words: Vocabulary) -> Iterator[str]:
    yield from chain(_numbers(words), _collections(words), _conditions(words))


_FORMS = {
    "condition": _conditions,
    "number": _numbers,
    "set": _sets,
    "players": _players,
    "order": _orders,
    "one": _ones,
    "one or none": _ones,
    "pieces": _pieces,
    "home": _homes,
}


__all__ = ["usual"]
