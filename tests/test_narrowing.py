"""Behind `x in card and` a piece is a card: what only cards have can be read, equally on all executors."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_shared_attributes import TRAILS as ONE_KIND
from test_shared_attributes import the_executors_agree

from ruledsl.compiler.pipeline import check

# A market of cards and coins: cards have a cost, coins have none.
MARKET = """\
ruledsl: 1
game: market
players: [anna, boris]
types:
  color: [red, green, blue]
pieces:
  card: {each: {color: color, cost: 1..4}, start: row}
  coin: {count: 8, start: row}
  ticket: {count: 3, attributes: {price: {is: 1..3, otherwise: 2}}, start: row}
places:
  row: {holds: [card, coin, ticket], order: pile, seen: none}
  open: {holds: [card, coin, ticket], capacity: 5}
  mine: {per: player, holds: [card, coin, ticket]}
define:
  worth(piece x): if x in card then x.cost else if x in ticket then x.price else 1
  twice(card c): 2 * c.cost
  dear(piece x): x in card and x.cost > 2
  cheap(piece x): x not in card or x.cost <= 2
  double(piece x): if x in card then twice(x) else 0
  no_coin(piece x): x not in coin and x not in ticket and x.color == red
setup:
  - shuffle: row
play:
  - turns: players
    until: no(row)
    do:
      - draw: min(count(row), 3)
        from: row
        to: open
      - choose: {x: open where dear(x) or cheap(x) and worth(x) <= 3}
        label: "take {x}"
        else: []
      - if: x in card
        then: {add: {me.total: x.cost + double(x)}}
      - if: not (x in coin or x in ticket) and x.cost == 4
        then: {add: {me.fours: 1}}
      - add: {me.reds: if no_coin(x) then 1 else 0}
      - move: x
        to: me.mine
      - move: open
        to: row
  - win: most(p in players by p.total, p.fours, p.reds, count(c in p.mine where c in card and c.cost == 3))
values:
  total: {per: player, is: 0..200}
  fours: {per: player, is: 0..40}
  reds: {per: player, is: 0..40}
"""

# Wagers and paces lie in one row; only paces have a value, and what is done to either depends on which it is.
TRAILS = (
    ONE_KIND.replace("the(value_of(c)) > highest(c.color)", "c in pace and c.value > highest(c.color)")
    .replace(
        "max(c.value for c in walked(k)) otherwise 0",
        "max(if c in pace then c.value else 0 for c in me.trail where c.color == k) otherwise 0",
    )
    .replace("  value_of(piece c): first(d.value for d in pace where d == c)\n", "")
    .replace("{for: {d: pace where d == c}, do: {set: {d.marked: true}}}", "{set: {c.marked: true}}")
    .replace("{for: {d: stake where d == c}, do: {set: {d.marked: true}}}", "{set: {c.marked: true}}")
)


def game(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.yaml"
    path.write_text(text)
    return path


def told(tmp_path: Path, text: str) -> list[tuple[str, str, str]]:
    findings = check(game(tmp_path, text)).findings
    return [(d.code, d.message, d.help or "") for d in findings if d.severity == "error"]


GAMES = pytest.mark.parametrize("text", [MARKET, TRAILS], ids=["market", "trails"])


@GAMES
def test_it_is_sound(tmp_path: Path, text: str) -> None:
    assert "value_of" not in TRAILS
    assert told(tmp_path, text) == []


@GAMES
def test_the_executors_read_the_same(tmp_path: Path, text: str) -> None:
    the_executors_agree(game(tmp_path, text))


@pytest.mark.parametrize(
    "condition",
    [
        "x.cost > 2 and x in card",  # what stands before is tried first
        "x in card or x.cost > 2",
        "not (x in card) and x.cost > 2",
        "x not in coin and x.cost > 2",  # it may be a ticket
        "x in card + coin and x.cost > 2",
        "any(x in mine[me] where x in card) and x.cost > 2",  # another x
    ],
)
def test_what_is_not_known_is_not_read(tmp_path: Path, condition: str) -> None:
    text = MARKET.replace("x in card and x.cost > 2", condition)
    assert any(code == "T206" for code, _, _ in told(tmp_path, text)), told(tmp_path, text)


@pytest.mark.parametrize(
    "condition",
    [
        "me == me and x in card and x.cost > 2",
        "x not in coin + ticket and x.cost > 2",
        "not (x not in card or x.cost <= 2)",
        "(if x in card then x.cost else 0) > 2",
        "x in card and any(c in card where c.cost < x.cost)",
    ],
)
def test_however_it_is_said(tmp_path: Path, condition: str) -> None:
    assert told(tmp_path, MARKET.replace("x in card and x.cost > 2", condition)) == []


def test_the_way_is_told(tmp_path: Path) -> None:
    [(code, said, help)] = told(tmp_path, MARKET.replace("x in card and x.cost > 2", "x.cost > 2"))
    assert (code, said) == ("T206", "not every piece has `cost`; only card has")
    assert help.startswith("ask first, as in `x in card and x.cost …`")
