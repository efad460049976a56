"""What is spoken of, in the forms that a sentence needs: things, and how a language names and joins them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ruledsl.records import dataclass

# Names that the rules give to single things are set apart from the words around them, and named rules lead to where
# they are told. Renderers turn these marks into italics and links; a text of a game never holds them.
NAME, NAME_END, TERM, TERM_NAME, TERM_END = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
MARKS = str.maketrans("", "", "".join((NAME, NAME_END, TERM, TERM_NAME, TERM_END)))


@dataclass(frozen=True)
class Title:
    """What something is called: a title of the game, or an English word where this language has none."""

    text: str
    sort: str  # one of the words of ours that can stand before it: place, value, piece …
    foreign: bool = False
    cases: tuple[tuple[str, str], ...] = ()  # forms that the game tells


@dataclass(frozen=True)
class Np:
    """Something that a sentence speaks of."""

    say: Callable[[str], str]  # by case
    person: str = "one"  # you, one, many
    short: bool = False  # whether `'s` can stand behind it
    gender: str = ""


class Tongue(Protocol):
    """What differs between languages, below whole sentences."""

    language: str

    def plain(self, text: str, many: bool = False) -> Np: ...

    def you(self) -> Np: ...

    def quoted(self, text: str) -> str: ...

    def thing(self, title: Title, many: bool = False) -> Np:
        """`the deck`, `the men`."""

    def possessed(self, owner: Np, title: Title, many: bool = False) -> Np:
        """`your deck`, `P's men`."""

    def each(self, title: Title) -> str:
        """`player`, of which each has one: `у каждого игрока`."""

    def noun(self, title: Title, case: str = "nom", many: bool = False, count: int | None = None) -> str:
        """The noun alone; `a` before it in English with the case `a`."""

    def variable(self, name: str, title: Title | None, called: Title | None, many: bool) -> Np:
        """Something that the rules give a name to; `called` is how players read that name."""

    def first_named(
        self, name: str, title: Title | None, called: Title | None, case: str, many: bool, several: bool = False
    ) -> str:
        """The same where it is mentioned for the first time; `several` if the name stands for several at once."""

    def counted(self, number: int, title: Title) -> str: ...

    def number(self, number: int) -> str: ...

    def both(self, items: list[str]) -> str:
        """`a, b and c`."""

    def either(self, items: list[str]) -> str:
        """`a, b or c`."""

    def inflect(self, word: str, case: str) -> str:
        """A word of ours in the case of its phrase."""

    def finish(self, text: str) -> str:
        """A sentence as it sounds, when all its words are there."""

    def agree(self, flag: str, subject: Np) -> str | None:
        """A subject with its verb (`is`, `has` …), or the ending of one; None if this language has no such form."""
