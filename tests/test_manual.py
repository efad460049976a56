"""The language reference says what the registries say, and its examples are sound."""

from __future__ import annotations

import re

import pytest

from games import ROOT
from ruledsl import manual
from ruledsl.analysis.build import STATEMENTS
from ruledsl.builtins import BUILTINS
from ruledsl.manual import searching


def test_the_page_is_up_to_date() -> None:
    page = (ROOT / "docs/language.md").read_text(encoding="utf-8")
    assert page == manual.text(), "run `ruledsl manual --write docs/language.md`"


@pytest.mark.parametrize("verb", sorted(STATEMENTS))
def test_every_statement_is_explained_with_an_example_of_itself(verb: str) -> None:
    doc = STATEMENTS[verb].doc
    assert re.search(rf"^- {re.escape(verb)}:", doc, re.M), f"`{verb}` has no example"
    assert doc.splitlines()[0].endswith(".")


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_every_function_is_explained_with_an_example_of_itself(name: str) -> None:
    doc = BUILTINS[name].doc
    assert re.search(rf"`[^`]*\b{name}\([^`]*`", doc) or name in ("opposite",), f"`{name}` has no example"


def test_no_key_of_a_statement_is_named_like_a_verb() -> None:
    """So the verb of a statement is found without guessing."""
    for verb, known in STATEMENTS.items():
        assert not (set(known.form.keys) - {verb}) & set(STATEMENTS), verb


@pytest.mark.parametrize("word", manual.words())
def test_every_word_can_be_looked_up(word: str) -> None:
    assert manual.topic(word)


@pytest.mark.parametrize("word", ["sees", "log", "legal", "refused", "given", "expect"])
def test_words_of_tests_can_be_looked_up(word: str) -> None:
    assert f"| `{word}` |" in manual.topic(word) or manual.topic(word).startswith(f"### `{word}:`")


def test_every_entry_that_a_search_tells_can_be_looked_up() -> None:
    for entry in searching.entries():
        assert manual.topic(entry.word), entry.word


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("dice", "random"),
        ("Roll two dice", "random"),
        ("who wins", "win"),
        ("pick a card", "choose"),
        ("average", "sum"),
    ],
)
def test_other_words_lead_to_those_of_the_language(words: str, meant: str) -> None:
    assert meant in searching.meant(words)


@pytest.mark.parametrize(
    ("words", "entry"),
    [
        ("dice", "random"), ("hidden cards", "hidden information"), ("drawn piles", "draw"), ("hexagons", "hexes"),
        ("losing", "lose"), ("the order of players", "turns"),
    ],
)  # fmt: skip
def test_a_search_finds_what_speaks_of_the_words(words: str, entry: str) -> None:
    found = searching.search(words)
    assert entry in [one.word for one in found[: searching.MOST]]
    assert all(one.line and len(one.line) <= searching.WIDE for one in found)


def test_a_search_for_what_nobody_speaks_of_finds_nothing() -> None:
    assert not searching.search("xylophone")
    assert not searching.search("of the")
    assert not searching.search("(")
