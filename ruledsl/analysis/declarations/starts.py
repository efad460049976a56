"""`start:` of pieces and places: where every piece is when play begins."""

from __future__ import annotations

import re
from typing import Any

from ruledsl.analysis.show import show
from ruledsl.analysis.world import World
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.engine.pieces import Pieces
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import unknown_key
from ruledsl.types import NONE, Elem, ListOf, Num, Root, SetOf, bits, every
from ruledsl.types import Broken as BrokenType

from .fixed import fixed, mask_where


def start_for(world: World, node: Node | None, owner: int) -> Any:
    """The start of the pieces of one owner: nothing, or a node."""
    if isinstance(node, Map):
        for entry in node:
            if entry.key.value not in (*world.players.names, *_seats(world)):
                unknown_key(entry.key, tuple(world.players.names), "`start:` by player", world.report)
        own = node.get(world.players.names[owner]) if owner >= 0 else None
        return own if own is not None or owner < 0 else node.get(f"player_{owner + 1}")
    return node


def _seats(world: World) -> list[str]:
    """Players without names, as many as there are at most: not all of them are in every play."""
    written = world.source.main.get("players")
    most = written.value.rpartition("..")[2].strip() if isinstance(written, Scalar) else ""
    return [f"player_{number}" for number in range(1, int(most) + 1)] if re.fullmatch(r"\d{1,2}", most) else []


def start_spots(world: World, node: Node, owner: int) -> list[tuple[Root, int]]:
    """The spaces or places that a `start:` names, in order."""
    tree = world.elaborator.read(node)
    known = world.data.setdefault("starts", {})
    if "this" in E.names_in(tree):
        if node in known:
            spots: list[tuple[Root, int]] = known[node]
            return spots
        boards = [b for b in world.boards if not b.per_player] or world.boards
        if not boards:
            _no_board(world, tree)
            return []
        if len(boards) > 1:
            world.report.error("B207", tree.span, "with several boards, name the spaces to start on")
            return []
        root, before = boards[0].root, world.report.errors
        spots = [(root, s) for s in bits(mask_where(world, every(root), node))]
        if world.report.errors == before:
            known[node] = spots
        return spots
    key = (node, owner)
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
            if info.per is not None and not (owner >= 0 and _of_players(world, info)):
                _whose(world, item, info)
                continue
            found.append((world.places, info.first + max(0, owner if info.count > 1 else 0)))
            continue
        if isinstance(item, E.Name) and item.name in world.data.get("place_names", ()):
            found.append((world.places, -1))
            continue
        if isinstance(item, E.Name) and (near := _place_meant(world, item.name)):
            message = f"nothing is called `{item.name}`"
            world.report.error("N101", item.span, message, help=did_you_mean(near), suggestions=tuple(near))
            continue
        if not world.boards and _means_a_space(world, item):
            if isinstance(item, E.Name) and not re.fullmatch(r"[a-z]\d+", item.name) and (there := _listed(world)):
                message = f"there is no place `{item.name}`"
                world.report.error("N101", item.span, message, help=f"the places are {there}")
                continue
            _no_board(world, item)
            continue
        world.elaborator.no_me += 1
        named = [b.root for b in world.boards if isinstance(item, E.Name) and item.name in b.root.names]
        typed = world.elaborator.expr(item, every(named[0]) if len(named) == 1 else None)  # no piece starts on a piece
        world.elaborator.no_me -= 1
        if isinstance(typed.type, BrokenType):
            continue
        if isinstance(typed.type, Elem) and typed.type.root.kind in ("space", "place"):
            found.append((typed.type.root, fixed(world, typed.node, item.span)))
        else:
            many = world.elaborator.fitting.as_set(typed, item.span) if isinstance(typed.type, SetOf | ListOf) else None
            if many is not None and isinstance(many.type.of, Elem) and many.type.of.root.kind == "space":
                found += [(many.type.of.root, s) for s in bits(fixed(world, many.node, item.span))]
            else:
                said = f"a piece starts on a space or in a place, not on {show(typed.type)}"
                numbered = [board.name for board in world.boards if "index" in board.root.attributes]
                help = f"write the space, as in `{numbered[0]}[{item.span.one_line}]`" if numbered else ""
                world.report.error("T234", item.span, said, help=help if isinstance(typed.type, Num) else "")
    return found


def _listed(world: World) -> str:
    return ", ".join(f"`{name}`" for name in list(world.sections.named["places"])[:8])


def _of_players(world: World, info: Any) -> bool:
    return isinstance(info.per, Elem) and info.per.root is world.players


def _whose(world: World, item: E.Name, info: Any) -> None:
    """A place of which there are several, for pieces that belong to no player."""
    what = "player" if _of_players(world, info) else "member of its type"
    first = world.places.names[info.first : info.first + 1]
    help = "start them in a pile, and hand them out in `setup:` with `deal:` or `move:`"
    message = f"every {what} has a `{item.name}`, and the file does not say whose these start in"
    world.report.error(
        "T234", item.span, message, help=help if _of_players(world, info) else f"name one, as in `{first[0]}`"
    )


def _place_meant(world: World, word: str) -> list[str]:
    """The places that an unknown word may mean."""
    if word in world.names or world.homes(word) or world.failed(word):
        return []
    return nearest(word, world.data.get("place_names", ()))


def _no_board(world: World, tree: E.Expr) -> None:
    """Told once, of the first piece that starts on a space."""
    if not any(found.code == "B207" for found in world.report.findings):
        help = "`board:` declares the board of a game"
        world.report.error("B207", tree.span, "there is no board to start on", help=help)


def _means_a_space(world: World, item: E.Expr) -> bool:
    """Whether a word or index is about nothing that is declared, nor a slip of the pen for a place."""
    word = item.of if isinstance(item, E.Index) else item
    places = world.data.get("place_names", ())
    return isinstance(word, E.Name) and word.name not in world.names and not nearest(word.name, places)


def place_pieces(world: World) -> None:
    """Every piece at its start; the slots that this fills belong to the template of all plays."""
    spots, total = world.spots, world.pieces.size
    if not spots.count:
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
    told = {name: world.data[name] for name in ("rows", "piece_state", "slots", "closes")}
    program = C.Program("", world.layout, 0, [], 0, spots, world.roots, **told)
    board = Pieces(program, None)
    held = _held_at_start(world)
    taken: dict[tuple[int, int], int] = {}
    home: list[int] = []
    full: set[int] = set()
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
                said = f"two pieces start on {_spot_name(world, spot)}, which holds one"
                other = world.data["stocks"][taken[spot, 0]].start[0]
                notes = ((other.span, "the other one"),) if isinstance(other, Node) and other is not node else ()
                help = "start one elsewhere; or write `holds: any` at the board where several may lie together"
                if stock.owner >= 0 and isinstance(node, Seq | Scalar) and world.players.size > 1:
                    first, *_, last = world.players.names
                    help = f"say where those of each start: `start: {{{first}: …, {last}: …}}`; or {help}"
                with world.report.one_slip(node):
                    world.report.error("B208", span, said, help=help, notes=notes)
                continue
            taken[spot, 0] = piece
        elif spots.capacity[spot] and board.count(v, spot) >= spots.capacity[spot]:
            if spot not in full:
                full.add(spot)
                span = node.span if node is not None else world.span
                most = spots.capacity[spot]
                message = f"more pieces start in {_spot_name(world, spot)} than the {most} that it holds"
                help = "start fewer there, or give it more room by `capacity:` or `slots:`"
                world.report.error("B208", span, message, help=help)
            continue
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
        if info is None:
            continue  # a place that could not be declared, which is told
        start = node.get("start")
        assert start is not None
        tree = world.elaborator.read(start)
        world.elaborator.no_me += 1
        typed = world.elaborator.fitting.as_set(
            world.elaborator.expr(tree, SetOf(Elem(world.pieces, info.kinds))), tree.span, single=True
        )
        world.elaborator.no_me -= 1
        if typed is None:
            continue
        for piece in bits(fixed(world, typed.node, tree.span)):
            found[piece] = world.spots.first_place + info.first
    return found


def _spot_name(world: World, spot: int) -> str:
    first, root = max(((f, r) for f, r in world.spots.roots if f <= spot), key=lambda pair: pair[0])
    return f"`{root.names[spot - first]}`"
