"""The list of tests that take a while, by which `--quick` chooses, has each test once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import conftest
import pytest

TESTS = Path(__file__).resolve().parent
LISTED = [line.partition(" ") for line in (TESTS / "slow.txt").read_text(encoding="utf-8").splitlines()]


def test_the_list_is_in_order_and_names_each_test_once() -> None:
    tests = [case.partition("[")[0] for _, _, case in LISTED]
    assert tests == sorted(set(tests)), "write it anew: python3 run.py tests --note-slow"
    assert all(re.fullmatch(r"\d+\.\d\d", seconds) for seconds, _, _ in LISTED)


class Case:
    """As much of a collected test as the sample is chosen by."""

    def __init__(self, nodeid: str, *marks: str) -> None:
        self.nodeid, self.keywords = nodeid, set(marks)


def test_the_sample_has_something_of_every_file_and_keeps_to_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    dear = {"test_a.py::test_dear": (7.0, "test_a.py::test_dear[2]"), "test_a.py::test_dearer": (8.0, "")}
    third = conftest.SHARE / 3.1
    some = {f"test_b.py::test_{n}": (third, f"test_b.py::test_{n}") for n in range(5)}
    monkeypatch.setattr(conftest, "_costs", lambda: iter({**dear, **some}.items()))
    short = [f"test_c.py::test_{n}[{case}]" for n in range(100) for case in range(3)]
    cases: list[Any] = [Case(f"{test}[{n}]") for test in dear for n in range(4)]
    cases += [Case(name) for name in (*some, *short)] + [Case("test_d.py::test_long", "long")]
    kept = [case.nodeid for case in cases if case in conftest._sample(cases)]
    assert [name for name in kept if "test_a" in name] == ["test_a.py::test_dear[2]"]
    assert len([name for name in kept if "test_b" in name]) == 3
    fit = round(conftest.SHARE / conftest.SHORT)
    assert fit - 1 <= len([name for name in kept if "test_c" in name]) / conftest.CASES <= fit
    assert not [name for name in kept if "test_d.py" in name]
