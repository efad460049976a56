"""Whatever is torn out of a file, swapped in it or replaced: what is left is answered. See wreckage.py.

The sample of every run is another piece of the whole each time its seed is changed; `--long` makes what is left of
every file without one entry or line, and a ninth of the other changes. `python -m tests.wreckage` makes all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from wreckage import FILES, ROOT, WRECKERS, Place, Wreck, crash_of, wrecks

SEED = 1
MANY = 8  # of each sort


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("wreckage"))


def crashes(found: Iterator[Wreck] | list[Wreck], place: Place, plays: bool) -> list[str]:
    return [f"{crash}: {wreck}" for wreck in found if (crash := crash_of(wreck, place, plays))]


def sample(sort: str, many: int) -> Iterator[Wreck]:
    """Some changes of a sort, a few in each of many files."""
    rng = Random(f"{SEED} {sort}")
    for path in rng.choices(FILES, k=many // 4):
        made = wrecks(path, SEED, sort)
        yield from rng.sample(made, min(4, len(made)))


@pytest.mark.parametrize("sort", WRECKERS)
def test_what_is_left_is_answered(sort: str, place: Place) -> None:
    assert not crashes(sample(sort, MANY), place, plays=True)


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_all_that_may_be_left_is_answered(path: Path, place: Place) -> None:
    found = wrecks(path, SEED)
    torn = [wreck for wreck in found if wreck.sort.startswith("without")]
    others = [wreck for wreck in found if not wreck.sort.startswith("without")]
    assert not crashes(torn + others[::9], place, plays=False)


def test_files_are_put_back(place: Place) -> None:
    path = ROOT / "examples/tic-tac-toe.yaml"
    for wreck in wrecks(path)[:3]:
        crash_of(wreck, place)
    assert place.of(path).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_changes_are_what_they_are_called() -> None:
    """Each sort changes each file, and every change leaves another text."""
    path = ROOT / "examples/tic-tac-toe.yaml"
    source = path.read_text(encoding="utf-8")
    for sort in WRECKERS:
        made = [wreck.text(source) for wreck in wrecks(path, only=sort)]
        assert len(made) > 15, sort
        assert sum(text == source for text in made) <= len(made) // 10, sort
    assert source.replace("players: ", "", 1) not in {w.text(source) for w in wrecks(path, only="without an entry")}
    lines = source.splitlines(keepends=True)
    assert "".join(lines[1:]) in {w.text(source) for w in wrecks(path, only="without a line")}


def test_a_crash_is_told_with_its_place(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    from ruledsl.compiler import pipeline

    def broken(*_: object) -> None:
        raise IndexError("nothing there")

    monkeypatch.setattr(pipeline, "work_out", broken)
    said = crash_of(Wreck(ROOT / "examples/hex.yaml", "none", ()), place)
    assert said.startswith("IndexError: nothing there (pipeline.py:"), said


def test_a_hang_is_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    signal = pytest.importorskip("signal")
    if not hasattr(signal, "SIGPROF"):
        pytest.skip("time cannot be limited here")
    from ruledsl.compiler import pipeline

    def endless(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(pipeline, "work_out", endless)
    assert crash_of(Wreck(ROOT / "examples/hex.yaml", "none", ()), place, seconds=1) == "no answer in 1 s"
