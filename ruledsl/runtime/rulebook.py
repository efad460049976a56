"""The rules of a game as people read them, by chapter: `rules.md` in its folder, or `NAME.rules.md` beside its file.

What there is for whoever checks the rules is left out: the numbers of statements (`**AB-012**`, `(AB-012)`), remarks
where they come from (`*[ruling]*`), and what stands between `<!-- not for players -->` and `<!-- for players -->`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import Report
from ruledsl.records import dataclass
from ruledsl.source.scan import read_file

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game

_MOST = 2_000_000  # bytes of a book of rules
_NOT_FOR_PLAYERS = re.compile(r"<!-- not for players -->.*?(<!-- for players -->|\Z)", re.DOTALL)
_NUMBER = r"[A-Z]{2,}-\d+"
_STATEMENT = re.compile(rf"^[-*] \*\*({_NUMBER})\*\* +", re.MULTILINE)
_LEADS_TO = re.compile(rf"\b{_NUMBER}\b(?:(?:,| and| to| or)\s+{_NUMBER})*")
_CHECKING = re.compile(
    rf"\s*\((?:(?:but )?see )?{_NUMBER}(?:(?:,| and| to| or)\s+{_NUMBER})*\)|\s*(?<!\*)\*\[[^\]]*\]\*(?!\*)"
)
_HEADING = re.compile(r"^(#{1,3}) +(.+?) *#*$")


@dataclass(frozen=True)
class Chapter:
    """A part of the rules: how deep it stands, its heading, and its text without the signs of Markdown."""

    depth: int
    title: str
    text: str


def chapters(game: Game, language: str) -> list[Chapter]:
    """The chapters of the rules as players read them; none where the game brings no such text."""
    path, _ = _book(game, language)
    found = read_file(path, Report(), _MOST) if path is not None else None
    return _chapters(_for_players(found.text)) if found is not None else []


def _for_players(text: str) -> str:
    """The text without what only those need who check it; numbers that lead elsewhere become headings."""
    text = _CHECKING.sub("", _NOT_FOR_PLAYERS.sub("", text))
    heading, headings = "", dict[str, str]()
    for line in text.splitlines():
        if found := _HEADING.match(line):
            heading = _plain(found.group(2))
        elif found := _STATEMENT.match(line):
            headings[found.group(1)] = heading
    text = _STATEMENT.sub("- ", text)

    def told(found: re.Match[str]) -> str:
        names = dict.fromkeys(headings.get(number, number) for number in re.findall(_NUMBER, found[0]))
        return " and ".join(f"“{name}”" for name in names)

    return _LEADS_TO.sub(told, text)


def language_of_chapters(game: Game, language: str) -> str:
    """The language in which who reads one is shown the chapters: that one, if there is a book in it."""
    return _book(game, language)[1]


def _book(game: Game, language: str) -> tuple[Path | None, str]:
    source = game.blueprint.source
    own = "rules" if source.path.name == "game.yaml" else f"{source.path.stem}.rules"
    for name, written in ((f"{own}.{language}.md", language), (f"{own}.md", "en")):
        path = source.root / name
        if path.is_file():
            return path, written
    return None, language


def _chapters(text: str) -> list[Chapter]:
    found: list[tuple[int, str, list[str]]] = []
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            found.append((len(heading.group(1)), _plain(heading.group(2)), []))
        elif found:
            found[-1][2].append(line)
    return [Chapter(depth, title, _paragraphs(lines)) for depth, title, lines in found if title]


def _paragraphs(lines: Sequence[str]) -> str:
    """Lines that belong together are joined; lists and tables keep their lines."""
    found: list[str] = []
    whole = False  # whether the line before goes on
    for raw in lines:
        line = raw.strip()
        if not line or re.fullmatch(r"[|:\s-]+", line) or re.fullmatch(r"[|\s]+", line):
            if found and found[-1] and not line:
                found.append("")
            whole = False
            continue
        if line.startswith("|"):
            found.append("  ".join(cell for cell in (_plain(part) for part in line.strip("|").split("|")) if cell))
            whole = False
        elif re.match(r"[-*] |\d+\. ", line) or not whole:
            found.append(re.sub(r"^[-*] ", "- ", _plain(line)))
            whole = True
        else:
            found[-1] += f" {_plain(line)}"
    return "\n".join(found).strip("\n")


def _plain(text: str) -> str:
    """Markdown without its signs: links keep their words."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__|`)", "", text)
    return re.sub(r"(?<!\w)[*_]([^*_]+)[*_](?!\w)", r"\1", text).strip()


def chapter_of(found: Sequence[Chapter], wanted: str) -> list[Chapter]:
    """The chapters that a number or a word means, each with those below it."""
    word = wanted.casefold().strip()
    if word.isdecimal():
        tops = tops_of(found)
        return _with_below(found, tops[int(word) - 1]) if 0 < int(word) <= len(tops) else []
    best = [c for c in found if c.title.casefold() == word] or [c for c in found if word in c.title.casefold()]
    return [chapter for one in best[:3] for chapter in _with_below(found, one)]


def tops_of(found: Sequence[Chapter]) -> list[Chapter]:
    """The chapters that are counted: the highest headings, below a title that stands alone."""
    depths = sorted({chapter.depth for chapter in found})
    alone = depths and sum(chapter.depth == depths[0] for chapter in found) == 1 and len(depths) > 1
    return [chapter for chapter in found if chapter.depth == depths[1 if alone else 0]] if depths else []


def _with_below(found: Sequence[Chapter], one: Chapter) -> list[Chapter]:
    at = next(i for i, chapter in enumerate(found) if chapter is one)
    end = next((i for i in range(at + 1, len(found)) if found[i].depth <= one.depth), len(found))
    return list(found[at:end])


__all__ = ["Chapter", "chapter_of", "chapters", "language_of_chapters", "tops_of"]
