"""`per:` of pieces with types: one piece for each combination, as `each:` would make them."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruledsl
from ruledsl.compiler.pipeline import check

# Cubes of each player in each color; dice of each color alone.
CUBES = """\
ruledsl: 1
game: cubes
players: 2
types:
  color: [red, green]
  size: [small, large]
pieces:
  cube: {per: [player, color], count: 2, start: store}
  die: {per: color, start: field}
  disc: {per: [color, size], each: {value: 1..2}, start: field}
places:
  store: {per: player, holds: cube}
  field: {holds: [disc, die]}
play:
  - turns: players
    do:
      - choose: {k: color where any(c in me.store where c.color == k)}
        label: "take {k}"
        else: {win: most(p in players by count(p.store))}
      - move: first(c in me.store where c.color == k)
        to: box
      - say: "{count(d in disc where d.color == k and d.size == large and d.value == 1)}"
"""

# A fleet: ships of each player in each class and number, on a board.
FLEET = """\
ruledsl: 1
game: fleet
players: [north, south]
types:
  class: [boat, ship]
  mast: [one, two]
board:
  grid: {width: 4, height: 4}
pieces:
  vessel: {per: [player, class, mast]}
play:
  - turns: players
    do:
      - choose: {v: me.vessel where not v.space, to: board where empty(to)}
        label: "{v.class} {v.mast} to {to}"
        else: {win: players}
      - move: v
        to: to
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "name", "each"),
    [
        (CUBES, "per: [player, color]", "per: player, each: {color: color}"),
        (CUBES, "per: color", "each: {color: color}"),
        (CUBES, "per: [color, size], each: {value: 1..2}", "each: {color: color, size: size, value: 1..2}"),
        (FLEET, "per: [player, class, mast]", "per: player, each: {class: class, mast: mast}"),
    ],
)
def test_it_is_what_each_says(tmp_path: Path, text: str, name: str, each: str) -> None:
    assert name in text
    path = written(tmp_path, text)
    first = ruledsl.load(path)
    made = first.start(seed=3)
    path.write_text(path.read_text().replace(name, each))
    other = ruledsl.load(path).start(seed=3)
    assert made.state == other.state
    assert made.configured.world.pieces.names == other.configured.world.pieces.names
    while not made.over:
        assert [o.text for o in made.options()] == [o.text for o in other.options()]
        made.choose(0)
        other.choose(0)
    assert made.winners == other.winners


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("per: [player, colr]", "color"),
        ("per: [player, player]", "must be `player`"),
        ("per: [players, color]", "player"),
        ("per: [player, 1..3]", "each:"),
        ("per: colr", "each:"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, wrong: str, said: str) -> None:
    findings = check(written(tmp_path, CUBES.replace("per: [player, color]", wrong))).findings
    [first, *_] = [one for one in findings if one.severity == "error"]
    assert first.span is not None
    assert first.span.line == 8
    assert said in f"{first.message} {first.help} {first.suggestions}"
