"""The words of one game, and what each of them may be written as where a phrase has it.

Whoever writes `3 men` or `the goal` has named something that is declared. Which expression that is depends on what is
at hand: `me.man`, `goal(me)`, `s.step`. All ways are tried, and only what has a type here is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import GameError
from ruledsl.ir import core as C
from ruledsl.source.text import SourceFile
from ruledsl.syntax.foreign import number_meant
from ruledsl.syntax.parser import parse_text
from ruledsl.types import BagOf, Bool, Broken, Code, Elem, ListOf, Num, SetOf, TableOf, Type, bits

from .advice import types_of_attributes
from .names import RESERVED, Binding, NotFixed, Typed
from .quietly import quietly

if TYPE_CHECKING:
    from .elaborate import Elaborator

ME = ("me", "i", "my", "mine", "own", "your", "you", "their", "his", "her", "themselves")
OTHER = ("opponent", "opponents", "enemy", "enemies", "rival", "opposing", "enemy's")
PEOPLE = ("player", "players", "people", "person", "persons", "everybody", "everyone", "others")
_ENDINGS = (("ies", "y"), ("ves", "f"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""),
            ("ing", "e"), ("d", ""), ("able", ""))  # fmt: skip
_IRREGULAR = {"men": "man", "women": "woman", "dice": "die", "children": "child", "won": "win", "lost": "lose",
              "laid": "lay", "paid": "pay", "held": "hold", "bought": "buy", "built": "build"}  # fmt: skip
_LETTERS = "xyzuvw"
_MOST_MEMBERS = 500
_MOST_CALLS = 6  # of a formula, with different things at hand


@lru_cache(maxsize=4_096)
def stems(word: str) -> frozenset[str]:
    """A word, and what it is without the endings of plurals and verbs."""
    plain = word.casefold().removesuffix("'s").removesuffix("’s")
    found = {plain, _IRREGULAR.get(plain, plain)}
    for end, instead in _ENDINGS:
        if plain.endswith(end) and len(plain) - len(end) >= 2:
            root = plain[: -len(end)] + instead
            found.add(root)
            if end in ("ed", "ing") and len(root) > 3 and root[-1] == root[-2]:  # `dropped`
                found.add(root[:-1])
    return frozenset(found)


def alike(a: str, b: str) -> bool:
    return a == b or not stems(a).isdisjoint(stems(b))


class Vocabulary:
    """What words may be written as, among names that are bound besides."""

    def __init__(self, elab: Elaborator, bound: dict[str, Type]) -> None:
        self.elab, self.world, self.bound = elab, elab.world, bound
        self.types: dict[str, Type | None] = {}
        self.some: dict[str, tuple[str, str, str]] = {}  # of `set(x in S where c)`: its parts
        self._slots = {name: self.world.scratch() for name in bound}
        self.words = self._words()

    def _words(self) -> list[str]:
        world = self.world
        names = [name for scope in reversed(self.elab.scopes) for name in scope]
        names = [*self.bound, *names, *world.names, *(board.word for board in world.boards)]
        for root in world.roots.values():
            names += root.attributes
            if root.kind != "place" and root.size <= _MOST_MEMBERS:
                names += root.names
        for pool in world.pools:
            names += pool.holders
        return [name for name in dict.fromkeys(names) if name.isidentifier() and name not in ("actor", "row")]

    # ---------------------------------------------------------------------------------------------- types

    def type_of(self, text: str) -> Type | None:
        """The type of an expression here; None if it means nothing."""
        if text not in self.types:
            self.types[text] = self._type_of(text)
        return self.types[text]

    def _type_of(self, text: str) -> Type | None:
        elab = self.elab
        given = {
            name: Binding(name, Typed(C.Get(self._slots[name]), kind), None, used=True)
            for name, kind in self.bound.items()
        }
        try:
            with quietly(elab) as quiet:
                elab.scopes.append(given)
                tree = parse_text(text, SourceFile("", text), 0, "expr", quiet)
                found = elab.expr(tree).type if not quiet.errors else Broken()
        except (GameError, NotFixed):
            return None
        return None if quiet.errors or isinstance(found, Broken) else found

    def is_condition(self, text: str) -> bool:
        kind = self.type_of(text)
        return isinstance(kind, Bool) or (isinstance(kind, Elem | Num) and kind.maybe)

    def item_of(self, text: str) -> Elem | Num | None:
        """What one of a set is."""
        kind = self.type_of(text)
        item = self.elab.item_type(kind) if kind is not None else None
        return item if isinstance(item, Elem | Num) else None

    def is_set(self, text: str) -> bool:
        return self.item_of(text) is not None

    # ---------------------------------------------------------------------------------------------- names

    def named(self, words: Sequence[str]) -> list[str]:
        """The names that words may mean, written as one or as several."""
        found = []
        for name in self.words:
            parts = name.split("_")
            if parts[0] in ("is", "has", "in", "of") and len(parts) > 1 and len(words) == len(parts) - 1:
                parts = parts[1:]
            if len(parts) == len(words) and all(map(alike, parts, words)):
                found.append(name)
        found.sort(key=lambda name: name.casefold() != "_".join(words).casefold())
        if not found and len(words) < 3:
            found = [name for name in self.world.titled(" ".join(words)) if name in self.words]
        return found

    def at_hand(self, kind: Type) -> list[str]:
        """The names that are bound to something of a sort, the last first; who acts."""
        if not isinstance(kind, Elem):
            return []
        found = [name for name, of in self.bound.items() if isinstance(of, Elem) and of.root is kind.root]
        for scope in reversed(self.elab.scopes):
            for name, binding in reversed(list(scope.items())):
                of = binding.value.type
                if isinstance(of, Elem) and of.root is kind.root and name not in ("actor", "row"):
                    found.append(name)
        if kind.root is self.world.players and not self.elab.no_me:
            found.append("me")
        return [name for name in dict.fromkeys(found) if name.isidentifier()]

    def everything_at_hand(self) -> list[str]:
        """All that is bound to one thing, the last first, and who acts."""
        found = list(self.bound)
        found += [name for scope in reversed(self.elab.scopes) for name in reversed(list(scope))]
        found += [] if self.elab.no_me else ["me"]
        return [n for n in dict.fromkeys(found) if n not in ("actor", "row") and isinstance(self.type_of(n), Elem)]

    def as_value(self, name: str) -> list[str]:
        """What a name may be written as where nobody says whose it is."""
        declared = self.world.names.get(name)
        if declared is not None and declared.sort == "formula" and declared.data.parameters:
            return list(self.calls(name))
        kind = self.type_of(name)
        alone = [name] if kind is not None and not isinstance(kind, TableOf | Code) else []
        owned = [f"{one}.{name}" for one in self.everything_at_hand() if one != name]
        owned = [text for text in owned if (of := self.type_of(text)) and not isinstance(of, TableOf | Code)]
        if declared is not None and declared.sort == "place" and declared.data.per is not None:
            owned.sort(key=lambda text: text != f"me.{name}")
            return owned + alone
        return alone + owned

    def calls(self, name: str, first: str = "") -> Iterator[str]:
        """A formula with what is at hand; its first parameter may be given."""
        parameters = self.world.names[name].data.parameters
        given = [[first]] if first else []
        given += [self.at_hand(kind) for _, kind in parameters[len(given) :]]
        for values in islice(product(*given), _MOST_CALLS):
            text = f"{name}({', '.join(values)})"
            if self.type_of(text) is not None:
                yield text

    def of(self, owner: str, words: Sequence[str]) -> list[str]:
        """What somebody or something has that words may mean: `me.store`, `left(p)`, `me.purse.gold`."""
        found: list[str] = []
        kind = self.type_of(owner)
        for name in self.named(words):
            declared = self.world.names.get(name)
            tried = [f"{owner}.{name}"]
            if declared is not None and declared.sort == "formula" and declared.data.parameters:
                tried = list(self.calls(name, owner))
            if isinstance(kind, Elem):
                bags = [a for a, of in types_of_attributes(kind) if isinstance(of, BagOf) and name in of.root.names]
                tried += [f"{owner}.{bag}.{name}" for bag in bags]
            pools = [pool for pool in self.world.pools if pool.name == name]
            tried += [f"{owner}.{holder}" for pool in pools for holder in pool.holders]
            for text in tried:
                of = self.type_of(text)
                if isinstance(of, TableOf):  # one for each of something: of what is at hand
                    keyed = [f"{text}[{key}]" for key in self.at_hand(of.keys[0]) if key != owner]
                    found += [one for one in keyed if self.type_of(one) is not None]
                elif of is not None and not isinstance(of, Code):
                    found.append(text)
        return list(dict.fromkeys(found)) or self._of_pieces(owner, words)

    def _of_pieces(self, owner: str, words: Sequence[str]) -> list[str]:
        """Pieces in the places of somebody, by a word on them: `set(c in me.hand where c.color == red)`."""
        kind = self.type_of(owner)
        if not isinstance(kind, Elem):
            return []
        places = [f"{owner}.{name}" for name, of in types_of_attributes(kind) if self.elab.is_place(of)]
        return [text for place in places for text in self.where(place, words)]

    # ----------------------------------------------------------------------------------------------- sets

    def letter(self, base: str) -> str:
        """A name for one of a set, which is free here."""
        item = self.item_of(base)
        first = item.root.name[:1] if isinstance(item, Elem) else "n"
        if isinstance(item, Elem) and item.root.kind == "piece":
            kinds = [kind.name for kind in self.world.kinds if kind.mask & item.mask]
            first = kinds[0][:1] if kinds else first
        taken = {*self.bound, *self.world.names, *(name for scope in self.elab.scopes for name in scope)}
        free = (one for one in (first.lower(), *_LETTERS) if one.isalpha() and one not in taken | RESERVED)
        return next(free, "it")

    def set_where(self, base: str, condition: str) -> str:
        """Some of a set; `condition` has `{v}` for one of them."""
        if base in self.some:  # two conditions on one set
            letter, base, before = self.some[base]
            condition = f"{before} and {condition}"
        letter = self.letter(base)
        text = f"set({letter} in {base} where {condition.replace('{v}', letter)})"
        self.some[text] = letter, base, condition
        return text

    def where(self, base: str, words: Sequence[str]) -> list[str]:
        """Those of a set that words are true of."""
        found = [self.set_where(base, condition) for condition in self.states(self.item_of(base), "{v}", words)]
        return [text for text in found if self.type_of(text) is not None]

    def states(self, kind: Type | None, one: str, words: Sequence[str]) -> Iterator[str]:
        """Conditions on one thing that words may mean: `x.king`, `x.color == red`, `x.name in [king, prince]`."""
        if not isinstance(kind, Elem):
            return
        attributes = [(name, of) for name, of in types_of_attributes(kind) if not name.startswith("_")]
        members = alternatives(words)
        named = [self.named((*some,)) for some in members]
        for name in named[0] if len(members) == 1 else ():
            if any(attribute == name and isinstance(of, Bool) for attribute, of in attributes):
                yield f"{one}.{name}"
            declared = self.world.names.get(name)
            if declared is not None and declared.sort == "formula" and len(declared.data.parameters) == 1:
                yield f"{name}({one})"
        attributes.sort(key=lambda found: found[0] != "name")
        for attribute, of in attributes:
            if not isinstance(of, Elem):
                continue
            known = {of.root.names[i] for i in bits(of.mask)} if of.root.size <= _MOST_MEMBERS else set()
            those = [next((name for name in names if name in known), "") for names in named]
            if those and all(those):
                asked = f"== {those[0]}" if len(those) == 1 else f"in [{', '.join(those)}]"
                yield f"{one}.{attribute} {asked}"


def alternatives(words: Sequence[str]) -> list[list[str]]:
    """`king or prince`: each on its own."""
    found: list[list[str]] = [[]]
    for word in words:
        if word in ("or", ",", "and") and found[-1]:
            found.append([])
        elif word not in ("or", ",", "and", "a", "an", "the", "either"):
            found[-1].append(word)
    return [some for some in found if some] or [[]]


def as_number(word: str) -> str:
    """`2` for `two`; empty if it is none."""
    number = number_meant(word) if word.isdecimal() or len(word) > 2 else None
    return "" if number is None else str(number)


def is_many(kind: Type | None) -> bool:
    return isinstance(kind, SetOf | ListOf)


__all__ = ["ME", "OTHER", "PEOPLE", "Vocabulary", "alike", "alternatives", "as_number", "is_many", "stems"]
