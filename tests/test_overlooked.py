"""What a designer likely forgot is told; what is meant is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Report
from ruledsl.testing.suites import cases_of

MENU = """
ruledsl: 1
game: menus
players: 2
types: {feeling: [glad, sad, sour]}
values: {n: 0..9, mood: feeling}
play:
  - turns: players
    until: turn_number > 4 or (n > 8 and mood == glad)
    do:
      - set: {mood: sad}
      - add: {n: 1}
      - choose one:
          - {label: go, when: ONE, do: {say: left}}
          - {label: go, when: OTHER, do: {say: right}}
          - {label: wait, do: []}
"""


def codes(path: Path, text: str) -> list[tuple[str, int]]:
    path.write_text(text, encoding="utf-8")
    report = pipeline.check(path)
    assert report.errors == 0, [found.message for found in report.findings]
    return [(found.code, found.span.line) for found in report.sorted() if found.span is not None]


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("n > 3", "n <= 3", False),
        ("n > 3", "n < 3", False),
        ("n > 3", "n > 5", True),
        ("n == 1", "n == 2", False),
        ("n == 1", "n >= 1", True),
        ("mood == sad", "not mood == sad", False),
        ("mood == sad", "mood != sad", False),
        ("mood == sad", "mood == glad", False),
        ("mood == sad", "n > 2", True),
        ("mood == sad and n > 2", "n <= 2", False),
    ],
)
def test_options_that_read_the_same_at_once(tmp_path: Path, one: str, other: str, told: bool) -> None:
    found = codes(tmp_path / "menus.yaml", MENU.replace("ONE", one).replace("OTHER", other))
    assert found == ([("L519", 15)] if told else [])


TABLE = """
ruledsl: 1
game: rows
players: 2
pieces:
  card: {from: cards.csv, attributes: {worth: 1..9}, start: deck}
places: {deck: {holds: card, order: pile}, hand: {holds: card, per: player}}
setup:
  - deal: 1
    from: deck
    to: hand
play:
  - if: any(c.worth > 4 for c in players[0].hand)
    then: {win: players}
"""


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("ace,1\nking,5\n", []),
        ("ace,1\nking,5\nace,7\n", [("L519", 4)]),
        ("ace,1\nking,5\nace,1\n", []),  # two that are alike
    ],
)
def test_rows_of_a_table_with_one_name(tmp_path: Path, rows: str, told: list[tuple[str, int]]) -> None:
    (tmp_path / "cards.csv").write_text("name,worth\n" + rows, encoding="utf-8")
    assert codes(tmp_path / "rows.yaml", TABLE.replace("players[0]", "first(players)")) == told


PILE = """
ruledsl: 1
game: piles
players: 2
pieces:
  card: {CARDS}
places: {deck: {holds: card, order: pile, SEEN}, hand: {holds: card, per: player}, fate: {holds: card, order: pile}}
setup:
  - move: reserve(card)
    to: deck
  MORE
play:
  - draw: 1
    from: deck
    to: WHERE
  - win: players
"""
UNLIKE, ALIKE = "rows: [{name: ace}, {name: king}]", "rows: [{name: ace, copies: 9}]"


@pytest.mark.parametrize(
    ("cards", "seen", "more", "where", "told"),
    [
        (UNLIKE, "seen: none", "", "fate", True),
        (ALIKE, "seen: none", "", "fate", False),
        (UNLIKE, "seen: all", "", "fate", False),
        (UNLIKE, "seen: none", "- shuffle: deck", "fate", False),
        (UNLIKE, "seen: none", "- shuffle: fate", "fate", False),  # what is drawn is shuffled there
    ],
)
def test_hidden_piles_that_are_never_shuffled(
    tmp_path: Path, cards: str, seen: str, more: str, where: str, told: bool
) -> None:
    text = PILE.replace("CARDS", cards).replace("SEEN", seen).replace("MORE", more).replace("WHERE", where)
    found = [code for code, _ in codes(tmp_path / "piles.yaml", text)]
    assert ("L521" in found) == told


def test_tests_of_one_name(tmp_path: Path) -> None:
    test = "  - {test: NAME, seed: SEED, expect: count(players) == 2}\n"
    game = "ruledsl: 1\ngame: twice\nplayers: 2\nplay: [{win: players}]\ntests:\n"
    path, report = tmp_path / "twice.yaml", Report()
    tests = [test.replace("NAME", name).replace("SEED", str(seed)) for seed, name in enumerate(("one", "two", "one"))]
    path.write_text(game + "".join(tests), encoding="utf-8")
    blueprint = pipeline.read(path, report)
    assert blueprint is not None
    assert report.errors == 0
    cases_of(blueprint, report)
    assert [(found.code, found.span.line) for found in report.findings if found.span] == [("Q117", 8)]
