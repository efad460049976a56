"""`check --fix`: safe changes only, everything else byte for byte, and never a game that is worse."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import mutator
import pytest
from mutator import slips

from games import EXAMPLES
from ruledsl.cli.main import main
from ruledsl.compiler import pipeline
from ruledsl.compiler.fixing import Fixed, fix
from ruledsl.diagnostics.edits import Edit, applied, overlap
from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Map, Scalar
from ruledsl.source.flows import on_lines
from ruledsl.source.text import SourceFile, Span

GAME = """\
# Three in a row.
ruledsl: 1
game: rows
players: [cross, nought]
board:
  grid: {width: 3, height: 3}
pieces:
  mark: {per: player, count: 5}   # as many as the first player needs
play:
  - turns: players
    do:
      - choose: {cell: board where empty(cell)}
        label: place at {cell}
        else: {tie: players}
      - move: mark
        to: cell
      - if: line(cell, 3, of=me)
        then: {win: me}
"""


def mended(text: str, folder: Path) -> tuple[str, Fixed]:
    path = folder / "game.yaml"
    path.write_bytes(text.encode())
    found = fix(path)
    return found.texts.get(path.resolve(), text.encode()).decode(), found


# --------------------------------------------------------------------------------------------- single slips


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        # a word with one candidate, in a key, a name, an action
        ("label: place", "lable: place"),
        ("win: me", "winn: me"),
        ("empty(cell)", "emtpy(cell)"),
        ("{per: player, count", "{per: player, cuont"),
        ("- move: mark", "- move: mrak"),
        # signs of other languages, letters that look alike
        ("- move: mark", "- move: mаrk"),  # a Cyrillic а
        ("empty(cell)", "empty(сell)"),  # a Cyrillic с
        # a blank is missing
        ("label: place", "label:place"),
    ],
)
def test_a_slip_is_mended(right: str, wrong: str, tmp_path: Path) -> None:
    assert right in GAME
    slipped = GAME.replace(right, wrong, 1)
    text, found = mended(slipped, tmp_path)
    assert text == GAME
    assert not found.report.errors
    assert [change.after[0] for change in found.changes]


BRACES = [
    (
        "      - if: line(cell, 3, of=me)\n        then: {win: me}",
        "      - {if: line(cell, 3, of=me), then: {win: me}}  # a row\n",
        "      - if: line(cell, 3, of=me)  # a row\n        then: {win: me}\n",
    ),
    (
        "      - if: line(cell, 3, of=me)\n        then: {win: me}",
        "      - if: true\n        then: {if: line(cell, 3, of=me), then: {win: me}}\n",
        "      - if: true\n        then:\n          if: line(cell, 3, of=me)\n          then: {win: me}\n",
    ),
    (
        "choose: {cell: board where empty(cell)}",
        "choose: {cell: set(c in board where empty(c), c)}",
        None,  # nothing helps: the call itself is wrong; but the braces are on lines
    ),
    (
        "      - move: mark\n        to: cell\n",
        "      - {move: mark, to: board[cell.x, cell.y]}\n",
        "      - move: mark\n        to: board[cell.x, cell.y]\n",
    ),
]


@pytest.mark.parametrize(("old", "wrong", "right"), BRACES)
def test_braces_with_commas_become_lines(old: str, wrong: str, right: str | None, tmp_path: Path) -> None:
    text, found = mended(GAME.replace(old, wrong), tmp_path)
    if right is not None:
        assert text.strip() == GAME.replace(old, right).strip()
        assert not found.report.errors
    assert not [one for one in found.report.findings if one.code in ("Y301", "Y302")]


def test_what_stands_beside_stays_as_it_is(tmp_path: Path) -> None:
    """Comments, odd blanks, line ends of Windows and a byte order mark are kept byte for byte."""
    slipped = (
        "\ufeff" + GAME.replace("label: place", "lable:   place").replace("\n", "\r\n") + "\r\n\r\n# the end  \r\n"
    )
    path = tmp_path / "game.yaml"
    path.write_bytes(slipped.encode())
    found = fix(path)
    assert found.texts[path.resolve()] == slipped.replace("lable:", "label:").encode()


def test_what_has_two_candidates_is_left_alone(tmp_path: Path) -> None:
    slipped = GAME.replace("[cross, nought]", "[anna, anne]").replace("{win: me}", "{win: ann}")
    text, found = mended(slipped, tmp_path)
    assert text == slipped
    assert found.report.errors == 1


def test_a_change_that_does_not_help_is_taken_back(tmp_path: Path) -> None:
    slipped = GAME.replace("{win: me}", "{win: bord}")  # `board` is near, but no player
    text, found = mended(slipped, tmp_path)
    assert text == slipped
    assert not found.changes


def test_slips_that_hide_each_other_are_mended_together(tmp_path: Path) -> None:
    slipped = GAME.replace("if: line(cell, 3, of=me)", "fi: lien(cell, 3, of=me)").replace("{win: me}", "{winn: me}")
    text, found = mended(slipped, tmp_path)
    assert text == GAME
    assert not found.report.errors


def test_many_braces_are_mended_in_one_go(tmp_path: Path) -> None:
    lines = "".join(f"          - set: {{tall[{n}]: tall[{n + 1}]}}\n" for n in range(1, 9))
    slipped = GAME.replace("        then: {win: me}", f"        then:\n{lines}          - win: me")
    slipped = slipped.replace("play:\n", "types:\n  step: 1..9\nvalues:\n  tall: {per: step, is: 0..3}\nplay:\n")
    text, found = mended(slipped, tmp_path)
    assert [change.code for change in found.changes] == ["Y302"] * 8
    assert text.count("\n              tall[") == 8
    assert not found.report.errors, [one.message for one in found.report.findings]


def test_warnings_that_come_to_light_do_not_keep_a_slip(tmp_path: Path) -> None:
    """Warnings are told of games without errors: a sign that could not be read kept this one to itself."""
    with_warning = GAME.replace("        else: {tie: players}\n", "")
    wrong = with_warning.replace("if: line(cell, 3, of=me)", "if: count(board) = 9")
    assert with_warning != wrong != GAME
    found = fix(_write(tmp_path, wrong))
    assert [change.code for change in found.changes] == ["E106"]
    assert not found.report.errors
    assert "L506" in {one.code for one in found.report.findings}


def test_a_misspelt_name_is_mended_wherever_it_stands(tmp_path: Path) -> None:
    slipped = GAME.replace("choose: {cell:", "choose: {cel:")
    text, found = mended(slipped, tmp_path)
    assert not found.report.errors
    assert mutator.fingerprint(_write(tmp_path, GAME))[0] == mutator.fingerprint(_write(tmp_path, text))[0]


def _write(folder: Path, text: str) -> Path:
    path = folder / "written.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_edits_go_into_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME.replace("label:", "lable:"), encoding="utf-8")
    assert main(["check", str(path), "--format", "json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    (edit,) = found["edits"]
    assert (edit["line"], edit["column"], edit["end_column"], edit["text"]) == (13, 9, 14, "label")


def test_edits_do_not_move_each_other() -> None:
    file = SourceFile("x", "one two three")
    first, second = Edit(Span(file, 0, 3), "1"), Edit(Span(file, 4, 7), "zwei")
    assert applied(file, [first, second]) == applied(file, [second, first]) == "1 zwei three"
    assert not overlap([first, second])
    assert overlap([first, Edit(Span(file, 2, 5), "")])


# ---------------------------------------------------------------------------------------------- the command


@pytest.fixture
def slipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "game.yaml"
    path.write_text(GAME.replace("label: place", "lable: place"), encoding="utf-8")
    return path


def test_the_command_shows_what_it_changes(slipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "game.yaml", "--fix"]) == 0
    assert capsys.readouterr().out == (
        "game.yaml:13: `choose` has no key `lable` [S101]\n"
        "-         lable: place at {cell}\n"
        "+         label: place at {cell}\n"
        "\n"
        "1 change in 1 file, written\n"
        "\n"
        "1 game checked, 0 errors, 0 warnings\n"
    )
    assert slipped.read_text(encoding="utf-8") == GAME
    assert main(["check", "game.yaml", "--fix"]) == 0  # and once more: nothing
    assert capsys.readouterr().out == "1 game checked, 0 errors, 0 warnings\n"


def test_a_dry_run_writes_nothing(slipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = slipped.read_bytes()
    assert main(["check", "game.yaml", "--fix", "--dry-run"]) == 0
    assert "1 change in 1 file, nothing was written" in capsys.readouterr().out
    assert slipped.read_bytes() == before
    assert main(["check", "game.yaml", "--dry-run"]) == 2


def test_games_that_come_with_ruledsl_are_not_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "chess", "--fix"]) == 2
    assert "comes with ruledsl and is not changed" in capsys.readouterr().err


def test_nothing_outside_of_the_game_is_changed(tmp_path: Path) -> None:
    """A table that a link leads to from outside is refused, and stays as it was."""
    outside = tmp_path / "cards.csv"
    outside.write_text("name,pionts\nace,1\n", encoding="utf-8")
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "cards.csv").symlink_to(outside)
    text = GAME.replace("mark: {per: player, count: 5}", "mark: {from: cards.csv, attributes: {points: 0..3}}")
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    found = fix(folder / "game.yaml")
    assert outside.resolve() not in found.texts
    assert "Y006" in {one.code for one in found.report.findings}


def test_a_file_that_cannot_be_written_is_told(slipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slipped.chmod(0o444)
    if not _may_not_write(slipped):
        pytest.skip("this user may write everything")
    assert main(["check", "game.yaml", "--fix"]) == 2
    assert "cannot be written" in capsys.readouterr().err


def _may_not_write(path: Path) -> bool:
    import os

    return not os.access(path, os.W_OK)


# ------------------------------------------------------------------------------------------ laws over mutants


def games_for(folder: Path) -> list[tuple[Path, mutator.Text, str]]:
    found = []
    for pictures in (path for path in EXAMPLES[0].parent.iterdir() if path.is_dir() and any(path.glob("*.svg"))):
        shutil.copytree(pictures, folder / pictures.name)
    for path in EXAMPLES:
        if path.name != "game.yaml":
            copy = folder / path.name
            shutil.copy(path, copy)
            found.append((copy, mutator.Text(path), mutator.fingerprint(path)[0]))
    return found


def one_candidate(mutant: mutator.Mutant, report: Report) -> bool:
    """Whether the checker offered one word, and that was the right one."""
    errors = [one for one in report.findings if one.severity == "error"]
    offered = [one.suggestions for one in errors if one.suggestions]
    return len(errors) == 1 and len(offered) == 1 and len(offered[0]) == 1 and offered[0][0] in mutant.meant


def restored(
    make: Callable[[mutator.Text, Random], mutator.Mutant | None], many: int, folder: Path
) -> tuple[int, int, list[str]]:
    """How many mutants were counted, and how many became the original game; a fixed one is never another game."""
    rng, counted, back, wrong = Random(5), 0, 0, []
    games = games_for(folder)
    for number in range(many * 10):
        path, text, original = games[number % len(games)]
        mutant = make(text, rng)
        if mutant is None:
            continue
        path.write_text(mutant.text, encoding="utf-8")
        if not one_candidate(mutant, pipeline.check(path)):
            continue
        counted += 1
        found = fix(path)
        for file, data in found.texts.items():
            file.write_bytes(data)
        now, _ = mutator.fingerprint(path)
        back += now == original
        if now != original:
            wrong.append(f"{path.name}: {mutant.note}: {'another game' if now else 'not mended'}")
        if counted == many:
            break
    return counted, back, wrong


@pytest.mark.parametrize("make", [slips.typo_in_name, slips.typo_in_key], ids=["names", "keys"])
@pytest.mark.parametrize("many", [25, pytest.param(300, marks=pytest.mark.long)])
def test_a_typo_with_one_candidate_becomes_the_game_that_was_meant(
    make: Callable[[mutator.Text, Random], mutator.Mutant | None], many: int, tmp_path: Path
) -> None:
    counted, back, wrong = restored(make, many, tmp_path)
    assert counted >= many
    assert back >= 0.95 * counted, wrong
    assert not [one for one in wrong if one.endswith("another game")], wrong


def test_braces_around_any_statement_become_lines_again(tmp_path: Path) -> None:
    """Statements of all examples, put into braces as newcomers write them: mended, they are the same game."""
    counted, back, wrong = 0, 0, []
    for path, text, original in games_for(tmp_path):
        for node in [one for _, one in text.maps if not one.flow and worth_it(one)][:10]:
            path.write_text(text.cut(node.span, in_braces(node)), encoding="utf-8")
            if not any(one.code in ("Y301", "Y302") for one in pipeline.check(path).findings):
                continue
            counted += 1
            for file, data in fix(path).texts.items():
                file.write_bytes(data)
            now, _ = mutator.fingerprint(path)
            back += now == original
            if now != original:
                wrong.append(f"{path.name}: {in_braces(node)}")
    assert counted > 40
    assert back >= 0.95 * counted, wrong


def worth_it(node: Map) -> bool:
    """A map in lines whose values have a line each, one of them a text with a comma or bracket."""
    values = [entry.value for entry in node]
    texts = [value.value for value in values if isinstance(value, Scalar) and value.style == "plain"]
    alone = all("\n" not in value.span.text for value in values) and "#" not in node.span.text
    return alone and any(re.search(r"[,\[]", text) for text in texts)


def in_braces(node: Map) -> str:
    return "{" + ", ".join(f"{entry.key.span.text}: {entry.value.span.text}" for entry in node) + "}"


def test_lines_keep_what_they_say() -> None:
    """What is written on lines is read as it stood in braces, part by part."""
    text = "a: {b: f(1, 2), c: {d: [x, y]}, e: 'it''s, so', g: \"h: i\"}\n"
    file = SourceFile("x", text)
    (edit,) = on_lines(file, text.index("1"))
    assert applied(file, [edit]) == "a:\n  b: f(1, 2)\n  c: {d: [x, y]}\n  e: 'it''s, so'\n  g: \"h: i\"\n"
