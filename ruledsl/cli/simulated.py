"""What a simulation came to, as `simulate` and `merge` tell it: a summary or JSON, a page, a file for `merge`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ruledsl.cli.common import LANGUAGES, UsageError
from ruledsl.cli.telling import as_json, format_argument, tell
from ruledsl.cli.writing import REPORT, RESULT, force_argument, place, write

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game
    from ruledsl.simulation.run import Result


def telling_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--report", type=Path, metavar="FILE.html", help="write a page with charts, for a browser")
    parser.add_argument(
        "--save",
        type=Path,
        metavar="FILE.json",
        help="keep the result, so that `merge` can combine it with others",
    )
    force_argument(parser)
    format_argument(parser)
    parser.add_argument("--all", action="store_true", help="show everything in the summary")
    parser.add_argument("--lang", "--language", choices=LANGUAGES, default="en", help="the language of the summary")


def check_files(args: Namespace) -> None:
    """Files that cannot be written are refused before hours of work."""
    for file, endings, sort, what in (
        (args.report, (".html", ".htm"), REPORT, "the report is a web page"),
        (args.save, (".json",), RESULT, "a result is kept as JSON"),
    ):
        if file is None:
            continue
        if file.suffix not in endings:
            raise UsageError(f"`{file}` must end in {endings[0]}: {what}")
        place(file, sort, args.force)


def show(args: Namespace, result: Result, game: Game, word: str) -> None:
    """Tells a result, and writes what is to be kept of it. `word` is how the user calls the game."""
    from ruledsl.simulation.findings import findings
    from ruledsl.simulation.saved import Saved
    from ruledsl.simulation.saved import write as saved
    from ruledsl.simulation.text import summary
    from ruledsl.simulation.words import Speech

    speech = Speech(args.lang)
    found = findings(result, game, word, args.lang)
    if as_json(args):
        from ruledsl.simulation.data import as_data

        tell(as_data(found))
    else:
        print(summary(found, args.all), end="")
    if args.save is not None:
        write(args.save, saved(Saved(word, found.configured.rules, result)))
    if args.report is not None:
        from ruledsl.cli.main import version
        from ruledsl.simulation.report import page

        rules = speech.say("rules_of", rules=found.configured.rules)
        made = f"ruledsl {version()}, {date.today().isoformat()}, {rules}"
        write(args.report, page(found, made))
        if not as_json(args):
            print(f"\n{speech.say('written', file=args.report)}")


__all__ = ["check_files", "show", "telling_arguments"]
