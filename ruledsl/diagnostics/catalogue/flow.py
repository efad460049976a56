"""F: where the rules lead."""

from ruledsl.diagnostics.entry import Code

FLOW = (
    Code(
        "F401",
        "rules that call themselves",
        "A formula or an effect cannot call itself, not even through others or through triggers, because it might"
        " never end. Count in a value and repeat with `while`, or give formulas levels.",
        """\
define:
  a(0..9 n): b(n)
  b(0..9 n): a(n)
""",
        """\
define:
  a(0..9 n): b(n)
  b(0..9 n): n + 1
""",
    ),
    Code(
        "F402",
        "a question inside a trial",
        "`would` tries an effect on a copy of the position. Nobody can be asked there, and nothing can be random."
        " `possible` can try effects that ask.",
        """\
effects:
  guess:
    - choose: {c: board}
      else: {end: effect}
    - move: stone
      to: c
define:
  good: would(guess(), empty(a1))
""",
        """\
effects:
  guess:
    - move: stone
      to: a2
define:
  good: would(guess(), empty(a1))
""",
    ),
    Code(
        "F403",
        "a loop that may never end",
        "A `while` in which nobody is asked needs `most:`, how many times at the most.",
        """\
values: {n: 0..9}
play:
  - while: n < 5
    do: {set: {n: 3}}
""",
        """\
values: {n: 0..9}
play:
  - while: n < 5
    do: {add: {n: 1}}
    most: 9
""",
    ),
    Code(
        "F404",
        "an end of something that is not running",
        "`end:` ends something that it is inside of.",
        """\
play:
  - end: turn
""",
        """\
play:
  - turns: players
    do: {end: turns}
""",
    ),
    Code(
        "F405",
        "a change to shared things in secret",
        "While players decide together in secret, each can only change what is their own.",
        """\
values: {pot: 0..99}
play:
  - together: players
    do: {set: {pot: 3}}
""",
        """\
values: {bid: {per: player, is: 0..99}}
play:
  - together: players
    do: {set: {me.bid: 3}}
""",
    ),
    Code(
        "F406",
        "chance or an end in secret",
        "While players decide together in secret, nothing random happens and the play cannot end.",
        """\
play:
  - together: players
    do: {win: me}
""",
        """\
play:
  - together: players
    do: {say: hello}
  - win: players
""",
    ),
    Code(
        "F407",
        "`together` inside `together`",
        "`together` cannot be inside another `together`.",
        """\
play:
  - together: players
    do:
      - together: players
        do: {say: hello}
""",
        """\
play:
  - together: players
    do: {say: hello}
""",
    ),
    Code(
        "F408",
        "rules that become too large",
        "An effect that ends something outside of itself (`end: turn`) is copied to each place that calls it. If "
        "such effects call each other many times, the rules become too large.",
    ),
    Code(
        "F409",
        "an exchange that does something else",
        "An action with `give:` and `get:` only changes tokens, so that `after: exchanges` can find out what it "
        "leads to. It cannot start triggers, and its `when:` cannot depend on tokens.",
        """\
types: {good: [wood, gold]}
pools: {goods: {of: good, total: 9, at: {player: goods}}}
actions:
  sell: {menu: trade, when: me.goods.wood > 3, give: {wood: 2}, get: {gold: 1}}
play:
  - turns: players
    do: {choose one: trade}
""",
        """\
types: {good: [wood, gold]}
pools: {goods: {of: good, total: 9, at: {player: goods}}}
actions:
  sell: {menu: trade, when: round < 3, give: {wood: 2}, get: {gold: 1}}
play:
  - rounds: 5
    do:
      - for: {me: players}
        do: {choose one: trade}
""",
    ),
)
