"""Compiled code counts the ways as the reference does, and as is published."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from agreement import load
from test_perft import AFTER_EACH_OTHER, ENDS, HEAD, NO_TURNS, PASSES, SKIPPED, TWO_DECISIONS

import games
from ruledsl import shipped
from ruledsl.cli.main import main
from ruledsl.generate.native import compiler
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.game import Game
from ruledsl.runtime.perft import Perft, PerftError
from ruledsl.runtime.play import Play
from ruledsl.simulation.native import Unavailable
from ruledsl.simulation.native_perft import CompiledPerft
from ruledsl.testing.runner import position_of

pytestmark = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
FEW = 3000  # ways that the reference counts in a moment

NESTED = (
    HEAD
    + """\
play:
  - turns: players
    do:
      - choose: {x: 1..2}
      - if: x == 1
        then:
          - turns: players
            do:
              - choose: {y: 1..2}
              - if: me == b
                then: {end: turns}
"""
)
FAULTY = (
    HEAD
    + """\
values: {n: 0..3}
play:
  - turns: players
    do:
      - choose: {x: 1..2}
      - set: {n: n + x}
"""
)


def written(folder: Path, text: str) -> Game:
    path = folder / "small.yaml"
    path.write_text(text)
    return load(path)


@pytest.mark.parametrize("text", [TWO_DECISIONS, PASSES, SKIPPED, ENDS, AFTER_EACH_OTHER, NO_TURNS, NESTED])
def test_it_counts_what_the_reference_counts(text: str, tmp_path: Path) -> None:
    game = written(tmp_path, text)
    for decisions in (False, True):
        play = game.start()
        quick, slow = CompiledPerft(play, decisions), Perft(play, decisions)
        for _ in range(3):
            for depth in range(1, 6):
                assert quick.count(depth) == slow.count(depth), (depth, decisions, play.lines())
            assert list(quick.divide(4)) == list(slow.divide(4))
            if play.over:
                break
            play.choose(0)


@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_it_counts_what_the_reference_counts_in_every_game(path: Path) -> None:
    play = load(path).start()
    if play.stop.kind != "choice":
        return
    try:
        turns, single = CompiledPerft(play), CompiledPerft(play, decisions=True)
    except Unavailable as problem:
        refused = str(problem)
    else:
        refused = ""
    if refused:
        assert "has turns in which nobody decides anything" in refused
        return
    for quick, slow in ((turns, Perft(play)), (single, Perft(play, decisions=True))):
        for depth in (1, 2, 3):
            try:
                wanted = slow.count(depth, FEW)
            except PerftError as problem:
                with pytest.raises(PerftError, match=re.escape(str(problem))):
                    quick.count(depth)
                break
            if wanted > FEW:
                break
            assert quick.count(depth) == wanted, depth


def test_a_fault_is_told_as_the_reference_tells_it(tmp_path: Path) -> None:
    play = written(tmp_path, FAULTY).start()
    with pytest.raises(RulesFault) as mine:
        CompiledPerft(play).count(4)
    with pytest.raises(RulesFault) as other:
        Perft(play).count(4)
    assert (mine.value.message, mine.value.span) == (other.value.message, other.value.span)


def at(name: str, position: str | None, folder: Path) -> Play:
    path = shipped.find_game(name)
    assert path is not None
    game = load(path)
    if position is None:
        return game.start()
    file = folder / "position.yaml"
    file.write_text(position)
    play, _, failure = position_of(game, file, None, None, {}, 0)
    assert play is not None, failure
    return play


KIWIPETE = """\
given:
  turn: white
  board: r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R
  values: {rights: [a1, h1, a8, h8]}
"""
ENDGAME = """\
given:
  turn: white
  board: 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8
  values: {rights: []}
"""
PROMOTIONS = """\
given:
  turn: white
  board: n1n5/PPPk4/8/8/8/8/4Kppp/5N1N
  values: {rights: []}
"""


@pytest.mark.parametrize(
    ("name", "position", "depth", "number"),
    [
        ("chess", None, 4, 197_281),
        ("chess", KIWIPETE, 3, 97_862),
        ("chess", ENDGAME, 4, 43_238),
        ("chess", PROMOTIONS, 4, 182_838),
        ("draughts", None, 7, 179_740),
        ("reversi", None, 7, 55_092),
        ("connect-four", None, 6, 117_649),
        ("tic-tac-toe", None, 9, 127_872),
    ],
)
def test_published_numbers(name: str, position: str | None, depth: int, number: int, tmp_path: Path) -> None:
    assert CompiledPerft(at(name, position, tmp_path)).count(depth) == number


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "position", "depth", "number"),
    [
        ("chess", None, 5, 4_865_609),
        ("chess", None, 6, 119_060_324),
        ("chess", KIWIPETE, 4, 4_085_603),
        ("chess", KIWIPETE, 5, 193_690_690),
        ("chess", ENDGAME, 6, 11_030_083),
        ("chess", PROMOTIONS, 6, 71_179_139),
        ("draughts", None, 9, 3_963_680),
        ("reversi", None, 8, 390_216),  # further on players are passed over, which is no turn here and one elsewhere
        ("connect-four", None, 8, 5_673_234),
    ],
)
def test_published_numbers_further(name: str, position: str | None, depth: int, number: int, tmp_path: Path) -> None:
    assert CompiledPerft(at(name, position, tmp_path)).count(depth) == number


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(TWO_DECISIONS)
    for backend in ("auto", "interpreter", "python", "c"):
        assert main(["perft", "small.yaml", "--depth", "2", "--backend", backend]) == 0
        assert capsys.readouterr().out == "1: 6\n2: 36\n", backend
    assert main(["perft", "small.yaml", "--depth", "8"]) == 0
    assert capsys.readouterr().out.endswith("8: 1679616\n")
    assert main(["perft", "small.yaml", "--depth", "7", "--divide"]) == 0
    assert capsys.readouterr().out == "1: 93312\n2: 93312\n3: 93312\ntotal: 279936\n"
    assert main(["perft", "small.yaml", "--depth", "2", "--backend", "cc"]) == 2
    assert capsys.readouterr().err.startswith("ruledsl: there is no backend `cc`; ")
