"""How long `watch` takes from a save to its first diagnostics, and to its whole answer.

    python tests/bench/saves.py                 Fjords, 5 saves
    python tests/bench/saves.py chess --saves 3

Each save adds a comment and changes the first count in the rules (in Fjords: which tiles are in the game).
`wall` is what the author waits, `cpu` what this process computes until then (plays and tests beside it are not in it).
On a busy machine only `cpu` means something; the load is told.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from games import PATHS, named
from ruledsl.workbench.watching import Watcher

Taken = tuple[float, float]  # wall, cpu


def saved(game: Path, watcher: Watcher, number: int) -> tuple[Taken, Taken]:
    """What the first part of an answer and all of it take."""
    text = game.read_text(encoding="utf-8")
    changed = re.sub(r"(count\([^()]*\))(?=[\s,}\n])(?! \+)", rf"\1 + {number}", text, count=1)
    game.write_text(f"{changed}# save {number}\n", encoding="utf-8")
    begun = time.perf_counter(), time.process_time()
    parts = [(time.perf_counter() - begun[0], time.process_time() - begun[1]) for answer in watcher.answer() if answer]
    game.write_text(text, encoding="utf-8")
    for _ in watcher.answer():
        pass
    return parts[0], parts[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="?", default="fjords")
    parser.add_argument("--saves", type=int, default=5)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = {named(one): one for one in PATHS}[chosen.game]
        if path.name == "game.yaml":
            shutil.copytree(path.parent, Path(folder) / "game")
            game = Path(folder) / "game" / "game.yaml"
        else:
            game = Path(shutil.copy(path, folder))
        watcher = Watcher(game)
        for _ in watcher.answer():
            pass
        if watcher.exploring is not None:
            watcher.exploring.result()
        taken = [saved(game, watcher, number + 1) for number in range(chosen.saves)]
        watcher.close()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; seconds, half of {chosen.saves} saves take less")
    for name, at in (("first diagnostics", 0), ("whole answer", 1)):
        wall, cpu = (median(one[at][way] for one in taken) for way in (0, 1))
        print(f"  {name:<18} wall {wall:6.2f}  cpu {cpu:6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
