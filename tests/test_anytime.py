"""Actions at any time: where they are offered, and that they cannot spend what a cost has looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from agreement import QUICK, Compiled, Variant
from test_generated import Pair

import ruledsl
from ruledsl.compiler import pipeline
from ruledsl.generate.native import Library, compiler

GAME = """\
ruledsl: 1
game: free-between
players: 2
types:
  stuff: [ash, dew]
pools:
  vials: {of: stuff, at: {player: shelf}, start: {shelf: {ash: 2, dew: 2}}}
values:
  points: {per: player, is: 0..99}
  oil: {per: player, is: 0..9, start: 3}
effects:
  stir:
    - choose: {n: 1..3}
      label: stir {n} times
    - add: {me.points: n}
actions:
  trade:
    anytime: %s
    when: me.shelf.ash > 0 and me.oil > 0
    do:
      - pay: {ash: 1}
      - gain: {dew: 1}
      - subtract: {me.oil: 1}
play:
  - turns: players
    until: turn_number > 8
    do:
      - choose one:
          - label: brew
            when: me.shelf.ash > 0
            do:
              - stir()
              - pay: {ash: 1}
          - label: light
            when: me.oil > 0
            do:
              - choose: {n: 1..3}
                label: burn {n}
              - subtract: {me.oil: 1}
          - label: boil
            cost: {dew: 1}
            do: stir()
          - label: look
            do:
              - stir()
              - if: me.shelf.ash > 0
                then: {pay: {ash: 1}}
          - label: wait
            do: {end: turn}
      - choose one:
          - {label: rest, do: []}
scoring:
  rows:
    points: me.points
"""


def written(folder: Path, anytime: str) -> Path:
    path = folder / "game.yaml"
    path.write_text(GAME % anytime, encoding="utf-8")
    return path


def texts(play: ruledsl.Play) -> set[str]:
    return {option.text for option in play.options()}


@pytest.mark.parametrize("backend", ["interpreter", "python"])
def test_an_action_waits_for_the_end_of_what_was_chosen(
    backend: Literal["interpreter", "python"], tmp_path: Path
) -> None:
    play = ruledsl.load(written(tmp_path, "turn"), backend=backend).start()
    assert "trade" in texts(play)
    play.choose("brew")
    assert texts(play) == {"stir 1 times", "stir 2 times", "stir 3 times"}
    play.choose("stir 1 times")
    assert texts(play) == {"rest", "trade"}
    play.choose("rest")
    assert "trade" in texts(play)  # the other's turn
    play.choose("wait")  # leaves what was chosen from inside
    assert play.pending == (0,)
    assert {"wait", "trade"} <= texts(play)


def test_an_action_that_does_not_wait_is_offered_there_too(tmp_path: Path) -> None:
    play = ruledsl.load(written(tmp_path, "always")).start()
    play.choose("brew")
    assert texts(play) == {"stir 1 times", "stir 2 times", "stir 3 times", "trade"}


@pytest.mark.parametrize(("anytime", "voids"), [("turn", False), ("always", True)])
def test_waiting_leaves_no_play_void(anytime: str, voids: bool, tmp_path: Path) -> None:
    game = ruledsl.load(written(tmp_path, anytime))
    found = False
    for seed in range(150):
        play = game.start(seed=seed)
        while not play.over:
            options = play.options()
            play.choose(options[(seed * 7 + len(play.decisions) * 13) % len(options)])
        found = found or play.fault is not None
    assert found == voids


def test_where_it_can_still_happen_is_told(tmp_path: Path) -> None:
    """What is paid at once, or looked at again, is not."""
    assert not pipeline.check(written(tmp_path, "turn")).findings
    report = pipeline.check(written(tmp_path, "always"))
    lines = (GAME % "always").splitlines()
    wanted = [
        n for n, line in enumerate(lines, 1) if line.strip() == "- stir()" and lines[n].strip() == "- pay: {ash: 1}"
    ]
    brew = wanted[0] + 1
    light = next(n for n, line in enumerate(lines, 1) if "burn {n}" in line) + 1
    assert [(f.code, f.span.line if f.span else 0) for f in report.sorted()] == [("L515", brew), ("L515", light)]


@pytest.mark.parametrize("anytime", ["turn", "always"])
def test_executors_agree(anytime: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEDSL_CACHE", str(tmp_path / "cache"))
    variant = Variant(written(tmp_path, anytime), 2, {})
    pair = Pair(variant)
    for seed in range(30):
        pair.steps(seed, 100)
    if compiler() is None:
        return
    configured = variant.configured()
    compiled = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
    for seed in range(30):
        compiled.steps(seed)
        compiled.run(9, seed)
    compiled.close()
