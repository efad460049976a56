"""Going through programs: nothing of an expression is passed over, and what is put together anew says the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from games import EXAMPLES, NAMES, PATHS, load
from ruledsl.ir import core as C
from ruledsl.ir.walk import StuckError, bound, free, key, looks_at, parts, put, rebuilt, same, within

ELSEWHERE = {"formula", "procedure", "choice", "label", "beside", "by_language"}  # what an expression does not hold


def nodes(path: Path) -> Iterator[Any]:
    """Everything in the blocks and formulas of a game."""
    program = load(path).configured().machine.program
    blocks = [part for block in program.blocks for part in (*block.ops, block.end)]
    return within(*blocks, *(formula.body for formula in program.formulas))


def found_by_hand(value: Any) -> Iterator[Any]:
    """The expressions directly in something, whatever its fields say."""
    if isinstance(value, C.Node | C.Tally | C.Passing | C.Every | C.Extending):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from found_by_hand(item)
    elif isinstance(value, C.Each | C.Variable | C.Entry):
        yield from inside_by_hand(value)


def inside_by_hand(node: Any) -> Iterator[Any]:
    for field in fields(node) if is_dataclass(node) else ():
        if field.name not in ELSEWHERE:
            yield from found_by_hand(getattr(node, field.name))


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_nothing_is_passed_over(path: Path) -> None:
    for node in nodes(path):
        assert sorted(map(id, parts(node))) == sorted(map(id, inside_by_hand(node))), node


def copied(node: Any) -> Any:
    """The same expression, written once more."""
    new = rebuilt(node, copied)
    return replace(new) if new is node else new


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_what_is_put_together_anew_says_the_same(path: Path) -> None:
    for node in nodes(path):
        if isinstance(node, C.Node):
            other = copied(node)
            assert other is not node
            assert same(node, other)
            assert key(node) == key(other)
            assert rebuilt(node, lambda part: part) is node
            assert put(node, {-999_999: C.Const(0)}) is node


def test_expressions_that_differ_do_not_say_the_same() -> None:
    one = C.Op("add", (C.Get(-1), C.Look((1, 2, 3), C.Get(7))))
    for other in (
        C.Op("subtract", one.args),
        C.Op("add", one.args[:1]),
        C.Op("add", (C.Get(-1), C.Look((1, 2, 4), C.Get(7)))),
        C.Op("add", (C.Get(-2), one.args[1])),
        C.Primitive("offset", (one,), (1,)),
    ):
        assert not same(one, other)
        assert key(one) != key(other)


def test_variables_are_replaced_and_none_is_taken_for_another() -> None:
    sum_ = C.Fold("sum", (C.Each(-2, "set", (C.Get(-1),)),), None, C.Op("add", (C.Get(-1), C.Get(-2))))
    assert free(sum_) == {-1}
    assert bound(sum_) == {-2}
    plain = put(sum_, {-1: C.Get(5)})
    assert same(plain, C.Fold("sum", (C.Each(-2, "set", (C.Get(5),)),), None, C.Op("add", (C.Get(5), C.Get(-2)))))
    with pytest.raises(StuckError):  # the variable put in would be bound
        put(sum_, {-1: C.Get(-2)})
    renamed = put(sum_, {-1: C.Get(-2)}, fresh=lambda: -9)
    assert same(renamed, C.Fold("sum", (C.Each(-9, "set", (C.Get(-2),)),), None, C.Op("add", (C.Get(-2), C.Get(-9)))))


def test_what_is_tried_out_may_look_at_all_of_the_state() -> None:
    trial = C.Would(C.Procedure("go"), (), C.Get(-3))
    assert looks_at(trial, 12)
    assert looks_at(trial, -3)
    assert not looks_at(trial, -4)
    with pytest.raises(StuckError):
        put(trial, {12: C.Const(1)})
    with pytest.raises(StuckError):
        put(C.Several(12, None, 3), {12: C.Const(1)})
