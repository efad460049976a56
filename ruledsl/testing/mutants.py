"""Rules changed on purpose: the mistakes that one makes when rules are written, one at a time.

A statement is left out, or comes before its neighbour where that ends or begins something. A condition is turned
around; it, or one part of it, is left out, so that what is forbidden is allowed. A number is larger by one, a
comparison differs at its edge; `except`, `from` or `after` is forgotten, or one part of a sum; `any` stands for `no`,
`most` for `least`. A trigger, a row of the scoring or a tie-break is forgotten. What is hidden is open, what is said
or revealed to one is for all. One of several things is not reset, kept or moved. Two rows have each other's values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from ruledsl.analysis.sections import Source
from ruledsl.records import dataclass
from ruledsl.runtime.game import Game
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq
from ruledsl.source.text import SourceFile, Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import Fields

CONDITIONS = ("if", "when", "where", "while", "until", "skip", "so_far", "done")
ALLOWING = ("if", "when", "where", "skip", "so_far")  # that may be forgotten; a loop would be endless
SWAPS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
JOINED = {"and": "true", "or": "false"}  # and what stands for a part that is left out
NO_RULES = ("tests", "because", "cases", "covers", "heuristic", "label", "letters", "looks", "text", "title", "about")
FLAGS = ("any_number", "optional", "ask", "ordered", "limit")
TO_SOME = ("reveal", "say", "read")  # without `to:` for all
SEVERAL = ("reset", "keep", "move", "ties")
OPPOSITES = ["any no", "most least", "first last", "top bottom", "max min", "next previous"]
OTHER = {one: other for pair in map(str.split, OPPOSITES) for one, other in (pair, pair[::-1])}
NAMED = {"triggers": "trigger", "rows": "row"}  # maps of which one may be forgotten
BOUNDS = ("end", "phase", "next_turn", "turns", "rounds", "shuffle", "reset")  # whose place among others matters
ENDS = {"turn": "turns", "round": "rounds"}
PRINTED = ("name", "title", "about", "copies", "symbol", "covers")  # of a row: not what it does
MOST_SWAPS = 1  # of the values of one column, but of rows that say which rules they carry


@dataclass(frozen=True)
class Mutant:
    """One change: what stands in place of a node, or of the rows of a table in another file."""

    span: Span
    what: str
    old: Node
    new: Node
    table: str = ""
    also: tuple[tuple[Node, Node], ...] = ()  # the same in other copies of what is written once, with `each:`

    def __str__(self) -> str:
        return f"{self.span.file.path}:{self.span.line}: {self.what}"


def mutants_of(game: Game, statements: set[Span] | None = None) -> list[Mutant]:
    """All changes of a game, in the order of its files, then of its tables; of modules, if they were worked out."""
    statements = set(game.configured().world.data["all_statements"]) | (statements or set())
    source = game.blueprint.source
    trees = source.expressions()
    found: list[Mutant] = []
    for part in source.parts:
        for entry in part.node:
            if entry.key.value not in NO_RULES:
                found += _of_entry(entry, statements, trees)
    for word, rows in source.tables.items():
        if isinstance(rows, list) and rows and all(isinstance(row, Map) for row in rows):
            found += _of_table(Seq(rows[0].span, tuple(rows)), word, statements, trees)
    merged: dict[tuple[object, ...], Mutant] = {}
    often: Counter[tuple[object, ...]] = Counter()
    for mutant in found:  # a copy of what is written once stands at its place, in a file that may read otherwise
        told = (mutant.span.file.path, mutant.span.line, mutant.span.column, mutant.what, mutant.table)
        key = (*told, often[(*told, mutant.old)])  # what reads alike in one node is not the same change
        often[(*told, mutant.old)] += 1
        first = merged.setdefault(key, mutant)
        if first is not mutant:
            merged[key] = replace(first, also=(*first.also, (mutant.old, mutant.new)))
    return list(merged.values())


def _of_table(rows: Seq, word: str, statements: set[Span], trees: dict[Any, Any]) -> Iterator[Mutant]:
    """A table in a file of its own: its rows, and the statements in them."""
    yield from _of_rows(rows, word)
    for row in rows.items:
        for entry in row if isinstance(row, Map) else ():
            for one in _of_entry(entry, statements, trees) if _does(entry.value, statements) else ():
                changed = tuple(_replaced(other, one.old, one.new) for other in rows.items)
                yield Mutant(one.span, one.what, rows, Seq(rows.span, changed, rows.flow), word)


def _does(node: Node, statements: set[Span]) -> bool:
    """Whether statements stand in it."""
    if node.span in statements:
        return True
    inner = [entry.value for entry in node] if isinstance(node, Map) else node.items if isinstance(node, Seq) else ()
    return any(_does(one, statements) for one in inner)


def _of_entry(entry: Entry, statements: set[Span], trees: dict[Any, Any]) -> Iterator[Mutant]:
    key, node = entry.key.value, entry.value
    if key in NO_RULES:
        return
    if not isinstance(node, Seq) and node.span in statements:
        yield Mutant(node.span, f"without the statement `{_short(node)}`", node, Seq(node.span, (), True))
    if key == "seen" and not (isinstance(node, Scalar) and node.value == "all"):
        yield Mutant(node.span, f"`seen: {_short(node)}` opened to all", node, _written(node, "all"))
    for asked in _conditions(node) if key in CONDITIONS else ():
        around = _edited(asked, [(0, 0, "not ("), (len(asked.text_span.text.rstrip()), 0, ")")])
        yield Mutant(asked.span, f"`{key}: {_short(asked)}` turned around", asked, around)
        if key in ALLOWING:
            gone = _written(asked, "false" if key == "skip" else "true")
            yield Mutant(asked.span, f"`{key}: {_short(asked)}` left out", asked, gone)
    if isinstance(node, Scalar) and key == "end":
        other = ENDS.get(node.value, "turn")
        yield Mutant(node.span, f"`end: {node.value}` made `end: {other}`", node, _written(node, other))
    if isinstance(node, Seq) and key in SEVERAL and (len(node.items) > 1 or key == "ties"):
        for i, item in enumerate(node.items):
            rest = Seq(node.span, (*node.items[:i], *node.items[i + 1 :]), node.flow)
            yield Mutant(item.span, f"`{_short(item)}` left out of `{key}:`", node, rest)
    if isinstance(node, Map) and key in NAMED:
        for one in node:
            others = Map(node.span, {n: e for n, e in node.entries.items() if e is not one}, node.flow, node.broken)
            yield Mutant(one.value.span, f"the {NAMED[key]} `{one.key.value}` left out", node, others)
    if isinstance(node, Seq) and key == "rows":
        yield from _of_rows(node)
    if isinstance(node, Map) and key == "values":
        yield from _of_members(node)
    yield from _of_node(node, statements, trees)


def _conditions(node: Node) -> Iterator[Scalar]:
    """A condition; that of a map with its reason; those of a list."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Map) and isinstance(asked := node.get("is"), Scalar):
        yield asked
    elif isinstance(node, Seq):
        yield from (part for item in node.items for part in _conditions(item))


def _of_node(node: Node, statements: set[Span], trees: dict[Any, Any]) -> Iterator[Mutant]:
    if isinstance(node, Map):
        yield from _without_keys(node)
        for entry in node:
            if entry.key in trees:
                yield from _of_tree(entry.key, trees[entry.key], key=True)
            yield from _of_entry(entry, statements, trees)
    elif isinstance(node, Seq):
        yield from _in_other_order(node, statements)
        for i, item in enumerate(node.items):
            if item.span in statements and not isinstance(item, Seq):
                rest = Seq(node.span, (*node.items[:i], *node.items[i + 1 :]), node.flow)
                yield Mutant(item.span, f"without the statement `{_short(item)}`", node, rest)
            yield from _of_node(item, statements, trees)
    elif isinstance(node, Scalar) and node in trees:
        yield from _of_tree(node, trees[node])


def _without_keys(node: Map) -> Iterator[Mutant]:
    """Keys that may be forgotten: the statement then does more, or for more people."""
    told = next((verb for verb in TO_SOME if verb in node.entries), None)
    for entry in node:
        key, value = entry.key.value, _short(entry.value)
        rest = Map(node.span, {n: e for n, e in node.entries.items() if n != key}, node.flow, node.broken)
        if key in FLAGS and (key == "limit" or not isinstance(entry.value, Map)):
            yield Mutant(entry.value.span, f"`{key}: {value}` left out", node, rest)
        elif key == "to" and told is not None:
            yield Mutant(entry.value.span, f"`{told}` to all and not to `{value}`", node, rest)
    if "set" in node.entries and isinstance(changes := node.get("set"), Map) and len(changes) > 1:
        for entry in changes:
            fewer = {n: e for n, e in changes.entries.items() if n != entry.key.value}
            rest = Map(changes.span, fewer, changes.flow, changes.broken)
            what = f"`{entry.key.value}: {_short(entry.value)}` left out of `set:`"
            yield Mutant(entry.value.span, what, changes, rest)


def _in_other_order(node: Seq, statements: set[Span]) -> Iterator[Mutant]:
    """Statements that end or begin something, each exchanged with the one behind it."""
    for i, (a, b) in enumerate(zip(node.items, node.items[1:], strict=False)):
        if a.span in statements and b.span in statements and (_bounds(a) or _bounds(b)):
            turned = Seq(node.span, (*node.items[:i], b, a, *node.items[i + 2 :]), node.flow)
            yield Mutant(b.span, f"`{_short(b)}` before `{_short(a)}`", node, turned)


def _bounds(node: Node) -> bool:
    return isinstance(node, Map) and any(verb in node.entries for verb in BOUNDS)


def _of_rows(rows: Seq, table: str = "") -> Iterator[Mutant]:
    """Two rows that stand together have each other's value in one column; a row that says which rules it carries lacks
    a value."""
    swapped: dict[str, int] = {}
    for i, row in enumerate(rows.items):
        if not isinstance(row, Map) or "covers" not in row.entries:
            continue
        for entry in row:
            key = entry.key.value
            if key not in PRINTED:
                less = Map(row.span, {n: e for n, e in row.entries.items() if n != key}, row.flow, row.broken)
                items = (*rows.items[:i], less, *rows.items[i + 1 :])
                what = f"`{key}: {_short(entry.value)}` left out of a row"
                yield Mutant(entry.value.span, what, rows, Seq(rows.span, items, rows.flow), table)
    for i, (a, b) in enumerate(zip(rows.items, rows.items[1:], strict=False)):
        if not isinstance(a, Map) or not isinstance(b, Map):
            continue
        for entry in a:
            key, other = entry.key.value, b.entries.get(entry.key.value)
            enough = swapped.get(key, 0) >= MOST_SWAPS and "covers" not in a.entries
            if key in PRINTED or other is None or enough:
                continue
            if entry.value.span.text.split() != other.value.span.text.split():
                swapped[key] = swapped.get(key, 0) + 1
                one = Map(a.span, a.entries | {key: Entry(entry.key, other.value)}, a.flow, a.broken)
                two = Map(b.span, b.entries | {key: Entry(other.key, entry.value)}, b.flow, b.broken)
                items = (*rows.items[:i], one, two, *rows.items[i + 2 :])
                what = f"`{key}` of two rows exchanged: `{_short(entry.value)}` and `{_short(other.value)}`"
                yield Mutant(entry.value.span, what, rows, Seq(rows.span, items, rows.flow), table)


def _of_members(members: Map) -> Iterator[Mutant]:
    """A member of a type that says which rules it carries lacks a value."""
    for member in members:
        row = member.value
        if not isinstance(row, Map) or "covers" not in row.entries:
            continue
        for entry in row:
            if entry.key.value not in PRINTED:
                what = f"`{entry.key.value}: {_short(entry.value)}` left out of `{member.key.value}`"
                rest = {n: e for n, e in row.entries.items() if n != entry.key.value}
                yield Mutant(entry.value.span, what, row, Map(row.span, rest, row.flow, row.broken))


def _of_tree(node: Scalar, tree: Any, key: bool = False) -> Iterator[Mutant]:
    """Changes inside an expression."""
    if key or node.is_escaped:
        return
    start = node.text_span.start

    def made(part: Span, what: str, *edits: tuple[int, int, str]) -> Mutant:
        return Mutant(part, f"{what} in `{_short(node)}`", node, _edited(node, list(edits)))

    for part in _parts(tree):
        match part:
            case E.Num(value=value):
                at = part.span.start - start
                yield made(part.span, f"{value} made {value + 1}", (at, _length(part), str(value + 1)))
            case E.Binary(op=op) if op in SWAPS:
                left, right = part.left.span.end - start, part.right.span.start - start
                at = node.text_span.text.find(op, left, right)
                if at >= 0:
                    yield made(part.span, f"`{op}` made `{SWAPS[op]}`", (at, len(op), SWAPS[op]))
            case E.Binary(op=op) if op in JOINED:
                for side in (part.left, part.right):
                    edit = (side.span.start - start, _length(side), JOINED[op])
                    yield made(side.span, f"`{_text(side)}` left out", edit)
            case E.Binary(op="+"):
                for side, other in ((part.left, part.right), (part.right, part.left)):
                    edit = (part.span.start - start, _length(part), f"({_text(other, 10_000)})")
                    yield made(side.span, f"`{_text(side)}` left out of a sum", edit)
            case E.If(condition=condition):
                at = condition.span.start - start
                edits = [(at, 0, "not ("), (at + _length(condition), 0, ")")]
                yield made(condition.span, f"`if {_text(condition)}` turned around", *edits)
            case E.Call(of=E.Name(name=name) as called) if name in OTHER:
                edit = (called.span.start - start, len(name), OTHER[name])
                yield made(part.span, f"`{name}` made `{OTHER[name]}`", edit)
            case E.Binary(op="except" | "from" | "after" as op):
                first, last = part.left.span.end - start, part.right.span.end - start
                yield made(part.span, f"`{op} {_text(part.right)}` left out", (first, last - first, ""))
        where = part.where if isinstance(part, E.Domain | E.Arguments) else None
        if where is not None:
            first, last = where.span.start - start, where.span.end - start
            yield made(where.span, "`where` negated", (first, 0, "not ("), (last, 0, ")"))
            yield made(where.span, f"`where {_text(where)}` left out", (first, last - first, "true"))


def _length(part: Any) -> int:
    return int(part.span.end - part.span.start)


def _text(part: Any, most: int = 60) -> str:
    text = part.span.one_line
    return text if len(text) <= most else text[: most - 1] + "…"


def _parts(tree: Any) -> Iterator[Any]:
    """All parts of an expression, the whole first."""
    if isinstance(tree, tuple):
        for part in tree:
            yield from _parts(part)
    elif is_dataclass(tree) and not isinstance(tree, Span | SourceFile | type):
        yield tree
        for field in fields(tree):
            if field.name != "span":
                yield from _parts(getattr(tree, field.name))


def _edited(node: Scalar, edits: list[tuple[int, int, str]]) -> Scalar:
    """The scalar with its text changed, in a file that is changed as well so that places stay right."""
    old = node.text_span
    text = old.text
    for at, length, new in sorted(edits, reverse=True):
        text = text[:at] + new + text[at + length :]
    file = SourceFile(old.file.path, old.file.text[: old.start] + text + old.file.text[old.end :])
    more = len(text) - (old.end - old.start)
    span = Span(file, node.span.start, node.span.end + more)
    return Scalar(span, " ".join(text.split()), node.style, Span(file, old.start, old.end + more))


def _written(node: Node, text: str) -> Scalar:
    """A plain word in place of a node."""
    old = node.span
    file = SourceFile(old.file.path, old.file.text[: old.start] + text + old.file.text[old.end :])
    span = Span(file, old.start, old.start + len(text))
    return Scalar(span, text, "plain", span)


def _short(node: Node) -> str:
    return _text(node)


def changed(game: Game, mutant: Mutant) -> Game:
    """The game with one thing changed."""
    old = game.blueprint.source
    tables, parts = dict(old.tables), list(old.parts)
    if mutant.table:
        assert isinstance(mutant.new, Seq)
        tables[mutant.table] = list(mutant.new.items)
    else:
        nodes: list[Node] = [part.node for part in parts]
        for before, after in ((mutant.old, mutant.new), *mutant.also):
            nodes = [_replaced(node, before, after) for node in nodes]
        parts = [Fields(node, part.form) for node, part in zip(nodes, parts, strict=True) if isinstance(node, Map)]
    source = Source(old.path, old.root, parts[0].node, parts, dict(old.trees), tables)
    return Game(replace(game.blueprint, source=source, merged=None))


def _replaced(node: Node, old: Node, new: Node) -> Node:
    """The tree with one node replaced; parts without it are the same objects, so what was read of them holds."""
    if node is old:
        return new
    if isinstance(node, Map):
        if old.span.start < node.span.start - 1 or old.span.file is not node.span.file:
            return node
        entries = {name: Entry(e.key, _replaced(e.value, old, new)) for name, e in node.entries.items()}
        if all(e.value is node.entries[name].value for name, e in entries.items()):
            return node
        return Map(node.span, entries, node.flow, node.broken)
    if isinstance(node, Seq):
        items = tuple(_replaced(item, old, new) for item in node.items)
        return node if all(a is b for a, b in zip(items, node.items, strict=True)) else Seq(node.span, items, node.flow)
    return node
