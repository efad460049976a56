"""Sets that a person picks in any order.

The rules take the elements of a set in one order, so that each set comes once; somebody who wants to pass the queen and
the five would have to begin with the five. People pick what they like first: what they have picked is kept beside the
play, and when it is a whole set its elements are taken in the order of the rules, as one decision. Executors, bots and
records never see another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from ruledsl.boards.marks import plain
from ruledsl.engine.options import DONE, STRIDE, chosen, staged
from ruledsl.ir.core import RulesFault
from ruledsl.records import dataclass
from ruledsl.types import BagOf, ListOf

from .arranged import arranged, told_from_others
from .asked import Step

if TYPE_CHECKING:
    from ruledsl.ir import core as C

    from .play import Option, Play

State = list[int]
Raw = tuple[Any, ...]

PICKED = "+"  # before the number of what is picked so
_MOST_ELEMENTS = 60  # of a set that is picked so
_MOST_STEPS = 600  # that are looked at for one list


@dataclass
class Gathering:
    """What the people at a table have picked of sets, and the rules have not been told of yet."""

    play: Play
    _picked: dict[int, tuple[State, tuple[int, ...]]] = field(default_factory=dict)  # with the position then

    def of(self, seat: int) -> tuple[int, ...]:
        """The elements that a seat has picked of the set it is asked for."""
        before, found = self._picked.get(seat, ([], ()))
        return found if found and before == self.play.state_of(seat) else ()

    def pick(self, seat: int, option: Option) -> None:
        """Picks one more: `option` is one that gathers."""
        self._picked[seat] = self.play.state_of(seat)[:], option.gathered

    def put_back(self, seat: int) -> tuple[int, ...]:
        """Takes back what was picked last, if anything was."""
        found = self.of(seat)
        self._picked[seat] = self.play.state_of(seat)[:], found[:-1]
        return found[-1:]


def in_any_order(
    play: Play, seat: int, options: Sequence[Option], language: str, picked: tuple[int, ...] = ()
) -> list[Option]:
    """The options; where the next elements of a set are asked for, all that may be in it with what was picked."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None or stop.choice.stage is None:
        return list(options)
    found: list[Option] = []
    instead: dict[int, list[Option] | None] = {}  # by entry; worked out once, of however many options it has
    for option in options:
        number = option.raw[1] if option.raw[0] == DONE else option.raw[0]
        if number not in instead and not option.then:
            elements = instead[number] = _elements(play, seat, number, language, picked)
            if elements is not None:
                found += elements + [one for one in options if not picked and one.raw == (DONE, number)]
        if option.then or instead[number] is None:
            found.append(option)
    return [replace(option, place=place) for place, option in enumerate(found)]


def _elements(play: Play, seat: int, number: int, language: str, picked: tuple[int, ...]) -> list[Option] | None:
    """What may be picked of a set, in the place of an entry's options; None where these stay as they are."""
    asked = _Asked.of(play, seat, number) if number >= 0 else None
    if asked is None or not asked.holds(picked):
        return [] if picked else None
    return asked.options(language, picked)


def names_of(play: Play, seat: int, picked: Sequence[int], language: str) -> str:
    """What was picked, in words."""
    step = step_of(play, seat, picked, language)
    return step.text if step is not None else ""


def step_of(play: Play, seat: int, picked: Sequence[int], language: str) -> Step | None:
    """What was picked, as a step that was taken."""
    stop = play.stop_of(seat)
    choice = stop.choice if picked and stop is not None else None
    for number in range(len(choice.entries) if choice is not None and choice.stage is not None else 0):
        asked = _Asked.of(play, seat, number)
        if asked is not None and asked.holds(picked):
            v = asked.state[:]
            for value in picked:
                play.machine.options.add(v, asked.variable, value)
            found, kind = chosen(v, asked.variable), asked.variable.type
            return Step(plain(play.words.name(found, kind, language, (v, seat))), kind=kind, value=found)
    return None


def is_picked(option: Option) -> bool:
    """Whether an option is one of those that are picked in any order."""
    return bool(option.gathered or option.then)


def key_of(option: Option) -> str:
    """By which a page takes an option: its number, with a sign before it where it is picked in any order."""
    return f"{PICKED}{option.index}" if is_picked(option) else str(option.index)


class _TooMany(Exception):
    """More steps than are looked at for a list."""


@dataclass
class _Asked:
    """A set that an entry of a choice asks for next, and of which nothing is chosen yet."""

    play: Play
    seat: int
    state: State
    choice: C.Choice
    number: int
    position: int
    order: dict[int, int]  # of its elements, by value
    alike: dict[int, Any]  # what elements have in common that nothing tells apart
    steps: int = 0

    @classmethod
    def of(cls, play: Play, seat: int, number: int) -> _Asked | None:
        stop = play.stop_of(seat)
        assert stop is not None
        choice = stop.choice
        assert choice is not None
        assert choice.stage is not None
        state = play.state_of(seat)[:]
        entry, stage = choice.entries[number], state[choice.stage]
        at, position = divmod(stage - 1, STRIDE) if stage else (number, 0)
        if at != number or not staged(entry) or entry.label is None or not entry.variables:
            return None
        variable = entry.variables[position]
        begun = chosen(state, variable)
        if variable.fewest is None or variable.ordered or isinstance(variable.type, ListOf) or _any(begun):
            return None
        options = play.machine.options
        options.seat = seat
        with play.machine.quiet():
            values = list(range(len(begun))) if isinstance(variable.type, BagOf) else options.offered(state, variable)
            alike = options.twins_among(state, variable, values) if not isinstance(variable.type, BagOf) else []
        if len(values) > _MOST_ELEMENTS:
            return None
        order = {value: at for at, value in enumerate(values)}
        return cls(play, seat, state, choice, number, position, order, dict(zip(values, alike, strict=False)))

    @property
    def variable(self) -> C.Variable:
        return self.choice.entries[self.number].variables[self.position]

    def holds(self, picked: Sequence[int]) -> bool:
        return all(value in self.order for value in picked)

    def options(self, language: str, picked: tuple[int, ...]) -> list[Option] | None:
        """What may be picked next, and that nothing more is picked; None where the steps of the rules say it better."""
        try:
            with self.play.machine.quiet():
                ends = dict(self._ends(picked))
        except (RulesFault, _TooMany):
            return None
        found = [self._option(self.order[value], (self.number, value), language) for value in ends if value != DONE]
        found = told_from_others(self.play, self.seat, arranged(self.play, self.seat, found), language)
        if len({option.text for option in found}) < len(found):
            return None
        found = [replace(option, **ends[option.raw[1]]) for option in found]
        if DONE in ends:
            found.append(replace(self._option(len(self.order), (DONE, self.number), language), **ends[DONE]))
        return found

    def _ends(self, picked: tuple[int, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
        """The elements that may be picked, each with what its option has: the steps of the rules to the whole set, or
        what is picked by then; behind them that the set is whole as it is."""
        for value in self._free(picked):
            all_of_them = (*picked, value)
            way = self._way(all_of_them, more=False)
            if way is not None and way[-1][0] != DONE:  # the rules ask for no more
                yield value, {"raw": way[0], "then": way[1:]}
            elif way is not None or self._way(all_of_them, more=True) is not None:
                yield value, {"gathered": all_of_them}
        way = self._way(picked, more=False) if picked else None
        if way is not None:
            yield DONE, {"raw": way[0], "then": way[1:]}

    def _option(self, at: int, raw: Raw, language: str) -> Option:
        stop = self.play.stop_of(self.seat)
        assert stop is not None
        index = stop.options.index(raw) if raw in stop.options else len(stop.options) + at
        return self.play.as_option(self.state, self.choice, index, raw, language, self.seat)

    def _free(self, picked: Sequence[int]) -> Iterator[int]:
        """The elements that are left, of those that nothing tells apart the first."""
        if isinstance(self.variable.type, BagOf):
            yield from self.order  # how many there are the rules know
            return
        told: set[Any] = set()
        for value in self.order:
            if value not in picked and self.alike.get(value, value) not in told:
                told.add(self.alike.get(value, value))
                yield value

    def _way(self, wanted: Sequence[int], more: bool) -> tuple[Raw, ...] | None:
        """The steps of the rules to a whole set that has these elements, and with `more` perhaps others; None if there
        is none."""
        return self._on(self.state, (), tuple(sorted(wanted, key=self.order.__getitem__)), more)

    def _on(self, before: State, raws: tuple[Raw, ...], wanted: tuple[int, ...], more: bool) -> tuple[Raw, ...] | None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise _TooMany
        machine, stage = self.play.machine, self.choice.stage
        assert stage is not None
        mine = [raw for raw in machine.options.all(before, self.choice, self.seat) if self.number in raw[:2]]
        for raw in sorted(mine, key=lambda raw: raw[1:] != wanted[:1] and raw[0] != DONE):  # what is wanted first
            left, ends = wanted, raw == (DONE, self.number)
            if ends and (wanted or not raws):
                continue
            if not ends:
                if raw[0] != self.number or (wanted and self.order[raw[1]] > self.order[wanted[0]]):
                    continue
                if raw[1:] == wanted[:1]:
                    left = wanted[1:]
                elif not more:
                    continue
            after = before[:]
            machine.options.take(after, self.choice, raw)
            if after[stage] != 1 + self.number * STRIDE + self.position:  # the set is whole
                if not left:
                    return (*raws, raw)
                continue
            found = self._on(after, (*raws, raw), left, more)
            if found is not None:
                return found
        return None


def _any(begun: Any) -> bool:
    return any(begun) if isinstance(begun, tuple) else bool(begun)


__all__ = ["PICKED", "Gathering", "in_any_order", "is_picked", "key_of", "names_of", "step_of"]
