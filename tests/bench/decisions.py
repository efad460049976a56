"""What a decision costs from Python: our plays on compiled code, and OpenSpiel's, in turns within one run.

    .venv/bin/python tests/bench/decisions.py [GAME …] [--seconds T] [--rounds N]

Both sides ask who decides and among what, and take any option; chance is included. Told is the middle of all rounds, in
microseconds of CPU time for a decision, with the lowest and the highest ratio beside it. `Play` is told for comparison.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import ruledsl
from ruledsl.bench.openspiel import Driven, library

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 5_000  # decisions of a play


def peers(names: list[str]) -> list[dict[str, Any]]:
    games = json.loads((ROOT / "examples/peers.json").read_text(encoding="utf-8"))["games"]
    return [game for game in games if game["game"] in names or not names]


def cost(round_of: Callable[[], int], seconds: float) -> float:
    """Microseconds of CPU time for a decision."""
    begun, decisions = time.process_time(), 0
    while time.process_time() - begun < seconds:
        decisions += round_of()
    return (time.process_time() - begun) / decisions * 1e6


def compiled(game: Any, options: dict[str, Any], rng: random.Random) -> Callable[[], int]:
    def one() -> int:
        play = game.start(seed=rng.getrandbits(30), options=options)
        count, pick = play.count, rng.random
        while count and play.decisions < LONGEST:
            play.seat  # noqa: B018  # as somebody who decides would ask
            count = play.choose(int(pick() * count))
        return int(play.decisions)

    return one


def in_python(game: Any, options: dict[str, Any], rng: random.Random) -> Callable[[], int]:
    def one() -> int:
        play, number = game.start(seed=rng.getrandbits(30), options=options), 0
        while not play.over and number < 60:
            count = len(play.stop_of(play.pending[0]).options)
            play.choose(int(rng.random() * count), play.pending[0])
            number += 1
        return number

    return one


def one_of(driven: Driven) -> int:
    return driven._plays(1).decisions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    spiel, rng = library(), random.Random(1)
    print(f"{'':20} {'compiled':>9} {'OpenSpiel':>10} {'ratio':>6}  {'of the rounds':14} {'Play':>8}")
    for peer in peers(args.games):
        game = ruledsl.load(ROOT / f"examples/{peer['game']}.yaml", backend="c")
        options = peer.get("options", {})
        ours, play = compiled(game, options, rng), in_python(game.game, options, rng)
        world = game.game.configured(None, options).world
        parameters = {
            name: world.options[value["option"]][1] if isinstance(value, dict) else value
            for name, value in peer.get("parameters", {}).items()
        }
        driven = Driven(spiel, peer["openspiel"], parameters) if spiel is not None else None
        ours()
        rows = []
        for _ in range(args.rounds):
            mine = cost(ours, args.seconds)
            theirs = cost(partial(one_of, driven), args.seconds) if driven is not None else float("nan")
            rows.append((mine, theirs, mine / theirs))
        mine, theirs, ratio = (median(column) for column in zip(*rows, strict=True))
        ratios = sorted(row[2] for row in rows)
        span = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        print(
            f"{peer['game']:20} {mine:>9.2f} {theirs:>10.2f} {ratio:>6.2f}  {span:14} {cost(play, args.seconds):>8.1f}"
        )


if __name__ == "__main__":
    main()
