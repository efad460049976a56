"""The games written by hand in C, as the limit of what a compiler can reach: building and running them."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "reference"
SOURCES = {path.stem.replace("_", "-"): path for path in sorted(FOLDER.glob("*.c"))}  # by the names of games


@dataclass(frozen=True)
class Outcome:
    """What a run came to; `first` and `draws` count plays won by the first player, and by nobody."""

    plays: int
    plies: int
    first: int
    draws: int
    seconds: float


def compiler() -> str | None:
    """The C compiler of the system."""
    return next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


def build(game: str, folder: Path, *flags: str) -> Path:
    """The program for a game, in a folder; for this very processor where the compiler can, unless flags are given."""
    command = compiler()
    assert command is not None, "there is no C compiler"
    target = folder / SOURCES[game].stem
    for tried in [flags] if flags else [("-O3", "-march=native"), ("-O3",)]:
        done = subprocess.run([command, *tried, SOURCES[game], "-o", target], capture_output=True, text=True)
        if done.returncode == 0:
            return target
    raise subprocess.CalledProcessError(done.returncode, done.args, done.stdout, done.stderr)


def run(program: Path, amount: str, seed: int) -> Outcome:
    """Random plays: so many (`1000`), or for so many CPU seconds (`2s`)."""
    said = subprocess.run([program, amount, str(seed)], check=True, capture_output=True, text=True).stdout.split()
    found = dict(zip(said[::2], said[1::2], strict=True))
    plays, plies, first, draws = (int(found[name]) for name in ("plays", "plies", "first", "draws"))
    return Outcome(plays, plies, first, draws, float(found["seconds"]))
