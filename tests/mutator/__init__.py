"""Slips in game files, made by the hundred: what the checker finds of them, where, and what it advises.

A mutant is a game with one slip in one of its files. It counts if the slip changes the game: the program that is made
from it, or whether it is accepted. What only people read is left alone, but for the class that is about it, and so are
names in the dump of a program: a game with another word for a thing is the same game. Slips that make a different but
sensible game (an optional key left out, a number changed) are not made: no checker could know them.

`python -m tests.mutator [many] [class] [games]` prints the table, and what was missed. Games are files or folders;
without any, all examples and games of the project.
"""

from pathlib import Path

from .judge import MAKERS, Game, Hang, Tally, fingerprint, run, summary, table, whole
from .text import Mutant, Text, words_of

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = [
    *(path for path in sorted((ROOT / "examples").glob("*.yaml")) if not path.stem.endswith(".test")),
    *sorted(path.parent for path in (ROOT / "examples").glob("*/game.yaml")),
]
GAMES = sorted(path.parent for path in (ROOT / "games").glob("*/game.yaml"))

__all__ = [
    "EXAMPLES", "GAMES", "MAKERS", "Game", "Hang", "Mutant", "Tally", "Text", "fingerprint", "run", "summary", "table",
    "whole", "words_of",
]  # fmt: skip
