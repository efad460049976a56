"""Prices: what can be paid, and how, against brute force; and the executors against each other."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from operator import le
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant
from test_generated import Pair

import ruledsl
from ruledsl.compiler import pipeline
from ruledsl.engine.payments import payment, payment_next, payments, price_met
from ruledsl.generate.native import Library, compiler
from ruledsl.simulation.generated import Generated

Bag = tuple[int, ...]

# Players get a price, tokens and a discount by chance, and pay if they can.
LOTS = """\
ruledsl: 1
game: lots
players: 1..2
types:
  good: [clay, wood, stone, gold]
  basic: {some: good, where: this <= stone}
  dear: {some: good, where: this >= stone}
pools:
  goods: {of: good, at: {player: goods, all: box}, paid: box}
values:
  price: {is: price of good, start: []}
  off: 0..3
  floor: 0..2
  paid: 0..99
  lacking: 0..99
play:
  - rounds: 40
    do:
      - for: {me: players}
        do:
          - pay: me.goods
          - set: {price: []}
          - for: {c: good}
            do:
              - random: {n: 0..3}
              - gain: amount(c, n)
              - random: {m: 0..2}
              - add:
                  price: amount(c, max(0, m - 1))
          - random: {a: 0..2}
          - random: {b: 0..3}
          - random: {d: 0..2}
          - random: {less: 0..3}
          - random: {least: 0..2}
          - add:
              price: amount(any, a) + amount(any basic, b) + amount(any dear, d)
          - set:
              off: less
              floor: least
              lacking: missing(price, less=less, least=least)
          - choose one:
              - label: pay
                when: payable(price, less=off, least=floor)
                do:
                  - pay: price
                    less: off
                    least: floor
                  - add: {paid: 1}
              - label: leave
                when: paid > 0 or lacking > 0
                do: []
scoring:
  rows: {paid: paid}
"""


def fits(price: Bag, bag: Bag, free: Bag) -> bool:
    """Whether every token of a bag pays a part of the price of its own: tried out, one after the other."""
    tokens = [sort for sort, n in enumerate(bag) for _ in range(n)]
    parts = [1 << sort for sort, n in enumerate(price[: len(bag)]) for _ in range(n)]
    parts += [sorts for sorts, n in zip(free, price[len(bag) :], strict=True) for _ in range(n)]

    @cache
    def rest(token: int, taken: int) -> bool:
        if token == len(tokens):
            return True
        return any(
            sorts >> tokens[token] & 1 and not taken >> i & 1 and rest(token + 1, taken | 1 << i)
            for i, sorts in enumerate(parts)
        )

    return rest(0, 0)


def goes_on(begun: Bag, whole: Bag) -> bool:
    """Whether one comes from one bag to another by adding sorts in their order."""
    last = max((sort for sort, n in enumerate(begun) if n), default=0)
    return begun[:last] == whole[:last] and all(map(le, begun, whole))


def a_position(rng: random.Random) -> tuple[Bag, Bag, Bag]:
    """A price, tokens and which sorts pay which free part."""
    sorts = rng.randint(2, 4)
    free = tuple(rng.randint(1, (1 << sorts) - 1) for _ in range(rng.randint(1, 3)))
    price = (*(rng.choice((0, 0, 1, 2)) for _ in range(sorts)), *(rng.choice((0, 1, 2)) for _ in free))
    return price, tuple(rng.randint(0, 3) for _ in range(sorts)), free


def test_what_can_be_paid_is_what_brute_force_finds() -> None:
    rng = random.Random(5)
    for _ in range(600):
        price, have, free = a_position(rng)
        paying = [bag for bag in product(*(range(n + 1) for n in have)) if fits(price, bag, free)]
        assert price_met(price, have, free) == max(map(sum, paying)), (price, have, free)
        for due in {sum(price), max(0, sum(price) - 1), rng.randint(0, sum(price))}:
            ways = [bag for bag in paying if sum(bag) == due]
            assert payments(price, have, due, free, 10_000) == len(ways), (price, have, free, due)
            found = [payment(price, have, due, free, number) for number in range(len(ways))]
            assert found == sorted(ways, reverse=True), "each once, more of the first sorts first"
            for way in rng.sample(ways, min(3, len(ways))):  # token by token one comes to each, and to no others
                paid = (0,) * len(have)
                while sum(paid) < due:
                    may = payment_next(price, paid, have, due, free)
                    later = [w for w in ways if goes_on(paid, w)]
                    assert may == tuple(
                        int(any(w[s] > paid[s] and w[:s] == paid[:s] for w in later)) for s in range(len(have))
                    )
                    sort = next(s for s, n in enumerate(way) if n > paid[s])
                    paid = (*paid[:sort], paid[sort] + 1, *paid[sort + 1 :])
            if not ways:
                wanted = payment(price, have, due, free, 0)
                assert any(n > held for n, held in zip(wanted, have, strict=True)), "so that paying it is a fault"


@pytest.fixture
def lots(tmp_path: Path) -> Path:
    path = tmp_path / "lots.yaml"
    path.write_text(LOTS, encoding="utf-8")
    return path


def test_executors_pay_alike(lots: Path) -> None:
    assert [d.message for d in pipeline.check(lots).findings] == []
    for players in (1, 2):
        variant = Variant(lots, players, {})
        pair = Pair(variant)
        for seed in range(12):
            pair.steps(seed, 400)
        if compiler() is not None:
            configured = variant.configured()
            both = Compiled(variant, Library(configured.machine.program, configured.rules, flags=QUICK))
            for seed in range(12):
                both.steps(seed, 400)
                both.run(3, seed, 400)
            both.close()


def test_a_payment_is_asked_for_only_where_there_is_a_choice(lots: Path) -> None:
    """One way: paid and told. Few: one question with all of them. Many: token by token, and none leads astray."""
    seen = {"forced": 0, "few": 0, "many": 0}
    for seed in range(30):
        play, rng = ruledsl.load(lots).start(players=1, seed=seed), random.Random(seed)
        while not play.over:
            texts = [option.text for option in play.options(0)]
            if texts[0] != "pay":
                play.choose(rng.randrange(len(texts)))
                continue
            before = len(play.log)
            play.choose(0)
            if any(" pays " in line for line in play.lines(since=before)):
                seen["forced"] += 1
            elif not play.over:
                ways = [option.text for option in play.options(0)]
                if ways[-1] == "leave":
                    continue  # nothing was due, so nothing is told
                assert len(ways) > 1
                assert len(set(ways)) == len(ways)
                seen["few" if all(any(sign.isdigit() for sign in way) for way in ways) else "many"] += 1
        assert play.fault is None
    assert seen["forced"] > 20, seen
    assert seen["few"] > 20, seen
    assert seen["many"] > 3, seen


CHESTS = """\
ruledsl: 1
game: chests
players: 2
types:
  good: [clay, wood, stone]
pools:
  goods: {of: good, total: 30, at: {player: [hand, chest], all: barn}}
values:
  paid: 0..99
  wrong: 0..99
  chest_before: {is: bag of good, start: []}
  barn_before: {is: bag of good, start: []}
play:
  - rounds: 30
    do:
      - for: {me: players}
        do:
          - pay: me.hand
            from: me.hand
          - pay: me.chest
            from: me.chest
          - for: {c: good}
            do:
              - random: {a: 0..1}
              - random: {b: 0..2}
              - random: {d: 0..1}
              - gain: amount(c, a)
                to: me.hand
              - gain: amount(c, b)
                to: me.chest
              - gain: amount(c, d)
                to: barn
          - if: payable(amount(any, 3) + amount(clay, 1), out_of=me.hand + me.chest + barn)
            then:
              - set: {chest_before: me.chest, barn_before: barn}
              - pay: {clay: 1, any: 3}
                from: [me.hand, me.chest, barn]
              - add: {paid: 1}
              - if: any(c in good where me.hand[c] > 0 and me.chest[c] < chest_before[c]
                  or me.hand[c] + me.chest[c] > 0 and barn[c] < barn_before[c])
                then:
                  - add: {wrong: 1}
scoring:
  rows: {paid: paid, wrong: -wrong}
"""


def test_of_several_holders_each_pays_what_those_before_lack(tmp_path: Path) -> None:
    path = tmp_path / "chests.yaml"
    path.write_text(CHESTS, encoding="utf-8")
    assert [d.message for d in pipeline.check(path).findings] == []
    pair = Pair(Variant(path, 2, {}))
    for seed in range(8):
        pair.steps(seed, 400)
    paid = 0
    for seed in range(6):
        play, rng = ruledsl.load(path).start(players=2, seed=seed), random.Random(seed)
        while not play.over:
            play.choose(rng.randrange(len(play.options(play.pending[0]))))
        assert play.fault is None
        assert play.view(0)["values"]["wrong"] == 0
        paid += play.view(0)["values"]["paid"]
    assert paid > 50


WRONG = {
    "gain: {basic: 2}": "`basic` stands for several sorts",
    "gain: {any_basic: 2}": "did you mean `any basic`?",
    "gain: {any basis: 2}": "did you mean `any basic`?",
    "gain: {joker: 1}": "there are `clay`",
    "{label: x, when: price <= me.goods, do: []}": "ask `payable(price)`",
    "{label: x, when: affordable(price), do: []}": "did you mean `payable`?",
    "{label: x, when: short(price) == 0, do: []}": "did you mean `missing`?",
    "{label: x, when: 'payable(price, discount=1)', do: []}": "least=0, after=exchanges)",
    "{pay: price, discount: 1}": "did you mean `less`?",
    "{pay: price, least: 1}": "add `less`",
    "{spend: price}": "did you mean `pay`?",
}


@pytest.mark.parametrize(("written", "answer"), WRONG.items(), ids=WRONG)
def test_what_one_might_write_first_is_answered(written: str, answer: str, tmp_path: Path) -> None:
    statement = f"choose one: [{written}]" if written.startswith("{label") else written
    path = tmp_path / "wrong.yaml"
    path.write_text(LOTS.replace("- pay: me.goods", f"- {statement}\n          - pay: me.goods"), encoding="utf-8")
    found = [f"{d.message}; {d.help}" for d in pipeline.check(path).findings if d.severity == "error"]
    assert any(answer in one for one in found), found


@pytest.mark.parametrize("amount", ["{any basic: 2, gold: 1}", "'[2 any basic, gold]'"])
def test_a_price_that_is_set_may_be_written_as_amounts(amount: str, tmp_path: Path) -> None:
    """The same as with `amount(…)`, in every view of a play."""
    seen = []
    for written in ("'amount(any basic, 2) + amount(gold, 1)'", amount):
        path = tmp_path / "lots.yaml"
        text = LOTS.replace(
            "- set:\n              off", f"- set: {{price: {written}}}\n          - set:\n              off", 1
        )
        assert text != LOTS
        path.write_text(text, encoding="utf-8")
        play, rng = ruledsl.load(path).start(players=2, seed=5), random.Random(5)
        while not play.over:
            play.choose(rng.randrange(len(play.options(play.pending[0]))))
        seen.append([play.view(0), play.view(0)["values"]["paid"]])
    assert seen[0] == seen[1]
    assert seen[0][1] > 0


# What a price is may be changed; it is asked for through formulas before the change itself is looked at.
DEARER = """\
ruledsl: 1
game: small
players: 2
types:
  good: [wood, stone]
pools:
  goods: {of: good, total: 20, at: {player: goods}, start: {goods: {wood: 3, stone: 3}}}
values:
  n: {is: 0..3, start: 1}
define:
  wanted(0..3 k):
    if k == 0 then amount(wood, 1) else if k == 1 then amount(stone, n) else each(good) + amount(any good, n)
  whole(0..3 k): sum(wanted(i) for i in 0..k)
  covered(price of good cost, 0..3 less): payable(cost, by=me, less=less, least=1)
  fits(0..3 k): covered(whole(k), 1)
triggers:
  dearer:
    modify: wanted
    is: if k == 3 then each(good) + amount(any good, 2) else value
play:
  - turns: players
    do:
      - choose: {k: 0..3}
        where: fits(k)
        else: {lose: me}
      - pay: whole(k)
        less: 1
        least: 1
"""


def test_a_changed_price_is_translated(tmp_path: Path) -> None:
    """It ended translation: of the price as it was before the change nobody knew yet that it is one."""
    path = tmp_path / "dearer.yaml"
    path.write_text(DEARER, encoding="utf-8")
    Generated(ruledsl.load(path).configured())
