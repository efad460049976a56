"""How English names and joins what is spoken of."""

from __future__ import annotations

from ruledsl.wording import english as words

from .phrases import NAME, NAME_END, Np, Title

_VERBS = {  # of you, one, many
    "is": ("are", "is", "are"),
    "isnt": ("are not", "is not", "are not"),
    "has": ("have", "has", "have"),
    "hasnt": ("do not have", "does not have", "do not have"),
    "does": ("do", "does", "do"),
    "goes": ("go", "goes", "go"),
    "becomes": ("become", "becomes", "become"),
    "gains": ("gain", "gains", "gain"),
    "loses": ("lose", "loses", "lose"),
    "comes": ("come", "comes", "come"),
    "does_choose": ("choose", "chooses", "choose"),
    "lies": ("lie", "lies", "lie"),
    "lies_not": ("do not lie", "does not lie", "do not lie"),
}
_PERSONS = ("you", "one", "many")


class English:
    language = "en"

    def plain(self, text: str, many: bool = False) -> Np:
        return Np(lambda case: text, "many" if many else "one")

    def you(self) -> Np:
        return Np(lambda case: "you", "you")

    def quoted(self, text: str) -> str:
        return f"“{text}”"

    def thing(self, title: Title, many: bool = False) -> Np:
        several = many or words.is_plural(title.text)
        if not words.is_noun(title.text):
            return self.plain(self.quoted(title.text), many)
        return self.plain(f"the {self.noun(title, many=many)}", several)

    def possessed(self, owner: Np, title: Title, many: bool = False) -> Np:
        noun = self.noun(title, many=many)
        several = many or words.is_plural(title.text)
        whose = owner.say("nom")
        if owner.person == "you":
            return self.plain(f"your {noun}", several)
        if whose == "who":
            return self.plain(f"whose {noun}", several)
        return self.plain(f"{whose}'s {noun}" if owner.short else f"the {noun} of {whose}", several)

    def each(self, title: Title) -> str:
        return self.noun(title, "one")

    def noun(self, title: Title, case: str = "nom", many: bool = False, count: int | None = None) -> str:
        text = title.text
        if not words.is_noun(text):
            return self.quoted(text)
        if many:
            return words.plural(text)
        if case == "a":
            return words.article(text)
        return words.singular(text) if case == "one" else text

    def variable(self, name: str, title: Title | None, called: Title | None, many: bool) -> Np:
        text = self._called(name, title, called, many)
        return Np(lambda case: text, "many" if many else "one", short=True)

    def _called(self, name: str, title: Title | None, called: Title | None, many: bool) -> str:
        if len(name) == 1 and not many:
            return f"{NAME}{name.upper()}{NAME_END}"
        word = called.text if called is not None else name.replace("_", " ")
        if len(word) > 2 and words.is_noun(word):
            return f"the {NAME}{word}{NAME_END}"
        kind = self.noun(title, many=many) + " " if title is not None else ""
        return f"{'the ' if many else ''}{kind}{NAME}{self.quoted(word)}{NAME_END}"

    def first_named(
        self, name: str, title: Title | None, called: Title | None, case: str, many: bool, several: bool = False
    ) -> str:
        kind = self.noun(title, case, many) if title is not None else ""
        text = self._called(name, title, called, several)
        if len(name) == 1 and not several:
            return f"{kind} {text}"
        word = called.text if called is not None else name.replace("_", " ")
        if title is not None and word == title.text:
            return kind
        if text.startswith("the ") and not several:
            return f"{kind} (the {NAME}{word}{NAME_END})"
        return f"{kind} {NAME}{self.quoted(word)}{NAME_END}"

    def counted(self, number: int, title: Title) -> str:
        return words.counted(number, title.text)

    def number(self, number: int) -> str:
        return str(number) if number >= 0 else f"minus {-number}"

    def both(self, items: list[str]) -> str:
        return words.listed(items, "and")

    def either(self, items: list[str]) -> str:
        return words.listed(items, "or")

    def inflect(self, word: str, case: str) -> str:
        return word

    def finish(self, text: str) -> str:
        return text

    def agree(self, flag: str, subject: Np) -> str | None:
        if flag == "s":
            return "s" if subject.person == "one" else ""
        if flag not in _VERBS:
            return None
        return f"{subject.say('nom')} {_VERBS[flag][_PERSONS.index(subject.person)]}"
