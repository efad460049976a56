"""`ruledsl check` looks over the tests of a game: what is misspelt in them is told before anything is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import PATHS, named
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.render import render
from ruledsl.testing.looking import Tests

GAME = """
ruledsl: 1
game: taking
players: 2..3
options: {marked: {is: bool, start: false}}
board: {grid: {width: 3, height: 3}, space: cell}
pieces:
  stone: {per: player, count: 3, state: {crowned: bool}}
  card: {rows: [{name: owl}, {name: fox}], start: deck}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
pools:
  money: {total: 20, at: {player: purse}, start: {purse: 4}}
values: {score: {per: player, is: 0..9}}
setup:
  - shuffle: deck
  - if: any(c in board where empty(c) and c.stone)
    then:
      - reveal: deck
        to: none
play:
  - phase: taking
    do:
      - turns: players
        until: turn_number > 8
        do:
          - choose: {c: board where empty(c)}
            label: {en: "go to {c}", ru: "ход на {c}"}
            else: {end: game}
          - move: stone
            to: c
          - if: c.stone.crowned or any(me.hand)
            then: {add: {me.score: 1}}
          - gain: {money: 1}
scoring: {rows: {points: me.score + me.purse}}
modules:
  marks:
    when: marked
    types: {tint: [crimson, azure]}
    values: {mark: 0..3, tinted: {is: tint, start: crimson}}
    setup: [{set: {mark: 2}}]
    scoring: {rows: {marks: mark}}
text: {ru: {stone: камень, score: очки}}
letters: {s: stone of anna, t: stone of boris}
tests:
  - test: something
    players: [anna, boris]
    WHAT
"""
SOUND = [
    "expect: anna.score == 0",
    "moves: [anna: go to a1, ход на b2]\n    expect: anna.stone <= set(s in stone)",
    "given: {values: {anna.score: 3}, turn: boris}\n    expect: to_move == boris and phase == taking",
    "given: {places: {anna.hand: [owl], deck: [fox]}}\n    expect: {sees: {boris: {anna.hand: hidden}}}",
    "given: {board: {a1: crowned stone of anna}}\n    expect: {refused: [go to a1]}",
    "given: {pools: {anna.purse: 9}}\n    expect: [{offered: [c=a2]}, {ends: false}]",
    "chance: [[fox, owl]]\n    expect: over == false",
    "options: {marked: true}\n    expect: mark == 2",
    "expect: []\n    play: {games: 2}\n    always: score[anna] < 50\n    finally: count(winners) > 0",
    "then:\n      - moves: [go to c3]\n        expect: {log: {anna: go to c3}}",
]
WRONG = [  # what stands in the test, what is marked, what it should be
    ("expect: anna.scroe == 0", "scroe", "score"),
    ("expect: ana.score == 0", "ana", "anna"),
    ("expect: anna.score = 0", "=", "=="),
    ("expect: phase == takin", "takin", "taking"),
    ("expect: [anna.score: 0]", "anna.score", ""),
    ("moves: [ana: go to a1]\n    expect: over", "ana", "anna"),
    ("moves: [goo to a1]\n    expect: over", "goo to a1", "go"),
    ("expect: {refused: [go too a1]}", "go too a1", "to"),
    ("expect: {legal: {ana: [go to a1]}}", "ana", "anna"),
    ("expect: {ends: {win: [ana]}}", "ana", "anna"),
    ("expect: {ends: {wins: [anna]}}", "wins", "win"),
    ("expect: {ends: tei}", "tei", "tie"),
    ("given: {values: {anna.scroe: 3}}\n    expect: over", "scroe", "score"),
    ("given: {values: {anna.score: 33}}\n    expect: over", "33", ""),
    ("given: {values: {anna.score: three}}\n    expect: over", "three", "3"),
    ("given: {places: {anna.hnad: [owl]}}\n    expect: over", "hnad", "hand"),
    ("given: {places: {anna.hand: [olw]}}\n    expect: over", "olw", "owl"),
    ("given: {board: {a1: crwned stone of anna}}\n    expect: over", "crwned stone of anna", "crowned"),
    ("given: {board: {a1: stone of ana}}\n    expect: over", "stone of ana", "anna"),
    ("given: {board: {j1: stone of anna}}\n    expect: over", "j1", ""),
    ("given: {pools: {anna.prse: 3}}\n    expect: over", "prse", "purse"),
    ("given: {turn: ana}\n    expect: over", "ana", "anna"),
    ("given: {valeus: {anna.score: 3}}\n    expect: over", "valeus", "values"),
    ("chance: [[fox, olw]]\n    expect: over", "olw", "owl"),
    ("expect: {sees: {boris: {anna.hnad: hidden}}}", "hnad", "hand"),
    ("expect: {sees: {boris: {anna.hand: hiden}}}", "hiden", "hidden"),
    ("expect: {sees: {bors: {anna.hand: hidden}}}", "bors", "boris"),
    ("expect: {log: {ana: go}}", "ana", "anna"),
    ("expect: mark == 2", "mark", ""),  # a name of a module that is not on
    ("options: {marked: true}\n    expect: makr == 2", "makr", "mark"),
    ("options: {makred: true}\n    expect: over", "makred", "marked"),
    ("expect: []\n    play: {games: 2}\n    always: scroe[anna] < 50", "scroe", "score"),
    ("then:\n      - moves: [go to c3]\n        expect: {logs: go to c3}", "logs", "log"),
]


def told(folder: Path, test: str) -> tuple[str, Report]:
    path = folder / "taking.yaml"
    path.write_text(GAME.replace("WHAT", test), encoding="utf-8")
    return path.read_text(encoding="utf-8"), pipeline.check(path, beside=Tests)


@pytest.mark.parametrize("test", SOUND)
def test_what_is_right_is_not_told(tmp_path: Path, test: str) -> None:
    _, report = told(tmp_path, test)
    assert not report.errors, "\n\n".join(map(render, report.sorted()))


@pytest.mark.parametrize(("test", "marked", "meant"), WRONG, ids=[w[0] for w in WRONG])
def test_a_slip_in_a_test_is_told_once(tmp_path: Path, test: str, marked: str, meant: str) -> None:
    text, report = told(tmp_path, test)
    errors = [found for found in report.sorted() if found.severity == "error"]
    shown = "\n\n".join(map(render, errors))
    assert len(errors) == 1, shown
    (found,) = errors
    assert found.span is not None
    assert text[found.span.start : found.span.end] == marked, shown
    assert not meant or meant in found.suggestions, shown


@pytest.mark.parametrize(("outcome", "is_known"), [("crimson", True), ("crimzon", False), ("mark", False)])
def test_outcomes_of_a_module_are_looked_up_where_it_is_on(tmp_path: Path, outcome: str, is_known: bool) -> None:
    """Three with this option are not gone through: with two players, `crimson` has a name, and so it has with three."""
    asked = f"options: {{marked: true}}\n    chance: [{outcome}]\n    expect: not over"
    three = f"players: [anna, boris, clara]\n    {asked}"
    _, report = told(tmp_path, three.removeprefix("players: [anna, boris, clara]\n    "))
    assert (report.errors == 0) is is_known
    path = tmp_path / "taking.yaml"
    path.write_text(GAME.replace("players: [anna, boris]\n    WHAT", three), encoding="utf-8")
    looked = pipeline.check(path, beside=Tests)
    assert [found.code for found in looked.findings if found.severity == "error"] == ["Q108"] * (not is_known)


@pytest.mark.parametrize("path", PATHS, ids=named)
def test_nothing_is_wrong_in_a_game_and_its_tests(path: Path) -> None:
    report = pipeline.check(path, beside=Tests)
    assert not report.findings, "\n\n".join(map(render, report.sorted()))
