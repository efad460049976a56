"""Of pieces alike on one space loops ask the first; trials put pieces back into their piles, where they were."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from agreement import QUICK, Compiled, Variant

import games
from ruledsl.generate.c_program import CProgram
from ruledsl.generate.native import Library, compiler
from ruledsl.generate.passes import NONE_OFF, Off, Pass
from ruledsl.ir import core as C

BACKGAMMON = games.ROOT / "examples" / "backgammon.yaml"

# Men of two colors pile up on the steps of a stair and may be taken from anywhere in a pile.
STAIR = """\
ruledsl: 1
game: stair
title: Stair
players: [white, black]
board: {track: 7, space: step, holds: any}
pieces:
  man: {per: player, count: 20}
places:
  shelf: {per: player, holds: any}
values:
  done: 0..40
define:
  up(man m, 1..2 n): board[the(m.step.index) + n]
  WHO
  free(man m): m.step and m.step.index < 7 and may(m)
  open(step s): count(pieces(s)) < 7
  can_go: any(m in me.man where free(m) and open(the(up(m, 1))))
  gain(man m): if would(climb(m, the(up(m, 1))), GOAL) then 2 else 1
  best: the(max(gain(m) for m in me.man where free(m) and open(the(up(m, 1)))))
  farthest: max(m.step.index otherwise 0 for m in me.man)
effects:
  climb(man m, step s):
    - if: count(pieces(TAKEN)) > 2
      then:
        - move: the(top(TAKEN))
          to: board[1]
    - if: count(pieces(TAKEN)) == 2
      then:
        - move: the(bottom(TAKEN))
          to: board[1]
          at: bottom
    - move: m
      to: s
      at: AT
    - if: LAST
      then: {win: me}
setup:
  - for: {n: [1, 1, 1, 2, 2, 3, 3]}
    do:
      - for: {me: players}
        do:
          - move: man
            to: board[if me == white then n else n + APART]
play:
  - turns: players
    until: done == 40
    do:
      - add: {done: 1}
      - choose one:
          - choose: {m: me.man, n: 1..2}
            where: free(m) and up(m, n) and open(the(up(m, n))) and (n == 1 or would(climb(m, the(up(m, n))), GOAL))
            do: climb(m, the(up(m, n)))
          - choose: {m: me.man}
            where: free(m) and open(the(up(m, 1))) and gain(m) == best
            do:
              - move: m
                to: the(up(m, 1))
          - choose: {m: me.man}
            where: can_go and m.step and m.step.index == farthest
            do:
              - move: m
                to: me.shelf
          - label: rest
            do: []
      - if: not can_go
        then: {end: turns}
scoring:
  rows:
    points: count(me.shelf)
"""
ENDING = """\
    - if: LAST
      then: {win: me}
"""
SAME = "may(man m): m.step.index != 4 or m.owner == me"
TOP = "may(man m): top(m.step) == m"
FEW = "sum(k.step.index otherwise 0 for k in me.man) > 12"
ON_TOP = "any(s in board where any(pieces(s)) and the(top(s)).owner == opponent and s.index > 2)"
MINE_ON_TOP = "any(k in me.man where k.step and top(k.step) == k and k.step.index > 3)"
BARE = "not any(pieces(board[2]))"
NUMBERS = "any(k in me.man, j in me.man where k.step == board[1] and j.step == board[2] and k < j)"

pytestmark = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


def stair(
    folder: Path,
    who: str = SAME,
    goal: str = FEW,
    at: str = "top",
    taken: str = "s",
    apart: int = 0,
    last: str = "",
) -> Variant:
    path = folder / f"stair-{abs(hash((who, goal, at, taken, apart, last)))}.yaml"
    told = {"WHO": who, "GOAL": goal, "TAKEN": taken, "APART": str(apart), "AT": at, "LAST": last}
    text = STAIR if last else STAIR.replace(ENDING, "")
    for word, meant in told.items():
        text = text.replace(word, meant)
    path.write_text(text, encoding="utf-8")
    return Variant(path, 2, {})


def text_of(variant: Variant, without: Off = NONE_OFF) -> str:
    return CProgram(variant.configured().machine.program, without).write()


def agrees(variant: Variant, without: Off = NONE_OFF, seeds: int = 4) -> None:
    configured = variant.configured()
    pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK, without=without))
    for seed in range(seeds):
        pair.steps(seed, 300)
        pair.run(7, seed, 300)
    pair.close()


def formula_of(writer: CProgram, name: str) -> Any:
    return next(f for f in writer.kinds.formulas if f.name == name)


def test_of_men_on_a_point_the_first_is_asked() -> None:
    variant = Variant(BACKGAMMON, 2, {})
    with_it, without_it = text_of(variant), text_of(variant, frozenset({Pass.FIRST_OF_LIKE}))
    assert "& s->firsts" in with_it
    assert "firsts" not in without_it
    head = re.split(r"num f\d+_farthest_now\(Context \*x, State \*s, num t\d+\) \{", with_it)[1].partition("}")[0]
    assert "& s->firsts" in head
    agrees(variant, frozenset({Pass.FIRST_OF_LIKE}), 2)


@pytest.mark.parametrize("taken", ["s", "the(m.step)"])  # what goes before the man goes: the latter must be noticed
@pytest.mark.parametrize(
    ("goal", "at", "apart"),
    [
        (FEW, "top", 0),
        (ON_TOP, "top", 0),
        (ON_TOP, "bottom", 0),
        (MINE_ON_TOP, "top", 3),
        (NUMBERS, "top", 0),
        (BARE, "top", 3),
        (BARE, "bottom", 3),
    ],
)
def test_piles_play_the_same(tmp_path: Path, goal: str, at: str, apart: int, taken: str) -> None:
    agrees(stair(tmp_path, SAME, goal, at, taken, apart))


def test_men_on_top_of_piles_play_the_same(tmp_path: Path) -> None:
    agrees(stair(tmp_path, TOP))


def test_what_asks_for_the_place_in_a_pile_is_asked_of_every_man(tmp_path: Path) -> None:
    for who, few in ((SAME, True), (TOP, False)):
        writer = CProgram(stair(tmp_path, who).configured().machine.program)
        free = formula_of(writer, "free")
        assert writer.out.alike.placed(free.body, free.slots[0]) == few
        (loop,) = [formula_of(writer, "can_go").body]
        assert isinstance(loop, C.Fold)
        assert (writer.out.alike.loop(loop)[0] is not loop) == few


TRIED = [(FEW, True), (ON_TOP, True), (MINE_ON_TOP, True), (NUMBERS, False), ("first(me.man).step", False)]


@pytest.mark.parametrize(("goal", "fair"), TRIED)
def test_what_looks_at_the_numbers_of_men_is_tried_with_every_man(tmp_path: Path, goal: str, fair: bool) -> None:
    """A trial with one of several alike men is enough, unless men are compared or ordered by what they are called."""
    writer = CProgram(stair(tmp_path, goal=goal).configured().machine.program)
    best = formula_of(writer, "best").body.of
    assert (writer.out.alike.loop(best)[1] is not None) == fair
    text = writer.write()
    assert ("s->unlike = 1;" in text) == fair
    assert ("(s->firsts | s->mixed)" in text) == fair


def test_an_effect_is_tried_once_on_a_point() -> None:
    variant, off = Variant(BACKGAMMON, 2, {}), frozenset({Pass.TRIED_ONCE})
    for mark in ("s->unlike = 1;", "(s->firsts | s->mixed)"):
        assert mark in text_of(variant)
        assert mark not in text_of(variant, off)
    agrees(variant, off, 2)


def test_what_is_there_need_not_be_feared_to_be_missing() -> None:
    """`the(goal(m, d))` below `if goal(m, d)` is no fault, nor is the greatest of what is never nothing."""
    writer = CProgram(Variant(BACKGAMMON, 2, {}).configured().machine.program)
    for name in ("can_go", "farthest", "can_move"):
        assert writer.absorber.safe(formula_of(writer, name).body), name
    can_go = formula_of(writer, "can_go").body
    assert isinstance(can_go, C.Both)
    (choice,) = [part for part in can_go.args if isinstance(part, C.Cond)]
    assert isinstance(choice.condition, C.Op)
    assert not writer.absorber.safe(choice.then), "without the condition it may be"
    other = C.Cond(C.Op("is_there", (C.Get(C.ME),)), choice.then, choice.otherwise)
    assert not writer.absorber.safe(other), "with another condition, too"


def test_boards_with_one_piece_to_a_space_keep_no_such_set() -> None:
    for name in ("chess", "go", "draughts", "yacht", "love-letter"):
        variant = Variant(games.ROOT / "examples" / f"{name}.yaml", 2, {})
        assert "firsts" not in text_of(variant)


def test_a_trial_puts_men_back_into_their_piles(tmp_path: Path) -> None:
    variant = stair(tmp_path)
    assert "put_back(x, s, logged)" in text_of(variant)
    assert "kept_under" not in text_of(variant)
    off = frozenset({Pass.MOVES_BACK})
    assert "put_back(x, s, logged)" not in text_of(variant, off)
    assert "kept_under" in text_of(variant, off)
    agrees(variant, off)


def test_a_trial_that_may_end_the_play_does_not_end_it(tmp_path: Path) -> None:
    for last, kept in (("", False), ("s.index == 7", True)):
        variant = stair(tmp_path, last=last)
        assert ("kept_ended" in text_of(variant)) == kept
        agrees(variant)


def test_a_loop_inside_that_has_nothing_to_do_keeps_the_outer_one_from_running() -> None:
    variant = Variant(BACKGAMMON, 2, {})
    head = "num f2_can_move_now(Context *x, State *s) {"
    told = [text_of(variant, off).partition(head)[2][:300] for off in (NONE_OFF, frozenset({Pass.EMPTY_DOMAINS}))]
    assert ["!= 0ULL" in one.partition("for (")[0] for one in told] == [True, False]
    agrees(variant, frozenset({Pass.EMPTY_DOMAINS}), 2)
