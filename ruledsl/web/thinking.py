"""Bots think in processes of their own, so that nobody waits for them who does not play against them.

A worker gets the texts of the rules once, and with each question the state of the play: no more of it is needed.

A worker takes its time to begin, and until it has read the texts, whoever sends them waits. So a thread of its own
hands over what is asked; who asks never waits.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ruledsl.records import dataclass

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game

Given = TypeVar("Given")
Found = TypeVar("Found")
_Asked: TypeAlias = "tuple[Callable[[Any], Any], Any, Future[Any]]"
NICER = 10  # so that people are answered first, also where all cores think


@dataclass(frozen=True)
class Question:
    """All that a bot is given: the play as it stands, whose turn it is, and which bot."""

    players: int
    options: dict[str, Any]
    seed: int
    state: list[int]
    seat: int
    bot: str
    bot_seed: int


class Thinkers:
    """The workers. They begin when first asked."""

    def __init__(self, game: Game, workers: int) -> None:
        self.game, self.workers = game, workers
        self._pool: ProcessPoolExecutor | None = None
        self._hands = threading.Lock()  # on the workers, while they begin, are asked or end
        self._closed = False
        self._asked: SimpleQueue[_Asked] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, question: Question) -> Future[tuple[Any, ...]]:
        """What a bot decides."""
        return self._submit(_think, question)

    def tell(self, language: str) -> Future[dict[str, Any]]:
        """The rules as they are told from the declaration."""
        return self._submit(_tell, language)

    def warm(self) -> None:
        """The workers begin, so that the first bot that is asked answers at once."""
        self._submit(_nothing, None)

    def _submit(self, work: Callable[[Given], Found], given: Given) -> Future[Found]:
        """Used by one thread at a time."""
        answer: Future[Found] = Future()
        self._asked.put((work, given, answer))
        if self._thread is None:
            self._thread = threading.Thread(target=self._hand_over, name="bots", daemon=True)
            self._thread.start()
        return answer

    def _hand_over(self) -> None:
        while True:
            work, given, answer = self._asked.get()
            found = self._begun(work, given)
            if isinstance(found, Future):
                found.add_done_callback(partial(_pass_on, answer))
            elif answer.set_running_or_notify_cancel():
                answer.set_exception(found)

    def _begun(self, work: Callable[[Given], Found], given: Given) -> Future[Found] | Exception:
        """What a worker is asked; the problem, if there is none who could be."""
        for last in (False, True):
            with self._hands:
                if self._closed:
                    return RuntimeError("the server ends")
                try:
                    return self._ready().submit(work, given)
                except (OSError, RuntimeError) as problem:  # workers broke down, or the system gives no processes
                    self._end()
                    # Any other error says that the server ends or that it has no thread: new workers would not help.
                    if last or not isinstance(problem, OSError | BrokenExecutor):
                        return problem
        raise AssertionError("the last try is the end")

    def stop(self) -> None:
        """Ends the workers, whatever they are thinking about."""
        with self._hands:
            self._end()

    def close(self) -> None:
        """The server ends: nobody thinks any more."""
        self._closed = True
        self.stop()

    def _end(self) -> None:
        if self._pool is not None:
            workers = list((getattr(self._pool, "_processes", None) or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.terminate()
        self._pool = None

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            texts = {str(path): data for path, data in files_of(self.game).items()}
            self._pool = ProcessPoolExecutor(
                self.workers,
                multiprocessing.get_context("spawn"),
                _begin,
                (str(self.game.path), texts),
            )
        return self._pool


def _pass_on(answer: Future[Found], found: Future[Found]) -> None:
    if found.cancelled():
        answer.cancel()
    elif not answer.set_running_or_notify_cancel():
        return  # whoever asked has gone
    elif (problem := found.exception()) is not None:
        answer.set_exception(problem)
    else:
        answer.set_result(found.result())


def files_of(game: Game) -> Mapping[Path, bytes]:
    """The texts of the rules as they were read, so that a worker never reads newer ones."""
    files = game.blueprint.source.files
    return {Path(file.path).resolve(): file.text.encode() for file in files}


# ------------------------------------------------------------------------------------------- in the worker

_GAME: Game | None = None


def _begin(path: str, texts: Mapping[str, bytes]) -> None:
    global _GAME
    from ruledsl.compiler.pipeline import load_blueprint
    from ruledsl.runtime.game import Game
    from ruledsl.source.scan import unsaved

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(NICER)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    with unsaved({Path(name): data for name, data in texts.items()}):
        _GAME = Game(load_blueprint(Path(path)))


def _end_with_the_server() -> None:
    """A server that was killed leaves nobody behind who thinks for it."""
    server = multiprocessing.parent_process()
    if server is not None:
        with suppress(OSError):
            multiprocessing.connection.wait([server.sentinel])
        os._exit(0)


def _think(question: Question) -> tuple[Any, ...]:
    """What the bot of a seat decides."""
    from ruledsl.bots.base import ask, make
    from ruledsl.runtime.play import Play

    assert _GAME is not None, "a worker begins before it is asked"
    configured = _GAME.configured(question.players, question.options)
    play = Play(_GAME, configured, question.seed, start=False)
    play.state = [*question.state, *[0] * configured.machine.program.scratch]
    play.go_on()
    stop = play.stop_of(question.seat)
    assert stop is not None, "a bot is asked that has something to decide"
    return stop.options[ask(make(question.bot, question.bot_seed), play, question.seat)]


def _nothing(given: None) -> None:
    """Done as soon as a worker has begun."""


def _tell(language: str) -> dict[str, Any]:
    from .portrait import told_of

    assert _GAME is not None, "a worker begins before it is asked"
    return told_of(_GAME, language)


__all__ = ["Question", "Thinkers"]
