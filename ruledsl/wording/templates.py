"""Sentences with slots, in every language that players read.

    Words(en="the number of {things}", ru="[число] {things:gen}")

`{key:flags}` is a slot: the teller puts there what stands under that key, in the form that the flags ask for.
`[word]` takes the case that is asked of the whole phrase. `<…>` is left out where a slot inside it has nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from ruledsl.records import dataclass

LANGUAGES = ("en", "ru")
_PART = re.compile(r"\{(\w+)(?::([^{}]*))?\}|\[([^\[\]]*)\]|<([^<>]*)>")

# What is put in a slot: the key and the flags give a text, or None where there is nothing.
Fill = Callable[[str, tuple[str, ...]], "str | None"]


@dataclass(frozen=True)
class Words:
    """What something is called in each language; of conditions, also how it reads when they do not hold.

    Several templates are either the sentences of a statement, each told if its slots have something, or the forms
    of a function, of which the first is told whose slots all have something.
    """

    en: str | tuple[str, ...]
    ru: str | tuple[str, ...]
    en_not: str | tuple[str, ...] = ()
    ru_not: str | tuple[str, ...] = ()

    def of(self, language: str, sure: bool = True) -> tuple[str, ...]:
        """The templates of a language; of a condition that does not hold, if not `sure`."""
        found: str | tuple[str, ...] = getattr(self, language if sure else f"{language}_not")
        return (found,) if isinstance(found, str) else found

    @property
    def is_condition(self) -> bool:
        return bool(self.en_not)


@dataclass(frozen=True)
class Slot:
    """`{key:flags}`: something that the teller puts there."""

    key: str
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Inflected:
    """`[word]`: a word in the case of the phrase."""

    word: str


@dataclass(frozen=True)
class Optional:
    """`<…>`: left out where a slot in it has nothing."""

    parts: tuple[Part, ...]


Part = str | Slot | Inflected | Optional


@cache
def parts_of(template: str) -> tuple[Part, ...]:
    """A template in its parts."""
    return tuple(_parts(template))


def _parts(template: str) -> Iterator[Part]:
    end = 0
    for found in _PART.finditer(template):
        if found.start() > end:
            yield template[end : found.start()]
        key, flags, word, optional = found.groups()
        if key is not None:
            yield Slot(key, tuple((flags or "").split()))
        elif word is not None:
            yield Inflected(word)
        else:
            yield Optional(parts_of(optional))
        end = found.end()
    if end < len(template):
        yield template[end:]


def slots_of(template: str) -> Iterator[Slot]:
    """Every slot of a template, those in optional parts included."""
    stack = list(parts_of(template))
    while stack:
        part = stack.pop(0)
        if isinstance(part, Slot):
            yield part
        elif isinstance(part, Optional):
            stack[:0] = part.parts


def filled(template: str, fill: Fill, inflect: Callable[[str], str]) -> str | None:
    """The text of a template; None if a slot outside of `<…>` has nothing."""
    return _filled(parts_of(template), fill, inflect)


def _filled(parts: tuple[Part, ...], fill: Fill, inflect: Callable[[str], str]) -> str | None:
    found = []
    for part in parts:
        match part:
            case Slot():
                text = fill(part.key, part.flags)
                if text is None:
                    return None
            case Inflected():
                text = " ".join(inflect(word) for word in part.word.split())
            case Optional():
                text = _filled(part.parts, fill, inflect) or ""
            case _:
                text = part
        found.append(text)
    return "".join(found)
