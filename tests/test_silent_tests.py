"""What stands in a test and has no effect is told: a test that cannot fail shows nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_testing import ROW

from ruledsl.diagnostics.render import render
from ruledsl.runtime.game import load
from ruledsl.testing.runner import Tests

DICE = """\
ruledsl: 1
game: dice
players: [anna, boris]
types: {face: [sun, moon]}
play:
  - turns: players
    until: turn_number > 2
    do:
      - choose one:
          - label: roll the die
            do:
              - random: {f: face}
              - say: "{f}"
          - {label: stay, do: []}
"""


def told(folder: Path, game: str, tests: str) -> list[str]:
    """What is said of the tests of a game, each with its line."""
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    (folder / "tests").mkdir()
    (folder / "tests/all.yaml").write_text(tests, encoding="utf-8")
    suite = Tests(load(folder / "game.yaml"))
    found = [str(failure) for outcome in suite.run() for failure in outcome.failures]
    return found + [render(finding) for finding in suite.report.sorted()]


@pytest.mark.parametrize(
    ("test", "line", "said"),
    [
        ("moves: [roll, stay]\n    chance: [moon, sun]\n    expect: not over", 4, "no random event came for `sun`"),
        ("moves: [stay]\n    chance: [moon]\n    expect: not over", 4, "came for `moon`"),
        ("moves: [stay]\n    chance: [no_such_thing]\n    expect: not over", 4, "nothing here has this name"),
        ("chance: [{f: sun}]\n    moves: [roll]\n    expect: not over", 3, "an outcome is a name or a list of names"),
        ("moves: [roll]\n    chance: [anna]\n    expect: not over", 4, "`anna` cannot come out here"),
        ("expect: {refused: [rol the die]}", 3, "nothing here is called `rol`"),
        ("expect: {refused: [roll a die]}", 3, "`roll a die` can never be offered: no option has `a` beside"),
        ("expect: {refused: [sun die]}", 3, "`sun die` can never be offered"),
        ("expect: {refused: {pass: it}}", 3, "is not refused because of `it`"),
        ("expect: {offered: {ana: [stay]}}", 3, "there is no player `ana`"),
        ("expect: {offered: {anna: [stya]}}", 3, "nothing here is called `stya`"),
        ("expect: {offered: {anna: [sun]}}", 3, "`sun` is not offered"),
        ("expect: {legal: [stay, stay]}", 3, "`stay` is an option that is named before"),
        ("forbidden: no\n    moves: [stay]", 4, "`moves:` has no effect where `forbidden:`"),
    ],
)
def test_what_has_no_effect_is_told_at_its_line(test: str, line: int, said: str, tmp_path: Path) -> None:
    found = told(tmp_path, DICE, f"tests:\n  - test: something\n    {test}\n")
    assert any(said in text and f"all.yaml:{line}:" in text for text in found), "\n\n".join(found)


def test_what_is_not_offered_now_is_refused_with_any_words_of_the_game(tmp_path: Path) -> None:
    tests = """\
tests:
  - test: taken spaces are refused, by label, by notation and by name
    moves: [a1]
    expect: {refused: [place at a1, a1, cell=a1]}
  - test: so are spaces beyond the board
    expect: {refused: [place at a9]}
"""
    found = told(tmp_path, ROW, tests)
    assert not found, "\n\n".join(found)
