"""What stopped somebody who wrote a first game from the docs alone: each is told where it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruledsl
from ruledsl.cli.main import main
from ruledsl.runtime.why import why

CARDS = """
ruledsl: 1
game: first
players: [anna, boris]
pieces: {card: {each: {rank: 1..9}, start: deck}}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  table: {holds: card, order: row}
values: {score: {per: player, is: 0..99}}
setup: [{shuffle: deck}, {deal: 3, from: deck, to: hand}]
"""
TURNS = """
play:
  - REPEAT: 3
    do:
      - turns: players
        do:
          - choose: {c: me.hand where c.rank > 1}
            label: play {c}
            else: ELSE
          - move: c
            to: table
          - add: {me.score: 1}
scoring: {rows: {score: me.score}}
"""
NO_TURNS = """
play:
  - for: {me: players}
    do:
      - choose: {c: me.hand}
        label: play {c}
        else: never
      - move: c
        to: table
tests:
  - test: a position
    given: {GIVEN, values: {score: {anna: 3}}}
    expect: anna.score == 3
"""


def told(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str], command: str = "check") -> str:
    path = tmp_path / "first.yaml"
    path.write_text(text, encoding="utf-8")
    no_moves = tmp_path / "none.txt"
    no_moves.write_text("", encoding="utf-8")
    main([command, str(path), *(["--moves", str(no_moves)] if command == "play" else [])])
    out = capsys.readouterr()
    return " ".join((out.out + out.err).split())


@pytest.mark.parametrize("repeat", ["rounds", "repeat"])
@pytest.mark.parametrize("otherwise", ["[]", "never"])
def test_turns_that_never_end_are_told_wherever_they_stand(
    repeat: str, otherwise: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CARDS + TURNS.replace("REPEAT", repeat).replace("ELSE", otherwise)
    assert "L511" in told(tmp_path, text, capsys)
    for end in ("{end: turns}", "{end: game}"):
        assert "L511" not in told(tmp_path, CARDS + TURNS.replace("REPEAT", repeat).replace("ELSE", end), capsys)


@pytest.mark.parametrize("command", ["check", "test"])
@pytest.mark.parametrize(("given", "lacks"), [("turn: anna", "`turns:`"), ("before: round", "`rounds:`")])
def test_a_position_before_what_a_game_lacks(
    given: str, lacks: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(tmp_path, CARDS + NO_TURNS.replace("GIVEN", given), capsys, command)
    assert f"this game has no {lacks}" in found
    found = told(tmp_path, CARDS + NO_TURNS.replace("GIVEN, ", ""), capsys, command)
    assert "Q216" not in found


MEN = """
ruledsl: 1
game: men
players: [black, white]
board: {grid: {width: 3, height: 3}, space: square}
pieces:
  man: {per: player, start: {black: this.y == 1, white: this.y == 3}}
define:
  goals(man m): neighbors(the(m.square))
  on_board(player p): set(m in p.man where m.square)
setup: [{remove: a1.man}]
play:
  - turns: players
    do:
      - choose: {m: WHO, to: set(s in goals(m) where not s.man)}
        label: "{m.square} to {to}"
        else: {lose: me}
      - move: m
        to: to
"""


def test_a_removed_man_that_is_asked_where_it_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "`m` may be one that was removed" in told(tmp_path, MEN.replace("WHO", "me.man"), capsys)
    for who in ("me.man where m.square", "on_board(me)"):
        assert "L544" not in told(tmp_path, MEN.replace("WHO", who), capsys)
    (tmp_path / "men.yaml").write_text(MEN.replace("WHO", "me.man"), encoding="utf-8")
    assert "`m` stands on no space" in str(ruledsl.load(tmp_path / "men.yaml").start(2).fault)


def test_a_label_that_is_never_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    look = 'looks: {board: {label: "{this.NUMBER + 1}"}}\n'
    of_grid = MEN.replace("WHO", "me.man where m.square") + look.replace("NUMBER", "x")
    assert "`label:` is never seen" in told(tmp_path, of_grid, capsys)
    of_track = MEN.replace("grid: {width: 3, height: 3}", "track: 9").replace("this.y == 1", "this.index == 1")
    of_track = of_track.replace("this.y == 3", "this.index == 9").replace("WHO", "me.man where m.square")
    of_track = of_track.replace("a1.man", "board[1].man") + look.replace("NUMBER", "index")
    assert "L513" not in told(tmp_path, of_track, capsys)


def test_a_position_is_not_a_save(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.yaml").write_text(MEN.replace("WHO", "me.man where m.square"), encoding="utf-8")
    (tmp_path / "pos.yaml").write_text("given:\n  turn: black\n", encoding="utf-8")
    assert main(["play", str(tmp_path), "--from", str(tmp_path / "pos.yaml")]) != 0
    found = capsys.readouterr()
    assert "but a position" in found.err + found.out


STEPS = """
  between_free(man m, square s):
    let:
      way: between(the(m.square), s)
    is: no(t in way where t.man)
"""


def test_why_speaks_of_steps_of_a_formula(tmp_path: Path) -> None:
    text = MEN.replace("setup:", STEPS.strip("\n") + "\nsetup:").replace("WHO", "me.man where m.square")
    text = text.replace("setup: [{remove: a1.man}]", "setup: [{move: c3.man, to: b2}]")
    path = tmp_path / "men.yaml"
    path.write_text(
        text.replace("to: set(s in goals(m) where not s.man)}", "to: board}\n        where: between_free(m, to)"),
        encoding="utf-8",
    )
    play = ruledsl.load(path).start(2)
    said = str(why(play, 0, "a1 to c3"))
    assert "not while there is b2" in said, said


PILE = """
tests:
  - test: a pile
    given: {places: {deck: [card_1, card_2, card_3]}}
    expect:
      - top(deck).rank == 2
      - deck == table
"""


def test_a_pile_is_told_in_the_order_in_which_it_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(tmp_path, CARDS + NO_TURNS[: NO_TURNS.index("tests:")] + PILE.lstrip("\n"), capsys, "test")
    assert "deck: card_1, card_2, card_3" in found
    assert "card_3, card_2" not in found


TABLE = """
ruledsl: 1
game: table
players: [anna, boris]
types: {spot: 1..3}
pieces:
  die: {per: player, count: 2, state: {face: 1..6, cold: bool}, start: cup}
places:
  cup: {per: player, holds: die}
values:
  told: {per: [player, spot], is: maybe 1..5, show: some}
show: {player: SHOWN}
setup:
  - for: {d: anna.cup}
    do: {set: {d.face: 4}}
  - set: {first(boris.cup).cold: true}
  - set:
      told[anna, 3]: 1
play:
  - turns: players
    do:
      - choose: {d: me.cup}
        label: take {d}
        else: {end: game}
      - remove: d
"""


def test_a_table_tells_faces_of_dice_and_numbers_by_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(tmp_path, TABLE.replace("SHOWN", '["dice {count(me.cup)}"]'), capsys, "play")
    assert "die (face 4), die (face 4)" in found
    assert "die (face 1, cold)" in found
    assert "told: 3 = 1" in found


def test_a_place_is_not_shown_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "`cup` adds nothing here" in told(tmp_path, TABLE.replace("SHOWN", "[cup]"), capsys)
    assert "cup cup" not in told(tmp_path, TABLE.replace("SHOWN", "[cup]"), capsys, "play")
