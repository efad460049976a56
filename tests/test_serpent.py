"""Serpent as a whole: drafts that nobody else sees, a city that moves with one row, hooks for scenarios, fair dice."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.cli.terminal.rows import row_of
from ruledsl.runtime.handout import handout
from ruledsl.runtime.play import Play
from ruledsl.testing.runner import Tests

FOLDER = Path(__file__).parent.parent / "games" / "serpent"


@cache
def serpent() -> ruledsl.Game:
    return ruledsl.load(FOLDER)


def changed(tmp_path: Path, file: str, old: str, new: str) -> Path:
    folder = tmp_path / "serpent"
    shutil.copytree(FOLDER, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return folder


def in_planning(seed: int, players: int = 3) -> Play:
    """A play at random, up to some planning in which all are still asked."""
    rng = random.Random(seed)
    play = serpent().start(players=players, seed=seed)
    wanted = 1 + seed % 7
    while play.together is None or play.view(None)["round"] < wanted or len(play.pending) < players:
        seat = rng.choice(play.pending)
        play.choose(rng.choice(play.options(seat)).index, seat)
    return play


def seen(play: Play, seat: int) -> str:
    """All that reaches a seat: view, options, log, and what is handed to it."""
    options = [(option.text, option.notation) for option in play.options(seat)] if seat in play.pending else []
    lines = [play.line(number, seat, "en") for number in range(len(play.log))]
    return json.dumps([play.view(seat), options, lines, handout(play, seat), play.view(None)], default=str)


@pytest.mark.parametrize("seed", range(8))
def test_a_draft_shows_to_nobody_else(seed: int) -> None:
    play = in_planning(seed)
    rng = random.Random(seed)
    before = {seat: seen(play, seat) for seat in (1, 2)}
    for _ in range(6):
        if 0 not in play.pending:
            break
        play.choose(rng.choice(play.options(0)).index, 0)
        if 0 not in play.pending:  # that a path is finished may be known
            break
        assert {seat: seen(play, seat) for seat in (1, 2)} == before


@pytest.mark.parametrize("seed", range(4))
def test_a_draft_is_taken_back_step_by_step(seed: int) -> None:
    play = in_planning(seed)
    stages: list[Any] = []
    while 0 in play.pending and len(stages) < 5:
        moves = [option for option in play.options(0) if option.notation != "stop"]
        if not moves:
            break
        stages.append(json.dumps([play.view(0), [option.text for option in play.options(0)]]))
        play.choose(moves[-1].index, 0)
    for stage in reversed(stages):
        assert play.take_back(0)
        assert json.dumps([play.view(0), [option.text for option in play.options(0)]]) == stage
    assert not play.take_back(0)


def test_several_steps_of_a_draft_are_typed_at_once() -> None:
    play = in_planning(2)
    first = play.options(0)[0].raw
    there = play.copy()
    there.choose(0, 0)
    second = there.options(0)[1].raw
    assert row_of(play, 0, "1 2", "en") == [first, second]
    assert row_of(play, 0, "1 99", "en") == []
    assert play.options(0)[0].raw == first


def test_a_city_is_moved_by_one_row(tmp_path: Path) -> None:
    folder = changed(tmp_path, "map.yaml", "type: city, cell: e1", "type: city, cell: f2")
    (folder / "tests" / "moved.yaml").write_text(
        "tests:\n"
        "  - test: the city is where its row says\n"
        "    from: positions/open.yaml\n"
        "    given:\n"
        "      boards: {map: {g2: pawn of anna, b0: pawn of boris}}\n"
        "      values: {dice: {1: mountain, 2: mountain, 3: mountain}}\n"
        "    moves: [anna: 'die 1, mountain: f2 Zelenov']\n"
        "    expect:\n"
        "      - to_move == boris and zelenov.cell == f2 and not terrain_of(f2)\n"
        "      - terrain_of(e1) == forest and bare(e1)\n",
        encoding="utf-8",
    )
    tests = Tests(ruledsl.load(folder))
    (outcome,) = tests.run([one for one in tests.cases if one.name == "the city is where its row says"])
    assert not outcome.failures
    assert not tests.report.errors


SCENARIO = """
options:
  scenario: {is: [peace, storm], start: storm}
modules:
  storm:
    when: scenario == storm
    values: {calmed: {per: player, is: 0..9}}
    replace:
      define:
        obstacle(cell c): c == g3
        scenario_fame: 3 * me.calmed
      effects:
        scenario_action: {add: {me.calmed: 1}}
"""


def test_a_scenario_fills_the_hooks(tmp_path: Path) -> None:
    folder = changed(tmp_path, "game.yaml", "solo.yaml,", "solo.yaml, storm.yaml,")
    (folder / "storm.yaml").write_text(SCENARIO, encoding="utf-8")
    for scenario, fame in (("storm", 24), ("peace", 0)):
        play = ruledsl.load(folder).start(players=1, seed=4, options={"scenario": scenario})
        rng = random.Random(4)
        while not play.over:
            play.choose(rng.choice(play.options(0)).index, 0)
        assert play.scores()[0]["scenario"] == fame


def test_an_obstacle_ends_a_flight_before_it(tmp_path: Path) -> None:
    folder = changed(tmp_path, "game.yaml", "solo.yaml,", "solo.yaml, storm.yaml,")
    (folder / "storm.yaml").write_text(SCENARIO, encoding="utf-8")
    for file in (folder / "tests").glob("*.yaml"):
        file.unlink()
    (folder / "tests" / "storm.yaml").write_text(
        "tests:\n"
        "  - test: a storm in the way\n"
        "    from: positions/open.yaml\n"
        "    given:\n"
        "      boards: {map: {a3: pawn of anna, b0: pawn of boris}}\n"
        "      pools: {anna.items: {yaga_ring: 1}}\n"
        "    moves: [anna: 'Yaga Ring: f3']\n"
        "    expect: anna.flown == 4 and anna.pawn.cell == f3\n",
        encoding="utf-8",
    )
    (outcome,) = Tests(ruledsl.load(folder)).run()
    assert not outcome.failures


def test_dice_fall_as_they_should() -> None:
    """Each face of a path die one time in six, a Cross twice as often as any other amulet."""
    faces: Counter[str] = Counter()
    charms: Counter[str] = Counter()
    for seed in range(150):
        play = serpent().start(players=1, seed=seed)
        while not play.over and play.view(0)["round"] < 4:
            options = play.options(0)
            before = play.view(0)["round"]
            play.choose(options[-1].index, 0)
            if play.over or play.view(0)["round"] == before:
                continue
            values = play.view(0)["values"]
            faces.update(values["dice"].values())
            charms[values["charm"]] += 1
    total = sum(charms.values())
    assert sum(faces.values()) == 3 * total >= 1000
    assert all(abs(count / (3 * total) - 1 / 6) < 0.04 for count in faces.values())
    assert len(faces) == 6
    assert abs(charms["cross"] / total - 1 / 3) < 0.08
    assert all(abs(charms[kind] / total - 1 / 6) < 0.06 for kind in set(charms) - {"cross"})
    assert len(charms) == 5
