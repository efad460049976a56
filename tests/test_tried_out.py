"""Words that could be written in several ways: what is advised means something in the game, and it works."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic

GAME = """\
ruledsl: 1
game: tried-out
players: [anna, boris]
types:
  rank: [low, high]
  sort: [red, blue]
board: {{grid: {{width: 3, height: 3}}, space: cell}}
pieces:
  man: {{per: player, start: {{anna: [a1, b1], boris: [c3, b3]}}, attributes: {{rank: rank}}, state: {{king: bool}},
    rows: [{{name: chief, rank: high, copies: 2}}]}}
places:
  box: {{per: player, holds: man}}
values:
  passed: {{per: player, is: bool}}
  dice: {{is: bag of sort}}
  gold: {{per: player, is: 0..9}}
define:
  pay(player p, 0..9 n): p.gold >= n
play:
  - turns: players
    until: all(p.passed for p in players)
    do:
      - choose: {{m: me.man}}
        where: {where}
        label: "go {{m}}"
        else: {{lose: me}}
      - set:
          m.king: true
          me.passed: true
          dice: amount(red, 1)
      - add: {{me.gold: 1}}
      - if: pay(me, 3) and no(me.box) and m.rank == high
        then: {{win: me}}
"""


def told(tmp_path: Path, where: str = "m.cell") -> list[Diagnostic]:
    (tmp_path / "game.yaml").write_text(GAME.format(where=where), encoding="utf-8")
    return [found for found in pipeline.check(tmp_path / "game.yaml").sorted() if found.severity == "error"]


def test_the_game_is_sound(tmp_path: Path) -> None:
    assert not told(tmp_path)


@pytest.mark.parametrize(
    ("where", "right"),
    [
        ("m is king", "m.king"),
        ("m is not king", "not m.king"),
        ("king of m", "m.king"),
        ("pay(3)", "pay(me, 3)"),
        ("not me.box", "no(me.box)"),
        ("anyone.gold > 3", "any(p in players where p.gold > 3)"),
        ("nobody.passed", "no(p in players where p.passed)"),
        ("total(dice, red) > 0", "dice[red]"),
        ("m.cell - m.cell > 1", "distance(m.cell, m.cell)"),
        ("both passed", "all(p.passed for p in players)"),
        ("all players have passed", "all(p.passed for p in players)"),
        ("everyone pass", "all(p.passed for p in players)"),
        ("nobody has passed", "no(p in players where p.passed)"),
        ("any player passed", "any(p in players where p.passed)"),
    ],
)
def test_what_is_advised_means_something(tmp_path: Path, where: str, right: str) -> None:
    (found,) = told(tmp_path, where=where)
    assert f"`{right}`" in found.help, found.help
    assert (
        found.suggestions != (right,)
        or found.span is None
        or not told(tmp_path, where=where.replace(found.span.text, right, 1))
    )


def test_actions_are_called_what_one_does(tmp_path: Path) -> None:
    """`place` and `take` are words of expressions, too; a statement is no expression."""
    text = GAME.format(where="m.cell").replace(
        "play:\n",
        "actions:\n  place: {menu: deed, label: place, do: {add: {me.gold: 1}}}\n"
        "effects:\n  take(0..9 n):\n    - add:\n        me.gold: n + count(take(men, 1))\n  give: [take(1)]\n"
        "play:\n",
    )
    text = text.replace("do:\n      - choose:", "do:\n      - choose one: deed\n      - give()\n      - choose:")
    text = text.replace("define:", "define:\n  men: set(m in man where m.king)")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    assert not [(f.code, f.message) for f in pipeline.check(tmp_path / "game.yaml").sorted() if f.severity == "error"]
