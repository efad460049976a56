"""Edges between spaces: which edge is where, and what it joins."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.functions import Call, builtin
from ruledsl.analysis.names import BoardInfo
from ruledsl.analysis.show import show
from ruledsl.analysis.stepping import board_of, ends_of
from ruledsl.ir import core as C
from ruledsl.types import NONE, Broken, Elem, ListOf, Root, SetOf, every, maybe
from ruledsl.wording.templates import Words

MOST_IN_PAIRS = 256  # spaces of which every two are looked up in a table


@builtin(
    "edge(a, b) → maybe edge",
    Words(
        en=("the edge of {0} {1:towards}", "the edge from {0} to {1}"),
        ru=("[ребро] {0:gen} ({1:towards})", "[ребро] от {0:gen} до {1:gen}"),
    ),
    tried=("edge_between", "side", "border_between"),
)
def edge(call: Call) -> Any:
    """The edge between two neighbouring spaces, or the edge of a space in a direction; none if there is no such edge.

    The edges of a board are declared as a board of their own, with `edges_of:`.

    `edge(a1, a2).wall`, `edge(me.pawn.square, n)`
    """
    one = call.element(0, ("space",), "the first argument of `edge`")
    if one is None:
        return call.bad
    other = call.elaborator.expr(call.plain[1], _towards(call, one.type.root))
    board = _with_edges(call, one.type.root)
    if board is None or isinstance(other.type, Broken):
        return call.bad
    assert board.edges is not None
    result = maybe(every(board.edges.root))
    if isinstance(other.type, Elem) and other.type.root is call.world.directions:
        count = call.world.directions.size
        steps = call.world.data["geometry"][board.root].steps
        number = _numbers(board)
        table = tuple(number.get((at // count, end), NONE) for at, end in enumerate(steps))
        return call.result(_look(call, table, one.node, other.node, count), result)
    if not isinstance(other.type, Elem) or other.type.root is not board.root:
        wanted = f"a {board.word} or a direction"
        return call.fail(
            "T201", call.plain[1].span, f"the second argument of `edge` must be {wanted}, not {show(other.type)}"
        )
    return call.result(_between(call, board, one.node, other.node), result)


def _towards(call: Call, root: Root) -> Any:
    """What a bare word of the second argument means: a direction, where there is one of that name."""
    world, tree = call.world, call.plain[1]
    named = getattr(tree, "name", None)
    return every(world.directions) if named in world.directions.names else every(root)


def _look(call: Call, table: tuple[int, ...], one: C.Node, other: C.Node, count: int) -> C.Node:
    return C.Look(table, call.primitive("key", (one, other), count), NONE, call.span)


def _between(call: Call, board: BoardInfo, one: C.Node, other: C.Node) -> C.Node:
    """The edge between two spaces: from a table, or what is at both of them."""
    size, number = board.root.size, _numbers(board)
    if size <= MOST_IN_PAIRS:
        table = tuple(number.get((a, b), NONE) for a in range(size) for b in range(size))
        return _look(call, table, one, other, size)
    around = _around(board)
    first, second, found = (C.Get(call.world.scratch()) for _ in range(3))
    both = C.Op("common", (C.Look(around, first, 0, call.span), C.Look(around, second, 0, call.span)))
    edge = C.Fold("first", (C.Each(found.slot, "set", (both,)),), None, None, (), NONE, call.span)
    node = C.Cond(call.op("equal", first, second), C.Const(NONE), edge)
    return C.With((first.slot, second.slot), (one, other), node, call.span)


def _numbers(board: BoardInfo) -> dict[tuple[int, int], int]:
    """The edge between every two spaces that have one."""
    assert board.edges is not None
    found: dict[tuple[int, int], int] = {}
    for number in range(board.edges.root.size):
        one, other = ends_of(board.edges, number)
        found[one, other] = found[other, one] = number
    return found


def _around(board: BoardInfo) -> tuple[int, ...]:
    """The edges of every space, as a set."""
    around = [0] * board.root.size
    for (space, _), number in _numbers(board).items():
        around[space] |= 1 << number
    return tuple(around)


def _with_edges(call: Call, root: Root) -> BoardInfo | None:
    """The board of some spaces, if its edges are declared; else it is reported."""
    board = board_of(call.world, root)
    if board is not None and board.edges is None:
        said = f"the edges of `{board.name}` are not declared"
        help = f"add a board of them: `borders: {{edges_of: {board.name}, space: border, state: {{…}}}}`"
        if board.between is not None:
            said, help = f"`{board.name}` are edges, and edges have no edges", "`neighbors(e)` are those that meet it"
        call.fail("B217", call.plain[0].span, said, help)
        return None
    return board


@builtin(
    "edges_of(S) → set",
    Words(en="the edges of {0:set}", ru="[рёбра] {0:set gen}"),
    tried=("edges", "sides_of", "edges_around", "borders_of", "borders", "walls_of", "boundaries"),
)
def edges_of(call: Call) -> Any:
    """The edges of a space; of a set of spaces, the edges of any of them.

    `count(e in edges_of(town) where e.road.owner == me)`, `any(e in edges_of(me.pawn.square) where not e.wall)`
    """
    typed = _members(call, "`edges_of`")
    if typed is None or (board := _with_edges(call, typed.type.of.root)) is None:
        return call.bad
    assert board.edges is not None
    return _all_of(call, typed, _around(board), SetOf(every(board.edges.root)))


@builtin(
    "ends(S) → set",
    Words(en="the two ends of {0:set}", ru="[клетки] на концах {0:set gen}"),
    tried=("spaces_of", "endpoints", "sides"),
)
def ends(call: Call) -> Any:
    """The two spaces that an edge joins; of a set of edges, the ends of all of them.

    `any(s in ends(e) where s.town.owner == me)`
    """
    typed = _members(call, "`ends`")
    if typed is None:
        return call.bad
    board = board_of(call.world, typed.type.of.root)
    if board is None or board.between is None:
        one = typed.type.of if isinstance(typed.type, ListOf) else typed.type
        said = f"the argument of `ends` must be an edge, not {show(one)}"
        return call.fail(
            "T201", call.plain[0].span, said, "edges are declared as a board of their own, with `edges_of:`"
        )
    joined = (ends_of(board, number) for number in range(board.root.size))
    table = tuple(1 << one | 1 << other for one, other in joined)
    return _all_of(call, typed, table, SetOf(every(board.between.root)))


def _members(call: Call, what: str) -> Any:
    """The argument: one space or edge, or a set of them."""
    typed = call.elaborator.expr(call.plain[0])
    if isinstance(typed.type, SetOf | ListOf):
        members = call.elaborator.fitting.as_set(typed, call.plain[0].span)
        if members is None:
            return None
        if isinstance(members.type.of, Elem) and members.type.of.root.kind == "space":
            return members
        said = f"the argument of {what} must be spaces, not {show(typed.type)}"
        call.fail("T201", call.plain[0].span, said, call.to_spaces(0))
        return None
    typed = call.element_of(typed, 0, ("space",), f"the argument of {what}")
    return None if typed is None else call.result(typed.node, ListOf(typed.type, 1))


def _all_of(call: Call, typed: Any, table: tuple[int, ...], kind: SetOf) -> Any:
    """What a table of sets has for a member, or for all members of a set together."""
    if isinstance(typed.type, ListOf):
        return call.result(C.Look(table, typed.node, 0, call.span), kind)
    one = call.world.scratch()
    part = C.Look(table, C.Get(one), 0, call.span)
    return call.result(C.Fold("union", (C.Each(one, "set", (typed.node,)),), None, part, (), NONE, call.span), kind)
