"""Plays as lines of a table: the same from every executor, and what the modules for CSV and JSON of Python write."""

from __future__ import annotations

import csv
import io
import json
from array import array
from pathlib import Path
from typing import Any

import pytest

from ruledsl.engine.batch import Shape, play_seed
from ruledsl.generate.native import compiler
from ruledsl.ir.core import ENDINGS
from ruledsl.simulation.digest import Digest, Fault
from ruledsl.simulation.tables import KINDS, line
from ruledsl.simulation.work import Task, Work
from ruledsl.types import bits

ROOT = Path(__file__).parent.parent
compiled = pytest.mark.skipif(compiler() is None, reason="no C compiler")

# One with points from several sources and plays that are void, one with draws, a campaign of which plays are void.
TASKS: dict[str, dict[str, Any]] = {
    "tests/simulate/split.yaml": {},
    "examples/tic-tac-toe.yaml": {"seed": 7, "limit": 7},  # some are broken off
    "tests/simulate/brink.yaml": {"campaign": 4},
}


def _task(name: str, backend: str, kind: str) -> Task:
    return Task(str(ROOT / name), 2, backend=backend, table=kind, **TASKS[name])


@compiled
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TASKS)
def test_c_writes_and_counts_what_python_does(name: str, kind: str) -> None:
    """Whatever part of the plays it is given."""
    plain, quick = (Work(_task(name, backend, kind)) for backend in ("interpreter", "c"))
    assert quick.rows is not None
    assert plain.rows is None
    for first, count in ((0, 1), (1, 120), (500, 33)):
        one, other = plain.part(first, count), quick.part(first, count)
        lines = b"".join(one.table)
        assert lines == b"".join(other.table)
        assert (one.digests, one.faults, one.counts) == (other.digests, other.faults, other.counts)
        assert lines.count(b"\n") == sum(digest.plays for digest in one.digests)
    assert any(b"divides by 0" in b"".join(work.part(0, 120).table) for work in (plain, quick)) == (
        "tic-tac" not in name
    )


@compiled
def test_numbers_of_any_size_are_written_and_counted() -> None:
    """Far from one another, negative, of more results than a table in C knows by heart."""
    work = Work(_task("tests/simulate/split.yaml", "c", ".csv"))
    rows, width = work.rows, work.shape.width
    assert rows is not None
    assert work.line is not None
    most, plays = (1 << 63) - 1, 300
    numbers = [0, -1, 7, 10, 99, 1_000_000, -most - 1, most, 1023, 1024, 1025, -1024, 4096]
    given = array("q", [numbers[(i * width + k) % len(numbers)] for i in range(plays) for k in range(width)])
    for i in range(plays):
        given[i * width], given[i * width + 1] = 1 + i % 3, i % 4 if i % 5 else 0
    sums_fit = array("q", [number % 100_000 for number in given])
    plain = Digest()
    plain.add(sums_fit, width)
    assert rows.digest(sums_fit) == plain
    faults = [Fault(i, 0, f'"{i}", in words', "a,b.yaml", i) for i in range(plays)]
    void = iter(faults)
    digest = Digest()
    digest.add(given, width)
    wanted = [
        work.line.write(i, 0, 5, row, next(void) if ENDINGS[row[0]] == "void" else None)
        for i in range(plays)
        for row in [given[i * width : (i + 1) * width]]
    ]
    assert b"".join(rows.lines(work.line, 5, 0, plays, given, [digest], faults)).decode() == "".join(wanted)


@compiled
def test_more_results_than_are_known_by_heart() -> None:
    work = Work(_task("tests/simulate/split.yaml", "c", ".csv"))
    width, rows = work.shape.width, work.rows
    assert rows is not None
    given = array("q", [0]) * (width * 500)
    for i in range(500):
        given[i * width], given[i * width + 1] = 1, i % 200
    plain = Digest()
    plain.add(given, width)
    assert rows.digest(given) == plain


@pytest.mark.parametrize("names", [["ann", "bob"], ["O'Hara, Ann", 'the "boss"'], ["Анна", "new\nline"]])
def test_a_line_is_what_the_modules_of_python_write(names: list[str]) -> None:
    shape: Shape = Work(_task("tests/simulate/split.yaml", "interpreter", "")).shape
    faults = [None, Fault(0, 0, 'says "no", twice', "a,b.yaml", 3), Fault(0, 0, "nowhere")]
    columns = [*range(8, shape.width), 2, 3, 4, 5, 6, 7]
    for winners in range(4):
        for number, fault in enumerate(faults):
            row = [2, winners, *range(5, 3 + shape.width)]
            seed, won = play_seed(9, number), [names[seat] for seat in bits(winners)]
            told = "" if fault is None else fault.message
            if fault is not None and fault.path:
                told = f"{fault.path}:{fault.line}: {told}"
            file = io.StringIO()
            fields = [number + 1, seed, ENDINGS[2], " ".join(won), *(row[column] for column in columns), told]
            csv.writer(file, lineterminator="\n").writerow(fields)
            assert line(".csv", shape, names, False).write(number, 0, 9, row, fault) == file.getvalue()
            text = line(".jsonl", shape, names, False).write(number, 0, 9, row, fault)
            data = json.loads(text)
            assert text == json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
            assert list(data) == [
                *("play", "seed", "ending", "winners", "points", "turns", "rounds", "decisions", "options"),
                *("most_options", "forced", "fault"),
            ]
            assert (data["winners"], data["seed"], data["turns"]) == (won, seed, row[2])
            assert [data["points"][name]["total"] for name in names] == row[8:10]
            assert (data["fault"] or {}).get("line") == (fault and fault.line)
