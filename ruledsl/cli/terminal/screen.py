"""What a seat is shown, as lines of text: the table that is made of its view, drawn."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from textwrap import wrap
from typing import Any

from ruledsl.boards.marks import columns, pad, plain
from ruledsl.boards.picture import picture
from ruledsl.runtime.handout import printed
from ruledsl.runtime.picture import sheets
from ruledsl.runtime.table import Names, Panel, Table, Thing, table

from .ending import Ending
from .tiles import Tiles
from .words import say

WIDTH = 80
_MOST_NAMES = 14  # of a place, before equal ones are counted
_MOST_LEGEND = 16
_GAP = 4  # columns between two boards
_CODES = re.compile(r"\x1b\[[0-9;]*m")


def room() -> tuple[int, int]:
    """The columns and lines that a large picture may take: all of the terminal but what is written around it."""
    found = shutil.get_terminal_size((WIDTH, 48))
    return max(20, found.columns), max(24, found.lines - 12)


def width() -> int:
    """The columns to write in: those of the terminal, within reason."""
    return max(20, min(MOST_COLUMNS, shutil.get_terminal_size((WIDTH, 24)).columns))


MOST_COLUMNS = 100


class Screen(Tiles, Ending):
    """Turns views of one play into lines of text."""

    def __init__(
        self, play: Any, language: str, colour: bool, columns: int = WIDTH, room: tuple[int, int | None] | None = None
    ) -> None:
        self.play, self.language, self.colour, self.columns = play, language, colour, columns
        self.room = room or (columns, None)  # columns and lines for boards that grow
        self.world = play.world
        self.names = Names(play, language)

    def word(self, name: str) -> str:
        """A declared word as people read it."""
        return self.names.word(name)

    def player(self, seat: int) -> str:
        return self.names.player(seat)

    def printed(self, seat: int) -> dict[str, str]:
        """What is printed on the pieces that a seat knows and that are in play, by their titles."""
        return {plain(title): plain(text) for title, text in printed(self.play, seat, self.language).items()}

    # ------------------------------------------------------------------------------------------- a position

    def position(self, view: dict[str, Any], options: Sequence[Any] = (), everything: bool = False) -> str:
        """All that a view shows; where tiles are laid, the spaces that options are about stand out."""
        found = self.table(view, everything)
        parts = ["\n".join(block) for block in self.boards(view, options)]
        parts += ["\n".join(block) for block in self.panels(found, options)]
        return "\n\n".join(part for part in parts if part)

    def table(self, view: dict[str, Any], everything: bool = False) -> Table:
        seat = self.world.players.names.index(view["seat"]) if view["seat"] is not None else None
        return table(self.play, seat, self.language, view, everything)

    def head(self, view: dict[str, Any], title: str) -> str:
        """The title, and where the play stands."""
        parts = [plain(title)]
        if view["round"]:
            parts.append(say("round", self.language, n=view["round"]))
        if view["turn_number"]:
            parts.append(say("turn", self.language, n=view["turn_number"]))
        if view["phase"]:
            parts.append(self.word(view["phase"]))
        line = " · ".join(parts)
        return self.bold(line)

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    # ----------------------------------------------------------------------------------------------- boards

    def boards(self, view: dict[str, Any], options: Sequence[Any] = ()) -> Iterator[list[str]]:
        """The boards, side by side where they fit, and what their signs stand for."""
        many = len(self.world.boards) > 1 or any(board.copies > 1 for board in self.world.boards)
        drawn = []
        for sheet in sheets(self.play, self.language, view):
            if sheet.cells is not None:
                lines = self._tiles(sheet, options)
            else:
                lines = picture(
                    sheet.board,
                    sheet.marks,
                    colour=self.colour,
                    width=self.columns,
                    ground=sheet.ground,
                    told=[(one.title, one.marks) for one in sheet.told],
                    names=sheet.names,
                ).split("\n")
            if many:
                owner = f" ({self.player(sheet.owner)})" if sheet.owner is not None else ""
                lines.insert(0, f"{plain(sheet.name)}{owner}:")
            drawn.append(lines)
        yield from beside(drawn, self.columns)
        legend = [*self.legend(view), *self.tile_legend(view)]
        if legend:
            yield legend

    def legend(self, view: dict[str, Any]) -> list[str]:
        """What the signs on the boards stand for, where names alone tell it."""
        found: dict[str, str] = {}
        for sheet in sheets(self.play, self.language, view):
            if sheet.cells is not None:
                continue
            info = next(board for board in self.world.boards if board.board is sheet.board)
            lying = view["boards"].get(info.name, {})
            first = (sheet.owner or 0) * len(sheet.marks)
            for space, mark in enumerate(sheet.marks):
                here = lying.get(info.root.names[first + space], [])
                if mark is None or len(here) != 1 or here[0] is None:
                    continue
                title = self._owned(here[0])
                if found.setdefault(mark.text, title) != title:
                    return []
        if len(set(found.values())) < len(found) or not 0 < len(found) <= _MOST_LEGEND:
            return []
        return self._wrapped("", ", ".join(f"{sign} {title}" for sign, title in sorted(found.items())))

    def _owned(self, name: str) -> str:
        """A piece with its owner, where it always has the same."""
        piece = self.names.numbers.get(name)
        for kind in self.world.kinds:
            if piece is not None and kind.per_player and kind.mask >> piece & 1:
                owner = (piece - kind.first) // max(1, kind.count // len(self.play.players))
                return f"{self.word(name)} ({self.player(min(owner, len(self.play.players) - 1))})"
        return self.word(name)

    # ----------------------------------------------------------------------------------------------- panels

    def panels(self, found: Table, options: Sequence[Any] = ()) -> Iterator[list[str]]:
        """What lies in places and what is counted: first what is nobody's, then player by player."""
        marked = self.unoffered(found, options)
        common = self._flowing([self.panel(panel, marked) for panel in found.of(None)])
        if common:
            yield common
        people = [self.person(found, seat, marked) for seat in range(len(found.players))]
        lines = [line for person in people for line in person]
        if lines:
            yield lines
        if marked:
            yield [say("unoffered", self.language)]

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

    def person(self, found: Table, seat: int, marked: Collection[str]) -> list[str]:
        """A player: what they count in a line, then what lies before them; nothing where there is neither."""
        panels = found.of(seat)
        if not panels:
            return []
        counted = [self._counted(panel) for panel in panels if panel.sort != "place"]
        places = [self.panel(panel, marked) for panel in panels if panel.sort == "place"]
        name = found.players[seat] + (f" ({say('you', self.language)})" if seat == found.seat else "")
        parts = [name, *counted]
        while places and len(places[0]) == 1 and columns(" · ".join([*parts, places[0][0]])) <= self.columns:
            parts.append(places.pop(0)[0])
        first, *more = self._wrapped("", " · ".join(parts))
        return [self.bold(name) + first.removeprefix(name), *more, *(f"  {line}" for lines in places for line in lines)]

    def _counted(self, panel: Panel) -> str:
        return f"{panel.title} {panel.text}".strip()

    def panel(self, panel: Panel, marked: Collection[str] = ()) -> list[str]:
        """One place, or one line of what is counted."""
        if panel.sort != "place":
            return self._wrapped(
                "", f"{panel.title}: {panel.text}" if panel.title and panel.text else panel.title or panel.text
            )
        if panel.shape == "count":
            return [f"{panel.title}: {sum(thing.count for thing in panel.things)}"]
        if panel.shape != "lines" and (drawn := self._row(panel.title, panel.things, marked)):
            return drawn
        if not panel.things:
            return [f"{panel.title}: {say('empty', self.language)}"]
        if panel.shape == "lines" and any(thing.name is not None for thing in panel.things):
            return [f"{panel.title}:", *self._cards(panel.things, marked)]
        return self._wrapped(f"{panel.title}: ", self._listed(panel, marked))

    def _listed(self, panel: Panel, marked: Collection[str]) -> str:
        """What lies in a place in one go: runs of equal ones in a pile, and equal ones of many, are counted."""
        shown = [
            self._thing(thing, marked) for thing in panel.things if thing.name is not None or panel.shape == "pile"
        ]
        hidden = sum(thing.count for thing in panel.things if thing.name is None)
        if hidden == sum(thing.count for thing in panel.things):
            return say("hidden", self.language, n=hidden)
        if panel.shape == "pile" and len(panel.things) > 1:
            return f"{', '.join(_runs(shown))} ({say('top_first', self.language)})"
        if len(shown) > _MOST_NAMES:
            shown = [f"{n} × {name}" if n > 1 else name for name, n in Counter(shown).items()]
        if hidden and panel.shape != "pile":
            shown.append(say("hidden", self.language, n=hidden))
        return ", ".join(shown)

    def _thing(self, thing: Thing, marked: Collection[str]) -> str:
        if thing.name is None:
            return say("face_down", self.language)
        said = ", ".join(fact for fact in thing.facts if fact)
        facts = f" ({said})" if said else ""
        return f"{'× ' if thing.name in marked else ''}{self._title(thing)}{facts}"

    def _title(self, thing: Thing) -> str:
        return f"{thing.count} × {thing.title}" if thing.count > 1 else thing.title

    def _cards(self, things: Sequence[Thing], marked: Collection[str]) -> list[str]:
        """A line for each piece, with what is shown of it in columns; two beside each other where they fit."""
        rows = []
        for thing in things:
            if thing.name is None:
                rows.append([say("hidden", self.language, n=thing.count)])
            else:
                rows.append([f"{'× ' if thing.name in marked else ''}{self._title(thing)}", *thing.facts])
        widths = [max((columns(row[i]) for row in rows if i < len(row)), default=0) for i in range(max(map(len, rows)))]
        cells = [
            "  ".join(pad(text, wide) for text, wide in zip(row, widths, strict=False) if wide).rstrip() for row in rows
        ]
        wide = max(map(columns, cells)) + 4
        if len(cells) > 3 and 2 * wide - 2 <= self.columns:
            half = -(-len(cells) // 2)
            cells = [
                f"{pad(cells[i], wide)}{cells[half + i] if half + i < len(cells) else ''}".rstrip() for i in range(half)
            ]
        return [line for cell in cells for line in self._wrapped("  ", cell)]

    def cards(self, view: dict[str, Any]) -> dict[str, str]:
        """The pieces in places that a view shows, by their titles, with what is shown of each."""
        things = [thing for panel in self.table(view).panels for thing in panel.things if thing.name is not None]
        return {thing.title: ", ".join(fact for fact in thing.facts if fact) for thing in things}

    def unoffered(self, found: Table, options: Sequence[Any]) -> set[str]:
        """The pieces that cannot be chosen, beside others in their place that can."""
        public, numbers = self.world.data.get("public_names", ()), {}
        for number, name in enumerate(self.world.pieces.names):
            numbers[name] = public[number] if public else name
        asked = [{numbers[word] for word in option.words.values() if word in numbers} for option in options]
        offered = {name for names in asked for name in names}
        marked: set[str] = set()
        for panel in found.panels:
            here = {thing.name for thing in panel.things if thing.name is not None}
            if panel.sort == "place" and here & offered:
                marked |= here - offered
        return marked

    def _wrapped(self, label: str, text: str) -> list[str]:
        return wrap(label + text, self.columns, subsequent_indent="  ", break_on_hyphens=False) or [label]


def _runs(names: Sequence[str]) -> list[str]:
    """Runs of equal names, each written once."""
    found: list[tuple[str, int]] = []
    for name in names:
        count = found.pop()[1] + 1 if found and found[-1][0] == name else 1
        found.append((name, count))
    return [f"{count} × {name}" if count > 1 else name for name, count in found]


def seen_width(line: str) -> int:
    """The columns that a line takes, whatever its colours."""
    return columns(_CODES.sub("", line))


def beside(blocks: Sequence[list[str]], width: int) -> Iterator[list[str]]:
    """Blocks of lines side by side, as many as fit."""
    row: list[list[str]] = []
    for block in blocks:
        if not block:
            continue
        wide = sum(max(map(seen_width, other)) + _GAP for other in row)
        if row and wide + max(map(seen_width, block)) > width:
            yield _joined(row)
            row = []
        row.append(block)
    if row:
        yield _joined(row)


def _joined(row: Sequence[list[str]]) -> list[str]:
    if len(row) == 1:
        return row[0]
    widths = [max(map(seen_width, block)) for block in row]
    found = []
    for number in range(max(map(len, row))):
        line = ""
        for block, wide in zip(row, widths, strict=True):
            text = block[number] if number < len(block) else ""
            line += text + " " * (wide - seen_width(text) + _GAP)
        found.append(line.rstrip())
    return found


__all__ = ["MOST_COLUMNS", "WIDTH", "Screen", "beside", "room", "seen_width", "width"]
