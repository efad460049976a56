"""What executors are told of values is true: every value of every expression lies in its kind, in plays at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from agreement import variants

import ruledsl
from games import NAMES, PATHS, ROOT, load
from ruledsl.engine.evaluate import Evaluator
from ruledsl.engine.machine import Machine
from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import LIST, SET, Kind, a_list, a_set, join, meet, number
from ruledsl.ir.walk import within

MOST_DECISIONS, LONG_DECISIONS = 30, 100


def has(kind: Kind, value: Any) -> bool:
    """Whether a value is of a kind."""
    if kind.sort == LIST:
        return isinstance(value, tuple) and all(kind.low <= item < kind.top for item in value)
    if kind.sort == SET:
        return 0 <= value < 1 << kind.top
    return kind.sort == "word" or kind.low <= value < kind.top


class Watch:
    """Compares what an evaluator works out with the kinds of a program; `wrong` is what was not so."""

    def __init__(self) -> None:
        self.wrong: set[str] = set()
        self.kinds: dict[int, tuple[Kinds, set[int]]] = {}

    def kind(self, machine: Any, node: C.Node) -> Kind | None:
        if not isinstance(machine, Machine):
            return None
        if id(machine) not in self.kinds:
            kinds = Kinds(machine.program)
            self.kinds[id(machine)] = kinds, {id(one) for one in within(*kinds.roots)}
        kinds, asked = self.kinds[id(machine)]
        return kinds.of(node) if id(node) in asked else None

    def look(self, machine: Any, node: C.Node, value: Any) -> None:
        kind = self.kind(machine, node)
        if kind is not None and not has(kind, value):
            what, line = type(node).__name__, node.span.line if node.span is not None else "?"
            self.wrong.add(f"{what} {getattr(node, 'name', '')} in line {line}: {value} is not in {kind}")


@contextmanager
def watched(patch: pytest.MonkeyPatch) -> Iterator[Watch]:
    watch, made = Watch(), Evaluator.of

    def of(self: Evaluator, node: C.Node) -> Any:
        plain = made(self, node)

        def seen(v: list[int]) -> Any:
            value = plain(v)
            watch.look(self.machine, node, value)
            return value

        return seen

    with patch.context() as context:
        context.setattr(Evaluator, "of", of)
        yield watch


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_values_lie_in_their_kinds(path: Path, thorough: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(variants(path))
    for number_, variant in enumerate({one.name: one for one in (found[0], found[-1])}.values()):
        with watched(monkeypatch) as watch:
            game, rng = ruledsl.load(path, backend="interpreter"), random.Random(number_)
            play = game.start(players=variant.players, options=variant.options, seed=number_)
            for _ in range(LONG_DECISIONS if thorough else MOST_DECISIONS):
                if play.over:
                    break
                seat = rng.choice(play.pending)
                play.choose(rng.randrange(len(play.options(seat))), seat)
        assert watch.kinds, "nothing was looked at"
        assert not watch.wrong, f"{variant.name}: " + "\n".join(sorted(watch.wrong)[:10])


def test_kinds_are_joined_and_met() -> None:
    assert join(number(0, 3), number(-1, 2)) == number(-1, 3)
    assert join(a_set(3), number(0, 9)) == a_set(4)  # a small number that stands for a set
    assert meet(number(-5, 9), number(0, 20)) == number(0, 9)
    assert meet(number(0, 9), a_set(3)) == number(0, 9)
    assert meet(a_list(number(0, 9)), None) == a_list(number(0, 9))


def test_types_stay_on_expressions() -> None:
    """Nearly all that the rules say is typed, and bounds follow through sums."""
    program = load(ROOT / "examples/gem-traders/game.yaml").configured().machine.program
    blocks = [part for block in program.blocks for part in (*block.ops, block.end) if part is not None]
    nodes = [node for node in within(*blocks) if isinstance(node, C.Node) and not isinstance(node, C.Const)]
    assert sum(node.type is not None for node in nodes) > len(nodes) / 2
