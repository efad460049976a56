"""What lies in places and what is counted, drawn in lines: first what is nobody's, then player by player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, TypeAlias

from ruledsl.boards.marks import pad
from ruledsl.runtime.asked import sets_asked
from ruledsl.runtime.table import Panel, Table, Thing
from ruledsl.wording.columns import columns

from .tiles import Tiles
from .words import say

_MOST_NAMES = 14  # of a place, before equal ones are counted
_UNOFFERED = "× "
_CARD = 6  # columns before what goes on of a card, so that it is not taken for another one
_MOST_OF_PILE = 6  # runs of equal pieces that are told from the top

Marked: TypeAlias = dict[int, set[str]]  # the names of what cannot be chosen, by panel


class Panels(Tiles):
    """Draws the panels of tables; part of a `Screen`."""

    dense = False  # whether cards share lines, since there is no room for one each

    def panels(
        self, found: Table, options: Sequence[Any] = (), own_first: bool = False, dense: bool = False
    ) -> Iterator[list[str]]:
        """What lies in places and what is counted: first what is nobody's, then player by player."""
        self.dense = dense
        marked = self.unoffered(found, options)
        seats = list(range(len(found.players)))
        if own_first and found.seat is not None and (own := self.person(found, found.seat, marked)):
            seats.remove(found.seat)
            yield own
        common = self._flowing([self.panel(panel, marked, self.columns) for panel in found.of(None)])
        if common:
            yield common
        people = [self.person(found, seat, marked) for seat in seats]
        lines = [line for person in people for line in person]
        if lines:
            yield lines
        told = [*self.signs_told(found.signs), *([say("unoffered", self.language)] if marked else [])]
        if told:
            yield self._flowing([[line] for line in told])

    def asked_about(self, found: Table, options: Sequence[Any]) -> tuple[Panel, ...]:
        """The places of nobody in which something lies that may be chosen."""
        offered = {piece for option in options for piece in option.pieces}
        places = (panel for panel in found.of(None) if panel.sort == "place")
        return tuple(panel for panel in places if any(offered.intersection(lying) for lying in panel.pieces))

    def _flowing(self, blocks: Sequence[list[str]]) -> list[str]:
        """Blocks below each other; short lines that follow one another share one."""
        lines: list[str] = []
        short = False  # whether the line before may take more
        for block in blocks:
            alone = len(block) == 1 and not block[0].startswith(" ")
            if alone and short and columns(f"{lines[-1]} · {block[0]}") <= self.columns:
                lines[-1] += f" · {block[0]}"
            else:
                lines += block
            short = alone
        return lines

    def person(self, found: Table, seat: int, all_marked: Marked) -> list[str]:
        """A player: what they count in a line, then what lies before them; nothing where there is neither."""
        panels = found.of(seat)
        if not panels:
            return []
        counted = [self._counted(panel) for panel in panels if panel.sort != "place"]
        places = [self.panel(panel, all_marked, self.columns - 2) for panel in panels if panel.sort == "place"]
        name = found.players[seat] + (f" ({say('you', self.language)})" if seat == found.seat else "")
        parts = [name, *counted]
        below = []
        for lines in places:  # what is short shares the first line
            if len(lines) == 1 and columns(" · ".join([*parts, lines[0]])) <= self.columns:
                parts += lines
            else:
                below += lines
        first, *more = self.wrapped("", " · ".join(parts), self.columns)
        return [self.bold(name) + first.removeprefix(name), *more, *(f"  {line}" for line in below)]

    def _counted(self, panel: Panel) -> str:
        return panel.phrase or f"{panel.title} {panel.text}".strip()

    def panel(self, panel: Panel, all_marked: Marked, room: int) -> list[str]:
        """One place, or one line of what is counted."""
        marked = all_marked.get(id(panel), set())
        if panel.sort != "place":
            both = f"{panel.title}: {panel.text}" if panel.title and panel.text else panel.title or panel.text
            return self.wrapped("", panel.phrase or both, room)
        if panel.shape == "count":
            return [panel.phrase or f"{panel.title}: {sum(thing.count for thing in panel.things)}"]
        if panel.shape != "lines" and (drawn := self._row(panel.title, panel.things, marked)):
            return drawn
        if not panel.things:
            return [f"{panel.title}: {say('empty', self.language)}"]
        if panel.shape == "lines" and not self.dense and any(thing.name is not None for thing in panel.things):
            return [f"{panel.title}:", *self._cards(panel.things, marked, room)]
        return self.wrapped(f"{panel.title}: ", self._listed(panel, marked), room)

    def _listed(self, panel: Panel, marked: Collection[str]) -> str:
        """What lies in a place in one go: runs of equal ones in a pile, and equal ones of many, are counted."""
        pile = panel.shape == "pile"
        shown = [self._thing(thing, marked, facts=not pile) for thing in panel.things if thing.name is not None or pile]
        hidden = sum(thing.count for thing in panel.things if thing.name is None)
        if any(thing.name is None and thing.facts for thing in panel.things):  # marks on backs: each where it lies
            return ", ".join(_runs([self._thing(thing, marked, facts=True) for thing in panel.things]))
        if hidden == sum(thing.count for thing in panel.things):
            return say("hidden", self.language, n=hidden)
        if pile and len(panel.things) > 1:
            runs = _runs(shown)
            more = ", …" if len(runs) > _MOST_OF_PILE else ""
            return f"{', '.join(runs[:_MOST_OF_PILE])}{more} ({say('top_first', self.language)})"
        if len(shown) > _MOST_NAMES:
            shown = [_so_many(n, name) for name, n in Counter(shown).items()]
        more = f" {say('more_hidden', self.language, n=hidden)}" if hidden and not pile else ""  # not `3, 4 hidden`
        return ", ".join(shown) + more

    def _thing(self, thing: Thing, marked: Collection[str], facts: bool) -> str:
        said = ", ".join(fact for fact in thing.facts if fact) if facts else ""
        if thing.name is None:
            many = f"{thing.count} × " if thing.count > 1 and said else ""
            return f"{many}{say('face_down', self.language)}" + (f" ({said})" if said else "")
        return f"{_UNOFFERED if thing.name in marked else ''}{self._title(thing)}" + (f" ({said})" if said else "")

    def _title(self, thing: Thing) -> str:
        return f"{thing.count} × {thing.title}" if thing.count > 1 else thing.title

    def _cards(self, things: Sequence[Thing], marked: Collection[str], room: int) -> list[str]:
        """A line for each piece, with what is shown of it in columns; two beside each other where they fit."""
        rows = []
        for thing in things:
            if thing.name is None:
                rows.append([say("hidden", self.language, n=thing.count), *thing.facts])
            else:
                rows.append([f"{_UNOFFERED if thing.name in marked else ''}{self._title(thing)}", *thing.facts])
        widths = [max((columns(row[i]) for row in rows if i < len(row)), default=0) for i in range(max(map(len, rows)))]
        if sum(widths) + 2 * len(widths) > room:  # rather than one line of two
            widths[1:] = [0] * (len(widths) - 1)
        cells = [
            "  ".join(pad(text, wide) for text, wide in zip(row, widths, strict=False) if text or wide).rstrip()
            for row in rows
        ]
        wide = max(map(columns, cells)) + 4
        if len(cells) > 3 and 2 * wide - 2 <= room:
            half = -(-len(cells) // 2)
            cells = [
                f"{pad(cells[i], wide)}{cells[half + i] if half + i < len(cells) else ''}".rstrip() for i in range(half)
            ]
        return [line for cell in cells for line in self.wrapped("  ", cell, room, indent=_CARD)]

    def unoffered(self, found: Table, options: Sequence[Any]) -> Marked:
        """The pieces that cannot be chosen, beside others in their place that can.

        Not where a set is chosen: what is not offered first may still come later.
        """
        sets = sets_asked(self.play, found.seat)
        options = [option for option in options if option.raw[0] not in sets]
        offered = {piece for option in options for piece in option.pieces}
        marked: Marked = {}
        for panel in found.panels:
            if panel.sort != "place":
                continue
            lying = [
                (thing.name, offered.intersection(pieces))
                for thing, pieces in zip(panel.things, panel.pieces, strict=False)
            ]
            chosen = {name for name, some in lying if some}
            if chosen:
                marked[id(panel)] = {name for name, _ in lying if name is not None} - chosen
        return {panel: names for panel, names in marked.items() if names}


def _runs(names: Sequence[str]) -> list[str]:
    """Runs of equal names, each written once."""
    found: list[tuple[str, int]] = []
    for name in names:
        count = found.pop()[1] + 1 if found and found[-1][0] == name else 1
        found.append((name, count))
    return [_so_many(count, name) for name, count in found]


def _so_many(count: int, name: str) -> str:
    """`2 × coin`; the mark of what cannot be chosen stays in front."""
    bare = name.removeprefix(_UNOFFERED)
    return name if count == 1 else f"{name[: len(name) - len(bare)]}{count} × {bare}"


__all__ = ["Panels"]
