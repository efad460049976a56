"""What the generators write of every game: kept in a folder, or compared with what was kept there before.

    .venv/bin/python tests/bench/written.py keep FOLDER [GAME …]      before a change
    .venv/bin/python tests/bench/written.py compare FOLDER [GAME …]   after it: what is not the same, and where

A change that is meant to change nothing leaves the generated C and Python of all games as they were, byte for byte.
That is stricter than any comparison of plays, and faster. Written are C, Python, Python for plays at random, C that
counts positions and C that searches, of every game in every configuration that the agreement tests play; and each but
the last without all passes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from difflib import unified_diff
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agreement import Variant, variants

from games import PATHS, named
from ruledsl.generate.c_perft import PerftProgram
from ruledsl.generate.c_program import to_c
from ruledsl.generate.c_search import SearchProgram
from ruledsl.generate.passes import NONE_OFF, passes
from ruledsl.generate.python_plays import PlaysProgram
from ruledsl.generate.python_program import to_python
from ruledsl.ir.dump import dump
from ruledsl.ir.fingerprint import fingerprint

MOST_LINES = 20  # of a difference


def written(variant: Variant) -> Iterator[tuple[str, str]]:
    """Every form of a game, with the name of its file."""
    program = variant.configured().machine.program
    yield "ir", dump(program)
    yield "fingerprint", fingerprint(program) + "\n"
    for off, name in ((NONE_OFF, ""), (frozenset(passes()), ".plain")):
        yield f"c{name}", to_c(program, off)
        yield f"py{name}", to_python(program, off)
        yield f"plays{name}", PlaysProgram(program, off).whole()
        yield f"perft{name}", PerftProgram(program, off).write()
    yield "search", SearchProgram(program).write()


def go_through(path: Path, folder: Path, keep: bool) -> list[str]:
    """What differs of one game."""
    wrong: list[str] = []
    for variant in variants(path):
        for ending, text in written(variant):
            file = folder / f"{named(path)} {variant.name}.{ending}".replace("/", "_")
            if keep:
                file.write_text(text, encoding="utf-8")
            elif not file.exists():
                wrong.append(f"{file.name} is new")
            elif (kept := file.read_text(encoding="utf-8")) != text:
                changes = unified_diff(
                    kept.splitlines(), text.splitlines(), f"before {file.name}", "now", n=1, lineterm=""
                )
                wrong.append("\n".join(list(changes)[:MOST_LINES]))
    return wrong


def main() -> int:
    what, folder, *names = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    paths = [path for path in PATHS if not names or named(path) in names]
    paths.sort(key=lambda path: path.stat().st_size, reverse=True)
    bad = 0
    with ProcessPoolExecutor(2) as workers:
        jobs = [workers.submit(go_through, path, Path(folder), what == "keep") for path in paths]
        for path, job in zip(paths, jobs, strict=True):
            wrong = job.result()
            bad += len(wrong)
            print(f"{named(path)}: {len(wrong)} different" if wrong else f"{named(path)}: the same", flush=True)
            print("\n".join(wrong[:3]), end="\n" if wrong else "", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
