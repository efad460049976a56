"""How long the answer of `check` takes from a cold start, in CPU time, beside what importing its libraries takes.

    python tests/bench/startup.py                 all games, and the tests of the largest
    python tests/bench/startup.py chess fjords    these games

Each run is a new process that knows nothing of the game. What is compared takes turns, so the ratio holds on a busy
machine, too: it should be at most 2 for the games of `examples/` and 4 for the largest. It returns 1 if any is above.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
RUNS = 7
# Those that pyproject.toml names; and those without networkx, which `check` does not load.
LIBRARIES = [sys.executable, "-c", "import lark, yaml, jsonschema, networkx"]
FEWER = [sys.executable, "-c", "import lark, yaml, jsonschema"]
MOST = {"examples": 2.0, "games": 4.0}  # times what the libraries take
TESTS_MOST = 4.0  # seconds for the tests of the largest game


def games() -> dict[str, Path]:
    """The games that come with ruledsl, by name."""
    found = [path for path in ROOT.glob("examples/*.yaml") if "." not in path.stem]
    folders = [*sorted(ROOT.glob("examples/*/game.yaml")), *sorted(ROOT.glob("games/*/game.yaml"))]
    return {path.stem: path for path in sorted(found)} | {path.parent.name: path for path in folders}


def written(path: Path) -> int:
    """How much there is of a game: its file, or all those of its folder."""
    files = path.parent.rglob("*.yaml") if path.stem == "game" else [path]
    return sum(file.stat().st_size for file in files)


def cpu(command: list[str]) -> float:
    """CPU seconds of one run, with those of what it starts."""
    before = getrusage(RUSAGE_CHILDREN)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as for users
    subprocess.run(command, cwd=ROOT, env=kept, capture_output=True, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def against_libraries(path: Path, runs: int = RUNS) -> tuple[float, float, float]:
    """What `check` takes, and how many times what importing the libraries takes, all and fewer: the middle of several
    runs."""
    check = [sys.executable, "-m", "ruledsl", "check", str(path)]
    cpu(check)  # the source is compiled by now
    runs_of = [(cpu(check), cpu(LIBRARIES), cpu(FEWER)) for _ in range(runs)]
    ours = median(run[0] for run in runs_of)
    return ours, median(run[0] / run[1] for run in runs_of), median(run[0] / run[2] for run in runs_of)


def figures(names: list[str]) -> Iterator[tuple[str, bool]]:
    """A line for each game, and whether it is as it should be."""
    known = games()
    for name in names or known:
        path = known[name]
        most = MOST["examples" if path.is_relative_to(ROOT / "examples") else "games"]
        seconds, ratio, fewer = against_libraries(path)
        told = f"{ratio:5.2f} times the libraries (at most {most}), {fewer:5.2f} times those without networkx"
        yield f"check {name:<22} {seconds:6.3f} s  {told}", ratio <= most
    if not names:
        largest = max(known, key=lambda name: written(known[name]))
        seconds = min(cpu([sys.executable, "-m", "ruledsl", "test", largest]) for _ in range(3))
        yield f"test {largest:<23} {seconds:6.3f} s  (at most {TESTS_MOST})", seconds <= TESTS_MOST


def main() -> int:
    good = True
    for line, as_it_should_be in figures(sys.argv[1:]):
        sys.stdout.write(line + ("\n" if as_it_should_be else "   TOO SLOW\n"))
        sys.stdout.flush()
        good = good and as_it_should_be
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
