"""Operations that change more than one slot: pieces trading places, tokens changing hands, memory of positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.types import bits

if TYPE_CHECKING:
    from ruledsl.engine.machine import Machine

State = list[int]
Action = Callable[[State], Any]
ACTIONS: dict[str, Callable[[Any, list[Callable[[State], Any]], C.Act], Action]] = {}


def action(name: str) -> Callable[[Any], Any]:
    def keep(make: Any) -> Any:
        ACTIONS[name] = make
        return make

    return keep


@action("remove")
def _remove(machine: Machine, args: Any, op: C.Act) -> Action:
    """Pieces (a set) to the box."""
    (pieces,), box = args, machine.program.spots.box

    def do(v: State) -> None:
        gone = pieces(v)
        for piece in bits(gone):
            machine.pieces.move(v, piece, box, along=gone)

    return do


@action("home")
def _home(machine: Machine, args: Any, op: C.Act) -> Action:
    """Pieces (a set) to where they started; first those leave the board that may be in the way of others."""
    (pieces,), home, piles = args, machine.program.home, machine.program.piles
    spots, at = machine.program.spots, machine.pieces.at
    limited = {spot for spot in home if spot < spots.first_place and spots.capacity[spot]}

    def do(v: State) -> None:
        back = pieces(v)
        for piece in bits(back) if limited else ():
            if v[at + piece] in limited and v[at + piece] != home[piece]:
                machine.pieces.move(v, piece, spots.box)
        for piece in bits(back):
            spot = home[piece]
            machine.pieces.move(v, piece, spot, "bottom" if spot in piles else None)

    return do


@action("draw")
def _draw(machine: Machine, args: Any, op: C.Act) -> Action:
    """Up to n pieces from the top of a spot, one by one."""
    count, source, to = args

    def do(v: State) -> None:
        for _ in range(count(v)):
            lying = machine.pieces.on(v, source(v))
            if not lying:
                return
            machine.pieces.move(v, lying[-1], to(v), None, op.span)

    return do


@action("deal")
def _deal(machine: Machine, args: Any, op: C.Act) -> Action:
    """n pieces to each of several places, one at a time in order."""
    count, source, places = args

    def do(v: State) -> None:
        for _ in range(count(v)):
            for place in places(v):
                lying = machine.pieces.on(v, source(v))
                if not lying:
                    return
                machine.pieces.move(v, lying[-1], place, None, op.span)

    return do


@action("swap_pieces")
def _swap_pieces(machine: Machine, args: Any, op: C.Act) -> Action:
    """Two pieces trade places."""
    one, other = args

    def do(v: State) -> None:
        a, b = one(v), other(v)
        if a < 0 or b < 0:
            raise RulesFault(op.span, "there is no piece to swap")
        at = machine.program.spots.at
        here, there = v[at + a], v[at + b]
        if a == b:
            return
        if machine.program.spots.known >= 0 and here != there:
            machine.pieces.learn(v, a, here, there, None, 1 << a)
            machine.pieces.learn(v, b, there, here, None, 1 << b)
        machine.pieces.trade(v, (a,), here, (b,), there, op.span)

    return do


@action("swap_contents")
def _swap_contents(machine: Machine, args: Any, op: C.Act) -> Action:
    """What lies on two spots trades places."""
    one, other = args

    def do(v: State) -> None:
        a, b = one(v), other(v)
        if a < 0 or b < 0:
            raise RulesFault(op.span, "there is nothing to swap with")
        if a == b:
            return
        first, second = machine.pieces.on(v, a), machine.pieces.on(v, b)
        known = machine.program.spots.known
        if known >= 0:
            # Whole hands change owners openly: who knew a card still knows where it is.
            seers = machine.pieces.seers(v, a) | machine.pieces.seers(v, b)
            for piece in (*first, *second):
                v[known + piece] |= seers
        machine.pieces.trade(v, first, a, second, b, op.span)

    return do


@action("transfer")
def _transfer(machine: Machine, args: Any, op: C.Act) -> Action:
    """Tokens from one holder to another: amounts as a bag, holders as slots. Data: what a short source means.

    args: amount (a tuple), index of the source or none, index of the target or none.
    data: (source base or -1, target base or -1, size, short) where short is `clip` or the words of a fault.
    """
    amount, source, target = args
    from_base, to_base, size, short = op.data

    def do(v: State) -> None:
        wanted = amount(v)
        start = from_base + source(v) * size
        goal = to_base + target(v) * size
        for kind, n in enumerate(wanted):
            if n == 0:
                continue
            if n < 0:
                raise RulesFault(op.span, "a negative number of tokens cannot change hands")
            if from_base >= 0:
                if v[start + kind] < n:
                    if short != "clip":
                        raise RulesFault(op.span, short)
                    n = v[start + kind]
                v[start + kind] -= n
            if to_base >= 0:
                v[goal + kind] += n

    return do


@action("reveal")
def _reveal(machine: Machine, args: Any, op: C.Act) -> Action:
    """Players (a set) come to know pieces (a set)."""
    pieces, players = args
    known = machine.program.spots.known

    def do(v: State) -> None:
        if known >= 0:
            shown, seats = pieces(v), players(v)
            machine.pieces.show(v, shown, seats)
            if machine.pieces.watch is not None:
                for piece in bits(shown):
                    machine.pieces.watch(v, piece, seats, False)

    return do


@action("hide")
def _hide(machine: Machine, args: Any, op: C.Act) -> Action:
    """Of pieces (a set) only those know what they are who see them where they lie."""
    (pieces,) = args

    def do(v: State) -> None:
        machine.pieces.hide(v, pieces(v))

    return do


@action("copy_start")
def _copy_start(machine: Machine, args: Any, op: C.Act) -> Action:
    """Slots back to what they hold at the start of every play. Data: (first slot, count)."""
    base, count = op.data
    values = machine.program.template[base : base + count]

    def do(v: State) -> None:
        v[base : base + count] = values

    return do


@action("count_up")
def _count_up(machine: Machine, args: Any, op: C.Act) -> Action:
    """Counts the runs of a loop; too many are a fault."""
    (most,), (slot,) = args, op.data

    def do(v: State) -> None:
        limit = most(v)
        if v[slot] >= limit:
            raise RulesFault(op.span, f"this loop ran {limit} times, which is the most it may")
        v[slot] += 1

    return do


@action("advance")
def _advance(machine: Machine, args: Any, op: C.Act) -> Action:
    """The next in a circle of turns, or who was named with `next_turn`. Data: slots of the order, place and name."""
    order, place, forced = op.data

    def do(v: State) -> None:
        count = v[order]
        if v[forced]:
            players = v[order + 1 : order + 1 + count]
            wanted = v[forced] - 1
            if wanted not in players:
                raise RulesFault(op.span, "the player named with `next_turn` takes no part in these turns")
            v[place], v[forced] = players.index(wanted), 0
        else:
            v[place] = v[place] + 1 if v[place] + 1 < count else 0  # a spoilt save may have no order at all

    return do


@action("mark")
def _mark(machine: Machine, args: Any, op: C.Act) -> Action:
    """Says nothing; a machine that watches is told of it."""
    return lambda v: None


@action("record")
def _record(machine: Machine, args: Any, op: C.Act) -> Action:
    """Remembers the position; the oldest is forgotten when there is no room. Data: (history, base, keep)."""
    (fingerprint,) = args
    base, keep = op.data

    def do(v: State) -> None:
        count = v[base]
        if count == keep:
            v[base + 1 : base + keep] = v[base + 2 : base + keep + 1]
            count -= 1
        v[base + 1 + count] = fingerprint(v)
        v[base] = count + 1

    return do
