"""What was written in another shape than the language wants: a list for a map, a map for a list, bare words for rows.

Newcomers know what belongs to a thing before they know how it is nested. Each shape here is told once, with what to
write, and read as it was meant, so that nothing else follows from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Broken, Entry, Map, Node, Scalar, Seq, word_at

if TYPE_CHECKING:
    from .shapes import Form

# What most often stands behind a verb, for who left it out.
USUAL = {
    "win": "me", "lose": "me", "tie": "players", "turns": "players", "together": "players", "remove": "c",
    "rounds": "3", "repeat": "3", "for": "{p: players}",
}  # fmt: skip
_LONGEST = 40  # of what is shown as an example


class Reshaped(NamedTuple):
    """What a value is in the shape that is wanted, and how to write it."""

    value: Node
    help: str


def reshaped(value: Node, kind: str) -> Reshaped | None:
    """A list where a key takes a `map`, or a map where it takes a `list`."""
    if kind == "map" and isinstance(value, Seq):
        return _by_name(value)
    if kind == "list" and isinstance(value, Map) and not value.broken:
        return _named_rows(value)
    return None


def _by_name(value: Seq) -> Reshaped | None:
    """`- card: {count: 3}`, `- name: grab`, `- deck`: things that stand by their names, without dashes."""
    if not value.items or value.flow:
        return None
    entries: dict[str, Entry] = {}
    help = ""
    for item in value.items:
        if isinstance(item, Map) and (entry := _named(item)) is not None:
            help = help or f"begin with its name, without `-`: `{entry.key.value}:`, and the rest below it"
        elif isinstance(item, Map) and len(item.entries) == 1:
            entry = next(iter(item))
            rest = f" {entry.value.span.one_line}" if not isinstance(entry.value, Broken) else ""
            rest = rest if len(rest) <= _LONGEST and not _is_below(entry) else ""
            help = help or f"leave out the `-`: write `{entry.key.value}:{rest}`"
        elif isinstance(item, Scalar) and item.value.isidentifier():
            entry = Entry(item, Broken(item.span))
            help = help or f"each has a line of its own without `-`, and behind its name what it is: `{item.value}: …`"
        else:
            return None
        entries.setdefault(entry.key.value, entry)
    return Reshaped(Map(value.span, entries, value.flow), help)


def _is_below(entry: Entry) -> bool:
    """Whether what stands behind a key begins on another line."""
    return entry.value.span.line != entry.key.span.line


def _named(item: Map) -> Entry | None:
    """`name: grab` with other keys beside it: those, by that name."""
    name = item.get("name")
    if not isinstance(name, Scalar) or not name.value.isidentifier() or len(item.entries) < 2:
        return None
    rest = {key: entry for key, entry in item.entries.items() if key != "name"}
    return Entry(name, Map(item.span, rest, item.flow, item.broken))


def _named_rows(value: Map) -> Reshaped | None:
    """`rows: {ace: {worth: 1}, king: {}}`: rows by their names."""
    rows: list[Node] = []
    for entry in value:
        inner = entry.value
        bare = isinstance(inner, Scalar) and inner.is_null
        if not bare and not isinstance(inner, Map):
            return None
        rest = inner.entries if isinstance(inner, Map) else {}
        rows.append(Map(entry.key.span, {"name": Entry(entry.key, entry.key), **rest}, True))
    if not rows:
        return None
    first = next(iter(value))
    help = f"write a list: `- {row_of(first.key.value, first.value)}`"
    return Reshaped(Seq(value.span, tuple(rows), value.flow), help)


def row_of(name: str, rest: Node | None = None) -> str:
    """A row by its name, as it is written: `{name: ace, …}`."""
    return f"{{name: {name}, …}}" if isinstance(rest, Map) and rest.entries else f"{{name: {name}}}"


def alone(node: Node, key: str, others: Sequence[str] = ()) -> Reshaped | None:
    """A bare list or text that is what stands under the one key that matters: `grab: bump()`, `card: [ace, king]`."""
    whole = node
    if key == "rows":
        items = node.items if isinstance(node, Seq) else ()
        if not items or not all(isinstance(item, Scalar | Map) for item in items):
            return None
        first, whole = items[0], Seq(node.span, tuple(map(as_row, items)))
        shown = row_of(first.value) if isinstance(first, Scalar) else first.span.one_line
        more = ", …" if len(items) > 1 else ""
        help = f"write `{{rows: [{shown}{more}]}}`" if len(shown) <= _LONGEST else "put them under `rows:`"
    elif isinstance(node, Seq | Scalar):
        shown = node.span.one_line
        fits = len(shown) <= _LONGEST and not _breaks(node)
        more = "".join(f", {other}: …" for other in others)
        help = f"write `{{{key}: {shown}{more}}}`" if fits else f"put it under `{key}:`"
    else:
        return None
    name = word_at(key, node.span)
    return Reshaped(Map(node.span, {key: Entry(name, whole)}, True), help)


def as_row(item: Node) -> Node:
    """A row that is a bare name, as it was meant."""
    if not isinstance(item, Scalar) or item.is_null:
        return item
    return Map(item.span, {"name": Entry(word_at("name", item.span), item)}, True)


def below_verb(node: Map, form: Form, report: Report) -> Map:
    """`deal: {count: 2, from: deck}`, `turns:` and below it `do:` or statements: what belongs beside a verb."""
    verb = next(iter(form.keys), "")
    entry, key = node.entries.get(verb), form.keys.get(verb)
    if entry is None or key is None or key.kind not in ("expression", "scalar"):
        return node
    inner, usual = entry.value, f"{verb}: {USUAL.get(verb, '…')}"
    if isinstance(inner, Seq) and _lacks_do(node, form) and all(isinstance(item, Map) for item in inner.items):
        help = f"write `{usual}`, and these statements below `do:`, in the column of `{verb}:`"
        report.error("S125", entry.key.span, f"`do:` is missing after `{verb}:`", help=help)
        do = Entry(word_at("do", entry.key.span), inner)
        return Map(node.span, {**node.entries, verb: Entry(entry.key, Broken(inner.span)), "do": do}, node.flow)
    if not isinstance(inner, Map):
        return node
    beside = {k: e for k, e in inner.entries.items() if k in form.keys and k not in node.entries}
    rest = [e for k, e in inner.entries.items() if k not in beside]
    if not beside or len(rest) > 1 or inner.broken:
        return node
    value: Node = Broken(inner.span)
    if rest and isinstance(rest[0].value, Scalar) and not rest[0].value.is_null:
        value, usual = rest[0].value, f"{verb}: {rest[0].value.value}"
    elif rest:
        return node
    names = " and ".join(f"`{name}:`" for name in beside)
    said = f"{names} {'belongs' if len(beside) == 1 else 'belong'} beside `{verb}:`, not below it"
    help = f"write `{usual}`, and {names} in the same column as `{verb}:`"
    report.error("S125", next(iter(beside.values())).key.span, said, help=help)
    return Map(node.span, {**node.entries, verb: Entry(entry.key, value), **beside}, node.flow, node.broken)


def _lacks_do(node: Map, form: Form) -> bool:
    do = form.keys.get("do")
    return do is not None and do.required and "do" not in node.entries


def with_bounds(node: Map, form: Form, report: Report) -> Map:
    """`{min: 0, max: 9}`: bounds that are a type."""
    kind, low, high = form.keys.get("is"), node.get("min"), node.get("max")
    if kind is None or kind.kind != "type" or "is" in node.entries:
        return node
    if not isinstance(low, Scalar) or not isinstance(high, Scalar) or low.as_int() is None or high.as_int() is None:
        return node
    first, right = node.entries["min"].key, f"{low.value}..{high.value}"
    help = f"the bounds belong to the type: write `is: {right}`"
    report.error("S101", first.span, f"{form.name} has no keys `min` and `max`", help=help)
    kept = {name: entry for name, entry in node.entries.items() if name not in ("min", "max")}
    name = word_at("is", first.span)
    return Map(node.span, {"is": Entry(name, word_at(right, low.span)), **kept}, node.flow)


Named = dict[str, tuple[Scalar, Node]]  # what a section declares: the key and what stands behind it


def of_each_player(named: Named, form: Form, report: Report) -> Named:
    """`player: {hand: {holds: card}}`, `player.hand: {…}`: what every player has, as it is declared."""
    found: Named = {}
    for name, (key, node) in named.items():
        owner, _, word = name.partition(".")
        inside = isinstance(node, Map) and not word and node.entries and not node.entries.keys() & form.known.keys()
        if owner not in _OWNERS or not (word.isidentifier() or inside):
            found[name] = key, node
            continue
        own: Named = {word: (key, node)}
        if not word and isinstance(node, Map):
            own = {entry.key.value: (entry.key, entry.value) for entry in node}
        first, behind = next((inner, value) for inner, (_, value) in own.items())
        main = next(name for name, known in form.keys.items() if known.required)
        rest = behind.span.one_line.strip("{}") if isinstance(behind, Map) else f"{main}: {behind.span.one_line}"
        short = 0 < len(rest) <= _LONGEST and "\n" not in behind.span.text
        shown = f"{{per: player, {rest}}}" if short else "{per: player, …}"
        help = f"declare it with `per: player`: write `{first}: {shown}`"
        report.error("N105" if not word else "N204", key.span, f"`{name}` cannot be declared here", help=help)
        for inner, (place, value) in own.items():
            per = word_at("player", place.span)
            entry = Entry(word_at("per", place.span), per)
            rest_of = value.entries if isinstance(value, Map) else {main: Entry(entry.key, value)}
            found[inner] = place, Map(value.span, {"per": entry, **rest_of}, True)
    return found


_OWNERS = ("player", "players", "me", "each_player")


def _breaks(node: Node) -> bool:
    """Whether a text would be cut in braces."""
    return isinstance(node, Scalar) and any(letter in node.value for letter in ",{}[]")


__all__ = ["USUAL", "Reshaped", "alone", "as_row", "below_verb", "of_each_player", "reshaped", "row_of", "with_bounds"]
