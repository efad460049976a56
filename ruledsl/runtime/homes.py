"""Where play stands, by the statements of the rules: which one every block and every local was made for.

Numbers of blocks mean nothing to other rules. A statement is found again by its part of the rules, its first line, the
lines that it stands under, and its number among those that are alike; and only if as much was made for it as before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.source.document import Map
from ruledsl.source.text import Span

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld


@dataclass
class _Home:
    """A statement, and what was made for it and for nothing inside of it."""

    section: str
    head: str  # its first line
    under: str = ""  # the first lines of all that it stands in, such as the option of a menu
    number: int = 0  # among the statements that are alike in all of this
    blocks: list[int] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)


class Homes:
    """Which statement every block and every local was made for."""

    def __init__(self, world: GameWorld, program: C.Program) -> None:
        self.all: list[_Home] = []
        self.of_block: dict[int, _Home] = {}
        self.of_slot: dict[int, _Home] = {}
        seen: dict[tuple[str, str, str], int] = {}
        sections, outlines = _Sections(world.source), dict[str, _Outline]()
        for made in world.data["homes"]:
            file = made.span.file
            if file.path not in outlines:
                outlines[file.path] = _Outline(file.text)
            home = _Home(sections.of(made.span), _head(made.span), outlines[file.path].under(made.span.start))
            key = (home.section, home.head, home.under)
            home.number = seen[key] = seen.get(key, -1) + 1
            self.all.append(home)
            for numbers, table in ((made.blocks, self.of_block), (made.slots, self.of_slot)):
                for number in numbers:
                    table.setdefault(number, home)  # those inside of it come first
        rest = _Home("", "")  # what holds the play together
        self.all.append(rest)
        for number in range(len(program.blocks)):
            self.of_block.setdefault(number, rest).blocks.append(number)
        for f in program.layout.fields:
            if f.kind == "local":
                self.of_slot.setdefault(f.base, rest).slots.append(f.base)

    def where(self, block: int) -> list[Any]:
        """A block by the statement it was made for, and which of its blocks it is."""
        return self._place(self.of_block[block], block, "blocks")

    def home_of_slot(self, slot: int) -> list[Any]:
        return self._place(self.of_slot[slot], slot, "slots")

    def _place(self, home: _Home, number: int, what: str) -> list[Any]:
        own, verb = getattr(home, what), _verb(home.head)
        others = {h.head for h in self.all if h.section == home.section and _verb(h.head) == verb} - {home.head}
        alike = {h.under for h in self.all if (h.section, h.head) == (home.section, home.head)} - {home.under}
        at = own.index(number)
        return [home.section, home.head, home.under, home.number, at, len(own), sorted(others), sorted(alike)]

    def block(self, place: Any) -> int | None:
        return self._find(place, "blocks")

    def slot(self, place: Any) -> int | None:
        return self._find(place, "slots")

    def _find(self, place: Any, what: str) -> int | None:
        """The block or slot that a place of other rules means; None where that is not certain."""
        match place:
            case [str(section), str(head), str(under), int(number), int(at), int(count), list(others), list(alike)]:
                pass
            case _:
                return None
        fits = [h for h in self.all if len(getattr(h, what)) == count and at < count]
        # What stood elsewhere before with the same words is another one, even if it is the only one now.
        fits = [h for h in fits if (h.section, h.head) != (section, head) or h.under not in alike]
        same = [h for h in fits if h.head == head]
        for found in (
            [h for h in same if (h.section, h.under, h.number) == (section, under, number)],
            same,
            # It was rewritten: the one of its sort that was not there before.
            [h for h in fits if h.section == section and _verb(h.head) == _verb(head) and h.head not in others],
        ):
            if len(found) == 1:
                return int(getattr(found[0], what)[at])
        return None


def _head(span: Span) -> str:
    return " ".join(span.text.strip().split("\n", 1)[0].split())


def _verb(head: str) -> str:
    return re.split(r"[:(]", head, maxsplit=1)[0]


class _Outline:
    """The lines of a file, each with the one that it stands under."""

    def __init__(self, text: str) -> None:
        self.starts: list[int] = []
        self.lines: list[str] = []
        self.parents: list[int] = []
        start, around = 0, list[tuple[int, int]]()  # how deep, and which line
        for line in text.splitlines(keepends=True):
            words = re.sub(r"(^|\s)#.*", "", line).strip()
            depth = len(line) - len(line.lstrip()) + words.startswith("- ")  # `- x` stands under a key beside it
            while words and around and around[-1][0] >= depth:
                around.pop()
            self.starts.append(start)
            self.lines.append(" ".join(words.split()))
            self.parents.append(around[-1][1] if around else -1)
            if words:
                around.append((depth, len(self.lines) - 1))
            start += len(line)

    def under(self, at: int) -> str:
        found, line = [], self.parents[bisect_right(self.starts, at) - 1]
        while line >= 0:
            found.append(self.lines[line])
            line = self.parents[line]
        return " / ".join(reversed(found))


class _Sections:
    """In which part of the rules a place of a file is: `play`, or `effects attack`."""

    def __init__(self, source: Any) -> None:
        self.known: list[tuple[Any, int, int, str]] = []
        for part in source.parts:
            for entry in part.node:
                self._add(entry, entry.key.value)
                if isinstance(entry.value, Map):
                    for inner in entry.value:
                        self._add(inner, f"{entry.key.value} {inner.key.value}")

    def _add(self, entry: Any, name: str) -> None:
        self.known.append((entry.key.span.file, entry.key.span.start, entry.value.span.end, name))

    def of(self, span: Span) -> str:
        fitting = [name for file, start, end, name in self.known if file is span.file and start <= span.start < end]
        return fitting[-1] if fitting else span.file.path.rsplit("/", 1)[-1]
