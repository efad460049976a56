"""Study a board: distances, bottlenecks, parts that cannot be reached, spaces that are alike.

Spaces that a symmetry of the board exchanges have the same figures, so the table has one row for all of them. Paths go
from neighbour to neighbour, or with --along only in the directions (or along the labels) that you name. With -o the
board is drawn, with a figure in every space.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.cli.common import CLEAN, UsageError, game_argument, language_argument, load_game, setting_arguments, start
from ruledsl.cli.telling import as_json, format_argument, tell
from ruledsl.cli.writing import PICTURE, force_argument, place, write
from ruledsl.diagnostics.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from ruledsl.boards.measures import Survey
    from ruledsl.runtime.play import Play

MEASURES = ("betweenness", "neighbours", "distance", "alike", "parts")


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument("--board", metavar="NAME", help="only this board")
    parser.add_argument(
        "--along",
        metavar="DIRECTION",
        action="append",
        help="only paths in this direction, or with this label; can be given several times",
    )
    parser.add_argument("--all", action="store_true", help="show every kind of space, with all its spaces")
    parser.add_argument("--exact", action="store_true", help="estimate nothing on large boards, however long it takes")
    parser.add_argument("-o", "--output", metavar="FILE.svg", help="draw the board; `-` is the standard output")
    parser.add_argument(
        "--show", choices=MEASURES, default="betweenness", help="the figure that is drawn (default: betweenness)"
    )
    force_argument(parser)
    language_argument(parser)
    setting_arguments(parser, seed=False)
    format_argument(parser)


def run(args: Namespace) -> int:
    """Studies the boards with the players and options of the command line."""
    if args.output is not None and as_json(args):
        raise UsageError("`-o` draws a picture: it cannot be combined with `--format json`")
    if args.output not in (None, "-"):
        place(args.output, PICTURE, args.force)
    play = start(load_game(args.game), args)
    boards = _chosen(play, args.board)
    surveys = [(info, _survey(play, info, args)) for info in boards]
    if as_json(args):
        _tell(play, surveys, args.lang)
    elif args.output is not None:
        _draw(play, surveys, args)
    else:
        _show(play, surveys, args)
    return CLEAN


def _chosen(play: Play, wanted: str | None) -> list[Any]:
    """The boards that are meant; the edges of a board only by their name."""
    boards = play.world.boards
    if not boards:
        raise UsageError(f"{play.game.name} has no board")
    if wanted is None:
        return [info for info in boards if info.between is None]
    names = [info.name for info in boards]
    if wanted not in names:
        advice = did_you_mean(nearest(wanted, names)) or f"its boards are {', '.join(names)}"
        raise UsageError(f"{play.game.name} has no board `{wanted}`; {advice}")
    return [info for info in boards if info.name == wanted]


def _survey(play: Play, info: Any, args: Namespace) -> Survey:
    from ruledsl.boards.measures import labels, survey
    from ruledsl.runtime.graphs import graph_of

    graph = graph_of(play.configured, info.name)
    known = labels(graph)
    for label in args.along or ():
        if label not in known:
            none = f"its ways have {', '.join(known)}" if known else "its ways have no directions"
            raise UsageError(f"no way of {info.name} has `{label}`; {did_you_mean(nearest(label, known)) or none}")
    return survey(graph, args.along or info.board.meeting, args.exact)


def _title(play: Play, name: str, language: str) -> str:
    return play.world.title_of_word(name).get(language) or name


def _tell(play: Play, surveys: list[tuple[Any, Survey]], language: str) -> None:
    from ruledsl.cli.mapping import as_data

    tell({"boards": [as_data(found, info.name, _title(play, info.name, language)) for info, found in surveys]})


def _show(play: Play, surveys: list[tuple[Any, Survey]], args: Namespace) -> None:
    from ruledsl.cli.mapping import Words, told

    for number, (info, found) in enumerate(surveys):
        if len(surveys) > 1:
            print("\n" * (number > 0) + _title(play, info.name, args.lang) + "\n")
        titles = {
            name: str(play.words.title(info.root, space, args.lang)).replace("_", " ")
            for space, name in enumerate(info.board.spaces)
        }
        print("\n".join(told(found, Words(args.lang), titles, args.all)))


def _draw(play: Play, surveys: list[tuple[Any, Survey]], args: Namespace) -> None:
    from ruledsl.boards.svg import svg
    from ruledsl.cli.mapping import Words, shaded

    if args.output == "-" and len(surveys) > 1:
        raise UsageError(f"{len(surveys)} boards do not fit into one picture; choose one with `--board`")
    words, made = Words(args.lang), []
    for info, found in surveys:
        path = Path(args.output)
        if len(surveys) > 1:
            path = path.with_name(f"{path.stem}-{info.name}{path.suffix or '.svg'}")
        board = _title(play, info.name, args.lang)
        heading = f"{play.game.title(args.lang)}, {board}: {words.say(args.show)}"
        made.append((path, svg(info.board, [None] * info.spaces, heading, ground=shaded(found, args.show, words))))
    for path, text in made:
        if args.output == "-":
            print(text, end="")
            continue
        place(path, PICTURE, args.force)
    for path, text in made if args.output != "-" else ():
        write(path, text)
        print(path)
