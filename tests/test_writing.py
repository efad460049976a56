"""Nothing that somebody else wrote is overwritten, whatever command is asked to. Every outcome has its exit code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import sources

from ruledsl.cli import simulated
from ruledsl.cli.commands import bench, draw, manual, play, schema, tournament, view
from ruledsl.cli.main import main

GAME = """\
ruledsl: 1
game: nuts
players: 2
board: {grid: {width: 2, height: 2}}
values: {left: {is: 0..9, start: 4}}
play:
  - turns: players
    do:
      - choose:
          n: 1..min(2, left)
        else: {tie: players}
      - set: {left: left - n}
"""
VOID = GAME.replace("left - n", "left - n - 5")

# Every way to write a file: the words of the command, and a name that its file may have.
WRITES = {
    "record": (["play", "nuts.yaml", "--seats", "random,random", "--record"], "nuts.jsonl"),
    "save": (["play", "nuts.yaml", "--moves", "one.txt", "--save"], "nuts.json"),
    "draw": (["draw", "nuts.yaml", "-o"], "nuts.svg"),
    "plays": (["simulate", "nuts.yaml", "-n", "2", "-o"], "plays.csv"),
    "lines": (["simulate", "nuts.yaml", "-n", "2", "-o"], "plays.jsonl"),
    "report": (["simulate", "nuts.yaml", "-n", "2", "--report"], "page.html"),
    "view": (["view", "nuts.yaml", "kept.json", "-o"], "seen.json"),
    "bench": (["bench", "nuts.yaml", "--seconds", "0.01", "--backend", "interpreter", "-o"], "figures.json"),
    "manual": (["manual", "--write"], "language.md"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("nuts.yaml").write_text(GAME)
    Path("one.txt").write_text("1\n")
    assert main(["play", "nuts.yaml", "--moves", "one.txt", "--save", "kept.json"]) == 0
    capsys.readouterr()
    return tmp_path


@pytest.mark.parametrize("what", WRITES)
def test_a_file_is_written_and_written_again(what: str) -> None:
    words, name = WRITES[what]
    assert main([*words, name]) == 0
    first = Path(name).read_bytes()
    assert first
    assert main([*words, name]) == 0
    assert Path(name).stat().st_size > len(first) // 2


@pytest.mark.parametrize("what", WRITES)
def test_what_holds_something_else_is_left_alone(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, name = WRITES[what]
    Path(name).write_text(GAME)
    assert main([*words, name]) == 2
    assert f"`{name}` exists and is not " in capsys.readouterr().err
    assert Path(name).read_text() == GAME
    assert main([*words, name, "--force"]) == 0
    assert Path(name).read_text() != GAME


@pytest.mark.parametrize("what", WRITES)
@pytest.mark.parametrize("ending", [".yaml", ".png", ".YAML"])
def test_the_ending_of_another_sort_of_file_is_refused(
    what: str, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words, name = WRITES[what]
    other = "nuts.yaml" if ending == ".yaml" else Path(name).with_suffix(ending).name
    assert main([*words, other, "--force"]) == 2
    assert "end" in capsys.readouterr().err
    assert Path("nuts.yaml").read_text() == GAME
    assert other == "nuts.yaml" or not Path(other).exists()


@pytest.mark.parametrize("what", WRITES)
def test_folders_and_missing_folders_are_told(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, name = WRITES[what]
    assert main([*words, f"nowhere/{name}"]) == 2
    assert capsys.readouterr().err == f"ruledsl: there is no folder `nowhere` to write `{name}` in\n"
    Path(name).mkdir()
    assert main([*words, name]) == 2
    assert capsys.readouterr().err == f"ruledsl: `{name}` is a folder, not a file\n"


def test_a_link_to_a_game_is_not_written_through(capsys: pytest.CaptureFixture[str]) -> None:
    Path("board.svg").symlink_to("nuts.yaml")
    assert main(["draw", "nuts.yaml", "-o", "board.svg"]) == 2
    assert Path("nuts.yaml").read_text() == GAME
    assert "exists and is not a picture" in capsys.readouterr().err


def test_several_boards_are_not_drawn_over_something_else(capsys: pytest.CaptureFixture[str]) -> None:
    Path("two.yaml").write_text(
        GAME.replace(
            "board: {grid: {width: 2, height: 2}}", "boards: {a: {track: 3, space: x}, b: {track: 4, space: y}}"
        )
    )
    Path("out-b.svg").write_text("mine")
    assert main(["draw", "two.yaml", "-o", "out.svg"]) == 2
    assert Path("out-b.svg").read_text() == "mine"
    assert not Path("out-a.svg").exists()
    assert "`out-b.svg` exists and is not a picture" in capsys.readouterr().err


def test_schemas_go_into_a_folder_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "-o", "nuts.yaml"]) == 2
    assert "is no folder" in capsys.readouterr().err
    assert main(["schema", "-o", "schemas"]) == main(["schema", "-o", "schemas"]) == 0
    Path("schemas/part.schema.json").write_text("{}")
    assert main(["schema", "-o", "schemas"]) == 2
    assert Path("schemas/part.schema.json").read_text() == "{}"


def test_a_campaign_never_takes_the_file_of_something_else(capsys: pytest.CaptureFixture[str]) -> None:
    for force in ([], ["--force"]):
        assert main(["play", "fortress", "--campaign", "kept.json", *force]) == 2
        assert "kept.json: this is not a campaign" in capsys.readouterr().err


@pytest.mark.parametrize("typed", ["save", "view"])
def test_at_the_prompt_it_is_the_same(
    typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = iter([f"{typed} nuts.yaml\n", f"{typed} one.json\n", f"{typed} no/x.json\n", f"{typed} .\n", ""])
    Path("one.json").write_text("mine")
    monkeypatch.setattr("sys.stdin.readline", lambda: next(lines), raising=False)
    assert main(["play", "nuts.yaml", "--seats", "human,random"]) == 0
    said = capsys.readouterr().out
    for why in ("ending of another kind", "contains something else", "There is no folder `no`", "`.` is a folder"):
        assert why in said
    assert Path("nuts.yaml").read_text() == GAME
    assert Path("one.json").read_text() == "mine"


def test_a_device_is_written_to() -> None:
    if not Path("/dev/null").exists():
        pytest.skip("this machine has none")
    assert main(["draw", "nuts.yaml", "-o", "/dev/null"]) == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("words", [
    ["play", "nuts.yaml", "--from", "/dev/zero"], ["view", "nuts.yaml", "/dev/zero"], ["replay", "/dev/zero"],
    ["play", "nuts.yaml", "--moves", "/dev/zero"], ["draw", "nuts.yaml", "--from", "/dev/zero"],
    ["perft", "nuts.yaml", "-d", "1", "--from", "/dev/zero"],
])  # fmt: skip
def test_what_never_ends_is_not_read_to_its_end(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("this machine has none")
    assert main(words) == 2
    assert "too large" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------- exit codes


def test_every_command_that_writes_can_be_forced() -> None:
    """A new command that writes goes through the same place: whoever opens a file to write does it there."""
    root = sources.PACKAGE / "cli"
    wrong = []
    for path in (path for path in sources.paths() if root in path.parents):
        for node in sources.nodes(path):
            if isinstance(node, ast.Attribute) and node.attr in ("write_text", "write_bytes", "touch"):
                wrong.append(f"{path.relative_to(root).as_posix()}:{node.lineno}")
    assert [one for one in wrong if not one.startswith("writing.py:")] == []
    for module in (bench, draw, manual, play, schema, simulated, tournament, view):
        assert "force_argument" in vars(module)


def codes(name: str, text: str, *words: str) -> int:
    Path(name).write_text(text)
    return main([words[0], name, *words[1:]])


def test_a_play_that_ends_in_a_fault_of_the_rules_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert codes("void.yaml", VOID, "play", "--seats", "random,random", "--record", "void.jsonl") == 1
    assert main(["replay", "void.jsonl", "--game", "void.yaml"]) == 1
    assert "Replayed without a difference" in capsys.readouterr().out
    assert codes("void.yaml", VOID, "play", "--moves", "one.txt") == 1
    assert codes("void.yaml", VOID, "simulate", "-n", "3") == 1
    assert codes("void.yaml", VOID, "coverage", "--plays", "2") == 1
    assert codes("void.yaml", VOID, "perft", "--depth", "2", "--backend", "interpreter") == 1


def test_a_move_that_is_refused_is_no_success() -> None:
    Path("wrong.txt").write_text("9\n")
    assert codes("nuts.yaml", GAME, "play", "--moves", "wrong.txt") == 1
    assert codes("nuts.yaml", GAME, "play", "--moves", "one.txt") == 0
    Path("nuts.test.yaml").write_text("tests: [{test: x, moves: ['9'], expect: [left == 1]}]\n")
    assert main(["test", "nuts.yaml"]) == 1
    Path("nuts.test.yaml").write_text("tests: [{test: x, moves: ['1'], expect: [left == 3]}]\n")
    assert main(["test", "nuts.yaml"]) == 0
