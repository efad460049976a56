"""Looks at the files of the rules while somebody plays: what is wrong is shown beside the table, and plays go on under
the new rules as soon as there are no errors.

First the game is worked out as it is played most simply, which finds most slips at once; then everything is checked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.render import to_json
from ruledsl.memory import uncollected
from ruledsl.records import dataclass
from ruledsl.runtime.game import Game
from ruledsl.source.scan import stamps

if TYPE_CHECKING:
    from collections.abc import Awaitable

LOOK = 0.25  # seconds between two looks at the files
MOST_SHOWN = 100
_SHOWN = ("line", "column", "end_line", "end_column", "severity", "code", "message", "help")


@dataclass(frozen=True)
class Findings:
    """What is wrong with the rules as they are on disk."""

    number: int = 0  # of the save, from 0
    errors: int = 0
    warnings: int = 0
    diagnostics: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of(cls, report: Report, number: int) -> Findings:
        """Files by their names alone, for a page is no place for paths of a machine."""
        found = to_json(report)
        shown = [
            {"file": Path(each["file"]).name if each["file"] else ""} | {key: each[key] for key in _SHOWN}
            for each in found["diagnostics"][:MOST_SHOWN]
        ]
        return cls(number, found["errors"], found["warnings"], shown)

    def data(self) -> dict[str, Any]:
        return {"errors": self.errors, "warnings": self.warnings, "diagnostics": self.diagnostics}


class Watching:
    """Tells of every save: first of the game if it can be played, then of all that `check` finds."""

    def __init__(self, game: Game) -> None:
        self.path = game.path
        self.files = _files(game.blueprint, self.path)
        self.seen = stamps(self.files)
        self.findings = Findings()

    async def run(self, changed: Callable[[Game], Awaitable[None]], told: Callable[[], None]) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK)
            now = stamps(self.files)
            if now == self.seen:
                continue
            self.seen = now
            report, game = await asyncio.to_thread(self._first_look)
            if game is not None:
                await changed(game)
            self._tell(report, told)
            if game is not None:
                self._tell(await asyncio.to_thread(pipeline.check, self.path), told)

    def _tell(self, report: Report, told: Callable[[], None]) -> None:
        self.findings = Findings.of(report, self.findings.number + 1)
        told()

    def _first_look(self) -> tuple[Report, Game | None]:
        """The game in its first configuration, if it can be played."""
        report = Report()
        try:
            with uncollected():
                blueprint = pipeline.read(self.path, report)
                if blueprint is None:
                    return report, None
                self.files = _files(blueprint, self.path)
                pipeline.work_out(blueprint, blueprint.fewest, {}, report)
        except (GameError, RecursionError):
            return report, None
        return report, None if report.errors else Game(blueprint)


def _files(blueprint: pipeline.Blueprint, path: Path) -> list[Path]:
    return [Path(file.path) for file in blueprint.source.files] or [path]


__all__ = ["Findings", "Watching"]
