"""A game is played at once with what is compiled quickly, while a compiler makes the better library behind it.

The compiler goes on when the command that began it has ended: it works in a folder beside the note of the library,
and whoever plays the game next takes over what is there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from ruledsl.ir import core as C

from .native import (
    ASKED,
    FLAGS,
    SUFFIX,
    Library,
    attempts,
    build,
    compiler,
    fitted,
    kept,
    named,
    place,
    same_code,
    written,
)

# In a third of the time, and mostly more than half as fast: it plays until the other is there.
QUICK = tuple("-Og" if flag == "-O2" else flag for flag in FLAGS)
LOST = 300  # seconds after which a compiler that has left nothing is taken for ended
MADE, FILE, ABOUT = "game", "game.c", "about.json"


class Better:
    """A library that is being made, or waits to be taken over."""

    def __init__(self, program: C.Program, rules: str) -> None:
        self.program, self.rules = program, rules
        self.note = place(rules)
        self.folder = self.note.with_suffix(".behind")

    def ready(self) -> bool:
        return (self.folder / MADE).exists() or self.note.exists()

    def library(self) -> Library:
        """The better library; only if it is ready."""
        self._take_over()
        return Library(self.program, self.rules)

    def _take_over(self) -> None:
        """Gives what the compiler left its name, and writes the note. If two do, one of them finds nothing."""
        made = self.folder / MADE
        with suppress(OSError, ValueError, KeyError):
            about: dict[str, Any] = json.loads((self.folder / ABOUT).read_text(encoding="utf-8"))
            digest = hashlib.sha256(made.read_bytes()).hexdigest()
            library = self.note.with_name(f"{about.pop('stem')}-{digest[:16]}{SUFFIX}")
            made.replace(library)
            told = self.folder / "told.json"
            told.write_text(json.dumps({**about, "library": library.name, "digest": digest}), encoding="utf-8")
            told.replace(self.note)
            shutil.rmtree(self.folder, ignore_errors=True)

    def under_way(self) -> bool:
        with suppress(OSError):
            return time.time() - self.folder.stat().st_mtime < LOST
        return False

    def begin(self, source: str, about: dict[str, Any]) -> None:
        """Lets a compiler make it, unless one is at it already. It is never waited for: what is lost is made again."""
        if self.under_way():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        flags, work = fitted(source, FLAGS), None
        try:
            work = Path(tempfile.mkdtemp(dir=self.note.parent))
            (work / FILE).write_text(source, encoding="utf-8")
            (work / ABOUT).write_text(json.dumps({**about, "stem": named(source, flags)}), encoding="utf-8")
            work.rename(self.folder)  # whole, and by one only
        except OSError:  # nobody can write here, or another was first
            if work is not None:
                shutil.rmtree(work, ignore_errors=True)
            return
        tried = " || ".join(shlex.join([*(compiler() or ()), *one, "-o", "part", FILE]) for one in attempts(flags))
        set_off(f"{{ {tried}; }} && mv part {MADE}", self.folder)  # the name comes last, for the whole file


def set_off(line: str, folder: Path) -> None:
    """Lets a line of the shell run by itself, with what time others leave.

    The shell that begins it ends at once, so that nobody has to wait for a child.
    """
    aside = f"nice -n 10 sh -c {shlex.quote(line)} </dev/null >/dev/null 2>&1 &"
    with suppress(OSError):
        subprocess.run(["sh", "-c", aside], cwd=folder, start_new_session=True)


def soon(program: C.Program, rules: str) -> tuple[Library, Better | None]:
    """The library of a program; if that is still to be made, one that is there sooner, and the better one to come."""
    note = place(rules)
    if not _pays() or kept(note) is not None:
        return Library(program, rules), None
    better = Better(program, rules)
    if better.ready():
        return better.library(), None
    hurried = place(rules, QUICK)
    if kept(hurried) is None or not better.under_way():
        source, about = written(program)
        if same_code(note.parent, named(source, fitted(source, FLAGS))):
            build(source, about, note)
            return Library(program, rules), None
        build(source, about, hurried, QUICK)
        better.begin(source, about)
    return Library(program, rules, QUICK), better


def forget(rules: str) -> None:
    """Lets a game be compiled anew, though its code was compiled before."""
    for flags in (FLAGS, QUICK):
        note = place(rules, flags)
        found = kept(note)
        if found is not None:
            found[1].unlink(missing_ok=True)
        note.unlink(missing_ok=True)
    shutil.rmtree(place(rules).with_suffix(".behind"), ignore_errors=True)


def _pays() -> bool:
    """Whether a compiler can work beside the plays, and the flags are ours."""
    if os.name != "posix" or os.environ.get(ASKED):
        return False
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1
