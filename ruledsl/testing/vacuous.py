"""Tests that cannot fail, or not for the reason that their name gives: told before anything is played.

A list without items expects nothing, `true` holds whatever happens, a play of no steps shows nothing. What is expected
twice, or in two ways that exclude each other, and a test that does the same as another, were copied and not changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq, nodes_of
from ruledsl.syntax.mending import is_absent
from ruledsl.syntax.shapes import Fields, scalars

if TYPE_CHECKING:
    from .suites import Case

_EXPECTS = ("expect", "perft", "always", "finally", "offered", "refused", "log", "sees")
_OFFERED, _REFUSED = ("legal", "offered"), ("refused",)


def look_over(cases: list[Case], report: Report) -> None:
    """Tells what of these tests shows nothing."""
    for case in cases:
        _empty(case.fields.node, report, any(case.fields.has(key) for key in ("play", "perft", "then")))
        _no_play(case.fields, report)
        for step in _steps(case.fields.node):
            _twice([*nodes_of(step.get("expect"))], report)
    _the_same(cases, report)


def _steps(node: Map) -> Iterator[Map]:
    yield node
    for inner in nodes_of(node.get("then")):
        if isinstance(inner, Map):
            yield from _steps(inner)


def _empty(node: Node, report: Report, shows_more: bool = False) -> None:
    """Lists and maps of expectations that have nothing in them; `expect: []` is one where nothing else is shown."""
    for entry in node if isinstance(node, Map) else ():
        inner, name = entry.value, entry.key.value
        if name == "expect" and shows_more and isinstance(inner, Seq) and not inner.items:
            continue
        if name in _EXPECTS and isinstance(inner, Seq | Map) and not _has_any(inner):
            help = f"write what should be seen here, or remove `{name}:`"
            report.error("Q101", entry.key.span, f"`{name}:` is empty, and expects nothing", help=help)
        elif name in ("expect", "then"):
            for item in nodes_of(inner):
                _empty(item, report)
        for item in nodes_of(inner) if name == "expect" else ():
            if isinstance(item, Scalar) and item.value == "true":
                help = "write a condition on the play, such as `over`"
                report.error("Q101", item.span, "`true` holds whatever happens, so this expects nothing", help=help)


def _has_any(node: Seq | Map) -> bool:
    return bool(node.items) if isinstance(node, Seq) else bool(node.entries) or node.broken


def _no_play(f: Fields, report: Report) -> None:
    """Conditions on random plays where there are none, and plays of no length."""
    for name in ("always", "finally"):
        if (key := f.node.key(name)) is not None and not f.has("play"):
            report.error("Q107", key.span, f"`{name}:` is about random plays", help="add `play: {games: 20}`")
    play = f.map("play")
    games = play.get("games") if play is not None else None
    for node, word in ((games, "games"), *((step.get("steps"), "steps") for step in _steps(f.node))):
        if isinstance(node, Scalar) and node.as_int() == 0:
            report.error("Q101", node.span, f"`{word}: 0` plays nothing", help="write how many, or remove it")


def _twice(items: list[Node], report: Report) -> None:
    """What is expected twice at one moment, and options that are expected to be offered and to be refused."""
    first: dict[str, Node] = {}
    offered: dict[str, Scalar] = {}
    for item in items:
        text = _plain(item)
        if text in first:
            notes = ((first[text].span, "first written here"),)
            report.error("Q119", item.span, "this is expected already", notes=notes, help="remove it, or correct it")
        first.setdefault(text, item)
        for name in _OFFERED if isinstance(item, Map) else ():
            offered |= {word.value: word for word in scalars(item.get(name))} if isinstance(item, Map) else {}
    for item in items:
        for word in scalars(item.get(_REFUSED[0])) if isinstance(item, Map) else ():
            if word.value in offered:
                said = f"`{word.value}` is expected to be offered and to be refused"
                notes = ((offered[word.value].span, "to be offered"),)
                report.error("Q119", word.span, said, notes=notes, help="remove one of the two")


def _the_same(cases: list[Case], report: Report) -> None:
    """Two tests of one file that differ in nothing but their names: one was copied, and not changed."""
    first: dict[tuple[str, str], Case] = {}
    for case in cases:
        parts = _parts(case)
        if not parts or any(is_absent(e.value) for e in case.fields.node):
            continue
        letters = "".join(sorted(e.value.span.text.translate(_LAYOUT) for e in parts))
        old = first.setdefault((case.span.file.path, letters), case)
        if old is not case and old.name != case.name and _told(old) == _told(case):
            notes = ((old.span, "the other one"),)
            help = "change what it does, or remove one of the two"
            report.error("Q120", case.span, "another test does just the same", notes=notes, help=help)


_LAYOUT = str.maketrans("", "", " \n-{}[],'\"")  # what two tests that say the same may differ in


def _parts(case: Case) -> list[Entry]:
    """What a test says, without what it is called."""
    return [entry for entry in case.fields.node if entry.key.value not in ("test", "covers")]


def _told(case: Case) -> list[str]:
    return sorted(f"{entry.key.value}: {_plain(entry.value)}" for entry in _parts(case))


def _plain(node: Node) -> str:
    """A part of a test without the way in which it is laid out."""
    if isinstance(node, Map):
        return "{" + ", ".join(f"{name}: {_plain(e.value)}" for name, e in node.entries.items()) + "}"
    if isinstance(node, Seq):
        return "[" + ", ".join(map(_plain, node.items)) + "]"
    return re.sub(r"\s+", " ", node.value if isinstance(node, Scalar) else node.span.text)


__all__ = ["look_over"]
