"""Russian nouns: their cases, as far as their endings tell them for certain.

A title in a game file is one form only, the nominative. Most nouns can be declined from it by their ending; of the
rest (a soft sign, a vowel that comes and goes, several words in a row, words of another language) nothing is
guessed: such a title stays as it is, in quotes, behind a word of ours that is declined in its place.
"""

from __future__ import annotations

import re
from functools import cache

from ruledsl.records import dataclass

from .nouns import COUNTED, NOUNS

CASES = ("nom", "gen", "dat", "acc", "ins", "pre")

# Pronouns and adjectives of ours, by gender.
_YOUR = {
    "m": "ваш вашего вашему ваш вашим вашем",
    "f": "ваша вашей вашей вашу вашей вашей",
    "n": "ваше вашего вашему ваше вашим вашем",
    "pl": "ваши ваших вашим ваши вашими ваших",
}
_ADJECTIVES = {  # by the ending of the nominative: gender, then the endings of all cases
    "ый": ("m", "ый ого ому ый ым ом"),
    "ой": ("m", "ой ого ому ой ым ом"),
    "ий": ("m", "ий его ему ий им ем"),
    "ая": ("f", "ая ой ой ую ой ой"),
    "яя": ("f", "яя ей ей юю ей ей"),
    "ое": ("n", "ое ого ому ое ым ом"),
    "ее": ("n", "ее его ему ее им ем"),
    "ые": ("pl", "ые ых ым ые ыми ых"),
    "ие": ("pl", "ие их им ие ими их"),
}
_HARD = "кгх"  # behind these, -ий is declined as -ый
_HISSING = "жчшщ"
_CONSONANT = "бвгджзклмнпрстфхцчшщ"
_WHO_LIVE = """
банкир баран барон бык ведьма великан вельможа верблюд викинг воин волк вор враг всадник генерал герой герцог
гном гость граф демон дракон дух житель зверь зритель инквизитор капитан командир король кот крестьянин крот
купец лекарь лис лучник маг медведь монах моряк наёмник обитатель орк офицер охотник петух пират победитель
повелитель покупатель помощник посланник правитель предатель принц путешественник пёс разбойник рыбак рыцарь
священник слуга советник солдат страж стражник странник строитель тигр торговец тролль учитель хранитель шпион
эльф
"""
_ALIVE = frozenset(_WHO_LIVE.split())
_ABSTRACT = re.compile(r"(?:[еая]н|[тв]|[лзрсм])ие$")  # nouns that end as adjectives do: `значение`


def _is_alive(title: str) -> bool:
    last = re.search(r"\w+$", title)
    return last is not None and last[0] in _ALIVE


@dataclass(frozen=True)
class Noun:
    """A noun in all its forms; `gender` is m, f, n, or pl for what is only ever several."""

    gender: str
    one: tuple[str, ...]
    many: tuple[str, ...]
    few: str = ""  # behind 2, 3 and 4, where it is not the genitive: `закрытые карты`, `белых коня`

    def say(self, case: str, many: bool = False) -> str | None:
        """A form; None where the ending does not tell it."""
        forms = self.many if many or not self.one else self.one
        return forms[CASES.index(case)] or None if forms else None


_KNOWN: dict[str, Noun] = {}


def _read_known() -> None:
    lines = NOUNS.strip().splitlines()
    for head, one, many in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        word, _, facts = head.partition(": ")
        singles, plurals = (() if line.strip() == "-" else tuple(line.split()) for line in (one, many))
        _KNOWN[word] = Noun(facts.split()[0], singles, plurals)


_read_known()


@cache
def noun(title: str) -> Noun | None:
    """The noun of a title, if its endings tell all its forms."""
    words = title.split(maxsplit=1)
    if len(words) == 2 and (first := _adjective(words[0])) and (second := noun(words[1])):
        return _together(first, second)
    if len(words) != 1 or not re.fullmatch(r"[а-яё]+(?:-[а-яё]+)?", title.lower()):
        return None
    low = title.lower()
    found = _KNOWN.get(low) or _regular(low)
    if found is not None and title != low:
        return Noun(
            found.gender,
            tuple(_written_as(title, form) for form in found.one),
            tuple(_written_as(title, form) for form in found.many),
            _written_as(title, found.few),
        )
    return found


def _written_as(title: str, form: str) -> str:
    """A form with the capitals of the title."""
    if title.isupper():
        return form.upper()
    parts = zip(title.split("-"), form.split("-"), strict=False)
    return "-".join(part.capitalize() if whole[:1].isupper() else part for whole, part in parts)


# Nouns that end as several of what is done do (`заклинания`), and name one thing.
_FEMININE = {
    "мания", "компания", "кампания", "британия", "германия", "испания", "дания", "румыния", "албания", "армения",
    "океания", "кения", "мурания",
}  # fmt: skip


def _regular(word: str) -> Noun | None:
    """A noun by its ending; forms that it does not tell are empty."""
    if len(word) < 3 or re.search(r"[аеёиыюяу][нт]о$", word) or (_adjective(word) and not _ABSTRACT.search(word)):
        return None
    if re.fullmatch("(?:от|до|ни)?(?:ку|ту|сю|ког|тог|всег|иног|навсег)да|(?:ни|не)?кто|что|сколько", word):  # no nouns
        return None
    if re.fullmatch("(?:пла|пле|вре|бре|зна|стре|и|се|вы|те)мя", word):
        return _from("n", word[:-1], "я ени ени я енем ени", "")
    if re.search(r"[аея]ния$", word) and word not in _FEMININE:  # several, as `заклинания`
        return _from("pl", word[:-1], "", "я й ям я ями ях")
    if re.search("[жшчщ]ь$", word):  # `ночь`, `вещь`
        return _from("f", word[:-1], "ь и и ь ью и", "и ей ам и ами ах")
    if word.endswith("ость") and len(word) > 5:
        return _from("f", word[:-1], "ь и и ь ью и", "и ей ям и ями ях")
    if re.search(r"(?:[аяеёиоуыю]ет|[аяую]ют|[ао]ит|ся|сь|ть)$", word):  # a verb
        return None
    stem, end = word[:-1], word[-1]
    if end == "а" and stem[-1] in _CONSONANT:
        return _feminine(stem)
    if word.endswith("ия"):
        return _from("f", word[:-1], "я и и ю ей и", "и й ям и ями ях")
    if end == "я" and stem[-1] in _CONSONANT:
        return _from("f", stem, "я и е ю ей е", "")
    if word.endswith("ие"):
        return _from("n", word[:-1], "е я ю е ем и", "я й ям я ями ях")
    if word.endswith("ье"):
        return _from("n", stem, "е я ю е ем е", "")
    if end == "о" and stem[-1] in _CONSONANT:
        return _from("n", stem, "о а у о ом е", "" if _cluster(stem) else "а  ам а ами ах")
    if re.search(r"(?:тель|арь)$", word):
        return _from("m", stem, "ь я ю я ем е", "и ей ям ей ями ях")
    if re.search(r"[аео]й$", word):
        return _from("m", stem, "й я ю й ем е", "и ев ям и ями ях")
    if re.search(r"(?:ец|ок|ек|ёк|ёл|ел|бор|ёр|янин|анин)$", word):
        return Noun("m", (word, "", "", "", "", ""), ())
    if end in _CONSONANT:
        return _masculine(word)
    if end in "ыи" and stem[-1] in _CONSONANT:
        return Noun("pl", (), (word, "", "", "", "", ""))
    return None


def _feminine(stem: str) -> Noun:
    last = stem[-1]
    i = "и" if last in _HARD + _HISSING else "ы"
    oh = "ей" if last in _HISSING + "ц" else "ой"
    several = _zero(stem)
    one = tuple(stem + e for e in ("а", i, "е", "у", oh, "е"))
    many = [stem + e for e in (i, "", "ам", i, "ами", "ах")]
    many[1] = several
    if _is_alive(stem + "а"):
        many[3] = several
    return Noun("f", one, tuple(many))


def _zero(stem: str) -> str:
    """The genitive of many, which has no ending: `карт`, `фишек`; empty where a vowel may come in, but which?"""
    if not _cluster(stem):
        return stem
    if stem[-1] == "к":
        return stem[:-1] + ("ек" if stem[-2] in _HISSING + "ь" else "ок")
    if re.search(r"(?:ст|рт|рд|рм|рг|мп|нд|рб|зд|льд|лб|рн|лн|нт|нг|кт|мм|сс|лл|тт|нн)$", stem):
        return stem
    return ""


def _cluster(stem: str) -> bool:
    return len(stem) > 1 and stem[-2] in _CONSONANT + "ьй"


def _masculine(word: str) -> Noun:
    last = word[-1]
    alive = _is_alive(word)
    i = "и" if last in _HARD + _HISSING else "ы"
    of = word + ("ей" if last in _HISSING else "ев" if last == "ц" else "ов")
    oh = "ем" if last in _HISSING + "ц" else "ом"
    one = [word, word + "а", word + "у", word + "а" if alive else word, word + oh, word + "е"]
    many = [word + i, of, word + "ам", of if alive else word + i, word + "ами", word + "ах"]
    return Noun("m", tuple(one), tuple(many))


def _from(gender: str, stem: str, one: str, many: str) -> Noun:
    forms = tuple(stem + e for e in many.split(" ")) if many else ()
    return Noun(gender, tuple(stem + e for e in one.split(" ")) if one else (), forms)


@cache
def _adjective(word: str) -> tuple[str, tuple[str, ...]] | None:
    """The gender of an adjective and its cases."""
    found = _ADJECTIVES.get(word[-2:].lower())
    if found is None or len(word) < 4:
        return None
    gender, ends = found
    stem = word[:-2]
    if gender == "m" and stem[-1] in _HARD:
        ends = "ий ого ому ий им ом"
    if gender == "m" and word.endswith("ой") and stem[-1] in _HARD + _HISSING:
        ends = "ой ого ому ой им ом"
    if gender == "n" and stem[-1] in _HARD:
        ends = "ое ого ому ое им ом"
    return gender, tuple(stem + end for end in ends.split())


def _together(first: tuple[str, tuple[str, ...]], second: Noun) -> Noun | None:
    """An adjective before its noun."""
    gender, forms = first
    if gender != second.gender:
        return None
    cases = [
        forms[1] if case == "acc" and gender in ("m", "pl") and alive(second) else form
        for case, form in zip(CASES, forms, strict=True)
    ]
    if gender == "pl":
        return Noun("pl", (), _joined(tuple(cases), second.many))
    soft = cases[0].endswith(("яя", "ний")) or (cases[0].endswith("ее") and cases[0][-3] not in _HISSING)
    several = tuple(
        cases[0][:-2] + end
        for end in _ADJECTIVES["ие" if soft or cases[0][-3] in _HARD + _HISSING else "ые"][1].split()
    )
    if second.many and second.many[3] == second.many[1]:
        several = (*several[:3], several[1], *several[4:])
    behind = second.few or second.say("gen")
    few = f"{several[0] if gender == 'f' else several[1]} {behind}" if behind else ""
    return Noun(gender, _joined(tuple(cases), second.one), _joined(several, second.many), few)


def _joined(adjectives: tuple[str, ...], nouns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{a} {n}" if n else "" for a, n in zip(adjectives, nouns, strict=False))


# What stands behind them belongs to the word before and is not declined with it: `утёс у бухты`.
_JOINING = re.compile(r"\s(?:у|на|в|во|до|из|с|со|над|под|для|от|по|о|об|к|ко|без|за|при|через|между)\s.*")
_BEHIND = re.compile(r"\s+(?:\([^()]*\)|№?\d+|[IVX]+)$")


@cache
def declined(title: str, case: str, many: bool = False, living: bool = False) -> str | None:
    """A title in a case, with what stands behind its noun as it is; None where its ending does not tell it.

    >>> declined("игрок 2", "gen"), declined("форт у реки (влево)", "pre"), declined("белые", "acc", living=True)
    ('игрока 2', 'форте у реки (влево)', 'белых')
    """
    if case == "nom" and not many:
        return title
    if not re.search("[а-яё]", title.lower()):
        return title  # a sign, a number, a name of another alphabet
    for behind in (_BEHIND, _JOINING):
        found = behind.search(title)
        if found:
            head = declined(title[: found.start()], case, many, living)
            return head + title[found.start() :] if head else None
    known = noun(title)
    if known is not None:
        return known.say(case, many)
    adjective = _adjective(title) if re.fullmatch("[А-ЯЁа-яё-]+", title) and not many else None
    if adjective is None:
        return None
    gender, forms = adjective
    return forms[1 if case == "acc" and living and gender in ("m", "pl") else CASES.index(case)]


@cache
def inflected(word: str, case: str, many: bool = False) -> str:
    """A word of ours in a case: a noun, or an adjective of its own gender."""
    adjective = _adjective(word)
    form = adjective[1][CASES.index(case)] if adjective else found.say(case, many) if (found := noun(word)) else None
    assert form, f"the {case} of {word} is not known"
    return form


def alive(found: Noun) -> bool:
    """Whether what it names lives: it is spoken of otherwise where it is moved or shown."""
    return bool(found.many) and bool(found.many[3]) and found.many[3] == found.many[1]


def your(gender: str, case: str, living: bool = False) -> str:
    """`ваша`, `вашей`: of what is yours."""
    if case == "acc" and living and gender in ("m", "pl"):
        case = "gen"
    return _YOUR[gender].split()[CASES.index(case)]


def counted(number: int, title: str) -> str:
    """`1 карта`, `3 карты`, `5 карт`; `«тайные»: 3` where the forms are not known."""
    found = noun(title)
    form = form_for(number, found) if found is not None and found.one else None
    return f"{number} {form}" if form else f"{title}: {number}"


@cache
def one_of(title: str) -> str | None:
    """What a title that names several calls one of them: `монета` of `монеты`; None where that is not known.

    >>> one_of("монеты"), one_of("тихие ходы"), one_of("часы")
    ('монета', 'тихий ход', None)
    """
    *before, last = title.split(" ")
    one = _ones().get(last)
    if one is None or not before:
        return one
    if len(before) > 1 or not (adjective := _adjective(before[0])) or adjective[0] != "pl":
        return None
    for end in _ADJECTIVES:
        found = noun(phrase := f"{before[0][:-2]}{end} {one}")
        if found is not None and found.one and found.many[:1] == (title,):
            return phrase
    return None


@cache
def _ones() -> dict[str, str]:
    """By the word for several, the word for one."""
    alone = {word for word, known in _KNOWN.items() if not known.one}
    found = {known.many[0]: word for word, known in _KNOWN.items() if known.one and known.many}
    listed = {known.many[0]: word for word in COUNTED.split() if (known := noun(word)) is not None and known.many}
    return {many: one for many, one in found.items() if many not in alone} | listed


def form_for(number: int, found: Noun, case: str = "nom") -> str | None:
    """The form of a noun behind a number, if its ending tells it."""
    last, two = abs(number) % 10, abs(number) % 100
    if case not in ("nom", "acc"):
        return found.say(case, not (last == 1 and two != 11))
    if last == 1 and two != 11:
        return found.say(case)
    if 2 <= last <= 4 and not 12 <= two <= 14:
        return found.few or found.say("gen")
    return "человек" if found.say("nom") == "человек" else found.say("gen", True)


_ON = "(?:стол|рынк?о?к?)"  # one lies on them, not in them


def smooth(text: str) -> str:
    """What depends on the word that follows: `во двор`, `со стопки`, `на стол`, `всех врагов`, `не больше 6 раз`."""
    text = re.sub(r"\b(не больше|не меньше) стольких раз: (\d+)", r"\1 \2 раз", text)
    text = re.sub(r"\bпо столько: (\d+)", r"по \1", text)
    text = text.replace("верно: верно ", "верно: ")
    text = re.sub(r"\bвсе (?=(?:[а-яё]+[ыи]х )?[а-яё]+(?:[ое]в|ей)\b)", "всех ", text)
    text = re.sub(rf"\bв (?={_ON}(?:е|ы|и)?\b)", "на ", text)
    text = re.sub(rf"\bиз (?={_ON}[аы]\b)", "с ", text)
    text = re.sub(r"\bв (?=двор|[вф][бвгджзклмнпрстфхцчшщ])", "во ", text)
    text = re.sub(r"\bс (?=[сзшж][бвгджзклмнпрстфхцчшщ]|вс|мн)", "со ", text)
    return re.sub(r"\bк (?=вс|мн)", "ко ", text)


def listed(items: list[str], word: str = "и") -> str:
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"
