"""Large programs are compiled in parts: no function grows with the rows of a table, and plays stay the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant, load

import games
from ruledsl.generate import flow
from ruledsl.generate.c_program import CProgram
from ruledsl.generate.native import Library

SOME = ("chess", "holdem", "love-letter", "spice_rack", "backgammon", "fortress")


@pytest.fixture(scope="module", autouse=True)
def small_parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Every program counts as large, and its functions hold but a few blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEDSL_CACHE", str(tmp_path_factory.mktemp("compiled")))
        patch.setattr(flow, "WHOLE", 8)
        patch.setattr(flow, "PART", 5)
        yield


def agrees(path: Path, plays: int) -> None:
    for players in sorted({load(path).players[0], load(path).players[-1]}):
        variant = Variant(path, players, {})
        configured = variant.configured()
        pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
        for seed in range(plays):
            pair.steps(seed, 60)
            pair.run(5, seed, 60)
        pair.close()


@pytest.mark.parametrize("path", [p for p in games.PATHS if p.stem in SOME or p.name in SOME], ids=lambda p: p.stem)
def test_a_program_in_parts_plays_as_the_interpreter_does(path: Path) -> None:
    agrees(path, 1)


@pytest.mark.long
@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_every_program_in_parts_plays_as_the_interpreter_does(path: Path) -> None:
    agrees(path, 20)


def test_the_parts_hold_every_block_once() -> None:
    configured = load(games.ROOT / "games/fortress").configured()
    text = CProgram(configured.machine.program).write()
    assert len(re.findall(r"^static APART num run_\d+\(Context \*x, State \*s, num counting\) \{$", text, re.M)) > 20
    labels = re.findall(r"^ +(b\d+): \{", text, re.M)
    assert len(set(labels)) == len(labels)
