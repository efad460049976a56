"""The tables of the grammar that come with the package, and what reads expressions by them, against lark itself."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from ruledsl.syntax import parsing, tables

ROOT = Path(__file__).resolve().parents[1]
GAMES = [*ROOT.glob("examples/*.yaml"), *ROOT.glob("games/*/*.yaml")]
SAMPLE = 1_500


def test_the_tables_are_those_of_the_grammar() -> None:
    kept = json.loads(tables.KEPT.read_text(encoding="utf-8"))
    assert kept == tables.made(), "write them again: python -m ruledsl.syntax.tables"


def test_a_changed_grammar_is_not_read_by_old_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changed = tmp_path / "grammar.lark"
    changed.write_text(tables.GRAMMAR.read_text(encoding="utf-8").replace('"otherwise"', '"else"'), encoding="utf-8")
    monkeypatch.setattr(tables, "GRAMMAR", changed)
    tables.tables.cache_clear()
    try:
        assert "otherwise" not in tables.tables().keywords
    finally:
        tables.tables.cache_clear()


@cache
def _lark() -> Lark:
    grammar = tables.GRAMMAR.read_text(encoding="utf-8")
    starts = list(tables.STARTS)
    return Lark(grammar, parser="lalr", start=starts, propagate_positions=True, maybe_placeholders=True)


def _by_lark(text: str, start: str) -> Any:
    try:
        return _plain(_lark().parse(text, start=start))
    except UnexpectedCharacters as slip:
        at = slip.pos_in_stream or 0
        return at, text[at], False, set()
    except UnexpectedToken as slip:
        ended = slip.token.type == "$END"
        return len(text) if ended else slip.pos_in_stream, str(slip.token), ended, set(slip.accepts)


def _by_us(text: str, start: str) -> Any:
    try:
        return _plain(parsing.forms(text, start))
    except parsing.Slip as slip:
        return slip.at, slip.found, slip.ended, set(slip.accepts)


def _plain(tree: Any) -> Any:
    if isinstance(tree, Tree):
        return str(tree.data), tree.meta.start_pos, tree.meta.end_pos, [_plain(part) for part in tree.children]
    if isinstance(tree, parsing.Tree):
        return tree.form, tree.start, tree.end, [_plain(part) for part in tree.parts]
    if isinstance(tree, Token):
        return str(tree), tree.start_pos
    return None if tree is None else (str(tree), tree.start)


def _texts() -> list[str]:
    """What stands in the games: mostly expressions, and other things too."""

    def scalars(value: Any) -> Any:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield str(key)
                yield from scalars(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from scalars(inner)
        elif isinstance(value, str):
            yield value

    found = {text for path in GAMES for text in scalars(yaml.safe_load(path.read_text(encoding="utf-8")))}
    return sorted(text for text in found if text.strip() and len(text) < 300)


def test_expressions_are_read_as_lark_reads_them() -> None:
    texts = Random(7).sample(_texts(), SAMPLE)
    for text in texts:
        for start in ("expr", "domain") if len(text) > 40 else tables.STARTS:
            assert _by_us(text, start) == _by_lark(text, start), (start, text)


def test_slips_are_found_where_lark_finds_them() -> None:
    dice = Random(11)
    every = [text for text in _texts() if re.search(r"\w\W+\w", text)]
    cut = re.compile(rf"\b({'|'.join(tables.tables().keywords)})\w")  # see the next test
    words = sorted({word for text in every for word in re.findall(r"\w+|[^\w\s]+", text) if len(word) < 12})
    for text in dice.sample(every, SAMPLE):
        parts = re.findall(r"\w+|[^\w\s]+", text)
        at = dice.randrange(len(parts))
        match dice.randrange(4):
            case 0:
                del parts[at]
            case 1:
                parts[at] = dice.choice(words)
            case 2:
                parts.insert(at, dice.choice(words))
            case 3:
                parts = parts[:at]
        wrong = " ".join(parts)
        if wrong and not cut.search(wrong):
            start = dice.choice(tables.STARTS)
            assert _by_us(wrong, start) == _by_lark(wrong, start), (start, wrong)


@pytest.mark.parametrize("text", ["x inb", "a andy", "list offer up to 3", "1 notin x"])
def test_a_word_is_never_cut_in_two(text: str) -> None:
    """lark, left to itself, sees `in b` in `inb` where no name can stand."""
    with pytest.raises(parsing.Slip):
        parsing.forms(text, "expr")
