"""Work that goes on beside: in a process that begins with everything this one knows, where the system has such."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from typing import Any, Generic, TypeVar

Done = TypeVar("Done")
POLITE = 10  # how much work that nobody waits for stands back


class Lost(Exception):
    """The work has ended without a result."""


class Beside(Generic[Done]):
    """One piece of work; elsewhere it is done when its result is asked for."""

    def __init__(self, work: Callable[[], Done], politely: bool = False) -> None:
        self.work, self.process = work, None
        self._found: list[Done] = []
        if "fork" not in get_all_start_methods():
            return
        context = get_context("fork")
        self.pipe, other = context.Pipe(duplex=False)
        self.process = context.Process(target=_do, args=(work, other, politely), daemon=True)
        sys.stdout.flush()
        self.process.start()
        other.close()

    @property
    def ready(self) -> bool:
        """Whether the result is there, or will not come."""
        return bool(self._found) or self.process is None or self.pipe.poll()

    def result(self) -> Done:
        """Waits for it; raises `Lost` if something went wrong."""
        if not self._found:
            if self.process is None:
                self._found.append(self.work())
            else:
                self._found.append(self._received())
        return self._found[0]

    def _received(self) -> Any:
        try:
            sound, value = self.pipe.recv()
        except (EOFError, OSError):
            raise Lost("it has ended without a word") from None
        finally:
            self.stop()
        if not sound:
            raise Lost(value)
        return value

    def stop(self) -> None:
        """Ends it; a compiler that it has started comes to its own end."""
        if self.process is not None and self.process.is_alive():
            self.process.terminate()
            self.process.join(1)


def _do(work: Callable[[], Any], pipe: Any, politely: bool) -> None:
    with suppress(OSError, AttributeError, ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if politely:
            os.nice(POLITE)
    try:
        said = (True, work())
    except BaseException as problem:
        said = (False, f"{type(problem).__name__}: {problem}")
    with suppress(OSError, ValueError):
        pipe.send(said)
