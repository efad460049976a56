"""`show:` of boards, what players have of spaces, places of which one sees what one knows, and options in groups."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import ruledsl
from ruledsl.cli.main import main
from ruledsl.cli.terminal.screen import Screen
from ruledsl.diagnostics.model import GameError
from ruledsl.runtime.picture import sheets
from ruledsl.runtime.play import Play

ISLES = """
ruledsl: 1
game: isles
players: [ann, bob]
types: {land: [sand, rock], mood: [calm, wild]}
board:
  grid: {width: 2, height: 2}
  holds: any
  show:
    - land_of(this)
    - me.seen[this]
    - depth
  state: {depth: 0..9}
pieces:
  boat: {per: player, count: 1, symbol: bo}
  card:
    rows:
      - {name: gull, title: {en: Gull, ru: Чайка}, about: {en: it screams, ru: она кричит}}
      - {name: crab, title: {en: Crab, ru: Краб}, about: {en: it pinches, ru: он щиплет}}
    show: about
places:
  nest: {per: player, holds: card, seen: owner, show: known}
values:
  seen: {per: [player, space], is: maybe mood}
  flag: {per: [player, space], is: maybe mood, show: always}
define:
  land_of(space s): if s.x == 1 then sand else rock
setup:
  - move: set(c in card where c.name == gull)
    to: ann.nest
  - hide: ann.nest
  - set: {a1.depth: 3}
  - set:
      seen[ann, b2]: calm
      flag[bob, a1]: wild
play:
  - turns: players
    do:
      - choose one:
          - choose: {s: board}
            label: "row: {s}"
            do: {set: {s.depth: 1}}
          - choose: {s: board}
            label: "sail: {s}"
            do:
              - move: me.boat
                to: s
        optional: true
        stop: rest
      - if: turn_number > 9
        then: {win: me}
text:
  ru: {sand: песок, rock: скала, calm: тихо, wild: буря, seen: видно, flag: флаг, nest: гнездо}
looks: {sand: {symbol: s}, rock: {symbol: '#'}, calm: {symbol: c}, wild: {symbol: w}}
"""


def load(tmp_path: Path, text: str = ISLES) -> ruledsl.Game:
    path = tmp_path / "isles.yaml"
    path.write_text(text, encoding="utf-8")
    return ruledsl.load(path)


def ground(play: Play, seat: int | None) -> dict[str, str]:
    (sheet,) = sheets(play, "en", play.view(seat))
    return {space: mark.text for space, mark in zip(sheet.board.spaces, sheet.ground, strict=True) if mark is not None}


def test_spaces_show_what_the_board_says_to_who_looks(tmp_path: Path) -> None:
    play = load(tmp_path).start()
    assert ground(play, 0) == {"a1": "s3", "b1": "#", "a2": "s", "b2": "#c"}
    assert ground(play, 1)["b2"] == "#"
    (sheet,) = sheets(play, "en", play.view(0))
    assert [(mark.text, title) for mark, title in sheet.legend] == [("s", "sand"), ("#", "rock"), ("c", "calm")]
    boat = next(option for option in play.options(0) if option.text == "sail: b2")
    play.choose(boat.index, 0)
    assert ground(play, 0)["b2"] == "#"  # room for what lies there
    play.choose(next(option.index for option in play.options(1) if option.text == "sail: b2"), 1)
    assert "b2" not in ground(play, 0)  # two boats leave no room


def test_what_players_have_of_spaces_is_told_where_the_game_says_so(tmp_path: Path) -> None:
    play = load(tmp_path).start()
    (sheet,) = sheets(play, "ru", play.view(0))
    told = {one.title: [mark.text if mark is not None else None for mark in one.marks] for one in sheet.told}
    assert told["флаг (bob)"] == ["w", None, None, None]
    assert not [title for title in told if "видно" in title]


def test_a_hidden_value_is_no_sign(tmp_path: Path) -> None:
    secret = ISLES.replace("is: maybe mood}\n  flag", "is: maybe mood, seen: owner}\n  flag").replace(
        "me.seen[this]", "ann.seen[this]"
    )
    play = load(tmp_path, secret).start()
    assert ground(play, 0)["b2"] == "#c"
    assert ground(play, 1)["b2"] == "#?"
    assert ground(play, None)["b2"] == "#?"


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ('"depth {this.depth}"', "a space shows signs, not texts"),
        ("card", "only a word, a number or a condition has a sign, and this is a card or none"),
        ("dept", "these spaces have no `dept`"),
    ],
)
def test_what_has_no_sign_is_refused(tmp_path: Path, item: str, said: str) -> None:
    with pytest.raises(GameError) as refused:
        load(tmp_path, ISLES.replace("me.seen[this]", item)).configured()
    assert said in str(refused.value)


def test_of_a_place_one_sees_what_one_knows_with_what_is_printed(tmp_path: Path) -> None:
    play = load(tmp_path).start()
    own = Screen(play, "ru", False).position(play.view(0))
    assert "гнездо:\n    Чайка  она кричит" in own
    assert "гнездо" not in Screen(play, "ru", False).position(play.view(1))


def test_options_that_begin_alike_stand_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load(tmp_path)
    lines = ["1", "1", "rest", "back 2", "board", "quit"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    assert main(["play", str(tmp_path / "isles.yaml"), "--seats", "human,human", "--lines", "--plain"]) == 0
    said = capsys.readouterr().out
    assert "  row:   1  a1   2  b1   3  a2   4  b2\n  sail:   5  a1   6  b1   7  a2   8  b2\n  9  rest\n" in said
    assert "s3+" in said
    assert "Taken back: bob: row: a1" in said or "Taken back: ann: rest" in said


def test_draw_tells_what_the_signs_stand_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(tmp_path)
    assert main(["draw", str(tmp_path / "isles.yaml"), "--lang", "ru"]) == 0
    assert capsys.readouterr().out == "2  s  #c\n1 s3w  #\n   a   b\ns песок, # скала, c тихо\n"
