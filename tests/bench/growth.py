"""How plays per second go with the size of boards and the number of players: figures and curves.

    python tests/bench/growth.py --seconds 0.5 --rounds 3

writes `docs/pictures/growth.svg` and prints a table for each game.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from ruledsl import shipped  # noqa: E402
from ruledsl.bench import curves, openspiel, peers  # noqa: E402
from ruledsl.bench.clock import one_core  # noqa: E402
from ruledsl.bench.measure import Plan, measure  # noqa: E402
from ruledsl.bench.report import growth  # noqa: E402

# Each game, over what, from what to what.
GAMES = (
    ("hex", "size", range(5, 20, 2)),
    ("go", "size", range(9, 20, 2)),
    ("gomoku", "size", range(9, 20, 2)),
    ("breakthrough", "size", range(6, 13)),
    ("holdem", "players", range(2, 7)),
    ("serpent", "players", range(2, 5)),
)


def main() -> None:
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--backend", action="append", help="`c` alone unless others are named")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "docs/pictures/growth.svg")
    args = parser.parse_args()
    plan = Plan(args.backend or ["c"], args.seconds, args.rounds, openspiel.library())
    panels = []
    with one_core():
        for game, name, values in GAMES:
            path = shipped.find_game(game)
            assert path is not None
            peer = peers.of(path)
            options = dict(peer.options) if peer is not None else {}
            results = [
                measure(plan, path, peer, value, options, None)
                if name == "players"
                else measure(plan, path, peer, None, options | {name: value}, None)
                for value in values
            ]
            sys.stdout.write(growth(name, [str(value) for value in values], results) + "\n\n")
            sys.stdout.flush()
            panels.append(curves.panel(name, [str(value) for value in values], results))
    args.output.write_text(curves.picture(panels), encoding="utf-8")


if __name__ == "__main__":
    main()
