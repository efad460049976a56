"""Write the draft of a rulebook: the game in plain sentences, with pictures of what there is and a glossary of cards.

With -o it writes a single file: Markdown if its name ends in .md, a page to read and print if it ends in .html.
The sentences are those of `describe`.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from ruledsl.cli.commands.describe import count
from ruledsl.cli.common import CLEAN, game_argument, language_argument, load_game, setting_arguments, settings
from ruledsl.cli.writing import RULEBOOK, Sort, force_argument, place, write

FORMATS = ("markdown", "html", "json")


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file: .md, .html or .json")
    force_argument(parser)
    parser.add_argument(
        "--format", choices=FORMATS, help="the format, if the file name does not show it (default: markdown)"
    )
    language_argument(parser)
    setting_arguments(parser, seed=False)


def run(args: Namespace) -> int:
    """Writes the rulebook to a file or to the standard output."""
    form = form_of(args.output, args.format)
    if args.output is not None:
        place(args.output, Sort(RULEBOOK.name, ENDINGS[form], RULEBOOK.begins), args.force)
    from ruledsl.telling.rulebook import rulebook

    told = rulebook(load_game(args.game), args.lang, count(args), settings(args))
    if form == "html":
        from ruledsl.telling.html import as_html

        text = as_html(told, args.lang)
    elif form == "json":
        from ruledsl.telling.data import as_data

        text = json.dumps(as_data(told), ensure_ascii=False, indent=2) + "\n"
    else:
        from ruledsl.telling.markdown import as_markdown

        text = as_markdown(told, args.lang)
    if args.output is None:
        print(text, end="")
        return CLEAN
    write(Path(args.output), text)
    print(args.output)
    return CLEAN


ENDINGS = {"markdown": (".md", ".markdown"), "html": (".html", ".htm"), "json": (".json",)}


def form_of(output: str | None, form: str | None) -> str:
    """What `--format` says, else the ending of the file."""
    if form is None and output is not None:
        ending = Path(output).suffix.lower()
        return next((name for name, endings in ENDINGS.items() if ending in endings), "markdown")
    return form or "markdown"
