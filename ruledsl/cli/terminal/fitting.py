"""How a table is written so that it fits a screen that stays in place: where the log stands, and how brief it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Literal

from ruledsl.boards.tilework import OUTLINED, SIZES
from ruledsl.records import dataclass
from ruledsl.runtime.table import Table

from .screen import CODES, GAP, Held, Screen, beside, one_text, seen_width

LOG = 30  # columns of the log where it stands beside the table, at least
HIGH = 32  # lines from which more options are shown
LATEST = 3  # lines of the log that are always in sight
FEWEST = 4  # options, too, if there are so many
_ROOMY = 12  # more lines of the log below a table that are worth more than a log beside it
_NO_BOARD = 66  # columns that a table without boards wants beside the log
_BOARD = 20  # and one with boards, whatever their size
MARGIN = 4  # columns of the table's padding and scroll bar
AROUND = 3  # lines of the head, of the hint, and of what is typed
_MOST_OPTIONS = (7, 12)  # lines of options on a low and on a high screen
_BETWEEN = re.compile(r"[^\w,-]+")
_LATE = 40  # of a hundred columns that the log has beside options
_PANELS = 20  # columns of what stands beside a board, at least

_GROWTH = 2  # rows of tiles for which there is to be room where tiles change their size

Log = Literal["beside", "below", "late"]  # beside the table, below it, or beside the options
# Of panels: all; all of players, with or without what may be chosen elsewhere; that and what is one's own; or none.
Told = Literal["all", "players", "people", "own", "none"]


@dataclass(frozen=True)
class Layout:
    """Where the log stands, and the columns and lines that the table has then, at most."""

    log: Log
    columns: int
    lines: int
    screen: tuple[int, int]
    options: int = FEWEST  # lines of options, at least
    offered: int = 0  # options that there are
    top: int = 0  # the line of the table that is seen first, where not all are
    more: bool = False  # whether something is left out of the table that `board all` shows

    @property
    def log_columns(self) -> int:
        return max(LOG, self.screen[0] * 3 // 10) if self.log == "beside" else self.screen[0]

    def option_lines(self, table: int) -> int:
        """The lines of options, at most, below a table of so many lines."""
        most = _MOST_OPTIONS[self.screen[1] >= HIGH]
        below = LATEST + 1 if self.log == "below" else 0
        left = self.screen[1] - AROUND - below - min(table, self.lines)
        if self.log == "beside":  # what stays empty below the table is of more use to them
            most = max(most, min(self.offered, self.screen[1] // 2))
        return max(self.options, min(most, left))

    def log_room(self, table: int) -> tuple[int, int]:
        """The columns and lines of the log beside or below a table of so many lines."""
        options = self.option_lines(table)
        if self.log == "late":
            return self.screen[0] * _LATE // 100 - MARGIN, options
        taken = min(table, self.lines) + 1 if self.log == "below" else 0
        return self.log_columns - MARGIN, self.screen[1] - AROUND - options - taken

    def tight(self) -> Layout:
        """With a single line of options: of many, most are out of sight anyway."""
        return replace(self, lines=self.lines + self.options - 1, options=1)


def layouts(size: tuple[int, int], options: int) -> list[Layout]:
    """The ways to share a screen among a table, its log and so many options, the best one first."""
    columns, lines = size
    above = lines - AROUND - min(options, FEWEST)
    aside = Layout("beside", columns - max(LOG, columns * 3 // 10) - MARGIN, above, size, offered=options)
    below = Layout("below", columns - MARGIN, above - LATEST - 1, size, offered=options)
    late = Layout("late", columns - MARGIN, above, size, offered=options)
    found = [layout for layout in (aside, below, late) if layout.columns >= min(20, columns) and layout.lines > 0]
    return found + [layout.tight() for layout in found] if options > _MOST_OPTIONS[0] else found


def whole(size: tuple[int, int], options: int) -> Layout | None:
    """How a screen is shared where a table is shown with all there is: nothing stands beside it, and it scrolls."""
    ways = [layout for layout in layouts(size, options) if layout.log == "late"]
    return ways[0] if ways else None


def fitted(
    screen: Screen, view: dict[str, Any], options: Sequence[Any], ways: Sequence[Layout], seat: int | None = None
) -> tuple[str, Layout]:
    """The table as it fits best, and where the log stands then.

    What has been chosen of a decision in steps stands below, so that nothing moves for it. A log that stands where it
    does best is worth less than a table without abbreviations; a table that is written briefly, or small tiles, less
    than one that needs scrolling.
    """
    try:
        return _fitted(screen, view, options, ways, seat)
    finally:  # what is drawn next is no part of a table, or it is all of one, for which `whole` makes room
        screen.fit_whole(ways[0].screen[0] - MARGIN)


def _fitted(
    screen: Screen, view: dict[str, Any], options: Sequence[Any], ways: Sequence[Layout], seat: int | None
) -> tuple[str, Layout]:
    boards = any(board.between is None for board in screen.world.boards)
    writer = _Writer(screen, view, options, seat)
    if not boards:  # beside a short table the log would be narrow for nothing
        for layout in (one for one in ways if one.log == "below"):
            text = writer.write(next(writer.styles(None)), layout)
            if text is not None and _fits(text, replace(layout, lines=layout.lines - _ROOMY)):
                return text, layout
    moment, terminal = screen.moment(view), ways[0].screen
    if screen.lays_tiles():  # what fits beside two options is not to shrink beside four
        ways = [replace(layout, lines=min(layout.lines, _most_lines(layout))) for layout in ways]
    last = screen.held if screen.held is not None and screen.held.size == terminal else None
    held = last if last is not None and last.moment == moment else None
    for tiles, spare in _sizes(screen, last, held):
        if (found := _in_size(writer, tiles, ways, held, boards, spare)) is not None:
            screen.held = Held(moment, terminal, tiles, found[1].log)
            return found
    texts = [writer.long(layout) for layout in ways]
    # Where the table scrolls anyway, more of its lines in sight are worth less than several options.
    text, layout, _ = min(texts, key=lambda one: (one[2], -one[1].options, one[0].count("\n") - one[1].lines))
    screen.held = Held(moment, terminal, SIZES[-1] if screen.lays_tiles() else None, layout.log)
    return text, layout


def _most_lines(layout: Layout) -> int:
    """The lines of a table with as many options below it as are always in sight, however few there are."""
    return layout.screen[1] - AROUND - min(FEWEST, layout.options) - (LATEST + 1 if layout.log == "below" else 0)


def _sizes(screen: Screen, last: Held | None, held: Held | None) -> Sequence[tuple[int | None, int]]:
    """The lines that tiles of boards may have, the most first, each with the lines that are to be left for more tiles.

    Tiles stay as large as they were as long as that fits at all. Another size is worth a change only if it will last,
    and in the midst of a turn they do not grow again.
    """
    if not screen.lays_tiles():
        return ((None, 0),)
    if last is None or last.tiles is None:
        return [(size, 0) for size in SIZES]
    stays = (last.tiles, SIZES[-1])
    return [(size, 0 if size in stays else _GROWTH * size) for size in SIZES if held is None or size <= last.tiles]


def _in_size(
    writer: _Writer, tiles: int | None, ways: Sequence[Layout], held: Held | None, boards: bool, spare: int
) -> tuple[str, Layout] | None:
    """The table with tiles of so many lines, if it fits: with the log where it was in this turn, else anywhere.

    Boards are to leave some lines to spare.
    """
    for known in (True, False):
        for fewest in sorted({layout.options for layout in ways}, reverse=True):
            for style in writer.styles(tiles):
                if known and (held is None or style.terse):
                    continue
                for layout in (one for one in ways if one.options == fewest):
                    if known and held is not None and layout.log != held.log:
                        continue
                    if layout.log == "beside" and layout.columns < (_BOARD if boards else _NO_BOARD):
                        continue
                    text = writer.write(style, layout, spare)
                    if text is not None and _fits(text, layout):
                        return text, replace(layout, more=writer.leaves_out(style, layout))
    return None


def _fits(text: str, layout: Layout) -> bool:
    lines = text.split("\n")
    return len(lines) <= layout.lines and max(map(seen_width, lines)) <= layout.columns


@dataclass(frozen=True)
class _Style:
    """How much room a table takes."""

    tiles: int | None  # lines of a tile
    brief: bool = False
    dense: bool = False
    aside: bool = False  # what is counted stands beside the boards
    panels: Told = "all"
    legend: bool = True
    frontier: bool = True  # spaces where a tile may come are shown before they are asked about
    low: bool = False  # tiles to choose from are small, whatever those of the board are

    @property
    def terse(self) -> bool:
        return self.panels in ("players", "own") or not self.legend

    @property
    def row(self) -> int | None:
        """Lines of a tile that is no part of a board."""
        return SIZES[-1] if self.low else self.tiles


_SHORTER: Sequence[tuple[Told, bool]] = (  # the panels and whether there is a legend where not all of them fit
    ("all", False),
    ("players", True),
    ("players", False),
    ("own", True),
    ("own", False),
)


class _Writer:
    """Writes one position in one style after the other; what styles share is drawn once."""

    def __init__(self, screen: Screen, view: dict[str, Any], options: Sequence[Any], seat: int | None) -> None:
        self.screen, self.view, self.options, self.seat = screen, view, options, seat
        self.tables = cache(lambda brief: screen.table(view, brief=brief))
        self.pictures = cache(self._pictures)
        self.legends = cache(self._legends)
        self.above = cache(self._above)

    def styles(self, size: int | None) -> Iterator[_Style]:
        """Those with tiles of so many lines, the roomiest one first."""
        tiles = self.screen.lays_tiles()
        boards = any(board.between is None for board in self.screen.world.boards)
        begun = tiles and self.seat is not None and bool(self.screen.so_far(self.seat))
        yield _Style(size)
        if size in (None, OUTLINED):
            yield _Style(size, brief=True)
        yield _Style(size, brief=True, dense=True)
        if boards:
            yield _Style(size, brief=True, dense=True, aside=True)
        if not tiles:
            return
        if size != SIZES[-1]:
            yield _Style(size, brief=True, dense=True, low=True)
            yield _Style(size, brief=True, dense=True, aside=True, low=True)
        if begun:  # then the boards matter most, and they look as they did a step before
            fewer: tuple[Told, ...] = ("people", "none")
            for panels in fewer:
                yield _Style(size, brief=True, dense=True, panels=panels)
                yield _Style(size, brief=True, dense=True, aside=True, panels=panels)
                yield _Style(size, brief=True, dense=True, aside=True, panels=panels, low=True)
            for panels in fewer:
                yield _Style(size, brief=True, dense=True, aside=True, panels=panels, low=True, legend=False)
        for frontier in (True, False) if size == SIZES[-1] else (True,):
            for panels, legend in _SHORTER:
                for aside in (True, False):
                    yield _Style(size, True, True, aside, panels, legend, frontier, low=True)

    def write(self, style: _Style, layout: Layout, spare: int = 0) -> str | None:
        """The table in this style; None where there surely is no room for it, or for boards of more lines."""
        columns, lines = layout.columns, layout.lines
        pictures = self.pictures(columns, lines, style.tiles, style.frontier)
        wide = max((seen_width(line) for block in pictures for line in block), default=0)
        if wide > columns or sum(map(len, pictures)) + spare > lines:
            return None
        gap = "\n" if style.dense else "\n\n"
        if not style.aside:
            legend = self.legends(columns, style.tiles) if style.legend else []
            return one_text([*pictures, legend, *self._panels(style, columns), *self.above(columns, style.row)], gap)
        left = columns - wide - GAP
        if left < _PANELS:
            return None
        legend = self.legends(left, style.tiles) if style.legend else []
        rest = *self.above(left, style.row), *self._panels(style, left), legend
        picture, right = ([line for block in blocks for line in block] for blocks in (pictures, rest))
        return one_text(list(beside([picture, right], columns)), gap)

    def _pictures(self, columns: int, lines: int, tiles: int | None, frontier: bool = True) -> list[list[str]]:
        self.screen.fit(columns, lines, tiles, frontier)
        return self.screen.pictures(self.view, self.options)

    def _legends(self, columns: int, tiles: int | None) -> list[str]:
        self.screen.fit(columns, 0, tiles)
        return self.screen.legends(self.view, self.options)

    def _above(self, columns: int, tiles: int | None) -> list[list[str]]:
        """What has been chosen already, and how tiles would lie."""
        if self.seat is None:
            return []
        self.screen.fit(columns, 0, tiles)
        found = self.screen.so_far(self.seat), self.screen.previews(self.seat, self.options, self.view)
        return [block for block in found if block]

    def _panels(self, style: _Style, columns: int) -> list[list[str]]:
        self.screen.fit(columns, 0, style.row)
        own_first = style.dense and not self.screen.world.boards
        return list(self.screen.panels(self._told(style), self.options, own_first, style.dense))

    def _told(self, style: _Style) -> Table:
        """The panels that are written in this style."""
        found = self.tables(style.brief)
        if style.panels == "all":
            return found
        asked = self.screen.asked_about(found, self.options) if style.panels in ("players", "own") else ()
        seats = (
            range(len(found.players))
            if style.panels in ("players", "people")
            else (found.seat,)[style.panels == "none" :]
        )
        own = tuple(panel for panel in found.panels if panel.seat is not None and panel.seat in seats)
        return replace(found, panels=(*asked, *own), signs=())

    def leaves_out(self, style: _Style, layout: Layout) -> bool:
        """Whether there is more to see than what is written in this style."""
        found, told = self.tables(style.brief), self._told(style)
        less = len(told.panels) < len(found.panels) or len(told.signs) < len(found.signs)
        return less or not (style.legend or not self.legends(layout.columns, style.tiles))

    def long(self, layout: Layout) -> tuple[str, Layout, int]:
        """More than fits: what is asked about stands first, with the boards; then what is one's own, and the rest.

        Also how many lines of what is asked about are out of sight. If a board alone is too long, what is seen of it
        first are the spaces that are asked about.
        """
        screen, found = self.screen, self.tables(True)
        smallest = SIZES[-1] if screen.lays_tiles() else None
        above = self.above(layout.columns, smallest)
        legend = self.legends(layout.columns, smallest)
        screen.fit(layout.columns, layout.lines, smallest, frontier=False)
        if not screen.world.boards:
            text = one_text([*above, *screen.panels(found, self.options, own_first=True, dense=True)], "\n")
            return text, layout, text.count("\n") + 1 - layout.lines
        asked = screen.asked_about(found, self.options)
        offered = replace(found, panels=asked, signs=())
        common = [line for block in screen.panels(offered, (), dense=True) for line in block]
        rest = replace(found, panels=tuple(panel for panel in found.panels if panel not in asked))
        own = screen.person(rest, found.seat, {}) if found.seat is not None else []
        others = replace(rest, panels=tuple(panel for panel in rest.panels if panel.seat != found.seat))
        about, boards = (screen.pictures(self.view, self.options, asked=which) for which in (True, False))
        if not about:
            about, boards = boards[:1], boards[1:]
        first = [*above, common, *about]
        if len(about) > 1 and sum(map(len, first)) > layout.lines:  # what is one's own is not below all of them
            first.insert(-len(about) + 1, own)
            own = []
        after = [own, *boards, *screen.panels(others, (), dense=True), legend]
        needed = sum(map(len, first))
        names = screen.offered_names(self.view, self.options)
        told = [at for at, line in enumerate(line for block in first for line in block) if names & _words(line)]
        top = 0
        if told and told[-1] >= layout.lines:  # in the middle, or as far down as there is more
            top = max(0, min(told[0] - 1, (told[0] + told[-1] - layout.lines) // 2 + 1))
        return one_text([*first, *after], "\n"), replace(layout, top=top), max(0, needed - layout.lines)


def _words(line: str) -> set[str]:
    """What stands in a line of a picture, apart from its frame."""
    return set(_BETWEEN.split(CODES.sub("", line)))


__all__ = ["AROUND", "FEWEST", "HIGH", "LATEST", "LOG", "MARGIN", "Layout", "fitted", "layouts", "whole"]
