"""What an expression may ask of the state as a whole: what lies where, what is connected, what has been before."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.ir.lines import line
from ruledsl.types import bits

from .random import scrambled
from .tiles import Lying

if TYPE_CHECKING:
    from ruledsl.engine.machine import Machine

State = list[int]
Eval = Callable[[State], Any]
MARK = 0x9E3779B97F4A7C15  # spreads the numbers of spots
MOST_MARKS = 100_000  # of a fingerprint that are remembered
PRIMITIVES: dict[str, Callable[[Any, list[Eval], C.Primitive], Eval]] = {}


def primitive(name: str) -> Callable[[Any], Any]:
    def keep(make: Any) -> Any:
        PRIMITIVES[name] = make
        return make

    return keep


# ------------------------------------------------------------------------------------------ what lies where


@primitive("on")
def _on(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The pieces of certain kinds on a spot, as a list in their order."""
    (spot,), (kinds,), pieces = args, node.data, machine.pieces
    if kinds is None:
        return lambda v: pieces.on(v, spot(v))
    return lambda v: tuple(p for p in pieces.on(v, spot(v)) if kinds >> p & 1)


@primitive("on_set")
def _on_set(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The pieces of certain kinds on a spot, as a set."""
    (spot,), (kinds,), pieces = args, node.data, machine.pieces
    if kinds is None:
        return lambda v: pieces.mask(v, spot(v))
    return lambda v: pieces.mask(v, spot(v)) & kinds


@primitive("on_all")
def _on_all(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """All that lies on several spots, as a set. Data: the spots."""
    (spots,), pieces = node.data, machine.pieces

    def on_all(v: State) -> int:
        found = 0
        for spot in spots:
            found |= pieces.mask(v, spot)
        return found

    return on_all


@primitive("first_on")
def _first_on(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The first piece of certain kinds on a spot, or none."""
    (spot,), (kinds,), pieces = args, node.data, machine.pieces
    spots = machine.program.spots
    if not all(spots.single[: spots.first_place]):
        return lambda v: pieces.first_of(v, spot(v), kinds)
    top, boards = spots.top, spots.first_place

    def first_on(v: State) -> int:
        s = spot(v)
        if s >= boards:
            return int(pieces.first_of(v, s, kinds))
        piece = v[top + s] if s >= 0 else -1
        return piece if piece >= 0 and kinds >> piece & 1 else -1

    return first_on


@primitive("top_of")
def _top_of(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    (spot,), pieces = args, machine.pieces

    def top(v: State) -> int:
        lying = pieces.on(v, spot(v))
        return lying[-1] if lying else -1

    return top


@primitive("occupied")
def _occupied(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """Whether anything lies on a spot."""
    (spot,), pieces, top = args, machine.pieces, machine.program.spots.top
    if all(machine.program.spots.single[s] for s in range(machine.program.spots.first_place)):

        def occupied(v: State) -> bool:
            s = spot(v)
            return s >= 0 and v[top + s] >= 0

        return occupied
    return lambda v: pieces.mask(v, spot(v)) != 0


@primitive("standing")
def _standing(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The space or part a piece stands on, or none; on a part of a tile it stands on the tile's space too.

    Data: the first spot and the number of spots asked for, the array of spots, parts as (first, count, tiles).
    """
    (piece,), (first, count, at, parts) = args, node.data
    if not parts:

        def plainly(v: State) -> int:
            p = piece(v)
            spot = v[at + p] - first if p >= 0 else -1
            return spot if 0 <= spot < count else -1

        return plainly

    def standing(v: State) -> int:
        p = piece(v)
        if p < 0:
            return -1
        spot = v[at + p]
        if first <= spot < first + count:
            return spot - first
        for first_part, size, owner in parts:
            if first_part <= spot < first_part + size:
                there = v[at + owner[spot - first_part]] - first
                return there if 0 <= there < count else -1
        return -1

    return standing


@primitive("first_on_tile")
def _first_on_tile(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The first piece of certain kinds on a space, or on a part of a tile that lies there."""
    (spot,), (kinds, parts), pieces = args, node.data, machine.pieces
    spots_of: dict[int, list[int]] = {}
    for first, owner in parts:
        for number, tile in enumerate(owner):
            spots_of.setdefault(tile, []).append(first + number)

    def first_on_tile(v: State) -> int:
        s = spot(v)
        for piece in pieces.on(v, s):
            if kinds >> piece & 1:
                return int(piece)
            for part in spots_of.get(piece, ()):
                found = pieces.first_of(v, part, kinds)
                if found >= 0:
                    return int(found)
        return -1

    return first_on_tile


@primitive("offset")
def _offset(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """A number moved by a constant; none stays none."""
    (number,), (by,) = args, node.data

    def offset(v: State) -> int:
        n = number(v)
        return n + by if n >= 0 else -1

    return offset


@primitive("key")
def _key(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The place in a table of two keys; none if either is."""
    (outer, inner), (size,) = args, node.data

    def key(v: State) -> int:
        a, b = outer(v), inner(v)
        return a * size + b if a >= 0 and b >= 0 else -1

    return key


@primitive("space_at")
def _space_at(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The space with these coordinates, or none."""
    (table,) = node.data
    return lambda v: table.get(tuple(arg(v) for arg in args), -1)


@primitive("belongs")
def _belongs(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """A value that must be one of a set (or none); else a fault in play."""
    (value,), (mask, message) = args, node.data

    def belongs(v: State) -> int:
        x = value(v)
        if x >= 0 and not mask >> x & 1:
            raise RulesFault(node.span, message)
        return int(x)

    return belongs


@primitive("turn")
def _turn(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """A direction turned by a number of steps within its circle."""
    (direction, by), (cycles,) = args, node.data

    def turn(v: State) -> int:
        d = direction(v)
        if d < 0:
            return -1
        circle, position = cycles[d]
        return int(circle[(position + by(v)) % len(circle)])

    return turn


@primitive("step")
def _step(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The space some steps away in a direction, or none beyond the border."""
    steps, count = node.data
    if len(args) == 2:
        space, direction = args

        def step(v: State) -> int:
            s, d = space(v), direction(v)
            return int(steps[s * count + d]) if s >= 0 and d >= 0 else -1

        return step
    start, way, times = args

    def steps_away(v: State) -> int:
        s, d, n = start(v), way(v), times(v)
        while n > 0 and s >= 0 and d >= 0:
            s = steps[s * count + d]
            n -= 1
        return int(s) if d >= 0 else -1

    return steps_away


@primitive("mask_of")
def _mask_of(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """Spaces one step away in any of a set of directions, as a set."""
    (space, directions), (steps, count) = args, node.data

    def mask_of(v: State) -> int:
        s, found = space(v), 0
        if s >= 0:
            for d in bits(directions(v)):
                x = steps[s * count + d]
                if x >= 0:
                    found |= 1 << x
        return found

    return mask_of


# ------------------------------------------------------------------------------------------- tiles that lie


@primitive("part_neighbors")
def _part_neighbors(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The parts that meet a part at a shared edge, as a set. Data: see `tiles.Tiles`."""
    (part,), tiles = args, Lying(node.data[0])
    return lambda v: tiles.neighbors(v, part(v))


@primitive("part_facing")
def _part_facing(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The part of a tile that shows towards a direction as the tile lies."""
    (piece, direction), tiles = args, Lying(node.data[0])
    return lambda v: tiles.facing(v, piece(v), direction(v))


@primitive("as_it_lies")
def _as_it_lies(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """A direction as seen by a tile that lies turned.

    Data: what each direction becomes by turns (see `declare._turns`), the slot of turns, the sign.
    """
    (direction, piece), (turns, slot, sign) = args, node.data

    def as_it_lies(v: State) -> int:
        d, p = direction(v), piece(v)
        if d < 0 or p < 0:
            return -1
        ways = turns[d]
        return int(ways[sign * v[slot + p] % len(ways)])

    return as_it_lies


@primitive("turned_set")
def _turned_set(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """A set of directions of a tile, as the tile lies."""
    (mask, piece), (turns, slot) = args, node.data

    def turned(v: State) -> int:
        p = piece(v)
        if p < 0:
            return 0
        turn, sides = v[slot + p], int(mask(v))
        if not turn:
            return sides
        found = 0
        for d in bits(sides):
            found |= 1 << turns[d][turn % len(turns[d])]
        return found

    return turned


# ------------------------------------------------------------------------------------------------- lines


@primitive("ray")
def _ray(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The spaces from a space (left out) in a direction, to the border."""
    space, direction = args
    steps, count = node.data
    known: dict[tuple[int, int], tuple[int, ...]] = {}

    def ray(v: State) -> tuple[int, ...]:
        s, d = space(v), direction(v)
        if s < 0 or d < 0:
            return ()
        found = known.get((s, d))
        if found is None:
            found = known[s, d] = line(steps, count, s, d)
        return found

    return ray


@primitive("slide")
def _slide(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The spaces in a direction up to and with the first occupied one, at most n, and none of them twice."""
    space, direction, most = args
    steps, count, first = node.data
    spots, pieces = machine.program.spots, machine.pieces
    single, top = all(spots.single[first + s] for s in range(len(steps) // count)), spots.top
    known: dict[tuple[int, int], tuple[int, ...]] = {}

    def slide(v: State) -> tuple[int, ...]:
        s, d, n = space(v), direction(v), most(v)
        if s < 0 or d < 0 or n <= 0:
            return ()
        whole = known.get((s, d))
        if whole is None:
            whole = known[s, d] = line(steps, count, s, d)
        for at, x in enumerate(whole[:n], 1):
            if v[top + first + x] >= 0 if single else pieces.mask(v, first + x):
                return whole[:at]
        return whole[:n]

    return slide


class Between(dict[tuple[int, int], tuple[int, ...]]):
    """What lies between two spaces, by both; found when it is first asked for."""

    def __init__(self, steps: tuple[int, ...], count: int) -> None:
        super().__init__()
        self.steps, self.count = steps, count

    def __missing__(self, ends: tuple[int, int]) -> tuple[int, ...]:
        found = self[ends] = self._find(*ends)
        return found

    def _find(self, a: int, b: int) -> tuple[int, ...]:
        steps, count = self.steps, self.count
        for d in range(count):
            whole = line(steps, count, a, d)
            if b in whole:
                return whole[: whole.index(b)]
        return ()


@primitive("between")
def _between(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The spaces between two spaces of one line, without both; none if no direction leads from one to the other."""
    one, other = args
    known = Between(*node.data)

    def between(v: State) -> tuple[int, ...]:
        a, b = one(v), other(v)
        return known[a, b] if a >= 0 and b >= 0 else ()

    return between


@primitive("line")
def _line(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """Whether a space lies in a straight row of at least n spaces that belong to a set."""
    space, length, members = args
    axes, steps, count = node.data

    def line(v: State) -> bool:
        s, n = space(v), length(v)
        if s < 0:
            return False
        inside = members(v)
        if not inside >> s & 1:
            return False
        for axis in axes:
            run = 1
            for d in axis:
                x, left = steps[s * count + d], inside ^ 1 << s  # no space counts twice
                while x >= 0 and left >> x & 1:
                    run += 1
                    left ^= 1 << x
                    x = steps[x * count + d]
            if run >= n:
                return True
        return False

    return line


@primitive("owned_spaces")
def _owned_spaces(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """The spaces of a board where a piece of a player lies. Data: first spot, count, pieces by player."""
    (player,), (first, count, owned) = args, node.data
    at = machine.program.spots.at

    def spaces(v: State) -> int:
        found, p = 0, player(v)
        if p < 0:
            return 0
        for piece in owned[p]:
            s = v[at + piece] - first
            if 0 <= s < count:
                found |= 1 << s
        return found

    return spaces


# ----------------------------------------------------------------------------------------------- memory


@lru_cache(MOST_MARKS)
def mark(where: int, what: int) -> int:
    """The number of a piece on a spot, or of a value, in fingerprints."""
    return scrambled((where + 1) * MARK ^ scrambled(what))


@primitive("fingerprint")
def _fingerprint(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """64 bits that stand for a position. Data: spots whose pieces count, slots whose values count.

    Every piece on a spot, and every value, has a number of its own in which nothing of it can be recognised; they are
    joined by `xor`, so that an executor may keep the whole up to date piece by piece. Of several pieces on a spot it
    counts in which order they lie.
    """
    spots, slots = node.data
    pieces, looks, top = machine.pieces, machine.looks, machine.program.spots.top
    single = all(machine.program.spots.single[spot] for spot in spots)

    def fingerprint(v: State) -> int:
        h = 0
        if single:
            for spot in spots:
                piece = v[top + spot]
                if piece >= 0:
                    h ^= mark(spot, looks(v, piece))
        else:
            for spot in spots:
                for height, piece in enumerate(pieces.on(v, spot)):
                    h ^= mark(spot + (height << 32), looks(v, piece))
        for number, slot in enumerate(slots):
            h ^= mark(-2 - number, v[slot])
        return h

    return fingerprint


@primitive("repeats")
def _repeats(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """How often the position as it is now was recorded."""
    (fingerprint,), (base,) = args, node.data

    def repeats(v: State) -> int:
        mark = fingerprint(v)
        return v[base + 1 : base + 1 + v[base]].count(mark)

    return repeats


@primitive("fault")
def _fault(machine: Machine, args: list[Eval], node: C.Primitive) -> Eval:
    """A value that cannot be worked out: says why."""
    (message,) = node.data

    def fault(v: State) -> Any:
        raise RulesFault(node.span, message)

    return fault
