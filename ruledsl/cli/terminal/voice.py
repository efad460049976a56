"""How a session speaks: fixed texts, paragraphs, lines of the log, and lists of options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ruledsl.boards.marks import pad, plain
from ruledsl.bots.laid import as_listed
from ruledsl.runtime.runs import Run, amounts
from ruledsl.runtime.runs import runs as runs_of
from ruledsl.runtime.story import Event, story
from ruledsl.runtime.typed import typed_number, words
from ruledsl.wording.columns import columns

from .face import Face
from .words import say

if TYPE_CHECKING:
    from ruledsl.runtime.play import Option, Play

_RUNS = 8  # options above which numbers in a row are one
_FEW = 12  # options that are seen at a glance
_LYING = ("space", "piece", "part")  # what lies on the table, or is a part of it
_MOST_SPELT = 200  # options of which it is worked out how they may be typed
LISTED = 40  # options listed at a time where they are searched
HEAD = ": "  # behind what several options have in common, as in `Horse: b3`


class Voice:
    """Part of a session: all that it writes goes through here."""

    play: Play
    language: str
    settings: Any
    screen: Any
    face: Face
    apart: bool
    script: Any  # where moves come from a file: it has each step
    numbered: bool = True  # whether the options that are asked about were shown with their numbers
    forced: set[int]  # lines of the log of what was decided because nothing else was possible

    def write(self, text: str) -> None:
        self.face.write(text)

    def say(self, key: str, **holes: object) -> str:
        return say(key, self.language, **{name: plain(x) if isinstance(x, str) else x for name, x in holes.items()})

    def paragraph(self, text: str) -> None:
        for line in self.wrapped(text):
            self.write(line)

    def wrapped(self, text: str) -> list[str]:
        indent = " " * (len(text) - len(text.lstrip()))
        return wrap(text, self.settings.columns, subsequent_indent=indent, break_on_hyphens=False)

    def told(self, text: str) -> str:
        """A line of the log; what is printed on cards may be long."""
        return "\n".join(wrap(text, self.settings.columns, initial_indent="  ", subsequent_indent="    "))

    def events(self, seat: int | None, since: int = 0) -> list[str]:
        """What happened since a line of the log, as a seat may read it."""
        return [self._event(event) for event in story(self.play, seat, self.language, since)]

    def _event(self, event: Event) -> str:
        decided = [n for n in range(event.first, event.last + 1) if self.play.log[n].choice is not None]
        own = bool(decided) and all(line in self.forced for line in decided)
        return plain(event.text) + (f" ({self.say('forced')})" if own else "")

    def options(self, seat: int) -> list[Option]:
        """What a seat may choose, as it is listed."""
        if self.script is not None:
            return as_listed(self.play, seat, self.language)
        return as_listed(self.play, seat, self.language, whole=True, picked=self.screen.gathering.of(seat))

    def number(self, seat: int, option: Any) -> str:
        """The number by which an option may be typed; none where it would be another option's text, or where numbers
        are amounts, as in `raise to 40–1500`."""
        ranges = self.ranges(seat)
        if any(run.holds(option.index) for run in ranges):
            return ""
        typed = typed_number(self.play, seat, option, self.language)
        is_amount = typed and any(run.number <= int(typed) < run.number + run.count for run in ranges)
        return "" if is_amount else typed

    def ranges(self, seat: int) -> list[Run]:
        """Options that differ in a number alone, where there are many: what is typed is that number."""
        stop = self.play.stop_of(seat)
        if stop is None or len(stop.options) <= _RUNS:
            return []
        return amounts(self.play, seat, self.language)

    def of_amount(self, seat: int, options: Sequence[Any], typed: str) -> list[Any] | None:
        """The options with a number that was typed alone, as an amount; None where it may be that of a list."""
        ranges = self.ranges(seat) if typed.isdecimal() else []
        amount = int(typed) if ranges and len(typed) < 10 else -1
        wanted = ((run, run.option.index + amount - run.number) for run in ranges)
        places = {index for run, index in wanted if run.holds(index)}
        if not ranges or (not places and any(self.number(seat, option) == typed for option in options)):
            return None
        return [option for option in options if option.index in places]

    def list_options(self, seat: int, options: Sequence[Any], most: int = LISTED) -> None:
        """Options with their numbers: where they stand all the time, or in as many columns as there is room for."""
        self.numbered = True
        ranges = len(options) > _RUNS and bool(self.in_ranges(seat, options))
        if options and not ranges and self.face.few(self.rows(seat, options)):
            return
        for line in self.listed(seat, options, most):
            self.write(line)

    def rows(self, seat: int, options: Sequence[Any]) -> list[tuple[str, str]]:
        """What is typed for each option, and what it says; numbers in a row are one row to go on from."""
        many = len(options) > _RUNS and not any(o.then for o in options)
        told = {run.option.index: run for run in runs_of(self.play, seat, self.language)} if many else {}
        offered = {o.index for o in options}
        inside = {first + at for first, run in told.items() for at in range(1, run.count) if first in offered}
        rows = []
        if len(options) > _FEW:  # what is about nothing on the table is not looked for behind all the spaces
            options = sorted(options, key=lambda o: any(root is not None and root.kind in _LYING for root in o.roots))
        for o in options:
            run = told.get(o.index)
            if run is not None and run.count > 1 and not run.tail.strip():
                rows.append((plain(run.head), f"{plain(run.head)}{run.number}–{run.number + run.count - 1}"))
            elif o.index not in inside or run is not None:
                rows.append((self.number(seat, o) or plain(o.text), plain(o.text or o.notation)))
        return rows

    def listed(self, seat: int, options: Sequence[Any], most: int = LISTED) -> Iterator[str]:
        """The lines of such a list."""
        spelt = self.spellings(seat, options)
        if len(options) > _RUNS and (ranges := self.in_ranges(seat, options)):
            yield from ranges
            return
        cells = [
            f"{self.number(seat, o):>3}  {plain(o.text or o.notation)}"
            + (f" ({spelt[o.index]})" if o.index in spelt and not o.then else "")
            for o in options[:most]
        ]
        yield from self.in_columns(cells)
        if len(options) > most:
            yield f"     {self.say('and_more', n=len(options) - most)}"

    def in_columns(self, cells: Sequence[str]) -> Iterator[str]:
        """Short texts below each other; where there are many, in as many columns as there is room for."""
        widest = max((columns(cell) for cell in cells), default=0) + 3
        count = max(1, min(4, self.settings.columns // widest)) if len(cells) > 6 else 1
        rows = -(-len(cells) // count)
        for row in range(rows):
            line = [cells[i] for i in range(row, len(cells), rows)]
            yield "".join([*(pad(cell, widest) for cell in line[:-1]), line[-1]])

    def in_ranges(self, seat: int, options: Sequence[Any]) -> list[str]:
        """Options of which many are numbers in a row, told as `raise to 40–1500`; nothing where there are none."""
        offered = {option.index for option in options}
        rows: list[str] = []
        for run in self.ranges(seat):
            inside = [place for place in range(run.count) if run.option.index + place in offered]
            offered.difference_update(run.option.index + place for place in inside)
            if len(inside) == 1:
                rows.append(plain(run.text(inside[0])))
            elif inside:
                rows.append(_told(run, inside[0], inside[-1]))
        if not rows:
            return []
        alone = [option for option in options if option.index in offered]
        return [
            *(f"{self.number(seat, o):>3}  {plain(o.text or o.notation)}" for o in alone),
            *(f"     {r}" for r in rows),
        ]

    def ranges_of(self, seat: int, typed: str) -> list[str]:
        """The numbers that are possible behind the words of a text, as for `raise 10` where 40 is the least."""
        own = set(words(typed))
        found = (run for run in self.ranges(seat) if typed.isdecimal() or own & set(words(run.head)))
        return [_told(run, 0, run.count - 1) for run in found]

    def spellings(self, seat: int, options: Sequence[Any]) -> dict[int, str]:
        """How options are written in the manner of the game, by index: the last `notation:` that fits one alone."""
        if not self.play.world.data["notations"] or len(options) > _MOST_SPELT:
            return {}
        options = [o for o in options if not o.then]  # a notation tells of one step
        ways = {o.index: self.play.spelt(o, seat, self.language) for o in options}
        often = Counter(way for all_of_one in ways.values() for way in set(all_of_one))
        found = {}
        for o in options:
            alone = [way for way in ways[o.index] if often[way] == 1]
            if alone and plain(alone[-1]) != plain(o.text):
                found[o.index] = alone[-1]
        return found

    def grouped(self, seat: int, options: Sequence[Any]) -> list[str]:
        """Options that begin alike together, behind what they have in common; nothing where few do."""
        groups: dict[str, list[str]] = {}  # in the order of their numbers
        for option in options:
            text = plain(option.text or option.notation)
            head, common, rest = text.partition(HEAD)
            said = f"{self.number(seat, option)}  {rest if common else head}".strip()
            groups.setdefault(head + HEAD.rstrip() if common else f"\n{text}", []).append(said)
        if sum(len(found) > 1 for found in groups.values()) < 2:
            return []
        lines: list[str] = []
        for head, found in groups.items():
            lines += [f"  {text}" for text in found] if head.startswith("\n") else self._group(head, found)
        return lines

    def _group(self, head: str, found: Sequence[str]) -> Iterator[str]:
        """What options have in common, and each of them: in a line, or in as many as are needed below."""
        line = f"  {head}"
        for text in found:
            if columns(line) + columns(text) + 3 > self.settings.columns:
                yield line
                line = "   "
            line += f"   {text}"
        yield line


def _told(run: Run, first: int, last: int) -> str:
    """Some of a run, as in `raise to 40–1500`."""
    return f"{plain(run.text(first))}–{plain(run.text(last)).removeprefix(plain(run.head))}"


__all__ = ["LISTED", "Voice"]
