"""That `check` answers at once: loosely here, by CPU time of one run; `tests/bench/startup.py` has the figures."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
SLACK = {"examples": 2, "games": 3}  # how many times more than wanted: machines are busy, `check` looks over tests


def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("startup", ROOT / "tests" / "bench" / "startup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(sys.platform == "win32", reason="the benchmark asks Unix for CPU times")
@pytest.mark.parametrize(("game", "folder"), [("tic-tac-toe", "examples"), ("holdem", "examples"), ("fjords", "games")])
def test_a_check_takes_little_more_than_its_libraries(game: str, folder: str) -> None:
    startup = bench()
    _, ratio, _ = startup.against_libraries(startup.games()[game], runs=3)
    assert ratio < SLACK[folder] * startup.MOST[folder]


@pytest.mark.parametrize("game", ["tic-tac-toe", "chess", "fjords"])
def test_a_check_of_a_sound_game_loads_no_library_but_yaml(game: str) -> None:
    code = (
        f"import sys; from ruledsl.cli.main import main; code = main(['check', '{game}']); "
        "print(code, [name for name in ('lark', 'jsonschema', 'networkx', 'ctypes') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "1 game checked, 0 errors, 0 warnings\n0 []\n"
