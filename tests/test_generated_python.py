"""Plays at random on generated Python: they come out as those of the interpreter, by shorter ways."""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from agreement import Variant, variants

import games
import ruledsl
from ruledsl.compiler.dump import STAGES
from ruledsl.engine.machine import Machine
from ruledsl.engine.primitives import Between
from ruledsl.engine.random import draw
from ruledsl.generate.passes import NONE_OFF, Off, Pass
from ruledsl.generate.python_called import MOST_FOUND, joined, members, nth, reach, reach_on
from ruledsl.generate.python_machine import BrokenOff, GeneratedMachine, RandomBot
from ruledsl.generate.python_plays import PlaysProgram
from ruledsl.generate.python_program import LATER, PythonProgram
from ruledsl.ir import core as C
from ruledsl.ir.walk import parts
from ruledsl.runtime.game import Configured
from ruledsl.simulation.generated import Generated
from ruledsl.simulation.interpreter import Interpreter

EXAMPLES = games.ROOT / "examples"


def example(name: str) -> Configured:
    return Variant(EXAMPLES / f"{name}.yaml", 2, {}).configured()


def program_of(text: str, tmp_path: Path) -> C.Program:
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return ruledsl.load(path, backend="interpreter").configured().machine.program


@cache
def source(name: str) -> str:
    return PlaysProgram(example(name).machine.program).write()


def function(text: str, name: str) -> str:
    return next(part for part in re.split(r"^(?=def )", text, flags=re.M) if part.startswith(f"def {name}("))


def rolls(text: str) -> str:
    return "".join(part for part in re.split(r"^(?=def )", text, flags=re.M) if part.startswith("def roll_"))


def plays(executor: Interpreter, count: int, limit: int) -> tuple[list[int], list[int]]:
    rows = array("q", bytes(8 * count * executor.shape.width))
    counts = array("q", bytes(8 * executor.shape.counts))
    executor.run(11, 5, rows, counts, limit)
    return rows.tolist(), counts.tolist()


def agree(configured: Configured, count: int, limit: int, without: Off = NONE_OFF) -> None:
    made = Generated(configured, without)
    assert plays(made, count, limit) == plays(Interpreter(configured), count, limit)


# ------------------------------------------------------------------------------------------------------ agreement


def first_and_last(path: Path) -> Iterator[Variant]:
    counts = games.load(path).players
    for players in sorted({counts[0], counts[-1]}):
        yield Variant(path, players, {})


@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_plays_at_random_are_those_of_the_interpreter(path: Path) -> None:
    for variant in first_and_last(path):
        agree(variant.configured(), 3, 150)


@pytest.mark.long
@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_plays_at_random_are_always_those_of_the_interpreter(path: Path) -> None:
    for number, variant in enumerate(variants(path)):
        agree(variant.configured(), 3 if number else 25, 1000)


@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_the_source_of_plays_is_shown_whole(path: Path) -> None:
    configured = next(first_and_last(path)).configured()
    text = STAGES["plays"](None, configured.world, configured.machine.program)  # type: ignore[arg-type]
    assert text.startswith(f"# {configured.machine.program.name}: made by ruledsl")
    assert " object at 0x" not in text
    assert LATER not in text
    functions = text[text.index("\ndef ") :]
    compile(functions, "functions", "exec")
    assert functions.count("\ndef roll_") > 0


@pytest.mark.parametrize("name", ["tic-tac-toe", "hex", "amazons", "love-letter", "rock-paper-scissors"])
def test_a_play_may_be_broken_off_anywhere(name: str) -> None:
    configured = example(name)
    for limit in range(14):
        agree(configured, 3, limit)


ENDLESS = """\
ruledsl: 1
game: endless
title: Endless
players: 2
values: {n: 0..9}
actions:
  go:
    choose: {k: 1..2}
    do:
      - set: {n: n + k}
play:
  - turns: players
    do:
      - choose one: [go]
      - if: n >= 8
        then:
          - while: n < 9 or n == 9
            most: 100000000
            do:
              - set: {n: 9}
"""


@pytest.mark.parametrize(
    "without", [NONE_OFF, frozenset([Pass.BLOCK_TREES])], ids=["in_a_function", "from_block_to_block"]
)
def test_a_loop_without_decisions_makes_a_play_void(tmp_path: Path, without: Off) -> None:
    path = tmp_path / "endless.yaml"
    path.write_text(ENDLESS, encoding="utf-8")
    faults, endings = [], []
    configured = ruledsl.load(path, backend="interpreter").configured()
    for executor in (Interpreter(configured), Generated(configured, without)):
        executor.machine.most_steps = 700
        fault = executor.fault(3, 100)
        assert fault is not None
        faults.append(fault.message)
        endings.append(executor.one(3, 100)[0])
    assert faults == ["nothing was decided for 700 steps: a loop of the rules never ends"] * 2
    assert endings[0][0] == C.VOID
    assert endings[0][4:] == endings[1][4:]  # decisions, and options


def test_a_play_may_have_more_steps_than_are_allowed_between_decisions() -> None:
    executor = Generated(example("breakthrough"))
    executor.machine.most_steps = 5
    rows = [executor.one(seed, 1000) for seed in range(5)]
    assert all(fault is None for _, fault in rows)
    assert min(row[4] for row, _ in rows) > 20
    executor.machine.most_steps = 5_000_000
    assert [executor.one(seed, 1000)[0] for seed in range(5)] == [row for row, _ in rows]


@pytest.mark.parametrize("name", ["tic-tac-toe", "breakthrough", "hex"])
def test_a_machine_for_plays_at_random_may_stop_at_decisions(name: str) -> None:
    program = example(name).machine.program
    machines = Machine(program), GeneratedMachine(program, counting=True)
    machines[1].module.source.index("def roll_")
    states, rng = [machine.start(4) for machine in machines], random.Random(4)
    for _ in range(200):
        one, other = (machine.run(v) for machine, v in zip(machines, states, strict=True))
        assert (one.kind, one.options) == (other.kind, other.options)
        assert states[0][: program.layout.size] == states[1][: program.layout.size]
        if one.choice is None:
            break
        option = rng.choice(one.options)
        for machine, v in zip(machines, states, strict=True):
            machine.choose(v, one.choice, option)
    assert one.kind == "over"


# ------------------------------------------------------------------------------------------------------- decisions


def test_the_bot_draws_as_is_laid_down() -> None:
    bot = RandomBot(GeneratedMachine(example("tic-tac-toe").machine.program, counting=True))
    rng = random.Random(5)
    sizes = [rng.choice([1, 2, 3, 7, 30, 1000, 3_000_000_000, (1 << 32) - 1]) for _ in range(2000)]
    bot.begin(99, len(sizes))
    stream = [99]
    for size in sizes:
        assert bot.decided(size) == (draw(stream, 0, size) if size > 1 else 0)
    assert bot.sizes == sizes
    with pytest.raises(BrokenOff):
        bot.decided(2)


def test_a_member_is_found_by_its_place() -> None:
    rng = random.Random(1)
    for size in (1, 7, 31, 32, 33, 64, 121, 400):
        mask = rng.getrandbits(size) | 1 << size - 1
        assert [nth(mask, k) for k in range(mask.bit_count())] == list(members(mask))


def test_options_are_not_listed_where_they_can_be_counted() -> None:
    plain = PythonProgram(example("connect-four").machine.program).write()
    assert "options_8(v, " in plain
    text = source("connect-four")
    assert "options_" not in text
    assert re.search(r"(x\d+) = .*\n +(n\d+) = \1\.bit_count\(\)", rolls(text))
    assert re.search(r"= nth\(x\d+, k\)", rolls(text))


def test_options_of_several_values_are_counted_by_the_last() -> None:
    text = rolls(source("breakthrough"))
    assert re.search(r"for p in members\(TABLE\d+\[v\[1\]\] & v\[\d+\]\)", text), "only pawns on the board are asked"
    assert re.search(r"groups\d+\.append\(\((x\d+), (x\d+), p\)\)", text)
    assert "seen" not in text, "no pawn on a square is the twin of another"


MENU = """\
ruledsl: 1
game: menu
title: Menu
players: 2
board: {grid: {width: 4, height: 4}}
pieces:
  stone: {per: player, count: 9}
  wall: {count: 3}
values: {left: 0..99, gold: 0..99}
play:
  - turns: players
    do:
      - choose one:
          - choose: {cell: board where empty(cell)}
            label: "{cell}"
            do: [{move: stone, to: cell}, {set: {gold: gold + 1}}]
          - choose: {cell: board where (cell.stone.owner == me and cell.x != cell.y)}
            when: turn_number > 4
            label: "away from {cell}"
            do: [{remove: cell.stone}]
          - choose: {s: me.stone where s.space, to: "set(step(s.space, d) for d in [n, e, sw])"}
            where: empty(to) and to.x + gold < 30
            label: "{s} {to}"
            do: [{move: s, to: to}]
          - choose: {w: wall, cell: board where empty(cell)}
            where: cell.x == 2 or turn_number % 3 == 0
            label: "{w} {cell}"
            do: [{move: w, to: cell}]
          - choose: {k: 1..gold}
            label: "{k}"
            do: [{set: {gold: gold - k}}]
          - choose: {k: 1..3, p: stone}
            where: gold > k
            label: "{k} {p}"
            do: [{set: {gold: gold - k}}]
          - label: wait
            when: turn_number % 2 == 0
            do: [{set: {left: left + 1}}]
        optional: true
      - if: turn_number > 40
        then: {win: me}
"""


@pytest.mark.parametrize("name", ["cell", "nth", "decided", "joined", "groups", "k", "RAN"])
def test_every_sort_of_menu_is_counted(tmp_path: Path, name: str) -> None:
    path = tmp_path / "menu.yaml"
    path.write_text(re.sub(r"\bcell\b", name, MENU), encoding="utf-8")
    configured = ruledsl.load(path, backend="interpreter").configured()
    agree(configured, 20, 100)
    row = plays(Generated(configured), 1, 100)[0]
    assert row[6] > 40, "the menu is for trying out many options"


TWINS = """\
ruledsl: 1
game: twins
title: Twins
players: 2
board: {grid: {width: 3, height: 3}}
pieces: {stone: {per: player, count: 4}}
play:
  - turns: players
    do:
      - choose one:
          - choose: {s: me.stone, to: board where empty(to)}
            label: "{s} {to}"
            do: [{move: s, to: to}]
          - choose: {s: me.stone where s.space, k: 1..3}
            label: "{s} {k}"
            do: [{remove: s}]
      - if: turn_number > 30
        then: {win: me}
"""


def test_pieces_that_nothing_tells_apart_are_one_option(tmp_path: Path) -> None:
    path = tmp_path / "twins.yaml"
    path.write_text(TWINS, encoding="utf-8")
    configured = ruledsl.load(path, backend="interpreter").configured()
    agree(configured, 20, 100)
    text = rolls(PlaysProgram(configured.machine.program).write())
    assert text.count("twin(v, s)") == 1, "who must stand on a space has no twin there"


# ---------------------------------------------------------------------------------------------------------- counts


def test_blocks_that_run_as_often_as_others_are_not_counted() -> None:
    configured = example("tic-tac-toe")
    writer = PlaysProgram(configured.machine.program)
    text = rolls(writer.write())
    assert writer.told
    assert not any(f"RAN[{block}] += 1" in text for block in writer.told)
    counts = plays(Generated(configured), 9, 100)[1]
    reference = plays(Interpreter(configured), 9, 100)[1]
    assert [counts[block] for block in writer.told] == [reference[block] for block in writer.told]
    assert all(reference[block] for block in writer.told)


def test_what_may_fail_counts_for_itself(tmp_path: Path) -> None:
    program = program_of(MENU, tmp_path)
    writer = PlaysProgram(program)
    assert all(writer._cannot_fail(op) for block in writer.told for op in program.blocks[block].ops)
    first = next(entry.to for choice in writer.choices.values() for entry in choice.entries)
    assert any(isinstance(op, C.Move) for op in program.blocks[first].ops)
    assert first not in writer.told


# ---------------------------------------------------------------------------------------------------------- pieces


def test_a_piece_from_a_reserve_is_moved_without_a_call() -> None:
    text = rolls(source("tic-tac-toe"))
    assert "move(" not in text
    assert "first_lying" not in text
    assert "raise no_room(" in text
    assert "what is kept" not in source("tic-tac-toe"), "what had to wait is written in the end"
    assert re.search(r"v\[KEPT0\[(x\d+)\]\] \^= 1 << x\d+", text)


@pytest.mark.parametrize("name", ["fjords", "backgammon", "love-letter", "secret_routes", "tic-tac-toe"])
def test_what_lies_on_a_spot_is_told_alike(name: str) -> None:
    program = next(first_and_last(games.PATHS[games.NAMES.index(name)])).configured().machine.program
    machine = GeneratedMachine(program)
    assert machine.module
    lying, first_lying = machine.names["lying"], machine.names["first_lying"]
    assert lying is not machine.pieces.on
    rng, seen = random.Random(2), set()
    for seed in range(3):
        v = machine.start(seed)
        for _ in range(30):
            stop = machine.run(v)
            if stop.choice is None:
                break
            for spot in range(-1, program.spots.count):
                lies = machine.pieces.on(v, spot)
                seen.add(len(lies))
                assert lying(v, spot) == lies
                for kinds in (-1, rng.getrandbits(program.roots["piece"].size), 0):
                    assert first_lying(v, spot, kinds) == machine.pieces.first_of(v, spot, kinds)
            machine.choose(v, stop.choice, rng.choice(stop.options))
    assert {0, 1} < seen


@pytest.mark.parametrize("name", ["fjords", "love-letter", "secret_routes", "holdem"])
def test_who_sees_a_spot_is_told_alike(name: str) -> None:
    program = next(first_and_last(games.PATHS[games.NAMES.index(name)])).configured().machine.program
    plain, machine = Machine(program), GeneratedMachine(program)
    rng, v = random.Random(2), machine.start(5)
    for _ in range(25):
        stop = machine.run(v)
        if stop.choice is None:
            break
        spots = range(program.spots.count)
        assert [machine.pieces.seers(v, spot) for spot in spots] == [plain.pieces.seers(v, spot) for spot in spots]
        machine.choose(v, stop.choice, rng.choice(stop.options))


def test_what_lies_between_spaces_is_looked_up() -> None:
    text = source("reversi")
    assert re.search(r"in BETWEEN0\[t\d+, x\d+\]|in \(BETWEEN0\[t\d+, x\d+\] if x\d+ >= 0 else \(\)\)", text)
    assert "ask_between" not in text
    row = tuple(to if 0 <= to < 5 else -1 for at in range(5) for to in (at + 1, at - 1))
    between = Between(row, 2)
    assert [between[0, at] for at in range(5)] == [(), (), (1,), (1, 2), (1, 2, 3)]
    assert between[4, 1] == (3, 2)
    assert between[2, 2] == ()


def test_effects_that_are_tried_out_are_written_without_counts() -> None:
    text = source("go")
    assert "RAN[" in function(text, "p0_put")
    assert "MACHINE" not in function(text, "p0_put"), "it is run in earnest only"
    tried = function(text, "tried_p0_put")
    assert "RAN[" not in tried
    assert "move(v, " in tried
    assert "tried_out(" not in text
    assert "    tried_p0_put(v)" in rolls(text)


def test_a_fingerprint_is_found_from_any_other() -> None:
    program = example("go").machine.program
    plain, machine = Machine(program), GeneratedMachine(program)
    assert machine.module
    fingerprint = machine.names["fingerprint_0"]
    node = next(found for found in _parts_of(program) if getattr(found, "name", "") == "fingerprint")
    rng, states = random.Random(8), []
    for seed in range(3):
        v = machine.start(seed)
        for _ in range(40):
            stop = machine.run(v)
            if stop.choice is None:
                break
            states.append(v[:])
            machine.choose(v, stop.choice, rng.choice(stop.options))
    rng.shuffle(states)
    marks = [fingerprint(v) for v in states]
    assert marks == [plain.evaluator.of(node)(v) for v in states]
    assert len(set(marks)) > 60


def _parts_of(program: C.Program) -> Iterator[Any]:
    work: list[Any] = [*(op for block in program.blocks for op in block.ops), *(f.body for f in program.formulas)]
    while work:
        node = work.pop()
        yield node
        work += parts(node)


COLORS = """\
ruledsl: 1
game: colors
title: Colors
players: 2
board: {grid: {width: 4, height: 4}}
types: {color: [red, green, blue]}
pieces: {disc: {count: 16, state: {color: maybe color}}}
define:
  tint(color c): set(s in board where s.disc.color == c)
  hued(maybe color c): set(s in board where s.disc.color == c)
  held(color c): set(d in disc where d.color == c)
play:
  - turns: players
    do:
      - choose one:
          - choose: {cell: board where empty(cell), c: color}
            do:
              - move: disc
                to: cell
              - set: {cell.disc.color: c}
          - choose: {cell: tint(red), c: color}
            where: count(held(c)) < 5
            do:
              - set: {cell.disc.color: c}
          - choose: {cell: "set(s in board where s.disc.color in [green, blue])"}
            when: count(hued(red)) > 1
            do:
              - set: {cell.disc.color: none}
          - choose: {cell: board where (cell.disc and cell not in hued(none))}
            when: count(tint(green)) > 2
            do:
              - remove: cell.disc
      - if: turn_number > 50
        then: {win: me}
"""


def test_sets_by_a_state_of_pieces_are_kept_in_plays(tmp_path: Path) -> None:
    path = tmp_path / "colors.yaml"
    path.write_text(COLORS, encoding="utf-8")
    configured = ruledsl.load(path, backend="interpreter").configured()
    program = configured.machine.program
    writer, plain = PlaysProgram(program), PythonProgram(program)
    writer.write(), plain.write()
    assert {kept.of for kept in writer.absorber.slots if kept.state >= 0} == {"spaces", "pieces"}
    assert not [kept for kept in plain.absorber.slots if kept.state >= 0]
    agree(configured, 30, 120)
    agree(configured, 5, 120, frozenset([Pass.KEPT_SETS]))


def test_expressions_of_few_inputs_are_tables_in_plays() -> None:
    plain = function(PythonProgram(example("breakthrough").machine.program).write(), "options_8")
    assert "STEPS0[" in plain
    assert "STEPS0[" not in rolls(source("breakthrough"))


# ------------------------------------------------------------------------------------------------------ connections


def flood(near: tuple[int, ...], one: int, allowed: int) -> int:
    found = edge = one & allowed
    while edge:
        around = 0
        for at in members(edge):
            around |= near[at]
        edge = around & allowed & ~found
        found |= edge
    return found


class Asked(tuple[int, ...]):
    """Neighbours that count how often one looks at them."""

    times = 0

    def __getitem__(self, at: int) -> int:  # type: ignore[override]
        Asked.times += 1
        return tuple.__getitem__(self, at)


def test_what_was_found_connected_is_not_searched_anew() -> None:
    rng = random.Random(3)
    size = 60
    known: dict[int, tuple[int, int]] = {}
    near = Asked(sum(1 << rng.randrange(size) for _ in range(3)) for _ in range(size))
    goals = [(rng.getrandbits(size), rng.getrandbits(size) & rng.getrandbits(size)) for _ in range(4)]
    for _ in range(20):
        allowed = rng.getrandbits(size) & rng.getrandbits(size) & rng.getrandbits(size)
        Asked.times, looks, steps = 0, 0, 0
        for _ in range(40):
            if rng.random() < 0.9:
                allowed |= 1 << rng.randrange(size)
            else:
                allowed &= ~(1 << rng.randrange(size))
            for one, other in goals:
                before = Asked.times
                assert joined(known, near, one, other, allowed) == bool(flood(near, one, allowed) & other)
                steps += Asked.times - before - flood(near, one, allowed).bit_count()
                looks += flood(near, one, allowed).bit_count()
    assert Asked.times
    for one in range(2 * MOST_FOUND):
        joined(known, near, one, 1, (1 << size) - 1)
    assert len(known) <= MOST_FOUND


def test_what_can_be_reached_is_searched_on() -> None:
    rng, size = random.Random(4), 50
    near = Asked(sum(1 << rng.randrange(size) for _ in range(3)) for _ in range(size))
    known: dict[int, tuple[int, int]] = {}
    allowed = 0
    for _ in range(400):
        allowed ^= 1 << rng.randrange(size)
        for start in (1, 1 << 20, 5 << 30):
            found = start
            while True:
                around = sum({1 << at for on in members(found) for at in members(near[on])})
                if not around & allowed & ~found:
                    break
                found |= around & allowed
            assert reach_on(known, near, start, allowed) == found == reach(near, start, allowed, -1)
    Asked.times = 0
    assert reach_on(known, near, 1, allowed) == reach(tuple(near), 1, allowed, -1)
    assert not Asked.times


def test_a_growing_group_is_looked_at_once() -> None:
    row = Asked((1 << max(0, at - 1)) | 1 << at + 1 for at in range(200))
    known: dict[int, tuple[int, int]] = {}
    Asked.times = 0
    allowed = 0
    for at in range(100):
        allowed |= 1 << at
        assert joined(known, row, 1, 1 << 99, allowed) == (at == 99)
    assert Asked.times == 100
    assert not joined(known, row, 1, 1 << 99, allowed & ~(1 << 50)), "what is taken away does not connect"
