"""Boards that share a picture: `drawn_on:`."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruledsl
from ruledsl.boards.picture import picture
from ruledsl.boards.regions import hull
from ruledsl.cli.main import main
from ruledsl.runtime.joined import joined
from ruledsl.runtime.picture import sheets

GAME = """\
ruledsl: 1
game: coast
players: 2
boards:
  coast:
    spaces: [{name: north, x: 0, y: 4}, {name: south, x: 0, y: 0}, {name: east, x: 20, y: 2}]
    edges: [{from: north, to: south}, {from: south, to: east}]
    space: rock
  sea:
    spaces: [{name: strait, x: 10, y: 3}, {name: bay, x: 10, y: 1}]
    edges: [{from: strait, to: bay}]
    space: water
    drawn_on: coast
pieces:
  lamp: {per: player, count: 1, start: {player_1: north, player_2: east}}
  boat: {count: 1, start: bay}
play:
  - turns: players
    do:
      - choose: {r: rock where empty(r)}
        label: light {r}
        else: {end: game}
      - move: me.lamp
        to: r
"""
SHOWN = """\
1 north
                    . strait
                                        2 east
                    B bay
. south
"""


def written(tmp_path: Path, old: str = "", new: str = "") -> Path:
    path = tmp_path / "coast.yaml"
    assert old in GAME
    path.write_text(GAME.replace(old, new), encoding="utf-8")
    return path


def test_the_spaces_of_both_stand_where_their_tables_say(tmp_path: Path) -> None:
    """Though the shortest edge is not the same on both: each board by itself is drawn in units of its own."""
    play = ruledsl.load(written(tmp_path)).start()
    (sheet,) = joined(sheets(play), play.world.boards)
    points = dict(zip(sheet.board.spaces, sheet.board.positions, strict=True))
    assert points == {"north": (0, 4), "south": (0, 0), "east": (20, 2), "strait": (10, 3), "bay": (10, 1)}


def test_it_is_one_picture(tmp_path: Path) -> None:
    play = ruledsl.load(written(tmp_path)).start()
    (sheet,) = joined(sheets(play), play.world.boards)
    drawn = picture(sheet.board, sheet.marks, colour=False, ground=sheet.ground, names=sheet.names)
    assert drawn.splitlines() == SHOWN.splitlines()


def test_it_is_one_file(tmp_path: Path) -> None:
    out = tmp_path / "picture.svg"
    assert main(["draw", str(written(tmp_path)), "-o", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert all(f">{name}<" in text for name in ("north", "south", "east", "strait", "bay"))
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("picture-")]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("drawn_on: coast", "drawn_on: cost", "there is no other board `cost`"),
        ("drawn_on: coast", "drawn_on: sea", "there is no other board `sea`"),
        (", x: 10, y: 1}", "}", "boards that share a picture must have `x` and `y` for all their spaces"),
        ("drawn_on: coast", "drawn_on: coast\n    per: player", "`sea` and `coast` do not belong to the same players"),
    ],
)
def test_what_cannot_share_a_picture_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    assert main(["check", str(written(tmp_path, old, new))]) == 1
    assert f"error[B203]: {said}" in capsys.readouterr().out


SIGNED = """\
ruledsl: 1
game: coast
players: 2
types:
  trait: [fast, large]
looks:
  fast: {symbol: '>'}
  large: {symbol: '#'}
boards:
  coast:
    spaces: [{name: north, x: 0, y: 2}, {name: south, x: 0, y: 0}]
    edges: []
    apart: true
    space: rock
    holds: any
    show: [count(pieces(this)), traits(this)]
  sea:
    spaces: [{name: bay, x: 9, y: 1}]
    edges: []
    apart: true
    space: water
    drawn_on: coast
pieces:
  lamp:
    attributes: {traits: set of trait}
    rows:
      - {name: torch, traits: [fast], start: north}
      - {name: fire, traits: [fast, large], start: north}
define:
  traits(rock r): set(t for p in pieces(r, lamp) for t in p.traits)
play:
  - turns: players
    do: {end: game}
"""


def test_a_space_shows_the_signs_of_a_set_beside_what_lies_there(tmp_path: Path) -> None:
    path = tmp_path / "coast.yaml"
    path.write_text(SIGNED, encoding="utf-8")
    play = ruledsl.load(path).start()
    (sheet,) = joined(sheets(play), play.world.boards)
    signs = {name: mark.text for name, mark in zip(sheet.board.spaces, sheet.aside, strict=True) if mark}
    assert signs["north"] == "2>#"
    assert [title for _, title in sheet.legend] == ["fast", "large"]
    out = tmp_path / "table.svg"
    assert main(["draw", str(path), "--seat", "player_1", "-o", str(out)]) == 0
    drawn = out.read_text(encoding="utf-8")
    assert drawn.count("<svg") == 2, "both boards are one picture in that of the table"
    assert ">2&gt;#<" in drawn
    assert "fast" in drawn


def test_on_paper_spaces_that_belong_together_have_one_ground_and_letters_are_told(tmp_path: Path) -> None:
    """The quarters of Bastion, with the walls and sources that name them; and what the letters of enemies stand for."""
    out = tmp_path / "bastion.svg"
    assert main(["draw", "bastion", "-p", "2", "-s", "3", "-o", str(out)]) == 0
    drawn = out.read_text(encoding="utf-8")
    assert drawn.count('class="region"') == 6
    assert ">defender (player_1)<" in drawn or ">defender (player 1)<" in drawn
    found = [line for line in drawn.splitlines() if "</text>" in line]
    assert any("Beast" in line or "Mage" in line or "Warrior" in line for line in found)


def test_the_hull_of_points_goes_round_them() -> None:
    assert hull([(0, 0), (2, 0), (1, 0.5), (2, 2), (0, 2)]) == [(0, 0), (2, 0), (2, 2), (0, 2)]
    assert hull([(1, 1), (0, 0)]) == [(0, 0), (1, 1)]
