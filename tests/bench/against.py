"""Whether games are still played as fast as at another commit.

    .venv/bin/python tests/bench/against.py COMMIT [GAME …] [--backend c] [--seconds T] [--rounds N]

The package of the commit and the package as it is take turns, each in a process of its own, with the games as they are
now. Told is the middle ratio of all rounds, with the lowest and the highest beside it; 1.10 is ten percent faster.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("ruledsl", "examples")  # the package; the examples know which games others have
SLOWER = 0.97


def unpacked(commit: str, folder: str) -> Path:
    """The package of a commit, in a folder."""
    packed = subprocess.run(["git", "archive", commit, *PARTS], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as files:
        files.extractall(folder, filter="data")
    return Path(folder)


def speed(package: Path, game: str, backend: str, seconds: float) -> float:
    """Plays in a second of CPU time."""
    command = [sys.executable, "-m", "ruledsl", "bench", game, "--backend", backend]
    command += ["--seconds", str(seconds), "--rounds", "1", "--format", "json"]
    told = {**os.environ, "PYTHONPATH": str(package)}
    run = subprocess.run(command, cwd=package, env=told, capture_output=True, text=True, check=True)
    (row,) = json.loads(run.stdout)["results"][0]["rows"]
    return float(row["plays_per_second"])


def games(names: list[str]) -> dict[str, str]:
    """The files of games by their names: of all that are shipped, unless some are named."""
    files = [*sorted((ROOT / "examples").glob("*.yaml")), *sorted((ROOT / "examples").glob("*/game.yaml"))]
    files += sorted((ROOT / "games").glob("*/game.yaml"))
    found = {path.stem if path.stem != "game" else path.parent.name: str(path) for path in files}
    return {name: file for name, file in found.items() if name in names or (not names and ".test" not in name)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--backend", default="c")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    slower = []
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as copy:
        before, now = unpacked(given.commit, folder), Path(copy)
        for part in PARTS:  # a copy, so that one may work on meanwhile
            shutil.copytree(ROOT / part, now / part, ignore=shutil.ignore_patterns("__pycache__"))
        for name, file in games(given.games).items():
            ratios = []
            for number in range(given.rounds):  # who goes first changes, for it matters on a busy machine
                turns = (before, now) if number % 2 else (now, before)
                reached = {package: speed(package, file, given.backend, given.seconds) for package in turns}
                ratios.append(reached[now] / reached[before])
            middle = median(ratios)
            print(f"{name:<22} {middle:5.2f}  ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)
            if middle < SLOWER:
                slower.append(name)
    print(f"slower: {', '.join(slower)}" if slower else "none is slower")
    return 1 if slower else 0


if __name__ == "__main__":
    raise SystemExit(main())
