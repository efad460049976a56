"""F: where the rules lead."""

from ruledsl.diagnostics.entry import Code

FLOW = (
    Code(
        "F401",
        "rules that come back to themselves",
        "A formula or effect cannot need itself, not by way of others or of triggers either: nobody could say that it ever "
        "ends. Count in a value and repeat with `while`, or give formulas levels.",
        "define:\n  a(0..9 n): b(n)\n  b(0..9 n): a(n)\n",
        "define:\n  a(0..9 n): b(n)\n  b(0..9 n): n + 1\n",
    ),
    Code(
        "F402",
        "a question within a trial",
        "`would` tries an effect out on a copy, where nobody can be asked and nothing is random.",
        "effects:\n  guess:\n    - choose: {c: board}\n      else: {end: effect}\n    - move: stone\n      to: c\n"
        "define:\n  good: would(guess(), empty(a1))\n",
        "effects:\n  guess:\n    - move: stone\n      to: a2\ndefine:\n  good: would(guess(), empty(a1))\n",
    ),
    Code(
        "F403",
        "a loop that may never end",
        "A `while` in which nobody is asked needs `most:`, how many times at the most.",
        "values: {n: 0..9}\nplay:\n  - while: n < 5\n    do: {set: {n: 3}}\n",
        "values: {n: 0..9}\nplay:\n  - while: n < 5\n    do: {add: {n: 1}}\n    most: 9\n",
    ),
    Code(
        "F404",
        "an end of what is not going on",
        "`end:` leaves something that it stands inside of.",
        "play:\n  - end: turn\n",
        "play:\n  - turns: players\n    do: {end: turns}\n",
    ),
    Code(
        "F405",
        "a change of common things in secret",
        "While players decide together in secret, each may change only what is their own.",
        "values: {pot: 0..99}\nplay:\n  - together: players\n    do: {set: {pot: 3}}\n",
        "values: {bid: {per: player, is: 0..99}}\nplay:\n  - together: players\n    do: {set: {me.bid: 3}}\n",
    ),
    Code(
        "F406",
        "chance or an end in secret",
        "While players decide together in secret, nothing random happens and the play cannot end.",
        "play:\n  - together: players\n    do: {win: me}\n",
        "play:\n  - together: players\n    do: {say: hello}\n  - win: players\n",
    ),
    Code(
        "F407",
        "secrets within secrets",
        "`together` cannot stand inside `together`.",
        "play:\n  - together: players\n    do:\n      - together: players\n        do: {say: hello}\n",
        "play:\n  - together: players\n    do: {say: hello}\n",
    ),
    Code(
        "F408",
        "rules that become too large",
        "An effect that ends something outside of itself (`end: turn`) is written out at each place that calls it. Where such "
        "effects call each other many times over, the rules would fill the memory.",
    ),
)
