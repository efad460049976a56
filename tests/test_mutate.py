"""How `test --mutate` finds its answers: the order of tests, and what is noted, change none of them."""

import gc
from pathlib import Path
from typing import Any

import pytest
from test_mutants import GAME, TESTS, written

from ruledsl.cli import common
from ruledsl.cli.main import main
from ruledsl.diagnostics.model import GameError
from ruledsl.ir.core import RulesFault
from ruledsl.memory import searched_apart
from ruledsl.runtime.game import Game, load
from ruledsl.testing import mutate
from ruledsl.testing.mutants import changed, mutants_of
from ruledsl.testing.runner import Tests

MORE = """\
  - test: nobody catches at once
    covers: [CA-1]
    given: {places: {anna.hand: [hare], boris.hand: [fox], deck: [owl]}, round: 1, turn: anna}
    expect: {refused: [catch hare]}
  - test: what was caught counts
    given: {places: {anna.hand: [hare], boris.hand: [fox], deck: [owl]}, round: 2, turn: anna}
    moves: [catch hare]
    expect: anna.caught == 5
"""
SLOWLY = ["examples/oware.yaml", "examples/tic-tac-toe.yaml", "examples/gem-traders/game.yaml"]


def plainly(game: Game, mutant: mutate.Mutant, before: dict[str, str]) -> str:
    """The slow way: every test on the changed rules, and no test is thought to be the same before it was run."""
    tests = Tests(changed(game, mutant))
    tests.most_steps = 20_000
    ways: dict[str, tuple[Any, ...]] = {}
    entered, same = tests.configured, True

    def entering(setting, at):  # type: ignore[no-untyped-def]
        way = (setting.players, setting.options, setting.names)
        ways[repr(way)] = way
        return entered(setting, at)

    tests.configured = entering  # type: ignore[method-assign]
    for case in tests.cases:
        ways.clear()
        try:
            passed = tests.run_case(case).passed
        except RulesFault:
            passed = False
        try:
            means = {key: mutate._meaning(tests.game.configured(*way)) for key, way in ways.items()}
        except GameError:
            return "broken"
        for key, way in ways.items():
            before.setdefault(key, mutate._meaning(game.configured(*way)))
        unlike = not ways or any(means[key] != before[key] for key in means)
        same = same and not (ways and unlike)
        if not passed and unlike:
            return "noticed"
    return "same" if same else "unnoticed"


def told_alike(game: Game, every: int) -> None:
    bench, before = mutate.Bench(game), {}  # type: ignore[var-annotated]
    assert not bench.failing
    for mutant in mutants_of(game, bench.statements)[::every]:
        assert bench.result(mutant) == plainly(game, mutant, before), str(mutant)


def test_the_quick_way_says_what_the_slow_way_says(tmp_path: Path) -> None:
    told_alike(load(written(tmp_path, tests=TESTS + MORE)), 1)


@pytest.mark.parametrize("path", SLOWLY)
def test_so_it_does_for_games(path: str, thorough: bool) -> None:
    told_alike(load(Path(__file__).parents[1] / path), 3 if thorough else 40)


def test_a_change_inside_a_formula_is_tried_on_the_tests_that_ask_it(tmp_path: Path) -> None:
    game = GAME.replace("me.caught: c.worth", "me.caught: gain(c)")
    game = game.replace("define:\n", "define:\n  gain(card c): max(c.worth, 1)\n")
    game_ = load(written(tmp_path, game, TESTS + MORE))
    bench = mutate.Bench(game_)
    inside = [m for m in mutants_of(game_, bench.statements) if "max(c.worth, 1)" in m.what]
    assert inside
    named = {bench.cases[n].name for n in bench.near(inside[0])}
    assert "what was caught counts" in named
    assert "nobody catches at once" not in named


def test_what_is_noted_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "catch", tests=TESTS + MORE)
    words = ["test", "catch", "--mutate", "--most", "20", "--log", "noted.jsonl"]
    tried, seen = mutate.Bench.result, list[mutate.Mutant]()
    hints: list[dict[mutate.Mutant, int]] = []

    def stopped(bench: mutate.Bench, mutant: mutate.Mutant) -> str:
        if len(seen) == 12:
            raise KeyboardInterrupt
        seen.append(mutant)
        return tried(bench, mutant)

    monkeypatch.setattr(mutate.Bench, "result", stopped)
    assert main(words) == 130

    def noting(bench: mutate.Bench, mutant: mutate.Mutant) -> str:
        seen.append(mutant)
        hints.append(bench.hints)
        return tried(bench, mutant)

    monkeypatch.setattr(mutate.Bench, "result", noting)
    noted = Path("noted.jsonl")
    assert len(noted.read_text().splitlines()) == 12
    noted.write_text(noted.read_text() + '{"version": 1, "chan')  # somebody pulled the plug
    capsys.readouterr()
    code = main(words)
    whole = capsys.readouterr().out
    assert len(seen) == len(set(seen))
    assert main(words) == code
    assert capsys.readouterr().out == whole
    assert len(seen) == len(set(seen))
    every = len(seen)
    tests = Path("catch/tests/catch.yaml")
    tests.write_text(tests.read_text() + "  - {test: one more, expect: not over}\n")
    assert main(words) == code
    assert capsys.readouterr().out == whole
    assert len(seen) == 2 * every
    noticed = [line for line in noted.read_text().splitlines() if '"result": "noticed"' in line]
    assert 0 < len(hints[-1]) == len(noticed) // 2
    assert main(words[:5]) == code
    assert capsys.readouterr().out == whole


def test_changed_rules_are_given_back(tmp_path: Path) -> None:
    """Also after tests that failed and were explained with a picture: what draws a game does not keep it."""
    game = load(written(tmp_path, tests=TESTS + MORE))
    bench = mutate.Bench(game)
    gc.collect()
    before = sum(type(thing) is Game for thing in gc.get_objects())
    with searched_apart():
        for mutant in mutants_of(game, bench.statements)[:4]:
            tests = Tests(changed(game, mutant))
            list(tests.run())
            del tests
        gc.collect()
        assert sum(type(thing) is Game for thing in gc.get_objects()) == 0  # what was there before is frozen
    assert sum(type(thing) is Game for thing in gc.get_objects()) <= before


def test_people_read_how_long_it_takes() -> None:
    assert [common._time_left(s) for s in (40, 110, 200, 7_900)] == ["40 s", "2 min", "3 min", "2 h 12 min"]
