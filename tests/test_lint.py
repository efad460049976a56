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


# What is longer than it may be, to be taken apart. Nothing may be added here, nor may a file grow.
TOO_LONG = {
    "generate/c_words.py": 970,
    "generate/writer.py": 1210,
}


def test_files_and_functions_are_short_and_simple() -> None:
    found = size(ROOT)
    lengths = {name: int(lines) for name, lines in (one.rsplit(" ", 1) for one in found.long_files)}
    longer = {name: lines for name, lines in lengths.items() if lines > TOO_LONG.get(name, 0)}
    assert not longer, "over 800 lines: take these apart along what their parts mean"
    assert set(TOO_LONG) <= set(lengths), "short enough now: they leave the list"
    assert not found.long_functions, "over 100 lines"
    assert len(found.complex_functions) <= 5, "too many ways through them"
