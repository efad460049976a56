"""The well-known games of `examples/`: nothing to find fault with, tested, and readable in both languages."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import ruledsl
from ruledsl.cli.main import main
from ruledsl.compiler.pipeline import check

EXAMPLES = Path(__file__).parent.parent / "examples"
BOARDS = (
    "tic-tac-toe", "connect-four", "hex", "breakthrough", "reversi", "draughts", "chess", "amazons", "gomoku", "go",
    "backgammon", "yacht", "nine-mens-morris",
)  # fmt: skip
board_game = pytest.mark.parametrize("name", BOARDS)


@board_game
def test_check_finds_nothing(name: str) -> None:
    assert [f"{d.code}: {d.message}" for d in check(EXAMPLES / f"{name}.yaml").sorted()] == []


@board_game
def test_its_own_tests_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(EXAMPLES / f"{name}.yaml")]) == 0, capsys.readouterr().out


@board_game
def test_every_option_reads_in_russian(name: str) -> None:
    """Whatever Latin is left beside the names of spaces was forgotten."""

    def forgotten(text: str) -> bool:
        return re.search("[A-Za-z]", re.sub(r"[a-z]\d+x?", "", text)) is not None

    play, chance = ruledsl.load(EXAMPLES / f"{name}.yaml").start(), random.Random(5)
    for _ in range(60):
        if play.over:
            break
        texts = [option.text for option in play.options(language="ru")]
        assert [text for text in (*texts, play.game.title("ru"), play.game.about("ru")) if forgotten(text)] == []
        play.choose(chance.randrange(len(texts)))


@board_game
def test_lines_fit_in_100_columns(name: str) -> None:
    for path in EXAMPLES.glob(f"{name}*.yaml"):
        assert [line for line in path.read_text(encoding="utf-8").splitlines() if len(line) > 100] == []
