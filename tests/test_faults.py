"""Games whose rules fail in play: every command tells the place in the rules and why, never how ruledsl is made."""

from pathlib import Path

import pytest

from ruledsl.cli import main
from ruledsl.generate.native import compiler
from ruledsl.runtime.game import BACKENDS as PLAYS_ON

HEAD = "ruledsl: 1\ngame: faulty\nplayers: 2\n"
BOARD = "board: {grid: {width: 3, height: 3}}\npieces: {man: {count: 3, start: [a1, b1, c1]}}\n"
TURN = "play:\n  - turns: players\n    do:\n"
# The rules, the line that fails, and what is said of it. A choice of one thing, so that all plays are alike.
GAMES = {
    "range": ("values: {n: 0..3}\n" + TURN + "      - add: {n: 2}\n", 8, "`n` would become 4"),
    "division": ("values: {n: 0..3}\n" + TURN + "      - set: {n: 3 / n}\n", 8, "this divides by 0"),
    "none": (
        "values: {n: maybe 0..3, m: 0..3}\n" + TURN + "      - set: {m: the(n)}\n",
        8,
        "what `the` demands is none",
    ),
    "none in a sum": (
        "values: {n: {per: player, is: maybe 0..3}, m: 0..9}\n"
        + TURN
        + "      - set: {m: sum(p.n for p in players)}\n",
        8,
        "what is added up is none",
    ),
    "nowhere": (BOARD + TURN + "      - move: man\n        to: step(a1, s)\n", 9, ""),
    "loop": ("values: {n: 0..3}\nplay:\n  - while: n < 3\n    most: 5\n    do: {set: {n: 1}}\n", 6, "ran 5 times"),
    "chance": (
        "values: {n: 0..3}\nplay:\n  - random: {x: set(i in 1..3 where i < n)}\n  - set: {n: x}\n",
        6,
        "there is nothing to pick from",
    ),
    "list": ("values: {l: list of 0..9 up to 3}\n" + TURN + "      - add: {l: 1}\n", 8, "and 3 are the most"),
    "condition": (
        "values: {n: 0..3}\n" + TURN + "      - choose: {k: 1..1}\n        where: 6 / n > k\n",
        9,
        "this divides by 0",
    ),
    "tokens": (
        "pools: {gold: {total: 5, at: {player: purse}}}\n" + TURN + "      - pay: {gold: 1}\n",
        8,
        "there is not enough `gold`",
    ),
    "tried": (
        "values: {n: 0..3}\neffects:\n  e(0..3 k): {add: {n: k}}\n"
        + TURN
        + "      - choose: {k: 3..3}\n        where: would(e(k), n < 4)\n      - e(k)\n",
        6,
        "`n` would become 6",
    ),
    "secret": (
        "values: {n: {per: player, is: 0..3}}\nplay:\n  - together: players\n    do:\n      - choose: {k: 3..3}\n"
        "      - set: {me.n: k / me.n}\n  - tie: players\n",
        9,
        "this divides by 0",
    ),
    "start": (
        "values: {n: 0..3}\nsetup:\n  - set: {n: 3 / n}\n" + TURN + "      - choose: {k: 1..1}\n",
        6,
        "divides by 0",
    ),
    "scoring": (
        "values: {n: 0..3}\nplay:\n  - {choose: {k: 1..1}, by: player_1}\nscoring: {rows: {a: 6 / n}}\n",
        7,
        "this divides by 0",
    ),
    "ties": (
        "values: {n: 0..3}\nplay:\n  - {choose: {k: 1..1}, by: player_1}\nscoring: {rows: {a: n}, ties: [6 / n]}\n",
        7,
        "this divides by 0",
    ),
}
BACKENDS = ["interpreter", "python", pytest.param("c", marks=pytest.mark.skipif(compiler() is None, reason="no C"))]


@pytest.fixture(params=GAMES)
def faulty(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The file of a game, and what must be said: its place and the reason."""
    rules, line, reason = GAMES[request.param]
    monkeypatch.chdir(tmp_path)
    Path("faulty.yaml").write_text(HEAD + rules, encoding="utf-8")
    return f"faulty.yaml:{line}", reason


def test_check_has_nothing_against_them(faulty: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["check", "faulty.yaml"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("backend", PLAYS_ON)
def test_play_tells_the_place(
    faulty: tuple[str, str], backend: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEDSL_BACKEND", backend)
    code = main.main(["play", "faulty.yaml", "--plain", "--seats", "random,random", "--seed", "1"])
    said = capsys.readouterr()
    assert (code, said.err) == (1, "")
    assert "There is a mistake in the rules of this game." in said.out
    assert "Please tell the author of the game" in said.out
    assert all(part in said.out for part in faulty), said.out


@pytest.mark.parametrize("backend", BACKENDS)
def test_simulate_tells_the_place(faulty: tuple[str, str], backend: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main.main(["simulate", "faulty.yaml", "-n", "4", "--backend", backend, "--limit", "50"])
    said = capsys.readouterr().out
    assert code == 1, said
    assert "(4 plays)" in said
    assert all(part in said for part in faulty), said


def test_test_tells_the_place(faulty: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("faulty.test.yaml").write_text("tests:\n  - test: whole\n    play: {games: 2}\n    finally: true\n", "utf-8")
    code = main.main(["test", "faulty.yaml"])
    said = capsys.readouterr().out
    assert code == 1, said
    assert "1 test, 1 failed" in said
    assert all(part in said for part in faulty), said


def test_a_label_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = "  - choose: {k: 1..2}\n    label: 'take {6 / n}'\n    by: player_1\n"
    rules = "values: {n: 0..3}\nplay:\n" + asked + "  - tie: players\n"
    Path("faulty.yaml").write_text(HEAD + rules, encoding="utf-8")
    code = main.main(["play", "faulty.yaml", "--plain", "--seats", "random,random"])
    said = capsys.readouterr().err
    assert (code, said) == (1, "ruledsl: faulty.yaml:7: the rules end in a fault: this divides by 0\n")
