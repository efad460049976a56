"""What the checker finds of thousands of slips in all games: see the package `mutator`.

The goals: of 100 slips 99 are found, 99 of these on the right line, and for 98 of 100 the advice is right; no class
falls far behind. Never a traceback, never a hang.
"""

import shutil
from pathlib import Path

import mutator
import pytest

GAMES = [*mutator.EXAMPLES, *mutator.GAMES]
QUICK = [path for path in GAMES if path.stem not in ("fjords", "holdem", "breakthrough")]  # others take a second each
CLASS = 0.94  # of each class alone, of which a sample is small


def meets_the_goals(tallies: dict[str, mutator.Tally]) -> None:
    shown = mutator.table(tallies) + "\n" + mutator.summary(tallies)
    assert set(tallies) == set(mutator.MAKERS)
    assert not [crash for tally in tallies.values() for crash in tally.crashes], shown
    for tally in tallies.values():
        assert tally.counted, shown
        found, placed, advised = tally.shares
        assert min(found, placed) >= CLASS, shown
        assert advised >= CLASS or not tally.typos, shown
    found, placed, advised = mutator.whole(tallies).shares
    assert found >= 0.99, shown
    assert placed >= 0.99, shown
    assert advised >= 0.98, shown


def test_a_sample_of_slips_is_found(tmp_path: Path) -> None:
    meets_the_goals(mutator.run(QUICK, many=35, seed=1, folder=tmp_path))


@pytest.mark.long
def test_thousands_of_slips_are_found(tmp_path: Path) -> None:
    meets_the_goals(mutator.run(GAMES, many=400, seed=2, folder=tmp_path))


def test_a_game_without_a_slip_is_no_mutant(tmp_path: Path) -> None:
    """The dump of a program does not depend on the folder, nor on the names that a game gives to its things."""
    for path in mutator.EXAMPLES[:3]:
        copy = tmp_path / path.name
        copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        for pictures in path.parent.glob(f"{path.stem}-*/"):
            shutil.copytree(pictures, tmp_path / pictures.name)
        assert mutator.fingerprint(copy)[0] == mutator.fingerprint(path)[0] != ""


def test_another_game_has_another_program(tmp_path: Path) -> None:
    game = tmp_path / "game.yaml"
    text = "ruledsl: 1\ngame: one\nplayers: 2\nvalues: {n: 0..9}\nplay:\n  - add: {n: 1}\n  - tie: players\n"
    game.write_text(text, encoding="utf-8")
    first = mutator.fingerprint(game)[0]
    game.write_text(text.replace("n: 1", "n: 2"), encoding="utf-8")
    second = mutator.fingerprint(game)[0]
    game.write_text(text.replace("n:", "number_of_things:"), encoding="utf-8")
    assert "" != first != second != ""
    assert mutator.fingerprint(game)[0] == first
