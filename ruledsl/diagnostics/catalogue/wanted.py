"""T: values where a declaration or a statement wants others."""

from ruledsl.diagnostics.entry import Code

WANTED = (
    Code(
        "T237",
        "not a type",
        "A type is a list of words, a range as in `0..9`, or a part of a type.",
        """\
types:
  flag: bool
""",
        """\
types:
  flag: [up, down]
""",
    ),
    Code(
        "T238",
        "a part of a type with nothing in it",
        "The condition after `where` must hold for at least one member.",
        """\
types:
  color: [red, blue]
  dark: {some: color, where: this > blue}
""",
        """\
types:
  color: [red, blue]
  dark: {some: color, where: this > red}
""",
    ),
    Code(
        "T239",
        "a type that cannot be stored",
        "A value or a state attribute holds a number, a thing, a set, a list or a bag. For a table use `per:`.",
        """\
values:
  score: 0..9 by player
""",
        """\
values:
  score: {is: 0..9, per: player}
""",
    ),
    Code(
        "T240",
        "a place for something that is not a piece",
        "`holds:` of a place names kinds of pieces.",
        """\
types: {color: [red, blue]}
places:
  hand: {per: player, holds: color}
""",
        """\
places:
  hand: {per: player, holds: stone}
""",
    ),
    Code(
        "T241",
        "a place without an owner",
        "`seen: owner` needs an owner: the place must be `per: player`, or belong to something that a player has.",
        """\
places:
  deck: {holds: stone, seen: owner}
""",
        """\
places:
  hand: {per: player, holds: stone, seen: owner}
""",
    ),
    Code(
        "T242",
        "seen by something that is not a player",
        "`seen:` takes `all`, `none`, `owner`, `others`, `top`, or an expression that gives players.",
        """\
places:
  deck: {holds: stone, seen: board}
""",
        """\
places:
  deck: {holds: stone, seen: none}
""",
    ),
    Code(
        "T243",
        "an action without a limit",
        "Uses are only counted for an action with a `limit:`.",
        """\
actions:
  wave: {menu: moves, do: {say: hello}}
play:
  - turns: players
    do:
      - choose one: moves
      - if: used(wave) > 0
        then: {tie: players}
""",
        """\
actions:
  wave: {menu: moves, limit: 2 per game, do: {say: hello}}
play:
  - turns: players
    do:
      - choose one: moves
      - if: used(wave) > 0
        then: {tie: players}
""",
    ),
    Code(
        "T244",
        "a value as a statement",
        "A function or a formula gives a value and changes nothing. As a statement it would do nothing.",
        """\
- count(board)
""",
        """\
- say: '{count(board)} fields'
""",
    ),
    Code(
        "T245",
        "what cannot be set",
        "`set`, `add` and `subtract` change values and state attributes. Move pieces with `move:`, and tokens "
        "with `gain:` and `pay:`. Everything else is fixed.",
        """\
- set: {a1.stone: none}
""",
        """\
values: {score: {per: player, is: 0..9}}
play:
  - turns: players
    do: {set: {me.score: 3}}
""",
    ),
    Code(
        "T246",
        "not an amount",
        "An amount says how many of which tokens: `{wood: 1}`, or a bag.",
        """\
types: {good: [wood, clay]}
pools:
  goods: {of: good, total: 20, at: {player: store}}
play:
  - turns: players
    do: {gain: 3}
""",
        """\
types: {good: [wood, clay]}
pools:
  goods: {of: good, total: 20, at: {player: store}}
play:
  - turns: players
    do: {gain: {wood: 3}}
""",
    ),
    Code(
        "T247",
        "tokens of no pool, or of several",
        "It is not clear which pool the tokens come from. Name who gives them and who gets them.",
        """\
types: {good: [wood, clay]}
pools:
  goods: {of: good, total: 9, at: {player: store}}
  debts: {of: good, total: 9, at: {player: owed}}
play:
  - turns: players
    do: {gain: {wood: 1}}
""",
        """\
types: {good: [wood, clay]}
pools:
  goods: {of: good, total: 9, at: {player: store}}
  debts: {of: good, total: 9, at: {player: owed}}
play:
  - turns: players
    do: {gain: {wood: 1}, to: me.owed}
""",
    ),
    Code(
        "T248",
        "not a holder of tokens",
        "Tokens belong to the holders that their pool names under `at:`.",
        """\
pools:
  gold: {total: 20, at: {player: purse}}
play:
  - turns: players
    do: {gain: {gold: 1}, to: a1}
""",
        """\
pools:
  gold: {total: 20, at: {player: purse}}
play:
  - turns: players
    do: {gain: {gold: 1}, to: me.purse}
""",
    ),
    Code(
        "T249",
        "tokens that no player holds",
        "Without `from:` and `to:`, tokens go to and from the player who acts. No player can have these tokens.",
        """\
pools:
  gold: {total: 20, at: {all: pot}}
play:
  - turns: players
    do: {gain: {gold: 1}}
""",
        """\
pools:
  gold: {total: 20, at: {all: pot}}
play:
  - turns: players
    do: {gain: {gold: 1}, to: pot}
""",
    ),
    Code(
        "T250",
        "a loop over some of a set",
        "A loop runs over all members of a set. Only a choice can take a number of them.",
        """\
- for: {c: 2 of board}
  do: {say: '{c}'}
""",
        """\
- for: {c: board}
  do: {say: '{c}'}
""",
    ),
    Code(
        "T251",
        "not players",
        "Only players can act, take turns and be asked.",
        """\
play:
  - turns: board
    do: {say: hello}
""",
        """\
play:
  - turns: players
    do: {say: hello}
""",
    ),
    Code(
        "T252",
        "nothing to add to",
        "`add` and `subtract` change numbers, sets and bags. Everything else is `set`.",
        """\
values: {won: bool}
play:
  - add: {won: 1}
""",
        """\
values: {won: 0..9}
play:
  - add: {won: 1}
""",
    ),
    Code(
        "T253",
        "not pieces",
        "The statement takes a piece, a set of pieces or a place.",
        """\
- move: a1
  to: a2
""",
        """\
- move: stone
  to: a2
""",
    ),
    Code(
        "T254",
        "no place of every player",
        "Pieces are dealt to a place that every player has, or every member of something else.",
        """\
places: {deck: {holds: stone, order: pile}, heap: {holds: stone}}
play:
  - deal: 1
    from: deck
    to: heap
""",
        """\
places: {deck: {holds: stone, order: pile}, heap: {per: player, holds: stone}}
play:
  - deal: 1
    from: deck
    to: heap
""",
    ),
    Code(
        "T255",
        "a modifier of the wrong sort",
        "`allow` and `forbid` modify conditions, `add` modifies numbers.",
        """\
define:
  cost: 3
triggers:
  cheap: {modify: cost, forbid: round > 1}
scoring: {rows: {all: cost}}
""",
        """\
define:
  cost: 3
triggers:
  cheap: {modify: cost, add: 0 - 1}
scoring: {rows: {all: cost}}
""",
    ),
    Code(
        "T256",
        "no order to draw from or to shuffle",
        "Pieces are drawn from the top of a pile; a place without `order` has no top. Slots are not shuffled.",
        """\
places: {heap: {holds: stone}, hand: {holds: stone, per: player}}
play:
  - deal: 1
    from: heap
    to: hand
""",
        """\
places: {heap: {holds: stone, order: pile}, hand: {holds: stone, per: player}}
play:
  - deal: 1
    from: heap
    to: hand
""",
    ),
    Code(
        "T257",
        "`once=` that cannot be used",
        "`once=` of `reachable` takes the name of an attribute that never changes. It cannot be combined with "
        "`within=`.",
        """\
define:
  down: reachable([a1], once=column, c in board where empty(c))
""",
        """\
define:
  down: reachable([a1], once=x, c in board where empty(c))
""",
    ),
    Code(
        "T258",
        "a part of a call with no effect",
        "`by` is for functions that put members in order: `list`, `first`, `last`, `most` and `least`. With `x "
        "in …` or `… for x in …` a call has no other arguments.",
        """\
values: {score: {per: player, is: 0..9}}
define:
  best: max(p.score for p in players by p.score)
""",
        """\
values: {score: {per: player, is: 0..9}}
define:
  best: most(p in players by p.score)
""",
    ),
    Code(
        "T259",
        "something that cannot be shown",
        "`show:` takes a value: a number, a word, a condition, or several of these. If every player has it, say "
        "whose it is, as in `me.score` under `player:`.",
        """\
values: {score: {per: player, is: 0..9}}
show:
  game: [score]
""",
        """\
values: {score: {per: player, is: 0..9}}
show:
  player: [score]
""",
    ),
    Code(
        "T260",
        "`step=` with a condition that is not about the step",
        "`step=` is a condition on one step from a space to the next: `from` is where the step begins, `to` is "
        "where it ends, and `edge` is the edge between them, if edges are declared with `edges_of:`.",
        """\
boards:
  field: {grid: {width: 3, height: 3, neighbors: orthogonal}, space: square}
  gaps: {edges_of: field, space: gap, state: {wall: bool}}
define:
  far(square a, square b): distance(a, b, step=not gap.wall)
""",
        """\
boards:
  field: {grid: {width: 3, height: 3, neighbors: orthogonal}, space: square}
  gaps: {edges_of: field, space: gap, state: {wall: bool}}
define:
  far(square a, square b): distance(a, b, step=not edge.wall)
""",
    ),
    Code(
        "T261",
        "edges that are not given",
        "`edges_match` compares what a tile shows on its sides with what the tiles around it show. It takes a "
        "table by direction, or an attribute of the parts of the tile.",
        """\
types: {side: [water, bank]}
board: {grid: {width: 3, height: 3}, space: lot}
pieces:
  canal:
    tile: board
    attributes: {edges: side by orthogonal}
    rows: [{copies: 3, edges: {n: water, e: bank, s: water, w: bank}}]
define:
  fits(canal c, lot at): edges_match(c.sides, at)
""",
        """\
types: {side: [water, bank]}
board: {grid: {width: 3, height: 3}, space: lot}
pieces:
  canal:
    tile: board
    attributes: {edges: side by orthogonal}
    rows: [{copies: 3, edges: {n: water, e: bank, s: water, w: bank}}]
define:
  fits(canal c, lot at): edges_match(c.edges, at)
""",
    ),
)
