"""Edges between spaces, and ways whose steps have a condition: compared with what networkx says of the same graph."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import networkx
import pytest
from test_language_a import ask as ask_once

import ruledsl
from ruledsl.boards.base import SHAPES, Board
from ruledsl.boards.picture import picture
from ruledsl.boards.svg import svg
from ruledsl.registry import import_all
from ruledsl.runtime.picture import sheets
from ruledsl.runtime.play import Play

import_all("ruledsl.boards")

GAME = """\
ruledsl: 1
game: land
players: [red, blue]
boards:
  land: {land}
  roads: {{edges_of: land, space: road, state: {{closed: bool}}}}
values:
  height: {{per: lot, is: 0..3}}
  wet: {{per: lot, is: bool}}
  seats: {{per: player, is: 0..9}}
play:
  - if: any(r in road where r.closed) and any(l in lot where l.wet or l.height > 2) and red.seats > 3
    then: {{win: red}}
"""
LANDS = [
    "{grid: {width: 4, height: 4}, space: lot}",
    "{grid: {width: 5, height: 4, neighbors: orthogonal}, space: lot, only: this.x != 3 or this.y != 2}",
    "{hexes: {radius: 2}, space: lot}",
    "{ring: 7, hub: middle, space: lot}",
    "{spaces: [{name: a}, {name: b}, {name: c}, {name: d}], edges: [{from: a, to: b}, {from: b, to: c, label: up,"
    " back: down}, {from: c, to: d, one_way: true}, {from: d, to: a}], space: lot}",
]
UP = "to.height <= from.height + 1"
CLEAR = "not edge.closed"


def ask(play: Play, text: str) -> Any:
    """As often as one likes: the variables of the question before are not needed any more."""
    used = play.world.next_scratch
    try:
        return ask_once(play, text)
    finally:
        play.world.next_scratch = used


def names(play: Play, text: str, root: str) -> set[str]:
    mask, words = ask(play, text), play.world.roots[root].names
    return {words[i] for i in range(len(words)) if mask >> i & 1}


def land_of(folder: Path, land: str, chance: random.Random) -> tuple[Play, dict[str, list[int]]]:
    """A play with random heights, waters and closed roads, and what they are."""
    path = folder / "land.yaml"
    path.write_text(GAME.format(land=land), encoding="utf-8")
    play = ruledsl.load(path).start()
    told: dict[str, list[int]] = {}
    for field in play.world.layout.fields:
        name = field.name.split(".")[-1].split(" ")[-1]
        if name in ("height", "wet", "closed"):
            told[name] = []
            for slot in range(field.base, field.base + field.count * field.width):
                play.state[slot] = chance.randrange(4) if name == "height" else int(chance.random() < 0.3)
                told[name].append(play.state[slot])
    assert set(told) == {"height", "wet", "closed"}
    return play, told


def ways(play: Play, told: dict[str, list[int]], step: str, within: set[int] | None = None) -> networkx.DiGraph[int]:
    """The graph of the steps that may be taken, each found without ruledsl."""
    land = next(board for board in play.world.boards if board.name == "land").board
    roads = next(board for board in play.world.boards if board.name == "roads").board
    road = {frozenset(ends): number for number, ends in enumerate(roads.joins)}
    found: networkx.DiGraph[int] = networkx.DiGraph()
    found.add_nodes_from(range(len(land)))
    for a in range(len(land)):
        for b in land.adjacent[a]:
            allowed = within is None or b in within
            high = UP not in step or told["height"][b] <= told["height"][a] + 1
            clear = CLEAR not in step or not told["closed"][road[frozenset((a, b))]]
            if allowed and high and clear:
                found.add_edge(a, b)
    return found


@pytest.mark.parametrize("step", [UP, CLEAR, f"{UP} and {CLEAR}"])
@pytest.mark.parametrize("land", LANDS, ids=["eight", "four", "hexes", "ring", "graph"])
def test_ways_are_those_of_the_graph_of_open_steps(tmp_path: Path, land: str, step: str) -> None:
    chance = random.Random(f"{land} {step}")
    differ = 0
    for _ in range(2 if "grid" in land else 5):
        play, told = land_of(tmp_path, land, chance)
        spaces = play.world.roots["lot"].names
        called = [f"first(l in lot where position(list(lot), l) == {i + 1})" for i in range(len(spaces))]
        graph = ways(play, told, step)
        dry = {i for i in range(len(spaces)) if not told["wet"][i]}
        over = ways(play, told, step, dry)
        for a in range(0, len(spaces), 3 if len(spaces) > 9 else 1):
            near = networkx.single_source_shortest_path_length(graph, a)
            far = networkx.single_source_shortest_path_length(over, a)
            assert names(play, f"reachable({called[a]}, step={step})", "lot") == {spaces[x] for x in near}
            two = {spaces[x] for x, length in far.items() if length <= 2}
            asked = f"reachable({called[a]}, within=2, step={step}, l in lot where not l.wet)"
            assert names(play, asked, "lot") == two
            for b in range(1, len(spaces), 2):
                length = ask(play, f"distance({called[a]}, {called[b]}, step={step}) otherwise 99")
                assert length == near.get(b, 99)
                dry_way = f"distance({called[a]}, {called[b]}, step={step}, l in lot where not l.wet)"
                assert ask(play, f"{dry_way} otherwise 99") == far.get(b, 99)
                joined = ask(play, f"joined([{called[a]}], [{called[b]}], step={step}, l in lot where not l.wet)")
                assert joined == (a in dry and b in dry and b in far)
                differ += near.get(b) != far.get(b)
    assert differ, "no case tells one question from another"


def test_edges_of_every_shape_join_neighbours() -> None:
    boards: list[Board] = [
        SHAPES["grid"].make({"width": 4, "height": 3}),
        SHAPES["grid"].make({"width": 4, "height": 3, "neighbors": "orthogonal"}),
        SHAPES["hexes"].make({"radius": 2}),
        SHAPES["ring"].make({"ring": 5, "hub": "middle"}),
        SHAPES["track"].make({"track": 6}),
    ]
    for board in boards:
        edges = SHAPES["edges"].make({"edges_of": board})
        pairs = {frozenset((a, b)) for a in range(len(board)) for b in board.adjacent[a]}
        assert {frozenset(ends) for ends in edges.joins} == pairs
        assert len(edges) == len(pairs) == len(set(edges.spaces))
        whole: networkx.Graph[int] = networkx.Graph()
        whole.add_edges_from((min(pair), max(pair)) for pair in pairs)
        meeting = networkx.line_graph(whole)
        assert sum(map(len, edges.adjacent)) == 2 * meeting.number_of_edges()
        for name, (a, b) in zip(edges.spaces, edges.joins, strict=True):
            assert name == f"{board.spaces[a]}_{board.spaces[b]}"
            assert edges.locate({"from": board.spaces[b], "to": board.spaces[a]}) == edges.index_of[name]


DRAWN = """\
ruledsl: 1
game: drawn
players: [red, blue]
boards:
  {land}
  ways: {{edges_of: land, space: way, state: {{wall: bool}}}}
pieces:
  road: {{start: [{red}]}}
  pawn: {{start: [{pawns}]}}
setup:
  - set: {{{wall}.wall: true}}
play:
  - tie: players
"""


def drawn(folder: Path, land: str, red: str, pawns: str, wall: str) -> tuple[str, str]:
    path = folder / "drawn.yaml"
    path.write_text(DRAWN.format(land=land, red=red, pawns=pawns, wall=wall), encoding="utf-8")
    (sheet,) = sheets(ruledsl.load(path).start())
    text = picture(sheet.board, sheet.marks, colour=False, between=sheet.between)
    return text, svg(sheet.board, sheet.marks, "land", between=sheet.between)


def test_walls_and_roads_stand_between_the_squares(tmp_path: Path) -> None:
    land = "land: {grid: {width: 3, height: 2, neighbors: orthogonal}, space: lot}"
    text, image = drawn(tmp_path, land, "b1_c1", "a1, c2", "a1_a2")
    assert text == "2   .   .   P\n   ---\n1   P   . R .\n\n    a   b   c"
    assert image.count('stroke-width="7"') == 1
    assert image.count("<circle") == 3  # two pawns and a road
    assert drawn(tmp_path, land, "b1_c1", "a1, c2", "a1_b1")[0].splitlines()[2] == "1   P | . R ."


def test_of_a_graph_edges_are_told_below(tmp_path: Path) -> None:
    land = (
        "land: {spaces: [{name: mill, x: 0, y: 0}, {name: quay, x: 3, y: 0}, {name: well, x: 3, y: 2}],"
        " edges: [{from: mill, to: quay}, {from: quay, to: well}, {from: mill, to: well}], space: lot}"
    )
    text, image = drawn(tmp_path, land, "mill_quay", "mill, well", "quay_well")
    assert text.splitlines()[-2:] == ["mill-quay  R", "quay-well  W"]
    assert image.count('stroke-width="7"') == 1


def test_of_boards_of_players_each_has_its_edges(tmp_path: Path) -> None:
    path = tmp_path / "yards.yaml"
    path.write_text(
        """\
ruledsl: 1
game: yards
players: [red, blue]
boards:
  yard: {grid: {width: 2, height: 2, neighbors: orthogonal}, space: lot, per: player}
  fences: {edges_of: yard, space: fence, state: {up: bool}}
define:
  open(lot a, lot b): joined([a], [b], step=not edge.up)
play:
  - for: {f: edges_of(blue_a1)}
    do:
      - set: {f.up: true}
  - if: open(blue_a1, blue_b2)
    then: {win: blue}
""",
        encoding="utf-8",
    )
    play = ruledsl.load(path).start()
    assert ask(play, "count(fence)") == 8
    assert names(play, "edges_of(blue_a1)", "fence") == {"blue_a1_b1", "blue_a1_a2"}
    assert names(play, "ends(red_a1_b1)", "lot") == {"red_a1", "red_b1"}
    assert ask(play, "open(red_a1, red_b2)")
    assert not ask(play, "open(blue_a1, blue_b2)")
    assert not ask(play, "open(red_b1, blue_b1)")
