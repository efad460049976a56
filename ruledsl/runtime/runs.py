"""Options that differ in a number alone, told as one: `raise to 40` and 960 more, up to `raise to 1000`.

To write out a thousand texts takes longer than all else that a seat is shown. Where the label of an option says the
number as it is, or with something added, the first text tells all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.walk import looks_at
from ruledsl.records import dataclass
from ruledsl.types import Num

if TYPE_CHECKING:
    from .play import Option, Play

FEWEST = 8  # options that are told as one


@dataclass(frozen=True)
class Run:
    """Options one after the other: the text of each is `head`, a number, `tail`; the numbers go up by one."""

    option: Option
    count: int = 1
    head: str = ""
    number: int = 0
    tail: str = ""

    def text(self, at: int) -> str:
        return f"{self.head}{self.number + at}{self.tail}" if self.count > 1 else self.option.text

    def holds(self, index: int) -> bool:
        """Whether an option is one of these."""
        return 0 <= index - self.option.index < self.count


def amounts(play: Play, seat: int, language: str = "en") -> list[Run]:
    """Only what is told as one: no other text is written."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None:
        return []
    found = (
        _run(play, seat, language, *ends) for ends in _ranges(stop.choice, stop.options) if ends[1] - ends[0] >= FEWEST
    )
    return [run for run in found if run]


def runs(play: Play, seat: int, language: str = "en") -> list[Run]:
    """What a seat may choose, in the order of the rules."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None:
        return []
    found = []
    for first, last in _ranges(stop.choice, stop.options):
        run = _run(play, seat, language, first, last) if last - first >= FEWEST else None
        found += [run] if run else [Run(play.option(seat, at, language)) for at in range(first, last)]
    return found


def _ranges(choice: C.Choice, options: tuple[Any, ...]) -> Iterator[tuple[int, int]]:
    """Where options begin and end that have one number each, one more than the option before."""
    first = 0
    for at in range(1, len(options) + 1):
        before = options[at - 1]
        if at < len(options) and _is_number(choice, before) and options[at] == (before[0], before[1] + 1):
            continue
        yield first, at
        first = at


def _is_number(choice: C.Choice, raw: tuple[Any, ...]) -> bool:
    if raw[0] < 0 or len(raw) != 2:
        return False
    entry = choice.entries[raw[0]]
    return len(entry.variables) == 1 and isinstance(entry.variables[0].type, Num) and entry.variables[0].fewest is None


def _run(play: Play, seat: int, language: str, first: int, last: int) -> Run | None:
    """These options as one, if their texts differ in one number that goes up by one."""
    stop = play.stop_of(seat)
    assert stop is not None, "a seat with options stands at a choice"
    assert stop.choice is not None, "a seat with options stands at a choice"
    entry = stop.choice.entries[stop.options[first][0]]
    if entry.label is not None and not _says_number(entry.label.parts(language), entry.variables[0].slot):
        return None
    option, end = (play.option(seat, at, language) for at in (first, last - 1))
    for found in re.finditer(r"\d+", option.text):
        head, tail, number = option.text[: found.start()], option.text[found.end() :], int(found[0])
        if f"{head}{number + last - 1 - first}{tail}" == end.text:
            return Run(option, last - first, head, number, tail)
    return None


def _says_number(parts: tuple[str | C.Hole, ...], slot: int) -> bool:
    """Whether one hole of a text says the number in a slot, or that with something added, and the others do not ask."""
    asking = [part for part in parts if isinstance(part, C.Hole) and looks_at(part.node, slot)]
    return len(asking) == 1 and not asking[0].forms and isinstance(asking[0].type, Num) and _grows(asking[0].node, slot)


def _grows(node: C.Node, slot: int) -> bool:
    """Whether an expression is by one larger where a slot is by one larger."""
    match node:
        case C.Get(slot=of):
            return of == slot
        case C.Op(name="add", args=(one, other)) if looks_at(other, slot):
            return not looks_at(one, slot) and _grows(other, slot)
        case C.Op(name="add" | "subtract", args=(one, other)):
            return not looks_at(other, slot) and _grows(one, slot)
    return False


__all__ = ["Run", "runs"]
