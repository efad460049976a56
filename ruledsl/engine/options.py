"""What may be chosen: options are worked out afresh from the state, in the order the rules declare.

An option is a tuple: the number of the menu's entry, then the values of its variables. A choice made in steps
(`stepwise`, or several values at once) offers one step at a time, and only steps that can be completed; how far
it has come is in the choice's stage slot. The numbers below stand for an entry where the option is none of the menu.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.core import MOST_TRIED, RulesFault
from ruledsl.source.text import Span
from ruledsl.types import BagOf, Elem, ListOf, SetOf, bits

from .extending import GAVE_UP, Completion
from .menus import MOST_OPTIONS, TOO_MANY

if TYPE_CHECKING:
    from ruledsl.engine.machine import Machine

State = list[int]

STOP = -1  # goes on without choosing
DONE = -2  # the set is complete
NOTHING = -3  # only free actions are left: as if nothing could be chosen
STRIDE = 32  # steps of one entry at the most


class Options:
    """The options of choices; `machine` gives the values of expressions."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.twins: tuple[int, ...] | None = machine.program.twins
        self.hides = machine.program.spots.known >= 0
        self.seat = -1  # who is asked: what they do not know must not show in the options
        self._tries = self._searching = 0

    def all(self, v: State, choice: C.Choice, seat: int) -> tuple[Any, ...]:
        """All options, each once; none at all means that the choice is stuck."""
        self.seat = seat
        stage = v[choice.stage] if choice.stage is not None else 0
        if stage:
            number, position = divmod(stage - 1, STRIDE)
            return tuple(_bounded(self._steps(v, number, choice.entries[number], position), choice))
        found: list[Any] = []
        free: list[Any] = []
        for number, entry in enumerate(choice.entries):
            if entry.anytime is None:
                found.extend(_bounded(self._of_entry(v, number, entry), choice, len(found) + len(free)))
            elif self._holds(v, entry.anytime):
                free.extend(_bounded(self._of_entry(v, number, entry), choice, len(found) + len(free)))
        # Who could do nothing but stop is not asked, unless that would betray what is hidden.
        if choice.stop is not None and (found or free or choice.always) and self._open(v, choice.stop):
            found.append((STOP,))
        elif free and not found:
            free.append((NOTHING,))
        if len(found) + len(free) > MOST_OPTIONS:
            raise RulesFault(choice.span, TOO_MANY)
        return tuple(found + free)

    def exists(self, v: State, choice: C.Choice) -> bool:
        """Whether any entry of the menu can be chosen."""
        return any(
            True
            for number, entry in enumerate(choice.entries)
            if entry.anytime is None
            for _ in self._of_entry(v, number, entry)
        )

    def _holds(self, v: State, condition: C.Node) -> bool:
        return bool(self.machine.evaluator.of(condition)(v))

    def _open(self, v: State, entry: C.Entry) -> bool:
        return all(self._holds(v, condition) for condition in entry.when)

    def _of_entry(self, v: State, number: int, entry: C.Entry) -> Iterator[Any]:
        if not self._open(v, entry):
            return
        if staged(entry):
            yield from self._steps(v, number, entry, 0)
            return
        for values in self._tuples(v, entry, 0, len(entry.variables)):
            yield (number, *values)

    # ---------------------------------------------------------------------------------------- one at once

    def _values(self, v: State, variable: C.Variable) -> Iterator[Any]:
        """The values of a variable, of pieces that nothing tells apart only the first."""
        of = self.machine.evaluator.of
        test = of(variable.where) if variable.where is not None else None
        slot, twins = variable.slot, self.twins if is_piece(variable) else None
        seen: set[Any] = set()
        values = self.machine.evaluator.values(variable.each)(v)
        if self.hides and self.seat >= 0 and is_piece(variable):
            values = self._veiled(v, list(values))
        for value in values:
            if twins is not None:
                key = self._key(v, variable, value)
                if key in seen:
                    continue
            v[slot] = value
            if test is None or test(v):
                if twins is not None:
                    seen.add(key)
                yield value

    def _veiled(self, v: State, values: list[int]) -> list[int]:
        """Pieces that the asked player does not know come last, in an order that says nothing about them."""
        known = [piece for piece in values if self.machine.pieces.knowers(v, piece) >> self.seat & 1]
        unknown = [piece for piece in values if not self.machine.pieces.knowers(v, piece) >> self.seat & 1]
        return known + sorted(unknown, key=lambda piece: self.machine.veil(v, piece))

    def _key(self, v: State, variable: C.Variable, piece: int) -> Any:
        """Equal for pieces of which only the first is offered: nothing tells them apart, not even that one of them is
        already chosen under another name."""
        twin = self._twin(v, piece)
        return (twin, *(_includes(v, one, piece) for one in variable.beside)) if variable.beside else twin

    def _twin(self, v: State, piece: int) -> Any:
        """Equal for pieces that nothing tells apart; pieces that the asked player does not know are all different,
        since equal ones among them would show in the number of options."""
        if self.hides and self.seat >= 0 and not self.machine.pieces.knowers(v, piece) >> self.seat & 1:
            return -1 - piece
        return self.machine.twin(v, piece)

    def _tuples(self, v: State, entry: C.Entry, first: int, last: int) -> Iterator[tuple[Any, ...]]:
        """Values for the variables from `first` up to `last`, so that the rest of the entry can be completed."""
        if first == last:
            if self._completable(v, entry, last):
                yield ()
            return
        variable = entry.variables[first]
        try:
            if first + 1 == last == len(entry.variables) and not entry.where:  # amounts have thousands of options
                yield from ((value,) for value in self._values(v, variable))
                return
            for value in self._values(v, variable):
                for rest in self._tuples(v, entry, first + 1, last):
                    yield (value, *rest)
                    v[variable.slot] = value
        finally:
            v[variable.slot] = 0

    def _completable(self, v: State, entry: C.Entry, position: int) -> bool:
        """Whether values remain for the variables from `position` on."""
        if position == len(entry.variables):
            return all(self._holds(v, condition) for condition in entry.where)
        variable = entry.variables[position]
        if variable.fewest is None:
            kept = v[variable.slot]
            try:
                return any(self._completable(v, entry, position + 1) for _ in self._values(v, variable))
            finally:
                v[variable.slot] = kept
        self._begin()
        if self._full(v, entry, position) or self._one_more(v, entry, position):
            return True
        return self._extended(v, Completion(self, v, entry, position))

    # ------------------------------------------------------------------------------------------ in steps

    def _steps(self, v: State, number: int, entry: C.Entry, position: int) -> Iterator[Any]:
        """The next step of an entry whose variables before `position` are bound."""
        variable = entry.variables[position]
        if variable.fewest is None:
            for values in self._tuples(v, entry, position, self._run(entry, position)):
                yield (number, *values)
            return
        self._begin()
        search: Completion | None = None
        for value in list(self._elements(v, variable)):
            kept = self._partial(v, variable)
            self.add(v, variable, value)
            fits = self._so_far(v, entry)
            if fits and not self._full(v, entry, position):
                search = search or Completion(self, v, entry, position)
                fits = self._extended(v, search)
            self._restore(v, variable, kept)
            if fits:
                yield (number, value)
        if self._full(v, entry, position):
            yield (DONE, number)

    def _run(self, entry: C.Entry, position: int) -> int:
        """Where the step that begins at `position` ends: one variable, or all up to a set."""
        if entry.stepwise:
            return position + 1
        end = position
        while end < len(entry.variables) and entry.variables[end].fewest is None:
            end += 1
        return end

    def _so_far(self, v: State, entry: C.Entry) -> bool:
        return entry.so_far is None or self._holds(v, entry.so_far)

    def _full(self, v: State, entry: C.Entry, position: int) -> bool:
        """Whether the set may be left as it is."""
        variable = entry.variables[position]
        of = self.machine.evaluator.of
        assert variable.fewest is not None
        size = self._size(v, variable)
        if size < of(variable.fewest)(v) or (variable.most is not None and size > of(variable.most)(v)):
            return False
        return self._completable(v, entry, position + 1)

    def _begin(self) -> None:
        """A question of its own, not one that is asked within another, may try as many ways as there are."""
        if not self._searching:
            self._tries = 0

    def _extended(self, v: State, search: Completion) -> bool:
        """Whether the set begun can be completed with more of its elements."""
        self._searching += 1
        try:
            return search.possible(v)
        finally:
            self._searching -= 1

    def _one_more(self, v: State, entry: C.Entry, position: int) -> bool:
        """Whether the set begun is complete with one more element, as most are: that needs no search."""
        variable = entry.variables[position]
        for value in list(self._elements(v, variable)):
            self.add(v, variable, value)
            fits = self._so_far(v, entry) and self._full(v, entry, position)
            self.remove(v, variable, value)
            if fits:
                return True
        return False

    # what a search asks for

    def try_one(self, span: Span | None) -> None:
        self._tries += 1
        if self._tries > MOST_TRIED:
            raise RulesFault(span, GAVE_UP)

    def goes_on(self, v: State, entry: C.Entry, position: int) -> bool:
        return self._completable(v, entry, position)

    def offered(self, v: State, variable: C.Variable) -> list[int]:
        """The elements of a set or list that is chosen, in the order in which they are offered."""
        values = list(self._plain_values(v, variable))
        return self._veiled(v, values) if self.hides and self.seat >= 0 and is_piece(variable) else values

    def twins_among(self, v: State, variable: C.Variable, values: list[int]) -> list[Any]:
        """For each element what it has in common with those that nothing tells apart; nothing if there are none."""
        if self.twins is None or not is_piece(variable):
            return []
        keys = [self._key(v, variable, value) for value in values]
        return keys if len(set(keys)) < len(keys) else []

    def taken(self, v: State, variable: C.Variable) -> list[tuple[int, int]]:
        """The elements of what was begun, and how many of each."""
        partial = self._partial(v, variable)
        if isinstance(variable.type, BagOf):
            return [(kind, n) for kind, n in enumerate(partial) if n]
        return [(value, 1) for value in (partial if isinstance(variable.type, ListOf) else bits(partial))]

    def _elements(self, v: State, variable: C.Variable) -> Iterator[Any]:
        """What may be added to a set begun: in increasing order, so that each set comes once."""
        of = self.machine.evaluator.of
        size = self._size(v, variable)
        if variable.most is not None and size >= of(variable.most)(v):
            return
        if isinstance(variable.type, BagOf):
            bag, partial = of(variable.each.domain[0])(v), self._partial(v, variable)
            last = max((i for i, n in enumerate(partial) if n), default=0)
            yield from (i for i in range(last, len(bag)) if bag[i] > partial[i])
            return
        values = self.offered(v, variable)
        if variable.ordered:
            chosen = self._partial(v, variable)
            yield from (value for value in values if value not in chosen)
            return
        mask, seen = v[variable.slot], set()
        twins = self.twins if is_piece(variable) else None
        last = max((i for i, value in enumerate(values) if mask >> value & 1), default=-1)
        for i, value in enumerate(values):
            if mask >> value & 1:
                continue
            if twins is not None:
                key = self._key(v, variable, value)
                if key in seen:
                    continue
                seen.add(key)
            if i > last:
                yield value

    def _plain_values(self, v: State, variable: C.Variable) -> Iterator[Any]:
        """The elements to pick from; their own condition is about an element, held in the place behind the set."""
        of = self.machine.evaluator.of
        if variable.where is None:
            yield from self.machine.evaluator.values(variable.each)(v)
            return
        test, scratch = of(variable.where), variable.each.slot
        for value in self.machine.evaluator.values(variable.each)(v):
            v[scratch] = value
            if test(v):
                yield value

    def _partial(self, v: State, variable: C.Variable) -> Any:
        return chosen(v, variable)

    def _size(self, v: State, variable: C.Variable) -> int:
        partial = self._partial(v, variable)
        if isinstance(variable.type, SetOf):
            return int(partial.bit_count())
        return sum(partial) if isinstance(variable.type, BagOf) else len(partial)

    def add(self, v: State, variable: C.Variable, value: int) -> None:
        slot = variable.slot
        if isinstance(variable.type, SetOf):
            v[slot] |= 1 << value
        elif isinstance(variable.type, BagOf):
            v[slot + value] += 1
        else:
            v[slot] += 1
            v[slot + v[slot]] = value

    def remove(self, v: State, variable: C.Variable, value: int) -> None:
        """Takes back the element that was added last."""
        slot = variable.slot
        if isinstance(variable.type, SetOf):
            v[slot] ^= 1 << value
        elif isinstance(variable.type, BagOf):
            v[slot + value] -= 1
        else:
            v[slot + v[slot]] = 0
            v[slot] -= 1

    def _restore(self, v: State, variable: C.Variable, partial: Any) -> None:
        if isinstance(variable.type, SetOf):
            v[variable.slot] = partial
        elif isinstance(variable.type, BagOf):
            v[variable.slot : variable.slot + len(partial)] = partial
        else:
            v[variable.slot + v[variable.slot]] = 0
            v[variable.slot] = len(partial)

    # -------------------------------------------------------------------------------------------- taking

    def take(self, v: State, choice: C.Choice, option: Any) -> None:
        """Binds what an option says, and moves the place in the program on."""
        number = option[0]
        if number == STOP:
            assert choice.stop is not None
            v[C.PC] = choice.stop.to
            return
        if number == NOTHING:
            v[C.PC] = choice.stuck
            return
        if number == DONE:
            assert choice.stage is not None
            number, position = divmod(v[choice.stage] - 1, STRIDE) if v[choice.stage] else (option[1], 0)
            self._advance(v, choice, number, position + 1)
            return
        entry = choice.entries[number]
        if not staged(entry):
            for variable, value in zip(entry.variables, option[1:], strict=True):
                v[variable.slot] = value
            v[C.PC] = entry.to
            return
        position = (v[choice.stage] - 1) % STRIDE if choice.stage is not None and v[choice.stage] else 0
        variable = entry.variables[position]
        if variable.fewest is not None:
            self.add(v, variable, option[1])
            assert choice.stage is not None
            v[choice.stage] = 1 + number * STRIDE + position
            most = self.machine.evaluator.of(variable.most)(v) if variable.most is not None else None
            if self._size(v, variable) == most:  # no more can be added: no need to say so
                self._advance(v, choice, number, position + 1)
            return
        for value in option[1:]:
            v[entry.variables[position].slot] = value
            position += 1
        self._advance(v, choice, number, position)

    def _advance(self, v: State, choice: C.Choice, number: int, position: int) -> None:
        entry = choice.entries[number]
        assert choice.stage is not None
        if position == len(entry.variables):
            v[choice.stage] = 0
            v[C.PC] = entry.to
        else:
            v[choice.stage] = 1 + number * STRIDE + position


def _bounded(options: Iterator[Any], choice: C.Choice, before: int = 0) -> Iterator[Any]:
    """The options, as long as there are not more than anybody could choose from."""
    for number, option in enumerate(options, before + 1):
        if number > MOST_OPTIONS:
            raise RulesFault(choice.span, TOO_MANY)
        yield option


def staged(entry: C.Entry) -> bool:
    """Whether an entry is chosen in several steps."""
    return entry.stepwise or any(variable.fewest is not None for variable in entry.variables)


def chosen(v: State, variable: C.Variable) -> Any:
    """What a variable of a choice holds: a value; what was taken so far, where several may be."""
    if isinstance(variable.type, BagOf):
        return tuple(v[variable.slot : variable.slot + variable.type.root.size])
    if isinstance(variable.type, ListOf):
        return tuple(v[variable.slot + 1 : variable.slot + 1 + v[variable.slot]])
    return v[variable.slot]


def _includes(v: State, variable: C.Variable, piece: int) -> bool:
    found = chosen(v, variable)
    if isinstance(variable.type, SetOf):
        return bool(found >> piece & 1)
    return piece in found if isinstance(variable.type, ListOf) else piece == found


def names_pieces(variable: C.Variable) -> bool:
    """Whether a value of a variable, one by one, is a piece."""
    kind = variable.each.form != "range" and variable.type
    return is_piece(variable) or (isinstance(kind, Elem) and kind.root.kind == "piece")


def piece_columns(v: State, choice: C.Choice, raw: tuple[Any, ...]) -> list[int]:
    """Which values of an option are pieces; of a choice in steps those that its stage has."""
    if raw[0] < 0:
        return []
    entry = choice.entries[raw[0]]
    stage = v[choice.stage] if choice.stage is not None and staged(entry) else 0
    variables = entry.variables[(stage - 1) % STRIDE if stage else 0 :]
    return [i for i, variable in enumerate(variables[: len(raw) - 1], 1) if names_pieces(variable)]


def is_piece(variable: C.Variable) -> bool:
    inner = variable.type.of if isinstance(variable.type, SetOf) else variable.type
    return isinstance(inner, Elem) and inner.root.kind == "piece"
