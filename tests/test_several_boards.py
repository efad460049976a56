"""A tile has the sides of its own board, whatever other boards there are. Who does not always play may have a start."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant
from test_generated import Pair

import ruledsl
from ruledsl.compiler import pipeline
from ruledsl.generate.native import Library, compiler

QUARTER = """\
ruledsl: 1
game: quarter
players: 2..3
types: {ground: [street, water]}
boards:
  city: {grid: {growing: true}, space: lot, holds: any}
  canal: {ring: 8, space: quay}
  lane: {grid: {width: 3, height: 3}, space: stone}
pieces:
  block:
    tile: city
    start: stack
    attributes: {edges: ground by direction}
    rows:
      - {name: cross, copies: 4, edges: [street, street, street, street]}
      - {name: bridge, copies: 6, edges: {n: street, e: water, s: street, w: water}}
      - {name: bank, copies: 6, edges: [street, water, street, street]}
  boat:
    per: player
    count: 1
    start:
      player_1: canal[1]
      player_2: canal[5]
      player_3: canal[3]
places: {stack: {holds: block, order: pile, seen: none}}
setup:
  - shuffle: stack
  - move: top(stack)
    to: city[0, 0]
play:
  - turns: players
    until: no(stack)
    do:
      - choose:
          at: frontier(city)
          turn: 0..3
        where: edges_match(the(top(stack)).edges, at, turn)
        label: "{at}, turned {turn}"
        else: {end: game}
      - move: top(stack)
        to: at
        turned: turn
      - move: me.boat
        to: the(step(me.boat.quay, cw))
scoring: {rows: {way: me.boat.quay.index}}
"""


@pytest.fixture
def quarter(tmp_path: Path) -> Path:
    path = tmp_path / "quarter.yaml"
    path.write_text(QUARTER, encoding="utf-8")
    return path


def test_a_tile_has_an_edge_for_each_side_of_its_own_board(quarter: Path) -> None:
    assert [d.message for d in pipeline.check(quarter).findings if d.severity == "error"] == []
    variant = Variant(quarter, 2, {})
    for seed in range(3):
        Pair(variant).steps(seed, 60)
    if compiler() is not None:
        configured = variant.configured()
        both = Compiled(variant, Library(configured.machine.program, configured.rules, flags=QUICK))
        for seed in range(3):
            both.steps(seed, 60)
        both.close()


def test_edges_that_do_not_match_are_not_offered(quarter: Path) -> None:
    """A bridge beside a cross shows it a street, turned or not."""
    quarter.write_text(QUARTER.replace("  - shuffle: stack\n", ""), encoding="utf-8")
    play = ruledsl.load(quarter).start(players=2, seed=1)
    for _ in range(3):  # the other crosses fit in each way
        play.choose(0)
    offered = {option.text for option in play.options(play.pending[0])}
    assert play.view(0)["boards"]["city"]
    assert {text.rpartition(" ")[2] for text in offered if text.startswith("0,1,")} <= {"0", "2"}


@pytest.mark.parametrize(("players", "quays"), [(2, {"1", "5"}), (3, {"1", "3", "5"})])
def test_who_is_not_in_every_play_may_have_a_start(quarter: Path, players: int, quays: set[str]) -> None:
    play = ruledsl.load(quarter).start(players=players, seed=1)
    assert set(play.view(0)["boards"]["canal"]) == quays


def test_a_fourth_player_is_told_of(quarter: Path) -> None:
    quarter.write_text(QUARTER.replace("player_3: canal[3]", "player_4: canal[3]"), encoding="utf-8")
    errors = [d for d in pipeline.check(quarter).findings if d.severity == "error"]
    assert [d.message for d in errors] == ["`start:` by player has no key `player_4`"]
