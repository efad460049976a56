"""Boards of tiles as people see them: in the terminal, on paper, and while a tile is being laid."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import ruledsl
from ruledsl.boards.base import Outline
from ruledsl.boards.faces import Area, Cell, Face, area_at, middles, printed, side_count, turned
from ruledsl.boards.marks import COLOURS, Mark, paint
from ruledsl.boards.svgtiles import sheet_svg, tiles_svg
from ruledsl.boards.tilework import BORDERS, SIZES, divided, faces_canvas, tile_picture
from ruledsl.bots.laid import laid_by
from ruledsl.cli.main import main
from ruledsl.cli.terminal.screen import Screen, room
from ruledsl.runtime.picture import cells, face, sheets, tile_legend, tile_sets
from ruledsl.types import every
from ruledsl.wording.columns import columns

ROOT = Path(__file__).resolve().parents[1]
HEXES, SQUARES = ROOT / "tests/language/growing_tiles.yaml", ROOT / "tests/play/rivers.yaml"
SVG = "{http://www.w3.org/2000/svg}"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
OUTLINES: tuple[Outline, ...] = ("hex-flat", "hex-pointy", "square")


@cache
def load(path: Path) -> Any:
    return ruledsl.load(path)


def played(path: Path, decisions: int, seed: int = 4, players: int | None = None) -> Any:
    """A play after so many decisions at random."""
    play, chance = (load(path) if path.is_file() else ruledsl.load(path)).start(players, seed=seed), random.Random(seed)
    for _ in range(decisions):
        if not play.over:
            play.choose(chance.choice(play.options()))
    return play


def drawn(play: Any, width: int = 80, colour: bool = False, **more: Any) -> str:
    (sheet,) = sheets(play, "en", play.view(None))
    assert sheet.cells is not None
    return tile_picture(sheet.board, sheet.cells, colour=colour, width=width, **more)


def paper(play: Any, language: str = "en") -> ElementTree.Element:
    view = play.view(None)
    (sheet,) = sheets(play, language, view)
    assert sheet.cells is not None
    text = tiles_svg(sheet.board, sheet.cells, play.game.title(language), tile_legend(play, language, view))
    return ElementTree.fromstring(text)


# ------------------------------------------------------------------------------------------------ tiles


def splits(sides: list[int]) -> Iterator[list[list[int]]]:
    """All ways to split sides into areas."""
    if not sides:
        yield []
        return
    first, *rest = sides
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            left = [side for side in rest if side not in others]
            yield from ([[first, *others], *more] for more in splits(left))


@pytest.mark.parametrize("outline", OUTLINES)
def test_at_its_sides_a_tile_shows_the_areas_that_come_there(outline: Outline) -> None:
    count = side_count(outline)
    for split in splits(list(range(count))):
        areas = [Area(tuple(sides), Mark(str(number))) for number, sides in enumerate(split)]
        for turn in range(count):
            face = turned(Face(tuple(areas)), turn, count)
            for side, (x, y) in enumerate(middles(outline)):
                found = area_at(face.areas, (0.97 * x, 0.97 * y), outline)
                assert found is not None
                assert side in found.sides, (split, turn, side)
                assert (side - turn) % count in split[int(found.look.text)]


def test_a_tile_turned_all_the_way_round_is_the_same() -> None:
    face = Face((Area((0, 1), Mark("a")), Area((2, 3, 4, 5), Mark("b"))), Mark("x"))
    assert turned(turned(face, 2, 6), 4, 6) == face
    assert turned(face, 1, 6).areas[0].sides == (1, 2)


@pytest.mark.parametrize("outline", OUTLINES)
def test_a_strip_through_the_middle_parts_what_lies_beside_it(outline: Outline) -> None:
    count = side_count(outline)
    half = count // 2
    areas = (
        Area((0, half), Mark("~")),
        Area(tuple(range(1, half)), Mark("r")),
        Area(tuple(range(half + 1, count)), Mark("l")),
    )
    assert area_at(areas, (0.0, 0.0), outline) is areas[0]
    lines = faces_canvas(outline, [(Face(areas), [])], 80).lines(colour=False)
    assert all(sign in "".join(lines) for sign in "~rl")


@pytest.mark.parametrize("lines", SIZES)
@pytest.mark.parametrize("outline", OUTLINES)
def test_no_hole_is_left_where_equal_areas_meet(outline: Outline, lines: int) -> None:
    """Between areas that look alike is a line: a blank would be a ground that no legend tells."""
    count = side_count(outline)
    for split in splits(list(range(count))):
        face = Face(tuple(Area(tuple(sides), Mark(".")) for sides in split))
        whole = Face((Area(tuple(range(count)), Mark(".")),))
        shown, filled = (faces_canvas(outline, [(one, [])], 80, lines=lines) for one in (face, whole))
        assert {place for place, dot in shown.dots.items() if dot.text == " "} <= {
            place for place, dot in filled.dots.items() if dot.text == " "
        }
        drawn = Counter(dot.text for dot in shown.dots.values()) - Counter(dot.text for dot in filled.dots.values())
        assert divided(face, outline, [lines]) == bool(drawn.keys() & set(BORDERS)), split


# ----------------------------------------------------------------------------------------- the terminal


def test_hexagons_with_houses(golden: Any) -> None:
    play = played(HEXES, 60, players=2)
    golden(drawn(play, 100) + "\n\n" + drawn(play, 60) + "\n", ROOT / "tests/play/hexagons.txt")


def test_squares_large_and_low(golden: Any) -> None:
    play = played(SQUARES, 50)
    golden(drawn(play) + "\n\n" + drawn(play, 50) + "\n\n" + drawn(play, 20) + "\n", ROOT / "tests/play/squares.txt")


@pytest.mark.parametrize("path", [HEXES, SQUARES], ids=lambda path: path.stem)
@pytest.mark.parametrize("width", [20, 37, 60, 80, 120])
def test_pictures_fit_and_leave_nothing_out(path: Path, width: int) -> None:
    play = played(path, 70)
    (sheet,) = sheets(play, "en", play.view(None))
    assert sheet.cells is not None
    text = drawn(play, width)
    assert max(map(columns, text.splitlines())) <= width
    pieces = [mark for cell in sheet.cells if cell and cell.face for area in cell.face.areas for mark in area.pieces]
    assert pieces
    if width >= 60:  # wider than a band: nothing is cut
        assert all(text.count(mark.text) >= pieces.count(mark) for mark in pieces)
        board, tiled = sheet.board, {i for i, cell in enumerate(sheet.cells) if cell and cell.face}
        beside = [near for i in tiled for side in board.sides if (near := board.steps[side][i]) not in {*tiled, -1}]
        frontier = {near for near in beside if beside.count(near) >= board.touching}
        assert all(board.spaces[space] in text for space in frontier)


@pytest.mark.parametrize("path", [HEXES, SQUARES], ids=lambda path: path.stem)
@pytest.mark.parametrize("width", [30, 80])
def test_colour_only_adds(path: Path, width: int) -> None:
    play = played(path, 50)
    plain, coloured = drawn(play, width), drawn(play, width, colour=True)
    assert "\x1b[" not in plain
    assert [line.rstrip() for line in ANSI.sub("", coloured).splitlines()] == plain.splitlines()
    assert len(set(ANSI.findall(coloured))) > 4


def test_what_is_written_on_a_ground_can_be_read() -> None:
    for name in [*COLOURS, "#123456", "#fedcba"]:
        for bold in (False, True):
            text = paint(Mark("x", "red", bold), True, name)
            assert re.fullmatch(r"\x1b\[(1;)?48;5;\d+;38;5;(16|231)mx\x1b\[0m", text), name
    assert paint(Mark("x", "no such colour"), True) == "x"


def test_a_low_terminal_gets_the_low_picture() -> None:
    play = played(HEXES, 30)
    assert "_____" in drawn(play, 100)
    assert "_____" not in drawn(play, 100, height=12)


def test_nothing_laid_is_no_picture(tmp_path: Path) -> None:
    text = SQUARES.read_text(encoding="utf-8").replace("        start: valley[0, 0]\n", "")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    play = ruledsl.load(tmp_path).start()
    assert drawn(play) == ""
    assert paper(play).tag == f"{SVG}svg"


# ------------------------------------------------------------------------------------------------- paper


@pytest.mark.parametrize("path", [HEXES, SQUARES], ids=lambda path: path.stem)
def test_on_paper_every_tile_lies_as_it_lies(path: Path) -> None:
    play = played(path, 60)
    (sheet,) = sheets(play, "en", play.view(None))
    assert sheet.cells is not None
    faces = [cell.face for cell in sheet.cells if cell and cell.face]
    svg = paper(play)
    uses = [use.get("transform", "") for use in svg.iter(f"{SVG}use")]
    assert len(uses) == len(faces)
    count = len(sheet.board.sides)
    turns = sorted(int(found[1]) if (found := re.search(r"rotate\((\d+)\)", use)) else 0 for use in uses)
    assert turns == sorted(face.turn * 360 // count for face in faces)
    ids = {element.get("id") for element in svg.iter() if element.get("id")}
    assert {use.get("href", "")[1:] for use in svg.iter(f"{SVG}use")} <= ids
    pieces = sum(len(area.pieces) for face in faces for area in face.areas)
    names = {title for mark, title in tile_legend(play, "en", play.view(None)) if mark.bold}
    discs = [circle for circle in svg.iter(f"{SVG}circle") if circle.get("class") == "piece"]
    assert len(discs) == pieces + len(names)


def test_the_legend_speaks_the_language() -> None:
    play = played(SQUARES, 30)
    texts = {element.text for element in paper(play, "ru").iter(f"{SVG}text")}
    assert {"Реки", "вода", "луг", "Л"} <= texts
    assert {"лодка (лиса)", "лодка (цапля)"} & texts


def test_a_sheet_of_all_tiles_is_to_be_cut_out() -> None:
    play = load(SQUARES).start()
    ((outline, designs),) = tile_sets(play, "ru").items()
    assert {name: count for _, name, count in designs} == {"пруд": 1, "ручей": 8, "излучина": 8, "родник": 5}
    every = [(face, name) for face, name, count in designs for _ in range(count)]
    svg = ElementTree.fromstring(sheet_svg(outline, every, "Реки"))
    assert len(list(svg.iter(f"{SVG}use"))) == 22
    assert svg.get("width", "").endswith("mm")


def test_draw_writes_positions_and_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for more, inside in (([], "0,0"), (["--tiles"], "brook")):
        path = tmp_path / "picture.svg"
        assert main(["draw", str(SQUARES), *more, "-o", str(path)]) == 0
        assert inside in path.read_text(encoding="utf-8")
        ElementTree.parse(path)
    capsys.readouterr()
    assert main(["draw", str(SQUARES), "--tiles", "--lang", "ru"]) == 0
    assert "излучина" in capsys.readouterr().out
    assert main(["draw", "hex", "--tiles"]) == 2
    assert "has no tiles" in capsys.readouterr().err


def test_hostile_words_stay_words(tmp_path: Path) -> None:
    text = SQUARES.read_text(encoding="utf-8").replace("title: {en: Rivers, ru: Реки}", 'title: "</text><script>&"')
    text = text.replace("symbol: '~'", 'symbol: "<&"').replace("meadow: луг", 'meadow: "\\"><b>"')
    text = text.replace("{symbol: {en: B, ru: Л}}", '{symbol: {en: "\'\\"<", ru: 馬}}')
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    play = played(tmp_path, 30)
    for language in ("en", "ru"):
        svg = paper(play, language)
        assert not list(svg.iter(f"{SVG}script"))
        assert not list(svg.iter(f"{SVG}b"))
    (sheet,) = sheets(play, "ru", play.view(None))
    assert sheet.cells is not None
    shown = tile_picture(sheet.board, sheet.cells, colour=False, width=80)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", shown)
    assert "馬" in shown
    assert len({columns(line) for line in shown.splitlines() if line.startswith("+") and line.endswith("+")}) < 9


# ------------------------------------------------------------------------------------------------- looks


def test_looks_give_players_colors_that_they_chose_in_play(tmp_path: Path) -> None:
    text = SQUARES.read_text(encoding="utf-8")
    text = text.replace(
        "types: {ground:", "values: {paint: {per: player, is: maybe hue}}\ntypes: {hue: [pink, teal], ground:"
    )
    text = text.replace("setup:\n", "setup:\n  - set: {fox.paint: teal}\n")
    text = text.replace("looks:\n", "looks:\n  teal: {color: '#008080'}\n  heron: {color: purple}\n")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    play = played(tmp_path, 40)
    found = {mark.colour for mark, title in tile_legend(play) if title.startswith("boat")}
    assert found == {"#008080", "purple"}


def test_a_look_is_told_by_more_than_its_color() -> None:
    boats = [mark for mark, title in tile_legend(played(SQUARES, 50)) if title.startswith("boat")]
    assert sorted(mark.text for mark in boats) == ["B", "b"]


def test_tiles_without_parts_show_their_table_or_their_ways(tmp_path: Path) -> None:
    head = "ruledsl: 1\ngame: ways\nplayers: [a, b]\ntypes: {side: [wet, dry]}\n"
    body = "board: {grid: {width: 3, height: 3}, space: lot}\n"
    body += "pieces:\n  way:\n    tile: board\n    attributes: {ATTRIBUTE}\n"
    rows = "    rows:\n      - {name: bend, start: b2, VALUE}\nplay: [{say: hello}]\n"
    for attribute, value, shown in (
        ("edges: side by orthogonal", "edges: [wet, wet, dry, dry]", "wd"),
        ("open: set of orthogonal", "open: [n, e]", "#."),
    ):
        text = head + (body + rows).replace("ATTRIBUTE", attribute).replace("VALUE", value)
        (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
        play = ruledsl.load(tmp_path).start()
        picture = drawn(play)
        assert all(sign in picture for sign in shown), picture
        assert len(list(paper(play).iter(f"{SVG}use"))) == 1


# ---------------------------------------------------------------------------------------- laying a tile


def at_the_turn(path: Path, seed: int) -> Any:
    """A play that stands where a tile and a space are chosen, but not yet how it is turned."""
    play, chance = played(path, 12, seed), random.Random(seed)
    while not all(set(option.values) == {"turn"} for option in play.options()):
        play.choose(chance.choice(play.options()))
    return play


@pytest.mark.parametrize("path", [HEXES, SQUARES], ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", range(4))
def test_a_preview_is_what_comes(path: Path, seed: int) -> None:
    play = at_the_turn(path, seed)
    seat, options = play.pending[0], play.options()
    before = list(play.state)
    laid = laid_by(play, seat, options)
    assert play.state == before
    assert set(laid) == {option.index for option in options}
    for option in options:
        after = play.copy()
        after.choose(option)
        one = laid[option.index]
        (shown,) = [
            cell for space, cell in enumerate(cells(after, one.board)) if space == one.space and cell is not None
        ]
        assert shown.face == face(play, one.piece, turn=one.turn)


def test_a_preview_says_nothing_of_what_is_hidden() -> None:
    """With another order of the hidden tiles it is the same."""
    for seed in range(6):
        play = at_the_turn(SQUARES, seed)
        seat, options = play.pending[0], play.options()
        shown = laid_by(play, seat, options)
        other = play.copy()
        spots = play.machine.program.spots
        bag = next(i for i, name in enumerate(play.world.places.names) if name == "bag") + spots.first_place
        hidden = list(play.machine.pieces.on(other.state, bag))
        random.Random(seed).shuffle(hidden)
        play.machine.pieces.arrange(other.state, bag, tuple(hidden))
        assert laid_by(other, seat, other.options()) == shown


def test_no_preview_where_no_tile_is_laid() -> None:
    play = load(SQUARES).start(seed=2)
    assert laid_by(play, 0, play.options()) == {}
    chess = ruledsl.load(ROOT / "examples/chess.yaml").start()
    assert laid_by(chess, 0, chess.options()) == {}


def test_the_screen_shows_what_may_be_chosen() -> None:
    play = load(SQUARES).start(seed=2)
    screen = Screen(play, "en", False)
    assert "offer:" in screen.position(play.view(0))
    play.choose("bend")
    text = "\n".join(line for board in screen.boards(play.view(0), play.options()) for line in board)
    assert all(f"[{name}]" in text for name in ("0,1", "1,0", "0,-1", "-1,0"))
    assert "[0,0]" not in text
    assert "Chosen so far: bend" in "\n".join(screen.so_far(0))


def test_parts_go_by_where_their_tile_lies() -> None:
    play = played(SQUARES, 0, seed=2)
    for text in ("bend", "0,1", "1"):
        play.choose(text)
    (boat, _) = play.options(None, "ru")
    assert boat.text == "лодку на вода 0,1"
    assert re.fullmatch(r"s=bend_\d_stretch_1", boat.notation)
    words, root = play.words, play.world.roots["stretch"]
    brook = root.names.index("brook_1_stretch_2")
    assert words.name(brook, _every(root), "en", (play.state, 0)) == "?"  # its tile still lies hidden
    assert words.name(brook, _every(root), "en") == root.titles[brook]["en"]


def _every(root: Any) -> Any:
    return every(root)


def test_of_like_parts_one_reads_the_sides() -> None:
    play = played(SQUARES, 0, seed=2)
    for text in ("ручей", "0,1", "0"):
        option = next(o for o in play.options(None, "ru") if o.text == text or text in o.words.values())
        play.choose(option)
    root = play.world.roots["stretch"]
    v = play.state
    spots = play.machine.program.spots
    laid = next(
        p
        for p in range(play.world.pieces.size)
        if play.world.pieces.names[p].startswith("brook") and v[spots.at + p] < spots.first_place
    )
    part = root.names.index(f"{play.world.pieces.names[laid]}_stretch_2")
    assert play.words.name(part, _every(root), "ru", (v, 0)) == "луг 0,1 (восток)"


def test_views_say_where_tiles_lie_and_how() -> None:
    play = at_the_turn(SQUARES, 1)
    option = play.options()[-1]
    one = laid_by(play, play.pending[0], [option])[option.index]
    play.choose(option)
    name = play.world.pieces.names[one.piece]
    assert play.view(None)["pieces"][name] == {"at": one.board.root.names[one.space], "turn": one.turn}


YARDS = """\
ruledsl: 1
game: yards
players: [ann, bob]
boards: {yard: {grid: {width: 3, height: 2}, space: bed, per: player}}
pieces:
  patch:
    tile: yard
    per: player
    attributes: {edges: ground by orthogonal}
    rows: [{name: corner, copies: 3, edges: [rose, rose, grass, grass]}]
types: {ground: [rose, grass]}
play:
  - turns: players
    until: no(reserve(patch, of=bob))
    do:
      - choose: {bed: me.yard where empty(bed), turn: 0..3}
        else: {end: game}
      - move: patch
        to: bed
        turned: turn
"""


def test_every_player_has_a_board_of_tiles(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(YARDS, encoding="utf-8")
    play = ruledsl.load(tmp_path).start()
    play.choose("bed=ann_b1 turn=2" if "ann_b1" in play.world.roots["bed"].names else 0)
    ann, bob = sheets(play, "en", play.view(None))
    assert [sum(cell is not None for cell in sheet.cells or ()) for sheet in (ann, bob)] == [1, 0]
    screen = Screen(play, "en", False)
    assert screen.offered(ann, play.options()) == set()
    assert screen.offered(bob, play.options()) == set(range(6))
    text = "\n".join(line for board in screen.boards(play.view(1), play.options()) for line in board)
    assert all(text.count(name) == 2 for name in ("a1", "b2", "c2"))  # small boards are drawn whole
    assert "(ann):" in text
    assert "(bob):" in text


def test_large_pictures_take_the_whole_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "132")
    monkeypatch.setenv("LINES", "60")
    assert room() == (132, 48)
    play = played(HEXES, 110)
    narrow, wide = Screen(play, "en", False), Screen(play, "en", False, 80, (200, None))
    assert max(columns(line) for board in narrow.boards(play.view(0)) for line in board) <= 80
    assert "_____" in "\n".join(line for board in wide.boards(play.view(0)) for line in board)


def test_a_printed_sign_is_not_said_again_by_the_piece_that_lies_on_it() -> None:
    face = Face((Area(tuple(range(6)), Mark(".")),), Mark("S"))
    assert printed(Cell(face)) == Mark("S")
    assert printed(Cell(face, (Mark("V1", "red", True),))) == Mark("S")
    assert printed(Cell(face, (Mark("S", "orange", True),))) is None


def test_turns_of_a_tile_are_drawn_side_by_side() -> None:
    """They go by their numbers, so that the map below them stays on the screen."""
    play, dice, drawn = ruledsl.load(ROOT / "games/fjords").start(seed=6), random.Random(6), 0
    for _ in range(25):
        seat = play.pending[0]
        options = play.options(seat)
        lines = Screen(play, "ru", False, 50).previews(seat, options, play.view(seat))
        if lines and lines[-1].split() == ["1", "2", "3", "4"]:
            drawn += 1
            assert len(lines) == 6
        play.choose(dice.choice(options).index)
    assert drawn
