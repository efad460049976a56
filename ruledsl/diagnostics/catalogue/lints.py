"""L: games that can be played but were hardly meant so."""

from ruledsl.diagnostics.entry import Code

LINTS = (
    Code(
        "L501",
        "a statement that is never reached",
        "The statement before it always ends the block.",
        """\
play:
  - win: players
  - say: well played
""",
        """\
play:
  - say: well played
  - win: players
""",
    ),
    Code(
        "L502",
        "two triggers that replace the same thing",
        "Both triggers replace the same event. The first one whose condition holds is used.",
        """\
effects:
  refill: {say: full}
triggers:
  a: {instead: refill, do: {say: a}}
  b: {instead: refill, do: {say: b}}
play:
  - refill()
""",
        """\
effects:
  refill: {say: full}
triggers:
  a: {instead: refill, do: {say: a}}
play:
  - refill()
""",
    ),
    Code(
        "L503",
        "a name that is never used",
        "The name is declared, but nothing uses it. Perhaps it is misspelled where it should be used.",
        """\
values:
  score: 0..9
""",
        """\
values:
  score: 0..9
scoring:
  rows: {all: score}
""",
    ),
    Code(
        "L504",
        "a name that hides a function",
        "A name in the game is also the name of a function. The function cannot be used any more.",
        """\
define:
  total: 3
scoring:
  rows: {all: total}
""",
        """\
define:
  sum_of_all: 3
scoring:
  rows: {all: sum_of_all}
""",
    ),
    Code(
        "L505",
        "a column that nothing reads",
        "A table has a column that is not an attribute. Declare it under `attributes:`, or rename it under `columns:`.",
    ),
    Code(
        "L506",
        "it is not clear what happens without an option",
        "If there is nothing to choose, the rest of the block is skipped without a message. Write what happens "
        "then under `else:`.",
        """\
- choose: {c: board where empty(c)}
- move: stone
  to: c
""",
        """\
- choose: {c: board where empty(c)}
  else: {tie: players}
- move: stone
  to: c
""",
    ),
    Code(
        "L507",
        "an action that nobody can choose",
        "The action is in no menu that is offered, it is not `anytime`, and nothing calls it.",
        """\
actions:
  wave: {do: {say: hello}}
""",
        """\
actions:
  wave: {menu: moves, do: {say: hello}}
play:
  - turns: players
    do: {choose one: moves}
""",
    ),
    Code(
        "L508",
        "a comparison with only one answer",
        "The ranges of the two numbers decide the comparison, whatever happens during play.",
        """\
values: {score: 0..9}
play:
  - turns: players
    do:
      - if: score > 10
        then: {win: me}
""",
        """\
values: {score: 0..9}
play:
  - turns: players
    do:
      - if: score > 5
        then: {win: me}
""",
    ),
    Code(
        "L509",
        "a condition with only one answer",
        "The condition is always true or always false, whatever happens during play and whatever the options.",
        """\
- if: false
  then: {win: me}
""",
        """\
- if: turn_number > 3
  then: {win: me}
""",
    ),
    Code(
        "L510",
        "a menu that nobody offers",
        "Actions are in a menu that no `choose one` and no `offer` uses.",
        """\
actions:
  wave: {menu: greetings, do: {say: hello}}
""",
        """\
actions:
  wave: {menu: greetings, do: {say: hello}}
play:
  - turns: players
    do: {choose one: greetings}
""",
    ),
    Code(
        "L511",
        "a play without end",
        "The turns go on forever: nothing ends the play, the turns have no `until:`, and nothing leaves them.",
        """\
play:
  - turns: players
    do: {say: hello}
""",
        """\
play:
  - turns: players
    until: turn_number == 8
    do: {say: hello}
""",
    ),
    Code(
        "L512",
        "one piece where all were meant",
        "Where pieces are moved, the name of a kind is the first such piece in the reserve. Here they are not all"
        " alike, so probably more were meant.",
        """\
pieces:
  card: {rows: [{name: ace}, {name: king}]}
places:
  deck: {holds: card, order: pile}
setup:
  - move: card
    to: deck
""",
        """\
pieces:
  card: {rows: [{name: ace}, {name: king}]}
places:
  deck: {holds: card, order: pile}
setup:
  - move: reserve(card)
    to: deck
""",
    ),
    Code(
        "L513",
        "colors or signs for an unknown word",
        "Under `looks:` write words that pictures show: members of types, players, kinds and rows of pieces.",
        """\
types: {ground: [sea, land]}
values: {found: maybe ground}
looks:
  see: {color: blue}
""",
        """\
types: {ground: [sea, land]}
values: {found: maybe ground}
looks:
  sea: {color: blue}
""",
    ),
    Code(
        "L514",
        "a choice that may be slow",
        "When several things are chosen one after the other, only what can be completed is offered. This is fast "
        "for sums, counts, bounds and common properties. For other conditions on the whole choice, all "
        "combinations may have to be tried. If there are too many, the play ends in a fault.",
        """\
types: {color: [red, green, blue, white, gold, gray]}
values: {purse: bag of color}
play:
  - choose: {coins: 40 of purse}
    by: first(players)
    where: all(coins[c] % 2 == 0 for c in color)
    else: {say: no}
""",
        """\
types: {color: [red, green, blue, white, gold, gray]}
values: {purse: bag of color}
play:
  - choose: {coins: 40 of purse}
    by: first(players)
    where: all(coins[c] == 0 or coins[c] >= 2 for c in color)
    else: {say: no}
""",
    ),
    Code(
        "L515",
        "something may be spent before it is paid",
        "A condition checks that there is enough. Then the player chooses something else, and may take an action "
        "at any time that uses up the same. Then too little may be left, which ends the play in a fault.",
        """\
pools: {coin: {at: {player: purse}, start: {purse: 3}}}
actions:
  gamble: {anytime: always, when: me.purse > 0, do: {pay: {coin: 1}}}
play:
  - turns: players
    until: turn_number > 4
    do:
      - choose one:
          - label: buy
            when: me.purse > 0
            do:
              - choose: {n: 1..3}
              - pay: {coin: 1}
          - {label: wait, do: []}
""",
        """\
pools: {coin: {at: {player: purse}, start: {purse: 3}}}
actions:
  gamble: {anytime: always, when: me.purse > 0, do: {pay: {coin: 1}}}
play:
  - turns: players
    until: turn_number > 4
    do:
      - choose one:
          - label: buy
            cost: {coin: 1}
            do:
              - choose: {n: 1..3}
              - say: "{n}"
          - {label: wait, do: []}
""",
    ),
    Code(
        "L516",
        "a translation or a letter for an unknown word",
        "Under `text:` write words of the rules and what players read instead. Under `letters:` write pieces. A "
        "word that is not in the rules is never shown.",
        """\
types: {ground: [sea, land]}
values: {found: maybe ground}
text:
  ru: {seas: море}
""",
        """\
types: {ground: [sea, land]}
values: {found: maybe ground}
text:
  ru: {sea: море}
""",
    ),
    Code(
        "L517",
        "a menu that may become huge",
        "A choice can have more than a million options at once. This is slow, even if conditions leave only a "
        "few. If there are more than 200,000 options, the play ends in a fault. `ruledsl check -v` shows how "
        "large every menu can be.",
        """\
board: {grid: {width: 19, height: 19}}
play:
  - choose: {a: board, b: board, c: board}
    by: first(players)
    where: a.x < b.x and b.x < c.x
    else: {tie: players}
""",
        """\
board: {grid: {width: 19, height: 19}}
play:
  - choose: {a: board, b: board where a.x < b.x, c: board where b.x < c.x}
    by: first(players)
    stepwise: true
    else: {tie: players}
""",
    ),
    Code(
        "L518",
        "something with no effect",
        "A count that is always 0, a limit of 0, an empty preset or an empty text changes nothing and shows nothing.",
        """\
play:
  - repeat: 0
    do: {say: hello}
""",
        """\
play:
  - repeat: 2
    do: {say: hello}
""",
    ),
    Code(
        "L519",
        "two things that read the same",
        "Two options of one choice have the same label, so players cannot tell them apart; or two different rows "
        "of a table have the same name.",
        """\
play:
  - turns: players
    until: turn_number > 4
    do:
      - choose one:
          - {label: wait, do: []}
          - {label: wait, do: {win: me}}
""",
        """\
play:
  - turns: players
    until: turn_number > 4
    do:
      - choose one:
          - {label: wait, do: []}
          - {label: claim the win, do: {win: me}}
""",
    ),
    Code(
        "L520",
        "a text that a comment cuts short",
        "In YAML ` #` begins a comment, so what follows is not part of the text. Put the text in quotes.",
        """\
play:
  - say: this is card #2
  - tie: players
""",
        """\
play:
  - say: "this is card #2"
  - tie: players
""",
    ),
    Code(
        "L521",
        "a hidden pile that is never shuffled",
        "Nobody can see the pile, but it is in the order of the file. So anybody who knows the file knows what is"
        " drawn next.",
        """\
pieces:
  card: {rows: [{name: ace}, {name: king}], start: deck}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {holds: card, per: player}
setup:
  - deal: 1
    from: deck
    to: hand
""",
        """\
pieces:
  card: {rows: [{name: ace}, {name: king}], start: deck}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {holds: card, per: player}
setup:
  - shuffle: deck
  - deal: 1
    from: deck
    to: hand
""",
    ),
    Code(
        "L522",
        "a value that nothing changes",
        "A value is used, but no statement ever sets it. If it never changes, write it as a formula under `define:`.",
        """\
values: {bonus: {is: 0..9, start: 3}}
scoring:
  rows: {all: bonus}
""",
        """\
define: {bonus: 3}
scoring:
  rows: {all: bonus}
""",
    ),
    Code(
        "L523",
        "a module that is never used",
        "Its condition does not hold for any number of players and any options.",
        """\
options: {size: {is: 1..3, start: 2}}
modules:
  large: {when: size > 3, setup: [{say: a large game}]}
""",
        """\
options: {size: {is: 1..3, start: 2}}
modules:
  large: {when: size == 3, setup: [{say: a large game}]}
""",
    ),
    Code(
        "L524",
        "a key that has no effect",
        "The key is valid, but it has no effect with the other keys here, or in a game like this.",
        """\
board: {grid: {width: 3, height: 3}, one_way: true}
""",
        """\
board: {grid: {width: 3, height: 3}}
""",
    ),
    Code(
        "L525",
        "a limit that is never renewed",
        "A limit per turn is renewed when a turn of `turns:` begins, and one per round when a round of `rounds:` "
        "begins. In a game without these it counts over the whole game.",
        """\
actions:
  rest: {menu: all, limit: 1 per turn, do: []}
play:
  - rounds: 3
    do:
      - for: {me: players}
        do: {choose one: all}
""",
        """\
actions:
  rest: {menu: all, limit: 1 per round, do: []}
play:
  - rounds: 3
    do:
      - for: {me: players}
        do: {choose one: all}
""",
    ),
    Code(
        "L526",
        "quotes that are part of the text",
        "Only the straight quotes `\"` and `'` can be put around a text in the file. Other quotes are part of the "
        "text, and players see them.",
        """\
play:
  - say: “a long game”
  - tie: players
""",
        """\
play:
  - say: "a long game"
  - tie: players
""",
    ),
    Code(
        "L530",
        "an `else:` that never happens",
        "There is always something to choose, whatever happens in play, so what follows `else:` never happens.",
        """\
play:
  - turns: players
    do:
      - choose: {p: players}
        else: {end: game}
      - win: p
""",
        """\
play:
  - turns: players
    do:
      - choose: {p: players}
      - win: p
""",
    ),
    Code(
        "L531",
        "a name that a text cannot decline",
        "A Russian text needs a grammatical case of this name, and the form cannot be told from its ending. "
        "Players read the name unchanged.",
        """\
types: {hill: [moor, dune]}
text: {ru: {moor: верещаник сухой, dune: дюна}}
play:
  - turns: players
    do:
      - choose: {h: hill}
        label: {en: "take {h}", ru: "взять {h:acc}"}
      - end: game
scoring: {rows: {all: 1}}
""",
        """\
types: {hill: [moor, dune]}
text: {ru: {moor: верещаник сухой, dune: дюна}}
cases: {ru: {верещаник сухой: {acc: верещаник сухой}}}
play:
  - turns: players
    do:
      - choose: {h: hill}
        label: {en: "take {h}", ru: "взять {h:acc}"}
      - end: game
scoring: {rows: {all: 1}}
""",
    ),
    Code(
        "L532",
        "a type in a text",
        "The name of a type means all of its members, so players would read all of them. To show one of them, use"
        " the name that stands for it.",
        """\
play:
  - turns: players
    do:
      - choose: {p: players}
        label: {en: "wave to {player}", ru: "помахать: {player}"}
        else: {end: game}
      - end: game
scoring: {rows: {all: 1}}
""",
        """\
play:
  - turns: players
    do:
      - choose: {p: players}
        label: {en: "wave to {p}", ru: "помахать: {p}"}
        else: {end: game}
      - end: game
scoring: {rows: {all: 1}}
""",
    ),
    Code(
        "L533",
        "a shuffled pile that everybody sees",
        "A place without `seen:` is visible to everybody. So players know the order of the whole pile, and "
        "shuffling it has no effect.",
        """\
pieces: {card: {rows: [{name: moor}, {name: dune}], start: deck}}
places:
  deck: {holds: card, order: pile}
  hand: {per: player, holds: card, seen: owner}
setup:
  - shuffle: deck
play:
  - turns: players
    do:
      - draw: 1
        from: deck
        to: me.hand
      - end: game
scoring: {rows: {cards: count(me.hand)}}
""",
        """\
pieces: {card: {rows: [{name: moor}, {name: dune}], start: deck}}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
setup:
  - shuffle: deck
play:
  - turns: players
    do:
      - draw: 1
        from: deck
        to: me.hand
      - end: game
scoring: {rows: {cards: count(me.hand)}}
""",
    ),
    Code(
        "L534",
        "a choice among the hidden pieces of all players",
        "Without an owner, the name of a place that every player has means the places of all players together. So"
        " a player would choose among pieces that others hold hidden.",
        """\
pieces: {card: {rows: [{name: moor}, {name: dune}, {name: reef}, {name: cape}], start: deck}}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  played: {holds: card}
setup:
  - shuffle: deck
  - deal: 2
    from: deck
    to: hand
play:
  - turns: players
    until: no(me.hand)
    do:
      - choose: {c: hand}
        label: play {c}
      - move: c
        to: played
scoring: {rows: {cards: count(me.hand)}}
""",
        """\
pieces: {card: {rows: [{name: moor}, {name: dune}, {name: reef}, {name: cape}], start: deck}}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  played: {holds: card}
setup:
  - shuffle: deck
  - deal: 2
    from: deck
    to: hand
play:
  - turns: players
    until: no(me.hand)
    do:
      - choose: {c: me.hand}
        label: play {c}
      - move: c
        to: played
scoring: {rows: {cards: count(me.hand)}}
""",
    ),
)
