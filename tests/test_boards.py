"""What holds on every board of every shape, and how boards look."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from inspect import signature
from itertools import pairwise
from math import atan2, dist, tau
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from ruledsl.boards.base import OFF, SHAPES, Board, BoardError, check_graph, letters
from ruledsl.boards.layout import layout
from ruledsl.boards.marks import COLOURS, Mark, _shown, paint, plain
from ruledsl.boards.network import network
from ruledsl.boards.picture import picture
from ruledsl.boards.svg import svg
from ruledsl.registry import import_all
from ruledsl.wording.columns import columns

import_all("ruledsl.boards")

HEXES = [{"q": 0, "r": 0, "id": "well"}, {"q": 1, "r": 0}, {"q": 3, "r": -1}, {"q": 4, "r": -2}]
TOWN: dict[str, object] = {
    "spaces": [{"name": "harbour"}, {"name": "market"}, {"name": "tower"}, {"name": "wood"}],
    "edges": [
        {"from": "harbour", "to": "market", "label": "uphill", "back": "downhill"},
        {"from": "market", "to": "tower"},
        {"from": "tower", "to": "harbour", "one_way": True},
        {"from": "tower", "to": "wood"},
    ],
}
TRIANGLE: dict[str, object] = {
    "spaces": [
        {"name": "a", "x": 0, "y": 0},
        {"name": "b", "x": 30, "y": 0},
        {"name": "c", "x": 0, "y": "40"},
    ],
    "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}, {"from": "c", "to": "a"}],
}
SQUARES = [(1, 1), (1, 5), (5, 1), (2, 2), (3, 3), (8, 8), (19, 19), (30, 4)]
MADE: list[tuple[str, Mapping[str, object]]] = [
    *(("grid", {"width": width, "height": height}) for width, height in SQUARES),
    *(("hexes", {"radius": n, "shape": shape}) for n in (0, 1, 2, 5) for shape in ("flat", "pointy")),
    *(("hexes", {"rhombus": n, "shape": shape}) for n in (1, 2, 5, 11) for shape in ("flat", "pointy")),
    ("hexes", {"from": HEXES}),
    *(("ring", {"ring": n}) for n in (2, 3, 12)),
    *(("ring", {"ring": n, "hub": "keep"}) for n in (2, 6, 12)),
    *(("track", {"track": n}) for n in (1, 2, 24)),
    *(("track", {"track": 24, "rows": n}) for n in (2, 5, 24)),
    *(("triangle", {"triangle": n}) for n in (1, 2, 5, 30)),
    ("graph", TOWN),
    ("graph", TRIANGLE),
]


def make(shape: str, /, **params: object) -> Board:
    return SHAPES[shape].make(params)


@pytest.fixture(params=MADE, ids=lambda made: f"{made[0]} {made[1]}"[:40])
def board(request: pytest.FixtureRequest) -> Board:
    shape, params = request.param
    return SHAPES[shape].make(params)


def dark_squares(size: int = 8) -> Board:
    return SHAPES["grid"].make({"width": size, "height": size}, lambda at: (at["x"] + at["y"]) % 2 == 0)


# --------------------------------------------------------------------------------------- laws


def test_the_shape_that_is_told_in_the_docs_is_a_good_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """`docs/extending.md` has a whole file for a shape of board: what it makes keeps the laws below."""
    page = (Path(__file__).resolve().parents[1] / "docs/extending.md").read_text(encoding="utf-8")
    (source,) = [text for text in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "@board_shape" in text]
    monkeypatch.setattr("ruledsl.boards.base.SHAPES", dict(SHAPES))
    known: dict[str, Any] = {}
    exec(source, known)
    tests = [one for name, one in globals().items() if name.startswith("test_")]
    laws = [test for test in tests if [*signature(test).parameters] == ["board"]]
    assert len(laws) > 5
    for size in (2, 3, 12):
        for law in laws:
            law(known["loop"](size))


def test_a_step_back_undoes_a_step(board: Board) -> None:
    for there, back in board.opposite.items():
        for space, near in enumerate(board.steps[there]):
            if near != OFF:
                assert board.steps[back][near] == space


def test_the_opposite_of_the_opposite_is_the_direction_itself(board: Board) -> None:
    for direction, back in board.opposite.items():
        assert board.opposite[back] == direction


def test_axes_are_the_pairs_of_opposites_each_once(board: Board) -> None:
    pairs = {frozenset(pair) for pair in board.opposite.items()}
    assert {frozenset(axis) for axis in board.axes} == pairs
    assert len(board.axes) == len(pairs)


@pytest.mark.parametrize(("shape", "params"), [made for made in MADE if made[0] in ("grid", "hexes", "triangle")])
def test_directions_turn_clockwise(shape: str, params: Mapping[str, object]) -> None:
    board = SHAPES[shape].make(params)
    for space, here in enumerate(board.positions):
        near = [board.steps[d][space] for d in board.directions]
        angles = [_clockwise(here, board.positions[to]) for to in near if to != OFF]
        assert angles == sorted(angles), board.spaces[space]


@pytest.mark.parametrize(("shape", "params"), [made for made in MADE if made[0] in ("grid", "hexes", "triangle")])
def test_directions_lead_where_the_compass_says(shape: str, params: Mapping[str, object]) -> None:
    board = SHAPES[shape].make(params)
    for link in board.links:
        (x1, y1), (x2, y2) = board.positions[link.start], board.positions[link.end]
        north = "n" if y2 > y1 + 0.1 else "s" if y2 < y1 - 0.1 else ""
        assert link.label == north + ("e" if x2 > x1 + 0.1 else "w" if x2 < x1 - 0.1 else "")


def _clockwise(here: tuple[float, float], there: tuple[float, float]) -> float:
    """The angle from due north, clockwise."""
    return round(atan2(there[0] - here[0], there[1] - here[1]) % tau, 6)


def test_cw_goes_clockwise_around_the_middle() -> None:
    board = make("ring", ring=12)
    for space, near in enumerate(board.steps["cw"][:11]):
        middle = (0.0, 0.0)
        assert _clockwise(middle, board.positions[space]) < _clockwise(middle, board.positions[near])


def test_neighbours_are_mutual_distinct_and_in_order(board: Board) -> None:
    one_way = {(edge.start, edge.end) for edge in board.edges if edge.one_way}
    for space in range(len(board)):
        near = board.neighbors(space)
        assert list(near) == sorted(set(near) - {space, OFF})
        assert all(space in board.neighbors(other) for other in near if (space, other) not in one_way)


def test_neighbours_in_all_directions_are_the_neighbours_but_for_edges_without_label(board: Board) -> None:
    for space in range(len(board)):
        unlabelled = {edge.end for edge in board.edges if edge.start == space and not edge.label}
        assert set(board.neighbors(space, board.directions)) | unlabelled == set(board.neighbors(space))


def test_names_are_unique_and_found_again(board: Board) -> None:
    assert len(set(board.spaces)) == len(board)
    assert [board.index_of[name] for name in board.spaces] == list(range(len(board)))
    assert [board.locate({"name": name}) for name in board.spaces] == list(range(len(board)))


def test_coordinates_find_their_space(board: Board) -> None:
    assert len(board.at) == (len(board) if board.coordinates else 0)
    for here, space in board.at.items():
        named = dict(zip(board.coordinate_names, here, strict=True))
        assert named == {name: values[space] for name, values in board.coordinates.items()}
        assert board.locate(named) == space


def test_tables_have_an_entry_for_each_space(board: Board) -> None:
    assert set(board.steps) == set(board.directions)
    assert {direction for group in board.groups.values() for direction in group} <= set(board.directions)
    for values in (*board.steps.values(), *board.coordinates.values(), layout(board)):
        assert len(values) == len(board)


def test_networkx_sees_the_same_neighbours(board: Board) -> None:
    seen = network(board)
    assert list(seen) == list(board.spaces)
    names = board.spaces
    near = {(names[space], names[n]) for space in range(len(board)) for n in board.neighbors(space)}
    assert {(start, end) for start, end, _ in seen.edges} == near


@pytest.mark.parametrize(("width", "height"), SQUARES)
def test_counts_on_grids(width: int, height: int) -> None:
    board = make("grid", width=width, height=height)
    straight = width * (height - 1) + height * (width - 1)
    assert len(board) == width * height
    assert len(board.links) == 2 * straight + 4 * (width - 1) * (height - 1)
    inside = max(width - 2, 0) * max(height - 2, 0)
    assert sum(board.edge) == width * height - inside


@pytest.mark.parametrize("n", [1, 2, 5, 20])
@pytest.mark.parametrize("shape", ["flat", "pointy"])
def test_counts_on_hexagons(n: int, shape: str) -> None:
    large = make("hexes", radius=n, shape=shape)
    assert len(large) == 3 * n * (n + 1) + 1
    assert len(large.links) == 2 * (9 * n * n + 3 * n)
    assert sum(large.edge) == 6 * n
    rhombus = make("hexes", rhombus=n, shape=shape)
    assert len(rhombus) == n * n
    assert len(rhombus.links) == 2 * (n - 1) * (3 * n - 1)


@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_counts_on_triangles(n: int) -> None:
    board = make("triangle", triangle=n)
    assert len(board) == n * (n + 1) // 2
    assert len(board.links) == 3 * n * (n - 1)
    assert sum(board.edge) == max(1, 3 * (n - 1))


@pytest.mark.parametrize("n", [2, 3, 12])
def test_counts_on_rings_and_tracks(n: int) -> None:
    ring, hub, track = make("ring", ring=n), make("ring", ring=n, hub="keep"), make("track", track=n)
    assert [len(ring), len(hub), len(track)] == [n, n + 1, n]
    assert [len(ring.links), len(hub.links), len(track.links)] == [2 * n, 4 * n, 2 * (n - 1)]
    assert not any(ring.edge)
    assert [space for space in range(n) if track.edge[space]] == [0, n - 1]


def test_neighbours_are_one_apart_on_paper() -> None:
    for shape, params in MADE:
        board = SHAPES[shape].make(params)
        if shape == "grid" or board.edges:
            continue
        for link in board.links:
            assert dist(board.positions[link.start], board.positions[link.end]) == pytest.approx(1)


# ------------------------------------------------------------------------------------- shapes


def test_letters_go_on_after_z() -> None:
    assert [letters(n) for n in (1, 26, 27, 52, 53, 702, 703)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


def test_the_first_spaces_of_each_shape() -> None:
    assert make("grid", width=3, height=2).spaces == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert make("hexes", rhombus=2).spaces == ("a1", "b1", "a2", "b2")
    assert make("hexes", radius=1).spaces == ("0,-1", "1,-1", "-1,0", "0,0", "1,0", "-1,1", "0,1")
    assert make("hexes", **{"from": HEXES}).spaces == ("well", "1,0", "3,-1", "4,-2")
    assert make("ring", ring=2, hub="keep").spaces == ("1", "2", "keep")
    assert make("ring", ring=2, **{"from": [{"name": "east"}, {"id": "west"}]}).spaces == ("east", "west")


def test_directions_are_named_as_the_language_says() -> None:
    assert make("grid", width=2, height=2).directions == ("n", "ne", "e", "se", "s", "sw", "w", "nw")
    assert make("hexes", radius=1).directions == ("n", "ne", "se", "s", "sw", "nw")
    assert make("hexes", rhombus=2).directions == ("ne", "e", "se", "sw", "w", "nw")
    assert make("ring", ring=3, hub="keep").directions == ("cw", "ccw", "hub")


def test_only_keeps_names_and_steps() -> None:
    board = dark_squares()
    assert (len(board), board.spaces[:5]) == (32, ("a1", "c1", "e1", "g1", "b2"))
    assert board.neighbors(board.index_of["c1"]) == (board.index_of["b2"], board.index_of["d2"])
    assert board.steps["n"] == (OFF,) * 32
    assert check_graph(board) == []


def test_where_only_diagonals_lead_they_decide_what_the_edge_is() -> None:
    board = dark_squares()
    rim = {name for space, name in enumerate(board.spaces) if board.edge[space]}
    assert rim == {name for name in board.spaces if name[0] in "ah" or name[1] in "18"}


def test_a_hole_makes_an_edge() -> None:
    ring = SHAPES["grid"].make({"width": 3, "height": 3}, lambda at: (at["x"], at["y"]) != (2, 2))
    assert all(ring.edge)


def test_the_hub_is_beside_all_and_has_no_direction() -> None:
    board = make("ring", ring=6, hub="keep")
    hub = board.index_of["keep"]
    assert board.neighbors(hub) == (0, 1, 2, 3, 4, 5)
    assert board.neighbors(0) == (1, 5, hub)
    assert [board.steps[d][hub] for d in board.directions] == [OFF, OFF, OFF]
    assert board.at[7,] == hub


def test_labels_are_directions() -> None:
    board = make("graph", **TOWN)
    assert board.directions == ("uphill", "downhill")
    assert board.axes == (("uphill", "downhill"),)
    assert board.steps["uphill"] == (1, OFF, OFF, OFF)
    assert board.neighbors(2) == (0, 1, 3)


def test_a_layout_is_the_same_each_time_and_keeps_spaces_apart() -> None:
    places = layout(make("graph", **TOWN))
    assert places == layout(make("graph", **TOWN))
    assert all(dist(a, b) > 0.4 for i, a in enumerate(places) for b in places[:i])


def test_networkx_is_not_loaded_for_playing_or_drawing() -> None:
    program = dedent("""
        import sys
        from ruledsl.registry import import_all
        import_all("ruledsl.boards")
        from ruledsl.boards.base import SHAPES
        from ruledsl.boards.svg import svg
        svg(SHAPES["graph"].make({"spaces": [{"name": "a"}], "edges": []}), [None], "a")
        print("networkx" in sys.modules, "numpy" in sys.modules)
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


# ----------------------------------------------------------------------------------- mistakes

AB: list[dict[str, object]] = [{"name": "a"}, {"name": "b"}]
MISTAKES: list[tuple[str, dict[str, object], str, str]] = [
    ("grid", {"width": 3}, "height", "`grid` needs `height`: the number of rows"),
    (
        "grid",
        {"width": 3, "hight": 3},
        "hight",
        "`grid` has no `hight`; it takes `width`, `height`, `neighbors`, `skip`, `growing`, `touching`, `radius`",
    ),
    ("grid", {"width": 0, "height": 3}, "width", "`width` must be at least 1, not 0"),
    ("grid", {"width": "3", "height": 3}, "width", "`width` must be a whole number, not `3`"),
    ("grid", {"width": True, "height": 3}, "width", "`width` must be a whole number, not `True`"),
    (
        "grid",
        {"width": 200, "height": 101},
        "width",
        "the board has 20200 spaces; at most 20000 are possible",
    ),
    ("hexes", {}, "radius", "`hexes` takes exactly one of `radius`, `rhombus`, `from`"),
    (
        "hexes",
        {"radius": 2, "rhombus": 2},
        "rhombus",
        "`hexes` takes exactly one of `radius`, `rhombus`, `from`",
    ),
    ("hexes", {"radius": 2, "shape": "round"}, "shape", "`shape` must be flat or pointy, not `round`"),
    ("hexes", {"from": []}, "from", "the table of cells is empty"),
    ("hexes", {"from": [{"q": 1}]}, "from", "a row of `from` has no `r`"),
    ("hexes", {"from": [{"q": "x", "r": 1}]}, "from", "`q` must be a whole number, not `x`"),
    ("hexes", {"from": [{"q": 1, "r": 1}] * 2}, "from", "the cell q 1, r 1 is in the table twice"),
    ("ring", {"ring": 6, "hub": "3"}, "hub", "two spaces are called `3`"),
    ("ring", {"ring": 6, "from": AB}, "from", "the table names 2 spaces, but the ring has 6"),
    ("track", {"track": 3, "rows": 0}, "rows", "`rows` must be at least 1, not 0"),
    ("track", {"track": 3, "rows": 4}, "rows", "3 spaces do not fill 4 rows"),
    ("graph", {"spaces": [*AB, {"name": "a"}], "edges": []}, "spaces", "two spaces are called `a`"),
    ("graph", {"spaces": [{"x": 1}], "edges": []}, "spaces", "space 1 of the table has no `name`"),
    (
        "graph",
        {"spaces": AB, "edges": [{"from": "a", "to": "c"}]},
        "edges",
        "an edge names `c`, which is not among the spaces",
    ),
    ("graph", {"spaces": AB, "edges": [{"from": "a"}]}, "edges", "a row of `edges` has no `to`"),
    (
        "graph",
        {"spaces": AB, "edges": [{"from": "a", "to": "a"}]},
        "edges",
        "an edge leads from `a` to itself",
    ),
    (
        "graph",
        {"spaces": AB, "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "a"}]},
        "edges",
        "the edge from `b` to `a` is written twice",
    ),
    (
        "graph",
        {"spaces": AB, "edges": [{"from": "a", "to": "b", "back": "down"}]},
        "edges",
        "the edge from `a` to `b` has a `back` but has no `label`",
    ),
    (
        "graph",
        {
            "spaces": [*AB, {"name": "c"}],
            "edges": [{"from": "a", "to": "b", "label": "up"}, {"from": "a", "to": "c", "label": "up"}],
        },
        "edges",
        "`up` leads from `a` to both `b` and `c`; a label is a direction, other columns tell kinds of edges",
    ),
    (
        "graph",
        {"spaces": [{"name": "a", "x": "nan", "y": 0}], "edges": []},
        "spaces",
        "`x` of a space must be a number, not `nan`",
    ),
]


@pytest.mark.parametrize(("shape", "params", "parameter", "message"), MISTAKES)
def test_a_wrong_parameter_is_told(shape: str, params: dict[str, object], parameter: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        SHAPES[shape].make(params)
    assert (caught.value.message, caught.value.parameter) == (message, parameter)


def test_only_must_leave_something_and_needs_coordinates() -> None:
    with pytest.raises(BoardError, match="`only` leaves no spaces"):
        SHAPES["track"].make({"track": 3}, lambda at: at["index"] > 3)
    with pytest.raises(BoardError, match="the spaces of `spaces` have none"):
        SHAPES["graph"].make(TOWN, lambda at: True)


def test_each_shape_is_documented_with_an_example_and_known_by_its_key() -> None:
    assert len({shape.key for shape in SHAPES.values()}) == len(SHAPES)
    for shape in [
        shape for name, shape in SHAPES.items() if name not in ("edges", "graph_file")
    ]:  # which need a board, a file
        examples = [yaml.safe_load(text) for text in re.split(r"^(?=boards?:)", shape.doc, flags=re.M)[1:]]
        assert examples
        for board in [board for e in examples for board in (e["boards"].values() if "boards" in e else [e["board"]])]:
            written = board[shape.key] if shape.nested else board
            shape.make({name: value for name, value in written.items() if name in shape.parameters})


# ----------------------------------------------------------------------------------- analysis


def test_sound_boards_have_no_problems(board: Board) -> None:
    if board.spaces[0] != "well":
        assert check_graph(board) == []


def test_planted_faults_are_found() -> None:
    board = make(
        "graph",
        spaces=[{"name": name} for name in "abcdefgh"],
        edges=[
            {"from": "a", "to": "b"},
            {"from": "c", "to": "d", "label": "up"},
            {"from": "e", "to": "c", "one_way": True},
            {"from": "f", "to": "d", "label": "east", "back": "west"},
        ],
    )
    assert [(problem.kind, problem.spaces, problem.message) for problem in check_graph(board)] == [
        ("lonely", (6, 7), "`g`, `h` have no neighbours"),
        ("disconnected", (2, 3, 4, 5), "there is no path from `a` to `c`, `d`, `e` and 1 more"),
        ("one-way", (2, 3), "an edge leads from `c` to `d`, but none back; is it `one_way: true`?"),
    ]


def test_a_table_of_hexagons_may_fall_apart() -> None:
    assert [problem.kind for problem in check_graph(make("hexes", **{"from": HEXES}))] == ["disconnected"]


# ----------------------------------------------------------------------------------- pictures


def drawn(board: Board, marks: dict[str, str], **more: object) -> str:
    shown = [Mark(marks[name]) if name in marks else None for name in board.spaces]
    return picture(board, shown, colour=False, **more) + "\n"  # type: ignore[arg-type]


def text(picture: str) -> str:
    return dedent(picture).removeprefix("\n")


def test_picture_of_tic_tac_toe() -> None:
    assert drawn(make("grid", width=3, height=3), {"b2": "X", "c1": "O"}) == text("""
        3 . . .
        2 . X .
        1 . . O
          a b c
    """)


def test_picture_of_chess() -> None:
    board = make("grid", width=8, height=8)
    ranks = {8: "rnbqkbnr", 7: "pppppppp", 2: "PPPPPPPP", 1: "RNBQKBNR"}
    marks = {f"{f}{rank}": piece for rank, row in ranks.items() for f, piece in zip("abcdefgh", row, strict=True)}
    assert drawn(board, marks) == text("""
        8 r n b q k b n r
        7 p p p p p p p p
        6 . . . . . . . .
        5 . . . . . . . .
        4 . . . . . . . .
        3 . . . . . . . .
        2 P P P P P P P P
        1 R N B Q K B N R
          a b c d e f g h
    """)


def test_picture_with_wide_letters() -> None:
    assert drawn(make("grid", width=3, height=2), {"a1": "馬", "b1": "Ж", "c2": "wR"}) == text("""
        2 .  .  wR
        1 馬 Ж  .
          a  b  c
    """)


def test_picture_of_dark_squares() -> None:
    assert drawn(dark_squares(4), {"b2": "w"}) == text("""
        4   .   .
        3 .   .
        2   w   .
        1 .   .
          a b c d
    """)


def test_picture_of_hex() -> None:
    assert drawn(make("hexes", rhombus=5), {"a1": "X", "e2": "O"}) == text("""
         a b c d e
        1 X . . . .
         2 . . . . O
          3 . . . . .
           4 . . . . .
            5 . . . . .
    """)


def test_picture_of_a_flat_rhombus() -> None:
    assert drawn(make("hexes", rhombus=3, shape="flat"), {"a1": "X", "c2": "O"}) == text("""
           a
        1     b
           X     c
        2     .
           .     .
        3     .
           .     O
              .
                 .
    """)


def test_picture_of_a_flat_hexagon() -> None:
    assert drawn(make("hexes", radius=2), {"0,0": "X", "2,-1": "O"}) == text("""
                r-2
            r-1      .
        r0       .       .
             .       .       .
        r1       .       .
             .       X       O
        r2       .       .
             .       .       .
                 .       .
                     .
            q-2 q-1 q0  q1  q2
    """)


def test_picture_of_a_pointy_hexagon() -> None:
    assert drawn(make("hexes", radius=2, shape="pointy"), {"0,0": "X", "2,-1": "O"}) == text("""
        r-2      .   .   .
        r-1    .   .   .   O
         r0  .   .   X   .   .
         r1    .   .   .   .  q2
         r2      .   .   .  q1
                  q-2 q-1 q0
    """)


def test_picture_of_a_ring_with_a_hub() -> None:
    assert drawn(make("ring", ring=6, hub="keep"), {"2": "X", "keep": "O"}) == text("""
        1  2  3  4  5  6  > 1  |  keep
        .  X  .  .  .  .       |  O
    """)


def test_picture_of_a_long_track() -> None:
    assert drawn(make("track", track=12), {"2": "X"}, width=20) == text("""
        1  2  3  4  5  6  7
        .  X  .  .  .  .  .

        8  9  10  11  12
        .  .  .   .   .
    """)


def test_picture_of_a_track_in_rows() -> None:
    """A stack of ten or more is no wider than one of fewer: else the board would be drawn otherwise from then on."""
    narrow = make("track", track=24, rows=2)
    few, many = drawn(narrow, {"12": "W9"}, width=46), drawn(narrow, {"12": "W10", "3": "B12"}, width=46)
    assert [line[:4] for line in few.split("\n")] == [line[:4] for line in many.split("\n")]
    assert drawn(make("track", track=8, rows=3), {"2": "X", "4": "O12"}) == text("""
        7   8
        .   .

        6   5   4
        .   .   O12

        1   2   3
        .   X   .
    """)
    assert drawn(make("track", track=12, rows=2), {"2": "X"}, width=10) == text("""
        1  2  3  4
        .  X  .  .

        5  6  7  8
        .  .  .  .

        9  10  11
        .  .   .

        12
        .
    """)


def test_a_short_row_of_a_track_ends_where_it_would() -> None:
    assert drawn(make("track", track=5, rows=2), {"1": "X"}) == "   5  4\n   .  .\n\n1  2  3\nX  .  .\n"


def test_picture_of_a_graph() -> None:
    board = make("graph", **TRIANGLE)
    assert drawn(board, {"b": "X"}) == text("""
        . c
        | \\
        |  \\
        . a--X b
    """)


def test_list_of_a_graph_with_labels_and_one_way_edges() -> None:
    assert drawn(make("graph", **TOWN), {"market": "X"}).split("\n\n")[-1] == text("""
        harbour  .  uphill: market
        market   X  downhill: harbour, tower
        tower    .  market, > harbour, wood
        wood     .  tower
    """)


def test_a_board_that_is_too_wide_shows_the_part_in_use() -> None:
    lines = drawn(make("hexes", radius=34), {"0,0": "X", "5,0": "O"}).splitlines()
    assert lines[-1] == "[98/3571]"
    assert max(map(columns, lines)) <= 100
    assert sum(line.count("X") + line.count("O") for line in lines) == 2


def test_an_empty_board_that_is_too_wide_is_cut_into_bands() -> None:
    assert drawn(make("grid", width=12, height=2), {}, width=15) == text("""
        2 . . . . . .
        1 . . . . . .
          a b c d e f

        2 . . . . . .
        1 . . . . . .
          g h i j k l
    """)


def test_the_ground_shows_where_nothing_lies() -> None:
    board = make("grid", width=2, height=1)
    marks = [Mark("X"), None]
    assert picture(board, marks, colour=False, ground=[Mark("~"), Mark("~")]) == "1 ~X ~\n  a  b"


def test_colours_only_when_wanted_and_only_known_ones() -> None:
    board = make("grid", width=3, height=1)
    marks = [Mark("X", "red"), Mark("O", "blue", bold=True), Mark("Z", "31m")]
    assert picture(board, marks, colour=True) == "1 \x1b[38;5;160mX\x1b[0m \x1b[1;38;5;32mO\x1b[0m Z\n  a b c"
    assert picture(board, marks, colour=False) == "1 X O Z\n  a b c"


# -------------------------------------------------------------------------------- hostile text

HOSTILE = "</title></svg><script>alert(1)</script>\x1b[2J\x00\u202e\ud800\n\"'&]]>"


def test_nothing_unprintable_reaches_a_terminal() -> None:
    board = make("graph", spaces=[{"name": HOSTILE}, {"name": "b"}], edges=[{"from": "b", "to": HOSTILE}])
    shown = picture(board, [Mark(HOSTILE, HOSTILE), None], colour=True)
    assert shown.replace("\n", "").isprintable()
    assert plain("a\tb\r\nc\x7f\x9b") == "abc"


@pytest.mark.parametrize("title", ["A board", HOSTILE])
def test_svg_is_xml_with_every_mark(board: Board, title: str) -> None:
    marks = [Mark(HOSTILE if space % 2 else "X", HOSTILE if space % 3 else "red") for space in range(len(board))]
    tree = ElementTree.fromstring(svg(board, marks, title))
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert tags <= {
        "svg", "title", "style", "defs", "marker", "path", "rect", "text", "line", "circle", "polygon"
    }  # fmt: skip
    discs = [element for element in tree.iter() if element.get("class") == "disc"]
    assert len(discs) == len(board)
    assert tree.findtext("{*}title") == plain(title)


def test_hostile_names_cannot_break_out_of_svg() -> None:
    spaces = [{"name": HOSTILE}, {"name": "b"}]
    edges = [{"from": "b", "to": HOSTILE, "label": HOSTILE + "up", "back": HOSTILE}]
    written = svg(make("graph", spaces=spaces, edges=edges), [None, Mark(HOSTILE)], HOSTILE)
    ElementTree.fromstring(written)
    assert "<script" not in written


def test_colours_of_svg_are_known_or_six_digits() -> None:
    board = make("grid", width=3, height=1)
    written = svg(
        board,
        [Mark("a", "#12ab9F"), Mark("b", 'red" onload="x'), None],
        "t",
        ground=[None, None, Mark("~", "blue")],
    )
    fills = [
        element.get("fill") for element in ElementTree.fromstring(written).iter() if element.get("class") == "disc"
    ]
    assert fills == ["#12ab9F", "#efe9da"]


def test_spaces_in_an_svg_do_not_overlap(board: Board) -> None:
    """Discs of neighbouring spaces stay apart."""
    tree = ElementTree.fromstring(svg(board, [Mark("X")] * len(board), ""))
    discs = [element for element in tree.iter() if element.get("class") == "disc"]
    places = sorted((float(disc.attrib["cx"]), float(disc.attrib["cy"])) for disc in discs)
    assert all(dist(a, b) > 28 for a, b in pairwise(places))


def test_names_of_scattered_spaces_are_as_large_as_there_is_room() -> None:
    """Beside a space, below it where it is long, and small between two that are near."""
    places = {"a1": (0, 0), "b1": (2, 0), "b2": (2, 1), "c1": (4, 0), "a_long_name": (6, 0), "d5": (6, -1)}
    spaces = [{"name": name, "x": x, "y": y} for name, (x, y) in places.items()]
    tree = ElementTree.fromstring(svg(make("graph", spaces=spaces, edges=[]), [None] * len(spaces), "scattered"))
    sizes = {text.text: float(text.get("font-size", 0)) for text in tree.iter() if text.get("class") == "label"}
    assert {name: sizes[name] for name in ("a1", "b2", "c1", "d5")} == {"a1": 15, "b2": 15, "c1": 15, "d5": 15}
    assert sizes["a long name"] == 10


def brightness(number: int) -> float:
    """How much light a colour of a terminal gives, as contrasts are reckoned."""
    parts = (int(_shown(number)[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: int, other: int) -> float:
    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colour", COLOURS)
def test_pieces_are_read_on_dark_and_on_light_terminals(colour: str) -> None:
    found = paint(Mark("m", colour, True), True)
    ink = int(re.findall(r"38;5;(\d+)", found)[0])
    own = [int(number) for number in re.findall(r"48;5;(\d+)", found)]
    for ground in own or (16, 233, 231):
        assert contrast(ink, ground) >= 3, (colour, ink, ground)


def test_piles_of_a_track_in_two_rows_grow_towards_its_middle() -> None:
    board = make("track", track=8, rows=2)
    piles: list[list[Mark]] = [[] for _ in board.spaces]
    piles[0] = [Mark("W")] * 2
    piles[5] = [Mark("B")] * 7
    piles[6] = [Mark("W"), Mark("B")]
    marks = [Mark(pile[-1].text).times(len(pile)) if pile else None for pile in piles]
    text = dedent("""\
        8  7  6  5
        .  W  B  .
           B  B
              B
              B
              7


        W
        W  .  .  .
        1  2  3  4
        """)
    found = [line.rstrip() for line in picture(board, marks, colour=False, piles=piles).split("\n")]
    assert [line for line in found if line] == [line for line in text.splitlines() if line]
    assert len(found) == 13
    low = picture(board, marks, colour=False, piles=piles, high=12)
    assert low == picture(board, marks, colour=False)
    assert "B7" in low
