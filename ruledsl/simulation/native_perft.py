"""Counting the ways in which a play can go on in compiled code, as `runtime.perft` counts them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from threading import Thread
from typing import Any

from ruledsl.generate.c_perft import SECRET, CannotCount, PerftProgram
from ruledsl.generate.native import Library, NoCompiler
from ruledsl.runtime.perft import Perft, PerftError
from ruledsl.runtime.play import Play

from .native import Unavailable


class CompiledPerft(Perft):
    """Counts from the position of a play, some ten million ways a second.

    Where it cannot go on, the reference goes the same way and says why.
    """

    def __init__(self, play: Play, decisions: bool = False) -> None:
        super().__init__(play, decisions)
        made = play.configured
        try:
            self.library = Library(made.machine.program, made.rules, writer=PerftProgram)
        except (NoCompiler, CannotCount) as problem:
            raise Unavailable(str(problem)) from None
        self.library.code.game_perft.restype = ctypes.c_int64

    def _ways(self, depth: int) -> Iterator[tuple[Any, int]]:
        stop = self.play.stop
        if stop.kind != "choice" or depth < 1:
            yield from super()._ways(depth)
            return
        state = self.library.imported(self.play.state)
        for number, option in enumerate(stop.options):
            found = self._behind(state, number, depth)
            if found == SECRET:
                raise PerftError("perft does not go into decisions that are made in secret at once")
            if found < 0:
                found = self._after(self.play.state, stop, option, depth, 0)
            yield option, self._leaf(found)

    def _behind(self, state: Any, option: int, depth: int) -> int:
        """The ways behind an option. Compiled code hears no Ctrl-C, and may take minutes; so a thread counts them."""
        found: list[int] = []

        def count() -> None:
            which, detail = ctypes.c_int64(), ctypes.c_int64()
            counted = self.library.code.game_perft(
                state,
                ctypes.c_int64(option),
                ctypes.c_int64(depth),
                ctypes.c_int64(self.by_decision),
                ctypes.byref(which),
                ctypes.byref(detail),
            )
            found.append(int(counted))

        thread = Thread(target=count, daemon=True)
        thread.start()
        thread.join()
        return found[0]


__all__ = ["CompiledPerft"]
