"""S: which keys stand where, and what may stand behind them."""

from ruledsl.diagnostics.entry import Code

SHAPE = (
    Code(
        "S101",
        "an unknown key",
        "Each sort of map has its own keys. Look at the spelling; a key indented too much or too little also lands in "
        "the wrong map.",
        "- choose: {c: board}\n  lable: place at {c}\n  else: {tie: players}\n- move: stone\n  to: c\n",
        "- choose: {c: board}\n  label: place at {c}\n  else: {tie: players}\n- move: stone\n  to: c\n",
    ),
    Code(
        "S102",
        "a missing key",
        "Some keys must be there: a game has players, a loop something to do.",
        "- repeat: 2\n",
        "- repeat: 2\n  do:\n    - say: well played\n",
    ),
    Code(
        "S103",
        "the wrong shape of a value",
        "A key takes one shape of value: a text, a number, a list or a map.",
        "options:\n  size: {is: 3..9, start: 5}\npresets: [small, large]\n",
        "options:\n  size: {is: 3..9, start: 5}\npresets:\n  small: {size: 3}\n",
    ),
    Code(
        "S104",
        "not a map",
        "What stands here has keys and values of its own.",
        "options:\n  size: 3..9\n",
        "options:\n  size: {is: 3..9, start: 5}\n",
    ),
    Code(
        "S105",
        "none of the words that can stand here",
        "Some keys take one of a few words.",
        "places:\n  deck: {holds: stone, order: stack}\n",
        "places:\n  deck: {holds: stone, order: pile}\n",
    ),
    Code(
        "S106",
        "another version of the language",
        "`ruledsl: 1` says in which version of the rule language a game is written.",
        "ruledsl: 7\n",
        "ruledsl: 1\n",
    ),
    Code(
        "S107",
        "a type without members",
        "A type that is a list of words needs at least one word.",
        "types:\n  color: []\n",
        "types:\n  color: [red, blue]\n",
    ),
    Code(
        "S108",
        "a row without a value",
        "Each row of a table gives a value to every attribute, unless the attribute is a `maybe`, a set, a list, a bag or "
        "a condition.",
        "pieces:\n  card:\n    attributes: {worth: 1..9}\n    rows:\n      - {name: ace, worth: 9}\n      - {name: jack}\n",
        "pieces:\n  card:\n    attributes: {worth: 1..9}\n    rows:\n      - {name: ace, worth: 9}\n      - {name: jack, worth: 2}\n",
    ),
    Code(
        "S109",
        "a table of values that does not fit its keys",
        "A value `by` something is a list with one item for each key, or a map from keys to values.",
        "types: {side: [left, right]}\npieces:\n  tile:\n    attributes: {edges: 0..9 by side}\n    rows:\n      - {name: a, edges: [1]}\n",
        "types: {side: [left, right]}\npieces:\n  tile:\n    attributes: {edges: 0..9 by side}\n    rows:\n      - {name: a, edges: [1, 2]}\n",
    ),
    Code(
        "S110",
        "parts of a tile without sides",
        "The parts of a tile need the attribute `sides: set of direction`: where each part meets the edge.",
        "board: {hexes: {radius: 3}}\npieces:\n  tile:\n    tile: board\n    parts:\n      area: {attributes: {wide: bool}, from: areas}\n"
        "    rows:\n      - {name: a, areas: [{wide: true}]}\n",
        "board: {hexes: {radius: 3}}\npieces:\n  tile:\n    tile: board\n    parts:\n      area: {attributes: {sides: set of direction}, from: areas}\n"
        "    rows:\n      - {name: a, areas: [{sides: [n, s]}]}\n",
    ),
    Code(
        "S111",
        "a list among statements",
        "A block is one list of statements; a list inside the list means nothing.",
        "- - say: hello\n",
        "- say: hello\n",
    ),
    Code(
        "S112",
        "a statement is missing",
        "After a `-` in a block stands a statement.",
        "- {}\n",
        "- say: hello\n",
    ),
    Code(
        "S113",
        "an unknown statement",
        "A statement begins with its verb, such as `choose`, `move`, `set` or `if`.",
        "- place: stone\n  to: a1\n",
        "- move: stone\n  to: a1\n",
    ),
    Code(
        "S114",
        "the verb is not first",
        "A statement begins with its verb, so that a reader knows at once what it does; the other keys follow.",
        "- to: a1\n  move: stone\n",
        "- move: stone\n  to: a1\n",
    ),
    Code(
        "S115",
        "a text that is no statement",
        "A bare text in a block calls an effect: its name with brackets.",
        "effects:\n  refill: {say: full}\nplay:\n  - refill\n",
        "effects:\n  refill: {say: full}\nplay:\n  - refill()\n",
    ),
    Code(
        "S116",
        "a limit that cannot be read",
        "A limit is a number, the word `per`, and turn, round, game or the name of a phase.",
        "actions:\n  wave: {menu: moves, limit: twice, do: {say: hello}}\nplay:\n  - turns: players\n    do: {choose one: moves}\n",
        "actions:\n  wave: {menu: moves, limit: 2 per turn, do: {say: hello}}\nplay:\n  - turns: players\n    do: {choose one: moves}\n",
    ),
    Code(
        "S117",
        "a trigger without its moment",
        "A trigger has exactly one of `before`, `after`, `instead` and `modify`, which says when it acts.",
        "triggers:\n  bell: {do: {say: ding}}\n",
        "triggers:\n  bell: {after: turn, do: {say: ding}}\n",
    ),
    Code(
        "S118",
        "players that cannot be read",
        "`players:` is a number, a range or a list of different names; at most 16.",
        "players: two to four\n",
        "players: 2..4\n",
    ),
    Code(
        "S119",
        "rules nested too deeply",
        "Effects and formulas call each other in a chain too long to be read. Shorten the chain.",
    ),
)
