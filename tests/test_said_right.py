"""What is said of a game is so: whatever the options, wherever lines have moved, in the words of the designer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from screens import SIZES, seen

import ruledsl
from ruledsl.cli.main import main
from ruledsl.compiler import pipeline
from ruledsl.compiler.fixing import fix
from ruledsl.diagnostics.render import render
from ruledsl.telling.describe import describe
from ruledsl.telling.text import as_text

GAME = """
ruledsl: 1
game: fog
players: 2
options: {big: {is: bool, start: false, label: a big game}}
board: {grid: {width: 3, height: 3}}
pieces: {man: {per: player, count: if big then 9 else 3}}
define: {most: if big then 9 else 3}
actions:
  step:
    menu: main
    title: {en: take a step, ru: сделать шаг}
    choose: {c: board where empty(c), k: 1..most}
    where: true
    do:
      - if: any(reserve(man))
        then: {move: the(first(reserve(man))), to: c}
play:
  - turns: players
    until: turn_number > 4
    do:
      - choose one: main
scoring: {rows: {all: 1}}
"""


def said(tmp_path: Path, text: str) -> str:
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return "\n".join(render(one) for one in pipeline.check(path).sorted())


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("big and k == 7", False),
        ("k == 7 and big", False),
        ("not big or k != 7", False),
        ("if big then k == 7 else k == 2", False),
        ("k == 7", True),
        ("big or k == 7", True),
    ],
)
def test_what_an_option_leaves_out_is_not_told_to_be_never_so(tmp_path: Path, condition: str, told: bool) -> None:
    assert ("T214" in said(tmp_path, GAME.replace("where: true", f"where: {condition}"))) == told


def test_a_branch_that_an_option_leaves_out(tmp_path: Path) -> None:
    inside = "- if: big\n        then: {if: k == 7, then: {say: seven}}\n      - if: any(reserve"
    assert "T214" not in said(tmp_path, GAME.replace("- if: any(reserve", inside))


def test_a_menu_is_looked_through_by_an_effect(tmp_path: Path) -> None:
    text = GAME.replace("where: true", "where: true").replace(
        "choose one: main", "if: possible(main, turn_number > 0)\n        then: {choose one: main}"
    )
    assert "declare `effects: {a_main: {choose one: main}}` and write `possible(a_main(), …)`" in said(tmp_path, text)
    right = text.replace("possible(main,", "possible(a_main(),").replace(
        "actions:", "effects: {a_main: {choose one: main}}\nactions:"
    )
    assert "error" not in said(tmp_path, right)


def test_a_comma_before_where(tmp_path: Path) -> None:
    found = said(tmp_path, GAME.replace("where: true", "where: distance(c, a1, where empty(c)) > 0"))
    assert "`where` needs a name and a set before it" in found, found
    assert "!=" not in found


def test_changes_are_told_by_the_lines_of_the_file_as_it_was(tmp_path: Path) -> None:
    """Braces become lines first; what is found after that stands further down by then."""
    path = tmp_path / "game.yaml"
    text = GAME.replace("label: a big game", "label: a big, big game").replace(
        "until: turn_number", "untill: turn_numbr"
    )
    path.write_text(text, encoding="utf-8")
    lines = text.splitlines()
    found = fix(path)
    assert len({one.round for one in found.changes}) > 1, found.changes
    for change in found.changes:
        assert change.line <= len(lines)
        shown = change.before[0].strip().split(":")[0]
        assert shown in lines[change.line - 1], (change, lines[change.line - 1])


def test_the_first_step_of_a_choice_has_the_title_of_its_action(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME.replace("    where: true\n", "    stepwise: true\n"), encoding="utf-8")
    play = ruledsl.load(path).start(seed=1)
    assert play.options(0)[0].text == "take a step a1"
    assert play.options(0, "ru")[0].text == "сделать шаг a1"


def test_labels_of_small_words_name_what_is_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.yaml"
    head, play = GAME.split("actions:")[0], GAME.split("play:")[1]
    choice = 'choose one:\n          - {choose: {c: board, p: players}, label: "{c} of {p}", do: []}\n'
    path.write_text(f"{head}play:{play}".replace("choose one: main\n", choice), encoding="utf-8")
    assert main(["simulate", str(path), "-n", "4", "--backend", "interpreter", "--all"]) == 0
    assert "‹c› of ‹p›" in capsys.readouterr().out


def test_counts_of_pieces_are_told_for_other_options(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    assert "Man: 3 for each player (9 with “a big game”: yes)" in as_text(describe(ruledsl.load(path), "en"), 100)


@pytest.mark.parametrize("game", ["love-letter", "burgs"])
def test_a_word_that_is_a_card_too_marks_no_card(game: str) -> None:
    """What is guessed or bought is called like cards in discard piles; these cannot be chosen and are not marked."""
    screens = seen(game, SIZES[1], "en").screens
    assert screens
    for screen in screens:
        assert not re.search(r"(?:discard|played|open): [^\n]*×(?! \w)", screen), screen
        assert "× ×" not in screen
        if re.search(r"^ +\d+ .*holds the", screen, re.M):
            assert "× " not in re.sub(r"\d+ × ", "", screen), screen
