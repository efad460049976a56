"""What could take for ever, or fill the memory, has a bound: menus, loops that never end, rules that take for ever.

The bounds mean the same on every executor, and no game of the project comes near them.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from fuzz import within

from games import NAMES, PATHS, playout
from games import load as kept
from ruledsl.analysis.effort import MOST_AT_LEAST, endless
from ruledsl.cli.main import main
from ruledsl.compiler import pipeline
from ruledsl.compiler.dump import generated
from ruledsl.engine.batch import ENDING, Executor
from ruledsl.engine.machine import STEPS
from ruledsl.engine.menus import MOST_OPTIONS, TOO_MANY, at_most
from ruledsl.generate.native import FAULTS, compiler
from ruledsl.ir.core import RUNNING, VOID, WON
from ruledsl.runtime.game import Game, load
from ruledsl.simulation.generated import Generated
from ruledsl.simulation.interpreter import Interpreter
from ruledsl.simulation.native import Native
from ruledsl.simulation.run import simulate
from ruledsl.simulation.work import Task

HEAD = "ruledsl: 1\ngame: bounds\nplayers: 1\n"
EXECUTORS: dict[str, Callable[[Game], Executor]] = {
    "interpreter": lambda game: Interpreter(game.configured()),
    "python": lambda game: Generated(game.configured()),
    "c": lambda game: Native(game.configured()),
}


@pytest.fixture(params=EXECUTORS)
def executor(request: pytest.FixtureRequest) -> str:
    if request.param == "c" and compiler() is None:
        pytest.skip("there is no C compiler")
    return str(request.param)


def game_of(folder: Path, text: str) -> Game:
    path = folder / "game.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    return load(path)


def ending(executor: str, game: Game, limit: int = 1) -> int:
    """How a play at random ends."""
    made = EXECUTORS[executor](game)
    rows, counts = array("q", [0]) * made.shape.width, array("q", [0]) * made.shape.counts
    made.run(0, 0, rows, counts, limit)
    return rows[ENDING]


# ------------------------------------------------------------------------------------------------------ menus


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_no_menu_is_larger_than_check_says(path: Path) -> None:
    for play in playout(kept(path), 4, None, limit=60):
        stop = play.stop
        if stop.choice is not None:
            assert 0 < len(stop.options) <= at_most(stop.choice) <= 1_000_000


MENUS = {
    "numbers": "play:\n  - choose:\n      n: 1..300000 where n <= {most}\n    else: {{tie: players}}\n",
    "and a stop": "play:\n  - choose:\n      n: 1..300000 where n < {most}\n    optional: true\n"
    "    else: {{tie: players}}\n",
    "two variables": "play:\n  - choose:\n      a: 1..1000\n      b: 1..1000\n"
    "    where: (a - 1) * 1000 + b <= {most}\n    else: {{tie: players}}\n",
}


@pytest.mark.parametrize("menu", MENUS)
def test_a_menu_has_the_same_bound_on_every_executor(menu: str, executor: str, tmp_path: Path) -> None:
    for most, expected in ((MOST_OPTIONS, (RUNNING,)), (MOST_OPTIONS + 1, (VOID,))):
        text = MENUS[menu].format(most=most) + "  - while: turn_number == 0\n    do:\n      - choose: {m: 1..2}\n"
        assert ending(executor, game_of(tmp_path, text)) in expected, most


def test_a_menu_of_thousands_of_millions_fills_no_memory(executor: str, tmp_path: Path) -> None:
    text = "play:\n  - choose:\n      n: 1..2000000000 where n > 5\n    else: {tie: players}\n  - tie: players\n"
    began = time.process_time()
    assert ending(executor, game_of(tmp_path, text)) == VOID
    assert time.process_time() - began < 20


def test_three_spaces_of_a_large_board_are_a_fault_with_a_place(tmp_path: Path) -> None:
    text = """\
board: {grid: {width: 19, height: 19}}
play:
  - turns: players
    do:
      - choose: {a: board, b: board, c: board}
        where: a.x + b.x + c.x > 4
        else: {tie: players}
"""
    began = time.process_time()
    for backend in ("interpreter", "python"):
        path = tmp_path / "game.yaml"
        path.write_text(HEAD + text, encoding="utf-8")
        play = load(path, backend).start()
        assert play.fault is not None
        assert play.fault.message == TOO_MANY
        assert play.fault.span is not None
        assert play.fault.span.line == 8
    assert time.process_time() - began < 20


def test_step_by_step_it_is_no_large_menu(tmp_path: Path) -> None:
    text = """\
board: {grid: {width: 19, height: 19}}
play:
  - choose: {a: board, b: board, c: board}
    by: first(players)
    where: a.x + b.x + c.x > 4
    stepwise: true
    else: {tie: players}
  - tie: players
"""
    play = game_of(tmp_path, text).start()
    for _ in range(3):
        assert 300 < len(play.options()) <= 361
        play.choose(0)
    assert play.over


# -------------------------------------------------------------------------------------------- loops without end


LOOPS = {
    "turns": ("play:\n  - turns: players\n    do: {set: {a: 1}}\n", 6),
    "turns around a loop": (
        "play:\n  - turns: players\n    do:\n      - repeat: 40\n        do: {set: {a: 1}}\n      - set: {a: 2}\n",
        6,
    ),
    "a loop in turns": (
        "play:\n  - turns: players\n    do:\n      - repeat: 2000000000 - a\n        do: {set: {a: 1}}\n"
        "      - tie: players\n",
        8,
    ),
    "nobody can choose": (
        "play:\n  - while: a < 3\n    do:\n      - choose:\n          n: 1..9 where n + a > 20\n"
        "        else: {set: {a: 1}}\n",
        6,
    ),
    "an effect": (
        "effects:\n  e:\n    - repeat: 2000000000 - a\n      do: {set: {a: 1}}\nplay:\n  - e()\n  - tie: players\n",
        7,
    ),
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("backend", ["interpreter", "python"])
def test_a_loop_that_never_ends_is_named(loop: str, backend: Literal["interpreter", "python"], tmp_path: Path) -> None:
    text, line = LOOPS[loop]
    path = tmp_path / "game.yaml"
    path.write_text(HEAD + "values: {a: 0..9}\n" + text, encoding="utf-8")
    play = load(path, backend).start()
    assert play.fault is not None
    assert play.fault.message == f"nothing was decided for {STEPS} steps: a loop of the rules never ends"
    assert play.fault.span is not None
    assert play.fault.span.line == line, play.fault.span.text


def test_many_plays_that_never_end_are_told_soon(executor: str, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(HEAD + "values: {a: 0..9}\n" + LOOPS["turns around a loop"][0], encoding="utf-8")
    began = time.process_time()
    result = simulate(Task(str(path), 1, backend=executor), 30 if executor == "c" else 2, jobs=1)
    assert {(fault.line, fault.message) for fault in result.faults} == {
        (6, f"nothing was decided for {STEPS} steps: a loop of the rules never ends")
    }
    assert time.process_time() - began < 30


def test_the_numbers_are_those_of_the_code_in_c() -> None:
    support = (Path(pipeline.__file__).parent.parent / "generate/support.c").read_text(encoding="utf-8")
    assert f"MOST_STEPS = {STEPS}, MOST_OPTIONS = {MOST_OPTIONS}," in support
    assert FAULTS[-6] == TOO_MANY


# -------------------------------------------------------------------------------------- rules that take for ever


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_no_real_game_takes_for_ever(path: Path) -> None:
    assert list(endless(kept(path).configured().machine.program)) == []


def test_formulas_that_ask_twice_are_told_once(tmp_path: Path) -> None:
    text = "values: {v: 0..9}\ndefine:\n  a0: v\n"
    text += "".join(f"  a{i}: min(9, a{i - 1} + a{i - 1})\n" for i in range(1, 41))
    (tmp_path / "game.yaml").write_text(HEAD + text + "play:\n  - choose: {n: 1..3}\n    else: {tie: players}\n"
                                        "  - if: a40 > n\n    then: {tie: players}\n  - win: me\n")  # fmt: skip
    report = pipeline.check(tmp_path / "game.yaml")
    assert [found.code for found in report.sorted() if found.severity == "error"] == ["R319"]
    (found,) = [found for found in report.sorted() if found.code == "R319"]
    steps = int(found.message.split()[2].replace(",", ""))
    assert MOST_AT_LEAST < steps < 3 * MOST_AT_LEAST  # the first that takes too long, not the last


TWICE = {
    "conditions": ("n == k", "F(k) or F((k + I) % 10)", "no(k in 0..9 where not F40(k))"),
    "branches": ("n == k", "if F(k) then F((k + 1) % 10) else n == I % 10", "F40(3)"),
    "loops": ("n == k", "n == I % 10 and any(j in 0..9 where F(j) or F(k))", "F40(3)"),
    "pieces": (
        "any(m in stone where m.cell.x == k)",
        "F(k) or F((k + I) % 10)",
        "any(m in stone where F40(m.worth))",
    ),
    "regions": (
        "any(reachable(a1, c in board where empty(c) and c.x != k))",
        "F(k) and (n > 3 or F((k + 1) % 10))",
        "any(reachable(a1, c in board where F40(c.x)))",
    ),
}


@pytest.mark.parametrize("sort", TWICE)
def test_formulas_that_ask_each_other_twice_are_soon_written(sort: str, tmp_path: Path) -> None:
    """Forty of them, each of which asks the last one twice: whatever looks into formulas does so once."""
    first, each, asked = TWICE[sort]
    text = "board: {grid: {width: 3, height: 3}, space: cell}\n"
    text += "pieces:\n  stone: {count: 4, start: [a1, a2, a3, b1], state: {worth: 0..9}}\n"
    text += f"values: {{n: 0..9}}\ndefine:\n  f0(0..9 k): {first}\n"
    text += "".join(f"  f{i}(0..9 k): {each.replace('F(', f'f{i - 1}(').replace('I', str(i))}\n" for i in range(1, 41))
    text += "play:\n  - choose: {s: 1..3}\n  - set: {n: s}\n"
    text += f"  - if: {asked.replace('F40', 'f40')}\n    then: {{win: me}}\n"
    program = game_of(tmp_path, text).configured().machine.program
    for stage in ("python", "plays", "c"):
        with within(20):
            assert generated(stage, program)


# -------------------------------------------------------------------------------------------------------- Ctrl-C


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize(("backend", "jobs"), [("c", "1"), ("c", "2"), ("python", "1")])
def test_ctrl_c_is_heard_within_one_play(backend: str, jobs: str, tmp_path: Path) -> None:
    """A single play of two thousand million decisions: nobody waits for its end."""
    if backend == "c" and compiler() is None:
        pytest.skip("there is no C compiler")
    game = tmp_path / "game.yaml"
    game.write_text(
        f"{HEAD}play:\n  - turns: players\n    do:\n      - choose: {{n: 1..3}}\n        else: {{tie: players}}\n"
    )
    words = ["simulate", str(game), "-n", "2", "--limit", "2000000000", "-j", jobs, "--backend", backend]
    if backend == "c":  # compiled beforehand: the command then needs no time for it
        assert main(["simulate", str(game), "-n", "1", "--limit", "9", "-j", "1", "--backend", backend]) == 0
    for patience in (2, 6, 15, 40):  # more on a machine that has much else to do
        code, out, err, waited = _stopped(words, patience)
        assert code == 130, err
        assert "Traceback" not in err
        assert waited < 30
        if out:
            break
    assert "2 plays" in out or "0 of 2" in out, out


def _stopped(words: list[str], patience: float) -> tuple[int, str, str, float]:
    """A command that is stopped after some seconds: its exit code, what it wrote, and how long it took to stop."""
    line = f"print('on', flush=True)\nfrom ruledsl.cli.main import main\nraise SystemExit(main({words!r}))"
    program = subprocess.Popen(
        [sys.executable, "-c", line],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent,
    )  # fmt: skip
    assert program.stdout is not None
    program.stdout.readline()
    time.sleep(patience)
    program.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = program.communicate(timeout=60)
    return program.returncode, out, err, time.monotonic() - began


# ------------------------------------------------------------------------------------------------- random picks


def test_a_random_pick_has_the_same_bound_on_every_executor(executor: str, tmp_path: Path) -> None:
    for most, expected in ((MOST_OPTIONS, WON), (MOST_OPTIONS + 1, VOID)):
        pick = f"play:\n  - random: {{n: 1..300000 where n <= {most}}}\n"
        text = pick + "  - if: n > 0\n    then: {win: player_1}\n  - tie: players\n"
        assert ending(executor, game_of(tmp_path, text)) == expected, most
