"""`possible` where pieces move and prices are paid, against brute force; and the executors against each other."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from agreement import QUICK, Compiled, Variant
from test_generated import Pair

import ruledsl
from ruledsl.cli.main import main
from ruledsl.compiler import pipeline
from ruledsl.generate.native import Library, compiler

# Pegs jump over each other, in rows and columns, as often as one likes. How few may be left?
PEGS = """\
ruledsl: 1
game: pegs
players: 2
board: {grid: {width: 3, height: 4, neighbors: orthogonal}, space: hole}
pieces:
  peg: {count: 12, start: this.y <= 4}
values:
  wanted: {is: 1..4}
  few: bool
define:
  over(peg p, direction d): step(p.hole, d)
  behind(peg p, direction d): step(p.hole, d, 2)
  jumps(peg p, direction d): over(p, d) and behind(p, d) and any(pieces(the(over(p, d)))) and empty(the(behind(p, d)))
effects:
  hop:
    - choose one:
        - choose:
            p: set(p in peg where p.hole)
            d: set(d in orthogonal where jumps(p, d))
          label: "{p.hole} jumps {d}"
          do:
            - let: {to: "the(behind(p, d))"}
            - remove: the(first(pieces(the(over(p, d)))))
            - move: p
              to: to
      any_number: true
play:
  - rounds: 12
    do:
      - reset: peg
      - for: {s: hole}
        do:
          - random: {n: 0..2}
          - if: n > 0
            then: {remove: s.peg}
      - random: {w: 1..4}
      - for: {me: players}
        do:
          - set: {wanted: w}
          - set:
              few: possible(hop(), count(s in hole where s.peg) <= wanted)
          - choose one: [{label: on, do: []}, {label: hop, when: few, do: hop()}]
"""

# Somebody swaps up to twice, then pays a price from their hand and their chest, perhaps after an exchange.
STALLS = """\
ruledsl: 1
game: stalls
players: 1..2
types:
  good: [clay, wood, gold]
  basic: {some: good, where: this <= wood}
pools:
  goods: {of: good, at: {player: [hand, chest], all: box}, paid: box}
values:
  price: {is: price of good, start: []}
  wish: bag of good
  paid: bool
  off: 0..2
  from_two: {is: bool, show: always}
  cheaper: {is: bool, show: always}
  helped: {is: bool, show: always}
  exchanged: {is: bool, show: always}
actions:
  turn_<a>:
    each: [{a: clay, b: wood}, {a: wood, b: gold}]
    menu: turning
    cost: {<a>: 1}
    do: {gain: {<b>: 1}}
  melt: {give: {any basic: 2}, get: {gold: 1}, limit: 1 per turn}
effects:
  buy:
    - set: {paid: false}
    - choose one: turning
      any_number: true
      at_most: 2
    - if: payable(price, out_of=me.hand + me.chest)
      then:
        - pay: price
          from: [me.hand, me.chest]
        - set: {paid: true}
  buy_cheaper:
    - set: {paid: false}
    - if: payable(price, less=off, least=1)
      then:
        - pay: price
          less: off
          least: 1
        - set: {paid: true}
  buy_together:
    - set: {paid: false, off: 0}
    - for: {me: players}
      do:
        - choose: {n: 0..1}
          label: "{n} less"
        - add: {off: n}
    - if: payable(price, less=off)
      then:
        - pay: price
          less: off
        - set: {paid: true}
  buy_after:
    - set: {paid: false}
    - if: payable(price, after=exchanges)
      then:
        - pay: price
          after: exchanges
        - set: {paid: true}
play:
  - rounds: 30
    do:
      - turns: players
        until: turn_number > count(players)
        do:
          - pay: me.hand
            from: me.hand
          - pay: me.chest
            from: me.chest
          - for: {c: good}
            do:
              - random: {a: 0..2}
              - random: {b: 0..1}
              - gain: amount(c, a)
                to: me.hand
              - gain: amount(c, b)
                to: me.chest
          - set: {wish: [], price: []}
          - random: {n: 0..2}
          - random: {m: 0..1}
          - random: {k: 0..1}
          - random: {w: 0..1}
          - random: {o: 0..2}
          - random: {wished: good}
          - set:
              price: amount(any, n) + amount(any basic, m) + amount(gold, k)
              wish: amount(wished, w + 1)
              off: o
          - set:
              from_two: possible(buy(), paid and me.hand >= wish)
          - set:
              cheaper: possible(buy_cheaper(), paid and me.hand >= wish)
          - set:
              helped: possible(buy_together(), paid and me.hand >= wish)
          - set:
              exchanged: possible(buy_after(), paid and me.hand >= wish)
          - choose one:
              - label: on
                do: []
              - label: buy
                when: from_two and possible(buy(), paid and total(me.hand) > 2)
                do: buy()
              - label: buy after
                when: exchanged
                do: buy_after()
          - end: turn
"""
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
Bag = tuple[int, int, int]  # clay, wood, gold


def left_over(pegs: frozenset[tuple[int, int]]) -> int:
    """How few pegs may be left, by going through all positions."""
    seen, waiting = {pegs}, [pegs]
    for now in waiting:
        for (x, y), (dx, dy) in product(now, SIDES):
            over, to = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if over in now and to not in now and 1 <= to[0] <= 3 and 1 <= to[1] <= 4:
                then = now - {(x, y), over} | {to}
                if then not in seen:
                    seen.add(then)
                    waiting.append(then)
    return min(map(len, seen))


def ways_to_pay(price: dict[str, int], have: Bag, less: int = 0, least: int = 0) -> Iterator[Bag]:
    """All that may be paid, by trying out every bag: gold pays gold and `any`, the others `any basic` and `any`."""
    due = max(sum(price.values()) - less, min(least, sum(price.values())))
    for bag in product(range(have[0] + 1), range(have[1] + 1), range(have[2] + 1)):
        own = min(bag[2], price["gold"])  # what is left of gold pays `any`, and so do the others beyond `any basic`
        others = max(0, bag[0] + bag[1] - price["basic"])
        fit = bag[2] - own + others <= price["any"]
        if sum(bag) == due and fit:
            yield bag


def turned(hand: Bag) -> set[Bag]:
    """What up to two turns make of a hand."""
    found = {hand}
    for _ in range(2):
        found |= {(c - 1, w + 1, g) for c, w, g in found if c} | {(c, w - 1, g + 1) for c, w, g in found if w}
    return found


def melted(hand: Bag, box: Bag, price: dict[str, int]) -> set[Bag]:
    """The hands with which it is paid: the one there is, or after the one exchange that there may be."""
    if any(ways_to_pay(price, hand)) or sum(price.values()) == 0:
        return {hand}
    c, w, g = hand
    after = {(c - a, w - b, g + 1) for a, b in ((2, 0), (1, 1), (0, 2)) if c >= a and w >= b}
    return {one for one in after if any(ways_to_pay(price, one))}


def bag(of: dict[str, int]) -> Bag:
    return of.get("clay", 0), of.get("wood", 0), of.get("gold", 0)


def added(one: Bag, other: Bag) -> Bag:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def spent(hand: Bag, paid: Bag) -> Bag:
    """What is left of a hand that pays first; the chest pays the rest."""
    return max(0, hand[0] - paid[0]), max(0, hand[1] - paid[1]), max(0, hand[2] - paid[2])


def enough(hand: Bag, wish: Bag) -> bool:
    return all(have >= n for have, n in zip(hand, wish, strict=True))


@pytest.fixture
def games(tmp_path: Path) -> dict[str, Path]:
    paths = {name: tmp_path / f"{name}.yaml" for name in ("pegs", "stalls")}
    for name, text in (("pegs", PEGS), ("stalls", STALLS)):
        paths[name].write_text(text, encoding="utf-8")
    return paths


def test_pegs_jump_as_far_as_brute_force_finds(games: dict[str, Path]) -> None:
    found = {True: 0, False: 0}
    for seed in range(4):
        play, rng = ruledsl.load(games["pegs"]).start(players=2, seed=seed), random.Random(seed)
        while not play.over:
            texts = [option.text for option in play.options(play.pending[0])]
            if "on" in texts:
                view = play.view(0)
                pegs = frozenset(("abc".index(at[0]) + 1, int(at[1])) for at in view["boards"]["board"])
                few = left_over(pegs) <= view["values"]["wanted"]
                assert view["values"]["few"] == few, (seed, sorted(pegs))
                found[few] += 1
            play.choose(rng.randrange(len(texts)))
        assert play.fault is None
    assert min(found.values()) > 5, found


def test_prices_are_paid_as_brute_force_finds(games: dict[str, Path]) -> None:
    found = {(name, answer): 0 for name in ("from_two", "cheaper", "helped", "exchanged") for answer in (True, False)}
    for seed, players in product(range(5), (1, 2)):
        play, rng = ruledsl.load(games["stalls"]).start(players=players, seed=seed), random.Random(seed)
        while not play.over:
            seat = play.pending[0]
            texts = [option.text for option in play.options(seat)]
            if "on" in texts:
                view = play.view(None)
                for name, answer in worked_out(view, players).items():
                    assert view["values"][name] == answer, (seed, players, name, view)
                    found[name, answer] += 1
            play.choose(rng.randrange(len(texts)), seat)
        assert play.fault is None
    assert min(found.values()) > 30, found


def worked_out(view: dict[str, Any], players: int) -> dict[str, bool]:
    """What `possible` must answer."""
    pools, values = view["pools"], view["values"]
    hand, chest = (bag(pools[name][view["turn_player"]]) for name in ("hand", "chest"))
    box, wish = bag(pools["box"]), bag(values["wish"])
    price = {"any": 0, "any basic": 0, "gold": 0, **values["price"]}
    price = {"any": price["any"], "basic": price["any basic"], "gold": price["gold"]}
    return {
        "from_two": any(
            enough(spent(turned_hand, paid), wish)
            for turned_hand in turned(hand)
            for paid in ways_to_pay(price, added(turned_hand, chest))
        ),
        "cheaper": any(enough(spent(hand, paid), wish) for paid in ways_to_pay(price, hand, values["off"], 1)),
        "helped": any(
            enough(spent(hand, paid), wish) for n in range(players + 1) for paid in ways_to_pay(price, hand, n)
        ),
        "exchanged": any(
            enough(spent(after, paid), wish) for after in melted(hand, box, price) for paid in ways_to_pay(price, after)
        ),
    }


@pytest.mark.parametrize("name", ["pegs", "stalls"])
def test_executors_look_ahead_alike(name: str, games: dict[str, Path]) -> None:
    assert [d.message for d in pipeline.check(games[name]).findings] == []
    variant = Variant(games[name], 2, {})
    pair = Pair(variant)
    for seed in range(2):
        pair.steps(seed, 150)
    if compiler() is not None:
        configured = variant.configured()
        both = Compiled(variant, Library(configured.machine.program, configured.rules, flags=QUICK))
        for seed in range(3):
            both.steps(seed, 150)
            both.run(3, seed, 150)
        both.close()


def test_what_is_only_tried_out_is_counted_nowhere(games: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """The interpreter counted statements that ran while `possible` went through the ways: they had not happened."""
    told = []
    for backend in ("interpreter", "python"):
        words = ["simulate", str(games["stalls"]), "-n", "2", "--backend", backend, "--format", "json"]
        assert main(words) == 0
        found = json.loads(capsys.readouterr().out)
        told.append({key: value for key, value in found.items() if key not in ("seconds", "command")})
    assert all(one == told[0] for one in told)
