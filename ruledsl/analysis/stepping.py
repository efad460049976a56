"""Steps from space to space under a condition: what `step=` of a function may speak of, and for which steps it holds.

A step is known by a number, so that those that may be taken are a set. Where the edges of the board are spaces of a
board themselves (`edges_of:`) and the condition speaks of nothing else, that is the number of the edge.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import NONE, Elem, Root, bits, every

from .names import BoardInfo

if TYPE_CHECKING:
    from ruledsl.analysis.world import World

    from .functions import Call

FROM, TO, EDGE = "from", "to", "edge"
Links = tuple[tuple[tuple[int, int], ...], ...]  # of each space: where its steps end, and the number of each


@dataclass(frozen=True)
class Steps:
    """The steps of a board, and a set of the numbers of those that may be taken."""

    links: Links
    open: C.Node


def board_of(world: World, root: Root) -> BoardInfo | None:
    """The board that a root has the spaces of."""
    return next((board for board in world.boards if board.root is root), None)


def names_of_a_step(world: World, root: Root) -> dict[str, Elem]:
    """What a condition on a step may speak of: where it begins, where it ends, and the edge if the board has such."""
    board = board_of(world, root)
    found = {FROM: every(root), TO: every(root)}
    if board is not None and board.edges is not None:
        found[EDGE] = every(board.edges.root)
    return found


def all_steps(world: World, root: Root) -> list[tuple[int, int]]:
    """Every step of a board: where it begins, and where it ends."""
    near: tuple[int, ...] = world.data["geometry"][root].near
    return [(start, end) for start, ends in enumerate(near) for end in bits(ends)]


def edge_links(world: World, board: BoardInfo) -> Links:
    """The steps of a board, each with the number of its edge."""
    assert board.edges is not None
    links: list[list[tuple[int, int]]] = [[] for _ in range(board.root.size)]
    for edge in range(board.edges.root.size):
        one, other = ends_of(board.edges, edge)
        links[one].append((other, edge))
        links[other].append((one, edge))
    near = world.data["geometry"][board.root].near
    return tuple(tuple(sorted(link for link in found if near[i] >> link[0] & 1)) for i, found in enumerate(links))


def ends_of(edges: BoardInfo, edge: int) -> tuple[int, int]:
    """The two spaces that an edge is between."""
    assert edges.between is not None
    copy, own = divmod(edge, edges.spaces)
    shift = copy * edges.between.spaces
    one, other = edges.board.joins[own]
    return one + shift, other + shift


def steps_of(call: Call, root: Root) -> Steps | None:
    """What `step=` says of the steps of a board; nothing if it is wrong, which was reported."""
    tree = call.named["step"]
    world, elaborator = call.world, call.elaborator
    board = board_of(world, root)
    if board is None:
        call.fail("T260", tree.span, "`step=` is about the steps of a board", "parts of tiles have no steps")
        return None
    spoken = E.names_in(tree)
    if EDGE in spoken and board.edges is None and elaborator.local(EDGE) is None and EDGE not in world.names:
        help = f"add a board of them: `borders: {{edges_of: {board.name}, space: border, state: {{…}}}}`"
        call.fail("B217", tree.span, f"the edges of `{board.name}` are not declared", help)
        return None
    if (misread := _by_its_type(tree, board)) is not None:
        right = tree.span.text.replace(f"{misread.name}.", f"{EDGE}.")
        said = f"`{misread.name}` are all edges; the edge of the step is called `{EDGE}` here"
        elaborator.fail("T260", misread.span, said, f"write `step={right}`")
        return None
    by_edge = board.edges is not None and EDGE in spoken and not spoken & {FROM, TO}
    number = world.scratch()
    with elaborator.scope():
        if by_edge:
            assert board.edges is not None
            links, count = edge_links(world, board), board.edges.root.size
            elaborator.bind(EDGE, call.result(C.Get(number, tree.span), every(board.edges.root)), quiet=True)
        else:
            links, count = _bind_ends(call, board, number)
        condition = elaborator.condition(elaborator.expr(tree), tree.span, "`step=`")
    everything = C.Const((1 << count) - 1)
    return Steps(links, C.Fold("set", (C.Each(number, "set", (everything,)),), condition, None, (), NONE, tree.span))


def _by_its_type(tree: Any, board: BoardInfo) -> E.Name | None:
    """Where a condition asks the word for edges, as if it were the edge of the step."""
    if board.edges is None or board.edges.word == EDGE:
        return None
    work = [tree]
    while work:
        node = work.pop()
        match node:
            case E.Attribute(of=E.Name(name=word) as name) if word == board.edges.word:
                return name
            case tuple():
                work += node
            case _ if is_dataclass(node) and not isinstance(node, Span):
                work += [getattr(node, one.name) for one in fields(node)]
    return None


def _bind_ends(call: Call, board: BoardInfo, number: int) -> tuple[Links, int]:
    """Binds `from`, `to` and `edge` to what they are of the step with a number."""
    world, root = call.world, board.root
    steps = all_steps(world, root)
    links: list[list[tuple[int, int]]] = [[] for _ in range(root.size)]
    for at, (start, end) in enumerate(steps):
        links[start].append((end, at))
    tables = {FROM: [start for start, _ in steps], TO: [end for _, end in steps]}
    if board.edges is not None:
        edges = edge_links(world, board)
        tables[EDGE] = [dict(edges[start]).get(end, NONE) for start, end in steps]
    for name, kind in names_of_a_step(world, root).items():
        node = C.Look(tuple(tables[name]), C.Get(number), NONE, call.span)
        call.elaborator.bind(name, call.result(node, kind), quiet=True)
    return tuple(map(tuple, links)), len(steps)
