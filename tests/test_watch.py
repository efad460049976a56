"""Whoever waits is told for what, and who stops a command with Ctrl-C is told where it was."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ruledsl.generate.native import compiler

HEAD = "ruledsl: 1\ngame: slow\nplayers: 2\n"
ROOT = Path(__file__).parent.parent
SLOW = "any(a in 1..2000000000 where a + {} < 0)"

# What is worked out for very long, and the line that is told.
RULES = {
    "a choice": (
        "play:\n  - choose: {n: 1..3 where " + SLOW.format("n") + "}\n    by: the(first(players))\n"
        "    else: {tie: players}\n",
        5,
    ),
    "a formula": (
        "define:\n  slow(0..9 n): " + SLOW.format("n") + "\nvalues: {v: 0..9}\n"
        "play:\n  - set: {v: 3}\n  - if: slow(v)\n    then: {tie: players}\n  - tie: players\n",
        5,
    ),
    "a value that is set": (
        "values: {v: 0..9}\nplay:\n  - set: {v: 3}\n  - set: {v: if " + SLOW.format("v") + " then 1 else 2}\n"
        "  - tie: players\n",
        7,
    ),
    "a random pick": (
        "values: {v: 1..9}\nplay:\n  - set: {v: 3}\n  - random: {n: 1..2000000000 where n + v < 0}\n"
        "  - if: n == v\n    then: {tie: players}\n  - tie: players\n",
        7,
    ),
    "a loop": (
        "values: {v: 0..2000000}\nplay:\n  - repeat: 400000\n    do:\n"
        "      - set: {v: count(a in 1..100000 where a > v)}\n  - tie: players\n",
        8,
    ),
}  # fmt: skip

# Stops the command after it has worked for a while, as soon as the rules are worked out.
STOPPED = """
import os, signal, sys, threading, time
import ruledsl.cli.watch as watch
from ruledsl.cli.main import main
from ruledsl.runtime.whereabouts import doing, of_thread, place
watch.EVERY, watch.FIRST = 0.05, {first}
def stop(thread):
    before = None
    while True:  # until it has been at one rule for a while
        frames = of_thread(thread)
        now = doing(frames), place(frames)
        if now[0] == {doing!r} and (now[0] == 'reading' or now[1] and now == before) and (said or {first} > 1):
            break
        before = now
        time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)
said, say = [], watch._say
def told(*words):
    say(*words)
    said.extend(words[1:] if place(words[1]) else [])
watch._say = told
threading.Thread(target=stop, args=(threading.get_ident(),), daemon=True).start()
raise SystemExit(main({words!r}))
"""


def stopped(words: list[str], first: float = 60.0, doing: str = "rules") -> tuple[int, str, str]:
    """A command that is stopped while it does something: its exit code, and all that it wrote."""
    line = STOPPED.format(words=words, first=first, doing=doing)
    run = subprocess.run(
        [sys.executable, "-c", line], capture_output=True, text=True, cwd=ROOT, timeout=30, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "Traceback" not in run.stderr, run.stderr
    return run.returncode, run.stdout, run.stderr


def game_of(folder: Path, text: str) -> str:
    path = folder / "game.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    return str(path)


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")


@pytest.mark.parametrize("backend", ["interpreter", "python"])
@pytest.mark.parametrize("rule", RULES)
def test_who_waits_is_told_the_line_and_who_stops_too(rule: str, backend: str, tmp_path: Path) -> None:
    text, line = RULES[rule]
    game = game_of(tmp_path, text)
    code, _, err = stopped(["simulate", game, "-n", "1", "--backend", backend, "-j", "1"], 0.3)
    assert code == 130
    places = [
        f"running the rules at {game}:{at}" for at in ([line] if backend == "python" else range(5, 10))
    ]  # the reference tells the statement
    assert any(f"{place}; Ctrl-C stops it" in err for place in places), err
    assert any(f"ruledsl: stopped while {place}\n" in err for place in places), err


@pytest.mark.parametrize(
    "command", ["play --seats random", "test", "coverage --plays 1", "perft -d 2 --backend python"]
)
def test_every_command_that_runs_rules_tells_where_it_was(command: str, tmp_path: Path) -> None:
    text, line = RULES["a formula"]
    game = game_of(tmp_path, text)
    if command == "test":
        (tmp_path / "tests").mkdir()
        (tmp_path / "tests" / "a.yaml").write_text("tests: [{test: a, moves: [], expect: [turn_number == 0]}]\n")
    name, *rest = command.split()
    code, _, err = stopped([name, game, *rest])
    assert code == 130
    # The reference works there, for tests at first: it tells the first statement of the block.
    at = 8 if name in ("coverage", "test") else line
    assert err.endswith(f"ruledsl: stopped while running the rules at {game}:{at}\n"), err


def test_check_tells_what_it_reads(tmp_path: Path) -> None:
    names = "".join(f"  formula_number_{i}: formula_numbr_{i + 1}\n" for i in range(8000))
    game = game_of(tmp_path, "define:\n" + names + "play:\n  - tie: players\n")
    code, _, err = stopped(["check", game], doing="reading")
    assert code == 130
    assert "ruledsl: stopped while reading the rules" in err, err


def test_a_play_that_is_stopped_in_the_midst_of_a_move_stands_before_it(tmp_path: Path) -> None:
    slow = (
        "play:\n  - choose: {n: 1..3}\n    by: the(first(players))\n  - if: "
        + SLOW.format("n")
        + "\n    then: {tie: players}\n  - tie: players\n"
    )
    game, save = game_of(tmp_path, slow), tmp_path / "a.save"
    code, _, err = stopped(["play", game, "--seats", "random,random", "--save", str(save)])
    assert code == 130, err
    assert f"stopped while running the rules at {game}:7" in err, err
    back = subprocess.run(
        [sys.executable, "-m", "ruledsl", "play", game, "--from", str(save), "--seats", "human,human"],
        capture_output=True, text=True, cwd=ROOT, timeout=120, check=False, input="",
    )  # fmt: skip
    assert back.returncode == 0, back.stderr
    assert "2" in back.stdout


def test_compiled_code_is_stopped_at_once(tmp_path: Path) -> None:
    if compiler() is None:
        pytest.skip("there is no C compiler")
    game = game_of(
        tmp_path, "play:\n  - turns: players\n    do:\n      - choose: {n: 1..9}\n        else: {tie: players}\n"
    )
    words = ["perft", game, "-d", "40", "--backend", "c", "--divide"]
    line = f"print('on', flush=True)\nfrom ruledsl.cli.main import main\nraise SystemExit(main({words!r}))"
    program = subprocess.Popen(
        [sys.executable, "-c", line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert program.stdout is not None
    program.stdout.readline()
    time.sleep(4)
    program.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = program.communicate(timeout=60)
    assert program.returncode == 130, err
    assert "Traceback" not in err
    assert time.monotonic() - began < 10
    # Before it is compiled a line says what was being done; then there is nothing to say but how far it came.
    assert err.splitlines()[-1].startswith(("Stopped after", "ruledsl: stopped while")), err
