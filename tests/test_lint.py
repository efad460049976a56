"""Style and types, checked by the same line as everything else."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("command", ["ruff check", "mypy"])
def test_finds_nothing(command: str) -> None:
    tool, *arguments = command.split()
    if importlib.util.find_spec(tool) is None:
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run([sys.executable, "-m", tool, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{command} says:\n{done.stdout}{done.stderr}"
