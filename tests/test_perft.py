"""Counting turns and decisions, with forced passes and turns of several decisions."""

import re
from pathlib import Path

import pytest

from ruledsl.cli.main import main
from ruledsl.runtime.game import load
from ruledsl.runtime.perft import Perft

HEAD = "ruledsl: 1\ngame: small\nplayers: [a, b]\n"
# In a turn one picks a number and then a colour; b has only numbers that are no choice for a turn of its own.
TWO_DECISIONS = (
    HEAD
    + """\
values: {n: 0..9}
play:
  - turns: players
    do:
      - choose: {x: 1..3}
      - choose: {y: 1..2}
      - set: {n: x + y}
"""
)
# b never has a decision: its turn is a forced pass.
PASSES = (
    HEAD
    + """\
play:
  - turns: players
    do:
      - if: me == b
        then: {end: turn}
      - choose: {x: 1..3}
"""
)
SKIPPED = (
    HEAD
    + """\
play:
  - turns: players
    skip: me == b
    do:
      - choose: {x: 1..3}
"""
)
ENDS = (
    HEAD
    + """\
play:
  - turns: players
    do:
      - if: turn_number == 3
        then: {win: me}
      - choose: {x: 1..2}
      - if: turn_number == 2 and x == 1
        then: {win: me}
"""
)
AFTER_EACH_OTHER = (
    HEAD
    + """\
play:
  - rounds: 3
    do:
      - turns: players
        do:
          - choose: {x: 1..2}
          - if: me == b
            then: {end: turns}
"""
)
NO_TURNS = (
    HEAD
    + """\
play:
  - rounds: 4
    do:
      - choose: {x: 1..2}
        by: a
"""
)


def counts(folder: Path, text: str, depths: int, decisions: bool = False) -> list[int]:
    path = folder / "small.yaml"
    path.write_text(text)
    perft = Perft(load(path).start(), decisions)
    return [perft.count(depth) for depth in range(1, depths + 1)]


@pytest.mark.parametrize(
    ("text", "turns", "decisions"),
    [
        (TWO_DECISIONS, [6, 36, 216], [3, 6, 18]),
        (PASSES, [3, 3, 9], [3, 9, 27]),  # the pass of b is a turn with one way to take it
        (SKIPPED, [3, 9, 27], [3, 9, 27]),  # who is passed over has no turn
        (ENDS, [2, 4, 0], [2, 4, 0]),  # a turn in which the play is found to be over is none
        (AFTER_EACH_OTHER, [2, 4, 8, 16, 32, 64, 0], [2, 4, 8, 16, 32, 64, 0]),
        (NO_TURNS, [2, 4, 8, 16, 0], [2, 4, 8, 16, 0]),
    ],
)
def test_counts(text: str, turns: list[int], decisions: list[int], tmp_path: Path) -> None:
    assert counts(tmp_path, text, len(turns)) == turns
    assert counts(tmp_path, text, len(decisions), True) == decisions


def test_the_play_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(ENDS)
    play = load(tmp_path / "small.yaml").start()
    before = play.state[:]
    Perft(play).count(3)
    assert play.state == before
    play.choose(0)
    assert play.state != before


def test_counting_stops_when_it_is_enough(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(TWO_DECISIONS)
    assert Perft(load(tmp_path / "small.yaml").start()).count(9, most=500) == 501


def test_published_numbers(tmp_path: Path) -> None:
    for name, depth, number in (
        ("chess", 2, 400),
        ("draughts", 4, 1469),
        ("reversi", 4, 244),
        ("connect-four", 3, 343),
    ):
        from ruledsl import shipped

        path = shipped.find_game(name)
        assert path is not None
        assert Perft(load(path).start()).count(depth) == number, name


@pytest.mark.long
def test_published_numbers_further() -> None:
    from ruledsl import shipped

    for name, depth, number in (
        ("chess", 3, 8902),
        ("draughts", 5, 7361),
        ("reversi", 6, 8200),
        ("connect-four", 4, 2401),
    ):
        path = shipped.find_game(name)
        assert path is not None
        assert Perft(load(path).start()).count(depth) == number, name


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(TWO_DECISIONS)
    Path("position.yaml").write_text("given: {values: {n: 4}, turn: b}\n")
    assert main(["perft", "small.yaml", "--depth", "2"]) == 0
    said = capsys.readouterr()
    assert said.out == "1: 6\n2: 36\n"
    assert said.err.startswith("42 nodes in ")
    assert main(["perft", "small.yaml", "--depth", "2", "--divide", "--from", "position.yaml"]) == 0
    assert capsys.readouterr().out == "1: 12\n2: 12\n3: 12\ntotal: 36\n"
    assert main(["perft", "small.yaml", "--depth", "2", "--decisions"]) == 0
    assert capsys.readouterr().out == "1: 3\n2: 6\n"
    assert main(["perft", "small.yaml", "--depth", "0"]) == 2


NOT_MENDED = "ruledsl: fix the mistakes in the position first\n"
WRONG_KEY = """\
error[S101]: a position has no key `posiiton`
 --> position.yaml:1:1
  |
1 | posiiton: 3
  | ^^^^^^^^
help: an option of the game stands below `options:`, as in `options: {posiiton: 3}`; a position takes `players`, \
`options`, `preset`, `seed`, `letters`, `given`, `chance`, `moves`, `steps`

"""


@pytest.mark.parametrize(
    ("position", "told"),
    [("posiiton: 3\nseed: 1\n", WRONG_KEY), ("moves: [x=9]\n", None), ("given: {values: {m: 4}}\n", None)],
)
def test_nothing_is_counted_from_a_position_with_mistakes(
    position: str, told: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(TWO_DECISIONS)
    Path("position.yaml").write_text(position)
    assert main(["perft", "small.yaml", "--depth", "2", "--from", "position.yaml"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith(NOT_MENDED)
    if told is not None:
        assert said.err == told + NOT_MENDED


def test_a_position_may_be_a_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(TWO_DECISIONS)
    Path("other.yaml").write_text(ENDS.replace("small", "other"))
    play = load(Path("small.yaml")).start()
    play.choose(0)  # a colour is left of this turn
    Path("play.json").write_bytes(play.save())
    assert main(["perft", "small.yaml", "--depth", "2", "--from", "play.json"]) == 0
    assert capsys.readouterr().out == "1: 2\n2: 12\n"
    for words, complaint in (
        (["small.yaml", "-s", "3"], "a saved play already has its players, options and seed: use only --from"),
        (["other.yaml"], "play.json: this is a save of `small`, not of `other`"),
    ):
        assert main(["perft", *words, "--depth", "2", "--from", "play.json"]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err) == ("", f"ruledsl: {complaint}\n")


def test_a_position_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(TWO_DECISIONS)
    assert main(["perft", "small.yaml", "--depth", "2", "--from", "nofile"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "ruledsl: cannot use `nofile`: no such file or directory\n")


DICE = (
    HEAD
    + """\
play:
  - rounds: 9
    do:
      - random: {die: 1..6}
      - choose: {x: 1..die}
        by: a
"""
)


def test_of_random_events_a_line_names_the_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(DICE)
    said = []
    for seed in ("1", "2"):
        assert main(["perft", "small.yaml", "--depth", "1", "--seed", seed]) == 0
        said.append(capsys.readouterr())
        assert said[-1].err.splitlines()[1:] == [
            f"Random events were drawn with seed {seed}; another seed (-s) may give other counts."
        ]
    assert said[0].out != said[1].out
    Path("small.yaml").write_text(TWO_DECISIONS)
    assert main(["perft", "small.yaml", "--depth", "1"]) == 0
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "counts", "done"), [([], "1: 6\n", 6), (["--divide"], "1: 432\n2: 432\n", 864)], ids=["all", "divided"]
)
def test_what_was_counted_before_an_interruption_is_told(
    words: list[str],
    counts: str,
    done: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(TWO_DECISIONS)
    whole = Perft._leaf

    def interrupted(perft: Perft, count: int = 1) -> int:
        if perft.nodes == done:
            raise KeyboardInterrupt
        return whole(perft, count)

    monkeypatch.setattr(Perft, "_leaf", interrupted)
    depth = "4" if words else "2"
    assert main(["perft", "small.yaml", "--depth", depth, "--backend", "interpreter", *words]) == 130
    said = capsys.readouterr()
    assert said.out == counts
    assert re.fullmatch(rf"Stopped after \d+\.\d\d s; {done} nodes of depth {depth} counted so far\.\n", said.err)
