"""What is offered where several things are chosen is exactly what can be completed, whatever the conditions are.

Random conditions on bags, sets, lists and several of them at once are put into small games that deal anew before every
choice. What may be taken next is compared with a list of all complete choices, which is made without the search that
is tested; then the executors are compared with each other.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from agreement import QUICK, Compiled, Variant
from test_generated import Pair

import ruledsl
from ruledsl.engine import extending
from ruledsl.engine.machine import Machine
from ruledsl.engine.options import DONE, Options, staged
from ruledsl.generate.native import Library, Session
from ruledsl.generate.python_machine import GeneratedMachine
from ruledsl.ir import core as C

State = list[int]

TOKENS = """\
ruledsl: 1
game: tokens
players: 1
types:
  color: [red, green, blue, gray]
values:
  have: bag of color
  price: bag of color
  a: 0..20
  n: 0..20
define:
  worth(color c): if c == red then 3 else if c == green then 1 else if c == blue then 2 else 0
  pays(bag of color b, -9..20 k): sum(b[c] * worth(c) for c in color) >= k and b[gray] <= 2
  bright(bag of color b): b[red] + 2 * b[green]
play:
  - repeat: 6
    do:
      - random: {w: 0..3, x: 0..3, y: 0..2, z: 0..3}
      - set: {have: "amount(red, w) + amount(green, x) + amount(blue, y) + amount(gray, z)"}
      - random: {e: 0..1, f: 0..2, g: 0..1, h: 0..1}
      - set: {price: "amount(red, e) + amount(green, f) + amount(blue, g) + amount(gray, h)"}
      - random: {p: 0..9, q: 1..6}
      - set: {a: p, n: q}
      - choose:
          CHOOSE
        MORE
        where: WHERE
        label: LABEL
        else: []
"""

CARDS = """\
ruledsl: 1
game: cards
players: 1
types:
  suit: [red, green, blue]
pieces:
  card:
    attributes: {rank: 1..9, suit: suit}
    state: {worn: 0..2}
    rows:
      - {name: r1, rank: 1, suit: red, copies: 3}
      - {name: r4, rank: 4, suit: red}
      - {name: g2, rank: 2, suit: green, copies: 2}
      - {name: g4, rank: 4, suit: green}
      - {name: b7, rank: 7, suit: blue}
      - {name: b1, rank: 1, suit: blue}
places:
  hand: {per: player, holds: card}
  deck: {holds: card, order: pile}
values:
  a: 0..20
  n: 0..20
  best: suit
  marked: maybe card
define:
  value(card c): if c.suit == best then 2 * c.rank else c.rank + c.worn
  strength(set of card s): sum(value(c) for c in s)
  fits(set of card s): all(all(c.suit == d.suit or c.rank == d.rank for d in s) for c in s)
setup:
  - move: reserve(card)
    to: deck
play:
  - repeat: 6
    do:
      - move: me.hand
        to: deck
      - shuffle: deck
      - random: {h: 2..6, p: 0..12, q: 1..4, u: suit}
      - set: {a: p, n: q, best: u}
      - deal: h
        from: deck
        to: hand
      - for: {c: me.hand}
        do:
          - random: {w: 0..2}
          - set: {c.worn: w}
      - random: {m: me.hand}
      - set: {marked: m}
      - choose:
          CHOOSE
        MORE
        where: WHERE
        label: LABEL
        else: []
"""

OF_TOKENS = [
    "total(S) OP K",
    "S[red] OP K",
    "S[red] - S[blue] OP L",
    "sum(S[c] * worth(c) for c in color) OP K",
    "sum(S[c] for c in color where c != gray) OP K",
    "bright(S) OP K",
    "all(S[c] >= price[c] for c in color)",
    "all(S[c] <= price[c] + 1 for c in color)",
    "any(S[c] == 2 for c in color where c != blue)",
    "all(S[c] != 1 for c in color)",
    "any(S[c] >= 1 and price[c] == 0 for c in color)",
    "all(S[c] == 0 for c in color where S[c] < price[c])",
    "count(c in color where S[c] > 0) OP L",
    "price <= S",
    "S <= price + each(color)",
    "S == price",
    "pays(S, K)",
    "(if a > 4 then S[green] >= 1 else S[blue] == 0)",
    "total(S) % 2 == 0",
    "min(S[red], S[green]) OP L",
    "max(S[c] for c in color) OP L",
    "total(S + price) OP K",
    "worth(red) * total(S) - S[gray] OP K",
]
OF_CARDS = [
    "count(S) OP L",
    "sum(c.rank for c in S) OP K",
    "sum(value(c) for c in S) OP K",
    "count(c in S where c.suit == best) OP L",
    "count(c in S where c.rank > 2) - count(c in S where c.suit == red) OP L",
    "all(c.rank >= L for c in S)",
    "any(c.suit == blue and c.rank > 1 for c in S)",
    "no(c in S, d in S where c.suit != d.suit)",
    "all(all(c.rank != d.rank or c == d for d in S) for c in S)",
    "(max(c.rank for c in S) otherwise 0) OP K",
    "count(set(c.suit for c in S)) OP L",
    "sum(c.rank for c in S) % 3 == 0",
    "all(any(c in S where c.suit == y) for y in suit)",
    "count(c in S where c.worn == 1) OP L",
    "marked in S",
    "not marked in S",
    "any(c in S where c == marked or c.suit == red)",
    "all(d in S for d in me.hand where d.rank == 4)",
    "sum(c.rank * c.worn for c in S) OP K",
]
OF_SETS = ["strength(S) OP K", "fits(S)"]
OF_LISTS = ["(first(S).rank otherwise 0) OP L", "position(S, marked) == 1"]
SO_FAR = [
    "sum(c.rank for c in S) <= a",
    "no(c in S, d in S where c.suit != d.suit)",
    "count(c in S where c.worn == 2) < 2",
]


def condition(rng: random.Random, leaves: list[str], name: str, depth: int = 2) -> str:
    kind = rng.randrange(6) if depth else 0
    if kind == 4:
        return f"not ({condition(rng, leaves, name, depth - 1)})"
    if kind in (3, 5):
        one, other = (condition(rng, leaves, name, depth - 1) for _ in range(2))
        return f"({one}) {'and' if rng.random() < 0.6 else 'or'} ({other})"
    text = rng.choice(leaves).replace("OP", rng.choice([">=", ">=", "<=", "==", "!=", "<", ">"]))
    text = text.replace("K", rng.choice(["a", "5", "a - 2", "3"])).replace("L", rng.choice(["1", "2", "n - 1", "3"]))
    return text.replace("S", name)


def many(rng: random.Random) -> str:
    return rng.choice(["n", "n", "2", "3", "some", "any", "1..n", "0..3", "2..n"])


def written(seed: int) -> str:
    """A game with one random choice of several things."""
    rng = random.Random(seed)
    sort = rng.choice(["bag", "bag", "bag", "set", "set", "set", "list", "two bags", "two sets", "value and set"])
    more: list[str] = []
    if "bag" in sort:
        text, leaves = TOKENS, OF_TOKENS
    else:
        text, leaves = CARDS, [*OF_CARDS, *(OF_LISTS if sort == "list" else OF_SETS)]
    of = "have" if "bag" in sort else rng.choice(["me.hand", "me.hand", "me.hand where it.rank != 7"])
    if "it." in of:
        of = "me.hand where s.rank != 7"
    choose = [f"s: {many(rng)} of {of}"]
    where = condition(rng, leaves, "s")
    if sort in ("two bags", "two sets"):
        other = "price" if "bag" in sort else "set(c in me.hand where c.suit == best)"
        choose.append(f"t: {rng.choice(['1', '0..2', 'any'])} of {other}")
        join = ["total(s) == total(t)", "total(s) + total(t) >= a"]
        if sort == "two sets":
            join = ["count(s) == count(t)", "strength(s) + strength(t) >= a", "all(not c in t for c in s)"]
        where = f"({where}) and ({rng.choice(join)})" if rng.random() < 0.7 else f"({where}) and t == t"
        if rng.random() < 0.3:
            where = f"({where}) and ({condition(rng, leaves, 't', 1)})"
    if sort == "value and set":
        choose.insert(rng.randrange(2), "k: 0..2")
        where = f"({where}) and ({rng.choice(['count(s) > k', 'sum(c.worn for c in s) == k', 'k == 1'])})"
        if rng.random() < 0.4:
            more.append("stepwise: true")
    if sort == "list":
        more.append("ordered: true")
    if sort in ("set", "list") and rng.random() < 0.4:
        more.append(f"so_far: {rng.choice(SO_FAR).replace('S', 's')}")
    names = " ".join("{" + one.split(":")[0] + "}" for one in choose)
    text = text.replace("          CHOOSE", "\n".join("          " + one for one in choose))
    text = text.replace("        MORE\n", "".join(f"        {one}\n" for one in more))
    return text.replace("WHERE", f'"{where}"').replace("LABEL", f'"take {names}"')


# -------------------------------------------------------------------------------------------- all complete choices


class Ways:
    """All ways to make a choice, step by step. Nothing is left out because it leads nowhere; what does is not kept."""

    def __init__(self, machine: Any, v: State, choice: C.Choice) -> None:
        self.options: Options = machine.options
        self.of = machine.evaluator.of
        (self.entry,) = choice.entries
        self.v = v[:]
        self.found = set(self._from(0, ()))

    def _from(self, position: int, way: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        v, entry = self.v, self.entry
        if position == len(entry.variables):
            if all(self.of(condition)(v) for condition in entry.where):
                yield way
            return
        variable = entry.variables[position]
        if variable.fewest is None:
            yield from self._step(position, position + (1 if entry.stepwise else 0), way, (0,))
            return
        size = sum(n for _, n in self.options.taken(v, variable))
        most = self.of(variable.most)(v) if variable.most is not None else None
        if size >= self.of(variable.fewest)(v) and (most is None or size <= most):
            yield from self._from(position + 1, way if size == most and size else (*way, (DONE, 0)))
        for value in list(self.options._elements(v, variable)):
            self.options.add(v, variable, value)
            if entry.so_far is None or self.of(entry.so_far)(v):
                yield from self._from(position, (*way, (0, value)))
            self.options.remove(v, variable, value)

    def _step(self, position: int, end: int, way: tuple[Any, ...], step: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
        """Values that are chosen in one step: all up to a set, or only the first."""
        variables = self.entry.variables
        if position == len(variables) or variables[position].fewest is not None or (len(step) > 1 and position == end):
            yield from self._from(position, (*way, step))
            return
        variable = variables[position]
        for value in list(self.options._values(self.v, variable)):
            self.v[variable.slot] = value
            yield from self._step(position + 1, end, way, (*step, value))
        self.v[variable.slot] = 0


def firsts(ways: set[tuple[Any, ...]], taken: tuple[Any, ...]) -> set[Any]:
    n = len(taken)
    return {way[n] for way in ways if way[:n] == taken}


def compare(path: Path, seeds: range) -> int:
    """Plays a game; at every step what is offered is what leads to a complete choice. How many steps there were."""
    machine = ruledsl.load(path, backend="interpreter").configured(1, {}).machine
    steps = 0
    for seed in seeds:
        rng, v = random.Random(seed), machine.start(seed)
        ways: Ways | None = None
        taken: tuple[Any, ...] = ()
        while (stop := machine.run(v)).kind == "choice":
            choice = stop.choice
            assert choice is not None
            assert staged(choice.entries[0])
            if choice.stage is None or not v[choice.stage]:
                ways, taken = Ways(machine, v, choice), ()
            assert ways is not None
            assert len(set(stop.options)) == len(stop.options)
            assert set(stop.options) == firsts(ways.found, taken), (seed, taken)
            option = rng.choice(stop.options)
            machine.choose(v, choice, option)
            taken, steps = (*taken, option), steps + 1
    return steps


def nothing_else(path: Path, seeds: range) -> None:
    """Where play says that there is nothing to choose, there is nothing."""
    machine = ruledsl.load(path, backend="interpreter").configured(1, {}).machine
    choices = [block.end for block in machine.program.blocks if isinstance(block.end, C.Choice)]
    asked: list[tuple[State, C.Choice, bool]] = []
    plain = machine.options.all

    def noted(v: State, choice: C.Choice, seat: int) -> Any:
        found = plain(v, choice, seat)
        if choice.stage is None or not v[choice.stage]:
            asked.append((v[:], choice, bool(found)))
        return found

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(machine.options, "all", noted)
        for seed in seeds:
            v, rng = machine.start(seed), random.Random(seed)
            while (stop := machine.run(v)).kind == "choice":
                assert stop.choice is not None
                machine.choose(v, stop.choice, rng.choice(stop.options))
    assert asked
    for v, choice, some in asked:
        assert choice in choices
        assert some == bool(Ways(machine, v, choice).found)


def checked(path: Path, seeds: range) -> int:
    nothing_else(path, seeds)
    steps = compare(path, seeds)
    pair = Pair(Variant(path, 1, {}))
    for seed in seeds:
        pair.steps(seed, 200)
    return steps


def compiled(path: Path, seeds: range) -> None:
    variant = Variant(path, 1, {})
    configured = variant.configured()
    game = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
    for seed in seeds:
        game.steps(seed)
    game.close()


@pytest.mark.parametrize("first", range(0, 60, 6))
def test_what_is_offered_can_be_completed_and_nothing_is_missing(first: int, tmp_path: Path) -> None:
    steps = 0
    for seed in range(first, first + 6):
        path = tmp_path / f"game{seed}.yaml"
        path.write_text(written(seed), encoding="utf-8")
        steps += checked(path, range(3))
    assert steps


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 5000, 100))
def test_it_always_is(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 100):
        path = tmp_path / f"game{seed}.yaml"
        path.write_text(written(seed), encoding="utf-8")
        checked(path, range(6))


@pytest.mark.parametrize("first", range(0, 12, 4))
def test_compiled_games_offer_the_same(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 4):
        path = tmp_path / f"game{seed}.yaml"
        path.write_text(written(seed), encoding="utf-8")
        compiled(path, range(20))


@pytest.mark.long
@pytest.mark.parametrize("first", range(12, 212, 20))
def test_they_always_do(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 20):
        path = tmp_path / f"game{seed}.yaml"
        path.write_text(written(seed), encoding="utf-8")
        compiled(path, range(30))


# ------------------------------------------------------------------------------------------ pieces of the same looks

PAIR = """\
ruledsl: 1
game: pair
players: 1
pieces:
  card: {rows: [{name: heron, copies: 2}, {name: crane}]}
places:
  hand: {per: player, holds: card}
setup:
  - move: HELD
    to: me.hand
play:
  - choose:
      CHOOSE
    MORE
    where: WHERE
    label: take LABEL
    else: {lose: me}
  - win: me
"""


@pytest.mark.parametrize("more", ["ordered: false", "stepwise: true"])
@pytest.mark.parametrize(
    ("choose", "where"),
    [
        ("x: me.hand, y: me.hand", "x != y"),
        ("s: 1 of me.hand, t: 1 of me.hand", "no(c in s where c in t)"),
        ("s: 1 of me.hand, y: me.hand", "not y in s"),
        ("x: me.hand, t: some of me.hand", "not x in t"),
        ("x: me.hand, y: me.hand, z: me.hand where z != x", "x != y and y != z"),
    ],
)
def test_of_two_that_look_the_same_one_can_be_chosen_beside_the_other(
    choose: str, where: str, more: str, tmp_path: Path
) -> None:
    """Nothing tells them apart but that one of them is chosen already under another name."""
    three = "z:" in choose
    path = tmp_path / "pair.yaml"
    text = PAIR.replace("CHOOSE", choose.replace(", ", "\n      ")).replace("WHERE", where).replace("MORE", more)
    text = text.replace("HELD", "reserve(card)" if three else "set(c in card where c.name == heron)")
    path.write_text(text.replace("LABEL", " ".join("{" + one[0] + "}" for one in choose.split(", "))), encoding="utf-8")
    variant = Variant(path, 1, {})
    configured = variant.configured()
    assert all(played(configured.machine, seed) == C.WON for seed in range(5))
    pair, game = Pair(variant), Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
    for seed in range(5):
        assert pair.steps(seed, 20) > 0
        game.steps(seed)
    game.close()


# ------------------------------------------------------------------------------------------------ and found in time

MARKET = """\
ruledsl: 1
game: market
players: 1
types:
  spice: [saffron, pepper, anise, clove, mace, nutmeg]
pools:
  sack: {of: spice, at: {player: cart}, start: {cart: START}}
values:
  asked: bag of spice
define:
  worth(spice s): if s == saffron then 11 else if s == pepper then 7 else if s == anise then 5 else 3
setup:
  - repeat: EACH
    do:
      - add: {asked: each(spice)}
play:
  - choose:
      given: COUNT of me.cart
    where: WHERE
    label: hand over {given}
    else: {lose: me}
  - pay: given
  - win: me
"""


def market(each: int, count: str, where: str) -> str:
    start = "{saffron: 15, pepper: 15, anise: 15, clove: 15, mace: 15, nutmeg: 15}"
    return (
        MARKET.replace("START", start).replace("EACH", str(each)).replace("COUNT", count).replace("WHERE", f'"{where}"')
    )


IN_TIME_IS = 0.1  # seconds for a play
SLOW_MACHINE = 5
CHOICE, OVER = 1, 0  # what compiled code says
IN_TIME = {
    "what is asked of each of 30": market(5, "30", "all(given[s] >= asked[s] for s in spice)"),
    "what is asked of each of 24": market(4, "24", "all(given[s] >= asked[s] for s in spice)"),
    "one to spare": market(5, "31", "asked <= given and given[mace] == 6"),
    "a sum": market(1, "40", "sum(given[s] * worth(s) for s in spice) == 251"),
    "no more than so many, of that sum": market(
        1, "some", "sum(given[s] * worth(s) for s in spice) == 250 and total(given) <= 30"
    ),
    "one way or another": market(5, "35", "asked <= given or sum(given[s] * worth(s) for s in spice) >= 300"),
}


def played(machine: Machine, seed: int) -> int:
    rng, v = random.Random(seed), machine.start(seed)
    while (stop := machine.run(v)).kind == "choice":
        assert stop.choice is not None
        machine.choose(v, stop.choice, rng.choice(stop.options))
    return v[C.ENDED]


def played_in_c(session: Session, seed: int) -> int:
    rng, at = random.Random(seed), session.start(seed)
    while at == CHOICE:
        session.take(rng.randrange(len(session.options())))
        at = session.run()
    assert at == OVER
    return session.library.exported(session.state)[C.ENDED]


@pytest.mark.parametrize("name", IN_TIME)
def test_what_can_be_paid_is_paid_in_time(name: str, tmp_path: Path) -> None:
    path = tmp_path / "market.yaml"
    path.write_text(IN_TIME[name], encoding="utf-8")
    configured = ruledsl.load(path, backend="interpreter").configured(1, {})
    program = configured.machine.program
    session = Session(Library(program, configured.rules, QUICK))
    machine, generated = Machine(program), GeneratedMachine(program)
    executors: list[Callable[[int], int]] = [
        lambda seed: played(machine, seed),
        lambda seed: played(generated, seed),
        lambda seed: played_in_c(session, seed),
    ]
    for play in executors:
        assert play(0) == C.WON
        began = time.process_time()
        assert [play(seed) for seed in range(1, 6)] == [C.WON] * 5
        assert time.process_time() - began < 5 * IN_TIME_IS * SLOW_MACHINE
    session.close()


def test_too_many_ways_are_a_fault_of_that_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing is offered that cannot be completed, and play does not go on as if there were nothing to choose."""
    monkeypatch.setattr("ruledsl.engine.options.MOST_TRIED", 500)
    monkeypatch.setattr("ruledsl.generate.c_program.MOST_TRIED", 500)
    path = tmp_path / "market.yaml"
    path.write_text(market(1, "29", "all(given[s] % 2 == 0 for s in spice)"), encoding="utf-8")
    variant = Variant(path, 1, {})
    configured = variant.configured()
    with pytest.raises(C.RulesFault, match="more than 200,000 ways were tried") as fault:
        played(configured.machine, 0)
    assert fault.value.span is not None
    assert fault.value.span.text.startswith("all(given[s]")
    Pair(variant).steps(0, 10)
    game = Compiled(variant, Library(configured.machine.program, configured.rules + "few ways", QUICK))
    assert game.steps(0) == (0, extending.GAVE_UP)
    game.close()
