"""Who speaks: names in their scopes, types of expressions, and templates that are filled in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.analysis.compile import GameWorld
from ruledsl.analysis.names import Typed
from ruledsl.analysis.notes import Notes
from ruledsl.diagnostics.model import Report
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.syntax import expr as E
from ruledsl.types import BagOf, Elem, ListOf, SetOf, Type
from ruledsl.wording.templates import Words, filled

from .forms import FORMS
from .lexicon import Lexicon
from .phrases import TERM, TERM_END, TERM_NAME, Np, Title, Tongue
from .slots import Slot


@dataclass(eq=False)
class Variable:
    """A name of the rules: what it stands for, and how it is spoken of while something else stands for it."""

    name: str
    type: Type | None
    np: Np
    instead: Np | None = None
    used: int = 0


class Scoped:
    """Tells expressions of one game, worked out for one configuration, in one language."""

    def __init__(self, world: GameWorld, notes: Notes, tongue: Tongue) -> None:
        self.world, self.notes, self.tongue = world, notes, tongue
        self.language = tongue.language
        self.lexicon = Lexicon(world, tongue)
        self.scopes: list[dict[str, Variable]] = [{}]

    # --------------------------------------------------------------------------------------------- names

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append({})
        try:
            yield
        finally:
            self.scopes.pop()

    def bind(self, name: str, kind: Type | None) -> Variable:
        many = isinstance(kind, SetOf | ListOf)
        np = self.tongue.variable(name, self.lexicon.of_type(kind), self.called(name), many)
        self.scopes[-1][name] = variable = Variable(name, kind, np)
        return variable

    def called(self, name: str) -> Title | None:
        """How players read a name of the rules; none for letters, and for words that mean something else here."""
        if len(name) == 1 or any(name in root.names for root in self.world.roots.values() if root.kind != "piece"):
            return None
        found = self.lexicon.word(name, "value")
        return None if found.foreign else found

    def local(self, name: str) -> Variable | None:
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def typed(self, tree: E.Expr) -> Typed | None:
        return self.notes.typed(tree)

    def type(self, tree: E.Expr) -> Type | None:
        typed = self.notes.typed(tree)
        return typed.type if typed is not None else None

    def learn(self, tree: E.Expr) -> None:
        """Works out an expression that analysis of this configuration has not come to, such as a hole of a text."""
        elaborator = self.world.elaborator
        kept, elaborator.report = elaborator.report, Report()
        with elaborator.fresh():
            for scope in self.scopes:
                for variable in scope.values():
                    if variable.type is not None:
                        elaborator.bind(variable.name, Typed(C.Get(-1), variable.type), quiet=True)
            elaborator.expr(tree)
        elaborator.report = kept

    def item_type(self, kind: Type | None) -> Type | None:
        """What one of a set, list, bag or place is."""
        match kind:
            case SetOf(of=inner) if isinstance(inner, Elem) and inner.root.kind == "place":
                return self.world.elaborator.pieces_type(inner)
            case SetOf(of=inner) | ListOf(of=inner):
                return inner
            case BagOf(root=root, mask=mask):
                return Elem(root, mask)
            case Elem() if kind.root.kind == "place":
                return self.world.elaborator.pieces_type(kind)
        return None

    def term(self, key: str, title: str) -> str:
        """The name of something that is told under that name elsewhere."""
        return f"{TERM}{key}{TERM_NAME}{self.tongue.quoted(title)}{TERM_END}"

    # ----------------------------------------------------------------------------------------- templates

    def fill(self, words: Words, slots: dict[str, Slot], case: str = "nom", sure: bool = True) -> str:
        """The first of several forms whose slots all have something."""
        speaker: Any = self
        for template in words.of(self.language, sure):
            text = filled(
                template,
                lambda key, flags: slots[key].put(speaker, flags, case) if key in slots else None,
                lambda word: self.tongue.inflect(word, case),
            )
            if text is not None:
                return self.tongue.finish(text)
        raise AssertionError(f"no form of {words} fits {sorted(slots)}")

    def phrase(self, form: str | Words, *args: Slot, many: bool = False, **named: Any) -> Np:
        """Something that a form names."""
        words = FORMS[form] if isinstance(form, str) else form
        slots = {str(i): arg for i, arg in enumerate(args)} | named
        return Np(lambda case: self.fill(words, slots, case), "many" if many else "one")

    def sentence(self, form: str | Words, *args: Slot, sure: bool = True, **named: Any) -> str:
        words = FORMS[form] if isinstance(form, str) else form
        return self.fill(words, {str(i): arg for i, arg in enumerate(args)} | named, "nom", sure)
