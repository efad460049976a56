"""A told game as plain text for the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

from .document import Block, Item, Items, Paragraph, Picture, Section, Table
from .phrases import NAME, NAME_END, TERM, TERM_END, TERM_NAME

_TERM = re.compile(f"{TERM}[^{TERM_NAME}]*{TERM_NAME}([^{TERM_END}]*){TERM_END}")


def plain(text: str) -> str:
    """A text without marks."""
    return _TERM.sub(r"\1", text).replace(NAME, "").replace(NAME_END, "")


def sentence(text: str, end: str = ".") -> str:
    """With a capital at the beginning and a full stop at the end."""
    text = text.strip()
    at = next((i for i, letter in enumerate(text) if letter.isalpha() or letter.isdigit()), 0)
    if text[:at].strip("“«" + NAME + "("):  # it begins with something else than quotes
        at = 0
    text = text[:at] + text[at : at + 1].upper() + text[at + 1 :]
    return text if text.endswith((".", "!", "?", ":", "…")) else text + end


def as_text(section: Section, width: int = 100, lines: bool = False) -> str:
    """The whole text; with `lines`, behind each sentence where the files say so."""
    return "\n".join(Printed(width, lines).section(section, 1)).rstrip() + "\n"


class Printed:
    """Lines of a certain width."""

    def __init__(self, width: int, lines: bool) -> None:
        self.width, self.lines = width, lines

    def section(self, section: Section, level: int) -> Iterator[str]:
        title = sentence(plain(section.title), "")
        yield title
        if level < 4:
            yield {1: "=", 2: "-", 3: "·"}[level] * len(title)
        yield ""
        for block in section.blocks:
            yield from self.block(block)
            yield ""
        for part in section.parts:
            yield from self.section(part, level + 1)

    def block(self, block: Block) -> Iterator[str]:
        match block:
            case Paragraph(text=text):
                yield from wrap(sentence(plain(text)), self.width)
            case Items(items=items, ordered=ordered):
                yield from self.items(items, "", ordered)
            case Table(head=head, rows=rows):
                yield from _table(head, rows)
            case Picture(caption=caption):
                yield f"[{plain(caption)}]"

    def items(self, items: list[Item], indent: str, ordered: bool) -> Iterator[str]:
        for number, item in enumerate(items, 1):
            mark = f"{number}. " if ordered and len(items) > 1 else "- "
            text = sentence(plain(item.text), ":" if item.inner else ".")
            if self.lines and item.at is not None:
                text += f" [{item.at.file.path}:{item.at.line}]"
            yield from wrap(
                text,
                self.width,
                initial_indent=indent + mark,
                subsequent_indent=indent + " " * len(mark),
                break_on_hyphens=False,
            )
            yield from self.items(item.inner, indent + " " * len(mark), item.ordered)


def _table(head: list[str], rows: list[list[str]]) -> Iterator[str]:
    cells = [[plain(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[i]) for row in cells if i < len(row)) for i in range(len(head))]
    for number, row in enumerate(cells):
        yield "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=False)).rstrip()
        if number == 0:
            yield "  ".join("-" * w for w in widths)
