"""Games at random, what they found before, and whether they speak of all that the language has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fuzz import Refused, Tally, examine_file, game_of, run, smallest, text_of
from test_generated_c import cache  # noqa: F401  compiled games are not kept

import games
from ruledsl.analysis import sections
from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.choosing import ENTRY
from ruledsl.analysis.declarations.boards import BOARD
from ruledsl.analysis.declarations.campaign import CAMPAIGN
from ruledsl.analysis.declarations.formulas import FORMULA
from ruledsl.analysis.declarations.history import HISTORY
from ruledsl.analysis.declarations.options import OPTION
from ruledsl.analysis.declarations.pieces import KIND
from ruledsl.analysis.declarations.places import PLACE
from ruledsl.analysis.declarations.pools import POOL
from ruledsl.analysis.declarations.scoring import SCORING
from ruledsl.analysis.declarations.shown import SHOW
from ruledsl.analysis.declarations.triggers import TRIGGER
from ruledsl.analysis.declarations.types import TYPE
from ruledsl.analysis.declarations.values import VALUE
from ruledsl.boards.base import SHAPES
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

# What a game at random does without: words for people, tests, and files beside the game.
LEFT_OUT = {
    ("a game", "include"), ("a game", "tests"), ("a kind of piece", "from"), ("a kind of piece", "columns"),
    ("a module", "letters"),
}  # fmt: skip


def test_random_games_speak_of_all_that_the_language_has() -> None:
    """A new statement, function, shape of board or key without a recipe in the generator is named here."""
    said: Counter[tuple[str, str]] = Counter()
    for seed in range(SAID_OF_ALL):
        data = game_of(seed)
        said.update(set(_said(data)))
    wanted = {("statement", name) for name in STATEMENTS} | {("function", name) for name in BUILTINS}
    wanted |= {(f"`{name}`", key) for name, verb in STATEMENTS.items() for key in verb.form.keys}
    wanted |= {("a board", key) for shape in SHAPES.values() for key in shape.parameters if not shape.nested}
    wanted |= {(f"`{shape.key}:`", key) for shape in SHAPES.values() for key in shape.parameters if shape.nested}
    for form in (
        sections.GAME, sections.MODULE, OPTION, TYPE, BOARD, KIND, PLACE, POOL, VALUE, FORMULA, ENTRY, TRIGGER, HISTORY,
        SCORING, SHOW, CAMPAIGN,
    ):  # fmt: skip
        wanted |= {(form.name, key) for key in form.keys}
    assert not wanted - LEFT_OUT - set(said), "no game at random has these"
    assert not LEFT_OUT & set(said)


NAMED = {
    "options": OPTION, "types": TYPE, "boards": BOARD, "pieces": KIND, "places": PLACE, "pools": POOL, "values": VALUE,
    "define": FORMULA, "actions": ENTRY, "triggers": TRIGGER, "history": HISTORY,
}  # fmt: skip


WHOLE = {"scoring": SCORING, "show": SHOW, "campaign": CAMPAIGN}


def _said(data: dict[str, Any], form: Any = sections.GAME) -> Iterator[tuple[str, str]]:
    """Every key by the form it stands in, every statement, every function."""
    yield from ((form.name, key) for key in data)
    for key, declared in data.items():
        if key in NAMED and isinstance(declared, dict):
            for one in declared.values():
                if isinstance(one, dict):
                    yield from ((NAMED[key].name, word) for word in one)
        if key == "board":
            yield from ((BOARD.name, word) for word in declared)
        if key in WHOLE:
            yield from ((WHOLE[key].name, word) for word in declared)
        if key == "modules":
            for module in declared.values():
                yield from _said(module, sections.MODULE)
    yield from _inside(data)


def _inside(node: Any) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        verb = next((key for key in node if key in STATEMENTS), None)
        if verb is not None:
            yield "statement", verb
            yield from ((f"`{verb}`", key) for key in node)
        for shape in SHAPES.values():
            if shape.nested and isinstance(node.get(shape.key), dict):
                yield from ((f"`{shape.key}:`", key) for key in node[shape.key])
        if "label" in node or "menu" in node:
            yield from ((ENTRY.name, key) for key in node)
        for inner in node.values():
            yield from _inside(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _inside(inner)
    elif isinstance(node, str):
        yield from (("function", name) for name in BUILTINS if f"{name}(" in node)


__all__ = ["Refused"]
