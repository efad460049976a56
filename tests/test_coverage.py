"""What rules tests and plays carried out: dead rules are named with their lines."""

import json
from pathlib import Path

import pytest

from ruledsl.cli.main import main

GAME = """\
ruledsl: 1
game: dead
players: [a, b]
values: {n: 0..99, m: 0..9}
define:
  doubled(0..99 x): x * 2
  unused_but_named: n + 1
effects:
  grow(0..3 k):
    - add: {n: k}
triggers:
  always_there:
    after: grow
    do: {set: {m: 1}}
  never_there:
    after: grow
    when: n > 98
    do: {set: {m: 2}}
play:
  - turns: players
    until: n > 8
    do:
      - choose one:
          - label: one
            do: grow(1)
          - label: two
            do: grow(2)
          - label: three
            when: n > 50
            do: grow(3)
      - if: doubled(n) < 0 - m
        then: {set: {m: 3}}
      - if: n == 77
        then: {set: {n: unused_but_named}}
scoring:
  rows: {n: n}
"""
TESTS = """\
tests:
  - test: one more
    moves: [one]
    expect: n == 1
"""


def test_dead_rules_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole report: what random plays never reach in these rules is dead on purpose."""
    monkeypatch.chdir(tmp_path)
    Path("dead.yaml").write_text(GAME)
    assert main(["coverage", "dead.yaml", "--plays", "20"]) == 0
    assert capsys.readouterr().out.splitlines()[1:-1] == [
        "  dead.yaml:7: formula never used: unused_but_named",
        "  dead.yaml:15: trigger never run: never_there",
        "  dead.yaml:17: never holds: n > 98",
        "  dead.yaml:18: never ran: {set: {m: 2}}",
        "  dead.yaml:28: never chosen: three",
        "  dead.yaml:30: never ran: grow(3)",
        "  dead.yaml:31: never holds: doubled(n) < 0 - m",
        "  dead.yaml:32: never ran: {set: {m: 3}}",
        "  dead.yaml:33: never holds: n == 77",
        "  dead.yaml:34: never ran: {set: {n: unused_but_named}}",
    ]


def test_of_tests_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dead.yaml").write_text(GAME)
    Path("dead.test.yaml").write_text(TESTS)
    assert main(["coverage", "dead.yaml", "--tests", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["tests"], found["failed"], found["plays"]) == (1, 0, 0)
    undone = {(i["kind"], i["line"]) for i in found["files"]["dead.yaml"] if not i["done"]}
    assert ("statement", 27) in undone  # nobody chose `two`
    assert ("entry", 26) in undone
    assert ("statement", 25) not in undone
    assert ("branch holds", 21) in undone  # the end is never reached
    assert 0 < found["percent"] < 100


def test_what_only_bots_ask_for_is_no_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    advice = "  hoped_for: deeper + doubled(n)\n  deeper: n - 1\n"
    text = GAME.replace("  unused_but_named:", f"{advice}  unused_but_named:")
    Path("dead.yaml").write_text(text.replace("effects:", "heuristic: hoped_for\neffects:", 1))
    main(["coverage", "dead.yaml", "--plays", "2", "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    formulas = {i["name"] for i in found["files"]["dead.yaml"] if i["kind"] == "formula"}
    assert formulas == {"doubled", "unused_but_named"}, "what a rule asks for, too, is still told"


def test_failing_tests_show_in_the_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dead.yaml").write_text(GAME)
    Path("dead.test.yaml").write_text(TESTS.replace("n == 1", "n == 2"))
    assert main(["coverage", "dead.yaml", "--tests"]) == 1
    assert "1 test (1 failed)" in capsys.readouterr().out
