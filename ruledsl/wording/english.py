"""English nouns: one and many, articles, numbers."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

IRREGULAR = {
    "man": "men", "woman": "women", "person": "people", "child": "children", "foot": "feet", "tooth": "teeth",
    "mouse": "mice", "goose": "geese", "ox": "oxen", "die": "dice", "sheep": "sheep", "fish": "fish", "deer": "deer",
    "leaf": "leaves", "wolf": "wolves", "thief": "thieves", "knife": "knives", "half": "halves", "wife": "wives",
    "life": "lives", "shelf": "shelves", "loaf": "loaves", "calf": "calves", "elf": "elves", "hero": "heroes",
    "potato": "potatoes", "tomato": "tomatoes", "series": "series", "species": "species", "index": "indices",
}  # fmt: skip
_MANY = {many: one for one, many in IRREGULAR.items()}
_VOWELS = re.compile(r"(?i)(?!uni|use|one\b|eu|u\b)[aeiou]|hour|8|11\b|18\b")
# Words that no article or `your` can stand before: names of what is so, not of things.
_NO_NOUNS = {
    "a", "an", "the", "of", "on", "in", "at", "to", "from", "by", "off", "out", "up", "down", "for", "with", "into",
    "is", "are", "was", "has", "have", "had", "can", "may", "must", "will", "did", "does", "do", "not", "no",
    "far", "who", "whose", "whom", "which", "what", "where", "when", "how", "why", "that", "this", "these", "those",
    "before", "after", "beside", "becomes", "here", "there", "near", "so", "too", "already", "and", "or",
}  # fmt: skip
# What has been done to things, said of them without a noun.
_DONE = {
    "bought", "broken", "built", "caught", "chosen", "cut", "dealt", "drawn", "drunk", "fallen", "fought", "found",
    "gone", "given", "grown", "held", "hidden", "hit", "kept", "known", "laid", "left", "lost", "made", "met", "paid",
    "seen", "sent", "shown", "shut", "sold", "spent", "spoke", "spoken", "stolen", "sunk", "taken", "thrown", "told",
    "unused", "won", "worn", "written",
}  # fmt: skip


@cache
def plural(noun: str) -> str:
    """Several of what the noun names: its last word changes, or the one before `of`."""
    head, of, rest = noun.partition(" of ")
    if of:
        return f"{plural(head)} of {rest}"
    before, space, last = noun.rpartition(" ")
    if is_plural(noun):
        return noun
    low = last.lower()
    if low in IRREGULAR:
        many = IRREGULAR[low]
        return before + space + (many.capitalize() if last[:1].isupper() else many)
    if not last[-1:].isalpha():
        return noun
    if re.search(r"(?:s|x|z|ch|sh)$", low):
        return noun + "es"
    if re.search(r"[^aeiou]y$", low):
        return noun[:-1] + "ies"
    return noun + "s"


@cache
def singular(noun: str) -> str:
    """One of what the noun names, where it names several."""
    before, space, last = noun.rpartition(" ")
    low = last.lower()
    if low in _MANY:
        one = _MANY[low]
    elif not is_plural(noun):
        return noun
    elif low.endswith("ies") and len(low) > 4:
        one = low[:-3] + "y"
    elif re.search(r"(?:ss|x|z|ch|sh)es$", low):
        one = low[:-2]
    else:
        one = low[:-1]
    return before + space + (one.capitalize() if last[:1].isupper() else one)


@cache
def is_plural(noun: str) -> bool:
    """Whether a noun names several already."""
    low = noun.rpartition(" ")[2].lower()
    if low in IRREGULAR and low not in _MANY:
        return False
    return low in _MANY or (len(low) > 3 and low.endswith("s") and not re.search(r"(?:ss|us|is|as|os)$", low))


@cache
def is_noun(title: str) -> bool:
    """Whether a title can be spoken of as a thing: `the starter`, but not `the begins with` nor `the out`."""
    words = title.lower().split()
    if not words or words[-1] in _DONE or (re.search(r"[^e]ed$", words[-1]) and len(words[-1]) > 4):
        return False
    if any(word == "the" and before not in ("of", "and", "in") for before, word in pairwise(words)):
        return False  # `starts the settlement`
    return len(words) <= 4 and not set(words) & (_NO_NOUNS - {"of", "the", "and"}) and words[0] not in _NO_NOUNS


def article(noun: str) -> str:
    """`a card`, `an area`; none before several."""
    if is_plural(noun):
        return noun
    return f"{'an' if _VOWELS.match(noun) else 'a'} {noun}"


def counted(number: int, noun: str) -> str:
    """`1 coin`, `3 coins`."""
    return (
        f"{number} {noun if number == 1 and not is_plural(noun) else singular(noun) if number == 1 else plural(noun)}"
    )


def listed(items: list[str], word: str = "and") -> str:
    """`a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"
