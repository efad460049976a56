"""Tokens that players hold in secret: who sees how many, what texts and options tell, guesses, tests, executors."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant
from secrecy import search

import ruledsl
from ruledsl.bots.guess import Guess
from ruledsl.cli.main import main
from ruledsl.compiler import pipeline
from ruledsl.generate.native import Library, compiler

MARKET = """\
ruledsl: 1
game: market
players: [anna, boris, clara]
types:
  gem: [ruby, opal]
pools:
  coin: {at: {player: purse, all: pot}, start: {purse: 6}, seen: owner}
  gems: {of: gem, at: {player: vault}, start: {vault: {ruby: 1, opal: 1}}, seen: owner}
  cup: {at: {player: cups}}
values:
  bid: {per: player, is: 0..20, seen: owner}
define:
  richest: most(p in players by p.bid)
play:
  - rounds: 4
    do:
      - together: players
        do:
          - choose:
              n: 0..min(me.purse, 20)
            label: bid {n}
          - set: {me.bid: n}
      - for: {me: list(richest)}
        do:
          - if: me.bid > 0
            then:
              - pay: {coin: me.bid}
                to: pot
              - gain: {cup: 1}
      - say: "{count(richest)} won, and {anna} has {anna.purse}"
      - reset: [bid]
      - for: {me: players}
        do:
          - choose one:
              - label: sell a ruby
                cost: {ruby: 1}
                do: {gain: {coin: 2}}
              - choose:
                  g: gem where me.vault[g] > 0
                  p: players except me
                label: give {p} one {g}
                do:
                  - pay: [g]
                    to: p.vault
              - label: rest
scoring:
  rows:
    cups: 3 * me.cups
    coins: me.purse
tests:
  - test: what others hold is hidden, what is nobody's is seen
    expect:
      - sees: {anna: {anna.purse: open, boris.purse: hidden, boris.vault: hidden, boris.cups: open, pot: open}}
      - sees: {bystander: {anna.purse: hidden, anna.vault: hidden}}
"""


def _game(tmp_path: Path, text: str = MARKET) -> Path:
    path = tmp_path / "market.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_who_sees_how_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _game(tmp_path)
    assert not pipeline.check(path).findings
    assert main(["test", str(path)]) == 0, capsys.readouterr().out
    view = ruledsl.load(path).start(seed=1).view(1)["pools"]
    assert view["purse"] == {"boris": 6}
    assert view["vault"] == {"boris": {"ruby": 1, "opal": 1}}
    assert view["cups"] == {"anna": 0, "boris": 0, "clara": 0}
    assert main(["describe", str(path)]) == 0
    assert "only the owner sees it" in capsys.readouterr().out


def test_nothing_is_told_of_them(tmp_path: Path) -> None:
    leak, tried = search(_game(tmp_path), plays=10)
    assert leak is None, leak
    assert tried["swaps"] > 100


def test_a_guess_has_other_tokens_that_ask_the_same(tmp_path: Path) -> None:
    play, rng, purses = ruledsl.load(_game(tmp_path)).start(seed=5), random.Random(2), set[int]()
    base = next(iter(play.world.pools[0].secrets)).base
    for _ in range(40):
        seat = play.pending[0]
        guess = Guess(play, seat, rng)
        assert guess.state[base + seat] == play.state[base + seat]
        purses.add(guess.state[base + (seat + 1) % 3] - play.state[base + (seat + 1) % 3])
        play.choose(rng.randrange(len(play.options(seat))), seat)
        if play.over:
            break
    assert purses != {0}


@pytest.mark.parametrize("bot", ["search:20", "greedy", "careful"])
def test_bots_play_it(bot: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["simulate", str(_game(tmp_path)), "-n", "2", "--seed", "1", "--bots", f"{bot},random,random"]
    assert main(args) == 0, capsys.readouterr().err


def test_executors_agree(tmp_path: Path) -> None:
    if compiler() is None:
        pytest.skip("there is no C compiler")
    variant = Variant(_game(tmp_path), 3, {})
    configured = variant.configured()
    pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
    for seed in range(8):
        pair.steps(seed)
        pair.run(9, seed)
    pair.close()


def test_a_range_from_0_is_never_empty(tmp_path: Path) -> None:
    path = _game(tmp_path, MARKET.replace("n: 0..min(me.purse, 20)", "n: 1..min(me.purse, 20)"))
    assert [one.code for one in pipeline.check(path).findings] == ["L506"]
    path = _game(tmp_path, MARKET.replace("label: bid {n}", "label: bid {n}\n            else: []"))
    assert [one.code for one in pipeline.check(path).findings] == ["L530"]


WRONG = {
    "at: {all: pot}, seen: owner": "nobody holds these tokens",
    "at: {player: purse}, seen: top": "`top` is about piles",
    "at: {player: purse}, seen: ownr": "did you mean `owner`?",
    "at: {player: purse}, hidden: true": "`seen`",
}


@pytest.mark.parametrize("written", WRONG)
def test_slips_are_answered(written: str, tmp_path: Path) -> None:
    text = MARKET.replace("at: {player: purse, all: pot}, start: {purse: 6}, seen: owner", written)
    found = [f"{one.message}; {one.help}" for one in pipeline.check(_game(tmp_path, text)).findings]
    assert any(WRONG[written] in one for one in found), found
