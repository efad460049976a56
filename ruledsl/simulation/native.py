"""Random plays in compiled C: whole batches of them without coming back to Python."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable
from contextlib import suppress

from ruledsl.generate.behind import Better, forget, soon
from ruledsl.generate.native import Library, NoCompiler, Session
from ruledsl.generate.passes import NONE_OFF, Off
from ruledsl.runtime.game import Configured

from .aside import Done, aside


class Unavailable(Exception):
    """An executor is not available; the message says why, and perhaps what would help."""


class Native:
    """Plays a game that was compiled for this machine, or will be now. Threads may share one."""

    threads = True

    def __init__(self, configured: Configured, without: Off = NONE_OFF, hurry: bool = False) -> None:
        self._better: Better | None = None
        try:
            if hurry:
                self.library, self._better = soon(configured.program, configured.rules)
            else:
                self.library = Library(configured.program, configured.rules, without=without)
        except NoCompiler as problem:
            raise Unavailable(str(problem)) from problem
        self.shape = self.library.shape
        self.state_bytes = self.library.size
        self._here = threading.local()
        self._one = threading.Lock()

    @classmethod
    def hurried(cls, configured: Configured) -> Native:
        """Begins with what is compiled quickly, and goes on with what is compiled well as soon as that is there."""
        return cls(configured, hurry=True)

    @staticmethod
    def forget(configured: Configured) -> None:
        """Lets the game be compiled anew next time."""
        with suppress(NoCompiler):
            forget(configured.rules)

    def run(self, seed: int, first: int, rows: array[int], counts: array[int], limit: int) -> None:
        session = self._session()
        self._aside(lambda: session.play(seed, first, rows, counts, limit))

    def campaigns(
        self, seed: int, first: int, plays: int, rows: array[int], counts: array[int], limit: int
    ) -> array[int]:
        """Campaigns at random (see `Session.campaigns`)."""
        session = self._session()
        return self._aside(lambda: session.campaigns(seed, first, plays, rows, counts, limit))

    def _aside(self, work: Callable[[], Done]) -> Done:
        try:
            return aside(work)
        except BaseException:
            self._here = threading.local()  # the session may still be at work
            raise

    def copy_states(self, times: int) -> None:
        session = self._session()
        session.start(0)
        session.copy(times)

    def _session(self) -> Session:
        """A session for this thread, with the best library that is there."""
        if self._better is not None and self._better.ready():
            with self._one:
                if self._better is not None:
                    self.library, self._better = self._better.library(), None
        session: Session | None = getattr(self._here, "session", None)
        if session is None or session.library is not self.library:
            if session is not None:
                session.close()
            self._here.session = session = Session(self.library)
        return session
