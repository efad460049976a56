"""Which pieces and which combinations there are in a play: `only:`, `copies:` by value, `forbidden:`, `once=`."""

from pathlib import Path
from textwrap import dedent

import pytest

import ruledsl
from ruledsl.analysis.declarations.options import ForbiddenError
from ruledsl.compiler import pipeline
from ruledsl.testing.runner import Tests

OWLS = """
    ruledsl: 1
    game: owls
    players: 2..4
    options:
      variant: {is: [plain, long], start: plain}
    forbidden:
      - when: variant == long and count(players) > 2
        because: {en: the long game is for two, ru: длинная игра для двоих}
    types:
      color: [red, blue]
    places:
      nest: {holds: owl}
    pieces:
      owl:
        only: this.needs <= count(players) or variant == long
        attributes: {needs: 2..4, color: color}
        rows:
          - {name: barn, copies: {needs: {2: 3, 3: 2, 4: 1}}, color: red}
          - {name: snow, needs: 3, color: blue}
          - {name: eagle, copies: {color: {red: 1, blue: 2}}, needs: 4}
    play:
      - choose: {o: owl where o.color == blue}
        by: player_1
        else: {tie: players}
      - move: o
        to: nest
"""


def owls(tmp_path: Path) -> ruledsl.Game:
    (tmp_path / "owls.yaml").write_text(dedent(OWLS).strip(), encoding="utf-8")
    return ruledsl.load(tmp_path / "owls.yaml")


@pytest.mark.parametrize(
    ("players", "options", "there"),
    [
        (2, {}, ["barn_1", "barn_2", "barn_3"]),
        (3, {}, ["barn_1", "barn_2", "barn_3", "barn_4", "barn_5", "snow"]),
        (4, {}, [*(f"barn_{i}" for i in range(1, 7)), "snow", "eagle_1", "eagle_2", "eagle_3"]),
        (2, {"variant": "long"}, [*(f"barn_{i}" for i in range(1, 7)), "snow", "eagle_1", "eagle_2", "eagle_3"]),
    ],
)
def test_rows_are_there_by_players_and_options(
    tmp_path: Path, players: int, options: dict[str, str], there: list[str]
) -> None:
    play = owls(tmp_path).start(players=players, options=options)
    assert play.machine.program.roots["piece"].names == there


def test_copies_by_value_differ_in_it_alone(tmp_path: Path) -> None:
    play = owls(tmp_path).start(players=4)
    assert [option.text for option in play.options()] == ["snow", "eagle"]  # of three eagles two are blue, and alike


def test_a_forbidden_combination_says_why_in_both_languages(tmp_path: Path) -> None:
    game = owls(tmp_path)
    game.start(players=2, options={"variant": "long"})
    with pytest.raises(ForbiddenError, match="the long game is for two") as refused:
        game.start(players=3, options={"variant": "long"})
    assert refused.value.said("ru") == "длинная игра для двоих"
    assert not pipeline.check(tmp_path / "owls.yaml").findings


def test_tests_ask_why_a_combination_is_forbidden(tmp_path: Path) -> None:
    owls(tmp_path)
    (tmp_path / "owls.test.yaml").write_text(
        dedent("""\
            tests:
              - {test: refused, players: 3, options: {variant: long}, forbidden: for two}
              - {test: otherwise, players: 3, options: {variant: long}, forbidden: for three}
              - {test: allowed, players: 2, options: {variant: long}, forbidden: for two}
        """),
        encoding="utf-8",
    )
    tests = Tests(ruledsl.load(tmp_path / "owls.yaml"))
    assert [outcome.passed for outcome in tests.run()] == [True, False, False]


ROADS = """
    ruledsl: 1
    game: roads
    players: 2
    boards:
      land: {grid: {growing: true}, space: plot, holds: any}
    pieces:
      tile:
        tile: land
        parts:
          road: {from: roads, attributes: {sides: set of direction}}
        rows:
          - {name: home, start: "land[0, 0]", roads: [{sides: [e]}]}
          - {name: bridge, start: "land[1, 0]", roads: [{sides: [w, e]}, {sides: [n, s]}]}
          - {name: bend_1, start: "land[2, 0]", roads: [{sides: [w, n]}]}
          - {name: bend_2, start: "land[2, 1]", roads: [{sides: [s, w]}]}
          - {name: bend_3, start: "land[1, 1]", roads: [{sides: [e, s]}]}
          - {name: end_1, start: "land[1, -1]", roads: [{sides: [n]}]}
    define:
      from_home: reachable(set(first(road)), r in road)
      once: reachable(set(first(road)), once=tile, r in road)
    play:
      - choose: {r: once}
        by: player_1
        else: {tie: players}
"""


def test_a_way_that_comes_to_each_tile_once_does_not_cross_itself(tmp_path: Path) -> None:
    (tmp_path / "roads.yaml").write_text(
        dedent(ROADS).strip()
        + dedent("""
            tests:
              - test: the loop leads back below the bridge, and onward to the end
                given: {values: {}}
                expect:
                  - count(from_home) == 7
                  - count(once) == 5
                  - set(r.tile.name for r in from_home except once) == [bridge, end_1]
        """),
        encoding="utf-8",
    )
    tests = Tests(ruledsl.load(tmp_path / "roads.yaml"))
    outcomes = list(tests.run())
    assert [outcome.passed for outcome in outcomes] == [True], [str(f) for o in outcomes for f in o.failures]
