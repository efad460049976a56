"""`looks:` for the page: pictures, faces of cards, where places are; and what is said of those that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.analysis.declarations.looks import pictures_of
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
        ("sun: {at: top}", "only places are somewhere on the page, and `sun` is none", "there are `stock`, `hand`"),
        ("stok: {at: top}", "only places are somewhere on the page, and `stok` is none", "did you mean `stock`?"),
        (
            'sun: {middle: "{this.rank}"}',
            "only a kind of pieces has cards with a face, and `sun` is none",
            "there are `tower`, `card`",
        ),
        (
            "stock: {color: red}",
            "a place has no colors, signs or pictures; what lies in it has",
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


def test_a_place_on_the_page_is_one_of_three(tmp_path: Path) -> None:
    with pytest.raises(GameError) as found:
        ruledsl.load(made(tmp_path, "stock: {at: left}"))
    assert "`top`" in (found.value.report.sorted()[0].message + found.value.report.sorted()[0].help)
