"""`--format json`: one name for it on every command, and answers that are as their schema says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx
import pytest
from jsonschema import Draft202012Validator

from ruledsl.cli import answers, telling
from ruledsl.cli.main import commands, main
from ruledsl.compiler.schema import text
from ruledsl.generate.native import compiler

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "commands.md"
NUTS = """\
ruledsl: 1
game: nuts
players: [hermit, squirrel]
values:
  left: {is: 0..9, start: 5}
play:
  - turns: players
    do:
      - choose:
          n: 1..min(3, left)
        label: take {n}
        else: {end: game}
      - eat(n)
      - if: left == 0
        then: {win: me}
effects:
  eat(1..3 n):
    covers: [NU-1]
    do: {subtract: {left: n}}
"""
TESTS = """\
tests:
  - test: who takes the last nut wins
    covers: [NU-1]
    moves: [take 3, take 2]
    expect:
      - ends: {win: [squirrel]}
  - test: no more than there are
    expect:
      - legal: [take 1, take 2, take 3]
"""
WRONG = "  - test: it is won at once\n    moves: [take 1]\n    expect:\n      - ends: {win: [hermit]}\n"
MISTAKEN = "  - test: a slip\n    expect:\n      - lfet == 3\n"
FAULTY = NUTS.replace("then: {win: me}", "then: {set: {left: 9 / left}}")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nuts.yaml").write_text(NUTS, encoding="utf-8")
    (tmp_path / "nuts.test.yaml").write_text(TESTS, encoding="utf-8")
    (tmp_path / "moves.txt").write_text("take 3\ntake 2\n", encoding="utf-8")
    return tmp_path


def line_of(words: str, text: str = NUTS) -> int:
    return text[: text.index(words)].count("\n") + 1


def checked(written: str, name: str) -> Any:
    """An answer, held against the schema of its command."""
    answer = json.loads(written)
    Draft202012Validator({**answers.schema(), "$ref": f"#/$defs/{name}"}).validate(answer)
    return answer


def answer(capsys: pytest.CaptureFixture[str], name: str, *words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert main([*words, "--format", "json"]) == code
    return checked(capsys.readouterr().out, name)


def parsers() -> dict[str, ArgumentParser]:
    found = {}
    for name in commands():
        found[name] = ArgumentParser(name)
        import_module(f"ruledsl.cli.commands.{name}").arguments(found[name])
    return found


def has(parser: ArgumentParser, option: str) -> bool:
    return any(option in action.option_strings for action in parser._actions)


# `play` is a conversation; `replay` tells what came of it. `serve` answers over HTTP; a schema is JSON anyway.
SILENT = {"completion", "lsp", "play", "schema", "serve"}


def test_every_command_that_tells_something_tells_it_to_programs() -> None:
    assert {name for name, parser in parsers().items() if not has(parser, "--format")} == SILENT
    assert {name.split()[0] for name in answers.ANSWERS} == set(commands()) - SILENT


@pytest.mark.parametrize("name", commands())
def test_there_is_one_name_for_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "x", telling.OLD]) == 2
    wanted = "there is no `--json` here" if name in SILENT else "`--json` is now written `--format json`"
    assert capsys.readouterr().err.startswith(f"ruledsl: {wanted}")


def test_the_schema_is_one_and_is_the_one_that_comes_with_the_package() -> None:
    Draft202012Validator.check_schema(answers.schema())
    kept = (ROOT / "schemas" / "answers.schema.json").read_text(encoding="utf-8")
    assert kept == text(answers.schema()), "write it anew with `ruledsl schema --output schemas`"


def test_every_key_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == answers.renewed(page), "write it anew with `python tests/test_answers.py`"

    def keys(schema: Any) -> set[str]:
        if isinstance(schema, list):
            return set().union(*map(keys, schema))
        if not isinstance(schema, dict):
            return set()
        return set(schema.get("properties", ())) | set().union(*map(keys, schema.values()))

    told = set(re.findall(r"\w+", "".join(re.findall(r"`[^`\n]+`", page))))
    assert keys(answers.schema()) - told == set()


# ---------------------------------------------------------------------------------------- what is answered


def test_check(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    assert answer(capsys, "check", "check", "nuts.yaml")["menus"] == [{"file": "nuts.yaml", "line": 9, "options": 3}]
    (here / "nuts.yaml").write_text(NUTS.replace("left: n", "lfet: n"), encoding="utf-8")
    found = answer(capsys, "check", "check", "nuts.yaml", code=1)
    assert (found["errors"], found["diagnostics"][0]["line"]) == (1, line_of("left: n"))


def test_what_is_mended(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "nuts.yaml").write_text(NUTS.replace("left: n", "lfet: n"), encoding="utf-8")
    found = answer(capsys, "check --fix", "check", "nuts.yaml", "--fix")
    (change,) = found["changes"]
    assert (change["line"], found["errors"]) == (line_of("left: n"), 0)
    assert [line.replace("lfet", "left") for line in change["before"]] == change["after"]


@pytest.mark.parametrize("command", ["describe", "rulebook"])
def test_a_game_in_sentences(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    def held(section: Any) -> None:
        checked(json.dumps(section), command)
        for part in section["parts"]:
            held(part)

    found = answer(capsys, command, command, "nuts.yaml")
    assert (found["title"], len(found["parts"]) > 2) == ("nuts", True)
    held(found)


@pytest.mark.parametrize(
    "words",
    [
        ["perft", "nuts.yaml", "-d", "1"],
        ["simulate", "nuts.yaml"],
        ["coverage", "nuts.yaml"],
        ["dump", "nuts.yaml"],
        ["test", "nuts.yaml", "--mutate"],
    ],
)
def test_a_game_with_mistakes(words: list[str], capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "nuts.yaml").write_text(NUTS.replace("left: n", "lfet: n"), encoding="utf-8")
    assert answer(capsys, "check", *words, code=1)["diagnostics"][0]["code"] == "N101"


def test_tests(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    found = answer(capsys, "test", "test", "nuts.yaml")
    assert (found["passed"], found["failed"], found["left"]) == (2, 0, 0)
    first = found["games"][0]["tests"][0]
    assert (first["test"], first["line"], first["covers"]) == ("who takes the last nut wins", 2, ["NU-1"])
    (here / "nuts.test.yaml").write_text(TESTS + WRONG + MISTAKEN, encoding="utf-8")
    found = answer(capsys, "test", "test", "nuts.yaml", code=1)
    failed, mistaken = found["games"][0]["tests"][2:]
    assert failed["failures"][0]["message"] == "the play does not end like this"
    assert (failed["failures"][0]["line"], mistaken["mistakes"], found["failed"]) == (13, 1, 2)
    assert found["games"][0]["diagnostics"][0]["suggestions"] == ["left"]
    (here / "nuts.yaml").write_text(NUTS.replace("left: n", "lfet: n"), encoding="utf-8")
    found = answer(capsys, "test", "test", "nuts.yaml", code=1)
    assert (found["games"][0]["tests"], found["games"][0]["diagnostics"][0]["line"]) == ([], line_of("left: n"))


def test_changes_of_the_rules(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (game,) = answer(capsys, "test --mutate", "test", "nuts.yaml", "--mutate", code=1)["games"]
    assert game["tried"] == game["noticed"] + len(game["unnoticed"]) > 5
    (here / "nuts.test.yaml").write_text(TESTS + WRONG, encoding="utf-8")
    (game,) = answer(capsys, "test --mutate", "test", "nuts.yaml", "--mutate", code=1)["games"]
    assert (game["failing"][0]["test"], game["tried"]) == ("it is won at once", 0)


def test_coverage(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    found = answer(capsys, "coverage", "coverage", "nuts.yaml", "--plays", "20", "--tests")
    assert (found["plays"], found["tests"], found["failed"]) == (20, 2, 0)
    (here / "rules.md").write_text("**NU-1** Take up to three nuts.\n", encoding="utf-8")
    found = answer(capsys, "coverage --rules", "coverage", "nuts.yaml", "--rules")
    assert (found["rules"][0]["rule"], found["rules"][0]["state"]) == ("NU-1", "proven")
    wrong = WRONG.replace("    moves:", "    covers: [NU-1]\n    moves:")
    (here / "nuts.test.yaml").write_text(TESTS + wrong, encoding="utf-8")
    found = answer(capsys, "coverage --rules", "coverage", "nuts.yaml", "--rules", code=1)
    assert found["failing"][0]["line"] == 10


def test_offered(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "offered", "offered", "nuts.yaml", "--after", "take 3")
    assert (found["asked"], found["player"]) == (["squirrel"], "squirrel")
    said = [{"text": f"take {n}", "notation": f"n={n}", "action": "", "values": {"n": str(n)}} for n in (1, 2)]
    assert found["offered"] == said


def test_analyse(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "analyse", "analyse", "nuts.yaml", "--think", "200")
    best = found["offered"][0]
    assert (found["player"], best["text"], best["worth"], best["certain"]) == ("hermit", "take 1", 1.0, True)
    assert found["plays"] < 200
    assert found["line"][:1] in ([], ["take 1"])
    unsure = [one for one in found["offered"] if not one["certain"]]
    assert all(one["low"] <= one["worth"] <= one["high"] for one in unsure if one["tried"])


def test_map(capsys: pytest.CaptureFixture[str]) -> None:
    (board,) = answer(capsys, "map", "map", "nine-mens-morris")["boards"]
    assert (board["ways"], board["diameter"], len(board["alike"]), len(board["spaces"])) == (32, 6, 4, 24)


def test_watch(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    found = answer(capsys, "watch", "watch", "nuts.yaml", "-n", "30", "--rounds", "1")
    assert (found["tests"]["passed"], found["plays"]["plays"], found["plays"]["moved"]) == (2, 30, [])
    (here / "nuts.yaml").write_text(NUTS.replace("left: n", "lfet: n"), encoding="utf-8")
    assert answer(capsys, "watch", "watch", "nuts.yaml", "--rounds", "1")["tests"] is None


def test_fmt(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    found = answer(capsys, "fmt", "fmt", "nuts.yaml", "--check")
    assert found["files"] == [{"file": "nuts.yaml", "changed": False, "readable": True}]
    (here / "nuts.yaml").write_text("a:   [", encoding="utf-8")
    found = answer(capsys, "fmt", "fmt", "nuts.yaml", "nuts.test.yaml", code=1)
    assert [(one["changed"], one["readable"]) for one in found["files"]] == [(False, False), (False, True)]
    assert found["diagnostics"][0]["file"] == "nuts.yaml"


def test_tournament(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    words = ["tournament", "nuts.yaml", "random", "greedy", "search:30", "-n", "12"]
    found = answer(capsys, "tournament", *words)
    assert [sum(one["plays"] for one in found["ranks"]), found["done"]] == [24, 12]
    assert found["ranks"][-1]["bot"] == "random"
    answer(capsys, "tournament", *words, "-o", "t.jsonl")
    notes = (here / "t.jsonl").read_bytes()
    (here / "t.jsonl").write_bytes(notes[: len(notes) // 2])  # as if it was killed in the midst of a line
    assert answer(capsys, "tournament", *words, "-o", "t.jsonl") == found
    assert (here / "t.jsonl").read_bytes() == notes
    assert answer(capsys, "tournament", *words, "--jobs", "2") == found, "whoever plays, the table is the same"


def test_train(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    """Whether it helps depends on how long it may learn; what is told and what is kept agree."""
    if compiler() is None:
        pytest.skip("there is no C compiler")
    code = main(["train", "nuts.yaml", "--seconds", "0.5", "-o", "l.json", "--format", "json"])
    found = checked(capsys.readouterr().out, "train")
    assert code == (0 if found["kept"] else 1)
    assert [(one["by"], one["cut"]) for one in found["measured"] if not one["ahead"]] == [
        *(("learnt", cut) for cut in (0, 4, 16)),
        *[("manner", None)] * 2,  # traits one by one, and with what one has
    ]
    assert all(0 <= one["low"] <= one["share"] <= one["high"] <= 1 for one in found["measured"])
    assert (found["kept"] is not None) == (here / "l.json").exists()


def test_perft(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    found = answer(capsys, "perft", "perft", "nuts.yaml", "-d", "3")
    assert found["depths"] == [{"depth": 1, "count": 3}, {"depth": 2, "count": 8}, {"depth": 3, "count": 10}]
    found = answer(capsys, "perft", "perft", "nuts.yaml", "-d", "2", "--divide")
    assert found["divided"][0] == {"option": "take 1", "count": 3}
    (here / "nuts.yaml").write_text(FAULTY, encoding="utf-8")
    found = answer(capsys, "perft", "perft", "nuts.yaml", "-d", "4", code=1)
    assert (found["fault"]["line"], len(found["depths"])) == (line_of("then:"), 1)


def test_replay_and_view(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    seats = ["--seats", "human,human", "--moves", "moves.txt"]
    assert main(["play", "nuts.yaml", *seats, "--record", "nuts.jsonl"]) == 0
    found = answer(capsys, "replay", "replay", "nuts.jsonl")
    assert (found["decisions"], found["winners"], found["parted"], found["view"]) == (2, ["squirrel"], None, None)
    seen = answer(capsys, "view", "view", "nuts.yaml", "nuts.jsonl", "--seat", "hermit")
    assert answer(capsys, "replay", "replay", "nuts.jsonl", "--seat", "hermit")["view"] == seen
    (here / "nuts.yaml").write_text(NUTS.replace("start: 5", "start: 2"), encoding="utf-8")
    found = answer(capsys, "replay", "replay", "nuts.jsonl", code=1)
    assert (found["parted"]["recorded"], found["parted"]["kind"]) == ("n=3", "option")
    assert not found["same_rules"]
    assert found["changed"] == ["nuts.yaml"]


def test_simulate(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    found = answer(capsys, "simulate", "simulate", "nuts.yaml", "-n", "200", "--backend", "python")
    (outcome,) = found["outcomes"]
    assert (found["done"], outcome["ended"], sum(one["count"] for one in outcome["results"])) == (200, 200, 200)
    assert found["statements"]
    for words in (["-n", "150", "--save", "a.json"], ["-n", "50", "--first", "150", "--save", "b.json"]):
        answer(capsys, "simulate", "simulate", "nuts.yaml", *words)
    merged = answer(capsys, "merge", "merge", "b.json", "a.json")
    assert {**merged, "seconds": 0} == {**found, "seconds": 0}
    (here / "nuts.yaml").write_text(FAULTY, encoding="utf-8")
    found = answer(capsys, "simulate", "simulate", "nuts.yaml", "-n", "20", "--backend", "python", code=1)
    assert found["faults"][0]["plays"] == found["outcomes"][0]["void"] > 0


def test_bench(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    quick = ["nuts.yaml", "--seconds", "0.01", "--rounds", "1", "--backend", "python"]
    found = answer(capsys, "bench", "bench", *quick)
    assert found["results"][0]["rows"][0]["name"] == "python"
    assert main(["bench", *quick, "-o", "figures.json"]) == 0
    assert "plays/s" in capsys.readouterr().out
    checked((here / "figures.json").read_text(encoding="utf-8"), "bench")
    found = answer(capsys, "bench", "bench", *quick, "--passes")
    assert found["results"][0]["backend"] == "python"


def test_words_and_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"code": "N103", "title": "an unknown function"} in answer(capsys, "explain", "explain")["codes"]
    assert "emty" in answer(capsys, "explain CODE", "explain", "n103")["wrong"]
    whole = answer(capsys, "manual", "manual")
    assert "choose" in whole["words"]
    word = answer(capsys, "manual WORD", "manual", "take")
    assert word["text"] in whole["text"] or word["text"].splitlines()[0] in whole["text"]
    other = answer(capsys, "manual WORD", "manual", "dice")
    assert (other["meant"], other["found"][0]["word"]) == (["random"], "campaigns")


def test_forms_of_the_rules_and_new_games(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    assert "left" in answer(capsys, "dump", "dump", "nuts.yaml", "--stage", "types")["text"]
    found = answer(capsys, "new", "new", "my-game")
    assert all((here / found["folder"] / file).is_file() for file in found["files"])


def test_draw(capsys: pytest.CaptureFixture[str]) -> None:
    (board,) = answer(capsys, "draw", "draw", "tic-tac-toe")["boards"]
    graph: networkx.DiGraph[Any] = networkx.DiGraph(networkx.node_link_graph(board, edges="edges"))
    assert (len(graph), graph.out_degree("b2"), graph.nodes["c1"]["x"]) == (9, 8, 3)
    owned = answer(capsys, "draw", "draw", "chess")["boards"]
    assert owned[0]["shown"]["e1"]
    assert main(["draw", "tic-tac-toe", "--tiles", "--format", "json"]) == 2


# Sends itself what Ctrl-C sends, when the third test has looked at a few hundred positions.
STOPPED = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever whoever started this does with it
from ruledsl.cli.main import main
from ruledsl.testing.asking import Asker
asked, holds = [], Asker.holds
def stopping(*given):
    asked.append(given)
    if len(asked) == 500:
        os.kill(os.getpid(), signal.SIGINT)
    return holds(*given)
Asker.holds = stopping
raise SystemExit(main(["test", "nuts.yaml", "--format", "json"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_who_stops_it_has_what_was_found_till_then(here: Path) -> None:
    slow = TESTS + "  - test: thousands of plays\n    play: {games: 100000}\n    always: left >= 0\n"
    (here / "nuts.test.yaml").write_text(slow, encoding="utf-8")
    program = subprocess.run(
        [sys.executable, "-c", STOPPED],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert program.returncode == 130
    assert "stopped while" in program.stderr
    found = checked(program.stdout, "test")
    assert (found["passed"], found["left"]) == (2, 1)


if __name__ == "__main__":
    PAGE.write_text(answers.renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
