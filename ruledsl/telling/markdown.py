"""A told game as Markdown. What stands in a game's texts is text and never markup."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator

from .document import Item, Items, Paragraph, Picture, Section, Table
from .phrases import NAME, NAME_END, TERM, TERM_END, TERM_NAME
from .text import sentence

_TERM = re.compile(f"{TERM}([^{TERM_NAME}]*){TERM_NAME}([^{TERM_END}]*){TERM_END}")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~]|^[#+-](?= )|^\d+(?=[.)] ))")


def as_markdown(section: Section, language: str = "en") -> str:
    """The whole text, with its pictures in it."""
    keys = {part.key: anchor(part.key) for part in section.walk() if part.key}
    head = f"<!-- Made by `ruledsl rulebook`, language: {language} -->"
    return "\n".join([head, "", *_section(section, 1, keys)]).rstrip() + "\n"


def anchor(key: str) -> str:
    """What a link leads to: letters, digits and dashes only."""
    return re.sub(r"[^\w]+", "-", key.lower()).strip("-")


def escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text.replace("&", "&amp;"))


def data_of(svg: str) -> str:
    """A picture inside the text: as an image, nothing in it can run or reach out of it."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def inline(text: str, keys: dict[str, str]) -> str:
    """Names in italics, named rules as links to where they are told."""

    def link(found: re.Match[str]) -> str:
        key, shown = found[1].replace("\\", ""), found[2]  # keys are no text, and are not escaped
        return f"[{shown}](#{keys[key]})" if key in keys else shown

    shown = _TERM.sub(link, escaped(text))
    return shown.replace(NAME, "*").replace(NAME_END, "*")


def _section(section: Section, level: int, keys: dict[str, str]) -> Iterator[str]:
    place = f'<a id="{keys[section.key]}"></a>' if section.key else ""
    if place:
        yield place
        yield ""
    yield f"{'#' * min(level, 6)} {inline(sentence(section.title, ''), keys)}"
    yield ""
    for block in section.blocks:
        yield from _block(block, keys)
        yield ""
    for part in section.parts:
        yield from _section(part, level + 1, keys)


def _block(block: object, keys: dict[str, str]) -> Iterator[str]:
    match block:
        case Paragraph(text=text):
            yield inline(sentence(text), keys)
        case Items(items=items, ordered=ordered):
            yield from _items(items, "", ordered, keys)
        case Table(head=head, rows=rows):
            yield f"| {' | '.join(inline(cell, keys) for cell in head)} |"
            yield f"|{' --- |' * len(head)}"
            for row in rows:
                yield f"| {' | '.join(inline(cell, keys) for cell in row)} |"
        case Picture(svg=svg, caption=caption):
            yield f"![{escaped(sentence(caption, ''))}]({data_of(svg)})"


def _items(items: list[Item], indent: str, ordered: bool, keys: dict[str, str]) -> Iterator[str]:
    numbered = ordered and len(items) > 1
    for number, item in enumerate(items, 1):
        mark = f"{number}. " if numbered else "- "
        yield f"{indent}{mark}{inline(sentence(item.text, ':' if item.inner else '.'), keys)}"
        yield from _items(item.inner, indent + " " * len(mark), item.ordered, keys)
