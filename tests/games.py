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


def named(path: Path) -> str:
    return path.stem if path.stem != "game" else path.parent.name


def _games_in(folder: str) -> list[Path]:
    """Single files, and folders with a `game.yaml`."""
    files = [p for p in sorted((ROOT / folder).glob("*.yaml")) if _is_game(p)]
    return files + sorted((ROOT / folder).glob("*/game.yaml"))


EXAMPLES = _games_in("examples")
SHIPPED = EXAMPLES + _games_in("games")
PATHS = EXAMPLES + _games_in("tests/language") + _games_in("games")
NAMES = [named(p) for p in PATHS]
# Games in which something is hidden, seen by their texts alone: working out all games takes long.
HIDING = [path for path in PATHS if re.search("seen:|together:", path.read_text(encoding="utf-8"))]


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
