"""Every operation on values means the same to all executors, whether or not a game has it.

A small game is given a block that works out every operation on values of the state and writes down what comes of it.
Then the interpreter, generated Python and compiled C take the same decision in the same states.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from agreement import QUICK

from ruledsl import load
from ruledsl.engine.machine import Machine
from ruledsl.generate.native import Library, Session, compiler
from ruledsl.generate.python_machine import GeneratedMachine
from ruledsl.ir import core as C
from ruledsl.ir.fingerprint import fingerprint
from ruledsl.ir.ops import OPS, Row
from ruledsl.types import NO_NUMBER

GIVEN, LOW = 12, -9  # how many values there are to be worked with, and from where on they are
# Up to where they are: C keeps a set of members in one word, two, a vector of four or eight, or an array of them.
HIGHEST = (60, 70, 150, 200, 300, 600)
SEATS = 4
# Where not every number makes sense: between which bounds an argument is.
BOUNDS = {
    ("span", 0): (0, 40),
    ("span", 1): (0, 69),
    ("rotate", 1): (0, 9),
    ("rotate", 2): (5, 9),
    ("bag_of", 0): (-1, 3),
}
SIZES = {("bag_of", 2): SEATS, ("bag_widen", 1): SEATS + 2}
# Arguments that belong together: a price has numbers for its free parts, too, and `free` the sorts that pay each; two
# exchanges give 2 of the first sort for 1 of the second, and 1 of that for 1 of the last.
TOGETHER: dict[str, tuple[str, ...]] = {
    "price_met": ("price", "bag", "free"),
    "payments": ("price", "bag", "number", "free", "number"),
    "payment": ("price", "bag", "number", "free", "number"),
    "payment_next": ("price", "bag", "bag", "number", "free"),
    "exchanges_needed": ("price", "bag", "most", "number", "free", "moves", "uses"),
}
PLAYS = 60

RULES = """\
ruledsl: 1
game: operations
players: 1
types: {{member: [{members}]}}
values: {{{given}, {found}}}
play:
  - repeat: 100
    do:
      - choose: {{n: 1..2}}
        label: "{{n}}"
        else: {{end: game}}
      - set: {{given_0: n}}
"""


class Made:
    """A program that works out all operations after a decision: from which slots, and into which."""

    def __init__(self, folder: Path, high: int) -> None:
        self.high = high
        given = [f"given_{i}" for i in range(GIVEN)]
        found = [f"found_{i}" for i in range(len(self._results(list(range(GIVEN)))))]
        path = folder / "operations.yaml"
        text = RULES.format(
            given=", ".join(f"{name}: {LOW}..{high}" for name in given),
            members=", ".join(f"m{i}" for i in range(high + 1)),
            found=", ".join(f"{name}: -2147483647..2147483647" for name in found),
        )
        path.write_text(text, encoding="utf-8")
        self.program = load(path).configured().machine.program
        at = {one.name: one.base for one in self.program.layout.fields}
        self.given, self.found = [at[name] for name in given], [at[name] for name in found]
        results = self._results(self.given)
        self.words = [words for words, _ in results]
        sets = (op for block in self.program.blocks for op in block.ops if isinstance(op, C.Put))
        decided = next(op for op in sets if op.base == self.given[0])
        block = next(block for block in self.program.blocks if decided in block.ops)
        block.ops[:0] = [C.Put(slot, None, node) for slot, (_, node) in zip(self.found, results, strict=True)]

    def _results(self, given: list[int]) -> list[tuple[str, C.Node]]:
        self.slots, self.rng = given, random.Random(3)
        return [result for row in OPS.values() for result in self.results(row)]

    def number(self, low: int = LOW, high: int | None = None) -> C.Node:
        node: C.Node = C.Get(self.rng.choice(self.slots))
        if low > LOW:
            node = C.Op("greatest", (node, C.Const(low)))
        return node if high is None or high >= self.high else C.Op("least", (node, C.Const(high)))

    def of(self, sort: str, row: Row, at: int, many: int) -> C.Node:
        """An argument of a sort, out of numbers of the state; a list has `many` items."""
        low, high = BOUNDS.get((row.name, at), (LOW, self.high))
        if (row.name, at) in SIZES:
            return C.Const(SIZES[row.name, at])
        if row.fails is not None and row.fails.arg == at:
            return self.number(1)
        match sort:
            case "truth":
                return C.Op("less", (self.number(), self.number()))
            case "set":
                return C.Op("collect", (C.Op("make", tuple(self.number() for _ in range(4))),))
            case "list":
                least = 0 if "set" in (*row.takes, row.gives) else LOW
                return C.Op("make", tuple(self.number(least) for _ in range(many)))
            case "price":
                return C.Op("make", tuple(self.number(0, 3) for _ in range(SEATS + 2)))
            case "moves":
                return C.Op("make", tuple(map(C.Const, (0, 2, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1))))
            case "most":
                return C.Op("make", (C.Const(9),) * SEATS)
            case "uses":
                return C.Op("make", (self.number(0, 3), self.number(0, 3)))
            case "free":
                return C.Op("make", tuple(self.number(1, 15) for _ in range(2)))
            case "bag":
                return C.Op("make", tuple(self.number(0, 9) for _ in range(SEATS)))
        if row.name in TOGETHER:
            low, high = 0, 6
        elif "bag" in row.takes or row.gives == "bag":
            low, high = max(low, -1 if row.name in ("bag_item", "bag_of") and at else 0), min(high, 3)
        return self.number(low, high)

    def results(self, row: Row) -> Iterator[tuple[str, C.Node]]:
        """An operation three times, of other values each time, as numbers that tell what comes of it."""
        for many in (1, 4, 5):
            takes = TOGETHER.get(row.name, [sort.removesuffix("…") for sort in row.takes])
            node = C.Op(row.name, tuple(self.of(sort, row, at, many) for at, sort in enumerate(takes)))
            asked: tuple[tuple[str, tuple[C.Node, ...]], ...]
            match row.gives:
                case "set":
                    asked = ("size", (node,)), ("lowest", (node,)), ("total_of", (C.Op("members", (node,)),))
                case "list" | "bag":
                    none = C.Const(NO_NUMBER)
                    asked = ("length", (node,)), ("total_of", (node,)), ("head", (node, none)), ("tail", (node, none))
                case _:
                    asked = (("add", (node, C.Const(0))),)
            for name, args in asked:
                yield f"{name} of {row.name}" if row.gives in ("set", "list", "bag") else row.name, C.Op(name, args)


@pytest.fixture(scope="module", params=HIGHEST)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("operations"), request.param)


def decided(machine: Machine, values: list[int], made: Made) -> list[int]:
    """What is found after a decision in a state with these values."""
    v = machine.start(1)
    stop = machine.run(v)
    for slot, value in zip(made.given, values, strict=True):
        v[slot] = value
    assert stop.choice is not None
    machine.choose(v, stop.choice, stop.options[0])
    machine.run(v)
    return [v[slot] for slot in made.found]


def test_all_executors_find_the_same(made: Made) -> None:
    rng = random.Random(1)
    program = made.program
    machines = [Machine(program), GeneratedMachine(program)]
    session = None if compiler() is None else Session(Library(program, fingerprint(program), QUICK))
    told: set[str] = set()
    for _ in range(PLAYS):
        values = [rng.choice([rng.randint(LOW, made.high), rng.randint(-1, 3)]) for _ in range(GIVEN)]
        mine, theirs = (decided(machine, values, made) for machine in machines)
        parted = {made.words[i]: (mine[i], theirs[i]) for i in range(len(mine)) if mine[i] != theirs[i]}
        assert not parted, f"the interpreter and Python part at {values}"
        told |= {made.words[i].split()[-1] for i, number in enumerate(mine) if number != 0}
        if session is not None:
            session.start(1)
            state = session.library.exported(session.state)
            for slot, value in zip(made.given, values, strict=True):
                state[slot] = value
            session.state = session.library.imported(state)
            session.take(0)
            session.run()
            state = session.library.exported(session.state)
            found = [state[slot] for slot in made.found]
            parted = {made.words[i]: (mine[i], found[i]) for i in range(len(mine)) if mine[i] != found[i]}
            assert not parted, f"the interpreter and C part at {values}"
    assert told == set(OPS), "every operation comes to something"
