"""Changing values and pieces."""

from __future__ import annotations

import re
from math import lcm

from ruledsl.analysis.build import Builder, statement
from ruledsl.analysis.declarations.history import fingerprint
from ruledsl.analysis.deeds import Deeds
from ruledsl.analysis.doubts import of_all_to_one
from ruledsl.analysis.meant import as_number
from ruledsl.analysis.names import KindInfo, PlaceInfo, Typed
from ruledsl.analysis.show import show
from ruledsl.analysis.ways import way
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Node, Seq
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import Fields, Key
from ruledsl.types import BROKEN, NONE, BagOf, Broken, Elem, ListOf, Num, SetOf, TableOf, Type, bits, every, none_of
from ruledsl.wording.templates import Words

from .told import told_add, told_set, told_subtract


@statement("set", "paths", "What is set, and to what.", words=told_set)
def set_(b: Builder, f: Fields) -> None:
    """Sets values of the game, of a player, of a piece or of a space. Several are set one after the other.

    - set: {quiet: 0, m.king: true}
    """
    for entry in f.map("set") or ():
        found = b.target(entry)
        if found is None:
            b.elab.expr(b.elab.read(entry.value), BROKEN)  # a name in it may belong to what cannot be changed
            continue
        node, kind = found
        value = b.elab.value(entry.value, kind, f"`{entry.key.value}`")
        if entry.value.span.text.split() == entry.key.span.text.split():
            b.world.idle(entry.value.span, "this sets it to the value that it already has")
        b.assign(node, kind, value.node, entry.value.span)


def _change(b: Builder, f: Fields, verb: str, sign: str) -> None:
    for entry in f.map(verb) or ():
        found = b.target(entry)
        if found is None:
            continue
        node, kind = found
        tree = b.elab.read(entry.value, wanted="number" if isinstance(kind, Num) else "")
        if isinstance(kind, SetOf):
            members = b.elab.fitting.as_set(b.elab.expr(tree, kind), tree.span, single=True)
            if members is None:
                continue
            b.elab.fitting.coerce(members, kind, tree.span, f"what `{verb}` takes")
            value: C.Node = b.elab.op("union" if sign == "+" else "minus", (node, members.node))
        elif isinstance(kind, BagOf):
            typed = Typed(b.elab.fitting.coerce(b.elab.expr(tree, kind), kind, tree.span, f"what `{verb}` takes"), kind)
            value = b.elab.op("bag_add" if sign == "+" else "bag_subtract", (node, typed.node))
        elif isinstance(kind, ListOf) and sign == "+":
            typed = b.elab.expr(tree, kind.of)
            if isinstance(typed.type, Broken):
                continue
            more = (
                typed.node
                if isinstance(typed.type, ListOf)
                else b.elab.op("make", (b.elab.fitting.coerce(typed, kind.of, tree.span, "what is added"),))
            )
            value = C.Op("join", (node, more), tree.span)
        elif isinstance(kind, Num):
            number = b.elab.number(b.elab.expr(tree), tree.span, f"what `{verb}` takes")
            if number is None:
                continue
            if isinstance(number.node, C.Const) and number.node.value == 0:
                b.world.idle(entry.value.span, "this is always 0, so nothing changes")
            if isinstance(number.node, C.Const) and number.node.value < 0 and sign == "-":
                less = number.node.value
                help = f"write `{-less}` for what is taken; `add:` makes it more"
                b.report.warn("L541", entry.value.span, f"to subtract {less} adds {-less}", help=help)
            base: C.Node = node
            if kind.maybe:
                base = C.Demand(node, none_of(kind), f"`{entry.key.value}` is none", entry.key.span)
            value = C.Fit(
                C.Op("add" if sign == "+" else "subtract", (base, number.node)),
                kind.low,
                kind.high,
                f"`{entry.key.value}`",
                False,
                entry.value.span,
            )
        else:
            b.report.error(
                "T252", entry.key.span, f"`{verb}` changes numbers, sets and bags, not {show(kind)}", help="use `set:`"
            )
            continue
        b.assign(node, kind, value, entry.value.span)


@statement("add", "paths", "What grows, and by what.", words=told_add)
def add(b: Builder, f: Fields) -> None:
    """Adds to a number, a set, a list or a bag.

    - add: {me.score: 2}
    """
    _change(b, f, "add", "+")


@statement("subtract", "paths", "What shrinks, and by what.", words=told_subtract)
def subtract(b: Builder, f: Fields) -> None:
    """Takes from a number, a set or a bag.

    - subtract: {me.runes_left: travel}
    """
    _change(b, f, "subtract", "-")


def pieces_of(b: Builder, node: Node | None, verb: str) -> tuple[C.Node, str] | None:
    """What is moved: one piece, a set, what lies in places; a kind's name is the first of mine in reserve."""
    if node is None:
        return None
    if isinstance(node, Seq):
        parts = [pieces_of(b, item, verb) for item in node.items]
        nodes = [
            b.elab.op("only", (p[0],)) if p[1] == "one" else p[0] if p[1] == "set" else b.elab.op("collect", (p[0],))
            for p in parts
            if p is not None
        ]
        if not nodes:
            return None
        union = nodes[0]
        for more in nodes[1:]:
            union = b.elab.op("union", (union, more))
        return union, "set"
    tree = b.elab.read(node, wanted="pieces")
    if isinstance(tree, E.Name) and b.elab.local(tree.name) is None:
        declared = b.world.names.get(tree.name)
        if declared is not None and declared.sort == "kind" and (declared.data.count > 1 or declared.data.per_player):
            declared.used = True
            _one_of_a_sort(b, declared.data, tree)
            return _from_reserve(b, declared.data, tree), "one"
    # A word that is a piece's name means the piece, whatever else it is.
    typed = b.elab.expr(tree, every(b.world.pieces) if isinstance(tree, E.Name) else None)
    match typed.type:
        case Broken():
            return None
        case Elem(root=root) if root is b.world.pieces:
            return typed.node, "one"
        case Elem(root=root) if root.kind == "place":
            listed = b.elab.fitting.as_list(typed, tree.span)
            return (listed.node, "list") if listed is not None else None
        case ListOf(of=Elem(root=root)) if root is b.world.pieces:
            return typed.node, "list"
        case SetOf():
            found = b.elab.fitting.as_set(typed, tree.span)
            if found is None:
                return None
            if isinstance(found.type.of, Elem) and found.type.of.root is b.world.pieces:
                return found.node, "set"
    help = _as_pieces(b, typed.type, tree, verb)
    b.report.error("T253", tree.span, f"`{verb}` needs pieces, not {show(typed.type)}", help=help)
    return None


def _as_pieces(b: Builder, kind: Type, tree: E.Expr, verb: str) -> str:
    """What to write where pieces are needed, and something else stands there."""
    text = tree.span.one_line
    match kind:
        case BagOf():
            return f"what is in a bag is not a piece: `subtract: {{bag: {text}}}` takes it out, `add:` puts it in"
        case Num() if verb == "move":
            return "`take(s, 3)` is three of a set of pieces; `draw: 3` takes three from the top of a pile"
        case Num() if verb == "remove" and re.fullmatch(r"[^\W\d][\w.]*(?:\[[^\]]*\])?", text):
            return f"a number becomes 0 by `set: {{{text}: 0}}`; some of it is taken away by `subtract: {{{text}: 1}}`"
        case Num():
            return "to change a number, write `add: {score: 1}` or `set: {score: 0}`, with its name"
        case Elem(root=root) if root.kind == "space":
            standing = [one.name for one in b.world.kinds if one.name in root.attributes]
            return did_you_mean([f"{text}.{name}" for name in standing[:3]])
        case Elem(root=root) if root is b.world.players:
            out = "keep who is out in a value, as in `out: {per: player, is: bool}`"
            return f"players are not pieces: {out}, and leave them out with `skip: me.out` in `turns:`"
        case TableOf():
            return as_number(kind, tree.span, b.elab)
        case SetOf() | ListOf() if own := way(b.elab, kind, SetOf(every(b.world.pieces)), text):
            return f"did you mean `{own}`?"
        case Elem() | SetOf():
            return "pieces are declared under `pieces:`; to change a value, write `set:` or `add:`"
    return ""


def _one_of_a_sort(b: Builder, kind: KindInfo, tree: E.Name) -> None:
    """Advice where a kind's name stands for one piece, and which one makes a difference."""
    stocks = b.world.data["stocks"]
    if len({stocks[m].row.word("name") for m in bits(kind.mask)}) > 1:
        b.report.warn(
            "L512",
            tree.span,
            f"this is one `{tree.name}`, the first in the reserve, and they are not all alike",
            help=f"`reserve({tree.name})` is all of them; to say which one, choose it or name it",
        )


def _from_reserve(b: Builder, kind: object, tree: E.Name) -> C.Node:
    info = next((i for i in b.world.place_infos if i.kinds & kind.mask and i.name.startswith("reserve ")), None)  # type: ignore[attr-defined]
    if info is None:  # a kind without pieces
        return C.Demand(C.Const(NONE), NONE, f"there is no `{tree.name}`", tree.span)
    first: C.Node = C.Const(b.world.spots.first_place + info.first)
    if info.count > 1:
        me = b.elab.special("me", tree.span)
        assert me is not None
        first = C.Op("add", (me.node, first))
    lying = C.Primitive("first_on", (first,), (kind.mask,), tree.span)  # type: ignore[attr-defined]
    return C.Demand(lying, NONE, f"there is no `{tree.name}` left in the reserve", tree.span)


@statement(
    "move",
    "expression",
    "A piece, a set of pieces, a place, or a kind for the first of mine in reserve.",
    words=Words(
        en=(
            "move {move:pieces} to {to}, {at:end}<, turned clockwise by {turned}>|move {move:pieces} {to:to}<, "
            "turned clockwise by {turned}>",
        ),
        ru=(
            "переместите {move:pieces acc} в {to:acc}, {at:end}<, повернув по часовой стрелке на "
            "{turned}>|переместите {move:pieces acc} {to:to}<, повернув по часовой стрелке на {turned}>",
        ),
    ),
    to=Key("expression", "The space or place.", required=True),
    at=Key("scalar", "`top` or `bottom` of a pile, or a slot by number."),
    turned=Key("scalar", "How a tile lies: how many sides it is turned clockwise."),
    tried={
        **dict.fromkeys(("from", "out_of"), "what is moved knows where it is: remove this line"),
        **dict.fromkeys(
            ("by", "steps", "distance", "spaces", "times"),
            "where it goes is said by `to:`, as in `to: the(step(SPACE, DIRECTION, n))` for n steps",
        ),
    },
)
def move(b: Builder, f: Fields) -> None:
    """Moves pieces to a space or place. If that is full, it is a fault. A piece that is already there stays.

    Without `at:` a piece comes to the top of a pile, and in a place with slots to the free slot that is nearest to
    where the row closes up (`close:`); without `close:`, to the first free one. On a slot that is taken, `at:` pushes
    pieces on toward the open end of a row that closes up, as far as the next free slot. Elsewhere that is a fault of
    the rules, unless several may lie on one slot (`each: any`).

    - move: m
      to: to
    """
    found = pieces_of(b, f.get("move"), "move")
    to = f.get("to")
    if to is None:
        return
    tree = b.elab.read(to, wanted="home")
    typed = b.elab.expr(tree)
    spot = b.world.spot_of(typed, tree.span, "where `move` leads")
    at: C.Node | str | None = None
    if f.has("at"):
        at = _where_in(b, f, typed, tree.span)
    turned = _turned(b, f) if f.has("turned") else None
    if found is not None:
        of_all_to_one(b.world, f.get("move"), tree)
        b.emit(C.Move(found[0], found[1], spot, at, turned, f.node.span))
        if found[1] == "set" and "setup_done" not in b.world.data:  # many at once, in the order of the file
            b.world.data.setdefault("filled", set()).update(_places_of(b, typed.type))


def _where_in(b: Builder, f: Fields, place: Typed, span: Span) -> C.Node | str | None:
    """`at:` of a move: an end of a pile, or a slot of a place that has slots."""
    node, word = f.get("at"), f.word("at")
    if node is None:  # nothing stands there, as was told
        return None
    root = place.type.root if isinstance(place.type, Elem) else None
    mask = place.type.mask if isinstance(place.type, Elem) else 0
    infos = [i for i in b.world.place_infos if root is b.world.places and mask >> i.first & ((1 << i.count) - 1)]
    if word in ("top", "bottom"):
        if infos and not any(i.ordered for i in infos):
            help = f"`order: pile` makes `{infos[0].name}` a pile"
            b.report.error("B214", node.span, f"`{span.text}` has no {word}", help=help)
        return word
    tree = b.elab.read(node)
    typed = b.elab.number(b.elab.expr(tree), tree.span, "the slot")
    if typed is None:
        return None
    assert isinstance(typed.type, Num)
    most = max((i.slots for i in infos), default=0)
    if root is not None and not most:
        help = "give it four with `slots: 4` in its declaration; the ends of a pile are `top` and `bottom`"
        b.report.error("B214", node.span, f"`{span.text}` has no slots", help=help)
    elif most and (typed.type.low > most or typed.type.high < 1):
        b.report.error("B214", node.span, f"`{span.text}` has no such slot: they are numbered from 1 to {most}")
    return b.elab.fitting.coerce(typed, Num(1, C.MOST_SLOTS), tree.span, "the slot")


def _turned(b: Builder, f: Fields) -> C.Node:
    """How a tile is turned: all the way round is as it was."""
    node = f.get("turned")
    times = lcm(*(len(board.board.sides) for board in b.world.boards if board.tiles is not None))
    turned = b.elab.value(node, Num(0, 100), "`turned`").node
    if times == 1:
        b.report.error(
            "S120",
            node.span if node is not None else None,
            "nothing here can be turned: no kind of piece has a `tile:`",
            help="a kind with `tile: board` lies on that board as a tile, in one of as many ways as spaces have sides",
        )
    return b.elab.op("remainder", (turned, C.Const(times)))


@statement(
    "remove",
    "expression",
    "A piece, pieces or a place; none is nothing.",
    words=Words(
        en="remove {remove:pieces} from the game",
        ru="уберите из игры в коробку: {remove:pieces}",
    ),
)
def remove(b: Builder, f: Fields) -> None:
    """Removes pieces from the play: they go into the box.

    - remove: to.man
    """
    found = pieces_of(b, f.get("remove"), "remove")
    if found is not None:
        node, form = found
        mask = b.elab.op("only", (node,)) if form == "one" else node if form == "set" else C.Op("collect", (node,))
        b.emit(C.Act("remove", (mask,), (), f.node.span))


@statement(
    "swap",
    "expression",
    "A piece, a space or a place.",
    words=Words(en="{swap} and {with} trade places", ru="{swap} и {with} меняются местами"),
    with_=Key("expression", "What it trades with.", required=True),
)
def swap(b: Builder, f: Fields) -> None:
    """Two pieces trade places, or all that lies on two spaces or in two places.

    - swap: me.hand
      with: p.hand
    """
    sides = []
    for name in ("swap", "with"):
        tree = b.elab.read(f.get(name))
        sides.append((b.elab.expr(tree), tree.span))
    (one, _), (other, _span) = sides
    if isinstance(one.type, Broken) or isinstance(other.type, Broken):
        return
    if all(isinstance(t.type, Elem) and t.type.root is b.world.pieces for t, _ in sides):
        b.emit(C.Act("swap_pieces", (one.node, other.node), (), f.node.span))
        return
    a, c = (b.world.spot_of(t, s, "what `swap` trades") for t, s in sides)
    b.emit(C.Act("swap_contents", (a, c), (), f.node.span))


@statement(
    "draw",
    "scalar",
    "How many.",
    words=Words(
        en=(
            "draw {draw:literal} from the top of {from} {to:to}|draw from the top of {from} {to:to}, this many: {draw}",
            "with each piece drawn: do {call}",
            "when there is nothing left to draw: {empty}",
        ),
        ru=(
            "возьмите сверху из {from:gen} {to:to}, сколько: {draw}",
            "с каждой взятой: выполните {call}",
            "когда брать больше нечего: {empty}",
        ),
    ),
    from_=Key("expression", "The pile.", required=True),
    to=Key("expression", "Where they go.", required=True),
    call=Key("word", "An effect that is run with each piece drawn."),
    empty=Key("block", "What happens when the pile is empty; then drawing goes on."),
)
def draw(b: Builder, f: Fields) -> None:
    """Takes pieces from the top of a pile, one by one. If the pile runs out and there is no `empty:`, fewer are drawn.

    - draw: 1
      from: deck
      to: me.hand
    """
    tree = b.elab.read(f.get("draw"), wanted="number")
    number = b.elab.number(b.elab.expr(tree), tree.span, "how many are drawn")
    b.world.idle_at_zero(number, tree.span)
    source = _pile(b, f.get("from"), "where `draw` takes from")
    to = _spot(b, f.get("to"), "where `draw` leads")
    if number is None or source is None or to is None:
        return
    _note_drawn(b, f, _places_of(b, b.elab.expr(b.elab.read(f.get("to"))).type))
    if not f.has("call") and not f.has("empty"):
        b.emit(C.Act("draw", (number.node, source, to), (), f.node.span))
        return
    _draw_one_by_one(b, f, number, source, to)


def _draw_one_by_one(b: Builder, f: Fields, number: Typed, source: C.Node, to: C.Node) -> None:
    with b.frame("block") as frame:
        left = b.local("left", Num(0, 10_000), frame)
        card = b.local("drawn", every(b.world.pieces), frame)
        b.emit(C.Put(left, None, number.node))
        head, again, exit_ = b.new("draw"), b.new("draw one"), b.new("drawn")
        b.jump(head)
        b.at(head)
        b.branch(C.Op("greater", (C.Get(left), C.Const(0))), again, exit_)
        b.at(again)
        b.emit(C.Put(left, None, C.Op("subtract", (C.Get(left), C.Const(1)))))
        lying = C.Primitive("occupied", (source,))
        if f.has("empty"):
            refill, ready = b.new("empty"), b.new("ready")
            b.branch(lying, ready, refill)
            b.at(refill)
            b.block(f.get("empty"))
            if b.current is not None:
                b.jump(ready)
            b.at(ready)
        take = b.new("take")
        b.branch(lying, take, exit_)
        b.at(take)
        b.emit(C.Put(card, None, C.Primitive("top_of", (source,))))
        b.emit(C.Move(C.Get(card), "one", to, None, None, f.node.span))
        if f.has("call"):
            _call_with(b, f, card)
        if b.current is not None:
            b.emit(C.Zero((card,)))
            b.jump(head)
        b.at(exit_)


def _call_with(b: Builder, f: Fields, card: int) -> None:
    node = f.get("call")
    if node is None:
        return
    name = f.word("call")
    declared = b.world.names.get(name)
    if declared is None or declared.sort not in ("effect", "action"):
        known = nearest(name, [d.name for d in b.world.names.values() if d.sort == "effect"])
        b.report.error(
            "N114", node.span, f"there is no effect `{name}`", help=did_you_mean(known), suggestions=tuple(known)
        )
        return
    declared.used = True
    info = b.world.procedure(name, node.span)
    if info is not None:
        if len(info.parameters) != 1:
            b.report.error(
                "T221",
                node.span,
                f"an effect that is called with a piece has one parameter, not {len(info.parameters)}",
            )
            return
        b.run(info, (C.Get(card),), node.span)


def _spot(b: Builder, node: Node | None, role: str) -> C.Node | None:
    if node is None:
        return None
    tree = b.elab.read(node, wanted="home")
    typed = b.elab.expr(tree)
    return None if isinstance(typed.type, Broken) else b.world.spot_of(typed, tree.span, role)


def _pile(b: Builder, node: Node | None, role: str) -> C.Node | None:
    """As `_spot`, of something that has a top: in a place without order nothing lies above anything else."""
    spot = _spot(b, node, role)
    if spot is None or node is None:
        return None
    for info in _places_of(b, b.elab.expr(b.elab.read(node)).type):
        if not info.ordered and not info.slots:
            b.report.error(
                "T256",
                node.span,
                f"{role} must have an order, and `{info.name}` has none",
                help=f"declare `{info.name}` with `order: pile`, or pick by `random` or `choose`",
            )
            return None
    return spot


def _places_of(b: Builder, kind: Type) -> list[PlaceInfo]:
    """The declared places that something may be."""
    if not isinstance(kind, Elem) or kind.root is not b.world.places:
        return []
    return [i for i in b.world.place_infos if kind.mask >> i.first & ((1 << i.count) - 1)]


def _note_drawn(b: Builder, f: Fields, to: list[PlaceInfo]) -> None:
    """Remembers, for advice, which place is drawn from, and where what is drawn goes."""
    node = f.get("from")
    infos = _places_of(b, b.elab.expr(b.elab.read(node)).type)
    if node is not None and len(infos) == 1:
        b.world.data.setdefault("drawn", []).append((infos[0], to, node.span))


@statement(
    "deal",
    "scalar",
    "How many each.",
    words=Words(
        en=(
            "deal {deal} each from the top of {from} to the {to} of {among:set}"
            "|deal {deal} each from the top of {from} to everybody's {to}",
        ),
        ru=(
            "раздайте сверху из {from:gen} по столько: {deal} (куда: {to}; кому: {among:set})"
            "|раздайте сверху из {from:gen} по столько: {deal} (куда: {to}, каждому)",
        ),
    ),
    from_=Key("expression", "The pile.", required=True),
    to=Key("word", "A place that every player has, or every member of something else; or a board.", required=True),
    among=Key("expression", "Who gets some, in order (default: all).", tried=("players", "each", "for", "where")),
)
def deal(b: Builder, f: Fields) -> None:
    """Gives every player pieces from the top of a pile, one at a time in order; or every space, or whatever has places.

    - deal: 2
      from: deck
      to: hand
    """
    tree = b.elab.read(f.get("deal"), wanted="number")
    number = b.elab.number(b.elab.expr(tree), tree.span, "how many are dealt")
    b.world.idle_at_zero(number, tree.span)
    source = _pile(b, f.get("from"), "where `deal` takes from")
    found = _dealt_to(b, f)
    if found is None or number is None or source is None:
        return
    owner, first = found
    who: Typed | None
    if f.has("among"):
        given = b.elab.read(f.get("among"))
        who = b.elab.fitting.as_list(b.elab.expr(given, SetOf(owner)), given.span)
        if who is not None:
            b.elab.fitting.coerce(who, ListOf(owner, who.type.most), given.span, "`among`")
    else:
        members = tuple(bits(owner.mask)) if isinstance(owner, Elem) else tuple(range(owner.low, owner.high + 1))
        who = Typed(C.Const(members), ListOf(owner, len(members)))
    if who is None:
        return
    slot = b.world.scratch()
    places = C.Fold("list", (C.Each(slot, "list", (who.node,)),), None, C.Op("add", (C.Get(slot), C.Const(first))))
    b.emit(C.Act("deal", (number.node, source, places), (), f.node.span))


def _dealt_to(b: Builder, f: Fields) -> tuple[Elem | Num, int] | None:
    """Who has such a place, and the spot that the number 0 of them would have; of a board, its spaces."""
    name, node = f.word("to"), f.get("to")
    declared = b.world.names.get(name)
    if node is None:
        return None
    if declared is not None and declared.sort == "board":
        declared.used = True
        return every(declared.data.root), declared.data.first_spot
    if declared is None or declared.sort != "place" or declared.data.per is None:
        if b.world.failed(name):
            return None
        keyed = [i.name for i in b.world.place_infos if i.key]
        bare = re.sub(r"^\w+\.|\s+for\s.*$", "", name)  # `players.hand`, `p.hand for p in players`
        known = [bare] if bare != name and bare in keyed else nearest(name, keyed)
        b.report.error(
            "T254",
            node.span,
            f"`{name}` must be a place that every player has, or every member of something else",
            help=did_you_mean(known),
            suggestions=tuple(known),
        )
        return None
    declared.used = True
    info: PlaceInfo = declared.data
    _note_drawn(b, f, [info])
    owner = info.per
    assert owner is not None
    return owner, b.world.spots.first_place + info.first - (owner.low if isinstance(owner, Num) else 0)


@statement(
    "shuffle",
    "expression",
    "A pile, or a place without order.",
    words=Words(en="shuffle {shuffle}", ru="перемешайте {shuffle:acc}"),
    also=("mix", "randomize", "scramble"),
)
def shuffle(b: Builder, f: Fields) -> None:
    """Puts the pieces of a pile in random order. After that nobody knows where they are.

    In a place without order, only knowledge changes: players who do not see the pieces no longer know which is which.

    - shuffle: deck
    """
    if _mixed_in_place(b, f):
        return
    spot = _pile(b, f.get("shuffle"), "what `shuffle` mixes")
    if spot is None:
        return
    b.world.data.setdefault("shuffled", set()).update(_places_of(b, b.elab.expr(b.elab.read(f.get("shuffle"))).type))
    if b.procedure is not None:
        b.procedure.code.asks = True
    if b.together:
        b.report.error("F406", f.node.span, "nothing random can happen in `together`")
    after = b.new("shuffled")
    chance = b.new("shuffle")
    b.jump(chance)
    b.at(chance)
    b.close(C.Chance("shuffle", after, 1, place=spot, span=f.node.span))
    b.at(after)


def _mixed_in_place(b: Builder, f: Fields) -> bool:
    """Whether places without order are mixed: no chance is needed for it."""
    node = f.get("shuffle")
    if node is None:
        return False
    tree = b.elab.read(node)
    typed = b.elab.expr(tree)
    infos = _places_of(b, typed.type.of if isinstance(typed.type, SetOf) else typed.type)
    slots = next((info for info in infos if info.slots), None)
    if slots is not None:
        help = "move them to a pile, shuffle that, and `draw` from it"
        b.report.error("T256", node.span, f"a place with slots cannot be shuffled: `{slots.name}`", help=help)
        return True
    if not infos or any(info.ordered for info in infos):
        return False
    found = b.elab.fitting.as_set(typed, tree.span)
    if found is not None:
        b.emit(C.Act("hide", (found.node,), (), f.node.span))
    return True


@statement(
    "random",
    "variables",
    "A name and what is picked from.",
    words=Words(
        en="pick at random {random}<, each with the weight {weights}>",
        ru="выберите случайно: {random}< (вес каждого: {weights})>",
    ),
    weights=Key(
        "scalar",
        "How likely each is, as a number.",
        instead="a formula tells the weight of each, as in `if a == gold then 1 else 3`",
    ),
)
def random(b: Builder, f: Fields) -> None:
    """Picks one at random: a die, a card, a player.

    - random: {face: 1..6}
    """
    frame = next(fr for fr in reversed(b.frames) if fr.kind == "block")
    if b.procedure is not None:
        b.procedure.code.asks = True
    if b.together:
        b.report.error("F406", f.node.span, "nothing random can happen in `together`")
    for entry in f.map("random") or ():
        from ruledsl.analysis.choosing import variable

        found = variable(b, entry.key, entry.value, frame)
        if found is None:
            return
        weight = None
        if f.has("weights"):
            weight = b.elab.value(f.get("weights"), Num(0, 10**6), "the weight").node
        after, chance = b.new("picked"), b.new("random")
        b.jump(chance)
        b.at(chance)
        b.close(C.Chance("random", after, 2, variable=found, weight=weight, span=f.node.span))
        b.at(after)


@statement(
    "reset",
    "words",
    "Names of values, places and kinds of pieces.",
    words=Words(en="put back to what it was at the start: {reset}", ru="верните к начальному состоянию: {reset}"),
)
def reset(b: Builder, f: Fields) -> None:
    """Sets values back to their start, and moves the pieces of a place or of a kind back to where they started.

    - reset: [deck, hand, folded]
    """
    for word in f.words("reset"):
        declared = b.world.names.get(word.value)
        if b.world.failed(word.value):
            continue
        if declared is None or declared.sort not in ("value", "place", "kind"):
            known = nearest(
                word.value, [d.name for d in b.world.names.values() if d.sort in ("value", "place", "kind")]
            )
            several = [part.strip() for part in word.value.split(",")]
            if " " in word.value and (right := Deeds(b.elab).meant(f"reset {word.value}")):
                said = f"`reset: {word.value}` is said in words, and the rules write it otherwise"
                b.report.error("N117", word.span, said, help=f"write {right}")
                continue
            b.report.error(
                "N117",
                word.span,
                f"there is no value, place or kind of piece `{word.value}`",
                help="`reset:` takes names of all of a sort, as in `reset: [deck, score]`"
                if len(several) == 1 and re.search(r"\s", word.value)
                else did_you_mean(known)
                if len(several) == 1
                else f"write a list: `[{', '.join(several)}]`",
                suggestions=tuple(known),
            )
            continue
        declared.used = True
        data = declared.data
        if declared.sort == "value":
            count = data.count * data.width
            b.emit(C.Act("copy_start", (), (data.base, count), word.span))
        elif declared.sort == "kind":
            b.emit(C.Act("home", (C.Const(data.mask),), (), word.span))
        else:
            spots = tuple(b.world.spots.first_place + data.first + i for i in range(data.count))
            b.emit(C.Act("home", (C.Primitive("on_all", (), (spots,)),), (), word.span))


@statement(
    "record",
    "word",
    "The name of a history.",
    words=Words(en="note this position in {record}", ru="запишите эту позицию: {record}"),
)
def record(b: Builder, f: Fields) -> None:
    """Remembers the position as it is now, for `repeats`.

    - record: position
    """
    node, name = f.get("record"), f.word("record")
    declared = b.world.names.get(name)
    if node is None:
        return
    if declared is None and b.world.failed(name):
        return
    if declared is None or declared.sort != "history":
        known = nearest(name, [d.name for d in b.world.names.values() if d.sort == "history"])
        b.report.error(
            "N118", node.span, f"there is no history `{name}`", help=did_you_mean(known), suggestions=tuple(known)
        )
        return
    declared.used = True
    b.world.data.setdefault("recorded histories", set()).add(name)
    b.emit(C.Act("record", (fingerprint(b.world, declared.data),), (declared.data.base, declared.data.keep), node.span))
