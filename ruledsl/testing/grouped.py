"""What stands in a position or an expectation by its name alone: `given: {anna.score: 2}`, `expect: {deck: 3}`."""

from __future__ import annotations

from ruledsl.analysis.compile import GameWorld
from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Entry, Map, Scalar, word_at

from .suites import GIVEN

_SECTIONS = {"value": "values", "place": "places", "pool": "pools"}


def grouped(node: Map, world: GameWorld, report: Report) -> Map:
    """A position whose values, places and pools stand in their sections; each section that is missing is told once."""
    entries = dict(node.entries)
    for name, entry in node.entries.items():
        section = section_of(name, world) if name not in GIVEN.known else ""
        if not section or (name == section):
            continue
        del entries[name]
        inside = entries.get(section)
        if inside is None or not isinstance(inside.value, Map):
            right = f"{section}: {{{name}: {entry.value.span.one_line}}}"
            help = f"write `{right}`" if len(right) <= 60 else f"write `{section}:`, and indent this below it"
            report.error("S125", entry.key.span, f"`{section}:` is missing above `{name}`", help=help)
            inside = Entry(word_at(section, entry.key.span), Map(entry.key.span, {}))
        within = inside.value
        assert isinstance(within, Map)
        entries[section] = Entry(inside.key, Map(within.span, {**within.entries, name: entry}, within.flow))
    return node if entries.keys() == node.entries.keys() else Map(node.span, entries, node.flow, node.broken)


def section_of(path: str, world: GameWorld) -> str:
    """The key of `given:` below which something goes by its name or path; empty if it is nothing of the game."""
    word = path.rpartition(".")[2].partition("[")[0]
    if any(word in pool.holders for pool in world.pools):
        return "pools"
    declared = world.names.get(word)
    if declared is not None and declared.sort in _SECTIONS:
        return _SECTIONS[declared.sort]
    if any(path in board.root.names for board in world.boards):
        return "board"
    return ""


def as_condition(entry: Entry, world: GameWorld) -> str:
    """What to write for an expectation that stands by a name: `deck: 3`, `a1: white`; empty if that is not known."""
    name, value = entry.key.value, entry.value
    section = section_of(name, world)
    if name == "over":
        return "it is a condition itself: write `- over`, or `- not over` while the play goes on"
    number = value.as_int() if isinstance(value, Scalar) else None
    if section == "values" and isinstance(value, Scalar):
        return f"write `{name} == {value.value}`"
    if section == "places":
        return f"what lies in a place is a condition, as in `count({name}) == {number if number is not None else 3}`"
    if section == "pools":
        return f"what somebody has is a condition, as in `total({name}) == {number if number is not None else 3}`"
    if section == "board":
        board = next(board for board in world.boards if name in board.root.names)
        kinds = [kind for kind in world.kinds if kind.name in board.root.attributes]
        shown = f"{name}.{kinds[0].name}" if len(kinds) == 1 else f"empty({name})"
        return f"what lies on a space is a condition, as in `{shown}`"
    return ""


__all__ = ["as_condition", "grouped", "section_of"]
