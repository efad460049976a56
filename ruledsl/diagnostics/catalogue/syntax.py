"""E: how expressions are written."""

from ruledsl.diagnostics.entry import Code

SYNTAX = (
    Code(
        "E101",
        "an expression that cannot be read",
        "Something in the expression is in the wrong place: an operator without a value next to it, a bracket "
        "without its partner, or two values with nothing between them.",
        """\
- if: count(stone) >
  then: {tie: players}
""",
        """\
- if: count(stone) > 3
  then: {tie: players}
""",
    ),
    Code(
        "E102",
        "letters of two alphabets in one word",
        "The Cyrillic letters а, е, о, р, с, у, х look like Latin letters, but they make a different word. Names "
        "of the language use Latin letters. Your own names may use either alphabet, but only one in each name.",
        """\
- choose: {cell: board where empty(сell)}
  else: {tie: players}
- move: stone
  to: cell
""",
        """\
- choose: {cell: board where empty(cell)}
  else: {tie: players}
- move: stone
  to: cell
""",
    ),
    Code(
        "E103",
        "an expression that is too long",
        "An expression can have at most 4,000 characters, 60 levels of brackets and 150 operators. Give its parts"
        " names under `define:`.",
    ),
    Code(
        "E104",
        "an expression is missing",
        "The key is there, but nothing follows it.",
        """\
- if: ''
  then: {tie: players}
""",
        """\
- if: round > 3
  then: {tie: players}
""",
    ),
    Code(
        "E105",
        "an escape in an expression",
        "Expressions are read character by character. So an expression in quotes cannot use `\\` or doubled quotes.",
        '- if: "turn_number \\x3E 3"\n  then: {tie: players}\n',
        """\
- if: "turn_number > 3"
  then: {tie: players}
""",
    ),
    Code(
        "E106",
        "a single =",
        "Two values are compared with `==`. A single `=` only names an argument, as in `line(c, 3, of=me)`.",
        """\
- if: turn_number = 3
  then: {tie: players}
""",
        """\
- if: turn_number == 3
  then: {tie: players}
""",
    ),
    Code(
        "E107",
        "a bracket without its partner",
        "Every `(` and `[` of an expression is closed again in the same expression.",
        """\
- if: count(stone > 3
  then: {tie: players}
""",
        """\
- if: count(stone) > 3
  then: {tie: players}
""",
    ),
    Code(
        "E108",
        "an operator of another language",
        "The operators are words: `and`, `or`, `not`. A choice of two is `if … then … else …`.",
        """\
- if: turn_number > 3 && round > 1
  then: {tie: players}
""",
        """\
- if: turn_number > 3 and turn_number < 9
  then: {tie: players}
""",
    ),
    Code(
        "E109",
        "comparisons in a chain",
        "A comparison has two sides. Join two of them with `and`, or ask `x in 1..3`.",
        """\
- if: 1 < turn_number < 9
  then: {tie: players}
""",
        """\
- if: turn_number in 2..8
  then: {tie: players}
""",
    ),
    Code(
        "E110",
        "a brace in a text that does not show a value",
        "In labels and in texts that are said, `{x}` shows a value and needs both braces. Titles are fixed before"
        " play: they can show a single word or number from the row of a table, as in `{this.worth}`. Titles of "
        "pieces can also show the result of a formula.",
        """\
pieces:
  card: {attributes: {worth: 0..9}, title: "{bonus} for a card of {this.worth}", rows: [{name: ace, worth: 9}]}
values: {bonus: 0..9}
""",
        """\
pieces:
  card: {attributes: {worth: 0..9}, title: "a card of {this.worth}", rows: [{name: ace, worth: 9}]}
values: {bonus: 0..9}
""",
    ),
    Code(
        "E111",
        "a word that is not part of the language",
        "The words of the language are `if then else`, `and or not`, `in where for by`, `from after except` and "
        "`otherwise`, in lower case. Check the spelling.",
        """\
- choose: {c: board whree empty(c)}
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
        "E112",
        "a number in a wrong form",
        "Numbers are whole and written only with digits: `1000`. A range of them is written `2..4`.",
        """\
- if: turn_number > 1_000
  then: {tie: players}
""",
        """\
- if: turn_number > 1000
  then: {tie: players}
""",
    ),
    Code(
        "E113",
        "a function without brackets",
        "The arguments of a function go in brackets after it.",
        """\
- if: count stone > 3
  then: {tie: players}
""",
        """\
- if: count(stone) > 3
  then: {tie: players}
""",
    ),
    Code(
        "E114",
        "a value that cannot be shown like this",
        "`{c:acc}` shows a name in a grammatical case, in Russian texts: `nom`, `gen`, `dat`, `acc`, `ins` or "
        "`pre`. `{n:coin|coins}` shows the word that goes with a number: in English one form for one thing and "
        "one for several, in Russian three (`{n:монета|монеты|монет}`). `{s:column}` "
        "and `{s:row}` show a part of the name of a square.",
        """\
- say: "{count(stone)} {count(stone):stone|stones|of them}"
""",
        """\
- say: "{count(stone)} {count(stone):stone|stones}"
""",
    ),
)
