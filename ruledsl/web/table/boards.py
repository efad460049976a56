"""The boards of a table as pictures, by the code of `ruledsl draw`, with an id for each space."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from ruledsl.analysis.names import BoardInfo
from ruledsl.boards.boxes import boxes_svg
from ruledsl.boards.handles import Handle, Handles
from ruledsl.boards.marks import plain
from ruledsl.boards.svgtiles import tiles_svg
from ruledsl.runtime.joined import joined
from ruledsl.runtime.picture import Sheet, artist_of, tile_legend
from ruledsl.runtime.piled import lying_legend
from ruledsl.runtime.play import Play
from ruledsl.runtime.table import Table
from ruledsl.runtime.tabledrawn import sheet_svg

from .legends import legend_of
from .targets import space_id


class Boards:
    """Draws the boards of one table."""

    def __init__(self, play: Play, found: Table, language: str, state: list[int], view: dict[str, Any]) -> None:
        self.play, self.found, self.language, self.state, self.view = play, found, language, state, view
        self.artist = artist_of(play, language)

    def data(self) -> list[dict[str, Any]]:
        """Each board with its picture; what is on edges stands between the spaces of their board."""
        infos = {info.name: info for info in self.play.world.boards}
        single = [sheet for sheet in self.found.sheets if infos[sheet.board_name].between is None]
        self.laid = {
            sheet.board_name: sheet.cells for sheet in single if sheet.cells is not None and sheet.owner is None
        }
        sheets = joined(single, self.play.world.boards)
        return [self._board(sheet, infos, f"b{number}-") for number, sheet in enumerate(sheets)]

    def _board(self, sheet: Sheet, infos: dict[str, Any], prefix: str) -> dict[str, Any]:
        handles = Handles(self._spaces(sheet, infos), self._edges(sheet, infos[sheet.board_name]), prefix)
        legend = legend_of(sheet.legend)
        if sheet.boxes:
            picture = boxes_svg(sheet.board, sheet.boxes, sheet.name, handles)
        elif sheet.cells is not None:
            picture = tiles_svg(sheet.board, sheet.cells, sheet.name, handles=handles)
            legend = legend_of(tile_legend(self.play, self.language, self.view, self.laid))
        else:
            picture = sheet_svg(sheet, sheet.name, handles)
            legend += legend_of(lying_legend(self.play, self.language, self.view, sheet))
        return {
            "name": sheet.board_name,
            "title": plain(sheet.name),
            "owner": sheet.owner,
            "shape": sheet.board.shape,
            "picture": picture,
            "legend": legend,
        }

    def _spaces(self, sheet: Sheet, infos: dict[str, Any]) -> Callable[[int], Handle]:
        """Finds the handle of a space by its number in the picture."""
        parts = [(part, infos[part.board_name], _signs(part)) for part in sheet.joins or (sheet,)]
        starts = list(accumulate((len(part.board) for part, _, _ in parts), initial=0))

        def handle(number: int) -> Handle:
            at = bisect(starts, number) - 1
            (part, info, signs), number = parts[at], number - starts[at]
            first = (part.owner or 0) * len(part.board)
            name = space_id(info.name, info.root.names[first + number])
            return Handle(name, self._said(part, info.first_spot + first, number, signs))

        return handle

    def _said(self, sheet: Sheet, first: int, number: int, signs: dict[str, str]) -> str:
        """A space in words: its name, what lies there, what it is."""
        lying = list(map(self._called, self._pieces(first + number)))
        ground = sheet.ground[number]
        if ground is not None and ground.said:
            lying.append(ground.said)
        elif ground is not None and ground.text:
            lying += [signs[sign] for sign in ground.text if sign in signs]
        for told in sheet.told:
            if (mark := told.marks[number]) is not None:
                lying.append(f"{plain(told.title)} {mark.text}")
        name = plain(sheet.names[number] if sheet.names else sheet.board.spaces[number])
        return f"{name}: {', '.join(lying)}" if lying else name

    def _pieces(self, spot: int) -> list[int]:
        """What lies on a space, with what stands on the parts of a tile there."""
        pieces = self.play.machine.pieces
        here = list(pieces.on(self.state, spot))
        for part in self.play.world.parts if here else ():
            for number, tile in enumerate(part.owner):
                if tile in here:
                    here += pieces.on(self.state, part.first_spot + number)
        return here

    def _called(self, piece: int) -> str:
        if not self.play.viewer.knows(self.state, piece, self.found.seat):
            return str(self.play.words.fixed("hidden", self.language))
        return plain(self.artist.titled(self.state, piece))

    def _edges(self, sheet: Sheet, info: BoardInfo) -> list[Handle]:
        if sheet.between is None or info.edges is None:
            return []
        edges = info.edges
        first = (sheet.owner or 0) * edges.spaces
        return [
            Handle(space_id(edges.name, edges.root.names[first + n]), plain(name))
            for n, name in enumerate(sheet.between.names)
        ]


def _signs(sheet: Sheet) -> dict[str, str]:
    """What the signs on a board stand for."""
    return {mark.text: plain(title) for mark, title in sheet.legend}


__all__ = ["Boards"]
