"""What is tried out only where it matters: that it is found, that it is right, and that it does not go too far."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant, load

import games
from ruledsl.generate.c_program import CProgram
from ruledsl.generate.native import Library, compiler
from ruledsl.generate.passes import Pass

pytestmark = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
OFF = frozenset([Pass.UNTOUCHED_TRIALS])
FEW = 12  # plays of each game

# A chief that must not be left open to the other's runners, who go straight on until something is in the way.
GUARD = """\
ruledsl: 1
game: guard
title: Guard
players: [a, b]
board: {grid: {width: 5, height: 6}, space: square}
types:
  kind: [chief, runner, hopper]
pieces:
  man:
    per: player
    state: {kind: kind, tired: bool}
    rows:
      - {kind: chief, start: {a: b1, b: d6}}
      - {kind: runner, start: {a: [a1, c1], b: [c6, e6]}}
      - {kind: hopper, start: {a: [d1, FIRST], b: [b6, SECOND]}}
places:
  hand: {per: player, holds: man}
values: {n: 0..60, closed: maybe square}
define:
  hits(man m):
    if m.kind == hopper then leaps(m.square, 1, 2)
    else set(t for d in orthogonal for t in slide(m.square, d, if m.kind == chief then 1 else 5))
  open(player p): any(k in p.man where k.kind == chief and any(m in man where HITS))
  goes(man m): GOES
effects:
  take(maybe square s):
    - remove: s.man
EFFECTS
play:
  - turns: players
    do:
      - set: {n: n + 1}
      - if: n >= 50 or no(m in me.man where any(goes(m)))
        then: {tie: players}
      - choose: {m: me.man, to: goes(m)}
      - set: {closed: m.square}
      - go(m, to)
"""
HITS = "m.owner != p and k.square in hits(m)"
GOES = "set(t in hits(m) where t.man.owner != m.owner and would(go(m, t), not open(m.owner)))"
TAKES = """\
  go(man m, square to):
    - take(to)
    - move: m
      to: to
"""


def guard(goes: str = GOES, effects: str = TAKES, hits: str = HITS, first: str = "a2", second: str = "e5") -> str:
    text = GUARD.replace("GOES", goes).replace("EFFECTS\n", effects).replace("HITS", hits)
    return text.replace("FIRST", first).replace("SECOND", second)


IN_PLACE = (
    "not any(k in m.owner.man where k.kind == chief and any(f in man where f.owner != m.owner and k.square in hits(f)))"
)
SPARED = """\
  go(man m, square to):
    - if: m.kind == runner and to == closed
      then:
        - remove: step(to, n).man
      else:
        - let: {goal: to}
        - take(goal)
    - take(to)
    - move: m
      to: to
"""
WATCHED = {
    "a formula": guard(),
    "in place": guard(GOES.replace("not open(m.owner)", IN_PLACE)),
    "of me": guard(GOES.replace("not open(m.owner)", "not open(me)")),
    "under conditions": guard(effects=SPARED),
    "what lies there": guard(
        hits=HITS.replace("k.square in hits(m)", "any(d in directions where step(k.square, d).man == m)")
    ),
    "all that is empty": guard(GOES.replace("not open(m.owner)", "count(s in square where empty(s)) < 24")),
    "taken or not": guard(
        GOES.replace("t.man.owner != m.owner and ", ""), "  go(man m, square to):\n    - move: m\n      to: to\n"
    ),
    "no answer as things stand": guard(
        "set(t in hits(m) where (m.kind != chief or t.y > 1) and t.man.owner != m.owner"
        " and would(go(m, t), m.kind != chief or the(step(m.square, s)).man.owner != next(m.owner)))"
    ),
    "no answer in any case": guard(GOES.replace("not open(m.owner)", "the(closed).x < 9 and not open(m.owner)")),
    "from the hand": guard(
        "set(t in (if m.square then hits(m) else set(s in square where s.y <= 2 and empty(s)))"
        " where t.man.owner != m.owner and would(go(m, t), not open(m.owner)))",
        first="hand",
        second="hand",
    ),
}
FAULTY = ("taken or not", "no answer in any case")
# What is asked changes otherwise than by moving pieces; or it cannot be told beforehand what is moved.
UNWATCHED = {
    "a state": guard(hits=HITS + " and not m.tired", effects=TAKES + "    - set: {m.tired: true}\n"),
    "a value": guard(
        GOES.replace("not open(m.owner)", "not open(m.owner) or closed == t"), TAKES + "    - set: {closed: to}\n"
    ),
    "whatever comes next": guard(effects=TAKES + "    - take(step(first(k in man where k.kind == chief).square, n))\n"),
}


def played(path: Path) -> list[tuple[int, str]]:
    """A few plays, step by step beside the interpreter: how each ended."""
    variant = Variant(path, load(path).players[0], {})
    configured = variant.configured()
    pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
    found = [pair.steps(seed) for seed in range(FEW)]
    for seed in range(FEW):
        pair.run(3, seed)
    pair.close()
    return found


def written(path: Path, without: frozenset[Pass] = frozenset()) -> str:
    return CProgram(load(path).configured().machine.program, without).write()


@pytest.mark.parametrize("name", WATCHED)
def test_what_touches_nothing_that_matters_is_not_tried_out(name: str, tmp_path: Path) -> None:
    path = tmp_path / "guard.yaml"
    path.write_text(WATCHED[name])
    assert "s->asked0" in written(path)
    assert "s->asked0" not in written(path, OFF)
    ends = played(path)
    faults = {end for _, end in ends if end not in ("over", "broken off")}
    assert bool(faults) == (name in FAULTY), ends


@pytest.mark.parametrize("name", UNWATCHED)
def test_what_cannot_be_told_beforehand_is_tried_out(name: str, tmp_path: Path) -> None:
    path = tmp_path / "guard.yaml"
    path.write_text(UNWATCHED[name])
    assert "s->asked0" not in written(path)
    played(path)


def test_chess_tries_out_moves_that_matter_only() -> None:
    text = written(games.ROOT / "examples/chess.yaml")
    assert "s->asked0" in text
    asked = re.search(r"static void ask\d+_now\([^;{]*\{.*?\n}\n", text, re.DOTALL)
    assert asked is not None
    assert re.search(r"seen_f\d+_in_check", asked.group())
