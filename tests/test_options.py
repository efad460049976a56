"""Options of a game that may be a player, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.compiler.pipeline import check

RULES = """\
ruledsl: 1
game: who_begins
players: 2..3
options:
  begins: {is: maybe player, start: none}
  guests: {is: set of player, start: []}
  goal: {is: maybe 3..5}
values: {leader: {is: player}}
setup:
  - random: {p: set(p in players where begins == none or begins == p)}
  - set: {leader: p}
play:
  - turns: players from leader
    do:
      - choose: {n: 1..2}
        label: "take {n}"
      - if: goal != none and turn_number > the(goal)
        then: {win: me}
      - if: me in guests and turn_number > 5
        then: {win: me}
      - if: turn_number > 8
        then: {win: leader}
"""


@pytest.fixture
def game(tmp_path: Path) -> Any:
    path = tmp_path / "game.yaml"
    path.write_text(RULES, encoding="utf-8")
    return ruledsl.load(path)


def leader(game: Any, seed: int = 0, names: list[str] | None = None, **options: Any) -> str:
    play = game.start(len(names or "ab"), seed=seed, options=options, names=names)
    return str(play.world.players.names[play.pending[0]])


def test_a_player_may_be_named_or_nobody(game: Any) -> None:
    assert {leader(game, seed) for seed in range(20)} == {"player_1", "player_2"}
    assert {leader(game, seed, begins="none") for seed in range(20)} == {"player_1", "player_2"}
    for name in ("player_1", "player_2"):
        assert {leader(game, seed, begins=name) for seed in range(20)} == {name}


def test_a_player_is_named_by_name_or_seat(game: Any) -> None:
    for name in ("boris", "player_2"):
        assert {leader(game, seed, ["anna", "boris"], begins=name) for seed in range(20)} == {"boris"}


def test_a_saved_play_knows_who_was_named(game: Any) -> None:
    play = game.start(2, seed=1, options={"begins": "boris", "guests": ["anna"]}, names=["anna", "boris"])
    play.choose(0)
    again = game.resume(play.save())
    assert again.state == play.state
    assert again.configured.options == play.configured.options


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("begins", "player_3", "`begins` cannot be `player_3`; did you mean `player_1` or `player_2`?"),
        ("begins", "carl", "`begins` cannot be `carl`; it is one of `player_1`, `player_2`, or `none`"),
        ("goal", "nothing", "`goal` is a number from 3 to 5, or `none`, not `nothing`"),
        ("goal", "6", "`goal` is a number from 3 to 5, or `none`, not 6"),
    ],
)
def test_what_it_cannot_be_is_said(game: Any, option: str, value: str, said: str) -> None:
    with pytest.raises(OptionError) as found:
        game.configured(2, {option: value})
    assert str(found.value) == said


def test_a_number_may_be_left_open(game: Any) -> None:
    def turns(**options: Any) -> int:
        play = game.start(2, options=options)
        while not play.over:
            play.choose(0)
        return len(play.decisions)

    assert (turns(), turns(goal="none"), turns(goal=4)) == (10, 10, 6)


def test_each_value_is_checked(tmp_path: Path) -> None:
    """A mistake that is there only where somebody is named, and one that is there only where nobody is."""
    path = tmp_path / "game.yaml"
    for condition in ("begins == none", "begins != none"):
        path.write_text(
            RULES + f"modules:\n  more: {{when: {condition}, setup: [{{set: {{leader: nobody}}}}]}}\n", encoding="utf-8"
        )
        found = [one for one in check(path).findings if one.code == "N101"]
        assert len(found) == 1, condition
