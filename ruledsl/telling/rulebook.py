"""The draft of a rulebook: a game as it is described, with pictures of its components and a glossary of its cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ruledsl.boards.svg import legend_svg, svg
from ruledsl.boards.svgtiles import sheet_svg, tiles_svg
from ruledsl.runtime.game import Game
from ruledsl.runtime.joined import joined
from ruledsl.runtime.picture import Sheet, piece_marks, sheets, tile_legend, tile_sets
from ruledsl.wording.templates import Words

from .describe import Book, opened
from .document import Picture, Section, Table

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

W = {
    "pictures": Words(en="Pictures", ru="Рисунки"),
    "board": Words(en="{0} at the start of play", ru="{0} в начале партии"),
    "board of": Words(en="{0} of {1} at the start of play", ru="{0} ({1}) в начале партии"),
    "tiles": Words(en="the tiles", ru="тайлы"),
    "marks": Words(en="how the pieces look in the pictures", ru="как фишки выглядят на рисунках"),
    "glossary": Words(en="Glossary", ru="Словарь карт"),
    "name": Words(en="name", ru="название"),
    "says": Words(en="what it says", ru="что написано"),
}
MOST_TILES = 200  # that are drawn; more would fill a book of their own


def rulebook(game: Game, language: str, players: int | None = None, options: dict[str, Any] | None = None) -> Section:
    """The whole rulebook in the words of a language."""
    book = opened(game, language, players, options)
    play = game.start(book.count, 0, options or {})
    whole = book.whole()
    pictures = Section(book.t.sentence(W["pictures"]), list(_pictures(book, play)))
    if not pictures.is_empty:
        at = min(2, len(whole.parts))  # behind the players and the components
        whole.parts.insert(at, pictures)
    glossary = _glossary(book)
    if not glossary.is_empty:
        whole.parts.append(glossary)
    return whole


def _pictures(book: Book, play: Play) -> Iterator[Picture]:
    language = book.language
    for sheet in joined(sheets(play, language, play.view(None)), play.world.boards):
        caption = _caption(book, sheet)
        if sheet.cells is not None:
            yield Picture(
                tiles_svg(sheet.board, sheet.cells, caption, tile_legend(play, language, play.view(None))), caption
            )
        else:
            yield Picture(svg(sheet.board, sheet.marks, caption, ground=sheet.ground, between=sheet.between), caption)
    if book.world.boards:
        marks = [(mark, title) for _, mark, title in piece_marks(play, language)]
        if marks:
            caption = book.t.sentence(W["marks"])
            yield Picture(legend_svg(marks, caption), caption)
    for outline, designs in tile_sets(play, language).items():
        if len(designs) <= MOST_TILES:
            caption = book.t.sentence(W["tiles"])
            yield Picture(sheet_svg(outline, [(face, name) for face, name, _ in designs], caption), caption)


def _caption(book: Book, sheet: Sheet) -> str:
    from .slots import Text

    name = book.t.lexicon.declared(sheet.board_name).text
    if sheet.owner is None:
        return book.t.sentence(W["board"], Text(name))
    owner = book.t.lexicon.member(book.world.players, sheet.owner).text
    return book.t.sentence(W["board of"], Text(name), Text(owner))


def _glossary(book: Book) -> Section:
    """Every card with a text, by title."""
    found: dict[str, str] = {}
    titles = book.world.pieces.titles
    for member, about in enumerate(book.world.data["about"]):
        text = str(about.get(book.language) or about.get("en") or "")
        if text:
            title = titles[member] or {}
            name = str(title.get(book.language) or title.get("en") or book.world.pieces.names[member])
            found.setdefault(name, text)
    section = Section(book.t.sentence(W["glossary"]))
    if found:
        head = [book.t.sentence(W["name"]), book.t.sentence(W["says"])]
        section.blocks.append(Table(head, [[name, text] for name, text in sorted(found.items())]))
    return section
