"""Style and types, checked by the same line as everything else."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from size import size

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("command", ["ruff check", "mypy"])
def test_finds_nothing(command: str) -> None:
    tool, *arguments = command.split()
    if importlib.util.find_spec(tool) is None:
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run([sys.executable, "-m", tool, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{command} says:\n{done.stdout}{done.stderr}"


def test_files_and_functions_are_short_and_simple() -> None:
    found = size(ROOT)
    assert not found.long_files, "over 800 lines: take these apart along what their parts mean"
    assert not found.long_functions, "over 100 lines"
    assert len(found.complex_functions) <= 4, "too many ways through them"
