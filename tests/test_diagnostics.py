"""Findings are kept once, shown with carets at the right column, and offer the name that was meant."""

from pathlib import Path
from random import Random

import pytest

from ruledsl.compiler.pipeline import check
from ruledsl.diagnostics.codes import CODES, explain
from ruledsl.diagnostics.model import MOST_FINDINGS, Diagnostic, GameError, Report
from ruledsl.diagnostics.render import render, render_github, render_line, to_json
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.source.text import SourceFile, Span

NAMES = """
active actor adjacent all among any area arrange artifact attack attribute available bag bank base before
bind blocked board border bounds build camp capital card cards cell center choose city closed coast color
connected cost count crossing current deal deck defense direction discard discard_pile distance district
draw edge edges effect empty end_turn enemy equal event exchange exile explore face face_up facing fall farm
fence field filled first flip for_each forest free from gain give gold group grow hand harvest hero hex
hidden hold home idle income island jump keep kept kind knight label lake land largest last legal level line
lose lowest market meadow minimum mountain move move_to mover nearest neighbors next none number occupied
offer opposite optional order owner pass path pay peek phase piece pieces place plan player players pool
previous quarry random reach region remove repeat resource result reveal ring ritual road rotate route round
score sea seat setup ship shuffle site size space spell stack start steps stone supply swap take target
terrain territory tile token total track trade turn upgrade value village visible wood
""".split()  # noqa: SIM905


def mark(text: str, marked: str, label: str = "") -> str:
    """A rendered finding about a part of a text."""
    start = text.index(marked)
    span = SourceFile("game.yaml", text).span(start, start + len(marked))
    return render(Diagnostic("error", "T201", "wrong", span, label))


# --- the report ---


def test_a_report_keeps_findings_once_and_in_order() -> None:
    file, report = SourceFile("b.yaml", "a b"), Report()
    report.warn("L001", file.span(2, 3), "later")
    report.error("N103", file.span(0, 1), "first")
    report.error("N103", file.span(0, 1), "first")
    report.error("Y001", None, "no file")
    report.error("N103", SourceFile("a.yaml", "a").span(0, 1), "other file")
    assert [found.message for found in report.sorted()] == ["no file", "other file", "first", "later"]
    assert (report.errors, report.warnings, report.dropped) == (3, 1, 0)
    assert str(GameError(report)) == "no file"


def test_a_report_is_bounded_and_prefers_errors() -> None:
    file, report = SourceFile("a.yaml", "x" * 1000), Report()
    for at in range(300):
        report.warn("L001", file.span(at, at + 1), "advice")
    report.error("N103", file.span(0, 1), "no such name")
    assert len(report.findings) == MOST_FINDINGS
    assert (report.errors, report.warnings, report.dropped) == (1, 300, 101)
    assert report.findings[-1].code == "N103"


# --- text ---


def test_a_finding_is_shown_whole() -> None:
    file = SourceFile("tic_tac_toe.yaml", "from: empty()\nto: empyt()\n")
    notes = ((file.span(0, 4), "another use"),)
    found = Diagnostic(
        "error",
        "N103",
        "there is no function `empyt`",
        file.span(18, 23),
        "not known",
        notes,
        "did you mean `empty`?",
    )
    assert (
        render(found)
        == """\
error[N103]: there is no function `empyt`
 --> tic_tac_toe.yaml:2:5
  |
2 | to: empyt()
  |     ^^^^^ not known
 ::: tic_tac_toe.yaml:1:1
  |
1 | from: empty()
  | ^^^^ another use
help: did you mean `empty`?"""
    )
    assert render_line(found) == "tic_tac_toe.yaml:2:5: error[N103]: there is no function `empyt`"
    painted = render(found, colour=True)
    assert "\x1b[1;31m^^^^^ not known\x1b[0m" in painted


@pytest.mark.parametrize(
    ("text", "marked", "shown"),
    [
        ("\ta\tb", "b", "1 |  a b\n  |    ^"),
        ("日本: 語", "語", "1 | 日本: 語\n  |       ^^"),
        ("😀 a", "a", "1 | 😀 a\n  |    ^"),
        ("e\u0301 a", "a", "1 | e\u0301 a\n  |   ^"),
        ("дом: сад", "сад", "1 | дом: сад\n  |      ^^^"),
        ("a\x1b[2J b", "b", "1 | a\\x1b[2J b\n  |          ^"),
        ("\u202eab c", "c", "1 | \\u202eab c\n  |          ^"),
        ("a: b\r\nc", "b\r\nc", "1 | a: b\n  |    ^"),
        ("x\nfirst\nsecond", "first\nsecond", "2 | first\n  | ^^^^^"),
        ("a", "", "1 | a\n  | ^"),
    ],
)
def test_carets_count_as_the_terminal_does(text: str, marked: str, shown: str) -> None:
    assert mark(text, marked).split("\n", 3)[3] == shown


def test_the_end_of_a_file_can_be_marked() -> None:
    file = SourceFile("game.yaml", "a: (\n")
    assert render(Diagnostic("error", "E1", "x", file.span(5, 5))).endswith("2 |\n  | ^")


def test_of_a_long_line_the_part_around_the_mark_is_shown() -> None:
    shown = mark("a" * 5000 + "HERE" + "b" * 5000, "HERE").splitlines()
    assert len(shown[-2]) < 200
    column = shown[-1].index("^")
    assert shown[-2][column : column + 4] == "HERE"


def test_nothing_that_a_terminal_obeys_is_shown() -> None:
    span = SourceFile("g\x1b.yaml", "x").span(0, 1)
    found = Diagnostic("error", "N1", "no `\x1b[2J`\n", span, "\x07", ((span, "\x9b"),), "use \x1b")
    assert not {"\x1b", "\x07", "\x9b"} & set(render(found) + render_line(found))


# --- other forms ---


def test_github_gets_one_escaped_line() -> None:
    file = SourceFile("a,b:c.yaml", "x: 100%\ny")
    found = Diagnostic("warning", "L1", "50%, or: more", file.span(3, 9), help="less\nis more")
    assert render_github(found) == (
        "::warning file=a%2Cb%3Ac.yaml,line=1,col=4,endLine=2,endColumn=2,title=L1%3A%3A50%25%2C or%3A more"
        "::50%25, or: more%0Aless%0Ais more"
    )
    assert render_github(Diagnostic("error", "Y1", "m", None)) == "::error title=Y1%3A%3Am::m"


def test_json_has_all_findings_with_their_places() -> None:
    report = Report()
    report.error("N1", SourceFile("a.yaml", "one two").span(4, 7), "m", help="h", suggestions=("too",))
    report.warn("L1", None, "w")
    place = {"file": "a.yaml", "line": 1, "column": 5, "end_line": 1, "end_column": 8}
    assert to_json(report) == {
        "diagnostics": [
            {
                **dict.fromkeys(place),
                "severity": "warning",
                "code": "L1",
                "message": "w",
                "help": "",
                "suggestions": [],
                "edits": [],
                "again": [],
            },
            {
                **place,
                "severity": "error",
                "code": "N1",
                "message": "m",
                "help": "h",
                "suggestions": ["too"],
                "edits": [],
                "again": [],
            },
        ],
        "errors": 1,
        "warnings": 1,
        "menus": [],
    }


def test_each_code_has_a_page() -> None:
    for name, code in CODES.items():
        page = explain(name.lower())
        assert page.startswith(f"{name}: {code.title}\n\n{code.explanation}\n")
        assert ("Wrong:" in page) == bool(code.wrong)
        assert bool(code.wrong) == bool(code.right)


# --- suggestions ---


def slip(word: str, rng: Random) -> str:
    """The word with one letter added, dropped, replaced or swapped."""
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz_")
    at = rng.randrange(len(word))
    match rng.randrange(4):
        case 0:
            return word[:at] + letter + word[at:]
        case 1:
            return word[:at] + word[at + 1 :]
        case 2:
            return word[:at] + letter + word[at + 1 :]
    at = min(at, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def test_single_slips_find_the_name_that_was_meant() -> None:
    rng = Random(7)
    tries = [(name, typed) for name in NAMES for _ in range(6) if (typed := slip(name, rng)) not in NAMES]
    offered = [(name, nearest(typed, NAMES)) for name, typed in tries]
    assert sum(name in found for name, found in offered) / len(tries) > 0.97
    assert sum(name in found[:1] for name, found in offered) / len(tries) > 0.9


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("Discard-Pile", ["discard_pile", "discard"], ["discard_pile"]),
        ("territories", ["territory", "terrain"], ["territory"]),
        ("peices", ["pieces", "piece"], ["pieces"]),
        ("terr", ["territory"], ["territory"]),
        ("x", ["y"], []),
        ("banana", ["piece", "board"], []),
        ("", ["a"], []),
        ("a" * 100_000, ["a"], []),
        ("cat", ["bat", "hat", "rat", "mat"], ["bat", "hat", "mat"]),
    ],
)
def test_only_likely_names_are_offered(word: str, known: list[str], expected: list[str]) -> None:
    assert nearest(word, known) == expected


def test_names_are_offered_in_a_sentence() -> None:
    assert [did_you_mean(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "", "did you mean `a`?", "did you mean `a` or `b`?", "did you mean `a`, `b` or `c`?",
    ]  # fmt: skip


def test_spans_of_one_file_only_compare_equal() -> None:
    first, second = SourceFile("x", "a"), SourceFile("x", "a")
    assert Span(first, 0, 1) != Span(second, 0, 1)


def test_a_file_that_is_read_for_two_tables_is_told_of_once(tmp_path: Path) -> None:
    game = tmp_path / "game.yaml"
    game.write_text(
        "ruledsl: 1\ngame: two\nplayers: 2\nboard: {spaces: board.yaml#spots, edges: []}\n"
        "types: {color: {rows: board.yaml#colors}}\nplay: {win: players}\n",
        encoding="utf-8",
    )
    (tmp_path / "board.yaml").write_text(
        "spots:\n  - {name: a}\n  - {name: b}\n  - {name: c, name: d}\ncolors:\n  - {name: red}\n", encoding="utf-8"
    )
    told = [(one.code, one.span.line if one.span else 0) for one in check(game).findings]
    assert told.count(("Y201", 4)) == 1
