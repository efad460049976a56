"""Letters that look like others, and signs that nobody sees: what a word looks like, and why it is another."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ruledsl.records import dataclass

# Cyrillic and Greek letters that look like Latin ones, on paper or on the screen.
_CYRILLIC = str.maketrans("авекмнорстухігѕјһԛԝԁӏАВЕКМНОРСТУХІЅЈҺԚԜ", "abekmhopctyxirsjhqwdlABEKMHOPCTYXISJHQW")
_GREEK = str.maketrans("ανικορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "avikoptuxABEZHIKMNOPTYX")

SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
STRANGE_SPACE = re.compile(f"[{SPACES}]+")
UNSEEN = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f]+")
QUOTES = "“”„‟«»‘’‚‛‹›"

_LATIN, _OTHER = "A-Za-z\u00c0-\u024f", "\u0370-\u03ff\u0400-\u052f"
_MIXED = re.compile(f"[{_LATIN}][{_OTHER}]|[{_OTHER}][{_LATIN}]")
_WORD = re.compile(r"[^\W\d]\w*")
_NAME = re.compile(r"[\w.-]+(?: \w+)?")
_COMBINING = re.compile("[^\\W\\d_][\u0300-\u036f]+")


@dataclass(frozen=True)
class Strange:
    """Something in a text that is not what it looks like: where, what is wrong, advice, and what was meant."""

    start: int
    end: int
    code: str
    message: str
    help: str
    meant: str


def in_latin(word: str) -> str:
    """The word with Latin letters in place of those Cyrillic and Greek ones that look the same."""
    return word.translate(_CYRILLIC).translate(_GREEK)


def skeleton(word: str) -> str:
    """What a word looks like, whatever its letters are."""
    if word.isascii():
        return word
    seen = unicodedata.normalize("NFKC", UNSEEN.sub("", word)).strip()
    return in_latin("".join(sign for sign in seen if sign not in QUOTES))


def why_another(word: str, known: str) -> str:
    """Why a word is another although it looks the same; empty if it does not look the same."""
    if word == known or skeleton(word) != skeleton(known):
        return ""
    if UNSEEN.search(word):
        return "It looks the same, but contains an invisible character"
    if STRANGE_SPACE.search(word):
        return "It looks the same, but contains a special space character"
    if any(sign in QUOTES for sign in word):
        return "It has curly quotes from a word processor, which are part of the word"
    if unicodedata.normalize("NFC", word) == unicodedata.normalize("NFC", known):
        return "It looks the same, but one letter is written as two characters"
    for alphabet, table in (("Cyrillic", _CYRILLIC), ("Greek", _GREEK)):
        if word.translate(table) != word:
            return f"It looks the same, but this word is written with {alphabet} letters"
        if known.translate(table) != known:
            return f"It looks the same, but the other word is written with {alphabet} letters"
    return "It looks the same, but is written with other characters"


def strange(text: str) -> Iterator[Strange]:
    """What in the words of rules is not what it looks like, from left to right."""
    if text.isascii():
        return
    for found in UNSEEN.finditer(text):
        if found.start() and unicodedata.category(text[found.start() - 1]).startswith("S"):
            continue  # part of a picture, as in an emoji
        name = _name(found[0][0])
        yield Strange(*found.span(), "Y112", f"there is an invisible character here ({name})", "delete it", "")
    for found in _COMBINING.finditer(text):
        whole = unicodedata.normalize("NFC", found[0])
        if whole != found[0]:
            message = f"this letter is written as two characters, `{found[0][0]}` and the mark on it"
            yield Strange(*found.span(), "Y112", message, f"type it again: `{whole}`", whole)
    for found in _WORD.finditer(text):
        if _MIXED.search(found[0]):
            yield _two_alphabets(found)


def strange_name(text: str) -> Iterator[Strange]:
    """What in a name is not what it looks like: besides, spaces and quotes that no keyboard has."""
    yield from strange(text)
    if re.fullmatch(f"[{QUOTES}][^{QUOTES}]*[{QUOTES}]", text):
        inner = text[1:-1]
        message = "these are not keyboard quotes; they are part of the name"
        yield Strange(0, len(text), "Y112", message, f"write `{inner}`", inner)
    for found in STRANGE_SPACE.finditer(text):
        if _NAME.fullmatch(STRANGE_SPACE.sub(" ", text).strip()):
            inside = found.start() > 0 and found.end() < len(text)
            message = f"this is a special space character ({_name(found[0][0])})"
            yield Strange(
                *found.span(), "Y112", message, "write a normal space" if inside else "delete it", " " * inside
            )


def _two_alphabets(found: re.Match[str]) -> Strange:
    word, latin = found[0], in_latin(found[0])
    sort = "Greek" if re.search("[\u0370-\u03ff]", word) else "Cyrillic"
    signs = ", ".join(f"`{sign}`" for sign in dict.fromkeys(re.findall(f"[{_OTHER}]", word)))
    help = f"{sort}: {signs}; " + (f"did you mean `{latin}`?" if latin.isascii() else "write it in one alphabet")
    message = f"`{word}` has letters of two alphabets"
    return Strange(*found.span(), "E102", message, help, latin if latin.isascii() else word)


def as_meant(text: str, found: list[Strange]) -> str:
    """The text with all in it as it was meant."""
    for one in sorted(found, key=lambda one: -one.start):
        text = text[: one.start] + one.meant + text[one.end :]
    return text


def _name(sign: str) -> str:
    return unicodedata.name(sign, f"U+{ord(sign):04X}").lower()
