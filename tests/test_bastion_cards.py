"""Bastion: every enemy, ritual, spell and ability is used in plays at random."""

from __future__ import annotations

import json
import re

import pytest

from games import ROOT
from ruledsl.cli.main import main
from ruledsl.generate.native import compiler

PLAYS = 5_000  # so many that each dragon is attacked, or cast as a spell, about ten times
NEVER = ["{win: players, because: {en: the walls are free and no more…"]  # chance wins no play
OTHERWISE = [  # in the training game, and in two scenarios
    "random: {r: 0..5}",
    "{repeat: r, do: {move: the(top(quarters)), to: quarters, at…",
    "{move: the(top(quarters)), to: quarters, at: bottom}",
    "for: {s: spot where s != keep}",
    "{random: {r: reserve(ritual) where r.sort == well}}",
    "{move: r, to: s.foundation}",
]
SPELLS = ["alchemy", "flame", "prism", "abundance", "lightning", "swap", "teleport", "repeat"]
HELP = ["attack with help", "shoot with help", "go with help"]
OTHERS = ["accelerate", "shoot", *HELP, "use converter", "use accumulator"]


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
def test_every_card_and_every_ability_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    game = str(ROOT / "games" / "bastion")
    assert (
        main(["simulate", game, "--preset", "extreme", "-p", "3", "-n", str(PLAYS), "--all", "--format", "json"]) == 0
    )
    told = json.loads(capsys.readouterr().out)
    taken = {one["what"] for one in told["taken"] if one["times"]}
    assert taken >= {f"cast {spell}" for spell in SPELLS} | set(OTHERS)
    (pieces,) = (one["members"] for one in told["chosen"] if one["what"] == "pieces")
    assert len(pieces) == 82 + 30
    assert not [one["what"] for one in pieces if not one["times"]]
    idle = [one["what"] for one in told["statements"] if not one["times"]]
    assert sorted(idle) == sorted(NEVER + OTHERWISE)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_each_enemy_has_a_sign_of_its_own(language: str) -> None:
    """Else the screen cannot say which of two is on the wall, and tells of none."""
    rows = (ROOT / "games" / "bastion" / "enemies.yaml").read_text(encoding="utf-8").splitlines()
    signs = [found[1] for row in rows if (found := re.search(rf"symbol: {{.*?{language}: (\w+)", row))]
    assert len(signs) == len(set(signs)) == 82
