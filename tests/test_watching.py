"""`watch`: what it says of a save, stage by stage, and that it says it of the right version."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from games import ROOT
from ruledsl.cli.main import main
from ruledsl.compiler.pipeline import load_checked
from ruledsl.diagnostics.model import Report
from ruledsl.runtime.game import Game
from ruledsl.simulation.findings import Outcome, Spread
from ruledsl.simulation.statistics import measure, share
from ruledsl.testing.suites import cases_of
from ruledsl.workbench.beside import Beside, Lost
from ruledsl.workbench.compare import compared
from ruledsl.workbench.reach import changes, explored, reached
from ruledsl.workbench.screen import Screen
from ruledsl.workbench.watching import Answer, Watcher

RACE = """\
ruledsl: 1
game: race
players: [hare, fox]
values:
  steps: {is: 0..60, per: player, start: 0}
scoring:
  rows:
    way: me.steps
play:
  - rounds: 5
    do:
      - for: {me: players}
        do:
          - choose one:
              - label: walk
                do:
                  - walk()
              - label: jump
                do:
                  - jump()
effects:
  walk:
    - add: {me.steps: 1}
  jump:
    - random: {n: 1..6}
    - add: {me.steps: n}
"""
AHEAD = RACE.replace("play:", "setup:\n  - set: {hare.steps: 3}\nplay:")  # three points more for the first player
TESTS = """\
tests:
  - test: a walk is one step
    moves: [walk]
    expect:
      - hare.steps == 1
  - test: a jump goes as far as the die says
    chance: [6]
    moves: [jump]
    expect:
      - hare.steps == 6
"""


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("race.yaml")
    path.write_text(RACE, encoding="utf-8")
    Path("race.test.yaml").write_text(TESTS, encoding="utf-8")
    return path


def last(watcher: Watcher) -> Answer:
    found = list(watcher.answer())
    assert found[-1].complete
    return found[-1]


def said(answer: Answer) -> str:
    return "\n".join(Screen("race").lines(answer, "saved"))


# ------------------------------------------------------------------------------------------------- comparing


def outcome(results: list[tuple[str, int, int]], points: dict[str, Counter[int]]) -> Outcome:
    spreads = [Spread(name, found, values) for name, values in points.items() if (found := measure(values)) is not None]
    return Outcome(100, 100, [(name, share(n, of)) for name, n, of in results], 0, 0, 0, [], None, spreads, [])


def test_the_interval_of_a_difference_is_that_of_the_book() -> None:
    """56 of 70 against 48 of 80: Newcombe 1998, method 10."""
    (found,) = compared(outcome([("a", 48, 80)], {}), outcome([("a", 56, 70)], {}))
    assert (round(found.change, 4), round(found.low, 2), round(found.high, 2)) == (20.0, 5.24, 33.39)


def test_chance_alone_moves_little() -> None:
    values = Counter({1: 400, 2: 600})
    other = Counter({1: 420, 2: 580})
    (found,) = compared(outcome([], {"fox": values}), outcome([], {"fox": other}))
    assert not found.sure
    (found,) = compared(outcome([], {"fox": values}), outcome([], {"fox": Counter({4: 420, 5: 580})}))
    assert found.sure
    assert found.low < 3 < found.high + 0.1


# --------------------------------------------------------------------------------------------------- reaching


def test_a_change_reaches_the_tests_that_carry_it_out(race: Path) -> None:
    game = Game(load_checked(race))
    cases = cases_of(game.blueprint, Report())
    known = explored(game)
    old = {case.name: case.span.text for case in cases}
    walk, jump = cases

    def near(text: str, old_cases: dict[str, str] = old) -> list[str]:
        return [case.name for case in reached(known, {"race.yaml": text}, cases, old_cases)]

    assert near(RACE) == []
    assert near(RACE + "# the end\n\n") == []
    assert near(RACE.replace("me.steps: 1}", "me.steps: 2}")) == [walk.name]
    assert near(RACE.replace("    - random", "    - say: hop\n    - random")) == [jump.name]
    assert near(RACE.replace("label: walk", "label: go")) == [walk.name, jump.name]  # both are offered it
    assert near(RACE.replace("0..60", "0..90")) == [walk.name, jump.name]  # a declaration: nobody knows
    assert near(RACE, {walk.name: "", jump.name: old[jump.name]}) == [walk.name]
    assert reached(None, {"race.yaml": RACE}, cases, old) == cases


def test_lines_that_changed() -> None:
    before = {"a": "one\ntwo\nthree\n", "b": "x\n"}
    assert changes(before, before) == []
    assert changes(before, {**before, "a": "one\n2\nthree\n"}) == [("a", 4, 8)]
    assert changes(before, {**before, "a": "one\n\n# note\ntwo\nthree\n"}) == []
    assert changes(before, {"a": before["a"]}) == [("b", 0, 2)]


# --------------------------------------------------------------------------------------------------- watching


def test_what_each_save_does(race: Path) -> None:
    watcher = Watcher(race, plays=1000)
    try:
        first = last(watcher)
        assert (first.report.errors, first.tests and first.tests.passed) == (0, 2)
        assert first.played
        assert (first.played.plays, first.played.first) == (1000, True)
        assert watcher.saved() == []

        race.write_text(RACE + "# a remark\n", encoding="utf-8")
        assert watcher.saved() == [race]
        assert "the rules do the same as before" in said(last(watcher))

        race.write_text(AHEAD, encoding="utf-8")
        moved = last(watcher)
        assert moved.played
        sure = {one.label: one for one in moved.played.moved if one.sure}
        assert {"hare", "hare wins", "fox wins"} <= set(sure)
        assert sure["hare"].low < 3 < sure["hare"].high
        assert "fox" not in sure
        assert "hare" in said(moved)
        assert "FAILED a walk is one step (race.test.yaml:2)" in said(moved)

        race.write_text(RACE.replace("me.steps: 1}", "me.stpes: 1}"), encoding="utf-8")
        stages = list(watcher.answer())
        assert stages[0].report.errors > 0, "it is told at the first look"
        assert (stages[-1].tests, stages[-1].played, stages[-1].complete) == (None, None, True)
        assert "did you mean `steps`?" in said(stages[-1])

        race.write_text(RACE, encoding="utf-8")
        again = last(watcher)  # against the last good version, which was that with three steps more
        assert again.played
        assert [one.label for one in again.played.moved if one.sure and one.change < -2] == ["hare wins", "hare"]
        assert again.tests
        assert again.tests.failing == []
    finally:
        watcher.close()


def test_plays_that_are_void(race: Path) -> None:
    race.write_text(RACE.replace("me.steps: n}", "me.steps: 20 / (n - 3)}"), encoding="utf-8")
    watcher = Watcher(race, plays=50)
    found = last(watcher)
    assert found.played
    assert found.played.void > 0
    assert "void: this divides by 0 (race.yaml:26)" in said(found)
    watcher.close()


def test_files_that_are_not_there_for_a_moment(race: Path) -> None:
    watcher = Watcher(race, plays=20)
    last(watcher)
    race.rename("elsewhere.yaml")
    assert watcher.saved() == [race]
    gone = last(watcher)
    assert gone.report.errors == 1
    Path("elsewhere.yaml").rename(race)
    assert watcher.saved() == [race]
    assert last(watcher).report.errors == 0
    watcher.close()


def test_a_new_file_of_tests_counts(race: Path) -> None:
    Path("race.test.yaml").rename("kept.yaml")
    watcher = Watcher(race, plays=20)
    assert last(watcher).tests is None
    Path("kept.yaml").rename("race.test.yaml")
    assert watcher.saved() == [Path("race.test.yaml")]
    found = last(watcher).tests
    assert found
    assert found.total == found.passed == 2
    watcher.close()


def test_work_that_fails_beside() -> None:
    with pytest.raises(Lost, match="ZeroDivisionError"):
        Beside(lambda: 1 // 0).result()
    assert Beside(lambda: 6 * 7).result() == 42


# ------------------------------------------------------------------------------------------------ the command


def test_two_saves_as_programs_see_them(race: Path) -> None:
    words = [sys.executable, "-m", "ruledsl", "watch", str(race), "-n", "400", "--rounds", "2", "--format", "json"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(race.resolve().parent)}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    assert (first["errors"], first["plays"]["plays"]) == (0, 400)
    time.sleep(0.05)
    race.write_text(AHEAD, encoding="utf-8")
    second = json.loads(process.stdout.readline())
    assert process.wait(60) == 0
    assert second["files"] == ["race.yaml"]
    assert "hare" in [one["label"] for one in second["plays"]["moved"] if one["sure"]]
    assert "a walk is one step" in [one["test"] for one in second["tests"]["failing"]]


def test_one_answer_as_text(race: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "race.yaml", "-n", "50", "--rounds", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "race.yaml  answer 1"
    assert lines[2].startswith("rules    no errors, no warnings")
    assert lines[3].startswith("tests    2 of 2 tests run, 2 pass")
    assert lines[4] == "plays    50 at random: later versions are compared with them"
    assert main(["watch", "race.yaml", "-n", "0"]) == 2
    assert "at least 1, not 0" in capsys.readouterr().err


@pytest.mark.long
def test_fjords_in_computing_time(tmp_path: Path) -> None:
    """3 s from the save to the whole answer: here the seconds of computing of this process until plays are told."""
    import shutil

    shutil.copytree(ROOT / "games" / "fjords", tmp_path / "fjords")
    game = tmp_path / "fjords" / "game.yaml"
    watcher = Watcher(game)
    last(watcher)
    assert watcher.exploring is not None
    watcher.exploring.result()
    text = game.read_text(encoding="utf-8")
    planted = text.replace("count(v in p.viking where v.cell)", "count(v in p.viking where v.cell) + 1", 1)
    game.write_text(planted, encoding="utf-8")
    began, first = time.process_time(), None
    for answer in watcher.answer():
        first = first or time.process_time() - began
        if answer.played is not None:
            break
    assert first is not None
    assert first < 0.3
    assert time.process_time() - began < 3
    watcher.close()
