"""Expressions that are worked out when a game is compiled have the values that they have in play."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import ruledsl
from ruledsl.generate.c_program import CProgram
from ruledsl.generate.tabled import Table
from ruledsl.ir import core as C


def _machine(name: str) -> Any:
    game = ruledsl.load(f"examples/{name}.yaml")
    return game.configured(game.players[0]).machine


def _looked_up(table: Table, machine: Any, v: list[int]) -> int:
    index = 0
    for leaf, kind in table.inputs:
        index = index * (kind.top - kind.low) + machine.evaluator.of(leaf)(v) - kind.low
    return int(table.values[index])


def _tables(name: str) -> tuple[CProgram, Any, list[tuple[C.Formula, Table]]]:
    machine = _machine(name)
    writer = CProgram(machine.program)
    found = [
        (f, t) for f in writer.kinds.formulas if f.body is not None and (t := writer.out.tables.of(f.body)) is not None
    ]
    return writer, machine, found


@pytest.mark.parametrize(
    ("name", "formulas"), [("backgammon", {"left", "goal"}), ("draughts", {"ways"}), ("breakthrough", set())]
)
def test_tables_hold_what_formulas_are_in_play(name: str, formulas: set[str]) -> None:
    writer, machine, found = _tables(name)
    assert {formula.name for formula, _ in found} >= formulas
    rng = random.Random(1)
    v = machine.start(1)
    for _ in range(40):
        stop = machine.run(v)
        if stop.kind != "choice":
            break
        for formula, table in found:
            ranges = [range(writer.kinds.slot(slot).top) for slot in formula.slots]
            for values in itertools.product(*ranges):
                for slot, value in zip(formula.slots, values, strict=True):
                    v[slot] = value
                assert _looked_up(table, machine, v) == int(machine.evaluator.of(formula.body)(v)), formula.name
        machine.choose(v, stop.choice, rng.choice(stop.options))


def test_the_ways_of_a_piece_are_a_table_of_who_moves_and_where_it_is() -> None:
    writer = CProgram(_machine("breakthrough").program)
    (choice,) = writer.out.choices.values()
    (entry,) = choice.entries
    table = writer.out.tables.of(entry.variables[1].each.domain[0])
    assert table is not None
    assert len(table.inputs) == 2


def test_what_lies_on_the_board_is_no_table() -> None:
    writer, _, found = _tables("draughts")
    assert {formula.name for formula, _ in found}.isdisjoint({"steps", "jumps"})
    jumps = [formula.body for formula in writer.kinds.formulas if formula.name == "jumps" and formula.body is not None]
    assert not any(map(writer.out.tables.of, jumps))


def test_men_that_are_off_the_board_are_not_asked() -> None:
    """Whoever has no space has nowhere to step to: the loop begins with those on the board."""
    for name in ("draughts", "breakthrough", "chess"):  # in chess it takes looking through slides and trials
        writer = CProgram(_machine(name).program)
        entries = [entry for choice in writer.out.choices.values() for entry in choice.entries if entry.variables]
        needs = [writer.options.needs_of(entry.variables[0]) for entry in entries]
        assert any(needs), name
    writer = CProgram(_machine("backgammon").program)  # men on the bar enter
    entries = [entry for choice in writer.out.choices.values() for entry in choice.entries]
    assert not any(writer.options.needs_of(variable) for entry in entries for variable in entry.variables)


@pytest.mark.parametrize("steps", [(1, 2, -1), (1, 2, 0)], ids=["line", "ring"])
def test_a_slide_over_the_empty_board_holds_every_slide(steps: tuple[int, ...]) -> None:
    """So tables of what pieces reach at most are made with nothing on the board, around a ring as along a line."""
    machine = _machine("chess")
    spots = machine.program.spots
    longer = 0
    for start, most in itertools.product(range(3), range(1, 8)):
        node = C.Primitive("slide", (C.Const(start), C.Const(0), C.Const(most)), (steps, 1, 0))
        slide = machine.evaluator.of(node)
        v = list(machine.program.template)
        reached = {}
        for lies in itertools.product((-1, 0), repeat=3):
            v[spots.top : spots.top + 3] = lies
            reached[lies] = slide(v)
        whole = reached[-1, -1, -1]
        assert all(whole[: len(some)] == some for some in reached.values())
        longer += any(len(some) < len(whole) for some in reached.values())
    assert longer


def test_a_variable_of_a_choice_is_as_wide_as_what_it_runs_over() -> None:
    writer = CProgram(_machine("draughts").program)
    pieces, squares = writer.program.roots["piece"].size, writer.program.roots["square"].size
    for choice in writer.out.choices.values():
        for entry in choice.entries:
            kinds = [writer.kinds.slot(variable.slot) for variable in entry.variables]
            assert all(kind.low == 0 and kind.top <= max(pieces, squares) for kind in kinds)
