"""Breaks of rules that a designer might make (see breaks.py): the games' own tests notice nearly all of them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from breaks import ROOT, breaks_of, broken, outcome

GAMES = ["fjords", "fortress", "bastion", "outpost"]
NOTICED = 0.9  # of the first forty, and of those that were written later


@pytest.mark.parametrize("game", GAMES)
def test_every_break_is_one_edit_of_a_numbered_rule(game: str, tmp_path: Path) -> None:
    rules = set(re.findall(r"\*\*([A-Z]{2}-\d+)\*\*", (ROOT / "games" / game / "rules.md").read_text(encoding="utf-8")))
    breaks = breaks_of(game)
    later = {"fjords": 10, "fortress": 10, "bastion": 20}
    assert Counter(one.later for one in breaks) == Counter({False: 40, True: later.get(game, 0)})
    assert len({one.why for one in breaks}) == len(breaks)
    for at, one in enumerate(breaks):
        assert one.rule in rules, one
        broken(game, one, tmp_path / str(at))


@pytest.mark.long
@pytest.mark.parametrize("later", [False, True], ids=["first", "later"])
@pytest.mark.parametrize("game", GAMES)
def test_nearly_all_breaks_are_noticed(game: str, later: bool) -> None:
    found = {one: outcome(game, one) for one in breaks_of(game) if one.later == later and not one.same}
    assert not [f"{one}: {what}" for one, what in found.items() if not what.startswith(("noticed", "passed"))]
    passed = [str(one) for one, what in found.items() if what == "passed"]
    assert len(passed) <= (1 - NOTICED) * len(found), passed
