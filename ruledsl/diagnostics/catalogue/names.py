"""N: names that are not there, or mean too much."""

from ruledsl.diagnostics.entry import Code

NAMES = (
    Code(
        "N101",
        "an unknown name",
        "You can use names that the game declares, names that this block or formula has introduced, and words of the"
        " language. Check the spelling. A name that `choose`, `for` or `let` introduces is known only in what follows"
        " it in its block.",
        """\
- choose: {cell: board}
  else: {tie: players}
- move: stone
  to: cel
""",
        """\
- choose: {cell: board}
  else: {tie: players}
- move: stone
  to: cell
""",
    ),
    Code(
        "N102",
        "not a member of the type",
        "A type has only the members that it declares.",
        """\
types: {color: [red, blue]}
pieces:
  card:
    attributes: {cost: bag of color}
    rows:
      - {name: a, cost: {rad: 1}}
""",
        """\
types: {color: [red, blue]}
pieces:
  card:
    attributes: {cost: bag of color}
    rows:
      - {name: a, cost: {red: 1}}
""",
    ),
    Code(
        "N103",
        "an unknown function",
        "A name with brackets is a function of the language or a formula under `define:`.",
        """\
- choose: {c: board where emty(c)}
  else: {tie: players}
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
        "N104",
        "a name introduced twice",
        "A name cannot be introduced again where it is still in use: nobody could tell which of the two is meant.",
        """\
- choose: {c: board}
  else: {tie: players}
- for: {c: neighbors(c)}
  do: {say: '{c}'}
""",
        """\
- choose: {c: board}
  else: {tie: players}
- for: {d: neighbors(c)}
  do: {say: '{d}'}
""",
    ),
    Code(
        "N105",
        "a reserved name",
        "Words of the language, such as `me`, `players`, `round` or `set`, cannot be names in a game.",
        """\
values:
  round: 0..9
""",
        """\
values:
  lap: 0..9
""",
    ),
    Code(
        "N106",
        "a word of several types",
        "Two types have the same member. Where it is not clear which type is meant, write it with its type.",
        """\
types: {gem: [gold, ruby], card: [gold, silver]}
define:
  best: gold
""",
        """\
types: {gem: [gold, ruby], card: [gold, silver]}
define:
  best: gem.gold
""",
    ),
    Code(
        "N107",
        "a function without brackets",
        "A function or formula with parameters is called with brackets.",
        """\
define:
  twice(0..9 n): n * 2
  six: twice
""",
        """\
define:
  twice(0..9 n): n * 2
  six: twice(3)
""",
    ),
    Code(
        "N108",
        "nobody acts here",
        "`me` is the player who acts: in `turns:`, `for: {me: …}`, `as:` and `offer:`. Before play, in `setup:` "
        "and after the turns nobody acts. So nobody can be asked there either, unless `by:` says who.",
        """\
values:
  first: {is: player, start: me}
""",
        """\
players: [white, black]
values:
  first: {is: player, start: white}
""",
    ),
    Code(
        "N109",
        "an opponent in a game for more than two",
        "`opponent` is the other player in a game for exactly two.",
        """\
players: 3
define:
  rival: opponent
""",
        """\
players: 3
define:
  rivals: players except me
""",
    ),
    Code(
        "N110",
        "an unknown argument",
        "Check the names of the arguments in the signature of the function.",
        """\
- if: line(a1, 3, off=me)
  then: {win: me}
""",
        """\
- if: line(a1, 3, of=me)
  then: {win: me}
""",
    ),
    Code(
        "N111",
        "an unknown type",
        "Types are `bool`, ranges, `player`, `direction`, those under `types:`, kinds of pieces, and the word"
        " for the spaces of a board.",
        """\
values:
  target: maybe spase
""",
        """\
values:
  target: maybe space
""",
    ),
    Code(
        "N112",
        "an unknown pool",
        "After `supply.` comes the name of a pool.",
        """\
pools:
  gold: {total: 20, at: {player: purse}}
define:
  left: supply.golt
""",
        """\
pools:
  gold: {total: 20, at: {player: purse}}
define:
  left: supply.gold
""",
    ),
    Code(
        "N113",
        "an unknown board",
        "After `tile:` comes the name of the board that the tiles are placed on.",
        """\
board: {hexes: {radius: 3}}
pieces:
  tile: {tile: bord, count: 3}
""",
        """\
board: {hexes: {radius: 3}}
pieces:
  tile: {tile: board, count: 3}
""",
    ),
    Code(
        "N114",
        "an unknown effect",
        "A text with brackets in a block calls an effect or an action of the game.",
        """\
effects:
  refill: {say: full}
play:
  - reffill()
""",
        """\
effects:
  refill: {say: full}
play:
  - refill()
""",
    ),
    Code(
        "N115",
        "unknown tokens",
        "An amount names sorts of tokens from a pool.",
        """\
types: {good: [wood, clay]}
pools:
  goods: {of: good, total: 20, at: {player: store}}
play:
  - turns: players
    do: {gain: {wod: 1}}
""",
        """\
types: {good: [wood, clay]}
pools:
  goods: {of: good, total: 20, at: {player: store}}
play:
  - turns: players
    do: {gain: {wood: 1}}
""",
    ),
    Code(
        "N116",
        "an unknown phase",
        "`end:` leaves the turn, turns, round, rounds, loop, effect or game, or a phase by its name.",
        """\
- phase: market
  do:
    - end: markt
""",
        """\
- phase: market
  do:
    - end: market
""",
    ),
    Code(
        "N117",
        "nothing with this name to reset",
        "`reset:` takes the names of values, places and kinds of pieces.",
        """\
values: {score: 0..9}
play:
  - reset: [skore]
""",
        """\
values: {score: 0..9}
play:
  - reset: [score]
""",
    ),
    Code(
        "N118",
        "an unknown history",
        "`record:` takes the name of a history.",
        """\
history:
  seen: {of: [board], keep: 10}
play:
  - record: sen
""",
        """\
history:
  seen: {of: [board], keep: 10}
play:
  - record: seen
""",
    ),
    Code(
        "N119",
        "an unknown menu",
        "A menu is the word that actions have under `menu:`. An action can also be offered by its own name.",
        """\
actions:
  wave: {menu: moves, do: {say: hello}}
play:
  - turns: players
    do: {choose one: moovs}
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
        "N120",
        "an unknown event",
        "An event is the name of an effect, an action or a phase, or `turn` or `round`. `modify:` takes a formula.",
        """\
triggers:
  bell: {after: turm, do: {say: ding}}
""",
        """\
triggers:
  bell: {after: turn, do: {say: ding}}
""",
    ),
    Code(
        "N121",
        "nothing with this name to compare",
        "A history compares boards, places, values, `me`, `turn_player` and `round`.",
        """\
history:
  seen: {of: [bord], keep: 10}
play:
  - record: seen
""",
        """\
history:
  seen: {of: [board], keep: 10}
play:
  - record: seen
""",
    ),
    Code(
        "N122",
        "an unknown attribute",
        "After a dot comes an attribute of the thing before the dot: one that the game declares, or one that "
        "every such thing has, such as `x`, `y`, `owner` or the name of its space.",
        """\
define:
  high: set(s in board where s.hight == 3)
""",
        """\
define:
  high: set(s in board where s.y == 3)
""",
    ),
    Code(
        "N123",
        "nothing with this name to show",
        "`show:` of pieces takes the names of their attributes, and formulas or values of the game.",
        """\
pieces:
  card: {rows: [{name: spy, strength: 2}], attributes: {strength: 0..5}, show: [strenght]}
""",
        """\
pieces:
  card: {rows: [{name: spy, strength: 2}], attributes: {strength: 0..5}, show: [strength]}
""",
    ),
    Code(
        "N201",
        "a file included twice",
        "Each file of a game can be included only once, even if other files include it, too.",
    ),
    Code(
        "N202",
        "nothing to replace or remove",
        "A module can only replace or remove what the game declares.",
        """\
options:
  long: {is: bool}
modules:
  longer: {when: long, remove: [bonus]}
""",
        """\
options:
  long: {is: bool}
define:
  bonus: 3
modules:
  longer: {when: long, remove: [bonus]}
""",
    ),
    Code(
        "N203",
        "a name declared twice",
        "Two things in a game cannot have the same name. In a module, write a new version of a declaration under "
        "`replace:`.",
        """\
values:
  gold: 0..9
places:
  gold: {holds: stone}
""",
        """\
values:
  gold: 0..9
places:
  vault: {holds: stone}
""",
    ),
    Code(
        "N204",
        "a word that cannot be a name",
        "A name has letters, digits and `_`, and begins with a letter.",
        """\
values:
  best-score: 0..9
""",
        """\
values:
  best_score: 0..9
""",
    ),
    Code(
        "N205",
        "a type before its parts",
        "Declare a type after the types that it uses.",
        """\
types:
  warm: {some: color, where: this == red}
  color: [red, blue]
""",
        """\
types:
  color: [red, blue]
  warm: {some: color, where: this == red}
""",
    ),
    Code(
        "N206",
        "too many files",
        "A game has at most 100 files.",
    ),
    Code(
        "N207",
        "a phase that modules cannot find",
        "Under `play:` of a module, name a phase of the game. The statements are added to that phase.",
        """\
options:
  long: {is: bool}
modules:
  longer: {when: long, play: {markt: {say: more}}}
play:
  - phase: market
    do: {say: hello}
""",
        """\
options:
  long: {is: bool}
modules:
  longer: {when: long, play: {market: {say: more}}}
play:
  - phase: market
    do: {say: hello}
""",
    ),
)
