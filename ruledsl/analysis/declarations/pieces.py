"""`pieces:`, kinds of pieces with what every piece has."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ruledsl.analysis.names import Declared, KindInfo
from ruledsl.analysis.world import MOST_PIECES, World
from ruledsl.ir import core as C
from ruledsl.source.document import Broken, Scalar
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import Fields, Form, Key, fields
from ruledsl.types import NONE, Elem, Root, SetOf, every

from .attributes import TileTurns, add_attributes, add_state
from .fixed import mask_where
from .piece_rows import copies_of, kind_rows
from .rows import Row
from .shown import OF_PLACES
from .starts import start_for
from .tiles import board_of_tiles, make_parts, make_tiles, part_entries, ways_of
from .titles import joined_title, titles, written_name

_OWNED = "pieces of players are `per: player`, and `start:` says whose there are: `start: {white: d4}`"
_SEEN = (
    "`seen:` belongs to places: pieces are hidden in a place, which may also be one of each space, as in "
    "`stand: {per: square, holds: man, seen: …}`"
)
KIND = Form(
    "a kind of piece",
    {
        "per": Key(
            "words",
            "`player`: every player has these. With types, as in `[player, color]`: there is one for each of their "
            "combinations, which has `color` as an attribute.",
            words=("player",),
            instead="write `player`, a type, or several, as in `[player, color]`; numbers are attributes of their own: "
            "`each: {number: 1..9}`",
        ),
        "count": Key(
            "expression",
            "How many there are, of each player where each has some; with `each:`, of each combination.",
            tried=("copies", "number", "amount", "times", "quantity"),
        ),
        "each": Key(
            "map",
            "One piece for every combination of these attributes; with rows, each row for every combination.",
            tried=("for_each", "every", "one_of_each", "for", "all", "product", "combinations", "each_of"),
            instead="name attributes with their types, as in `{rank: rank, suit: suit}`; for each player it is "
            "`per: player`",
        ),
        "rows": Key(
            "list",
            "The pieces one by one, or with `copies`.",
            tried=("cards", "tiles", "list", "items", "entries", "units", "pieces", "members", "data"),
        ),
        "from": Key("words", "Tables with the pieces."),
        "only": Key("scalar", "Which rows there are in a play, as a condition on `this`."),
        "columns": Key("map", "Other names of the table's columns: `{attribute: column}`."),
        "attributes": Key("map", "What every piece has and never changes."),
        "state": Key("map", "What changes at every piece."),
        "start": Key("any", "Where they start: spaces, a place, or a condition on `this` space.", by_owner=True),
        "kinds": Key(
            "map",
            "Named parts of this kind: `{fort: this.face == fort}`.",
            instead="say which pieces each part has, as in `{fort: this.face == fort}`",
        ),
        "tile": Key("word", "The board on which these lie as tiles that can be turned."),
        "parts": Key("map", "What a tile is split into: `{area: {from: areas, attributes: {…}}}`."),
        "symbol": Key("text", "A sign for them in pictures of the board."),
        "title": Key("text", "How players see them."),
        "show": Key(
            "shown",
            "What players see of each besides its title: attributes by name, `about` (what is printed on it), or "
            "texts about `this`; one or a list.",
        ),
        "reserve": Key(
            "word",
            "Whether pieces that are not in play yet are shown: `never` (the default), or as for places.",
            words=OF_PLACES,
        ),
        "about": Key("text", "What is printed on them, for `read` and for players to look up; also in rows."),
    },
    tried={
        **dict.fromkeys(("owner", "owned_by", "belongs_to", "player", "players"), _OWNED),
        **dict.fromkeys(("seen", "hidden", "secret", "visible", "face_down"), _SEEN),
        "copies": "how many there are of a row is said in it: `{name: …, copies: 3}`; without rows write `count: 3`",
    },
    numbered=True,
    main="rows",
    own="attributes",
    section="pieces",
)


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
        _kind(world, name, key, found)
    if any(kind.tile is not None for kind in world.kinds):
        world.spots.turn = world.layout.add("turn", world.pieces.size, 1, None, "piece")


def _kind(world: World, name: str, key: Scalar, found: Fields) -> None:
    rows = kind_rows(world, name, found)
    per_player = found.word("per") == "player"
    owners = range(world.players.size) if per_player else (NONE,)
    first = world.pieces.size
    stocks: list[Stock] = []
    for owner in owners:
        for row in rows:
            node = row.get("start") or found.get("start")
            start = start_for(world, node, owner)
            copies = copies_of(world, row, found, start, name, key)
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


def _register(
    world: World, name: str, key: Scalar, found: Fields, stocks: list[Stock], first: int, per_player: bool
) -> None:
    root = world.pieces
    mask = ((1 << len(stocks)) - 1) << first
    info = KindInfo(name, first, len(stocks), per_player, mask, board_of_tiles(world, name, found))
    signatures: dict[Any, int] = world.data.setdefault("signatures", {})
    title, about = found.get("title"), found.get("about")
    for stock in stocks:
        text = stock.row.get("about") or about
        world.data["about"].append(titles(world, text, "", stock.row) if text is not None else {})
        root.names.append(stock.name)
        written = stock.row.get("title") or written_name(stock.row) or title
        each = found.map("each") if written is None else None
        root.titles.append(
            joined_title(world, stock.row, each)
            if each
            else titles(world, written, stock.row.word("name") or name, stock.row, len(root.titles))
        )
        row_key = (name, stock.owner, stock.row.says())
        world.data["rows"].append(signatures.setdefault(row_key, len(signatures)))
    world.data.setdefault("stocks", []).extend(stocks)
    world.data.setdefault("owners", []).extend(stock.owner for stock in stocks)
    root.parts[name] = mask
    world.kinds.append(info)
    declared = world.declare(name, "kind", key.span, info)
    if isinstance(unread := found.get("kinds"), Broken):
        for word in re.findall(r"[^\W\d]\w*", unread.span.text):  # which of them is unknown, but not the name
            world.declare(word, "kind", unread.span, KindInfo(word, first, len(stocks), per_player, mask))
    for part in found.map("kinds") or ():
        world.declare(
            part.key.value, "kind", part.key.span, KindInfo(part.key.value, first, len(stocks), per_player, mask)
        )
    rows = {info.first + i: stock.row for i, stock in enumerate(stocks)}
    parts = [
        make_parts(world, info, entry.key, entry.value, rows)
        for entry in part_entries(found)
        if entry.value is not None
    ]
    world.data.setdefault("later", []).append(lambda: _later_kind(world, name, found, info, stocks, declared, parts))


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
    tile = make_tiles(world, info) if info.tile is not None else None
    add_attributes(world, owner, found.map("attributes"), rows, name, tile, ways_of(world, info))
    if found.map("each") is not None:
        add_attributes(world, owner, found.map("each"), rows, name)
    add_state(world, owner, found.map("state"), rows, name)
    for part in found.map("kinds") or ():
        mask = mask_where(world, owner, part.value)
        world.names[part.key.value].data.mask = mask
        root.parts[part.key.value] = mask
    for later in parts:
        later(tile)


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
            own = row.get("title") or written_name(row)
            names.titles.append(world.pieces.titles[member] if own is not None else titles(world, None, word, row))
        values[member] = names.names.index(word)
    world.roots[names.name] = names
    world.fixed_attribute(world.pieces, "name", owner.mask, every(names), values)
