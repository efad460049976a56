"""Boards from files with graphs, and graphs from boards: what networkx says of a file is what a game has.

GraphML, node-link JSON and lists of edges are read by readers of our own, which know the place of everything;
networkx reads the same files and is the judge of what they mean.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import networkx
import pytest
from test_boards import MADE, make

from games import PATHS, named
from ruledsl import load
from ruledsl.boards.network import WRITERS, network
from ruledsl.cli.main import main
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.render import render
from ruledsl.registry import import_all
from ruledsl.source.document import Map, Scalar
from ruledsl.source.graphs import READERS, GraphFile, read_graph
from ruledsl.source.text import SourceFile

import_all("ruledsl.boards")

RULES = """\
ruledsl: 1
game: roads
players: 1
board: {{graph: {file}, space: town, one_way: true, apart: true{more}}}
play:
  - win: players
"""
HERE = SourceFile("roads.yaml", "").span(0, 0)


def read(folder: Path, name: str, text: str) -> tuple[GraphFile | None, Report]:
    (folder / name).write_text(text, encoding="utf-8")
    report = Report()
    return read_graph(name, folder, report, HERE), report


def rows(found: tuple[Map, ...]) -> list[dict[str, str]]:
    return [{key: e.value.value for key, e in row.entries.items() if isinstance(e.value, Scalar)} for row in found]


def board_of(folder: Path, name: str, text: str, more: str = "") -> networkx.MultiDiGraph[str]:
    """The board of a game with this file, as a graph."""
    (folder / name).write_text(text, encoding="utf-8")
    path = folder / "roads.yaml"
    path.write_text(RULES.format(file=name, more=more), encoding="utf-8")
    return load(path).graph()


def ways(graph: networkx.MultiDiGraph[str]) -> set[tuple[str, str, str]]:
    return {(start, end, said.get("label", "")) for start, end, said in graph.edges(data=True)}


# ------------------------------------------------------------------------------------------------ laws

SMALL = [made for made in MADE if 1 < len(make(made[0], **made[1])) <= 40]


@pytest.mark.parametrize("ending", WRITERS)
def test_a_board_that_is_written_and_read_is_the_same_graph(ending: str, tmp_path: Path) -> None:
    for shape, params in SMALL:
        written = network(make(shape, **params))
        if ending == ".csv" and list(networkx.isolates(written)):
            continue
        found = board_of(tmp_path, f"board{ending}", WRITERS[ending](written))
        assert set(found) == set(written), (shape, params)
        assert ways(found) == ways(written), (shape, params)
        if ending != ".csv":
            assert list(found) == list(written)


@pytest.mark.parametrize("path", PATHS, ids=named)
def test_the_boards_of_every_game_are_graphs(path: Path) -> None:
    game = load(path)
    for info in game.configured().world.boards:
        graph = game.graph(info.name)
        assert list(graph) == list(info.board.spaces)
        near = {
            info.board.spaces[s]: {info.board.spaces[n] for n in info.board.neighbors(s)} for s in range(len(graph))
        }
        if info.board.meeting is None:
            assert {space: set(graph.successors(space)) for space in graph} == near


def random_graph(rng: Random) -> networkx.Graph[str]:
    """A graph as other programs have them: attributes of every sort, some left out; directed or not."""
    size, directed = rng.randint(2, 9), rng.random() < 0.5
    made = networkx.gnp_random_graph(size, 0.5, seed=rng.randrange(10**6), directed=directed)
    graph: networkx.Graph[str] = networkx.relabel_nodes(made, {n: f"n{n}" for n in made})
    for node, data in graph.nodes(data=True):
        for key, value in (
            ("gold", rng.randint(-5, 500)),
            ("wet", rng.random() < 0.5),
            ("far", rng.choice([1.5, 2.0])),
        ):
            if rng.random() < 0.8:
                data[key] = value
        if rng.random() < 0.3:
            data["label"] = rng.choice([f"town {node}", f"Grünau & <{node}>", f"«{node}»🎲"])
    for _, _, data in graph.edges(data=True):
        if rng.random() < 0.7:
            data["hours"] = rng.randint(0, 9)
    return graph


def plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


@pytest.mark.parametrize("seed", range(40))
def test_what_networkx_reads_of_a_file_is_what_is_read_here(seed: int, tmp_path: Path) -> None:
    graph = random_graph(Random(seed))
    networkx.write_graphml(graph, tmp_path / "truth.graphml")
    text = (tmp_path / "truth.graphml").read_text(encoding="utf-8")
    truth = networkx.read_graphml(tmp_path / "truth.graphml")
    linked = json.dumps(networkx.node_link_data(graph, edges=Random(seed).choice(["edges", "links"])), indent="\t")
    for name, written in (("g.graphml", text), ("g.json", linked)):
        found, report = read(tmp_path, name, written)
        assert found is not None, "\n".join(render(f) for f in report.findings)
        called = {node: data.get("label", node) for node, data in truth.nodes(data=True)}
        wanted = [
            {"name": called[node]} | {key: plain(value) for key, value in data.items() if key != "label"}
            for node, data in truth.nodes(data=True)
        ]
        values = [{key: plain(float(v)) if key == "far" else v for key, v in row.items()} for row in rows(found.spaces)]
        assert values == wanted
        assert found.directed == truth.is_directed()
        hours = {(row["from"], row["to"]): row.get("hours") for row in rows(found.ways)}
        assert len(hours) == len(found.ways) == truth.number_of_edges()
        for start, end, data in truth.edges(data=True):
            said = plain(data["hours"]) if "hours" in data else None
            ends = [(called[start], called[end]), *([] if found.directed else [(called[end], called[start])])]
            assert said in [hours[pair] for pair in ends if pair in hours]


@pytest.mark.parametrize("ending", READERS)
def test_whatever_is_damaged_is_told_and_never_a_crash(ending: str, tmp_path: Path) -> None:
    rng = Random(ending)
    graph: networkx.MultiDiGraph[Any] = networkx.MultiDiGraph(networkx.DiGraph(random_graph(rng)))
    for _, data in graph.nodes(data=True):
        data["position"] = (rng.random(), 1.0)
    graph.remove_nodes_from(list(networkx.isolates(graph)))
    text = WRITERS[ending](graph)
    assert read(tmp_path, f"g{ending}", text)[0] is not None
    told = 0
    for _ in range(400):
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.choice([0, 0, 1, 1, 7, len(text)]))
        put = rng.choice(
            ["", "<", ">", "&", '"', "{", "]", ",", "\n", "<node/>", "<graph>", "<default>", "é", "\\u12", "9" * 400]
        )
        found, report = read(tmp_path, f"g{ending}", text[:start] + put + text[end:])
        assert (found is None) == bool(report.errors)
        told += bool(report.errors)
        for finding in report.findings:
            assert finding.span is not None
            assert render(finding)
    assert told > 20


# ---------------------------------------------------------------------------------------------- meaning


def test_ways_have_values_by_where_they_lead_or_by_direction(tmp_path: Path) -> None:
    more = ", attributes: {hours: {is: 0..9 by town, otherwise: 0}, toll: {is: 0..9 by direction, otherwise: 1}}"
    text = "from,to,label,back,hours,toll\nmill,farm,down,up,3,\nfarm,inn,down,up,4,2\n"
    found = board_of(tmp_path, "roads.csv", text, more)
    said = {(a, b): (d["label"], d["hours"], d["toll"]) for a, b, d in found.edges(data=True)}
    assert said == {
        ("mill", "farm"): ("down", 3, 1),
        ("farm", "mill"): ("up", 3, 1),
        ("farm", "inn"): ("down", 4, 2),
        ("inn", "farm"): ("up", 4, 2),
    }


def test_ways_of_a_table_have_values_too(tmp_path: Path) -> None:
    path = tmp_path / "roads.yaml"
    path.write_text(
        dedent("""\
        ruledsl: 1
        game: roads
        players: 2
        board:
          spaces: [{name: a}, {name: b}, {name: c}]
          edges: [{from: a, to: b, hours: 4}, {from: b, to: c, hours: 2}, {from: c, to: a, one_way: true, hours: 7}]
          space: town
          per: player
          attributes:
            hours: {is: 0..9 by town, otherwise: 0}
        play:
          - win: players
        """)
    )
    found = load(path).graph()
    assert {(a, b): d["hours"] for a, b, d in found.edges(data=True)} == {
        ("a", "b"): 4, ("b", "a"): 4, ("b", "c"): 2, ("c", "b"): 2, ("c", "a"): 7,
    }  # fmt: skip


def test_values_that_rules_write_otherwise_are_what_they_mean(tmp_path: Path) -> None:
    graph: networkx.DiGraph[Any] = networkx.DiGraph()
    graph.add_node("a", wet=True, far=2.0, kind="big & old")
    graph.add_node("b", wet=False, far=7.0, kind="small")
    graph.add_edge("a", "b")
    text = "\n".join(networkx.generate_graphml(graph))
    found = board_of(tmp_path, "g.graphml", text, ", attributes: {wet: bool, far: 0..9}")
    assert [(data["wet"], data["far"]) for _, data in found.nodes(data=True)] == [(True, 2), (False, 7)]


YED = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <key for="node" id="d5" yfiles.type="nodegraphics"/>
  <key for="edge" id="d9" yfiles.type="edgegraphics"/>
  <key attr.name="gold" attr.type="int" for="node" id="d4"><default>1</default></key>
  <graph edgedefault="directed" id="G">
    <node id="n0"><data key="d4">3</data><data key="d5"><y:ShapeNode>
      <y:Geometry height="30.0" width="30.0" x="10.0" y="20.0"/>
      <y:NodeLabel visible="true">harbour<y:LabelModel/></y:NodeLabel>
    </y:ShapeNode></data></node>
    <node id="n1"><data key="d5"><y:ShapeNode>
      <y:Geometry height="30.0" width="30.0" x="110.0" y="-5.0"/><y:NodeLabel>mill</y:NodeLabel>
    </y:ShapeNode></data></node>
    <edge id="e0" source="n0" target="n1">
      <data key="d9"><y:PolyLineEdge><y:EdgeLabel>up</y:EdgeLabel></y:PolyLineEdge></data></edge>
    <edge id="e1" source="n1" target="n0"/>
  </graph>
</graphml>
"""


def test_a_graph_that_was_drawn_with_yed_lies_as_it_was_drawn(tmp_path: Path) -> None:
    found, _ = read(tmp_path, "g.graphml", YED)
    truth = networkx.read_graphml(tmp_path / "g.graphml")
    assert found is not None
    assert [row["name"] for row in rows(found.spaces)] == [data["label"] for _, data in truth.nodes(data=True)]
    assert [(float(r["x"]), -float(r["y"])) for r in rows(found.spaces)] == [(10, 20), (110, -5)]
    assert [row["gold"] for row in rows(found.spaces)] == ["3", "1"]
    graph = board_of(tmp_path, "g.graphml", YED, ", attributes: {gold: 0..9}")
    assert ways(graph) == {("harbour", "mill", "up"), ("mill", "harbour", "")}
    assert graph.nodes["mill"]["position"][1] > graph.nodes["harbour"]["position"][1]


def test_draw_writes_graphs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert [main(["draw", "hex", "--option", "size=3", "-o", f"hex{ending}"]) for ending in WRITERS] == [0, 0, 0]
    assert capsys.readouterr().out == "hex.graphml\nhex.json\nhex.csv\n"
    xml = networkx.read_graphml("hex.graphml")
    linked = networkx.node_link_graph(json.loads(Path("hex.json").read_text(encoding="utf-8")), edges="edges")
    assert set(xml.edges) == set(linked.edges)
    assert len(xml) == 9
    assert main(["draw", "hex", "-o", "rules.md"]) == 2
    assert main(["draw", "hex", "--tiles", "-o", "hex.csv"]) == 2
    Path("alone.yaml").write_text(
        "ruledsl: 1\ngame: alone\nplayers: 1\nboard: {spaces: [{name: a}, {name: b}, {name: c}], "
        "edges: [{from: a, to: b}], apart: true, space: town}\nplay:\n  - win: players\n"
    )
    capsys.readouterr()
    assert main(["draw", "alone.yaml", "-o", "alone.csv"]) == 2
    assert capsys.readouterr().err == (
        "ruledsl: a list of edges cannot show `c`, which has no edges; write a file that ends in .graphml\n"
    )


# --------------------------------------------------------------------------------------------- mistakes

GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n{}\n</graphml>\n'
MISTAKES = {
    "roads.dot": ("graph {}", "error[Y406]: ruledsl cannot read a graph from `roads.dot`\n --> roads.yaml:4:16"),
    "none.csv": (None, "error[Y001]: there is no file `none.csv`\n --> roads.yaml:4:16"),
    "empty.csv": ("", "error[Y111]: this table is empty\n --> empty.csv:1:1"),
    "ends.csv": ("from,too\na,b\n", "error[Y406]: an edge needs a name under `to`\n --> ends.csv:2:1"),
    "loop.csv": ("from,to\na,b\nb,b\n", "error[B203]: an edge leads from `b` to itself\n --> loop.csv:3:3"),
    "twice.csv": ("from,to\na,b\nb,a\n", "error[B203]: the edge from `b` to `a` is written twice\n --> twice.csv:3:1"),
    "label.csv": (
        "from,to,label\na,b,go up\n",
        "error[B203]: a label is the name of a direction, not `go up`\n --> label.csv:2:5",
    ),
    "name.csv": ("from,to\na,b\nb,=+*\n", "error[B203]: a space cannot be called `=+*`\n --> name.csv:3:3"),
    "text.json": (
        '{"nodes": [,]}',
        "error[Y406]: this is no JSON: `,` stands where a value should be\n --> text.json:1:12",
    ),
    "open.json": (
        '{"nodes": [',
        "error[Y406]: this is no JSON: the file ends where a value should be\n --> open.json:1:12",
    ),
    "list.json": ("[]", "error[Y406]: there is no list `nodes` here\n --> list.json:1:1"),
    "edges.json": ('{"nodes": []}', "error[Y406]: there is no list `edges` here\n --> edges.json:1:1"),
    "bare.json": ('{"nodes": [7], "edges": []}', "error[Y406]: a node must be a map\n --> bare.json:1:12"),
    "id.json": ('{"nodes": [{}], "edges": []}', "error[Y406]: a node needs a text as `id`\n --> id.json:1:12"),
    "same.json": (
        '{"nodes": [{"id": 1}, {"id": "1"}], "edges": []}',
        "error[Y406]: two nodes have the id `1`\n --> same.json:1:30",
    ),
    "end.json": (
        '{"nodes": [{"id": "mill"}], "edges": [{"source": "mill",\n "target": "mil"}]}',
        "error[Y406]: an edge names `mil`, which is not a node of this graph\n --> end.json:2:12",
    ),
    "none.json": ('{"nodes": [], "edges": []}', "error[B203]: the table of spaces is empty\n --> roads.yaml:4:9"),
    "deep.json": ("[" * 9000, "error[Y406]: this is no JSON: it is nested too deeply\n --> deep.json:1:101"),
    "twin.json": (
        '{"nodes": [{"id": 1, "name": "a"}, {"id": 2, "name": "a"}], "edges": []}',
        "error[B203]: two spaces are called `a`\n --> twin.json:1:54",
    ),
    "xml.graphml": (
        "<graphml>\n<graph>\n</graphml>",
        "error[Y406]: this is not GraphML: mismatched tag\n --> xml.graphml:3:3",
    ),
    "no.graphml": (GRAPHML.format(""), "error[Y406]: this file has no `graph`\n --> no.graphml:1:1"),
    "bomb.graphml": (
        '<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n' + GRAPHML.format("<graph>&b;</graph>"),
        "error[Y406]: a graph file has no DOCTYPE\n --> bomb.graphml:1:1",
    ),
    "two.graphml": (
        GRAPHML.format("<graph/><graph/>"),
        "error[Y406]: a file has one graph, and no graphs within its nodes\n --> two.graphml:2:9",
    ),
    "hyper.graphml": (
        GRAPHML.format("<graph><hyperedge/></graph>"),
        "error[Y406]: an edge joins two spaces: hyperedges are not supported\n --> hyper.graphml:2:8",
    ),
    "node.graphml": (
        GRAPHML.format("<graph><node/></graph>"),
        "error[Y406]: this tag needs `id`\n --> node.graphml:2:8",
    ),
    "end.graphml": (
        GRAPHML.format('<graph><node id="é"/>\n<edge source="é" target="x"/></graph>'),
        "error[Y406]: an edge names `x`, which is not a node of this graph\n --> end.graphml:3:26",
    ),
    "mixed.graphml": (
        GRAPHML.format('<graph><node id="a"/><node id="b"/>\n<edge source="a" target="b" directed="true"/></graph>'),
        "error[Y406]: the graph is undirected and this edge leads one way\n --> mixed.graphml:3:1",
    ),
    "key.graphml": (
        GRAPHML.format('<graph><node id="a"><data key="d0">3</data></node></graph>'),
        "error[Y406]: no `key` of this file has the id `d0`\n --> key.graphml:2:21",
    ),
    "int.graphml": (
        GRAPHML.format(
            '<key id="d0" attr.name="gold" attr.type="int"/>\n'
            '<graph><node id="a"><data key="d0">x</data></node></graph>'
        ),
        "error[Y406]: `gold` must be a number, not `x`\n --> int.graphml:3:21",
    ),
    "back.graphml": (
        GRAPHML.format(
            '<key id="label" attr.name="label"/>\n<graph><node id="a"/><node id="b"/>\n'
            '<edge source="a" target="b"><data key="label">up</data></edge></graph>'
        ),
        "error[B203]: the edge from `a` to `b` leads both ways, and has no word for the way back; "
        "write it as `back`, or make the graph directed\n --> back.graphml:4:47",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_is_wrong_with_a_file_is_told_with_its_place(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text, wanted = MISTAKES[name]
    if text is not None:
        Path(name).write_text(text, encoding="utf-8")
    Path("roads.yaml").write_text(RULES.format(file=name, more=""), encoding="utf-8")
    report = pipeline.check(Path("roads.yaml"))
    (found,) = report.sorted()
    said = render(found).replace("\n  --> ", "\n --> ")
    assert said.startswith(wanted + "\n"), said


Check = Callable[[str, str], list[str]]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    monkeypatch.chdir(tmp_path)

    def check(text: str, more: str) -> list[str]:
        Path("roads.csv").write_text(text, encoding="utf-8")
        rules = RULES.replace(", one_way: true, apart: true", "").format(file="roads.csv", more=more)
        Path("roads.yaml").write_text(rules, encoding="utf-8")
        return [f"{f.code} {f.message}" for f in pipeline.check(Path("roads.yaml")).sorted()]

    return check


def test_what_ways_say_is_held_against_what_is_asked(told: Check) -> None:
    text = "from,to,hours\na,b,3\n"
    assert told(text, "") == []
    assert told(text, ", attributes: {hours: 0..9}") == [
        "B216 `hours` belongs to edges, so it is a value by `town` or by direction"
    ]
    assert told(text, ", attributes: {hours: {is: 0..9 by direction, otherwise: 0}}") == [
        "B216 `hours` is by direction, and this way has no label"
    ]
    assert told(text, ", attributes: {ours: {is: 0..9 by town, otherwise: 0}}") == [
        "L505 nothing reads `hours` of this graph",
        "L503 the attribute `ours` is never used",
    ]
    both = "from,to,label,hours\na,b,up,3\na,b,down,4\nb,a,over,1\n"
    assert told(both, ", attributes: {hours: {is: 0..9 by town, otherwise: 0}}") == [
        "B216 two ways from `a` to `b` say `hours`"
    ]


def test_ways_without_return_and_parts_that_do_not_meet_are_told(told: Check) -> None:
    assert told("from,to,one_way\na,b,true\nc,d,\n", "") == ["B206 there is no path from `a` to `c`, `d`"]
    assert told("from,to,label\na,b,up\n", "") == [
        "B206 an edge leads from `a` to `b`, but none back; is it `one_way: true`?"
    ]


def test_one_file_is_read_once_for_all_configurations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ruledsl.boards import graphfile

    (tmp_path / "roads.csv").write_text("from,to\na,b\n", encoding="utf-8")
    path = tmp_path / "roads.yaml"
    path.write_text(RULES.format(file="roads.csv", more="").replace("players: 1", "players: 1..4"), encoding="utf-8")
    built: list[int] = []
    from ruledsl.boards.graph import joined

    def noted(*given: Any) -> Any:
        built.append(1)
        return joined(*given)

    monkeypatch.setattr(graphfile, "joined", noted)
    assert not pipeline.check(path).findings
    assert len(built) == 1
