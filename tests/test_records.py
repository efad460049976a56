"""`ruledsl.records.dataclass` does what the `dataclass` of the standard library does, but for refusing to change what
is frozen: only the type checker does that."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field
from functools import cached_property
from itertools import product
from typing import Any

import pytest

from ruledsl import records


class Plain:
    first: int
    second: str = "two"
    third: list[int] = field(default_factory=list)
    hidden: int = field(default=0, repr=False, compare=False)


class Empty:
    """Nothing."""


class Own:
    one: int

    def __repr__(self) -> str:
        return f"<{self.one}>"

    def __post_init__(self) -> None:
        object.__setattr__(self, "one", self.one + 1)


class Cached:
    one: int

    @cached_property
    def twice(self) -> int:
        return self.one * 2


WAYS_TO_MAKE: tuple[Any, Any] = (dataclasses.dataclass, records.dataclass)


def both(cls: type, **chosen: bool) -> tuple[Any, Any]:
    """A class made by the standard library and by us; each from a class of its own."""
    made = []
    for dataclass in WAYS_TO_MAKE:
        body = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        made.append(dataclass(**chosen)(type(cls.__name__, (), body)))
    return made[0], made[1]


def outcome(work: Any) -> Any:
    """What comes of it: a value, or an error by its sort."""
    try:
        return work()
    except Exception as problem:
        return type(problem)


WAYS = [dict(zip(("frozen", "slots", "eq"), chosen, strict=True)) for chosen in product((False, True), repeat=3)]


def told(cls: Any, chosen: dict[str, bool]) -> list[Any]:
    """All that can be told of a class made of `Plain`."""
    made = [
        outcome(lambda: cls(1)),
        outcome(lambda: cls(1, "b", [3])),
        outcome(lambda: cls(1, third=[2], hidden=4)),
        outcome(lambda: cls()),
        outcome(lambda: cls(1, x=1)),
    ]
    first = made[0]
    return [
        [repr(one).replace("both.<locals>.", "") for one in made],
        [[getattr(one, f.name) for f in dataclasses.fields(cls)] for one in made[:3]],
        [one == other for one in made[:3] for other in (first, cls(1), cls(1, "b", [3]), cls(2), 1)],
        cls(1).third is cls(1).third,
        [type(outcome(lambda one=one: hash(one))) for one in made[:3]],
        outcome(lambda: hash(cls(1, "b", ())) == hash(cls(1, "b", (), 5))) if chosen["eq"] else None,
        chosen["frozen"] or outcome(lambda: setattr(first, "first", 5)),
        chosen["frozen"] or outcome(lambda: delattr(cls(1), "second")),
        getattr(dataclasses.replace(first, second="new"), "second", None),
        cls.__match_args__,
        [(f.name, f.type, f.default) for f in dataclasses.fields(cls)],
        "__dict__" in dir(first),
    ]


@pytest.mark.parametrize("chosen", WAYS, ids=lambda chosen: "-".join(k for k, v in chosen.items() if v) or "none")
def test_it_behaves_as_that_of_the_standard_library(chosen: dict[str, bool]) -> None:
    theirs, ours = both(Plain, **chosen)
    assert told(ours, chosen) == told(theirs, chosen)


@pytest.mark.parametrize("cls", [Empty, Own, Cached])
def test_odd_classes(cls: type) -> None:
    theirs, ours = both(cls, frozen=True)
    given = (3,) if dataclasses.fields(ours) else ()
    assert repr(theirs(*given)) == repr(ours(*given))
    assert ours(*given) == ours(*given)
    assert hash(ours(*given)) == hash(ours(*given))
    assert getattr(ours(*given), "twice", 6) == getattr(theirs(*given), "twice", 6)


@records.dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: Any = None


def test_it_is_copied_and_pickled() -> None:
    point = Point(1, [2])
    assert pickle.loads(pickle.dumps(point)) == point
    assert copy.copy(point) == point
    assert copy.deepcopy(point).y is not point.y


def test_what_holds_itself_can_be_shown() -> None:
    point = Point(1, [])
    point.y.append(point)
    assert repr(point) == "Point(x=1, y=[...])"


class Base:
    sort: str = field(default="none", kw_only=True, repr=False)


def test_fields_of_a_base_that_are_named_come_last() -> None:
    """What all expressions have stands before their own fields, and is given by its name."""
    made = []
    for base, dataclass in zip(both(Base, frozen=True, slots=True), WAYS_TO_MAKE, strict=True):
        word = type("Word", (base,), {"__annotations__": {"text": str}})
        made.append(dataclass(frozen=True, slots=True)(word))
    theirs, ours = made
    for named in ({"text": "a"}, {"text": "a", "sort": "noun"}, {"sort": "verb", "text": ""}):
        one, other = theirs(**named), ours(**named)
        assert (one.text, one.sort, repr(one)) == (other.text, other.sort, repr(other))
    assert [outcome(lambda cls=cls: cls("a", "noun")) for cls in made] == [TypeError, TypeError]
