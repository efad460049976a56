"""How Russian names and joins what is spoken of.

A title is declined where its ending tells how; otherwise it stays in the nominative, in quotes, behind a word of
ours that is declined for it: `карты в месте «тайные»`.
"""

from __future__ import annotations

import re

from ruledsl.wording import russian as words

from .phrases import NAME, NAME_END, Np, Title

# The word of ours for each sort of title.
SORTS = {
    "place": "место",
    "value": "значение",
    "piece": "фишка",
    "tokens": "запас",
    "board": "поле",
    "space": "клетка",
    "type": "вид",
    "member": "вид",
    "attribute": "свойство",
    "player": "игрок",
    "part": "часть",
    "direction": "направление",
    "number": "число",
}
_VERBS = {  # of you, one, many
    "equals": ("равняетесь", "равняется", "равняются"),
    "gets": ("получаете", "получает", "получают"),
    "loses": ("теряете", "теряет", "теряют"),
    "lies": ("лежите", "лежит", "лежат"),
    "comes": ("идёте", "идёт", "идут"),
    "belongs": ("принадлежите", "принадлежит", "принадлежат"),
}
_PERSONS = ("you", "one", "many")


_PLACE = re.compile(r"[A-Za-z]{0,2}-?\d[\d,-]*")  # `a1`, `2,-1`: written without quotes, as on a board


class Russian:
    language = "ru"

    def plain(self, text: str, many: bool = False) -> Np:
        return Np(lambda case: text, "many" if many else "one")

    def you(self) -> Np:
        return Np(lambda case: words.inflected("вы", case), "you")

    def quoted(self, text: str) -> str:
        return f"«{text}»"

    def thing(self, title: Title, many: bool = False) -> Np:
        gender = self._form(title, "nom", many)[1]
        return Np(lambda case: self.noun(title, case, many), "many" if gender == "pl" else "one", gender=gender)

    def possessed(self, owner: Np, title: Title, many: bool = False) -> Np:
        def say(case: str) -> str:
            noun, gender, alive = self._form(title, case, many)
            return (
                f"{words.your(gender, case, alive)} {noun}" if owner.person == "you" else f"{noun} {owner.say('gen')}"
            )

        gender = self._form(title, "nom", many)[1]
        return Np(say, "many" if gender == "pl" else "one", gender=gender)

    def noun(self, title: Title, case: str = "nom", many: bool = False, count: int | None = None) -> str:
        return self._form(title, case, many)[0]

    def each(self, title: Title) -> str:
        """Whose each is, in the genitive: `у каждого игрока`, `у каждой карты`."""
        text, gender, _ = self._form(title, "gen", False)
        return f"{'каждой' if gender == 'f' else 'каждого'} {text}"

    def _form(self, title: Title, case: str, many: bool) -> tuple[str, str, bool]:
        """The title in a case, or a word of ours before it; its gender (pl where it is several), whether it lives."""
        case = "nom" if case in ("a", "one") else case
        found = words.noun(title.text)
        text = found.say(case, many) if found is not None else None
        if not many and (told := dict(title.cases)):
            text = title.text if case == "nom" else told.get(case, text)
            found = found or (words.noun(title.text.split()[0]) if text is not None else None) or words.noun("вид")
        if found is None or text is None:
            found = words.noun(SORTS[title.sort])
            assert found is not None
            name = title.text if _PLACE.fullmatch(title.text) else self.quoted(title.text)
            text = f"{found.say(case, many)} {name}"
        return text, "pl" if many else found.gender, words.alive(found)

    def variable(self, name: str, title: Title | None, called: Title | None, many: bool) -> Np:
        person = "many" if many else "one"
        if (
            title is not None
            and len(name) == 1
            and (title.sort in ("number", "direction") or title.foreign)
            and not many
        ):
            return self.plain(f"{NAME}{name.upper()}{NAME_END}")
        return Np(lambda case: self.first_named(name, title, called, case, many), person)

    def first_named(
        self, name: str, title: Title | None, called: Title | None, case: str, many: bool, several: bool = False
    ) -> str:
        case = "nom" if case in ("a", "one") else case
        if called is not None and not called.foreign:
            if title is not None and called.text == title.text:
                return self.noun(title, case, many)
            found = words.noun(called.text)
            form = found.say(case, many) if found is not None else None
            if form is not None:
                return f"{NAME}{form}{NAME_END}"
        word = name.upper() if len(name) == 1 else self.quoted((called.text if called else name).replace("_", " "))
        named = f"{NAME}{word}{NAME_END}"
        if title is None:
            return named
        return f"{self.noun(title, case, many)} {named}"

    def counted(self, number: int, title: Title) -> str:
        return words.counted(number, title.text)

    def number(self, number: int) -> str:
        return str(number) if number >= 0 else f"−{-number}"

    def both(self, items: list[str]) -> str:
        return words.listed(items, "и")

    def either(self, items: list[str]) -> str:
        return words.listed(items, "или")

    def inflect(self, word: str, case: str) -> str:
        return words.inflected(word, case)

    def finish(self, text: str) -> str:
        return words.smooth(text)

    def agree(self, flag: str, subject: Np) -> str | None:
        if flag not in _VERBS:
            return None
        return f"{subject.say('nom')} {_VERBS[flag][_PERSONS.index(subject.person)]}"
