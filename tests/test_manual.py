"""The language reference says what the registries say, and its examples are sound."""

from __future__ import annotations

import re

import pytest

from games import ROOT
from ruledsl import manual
from ruledsl.analysis.build import STATEMENTS
from ruledsl.builtins import BUILTINS


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
