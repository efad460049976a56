"""L535 and on: what may be written, and was hardly meant."""

from ruledsl.diagnostics.entry import Code

DOUBTS = (
    Code(
        "L535",
        "a condition that says nothing of what it is about",
        "A condition after `where` is asked of each one. If it does not say its name, it holds for all of them or for "
        "none. Perhaps `me` stands where the chosen one was meant.",
        """\
values:
  gold: {per: player, is: 0..9, start: 3}
play:
  - turns: players
    do:
      - choose: {p: players except me where me.gold > 0}
        label: take a coin from {p}
        else: {tie: players}
      - subtract: {p.gold: 1}
""",
        """\
values:
  gold: {per: player, is: 0..9, start: 3}
play:
  - turns: players
    do:
      - choose: {p: players except me where p.gold > 0}
        label: take a coin from {p}
        else: {tie: players}
      - subtract: {p.gold: 1}
""",
    ),
    Code(
        "L536",
        "something used where it is none",
        "This part of the `if:` only runs if there is nothing, and uses it all the same. That is a fault. Perhaps the "
        "condition is the wrong way round.",
        """\
values:
  leader: {is: maybe player, show: always}
  score: {per: player, is: 0..9}
play:
  - set: {leader: first(players)}
  - if: not leader
    then:
      - add:
          score[the(leader)]: 1
""",
        """\
values:
  leader: {is: maybe player, show: always}
  score: {per: player, is: 0..9}
play:
  - set: {leader: first(players)}
  - if: leader
    then:
      - add:
          score[the(leader)]: 1
""",
    ),
    Code(
        "L537",
        "a row that is not what it is called",
        "All other rows have the word that they are called by. A row that was copied and only half changed looks "
        "like this.",
        """\
types:
  role: [guard, thief, witch, queen]
pieces:
  person:
    attributes: {role: role}
    start: court
    rows:
      - {name: guard, role: guard}
      - {name: thief, role: thief}
      - {name: witch, role: thief}
      - {name: queen, role: queen}
places: {court: {holds: person}}
scoring: {rows: {all: count(c in court where c.role == queen)}}
""",
        """\
types:
  role: [guard, thief, witch, queen]
pieces:
  person:
    attributes: {role: role}
    start: court
    rows:
      - {name: guard, role: guard}
      - {name: thief, role: thief}
      - {name: witch, role: witch}
      - {name: queen, role: queen}
places: {court: {holds: person}}
scoring: {rows: {all: count(c in court where c.role == queen)}}
""",
    ),
    Code(
        "L538",
        "a side of a tile that belongs to two parts",
        "Each side of the other tiles belongs to one part. Here one belongs to two, which then touch the same "
        "neighbour.",
        """\
types: {terrain: [field, sea]}
boards: {land: {grid: {growing: true}, space: plot, holds: any}}
pieces:
  tile:
    tile: land
    start: bag
    parts: {area: {from: areas, attributes: {terrain: terrain, sides: set of direction}}}
    rows:
      - {name: t1,
         areas: [{terrain: field, sides: [n, e]}, {terrain: sea, sides: [s, w]}]}
      - {name: t2,
         areas: [{terrain: field, sides: [n]}, {terrain: sea, sides: [n, e, s, w]}]}
      - {name: t3, areas: [{terrain: sea, sides: [n, e, s, w]}]}
      - {name: t4, areas: [{terrain: field, sides: [n, e, s, w]}]}
places: {bag: {holds: tile}}
scoring: {rows: {all: count(a in area where a.terrain == sea)}}
""",
        """\
types: {terrain: [field, sea]}
boards: {land: {grid: {growing: true}, space: plot, holds: any}}
pieces:
  tile:
    tile: land
    start: bag
    parts: {area: {from: areas, attributes: {terrain: terrain, sides: set of direction}}}
    rows:
      - {name: t1,
         areas: [{terrain: field, sides: [n, e]}, {terrain: sea, sides: [s, w]}]}
      - {name: t2,
         areas: [{terrain: field, sides: [n]}, {terrain: sea, sides: [e, s, w]}]}
      - {name: t3, areas: [{terrain: sea, sides: [n, e, s, w]}]}
      - {name: t4, areas: [{terrain: field, sides: [n, e, s, w]}]}
places: {bag: {holds: tile}}
scoring: {rows: {all: count(a in area where a.terrain == sea)}}
""",
    ),
    Code(
        "L539",
        "a text that lacks a language",
        "Nearly all texts of this game are in several languages. Players of the one that is missing read this text in "
        "another language.",
        """\
values:
  n: 0..9
play:
  - say: {en: one, ru: один}
  - say: {en: two, ru: два}
  - say: {en: three}
  - say: {en: four, ru: четыре}
  - say: {en: five, ru: пять}
  - say: {en: six, ru: шесть}
  - say: {en: seven, ru: семь}
  - say: {en: eight, ru: восемь}
  - say: {en: nine, ru: девять}
  - say: {en: ten, ru: десять}
  - say: {en: eleven, ru: одиннадцать}
""",
        """\
values:
  n: 0..9
play:
  - say: {en: one, ru: один}
  - say: {en: two, ru: два}
  - say: {en: three, ru: три}
""",
    ),
    Code(
        "L540",
        "ranks out of order",
        "The ranks stand neither from the lowest total to the highest nor the other way round. Perhaps one number is "
        "wrong.",
        """\
scoring:
  rows: {all: 1}
  ranks:
    0: beginner
    30: fighter
    20: knight
    50: king
""",
        """\
scoring:
  rows: {all: 1}
  ranks:
    0: beginner
    20: fighter
    30: knight
    50: king
""",
    ),
    Code(
        "L541",
        "a negative number is subtracted",
        "To subtract less than nothing adds. `subtract:` takes the number that goes away, without a minus.",
        """\
values:
  left: {is: 0..9, start: 5}
play:
  - subtract: {left: -1}
scoring: {rows: {left: left}}
""",
        """\
values:
  left: {is: 0..9, start: 5}
play:
  - subtract: {left: 1}
scoring: {rows: {left: left}}
""",
    ),
    Code(
        "L542",
        "the pieces of all players go to one of them",
        "Without an owner, the name of a place that every player has means the places of all players together. Where "
        "one player takes them all, say so: `move: set(c for p in players for c in p.played)`, `to: winner.taken`.",
        """\
pieces: {card: {count: 9, start: deck}}
places:
  deck: {holds: card, order: pile}
  hand: {per: player, holds: card}
  discard: {per: player, holds: card}
setup:
  - deal: 2
    from: deck
    to: hand
play:
  - turns: players
    until: no(hand)
    do:
      - choose: {c: me.hand}
        label: keep {c}
      - move: hand
        to: me.discard
scoring: {rows: {cards: count(me.discard)}}
""",
        """\
pieces: {card: {count: 9, start: deck}}
places:
  deck: {holds: card, order: pile}
  hand: {per: player, holds: card}
  discard: {per: player, holds: card}
setup:
  - deal: 2
    from: deck
    to: hand
play:
  - turns: players
    until: no(hand)
    do:
      - choose: {c: me.hand}
        label: keep {c}
      - move: me.hand
        to: me.discard
scoring: {rows: {cards: count(me.discard)}}
""",
    ),
    Code(
        "L543",
        "none where a number or a thing is needed",
        "One side of a choice of two is `none`, and none is a fault where a number, a player or a piece is needed.",
        """\
values:
  bonus: {per: player, is: 0..9}
play:
  - turns: players
    until: turn_number == 6
    do:
      - choose: {n: 0..2}
        label: take {n}
      - add: {me.bonus: if n < 2 then n else none}
scoring: {rows: {bonus: me.bonus}}
""",
        """\
values:
  bonus: {per: player, is: 0..9}
play:
  - turns: players
    until: turn_number == 6
    do:
      - choose: {n: 0..2}
        label: take {n}
      - add: {me.bonus: if n < 2 then n else 0}
scoring: {rows: {bonus: me.bonus}}
""",
    ),
    Code(
        "L544",
        "a piece that may have been removed is asked where it stands",
        "The pieces of a player are all of them, also those in the box. Where such a piece stands is none, and `the` "
        "of none is a fault.",
        """\
players: [black, white]
board: {grid: {width: 4, height: 4}, space: square}
pieces:
  man: {per: player, start: {black: this.y == 1, white: this.y == 4}}
define:
  goals(man m): neighbors(the(m.square))
play:
  - turns: players
    do:
      - choose:
          m: me.man
          to: set(s in goals(m) where s.man.owner != me)
        label: "{m.square} to {to}"
        else: {lose: me}
      - if: to.man
        then: {remove: to.man}
      - move: m
        to: to
""",
        """\
players: [black, white]
board: {grid: {width: 4, height: 4}, space: square}
pieces:
  man: {per: player, start: {black: this.y == 1, white: this.y == 4}}
define:
  goals(man m): neighbors(the(m.square))
play:
  - turns: players
    do:
      - choose:
          m: me.man where m.square
          to: set(s in goals(m) where s.man.owner != me)
        label: "{m.square} to {to}"
        else: {lose: me}
      - if: to.man
        then: {remove: to.man}
      - move: m
        to: to
""",
    ),
    Code(
        "L550",
        "two things that players cannot tell apart",
        "Two kinds of pieces have the same sign and color, or two spaces lie at the same place of the board. Often one"
        " was copied from the other and not changed.",
        """\
board: {grid: {width: 3, height: 3}, space: square}
pieces:
  fox: {count: 1, start: a1}
  owl: {count: 1, start: b1}
looks:
  fox: {symbol: f, color: brown}
  owl: {symbol: f, color: brown}
play:
  - turns: players
    until: turn_number == 6
    do:
      - choose: {to: board where empty(to)}
        label: fox to {to}
      - move: fox
        to: to
  - win: player_1
""",
        """\
board: {grid: {width: 3, height: 3}, space: square}
pieces:
  fox: {count: 1, start: a1}
  owl: {count: 1, start: b1}
looks:
  fox: {symbol: f, color: brown}
  owl: {symbol: o, color: brown}
play:
  - turns: players
    until: turn_number == 6
    do:
      - choose: {to: board where empty(to)}
        label: fox to {to}
      - move: fox
        to: to
  - win: player_1
""",
    ),
    Code(
        "L553",
        "a value that is only set",
        "Something sets the value, but no condition, formula or scoring asks for it, and no player is shown it. So "
        "setting it changes nothing. Often what should use it was forgotten.",
        """\
values:
  bonus: {per: player, is: 0..9}
  last: 0..2
play:
  - turns: players
    until: turn_number == 6
    do:
      - choose: {n: 0..2}
        label: take {n}
      - add: {me.bonus: n}
      - set: {last: n}
scoring: {rows: {bonus: me.bonus}}
""",
        """\
values:
  bonus: {per: player, is: 0..9}
  last: 0..2
play:
  - turns: players
    until: turn_number == 6
    do:
      - choose: {n: 0..2 where n != last}
        label: take {n}
      - add: {me.bonus: n}
      - set: {last: n}
scoring: {rows: {bonus: me.bonus}}
""",
    ),
)
