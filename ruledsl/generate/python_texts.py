"""Texts of Python: names, and brackets that are not needed."""

from __future__ import annotations

import builtins
import keyword
import re

# Names that a module has anyway; local variables must not hide them.
_TAKEN = (
    frozenset(keyword.kwlist) | frozenset(dir(builtins)) | {"v", "seat", "found", "free", "append", "stage", "stop"}
)
_HELPERS = frozenset(
    [
        "move",
        "twin",
        "veiled",
        "members",
        "nth",
        "lying",
        "lying_set",
        "lying_of",
        "first_lying",
        "top_of",
        "looks",
        "kept",
        "at",
        "mark",
        "reach",
        "reach_on",
        "reach_parts",
        "reach_by",
        "joined",
        "joined_by",
        "groups",
        "steps_away",
        "in_line",
        "unfit",
        "advance_to",
        "by_key",
        "drawn",
        "store_list",
        "no_room",
        "endless",
        "tried_out",
        "decided",
        "go_on",
        "taken",
    ]
)


def identifier(text: str) -> str:
    """A name of Python that can be recognised."""
    name = re.sub(r"\W+", "_", text).strip("_") or "it"
    if name[0].isdigit():
        name = f"_{name}"
    if name in _TAKEN or name in _HELPERS or name[-1].isdigit() or not name.isidentifier():
        name += "_"
    return name


class Argument(str):
    """The text of an argument, as rows of operations ask for it."""

    @property
    def bare(self) -> str:
        return bare(self)


def bare(text: str) -> str:
    """A text without the brackets around the whole of it."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and i < len(text) - 1:
            return text
    inner = text[1:-1]
    return text if "," in _outer(inner) or not inner else inner


def _outer(text: str) -> str:
    """What stands within no brackets."""
    found, depth = [], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            found.append(letter)
    return "".join(found)
