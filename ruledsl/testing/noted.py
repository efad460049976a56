"""A file that notes what became of each change of the rules, so that nothing of a long run is lost when it is stopped.

Its lines are answers for one change each. They hold as long as rules and tests are the same. When these are others, a
line still tells which test noticed the change: that test is asked first, and its answer is what counts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ruledsl.runtime.game import Game

from .mutants import Mutant

VERSION = 1


class Notebook:
    """What became of changes before, and what becomes of them now; without a file nothing is noted."""

    def __init__(self, path: Path | None, game: Game, tests: list[str]) -> None:
        self.path, self.tests = path, tests
        self.rules = _digest(game.path) if path is not None else ""
        self.lines: dict[str, dict[str, Any]] = {}
        self.file: IO[str] | None = None
        if path is not None and path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                read = _read(line)
                if read is not None:
                    self.lines[read["change"]] = read

    def known(self, mutant: Mutant) -> str | None:
        """What became of a change, if rules and tests are still those."""
        line = self.lines.get(_name(mutant))
        return str(line["result"]) if line is not None and line["rules"] == self.rules else None

    def hints(self, mutants: Iterable[Mutant]) -> dict[Mutant, int]:
        """By change: the number of the test that noticed it before."""
        numbers = {name: number for number, name in enumerate(self.tests)}
        lines = ((mutant, self.lines.get(_name(mutant))) for mutant in mutants)
        return {mutant: numbers[line["by"]] for mutant, line in lines if line is not None and line["by"] in numbers}

    @contextmanager
    def open(self) -> Iterator[None]:
        """While it lasts, answers are added to the file, each as soon as it is known."""
        if self.path is None:
            yield
            return
        cut_off = self.path.is_file() and not self.path.read_bytes().endswith(b"\n")
        with self.path.open("a", encoding="utf-8") as self.file:
            if cut_off:  # somebody pulled the plug
                self.file.write("\n")
            yield
        self.file = None

    def write(self, mutant: Mutant, result: str, by: int) -> None:
        if self.file is not None:
            name = self.tests[by] if by >= 0 else ""
            line = {"version": VERSION, "rules": self.rules, "change": _name(mutant), "result": result, "by": name}
            self.file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self.file.flush()


def _name(mutant: Mutant) -> str:
    """Its place, to the end: what begins alike may be cut off alike in the words."""
    size = mutant.span.end - mutant.span.start
    return f"{mutant.span.file.path}:{mutant.span.line}:{mutant.span.column}+{size}: {mutant.what}"


def _read(line: str) -> dict[str, Any] | None:
    """A line of the file; None for what was cut off, or is something else."""
    try:
        read = json.loads(line)
    except ValueError:
        return None
    if not isinstance(read, dict) or read.get("version") != VERSION:
        return None
    return read if all(isinstance(read.get(key), str) for key in ("rules", "change", "result", "by")) else None


def _digest(game: Path) -> str:
    """Stands for all files of a game: those of its folder, or those beside it that are called like it."""
    folder, stem = game.parent, game.name.partition(".")[0]
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*") if stem == "game" else folder.glob(f"{stem}.*")):
        if path.is_file() and path.suffix in (".yaml", ".yml", ".csv"):
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]
