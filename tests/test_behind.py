"""A new game is played with quickly compiled code, and goes on with the better one that is made meanwhile."""

from __future__ import annotations

import time
from array import array
from pathlib import Path

import pytest

import games
import ruledsl
from ruledsl.generate import behind
from ruledsl.generate.behind import FILE, MADE, Better, soon
from ruledsl.generate.native import ASKED, Library, compiler, kept, place
from ruledsl.runtime.game import Configured
from ruledsl.simulation.executors import executor
from ruledsl.simulation.native import Native

pytestmark = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
PLAYS, LIMIT = 50, 500


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Configured:
    """A small game of which nothing is compiled, on a machine with two cores."""
    monkeypatch.setenv("RULEDSL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(behind, "_pays", lambda: True)
    return ruledsl.load(games.ROOT / "examples/tic-tac-toe.yaml").configured()


def played(native: Native, first: int = 0) -> array[int]:
    rows, counts = array("q", [0]) * (PLAYS * native.shape.width), array("q", [0]) * native.shape.counts
    native.run(7, first, rows, counts, LIMIT)
    return rows


def awaited(better: Better) -> None:
    until = time.monotonic() + 120
    while not better.ready() and time.monotonic() < until:
        time.sleep(0.05)
    assert better.ready()


def folder_of(game: Configured) -> Path:
    return place(game.rules).with_suffix(".behind")


def test_plays_go_on_with_the_better_library(game: Configured) -> None:
    native = Native.hurried(game)
    quick, better = native.library, native._better
    assert better is not None
    assert kept(place(game.rules)) is None
    before = played(native)
    awaited(better)
    assert played(native) == before
    assert native.library is not quick
    assert native.library.path != quick.path
    assert kept(place(game.rules)) is not None
    assert not folder_of(game).exists()
    assert played(Native(game)) == before


def test_what_a_compiler_left_is_taken_over_by_the_next(game: Configured) -> None:
    _, better = soon(game.program, game.rules)
    assert better is not None
    awaited(better)
    library, nothing = soon(game.program, game.rules)
    assert nothing is None
    assert not folder_of(game).exists()
    assert library.path == Library(game.program, game.rules).path


def test_one_compiler_is_enough_for_two_that_begin(game: Configured, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    monkeypatch.setattr(behind, "set_off", lambda line, folder: begun.append(line))
    first, better = soon(game.program, game.rules)
    second, other = soon(game.program, game.rules)
    assert better is not None
    assert other is not None
    assert first.path == second.path
    assert len(begun) == 1
    monkeypatch.setattr(behind, "LOST", -1)
    soon(game.program, game.rules)
    assert len(begun) == 2, "one that left nothing is begun again"


def test_a_compiler_that_fails_behind_leaves_what_plays(game: Configured) -> None:
    native = Native.hurried(game)
    assert native._better is not None
    awaited(native._better)
    place(game.rules).unlink(missing_ok=True)
    (folder_of(game) / MADE).write_bytes(b"")
    (folder_of(game) / "about.json").unlink()
    assert played(native) == played(Native(game))


def test_the_same_code_is_not_made_twice(game: Configured) -> None:
    made = Library(game.program, game.rules)
    place(game.rules).unlink()
    library, better = soon(game.program, game.rules)
    assert better is None
    assert library.path == made.path
    assert not folder_of(game).exists()


def test_nothing_is_hurried_with_flags_of_the_user_or_on_one_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEDSL_CACHE", str(tmp_path / "cache"))
    game = ruledsl.load(games.ROOT / "examples/tic-tac-toe.yaml").configured()
    monkeypatch.setenv(ASKED, "-Og")
    assert soon(game.program, game.rules)[1] is None
    monkeypatch.delenv(ASKED)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0}, raising=False)
    assert soon(game.program, game.rules)[1] is None


def test_a_cache_that_cannot_be_written_is_done_without(game: Configured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path(place(game.rules)).parent
    file.parent.mkdir(exist_ok=True)
    file.write_text("in the way")
    name, native, missing = executor("c", game)
    assert (name, missing) == ("c", [])
    assert isinstance(native, Native)
    assert len(played(native)) == PLAYS * native.shape.width


def test_forgetting_leaves_nothing_that_is_found_again(game: Configured) -> None:
    _, better = soon(game.program, game.rules)
    assert better is not None
    awaited(better)
    Native.forget(game)
    left = [path.name for path in place(game.rules).parent.iterdir() if not path.name.startswith("generator")]
    assert not [name for name in left if name.endswith((".json", ".behind", FILE))]
