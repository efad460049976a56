"""Fixed texts with holes: `{n:option|options}` is a number with the form of a word that goes with it."""

from __future__ import annotations

from .cases import by_number


class _Number(int):
    def __format__(self, forms: str) -> str:
        return f"{int(self)} {by_number(self, tuple(forms.split('|')))}" if "|" in forms else super().__format__(forms)


def filled(text: str, /, **holes: object) -> str:
    """A text with its holes filled.

    >>> filled("{n:option|options} of {all}", n=1, all=30), filled("{n:ход|хода|ходов}", n=22)
    ('1 option of 30', '22 хода')
    """
    return text.format(**{name: _Number(x) if type(x) is int else x for name, x in holes.items()})


__all__ = ["filled"]
