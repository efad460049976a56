"""What lies on the spaces, as pictures show it, how wide it is, and in which colours."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TypeAlias
from unicodedata import category

from ruledsl.records import dataclass
from ruledsl.wording.columns import columns

# The colours that have a name, as they are printed.
COLOURS = {
    "black": "#2b2b2b",
    "white": "#fbfaf6",
    "red": "#c8402f",
    "green": "#3f8f4f",
    "blue": "#2f6fb2",
    "yellow": "#efc94c",
    "orange": "#e28a36",
    "brown": "#8a5a3c",
    "purple": "#7d4f9e",
    "pink": "#e08bb0",
    "cyan": "#46a9b8",
    "grey": "#9a9a94",
}

# Of the 256 colours that terminals have: those in which a sign is read on a dark and on a light ground.
_INKS = {
    "red": 160,
    "green": 28,
    "yellow": 136,
    "orange": 166,
    "brown": 130,
    "blue": 32,
    "purple": 134,
    "pink": 162,
    "cyan": 30,
    "grey": 244,
}
_CHIPS = {"black": (240, 231), "white": (255, 16)}  # what no ink shows on both: a ground of its own, and its ink
# Strong ones behind pieces, light ones as ground, told from each other.
_STRONG = {
    "black": 16,
    "white": 231,
    "red": 160,
    "green": 28,
    "blue": 26,
    "yellow": 226,
    "orange": 208,
    "brown": 94,
    "purple": 91,
    "pink": 205,
    "cyan": 37,
    "grey": 244,
}
_LIGHT = {
    "black": 240,
    "white": 255,
    "red": 174,
    "green": 108,
    "blue": 110,
    "yellow": 229,
    "orange": 216,
    "brown": 180,
    "purple": 140,
    "pink": 218,
    "cyan": 116,
    "grey": 250,
}
_STEPS = (0, 95, 135, 175, 215, 255)  # of each part of a colour, in the cube of 216
_BRIGHT = 140  # grounds brighter than this are written on in black


@dataclass(frozen=True)
class Look:
    """How a word looks in pictures, where the game says so: a colour, a sign by language, the file of a picture."""

    color: str | None = None
    symbol: dict[str, str] = field(default_factory=dict)
    picture: str = ""
    at: str = ""  # of a place: where it is on the page

    def sign(self, language: str) -> str:
        return self.symbol.get(language) or next(iter(self.symbol.values()), "")


@dataclass(frozen=True)
class Mark:
    """A short text of one to three columns for what lies on a space, and how it may be coloured.

    A page draws its `picture` instead, where it has one: on a disc of the colour, or alone.
    """

    text: str
    colour: str | None = None
    bold: bool = False
    picture: str = ""
    alone: bool = False
    said: str = ""  # of several signs side by side: what they stand for, in words

    def times(self, count: int) -> "Mark":
        """So many like things; a picture tells of one alone."""
        if count > 1:
            return Mark(f"{self.text}{count}", self.colour, True)
        return Mark(self.text, self.colour, True, self.picture, self.alone)


Marks: TypeAlias = Sequence[Mark | None]
HIDDEN = Mark("?")  # what who looks does not know


def plain(text: str) -> str:
    """The text without control characters, line breaks and marks of direction: it may come from anyone."""
    if text.isprintable():  # nearly always
        return text
    return "".join(char for char in text if category(char) not in {"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"})


def plain_lines(text: str) -> str:
    """The same of a text that has several lines, which stay."""
    return "\n".join(map(plain, text.split("\n")))


def pad(text: str, width: int) -> str:
    """The text with spaces up to a width in columns."""
    return text + " " * (width - columns(text))


def hex_colour(name: str | None) -> str | None:
    """A known colour or #rrggbb as #rrggbb; of anything else nothing, so that no text becomes a colour."""
    if name is not None and re.fullmatch("#[0-9a-fA-F]{6}", name):
        return name
    return COLOURS.get(name or "")


def is_bright(colour: str) -> bool:
    """Whether black is read better on a colour (#rrggbb) than white."""
    red, green, blue = _parts(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue > _BRIGHT


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def paint(mark: Mark, colour: bool, ground: str | None = None, faint: bool = False) -> str:
    """A mark for a terminal: in its colour, or on a ground in black or white, whatever the terminal's own ground is."""
    codes = ["1"] if mark.bold else []
    behind = _of_256(ground, _STRONG if mark.bold else _LIGHT)
    if behind is not None:
        codes += [f"48;5;{behind}", "38;5;16" if is_bright(_shown(behind)) else "38;5;231"]
    elif mark.colour in _CHIPS:
        chip, ink = _CHIPS[mark.colour]
        codes += [f"48;5;{chip}", f"38;5;{ink}"]
    elif (own := _of_256(mark.colour, _INKS)) is not None:
        codes.append(f"38;5;{own}")
    elif faint:
        codes.append("2")
    if not (colour and codes):
        return mark.text
    return f"\x1b[{';'.join(codes)}m{mark.text}\x1b[0m"


def _of_256(name: str | None, known: Mapping[str, int]) -> int | None:
    """The colour of a terminal for a name, or the nearest to #rrggbb."""
    if name is not None and name in known:
        return known[name]
    written = hex_colour(name)
    if written is None:
        return None
    red, green, blue = (min(range(6), key=lambda i: abs(_STEPS[i] - part)) for part in _parts(written))
    return 16 + 36 * red + 6 * green + blue


def _shown(number: int) -> str:
    """How such a colour of a terminal looks, as #rrggbb."""
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    number -= 16
    return "#" + "".join(f"{_STEPS[part]:02x}" for part in (number // 36, number // 6 % 6, number % 6))
