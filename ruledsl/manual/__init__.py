"""The language reference, written from the registries: what is not registered does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import ruledsl.builtins
import ruledsl.statements  # noqa: F401  so do statements
from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.declarations.campaign import CAMPAIGN
from ruledsl.analysis.forms import DECLARED
from ruledsl.boards.base import SHAPES, Shape
from ruledsl.builtins import BUILTINS
from ruledsl.syntax.shapes import KINDS, Form
from ruledsl.testing import suites

NAMES_ALWAYS = {
    "me": "The player who acts.",
    "turn_player": "The player whose turn it is; none where no turn is going on.",
    "opponent": "The other player, where two play.",
    "turn_number": "The number of the turn, counted from 1 in every `turns`.",
    "this": "The row, the piece or the member that code in a table, or a condition of a declaration, is about.",
    "ranking": "The list of all players by `scoring:` as things stand, the best first. Equal ones stand in the order "
    "of the seats.",
    "score": "`score[p]` is the total that a player has by `scoring:` as things stand.",
}

# What is written by hand, in the order in which it stands before what is written from the registries.
CHAPTERS = (
    "introduction",
    "glance",
    "types",
    "names",
    "tables",
    "asking",
    "prices",
    "reasons",
    "endings",
    "heuristic",
    "triggers",
    "copies",
    "faults",
    "hidden",
    "texts",
    "looks",
    "what_is_shown",
    "how_moves_are_typed",
    "tests",
)


LATER = ("expressions", "campaigns")  # what stands behind


def text() -> str:
    """The whole reference."""
    parts = [
        *map(_chapter, CHAPTERS),
        _test_forms(),
        _declarations(),
        _boards(),
        _statements(),
        _chapter("expressions"),
        _functions(),
        _chapter("campaigns"),
        _table(CAMPAIGN),
    ]
    return "\n\n".join(parts) + "\n"


def _chapter(name: str) -> str:
    """What is written by hand: a file of `chapters`."""
    return (Path(__file__).parent / "chapters" / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def _title(name: str) -> str:
    return _chapter(name).partition("\n")[0].lstrip("# ")


def topic(word: str) -> str:
    """What the reference says about one word, or a chapter by its title; empty if it says nothing."""
    found = []
    if word in STATEMENTS:
        found.append(_statement(word))
    if word in BUILTINS:
        found.append(_function(word))
    for title, form in _forms() + TEST_FORMS:
        if word == _plain(title):
            found.append(f"### {title}\n\n{_table(form)}")
    if not found:  # a word that stands only in tests
        found += [f"### {title}\n\n{_table(form)}" for title, form in TEST_FORMS if word in form.keys]
    for shape in SHAPES.values():
        if word in (shape.name, shape.key):
            found.append(_shape(shape))
    if not found or word in BUILTINS:  # what is a function may be a key, too
        found += filter(None, [_as_key(word)])
    found += [_chapter(name) for name in CHAPTERS + LATER if word.casefold() in (name, _title(name).casefold())]
    return "\n\n".join(found)


def _keyed() -> list[tuple[str, Form]]:
    """All that has keys, with what it is called in a sentence."""
    return [*_forms(), *((f"`{verb}`", known.form) for verb, known in sorted(STATEMENTS.items()))]


def _as_key(word: str) -> str:
    """What is said of a word that is only a key, or a name that is always there."""
    rows = [f"- in {title}: {' '.join(form.keys[word].doc.split())}" for title, form in _keyed() if word in form.keys]
    name = NAMES_ALWAYS.get(word)
    return (
        "\n".join([f"### `{word}`", "", *([name, *([""] if rows else [])] if name else []), *rows])
        if rows or name
        else ""
    )


def words() -> list[str]:
    """All words that have an entry."""
    keys = (key for _, form in [*TEST_FORMS, *_keyed()] for key in form.keys)
    titles = (_plain(title) for title, _ in _forms())
    return list(dict.fromkeys([*STATEMENTS, *BUILTINS, *titles, *SHAPES, *keys, *NAMES_ALWAYS, *CHAPTERS, *LATER]))


def titles() -> list[str]:
    """What can be looked up that is no statement and no function: declarations, boards, chapters."""
    forms = (_plain(title) for title, _ in [*TEST_FORMS, *_forms()])
    return list(dict.fromkeys([*forms, *(shape.key for shape in SHAPES.values()), *chapters()]))


def chapters() -> list[str]:
    """The chapters by their titles, behind the first."""
    return [_title(name).casefold() for name in CHAPTERS[1:] + LATER]


def _plain(title: str) -> str:
    return title.replace("`", "").rstrip(":")


def _forms() -> list[tuple[str, Form]]:
    return [(one.title, one.form) for one in DECLARED if one.title]


TEST_FORMS: list[tuple[str, Form]] = [
    ("a test", suites.TEST),
    ("`given:`", suites.GIVEN),
    ("`expect:`", suites.EXPECT),
    ("`log:` of a player", suites.LOG),
    ("`play:` of a test", suites.PLAY),
]


def _test_forms() -> str:
    return "\n\n".join(f"### {title}\n\n{_table(form)}" for title, form in TEST_FORMS)


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
    return "\n\n".join(
        [
            "## Shapes of boards",
            *(_shape(shape) for shape in SHAPES.values()),
            _chapter("growing_boards"),
            _chapter("steps"),
        ]
    )


def _shape(shape: Shape) -> str:
    prose, examples = _split(shape.doc)
    rows = ["| key | | |", "| --- | --- | --- |"]
    rows += [
        f"| `{name}` | {p.type}{'' if p.required else ', optional'} | {_cell(p.doc)} |"
        for name, p in shape.parameters.items()
    ]
    return f"### `{shape.key}:`\n\n{prose}\n\n{_code(examples)}\n\n" + "\n".join(rows)


def _split(doc: str) -> tuple[str, str]:
    """A docstring as prose, and the example lines at its end."""
    lines = doc.splitlines()
    first = next((i for i, line in enumerate(lines) if re.match(r"(- |boards?:|\s+\w+:)", line)), len(lines))
    return "\n".join(lines[:first]).strip(), "\n".join(lines[first:]).strip("\n")


def _code(lines: str) -> str:
    return f"```yaml\n{lines}\n```" if lines.strip() else ""


def _statements() -> str:
    return "\n\n".join([_chapter("statements"), *map(_statement, sorted(STATEMENTS))])


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
