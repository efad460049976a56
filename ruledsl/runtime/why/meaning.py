"""What a text would mean if everything could be chosen: lines of a menu, with values with which they read so.

All that an option could say is compared with the text, word by word. Best is what reads the same; then that of which
the text has some words, whole and in their order; then what has most words in common with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, Any

from ruledsl.engine.options import STRIDE, staged
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Scalar
from ruledsl.source.letters import in_latin
from ruledsl.types import BagOf, Elem, ListOf, Num, SetOf, bits

from ..typed import contained, plain, words

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

_MOVED = re.compile(r"([a-z])([a-z]\d{1,2})[x-]?([a-z]\d{1,2})")
_MOST_TRIED = 5_000  # combinations of values whose label is read
_MOST_VALUES = 2_000  # of one name
_FEW = 20
_MOST_READ = 400  # options whose short forms are read
WHOLE, PART, LIKE = 3, 2, 1


@dataclass(frozen=True)
class Meant:
    """One line of a menu with values for its names from a step on; of several at once, the ones that are spoken of.

    Where a text is written as programs write it, and says nothing of a name, its value is None: it may be any.
    """

    number: int  # of the entry
    entry: C.Entry
    first: int  # the position of the first name
    values: tuple[Any, ...]
    label: str
    fits: int  # WHOLE, PART or LIKE
    common: int  # how many words it has in common with the text
    named: frozenset[int] = frozenset()  # the positions of the names whose values the text names

    @property
    def variables(self) -> tuple[C.Variable, ...]:
        return self.entry.variables[self.first : self.first + len(self.values)]

    @property
    def whole(self) -> bool:
        """Whether these are the values of all names that are left."""
        return self.first + len(self.values) == len(self.entry.variables)


class Meaning:
    """What texts may mean at one choice of a play."""

    def __init__(self, play: Play, state: list[int], seat: int | None, choice: C.Choice, language: str) -> None:
        self.play, self.state, self.seat, self.choice, self.language = play, state, seat, choice, language
        self.stage = state[choice.stage] if choice.stage is not None else 0
        self.names: dict[Any, list[list[str]]] = {}

    @property
    def position(self) -> int:
        """The name that is asked for, of an entry that is begun."""
        return (self.stage - 1) % STRIDE if self.stage else 0

    def entries(self) -> list[tuple[int, C.Entry]]:
        if self.stage:
            number = (self.stage - 1) // STRIDE
            return [(number, self.choice.entries[number])]
        return list(enumerate(self.choice.entries))

    def of(self, text: str) -> list[Meant]:
        """What fits best; all that fits as well as that."""
        own = self._taken_apart(words(text))
        written = [one for number, entry in self.entries() for one in self._as_written(number, entry, text)]
        if written:
            return written
        found = list(self._noted(text))
        if not found and own:
            found = [one for number, entry in self.entries() for one in self._of_entry(number, entry, own)]
        best = max((one.fits for one in found), default=0)
        found = [one for one in found if one.fits == best]
        if best == PART:  # the text says most of what is short
            shortest = min(len(words(one.label)) for one in found)
            return [one for one in found if len(words(one.label)) == shortest]
        if best == LIKE:
            most = max(one.common for one in found)
            return [one for one in found if one.common == most and 2 * most >= len(own)]
        return found

    def _taken_apart(self, own: list[str]) -> list[str]:
        """Names of spaces by themselves, where they are written in one word, as in `e2e4`, `Nf3` and `Nxf3`."""
        boards = self.play.world.boards
        spaces = {word for board in boards for name in board.root.names for word in words(str(name)) if len(word) > 1}
        found: list[str] = []
        if len(own) > 1 and len(own[0]) < len(own[1]) and own[1] in spaces and own[0] not in spaces:
            own = [*(self._signed(own[0]) or own[:1]), *own[1:]]  # `К:h4`
        for word in own:
            if (moved := _MOVED.fullmatch(word)) and {moved[2], moved[3]} <= spaces:  # `Bf1xf7`
                found += [*self._signed(moved[1]), moved[2], moved[3]]
                continue
            ends = range(1, len(word)) if word not in spaces else ()
            pairs = ([word[:at], in_latin(word[at:])] for at in ends if in_latin(word[at:]) in spaces)
            for first, last in sorted(pairs, key=lambda pair: -len(pair[1])):
                named = [first] if first in spaces else self._signed(first.removesuffix("x"))
                if named or first == "x":
                    found += [*named, last]
                    break
            else:
                found.append(in_latin(word) if in_latin(word) in spaces else word)
        return found

    def _signed(self, letter: str) -> list[str]:
        """The words of what has a letter for its sign: `knight` for `N`."""
        for word, (_, node) in self.play.world.sections.looks.items():
            symbol = node.get("symbol") if isinstance(node, Map) else None
            signs = [entry.value for entry in symbol] if isinstance(symbol, Map) else [symbol]
            if any(isinstance(sign, Scalar) and sign.value.casefold() == letter for sign in signs) and " " not in word:
                return words(self.play.world.title_of_word(word).get(self.language, word))
        return []

    def _noted(self, text: str) -> Iterator[Meant]:
        """Short ways to type an option, as `notation:` says, where there are few options of the sort: `0-0`."""
        kept = self.play.world.data["notations"]
        for number, entry in self.entries() if kept and not self.stage else ():
            _, notations = kept.get(id(entry.label), (None, ()))
            pools = [_all_of(v.type) for v in entry.variables if v.fewest is None]
            if not notations or len(pools) < len(entry.variables):
                continue
            if prod(map(len, pools)) > _FEW:  # `e5` is the move of a pawn that could go there, if anything can
                pools = [self._spoken_of(v, words(text)) for v in entry.variables]
            if prod(map(len, pools)) > _MOST_READ:
                continue
            for values in product(*pools):
                try:
                    known = self.play.words.notations(
                        self.state, entry, 0, values, self.language, self.seat, notations, lambda *_: ""
                    )
                except (RulesFault, LookupError, TypeError):
                    continue  # a notation may speak of what only legal values have
                if plain(text) in (plain(way) for way, _ in known):
                    label = self.label(entry, entry.variables, values)
                    yield Meant(number, entry, 0, values, label, WHOLE, 1)

    def _spoken_of(self, variable: C.Variable, own: Sequence[str]) -> list[Any]:
        """The values that a text names; else those that may be chosen."""
        kind = inner_type(variable.type)
        if isinstance(kind, Num):
            return [int(word) for word in own if word.isdecimal() and len(word) < 10] or list(self._among(variable))
        named = [x for x in _all_of(kind) if any(contained(name, own) for name in self._names_of(x, kind))]
        return named or list(self._among(variable))

    def is_meant(self, one: Meant, text: str) -> bool:
        """Whether a text that is only like what is said means it all the same: what it says besides is no name."""
        own = {word for v in one.entry.variables for word in self._titles(v.name)}
        strange = self.play.configured.vocabulary.strange
        besides = [word for word in words(text) if word in own or strange(word)]
        return one.fits > LIKE or one.common + len(besides) >= len(words(text))

    def _titles(self, name: str) -> Iterator[str]:
        for title in (name, *self.play.world.title_of_word(name).values()):
            yield from words(title)

    def _of_entry(self, number: int, entry: C.Entry, own: Sequence[str]) -> Iterator[Meant]:
        ends = [len(entry.variables)]
        if staged(entry):  # one step may be spoken of, too
            ends.append(self._end_of_step(entry))
        for end in dict.fromkeys(ends):
            yield from self._with_values(number, entry, end, own)

    def _end_of_step(self, entry: C.Entry) -> int:
        end = self.position
        if entry.stepwise or entry.variables[end].fewest is not None:
            return end + 1
        while end < len(entry.variables) and entry.variables[end].fewest is None:
            end += 1
        return end

    def _with_values(self, number: int, entry: C.Entry, end: int, own: Sequence[str]) -> Iterator[Meant]:
        variables = entry.variables[self.position : end]
        if not self._may_say(entry, variables, own):
            return
        found = [self._pool(entry, variable, own) for variable in variables]
        named = frozenset(self.position + at for at, (_, said) in enumerate(found) if said)
        pools = self._shared(variables, found)
        if prod(map(len, pools)) > _MOST_TRIED:
            pools = [
                [x for x in self._among(v) if x in pool] or pool if len(pool) > _FEW else pool
                for pool, v in zip(pools, variables, strict=True)
            ]
        for values in islice(product(*pools), _MOST_TRIED):
            label = self.label(entry, variables, values)
            said = words(label)
            common = _in_common(own, said) or (1 if _run_together(own, said) else 0)
            if not common:
                continue
            fits = WHOLE if said == own else PART if contained(own, said) or _run_together(own, said) else LIKE
            yield Meant(number, entry, self.position, values, label, fits, common, named)

    def _shared(self, variables: Sequence[C.Variable], found: Sequence[tuple[list[Any], bool]]) -> list[list[Any]]:
        """The values of all names. Where one word may name either of two, the other may be all that can be chosen."""
        pools = [pool for pool, _ in found]
        alike: dict[Any, list[int]] = {}
        for at, (variable, (_, said)) in enumerate(zip(variables, found, strict=True)):
            kind = inner_type(variable.type)
            if said and variable.fewest is None and isinstance(kind, Num | Elem):
                alike.setdefault(kind.root if isinstance(kind, Elem) else Num, []).append(at)
        for places in alike.values():
            if len({x for at in places for x in found[at][0]}) < len(places):
                for at in places:
                    more = [x for x in self._among(variables[at]) if x not in found[at][0]]
                    pools[at] = [*found[at][0], *more[:_FEW]]
        return pools

    def _may_say(self, entry: C.Entry, variables: Sequence[C.Variable], own: Sequence[str]) -> bool:
        """Whether any word of the text may be one of an entry: so that thousands of labels need not be read."""
        if entry.label is None:
            fixed = [entry.name, *self.play.world.title_of_action(entry.name).values()] if entry.name else []
        else:
            parts = entry.label.parts(self.language)
            slots = {variable.slot for variable in variables}
            if any(isinstance(part, C.Hole) and not _shows([part], *slots) for part in parts):
                return True
            fixed = [part for part in parts if isinstance(part, str)]
        if {word for text in fixed for word in words(text)} & set(own):
            return True
        kinds = [inner_type(variable.type) for variable in variables]
        return any(isinstance(kind, Num) or self._words_of(kind) & set(own) for kind in kinds)

    def _words_of(self, kind: Any) -> set[str]:
        """All the words of all values of a type."""
        return {word for x in _all_of(kind) for name in self._names_of(x, kind) for word in name}

    def _as_written(self, number: int, entry: C.Entry, text: str) -> Iterator[Meant]:
        """What a program or a test writes: the name of the action, or values behind their names, as in `to=b2`; or what
        the action is called, as the page lists those that are not possible now, however its label reads."""
        parts = [part for part in text.replace(", ", " ").split() if part]
        named = dict(part.split("=", 1) for part in parts if "=" in part)
        action = [part for part in parts if "=" not in part]
        variables = entry.variables[self.position :]
        called = self._is_called(number, entry, text)
        if not (set(named) <= {v.name for v in variables} and (named or "_" in text or called)):
            return
        if action and " ".join(action).replace("_", " ") != entry.name.replace("_", " ") and not called:
            return
        values: list[Any] = []
        for variable in variables:
            inner, word = inner_type(variable.type), named.get(variable.name)
            found = self._called(inner, word) if word is not None else None
            if word is not None and found is None:
                return
            values.append((found,) if found is not None and variable.fewest is not None else found)
        while values and values[-1] is None:
            values.pop()
        yield Meant(number, entry, self.position, tuple(values), text, WHOLE, len(parts))

    def _is_called(self, number: int, entry: C.Entry, text: str) -> bool:
        """Whether a text is the title of an action of which nothing is offered."""
        own = words(text)
        if not entry.name or own != words(self.play.world.title_of_word(entry.name).get(self.language, entry.name)):
            return False
        stop = self.play.stop_of(self.seat)
        return stop is not None and all(raw[0] != number for raw in stop.options)

    def _called(self, kind: Any, word: str) -> Any:
        if isinstance(kind, Num):
            return int(word) if word.lstrip("-").isdecimal() and len(word) < 10 else None
        return next((x for x in _all_of(kind) if words(word) in self._names_of(x, kind)), None)

    # ----------------------------------------------------------------------------------------------- values

    def _pool(self, entry: C.Entry, variable: C.Variable, own: Sequence[str]) -> tuple[list[Any], bool]:
        """The values of a name that the text may speak of, and whether it names them; else such as can be chosen."""
        several, inner = isinstance(variable.type, SetOf | ListOf | BagOf), inner_type(variable.type)
        every, among = _all_of(inner), self._among(variable)
        if isinstance(inner, Elem) and inner.root.kind == "piece":  # what one does not know has no name by itself
            every = [x for x in every if self._known(x) or x in among]
        shown = several or entry.label is None or _shows(entry.label.parts(self.language), variable.slot)
        if isinstance(inner, Num):
            named = self._numbers(entry, variable, own)
        elif not shown:  # a label may show what belongs to a value and not the value itself
            return every, True
        else:
            named = [x for x in every if any(contained(name, own) for name in self._names_of(x, inner))]
        if not named and not several and not isinstance(inner, Num):
            named = [x for x in every if any(set(name) & set(own) for name in self._names_of(x, inner))]
        alike = self._one_of_alike(named or list(among) or every, variable, inner)
        if not several:
            return alike, bool(named)
        together = [tuple(alike)] if len(named) > 1 and 1 < len(alike) <= _FEW else []
        return [*((x,) for x in alike), *together], bool(named)

    def _one_of_alike(self, values: list[Any], variable: C.Variable, kind: Any) -> list[Any]:
        """Of pieces that are called alike, one that may be chosen and one that may not."""
        if not (isinstance(kind, Elem) and kind.root.kind == "piece"):
            return values
        among, first = set(self._among(variable)), dict[Any, Any]()
        for x in values:
            first.setdefault((" ".join(self._names_of(x, kind)[0]), x in among), x)
        return sorted(first.values(), key=lambda x: x not in among)

    def _numbers(self, entry: C.Entry, variable: C.Variable, own: Sequence[str]) -> list[int]:
        """Numbers that the text names, also such as cannot be chosen; a label may show something worked out of them."""
        wanted = [int(word) for word in own if word.lstrip("-").isdecimal() and len(word) < 10]
        found = list(wanted)
        for hole in entry.label.parts(self.language) if entry.label is not None else ():
            if isinstance(hole, C.Hole) and isinstance(hole.type, Num):
                found += self._solved(hole.node, variable, wanted)
        return list(dict.fromkeys(found))

    def _solved(self, node: C.Node, variable: C.Variable, wanted: list[int]) -> Iterator[int]:
        """The numbers for which a straight line comes to what is wanted: `{to - before}`."""
        v = self.state[:]

        def at(x: int) -> int:
            v[variable.slot] = x
            return int(self.play.words.knowing.asking.of(node)(v))

        try:
            start, step = at(0), at(1) - at(0)
            for number in wanted if step else ():
                x = (number - start) // step
                if at(x) == number:
                    yield x
        except RulesFault:
            return

    def _names_of(self, x: Any, kind: Any) -> list[list[str]]:
        """What a value is called, by words: first as players read it."""
        key = (x, kind)
        if key not in self.names:
            seen = (self.state, self.seat)
            shown = str(self.play.words.name(x, kind, self.language, seen))
            found = [shown]
            if not isinstance(kind, Elem) or kind.root.kind != "piece" or self._known(x):
                found.append(str(self.play.words.name(x, kind, "id", seen)))
            self.names[key] = [words(name) for name in found]
        return self.names[key]

    def _known(self, piece: int) -> bool:
        return bool(self.play.viewer.knows(self.state, piece, self.seat))

    def _among(self, variable: C.Variable) -> Any:
        """What may be chosen, where that can be told without the other names."""
        try:
            if isinstance(variable.type, BagOf):
                bag = self.play.machine.evaluator.of(variable.each.domain[0])(self.state)
                return [x for x, count in enumerate(bag) if count]
            return list(self.play.machine.evaluator.values(variable.each)(self.state))
        except RulesFault:
            return ()

    def label(self, entry: C.Entry, variables: Sequence[C.Variable], values: Sequence[Any]) -> str:
        """What an option says with these values."""
        play, v = self.play, self.state[:]
        try:
            if entry.label is not None and self.position + len(variables) == len(entry.variables):
                for variable, value in zip(variables, values, strict=True):
                    bind(v, variable, value)
                return " ".join(play.words.text(v, entry.label, self.language, self.seat).split())
            plain = tuple(
                value[0] if variable.fewest is not None else value
                for variable, value in zip(variables, values, strict=True)
            )
            return " ".join(play.words.option(v, entry, self.position, plain, self.language, self.seat).split())
        except (RulesFault, LookupError, TypeError):
            return ""  # a label may speak of what only legal values have


def inner_type(kind: Any) -> Any:
    """The type of one, where several are chosen."""
    if isinstance(kind, SetOf | ListOf):
        return kind.of
    return Elem(kind.root, kind.mask) if isinstance(kind, BagOf) else kind


def _all_of(kind: Any) -> list[Any]:
    if isinstance(kind, Elem):
        return list(bits(kind.mask))[:_MOST_VALUES]
    if isinstance(kind, Num):
        return list(range(kind.low, min(kind.high, kind.low + _MOST_VALUES) + 1))
    return [0, 1]


def _run_together(own: Sequence[str], said: Sequence[str]) -> bool:
    """Whether the text has words without what parts them: `e2e4`."""
    return len(own) == 1 and len(own[0]) > 3 and len(said) > 1 and "".join(said).endswith(own[0])


def _in_common(own: Sequence[str], said: Sequence[str]) -> int:
    """How many words two texts have in common, in the same order."""
    row = [0] * (len(said) + 1)
    for word in own:
        before = 0
        for at, other in enumerate(said, 1):
            kept = row[at]
            row[at] = before + 1 if word == other else max(row[at], row[at - 1])
            before = kept
    return row[-1]


def _shows(parts: Sequence[str | C.Hole], *slots: int) -> bool:
    """Whether a text shows the value of a slot as it is."""
    nodes = [part.node for part in parts if isinstance(part, C.Hole) and not part.about]
    return any(isinstance(node, C.Get) and node.slot in slots for node in nodes)


def bind(v: list[int], variable: C.Variable, value: Any) -> None:
    """Sets a name to a value; one for several to all of these."""
    slot = variable.slot
    match variable.type:
        case BagOf(root=root):
            v[slot : slot + root.size] = [value.count(i) for i in range(root.size)]
        case ListOf(most=most):
            kept = list(value)[:most]
            v[slot : slot + 1 + len(kept)] = [len(kept), *kept]
        case SetOf():
            v[slot] = sum(1 << x for x in set(value))
        case _:
            v[slot] = value
