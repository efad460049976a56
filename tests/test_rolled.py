"""What is rolled on a piece that lies hidden is hidden again, whoever knew the piece before."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant

import ruledsl
from ruledsl.generate.native import Library, compiler

DICE = """
ruledsl: 1
game: dice
players: [anna, boris]
types: {metal: [gold, iron]}
pieces:
  die:
    per: player
    count: 2
    state: {face: 1..6, lucky: bool, marked: metal, hot: bool}
    start: cup
places:
  cup: {per: player, holds: die, seen: owner}
values:
  plan: {is: 1..6, seen: none}
  open_plan: 1..6
define:
  secret_plan: plan
effects:
  put(die d, 1..6 n): {set: {d.face: n}}
  lucky(die d): {set: {d.lucky: true}}
play:
  - random: {k: 1..6}
  - set: {plan: k}
  - set: {open_plan: k}
  - turns: players
    do:
      - reveal: cup
      - choose: {go: 1..1}
        label: go
      - for: {d: cup}
        do:
          STEP
      - choose: {go_on: 1..1}
        label: go on
      - end: game
"""
HIDDEN = {
    "rolled": "[{random: {n: 1..6}}, {set: {d.face: n}}]",
    "by a name": "[{random: {n: 1..6}}, {let: {m: n % 6 + 1}}, {set: {d.face: m}}]",
    "by an effect": "[{random: {n: 1..6}}, 'put(d, n)']",
    "by a condition": "[{random: {n: 1..6}}, {set: {d.lucky: n == 6}}]",
    "on a condition": "[{random: {n: 1..6}}, {if: n == 6, then: {set: {d.lucky: true}}, else: 'lucky(d)'}]",
    "by an effect on a condition": "[{random: {n: 1..6}}, {if: n == 6, then: 'lucky(d)', else: 'lucky(d)'}]",
    "from a hidden value": "[{set: {d.face: plan}}]",
    "from a formula": "[{set: {d.face: secret_plan}}]",
    "from another piece": "[{let: {e: first(x in cup where x != d)}}, {set: {d.face: the(e).face}}]",
    "added": "[{random: {n: 0..1}}, {add: {d.face: n}}]",
}
KNOWN = {
    "a word": "[{set: {d.marked: iron}}]",
    "from itself": "[{set: {d.hot: not d.hot}}, {set: {d.face: 7 - d.face}}]",
    "from an open value": "[{set: {d.face: open_plan}}]",
    "chosen": "[{choose: {m: metal}, label: 'take {m}'}, {set: {d.marked: m}}]",
    "after a roll": "[{random: {n: 1..6}}, {if: n == 6, then: {say: hm}}, {set: {d.marked: iron}}]",
    "if play goes on": "[{random: {n: 1..6}}, {if: n == 1, then: {win: me}}, {set: {d.marked: iron}}]",
}


def written(folder: Path, step: str) -> Path:
    path = folder / "dice.yaml"
    path.write_text(DICE.replace("STEP", step), encoding="utf-8")
    return path


@pytest.mark.parametrize("case", [*HIDDEN, *KNOWN])
def test_a_rolled_state_is_known_to_those_only_who_see_the_piece(case: str, tmp_path: Path) -> None:
    path = written(tmp_path, (HIDDEN | KNOWN)[case])
    for backend in ("interpreter", "python"):
        play = ruledsl.load(path, backend=backend).start(2, seed=3)
        while play.options()[0].text != "go on":
            play.choose(play.options()[0])
        views = [play.view(seat)["places"]["anna_cup"] for seat in (0, 1)]
        assert views == [["anna_die", "anna_die"], [None, None] if case in HIDDEN else ["anna_die", "anna_die"]]


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
def test_executors_agree_on_what_is_covered(tmp_path: Path) -> None:
    """One game in which each turn does one of all these, as chance says."""
    steps = [step[1:-1] for step in (HIDDEN | KNOWN).values() if "win" not in step]
    ways = [f"- if: way == {n}\n            then: [{step}]" for n, step in enumerate(steps)]
    path = written(tmp_path, "\n          ".join([f"- random: {{way: 0..{len(steps) - 1}}}", *ways]))
    path.write_text(path.read_text(encoding="utf-8").replace("      - end: game\n", ""), encoding="utf-8")
    variant = Variant(path, 2, {})
    configured = variant.configured()
    pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
    for seed in range(5):
        pair.steps(seed, 200)
        pair.run(5, seed, 200)
    pair.close()
