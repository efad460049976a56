"""Where the games, examples and schemas that come with ruledsl are.

In a clone they are the top-level folders; in an installed package they were copied to `_shipped` by setup.py.
"""

import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
KINDS = ("games", "examples", "schemas")
GAME_FILE = "game.yaml"


def folder(kind: str) -> Path:
    """The folder of the shipped `games`, `examples` or `schemas`."""
    assert kind in KINDS, f"no shipped folder is called {kind!r}"
    installed = PACKAGE / "_shipped"
    return (installed if installed.is_dir() else PACKAGE.parent) / kind


def find_game(name: str) -> Path | None:
    """The main file of the shipped game called `name`, such as `tic-tac-toe`; a path is not looked up."""
    return _by_name().get(name)


def is_shipped(path: str) -> bool:
    """Whether a file is one of a game that comes with ruledsl."""
    return any(Path(path).resolve().is_relative_to(folder(kind)) for kind in ("games", "examples"))


def names() -> list[str]:
    """The names of all shipped games, in alphabetical order."""
    return sorted(_by_name())


def _by_name() -> dict[str, Path]:
    # games/ after examples/, so that it wins where both have the name.
    return dict([*_games_in(folder("examples")), *_games_in(folder("games"))])


def _games_in(parent: Path) -> Iterator[tuple[str, Path]]:
    """Games are folders with a `game.yaml` and single files; `hex.test.yaml`, with two dots, is neither."""
    if not parent.is_dir():
        return
    for path in sorted(parent.iterdir()):
        name = path.name.removesuffix(".yaml")
        if not re.fullmatch(r"\w[\w-]*", name):
            continue
        if (path / GAME_FILE).is_file():
            yield name, path / GAME_FILE
        elif path.suffix == ".yaml" and path.is_file():
            yield name, path
