"""What stands in the slots of templates, and the forms in which it can be put there.

{0}        the thing, in the nominative         {0:gen}    in another case (Russian)
{0:*}      in the case of the whole phrase      {0:set}    a place as the pieces in it
{0:cond}   as a condition; {0:not} its contrary {0:is}     with its verb: `you are`, `the card is`
{0:p}      in brackets if it is calculated      {0:to}     as where something goes
{0:noun}   the noun alone, {0:a} with an article, {0:nouns} several
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.syntax import expr as E
from ruledsl.types import Elem, SetOf, Type

from .phrases import Np, Title

if TYPE_CHECKING:
    from .expressions import Speaker

_CASES = ("nom", "gen", "dat", "acc", "ins", "pre")


def case_of(flags: tuple[str, ...], case: str) -> str:
    """The case that flags ask for, `*` being that of the phrase around."""
    if "*" in flags:
        return case
    return next((flag for flag in flags if flag in _CASES), "nom")


class Slot:
    """Something that can be put into a sentence."""

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        raise NotImplementedError


class Text(Slot):
    """Words that are ready."""

    def __init__(self, text: str) -> None:
        self.text = text

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        return self.text or None if "bare" in flags else self.text


class Clause(Slot):
    """A thing that is spoken of already."""

    def __init__(self, np: Np) -> None:
        self.np = np

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        for flag in flags:
            if (text := speaker.tongue.agree(flag, self.np)) is not None:
                return text
        return self.np.say(case_of(flags, case))


class Nouns(Slot):
    """A noun by itself: `{0:noun}`, `{0:a}`, `{0:nouns}`."""

    def __init__(self, title: Title) -> None:
        self.title = title

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        form = "a" if "a" in flags else "one" if "noun" in flags and speaker.language == "en" else case_of(flags, case)
        return speaker.tongue.noun(self.title, form, "nouns" in flags)


class Tree(Slot):
    """An expression; `want` is the type that its place demands."""

    nested = True  # inside a sentence that goes on after it

    def __init__(self, tree: E.Expr, want: Type | None = None) -> None:
        self.tree, self.want = tree, want

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        if "cond" in flags or "not" in flags:
            return speaker.clause(self.tree, "not" not in flags)
        if "or" in flags:
            items = self.tree.items if isinstance(self.tree, E.Items) else (self.tree,)
            return speaker.tongue.either([speaker.np(item).say("nom") for item in items])
        if {"noun", "nouns", "a"} & set(flags):
            return self._noun(speaker, flags, case)
        if "own" in flags:
            return self._own(speaker, flags, case)
        if "literal" in flags or "formula" in flags:
            plain = isinstance(self.tree, E.Num)
            return speaker.np(self.tree).say("nom") if plain == ("literal" in flags) else None
        if "towards" in flags:  # a direction, where a space may stand, too
            kind = speaker.type(self.tree)
            return speaker.way(self.tree) if isinstance(kind, Elem) and kind.root.kind == "direction" else None
        if "way" in flags:
            return speaker.way(self.tree)
        if "others" in flags:
            everybody = isinstance(self.tree, E.Name) and self.tree.name in ("players", "player")
            return None if everybody else speaker.sentence("the_others_win")
        if "holder" in flags:
            return speaker.holder(self.tree).say(case_of(flags, case))
        if "bare" in flags:
            return speaker.without_article(self.tree)
        if "to" in flags:
            return speaker.destination(self.tree)
        if "at" in flags:
            return speaker.location(self.tree)
        if "end" in flags:
            return speaker.end_of(self.tree)
        np = self._set(speaker) if "set" in flags else speaker.np(self.tree, self.want)
        for flag in flags:
            if (text := speaker.tongue.agree(flag, np)) is not None:
                return text
        text = np.say(case_of(flags, case))
        return f"({text})" if self._in_brackets(flags) else text

    def _set(self, speaker: Speaker) -> Np:
        """A place stands for the pieces in it."""
        kind = speaker.type(self.tree)
        if not speaker.is_place(kind):
            return speaker.np(self.tree, self.want)
        inner: Any = kind.of if isinstance(kind, SetOf) else kind
        return speaker.phrase("in_play", Nouns(speaker.lexicon.held_by(inner.mask)), Tree(self.tree), many=True)

    def _in_brackets(self, flags: tuple[str, ...]) -> bool:
        """Whether a part of a calculation needs brackets: `a plus b plus c` does not."""
        free = ("+", "-") if "sum" in flags else ("*",) if "product" in flags else ()
        if not {"p", "sum", "product"} & set(flags):
            return self.nested and self._has_cases()
        return self._has_cases() or (
            isinstance(self.tree, E.Binary) and self.tree.op in ("+", "-", "*", "/", "%") and self.tree.op not in free
        )

    def _has_cases(self) -> bool:
        return isinstance(self.tree, E.If) or (isinstance(self.tree, E.Binary) and self.tree.op == "otherwise")

    def _noun(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        """The noun of a kind or type that is given by its name."""
        if not isinstance(self.tree, E.Name):
            return speaker.np(self.tree).say(case_of(flags, case))
        return Nouns(speaker.lexicon.declared(self.tree.name)).put(speaker, flags, case)

    def _own(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str:
        """`{of:own reserve pre}`: the reserve of whoever it is."""
        word = flags[flags.index("own") + 1]
        return speaker.own(speaker.np(self.tree), word, case_of(flags, case), "many" in flags)


class Keys(Slot):
    """Several expressions: what puts things into an order, or alternatives."""

    def __init__(self, trees: tuple[E.Expr, ...]) -> None:
        self.trees = trees

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        if "or" in flags:
            return speaker.tongue.either([speaker.np(tree).say(case_of(flags, case)) for tree in self.trees])
        if "up" in flags or "most" in flags or "least" in flags:
            return speaker.ordered(self.trees, next(flag for flag in ("up", "most", "least") if flag in flags))
        told = [speaker.np(tree).say(case_of(flags, case)) for tree in self.trees]
        if "apart" in flags and any(len(text) > 30 or " " in text.strip("“”«»") for text in told):
            return f"({'; '.join(told)})"
        return speaker.tongue.both(told)


class Several(Slot):
    """Several things, one after the other, in the case that is asked for."""

    def __init__(self, trees: list[Tree]) -> None:
        self.trees = trees

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        return speaker.tongue.both([tree.put(speaker, flags, case) or "" for tree in self.trees])
