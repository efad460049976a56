"""Players who score together come to one result: the same in play, in tests and in simulations."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruledsl
from ruledsl.cli.main import main
from ruledsl.runtime.outcome import outcome

GAME = """
ruledsl: 1
game: lights
players: [anna, boris]
values: {lit: 0..9, own: {per: player, is: 0..9}}
define:
  lights: lit
  together(player p): SHARED
play:
  - for: {me: players}
    do:
      - choose: {n: 2..3}
        label: light {n}
        else: never
      - add: {lit: n, me.own: n}
scoring:
  rows: {lights: together(me)}
  RANKS
tests:
  - test: the end
    moves: [light 2, light 2]
    expect: {ends: ENDS}
"""
RANKS = "ranks: {0: poor, 4: good, 6: great}"


def written(folder: Path, shared: bool, ranks: str, ends: str = "scored") -> Path:
    path = folder / "lights.yaml"
    text = GAME.replace("RANKS", ranks).replace("ENDS", ends)
    rows = "lights" if shared else "p.own"
    if shared:
        text = text.replace("  together(player p): SHARED\n", "").replace("together(me)", "lights")
    path.write_text(text.replace("SHARED", rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("shared", "ranks", "headline"),
    [
        (True, RANKS, "Your rank: good."),
        (True, "", "Points of all together: 4."),
        (False, "", "A draw between anna and boris."),
    ],
)
def test_the_end_is_told_by_one_notion(
    shared: bool, ranks: str, headline: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, shared, ranks)
    play = ruledsl.load(path).start(2)
    play.choose("light 2")
    play.choose("light 2")
    assert outcome(play, "en").lines[1] == headline
    assert ("place" in str(outcome(play, "en").rows)) != shared
    main(["simulate", str(path), "-n", "20", "-p", "2"])
    told = capsys.readouterr().out
    assert ("draw" in told) != shared
    assert ("great" in told) == bool(ranks)
    assert main(["test", str(written(tmp_path, shared, ranks, "tie"))]) == int(shared)
    assert main(["test", str(written(tmp_path, shared, ranks, "{win: [anna, boris]}"))]) == 0
