"""What the signs on a board stand for, as data for a page."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.boards.marks import Mark, plain
from ruledsl.boards.svg import colour_of, picture_of, readable_on


def legend_of(entries: Iterable[tuple[Mark, str]]) -> list[dict[str, str]]:
    """Each sign with its colours and its title."""
    found = []
    for mark, title in entries:
        fill = colour_of(mark.colour) if mark.colour else ""
        ink = readable_on(fill) if fill else ""
        image = {"image": picture_of(mark.picture)} if mark.picture else {}
        found.append({"sign": plain(mark.text), "fill": fill, "ink": ink, "title": plain(title), **image})
    return found


__all__ = ["legend_of"]
