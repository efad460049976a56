"""Phrases of people, read with the words of their game: `a player has 2 snails home`, `no men left`, `to is empty`.

A phrase is taken apart by the words around which it is built (`has`, `is`, `no … left`), and what is left by the game's
own words (`named.py`). Only what means something here, and what the place wants, is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.types import BagOf, Bool, Elem, Num, SetOf

from .advice import types_of_attributes
from .named import Named
from .phrase_words import (
    ALL,
    ANY,
    AWAY,
    BEHIND,
    BESIDE,
    COMPARES,
    EVERYBODY,
    HAS,
    IS,
    LEFT,
    LONGEST,
    MORE,
    NO,
    NOBODY,
    NOT,
    ORDINALS,
    PIECES,
    REACHES,
    ROWS,
    SOMEBODY,
    THE,
    UNITS,
    Words,
    negated,
    tokens,
)
from .vocabulary import PEOPLE, alike, alternatives, as_number, stems

_STAYING = ("left", "staying", "remaining", "alive", "active", "playing", "in")
_FAR_ROWS = ("last", "top", "far", "back", "final", "opposite", "right")
_BARE = (("empty",), ("free",), ("gone",), ("used", "up"), ("unoccupied",))
_GONE = ("out", "passed", "folded", "lost", "eliminated", "dead", "dropped", "gone")


class Phrase(Named):
    """What one phrase may be written as."""

    def as_condition(self, text: str) -> Iterator[str]:
        yield from (found for found in self.conditions(tokens(text)) if self.words.is_condition(found))

    # ------------------------------------------------------------------------------------------ conditions

    def conditions(self, ws: Words) -> Iterator[str]:
        """What a whole sentence may ask."""
        if ws[:1] in (("if",), ("when",), ("whether",), ("until",), ("while",), ("that",)) and len(ws) > 1:
            ws = ws[1:]
        if ws[:1] == ("not",) and len(ws) > 2:
            yield from (negated(found) for found in self.conditions(ws[1:]) if self.words.is_condition(found))
        if not ws or len(ws) > LONGEST:
            return
        yield from self._players_left(ws)
        yield from self._row(ws)
        yield from self._ordinal(ws)
        yield from self._there_is(ws)
        for at in range(1, len(ws)):
            if ws[at] in THE and ws[at - 1] not in (*HAS, *IS, *NOT):
                continue
            for subject in self.subjects(ws[:at]):
                yield from self._asked(subject, ws[at:])
            if ws[at] in COMPARES and len(ws) > at + 1:
                behind = ws[at + 1 :]
                others = [*self.things(behind), *(self.things(behind[:-1]) if len(behind) > 1 else ())]
                for one in self.things(ws[:at]):
                    yield from (f"{one} {ws[at]} {other}" for other in others)
                    if self.words.is_set(one):  # `me.hand > 3 cards`
                        yield from (f"{self.counted(one)} {ws[at]} {other}" for other in others)
        yield from (some for some in self.things(ws) if self.words.is_condition(some))
        yield from self._joined(ws)
        if {*ws} & {"on", "in", "at"}:  # `enemy pawn on to`
            yield from (self.is_some(self.counted(some)) for some in self.sets(ws))

    def _joined(self, ws: Words) -> Iterator[str]:
        """`to is empty or in goal`: two of one subject."""
        for at in range(1, len(ws) - 1):
            if ws[at] not in ("and", "or"):
                continue
            for verb in range(at + 2, len(ws)):  # `deck and beach are empty`
                if ws[at] == "and" and ws[verb] in (*IS, *HAS):
                    first = ws[1:at] if ws[0] == "both" else ws[:at]
                    ones = list(self.conditions((*first, *ws[verb:]))) if first else []
                    others = list(self.conditions((*ws[at + 1 : verb], *ws[verb:]))) if ones else []
                    yield from (f"{a} and {b}" for a in ones for b in others
                                if self.words.is_condition(a) and self.words.is_condition(b))  # fmt: skip
            left = [found for found in self.conditions(ws[:at]) if self.words.is_condition(found)][:3]
            right = list(self.conditions(ws[at + 1 :])) if left else []
            for verb in range(1, at if left else 0):  # what is said of the first is said of the second
                right += self.conditions((*ws[:verb], *ws[at + 1 :])) if ws[verb] in (*IS, *HAS) else ()
                if ws[verb] in (*IS, *HAS):
                    right += self.conditions((*ws[: verb + 1], *ws[at + 1 :]))
            yield from (f"{one} {ws[at]} {other}" for one in left for other in right if self.words.is_condition(other))

    def subjects(self, ws: Words) -> Iterator[tuple[str, str]]:
        """Of whom something is said: how many of them, and who."""
        while ws and ws[0] in ("the", "of"):
            ws = ws[1:]
        if not ws:
            return
        if (len(ws) == 1 and ws[0] in (*SOMEBODY, *EVERYBODY, *NOBODY)) or ws == ("no", "one"):
            how = "any" if ws[0] in SOMEBODY else "all" if ws[0] in EVERYBODY else "no"
            yield how, "players"
        how, rest = self.quantifier(ws)
        if rest:
            for some in self.sets(rest):
                yield how, some
        for text in self.things(ws):
            kind = self.words.type_of(text)
            if how == "" and isinstance(kind, SetOf) and not self.elab.is_place(kind):
                yield ("all" if text == "players" or stems(ws[-1]) != {ws[-1]} else "any"), text  # `my men are …`
            yield "", text

    def quantifier(self, ws: Words) -> tuple[str, Words]:
        if ws[:2] in (("only", "one"), ("exactly", "one"), ("just", "one")):
            return "== 1", ws[2:]
        if ws[0] in NO:
            return "no", ws[1:]
        if ws[0] in ALL:
            return "all", ws[1:]
        if ws[0] in ANY:
            return "any", ws[1:]
        compared, number, rest = self.measure(ws)
        if number.isdecimal() and compared and rest != ws:
            return f"{'>=' if compared == '>' and ws[0] not in ('more', 'over') else compared} {number}", rest
        return "", ()

    def _asked(self, subject: tuple[str, str], predicate: Words) -> Iterator[str]:
        """Something said of one thing, or of some of a set."""
        how, text = subject
        if how == "":
            yield from self.predicates(text, predicate)
            return
        item = self.words.item_of(text)
        if item is None:
            return
        letter = self.words.letter(text)
        inner = self._with(letter, item)
        but_one = predicate[-2:] in (("except", "one"), ("but", "one")) or predicate[:2] in (
            ("but", "one"),
            ("except", "one"),
        )
        if but_one:
            predicate = tuple(word for word in predicate if word not in ("except", "but", "one"))
        if text in self.words.some:
            text = self.inside(text)
            over, _, before = text.partition(" where ")
            ask = f"{over} where {before} and {{0}}"
            each = f"{{0}} for {over} where {before}"
        else:
            ask, each = f"{letter} in {text} where {{0}}", f"{{0}} for {letter} in {text}"
        for condition in inner.predicates(letter, predicate) if predicate else ():
            if not inner.words.is_condition(condition):
                continue
            if but_one:
                yield f"count({ask.format(negated(condition))}) == 1"
            elif how == "all":
                yield f"all({each.format(condition)})"
            elif how in ("any", "no"):
                yield f"{how}({ask.format(condition)})"
            else:
                yield f"count({ask.format(condition)}) {how}"

    def predicates(self, one: str, ws: Words) -> Iterator[str]:
        """Conditions on one thing, or on a place."""
        ws = tuple(word for n, word in enumerate(ws) if word not in ("still", "already", "now", "currently", "also"))
        if not ws:
            return
        if ws[0] in NOT or ws[0] in ("does", "do", "did", "can"):
            rest = ws[2:] if ws[0] in ("does", "do", "did") and ws[1:2] == ("not",) else ws[1:]
            if ws[0] in ("does", "do", "did", "can") and ws[1:2] != ("not",):
                yield from self.predicates(one, rest)
                return
            rest = ("with", *rest) if ws[0] == "without" else rest
            yield from (negated(found) for found in self.predicates(one, rest) if self.words.is_condition(found))
            return
        if len(ws) > 2 and ws[0] in ("has", "have") and ws[1] in (*HAS, "passed", "entered"):
            ws = ws[1:]  # `has reached goal tokens`
        if ws[0] in ("reached", "reaches", "reach", "scored", "scores") and len(ws) > 2:
            numbers = [some for some in self.things(ws[1:2]) if isinstance(self.words.type_of(some), Num)]
            yield from (f"{much} >= {some}" for some in numbers for much in self.quantities(one, ws[2:]))
        if ws[0] in HAS:
            yield from self._has(one, ws[1:])
            yield from self.states(one, ws[1:])
        if ws[0] in IS or ws in _BARE:  # `all plots empty`
            yield from self._is(one, ws[ws[0] in IS :])
        if ws[0] in REACHES:
            yield from self._on_row(one, ws[1:])
        if ws[0] in REACHES or (
            ws[1:2] and ws[1] in ("on", "in", "at", "to") and ws[0] in (*REACHES, "moves", "gets", "comes")
        ):
            rest = ws[2:] if ws[1:2] and ws[1] in ("on", "in", "at", "to") else ws[1:]
            for other in self.things(rest) if rest else ():
                yield from self.relations(one, other)
        yield from self.states(one, ws)
        yield from self._by_formula(one, ws)
        for at in range(1, len(ws) - 1):  # `is on the board or in my hand`
            if ws[at] in ("or", "and"):
                right = (
                    ws[at + 1 :] if ws[at + 1] in (*IS, *HAS, *NOT) else (*ws[: ws[0] in (*IS, *HAS)], *ws[at + 1 :])
                )
                first = [found for found in self.predicates(one, ws[:at]) if self.words.is_condition(found)][:3]
                then = (
                    [found for found in self.predicates(one, right) if self.words.is_condition(found)] if first else []
                )
                yield from (f"{a} {ws[at]} {b}" for a in first for b in then)

    def states(self, one: str, ws: Words) -> Iterator[str]:
        """`passed`, `red`, `a king`."""
        ws = ws[1:] if ws and ws[0] in (*THE, "been", "got") else ws
        if ws and ws[0] in NOT:
            yield from (negated(found) for found in self.states(one, ws[1:]))
        elif ws:
            kind = self.words.type_of(one)
            for name, of in types_of_attributes(kind) if isinstance(kind, Elem) and ws[1:] else ():
                if isinstance(of, Elem | Num) and alike(name, ws[0]):  # `with role r`
                    yield from (f"{one}.{name} == {other}" for other in self.things(ws[1:]))
            yield from self.words.states(self.words.type_of(one), one, ws)

    def _by_formula(self, one: str, ws: Words) -> Iterator[str]:
        """`rock beats paper`: a formula that is asked of two."""
        for name in self.words.named(ws) if len(ws) == 1 else ():  # `m can jump`
            if self.words.is_set(call := f"{name}({one})"):
                yield f"any({call})"
        for name in self.words.named(ws[:1]) if ws[1:] else ():
            declared = self.elab.world.names.get(name)
            if declared is None or declared.sort != "formula":
                continue
            if len(declared.data.parameters) == 2:
                yield from (f"{name}({one}, {other})" for other in self.things(ws[1:]))
            elif len(declared.data.parameters) == 1 and one == "me":  # `I can afford c`
                yield from (f"{name}({other})" for other in self.things(ws[1:]))

    def _is(self, one: str, ws: Words) -> Iterator[str]:
        if not ws:
            return
        if ws[0] in ("not", "no"):
            for at in range(2, len(ws) - 1):  # `is not here or there`: neither of them
                if ws[at] == "or":
                    pairs = ((a, b) for a in self._is(one, ws[1:at]) for b in self._is(one, ws[at + 1 :]))
                    yield from (f"not ({a} or {b})" for a, b in pairs if all(map(self.words.is_condition, (a, b))))
            yield from (negated(found) for found in self._is(one, ws[1:]) if self.words.is_condition(found))
            return
        if ws in _BARE:
            asked = (f"empty({one})", f"no({one})")
            yield from (*(reversed(asked) if self.words.is_set(one) else asked), f"not {one}", f"{one} == 0")
        if ws in (("mine",), ("my", "own"), ("yours",)):
            yield f"{one}.owner == me"
        if ws[0] in BESIDE:
            rest = tuple(word for word in ws[1:] if word != "to")
            for other in self.things(rest) if rest else ():
                for here in (one, *self.where_is(one)):
                    yield from (f"{here} in {some}" for some in self.neighbors(other))
        compared, number, rest = self.measure(ws)
        if compared and not rest:
            yield f"{self.counted(one)} {compared} {number}" if self.words.is_set(one) else f"{one} {compared} {number}"
        sign, behind = self.lead(ws)
        if sign and behind:  # `is higher than my last cross in r`
            yield from (f"{one} {sign} {other}" for other in self.things(behind))
        yield from self._on_row(one, ws)
        if ws in (("on", "board"), ("on", "the", "board"), ("in", "play"), ("placed",)):
            yield from self.where_is(one)
        if ws[0] in ("in", "on", "at", "inside", "among") and ws[1:]:
            for other in self.things(ws[1:]):
                yield from self.relations(one, other)
        if len(those := alternatives(ws)) > 1:
            named = [self.words.named(tuple(some)) for some in those]
            if all(named):
                yield f"{one} in [{', '.join(names[0] for names in named)}]"
        yield from self.states(one, ws)
        for other in self.things(ws):
            yield from self.relations(one, other)

    def _on_row(self, one: str, ws: Words) -> Iterator[str]:
        """`on the last row`, `in column 3`."""
        ws = tuple(word for word in ws if word not in (*THE, "in", "on", "at", "my", "its"))
        if len(ws) != 2 or not (axis := ROWS.get(ws[0], "") or ROWS.get(ws[1], "")):
            return
        which = ws[1] if ws[0] in ROWS else ws[0]
        for text in (*self.where_is(one), one):
            kind = self.words.type_of(text)
            most = dict(types_of_attributes(kind)).get(axis) if isinstance(kind, Elem) else None
            if isinstance(most, Num):
                first = which in ("first", "bottom", "home", "own", "left")
                number = "1" if first else str(most.high) if which in _FAR_ROWS else as_number(which)
                if number:
                    yield f"{text}.{axis} == {number}"

    def relations(self, one: str, other: str) -> Iterator[str]:
        """Whether one thing is another, or in it; of a piece, where it stands."""
        kind = self.words.type_of(other)
        if kind is not None and self.elab.is_place(kind):
            yield f"{one} in {other}"
        for text in (*self.where_is(one), one):
            yield from (f"{text} in {other}", f"{text} == {other}")
        if isinstance(kind, Num) or ".." in other:  # a row, a number of a space
            for text in (*self.where_is(one), one):
                of = self.words.type_of(text)
                known = dict(types_of_attributes(of)) if isinstance(of, Elem) and of.root.kind == "space" else {}
                for name in ("index", "y", "x"):
                    if isinstance(known.get(name), Num):
                        yield f"{text}.{name} {'in' if '..' in other else '=='} {other}"
        if isinstance(kind, Elem) and kind.root.kind == "piece":
            yield from (f"{one} == {where}" for where in self.where_is(other))

    def _has(self, one: str, ws: Words) -> Iterator[str]:
        """`has at least 3 coins`, `has no cards`, `contains king or prince`."""
        if not ws:
            return
        if ws[0] in ("no", "not", "none", "any") or ws[:2] == ("run", "out"):
            rest = tuple(word for word in ws[1:] if word not in ("out", "any", "of", "a", "an"))
            for quantity in self.quantities(one, rest):
                yield self.is_some(quantity) if ws[0] == "any" else self.is_none(quantity)
            return
        compared, number, rest = self.measure(ws)
        if compared:
            for quantity in self.quantities(one, rest) if rest else ():
                yield f"{quantity} {compared} {number}"
        else:
            for quantity in self.quantities(one, ws):
                yield self.is_some(quantity)
        if self.words.is_set(one):
            plain = tuple(word for word in ws if word not in THE)
            for some in self.words.where(one, plain):
                yield f"any({self.inside(some)})"
            for other in self.things(ws):
                yield f"{other} in {one}"

    def is_none(self, quantity: str) -> str:
        return (
            f"no({quantity[6:-1]})" if quantity.startswith("count(") and quantity.endswith(")") else f"{quantity} == 0"
        )

    def is_some(self, quantity: str) -> str:
        return (
            f"any({quantity[6:-1]})" if quantity.startswith("count(") and quantity.endswith(")") else f"{quantity} > 0"
        )

    def quantities(self, one: str, ws: Words) -> Iterator[str]:
        """How much of something one has: a number, or a set that is counted."""
        ws = ws[1:] if ws[:1] and ws[0] in (*THE, "any", "all") and len(ws) > 1 else ws
        tried = [ws]
        while len(tried[-1]) > 1 and tried[-1][-1] in (*AWAY, *LEFT, "it", "them"):
            tried.append(tried[-1][:-1])
        is_left = len(ws) > 1 and ws[-1] in LEFT
        for words in tried:
            for text in self.words.of(one, words) if words else ():
                kind = self.words.type_of(text)
                if isinstance(kind, Num):
                    yield text
                elif isinstance(kind, BagOf):
                    yield f"total({text})"
                elif self.words.is_set(text):
                    reserve = f"reserve({text.rpartition('.')[2]})"
                    if is_left and one == "me" and self.words.type_of(reserve) is not None:
                        yield f"count({reserve})"
                    yield self.counted(text)
        kind = self.words.type_of(one)
        if isinstance(kind, Elem) and ws:
            yield from self._held(one, kind, tried[-1])
        if kind is not None and self.elab.is_place(kind) and ws:  # `beach has 5 cards`
            yield from (self.counted(found) for found in self._in_place(tried[-1], one))
        if isinstance(kind, Elem) and kind.root.kind == "space" and ws:
            yield from (self.counted(found) for some in self.sets(ws) for found in self._among(some, one))
        for at in range(1, len(ws) - 1):
            if ws[at] in ("in", "on", "at", "from"):
                for text in self.words.of(one, ws[:at]):
                    if isinstance(self.of_pieces(text), Elem):
                        for other in self.things(ws[at + 1 :]):
                            yield from (self.counted(some) for some in self._among(text, other))
                        yield from (self.counted(some) for some in self._standing(text))

    def _held(self, one: str, kind: Elem, ws: Words) -> Iterator[str]:
        """`hidden people`, `cards`: what lies in the places of somebody, by the place or by the pieces."""
        places = [f"{one}.{name}" for name, of in types_of_attributes(kind) if self.elab.is_place(of)]
        if len(ws) > 1:
            yield from (self.counted(text) for text in self.words.of(one, ws[:-1]) if text in places)
        elif ws[0] in PIECES:
            yield from (self.counted(place) for place in places)

    def _among(self, some: str, place: str) -> Iterator[str]:
        item = self.of_pieces(some)
        for name, of in types_of_attributes(item) if isinstance(item, Elem) else ():
            if isinstance(of, Elem) and of.root.kind == "space":
                found = self.words.set_where(some, f"{{v}}.{name} {'in' if self.words.is_set(place) else '=='} {place}")
                if self.words.type_of(found) is not None:
                    yield found

    def lead(self, ws: Words) -> tuple[str, Words]:
        """How something is compared, and what stands behind that."""
        compared, rest = "", ws
        for lead, sign in MORE.items():
            if ws[: len(lead)] == lead and (not compared or len(ws) - len(rest) < len(lead)):
                compared, rest = sign, ws[len(lead) :]
        return compared, rest

    def measure(self, ws: Words) -> tuple[str, str, Words]:
        """`at least 3`, `3 or more`, `exactly half of n`: how it is compared, with what, and what is left."""
        compared, rest = self.lead(ws)
        if rest and rest[0] in COMPARES:
            compared, rest = rest[0], rest[1:]
        if not rest:
            return "", "", ws
        number = as_number(rest[0])
        if (
            not number
            and compared
            and isinstance(self.words.type_of(found := next(iter(self._single(rest[0])), "")), Num)
        ):
            number = found
        if not number:
            return "", "", ws
        rest = rest[1:]
        for behind, sign in BEHIND.items():
            if rest[: len(behind)] == behind:
                compared, rest = sign, rest[len(behind) :]
        return compared or ("==" if number != "1" or ws[0] == "1" else ">="), number, rest

    def _there_is(self, ws: Words) -> Iterator[str]:
        """`there is a man on p`, `no cards left`, `deck runs out`."""
        if ws[:2] in (("there", "is"), ("there", "are"), ("there", "isn't"), ("there", "aren't"), ("is", "there")):
            ws = ("no", *ws[2:]) if "n't" in ws[1] else ws[2:]
        if not ws:
            return
        gone = ws[-2:] in (("runs", "out"), ("run", "out"), ("ran", "out"), ("used", "up")) or ws[-1:] in (
            ("gone",),
            ("exhausted",),
        )
        if gone:
            rest = ws[:-1] if ws[-1] in ("gone", "exhausted") else ws[:-2]
            rest = rest[:-1] if rest and rest[-1] in IS else rest
            yield from (self.is_none(self.counted(some)) for some in self.sets(rest)) if rest else ()
            return
        none = ws[0] in ("no", "not") or ws[:2] == ("out", "of")
        rest = ws[2:] if ws[:2] in (("out", "of"), ("no", "more"), ("not", "any")) else ws[1:] if none else ws
        if not none and ws[0] not in (*ANY, "more") and ws[-1] not in LEFT:
            compared, number, counted = self.measure(ws)
            if compared and counted:
                for one in (*self.words.bound, *(() if self.elab.no_me else ("me",))):  # `less than 3 knights`
                    yield from (f"{quantity} {compared} {number}" for quantity in self.quantities(one, counted))
                for some in self.sets(counted):
                    yield f"{self.counted(some)} {compared} {number}"
                if counted[-1] in (*UNITS, "moves"):  # `60 quiet moves`
                    counted = counted[:-1]
                yield from (f"{some} {compared} {number}" for some in self.things(counted))
            return
        if not rest:
            return
        if rest[-1] in IS and len(rest) > 1:  # `no cards are`
            rest = rest[:-1]
        for some in self.things(rest):
            kind = self.words.type_of(some)
            if isinstance(kind, Num):
                yield f"{some} == 0" if none else f"{some} > 0"
            elif self.words.is_set(some):
                yield self.is_none(self.counted(some)) if none else self.is_some(self.counted(some))
            elif isinstance(kind, Bool) or (isinstance(kind, Elem) and kind.maybe):
                yield negated(some) if none else some

    def _ordinal(self, ws: Words) -> Iterator[str]:
        """`second turn`, `the first round`."""
        ws = tuple(word for word in ws if word not in THE)
        if len(ws) == 2 and ws[0] in ORDINALS and ws[1] in ("turn", "round", "move"):
            yield f"{'round' if ws[1] == 'round' else 'turn_number'} == {ORDINALS.index(ws[0]) + 1}"

    def _row(self, ws: Words) -> Iterator[str]:
        """`3 in a row`."""
        for at in range(len(ws) - 2):
            if ws[at : at + 3] in (("in", "a", "row"), ("in", "a", "line")) or ws[at : at + 2] == ("in", "row"):
                number = next((found for word in ws[:at] if (found := as_number(word))), "")
                for one in self.words.everything_at_hand() if number else ():
                    yield f"line({one}, {number}, of=me)"

    def _players_left(self, ws: Words) -> Iterator[str]:
        """`one player left`: what says who still plays."""
        if not ws or ws[-1] not in (*LEFT, "in", "stays", "alive"):
            return
        ws = tuple(word for word in ws[:-1] if word not in IS)
        if len(ws) < 2 or ws[-1] not in PEOPLE or {*ws[:-2]} - {*THE, "only", "exactly"}:
            return
        compared = {"one": "== 1", "1": "== 1", "no": "== 0"}.get(ws[-2], "")
        if number := as_number(ws[-2]):
            compared = f"== {number}"
        if not compared:
            return
        names = self.elab.world.names.values()
        sets = [d.name for d in names if d.sort == "formula" and not d.data.parameters]
        sets = [name for name in sets if self._is_of_players(name)]
        sets.sort(key=lambda name: not any(alike(part, word) for part in name.split("_") for word in _STAYING))
        yield from (f"count({name}) {compared}" for name in sets)
        letter = self.words.letter("players")
        who = Elem(self.players, self.players.everything)
        states = [name for name, of in types_of_attributes(who) if isinstance(of, Bool)]
        states.sort(key=lambda name: not any(alike(part, word) for part in name.split("_") for word in _GONE))
        yield from (f"count({letter} in players where not {letter}.{name}) {compared}" for name in states)

    def _is_of_players(self, name: str) -> bool:
        item = self.words.item_of(name)
        return isinstance(item, Elem) and item.root is self.players


__all__ = ["Phrase", "tokens"]
