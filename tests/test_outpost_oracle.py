"""Outpost beside its oracle: in random plays both say at every decision what may be chosen, and what it counts."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from outpost_oracle import SORTS, Asked, Table, bag, covers, plus, reachable
from test_language_a import ask as ask_once

import ruledsl
from ruledsl.runtime.play import Play

FOLDER = Path(__file__).parent.parent / "games" / "outpost"


@cache
def game() -> ruledsl.Game:
    return ruledsl.load(FOLDER)


def ask(play: Play, text: str, me: int | None = None) -> Any:
    """As often as one likes: the variables of the question before are not needed any more."""
    used = play.world.next_scratch
    try:
        return ask_once(play, text, me)
    finally:
        play.world.next_scratch = used


def names(play: Play, text: str) -> list[str]:
    """The pieces of a place, the last to come first."""
    words = play.world.roots["piece"].names
    return [words[piece] for piece in ask(play, text)]


def begun(play: Play) -> Table:
    """The oracle at the same table: it is told what chance brought, and nothing else."""
    piles = {f"stack{n}": names(play, f"list(stack[{n}])") for n in (1, 2, 3)}
    piles |= {"heroes": names(play, "list(heroes)"), "buildings": names(play, "list(buildings)")}
    piles |= {"row": names(play, "list(h in hero_row by h.slot)"), "market": names(play, "list(b in market by b.slot)")}
    piles |= {"artifacts": [Table.ability(name) for name in names(play, "list(artifact_row)")]}
    piles |= {"left": names(play, "list(artifact_pile)")}
    return Table(len(play.players), ask(play, "leader"), piles, FOLDER)


def offered(play: Play, seat: int) -> dict[str, int]:
    """What is offered as people read it; a building of a pile and an equal one that lies alone are two."""
    found: dict[str, int] = {}
    for option in play.options(seat):
        text = option.text or option.notation
        tile = option.notation.partition("build b=")[2]
        found[f"{text} #{ask(play, tile + '.slot')}" if tile else text] = option.index
    return found


def check(table: Table, play: Play) -> None:
    """What players have, and what lies about."""
    for who, player in enumerate(table.players):
        assert ask(play, "me.goods", who) == player.goods
        assert ask(play, "me.people", who) == tuple(player.people)
        assert ask(play, "count(t in me.lands where t.monster)", who) == sum(p.beast for p in player.lands.values())
        assert ask(play, "score[me]", who) == player.score()
    assert ask(play, "supply.goods") == table.supply
    assert ask(play, "supply.people")[1] == table.extra
    words = play.world.roots["piece"].names
    for slot in range(1, 10):
        tiles = [words[i] for i in ask(play, f"list(b in market where b.slot == {slot})")]
        assert sorted(map(Table.kind, tiles)) == sorted(map(Table.kind, table.market.get(slot, [])))
    assert [words[i] for i in ask(play, "list(h in hero_row by h.slot)")] == [card for card in table.row if card]


def answer(asked: Asked, found: dict[str, int], dice: random.Random, eager: bool) -> str:
    if asked.some:
        assert found
        assert set(found) <= asked.options, (sorted(found), sorted(asked.options))
    else:
        assert set(found) == asked.options, (sorted(found), sorted(asked.options))
    options = sorted(found)
    rest = [
        text
        for text in options
        if text not in ("pass for this round", "exchange no more", "exchange no more and discard the rest")
    ]
    dear = [text for text in options if text.startswith(("invite", "use the", "activate"))]
    if eager and rest and dice.random() < 0.9:  # so that plays get somewhere
        return dice.choice(dear if dear and dice.random() < 0.7 else rest)
    return dice.choice(options)


def played(players: int, seed: int, eager: bool) -> int:
    """A play on both; how many decisions it took."""
    play, dice = game().start(players=players, seed=seed), random.Random(seed)
    table = begun(play)
    course = table.course()
    asked: Asked | None = next(course)
    decisions = 0
    while not play.over:
        assert asked is not None
        assert play.pending == (asked.who,)
        found = offered(play, asked.who)
        text = answer(asked, found, dice, eager)
        play.choose(found[text], asked.who)
        decisions += 1
        try:
            asked = course.send(text)
        except StopIteration:
            asked = None
        if text in ("end the turn", "pass for this round"):
            check(table, play)
    assert asked is None
    assert play.fault is None
    check(table, play)
    if players > 1:
        assert set(play.winners) == set(table.winners())
    return decisions


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("eager", [False, True], ids=["at random", "eager"])
def test_both_play_the_same(players: int, eager: bool) -> None:
    for seed in range(2):
        assert played(players, 100 * players + seed, eager) > 20


def test_what_exchanges_lead_to() -> None:
    """Some holdings by hand: no gold from a diamond, a circle of one for one, a supply that has run out."""
    plenty: Any = (16, 16, 16, 42, 32)
    assert reachable(bag(diamond=1), plenty, False) == {bag(diamond=1)}
    assert reachable(bag(diamond=2), plenty, False) == {
        bag(diamond=2),
        bag(gold=1),
        *(bag(**{s: 1}) for s in SORTS[:3]),
    }
    assert reachable(bag(clay=1), plenty, True) == {bag(**{sort: 1}) for sort in SORTS[:3]}
    assert reachable(bag(clay=1, wood=1, stone=1), plus(bag(clay=1, wood=1, stone=1), bag(gold=1)), False) == {
        bag(clay=1, wood=1, stone=1),
        *(held for held in reachable(bag(clay=1, wood=1, stone=1), plenty, False) if covers((1, 1, 1, 0, 1), held)),
    }


@pytest.mark.parametrize("swaps", [False, True], ids=["the usual rates", "with the Scales"])
def test_what_can_be_paid_after_exchanges(swaps: bool) -> None:
    """All heroes, for holdings and supplies by chance: what the game says and what the oracle does."""
    plays = (game().start(players=1, seed=seed) for seed in range(99))
    play, taken = next(
        (play, option.index)
        for play in plays
        for option in play.options(0)
        if (option.text == "take the Scales") == swaps
    )
    heroes = begun(play).heroes
    play.choose(taken, 0)
    pool = next(pool for pool in play.world.pools if pool.name == "goods")
    base, dice, words = pool.holders["goods"][1], random.Random(6), play.world.roots["piece"].names
    for _ in range(8):
        goods, supply = ([dice.choice((0, 1, 2, 3)) for _ in SORTS] for _ in range(2))
        play.state[base : base + 5], play.state[pool.supply : pool.supply + 5] = goods, supply
        mask = ask(play, "set(h in hero where payable(h.cost, after=exchanges))", 0)
        found = {name for i, name in enumerate(words) if mask >> i & 1}
        have: Any = tuple(goods)
        known = reachable(have, plus(have, tuple(supply)), swaps)  # type: ignore[arg-type]
        assert found == {name for name, hero in heroes.items() if any(covers(held, hero.cost) for held in known)}
