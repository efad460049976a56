"""A told game as data: headings, sentences, lists, tables and pictures, before anybody writes them somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from ruledsl.records import dataclass
from ruledsl.source.text import Span


@dataclass
class Item:
    """A sentence, without its end, and what is listed below it; `at` is where the file says so."""

    text: str
    inner: list[Item] = field(default_factory=list)
    at: Span | None = None
    ordered: bool = True  # whether what is below happens one after the other
    ends: bool = False  # whether it ends the play
    conditional: bool = False  # whether what is below happens only if the sentence is so


@dataclass
class Paragraph:
    text: str


@dataclass
class Items:
    items: list[Item]
    ordered: bool = False


@dataclass
class Table:
    head: list[str]
    rows: list[list[str]]


@dataclass
class Picture:
    """A picture as SVG, with what it shows in words."""

    svg: str
    caption: str


Block = Paragraph | Items | Table | Picture


@dataclass
class Section:
    """A chapter: what is said in it, then its own parts. `key` is what names lead to it."""

    title: str
    blocks: list[Block] = field(default_factory=list)
    parts: list[Section] = field(default_factory=list)
    key: str = ""

    def walk(self) -> Iterator[Section]:
        yield self
        for part in self.parts:
            yield from part.walk()

    @property
    def is_empty(self) -> bool:
        return not self.blocks and all(part.is_empty for part in self.parts)


def texts(section: Section) -> Iterator[str]:
    """Every text of a section, as it stands there."""
    yield section.title
    for block in section.blocks:
        match block:
            case Paragraph(text=text):
                yield text
            case Items(items=items):
                for item in items:
                    yield from item_texts(item)
            case Table(head=head, rows=rows):
                yield from head
                for row in rows:
                    yield from row
            case Picture(caption=caption):
                yield caption
    for part in section.parts:
        yield from texts(part)


def item_texts(item: Item) -> Iterator[str]:
    yield item.text
    for inner in item.inner:
        yield from item_texts(inner)
