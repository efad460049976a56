"""Positions whose truth is known: solved to the end by programs of their own (`tests/truth/*.c`), which share nothing
with ruledsl. What a bot takes there must keep what the position is worth."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from games import ROOT, load
from ruledsl.bots.base import ask, make
from ruledsl.generate.native import compiler
from ruledsl.runtime.game import Game
from ruledsl.runtime.play import Play
from ruledsl.testing.runner import position_of

TRUTH = Path(__file__).parent / "truth"
SAMPLE = 12  # of each file, in a usual run
pytestmark = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
WHOLE = pytest.mark.long


def lines(name: str, most: int | None) -> list[str]:
    found = (TRUTH / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return found if most is None else random.Random(1).sample(found, most)


def taken(play: Play, bot: str) -> str:
    return play.options()[ask(make(bot, 1), play, play.pending[0])].text


def after(game: Game, moves: list[str], **options: object) -> Play:
    play = game.start(options=options)
    for move in moves:
        play.choose(next(i for i, option in enumerate(play.options()) if option.text.split()[-1] == move))
    return play


# ------------------------------------------------------------------------------------------------ connect four


def keeps_the_value(line: str, bot: str, game: Game) -> bool:
    columns, best, *values = line.split()
    play = game.start()
    for column in columns:
        letters = [option.text.split()[-1][0] for option in play.options()]
        play.choose(letters.index("abcdefg"[int(column) - 1]))
    chosen = "abcdefg".index(taken(play, bot).split()[-1][0])
    return values[chosen] == best


@pytest.mark.parametrize("bot", ["search:100000", "alphabeta:3000000"])
@pytest.mark.parametrize("most", [SAMPLE, pytest.param(None, marks=WHOLE)])
def test_connect_four_keeps_its_value(bot: str, most: int | None) -> None:
    game = load(ROOT / "examples/connect-four.yaml")
    positions = lines("connect_four", most)
    kept = sum(keeps_the_value(line, bot, game) for line in positions)
    assert kept >= 0.99 * len(positions)


# ------------------------------------------------------------------------------------------------ chess


def put(game: Game, board: str, folder: Path) -> Play:
    """A play with white to move and the men as a test would put them."""
    file = folder / "position.yaml"
    file.write_text(f"given: {{turn: white, board: {board}, values: {{rights: []}}}}\n", encoding="utf-8")
    play, report, failure = position_of(game, file)
    assert play is not None, (report.findings, failure)
    return play


def finds_the_mate(line: str, bot: str, game: Game, folder: Path) -> bool:
    board, _, *moves = line.split()
    text = taken(put(game, board, folder), bot)
    move = text.split(" ")[1].replace("-", "").replace(",", "")
    becomes = text.split(", ")[1][0] if ", " in text else ""
    return move + {"k": "n"}.get(becomes, becomes) in moves


@pytest.mark.parametrize("bot", ["search:20000", "alphabeta:400000"])
@pytest.mark.parametrize("most", [SAMPLE // 2, pytest.param(None, marks=WHOLE)])
def test_chess_mates_in_two_and_three_are_found(bot: str, most: int | None, tmp_path: Path) -> None:
    game = load(ROOT / "examples/chess.yaml")
    missed = [line for line in lines("chess_mates", most) if not finds_the_mate(line, bot, game, tmp_path)]
    assert not missed


# ------------------------------------------------------------------------------------------------ small boards


@pytest.mark.parametrize("bot", ["search:50000", "alphabeta:300000"])
@pytest.mark.parametrize("name", ["hex", "breakthrough"])
@pytest.mark.parametrize("most", [SAMPLE, pytest.param(None, marks=WHOLE)])
def test_endings_on_small_boards_are_exact(name: str, bot: str, most: int | None) -> None:
    game = load(ROOT / f"examples/{name}.yaml")
    options: dict[str, object] = {"size": 5, "swap": False} if name == "hex" else {"size": 5}
    missed = []
    for line in lines(f"{name}_5x5", most):
        moves, winning = (part.split() for part in line.split("|"))
        if taken(after(game, moves, **options), bot).split()[-1] not in winning:
            missed.append(line)
    assert not missed
