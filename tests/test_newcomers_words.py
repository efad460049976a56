"""What a designer who had only the docs wrote first for five games, and how it is understood or answered."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruledsl
from ruledsl.compiler import pipeline

MAP = """\
ruledsl: 1
game: outbreak
players: 2
board:
  spaces: [paris, london, rome, berlin]
  edges: [[paris, london], [paris, rome], [rome, berlin]]
  space: city
  holds: any
pieces:
  doctor: {per: player, start: paris}
  card: {each: {its_city: city}, start: deck}
places:
  deck: {holds: card}
play:
  - turns: players
    do:
      - choose:
          c: neighbors(me.doctor.city)
        label: go to {c}
        else: never
      - move: me.doctor
        to: c
      - remove: set(k in deck where k.its_city == c)
      - if: no(deck)
        then: {win: players}
"""


def test_a_map_is_names_and_pairs(tmp_path: Path) -> None:
    path = tmp_path / "outbreak.yaml"
    path.write_text(MAP, encoding="utf-8")
    assert not pipeline.check(path).findings
    play = ruledsl.load(path).start(seed=1)
    assert [option.text for option in play.options()] == ["go to london", "go to rome"]
    board = play.world.boards[0].board
    full = MAP.replace("[paris, london, rome, berlin]", "[{name: paris}, {name: london}, {name: rome}, {name: berlin}]")
    full = full.replace("[[paris, london], [paris,", "[{from: paris, to: london}, [paris,")
    path.write_text(full, encoding="utf-8")
    other = ruledsl.load(path).start(seed=1).world.boards[0].board
    assert board.spaces == other.spaces
    assert [*board.links] == [*other.links]


TRIES = {
    ("its_city: city", "city: city"): "`city` already means the city on which a piece stands; give it another name",
    ("  holds: any\n", "  holds: any\n  state: {doctor: bool}\n"): "`doctor` already means the first doctor on a city",
    ("[rome, berlin]]", "[rome, berlin, paris]]"): "a row of `edges` has no `from`",
    ("[rome, berlin]]", "[rome, berlni]]"): "did you mean `berlin`?",
    ("[paris, london, rome, berlin]\n", "[paris, london, rome, paris]\n"): "paris",
    ("doctor: {per: player,", "doctor: {per: player, seen: owner,"): "`seen:` belongs to places",
    ("play:\n", "values:\n  at: {per: city, is: bool, seen: owner}\nplay:\n"): "`per: [player, city]`",
    ("      - if: no(deck)", "      - pass: deck\n        to: left\n      - if: no(deck)"): "`to: next(p).coming`",
}


@pytest.mark.parametrize("change", TRIES, ids=list(TRIES.values()))
def test_what_was_tried_is_answered(change: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "outbreak.yaml"
    assert change[0] in MAP
    path.write_text(MAP.replace(*change), encoding="utf-8")
    found = [f"{one.message}; {one.help}" for one in pipeline.check(path).findings]
    assert any(TRIES[change] in one for one in found), found
