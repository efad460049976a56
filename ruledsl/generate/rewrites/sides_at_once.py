"""What lies around a space, where it is asked of all sides of a tile that may be laid there."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm

from ruledsl.generate.asked import ByHeart, Latest
from ruledsl.generate.passes import C as IN_C
from ruledsl.generate.passes import rewrite
from ruledsl.ir import core as C
from ruledsl.ir.kinds import NUMBER, Kind, join, kind_of_type, kind_of_value, number
from ruledsl.ir.ops import NOTHING, looks_at, may_fail
from ruledsl.ir.walk import StuckError, free, parts, put, same, within

MOST = 62  # members of a set that is a number, too
TILE_THERE = "first_on_tile"  # the primitive that asks for the tile on a space
TURNED = ("as_it_lies", "turned_set", "part_facing")  # which ask how a tile is turned, and nothing else of a state
# The first slots of variables that this pass makes: in the place of those of effects, and for turns. Scratch slots of a
# program are negative, too, but no program has so many.
GIVEN, TURN = -500_000, -600_000


@rewrite("sides-at-once", "what lies around a space is found once, and held against a tile and its turn at once", IN_C)
def sides_at_once(node: C.Node) -> C.Node | None:
    """`all(d in direction where step(at, d).hex: tile.edges[d - turn] == step(at, d).hex.edges[opposite(d)])` asks of
    a tile and its turn on one side, of a space and what lies around it on the other: what each has to show is a set of
    sides with what is on them, and that of the space has to lie in that of the tile. The set of the space is kept
    until another space is asked for or something moves, that of the tile and its turn for good. In the same way
    `any(d in sides where step(at, d + turn).hex)` asks whether two sets of sides meet.
    """
    if not isinstance(node, C.Fold) or node.kind not in ("any", "all") or len(node.each) != 1:
        return None
    if node.kind == "all":
        value = node.value
        if not isinstance(value, C.Op) or value.name != "equal":
            return None
        found = _shown(node, value, _conditions(node.where))
        return C.Op("equal", (found, C.Const(0)), node.span) if found is not None else None
    asked = [*_conditions(node.where), *_conditions(node.value)]
    for at, one in enumerate(asked):
        if isinstance(one, C.Op) and one.name == "unequal":
            found = _shown(node, one, [*asked[:at], *asked[at + 1 :]])
            if found is not None:
                return C.Op("unequal", (found, C.Const(0)), node.span)
    found = _met(node, asked)
    return C.Op("unequal", (found, C.Const(0)), node.span) if found is not None else None


def _shown(node: C.Fold, compared: C.Op, guards: list[C.Node]) -> C.Node | None:
    """What is wanted around a space and not shown by the tile, if one side of a comparison asks of one alone."""
    (each,) = node.each
    sides = each.domain[0]
    if each.form != "set" or not isinstance(sides, C.Const) or not all(map(_sure, (*compared.args, *guards))):
        return None
    for own, other in (compared.args, compared.args[::-1]):
        around, inside = _inputs(other, *guards) - {each.slot}, _inputs(own) - {each.slot}
        if not around or around & inside or not _asks_tiles(other, *guards) or not _of_turns_alone(own, each.slot):
            continue
        mine, theirs = _kind(own), _kind(other)
        if mine is None or theirs is None:
            return None
        kind = join(mine, theirs)
        many = kind.top - kind.low
        if int(sides.value).bit_length() * many > MOST:
            return None

        def numbered(shown: C.Node, many: int = many, low: int = kind.low) -> C.Node:
            begun = C.Op("multiply", (C.Get(each.slot), C.Const(many)))
            return C.Op("add", (C.Op("subtract", (shown, C.Const(low))), begun))

        where = C.Both(tuple(guards)) if guards else None
        wanted = _latest(C.Fold("set", node.each, where, numbered(other)), around)
        shown = _by_heart(C.Fold("set", node.each, None, numbered(own)), inside)
        if wanted is None or shown is None:
            return None
        return C.Op("minus", (wanted, shown))
    return None


def _met(node: C.Fold, asked: list[C.Node]) -> C.Node | None:
    """The sides of a tile that are among those of a space for which all conditions hold."""
    (each,) = node.each
    if each.form != "set" or not asked or not _asks_tiles(*asked) or not all(map(_sure, (*asked, *each.domain))):
        return None
    whole: C.Node = C.Both(tuple(asked)) if len(asked) > 1 else asked[0]
    way = next((one for one in _ways(whole, each.slot) if _apart(whole, one, each)), None)
    if way is None:
        return None
    kind = _kind(way)
    assert kind is not None
    found = _with(whole, way, C.Get(each.slot))
    around = _inputs(found) - {each.slot}
    every = C.Each(each.slot, "set", (C.Const((1 << kind.top) - 1),))
    own = C.Fold("set", node.each, None, way)
    free_side = _latest(C.Fold("set", (every,), found, None), around)
    sides = _by_heart(own, _inputs(own))
    return None if free_side is None or sides is None else C.Op("common", (sides, free_side))


def _ways(node: C.Node, slot: int) -> Iterable[C.Node]:
    """What a variable stands in, the largest first."""
    return [one for one in within(node) if slot in free(one)]


def _apart(whole: C.Node, way: C.Node, each: C.Each) -> bool:
    """Whether conditions ask a variable for nothing but this, a small number, and of the rest none of its inputs."""
    kind = _kind(way)
    if kind is None or kind.low < 0 or kind.top > MOST or any(isinstance(one, C.Fold) for one in within(whole)):
        return False
    rest = _with(whole, way, C.Const(0))
    around, inside = _inputs(rest), (_inputs(way) | _inputs(*each.domain)) - {each.slot}
    if each.slot in around or not around or not inside or around & inside or not _asks_tiles(rest):
        return False
    return _of_turns_alone(way, each.slot) and all(_of_turns_alone(part, each.slot) for part in each.domain)


def _with(node: C.Node, old: C.Node, new: C.Node) -> C.Node:
    """An expression with another part wherever it says the same as `old`."""
    found: C.Node = put(node, {}, None, lambda one: new if isinstance(one, C.Expression) and same(one, old) else None)
    return found


# ------------------------------------------------------------------------------------------------ what is asked


def _conditions(node: C.Node | None) -> list[C.Node]:
    if node is None:
        return []
    return [part for arg in node.args for part in _conditions(arg)] if isinstance(node, C.Both) else [node]


def _inputs(*nodes: C.Node) -> set[int]:
    """The variables that expressions take from around them, those of effects too."""
    found = {slot for node in nodes for slot in free(node)}
    return found | {one.slot for node in nodes for one in within(node) if isinstance(one, C.Get) and one.slot >= 0}


def _sure(node: C.Node) -> bool:
    """Whether working it out, though nothing would have asked for it, is no fault and changes nothing."""
    known = (C.Const, C.Get, C.Look, C.Op, C.Both, C.Either, C.Cond, C.Otherwise, C.Cell, C.Primitive)
    return isinstance(node, known) and not may_fail(node) and all(map(_sure, parts(node)))


def _asks_tiles(*nodes: C.Node) -> bool:
    """Whether anything is asked of tiles that lie already."""
    return any(isinstance(one, C.Primitive) and one.name == TILE_THERE for node in nodes for one in within(node))


def _of_turns_alone(node: C.Node, slot: int) -> bool:
    """Whether nothing of the state is asked but how tiles are turned, which are always the same."""
    for one in within(node):
        if isinstance(one, C.Cell | C.Several | C.Invoke | C.Fold):
            return False
        if isinstance(one, C.Primitive) and looks_at(one) != NOTHING:
            if one.name not in TURNED or slot in free(_tile(one)):
                return False
    return True


def _tile(node: C.Primitive) -> C.Node:
    """The tile of which something is asked as it lies."""
    return node.args[0 if node.name == "part_facing" else 1]


def _turn(node: C.Primitive) -> C.Node:
    """How far that tile is turned: all that matters of the number that the state has."""
    known = node.data[0]
    slot, turns = (known.turn, known.turns) if node.name == "part_facing" else (node.data[1], known)
    return C.Op("remainder", (C.Cell(slot, _tile(node)), C.Const(lcm(*map(len, turns)))))


def _kind(node: C.Node) -> Kind | None:
    """What numbers an expression may come to, if they are told where it stands."""
    match node:
        case C.Look(table=table, none=int(none)) if all(isinstance(value, int) for value in table):
            return number(min(*table, none), max(*table, none) + 1)
        case C.Op(name="rotate", args=(way, _, C.Const(value=int(count)))):
            inner = _kind(way)
            return None if inner is None else number(min(inner.low, 0), count)
        case C.Const(value=int()):
            return kind_of_value(node.value)
    kind = kind_of_type(node.type)
    return kind if kind.sort == NUMBER and kind.top - kind.low <= MOST else None


# -------------------------------------------------------------------------------------------------- what is kept


def _asked(
    kept: type[C.Formula], name: str, body: C.Node, inputs: set[int], more: tuple[C.Node, ...] = ()
) -> C.Invoke | None:
    """A formula of its own, asked of what it depends on."""
    given = sorted(inputs, reverse=True)
    slots = [slot if slot < 0 else GIVEN - slot for slot in given]
    with_own = {slot: C.Get(own) for slot, own in zip(given, slots, strict=True) if slot >= 0}
    try:
        body = put(body, dict(with_own))
    except StuckError:
        return None
    formula = kept(name, (*slots, *(TURN - at for at in range(len(more)))), body, None)
    return C.Invoke(formula, (*map(C.Get, given), *more))


def _latest(body: C.Node, inputs: set[int]) -> C.Node | None:
    """Kept until other inputs are given, or something that is looked at changes."""
    return _asked(Latest, "around", body, inputs)


def _by_heart(body: C.Node, inputs: set[int]) -> C.Node | None:
    """Kept for good, by the inputs and by how the tiles are turned of which it asks."""
    turns: list[C.Node] = []
    for one in within(body):
        if isinstance(one, C.Primitive) and one.name in TURNED and not any(same(_turn(one), turn) for turn in turns):
            turns.append(_turn(one))
    return _asked(ByHeart, "shown", body, inputs, tuple(turns))


__all__ = ["sides_at_once"]
