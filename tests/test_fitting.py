"""Tables on a screen that stays in place: what fits is not scrolled, and nothing is asked that makes no difference."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from screens import LANGUAGES, OPTIONS, SIZES, TAME, Person, Tame

import ruledsl
from games import NAMES, PATHS, load
from ruledsl.boards.tilework import SIZES as TILE_SIZES
from ruledsl.bots.laid import told_apart
from ruledsl.cli.terminal.face import Face, Menu
from ruledsl.cli.terminal.fitting import LOG, MARGIN, Layout, layouts
from ruledsl.cli.terminal.screen import seen_width
from ruledsl.cli.terminal.session import Session, Settings
from ruledsl.runtime.turnings import first_alike

FITTING = ["fjords", "fortress", "chess", "backgammon", "court-intrigue", "holdem", "go", "quoridor"]


class Measured(Face):
    """Notes how many lines of each table are out of sight where something is asked."""

    live = True

    def __init__(self, person: Person, size: tuple[int, int]) -> None:
        super().__init__(person.write, person.read)
        self.size, self.options = size, 0
        self.tables: list[tuple[str, Layout]] = []
        self.asked: list[tuple[str, Layout]] = []

    def layouts(self, options: int | None) -> list[Layout]:
        self.options = self.options if options is None else options
        return layouts(self.size, self.options)

    def position(self, head: str, text: str, layout: Layout | None = None) -> None:
        assert layout is not None
        self.tables.append((text, layout))

    def menu(self, menu: Menu) -> None:
        self.asked.append(self.tables[-1])

    def too_long(self) -> list[str]:
        return [text for text, layout in self.asked if text.count("\n") >= layout.lines]


def measured(game: str, size: tuple[int, int], language: str) -> Measured:
    play = load(PATHS[NAMES.index(game)]).start(seed=2, options=OPTIONS.get(game))
    most = TAME.get(game, 10_000)
    person = Person(play, most, dice=random.Random(5))
    face = Measured(person, size)
    seats = [None, *(Tame(most) for _ in play.players[1:])]
    Session(play, seats, Settings(language=language, columns=size[0]), face).run()
    return face


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "game", ["fjords", "fortress", "chess", "backgammon", "court-intrigue", "holdem", "go", "quoridor"]
)
def test_ten_turns_on_a_small_screen_need_no_scrolling(game: str, language: str) -> None:
    face = measured(game, SIZES[0], language)
    assert len(face.asked) >= 4
    assert not face.too_long(), face.too_long()[0]
    for text, layout in face.asked:
        assert max(map(seen_width, text.split("\n"))) <= layout.columns


def test_what_a_person_did_is_seen_before_a_bot_thinks() -> None:
    play = ruledsl.load(PATHS[NAMES.index("tic-tac-toe")]).start()
    seen: list[str] = []

    class Watching:
        def choose(self, view: object) -> int:
            seen.append(face.tables[-1][0])
            raise KeyboardInterrupt

    face = Measured(Person(play, 1), SIZES[0])
    Session(play, [None, Watching()], Settings(waits=True), face).run()
    assert "mark (cross)" in seen[0]


# ------------------------------------------------------------------------------------------- turns


TILES = """
ruledsl: 1
game: turning
players: 1
types:
  ground: [grass, road]
boards:
  land: {grid: {growing: true}, space: plot, holds: any}
pieces:
  tile:
    tile: land
    attributes: {edges: ground by orthogonal}
    parts:
      area: {from: areas, attributes: {worth: 0..3, sides: set of direction}}
    rows:
      - {name: cross, edges: [road, road, road, road], areas: [{worth: 1, sides: [n, e, s, w]}]}
      - {name: street, edges: [road, grass, road, grass], areas: [{worth: 1, sides: [n, s]}, {worth: 2, sides: [e]},
          {worth: 2, sides: [w]}]}
      - {name: verge, edges: [road, grass, road, grass], areas: [{worth: 1, sides: [n, s]}, {worth: 2, sides: [e]},
          {worth: 3, sides: [w]}]}
places:
  hand: {holds: tile}
setup:
  - move: set(t in tile)
    to: hand
play:
  - turns: players
    do:
      - choose: {t: hand, turn: 0..3, at: plot where at.x == 0 and at.y == 0}
        label: "{t} turned {turn}"
        else: {end: game}
      - move: t
        to: at
        turned: turn
      - end: game
"""


def test_turns_that_nothing_tells_apart_are_asked_once(tmp_path: Path) -> None:
    game = tmp_path / "game.yaml"
    game.write_text(TILES)
    play = ruledsl.load(game).start()
    world = play.world
    turns = {
        name: [first_alike(world, piece, turn) for turn in range(4)] for piece, name in enumerate(world.pieces.names)
    }
    assert turns == {"cross": [0, 0, 0, 0], "street": [0, 1, 0, 1], "verge": [0, 1, 2, 3]}
    kept = told_apart(play, 0, play.options(0))
    assert [option.text for option in kept] == [
        "cross turned 0",
        "street turned 0",
        "street turned 1",
        *(f"verge turned {turn}" for turn in range(4)),
    ]
    assert [option.number for option in kept] == list(range(1, 8))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "far"), [("fjords", 90), ("serpent", 30), ("outpost", 15), ("outpost", 25)])
def test_late_in_a_play_what_is_asked_is_in_sight(game: str, far: int, language: str) -> None:
    """Where not all fits, what one may choose on the board is seen, and beside a map what is one's own."""
    play = load(PATHS[NAMES.index(game)]).start(seed=1)
    dice = random.Random(1)
    person = Person(play, 10_000, dice=dice)
    while not play.over and len(play.decisions) < far:
        seat = play.pending[0]
        play.choose(dice.choice(play.options(seat)).index, seat)
    asked: list[tuple[str, Layout, set[str]]] = []

    class Looking(Measured):
        def menu(self, menu: Menu) -> None:
            table, layout = self.tables[-1]
            words = {word for _, text in menu.rows for word in text.replace("[", " ").replace("]", " ").split()}
            asked.append((table, layout, words))

    face = Looking(person, SIZES[0])
    seats = [None, *(Tame(10_000) for _ in play.players[1:])]
    Session(play, seats, Settings(language=language, columns=SIZES[0][0]), face).run()
    long = [one for one in asked if one[0].count("\n") >= one[1].lines]
    assert long
    for table, layout, words in long:
        lines = table.split("\n")
        assert max(map(seen_width, lines)) <= layout.columns
        seen = lines[layout.top : layout.top + layout.lines]
        if game != "fjords":
            assert any(line.startswith(("player 1 (you)", "игрок 1 (вы)")) for line in seen), table
        for space in words & {word for line in lines for word in re.findall(r"-?\d+,-?\d+", line)}:
            assert any(space in line for line in seen), (space, table)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_map_keeps_its_place_and_scale_during_a_turn(language: str, size: tuple[int, int]) -> None:
    """Whatever is asked in a turn, tiles are as large as before, and room is kept for the same spaces."""
    play = load(PATHS[NAMES.index("fjords")]).start(seed=2)
    person = Person(play, dice=random.Random(5))
    drawn: list[tuple[int | None, dict[object, object]]] = []

    class Noting(Measured):
        def menu(self, menu: Menu) -> None:
            super().menu(menu)
            assert session.screen.held is not None
            frames = {board: spaces for board, (_, spaces) in session.screen.frames.items()}
            drawn.append((session.screen.held.tiles, frames))

    face = Noting(person, size)
    session = Session(play, [None, Tame(10_000)], Settings(language=language, columns=size[0]), face)
    session.run()
    pairs = [at for at, turn in enumerate(person.turns[1:]) if turn == person.turns[at] != (0, 0)]
    assert len(pairs) >= 8
    for at in pairs:
        assert drawn[at] == drawn[at + 1], f"{face.asked[at][0]}\n-----\n{face.asked[at + 1][0]}"
        assert not face.too_long()


# ------------------------------------------------------------------------------------ nothing is lost


def fjords(size: tuple[int, int], seed: int) -> tuple[Session, Measured, list[tuple[int, int | None]]]:
    """A play against a tame opponent, and of every question the turn and how large tiles were."""
    play = load(PATHS[NAMES.index("fjords")]).start(seed=seed)
    person = Person(play, 60, dice=random.Random(seed))
    drawn: list[tuple[int, int | None]] = []

    class Noting(Measured):
        def menu(self, menu: Menu) -> None:
            super().menu(menu)
            assert session.screen.held is not None
            drawn.append((session.screen.held.moment[2], session.screen.held.tiles))

    face = Noting(person, size)
    session = Session(play, [None, Tame(10_000)], Settings(columns=size[0]), face)
    session.run()
    return session, face, drawn


@pytest.mark.parametrize("seed", [1, 3])
def test_what_is_left_out_of_a_table_is_told(seed: int) -> None:
    """A table that fits has all players, the bag and the legend in it, or says that there is more."""
    _, face, _ = fjords(SIZES[0], seed)
    fitting = [(text, layout) for text, layout in face.asked if text.count("\n") < layout.lines]
    assert {layout.more for _, layout in fitting} == {True, False}
    for text, layout in fitting:
        if not layout.more:
            assert all(part in text for part in ("player 1 (you)", "player 2", "bag:", "row:", ". plain")), text


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tiles_change_their_size_once_on_a_small_screen(seed: int) -> None:
    _, _, drawn = fjords(SIZES[0], seed)
    sizes = [size for _, size in drawn]
    assert len(sizes) > 20
    assert sizes[0] == max(TILE_SIZES)
    assert sizes[-1] == min(TILE_SIZES)
    assert sum(one != other for one, other in pairwise(sizes)) == 1, drawn


def test_all_of_a_position_has_its_board_in_one_piece() -> None:
    """Whatever a table was fitted to before, `board all` has the width of the screen, and tiles as they were."""
    session, _, _ = fjords(SIZES[0], 1)
    screen, view = session.screen, session.play.view(0)
    text = screen.position(view, session.play.options(0))
    (board,) = screen.pictures(view, session.play.options(0))
    assert "" not in board[1:-1], "\n".join(board)  # between two bands is an empty line
    assert LOG < max(map(seen_width, board)) <= SIZES[0][0] - MARGIN
    assert all(part in text for part in ("player 1", "player 2", "bag:", "row:", ". plain"))
