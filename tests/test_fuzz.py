"""Games at random, what they found before, and whether they speak of all that the language has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fuzz import Refused, Tally, examine_file, run, smallest, text_of
from fuzz_games import game_of
from fuzz_said import Said, offered, said

import games
from ruledsl.analysis.build import STATEMENTS
from ruledsl.builtins import BUILTINS

FOUND = sorted((games.ROOT / "tests/language/found").glob("*.yaml"))
FEW, SOME, LONG = 17, 200, 20_000
SAID_OF_ALL = 400  # games in which everything must come that the language has


@pytest.mark.parametrize("path", FOUND, ids=[path.stem for path in FOUND])
def test_what_was_found_once_plays_alike_everywhere(path: Path) -> None:
    for seed in range(3):
        failure = examine_file(path, seed)
        assert failure is None, failure.text


def _no_failures(seeds: range) -> Tally:
    tally = Tally()

    def tell(seed: int, data: dict[str, Any], failure: Any) -> None:
        small = smallest(data, seed, failure, 60)
        pytest.fail(f"game {seed}: {failure.sort}\n{failure.text}\n{text_of(small)}", pytrace=False)

    run(seeds, tally, tell)
    assert tally.accepted / tally.made > 0.8, tally.refused
    return tally


def test_a_few_random_games_play_alike_everywhere() -> None:
    _no_failures(range(FEW))


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
def test_random_games_play_alike_everywhere(part: int) -> None:
    each = SOME // 8
    _no_failures(range(part * each, (part + 1) * each))


@pytest.mark.long
@pytest.mark.parametrize("part", range(200))
def test_many_random_games_play_alike_everywhere(part: int) -> None:
    each = LONG // 200
    _no_failures(range(1000 + part * each, 1000 + (part + 1) * each))


# ----------------------------------------------------------------------------------------------------- completeness

# What a game at random does without: files beside the game, and rows that have names and yet none.
LEFT_OUT = frozenset({
    ("game", "include"), ("game", "tests"), ("kind", "from"), ("kind", "columns"), ("board", "edges: a map"),
    ("board.hexes", "from: a map"), ("board", "graph"), ("look", "picture"),
    ("look", "names"), ("look", "size"), ("look", "spots"), ("look", "within"),  # of a board on a picture
})  # fmt: skip


def test_random_games_speak_of_all_that_the_language_has() -> None:
    """A new statement, function, shape of board, key, word or form of a key needs a recipe."""
    spoken: set[Said] = set()
    for seed in range(SAID_OF_ALL):
        data = game_of(seed)
        spoken |= set(said(data)) | {("function", name) for text in _texts(data) for name in CALLED.findall(text)}
    wanted = offered(LEFT_OUT) | {("function", name) for name in BUILTINS}
    assert wanted >= {(f"verb_{name.replace(' ', '_')}", name) for name in STATEMENTS}
    assert not sorted(wanted - spoken), "no game at random has these"
    assert not LEFT_OUT & spoken


CALLED = re.compile(r"\b(\w+)\(")


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _texts(inner)


__all__ = ["Refused"]
