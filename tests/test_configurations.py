"""What configurations of a game share is worked out once. What is found, and the program, is that of each one alone."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest

import ruledsl
from games import SHIPPED, named
from ruledsl.analysis.compile import GameWorld
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.render import render
from ruledsl.engine.machine import Machine
from ruledsl.ir import core as C
from ruledsl.ir.dump import dump
from ruledsl.runtime.game import Configured
from ruledsl.runtime.play import Play

ERRORS = sorted((Path(__file__).parent / "errors").glob("*.yaml"))
AGAIN = {"bastion": 7, "outpost": 1, "serpent": 2}  # configurations that are worked out in the world of one before
MOST_DECISIONS = 60
DAILY = ("fjords", "serpent", "burgs", "holdem")


def worked_out(blueprint: pipeline.Blueprint, one: pipeline.Configuration) -> tuple[list[str], str]:
    """What is found in one configuration, and its program where nothing is wrong."""
    report = Report()
    try:
        _, program = pipeline.work_out(blueprint, one.players, dict(one.options), report)
    except (GameError, OptionError) as problem:
        return [*(render(found) for found in report.sorted()), type(problem).__name__], ""
    return [render(found) for found in report.sorted()], "" if report.errors else dump(program)


def alone_and_together(path: Path) -> None:
    together = pipeline.read(path, Report())
    if together is None:
        return
    for one in pipeline.configurations(together):
        alone = pipeline.read(path, Report())
        assert alone is not None
        found, program = worked_out(together, one)
        assert (found, program) == worked_out(alone, one), one
        if not program:
            return  # `check` goes no further: it would tell the same again


@pytest.mark.parametrize(
    "path",
    [path if named(path) in DAILY else pytest.param(path, marks=pytest.mark.long) for path in SHIPPED],
    ids=[named(path) for path in SHIPPED],
)
def test_a_configuration_is_the_same_after_others(path: Path) -> None:
    alone_and_together(path)


@pytest.mark.parametrize("path", ERRORS, ids=lambda path: path.stem)
def test_mistakes_of_a_configuration_are_the_same_after_others(path: Path) -> None:
    with suppress(GameError):  # it cannot be read at all
        alone_and_together(path)


# ------------------------------------------------------------------- worked out in the world of one before


def said_in_play(game: ruledsl.Game, world: GameWorld, program: C.Program, seed: int) -> list[object]:
    """All that may be chosen in a random play, decision by decision, and how it ends."""
    configured = Configured(world, program, Machine, {}, list(world.players.names))
    play, rng, said = Play(game, configured, seed), random.Random(seed), list[object]()
    for _ in range(MOST_DECISIONS):
        if play.over:
            said.append((play.winners, play.fault and play.fault.message))
            break
        seat = rng.choice(play.pending)
        options = [option.text for option in play.options(seat)]
        said.append((seat, options))
        play.choose(rng.randrange(len(options)), seat)
    return said


def in_the_world_of_one_before(path: Path, seeds: int) -> int:
    """Compares what is worked out so with what is worked out alone; how many there were."""
    blueprint = pipeline.read(path, Report())
    assert blueprint is not None
    game, count, worlds = ruledsl.load(path), 0, list[GameWorld]()
    for one, world, program in pipeline.worked_out(blueprint, Report(), lambda: False):
        if world in worlds:
            count += 1
            alone = pipeline.work_out(blueprint, one.players, dict(one.options), Report())
            assert [value for _, value in world.options.values()] == [v for _, v in alone[0].options.values()]
            for seed in range(seeds):
                assert said_in_play(game, world, program, seed) == said_in_play(game, *alone, seed), (one, seed)
        worlds.append(world)
    return count


@pytest.mark.parametrize("path", SHIPPED, ids=[named(path) for path in SHIPPED])
def test_what_options_do_not_reach_is_not_worked_out_again(path: Path, thorough: bool) -> None:
    count = in_the_world_of_one_before(path, 5 if thorough else 1)
    assert count >= AGAIN.get(named(path), 0)


LEVELS = """\
ruledsl: 1
game: levels
players: 2
options:
  level: {is: [easy, hard, odd], start: easy}
values:
  n: {is: 0..20, start: 0}
define:
  at_first: if level == hard then HARD else 1
effects:
  ask:
    - choose: {k: 1..2}
      by: player_1
      else: never
    - add: {n: k}
  lay: {set: {n: at_first}}
setup:
  - lay()
  - while: n < 4
    do: ask()
play:
  - turns: players
    do:
      - while: n < 9
        do: ask()
      - win: me
modules:
  odd: {when: level == odd, replace: {effects: {lay: {set: {n: ODD}}}}}
"""


@pytest.mark.parametrize(
    ("hard", "odd", "said"),
    [
        ("2", "3", []),
        ("32", "3", ["R304"]),
        ("n + 1", "n + at_first", []),
        ("k", "3", ["N101"]),
        ("2", "1 + (2", ["E107"]),
        ("2", "n at", ["E101"]),
    ],
)
def test_what_only_one_option_gets_wrong_is_found(hard: str, odd: str, said: list[str], tmp_path: Path) -> None:
    """And a loop in which an effect asks that was called before is one that ends."""
    path = tmp_path / "levels.yaml"
    path.write_text(LEVELS.replace("HARD", hard).replace("ODD", odd), encoding="utf-8")
    assert [found.code for found in pipeline.check(path).findings] == said
    if not said:
        assert in_the_world_of_one_before(path, 3) == 2
