"""Every game the project has: the examples, the games in full, and the fixtures of the language."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import ruledsl
from ruledsl.runtime.play import Play

ROOT = Path(__file__).resolve().parent.parent


def _is_game(path: Path) -> bool:
    """Tests have two dots in their names, tables no `players:`."""
    return (
        path.is_file()
        and path.name.count(".") == 1
        and re.search(r"^players:", path.read_text(encoding="utf-8"), re.M) is not None
    )


def paths() -> list[Path]:
    found = [
        p for folder in ("examples", "tests/language") for p in sorted((ROOT / folder).glob("*.yaml")) if _is_game(p)
    ]
    return found + sorted((ROOT / "games").glob("*/game.yaml")) + sorted((ROOT / "tests/language").glob("*/game.yaml"))


PATHS = paths()
NAMES = [p.stem if p.stem != "game" else p.parent.name for p in PATHS]


@cache
def load(path: Path) -> ruledsl.Game:
    return ruledsl.load(path)


def playout(game: ruledsl.Game, seed: int, players: int | None = None, limit: int = 400) -> Iterator[Play]:
    """The positions of a random play: the same play object at every decision, and at its end."""
    rng = random.Random(seed)
    play = game.start(players=players, seed=seed)
    for _ in range(limit):
        yield play
        if play.over:
            return
        seat = rng.choice(play.pending)
        play.choose(rng.randrange(len(play.stop.options) if play.together is None else len(play.options(seat))), seat)
    yield play
