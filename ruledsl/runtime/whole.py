"""Sets that are chosen one by one, offered whole where they are few.

The rules take a set in one order, so what stands first in it decides what can follow: who wants a ruby, an onyx and a
pearl would have to begin with the pearl. People are offered `take pearl, ruby, onyx` instead, which is one decision to
them; executors and records keep its steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ruledsl.engine.options import DONE, STRIDE, staged
from ruledsl.ir.core import RulesFault

if TYPE_CHECKING:
    from ruledsl.ir import core as C

    from .play import Option, Play

State = list[int]

_MOST_SETS = 24  # of one entry, and
_MOST_NODES = 200  # steps that are looked at to find them


def with_whole_sets(play: Play, seat: int, options: Sequence[Option], language: str) -> list[Option]:
    """The options; where those of an entry are the next elements of a set, its sets as they would be in the end."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None or play.together is not None:
        return list(options)
    found: list[Option] = []
    entries: dict[int, list[Option]] = {}
    for option in options:
        number = option.raw[1] if option.raw[0] == DONE else option.raw[0]
        entry = stop.choice.entries[number] if number >= 0 else None
        if entry is None or not _is_last_a_set(play.state, stop.choice, entry):
            found.append(option)
        elif number not in entries:
            entries[number] = _sets(play, seat, stop.choice, number, options, language)
            found += entries[number] or [option]
        elif not entries[number]:
            found.append(option)
    if not any(entries.values()):
        return list(options)
    return [replace(option, place=place) for place, option in enumerate(found)]


def _is_last_a_set(v: State, choice: C.Choice, entry: C.Entry) -> bool:
    """Whether what is asked next of an entry is a set, and nothing is asked after it."""
    if entry.label is None or not entry.variables or choice.stage is None or not staged(entry):
        return False
    stage = v[choice.stage]
    position = (stage - 1) % STRIDE if stage else 0
    variable = entry.variables[position]
    return position == len(entry.variables) - 1 and variable.fewest is not None and not variable.ordered


def _sets(
    play: Play, seat: int, choice: C.Choice, number: int, options: Sequence[Option], language: str
) -> list[Option]:
    """The sets that an entry may come to; none if there are too many."""
    own = [o for o in options if o.raw[0] == number or (o.raw[0] == DONE and o.raw[1] == number)]
    by_raw = {option.raw: option for option in own}
    entry = choice.entries[number]
    found: list[Option] = []
    try:
        for state, raws in _ways(play, choice, [option.raw for option in own], number, seat):
            if len(found) == _MOST_SETS:
                return []
            text = " ".join(play.words.text(state, entry.label, language, seat).split()) if entry.label else ""
            found.append(_joined(by_raw[raws[0]], raws, text))
    except (RulesFault, _TooMany):
        return []
    found.sort(key=lambda option: sum(raw[0] != DONE for raw in (option.raw, *option.then)))
    if len({option.text for option in found}) < len(found):
        return []  # nothing tells them apart in words
    return found


class _TooMany(Exception):
    """More steps than are looked at for a list."""


def _ways(
    play: Play, choice: C.Choice, first: Sequence[tuple[Any, ...]], number: int, seat: int
) -> Iterator[tuple[State, tuple[tuple[Any, ...], ...]]]:
    """The states behind each whole set, with the steps to it, in the order in which the rules offer them."""
    machine, looked_at = play.machine, 0
    open_: list[tuple[State, tuple[tuple[Any, ...], ...]]] = [(play.state[:], (raw,)) for raw in reversed(first)]
    with machine.quiet():
        while open_:
            before, raws = open_.pop()
            looked_at += 1
            if looked_at > _MOST_NODES:
                raise _TooMany
            v = before[:]
            machine.options.take(v, choice, raws[-1])
            assert choice.stage is not None, "an entry in steps has a stage"
            if not v[choice.stage]:
                yield v, raws
                continue
            following = machine.options.all(v, choice, seat)
            open_ += [(v, (*raws, raw)) for raw in reversed(following)]


def _joined(first: Option, raws: tuple[tuple[Any, ...], ...], text: str) -> Option:
    """One option for all steps to a set."""
    return replace(first, text=text, own=-1, then=raws[1:])


__all__ = ["with_whole_sets"]
