"""A told game as plain data, for other programs."""

from __future__ import annotations

from typing import Any

from .document import Block, Item, Items, Paragraph, Picture, Section, Table
from .text import plain, sentence


def as_data(section: Section) -> dict[str, Any]:
    """Chapters with their parts; every sentence with the place in the files that says so."""
    return {
        "title": plain(section.title),
        "key": section.key,
        "blocks": [_block(block) for block in section.blocks],
        "parts": [as_data(part) for part in section.parts],
    }


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Paragraph(text=text):
            return {"text": sentence(plain(text))}
        case Items(items=items, ordered=ordered):
            return {"ordered": ordered, "items": [_item(item) for item in items]}
        case Table(head=head, rows=rows):
            return {"head": [plain(cell) for cell in head], "rows": [[plain(cell) for cell in row] for row in rows]}
        case Picture(svg=svg, caption=caption):
            return {"picture": svg, "caption": plain(caption)}


def _item(item: Item) -> dict[str, Any]:
    place = {"file": item.at.file.path, "line": item.at.line} if item.at is not None else {}
    inner = {"ordered": item.ordered, "items": [_item(one) for one in item.inner]} if item.inner else {}
    return {"text": sentence(plain(item.text), ":" if item.inner else "."), **place, **inner}
