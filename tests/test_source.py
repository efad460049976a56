"""Files become nodes that know their place; a hostile or broken file gets a finding in plain words."""

import os
from pathlib import Path

import pytest
import yaml

from ruledsl.diagnostics.codes import CODES
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.render import render
from ruledsl.source import document
from ruledsl.source.document import Broken, Map, Node, Scalar, Seq, load_file, read_document
from ruledsl.source.scan import MAX_RULES_BYTES
from ruledsl.source.tables import read_table
from ruledsl.source.text import SourceFile, Span

LOADERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if hasattr(yaml, "CSafeLoader") else [])]


@pytest.fixture(params=LOADERS, ids=lambda loader: loader.__name__)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a test with the fast loader of YAML and with the one that is always there."""
    monkeypatch.setattr(document, "_Loader", request.param)


def read(text: str) -> Map:
    """The map of a text without mistakes."""
    report = Report()
    node = read_document(SourceFile("game.yaml", text), report)
    assert not report.findings, said(report)
    assert isinstance(node, Map)
    return node


def faults(text: str) -> Report:
    report = Report()
    read_document(SourceFile("game.yaml", text), report)
    return report


def said(report: Report) -> str:
    return "\n".join(map(render, report.sorted()))


def scalar(node: Node | None) -> Scalar:
    assert isinstance(node, Scalar), node
    return node


def scalars(node: Node | None) -> list[Scalar]:
    match node:
        case Scalar():
            return [node]
        case Seq():
            return [text for item in node for text in scalars(item)]
        case Map():
            return [text for entry in node for text in (entry.key, *scalars(entry.value))]
    return []


# --- places ---


def test_lines_end_as_in_every_system() -> None:
    file = SourceFile("x", "a\r\nbc\rd\n")
    assert [file.line_text(line) for line in range(1, file.lines + 1)] == ["a", "bc", "d", ""]
    assert [file.line_col(offset) for offset in (0, 2, 3, 4, 6, 8)] == [
        (1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (4, 1)
    ]  # fmt: skip


def test_spans_join_and_are_compared_by_their_file() -> None:
    file, other = SourceFile("x", "one two"), SourceFile("x", "one two")
    joined = file.span(0, 3).until(file.span(4, 7))
    assert (joined.text, joined.line, joined.column, joined.end_column) == ("one two", 1, 1, 8)
    assert joined == Span(file, 0, 7)
    assert hash(joined) == hash(Span(file, 0, 7))
    assert joined != other.span(0, 7)


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_text_knows_where_its_characters_stand(line_end: str) -> None:
    text = line_end.join(
        [
            "имя: Фьорды 🏔 и 日本",
            "'ключ 😀': \"кавычки\" # заметка",
            "list: [🏔, два, {a: б}]",
            "block: >-",
            "  одно 😀",
            "",
            "  два",
            "many:",
            "  слова на",
            "  двух строках",
            "",
        ]
    )
    node = read(text)
    assert [found.value for found in scalars(node)] == [
        "имя", "Фьорды 🏔 и 日本", "ключ 😀", "кавычки", "list", "🏔", "два", "a", "б",
        "block", "одно 😀\nдва", "many", "слова на двух строках",
    ]  # fmt: skip
    for found in scalars(node):
        assert found.text_span.text.split() == found.value.split()
    assert scalar(node.get("ключ 😀")).span.text == '"кавычки"'
    assert scalar(node.get("block")).span.text.startswith(">-")
    listed = node.get("list")
    assert isinstance(listed, Seq)
    assert listed.span.text == "[🏔, два, {a: б}]"
    assert node.span.text == text.rstrip()


def test_a_byte_order_mark_moves_no_place(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_bytes("\ufeffимя: дом\n".encode())
    node = load_file(tmp_path / "game.yaml", Report())
    assert isinstance(node, Map)
    assert scalar(node.get("имя")).span.text == "дом"


@pytest.mark.usefixtures("loader")
def test_anchors_are_not_part_of_the_place_of_a_node() -> None:
    node = read("a: &x # first\n  b: 1\nc: &y [2]\nd: &z word\ne: &n\nf: *x\ng: *z\n")
    spans = {entry.key.value: entry.value.span.text for entry in node}
    assert spans == {"a": "b: 1", "c": "[2]", "d": "word", "e": "", "f": "b: 1", "g": "word"}
    assert node.get("a") is node.get("f")


# --- values ---


def test_plain_words_are_not_guessed_at() -> None:
    node = read("a: on\nb: no\nc: ~\nd:\ne: true\nf: 'true'\ng: -12\nh: 0x1F\ni: 1_000\nj: '3'\nk: null\nl: 1.5\n")
    values = [scalar(entry.value) for entry in node]
    assert [value.is_null for value in values] == [name in "cdk" for name in node.entries]
    assert {v.value: v.as_bool() for v in values if v.as_bool() is not None} == {"true": True}
    assert [v.as_int() for v in values if v.as_int() is not None] == [-12]
    assert scalar(read(f"a: {'9' * 5000}").get("a")).as_int() is None


def test_maps_keep_their_order_and_form() -> None:
    node = read("b: {x: 1}\na: [y]\n")
    assert [entry.key.value for entry in node] == ["b", "a"]
    inner, listed = node.get("b"), node.get("a")
    assert isinstance(inner, Map)
    assert isinstance(listed, Seq)
    assert (node.flow, inner.flow, listed.flow) == (False, True, True)
    key = node.key("a")
    assert key is not None
    assert key.span.line == 2
    assert node.get("c") is node.key("c") is None


def test_escapes_are_told_because_they_move_places() -> None:
    node = read("a: \"one  two\"\nb: \"one\\ttwo\"\nc: 'it''s'\nd: |\n  one\n")
    assert [scalar(entry.value).is_escaped for entry in node] == [False, True, True, False]


# --- mistakes ---


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("code", [code for code in CODES.values() if code.code[0] == "Y" and code.wrong])
def test_each_code_has_an_example(code: object) -> None:
    assert isinstance(code, type(CODES["Y101"]))
    wrong, right = faults(code.wrong), faults(code.right)
    assert [found.code for found in wrong.findings] == [code.code], said(wrong)
    assert not right.findings, said(right)


FAULTS = {
    "- {when: line(cell, 3), do: win}\n": """\
error[Y301]: this comma ended the value of `when`
 --> game.yaml:1:19
  |
1 | - {when: line(cell, 3), do: win}
  |                   ^
help: inside { } and [ ] a comma ends a value; write this on its own line:
      when: line(cell, 3)""",
    "a: [f(x, g(y, z)), 2]\n": """\
error[Y301]: this comma ended the text
 --> game.yaml:1:8
  |
1 | a: [f(x, g(y, z)), 2]
  |        ^
help: inside { } and [ ] a comma ends a value; write this on its own line:
      - f(x, g(y, z))""",
    "a: {when: f(x, [y, z])}\n": """\
error[Y301]: this comma ended the text
 --> game.yaml:1:14
  |
1 | a: {when: f(x, [y, z])}
  |              ^
help: inside { } and [ ] a comma ends a value; write the text on its own line, or in quotes""",
    "a: {when: cost[wood] > 1}\n": """\
error[Y302]: a text inside { } or [ ] cannot have a `[` in it
 --> game.yaml:1:15
  |
1 | a: {when: cost[wood] > 1}
  |               ^
help: write this on its own line, without { } or [ ] around it, or in quotes""",
    "when: count(x #3)\n": """\
error[Y303]: a comment starts at this `#` and ended the text before it
 --> game.yaml:1:15
  |
1 | when: count(x #3)
  |               ^^^
help: write the whole text in quotes""",
    "when: f(a, # first\n  b)\nx: 1\n": """\
error[Y303]: a comment starts at this `#` and ended the text before it
 --> game.yaml:1:12
  |
1 | when: f(a, # first
  |            ^^^^^^^
help: write the whole text in quotes""",
    "a: {color: #ff0000}\nb: 2\n": """\
error[Y303]: a comment starts at this `#` and is where a text was meant
 --> game.yaml:1:12
  |
1 | a: {color: #ff0000}
  |            ^^^^^^^^
help: write the whole text in quotes""",
    "a: 1\n  b: 2\n": """\
error[Y102]: `b` is indented under `a`, which already has a value
 --> game.yaml:2:3
  |
2 |   b: 2
  |   ^
help: indent it like the keys it belongs to""",
    "a:\n   b: 1\n  c: 2\n": """\
error[Y102]: `b` stands 1 blank too deep
 --> game.yaml:2:4
  |
2 |    b: 1
  |    ^
 ::: game.yaml:3:3
  |
3 |   c: 2
  |   ^ this belongs to the same list or map
help: start it in column 3, like the lines that belong with it""",
    "a:\n  - b\n  c: 1\n": """\
error[Y102]: `c` is among the items of a list
 --> game.yaml:3:3
  |
3 |   c: 1
  |   ^
 ::: game.yaml:2:3
  |
2 |   - b
  |   ^ this stands in the same column
help: for an item of its own write `- c`; if it goes beside `a`, start it in the column of that""",
    "a: - b\n": """\
error[Y102]: a list cannot start on the line of its key
 --> game.yaml:1:4
  |
1 | a: - b
  |    ^
help: put each item on a line of its own, or write the list in [ ]""",
    "a: {b: [c}\n": """\
error[Y104]: `}` cannot close `[`
 --> game.yaml:1:10
  |
1 | a: {b: [c}
  |          ^
 ::: game.yaml:1:8
  |
1 | a: {b: [c}
  |        ^ opened here""",
    "a: {\n  b: 1\n  c: 2\n}\n": """\
error[Y109]: a comma or `}` is missing before this
 --> game.yaml:3:3
  |
3 |   c: 2
  |   ^
 ::: game.yaml:1:4
  |
1 | a: {
  |    ^ opened here, and not closed before""",
    "a: 'don't'\nb: 1\n": """\
error[Y109]: nothing may follow the `'` that ends a value
 --> game.yaml:1:9
  |
1 | a: 'don't'
  |         ^
help: write `''` for an apostrophe inside single quotes""",
    "a:1\nb: 2\n": """\
error[Y304]: a space is missing after this `:`
 --> game.yaml:1:2
  |
1 | a:1
  |  ^""",
    "a: *b + 1\n": """\
error[Y107]: a text cannot start with `*`
 --> game.yaml:1:4
  |
1 | a: *b + 1
  |    ^
help: write the text in quotes""",
    "a: 1\nb: 2\na: 3\n": """\
error[Y201]: `a` is written twice
 --> game.yaml:3:1
  |
3 | a: 3
  | ^
 ::: game.yaml:1:1
  |
1 | a: 1
  | ^ first written here""",
    "a: 1\x1b[31m\n": """\
error[Y005]: the control character U+001B cannot be in a file
 --> game.yaml:1:5
  |
1 | a: 1\\x1b[31m
  |     ^^^^
help: delete it""",
}


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("text", FAULTS)
def test_a_mistake_is_told_once_and_in_plain_words(text: str) -> None:
    assert said(faults(text)) == FAULTS[text]


def test_what_a_comma_cut_is_broken_and_the_rest_is_kept() -> None:
    report = Report()
    text = "{cell: set(a, b), to: c, when: f(x, y, z), of: (1), at: g(h, i}"
    node = read_document(SourceFile("game.yaml", text), report)
    assert isinstance(node, Map)
    assert node.broken
    assert list(node.entries) == ["cell", "to", "when", "of", "at"]
    assert [type(entry.value) for entry in node] == [Broken, Scalar, Broken, Scalar, Broken]
    assert [entry.value.span.text for entry in node if isinstance(entry.value, Broken)] == [
        "set(a, b)", "f(x, y, z)", "g(h, i"
    ]  # fmt: skip
    assert [found.span.column for found in report.findings if found.span] == [13, 35, 60]


@pytest.mark.parametrize(
    "text",
    [
        "{when: f(x), do: g(y) + (1)}",
        "{smile: '(', frown: ')'}",
        "{half: (open}",
        "[a, b]",
        "when: f(a, b) # so (as said)",
        "turn: # fade\n  a: 1",
        "turn: #add\n",
        "a: 'x # y)'",
        "a:\n  # f(\n  b: 1 # )",
    ],
)
def test_what_is_no_accident_is_not_reported(text: str) -> None:
    report = faults(text)
    assert not report.findings or text == "turn: #add\n", said(report)


# --- hostile files; the times are far above what is needed and only catch a hang ---

HOSTILE = {
    "brackets": ("[" * 100_000, "Y003"),
    "braces": ("{a: " * 400_000, "Y003"),
    "items": ("- " * 900_000, "Y003"),
    "indentation": ("".join(" " * depth + "a:\n" for depth in range(1_500)), "Y003"),
    "aliases": (
        "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [{f'*a{i - 1}, ' * 10}]\n" for i in range(1, 30)),
        "Y002",
    ),
    "deep aliases": (
        f"a0: &a0 {'[' * 60}{']' * 60}\n"
        + "".join(f"a{i}: &a{i} {'[' * 60}*a{i - 1}{']' * 60}\n" for i in range(1, 30)),
        "Y003",
    ),
    "a circle": ("a: &a [*a]\n", "Y206"),
    "values": (f"[{'a,' * 900_000}]", "Y002"),
    "lines": ("\n" * 1_900_000, "Y002"),
    "directives": ("%TAG !a! x\n" * 150_000, "Y207"),
    "cut values": (f"{{{'a: f(,' * 300_000}}}", "Y002"),
    "comments": ("a: [" + " #]" * 600_000, "Y303"),
    "quote": ('a: "' + "x" * 1_900_000, "Y105"),
    "one line": ("a: " + "x" * 1_900_000 + ": y", "Y106"),
    "brackets in quotes": ('a: "' + "b[c]" * 450_000 + '" @x', "Y107"),
    "twice": ("a: 1\n" * 90_000, "Y201"),
}


@pytest.mark.skipif(not hasattr(yaml, "CSafeLoader"), reason="the loader in Python takes its time")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_gets_a_short_answer(name: str) -> None:
    text, code = HOSTILE[name]
    report = faults(text)
    assert {found.code for found in report.findings} == {code}
    assert len(report.findings) <= 200
    assert all(len(render(found)) < 5_000 for found in report.findings)


def test_no_more_is_read_than_allowed(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    report = Report()
    assert load_file(path, report) is None
    assert [found.message for found in report.findings] == [f"`{path}` is larger than 2 MB"]
    path.write_bytes(b"a: " + b"x" * (MAX_RULES_BYTES - 3))
    assert load_file(path, Report()) is not None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and links")
def test_files_that_cannot_be_read_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin.yaml").write_bytes("a: 1\nb: дом\n".encode("cp1251"))
    (tmp_path / "loop").symlink_to("loop")
    names = ["none.yaml", "pipe", "folder", "a\0b", "latin.yaml", "loop", "../x\x1b"]
    report = Report()
    assert [load_file(tmp_path / name, report) for name in names] == [None] * len(names)
    assert said(report) == (
        "error[Y001]: `a\\x00b` cannot be read\n"
        "error[Y001]: `folder` is a folder, not a file\n"
        "error[Y001]: `loop` cannot be read\n"
        "error[Y001]: `pipe` is not a regular file\n"
        "error[Y001]: there is no file `../x\\x1b`\n"
        "error[Y001]: there is no file `none.yaml`\n"
        "help: in its folder there is `latin.yaml`\n"
        """\
error[Y004]: the file is not UTF-8 text
 --> latin.yaml:2:4
  |
2 | b: ���
  |    ^ this may be another encoding
help: save the file as UTF-8"""
    )


# --- tables ---


def table(tmp_path: Path, name: str, text: str, fragment: str | None = None) -> tuple[list[Map] | None, Report]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    report = Report()
    at = SourceFile("game.yaml", f"from: {name}").span(6, 6 + len(name))
    return read_table(name, fragment, tmp_path, report, at), report


def plain(node: Node) -> object:
    match node:
        case Scalar():
            return node.value
        case Seq():
            return [plain(item) for item in node]
        case Map():
            return {entry.key.value: plain(entry.value) for entry in node}
    return None


def test_a_csv_row_is_a_map_that_knows_its_cells(tmp_path: Path) -> None:
    text = 'name, cost.wood ,cost.stone,tags,text\r\nдом,1,2,red; big ,"set(a, ""b"");"\r\n\r\n"мост",,3,,\r\n'
    rows, report = table(tmp_path, "t.csv", text)
    assert not report.findings, said(report)
    assert rows is not None
    assert [plain(row) for row in rows] == [
        {"name": "дом", "cost": {"wood": "1", "stone": "2"}, "tags": ["red", "big"], "text": 'set(a, "b");'},
        {"name": "мост", "cost": {"stone": "3"}},
    ]
    house, bridge = rows
    assert house.span.text == 'дом,1,2,red; big ,"set(a, ""b"");"'
    assert [found.text_span.text for found in scalars(house)] == [
        "name", "дом", "cost", "wood", "1", "stone", "2", "tags", "red", "big", "text", 'set(a, ""b"");',
    ]  # fmt: skip
    cost = house.get("cost")
    assert isinstance(cost, Map)
    assert cost.span.text == "1,2"
    assert scalar(cost.get("wood")).as_int() == 1
    assert scalar(house.get("text")).is_escaped
    assert scalar(bridge.get("name")).span.text == '"мост"'


@pytest.mark.parametrize(
    ("text", "code", "marked"),
    [
        ("a,b\n1,2\n1,2,3\n4\n", "Y404", "1,2,3"),
        ("a,b\n1\n", "Y404", "1"),
        ("a;b\n1;2\n", "Y405", "a;b"),
        ("a,,b\n", "Y405", ""),
        ("a,b.c.d\n", "Y405", "b.c.d"),
        ("a,b,a\n", "Y201", "a"),
        ("a,a.b\n", "Y201", "a.b"),
        ("a.b,a\n", "Y201", "a"),
        ('a,b\n1,"2\n', "Y105", '"'),
        ('a,b\n1,"2"3\n', "Y109", "3"),
        ("", "Y111", ""),
        ("a\n\x00\n", "Y005", "\x00"),
    ],
)
def test_a_wrong_csv_is_told_at_its_place(tmp_path: Path, text: str, code: str, marked: str) -> None:
    _, report = table(tmp_path, "t.csv", text)
    found = report.sorted()[0]
    assert found.span is not None
    assert (found.code, found.span.text) == (code, marked)


def test_a_yaml_table_is_a_list_or_has_its_names_as_keys(tmp_path: Path) -> None:
    text = "deck:\n  base:\n    - {name: oak, cost: 2}\n  more:\n    elm: {cost: 3}\n    ash:\n"
    listed, _ = table(tmp_path, "t.yaml", text, "deck/base")
    named, _ = table(tmp_path, "t.yaml", text, "deck/more")
    assert listed is not None
    assert named is not None
    assert [plain(row) for row in listed] == [{"name": "oak", "cost": "2"}]
    assert [plain(row) for row in named] == [{"name": "elm", "cost": "3"}, {"name": "ash"}]
    assert scalar(named[0].get("name")).span.text == "elm"
    _, report = table(tmp_path, "t.yaml", text, "deck/bse")
    assert [(found.code, found.help) for found in report.findings] == [("Y402", "did you mean `base`?")]
    _, report = table(tmp_path, "t.yaml", "- a\n- {b: 1}\n")
    assert [found.code for found in report.findings] == ["Y403"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links")
def test_a_table_is_inside_the_folder_of_the_game(tmp_path: Path) -> None:
    root = tmp_path / "game"
    root.mkdir()
    (tmp_path / "secret.csv").write_text("a\n1\n")
    (root / "link.csv").symlink_to(tmp_path / "secret.csv")
    for path in ("../secret.csv", "link.csv", str(tmp_path / "secret.csv"), "a\0b"):
        report = Report()
        at = SourceFile("game.yaml", "from: x").span(6, 7)
        assert read_table(path, None, root, report, at) is None
        assert [(found.code, found.span) for found in report.findings] == [("Y006", at)]
    (root / "inside.csv").symlink_to(root / "real.csv")
    (root / "real.csv").write_text("a\n1\n")
    assert read_table("inside.csv", None, root, Report(), at) is not None
