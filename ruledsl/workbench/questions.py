"""Questions that need a game in all its configurations: answered in a process of their own, while keys are pressed.

The functions here are called in that process; it keeps the game that was asked about last.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import ParamSpec, TypeVar

from ruledsl.source.text import Span

from . import language
from .checking import Place
from .places import Lines
from .project import Project
from .renaming import rename

Texts = Mapping[Path, str]
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


class Questions:
    """Where questions are asked; the process is begun with the first."""

    def __init__(self) -> None:
        self.pool: ProcessPoolExecutor | None = None

    async def ask(self, question: Callable[Given, Answer], *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        if self.pool is None:
            self.pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _say_nothing)
        try:
            return await asyncio.wrap_future(self.pool.submit(question, *args, **kwargs))
        except BrokenProcessPool:
            self.pool = None  # the next question begins another
            raise

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)


def _say_nothing() -> None:
    """What the server says goes to the editor; nobody else may write there."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)


_kept: list[Project] = []


def _project(main: Path, texts: Texts) -> Project:
    if not _kept or _kept[0].main != main:
        _kept[:] = [Project(main)]
    project = _kept[0]
    for path in {*project.open, *texts}:
        if project.open.get(path) != texts.get(path):
            project.write(path, texts.get(path))
    return project


def declared(main: Path, texts: Texts, path: Path, offset: int) -> list[Place]:
    """Where the name at a place is declared; several, where copies are made of it."""
    return [_place(span) for span in language.declared_at(_project(main, texts), path, offset)]


def used(main: Path, texts: Texts, path: Path, offset: int) -> list[Place]:
    """Every place that speaks of what is named at a place."""
    return [_place(span) for span in language.uses(_project(main, texts), path, offset)]


def is_name(main: Path, texts: Texts, path: Path, offset: int) -> bool:
    """Whether a name of the game is at a place."""
    return language.target_at(_project(main, texts), path, offset) is not None


def renamed(main: Path, texts: Texts, path: Path, offset: int, new: str) -> list[tuple[Place, str]]:
    """The changes that give what is named at a place another name."""
    changes = rename(_project(main, texts), path, offset, new)
    return [(_place(span), text) for own in changes.values() for span, text in own]


def _place(span: Span) -> Place:
    start, end = Lines(span.file.text).range(span.start, span.end)
    return Place(str(Path(span.file.path).resolve()), start, end)
