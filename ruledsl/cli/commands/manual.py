"""Look up a word of the rule language, or a chapter about it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from ruledsl.cli.telling import as_json, format_argument, tell
from ruledsl.cli.writing import MANUAL, force_argument, place, write


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "words",
        nargs="*",
        metavar="word",
        help="a statement, function, declaration, board or chapter, such as `choose` or `tests`; other words are "
        "searched for, such as `dice` or `hidden cards`; without any, the whole reference",
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the whole reference to a file")
    force_argument(parser)
    format_argument(parser)


def run(args: Namespace) -> int:
    """0, or 2 if the reference says nothing of the words."""
    from ruledsl import manual

    if args.write is not None:
        write(place(args.write, MANUAL, args.force), manual.text())
        return 0
    word = " ".join(args.words)
    if not word:
        tell({"words": manual.words(), "text": manual.text()}) if as_json(args) else print(manual.text(), end="")
        return 0
    found = manual.topic(word)
    if not found:
        return _searched(word, args)
    tell({"word": word, "text": found, "meant": [], "found": []}) if as_json(args) else print(found)
    return 0


def _searched(words: str, args: Namespace) -> int:
    from ruledsl import manual
    from ruledsl.diagnostics.suggest import did_you_mean, nearest
    from ruledsl.manual import searching
    from ruledsl.wording.english import listed

    meant, found, how = searching.meant(words), searching.search(words), searching.how(words)
    if as_json(args):
        places = [{"word": one.word, "line": one.line} for one in found]
        tell({"word": words, "text": how, "meant": meant, "found": places})
    elif meant or found:
        instead = f": look up {listed([f'`{one}`' for one in meant], 'or')}" if meant else ""
        print(f"The language has no word `{words}`{instead}." + f"\n\n{how}." * bool(how))
        if found:
            wide = max(len(one.word) for one in found[: searching.MOST])
            print("\nWhere the reference speaks of it (`ruledsl manual WORD` shows more):")
            for one in found[: searching.MOST]:
                print(f"  {one.word:<{wide}}  {one.line}")
    else:
        hint = did_you_mean(nearest(words, manual.words()))
        print(f"the reference says nothing of `{words}`" + (f"; {hint}" if hint else ""), file=sys.stderr)
        print(f"its chapters: {', '.join(manual.chapters())}", file=sys.stderr)
    return 0 if meant or found else 2
