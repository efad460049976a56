"""Tests of games take short ways: compiled conditions, no notes of random plays, functions made after some decisions.

None of that may change what they say: here each short way is held against the long one.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from ruledsl.generate.python_machine import GeneratedMachine
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.game import load
from ruledsl.runtime.play import Play
from ruledsl.source.document import Scalar, nodes_of
from ruledsl.testing import asking, runner
from ruledsl.testing.asking import Asker
from ruledsl.testing.runner import Tests

SHIPPED = [path for path in games.PATHS if path.parent.parent.name == "games" or path.parent.name == "examples"]


def value(made: Any, v: list[int]) -> Any:
    """What comes out, or what fault it is."""
    try:
        return made(v[:])
    except RulesFault as fault:
        return str(fault.message)


@pytest.mark.parametrize("path", SHIPPED, ids=games.named)
def test_compiled_conditions_say_what_the_reference_says(path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def both(asker: Asker, node: C.Node, v: list[int]) -> Any:
        nonlocal compared
        machine = asker.machine
        assert isinstance(machine, GeneratedMachine)
        made = asker.compiled.get(node)
        if made is None:
            if not machine.writer.knows(node):  # of a formula that no rule asks for
                return machine.evaluator.of(node)(v)
            made = asker.compiled[node] = machine.function_of(node)
        wanted, said = value(machine.evaluator.of(node), v), value(made, v)
        assert said == wanted, getattr(node, "span", node)
        if isinstance(wanted, str):
            raise RulesFault(None, wanted)
        compared += 1
        return wanted

    monkeypatch.setattr(Asker, "ask", both)
    tests = Tests(load(path))
    for case in tests.cases[:40]:
        if not case.fields.has("play"):
            assert tests.run_case(case).passed, case.name
    asked = [item for case in tests.cases[:40] for item in nodes_of(case.fields.get("expect"))]
    assert compared or not any(isinstance(item, Scalar) for item in asked)


@pytest.mark.parametrize("name", ["hex", "draughts", "dike-watch", "court-intrigue"])
def test_a_play_of_which_nothing_is_noted_goes_the_same_way(name: str) -> None:
    game = load(games.ROOT / "examples" / f"{name}.yaml")
    noted, plain = game.start(seed=3), Play(game, game.configured(), 3, noting=False)
    dice = Random(3)
    for _ in range(60):
        if noted.over:
            break
        seat = dice.choice(noted.pending)
        stop = noted.stop_of(seat)
        assert stop is not None
        number = dice.randrange(len(stop.options))
        noted.choose(number, seat)
        plain.choose(number, seat)
        assert (noted.state, noted.pending, noted.over) == (plain.state, plain.pending, plain.over)
    assert noted.decisions
    assert not plain.decisions
    assert not plain.log.lines


@pytest.mark.parametrize("patience", [0, 1, 7, 10_000])
@pytest.mark.parametrize("name", ["chess", "fortress"])
def test_it_does_not_matter_when_functions_are_made(name: str, patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = next(path for path in SHIPPED if games.named(path) == name)
    monkeypatch.setattr(runner, "PATIENCE", patience)
    monkeypatch.setattr(asking, "OFTEN", patience)
    cases = [case for case in Tests(load(path)).cases if not case.fields.has("perft")][:12]
    tests = Tests(load(path), cases=cases)
    assert all(one.passed for one in tests.run())
    if patience == 0:
        assert not any(configured.machine.interprets for configured in tests.met)  # type: ignore[attr-defined]


def test_tests_may_ask_for_what_no_rule_asks_for(tmp_path: Path) -> None:
    """A formula that only a test speaks of has no function of its own, however often it is asked."""
    path = tmp_path / "nuts.yaml"
    rules = (games.ROOT / "examples" / "tic-tac-toe.yaml").read_text(encoding="utf-8")
    define = "define:\n  marked: count(m in mark where m.space)\n"
    test = "tests:\n  - test: marks\n    play: {games: 20}\n    always: marked < 10\n"
    path.write_text(rules + define + test, encoding="utf-8")
    (case,) = Tests(load(path)).run()
    assert case.passed, case
