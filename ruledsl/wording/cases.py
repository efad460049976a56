"""Names in the form that a text asks for: a case, or the word that goes with a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import english, russian
from .russian import CASES

# How many forms a word has by number: one thing and several; one, few and many.
NUMBERS = {"en": 2, "ru": 3}
MANY = "many"  # the form for several, as a text asks for it
Forms = Mapping[str, str]  # by case
_MOST_SIGNS = 8  # that are written one by one


def declined(title: str, case: str, language: str, forms: Forms | None = None, living: bool = False) -> str | None:
    """A title in a case, or as several of them; None where neither its ending nor the game tells it.

    >>> declined("ruby", "many", "en"), declined("рубин", "many", "ru")
    ('rubies', 'рубинов')
    """
    if case == MANY:
        if forms and MANY in forms:
            return forms[MANY]
        one = russian.noun(title) if language == "ru" else None
        return english.plural(title) if language == "en" else one.say("gen", True) if one else None
    if not case or case == "nom" or language != "ru":
        return title
    if forms and case in forms:
        return forms[case]
    return russian.declined(title, case, living=living)


def in_case(title: str, case: str, language: str, forms: Forms | None = None, living: bool = False) -> str:
    """A title in a case, or as it is where nobody knows that form."""
    return declined(title, case, language, forms, living) or title


def counted(number: int, title: str, case: str, language: str, forms: Forms | None = None) -> str:
    """So many of what the title names: `2 камня`; `камень 2` where its forms are not known.

    English adds no ending by itself, for what is counted may be a stuff: `2 gold`, but `2 Crosses` if the game says so.
    """
    if language == "en" and number != 1 and forms and "many" in forms:
        return f"{number} {forms['many']}"
    if language != "ru" or is_sign(title):
        return f"{number} {title}"
    form = _behind(number, title, "nom" if case == MANY else case, forms or {}) if case else None
    return f"{number} {form}" if form else f"{title} {number}"


def amount(
    number: int, title: str, language: str, forms: Forms | None = None, things: bool = False, case: str = ""
) -> str:
    """What a title says with its number: `1 coin` by `coins`, `2 очка` by `очки`.

    `stake 40` where the title does not name several things, or where its forms are not known. With `things` the title
    names one of what is counted: `2 houses` by `house`; only then the number may stand in a case.

    >>> amount(1, "coins", "en"), amount(5, "монеты", "ru"), amount(2, "дом", "ru", things=True)
    ('1 coin', '5 монет', '2 дома')
    """
    if is_sign(title):
        return f"{title} {number}"
    if language == "en":
        told = bool(forms and MANY in forms)
        if told and number != 1:
            return counted(number, title, case, language, forms)
        named = told or things or (english.is_noun(title) and english.is_plural(title) and " of " not in title)
        return english.counted(number, title) if named else f"{title} {number}"
    if language != "ru":
        return f"{title} {number}"
    if things or (forms and "one" in forms):
        return counted(number, title, case or "nom", language, forms)
    one = russian.one_of(title)
    form = _behind(number, one, "nom", {}) if one else None
    return f"{number} {form}" if form else f"{title} {number}"


def is_sign(title: str) -> bool:
    """Whether a title is no word: the side of a die, the color of a card."""
    return not any(map(str.isalnum, title))


def repeated(signs: Sequence[tuple[str, int]]) -> str | None:
    """Signs, each as often as it is there, as dice lie on a table: `⚂ ⚂ ⚄`; None for words, or for too many."""
    if not signs or not all(is_sign(title) for title, _ in signs) or sum(number for _, number in signs) > _MOST_SIGNS:
        return None
    return " ".join(title for title, number in signs for _ in range(number))


def _behind(number: int, title: str, case: str, forms: Forms) -> str | None:
    """The form of a title behind a number."""
    form = by_number(number, ("one", "few", "many"))
    if forms and case in ("nom", "acc"):
        told = {
            "one": forms.get("one") or declined(title, case, "ru", forms),
            "few": forms.get("few") or forms.get("gen"),
        }
        if found := told.get(form, forms.get("many")):
            return found
    noun = russian.noun(title)
    return russian.form_for(number, noun, case) if noun is not None and noun.one else None


def by_number(number: int, forms: tuple[str, ...]) -> str:
    """The form of a word that goes with a number.

    >>> by_number(1, ("coin", "coins")), by_number(22, ("день", "дня", "дней")), by_number(11, ("день", "дня", "дней"))
    ('coin', 'дня', 'дней')
    """
    if len(forms) == 2:
        return forms[number != 1]
    last, two = abs(number) % 10, abs(number) % 100
    if last == 1 and two != 11:
        return forms[0]
    return forms[1] if 2 <= last <= 4 and not 12 <= two <= 14 else forms[2]


__all__ = ["CASES", "MANY", "NUMBERS", "amount", "by_number", "counted", "declined", "in_case", "is_sign", "repeated"]
