"""What a seat is shown, as lines of text: the table that is made of its view, drawn."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ruledsl.boards.boxes import boxes_picture, glance
from ruledsl.boards.marks import Mark, plain
from ruledsl.boards.picture import picture
from ruledsl.boards.tilework import SIZES
from ruledsl.records import dataclass
from ruledsl.runtime.counting import turn_shown
from ruledsl.runtime.handout import printed
from ruledsl.runtime.joined import joined
from ruledsl.runtime.picture import Sheet, artist_of, drawn_as_tiles, sheets
from ruledsl.runtime.table import Table, all_printed, table
from ruledsl.wording.columns import columns

from .ending import Ending
from .panels import Panels
from .tiles import Moment
from .words import say

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

WIDTH = 80
_MOST_NAMES = 14  # of a place, before equal ones are counted
_MOST_LEGEND = 16
GAP = 4  # columns between two boards
_OFFERED = "+"
_LONG = 3  # columns of a sign to which nothing is added
_TOGETHER = "\xa0"  # a blank at which no line ends
CODES = re.compile(r"\x1b\[[0-9;]*m")


def room() -> tuple[int, int]:
    """The columns and lines that a large picture may take: all of the terminal but what is written around it."""
    found = shutil.get_terminal_size((WIDTH, 48))
    return max(20, found.columns), max(24, found.lines - 12)


def width() -> int:
    """The columns to write in: those of the terminal, within reason."""
    return max(20, min(MOST_COLUMNS, shutil.get_terminal_size((WIDTH, 24)).columns))


MOST_COLUMNS = 100


@dataclass(frozen=True)
class Held:
    """How a table was written last: in the same turn it is written so again, if that can be."""

    moment: Moment
    size: tuple[int, int]  # of the terminal
    tiles: int | None  # lines of a tile
    log: str  # where the log stood


class Screen(Panels, Ending):
    """Turns views of one play into lines of text."""

    def __init__(
        self, play: Play, language: str, colour: bool, columns: int = WIDTH, room: tuple[int, int | None] | None = None
    ) -> None:
        super().__init__(play, language, colour, columns, room)
        self.frames = {}
        self.held: Held | None = None

    def fit_whole(self, columns: int) -> None:
        """Draws for so many columns and any number of lines from now on, with tiles as large as they were last."""
        held = self.held.tiles if self.held is not None else None
        self.fit(columns, 0, held)
        self.room = (columns, None)
        self.tile_sizes = [size for size in SIZES if held is None or size <= held]

    def printed(self, seat: int) -> dict[str, str]:
        """What is printed on the pieces that a seat knows and that are in play, by their titles."""
        return {plain(title): plain(text) for title, text in printed(self.play, seat, self.language).items()}

    # ------------------------------------------------------------------------------------------- a position

    def position(self, view: dict[str, Any], options: Sequence[Any] = (), everything: bool = False) -> str:
        """All that a view shows; where tiles are laid, the spaces that options are about stand out."""
        found = self.table(view, everything)
        return one_text([*self.boards(view, options), *self.panels(found, options)])

    def table(self, view: dict[str, Any], everything: bool = False, brief: bool = False) -> Table:
        return table(self.play, self._seat(view), self.language, view, everything, brief)

    def _seat(self, view: dict[str, Any]) -> int | None:
        return self.world.players.names.index(view["seat"]) if view["seat"] is not None else None

    def head(self, view: dict[str, Any], title: str) -> str:
        """The title, and where the play stands."""
        parts = [plain(title)]
        if view["round"]:
            parts.append(say("round", self.language, n=view["round"]))
        if turn := turn_shown(self.play, view):
            parts.append(say("turn", self.language, n=turn))
        if view["phase"]:
            parts.append(self.word(view["phase"]))
        line = " · ".join(parts)
        return self.bold(line)

    # ----------------------------------------------------------------------------------------------- boards

    def boards(self, view: dict[str, Any], options: Sequence[Any] = ()) -> Iterator[list[str]]:
        """The boards, side by side where they fit, and what their signs stand for."""
        yield from self.pictures(view, options)
        if legend := self.legends(view, options):
            yield legend

    def pictures(self, view: dict[str, Any], options: Sequence[Any] = (), asked: bool | None = None) -> list[list[str]]:
        """The boards, side by side where they fit: all, only those that are asked about, or only the others."""
        many = sum(board.between is None and board.drawn_on is None for board in self.world.boards) > 1 or any(
            board.copies > 1 for board in self.world.boards
        )
        drawn: list[list[str]] = []
        for sheet in self._own_first(view, options):
            if asked is not None and asked != bool(self.offered(sheet, options)):
                continue
            owner = f" ({self.player(sheet.owner)})" if sheet.owner is not None else ""
            head = f"{plain(sheet.name)}{owner}:"
            if sheet.boxes and sheet.board.shape != "grid" and sheet.owner not in (None, self._seat(view)):
                drawn.append(self.wrapped(f"{head} ", told) if (told := glance(sheet.boxes, sheet.names)) else [])
                continue
            lines = self._drawn(sheet, view, options)
            if many:
                lines.insert(0, head)
            drawn.append(lines)
        return list(beside(drawn, self.columns))

    def legends(self, view: dict[str, Any], options: Sequence[Any] = ()) -> list[str]:
        """What the signs on all boards stand for."""
        drawn = self._own_first(view, options)
        signs = {mark.text: (mark, title) for sheet in drawn for mark, title in sheet.legend}
        tokens = {one.mark.text: (one.mark, one.title) for sheet in drawn for box in sheet.boxes for one in box.tokens}
        return [*self.legend(view), *self.signs_told((signs | tokens).values()), *self.tile_legend(view)]

    def _own_first(self, view: dict[str, Any], options: Sequence[Any]) -> list[Sheet]:
        """The boards; where each player has one of boxes, which takes room, first those of who looks."""
        drawn = sheets(self.play, self.language, view)
        marked = [replace(sheet, ground=self._in_reach(sheet, options)) for sheet in drawn]
        found = joined(marked, self.world.boards)
        seat = self._seat(view)
        if not any(sheet.boxes for sheet in found):
            return found
        return sorted(found, key=lambda sheet: sheet.owner is not None and sheet.owner != seat)

    def _drawn(self, sheet: Sheet, view: dict[str, Any], options: Sequence[Any]) -> list[str]:
        """One board; boxes with words in them only for who looks, or if it is nobody's."""
        if sheet.cells is not None:
            return self._tiles(sheet, view, options)
        if sheet.boxes and sheet.owner in (None, self._seat(view)):
            marked = frozenset(self.offered(sheet, options)) if options else frozenset()
            return boxes_picture(sheet.board, sheet.boxes, colour=self.colour, width=self.columns, marked=marked)
        return picture(
            sheet.board,
            sheet.marks,
            colour=self.colour,
            width=self.columns,
            ground=sheet.ground,
            told=[(one.title, one.marks) for one in sheet.told],
            names=sheet.names,
            between=sheet.between,
            piles=sheet.piles,
            high=self.room[1],
        ).split("\n")

    def offered_names(self, view: dict[str, Any], options: Sequence[Any]) -> set[str]:
        """What the spaces are called that options are about."""
        drawn = self._own_first(view, options)
        return {sheet.board.spaces[space] for sheet in drawn for space in self.offered(sheet, options)}

    def _in_reach(self, sheet: Sheet, options: Sequence[Any]) -> list[Mark | None]:
        """The signs of spaces; those that options are about end with a mark, where the game says what is shown.

        Below a piece it takes the place of a single sign, and on a map of long signs that of a last one which is no
        letter, so that the map becomes no wider; what says more stays readable."""
        offered = self.offered(sheet, options) if sheet.legend and options else set()
        found = list(sheet.ground)
        widest = max((columns(sign.text) for sign in found if sign is not None), default=0)
        for space in offered:
            sign = found[space]
            if sign is not None:
                only = columns(sign.text) == 1 and sheet.marks[space] is not None
                long = _LONG <= columns(sign.text) == widest and not sign.text[-1].isalnum()
                kept = "" if only else sign.text[:-1] if long else sign.text
                found[space] = Mark(kept + _OFFERED, sign.colour, True)
        return found

    def legend(self, view: dict[str, Any]) -> list[str]:
        """What the signs on the boards stand for, where names alone tell it."""
        found: dict[str, str] = {}
        artist, state, pieces = artist_of(self.play, self.language), self.play.state, self.play.machine.pieces
        seat = self._seat(view)
        for info in self.world.boards if self.world.pieces.size else ():
            if drawn_as_tiles(info) or info.boxes:
                continue  # these show no signs of pieces
            for space, name in enumerate(info.root.names):
                if name not in view["boards"].get(info.name, {}):
                    continue
                for piece in pieces.on(state, info.first_spot + space):
                    if self.play.viewer.knows(state, piece, seat):
                        title = self._owned(self.play.viewer.name(piece))
                        if found.setdefault(artist.piece(state, piece).text, title) != title:
                            return []
        if len(set(found.values())) < len(found) or not 0 < len(found) <= _MOST_LEGEND:
            return []
        kept = (f"{sign} {title}".replace(" ", _TOGETHER) for sign, title in sorted(found.items()))
        return [line.replace(_TOGETHER, " ") for line in self.wrapped("", ", ".join(kept))]

    def _owned(self, name: str) -> str:
        """A piece with its owner, where it always has the same."""
        piece = self.names.numbers.get(name)
        for kind in self.world.kinds:
            if piece is not None and kind.per_player and kind.mask >> piece & 1:
                owner = (piece - kind.first) // max(1, kind.count // len(self.play.players))
                return f"{self.word(name)} ({self.player(min(owner, len(self.play.players) - 1))})"
        return self.word(name)

    def cards(self, view: dict[str, Any]) -> dict[str, str]:
        """The pieces in places that a view shows, by their titles, with what is shown of each."""
        things = [thing for panel in self.table(view).panels for thing in panel.things if thing.name is not None]
        return {thing.title: ", ".join(fact for fact in thing.facts if fact) for thing in things}

    def all_cards(self, seat: int) -> dict[str, str]:
        """What is printed on each piece of the game, wherever it is, by its title: with nothing that is hidden."""
        found: dict[str, str] = {}
        for title, facts in all_printed(self.play, seat, self.language):
            found.setdefault(title, facts)
        return {title: facts for title, facts in found.items() if facts}


def one_text(blocks: Sequence[list[str]], between: str = "\n\n") -> str:
    """Blocks of lines below each other."""
    return between.join("\n".join(block) for block in blocks if block)


def seen_width(line: str) -> int:
    """The columns that a line takes, whatever its colours."""
    return columns(CODES.sub("", line))


def beside(blocks: Sequence[list[str]], width: int) -> Iterator[list[str]]:
    """Blocks of lines side by side, as many as fit."""
    row: list[list[str]] = []
    for block in blocks:
        if not block:
            continue
        wide = sum(max(map(seen_width, other)) + GAP for other in row)
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
            line += text + " " * (wide - seen_width(text) + GAP)
        found.append(line.rstrip())
    return found


__all__ = ["CODES", "GAP", "MOST_COLUMNS", "WIDTH", "Screen", "beside", "one_text", "room", "seen_width", "width"]
