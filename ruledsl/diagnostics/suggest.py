"""Known names that a misspelt word may have meant."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from ruledsl.source.letters import skeleton

# Longer words are not slips of the pen, and comparing them takes time.
_LONGEST = 60
_MOST_COMPARED = 500


_listening: ContextVar[tuple[tuple[str, set[str]], ...]] = ContextVar("listening", default=())


def nearest(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names that `word` may have meant, best first; never the word itself, which was just refused."""
    names = frozenset(known)
    for refused, found in _listening.get():
        if refused == word:
            found |= names
    return list(_nearest(word, names, most))


@contextmanager
def instead_of(word: str) -> Iterator[set[str]]:
    """A set that gets whatever a word is compared with because it is refused: all that could stand in its place."""
    found: set[str] = set()
    token = _listening.set((*_listening.get(), (word, found)))
    try:
        yield found
    finally:
        _listening.reset(token)


@lru_cache(maxsize=256)  # many tests speak of a piece that a configuration does not have
def _nearest(word: str, known: frozenset[str], most: int) -> tuple[str, ...]:
    if not 0 < len(word) <= _LONGEST:
        return ()
    names = known - {word}
    if len(names) > _MOST_COMPARED:  # those of another length, or with other letters, cost more than is looked for
        letters = set(_plain(word))
        names = frozenset(n for n in names if abs(len(n) - len(word)) <= 3 and len(letters ^ set(_plain(n))) <= 4)
    if len(names) > _MOST_COMPARED:  # those that begin alike are the likeliest
        names = frozenset(
            sorted(names, key=lambda name: (name[:2] != word[:2], abs(len(name) - len(word)), name))[:_MOST_COMPARED]
        )
    ranked = sorted(
        (cost + _other_number(word, name), name) for name in names if (cost := _cost(word, name)) is not None
    )
    if not ranked:
        return ()
    # What is a whole slip further away than the best only distracts from it; so does all else beside the very word.
    best = ranked[0][0]
    return tuple(name for cost, name in ranked if cost < best + 1 and (best >= 0.5 or cost < 0.5))[:most]


_QUOTED = re.compile("`([^`]+)`")


def quoted(text: str) -> list[str]:
    """The words of a message that stand in backquotes: names, and what is to be written."""
    return _QUOTED.findall(text)


def names_meant(help: str) -> list[str]:
    """The names that a help offers, as `did_you_mean` has written it."""
    return quoted(help) if help.startswith("did you mean") else []


def did_you_mean(names: Iterable[str]) -> str:
    """The help that offers names; empty without names."""
    quoted = [f"`{name}`" for name in names]
    if not quoted:
        return ""
    *others, last = quoted
    return f"did you mean {', '.join(others)} or {last}?" if others else f"did you mean {last}?"


def nearest_or(word: str, known: Iterable[str], otherwise: str) -> str:
    """The help that offers what `word` may have meant, or other help where nothing is near."""
    return did_you_mean(nearest(word, known)) or otherwise


def is_slip(word: str, name: str) -> bool:
    """Whether a word is a name with a slip or two of the pen, and not only begins like it."""
    return (_cost(word, name) or 9) <= 2


def _cost(word: str, name: str) -> float | None:
    """How far a name is from the word, in slips; None if it is too far."""
    if word == name:
        return 0.0
    ours, theirs = _plain(word), _plain(name)
    if ours == theirs:
        return 0.1
    if _stem(ours) == _stem(theirs):
        return 0.5
    allowed = 1 if len(ours) <= 4 else 2 if len(ours) <= 8 else 3
    strange = max(len({*ours} - {*theirs}), len({*theirs} - {*ours}))  # letters that one alone has: a slip for each
    if max(abs(len(ours) - len(theirs)), strange) <= allowed:
        slips = _distance(ours, theirs)
        # A short word with another beginning and two slips is another word.
        if slips > 1 and ours[:1] != theirs[:1] and len(ours) <= 6 and sorted(ours) != sorted(theirs):
            return None
        if slips <= allowed and slips < min(len(ours), len(theirs)):
            # The first letter is rarely the wrong one, so it decides between equals.
            return slips + (0.0 if ours[:1] == theirs[:1] else 0.3)
    if min(len(ours), len(theirs)) >= 3 and (theirs.startswith(ours) or ours.startswith(theirs)):
        return 2.5
    return None


def _other_number(word: str, name: str) -> float:
    """`plyer_6` is `player_6` rather than `player_1`, and `an` no `a1`: numbers are read with care."""
    ours, theirs = re.findall(r"\d+", word), re.findall(r"\d+", name)
    return 0.5 if ours != theirs else 0.0


@lru_cache(maxsize=2_048)
def _plain(word: str) -> str:
    return skeleton(word).casefold().replace("_", "").replace("-", "").replace(" ", "")


def _stem(word: str) -> str:
    """The word without the ending of its plural."""
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _distance(a: str, b: str) -> int:
    """The least number of letters added, dropped, replaced or swapped with their neighbour."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        above, row = rows[-1], [i]
        for j, y in enumerate(b, 1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
