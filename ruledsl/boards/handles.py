"""What a page takes hold of in a picture: its spaces and edges, each with an id and with what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from html import escape as html_escape

from ruledsl.boards.marks import Mark, plain
from ruledsl.records import dataclass


@dataclass(frozen=True)
class Handle:
    """The id of a space or edge, and what a screen reader says of it."""

    name: str
    said: str
    told: str = ""  # all that there is to say of it, in lines


@dataclass(frozen=True)
class Handles:
    """Those of one picture. Such a picture has no style, title and paper of its own: it stands on a page that has.

    A space is asked for by its number, when it is drawn: of a large board most spaces never are.

    Several pictures stand on one page, so what they define begins with `prefix`.
    """

    space: Callable[[int], Handle]
    edges: Sequence[Handle] = ()
    prefix: str = ""
    turned: bool = False  # so that who sits at the other side has their own men before them
    parts: Mapping[str, Sequence[tuple[Handle, int]]] = field(default_factory=dict)  # of tiles, by the id of their
    # space: those that are told apart, each with the number of its area
    asides: Sequence[tuple[Handle, Sequence[Mark]]] = ()  # of places on a picture, with what lies there


def held(handle: Handle, drawn: str) -> str:
    """What was drawn of a space, as one thing to take hold of."""
    told = f' data-told="{_safe_lines(handle.told)}"' if handle.told else ""
    return f'<g class="place" data-place="{_safe(handle.name)}" aria-label="{_safe(handle.said)}"{told}>{drawn}</g>'


def _safe_lines(text: str) -> str:
    return "&#10;".join(map(_safe, text.split("\n")))


def _safe(text: str) -> str:
    return html_escape(plain(text)).replace("&#x27;", "&#39;")
