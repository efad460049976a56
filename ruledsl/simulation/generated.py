"""Random plays on Python made for the game: for where there is no compiler, and for small runs."""

from __future__ import annotations

from ruledsl.generate.python_machine import GeneratedMachine
from ruledsl.runtime.game import Configured

from .interpreter import Census, Interpreter, silent


class Generated(Interpreter):
    """As the reference interpreter plays, on functions that count for themselves how often each block runs."""

    def __init__(self, configured: Configured) -> None:
        machine = GeneratedMachine(configured.machine.program, counting=True)
        made = Configured(configured.world, machine, configured.options, configured.players, configured.rules)
        super().__init__(made)
        self.census = Counted(self.configured, self.shape)
        machine.ran = self.census.counts  # the first of the counts are those of the blocks


class Counted(Census):
    """A census of what counts itself."""

    def __enter__(self) -> Census:
        self._kept = (self.machine.say, self.machine.watch)
        self.machine.say, self.machine.watch = silent, None
        return self
