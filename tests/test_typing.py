"""A game that is typed: what is offered comes in a useful order, and each word tells what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.workbench import language
from ruledsl.workbench.complete import Item, complete
from ruledsl.workbench.project import Project

GAME = """\
ruledsl: 1
game: shells
players: 2..4
board:
  grid: {width: 5, height: 5}
  space: pool
pieces:
  shell:
    rows:
      - {name: cowrie, worth: 1, copies: 10}
      - {name: conch, worth: 3, copies: 4}
    attributes: {worth: 0..3}
places:
  hand: {per: player, seen: owner, holds: shell}
  sack: {holds: shell, seen: none}
values:
  luck: {per: player, is: 0..10, start: 2}
setup:
  - move: reserve(shell)
    to: sack
  - shuffle: sack
play:
  - turns: players
    do:
      - draw: 1
        from: sack
        to: me.hand
      - choose: {c: me.hand, s: pool where empty(s)}
        else: {end: game}
      - move: c
        to: s
      - add: {me.luck: 1}
scoring:
  rows:
    shells: sum(c.worth for c in me.hand)
"""


def offered(tmp_path: Path, before: str, typed: str) -> list[Item]:
    """What is offered where `|` stands, in place of something; the game was whole before."""
    assert before in GAME
    path = tmp_path / "shells.yaml"
    path.write_text(GAME, encoding="utf-8")
    project = Project(path)
    project.view()
    text = GAME.replace(before, typed, 1)
    project.write(path, text.replace("|", "", 1))
    return complete(project, path, text.index("|"))


@pytest.mark.parametrize("typed", ["{me.|}", "{me.|: 1}", "{me.l|}", "{me.lu|"])
def test_what_is_changed_is_offered_behind_the_dot(tmp_path: Path, typed: str) -> None:
    assert {item.word for item in offered(tmp_path, "{me.luck: 1}", typed)} == {"hand", "luck"}


def test_who_takes_turns_is_offered_with_the_names_of_the_game(tmp_path: Path) -> None:
    found = offered(tmp_path, "turns: players", "turns: |")
    names = {item.word for item in found if item.rank == min(one.rank for one in found)}
    assert "players" in names
    assert "abs" not in names


def test_a_statement_that_has_its_verb_is_offered_no_other(tmp_path: Path) -> None:
    found = [item.word for item in offered(tmp_path, "        from: sack\n        to: me.hand\n", "        |\n")]
    assert found[:2] == ["from", "to"]
    assert not {"add", "choose", "deal", "turns"} & {*found}


@pytest.mark.parametrize(
    ("at", "word", "wanted"),
    [
        ("players: 2", "players", "How many players"),
        ("seen: owner", "owner", "Who sees what lies in it"),
        ("pool where", "pool", "`pool`: all spaces of board"),
        ("cowrie", "cowrie", "`cowrie`: name of shell"),
        ("me.hand,", "hand", "`hand`: place\n"),
        ("luck: 1", "luck", "a number 0..10, per player"),
        ("draw: 1", "draw", "top of a pile"),
        ("turns: players", "turns", "Players take turns"),
        ("scoring:", "scoring", "Points by source"),
    ],
)
def test_a_word_tells_what_it_is_in_its_place(tmp_path: Path, at: str, word: str, wanted: str) -> None:
    path = tmp_path / "shells.yaml"
    path.write_text(GAME, encoding="utf-8")
    found = language.hover(Project(path), path, GAME.index(word, GAME.index(at)) + 1)
    assert found is not None
    assert wanted in found[0]
    assert "### a test" not in found[0]


def test_a_place_that_cannot_be_read_yet_is_not_called_so(tmp_path: Path) -> None:
    path = tmp_path / "shells.yaml"
    text = GAME.replace("hand: {per: player, seen: owner, holds: shell}", "hand: {per: plaier}")
    path.write_text(text, encoding="utf-8")
    items = complete(Project(path), path, text.index("from: sack") + 6)
    assert [item.detail for item in items if item.word == "hand"] == [""]
