"""What games with dice brought with them: labels of steps, and totals that are won and lost."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruledsl
from ruledsl.runtime.play import Play

STEPS = """\
ruledsl: 1
game: steps
players: 2
types: {fruit: [apple, plum]}
board: {track: 3, space: step}
values:
  basket:
    is: bag of fruit
    start: amount(apple, 2) + amount(plum, 1)
play:
  - turns: players
    do:
      - choose: {CHOICE}
        label: {en: "take {x} from {origin}", ru: "взять {x} из {origin}"}
        else: {end: game}
      - end: game
text:
  ru: {apple: яблоко, plum: слива}
"""
STAKES = """\
ruledsl: 1
game: stakes
players: [fox, hare, owl]
values: {won: {per: player, is: 0..9}, due: {is: 0..99, start: 12}}
play:
  - choose one:
      - label: two
        do: {set: {fox.won: 2}}
      - label: nothing
        do: []
      - label: too much
        do: {set: {fox.won: due}}
    by: fox
scoring:
  rows:
    gains: me.won
    costs: 0 - sum(p.won for p in players except me) / 2
"""


def start(tmp_path: Path, text: str) -> Play:
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    return ruledsl.load(tmp_path / "game.yaml").start()


@pytest.mark.parametrize(
    ("choice", "first", "second"),
    [
        ("origin: board, x: some of basket", ["1 apple", "1 plum"], ["1 apple", "1 plum"]),
        ("origin: board, x: 2 of fruit", ["apple"], ["plum"]),
    ],
)
def test_the_label_of_several_is_read_at_each_step_of_the_one_that_comes_in(
    tmp_path: Path, choice: str, first: list[str], second: list[str]
) -> None:
    play = start(tmp_path, STEPS.replace("CHOICE", choice))
    play.choose("origin=2")
    assert [o.text for o in play.options()] == [f"take {x} from 2" for x in first]
    play.choose(0)
    assert [o.text for o in play.options() if o.action != "done"] == [f"take {x} from 2" for x in second]
    assert play.options(language="ru")[0].text in ("взять яблоко 1 из 2", "взять слива из 2")
    assert play.lines(0)[-1] == f"player 1: take {first[0]} from 2"


def test_the_label_of_a_list_is_read_at_each_step(tmp_path: Path) -> None:
    text = STEPS.replace("CHOICE", "origin: board, x: 2 of fruit")
    play = start(tmp_path, text.replace("        else:", "        ordered: true\n        else:"))
    play.choose("origin=2")
    play.choose("take plum from 2")
    assert [o.text for o in play.options()] == ["take apple from 2"]


def test_with_stakes_the_result_is_what_each_wins_or_loses(tmp_path: Path) -> None:
    for stakes, results in (("", [[1, -1, -1], [0, 0, 0]]), ("  stakes: true\n", [[2, -1, -1], [0, 0, 0]])):
        for option, expected in zip(("two", "nothing"), results, strict=True):
            play = start(tmp_path, STAKES + stakes)
            assert play.returns() == [0, 0, 0]
            play.choose(option)
            assert play.returns() == expected
    play.undo()
    play.choose("too much")
    assert (play.ending, play.returns()) == ("void", [0, 0, 0])


def test_dice_that_are_thrown_for_ever_are_a_fault_though_the_caller_answers_each(tmp_path: Path) -> None:
    text = "ruledsl: 1\ngame: mill\nplayers: 2\nvalues: {n: 1..6}\nplay:\n  - turns: players\n    do:\n"
    (tmp_path / "game.yaml").write_text(text + "      - random: {d: 1..6}\n      - set: {n: d}\n", encoding="utf-8")
    game = ruledsl.load(tmp_path / "game.yaml")
    game.configured().machine.most_steps = 5_000
    play, thrown = game.start(chance="ask"), 0
    while not play.over:
        play.answer(1 + thrown % 6)
        thrown += 1
    assert thrown == 50
    assert play.fault is not None
    assert play.fault.message == "nothing was decided for 50 random events: a loop of the rules never ends"
