"""Boards as graphs: neighbours, lines, regions."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.functions import Call, builtin
from ruledsl.analysis.show import show
from ruledsl.analysis.stepping import steps_of
from ruledsl.ir import core as C
from ruledsl.syntax import expr as E
from ruledsl.types import (
    BOOL,
    FAR,
    NONE,
    Broken,
    Elem,
    ListOf,
    Num,
    Root,
    SetOf,
    bits,
    every,
    maybe,
)
from ruledsl.wording.templates import Words

SPACES = ("space",)


def geometry(call: Call, kind: Elem) -> Any:
    return call.world.data["geometry"][kind.root]


def _of_spaces(kind: SetOf) -> bool:
    return isinstance(kind.of, Elem) and kind.of.root.kind in ("space", "part")


def directions_of(call: Call, position: int, name: str) -> Any:
    """A set of directions, or None where all are meant."""
    tree = call.tree_of(position, name)
    if tree is None:
        return None
    typed = call.elaborator.expr(tree, SetOf(every(call.world.directions)))
    return call.elaborator.fitting.as_set(typed, tree.span, single=True)


def direction(call: Call, position: int) -> C.Node | None:
    return call.node(position, Elem(call.world.directions, call.world.directions.everything, True), "the direction")


@builtin(
    "neighbors(space, directions=all) → set",
    Words(
        en=(
            "the neighbours of {0:set} ({1})",
            "the neighbours of {0:set}",
        ),
        ru=(
            "[соседи] {0:set gen} ({1})",
            "[соседи] {0:set gen}",
        ),
    ),
)
def neighbors(call: Call) -> Any:
    """The spaces one step away: in all directions, or in some. The parts of tiles that meet a part at an edge.

    Of a set of spaces: those next to any of them, the set itself left out. It looks only around the set, so it is
    quick on a large board where little is used.

    `neighbors(cell)`, `neighbors(lot, orthogonal)`, `neighbors(set(t.cell for t in tile))`,
    `no(c in neighbors(group) where empty(c))`
    """
    typed = call.elaborator.expr(call.plain[0])
    many = (
        isinstance(typed.type, SetOf | ListOf)
        and isinstance(typed.type.of, Elem)
        and typed.type.of.root.kind in ("space", "part")
    )
    if not many:
        typed = call.element_of(typed, 0, ("space", "part"), "the first argument of `neighbors`")
        return call.bad if typed is None else _next_to(call, typed)
    members = call.elaborator.fitting.as_set(typed, call.plain[0].span)
    assert members is not None, "it is a set or a list of spaces"
    whole, one = call.world.scratch(), call.world.scratch()
    around = _next_to(call, call.result(C.Get(one), members.type.of))
    if isinstance(around.type, Broken):
        return call.bad
    union = C.Fold("union", (C.Each(one, "set", (C.Get(whole),)),), None, around.node, (), NONE, call.span)
    return call.result(C.With((whole,), (members.node,), C.Op("minus", (union, C.Get(whole))), call.span), around.type)


def _next_to(call: Call, typed: Any) -> Any:
    """What is one step away from one space or part."""
    kind = typed.type
    if kind.root.kind == "part":
        part = next(p for p in call.world.parts if p.root is kind.root)
        return call.result(call.primitive("part_neighbors", (typed.node,), part.tiles), SetOf(every(kind.root)))
    board = geometry(call, kind)
    wanted = directions_of(call, 1, "directions")
    result = SetOf(every(kind.root))
    if call.tree_of(1, "directions") is None:
        return call.result(C.Look(board.near, typed.node, 0, call.span), result)
    if wanted is None:
        return call.bad
    if isinstance(wanted.node, C.Const):
        table = tuple(_around(board, space, wanted.node.value) for space in range(kind.root.size))
        return call.result(C.Look(table, typed.node, 0, call.span), result)
    return call.result(call.primitive("mask_of", (typed.node, wanted.node), board.steps, board.count), result)


def _around(board: Any, space: int, mask: int) -> int:
    found = 0
    for d in bits(mask):
        x = board.steps[space * board.count + d]
        if x >= 0:
            found |= 1 << x
    return found


@builtin(
    "frontier(board) → set",
    Words(
        en="the free spaces of the {0:noun} where a tile may come next",
        ru="[клетки] {0:noun gen}, куда можно положить следующий тайл",
    ),
)
def frontier(call: Call) -> Any:
    """The spaces of a growing board where a tile may come next: empty, and touching enough tiles (`touching:`).

    It is kept up to date as tiles come and go, so asking for it costs nothing. Of some spaces, those in the frontier.

    `frontier(land)`, `any(at in frontier(land), turn in 0..5 where fits(tile, at, turn))`
    """
    typed = call.set(0)
    if typed is None:
        return call.bad
    inner = typed.type.of
    if not isinstance(inner, Elem) or inner.root.kind != "space":
        return call.fail(
            "T201", call.plain[0].span, f"the argument of `frontier` must be a board, not {show(typed.type)}"
        )
    info = next(b for b in call.world.boards if b.root is inner.root)
    if not info.board.touching and info.name in call.world.data.get("lost frontiers", ()):
        return call.bad
    if not info.board.touching:
        return call.fail(
            "B210",
            call.plain[0].span,
            f"`{info.name}` does not grow, so it has no frontier",
            "a board that tiles make is declared with `growing: true`",
        )
    whole = C.Get(call.world.frontier(info), call.span)
    everything = isinstance(typed.node, C.Const) and typed.node.value == info.root.everything
    return call.result(whole if everything else C.Op("common", (whole, typed.node), call.span), SetOf(every(info.root)))


@builtin(
    "step(space, direction, n=1) → maybe space",
    Words(
        en=(
            "the space {n} steps from {space} {direction:way}",
            "the next space from {space} {direction:way}",
        ),
        ru=(
            "[клетка] в {n} шагах от {space:gen} ({direction:way})",
            "[клетка] рядом с {space:ins} ({direction:way})",
        ),
    ),
)
def step(call: Call) -> Any:
    """The space one step, or n steps, in a direction; none beyond the border.

    `step(p.square, ne)`, `step(p.square, d, 2)`
    """
    typed = call.element(0, SPACES, "the first argument of `step`")
    way = direction(call, 1)
    if typed is None or way is None:
        return call.bad
    board = geometry(call, typed.type)
    args: tuple[C.Node, ...] = (typed.node, way)
    if call.tree_of(2, "n") is not None:
        times = call.number(2, "the number of steps", "n")
        if times is None:
            return call.bad
        if times.type.low < 0:
            return call.fail(
                "R304",
                call.plain[2].span if len(call.plain) > 2 else call.span,
                "the number of steps cannot be negative",
                "`opposite(direction)` goes the other way",
            )
        args = (*args, times.node)
    return call.result(call.primitive("step", args, board.steps, board.count), maybe(every(typed.type.root)))


@builtin(
    "opposite(direction) → direction", Words(en="the direction opposite to {0}", ru="[направление], обратное к: {0}")
)
def opposite(call: Call) -> Any:
    """The direction that leads back.

    `step(to, opposite(up))`
    """
    way = direction(call, 0)
    if way is None:
        return call.bad
    table = call.world.data["opposite"]
    mask = sum(1 << d for d in table if d >= 0)
    node = (
        C.Const(table[way.value])
        if isinstance(way, C.Const) and 0 <= way.value < len(table)  # without a board there is not even the first
        else C.Look(table, way, NONE, call.span)
    )
    return call.result(node, Elem(call.world.directions, mask))


@builtin("next(x) → maybe", Words(en="the {noun:noun} after {0}", ru="{noun:noun *} после {0:gen}"))
def next_(call: Call) -> Any:
    """The one after: of players the next in the circle; of spaces, numbers and words the next in order, or none.

    `next(me)`
    """
    return _beside(call, 1)


@builtin("previous(x) → maybe", Words(en="the {noun:noun} before {0}", ru="{noun:noun *} перед {0:ins}"))
def previous(call: Call) -> Any:
    """The one before: of players the previous in the circle; of spaces and words the previous in order, or none.

    `previous(me)`
    """
    return _beside(call, -1)


def _beside(call: Call, by: int) -> Any:
    typed = call.element(0, ("player", "space", "enum", "direction"), "this")
    if typed is None:
        return call.bad
    root = typed.type.root
    if root.kind == "player":
        node = call.op("rotate", typed.node, C.Const(by), C.Const(root.size))
        return call.result(node, Elem(root, root.everything, typed.type.maybe))
    members = list(bits(typed.type.mask)) if root.kind == "enum" else list(range(root.size))
    table = [NONE] * root.size
    for i, member in enumerate(members):
        if 0 <= i + by < len(members):
            table[member] = members[i + by]
    info = next((b for b in call.world.boards if b.root is root), None)
    if info is not None and info.board.shape == "ring":
        circle = [d for d in info.board.directions if d in ("cw", "ccw")]
        table = list(info.board.steps[circle[0] if by > 0 else circle[1]])
    return call.result(C.Look(tuple(table), typed.node, NONE, call.span), maybe(Elem(root, typed.type.mask)))


@builtin(
    "ray*(space, direction, x in S=all) → list",
    Words(
        en=(
            "the spaces from {0} {1:way}, as far as all of them are {things}",
            "the spaces from {0} {1:way} up to the border",
        ),
        ru=("[клетки] от {0:gen} ({1:way}), пока это {things}", "[клетки] от {0:gen} до края ({1:way})"),
    ),
)
def ray(call: Call) -> Any:
    """All spaces from a space in a direction, up to the border; the space itself is not among them.

    With `x in S where c` it stops before the first space that is not so.

    `last(ray(king_square, e))`, `ray(queen.square, d, s in board where empty(s))`
    """
    if len(call.plain) != 2 or len(call.sources) > 1 or call.value_form:
        return call.fail(
            "T224", call.span, "`ray` needs a space and a direction", "write `ray(space, direction, x in … where …)`"
        )
    typed = call.element(0, SPACES, "the first argument of `ray`")
    way = direction(call, 1)
    if typed is None or way is None:
        return call.bad
    board, root = geometry(call, typed.type), typed.type.root
    whole = call.primitive("ray", (typed.node, way), board.steps, board.count)
    if not call.over():
        return call.result(whole, ListOf(every(root), root.size))
    space = call.world.scratch()
    fits = _on_the_way(call, root, space)
    if fits is None:
        return call.bad
    along, end = C.Get(call.world.scratch()), C.Get(call.world.scratch())
    ends = C.Fold("first", (C.Each(space, "list", (along,)),), call.op("not", fits), None, (), NONE, call.span)
    before = call.op("take", along, call.op("subtract", call.op("position", along, end), C.Const(1)))
    node = C.With((end.slot,), (ends,), C.Cond(call.op("is_there", end), before, along))
    return call.result(C.With((along.slot,), (whole,), node, call.span), ListOf(every(root), root.size))


def _on_the_way(call: Call, root: Root, slot: int) -> C.Node | None:
    """Whether a space, in a slot, is one of `x in S where c`."""
    elaborator, given, source = call.elaborator, call.tree.arguments, call.sources[0]
    found = elaborator.fitting.as_set(elaborator.expr(source.domain), source.domain.span)
    if found is None:
        return None
    if not isinstance(found.type.of, Elem) or found.type.of.root is not root:
        _other_board(call, found.type)
        return None
    space, parts = C.Get(slot, source.name.span), []
    if not isinstance(found.node, C.Const) or found.node.value != root.everything:
        parts.append(call.op("holds", space, found.node))
    with elaborator.scope():
        elaborator.bind(source.name, call.result(space, found.type.of), quiet=True)
        if given.where is not None:
            tree = given.where
            parts.append(elaborator.condition(elaborator.expr(tree), tree.span, "the condition of `where`"))
    return C.Both(tuple(parts), call.span) if parts else C.Const(1)


@builtin(
    "slide(space, direction, n=all) → list",
    Words(
        en="the spaces from {0} {1:way} up to and with the first that is taken<, at most {n}>",
        ru="[клетки] от {0:gen} до первой занятой включительно ({1:way}<, не больше {n:gen}>)",
    ),
)
def slide(call: Call) -> Any:
    """The spaces in a direction up to and with the first occupied one, at most n; on a ring once round at the most.

    `slide(rook.square, n)`
    """
    typed = call.element(0, SPACES, "the first argument of `slide`")
    way = direction(call, 1)
    if typed is None or way is None:
        return call.bad
    most: C.Node = C.Const(FAR)
    if call.tree_of(2, "n") is not None:
        number = call.number(2, "how far", "n")
        if number is None:
            return call.bad
        most = number.node
    board, root = geometry(call, typed.type), typed.type.root
    node = call.primitive("slide", (typed.node, way, most), board.steps, board.count, call.world.first_spot(root))
    return call.result(node, ListOf(every(root), root.size))


@builtin("between(a, b) → list", Words(en="the spaces between {0} and {1}", ru="[клетки] между {0:ins} и {1:ins}"))
def between(call: Call) -> Any:
    """The spaces between two spaces of one line, both left out; empty if they are on no common line.

    `no(t in between(king, rook) where t.man)`
    """
    one = call.element(0, SPACES, "the first argument of `between`")
    other = call.element(1, SPACES, "the second argument of `between`")
    if one is None or other is None:
        return call.bad
    if one.type.root is not other.type.root:
        return call.fail("T213", call.span, f"{show(one.type)} and {show(other.type)} lie on different boards")
    board, root = geometry(call, one.type), one.type.root
    return call.result(
        call.primitive("between", (one.node, other.node), board.steps, board.count), ListOf(every(root), root.size)
    )


@builtin(
    "leaps(space, a, b) → set",
    Words(en="the spaces a leap of {1} and {2} away from {0}", ru="[клетки] на расстоянии прыжка {1} и {2} от {0:gen}"),
)
def leaps(call: Call) -> Any:
    """The spaces a leap away: a squares along one axis and b along the other, all eight ways.

    `leaps(knight.square, 1, 2)`
    """
    typed = call.element(0, SPACES, "the first argument of `leaps`")
    a, b = call.number(1, "a leap"), call.number(2, "a leap")
    if typed is None or a is None or b is None:
        return call.bad
    if not isinstance(a.node, C.Const) or not isinstance(b.node, C.Const):
        return call.fail(
            "R307", call.span, "a leap must be fixed before play begins", "write numbers, as in `leaps(s, 1, 2)`"
        )
    info = next(i for i in call.world.boards if i.root is typed.type.root)
    if info.board.coordinate_names != ("x", "y"):
        return call.fail("T230", call.span, "leaps are measured on a grid")
    ways = {
        (i * x, j * y)
        for x, y in ((a.node.value, b.node.value), (b.node.value, a.node.value))
        for i in (1, -1)
        for j in (1, -1)
    }
    table = []
    for copy in range(info.copies):
        for x, y in zip(*info.board.coordinates.values(), strict=True):
            spots = [info.board.at[x + i, y + j] for i, j in ways if (x + i, y + j) in info.board.at]
            table.append(sum(1 << (copy * info.spaces + s) for s in spots))
    return call.result(C.Look(tuple(table), typed.node, 0, call.span), SetOf(every(info.root)))


@builtin(
    "line*(space, n, of=player) → condition",
    Words(
        en=(
            "{0:is} in a straight row of at least {1} {things}",
            "{0:is} in a straight row of at least {1} spaces with {of:own pieces}",
            "{0:is} in a straight row of at least {1} spaces with pieces of one player",
        ),
        ru=(
            "{0} входит в прямой ряд, где не меньше {1:gen} таких: {things}",
            "{0} входит в прямой ряд, где не меньше {1:gen} клеток занимают {of:own фишка many}",
            "{0} входит в прямой ряд, где не меньше {1:gen} клеток занимают фишки одного игрока",
        ),
        en_not=(
            "{0:is} not in a straight row of at least {1} {things}",
            "{0:is} not in a straight row of at least {1} spaces with {of:own pieces}",
            "{0:is} not in a straight row of at least {1} spaces with pieces of one player",
        ),
        ru_not=(
            "{0} не входит в прямой ряд, где не меньше {1:gen} таких: {things}",
            "{0} не входит в прямой ряд, где не меньше {1:gen} клеток занимают {of:own фишка many}",
            "{0} не входит в прямой ряд, где не меньше {1:gen} клеток занимают фишки одного игрока",
        ),
    ),
)
def line(call: Call) -> Any:
    """Whether a space lies in a straight row of at least n spaces with pieces of a player, or that fulfil a condition.

    `line(cell, 3, of=me)`, `line(cell, 4, c in board where c.disc.color == red)`
    """
    if len(call.plain) < 2:
        return call.fail("T221", call.span, "`line` needs a space and a length", f"it is `{call.builtin.signature}`")
    if isinstance(call.typed(0).type, Num):
        how = "first the space that must be part of the row, then how long it is, then whose it is"
        return call.fail("T201", call.plain[0].span, "`line` begins with a space", f"{how}: `line(s, 4, of=me)`")
    typed = call.element(0, SPACES, "the first argument of `line`")
    length = call.number(1, "the length")
    if typed is None or length is None:
        return call.bad
    root = typed.type.root
    if call.over():
        members = call.fold(
            "set", lambda inner, value: SetOf(inner) if inner == every(root) else _other_board(call, inner)
        )
    else:
        player = call.node(2, every(call.world.players), "`of`", "of")
        if player is None:
            return call.fail(
                "T221", call.span, "`line` needs to know whose pieces count", "add `of=me`, or `c in board where …`"
            )
        info = call.world.data.get("owners", [])
        owned = tuple(tuple(p for p, owner in enumerate(info) if owner == n) for n in range(call.world.players.size))
        members = call.result(
            call.primitive("owned_spaces", (player,), call.world.first_spot(root), root.size, owned), SetOf(every(root))
        )
    if isinstance(members.type, Broken):
        return call.bad
    board = geometry(call, typed.type)
    return call.result(
        call.primitive("line", (typed.node, length.node, members.node), board.axes, board.steps, board.count), BOOL
    )


def _other_board(call: Call, inner: Any) -> None:
    call.fail("T213", call.span, f"a row consists of spaces of one board, not of {show(inner)}")


@builtin(
    "distance*(a, b, step=all, x in S=all) → maybe number",
    Words(
        en=(
            "the number of steps from {0} to {1} through {things}< by steps for which {step:cond}>",
            "the number of steps from {0} to {1}< by steps for which {step:cond}>",
        ),
        ru=(
            "[число] шагов от {0:gen} до {1:gen} через {things:acc}< такими шагами, что {step:cond}>",
            "[число] шагов от {0:gen} до {1:gen}< такими шагами, что {step:cond}>",
        ),
    ),
    tried=("path_length", "steps_between", "shortest_path"),
)
def distance(call: Call) -> Any:
    """The number of steps from one space to another on the board; none if there is no way.

    With `x in S where c` the way leads through such spaces, and ends at one. With `step=` a condition holds for each
    of its steps: see *Steps under a condition*.

    `distance(enemy.segment, gate) == 1`, `distance(me.pawn.square, goal, step=not edge.wall)`
    """
    if len(call.plain) != 2 or len(call.sources) > 1 or call.value_form:
        help = "write `distance(a, b, x in … where …)`, or `distance(a, b, step=…)`"
        return call.fail("T224", call.span, "`distance` needs two spaces", help)
    one = call.element(0, SPACES, "the first argument of `distance`")
    other = call.element(1, SPACES, "the second argument of `distance`")
    if one is None or other is None:
        return call.bad
    if one.type.root is not other.type.root:
        return call.fail("T213", call.span, f"{show(one.type)} and {show(other.type)} lie on different boards")
    board, root = geometry(call, one.type), one.type.root
    result = Num(0, root.size, True)
    if not call.over() and "step" not in call.named:
        return call.result(call.primitive("distance", (one.node, other.node), board.near), result)
    allowed, links = _region(call, root), _all_links(board.near)
    ways: C.Node = _EVERY_WAY
    if "step" in call.named:
        steps = steps_of(call, root)
        if steps is None:
            return call.bad
        links, ways = steps.links, steps.open
    if isinstance(allowed.type, Broken):
        return call.bad
    return call.result(call.primitive("distance_by", (one.node, other.node, allowed.node, ways), links), result)


_EVERY_WAY = C.Const(1)  # of ways that have all the same number


def _all_links(near: tuple[int, ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The steps of a board, none of them told from the others."""
    return tuple(tuple((end, 0) for end in bits(ends)) for ends in near)


def _nearness(call: Call, kind: Elem) -> Any:
    if kind.root.kind == "part":
        return next(p for p in call.world.parts if p.root is kind.root).tiles
    return geometry(call, kind).near


def _region(call: Call, root: Root) -> Any:
    """The allowed members of a `x in S where …`; all of them where nothing is said."""
    if not call.over():
        return call.result(C.Const(root.everything), SetOf(every(root)))
    return call.fold(
        "set",
        lambda inner, value: (
            SetOf(inner) if isinstance(inner, Elem) and inner.root is root else _other_board(call, inner)
        ),
    )


@builtin(
    "reachable*(start, within=all, once=none, step=all, x in S=all) → set",
    Words(
        en=(
            "the {noun:nouns} that can be reached from {0:set}< in at most {within:literal} steps>"
            "< in at most as many steps as {within:formula} says>< through {things}>"
            "< by steps for which {step:cond}><, coming to each {once:noun} once at most>"
        ),
        ru=(
            "{noun:nouns *}, до которых можно дойти от {0:set gen}< не больше чем за столько шагов: {within}>< "
            "через {things:acc}>< такими шагами, что {step:cond}>"
            "<, не больше одного раза для одного и того же: {once:noun}>"
        ),
    ),
)
def reachable(call: Call) -> Any:
    """The start, and all that can be reached from it step by step through members of a set; within so many steps.

    With `once=` and an attribute, a way may not visit two members with the same value: `once=tile` is for ways that
    use up a whole tile. It works for ways of any length.

    With `step=` a condition holds for each step: see *Steps under a condition*.

    `reachable(home, c in board where empty(c))`, `reachable(held, within=3, a in area where a.terrain == ocean)`,
    `reachable(held, once=tile, a in area where empty(a))`, `reachable(home, step=to.height <= from.height + 1)`
    """
    if (not call.over() and "step" not in call.named) or not call.plain:
        return call.fail(
            "T224",
            call.span,
            "`reachable` needs a start and the allowed spaces",
            "write `reachable(start, x in … where …)`, or `reachable(start, step=…)`",
        )
    start = call.set(0)
    if start is None:
        return call.bad
    inner = start.type.of
    if not isinstance(inner, Elem) or inner.root.kind not in ("space", "part"):
        said = f"the start of `reachable` must be spaces, not {show(start.type)}"
        return call.fail("T201", call.plain[0].span, said, call.to_spaces(0))
    within: C.Node = C.Const(-1)
    if "within" in call.named:
        number = call.number(9, "`within`", "within")
        if number is None:
            return call.bad
        within = number.node
    allowed = _region(call, inner.root)
    if isinstance(allowed.type, Broken):
        return call.bad
    if "step" in call.named:
        steps = steps_of(call, inner.root)
        if steps is None:
            return call.bad
        if "once" in call.named:
            return call.fail(
                "T257", call.named["once"].span, "`once=` does not go with `step=`", "leave one of them out"
            )
        node = call.primitive("reachable_by", (start.node, allowed.node, within, steps.open), steps.links)
    elif "once" in call.named:
        keys = _keys(call, call.named["once"], inner)
        if keys is None:
            return call.bad
        node = call.primitive("reachable_once", (start.node, allowed.node), _nearness(call, inner), keys)
    else:
        node = call.primitive("reachable", (start.node, allowed.node, within), _nearness(call, inner))
    return call.result(node, SetOf(every(inner.root)))


def _keys(call: Call, tree: Any, inner: Elem) -> tuple[int, ...] | None:
    """What a fixed attribute is of every member: the number of the member that stands there, -1 for none."""
    attributes = inner.root.attributes.get(tree.name, []) if isinstance(tree, E.Name) else []
    table: list[int] = [NONE] * inner.root.size
    for attribute in attributes:
        for member in bits(attribute.mask):
            node = attribute.build(C.Const(member), None)
            if not isinstance(attribute.type, Elem | Num) or not isinstance(node, C.Const):
                attributes = []
                break
            table[member] = node.value
    if not attributes:
        call.fail(
            "T257",
            tree.span,
            "`once=` takes the name of an attribute that never changes",
            "as in `once=tile`, for the tile that a part belongs to",
        )
        return None
    if "within" in call.named:
        call.fail("T257", tree.span, "`once=` does not go with `within=`", "leave one of them out")
        return None
    return tuple(table)


@builtin(
    "joined*(A, B, step=all, x in S=all) → condition",
    Words(
        en="{0:set} and {1:set} are connected< by {things}>< by steps for which {step:cond}>",
        ru="{0:set} и {1:set} соединены< через {things:acc}>< такими шагами, что {step:cond}>",
        en_not="{0:set} and {1:set} are not connected< by {things}>< by steps for which {step:cond}>",
        ru_not="{0:set} и {1:set} не соединены< через {things:acc}>< такими шагами, что {step:cond}>",
    ),
)
def joined(call: Call) -> Any:
    """Whether members of a set connect one set of spaces with another; both ends must be members.

    With `step=` a condition holds for each step of the way: see *Steps under a condition*.

    `joined(left, right, c in board where c.stone.owner == me)`, `joined(me.pawn.square, goal, step=not edge.wall)`
    """
    if (not call.over() and "step" not in call.named) or len(call.plain) != 2:
        return call.fail(
            "T224",
            call.span,
            "`joined` needs two sets and what connects them",
            "write `joined(A, B, x in … where …)`, or `joined(A, B, step=…)`",
        )
    one, other = call.set(0), call.set(1)
    if one is None or other is None:
        return call.bad
    if (
        not isinstance(one.type.of, Elem)
        or not isinstance(other.type.of, Elem)
        or one.type.of.root is not other.type.of.root
    ):
        ends = (n for n, end in enumerate((one, other)) if not _of_spaces(end.type))
        help = next(filter(None, map(call.to_spaces, ends)), "")
        help = help or "write sets of spaces, as in `set(s in board where s.y == 1)`"
        return call.fail("T213", call.span, f"{show(one.type)} and {show(other.type)} cannot be joined", help)
    root = one.type.of.root
    allowed = _region(call, root)
    if "step" in call.named:
        steps = steps_of(call, root)
        if steps is None or isinstance(allowed.type, Broken):
            return call.bad
        node = call.primitive("joined_by", (one.node, other.node, allowed.node, steps.open), steps.links)
        return call.result(node, BOOL)
    if isinstance(allowed.type, Broken):
        return call.bad
    return call.result(
        call.primitive("joined", (one.node, other.node, allowed.node), _nearness(call, one.type.of)), BOOL
    )


@builtin(
    "groups*(x in S) → number",
    Words(en="the number of connected groups of {things}", ru="[число] связных групп, которые образуют {things}"),
)
def groups(call: Call) -> Any:
    """How many connected groups a set of spaces falls into.

    `groups(c in board where c.stone.owner == me)`
    """
    if call.over():
        members = call.fold("set", lambda inner, value: SetOf(inner) if isinstance(inner, Elem) else None)
    else:
        members = call.set(0) or call.bad
    if isinstance(members.type, Broken):
        return call.bad
    inner = members.type.of
    if not isinstance(inner, Elem) or inner.root.kind not in ("space", "part"):
        return call.fail("T201", call.span, f"groups are of spaces, not of {show(members.type)}")
    return call.result(
        call.primitive("groups", (members.node,), _nearness(call, inner)), Num(0, inner.mask.bit_count())
    )
