"""What of the table an option is about: the pile it draws from, and whose tokens; and what is none of its business."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import ruledsl
from games import SHIPPED, load, named, playout
from ruledsl.runtime.play import Play
from ruledsl.runtime.why import why
from ruledsl.web.table import snapshot

GAME = """
ruledsl: 1
game: dealing
players: [anna, boris]
types: {gem: [ruby, pearl]}
pieces:
  card: {each: {rank: 1..9}, start: deck}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  table: {holds: card}
pools:
  gems: {of: gem, total: 12, at: {player: purse}, start: {purse: 2}}
setup:
  - shuffle: deck
  - deal: 3
    from: deck
    to: hand
  - draw: 2
    from: deck
    to: table
effects:
  keep(card c):
    - move: c
      to: me.hand
actions:
  take_top:
    do:
      - let: {c: the(top(deck))}
      - keep(c)
  take_two:
    do:
      - draw: 2
        from: deck
        to: me.hand
  wait: {do: []}
  refill:
    do:
      - gain: {ruby: 1}
      - draw: 1
        from: deck
        to: me.hand
  buy:
    choose:
      g: gem where supply.gems[g] > 0
    do:
      - gain: amount(g, 1)
  sell:
    choose:
      gs: 2 of set(g in gem where me.purse[g] > 0)
    do:
      - for: {g: gs}
        do:
          - pay: amount(g, 1)
  lay:
    choose: {cs: 1..2 of me.hand}
    label: lay {cs}
    do:
      - move: cs
        to: table
play:
  - turns: players
    do:
      - choose one: [take_top, take_two, wait, refill, buy, sell, lay]
        else: {end: game}
"""


@pytest.fixture
def play(tmp_path: Path) -> Play:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    return ruledsl.load(tmp_path / "game.yaml").start(seed=3)


def options(play: Play, action: str) -> list[dict[str, Any]]:
    return [option for option in snapshot(play, 0)["options"] if option["action"].replace(" ", "_") == action]


def test_a_pile_is_what_an_option_draws_from_first(play: Play) -> None:
    assert [options(play, action)[0]["ways"] for action in ("take_top", "take_two")] == [[["a:deck"]]] * 2
    assert not options(play, "wait")[0]["ways"]
    assert not options(play, "refill")[0]["ways"], "that it draws is not all of it"


def test_what_a_pile_has_on_top_does_not_show() -> None:
    """The next card of Fortress is a fort and goes to the table, or a unit and goes to the hand: nobody can tell."""
    play = load(next(path for path in SHIPPED if named(path) == "fortress")).start(2, seed=3)
    for _ in range(6):
        seat = play.stop.seat
        drawing = [option for option in snapshot(play, seat)["options"] if option["text"] == "draw a card"]
        assert drawing[0]["ways"] == [["a:story"]]
        play.choose("draw a card")


def test_tokens_are_those_that_are_asked_for(play: Play) -> None:
    assert {place for option in options(play, "buy") for place in option["places"]} == {
        "k:supply.gems::ruby",
        "k:supply.gems::pearl",
    }
    assert all(place.startswith("k:purse:0:") for option in options(play, "sell") for place in option["places"])


def test_what_lies_elsewhere_is_not_refused(play: Play) -> None:
    """A card of the table cannot be laid from the hand: that is no rule to tell somebody who looks at it."""
    state, at = play.state, play.machine.program.spots.at
    hand, table = (play.world.places.names.index(name) for name in ("anna_hand", "table"))
    first = play.machine.program.spots.first_place
    mine, there = (next(x for x in range(9) if state[at + x] == first + place) for place in (hand, table))
    found = why(play, 0, f"lay {there + 1}")
    assert not found.offered
    assert found.never
    assert not why(play, 0, f"lay {mine + 1}").never


@pytest.mark.parametrize("path", SHIPPED, ids=named)
def test_every_option_says_what_it_does(path: Path) -> None:
    """In every game: nothing is only `done`, and no two buttons say the same."""
    for play in playout(load(path), 2, limit=12):
        if play.over:
            break
        seat = play.pending[0]
        found = [option["text"] for option in snapshot(play, seat)["options"]]
        assert not {"done", "готово", ""} & set(found)
