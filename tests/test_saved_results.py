"""Results of parts, put together: the very bytes of one run; and what cannot be put together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruledsl.cli.main import main

ROOT = Path(__file__).parent.parent
SPLIT = str(ROOT / "tests/simulate/split.yaml")  # with points, draws and plays that are void
BRINK = str(ROOT / "tests/simulate/brink.yaml")  # a campaign, with plays that are void


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 1) -> str:
    capsys.readouterr()
    assert main(list(words)) == code
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "settings",
    [
        [SPLIT, "--seed", "5", "--limit", "6"],
        [SPLIT, "--players", "ann,bo", "--bots", "greedy,random"],
        [BRINK, "--campaign", "3"],
    ],
)
def test_parts_are_the_whole(settings: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = _said(capsys, "simulate", *settings, "-n", "40", "--save", "whole.json")
    for first, plays, backend in ((0, 13, "auto"), (13, 1, "interpreter"), (14, 26, "interpreter")):
        words = ["--first", str(first), "-n", str(plays), "--save", f"{first}.json", "--backend", backend]
        main(["simulate", *settings, *words])
    assert _said(capsys, "merge", "14.json", "0.json", "13.json", "--save", "merged.json") == whole
    assert Path("merged.json").read_bytes() == Path("whole.json").read_bytes()
    main(["merge", "14.json", "13.json", "--save", "late.json"])
    assert _said(capsys, "merge", "0.json", "late.json", "--format", "json") == _said(
        capsys, "merge", "whole.json", "--format", "json"
    )


def test_tables_of_parts_are_the_lines_of_the_whole(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["simulate", SPLIT, "-n", "30", "-o", "whole.csv"])
    main(["simulate", SPLIT, "-n", "18", "--first", "12", "-o", "late.csv"])
    whole, late = (Path(name).read_text(encoding="utf-8").splitlines() for name in ("whole.csv", "late.csv"))
    assert late == [whole[0], *whole[13:]]


def test_the_summary_says_which_plays_and_the_command_repeats_them(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = _said(capsys, "simulate", SPLIT, "-n", "30", "--first", "1200", "--format", "json")
    found = json.loads(said)
    assert (found["first"], found["done"]) == (1200, 30)
    again = json.loads(_said(capsys, *found["command"].split()[1:], "--format", "json"))
    assert {**again, "seconds": 0} == {**found, "seconds": 0}
    text = _said(capsys, "simulate", SPLIT, "-n", "30", "--first", "1200")
    assert text.startswith("Splitting: 30 plays from number 1,201 on, all at random, seed 0\n")


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (["a", "a"], "`a.json` is named twice"),
        (["a", "late"], "plays are missing between `a.json` and `late.json`: from 11 to 20"),
        (["a", "b", "whole"], "`a.json` and `whole.json` both have play 1"),
        (["a", "seed"], "`a.json` and `seed.json` differ in the seed"),
        (["a", "limit"], "`a.json` and `limit.json` differ in the most decisions of a play"),
        (["a", "option"], "`a.json` and `option.json` differ in the options"),
        (["a", "cut"], "`cut.json` was not written by `simulate --save`"),
        (["a", "wrong"], "`wrong.json` was not written by `simulate --save`"),
        (["a", "other"], "`other.json` is of another version of ruledsl: 1, and this one reads 2"),
        (["short"], "`short.json` counts other things than this game has: it is damaged"),
        (["rules"], f"the rules of `{SPLIT}` are not those with which this was played"),
    ],
)
def test_what_cannot_be_put_together(
    files: list[str], problem: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, words in {
        "a": [],
        "b": ["--first", "10"],
        "late": ["--first", "20"],
        "whole": [],
        "seed": ["--first", "10", "--seed", "1"],
        "limit": ["--first", "10", "--limit", "9"],
        "option": ["--first", "10", "--option", "cake=8"],
    }.items():
        if name in files or name == "a":
            main(["simulate", SPLIT, "-n", "10", "--backend", "interpreter", "--save", f"{name}.json", *words])
    text = Path("a.json").read_text(encoding="utf-8")
    Path("cut.json").write_text(text[:200], encoding="utf-8")
    for name, key, value in (
        ("wrong", "plays", 11),
        ("other", "ruledsl", 1),
        ("short", "counts", [1]),
    ):
        Path(f"{name}.json").write_text(json.dumps({**json.loads(text), key: value}), encoding="utf-8")
    Path("rules.json").write_text(text.replace(json.loads(text)["simulation"]["rules"], "0"), encoding="utf-8")
    capsys.readouterr()
    assert main(["merge", *(f"{name}.json" for name in files)]) == 2
    assert capsys.readouterr().err == f"ruledsl: {problem}\n"


@pytest.mark.parametrize(
    "words",
    [
        ["--save", "a.txt", "`a.txt` must end in .json: a result is kept as JSON"],
        ["--first", "-1", "--first must be at least 0, not -1"],
    ],
)
def test_what_is_refused_before_any_play(words: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", SPLIT, *words[:-1]]) == 2
    assert capsys.readouterr().err == f"ruledsl: {words[-1]}\n"
