"""What phrases name, with the words of their game: `my men on the board`, `top card of the deck`, `half of n`.

Everything that can be written of a phrase is tried, and only what means something here is given. A word that nobody
understands makes a phrase not understood.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

from ruledsl.types import BagOf, Elem, Num, Type

from .advice import types_of_attributes
from .phrase_words import (
    ALL,
    ANY,
    BESIDE,
    ENDS,
    GREATEST,
    HAS,
    IS,
    LEFT,
    LONGEST,
    MOST_TRIED,
    NO,
    ORDERS,
    PIECES,
    REACHES,
    SMALLEST,
    THE,
    UNITS,
    WHO,
    Words,
    tokens,
)
from .vocabulary import ME, OTHER, PEOPLE, Vocabulary, alike, alternatives, as_number

if TYPE_CHECKING:
    from .elaborate import Elaborator

_REACHED = re.compile(r"(\w+\(.*\)|[\w.]+) (?:==|>=) (\d+)")  # `count(beach) >= 5`


class Named(ABC):
    """What a phrase without a verb may be written as: one thing, a number, a set."""

    def __init__(self, elab: Elaborator, bound: dict[str, Type]) -> None:
        self.words = Vocabulary(elab, bound)
        self.elab = elab
        self.players = elab.world.players
        self.read: dict[Words, list[str]] = {}
        self.tried = 0

    # ------------------------------------------------------------------------------------------- as wanted

    def as_number(self, text: str) -> Iterator[str]:
        ws = tokens(text)
        if number := as_number(ws[0]) if len(ws) == 2 and ws[1].isalpha() else "":
            yield number
        if ws[:1] == ("until",):  # `draw: until beach has 5 cards`: as many as are missing there
            reached = (_REACHED.fullmatch(found) for found in self.conditions(ws[1:]))
            yield from (f"{found[2]} - {found[1]}" for found in reached if found is not None)
        if len(ws) > 1 and ws[-1] in UNITS:
            yield from (found for found in self.things(ws[:-1]) if isinstance(self.words.type_of(found), Num))
        for found in self.things(ws):
            kind = self.words.type_of(found)
            if isinstance(kind, Num):
                yield found
            elif self.words.is_set(found):
                yield self.counted(found)
            elif isinstance(kind, BagOf):
                yield f"total({found})"

    def as_one(self, text: str) -> Iterator[str]:
        for found in self.things(tokens(text)):
            if isinstance(self.words.type_of(found), Elem):
                yield found
            elif self.words.is_set(found):
                yield f"the(first({self.inside(found)}))"

    def as_set(self, text: str) -> Iterator[str]:
        yield from (found for found in self.things(tokens(text)) if self.words.is_set(found))

    def as_domain(self, text: str, name: str) -> Iterator[str]:
        """The same where a name runs over it: `me.snail where s.step`."""
        for found in self.as_set(text):
            _, base, condition = self.words.some.get(found, ("", found, ""))
            yield f"{base} where {condition.replace('{v}', name)}" if condition and name else found

    def inside(self, some: str) -> str:
        """A set as it stands in the brackets of a call: `x in S where c`."""
        return some[4:-1] if some in self.words.some else some

    def counted(self, some: str) -> str:
        return f"count({self.inside(some)})"

    # ---------------------------------------------------------------------------------------------- things

    def things(self, ws: Words) -> list[str]:
        """What a phrase without a verb may name: one thing, a number, a set."""
        while ws and ws[0] in THE and len(ws) > 1:
            ws = ws[1:]
        if not ws or len(ws) > LONGEST:
            return []
        if ws not in self.read:
            self.read[ws] = []  # what is asked for again while it is worked out adds nothing
            self.tried += 1
            if self.tried < MOST_TRIED:
                found = (text for text in self._things(ws) if self.words.type_of(text) is not None)
                self.read[ws] = list(dict.fromkeys(found))[:12]
        return self.read[ws]

    def _things(self, ws: Words) -> Iterator[str]:
        if len(ws) == 1:
            yield from self._single(ws[0])
        else:
            for name in self.words.named(ws):
                yield from self.words.as_value(name)
            for name in self.words.named(ws[:1]):  # `strength c`, without brackets
                declared = self.elab.world.names.get(name)
                if declared is not None and declared.sort == "formula" and len(declared.data.parameters) == 1:
                    yield from (f"{name}({one})" for one in self.things(ws[1:]))
            yield from self._measured(ws)
            yield from self._listed(ws)
        yield from self._people(ws)
        if len(ws) > 1:
            yield from self._owned(ws)
            yield from self._described(ws)
            yield from self._placed(ws)
            if ws[0] in (*ANY, *ALL):
                yield from self.things(ws[1:])

    def _single(self, word: str) -> Iterator[str]:
        if number := as_number(word):
            yield number
            return
        if word in PEOPLE:
            return
        if not word.isidentifier() or self.elab.local(word) is not None or word in self.words.bound:
            yield word
        for name in self.words.named((word,)):
            yield from self.words.as_value(name)

    def _people(self, ws: Words) -> Iterator[str]:
        if (ws[0] in ME and len(ws) == 1) or ws in (("current", "player"), ("active", "player"), ("turn", "player")):
            yield "me"
        two = self.players.size == 2
        if ws in (("other", "player"), ("next", "player")) or (ws[0] in OTHER and len(ws) == 1):
            yield "opponent" if two and ws[0] != "next" else "next(me)"
        if ws in (("other", "players"), ("others",), ("another", "player"), ("any", "other", "player")):
            yield "players except me"
        if len(ws) == 1 and ws[0] in PEOPLE:
            yield "players"
        for lead, word in ORDERS.items():
            rest = ws[len(lead) :]
            if ws[: len(lead)] == lead and rest:
                for one in self.things(rest):
                    yield from (form for form in (f"players {word} {one}", f"players {word} the({one})")
                                if self.words.type_of(form) is not None)  # fmt: skip

    def _owned(self, ws: Words) -> Iterator[str]:
        """`my hand`, `seeds of the house`, `the opponent's score`, `dike water`."""
        for at in range(1, min(3, len(ws))):
            for owner in self.owners(ws[:at]):
                yield from self.words.of(owner, ws[at:])
                if len(ws) > at + 2 and ws[-2] in ("in", "of", "for", "on"):  # `my last cross in r`
                    yield from (one for one in self.words.of(owner, ws[at:-2]) if f"[{ws[-1]}]" in one)
                for some in self.things(ws[at:]) if self.is_player(owner) else ():
                    _, base, condition = self.words.some.get(some, ("", some, ""))
                    if condition and self.words.is_set(f"{owner}.{base}"):
                        yield self.words.set_where(f"{owner}.{base}", condition)
                    elif isinstance(self.of_pieces(some), Elem):
                        yield self.words.set_where(some, f"{{v}}.owner == {owner}")
        for at in range(1, len(ws) - 1):
            if ws[at] in ("of", "from", "for"):
                for owner in self.owners(ws[at + 1 :]):
                    yield from self.words.of(owner, ws[:at])
                yield from self._of_each(ws[:at], ws[at + 1 :])
                if at == 1:  # `neighbors of chain(p)`
                    functions = [name for name in self.elab.world.builtins if alike(name, ws[0])]
                    yield from (f"{name}({one})" for name in functions for one in self.things(ws[2:]))
        if ws[-1] in PIECES:  # `my hidden cards`: what lies in a place
            yield from (some for some in self.things(ws[:-1]) if isinstance(self.of_pieces(some), Elem))

    def _of_each(self, what: Words, whose: Words) -> Iterator[str]:
        """`squares of my amazons`, `total coins of purse`: of each of a set."""
        is_sum = what[0] in ("total", "sum", "all") and len(what) > 1
        for some in self.sets(whose):
            letter, item = self.words.letter(some), self.words.item_of(some)
            inner = self._with(letter, item) if item is not None else None
            for value in inner.words.of(letter, what[is_sum:]) if inner is not None else ():
                is_number = inner is not None and isinstance(inner.words.type_of(value), Num)
                yield f"{'sum' if is_number else 'set'}({value} for {letter} in {self.inside(some)})"

    def is_player(self, text: str) -> bool:
        kind = self.words.type_of(text)
        return isinstance(kind, Elem) and kind.root is self.players

    def owners(self, ws: Words) -> list[str]:
        """What can have something: one thing."""
        own = [*self._people(ws)] if ws[0] in (*ME, *OTHER, "other", "next", "current", "active") else []
        found = own or self.things(ws)
        return [text for text in found if isinstance(self.words.type_of(text), Elem)]

    def of_pieces(self, some: str) -> Type | None:
        item = self.words.item_of(some)
        return item if isinstance(item, Elem) and item.root is self.elab.world.pieces else None

    def _described(self, ws: Words) -> Iterator[str]:
        """`empty houses`, `red cards`, `adjacent regions`, `players who have passed`."""
        if ws[0] in ("empty", "free", "unoccupied", "vacant"):
            yield from (self.words.set_where(some, "empty({v})") for some in self.sets(ws[1:]))
        if ws[0] in ("other", "another", "different"):
            for some in self.sets(ws[1:]):
                item = self.words.item_of(some)
                here = self.words.at_hand(item) if isinstance(item, Elem) else []
                yield from (f"{some} except {one}" for one in here)
        if ws[0] in BESIDE:
            yield from self._beside(ws)
        for at in range(1, len(ws) - 1):  # `points next to s`
            if ws[at] in BESIDE:
                yield from self._beside((ws[at], *ws[:at], *ws[at + 1 :]))
        for at in range(len(ws) - 1, 0, -1):
            if at < 3 and not {*ws[:at]} & {*WHO, *HAS, *IS, *REACHES, *NO}:
                for some in self.sets(ws[at:]):
                    yield from self.words.where(some, ws[:at])
        for at in range(1, len(ws) - 1):
            if ws[at] in WHO:
                rest = ws[at:] if ws[at] in ("with", "without") else ws[at + 1 :]
                rest = rest[1:] if rest[0] in THE else rest
                for some in self.sets(ws[:at]):
                    yield from self._those(some, rest)

    def _those(self, some: str, predicate: Words) -> Iterator[str]:
        """Those of a set of whom something is said."""
        letter, item = self.words.letter(some), self.words.item_of(some)
        if item is None:
            return
        inner = self._with(letter, item)
        for condition in inner.predicates(letter, predicate):
            if inner.words.is_condition(condition):
                yield self.words.set_where(some, re.sub(rf"(?<![\w.]){letter}(?!\w)", "{v}", condition))

    def _with(self, letter: str, item: Type) -> Self:
        """The same with one more name."""
        return type(self)(self.elab, {letter: item, **self.words.bound})

    def sets(self, ws: Words) -> list[str]:
        return [text for text in self.things(ws) if self.words.is_set(text)]

    def _beside(self, ws: Words) -> Iterator[str]:
        """`adjacent regions`, `regions next to r`: the neighbors of what is at hand."""
        rest = tuple(word for word in ws[1:] if word not in ("to", "with", "of"))
        nouns = [*self.sets(rest[:1]), *self.sets(rest)]
        for space in nouns:
            item = self.words.item_of(space)
            if isinstance(item, Elem) and item.root.kind == "space":
                others = self.things(rest[1:]) if len(rest) > 1 else []
                for one in (*others, *self.words.everything_at_hand()):
                    yield from self.neighbors(one)

    def neighbors(self, one: str) -> Iterator[str]:
        """The spaces beside a space, or beside where a piece stands."""
        for text in (one, *self.where_is(one)):
            for form in (f"neighbors({text})", f"neighbors(the({text}))"):
                if self.words.type_of(form) is not None:
                    yield form

    def where_is(self, one: str) -> list[str]:
        """The space or place in which a piece is."""
        kind = self.words.type_of(one)
        if isinstance(kind, Elem) and kind.root is self.players:  # where the one piece of a player is
            own = [name for name, of in types_of_attributes(kind) if isinstance(of, Elem) and of.root.kind == "piece"]
            return [where for name in own[:3] for where in self.where_is(f"{one}.{name}")]
        if not isinstance(kind, Elem) or kind.root.kind != "piece":
            return []
        return [f"{one}.{name}" for name, of in types_of_attributes(kind) if isinstance(of, Elem) and of.maybe
                and of.root.kind in ("space", "place")]  # fmt: skip

    def _placed(self, ws: Words) -> Iterator[str]:
        """`cards in my hand`, `men on the board`, `stones left`."""
        if ws[-1] in ("here", "there"):
            yield from self._here(ws)
        if ws[-1] in LEFT:
            for some in self.sets(ws[:-1]):
                if self.words.type_of(f"reserve({some})") is not None:
                    yield f"reserve({some})"
            yield from self.things(ws[:-1])
        if ws[-2:] in (("in", "play"), ("on", "board")) or ws[-3:-1] in (("on", "the"), ("in", "the"), ("on", "my")):
            short = ws[:-2] if ws[-2] in ("in", "on") else ws[:-3]
            for some in self.sets(short) if short else ():
                yield from self._standing(some)
        for at in range(1, len(ws) - 1):
            if ws[at] in ("in", "on", "from", "at", "inside", "among"):
                for place in self.things(ws[at + 1 :]):
                    yield from self._in_place(ws[:at], place)

    def _here(self, ws: Words) -> Iterator[str]:
        """`other players here`: those who stand where somebody stands."""
        here = [*self.words.as_value("here")] if "here" in self.words.words else []
        here += [text for one in self.words.everything_at_hand() for text in self.where_is(one)]
        for some in self.sets(ws[:-1]):
            yield from (found for place in here[:4] for found in self._those(some, ("at", place)))

    def _standing(self, some: str) -> Iterator[str]:
        item = self.of_pieces(some)
        for name, of in types_of_attributes(item) if isinstance(item, Elem) else ():
            if isinstance(of, Elem) and of.root.kind == "space":
                yield self.words.set_where(some, f"{{v}}.{name}")

    def _in_place(self, what: Words, place: str) -> Iterator[str]:
        """What lies in a place, or those of a set that are there."""
        kind = self.words.type_of(place)
        if kind is not None and self.elab.is_place(kind):
            what = tuple(word for n, word in enumerate(what) if n or word not in (*ALL, *ANY))
            while len(what) > 1 and what[-1] in LEFT:
                what = what[:-1]
            who = next((n for n, word in enumerate(what) if word in WHO and n), 0)
            if who and any(isinstance(self.of_pieces(some), Elem) for some in self.sets(what[who - 1 : who])):
                yield from self._those(place, what[who:])  # `all cards with shell s from the beach`
            if any(isinstance(self.of_pieces(some), Elem) for some in self.sets(what[-1:])):
                yield from [place] if len(what) == 1 else self.words.where(place, what[:-1])
            return
        yield from self.words.of(place, what)
        for some in self.sets(what):
            item = self.of_pieces(some)
            for name, of in types_of_attributes(item) if isinstance(item, Elem) else ():
                if isinstance(of, Elem) and of.root.kind in ("space", "place"):
                    yield self.words.set_where(
                        some, f"{{v}}.{name} {'in' if self.words.is_set(place) else '=='} {place}"
                    )

    def _listed(self, ws: Words) -> Iterator[str]:
        """`rock, paper or scissors`: words of a type."""
        if not {*ws} & {"or", ",", "and"} or ws[0] in (*ALL, *ANY, *NO):
            return
        those = [self.words.named(tuple(some)) for some in alternatives(ws)]
        for root in self.elab.world.roots.values():
            known = [next((name for name in names if name in root.names), "") for names in those]
            if len(known) > 1 and all(known) and root.kind in ("enum", "player", "direction", "space"):
                whole = {*known} == {*root.names} and root.name.isidentifier()
                yield root.name if whole else f"[{', '.join(known)}]"

    def _measured(self, ws: Words) -> Iterator[str]:
        """`number of cards in my hand`, `highest value of the cards`, `top card of the deck`."""
        for lead in (("number", "of"), ("how", "many"), ("count", "of"), ("amount", "of"), ("total", "of")):
            if ws[:2] == lead:
                for some in self.things(ws[2:]):
                    kind = self.words.type_of(some)
                    yield some if isinstance(kind, Num) else self.counted(some)
        if ws[0] in (*GREATEST, *SMALLEST) and ws[1:]:
            yield from self._greatest(ws)
        if ws[0] in ENDS and len(ws) > 1:
            for at in range(1, len(ws) - 1):
                if ws[at] in ("of", "in", "from", "on"):
                    yield from (f"the({ENDS[ws[0]]}({place}))" for place in self.sets(ws[at + 1 :]))
            yield from (f"the({ENDS[ws[0]]}({place}))" for place in self.sets(ws[1:]))
        yield from self._calculated(ws)
        if ws[0] in ("half", "twice", "double"):
            for number in self.things(ws[2:] if ws[1] in ("of", "the") else ws[1:]):
                yield f"{number} / 2" if ws[0] == "half" else f"2 * {number}"
        if ws[:2] in (("player", "with"), ("players", "with"), ("player", "who")) and len(ws) > 2:
            yield from self._leading(ws[2:])

    def _calculated(self, ws: Words) -> Iterator[str]:
        """`5 per miss`, `minus 5 for each card in my hand`, `sum of the white dice`."""
        sign, rest = ("-", ws[1:]) if ws[0] in ("minus", "-") else ("", ws)
        for at in range(1, len(rest) - 1):
            lead = rest[at : at + 2]
            size = (
                2 if lead in (("for", "each"), ("for", "every")) else 1 if rest[at] in ("per", "each", "times") else 0
            )
            if size and rest[at + size :]:
                for number in self.things(rest[:1]) if as_number(rest[0]) else ():
                    what = [*self.quantities("me", rest[at + size :])] if not self.elab.no_me else []
                    what += [text for text in self.things(rest[at + size :]) if not self.words.is_set(text)]
                    what += [self.counted(some) for some in self.sets(rest[at + size :])]
                    yield from (f"{sign}{number} * {one}" for one in what)
        if ws[:2] == ("sum", "of") and len(ws) > 2:
            said = {word for word in ws[2:] if len(word) > 2}
            parts = [n for n in self.words.words if any(alike(part, word) for part in n.split("_") for word in said)]
            numbers = [name for name in parts if isinstance(self.words.type_of(name), Num)]
            if 1 < len(numbers) < 5:
                yield " + ".join(numbers)

    def _greatest(self, ws: Words) -> Iterator[str]:
        """`highest value in my hand`: the number itself, and who has it."""
        fold, sign = ("max", "-") if ws[0] in GREATEST else ("min", "")
        for at in range(1, len(ws)):
            if at < len(ws) and ws[at] in ("of", "in", "among", "from", "on"):
                for some in self.sets(ws[at + 1 :]):
                    letter, item = self.words.letter(some), self.words.item_of(some)
                    inner = self._with(letter, item) if item is not None else None
                    for value in inner.words.of(letter, ws[1:at]) if inner is not None else ():
                        if isinstance(inner.words.type_of(value) if inner is not None else None, Num):
                            yield f"{fold}({value} for {letter} in {some})"
        for some in self.sets(ws[1:]):
            item = self.words.item_of(some)
            numbers = (
                [name for name, of in types_of_attributes(item) if isinstance(of, Num)]
                if isinstance(item, Elem)
                else []
            )
            letter = self.words.letter(some)
            yield from (f"the(first({letter} in {some} by {sign}{letter}.{name}))" for name in numbers[:1])
        yield from self._leading(ws) if len(ws) > 1 else ()

    def _leading(self, ws: Words) -> Iterator[str]:
        """`player with the most points`."""
        rest = tuple(word for word in ws if word not in (*THE, "has", "have"))
        if len(rest) < 2 or rest[0] not in (*GREATEST, *SMALLEST) or "p" in self.words.bound:
            return
        inner = self._with("p", Elem(self.players, self.players.everything))
        counts = rest[0] in ("most", "fewest", "least")  # `highest card` is no number of cards
        for value in inner.quantities("p", rest[1:]):
            if value.startswith("count(") and not counts:
                continue
            yield f"the(first(p in players by {'-' if rest[0] in GREATEST else ''}{value}))"

    # ------------------------------------------------------------------------------- what is said of a thing

    @abstractmethod
    def predicates(self, one: str, ws: Words) -> Iterator[str]:
        """Conditions on one thing, or on a place."""

    @abstractmethod
    def conditions(self, ws: Words) -> Iterator[str]:
        """What a whole sentence may ask."""

    @abstractmethod
    def quantities(self, one: str, ws: Words) -> Iterator[str]:
        """How much of something one has."""


__all__ = ["Named"]
