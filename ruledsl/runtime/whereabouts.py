"""Which rule is being worked out just now, as far as the stack of Python tells.

Nothing is noted while rules run, so this costs nothing. What was written for a game carries the numbers of blocks and
the lines of the rules in its comments; functions of our own have the statements and expressions they work at among
their variables.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from types import FrameType, TracebackType

from ruledsl.ir import core as C
from ruledsl.source.text import Span

READING, WRITING, COMPILING, RULES = "reading", "writing", "compiling", "rules"  # what is being done
_SORTS = {
    "ruledsl.generate.native": COMPILING,
    "ruledsl.generate": WRITING,
    "ruledsl.engine": RULES,
    "ruledsl.compiler": READING,
    "ruledsl.analysis": READING,
    "ruledsl.statements": READING,
    "ruledsl.builtins": READING,
    "ruledsl.syntax": READING,
    "ruledsl.source": READING,
}
_BLOCK = re.compile(r"\s*# (\d+): ")
_LINE = re.compile(r"\s*# (\S+:\d+)$")
_NUMBERED = re.compile(r"(?:block|roll|late|options|draw)_(\d+)$")
_TOLD = re.compile(r", (\S+:\d+)$")


At = tuple[FrameType, int]  # a call, and the line that it is at


def of_thread(thread: int) -> list[At]:
    """What a thread is doing, the innermost first."""
    return [(frame, _line(frame, frame.f_lasti)) for frame in _outwards(sys._current_frames().get(thread))]


def of_problem(trace: TracebackType | None) -> list[At]:
    """What was being done where an exception was raised, the innermost first."""
    frames: list[At] = []
    while trace is not None:
        frames.append((trace.tb_frame, _line(trace.tb_frame, trace.tb_lasti)))
        trace = trace.tb_next
    return frames[::-1]


def _line(frame: FrameType, lasti: int) -> int:
    """The line of an instruction; of one without a line, as that from the end of a loop to its beginning, the last
    before it: there Python looks for signals and other threads, so that is where it is mostly met."""
    found = 0
    for begin, _, line in frame.f_code.co_lines():
        if begin > lasti:
            break
        found = line or found
    return found


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def doing(frames: Iterable[At]) -> str:
    """What is being done: one of the words above, empty if it is none of them."""
    for frame, _ in frames:
        if "SOURCES" in frame.f_globals:
            return RULES
        name = str(frame.f_globals.get("__name__", ""))
        if sort := _SORTS.get(name) or _SORTS.get(".".join(name.split(".")[:2])):
            return sort
    return ""


def place(frames: Iterable[At]) -> str:
    """`game.yaml:12` of the innermost rule that is worked out or read; empty if nothing tells it."""
    for frame, at in frames:
        if "SOURCES" in frame.f_globals:
            found = _of_made(frame, at)
        elif str(frame.f_globals.get("__name__", "")).partition(".")[0] == "ruledsl":
            found = _of_own(frame)
        else:
            continue
        if found:
            return found
    return ""


def _of_made(frame: FrameType, at: int) -> str:
    """The rule that a function made for the game is at: by the last comment above its line that is not deeper."""
    code, known = frame.f_code, frame.f_globals
    source = known["SOURCES"].get(code.co_filename, "").splitlines()
    depth = _depth(source[at - 1]) if 0 < at <= len(source) else 0
    for line in reversed(source[code.co_firstlineno : at]):
        if not line.strip() or _depth(line) > depth:
            continue
        depth = min(depth, _depth(line))
        if told := _LINE.match(line):
            return _whole(known["MACHINE"].program, told[1])
        if (numbered := _BLOCK.match(line)) and (found := _of_block(known["MACHINE"].program, int(numbered[1]))):
            return found
    numbered = _NUMBERED.match(code.co_name)
    if numbered and (found := _of_block(known["MACHINE"].program, int(numbered[1]))):
        return found
    told = _TOLD.search(code.co_consts[0]) if isinstance(code.co_consts[0], str) else None
    return _whole(known["MACHINE"].program, told[1]) if told else ""


def _whole(program: C.Program, told: str) -> str:
    """`game.yaml:12` with the path to the file, as everywhere else."""
    name = told.rpartition(":")[0]
    spans = (block.place for block in program.blocks)
    paths = {span.file.path for span in spans if span is not None and span.file.path.rsplit("/", 1)[-1] == name}
    return told if len(paths) != 1 else f"{paths.pop()}{told[len(name) :]}"


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _of_block(program: C.Program, at: int) -> str:
    if not 0 <= at < len(program.blocks):
        return ""
    block = program.blocks[at]
    return _shown(block.place or block.span or getattr(block.end, "span", None))


def _of_own(frame: FrameType) -> str:
    """The rule that a function of ours works at."""
    known = frame.f_locals
    program = getattr(known.get("self"), "program", None)
    if isinstance(known.get("at"), int) and program is not None and hasattr(program, "blocks"):
        return _of_block(program, known["at"])
    spans = [value if isinstance(value, Span) else _span(value) for value in list(known.values())]
    return next((shown for span in spans if (shown := _shown(span))), "")


def _span(value: object) -> object:
    return getattr(value, "span", None) if type(value).__module__.startswith("ruledsl.") else None


def _shown(span: object) -> str:
    return f"{span.file.path}:{span.line}" if isinstance(span, Span) else ""


__all__ = ["COMPILING", "READING", "RULES", "WRITING", "doing", "of_problem", "of_thread", "place"]
