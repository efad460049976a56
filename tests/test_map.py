"""`map`: what it says of boards is compared with slow and simple ways to find the same."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest

from games import PATHS
from ruledsl.boards import measures, symmetry
from ruledsl.boards.measures import Survey, survey
from ruledsl.cli.main import main
from ruledsl.compiler.pipeline import load_checked
from ruledsl.runtime.game import Game

VALLEY = """\
ruledsl: 1
game: valley
players: [fox, hare]
board:
  graph: valley.csv
pieces:
  stone: {per: player, count: 4}
play:
  - turns: players
    do:
      - choose: {cell: board where empty(cell)}
        else: {end: game}
      - move: stone
        to: cell
"""
WAYS = """\
from,to,one_way
spring,brook,
brook,falls,
spring,falls,
brook,ford,
ford,mill,
mill,inn,
inn,ford,
mill,lake,true
lake,isle,
"""


@pytest.fixture
def valley(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("valley.yaml").write_text(VALLEY, encoding="utf-8")
    Path("valley.csv").write_text(WAYS, encoding="utf-8")


def multi(graph: nx.Graph[int]) -> nx.MultiDiGraph[str]:
    return nx.relabel_nodes(nx.MultiDiGraph(graph.to_directed()), str)


def orbits_by_trying_all(ways: list[set[int]]) -> set[frozenset[int]]:
    """By the definition: every order of the spaces is tried."""
    size = len(ways)
    same: nx.Graph[int] = nx.empty_graph(size)
    for image in permutations(range(size)):
        if all({image[end] for end in ways[space]} == ways[image[space]] for space in range(size)):
            same.add_edges_from(enumerate(image))
    return {frozenset(group) for group in nx.connected_components(same)}


def test_what_is_alike_is_found_as_by_the_definition() -> None:
    chance = random.Random(4)
    several = 0
    for _ in range(150):
        size = chance.randrange(1, 7)
        both = chance.random() < 0.5
        ways: list[set[int]] = [set() for _ in range(size)]
        for start in range(size):
            for end in range(size):
                if start != end and chance.random() < 0.4:
                    ways[start].add(end)
                    if both:
                        ways[end].add(start)
        groups, certain = symmetry.positions([sorted(ends) for ends in ways])
        assert certain
        assert {frozenset(group) for group in groups} == orbits_by_trying_all(ways)
        several += 1 < len(groups) < size
    assert several > 20


@pytest.mark.parametrize(
    ("graph", "sorts"),
    [
        (nx.frucht_graph(), 12),  # three neighbours everywhere, and yet no two spaces are alike
        (nx.petersen_graph(), 1),
        (nx.dodecahedral_graph(), 1),
        (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4)), 2),  # not told apart by what is around them
        (nx.grid_2d_graph(8, 8), 10),
        (nx.path_graph(9), 5),
    ],
    ids=["frucht", "petersen", "dodecahedron", "two-rings", "grid", "path"],
)
def test_known_graphs(graph: nx.Graph[Any], sorts: int) -> None:
    numbered = nx.convert_node_labels_to_integers(graph)
    groups, certain = symmetry.positions([sorted(numbered[space]) for space in numbered])
    assert (len(groups), certain) == (sorts, True)


def test_a_search_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symmetry, "MOST_WORK", 100)
    groups, certain = symmetry.positions([[(space + 1) % 30, (space - 1) % 30] for space in range(30)])
    assert (groups, certain) == ([list(range(30))], False)


def test_large_boards_are_estimated_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = multi(nx.convert_node_labels_to_integers(nx.grid_2d_graph(12, 12)))
    exact = survey(graph)
    monkeypatch.setattr(measures, "MOST_WORK", 50_000)
    rough = survey(graph)
    assert (exact.betweenness_exact, rough.betweenness_exact) == (True, False)
    assert max(abs(a.betweenness - b.betweenness) for a, b in zip(exact.spaces, rough.spaces, strict=True)) < 0.03
    assert survey(graph, exact=True) == exact


def held(found: Survey, graph: nx.MultiDiGraph[str]) -> None:
    """What must be so on any board, asked one space at a time."""
    plain = nx.DiGraph(graph)
    both = nx.Graph(plain)
    whole = nx.number_connected_components(both)
    for here in found.spaces:
        far = nx.single_source_shortest_path_length(plain, here.space)
        assert here.ways == sum(1 for steps in far.values() if steps == 1)
        assert here.farthest == (max(far.values()) if len(far) > 1 else None)
        rest = both.copy()
        rest.remove_node(here.space)
        others = whole - (both.degree[here.space] == 0)
        assert here.cut == (nx.number_connected_components(rest) > others)
        mates = found.alike[here.alike]
        assert here.space in mates
        assert here.space in found.parts[here.part].spaces
        assert far.keys() >= set(found.parts[here.part].spaces)
    assert sorted(name for group in found.alike for name in group) == sorted(graph)


SMALL = [path for path in PATHS if path.parent.name not in ("fjords",)]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.parent.name if path.stem == "game" else path.stem)
def test_boards_of_all_games(path: Path) -> None:
    game = Game(load_checked(path))
    for info in game.configured(None, None).world.boards:
        graph = game.graph(info.name)
        if len(graph) <= 150:
            held(survey(graph), graph)


@pytest.mark.usefixtures("valley")
def test_parts_ways_and_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", "valley.yaml"]) == 0
    assert capsys.readouterr().out == VALLEY_SAID
    assert main(["map", "valley.yaml", "--lang", "ru"]) == 0
    said = capsys.readouterr().out
    assert "отсюда не уйти                        lake, isle\n" in said
    assert "1,71" in said
    assert main(["map", "valley.yaml", "--board", "bord"]) == 2
    assert "has no board `bord`; did you mean `board`?" in capsys.readouterr().err
    assert main(["map", "valley.yaml", "--along", "north"]) == 2
    assert "no way of board has `north`; its ways have no directions" in capsys.readouterr().err


@pytest.mark.usefixtures("valley")
def test_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    for measure in FIGURES:
        assert main(["map", "valley.yaml", "-o", "valley.svg", "--show", measure]) == 0
        texts = [text.text for text in ElementTree.parse("valley.svg").iter("{http://www.w3.org/2000/svg}text")]
        shown = [text for text in texts if text and text[0].isdigit()]
        assert shown == FIGURES[measure], measure
    assert main(["map", "valley.yaml", "-o", "valley.yaml"]) == 2
    assert "cannot be a picture" in capsys.readouterr().err


VALLEY_SAID = """\
spaces                               8
pairs of neighbours                  9
neighbours of a space                1 to 3, 2.12 on average
steps from space to space            5 at most, 1.89 on average
spaces that hold the board together  brook, ford, mill, lake
ways that hold the board together    brook – ford, mill – lake, lake – isle
one-way                              mill → lake
cannot be entered                    spring, brook, falls, ford, mill, inn
cannot be left                       lake, isle
different positions                  7

spaces in the same position  count  out/in  farthest  on average  betweenness
ford                             1     3/3         3        1.71        0.429  cuts
brook                            1     3/3         4        2.00        0.381  cuts
mill                             1     3/2         3        1.86        0.238  cuts
lake                             1     1/2         1        1.00        0.143  cuts
spring, falls                    2     2/2         5        2.71        0.000
inn                              1     2/2         3        2.14        0.000
isle                             1     1/1         1        1.00        0.000
"""
FIGURES = {
    "betweenness": ["0.00", "0.38", "0.00", "0.43", "0.24", "0.00", "0.14", "0.00"],
    "neighbours": ["2", "3", "2", "3", "3", "2", "1", "1"],
    "distance": ["2.71", "2.00", "2.71", "1.71", "1.86", "2.14", "1.00", "1.00"],
    "alike": ["1", "2", "1", "3", "4", "5", "6", "7"],
    "parts": ["1"] * 6 + ["2"] * 2,
}
