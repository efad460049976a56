"""The language reference, written from the registries: what is not registered does not exist."""

from __future__ import annotations

import re
from inspect import cleandoc

import ruledsl.builtins  # noqa: F401  functions register themselves
import ruledsl.statements  # noqa: F401  so do statements
from ruledsl.analysis import compile as rules
from ruledsl.analysis import declare, formulas, sections
from ruledsl.analysis.build import STATEMENTS
from ruledsl.boards.base import SHAPES
from ruledsl.builtins import BUILTINS
from ruledsl.statements.choices import ENTRY
from ruledsl.syntax.shapes import KINDS, Form

INTRODUCTION = cleandoc("""
    # The rule language

    *This page is written by `ruledsl manual --write` from the language itself; a test keeps it up to date.*

    A game is one YAML file, or a folder with `game.yaml` and more files that it includes. YAML carries order and
    nesting; a condition or a quantity is one line of text, an *expression*. There is one verb for each statement.

    YAML is read in version 1.2: only `true` and `false` are truth values, so `on`, `yes` and `no` are plain words; a
    key that stands twice is an error. Inside `{…}` a comma ends a value, so an expression with a comma, a bracket or
    `: ` goes on a line of its own. Text for people may be one text, or `{en: …, ru: …}`.
""")

TYPES = cleandoc("""
    ## Types

    | written | values |
    | --- | --- |
    | `bool` | true or false |
    | `0..15`, `-3..size` | whole numbers; the bounds are numbers, options or `count(players)` |
    | `color` | one member of an enumeration declared under `types:` |
    | `player`, `square`, `man`, `area`, `direction` | one player, space (by its word), piece of a kind, part of a tile, direction |
    | `maybe color`, `maybe 0..9` | or none |
    | `set of square` | any of them, in their natural order |
    | `list of rank up to 7` | several in order; the same may stand twice; compared item by item |
    | `bag of color` | how many of each |
    | `terrain by direction` | a value for each key (in tables of pieces and spaces) |
    | `number`, `condition(cell to)`, `effect(enemy model)` | code in the row of a table; `this` is the member whose row it is |

    The name of a type is also the set of all its values: `c in color`, `count(man)`. A number has a range that is
    worked out from what is declared: stored where it fits it needs no check; where it may leave its range it is
    checked in play; where it cannot fit it is an error of the file. `clip(x, low, high)` says that cutting is meant.

    **None.** An attribute of none is none; sets never hold none; conditions accept what may be none and ask whether
    it is there. Where a number or a piece is needed, none is a *fault*: the play ends as void, with the rule's place.
    `e otherwise d` replaces none, `the(e)` insists that it is there.
""")

EXPRESSIONS = cleandoc("""
    ## Expressions

    From the loosest to the tightest:

    | written | meaning |
    | --- | --- |
    | `if c then a else b` | one or the other |
    | `a or b`, `a and b`, `not a` | only what is needed is worked out |
    | `== != < <= > >=`, `x in S`, `x not in S` | comparisons; they do not chain (write `x in 1..3`) |
    | `a..b` | the numbers from a to b |
    | `S from x`, `S after x`, `S except x` | S as a circle that starts at x, or behind it; S without x |
    | `+ -`, then `* / %` | numbers; `/` rounds down; `+` and `-` also join and part sets, lists and bags, and turn directions |
    | `e otherwise d` | d where e is none |
    | `x.name`, `x[key]`, `f(…)` | attributes, tables and lists (counted from 1), functions |
    | `[a, b]` | a list, or a set where one is wanted |

    **Names that are always there:** `me` (who acts), `turn_player`, `players`, `opponent` (with two players), `round`,
    `turn_number`, `none`, `true`, `false`, `supply.pool` (the tokens that nobody has).

    **Comprehensions.** Functions marked with \\* take `f(x in S where c)`, several names `f(x in S, y in T where c)`, a
    value `f(e for x in S where c)`, and an order `by k1, k2` (smaller first). Read aloud: "count the f in forts where
    f.holder is me".

    **Words.** A member such as `horse` is looked up first in the type that its place demands (the other side of a
    comparison, a parameter, a column), so two types may share words; where nothing demands a type, write `item.horse`.
""")

HIDDEN = cleandoc("""
    ## Hidden information

    A place says who sees what lies in it (`seen: all`, `none`, `owner`, `top`, or players by an expression). Who sees a
    piece knows it, and remembers it as long as it can be followed: through moves between places, but not through a
    shuffle, nor when one of several leaves an unordered place that the player does not see. `reveal` shows pieces
    without moving them. Views, options, the log and bots get only what their seat knows.
""")

CAMPAIGN = cleandoc("""
    ## Campaigns

    `campaign:` says what goes on from one play to the next; everything else begins anew. After a play the block
    `between` runs, with `winners`; it may ask and roll. The number of players may change between plays where nothing
    that is kept belongs to players.
""")


def text() -> str:
    """The whole reference."""
    parts = [INTRODUCTION, TYPES, _declarations(), _boards(), _statements(), EXPRESSIONS, _functions(), HIDDEN,
             CAMPAIGN + "\n\n" + _table(rules.CAMPAIGN)]
    return "\n\n".join(parts) + "\n"


def topic(word: str) -> str:
    """What the reference says about one word; empty if it says nothing."""
    found = []
    if word in STATEMENTS:
        found.append(_statement(word))
    if word in BUILTINS:
        found.append(_function(word))
    for title, form in _forms():
        if word == title.strip("`").rstrip(":"):
            found.append(f"### {title}\n\n{_table(form)}")
    for shape in SHAPES.values():
        if word in (shape.name, shape.key):
            found.append(_shape(shape))
    return "\n\n".join(found)


def words() -> list[str]:
    """All words that have an entry."""
    return [*STATEMENTS, *BUILTINS, *(title.strip("`").rstrip(":") for title, _ in _forms()), *SHAPES]


def _forms() -> list[tuple[str, Form]]:
    return [
        ("the game file", sections.GAME), ("`options:`", declare.OPTION), ("`types:`", declare.TYPE), ("`board:`", declare.BOARD),
        ("`pieces:`", declare.KIND), ("`parts:`", declare.PART), ("`places:`", declare.PLACE), ("`pools:`", declare.POOL),
        ("`values:`", declare.VALUE), ("`define:`", formulas.FORMULA), ("`actions:`", ENTRY), ("`triggers:`", rules.TRIGGER),
        ("`history:`", rules.HISTORY), ("`scoring:`", sections.SCORING), ("`modules:`", sections.MODULE),
    ]


def _declarations() -> str:
    parts = ["## Declarations"]
    for title, form in _forms():
        parts.append(f"### {title}\n\n{_table(form)}")
    return "\n\n".join(parts)


def _table(form: Form) -> str:
    rows = ["| key | takes | |", "| --- | --- | --- |"]
    for name, key in form.keys.items():
        wanted = ", ".join(f"`{word}`" for word in key.words) if key.words else KINDS[key.kind][1]
        need = "**needed.** " if key.required else ""
        rows.append(f"| `{name}` | {_cell(wanted)} | {need}{_cell(key.doc)} |")
    return "\n".join(rows)


def _cell(words_: str) -> str:
    return " ".join(words_.split()).replace("|", "\\|")


def _boards() -> str:
    return "\n\n".join(["## Shapes of boards", *(_shape(shape) for shape in SHAPES.values())])


def _shape(shape) -> str:  # type: ignore[no-untyped-def]
    prose, examples = _split(shape.doc)
    rows = ["| key | | |", "| --- | --- | --- |"]
    rows += [f"| `{name}` | {p.type}{'' if p.required else ', optional'} | {_cell(p.doc)} |" for name, p in shape.parameters.items()]
    return f"### `{shape.key}:`\n\n{prose}\n\n{_code(examples)}\n\n" + "\n".join(rows)


def _split(doc: str) -> tuple[str, str]:
    """A docstring as prose, and the example lines at its end."""
    lines = doc.splitlines()
    first = next((i for i, line in enumerate(lines) if re.match(r"(- |boards?:|\s+\w+:)", line)), len(lines))
    return "\n".join(lines[:first]).strip(), "\n".join(lines[first:]).strip("\n")


def _code(lines: str) -> str:
    return f"```yaml\n{lines}\n```" if lines.strip() else ""


def _statements() -> str:
    return "\n\n".join(["## Statements", "A block is one statement or a list of statements; a bare text calls an effect: `- refill()`.",
                        *(_statement(verb) for verb in sorted(STATEMENTS))])


def _statement(verb: str) -> str:
    known = STATEMENTS[verb]
    prose, example = _split(known.doc)
    return f"### `{verb}`\n\n{prose}\n\n{_code(example)}\n\n{_table(known.form)}"


def _functions() -> str:
    parts = ["## Functions"]
    topics: dict[str, list[str]] = {}
    for name, builtin in BUILTINS.items():
        topics.setdefault(builtin.topic, []).append(name)
    for topic_, names in sorted(topics.items()):
        parts.append(f"### {topic_.capitalize()}")
        parts += [_function(name) for name in sorted(names)]
    return "\n\n".join(parts)


def _function(name: str) -> str:
    builtin = BUILTINS[name]
    star = " \\*" if builtin.comprehension else ""
    return f"**`{builtin.signature}`**{star}  \n{builtin.doc}"
