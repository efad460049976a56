"""Words that must not come back in anything that a user reads: archaic, translated, or not what people search for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sources

from ruledsl.diagnostics.codes import CODES

ROOT = Path(__file__).resolve().parents[1]
# `files.md` is made of docstrings, which are for those who read the code.
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    {*(ROOT / "docs").glob("*.md")} - {ROOT / "docs/files.md"}
)
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)

# What must not be said, and what to say instead.
INSTEAD = {
    r"\bmend(s|ed)\b": "fix",
    r"\bdear\b": "expensive",
    r"\banew\b": "again",
    r"\btill\b": "until",
    r"\bfor ever\b": "forever",
    r"\bwhoever\b": "the player who, those who",
    r"\bto be had\b": "available",
    r"\b(can|cannot|could not) be had\b": "is (not) available",
    r"\bletters wide\b": "characters wide",
    r"\bcarried out\b": "run",
    r"\bbroken off\b": "cut off",
    r"\bcomes to grief\b": "fails",
    r"\bsuch as it is\b": "leave it out",
    r"\b(rules|plays?) parts? from\b": "differ",
    r"\bif nothing is said\b": "by default",
    r"\bstands? behind\b": "comes after",
    r"\b(take|leave) (it|this|one|\S+:?`) away\b": "remove",
    r"\bnone of the keyboard\b": "a special character",
    r"\bas one likes\b": "as you like",
    r"\bproved by\b": "what proves it",
    r"\bnobody hears of\b": "need not be told",
    r"\bno list needs to hear\b": "you need not add it to a list",
    r"\bmistake of ruledsl\b": "bug in ruledsl",
    r"\bin the midst of\b": "in the middle of, during",
    r"\bso (many|often)(?=[;,.:(]| times?\b| sides?\b)": "this many, how many, this often",
    r"\bis not to move\b": "it is not the turn of",
    r"\blook through it\b": "`possible` cannot try it",
    r"\bnot surely\b": "perhaps not",
    r"\b(what|words that|that) (is|are) to be\b": "say what must be done, or who does it",
    r"\b(comes?|goes|go|stands?|takes|written|nothing|begin(s|ning)?) behind (it|a|an|the)\b": "after",
    r"\bthe board hangs together\b": "the board is connected",
    r"\bno way (joins|leads between)\b": "separate",
    r"\bmissing blank\b": "a missing space",
    r"\bas it may read it\b": "that it can read",
    r"\bis worth nothing to anybody\b": "nobody wins anything",
    r"\bwhat is the only thing to do\b": "if there is only one option",
    r"\bnothing in play\b": "during play",
    r"\bwithin a (trial|secret)": "inside",
    r"\bis lacking in\b": "is missing in",
}
UNWANTED = re.compile("|".join(INSTEAD), re.I)


def said(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a source with their lines, without docstrings: a message, a help, a text for players."""
    every = sources.nodes(path)
    skipped = {id(doc) for node in every if (doc := documented(node)) is not None}
    if "commands" in path.parts:  # the docstring of a command is its help
        skipped.discard(id(documented(every[0])))
    for node in every:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def documented(node: ast.AST) -> ast.Constant | None:
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            return first.value
    return None


def unwanted(text: str) -> list[str]:
    return [found[0] for found in UNWANTED.finditer(CODE.sub("", text))]


@pytest.mark.parametrize("path", sources.paths(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_of_the_program_has_an_unwanted_word(path: Path) -> None:
    found = [f"{path.name}:{line}: {word}" for line, text in said(path) for word in unwanted(text)]
    assert not found, "\n".join([*found, "see INSTEAD for what to say"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_page_has_an_unwanted_word(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not unwanted(text), [line for line in text.splitlines() if UNWANTED.search(line)]


# Pages for people who make and play games; those on how ruledsl works inside have their own readers.
FOR_DESIGNERS = (
    "README",
    "tutorial",
    "cookbook",
    "commands",
    "serve",
    "workbench",
    "python",
    "glossary",
    "index",
    "language",
)
MOST_WORDS = 40  # of a sentence, or of a part of it up to a colon or semicolon


def parts(text: str) -> Iterator[str]:
    """The sentences of a text, and what a colon or a semicolon divides, without code, tables and headings."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for paragraph in re.split(r"\n\s*\n|\n(?=- |\d+\. |\|)", text):
        if not paragraph.startswith(("|", "#", "<")):
            yield from re.split(r"(?<=[.!?:;])\s+", " ".join(paragraph.split()))


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem in FOR_DESIGNERS], ids=lambda page: page.stem)
def test_no_sentence_for_designers_is_too_long(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    long = [
        part for part in parts(text) if len(part.split()) > MOST_WORDS and "`outpost`" not in part
    ]  # the games, listed
    assert not long


def test_no_explanation_of_a_code_is_a_long_sentence() -> None:
    long = [(code.code, part) for code in CODES.values() for part in parts(code.explanation) if len(part.split()) > 34]
    assert not long


@pytest.mark.parametrize("text", ["fix this before it is mended", "names are written anew", "take it away, or use it"])
def test_an_unwanted_word_is_noticed(text: str) -> None:
    assert unwanted(text)
    assert not unwanted(f"`{text}`"), "code is quoted as it is"
