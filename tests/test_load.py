"""`ruledsl.load` keeps its word: a game that it gives has no mistake that `check` finds, and begins without one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from games import PATHS
from ruledsl.analysis.declarations.options import ForbiddenError, OptionError
from ruledsl.compiler import checked, pipeline
from ruledsl.diagnostics.model import Report
from ruledsl.runtime.game import Game
from ruledsl.runtime.play import IllegalChoice

WRONG = sorted((Path(__file__).parent / "errors").glob("*.yaml"))
GAME = """
ruledsl: 1
game: three
players: 2..4
options:
  hats: {is: bool, start: false}
board: {grid: {width: 3, height: 3}, space: cell}
pieces:
  stone: {per: player, count: 9}
places:
  chest: {holds: stone}
play:
  - turns: players
    until: turn_number > 3
    do:
      - choose: {c: board where empty(c)}
        else: {tie: players}
      - move: stone
        to: c
"""
TWO_ROWS = GAME.replace(
    "stone: {per: player, count: 9}", "stone: {attributes: {worth: 0..9}, from: stones.csv}"
).replace("move: stone", "move: first(reserve(stone))")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEDSL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(checked, "_known", set())


def mistakes(path: Path) -> list[str]:
    with pytest.raises(ruledsl.GameError) as told:
        ruledsl.load(path)
    return [f"{found.code} {found.message}" for found in told.value.report.findings if found.severity == "error"]


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_load_tells_what_check_tells(path: Path) -> None:
    report = pipeline.check(path)
    wanted = [f"{found.code} {found.message}" for found in report.findings if found.severity == "error"]
    if wanted:
        assert mistakes(path) == wanted
    else:
        ruledsl.load(path)


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_what_is_played_has_no_mistake_that_check_tells(path: Path) -> None:
    """Commands work out only the configuration that is played, and refuse it for all that is wrong with it."""
    report = pipeline.check(path)
    if all(found.severity != "error" for found in report.findings):
        return
    with pytest.raises(ruledsl.GameError):
        configured_in_all_ways(path)


def configured_in_all_ways(path: Path) -> None:
    game = Game(pipeline.load_blueprint(path))
    for way in pipeline.configurations(game.blueprint):
        with suppress(ForbiddenError):
            game.configured(way.players, dict(way.options))


@pytest.mark.parametrize(
    "mistake",
    [
        GAME.replace("empty(c)", "emty(c)"),
        GAME + "modules:\n  tall:\n    when: hats\n    values: {high: 0..hight}\n",
        GAME + "modules:\n  many:\n    when: count(players) == 4\n    setup:\n      - {set: {nothing: 1}}\n",
    ],
    ids=["in a rule", "with an option", "for four"],
)
def test_nothing_is_left_for_the_start(mistake: str, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(mistake, encoding="utf-8")
    assert len(mistakes(path)) == 1


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.parent.name if path.stem == "game" else path.stem)
def test_what_is_loaded_begins(path: Path, thorough: bool) -> None:
    game = ruledsl.load(path)
    for configuration in pipeline.configurations(game.blueprint)[:: 1 if thorough else 4]:
        with suppress(OptionError):  # players and options that do not go together
            game.configured(configuration.players, dict(configuration.options))


def test_what_was_found_good_is_gone_through_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, table, looked = tmp_path / "game.yaml", tmp_path / "stones.csv", list[str]()
    path.write_text(TWO_ROWS, encoding="utf-8")
    table.write_text("name,worth\nflint,1\nopal,2\n", encoding="utf-8")
    whole = pipeline.worked_out

    def noted(*given: Any) -> Any:
        looked.append("")
        return whole(*given)

    monkeypatch.setattr(pipeline, "worked_out", noted)
    for _ in range(3):
        ruledsl.load(path)
        checked._known.clear()  # as in another process
    assert len(looked) == 1
    table.write_text("name,worth\nflint,1\nopal,12\n", encoding="utf-8")
    assert len(mistakes(path)) == 1, "another table is another game"
    table.write_text("name,worth\nflint,1\nopal,3\n", encoding="utf-8")
    ruledsl.load(path)
    monkeypatch.setattr(checked, "generator", lambda: "another version")
    ruledsl.load(path)
    assert len(looked) == 4


def test_a_start_that_cannot_be_is_told(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    game = ruledsl.load(path)
    for given, said in (
        ({"players": 7}, "is for 2 to 4 players, not 7"),
        ({"names": ["anna", "anna"]}, "two players are called `anna`"),
        ({"names": ["anna", " "]}, "a player cannot be called ` `"),
        ({"options": {"hat": True}}, "has no option `hat`; did you mean `hats`"),
        ({"chance": "asks"}, "chance cannot be `asks`; did you mean `ask`"),
    ):
        with pytest.raises(OptionError, match=said):
            game.start(**given)
    play = game.start()
    for seat, said in ((1, "there is nothing to choose for player_2"), (9, "there is no seat 9; the first of 2 is 0")):
        with pytest.raises(IllegalChoice, match=said):
            play.choose(0, seat=seat)


WAYS = (
    GAME.replace("2..4", "1..3")
    .replace(
        "  hats: {is: bool, start: false}",
        "  hats: {is: bool, start: false}\n  mood: {is: 1..3, start: 1}\n  lone: {is: bool, start: false}",
    )
    .replace("turn_number > 3", "turn_number > mood")
    + """
modules:
  tall:
    when: hats
    values: {high: 0..HIGH}
    setup:
      - {set: {high: 1}}
forbidden:
  - {when: lone and count(players) > 1, because: alone is alone}
  - {when: hats and mood == 3, because: too many}
presets:
  wild: {hats: true, mood: 3}
"""
)


def test_what_check_goes_through(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(WAYS.replace("HIGH", "9"), encoding="utf-8")
    blueprint = pipeline.load_blueprint(path)
    listed = [(one.players, *one.options) for one in pipeline.configurations(blueprint)]
    assert listed == [
        *[(1,), (2,), (3,)],
        (2, ("hats", "true")),  # with two, though one may play alone
        (2, ("mood", 3)),
        (1, ("lone", "true")),  # with one, as only one may
    ], "the preset is forbidden"
    worked_out = [one.options for one, _, _ in pipeline.worked_out(blueprint, Report())]
    assert worked_out == [(), (), (), (("hats", "true"),), (("mood", 3),)], "nothing in the rules asks for `lone`"


def test_a_mistake_in_any_way_is_found(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(WAYS.replace("HIGH", "top"), encoding="utf-8")
    assert len(mistakes(path)) == 1
    path.write_text(WAYS.replace("HIGH", "9").replace("hats and mood", "hats and moot"), encoding="utf-8")
    assert len(mistakes(path)) == 1, "conditions of `forbidden:` are read, though another rules the same out"
