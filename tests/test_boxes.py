"""Boards whose spaces are drawn as boxes with words in them, and pictures of a whole table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import ruledsl
from games import NAMES, PATHS, ROOT, load
from ruledsl.boards.boxes import wrapped
from ruledsl.cli.main import main
from ruledsl.cli.terminal.screen import Screen
from ruledsl.runtime.tabledrawn import table_svg
from ruledsl.wording.columns import columns

RULES = """\
ruledsl: 1
game: workshop
players: 2
types:
  ware: [tea, silk]
boards:
  hall: {per: player, grid: {width: 2, height: 2}, space: room, holds: any, boxes: true}
  jobs:
    spaces:
      - {name: quarry, x: 1, y: 2}
      - {name: saw_mill, x: 3, y: 2}
      - {name: inn, x: 2, y: 1}
    edges: []
    apart: true
    space: job
    state: {busy: bool}
    boxes: true
pieces:
  oven: {count: 3, title: baker's oven}
  letter: {rows: [{name: love_letter}, {name: bill}, {name: will}, {name: map}]}
pools:
  wares: {of: ware, total: {tea: 20, silk: 20}, at: {room: stock, job: pay}}
places:
  bag: {holds: letter, order: pile, seen: none, start: letter}
  hand: {per: player, holds: letter, seen: owner}
looks:
  tea: {symbol: t, color: green}
  oven: {color: red}
setup:
  - move: oven
    to: player_1_a1
  - move: oven
    to: player_1_a1
  - gain: {tea: 2, silk: 7}
    to: player_1_a1.stock
  - gain: {tea: 1}
    to: inn.pay
  - shuffle: bag
  - draw: 1
    from: bag
    to: player_1.hand
play:
  - turns: players
    do:
      - choose: {j: job}
        label: work at {j}
      - set: {j.busy: true}
"""


@pytest.fixture
def play(tmp_path: Path) -> Any:
    path = tmp_path / "game.yaml"
    path.write_text(RULES, encoding="utf-8")
    return ruledsl.load(path).start(2)


def shown(play: Any, seat: int | None, width: int) -> str:
    options = play.options(seat) if seat in play.pending else ()
    return Screen(play, "en", False, width).position(play.view(seat), options)


def test_what_is_there_stands_in_boxes(play: Any) -> None:
    play.choose(1)
    wanted = """\
hall (player 2):                   jobs:
  ┌─────────────┬─────────────┐    ┌────────────┐            ┌────────────┐
2 │             │             │    │quarry     +│            │saw mill    │
  │             │             │    │            │            │busy       +│
  ├─────────────┼─────────────┤    └────────────┼────────────┼────────────┘
1 │             │             │                 │inn         │
  │             │             │                 │t          +│
  └─────────────┴─────────────┘                 └────────────┘
         a             b

hall (player 1):
2  .    .
1 B2/9  .
   a    b
"""
    assert shown(play, 1, 88).startswith(wanted)


def test_what_one_sees_oneself(play: Any) -> None:
    found = shown(play, 0, 100)
    assert "│2 × baker's  │" in found
    assert "│tt S × 7     │" in found
    assert re.search(r"t tea\s+S silk", found)


@pytest.mark.parametrize("width", [30, 40, 60, 80, 100])
def test_a_picture_is_as_wide_as_there_is_room(play: Any, width: int) -> None:
    for line in shown(play, 0, width).splitlines():
        assert columns(line) <= width, line


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("clay pit", ["clay pit"]),
        ("a Jeweller's shop", ["a", "Jewel-", "ler's", "shop"]),
        ("водяные гидры", ["водяные", "гидры"]),
        ("城市城市城市", ["城市城市", "城市"]),
    ],
)
def test_words_are_wrapped(text: str, lines: list[str]) -> None:
    assert wrapped(text, 8) == lines


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_every_table_is_a_picture(path: Path) -> None:
    game = load(path)
    play = game.start(max(2, game.players[0]) if 2 in game.players else None, seed=1)
    for seat in (0, None):
        root = ElementTree.fromstring(table_svg(play, seat))
        assert root.tag.endswith("svg")
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for part in root.findall("{http://www.w3.org/2000/svg}svg"):
            right = float(part.attrib["x"]) + float(part.attrib["width"])
            assert right <= width
            assert float(part.attrib["y"]) + float(part.attrib["height"]) <= height


def test_a_picture_of_the_table_tells_no_secrets(play: Any) -> None:
    (held,) = play.view(0)["places"]["player_1_hand"]
    assert held.replace("_", " ") in table_svg(play, 0)
    for letter in ("love letter", "bill", "will", "map"):
        assert letter not in table_svg(play, 1)
        assert letter not in table_svg(play, None)


def test_outpost_is_drawn_with_settlers_cards_and_the_others(tmp_path: Path) -> None:
    play = load(ROOT / "games" / "outpost" / "game.yaml").start(2, seed=3, names=["anna", "boris"])
    while not any(map(any, _sent(play))):
        play.choose(next(o.index for o in play.options(play.pending[0]) if "pass" not in o.text))
    seat = next(seat for seat, row in enumerate(_sent(play)) if any(row))
    picture = table_svg(play, seat)
    assert picture.count('<circle class="disc"') >= sum(sum(row) for row in _sent(play))
    titles = {element.text for element in ElementTree.fromstring(picture).iter() if element.text}
    assert {"lands: anna", "settlement: boris", "zones: anna", "hero row", "market"} <= titles


def _sent(play: Any) -> list[list[int]]:
    """How many settlers are in the zones of each player."""
    pool = next(pool for pool in play.world.pools if pool.name == "people")
    _, base, root = pool.holders["sent"]
    each = root.size // 2
    count = [sum(play.state[base + 2 * zone : base + 2 * zone + 2]) for zone in range(root.size)]
    return [count[:each], count[each:]]


def test_draw_writes_the_table_of_a_seat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(RULES, encoding="utf-8")
    file = tmp_path / "table.svg"
    assert main(["draw", str(path), "--seat", "player_1", "-o", str(file)]) == 0
    assert "hand: player 1" in file.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["draw", str(path), "--seat", "player_1"]) == 2
    said = "`--seat` draws all that a player sees into one file: it needs `-o FILE.svg` and nothing else"
    assert said in capsys.readouterr().err
    assert main(["draw", str(path), "--seat", "player_3", "-o", str(file)]) == 2
    assert "there is no player `player_3`; did you mean" in capsys.readouterr().err
