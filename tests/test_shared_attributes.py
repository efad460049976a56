"""What several kinds have under one name is read of a piece of any of them, equally on all executors."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant, load
from test_generated_python import agree

from ruledsl.compiler.pipeline import check
from ruledsl.generate.native import Library, compiler

# Steps and stakes both have a color and may be marked; only steps have a value.
TRAILS = """\
ruledsl: 1
game: trails
title: {en: Trails, ru: Тропы}
players: [anna, boris]
types:
  color: [yellow, blue, white]
pieces:
  pace:
    each: {color: color, value: 2..6}
    state: {marked: bool}
  stake:
    each: {color: color}
    count: 2
    state: {marked: bool}
places:
  deck: {holds: [pace, stake], order: pile, seen: none, start: pace + stake}
  hand: {per: player, holds: [pace, stake], seen: owner}
  trail: {per: player, holds: [pace, stake]}
  left: {per: color, holds: [pace, stake], order: pile}
define:
  walked(color k): set(c in pieces(me.trail, pace) where c.color == k)
  stakes(color k): count(c in pieces(me.trail, stake) where c.color == k)
  highest(color k): max(c.value for c in walked(k)) otherwise 0
  fits(piece c):
    is: if c in stake then highest(c.color) == 0 else the(value_of(c)) > highest(c.color)
    because: {en: only higher cards follow, ru: дальше только старшие карты}
  value_of(piece c): first(d.value for d in pace where d == c)
  gain(color k):
    if no(c in me.trail where c.color == k) then 0
    else (sum(c.value for c in walked(k)) - 10) * (1 + stakes(k))
effects:
  mark(piece c):
    - if: c in pace
      then: {for: {d: pace where d == c}, do: {set: {d.marked: true}}}
      else: {for: {d: stake where d == c}, do: {set: {d.marked: true}}}
setup:
  - shuffle: deck
  - for: {me: players}
    do:
      - draw: 5
        from: deck
        to: me.hand
play:
  - turns: players
    until: no(deck)
    do:
      - choose one:
          - choose: {c: me.hand}
            where: fits(c)
            label: {en: "play {c}", ru: "сыграть {c:acc}"}
            do:
              - move: c
                to: me.trail
          - choose: {c: me.hand}
            label: {en: "leave {c}", ru: "оставить {c:acc}"}
            do:
              - if: c.marked
                then: {say: "{c} {c.color} again"}
              - move: c
                to: left[c.color]
              - mark(c)
      - draw: 1
        from: deck
        to: me.hand
scoring:
  rows:
    trails: sum(gain(k) for k in color)
"""


def mistakes(tmp_path: Path, text: str) -> list[tuple[str, str, str]]:
    path = tmp_path / "trails.yaml"
    path.write_text(text, encoding="utf-8")
    return [(d.code, d.message, d.help or "") for d in check(path).findings if d.severity == "error"]


def test_it_is_read_as_if_all_of_them_were_one_kind(tmp_path: Path) -> None:
    assert mistakes(tmp_path, TRAILS) == []


def the_executors_agree(path: Path) -> None:
    """Whole plays on each of them; all end as they should."""
    variant = Variant(path, load(path).players[0], {})
    agree(variant.configured(), 4, 400)
    if compiler() is None:
        pytest.skip("there is no C compiler")
    configured = variant.configured()
    pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
    ends = [pair.steps(seed)[1] for seed in range(6)]
    pair.close()
    assert ends == ["over"] * 6


def test_the_executors_read_the_same(tmp_path: Path) -> None:
    path = tmp_path / "trails.yaml"
    path.write_text(TRAILS, encoding="utf-8")
    the_executors_agree(path)


def test_what_only_one_kind_has_is_told_with_a_way_to_it(tmp_path: Path) -> None:
    text = TRAILS.replace("c in pieces(me.trail, pace) where c.color == k)", "c in me.trail where c.color == k)")
    [(code, said, help)] = mistakes(
        tmp_path,
        text.replace(
            "highest(color k): max(c.value for c in walked(k))", "highest(color k): max(c.value for c in me.trail)"
        ).replace("sum(c.value for c in walked(k))", "count(walked(k))"),
    )
    assert (code, said) == ("T206", "not every piece has `value`; only pace has")
    assert "pieces(PLACE, pace)" in help


def test_types_that_do_not_go_together_are_told(tmp_path: Path) -> None:
    text = TRAILS.replace("each: {color: color}\n    count: 2", "each: {color: 1..3}\n    count: 2")
    found = mistakes(tmp_path, text)
    [said] = {said for code, said, _ in found if code == "T206"}
    assert said == "`color` of one kind has a different type from `color` of another"
