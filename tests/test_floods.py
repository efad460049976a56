"""What is reached through spaces with pieces is kept from one question to the next, and is always what it should be."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant, fault_text, load

from ruledsl.engine.batch import POINTS
from ruledsl.generate.c_program import CProgram, to_c
from ruledsl.generate.flow import circles
from ruledsl.generate.native import Library, Session, compiler
from ruledsl.generate.passes import Pass
from ruledsl.simulation.executors import EXECUTORS

ROOT = Path(__file__).resolve().parent.parent
# Pieces come, go, are moved, and are only tried out; the start of a question moves.
DAMS = ROOT / "tests/play/dams.yaml"
WITHOUT = [frozenset(), frozenset({Pass.KEPT_FLOODS}), frozenset({Pass.KEPT_FLOODS, Pass.FLOOD_ENDS})]
needs_compiler = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


def text(path: Path, off: frozenset[Pass] = frozenset()) -> str:
    """What is made of a game, without what every game has."""
    made = to_c(load(path).configured(2).machine.program, off)
    return made[made.index("} State;") :]


def floods(path: Path, off: frozenset[Pass] = frozenset()) -> Counter[str]:
    """Where it is asked what is reached, by the function that tells."""
    return Counter(re.findall(r"(\w+)\d\(SETS", text(path, off)))


@needs_compiler
@pytest.mark.parametrize("without", WITHOUT, ids=["all passes", "nothing kept", "plain"])
@pytest.mark.parametrize("size", [3, 6, 9])
def test_what_is_reached_is_the_same_where_pieces_come_and_go(
    size: int, without: frozenset[Pass], thorough: bool
) -> None:
    variant = Variant(DAMS, 2, {"size": size})
    configured = variant.configured()
    pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK, without=without))
    for seed in range(12 if thorough else 3):
        pair.steps(seed)
        pair.run(9, seed)
    pair.close()


def points(backend: str) -> list[int]:
    players = EXECUTORS[backend](load(DAMS).configured(2))
    width = players.shape.width
    rows, counts = array("q", [0]) * (6 * width), array("q", [0]) * players.shape.counts
    players.run(1, 0, rows, counts, 1000)
    return [rows[i * width + at] for i in range(6) for at in range(POINTS, width)]


@pytest.mark.parametrize("backend", ["python", pytest.param("c", marks=needs_compiler)])
def test_all_executors_count_what_is_reached_alike(backend: str) -> None:
    found = points("interpreter")
    assert min(found) < 10, "sometimes no"
    assert len(set(found)) > 20, "sometimes yes"
    assert points(backend) == found


def test_every_question_of_growing_sets_is_kept() -> None:
    made = floods(DAMS)
    assert made["spread"] == 4, "of a player's logs twice, of all logs, and of one's own"
    assert made["meets"] == 1, "empty spaces become fewer"
    assert set(floods(DAMS, WITHOUT[-1])) == {"joined", "reach"}


def test_the_chains_of_hex_grow() -> None:
    path = ROOT / "examples/hex.yaml"
    assert floods(path) == {"spread": 1}
    assert floods(path, WITHOUT[1]) == {"joined": 1}


def test_where_pieces_stand_is_a_set_of_spaces() -> None:
    path = ROOT / "tests/bench/reworded/hex-chain.yaml"
    assert "kept0[s->me]" in text(path), "the spaces of a player's stones"
    assert "kept0[s->me]" not in text(path, frozenset({Pass.PIECES_AS_SPACES}))


def test_a_question_about_all_pieces_is_one_about_a_space() -> None:
    """`no(s in stone where s.cell == c)`: nothing lies there."""
    path = ROOT / "tests/bench/reworded/hex-stones.yaml"
    free = re.compile(r"set2 f\d_free\(.*\n.*\n +\w+ = minus2\(SET\d+, s->kept\d\);\n")
    assert free.search(text(path))
    assert not free.search(text(path, frozenset({Pass.PIECES_AS_SPACES})))


def test_pieces_on_some_spaces_are_looked_for_there() -> None:
    path = ROOT / "tests/bench/reworded/reversi.yaml"
    through = "= s->gained; "
    assert through in text(path)
    assert through not in text(path, frozenset({Pass.PIECES_AS_SPACES}))


def test_what_is_a_kept_set_needs_no_memory() -> None:
    made = CProgram(load(ROOT / "tests/bench/reworded/reversi-lines.yaml").configured(2).machine.program)
    assert {formula.name for formula in made.out.memos} == {"gain", "allowed"}
    assert {"mine", "theirs"} <= {formula.name for formula in made.kinds.formulas}


def test_steps_are_counted_where_play_may_go_round_without_a_decision() -> None:
    path = ROOT / "examples/hex.yaml"
    assert text(path).count("++x->steps") == 2, "where nobody can do anything, in either way of deciding"
    assert text(path, frozenset({Pass.ROUNDS_ALONE})).count("++x->steps") > 2


ENDLESS = """
ruledsl: 1
game: endless
players: [a, b]
board: {grid: {width: 2, height: 2}, space: cell}
pieces: {stone: {per: player, count: 4}}
play:
  - turns: players
    do:
      - choose: {c: board where empty(c)}
        else: {end: turn}
      - {move: stone, to: c}
"""


@needs_compiler
@pytest.mark.parametrize("without", [frozenset(), frozenset({Pass.ROUNDS_ALONE})], ids=["where needed", "everywhere"])
def test_loops_that_never_end_are_noticed(tmp_path: Path, without: frozenset[Pass]) -> None:
    path = tmp_path / "endless.yaml"
    path.write_text(ENDLESS)
    configured = load(path).configured(2)
    library = Library(configured.machine.program, configured.rules, QUICK, without=without)
    session = Session(library)
    session.start(1)
    decided = 0
    while session.take(0) and session.run() == 1:
        decided += 1
    assert decided == 3, "then the board is full"
    assert "never ends" in fault_text(library, session)
    session.close()


def test_circles_of_a_graph() -> None:
    assert circles({0: [1], 1: [2], 2: [1, 3], 3: [4], 4: [4], 5: [0]}) == {1: 1, 2: 1, 4: 4}
