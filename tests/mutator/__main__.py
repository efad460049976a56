"""`python -m tests.mutator [many] [class] [games]`: the table, and what was missed."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ruledsl.diagnostics.render import render_line

from . import EXAMPLES, GAMES, run, table


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    paths = [Path(p) for p in sys.argv[3:]] or [*EXAMPLES, *GAMES]
    with TemporaryDirectory() as folder:
        tallies = run(paths, many, 7, Path(folder), only)
    sys.stdout.write(table(tallies) + "\n")
    for sort, t in tallies.items():
        for crash, m in t.crashes:
            sys.stdout.write(f"{sort}: CRASH: {m.note} {sorted(m.lines)[:8]} {crash[:300]}" + "\n")
        for why, m, found in t.missed:
            sys.stdout.write(f"{sort}: {why}: {m.note} {sorted(m.lines)[:8]}" + "\n")
            for d in found[:3]:
                sys.stdout.write(f"      {render_line(d)} | {d.help}\n")


if __name__ == "__main__":
    main()
