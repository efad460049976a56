"""How long the rules of Outpost are: what a designer writes, without tables, texts, `covers:` and `because:`."""

from __future__ import annotations

import re

from games import ROOT

MOST = 420
LEFT_OUT = {"covers", "because", "title", "about", "label", "stop"}  # numbers of rules, and what players read


def rule_lines(text: str) -> list[str]:
    """The lines in block style, without comments, keys that are left out, and what is below those."""
    found: list[str] = []
    below: int | None = None
    for line in text.splitlines():
        if not line.strip() or line.strip().startswith("#"):
            continue
        depth = len(line) - len(line.lstrip())
        if below is not None and depth > below:
            continue
        key = re.match(r"\s*(?:- )?(\w+):", line)
        below = depth if key and key[1] in LEFT_OUT else None
        if below is None:
            found.append(line)
    return found


def test_the_rules_of_outpost_are_short() -> None:
    text = (ROOT / "games/outpost/game.yaml").read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 100
    assert len(rule_lines(text)) <= MOST
