"""Draw a board with its pieces, as an SVG file or on the terminal.

Without -o the boards are shown on the terminal. With -o they are written as SVG: one board to that file, several
boards to files next to it with the name of each board. With --tiles the tiles of the game are drawn instead.
If the name ends in .graphml, .json or .csv, the board is written as a graph, for other programs to read.
"""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ruledsl.cli.common import (
    CLEAN,
    UsageError,
    game_argument,
    language_argument,
    load_game,
    resume,
    seat_of,
    setting_arguments,
    start,
    use_colour,
)
from ruledsl.cli.telling import as_json, format_argument, tell
from ruledsl.cli.writing import GRAPHS, PICTURE, Sort, force_argument, place, write
from ruledsl.diagnostics.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from ruledsl.runtime.picture import Sheet
    from ruledsl.runtime.play import Play


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.svg",
        help="write SVG to a file, or a graph if the name ends in .graphml, .json or .csv; `-` is the standard output",
    )
    force_argument(parser)
    parser.add_argument("--board", metavar="NAME", help="draw only this board")
    parser.add_argument(
        "--seat", metavar="NAME", help="draw all that this player sees as one picture: boards, cards, what is counted"
    )
    parser.add_argument("--tiles", action="store_true", help="draw all tiles of the game instead, to print and cut out")
    parser.add_argument(
        "--from", dest="save", metavar="SAVE", help="draw the position of a saved play instead of the start"
    )
    language_argument(parser)
    setting_arguments(parser)
    format_argument(parser)


def run(args: Namespace) -> int:
    """Draws the position at the start of play, or the saved one, as a bystander may see it."""
    from ruledsl.runtime.joined import joined
    from ruledsl.runtime.picture import sheets

    sort = _sort(args.output)
    if args.output not in (None, "-"):
        place(args.output, sort, args.force)
    game = load_game(args.game)
    play = resume(game, args.save) if args.save else start(game, args)
    if args.tiles and sort is not PICTURE:
        raise UsageError("`--tiles` cannot be written as a graph; use a file that ends in .svg")
    if as_json(args) and (args.tiles or args.output is not None):
        raise UsageError("`--format json` gives the boards as graphs: it cannot be combined with `--tiles` or `-o`")
    if args.seat is not None:
        _table(play, args, sort)
        return CLEAN
    if args.tiles:
        _tiles(play, args)
        return CLEAN
    edges = as_json(args) or sort is not PICTURE  # pictures have them between the spaces
    whole = sheets(play, args.lang, play.view(None), edges)
    if args.board is None and not edges:
        whole = joined(whole, play.world.boards)
    found = _chosen(whole, play, args.board)
    if as_json(args):
        tell({"boards": [_as_data(sheet, play) for sheet in found]})
    elif args.output is None:
        _show(found, play, args.lang)
    elif sort is PICTURE:
        _write(found, play, args)
    else:
        _put([(path, _as_file(sheet, play, path)) for sheet, path in _files(found, play, args)], args, sort)
    return CLEAN


def _chosen(found: list[Sheet], play: Play, wanted: str | None) -> list[Sheet]:
    if not found:
        raise UsageError(f"{play.game.name} has no board to draw")
    names = list(dict.fromkeys(sheet.board_name for sheet in found))
    if wanted is not None and wanted not in names:
        advice = did_you_mean(nearest(wanted, names)) or f"its boards are {', '.join(names)}"
        raise UsageError(f"{play.game.name} has no board `{wanted}`; {advice}")
    return [sheet for sheet in found if wanted in (None, sheet.board_name)]


def _sort(output: str | None) -> Sort:
    """What is written under a name."""
    return GRAPHS.get(Path(output or "").suffix.lower(), PICTURE)


def _as_file(sheet: Sheet, play: Play, path: Path) -> str:
    """A board as a graph in a file for other programs."""
    from ruledsl.boards.base import BoardError
    from ruledsl.boards.network import WRITERS
    from ruledsl.runtime.graphs import graph_of

    try:
        return WRITERS[path.suffix.lower()](graph_of(play.configured, sheet.board_name))
    except BoardError as problem:
        raise UsageError(f"{problem.message}; write a file that ends in .graphml") from None


def _as_data(sheet: Sheet, play: Play) -> dict[str, Any]:
    """A board as a graph, with the signs of what lies on its spaces."""
    from ruledsl.boards.network import network, node_link

    shown = {sheet.board.spaces[space]: mark.text for space, mark in enumerate(sheet.marks) if mark is not None}
    owner = None if sheet.owner is None else play.players[sheet.owner]
    named = {"board": sheet.board_name, "title": sheet.name, "owner": owner, "shown": shown}
    return {**named, **node_link(network(sheet.board))}


def _heading(sheet: Sheet, play: Play) -> str:
    return sheet.name if sheet.owner is None else f"{sheet.name}: {play.players[sheet.owner]}"


def _show(found: list[Sheet], play: Play, language: str) -> None:
    from ruledsl.boards.boxes import boxes_picture
    from ruledsl.boards.marks import plain
    from ruledsl.boards.picture import picture
    from ruledsl.boards.tilework import tile_picture
    from ruledsl.runtime.piled import lying_legend

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 100
    for number, sheet in enumerate(found):
        if len(found) > 1:
            print("\n" * (number > 0) + _heading(sheet, play))
        if sheet.boxes:
            print("\n".join(boxes_picture(sheet.board, sheet.boxes, colour=use_colour(), width=width)))
        elif sheet.cells is not None:
            print(tile_picture(sheet.board, sheet.cells, colour=use_colour(), width=width))
        else:
            told = [(one.title, one.marks) for one in sheet.told]
            marks, ground, names = sheet.marks, sheet.ground, sheet.names
            print(
                picture(
                    sheet.board,
                    marks,
                    colour=use_colour(),
                    width=width,
                    ground=ground,
                    told=told,
                    names=names,
                    between=sheet.between,
                )
            )
            if sheet.legend:
                told_of = (*sheet.legend, *lying_legend(play, language, play.view(None), sheet))
                signs = ", ".join(f"{plain(mark.text)} {plain(title)}" for mark, title in told_of)
                print("\n".join(wrap(signs, width, break_on_hyphens=False)))


def _write(found: list[Sheet], play: Play, args: Namespace) -> None:
    from ruledsl.boards.boxes import boxes_svg
    from ruledsl.boards.svgtiles import tiles_svg
    from ruledsl.runtime.picture import tile_legend
    from ruledsl.runtime.piled import lying_legend
    from ruledsl.runtime.tabledrawn import sheet_svg

    title = play.game.title(args.lang)
    if args.output == "-" and len(found) > 1:
        raise UsageError(f"{len(found)} boards do not fit into one picture; choose one with `--board`")
    made = []
    for sheet, path in _files(found, play, args):
        heading = title if len(found) == 1 else f"{title}: {_heading(sheet, play)}"
        if sheet.boxes:
            text = boxes_svg(sheet.board, sheet.boxes, heading)
        elif sheet.cells is not None:
            text = tiles_svg(sheet.board, sheet.cells, heading, tile_legend(play, args.lang, play.view(None)))
        else:
            text = sheet_svg(
                sheet, heading, legend=(*sheet.legend, *lying_legend(play, args.lang, play.view(None), sheet))
            )
        if args.output == "-":
            print(text, end="")
            continue
        made.append((path, text))
    _put(made, args, PICTURE)


def _files(found: list[Sheet], play: Play, args: Namespace) -> Iterator[tuple[Sheet, Path]]:
    """Boards, and where each is written: where there are several, each has its name in that of its file."""
    for sheet in found:
        path = Path(args.output)
        if len(found) > 1:
            owner = "" if sheet.owner is None else f"-{play.players[sheet.owner]}"
            path = path.with_name(f"{path.stem}-{sheet.board_name}{owner}{path.suffix or '.svg'}")
        yield sheet, path


def _put(made: list[tuple[Path, str]], args: Namespace, sort: Sort) -> None:
    """All files or none."""
    for path, _ in made:
        place(path, sort, args.force)
    for path, text in made:
        write(path, text)
        print(path)


def _table(play: Play, args: Namespace, sort: Sort) -> None:
    """All that one player sees, as one picture."""
    from ruledsl.runtime.tabledrawn import table_svg

    if args.output is None or sort is not PICTURE or args.board or args.tiles or as_json(args):
        raise UsageError("`--seat` draws all that a player sees into one file: it needs `-o FILE.svg` and nothing else")
    text = table_svg(play, seat_of(play, args.seat), args.lang)
    if args.output == "-":
        print(text, end="")
    else:
        _put([(Path(args.output), text)], args, PICTURE)


def _tiles(play: Play, args: Namespace) -> None:
    """The tiles of the game: by design on the terminal, one by one on a sheet to print."""
    from ruledsl.boards.svgtiles import sheet_svg
    from ruledsl.boards.tilework import faces_canvas
    from ruledsl.runtime.picture import tile_sets

    found = tile_sets(play, args.lang)
    if not found:
        raise UsageError(f"{play.game.name} has no tiles: no kind of piece has `tile:`")
    if args.output is None:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 100
        for outline, designs in found.items():
            shown = [(face, [name, f"× {count}"] if count > 1 else [name]) for face, name, count in designs]
            print("\n".join(faces_canvas(outline, shown, width).lines(use_colour())))
        return
    if len(found) > 1 and args.output == "-":
        raise UsageError("tiles of different shapes do not fit into one picture")
    made = []
    for number, (outline, designs) in enumerate(found.items()):
        every = [(face, name) for face, name, count in designs for _ in range(count)]
        text = sheet_svg(outline, every, play.game.title(args.lang))
        if args.output == "-":
            print(text, end="")
            continue
        path = Path(args.output)
        path = path.with_name(f"{path.stem}-{number + 1}{path.suffix or '.svg'}") if len(found) > 1 else path
        made.append((path, text))
    _put(made, args, PICTURE)
