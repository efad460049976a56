"""What is written and has no effect is told: each of these changes of one small game, by one finding.

The game itself is told nothing of. A case is what stands in it, what stands there instead, and the code.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.render import render
from ruledsl.testing.looking import Tests

GAME = """\
ruledsl: 1
game: base
title: {en: Base, ru: База}
players: 2..4
options:
  fast: {is: bool, start: false, label: {en: fast, ru: быстро}}
presets:
  quick: {fast: true}
types:
  suit: [moon, sun]
board: {grid: {width: 5, height: 5}, space: square}
pieces:
  man: {per: player, count: 3}
  card:
    attributes: {suit: suit, worth: 1..5}
    rows:
      - {name: fox, suit: moon, worth: 1, copies: 6}
      - {name: owl, suit: sun, worth: 3, copies: 6}
    start: deck
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  played: {holds: card}
pools:
  coin: {total: 30, at: {player: purse}, start: {purse: 2}}
values:
  score_now: {per: player, is: 0..99}
define:
  goal: if fast then 5 else 9
  rich(player p): p.purse > 3
actions:
  buy:
    menu: turn
    when: {is: me.purse > 0, because: {en: no coins, ru: нет монет}}
    cost: {coin: 1}
    label: {en: buy, ru: купить}
    do: {add: {me.score_now: 1}}
  play:
    menu: turn
    choose: {c: me.hand}
    label: {en: "play {c}", ru: "сыграть {c}"}
    do:
      - move: c
        to: played
      - add: {me.score_now: c.worth}
      - if: c.suit == moon
        then: {gain: {coin: 1}}
  place_man:
    menu: turn
    choose: {s: board where empty(s)}
    label: {en: "go to {s}", ru: "на {s}"}
    do:
      - move: man
        to: s
setup:
  - shuffle: deck
  - deal: 2
    from: deck
    to: hand
play:
  - turns: players
    until: any(p in players where p.score_now >= goal or rich(p))
    do:
      - choose one: turn
        else: []
scoring:
  rows:
    points: me.score_now
text:
  ru: {moon: луна, sun: солнце, man: фишка, card: карта, deck: колода, hand: рука, played: сыграно,
    coin: монеты, purse: монеты,
    score_now: счёт, goal: цель, rich: богат, buy: купить, play: сыграть, place_man: поставить, turn: ход, points: очки,
    fox: лиса, owl: сова, suit: масть, worth: цена, square: поле, quick: быстро,
    player_1: первый, player_2: второй, player_3: третий, player_4: четвёртый}
tests:
  - test: one plays a card
    players: 2
    chance: [[fox_1, owl_1, fox_2, owl_2, ...]]
    expect:
      - offered: [buy]
"""
OFFERED = "      - offered: [buy]\n"
PLAYERS = "    players: 2\n"
CHOOSE = "    choose: {c: me.hand}\n"
POINTS = "    points: me.score_now\n"
SILENT = {
    "forbidden never": ("options:\n", "forbidden:\n  - {when: count(players) == 7, because: no}\noptions:\n", "L523"),
    "ties that are the same for all": (POINTS, f"{POINTS}  ties: [count(players)]\n", "L518"),
    "ties that are the points": (POINTS, f"{POINTS}  ties: [me.score_now]\n", "L518"),
    "shown twice": ("scoring:", "show: {player: [score_now, score_now]}\nscoring:", "L518"),
    "two presets alike": ("quick: {fast: true}", "quick: {fast: true}\n  other: {fast: true}", "L518"),
    "a part that is all": ("suit: [moon, sun]", "suit: [moon, sun]\n  light: {some: suit, where: this >= moon}", ""),
    "only that leaves out nothing": ("space: square}", "space: square, only: true}", "L518"),
    "a letter beyond the board": ("height: 5}", "height: 5, skip: i}", "L518"),
    "the top of no pile": ("played: {holds: card}", "played: {holds: card, seen: top}", "L518"),
    "shown to nobody": ("is: 0..99}", "is: 0..99, seen: none, show: always}", "L518"),
    "an order of one": (CHOOSE, f"{CHOOSE}    ordered: true\n", "L518"),
    "steps of one": (CHOOSE, f"{CHOOSE}    stepwise: true\n", "L518"),
    "a module without rules": ("scoring:", "modules: {extra: {when: fast}}\nscoring:", "L518"),
    "a look that says nothing": ("text:\n", "looks: {moon: {}}\ntext:\n", "L518"),
    "a sign that is too wide": ("text:\n", "looks: {man: {symbol: mann}}\ntext:\n", "S129"),
    "players of one color": ("text:\n", "looks: {player_1: {color: red}, player_2: {color: red}}\ntext:\n", "L550"),
    "a history that is not asked": ("values:\n", "history: {past: {of: [board, me], keep: 50}}\nvalues:\n", "L503"),
    "an expectation of nothing": ("    expect:\n      - offered: [buy]\n", "    expect: []\n", "Q101"),
    "no option expected": (OFFERED, "      - offered: []\n", "Q101"),
    "nothing refused": (OFFERED, "      - refused: []\n", "Q101"),
    "true": (OFFERED, "      - true\n", "Q101"),
    "what is always so": (OFFERED, "      - player_1.score_now >= 0\n", "Q101"),
    "no steps": (PLAYERS, f"{PLAYERS}    steps: 0\n", "Q101"),
    "always without plays": (PLAYERS, f"{PLAYERS}    always: over\n", "Q107"),
    "expected twice": (OFFERED, OFFERED * 2, "Q119"),
    "offered and refused": (OFFERED, f"{OFFERED}      - refused: [buy]\n", "Q119"),
}


def told(folder: Path, text: str) -> list[str]:
    path = folder / "base.yaml"
    path.write_text(text, encoding="utf-8")
    found = pipeline.check(path, beside=Tests).sorted()
    for one in found:
        assert one.help, render(one)
    return [one.code for one in found]


def test_the_game_is_sound(tmp_path: Path) -> None:
    assert told(tmp_path, GAME) == []


@pytest.mark.parametrize("name", [name for name, (_, _, code) in SILENT.items() if code])
def test_what_has_no_effect_is_told(tmp_path: Path, name: str) -> None:
    was, now, code = SILENT[name]
    assert was in GAME
    assert told(tmp_path, GAME.replace(was, now, 1)) == [code]


def test_a_part_that_leaves_out_nothing(tmp_path: Path) -> None:
    was, now, _ = SILENT["a part that is all"]
    text = GAME.replace(was, now, 1).replace("c.suit == moon", "c.suit in light and c.worth > 1")
    assert "L518" in told(tmp_path, text)


def test_a_value_that_is_only_set(tmp_path: Path) -> None:
    text = GAME.replace("score_now: {per", "mark: 0..9\n  score_now: {per", 1)
    text = text.replace("    do: {add: {me.score_now: 1}}", "    do: [{add: {me.score_now: 1}}, {set: {mark: 1}}]")
    assert told(tmp_path, text.replace("score_now: счёт", "score_now: счёт, mark: знак")) == ["L553"]
    asked = text.replace("any(p in players", "mark == 2 or any(p in players")
    assert told(tmp_path, asked.replace("score_now: счёт", "score_now: счёт, mark: знак")) == []


def test_two_tests_that_do_the_same(tmp_path: Path) -> None:
    again = GAME[GAME.index("  - test:") :].replace("one plays a card", "one buys")
    assert told(tmp_path, GAME + again) == ["Q120"]
