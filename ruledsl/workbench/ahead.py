"""Work that is done ahead of the keys that will ask for it: while nobody waits for an answer, and no longer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruledsl.diagnostics.model import Report


class Disturbed(Exception):
    """Somebody asks something: what was begun is left, and begun again in the next pause."""


class Patient(Report):
    """The report of work that stops as soon as somebody asks something.

    Whoever works out a game asks its report at each map that is read, every few milliseconds.
    """

    def __init__(self, disturbed: Callable[[], bool]) -> None:
        super().__init__()
        self.disturbed: Callable[[], bool] | None = disturbed

    def asked_of(self, node: Any, form: Any) -> set[str]:
        if self.disturbed is not None and self.disturbed():
            raise Disturbed
        return super().asked_of(node, form)

    def at_an_end(self) -> None:
        """What was worked out is kept, and asked again later, when somebody waits."""
        self.disturbed = None
