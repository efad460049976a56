"""T: values that do not go where they stand in an expression."""

from ruledsl.diagnostics.entry import Code

TYPES = (
    Code(
        "T201",
        "a value of another type",
        "A value of another type is needed here: for example, a space is needed, and this is a number.",
        """\
- if: empty(3)
  then: {tie: players}
""",
        """\
- if: empty(a3)
  then: {tie: players}
""",
    ),
    Code(
        "T202",
        "a value of the wrong part of a type",
        "Only some members of a type, or one kind of piece, are possible here, and this is never one of them.",
        """\
types:
  color: [red, blue, grey]
  bright: {some: color, where: this < grey}
values:
  lamp: {is: bright, start: grey}
""",
        """\
types:
  color: [red, blue, grey]
  bright: {some: color, where: this < grey}
values:
  lamp: {is: bright, start: blue}
""",
    ),
    Code(
        "T203",
        "values that do not go together",
        "The two sides of an operator, the items of a list, or the two outcomes of a choice must have the same "
        "type. `none` cannot be an item of a list: write `x == none or x in [a1, b2]`.",
        """\
define:
  odd: if round > 3 then a1 else 7
""",
        """\
define:
  odd: if round > 3 then a1 else b2
""",
    ),
    Code(
        "T204",
        "an attribute of a set",
        "A set has no attributes; only the things in it have. `set(x.owner for x in …)` collects them, `first(…)`"
        " takes the first one.",
        """\
define:
  owners: board.stone
""",
        """\
define:
  stones: set(c.stone for c in board)
""",
    ),
    Code(
        "T205",
        "a value without attributes",
        "After a dot comes an attribute. Numbers, conditions and sets of numbers have no attributes.",
        """\
define:
  odd: 3.size
""",
        """\
define:
  odd: a1.y
""",
    ),
    Code(
        "T206",
        "an attribute that some do not have",
        "Only some kinds of these pieces have the attribute. First make sure that the piece is one of them. What all "
        "of the kinds have under one name, with the same type, can be read of any of them.",
        """\
pieces:
  king: {per: player, count: 1, state: {moved: bool}}
  rook: {per: player, count: 2}
define:
  still(piece p): not p.moved
""",
        """\
pieces:
  king: {per: player, count: 1, state: {moved: bool}}
  rook: {per: player, count: 2}
define:
  still(king p): not p.moved
""",
    ),
    Code(
        "T207",
        "nothing to look up",
        "`[…]` looks up an item of a list, a number in a bag, or a value by its key.",
        """\
define:
  odd: turn_number[1]
""",
        """\
values: {score: {per: player, is: 0..9}}
define:
  mine: score[me]
""",
    ),
    Code(
        "T208",
        "the wrong number of keys",
        "A space of a board is found by its coordinates, and a place by its owner.",
        """\
define:
  middle: board[2]
""",
        """\
define:
  middle: board[2, 2]
""",
    ),
    Code(
        "T209",
        "not a number",
        "A number is needed here.",
        """\
define:
  odd: -board
""",
        """\
define:
  odd: count(board) + 1
""",
    ),
    Code(
        "T210",
        "not a condition",
        "A condition is true or false: a comparison, a question such as `empty(c)`, or a thing that may be none.",
        """\
- if: board
  then: {tie: players}
""",
        """\
- if: any(c in board where empty(c))
  then: {tie: players}
""",
    ),
    Code(
        "T211",
        "a question with only one answer",
        "A thing as a condition asks whether it is there, and this one is always there.",
        """\
- choose: {c: board}
  else: {tie: players}
- if: c
  then: {tie: players}
""",
        """\
- choose: {c: board}
  else: {tie: players}
- if: c.stone
  then: {tie: players}
""",
    ),
    Code(
        "T212",
        "values without an order",
        "Only numbers, members of types, spaces, pieces and lists have an order for `<` and `>`.",
        """\
players: [white, black]
define:
  odd: me < black
""",
        """\
players: [white, black]
define:
  dark: me == black
""",
    ),
    Code(
        "T213",
        "values of different types compared",
        "Things that are compared, looked for or joined must have the same type.",
        """\
define:
  odd: a1 == 3
""",
        """\
define:
  corner: a1.y == 3
""",
    ),
    Code(
        "T214",
        "a comparison with only one answer",
        "The two sides can never be equal, or they always are, whatever happens during play.",
        """\
- choose: {c: board}
  else: {tie: players}
- if: c == none
  then: {tie: players}
""",
        """\
- choose: {c: board}
  else: {tie: players}
- if: c.stone == none
  then: {tie: players}
""",
    ),
    Code(
        "T215",
        "`from`, `after` or `except` without a set",
        "`from`, `after` and `except` need a set or a list before them.",
        """\
define:
  odd: 3 after me
""",
        """\
define:
  others: players after me
""",
    ),
    Code(
        "T216",
        "a value that is never none",
        "`otherwise` and `the` are for values that may be none. This one never is.",
        """\
define:
  odd: round otherwise 3
""",
        """\
values: {best: maybe 0..9}
define:
  known: best otherwise 3
""",
    ),
    Code(
        "T217",
        "turning among directions of several boards",
        "`d + 1` turns a direction clockwise. These directions belong to boards of different shapes, so it is not"
        " clear how far to turn.",
        """\
boards:
  a: {grid: {width: 3, height: 3}, space: cell}
  b: {hexes: {radius: 2}, space: hex}
define:
  turned(direction d): d + 1
""",
        """\
board: {hexes: {radius: 2}, space: hex}
define:
  turned(direction d): d + 1
""",
    ),
    Code(
        "T218",
        "a value used as a function",
        "Brackets call a function or a formula. This is a value.",
        """\
values: {score: 0..9}
define:
  odd: score(3)
""",
        """\
values: {score: 0..9}
define:
  more: score + 3
""",
    ),
    Code(
        "T219",
        "an effect where a value is needed",
        "An effect does something and has no value. Call it as a statement of its own.",
        """\
effects:
  refill: {say: full}
define:
  odd: refill()
""",
        """\
effects:
  refill: {say: full}
play:
  - refill()
""",
    ),
    Code(
        "T220",
        "`for`, `where` or `by` where plain arguments are needed",
        "Only functions over a set, such as `count` or `first`, take `for`, `where` and `by`.",
        """\
define:
  twice(0..9 n): n * 2
  odd: twice(n for n in 1..3)
""",
        """\
define:
  twice(0..9 n): n * 2
  all_twice: sum(twice(n) for n in 1..3)
""",
    ),
    Code(
        "T221",
        "too many or too few arguments",
        "A function, formula or effect takes exactly the arguments in its signature.",
        """\
define:
  twice(0..9 n): n * 2
  odd: twice(1, 2)
""",
        """\
define:
  twice(0..9 n): n * 2
  two: twice(1)
""",
    ),
    Code(
        "T222",
        "not a set",
        "A set or a list is needed here. `[x]` is a list with one item.",
        """\
define:
  odd: count(c in a1)
""",
        """\
define:
  one: count(c in [a1] where empty(c))
""",
    ),
    Code(
        "T223",
        "where without a name",
        "`where` and `by` need a name for each member: `count(c in board where empty(c))`.",
        """\
define:
  odd: count(board where true)
""",
        """\
define:
  free: count(c in board where empty(c))
""",
    ),
    Code(
        "T224",
        "part of a function over a set is missing",
        "Some functions need a value, a condition or an order for each member: `sum(x.worth for x in …)`, "
        "`all(x.open for x in …)`, `most(x in … by x.worth)`.",
        """\
define:
  odd: all(c in board where empty(c))
""",
        """\
define:
  full: all(not empty(c) for c in board)
""",
    ),
    Code(
        "T225",
        "sorting by something without an order",
        "You can sort by numbers, by members of types, or by lists of them.",
        """\
define:
  odd: first(c in board by neighbors(c))
""",
        """\
define:
  lowest: first(c in board by c.y)
""",
    ),
    Code(
        "T226",
        "`count` of a bag",
        "`count` counts the members of a set. `total` adds up what is in a bag.",
        """\
types: {good: [wood, clay]}
pools:
  goods: {of: good, total: 20, at: {player: store}}
define:
  mine: count(me.store)
""",
        """\
types: {good: [wood, clay]}
pools:
  goods: {of: good, total: 20, at: {player: store}}
define:
  mine: total(me.store)
""",
    ),
    Code(
        "T227",
        "`any` or `no` of something that is not a set",
        "`any` and `no` ask about a set, a list, a bag or a place.",
        """\
define:
  odd(space c): any(c.stone)
""",
        """\
define:
  taken: any(c in board where c.stone)
""",
    ),
    Code(
        "T228",
        "nothing to pick from",
        "`first`, `last`, `min` and `max` pick one of several values of the same type.",
        """\
define:
  odd: first(neighbors(c) for c in board)
""",
        """\
define:
  lowest: first(c in board by c.y)
""",
    ),
    Code(
        "T229",
        "the name of something is needed",
        "Some functions take the name of a kind of piece, an action, a history or a type, and not a value.",
        """\
define:
  odd: count(pieces(a1, a2))
""",
        """\
define:
  mine: count(pieces(a1, stone))
""",
    ),
    Code(
        "T230",
        "leaps on a board that is no grid",
        "A leap is a number of steps one way and a number the other way, so it needs a grid.",
        """\
board: {hexes: {radius: 2}}
define:
  odd(space s): leaps(s, 1, 2)
""",
        """\
board: {grid: {width: 8, height: 8}}
define:
  jumps(space s): leaps(s, 1, 2)
""",
    ),
    Code(
        "T231",
        "maybe with a set",
        "`maybe` adds none to a number or to one thing. A set or list can be empty instead.",
        """\
types: {color: [red, blue]}
values: {seen: maybe bool}
""",
        """\
types: {color: [red, blue]}
values: {seen: maybe color}
""",
    ),
    Code(
        "T232",
        "tokens of numbers",
        "A bag counts the members of a type, so tokens are of a type with members.",
        """\
types: {coin: 1..5}
pools:
  money: {of: coin, total: 20, at: {player: purse}}
""",
        """\
types: {coin: [copper, silver]}
pools:
  money: {of: coin, total: 20, at: {player: purse}}
""",
    ),
    Code(
        "T233",
        "an unknown sort of code",
        "Code in the rows of a table is a `number(…)`, a `condition(…)` or an `effect(…)`.",
        """\
types:
  spell:
    attributes: {power: numbr(player p)}
    values:
      flame: {power: 3}
""",
        """\
types:
  spell:
    attributes: {power: number(player p)}
    values:
      flame: {power: 3}
""",
    ),
    Code(
        "T234",
        "not a space or a place",
        "A piece moves to a space of a board, a part of a tile or a place.",
        """\
- move: stone
  to: 3
""",
        """\
- move: stone
  to: a3
""",
    ),
    Code(
        "T235",
        "a supply without a limit",
        "A supply can only be counted if its pool has a `total:`.",
        """\
pools:
  gold: {at: {player: purse}}
define:
  left: supply.gold
""",
        """\
pools:
  gold: {total: 30, at: {player: purse}}
define:
  left: supply.gold
""",
    ),
    Code(
        "T236",
        "a formula with more than one value",
        "A formula or a name has one value. A table still needs a key.",
        """\
values: {score: {per: player, is: 0..9}}
define:
  odd: score
""",
        """\
values: {score: {per: player, is: 0..9}}
define:
  mine: score[me]
""",
    ),
)
