"""What configurations of a game share is worked out once. What is found, and the program, is that of each one alone."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from games import SHIPPED, named
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.render import render
from ruledsl.ir.dump import dump

ERRORS = sorted((Path(__file__).parent / "errors").glob("*.yaml"))
DAILY = ("fjords", "serpent", "burgs", "holdem")


def worked_out(blueprint: pipeline.Blueprint, one: pipeline.Configuration) -> tuple[list[str], str]:
    """What is found in one configuration, and its program where nothing is wrong."""
    report = Report()
    try:
        _, program = pipeline.work_out(blueprint, one.players, dict(one.options), report)
    except (GameError, OptionError) as problem:
        return [*(render(found) for found in report.sorted()), type(problem).__name__], ""
    return [render(found) for found in report.sorted()], "" if report.errors else dump(program)


def alone_and_together(path: Path) -> None:
    together = pipeline.read(path, Report())
    if together is None:
        return
    for one in pipeline.configurations(together):
        alone = pipeline.read(path, Report())
        assert alone is not None
        found, program = worked_out(together, one)
        assert (found, program) == worked_out(alone, one), one
        if not program:
            return  # `check` goes no further: it would tell the same again


@pytest.mark.parametrize(
    "path",
    [path if named(path) in DAILY else pytest.param(path, marks=pytest.mark.long) for path in SHIPPED],
    ids=[named(path) for path in SHIPPED],
)
def test_a_configuration_is_the_same_after_others(path: Path) -> None:
    alone_and_together(path)


@pytest.mark.parametrize("path", ERRORS, ids=lambda path: path.stem)
def test_mistakes_of_a_configuration_are_the_same_after_others(path: Path) -> None:
    with suppress(GameError):  # it cannot be read at all
        alone_and_together(path)
