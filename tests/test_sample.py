"""The list of tests that take long, by which `--quick` leaves some out, has each test once."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parent
LISTED = [line.partition(" ") for line in (TESTS / "slow.txt").read_text(encoding="utf-8").splitlines()]


def test_the_list_is_in_order_and_names_each_test_once() -> None:
    tests = [case.partition("[")[0] for _, _, case in LISTED]
    assert tests == sorted(set(tests)), "write it anew: python3 run.py tests --note-slow"
    assert all(re.fullmatch(r"\d+\.\d", seconds) for seconds, _, _ in LISTED)
