"""How many columns of a terminal a text takes."""

from unicodedata import category, combining, east_asian_width


def columns(text: str) -> int:
    """Two for each wide character, none for accents and the joiners of emoji, which stand on the letter before them.

    >>> columns("Ж"), columns("馬"), columns("e\\u0301")
    (1, 2, 1)
    """
    return len(text) if text.isascii() else sum(map(_of, text))


def _of(letter: str) -> int:
    if combining(letter) or category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1
