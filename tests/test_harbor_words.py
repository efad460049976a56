"""A game with every newer word, and what one might write for each instead: written down before `check` was asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.compiler.pipeline import check
from ruledsl.diagnostics.model import Diagnostic

GAME = """\
ruledsl: 1
game: harbor
title: Harbor
players: 2..4
types:
  good: [fish, salt, rope, silver]
  common: {some: good, where: this <= rope}
  land: [sand, rock, grass]
boards:
  coast: {grid: {width: 5, height: 4, skip: c, neighbors: orthogonal}, space: bay, state: {depth: 0..3}}
  channels: {edges_of: coast, space: channel, state: {bar: bool}}
  town:
    spaces: [{name: quay, land: sand}, {name: mole, land: rock}, {name: green, land: grass}]
    edges: [{from: quay, to: mole}, {from: mole, to: green}]
    space: yard
    attributes: {land: land}
pieces:
  boat: {per: player, count: 2}
  order:
    attributes: {price: price of good, worth: 0..9, bonus: {is: 0..5 by land, otherwise: 1}}
    rows:
      - {name: net, copies: 4, price: {rope: 2}, worth: 2}
      - {name: barrel, copies: 4, price: {salt: 1, any common: 1}, worth: 3, bonus: {sand: 3}}
      - {name: lamp, copies: 3, price: {any: 3}, worth: 5}
places:
  heap: {holds: order, order: pile, seen: none, start: order}
  stall: {per: yard, holds: order, capacity: 2}
  done: {per: player, holds: order}
pools:
  goods: {of: good, total: 40, at: {player: goods, all: chest}, start: {goods: {fish: 2, salt: 1}}}
values:
  prestige: {per: player, is: 0..99}
define:
  sails(bay a, bay b): not edge(a, b).bar and b.depth > 0
  around(bay b): reachable(b, within=3, step=sails(from, to))
  way(bay a, bay b): distance(a, b, step=not edge.bar) otherwise 99
  linked(bay a, bay b): joined([a], [b], step=not edge.bar)
  off(order o):
    let:
      here: o.stall.yard.land
      base: if here then o.bonus[the(here)] else 0
    is: base / 2
  gained(order o):
    is: o.worth + o.bonus[sand]
    most: 12
effects:
  bargain:
    - choose one: swapping
      any_number: true
      at_most: 2
actions:
  barter: {menu: market, give: {any common: 2}, get: {any common: 1}}
  smelt: {menu: market, give: {fish: 1}, get: {silver: 1}, limit: 1 per turn}
  haggle:
    menu: swapping
    choose:
      c: common where me.goods[c] > 0
    do:
      - pay: amount(c, 1)
      - gain: {silver: 1}
  deliver:
    menu: deed
    choose: {o: set(o in order where o.stall)}
    cost: {is: o.price, after: exchanges, less: off(o), least: 1}
    do:
      - add: {me.prestige: gained(o)}
      - move: o
        to: me.done
  fish:
    menu: deed
    do: {gain: {any common: 1}}
  bar_<how>:
    menu: deed
    each:
      - {how: shut, before: false, then: true}
      - {how: open, before: true, then: false}
    limit: 1 per turn
    choose: {e: channel where e.bar == <before>}
    do: {set: {e.bar: <then>}}
  speak:
    menu: deed
    when: possible(bargain(), me.goods.silver >= 3)
    do: bargain()
  settle:
    menu: deed
    when: payable(amount(any, 2), out_of=me.goods + chest) and missing(amount(any, 2)) <= 1
    do:
      - pay: {any: 2}
        from: [me.goods, chest]
      - add: {me.prestige: 1}
setup:
  - for: {b: bay}
    do:
      - random: {d: 0..3}
      - set: {b.depth: d}
  - shuffle: heap
  - deal: 2
    from: heap
    to: stall
play:
  - rounds: 6
    do:
      - for: {me: players where me == last(ranking)}
        do: {gain: {fish: 1}}
      - turns: reversed(players from player_1)
        until: turn_number > 20
        do:
          - choose one: deed
            at_least: 1
            any_number: true
            at_most: 3
          - choose:
              b: set(b in bay where empty(b) and distance(b, a1, step=sails(from, to)))
            label: moor at {b}
            else: {end: turn}
          - if: any(reserve(boat))
            then: {move: boat, to: b}
          - end: turn
scoring:
  rows: {prestige: me.prestige}
  ranks: {0: deckhand, 10: skipper, 30: harbor master}
"""

# How it stands in the game; each way to write it instead, and what the answer must say.
TRIES: dict[str, dict[str, str]] = {
    "when: possible(bargain(), me.goods.silver >= 3)": {
        "when: after(bargain(), me.goods.silver >= 3)": "possible",
        "when: possible(do bargain(), me.goods.silver >= 3)": "`bargain(…)`",
        "when: possible(me.goods.silver >= 3 after bargain())": "possible(bargain(), me.goods.silver >= 3)",
        "when: bargain() could give me.goods.silver >= 3": "possible(",
        "when: exists(bargain(), me.goods.silver >= 3)": "possible",
    },
    "payable(amount(any, 2), out_of=me.goods + chest)": {
        "pays(amount(any, 2), out_of=me.goods + chest)": "payable",
        "payable(amount(any, 2), from=me.goods + chest)": "out_of=",
        "payable(amount(any, 2), with=me.goods + chest)": "out_of=",
        "me.goods + chest can pay amount(any, 2)": "payable(",
        "enough(me.goods + chest, amount(any, 2))": "payable",
    },
    "missing(amount(any, 2))": {
        "short(amount(any, 2))": "missing",
        "lack(amount(any, 2))": "missing",
        "missing(2)": "amount(",
    },
    "give: {any common: 2}": {
        "give: {common: 2}": "any common",
        "give: 2 of common": "any common: 2",
        "give: {fish or salt: 2}": "any",
        "give: 2 any common": "{any common: 2}",
    },
    "price: {any: 3}": {
        "price: {any good: 3}": "any",
        "price: {all: 3}": "any",
        "price: {wild: 3}": "any",
    },
    "give: {fish: 1}, get: {silver: 1}": {
        "pay: {fish: 1}, gain: {silver: 1}": "give",
        "exchange: {fish: 1}, for: {silver: 1}": "give",
        "swap: {fish: 1}, with: {silver: 1}": "give",
    },
    "cost: {is: o.price, after: exchanges, less: off(o), least: 1}": {
        "cost: {is: o.price, after: exchange, less: off(o), least: 1}": "exchanges",
        "cost: {price: o.price, after: exchanges, less: off(o), least: 1}": "is",
        "cost: {is: o.price, exchanges: true, less: off(o), least: 1}": "after: exchanges",
        "cost: {is: o.price, after: exchanges, minus: off(o), least: 1}": "less",
        "cost: {is: o.price, after: exchanges, discount: off(o), min: 1}": "less",
        "cost: o.price - off(o)": "less",
    },
    "        from: [me.goods, chest]": {
        "        from: me.goods + chest": "[me.goods, chest]",
        "        from: me.goods, chest": "[me.goods, chest]",
        "        out_of: [me.goods, chest]": "from",
        "        from: me.goods then chest": "[me.goods, chest]",
    },
    "bonus: {is: 0..5 by land, otherwise: 1}": {
        "bonus: {is: 0..5 by land, default: 1}": "otherwise",
        "bonus: {is: 0..5 per land, otherwise: 1}": "by",
        "bonus: {is: 0..5, by: land, otherwise: 1}": "`{is: 0..9 by color}`",
        "bonus: {type: 0..5 by land, else: 1}": "otherwise",
        "bonus: 0..5 by land = 1": "otherwise",
    },
    "here: o.stall.yard.land": {
        "here: o.stall.owner.land": "o.stall",
        "here: yard_of(o).land": "o.stall",
        "here: stall(o).land": "o.stall",
    },
    "ranks: {0: deckhand, 10: skipper, 30: harbor master}": {
        "titles: {0: deckhand, 10: skipper, 30: harbor master}": "ranks",
        "ranks: {0-9: deckhand, 10-29: skipper, 30+: harbor master}": "0: ",
        "ranks: {deckhand: 0, skipper: 10}": "0: deckhand",
        "ranks: [0 deckhand, 10 skipper]": "{0:",
    },
    "me == last(ranking)": {
        "me == ranking[last]": "in quotes",
        "me == last(standings)": "ranking",
        "me == last_player": "last(ranking)",
        "me == worst(players)": "ranking",
        "rank(me) == count(players)": "position(ranking, p)",
    },
    "turns: reversed(players from player_1)": {
        "turns: players backwards from player_1": "reversed(",
        "turns: players from player_1 counterclockwise": "reversed(",
        "turns: players.reversed": "reversed(players",
        "turns: -players": "reversed(",
    },
    "            at_least: 1\n": {
        "            least: 1\n": "at_least",
        "            minimum: 1\n": "at_least",
    },
    "            at_least: 1\n            any_number: true\n            at_most: 3\n": {
        "            times: 1..3\n": "at_least",
        "            count: 1..3\n": "at_most",
    },
    "  bar_<how>:": {
        "  bar_how:": "<how>",
        "  bar_{how}:": "<how>",
    },
    "{set: {e.bar: <then>}}": {
        "{set: {e.bar: then}}": "<then>",
        "{set: {e.bar: $then}}": "<then>",
    },
    "    let:\n      here: o.stall.yard.land": {
        "    given:\n      here: o.stall.yard.land": "let",
    },
    "    let:\n      here: o.stall.yard.land\n      base: if here then o.bonus[the(here)] else 0\n    is: base / 2": {
        "    - let: {here: o.stall.yard.land}\n    - is: o.bonus[the(here)]": "let",
    },
    "reachable(b, within=3, step=sails(from, to))": {
        "reachable(b, within=3, if=sails(from, to))": "step=",
        "reachable(b, within=3, step=sails(a, b))": "from",
        "reachable(b, 3, sails)": "step=",
    },
    "distance(a, b, step=not edge.bar)": {
        "distance(a, b, not edge.bar)": "step=",
        "distance(a, b, step=not bar)": "edge.bar",
    },
    "channels: {edges_of: coast,": {
        "channels: {edges: coast,": "edges_of",
        "channels: {on: coast,": "edges_of",
    },
    "not edge(a, b).bar and": {
        "not a.bar(b) and": "edge(a, b)",
        "not bar[a, b] and": "edge(a, b)",
        "not channel(a, b).bar and": "edge(a, b)",
        "not between(a, b).bar and": "edge",
    },
    "skip: c,": {
        "without: c,": "skip",
        "except: c,": "skip",
        "skip_letter: c,": "skip",
    },
}


def test_the_game_itself_has_no_errors(tmp_path: Path) -> None:
    assert _errors(GAME, tmp_path) == []
    assert all(GAME.count(right) == 1 for right in TRIES)


@pytest.mark.parametrize(("right", "wrong"), [(right, wrong) for right, tries in TRIES.items() for wrong in tries])
def test_it_is_answered_with_what_to_write(right: str, wrong: str, tmp_path: Path) -> None:
    found = _errors(GAME.replace(right, wrong), tmp_path)
    assert any(TRIES[right][wrong] in f"{one.message}; {one.help}; {one.suggestions}" for one in found), found
    assert len(found) <= 3, "what follows from a slip is not told"


def _errors(text: str, folder: Path) -> list[Diagnostic]:
    path = folder / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return [found for found in check(path).findings if found.severity == "error"]
