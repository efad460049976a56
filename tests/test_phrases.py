"""Phrases of people in place of expressions and statements: each is told once, with what to write, and that works.

The game has nothing special; the phrases are made of its words and of those around which phrases are built.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic
from ruledsl.diagnostics.render import render

GAME = """
ruledsl: 1
game: mill-pond
players: [red, blue]
types: {suit: [fish, reed, frog]}
board: {grid: {width: 5, height: 5}, space: pad}
pieces:
  man: {per: player, count: 4}
  card: {attributes: {suit: suit, worth: 1..9}, start: deck, rows: [
    {name: pike, suit: fish, worth: 5}, {name: carp, suit: fish, worth: 2}, {name: cane, suit: reed, worth: 3}]}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  discards: {holds: card, order: pile}
pools: {coin: {total: 20, at: {player: purse}}}
values:
  score: {per: player, is: 0..50}
  passed: {per: player, is: bool}
  depth: {per: pad, is: 0..3}
  quiet: 0..30
define:
  strength(card c): c.worth
  beats(card c, card d): c.worth > d.worth
effects:
  sink(pad p): {add: {p.depth: 1}}
setup: [{shuffle: deck}]
play:
  - turns: players
    do:
      - choose: {p: board where empty(p), c: me.hand}
        label: "{p} {c}"
        else: {tie: players}
      - sink(p)
      - if: beats(c, c) and strength(c) > quiet
        then: {discard: never}
"""
GAME = GAME.replace("then: {discard: never}", "then:\n          - move: c\n            to: discards\nHERE")
END = "\n      - if: me.score > 9\n        then: {win: me}\n"

ASKED = {
    "any player has 20 coins": "any(x in players where x.purse == 20)",
    "me has at least 3 coins": "me.purse >= 3",
    "less than 10 coins": "me.purse < 10",
    "the opponent has no cards": "no(opponent.hand)",
    "no cards left in deck": "no(deck)",
    "deck runs out": "no(deck)",
    "me.hand contains pike or carp": "any(x in me.hand where x.name in [pike, carp])",
    "everybody has passed": "all(x.passed for x in players)",
    "all players passed except one": "count(x in players where not x.passed) == 1",
    "nobody passed": "no(x in players where x.passed)",
    "only one player has passed": "count(x in players where x.passed) == 1",
    "p is not empty": "not empty(p)",
    "p is empty or next to p": "empty(p) or p in neighbors(p)",
    "3 in a row": "line(p, 3, of=me)",
    "c is pike": "",
    "my score is higher than quiet": "me.score > quiet",
    "my men are on the board": "all(m.pad for m in me.man)",
    "not all men are on the board": "not all(m.pad for m in man)",
    "there is an enemy man on p": "any(m in opponent.man where m.pad == p)",
    "me.hand > 3 cards": "count(me.hand) > 3",
    "deck and discards are empty": "no(deck) and no(discards)",
    "second turn": "turn_number == 2",
    "p is on the last row": "p.y == 5",
    "discards has 2 cards": "count(discards) == 2",
    "my hand has at least 2 fish cards": "count(x in me.hand where x.suit == fish) >= 2",
    "all pads empty": "all(empty(x) for x in pad)",
}
COUNTED = {
    "number of cards in my hand": "count(me.hand)",
    "total worth of my hand": "sum(x.worth for x in me.hand)",
    "half of my score": "me.score / 2",
    "2 per card in my hand": "2 * count(me.hand)",
    "depth of p": "p.depth",
    "strength c": "strength(c)",
    "three coins": "3",
    "until my hand has 5 cards": "5 - count(me.hand)",
}
DONE = {
    "increase my score by 2": "write `add: {me.score: 2}`",
    "me draws two cards": "write `draw: 2`, and below it `from: deck` and `to: me.hand`",
    "me gains 3 coins": "write `gain: {coin: 3}`",
    "steal 2 coins from opponent": "write `gain: {coin: 2}`, and below it `from: opponent.purse`",
    "place man on p": "write `move: man`, and below it `to: p`",
    "discard c": "write `move: c`, and below it `to: discards`",
    "me passes": "write `set: {me.passed: true}`",
    "quiet becomes 0": "write `set: {quiet: 0}`",
    "p sinks": "",
    "sink the p": "write `sink(p)`",
    "me.score++": "write `add: {me.score: 1}`",
    "opponent wins": "write `win: opponent`",
    "win if quiet == 3": "write `- if: quiet == 3`, and below it `then: {win: me}`",
    "shoot: man\n        at: p": "write `move: man`, and below it `to: p`",
    "roll a die": "write `random: {die: 1..6}`, and use `die` after it",
}


def told(tmp_path: Path, statement: str) -> list[Diagnostic]:
    path = tmp_path / "mill-pond.yaml"
    path.write_text(GAME.replace("HERE", statement) + END, encoding="utf-8")
    return [one for one in pipeline.check(path).sorted() if one.severity == "error"]


def test_the_game_is_sound(tmp_path: Path) -> None:
    found = told(tmp_path, "")
    assert not found, "\n".join(map(render, found))


@pytest.mark.parametrize("phrase", ASKED)
def test_a_condition_is_understood(tmp_path: Path, phrase: str) -> None:
    _is_told(tmp_path, f'      - if: "{phrase}"\n        then: {{end: turn}}', ASKED[phrase], phrase)


@pytest.mark.parametrize("phrase", COUNTED)
def test_a_number_is_understood(tmp_path: Path, phrase: str) -> None:
    _is_told(tmp_path, f'      - add: {{me.score: "{phrase}"}}', COUNTED[phrase], phrase)


@pytest.mark.parametrize("phrase", DONE)
def test_a_deed_is_understood(tmp_path: Path, phrase: str) -> None:
    found = told(tmp_path, f"      - {phrase}")
    assert len(found) == 1, "\n".join(map(render, found))
    assert found[0].help
    assert not DONE[phrase] or found[0].help == DONE[phrase]


def _is_told(tmp_path: Path, statement: str, right: str, phrase: str) -> None:
    found = told(tmp_path, statement)
    assert len(found) == 1, "\n".join(map(render, found))
    assert found[0].help
    if right:
        assert right in found[0].help
        assert not told(tmp_path, statement.replace(phrase, right)), right


def test_what_is_wrong_elsewhere_is_told_all_the_same(tmp_path: Path) -> None:
    """To try what a phrase may mean, formulas are worked out that have mistakes of their own."""
    path = tmp_path / "mill-pond.yaml"
    text = GAME.replace("HERE", "      - if: the strongest cards of all beat it\n        then: {end: turn}") + END
    path.write_text(text.replace("c.worth > d.worth", "c.worth > d.wrth"), encoding="utf-8")
    assert {one.code for one in pipeline.check(path).findings} >= {"E101", "N122"}
