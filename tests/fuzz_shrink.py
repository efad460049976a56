"""The smallest game that still fails: one part of the fuzzer, see `fuzz.py`.

A game is the data of a YAML file. It is made smaller by leaving out declarations, statements and keys, by putting what
stands inside of something in its place, and by putting a part of an expression, or a plain word, in the place of the
whole. Whatever still fails in the same way is kept.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ruledsl.diagnostics.model import Report
from ruledsl.source.text import SourceFile
from ruledsl.syntax.parser import parse_text

Data = dict[str, Any]
Path = tuple[Any, ...]
NEEDED = {("ruledsl",), ("game",), ("players",), ("play",)}
INSIDE = ("do", "then", "else", "may", "empty")  # what can stand in the place of a statement
PLAIN = ["1", "0", "me", "players", "true", "false", "none", "[]"]
BOUNDS = {"until", "most"}  # without which plays never end
TEXTS = {"game", "say", "label", "title", "about", "stop", "name", "because", "covers", "notation"}
ALONE = {"is": "because", "do": "covers"}  # what can stand without its map, and what else is in it for people


def shrunk(data: Data, fails: Callable[[Data], bool], seconds: float = 120) -> Data:
    """The smallest that was found in so much time."""
    until = time.monotonic() + seconds
    smaller = True
    while smaller and time.monotonic() < until:
        smaller = False
        for change in (_without, _hoisted, _simpler):
            for path in list(_paths(data)):
                # What was left out meanwhile is passed over; what moved up in its list comes in the next round.
                for candidate in change(data, path) if _there(data, path) else ():
                    if time.monotonic() > until:
                        return data
                    if fails(candidate):
                        data, smaller = candidate, True
                        break
    return data


def _paths(data: Any, path: Path = ()) -> Iterator[Path]:
    """Every node, before what is inside it; the last of a list first, so that the others keep their numbers."""
    if isinstance(data, dict | list):
        items = data.items() if isinstance(data, dict) else enumerate(data)
        below = [(*path, key) for key, _ in items][::-1]
        yield from below
        for key in below:
            yield from _paths(_at(data, key[len(path) :]), key)


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


def _put(value: Any, parent: Any, key: Any) -> None:
    parent[key] = value


def _put_all(values: list[Any], parent: Any, key: int) -> None:
    parent[key : key + 1] = values


def _changed(data: Data, path: Path, change: Callable[[Any, Any], None]) -> Data:
    made = copy.deepcopy(data)
    change(_at(made, path[:-1]), path[-1])
    return made


def _there(data: Data, path: Path) -> bool:
    """Whether the node is still there, and not in the middle of a text that took the place of a list."""
    try:
        _at(data, path)
        return isinstance(_at(data, path[:-1]), dict | list)
    except (KeyError, IndexError, TypeError):
        return False


def _without(data: Data, path: Path) -> Iterator[Data]:
    def leave_out(parent: Any, key: Any) -> None:
        del parent[key]

    if path not in NEEDED and path[-1] not in BOUNDS:
        yield _changed(data, path, leave_out)


def _hoisted(data: Data, path: Path) -> Iterator[Data]:
    """What stands inside a statement, or in a map with a reason, takes its place."""
    node, parent = _at(data, path), _at(data, path[:-1])
    if not isinstance(node, dict):
        return
    for inner in [node[key] for key in INSIDE if node.get(key) is not None]:
        if isinstance(parent, list):
            items = inner if isinstance(inner, list) else [inner]
            yield _changed(data, path, partial(_put_all, copy.deepcopy(items)))
        elif path[-1] in INSIDE:
            yield _changed(data, path, partial(_put, copy.deepcopy(inner)))
    for word, told in ALONE.items():
        if word in node and set(node) <= {word, told}:
            yield _changed(data, path, partial(_put, node[word]))


def _simpler(data: Data, path: Path) -> Iterator[Data]:
    node = _at(data, path)
    if isinstance(node, bool) or path[-1] in TEXTS | BOUNDS or path in NEEDED:
        return
    if isinstance(node, int):
        for number in (0, 1, node // 2):
            if number < node:
                yield _changed(data, path, partial(_put, number))
    if isinstance(node, str):
        for text in smaller_texts(node):
            yield _changed(data, path, partial(_put, text))


def smaller_texts(text: str) -> list[str]:
    """Shorter expressions: a part in the place of the whole or of a part around it, or a plain word."""
    found: dict[str, None] = {}
    for start in ("expr", "domain"):
        report = Report()
        file = SourceFile("x", text)
        try:
            tree = parse_text(text, file, 0, start, report)
        except Exception:
            continue
        if report.errors:
            continue
        for node in [tree, *_below(tree)]:
            a, b = node.span.start, node.span.end
            whole = text[a:b]
            for part in _below(node):
                inside = text[part.span.start : part.span.end]
                if len(inside) < len(whole):
                    found[text[:a] + inside + text[b:]] = None
            for word in PLAIN:
                if len(word) < len(whole):
                    found[text[:a] + word + text[b:]] = None
        break
    return sorted((one for one in found if len(one) < len(text)), key=len)


def _below(tree: Any) -> Iterator[Any]:
    """All parts of an expression that are expressions."""
    stack: list[Any] = [getattr(tree, slot) for slot in getattr(tree, "__slots__", ()) if slot != "span"]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif hasattr(node, "__slots__"):
            if hasattr(node, "span") and node.span is not None:
                yield node
            stack.extend(getattr(node, slot) for slot in node.__slots__ if slot != "span")
