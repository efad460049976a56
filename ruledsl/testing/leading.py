"""The way to where a test puts its position in place: a phase, a round, a turn, or the first decision."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ruledsl.records import dataclass
from ruledsl.types import NONE

if TYPE_CHECKING:
    from ruledsl.engine.machine import Machine
    from ruledsl.runtime.play import Play

State = list[int]
MOST_DECISIONS = 1_000
TRIES = 30  # plays that look for a phase: the first takes first options, the others any
_CONTROL = ("header", "local")  # fields that say where play stands; the others say what is on the table


class _Halt(Exception):
    """Play has come to a block at which a test wants it to stop."""


@contextmanager
def halting(machine: Machine, blocks: dict[int, Any]) -> Iterator[None]:
    """Play stops with `_Halt` before it enters one of these blocks, if the function beside it agrees."""
    kept = {}
    for at, agrees in blocks.items():
        made = machine.blocks[at] or machine._make(at)
        kept[at] = made

        def halt(v: State, agrees: Any = agrees) -> None:
            if agrees(v):
                raise _Halt

        machine.blocks[at] = ([halt, *made[0]], made[1])
    machine.by_blocks += 1
    try:
        yield
    finally:
        machine.by_blocks -= 1
        for at, made in kept.items():
            machine.blocks[at] = made


@dataclass(frozen=True)
class Beginning:
    """Where a position is put in place: where the first `round` or `turn` begins, or at the first `decision`; with a
    phase, the first within it, and where the phase begins in place of a decision."""

    to: str = "decision"
    phase: str = ""


def begin(play: Play, where: Beginning) -> bool:
    """Runs a play from its very start to where a position is put in place."""
    world, machine, to = play.world, play.machine, where.to
    loops = {loop.head: (lambda v, slot=loop.outer: v[slot] == NONE) for loop in world.data["turn_loops"]}
    with halting(machine, {world.data["setup_done"]: lambda v: True}):
        if not _halts(play):
            return False
    if where.phase:
        return _comes_to_phase(play, where)
    if to == "turn":
        with halting(machine, loops):
            return _halts(play)
    if to == "round":
        with halting(machine, dict.fromkeys(world.data["round_loops"], lambda v: True)):
            return _halts(play)
    play.go_on()
    while play.stop.kind == "chance":
        chance_by_stream(play)
    return not play.over


def _comes_to_phase(play: Play, where: Beginning) -> bool:
    """Looks for a play that comes to a phase, and takes from it where play stands; the table stays as setup left it."""
    world, after_setup = play.world, play.state[:]
    number, slot = world.phase_names.index(where.phase) + 1, world.data["phase_slot"]

    def here(v: State) -> bool:
        return bool(v[slot] == number)

    heads = {"turn": [loop.head for loop in world.data["turn_loops"]], "round": world.data["round_loops"]}
    blocks = dict.fromkeys(heads.get(where.to, world.data["phases"][where.phase]), here)
    for attempt in range(TRIES):
        tried = play.copy()
        with halting(tried.machine, blocks):
            if not _halts(tried, random.Random(attempt) if attempt else None):
                continue
        play.state[:] = after_setup
        for f in tried.machine.program.layout.fields:
            if f.kind in _CONTROL:
                there = slice(f.base, f.base + f.count * f.width)
                play.state[there] = tried.state[there]
        return True
    return False


def _halts(play: Play, rng: random.Random | None = None) -> bool:
    """Goes on, with chance from the streams and the first option or any, until play halts."""
    try:
        play.go_on()
        for _ in range(MOST_DECISIONS):
            if play.stop.kind == "chance":
                chance_by_stream(play)
            elif play.over:
                return False
            else:
                seat = play.pending[0]
                play.choose(rng.randrange(len(play.options(seat))) if rng is not None else 0, seat)
    except _Halt:
        return True
    return False


def chance_by_stream(play: Play) -> None:
    """Lets what is random come out as the state's own streams say."""
    point = play.stop.chance
    assert point is not None
    play.machine.answer(play.state, point, play.machine.draw(play.state, point))
    play.go_on()


__all__ = ["Beginning", "begin", "chance_by_stream", "halting"]
