"""Tiles on the screen: boards made of them, those to choose from, and how one would come to lie."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ruledsl.boards.faces import Cell
from ruledsl.boards.marks import Mark, paint, plain
from ruledsl.boards.tilework import (
    BORDERS,
    LOW,
    OUTLINED,
    SIZES,
    Canvas,
    beside,
    board_canvas,
    divided,
    faces_canvas,
    in_use,
    tile_picture_sized,
)
from ruledsl.bots.laid import Laid, laid_by
from ruledsl.runtime.asked import steps_so_far
from ruledsl.runtime.gathering import names_of
from ruledsl.runtime.picture import Sheet, cells, drawn_as_tiles, face, tile_legend
from ruledsl.runtime.table import Thing
from ruledsl.runtime.typed import typed_number
from ruledsl.types import Elem
from ruledsl.wording.columns import columns

from .drawing import Drawing
from .words import say

_MOST_SIGNS = 24  # in the legend of tiles
_MOST_TILES = 12  # of a place that are drawn
_MOST_PREVIEWS = 12
_NEIGHBOURLY = 3  # so many previews are shown with the tiles around


Moment = tuple[str | None, int, int, str | None]


class Tiles(Drawing):
    """Draws the tiles of one play; part of a `Screen`."""

    room: tuple[int, int | None]
    tile_lines = OUTLINED  # of a tile to choose from: fewer where there is little room
    tile_sizes: Sequence[int] = SIZES  # of boards of tiles

    drawn_size = 0  # lines of the tiles of the board that was drawn last
    frontier = True  # spaces where a tile may come are drawn before they are asked about

    frames: dict[tuple[str, int | None], tuple[Moment, frozenset[int]]]  # what boards keep room for in a turn

    def fit(self, columns: int, lines: int, tiles: int | None, frontier: bool = True) -> None:
        """Draws for so many columns and lines from now on, with tiles of so many lines."""
        self.columns, self.room = columns, (columns, lines)
        self.tile_sizes = SIZES if tiles is None else (tiles,)
        self.tile_lines = OUTLINED if tiles in (None, OUTLINED) else LOW
        self.frontier = frontier

    def moment(self, view: dict[str, Any]) -> Moment:
        """Whose turn it is and which: as long as it lasts, boards keep their place and scale."""
        return view["seat"], view["round"], view["turn_number"], view["phase"]

    def _frame(self, sheet: Sheet, view: dict[str, Any], offered: set[int], frontier: bool) -> frozenset[int]:
        """The spaces that a board keeps room for: those where a tile could come when the turn began, and more once
        something lies beside them."""
        if not self.frontier:
            return frozenset()  # there is no room for more than is seen
        assert sheet.cells is not None
        used = frozenset(in_use(sheet.board, sheet.cells, offered, frontier))
        key, moment = (sheet.board_name, sheet.owner), self.moment(view)
        since, frame = self.frames.get(key, (moment, used))
        tiled = {space for space, cell in enumerate(sheet.cells) if cell is not None} | offered
        if since != moment or not tiled <= frame:
            frame = used
        self.frames[key] = moment, frame
        return frame

    def _tiles(self, sheet: Sheet, view: dict[str, Any], options: Sequence[Any]) -> list[str]:
        columns, lines = self.room
        assert sheet.cells is not None
        offered = self.offered(sheet, options)
        frontier = not options or (self.frontier and self._asks_for(sheet))
        text, self.drawn_size = tile_picture_sized(
            sheet.board,
            sheet.cells,
            colour=self.colour,
            width=columns,
            height=lines,
            offered=offered,
            frontier=frontier,
            sizes=self.tile_sizes,
            frame=self._frame(sheet, view, offered, frontier),
        )
        return text.split("\n") if text else []

    def _asks_for(self, sheet: Sheet) -> bool:
        """Whether a space of a board is asked for now, or in a later step of what is asked."""
        info = next(board for board in self.world.boards if board.name == sheet.board_name)
        for seat in self.play.pending:
            stop = self.play.stop_of(seat)
            for entry in stop.choice.entries if stop is not None and stop.choice is not None else ():
                if any(isinstance(x.type, Elem) and x.type.root is info.root for x in entry.variables):
                    return True
        return False

    def offered(self, sheet: Sheet, options: Sequence[Any]) -> set[int]:
        """The spaces of a board that options are about: themselves, or by a part of the tile there."""
        spots = self.play.machine.program.spots
        info = next(board for board in self.world.boards if board.name == sheet.board_name)
        first = (sheet.owner or 0) * len(sheet.board)
        named = {(info.root, name): space for space, name in enumerate(info.root.names)}
        for part in self.world.parts if options else ():
            for name, tile in zip(part.root.names, part.owner, strict=True):
                named[part.root, name] = self.play.state[spots.at + tile] - info.first_spot
        told = (pair for option in options for pair in zip(option.roots, option.words.values(), strict=False))
        found = {named.get(pair, -1) - first for pair in told}
        return {space for space in found if 0 <= space < len(sheet.board)}

    def tile_legend(self, view: dict[str, Any]) -> list[str]:
        """What the signs on tiles stand for."""
        signs = tile_legend(self.play, self.language, view)[:_MOST_SIGNS]
        if any(self._divided(info, view) for info in self.world.boards if drawn_as_tiles(info)):
            signs.append((Mark(BORDERS), say("border", self.language)))
        return self.signs_told(signs)

    def _divided(self, info: Any, view: dict[str, Any]) -> bool:
        """Whether on a tile in sight a line is drawn between areas that look alike."""
        laid = [cell.face for cell in cells(self.play, info, self.language, view) if cell is not None]
        names = (self.names.numbers.get(name) for names in view["places"].values() for name in names)
        pieces = [piece for piece in names if piece is not None and self._is_tile_of(piece, info)]
        sizes = (self.drawn_size,) if self.drawn_size in self.tile_sizes else self.tile_sizes
        seen = [(one, sizes) for one in laid if one is not None]
        seen += [(face(self.play, piece, self.language), (self.tile_lines,)) for piece in pieces]
        return any(divided(one, info.board.outline, lines) for one, lines in seen)

    def _is_tile_of(self, piece: int, info: Any) -> bool:
        return any(kind.mask >> piece & 1 and kind.tile == info.name for kind in self.world.kinds)

    def signs_told(self, found: Iterable[tuple[Mark, str]]) -> list[str]:
        """Signs, and what they stand for."""
        line, used, lines = "", 0, []
        for mark, title in found:
            size = columns(plain(mark.text)) + 1 + columns(plain(title)) + 2
            if used and used + size > self.columns:
                lines.append(line.rstrip())
                line, used = "", 0
            shown = paint(mark, self.colour, mark.colour)
            line, used = f"{line}{shown} {plain(title)}  ", used + size
        return [*lines, line.rstrip()] if line else []

    def _row(self, label: str, things: Sequence[Thing], marked: Collection[str]) -> list[str]:
        """The tiles in a place, where they are few and known: to choose from."""
        if not 0 < len(things) <= _MOST_TILES or any(thing.name is None for thing in things):
            return []
        pieces = [self.names.numbers[str(thing.name)] for thing in things]
        boards = {self._tile_board(piece) for piece in pieces}
        if len(boards) != 1 or None in boards:
            return []
        (outline,) = boards
        shown = [
            (
                face(self.play, piece, self.language),
                ["\u00d7 " * (thing.name in marked) + thing.title, *filter(None, thing.facts)],
            )
            for piece, thing in zip(pieces, things, strict=True)
        ]
        return [f"{label}:", *faces_canvas(outline, shown, self.columns, lines=self.tile_lines).lines(self.colour)]

    def _tile_board(self, piece: int) -> Any:
        """The outline of the spaces on which a piece is laid as a tile, if it is one."""
        for kind in self.world.kinds:
            if kind.mask >> piece & 1 and kind.tile is not None:
                return next(board.board.outline for board in self.world.boards if board.name == kind.tile)
        return None

    def lays_tiles(self) -> bool:
        """Whether boards are made of tiles here."""
        return any(drawn_as_tiles(info) for info in self.world.boards)

    def so_far(self, seat: int) -> list[str]:
        """What has been chosen already of a choice that is made in steps; a tile is drawn."""
        shown, lines = [], []
        for step in steps_so_far(self.play, seat, self.language):
            shown.append(step.text)
            outline = self._tile_board(step.piece) if step.piece >= 0 else None
            if outline is not None:
                tile = face(self.play, step.piece, self.language)
                lines += faces_canvas(outline, [(tile, [])], self.columns, lines=self.tile_lines).lines(self.colour)
        if picked := names_of(self.play, seat, self.gathering.of(seat), self.language):
            shown.append(picked)
        return [*lines, *self.wrapped(f"{say('so_far', self.language)} ", " · ".join(shown))] if shown else []

    def previews(self, seat: int, options: Sequence[Any], view: dict[str, Any]) -> list[str]:
        """How a tile would lie with each of a few options: among its neighbours where few, else by itself.

        Each goes by its number alone, so that they fit side by side: the options stand below in words.
        """
        if not 0 < len(options) <= _MOST_PREVIEWS:
            return []
        laid = laid_by(self.play, seat, options)
        if not laid or len(laid) < len([o for o in options if o.values]):
            return []
        shown: dict[Any, tuple[Laid, list[tuple[str, str]]]] = {}
        for option in options:
            one = laid.get(option.index)
            if one is not None:
                named = f"{self.word(next(iter(option.values)))} {option.text}" if self._is_bare_number(option) else ""
                captions = shown.setdefault(self._seen_as(one), (one, []))[1]
                number = typed_number(self.play, seat, option, self.language)
                captions.append((number or option.text, "  ".join(filter(None, (number, named))) or option.text))
        pictures = []
        for one, captions in shown.values():  # turns that look alike are shown once
            caption = captions[0][1]
            if len(captions) > 1:
                caption = f"{', '.join(short for short, _ in captions)}: {say('look_alike', self.language)}"
            pictures.append(self._preview(one, view, caption, alone=len(shown) > _NEIGHBOURLY))
        return beside(pictures, self.columns).lines(self.colour)

    def _is_bare_number(self, option: Any) -> bool:
        return len(option.values) == 1 and option.text.isdigit()

    def _seen_as(self, one: Laid) -> Any:
        """Equal for tiles that look the same in the same place."""
        areas = face(self.play, one.piece, self.language, one.turn).areas
        return one.board.name, one.space, frozenset((frozenset(area.sides), area.look) for area in areas)

    def _preview(self, one: Laid, view: dict[str, Any], caption: str, alone: bool) -> Canvas:
        board = one.board.board
        if alone:
            canvas = faces_canvas(
                board.outline,
                [(face(self.play, one.piece, self.language, one.turn), [])],
                self.columns,
                lines=self.tile_lines,
            )
        else:
            copy, space = divmod(one.space, one.board.spaces)
            shown = cells(self.play, one.board, self.language, view)
            shown = shown[copy * one.board.spaces : (copy + 1) * one.board.spaces]
            shown[space] = Cell(face(self.play, one.piece, self.language, one.turn))
            around = {near for side in board.sides if (near := board.steps[side][space]) >= 0}
            spaces = [s for s in sorted({space, *around}) if s == space or shown[s] is not None]
            canvas = board_canvas(board, shown, spaces, {space}, self.tile_lines, named=False)
        canvas.write(canvas.height, 0, caption)
        return canvas
