"""The executors of random plays by name: all give the same results, and differ in speed and in what they need."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.engine.batch import Executor
from ruledsl.runtime.game import Configured

from .interpreter import Interpreter
from .native import Native, Unavailable

Made = TypeVar("Made")
AUTO = "auto"
REFERENCE = "interpreter"
COMPILED = "c"


def _generated(configured: Configured) -> Executor:
    from .generated import Generated  # what writes Python is needed only where Python plays

    return Generated(configured)


# Slowest first: `auto` takes the last that can be had.
EXECUTORS: dict[str, Callable[[Configured], Executor]] = {
    REFERENCE: Interpreter,
    "python": _generated,
    COMPILED: Native,
}


def hurried(make: Callable[[Configured], Made]) -> Callable[[Configured], Made]:
    """What makes an executor, for those to whom soon is better than best: `make.hurried`, if there is such a way."""
    found: Callable[[Configured], Made] = getattr(make, "hurried", make)
    return found


def known(name: str) -> str | None:
    """What is wrong with the name of an executor, if anything."""
    names = [AUTO, *EXECUTORS]
    if name in names:
        return None
    return f"there is no backend `{name}`; " + (
        did_you_mean(nearest(name, names)) or f"there are {', '.join(f'`{n}`' for n in names)}"
    )


def executor(name: str, configured: Configured) -> tuple[str, Executor, list[str]]:
    """An executor by name, its name, and why faster ones could not be had."""
    if name != AUTO:
        return name, hurried(EXECUTORS[name])(configured), []
    missing: list[str] = []
    for candidate in reversed(EXECUTORS):
        try:
            return candidate, hurried(EXECUTORS[candidate])(configured), missing
        except Unavailable as problem:
            missing.append(f"{candidate}: {problem}")
    raise AssertionError("the interpreter is always available")


__all__ = ["AUTO", "COMPILED", "EXECUTORS", "REFERENCE", "Unavailable", "executor", "hurried", "known"]
