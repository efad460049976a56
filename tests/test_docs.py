"""The documents are run: every game in them is checked and played, every command gives what stands below it.

A page is read from the top in a folder of its own. What its fenced blocks mean:

- yaml game=FILE   a whole game: it is written, has no mistakes and no warnings, and is played to its end
- yaml file=PATH   any other file: tests, a table, a list of moves (another language may stand for yaml)
- yaml add=FILE    lines that go to the end of a game, which is then checked and played again
- yaml change=FILE lines that take the place of the ones with the same key, once in the file
- yaml wrong=FILE  a game with a mistake; a command below shows what is said about it
- yaml from=FILE   lines of a game of this project, as they stand there
- python from=FILE lines of a source of this project, as they stand there
- yaml             an excerpt: its keys are known, and its expressions can be read
- console          after `$ ` a command, then exactly what it says; a line `...` stands for any lines
- python           code that can at least be compiled, and what it imports is there

`pytest tests/test_docs.py --update-golden` writes anew what commands say.
"""

from __future__ import annotations

import ast
import io
import random
import re
import shlex
import sys
from argparse import ArgumentError, ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, is_dataclass
from dataclasses import fields as dataclass_fields
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import ruledsl
from games import PATHS, ROOT
from ruledsl import manual
from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.choosing import ENTRY
from ruledsl.builtins import BUILTINS
from ruledsl.cli.main import commands, main
from ruledsl.compiler.pipeline import check
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.render import render
from ruledsl.source.document import Map, Node, Scalar, Seq, read_document
from ruledsl.source.text import SourceFile, Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.copies import written_out
from ruledsl.syntax.parser import parse
from ruledsl.syntax.shapes import Form, fields

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(
    r"^```(?P<language>\w+)(?: (?P<what>game|file|add|change|wrong|from)=(?P<name>\S+))?\n(?P<body>.*?)^```$",
    re.M | re.S,
)
FORMS: dict[str, Form] = {title.strip("`").rstrip(":"): form for title, form in manual._forms()}
FORMS["boards"] = FORMS["board"]
PLAYS = 3
LONGEST = 3_000


@dataclass
class Block:
    """A fenced block of a page."""

    language: str
    what: str
    name: str
    body: str
    line: int
    span: tuple[int, int]


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(m["language"], m["what"] or "", m["name"] or "", m["body"], text.count("\n", 0, m.start()) + 1, m.span(4))
        for m in FENCE.finditer(text)
    ]


# --------------------------------------------------------------------------------------------------- the pages


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    update = bool(request.config.getoption("--update-golden"))
    wrong, anew = [], []
    for block in blocks(page):
        try:
            said = run(block)
            if said is not None and said != block.body:
                anew.append((block, said))
                assert update, difference(block.body, said)
        except Exception as problem:
            wrong.append(f"{page.name}:{block.line}: {block.what} {block.name}\n{problem}")
    if update and anew:
        text = page.read_text(encoding="utf-8")
        for block, said in reversed(anew):
            text = text[: block.span[0]] + said + text[block.span[1] :]
        page.write_text(text, encoding="utf-8")
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)


def difference(wanted: str, said: str) -> str:
    return f"the page says:\n{wanted}\nbut this is said (--update-golden accepts it):\n{said}"


def run(block: Block) -> str | None:
    """Does what a block says; of commands, the block as it should be."""
    path = Path(block.name)
    if block.what in ("game", "file", "wrong", "add"):
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_text(encoding="utf-8") if block.what == "add" else ""
        path.write_text(old + block.body, encoding="utf-8")
    if block.what == "change":
        path.write_text(changed(path.read_text(encoding="utf-8"), block.body), encoding="utf-8")
    if block.what in ("game", "add", "change"):
        play_it(path)
    elif block.what == "wrong":
        assert check(path).errors, "this game has no mistake"
    elif block.what == "from":
        assert is_part_of(block.body, ROOT / block.name), f"these lines do not stand in {block.name}"
        if block.language == "yaml":
            excerpt(block.body)
    elif block.language == "console":
        return session(block.body)
    elif block.language == "yaml" and not block.what:
        if re.search(r"^ruledsl:", block.body, re.M):
            path = Path(f"unnamed-{block.line}.yaml")
            path.write_text(block.body, encoding="utf-8")
            play_it(path)
        else:
            excerpt(block.body)
    elif block.language == "python":
        for node in ast.walk(ast.parse(block.body)):
            if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("ruledsl"):
                module = import_module(node.module)
                for alias in node.names:
                    assert hasattr(module, alias.name), f"{node.module} has no {alias.name}"
    return None


def changed(text: str, body: str) -> str:
    for line in body.splitlines():
        key = line[: line.index(":") + 1]
        there = [old for old in text.splitlines() if old.startswith(key)]
        assert len(there) == 1, f"`{key.strip()}` stands {len(there)} times"
        text = text.replace(there[0], line)
    return text


def play_it(path: Path) -> None:
    """A game without mistakes and warnings that comes to its end."""
    report = check(path)
    assert not report.findings, "\n".join(render(found) for found in report.sorted())
    game = ruledsl.load(path)
    for seed in range(PLAYS):
        rng, play = random.Random(seed), game.start(seed=seed)
        for _ in range(LONGEST):
            if play.over:
                break
            seat = rng.choice(play.pending)
            play.choose(rng.randrange(len(play.options(seat))), seat)
        assert play.over, f"the play with seed {seed} does not end"
        assert play.fault is None, f"seed {seed}: {play.fault}"


def session(body: str) -> str:
    """What a terminal would show: commands, and what each says."""
    parts = re.split(r"^\$ ", body, flags=re.M)
    if len(parts) == 1:  # for copying: only that the commands exist
        for line in body.splitlines():
            words = shlex.split(line, comments=True)
            assert words[:2] == ["python3", "run.py"] or words[:1] == ["ruledsl"], line
            word = words[2] if words[0] == "python3" else words[1]
            assert word in commands() or (word == "tests" and words[0] == "python3"), f"there is no command `{word}`"
        return body
    shown = parts[0]
    for part in parts[1:]:
        line, _, wanted = part.partition("\n")
        words = shlex.split(line, comments=True)
        assert words[0] == "ruledsl", line
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(out):
            main(words[1:])
        said = "\n".join(text.rstrip() for text in out.getvalue().strip("\n").splitlines())
        shown += f"$ {line}\n" + (wanted if matches(wanted, said) else said + "\n" if said else "")
    return shown


def matches(wanted: str, said: str) -> bool:
    """Whether a command says what is wanted, where a line `...` is any number of lines."""
    lines = [r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in wanted.strip("\n").splitlines()]
    return re.fullmatch("".join(lines), said + "\n" if said else "") is not None


def is_part_of(body: str, path: Path) -> bool:
    lines = [line.strip() for line in body.strip("\n").splitlines()]
    there = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return any(there[at : at + len(lines)] == lines for at in range(len(there)))


# ------------------------------------------------------------------------------- what stands in games and excerpts


class Walk:
    """Goes through statements and declarations as their forms say, and reads every expression."""

    def __init__(self, text: str, name: str = "excerpt") -> None:
        self.report = Report()
        self.verbs: set[str] = set()
        self.calls: set[str] = set()
        self.root = read_document(SourceFile(name, text), self.report)
        if isinstance(self.root, Map) and not self.is_statement(self.root):
            self.root = written_out(self.root, self.report)
            self.declarations(self.root)
        else:
            self.block(self.root)

    def is_statement(self, node: Node) -> bool:
        return isinstance(node, Map) and any(key in STATEMENTS for key in node.entries)

    def read(self, node: Node | None, start: str = "expr") -> None:
        if isinstance(node, Seq):
            for item in node.items:
                self.read(item, start)
        elif isinstance(node, Scalar) and not node.is_null and node.value != "…":
            tree = parse(node, start, self.report)
            self.calls |= {call for call in calls(tree) if call in BUILTINS}

    def block(self, node: Node | None) -> None:
        if isinstance(node, Seq):
            for item in node.items:
                self.block(item)
        elif isinstance(node, Map) and self.is_statement(node):
            verb = next(key for key in node.entries if key in STATEMENTS)
            self.verbs.add(verb)
            self.map(node, STATEMENTS[verb].form)
        elif isinstance(node, Map):
            self.entry(node)
        else:
            self.read(node)

    def entry(self, node: Node) -> None:
        """An entry of a menu, or what has the keys of one."""
        if isinstance(node, Map):
            self.map(node, ENTRY)
        else:
            self.read(node)

    def map(self, node: Map, form: Form) -> None:
        fields(node, form, self.report)
        for entry in node:
            key = form.keys.get(entry.key.value)
            if key is not None and entry.key.value not in ("limit",):
                self.field(key.kind, entry.value, bool(key.words))

    def field(self, kind: str, value: Node, fixed: bool) -> None:
        if fixed:
            return
        if kind in ("condition", "costs", "choices"):
            self.explained(kind, value)
        elif kind in ("expression", "scalar", "sum"):
            self.read(value)
        elif kind in ("block",):
            self.block(value)
        elif kind in ("variables", "paths", "amounts") and isinstance(value, Map):
            for entry in value:
                self.read(entry.value, "domain" if kind == "variables" else "expr")
                if kind == "paths":
                    self.read(entry.key)
        elif kind == "amounts":
            self.read(value)
        elif kind == "menu" and isinstance(value, Seq):
            for item in value.items:
                self.entry(item)
        elif kind == "map" and isinstance(value, Map):
            for entry in value:
                self.read(entry.value)

    def explained(self, kind: str, value: Node) -> None:
        """What may stand in a map with its reason, or in a list of such."""
        if isinstance(value, Seq):
            for item in value.items:
                self.explained(kind, item)
        elif kind == "choices" and isinstance(value, Map):
            for entry in value:
                inner = entry.value
                self.read(inner.get("is") if isinstance(inner, Map) else inner, "domain")
        elif isinstance(value, Map) and "is" in value.entries:
            self.explained(kind, value.entries["is"].value)
        elif isinstance(value, Map):
            for entry in value:
                self.read(entry.value)
        else:
            self.read(value)

    def declarations(self, node: Map) -> None:
        for entry in node:
            section, value = entry.key.value, entry.value
            form = FORMS.get(section)
            if section in ("setup", "play") and not isinstance(value, Map):
                self.block(value)
            elif section in ("scoring", "campaign") and isinstance(value, Map):
                self.scoring(value)
            elif section in ("effects", "play", "define", "actions", "triggers", "modules") and isinstance(value, Map):
                for one in value:
                    self.declaration(section, one.value)
            elif section == "cases" and form is not None and isinstance(value, Map):
                for name in (name for names in value if isinstance(names.value, Map) for name in names.value):
                    fields(name.value, form, self.report)
            elif form is not None and isinstance(value, Map) and section != "board":
                for one in value:
                    if isinstance(one.value, Map):
                        fields(one.value, form, self.report) if section not in ("types", "presets", "boards") else None
                        self.code(one.value)
                    elif section == "values":
                        self.read(one.value, "type")

    def declaration(self, section: str, value: Node) -> None:
        if section in ("effects", "play"):
            self.block(value)
        elif section == "define":
            self.read(value.get("is") if isinstance(value, Map) else value)
        elif section == "modules" and isinstance(value, Map):
            self.read(value.get("when"))
            self.declarations(value)
            if isinstance(replaced := value.get("replace"), Map):
                self.declarations(replaced)
        elif isinstance(value, Map):
            self.map(value, ENTRY if section == "actions" else FORMS["triggers"])
        else:
            self.entry(value)

    def scoring(self, value: Map) -> None:
        for key in value:
            if key.key.value == "between":
                self.block(key.value)
            elif key.key.value in ("rows", "ties"):
                for one in key.value if isinstance(key.value, Map) else ():
                    self.read(one.value)
                self.read(key.value if isinstance(key.value, Seq) else None)

    def code(self, node: Node) -> None:
        """Expressions, and statements in the rows of tables, that stand deeper: what can be read, is."""
        if isinstance(node, Map) and self.is_statement(node):
            self.block(node)
        elif isinstance(node, Map):
            for entry in node:
                self.code(entry.value)
        elif isinstance(node, Seq):
            for item in node.items:
                self.code(item)
        elif isinstance(node, Scalar) and "(" in node.value:
            kept, self.report = self.report, Report()
            self.read(node)
            self.report = kept


def calls(tree: Any) -> Iterator[str]:
    """The names of all functions called in an expression."""
    if isinstance(tree, E.Call) and isinstance(tree.of, E.Name):
        yield tree.of.name
    if isinstance(tree, list | tuple):
        for part in tree:
            yield from calls(part)
    elif is_dataclass(tree) and not isinstance(tree, Span):
        for field in dataclass_fields(tree):
            yield from calls(getattr(tree, field.name))


def excerpt(text: str) -> None:
    walk = Walk(dedent(text))
    assert not walk.report.findings, "\n".join(render(found) for found in walk.report.sorted())


@cache
def shown() -> dict[str, set[str]]:
    """Which games show a statement or a function."""
    found: dict[str, set[str]] = defaultdict(set)
    games = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in PATHS}
    for page in PAGES:
        grown: dict[str, str] = {}
        for block in blocks(page):
            if block.what in ("game", "add"):
                grown[block.name] = (grown.get(block.name, "") if block.what == "add" else "") + block.body
        games |= {f"{page.name}:{name}": text for name, text in grown.items()}
    for name, text in games.items():
        walk = Walk(text, name)
        for word in walk.verbs | walk.calls:
            found[word].add(name)
    return found


@pytest.mark.parametrize("word", [*sorted(STATEMENTS), *sorted(BUILTINS)])
def test_everything_is_shown_in_two_unrelated_games(word: str) -> None:
    assert len(shown()[word]) >= 2, f"`{word}` is shown only in {sorted(shown()[word])}"


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_has_an_example_that_runs(name: str) -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    assert f"\n$ ruledsl {name}" in page, f"`{name}` is not shown"


CALL = re.compile(r"^(?:\$ )?(?:\.venv/bin/)?(?:ruledsl|python3? run\.py|python3? -m ruledsl) ([a-z]+\b.*)$")
TOLD = [*PAGES, ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("games/*/*.md")), *sorted(ROOT.glob("editors/**/*.md"))]
NOT_COMMANDS = ("tests", "help", "program")  # what `run.py` does itself; the name of a form of files


def command_lines(page: Path) -> Iterator[tuple[int, str]]:
    """The command lines on a page, in blocks and between words, whether they are run or not."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fenced ^= line.startswith("```")
        for told in (line.strip(),) if fenced else re.findall(r"`([^`]+)`", line):
            if called := CALL.match(told):
                yield number, re.split(r"\s+(?:#|\\?\||>|&&|\\$)|  ", called[1])[0]


@pytest.mark.parametrize("page", TOLD, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_every_command_line_could_be_run(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its command, its options and the number of its words are known to the command; a page may leave words out."""
    wrong = []
    for number, call in command_lines(page):
        name, *words = [*shlex.split(call)]
        words = [word for before, word in pairwise((name, *words)) if word not in ("…", "...") or before[0] == "-"]
        if name in NOT_COMMANDS or "--help" in words:
            continue
        if name not in commands():
            wrong.append(f"{page.name}:{number}: `{call}`: there is no command `{name}`")
            continue
        parser = ArgumentParser(name, exit_on_error=False)
        import_module(f"ruledsl.cli.commands.{name}").arguments(parser)
        for action in parser._actions:
            action.type = action.choices = None  # `-n N` stands for any number
            action.required = False
            if not action.option_strings and action.nargs is None:
                action.nargs = "?"
        try:
            parser.parse_args(words)
        except (SystemExit, ArgumentError):
            said = capsys.readouterr().err.strip().splitlines()
            wrong.append(f"{page.name}:{number}: `{call}`: {said[-1] if said else ''}")
    assert not wrong, "\n".join(wrong)


def test_every_command_of_the_readme_has_all_that_it_needs() -> None:
    """Who types a row of its table as it stands is not told that words are missing."""
    rows = re.findall(r"^\| `([a-z]+)((?: [^`]*)?)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 20
    for name, rest in rows:
        parser = ArgumentParser(name, exit_on_error=False)
        import_module(f"ruledsl.cli.commands.{name}").arguments(parser)
        parser.parse_args(shlex.split(rest))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert "://" in target or (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_paragraph_after_a_block_has_a_line_of_its_own(page: Path) -> None:
    assert re.findall(r"^```\n [^ \n].*", page.read_text(encoding="utf-8"), re.M) == []
