"""Exchanges: what they make payable, against brute force; the executors against each other; what is offered."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant
from test_generated import Pair
from test_prices import a_position

import ruledsl
from ruledsl.compiler import pipeline
from ruledsl.engine.exchanges import IMPOSSIBLE, WITHOUT_END, exchanges_needed, moves_of
from ruledsl.engine.payments import price_met
from ruledsl.generate.native import Library, compiler

Bag = tuple[int, ...]

CARAVAN = """\
ruledsl: 1
game: caravan
players: 1..3
types:
  good: [clay, wood, stone, diamond, gold]
  basic: {some: good, where: this <= stone}
pieces:
  house:
    attributes: {cost: price of good, points: 1..9}
    rows:
      - {name: hut, copies: 3, cost: {clay: 1, any basic: 1}, points: 1}
      - {name: hall, copies: 3, cost: {stone: 1, any basic: 2, any: 1}, points: 3}
      - {name: vault, copies: 3, cost: {gold: 1, diamond: 1}, points: 4}
      - {name: tower, copies: 2, cost: {any basic: 4, gold: 1}, points: 8}
places:
  market: {holds: house, start: house}
  built: {per: player, holds: house}
pools:
  goods:
    of: good
    total: {clay: 5, wood: 5, stone: 4, diamond: 3, gold: 3}
    at: {player: goods}
    start: {goods: {clay: 1, wood: 1, stone: 1}}
values:
  swapper: maybe player
actions:
  two_for_one: {give: {any basic: 2}, get: {any basic: 1}}
  set_for_diamond: {give: {clay: 1, wood: 1, stone: 1}, get: {diamond: 1}}
  diamonds: {give: {diamond: 2}, get: {gold: 1}, anytime: turn}
  gold_for_one: {give: {gold: 1}, get: {any basic: 1}}
  swap: {give: {any basic: 1}, get: {any basic: 1}, when: swapper == me, limit: 2 per turn, label: "{give} to {get}"}
  build:
    menu: deed
    choose: {h: market}
    cost: {is: h.cost, after: exchanges}
    label: build {h}
    do:
      - move: h
        to: me.built
  gather:
    menu: deed
    label: gather
    do: {gain: {any: 2}}
  lend:
    menu: deed
    choose: {p: players where p != swapper}
    label: the swapper is {p}
    do: {set: {swapper: p}}
play:
  - turns: players
    until: turn_number > 60 or no(market)
    do:
      - choose one: deed
scoring:
  rows: {houses: sum(h.points for h in me.built)}
"""


def by_hand(price: Bag, have: Bag, most: Bag, due: int, free: Bag, flat: Bag, uses: Bag) -> int:
    """The fewest exchanges, by going through all that can be done, one more exchange at a time."""
    reached = {(have, uses)}
    for number in range(40):
        if any(price_met(price, held, free) >= due for held, _ in reached):
            return number
        further = set(reached)
        for held, left in reached:
            for one, give, get in moves_of(flat, len(have)):
                then = tuple(h - a + z for h, a, z in zip(held, give, get, strict=True))
                spent = tuple(n - (i == one) for i, n in enumerate(left))
                enough = all(h >= a for h, a in zip(held, give, strict=True)) and left[one] > 0
                if enough and all(t <= cap for t, cap in zip(then, most, strict=True)):
                    further.add((then, spent))
        if {held for held, _ in further} == {held for held, _ in reached} and number > sum(min(n, 9) for n in uses):
            return IMPOSSIBLE
        reached = further
    return IMPOSSIBLE


def test_exchanges_lead_where_going_through_all_leads() -> None:
    rng, found = random.Random(11), {-1: 0, 0: 0, 1: 0}
    for _ in range(500):
        price, have, free = a_position(rng)
        sorts = len(have)
        have = tuple(rng.choice((0, 1, 2, 4)) for _ in have)
        price = tuple(min(n, 1) for n in price)
        most = tuple(n + rng.randint(0, 2) for n in have)
        rows = []
        for one in range(rng.randint(1, 2)):
            for _ in range(rng.randint(1, 3)):
                give = [0] * sorts
                get = [0] * sorts
                for _ in range(rng.randint(1, 2)):
                    give[rng.randrange(sorts)] += 1
                get[rng.randrange(sorts)] += 1
                rows.append((one, *give, *get))
        uses = tuple(rng.choice((0, 1, 2, 3)) for _ in range(2))
        flat = tuple(n for row in rows for n in row)
        answer = exchanges_needed(price, have, most, sum(price), free, flat, uses)
        assert answer == by_hand(price, have, most, sum(price), free, flat, uses), (price, have, most, free, rows, uses)
        found[min(answer, 1)] += 1
    assert min(found.values()) > 15, found


def test_a_circle_of_exchanges_ends() -> None:
    flat = (0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0)  # one of the first for one of the second, and back
    assert exchanges_needed((0, 0, 1, 0), (3, 0, 0), (9, 9, 9), 1, (7,), flat, (WITHOUT_END,)) == IMPOSSIBLE


@pytest.fixture
def caravan(tmp_path: Path) -> Path:
    path = tmp_path / "caravan.yaml"
    path.write_text(CARAVAN, encoding="utf-8")
    return path


def test_executors_exchange_alike(caravan: Path) -> None:
    assert [d.message for d in pipeline.check(caravan).findings] == []
    for players in (1, 3):
        variant = Variant(caravan, players, {})
        pair = Pair(variant)
        for seed in range(5):
            pair.steps(seed, 400)
        if compiler() is not None:
            configured = variant.configured()
            both = Compiled(variant, Library(configured.machine.program, configured.rules, flags=QUICK))
            for seed in range(5):
                both.steps(seed, 400)
                both.run(3, seed, 400)
            both.close()


def test_what_is_offered_can_be_carried_out_to_the_end(caravan: Path) -> None:
    """Whatever is exchanged for a payment, it is made; and tokens are neither made nor lost."""
    built = 0
    for seed in range(25):
        play, rng = ruledsl.load(caravan).start(players=2, seed=seed), random.Random(seed)
        while not play.over:
            texts = [option.text for option in play.options(play.pending[0])]
            building = [i for i, text in enumerate(texts) if text.startswith("build")]
            play.choose(rng.choice(building) if building else rng.randrange(len(texts)))
            built += bool(building)
        assert play.fault is None
        fields = [field for field in play.machine.program.layout.fields if field.kind == "pool"]
        slots = [slot for f in fields for slot in range(f.base, f.base + f.count * f.width)]
        assert sum(play.state[slot] for slot in slots) == 20
    assert built > 100


WRONG = {
    "diamonds: {give: {diamond: 2}, anytime: turn}": "an exchange needs `get:`, too",
    "diamonds: {give: {diamond: 2}, take: {gold: 1}}": "did you mean `get`?",
    "diamonds: {exchange: {give: {diamond: 2}, get: {gold: 1}}}": "an exchange is an action with `give: {…}` and",
    "diamonds: {give: {diamond: 2}, get: {gold: 1}, cost: {clay: 1}}": "an exchange has no `cost:`",
    "diamonds: {give: {diamond: 2}, get: {gold: round}}": "what is exchanged must be fixed before play begins",
    "diamonds: {give: {diamond: 2}, get: {diamond: 1}}": "this gives only what it takes",
    "diamonds: {give: {diamond: 2}, get: {gold: 1}, when: me.goods.clay > 0}": "depends on `goods`",
}
WRONG_AFTER = {
    "{is: h.cost, after: exchange}": "did you mean `exchanges`?",
    "{is: h.cost, after: diamond}": "did you mean `diamonds`?",
    "{is: h.cost, exchanges: diamonds}": "write `after: exchanges`",
    "{is: h.cost, after: build}": "`exchanges` are all of them",
}


@pytest.mark.parametrize(("written", "answer"), [*WRONG.items(), *WRONG_AFTER.items()], ids=[*WRONG, *WRONG_AFTER])
def test_what_one_might_write_first_is_answered(written: str, answer: str, tmp_path: Path) -> None:
    text, path = CARAVAN, tmp_path / "wrong.yaml"
    if written in WRONG:
        text = text.replace("diamonds: {give: {diamond: 2}, get: {gold: 1}, anytime: turn}", written)
    else:
        text = text.replace("{is: h.cost, after: exchanges}", written)
    assert text != CARAVAN
    path.write_text(text, encoding="utf-8")
    found = [f"{d.message}; {d.help}" for d in pipeline.check(path).findings if d.severity == "error"]
    assert any(answer in one for one in found), found
