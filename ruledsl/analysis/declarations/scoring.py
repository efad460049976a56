"""`scoring:`, points at the end, and what stands by them: `ranking`, `score[p]` and ranks by the total."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.needs import DECLARATIONS
from ruledsl.ir import core as C
from ruledsl.ir.walk import parts, same
from ruledsl.source.document import Map, Scalar, nodes_of
from ruledsl.source.text import Span
from ruledsl.syntax.expr import Name
from ruledsl.syntax.shapes import Fields, Form, Key
from ruledsl.types import FAR, NONE, ListOf, Num, every

if TYPE_CHECKING:  # `sections`, which is below the world, takes the form from here
    from ruledsl.analysis.world import World

SCORING = Form(
    "scoring",
    {
        "rows": Key("map", "Points by source, each for every player as `me`."),
        "ties": Key(
            "list",
            "What decides between equal totals, in this order; more is better.",
            instead="write a list of numbers, of which more is better, as in `ties: [count(me.hand), -me.moves]`",
        ),
        "lowest": Key("truth", "Whether the lowest total wins."),
        "stakes": Key("truth", "Whether totals are what players win or lose, so that it matters by how much."),
        "ranks": Key(
            "map",
            "Titles by total: `{0: {en: novice, ru: новичок}, 20: {…}}`. Each counts from its number on, the first "
            "also for less. A single player gets such a rank and neither wins nor loses.",
            tried=("titles", "ladder", "levels", "grades", "rank", "ranking", "table"),
            instead="write each title after the total that it needs, as in `{0: Novice, 20: Master}`",
        ),
    },
    wraps="rows",
    numbered=True,
)


def declare_scoring(world: World, span: Span | None = None) -> None:
    """All of it, once: at the end, or where a formula first asks for a score."""
    if "scoring" in world.data:
        return
    if world.data.get("scoring busy"):
        world.report.error(
            "F401",
            span,
            "the points depend on themselves: a row of `scoring:` uses `score` or `ranking`",
            help="move the shared part into a formula, and use that in both",
        )
        return
    world.data["scoring busy"] = True
    elaborator = world.elaborator
    no_me, elaborator.no_me = elaborator.no_me, 0
    with elaborator.fresh(), world.needs.within(DECLARATIONS):
        _declare(world)
    elaborator.no_me = no_me


def _declare(world: World) -> None:
    rows: list[C.Score] = []
    ties: list[Any] = []
    ranks: dict[int, dict[str, str]] = {}
    elaborator = world.elaborator
    lowest = stakes = False
    points = Num(0, 0)  # what all rows can come to
    for scoring in world.sections.scoring:
        for entry in scoring.map("rows") or ():
            tree = elaborator.read(entry.value)
            typed = elaborator.number(elaborator.expr(tree), tree.span, "points")
            if typed is not None:
                assert isinstance(typed.type, Num)
                empty = isinstance(typed.node, C.Const) and typed.node.value == 0
                if empty and not isinstance(tree, Name):  # a formula by name is there for a module to replace
                    world.idle(tree.span, "these points are always 0")
                points = Num(max(-FAR, points.low + typed.type.low), min(FAR, points.high + typed.type.high))
                rows.append(C.Score(entry.key.value, typed.node, entry.key.span))
        for item in nodes_of(scoring.get("ties")):
            tree = elaborator.read(item)
            typed = elaborator.number(elaborator.expr(tree), tree.span, "what decides a tie")
            if typed is not None:
                ties.append(typed.node)
                if world.players.size > 1 and _differs([row.node for row in rows]) and not _differs([typed.node]):
                    world.idle(tree.span, "this is the same for all players, so it decides nothing")
                elif len(rows) == 1 and same(typed.node, rows[0].node):
                    world.idle(tree.span, "who ties has the same here, so it decides nothing")
        lowest = lowest or scoring.truth("lowest")
        stakes = stakes or scoring.truth("stakes")
        ranks |= _ranks(world, scoring)
    world.data["scoring"] = rows
    world.data["points"] = points
    world.data["ties"] = ties
    world.data["lowest"] = lowest
    world.data["stakes"] = stakes
    world.data["ranks"] = sorted(ranks.items())
    # Who scores the same whoever one is plays together with the others: there is one result, and no draw.
    world.data["one result"] = world.players.size > 1 and bool(rows) and not _differs([row.node for row in rows] + ties)
    world.data["only ranked"] = bool(ranks) and world.players.size == 1  # who plays alone has a rank, and no win


def _differs(nodes: list[Any]) -> bool:
    """Whether points may not be the same for all players: they ask who `me` is."""
    entered: set[int] = set()
    work = list(nodes)
    while work:
        node = work.pop()
        match node:
            case C.Get(slot=C.ME):
                return True
            case C.With(slots=slots, args=args) if C.ME in slots:
                work += args
                continue
            case C.Invoke(formula=formula) if id(formula) not in entered:
                entered.add(id(formula))
                work.append(formula.body)
        work += parts(node) if node is not None else ()
    return False


def _ranks(world: World, scoring: Fields) -> dict[int, dict[str, str]]:
    from .titles import titles

    found: dict[int, dict[str, str]] = {}
    numbers = [number for entry in scoring.map("ranks") or () if (number := entry.key.as_int()) is not None]
    in_order = (sorted(numbers), sorted(numbers, reverse=True))
    for entry in scoring.map("ranks") or ():
        least = entry.key.as_int()
        if least is not None and found and numbers not in in_order and least < max(found):
            message = f"the rank from {least} on stands after the one from {max(found)} on: they are out of order"
            world.report.warn("L540", entry.key.span, message, help="check the number, or put the ranks in order")
        if least is None:
            number = entry.value.as_int() if isinstance(entry.value, Scalar) else None
            help = f"write `{number}: {entry.key.value}`" if number is not None else "as in `31: rank-and-file fighter`"
            if found_range := re.match(r"\W*(?:from\s+|at least\s+)?(-?\d+)", entry.key.value):
                title = entry.value.value if isinstance(entry.value, Scalar) else "…"
                help = f"write `{found_range[1]}: {title}`; it holds up to the next one"
            world.report.error("S105", entry.key.span, "write a rank after the lowest total that it needs", help=help)
            continue
        if not isinstance(entry.value, Scalar | Map) or (isinstance(entry.value, Scalar) and entry.value.is_null):
            world.report.error("S103", entry.value.span, "a rank is a text, or a map `{en: …, ru: …}`")
            continue
        word = entry.value.value if isinstance(entry.value, Scalar) else ""
        found[least] = world.title_of_word(word) if word.isidentifier() else titles(world, entry.value, word)
    return found


def score_of(world: World, player: C.Node, span: Span | None = None) -> tuple[C.Node, Num] | None:
    """The total of a player as it stands; None where there is no scoring, or it has mistakes."""
    declare_scoring(world, span)
    if not world.data.get("scoring"):
        return None
    if "score" not in world.data:
        slot = world.scratch()
        body = C.With((C.ME,), (C.Get(slot),), _total(world))
        world.data["score"] = C.Formula("score", (slot,), body, None, world.data["points"])
    return C.Invoke(world.data["score"], (player,)), world.data["points"]


def _total(world: World) -> C.Node:
    total: C.Node = C.Const(0)
    for number, row in enumerate(world.data["scoring"]):
        total = C.Op("add", (total, row.node)) if number else row.node
    return total


def ranking(world: World, span: Span | None = None) -> tuple[C.Node, ListOf] | None:
    """All players, the best first; who is equal in all stands in the order of the seats."""
    player = every(world.players)
    found = score_of(world, C.Const(0), span)
    if found is None:
        return None
    if "ranking" not in world.data:
        slot = C.Get(world.scratch())
        score = score_of(world, slot)
        assert score is not None
        keys = [score[0] if world.data["lowest"] else C.Op("negative", (score[0],))]
        keys += [C.Op("negative", (C.With((C.ME,), (slot,), node),)) for node in world.data["ties"]]
        each = C.Each(slot.slot, "set", (C.Const(player.mask),))
        body = C.Fold("list", (each,), None, None, tuple(keys), NONE)
        world.data["ranking"] = C.Formula("ranking", (), body, None, ListOf(player, player.mask.bit_count()))
    return C.Invoke(world.data["ranking"], ()), ListOf(player, player.mask.bit_count())
