"""How long the command line takes from a cold start; run it by hand: `python tests/bench/startup.py`.

Prints the best and the middle of several runs, each a new process, and for `check` of the largest example what
took longest to import. Times depend on the machine, so no test asserts them; the aim is that `check` of the
largest example is well below a second.
"""

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
RUNS = 7


def largest() -> Path:
    """The game that has the most to read, tables left out."""
    games = [*ROOT.glob("examples/*.yaml"), *ROOT.glob("games/*/game.yaml")]
    return max((path for path in games if "." not in path.stem), key=lambda path: path.stat().st_size)


def timed(*words: str) -> list[float]:
    found = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "ruledsl", *words], cwd=ROOT, capture_output=True)
        found.append(time.perf_counter() - start)
    return found


def slowest_imports(*words: str, most: int = 12) -> list[str]:
    """The modules that took longest by themselves, in thousandths of a second."""
    command = [sys.executable, "-X", "importtime", "-m", "ruledsl", *words]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stderr
    rows = []
    for line in told.splitlines():
        own, _, rest = line.removeprefix("import time:").partition("|")
        if own.strip().isdigit():
            rows.append((int(own), rest.partition("|")[2].strip()))
    return [f"{own / 1000:7.1f} ms  {name}" for own, name in sorted(rows, reverse=True)[:most]]


def main() -> None:
    game = largest().relative_to(ROOT)
    for words in (["--help"], ["explain", "Y001"], ["check", "examples/tic-tac-toe.yaml"], ["check", str(game)]):
        found = timed(*words)
        line = f"ruledsl {' '.join(words)}"
        sys.stdout.write(f"{line:<45}  best {min(found):.3f} s   middle {median(found):.3f} s\n")
    sys.stdout.write(f"\nslowest imports of `check {game}`:\n" + "\n".join(slowest_imports("check", str(game))) + "\n")


if __name__ == "__main__":
    main()
