"""A game of so many cards, each with an effect, a worth and a condition of its own: what grows with them, and how.

`python tests/bench/many_cards.py 120 > cards.yaml` writes it. It is no game to be enjoyed: its cards gather, trade and
throw away, and ask one another whether they match, so that rows hold all sorts of code.
"""

from __future__ import annotations

import sys

GOODS = ("wool", "clay", "iron", "rice", "silk", "salt")

HEAD = """\
ruledsl: 1
game: bazaar-of-cards
title: Bazaar of cards
players: 2..4
types:
  good: [wool, clay, iron, rice, silk, salt]
pools:
  store: {of: good, at: {player: stall}, start: {stall: {wool: 2, clay: 1, iron: 1, rice: 2, silk: 1, salt: 1}}}
values:
  fame: {per: player, is: -900..900}
pieces:
  card:
    start: stock
    attributes: {price: bag of good, does: effect, worth: number, matches: condition(card other)}
    rows:
"""

TAIL = """\
places:
  stock: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  shown: {per: player, holds: card}
  discard: {holds: card, order: pile}
setup:
  - shuffle: stock
  - deal: 4
    from: stock
    to: hand
play:
  - turns: players
    until: no(stock) or turn_number > 50
    do:
      - draw: 1
        from: stock
        to: me.hand
      - choose one:
          - choose: {c: me.hand where c.price <= me.stall}
            label: show {c}
            do:
              - pay: c.price
              - move: c
                to: me.shown
              - c.does()
          - label: gather salt
            do: {gain: {salt: 1}}
scoring:
  rows:
    fame: me.fame
    worth: sum(c.worth for c in me.shown)
"""


def row(number: int) -> str:
    """One card; what stands in it is told by its number, and no two are quite alike."""
    cost, gain, waste = (GOODS[(number * step + shift) % len(GOODS)] for step, shift in ((1, 0), (5, 2), (7, 3)))
    least, some = number % 4, 1 + number % 3
    choice = f"""\
          - choose one:
              - {{label: boast, do: {{add: {{me.fame: {number % 7}}}}}}}
              - choose: {{k: me.hand where this.matches(k)}}
                label: throw {{k}} away
                do:
                  - move: k
                    to: discard
                  - gain: {{{gain}: {some}}}
"""
    trade = f"""\
          - choose:
              g: good where me.stall[g] > {number % 3}
              p: players except me
            label: send {{g}} to {{p}}
            else: []
          - pay: {{g: 1}}
            to: p.stall
          - add: {{me.fame: {2 + number % 4}}}
"""
    plain = f"""\
          - add: {{me.fame: me.stall.{cost} - {least}}}
"""
    effect = (trade + choice, choice, plain)[number % 3]
    return f"""\
      - name: card_{number}
        price: {{{cost}: {number % 2}, {waste if waste != cost else gain if gain != cost else "salt"}: {some - 1}}}
        worth: {number % 5} * count(o in me.shown where o.price.{gain} > {number % 2}) + me.stall.{waste} / {some}
        matches: other.price.{cost} > {number % 2} or other in me.shown
        does:
          - gain: {{{gain}: {some}}}
{effect}"""


def game(cards: int) -> str:
    return HEAD + "".join(map(row, range(cards))) + TAIL


if __name__ == "__main__":
    sys.stdout.write(game(int(sys.argv[1]) if len(sys.argv) > 1 else 120))
