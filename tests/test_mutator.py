"""What the checker finds of hundreds of slips in the games of examples/: see mutator.py.

The goals are those of the project: 95 of 100 slips are found, 95 of 100 of these on the right line, and 90 of 100
typos with the word that was meant; never a traceback, never a hang.
"""

from pathlib import Path

import pytest

from tests import mutator

EXAMPLES = mutator.EXAMPLES


def meets_the_goals(tallies: dict[str, mutator.Tally]) -> None:
    shown = mutator.table(tallies) + "\n" + mutator.summary(tallies)
    assert set(tallies) == set(mutator.MAKERS)
    assert not [crash for tally in tallies.values() for crash in tally.crashes], shown
    for tally in tallies.values():
        found, placed, suggested = tally.shares
        assert tally.counted, shown
        assert found >= 0.95, shown
        assert placed >= 0.95, shown
        assert suggested >= 0.90 or not tally.typos, shown


def test_a_sample_of_slips_is_found(tmp_path: Path) -> None:
    meets_the_goals(mutator.run(EXAMPLES, many=60, seed=1, folder=tmp_path))


@pytest.mark.long
def test_thousands_of_slips_are_found(tmp_path: Path) -> None:
    meets_the_goals(mutator.run(EXAMPLES, many=600, seed=2, folder=tmp_path))


def test_a_game_without_a_slip_is_no_mutant(tmp_path: Path) -> None:
    """The dump of a program does not depend on the folder, nor on the names that a game gives to its things."""
    for path in EXAMPLES[:3]:
        copy = tmp_path / path.name
        copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
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
