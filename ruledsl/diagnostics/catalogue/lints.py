"""L: games that can be played but were hardly meant so."""

from ruledsl.diagnostics.entry import Code

LINTS = (
    Code(
        "L501",
        "a statement that is never reached",
        "What stands before it always leaves.",
        "play:\n  - win: players\n  - say: well played\n",
        "play:\n  - say: well played\n  - win: players\n",
    ),
    Code(
        "L502",
        "two triggers instead of one thing",
        "Both take the place of the same effect; the first whose condition holds wins.",
        "effects:\n  refill: {say: full}\ntriggers:\n  a: {instead: refill, do: {say: a}}\n  b: {instead: refill, do: {say: b}}\n"
        "play:\n  - refill()\n",
        "effects:\n  refill: {say: full}\ntriggers:\n  a: {instead: refill, do: {say: a}}\nplay:\n  - refill()\n",
    ),
    Code(
        "L503",
        "a name that is never used",
        "It is declared and nothing needs it. Perhaps it is misspelt where it should be used.",
        "values:\n  score: 0..9\n",
        "values:\n  score: 0..9\nscoring:\n  rows: {all: score}\n",
    ),
    Code(
        "L504",
        "a name that hides a function",
        "A name of the game is also that of a function, which cannot be used any more.",
        "define:\n  total: 3\nscoring:\n  rows: {all: total}\n",
        "define:\n  sum_of_all: 3\nscoring:\n  rows: {all: sum_of_all}\n",
    ),
    Code(
        "L505",
        "a column that nothing reads",
        "A table has a column that is no attribute. Declare it under `attributes:`, or rename it under `columns:`.",
    ),
    Code(
        "L506",
        "a choice without an answer",
        "If there is nothing to choose from, the rest of the block is skipped in silence. `else:` says what happens then.",
        "- choose: {c: board where empty(c)}\n- move: stone\n  to: c\n",
        "- choose: {c: board where empty(c)}\n  else: {tie: players}\n- move: stone\n  to: c\n",
    ),
    Code(
        "L507",
        "an action that nobody can take",
        "The action is in no menu that is offered, is not `anytime`, and nothing calls it.",
        "actions:\n  wave: {do: {say: hello}}\n",
        "actions:\n  wave: {menu: moves, do: {say: hello}}\nplay:\n  - turns: players\n    do: {choose one: moves}\n",
    ),
    Code(
        "L508",
        "a comparison with one answer",
        "The numbers on the two sides have ranges that settle the comparison, whatever happens in play.",
        "values: {score: 0..9}\nplay:\n  - turns: players\n    do:\n      - if: score > 10\n        then: {win: me}\n",
        "values: {score: 0..9}\nplay:\n  - turns: players\n    do:\n      - if: score > 5\n        then: {win: me}\n",
    ),
    Code(
        "L509",
        "a condition with one answer",
        "The condition is worked out to be always true or always false, whatever happens in play and whatever the options.",
        "- if: false\n  then: {win: me}\n",
        "- if: turn_number > 3\n  then: {win: me}\n",
    ),
    Code(
        "L510",
        "a menu that nobody offers",
        "Actions are in a menu that no `choose one` and no `offer` asks about.",
        "actions:\n  wave: {menu: greetings, do: {say: hello}}\n",
        "actions:\n  wave: {menu: greetings, do: {say: hello}}\nplay:\n  - turns: players\n    do: {choose one: greetings}\n",
    ),
    Code(
        "L511",
        "a play without end",
        "Turns go on for ever: nothing ends the play, the turns have no `until:`, and nothing leaves them.",
        "play:\n  - turns: players\n    do: {say: hello}\n",
        "play:\n  - turns: players\n    until: turn_number == 8\n    do: {say: hello}\n",
    ),
    Code(
        "L512",
        "one piece where all were meant",
        "The name of a kind, where pieces are moved, is the first of them in the reserve. Where they are not all alike, "
        "more was likely meant.",
        "pieces:\n  card: {rows: [{name: ace}, {name: king}]}\nplaces:\n  deck: {holds: card, order: pile}\n"
        "setup:\n  - move: card\n    to: deck\n",
        "pieces:\n  card: {rows: [{name: ace}, {name: king}]}\nplaces:\n  deck: {holds: card, order: pile}\n"
        "setup:\n  - move: reserve(card)\n    to: deck\n",
    ),
)
