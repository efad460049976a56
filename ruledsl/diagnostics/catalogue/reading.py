"""Y: files and YAML. The examples are bare YAML, not games."""

from ruledsl.diagnostics.entry import Code

READING = (
    Code(
        "Y001",
        "a file cannot be read",
        "The file does not exist, is not a regular file, or may not be read.",
    ),
    Code(
        "Y002",
        "a file is too large",
        "A rules file can have at most 2 MB, and a table 8 MB. A file can have at most 200,000 lines and 200,000 "
        "values; an alias counts in full each time it is used. Split the file, or move tables to files of their "
        "own.",
    ),
    Code(
        "Y003",
        "nested too deeply",
        "Lists and maps can be nested at most 100 deep, whether with brackets or by indentation.",
    ),
    Code(
        "Y004",
        "not UTF-8",
        "Game files are UTF-8 text. Choose this encoding when you save the file in your editor.",
    ),
    Code(
        "Y005",
        "a control character",
        "A file cannot contain invisible control characters except tabs and line ends, not even as escapes in "
        "quoted texts. On a terminal they could change what a reader sees.",
        'game: "a\\eb"\n',
        """\
game: "ab"
""",
    ),
    Code(
        "Y006",
        "a file outside the game",
        "A game can only use files inside its own folder. This also applies to links.",
    ),
    Code(
        "Y101",
        "not YAML",
        "The text is not valid YAML.",
    ),
    Code(
        "Y102",
        "wrong indentation",
        "The lines of one list or map start in the same column. What belongs to a key is indented deeper than the"
        " key. A key with a value on its own line has nothing below it.",
        """\
turn:
    phase: plan
  order: seats
""",
        """\
turn:
    phase: plan
    order: seats
""",
    ),
    Code(
        "Y103",
        "a tab",
        "YAML indents with spaces; a tab cannot be used for indentation.",
        """\
a:
	b: 1
""",
        """\
a:
  b: 1
""",
    ),
    Code(
        "Y104",
        "unmatched bracket",
        "Every `[` needs its `]`, every `{` its `}`.",
        """\
colors: [red, blue
players: 2
""",
        """\
colors: [red, blue]
players: 2
""",
    ),
    Code(
        "Y105",
        "unclosed quote",
        "A quoted text ends with the quote it starts with.",
        """\
game: "Hex
""",
        """\
game: "Hex"
""",
    ),
    Code(
        "Y106",
        "a colon in a text",
        "A colon with a space after it makes the text before it a key. A text that has one must be in "
        "quotes, or on the lines after a `|`.",
        """\
text: Note: draw two
""",
        """\
text: "Note: draw two"
""",
    ),
    Code(
        "Y107",
        "a text starts with a special character of YAML",
        "A text without quotes cannot start with a sign that has a meaning in YAML, such as `@`, `%`, `&` or `*`.",
        """\
label: @home
""",
        """\
label: "@home"
""",
    ),
    Code(
        "Y108",
        "a key without colon",
        "Among the keys of a map each line needs a `:` after its key.",
        """\
players: 2
board
turn: x
""",
        """\
players: 2
board: hex
turn: x
""",
    ),
    Code(
        "Y109",
        "values run together",
        "Values in brackets are separated by commas, and nothing follows a closing quote or bracket. An "
        "expression that starts with a bracket or quote must be quoted as a whole.",
        """\
when: [a, b] has c
""",
        """\
when: "[a, b] has c"
""",
    ),
    Code(
        "Y110",
        "unknown escape",
        "Between double quotes `\\` starts an escape such as `\\n`; write `\\\\` for the sign itself.",
        'text: "a\\q"\n',
        'text: "a\\\\q"\n',
    ),
    Code(
        "Y111",
        "an empty file",
        "The file is empty, or has only comments.",
        """\
# soon
""",
        """\
game: Hex
""",
    ),
    Code(
        "Y112",
        "a character that is not what it looks like",
        "Non-breaking spaces, invisible characters and curly quotes look like ordinary characters, or cannot be "
        "seen at all, but YAML treats them as letters. They often come with text copied from a web page.",
        """\
values:
  score\u200b: 0..9
""",
        """\
values:
  score: 0..9
""",
    ),
    Code(
        "Y201",
        "a key written twice",
        "A key can be only once in its map; the second would silently replace the first.",
        """\
wood: 1
wood: 2
""",
        """\
wood: 1
stone: 2
""",
    ),
    Code(
        "Y202",
        "not a key",
        "A key is a name or another text, neither empty nor a list nor a map.",
        """\
{{x}}: 1
""",
        """\
x: 1
""",
    ),
    Code(
        "Y203",
        "merging maps",
        "The `<<` of YAML is not supported, because readers could not see where an entry comes from.",
        """\
a: &a {x: 1}
b: {<<: *a}
""",
        """\
a: &a {x: 1}
b: *a
""",
    ),
    Code(
        "Y204",
        "a tag",
        "Tags such as `!name` have no meaning in game files.",
        """\
when: !done
""",
        """\
when: not done
""",
    ),
    Code(
        "Y205",
        "several documents",
        "A file is one document. It cannot contain lines with `---`.",
        """\
a: 1
---
b: 2
""",
        """\
a: 1
b: 2
""",
    ),
    Code(
        "Y206",
        "an unknown alias",
        "`*name` repeats the value that `&name` marks further up in the same file.",
        """\
a: *costs
""",
        """\
costs: &costs {wood: 1}
a: *costs
""",
    ),
    Code(
        "Y207",
        "a directive",
        "Lines that start with `%` are instructions to YAML; game files do not use them.",
        """\
%YAML 1.2
---
a: 1
""",
        """\
a: 1
""",
    ),
    Code(
        "Y301",
        "a comma cut a text",
        "Inside { } and [ ] a comma separates entries, even in the middle of an expression. Write the expression "
        "on its own line, or in quotes.",
        """\
- {when: line(cell, 3), do: win}
""",
        """\
- when: line(cell, 3)
  do: win
""",
    ),
    Code(
        "Y302",
        "a bracket in a text",
        "Inside { } and [ ] a text without quotes cannot contain these brackets.",
        """\
- {when: cost[wood] > 2}
""",
        """\
- when: cost[wood] > 2
""",
    ),
    Code(
        "Y303",
        "a comment cut a text",
        "A `#` after a space starts a comment, even in the middle of a text. Write the text in quotes.",
        """\
color: #ff0000
""",
        """\
color: "#ff0000"
""",
    ),
    Code(
        "Y304",
        "no space after a colon",
        "A key is followed by `:` and a space.",
        """\
{size:3}
""",
        """\
{size: 3}
""",
    ),
    Code(
        "Y402",
        "no such part of a file",
        "In `cards.yaml#deck/base`, the part after `#` names the keys that lead from the top of the file to the table.",
    ),
    Code(
        "Y403",
        "not a table",
        "A YAML table is a list of maps, one for each row, or a map from names to such maps.",
    ),
    Code(
        "Y404",
        "too many or too few cells",
        "Each row of a CSV table has one cell for each column. A cell can be empty.",
    ),
    Code(
        "Y405",
        "a wrong header",
        "The first line of a CSV table names its columns, separated by commas; `cost.wood` is one part of `cost`.",
    ),
    Code(
        "Y406",
        "not a graph",
        "A board can be read from GraphML (`.graphml`), node-link JSON (`.json`) or a list of edges (`.csv`): "
        "spaces with names, and connections between them.",
    ),
)
