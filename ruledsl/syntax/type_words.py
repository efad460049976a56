"""Types in other words: `chosen or dealt`, `square?`, `48 seeds`, `cost of color`, `one to each player`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .foreign import number_meant
from .stopped import Place, Repair

_EACH_OF = re.compile(r"(\S.*?)\s+(?:per|for\s+each|for\s+every|of\s+each|each)\s+(\w+)")
_ONE_OF = re.compile(r"(one|a|an|any|some|single|random|the)\s+([^\W\d]\w*|\d+\s*\.\.\s*\d+)")


def one_of_words(place: Place) -> Iterator[Repair]:
    """`chosen or dealt`, `square or none`, `square?`, `0..9 points`, where a type stands."""
    text = place.text.strip()
    if place.start == "type" and (found := re.fullmatch(r"([^\W\d]\w*)\s*\?", text)):
        right = f"maybe {found[1]}"
        said = f"`{text}` means nothing here"
        yield Repair(0, len(place.text), right, "E111", said, f"did you mean `{right}`?", (right,))
    if place.start == "type" and (found := re.fullmatch(r"(\S.*?)\s+(?:per|(?:for\s+)?each|for)\s+([^\W\d]\w*)", text)):
        right = f"{found[1]} by {found[2]}"
        said = "one for each of several words is said by `by`"
        yield Repair(0, len(place.text), right, "E101", said, f"write `{right}`", (right,))
    elif place.start == "type" and (found := re.fullmatch(r"(\d+\s*\.\.\s*\d+)\s+([^\W\d][\w -]*)", text)):
        said, help = f"`{found[2]}` cannot follow a range", f"numbers have no units: write `{found[1]}`"
        yield Repair(0, len(place.text), found[1], "E101", said, help, (found[1],))
    so_many = re.fullmatch(r"(\w+)\s+[^\W\d][\w -]*", text) if place.start == "type" else None
    if so_many is not None and (most := number_meant(so_many[1])):
        said, right = f"`{text}` is no type: a number that changes has bounds", f"0..{most}"
        yield Repair(
            0, len(place.text), right, "E101", said, f"write the least and the most, as in `{right}`", (right,)
        )
    if place.start == "type" and re.fullmatch(r"[^\W\d]\w*(\s*(,|\||/|\bor\b)\s*(?!or\b)[^\W\d]\w*)+", text):
        words = re.split(r"\s*(?:,|\||/|\bor\b)\s*", text)
        if "none" in words and len(words) == 2:
            right = f"maybe {next((word for word in words if word != 'none'), '')}"
            said = f"`{text}` means nothing here"
            yield Repair(0, len(place.text), right, "E111", said, f"did you mean `{right}`?", (right,))
        right = "bool" if {*words} <= {"yes", "no", "true", "false", "on", "off"} else f"[{', '.join(words)}]"
        said, help = "a type of words is a list of them", f"write `{right}`"
        yield Repair(0, len(place.text), words[0], "E101", said, help, (right,))


# What types are made with, in other words.
_MADE_WITH = {"cost": "price", "group": "set", "collection": "set", "sequence": "list", "array": "list"}


def made_with(place: Place) -> Iterator[Repair]:
    """`cost of color`."""
    first = place.tokens[0] if place.tokens else None
    text = place.text.strip()
    if place.start == "type" and (each := _EACH_OF.fullmatch(text)):
        kind = f"0..{each[1]}" if each[1].isdigit() and each[1] != "0" else "0..10" if each[1] == "0" else each[1]
        said, help = "one of each is said by `per:`", f"write `{{per: {each[2]}, is: {kind}}}`"
        yield Repair(0, len(place.text), kind, "E101", said, help)
    if place.start == "type" and (one := _ONE_OF.fullmatch(text)):
        help = f"write `{one[2]}`"
        if one[1] == "random":
            help += f"; it is drawn under `setup:`, by `random: {{x: {one[2]}}}` and `set:`"
        yield Repair(0, len(place.text), one[2], "E111", f"`{one[1]}` does not belong in a type", help, (one[2],))
    if place.start == "type" and (
        part := re.fullmatch(r"(\w+)\s+(?:except|without|but not|other than|not)\s+(\w+)", text)
    ):
        help = f"a part of a type is declared: `{{some: {part[1]}, where: this != {part[2]}}}`"
        yield Repair(0, len(place.text), part[1], "E101", f"`{text}` is no type", help)
    if place.start == "type" and first is not None and (right := _MADE_WITH.get(first.text)):
        said = f"`{first.text}` means nothing here"
        yield Repair(first.start, first.end, right, "E111", said, f"did you mean `{right}`?", (right,))


__all__ = ["made_with", "one_of_words"]
