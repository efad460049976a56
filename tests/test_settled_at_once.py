"""Candidates whose trial is settled for all at once: on boards of many shapes and sizes, plays are as without it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant, load

from ruledsl.generate.c_program import CProgram, to_c
from ruledsl.generate.native import Library, compiler
from ruledsl.generate.passes import NONE_OFF, Pass

RULES = """\
ruledsl: 1
game: groups
title: Groups
players: PLAYERS
board: {BOARD, space: point}
pieces: {stone: {per: player, count: 230, start: bowl}}
places: {bowl: {per: player, holds: stone}}
history:
  situation: {of: board, keep: 300}
define:
  chain(point p): reachable(p, q in point where ALLOWED)
  free(point p): set(q in neighbors(chain(p)) where WANTED)
  choked(point p): set(q in neighbors(p) where LEAVING)
  left: set(p in point where empty(p) and WOULD)
effects:
  put(point p):
    - move: first(me.bowl)
      to: p
    - TAKE
play:
  - turns: players
    do:
      - record: situation
      - choose one:
          - choose: {p: MENU}
            where: ASKED
            do: put(p)
          - label: pass
            do: []
"""
PLAIN = {
    "PLAYERS": "[black, white]",
    "ALLOWED": "q.stone.owner == p.stone.owner",
    "WANTED": "empty(q)",
    "LEAVING": "q.stone.owner == opponent and no(free(q))",
    "WOULD": "would(put(p), any(free(p)) and repeats(situation) == 0)",
    "TAKE": "move: set(r.stone for q in choked(p) for r in chain(q))\n      to: opponent.bowl",
    "MENU": "point where empty(p)",
    "ASKED": "WOULD",
}
GO = "grid: {width: W, height: H, neighbors: orthogonal}"
CASES = {
    "orthogonal": {"BOARD": GO.replace("W", "5").replace("H", "4")},
    "two words": {"BOARD": GO.replace("W", "9").replace("H", "8")},
    "three words": {"BOARD": GO.replace("W", "13").replace("H", "11")},
    "a vector": {"BOARD": GO.replace("W", "15").replace("H", "14")},
    "all around": {"BOARD": "grid: {width: 7, height: 7}"},
    "hexagons": {"BOARD": "hexes: {radius: 3}"},
    "a triangle": {"BOARD": "triangle: 7"},
    "a ring": {"BOARD": "ring: 17"},
    "may come back": {"BOARD": "hexes: {radius: 3}", "WOULD": "would(put(p), any(free(p)))"},
    "only who comes": {"BOARD": GO.replace("W", "5").replace("H", "5"), "LEAVING": "no(free(q)) and q.stone"},
    "some wanted": {"BOARD": GO.replace("W", "7").replace("H", "6"), "WANTED": "empty(q) and q.x != 3"},
    "empty or theirs": {
        "BOARD": GO.replace("W", "6").replace("H", "6"),
        "WANTED": "empty(q) or q.stone.owner == white",
    },
    "three players": {
        "PLAYERS": "[black, white, red]",
        "BOARD": GO.replace("W", "6").replace("H", "6"),
        "LEAVING": "q.stone.owner != me and q.stone and no(free(q))",
        "TAKE": "remove: set(r.stone for q in choked(p) for r in chain(q))",
    },
    "all alike": {"BOARD": GO.replace("W", "6").replace("H", "6"), "ALLOWED": "q.stone"},
    "a set": {"BOARD": GO.replace("W", "6").replace("H", "5"), "MENU": "left", "ASKED": "empty(p)"},
}
"""A declaration for each, in which something is otherwise than in Go."""


def variant(folder: Path, changed: dict[str, str]) -> Variant:
    rules = RULES
    for word, text in ({**PLAIN, **changed}).items():
        rules = rules.replace(word, text)
    rules = rules.replace("WOULD", changed.get("WOULD", PLAIN["WOULD"]))
    path = folder / "groups.yaml"
    path.write_text(rules, encoding="utf-8")
    load.cache_clear()
    return Variant(path, len(changed.get("PLAYERS", "two two").split()), {})


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("name", CASES)
def test_plays_are_the_same(name: str, tmp_path: Path, thorough: bool) -> None:
    one = variant(tmp_path, CASES[name])
    program, rules = one.configured().machine.program, one.configured().rules
    assert re.search(r"\beasy\d+ = ", to_c(program, NONE_OFF))
    assert not re.search(r"\beasy\d+ = ", to_c(program, frozenset({Pass.SETTLED_AT_ONCE})))
    both = Compiled(one, Library(program, rules, QUICK, CProgram, NONE_OFF))
    for seed in range(12 if thorough else 2):
        both.steps(seed, 300 if thorough else 60)
        both.run(7, seed, 400)
    both.close()
