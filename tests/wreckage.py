"""Files with a piece torn out, two words swapped, or a value of another kind: whatever is left is answered.

`mutator.py` asks whether a slip is found and where. Here nothing is asked of a change but that no command ever answers
with a traceback or not at all: what is left is a game with mistakes, a game with other rules, or no game. So every
change of a kind can be made, in every file that a game is read from: its parts, tables and tests as well.
"""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time
from typing import Literal

from mutator import Hang, Text, words_of

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.render import render, render_line
from ruledsl.runtime.game import load
from ruledsl.source.document import Broken, Map, Scalar, Seq
from ruledsl.testing.runner import Tests
from ruledsl.testing.suites import files_of

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("games", "examples", "tests/language", "tests/play", "tests/errors")
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.yaml"))]
SECONDS = 20  # of the processor's time for one file; more is a hang
PLAYED = 0.4  # seconds of it for a play
# Lists, maps, nothing, numbers, a word that nobody means, a statement, and expressions of every type.
KINDS = (
    "[]", "{}", "null", "7", "-3", "x" * 300, "[1, [2], {a: 3}]", "{say: {say: x}}", "true", "none", "1..3", "players",
    "me", "[none, 1]", "direction", "set(n in 1..3 where n > 1)",
)  # fmt: skip


@dataclass(frozen=True)
class Wreck:
    """A file with pieces of its text replaced."""

    path: Path
    sort: str
    cuts: tuple[tuple[int, int, str], ...]

    def text(self, source: str) -> str:
        for start, end, new in sorted(self.cuts, reverse=True):
            source = source[:start] + new + source[end:]
        return source

    def __str__(self) -> str:
        return f"{self.sort} {self.path.relative_to(ROOT).as_posix()} {self.cuts}"


def without_an_entry(text: Text, _: Random) -> Iterator[Wreck]:
    """Each key with everything below it, and each item of a list."""
    for spot in text.spots:
        if isinstance(spot.node, Map):
            spans = [(entry.key.span.start, entry.value.span.end) for entry in spot.node]
        elif isinstance(spot.node, Seq):
            spans = [(item.span.start, item.span.end) for item in spot.node]
        else:
            continue
        for i, (start, end) in enumerate(spans):
            if i + 1 < len(spans):
                end = spans[i + 1][0]
            elif i:
                start = spans[i - 1][1]
            yield Wreck(text.path, "without an entry", ((start, end, ""),))


def without_a_line(text: Text, _: Random) -> Iterator[Wreck]:
    for line in range(1, text.file.lines):
        start, end = text.file.line_start(line), text.file.line_start(line + 1)
        if text.source[start:end].strip():
            yield Wreck(text.path, "without a line", ((start, end, ""),))


def swapped(text: Text, rng: Random) -> Iterator[Wreck]:
    """Each value with the next, and with one anywhere in the file."""
    scalars = [s.node.span for s in text.spots if isinstance(s.node, Scalar) and s.node.style != "block"]
    for i, one in enumerate(scalars):
        for other in {scalars[(i + 1) % len(scalars)], rng.choice(scalars)}:
            if one.text != other.text:
                cuts = ((one.start, one.end, other.text), (other.start, other.end, one.text))
                yield Wreck(text.path, "swapped", cuts)


def of_another_kind(text: Text, _: Random) -> Iterator[Wreck]:
    """Each value, and each key, as what it cannot be."""
    for spot in text.spots:
        for new in KINDS:
            yield Wreck(text.path, "of another kind", ((spot.node.span.start, spot.node.span.end, new),))
        if isinstance(spot.node, Map):
            for entry in spot.node:
                for new in ("7", "x" * 300, "null", "'a b'"):
                    yield Wreck(text.path, "of another kind", ((entry.key.span.start, entry.key.span.end, new),))


def other_words(text: Text, rng: Random) -> Iterator[Wreck]:
    """Each word of each value as any other word of the file."""
    spans = [span for s in text.spots if isinstance(s.node, Scalar) for span in words_of(s.node)]
    for span in spans:
        new = rng.choice(spans).text
        if new != span.text:
            yield Wreck(text.path, "other words", ((span.start, span.end, new),))


def moved(text: Text, rng: Random) -> Iterator[Wreck]:
    """Each value with everything below it, where any other value of the file stood."""
    nodes = [s.node for s in text.spots[1:] if not isinstance(s.node, Broken)]
    for node in nodes:
        other = rng.choice(nodes)
        new = " ".join(other.span.text.split()) if isinstance(other, Scalar) or other.flow else _flow(other)
        yield Wreck(text.path, "moved", ((node.span.start, node.span.end, new),))


def _flow(node: object) -> str:
    """A node in brackets, however it was written."""
    match node:
        case Map():
            return "{" + ", ".join(f"{_flow(e.key)}: {_flow(e.value)}" for e in node) + "}"
        case Seq():
            return "[" + ", ".join(map(_flow, node)) + "]"
        case Scalar() if node.style != "block" and not re.search(r"[,{}\[\]\n]", node.span.text.strip("'\"")):
            return node.span.text
        case Scalar():
            return "'" + " ".join(node.value.split()).replace("'", "''") + "'"
    return "null"


WRECKERS: dict[str, Callable[[Text, Random], Iterator[Wreck]]] = {
    "without an entry": without_an_entry,
    "without a line": without_a_line,
    "swapped": swapped,
    "of another kind": of_another_kind,
    "moved": moved,
    "other words": other_words,
}


def wrecks(path: Path, seed: int = 0, only: str = "") -> list[Wreck]:
    """All changes of a file, each once."""
    text, rng = Text(path), Random(f"{seed} {path.name}")
    found: dict[str, Wreck] = {}
    for sort, wrecker in WRECKERS.items():
        if only in ("", sort):
            for wreck in wrecker(text, rng):
                found.setdefault(str(wreck.cuts), wreck)
    return list(found.values())


# ------------------------------------------------------------------------------------------------- answering


def game_of(path: Path) -> Path:
    """The main file of the game that a file belongs to."""
    for folder in (path.parent, path.parent.parent):
        if (folder / "game.yaml").is_file():
            return folder / "game.yaml"
    if path.name.endswith(".test.yaml"):
        return path.with_name(path.name.replace(".test", ""))
    for other in sorted(path.parent.glob("*.yaml")):
        if other != path and path.name in other.read_text(encoding="utf-8"):
            return other
    return path


class Place:
    """A copy of a folder with games, where files are changed and put back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mains: dict[Path, Path] = {}

    def of(self, path: Path) -> Path:
        """Where the copy of a file is; all that lies beside it is copied, too."""
        top = next(ROOT / folder for folder in FOLDERS if path.is_relative_to(ROOT / folder))
        if not (self.folder / top.relative_to(ROOT)).exists():
            shutil.copytree(top, self.folder / top.relative_to(ROOT))
        return self.folder / path.relative_to(ROOT)

    def main(self, copy: Path) -> Path:
        if copy not in self.mains:
            self.mains[copy] = game_of(copy)
        return self.mains[copy]


def crash_of(wreck: Wreck, place: Place, plays: bool = False, seconds: int = SECONDS) -> str:
    """What went wrong with a changed file; nothing if it was answered."""
    copy = place.of(wreck.path)
    main = place.main(copy)
    source = copy.read_text(encoding="utf-8")
    copy.write_text(wreck.text(source), encoding="utf-8")
    old = signal.signal(signal.SIGPROF, _too_long) if hasattr(signal, "SIGPROF") else None
    if old is not None:
        signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        answer(main, copy, plays)
    except Hang:
        return f"no answer in {seconds} s"
    except Exception as crash:
        return _where(crash)
    finally:
        if old is not None:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, old)
        copy.write_text(source, encoding="utf-8")
    return ""


def answer(main: Path, changed: Path, plays: bool) -> None:
    """What `check` does with a game, `test` with its changed tests, and perhaps a play at random."""
    report = pipeline.check(main)
    shown(report)
    if changed in files_of(main):
        tests = Tests(load(main))
        tests.most_steps = 20_000
        line = _changed_line(changed)
        cases = [c for c in tests.cases if Path(c.span.file.path).resolve() == changed.resolve()]
        before = [c for c in cases if c.span.line <= line] or cases[:1]
        list(tests.run(before[-1:]))
        shown(tests.report)
    elif plays and not report.errors:
        play_at_random(main, "python" if len(changed.read_bytes()) % 2 else "interpreter")


_LINES: dict[Path, list[str]] = {}


def _changed_line(path: Path) -> int:
    """The first line of a copy that differs from the file itself."""
    own = next(p for p in FILES if path.as_posix().endswith(p.relative_to(ROOT).as_posix()))
    lines = _LINES.setdefault(own, own.read_text(encoding="utf-8").splitlines())
    now = path.read_text(encoding="utf-8").splitlines()
    return next((n for n, (a, b) in enumerate(zip(lines, now, strict=False), 1) if a != b), 1)


def shown(report: Report) -> None:
    for found in report.sorted():
        render(found)
        render_line(found)


def play_at_random(main: Path, backend: Literal["interpreter", "python"], steps: int = 60) -> None:
    """The beginning of a play: a fault of the rules is an answer, with the place of the rule.

    Changed rules may take longer: a play ends between two decisions once it had its time. (A signal that broke it off
    anywhere would leave half of a cache behind, and the next file would be blamed for it.)
    """
    rng, enough = Random(1), process_time() + PLAYED
    try:
        play = load(main, backend).start(seed=1)
    except GameError as problem:
        shown(problem.report)
        return
    play.machine.most_steps = 20_000
    for _ in range(steps):
        if play.over or process_time() > enough:
            break
        seat = rng.choice(play.pending)
        play.choose(rng.randrange(len(play.options(seat))), seat)
    assert play.fault is None or play.fault.span is not None or "never ends" in str(play.fault), play.fault


def _too_long(*_: object) -> None:
    raise Hang


def _where(crash: Exception) -> str:
    """The kind of a crash with the innermost place in ruledsl."""
    frames, at = [], crash.__traceback__
    while at is not None:
        name = at.tb_frame.f_code.co_filename
        if "ruledsl" in Path(name).parts or "ruledsl/" in name:
            frames.append(f"{Path(name).name}:{at.tb_lineno}")
        at = at.tb_next
    return f"{type(crash).__name__}: {str(crash)[:80]} ({' '.join(frames[-3:])})"


def main() -> None:
    """`python -m tests.wreckage [which/how many] [sort] [files]`: the crashes of all changes, or of a part of them.

    With `play` before all others, games that are left whole are played, too.
    """
    import sys
    import time
    from tempfile import TemporaryDirectory

    plays, words = sys.argv[1:2] == ["play"], [word for word in sys.argv[1:] if word != "play"]
    part, of = map(int, (words[0] if words else "0/1").split("/"))
    only = words[1] if len(words) > 1 else ""
    paths = [Path(p).resolve() for p in words[2:]] or FILES
    started, made = time.process_time(), 0
    with TemporaryDirectory() as folder:
        place = Place(Path(folder))
        for path in paths:
            for wreck in wrecks(path, only=only)[part::of]:
                made += 1
                if crash := crash_of(wreck, place, plays):
                    sys.stdout.write(f"{crash} | {wreck}\n")
                    sys.stdout.flush()
            sys.stderr.write(f"{made} {time.process_time() - started:.0f} s {path.relative_to(ROOT)}\n")
    sys.stdout.write(f"{made} changes in {time.process_time() - started:.0f} s\n")


if __name__ == "__main__":
    main()


__all__ = ["Place", "Wreck", "crash_of", "wrecks"]
