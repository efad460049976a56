"""Pieces `per: [player, color]`: for each player, and one for every combination of what else is named."""

from __future__ import annotations

from dataclasses import replace

from ruledsl.analysis.sections import Sections
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq

PLAYER = "player"


def spread(sections: Sections) -> None:
    """Writes `each: {color: color}` for what stands beside `player`, so that there is one meaning of it."""
    pieces = sections.named["pieces"]
    for name, (key, node) in pieces.items():
        if isinstance(node, Map) and (per := node.key("per")) is not None:
            pieces[name] = key, _spread(node, per, frozenset(sections.named["types"]))


def _spread(kind: Map, key: Scalar, types: frozenset[str]) -> Map:
    written = kind.get("per")
    words = written.items if isinstance(written, Seq) else (written,)
    named = [word for word in words if isinstance(word, Scalar) and word.value.isidentifier()]
    alone = not isinstance(written, Seq) and any(word.value not in types for word in named)
    if len(named) < len(words) or alone or any(word.value == "players" for word in named):
        return kind  # the form of a kind tells what is wrong
    others = [word for word in named if word.value != PLAYER]
    owners = [word for word in named if word.value == PLAYER]
    each = kind.get("each")
    if not others or len(owners) > 1 or (each is not None and not isinstance(each, Map)):
        return kind
    known = each.entries if isinstance(each, Map) else {}
    if len({word.value for word in others} | known.keys()) < len(others) + len(known):
        return kind
    entries: dict[str, Entry] = {name: entry for name, entry in kind.entries.items() if name not in ("per", "each")}
    if owners:
        entries["per"] = Entry(key, owners[0])
    spread: dict[str, Entry] = {word.value: Entry(word, word) for word in others}
    whole: Node = each if isinstance(each, Map) else Map(written.span if written else key.span, {})
    assert isinstance(whole, Map), "it is made here"
    entries["each"] = Entry(kind.key("each") or key, replace(whole, entries={**spread, **known}))
    return replace(kind, entries=entries)


__all__ = ["spread"]
