"""The declarations of a game, one sort after the other, into a `World`."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any, TypeAlias

from ruledsl.boards.base import SHAPES, Board, BoardError, Shape, window
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.engine.pieces import Pieces
from ruledsl.engine.tiles import Tiles
from ruledsl.ir import core as C
from ruledsl.registry import import_all
from ruledsl.source.document import Broken, Map, Node, Scalar, Seq
from ruledsl.source.tables import read_table
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import Fields, Form, Key, fields, scalars, shape_of, unknown_key
from ruledsl.types import (
    BOOL,
    NO_NUMBER,
    NONE,
    BagOf,
    Bool,
    Elem,
    ListOf,
    Num,
    Root,
    SetOf,
    TableOf,
    Type,
    bits,
    every,
    is_maybe,
    maybe,
)
from ruledsl.types import Broken as BrokenType
from ruledsl.types import Code as CodeType

from .elaborate import RESERVED
from .names import BoardInfo, Declared, Handle, KindInfo, PartInfo, PlaceInfo, PoolInfo, Typed, ValueInfo
from .show import show, show_mask
from .world import MOST_MEMBERS, MOST_PIECES, MOST_SLOTS, MOST_SPACES, CodeInfo, FormulaInfo, World

import_all("ruledsl.boards")

# Of a kind of tile: the slot array of turns, and what each direction becomes by turns.
TileTurns: TypeAlias = tuple[int, tuple[tuple[int, ...], ...]]
OPTION = Form(
    "an option",
    {
        "is": Key("type", "Its type, or a list of words.", required=True),
        "start": Key("expression", "Its value unless something else is chosen."),
        "label": Key("text", "How players see it."),
    },
)
TYPE = Form(
    "a type",
    {
        "some": Key("word", "The type whose members these are a part of."),
        "where": Key("scalar", "Which of them, as a condition on `this`."),
        "attributes": Key("map", "What every member has."),
        "values": Key("map", "The members with their attributes."),
    },
)
_SHAPE_KEYS = {shape.key: Key("any", shape.doc.split("\n")[0]) for shape in SHAPES.values()} | {
    name: Key("any", parameter.doc)
    for shape in SHAPES.values()
    if not shape.nested
    for name, parameter in shape.parameters.items()
}
BOARD = Form(
    "a board",
    {
        **_SHAPE_KEYS,
        "space": Key("word", "What one of its spaces is called; `space` if nothing is said."),
        "holds": Key("any", "How many pieces a space holds: 1, or `any`."),
        "per": Key("word", "`player`: every player has such a board.", words=("player",)),
        "only": Key("scalar", "Which spaces exist, as a condition on `this`."),
        "attributes": Key("map", "What every space has, from the table."),
        "state": Key("map", "What changes at every space."),
        "from": Key("table", "A table with the attributes of the spaces."),
        "one_way": Key("truth", "Whether edges without return are meant."),
        "apart": Key("truth", "Whether parts that do not meet are meant."),
    },
)
KIND = Form(
    "a kind of piece",
    {
        "per": Key("word", "`player`: every player has these.", words=("player",)),
        "count": Key("expression", "How many there are, of each player where each has some."),
        "each": Key("map", "One piece for every combination of these attributes."),
        "rows": Key("list", "The pieces one by one, or with `copies`."),
        "from": Key("words", "Tables with the pieces."),
        "only": Key("scalar", "Which rows there are in a play, as a condition on `this`."),
        "columns": Key("map", "Other names of the table's columns: `{attribute: column}`."),
        "attributes": Key("map", "What every piece has and never changes."),
        "state": Key("map", "What changes at every piece."),
        "start": Key("any", "Where they stand at first: spaces, a place, or a condition on `this` space."),
        "kinds": Key("map", "Parts of this kind with a name of their own: `{fort: this.face == fort}`."),
        "tile": Key("word", "The board on which these lie as tiles that can be turned."),
        "parts": Key("map", "What a tile is split into: `{area: {from: areas, attributes: {…}}}`."),
        "symbol": Key("text", "A sign for them in pictures of the board."),
        "title": Key("text", "How players see them."),
        "about": Key("text", "What is printed on them, for `read` and for players to look up; also in rows."),
    },
)
PART = Form(
    "the parts of a tile",
    {
        "from": Key("word", "The column with a list of parts.", required=True),
        "attributes": Key("map", "What every part has; `sides: set of direction` says where it touches the rim."),
    },
)
PLACE = Form(
    "a place",
    {
        "holds": Key("words", "The kind or kinds of pieces that lie in it.", required=True),
        "per": Key("word", "One for each: player, a kind of piece, or a type."),
        "order": Key("word", "set (the default), pile or row.", words=("set", "pile", "row")),
        "slots": Key("expression", "How many numbered positions it has."),
        "close": Key("word", "Where pieces move when one leaves: up or down.", words=("up", "down")),
        "each": Key("any", "`any`: several may lie on one slot."),
        "capacity": Key("expression", "How many pieces it holds at the most."),
        "seen": Key("any", "Who sees what lies in it: all (the default), none, owner, top, or players."),
        "start": Key("expression", "The pieces that lie in it at first."),
        "title": Key("text", "How players see it."),
    },
)
POOL = Form(
    "a pool",
    {
        "of": Key("word", "The type whose members are the sorts of tokens."),
        "total": Key("any", "How many there are: a number, or a number by sort."),
        "at": Key("map", "Who holds them under which word: `{player: purse, all: pot}`.", required=True),
        "start": Key("map", "What holders have at first, by word."),
        "paid": Key("word", "Where paid tokens go, instead of the supply."),
    },
)
VALUE = Form(
    "a value",
    {
        "is": Key("type", "Its type.", required=True),
        "per": Key("words", "One for each member of a type, or of several."),
        "start": Key("expression", "What it is at first."),
        "seen": Key("any", "Who sees it: all (the default), none, owner, or players."),
    },
)


def declare_types(world: World) -> None:
    for name, (key, node) in world.sections.named["types"].items():
        if isinstance(node, Broken):
            continue
        if isinstance(node, Seq):
            root = Root(name, "enum")
            world.roots[name] = root
            for item in node.items:
                if not isinstance(item, Scalar | Broken):
                    world.report.error("S103", item.span, f"a member of a type must be a word, not {shape_of(item)}")
            _members(world, root, [item for item in node.items if isinstance(item, Scalar)])
            if not root.names:
                continue  # reported; what uses it is silent
            world.declare(name, "type", key.span, world.named(name, every(root)))
        elif isinstance(node, Map):
            found = fields(node, TYPE, world.report)
            if found is None:
                continue
            if found.has("some"):
                _part_of_type(world, name, key, found)
            else:
                _type_with_attributes(world, name, key, found)
        else:
            kind = world.type_of(world.elaborator.read(node, "type"))
            if isinstance(kind, Num | Elem):
                world.declare(name, "type", key.span, world.named(name, kind))
            elif not isinstance(kind, BrokenType):
                world.report.error("T237", node.span, f"a type is a list of words or a range, not {show(kind)}")


def _members(world: World, root: Root, words: list[Scalar]) -> None:
    if not words:
        world.report.error("S107", world.span, f"`{root.name}` has no members")
    if len(words) > MOST_MEMBERS:
        world.report.error(
            "R316", words[MOST_MEMBERS].span, f"`{root.name}` has {len(words):,} members; {MOST_MEMBERS:,} are the most"
        )
    known: set[str] = set()
    for word in words[:MOST_MEMBERS]:
        if word.value in known:
            world.report.error("N203", word.span, f"`{word.value}` is in `{root.name}` twice")
        elif not word.value.isidentifier() or word.value in RESERVED:
            world.report.error(
                "N204",
                word.span,
                f"`{word.value}` cannot be a name",
                help="use letters, digits and `_`, with a letter first",
            )
        else:
            known.add(word.value)
            root.names.append(word.value)
            root.titles.append(world.title_of_word(word.value))


def _part_of_type(world: World, name: str, key: Scalar, found: Fields) -> None:
    some = found.get("some")
    assert some is not None
    whole = world.named_type(found.word("some"), some.span)
    if not isinstance(whole, Elem):
        if not isinstance(whole, BrokenType):
            world.report.error(
                "T237",
                some.span,
                f"`some:` takes a part of a type that has members, not of {show(whole)}",
                help="a part of a range is a smaller range, as in `3..5`",
            )
        return
    mask = _mask_where(world, whole, found.get("where"))
    if mask == 0:
        world.report.error("T238", key.span, f"no member of `{found.word('some')}` is left for `{name}`")
        mask = whole.mask
    world.declare(name, "type", key.span, world.named(name, Elem(whole.root, mask)))


def _mask_where(world: World, whole: Elem, where: Node | None) -> int:
    """The members for which a condition on `this` holds."""
    if where is None:
        return whole.mask
    tree = world.elaborator.read(where)
    mask = 0
    for member in bits(whole.mask):
        with world.elaborator.scope():
            world.elaborator.bind("this", Typed(C.Const(member), Elem(whole.root, whole.mask)), quiet=True)
            world.elaborator.no_me += 1
            node = world.elaborator.condition(
                world.elaborator.expr(tree, BOOL), tree.span, "what stands behind `where`"
            )
            world.elaborator.no_me -= 1
        if _fixed(world, node, tree.span):
            mask |= 1 << member
    return mask


def _fixed(world: World, node: C.Node, span: Span) -> Any:
    from .world import _NotFixed

    try:
        return world.evaluate(node)
    except C.RulesFault as fault:
        world.report.error("R306", fault.span or span, fault.message)
    except _NotFixed as problem:
        world.report.error("R307", span, f"this must be fixed before play begins, and {problem} is not")
    return 0


def _type_with_attributes(world: World, name: str, key: Scalar, found: Fields) -> None:
    values = found.map("values")
    root = Root(name, "enum")
    world.roots[name] = root
    if values is None:
        world.report.error("S102", key.span, "a type needs `values:`, `some:`, or a list of words")
        return
    _members(world, root, [entry.key for entry in values])
    world.declare(name, "type", key.span, world.named(name, every(root)))
    rows = {i: Row.of(values.entries[member].value) for i, member in enumerate(root.names)}
    _remember_types(world, found.map("attributes"))
    world.data.setdefault("later", []).append(
        lambda: _attributes(world, every(root), found.map("attributes"), rows, name)
    )


def declare_options(world: World, given: dict[str, Any]) -> None:
    """Options become constants of the play."""
    for name, (key, node) in world.sections.named["options"].items():
        found = fields(node, OPTION, world.report)
        if found is None:
            continue
        kind = _option_type(world, name, found)
        if isinstance(kind, BrokenType):
            continue
        value = None
        if name in given:
            value = option_value(world, kind, given[name], name)
        elif found.get("start") is not None:
            value = world.constant(found.get("start"), kind, "the start of an option")
        if value is None:
            value = _lowest(kind)
        if isinstance(value, tuple):
            value = sum(1 << x for x in set(value))
        world.declare(name, "option", key.span, (kind, value))
        world.options[name] = (kind, value)


def _option_type(world: World, name: str, found: Fields) -> Type:
    node = found.get("is")
    if isinstance(node, Seq):
        root = Root(name, "enum")
        world.roots[name] = root
        _members(world, root, list(scalars(node)))
        return every(root) if root.names else BrokenType()
    return world.type_of(world.elaborator.read(node, "type"))


class OptionError(Exception):
    """An option that was set to something it cannot be."""


class ForbiddenError(OptionError):
    """Players and options that a game declares not to go together, with its reason by language."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__(self.text_of(texts, "en"))
        self.texts = texts

    @staticmethod
    def text_of(texts: dict[str, str], language: str) -> str:
        return texts.get(language) or next(iter(texts.values()), "")

    def said(self, language: str) -> str:
        return self.text_of(self.texts, language)


def option_value(world: World, kind: Type, given: Any, name: str) -> Any:
    """The value that a text, number or list from outside means for an option."""
    words = (
        given if isinstance(given, list | tuple) else [w for w in str(given).replace("+", ",").split(",") if w.strip()]
    )
    words = [str(w).strip() for w in words]
    match kind:
        case Bool():
            if str(given).lower() in ("true", "false", "yes", "no", "1", "0", "on", "off"):
                return int(str(given).lower() in ("true", "yes", "1", "on"))
            raise OptionError(f"`{name}` is true or false, not `{given}`")
        case Num(low, high):
            try:
                number = int(str(given))
            except ValueError:
                raise OptionError(f"`{name}` is a number from {low} to {high}, not `{given}`") from None
            if not low <= number <= high:
                raise OptionError(f"`{name}` is a number from {low} to {high}, not {number}")
            return number
        case Elem(root=root):
            return _member_given(root, str(given), name)
        case SetOf(of=Elem(root=root)):
            return sum(1 << n for n in {_member_given(root, w, name) for w in words if w not in ("none", "[]")})
    raise OptionError(f"`{name}` cannot be set from outside")


def _member_given(root: Root, word: str, name: str) -> int:
    if word not in root.names:
        hint = did_you_mean(nearest(word, root.names)) or "it is one of " + ", ".join(f"`{n}`" for n in root.names)
        raise OptionError(f"`{name}` cannot be `{word}`; {hint}")
    return root.names.index(word)


def _lowest(kind: Type) -> Any:
    match kind:
        case Num(low, high, _):
            return min(max(low, 0), high)
        case Elem(mask=mask):
            return (mask & -mask).bit_length() - 1
    return 0


# ------------------------------------------------------------------------------------------------- rows


class Row:
    """One row of a table or of the file: its cells by column."""

    def __init__(self, node: Node | None, cells: dict[str, Node], keys: dict[str, Scalar]) -> None:
        self.node, self.cells, self.keys = node, cells, keys

    @classmethod
    def of(cls, node: Node | None) -> Row:
        if isinstance(node, Map):
            return cls(node, {e.key.value: e.value for e in node}, {e.key.value: e.key for e in node})
        return cls(node, {}, {})

    def get(self, name: str) -> Node | None:
        node = self.cells.get(name)
        return None if isinstance(node, Scalar) and node.is_null else node

    def word(self, name: str) -> str:
        node = self.get(name)
        if isinstance(node, Map) and name == "name":  # `{en: Silver fox, ru: …}`: the English words make the name
            node = next((e.value for e in node), None)
            return re.sub(r"\W+", "_", node.value.strip().lower()) if isinstance(node, Scalar) else ""
        return node.value if isinstance(node, Scalar) else ""

    def renamed(self, columns: dict[str, str]) -> Row:
        back = {column: attribute for attribute, column in columns.items()}
        return Row(
            self.node,
            {back.get(k, k): n for k, n in self.cells.items()},
            {back.get(k, k): n for k, n in self.keys.items()},
        )

    def says(self) -> frozenset[tuple[str, str]]:
        """What makes a piece of this row; rows of a table that say the same make pieces that look the same."""
        return frozenset(
            (column, node.value if isinstance(node, Scalar) else node.span.text)
            for column, node in self.cells.items()
            if column not in ("copies", "start")
        )

    def merged(self, other: Row) -> Row:
        return Row(self.node or other.node, self.cells | other.cells, self.keys | other.keys)


def table_rows(world: World, word: Scalar) -> list[Map]:
    """The rows of a table that the file names."""
    known = world.source.tables.get(word.value)
    if known is None:
        path, _, fragment = word.value.partition("#")
        known = read_table(path, fragment or None, world.source.root, world.report, word.span) or []
        world.source.tables[word.value] = known
    return known


def _attributes(
    world: World,
    owner: Elem,
    declared: Map | None,
    rows: dict[int, Row],
    what: str,
    tile: TileTurns | None = None,
) -> dict[str, Type]:
    """Attributes that never change, from the rows of their owners."""
    found: dict[str, Type] = {}
    for entry in declared or ():
        name, kind = entry.key.value, world.type_of(world.elaborator.read(entry.value, "type"))
        if isinstance(kind, BrokenType):
            found[name] = kind
            continue
        found[name] = kind
        if isinstance(kind, CodeType):
            info = _code_attribute(world, owner, name, kind, rows, entry.key)
            world.data.setdefault("attributes", []).append((what, info))
            continue
        origin = Declared(name, "attribute", entry.key.span, used=(what, name) in world.data.get("only asks", ()))
        world.data.setdefault("attributes", []).append((what, origin))
        values: list[Any] = [() if isinstance(kind, TableOf) else world.none_value(kind)] * owner.root.size
        known: dict[Any, Any] = {}
        for member, row in rows.items():
            node = row.get(name)
            key = id(node) if node is not None else id(row)
            if key not in known:
                known[key] = _cell(world, node, kind, row, name, what)
            values[member] = known[key]
        _add_fixed(world, owner, name, kind, values, origin, tile)
    return found


def _add_fixed(
    world: World, owner: Elem, name: str, kind: Type, values: list[Any], origin: Any, tile: TileTurns | None
) -> None:
    by_direction = (
        isinstance(kind, TableOf) and isinstance(kind.keys[0], Elem) and kind.keys[0].root is world.directions
    )
    directions = isinstance(kind, SetOf) and isinstance(kind.of, Elem) and kind.of.root is world.directions
    if tile is None or not (by_direction or directions):
        world.fixed_attribute(owner.root, name, owner.mask, _narrowed(kind, values), values, origin)
        return
    # What belongs to the sides of a tile is read as the tile lies.
    if isinstance(kind, SetOf):
        slot, turns = tile
        sides = tuple(values)

        def lying(node: C.Node, span: Span | None) -> C.Node:
            return C.Primitive("turned_set", (C.Look(sides, node, 0), node), (turns, slot), span)

        world.attribute(owner.root, name, owner.mask, kind, lying, origin)
    elif isinstance(kind, TableOf):
        flat: list[Any] = []
        size = world.directions.size
        for value in values:
            flat += list(value) if isinstance(value, list | tuple) and value else [world.none_value(kind.item)] * size
        table, keys = tuple(flat), kind

        def build(node: C.Node, span: Span | None) -> Any:
            return Handle(-1, table, node, span, (tile, node))

        world.attribute(owner.root, name, owner.mask, keys, build, origin)


def _narrowed(kind: Type, values: list[Any]) -> Type:
    """Numbers of a table are known exactly, so their range is that of what stands there."""
    if isinstance(kind, Num) and not kind.maybe:
        numbers = [value for value in values if isinstance(value, int) and value != NO_NUMBER]
        if numbers:
            return Num(min(numbers), max(numbers))
    return kind


def _cell(world: World, node: Node | None, kind: Type, row: Row, name: str, what: str) -> Any:
    """The value of one cell of a table."""
    if node is None:
        if not _may_be_missing(kind.item if isinstance(kind, TableOf) else kind):
            span = row.node.span if row.node is not None else world.span
            world.report.error("S108", span, f"this row of `{what}` needs `{name}`", help=f"`{name}` is {show(kind)}")
        return (
            world.none_value(kind.item if isinstance(kind, TableOf) else kind) if not isinstance(kind, TableOf) else ()
        )
    return cell_value(world, node, kind, f"`{name}`")


def _may_be_missing(kind: Type) -> bool:
    """Whether a table need not say it: none, no or the empty set is meant then."""
    return is_maybe(kind) or isinstance(kind, SetOf | ListOf | BagOf | Bool)


def cell_value(world: World, node: Node, kind: Type, role: str) -> Any:
    if isinstance(kind, BagOf):
        return _bag(world, node, kind)
    if isinstance(kind, TableOf):
        return _table(world, node, kind, role)
    value = world.constant(node, kind, role)
    if isinstance(kind, SetOf) and isinstance(value, tuple):
        value = sum(1 << x for x in set(value))
    return world.none_value(kind) if value is None else value


def _bag(world: World, node: Node, kind: BagOf) -> tuple[int, ...]:
    if not isinstance(node, Map):
        value = world.constant(node, kind, "this")
        return value if isinstance(value, tuple) else (0,) * kind.root.size
    counts = [0] * kind.root.size
    for entry in node:
        number = world.member_number(kind.root, entry.key.value)
        if number is None:
            known = nearest(entry.key.value, kind.root.names)
            world.report.error(
                "N102",
                entry.key.span,
                f"`{entry.key.value}` is no {kind.root.name}",
                help=did_you_mean(known) or world.members_hint(every(kind.root)),
                suggestions=tuple(known),
            )
            continue
        world.use_member(kind.root, number)
        counts[number] = world.constant(entry.value, Num(0, kind.most), "an amount") or 0
    return tuple(counts)


def _whole_or_part(kind: Elem) -> str:
    """What a member of a type, or of a part of it, is called."""
    return kind.root.name if kind.mask == kind.root.everything else show_mask(kind.root, kind.mask)


def _table(world: World, node: Node, kind: TableOf, role: str) -> tuple[Any, ...]:
    (key,) = kind.keys
    whole = key.root.size if isinstance(key, Elem) else key.high - key.low + 1
    values: list[Any] = [world.none_value(kind.item)] * whole
    members = tuple(bits(key.mask)) if isinstance(key, Elem) else range(whole)
    size = len(members)
    if isinstance(node, Seq):
        if len(node.items) != size:
            world.report.error(
                "S109",
                node.span,
                f"{role} needs {size} values, one for each {key.root.name if isinstance(key, Elem) else 'number'}, "
                f"not {len(node.items)}",
            )
        for member, item in zip(members, node.items, strict=False):
            values[member] = cell_value(world, item, kind.item, role)
    elif isinstance(node, Map) and isinstance(key, Elem):
        for entry in node:
            number = world.member_number(key.root, entry.key.value)
            if number is None or number not in members:
                known = nearest(entry.key.value, [key.root.names[i] for i in members])
                world.report.error(
                    "N102",
                    entry.key.span,
                    f"`{entry.key.value}` is no {_whole_or_part(key)}",
                    help=did_you_mean(known) or world.members_hint(key),
                    suggestions=tuple(known),
                )
            else:
                values[number] = cell_value(world, entry.value, kind.item, role)
        missing = [key.root.names[i] for i in bits(key.mask) if key.root.names[i] not in node.entries]
        if missing and not _may_be_missing(kind.item):
            words = ", ".join(f"`{word}`" for word in missing)
            world.report.error(
                "S109",
                node.span,
                f"{role} has no value for {words}",
                help=f"a value that may be missing is of type `maybe …`; this is {show(kind.item)}",
            )
    elif isinstance(node, Scalar) and len(node.value.split()) == size:  # one word for each, as in a CSV cell
        world.report.error("S109", node.span, f"{role} must be a list `[a, b, …]`")
    else:
        world.report.error("S109", node.span, f"{role} must be a list or a map, not {shape_of(node)}")
    return tuple(values)


def _code_attribute(
    world: World, owner: Elem, name: str, kind: CodeType, rows: dict[int, Row], key: Scalar
) -> CodeInfo:
    node = world.elaborator.read(_type_node(world, key), "type")
    parameters = (
        [(p.name.name, t) for p, t in zip(node.parameters, kind.parameters, strict=True)]
        if isinstance(node, E.CodeType)
        else []
    )
    signature = f"{name}({', '.join(n for n, _ in parameters)})"
    found: dict[int, Node] = {}
    for member, row in rows.items():
        cell = row.cells.get(name)
        if cell is not None and (kind.kind == "effect" or not (isinstance(cell, Scalar) and cell.is_null)):
            found[member] = cell
        elif kind.kind != "effect":
            span = row.node.span if row.node is not None else world.span
            world.report.error("S108", span, f"this row needs `{name}`", help=f"`{name}` is {show(kind)}")
    info = CodeInfo(name, parameters, signature, found, owner, kind.kind, span=key.span)
    world.codes.append(info)
    world.attribute(owner.root, name, owner.mask, kind, lambda n, s: n, info)
    return info


def _type_node(world: World, key: Scalar) -> Node:
    """The node beside a key: types of code attributes are read again for their parameters' names."""
    return world.data["type_nodes"][key]


def _remember_types(world: World, declared: Map | None) -> None:
    for entry in declared or ():
        world.data.setdefault("type_nodes", {})[entry.key] = entry.value


def _state(world: World, owner: Elem, declared: Map | None, rows: dict[int, Row], what: str) -> None:
    """Attributes that change: an array by member, with what the rows or the type give at the start."""
    for entry in declared or ():
        name, kind = entry.key.value, world.type_of(world.elaborator.read(entry.value, "type"))
        if isinstance(kind, BrokenType | TableOf | CodeType):
            if not isinstance(kind, BrokenType):
                world.report.error("T239", entry.value.span, f"the state cannot hold {show(kind)}")
            continue
        width = world.width(kind)
        base = world.layout.add(f"{what}.{name}", owner.root.size, width, kind, "state", owner.root)
        origin = Declared(name, "attribute", entry.key.span)
        world.data.setdefault("attributes", []).append((what, origin))
        for member in bits(owner.mask):
            row = rows.get(member)
            node = row.get(name) if row is not None else None
            value = cell_value(world, node, kind, f"`{name}`") if node is not None else start_of(world, kind)
            put(world, base + member * width, kind, value)
        if owner.root is world.pieces:
            world.data["piece_state"] += [base + i for i in range(width)] if width == 1 else []
        world.state_attribute(owner.root, name, owner.mask, kind, base, origin)


def start_of(world: World, kind: Type) -> Any:
    """What a value of a type is where nothing is said: none, 0 or the lowest, empty."""
    match kind:
        case Num(maybe=True):
            return NO_NUMBER
        case Num(low, high, _):
            return min(max(low, 0), high)
        case Elem(maybe=True):
            return NONE
        case Elem(mask=mask):
            return (mask & -mask).bit_length() - 1
    return world.none_value(kind)


def put(world: World, slot: int, kind: Type, value: Any) -> None:
    """What a slot holds at the start."""
    if isinstance(kind, ListOf):
        items = list(value)
        for i, x in enumerate([len(items), *items]):
            world.template[slot + i] = x
    elif isinstance(kind, BagOf):
        for i, x in enumerate(value):
            world.template[slot + i] = x
    elif value:
        world.template[slot] = value


# ------------------------------------------------------------------------------------------------ boards


def declare_boards(world: World) -> None:
    made: list[tuple[BoardInfo, Fields, list[Row]]] = []
    for name, (key, node) in world.sections.named["boards"].items():
        found = fields(node, BOARD, world.report)
        if found is None:
            continue
        board = _shape(world, name, key, found)
        if board is None:
            world.data["unfit"] = True  # nothing can stand in for it
        else:
            made.append((_board(world, name, key, found, board), found, _board_rows(world, found)))
    _directions(world, [info for info, _, _ in made])
    for info, _, _ in made:
        _geometry(world, info)
    for info, found, rows in made:
        world.data.setdefault("later", []).append(_later_board(world, info, found, rows))


def _later_board(world: World, info: BoardInfo, found: Fields, rows: list[Row]) -> Callable[[], None]:
    def later() -> None:
        _remember_types(world, found.map("attributes"))
        by_space: dict[int, Row] = {}
        for row in rows:
            space = info.board.locate(_raw(row))
            if space is None:
                if row.node is not None:
                    world.report.error("B204", row.node.span, f"`{info.name}` has no space for this row")
                continue
            for copy in range(info.copies):
                by_space[copy * info.spaces + space] = row
        if found.map("attributes") is not None:
            everywhere = {space: by_space.get(space, Row.of(None)) for space in range(info.root.size)}
            _attributes(world, every(info.root), found.map("attributes"), everywhere, info.word)
        _state(world, every(info.root), found.map("state"), {}, info.word)

    return later


def _raw(row: Row) -> dict[str, object]:
    return {name: node.value for name, node in row.cells.items() if isinstance(node, Scalar)}


def _shape(world: World, name: str, key: Scalar, found: Fields) -> Board | None:
    shapes = [shape for shape in SHAPES.values() if found.has(shape.key)]
    if len(shapes) != 1:
        words = ", ".join(f"`{shape.key}:`" for shape in SHAPES.values())
        message = f"the board `{name}` has no shape" if not shapes else f"the board `{name}` has several shapes"
        world.report.error("B201", key.span, message, help=f"give it one of {words}")
        return _stand_in(SHAPES["grid"], {}) if not found.node.broken else None
    shape = shapes[0]
    source = found.get(shape.key) if shape.nested else found.node
    if not isinstance(source, Map):
        if not isinstance(source, Broken):
            world.report.error(
                "B202",
                key.span,
                f"`{shape.key}:` must be a map",
                help="it takes " + ", ".join(f"`{n}`" for n in shape.parameters),
            )
        return None
    parameters: dict[str, object] = {}
    before = world.report.errors
    if shape.nested:
        for entry in source:
            if entry.key.value not in shape.parameters:
                unknown_key(entry.key, tuple(shape.parameters), f"`{shape.key}`", world.report)
    for parameter, spec in shape.parameters.items():
        node = source.get(parameter)
        if node is None:
            continue
        if spec.type == "int":
            value = world.constant(node, Num(spec.minimum or 0, spec.maximum or 10**6), f"`{parameter}`")
            if value is not None:
                parameters[parameter] = value
        elif spec.type == "table":
            parameters[parameter] = [_raw(row) for row in _rows(world, node)]
        elif spec.type == "truth" and isinstance(node, Scalar) and node.value in ("true", "false"):
            parameters[parameter] = node.value == "true"
        elif isinstance(node, Scalar):
            parameters[parameter] = node.value
    if world.report.errors > before:
        return _stand_in(shape, parameters)
    if parameters.get("growing") is True and "radius" not in parameters:
        touching = parameters.get("touching", 1)
        parameters["radius"] = _window(world, name, touching if isinstance(touching, int) else 1, shape)
    try:
        board = shape.make(parameters)
        if (only := found.get("only")) is not None:
            board = shape.make(parameters, _only(world, only, shape.coordinates))
        return board
    except BoardError as problem:
        place = source.key(problem.parameter) or found.node.key(shape.key) or key
        wanted = shape.parameters.get(problem.parameter)
        help = (
            f"add `{problem.parameter}:` to `{shape.key}:`"
            if wanted is not None and source.key(problem.parameter) is None
            else ""
        )
        world.report.error("B203", place.span, problem.message, help=help)
        return _stand_in(shape, parameters)


def _window(world: World, name: str, touching: int, shape: Shape) -> int:
    """How far from the middle the tiles of a growing board can come, from how many there are and where they start."""
    report, world.report, world.elaborator.report = world.report, Report(), Report()  # pieces are declared later
    tiles = farthest = 0
    for kind, (key, node) in world.sections.named["pieces"].items():
        found = fields(node, KIND, Report())
        if found is None or found.word("tile") != name:
            continue
        owners = world.players.size if found.word("per") == "player" else 1
        for row in _kind_rows(world, kind, found):
            start = row.get("start") or found.get("start")
            there = _start_coordinates(world, name, start)
            farthest = max([farthest, *(_steps(here, shape) for here in there)])
            copies = 1 if there else _copies(world, row, found, None, kind, key)
            tiles += max(0, copies * owners - len(there))
    world.report = world.elaborator.report = report
    return window(tiles, farthest, touching, shape.nearer)


def _start_coordinates(world: World, board: str, node: Node | None) -> list[tuple[int, ...]]:
    """The coordinates in `start: land[0, 1]`, or in a list of these, before there is a board to look them up on."""
    if not isinstance(node, Scalar | Seq):
        return []
    tree = world.elaborator.read(node)
    found = []
    for item in tree.items if isinstance(tree, E.Items) else (tree,):
        if isinstance(item, E.Index) and isinstance(item.of, E.Name) and item.of.name == board:
            numbers = [world.elaborator.expr(key) for key in item.keys]
            if all(isinstance(n.node, C.Const) and isinstance(n.type, Num) for n in numbers):
                found.append(tuple(n.node.value for n in numbers))
    return found


def _steps(here: tuple[int, ...], shape: Shape) -> int:
    """How far a space lies from the middle: its largest coordinate, where hexagons have a third, -q-r."""
    return max(abs(x) for x in (*here, sum(here) if shape.coordinates == ("q", "r") else 0))


def _stand_in(shape: Any, parameters: dict[str, object]) -> Board | None:
    """A board in place of one with a mistake, so that the rest of the game is checked all the same."""
    usual = {
        p: min(max(8, spec.minimum or 0), spec.maximum or 8)
        for p, spec in shape.parameters.items()
        if spec.type == "int"
    }
    for tried in (
        *({p: n} for p, n in usual.items()),
        {p: n for p, n in usual.items() if shape.parameters[p].required},
        {**{p: n for p, n in usual.items() if shape.parameters[p].required}, **parameters},
        {**usual, **parameters},
        usual,
    ):
        try:
            return shape.make(tried)
        except BoardError:
            continue
    return None


def _only(world: World, node: Node, coordinates: tuple[str, ...]) -> Callable[[dict[str, int]], bool]:
    tree = world.elaborator.read(node)

    def holds(here: dict[str, int]) -> bool:
        root = Root("space", "space", ["this"])
        for name in coordinates:
            world.fixed_attribute(root, name, 1, Num(here[name], here[name]), [here[name]])
        with world.elaborator.scope():
            world.elaborator.bind("this", Typed(C.Const(0), every(root)), quiet=True)
            world.elaborator.no_me += 1
            condition = world.elaborator.condition(world.elaborator.expr(tree, BOOL), tree.span, "`only`")
            world.elaborator.no_me -= 1
        return bool(_fixed(world, condition, tree.span))

    return holds


def _rows(world: World, node: Node) -> list[Row]:
    """Rows that stand in the file, or in the table that a word names."""
    if isinstance(node, Scalar):
        return [Row.of(row) for row in table_rows(world, node)]
    if isinstance(node, Map):
        name = "name"
        return [
            Row(e.value, {name: e.key, **Row.of(e.value).cells}, {name: e.key, **Row.of(e.value).keys}) for e in node
        ]
    return [Row.of(item) for item in node.items] if isinstance(node, Seq) else []


def _board_rows(world: World, found: Fields) -> list[Row]:
    rows: list[Row] = []
    for source in (found, found.map("hexes")):
        node = source.get("from") if source is not None else None
        if node is not None:
            rows += _rows(world, node)
    if found.get("spaces") is not None:
        rows += _rows(world, found.get("spaces"))  # type: ignore[arg-type]
    return rows


def _board(world: World, name: str, key: Scalar, found: Fields, board: Board) -> BoardInfo:
    word = found.word("space") or "space"
    per_player = found.word("per") == "player"
    copies = world.players.size if per_player else 1
    if sum(b.root.size for b in world.boards) + copies * len(board) > MOST_SPACES:
        world.report.error("B209", key.span, f"all boards together would have more than {MOST_SPACES:,} spaces")
        raise GameError(world.report)  # nothing can stand in for a board
    root = Root(word, "space")
    for copy in range(copies):
        prefix = f"{world.players.names[copy]}_" if per_player else ""
        root.names += [prefix + space for space in board.spaces]
    root.titles = [{"en": space} for _ in range(copies) for space in board.spaces]
    root.parts[word] = root.everything
    holds = found.get("holds")
    single = not (isinstance(holds, Scalar) and holds.value == "any")
    if isinstance(holds, Scalar) and holds.value not in ("1", "any"):
        world.report.error("B205", holds.span, f"`holds:` is 1 or `any`, not `{holds.value}`")
    info = BoardInfo(name, word, root, board, copies, holds_one=single, per_player=per_player)
    if word in world.roots or any(b.word == word for b in world.boards):
        place = found.node.key("space") or key
        world.report.error(
            "N203", place.span, f"spaces of two boards are called `{word}`", help="give one of them another `space:`"
        )
    world.roots[word] = root
    world.boards.append(info)
    if per_player:
        world.fixed_attribute(
            root, "owner", root.everything, every(world.players), [s // info.spaces for s in range(root.size)]
        )
        table = tuple(((1 << info.spaces) - 1) << (copy * info.spaces) for copy in range(copies))
        origin = world.declare(name, "board", key.span, info)
        world.attribute(
            world.players,
            name,
            world.players.everything,
            SetOf(every(root)),
            lambda node, span: (
                C.Const(table[node.value]) if isinstance(node, C.Const) else C.Look(table, node, 0, span)
            ),
            origin,
        )
    else:
        world.declare(name, "board", key.span, info)
    if not (found.truth("one_way") and found.truth("apart")):
        _check_graph(world, key, found, board)
    return info


def _check_graph(world: World, key: Scalar, found: Fields, board: Board) -> None:
    if board.shape == "graph" or found.has("only"):
        from ruledsl.boards.base import check_graph

        for problem in check_graph(board):
            if (problem.kind == "one-way" and found.truth("one_way")) or (
                problem.kind != "one-way" and found.truth("apart")
            ):
                continue
            declared = "one_way" if problem.kind == "one-way" else "apart"
            world.report.warn("B206", key.span, problem.message, help=f"if this is meant, write `{declared}: true`")


def _directions(world: World, boards: list[BoardInfo]) -> None:
    root = world.directions
    for info in boards:
        for direction in info.board.directions:
            if direction not in root.names:
                root.names.append(direction)
                root.titles.append(world.title_of_word(direction))
    for cycles, turning in (
        (world.cycles, lambda board: (board.directions,)),
        (world.kin_cycles, lambda board: board.circles),
    ):
        circles: dict[int, set[tuple[int, ...]]] = {}
        for info in boards:
            for names in turning(info.board):
                circle = tuple(root.names.index(d) for d in names)
                for d in circle:
                    circles.setdefault(d, set()).add(circle)
        for d, found in circles.items():
            if len(found) == 1:
                (circle,) = found
                cycles[d] = (circle, circle.index(d))
    back = [NONE] * root.size
    for info in boards:
        for d, other in info.board.opposite.items():
            back[root.names.index(d)] = root.names.index(other)
    world.data["opposite"] = tuple(back)
    groups: dict[str, int] = {"directions": root.everything}
    for info in boards:
        for group, members in info.board.groups.items():
            groups[group] = groups.get(group, 0) | sum(1 << root.names.index(d) for d in members)
    for group, mask in groups.items():
        if group not in world.names and root.size:
            world.names[group] = Declared(group, "type", None, world.named(group, Elem(root, mask)), used=True)


def _geometry(world: World, info: BoardInfo) -> None:
    """Tables of a board: coordinates, steps by space and direction, neighbours as sets."""
    board, root, size = info.board, info.root, info.spaces
    for name, values in board.coordinates.items():
        numbers = list(values) * info.copies
        world.fixed_attribute(root, name, root.everything, Num(min(numbers), max(numbers)), numbers)
    world.fixed_attribute(
        root, "edge", root.everything, BOOL, [int(board.on_edge(s)) for s in range(size)] * info.copies
    )
    count = world.directions.size
    steps = [NONE] * (root.size * count)
    for direction, row in board.steps.items():
        d = world.directions.names.index(direction)
        for copy in range(info.copies):
            for space, to in enumerate(row):
                if to >= 0:
                    steps[(copy * size + space) * count + d] = copy * size + to
    near = [0] * root.size
    for copy in range(info.copies):
        for space in range(size):
            near[copy * size + space] = sum(1 << (copy * size + x) for x in board.neighbors(space))
    axes = tuple((world.directions.names.index(a), world.directions.names.index(b)) for a, b in board.axes)
    world.data.setdefault("geometry", {})[root] = Geometry(tuple(steps), count, tuple(near), axes)


class Geometry:
    """Where steps lead on a board, by space * directions + direction; neighbours as sets; pairs of opposites."""

    def __init__(
        self, steps: tuple[int, ...], count: int, near: tuple[int, ...], axes: tuple[tuple[int, int], ...]
    ) -> None:
        self.steps, self.count, self.near, self.axes = steps, count, near, axes


# ------------------------------------------------------------------------------------------------ pieces


class Stock:
    """One piece to be: its row, owner, name and where it starts."""

    def __init__(self, row: Row, owner: int, name: str, start: Any) -> None:
        self.row, self.owner, self.name, self.start = row, owner, name, start


def declare_pieces(world: World) -> None:
    """Kinds of pieces; where they start is settled when all places are known."""
    for name, (key, node) in world.sections.named["pieces"].items():
        found = fields(node, KIND, world.report)
        if found is None:
            continue
        _remember_types(world, found.map("attributes"))
        _kind(world, name, key, found)
    if any(kind.tile is not None for kind in world.kinds):
        world.spots.turn = world.layout.add("turn", world.pieces.size, 1, None, "piece")


def _kind(world: World, name: str, key: Scalar, found: Fields) -> None:
    rows = _kind_rows(world, name, found)
    per_player = found.word("per") == "player"
    owners = range(world.players.size) if per_player else (NONE,)
    first = world.pieces.size
    stocks: list[Stock] = []
    for owner in owners:
        for row in rows:
            node = row.get("start") or found.get("start")
            start = _start_for(world, node, owner)
            copies = _copies(world, row, found, start, name, key)
            if len(stocks) + copies + first > MOST_PIECES:
                world.report.error("R309", key.span, f"there would be more than {MOST_PIECES} pieces")
                return
            word = row.word("name") or name
            owned = f"{world.players.names[owner]}_{word}" if owner >= 0 else word
            stocks += [Stock(row, owner, owned, (start, i)) for i in range(copies)]
    _distinct(world, stocks)
    _register(world, name, key, found, stocks, first, per_player)


def _distinct(world: World, stocks: list[Stock]) -> None:
    """Names that several pieces share get numbers."""
    seen: dict[str, list[Stock]] = {}
    for stock in stocks:
        seen.setdefault(stock.name, []).append(stock)
    for name, same in seen.items():
        if len(same) > 1 or name in world.pieces.names:
            for i, stock in enumerate(same):
                stock.name = f"{name}_{i + 1}"


def _kind_rows(world: World, name: str, found: Fields) -> list[Row]:
    rows: list[Row] = []
    columns = {e.key.value: e.value.value for e in found.map("columns") or () if isinstance(e.value, Scalar)}
    for word in found.words("from"):
        rows += [Row.of(row).renamed(columns) for row in table_rows(world, word)]
    written = found.get("rows")
    for item in written.items if isinstance(written, Seq) else ():
        row = Row.of(item)
        label = row.word("name")
        for i, old in enumerate(rows):
            if label and old.word("name") == label:
                rows[i] = old.merged(row)
                break
        else:
            rows.append(row)
    each = found.map("each")
    if each is not None:
        rows = _each(world, name, each)
    known = {"name", "title", "about", "copies", "start", "symbol"}
    for part in ("attributes", "state"):
        known |= {e.key.value for e in found.map(part) or ()}
    known |= {e.value.word("from") for e in (_part_entries(found)) if e.value}
    complained: set[str] = set()
    for row in rows if each is None else ():
        for column, key in row.keys.items():
            if column not in known and column not in complained:
                complained.add(column)
                from_file = key.span.file is not world.span.file and written is None
                near = nearest(column, known)
                report = world.report.warn if from_file else world.report.error
                report(
                    "L505" if from_file else "S101",
                    key.span,
                    f"`{name}` has no attribute `{column}`",
                    help=did_you_mean(near) or "it has " + ", ".join(f"`{n}`" for n in sorted(known)),
                    suggestions=tuple(near),
                )
    rows = [part for row in rows for part in _by_value(world, name, row, found)]
    if (only := found.get("only")) is not None:
        return _rows_there_are(world, name, rows, only, found)
    return rows or [Row.of(None)]


def _by_value(world: World, name: str, row: Row, found: Fields) -> list[Row]:
    """`copies: {rank: {1: 3, 2: 2}}`: three with rank 1 and two with rank 2, alike in everything else."""
    copies = row.get("copies")
    if not isinstance(copies, Map):
        return [row]
    attributes = tuple(e.key.value for e in found.map("attributes") or ())
    rows: list[Row] = []
    for attribute in copies:
        if attribute.key.value not in attributes:
            unknown_key(attribute.key, attributes, f"`{name}`", world.report)
        elif not isinstance(attribute.value, Map):
            world.report.error(
                "S103",
                attribute.value.span,
                f"a map from values of `{attribute.key.value}` to numbers must stand here, "
                f"not {shape_of(attribute.value)}",
                help=f"as in `copies: {{{attribute.key.value}: {{1: 3, 2: 2}}}}`",
            )
        else:
            rows += [
                row.merged(Row(None, {attribute.key.value: e.key, "copies": e.value}, {})) for e in attribute.value
            ]
    return rows


def _rows_there_are(world: World, name: str, rows: list[Row], only: Node, found: Fields) -> list[Row]:
    """The rows for which the condition behind `only:` holds."""
    tree, before = world.elaborator.read(only), world.report.errors
    asked = [e for e in found.map("attributes") or () if f"this.{e.key.value}" in only.span.text]
    world.data.setdefault("only asks", set()).update((name, e.key.value) for e in asked)
    kinds = {e.key.value: world.type_of(world.elaborator.read(e.value, "type")) for e in asked}
    kept = []
    for row in rows:
        root = Root(name, "row", ["this"])
        for attribute, kind in kinds.items():
            if isinstance(kind, Num | Elem | Bool):
                value = _cell(world, row.get(attribute), kind, row, attribute, name)
                world.fixed_attribute(root, attribute, 1, kind, [value])
        with world.elaborator.scope():
            world.elaborator.bind("this", Typed(C.Const(0), every(root)), quiet=True)
            world.elaborator.no_me += 1
            condition = world.elaborator.condition(world.elaborator.expr(tree, BOOL), tree.span, "`only`")
            world.elaborator.no_me -= 1
        if world.report.errors > before:
            return rows
        if _fixed(world, condition, tree.span):
            kept.append(row)
    return kept


class _PartEntry:
    def __init__(self, key: Scalar, value: Fields | None) -> None:
        self.key, self.value = key, value


def _part_entries(found: Fields) -> list[_PartEntry]:
    from ruledsl.diagnostics.model import Report

    return [_PartEntry(e.key, fields(e.value, PART, Report())) for e in found.map("parts") or ()]


def _each(world: World, name: str, each: Map) -> list[Row]:
    """A row for every combination, in the order of the types."""
    names, members = [], []
    for entry in each:
        kind = world.type_of(world.elaborator.read(entry.value, "type"))
        if isinstance(kind, Elem):
            members.append([(kind.root.names[i], entry) for i in bits(kind.mask)])
        elif isinstance(kind, Num):
            if kind.high - kind.low >= MOST_PIECES:
                world.report.error(
                    "R309",
                    entry.value.span,
                    f"there would be more than {MOST_PIECES} pieces",
                    help="`each:` makes one of every combination",
                )
                return []
            members.append([(str(i), entry) for i in range(kind.low, kind.high + 1)])
        elif isinstance(kind, Bool):
            members.append([("false", entry), ("true", entry)])
        else:
            if not isinstance(kind, BrokenType):
                world.report.error(
                    "S103", entry.value.span, f"`each:` takes types of words, numbers or `bool`, not {show(kind)}"
                )
            return []
        names.append(entry.key.value)
    if prod(len(column) for column in members) > MOST_PIECES:
        world.report.error(
            "R309",
            each.span,
            f"there would be more than {MOST_PIECES} pieces",
            help=f"`each:` makes one `{name}` of every combination",
        )
        return []
    rows = []
    for combination in product(*members):
        words = [word for word, _ in combination]
        label = (
            "_".join(entry.key.value if word == "true" else word for word, entry in combination if word != "false")
            or name
        )
        label = label if label[:1].isalpha() else f"{name}_{label}"
        cells: dict[str, Node] = {"name": _scalar(world, label, each)}
        cells |= {n: _scalar(world, word, each) for n, word in zip(names, words, strict=True)}
        rows.append(Row(each, cells, {}))
    return rows


def _scalar(world: World, word: str, at: Node) -> Scalar:
    """A word that stands in no file, for pieces made from combinations."""
    from ruledsl.source.text import SourceFile

    known = world.source.tables.setdefault("#words", {})
    if word not in known:
        file = SourceFile(at.span.file.path, word)
        span = Span(file, 0, len(word))
        known[word] = Scalar(span, word, "plain", span)
    return known[word]


def _start_for(world: World, node: Node | None, owner: int) -> Any:
    """The start of the pieces of one owner: nothing, or a node."""
    if isinstance(node, Map):
        for entry in node:
            if entry.key.value not in world.players.names:
                unknown_key(entry.key, tuple(world.players.names), "`start:` by player", world.report)
        return node.get(world.players.names[owner]) if owner >= 0 else None
    return node


def _copies(world: World, row: Row, found: Fields, start: Any, name: str, key: Scalar) -> int:
    if (node := row.get("copies")) is not None:
        return world.constant(node, Num(0, MOST_PIECES), "`copies`") or 0
    if (node := found.get("count")) is not None:
        return world.constant(node, Num(0, MOST_PIECES), "`count`") or 0
    if start is not None:
        return len(start_spots(world, start, NONE) or (0,))
    return 1


def start_spots(world: World, node: Node, owner: int) -> list[tuple[Root, int]]:
    """The spaces or places that a `start:` names, in order."""
    tree = world.elaborator.read(node)
    if "this" in E.names_in(tree):
        boards = [b for b in world.boards if not b.per_player] or world.boards
        if not boards:
            world.report.error("B207", tree.span, "there is no board to start on")
            return []
        if len(boards) > 1:
            world.report.error("B207", tree.span, "with several boards, name the spaces to start on")
            return []
        root = boards[0].root
        return [(root, s) for s in bits(_mask_where(world, every(root), node))]
    key = (node, owner)
    known = world.data.setdefault("starts", {})
    if key not in known or any(member < 0 for _, member in known[key]):  # asked first before places had numbers
        known[key] = _named_spots(world, tree, owner)
    return known[key]


def _named_spots(world: World, tree: E.Expr, owner: int) -> list[tuple[Root, int]]:
    items = tree.items if isinstance(tree, E.Items) else (tree,)
    found: list[tuple[Root, int]] = []
    for item in items:
        if isinstance(item, E.Name) and item.name in world.names and world.names[item.name].sort == "place":
            info = world.names[item.name].data
            world.names[item.name].used = True
            found.append((world.places, info.first + max(0, owner if info.count > 1 else 0)))
            continue
        if isinstance(item, E.Name) and item.name in world.data.get("place_names", ()):
            found.append((world.places, -1))
            continue
        world.elaborator.no_me += 1
        typed = world.elaborator.expr(item)
        world.elaborator.no_me -= 1
        if isinstance(typed.type, BrokenType):
            continue
        if isinstance(typed.type, Elem) and typed.type.root.kind in ("space", "place"):
            found.append((typed.type.root, _fixed(world, typed.node, item.span)))
        else:
            many = world.elaborator.as_set(typed, item.span) if isinstance(typed.type, SetOf | ListOf) else None
            if many is not None and isinstance(many.type.of, Elem) and many.type.of.root.kind == "space":  # type: ignore[union-attr]
                found += [(many.type.of.root, s) for s in bits(_fixed(world, many.node, item.span))]  # type: ignore[union-attr]
            else:
                world.report.error(
                    "T234", item.span, f"a piece starts on a space or in a place, not on {show(typed.type)}"
                )
    return found


def _register(
    world: World, name: str, key: Scalar, found: Fields, stocks: list[Stock], first: int, per_player: bool
) -> None:
    root = world.pieces
    mask = ((1 << len(stocks)) - 1) << first
    info = KindInfo(name, first, len(stocks), per_player, mask, found.word("tile") or None)
    signatures: dict[Any, int] = world.data.setdefault("signatures", {})
    title, about = found.get("title"), found.get("about")
    for stock in stocks:
        text = stock.row.get("about") or about
        world.data["about"].append(titles(world, text, "") if text is not None else {})
        root.names.append(stock.name)
        written = stock.row.get("title") or _named(stock.row) or title
        each = found.map("each") if written is None else None
        root.titles.append(
            _joined(world, stock.row, each) if each else titles(world, written, stock.row.word("name") or name)
        )
        row_key = (name, stock.owner, stock.row.says())
        world.data["rows"].append(signatures.setdefault(row_key, len(signatures)))
    world.data.setdefault("stocks", []).extend(stocks)
    world.data.setdefault("owners", []).extend(stock.owner for stock in stocks)
    root.parts[name] = mask
    world.kinds.append(info)
    declared = world.declare(name, "kind", key.span, info)
    for part in found.map("kinds") or ():
        world.declare(
            part.key.value, "kind", part.key.span, KindInfo(part.key.value, first, len(stocks), per_player, mask)
        )
    rows = {info.first + i: stock.row for i, stock in enumerate(stocks)}
    parts = [
        _parts(world, info, entry.key, entry.value, rows) for entry in _part_entries(found) if entry.value is not None
    ]
    world.data.setdefault("later", []).append(lambda: _later_kind(world, name, found, info, stocks, declared, parts))


def _joined(world: World, row: Row, each: Map) -> dict[str, str]:
    """The title of one of every combination: its own translation, else those of its parts (four for four suits)."""
    words = [(row.word(entry.key.value), entry.key.value) for entry in each]
    parts = [world.title_of_word(key if word == "true" else word) for word, key in words if word != "false"]
    joined = {
        language: " ".join(part.get(language, part["en"]) for part in parts)
        for language in ("en", *world.sections.texts)
    }
    own = world.title_of_word(row.word("name"))
    return joined | {language: text for language, text in own.items() if text != row.word("name").replace("_", " ")}


def titles(world: World, node: Node | None, word: str) -> dict[str, str]:
    """A title by language: as written, or the word with its translations."""
    if isinstance(node, Scalar) and not node.is_null:
        return {"en": node.value}
    if isinstance(node, Map):
        return {e.key.value: e.value.value for e in node if isinstance(e.value, Scalar)}
    return world.title_of_word(word)


def _later_kind(
    world: World,
    name: str,
    found: Fields,
    info: KindInfo,
    stocks: list[Stock],
    declared: Declared | None,
    parts: list[Callable[[TileTurns | None], None]],
) -> None:
    """Attributes of a kind, once all types exist."""
    root = world.pieces
    owner = Elem(root, info.mask)
    rows = {info.first + i: stock.row for i, stock in enumerate(stocks)}
    if info.per_player:
        owners = [0] * root.size
        for i, stock in enumerate(stocks):
            owners[info.first + i] = stock.owner
        world.fixed_attribute(root, "owner", info.mask, every(world.players), owners)
        table = tuple(info.of_player(p, world.players.size) for p in range(world.players.size))
        if info.count == world.players.size:  # one each: the name is the piece itself

            def one(node: C.Node, span: Span | None) -> C.Node:
                return C.Primitive("offset", (node,), (info.first,), span)

            world.attribute(world.players, name, world.players.everything, owner, one, declared)
        else:

            def mine(node: C.Node, span: Span | None) -> C.Node:
                return C.Const(table[node.value]) if isinstance(node, C.Const) else C.Look(table, node, 0, span)

            world.attribute(world.players, name, world.players.everything, SetOf(owner), mine, declared)
    _row_names(world, name, owner, rows)
    tile = _tile(world, info, found) if info.tile is not None else None
    _attributes(world, owner, found.map("attributes"), rows, name, tile)
    if found.map("each") is not None:
        _attributes(world, owner, found.map("each"), rows, name)
    _state(world, owner, found.map("state"), rows, name)
    for part in found.map("kinds") or ():
        mask = _mask_where(world, owner, part.value)
        world.names[part.key.value].data.mask = mask
        root.parts[part.key.value] = mask
    for later in parts:
        later(tile)


def _named(row: Row) -> Node | None:
    """A name that is written by language is a title as well."""
    node = row.get("name")
    return node if isinstance(node, Map) else None


def _row_names(world: World, name: str, owner: Elem, rows: dict[int, Row]) -> None:
    """`x.name`: the row a piece was made from, as a member of a type of its own."""
    words = [row.word("name") for row in rows.values()]
    if not any(words):
        return
    names = Root(f"name of {name}", "enum")
    values = [NONE] * world.pieces.size
    for member, row in rows.items():
        word = row.word("name") or name
        if word not in names.names:
            names.names.append(word)
            names.titles.append(titles(world, row.get("title") or _named(row), word))
        values[member] = names.names.index(word)
    world.roots[names.name] = names
    world.fixed_attribute(world.pieces, "name", owner.mask, every(names), values)


def _tile(world: World, info: KindInfo, found: Fields) -> TileTurns | None:
    """A kind whose pieces lie on a board and may be turned: the slot array of turns, and what turning does."""
    board = next((b for b in world.boards if b.name == info.tile), None)
    if board is None:
        node = found.get("tile")
        assert node is not None
        known = nearest(found.word("tile"), [b.name for b in world.boards])
        world.report.error(
            "N113",
            node.span,
            f"there is no board `{found.word('tile')}`",
            help=did_you_mean(known),
            suggestions=tuple(known),
        )
        return None
    board.tiles = info.name
    world.state_attribute(world.pieces, "turn", info.mask, Num(0, len(board.board.sides) - 1), world.spots.turn)
    return world.spots.turn, _turns(world, board)


def _turns(world: World, board: BoardInfo) -> tuple[tuple[int, ...], ...]:
    """What becomes of each direction when a tile is turned clockwise by 0, 1 … sides."""
    root, times = world.directions, len(board.board.sides)
    turns: list[tuple[int, ...]] = [(d,) * times for d in range(root.size)]
    for names in board.board.circles:
        circle = [root.names.index(name) for name in names]
        for place, d in enumerate(circle):
            turns[d] = tuple(circle[(place + k * len(circle) // times) % len(circle)] for k in range(times))
    return tuple(turns)


def _parts(
    world: World, info: KindInfo, key: Scalar, found: Fields, rows: dict[int, Row]
) -> Callable[[TileTurns | None], None]:
    """The parts that tiles are split into: members of a root of their own, with the tile they belong to.

    They exist before places are numbered, since pieces may stand on them; the result is to be called once all
    types exist, and gives them their attributes.
    """
    root = Root(key.value, "part")
    part = PartInfo(key.value, info, root)
    part_rows: dict[int, Row] = {}
    column = found.word("from")
    for member, row in rows.items():
        node = row.get(column)
        for i, item in enumerate(node.items if isinstance(node, Seq) else ()):
            part_rows[root.size] = Row.of(item)
            root.names.append(f"{world.pieces.names[member]}_{key.value}_{i + 1}")
            root.titles.append({"en": f"{world.pieces.names[member]} {key.value} {i + 1}"})
            part.owner.append(member)
    world.roots[key.value] = root
    root.parts[key.value] = root.everything
    info.parts.append(part)
    world.parts.append(part)
    world.declare(key.value, "part", key.span, part)
    _remember_types(world, found.map("attributes"))
    part.sides = [0] * root.size  # filled in when they are known
    return lambda tile: _part_attributes(world, info, part, key, found, part_rows, tile)


def _part_attributes(
    world: World,
    info: KindInfo,
    part: PartInfo,
    key: Scalar,
    found: Fields,
    part_rows: dict[int, Row],
    tile: TileTurns | None,
) -> None:
    root = part.root
    _attributes(world, every(root), found.map("attributes"), part_rows, key.value)
    sides = root.attributes.pop("sides", None)
    if sides is None or tile is None:
        world.report.error("S110", key.span, f"the parts `{key.value}` need the attribute `sides: set of direction`")
        return
    sides[0].origin.used = True  # it says which parts are neighbours
    part.sides[:] = [world.evaluate(sides[0].build(C.Const(i), None)) for i in range(root.size)]
    world.fixed_attribute(root, info.name, root.everything, Elem(world.pieces, info.mask), part.owner)
    owner_table, (turn, turns) = tuple(part.owner), tile
    sides_table = tuple(part.sides)

    def lying(node: C.Node, span: Span | None) -> C.Node:
        return C.Primitive(
            "turned_set", (C.Look(sides_table, node, 0), C.Look(owner_table, node, NONE)), (turns, turn), span
        )

    world.attribute(root, "sides", root.everything, SetOf(every(world.directions)), lying)


# --------------------------------------------------------------------------------------- places and spots


def declare_places(world: World) -> None:
    """Places, with the reserve of every kind and the box behind them."""
    declared: list[tuple[PlaceInfo, Fields, Scalar]] = []
    for name, (key, node) in world.sections.named["places"].items():
        found = fields(node, PLACE, world.report)
        if found is None:
            continue
        info = _place(world, name, key, found)
        if info is not None:
            declared.append((info, found, key))
    for kind in world.kinds:
        owners = world.players.names if kind.per_player else [""]
        first = world.places.size
        for owner in owners:
            world.places.names.append(f"{owner}_reserve_{kind.name}" if owner else f"reserve_{kind.name}")
            world.places.titles.append({"en": "reserve", "ru": "запас"})
        world.place_infos.append(
            PlaceInfo(
                f"reserve {kind.name}",
                first,
                len(owners),
                every(world.players) if kind.per_player else None,
                kind.mask,
                False,
            )
        )
    named = world.names.get("box")
    world.data["box"] = named.data if named is not None and named.sort == "place" else None
    if world.data["box"] is None and world.kinds:
        info = PlaceInfo("box", world.places.size, 1, None, world.pieces.everything, False)
        world.places.names.append("box")
        world.places.titles.append({"en": "box", "ru": "коробка"})
        world.place_infos.append(info)
        world.data["box"] = info
        if named is None:  # a game may need the word for something else
            world.names["box"] = Declared("box", "place", None, info, used=True)
    _spots(world, declared)
    for info, found, key in declared:
        _seen(world, info, found, key)


def _place(world: World, name: str, key: Scalar, found: Fields) -> PlaceInfo | None:
    kinds = 0
    for word in found.words("holds"):
        if word.value == "any":
            kinds = world.pieces.everything
            continue
        kind = world.named_type(word.value, word.span)
        if isinstance(kind, Elem) and kind.root is world.pieces:
            kinds |= kind.mask
        elif not isinstance(kind, BrokenType):
            world.report.error("T240", word.span, f"a place holds a kind of piece, and `{word.value}` is {show(kind)}")
    per: Elem | Num | None = None
    if (word_node := found.get("per")) is not None:
        kind = world.named_type(found.word("per"), word_node.span)
        if not isinstance(kind, Elem | Num) or not world.few_keys(kind, word_node.span):
            return None
        per = kind
    root = world.places
    first = root.size
    owners = _owner_names(per)
    base = titles(world, found.get("title"), name)
    for owner in owners:
        root.names.append(f"{owner}_{name}" if owner else name)
        root.titles.append(base)
    slots = world.constant(found.get("slots"), Num(1, 1000), "`slots`") or 0 if found.has("slots") else 0
    info = PlaceInfo(name, first, len(owners), per, kinds, found.word("order") in ("pile", "row"), slots)  # type: ignore[arg-type]
    world.place_infos.append(info)
    if name == "box":
        world.names.pop("box", None)
    declared = world.declare(name, "place", key.span, info)
    if isinstance(per, Elem):
        mask = ((1 << info.count) - 1) << first

        def mine(node: C.Node, span: Span | None) -> C.Node:
            return (
                C.Const(node.value + first)
                if isinstance(node, C.Const)
                else C.Primitive("offset", (node,), (first,), span)
            )

        world.attribute(per.root, name, per.mask, Elem(root, mask), mine, declared)
    return info


def _owner_names(per: Elem | Num | None) -> list[str]:
    if per is None:
        return [""]
    if isinstance(per, Num):
        return [str(i) for i in range(per.low, per.high + 1)]
    # By the number of the member, so a part of a type leaves gaps that stay empty.
    return list(per.root.names)


def _spots(world: World, declared: list[tuple[PlaceInfo, Fields, Scalar]]) -> None:
    """Numbers all spots, and lays out where pieces are."""
    spots, layout = world.spots, world.layout
    count = 0

    def add(root: Root, single: list[bool], ordered: list[bool], capacity: list[int]) -> int:
        nonlocal count
        first = count
        spots.roots.append((first, root))
        spots.single += single
        spots.ordered += ordered
        spots.capacity += capacity
        spots.seen += [None] * root.size
        count += root.size
        return first

    for board in world.boards:
        n = board.root.size
        board.first_spot = add(
            board.root, [board.holds_one] * n, [not board.holds_one] * n, [1 if board.holds_one else 0] * n
        )
    for part in world.parts:
        n = part.root.size
        part.first_spot = add(part.root, [False] * n, [True] * n, [0] * n)
    by_first = {info.first: found for info, found, _ in declared}
    ordered: list[bool] = []
    capacity: list[int] = []
    for info in world.place_infos:
        found = by_first.get(info.first) if info.count else None
        most = 0
        if found is not None and found.has("capacity"):
            most = world.constant(found.get("capacity"), Num(1, MOST_PIECES), "`capacity`") or 0
        elif info.slots and not (found is not None and found.has("each")):
            most = info.slots
        ordered += [info.ordered] * info.count
        capacity += [most] * info.count
    spots.first_place = add(world.places, [False] * world.places.size, ordered, capacity)
    world.data["piles"] = {
        spots.first_place + info.first + i
        for info, found, _ in declared
        if found.word("order") == "pile"
        for i in range(info.count)
    }
    for info in world.place_infos:
        found = by_first.get(info.first)
        for i in range(info.count):
            if info.slots:
                spot = spots.first_place + info.first + i
                world.data["slots"][spot] = (info.slots, found is not None and found.has("each"))
                if found is not None and found.has("close"):
                    world.data["closes"][spot] = found.word("close")
    spots.count = count
    total = world.pieces.size
    for board in world.boards:
        if board.board.touching and not any(kind.tile == board.name for kind in world.kinds):
            declared_at = world.names.get(board.name)
            world.report.error(
                "B211",
                declared_at.span if declared_at is not None else world.span,
                f"nothing makes `{board.name}` grow: it has no tiles",
                help=f"the pieces that lie on it as tiles say `tile: {board.name}`",
            )
    if not total:
        return
    spots.box = spots.first_place + world.data["box"].first
    spots.at = layout.add("at", total, 1, None, "piece")
    spots.top = layout.add("top", count, 1, None, "spot")
    if any(spots.ordered):
        spots.bottom = layout.add("bottom", count, 1, None, "spot")
        spots.under = layout.add("under", total, 1, None, "piece")
        spots.over = layout.add("over", total, 1, None, "piece")
    for board in world.boards:
        if board.board.touching:
            _growing(world, board)
    spots.members = layout.add("members", world.places.size, 1, SetOf(every(world.pieces)), "spot")
    if any(info.slots for info in world.place_infos):
        spots.slot = layout.add("slot", total, 1, None, "piece")
    if any(found.has("seen") and found.word("seen") != "all" for _, found, _ in declared):
        spots.known = layout.add("known", total, 1, SetOf(every(world.players)), "piece")
    _location_attributes(world)


def _growing(world: World, board: BoardInfo) -> None:
    """What the engine keeps about a board that tiles make (see `ir.core.Growing`)."""
    board_of = board.board
    here = Elem(board.root, board.root.everything)
    outside = sum(1 << s for s in range(board.spaces) if board_of.on_edge(s))
    near = tuple(
        tuple(copy * board.spaces + x for x in board_of.neighbors(space))
        for copy in range(board.copies)
        for space in range(board.spaces)
    )
    world.spots.growing.append(
        C.Growing(
            board.name,
            board.first_spot,
            board.root.size,
            sum(kind.mask for kind in world.kinds if kind.tile == board.name),
            near,
            board_of.touching,
            sum(outside << copy * board.spaces for copy in range(board.copies)),
            max(max(values) for values in board_of.coordinates.values()) - 1,
            world.layout.add(f"tiled {board.name}", 1, 1, SetOf(here), "spot"),
            world.layout.add(f"frontier {board.name}", 1, 1, SetOf(here), "spot"),
        )
    )


def _location_attributes(world: World) -> None:
    """`p.square`, `s.man`, `x.holder`, `h.slot`: where pieces stand and what stands there."""
    spots, root = world.spots, world.pieces
    everything = root.everything
    tiled = {part.kind.tile for part in world.parts}
    for board in world.boards:
        parts = tuple((p.first_spot, p.root.size, tuple(p.owner)) for p in world.parts if p.kind.tile == board.name)
        data = (board.first_spot, board.root.size, spots.at, parts)

        def standing(node: C.Node, span: Span | None, data: Any = data) -> C.Node:
            return C.Primitive("standing", (node,), data, span)

        origin = world.names.get(board.name)
        world.attribute(root, board.word, everything, maybe(every(board.root)), standing, origin)
        for kind in [*world.kinds, *_subkinds(world)]:
            world.attribute(
                board.root,
                kind.name,
                board.root.everything,
                Elem(root, kind.mask, True),
                _first_there(world, board, kind, board.name in tiled),
                world.names.get(kind.name),
            )
    for part in world.parts:
        board = next(b for b in world.boards if b.name == part.kind.tile)
        info = part
        part.tiles = Tiles(
            board_geometry(world, board),
            part.first_spot,
            part.owner,
            part.sides,
            spots.at,
            spots.turn,
            board.first_spot,
            _turns(world, board),
            world.data["opposite"],
            spots.top,
            spots.bottom,
        )
        world.attribute(
            root,
            part.name,
            everything & ~part.kind.mask,
            Elem(part.root, part.root.everything, True),
            lambda node, span, p=info: C.Primitive(
                "standing", (node,), (p.first_spot, p.root.size, spots.at, ()), span
            ),
        )
        masks = [0] * root.size
        for number, owner in enumerate(part.owner):
            masks[owner] |= 1 << number
        world.fixed_attribute(root, part.name, part.kind.mask, SetOf(every(part.root)), masks)
        owner_table = tuple(part.owner)
        world.attribute(
            part.root,
            board.word,
            part.root.everything,
            maybe(every(board.root)),
            lambda node, span, b=board, t=owner_table: C.Primitive(
                "standing", (C.Look(t, node, NONE),), (b.first_spot, b.root.size, spots.at, ()), span
            ),
        )
        for kind in world.kinds:
            if kind is not part.kind:
                world.attribute(
                    part.root,
                    kind.name,
                    part.root.everything,
                    Elem(root, kind.mask, True),
                    lambda node, span, p=info, k=kind: C.Primitive(
                        "first_on", (C.Primitive("offset", (node,), (p.first_spot,)),), (k.mask,), span
                    ),
                )
    for kind in world.kinds:
        roots = {
            id(i.per.root): i.per.root
            for i in world.place_infos
            if i.kinds & kind.mask and isinstance(i.per, Elem) and not i.name.startswith("reserve ")
        }
        if not roots or (len(roots) > 1 and id(world.players) not in roots):
            continue  # with owners of several sorts, and none of them players, nobody is meant above the others
        holder_root = world.players if id(world.players) in roots else next(iter(roots.values()))
        table = [NONE] * spots.count
        for place in world.place_infos:
            if isinstance(place.per, Elem) and place.per.root is holder_root and not place.name.startswith("reserve "):
                for i in range(place.count):
                    table[spots.first_place + place.first + i] = i
        world.attribute(
            root,
            "holder",
            kind.mask,
            maybe(every(holder_root)),
            lambda node, span, t=tuple(table): C.Look(t, C.Cell(spots.at, node, NONE), NONE, span),
        )
    if spots.slot >= 0:
        most = max(info.slots for info in world.place_infos)
        world.state_attribute(root, "slot", everything, Num(0, most), spots.slot)


def _subkinds(world: World) -> list[KindInfo]:
    return [d.data for d in world.names.values() if d.sort == "kind" and d.data not in world.kinds]


def _first_there(world: World, board: BoardInfo, kind: KindInfo, tiled: bool) -> Any:
    first = board.first_spot

    def there(node: C.Node, span: Span | None) -> C.Node:
        spot = C.Primitive("offset", (node,), (first,)) if first or not isinstance(node, C.Const) else node
        if tiled:
            parts = tuple((p.first_spot, tuple(p.owner)) for p in world.parts if p.kind.tile == board.name)
            return C.Primitive("first_on_tile", (spot,), (kind.mask, parts), span)
        return C.Primitive("first_on", (spot,), (kind.mask,), span)

    return there


def board_geometry(world: World, board: BoardInfo) -> Geometry:
    return world.data["geometry"][board.root]


def _seen(world: World, info: PlaceInfo, found: Fields, key: Scalar) -> None:
    """Who sees what lies in a place, as the code of a set of players."""
    node = found.get("seen")
    if node is None:
        return
    word = node.value if isinstance(node, Scalar) else ""
    for i in range(info.count):
        if isinstance(info.per, Elem) and not info.per.mask >> i & 1:
            continue  # only some members have such a place
        spot = world.spots.first_place + info.first + i
        if word == "all":
            world.spots.seen[spot] = None
        elif word in ("none", "top"):
            world.spots.seen[spot] = C.Const(0)
            if word == "top":
                world.data.setdefault("top_seen", set()).add(spot)
        elif word == "owner":
            if not isinstance(info.per, Elem) or info.per.root is not world.players:
                world.report.error(
                    "T241", node.span, f"`{info.name}` has no owner", help="a place with an owner is `per: player`"
                )
                return
            world.spots.seen[spot] = C.Const(1 << i)
        else:
            world.data.setdefault("late_seen", []).append((info, found.word("per"), i, spot, node))


def finish_seen(world: World) -> None:
    """Views that are given by an expression, once values and formulas are known."""
    for info, name, i, spot, node in world.data.pop("late_seen", []):
        tree = world.elaborator.read(node)
        with world.elaborator.scope():
            if isinstance(info.per, Elem):
                world.elaborator.bind(name, Typed(C.Const(i), Elem(info.per.root, 1 << i)), quiet=True)
            typed = world.elaborator.expr(tree, SetOf(every(world.players)))
            found = world.elaborator.as_set(typed, tree.span, single=True)
        if found is None:
            continue
        if (
            not isinstance(found.type, SetOf)
            or not isinstance(found.type.of, Elem)
            or found.type.of.root is not world.players
        ):
            world.report.error("T242", tree.span, f"who sees a place is said by players, not by {show(typed.type)}")
            continue
        world.spots.seen[spot] = found.node


def place_pieces(world: World) -> None:
    """Every piece at its start; the slots that this fills belong to the template of all plays."""
    spots, total = world.spots, world.pieces.size
    if not total:
        return
    reserves = {i.name: i for i in world.place_infos if i.name.startswith("reserve ")}
    for kind in world.kinds:
        info = reserves[f"reserve {kind.name}"]
        each = kind.count // max(1, info.count)
        for i in range(kind.count):
            spots.reserve.append(spots.first_place + info.first + (i // each if info.count > 1 and each else 0))
    spots.reserve += [0] * (total - len(spots.reserve))
    v = [0] * (world.layout.size + 64)
    for slot, value in world.template.items():
        v[slot] = value
    for base, count in (
        (spots.top, spots.count),
        (spots.bottom, spots.count),
        (spots.under, total),
        (spots.over, total),
    ):
        if base >= 0:
            v[base : base + count] = [NONE] * count
    program = C.Program("", world.layout, 0, [], 0, spots, world.roots, [], [], world.data)
    board = Pieces(program, None)
    held = _held_at_start(world)
    taken: dict[tuple[int, int], int] = {}
    home: list[int] = []
    for piece, stock in enumerate(world.data.get("stocks", [])):
        spot = held.get(piece, spots.reserve[piece])
        node, number = stock.start
        if node is not None:
            where = start_spots(world, node, stock.owner)
            if where:
                root, member = where[number % len(where)]
                spot = world.first_spot(root) + member
        if spots.single[spot]:
            if (spot, 0) in taken:
                span = node.span if node is not None else world.span
                world.report.error("B208", span, f"two pieces start on {_spot_name(world, spot)}, which holds one")
                continue
            taken[spot, 0] = piece
        home.append(spot)
        # A pile lies as its table reads: the first on top.
        board._put(v, piece, spot, "bottom" if spot in world.data["piles"] else None)
    world.data["home"] = tuple(home)
    for slot, value in enumerate(v[: world.layout.size]):
        if value:
            world.template[slot] = value
        else:
            world.template.pop(slot, None)


def _held_at_start(world: World) -> dict[int, int]:
    """Pieces that a place's own `start:` puts into it."""
    found: dict[int, int] = {}
    for name, (_, node) in world.sections.named["places"].items():
        if not isinstance(node, Map) or node.get("start") is None or name not in world.names:
            continue
        info = world.names[name].data
        start = node.get("start")
        assert start is not None
        tree = world.elaborator.read(start)
        world.elaborator.no_me += 1
        typed = world.elaborator.as_set(
            world.elaborator.expr(tree, SetOf(Elem(world.pieces, info.kinds))), tree.span, single=True
        )
        world.elaborator.no_me -= 1
        if typed is None:
            continue
        for piece in bits(_fixed(world, typed.node, tree.span)):
            found[piece] = world.spots.first_place + info.first
    return found


def _spot_name(world: World, spot: int) -> str:
    first, root = max(((f, r) for f, r in world.spots.roots if f <= spot), key=lambda pair: pair[0])
    return f"`{root.names[spot - first]}`"


# -------------------------------------------------------------------------------------- pools and values


def declare_pools(world: World) -> None:
    for name, (key, node) in world.sections.named["pools"].items():
        found = fields(node, POOL, world.report)
        if found is None:
            continue
        root, mask = None, 1
        if found.has("of"):
            of = found.get("of")
            assert of is not None
            kind = world.named_type(found.word("of"), of.span)
            if not isinstance(kind, Elem):
                if not isinstance(kind, BrokenType):
                    world.report.error("T232", of.span, f"tokens are members of a type, not {show(kind)}")
                continue
            root, mask = kind.root, kind.mask
        pool = PoolInfo(name, root, mask, _total(world, found, root), paid=found.word("paid") or None)
        pool.most = max(pool.total) if pool.total else 10**6
        world.pools.append(pool)
        world.declare(name, "pool", key.span, pool)
        _holders(world, pool, found)
        _stock(world, pool, found, key)


def _total(world: World, found: Fields, root: Root | None) -> list[int] | None:
    node = found.get("total")
    if node is None:
        return None
    size = root.size if root is not None else 1
    if isinstance(node, Map) and root is not None:
        return list(_bag(world, node, BagOf(root, root.everything, 10**6)))
    number = world.constant(node, Num(0, 10**6), "`total`") or 0
    return [number] * size


def _holders(world: World, pool: PoolInfo, found: Fields) -> None:
    at = found.map("at")
    for entry in at or ():
        owner = entry.key.value
        root, mask = None, 0
        if owner != "all":
            kind = world.named_type(owner, entry.key.span)
            if not isinstance(kind, Elem):
                continue
            root, mask = kind.root, kind.mask
        for word in scalars(entry.value):
            if not word.value.isidentifier():
                world.report.error(
                    "N204",
                    word.span,
                    f"`{word.value}` cannot be a name",
                    help="`at:` says under which word the tokens of each lie",
                )
                continue
            count = root.size if root is not None else 1
            base = world.layout.add(
                word.value,
                count,
                pool.size,
                BagOf(pool.of, pool.mask, pool.most) if pool.of else Num(0, pool.most),
                "pool",
                root,
            )
            pool.holders[word.value] = (owner, base, root)
            world.holders[base] = (pool, root)
            if root is None:
                world.declare(word.value, "holder", word.span, (pool, base, root))
            else:
                sample = world.tokens(pool, base, root, C.Const(0), None)

                def build(node: C.Node, span: Span | None, base: int = base, root: Root = root) -> C.Node:
                    return world.tokens(pool, base, root, node, span).node

                # Whoever reads what a holder has uses the pool.
                origin = world.names.get(pool.name) or Declared(word.value, "holder", word.span, None, True)
                world.attribute(root, word.value, mask, sample.type, build, origin)


def _stock(world: World, pool: PoolInfo, found: Fields, key: Scalar) -> None:
    """What holders have at first; the rest of a limited pool lies in the supply."""
    rest = list(pool.total) if pool.total is not None else None
    for entry in found.map("start") or ():
        holder = pool.holders.get(entry.key.value)
        if holder is None:
            unknown_key(entry.key, tuple(pool.holders), f"`start:` of `{pool.name}`", world.report)
            continue
        _, base, root = holder
        if pool.of is not None and isinstance(entry.value, Map):
            amount = _bag(world, entry.value, BagOf(pool.of, pool.mask, pool.most))
        else:
            number = world.constant(entry.value, Num(0, 10**6), "an amount") or 0
            amount = tuple(number if pool.mask >> i & 1 else 0 for i in range(pool.size))
        for owner in range(root.size if root is not None else 1):
            for i, n in enumerate(amount):
                world.template[base + owner * pool.size + i] = n
                if rest is not None:
                    rest[i] -= n
    if rest is not None:
        if min(rest) < 0:
            world.report.error("R310", key.span, f"more of `{pool.name}` is handed out at the start than there is")
            rest = [max(0, n) for n in rest]
        pool.supply = world.layout.add(f"supply.{pool.name}", 1, pool.size, None, "pool")
        world.holders[pool.supply] = (pool, None)
        for i, n in enumerate(rest):
            if pool.mask >> i & 1:
                world.template[pool.supply + i] = n


def declare_values(world: World) -> None:
    for name, (key, node) in world.sections.named["values"].items():
        if isinstance(node, Map):
            found = fields(node, VALUE, world.report)
            if found is None or found.get("is") is None:
                continue
            kind = world.type_of(world.elaborator.read(found.get("is"), "type"))
        else:
            found = None
            kind = world.type_of(world.elaborator.read(node, "type"))
        if isinstance(kind, BrokenType):
            world.names.setdefault(name, Declared(name, "broken", key.span, None, True))
            continue
        if isinstance(kind, TableOf | CodeType):
            world.report.error(
                "T239", node.span, f"a value cannot be {show(kind)}", help="write `{is: type, per: key}`"
            )
            continue
        _value(world, name, key, kind, found)


def _value(world: World, name: str, key: Scalar, kind: Type, found: Fields | None) -> None:
    keys: list[Elem | Num] = []
    for word in found.words("per") if found is not None else ():
        owner = world.named_type(word.value, word.span)
        if isinstance(owner, Elem | Num):
            keys.append(owner)
    count = 1
    for owner in keys:
        count *= owner.root.size if isinstance(owner, Elem) else owner.high - owner.low + 1
    width = world.width(kind)
    if world.layout.size + count * width > MOST_SLOTS:
        world.report.error(
            "R311", key.span, f"`{name}` would take {count * width} slots; the state has room for {MOST_SLOTS}"
        )
        return
    base = world.layout.add(
        name, count, width, kind, "value", keys[0].root if keys and isinstance(keys[0], Elem) else None
    )
    info = ValueInfo(name, kind, tuple(keys), base, width, count)
    world.values.append(info)
    declared = world.declare(name, "value", key.span, info)
    start = found.get("start") if found is not None else None
    value = cell_value(world, start, kind, f"the start of `{name}`") if start is not None else start_of(world, kind)
    for i in range(count):
        put(world, base + i * width, kind, value)
    if keys and isinstance(keys[0], Elem):
        owner_kind = keys[0]
        rest = tuple(keys[1:])
        if rest:
            world.attribute(
                owner_kind.root,
                name,
                owner_kind.mask,
                TableOf(rest, kind),
                lambda node, span: Handle(base, (), node, span),
                declared,
            )
        else:
            world.state_attribute(owner_kind.root, name, owner_kind.mask, kind, base, declared)
    info.seen = found.get("seen") if found is not None else None


def declare_formulas(world: World) -> None:
    for key, node in world.sections.named["define"].values():
        header = world.elaborator.read(key, "header")
        if isinstance(header, E.Bad):
            continue
        parameters = [(p.name.name, world.type_of(p.type)) for p in header.parameters]
        slots = tuple(world.scratch() for _ in parameters)
        formula = FormulaInfo(
            header.name.name, key.value, parameters, header, node, C.Formula(header.name.name, slots, None, key.span)
        )
        if any(isinstance(kind, BrokenType) for _, kind in parameters):
            formula.state = "done"
        world.formulas.append(formula)
        world.declare(header.name.name, "formula", header.name.span, formula)


def run_later(world: World) -> None:
    """Attributes, whose types may be any type of the game."""
    for later in world.data.pop("later", []):
        later()


__all__ = [
    "RESERVED",
    "ForbiddenError",
    "OptionError",
    "declare_boards",
    "declare_formulas",
    "declare_options",
    "declare_pieces",
    "declare_places",
    "declare_pools",
    "declare_types",
    "declare_values",
    "finish_seen",
    "option_value",
    "place_pieces",
    "run_later",
]
