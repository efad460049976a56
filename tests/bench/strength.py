"""How strong the bots are, in figures with intervals.

    .venv/bin/python tests/bench/strength.py random [GAME …] [--bot search:1s] [--plays N]    # against chance
    .venv/bin/python tests/bench/strength.py tenfold [GAME …] [--bot search:100] [--plays N]  # ten times the plays on
    .venv/bin/python tests/bench/strength.py alone [GAME …] [--bot search:100] [--plays N]    # all sit together and win

A play for each seat in turn. Told is how often the bot does better than one of the others, with 95 % confidence
(Wilson), and the CPU seconds of a play: of two players its share of the win; where three play, who is as strong as the
others wins a third, and that is told as 50 %, too. A win with others counts by its part; a draw of two is a half.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

import ruledsl
from ruledsl.bots.base import make
from ruledsl.bots.measuring import interval
from ruledsl.simulation.tournament import shares

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 2_000  # decisions of a play
SECONDS = 60.0  # of CPU time for a game


def files(names: list[str]) -> list[Path]:
    found = [path for path in sorted((ROOT / "examples").glob("*.yaml")) if ".test" not in path.name]
    found += sorted((ROOT / "examples").glob("*/game.yaml")) + sorted((ROOT / "games").glob("*/game.yaml"))
    return [path for path in found if not names or called(path) in names]


def called(path: Path) -> str:
    return path.stem if path.stem != "game" else path.parent.name


def tenfold(bot: str) -> str:
    return re.sub(r"\d+", lambda number: str(10 * int(number[0])), bot)


def play_of(path: Path, bots: list[str], seed: int) -> tuple[float, ...]:
    game = ruledsl.load(path)
    play = game.start(len(bots), seed)
    return shares(play, [make(bot, seed * 64 + seat) for seat, bot in enumerate(bots)], LIMIT)


def against_one(share: float, seats: int) -> float:
    """How often who wins such a share of plays for so many would win against one of the others."""
    return share / (share + (1 - share) / (seats - 1))


def measured(path: Path, mode: str, bot: str, plays: int, most: float) -> str:
    game = ruledsl.load(path)
    seats = max(2, game.players[0])
    if seats not in game.players:
        return "is played alone"
    mine, other = (tenfold(bot), bot) if mode == "tenfold" else (bot, bot if mode == "alone" else "random")
    won, number, begun = 0.0, 0, time.process_time()
    while number < plays and time.process_time() - begun < most:
        at = number % seats
        got = play_of(path, [mine if seat == at else other for seat in range(seats)], number // seats)
        won += float(max(got) > 0) if mode == "alone" else got[at]
        number += 1
    found = (won / number, *interval(won / number, number))
    share, low, high = (100 * (x if mode == "alone" else against_one(x, seats)) for x in found)
    seconds = (time.process_time() - begun) / number
    return f"{share:5.1f} % ({low:.0f} to {high:.0f}) of {number} plays for {seats}, {seconds:.1f} s each"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", choices=("random", "tenfold", "alone"))
    parser.add_argument("games", nargs="*")
    parser.add_argument("--bot", default="")
    parser.add_argument("--plays", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU seconds for a game, at most")
    args = parser.parse_args()
    bot = args.bot or ("search:1s" if args.mode == "random" else "search:100")
    for path in files(args.games):
        print(f"{called(path):20} {measured(path, args.mode, bot, args.plays, args.seconds)}", flush=True)


if __name__ == "__main__":
    main()
