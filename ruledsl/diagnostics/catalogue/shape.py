"""S: which keys stand where, and what may stand behind them."""

from ruledsl.diagnostics.entry import Code

SHAPE = (
    Code(
        "S101",
        "an unknown key",
        "Each kind of map has its own keys. Check the spelling and the indentation: a key that is indented too "
        "much or too little is in the wrong map.",
        """\
- choose: {c: board}
  lable: place at {c}
  else: {tie: players}
- move: stone
  to: c
""",
        """\
- choose: {c: board}
  label: place at {c}
  else: {tie: players}
- move: stone
  to: c
""",
    ),
    Code(
        "S102",
        "a missing key",
        "Some keys are required: a game needs players, and a loop needs something to do.",
        """\
- repeat: 2
""",
        """\
- repeat: 2
  do:
    - say: well played
""",
    ),
    Code(
        "S103",
        "the wrong shape of a value",
        "A key takes one shape of value: a text, a number, a list or a map.",
        """\
options:
  size: {is: 3..9, start: 5}
presets: [small, large]
""",
        """\
options:
  size: {is: 3..9, start: 5}
presets:
  small: {size: 3}
""",
    ),
    Code(
        "S104",
        "not a map",
        "This must be a map with keys and values.",
        """\
options:
  size: 3..9
""",
        """\
options:
  size: {is: 3..9, start: 5}
""",
    ),
    Code(
        "S105",
        "not one of the possible words",
        "Some keys take one of a few words.",
        """\
places:
  deck: {holds: stone, order: stack}
""",
        """\
places:
  deck: {holds: stone, order: pile}
""",
    ),
    Code(
        "S106",
        "an unknown version of the language",
        "`ruledsl: 1` says which version of the rule language the game is written in.",
        """\
ruledsl: 7
""",
        """\
ruledsl: 1
""",
    ),
    Code(
        "S107",
        "a type without members",
        "A type that is a list of words needs at least one word.",
        """\
types:
  color: []
""",
        """\
types:
  color: [red, blue]
""",
    ),
    Code(
        "S108",
        "a row without a value",
        "Each row of a table gives a value to every attribute, unless the attribute is a `maybe`, a set, a "
        "list, a bag or a condition.",
        """\
pieces:
  card:
    attributes: {worth: 1..9}
    rows:
      - {name: ace, worth: 9}
      - {name: jack}
""",
        """\
pieces:
  card:
    attributes: {worth: 1..9}
    rows:
      - {name: ace, worth: 9}
      - {name: jack, worth: 2}
""",
    ),
    Code(
        "S109",
        "a table of values that does not fit its keys",
        "A value `by` something is a list with one item for each key, or a map from keys to values.",
        """\
types: {side: [left, right]}
pieces:
  tile:
    attributes: {edges: 0..9 by side}
    rows:
      - {name: a, edges: [1]}
""",
        """\
types: {side: [left, right]}
pieces:
  tile:
    attributes: {edges: 0..9 by side}
    rows:
      - {name: a, edges: [1, 2]}
""",
    ),
    Code(
        "S110",
        "parts of a tile without sides",
        "The parts of a tile need the attribute `sides: set of direction`: where each part meets the edge.",
        """\
board: {hexes: {radius: 3}}
pieces:
  tile:
    tile: board
    parts:
      area: {attributes: {wide: bool}, from: areas}
    rows:
      - {name: a, areas: [{wide: true}]}
""",
        """\
board: {hexes: {radius: 3}}
pieces:
  tile:
    tile: board
    parts:
      area: {attributes: {sides: set of direction}, from: areas}
    rows:
      - {name: a, areas: [{sides: [n, s]}]}
""",
    ),
    Code(
        "S111",
        "a list among statements",
        "A block is one list of statements. It cannot contain another list.",
        """\
- - say: hello
""",
        """\
- say: hello
""",
    ),
    Code(
        "S112",
        "a statement is missing",
        "After a `-` in a block comes a statement.",
        """\
- {}
""",
        """\
- say: hello
""",
    ),
    Code(
        "S113",
        "an unknown statement",
        "A statement begins with its verb, such as `choose`, `move`, `set` or `if`.",
        """\
- place: stone
  to: a1
""",
        """\
- move: stone
  to: a1
""",
    ),
    Code(
        "S114",
        "the verb is not first",
        "A statement begins with its verb, so that readers see at once what it does. The other keys follow.",
        """\
- to: a1
  move: stone
""",
        """\
- move: stone
  to: a1
""",
    ),
    Code(
        "S115",
        "a text that is no statement",
        "A bare text in a block calls an effect: its name with brackets.",
        """\
effects:
  refill: {say: full}
play:
  - refill
""",
        """\
effects:
  refill: {say: full}
play:
  - refill()
""",
    ),
    Code(
        "S116",
        "a limit that cannot be read",
        "A limit is a number, the word `per`, and turn, round, game or the name of a phase.",
        """\
actions:
  wave: {menu: moves, limit: twice, do: {say: hello}}
play:
  - turns: players
    do: {choose one: moves}
""",
        """\
actions:
  wave: {menu: moves, limit: 2 per turn, do: {say: hello}}
play:
  - turns: players
    do: {choose one: moves}
""",
    ),
    Code(
        "S117",
        "a trigger without its moment",
        "A trigger has exactly one of `before`, `after`, `instead` and `modify`, which says when it acts.",
        """\
triggers:
  bell: {do: {say: ding}}
""",
        """\
triggers:
  bell: {after: turn, do: {say: ding}}
""",
    ),
    Code(
        "S118",
        "players that cannot be read",
        "`players:` is a number, a range or a list of different names; at most 16.",
        """\
players: two to four
""",
        """\
players: 2..4
""",
    ),
    Code(
        "S119",
        "rules nested too deeply",
        "Effects and formulas call each other in a chain that is too long. Shorten the chain.",
    ),
    Code(
        "S120",
        "turning what is no tile",
        "`turned:` says how a tile lies. `tile:` says which kinds of pieces are tiles, and on which board.",
        """\
board: {grid: {width: 3, height: 3}}
pieces:
  path: {count: 9}
play:
  - move: path
    to: a1
    turned: 1
""",
        """\
board: {grid: {width: 3, height: 3}}
pieces:
  path: {count: 9, tile: board}
play:
  - move: path
    to: a1
    turned: 1
""",
    ),
    Code(
        "S121",
        "no such color",
        "Under `looks:`, `color:` takes one of a few names, or `#` and six hexadecimal digits, in quotes.",
        """\
types: {ground: [sea, land]}
values: {found: maybe ground}
looks:
  sea: {color: bleu}
""",
        """\
types: {ground: [sea, land]}
values: {found: maybe ground}
looks:
  sea: {color: blue}
  land: {color: '#7f9f4f'}
""",
    ),
    Code(
        "S122",
        "an unknown language for players",
        "A text by language has the keys `en` and `ru`.",
        """\
title: {en: Example, rus: Пример}
""",
        """\
title: {en: Example, ru: Пример}
""",
    ),
    Code(
        "S123",
        "it is not clear what this is",
        "Something with a name is shown with that name. Anything else needs a text that says what it is.",
        """\
places: {hand: {per: player, holds: stone, start: reserve(stone)}}
pieces: {stone: {per: player, count: 3}}
show:
  player: [2 * count(me.hand)]
""",
        """\
places: {hand: {per: player, holds: stone}}
pieces: {stone: {per: player, count: 3}}
show:
  player: ["twice the hand: {2 * count(me.hand)}"]
""",
    ),
    Code(
        "S124",
        "a notation without a label, or without the sign of its chain",
        "A notation is another way to type an option. The option also needs a label that players read. With "
        "`chain:`, the sign given there must stand once in the notation, between from and to.",
        """\
- choose: {c: board where empty(c)}
  notation: "{c}"
  else: {tie: players}
- move: stone
  to: c
""",
        """\
- choose: {c: board where empty(c)}
  label: place at {c}
  notation: "{c}"
  else: {tie: players}
- move: stone
  to: c
""",
    ),
    Code(
        "S125",
        "a key in the wrong place",
        "What belongs to a key goes below it, indented further, or after it in braces. Keys of one statement go "
        "below each other in the same column, or in braces around all of them.",
        """\
- choose: {c: board where empty(c)}
  else: {tie: players}
- move: stone to c
""",
        """\
- choose: {c: board where empty(c)}
  else: {tie: players}
- move: stone
  to: c
""",
    ),
    Code(
        "S126",
        "a reason where nothing is refused",
        "Players read `because:` when the rules refuse what they want. So it stands beside what refuses it: a "
        "condition, what may be chosen, a limit, a cost, a formula that gives a condition or a set, or `forbid:` "
        "of a trigger.",
        """\
define:
  width:
    is: count(c in board where empty(c))
    because: there is no room
play:
  - turns: players
    do:
      - choose: {free: board where width > 0 and empty(free)}
        else: {tie: players}
      - move: stone
        to: free
""",
        """\
define:
  width: count(c in board where empty(c))
play:
  - turns: players
    do:
      - choose: {free: board where empty(free)}
        where: {is: width > 0, because: there is no room}
        else: {tie: players}
      - move: stone
        to: free
""",
    ),
    Code(
        "S127",
        "a comma cut a value",
        "Inside { } a comma separates entries, even in the middle of a text. Write a text in quotes, and an "
        "expression on a line of its own.",
        """\
play:
  - turns: players
    do:
      - choose one:
          - {label: stop, and go home, do: {end: game}}
""",
        """\
play:
  - turns: players
    do:
      - choose one:
          - {label: "stop, and go home", do: {end: game}}
""",
    ),
    Code(
        "S128",
        "not a picture",
        "Under `looks:`, `picture:` names an SVG or PNG file in the folder of the game.",
        """\
types: {ground: [sea, land]}
values: {found: maybe ground}
looks:
  sea: {picture: sea.jpeg}
""",
        """\
types: {ground: [sea, land]}
values: {found: maybe ground}
looks:
  sea: {symbol: S}
""",
    ),
    Code(
        "S129",
        "a look for something else",
        "Under `looks:`, `at:` says where a place is on the page, and `corner:`, `middle:` and `below:` what stands on "
        "the cards of a kind.",
        """\
types: {ground: [sea, land]}
values: {found: maybe ground}
looks:
  sea: {at: top}
""",
        """\
types: {ground: [sea, land]}
values: {found: maybe ground}
looks:
  sea: {color: blue}
""",
    ),
    Code(
        "S130",
        "a board that does not fit its picture",
        "A board with `picture:` under `looks:` needs `spots:`, which says where each space is on the picture, in"
        " units of the picture, from its upper left corner. A board of rows and columns can use `within:` "
        "instead.",
        """\
looks:
  board: {spots: spots.csv}
""",
        """\
looks:
  cross: {color: blue}
""",
    ),
)
