"""Whether another executor plays as the reference interpreter does: step by step, and the shortest way to where not.

What is compared at every decision: who decides, the options in their order, and the state slot by slot; at the end
how the play ended, its row of `engine.batch`, and a fault by its message. Of compiled games, which play whole plays
without stopping, whole plays are compared, too; one that comes out otherwise is cut shorter and shorter.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import ruledsl
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.diagnostics.model import GameError
from ruledsl.engine.batch import play_seed
from ruledsl.engine.machine import Stop
from ruledsl.engine.random import draw
from ruledsl.generate.native import Library, Session
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.game import Configured, Game
from ruledsl.simulation.interpreter import BrokenOff, Interpreter, decided
from ruledsl.types import Bool, Elem, Num

State = list[int]
KINDS = {-1: "fault", 0: "over", 1: "choice", 2: "together", 3: "drafted"}  # what compiled code says
# Flags for libraries that are compiled for a few plays: the compiler hardly does anything. With its usual flags every
# game is compiled in test_generated_c.py, test_native_perft.py and test_simulate.py, which share what they compile.
QUICK = ("-O0", "-std=gnu11", "-shared", "-fPIC", "-fno-strict-overflow", "-w")
SHOWN = 12  # differences, or options, that are printed
BROKEN_OFF = "broken off"


@cache
def load(path: Path) -> Game:
    """A game on the reference interpreter."""
    return ruledsl.load(path, backend="interpreter")


@dataclass(frozen=True)
class Variant:
    """A game for a number of players and options."""

    path: Path
    players: int
    options: dict[str, Any] = field(hash=False)

    @property
    def name(self) -> str:
        name = self.path.stem if self.path.stem != "game" else self.path.parent.name
        return " ".join([name, str(self.players), *(f"{key}={value}" for key, value in self.options.items())])

    def configured(self) -> Configured:
        return load(self.path).configured(self.players, self.options)


def variants(path: Path) -> Iterator[Variant]:
    """The fewest and most players, each preset, and values of every option, as far as the rules allow them."""
    game = load(path)
    counts = sorted({game.players[0], game.players[-1]})
    for players in counts:
        for options in [{}, *({"preset": preset} for preset in game.presets)]:
            yield from _allowed(Variant(path, players, options))
    for name, kind in game.options.items():
        for value in _values(kind):
            yield from _allowed(Variant(path, counts[0], {name: value}))
    for players in game.players[1:-1]:
        yield from _allowed(Variant(path, players, {}))


def _allowed(variant: Variant) -> Iterator[Variant]:
    try:
        variant.configured()
    except (GameError, OptionError, ValueError):
        return
    yield variant


def _values(kind: Any) -> list[Any]:
    match kind:
        case Bool():
            return [True, False]
        case Num(low=low, high=high):
            return [low, min(high, low + 20)]
        case Elem(root=root):
            return list(root.names)
    return []


# ------------------------------------------------------------------------------------------------- what is compared


class Difference(AssertionError):
    """The executors part here."""


class Names:
    """Slots of the state by name."""

    def __init__(self, program: C.Program) -> None:
        self.names: list[str] = []
        for one in program.layout.fields:
            length = one.count * one.width
            self.names += [one.name if length == 1 else f"{one.name}[{i}]" for i in range(length)]
        self.size = program.layout.size

    def differences(self, mine: State, theirs: State) -> list[str]:
        found = [f"  {self.names[i]}: {mine[i]} / {theirs[i]}" for i in range(self.size) if mine[i] != theirs[i]]
        return found[:SHOWN] + (["  …"] if len(found) > SHOWN else [])


@dataclass
class Way:
    """The decisions that led to where a play is."""

    variant: str
    seed: int
    taken: list[str] = field(default_factory=list)

    def part(self, what: str, details: list[str]) -> Difference:
        lines = [f"{self.variant}, seed {self.seed}, after {len(self.taken)} decisions: {what}", *details]
        if self.taken:
            lines.append("the decisions: " + "; ".join(self.taken))
        return Difference("\n".join(lines))


def only_one_side(mine: list[Any], theirs: list[Any]) -> list[str]:
    """Which options only one side has, or else the first that comes in another place."""
    lacking, beyond = [o for o in mine if o not in theirs], [o for o in theirs if o not in mine]
    found = [f"  only the interpreter: {lacking[:SHOWN]}"] if lacking else []
    found += [f"  only the other: {beyond[:SHOWN]}"] if beyond else []
    if not found and len(mine) == len(theirs):
        at = next(i for i, pair in enumerate(zip(mine, theirs, strict=True)) if pair[0] != pair[1])
        found = [f"  option {at}: {mine[at]} / {theirs[at]}"]
    return found or [f"  {len(mine)} options / {len(theirs)}: some come more than once"]


def fault_text(library: Library, session: Session) -> str:
    number, detail = session.fault()
    return library.fault_text(number, detail)


class Compiled:
    """A compiled game beside the interpreter."""

    def __init__(self, variant: Variant, library: Library) -> None:
        self.variant, self.library = variant, library
        self.configured = variant.configured()
        self.machine = self.configured.machine
        self.names, self.session = Names(self.machine.program), Session(library)
        self.shape = library.shape

    def close(self) -> None:
        self.session.close()

    # ----------------------------------------------------------------------------------------- step by step

    def steps(self, seed: int, most: int = 2000) -> tuple[int, str]:
        """A play decision by decision; how many there were, and where it ended. At secret decisions it stops."""
        way, rng = Way(self.variant.name, seed), random.Random(seed)
        machine, session = self.machine, self.session
        v = machine.start(seed)
        mine = self._go(v)
        theirs = session.start(seed)
        for step in range(most):
            self._same(way, v, mine, theirs)
            if isinstance(mine, str) or mine.kind != "choice":
                return step, mine if isinstance(mine, str) else mine.kind
            k = rng.randrange(len(mine.options))
            way.taken.append(str(mine.options[k]))
            if step % 5 == 4:
                self._carried_over(way)
            try:
                assert mine.choice is not None
                machine.choose(v, mine.choice, mine.options[k])
                mine = self._go(v)
            except RulesFault as fault:
                mine = fault.message
            theirs = session.run() if session.take(k) else -1
        return most, BROKEN_OFF

    def _go(self, v: State) -> Stop | str:
        try:
            return self.machine.run(v)
        except RulesFault as fault:
            return fault.message

    def _same(self, way: Way, v: State, mine: Stop | str, number: int) -> None:
        theirs = KINDS[number]
        kind = "fault" if isinstance(mine, str) else mine.kind
        if kind != theirs:
            told = f" ({mine})" if isinstance(mine, str) else ""
            other = f" ({fault_text(self.library, self.session)})" if number == -1 else ""
            raise way.part(f"{kind}{told} / {theirs}{other}", [])
        if isinstance(mine, str):
            text = fault_text(self.library, self.session)
            if text != mine:
                raise way.part("the faults differ", [f"  {mine}", f"  {text}"])
            return
        there = self.library.exported(self.session.state)
        if v[: self.names.size] != there:
            raise way.part("the states differ", self.names.differences(v, there))
        if mine.kind != "choice":
            return
        if self.session.seat() != mine.seat:
            raise way.part(f"seat {mine.seat} / {self.session.seat()} decides", [])
        options = [tuple(option) for option in mine.options]
        found = self.session.options()
        cut = [row[: len(option)] for row, option in zip(found, options, strict=False)]
        if len(found) != len(options) or cut != options:
            shown = cut if len(found) == len(options) else found
            raise way.part("the options differ", only_one_side(options, shown))

    def _carried_over(self, way: Way) -> None:
        """The state, taken out and brought back in, is the same to the last byte; the play goes on with it."""
        before = self.session.state
        after = self.library.imported(self.library.exported(before))
        lasting = self.library.lasting
        if before.raw[:lasting] != after.raw[:lasting]:
            at = next(i for i, pair in enumerate(zip(before.raw, after.raw, strict=True)) if pair[0] != pair[1])
            raise way.part(f"a state that is taken out and brought back differs at byte {at}", [])
        self.session.state = after

    # ------------------------------------------------------------------------------------------ whole plays

    def run(self, seed: int, number: int, most: int = 2000) -> int:
        """A whole play as simulations have it; how many decisions it took."""
        witness = Witness(self.configured)
        row, counts, fault = witness.play(play_seed(seed, number), most)
        told, added, state, text = self._played(seed, number, most)
        mine = fault.message if fault is not None else None
        same_end = mine is not None or witness.secret or witness.state[: self.names.size] == state
        if (row, counts, mine) == (told, added, text) and same_end:
            return row[4]
        for limit in range(most + 1):
            short = Witness(self.configured)
            one, ones, void = short.play(play_seed(seed, number), limit)
            other, others, state, text = self._played(seed, number, limit)
            mine = void.message if void is not None else None
            way = Way(self.variant.name, play_seed(seed, number), short.taken)
            if mine != text:
                raise way.part("the faults differ", [f"  {mine}", f"  {text}"])
            if mine is None and not short.secret and short.state[: self.names.size] != state:
                raise way.part("the states differ", self.names.differences(short.state, state))
            if one != other:
                raise way.part("what is written down differs", [f"  {one}", f"  {other}"])
            if ones != others:
                found = [
                    f"  {self._counted(i)}: {a} / {b}"
                    for i, (a, b) in enumerate(zip(ones, others, strict=False))
                    if a != b
                ]
                raise way.part("what is counted differs", found[:SHOWN])
            if limit > row[4] and limit > told[4]:
                break
        raise AssertionError("the plays differ as a whole and in no part")

    def _played(self, seed: int, number: int, limit: int) -> tuple[list[int], list[int], State, str | None]:
        row, counts = array("q", [0]) * self.shape.width, array("q", [0]) * self.shape.counts
        self.session.play(seed, number, row, counts, limit)
        text = fault_text(self.library, self.session) if row[0] == C.VOID else None
        state = self.library.exported(self.session.state)
        return list(row), list(counts), state, text

    def _counted(self, place: int) -> str:
        """What a count is of."""
        if place < self.shape.blocks:
            return f"block {place} ({self.machine.program.blocks[place].note})"
        for block, base in reversed(self.shape.choices.items()):
            end = self.machine.program.blocks[block].end
            assert isinstance(end, C.Choice)
            if base <= place < base + len(end.entries) + 3:
                return f"entry {place - base} of the choice of block {block}"
        name, base = max(((n, b) for n, b in self.shape.roots.items() if b <= place), key=lambda pair: pair[1])
        return f"member {place - base} of {name}"


class Witness(Interpreter):
    """An interpreter that remembers the last state and what was decided."""

    state: State
    secret = False  # whether the play was broken off among secret decisions, whose drafts only the interpreter keeps

    def play(self, seed: int, limit: int) -> tuple[list[int], list[int], RulesFault | None]:
        self.taken: list[str] = []
        with self.census:
            row, fault = self.one(seed, limit)
        counts = list(self.census.counts)
        self.census.counts[:] = [0] * self.shape.counts
        return row, counts, fault

    def _play(self, v: State, row: list[int], bot: State, limit: int) -> None:
        self.state = v
        super()._play(v, row, bot, limit)

    def _together(self, v: State, node: C.Together, row: list[int], bot: State, limit: int) -> None:
        try:
            super()._together(v, node, row, bot, limit)
        except BrokenOff:
            self.secret = True
            raise

    def _decide(self, v: State, stop: Stop, row: list[int], bot: State, limit: int) -> Any:
        if row[4] >= limit:
            raise BrokenOff
        option = stop.options[draw(bot, 0, len(stop.options)) if len(stop.options) > 1 else 0]
        decided(row, len(stop.options))
        assert stop.choice is not None
        self.census.note(v, stop.choice, option)
        self.taken.append(str(option))
        return option
