"""`looks:` for the page: pictures, faces of cards, where places are; and what is said of those that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import ruledsl
from ruledsl import shipped
from ruledsl.analysis.declarations.looks import pictures_of
from ruledsl.boards.painting import Painting, row
from ruledsl.compiler.pipeline import check
from ruledsl.diagnostics.model import GameError
from ruledsl.runtime.table import as_data, table
from ruledsl.web.table import snapshot

GAME = """
ruledsl: 1
game: towers
players: [left, right]
types:
  suit: [sun, moon]
board: {grid: {width: 2, height: 1}}
pieces:
  tower: {per: player, count: 2}
  card: {each: {suit: suit, rank: 1..2}, start: stock, title: "{rank} of {suit}"}
places:
  stock: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
setup:
  - deal: 1
    from: stock
    to: hand
play:
  - turns: players
    do:
      - choose: {c: board where empty(c)}
        else: {tie: players}
      - move: tower
        to: c
"""


def made(folder: Path, looks: str) -> Path:
    path = folder / "towers.yaml"
    path.write_text(GAME.lstrip() + "looks:\n" + "".join(f"  {line}\n" for line in looks.splitlines()))
    (folder / "tower.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>\n'
    )
    (folder / "left.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return path


def seen(path: Path, moves: int = 0, seat: int | None = 0) -> dict[str, Any]:
    play = ruledsl.load(path).start(seed=1)
    for _ in range(moves):
        play.choose(0)
    return snapshot(play, seat)


def test_pieces_have_pictures_on_the_page_alone(tmp_path: Path) -> None:
    """On a disc of the player's colour; or alone, where the picture says whose it is."""
    path = made(tmp_path, "tower: {picture: tower.svg}\ntower of left: {picture: left.png}")
    board = seen(path, 2)["boards"][0]["picture"]
    assert board.count('href="/pictures/left.png"') == board.count('href="/pictures/tower.svg"') == 1
    assert board.count('class="disc"') == 1
    assert pictures_of(ruledsl.load(path).blueprint) == {"tower.svg", "left.png"}


def test_cards_have_faces_and_who_does_not_know_a_card_sees_none(tmp_path: Path) -> None:
    path = made(
        tmp_path,
        'sun: {color: red}\ncard: {corner: "{this.rank}", middle: "{this.suit}", below: "worth {this.rank * 2}"}',
    )
    for seat in (0, 1, None):
        for area in seen(path, seat=seat)["areas"]:
            for item in area["items"]:
                known = area["seat"] == seat is not None
                assert ("face" in item) == known
                if known:
                    rank, _, suit = item["text"].split()
                    face = {"corner": rank, "middle": suit, "below": f"worth {int(rank) * 2}"}
                    assert item["face"] == {"ink": "#c8402f" if suit == "sun" else "", **face}


def test_a_face_is_for_the_page_alone(tmp_path: Path) -> None:
    plain = table(ruledsl.load(made(tmp_path, "sun: {color: red}")).start(seed=1), 0)
    faced = table(ruledsl.load(made(tmp_path, 'sun: {color: red}\ncard: {corner: "{this.rank}"}')).start(seed=1), 0)
    assert plain != faced
    assert as_data(plain) == as_data(faced)


def test_a_place_is_where_it_is_wanted(tmp_path: Path) -> None:
    found = seen(made(tmp_path, "stock: {at: side}"))["areas"]
    assert {area["id"]: area["at"] for area in found} == {"a:stock": "side", "a:left_hand": "", "a:right_hand": ""}


@pytest.mark.parametrize(
    ("looks", "error", "help"),
    [
        ("tower: {picture: towr.svg}", "there is no file `{}/towr.svg`", "did you mean `tower.svg`?"),
        ("tower: {picture: tower.gif}", "`tower.gif` is not a picture", "a picture ends in `.svg` or `.png`"),
        ("tower: {picture: ../tower.svg}", "`../tower.svg` is outside the folder of the game", ""),
        ("tower: {picture: text.svg}", "`text.svg` is not a picture", "there is no `<svg` in it"),
        ("sun: {at: top}", "only places have a position on the page, and `sun` is none", "there are `stock`, `hand`"),
        ("stok: {at: top}", "only places have a position on the page, and `stok` is none", "did you mean `stock`?"),
        (
            'sun: {middle: "{this.rank}"}',
            "only a kind of piece can have card faces, and `sun` is none",
            "there are `tower`, `card`",
        ),
        (
            "stock: {color: red}",
            "a place has no colors, signs or pictures; only the pieces in it do",
            "write `at:` for a place",
        ),
        ('card: {corner: "{this.rnk}"}', "card has no `rnk`", "did you mean `rank`?"),
    ],
)
def test_what_cannot_be_is_said(tmp_path: Path, looks: str, error: str, help: str) -> None:
    path = made(tmp_path, looks)
    (tmp_path / "text.svg").write_text("no picture at all\n")
    with pytest.raises(GameError) as found:
        ruledsl.load(path)
    (first,) = found.value.report.sorted()
    assert (first.message, first.help) == (error.replace("{}", tmp_path.as_posix()), help)


# ------------------------------------------------------------------------------------------------ boards on pictures

SPOTS = "{name: a1, x: 20, y: 30}, {name: b1, x: 60, y: 30.5, to_x: 90, to_y: 30.5}"


def painted(folder: Path, looks: str, size: str = 'viewBox="0 0 100 60"') -> Path:
    path = made(folder, looks)
    (folder / "land.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {size}><path d="M0 0h100v60"/></svg>\n')
    (folder / "land.png").write_bytes(
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (200).to_bytes(4, "big") + (120).to_bytes(4, "big")
    )
    return path


def board_of(path: Path, moves: int = 0) -> Any:
    return ElementTree.fromstring(seen(path, moves)["boards"][0]["picture"])


NS = "{http://www.w3.org/2000/svg}"


def space_of(place: Any) -> str:
    """The id of what is taken hold of, if it is a space."""
    name: str = place.get("data-place", "")
    return name if name.startswith("s:") else ""


def test_places_lie_on_a_picture_too(tmp_path: Path) -> None:
    """What lies there is drawn there, and not beside the board once more; what is hidden is a question mark."""
    places = "{name: stock, x: 10, y: 50}, {name: hand of left, x: 80, y: 50}, {name: hand of right, x: 90, y: 50}"
    path = painted(tmp_path, f"board: {{picture: land.svg, size: 14, spots: [{SPOTS}, {places}]}}")
    data = seen(path)
    drawn: dict[Any, Any] = {
        place.get("data-place"): (place.get("aria-label"), [text.text for text in place.iter(f"{NS}text")])
        for place in ElementTree.fromstring(data["boards"][0]["picture"]).iter(f"{NS}g")
    }
    assert list(drawn) == ["s:board:a1", "s:board:b1", "a:stock", "a:left_hand", "a:right_hand"]
    assert drawn["a:stock"] == ("stock: 2 × a hidden card", ["?2"])
    assert drawn["a:right_hand"] == ("hand: a hidden card", ["?"])
    assert str(drawn["a:left_hand"][0]).endswith(("of sun", "of moon"))
    assert not {area["id"] for area in data["areas"] if area["sort"] == "place"} & set(drawn)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hand", "every player has a `hand` of their own"),
        ("stock of left", "`stock` is nobody's"),
        ("hand of lefd", "there is no player `lefd`"),
        ("hnd", "`board` has no space `hnd`"),
    ],
)
def test_places_that_cannot_lie_on_a_picture_are_told(tmp_path: Path, name: str, said: str) -> None:
    spots = f"{SPOTS}, {{name: {name}, x: 10, y: 50}}"
    report = check(painted(tmp_path, f"board: {{picture: land.svg, spots: [{spots}]}}"))
    assert said in [finding.message for finding in report.sorted()]


def test_a_board_lies_on_a_picture(tmp_path: Path) -> None:
    """The spaces are where the table says, in the units of the picture; what the picture shows is not drawn again."""
    drawn = board_of(painted(tmp_path, f"board: {{picture: land.svg, size: 14, spots: [{SPOTS}]}}"), 1)
    behind, first, second = drawn
    assert (behind.tag, behind.get("href")) == (f"{NS}image", "/pictures/land.svg")
    assert [behind.get("width"), behind.get("height"), drawn.get("viewBox")] == ["200.00", "120.00", "0 0 200 120"]
    assert [place.get("data-place") for place in (first, second)] == ["s:board:a1", "s:board:b1"]
    disc = first.find(f"{NS}circle")
    assert (disc.get("cx"), disc.get("cy")) == ("40.00", "60.00")
    assert not [text.text for text in drawn.iter(f"{NS}text") if text.text == "a1"]


@pytest.mark.parametrize(
    ("size", "file"),
    [
        ('viewBox="0 0 100 60"', "land.svg"),
        ("viewBox='0,0,100,60' width='9'", "land.svg"),
        ('width="100" height="60px"', "land.svg"),
        ("", "land.png"),
    ],
)
def test_a_picture_says_how_large_it_is(tmp_path: Path, size: str, file: str) -> None:
    drawn = board_of(painted(tmp_path, f"board: {{picture: {file}, within: [10, 50, 50, 50], names: true}}", size))
    wide, high = map(float, drawn.get("viewBox").split()[2:])
    assert round(wide / high, 2) == 1.67
    assert [text.text for text in drawn.iter(f"{NS}text")] == ["a1", "b1"]


def test_pieces_lie_in_a_row_and_over_each_other_where_they_do_not_fit(tmp_path: Path) -> None:
    assert row((0, 0), (0, 40), 3, 10) == [(0, 0), (0, 10), (0, 20)]
    assert row((0, 0), (30, 0), 4, 15) == [(0, 0), (10, 0), (20, 0), (30, 0)]
    assert row((5, 5), (5, 5), 2, 15) == [(5, 5), (5, 5)]
    path = shipped.find_game("backgammon")
    assert path is not None
    drawn = ElementTree.fromstring(snapshot(ruledsl.load(path).start(seed=1), 0)["boards"][0]["picture"])
    men = {place.get("data-place"): len(place.findall(f"{NS}circle")) for place in drawn.iter(f"{NS}g")}
    assert {name: count for name, count in men.items() if count} == {
        f"s:board:{point}": count for point, count in {1: 2, 6: 5, 8: 3, 12: 5, 13: 5, 17: 3, 19: 5, 24: 2}.items()
    }


NO_BOX = "in a picture 9 wide and 9 high `within:` is no such box"


@pytest.mark.parametrize(
    ("looks", "error", "help"),
    [
        ("", "nothing says where the spaces of `board` are on `land.svg`", "write `spots:`"),
        ("spots: [{name: a1, x: 1, y: 1}]", "where `b1` of `board` should be on the picture is not said", ""),
        ("spots: [{name: c1, x: 1, y: 1}]", "`board` has no space `c1`", "did you mean"),
        ("spots: [{x: 1, y: 1}]", "this place has no `name` of a space", ""),
        ("spots: [{name: a1, x: 1}]", "this place has no `y`", ""),
        ("spots: [{name: a1, x: 1, y: -1}]", "`y` is a number from 0 to 9, not `-1`", ""),
        ("spots: [{name: a1, x: 1, y: 10}]", "this is outside the picture, which is 9 wide and 9 high", ""),
        ("spots: [{name: a1, x: 1, y: 1, to_x: 2}]", "`to_x` and `to_y` go together", ""),
        ("spots: [{name: a1, x: 1, y: 1, z: 2}]", "a place on a picture has no key `z`", "it takes `name`"),
        ("spots: land.csv", "there is no file", ""),
        ("within: [1, 2, 3]", NO_BOX, "write `[left, top"),
        ("within: [1, 2, 30, 3]", NO_BOX, "write `[left, top"),
    ],
)
def test_a_board_that_does_not_fit_its_picture_is_told(tmp_path: Path, looks: str, error: str, help: str) -> None:
    told(painted(tmp_path, f"board: {{picture: land.svg, {looks}}}", 'viewBox="0 0 9 9"'), error, help)


@pytest.mark.parametrize(
    ("looks", "error", "help"),
    [
        ("board: {picture: land.svg}", "`land.svg` does not say how large it is", "an SVG says it in its first tag"),
        ("board: {spots: land.csv}", "`spots:` is about a picture, and `board` has none", "write `picture:`"),
        ("bord: {names: true}", "only a board has spaces, and `bord` is none", "did you mean `board`?"),
        ("board: {color: red}", "`board` is a board, and a board has no `color:`", "a board can have a `picture:`"),
    ],
)
def test_what_is_no_board_on_a_picture_is_told(tmp_path: Path, looks: str, error: str, help: str) -> None:
    told(painted(tmp_path, looks, ""), error, help)


def told(path: Path, error: str, help: str) -> None:
    first = next(one for one in check(path).sorted() if one.code != "L521")
    assert first.message.startswith(error), first.message
    assert (first.help or "").startswith(help), first.help


def test_a_place_on_the_page_is_one_of_three(tmp_path: Path) -> None:
    with pytest.raises(GameError) as found:
        ruledsl.load(made(tmp_path, "stock: {at: left}"))
    assert "`top`" in (found.value.report.sorted()[0].message + found.value.report.sorted()[0].help)


@pytest.mark.parametrize("name", shipped.names())
def test_any_board_may_lie_on_a_picture(name: str) -> None:
    """All spaces can be taken hold of, and what lies on them is there, for every seat and as a play goes on. So it is
    of tiles, of boxes, and of boards that are drawn together."""
    path = shipped.find_game(name)
    assert path is not None
    play = ruledsl.load(path).start(seed=5)
    world = play.world
    sheets: dict[str, int] = {}
    for info in world.boards:
        if info.between is None:
            sheets[info.sheet.name] = sheets.get(info.sheet.name, 0) + len(info.board)
    for step in range(12):
        if play.over:
            break
        before = {board["name"]: board for board in snapshot(play, 0)["boards"]}
        world.data["paintings"] = {
            name: Painting("land.png", 900, 600, at, tuple((x + 40 * (step % 2), y) for x, y in at), 30, True)
            for name, count in sheets.items()
            for at in [tuple((20.0 * (n % 40), 30.0 * (n // 40)) for n in range(count))]
        }
        found = {board["name"]: board for board in snapshot(play, 0)["boards"]}
        world.data["paintings"] = {}
        assert found.keys() == before.keys() == sheets.keys()
        for board in found:
            drawn, usual = (ElementTree.fromstring(one[board]["picture"]) for one in (found, before))
            said = [
                {name: place.get("aria-label") for place in one.iter(f"{NS}g") if (name := space_of(place))}
                for one in (drawn, usual)
            ]
            assert said[0] == said[1]
            assert drawn[0].get("href") == "/pictures/land.png"
        play.choose(0)


TOGETHER = """\
ruledsl: 1
game: two
players: [left, right]
boards:
  wall: {spaces: [{name: gate, x: 1, y: 1}, {name: tower, x: 2, y: 1}], edges: [], apart: true}
  yard:
    spaces: [{name: gate, x: 1, y: 2}, {name: well, x: 3, y: 2}]
    edges: []
    apart: true
    drawn_on: wall
    space: corner
pieces: {man: {per: player, count: 4}}
play:
  - turns: players
    do:
      - choose: {s: wall}
        else: {tie: players}
      - move: man
        to: s
looks:
"""


def test_boards_that_are_drawn_together_lie_on_one_picture(tmp_path: Path) -> None:
    """Spaces that two of them have are named with their board."""
    spots = (
        "{name: gate of wall, x: 10, y: 10}, {name: tower, x: 50, y: 10}, "
        "{name: gate of yard, x: 10, y: 50}, {name: well, x: 90, y: 50}"
    )
    painted(tmp_path, "")
    path = tmp_path / "two.yaml"
    path.write_text(f"{TOGETHER}  wall: {{picture: land.svg, size: 14, spots: [{spots}]}}\n")
    drawn = board_of(path, 1)
    assert [place.get("data-place") for place in drawn[1:]] == [
        "s:wall:gate",
        "s:wall:tower",
        "s:yard:gate",
        "s:yard:well",
    ]
    assert drawn[1].find(f"{NS}circle") is not None
    path.write_text(f"{TOGETHER}  wall: {{picture: land.svg, within: [10, 10, 90, 50]}}\n")
    ends = [place.find(f"{NS}path").get("d") for place in board_of(path)[1:]]
    assert len(set(ends)) == 4
    path.write_text(f"{TOGETHER}  wall: {{picture: land.svg, spots: [{spots.replace('gate of yard', 'gate')}]}}\n")
    told(path, "`wall` has no space `gate`", "did you mean")
    path.write_text(f"{TOGETHER}  yard: {{picture: land.svg, within: [10, 10, 90, 50]}}\n")
    told(path, "`yard` cannot lie on a picture: it is drawn on `wall`, which may", "")
