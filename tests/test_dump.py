"""What a game is made into reads the same whenever it is shown: no addresses, and no order that only chance gives."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import games
from ruledsl.compiler.dump import STAGES

ROOT = Path(__file__).resolve().parent.parent
SHOW = """
import hashlib, sys
from ruledsl.compiler.dump import STAGES
from ruledsl.runtime.game import load
for path in sys.argv[1:]:
    game = load(path)
    made = game.configured()
    for stage, text in STAGES.items():
        said = text(game.blueprint, made.world, made.machine.program)
        print(path, stage, hashlib.sha256(said.encode()).hexdigest())
"""
TILES = ROOT / "tests/language/growing_tiles.yaml"


def hashes(seed: str, paths: list[Path]) -> list[str]:
    """Of all stages of some games, in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-c", SHOW, *map(str, paths)],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.splitlines()


@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_no_stage_shows_where_things_are_in_memory(path: Path) -> None:
    game = games.load(path)
    made = game.configured()
    for stage in ("document", "declarations", "board", "types", "layout", "ir", "python"):
        text = STAGES[stage](game.blueprint, made.world, made.machine.program)
        for sign in (" at 0x", "<ruledsl."):
            assert sign not in text, f"{stage}: {text[text.index(sign) - 80 : text.index(sign) + 80]}"


def test_the_parts_of_tiles_are_told_by_their_numbers() -> None:
    game = games.load(TILES)
    made = game.configured()
    text = STAGES["ir"](game.blueprint, made.world, made.machine.program)
    areas = next(part for part in made.world.parts if part.name == "area")
    assert f"; {areas.root.size} parts of 27 tiles from spot {areas.first_spot})" in text


def test_stages_are_the_same_in_every_process() -> None:
    assert hashes("1", [TILES]) == hashes("2", [TILES])


@pytest.mark.long
def test_stages_of_all_games_are_the_same_in_every_process() -> None:
    first = hashes("1", games.PATHS)
    assert len(first) == len(games.PATHS) * len(STAGES)
    assert hashes("2", games.PATHS) == first
