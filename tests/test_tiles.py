"""Tiles that lie turned: on hexagons by sixths, on squares by quarters, whatever directions a board has besides."""

from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.diagnostics.model import Report
from ruledsl.runtime.play import Play
from ruledsl.source.text import SourceFile
from ruledsl.syntax.parser import parse_text

ROADS = """\
ruledsl: 1
game: roads
players: [north, south]
board: {grid: {width: 5, height: 5}, space: lot}
types: {ground: [road, field]}
pieces:
  road_tile:
    tile: board
    attributes: {edges: ground by orthogonal, ways: set of orthogonal, corners: 0..8 by direction}
    parts:
      way: {from: joined, attributes: {sides: set of direction}}
    rows:
      - name: bend
        copies: 4
        edges: [road, road, field, field]
        ways: [n, e]
        corners: [0, 1, 2, 3, 4, 5, 6, 7]
        joined: [{sides: [n, e]}]
values:
  facing: {is: direction, start: n}
  side: {is: orthogonal, start: n}
define:
  fits(road_tile t, lot at, 0..3 turn):
    all(t.edges[d - turn] == step(at, d).road_tile.edges[opposite(d)] for d in orthogonal where step(at, d).road_tile)
setup:
  - move: road_tile
    to: c3
play:
  - turns: players
    until: no(reserve(road_tile))
    do:
      - set: {facing: facing + 1, side: side + 1}
      - choose: {at: lot where empty(at), turn: 0..3}
        where: fits(the(first(reserve(road_tile))), at, turn)
      - move: road_tile
        to: at
        turned: turn + 4
scoring:
  rows:
    ways: count(t in road_tile where any(t.ways) and t.corners[ne] < 9 and any(p in t.way where any(neighbors(p))))
"""


@pytest.fixture
def roads(tmp_path: Path) -> Play:
    (tmp_path / "game.yaml").write_text(ROADS, encoding="utf-8")
    play: Play = ruledsl.load(tmp_path).start()
    return play


def ask(play: Play, text: str) -> Any:
    """The value of an expression in a position."""
    world, report = play.world, Report()
    world.elaborator.report, kept = report, world.elaborator.report
    typed = world.elaborator.expr(parse_text(text, SourceFile("asked", text), 0, "expr", report))
    world.elaborator.report = kept
    assert not report.errors, [d.message for d in report.findings]
    return play.machine.evaluator.of(typed.node)([*play.state, *[0] * 200])


@pytest.mark.parametrize(("turn", "sides"), list(enumerate(["n e", "e s", "s w", "w n"])))
def test_a_square_tile_turns_by_quarters(roads: Play, turn: int, sides: str) -> None:
    roads.choose(f"at=a1 turn={turn}")
    tile = "the(a1.road_tile)"
    for side in "nesw":
        shown = "road" if side in sides.split() else "field"
        assert ask(roads, f"{tile}.edges[{side}] == {shown}"), side
        assert ask(roads, f"{side} in {tile}.ways") == (side in sides.split())
        assert ask(roads, f"any(p in {tile}.way where {side} in p.sides)") == (side in sides.split())
    assert ask(roads, f"{tile}.turn") == turn  # though it was said to be turned all the way round as well
    assert ask(roads, f"{tile}.corners[ne]") == (1 - 2 * turn) % 8
    assert ask(roads, f"{tile}.corners[n]") == -2 * turn % 8


def test_parts_of_square_tiles_meet_at_sides_as_they_lie(roads: Play) -> None:
    roads.choose("at=d3 turn=3")  # a road to the west and the north
    assert ask(roads, "neighbors(the(first(c3.road_tile.way))) == d3.road_tile.way")
    assert ask(roads, "neighbors(the(first(d3.road_tile.way))) == c3.road_tile.way")


def test_only_turns_that_fit_are_offered(roads: Play) -> None:
    turns = [o.values["turn"] for o in roads.options() if o.words["at"] == "d3"]
    assert turns == [2, 3]  # the tile in the middle shows a road to the east


def test_directions_of_one_kind_turn_among_themselves(roads: Play) -> None:
    assert ask(roads, "side == e")  # a quarter
    assert ask(roads, "facing == ne")  # an eighth: all eight were declared
    assert ask(roads, "set(d + 1 for d in diagonal) == diagonal")
    assert ask(roads, "all(d - 1 + 1 == d for d in orthogonal)")
