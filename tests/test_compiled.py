"""Plays on compiled code, driven from Python: the same as those of `Play`, decision by decision."""

from __future__ import annotations

import doctest
import random
import re
from functools import cache
from pathlib import Path

import pytest

import ruledsl
from games import EXAMPLES, PATHS, ROOT, load, named
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.bots.base import UnknownBot, ask, make
from ruledsl.generate.native import compiler
from ruledsl.runtime.compiled import CompiledGame
from ruledsl.runtime.play import IllegalChoice
from ruledsl.simulation.executors import executor

pytestmark = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


@cache
def game(name: str) -> CompiledGame:
    return ruledsl.load(ROOT / f"examples/{name}.yaml", backend="c")


def the_same(path: Path, seed: int, most: int) -> None:
    """A play at random, driven on both; now and then a copy goes on instead of the play itself."""
    theirs, rng = load(path).start(seed=seed), random.Random(seed)
    compiled = CompiledGame(load(path))
    ours = compiled.start(seed=seed)
    for number in range(most):
        waiting = sorted(theirs.pending)
        assert ours.over == theirs.over, named(path)
        if not waiting:
            break
        stop = theirs.stop_of(waiting[0])
        assert stop is not None
        assert (ours.seat, ours.count) == (waiting[0], len(stop.options)), f"{named(path)}, decision {number}"
        if theirs.together is None:
            for mine, raw in zip(ours.options(), stop.options, strict=True):
                assert mine[: len(raw)] == raw
            if number % 16 == 0:
                assert ours.state()[: len(theirs.state)] == theirs.state[: theirs.machine.program.layout.size]
        taken = rng.randrange(ours.count)
        if number % 5 == 0:
            twin = ours.copy()
            ours.choose(rng.randrange(ours.count))
            ours = twin
        ours.choose(taken)
        theirs.choose(taken, waiting[0])
    assert (ours.ending, ours.winners, ours.returns()) == (theirs.ending, theirs.winners, theirs.returns())
    assert bool(ours.fault) == (theirs.fault is not None)
    if theirs.over and theirs.fault is None and theirs.machine.program.scoring:
        assert ours.points == [sum(row.values()) for row in theirs.scores()]


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_it_plays_as_python_does(path: Path) -> None:
    the_same(path, 3, 60)


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_it_plays_as_python_does_in_every_game(path: Path) -> None:
    for seed in range(4):
        the_same(path, seed, 600)


def test_whole_plays_are_those_of_simulate() -> None:
    from array import array

    for name in ("connect-four", "holdem", "thorns"):
        made = load(ROOT / f"examples/{name}.yaml").configured()
        _, runner, _ = executor("interpreter", made)
        rows, counts = array("q", [0]) * (runner.shape.width * 12), array("q", [0]) * runner.shape.counts
        runner.run(5, 0, rows, counts, 100_000)
        winners = [rows[i * runner.shape.width + 1] for i in range(12)]
        found = game(name).playouts(12, seed=5)
        for won, shares in zip(winners, found, strict=True):
            if 0 < won.bit_count() < len(made.players) and not made.machine.program.stakes:
                assert [share > 0 for share in shares] == [bool(won >> seat & 1) for seat in range(len(made.players))]


def test_rollouts_differ_by_chance_and_not_by_anything_else() -> None:
    play = game("backgammon").start(seed=2)
    before = play.state()
    first, again, other = play.rollouts(40, seed=1), play.rollouts(40, seed=1), play.rollouts(40, seed=2)
    assert [list(row) for row in first] == [list(row) for row in again]
    assert [list(row) for row in first] != [list(row) for row in other]
    assert {tuple(row) for row in first} >= {(1.0, -1.0), (-1.0, 1.0)}
    assert play.state() == before


def test_a_batch_goes_on_in_step() -> None:
    batch, rng = game("reversi").batch(8, seed=3), random.Random(1)
    alone = [batch[i] for i in range(8)]
    while any(batch.counts):
        taken = [rng.randrange(count) if count else 0 for count in map(int, batch.counts)]
        for play, number in zip(alone, taken, strict=True):
            if not play.over:
                play.choose(number)
        assert batch.step(taken) == sum(not play.over for play in alone)
        assert [int(seat) for seat in batch.seats] == [play.seat for play in alone]
    assert [list(row) for row in batch.returns()] == [play.returns() for play in alone]


def test_it_works_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    from ruledsl.runtime import compiled

    arrays = game("connect-four").playouts(6, seed=1)
    monkeypatch.setattr(compiled, "_numpy", lambda: None)
    batch = game("connect-four").batch(3)
    assert batch.step([0, 1, 2]) == 3
    assert (batch.counts, batch.seats) == ([7, 7, 7], [1, 1, 1])
    lists = game("connect-four").playouts(6, seed=1)
    assert isinstance(lists, list)
    assert [list(row) for row in arrays] == lists


def test_what_is_not_there_is_refused() -> None:
    play = game("tic-tac-toe").start()
    for wrong in (-1, 9):
        with pytest.raises(IllegalChoice, match=rf"^there is no option {wrong}; there are 9$"):
            play.choose(wrong)
    batch = game("tic-tac-toe").batch(2)
    with pytest.raises(IllegalChoice, match=r"^there is no option 9 in play 1; there are 9$"):
        batch.step([0, 9])
    assert list(batch.counts) == [9, 9], "all stand still"
    with pytest.raises(IllegalChoice, match=r"^there are 2 plays, and 1 options$"):
        batch.step([0])
    with pytest.raises(IllegalChoice, match=r"^the other play has other rules, players or options$"):
        play.copy_from(game("reversi").start())
    with pytest.raises(OptionError, match=r"is for 2 players, not 3"):
        game("tic-tac-toe").start(players=3)


def test_from_play_to_play() -> None:
    """What stands in `Play` goes on compiled, and back for texts and views."""
    theirs = load(ROOT / "examples/connect-four.yaml").start()
    for number in (3, 3, 2):
        theirs.choose(number)
    ours = game("connect-four").enter(theirs)
    assert (ours.seat, ours.count) == (1, 7)
    assert [option.text for option in ours.texts()] == [option.text for option in theirs.options()]
    assert ours.play().view() == theirs.view()
    kept = game("connect-four").start()
    kept.copy_from(ours)
    assert kept.state() == ours.state()


def test_memory_does_not_grow_with_decisions() -> None:
    from ruledsl.runtime.compiled import CompiledPlay

    play = game("chess").start(seed=1)
    size = len(play.memory)
    rng = random.Random(1)
    for _ in range(50):
        play.choose(rng.randrange(play.count))
    assert len(play.memory) == size < 4_096
    assert not hasattr(play, "__dict__")
    assert isinstance(play, CompiledPlay)


def test_the_page_for_python_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its examples say what they say, and its bot takes part."""
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    monkeypatch.chdir(ROOT)
    examples = "\n".join(re.findall(r"^```pycon\n(.*?)^```", text, re.M | re.S))
    test = doctest.DocTestParser().get_doctest(examples, {}, "python.md", "docs/python.md", 0)
    out: list[str] = []
    result = doctest.DocTestRunner().run(test, out=out.append)
    assert result.attempted > 15
    assert not result.failed, "".join(out)
    code = re.search(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert code is not None
    assert len([line for line in code[1].splitlines() if line.strip()]) <= 20, "it is told to be short"
    (tmp_path / "flat.py").write_text(code[1], encoding="utf-8")
    won = 0
    for seed in range(8):
        play, mine = game("connect-four").game.start(seed=seed), seed % 2
        bots = [make(f"{tmp_path / 'flat.py'}:5" if seat == mine else "random", seed) for seat in range(2)]
        while not play.over:
            play.choose(ask(bots[play.pending[0]], play, play.pending[0]))
        won += mine in play.winners
    assert won >= 6


def test_what_is_wrong_with_the_file_of_a_bot_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnknownBot, match=r"^there is no file `.*none\.py`$"):
        make(str(tmp_path / "none.py"))
    (tmp_path / "empty.py").write_text("", encoding="utf-8")
    with pytest.raises(
        UnknownBot, match=r"empty\.py` registers no bots, not one: write `@bot\(\"name\"\)` above its class$"
    ):
        make(str(tmp_path / "empty.py"))
    (tmp_path / "bad.py").write_text("1 +", encoding="utf-8")
    with pytest.raises(UnknownBot, match=r"bad\.py` cannot be read: SyntaxError: invalid syntax"):
        make(str(tmp_path / "bad.py"))
