"""R: numbers out of their range, and sizes out of bounds."""

from ruledsl.diagnostics.entry import Code

RANGES = (
    Code(
        "R301",
        "a number that is too large",
        "The largest number is 2,147,483,647.",
        """\
define:
  odd: 9000000000
""",
        """\
define:
  many: 900000000
""",
    ),
    Code(
        "R302",
        "a division by 0",
        "A number cannot be divided by 0.",
        """\
define:
  odd: round / 0
""",
        """\
define:
  half: round / 2
""",
    ),
    Code(
        "R303",
        "a number that could grow too large",
        "With the largest values of its parts, this number would be greater than 2,147,483,647. Limit a part with"
        " `clip` or `min`.",
        """\
define:
  odd: turn_number * turn_number
""",
        """\
define:
  square: min(turn_number, 1000) * min(turn_number, 1000)
""",
    ),
    Code(
        "R304",
        "a number out of its range",
        "The number can never be in the range that is needed here.",
        """\
values:
  score: {is: 0..9, start: 12}
""",
        """\
values:
  score: {is: 0..9, start: 2}
""",
    ),
    Code(
        "R305",
        "a space off the board",
        "The board has no space with these coordinates.",
        """\
define:
  odd: board[4, 1]
""",
        """\
define:
  corner: board[3, 1]
""",
    ),
    Code(
        "R306",
        "a mistake while the game is loaded",
        "A calculation before play fails: a division by 0, or a value that is none.",
        """\
values:
  goal: {is: space, start: the(first(c in board where c.y > 5))}
""",
        """\
values:
  goal: {is: space, start: the(first(c in board where c.y > 2))}
""",
    ),
    Code(
        "R307",
        "what must be fixed before play",
        "Sizes, bounds and starts are calculated once, before play. They cannot depend on what happens during play.",
        """\
values:
  later: {is: 0..9, start: count(c in board where empty(c))}
""",
        """\
values:
  later: {is: 0..9, start: count(board)}
""",
    ),
    Code(
        "R308",
        "an empty range",
        "Write a range from its smaller end to its larger end.",
        """\
values:
  score: 9..0
""",
        """\
values:
  score: 0..9
""",
    ),
    Code(
        "R309",
        "too many pieces",
        "A game has at most 4,000 pieces.",
        """\
pieces:
  stone: {per: player, count: 3000}
""",
        """\
pieces:
  stone: {count: 500}
""",
    ),
    Code(
        "R310",
        "more tokens handed out than there are",
        "`start:` cannot give out more tokens than the `total:` of the pool.",
        """\
pools:
  gold: {total: 5, at: {player: purse}, start: {purse: 9}}
""",
        """\
pools:
  gold: {total: 20, at: {player: purse}, start: {purse: 9}}
""",
    ),
    Code(
        "R311",
        "a state that is too large",
        "The state of a game can have at most 200,000 numbers, for all values and pieces together.",
        """\
board: {grid: {width: 50, height: 50}}
values:
  seen: {is: list of space up to 500, per: space}
""",
        """\
board: {grid: {width: 50, height: 50}}
values:
  seen: {is: list of space up to 5, per: space}
""",
    ),
    Code(
        "R312",
        "negative numbers in a set",
        "A set of numbers cannot contain negative numbers. A list can.",
        """\
define:
  odd: set(n - 5 for n in 1..3)
""",
        """\
define:
  few: list(n - 5 for n in 1..3)
""",
    ),
    Code(
        "R313",
        "a loop that is too long",
        "A loop runs at most 4,000 times.",
        """\
- for: {n: 1..5000}
  do: {say: '{n}'}
""",
        """\
- for: {n: 1..50}
  do: {say: '{n}'}
""",
    ),
    Code(
        "R314",
        "a preset that an option cannot take",
        "A preset can only give an option one of its possible values.",
        """\
options:
  size: {is: 3..9, start: 5}
presets:
  huge: {size: 90}
""",
        """\
options:
  size: {is: 3..9, start: 5}
presets:
  large: {size: 9}
""",
    ),
    Code(
        "R315",
        "a set over too many numbers",
        "A set of numbers can hold numbers up to 1,000,000.",
        """\
define:
  odd: count(set(n for n in 1..2000000000))
""",
        """\
define:
  few: count(set(n for n in 1..200))
""",
    ),
    Code(
        "R316",
        "too many members or keys",
        "A type has at most 4,000 words, and there can be one of something for each of at most 10,000 numbers.",
        """\
types: {year: 1..2000000}
pieces:
  card: {attributes: {worth: 0..9 by year}, rows: [{name: a, worth: [1]}]}
""",
        """\
types: {year: 1..2}
pieces:
  card: {attributes: {worth: 0..9 by year}, rows: [{name: a, worth: [1, 5]}]}
""",
    ),
    Code(
        "R317",
        "too many steps before play begins",
        "Sizes, starts, parts of types and conditions on spaces are calculated when a game is loaded, in at most "
        "ten million steps.",
        """\
values:
  many: {is: 0..9, start: count(n in 1..900000000 where n < 5)}
""",
        """\
values:
  many: {is: 0..9, start: count(n in 1..90 where n < 5)}
""",
    ),
    Code(
        "R318",
        "a choice with too many options",
        "Nobody can choose from a list of hundreds of thousands. If a choice has more than 200,000 options at "
        "once, the play ends in a fault.",
        """\
board: {grid: {width: 19, height: 19}}
play:
  - choose: {a: board, b: board, c: board}
    by: first(players)
    else: {tie: players}
""",
        """\
board: {grid: {width: 19, height: 19}}
play:
  - choose: {a: board, b: board, c: board}
    by: first(players)
    stepwise: true
    else: {tie: players}
""",
    ),
    Code(
        "R319",
        "rules that take too long",
        "Loops inside loops, and formulas that call others twice which call others twice, quickly take longer "
        "than anybody can wait. A rule that takes at least a hundred million steps each time is an error.",
        """\
define:
  many: count(a in 1..900, b in 1..900, c in 1..900, d in 1..900 where a + b > c + d)
""",
        """\
define:
  many: count(a in 1..90, b in 1..90 where a + b > 7)
""",
    ),
    Code(
        "R320",
        "loops that run too often",
        "Between two decisions, at most 500,000 steps can run. More is a loop that never ends, and a fault of the"
        " rules. Loops inside loops that always need more are an error. To count or search, use one expression "
        "instead of a loop.",
        """\
values: {n: 0..9}
play:
  - for: {a: 1..1000}
    do:
      - for: {b: 1..1000}
        do:
          - set: {n: 3}
""",
        """\
values: {n: 0..9}
play:
  - for: {a: 1..100}
    do:
      - for: {b: 1..100}
        do:
          - set: {n: 3}
""",
    ),
    Code(
        "R321",
        "a preset that can never be played",
        "What stands under `forbidden:` rules out the options of this preset for every number of players.",
        """\
options:
  goal: {is: 1..9, start: 3}
  quick: {is: bool, start: false}
presets:
  short: {goal: 9, quick: true}
forbidden:
  - when: quick and goal > 5
    because: a quick game has a near goal
values:
  n: 0..9
play:
  - while: n < goal
    most: 9
    do:
      - add: {n: if quick then 1 else 2}
""",
        """\
options:
  goal: {is: 1..9, start: 3}
  quick: {is: bool, start: false}
presets:
  short: {goal: 2, quick: true}
forbidden:
  - when: quick and goal > 5
    because: a quick game has a near goal
values:
  n: 0..9
play:
  - while: n < goal
    most: 9
    do:
      - add: {n: if quick then 1 else 2}
""",
    ),
)
