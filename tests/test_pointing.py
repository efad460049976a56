"""A player points at a hidden card by where it lies: only what is on its face is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruledsl
from ruledsl.runtime.arranged import arranged
from ruledsl.runtime.why import why

GAME = """
ruledsl: 1
game: backs
players: [anna, boris]
pieces:
  card: {each: {rank: 1..6}, start: deck}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, LIES, seen: others}
  table: {holds: card}
setup:
  - shuffle: deck
  - deal: 3
    from: deck
    to: hand
play:
  - turns: players
    do:
      - choose: CHOICE
        label: play card {WHERE}
        else: {end: game}
      - move: c
        to: table
"""
SLOT, ROW = ("slots: 4", "c.slot"), ("order: row", "position(list(me.hand), c)")


def begun(folder: Path, how: tuple[str, str], choice: str = "{c: me.hand}", note: str = "") -> ruledsl.Play:
    lies, where = how
    text = GAME.replace("LIES", lies).replace("WHERE", where).replace("CHOICE", choice)
    path = folder / "backs.yaml"
    path.write_text(text.replace("    do:\n      - choose", f"    do:\n{note}      - choose"), encoding="utf-8")
    return ruledsl.load(path).start(2, seed=5)


@pytest.mark.parametrize("how", [SLOT, ROW], ids=["slots", "row"])
def test_an_owner_who_does_not_see_a_hand_plays_by_where_cards_lie(how: tuple[str, str], tmp_path: Path) -> None:
    play = begun(tmp_path, how)
    listed = arranged(play, 0, play.options())
    assert [option.text for option in listed] == ["play card 1", "play card 2", "play card 3"]
    lying = play.view(1)["places"]["anna_hand"]
    play.choose("play card 2")
    assert play.view(0)["places"]["table"] == [lying[1]]
    assert "play card 2" in play.lines(0)[-1]
    assert "hidden" not in str(why(play, 1, "play card 4"))


@pytest.mark.parametrize(
    ("choice", "note"),
    [
        ("{c: me.hand where c.rank > 3}", ""),
        ("{c: set(k in me.hand where k.rank > 3)}", ""),
        ("{c: me.hand}\n        where: c.rank > 3", ""),
    ],
)
def test_where_a_card_lies_is_not_told_if_it_was_chosen_for_its_face(choice: str, note: str, tmp_path: Path) -> None:
    for seed in range(5):
        play = begun(tmp_path, SLOT, choice, note)
        assert {option.text for option in play.options()} <= {"play card ?"}, seed


def test_a_name_for_a_card_that_was_looked_for_does_not_tell_where_it_lies(tmp_path: Path) -> None:
    note = (
        "      - let: {best: first(k in me.hand by -k.rank)}\n      - if: best\n"
        '        then: {say: "the best is {best.slot}"}\n'
    )
    play = begun(tmp_path, SLOT, note=note)
    assert "the best is ?" in play.lines(0)[-1]
    assert "the best is ?" not in play.lines(1)[-1]
