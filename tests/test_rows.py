"""Rows through a space on boards of more than 64 spaces, found from tables, and as the interpreter finds them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant, load

from ruledsl.generate.c_program import to_c
from ruledsl.generate.native import Library, compiler
from ruledsl.generate.passes import NONE_OFF, Off, Pass

PLAIN: Off = frozenset({Pass.LINE_TESTS})

SQUARES = "grid: {{width: {0}, height: {0}}}"
NARROW = "grid: {{width: 3, height: {0}}}"
RHOMBUS = "hexes: {{rhombus: {0}}}"
HEXAGON = "hexes: {{radius: {0}}}"
RULES = """\
ruledsl: 1
game: rows
players: [a, b]
board: {{{board}, space: cell}}
pieces: {{stone: {{per: player, count: 190}}}}
values: {{rows: {{per: player, is: 0..400}}}}
play:
  - turns: players
    do:
      - choose: {{c: board where empty(c)}}
        else: {{end: game}}
      - move: stone
        to: c
      - if: line(c, {length}, of=me)
        then: {{add: {{me.rows: 1}}}}
      - if: line(c, {longer}, d in board where d.stone)
        then: {{end: game}}
"""


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    yield
    load.cache_clear()


def rows(folder: Path, board: str, size: int, length: int, longer: int = 19) -> Variant:
    path = folder / f"rows-{size}-{length}.yaml"
    path.write_text(RULES.format(board=board.format(size), length=length, longer=longer), encoding="utf-8")
    return Variant(path, 2, {})


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("without", [NONE_OFF, PLAIN], ids=["tables", "plain"])
@pytest.mark.parametrize(
    ("board", "size", "lengths"),
    [
        (SQUARES, 9, [(3, 7), (5, 9)]),
        (SQUARES, 15, [(4, 8), (5, 12)]),
        (SQUARES, 19, [(5, 8), (6, 15)]),
        (NARROW, 40, [(3, 7)]),
        (RHOMBUS, 11, [(4, 9), (5, 10)]),
        (HEXAGON, 6, [(3, 8), (5, 11)]),
    ],
)
def test_rows_are_those_of_the_interpreter(
    tmp_path: Path, board: str, size: int, lengths: list[tuple[int, int]], without: Off
) -> None:
    for length, longer in lengths:
        variant = rows(tmp_path, board, size, length, longer)
        configured = variant.configured()
        pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK, without=without))
        for seed in range(3):
            pair.steps(seed)
        pair.run(5, 1)
        pair.close()


def test_five_in_a_row_is_looked_for_on_all_axes_at_once(tmp_path: Path) -> None:
    variant = rows(tmp_path, SQUARES, 15, 5)
    program = variant.configured().machine.program
    assert to_c(program).count("gathered(") == 2 + 1, "to both sides, and what gathers"
    assert "for (num at" in to_c(program), "longer rows than are seen from there"
    assert to_c(program, PLAIN).count("gathered(") == 1


@pytest.mark.parametrize(("board", "size", "length"), [(SQUARES, 9, 4), (RHOMBUS, 11, 5)])
def test_what_is_seen_in_tables_is_a_row(tmp_path: Path, board: str, size: int, length: int) -> None:
    made = to_c(rows(tmp_path, board, size, length).configured().machine.program)
    assert "!= 0;" in made.partition("0x8888;")[2].split("\n")[1]
