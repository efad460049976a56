"""Which rule needs which, noted while each is worked out: what one change can reach."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Beside formulas and procedures, what asks for these and for options.
DECLARATIONS, PLAY, SHOWN, ADVICE = "declarations", "play", "shown", "advice"


class Needs:
    """What asked for which formula, procedure or option, and the blocks that each procedure is written as."""

    def __init__(self) -> None:
        self.rule: Any = DECLARATIONS  # what is worked out now; None once everything is
        self.blocks: dict[Any, list[int]] = {}
        self._askers: dict[Any, set[Any]] = {}

    @contextmanager
    def within(self, rule: Any) -> Iterator[None]:
        """While a rule is worked out."""
        outer, self.rule = self.rule, rule
        try:
            yield
        finally:
            self.rule = outer

    def asked(self, what: Any) -> None:
        """The rule that is worked out needs another, or an option by its name."""
        if self.rule is not None:
            self._askers.setdefault(what, set()).add(self.rule)

    def wrote(self, block: int) -> None:
        """A block belongs to the rule that is worked out."""
        self.blocks.setdefault(self.rule, []).append(block)

    def reached_from(self, changed: set[Any]) -> set[Any]:
        """All that needs any of these, themselves or by others."""
        found, waiting = set(changed), list(changed)
        while waiting:
            more = self._askers.get(waiting.pop(), set()) - found
            found |= more
            waiting += more
        return found

    def only_for(self, asker: Any, formulas: list[Any]) -> set[str]:
        """The names of the formulas that are there for this asker alone, who asks for them directly or by others."""
        known = set(map(id, formulas))
        found = set()
        for formula in formulas:
            asking = self.reached_from({formula})
            if asker in asking and all(one == asker or id(one) in known for one in asking):
                found.add(formula.name)
        return found
