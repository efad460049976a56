"""Which squares of a grid are neighbours, and what can be reached through them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from test_language_a import ask, names

import ruledsl
from ruledsl.boards.base import SHAPES, BoardError
from ruledsl.registry import import_all
from ruledsl.runtime.play import Play

import_all("ruledsl.boards")

GAME = """\
ruledsl: 1
game: city
players: [red, blue]
board: {{grid: {{width: 5, height: 5{neighbors}}}, space: block}}
values:
  lit: {{per: block, is: bool}}
  wide: {{per: block, is: 0..9}}
play:
  - tie: players
"""


def city(folder: Path, neighbors: str, lit: str = "", chance: random.Random | None = None) -> Play:
    path = folder / "city.yaml"
    path.write_text(GAME.format(neighbors=f", neighbors: {neighbors}" if neighbors else ""), encoding="utf-8")
    play = ruledsl.load(path).start()
    base = {field.name: field.base for field in play.world.layout.fields}
    for space, name in enumerate(play.world.roots["block"].names):
        play.state[base["lit"] + space] = int(name in lit.split() if chance is None else chance.random() < 0.6)
        play.state[base["wide"] + space] = chance.randrange(3) if chance is not None else 0
    return play


@pytest.mark.parametrize(
    ("neighbors", "near", "steps", "groups", "reached", "joined"),
    [
        ("", "a1 a2 a3 b1 b3 c1 c2 c3", 4, 1, "a1 a2 b3 c4 d4", True),
        ("orthogonal", "a2 b1 b3 c2", 8, 3, "a1 a2", False),
        ("diagonal", "a1 a3 c1 c3", 4, 3, "a1", False),
    ],
)
def test_neighbours_are_those_that_the_grid_says(
    tmp_path: Path, neighbors: str, near: str, steps: int, groups: int, reached: str, joined: bool
) -> None:
    play = city(tmp_path, neighbors, "a1 a2 b3 c4 d4")
    assert names(play, "neighbors(b2)", "block") == set(near.split())
    assert names(play, "neighbors(set([b2]))", "block") == set(near.split())
    assert ask(play, "distance(a1, e5)") == steps
    assert ask(play, "groups(b in block where lit[b])") == groups
    assert names(play, "reachable(a1, b in block where lit[b])", "block") == set(reached.split())
    assert ask(play, "joined(set([a1]), set([d4]), b in block where lit[b])") == joined
    # Directions, steps and rows do not change.
    assert names(play, "neighbors(b2, diagonal)", "block") == {"a1", "a3", "c1", "c3"}
    assert names(play, "set(step(b2, d) for d in [n, ne])", "block") == {
        "b3",
        "c3",
    }
    assert ask(play, "line(b3, 3, b in block where b in set([a2, b3, c4]))")


@pytest.mark.parametrize("neighbors", ["orthogonal", "diagonal"])
def test_neighbours_are_mutual_and_lie_in_their_directions(neighbors: str) -> None:
    board = SHAPES["grid"].make({"width": 7, "height": 4, "neighbors": neighbors}, lambda at: at["x"] != 3)
    for space in range(len(board)):
        near = board.neighbors(space)
        assert near == board.neighbors(space, board.groups[neighbors])
        assert all(space in board.neighbors(other) for other in near)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"width": 3, "height": 3, "neighbors": "round"}, "`neighbors` must be orthogonal or diagonal, not `round`"),
        ({"growing": True, "radius": 4, "neighbors": "diagonal"}, "a growing board has no `neighbors`"),
    ],
)
def test_wrong_neighbours_are_told(more: dict[str, Any], message: str) -> None:
    with pytest.raises(BoardError) as caught:
        SHAPES["grid"].make(more)
    assert (caught.value.message, caught.value.parameter) == (message, "neighbors")


@pytest.mark.parametrize("neighbors", ["", "orthogonal"])
@pytest.mark.parametrize(
    "condition", ["lit[b]", "lit[b] and wide[b] < 2", "wide[b] == wide[c3]", "6 / (wide[b] + 1) > 2", "b.x > 2"]
)
def test_what_is_reached_is_the_same_whether_conditions_are_asked_first_or_on_the_way(
    tmp_path: Path, neighbors: str, condition: str
) -> None:
    """A set that is worked out first has no condition that could be asked on the way."""
    for seed in range(12):
        play = city(tmp_path, neighbors, chance=random.Random(seed))
        for start, within in (("a1", ""), ("c3", ""), ("set([a1, e4])", ""), ("c3", "within=2, ")):
            on_the_way = names(play, f"reachable({start}, {within}b in block where {condition})", "block")
            first = names(play, f"reachable({start}, {within}x in set(b in block where {condition}))", "block")
            assert on_the_way == first
