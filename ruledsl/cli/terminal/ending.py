"""How a play ended, in lines: winners, ranks, points by their source."""

from __future__ import annotations

from ruledsl.boards.marks import pad
from ruledsl.runtime.outcome import Outcome, outcome
from ruledsl.wording.columns import columns

from .drawing import Drawing


class Ending(Drawing):
    """Tells the end of one play; part of a `Screen`."""

    def result(self) -> str:
        """How the play ended: winners, ranks, points by their source."""
        found = outcome(self.play, self.language)
        return "\n".join([*found.lines, *self._points(found)])

    def _points(self, found: Outcome) -> list[str]:
        """The points in columns."""
        if not found.rows:
            return []
        head = ["", *[self.names.player(seat) for seat in found.order]]
        rows = [head, *([title, *cells] for title, cells in found.rows)]
        widths = [max(columns(row[i]) for row in rows) for i in range(len(head))]
        lines = [
            "  ".join(
                [
                    pad(row[0], widths[0]),
                    *[" " * (w - columns(c)) + c for c, w in zip(row[1:], widths[1:], strict=True)],
                ]
            ).rstrip()
            for row in rows
        ]
        return ["", *lines, *([found.note] if found.note else [])]
