"""State that all see of a hidden card, such as a mark on its back: who reads what, guesses, executors, slips."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from agreement import QUICK, Compiled, Variant
from secrecy import search

import ruledsl
from ruledsl.bots.guess import Guess
from ruledsl.compiler import pipeline
from ruledsl.generate.native import Library, compiler
from ruledsl.generate.python_machine import GeneratedMachine

HINTS = """
ruledsl: 1
game: hints
players: 2..3
types:
  color: [red, blue, green]
pieces:
  card:
    each: {color: color, rank: 1..5}
    state:
      told: {is: maybe color, seen: all}
      turns_held: {is: 0..50, seen: all}
      noted: bool
    start: deck
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: others, ORDER}
  safe: {per: player, holds: card, seen: owner}
  table: {holds: card}
setup:
  - shuffle: deck
  - deal: 3
    from: deck
    to: hand
  - deal: 1
    from: deck
    to: safe
play:
  - turns: players
    until: turn_number > 18
    do:
      - for: {k: me.hand}
        do: {add: {k.turns_held: 1}}
      - choose one:
          - choose: {p: players except me, c: color}
            where: any(k in p.hand where k.color == c)
            label: tell {p} {c}
            do:
              - for: {k: p.hand}
                do:
                  - if: k.color == c
                    then: {set: {k.told: c}}
          - choose: {k: me.hand}
            label: play the card told {k.told}, held {k.turns_held}
            do:
              - move: k
                to: table
              - if: any(deck)
                then:
                  - draw: 1
                    from: deck
                    to: me.hand
              - say: "{count(x in me.hand where x.told)} told, {sum(x.turns_held for x in me.hand)} turns"
          - choose: {k: me.hand where k.told}
            label: put away {k.told}
            do:
              - set: {k.noted: true}
              - move: k
                to: me.safe
"""
ORDERS = {"a set": "show: always", "a row": "order: row", "slots": "slots: 9"}


def _game(tmp_path: Path, order: str = "order: row") -> Path:
    path = tmp_path / "hints.yaml"
    path.write_text(HINTS.replace("ORDER", order), encoding="utf-8")
    return path


def test_marks_are_read_by_who_may_not_see_the_face(tmp_path: Path) -> None:
    play = ruledsl.load(_game(tmp_path)).start(seed=3, players=2)
    owner, other = 0, 1
    color = next(option for option in play.options(owner) if option.text.startswith("tell"))
    play.choose(color, owner)
    texts = [option.text for option in play.options(other)]
    word = color.text.rpartition(" ")[2]
    assert f"play the card told {word}, held 1" in texts
    assert f"put away {word}" in texts
    backs = play.view(other)["backs"]["player_2_hand"]
    assert [back["told"] for back in backs].count(word) == sum(back["told"] is not None for back in backs) > 0
    assert all({*back} == {"told", "turns_held"} for back in backs)  # and not what is noted of the face


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_marks_tell_nothing_of_the_faces(order: str, tmp_path: Path) -> None:
    leak, tried = search(_game(tmp_path, order), plays=6)
    assert leak is None, leak
    assert tried.total() > 100


def test_a_guess_leaves_marks_where_they_are(tmp_path: Path) -> None:
    play, rng = ruledsl.load(_game(tmp_path)).start(seed=3, players=2), random.Random(1)
    for _ in range(9):
        seat = play.pending[0]
        guess = Guess(play, seat, rng)
        lying = [play.machine.pieces.on(v, play.world.spots.first_place + 1 + seat) for v in (play.state, guess.state)]
        marks = [
            [tuple(v[base + p] for base in play.machine.program.backs) for p in row]
            for v, row in zip((play.state, guess.state), lying, strict=True)
        ]
        assert marks[0] == marks[1]
        assert len(marks[0]) > 1
        play.choose(rng.randrange(len(play.options(seat))), seat)


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_executors_agree(order: str, tmp_path: Path) -> None:
    variant = Variant(_game(tmp_path, order), 3, {})
    configured = variant.configured()
    plain, made = configured.machine, GeneratedMachine(configured.machine.program)
    for seed in range(6):
        rng, stops = random.Random(seed), list[Any]()
        states = [machine.start(seed) for machine in (plain, made)]
        while not stops or stops[0].options:
            stops = [machine.run(v) for machine, v in zip((plain, made), states, strict=True)]
            assert stops[0].options == stops[1].options
            assert stops[0].seat == stops[1].seat
            if stops[0].options:
                taken = rng.choice(stops[0].options)
                for machine, v, stop in zip((plain, made), states, stops, strict=True):
                    machine.choose(v, stop.choice, taken)
    if compiler() is not None:
        pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
        for seed in range(12):
            pair.steps(seed)
            pair.run(9, seed)
        pair.close()


WRONG = {
    "told: {is: maybe color, seen: owner}": "`seen:`",
    "told: {is: maybe color, visible: all}": "`seen`",
    "told: {is: maybe card, seen: all}": "cannot name another piece",
    "told: {is: bag of color, seen: all}": "cannot be seen on a hidden piece",
}


@pytest.mark.parametrize("written", WRONG)
def test_slips_are_answered(written: str, tmp_path: Path) -> None:
    path = tmp_path / "hints.yaml"
    text = HINTS.replace("ORDER", "order: row").replace("told: {is: maybe color, seen: all}", written)
    path.write_text(text, encoding="utf-8")
    found = [f"{one.message}; {one.help}" for one in pipeline.check(path).findings]
    assert any(WRONG[written] in one for one in found), found
