"""How long the rules of large games are: what a designer writes, without tables, texts, `covers:` and `because:`."""

from __future__ import annotations

import pytest
from rule_lines import of_game

from games import ROOT

MOST = {"outpost": 420, "bastion": 730}


@pytest.mark.parametrize("game", MOST)
def test_the_rules_of_large_games_are_short(game: str) -> None:
    assert sum(of_game(ROOT / "games" / game).values()) <= MOST[game]


def test_the_rules_of_outpost_are_in_block_style() -> None:
    text = (ROOT / "games/outpost/game.yaml").read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 100


def test_formulas_that_only_bots_and_reasons_ask_for_are_no_rules() -> None:
    found = of_game(ROOT / "games" / "bastion")
    assert found["advice.yaml"] == found["texts.yaml"] == 0 < found["game.yaml"]
