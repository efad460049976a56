"""What a message advises is right: the suggested word, written in place of the wrong one, is no other mistake."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic, Report
from ruledsl.diagnostics.render import render

FOLDER = Path(__file__).parent / "errors"
CASES = sorted(FOLDER.glob("*.yaml"))


def advised(report: Report) -> list[tuple[Diagnostic, str]]:
    """Findings with the words that are to be written instead."""
    found = []
    for d in report.sorted():
        if d.span is None or d.severity != "error":
            continue
        if d.help.startswith("did you mean") and d.suggestions:
            found += [(d, word) for word in d.suggestions[:1]]
        elif d.help.startswith("write one of "):
            found += [(d, word) for word in re.findall(r"`([^`]+)`", d.help)]
    return found


def replaced(d: Diagnostic, word: str, text: str) -> str | None:
    """The file with the word in place of the wrong one; None where the finding marks more than a word."""
    assert d.span is not None
    written = re.findall(r"`([^`]+)`", d.message)
    wrong = next((w for w in reversed(written) if w in d.span.text), d.span.text)
    at = d.span.text.find(wrong)
    if at < 0 or text[d.span.start : d.span.end] != d.span.text:
        return None
    start = d.span.start + at
    return text[:start] + word + text[start + len(wrong) :]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_suggestion_mends_what_it_is_about(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "errors"
    shutil.copytree(FOLDER, folder)
    monkeypatch.chdir(folder)
    before = pipeline.check(Path(path.name))
    for d, word in advised(before):
        assert d.span is not None
        assert word != d.span.text, render(d)
        file = folder / d.span.file.path
        text = file.read_text(encoding="utf-8")
        mended = replaced(d, word, text)
        if mended is None:
            continue
        file.write_text(mended, encoding="utf-8")
        after = pipeline.check(Path(path.name))
        file.write_text(text, encoding="utf-8")
        there = [
            x
            for x in after.sorted()
            if x.span is not None
            and x.severity == "error"
            and x.span.file.path == d.span.file.path
            and x.span.start <= d.span.start < max(x.span.end, x.span.start + 1)
            and (x.code, x.message) not in {(y.code, y.message) for y in before.findings if y is not d}
        ]
        assert not there, f"{render(d)}\n\n`{word}` gives\n\n" + "\n".join(map(render, there))


AMBIGUOUS = """
ruledsl: 1
game: words
players: [white, black]
types: {gem: [gold, ruby], card: [gold, silver], ware: [a1, b2]}
board: {grid: {width: 3, height: 3}, space: cell}
pieces: {mark: {count: 9}, tile: {rows: [{name: gold}, {name: sun}]}}
values: {stock: gem, n: 0..9}
play:
  - turns: players
    do:
      - choose: {c: board where empty(c)}
        else: {tie: players}
      - move: mark
        to: c
      - if: 'WRONG'
        then: {win: me}
"""


def told(tmp_path: Path, condition: str) -> list[Diagnostic]:
    path = tmp_path / "words.yaml"
    path.write_text(AMBIGUOUS.replace("WRONG", condition), encoding="utf-8")
    return [found for found in pipeline.check(path).sorted() if found.severity == "error"]


@pytest.mark.parametrize("condition", ["count([X]) > n", "first([X]) == first([X])"])
@pytest.mark.parametrize("word", ["gold", "a1"])
def test_each_word_of_several_types_can_be_written_as_advised(tmp_path: Path, condition: str, word: str) -> None:
    found = told(tmp_path, condition.replace("X", word))[0]
    assert found.code == "N106"
    names = re.findall(r"`([^`]+)`", found.help)
    assert len(names) == (3 if word == "gold" else 2)
    for name in names:
        after = told(tmp_path, condition.replace("X", name))
        assert not [d for d in after if d.code[0] in "NE"], "\n".join(map(render, after))


@pytest.mark.parametrize(
    ("wrong", "code", "advice", "right"),
    [
        ("n > 3 && n < 9", "E108", "write `and`", "n > 3 and n < 9"),
        ("n > 3 || n < 2", "E108", "write `or`", "n > 3 or n < 2"),
        ("n <> 3", "E108", "write `!=`", "n != 3"),
        ("n > 3 AND n < 9", "E111", "did you mean `and`?", "n > 3 and n < 9"),
        ("!(n > 3)", "E108", "write `not`", "not (n > 3)"),
        ("n += 1", "E101", "write a statement, as in `add: {me.score: 1}`", "n == 1"),
        ("this.n > 1", "N101", "`this` is a row or a piece", "n > 1"),
    ],
)
def test_signs_of_other_languages(tmp_path: Path, wrong: str, code: str, advice: str, right: str) -> None:
    (found,) = told(tmp_path, wrong)
    assert found.code == code
    assert advice in found.help
    assert told(tmp_path, right) == []


def test_there_are_suggestions_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    assert sum(len(advised(pipeline.check(Path(path.name)))) for path in CASES) > 30
