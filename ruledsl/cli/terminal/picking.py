"""Which option a person means by what was typed: a number, a text, part of one, a place, or notation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Picked:
    """The options that fit best: one is meant; several are to be told apart; none fits."""

    options: tuple[Any, ...]
    number: bool = False  # a number was typed that no option has

    @property
    def one(self) -> Any | None:
        return self.options[0] if len(self.options) == 1 else None


def pick(options: Sequence[Any], typed: str) -> Picked:
    """The option that was meant; numbers count from 1, and a label that is a number comes before them."""
    wanted = _plain(typed)
    if not wanted:
        return Picked(())
    exact = [o for o in options if wanted in (_plain(o.text), _plain(o.notation))]
    if exact:
        return Picked(tuple(exact))
    if wanted.isascii() and wanted.isdigit():
        number = int(wanted) if len(wanted) < 10 else 0
        if 1 <= number <= len(options):
            return Picked((options[number - 1],))
    for fits in _FORMS:
        found = [o for o in options if fits(o, wanted)]
        if found:
            return Picked(tuple(found))
    return Picked((), wanted.isascii() and wanted.isdigit())


def search(options: Sequence[Any], typed: str) -> list[Any]:
    """The options in which every typed word stands somewhere."""
    words = _plain(typed).split()
    return [o for o in options if all(word in _plain(o.text) or word in _plain(o.notation) for word in words)]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _words(option: Any) -> list[str]:
    """The words of an option: of its label, its action and its values."""
    found = re.split(r"[\s,;:()-]+", _plain(option.text))
    found += [_plain(word) for word in option.words.values()]
    found += [f"{_plain(name)}={_plain(word)}" for name, word in option.words.items()]
    if option.action:
        found.append(_plain(option.action))
    return [word for word in found if word]


def _parts(typed: str) -> list[str]:
    return [part for part in re.split(r"[\s,;:()-]+", typed) if part]


def _whole_words(option: Any, wanted: str) -> bool:
    own, parts = _words(option), _parts(wanted)
    return bool(parts) and all(part in own for part in parts)


def _prefix(option: Any, wanted: str) -> bool:
    return _plain(option.text).startswith(wanted) or _plain(option.notation).startswith(wanted)


def _word_prefixes(option: Any, wanted: str) -> bool:
    own = _words(option)
    parts = _parts(wanted)
    return bool(parts) and all(any(word.startswith(part) for word in own) for part in parts)


_FORMS: tuple[Callable[[Any, str], bool], ...] = (_whole_words, _prefix, _word_prefixes)
