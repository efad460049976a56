"""The whole table as one SVG picture, as one seat sees it: its own boards large, what lies in places as cards, what is
counted in lines, then the boards of the others, smaller."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ruledsl.boards.boxes import Box, boxes_drawn, boxes_svg, wrapped
from ruledsl.boards.handles import Handles
from ruledsl.boards.marks import Mark, plain
from ruledsl.boards.svg import document, svg, text_at
from ruledsl.boards.svgtiles import tiles_svg
from ruledsl.records import dataclass

from .joined import joined
from .picture import Sheet, artist_of, tile_legend
from .piled import lying_legend
from .table import Panel, Table, Thing, table

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

_WIDTH = 1100.0  # of the paper, if nothing alone is wider
_GAP, _LINE, _HEAD = 18.0, 17.0, 44.0
_SMALL = 0.55  # the boards of others
_LETTER = 7.2  # the width of one, about
_SIZE = re.compile(r'<svg ([^>]*?)width="(\d+)" height="(\d+)"')


@dataclass(frozen=True)
class _Block:
    """A part of the picture that is drawn by itself."""

    text: str
    width: float
    height: float

    def at(self, x: float, y: float) -> str:
        size = f'x="{x:.1f}" y="{y:.1f}" width="{self.width:.1f}" height="{self.height:.1f}"'
        return _SIZE.sub(lambda found: f"<svg {found[1]}{size}", self.text, count=1).rstrip()


def sheet_svg(sheet: Sheet, title: str, handles: Handles | None = None, legend: Sequence[tuple[Mark, str]] = ()) -> str:
    """A board, or several that share a picture, as an SVG document; with `handles`, for a page.

    On paper a legend stands below it; a page has its own.
    """
    roomy = sheet.joins or sheet.painting or sheet.board.outline == "circle"  # a cell has no room for titles
    signed = any(part.signed for part in sheet.joins or (sheet,))
    shown = handles is not None and sheet.painting is not None and not signed  # by the picture itself
    return svg(
        sheet.board,
        sheet.flat,
        title,
        ground=None if shown else sheet.ground,
        between=sheet.between,
        names=sheet.names if roomy else (),
        aside=sheet.aside if signed else (),
        told=sheet.rim,
        handles=handles,
        painting=sheet.painting,
        piles=sheet.piles,
        regions=sheet.regions,
        legend=legend if handles is None else (),
    )


def table_svg(play: Play, seat: int | None, language: str = "en") -> str:
    """All that a seat sees, as an SVG document."""
    view = play.view(seat)
    found = table(play, seat, language, view)
    artist = _Artist(play, found, language)
    rows = [artist.boards(own=True), artist.cards(), artist.boards(own=False)]
    title = plain(found.title if seat is None else f"{found.title}: {found.players[seat]}")
    return _page(title, [row for row in rows if row], artist.lines())


def _page(title: str, rows: Sequence[Sequence[_Block]], lines: Sequence[str]) -> str:
    width = max(_WIDTH, *(block.width + 2 * _GAP for row in rows for block in row), 0.0)
    body, y = [text_at((width / 2, 24), title, 19)], _HEAD
    for number, row in enumerate(rows):
        x, tall = _GAP, 0.0
        for block in row:
            if x > _GAP and x + block.width > width - _GAP:
                x, y, tall = _GAP, y + tall + _GAP, 0.0
            body.append(block.at(x, y))
            x, tall = x + block.width + _GAP, max(tall, block.height)
        y += tall + _GAP
        if number == 0:  # what is counted stands below the own boards
            for text in (part for line in lines for part in wrapped(line, int((width - 2 * _GAP) / _LETTER))):
                body.append(text_at((_GAP, y), text, 12, start=True))
                y += _LINE
    return document(title, (0.0, 0.0, width, y), "", body)


class _Artist:
    def __init__(self, play: Play, found: Table, language: str) -> None:
        self.play, self.found, self.language = play, found, language

    def boards(self, own: bool) -> list[_Block]:
        """The boards of the seat and those that are nobody's, or those of the others."""
        sheets = joined((s for s in self.found.sheets if s.board.shape != "edges"), self.play.world.boards)
        return [
            self._block(self._board(sheet), 1.0 if own else _SMALL)
            for sheet in sheets
            if (sheet.owner in (None, self.found.seat)) == own
        ]

    def _board(self, sheet: Sheet) -> str:
        heading = sheet.name if sheet.owner is None else f"{sheet.name}: {self.found.players[sheet.owner]}"
        if sheet.boxes:
            return boxes_svg(sheet.board, sheet.boxes, heading)
        if sheet.cells is not None:
            view = self.play.view(self.found.seat)
            return tiles_svg(sheet.board, sheet.cells, heading, tile_legend(self.play, self.language, view))
        return sheet_svg(sheet, heading)

    def _block(self, text: str, scale: float = 1.0) -> _Block:
        found = _SIZE.search(text)
        assert found is not None
        return _Block(text, float(found[2]) * scale, float(found[3]) * scale)

    def cards(self) -> list[_Block]:
        """The places in which pieces lie that the seat knows, each piece as a card."""
        found = []
        for panel in self.found.panels:
            boxes = [
                self._card(thing, pieces)
                for thing, pieces in zip(panel.things, panel.pieces, strict=True)
                if thing.name is not None
            ]
            if panel.sort == "place" and boxes:
                body, width, height = boxes_drawn(None, boxes, self._title(panel))
                found.append(self._block(document(self._title(panel), (0.0, 0.0, width, height), "", body)))
        return found

    def _card(self, thing: Thing, pieces: Sequence[int]) -> Box:
        title = f"{thing.count} × {thing.title}" if thing.count > 1 else thing.title
        facts = (Mark(fact) for fact in thing.facts if fact.strip())
        colour = artist_of(self.play, self.language).piece(self.play.state, pieces[0]).colour if pieces else None
        return Box("", (Mark(title, bold=True), *facts), (), colour)

    def _title(self, panel: Panel) -> str:
        return panel.title if panel.seat is None else f"{panel.title}: {self.found.players[panel.seat]}"

    def lines(self) -> list[str]:
        """What is counted: player by player, then what is nobody's."""
        view = self.play.view(self.found.seat)
        told = [(*one.legend, *lying_legend(self.play, self.language, view, one)) for one in self.found.sheets]
        signs = [f"{mark.text} {title}" for entries in told for mark, title in entries]
        found = [" · ".join(self._counted(None)), ", ".join(dict.fromkeys(signs))]
        for seat, player in enumerate(self.found.players):
            found.append(f"{player}: {' · '.join(self._counted(seat))}")
        return [plain(line) for line in found if line]

    def _counted(self, seat: int | None) -> Iterator[str]:
        for panel in self.found.of(seat):
            hidden = sum(thing.count for thing in panel.things if thing.name is None)
            if panel.sort != "place":
                yield panel.phrase or f"{panel.title} {panel.text}".strip()
            elif hidden:
                yield f"{panel.title}: {hidden} × ?"


__all__ = ["sheet_svg", "table_svg"]
