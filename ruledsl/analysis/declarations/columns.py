"""What an entry under `attributes:` or `state:` says: a type, or a type and what holds where nothing is written."""

from __future__ import annotations

import re

from ruledsl.analysis.world import World
from ruledsl.records import dataclass
from ruledsl.source.document import Entry, Map, Node, Scalar
from ruledsl.syntax.shapes import Form, Key, fields
from ruledsl.types import BROKEN, Type

ATTRIBUTE = Form(
    "an attribute",
    {
        "is": Key("type", "Its type.", required=True),
        "otherwise": Key(
            "any",
            "The default, for rows and keys that do not give a value.",
            tried=("default", "else", "start", "missing"),
        ),
    },
    tried=dict.fromkeys(
        ("by", "per", "each", "for"), "the type says that there is one for each word: `{is: 0..9 by color}`"
    ),
)
STATE = Form(
    "what changes",
    {
        "is": Key("type", "Its type.", required=True),
        "start": Key(
            "expression", "The value at the start, unless a row gives another.", tried=("default", "otherwise")
        ),
        "seen": Key(
            "word",
            "`all`: everybody sees it even where the piece itself is hidden, like a mark on the back of a card.",
            words=("all",),
            tried=("visible", "shown", "open", "public", "known"),
        ),
    },
)


@dataclass(frozen=True)
class Column:
    type: Type
    written: Node | None  # the node of the type alone
    otherwise: Node | None = None
    seen: Node | None = None  # of state: who sees it though the piece lies hidden


def column_of(world: World, entry: Entry, form: Form = ATTRIBUTE) -> Column:
    """The type of an attribute or state, and what it is where nothing is said."""
    known: dict[object, Column] = world.data.setdefault("columns", {})
    if entry.key not in known:
        known[entry.key] = _column(world, entry, form)
    return known[entry.key]


def _column(world: World, entry: Entry, form: Form) -> Column:
    usual = "otherwise" if form is ATTRIBUTE else "start"
    if not isinstance(entry.value, Map):
        if says_start_too(world, entry.value, usual):
            return Column(BROKEN, None)
        return Column(world.written.type_of(world.elaborator.read(entry.value, "type")), entry.value)
    found = fields(entry.value, form, world.report)
    if found is None or found.get("is") is None:
        return Column(BROKEN, None)
    written = found.get("is")
    if any(word in entry.value.entries for word in form.tried):  # of another type than it says
        return Column(BROKEN, written)
    kind = world.written.type_of(world.elaborator.read(written, "type"))
    return Column(kind, written, found.get(usual), found.get("seen") if form is STATE else None)


_TOO = re.compile(r"(?P<type>.+?)\s*(?:\b(?:otherwise|default|start|else|is)\b|=)\s*(?P<value>\S.*)")


def says_start_too(world: World, node: Node, usual: str) -> bool:
    """Whether a type has its usual value behind it, as in `0..9 default 0`; that is reported."""
    found = _TOO.fullmatch(node.value.strip()) if isinstance(node, Scalar) else None
    if found is None:
        return False
    world.report.error(
        "E101",
        node.span,
        "a type stands alone",
        help=f"write `{{is: {found['type']}, {usual}: {found['value']}}}`",
    )
    return True
