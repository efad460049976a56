"""Boards that grow: the frontier in every position, how far they reach, and what happens beyond."""

from pathlib import Path
from textwrap import dedent

import pytest

import ruledsl
from games import PATHS, load, playout
from ruledsl.boards.base import SHAPES, window
from ruledsl.ir.core import Growing
from ruledsl.runtime.play import Play

GROWING = [path for path in PATHS if "growing: true" in path.read_text(encoding="utf-8")]

TRAILS = """
ruledsl: 1
game: trails
players: 2
boards:
  land: {grid: {growing: true}, space: plot, holds: any}
pieces:
  tile: {count: 12, tile: land}
setup:
  - move: first(t in tile)
    to: land[0, 0]
play:
  - turns: players
    do:
      - choose:
          t: tile where not t.plot
          at: frontier(land) where at.y == 0 and at.x > 0
        label: "{t} to {at}"
        else: {end: game}
      - move: t
        to: at
"""


def scanned(play: Play, board: Growing) -> tuple[int, int]:
    """The spaces with a tile and the frontier, by looking at the whole board."""
    pieces = play.machine.pieces
    tiled = {s for s in range(board.count) if pieces.mask(play.state, board.first + s) & board.tiles}
    beside = {
        s for s in range(board.count) if s not in tiled and len(tiled.intersection(board.near[s])) >= board.touching
    }
    return sum(1 << s for s in tiled), sum(1 << s for s in beside)


@pytest.mark.parametrize("path", GROWING, ids=lambda path: path.stem)
def test_the_frontier_is_what_a_look_at_the_whole_board_finds(path: Path) -> None:
    positions = 0
    for seed in range(2):
        for play in playout(load(path), seed):
            for board in play.machine.program.spots.growing:
                assert scanned(play, board) == (play.state[board.tiled], play.state[board.frontier])
                positions += 1
    assert positions > 50


def trails(tmp_path: Path, **changes: tuple[str, str]) -> ruledsl.Game:
    text = dedent(TRAILS)
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "trails.yaml").write_text(text, encoding="utf-8")
    return ruledsl.load(tmp_path / "trails.yaml")


def test_taking_back_and_removing_tiles_takes_the_frontier_back(tmp_path: Path) -> None:
    play = trails(tmp_path).start(seed=1)
    (board,) = play.machine.program.spots.growing
    before = play.state[board.frontier]
    assert before.bit_count() == 4
    play.choose(0)
    assert play.state[board.frontier].bit_count() == 6
    play.undo()
    assert play.state[board.frontier] == before
    first = next(p for p in range(12) if play.state[play.machine.program.spots.at + p] < board.count)
    play.machine.pieces.move(play.state, first, play.machine.program.spots.box)
    assert play.state[board.frontier] == play.state[board.tiled] == 0


def test_all_tiles_in_one_line_stay_within_what_was_worked_out(tmp_path: Path) -> None:
    play = trails(tmp_path).start(seed=1)
    while not play.over:
        options = play.options(play.pending[0])
        play.choose(len(options) - 1)
    assert play.fault is None
    (board,) = play.machine.program.spots.growing
    names = play.machine.program.roots["plot"].names
    assert names[play.state[board.tiled].bit_length() - 1] == "11,0"
    assert board.bound == 12  # were the first not laid on the middle


def test_growing_beyond_a_radius_is_a_fault_with_its_place(tmp_path: Path) -> None:
    play = trails(tmp_path, small=("growing: true", "growing: true, radius: 3")).start(seed=1)
    for _ in range(3):
        play.choose(len(play.options(play.pending[0])) - 1)
        before = play.fault
        assert before is None
    play.choose(len(play.options(play.pending[0])) - 1)
    assert play.fault is not None
    assert play.fault.span is not None
    assert play.fault.span.text.startswith("move: t")
    assert "farther than 3 steps from the middle of `land`" in play.fault.message


def test_a_save_with_another_frontier_is_refused(tmp_path: Path) -> None:
    game = trails(tmp_path)
    play = game.start(seed=1)
    (board,) = play.machine.program.spots.growing
    play.state[board.frontier] ^= 1 << 5
    with pytest.raises(ruledsl.runtime.save.SaveError, match="frontier"):
        game.resume(play.save())


@pytest.mark.parametrize(
    ("shape", "tiles", "start", "touching", "reach"),
    [
        ("hexes", 64, 1, 2, 33),  # two tiles in each row but the last
        ("hexes", 5, 0, 1, 5),  # a line
        ("hexes", 100, 2, 3, 2),  # no space outside of a large hexagon touches three of its spaces
        ("grid", 9, 1, 1, 10),
        ("grid", 9, 1, 2, 1),  # nor one outside of a rectangle two
        ("grid", 1000, 0, 1, 40),
        ("hexes", 0, 3, 1, 3),
    ],
)
def test_how_far_tiles_can_reach(shape: str, tiles: int, start: int, touching: int, reach: int) -> None:
    assert window(tiles, start, touching, SHAPES[shape].nearer) == reach


def test_the_reach_is_attained_and_not_surpassed_by_six_tiles_that_touch_two() -> None:
    """Every way to lay up to six hexagons beside two of a starting triangle."""
    around = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))

    def near(cell: tuple[int, int]) -> list[tuple[int, int]]:
        return [(cell[0] + q, cell[1] + r) for q, r in around]

    positions = {frozenset({(0, 0), (1, 0), (0, 1)})}
    for tiles in range(1, 7):
        positions = {
            position | {cell}
            for position in positions
            for cell in {n for c in position for n in near(c)} - position
            if len(position.intersection(near(cell))) >= 2
        }
        farthest = max(max(abs(q), abs(r), abs(q + r)) for position in positions for q, r in position)
        assert farthest == window(tiles, 1, 2, 2)
