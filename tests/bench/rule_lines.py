"""How many lines of rules a game has, without tables, texts, `covers:` and `because:`.

    python tests/bench/rule_lines.py [GAME …] [--files]

Counted are the lines of a game's own YAML files on which something stands that players do not only read, and that
rules ask for: not tables (files that rules take rows from), tests, comments, empty lines, texts in several languages,
titles, translations, looks, numbers of rules and reasons, nor `heuristic:`, nor formulas that only reasons, texts and
`heuristic:` ask for. So a game can be compared with others, and with itself, whoever formats it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from ruledsl.runtime.game import load
from ruledsl.source.document import Entry, Map, Node, Seq
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
READ = ("covers", "because", "title", "about", "label", "text", "cases", "letters", "looks", "tests")


def whole(entry: Entry) -> Span:
    """A key with its value."""
    return Span(entry.value.span.file, entry.key.span.start, max(entry.key.span.end, entry.value.span.end))


def texts(node: Node) -> Iterator[Span]:
    """What only people read, with its key."""
    if isinstance(node, Map):
        for entry in node:
            value = entry.value
            spoken = isinstance(value, Map) and value.entries and all(key in LANGUAGES for key in value.entries)
            if entry.key.value in READ or spoken:
                yield whole(entry)
            else:
                yield from texts(value)
    elif isinstance(node, Seq):
        for item in node.items:
            yield from texts(item)


def advice(parts: list[Map]) -> list[Span]:
    """`heuristic:`, formulas that only it and what people read ask for, and `define:` where it holds no others."""
    said = [whole(entry) for part in parts for entry in part if entry.key.value == "heuristic"]
    defines = [entry for part in parts for entry in part if entry.key.value == "define"]
    formulas = [one for entry in defines if isinstance(entry.value, Map) for one in entry.value]
    while said:
        read = [[*texts(part), *(span for span in said if span.file is part.span.file)] for part in parts]
        rest = " ".join(without(part.span.file.text, spans) for part, spans in zip(parts, read, strict=True))
        words = Counter(re.findall(r"\w+", rest))
        found = [whole(one) for one in formulas if words[re.split(r"\W", one.key.value)[0]] == 1]
        if not found:
            break
        said += found
    empty = [whole(one) for one in defines if isinstance(one.value, Map) and all(whole(f) in said for f in one.value)]
    return said + empty


def without(text: str, spans: Iterable[Span]) -> str:
    """A text with blanks in place of parts of it, and of what stands behind `#`."""
    letters = list(text)
    for span in spans:
        for at in range(span.start, span.end):
            if letters[at] != "\n":
                letters[at] = " "
    return re.sub(r"(^|(?<=\s))#.*", "", "".join(letters), flags=re.MULTILINE)


def lines(node: Node, more: Iterable[Span]) -> int:
    """Those of a file on which something is left."""
    spans = [*texts(node), *(span for span in more if span.file is node.span.file)]
    rest = without(node.span.file.text, spans).split("\n")
    return sum(bool(line.strip(" \t-{}[],:\"'")) for line in rest)


def of_game(path: Path) -> dict[str, int]:
    """The files of a game with their lines of rules."""
    parts = [part.node for part in load(path).blueprint.source.parts if isinstance(part.node, Map)]
    bots = advice(parts)
    return {Path(part.span.file.path).name: lines(part, bots) for part in parts}


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
