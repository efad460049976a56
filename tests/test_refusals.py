"""Moves that are refused, as somebody would type them, in every game: what `why` answers, word for word."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from games import PATHS, ROOT, load, named
from ruledsl.runtime.play import Play
from ruledsl.runtime.typed import pick
from ruledsl.testing.runner import position_of

TABLE = ROOT / "tests" / "refusals.yaml"
ROWS: list[dict[str, Any]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
GAMES = {named(path): path for path in PATHS}


def _name(row: dict[str, Any]) -> str:
    return f"{row['game']}: {row['typed']}"


@cache
def reached(number: int, folder: Path) -> Play:
    """The position of a row of the table."""
    row = ROWS[number]
    path = folder / f"{number}.yaml"
    path.write_text(yaml.safe_dump(row["at"], allow_unicode=True), encoding="utf-8")
    play, report, failure = position_of(load(GAMES[row["game"]]), path)
    assert play is not None, (report.findings, failure)
    return play


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("positions")


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[_name(row) for row in ROWS])
def test_it_is_refused(number: int, folder: Path) -> None:
    play, row = reached(number, folder), ROWS[number]
    seat = play.players.index(row["seat"]) if "seat" in row else play.pending[0]
    if seat in play.pending:
        assert not pick(play, seat, row["typed"]).options
