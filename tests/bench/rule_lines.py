"""How many lines of rules a game has, without tables, texts, `covers:` and `because:`.

    python tests/bench/rule_lines.py [GAME …] [--files]

Counted are the lines of a game's own YAML files on which something stands that players do not only read: not tables
(files that rules take rows from), tests, comments, empty lines, texts in several languages, titles, translations,
looks, numbers of rules and reasons. So a game can be compared with others, and with itself, whoever formats it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from ruledsl.runtime.game import load
from ruledsl.source.document import Map, Node, Seq
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
READ = ("covers", "because", "title", "about", "label", "text", "cases", "letters", "looks", "tests")


def texts(node: Node) -> Iterator[Span]:
    """What only people read, with its key."""
    if isinstance(node, Map):
        for entry in node:
            value = entry.value
            spoken = isinstance(value, Map) and value.entries and all(key in LANGUAGES for key in value.entries)
            if entry.key.value in READ or spoken:
                start, end = entry.key.span.start, max(entry.key.span.end, value.span.end)
                yield Span(value.span.file, start, end)
            else:
                yield from texts(value)
    elif isinstance(node, Seq):
        for item in node.items:
            yield from texts(item)


def lines(node: Node) -> int:
    """Those of a file on which something is left."""
    text = list(node.span.file.text)
    for span in texts(node):
        for at in range(span.start, span.end):
            if text[at] != "\n":
                text[at] = " "
    rest = (line.split(" #")[0].strip(" \t-{}[],:\"'") for line in "".join(text).split("\n"))
    return sum(bool(line) and not line.startswith("#") for line in rest)


def of_game(path: Path) -> dict[str, int]:
    """The files of a game with their lines of rules."""
    parts = load(path).blueprint.source.parts
    return {Path(part.node.span.file.path).name: lines(part.node) for part in parts}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=sorted(path.parent.name for path in ROOT.glob("games/*/game.yaml")))
    parser.add_argument("--files", action="store_true", help="the lines of each file, too")
    args = parser.parse_args()
    for game in args.games:
        found = of_game(ROOT / "games" / game)
        print(f"{game:12} {sum(found.values()):5}")
        for name, number in found.items() if args.files else ():
            print(f"  {name:24} {number:5}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
