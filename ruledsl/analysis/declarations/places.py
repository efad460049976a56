"""`places:`, where pieces lie off the board, and the numbers of all spots."""

from __future__ import annotations

import re

from ruledsl.analysis.meant import about_seers
from ruledsl.analysis.names import Declared, PlaceInfo, Typed, ValueInfo
from ruledsl.analysis.show import show
from ruledsl.analysis.world import MOST_PIECES, World
from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.ir import core as C
from ruledsl.source.document import Node, Scalar
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.foreign import CHOICES
from ruledsl.syntax.reshaped import of_each_player
from ruledsl.syntax.shapes import Fields, Form, Key, fields
from ruledsl.types import Broken as BrokenType
from ruledsl.types import Elem, Num, Root, SetOf, Type, every

from .growing import add_growing
from .locations import add_locations
from .shown import OF_PLACES, SEERS
from .titles import titles

PLACE = Form(
    "a place",
    {
        "holds": Key("words", "The kind or kinds of pieces that lie in it.", required=True),
        "per": Key(
            "word",
            "One for each: player, a kind of piece, or a type.",
            instead="one for each player is enough where its pieces say the rest, as in "
            "`set(c in me.row where c.color == red)`",
        ),
        "order": Key(
            "word",
            "set (the default); pile: listed from the top down; row: listed from the first piece on.",
            words=("set", "pile", "row"),
            tried=("type", "sort", "structure"),
        ),
        "slots": Key("expression", "How many numbered positions it has, for one piece each."),
        "close": Key(
            "word",
            "Which way the other pieces move to fill a gap: `to first` (slot 1) or `to last`.",
            words=("to first", "to last"),
            once=(("up", "to first"), ("down", "to last")),
        ),
        "each": Key("word", "`any`: several may lie on one slot.", words=("any",)),
        "capacity": Key("expression", "The most pieces that it can hold."),
        "seen": Key(
            "any",
            "Who sees what lies in it: `all` (the default), `none`, `owner`, `others` (all but the owner), `top`, or "
            "players.",
            takes=(*SEERS, "top"),
        ),
        "start": Key("expression", "The pieces that are in it at the start."),
        "title": Key("text", "How players see it."),
        "show": Key(
            "word",
            "`some` (the default): where something lies in it; `always`, `never`; `lines`: one piece below the other; "
            "`count`: only how many; `known`: those that one knows, nothing where there are none.",
            words=OF_PLACES,
        ),
    },
    tried={
        **dict.fromkeys(("pile", "stack", "ordered", "draw_pile"), "write `order: pile`"),
        **dict.fromkeys(
            ("shuffled", "shuffle", "random", "random_order"),
            "write `order: pile`, and in `setup:` the statement `shuffle: …` with its name",
        ),
        **dict.fromkeys(
            (
                *("hidden", "secret", "face_down", "closed", "private", "public", "face_up", "open", "face", "faces"),
                *("facing", "hidden_from", "revealed"),
            ),
            "`seen:` says who sees it: `all`, `none` or `owner`",
        ),
    },
    numbered=True,
    main="holds",
    section="places",
)


def declare_places(world: World) -> None:
    """Places, with the reserve of every kind and the box behind them."""
    declared: list[tuple[PlaceInfo, Fields, Scalar]] = []
    for name, (key, node) in of_each_player(world.sections.named["places"], PLACE, world.report).items():
        found = fields(node, PLACE, world.report)
        if found is None:
            continue
        info = _place(world, name, key, found)
        if info is not None:
            declared.append((info, found, key))
    _reserves(world)
    _box(world)
    _number_spots(world, declared)
    _lay_out(world, declared)
    for info, found, key in declared:
        _seen(world, info, found, key)


def _reserves(world: World) -> None:
    """Where pieces lie that have not come into play, by kind and owner."""
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


def _box(world: World) -> None:
    """Where pieces go that are removed; a game may declare a place of that name itself."""
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


def _place(world: World, name: str, key: Scalar, found: Fields) -> PlaceInfo | None:
    kinds = 0
    found.asked.add("start")  # it is read when the pieces are put down
    for word in found.words("holds"):
        if word.value == "any":
            kinds = world.pieces.everything
            continue
        if counted := re.fullmatch(r"(\d+)\s+(\S+)", word.value):
            help = f"write `holds: {counted[2]}`, and `capacity: {counted[1]}` for how many there may be"
            world.report.error("T240", word.span, "`holds:` takes the kind alone", help=help)
            kinds = world.pieces.everything
            continue
        kind = world.written.named_type(word.value, word.span)
        if isinstance(kind, Elem) and kind.root is world.pieces:
            kinds |= kind.mask
        elif isinstance(kind, BrokenType):
            kinds = world.pieces.everything  # nobody knows what it holds
        else:
            world.report.error("T240", word.span, f"a place holds a kind of piece, and `{word.value}` is {show(kind)}")
    per: Elem | Num | None = None
    if (word_node := found.get("per")) is not None and not isinstance(word_node, Scalar):
        world.names.setdefault(name, Declared(name, "broken", key.span, None, True))  # what is wrong is said already
        return None
    if word_node is not None:
        kind = world.written.named_type(found.word("per"), word_node.span)
        if not isinstance(kind, Elem | Num) or not world.written.few_keys(kind, word_node.span):
            if not isinstance(kind, Elem | Num | BrokenType):
                world.report.error("T240", word_node.span, f"there cannot be one for each of {show(kind)}")
            world.names.setdefault(name, Declared(name, "broken", key.span, None, True))
            return None
        per = kind
    root = world.places
    first = root.size
    owners = _owner_names(per)
    base = titles(world, found.get("title"), name)
    for owner in owners:
        root.names.append(f"{owner}_{name}" if owner else name)
        root.titles.append(base)
    slots = world.constant(found.get("slots"), Num(1, C.MOST_SLOTS), "`slots`") or 0 if found.has("slots") else 0
    ordered = found.word("order") in ("pile", "row")
    _about_slots(world, name, found, ordered)
    info = PlaceInfo(
        name, first, len(owners), per, kinds, ordered, slots, found.word("per"), found.word("order") == "row"
    )
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


def _about_slots(world: World, name: str, found: Fields, ordered: bool) -> None:
    """Keys that say something of slots, in a place that has none."""
    if found.has("slots"):
        if ordered:
            order = found.get("order")
            help = f"the slots are its order: remove `order: {found.word('order')}`"
            world.report.error(
                "B213", order.span if order else None, "a place has slots or an order, not both", help=help
            )
        return
    for key in ("close", "each"):
        if found.has(key):
            span = found.node.entries[key].key.span
            help = "say how many it has, as in `slots: 4`"
            world.report.error("B213", span, f"`{key}:` is about slots, and `{name}` has none", help=help)


def _owner_names(per: Elem | Num | None) -> list[str]:
    if per is None:
        return [""]
    if isinstance(per, Num):
        return [str(i) for i in range(per.low, per.high + 1)]
    # By the number of the member, so a part of a type leaves gaps that stay empty.
    return list(per.root.names)


def _number_spots(world: World, declared: list[tuple[PlaceInfo, Fields, Scalar]]) -> None:
    """Numbers all spots: spaces, then parts of tiles, then places."""
    spots = world.spots

    def add(root: Root, single: list[bool], ordered: list[bool], capacity: list[int]) -> int:
        first = spots.count
        spots.roots.append((first, root))
        spots.single += single
        spots.ordered += ordered
        spots.capacity += capacity
        spots.seen += [None] * root.size
        spots.count += root.size
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
        elif info.slots and not (found is not None and found.word("each")):
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
                world.data["slots"][spot] = (info.slots, found is not None and bool(found.word("each")))
                if found is not None and found.has("close"):
                    world.data["closes"][spot] = found.word("close")


def _lay_out(world: World, declared: list[tuple[PlaceInfo, Fields, Scalar]]) -> None:
    """Makes room in the state for where pieces are and what spots hold."""
    spots, layout = world.spots, world.layout
    count, total = spots.count, world.pieces.size
    for board in world.boards:
        if board.board.touching and not any(kind.tile == board.name for kind in world.kinds):
            declared_at = world.names.get(board.name)
            world.report.error(
                "B211",
                declared_at.span if declared_at is not None else world.span,
                f"nothing can make `{board.name}` grow: it has no tiles",
                help=f"the pieces that lie on it as tiles say `tile: {board.name}`",
            )
    if not count:
        return
    if world.data["box"] is not None:  # without kinds of pieces there is none
        spots.box = spots.first_place + world.data["box"].first
    spots.at = layout.add("at", total, 1, None, "piece")
    spots.top = layout.add("top", count, 1, None, "spot")
    if any(spots.ordered):
        spots.bottom = layout.add("bottom", count, 1, None, "spot")
        spots.under = layout.add("under", total, 1, None, "piece")
        spots.over = layout.add("over", total, 1, None, "piece")
    for board in world.boards:
        if board.board.touching:
            add_growing(world, board)
    spots.members = layout.add("members", world.places.size, 1, SetOf(every(world.pieces)), "spot")
    if any(info.slots for info in world.place_infos):
        spots.slot = layout.add("slot", total, 1, None, "piece")
    if any(found.has("seen") and found.word("seen") != "all" for _, found, _ in declared):
        spots.known = layout.add("known", total, 1, SetOf(every(world.players)), "piece")
    add_locations(world)


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
            if word == "top" and not info.ordered:
                world.idle(node.span, f"`{info.name}` has no order, so nothing in it is on top: nobody sees it")
            if word == "top":
                world.data.setdefault("top_seen", set()).add(spot)
        elif word in ("owner", "others"):
            if not isinstance(info.per, Elem) or info.per.root is not world.players:
                world.report.error(
                    "T241",
                    node.span,
                    f"`{info.name}` has no owner",
                    help="declare it `per: player` to give it an owner",
                )
                return
            own = 1 << i
            world.spots.seen[spot] = C.Const(own if word == "owner" else world.players.everything & ~own)
        else:
            world.data.setdefault("late_seen", []).append((info, found.word("per"), i, spot, node))


def _seen_value(world: World, value: ValueInfo) -> None:
    """Who sees a value; what is said by an expression is worked out again where it is asked."""
    node = value.seen
    word = node.value if isinstance(node, Scalar) else ""
    if node is None or word in ("all", "none"):
        return
    if word in ("owner", "others"):
        first = value.keys[0] if value.keys else None
        if not isinstance(first, Elem) or first.root is not world.players:
            if value.name in world.data.get("broken names", ()):
                return
            world.data.setdefault("broken attributes", set()).add(value.name)  # others will think it has
            help = "declare it `per: player` to give it an owner"
            if isinstance(first, Elem) and first.root.kind != "player":
                words = {board.root: board.word for board in world.boards}
                help = f"declare it `per: [player, {words.get(first.root, first.root.name)}]`: each has their own"
            world.report.error("T241", node.span, f"`{value.name}` has no owner", help=help)
        return
    if word == "top":
        world.report.error(
            "N101", node.span, "`top` is about piles", help="it is `all`, `none`, `owner`, `others`, or players"
        )
        return
    if unknown_seers(world, node):
        return
    tree = world.elaborator.read(node)
    if "player" in E.names_in(tree):
        help = "`owner` is the player it belongs to, `others` is everybody else"
        world.report.error("T242", tree.span, "`player` stands for all players here", help=help)
        return
    typed = world.elaborator.expr(tree, SetOf(every(world.players)))
    found = world.elaborator.fitting.as_set(typed, tree.span, single=True)
    if found is not None and not _players(world, found.type):
        world.report.error("T242", tree.span, f"`seen:` of a value takes players, not {show(typed.type)}")


def _players(world: World, kind: Type) -> bool:
    return isinstance(kind, SetOf) and isinstance(kind.of, Elem) and kind.of.root is world.players


def unknown_seers(world: World, node: Node | None, info: PlaceInfo | None = None) -> bool:
    """Whether `seen:` is a word that means nothing, or something else; it is reported."""
    word = node.value if isinstance(node, Scalar) else ""
    if not (word.replace(" ", "").isalpha() and (" " in word or word not in world.names) and node is not None):
        return False
    if word not in CHOICES and {"except", "from", "after"} & set(word.split()):
        return False  # an expression
    if word in ("me", "player", "players", "opponent", "turn_player") or word in world.players.names:
        return False
    if word not in CHOICES and word.isidentifier() and (world.homes(word) or word in world.elaborator.scopes[-1]):
        return False
    help, known = about_seers(word, world.players.names)
    if info is not None and isinstance(info.per, Elem) and word in info.per.root.attributes:
        known = (f"{info.key}.{word}",)  # of the fort whose place it is, say
        help = did_you_mean(known)
    world.report.error("N101", node.span, f"nobody is called `{word}`", help=help, suggestions=known)
    return True


def finish_seen(world: World) -> None:
    """Views that are given by an expression, once values and formulas are known."""
    for value in (*world.values, *(one for pool in world.pools for one in pool.secrets)):
        _seen_value(world, value)
    for info, name, i, spot, node in world.data.pop("late_seen", []):
        if unknown_seers(world, node, info):
            continue
        tree = world.elaborator.read(node)
        if isinstance(info.per, Elem) and info.per.root is world.players and "me" in E.names_in(tree):
            said = "`me` would be the player who acts at that moment, not the owner of this place"
            help = "write `owner` for the player it belongs to, `others` for everybody else"
            world.report.error("T242", tree.span, said, help=help, suggestions=("owner", "others"))
            continue
        with world.elaborator.scope():
            if isinstance(info.per, Elem):
                world.elaborator.bind(name, Typed(C.Const(i), Elem(info.per.root, 1 << i)), quiet=True)
            typed = world.elaborator.expr(tree, SetOf(every(world.players)))
            found = world.elaborator.fitting.as_set(typed, tree.span, single=True)
        if found is None:
            continue
        if not _players(world, found.type):
            world.report.error("T242", tree.span, f"`seen:` of a place takes players, not {show(typed.type)}")
            continue
        world.spots.seen[spot] = found.node
