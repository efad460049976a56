"""`fmt`: one style, the same game. Files are pulled apart in ways that change nothing, and must come together again."""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from mutator.judge import MAKERS, fingerprint
from mutator.text import Text

from games import ROOT
from ruledsl.cli.main import main
from ruledsl.compiler.pipeline import check
from ruledsl.compiler.pipeline import read as read_game
from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Broken, Map, Node, Scalar, Seq, read_document, tokens
from ruledsl.source.style import styled
from ruledsl.source.text import SourceFile

OURS = [
    path for folder in ("games", "examples", "ruledsl/templates") for path in sorted((ROOT / folder).rglob("*.yaml"))
]
FIXTURES = [path for folder in ("language", "designer", "errors") for path in (ROOT / "tests" / folder).rglob("*.yaml")]
ALL = [*OURS, *sorted(FIXTURES)]
COMMENT = re.compile(r"(?:^|\s)#.*$", re.M)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8-sig", errors="replace")


def tree(text: str) -> Any:
    """What a text says, without places; None if it cannot be read."""

    def plain(node: Node | None) -> Any:
        match node:
            case Scalar():
                return node.value, node.style
            case Seq():
                return [plain(item) for item in node.items], node.flow
            case Map():
                return [(entry.key.value, plain(entry.value)) for entry in node], node.flow, node.broken
            case Broken():
                return "broken"
        return None

    return plain(read_document(SourceFile("game.yaml", text), Report()))


def held(text: str) -> None:
    """What must be so for any file."""
    result = styled(text)
    assert styled(result) == result
    assert tree(result) == tree(text)
    assert sorted(map(str.split, COMMENT.findall(result))) == sorted(map(str.split, COMMENT.findall(text)))


def ruffled(text: str, chance: Random) -> str:
    """The same with blanks where they change nothing: between what stands on a line, and at the ends of lines."""
    parts, end, last = [], 0, ""
    for token in tokens(text):
        if token.start == token.end:
            continue
        gap = text[end : token.start]
        if gap and "\n" not in gap and last != "Scalar | block" and last != "BlockEntry" and chance.random() < 0.3:
            gap += " " * chance.randrange(1, 4)
        elif "\n" in gap and last != "Scalar | block":
            lines = gap.split("\n")
            gap = "\n".join([line + " " * chance.randrange(3) for line in lines[:-1]] + lines[-1:])
            if chance.random() < 0.1:
                gap = gap.replace("\n\n", "\n\n  \n\n", 1)
        written = text[token.start : token.end]
        is_block = token.kind == "Scalar" and not token.plain and written[0] in "|>"
        last = "Scalar | block" if is_block else token.kind
        parts.append(gap + written)
        end = token.end
    return "".join(parts) + text[end:]


def near(text: str) -> str:
    """A text without columns: what ruffling has put in line by chance stays in line."""
    return re.sub(r"(?<=[{\[]) +|(?<=\S) {2,}(?=\S)", lambda gap: "" if text[gap.start() - 1] in "{[" else " ", text)


def tabled(text: str, more: int = 0) -> tuple[str, int]:
    """The same with the values of adjacent keys in line, so many blanks further than need be; how many were moved."""
    key = r"(?:\"[^\"]*\"|'[^']*'|[^\s:#\"'{}\[\]-][^:#\"'{}]*):"
    row = re.compile(rf"( *(?:- )?)({key}) (?! )([^\s|>#&!].*)")
    lines, moved = text.split("\n"), 0
    at = 0
    while at < len(lines):
        end, found = at, list[re.Match[str]]()
        while end < len(lines) and (one := row.fullmatch(lines[end])) and (not found or one[1] == found[0][1]):
            found.append(one)
            end += 1
        width = max((len(one[2]) for one in found), default=0) + more
        named = at > 0 and re.search(r": &\w", lines[at - 1]) is not None  # a row of the same map that stays as it is
        whole = len(found) > 1 and all(is_row(one[0]) for one in found) and not goes_on(lines, end, found[-1][1])
        if whole and not named:
            lines[at:end] = [f"{one[1]}{one[2]:<{width}} {one[3]}" for one in found]
            moved += sum(len(one[2]) < width for one in found)
        at = max(end, at + 1)
    return "\n".join(lines), moved


def is_row(line: str) -> bool:
    """Whether a line has all of what begins on it."""
    known = tree(line.strip())
    return known is not None and known not in ("broken", [])


def goes_on(lines: list[str], at: int, start: str) -> bool:
    depth = len(lines[at]) - len(lines[at].lstrip()) if at < len(lines) else 0
    return depth > start.index("-") if "-" in start else depth > len(start)


def spread(text: str, times: int) -> str:
    """The same with lines so many times as deep."""

    def deeper(found: re.Match[str]) -> str:
        return " " * (len(found[1]) * times) + found[2].replace("- ", "-" + " " * (2 * times - 1))

    return re.sub(r"^( *)((?:- )*)", deeper, text, flags=re.M)


# -------------------------------------------------------------------------------------------------- the laws


def test_all_files_of_ours_are_in_style() -> None:
    assert [path for path in OURS if styled(read(path)) != read(path)] == []


@pytest.mark.parametrize("folder", ["language", "designer", "errors"])  # of ours nothing is changed at all
def test_nothing_is_changed_but_blanks(folder: str) -> None:
    found = [path for path in ALL if folder in path.relative_to(ROOT).parts]
    assert len(found) > 5
    for path in found:
        if tree(read(path)) is not None:
            held(read(path))


@pytest.mark.parametrize("every", [9, pytest.param(3, marks=pytest.mark.long)])
def test_what_was_pulled_apart_comes_together(every: int) -> None:
    chance, many = Random(7), 0
    for path in OURS[::every]:
        text = read(path)
        apart = ruffled(text, chance)
        if tree(apart) == tree(text):
            assert near(styled(apart)) == near(text), path
            many += apart != text
        deep = spread(text, 3)
        if tree(deep) == tree(text):
            held(deep)
    assert many > 45 / every


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.long)])
def test_columns_stay_in_line(every: int) -> None:
    many = 0
    for path in ALL[::every]:
        text = read(path)
        style = styled(text) if tree(text) is not None else ""
        (table, moved), (wide, _) = tabled(style), tabled(style, more=3)
        if moved and tree(table) == tree(style):
            many += moved
            assert styled(table) == table, path
            assert near(styled(wide)) == near(table)
            assert styled(styled(wide)) == styled(wide)
    assert many > 700 / every


TABLE = """\
rows:
  - {id: a,    cost:  1,          text: x}  # one
  - {id: bcd,  cost: 12, gain: 1, text: y}  # two
  - {id: bc,   cost:  3,          text: y}  # three
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("king:   {far: 1}\nqueen:  {far: 7}\nbishop: {far: 7}\n", None),
        ("king:   {far: 1}\nqueen:  {far: 7}\nthe_bishop: {far: 7}\n",
         "king:       {far: 1}\nqueen:      {far: 7}\nthe_bishop: {far: 7}\n"),
        ("king:      {far: 1}\nqueen:     {far: 7}\n", "king:  {far: 1}\nqueen: {far: 7}\n"),
        ("a:  1\nqueen: 2\nbishop: 3\n", "a: 1\nqueen: 2\nbishop: 3\n"),
        ("- [ 1, 10]\n- [12,  3]\n", None),
        ("- {x:  1}\n\n- {xy: 1}\n", "- {x: 1}\n\n- {xy: 1}\n"),
        ("- {a: 1,  b: 2}\n- {b: 22, a: 1}\n", "- {a: 1, b: 2}\n- {b: 22, a: 1}\n"),
        ("a:   1     # one\nabc: [2]   # two\n", "a:   1    # one\nabc: [2]  # two\n"),
        (TABLE, TABLE.replace("bcd,  ", "bcd, ").replace("a,    ", "a,   ").replace("bc,   ", "bc,  ")),
        ("- {a: bcdef, b: 1}\n- {a: x,   b: 2}\n- {a: yyy, b: 3}\n",
         "- {a: bcdef, b: 1}\n- {a: x,     b: 2}\n- {a: yyy,   b: 3}\n"),
    ],
)  # fmt: skip
def test_tables(text: str, wanted: str | None) -> None:
    """What stood in line does so again, however long a row has become; what did not is no table."""
    assert styled(text) == (wanted or text)
    held(text)


def test_lists_as_deep_as_their_key() -> None:
    text = "play:\n- turns: players\n  do:\n  - choose one:\n    - a\n  # the end\n\n\n- end: game   # over\n"
    wanted = (
        "play:\n  - turns: players\n    do:\n      - choose one:\n          - a\n      # the end\n\n"
        "  - end: game  # over\n"
    )
    assert styled(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a:   1 # why\n", "a: 1  # why\n"),
        ("a: {  b:1 , c : [ 1,2 ,3 ] }", "a: {b:1, c: [1, 2, 3]}\n"),
        ("a:\n    b:\n        c: 1\n", "a:\n  b:\n    c: 1\n"),
        ("-\n  a: 1\n-   b: 2\n    c: 3\n", "- a: 1\n- b: 2\n  c: 3\n"),
        ("-\n- a\n", "-\n- a\n"),
        ("a:\r\n  - 1\r\n\r\n\r\nb: 2", "a:\n  - 1\n\nb: 2\n"),
        ("a: |\n     one\n       two\n\nb: >-\n   x\n", "a: |\n  one\n    two\n\nb: >-\n  x\n"),
        ("a:\n      - |2\n           x\n", "a:\n  - |2\n       x\n"),
        ("a: [1,\n    2]\n", "a: [1,\n    2]\n"),
        ("a:    [1,\n       2]\n", "a: [1,\n    2]\n"),
        ("a: long\n      text\n", "a: long\n      text\n"),
        ("\n\n# head\n\n\na: 1\n  # of a\n", "# head\n\na: 1\n# of a\n"),
        ('a: "b   c"\nb: d   e\n', 'a: "b   c"\nb: d   e\n'),
        ("? a\n:   b\n", "? a\n:   b\n"),  # a way to write keys that is left alone
        ("", ""),
        ("# only this", "# only this\n"),
        ("a:   {b: 1}}\nc:  2\n", "a:   {b: 1}}\nc:  2\n"),  # cannot be read
        ("a:   {b: cost[wood] > 2}\nc:  2\n", "a:   {b: cost[wood] > 2}\nc:  2\n"),  # `check` reads on behind it
    ],
)
def test_one_style(text: str, wanted: str) -> None:
    assert styled(text) == wanted
    held(text)


def mutants(many: int, seed: int) -> Iterator[str]:
    chance = Random(seed)
    texts = [Text(path) for path in OURS if "templates" not in path.parts]
    made = 0
    while made < many:
        text, maker = chance.choice(texts), chance.choice(list(MAKERS.values()))
        try:
            mutant = maker(text, chance)
        except (IndexError, AssertionError):  # nothing in this file that such a slip could be made of
            continue
        if mutant is not None and mutant.text != text.source and tree(mutant.text) is not None:
            made += 1
            yield mutant.text


@pytest.mark.parametrize("many", [24, pytest.param(2000, marks=pytest.mark.long)])
def test_files_with_slips(many: int) -> None:
    chance = Random(many)
    for text in mutants(many, many):
        held(text)
        held(ruffled(text, chance))


GAMES = [path for path in [*ROOT.glob("examples/*.yaml"), *ROOT.glob("games/*/game.yaml")] if ".test." not in path.name]
NAMES = sorted(str(path.relative_to(ROOT)) for path in GAMES)


@pytest.mark.parametrize(
    "name", [name if "chess" in name else pytest.param(name, marks=pytest.mark.long) for name in NAMES]
)
def test_a_game_stays_the_game_that_it_was(name: str, tmp_path: Path) -> None:
    source = ROOT / name
    shutil.copytree(source.parent, tmp_path / "game", ignore=shutil.ignore_patterns("*.md"))
    game = tmp_path / "game" / source.name
    blueprint = read_game(game, Report())
    assert blueprint is not None
    files = [Path(file.path) for file in blueprint.source.files if file.path.endswith(".yaml")]
    before = fingerprint(game)[0], [(d.code, d.message) for d in check(game).sorted()]
    chance = Random(3)
    for path in files:
        path.write_text(ruffled(spread(read(path), 2), chance), encoding="utf-8")
    assert main(["fmt", *map(str, files)]) == 0
    assert (fingerprint(game)[0], [(d.code, d.message) for d in check(game).sorted()]) == before


# ----------------------------------------------------------------------------------------------- the command


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "wood"
    (folder / "tests").mkdir(parents=True)
    (folder / "game.yaml").write_text("ruledsl: 1\ngame: wood\nplayers:   2\ninclude: [more.yaml]\n", encoding="utf-8")
    (folder / "more.yaml").write_text("values:\n    left: 0..9\n", encoding="utf-8")
    (folder / "other.yaml").write_text("a:   1\n", encoding="utf-8")
    (folder / "tests" / "some.yaml").write_text("tests:\n- test: one\n", encoding="utf-8")
    return folder


def test_all_files_of_a_game(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "wood", "--check"]) == 1
    assert capsys.readouterr().out == (
        "wood/game.yaml\nwood/more.yaml\nwood/tests/some.yaml\n3 files, 3 not in style\n"
    )
    assert main(["fmt", "wood", "--diff"]) == 0
    assert "-players:   2\n+players: 2\n" in capsys.readouterr().out
    assert "   2" in read(here / "game.yaml")
    assert main(["fmt", "wood"]) == 0
    assert capsys.readouterr().out.endswith("3 files, 3 formatted\n")
    assert read(here / "tests" / "some.yaml") == "tests:\n  - test: one\n"
    assert read(here / "other.yaml") == "a:   1\n"  # no file of the game
    assert main(["fmt", "wood", "--check"]) == 0
    assert capsys.readouterr().out == "3 files, all in style\n"


def test_a_file_that_cannot_be_read_is_left(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "more.yaml").write_text("values:   {a: [1\nb:   2\n", encoding="utf-8")
    assert main(["fmt", "wood/more.yaml", "wood/other.yaml"]) == 1
    said = capsys.readouterr().out
    assert "--> wood/more.yaml:1:15" in said
    assert said.endswith("wood/other.yaml\n2 files, 1 formatted, 1 cannot be read\n")
    assert read(here / "more.yaml") == "values:   {a: [1\nb:   2\n"
    (here / "more.yaml").write_text("values:   2\ndefine: {a: cost[wood] > 2}\n", encoding="utf-8")
    assert main(["fmt", "wood/more.yaml"]) == 1
    said = capsys.readouterr().out
    assert "[Y302]" in said
    assert said.endswith(", 1 cannot be read\n")
    assert read(here / "more.yaml").startswith("values:   2")


def test_what_is_no_file_of_a_game(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "goods.csv").write_text("id,cost\n", encoding="utf-8")
    assert main(["fmt", "wood/goods.csv"]) == 2
    assert "only .yaml files are formatted" in capsys.readouterr().err
    assert main(["fmt", "chess"]) == 2
    assert "comes with ruledsl and is not changed" in capsys.readouterr().err
    assert main(["fmt", "chess", "--check"]) == 0


def test_the_standard_input(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("a:   ёж\n".encode())))
    assert main(["fmt", "-"]) == 0
    assert capsysbinary.readouterr().out.decode() == "a: ёж\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a:   [\n")))
    assert main(["fmt", "-"]) == 1
    assert capsysbinary.readouterr().out == b"a:   [\n"
