"""A test may begin with a phase: what lies where is as setup left it, and play goes on from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.cli.main import main

GAME = """\
ruledsl: 1
game: market
players: [anna, boris]
pieces:
  card:
    each: {worth: 1..8}
    start: deck
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  sold: {per: player, holds: card}
values:
  tired: {per: player, is: 0..50}
setup:
  - shuffle: deck
play:
  - rounds: 2
    do:
      - phase: buying
        do:
          - turns: players
            skip: count(me.hand) == 2 * round or no(deck)
            do:
              - choose one:
                  - label: draw
                    do:
                      - draw: 1
                        from: deck
                        to: me.hand
                  - label: wait
                    when: me.tired < 50
                    do: {add: {me.tired: 1}}
      - phase: selling
        do:
          - random: {first: players}
          - turns: players from first
            skip: no(me.hand)
            do:
              - choose: {c: me.hand}
                label: sell {c.worth}
              - move: c
                to: me.sold
          - if: count(sold) == 8
            then:
              - phase: closing
                do: {win: anna}
          - if: count(sold) > 8
            then:
              - phase: unheard_of
                do: {win: boris}
tests:
TESTS
"""
SOUND = """\
  - test: a phase begins as setup left it
    given: {phase: selling, places: {anna.hand: [card_3], boris.hand: [card_5, card_7]}}
    chance: [boris]
    expect:
      - phase == selling and to_move == boris and round == 1
      - anna.tired == 0 and boris.tired == 0 and count(deck) == 5 and no(sold)
      - legal: [sell 5, sell 7]
  - test: with the turn of a player, the turns of this phase are meant
    given: {phase: selling, turn: anna, round: 2, places: {anna.hand: [card_3], boris.hand: [card_5, card_7]}}
    moves: [sell 3, sell 5, sell 7]
    expect: over and count(sold) == 3
  - test: the first phase, too
    given: {phase: buying, turn: boris}
    moves: [draw]
    expect: to_move == anna and phase == buying
  - test: a phase that is seldom met
    given: {phase: closing}
    expect:
      - ends: {win: [anna]}
"""
WRONG = {
    "{phase: seling}": "did you mean `selling`?",
    "{phase: buying, turn: bob}": "there is no player `bob`",
    "{stage: buying}": "`phase`",
    "{phase: unheard_of}": "is never reached",
}


def _tested(tmp_path: Path, tests: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    path = tmp_path / "market.yaml"
    path.write_text(GAME.replace("TESTS\n", tests), encoding="utf-8")
    done = main(["test", str(path)])
    said = capsys.readouterr()
    return done, said.out + said.err


def test_a_phase_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done, said = _tested(tmp_path, SOUND, capsys)
    assert done == 0, said


@pytest.mark.parametrize("given", WRONG)
def test_a_phase_that_there_is_not(given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done, said = _tested(tmp_path, f"  - test: wrong\n    given: {given}\n    expect: true\n", capsys)
    assert done == 1
    assert WRONG[given] in said, said
